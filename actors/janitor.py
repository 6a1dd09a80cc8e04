"""The janitor: sweeps jobs whose lease ran out, and keeps stored results within their byte budget."""

from collections.abc import Callable

import trio

from ..events.job import JobCancelled, JobFinished, JobInterrupted, TargetDone
from ..store.batch import BatchStore
from .journal import Commit, Journal
from .settings import BatchSettings

# A result takes room; the end of a job makes the room that its results take evictable.
_MATTER_TO_THE_BUDGET = (TargetDone, JobFinished, JobCancelled, JobInterrupted)


class Janitor:
    """`run` is the task. It sweeps by the clock, and evicts when it hears of a new result or of a job's end."""

    def __init__(self, *, settings: BatchSettings, journal: Journal, clock: Callable[[], float]) -> None:
        self._settings = settings
        self._journal = journal
        self._clock = clock
        self._budget_changed = trio.Event()

    async def run(self) -> None:
        """Keep house until cancelled. Raises `ActorDied` if the journal has died."""
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._sweep)
            nursery.start_soon(self._evict)

    def committed(self, commit: Commit) -> None:
        """A listener of the journal."""
        if any(isinstance(recorded.event, _MATTER_TO_THE_BUDGET) for recorded in commit.events):
            self._budget_changed.set()

    async def _sweep(self) -> None:
        while True:
            await self._journal.write(self._sweep_of(int(self._clock())))
            await trio.sleep(self._settings.sweep_every_s)

    def _sweep_of(self, now: int) -> Callable[[BatchStore], int]:
        return lambda store: store.sweep_batch(now, self._settings.ttl_s)

    async def _evict(self) -> None:
        while True:
            await self._budget_changed.wait()
            self._budget_changed = trio.Event()
            await self._journal.write(lambda store: store.evict_batch_oldest(self._settings.max_bytes))
