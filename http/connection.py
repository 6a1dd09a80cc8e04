"""One client's connection: a socket joined to hypercorn's HTTP/1.1, where each wait for the client has a bound."""

from collections.abc import Callable
from typing import Final

import h11
import trio
from hypercorn.config import Config
from hypercorn.events import Closed, Event, RawData, Updated
from hypercorn.protocol.h11 import H11Protocol
from hypercorn.trio.task_group import TaskGroup
from hypercorn.trio.worker_context import WorkerContext
from hypercorn.typing import AppWrapper, ConnectionState

KEEP_ALIVE_S = 75.0  # for the next request, with all its headers
STALL_S = 10.0  # for a client to take PIECE_BYTES
PIECE_BYTES = 64 * 1024
PATIENCE_S = 60.0  # for a client to take a whole response, beyond the time that is due at MIN_BYTES_PER_S
MIN_BYTES_PER_S = 32 * 1024
RECEIVE_BYTES = 64 * 1024
VERSIONS: Final = (b"1.0", b"1.1")


class Connection:
    """A socket and hypercorn's HTTP/1.1 protocol, joined.

    It closes when a client is idle for `KEEP_ALIVE_S`, or too slow a reader: one that takes less than `PIECE_BYTES`
    in `STALL_S`, or has kept a response waiting for `PATIENCE_S` more than it takes at `MIN_BYTES_PER_S`.

    Hypercorn would join them itself, but it speaks HTTP/2 and websockets as well, and shields what it sends: a client
    that does not read could hold it, and the stop of the whole service, for ever.
    """

    def __init__(
        self,
        stream: trio.SocketStream,
        app: AppWrapper,
        config: Config,
        context: WorkerContext,
        *,
        rested: Callable[[], None] = lambda: None,
    ) -> None:
        """`rested` is called each time that it becomes idle."""
        self._stream = stream
        self._app = app
        self._config = config
        self._context = context
        self._open = trio.CancelScope()  # cancelled by whoever closes the connection
        self._rested = rested
        self._idle = True
        self._sending = trio.Lock()
        self._patience_s = PATIENCE_S

    async def run(self) -> None:
        """Answer the client's requests until either side closes; the caller then closes the socket.

        Cancelling it cuts the request that is being answered. Raises what a bug in hypercorn or h11 raises.
        """
        try:
            client, server = self._stream.socket.getpeername(), self._stream.socket.getsockname()
        except OSError:  # it has gone already
            return
        async with TaskGroup() as tasks:
            self._protocol = H11Protocol(
                self._app,
                self._config,
                self._context,
                tasks,
                ConnectionState({}),
                False,
                client[:2],
                server[:2],
                self._send,
            )
            self._protocol.connection = Http1(
                h11.SERVER, max_incomplete_event_size=self._config.h11_max_incomplete_size
            )
            with self._open:
                self._rest()
                await self._receive()
            await self._protocol.handle(Closed())  # which the request that is being answered hears of

    @property
    def idle_until(self) -> float | None:
        """When it will close for want of a request, in trio's time; None while it answers one, or closes."""
        return self._open.deadline if self._idle and not self._open.cancel_called else None

    def close(self) -> None:
        """Close it now, whatever it does."""
        self._open.cancel()

    def stop(self) -> None:
        """Close it as soon as it has nothing to answer; hypercorn's `context.terminated` must be set before."""
        if self._idle:
            self._rest()

    def _rest(self) -> None:
        """From now on it waits for a request, unless the server stops."""
        self._idle = True
        self._open.deadline = trio.current_time() + (0 if self._context.terminated.is_set() else KEEP_ALIVE_S)
        self._rested()

    async def _receive(self) -> None:
        data = b"not the end"
        while data:
            try:
                data = bytes(await self._stream.receive_some(RECEIVE_BYTES))
            except trio.BrokenResourceError:
                return
            await self._protocol.handle(RawData(data))

    async def _send(self, event: Event) -> None:
        """What hypercorn tells: bytes for the client, that a request has begun or ended, that it wants to close."""
        match event:
            case RawData(data=data):
                await self._write(data)
            case Updated(idle=True):
                self._rest()
            case Updated(idle=False):
                self._idle = False
                self._open.deadline = float("inf")
                self._patience_s = PATIENCE_S
            case Closed():
                self._open.cancel()

    async def _write(self, data: bytes) -> None:
        """Send `data`; once the connection is closing it goes nowhere."""
        async with self._sending:
            for start in range(0, len(data), PIECE_BYTES):
                piece = memoryview(data)[start : start + PIECE_BYTES]
                if self._open.cancel_called or not await self._sent(piece):
                    self._open.cancel()
                    return

    async def _sent(self, piece: memoryview) -> bool:
        """Send `piece`, and tell whether the client took it in time."""
        began_at = trio.current_time()
        with trio.move_on_after(min(STALL_S, self._patience_s)) as scope:
            try:
                await self._stream.send_all(piece)
            except trio.BrokenResourceError:
                return False
        self._patience_s += len(piece) / MIN_BYTES_PER_S - (trio.current_time() - began_at)
        return not scope.cancelled_caught


class Http1(h11.Connection):
    """HTTP/1 and nothing else.

    A request of another version is the 505 (RFC 9110, section 15.6.6). An offer to go on in another protocol (h2c,
    websocket) is passed over, as section 7.8 lets a server do: the answer comes in HTTP/1.1.
    """

    def next_event(self) -> h11.Event | type[h11.NEED_DATA] | type[h11.PAUSED]:
        """As h11's. Raises `h11.RemoteProtocolError`, which hypercorn answers, also for another version."""
        event = super().next_event()
        if not isinstance(event, h11.Request):
            return event
        if event.http_version not in VERSIONS:
            raise h11.RemoteProtocolError("another version of HTTP", error_status_hint=505)
        if all(name != b"upgrade" for name, _ in event.headers):
            return event
        return h11.Request(
            method=event.method,
            target=event.target,
            http_version=event.http_version,
            headers=[(name, value) for name, value in event.headers if name != b"upgrade"],
        )
