"""A chosen part of a parsed page, as Markdown: the tree is put into the converter's terms, then converted.

What the converter does not know is rewritten as elements it does know: definition lists, footnotes, formulas with
their TeX, languages of code, links around blocks. Which part of a page is worth it is not decided here.
"""

import re
from urllib.parse import urljoin, urlsplit

from html_to_markdown import ConversionOptions, PreprocessingOptions, convert
from lxml import etree

from .html_tree import Element, drop, replace, sweep, text_of, unwrap

# fmt: off
_DROPPED = (
    "script", "style", "template", "svg", "canvas", "iframe", "object", "embed", "audio", "video", "map",
    "link", "meta", "button", "input", "select", "textarea", "datalist", "progress", "meter", "dialog",
)
_BLOCKS = frozenset((
    "address", "article", "blockquote", "div", "dl", "figure", "h1", "h2", "h3", "h4", "h5", "h6", "header", "li",
    "ol", "p", "pre", "section", "table", "ul",
))
# fmt: on
_TABLE_PARTS = frozenset(("caption", "thead", "tbody", "tfoot", "tr", "td", "th"))
_NO_CELL_HOLDS = frozenset(("table", "h1", "h2", "h3", "pre"))
_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
_SCHEME = re.compile(r"[\x00-\x20]*([a-zA-Z][a-zA-Z0-9+.-]*):")
_SAFE_SCHEMES = frozenset(("http", "https", "mailto", "tel", "ftp"))
_PERMALINK = frozenset(("", "#", "¶", "§", "🔗", "[edit]", "edit"))
_LANGUAGE_CLASS = re.compile(
    r"(?:^|\s)(?:language|lang|highlight-source|highlight-text|highlight(?=-[\w+]+ notranslate)|brush:|sourceCode)"
    r"[-:\s]*([\w+#.-]+)"
)
_GUTTER_CLASS = re.compile(r"\b(?:gutter|linenos?|line-?numbers?|lnt?|copy-?button)\b")
_FOOTNOTE_MARK = re.compile(r"[\[(]?(\w{1,8}|[*†‡§]{1,3})[\])]?")
_BACKLINK = re.compile(r"[\s↩︎\ufe0e↑^⏎⤴]*")
_TAG_START = re.compile(r"<(?=[a-zA-Z/!?])")
_LITERAL_LESS = "\ue000"  # stands for an escaped "<" while the converter, which would escape its "\\", is at work
_LINK_TO_CODE = re.compile(rf"\](?=[(:]\s*[<{_LITERAL_LESS}]?\s*(?:javascript|vbscript|data)\s*:)", re.IGNORECASE)
_BLANK_LINES = re.compile(r"\n(?:[^\S\n]*\n){2,}")
_MAX_CODE_LANGUAGE_CHARS = 24
_MAX_FOOTNOTES = 2_000
_NO_LANGUAGE = frozenset(("none", "auto", "default", "plaintext", "text"))


def markdown(content: Element, base_url: str, *, images: bool) -> str:
    """Convert `content`, which is rewritten on the way, to CommonMark with tables, strike-through and footnotes.

    Links and images are made absolute against `base_url`; those that are not http, https, mailto, tel or ftp keep
    their text only. Without `images`, images are left out.
    """
    etree.strip_elements(content, *_DROPPED, with_tail=False)
    _code(content)
    _layout_tables(content)
    _literal_text(content)
    _formulas(content)
    _footnotes(content)
    _links(content)
    _images(content, keep=images)
    _definitions(content)
    for element in list(content.iter("noscript")):
        element.tag = "div"
    sweep(content)
    options = ConversionOptions(
        base_url=base_url,
        bullets="-",
        sub_symbol="~",
        sup_symbol="^",
        compact_tables=True,
        expand_abbreviations=False,
        extract_metadata=False,
        hidden_content="all",
        preprocessing=PreprocessingOptions(enabled=False),
    )
    text = convert(etree.tostring(content, encoding="unicode", method="html", with_tail=False), options).content or ""
    return _BLANK_LINES.sub("\n\n", _without_links_to_code(text)).strip()


def literal(text: str) -> str:
    """Plain text as Markdown in which no tag begins and no link leads to code."""
    return _without_links_to_code(_TAG_START.sub(_LITERAL_LESS, text))


def _without_links_to_code(text: str) -> str:
    return _LINK_TO_CODE.sub(r"\\]", text).replace(_LITERAL_LESS, "\\<")


def base_of(document: Element, url: str) -> str:
    """What relative links of the page at `url` are relative to: its base element, where that is a web address."""
    element = document.find(".//base[@href]")
    if element is None:
        return url
    try:
        base = urljoin(url, element.get("href", "").strip())
        return base if urlsplit(base).scheme in ("http", "https") else url
    except ValueError:
        return url


def _formulas(content: Element) -> None:
    """Formulas that carry their TeX become `$TeX$`; the visual copies that scripts draw beside them go."""
    for drawn in content.xpath(".//*[contains(@class, 'katex-html') or contains(@class, 'MathJax_Preview')]"):
        drop(drawn)
    for formula in list(content.iter("math")):
        tex: str = formula.xpath("string(.//annotation[contains(@encoding, 'tex')])") or formula.get("alttext", "")
        mark = "$$" if formula.get("display") == "block" else "$"
        if tex.strip():
            replace(formula, f"{mark}{' '.join(tex.split())}{mark}")
        else:
            etree.strip_elements(formula, "annotation", "annotation-xml", with_tail=False)


def _code(content: Element) -> None:
    """Code blocks become plain `pre > code` with their language as a class; line numbers go."""
    for table in content.xpath(".//table[.//pre][count(.//tr) = 1]"):
        for cell in table.xpath("(. | .//*)[self::table or self::tbody or self::tr or self::td]"):
            if cell.tag == "td" and _GUTTER_CLASS.search(cell.get("class") or ""):
                drop(cell)
            else:
                cell.tag = "div"
    for block in list(content.iter("pre")):
        for gutter in block.xpath(".//*[@class]"):
            if _GUTTER_CLASS.search(gutter.get("class", "")):
                drop(gutter)
        language = _code_language(block)
        for line_break in list(block.iter("br")):
            replace(line_break, "\n")
        text = text_of(block)
        block.clear(keep_tail=True)
        code = etree.SubElement(block, "code")
        code.text = text.strip("\n")
        if language:
            code.set("class", f"language-{language}")


def _layout_tables(content: Element) -> None:
    """Tables that only place things on the page become plain boxes: in Markdown a cell is one line."""
    for table in list(content.iter("table")):
        if table.get("role") in ("presentation", "none") or _holds_blocks(table):
            _to_boxes(table)


def _holds_blocks(table: Element) -> bool:
    """Whether `table` holds what no cell of data does: another table, a heading, code; in a single row, any block."""
    rows = 0
    blocks = False
    for inner in table.iterdescendants():  # no further than to the next table: linear however they are nested
        if inner.tag in _NO_CELL_HOLDS:
            return True
        rows += inner.tag == "tr"
        blocks = blocks or inner.tag in _BLOCKS
    return blocks and rows == 1


def _to_boxes(element: Element) -> None:
    if element.tag not in ("td", "th"):
        for child in element:
            if child.tag in _TABLE_PARTS:
                _to_boxes(child)
    element.tag = "div"
    element.attrib.clear()


def _code_language(block: Element) -> str | None:
    around = [block, *block.iter("code"), *list(block.iterancestors())[:2]]
    for element in around:
        stated = (
            element.get("data-lang")
            or element.get("data-language")
            or (element.get("lang") if element is block else None)
        )
        if not stated and (match := _LANGUAGE_CLASS.search(element.get("class") or "")):
            stated = match[1]
        language = str(stated or "").lower()
        if 0 < len(language) <= _MAX_CODE_LANGUAGE_CHARS and language not in _NO_LANGUAGE:
            return language
    return None


def _footnotes(content: Element) -> None:
    """A superscript link to a note that is in the page becomes `[^n]`, and the note `[^n]: …`."""
    references = [
        link
        for link in content.xpath(
            ".//sup//a[starts-with(@href, '#')] | .//a[@role='doc-noteref' or contains(@class, 'footnote-ref')]"
        )
        if _FOOTNOTE_MARK.fullmatch(text_of(link).strip())
    ]
    if not references or len(references) > _MAX_FOOTNOTES:
        return
    by_id = {element.get("id"): element for element in content.iter("li", "p", "div", "aside") if element.get("id")}
    labels: dict[str, str] = {}
    for link in references:
        target = (link.get("href") or "").partition("#")[2]
        note = by_id.get(target)
        if note is None or link in note.iterdescendants():
            continue
        match = _FOOTNOTE_MARK.fullmatch(text_of(link).strip())
        if target not in labels and match:
            labels[target] = match[1]
        outer = link.getparent() if link.getparent().tag == "sup" and len(link.getparent()) == 1 else link
        replace(outer, f"[^{labels[target]}]")
    for target, label in labels.items():
        _note(by_id[target], label)


def _note(note: Element, label: str) -> None:
    for link in note.xpath(".//a[starts-with(@href, '#')]"):
        if _BACKLINK.fullmatch(text_of(link)) or "doc-backlink" in (link.get("role") or ""):
            drop(link)
    parent = note.getparent()
    if note.tag == "li":
        note.tag = "div"
        if parent is not None and parent.tag in ("ol", "ul"):
            parent.tag = "div"
            parent.attrib.clear()
    _prefix(note, f"[^{label}]: ")


def _prefix(element: Element, mark: str) -> None:
    """Write `mark` before the first text of `element`, inside its first paragraph if it begins with one."""
    while (
        not (element.text or "").strip() and len(element) and element[0].tag in _BLOCKS - {"ul", "ol", "table", "pre"}
    ):
        element = element[0]
    element.text = mark + (element.text or "").lstrip()


def _links(content: Element) -> None:
    """Unsafe links and a heading's links to itself keep their text; a link around blocks moves into its first one."""
    for link in list(content.iter("a")):
        if link.getparent() is None:
            continue
        href = (link.get("href") or "").replace("\t", "").replace("\r", "").replace("\n", "")
        scheme = _SCHEME.match(href)
        text = text_of(link).strip()
        if (
            text.lower() in _PERMALINK
            and (not text or link.getparent().tag in _HEADINGS)
            and link.find(".//img") is None
        ):
            drop(link)
        elif (
            not href
            or (scheme and scheme[1].lower() not in _SAFE_SCHEMES)
            or (href[0] == "#" and link.getparent().tag in _HEADINGS)
        ):
            unwrap(link)
        elif (inner := next((e for e in link.iterdescendants() if e.tag in _HEADINGS), None)) is not None:
            _move_link(link, inner)
        elif any(child.tag in _BLOCKS for child in link):
            _move_link(link, next(child for child in link if child.tag in _BLOCKS))


def _move_link(link: Element, into: Element) -> None:
    if any(True for e in into.iterdescendants() if e.tag in _BLOCKS):
        return
    moved = etree.Element("a", href=link.get("href"))
    moved.text, into.text = into.text, None
    moved.extend(list(into))
    into.append(moved)
    link.tag = "div"
    link.attrib.clear()


def _images(content: Element, *, keep: bool) -> None:
    for image in list(content.iter("img")):
        source = next(
            (image.get(name) for name in ("src", "data-src", "data-original") if _web(image.get(name))), None
        )
        if keep and source:
            image.set("src", source)
        else:
            drop(image)


def _web(source: str | None) -> bool:
    scheme = _SCHEME.match(source or "")
    return bool(source) and (scheme is None or scheme[1].lower() in ("http", "https"))


def _definitions(content: Element) -> None:
    """Definition lists become paragraphs in the notation that Pandoc and PHP Markdown Extra share."""
    for element in list(content.iter("dt", "dd")):
        if element.tag == "dd" and text_of(element).strip():
            _prefix(element, ": ")
        element.tag = "div"
    for element in list(content.iter("dl")):
        element.tag = "div"


def _literal_text(content: Element) -> None:
    """A "<" in the text of the page stays text in the Markdown, where it would begin a tag."""
    code = {inner for outer in content.iter("pre", "code", "math") for inner in outer.iter()}
    for element in content.iter():
        if (text := element.text) and "<" in text and element not in code:
            element.text = _TAG_START.sub(_LITERAL_LESS, text)
        if (tail := element.tail) and "<" in tail and element.getparent() not in code:
            element.tail = _TAG_START.sub(_LITERAL_LESS, tail)
