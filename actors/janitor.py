"""The janitor: sweeps jobs whose lease ran out, keeps results within their byte budget, has checkpoints signed."""

from collections.abc import Callable

import structlog
import trio

from ..events.job import JobCancelled, JobFinished, JobInterrupted, TargetDone
from ..events.merkle import CompactRange
from ..store.batch import BatchStore
from ..store.notary import NotKept
from .journal import Commit, Journal
from .settings import AuditSettings, BatchSettings

_log = structlog.get_logger("gofer.actors")

# A result takes room; the end of a job makes the room that its results take evictable.
_MATTER_TO_THE_BUDGET = (TargetDone, JobFinished, JobCancelled, JobInterrupted)


class Janitor:
    """`run` is the task. It sweeps by the clock, evicts when it hears of a new result or of a job's end, and takes a
    checkpoint every so many events and seconds, if there is somebody to `sign` it.
    """

    def __init__(
        self,
        *,
        settings: BatchSettings,
        audit: AuditSettings,
        journal: Journal,
        sign: Callable[[CompactRange], object] | None,
        clock: Callable[[], float],
    ) -> None:
        self._settings = settings
        self._audit = audit
        self._sign = sign
        self._signed = trio.Lock()  # one checkpoint at a time
        self._unsigned = 0  # events since the last checkpoint
        self.owing = False  # whether the last checkpoint could not be written
        self._due = trio.Event()
        self._journal = journal
        self._clock = clock
        self._budget_changed = trio.Event()

    async def run(self) -> None:
        """Keep house until cancelled. Raises `ActorDied` if the journal has died."""
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._sweep)
            nursery.start_soon(self._evict)
            if self._sign:
                nursery.start_soon(self._checkpoints)

    async def checkpoint(self) -> None:
        """Sign the log as it is and keep that outside the database; nothing without a signer or a new event.

        One that cannot be written is logged, once, and owed: fetching goes on, and the next one covers the same
        events. Raises `ActorDied`, and a `StoreError` if the log cannot be read: among these are `Forked` and
        `LogDamaged` if it contradicts what was signed, or itself. Cancelled, a note that is being written is written.
        """
        sign = self._sign
        async with self._signed:
            if sign and (self._unsigned or self.owing):
                self._unsigned = 0
                tree = await self._journal.write(lambda store: store.mark_checkpoint())
                try:
                    await self._journal.aside(lambda: sign(tree))
                except NotKept as error:
                    if not self.owing:
                        _log.error("checkpoints cannot be written", kind=error.kind)
                    self.owing = True
                else:
                    if self.owing:
                        _log.info("checkpoints are written again")
                    self.owing = False

    def committed(self, commit: Commit) -> None:
        """A listener of the journal."""
        self._unsigned += len(commit.events)
        if self._unsigned >= self._audit.checkpoint_every_events:
            self._due.set()
        if any(isinstance(recorded.event, _MATTER_TO_THE_BUDGET) for recorded in commit.events):
            self._budget_changed.set()

    async def _sweep(self) -> None:
        while True:
            await self._journal.write(self._sweep_of(int(self._clock())))
            await trio.sleep(self._settings.sweep_every_s)

    def _sweep_of(self, now: int) -> Callable[[BatchStore], int]:
        return lambda store: store.sweep_batch(now, self._settings.ttl_s)

    async def _evict(self) -> None:
        while True:  # at once, too: a crash may have come before it, or the budget may be another since
            self._budget_changed = trio.Event()
            await self._journal.write(lambda store: store.evict_batch_oldest(self._settings.max_bytes))
            await self._budget_changed.wait()

    async def _checkpoints(self) -> None:
        while True:
            with trio.move_on_after(self._audit.checkpoint_every_s):
                await self._due.wait()
            self._due = trio.Event()
            await self.checkpoint()
