"""Archived copies by the Memento protocol (RFC 7089): when to ask for one, what to ask, what to make of the answer.

Pure. An archive of the Wayback kind gives a capture as it was crawled, without its own banner and rewritten links,
when `id_` follows the capture's time in its URL.
"""

import re
from datetime import UTC
from email.utils import parsedate_to_datetime

import msgspec

from .faults import Fault, StatusFault
from .head import Head
from .html_prescan import title_of
from .receive import Response
from .walls import BOT_WALL, warnings_of

_CAPTURE = re.compile(r"(?P<before>/)(?P<time>\d{14})(?P<raw>id_)?(?P<between>/)(?P<original>https?:/.*)", re.DOTALL)
_WALL_STATUSES = frozenset({401, 403, 405, 429, 503})
_RECOVERABLE_STATUSES = frozenset({404, 410, 451})


class Memento(msgspec.Struct, frozen=True):
    """An archived copy: where it is, when it was captured (RFC 3339, UTC), and of which URL."""

    url: str
    date: str
    original: str


def is_recoverable(fault: Fault) -> bool:
    """Whether an archived copy may answer for a target that failed with `fault`."""
    if isinstance(fault, StatusFault):
        return fault.status in _RECOVERABLE_STATUSES or fault.status >= 500 or fault.is_bot_wall
    return fault.recoverable


def advice(fault: Fault, *, asked: bool, timegate: str) -> str:
    """What the hint of `fault` goes on to say of archived copies, "" for nothing.

    `asked` is whether the target wanted one, which was then not found; `timegate` is that of the settings.
    """
    if not is_recoverable(fault) or not (asked or timegate):
        return ""
    if not asked:
        return "; set recover to try an archived copy"
    return "; no archived copy was found" if timegate else "; recover is switched off on this service"


def is_bot_wall(response: Response) -> bool:
    """Whether an answer that refuses a page is a bot wall's."""
    if response.status not in _WALL_STATUSES:
        return False
    if response.header("cf-mitigated").lower() == "challenge":
        return True
    html = response.body.decode(errors="replace")
    return BOT_WALL in warnings_of(html, title_of(html), "")


def timegate_url(timegate: str, href: str) -> str:
    """Where to ask for the copies of `href`. Without an Accept-Datetime the answer is the latest (section 4.1)."""
    return timegate + href


def raw_capture_url(url: str) -> str:
    """The URL of a capture as it was crawled, if `url` is one of a capture of the Wayback kind; else `url`."""
    return _CAPTURE.sub(r"\g<before>\g<time>id_\g<between>\g<original>", url, count=1)


def memento_of(head: Head, url: str, href: str) -> Memento | None:
    """The archived copy of `href` that the response at `url` says it is (section 2.1.1), None if it does not."""
    capture = _CAPTURE.search(url)
    try:
        captured_at = parsedate_to_datetime(head.header("memento-datetime"))
    except (ValueError, OverflowError):
        return None
    date = captured_at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    return Memento(url, date, capture["original"] if capture else href)
