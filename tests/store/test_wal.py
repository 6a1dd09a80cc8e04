"""The WAL is kept short by the writer alone, whatever is read meanwhile; what is deleted does not live on in it."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from itertools import count
from pathlib import Path
from threading import Event

import apsw
import pytest
from gofer.store import transfer, wal
from gofer.store.audit import verify
from gofer.store.audit_walk import open_log_file
from gofer.store.batch import BatchStore
from gofer.store.database import open_reader
from gofer.store.reader import Reader

Submit = Callable[..., str]
Check = Callable[[BatchStore], None]

PAGE_BYTES = 4096 + 24  # in the WAL
COPY_PAGES = 50
LONG_PAGES = 200


@pytest.fixture(autouse=True)
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Limits that a test reaches soon."""
    monkeypatch.setattr(wal, "COPY_PAGES", COPY_PAGES)
    monkeypatch.setattr(wal, "LONG_PAGES", LONG_PAGES)
    monkeypatch.setattr(wal, "PATIENCE_MS", 1)


@pytest.fixture
def write(file_store: BatchStore, submit: Submit) -> Callable[[], int]:
    """Commits the next job, some ten pages, and answers how many pages the WAL has."""
    ids = count(1)
    file = Path(f"{file_store.connection.filename}-wal")

    def write() -> int:
        submit(file_store, id=f"job-{next(ids):03}")
        return file.stat().st_size // PAGE_BYTES

    return write


def test_it_stays_short_while_nobody_reads(write: Callable[[], int]) -> None:
    assert max(write() for _ in range(60)) < COPY_PAGES + 30


def test_it_stays_short_while_a_long_export_reads(
    path: Path, write: Callable[[], int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transfer, "PAGE_EVENTS", 10)
    lines, sizes = [], []

    def line(data: bytes) -> None:
        lines.append(data)
        sizes.append(write())

    for _ in range(40):
        write()
    with open_log_file(path) as log:
        assert transfer.export(log, line) == 80
    assert len(lines) == 81
    assert max(sizes) < COPY_PAGES + 30


def test_it_stays_short_while_snapshots_overlap(
    path: Path, write: Callable[[], int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """There is always a reader, but none stays: the writer waits for those of before, not for newer ones."""
    monkeypatch.setattr(wal, "PATIENCE_MS", 30_000)
    write()
    reading, enough = Event(), Event()

    def read() -> None:
        with closing(open_reader(str(path))) as first, closing(open_reader(str(path))) as second:
            snapshot(first)
            while not enough.is_set():
                snapshot(second)
                first.execute("COMMIT")
                first, second = second, first
                reading.set()

    with ThreadPoolExecutor(1) as pool:
        reader = pool.submit(read)
        reading.wait()
        sizes = [write() for _ in range(60)]
        enough.set()
        reader.result()
    assert max(sizes) < LONG_PAGES + 30


def test_a_reader_that_stays_delays_the_writer_by_no_more_than_its_patience(
    path: Path, write: Callable[[], int], file_store: BatchStore
) -> None:
    """The WAL cannot be cut under its snapshot. Commits go on, and once it has left all is emptied."""
    write()
    with closing(open_reader(str(path))) as reader:
        snapshot(reader)
        sizes = [write() for _ in range(80)]
        assert sizes[-1] > 2 * LONG_PAGES
        assert reader.execute("SELECT count(*) FROM event").get == 2
    assert write() < COPY_PAGES
    assert file_store.head() == 2 * 82


def snapshot(db: apsw.Connection) -> None:
    db.execute("BEGIN")
    db.execute("SELECT count(*) FROM event").get


def test_a_checkpoint_that_fails_is_not_passed_over(
    write: Callable[[], int], file_store: BatchStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Failing:
        def __getattr__(self, name: str) -> object:
            return getattr(file_store.connection, name)

        def wal_checkpoint(self, **_: object) -> None:
            raise apsw.IOError("disk I/O error")

    monkeypatch.setattr(file_store._wal, "_db", Failing())
    pages = 0
    with pytest.raises(apsw.IOError):  # noqa: PT012 - which of them it is, is told below
        while pages < 2 * COPY_PAGES:
            pages = write()
    assert COPY_PAGES - 30 < pages < COPY_PAGES


@pytest.mark.parametrize("remove", ["sweep", "evict"])
def test_what_is_deleted_is_nowhere_in_the_files(
    path: Path, file_store: BatchStore, submit: Submit, remove: str
) -> None:
    submit(file_store, targets_total=1, idem_key="sesame")
    file_store.update_batch_target("j1", 0, 1_000, "done", result="a body of nine thousand bytes, " * 300)
    file_store.set_batch_job_status("j1", "done", "", 1_000)
    words = (b"http://0.example/", b"a body of nine thousand", b"sesame")
    assert all(word in everything(path) for word in words)
    if remove == "sweep":
        assert file_store.sweep_batch(2_000, 10) == 1
    else:
        assert file_store.evict_batch_oldest(0) == 1
    assert not [word for word in words if word in everything(path)]


def test_what_a_reader_kept_from_being_scrubbed_goes_with_the_commit_after_it(
    path: Path, file_store: BatchStore, submit: Submit
) -> None:
    submit(file_store, targets_total=1)
    with closing(open_reader(str(path))) as reader:
        snapshot(reader)
        file_store.sweep_batch(9_000, 10)
        assert b"http://0.example/" in everything(path)
    submit(file_store, id="j2", targets_total=0)
    assert b"http://0.example/" not in everything(path)


def everything(path: Path) -> bytes:
    return b"".join(file.read_bytes() for file in path.parent.glob(f"{path.name}*"))


def test_a_copy_made_while_the_store_is_written_is_whole(
    path: Path, tmp_path: Path, write: Callable[[], int], file_store: BatchStore, check: Check,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.setattr(transfer, "PAGE_PAGES", 5)
    for _ in range(60):
        write()
    before = file_store.head()
    steps = []
    with open_log_file(path) as log:
        transfer.backup(log, tmp_path / "copy.db", progress=lambda done, total: steps.append((done, total, write())))
    assert len(steps) > 5
    assert file_store.head() == before + 2 * len(steps)
    with open_log_file(tmp_path / "copy.db") as log:
        report = verify(log)
    assert report.whole, report.findings
    with BatchStore.open(tmp_path / "copy.db") as copy:
        assert copy.head() == before
        assert copy.read(0) == file_store.read(0)[:before]
        check(copy)
        assert Reader.beside(copy).status("job-001") == "queued"
