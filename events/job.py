"""The Job aggregate: events, state, evolve, commands, decide, views. Pure: no clock, no ids, no I/O.

A job is one batch of targets. What happened to it is a stream of events; its state is their fold:

    state = evolve(state, event)            the only way a state changes; raises on an event the table forbids
    events = decide(state, command)         what a command makes happen; nothing if it happened already
    events, state = act(state, command)     both in one

Times come in as data: `at_ms` is unix milliseconds, `lease` and `created_at` are unix seconds.
"""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Final, Literal, assert_never, get_args

import msgspec

CallerClass = Literal["fleet", "restricted"]
JobStatus = Literal["queued", "running", "done", "partial", "failed", "cancelled"]
TargetStatus = Literal["pending", "running", "done", "failed"]
FinalStatus = Literal["done", "partial", "failed"]

Int = Annotated[int, msgspec.Meta(gt=-(1 << 53), lt=1 << 53)]
"""A number on the log: every reader of JSON has it exactly (RFC 7493, section 2.2), and SQLite their sums."""

TERMINAL: Final[frozenset[JobStatus]] = frozenset({"done", "partial", "failed", "cancelled"})
FINISHED: Final[frozenset[TargetStatus]] = frozenset({"done", "failed"})
CANCELLED: Final = "cancelled"  # the error of each target that a cancelled job leaves unfinished
INTERRUPTED: Final = "interrupted: server restarted"  # the error of a job that was in flight when the process died
NO_FACTS: Final = msgspec.Raw(b"{}")  # a fetch of which nothing is told

JOB_TRANSITIONS: Final[Mapping[JobStatus, frozenset[JobStatus]]] = {
    "queued": frozenset({"running", *TERMINAL}),
    "running": TERMINAL,
    "done": frozenset(),
    "partial": frozenset(),
    "failed": frozenset(),
    "cancelled": frozenset(),
}
TARGET_TRANSITIONS: Final[Mapping[TargetStatus, frozenset[TargetStatus]]] = {
    "pending": frozenset({"running", "done", "failed"}),
    "running": frozenset({"done", "failed"}),
    # A finished target may be written anew while its job is live; it counts once.
    "done": frozenset({"done", "failed"}),
    "failed": frozenset({"done", "failed"}),
}


_COUNTED: Final[Mapping[TargetStatus, Mapping[TargetStatus, int]]] = {
    before: {after: (after in FINISHED) - (before in FINISHED) for after in goes}
    for before, goes in TARGET_TRANSITIONS.items()
}  # how many more targets are finished after each of these


# ---------------------------------------------------------------- events
# The tags are the storage format: they stand in every log ever written and never change.
# gc=False, here and below: what holds text, numbers and tuples of such is in no cycle, and there are many of it.


class TargetSpec(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """What one target asks for: its URL as sent and its options as JSON text."""

    url: str
    options: str


class _Event(msgspec.Struct, frozen=True, gc=False, tag_field="type", omit_defaults=True, forbid_unknown_fields=True):
    at_ms: Int


class JobSubmitted(_Event, frozen=True, tag="job.submitted", kw_only=True):
    """A job was accepted. The counts are what its submitter states until its targets are added."""

    job_id: str
    caller: str
    caller_class: CallerClass
    idem_key: str
    targets_total: Int
    created_at: Int
    lease: Int
    status: JobStatus = "queued"
    error: str = ""
    targets_done: Int = 0
    nbytes: Int = 0


class TargetsAdded(_Event, frozen=True, tag="job.targets_added"):
    """The targets of a job, in idx order. From here on its counts are those of its targets."""

    targets: tuple[TargetSpec, ...]


class JobStarted(_Event, frozen=True, tag="job.started"):
    """The job's actor began."""


class TargetStarted(_Event, frozen=True, tag="target.started"):
    """A fetch of the target began."""

    idx: Int


class TargetDone(_Event, frozen=True, tag="target.done"):
    """The target's result was stored. The body is not on the log: its SHA-256 (hex) and size in bytes are."""

    idx: Int
    sha256: str | None = None  # None: done without a result
    nbytes: Int = 0
    facts: msgspec.Raw = NO_FACTS  # what the fetch did, as JSON; the domain carries it and does not read it


class TargetFailed(_Event, frozen=True, tag="target.failed"):
    """The target ended without a result."""

    idx: Int
    error: str = ""  # empty once that is forgotten
    hint: str | None = None
    facts: msgspec.Raw = NO_FACTS


class JobFinished(_Event, frozen=True, tag="job.finished"):
    """The job ended by itself. What `failed` leaves unfinished failed with it, for the same error."""

    status: FinalStatus
    error: str = ""


class JobCancelled(_Event, frozen=True, tag="job.cancelled"):
    """The caller ended the job. Its unfinished targets failed with the error `cancelled`."""

    error: str = ""


class JobInterrupted(_Event, frozen=True, tag="job.interrupted"):
    """The job was found in flight with nobody working on it. It and its unfinished targets failed with `error`."""

    error: str


class LeaseTouched(_Event, frozen=True, tag="job.lease_touched"):
    """Somebody looked at the job; it is kept for another `ttl` from here."""


class JobSwept(_Event, frozen=True, tag="job.swept"):
    """The job's lease ran out; its rows and results were deleted."""


class JobEvicted(_Event, frozen=True, tag="job.evicted"):
    """The job's rows and results were deleted to keep the byte budget."""


Event = (
    JobSubmitted
    | TargetsAdded
    | JobStarted
    | TargetStarted
    | TargetDone
    | TargetFailed
    | JobFinished
    | JobCancelled
    | JobInterrupted
    | LeaseTouched
    | JobSwept
    | JobEvicted
)


# ---------------------------------------------------------------- state


class Target(msgspec.Struct, frozen=True, gc=False):
    """One target's state. `nbytes` and `sha256` are of its stored result."""

    url: str
    options: str
    status: TargetStatus = "pending"
    error: str | None = None
    hint: str | None = None
    sha256: str | None = None
    nbytes: int = 0

    @property
    def finished(self) -> bool:
        """It is done or failed, and counts."""
        return self.status in FINISHED


class Job(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A job's state: the fold of its first `version` events."""

    id: str
    version: int
    caller: str
    caller_class: CallerClass
    idem_key: str
    status: JobStatus
    error: str
    targets_total: int
    targets_done: int
    created_at: int
    lease: int
    nbytes: int
    targets: tuple[Target, ...] = ()
    removed: bool = False  # swept or evicted: only its events are left

    @property
    def terminal(self) -> bool:
        """It ended; only its lease still moves."""
        return self.status in TERMINAL

    @property
    def unfinished(self) -> int:
        """How many targets are neither done nor failed."""
        return self.targets_total - self.targets_done


# ---------------------------------------------------------------- errors


class Contradiction(ValueError):
    """A command or event that the job's state does not admit. Nothing was changed."""


class JobExists(Contradiction):
    """A job with this id is or was on the log; ids are never used again."""


class UnknownTarget(Contradiction):
    """The job has no target at this idx."""


class IllegalTransition(Contradiction):
    """The table has no such step."""

    def __init__(self, what: str, state: str) -> None:
        super().__init__(f"{what} is not possible in state {state}")
        self.what = what
        self.state = state


# ---------------------------------------------------------------- evolve


def evolve(job: Job | None, event: Event) -> Job:
    """The state after `event`.

    Raises `JobExists` for a second `JobSubmitted`, `UnknownTarget` for an idx out of range and `IllegalTransition`
    for a step that the tables do not have, or for any event before `JobSubmitted`.
    """
    return _submitted(event) if job is None else _folded(job, (event,))


def fold(events: Iterable[Event], job: Job | None = None) -> Job | None:
    """The state after all of `events`, from `job` on (None: from nothing). Raises what `evolve` raises."""
    rest = iter(events)
    if job is None:
        first = next(rest, None)
        if first is None:
            return None
        job = _submitted(first)
    return _folded(job, rest)


def _submitted(event: Event) -> Job:
    if type(event) is not JobSubmitted:
        raise IllegalTransition(type(event).__name__, "nothing (no such job)")
    return Job(
        id=event.job_id,
        version=1,
        caller=event.caller,
        caller_class=event.caller_class,
        idem_key=event.idem_key,
        status=event.status,
        error=event.error,
        targets_total=event.targets_total,
        targets_done=event.targets_done,
        created_at=event.created_at,
        lease=event.lease,
        nbytes=event.nbytes,
    )


def _folded(job: Job, events: Iterable[Event]) -> Job:
    """What `job` becomes by `events`. A long log is folded here: what changes is held in variables, and the tuple of
    targets and the job are made once, not at each step.
    """
    version, done, nbytes, at_ms = job.version, job.targets_done, job.nbytes, job.lease * 1000
    targets = list(job.targets)
    for event in events:
        version += 1
        if job.removed and type(event) is not JobSubmitted:
            raise IllegalTransition(type(event).__name__, "removed")
        if type(event) is TargetStarted or type(event) is TargetDone or type(event) is TargetFailed:
            # The one place where a single target changes, and with it the job's counts.
            idx = event.idx
            if not 0 <= idx < len(targets):
                raise UnknownTarget(_no_target(idx, targets))
            before = targets[idx]
            if type(event) is TargetDone:
                after = Target(before.url, before.options, "done", None, None, event.sha256, event.nbytes)
            elif type(event) is TargetFailed:
                after = Target(before.url, before.options, "failed", event.error, event.hint)
            else:
                after = Target(before.url, before.options, "running")
            if job.status in TERMINAL:
                raise IllegalTransition(f"target {idx} -> {after.status}", f"job {job.status}")
            counted = _COUNTED[before.status].get(after.status)
            if counted is None:
                raise IllegalTransition(f"target {idx} -> {after.status}", before.status)
            targets[idx] = after
            done += counted
            nbytes += after.nbytes - before.nbytes
            at_ms = event.at_ms
        elif type(event) is LeaseTouched:
            at_ms = event.at_ms
        elif type(event) is JobStarted:
            job = _replace(job, status=_job_step(job, "running"))
            at_ms = event.at_ms
        elif type(event) is TargetsAdded:
            if job.status in TERMINAL:
                raise IllegalTransition("TargetsAdded", f"{job.status}: its targets would stay unfinished")
            if targets:
                raise IllegalTransition("TargetsAdded", "targets present")
            if len(event.targets) != job.targets_total:
                raise IllegalTransition(f"TargetsAdded({len(event.targets)})", f"of {job.targets_total} targets")
            targets = [Target(spec.url, spec.options) for spec in event.targets]
            done = nbytes = 0
        elif type(event) is JobFinished or type(event) is JobCancelled or type(event) is JobInterrupted:
            unfinished = job.targets_total - done
            ended, target_error = _ending(event)
            if ended in ("done", "partial") and unfinished:
                raise IllegalTransition(ended, f"{job.status} with {unfinished} unfinished targets")
            job = _replace(job, status=_job_step(job, ended), error=event.error)
            if unfinished:  # a terminal job has none: what is left over fails with the job
                targets = [t if t.finished else Target(t.url, t.options, "failed", target_error) for t in targets]
            done, at_ms = job.targets_total, event.at_ms
        elif type(event) is JobSwept or type(event) is JobEvicted:
            if type(event) is JobEvicted and job.status not in TERMINAL:
                raise IllegalTransition("JobEvicted", job.status)
            job, targets = _replace(job, removed=True), []
        elif type(event) is JobSubmitted:
            raise JobExists(f"job {job.id} exists")
        else:
            raise TypeError(f"not an event of a job: {type(event).__name__}")
    return _replace(
        job, version=version, targets_done=done, nbytes=nbytes, lease=at_ms // 1000, targets=tuple(targets)
    )


_replace = msgspec.structs.replace


def _ending(event: JobFinished | JobCancelled | JobInterrupted) -> tuple[JobStatus, str]:
    """The status in which the job ends, and the error of each target that it leaves unfinished."""
    if type(event) is JobFinished:
        return event.status, event.error or "job failed"
    return ("cancelled", CANCELLED) if type(event) is JobCancelled else ("failed", event.error)


def _job_step(job: Job, status: JobStatus) -> JobStatus:
    if status not in JOB_TRANSITIONS[job.status]:
        raise IllegalTransition(status, job.status)
    return status


def _no_target(idx: int, targets: Sequence[Target]) -> str:
    return f"job has targets 0..{len(targets) - 1}, not {idx}" if targets else "job has no targets"


# ---------------------------------------------------------------- commands


class Submit(msgspec.Struct, frozen=True):
    """Accept a job as `job` states it, with its targets if they are known."""

    job: JobSubmitted
    targets: tuple[TargetSpec, ...] = ()


class AddTargets(msgspec.Struct, frozen=True):
    """Give a job its targets, once."""

    targets: tuple[TargetSpec, ...]


class Start(msgspec.Struct, frozen=True):
    """The job's actor begins."""

    at_ms: int


class StartTarget(msgspec.Struct, frozen=True):
    """A fetch of the target begins."""

    at_ms: int
    idx: int


class CompleteTarget(msgspec.Struct, frozen=True):
    """The target is done; `of` makes the command from its result."""

    at_ms: int
    idx: int
    sha256: str | None
    nbytes: int
    facts: msgspec.Raw = NO_FACTS

    @classmethod
    def of(
        cls,
        at_ms: int,
        idx: int,
        body: str | None,
        facts: msgspec.Raw = NO_FACTS,
    ) -> "CompleteTarget":
        """The command for a result `body` (None: done without one); the log gets its digest and size alone."""
        if body is None:
            return cls(at_ms, idx, None, 0, facts)
        data = body.encode()
        return cls(at_ms, idx, hashlib.sha256(data).hexdigest(), len(data), facts)


class FailTarget(msgspec.Struct, frozen=True):
    """The target ended without a result."""

    at_ms: int
    idx: int
    error: str
    hint: str | None = None
    facts: msgspec.Raw = NO_FACTS


class Finish(msgspec.Struct, frozen=True):
    """End the job. Without a `status` its targets, each of them finished, say which."""

    at_ms: int
    status: FinalStatus | None = None
    error: str = ""


class Cancel(msgspec.Struct, frozen=True):
    """End the job as its caller wishes."""

    at_ms: int
    error: str = ""


class Interrupt(msgspec.Struct, frozen=True):
    """Fail the job if it is live, because nobody works on it."""

    at_ms: int
    error: str


class Touch(msgspec.Struct, frozen=True):
    """Keep the job for another `ttl` from here."""

    at_ms: int


class Sweep(msgspec.Struct, frozen=True):
    """Remove the job if its lease ran out `ttl_s` ago or longer."""

    at_ms: int
    ttl_s: int


class Evict(msgspec.Struct, frozen=True):
    """Remove the job for its bytes, unless it is live."""

    at_ms: int


Command = (
    Submit
    | AddTargets
    | Start
    | StartTarget
    | CompleteTarget
    | FailTarget
    | Finish
    | Cancel
    | Interrupt
    | Touch
    | Sweep
    | Evict
)


# ---------------------------------------------------------------- decide


def decide(job: Job | None, command: Command) -> tuple[Event, ...]:
    """The events that `command` makes happen to `job`; none if it happened already or there is no such job.

    Raises `Contradiction` (`JobExists`, `UnknownTarget`, `IllegalTransition`) for a command that the state does not
    admit. The result always evolves: decide never returns an event that `evolve` refuses.
    """
    return act(job, command)[0]


def act(job: Job | None, command: Command) -> tuple[tuple[Event, ...], Job | None]:
    """What `decide` gives, and the state after it. Raises what `decide` raises."""
    if isinstance(command, Submit):
        events = _decide_submit(job, command)
    elif job is None or job.removed:
        return (), job
    else:
        events = _decide(job, command)
    # The tables stand in evolve alone: what they forbid raises here, before anything is stored.
    return events, fold(events, job) if events else job


def _decide(job: Job, command: Command) -> tuple[Event, ...]:
    match command:
        case AddTargets(targets):
            if len(targets) == job.targets_total and targets == tuple(
                TargetSpec(t.url, t.options) for t in job.targets
            ):
                return ()
            return (TargetsAdded(job.lease * 1000, targets),)
        case Start(at_ms):
            return _touch(job, at_ms) if job.status == "running" else (JobStarted(at_ms),)
        case StartTarget(at_ms, idx):
            if _target(job, idx).status == "running":
                return _touch(job, at_ms)
            return (TargetStarted(at_ms, idx),)
        case CompleteTarget(at_ms, idx, sha256, nbytes, facts):
            before = _target(job, idx)
            if before.status == "done" and before.sha256 == sha256:
                return _touch(job, at_ms)
            return (TargetDone(at_ms, idx, sha256, nbytes, facts),)
        case FailTarget(at_ms, idx, error, hint, facts):
            before = _target(job, idx)
            if before.status == "failed" and (before.error, before.hint) == (error, hint):
                return _touch(job, at_ms)
            return (TargetFailed(at_ms, idx, error, hint, facts),)
        case Finish(at_ms, status, error):
            if status is None and job.unfinished:
                raise IllegalTransition(
                    "Finish without a status", f"{job.status} with {job.unfinished} unfinished targets"
                )
            status = status or verdict(job)
            if (job.status, job.error) == (status, error):
                return _touch(job, at_ms)
            return (JobFinished(at_ms, status, error),)
        case Cancel(at_ms, error):
            return _touch(job, at_ms) if job.status == "cancelled" else (JobCancelled(at_ms, error),)
        case Interrupt(at_ms, error):
            return () if job.terminal else (JobInterrupted(at_ms, error),)
        case Touch(at_ms):
            return _touch(job, at_ms)
        case Sweep(at_ms, ttl_s):
            return (JobSwept(at_ms),) if job.lease + ttl_s <= at_ms // 1000 else ()
        case Evict(at_ms):
            return (JobEvicted(at_ms),) if job.terminal else ()
        case Submit():
            raise AssertionError("decided before")
    assert_never(command)


def _decide_submit(job: Job | None, command: Submit) -> tuple[Event, ...]:
    submitted, targets = command.job, command.targets
    if job is not None:
        raise JobExists(f"job {job.id} exists")
    if submitted.status not in JOB_TRANSITIONS or submitted.caller_class not in get_args(CallerClass):
        raise Contradiction(f"no such status or class: {submitted.status!r}, {submitted.caller_class!r}")
    if submitted.targets_total < 0 or submitted.nbytes < 0:
        raise Contradiction("a job's counts are not negative")
    if not 0 <= submitted.targets_done <= submitted.targets_total:
        raise Contradiction(f"{submitted.targets_done} of {submitted.targets_total} targets cannot be done")
    if submitted.status in TERMINAL and submitted.targets_done != submitted.targets_total:
        raise Contradiction(f"a {submitted.status} job has no unfinished targets")
    return (submitted, TargetsAdded(submitted.at_ms, targets)) if targets else (submitted,)


def _touch(job: Job, at_ms: int) -> tuple[Event, ...]:
    """A lease counts in seconds: within one, the first touch says it all."""
    return () if job.lease == at_ms // 1000 else (LeaseTouched(at_ms),)


def _target(job: Job, idx: int) -> Target:
    if not 0 <= idx < len(job.targets):
        raise UnknownTarget(
            f"job has targets 0..{len(job.targets) - 1}, not {idx}" if job.targets else "job has none"
        )
    return job.targets[idx]


# ---------------------------------------------------------------- views


def verdict(job: Job) -> FinalStatus:
    """How a job whose targets are all finished ended: done if each is, failed if none is, else partial."""
    done = sum(target.status == "done" for target in job.targets)
    if done == len(job.targets):
        return "done"
    return "partial" if done else "failed"
