"""RSS and Atom to a Markdown list of their entries. Pure; runs in a worker, with the parser's own limits on.

Reads RSS 2.0 and 1.0 (the RSS Advisory Board's specifications) and Atom (RFC 4287), by local names, since feeds in
the wild mix their namespaces.
"""

import html
import re
from collections.abc import Iterator
from itertools import chain, islice
from typing import NamedTuple
from urllib.parse import urljoin

from lxml import etree

from .xmltree import name_of, parse_xml

MAX_ENTRIES = 2_000
MAX_SUMMARY_CHARS = 500


class Feed(NamedTuple):
    """A feed as Markdown, and what it says of itself; `whole` unless it has more than `MAX_ENTRIES`."""

    markdown: str
    title: str | None
    language: str | None
    author: str | None
    date: str | None
    whole: bool = True


def read_feed(text: str, url: str) -> Feed:
    """The entries of the feed `text` at `url`: title, link, date and the beginning of the summary of each.

    A broken feed gives what can be read of it; `markdown` is "" when that is nothing.
    """
    root = parse_xml(text)
    if root is None:
        return Feed("", None, None, None, None)
    channel = next((child for child in root if name_of(child) == "channel"), root)
    title = _text(channel, "title")
    out = [f"# {title}"] if title else []
    about = _text(channel, "description", "subtitle")
    if about:
        out.append(_shorten(about))
    # RSS 1.0 keeps its items beside the channel.
    entries = chain(_named(channel, "item", "entry"), _named(root, "item") if channel is not root else ())
    out.extend(_entry(entry, url) for entry in islice(entries, MAX_ENTRIES))
    return Feed(
        "\n\n".join(out),
        title or None,
        channel.get(_XML_LANG) or root.get(_XML_LANG) or _text(channel, "language") or None,
        _author(channel),
        _text(channel, "updated", "lastBuildDate", "pubDate", "date") or None,
        whole=next(entries, None) is None,
    )


_XML_LANG = "{http://www.w3.org/XML/1998/namespace}lang"
_TAG = re.compile(r"<[^>]*>")
_SPACE = re.compile(r"\s+")
_MARKUP = re.compile(r"([\\\[\]])")
_ESCAPED = r"\\\1"
_SCRIPT = ("javascript:", "data:", "vbscript:")


def _entry(entry: etree._Element, url: str) -> str:
    title = _text(entry, "title") or "(untitled)"
    link = urljoin(url, _link(entry)) if _link(entry) else ""
    named = f"[{_MARKUP.sub(_ESCAPED, title)}]({link.replace(' ', '%20').replace(')', '%29')})" if link else title
    date = _text(entry, "published", "updated", "pubDate", "date")
    summary = _text(entry, "summary", "description", "encoded", "content")
    line = f"- {named} — {date}" if date else f"- {named}"
    return f"{line}\n  {_shorten(summary)}" if summary and summary != title else line


def _link(entry: etree._Element) -> str:
    """Atom's alternate link, RSS's link; never a script."""
    for link in _named(entry, "link"):
        href = link.get("href") or (link.text or "").strip()
        if (
            href
            and link.get("rel", "alternate") == "alternate"
            and not href.lower().startswith(("javascript:", "data:"))
        ):
            return str(href)
    return ""


def _author(channel: etree._Element) -> str | None:
    for author in _named(channel, "author", "creator", "managingEditor"):
        return _text(author, "name") or _plain(author) or None
    return None


def _text(parent: etree._Element, *names: str) -> str:
    """The text of the first child, by the order of `names`, that has any."""
    for name in names:
        for child in _named(parent, name):
            if text := _plain(child):
                return text
    return ""


def _plain(element: etree._Element) -> str:
    """An element's text on one line. What it holds is often HTML, escaped or not."""
    text = " ".join(element.itertext())
    return _SPACE.sub(" ", html.unescape(_TAG.sub(" ", text))).strip()


def _shorten(text: str) -> str:
    return text if len(text) <= MAX_SUMMARY_CHARS else text[:MAX_SUMMARY_CHARS].rsplit(" ", 1)[0] + " …"


def _named(parent: etree._Element, *names: str) -> Iterator[etree._Element]:
    return (child for child in parent if name_of(child) in names)
