"""One request and its response over an open connection, bounded in bytes and time, its content codings undone."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress

import msgspec
import trio

from .decode import Decoder
from .faults import Fault, TimeoutFault, TooLargeFault
from .guard import CheckedUrl
from .head import Head
from .pool import Connection
from .trail import HopNotes

# What a response may weigh beyond its body, in chunk sizes, trailers and frames: so much, and a multiple of the body.
# An origin that sends small chunks is within it; one that sends nothing but framing is soon beyond it.
_FRAMING_BYTES = 262_144
_FRAMING_RATIO = 8
_ERROR_BODY_BYTES = 65_536  # read of the body of an error or a redirect: enough to tell a bot wall by, and in most
_ERROR_BODY_S = 2.0  # cases all of it, so that the connection can serve again


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """What one response may cost."""

    max_header_bytes: int
    max_body_bytes: int
    headers_timeout_s: float
    body_timeout_s: float


class Response(Head, frozen=True):
    """A response, complete. `body` is unpacked; that of an error or a redirect may be cut, or empty where unsound."""

    url: CheckedUrl
    body: bytes


async def receive(
    connection: Connection, url: CheckedUrl, headers: Sequence[tuple[str, str]], limits: Limits, notes: HopNotes
) -> Response:
    """GET `url` over `connection`, which is marked reusable when it can serve again.

    Raises `TimeoutFault` ("headers", "body"), `TooLargeFault`, `DecodeFault`, `ProtocolFault`, and `BrokenFault` when
    the connection ends early. `notes` learn status and size. Cancelling leaves the connection unfit: close it.
    """
    connection.wire.allow(limits.max_header_bytes, "what comes before the body")
    with _stage("headers", limits.headers_timeout_s):
        head = await connection.http.ask(url, headers)
    notes.status = head.status
    body = bytearray()
    if head.is_success:
        await _read_body(connection, head, limits, body, notes)
    else:
        less = msgspec.structs.replace(limits, max_body_bytes=min(_ERROR_BODY_BYTES, limits.max_body_bytes))
        patience_s = min(_ERROR_BODY_S, limits.body_timeout_s)
        with trio.move_on_after(patience_s), suppress(Fault):  # the status is the news, the body a bonus
            await _read_body(connection, head, less, body, notes)
    return Response(head.status, head.headers, url, bytes(body))


async def _read_body(connection: Connection, head: Head, limits: Limits, body: bytearray, notes: HopNotes) -> None:
    """Add the unpacked body to `body`; at its end, the connection may serve again."""
    max_bytes = limits.max_body_bytes
    decoder = Decoder(head.header("content-encoding"), max_bytes)
    length = head.header("content-length")
    if length.isdecimal() and int(length[:19]) > max_bytes:
        raise TooLargeFault("the body", max_bytes)
    connection.wire.allow(_FRAMING_BYTES, "the framing of the body")
    while True:
        with _stage("body", limits.body_timeout_s):
            data = await connection.http.data()
        if not data:
            break
        connection.wire.allow_more((1 + _FRAMING_RATIO) * len(data))
        notes.nbytes += len(data)
        if notes.nbytes > max_bytes:
            raise TooLargeFault("the body", max_bytes)
        for piece in decoder.feed(data):
            body += piece
            await trio.lowlevel.checkpoint()  # unpacking is work: the others have their turn between pieces
    connection.reusable = connection.http.renew()
    decoder.finish()


@contextmanager
def _stage(name: str, timeout_s: float) -> Iterator[None]:
    """Bound what is within, with a `TimeoutFault` of that name."""
    with trio.move_on_after(timeout_s) as scope:
        yield
    if scope.cancelled_caught:
        raise TimeoutFault(name, timeout_s)
