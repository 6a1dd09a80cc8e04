"""`BatchStore`: the synchronous storage API over the log and its projections. Pure: the caller decides the clock.

Each write loads the job, lets `act` say what happens, appends those events and projects the new state, in one
transaction. A job that does not exist is `None` or 0 and counts as a miss; a call that contradicts the job's state
raises a `Contradiction` of `gofer.events.job` and changes nothing.
"""

import os
import secrets
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, nullcontext
from pathlib import Path
from types import MappingProxyType, TracebackType
from typing import Self

import apsw
import msgspec
from outcome import Error, Outcome, Value

from ..events.job import (
    AddTargets,
    Cancel,
    Command,
    CompleteTarget,
    Contradiction,
    Event,
    Evict,
    FailTarget,
    Finish,
    IllegalTransition,
    Interrupt,
    Job,
    JobStatus,
    JobSubmitted,
    Start,
    StartTarget,
    Submit,
    Sweep,
    TargetDone,
    TargetSpec,
    TargetStatus,
    Touch,
    act,
    fold,
)
from ..events.merkle import CompactRange
from ..events.recorded import Recorded
from . import projection
from .database import MEMORY, FilesInPlace, StoreError, WriterLock, open_writer, opening, transaction
from .log import EventLog, load, read, verify
from .note import Checkpoint
from .projection import NO_BODIES, Change
from .rows import BatchJob, BatchTarget, job_exists, select_job, select_job_by_idem, select_targets
from .wal import Wal

__all__ = ["Append", "BatchJob", "BatchStore", "BatchTarget"]


class Append(msgspec.Struct, frozen=True):
    """Events for the stream that stands at `before`, and `after`, where they lead: `act` gives both, or `of`.

    `bodies` holds the result of each `TargetDone` in `events` that has one.
    """

    before: Job | None
    events: Sequence[Event]
    after: Job
    bodies: Mapping[int, str] = NO_BODIES

    @classmethod
    def of(cls, before: Job | None, events: Sequence[Event], bodies: Mapping[int, str] = NO_BODIES) -> Self:
        """Of `events` that nobody has folded yet. Raises a `Contradiction` if they are none or do not follow."""
        after = fold(events, before)
        if after is None or not events:
            raise Contradiction("no events to append")
        return cls(before, events, after, bodies)


class BatchStore:
    """The log and its projections in one SQLite file, written by this process alone."""

    def __init__(
        self,
        db: apsw.Connection,
        lock: WriterLock | None,
        *,
        clock: Callable[[], float],
        entropy: Callable[[int], bytes],
        keep_urls: bool,
        signed: Checkpoint | None,
    ) -> None:
        self.connection = db  # for this package; others come through the methods
        self._lock = lock
        self._clock = clock
        self._keep_urls = keep_urls
        self._misses: Counter[str] = Counter()
        verify(db, signed)
        with transaction(db):
            projection.catch_up(db)
        self._wal = Wal(db)
        self._files = FilesInPlace(db.filename) if lock else None
        self._log = EventLog(db, entropy)
        self._nbytes = int(db.execute("SELECT coalesce(sum(nbytes), 0) FROM batch_job").get)

    @classmethod
    def open(
        cls,
        path: str | Path,
        *,
        clock: Callable[[], float] = time.time,
        entropy: Callable[[int], bytes] = secrets.token_bytes,
        keep_urls: bool = False,
        signed: Checkpoint | None = None,
    ) -> Self:
        """Open or make the database at `path`; ":memory:" keeps it in memory. `clock` (unix s) serves `batch_job`.

        `entropy` makes the jobs' keys; `keep_urls` keeps them when their job is swept or evicted. `signed` is the
        newest checkpoint kept outside the file, from which on the log is verified; without it, the last one inside.

        Raises a `StoreError`: `StoreInUse` while another process or store has it open, `NotAStore`, `SchemaTooNew`,
        `SqliteUnfit`, `LogDamaged` if the log since its last checkpoint is not what was written; the file is then
        unchanged. `StoreFailed` if the disk fails.
        """
        with ExitStack() as opened:
            lock = None
            if str(path) != MEMORY:
                path = Path(os.path.realpath(path))  # one file, one lock, by whatever link it is reached
                lock = WriterLock(path)
                opened.callback(lock.release)
            db = open_writer(str(path))
            opened.callback(db.close)
            with opening(str(path)):
                store = cls(db, lock, clock=clock, entropy=entropy, keep_urls=keep_urls, signed=signed)
            opened.pop_all()
        return store

    def close(self) -> None:
        """Close the file; closing twice is fine."""
        try:
            self.connection.close()
        finally:
            if self._lock:
                self._lock.release()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, exc: BaseException | None, tb: TracebackType | None) -> None:
        self.close()

    # ------------------------------------------------------------ jobs

    def create_batch_job(self, job: BatchJob) -> None:
        """Store `job` as given. Raises `JobExists`, or `Contradiction` for counts that cannot be."""
        submitted = JobSubmitted(
            at_ms=job.created_at * 1000,
            job_id=job.id,
            **{field: getattr(job, field) for field in BatchJob.__struct_fields__ if field != "id"},
        )
        with self.transaction():
            self.execute(job.id, Submit(submitted))

    def batch_job(self, id: str) -> BatchJob | None:
        """The job, its lease set to the clock's now: who reads slowly keeps it alive."""
        with self.transaction():
            if self._apply("batch_job", id, Touch(int(self._clock() * 1000))) is None:
                return None
            return select_job(self.connection, id)

    def batch_job_by_idem(self, caller: str, idem_key: str, now: int, ttl: int) -> str | None:
        """The id of the caller's newest job under `idem_key` whose lease holds at `now`, whatever its status."""
        found = select_job_by_idem(self.connection, caller, idem_key, now, ttl)
        if found is None:
            self._misses["batch_job_by_idem"] += 1
        return found

    def live_batch_jobs(self, caller: str) -> int:
        """How many jobs of `caller` are queued or running."""
        return int(
            self.connection.execute(
                "SELECT count(*) FROM batch_job WHERE caller = ? AND status IN ('queued', 'running')", (caller,)
            ).get
        )

    def live_batch_jobs_total(self) -> int:
        """How many jobs are queued or running."""
        return len(self.live_job_ids())

    def set_batch_job_status(self, id: str, status: JobStatus, error: str, now: int) -> None:
        """Move the job to `status` and set its lease. What `failed` and `cancelled` leave unfinished fails with it.

        Raises `IllegalTransition` for a step the table lacks, and for `done` or `partial` over unfinished targets.
        """
        at_ms = now * 1000
        command: Command
        match status:
            case "queued":
                command = Touch(at_ms)
            case "running":
                command = Start(at_ms)
            case "done" | "partial" | "failed":
                command = Finish(at_ms, status, error)
            case "cancelled":
                command = Cancel(at_ms, error)
            case _:
                raise Contradiction(f"no such job status: {status!r}")
        with self.transaction():
            job = self._apply("set_batch_job_status", id, command)
            if job is not None and job.status != status:
                raise IllegalTransition(status, job.status)

    def touch_batch_job(self, id: str, now: int) -> None:
        """Set the job's lease to `now`."""
        with self.transaction():
            self._apply("touch_batch_job", id, Touch(now * 1000))

    # ------------------------------------------------------------ targets

    def put_batch_targets(self, job_id: str, targets: Sequence[BatchTarget]) -> None:
        """Give the job its targets, as given; their idx must be 0..n-1. The same targets again change nothing.

        Raises `Contradiction` if they are not the job's number, or the job has others.
        """
        ordered = sorted(targets, key=lambda target: target.idx)
        if [target.idx for target in ordered] != list(range(len(ordered))):
            raise Contradiction("the targets' idx are not 0..n-1")
        if any(target.job_id != job_id for target in ordered):
            raise Contradiction("a target of another job")
        with self.transaction():
            specs = tuple(TargetSpec(target.url, target.options) for target in ordered)
            job = self._apply("put_batch_targets", job_id, AddTargets(specs))
            for target in ordered if job else ():
                if job and target.status != "pending":
                    command, bodies = _target_command(target, job.lease * 1000)
                    self.execute(job_id, command, bodies)

    def batch_targets(self, job_id: str) -> list[BatchTarget] | None:
        """The job's targets in idx order, with their results."""
        if not job_exists(self.connection, job_id):
            self._misses["batch_targets"] += 1
            return None
        return select_targets(self.connection, job_id, results=True)

    def update_batch_target(
        self,
        job_id: str,
        idx: int,
        now: int,
        status: TargetStatus,
        result: str | None = None,
        error: str | None = None,
        hint: str | None = None,
    ) -> None:
        """Move one target and set the job's lease; its counts follow.

        Raises `UnknownTarget` for an idx the job has not, `IllegalTransition` for a step the table lacks, and
        `Contradiction` for a result of a target that is not done or an error of one that did not fail.
        """
        target = BatchTarget(job_id, idx, "", "", status, result, error, hint)
        command, bodies = _target_command(target, now * 1000)
        with self.transaction():
            self._apply("update_batch_target", job_id, command, bodies)

    # ------------------------------------------------------------ keeping house

    def sweep_batch(self, now: int, ttl: int) -> int:
        """Delete each job with `lease + ttl <= now`, with its targets; how many."""
        with self.transaction():
            ids = [id for (id,) in self.connection.execute("SELECT id FROM batch_job WHERE lease <= ?", (now - ttl,))]
            return self._execute_each(ids, Sweep(now * 1000, ttl))

    def evict_batch_oldest(self, max_bytes: int) -> int:
        """Delete finished jobs, oldest lease first, until `batch_nbytes() <= max_bytes`; how many."""
        evicted = 0
        with self.transaction():
            while self._nbytes > max_bytes:
                row = self.connection.execute(
                    "SELECT id, lease FROM batch_job WHERE status NOT IN ('queued', 'running') AND nbytes > 0"
                    " ORDER BY lease, rowid LIMIT 1"
                ).fetchone()
                if row is None:
                    break  # only live jobs are left, and those stay
                evicted += self._execute_each([row[0]], Evict(row[1] * 1000))
        return evicted

    def mark_in_flight_failed(self, reason: str, now: int) -> int:
        """Fail each queued or running job, and its unfinished targets, with `reason`; how many."""
        with self.transaction():
            return self._execute_each(self.live_job_ids(), Interrupt(now * 1000, reason))

    def batch_nbytes(self) -> int:
        """The bytes of all stored results."""
        return self._nbytes

    @property
    def misses(self) -> Mapping[str, int]:
        """Calls for a job that is not there, by method."""
        return MappingProxyType(self._misses)

    # ------------------------------------------------------------ events

    @contextmanager
    def transaction(self) -> Iterator[list[Recorded]]:
        """All or nothing for the block; inside another transaction a savepoint. Committed is durable.

        Yields the events appended in the whole transaction, a list that grows. Raises `StoreGone` after a commit
        that no later start will find.
        """
        log, outermost = self._log, not self.connection.in_transaction
        if outermost:
            log.appended = []
        tree, appended, nbytes = log.tree, len(log.appended), self._nbytes
        try:
            with transaction(self.connection):
                yield log.appended
                if outermost and log.appended:
                    log.flush()
                    projection.advance(self.connection, log.tree.size)
        except BaseException:
            log.rewind(tree, appended)
            self._nbytes = nbytes
            raise
        if outermost:
            self._wal.settle()
            if self._files:
                self._files.check()

    def load(self, job_id: str) -> Job | None:
        """The job's state, folded from the log."""
        return load(self.connection, job_id)

    def execute(
        self, job_id: str, command: Command, bodies: Mapping[int, str] = NO_BODIES
    ) -> tuple[Job | None, list[Recorded]]:
        """Load the job, decide, append: its state after `command`, and what was appended."""
        before = self.load(job_id)
        events, after = act(before, command)
        if after is None or not events:
            return after, []
        return self.append(Append(before, events, after, bodies))

    def append(self, append: Append) -> tuple[Job, list[Recorded]]:
        """Append to a stream, and project, in one transaction: the job after it, and what was appended.

        Raises what an append of `append_each` may fail with; then nothing was appended.
        """
        with nullcontext() if self.connection.in_transaction else self.transaction():
            [outcome] = self.append_each([append])
        return outcome.unwrap(), self._log.appended[-len(append.events) :]

    def append_each(self, appends: Iterable[Append]) -> list[Outcome[Job]]:
        """Append to many streams and project, in the caller's transaction: for each its state after that, or why not.

        An append fails alone, with `VersionConflict` if the stream has moved on, `KeyMissing` if its job's key is
        gone, and `Contradiction` if a body is missing. Together they cost much less than one by one.
        """
        outcomes: list[Outcome[Job]] = []
        changes: dict[str, Change] = {}
        for append in appends:
            before, after = append.before, append.after
            try:
                bodies = _bodies(append)
                self._log.stage(after.id, before.version if before else 0, append.events)
            except (Contradiction, StoreError) as error:
                outcomes.append(Error(error))
                continue
            outcomes.append(Value(after))
            if after.id in changes:
                before, _, earlier = changes[after.id]
                bodies = {**earlier, **bodies}
            changes[after.id] = (before, after, bodies)
        self._log.append()
        projection.project(self.connection, changes.values())
        for before, after, _ in changes.values():
            if after.removed:
                self._wal.scrub()
                if not self._keep_urls:
                    self._log.forget(after.id)
            self._nbytes += (0 if after.removed else after.nbytes) - (before.nbytes if before else 0)
        return outcomes

    def head(self) -> int:
        """The position of the last event on the log."""
        return self._log.tree.size

    def read(self, after_seq: int) -> list[Recorded]:
        """The events behind position `after_seq`, in log order, with what is private and not forgotten."""
        return list(read(self.connection, after_seq))

    def mark_checkpoint(self) -> CompactRange:
        """The tree as it is, remembered: once the transaction is durable, it may be signed."""
        return self._log.mark()

    def live_job_ids(self) -> list[str]:
        """The queued and running jobs, oldest first."""
        rows = self.connection.execute(
            "SELECT id FROM batch_job WHERE status IN ('queued', 'running') ORDER BY rowid"
        )
        return [id for (id,) in rows]

    def _apply(
        self, accessor: str, job_id: str, command: Command, bodies: Mapping[int, str] = NO_BODIES
    ) -> Job | None:
        """`execute`, with a miss counted for `accessor`. None if there is no such job (any more)."""
        job, _ = self.execute(job_id, command, bodies)
        if job is None or job.removed:
            self._misses[accessor] += 1
            return None
        return job

    def _execute_each(self, ids: Iterable[str], command: Command) -> int:
        return sum(bool(self.execute(id, command)[1]) for id in ids)


def _bodies(append: Append) -> dict[int, str]:
    """The bodies that its events are about. Raises `Contradiction`."""
    bodies = dict[int, str]()
    for event in append.events:
        if type(event) is TargetDone and event.sha256 is not None:
            if event.idx not in append.bodies:
                raise Contradiction(f"target {event.idx} is done with a result that was not given")
            bodies[event.idx] = append.bodies[event.idx]
    return bodies


def _target_command(target: BatchTarget, at_ms: int) -> tuple[Command, Mapping[int, str]]:
    """The command that moves a target to where `target` says it is, and the body that goes with it."""
    status, result, error = target.status, target.result, target.error
    if result is not None and status != "done":
        raise Contradiction(f"a {status} target has no result")
    if (error or target.hint) and status != "failed":
        raise Contradiction(f"a {status} target has no error")
    match status:
        case "running":
            return StartTarget(at_ms, target.idx), NO_BODIES
        case "done":
            bodies = NO_BODIES if result is None else {target.idx: result}
            return CompleteTarget.of(at_ms, target.idx, result), bodies
        case "failed":
            return FailTarget(at_ms, target.idx, error or "failed", target.hint), NO_BODIES
        case _:
            raise Contradiction(f"a target does not go to {status!r}")
