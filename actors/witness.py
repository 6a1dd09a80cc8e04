"""What must hold of a running system, looked at after every step of its log.

The witness keeps its own fold of the log and its own list of what callers were told, and compares: the tables with
the fold, each event with the contract, each fetch with what was durable when it began.
"""

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from urllib.parse import urlsplit

import trio

from ..events.job import (
    CANCELLED,
    INTERRUPTED,
    Event,
    Job,
    JobEvicted,
    JobInterrupted,
    JobStarted,
    JobSubmitted,
    JobSwept,
    LeaseTouched,
    TargetDone,
    TargetFailed,
    TargetsAdded,
    evolve,
)
from ..events.recorded import Recorded
from ..fetch.scripted import Script, ScriptedFetcher
from ..fetch.target import Caller, Outcome, Target
from ..store.reader import JobView
from ..store.rows import BatchJob, BatchTarget, select_job, select_targets
from .journal import Commit
from .runner import STOPPED
from .settings import BatchSettings, ConcurrencySettings
from .testing import Rig
from .testing_store import Disk, SimulatedStore
from .workload import SINGLE


class Witness:
    """A listener of the journal, and the ear to which the callers of a run say what they were told."""

    def __init__(self, batch: BatchSettings, concurrency: ConcurrencySettings, clock: Callable[[], float]) -> None:
        self.batch = batch
        self.concurrency = concurrency
        self.disk: Disk
        self.rig: Rig | None = None  # once it is up for the first time
        self.log: list[Recorded] = []
        self.jobs: dict[str, Job] = {}
        self.acknowledged: set[str] = set()  # jobs that somebody was told of
        self.cancelled: set[str] = set()  # jobs that somebody was told are cancelled
        self.touched: dict[str, set[int]] = {}  # job id -> the seconds in which somebody looked
        self.violations: list[str] = []
        self.found = trio.Event()
        self._set_s = 0  # by how much the clock was set in all
        self._settings_s = {0}  # and was before
        self._set_back = False  # whether a second may have come twice
        self._last_look: dict[str, int] = {}
        self._began: dict[str, float] = {}  # when jobs started, by trio's clock
        self._clock = clock
        self._known_at_admission: dict[str, dict[str, Job]] = {}

    def violated(self, what: str) -> None:
        """Write down what did not hold; the run ends with the first."""
        self.violations.append(what)
        self.found.set()

    def hold(self, true: bool, what: str) -> None:
        """Note the violation `what` unless it is `true`."""
        if not true:
            self.violated(what)

    @property
    def now(self) -> int:
        """The simulated clock, in whole unix seconds."""
        return int(self._clock())

    # ------------------------------------------------------------ the log

    def committed(self, commit: Commit) -> None:
        """Look at each event of a commit, and then at the tables."""
        seen = len(self.log)
        first = commit.events[0].seq
        for recorded in self._store().read(seen):  # what a store that opens appends is told to nobody
            if recorded.seq < first:
                self._observe(recorded)
        for recorded in commit.events:
            self._observe(recorded)
        self.hold(
            self._store().head() == len(self.log), f"the log is at {self._store().head()}, told {len(self.log)}"
        )
        for job_id in dict.fromkeys(recorded.job_id for recorded in self.log[seen:]):
            self._compare(job_id)
        live = self.live()
        for caller, count in Counter(job.caller for job in live).items():
            self.hold(count <= self.batch.max_live_per_caller, f"{caller} has {count} live jobs")
        self.hold(len(live) <= self.batch.max_live, f"{len(live)} live jobs in all")
        if self.rig is not None and self.rig.up:
            for job in live:
                self.hold(job.id in self.rig.system.runner._actors, f"{job.id} is live and has no actor")

    def reopened(self) -> None:
        """A system is up (again): nothing is in flight, and what was acknowledged is there."""
        self._last_look.clear()  # a look of which nothing was on the log yet is forgotten, and may be
        self.drained()
        self.read_again()
        self.hold(not self.live(), f"in flight after a restart: {self.live()}")

    def drained(self) -> None:
        """The last system has ended: unless it died, in time and with nothing in flight."""
        if self.rig is not None and self.rig.drained_in_s is not None:
            self.hold(not self.live(), f"in flight after a drain: {self.live()}")
            took_s = self.rig.drained_in_s
            self.hold(took_s <= self.batch.drain_timeout_s, f"the drain took {took_s} s")

    def read_again(self) -> None:
        """The log begins with what was seen, and holds what was acknowledged; the tables are its fold."""
        store = self._store()
        log, seen = store.read(0), self.log[:]
        for recorded in log[len(seen) :]:
            self._observe(recorded)
        hidden = {job.id for job in self.jobs.values() if job.removed}  # their URLs are forgotten
        kept = [r for r in log[: len(seen)] if r.job_id not in hidden]
        self.hold(kept == [r for r in seen if r.job_id not in hidden], "the log changed what was committed")
        self.hold(_places(log[: len(seen)]) == _places(seen), "the log lost what was committed")
        for job_id in self.jobs:
            self._compare(job_id)
        for job_id in self.acknowledged:
            self.hold(job_id in self.jobs, f"{job_id} was acknowledged and is not on the log")
        for job_id in self.cancelled:
            self.hold_cancelled(job_id)

    def hold_cancelled(self, job_id: str) -> None:
        """What a caller was told is cancelled is cancelled on the log."""
        status = self.jobs[job_id].status
        self.hold(status == "cancelled", f"{job_id} is said to be cancelled and is {status}")

    def live(self) -> list[Job]:
        """The jobs that somebody must be at work on."""
        return [job for job in self.jobs.values() if is_live(job)]

    def _observe(self, recorded: Recorded) -> None:
        event, before = recorded.event, self.jobs.get(recorded.job_id)
        self.log.append(recorded)
        self.hold(recorded.seq == len(self.log), f"event {len(self.log)} has seq {recorded.seq}")
        try:
            after = evolve(before, event)
        except Exception as error:  # noqa: BLE001 - whatever it is, it is the finding
            self.violated(f"event {recorded.seq} {event} does not follow: {error!r}")
            return
        self.hold(recorded.version == after.version, f"{after.id} is at {after.version}, not {recorded.version}")
        self.jobs[after.id] = after
        self._rule_7(after)
        self._judge(before, event, after)
        if not after.removed and not isinstance(event, JobSubmitted | TargetsAdded):
            self.hold(after.lease == event.at_ms // 1000, f"{type(event).__name__} left the lease at {after.lease}")

    def _rule_7(self, job: Job) -> None:
        if job.removed:
            return
        finished = [target for target in job.targets if target.status in ("done", "failed")]
        self.hold(
            job.targets_done == len(finished), f"{job.id}: targets_done {job.targets_done}, not {len(finished)}"
        )
        stored = sum(target.nbytes for target in job.targets)
        self.hold(job.nbytes == stored, f"{job.id}: nbytes {job.nbytes}, not {stored}")
        if not is_live(job):
            self.hold(len(finished) == job.targets_total, f"{job.id} is {job.status} with unfinished targets")
        done = sum(target.status == "done" for target in job.targets)
        if job.status == "done":
            self.hold(done == job.targets_total, f"{job.id} is done with {done} of {job.targets_total}")
        if job.status == "partial":
            self.hold(0 < done < job.targets_total, f"{job.id} is partial with {done} of {job.targets_total}")
        if job.status == "cancelled":
            errors = {target.error for target in job.targets if target.status == "failed"}
            self.hold(CANCELLED in errors, f"{job.id} was cancelled and left nothing unfinished")

    def _judge(self, before: Job | None, event: Event, after: Job) -> None:
        second = event.at_ms // 1000
        match event:
            case JobSubmitted():
                self._judge_submission(event)
            case JobStarted():
                self._began[after.id] = trio.current_time()
            case LeaseTouched():
                looked = any(second - 1 <= looked <= second for looked in self.touched.get(after.id, ()))
                self.hold(looked, f"the lease of {after.id} was touched and nobody had looked")
                self.hold(before is not None and before.lease != second, f"{after.id} was touched twice in a second")
            case JobSwept():
                lease = before.lease if before else 0
                self.hold(lease + self.batch.ttl_s <= second, f"{after.id} was swept before its lease ran out")
            case JobEvicted():
                self.hold(before is not None and not is_live(before), f"{after.id} was evicted while it was live")
            case JobInterrupted():
                self.hold(
                    event.error in (INTERRUPTED, STOPPED),
                    f"{after.id} failed by a fault of gofer: {event.error}",
                )
            case TargetDone() | TargetFailed():
                status = before.targets[event.idx].status if before else None
                self.hold(status in ("pending", "running"), f"{after.id}/{event.idx} ended when {status}")
                if isinstance(event, TargetDone):
                    self.hold(status == "running", f"{after.id}/{event.idx} is done and was never started")

    def _judge_submission(self, event: JobSubmitted) -> None:
        known = self._known_at_admission.pop(event.job_id, {})
        earlier = reusable(known.values(), event.caller, event.idem_key, event.at_ms // 1000, self.batch.ttl_s)
        self.hold(earlier is None, f"{event.job_id} was made though {earlier and earlier.id} answers the same batch")
        same = [job for job in self.live() if (job.caller, job.idem_key) == (event.caller, event.idem_key)]
        twins = [job.id for job in same if job.id != event.job_id and job.id not in known]  # made meanwhile
        self.hold(not twins, f"{event.job_id} is a twin of {twins}")

    # ------------------------------------------------------------ the tables

    def _store(self) -> SimulatedStore:
        store = self.disk.store
        assert store is not None, "the system is up"
        return store

    def _compare(self, job_id: str) -> None:
        """The rows of one job say what the fold says, and its stored results are those that the log tells of."""
        job, store = self.jobs[job_id], self._store()
        row = select_job(store.connection, job_id)
        targets = select_targets(store.connection, job_id, results=True)
        if job.removed:
            self.hold(row is None and not targets, f"{job_id} is removed and its rows are not")
            return
        expected = BatchJob(
            job.id, job.caller, job.caller_class, job.idem_key, job.status, job.error,
            job.targets_total, job.targets_done, job.created_at, job.lease, job.nbytes,
        )  # fmt: skip
        self.hold(row == expected, f"the row of {job_id} is {row}, the log says {expected}")
        wanted = [
            BatchTarget(job.id, idx, t.url, t.options, t.status, None, t.error, t.hint)
            for idx, t in enumerate(job.targets)
        ]
        bare = [BatchTarget(t.job_id, t.idx, t.url, t.options, t.status, None, t.error, t.hint) for t in targets]
        self.hold(bare == wanted, f"the targets of {job_id} are {bare}, the log says {wanted}")
        for target, row_target in zip(job.targets, targets, strict=False):
            body = None if row_target.result is None else row_target.result.encode()
            digest = None if body is None else hashlib.sha256(body).hexdigest()
            self.hold(digest == target.sha256, f"the result of {job_id}/{row_target.idx} is not the one on the log")
            if row_target.result is not None:
                self.hold(
                    f'"url":"{target.url}"' in row_target.result, f"{job_id}/{row_target.idx} has another's result"
                )

    # ------------------------------------------------------------ what callers see

    def admitting(self, job_id: str) -> None:
        """The runner takes an id for a new job: from what it knows now follows whether it may."""
        self._known_at_admission[job_id] = dict(self.jobs)

    def looked_at(self, job_id: str) -> None:
        """A caller is about to touch a job."""
        self.touched.setdefault(job_id, set()).add(self.now)
        self._last_look[job_id] = self.now

    def seen(self, view: JobView) -> None:
        """A caller reads a job: it is what the log says at this moment."""
        job = self.jobs[view.job.id]
        self.hold(not job.removed, f"{job.id} is removed and can be read")
        self.hold(view.position == len(self.log), f"read at {view.position}, the log is at {len(self.log)}")
        shown = (view.job.caller, view.job.status, view.job.targets_done, view.job.targets_total)
        self.hold(
            shown == (job.caller, job.status, job.targets_done, job.targets_total), f"{job.id} is shown as {shown}"
        )
        statuses = [target.status for target in view.targets]
        self.hold(statuses == [target.status for target in job.targets], f"the targets of {job.id} are {statuses}")
        missing = [t.idx for t in view.targets if t.status == "done" and t.result is None]
        self.hold(not missing, f"{job.id} is shown without the results {missing}")

    def clock_set(self, by_s: int) -> None:
        """The wall clock was set: what was under way may bear the time of before or after."""
        self._set_s += by_s
        self._settings_s.add(self._set_s)
        self._set_back = self._set_back or by_s < 0
        self._last_look.clear()
        for seconds in self.touched.values():
            seconds.add(self.now)

    def is_now(self, second: int) -> bool:
        """Whether it is `second` by the clock, or was by one of its earlier settings."""
        unset = self.now - self._set_s
        return any(abs(unset + set_s - second) <= 1 for set_s in self._settings_s)

    # ------------------------------------------------------------ at rest

    def at_rest(self, fetcher: "WatchedFetcher") -> None:
        """Nothing is runnable: each live job has its actor, each actor its live job, and no message is left."""
        assert self.rig is not None, "it was up"
        runner, journal = self.rig.system.runner, self.rig.system.journal
        live = {job.id for job in self.live()}
        self.hold(set(runner._actors) == live, f"live: {live}, actors: {set(runner._actors)}")
        self.hold(set(runner._live) == live, f"live: {live}, counted as live: {set(runner._live)}")
        self.hold(not runner._committing, "a submission is under way for ever")
        limits = runner._limits
        self.hold(
            limits._running == fetcher.active, f"{limits._running} places are held for {fetcher.active} fetches"
        )
        if limits._running < self.concurrency.total:
            fit = sum(limits._fits(waiter) for waiter in limits._waiting)
            self.hold(fit == 0, f"{fit} fetches wait although there is room")
        self.hold(len(journal._mailbox) == 0, "the journal has mail and does not read it")
        self.hold(
            all(len(actor.mailbox) == 0 for actor in runner._actors.values()), "an actor does not read its mail"
        )
        stray = [job_id for job_id, count in fetcher.by_job.items() if job_id and count and job_id not in live]
        self.hold(not stray, f"fetches go on for {stray}, which ended")
        for job_id in live:
            age_s = trio.current_time() - self._began[job_id]
            self.hold(age_s <= self.batch.job_timeout_s, f"{job_id} lives for {age_s} s")
        kept = [job for job in self.jobs.values() if not job.removed]
        for job in kept:
            self._compare(job.id)
            looked = self._last_look.get(job.id, 0)
            # Looks are coalesced by the second: by a clock that was set back, one may pass for another.
            self.hold(
                job.lease >= looked or self._set_back, f"{job.id} was looked at in {looked}, its lease is {job.lease}"
            )
        stored = sum(job.nbytes for job in kept)
        self.hold(
            self._store().batch_nbytes() == stored, f"batch_nbytes {self._store().batch_nbytes()}, not {stored}"
        )
        evictable = [job.id for job in kept if not is_live(job) and job.nbytes]
        self.hold(stored <= self.batch.max_bytes or not evictable, f"{stored} bytes are stored, {evictable} can go")


class WatchedStore(SimulatedStore):
    """A store whose keeping of house is held against the contract's rules 4 to 6."""

    witness: Witness

    def sweep_batch(self, now: int, ttl: int) -> int:
        self.witness.hold(self.witness.is_now(now), f"swept by the time {now} at {self.witness.now}")
        self.witness.hold(ttl == self.witness.batch.ttl_s, f"swept by a ttl of {ttl}")
        before = self._leases()
        swept = super().sweep_batch(now, ttl)
        gone = before.keys() - self._leases().keys()
        due = {job_id for job_id, (lease, _, _) in before.items() if lease + ttl <= now}
        self.witness.hold(gone == due, f"swept {gone}, due were {due}")
        self.witness.hold(swept == len(gone), f"{swept} counted, {len(gone)} swept")
        return swept

    def evict_batch_oldest(self, max_bytes: int) -> int:
        before = self._leases()
        evicted = super().evict_batch_oldest(max_bytes)
        after = self._leases()
        gone = {job_id: before[job_id] for job_id in before.keys() - after.keys()}
        kept = [lease for lease, nbytes, status in after.values() if nbytes and status not in ("queued", "running")]
        total = sum(nbytes for _, nbytes, _ in after.values())
        self.witness.hold(total <= max_bytes or not kept, f"{total} bytes are left, {len(kept)} jobs could go")
        self.witness.hold(
            not gone or not kept or max(lease for lease, _, _ in gone.values()) <= min(kept),
            "a younger lease went before an older one",
        )
        youngest = max((lease for lease, _, _ in gone.values()), default=0)
        last = max((nbytes for lease, nbytes, _ in gone.values() if lease == youngest), default=0)
        self.witness.hold(not gone or total + last > max_bytes, "more went than had to")
        self.witness.hold(evicted == len(gone), f"{evicted} counted, {len(gone)} evicted")
        return evicted

    def mark_in_flight_failed(self, reason: str, now: int) -> int:
        live = sum(status in ("queued", "running") for _, _, status in self._leases().values())
        failed = super().mark_in_flight_failed(reason, now)
        self.witness.hold(failed == live, f"{failed} counted, {live} were in flight")
        return failed

    def _leases(self) -> dict[str, tuple[int, int, str]]:
        rows = self.connection.execute("SELECT id, lease, nbytes, status FROM batch_job")
        return {job_id: (lease, nbytes, status) for job_id, lease, nbytes, status in rows}


class WatchedFetcher(ScriptedFetcher):
    """A scripted fetcher that holds each fetch against the limits, and against what was durable when it began."""

    def __init__(self, scripts: Mapping[str, Script], witness: Witness) -> None:
        super().__init__(scripts)
        self._witness = witness
        self._by_url: Counter[tuple[str, str]] = Counter()
        self.by_job: Counter[str] = Counter()

    async def fetch(self, target: Target, caller: Caller) -> Outcome:
        witness, host = self._witness, urlsplit(target.url).hostname or ""
        limits = witness.concurrency
        witness.hold(self.active < limits.total, "more fetches than there may be in all")
        witness.hold(self._active_by_host[host] < limits.per_host, f"more fetches to {host} than there may be")
        url, job_id = (caller.name, target.url), ""
        if not target.url.endswith(SINGLE):
            started = self._started(target.url, caller)
            witness.hold(self._by_url[url] < len(started), f"{target.url} is fetched and its start is not durable")
            if len(jobs := set(started)) == 1:
                (job_id,) = jobs
                witness.hold(self.by_job[job_id] < limits.per_job, f"{job_id} fetches more at once than it may")
        self._by_url[url] += 1
        self.by_job[job_id] += 1
        try:
            return await super().fetch(target, caller)
        finally:
            self._by_url[url] -= 1
            self.by_job[job_id] -= 1

    def _started(self, url: str, caller: Caller) -> list[str]:
        """The live jobs of `caller` with a running target of this URL, one entry a target."""
        return [
            job.id
            for job in self._witness.jobs.values()
            if job.caller == caller.name and is_live(job)
            for target in job.targets
            if target.url == url and target.status == "running"
        ]


def _places(log: Iterable[Recorded]) -> list[tuple[int, str, int, type[Event]]]:
    return [(recorded.seq, recorded.job_id, recorded.version, type(recorded.event)) for recorded in log]


def is_live(job: Job) -> bool:
    """Somebody must be at work on it."""
    return job.status in ("queued", "running") and not job.removed


def reusable(jobs: Iterable[Job], caller: str, idem_key: str, now: int, ttl_s: int) -> Job | None:
    """The newest of `jobs`, in the order they were made, that answers a submission under `idem_key`."""
    same = [
        job
        for job in jobs
        if (job.caller, job.idem_key) == (caller, idem_key) and not job.removed and job.lease + ttl_s > now
    ]
    if not same:
        return None
    newest = same[-1]
    by_caller_key = idem_key.startswith("key:")
    return newest if by_caller_key or newest.status in ("queued", "running", "done") else None
