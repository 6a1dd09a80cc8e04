"""One run of the whole system in one process, decided by a seed: its schedule, its callers, its faults and crashes.

`simulate(seed)` is a function of its arguments: the same run, to the byte of the log, each time and in each process.
"""

import math
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from typing import Any, Final, assert_never

import apsw
import msgspec
import structlog.testing
import trio
from trio.testing import wait_all_tasks_blocked

from ..events.job import Contradiction, Job, TargetSpec, Touch
from ..events.recorded import Recorded, Stored, encode
from ..fetch.scripted import Script
from ..fetch.target import Caller, Target
from ..store.batch import BatchStore
from .job import place_of
from .journal import Commit
from .mailbox import ActorDied
from .runner import AlreadyFinished, CallerBusy, Draining, KeyReused, Submission, Submitted, TooManyLive, idem_key_of
from .system import System
from .testing import Ids, Rig, SimulatedClock, open_system
from .testing_schedule import Stalled, Steps, jumping_clock, seeded_schedule
from .testing_store import Disk, SimulatedStore
from .witness import WatchedFetcher, WatchedStore, Witness, is_live, reusable
from .workload import (
    Cancel,
    Contradict,
    Crash,
    Fetch,
    Op,
    Page,
    Plan,
    Poll,
    Restart,
    SetClock,
    StoreFault,
    Submit,
    count_faults,
    plan,
)

MAX_WAIT_S: Final = 600  # of simulated time: no operation takes longer
MAX_STEPS: Final = 400_000  # of a run, against loops that do not end
SHRINKING_RUNS: Final = 150
INSPECTION_S: Final = 7.3  # between two looks at the system at rest
SINGLE_FETCH_S: Final = 20


class Run(msgspec.Struct, frozen=True):
    """What came of one seed."""

    seed: int
    plan: Plan
    violations: tuple[str, ...]
    log: tuple[bytes, ...]  # the events, each behind its seq, with their private parts
    root: bytes  # the log's Merkle root: over its very bytes
    timeline: tuple[str, ...]
    trail: int  # a digest of the schedule
    steps: int
    deaths: int  # of systems, by crashes and faults of the store

    @property
    def failed(self) -> bool:
        """Whether an invariant was violated."""
        return bool(self.violations)


def simulate(seed: int, a_plan: Plan | None = None, *, crash_at_step: int | None = None) -> Run:
    """Run the plan of `seed`, or `a_plan` under its schedule. If told, the power goes at a step of that schedule.

    A fault found is in `violations`, never raised.
    """
    a_plan = plan(seed) if a_plan is None else a_plan
    world = _World(seed, a_plan)
    steps, bound = Steps(crash_at_step, world.crash_now), Steps(MAX_STEPS, world.too_long)
    with seeded_schedule(seed), structlog.testing.capture_logs() as logged:
        try:
            trio.run(world.run, clock=jumping_clock(), instruments=[steps, bound])
        except Exception as error:  # noqa: BLE001 - what ends a run is a finding, whatever it is
            world.witness.violated(_words(error))
    for line in logged:
        if line["event"] == "job actor crashed":
            world.witness.violated(f"a job actor crashed: {line}")
    log = tuple(_line(recorded) for recorded in world.witness.log)
    return Run(
        seed,
        a_plan,
        tuple(world.witness.violations),
        log,
        world.root,
        tuple(world.timeline),
        steps.trail,
        steps.count,
        world.deaths,
    )


def shrink(run: Run, *, max_runs: int = SHRINKING_RUNS) -> Run:
    """A run that still fails, with as few operations as leaving out ever larger and smaller parts gets to."""
    smallest, runs, parts = run, 0, 2
    while len(smallest.plan.ops) > 1 and runs < max_runs:
        ops, size = smallest.plan.ops, math.ceil(len(smallest.plan.ops) / parts)
        for start in range(0, len(ops), size):
            runs += 1
            rest = msgspec.structs.replace(smallest.plan, ops=ops[:start] + ops[start + size :])
            if (attempt := simulate(run.seed, rest)).failed:
                smallest, parts = attempt, max(2, parts - 1)
                break
        else:
            if size == 1:
                break
            parts = min(2 * parts, len(ops))
    return smallest


def report(run: Run) -> str:
    """A run that failed, for a reader: the seed, what did not hold, the operations, the log."""
    return "\n".join(
        [
            f"seed {run.seed}: {run.violations[0]}",
            *(f"  and: {violation}" for violation in run.violations[1:5]),
            f"settings: {run.plan.batch} {run.plan.concurrency}",
            f"operations ({len(run.plan.ops)}):",
            *(f"  {op}" for op in run.plan.ops),
            f"log ({len(run.log)}):",
            *(f"  {line.decode()}" for line in run.log),
            f"see it again: gofer-sim --seed {run.seed}",
        ]
    )


def faults_of(run: Run) -> dict[str, int]:
    """How many faults of each kind the run's plan holds."""
    return count_faults(run.plan.ops)


class _World:
    """One run: the system, its callers, the witness."""

    def __init__(self, seed: int, a_plan: Plan) -> None:
        self._plan = a_plan
        self._ids = Ids(seed)
        self._clock: SimulatedClock
        self._rig: Rig | None = None
        self._acknowledged: dict[str, list[str]] = {}  # by caller, in the order of the answers
        self._submitting: Counter[str] = Counter()
        self._singles: set[trio.CancelScope] = set()  # of fetches outside any job, which end with their system
        self._causes = 0  # crashes and faults that came
        self._faulted: SimulatedStore | None = None  # a store that reported a fault: its system must die of it
        self.witness = Witness(a_plan.batch, a_plan.concurrency, lambda: self._clock())
        self._disk = self.witness.disk = Disk(self._watched_store)
        self.timeline: list[str] = []
        self.root = b""
        self.scope = trio.CancelScope()

    def note(self, what: str) -> None:
        time = f"{trio.current_time():8.3f}" if trio.lowlevel.in_trio_run() else " " * 8
        self.timeline.append(f"{time}  {what}")

    def crash_now(self) -> None:
        self.note("the power goes")
        self._causes += 1
        if self._rig is not None:
            self._rig.crash_nowait()

    def too_long(self) -> None:
        self.witness.violated(f"{MAX_STEPS} steps and no end")
        self.scope.cancel()

    @property
    def deaths(self) -> int:
        return len(self._rig.deaths) if self._rig else 0

    async def run(self) -> None:
        self._clock = SimulatedClock()
        tasks_before = trio.lowlevel.current_statistics().tasks_living
        fetcher = WatchedFetcher(_scripts(self._plan.ops), self.witness)
        with self.scope:
            async with (
                open_system(
                    fetcher,
                    batch=self._plan.batch,
                    concurrency=self._plan.concurrency,
                    new_id=self._new_id,
                    listeners=[self.witness.committed, self._tell],
                    disk=self._disk,
                    clock=self._clock,
                    attach=self._opened,
                ) as rig,
                trio.open_nursery() as watch,
            ):
                self._rig = self.witness.rig = rig
                watch.start_soon(self._stop_at_the_first_violation)
                watch.start_soon(self._inspect, rig, fetcher)
                async with trio.open_nursery() as callers:
                    for op in self._plan.ops:
                        callers.start_soon(self._at, rig, op)
                if not self._plan.leave_at_once:
                    await trio.sleep(self._plan.batch.job_timeout_s + 2 * INSPECTION_S)
                    self.witness.hold(not self.witness.live(), f"never ended: {self.witness.live()}")
                watch.cancel_scope.cancel()
        if self.witness.violations:
            return
        assert self._rig is not None, "the block was entered"
        tasks = trio.lowlevel.current_statistics().tasks_living
        self.witness.hold(tasks == tasks_before, f"{tasks - tasks_before} tasks are left")
        self.witness.hold(fetcher.active == 0, f"{fetcher.active} fetches outlive the system")
        self.witness.hold(self.deaths <= self._causes, f"{self.deaths} deaths of {self._causes} causes")
        self.witness.drained()
        with self._disk.open("", clock=self._clock, entropy=bytes, keep_urls=False, signed=None) as store:
            self.witness.read_again()
            self.root = store.mark_checkpoint().root

    # ------------------------------------------------------------ what the system is given

    def _new_id(self) -> str:
        job_id = self._ids()
        self.witness.admitting(job_id)
        return job_id

    def _watched_store(self, *args: Any, **options: Any) -> SimulatedStore:
        store = WatchedStore(*args, **options)
        store.witness = self.witness
        return store

    @asynccontextmanager
    async def _opened(self, system: System) -> AsyncIterator[None]:
        self.note("up")
        self.witness.reopened()
        try:
            yield
        finally:
            self.note("down")
            for scope in self._singles:
                scope.cancel()

    def _tell(self, commit: Commit) -> None:
        for recorded in commit.events:
            event = msgspec.json.encode(recorded.event).decode()  # as it reads on the log: a repr tells addresses
            self.note(f"log {recorded.seq}: {recorded.job_id} {event}")

    # ------------------------------------------------------------ what watches it

    async def _stop_at_the_first_violation(self) -> None:
        await self.witness.found.wait()
        self.note(f"VIOLATION {self.witness.violations[0]}")
        self.scope.cancel()

    async def _inspect(self, rig: Rig, fetcher: WatchedFetcher) -> None:
        while True:
            await trio.sleep(INSPECTION_S)
            await wait_all_tasks_blocked()
            if rig.up:
                self.witness.at_rest(fetcher)
                self.witness.hold(
                    self._faulted is None or self._disk.store is not self._faulted,
                    "a system carries on over a fault of its store",
                )

    # ------------------------------------------------------------ operations

    async def _at(self, rig: Rig, op: Op) -> None:
        await trio.sleep(op.at_s)
        self.note(f"begin {op}")
        with trio.move_on_after(MAX_WAIT_S) as bound:
            await self._do(rig, op)
        self.witness.hold(not bound.cancelled_caught, f"never ended: {op}")

    async def _do(self, rig: Rig, op: Op) -> None:
        match op:
            case Submit():
                await self._submit(rig, op)
            case Poll():
                await self._poll(rig, op)
            case Cancel():
                await self._cancel(rig, op)
            case Fetch():
                await self._fetch(rig, op)
            case Contradict():
                await self._contradict(rig, op)
            case SetClock(by_s=by_s):
                self._clock.jump(by_s)
                self.witness.clock_set(by_s)
            case Restart():
                await rig.restart()
            case Crash(place=place, nth=nth) if place is not None:
                rig.failpoints.at(place, self.crash_now, nth=nth)
            case Crash():
                self._causes += 1
                await rig.crash()
            case StoreFault(place=place, nth=nth):
                rig.failpoints.at(place, self._fault, nth=nth)
            case _:
                assert_never(op)

    def _fault(self) -> None:
        self.note("the store reports a fault")
        self._causes += 1
        self._faulted = self._disk.store
        self._disk.fail()

    async def _submit(self, rig: Rig, op: Submit) -> None:
        # A system that drains still has a door, until it is gone.
        system = rig.system if rig.system.journal.running else await rig.running()
        store = self._disk.store
        assert store is not None, "it is up"
        caller = _caller(op.caller)
        submission = Submission(caller, tuple(Target(page.url) for page in op.pages), op.key)
        specs = tuple(TargetSpec(page.url, "{}") for page in op.pages)
        async with trio.open_nursery() as nursery:
            if op.patience is not None:
                nursery.start_soon(_lose_patience, op.patience, nursery.cancel_scope)
            self._submitting[op.caller] += 1
            try:
                submitted = await system.runner.submit(submission)
            except (CallerBusy, TooManyLive, KeyReused, Draining, ActorDied, apsw.ConnectionClosedError) as error:
                self._judge_refusal(op, error, idem_key_of(caller, specs, op.key), specs, system)
            else:
                self._judge_answer(op, submitted, specs, store)
            finally:
                self._submitting[op.caller] -= 1
            nursery.cancel_scope.cancel()

    def _judge_answer(
        self, op: Submit, submitted: Submitted, specs: tuple[TargetSpec, ...], store: SimulatedStore
    ) -> None:
        if store.crashed:  # nobody heard it
            return
        self.note(f"told {op.caller}: {submitted}")
        self.witness.acknowledged.add(submitted.job_id)
        hold, job = self.witness.hold, self.witness.jobs.get(submitted.job_id)
        if job is None:  # the witness may be a listener behind the one that brought the system down
            hold(not self._running(store), f"{submitted.job_id} was acknowledged and is not on the log")
            return
        known = self._acknowledged.setdefault(op.caller, [])
        if job.id not in known:
            known.append(job.id)
        if submitted.reused:
            self.witness.looked_at(job.id)
            answers = op.key is not None or submitted.status in ("queued", "running", "done")
            hold(answers, f"{job.id} is {submitted.status} and was given again")
        hold(job.caller == op.caller, f"{op.caller} was given {job.id}, which is {job.caller}'s")
        hold(submitted.targets == len(specs), f"{job.id} is said to have {submitted.targets} targets")
        if not job.removed:
            hold(tuple(TargetSpec(t.url, t.options) for t in job.targets) == specs, f"{job.id} has other targets")
            if self._running(store):
                assert self._rig is not None, "it was up"
                view = self._rig.system.reader.job(job.id)
                hold(view is not None, f"{job.id} cannot be read the moment it is acknowledged")

    def _running(self, store: SimulatedStore) -> bool:
        """Whether the system over `store` still does what a system does."""
        return self._disk.store is store and self._rig is not None and self._rig.system.journal.running

    def _judge_refusal(
        self, op: Submit, error: BaseException, idem_key: str, specs: tuple[TargetSpec, ...], system: System
    ) -> None:
        hold, batch = self.witness.hold, self._plan.batch
        self.note(f"told {op.caller}: {error!r}")
        jobs, live = self.witness.jobs, self.witness.live()
        earlier = reusable(jobs.values(), op.caller, idem_key, self.witness.now, batch.ttl_s)
        match error:
            case CallerBusy():
                own = sum(job.caller == op.caller for job in live) + self._submitting[op.caller]
                hold(own >= batch.max_live_per_caller, f"{op.caller} is refused as busy with {own} live jobs")
                hold(earlier is None, f"busy, though {earlier and earlier.id} answers")
            case TooManyLive():
                count = len(live) + self._submitting.total()
                hold(count >= batch.max_live, f"refused for {count} live jobs in all")
                hold(earlier is None, f"too many, though {earlier and earlier.id} answers")
            case KeyReused():
                others = earlier and tuple(TargetSpec(t.url, t.options) for t in earlier.targets)
                hold(others is not None and others != specs, "a key is said to stand for another batch")
            case Draining():
                hold(system.runner.draining, "a system that does not drain says it does")
            case _:
                hold(not system.journal.running, f"{error!r} from a system that lives")

    async def _poll(self, rig: Rig, op: Poll) -> None:
        for _ in range(op.times):
            system = await rig.running()
            if (job := self._job_of(op.caller, op.job)) is None:
                return
            view = system.reader.job(job.id, results=True)
            if view is None:
                self.witness.hold(job.removed, f"{job.id} was acknowledged and cannot be read")
                return
            if system.journal.running:
                self.witness.seen(view)
            self.witness.looked_at(job.id)
            system.runner.touch(job.id)
            await trio.sleep(op.every_s)

    async def _cancel(self, rig: Rig, op: Cancel) -> None:
        system, store = await rig.running(), self._disk.store
        assert store is not None, "it is up"
        if (job := self._job_of(op.caller, op.job)) is None:
            return
        try:
            await system.runner.cancel(job.id)
        except AlreadyFinished:
            self.witness.hold(not is_live(self.witness.jobs[job.id]), f"{job.id} is live and cannot be cancelled")
        except ActorDied:
            self.witness.hold(not system.journal.running, f"{job.id} cannot be cancelled and the journal lives")
        else:
            if not store.crashed:
                self.witness.cancelled.add(job.id)
            if self._running(store):
                self.witness.hold_cancelled(job.id)

    async def _fetch(self, rig: Rig, op: Fetch) -> None:
        system = await rig.running()
        with trio.move_on_after(SINGLE_FETCH_S) as scope:
            self._singles.add(scope)
            try:
                await system.runner.fetch(Target(op.page.url), _caller(op.caller))
            except (Draining, TooManyLive, _Bug):
                pass
            finally:
                self._singles.discard(scope)

    async def _contradict(self, rig: Rig, op: Contradict) -> None:
        """Half of the write is made before the other half is found to be wrong: none of it may stay."""
        system = await rig.running()
        if not self.witness.jobs:
            return
        job_id = list(self.witness.jobs)[op.job % len(self.witness.jobs)]

        def write(store: BatchStore) -> None:
            store.execute(job_id, Touch((self.witness.now + 7) * 1000))
            store.evict_batch_oldest(0)
            raise Contradiction("on second thoughts")

        with suppress(Contradiction, ActorDied):
            await system.journal.write(write)

    def _job_of(self, caller: str, nth: int) -> Job | None:
        known = self._acknowledged.get(caller)
        return self.witness.jobs[known[nth % len(known)]] if known else None


class _Bug(Exception):
    """What a fetcher trips over in a run."""


def _caller(name: str) -> Caller:
    return Caller(name, "fleet" if name < "c" else "restricted")


def _scripts(ops: Sequence[Op]) -> dict[str, Script]:
    pages = [page for op in ops if isinstance(op, Submit) for page in op.pages]
    pages += [op.page for op in ops if isinstance(op, Fetch)]
    return {page.url: _script(page) for page in pages}


def _script(page: Page) -> Script:
    delay_s = math.inf if page.delay_s is None else page.delay_s
    match page.then:
        case "answer":
            return Script(content="x" * page.nbytes, delay_s=delay_s)
        case "fail":
            return Script(error="http 500", hint="try again later", delay_s=delay_s)
        case "crash":
            return Script(crash=_Bug(page.url), delay_s=delay_s)


async def _lose_patience(steps: int, scope: trio.CancelScope) -> None:
    for _ in range(steps):
        await trio.lowlevel.checkpoint()
    scope.cancel()


def _line(recorded: Recorded) -> bytes:
    return b"%d " % recorded.seq + encode(Stored(recorded.job_id, recorded.version, recorded.event))


def _words(error: BaseException) -> str:
    if isinstance(error, BaseExceptionGroup):
        return "; ".join(_words(inner) for inner in error.exceptions)
    if isinstance(error.__cause__, Stalled):
        return f"the run cannot end: {error.__cause__}"
    return f"the run ended by {error!r} at {place_of(error)}"
