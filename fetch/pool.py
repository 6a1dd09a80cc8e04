"""Open connections kept for the next request to the same place. One pool serves one class of callers only.

A connection carries one request at a time, HTTP/2 included: so one may be cut off without harm to another, which a
shared HTTP/2 connection does not allow (a response given up on would eat its common flow-control window).
"""

from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

import trio

from .dial import Dialler, Wire
from .guard import CheckedUrl
from .http1 import Http1
from .http2 import Http2
from .trail import HopNotes

_Place = tuple[str, str, int]


@dataclass(slots=True)
class Connection:
    """An open connection with its HTTP state. Whoever reads a response to its end says whether it is `reusable`."""

    place: _Place
    wire: Wire
    http: Http1 | Http2
    reusable: bool = False
    has_served: bool = False
    idle_since: float = 0.0


class Pool:
    """The idle connections of one class of callers, at most `max_idle`, each for at most `idle_timeout_s`."""

    def __init__(self, dialler: Dialler, *, max_idle: int, idle_timeout_s: float) -> None:
        self._dialler = dialler
        self._max_idle = max_idle
        self._idle_timeout_s = idle_timeout_s
        self._idle: deque[Connection] = deque()  # the longest idle first

    @asynccontextmanager
    async def connection(self, url: CheckedUrl, notes: HopNotes) -> AsyncIterator[Connection]:
        """A connection to the place of `url`, an idle one if there is one; kept afterwards if it is `reusable`.

        Raises what `Dialler.dial` raises. Leaving it by an exception or by cancelling closes the connection.
        """
        place = (url.scheme, url.host, url.port)
        connection = self._take(place) or await self._open(place, url, notes)
        notes.addresses, notes.dialled = connection.wire.addresses, connection.wire.dialled
        notes.reused = connection.has_served
        try:
            yield connection
        except BaseException:
            connection.wire.close()
            raise
        self._keep(connection)

    def close(self) -> None:
        """Close all idle connections."""
        while self._idle:
            self._idle.popleft().wire.close()

    def _take(self, place: _Place) -> Connection | None:
        too_long = trio.current_time() - self._idle_timeout_s
        while self._idle and self._idle[0].idle_since < too_long:
            self._idle.popleft().wire.close()
        for connection in [each for each in reversed(self._idle) if each.place == place]:
            self._idle.remove(connection)
            if not connection.http.is_stale():
                connection.reusable = False
                return connection
            connection.wire.close()
        return None

    async def _open(self, place: _Place, url: CheckedUrl, notes: HopNotes) -> Connection:
        wire, is_http2 = await self._dialler.dial(url, notes)
        return Connection(place, wire, Http2(wire) if is_http2 else Http1(wire))

    def _keep(self, connection: Connection) -> None:
        if not connection.reusable:
            connection.wire.close()
            return
        connection.has_served = True
        connection.idle_since = trio.current_time()
        self._idle.append(connection)
        if len(self._idle) > self._max_idle:
            self._idle.popleft().wire.close()
