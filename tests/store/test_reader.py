"""Reads for the live system: one snapshot each, results on demand only, and no writing."""

from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import apsw
import pytest
from gofer.store.batch import BatchJob, BatchStore, BatchTarget
from gofer.store.database import open_reader
from gofer.store.reader import JobView, Reader
from gofer.store.rows import select_target, select_targets

Submit = Callable[..., str]


@pytest.fixture
def reader(store: BatchStore, path: Path) -> Iterator[Reader]:
    """A reader of `store`: of its file, or beside it when it is in memory."""
    opened = Reader.open(path) if path.exists() else Reader.beside(store)
    yield opened
    if path.exists():
        opened.close()


@pytest.fixture
def file_reader(file_store: BatchStore, path: Path) -> Iterator[Reader]:
    with closing(Reader.open(path)) as opened:
        yield opened


def test_a_job_is_seen_with_its_targets_and_position(store: BatchStore, reader: Reader, submit: Submit) -> None:
    submit(store)
    store.set_batch_job_status("j1", "running", "", 1_001)
    store.update_batch_target("j1", 0, 1_002, "done", "x")
    store.update_batch_target("j1", 1, 1_003, "failed", error="http 404", hint="check the URL")
    job = BatchJob("j1", "alice", "fleet", "key", "running", "", 2, 2, 900, 1_003, 1)
    failed = BatchTarget("j1", 1, "http://1.example/", "{}", "failed", None, "http 404", "check the URL")
    summary = JobView(job, (BatchTarget("j1", 0, "http://0.example/", "{}", "done"), failed), 5)
    assert reader.job("j1") == summary
    with_results = reader.job("j1", results=True)
    assert with_results is not None
    assert with_results.targets == (BatchTarget("j1", 0, "http://0.example/", "{}", "done", "x"), failed)
    assert (with_results.job, with_results.position) == (job, 5)


def test_a_read_touches_nothing(store: BatchStore, reader: Reader, submit: Submit) -> None:
    submit(store)
    before = store.head()
    reader.job("j1", results=True)
    reader.target("j1", 0)
    reader.job_by_idem("alice", "key", 1_000, 60)
    assert store.head() == before
    assert store.misses == {}


def test_one_target_is_seen_with_its_result_and_job(store: BatchStore, reader: Reader, submit: Submit) -> None:
    submit(store)
    store.update_batch_target("j1", 1, 1_001, "done", "x")
    view = reader.job("j1")
    assert view is not None
    assert reader.target("j1", 1) == (view.job, BatchTarget("j1", 1, "http://1.example/", "{}", "done", "x"))
    assert reader.target("j1", 0) == (view.job, view.targets[0])
    assert reader.target("j1", 2) == (view.job, None)
    assert reader.target("j1", -1) == (view.job, None)
    assert reader.target("nope", 0) is None


def test_a_job_is_seen_by_its_key_without_results(store: BatchStore, reader: Reader, submit: Submit) -> None:
    submit(store, lease=1_000)
    store.update_batch_target("j1", 1, 1_000, "done", "x")
    assert reader.job_by_idem("alice", "key", 1_059, 60) == reader.job("j1")
    assert reader.job_by_idem("alice", "key", 1_060, 60) is None
    assert reader.job_by_idem("bob", "key", 1_000, 60) is None


def test_a_missing_and_a_removed_job_are_none(store: BatchStore, reader: Reader, submit: Submit) -> None:
    assert reader.job("j1") is None
    submit(store)
    assert reader.job("j1") is not None
    store.sweep_batch(10_000, 0)
    assert reader.job("j1") is None


def test_a_commit_is_seen_by_the_next_read(file_store: BatchStore, file_reader: Reader, submit: Submit) -> None:
    submit(file_store)
    for now in range(1_001, 1_010):
        file_store.touch_batch_job("j1", now)
        view = file_reader.job("j1")
        assert view is not None
        assert (view.job.lease, view.position) == (now, file_store.head())


def test_nothing_is_seen_before_its_commit(file_store: BatchStore, file_reader: Reader, submit: Submit) -> None:
    submit(file_store)
    before = file_reader.job("j1")
    with file_store.transaction():
        file_store.update_batch_target("j1", 0, 1_001, "done", "x")
        assert file_reader.job("j1") == before
    after = file_reader.job("j1")
    assert after is not None
    assert after.job.targets_done == 1


@pytest.mark.parametrize("by_key", [False, True])
def test_one_read_is_one_snapshot(
    file_store: BatchStore, file_reader: Reader, submit: Submit, monkeypatch: pytest.MonkeyPatch, by_key: bool
) -> None:
    submit(file_store)
    before = file_reader.job("j1")

    def commit_then_select(*args: Any, **kwargs: Any) -> list[BatchTarget]:
        """Between the two SELECTs of one read the writer commits."""
        file_store.update_batch_target("j1", 0, 1_001, "done", "x")
        return select_targets(*args, **kwargs)

    with monkeypatch.context() as patched:
        patched.setattr("gofer.store.reader.select_targets", commit_then_select)
        during = file_reader.job_by_idem("alice", "key", 1_000, 60) if by_key else file_reader.job("j1")
    assert during == before
    after = file_reader.job("j1")
    assert after is not None
    assert (after.job.targets_done, after.targets[0].status, after.position) == (1, "done", 3)


def test_one_target_and_its_job_are_one_snapshot(
    file_store: BatchStore, file_reader: Reader, submit: Submit, monkeypatch: pytest.MonkeyPatch
) -> None:
    submit(file_store)
    before = file_reader.target("j1", 0)

    def commit_then_select(*args: Any) -> BatchTarget | None:
        file_store.update_batch_target("j1", 0, 1_001, "done", "x")
        return select_target(*args)

    with monkeypatch.context() as patched:
        patched.setattr("gofer.store.reader.select_target", commit_then_select)
        assert file_reader.target("j1", 0) == before
    assert file_reader.target("j1", 0) != before


def test_a_read_that_fails_leaves_no_transaction_behind(
    file_store: BatchStore, file_reader: Reader, submit: Submit, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*args: Any, **kwargs: Any) -> list[BatchTarget]:
        raise RuntimeError("broken")

    submit(file_store)
    with monkeypatch.context() as patched:
        patched.setattr("gofer.store.reader.select_targets", broken)
        with pytest.raises(RuntimeError, match="broken"):
            file_reader.job("j1")
    file_store.touch_batch_job("j1", 1_234)
    view = file_reader.job("j1")
    assert view is not None
    assert view.job.lease == 1_234


def test_a_status_read_does_not_read_results(file_store: BatchStore, path: Path, submit: Submit) -> None:
    submit(file_store)
    file_store.update_batch_target("j1", 0, 1_001, "done", "x" * 100_000)
    read: set[tuple[str, str]] = set()

    def note(operation: int, table: str | None, column: str | None, *_: Any) -> int:
        if operation == apsw.SQLITE_READ and table and column:
            read.add((table, column))
        return apsw.SQLITE_OK

    with closing(open_reader(str(path))) as db:
        db.authorizer = note
        reader = Reader(db)
        view = reader.job("j1")
        reader.job_by_idem("alice", "key", 1_001, 60)
        assert view is not None
        assert [target.result for target in view.targets] == [None, None]
        assert ("batch_target", "status") in read
        assert ("batch_target", "result") not in read
        reader.job("j1", results=True)
        assert ("batch_target", "result") in read


@pytest.mark.parametrize(
    "sql",
    [
        "INSERT INTO event (seq, job_id, version, data) VALUES (1, 'a', 1, '{}')",
        "UPDATE batch_job SET lease = 0",
        "DELETE FROM batch_target",
        "DROP TABLE event",
        "PRAGMA user_version = 9",
        "VACUUM",
    ],
)
def test_a_reader_cannot_write(file_store: BatchStore, path: Path, submit: Submit, sql: str) -> None:
    submit(file_store)
    with closing(open_reader(str(path))) as db, pytest.raises(apsw.ReadOnlyError):
        db.execute(sql)


def test_a_reader_may_be_closed_twice(file_reader: Reader) -> None:
    file_reader.close()
    file_reader.close()
    with pytest.raises(apsw.ConnectionClosedError):
        file_reader.job("j1")
