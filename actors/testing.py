"""For tests of gofer's actors, and of what is built on them: the real system on a simulated machine.

    async with open_system(ScriptedFetcher()) as rig:
        submitted = await rig.system.runner.submit(submission(ALICE, "http://a.example/"))
        await rig.crash()
        assert rig.system.reader.status(submitted.job_id) == "failed"

Public, and reached by no production code. Run it under a `MockClock` that jumps by itself. The fakes of the other
interfaces live beside them: `fetch.scripted` has the fetcher, `fetch.resolve` the resolver.
"""

import random
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from typing import Any, Final, TypeVar

import apsw
import trio

from ..events.job import Command, Event, Interrupt, Job, decide, fold
from ..events.recorded import Recorded
from ..fetch.scripted import ScriptedFetcher
from ..fetch.target import Caller, Fetcher, Target
from ..store.database import StoreFailed
from .journal import Commit, Listener
from .mailbox import ActorDied
from .runner import Submission
from .settings import BatchSettings, ConcurrencySettings
from .system import System, SystemSettings
from .system import open_system as open_real_system
from .testing_store import Disk, Failpoints

__all__ = ["EPOCH", "Disk", "Ear", "Failpoints", "Rig", "SimulatedClock", "given", "open_system", "submission"]

E = TypeVar("E")

EPOCH: Final = 1_800_000_000  # where simulated time begins, unix s


class SimulatedClock:
    """Unix seconds that pass as trio's clock does, so that autojump drives leases too. Call it for the time."""

    def __init__(self, epoch: float = EPOCH) -> None:
        self._offset_s = epoch - trio.current_time()

    def __call__(self) -> float:
        return self._offset_s + trio.current_time()

    def jump(self, seconds: float) -> None:
        """Set the wall clock on (or back) without time passing, as an operator or NTP does."""
        self._offset_s += seconds


class Ear:
    """A listener of the journal that keeps what it hears: `commits`, and every event in log order."""

    def __init__(self) -> None:
        self.commits: list[Commit] = []
        self.heard: list[Recorded] = []
        self._news = trio.Event()

    def __call__(self, commit: Commit) -> None:
        self.commits.append(commit)
        self.heard += commit.events
        self._news.set()
        self._news = trio.Event()

    def of(self, kind: type[E], job_id: str | None = None) -> list[E]:
        """The events of one kind so far; of one job if it is named."""
        return [r.event for r in self.heard if isinstance(r.event, kind) and job_id in (None, r.job_id)]

    def story(self, job_id: str) -> list[str]:
        """The kinds of a job's events, in order, by name."""
        return [type(r.event).__name__ for r in self.heard if r.job_id == job_id]

    async def hear(self, job_id: str, *kinds: type[Event]) -> Event:
        """The first event of one of `kinds` in a job, heard already or still to come."""
        return await self.until(
            lambda: next((r.event for r in self.heard if r.job_id == job_id and isinstance(r.event, kinds)), None)
        )

    async def until(self, find: Callable[[], E | None]) -> E:
        """What `find` finds, tried now and after each commit. The caller bounds the wait."""
        while (found := find()) is None:
            await self._news.wait()
        return found


def submission(caller: Caller, *urls: str, key: str | None = None) -> Submission:
    """A batch of `urls`, each with the default options."""
    return Submission(caller, tuple(Target(url) for url in urls), key)


# ---------------------------------------------------------------- a system on a simulated machine

Attach = Callable[[System], AbstractAsyncContextManager[Any]]


class Rig:
    """A system, the machine it runs on, and the switch of that machine. `system` changes with each restart."""

    def __init__(self, disk: Disk, clock: SimulatedClock, ear: Ear) -> None:
        self.disk = disk
        self.clock = clock
        self.ear = ear
        self.system: System
        self.attached: Any = None  # what `attach` gave for this system, e.g. a client of its HTTP app
        self.deaths: list[BaseException] = []  # of systems that ended by a fault of the store or a crash
        self.up = False
        self.drained_in_s: float | None = None  # how long the last system took to end, None if it died
        self._changed = trio.Event()
        self._stop = trio.Event()
        self._closing = False

    @property
    def failpoints(self) -> Failpoints:
        """The places where faults can be put."""
        return self.disk.failpoints

    async def running(self) -> System:
        """The system, once it is up and not about to die. The caller bounds the wait."""
        await self._until(lambda: self.up and self.system.journal.running)
        return self.system

    async def crash(self) -> None:
        """Take the power away: what was not committed is gone. Returns when the system is up again."""
        await self.running()
        deaths = len(self.deaths)
        self.crash_nowait()
        await self._until(lambda: len(self.deaths) > deaths and self.up)

    def crash_nowait(self) -> None:
        """`crash` from synchronous code, such as a failpoint; the system comes up again by itself."""
        self.disk.crash()
        if self.up:  # wake the journal, for it to find the power gone
            self.system.journal.execute_nowait("", _NOTHING)

    async def restart(self) -> None:
        """Stop the system as an operator does: it drains. Returns when it is up again."""
        before = await self.running()
        self._stop.set()
        await self._until(lambda: self.up and self.system is not before)

    async def live(self, open_one: Callable[[], AbstractAsyncContextManager[System]], attach: Attach | None) -> None:
        """One system after another, until `close`. Raises what a system dies of, unless its store brought it down."""
        while not self._closing:
            self._stop = trio.Event()  # before it opens: `close` may come while it does
            try:
                async with open_one() as system, AsyncExitStack() as stack:
                    if attach is not None:
                        self.attached = await stack.enter_async_context(attach(system))
                    self.system = system
                    self._tell(up=True)
                    if self.disk.store is not None and self.disk.store.crashed:
                        self.crash_nowait()  # while it came up, and nobody has noticed
                    await self._stop.wait()
                    self._tell(up=False)
                    told_at = trio.current_time()
                self.drained_in_s = trio.current_time() - told_at
            except* (apsw.Error, StoreFailed, ActorDied) as death:
                self.drained_in_s = None
                self.deaths.append(death)
            finally:
                self.up = False
        self._tell(up=False)

    def close(self) -> None:
        """Have the system drain and end."""
        self._closing = True
        self._stop.set()

    def _tell(self, *, up: bool) -> None:
        self.up = up
        self._changed.set()
        self._changed = trio.Event()

    async def _until(self, true: Callable[[], bool]) -> None:
        while not true():
            await self._changed.wait()


@asynccontextmanager
async def open_system(
    fetcher: Fetcher | None = None,
    *,
    batch: BatchSettings = BatchSettings(),  # noqa: B008 - frozen
    concurrency: ConcurrencySettings = ConcurrencySettings(),  # noqa: B008
    new_id: Callable[[], str] | None = None,
    listeners: Sequence[Listener] = (),
    disk: Disk | None = None,
    clock: SimulatedClock | None = None,
    attach: Attach | None = None,
) -> AsyncIterator[Rig]:
    """The real journal, runner, job actors and janitor on a simulated machine, for the length of the block.

    The store is in memory and commits inline; what it committed outlives `Rig.crash` and `Rig.restart`. `attach`
    opens what belongs to each system, such as an HTTP app over it. Ids are "job-1", "job-2" … unless `new_id` says.

    Leaving the block drains. A bug that brings the system down cancels the block and is raised.
    """
    disk, clock, ear = disk or Disk(), clock or SimulatedClock(), Ear()
    rig = Rig(disk, clock, ear)
    fetcher = fetcher or ScriptedFetcher()
    ids = Ids()
    entropy = random.Random(0).randbytes  # noqa: S311 - the same keys, so the same log, in every run

    def open_one() -> AbstractAsyncContextManager[System]:
        return open_real_system(
            SystemSettings(batch=batch, concurrency=concurrency),
            fetcher,
            clock=clock,
            new_id=new_id or ids,
            entropy=entropy,
            listeners=[lambda _: disk.failpoints.reach("replied"), ear, *listeners],
            open_store=disk.open,
        )

    async with trio.open_nursery() as nursery:
        nursery.start_soon(rig.live, open_one, attach)
        await rig.running()
        try:
            yield rig
        finally:
            rig.close()


class Ids:
    """Job ids that a seed decides, or that count up without one."""

    def __init__(self, seed: int | None = None) -> None:
        self._chance = None if seed is None else random.Random(seed)  # noqa: S311
        self._count = 0

    def __call__(self) -> str:
        self._count += 1
        return f"job-{self._count}" if self._chance is None else f"{self._chance.getrandbits(64):016x}"


# ---------------------------------------------------------------- deciders


class given:
    """`given(*events).when(command).then(*events)` or `.refused(error)`: what a decider makes of a command."""

    def __init__(self, *events: Event) -> None:
        self._job = fold(events)

    def when(self, command: Command) -> "Decision":
        """Decide `command` in the state that the given events come to."""
        return Decision(self._job, command)


class Decision:
    """What a command comes to in a state."""

    def __init__(self, job: Job | None, command: Command) -> None:
        self._job = job
        self._command = command

    def then(self, *events: Event) -> Job | None:
        """Hold that exactly `events` happen; the state after them, for more to be held against."""
        assert decide(self._job, self._command) == events
        return fold(events, self._job)

    def refused(self, error: type[Exception]) -> None:
        """Hold that it is refused with `error`."""
        try:
            events = decide(self._job, self._command)
        except error:
            return
        raise AssertionError(f"not refused with {error.__name__}; it made {events} happen")


_NOTHING: Final = Interrupt(0, "")
