"""The listening socket, its connections as child tasks of the caller's nursery, and what hypercorn has to log."""

import errno
import resource
import socket
import sys
from functools import partial
from operator import itemgetter
from typing import Any

import hypercorn.logging
import trio
from hypercorn.config import Config
from hypercorn.trio.worker_context import WorkerContext
from hypercorn.utils import wrap_app
from quart_trio import QuartTrio

from .connection import Connection
from .logs import Log, log_crash

BACKLOG = 512
MAX_CONNECTIONS = 512  # or half of the files that the process may have open: the others are for its fetches
GRACE_S = 5.0
RETRY_S = 0.1  # when there is no descriptor for a connection
QUIET_S = 60.0  # after that was logged
NO_DESCRIPTOR = frozenset({errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM})


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
    closes idle connections and gives requests `GRACE_S` to end before it cancels them; cancelled, it ends at once,
    even if a client does not read. There are no ASGI lifespan events: what the app stands on is opened and closed
    around it. Beyond `MAX_CONNECTIONS`, or when the process has no descriptor left, a new one takes the place of the
    longest idle, or waits for one to end or to become idle. A connection that fails is logged and closed, and harms
    no other. Raises `CannotListen` if the address is not a host and a port, is in use or is not this machine's, and
    whatever ends the listening.
    """
    listener = _listen(bind)
    config = Config()
    config.include_server_header = False
    config.logger_class = partial(_ServerLog, log)  # type: ignore[assignment]
    context = WorkerContext(None)
    asgi = wrap_app(app, config.wsgi_max_body_size, "asgi")
    bounded = _Bounded(listener, log)
    connections = bounded.connections

    async def handle(stream: trio.SocketStream) -> None:
        connection = Connection(stream, asgi, config, context, rested=bounded.changed)
        connections.add(connection)
        try:
            await connection.run()
        except* Exception as error:  # noqa: BLE001 - whatever it is, the other connections live
            log_crash(log, "server", error)
        finally:
            connections.discard(connection)
            bounded.changed()

    async with trio.open_nursery() as handling:
        async with trio.open_nursery() as accepting, listener:
            accepting.start_soon(partial(trio.serve_listeners, handle, [bounded], handler_nursery=handling))
            host, port = listener.socket.getsockname()[:2]
            task_status.started(f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}")
            await shutdown.wait()
            accepting.cancel_scope.cancel()
        await context.terminated.set()
        for connection in connections:
            connection.stop()
        handling.cancel_scope.deadline = trio.current_time() + GRACE_S


class _Bounded(trio.abc.Listener[trio.SocketStream]):
    """A listener that accepts a connection while there is room for it, and makes some where connections are idle."""

    def __init__(self, listener: trio.SocketListener, log: Log) -> None:
        self.connections: set[Connection] = set()
        self._listener = listener
        self._log = log
        self._most = _most_connections()
        self._change = trio.Event()
        self._quiet_until = float("-inf")

    async def accept(self) -> trio.SocketStream:
        """The next connection. Cancelled, none was accepted."""
        stream = await self._accepted()
        try:
            await self._room()
        except BaseException:
            await trio.aclose_forcefully(stream)
            raise
        return stream

    async def _accepted(self) -> trio.SocketStream:
        while True:
            try:
                return await self._listener.accept()
            except OSError as error:
                if error.errno not in NO_DESCRIPTOR:
                    raise
                self._tell(errno.errorcode[error.errno])
            self._close_idle()
            with trio.move_on_after(RETRY_S):  # whoever has the descriptors may be none of ours, and tells nothing
                await self._changing()

    def _tell(self, fault: str) -> None:
        now = trio.current_time()
        if now >= self._quiet_until:
            self._quiet_until = now + QUIET_S
            self._log.error("accept", fault=fault)

    async def _room(self) -> None:
        while len(self.connections) >= self._most and not self._close_idle():
            await self._changing()

    async def _changing(self) -> None:
        self._change = trio.Event()
        await self._change.wait()

    def _close_idle(self) -> bool:
        """Close the longest idle connection, and tell whether there was one."""
        idle = [(until, each) for each in self.connections if (until := each.idle_until) is not None]
        if idle:
            min(idle, key=itemgetter(0))[1].close()
        return bool(idle)

    def changed(self) -> None:
        """A connection ended or became idle."""
        self._change.set()

    async def aclose(self) -> None:
        """Stop listening."""
        await self._listener.aclose()


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


def _most_connections() -> int:
    files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return MAX_CONNECTIONS if files == resource.RLIM_INFINITY else min(MAX_CONNECTIONS, max(files // 2, 1))


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
