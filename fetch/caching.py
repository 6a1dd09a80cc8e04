"""What may be kept of a response and when it is given again (RFC 9111): pure decisions, and the cache's interface.

The cache serves many callers. What an origin marks private is kept for the caller it was fetched for alone, and what
was fetched for a fleet caller, who may reach more, is never given to a restricted one. No freshness is guessed: an
answer without an explicit lifetime is asked for again, with its validators.
"""

import hashlib
import re
from collections import OrderedDict
from email.utils import parsedate_to_datetime
from typing import Protocol

import msgspec

from .head import Head
from .target import Caller

_KEPT_STATUSES = frozenset({200, 203, 301, 308})
_DIRECTIVE = re.compile(r"([a-z-]+)\s*(?:=\s*(?:\"([^\"]*)\"|([^\s,\"]*)))?", re.IGNORECASE)
_NOT_RENEWED = frozenset({"content-encoding", "content-length", "content-range", "content-type", "transfer-encoding"})


class ContentCache(Protocol):
    """Keeps responses by key. Synchronous and quick; its size is its own to bound, the longest unused going first.

    It never fails a fetch: a cache that cannot keep something forgets it.
    """

    def get(self, key: bytes) -> tuple[bytes, bytes] | None:
        """The head and body that were last put under `key`, both opaque, or None."""
        ...

    def put(self, key: bytes, head: bytes, body: bytes) -> None:
        """Keep `head` and `body` under `key`, in place of what was there."""
        ...


class MemoryCache:
    """A public fake: a `ContentCache` in memory, at most `max_bytes` of heads and bodies."""

    def __init__(self, max_bytes: int = 2**24) -> None:
        self._max_bytes = max_bytes
        self._kept: OrderedDict[bytes, tuple[bytes, bytes]] = OrderedDict()

    def get(self, key: bytes) -> tuple[bytes, bytes] | None:
        """See `ContentCache.get`."""
        if key in self._kept:
            self._kept.move_to_end(key)
        return self._kept.get(key)

    def put(self, key: bytes, head: bytes, body: bytes) -> None:
        """See `ContentCache.put`."""
        self._kept[key] = (head, body)
        self._kept.move_to_end(key)
        while self.size() > self._max_bytes:
            self._kept.popitem(last=False)

    def size(self) -> int:
        """The bytes it holds."""
        return sum(len(head) + len(body) for head, body in self._kept.values())


class Kept(msgspec.Struct, frozen=True):
    """A response as it was received; the times are unix seconds. Its body is kept beside it."""

    head: Head
    asked_at: float
    received_at: float


def cache_key(href: str, caller: Caller, *, is_private: bool) -> bytes:
    """What a response for `caller` is kept under: 32 bytes."""
    owner = caller.name if is_private else ""
    return hashlib.sha256("\0".join((caller.caller_class, owner, href)).encode()).digest()


def encode(kept: Kept) -> bytes:
    """`kept` as a cache keeps it."""
    return msgspec.msgpack.encode(kept)


def decode(data: bytes) -> Kept | None:
    """What `encode` made; None for what another version of this program may have left."""
    try:
        return msgspec.msgpack.decode(data, type=Kept)
    except msgspec.MsgspecError:
        return None


def is_storable(head: Head) -> bool:
    """Whether a response to one of our GETs may be kept, and is worth it (section 3)."""
    directives = _directives(head)
    if head.status not in _KEPT_STATUSES or "no-store" in directives or "*" in head.header("vary"):
        return False
    return bool(validators(head)) or ("no-cache" not in directives and _lifetime_s(head, is_private=True) > 0)


def is_private(head: Head) -> bool:
    """Whether a response may be given only to the caller it was made for. One that sets a cookie is taken to be."""
    return "private" in _directives(head) or any(name == "set-cookie" for name, _ in head.headers)


def is_fresh(kept: Kept, now: float) -> bool:
    """Whether a kept response may be given again at `now` (unix seconds) without asking its origin (section 4.2)."""
    if "no-cache" in _directives(kept.head):
        return False
    return _lifetime_s(kept.head, is_private=is_private(kept.head)) > _age_s(kept, now)


def validators(head: Head) -> tuple[tuple[str, str], ...]:
    """The request headers that ask whether a kept response still holds (section 4.3.1)."""
    pairs = (("If-None-Match", head.header("etag")), ("If-Modified-Since", head.header("last-modified")))
    return tuple((name, value) for name, value in pairs if value and value.isprintable() and value.isascii())


def renewed(kept: Kept, answer: Head, *, asked_at: float, received_at: float) -> Kept:
    """`kept` after its origin confirmed it by the 304 `answer` (section 4.3.4)."""
    news = {name for name, _ in answer.headers} - _NOT_RENEWED
    old = (pair for pair in kept.head.headers if pair[0] not in news)
    new = (pair for pair in answer.headers if pair[0] in news)
    return Kept(Head(kept.head.status, (*old, *new)), asked_at, received_at)


def _directives(head: Head) -> dict[str, str]:
    """The Cache-Control directives, names in lower case; the first of a name counts."""
    found: dict[str, str] = {}
    for name, quoted, plain in _DIRECTIVE.findall(head.header("cache-control")):
        found.setdefault(name.lower(), quoted or plain)
    return found


def _lifetime_s(head: Head, *, is_private: bool) -> float:
    """The explicit freshness lifetime, 0 without one or with one that makes no sense (section 4.2.1)."""
    directives = _directives(head)
    for name in ("max-age",) if is_private else ("s-maxage", "max-age"):
        if name in directives:
            value = directives[name]
            return min(int(value[:10]), 2**31) if value.isdecimal() else 0
    expires, date = _unix_s(head.header("expires")), _unix_s(head.header("date"))
    return 0 if expires is None or date is None else max(0.0, expires - date)


def _age_s(kept: Kept, now: float) -> float:
    """The age of a kept response at `now` (section 4.2.3)."""
    told = kept.head.header("age")
    age_value = int(told[:10]) if told.isdecimal() else 0
    date = _unix_s(kept.head.header("date"))
    apparent = 0.0 if date is None else max(0.0, kept.received_at - date)
    corrected = age_value + (kept.received_at - kept.asked_at)
    return max(apparent, corrected) + max(0.0, now - kept.received_at)


def _unix_s(date: str) -> float | None:
    try:
        return parsedate_to_datetime(date).timestamp()
    except (ValueError, OverflowError):
        return None
