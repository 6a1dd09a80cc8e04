"""The socket: hypercorn's HTTP on trio, as a child task of the caller's nursery."""

import socket
import sys
from functools import partial
from typing import Any

import hypercorn.logging
import trio
from hypercorn.config import Config
from hypercorn.trio.tcp_server import TCPServer
from hypercorn.trio.worker_context import WorkerContext
from hypercorn.typing import ConnectionState
from hypercorn.utils import wrap_app
from quart_trio import QuartTrio

from .logs import Log, log_crash

BACKLOG = 512
GRACE_S = 5.0
KEEP_ALIVE_S = 75.0
STALL_S = 10.0
PIECE_BYTES = 65536


class CannotListen(Exception):
    """The address to serve at cannot be had: why, and what to do."""


async def serve(
    app: QuartTrio,
    bind: str,
    *,
    log: Log,
    shutdown: trio.Event,
    task_status: trio.TaskStatus[str] = trio.TASK_STATUS_IGNORED,
) -> None:
    """Serve `app` at `bind` (`host:port`, `[host]:port`; port 0 takes a free one) until `shutdown` is set.

    `task_status` gives the URL it is reached at, once it accepts connections. At `shutdown` it stops accepting,
    closes idle connections and gives requests `GRACE_S` to end before it cancels them. It returns at most `STALL_S`
    later, even if a client does not read; so it does when cancelled. There are no ASGI lifespan events: what the app
    stands on is opened and closed around it. Raises `CannotListen` if the address is not a host and a port, is in use
    or is not this machine's.
    """
    # hypercorn.trio.serve would wait for ever for a client that does not read: it shields what it sends.
    listener = _listen(bind)
    config = Config()
    config.keep_alive_timeout = KEEP_ALIVE_S
    config.include_server_header = False
    config.logger_class = partial(_ServerLog, log)  # type: ignore[assignment]
    context = WorkerContext(None)
    asgi = wrap_app(app, config.wsgi_max_body_size, "asgi")

    async def handle(stream: trio.SocketStream) -> None:
        await TCPServer(asgi, config, context, ConnectionState({}), _BoundedStream(stream))  # type: ignore[arg-type]

    async with trio.open_nursery() as connections:
        async with trio.open_nursery() as accepting, listener:
            accepting.start_soon(partial(trio.serve_listeners, handle, [listener], handler_nursery=connections))
            host, port = listener.socket.getsockname()[:2]
            task_status.started(f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}")
            await shutdown.wait()
            accepting.cancel_scope.cancel()
        await context.terminated.set()
        connections.cancel_scope.deadline = trio.current_time() + GRACE_S


class _BoundedStream:
    """A socket stream as hypercorn uses it, which gives up on a client that takes nothing for `STALL_S`."""

    def __init__(self, stream: trio.SocketStream) -> None:
        self._stream = stream
        self.socket = stream.socket
        self.receive_some = stream.receive_some
        self.send_eof = stream.send_eof
        self.aclose = stream.aclose

    async def send_all(self, data: bytes) -> None:
        """Raises `trio.BrokenResourceError` if the stream is broken, or closed now because the client stalls."""
        for start in range(0, len(data), PIECE_BYTES):
            with trio.move_on_after(STALL_S) as scope:
                try:
                    await self._stream.send_all(memoryview(data)[start : start + PIECE_BYTES])
                except trio.BusyResourceError:  # hypercorn sends its EOF meanwhile: the client has gone
                    raise trio.BrokenResourceError("the connection is being closed") from None
            if scope.cancelled_caught:
                await trio.aclose_forcefully(self._stream)
                raise trio.BrokenResourceError("the client does not read")


class _ServerLog(hypercorn.logging.Logger):
    """Hypercorn's faults in our log. It writes nothing else: its access lines hold paths."""

    def __init__(self, log: Log, config: Config) -> None:
        config.errorlog = None
        super().__init__(config)
        self._gofer_log = log

    async def exception(self, message: str, *args: Any, **kwargs: Any) -> None:
        error = sys.exception()
        assert error is not None, "called from an except block"
        log_crash(self._gofer_log, "server", error)


def _listen(bind: str) -> trio.SocketListener:
    host, colon, port = bind.rpartition(":")
    host = host.removeprefix("[").removesuffix("]")
    if not (colon and host and port.isascii() and port.isdigit() and int(port) < 65536):
        raise CannotListen(f"cannot listen on {bind!r}: it must be host:port, e.g. 127.0.0.1:8380")
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        listening = socket.create_server((host, int(port)), family=family, backlog=BACKLOG)
    except OSError as error:
        hint = "stop what listens there, or give another address with server.bind"
        raise CannotListen(f"cannot listen on {bind}: {error.strerror or error}; {hint}") from error
    return trio.SocketListener(trio.socket.from_stdlib_socket(listening))
