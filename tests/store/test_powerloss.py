"""No loss of power loses what was acknowledged or leaves a store that is not whole.

One run of the store is recorded, operation by operation. After each of them the power is lost, and what a disk could
then hold is opened by the real code, several times over. What it must find is known from the events alone: they are
folded here, once for each position of the log.
"""

import tempfile
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from functools import partial
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import apsw
import pytest
import trio
from gofer.actors.journal import Commit, Journal
from gofer.events.job import (
    INTERRUPTED,
    Cancel,
    CompleteTarget,
    FailTarget,
    Finish,
    Job,
    JobInterrupted,
    JobSubmitted,
    Start,
    StartTarget,
    Submit,
    TargetSpec,
    Touch,
    evolve,
)
from gofer.events.merkle import CompactRange, leaf_hash
from gofer.events.recorded import Recorded, Stored, encode
from gofer.store import wal
from gofer.store.batch import BatchJob, BatchStore
from gofer.store.faults import Operation, PowerLossDisk, Sync, recorded
from gofer.store.log import leaves
from gofer.store.note import Checkpoint

IMAGES = 10_000
ROUNDS = 56
COPY_PAGES = 30  # the WAL is copied this early here, so that it happens often
RESTART_S = 1_000_000  # when a machine comes back, unix seconds
NAME = "gofer.db"


class Run:
    """A run of the store, and what was promised when."""

    def __init__(self) -> None:
        self.events: list[Recorded] = []
        self.bodies: dict[str, str] = {}  # by SHA-256
        self.operations: Sequence[Operation] = []
        self.acknowledged: list[tuple[int, int]] = [
            (0, 0)
        ]  # after so many operations the log was told to reach there
        self.signed: list[tuple[int, CompactRange]] = [(0, CompactRange())]
        self.rows: list[tuple[int, str, int, bytes, bytes]] = []

    def committed(self, commit: Commit) -> None:
        self.events += commit.events
        self.acknowledged.append((len(self.operations), commit.events[-1].seq))

    def at(self, promised: Sequence[tuple[int, Any]], operations: int) -> Any:
        """The last of what was promised within the first so many operations."""
        return promised[bisect_right(promised, operations, key=lambda each: each[0]) - 1][1]


# ---------------------------------------------------------------- the run


async def work(run: Run, store: BatchStore, random: Random, rounds: range) -> None:
    """Jobs come, are worked on and end, in group commits; the janitor's writes and marks come between them."""
    journal = Journal(store, listeners=[run.committed], inline=True)
    async with trio.open_nursery() as nursery:
        await nursery.start(journal.run)
        for n in rounds:
            await one_round(run, journal, random, n)
        journal.end()


async def one_round(run: Run, journal: Journal, random: Random, n: int) -> None:
    at_ms, job_id = n * 1000, f"job-{n:03}"
    specs = tuple(TargetSpec(f"http://{n}.example/{idx}", "{}") for idx in range(random.randint(1, 4)))
    submitted = JobSubmitted(
        at_ms=at_ms, job_id=job_id, caller="alice", caller_class="fleet", idem_key=f"key {n}",
        targets_total=len(specs), created_at=n, lease=n,
    )  # fmt: skip
    # What goes without an answer waits in the mailbox until the write below is awaited: one group, one transaction.
    tell = partial(journal.execute_nowait, job_id)
    tell(Submit(submitted, specs))
    if n % 8:  # some stay queued until the next start
        tell(Start(at_ms))
    tell(StartTarget(at_ms, 0))
    for idx in range(1, len(specs)):
        if n % 9:
            tell(FailTarget(at_ms, idx, f"http {idx}", "look again"))
    tell(StartTarget(at_ms, 99))  # contradicts the job, and fails alone
    body = random.choice("äbc") * random.choice((10, 700, 6_000, 15_000))
    command = CompleteTarget.of(at_ms, 0, body)
    assert command.sha256
    run.bodies[command.sha256] = body
    await journal.write(lambda store: store.execute(job_id, command, {0: body}))
    if n % 5 == 0:
        journal.execute_nowait(job_id, Cancel(at_ms))
    elif n % 9:
        journal.execute_nowait(job_id, Finish(at_ms))
    await journal.execute(f"job-{random.randrange(n):03}" if n else job_id, Touch(at_ms))
    if n % 6 == 5:
        await journal.write(lambda store: store.evict_batch_oldest(40_000))
    if n % 10 == 9:
        await journal.write(lambda store: store.sweep_batch(n, 9))
    if n % 7 == 3:
        tree = await journal.write(lambda store: store.mark_checkpoint())
        run.signed.append((len(run.operations), tree))  # the note is written before anything else happens


def record(folder: Path, *, synchronous: str = "full", seed: int = 1) -> Run:
    """A run with a clean restart in its middle."""
    run, random = Run(), Random(seed)
    with pytest.MonkeyPatch.context() as patch, recorded() as run.operations:
        patch.setattr(wal, "COPY_PAGES", COPY_PAGES)
        for rounds in (range(ROUNDS // 2), range(ROUNDS // 2, ROUNDS)):
            with BatchStore.open(folder / NAME, clock=lambda: 0, entropy=random.randbytes) as store:
                store.connection.pragma("synchronous", synchronous)
                with store.transaction() as events:
                    store.mark_in_flight_failed(INTERRUPTED, rounds.start)
                run.events += events
                run.acknowledged.append((len(run.operations), store.head()))
                trio.run(work, run, store, random, rounds)
                run.rows = list(leaves(store.connection))
    assert [seq for seq, *_ in run.rows] == [event.seq for event in run.events] == [*range(1, len(run.rows) + 1)]
    return run


# ---------------------------------------------------------------- what must be found


class Expected:
    """What a store must hold at each position of a run's log, by folding its events."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self.trees = [CompactRange()]
        for *_, data, leaf in run.rows:
            assert leaf == leaf_hash(data)
            self.trees.append(self.trees[-1].extended([leaf]))
        self._known: dict[tuple[int, bool], tuple[int, Mapping[str, list[Any]]]] = {}

    def at(self, head: int, *, reconciled: bool) -> tuple[int, Mapping[str, list[Any]]]:
        """How many jobs are live at `head`, and each table; `reconciled`: once those were failed."""
        if (head, reconciled) not in self._known:
            self._known[head, reconciled] = self._fold(head, reconciled)
        return self._known[head, reconciled]

    def _fold(self, head: int, reconciled: bool) -> tuple[int, Mapping[str, list[Any]]]:
        jobs: dict[str, Job] = {}
        for each in self._run.events[:head]:
            jobs[each.job_id] = evolve(jobs.get(each.job_id), each.event)
            assert jobs[each.job_id].version == each.version
        rows, tree = self._run.rows[:head], self.trees[head]
        live = [id for id, job in jobs.items() if not job.terminal and not job.removed]
        for id in live if reconciled else ():
            interrupted = JobInterrupted(RESTART_S * 1000, INTERRUPTED)
            jobs[id] = evolve(jobs[id], interrupted)
            data = encode(Stored(id, jobs[id].version, interrupted))
            rows.append((tree.size + 1, id, jobs[id].version, data, leaf_hash(data)))
            tree = tree.extended([leaf_hash(data)])
        kept = [job for _, job in sorted(jobs.items()) if not job.removed]
        return len(live), {
            "event": rows,
            "tree": [(tree.size, tree.to_bytes())],
            "projection": [(tree.size,)],
            "job_key": [(job.id,) for job in kept],
            "batch_job": [tuple(getattr(job, field) for field in BatchJob.__struct_fields__) for job in kept],
            "batch_target": [
                (job.id, idx, t.url, t.options, t.status, t.error, t.hint, self._run.bodies.get(t.sha256 or ""))
                for job in kept
                for idx, t in enumerate(job.targets)
            ],
        }


def tables(db: apsw.Connection) -> Mapping[str, list[Any]]:
    return {
        "event": list(db.execute("SELECT seq, job_id, version, CAST(data AS BLOB), leaf FROM event ORDER BY seq")),
        "tree": list(db.execute("SELECT * FROM tree")),
        "projection": list(db.execute("SELECT * FROM projection")),
        "job_key": list(db.execute("SELECT job_id FROM job_key ORDER BY job_id")),
        "batch_job": list(db.execute(f"SELECT {', '.join(BatchJob.__struct_fields__)} FROM batch_job ORDER BY id")),
        "batch_target": list(
            db.execute(
                "SELECT job_id, idx, url, options, status, error, hint, result FROM batch_target ORDER BY job_id, idx"
            )
        ),
    }


# ---------------------------------------------------------------- what is found


class Lost(AssertionError):
    """Something acknowledged is not there."""


class Machine:
    """One that comes back with a disk, again and again."""

    def __init__(self, folder: Path, run: Run) -> None:
        self.path = folder / NAME
        self.expected = Expected(run)

    def put(self, files: Mapping[str, bytes]) -> None:
        for suffix in ("", "-wal", "-journal", "-shm"):
            path = self.path.with_name(NAME + suffix)
            if path.name in files:
                path.write_bytes(files[path.name])
            else:
                path.unlink(missing_ok=True)

    def recover(self, signed: CompactRange) -> int:
        """What `open_system` does before anything else; the head that it found."""
        with self.open(signed) as store:
            head = store.head()
            store.mark_in_flight_failed(INTERRUPTED, RESTART_S)
        return head

    def open(self, signed: CompactRange) -> BatchStore:
        note = Checkpoint("log", signed.size, signed.root) if signed.size else None
        return BatchStore.open(self.path, clock=lambda: RESTART_S, signed=note)

    def check(
        self,
        files: Mapping[str, bytes],
        acknowledged: int,
        signed: CompactRange,
        recovered_at: int | None = None,
        *,
        told: bool = False,
    ) -> int:
        """Start with these files, check all that is promised, and answer the head that was found.

        `recovered_at` is the head that an earlier start found, which began to fail the live jobs; `told`: and did.
        """
        self.put(files)
        with self.open(signed) as store:
            db, head = store.connection, store.head()
            assert db.pragma("integrity_check") == "ok"
            if head < acknowledged:
                raise Lost(f"the log ends at {head}, {acknowledged} was acknowledged")
            trees = self.expected.trees
            assert signed == trees[signed.size], "what was signed is a prefix of what is found"
            marks = list(db.execute("SELECT size, subtrees FROM checkpoint"))
            assert all(trees[size].to_bytes() == subtrees for size, subtrees in marks)
            if recovered_at is not None:
                live, after = self.expected.at(recovered_at, reconciled=True)
                assert head in ([] if told else [recovered_at]) + [recovered_at + live]
                if head == recovered_at + live:  # nothing is left to be done
                    assert tables(db) == after
                    assert store.mark_in_flight_failed(INTERRUPTED, RESTART_S) == 0
                    return head
            live, before = self.expected.at(head, reconciled=False)
            assert tables(db) == before
            assert store.mark_in_flight_failed(INTERRUPTED, RESTART_S) == live
            assert store.mark_in_flight_failed(INTERRUPTED, RESTART_S) == 0
            assert tables(db) == self.expected.at(head, reconciled=True)[1]
        return head


def images(run: Run, count: int) -> Iterator[tuple[int, dict[str, bytes]]]:
    """At least `count` disks after a loss of power, spread evenly over the run, each after how many operations."""
    disk, count = PowerLossDisk(), max(count, len(run.operations))
    made = 0
    for done, operation in enumerate(run.operations, 1):
        disk.apply(operation)
        while made * len(run.operations) < done * count:
            yield done, disk.lose_power(Random(made))
            made += 1


# ---------------------------------------------------------------- tests


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    """In memory where the machine has that: the disk is played, and a real one would only be waited for."""
    memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None) as folder:
        yield Path(folder)


@pytest.fixture
def make(folder: Path) -> Callable[..., Run]:
    """A recorded run, in a folder of its own."""

    def make(**options: Any) -> Run:
        with tempfile.TemporaryDirectory(dir=folder) as own:
            return record(Path(own), **options)

    return make


@pytest.fixture(scope="module")
def run(folder: Path) -> Run:
    with tempfile.TemporaryDirectory(dir=folder) as own:
        return record(Path(own))


@pytest.fixture(scope="module")
def machine(folder: Path, run: Run) -> Machine:
    return Machine(folder, run)


def test_no_acknowledged_event_is_lost_and_what_is_found_is_whole(run: Run, machine: Machine) -> None:
    tried, torn, heads = 0, 0, set()
    for done, files in images(run, IMAGES):
        acknowledged = run.at(run.acknowledged, done)
        head = machine.check(files, acknowledged, run.at(run.signed, done))
        tried, torn = tried + 1, torn + (head > acknowledged)
        heads.add(head)
    assert tried >= IMAGES
    assert torn > IMAGES / 100, "some were committed and not yet acknowledged"
    assert len(heads) > 100


def test_power_lost_again_during_recovery_changes_nothing(run: Run, machine: Machine) -> None:
    """The store that a first loss of power left is opened and reconciled, and its disk lost in the middle of that."""
    tried, chosen = 0, Random(7)
    for done, files in images(run, 0):
        if chosen.random() > 60 / len(run.operations):
            continue
        acknowledged, signed = run.at(run.acknowledged, done), run.at(run.signed, done)
        machine.put(files)
        with recorded() as operations:
            found = machine.recover(signed)
        disk = PowerLossDisk(files)
        for n, operation in enumerate(operations, 1):
            disk.apply(operation)
            if n % 3 == 0 or n == len(operations):
                machine.check(disk.lose_power(Random(n)), acknowledged, signed, found, told=n == len(operations))
                tried += 1
    assert tried > 500


def test_a_restart_does_not_build_on_a_sync_that_failed(run: Run, machine: Machine) -> None:
    """After a failed sync the cache reads well and the disk has nothing: what is acknowledged later must not lean on
    it.
    """
    disk, tried = PowerLossDisk(), 0
    for n, operation in enumerate(run.operations):
        if isinstance(operation, Sync):
            acknowledged, signed = run.at(run.acknowledged, n), run.at(run.signed, n)
            failed = disk.after_failed_sync()
            machine.put(disk.cached())
            with recorded() as operations:
                found = machine.recover(signed)
            for each in operations:
                failed.apply(each)
            machine.check(failed.lose_power(Random(n)), acknowledged, signed, found, told=True)
            tried += 1
        disk.apply(operation)
    assert tried > 100


def test_without_syncing_each_commit_the_same_run_loses_what_it_acknowledged(
    folder: Path, make: Callable[..., Run]
) -> None:
    """The control: were this found harmless, the tests above would prove nothing."""
    run = make(synchronous="normal")
    machine = Machine(folder, run)

    def lost(done: int, files: Mapping[str, bytes]) -> bool:
        try:
            machine.check(files, run.at(run.acknowledged, done), CompactRange())
        except Lost:
            return True
        return False

    assert sum(islice((True for image in images(run, 0) if lost(*image)), 10)) == 10


def test_without_syncs_at_all_the_same_run_corrupts_the_file(folder: Path, make: Callable[..., Run]) -> None:
    """The other control."""
    run = make(synchronous="off")
    machine = Machine(folder, run)

    def corrupt(files: Mapping[str, bytes]) -> bool:
        machine.put(files)
        try:
            with closing(apsw.Connection(str(machine.path))) as db:
                return bool(db.pragma("integrity_check(1)") != "ok")
        except apsw.Error:
            return True

    assert sum(islice((True for _, files in images(run, 0) if corrupt(files)), 10)) == 10
