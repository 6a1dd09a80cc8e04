"""Logs that go elsewhere: exports, imports, backups, segments, and what is private in none of them once forgotten."""

import errno
import hashlib
import os
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from pathlib import Path

import apsw
import msgspec
import pytest
from gofer.events.job import FailTarget
from gofer.events.merkle import CompactRange
from gofer.store.archive import segment_folder, segments
from gofer.store.audit import Report, Signed, verify
from gofer.store.audit_archive import archive
from gofer.store.audit_job import NoSuchJob, job_events
from gofer.store.audit_rebuild import rebuild
from gofer.store.audit_replay import position_at, present, replay
from gofer.store.audit_tables import Drift, compare
from gofer.store.audit_walk import leaf_hashes, open_log_file
from gofer.store.batch import BatchJob, BatchStore, BatchTarget
from gofer.store.database import NotAStore, StoreError, StoreInUse
from gofer.store.log import LogDamaged
from gofer.store.note import Checkpoint
from gofer.store.transfer import backup, export, import_log

Submit = Callable[..., str]
TTL_S = 100


def judge(path: Path, *, log_alone: bool = False) -> Report:
    with open_log_file(path) as log:
        return verify(log, log_alone=log_alone)


def exported(path: Path, **options: object) -> bytes:
    out: list[bytes] = []
    with open_log_file(path) as log:
        export(log, out.append, **options)  # type: ignore[arg-type]
    return b"".join(out)


def run(store: BatchStore, id: str, now: int) -> None:
    """A job that is done at once: six events."""
    store.create_batch_job(BatchJob(id, "alice", "fleet", "k", targets_total=2, created_at=now, lease=now))
    store.put_batch_targets(id, [BatchTarget(id, idx, f"http://secret{idx}.example/{id}", "{}") for idx in range(2)])
    store.update_batch_target(id, 0, now, "done", result=f"body of {id}")
    store.update_batch_target(id, 1, now, "failed", error=f"dns: no secret1.example of {id}")
    store.set_batch_job_status(id, "partial", "", now)


@pytest.fixture
def log(path: Path) -> Path:
    """Three jobs, of 0, 10 and 1000 s."""
    with BatchStore.open(path) as store:
        for id, now in (("old", 0), ("older", 10), ("new", 1_000)):
            run(store, id, now)
    return path


# ---------------------------------------------------------------- export and import


def test_an_import_has_the_same_root_and_folds_to_the_same_tables(log: Path, tmp_path: Path) -> None:
    target = tmp_path / "copy.db"
    tree = import_log(exported(log, private=True).splitlines(keepends=True), target)
    ours, theirs = judge(log), judge(target, log_alone=True)
    assert theirs.findings == ()
    assert (theirs.size, theirs.root) == (ours.size, ours.root) == (tree.size, tree.root.hex())
    with open_log_file(log) as one, open_log_file(target) as other:
        assert present(one).jobs == present(other).jobs
    assert exported(target, private=True) == exported(log, private=True)


def test_an_import_without_keys_is_as_good_but_for_what_is_private(log: Path, tmp_path: Path) -> None:
    target = tmp_path / "copy.db"
    import_log(exported(log).splitlines(keepends=True), target)
    assert judge(target, log_alone=True).root == judge(log).root
    with BatchStore.open(target) as store:  # a store like any other
        targets = store.batch_targets("new")
        assert targets is not None
        assert [(t.url, t.status, t.result) for t in targets] == [("", "done", None), ("", "failed", None)]
        run(store, "next", 2_000)
    assert judge(target, log_alone=True).whole
    kinds = {finding.kind for finding in judge(target).findings}
    assert kinds == {"seal", "body"}, "what an import lacks is told, unless the log alone is asked about"


def test_an_export_has_what_is_private_only_if_asked_for(log: Path) -> None:
    assert b"secret" not in exported(log)
    assert b"secret" not in exported(log, cloudevents=True)
    assert b'"key"' in exported(log, private=True)
    assert b"http://secret0.example/new" in exported(log, cloudevents=True, private=True)


def test_a_part_of_a_log_is_exported_but_not_imported(log: Path, tmp_path: Path) -> None:
    lines = exported(log, first=3).splitlines()
    assert [msgspec.json.decode(line)["seq"] for line in lines[1:]] == list(range(3, 16))
    lines = exported(log, job_id="older").splitlines()
    assert [msgspec.json.decode(line)["seq"] for line in lines[1:]] == [6, 7, 8, 9, 10]
    with pytest.raises(StoreError, match="a part of a log cannot be imported"):
        import_log(iter(lines), tmp_path / "copy.db")
    with pytest.raises(NoSuchJob):
        exported(log, job_id="nope")


def test_an_export_of_what_is_new_may_be_empty_but_not_from_beyond_the_next_event(log: Path, path: Path) -> None:
    (header,) = exported(log, first=16).splitlines()
    assert msgspec.json.decode(header) == {"format": "gofer export 1", "first": 16, "upto": 15}
    assert exported(log, first=16, cloudevents=True) == b""
    assert len(exported(log, first=16, job_id="older").splitlines()) == 1
    for job_id in (None, "older"):
        with pytest.raises(StoreError, match="the log ends at event 15: nothing can be exported from 17 on"):
            exported(log, first=17, job_id=job_id)
    with BatchStore.open(log) as store:
        run(store, "next", 2_000)
    assert [msgspec.json.decode(line)["seq"] for line in exported(log, first=16).splitlines()[1:]] == [*range(16, 21)]


def test_an_export_of_an_empty_log_is_empty(path: Path) -> None:
    BatchStore.open(path).close()
    assert len(exported(path).splitlines()) == 1
    with pytest.raises(StoreError, match="the log ends at event 0: nothing can be exported from 2 on"):
        exported(path, first=2)


def test_cloudevents_are_as_their_specification_says(log: Path) -> None:
    events = [msgspec.json.decode(line) for line in exported(log, cloudevents=True, job_id="new").splitlines()]
    assert events[0] == {
        "specversion": "1.0",
        "id": "new/1",
        "source": "urn:gofer:log",
        "type": "gofer.job.submitted",
        "subject": "new",
        "time": "1970-01-01T00:16:40.000+00:00",
        "datacontenttype": "application/json",
        "sequence": "00000000000000000011",
        "data": {
            "at_ms": 1_000_000,
            "job_id": "new",
            "caller": "alice",
            "caller_class": "fleet",
            "idem_key": "",
            "targets_total": 2,
            "created_at": 1_000,
            "lease": 1_000,
        },
    }
    assert [event["type"] for event in events[1:]] == [
        "gofer.job.targets_added",
        "gofer.target.done",
        "gofer.target.failed",
        "gofer.job.finished",
    ]


# What may be wrong with an export, and what is said of it.
SPOILT: dict[str, tuple[Callable[[list[bytes]], list[bytes]], str]] = {
    "nothing": (lambda lines: [], "line 1: not the header"),
    "no header": (lambda lines: lines[1:], "line 1: not the header"),
    "another format": (lambda lines: [lines[0].replace(b"export 1", b"export 9"), *lines[1:]], "another kind"),
    "a line lost": (lambda lines: lines[:5] + lines[6:], "line 6: not event 5"),
    "the last line lost": (lambda lines: lines[:-1], "do not have the root"),
    "two lines exchanged": (lambda lines: [*lines[:2], lines[3], lines[2], *lines[4:]], "line 3: not event 2"),
    "an event changed": (lambda lines: [lines[0], lines[1].replace(b"alice", b"carol"), *lines[2:]], "the root"),
    "not canonical": (
        lambda lines: [lines[0], lines[1].replace(b'"event":', b'"event": '), *lines[2:]],
        "line 2: not",
    ),
    "not JSON": (lambda lines: [*lines[:4], b"{\n"], "line 5: "),
    "an unknown event": (
        lambda lines: [lines[0], lines[1].replace(b"job.submitted", b"job.x"), *lines[2:]],
        "line 2: ",
    ),
}


@pytest.mark.parametrize(("spoil", "said"), SPOILT.values(), ids=SPOILT.keys())
def test_a_spoilt_export_makes_no_database(
    log: Path, tmp_path: Path, spoil: Callable[[list[bytes]], list[bytes]], said: str
) -> None:
    target = tmp_path / "copy.db"
    with pytest.raises(StoreError, match=said):
        import_log(iter(spoil(exported(log).splitlines(keepends=True))), target)
    assert not list(tmp_path.glob("copy.db*"))


def interrupted(lines: Iterable[bytes]) -> Iterator[bytes]:
    """The lines but for the last, in place of which somebody gives up."""
    yield from list(lines)[:-1]
    raise KeyboardInterrupt


@pytest.mark.parametrize(
    "before",
    [
        lambda path: None,
        lambda path: path.touch(0o644),
        lambda path: path.with_name("copy.db.lock").touch(),
        lambda path: path.symlink_to(path.with_name("copy.db.elsewhere")),
    ],
    ids=["nothing", "an empty file", "a lock", "a link to nothing"],
)
@pytest.mark.parametrize(
    ("broken", "error"), [(lambda lines: lines[:-1], StoreError), (interrupted, KeyboardInterrupt)], ids=str
)
def test_an_import_that_fails_leaves_nothing_that_was_not_there(
    log: Path,
    tmp_path: Path,
    before: Callable[[Path], object],
    broken: Callable[[list[bytes]], Iterable[bytes]],
    error: type[BaseException],
) -> None:
    target = tmp_path / "copy.db"
    lines = exported(log).splitlines(keepends=True)
    before(target)

    def there() -> dict[str, tuple[bytes, int] | None]:
        return {
            each.name: (each.read_bytes(), each.stat().st_mode) if each.exists() else None
            for each in tmp_path.glob("copy.db*")
        }

    was = there()
    with pytest.raises(error):
        import_log(broken(lines), target)
    assert there() == was
    assert import_log(lines, target).size == 15
    assert target.stat().st_mode & 0o777 == 0o600, "it may hold keys"


def test_an_import_does_not_touch_what_is_there(log: Path, tmp_path: Path) -> None:
    lines = exported(log).splitlines(keepends=True)
    before = log.read_bytes()
    with pytest.raises(StoreError, match="has a log already"):
        import_log(iter(lines), log)
    assert log.read_bytes() == before
    (tmp_path / "text").write_text("some text that is no database")
    with pytest.raises(NotAStore):
        import_log(iter(lines), tmp_path / "text")
    assert (tmp_path / "text").read_text() == "some text that is no database"


# ---------------------------------------------------------------- backup


def test_a_backup_is_whole_and_its_owners_alone(log: Path, tmp_path: Path) -> None:
    target = tmp_path / "backup.db"
    with open_log_file(log) as opened:
        backup(opened, target)
    assert judge(target) == judge(log)
    assert target.stat().st_mode & 0o777 == 0o600
    assert [name for name in os.listdir(tmp_path) if name.startswith("backup")] == ["backup.db"]


def test_a_backup_while_events_are_written_is_of_one_moment(log: Path, tmp_path: Path) -> None:
    target = tmp_path / "backup.db"
    with BatchStore.open(log) as store:
        for n in range(40):
            run(store, f"more{n}", 2_000 + n)
        steps: list[int] = []

        def write(done: int, total: int) -> None:  # between two steps of the copy
            steps.append(done)
            run(store, f"meanwhile{len(steps)}", 3_000)

        with pytest.MonkeyPatch.context() as patch, open_log_file(log) as opened:
            patch.setattr("gofer.store.transfer.PAGE_PAGES", 4)
            head = store.head()
            backup(opened, target, progress=write)
        assert len(steps) > 3
        assert store.head() > head
    report = judge(target)
    assert report.findings == ()
    assert report.size == head


def test_a_backup_of_a_broken_log_is_as_broken(log: Path, tmp_path: Path) -> None:
    content = log.read_bytes()
    broken = content.replace(b'"version":3,"event":{', b'"version":3,"event":[')
    assert broken != content
    log.write_bytes(broken)
    with open_log_file(log) as opened:
        backup(opened, tmp_path / "backup.db")
    report = judge(tmp_path / "backup.db")
    assert report == judge(log)
    assert [finding.seq for finding in report.findings if finding.kind == "bytes"] == [3, 8, 13]


def test_a_backup_that_is_damaged_is_not_kept(log: Path, tmp_path: Path) -> None:
    with closing(apsw.Connection(str(log))) as db:
        db.pragma("writable_schema", True)
        db.execute("UPDATE sqlite_schema SET sql = replace(sql, 'caller, idem_key', 'caller, error')")
    with open_log_file(log) as opened, pytest.raises(StoreError, match="the copy is damaged, and so may be the"):
        backup(opened, tmp_path / "backup.db")
    assert not (tmp_path / "backup.db").exists()


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (apsw.FullError("not an error"), "no room to copy {log} to {target}; name a file on another disk"),
        (apsw.IOError("disk I/O error"), "{log} cannot be copied to {target} (disk I/O error)"),
    ],
)
def test_a_backup_that_the_disk_refuses_is_not_kept(log: Path, tmp_path: Path, error: apsw.Error, said: str) -> None:
    target = tmp_path / "backup.db"

    def refuse(done: int, total: int) -> None:
        Path(f"{target}-journal").touch()  # as SQLite leaves it then
        raise error

    with open_log_file(log) as opened, pytest.raises(StoreError) as raised:
        backup(opened, target, progress=refuse)
    assert str(raised.value) == said.format(log=log, target=target)
    assert [name for name in os.listdir(tmp_path) if name.startswith("backup")] == []


def test_a_backup_replaces_nothing(log: Path) -> None:
    before = log.read_bytes()
    with open_log_file(log) as opened, pytest.raises(StoreError, match="name a file that does not exist"):
        backup(opened, log)
    assert log.read_bytes() == before


# ---------------------------------------------------------------- archive


@pytest.fixture
def swept(log: Path) -> Path:
    """The two old jobs are swept; the new one is not."""
    with BatchStore.open(log) as store:
        assert store.sweep_batch(500, TTL_S) == 2
    return log


def test_a_segment_is_its_owners_alone(swept: Path) -> None:
    before = os.umask(0o022)
    try:
        segment = archive(swept, segment_folder(swept), 900_000)
    finally:
        os.umask(before)
    assert segment is not None
    assert segment_folder(swept).stat().st_mode & 0o777 == 0o700
    assert (segment_folder(swept) / segment.file).stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("error", [OSError(errno.ENOSPC, "No space left on device"), KeyboardInterrupt()])
def test_a_segment_that_could_not_be_written_leaves_nothing(
    swept: Path, monkeypatch: pytest.MonkeyPatch, error: BaseException
) -> None:
    def refuse(descriptor: int) -> None:
        raise error

    before = contents(swept)
    monkeypatch.setattr(os, "fsync", refuse)
    words = "cannot be written .No space left on device" if isinstance(error, OSError) else None
    with pytest.raises((StoreError, KeyboardInterrupt), match=words):
        archive(swept, segment_folder(swept), 900_000)
    assert os.listdir(segment_folder(swept)) == []
    assert contents(swept) == before


def test_archived_events_are_verified_across_the_cut(swept: Path) -> None:
    before = judge(swept)
    folder = segment_folder(swept)
    segment = archive(swept, folder, 900_000)
    assert segment is not None
    assert segment.upto == 10, "the new job begins behind, and the sweep of the old ones"
    after = judge(swept)
    assert after.findings == ()
    assert (after.size, after.root, after.archived, after.jobs) == (before.size, before.root, 10, 3)
    with BatchStore.open(swept) as store:  # dense seq goes on
        assert store.head() == 17
        assert (store.load("old"), store.batch_job("old")) == (None, None)
        run(store, "next", 2_000)
        assert [recorded.seq for recorded in store.read(17)] == [18, 19, 20, 21, 22]
    assert judge(swept).findings == ()


def test_the_whole_log_is_archived_when_no_job_is_left(swept: Path) -> None:
    with BatchStore.open(swept) as store:
        store.sweep_batch(5_000, TTL_S)
    before = judge(swept)
    segment = archive(swept, segment_folder(swept), 10_000_000)
    assert segment is not None
    assert segment.upto == 18
    with BatchStore.open(swept) as store:
        assert store.head() == 18
        assert store.read(0) == []
        run(store, "next", 6_000)
        assert store.head() == 23
    assert judge(swept).findings == ()
    assert judge(swept).size == before.size + 5


def test_a_second_segment_goes_on_behind_the_first(swept: Path) -> None:
    folder = segment_folder(swept)
    archive(swept, folder, 5_000)
    with BatchStore.open(swept) as store:
        store.sweep_batch(5_000, TTL_S)
    archive(swept, folder, 900_000)
    with open_log_file(swept) as log:
        assert [segment.upto for segment in segments(log.db)] == [5, 10]
        assert [each.seq for each in job_events(log, "old")] == [1, 2, 3, 4, 5, 16]
        assert {job.id for job in replay(log, 7).live()} == {"old", "older"}
        assert position_at(log, 9_999) == 5
        assert position_at(log, 900_000) == 10
    assert judge(swept).findings == ()
    assert [len(os.listdir(folder)), judge(swept).archived] == [2, 10]


def test_an_export_goes_across_the_cut(swept: Path, tmp_path: Path) -> None:
    before = exported(swept)
    archive(swept, segment_folder(swept), 900_000)
    assert exported(swept) == before
    assert import_log(before.splitlines(keepends=True), tmp_path / "copy.db").size == 17


def test_a_store_starts_from_a_checkpoint_within_its_archive(swept: Path) -> None:
    with open_log_file(swept) as log:
        tree = CompactRange().extended(leaf_hashes(log, 7))
    signed = Checkpoint(
        "log", tree.size, tree.root
    )  # without a mark in the database, as from `gofer audit checkpoint`
    archive(swept, segment_folder(swept), 900_000, [Signed("note", signed)])
    with BatchStore.open(swept, signed=signed) as store:
        assert store.head() == 17
    with pytest.raises(LogDamaged, match="the first 7 events are not those that were signed"):
        BatchStore.open(swept, signed=Checkpoint("log", 7, bytes(32)))


@pytest.mark.parametrize("file", ["../../etc/passwd", "/etc/passwd", "sub/file", "..", ".", "", "a\0b"])
def test_a_segment_that_names_no_file_of_its_folder_is_damage_and_nothing_is_opened(swept: Path, file: str) -> None:
    archive(swept, segment_folder(swept), 900_000)
    with closing(apsw.Connection(str(swept))) as db:
        db.execute("UPDATE segment SET file = ?", (file,))
    assert [(f.kind, f.seq, f.text) for f in judge(swept).findings] == [
        ("segment", 1, f"the table of segments names {file!r}, which is no file of their folder")
    ]


def test_a_segment_that_is_lost_or_changed_is_found(swept: Path) -> None:
    folder = segment_folder(swept)
    segment = archive(swept, folder, 900_000)
    assert segment is not None
    path = folder / segment.file
    data = path.read_bytes()
    path.write_bytes(data[:-1] + bytes([data[-1] ^ 1]))
    assert [(f.kind, f.seq) for f in judge(swept).findings] == [("segment", 1)]
    path.unlink()
    report = judge(swept)
    assert [(f.kind, f.seq) for f in report.findings] == [("segment", 1)]
    assert "is not there: it holds events 1 to 10" in report.findings[0].text
    assert report.root is not None, "the tree goes on from where the segment ends"
    with open_log_file(swept) as log:
        assert list(compare(log, present(log), hashed=False, bodies=True)) == [], "the tables need no archive"
        with pytest.raises(LogDamaged, match="is not there"):
            replay(log, 12)
        with pytest.raises(StoreError, match="is not there"):
            job_events(log, "old")


def test_nothing_is_archived_that_is_kept_or_not_whole(swept: Path) -> None:
    folder = segment_folder(swept)
    assert archive(swept, folder, 0) is None
    with BatchStore.open(swept), pytest.raises(StoreInUse):
        archive(swept, folder, 900_000)
    db = apsw.Connection(str(swept))
    db.execute("UPDATE batch_job SET caller = 'carol'")
    db.close()
    with pytest.raises(LogDamaged, match="nothing was archived: event 15: job new: caller"):
        archive(swept, folder, 900_000)
    db = apsw.Connection(str(swept))
    db.execute("UPDATE batch_job SET caller = 'alice'; DROP TRIGGER event_is_never_updated")
    db.close()
    with pytest.raises(
        LogDamaged, match=r"nothing was archived: the file: event_is_never_updated is missing .*; see"
    ):
        archive(swept, folder, 900_000)
    assert not folder.exists()


# ---------------------------------------------------------------- rebuild and diff


def drift(path: Path) -> None:
    """Tables that are no longer what the log says, in three ways."""
    db = apsw.Connection(str(path))
    db.execute("UPDATE batch_job SET status = 'done' WHERE id = 'old'")
    db.execute("DELETE FROM batch_target WHERE job_id = 'new' AND idx = 1")
    db.execute("UPDATE batch_target SET result = 'another' WHERE job_id = 'older' AND idx = 0")
    db.close()


def contents(path: Path) -> list[object]:
    db = apsw.Connection(str(path))
    tables = ("sqlite_schema", "batch_job", "batch_target", "event", "tree", "job_key", "projection")
    rows = {
        "sqlite_schema": "SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name",
        "batch_job": "SELECT * FROM batch_job ORDER BY rowid",
        "batch_target": "SELECT * FROM batch_target ORDER BY job_id, idx",
    }
    found: list[object] = [list(db.execute(rows.get(table, f"SELECT * FROM {table}"))) for table in tables]
    db.close()
    return found


def test_a_rebuild_makes_what_there_was(log: Path) -> None:
    before = contents(log)
    done = rebuild(log)
    assert (done.events, done.jobs, done.targets, done.drifts) == (15, 3, 6, ())
    assert contents(log) == before


def test_a_rebuild_mends_drift_and_carries_results_over(log: Path) -> None:
    before = contents(log)
    drift(log)
    with open_log_file(log) as opened:
        drifts = set(compare(opened, present(opened), hashed=False, bodies=True))
    body = hashlib.sha256(b"body of older").hexdigest()
    assert drifts == {
        Drift("old", None, "status", "done", "partial", 5),
        Drift("new", 1, None, None, "one", 15),
        Drift("older", 0, "result", hashlib.sha256(b"another").hexdigest(), body, 8),
    }
    assert set(rebuild(log).drifts) == drifts
    after = contents(log)
    assert after[:2] == before[:2]
    assert after[3:] == before[3:], "nothing was appended"
    db = apsw.Connection(str(log))
    assert list(db.execute("SELECT job_id, result FROM batch_target WHERE idx = 0 ORDER BY 1")) == [
        ("new", "body of new"),
        ("old", "body of old"),
        ("older", None),  # what was there is not what was fetched
    ]
    db.close()


def test_a_rebuild_keeps_a_result_that_is_an_empty_text(path: Path) -> None:
    with BatchStore.open(path) as store:
        store.create_batch_job(BatchJob("new", "alice", "fleet", "k", targets_total=1, created_at=0, lease=0))
        store.put_batch_targets("new", [BatchTarget("new", 0, "http://a.example/", "{}")])
        store.update_batch_target("new", 0, 0, "done", result="")
    before = contents(path)
    assert rebuild(path).drifts == ()
    assert contents(path) == before
    with closing(apsw.Connection(str(path))) as db:
        assert db.execute("SELECT result FROM batch_target").get == ""


def test_a_rebuild_drops_a_result_that_is_no_text_any_more(log: Path) -> None:
    with closing(apsw.Connection(str(log))) as db:
        db.execute(
            "UPDATE batch_target SET result = CAST(x'ff' || CAST(result AS BLOB) AS TEXT) WHERE result NOT NULL"
        )
        results = int(db.execute("SELECT count(*) FROM batch_target WHERE result NOT NULL").get)
    rebuilt = rebuild(log)
    assert results == len([drift for drift in rebuilt.drifts if drift.body]) > 0
    with closing(apsw.Connection(str(log))) as db:
        assert db.execute("SELECT count(*) FROM batch_target WHERE result NOT NULL").get == 0


def test_a_rebuild_that_is_killed_half_way_changes_nothing(log: Path) -> None:
    drift(log)
    before = contents(log)
    code = (
        "import os, sys; from pathlib import Path; from gofer.store import audit_rebuild as a\n"
        "real = a.advance\n"  # the last step but the commit: by then the tables are new
        "a.advance = lambda *args: (real(*args), os._exit(9))\n"
        "a.rebuild(Path(sys.argv[1]))"
    )
    assert subprocess.run([sys.executable, "-c", code, str(log)], check=False).returncode == 9
    assert contents(log) == before
    rebuild(log)
    assert judge(log, log_alone=True).findings == ()


def test_a_rebuild_needs_the_file_for_itself_and_a_log_that_folds(log: Path) -> None:
    with BatchStore.open(log), pytest.raises(StoreInUse):
        rebuild(log)
    db = apsw.Connection(str(log))
    db.execute("DROP TRIGGER event_is_never_deleted")
    db.execute("DELETE FROM event WHERE seq = 3")
    db.close()
    before = contents(log)
    with pytest.raises(LogDamaged, match="event 3: it is missing"):
        rebuild(log)
    assert contents(log) == before


def test_an_archived_log_is_rebuilt_without_its_segments(swept: Path) -> None:
    segment = archive(swept, segment_folder(swept), 900_000)
    assert segment is not None
    before = contents(swept)
    (segment_folder(swept) / segment.file).unlink()
    assert rebuild(swept).drifts == ()
    assert contents(swept) == before


# ---------------------------------------------------------------- replay


def test_the_state_as_it_was(log: Path) -> None:
    with open_log_file(log) as opened:
        assert replay(opened, 0).jobs == {}
        then = replay(opened, 8)
        assert [(job.id, job.status, job.targets_done) for job in then.live()] == [
            ("old", "partial", 2),
            ("older", "queued", 1),
        ]
        assert [position_at(opened, at_ms) for at_ms in (-1, 0, 9_999, 10_000, 999_999, 1_000_000)] == [
            0, 5, 5, 10, 10, 15,
        ]  # fmt: skip
        with pytest.raises(StoreError, match="has events 1 to 15, not 16"):
            replay(opened, 16)


# ---------------------------------------------------------------- privacy


@pytest.mark.parametrize("keep_urls", [False, True])
def test_what_a_swept_job_fetched_is_in_no_file_any_more(path: Path, keep_urls: bool) -> None:
    facts = msgspec.Raw(b'{"hops":[{"url":"http://hop.secret.example/","addresses":["203.0.113.9"]}]}')
    with BatchStore.open(path, keep_urls=keep_urls) as store:
        for n in range(3):
            run(store, f"job{n}", n)
        store.create_batch_job(
            BatchJob("told", "alice", "fleet", "idem-secret", targets_total=1, created_at=0, lease=0)
        )
        store.put_batch_targets("told", [BatchTarget("told", 0, "http://secret.example/", '{"grep":"secret"}')])
        store.execute("told", FailTarget(1, 0, "dns: secret", "hint: secret", facts))
        wal = path.with_name(path.name + "-wal")
        assert b"secret" in path.read_bytes() + wal.read_bytes(), "it is there while the job is"
        assert store.sweep_batch(10_000, TTL_S) == 4
        kept = path.read_bytes() + wal.read_bytes() + exported(path) + exported(path, private=True)
        kept += exported(path, cloudevents=True)
        opened = exported(path, cloudevents=True, private=True)
    kept += path.read_bytes()
    for word in (b"secret", b"203.0.113.9", b"http://", b"body of"):
        assert word not in kept
        assert (word in opened) == (keep_urls and word != b"body of")
    assert judge(path).findings == ()
    segment = archive(path, segment_folder(path), 99_000_000)
    assert segment is not None
    with open_log_file(path) as log:
        hidden = [each.hidden for each in job_events(log, "told")]
    assert any(hidden) == (not keep_urls)
