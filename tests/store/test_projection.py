"""A projection that lags behind its log catches up, and is then what live writes would have made it."""

import secrets
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import apsw
import pytest
from gofer.events.job import (
    CompleteTarget,
    Event,
    JobStarted,
    LeaseTouched,
    Start,
    TargetStarted,
    UnknownTarget,
    decide,
)
from gofer.store import log, projection
from gofer.store.batch import BatchJob, BatchStore
from gofer.store.database import open_writer

Submit = Callable[..., str]
ROWS = (
    "SELECT * FROM batch_job ORDER BY id",
    # Results are not on the log, so a replay cannot bring them back.
    "SELECT job_id, idx, url, options, status, error, hint FROM batch_target ORDER BY job_id, idx",
    "SELECT position FROM projection",
)
RESULTS = "SELECT job_id, idx, result FROM batch_target WHERE result IS NOT NULL ORDER BY job_id, idx"


def tables(db: apsw.Connection) -> list[list[Any]]:
    return [list(db.execute(sql)) for sql in ROWS]


def a_mixed_run(store: BatchStore, submit: Submit) -> None:
    """Jobs in every state there is, with each kind of event on the log."""
    submit(store, "queued")
    submit(store, "running", targets_total=3)
    store.set_batch_job_status("running", "running", "", 1_001)
    store.update_batch_target("running", 0, 1_002, "running")
    store.update_batch_target("running", 0, 1_003, "done", "first")
    store.update_batch_target("running", 0, 1_004, "done", "second, longer")
    store.update_batch_target("running", 1, 1_005, "failed", error="http 404", hint="check the URL")
    for id in ("done", "evicted", "swept", "cancelled"):
        submit(store, id, targets_total=1)
    store.update_batch_target("done", 0, 1_006, "done", "kept")
    store.set_batch_job_status("done", "done", "", 1_007)
    store.update_batch_target("evicted", 0, 500, "done", "x" * 1_000)
    store.set_batch_job_status("evicted", "done", "", 500)
    store.evict_batch_oldest(100)
    store.touch_batch_job("swept", 1)
    store.sweep_batch(100, 90)
    store.set_batch_job_status("cancelled", "cancelled", "", 1_008)
    store.create_batch_job(BatchJob("bare", "bob", "restricted", "k", targets_total=2))
    store.mark_in_flight_failed("interrupted: server restarted", 1_009)
    submit(store, "after", targets_total=1)
    assert {id for (id,) in store.connection.execute("SELECT id FROM batch_job")} == {
        "queued", "running", "done", "cancelled", "bare", "after",
    }  # fmt: skip


def append(db: apsw.Connection, job_id: str, expected_version: int, events: Sequence[Event]) -> None:
    """Append to the log alone, as an import does: the tables stay behind."""
    writer = log.EventLog(db, secrets.token_bytes)
    writer.stage(job_id, expected_version, events)
    writer.append()
    writer.flush()


def reset(db: apsw.Connection) -> None:
    db.execute("DELETE FROM batch_target; DELETE FROM batch_job; UPDATE projection SET position = 0")


def test_live_writes_leave_nothing_to_catch_up(file_store: BatchStore, submit: Submit) -> None:
    a_mixed_run(file_store, submit)
    assert projection.position(file_store.connection) == log.head(file_store.connection) > 20
    assert projection.catch_up(file_store.connection) == 0


def test_a_projection_rebuilt_from_nothing_equals_the_live_one(path: Path, submit: Submit) -> None:
    with BatchStore.open(path) as store:
        a_mixed_run(store, submit)
        live, events, nbytes = tables(store.connection), store.head(), store.batch_nbytes()
        assert list(store.connection.execute(RESULTS)) == [("done", 0, "kept"), ("running", 0, "second, longer")]
        with store.transaction():
            reset(store.connection)
            assert projection.catch_up(store.connection) == events
        assert tables(store.connection) == live
        assert store.batch_nbytes() == nbytes
        assert list(store.connection.execute(RESULTS)) == []


def test_it_catches_up_from_every_position(path: Path, submit: Submit) -> None:
    with BatchStore.open(path) as store:
        a_mixed_run(store, submit)
        live, recorded = tables(store.connection), store.read(0)
        for position in range(len(recorded) + 1):
            with store.transaction():
                reset(store.connection)
                for event in recorded[:position]:
                    before = log.load(store.connection, event.job_id, below_version=event.version)
                    after = log.load(store.connection, event.job_id, below_version=event.version + 1)
                    assert after is not None
                    projection.project(store.connection, [(before, after, {})])
                projection.advance(store.connection, position)
                assert projection.position(store.connection) == position
                assert projection.catch_up(store.connection) == len(recorded) - position
            assert tables(store.connection) == live, position


def test_opening_brings_a_lagging_projection_up_to_the_head(path: Path, submit: Submit) -> None:
    with BatchStore.open(path) as store:
        a_mixed_run(store, submit)
        live = tables(store.connection)
    db = open_writer(str(path))
    reset(db)
    db.close()
    with BatchStore.open(path) as store:
        assert tables(store.connection) == live
        store.update_batch_target("after", 0, 2_000, "done", "it goes on")
        targets = store.batch_targets("after")
        assert targets is not None
        assert targets[0].result == "it goes on"


def test_results_of_targets_that_the_replay_does_not_touch_are_kept(path: Path, submit: Submit) -> None:
    with BatchStore.open(path) as store:
        submit(store)
        store.update_batch_target("j1", 0, 1_001, "done", "kept")
        append(store.connection, "j1", 3, [JobStarted(1_002_000)])  # as an import leaves it: on the log alone
    with BatchStore.open(path) as store:
        job, targets = store.batch_job("j1"), store.batch_targets("j1")
        assert job is not None
        assert targets is not None
        assert (job.status, job.targets_done, job.nbytes) == ("running", 1, 4)
        assert [target.result for target in targets] == ["kept", None]


def test_a_result_is_never_told_as_that_of_another_event(path: Path, submit: Submit) -> None:
    with BatchStore.open(path) as store:
        submit(store)
        store.update_batch_target("j1", 0, 1_001, "done", "the old one")
        command = CompleteTarget.of(1_002_000, 0, "the new one, whose body is elsewhere")
        rewritten = log.load(store.connection, "j1")
        assert rewritten is not None
        append(store.connection, "j1", rewritten.version, decide(rewritten, command))
    with BatchStore.open(path) as store:
        targets = store.batch_targets("j1")
        assert targets is not None
        assert (targets[0].status, targets[0].result) == ("done", None)


def test_catching_up_is_all_or_nothing(path: Path, submit: Submit) -> None:
    with BatchStore.open(path) as store:
        submit(store)
        store.execute("j1", Start(1_001_000))
        at = projection.position(store.connection)
        append(store.connection, "j1", 3, [LeaseTouched(2_000_000), TargetStarted(2_001_000, 99)])
    with pytest.raises(UnknownTarget):
        BatchStore.open(path)
    db = open_writer(str(path))
    assert projection.position(db) == at
    assert db.execute("SELECT lease FROM batch_job").get == 1_001
    db.close()
