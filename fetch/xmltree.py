"""XML to a tree, as far as it can be read: nothing is fetched for it, and no entity expanded."""

import re

from lxml import etree


def parse_xml(source: str) -> etree._Element | None:
    """The root of `source`; what is broken is left out, None when nothing can be read."""
    parser = etree.XMLParser(recover=True, resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False)
    try:
        root: etree._Element | None = etree.fromstring(legible(_DECLARATION.sub("", source)).encode(), parser)
    except etree.XMLSyntaxError:
        return None
    return root


def legible(source: str) -> str:
    """`source` without the characters that no XML or HTML may hold; references to them become U+FFFD.

    A parser that mends what it reads lets them through; the tree then cannot be read, or not be written to.
    """
    return _REFERENCE.sub(_if_allowed, _FORBIDDEN.sub("", source))


_DECLARATION = re.compile(r"\A\s*<\?xml[^>]*\?>\s*")  # it names the encoding that the text was in
_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_REFERENCE = re.compile(r"&#(?:[xX]0*([0-9a-fA-F]{1,6})|0*([0-9]{1,7}));?")


def _if_allowed(reference: re.Match[str]) -> str:
    code = int(reference[1], 16) if reference[1] else int(reference[2])
    return "\ufffd" if code > 0x10FFFF or _FORBIDDEN.match(chr(code)) else reference[0]  # "" might make a new one


def name_of(element: etree._Element) -> str:
    """An element's name without its namespace; "" for a comment or processing instruction."""
    tag = element.tag
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""


def attribute(element: etree._Element, name: str) -> str:
    """The value of the first attribute of that name, whatever its namespace; "" for none."""
    return next((value for key, value in element.attrib.items() if key.rpartition("}")[2] == name), "")
