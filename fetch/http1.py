"""HTTP/1.1 over a wire, by h11: one GET after another. Bounds of time and size are the wire's and the caller's."""

from collections.abc import Sequence

import h11
import trio

from .dial import Wire
from .faults import BrokenFault, ProtocolFault
from .guard import CheckedUrl
from .head import Head, header_text

_MAX_EVENT_BYTES = 131_072  # of a header block, a chunk's extension or the trailers, held while incomplete


class Http1:
    """The client's side of one connection."""

    def __init__(self, wire: Wire) -> None:
        self._wire = wire
        self._state = h11.Connection(h11.CLIENT, max_incomplete_event_size=_MAX_EVENT_BYTES)

    async def ask(self, url: CheckedUrl, headers: Sequence[tuple[str, str]]) -> Head:
        """Send a GET and return the head of its response, past interim ones.

        Raises `BrokenFault`, `ProtocolFault`, and what the wire raises.
        """
        request = h11.Request(method="GET", target=url.path, headers=[("Host", url.authority), *headers])
        await self._wire.send((self._state.send(request) or b"") + (self._state.send(h11.EndOfMessage()) or b""))
        while True:
            event = await self._next_event()
            if isinstance(event, h11.Response):
                headers_in = ((name.decode("ascii"), header_text(value)) for name, value in event.headers)
                return Head(event.status_code, tuple(headers_in))
            await trio.lowlevel.checkpoint()  # one read may bring thousands of interim ones: others have their turn

    async def data(self) -> bytes:
        """The next bytes of the body, `b""` at its end. Raises as `ask` does.

        They are all that one read brought, in however many chunks: an origin decides how small those are.
        """
        data = bytearray()
        while self._state.their_state is h11.SEND_BODY:
            event = self._parse()
            if isinstance(event, h11.Data):
                data += event.data
            elif event is h11.NEED_DATA:
                if data:
                    break
                await self._read()
        return bytes(data)

    def renew(self) -> bool:
        """Make ready for the next request, after the end of a body. False when the connection has to be closed.

        It has to when either side says so, and when the origin sent more than the response: what came too early could
        be taken for the answer to the next request.
        """
        if self._state.our_state is not h11.DONE or self._state.their_state is not h11.DONE:
            return False
        if self._state.trailing_data[0]:
            return False
        self._state.start_next_cycle()
        return True

    def is_stale(self) -> bool:
        """Whether an idle connection has something to say: its end, or what nobody asked for."""
        return self._wire.is_readable()

    async def _next_event(self) -> object:
        while (event := self._parse()) is h11.NEED_DATA:
            await self._read()
        return event

    def _parse(self) -> object:
        try:
            event = self._state.next_event()
        except h11.RemoteProtocolError as error:
            if self._wire.ended:
                raise BrokenFault("the connection was closed before the response was complete") from error
            raise ProtocolFault("the response is not valid HTTP") from error
        if isinstance(event, h11.ConnectionClosed):
            raise BrokenFault("the connection was closed before the response was complete")
        return event

    async def _read(self) -> None:
        self._state.receive_data(await self._wire.read())
