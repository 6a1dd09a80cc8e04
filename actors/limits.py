"""How many fetches may be under way: in all, for one job, to one host. A wait holds nothing while it waits."""

from collections import Counter, deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import msgspec
import trio

from .settings import ConcurrencySettings


class LimitsStatistics(msgspec.Struct, frozen=True):
    """How many fetches hold a place, and how many wait for one."""

    running: int
    waiting: int


class _Waiter(msgspec.Struct, eq=False):
    job_id: str | None
    host: str
    granted: trio.Event


class Limits:
    """Grants all three places at once or none, to the longest waiting that fits.

    So a job whose next target goes to a busy host goes on with another, and nobody holds a place idle.
    """

    def __init__(self, settings: ConcurrencySettings) -> None:
        self._settings = settings
        self._running = 0
        self._by_job: Counter[str] = Counter()
        self._by_host: Counter[str] = Counter()
        self._waiting: deque[_Waiter] = deque()

    @asynccontextmanager
    async def slot(self, job_id: str | None, host: str) -> AsyncIterator[None]:
        """Hold one place for a fetch to `host` while the block runs; `job_id` None stands for no job.

        Cancelled while waiting, it gives up its turn.
        """
        waiter = _Waiter(job_id, host, trio.Event())
        self._waiting.append(waiter)
        self._grant()
        try:
            await waiter.granted.wait()
            yield
        finally:
            if waiter.granted.is_set():
                self._count(waiter, -1)
                self._grant()
            else:
                self._waiting.remove(waiter)

    def statistics(self) -> LimitsStatistics:
        """The figures of this moment."""
        return LimitsStatistics(self._running, len(self._waiting))

    def _grant(self) -> None:
        passed: deque[_Waiter] = deque()
        while self._waiting and self._running < self._settings.total:
            waiter = self._waiting.popleft()
            if self._fits(waiter):
                self._count(waiter, +1)
                waiter.granted.set()
            else:
                passed.append(waiter)
        passed.extend(self._waiting)
        self._waiting = passed

    def _fits(self, waiter: _Waiter) -> bool:
        if self._by_host[waiter.host] >= self._settings.per_host:
            return False
        return waiter.job_id is None or self._by_job[waiter.job_id] < self._settings.per_job

    def _count(self, waiter: _Waiter, step: int) -> None:
        self._running += step
        for counter, key in ((self._by_host, waiter.host), (self._by_job, waiter.job_id)):
            if key is not None:
                counter[key] += step
                if not counter[key]:
                    del counter[key]
