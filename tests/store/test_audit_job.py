"""One job as its events tell it: the timeline, and what was done for a target."""

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from gofer.events.job import (
    AddTargets,
    Cancel,
    Command,
    CompleteTarget,
    FailTarget,
    Finish,
    JobSubmitted,
    Start,
    StartTarget,
    Submit,
    TargetSpec,
    Touch,
)
from gofer.store.audit_job import Hop, NoSuchJob, explain, timeline
from gofer.store.audit_walk import LogFile, open_log_file
from gofer.store.batch import BatchStore
from gofer.store.database import StoreError

URLS = tuple(TargetSpec(f"http://{name}.example/", '{"mode":"raw"}') for name in ("a", "b", "c"))
FACTS = msgspec.Raw(
    b'{"hops":[{"url":"http://b.example/","status":302,"addresses":["192.0.2.1"],"dialled":"192.0.2.1"},'
    b'{"url":"http://in.example/","verdict":"private address","of_a_later_gofer":1}],"elapsed_ms":250}'
)


def commands(job_id: str, caller: str) -> list[Command]:
    submitted = JobSubmitted(
        at_ms=1_000_000,
        job_id=job_id,
        caller=caller,
        caller_class="restricted",
        idem_key="k",
        targets_total=3,
        created_at=1_000,
        lease=1_000,
    )
    return [
        Submit(submitted),
        AddTargets(URLS),
        Start(1_000_400),
        StartTarget(1_000_500, 0),
        StartTarget(1_000_600, 1),
        CompleteTarget.of(1_001_500, 0, "body"),
        FailTarget(1_002_000, 1, "blocked: redirect", "ask for another", FACTS),
        Touch(1_005_000),
        Touch(1_007_000),
    ]


@pytest.fixture
def store(path: Path) -> Iterator[BatchStore]:
    with BatchStore.open(path) as store, store.transaction():
        for other in ("x", "y"):
            for command in commands(other, "bob"):
                store.execute(other, command, {0: "body"})
        for command in (*commands("j", "alice"), Cancel(1_008_000)):
            store.execute("j", command, {0: "body"})
        store.execute("x", Finish(1_008_000, "failed", "worn out"))
        yield store


@pytest.fixture
def log(store: BatchStore, path: Path) -> LogFile:
    return LogFile(store.connection, path, path.parent, immutable=False)


def test_a_timeline_tells_every_fact_of_one_job(log: LogFile) -> None:
    told = timeline(log, "j")
    assert (told.caller, told.caller_class, told.status, told.removed) == ("alice", "restricted", "cancelled", False)
    assert (told.targets_done, told.targets_total, told.nbytes) == (3, 3, 4)
    assert (told.queued_ms, told.ran_ms) == (400, 7_600)
    assert (told.reads, told.last_read_ms, told.hidden) == (2, 1_007_000, False)
    assert [(e.seq, e.version, e.after_ms, e.type, e.idx, e.took_ms) for e in told.events] == [
        (19, 1, 0, "job.submitted", None, None),
        (20, 2, 0, "job.targets_added", None, None),
        (21, 3, 400, "job.started", None, None),
        (22, 4, 500, "target.started", 0, None),
        (23, 5, 600, "target.started", 1, None),
        (24, 6, 1_500, "target.done", 0, 1_000),
        (25, 7, 2_000, "target.failed", 1, 1_400),
        (26, 8, 5_000, "job.lease_touched", None, None),
        (27, 9, 7_000, "job.lease_touched", None, None),
        (28, 10, 8_000, "job.cancelled", None, 7_600),
    ]
    assert [e.detail for e in told.events[:2]] == [
        "3 targets by alice (restricted)",
        "http://a.example/ http://b.example/ http://c.example/",
    ]
    assert told.events[6].detail == "blocked: redirect"


def test_a_target_is_explained_by_what_its_fetch_recorded(log: LogFile) -> None:
    told = explain(log, "j", 1)
    assert (told.url, told.options, told.status) == ("http://b.example/", '{"mode":"raw"}', "failed")
    assert (told.error, told.hint) == ("blocked: redirect", "ask for another")
    assert (told.started_ms, told.ended_ms, told.fetch_ms, told.seq) == (1_000_600, 1_002_000, 250, 25)
    assert told.hops == (
        Hop("http://b.example/", 302, ("192.0.2.1",), "192.0.2.1"),
        Hop("http://in.example/", verdict="private address"),
    )
    assert (told.result, told.sha256, told.nbytes) == ("none", None, 0)


def test_a_result_is_kept_changed_or_gone(log: LogFile) -> None:
    assert explain(log, "j", 0).result == "kept"
    log.db.execute("UPDATE batch_target SET result = 'else' WHERE job_id = 'j'")
    assert explain(log, "j", 0).result == "changed"
    log.db.execute("UPDATE batch_target SET result = NULL WHERE job_id = 'j'")
    assert explain(log, "j", 0).result == "gone"


def test_a_target_that_its_job_left_unfinished_ended_with_the_job(log: LogFile) -> None:
    told = explain(log, "j", 2)
    assert (told.status, told.error) == ("failed", "cancelled")
    assert (told.started_ms, told.ended_ms, told.seq, told.hops) == (None, 1_008_000, 28, ())


def test_of_a_swept_job_the_facts_remain_and_what_is_private_does_not(store: BatchStore, log: LogFile) -> None:
    store.sweep_batch(9_999, 1)
    told = timeline(log, "j")
    assert (told.removed, told.hidden, told.status) == (True, True, "cancelled")
    assert [e.detail for e in told.events if e.type in ("job.targets_added", "target.failed", "job.swept")] == [
        "3 URLs, forgotten",
        "forgotten",
        "its lease ran out",
    ]
    target = explain(log, "j", 1)
    assert (target.hidden, target.url, target.error, target.hops) == (True, "", None, ())
    assert (target.status, target.ended_ms) == ("failed", 1_002_000)
    assert explain(log, "j", 0).result == "gone"


def test_what_is_not_there_is_told(log: LogFile) -> None:
    with pytest.raises(NoSuchJob, match="no job nope on this log"):
        timeline(log, "nope")
    for idx in (-1, 3):
        with pytest.raises(StoreError, match=f"job j has targets 0 to 2, not {idx}"):
            explain(log, "j", idx)


def test_a_file_is_read_like_the_store_that_wrote_it(path: Path) -> None:
    with BatchStore.open(path) as store:
        for command in commands("j", "alice"):
            store.execute("j", command, {0: "body"})
        with open_log_file(path) as live:
            told = timeline(live, "j"), explain(live, "j", 1)
    with open_log_file(path) as closed:
        assert (timeline(closed, "j"), explain(closed, "j", 1)) == told
