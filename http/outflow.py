"""How many bytes of results may be on their way to clients: what slow readers can make the service keep in memory."""

from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import trio

from .problems import Problem

MAX_BYTES = 64 * 1024 * 1024
MAX_CALLER_BYTES = 16 * 1024 * 1024
WAIT_S = 10.0


class Outflow:
    """The bytes that are on their way, by caller.

    There are at most `MAX_BYTES` in all and `MAX_CALLER_BYTES` of one caller; only an answer that is alone may be
    larger, so that each can be had.
    """

    def __init__(self) -> None:
        self._underway: Counter[str] = Counter()
        self._left = trio.Event()

    @asynccontextmanager
    async def hold(self, caller: str, nbytes: int, *, wait_s: float) -> AsyncIterator[None]:
        """Count `nbytes` for `caller` while the block runs.

        Waits up to `wait_s` seconds until others have left enough room; cancelled meanwhile, it counts nothing.
        Raises the 429 if there is none by then.
        """
        with trio.move_on_after(wait_s) as waiting:
            while not self._has_room(caller, nbytes):
                await self._left.wait()
        if waiting.cancelled_caught:
            raise Problem(429, "results busy", "read the answers that are under way first", Retry_After="5")
        self._underway[caller] += nbytes
        try:
            yield
        finally:
            self._underway[caller] -= nbytes
            self._underway = +self._underway  # forget callers without any
            self._left.set()
            self._left = trio.Event()

    def _has_room(self, caller: str, nbytes: int) -> bool:
        total, own = self._underway.total(), self._underway[caller]
        return (not total or total + nbytes <= MAX_BYTES) and (not own or own + nbytes <= MAX_CALLER_BYTES)
