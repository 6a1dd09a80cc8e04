"""EPUB books (EPUB 3, W3C) to Markdown: the chapters in reading order."""

import posixpath
from urllib.parse import unquote

from .charset import decode
from .container import Container
from .html import Article
from .html_markdown import markdown
from .html_tree import parse
from .refusal import Refusal
from .xmltree import legible, name_of

MAX_CHAPTERS = 2_000


def read_epub(body: bytes) -> Article:
    """The chapters of a book, `MAX_CHAPTERS` at most.

    Raises Refusal when it cannot be opened or has no list of its chapters.
    """
    with Container(body) as container:
        roots = container.xml("META-INF/container.xml").iter("{*}rootfile")
        path = next((root.get("full-path", "") for root in roots), "")
        package = container.xml(path)
        files = {item.get("id", ""): item.get("href", "") for item in package.iter("{*}item")}
        chapters = [files.get(item.get("idref", ""), "") for item in package.iter("{*}itemref")][:MAX_CHAPTERS]
        if not chapters:
            raise Refusal("decode: the book does not list its chapters", "there may be an undamaged copy elsewhere")
        folder = posixpath.dirname(path)
        paths = [posixpath.normpath(posixpath.join(folder, unquote(chapter))) for chapter in chapters]
        texts = [_chapter(container.read(each)) for each in paths]
    about = {name_of(each): (each.text or "").strip() for each in package.iterfind("{*}metadata/*")}
    return Article(
        "\n\n".join(text for text in texts if text),
        about.get("title") or None,
        about.get("language") or None,
        about.get("creator") or None,
        about.get("date", "")[:10] or None,
    )


def _chapter(source: bytes) -> str:
    """A chapter as Markdown; a link within the book, which leads nowhere outside of it, gives its text only."""
    document = parse(legible(decode(source).text))
    body = None if document is None else document.find("body")
    if body is None:
        return ""
    for link in body.iter("a"):
        if "://" not in link.get("href", ""):
            link.attrib.pop("href", None)
    return markdown(body, "", images=False)
