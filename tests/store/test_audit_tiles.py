"""Tiles as evidence: a log of several tiles held against them, tiles that are damaged, and what still can be told."""

import os
import shutil
from collections.abc import Callable
from functools import partial
from pathlib import Path

import apsw
import pytest
from gofer.events.merkle import CompactRange, leaf_hash
from gofer.events.tiles import Growth
from gofer.store.archive import segment_folder
from gofer.store.audit import Report, Signed, read_checkpoints, tiles_of, verify
from gofer.store.audit_archive import archive
from gofer.store.audit_fold import Fold, Growing, Stretch
from gofer.store.audit_tiles import Evidence, Vouched, judge_tiles
from gofer.store.audit_walk import open_log_file
from gofer.store.batch import BatchJob, BatchStore
from gofer.store.leaves import read_leaves
from gofer.store.notary import Notary
from gofer.store.note import Checkpoint
from gofer.store.tiles import write_tiles

SIZES = (100, 300, 600)  # that were signed
HEAD = 620


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a log of 620 events, signed at 100, 300 and 600: six of a job that was swept, then one job's."""
    folder = tmp_path_factory.mktemp("original")
    path = folder / "gofer.db"
    with BatchStore.open(path) as store:
        store.create_batch_job(BatchJob("old", "alice", "fleet", "k", created_at=1, lease=1))
        store.set_batch_job_status("old", "cancelled", "", 1)
        store.sweep_batch(1_000, 10)
        archivable = store.head()
        store.create_batch_job(BatchJob("new", "alice", "fleet", "k", created_at=2_000, lease=2_000))
        notary = Notary.open(folder / "checkpoints", folder / "log.key")
        while (size := store.head()) < HEAD:
            with store.transaction():
                upto = next((signed for signed in SIZES if signed > size), HEAD)
                for second in range(upto - size):
                    store.touch_batch_job("new", 3_000 + size + second)
                tree = store.mark_checkpoint()
            assert tree.size == upto
            if upto in SIZES:
                notary.sign(tree, partial(read_leaves, path, segment_folder(path)))
    assert archivable == 3
    return folder


@pytest.fixture
def log(original: Path, path: Path) -> Path:
    """That log, and its checkpoints beside it."""
    shutil.copytree(original, path.parent, dirs_exist_ok=True)
    return path


def judge(path: Path, *, workers: int | None = None) -> Report:
    folder = path.parent / "checkpoints"
    signed, findings = read_checkpoints(folder, notary_of(path).public_key)
    assert findings == []
    with open_log_file(path) as opened:
        return verify(opened, signed, tiles_of(folder, signed), workers=workers)


def sign(store: BatchStore, path: Path) -> None:
    with store.transaction():
        tree = store.mark_checkpoint()
    notary_of(path).sign(tree, partial(read_leaves, path, segment_folder(path)))


def notary_of(path: Path) -> Notary:
    return Notary.open(path.parent / "checkpoints", path.parent / "log.key")


def found(report: Report, *kinds: str) -> list[tuple[str, int, int | None]]:
    return [(f.kind, f.seq, f.upto) for f in report.findings if f.kind in (kinds or ("checkpoint", "tiles", "tree"))]


def change(path: Path, *seqs: int) -> None:
    """Change events, and make every hash in the database true again."""
    db = apsw.Connection(str(path))
    guards = [sql for (sql,) in db.execute("SELECT sql FROM sqlite_schema WHERE type = 'trigger'")]
    for (name,) in list(db.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger'")):
        db.execute(f"DROP TRIGGER {name}")
    marks = [size for (size,) in db.execute("SELECT size FROM checkpoint")]
    db.execute("DELETE FROM checkpoint")
    for seq in seqs:
        db.execute("UPDATE event SET data = replace(data, '\"at_ms\":', '\"at_ms\":9') WHERE seq = ?", (seq,))
    tree = CompactRange()
    for seq, data in list(db.execute("SELECT seq, data FROM event")):
        assert isinstance(data, str)
        leaf = leaf_hash(data.encode())
        tree = tree.extended([leaf])
        db.execute("UPDATE event SET leaf = ? WHERE seq = ?", (leaf, seq))
        if tree.size in marks:
            db.execute("INSERT INTO checkpoint VALUES (?, ?)", (tree.size, tree.to_bytes()))
    db.execute("UPDATE tree SET subtrees = ?", (tree.to_bytes(),))
    for sql in guards:
        db.execute(str(sql))
    db.close()


# ---------------------------------------------------------------- the log against its tiles


def test_a_whole_log_is_as_its_tiles(log: Path) -> None:
    report = judge(log)
    assert report.findings == ()
    assert (report.size, report.checkpoints) == (HEAD, 3)


@pytest.mark.parametrize("more", [0, 1])
def test_several_processes_compare_as_one_does_and_no_whole_log_event_by_event(
    log: Path, monkeypatch: pytest.MonkeyPatch, more: int
) -> None:
    with BatchStore.open(log) as store:
        sign(store, log)
        for second in range(more):
            store.touch_batch_job("new", 9_000 + second)
    monkeypatch.setattr("gofer.store.audit_walk.STRETCH_EVENTS", 64)
    monkeypatch.setattr("gofer.store.audit_tiles.edits", None)
    one, two = judge(log, workers=1), judge(log, workers=2)
    assert one == two
    assert one.findings == ()
    assert (one.size, one.checkpoints) == (HEAD + more, 4)


def test_what_was_signed_is_told_event_by_event_and_what_was_not_as_roots_tell(log: Path) -> None:
    change(log, 5, 256, 257, 599, 600)
    assert found(judge(log)) == [(kind, seq, None) for kind, seq in (
        ("checkpoint", 5), ("checkpoint", 256), ("checkpoint", 599),
    )]  # fmt: skip
    texts = [f.text for f in judge(log).findings if f.kind == "checkpoint"]
    assert texts == [
        "it was changed since it was signed",
        "it and all up to 257 were changed since they were signed",
        "it and all up to 600 were changed or removed since they were signed",
    ]


def test_what_is_newer_than_the_checkpoint_is_no_finding(log: Path) -> None:
    change(log, 610)
    assert judge(log).findings == (), "nobody signed it"


def test_a_checkpoint_that_contradicts_the_tiles_is_told(log: Path) -> None:
    folder = log.parent / "checkpoints"
    signed, _ = read_checkpoints(folder, notary_of(log).public_key)
    tiles = tiles_of(folder, signed)
    other = Signed("other", Checkpoint(notary_of(log).public_key.name, 200, bytes(32)))
    with open_log_file(log) as opened:
        report = verify(opened, [*signed, other], tiles)
    assert [(f.kind, f.seq, f.text[:28]) for f in report.findings] == [
        ("checkpoint", 0, "other is of other events; th")
    ]


def test_tiles_may_be_of_an_older_checkpoint(log: Path) -> None:
    folder = log.parent / "checkpoints"
    signed, _ = read_checkpoints(folder, notary_of(log).public_key)
    change(log, 299, 400)
    with open_log_file(log) as opened:
        report = verify(opened, signed, Evidence(folder, 300))
    assert found(report) == [("checkpoint", 299, None)], "what follows from that is not told again"


def a_copy(path: Path) -> None:
    shutil.copy(path.with_name("00000000000000000100.checkpoint"), path)


def a_fifo(path: Path) -> None:
    os.mkfifo(path)


@pytest.mark.parametrize(
    ("put", "text"),
    [(a_copy, "it is of 100 events, which is not what its name says"), (a_fifo, "[Errno 22] Not a regular file")],
)
@pytest.mark.parametrize("name", ["zzz", "9" * 20])
def test_a_file_that_is_no_note_of_the_size_in_its_name_is_told(
    log: Path, put: Callable[[Path], None], text: str, name: str
) -> None:
    folder = log.parent / "checkpoints"
    put(folder / f"{name}.checkpoint")
    signed, findings = read_checkpoints(folder, notary_of(log).public_key)
    assert len(signed) == 3
    assert [f.kind for f in findings] == ["checkpoint"]
    assert findings[0].text.startswith(f"{name}.checkpoint is no checkpoint of this log: {text}")


# ---------------------------------------------------------------- archives


def test_a_log_with_an_archive_is_compared_across_the_cut(log: Path) -> None:
    assert archive(log, segment_folder(log), 2_000_000) is not None
    assert judge(log).findings == ()
    assert judge(log).archived == 3


def test_with_a_lost_segment_the_rest_is_compared(log: Path) -> None:
    archive(log, segment_folder(log), 2_000_000)
    db = apsw.Connection(str(log))
    db.execute("DROP TRIGGER event_is_never_updated")
    data: str = db.execute("SELECT replace(data, '\"at_ms\":', '\"at_ms\":9') FROM event WHERE seq = 500").get
    db.execute("UPDATE event SET data = ?, leaf = ? WHERE seq = 500", (data, leaf_hash(data.encode())))
    db.close()
    shutil.rmtree(segment_folder(log))
    assert found(judge(log), "segment", "checkpoint") == [("segment", 1, None), ("checkpoint", 500, None)]


def test_with_a_lost_segment_its_tiles_are_still_judged(log: Path) -> None:
    archive(log, segment_folder(log), 2_000_000)
    shutil.rmtree(segment_folder(log))
    assert found(judge(log)) == []
    spoil("tile/0/000", 0)(log.parent / "checkpoints")
    assert found(judge(log)) == [("tiles", 0, None)]


def test_an_archived_log_that_lost_its_tiles_gets_them_all_again(log: Path) -> None:
    archive(log, segment_folder(log), 2_000_000)
    folder = log.parent / "checkpoints"
    before = {path.relative_to(folder): path.read_bytes() for path in folder.rglob("0*") if path.is_file()}
    shutil.rmtree(folder / "tile")
    with BatchStore.open(log) as store:
        sign(store, log)
    assert judge(log).findings == ()
    after = {path.relative_to(folder): path.read_bytes() for path in folder.rglob("0*") if path.is_file()}
    assert after[Path("tile/0/001")] == before[Path("tile/0/001")]


# ---------------------------------------------------------------- tiles that are damaged

Harm = Callable[[Path], object]


def lose(name: str) -> Harm:
    return lambda folder: (folder / name).unlink()


def cut(name: str) -> Harm:
    return lambda folder: os.truncate(folder / name, 31)


def spoil(name: str, at: int) -> Harm:
    def harm(folder: Path) -> None:
        data = bytearray((folder / name).read_bytes())
        data[at] ^= 1
        (folder / name).write_bytes(data)

    return harm


@pytest.mark.parametrize("name", ["tile/0/000", "tile/1/000", "tile/1/001.p/1", "tile/2/000.p/1"])
def test_a_damaged_tile_of_any_level_is_told(tmp_path: Path, log: Path, name: str) -> None:
    leaves = [leaf_hash(b"%d" % n) for n in range(65_536 + 256)]
    grown = Growth()
    write_tiles(tmp_path, [*grown.extended(leaves), *grown.edge()])
    stretch = Stretch(after=0, upto=len(leaves))
    Growing(stretch, CompactRange(), []).take(leaves)
    fold = Fold(CompactRange())
    fold.absorb(stretch, absolute=True)
    evidence, roots = Evidence(tmp_path, len(leaves)), {len(leaves): grown.tree.root}
    with pytest.MonkeyPatch.context() as patch, open_log_file(log) as opened:
        patch.setattr("gofer.store.audit_tiles._leaves_there", lambda *_: ([*range(1, len(leaves) + 1)], leaves))
        assert judge_tiles(opened, fold, evidence, roots) == Vouched(len(leaves))
        assert fold.findings == []
        spoil(name, 7)(tmp_path)
        judge_tiles(opened, fold, evidence, roots)
    assert [f.kind for f in fold.findings] == ["tiles"]
    assert name in fold.findings[0].text


# What is done to the tiles, what is said of them, and where a change of 50, 299 and 590 is then told.
EXACT = [(50, None), (299, None), (590, None)]
TO_300 = EXACT[:2]  # by the checkpoint of 300, to which the tiles are right
DAMAGES: list[tuple[Harm, list[str], list[tuple[int, int | None]]]] = [
    (lose("tile/0/000"), ["tile/0/000 is missing"], [(1, 100)]),
    (cut("tile/0/000"), ["tile/0/000 has 31 bytes, not 8192"], [(1, 100)]),
    (lose("tile/0/001"), ["tile/0/001 is missing"], [(50, None)]),
    (spoil("tile/0/000", 0), ["tile/0/000 does not fit tile/1/000.p/2, which is above it"], [(1, 100)]),
    (spoil("tile/0/001", 8191), ["tile/0/001 does not fit tile/1/000.p/2, which is above it"], TO_300),
    (spoil("tile/0/002.p/88", 5), ["tile/0/002.p/88, or another at the tree's edge, is not"], TO_300),
    (lose("tile/0/002.p/88"), ["tile/0/002.p/88 is missing"], TO_300),
    (lose("tile/1/000.p/2"), ["tile/1/000.p/2 is missing"], EXACT),
    (
        lambda folder: (spoil("tile/0/001", 7)(folder), lose("tile/1/000.p/2")(folder)),
        ["tile/1/000.p/2 is missing", "one of level 0 is not what was signed: those above it would tell which"],
        [(50, None)],
    ),
    (spoil("tile/1/000.p/2", 3), ["tile/1/000.p/2 is not what those below it give"], EXACT),
]  # fmt: skip


@pytest.mark.parametrize(
    ("harm", "texts", "changed"), DAMAGES, ids=lambda value: value[0] if isinstance(value, list) else None
)
def test_damaged_tiles_are_told_and_what_they_no_longer_tell_is_told_by_roots(
    log: Path, harm: Harm, texts: list[str], changed: list[tuple[int, int | None]]
) -> None:
    harm(log.parent / "checkpoints")
    report = judge(log)
    assert found(report) == [("tiles", 0, None) for _ in texts], "the log is whole"
    assert all(f.text.startswith(text) for f, text in zip(report.findings, texts, strict=True))
    change(log, 50, 299, 590)
    report = judge(log)
    assert found(report, "tiles") == [("tiles", 0, None) for _ in texts]
    assert [(seq, upto) for _, seq, upto in found(report, "checkpoint")] == changed


def test_a_consistent_forgery_of_all_tiles_is_told_by_the_signed_root(log: Path) -> None:
    folder = log.parent / "checkpoints"
    change(log, 50)
    forger = Notary.open(log.parent / "elsewhere", log.parent / "other.key")
    with open_log_file(log) as opened:
        tree = CompactRange().extended(
            leaf for (leaf,) in opened.db.execute("SELECT leaf FROM event WHERE seq <= 600")
        )
    forger.sign(tree, partial(read_leaves, log, segment_folder(log)))
    shutil.rmtree(folder / "tile")
    shutil.move(log.parent / "elsewhere" / "tile", folder / "tile")
    report = judge(log)
    assert found(report) == [("checkpoint", 1, 100), ("tiles", 0, None)]


@pytest.mark.parametrize("names", [["tile"], ["tile", "checkpoint"]])
def test_tiles_that_are_gone_altogether_are_told_once(log: Path, names: list[str]) -> None:
    for name in names:
        path = log.parent / "checkpoints" / name
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    assert [f.text[:15] for f in judge(log).findings] == ["all are missing"]
    change(log, 299)
    assert found(judge(log)) == [("checkpoint", 101, 300), ("tiles", 0, None)]


def test_a_note_alone_is_held_against_the_log_without_tiles(log: Path) -> None:
    signed, _ = read_checkpoints(log.parent / "checkpoints", notary_of(log).public_key)
    change(log, 299)
    with open_log_file(log) as opened:
        report = verify(opened, signed, tiles_of(log.parent, []))
    assert found(report) == [("checkpoint", 101, 300)]


def test_of_many_tiles_that_are_wrong_some_are_told(log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gofer.store.audit_tiles.MAX_TOLD", 1)
    shutil.rmtree(log.parent / "checkpoints" / "tile" / "0")
    assert [f.text.split(";")[0] for f in judge(log).findings] == ["tile/0/000 is missing", "2 more are wrong"]


def test_tiles_are_never_written_to_by_an_audit(log: Path) -> None:
    folder = log.parent / "checkpoints"
    spoil("tile/0/000", 0)(folder)
    before = {path: (path.stat().st_mtime_ns, path.stat().st_ino) for path in folder.rglob("*")}
    judge(log)
    assert {path: (path.stat().st_mtime_ns, path.stat().st_ino) for path in folder.rglob("*")} == before
