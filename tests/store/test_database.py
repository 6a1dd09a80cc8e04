"""Which files are opened, which are refused unharmed, and that one process at a time writes."""

import fcntl
import hashlib
import os
import pickle
import re
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import IO

import apsw
import pytest
from gofer.store import database
from gofer.store.batch import BatchStore
from gofer.store.database import (
    MEMORY,
    NotAStore,
    SchemaTooNew,
    SqliteUnfit,
    StoreError,
    StoreFailed,
    StoreInUse,
    WriterLock,
    check_sqlite,
    files_of,
    open_reader,
    open_writer,
)
from gofer.store.leaves import read_leaves
from gofer.store.log import LogDamaged
from gofer.store.schema import APPLICATION_ID, SCHEMA_VERSION

Submit = Callable[..., str]


def contents(folder: Path) -> dict[str, str]:
    """Each file in the folder with a digest of its bytes."""
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in folder.rglob("*")
        if path.is_file()
    }


@contextmanager
def unharmed(folder: Path) -> Iterator[None]:
    """Nothing in the folder is changed, added or removed."""
    before = contents(folder)
    yield
    assert contents(folder) == before


@contextmanager
def unprivileged() -> Iterator[None]:
    """Be somebody whom file modes bind: the superuser reads everything."""
    uid = os.geteuid()
    if uid == 0:
        os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(uid)


def refused(path: Path, error: type[StoreError], words: str) -> None:
    """Neither the writer nor a reader opens `path`, for the same reason."""
    for open_it in (BatchStore.open, open_reader):
        with pytest.raises(error, match=words) as raised:
            open_it(str(path))
        assert str(path) in str(raised.value)


# ---------------------------------------------------------------- a store's file


def test_a_missing_and_an_empty_file_become_a_store(tmp_path: Path) -> None:
    (tmp_path / "empty.db").touch()
    for name in ("missing.db", "empty.db"):
        with BatchStore.open(tmp_path / name) as store:
            assert store.head() == 0
        with closing(sqlite3.connect(tmp_path / name)) as plain:
            assert plain.execute("PRAGMA application_id").fetchone() == (APPLICATION_ID,)
            assert plain.execute("PRAGMA user_version").fetchone() == (SCHEMA_VERSION,)
            assert plain.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_file_knows_the_application_id_by_name() -> None:
    assert APPLICATION_ID.to_bytes(4, "big") == b"gofr"


@pytest.mark.parametrize("name", [MEMORY, "gofer.db"])
def test_a_writer_is_durable_and_guards_its_log(tmp_path: Path, name: str) -> None:
    with closing(open_writer(name if name == MEMORY else str(tmp_path / name))) as db:
        assert db.pragma("synchronous") == 2  # FULL
        assert db.pragma("recursive_triggers") == 1
        assert db.pragma("trusted_schema") == 0
        assert db.pragma("journal_mode") == ("memory" if name == MEMORY else "wal")


def test_reopening_keeps_everything(path: Path, submit: Submit, check: Callable[[BatchStore], None]) -> None:
    with BatchStore.open(path, clock=lambda: 1_234) as store:
        submit(store)
        submit(store, "gone", targets_total=1)
        store.update_batch_target("j1", 0, 1_001, "done", "héllo")
        store.sweep_batch(1_060, 60)
        store.update_batch_target("j1", 1, 1_002, "failed", error="e", hint="h")
        job, targets, log = store.batch_job("j1"), store.batch_targets("j1"), store.read(0)
        assert job is not None
    with BatchStore.open(path, clock=lambda: 1_234) as store:
        assert store.head() == len(log)
        assert (store.batch_job("j1"), store.batch_targets("j1"), store.read(0)) == (job, targets, log)
        assert store.batch_job("gone") is None
        assert store.batch_nbytes() == 6
        check(store)


def test_two_stores_in_sequence_and_two_files_at_once(tmp_path: Path) -> None:
    BatchStore.open(tmp_path / "a.db").close()
    with BatchStore.open(tmp_path / "a.db"), BatchStore.open(tmp_path / "b.db"):
        pass
    with BatchStore.open(MEMORY), BatchStore.open(MEMORY):
        pass


def test_what_a_transaction_had_done_when_its_process_was_killed_is_undone(path: Path, submit: Submit) -> None:
    with BatchStore.open(path) as store:
        submit(store)
    code = """
        with store.transaction():
            store.update_batch_target("j1", 0, 5, "done", "x" * 100_000)
            say("written")
            wait()
    """
    with child(path, code) as process:
        assert said(process) == "written"
        os.kill(process.pid, signal.SIGKILL)
    with BatchStore.open(path) as store:
        assert store.head() == 2
        assert store.batch_nbytes() == 0
        targets = store.batch_targets("j1")
        assert targets is not None
        assert [target.status for target in targets] == ["pending", "pending"]


def test_what_was_committed_when_its_process_was_killed_is_kept(path: Path, submit: Submit) -> None:
    with BatchStore.open(path) as store:
        submit(store)
    code = """
        store.update_batch_target("j1", 0, 5, "done", "x" * 100_000)
        say("committed")
        wait()
    """
    with child(path, code) as process:
        assert said(process) == "committed"
        os.kill(process.pid, signal.SIGKILL)
    with BatchStore.open(path) as store:
        assert store.batch_nbytes() == 100_000


def test_a_store_whose_making_was_cut_short_is_made(path: Path) -> None:
    # A crash inside the first transaction leaves pages of tables in the file and a hot journal that undoes them.
    code = """
        import apsw
        from gofer.store.schema import TABLES
        db = apsw.Connection(path)
        db.pragma("cache_size", 1)
        db.pragma("cache_spill", 1)
        db.execute("BEGIN IMMEDIATE")
        db.execute(TABLES)
        db.execute("CREATE TABLE filler (x)")
        db.execute("INSERT INTO filler SELECT zeroblob(400000)")
        say("half made")
        wait()
    """
    with child(path, code, store=False) as process:
        assert said(process) == "half made"
        os.kill(process.pid, signal.SIGKILL)
    assert path.stat().st_size > 0
    assert Path(f"{path}-journal").exists()
    with BatchStore.open(path) as store:
        assert store.head() == 0
        assert store.connection.execute("SELECT count(*) FROM sqlite_schema WHERE name = 'filler'").get == 0


# ---------------------------------------------------------------- files that are refused, and nothing harmed


def test_a_newer_schema_is_refused(path: Path, submit: Submit) -> None:
    with BatchStore.open(path) as store:
        submit(store)
    with closing(sqlite3.connect(path)) as later:
        later.execute(f"PRAGMA user_version = {SCHEMA_VERSION + 1}")
    with unharmed(path.parent):
        refused(
            path, SchemaTooNew, f"schema {SCHEMA_VERSION + 1}, this gofer knows up to {SCHEMA_VERSION}; use the gofer"
        )


@pytest.mark.parametrize("journal_mode", ["delete", "persist", "wal"])
def test_a_database_of_another_program_is_refused(path: Path, journal_mode: str) -> None:
    with closing(sqlite3.connect(path)) as foreign:
        foreign.execute(f"PRAGMA journal_mode = {journal_mode}")
        foreign.execute("CREATE TABLE batch_job (id)")
        foreign.commit()
        foreign.execute("INSERT INTO batch_job VALUES (1)")
        foreign.commit()
    assert Path(f"{path}-journal").exists() == (journal_mode == "persist")
    with unharmed(path.parent):
        for open_it in (open_writer, open_reader):
            with pytest.raises(NotAStore, match=r"of another program|no gofer database"):
                open_it(str(path))
    with pytest.raises(NotAStore, match="of another program"):
        BatchStore.open(path)
    with closing(sqlite3.connect(path)) as foreign:
        assert foreign.execute("SELECT * FROM batch_job").fetchall() == [(1,)]
        assert foreign.execute("SELECT count(*) FROM sqlite_schema").fetchone() == (1,)


def test_a_database_with_the_mark_of_another_program_is_refused(path: Path) -> None:
    with closing(sqlite3.connect(path)) as foreign:
        foreign.execute("PRAGMA application_id = 1")
        foreign.execute("CREATE TABLE t (x)")
        foreign.commit()
    with unharmed(path.parent):
        refused(path, NotAStore, "of another program; name another file")


@pytest.mark.parametrize(
    "content", [b"x", b"# A list of URLs\n" * 100, b"SQLite format 3", b"SQLite format 3\0" + b"x" * 50]
)
def test_a_file_that_is_no_database_is_refused(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    with unharmed(path.parent):
        refused(path, NotAStore, "not an SQLite database; name another file")


def test_a_damaged_store_is_refused(path: Path) -> None:
    BatchStore.open(path).close()
    data = path.read_bytes()
    path.write_bytes(data[:100] + b"\xff" * (len(data) - 100))
    with pytest.raises(NotAStore, match=r"is damaged .*restore it from a copy"):
        BatchStore.open(path)
    assert path.read_bytes()[100:] == b"\xff" * (len(data) - 100)


def test_a_store_with_any_page_damaged_is_refused_or_opens(path: Path, submit: Submit) -> None:
    with BatchStore.open(path) as store:
        for n in range(20):
            submit(store, id=f"job-{n}")
    whole = path.read_bytes()
    refusals: list[str] = []
    for at in range(4096, len(whole), 4096):
        path.write_bytes(whole[:at] + b"\xff" * 4096 + whole[at + 4096 :])
        try:
            BatchStore.open(path).close()
        except StoreError as error:
            refusals.append(str(error))
    assert len(refusals) > 5
    assert [each for each in refusals if not re.search("is damaged|`gofer audit verify`", each)] == []


def test_a_folder_and_a_pipe_are_refused(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")
    with unharmed(tmp_path):
        refused(tmp_path / "folder", NotAStore, "not a regular file")
        refused(tmp_path / "pipe", NotAStore, "not a regular file")


def test_a_missing_folder_is_told(tmp_path: Path) -> None:
    with unharmed(tmp_path):
        refused(tmp_path / "no" / "gofer.db", NotAStore, "check that its folder exists")
    assert not (tmp_path / "no").exists()


def test_a_file_in_place_of_the_folder_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with unharmed(tmp_path):
        refused(tmp_path / "file" / "gofer.db", NotAStore, "cannot be opened")


def test_a_link_to_itself_is_told(path: Path) -> None:
    path.symlink_to(path)
    with unharmed(path.parent):
        refused(path, NotAStore, "cannot be opened")


def test_an_unreadable_file_is_told(path: Path) -> None:
    BatchStore.open(path).close()
    path.chmod(0)
    with unharmed(path.parent):
        with unprivileged():
            refused(path, NotAStore, r"cannot be opened \(Permission denied\)")
        path.chmod(0o600)


def test_a_store_that_may_not_be_written_is_told(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    BatchStore.open(path).close()
    connect = apsw.Connection
    monkeypatch.setattr("apsw.Connection", lambda path, flags: connect(path, flags=apsw.SQLITE_OPEN_READONLY))
    with pytest.raises(NotAStore, match="it is read-only"):
        BatchStore.open(path)


def test_a_reader_makes_no_store(tmp_path: Path) -> None:
    (tmp_path / "empty.db").touch()
    with unharmed(tmp_path):
        with pytest.raises(NotAStore, match="no gofer database; start the gofer that keeps it"):
            open_reader(str(tmp_path / "empty.db"))
        with pytest.raises(NotAStore, match="cannot be opened"):
            open_reader(str(tmp_path / "missing.db"))


# ---------------------------------------------------------------- which SQLite


@pytest.mark.parametrize("version", ["3.7.0", "3.40.1", "3.51.2", "3.51", "2.99.99"])
def test_an_sqlite_that_can_corrupt_a_database_is_refused(version: str) -> None:
    with pytest.raises(SqliteUnfit, match=f"SQLite {version} can corrupt a database; install an apsw"):
        check_sqlite(version)


@pytest.mark.parametrize("version", ["3.51.3", "3.51.10", "3.52.0", "3.100.0", "4.0.0"])
def test_an_sqlite_without_the_fault_is_accepted(version: str) -> None:
    check_sqlite(version)


def test_the_sqlite_at_hand_is_checked_before_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    check_sqlite()
    monkeypatch.setattr(database, "check_sqlite", lambda: check_sqlite("3.40.1"))
    for open_it in (open_writer, open_reader):
        with pytest.raises(SqliteUnfit):
            open_it(str(tmp_path / "gofer.db"))
    assert not (tmp_path / "gofer.db").exists()


ERRORS = [
    StoreFailed("gofer.db", apsw.IOError("disk I/O error")),
    NotAStore("gofer.db is damaged"),
    LogDamaged("the tree is none"),
]


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__)
def test_an_error_can_come_from_another_process(error: StoreError) -> None:
    passed = pickle.loads(pickle.dumps(error))
    assert (type(passed), str(passed), vars(passed)) == (type(error), str(error), vars(error))


# ---------------------------------------------------------------- one writer


def test_a_second_store_on_the_file_is_refused_in_this_process(path: Path, submit: Submit) -> None:
    with BatchStore.open(path) as store:
        with pytest.raises(StoreInUse, match="in use by another gofer; stop it or name another file"):
            BatchStore.open(path)
        submit(store)
        assert store.batch_job("j1") is not None
    BatchStore.open(path).close()


def test_a_second_name_for_the_file_is_no_second_file(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    link = path.with_name("link.db")
    link.symlink_to(path)
    monkeypatch.chdir(path.parent)
    with BatchStore.open(path):
        for name in (str(link), path.name, f"./{path.name}", f"../{path.parent.name}/{path.name}"):
            with pytest.raises(StoreInUse):
                BatchStore.open(name)


def test_a_lock_that_is_deleted_while_it_is_taken_is_none(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lock = files_of(path)[-1]
    taken = fcntl.flock

    def flock(file: IO[str], operation: int) -> None:  # who had it is done with it, and with the file
        lock.unlink()
        taken(file, operation)

    with monkeypatch.context() as patched:
        patched.setattr("fcntl.flock", flock)
        with pytest.raises(StoreInUse):
            WriterLock(path)
    WriterLock(path).release()


def test_a_second_process_is_refused_until_the_first_is_gone(path: Path) -> None:
    with child(path, 'say("open")\nwait()') as process:
        assert said(process) == "open"
        with pytest.raises(StoreInUse):
            BatchStore.open(path)
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
        BatchStore.open(path).close()


def test_a_second_process_is_refused_while_this_one_has_the_file(path: Path) -> None:
    with BatchStore.open(path), child(path, 'say("open")') as process:
        assert said(process) == "StoreInUse"


def test_a_store_that_could_not_be_opened_is_let_go(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(db: apsw.Connection) -> int:
        raise RuntimeError("broken")

    with monkeypatch.context() as patched:
        patched.setattr("gofer.store.projection.catch_up", broken)
        with pytest.raises(RuntimeError, match="broken"):
            BatchStore.open(path)
    BatchStore.open(path).close()


CHILD = """
import sys
def say(word): print(word, flush=True)
def wait(): sys.stdin.read()
path = sys.argv[1]
"""


@contextmanager
def child(path: Path, code: str, *, store: bool = True) -> Iterator[subprocess.Popen[str]]:
    """A second process that opens `path` as `store`, runs `code` in it, and ends with the block."""
    lines = [line.removeprefix("        ") for line in code.splitlines()]
    opening = [
        "from gofer.store.batch import BatchStore",
        "try: store = BatchStore.open(path)",
        "except Exception as error: say(type(error).__name__); sys.exit()",
    ]
    script = "\n".join([CHILD, *(opening if store else ()), *lines])
    with subprocess.Popen(
        [sys.executable, "-c", script, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def said(process: subprocess.Popen[str]) -> str:
    """The next line that the child says; "" when it is gone."""
    assert process.stdout is not None
    return process.stdout.readline().strip()


OTHER_PROGRAM = """
import sqlite3, sys
db = sqlite3.connect(sys.argv[1])
db.execute("SELECT count(*) FROM event").fetchall()
db.close()
"""


def open_in_vain(path: Path) -> None:
    with pytest.raises(StoreInUse):
        BatchStore.open(path)


@pytest.mark.parametrize(
    "meanwhile",
    [
        lambda path: None,
        lambda path: open_reader(str(path)).close(),
        lambda path: list(read_leaves(path, path.parent, 0)),
        open_in_vain,
    ],
    ids=["nothing", "a reader", "leaves", "a second writer"],
)
def test_a_program_that_closes_the_file_leaves_the_wal_to_who_writes(
    path: Path, submit: Submit, meanwhile: Callable[[Path], object]
) -> None:
    """SQLite's locks outlive whatever else this process does with the file."""
    with BatchStore.open(path) as store:
        submit(store)
        reader = open_reader(str(path))
        meanwhile(path)
        for _ in range(2):
            subprocess.run([sys.executable, "-c", OTHER_PROGRAM, str(path)], check=True)
            assert path.with_name(path.name + "-wal").exists()
        submit(store, "j2")
        reader.close()
    with BatchStore.open(path) as store:
        assert store.live_job_ids() == ["j1", "j2"]
