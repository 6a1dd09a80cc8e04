"""Reading leaf hashes from any position on: across archived segments, pages, and beside a writer."""

from pathlib import Path

import pytest
from gofer.store import leaves
from gofer.store.archive import SegmentMissing, segment_folder
from gofer.store.audit_archive import archive
from gofer.store.batch import BatchJob, BatchStore
from gofer.store.database import StoreError
from gofer.store.leaves import read_leaves, stored_leaves

TTL_S = 10


@pytest.fixture
def log(path: Path) -> Path:
    """Nine events: two jobs that were swept, of 0 s and 100 s, and one that is kept."""
    with BatchStore.open(path) as store:
        for id, now in (("old", 0), ("older", 100)):
            store.create_batch_job(BatchJob(id, "alice", "fleet", "k", created_at=now, lease=now))
            store.set_batch_job_status(id, "cancelled", "", now)
            store.sweep_batch(now + TTL_S + 1, TTL_S)
        store.create_batch_job(BatchJob("new", "alice", "fleet", "k", created_at=1_000, lease=1_000))
        for second in range(1, 3):
            store.touch_batch_job("new", 1_000 + second)
    return path


@pytest.mark.parametrize("page", [1, 2, 100])
@pytest.mark.parametrize("archived", [0, 1, 2])
def test_leaves_are_read_from_any_position_on(
    log: Path, monkeypatch: pytest.MonkeyPatch, page: int, archived: int
) -> None:
    monkeypatch.setattr(leaves, "PAGE_EVENTS", page)
    folder = segment_folder(log)
    whole = list(read_leaves(log, folder, 0))
    assert len(set(whole)) == 9
    for before_ms in (50_000, 500_000)[:archived]:
        segment = archive(log, folder, before_ms)
        assert segment is not None
    for after in range(10):
        assert list(read_leaves(log, folder, after)) == whole[after:], after


def test_a_segment_is_needed_for_what_is_in_it_alone(log: Path, tmp_path: Path) -> None:
    archive(log, segment_folder(log), 50_000)
    assert len(list(read_leaves(log, tmp_path / "none", 3))) == 6
    with pytest.raises(SegmentMissing, match="it holds events 1 to 3"):
        list(read_leaves(log, tmp_path / "none", 2))


def test_between_two_pages_the_log_may_grow(log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(leaves, "PAGE_EVENTS", 4)
    with BatchStore.open(log) as store:
        reading = stored_leaves(store.connection, segment_folder(log), 0)
        first = [next(reading) for _ in range(6)]
        store.touch_batch_job("new", 2_000)
        assert len([*first, *reading]) == 10


def test_a_file_that_is_none_of_ours_is_told(tmp_path: Path) -> None:
    (tmp_path / "other.db").write_text("text")
    with pytest.raises(StoreError, match="not an SQLite database"):
        list(read_leaves(tmp_path / "other.db", tmp_path, 0))
