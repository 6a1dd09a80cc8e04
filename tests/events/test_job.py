"""The Job aggregate: its storage format, its tables, each decision, and contract rule 7 under random commands."""

import hashlib
from collections.abc import Sequence
from typing import Any, get_args

import msgspec
import pytest
from gofer.events import job as job_module
from gofer.events.job import (
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
    JobCancelled,
    JobEvicted,
    JobExists,
    JobFinished,
    JobInterrupted,
    JobStarted,
    JobStatus,
    JobSubmitted,
    JobSwept,
    LeaseTouched,
    Start,
    StartTarget,
    Submit,
    Sweep,
    Target,
    TargetDone,
    TargetFailed,
    TargetsAdded,
    TargetSpec,
    TargetStarted,
    TargetStatus,
    Touch,
    UnknownTarget,
    act,
    decide,
    evolve,
    fold,
    verdict,
)
from gofer.events.recorded import Stored, decode, decode_all, encode, join, split
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

LEASE = 1_000  # unix s; the lease of the jobs below
NOW = LEASE * 1000  # unix ms of the same second
LATER = NOW + 5_000

SUBMITTED = JobSubmitted(
    at_ms=NOW,
    job_id="j1",
    caller="alice",
    caller_class="fleet",
    idem_key="key",
    targets_total=2,
    created_at=900,
    lease=LEASE,
)
SPECS = (TargetSpec("http://a.example/", "{}"), TargetSpec("http://b.example/", '{"mode":"raw"}'))
ADDED = TargetsAdded(NOW, SPECS)

SUBMIT, TARGETS = (SUBMITTED,), (SUBMITTED, ADDED)
RUNNING = (*TARGETS, JobStarted(NOW))
ONE_DONE = (*RUNNING, TargetDone(NOW, 0, "a" * 64, 10))
BOTH_DONE = (*ONE_DONE, TargetDone(NOW, 1, "b" * 64, 5))
MIXED = (*ONE_DONE, TargetFailed(NOW, 1, "http 404", "check the URL"))
DONE = (*BOTH_DONE, JobFinished(NOW, "done"))
FAILED = (*RUNNING, JobFinished(NOW, "failed", "boom"))
CANCELLED = (*ONE_DONE, JobCancelled(NOW))
SWEPT = (*DONE, JobSwept(NOW))

FACTS = msgspec.Raw(b'{"hops":[{"url":"http://a.example/"}]}')


def state(given: Sequence[Event]) -> Job:
    job = fold(given)
    assert job is not None
    return job


def with_targets(*statuses: TargetStatus, job: JobStatus = "running") -> Job:
    """A job in the status `job`, its targets in `statuses`."""
    targets = tuple(Target(f"http://{n}.example/", "{}", status) for n, status in enumerate(statuses))
    done = sum(target.finished for target in targets)
    return msgspec.structs.replace(
        state(TARGETS), status=job, targets=targets, targets_total=len(targets), targets_done=done
    )


# ---------------------------------------------------------------- storage format


TAGS: dict[type[Event], str] = {
    JobSubmitted: "job.submitted",
    TargetsAdded: "job.targets_added",
    JobStarted: "job.started",
    TargetStarted: "target.started",
    TargetDone: "target.done",
    TargetFailed: "target.failed",
    JobFinished: "job.finished",
    JobCancelled: "job.cancelled",
    JobInterrupted: "job.interrupted",
    LeaseTouched: "job.lease_touched",
    JobSwept: "job.swept",
    JobEvicted: "job.evicted",
}

# Each event as it stands in logs that were written long ago. A line may be added here, never changed.
STORED: list[tuple[Event, bytes]] = [
    (
        SUBMITTED,
        b'{"type":"job.submitted","at_ms":1000000,"job_id":"j1","caller":"alice","caller_class":"fleet",'
        b'"idem_key":"key","targets_total":2,"created_at":900,"lease":1000}',
    ),
    (
        msgspec.structs.replace(SUBMITTED, status="done", error="e", targets_done=2, nbytes=7),
        b'{"type":"job.submitted","at_ms":1000000,"job_id":"j1","caller":"alice","caller_class":"fleet",'
        b'"idem_key":"key","targets_total":2,"created_at":900,"lease":1000,"status":"done","error":"e",'
        b'"targets_done":2,"nbytes":7}',
    ),
    (
        ADDED,
        b'{"type":"job.targets_added","at_ms":1000000,"targets":[{"url":"http://a.example/","options":"{}"},'
        b'{"url":"http://b.example/","options":"{\\"mode\\":\\"raw\\"}"}]}',
    ),
    (JobStarted(1), b'{"type":"job.started","at_ms":1}'),
    (TargetStarted(1, 0), b'{"type":"target.started","at_ms":1,"idx":0}'),
    (TargetDone(1, 0), b'{"type":"target.done","at_ms":1,"idx":0}'),
    (
        TargetDone(1, 31, "ab", 3, FACTS),
        b'{"type":"target.done","at_ms":1,"idx":31,"sha256":"ab","nbytes":3,'
        b'"facts":{"hops":[{"url":"http://a.example/"}]}}',
    ),
    (
        TargetFailed(1, 2, "dns: no such name"),
        b'{"type":"target.failed","at_ms":1,"idx":2,"error":"dns: no such name"}',
    ),
    (
        TargetFailed(1, 2, "größe", "h", FACTS),
        '{"type":"target.failed","at_ms":1,"idx":2,"error":"größe","hint":"h",'
        '"facts":{"hops":[{"url":"http://a.example/"}]}}'.encode(),
    ),
    (JobFinished(1, "partial"), b'{"type":"job.finished","at_ms":1,"status":"partial"}'),
    (JobFinished(1, "failed", "x"), b'{"type":"job.finished","at_ms":1,"status":"failed","error":"x"}'),
    (JobCancelled(1), b'{"type":"job.cancelled","at_ms":1}'),
    (JobCancelled(1, "why"), b'{"type":"job.cancelled","at_ms":1,"error":"why"}'),
    (JobInterrupted(1, "x"), b'{"type":"job.interrupted","at_ms":1,"error":"x"}'),
    (LeaseTouched(1), b'{"type":"job.lease_touched","at_ms":1}'),
    (JobSwept(1), b'{"type":"job.swept","at_ms":1}'),
    (JobEvicted(1), b'{"type":"job.evicted","at_ms":1}'),
]


def test_tags_never_change() -> None:
    assert {event: event.__struct_config__.tag for event in get_args(Event)} == TAGS


def test_each_event_has_stored_bytes() -> None:
    assert {type(event) for event, _ in STORED} == set(get_args(Event))


@pytest.mark.parametrize(("event", "data"), STORED, ids=lambda value: getattr(type(value), "__name__", ""))
def test_stored_bytes_are_written_and_read_as_ever(event: Event, data: bytes) -> None:
    row = b'{"job_id":"j1","version":7,"event":' + data + b"}"
    assert encode(Stored("j1", 7, event)) == row
    assert decode(row) == Stored("j1", 7, event)


def test_a_sealed_part_stands_behind_its_event() -> None:
    row = b'{"job_id":"j1","version":7,"event":{"type":"target.failed","at_ms":1,"idx":0},"sealed":"AAE="}'
    assert encode(Stored("j1", 7, TargetFailed(1, 0), b"\x00\x01")) == row
    assert decode(row).sealed == b"\x00\x01"


@pytest.mark.parametrize("event", [event for event, _ in STORED], ids=lambda event: type(event).__name__)
def test_what_is_split_off_joins_again(event: Event) -> None:
    public, private = split(event)
    assert (join(public, private) if private is not None else public) == event
    assert evolves_alike(public, event)


@pytest.mark.parametrize("event", [ADDED, TargetFailed(1, 0, "e http://a.example/", "h", FACTS)])
def test_nothing_private_is_public(event: Event) -> None:
    public, private = split(event)
    assert private is not None
    assert b"a.example" in private
    assert b"a.example" not in encode(Stored("j1", 2, public))


def test_a_private_part_of_another_event_is_refused() -> None:
    with pytest.raises(ValueError, match="no private part of 2"):
        join(split(ADDED)[0], b"[]")
    with pytest.raises(ValueError, match="has no private part"):
        join(JobStarted(1), b"{}")


def evolves_alike(public: Event, event: Event) -> bool:
    """What is forgotten changes no count and no status."""
    if isinstance(event, JobSubmitted):
        return public == msgspec.structs.replace(event, idem_key="")
    before = state(TARGETS)
    try:
        whole = evolve(before, event)
    except Contradiction as error:
        with pytest.raises(type(error)):
            evolve(before, public)
        return True
    told = evolve(before, public)
    return [(t.status, t.nbytes) for t in told.targets] == [(t.status, t.nbytes) for t in whole.targets] and (
        told.status, told.targets_done, told.nbytes, told.lease
    ) == (whole.status, whole.targets_done, whole.nbytes, whole.lease)  # fmt: skip


@pytest.mark.parametrize(
    "data",
    [
        b'{"type":"job.renamed","at_ms":1}',
        b'{"at_ms":1}',
        b'{"type":"job.started"}',
        b'{"type":"job.started","at_ms":1,"reason":"of a later version"}',
        b'{"type":"job.finished","at_ms":1,"status":"cancelled"}',
        b'{"type":"target.started","at_ms":1,"idx":"0"}',
        b'{"type":"job.targets_added","at_ms":1,"targets":[{"url":"u","options":"{}","mode":"raw"}]}',
    ],
)
def test_an_event_that_this_version_does_not_know_is_refused(data: bytes) -> None:
    with pytest.raises(msgspec.ValidationError):
        decode(b'{"job_id":"j1","version":1,"event":' + data + b"}")


ROWS = [encode(Stored("j1", version, event)) for version, event in enumerate((LeaseTouched(1), LeaseTouched(2)), 1)]


@pytest.mark.parametrize(
    "made", [[], ROWS[:1], ROWS, [b" " + ROWS[0], ROWS[1]], [ROWS[0].replace(b",", b",\n"), ROWS[1]]]
)
def test_rows_decode_together_as_they_do_one_by_one(made: list[bytes]) -> None:
    assert decode_all(made) == [decode(row) for row in made]
    assert decode_all(tuple(made)) == decode_all(made)


@pytest.mark.parametrize(
    "made",
    [
        [ROWS[0] + ROWS[1], b""],
        [ROWS[0] + b"\n" + ROWS[1], b"\n"],
        [ROWS[0] + b"\n" + ROWS[1], b"", *ROWS],
        [ROWS[0] + ROWS[1], ROWS[0][:30], ROWS[0][30:]],
        [ROWS[0] + ROWS[1], ROWS[0] + b"}", b"{" + ROWS[1]],
        [ROWS[0], ROWS[1][:-1]],
        [ROWS[0], ROWS[1].replace(b"j1", b"\xff")],
        [ROWS[0], ROWS[1].replace(b"lease_touched", b"lease_renewed")],
    ],
)
def test_rows_that_are_no_events_by_themselves_are_none_together(made: list[bytes]) -> None:
    with pytest.raises(ValueError, match=r"JSON|UTF-8|Invalid|truncated"):
        decode_all(made)


def test_what_is_no_json_is_refused() -> None:
    with pytest.raises(msgspec.DecodeError):
        decode(b'{"type":"job.star')


# ---------------------------------------------------------------- evolve


def test_a_submitted_job_is_as_its_event_states_it() -> None:
    assert fold(SUBMIT) == Job(
        id="j1",
        version=1,
        caller="alice",
        caller_class="fleet",
        idem_key="key",
        status="queued",
        error="",
        targets_total=2,
        targets_done=0,
        created_at=900,
        lease=LEASE,
        nbytes=0,
    )


def test_nothing_happens_to_a_job_before_it_is_submitted() -> None:
    for event, _ in STORED:
        if not isinstance(event, JobSubmitted):
            with pytest.raises(IllegalTransition, match="no such job"):
                evolve(None, event)


def test_nothing_happens_to_a_job_after_its_removal() -> None:
    for removed in (state(SWEPT), state((*DONE, JobEvicted(NOW)))):
        for event, _ in STORED:
            with pytest.raises(Contradiction):
                evolve(removed, event)


def test_an_id_is_submitted_once() -> None:
    with pytest.raises(JobExists, match="j1"):
        evolve(state(SUBMIT), SUBMITTED)


def test_what_is_no_event_is_a_type_error() -> None:
    with pytest.raises(TypeError, match="Touch"):
        evolve(state(SUBMIT), Touch(NOW))  # type: ignore[arg-type]


STEPS_OF_A_JOB: dict[JobStatus, set[str]] = {
    "queued": {"running", "done", "partial", "failed", "cancelled"},
    "running": {"done", "partial", "failed", "cancelled"},
    "done": set(),
    "partial": set(),
    "failed": set(),
    "cancelled": set(),
}
JOB_EVENTS: list[tuple[Event, JobStatus]] = [
    (JobStarted(LATER), "running"),
    (JobFinished(LATER, "done"), "done"),
    (JobFinished(LATER, "partial"), "partial"),
    (JobFinished(LATER, "failed", "x"), "failed"),
    (JobInterrupted(LATER, "x"), "failed"),
    (JobCancelled(LATER), "cancelled"),
]


@pytest.mark.parametrize("before", STEPS_OF_A_JOB)
@pytest.mark.parametrize(("event", "after"), JOB_EVENTS)
def test_a_job_steps_by_the_table(before: JobStatus, event: Event, after: JobStatus) -> None:
    job = with_targets("done", "failed", job=before)
    if after in STEPS_OF_A_JOB[before]:
        stepped = evolve(job, event)
        assert (stepped.status, stepped.version, stepped.lease) == (after, job.version + 1, LEASE + 5)
    else:
        with pytest.raises(IllegalTransition) as refused:
            evolve(job, event)
        assert (refused.value.what, refused.value.state) == (after, before)


STEPS_OF_A_TARGET: dict[TargetStatus, set[str]] = {
    "pending": {"running", "done", "failed"},
    "running": {"done", "failed"},
    "done": {"done", "failed"},
    "failed": {"done", "failed"},
}
TARGET_EVENTS: list[tuple[Event, Target]] = [
    (TargetStarted(LATER, 1), Target("http://1.example/", "{}", "running")),
    (TargetDone(LATER, 1, "ab", 3, FACTS), Target("http://1.example/", "{}", "done", sha256="ab", nbytes=3)),
    (TargetFailed(LATER, 1, "e", "h", FACTS), Target("http://1.example/", "{}", "failed", "e", "h")),
]


@pytest.mark.parametrize("before", STEPS_OF_A_TARGET)
@pytest.mark.parametrize(("event", "after"), TARGET_EVENTS)
@pytest.mark.parametrize("live", ["queued", "running"])
def test_a_target_steps_by_the_table(before: TargetStatus, event: Event, after: Target, live: JobStatus) -> None:
    job = with_targets("pending", before, job=live)
    if after.status in STEPS_OF_A_TARGET[before]:
        stepped = evolve(job, event)
        assert stepped.targets == (job.targets[0], after)
        assert stepped.targets_done == after.finished
        assert stepped.nbytes == after.nbytes
        assert (stepped.status, stepped.version, stepped.lease) == (live, job.version + 1, LEASE + 5)
    else:
        with pytest.raises(IllegalTransition, match="target 1 -> running is not possible"):
            evolve(job, event)


@pytest.mark.parametrize("terminal", sorted(job_module.TERMINAL))
@pytest.mark.parametrize(("event", "_after"), TARGET_EVENTS)
def test_a_target_of_a_terminal_job_steps_nowhere(terminal: JobStatus, event: Event, _after: Target) -> None:
    with pytest.raises(IllegalTransition, match=f"job {terminal}"):
        evolve(with_targets("done", "done", job=terminal), event)


@pytest.mark.parametrize("idx", [-1, 2])
def test_a_target_that_the_job_has_not_is_unknown(idx: int) -> None:
    with pytest.raises(UnknownTarget, match=rf"targets 0\.\.1, not {idx}"):
        evolve(state(RUNNING), TargetDone(NOW, idx))
    with pytest.raises(UnknownTarget, match="no targets"):
        evolve(state(SUBMIT), TargetDone(NOW, idx))


def test_a_rewritten_result_counts_its_new_length_once() -> None:
    job = state((*ONE_DONE, TargetDone(NOW, 0, "c" * 64, 4)))
    assert (job.targets_done, job.nbytes, job.targets[0].sha256) == (1, 4, "c" * 64)
    job = evolve(job, TargetFailed(NOW, 0, "e"))
    assert (job.targets_done, job.nbytes, job.targets[0].sha256) == (1, 0, None)


def test_targets_set_the_counts_that_the_submitter_stated() -> None:
    stated = msgspec.structs.replace(SUBMITTED, status="running", targets_done=1, nbytes=99)
    job = state((stated, ADDED))
    assert (job.targets_done, job.nbytes) == (0, 0)
    assert job.lease == LEASE


def test_targets_are_added_once_in_their_number_to_a_live_job() -> None:
    with pytest.raises(IllegalTransition, match="targets present"):
        evolve(state(TARGETS), ADDED)
    with pytest.raises(IllegalTransition, match=r"TargetsAdded\(1\).*of 2 targets"):
        evolve(state(SUBMIT), TargetsAdded(NOW, SPECS[:1]))
    with pytest.raises(IllegalTransition, match="cancelled"):
        evolve(state((*SUBMIT, JobCancelled(NOW))), ADDED)


@pytest.mark.parametrize("status", ["done", "partial"])
def test_a_job_with_unfinished_targets_is_neither_done_nor_partial(status: Any) -> None:
    with pytest.raises(IllegalTransition, match="1 unfinished"):
        evolve(state(ONE_DONE), JobFinished(NOW, status))


@pytest.mark.parametrize(
    ("event", "status", "error", "left_over"),
    [
        (JobCancelled(LATER), "cancelled", "", "cancelled"),
        (JobCancelled(LATER, "by alice"), "cancelled", "by alice", "cancelled"),
        (JobInterrupted(LATER, "interrupted: server restarted"), "failed", "interrupted: server restarted", ...),
        (JobFinished(LATER, "failed", "timeout: job"), "failed", "timeout: job", ...),
        (JobFinished(LATER, "failed"), "failed", "", "job failed"),
    ],
)
def test_a_job_that_ends_early_takes_its_unfinished_targets_along(
    event: Event, status: str, error: str, left_over: Any
) -> None:
    job = evolve(state(ONE_DONE), event)
    assert (job.status, job.error, job.targets_done, job.nbytes, job.lease) == (status, error, 2, 10, LEASE + 5)
    assert job.targets[0] == state(ONE_DONE).targets[0]
    assert job.targets[1] == Target(
        SPECS[1].url, SPECS[1].options, "failed", error if left_over is ... else left_over
    )


@pytest.mark.parametrize("given", [SUBMIT, RUNNING, DONE, CANCELLED])
def test_a_touch_moves_the_lease_and_nothing_else(given: Sequence[Event]) -> None:
    job = state(given)
    assert evolve(job, LeaseTouched(LATER)) == msgspec.structs.replace(job, version=job.version + 1, lease=LEASE + 5)


@pytest.mark.parametrize("given", [SUBMIT, RUNNING, DONE, CANCELLED])
def test_a_swept_job_is_removed_whatever_its_status(given: Sequence[Event]) -> None:
    job = evolve(state(given), JobSwept(NOW))
    assert job.removed
    assert job.targets == ()


@pytest.mark.parametrize("given", [SUBMIT, RUNNING])
def test_a_live_job_is_never_evicted(given: Sequence[Event]) -> None:
    with pytest.raises(IllegalTransition, match="JobEvicted"):
        evolve(state(given), JobEvicted(NOW))


def test_a_finished_job_is_evicted() -> None:
    assert evolve(state(DONE), JobEvicted(NOW)).removed


def test_fold_goes_on_from_a_state() -> None:
    assert fold(DONE[3:], state(DONE[:3])) == state(DONE)
    assert fold(()) is None


LIVES: list[Sequence[Event]] = [
    (*TARGETS, JobStarted(LATER), TargetStarted(LATER + 1_000, 1), *MIXED[3:], JobFinished(LATER, "partial")),
    (*ONE_DONE, TargetDone(LATER, 0, "c" * 64, 7), LeaseTouched(LATER), JobCancelled(LATER + 1_000, "enough")),
    (SUBMITTED, LeaseTouched(LATER), ADDED, TargetStarted(NOW, 0), JobInterrupted(LATER, "gone"), JobEvicted(LATER)),
    (*DONE, LeaseTouched(LATER), JobSwept(LATER + 9_000)),
]


def test_a_fold_is_what_evolve_makes_of_one_event_after_the_other() -> None:
    assert {type(event) for events in LIVES for event in events} == set(get_args(Event)), "each kind has its step"
    for events in LIVES:
        job, states = None, []
        for event in events:
            job = evolve(job, event)
            states.append(job)
        for at, before in enumerate(states):
            assert fold(events[: at + 1]) == before
            assert fold(events[at + 1 :], before) == job


def test_a_fold_leaves_the_state_that_it_went_on_from() -> None:
    job = state(TARGETS)
    steps = (TargetStarted(LATER, 0), TargetDone(LATER, 0, "ab", 3), LeaseTouched(LATER))
    after = fold(steps, job)
    assert after is not None
    assert (after.targets[0].status, after.targets[1:]) == ("done", job.targets[1:])
    with pytest.raises(UnknownTarget):
        fold((*steps, TargetDone(LATER, 9)), job)
    assert job == state(TARGETS)


# ---------------------------------------------------------------- decide


SHA = hashlib.sha256("héllo".encode()).hexdigest()

# given events, when a command, then events: each branch of decide.
DECISIONS: list[tuple[Sequence[Event], Command, Sequence[Event]]] = [
    ((), Submit(SUBMITTED), SUBMIT),
    ((), Submit(SUBMITTED, SPECS), TARGETS),
    (SUBMIT, AddTargets(SPECS), (ADDED,)),
    (SUBMIT, Start(LATER), (JobStarted(LATER),)),
    (RUNNING, Start(LATER), (LeaseTouched(LATER),)),
    (RUNNING, StartTarget(LATER, 1), (TargetStarted(LATER, 1),)),
    ((*RUNNING, TargetStarted(NOW, 1)), StartTarget(LATER, 1), (LeaseTouched(LATER),)),
    (RUNNING, CompleteTarget.of(LATER, 0, "héllo", FACTS), (TargetDone(LATER, 0, SHA, 6, FACTS),)),
    (RUNNING, CompleteTarget.of(LATER, 0, None), (TargetDone(LATER, 0, None, 0),)),
    (ONE_DONE, CompleteTarget(LATER, 0, "a" * 64, 10), (LeaseTouched(LATER),)),
    (ONE_DONE, CompleteTarget(LATER, 0, "c" * 64, 4), (TargetDone(LATER, 0, "c" * 64, 4),)),
    (DONE, CompleteTarget(LATER, 0, "a" * 64, 10), (LeaseTouched(LATER),)),
    (RUNNING, FailTarget(LATER, 1, "e", "h", FACTS), (TargetFailed(LATER, 1, "e", "h", FACTS),)),
    (MIXED, FailTarget(LATER, 1, "http 404", "check the URL"), (LeaseTouched(LATER),)),
    (MIXED, FailTarget(LATER, 1, "http 404", "another hint"), (TargetFailed(LATER, 1, "http 404", "another hint"),)),
    (BOTH_DONE, Finish(LATER), (JobFinished(LATER, "done"),)),
    (MIXED, Finish(LATER), (JobFinished(LATER, "partial"),)),
    (DONE, Finish(LATER), (LeaseTouched(LATER),)),
    (RUNNING, Finish(LATER, "failed", "boom"), (JobFinished(LATER, "failed", "boom"),)),
    (FAILED, Finish(LATER, "failed", "boom"), (LeaseTouched(LATER),)),
    (RUNNING, Cancel(LATER, "why"), (JobCancelled(LATER, "why"),)),
    (CANCELLED, Cancel(LATER), (LeaseTouched(LATER),)),
    (SUBMIT, Interrupt(LATER, "x"), (JobInterrupted(LATER, "x"),)),
    (RUNNING, Interrupt(LATER, "x"), (JobInterrupted(LATER, "x"),)),
    (DONE, Interrupt(LATER, "x"), ()),
    (DONE, Touch(LATER), (LeaseTouched(LATER),)),
    (DONE, Touch(NOW + 999), ()),
    (RUNNING, Sweep(LATER, 5), (JobSwept(LATER),)),
    (DONE, Sweep(LATER, 5), (JobSwept(LATER),)),
    (DONE, Sweep(LATER, 6), ()),
    (RUNNING, Evict(LATER), ()),
    (DONE, Evict(LATER), (JobEvicted(LATER),)),
]


@pytest.mark.parametrize(("given", "when", "then"), DECISIONS)
def test_a_command_makes_its_events_once(given: Sequence[Event], when: Command, then: Sequence[Event]) -> None:
    job = fold(given)
    assert decide(job, when) == tuple(then)
    assert act(job, when) == (tuple(then), fold(then, job))
    if not isinstance(when, Submit):
        assert decide(fold(then, job), when) == ()


def test_each_command_has_its_decision() -> None:
    assert {type(when) for _, when, _ in DECISIONS} == set(get_args(Command))


@pytest.mark.parametrize("when", [when for _, when, _ in DECISIONS if not isinstance(when, Submit)])
def test_a_command_to_no_job_or_to_a_removed_one_makes_nothing(when: Command) -> None:
    assert act(None, when) == ((), None)
    assert act(state(SWEPT), when) == ((), state(SWEPT))


def test_the_same_targets_again_make_nothing_at_any_later_time() -> None:
    for given in (TARGETS, ONE_DONE, DONE, CANCELLED):
        assert decide(state(given), AddTargets(SPECS)) == ()
    empty = msgspec.structs.replace(SUBMITTED, targets_total=0)
    assert decide(state((empty,)), AddTargets(())) == ()


CONTRADICTIONS: list[tuple[Sequence[Event], Command, type[Contradiction], str]] = [
    (SUBMIT, Submit(SUBMITTED), JobExists, "j1"),
    (SWEPT, Submit(SUBMITTED), JobExists, "j1"),
    ((), Submit(msgspec.structs.replace(SUBMITTED, targets_total=-1)), Contradiction, "negative"),
    ((), Submit(msgspec.structs.replace(SUBMITTED, status="lost")), Contradiction, "no such status"),
    ((), Submit(msgspec.structs.replace(SUBMITTED, caller_class="root")), Contradiction, "no such status or class"),
    ((), Submit(msgspec.structs.replace(SUBMITTED, nbytes=-1)), Contradiction, "negative"),
    ((), Submit(msgspec.structs.replace(SUBMITTED, targets_done=3)), Contradiction, "3 of 2"),
    ((), Submit(msgspec.structs.replace(SUBMITTED, targets_done=-1)), Contradiction, "-1 of 2"),
    ((), Submit(msgspec.structs.replace(SUBMITTED, status="done")), Contradiction, "no unfinished"),
    ((), Submit(SUBMITTED, SPECS[:1]), IllegalTransition, "of 2 targets"),
    (
        (),
        Submit(msgspec.structs.replace(SUBMITTED, status="done", targets_done=2), SPECS),
        IllegalTransition,
        "done",
    ),
    (SUBMIT, AddTargets(SPECS[:1]), IllegalTransition, "of 2 targets"),
    (SUBMIT, AddTargets(()), IllegalTransition, "of 2 targets"),
    (TARGETS, AddTargets(SPECS[::-1]), IllegalTransition, "present"),
    ((*SUBMIT, JobCancelled(NOW)), AddTargets(SPECS), IllegalTransition, "cancelled"),
    (DONE, Start(NOW), IllegalTransition, "done"),
    (RUNNING, StartTarget(NOW, 2), UnknownTarget, "not 2"),
    (SUBMIT, StartTarget(NOW, 0), UnknownTarget, "has none"),
    (ONE_DONE, StartTarget(NOW, 0), IllegalTransition, "target 0"),
    (RUNNING, CompleteTarget.of(NOW, -1, "x"), UnknownTarget, "not -1"),
    (DONE, CompleteTarget.of(NOW, 0, "x"), IllegalTransition, "job done"),
    (RUNNING, FailTarget(NOW, 2, "e"), UnknownTarget, "not 2"),
    (CANCELLED, FailTarget(NOW, 1, "e"), IllegalTransition, "job cancelled"),
    (RUNNING, Finish(NOW), IllegalTransition, "2 unfinished"),
    (ONE_DONE, Finish(NOW), IllegalTransition, "1 unfinished"),
    (ONE_DONE, Finish(NOW, "done"), IllegalTransition, "1 unfinished"),
    (DONE, Finish(NOW, "failed"), IllegalTransition, "done"),
    (DONE, Finish(NOW, "done", "another error"), IllegalTransition, "done"),
    (CANCELLED, Finish(NOW), IllegalTransition, "cancelled"),
    (DONE, Cancel(NOW), IllegalTransition, "done"),
]


@pytest.mark.parametrize(("given", "when", "error", "words"), CONTRADICTIONS)
def test_a_contradictory_command_raises(
    given: Sequence[Event], when: Command, error: type[Contradiction], words: str
) -> None:
    with pytest.raises(error, match=words) as raised:
        decide(fold(given), when)
    assert type(raised.value) is error


# ---------------------------------------------------------------- views


@pytest.mark.parametrize(
    ("statuses", "expected"),
    [
        ((), "done"),
        (("done", "done"), "done"),
        (("done", "failed"), "partial"),
        (("failed", "failed"), "failed"),
    ],
)
def test_the_targets_say_how_a_job_ended(statuses: tuple[TargetStatus, ...], expected: str) -> None:
    assert verdict(with_targets(*statuses)) == expected


def test_views_of_a_job_and_a_target() -> None:
    assert state(ONE_DONE).unfinished == 1
    assert not state(ONE_DONE).terminal
    assert state(CANCELLED).terminal
    assert [target.finished for target in state(ONE_DONE).targets] == [True, False]


# ---------------------------------------------------------------- rule 7 under random commands


TIMES = st.integers(0, 20_000)
INDEXES = st.integers(-1, 3)
BODIES = st.sampled_from([None, "", "a", "héllo", "a longer result"])
TARGET_COUNTS = st.integers(0, 3)


def specs(count: int, scheme: str = "http") -> tuple[TargetSpec, ...]:
    return tuple(TargetSpec(f"{scheme}://{n}.example/", "{}") for n in range(count))


COMMANDS: st.SearchStrategy[Command] = st.one_of(
    st.builds(AddTargets, st.builds(specs, TARGET_COUNTS, st.sampled_from(["http", "https"]))),
    st.builds(Start, TIMES),
    st.builds(StartTarget, TIMES, INDEXES),
    st.builds(CompleteTarget.of, TIMES, INDEXES, BODIES),
    st.builds(FailTarget, TIMES, INDEXES, st.sampled_from(["e", "f"]), st.sampled_from([None, "h"])),
    st.builds(Finish, TIMES, st.sampled_from([None, "done", "partial", "failed"]), st.sampled_from(["", "x"])),
    st.builds(Touch, TIMES),
)
# What ends a job is a rule of its own, and rarer, so that jobs live long enough to become interesting.
ENDINGS: st.SearchStrategy[Command] = st.one_of(
    st.builds(Cancel, TIMES, st.sampled_from(["", "x"])),
    st.builds(Interrupt, TIMES, st.just("interrupted")),
    st.builds(Sweep, TIMES, st.integers(0, 30)),
    st.builds(Evict, TIMES),
)


def outcome(job: Job | None, command: Command) -> tuple[tuple[Event, ...], str]:
    """What decide returns, or what it says when it refuses."""
    try:
        return decide(job, command), ""
    except Contradiction as refusal:
        return (), repr(refusal)


class JobMachine(RuleBasedStateMachine):
    """Random commands at one job. What decide returns evolves, and rule 7 holds after every event."""

    def __init__(self) -> None:
        super().__init__()
        self.job: Job | None = None
        self.log: list[Event] = []

    def carry_out(self, command: Command) -> None:
        decision = outcome(self.job, command)
        assert outcome(self.job, command) == decision, "pure: the same input, the same output"
        events, refusal = decision
        before = self.job
        for event in events:
            version = self.job.version if self.job else 0
            self.job = evolve(self.job, event)
            assert self.job.version == version + 1
            self.log.append(event)
            check_rule_7(self.job)
        if not refusal:
            assert act(before, command) == (events, self.job)
        if not refusal and not isinstance(command, Submit):
            assert decide(self.job, command) == (), "the same command twice yields nothing the second time"

    @precondition(lambda self: self.job is None)
    @rule(
        total=TARGET_COUNTS,
        status=st.sampled_from(["queued", "queued", "running", "done", "cancelled"]),
        at_once=st.booleans(),
        stated=TARGET_COUNTS,
    )
    def submit(self, total: int, status: JobStatus, at_once: bool, stated: int) -> None:
        submitted = msgspec.structs.replace(
            SUBMITTED, targets_total=total, status=status, targets_done=stated, lease=0, created_at=0
        )
        self.carry_out(Submit(submitted, specs(total) if at_once else ()))

    @rule(command=COMMANDS)
    def command(self, command: Command) -> None:
        self.carry_out(command)

    @precondition(lambda self: self.job is not None and self.job.targets)
    @rule(at_ms=TIMES, body=BODIES)
    def complete_all(self, at_ms: int, body: str | None) -> None:
        assert self.job is not None
        for idx in range(len(self.job.targets)):
            self.carry_out(CompleteTarget.of(at_ms, idx, body))

    @rule(command=ENDINGS)
    def ending(self, command: Command) -> None:
        self.carry_out(command)

    @rule()
    def submit_again(self) -> None:
        if self.job is not None:
            with pytest.raises(JobExists):
                decide(self.job, Submit(SUBMITTED))

    @invariant()
    def the_state_is_the_fold_of_what_was_stored(self) -> None:
        assert fold(stored_and_read(event) for event in self.log) == self.job


def stored_and_read(event: Event) -> Event:
    public, private = split(event)
    read = decode(encode(Stored("j1", 1, public, private)))
    return read.event if read.sealed is None else join(read.event, read.sealed)


def check_rule_7(job: Job) -> None:
    if job.terminal and not job.removed:
        assert job.targets_done == job.targets_total
        assert all(target.finished for target in job.targets)
    if job.targets:
        assert job.targets_total == len(job.targets)
        assert job.targets_done == sum(target.status in ("done", "failed") for target in job.targets)
        assert job.nbytes == sum(target.nbytes for target in job.targets)
    for target in job.targets:
        assert (target.nbytes, target.sha256) == (0, None) or target.status == "done"
        assert (target.error, target.hint) == (None, None) or target.status == "failed"


TestJobMachine = JobMachine.TestCase
TestJobMachine.settings = settings(max_examples=150, stateful_step_count=30, deadline=None)
