"""HTTP/2 over a wire, by h2: one GET after another, never two at a time (pool.py says why)."""

from collections import deque
from collections.abc import Sequence
from contextlib import suppress

import h2.config
import h2.connection
import h2.events
import h2.exceptions
import h2.settings

from .dial import Wire
from .faults import BrokenFault, ProtocolFault
from .guard import CheckedUrl
from .head import Head, header_text

_WINDOW_BYTES = 4_194_304  # what an origin may send ahead of our reading, of a stream and of the connection
_DEFAULT_WINDOW_BYTES = 65_535
_READ_BYTES = 16_384  # at a time: a read may hold a frame for every nine bytes, and h2 takes its time over each
_MAX_HEADER_LIST_BYTES = 65_536


class Http2:
    """The client's side of one connection."""

    def __init__(self, wire: Wire) -> None:
        self._wire = wire
        self._state = h2.connection.H2Connection(h2.config.H2Configuration(client_side=True, header_encoding=None))
        self._state.local_settings = h2.settings.Settings(
            client=True,
            initial_values={
                h2.settings.SettingCodes.ENABLE_PUSH: 0,
                h2.settings.SettingCodes.INITIAL_WINDOW_SIZE: _WINDOW_BYTES,
                h2.settings.SettingCodes.MAX_HEADER_LIST_SIZE: _MAX_HEADER_LIST_BYTES,
            },
        )
        self._state.initiate_connection()
        self._state.increment_flow_control_window(_WINDOW_BYTES - _DEFAULT_WINDOW_BYTES)
        self._events: deque[h2.events.Event] = deque()
        self._stream_id = 0
        self._is_complete = False

    async def ask(self, url: CheckedUrl, headers: Sequence[tuple[str, str]]) -> Head:
        """Send a GET and return the head of its response, past interim ones.

        Raises `BrokenFault`, `ProtocolFault`, and what the wire raises.
        """
        self._is_complete = False
        pseudo = [(":method", "GET"), (":authority", url.authority), (":scheme", url.scheme), (":path", url.path)]
        fields = [*pseudo, *((name.lower(), value) for name, value in headers)]
        try:
            self._stream_id = self._state.get_next_available_stream_id()
            self._state.send_headers(self._stream_id, fields, end_stream=True)
        except h2.exceptions.ProtocolError as error:
            raise BrokenFault("the connection can take no more requests") from error
        await self._flush()
        while True:
            event = await self._next_event()
            if isinstance(event, h2.events.ResponseReceived):
                return _head(event)

    async def data(self) -> bytes:
        """The next bytes of the body, `b""` at its end. Raises as `ask` does."""
        while True:
            event = await self._next_event()
            if isinstance(event, h2.events.StreamEnded):
                self._is_complete = True
                return b""
            if isinstance(event, h2.events.DataReceived):
                with suppress(h2.exceptions.ProtocolError):  # the origin may have closed the connection behind it
                    self._state.acknowledge_received_data(event.flow_controlled_length or 0, self._stream_id)
                await self._flush()
                if event.data:
                    return event.data

    def renew(self) -> bool:
        """Whether the connection can take the next request, after the end of a body; a goodbye may yet come."""
        return self._is_complete

    def is_stale(self) -> bool:
        """False: a ping or a setting may well be waiting. An end shows when the next request is made."""
        return False

    async def _next_event(self) -> h2.events.Event:
        """The next event of the current stream."""
        while True:
            while self._events:
                event = self._events.popleft()
                if isinstance(event, h2.events.ConnectionTerminated):
                    if (event.last_stream_id or 0) < self._stream_id:
                        raise BrokenFault("the origin ended the connection")
                elif getattr(event, "stream_id", None) == self._stream_id:
                    if isinstance(event, h2.events.StreamReset):
                        raise BrokenFault("the origin reset the stream")
                    return event
            received = await self._wire.read(_READ_BYTES)
            if not received:
                raise BrokenFault("the connection was closed before the response was complete")
            try:
                self._events.extend(self._state.receive_data(received))
            except h2.exceptions.ProtocolError as error:
                raise ProtocolFault("the response is not valid HTTP/2") from error
            await self._flush()

    async def _flush(self) -> None:
        data = self._state.data_to_send()
        if data:
            await self._wire.send(data)


def _head(event: h2.events.ResponseReceived) -> Head:
    fields = [(bytes(name), bytes(value)) for name, value in event.headers or ()]
    status = next((value for name, value in fields if name == b":status"), b"")
    if not status.isdigit() or len(status) != 3:
        raise ProtocolFault("the response has no valid status")
    rest = ((name.decode("latin-1"), header_text(value)) for name, value in fields if not name.startswith(b":"))
    return Head(int(status), tuple(rest))
