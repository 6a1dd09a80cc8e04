"""Word documents (Office Open XML, ECMA-376) to Markdown: headings, paragraphs, lists, tables and links."""

import re
from collections.abc import Iterator

from lxml import etree

from .container import Container
from .html import Article
from .html_markdown import markdown
from .xmltree import attribute, name_of


def read_docx(body: bytes) -> Article:
    """The main text of a document. Raises Refusal when it cannot be opened."""
    with Container(body) as container:
        document = container.xml("word/document.xml")
        styles = dict(_styles(container.xml("word/styles.xml")))
        links = {each.get("Id", ""): each.get("Target", "") for each in container.xml(_RELATIONSHIPS)}
        about = {name_of(each): (each.text or "").strip() for each in container.xml("docProps/core.xml")}
    page = etree.Element("body")
    for story in document:
        if name_of(story) == "body":
            _Writer(styles, links).blocks(story, page)
    return Article(
        markdown(page, "", images=False),
        about.get("title") or None,
        about.get("language") or None,
        about.get("creator") or None,
        about.get("created", "")[:10] or None,
    )


_RELATIONSHIPS = "word/_rels/document.xml.rels"
_HEADING = re.compile(r"heading ([1-6])")
# What older readers show in place of something new, what was deleted, and settings.
_SKIPPED = ("Fallback", "del", "pPr", "rPr", "instrText")


def _styles(styles: etree._Element) -> Iterator[tuple[str, str]]:
    """Each style's identifier and its name, which is English in every edition."""
    for style in styles:
        for child in style:
            if name_of(child) == "name":
                yield attribute(style, "styleId"), attribute(child, "val").lower()


class _Writer:
    """Writes the blocks of a document as HTML elements, which there is a converter for."""

    def __init__(self, styles: dict[str, str], links: dict[str, str]) -> None:
        self._styles = styles
        self._links = links

    def blocks(self, story: etree._Element, into: etree._Element) -> None:
        for block in story:
            match name_of(block):
                case "p":
                    self._paragraph(block, into)
                case "tbl":
                    self._table(block, into)
                case "sdt" | "sdtContent" | "ins" | "customXml" | "smartTag":
                    self.blocks(block, into)

    def _paragraph(self, paragraph: etree._Element, into: etree._Element) -> None:
        settings = {name_of(each): each for part in paragraph if name_of(part) == "pPr" for each in part}
        style = self._styles.get(attribute(settings["pStyle"], "val"), "") if "pStyle" in settings else ""
        heading = _HEADING.fullmatch(style)
        if heading or style == "title":
            parent, tag = into, f"h{heading[1]}" if heading else "h1"
        elif "numPr" in settings or style.startswith("list "):
            last = into[-1] if len(into) else None
            parent, tag = last if last is not None and last.tag == "ul" else etree.SubElement(into, "ul"), "li"
        else:
            parent, tag = into, "p"
        self._text(paragraph, etree.SubElement(parent, tag))

    def _text(self, run: etree._Element, into: etree._Element) -> None:
        for part in run:
            match name_of(part):
                case "t":
                    _append(into, part.text or "")
                case "tab":
                    _append(into, " ")
                case "br" | "cr":
                    etree.SubElement(into, "br")
                case "hyperlink" if target := self._links.get(attribute(part, "id")):
                    self._text(part, etree.SubElement(into, "a", href=target))
                case name if name not in _SKIPPED:
                    self._text(part, into)

    def _table(self, table: etree._Element, into: etree._Element) -> None:
        rows = etree.SubElement(into, "table")
        for row in table:
            if name_of(row) == "tr":
                cells = etree.SubElement(rows, "tr")
                for cell in row:
                    if name_of(cell) == "tc":
                        self.blocks(cell, etree.SubElement(cells, "td" if len(rows) > 1 else "th"))


def _append(element: etree._Element, text: str) -> None:
    if len(element):
        element[-1].tail = (element[-1].tail or "") + text
    else:
        element.text = (element.text or "") + text
