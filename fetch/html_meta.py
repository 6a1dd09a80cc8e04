"""Title, language, author and date of a parsed page, from what the page says of itself."""

import re
from collections.abc import Iterator
from datetime import datetime
from email.utils import parsedate_to_datetime
from typing import Any

import msgspec

from .html_tree import Element, text_of

_MAX_JSON_LD_CHARS = 500_000
_MAX_JSON_LD_NODES = 2_000
_MAX_FIELD_CHARS = 500

_TITLES = ("og:title", "twitter:title", "dc.title", "dcterms.title", "citation_title")
_AUTHORS = ("author", "article:author", "dc.creator", "dcterms.creator", "citation_author", "parsely-author")
_DATES = (
    "article:published_time",
    "og:published_time",
    "datepublished",
    "citation_publication_date",
    "citation_date",
    "dc.date.issued",
    "dcterms.issued",
    "dc.date",
    "dcterms.date",
    "dcterms.created",
    "parsely-pub-date",
    "pubdate",
    "publishdate",
    "date",
)
_REPLIES = frozenset(("Review", "UserReview", "CriticReview", "Comment", "Answer"))  # whose author is not the page's
_LANGUAGE = re.compile(r"[a-zA-Z]{2,3}(?:[-_][a-zA-Z0-9]{2,8})*")
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")


class Metadata(msgspec.Struct, frozen=True):
    """What a page says of itself. `kinds` are its schema.org and Open Graph types, lower-cased."""

    title: str | None
    language: str | None  # a BCP 47 tag, as the page writes it
    author: str | None
    date: str | None  # YYYY-MM-DD, of publication
    kinds: frozenset[str]


def metadata(document: Element) -> Metadata:
    """Read the metadata of a parsed page: JSON-LD first, then Open Graph and other meta elements, then the markup."""
    meta = _meta(document)
    nodes = list(_json_ld(document))
    kinds = {kind.lower() for node in nodes for kind in _strings(node.get("@type"))}
    if "og:type" in meta:
        kinds.add("og:" + meta["og:type"].lower())
    heading = next((h for h in document.iter("h1") if _text(h)), None)
    title_element = document.find(".//title")
    return Metadata(
        title=_first(meta, _TITLES)
        or (_text(title_element) if title_element is not None else None)
        or (_text(heading) if heading is not None else None),
        language=_language(document, meta),
        author=_author(document, meta, nodes),
        date=_date(document, meta, nodes),
        kinds=frozenset(kinds),
    )


def _meta(document: Element) -> dict[str, str]:
    found: dict[str, str] = {}
    for element in document.iter("meta"):
        name = element.get("property") or element.get("name") or element.get("itemprop") or element.get("http-equiv")
        content = " ".join((element.get("content") or "")[:_MAX_FIELD_CHARS].split())
        if name and content:
            found.setdefault(name.strip().lower(), content)
    return found


def _json_ld(document: Element) -> Iterator[dict[str, Any]]:
    """Every object in the page's JSON-LD, outer before inner; blocks that are not JSON are passed over."""
    pending: list[Any] = []
    for script in document.iter("script"):
        if "ld+json" in (script.get("type") or "") and script.text and len(script.text) <= _MAX_JSON_LD_CHARS:
            try:
                pending.append(msgspec.json.decode(script.text.strip().rstrip(";")))
            except (msgspec.DecodeError, RecursionError):
                continue
    for _ in range(_MAX_JSON_LD_NODES):
        if not pending:
            return
        node = pending.pop(0)
        if isinstance(node, list):
            pending.extend(node)
        elif isinstance(node, dict):
            yield node
            pending.extend(value for value in node.values() if isinstance(value, dict | list))


def _strings(value: object) -> list[str]:
    """The names in a JSON-LD value: a string, an object with a name, or a list of them."""
    match value:
        case str():
            return [value]
        case {"name": str(name)}:
            return [name]
        case list():
            return [name for item in value[:20] if isinstance(item, str | dict) for name in _strings(item)]
        case _:
            return []


def _first(meta: dict[str, str], names: tuple[str, ...]) -> str | None:
    return next((meta[name] for name in names if name in meta), None)


def _text(element: Element) -> str:
    return " ".join(text_of(element).split())[:_MAX_FIELD_CHARS]


def _language(document: Element, meta: dict[str, str]) -> str | None:
    root = document.getroottree().getroot()
    candidates = (
        root.get("lang"),
        root.get("{http://www.w3.org/XML/1998/namespace}lang") or root.get("xml:lang"),
        meta.get("content-language"),
        meta.get("dc.language"),
        meta.get("og:locale"),
    )
    for candidate in candidates:
        if candidate and _LANGUAGE.fullmatch(candidate.strip()):
            return candidate.strip().replace("_", "-")
    return None


def _author(document: Element, meta: dict[str, str], nodes: list[dict[str, Any]]) -> str | None:
    for node in nodes:
        if not _REPLIES.intersection(_strings(node.get("@type"))) and (names := _strings(node.get("author"))):
            return _names(names)
    if (name := _first(meta, _AUTHORS)) and "://" not in name:
        return name
    marked = document.xpath("(//*[@itemprop='author' or contains(@rel, 'author')])[position() < 4]")
    names = [text for element in marked if 1 < len(text := _text(element)) < 80]
    return _names(names[:1]) if names else None


def _names(names: list[str]) -> str | None:
    return ", ".join(dict.fromkeys(" ".join(name.split()) for name in names if "://" not in name)) or None


def _date(document: Element, meta: dict[str, str], nodes: list[dict[str, Any]]) -> str | None:
    return next(
        (day for value in _dates(document, meta, nodes) if isinstance(value, str) and (day := _day(value))), None
    )


def _dates(document: Element, meta: dict[str, str], nodes: list[dict[str, Any]]) -> Iterator[object]:
    """What the page states as dates of publication, the surest first."""
    yield from (node.get(key) for key in ("datePublished", "uploadDate", "dateCreated") for node in nodes)
    yield from (meta.get(name) for name in _DATES)
    for element in document.xpath("(//*[@itemprop='datePublished'])[position() < 4]"):
        yield element.get("datetime") or element.get("content") or text_of(element)
    for element in document.iter("time"):
        if "pubdate" in element.attrib or next(element.iterancestors("article"), None) is not None:
            yield element.get("datetime")


def _day(value: str) -> str | None:
    """The calendar day in an ISO 8601 or RFC 5322 date, as the page's author wrote it, or None."""
    value = value.strip()
    try:
        if match := _DAY.match(value):
            return datetime.fromisoformat(match[0]).date().isoformat()
        return parsedate_to_datetime(value).date().isoformat()
    except (ValueError, TypeError, OverflowError):
        return None
