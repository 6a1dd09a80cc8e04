"""What can go wrong on the way to a page, each fault with its words for the caller. No behaviour beyond words.

A fault says what failed (`error`), what the caller can do about it (`hint`), whether the same request may be sent
again (`retryable`), and whether an archived copy would answer the caller's question (`recoverable`); what the hint
says of that, `recover.advice` adds.
"""

from collections.abc import Mapping
from typing import ClassVar, Final, Literal

Part = Literal["what comes before the body", "the framing of the body", "the body", "the unpacked body"]

_LIMITS: Final[Mapping[Part, str]] = {
    "what comes before the body": "the operator's limit is fetch.max_header_bytes",
    "the framing of the body": "the origin sends little but framing",
    "the body": "the operator's limit is fetch.max_body_bytes",
    "the unpacked body": "the operator's limit is fetch.max_body_bytes",
}


class Fault(Exception):
    """An expected fault of one fetch. It becomes a `target.Failed`; it never leaves a fetcher as an exception."""

    hint: str
    retryable: ClassVar[bool] = False
    recoverable: ClassVar[bool] = False

    def __init__(self, error: str, hint: str) -> None:
        super().__init__(error)
        self.error = error
        self.hint = hint


class DnsFault(Fault):
    """The host has no address, or its name servers do not say in time."""

    recoverable = True

    def __init__(self, reason: str) -> None:
        super().__init__(f"dns: {reason}", "check the spelling of the host name, or try again later")


class BlockedFault(Fault):
    """The guard refuses the URL, a redirect's URL, or what a name resolves to at the moment of dialling."""

    def __init__(
        self, reason: str, hint: str = "only the public web is fetched, and what the operator's guard.allow names"
    ) -> None:
        super().__init__(f"blocked: {reason}", hint)
        self.reason = reason


class MalformedFault(BlockedFault):
    """The URL is none, wherever it may lead."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason, "correct the URL: http:// or https://, a host, and whatever follows")


class ConnectFault(Fault):
    """No connection could be made."""

    recoverable = True

    def __init__(self, reason: str) -> None:
        super().__init__(f"connect: {reason}", "the host does not accept connections on this port; check the URL")


class BrokenFault(Fault):
    """A connection ended, or stopped making sense, before the response was complete."""

    retryable = True
    recoverable = True

    def __init__(self, reason: str) -> None:
        super().__init__(f"connect: {reason}", "the origin cut the response short; try again later")


class ProtocolFault(Fault):
    """The origin does not speak HTTP as the standards have it."""

    recoverable = True

    def __init__(self, reason: str) -> None:
        super().__init__(f"connect: {reason}", "the origin's answer is not valid HTTP; check the scheme and the port")


class TlsFault(Fault):
    """No trusted TLS session could be set up. `reason` names the certificate's fault, unless a subclass says else."""

    recoverable = True

    def __init__(
        self, reason: str, hint: str = "the origin cannot prove who it is; its operator has to mend that"
    ) -> None:
        super().__init__(f"tls: {reason}", hint)


class NoTlsFault(TlsFault):
    """The port speaks something else."""

    def __init__(self) -> None:
        super().__init__(
            "the origin does not speak TLS on this port", "use http:// if that is meant, or correct the port"
        )


class HandshakeFault(TlsFault):
    """The two sides found no way to speak TLS."""

    def __init__(self) -> None:
        super().__init__(
            "the handshake failed: no protocol version or cipher in common",
            "the origin may be too old for this service, or want a certificate of its clients",
        )


class TimeoutFault(Fault):
    """A stage took too long: `connect` (with DNS and TLS), `headers`, `body` (a pause in it) or `total`."""

    retryable = True
    recoverable = True

    def __init__(self, stage: str, timeout_s: float) -> None:
        super().__init__(f"timeout: {stage}", f"the origin needed more than {timeout_s:g} s; try again later")


class StatusFault(Fault):
    """The origin answered with a status that is no success."""

    def __init__(
        self, status: int, *, place: str = "", retry_after_s: float | None = None, is_bot_wall: bool = False
    ) -> None:
        super().__init__(f"http {status}", _status_hint(status, retry_after_s, is_bot_wall=is_bot_wall) + place)
        self.status = status
        self.is_bot_wall = is_bot_wall


class RedirectFault(Fault):
    """A chain of redirects that leads nowhere."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"redirect: {reason}", "the origin redirects without end, perhaps for want of a cookie")


class TooLargeFault(Fault):
    """A part of the response is larger than it may be."""

    def __init__(self, part: Part, max_bytes: int) -> None:
        super().__init__(f"too large: {part} is over {max_bytes} bytes", f"ask for another URL; {_LIMITS[part]}")


class DecodeFault(Fault):
    """The body's content codings cannot be undone."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"decode: {reason}", "the origin sends a body that does not match its Content-Encoding")


class RobotsFault(Fault):
    """The site's robots.txt forbids the URL, and the settings say to obey it."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"robots: {reason}", "this service obeys robots.txt; the operator's setting is fetch.robots")


def _status_hint(status: int, retry_after_s: float | None, *, is_bot_wall: bool) -> str:
    if retry_after_s is not None:
        return f"the origin asks to wait {retry_after_s:g} s before the next request"
    if is_bot_wall:
        return "the origin shows a bot wall, which only a browser may pass"
    match status:
        case 401 | 407:
            return "the origin wants credentials, which are not sent"
        case 403:
            return "the origin refuses this service; the page may need a login or a browser"
        case 404 | 410:
            return "there is no such page; check the URL"
        case 429:
            return "the origin limits requests; try again later"
        case 451:
            return "the page is withheld for legal reasons"
        case _ if 400 <= status < 500:
            return "the origin refuses the request; check the URL"
        case _ if status >= 500:
            return "the origin has a fault of its own; try again later"
        case _:
            return "the origin answered without a page"
