"""Which part of a parsed page is its main content."""

import re

from lxml.html import HtmlElement

_ASIDE_TAGS = frozenset(("nav", "footer", "aside", "form", "button", "select", "dialog", "script", "style", "svg"))
_ASIDE_ROLES = frozenset(("navigation", "contentinfo", "complementary", "search", "banner", "dialog", "alert"))
_ASIDE_NAMES = re.compile(
    r"(?:^|[\s_-])(?:nav|navbar|navigation|menu|sidebar|footer|breadcrumbs?|cookie|consent|share|sharing|social"
    r"|related|newsletter|subscribe|popup|modal|advert(?:isement)?|promo|skip-link|pagination|toolbar)(?:$|[\s_-])",
    re.IGNORECASE,
)
_MIN_CHARS = 200


def main_content(document: HtmlElement) -> HtmlElement:
    """The element of `document` that holds its main content, without navigation and the like. Changes `document`."""
    body = document.find("body")
    if body is None:
        return document
    for element in list(body.iterdescendants()):
        if element.getparent() is not None and _aside(element):
            element.drop_tree()
    for candidate in (*body.xpath(".//main | .//*[@role='main']"), *body.xpath("(.//article)[count(//article)=1]")):
        if len(candidate.text_content().split()) * 5 >= _MIN_CHARS:
            return candidate
    return body


def _aside(element: HtmlElement) -> bool:
    return (
        element.tag in _ASIDE_TAGS
        or element.get("role") in _ASIDE_ROLES
        or element.get("hidden") is not None
        or bool(_ASIDE_NAMES.search(f"{element.get('class', '')} {element.get('id', '')}"))
    )
