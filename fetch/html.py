"""HTML to its main content as Markdown, with what the page says of itself: the entry, and the order of the steps."""

import msgspec
from lxml import etree
from lxml import html as lxml_html

from .html_content import main_content
from .html_markdown import base_of, markdown
from .html_meta import metadata
from .html_prescan import MAX_CHARS, plain_text, shape, title_of


class Article(msgspec.Struct, frozen=True):
    """The main content of a page, as Markdown, and its metadata where the page states it."""

    markdown: str
    title: str | None
    language: str | None  # a BCP 47 tag
    author: str | None
    date: str | None  # YYYY-MM-DD, of publication


_DEPTH_ERROR = "Excessive depth"


def extract(html: str, url: str, *, images: bool = True) -> Article:
    """Extract the main content of the page `html` at `url`.

    Links are absolute, and without `images` images are left out. A page whose shape would make parsing slow (see
    `html_prescan`) is given as the plain text of all of it. Pure; takes time and memory in proportion to the page,
    of which `MAX_CHARS` characters are read.
    """
    html = html[:MAX_CHARS].replace("\0", "")
    document = parse(html)
    if document is None:
        return Article(plain_text(html), title_of(html), None, None, None)
    about = metadata(document)
    content = main_content(document, about.title or "", about.kinds, url)
    text = markdown(content, base_of(document, url), images=images)
    return Article(text, about.title, about.language, about.author, about.date)


def parse(html: str) -> lxml_html.HtmlElement | None:
    """The tree of a page, without comments; None when its shape forbids parsing it, or there is nothing to parse."""
    if not shape(html).tame:
        return None
    parser = lxml_html.HTMLParser(encoding="utf-8", remove_comments=True, remove_pis=True)
    try:
        document = lxml_html.document_fromstring(html.encode("utf-8", "replace"), parser=parser)
    except etree.ParserError:  # there is no element and no text in it
        return None
    # At a depth of 256 libxml2 gives up on the page, and on what follows.
    return None if any(_DEPTH_ERROR in error.message for error in parser.error_log) else document
