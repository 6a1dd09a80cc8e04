"""Open connections kept for the next request to the same place. One pool serves one class of callers only.

A connection carries one request at a time, HTTP/2 included: so one may be cut off without harm to another, which a
shared HTTP/2 connection does not allow (a response given up on would eat its common flow-control window).
"""

from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

import httpcore2

from .dial import Dialler, Wire
from .guard import CheckedUrl
from .trail import HopNotes

_Place = tuple[str, str, int]


@dataclass(slots=True)
class Connection:
    """An open connection with its HTTP state. Whoever has read a response to its end sets `complete`."""

    place: _Place
    http: httpcore2.AsyncConnectionInterface
    wire: Wire
    reused: bool = False
    complete: bool = False


class Pool:
    """The idle connections of one class of callers, at most `max_idle`, each for at most `idle_timeout_s`."""

    def __init__(self, dialler: Dialler, *, max_idle: int, idle_timeout_s: float) -> None:
        self._dialler = dialler
        self._max_idle = max_idle
        self._idle_timeout_s = idle_timeout_s
        self._idle: deque[Connection] = deque()  # the longest idle first

    @asynccontextmanager
    async def connection(self, url: CheckedUrl, notes: HopNotes) -> AsyncIterator[Connection]:
        """A connection to the place of `url`, an idle one if there is one; kept afterwards if it is `complete`.

        Raises what `Dialler.dial` raises. Leaving it by an exception or by cancelling closes the connection.
        """
        connection = self._take((url.scheme, url.host, url.port)) or await self._open(url, notes)
        notes.addresses, notes.dialled = connection.wire.addresses, connection.wire.dialled
        notes.reused = connection.reused
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
        while self._idle and self._idle[0].http.has_expired():
            self._idle.popleft().wire.close()
        for connection in [each for each in reversed(self._idle) if each.place == place]:
            self._idle.remove(connection)
            if not connection.http.has_expired():
                connection.reused, connection.complete = True, False
                return connection
            connection.wire.close()
        return None

    async def _open(self, url: CheckedUrl, notes: HopNotes) -> Connection:
        wire, is_http2 = await self._dialler.dial(url, notes)
        place = (url.scheme, url.host, url.port)
        origin = httpcore2.Origin(url.scheme.encode(), url.host.encode(), url.port)
        speak = httpcore2.AsyncHTTP2Connection if is_http2 else httpcore2.AsyncHTTP11Connection
        return Connection(place, speak(origin, wire, keepalive_expiry=self._idle_timeout_s), wire)

    def _keep(self, connection: Connection) -> None:
        if not connection.complete or not connection.http.is_idle():
            connection.wire.close()
            return
        self._idle.append(connection)
        if len(self._idle) > self._max_idle:
            self._idle.popleft().wire.close()
