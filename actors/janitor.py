"""The janitor: sweeps jobs whose lease ran out, and keeps stored results within their byte budget."""

from collections.abc import Callable

import trio

from ..events.job import TargetDone
from ..store.batch import BatchStore
from .journal import Commit, Journal
from .settings import BatchSettings


class Janitor:
    """`run` is the task. It sweeps by the clock, and evicts when it hears that a result was written."""

    def __init__(self, *, settings: BatchSettings, journal: Journal, clock: Callable[[], float]) -> None:
        self._settings = settings
        self._journal = journal
        self._clock = clock
        self._written = trio.Event()

    async def run(self) -> None:
        """Keep house until cancelled. Raises `ActorDied` if the journal has died."""
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._sweep)
            nursery.start_soon(self._evict)

    def committed(self, commit: Commit) -> None:
        """A listener of the journal."""
        if any(isinstance(recorded.event, TargetDone) for recorded in commit.events):
            self._written.set()

    async def _sweep(self) -> None:
        while True:
            await self._journal.write(self._sweep_of(int(self._clock())))
            await trio.sleep(self._settings.sweep_every_s)

    def _sweep_of(self, now: int) -> Callable[[BatchStore], int]:
        return lambda store: store.sweep_batch(now, self._settings.ttl_s)

    async def _evict(self) -> None:
        while True:
            await self._written.wait()
            self._written = trio.Event()
            await self._journal.write(lambda store: store.evict_batch_oldest(self._settings.max_bytes))
