"""One request and its response over an open connection, bounded in bytes and time, its content codings undone."""

from collections.abc import Iterator, Sequence
from contextlib import aclosing, contextmanager, suppress

import h2.events
import h2.exceptions
import httpcore2
import msgspec
import trio

from .decode import Decoder
from .faults import BrokenFault, Fault, ProtocolFault, TimeoutFault, TooLargeFault
from .guard import CheckedUrl
from .pool import Connection
from .trail import HopNotes

_WIRE_SLACK_BYTES = 1_048_576  # framing around a body, beside as much again as the body itself
_ERROR_BODY_BYTES = 65_536  # of the body of an error or a redirect: enough to tell a bot wall, and to reuse
_ERROR_BODY_S = 2.0  # the connection in most cases


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """What one response may cost."""

    max_header_bytes: int
    max_body_bytes: int
    headers_timeout_s: float
    body_timeout_s: float


class Response(msgspec.Struct, frozen=True, kw_only=True):
    """A response, complete. `body` is unpacked; that of an error or a redirect may be cut, or empty where unsound."""

    url: CheckedUrl
    status: int
    headers: tuple[tuple[str, str], ...]  # names in lower case, in order
    body: bytes = b""

    def header(self, name: str) -> str:
        """The value of a header, several of a name joined by commas, "" when there is none."""
        return ", ".join(value for each, value in self.headers if each == name)

    @property
    def is_success(self) -> bool:
        """Whether the status says that the body is what was asked for."""
        return 200 <= self.status < 300


async def receive(
    connection: Connection, url: CheckedUrl, headers: Sequence[tuple[str, str]], limits: Limits, notes: HopNotes
) -> Response:
    """GET `url` over `connection`, which is marked complete when it can serve again.

    Raises `TimeoutFault` ("headers", "body"), `TooLargeFault`, `DecodeFault`, `ProtocolFault`, and `BrokenFault` when
    the connection ends early. `notes` learn status and size. Cancelling leaves the connection unfit: close it.
    """
    request = httpcore2.Request(
        "GET",
        httpcore2.URL(scheme=url.scheme, host=url.host, port=url.port, target=url.path),
        headers=[("Host", url.authority), *headers],
    )
    connection.wire.allow(limits.max_header_bytes, "what comes before the body is")
    with _named_faults(connection), _stage("headers", limits.headers_timeout_s):
        answer = await connection.http.handle_async_request(request)
    notes.status = answer.status
    response = Response(
        url=url,
        status=answer.status,
        headers=tuple((name.decode("latin-1").lower(), _text(value)) for name, value in answer.headers),
    )
    body = bytearray()
    if response.is_success:
        await _read_body(connection, answer, response, limits, body, notes)
    else:
        less = msgspec.structs.replace(limits, max_body_bytes=min(_ERROR_BODY_BYTES, limits.max_body_bytes))
        with trio.move_on_after(_ERROR_BODY_S), suppress(Fault):  # the status is the news, the body a bonus
            await _read_body(connection, answer, response, less, body, notes)
    return msgspec.structs.replace(response, body=bytes(body))


async def _read_body(
    connection: Connection,
    answer: httpcore2.Response,
    response: Response,
    limits: Limits,
    body: bytearray,
    notes: HopNotes,
) -> None:
    """Add the unpacked body to `body`, and mark the connection complete."""
    max_bytes = limits.max_body_bytes
    decoder = Decoder(response.header("content-encoding"), max_bytes)
    length = response.header("content-length")
    if length.isdecimal() and int(length[:19]) > max_bytes:
        raise TooLargeFault("the body is", max_bytes)
    connection.wire.allow(2 * max_bytes + _WIRE_SLACK_BYTES, "the response is")
    with _named_faults(connection):
        async with aclosing(answer.aiter_stream()) as chunks:
            while True:
                with _stage("body", limits.body_timeout_s):
                    chunk = await anext(chunks, None)
                if chunk is None:
                    break
                notes.nbytes += len(chunk)
                if notes.nbytes > max_bytes:
                    raise TooLargeFault("the body is", max_bytes)
                for piece in decoder.feed(chunk):
                    body += piece
                    await trio.lowlevel.checkpoint()  # unpacking is work: the others have their turn between pieces
        await answer.aclose()
    decoder.finish()
    connection.complete = True


def _text(value: bytes) -> str:
    """A header's value: ISO 8859-1 by the old standard, UTF-8 in practice where it is valid."""
    try:
        return value.decode()
    except UnicodeDecodeError:
        return value.decode("latin-1")


@contextmanager
def _stage(name: str, timeout_s: float) -> Iterator[None]:
    """Bound what is within, with a `TimeoutFault` of that name."""
    with trio.move_on_after(timeout_s) as scope:
        yield
    if scope.cancelled_caught:
        raise TimeoutFault(name, timeout_s)


@contextmanager
def _named_faults(connection: Connection) -> Iterator[None]:
    """Translate what the HTTP library raises."""
    try:
        yield
    except (httpcore2.ReadError, httpcore2.WriteError, httpcore2.ConnectionNotAvailable) as error:
        raise BrokenFault("the connection was reset") from error
    except (httpcore2.ProtocolError, h2.exceptions.ProtocolError, ValueError) as error:
        # A ValueError is the HTTP/2 code's own on a status that is no number.
        if connection.wire.ended:
            raise BrokenFault("the connection was closed before the response was complete") from error
        if error.args and isinstance(error.args[0], h2.events.StreamReset | h2.events.ConnectionTerminated):
            raise BrokenFault("the origin reset the stream") from error
        raise ProtocolFault("the response is not valid HTTP") from error
