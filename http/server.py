"""The socket: hypercorn on trio, as a child task of the caller's nursery."""

import socket
import sys
from functools import partial
from typing import Any

import hypercorn.config
import hypercorn.logging
import hypercorn.trio
import trio
from quart_trio import QuartTrio

from .logs import Log, log_crash

BACKLOG = 512
GRACE_S = 5.0
KEEP_ALIVE_S = 75.0


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
    closes idle connections and gives requests `GRACE_S` to end before it cancels them. Cancelling it closes all at
    once. Raises `CannotListen` if the address is not a host and a port, is in use or is not this machine's.
    """
    listener = _listen(bind)
    host, port = listener.getsockname()[:2]
    config = hypercorn.config.Config()
    config.bind = [f"fd://{listener.detach()}"]
    config.backlog = BACKLOG
    config.graceful_timeout = GRACE_S
    config.keep_alive_timeout = KEEP_ALIVE_S
    config.include_server_header = False
    config.logger_class = partial(_ServerLog, log)  # type: ignore[assignment]
    async with trio.open_nursery() as nursery:
        await nursery.start(partial(hypercorn.trio.serve, app, config, shutdown_trigger=shutdown.wait))
        task_status.started(f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}")


class _ServerLog(hypercorn.logging.Logger):
    """Hypercorn's faults in our log. It writes nothing else: its access lines hold paths."""

    def __init__(self, log: Log, config: hypercorn.config.Config) -> None:
        config.errorlog = None
        super().__init__(config)
        self._gofer_log = log

    async def exception(self, message: str, *args: Any, **kwargs: Any) -> None:
        error = sys.exception()
        assert error is not None, "called from an except block"
        log_crash(self._gofer_log, "server", error)


def _listen(bind: str) -> socket.socket:
    host, colon, port = bind.rpartition(":")
    host = host.removeprefix("[").removesuffix("]")
    if not (colon and host and port.isascii() and port.isdigit() and int(port) < 65536):
        raise CannotListen(f"cannot listen on {bind!r}: it must be host:port, e.g. 127.0.0.1:8380")
    try:
        return socket.create_server(
            (host, int(port)), family=socket.AF_INET6 if ":" in host else socket.AF_INET, backlog=BACKLOG
        )
    except OSError as error:
        hint = "stop what listens there, or give another address with server.bind"
        raise CannotListen(f"cannot listen on {bind}: {error.strerror or error}; {hint}") from error
