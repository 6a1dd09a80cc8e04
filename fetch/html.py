"""HTML to its main content as Markdown, with what the page says of itself: the entry, and the order of the steps."""

import msgspec

from .html_content import main_content
from .html_markdown import base_of, literal, markdown
from .html_meta import metadata
from .html_prescan import MAX_CHARS, plain_text, title_of
from .html_tree import parse


class Article(msgspec.Struct, frozen=True):
    """The main content of a page, as Markdown, and its metadata where the page states it."""

    markdown: str
    title: str | None
    language: str | None  # a BCP 47 tag
    author: str | None
    date: str | None  # YYYY-MM-DD, of publication


def extract(html: str, url: str, *, images: bool = True) -> Article:
    """Extract the main content of the page `html` at `url`.

    Links are absolute, and without `images` images are left out. A page whose shape would make parsing slow (see
    `html_prescan`) is given as the plain text of all of it. Pure; takes time and memory in proportion to the page,
    of which `MAX_CHARS` characters are read.
    """
    html = html[:MAX_CHARS].replace("\0", "")
    document = parse(html)
    if document is None:
        return Article(literal(plain_text(html)), title_of(html), None, None, None)
    about = metadata(document)
    content = main_content(document, about.title or "", about.kinds, url)
    text = markdown(content, base_of(document, url), images=images)
    return Article(text, about.title, about.language, about.author, about.date)
