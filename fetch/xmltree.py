"""XML to a tree, as far as it can be read: nothing is fetched for it, and no entity expanded."""

from lxml import etree


def parse_xml(source: bytes) -> etree._Element | None:
    """The root of `source`; what is broken is left out, None when nothing can be read."""
    parser = etree.XMLParser(recover=True, resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False)
    try:
        root: etree._Element | None = etree.fromstring(source, parser)
    except etree.XMLSyntaxError:
        return None
    return root


def name_of(element: etree._Element) -> str:
    """An element's name without its namespace; "" for a comment or processing instruction."""
    tag = element.tag
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""


def attribute(element: etree._Element, name: str) -> str:
    """The value of the first attribute of that name, whatever its namespace; "" for none."""
    return next((value for key, value in element.attrib.items() if key.rpartition("}")[2] == name), "")
