"""A page's tree: parsing it, and the few edits that lxml leaves to its callers."""

from typing import TypeAlias

from lxml import etree

from .html_prescan import shape

Element: TypeAlias = etree._Element  # not lxml.html's, whose look-up of classes costs a call of Python a node

_SWEPT = "swept"
_DEPTH_ERROR = "Excessive depth"


def parse(html: str) -> Element | None:
    """The tree of a page, without comments; None when its shape forbids parsing it, or there is nothing to parse."""
    if not shape(html).tame:
        return None
    parser = etree.HTMLParser(encoding="utf-8", remove_comments=True, remove_pis=True)
    try:
        document = etree.fromstring(html.encode("utf-8", "replace"), parser)
    except etree.XMLSyntaxError:  # there is no element and no text in it
        return None
    # At a depth of 256 libxml2 gives up on the page, and on what follows.
    return None if any(_DEPTH_ERROR in error.message for error in parser.error_log) else document


def text_of(element: Element) -> str:
    """All text in `element`."""
    return "".join(element.itertext())


def drop(element: Element) -> None:
    """Take `element` out of its tree at the next `sweep`; what is in it is gone at once."""
    replace(element, "")


def replace(element: Element, text: str) -> None:
    """Put `text` in the place of `element` at the next `sweep`; what is in it is gone at once."""
    element.clear(keep_tail=True)
    element.text = text
    element.tag = _SWEPT


def unwrap(element: Element) -> None:
    """Put what is in `element` in its place at the next `sweep`."""
    element.tag = _SWEPT


def sweep(root: Element) -> None:
    """Carry out the edits below `root`: all in one pass, as joining the text around each anew would be quadratic."""
    etree.strip_tags(root, _SWEPT)
