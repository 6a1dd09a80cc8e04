"""Verifying a log: a whole one passes, live or copied, and each attack on one is found where it was made.

The attacks are those of somebody who can write to the file: by SQL, with the triggers dropped, and where it helps
them with the hashes made anew. `pytest -s -k attack` prints the table of attacks.
"""

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from functools import partial
from multiprocessing import active_children
from pathlib import Path

import apsw
import msgspec
import pytest
from gofer.events.job import JobCancelled, JobSubmitted, LeaseTouched, TargetStarted
from gofer.events.merkle import CompactRange, leaf_hash
from gofer.events.recorded import Stored, decode, encode
from gofer.store.audit import Report, Signed, read_checkpoints, tiles_of, verify
from gofer.store.audit_rebuild import rebuild
from gofer.store.audit_replay import present, replay
from gofer.store.audit_walk import SHORTEST_EVENTS, STRETCH_EVENTS, WorkerLost, open_log_file, stretch_end, stretches
from gofer.store.batch import BatchJob, BatchStore, BatchTarget
from gofer.store.database import StoreError
from gofer.store.log import LogDamaged, leaves
from gofer.store.notary import Notary, checkpoint_files
from gofer.store.note import Checkpoint, NoteError, SigningKey
from gofer.store.transfer import export
from hypothesis import given
from hypothesis import strategies as st

JOBS = ("ann", "bob", "cid")


def fill(store: BatchStore, notary: Notary | None = None) -> None:
    """28 events of three jobs, interleaved: `ann` done, `bob` partial, `cid` running. Signed at 14 and at the end."""
    for now, id in enumerate(JOBS):
        store.create_batch_job(
            BatchJob(id, "alice", "fleet", f"key-{id}", targets_total=3, created_at=now, lease=now)
        )
        store.put_batch_targets(id, [BatchTarget(id, idx, f"http://{id}{idx}.example/", "{}") for idx in range(3)])
    for id in JOBS:
        store.set_batch_job_status(id, "running", "", 10)
    for idx in range(3):
        for id in JOBS:
            store.update_batch_target(id, idx, 11 + idx, "running")
            if (id, idx) == ("bob", 1):
                store.update_batch_target(id, idx, 12 + idx, "failed", error="http 404", hint="look elsewhere")
            elif id != "cid" or idx == 0:
                store.update_batch_target(id, idx, 12 + idx, "done", result=f'{{"content":"{id}{idx}"}}')
        if notary and idx == 0:
            sign(store, notary)
    store.set_batch_job_status("ann", "done", "", 20)
    store.set_batch_job_status("bob", "partial", "", 20)
    store.touch_batch_job("ann", 25)
    if notary:
        sign(store, notary)


def sign(store: BatchStore, notary: Notary) -> None:
    with store.transaction():
        tree = store.mark_checkpoint()
    notary.sign(tree, lambda after: (leaf for *_, leaf in leaves(store.connection, after)))


@pytest.fixture
def notary(log: Path) -> Notary:
    return Notary.open(log.parent / "checkpoints", log.parent / "log.key")


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a closed database, its key and its checkpoints."""
    folder = tmp_path_factory.mktemp("original")
    with BatchStore.open(folder / "gofer.db") as store:
        fill(store, Notary.open(folder / "checkpoints", folder / "log.key"))
    return folder


@pytest.fixture
def log(original: Path, path: Path) -> Path:
    """A database of 28 events, with its key and its checkpoints of 15 and 28 beside it."""
    shutil.copytree(original, path.parent, dirs_exist_ok=True)
    return path


def judge(path: Path, notary: Notary | None = None, *, log_alone: bool = False) -> Report:
    """What `verify` says, with the checkpoints and tiles in the folder if there is a notary."""
    folder = path.parent / "checkpoints"
    signed, findings = read_checkpoints(folder, notary.public_key) if notary else ([], [])
    assert findings == []
    with open_log_file(path) as opened:
        return verify(opened, signed, tiles_of(folder, signed), log_alone=log_alone)


# ---------------------------------------------------------------- whole


def test_a_whole_log_passes(log: Path, notary: Notary) -> None:
    report = judge(log, notary)
    assert report.findings == ()
    assert (report.size, report.jobs, report.checkpoints, report.bodies) == (28, 3, 2, 6)
    assert report.opened == 7, "a key's hash and the targets of each job, and one failure"
    newest = notary.newest()
    assert newest is not None
    assert report.root == newest.root.hex()


def test_an_empty_log_is_whole(path: Path) -> None:
    BatchStore.open(path).close()
    report = judge(path)
    assert (report.size, report.findings) == (0, ())


def test_a_log_is_verified_while_it_is_written(log: Path, notary: Notary) -> None:
    with BatchStore.open(log) as store:
        seen: list[int] = []

        def write(done: int, total: int) -> None:  # between two reads of the audit
            seen.append(done)
            store.update_batch_target("cid", 1, 40, "done", result="late")
            store.sweep_batch(30 + 3600, 3600)  # ann and bob, whose keys go too

        signed, _ = read_checkpoints(log.parent / "checkpoints", notary.public_key)
        with open_log_file(log) as opened:
            report = verify(opened, signed, progress=write)
        assert seen == [28]
        assert report.findings == ()
        assert report.size == store.head() == 31


def test_nothing_is_written_or_left_beside_a_copy(log: Path, tmp_path: Path) -> None:
    folder = tmp_path / "evidence"
    folder.mkdir()
    copy = folder / "copy.db"
    shutil.copy(log, copy)
    before = (copy.read_bytes(), copy.stat().st_mtime_ns)
    assert judge(copy).whole
    assert (copy.read_bytes(), copy.stat().st_mtime_ns) == before
    assert os.listdir(folder) == ["copy.db"]


def test_a_copy_is_read_with_the_wal_that_came_with_it(log: Path, tmp_path: Path) -> None:
    folder = tmp_path / "crashed"
    folder.mkdir()
    with BatchStore.open(log) as store:
        store.touch_batch_job("ann", 50)
        for name in ("gofer.db", "gofer.db-wal"):
            shutil.copy(log.parent / name, folder)
        size = store.head()
    before = [(folder / name).read_bytes() for name in ("gofer.db", "gofer.db-wal")]
    report = judge(folder / "gofer.db")
    assert (report.size, report.findings) == (size, ())
    assert [(folder / name).read_bytes() for name in ("gofer.db", "gofer.db-wal")] == before


def test_a_copy_that_is_written_to_meanwhile_is_told(log: Path) -> None:
    def write(done: int, total: int) -> None:
        BatchStore.open(log).close()
        with BatchStore.open(log) as store:
            store.touch_batch_job("ann", 99)

    with pytest.raises(StoreError, match="while it was read; run the command again"), open_log_file(log) as opened:
        verify(opened, progress=write)


def test_several_processes_say_what_one_says(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gofer.store.audit_walk.STRETCH_EVENTS", 8)  # of this process, which plans for the others
    with BatchStore.open(path) as store:
        fill(store)
        for n in range(40):
            store.touch_batch_job(JOBS[n % 3], 100 + n)
    with open_log_file(path) as opened:
        one, two = verify(opened, workers=1), verify(opened, workers=2)
    assert one == two
    assert one.whole
    assert one.size == 68
    assert STRETCH_EVENTS % 8 == 0


WALKS: list[Callable[..., object]] = [verify, lambda log, **options: replay(log, 68, **options)]


@pytest.mark.parametrize("judged", WALKS, ids=["verify", "replay"])
@pytest.mark.parametrize("begun", [False, True])
def test_a_process_that_is_killed_is_told_and_nothing_is_said_of_the_log(
    path: Path, monkeypatch: pytest.MonkeyPatch, begun: bool, judged: Callable[..., object]
) -> None:
    monkeypatch.setattr("gofer.store.audit_walk.STRETCH_EVENTS", 1)
    with BatchStore.open(path) as store:
        fill(store)
        for n in range(40):
            store.touch_batch_job(JOBS[n % 3], 100 + n)
    others = set(active_children())

    def kill(done: int, total: int) -> None:
        for process in set(active_children()) - others:
            process.kill()

    if not begun:
        monkeypatch.setattr("gofer.store.audit_walk._begin", partial(signal.raise_signal, signal.SIGKILL))
    with open_log_file(path) as log, pytest.raises(WorkerLost, match="was killed, perhaps for want of memory; run"):
        judged(log, workers=2, progress=kill)
    assert set(active_children()) <= others


KILLED_AT_WORK = """
import os, signal, sys
from pathlib import Path
from gofer.store import audit_walk
from gofer.store.audit import verify

audit_walk.STRETCH_EVENTS = 1
with audit_walk.open_log_file(Path(sys.argv[1])) as log:
    verify(log, workers=3, progress=lambda done, total: os.kill(os.getpid(), signal.SIGKILL))
"""


def test_no_process_outlives_the_one_that_started_it(log: Path) -> None:
    killed = subprocess.run(  # until all that have its standard output have closed it
        [sys.executable, "-c", KILLED_AT_WORK, log], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=60
    )
    assert killed.returncode == -signal.SIGKILL


@given(st.integers(0, 1 << 21), st.integers(0, 1 << 21), st.integers(1, 8))
def test_each_stretch_is_a_subtree_and_those_that_are_shared_get_shorter(
    position: int, events: int, workers: int
) -> None:
    upto = position + events
    plan: list[tuple[int, int]] = []
    at = position
    while at < upto:
        plan.append((at, stretch_end(at, upto, workers)))
        at = plan[-1][1]
    assert at == upto
    if workers == 1:
        assert all(after % STRETCH_EVENTS == 0 for after, _ in plan[1:])
    for after, end in plan[1:-1]:  # the first may begin, and the last end, anywhere
        length = end - after
        assert length.bit_count() == 1
        assert after % length == 0
        assert length <= STRETCH_EVENTS
        if workers > 1:
            assert length <= max((upto - after) // (4 * workers), SHORTEST_EVENTS)


# ---------------------------------------------------------------- attacks


class Table:
    """Stands for a connection to a table so damaged that a search in it may come out anywhere."""

    def __init__(self, answers: list[int | None]) -> None:
        self._answers = answers

    def execute(self, sql: str, bindings: tuple[int]) -> "Table":
        return self

    @property
    def get(self) -> int | None:
        return self._answers.pop() if self._answers else 1


@given(st.integers(0, 20), st.integers(1, 20), st.integers(1, 2), st.lists(st.integers(-1, 60) | st.none()))
def test_the_way_through_a_damaged_table_has_an_end(
    position: int, events: int, workers: int, answers: list[int | None]
) -> None:
    at, upto = position, position + events
    for after, end in stretches(Table(answers), position, upto, workers):  # type: ignore[arg-type]
        assert after == at < end <= upto
        at = end
    assert at == upto


class Attacker:
    """Somebody with the file and an SQL shell, who knows how gofer hashes."""

    def __init__(self, db: apsw.Connection) -> None:
        self.db = db

    def sql(self, statement: str, *values: object) -> None:
        self.db.execute(statement, values)  # type: ignore[arg-type]

    def data(self, seq: int) -> bytes:
        data: str = self.db.execute("SELECT data FROM event WHERE seq = ?", (seq,)).get
        return data.encode()

    def write(self, seq: int, stored: Stored) -> None:
        """Put another event in a row, with the columns and the leaf that it should have."""
        data = encode(stored)
        self.sql(
            "UPDATE event SET job_id = ?, version = ?, data = ?, leaf = ? WHERE seq = ?",
            stored.job_id, stored.version, data.decode(), leaf_hash(data), seq,
        )  # fmt: skip

    def add(self, seq: int, *events: Stored) -> None:
        """Make room at `seq` and put events in."""
        self.sql("UPDATE event SET seq = -seq WHERE seq >= ?", seq)
        self.sql("UPDATE event SET seq = -seq + ? WHERE seq < 0", len(events))
        for n, stored in enumerate(events):
            data = encode(stored)
            self.sql(
                "INSERT INTO event (seq, job_id, version, data, leaf) VALUES (?, ?, ?, ?, ?)",
                seq + n, stored.job_id, stored.version, data.decode(), leaf_hash(data),
            )  # fmt: skip

    def remove(self, *seqs: int) -> None:
        """Delete events and close the gaps."""
        for seq in sorted(seqs, reverse=True):
            self.sql("DELETE FROM event WHERE seq = ?", seq)
            self.sql("UPDATE event SET seq = -seq WHERE seq > ?", seq)
            self.sql("UPDATE event SET seq = -seq - 1 WHERE seq < 0")

    def swap(self, one: int, other: int) -> None:
        """Let two rows change places, whole."""
        for old, new in ((one, -1), (other, one), (-1, other)):
            self.sql("UPDATE event SET seq = ? WHERE seq = ?", new, old)

    def hash(self) -> None:
        """Make all that the file itself says of its hashes true again: leaves, tree, marks, position."""
        tree = CompactRange()
        marks = [size for (size,) in self.db.execute("SELECT size FROM checkpoint")]
        self.sql("DELETE FROM checkpoint")
        for seq, data in list(self.db.execute("SELECT seq, data FROM event ORDER BY seq")):
            assert isinstance(data, str)
            leaf = leaf_hash(data.encode())
            self.sql("UPDATE event SET leaf = ? WHERE seq = ?", leaf, seq)
            tree = tree.extended([leaf])
            if seq in marks:
                self.sql("INSERT INTO checkpoint VALUES (?, ?)", seq, tree.to_bytes())
        self.sql("UPDATE tree SET size = ?, subtrees = ?", tree.size, tree.to_bytes())
        self.sql("UPDATE projection SET position = ?", tree.size)


def stranger(job_id: str) -> list[Stored]:
    """The events of a job that nobody submitted."""
    counts = {"targets_total": 0, "created_at": 0, "lease": 0}
    submitted = JobSubmitted(at_ms=1, job_id=job_id, caller="eve", caller_class="fleet", idem_key="", **counts)
    return [Stored(job_id, 1, submitted), Stored(job_id, 2, JobCancelled(2))]


def rename(attacker: Attacker, seq: int) -> Stored:
    """The event with another caller or time: all else as it was."""
    stored = decode(attacker.data(seq))
    return Stored(stored.job_id, stored.version, type(stored.event)(**{**_fields(stored), "at_ms": 1}), stored.sealed)


def _fields(stored: Stored) -> dict[str, object]:
    return {name: getattr(stored.event, name) for name in stored.event.__struct_fields__}


def change_a_byte(a: Attacker) -> None:
    a.sql("UPDATE event SET data = replace(data, 'alice', 'alicf') WHERE seq = 3")


def change_a_leaf(a: Attacker) -> None:
    a.sql("UPDATE event SET leaf = zeroblob(32) WHERE seq = 9")


def change_an_event_and_its_leaf(a: Attacker) -> None:
    a.write(9, rename(a, 9))


def change_an_event_behind_the_mark_and_its_leaf(a: Attacker) -> None:
    a.write(27, rename(a, 27))


def make_an_event_unreadable(a: Attacker) -> None:
    a.sql("UPDATE event SET data = replace(data, 'target.done', 'target.gone') WHERE seq = 11")


def make_a_number_too_large(a: Attacker) -> None:
    stored = decode(a.data(3))
    event = msgspec.structs.replace(stored.event, created_at=1 << 70)
    a.write(3, msgspec.structs.replace(stored, event=event))


def remove_an_event(a: Attacker) -> None:
    a.sql("DELETE FROM event WHERE seq = 12")


def remove_an_event_and_close_the_gap(a: Attacker) -> None:
    a.remove(12)
    a.hash()


def remove_the_last_event_of_a_job(a: Attacker) -> None:
    a.remove(27)
    a.hash()


def remove_a_whole_job(a: Attacker) -> None:
    a.remove(*(seq for (seq,) in a.db.execute("SELECT seq FROM event WHERE job_id = 'cid'")))  # type: ignore[misc]
    for table in ("batch_job WHERE id", "batch_target WHERE job_id", "job_key WHERE job_id"):
        a.sql(f"DELETE FROM {table} = 'cid'")
    a.hash()


def add_an_event_at_the_end(a: Attacker) -> None:
    a.add(29, Stored("ann", 12, LeaseTouched(99_000)))
    a.sql("UPDATE batch_job SET lease = 99 WHERE id = 'ann'")
    a.sql("UPDATE projection SET position = 29")


def insert_an_event_among_others(a: Attacker) -> None:
    a.add(18, *stranger("eve")[:1])


def insert_a_job_among_others(a: Attacker) -> None:
    a.add(7, *stranger("eve"))
    a.sql("UPDATE projection SET position = 30")


def insert_a_job_and_hash_it(a: Attacker) -> None:
    a.add(20, *stranger("eve"))
    a.hash()


def insert_an_event_that_cannot_be(a: Attacker) -> None:
    a.add(29, Stored("ann", 12, TargetStarted(1, 0)))
    a.hash()


def swap_the_bytes_of_two_events(a: Attacker) -> None:
    one, other = a.data(8).decode(), a.data(9).decode()
    a.sql("UPDATE event SET data = ?, leaf = ? WHERE seq = 8", other, leaf_hash(other.encode()))
    a.sql("UPDATE event SET data = ?, leaf = ? WHERE seq = 9", one, leaf_hash(one.encode()))


def swap_two_events_of_a_job(a: Attacker) -> None:
    a.swap(10, 11)


def swap_two_events_of_two_jobs(a: Attacker) -> None:
    a.swap(7, 8)


def swap_two_distant_events_of_two_jobs(a: Attacker) -> None:
    a.swap(20, 23)
    a.hash()


def swap_two_events_and_hash_them(a: Attacker) -> None:
    a.swap(23, 25)
    a.hash()


def truncate_the_tail(a: Attacker) -> None:
    a.sql("DELETE FROM event WHERE seq > 25")


def truncate_the_tail_and_hash_it(a: Attacker) -> None:
    a.sql("DELETE FROM event WHERE seq > 27")
    a.sql("UPDATE batch_job SET lease = 20 WHERE id = 'ann'")
    a.sql("DELETE FROM checkpoint WHERE size > 27")
    a.hash()


def rewrite_the_whole_log(a: Attacker) -> None:
    for seq, data in list(a.db.execute("SELECT seq, data FROM event WHERE version = 1")):
        assert isinstance(seq, int)
        a.sql("UPDATE event SET data = replace(?, 'alice', 'carol') WHERE seq = ?", data, seq)
    a.sql("UPDATE batch_job SET caller = 'carol'")
    a.hash()


def rewrite_since_the_first_checkpoint(a: Attacker) -> None:
    a.write(28, Stored("ann", 11, LeaseTouched(77_000)))
    a.sql("UPDATE batch_job SET lease = 77 WHERE id = 'ann'")
    a.hash()


def change_a_column(a: Attacker) -> None:
    a.sql("UPDATE event SET job_id = 'dan' WHERE seq = 28")


def change_a_body(a: Attacker) -> None:
    a.sql("UPDATE batch_target SET result = replace(result, 'ann0', 'ann9') WHERE job_id = 'ann' AND idx = 0")


def delete_a_body(a: Attacker) -> None:
    a.sql("UPDATE batch_target SET result = NULL WHERE job_id = 'bob' AND idx = 2")


def change_a_status(a: Attacker) -> None:
    a.sql("UPDATE batch_job SET status = 'done' WHERE id = 'bob'")


def change_a_url(a: Attacker) -> None:
    a.sql("UPDATE batch_target SET url = 'http://else.example/' WHERE job_id = 'cid' AND idx = 1")


def make_a_body_no_text(a: Attacker) -> None:
    a.sql("UPDATE batch_target SET result = CAST(x'7bff' AS TEXT) WHERE job_id = 'ann' AND idx = 0")


def make_a_url_no_text(a: Attacker) -> None:
    a.sql("UPDATE batch_target SET url = CAST(x'ff' AS TEXT) WHERE job_id = 'cid' AND idx = 1")


def make_an_error_no_text(a: Attacker) -> None:
    a.sql("UPDATE batch_job SET error = CAST(x'ff' AS TEXT) WHERE id = 'bob'")


def make_a_job_id_no_text(a: Attacker) -> None:
    a.sql("UPDATE batch_job SET id = CAST(x'ff' AS TEXT) WHERE id = 'ann'")


def make_a_job_id_on_the_log_no_text(a: Attacker) -> None:
    a.sql("UPDATE event SET job_id = CAST(x'ff' AS TEXT) WHERE seq = 28")


def make_an_event_no_text(a: Attacker) -> None:
    a.sql("UPDATE event SET data = replace(data, 'lease', CAST(x'ff' AS TEXT)) WHERE seq = 28")


def empty(column: str, seq: int) -> Callable[[Attacker], None]:
    """As a damaged page can: no value where the schema demands one."""

    def attack(a: Attacker) -> None:
        (sql,) = next(a.db.execute("SELECT sql FROM sqlite_schema WHERE name = 'event'"))
        a.sql("PRAGMA writable_schema = ON")
        a.sql("UPDATE sqlite_schema SET sql = replace(sql, ' NOT NULL', '') WHERE name = 'event'")
        a.sql("PRAGMA writable_schema = RESET")
        a.sql(f"UPDATE event SET {column} = NULL WHERE seq = ?", seq)
        a.sql("PRAGMA writable_schema = ON")
        a.sql("UPDATE sqlite_schema SET sql = ? WHERE name = 'event'", sql)
        a.sql("PRAGMA writable_schema = RESET")

    attack.__name__ = f"empty_{column}"
    return attack


def delete_a_row(a: Attacker) -> None:
    a.sql("DELETE FROM batch_target WHERE job_id = 'ann' AND idx = 1")


def delete_a_job_row(a: Attacker) -> None:
    a.sql("DELETE FROM batch_job WHERE id = 'ann'")
    a.sql("DELETE FROM batch_target WHERE job_id = 'ann'")


def add_a_row(a: Attacker) -> None:
    a.sql("INSERT INTO batch_target VALUES ('ann', 3, 'http://x/', '{}', 'done', NULL, NULL, NULL)")


def add_a_job_row(a: Attacker) -> None:
    a.sql("INSERT INTO batch_job VALUES ('eve', 'eve', 'fleet', '', 'done', '', 0, 0, 0, 0, 0)")


def move_the_position(a: Attacker) -> None:
    a.sql("UPDATE projection SET position = 20")


def change_a_key(a: Attacker) -> None:
    a.sql("UPDATE job_key SET key = zeroblob(32) WHERE job_id = 'bob'")


def delete_a_key(a: Attacker) -> None:
    a.sql("DELETE FROM job_key WHERE job_id = 'bob'")


def exchange_sealed_parts(a: Attacker) -> None:
    one, other = decode(a.data(2)), decode(a.data(4))
    a.write(2, Stored(one.job_id, one.version, one.event, other.sealed))
    a.hash()


def change_the_tree(a: Attacker) -> None:
    a.sql("UPDATE tree SET subtrees = zeroblob(96)")


def cut_the_tree_short(a: Attacker) -> None:
    a.sql("UPDATE tree SET subtrees = x'00'")


def change_a_mark(a: Attacker) -> None:
    a.sql("UPDATE checkpoint SET subtrees = zeroblob(128) WHERE size = 15")


def drop_a_guard(a: Attacker) -> None:
    a.sql("DROP TRIGGER event_is_never_deleted")


def claim_that_a_prefix_was_archived(a: Attacker) -> None:
    tree = CompactRange().extended(leaf_hash(a.data(seq)) for seq in (1, 2, 3, 4))
    a.sql("DELETE FROM event WHERE seq <= 4")
    a.sql("INSERT INTO segment VALUES (4, ?, 'none.zst', 'none')", tree.to_bytes())


# Each attack, what finds it first, and where: the first event that is not what it was or no longer there. A range
# where the events are as they could have been, and only a root says that they are not.
ATTACKS: dict[Callable[[Attacker], None], tuple[str, int, int | None]] = {
    change_a_byte: ("leaf", 3, None),
    change_a_leaf: ("leaf", 9, None),
    change_an_event_and_its_leaf: ("checkpoint", 9, None),
    change_an_event_behind_the_mark_and_its_leaf: ("checkpoint", 27, None),
    make_an_event_unreadable: ("leaf", 11, None),
    make_a_number_too_large: ("bytes", 3, None),
    remove_an_event: ("missing", 12, None),
    remove_an_event_and_close_the_gap: ("fold", 12, None),
    remove_the_last_event_of_a_job: ("checkpoint", 27, None),
    remove_a_whole_job: ("checkpoint", 5, None),
    add_an_event_at_the_end: ("tree", 29, None),
    insert_an_event_among_others: ("checkpoint", 18, None),
    insert_a_job_among_others: ("checkpoint", 7, None),
    insert_a_job_and_hash_it: ("checkpoint", 20, None),
    insert_an_event_that_cannot_be: ("fold", 29, None),
    swap_the_bytes_of_two_events: ("columns", 8, None),
    swap_two_events_of_a_job: ("fold", 10, None),
    swap_two_events_of_two_jobs: ("checkpoint", 7, None),
    swap_two_distant_events_of_two_jobs: ("checkpoint", 20, None),
    truncate_the_tail: ("checkpoint", 26, None),
    truncate_the_tail_and_hash_it: ("checkpoint", 28, None),
    rewrite_the_whole_log: ("checkpoint", 1, None),
    rewrite_since_the_first_checkpoint: ("checkpoint", 28, None),
    change_a_column: ("columns", 28, None),
    change_a_body: ("body", 11, None),
    delete_a_body: ("body", 24, None),
    change_a_status: ("projection", 27, None),
    change_a_url: ("projection", 20, None),
    make_a_body_no_text: ("body", 11, None),
    make_a_url_no_text: ("projection", 20, None),
    make_an_error_no_text: ("projection", 27, None),
    make_a_job_id_no_text: ("projection", 28, None),
    make_a_job_id_on_the_log_no_text: ("columns", 28, None),
    make_an_event_no_text: ("leaf", 28, None),
    empty("job_id", 28): ("columns", 28, None),
    empty("version", 28): ("columns", 28, None),
    empty("data", 28): ("leaf", 28, None),
    empty("leaf", 28): ("leaf", 28, None),
    delete_a_row: ("projection", 28, None),
    delete_a_job_row: ("projection", 28, None),
    add_a_row: ("projection", 28, None),
    add_a_job_row: ("projection", 0, None),
    move_the_position: ("projection", 21, None),
    change_a_key: ("seal", 3, None),
    delete_a_key: ("seal", 3, None),
    exchange_sealed_parts: ("seal", 2, None),
    change_the_tree: ("tree", 0, None),
    cut_the_tree_short: ("tree", 0, None),
    change_a_mark: ("tree", 0, None),
    drop_a_guard: ("schema", 0, None),
    claim_that_a_prefix_was_archived: ("segment", 1, None),
}


# The same where nobody kept the leaf hashes: what was hashed anew is found by roots alone, and so within a range.
ATTACKS_WITHOUT_TILES: dict[Callable[[Attacker], None], tuple[str, int, int | None]] = {
    change_an_event_and_its_leaf: ("checkpoint", 9, 12),
    change_an_event_behind_the_mark_and_its_leaf: ("checkpoint", 25, 28),
    remove_the_last_event_of_a_job: ("checkpoint", 28, None),
    remove_a_whole_job: ("checkpoint", 1, 15),
    insert_an_event_among_others: ("checkpoint", 18, None),
    insert_a_job_and_hash_it: ("checkpoint", 20, None),
    swap_two_events_of_two_jobs: ("checkpoint", 7, None),
    swap_two_distant_events_of_two_jobs: ("checkpoint", 20, None),
    truncate_the_tail: ("checkpoint", 26, None),
    truncate_the_tail_and_hash_it: ("checkpoint", 28, None),
    rewrite_the_whole_log: ("checkpoint", 1, 15),
    rewrite_since_the_first_checkpoint: ("checkpoint", 16, 28),
}


def attack(log: Path, *attacks: Callable[[Attacker], None]) -> None:
    """Make the attacks one after the other, with the guards away that must be, and back afterwards."""
    with closing(apsw.Connection(str(log))) as db:
        guards = list(db.execute("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'"))
        for name, _ in guards:
            db.execute(f"DROP TRIGGER {name}")
        for each in attacks:
            if each is not drop_a_guard:
                each(Attacker(db))
        for _, sql in guards:
            db.execute(str(sql))
        if drop_a_guard in attacks:
            drop_a_guard(Attacker(db))


@pytest.mark.parametrize("made", ATTACKS, ids=lambda made: made.__name__)
def test_an_attack_is_found_where_it_was_made(log: Path, notary: Notary, made: Callable[[Attacker], None]) -> None:
    attack(log, made)
    report = judge(log, notary)
    assert not report.whole
    first = report.findings[0]
    where = f"{first.seq}-{first.upto}" if first.upto else str(first.seq)
    print(f"\n{made.__name__.replace('_', ' '):46} {first.kind:10} {where:>6}  {first.text}", end="")
    assert (first.kind, first.seq, first.upto) == ATTACKS[made]
    assert all(finding.upto is None for finding in report.findings if finding.kind == "checkpoint")


@pytest.mark.parametrize("made", ATTACKS, ids=lambda made: made.__name__)
def test_after_an_attack_a_rebuild_mends_the_tables_or_leaves_them_alone(
    log: Path, notary: Notary, made: Callable[[Attacker], None]
) -> None:
    """They may be right, where the log is not."""
    attack(log, made)
    signed, _ = read_checkpoints(log.parent / "checkpoints", notary.public_key)
    before = dump(log)
    if ATTACKS[made][0] in ("projection", "body", "schema"):
        rebuild(log, signed)
        assert {finding.kind for finding in judge(log, notary).findings} <= {"body", "schema"}
    else:
        with pytest.raises(LogDamaged):
            rebuild(log, signed)
        assert dump(log) == before


def dump(log: Path) -> list[list[tuple[object, ...]]]:
    with closing(apsw.Connection(str(log))) as db:
        db.create_scalar_function("->>", lambda *_: None, 2, deterministic=True)
        return [
            db.execute(f"SELECT {', '.join(f'CAST({c} AS BLOB)' for c in columns)} FROM {table}").fetchall()
            for table in ("event", "batch_job", "batch_target", "projection", "tree", "segment")
            if (columns := [str(name) for _, name, *_ in db.execute(f"PRAGMA table_info({table})")])
        ]


@pytest.mark.parametrize("made", ATTACKS_WITHOUT_TILES, ids=lambda made: made.__name__)
def test_without_tiles_an_attack_is_found_as_near_as_roots_tell(
    log: Path, notary: Notary, made: Callable[[Attacker], None]
) -> None:
    shutil.rmtree(log.parent / "checkpoints" / "tile")
    (log.parent / "checkpoints" / "checkpoint").unlink()
    attack(log, made)
    first = judge(log, notary).findings[0]
    assert (first.kind, first.seq, first.upto) == ATTACKS_WITHOUT_TILES[made]


def test_several_processes_say_of_a_broken_log_what_one_says(
    log: Path, notary: Notary, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gofer.store.audit_walk.STRETCH_EVENTS", 1)
    attack(log, change_a_byte, make_a_number_too_large, make_an_event_unreadable, remove_an_event, change_a_key)
    signed, _ = read_checkpoints(log.parent / "checkpoints", notary.public_key)
    with open_log_file(log) as opened:
        one, two = (verify(opened, signed, workers=workers) for workers in (1, 2))
    assert one == two
    assert {"leaf", "bytes", "missing"} <= {finding.kind for finding in one.findings}


SEVERAL: dict[tuple[Callable[[Attacker], None], ...], list[tuple[str, int, str]]] = {
    (change_an_event_and_its_leaf, change_an_event_behind_the_mark_and_its_leaf): [
        ("checkpoint", 9, "it was changed"),
        ("checkpoint", 27, "it was changed"),
    ],
    (insert_a_job_and_hash_it, change_an_event_and_its_leaf, remove_the_last_event_of_a_job): [
        ("checkpoint", 9, "it was changed"),
        ("checkpoint", 20, "it and all up to 21 were put in"),
        ("checkpoint", 25, "it was removed"),
    ],
    (swap_two_distant_events_of_two_jobs, exchange_sealed_parts, truncate_the_tail_and_hash_it): [
        ("checkpoint", 2, "it was changed"),
        ("checkpoint", 20, "it and event 23 changed places"),
        ("checkpoint", 28, "it was removed"),
    ],
    (rewrite_the_whole_log, remove_an_event_and_close_the_gap): [
        ("checkpoint", 1, "it was changed"),
        ("checkpoint", 3, "it was changed"),
        ("checkpoint", 5, "it was changed"),
        ("checkpoint", 12, "it was removed"),
    ],
    (remove_an_event, change_a_byte): [("checkpoint", 3, "it was changed"), ("checkpoint", 12, "it was removed")],
}


@pytest.mark.parametrize("made", SEVERAL, ids=lambda made: "-".join(each.__name__ for each in made))
def test_of_several_attacks_each_is_told(
    log: Path, notary: Notary, made: tuple[Callable[[Attacker], None], ...]
) -> None:
    attack(log, *made)
    found = [f for f in judge(log, notary).findings if f.kind == "checkpoint"]
    assert [(f.kind, f.seq, f.upto) for f in found] == [(kind, seq, None) for kind, seq, _ in SEVERAL[made]]
    assert all(f.text.startswith(text) for f, (_, _, text) in zip(found, SEVERAL[made], strict=True)), found


def test_without_a_checkpoint_a_consistent_rewrite_passes_and_with_one_from_elsewhere_it_does_not(
    log: Path, notary: Notary, tmp_path: Path
) -> None:
    elsewhere = notary.newest()
    assert elsewhere is not None
    attack(log, rewrite_the_whole_log)
    assert judge(log).whole
    with open_log_file(log) as opened:
        report = verify(opened, [Signed("elsewhere", elsewhere)])
    assert [(f.kind, f.seq, f.upto) for f in report.findings] == [("checkpoint", 1, 28)]


def test_a_checkpoint_of_another_log_is_told(log: Path, notary: Notary) -> None:
    with open_log_file(log) as opened:
        report = verify(opened, [Signed("other", Checkpoint(notary.public_key.name, 0, bytes(32)))])
    assert [(f.kind, f.seq) for f in report.findings] == [("checkpoint", 0)]


TABLES = ("event", "segment", "tree", "checkpoint", "job_key", "batch_job", "batch_target", "projection")


@pytest.mark.parametrize("table", TABLES)
def test_a_table_that_was_dropped_is_named(log: Path, table: str) -> None:
    with closing(apsw.Connection(str(log))) as db:
        db.execute(f"DROP TABLE {table}")
    with pytest.raises(LogDamaged, match=f"has no table '{table}': it was dropped; restore"), open_log_file(log):
        pass


@pytest.mark.parametrize(
    ("sql", "kind"),
    [
        ("DELETE FROM tree", "tree"),
        ("INSERT INTO tree SELECT * FROM tree", "tree"),
        ("DELETE FROM projection", "projection"),
        ("INSERT INTO projection SELECT * FROM projection", "projection"),
    ],
)
def test_a_table_of_one_row_that_has_none_or_two_is_told(log: Path, notary: Notary, sql: str, kind: str) -> None:
    attack(log, partial(Attacker.sql, statement=sql), change_a_status)
    found = [(f.kind, f.seq) for f in judge(log, notary).findings]
    assert sorted(found) == sorted([(kind, 0), ("projection", 27)])


@pytest.mark.parametrize("seq", [0, -7])
def test_an_event_before_the_first_is_told_as_that(log: Path, notary: Notary, seq: int) -> None:
    attack(log, lambda a: a.sql(f"INSERT INTO event SELECT {seq}, 'eve', 1, data, leaf FROM event WHERE seq = 1"))
    (finding,) = judge(log, notary).findings
    assert (finding.kind, finding.seq) == ("columns", seq)
    assert finding.text == f"the row with seq {seq} stands before the first event"


def test_a_drift_of_a_job_is_told_beside_a_row_of_it_that_is_no_json(log: Path, notary: Notary) -> None:
    row = "INSERT INTO event (seq, job_id, version, data, leaf) VALUES (-7, 'ann', 99, '{\"odd\":1}', x'')"
    attack(log, lambda a: a.sql(row), change_a_url)
    attack(log, lambda a: a.sql("UPDATE batch_target SET hint = 'no' WHERE job_id = 'ann' AND idx = 0"))
    before = log.read_bytes()
    assert before.count(b'{"odd":1}') == 1
    log.write_bytes(before.replace(b'{"odd":1}', b'{"odd":1]'))
    found = [(f.kind, f.seq) for f in judge(log, notary).findings]
    assert found == [("columns", -7), ("projection", 11), ("projection", 20)]


FAR = (33_000, 10**8, 10**10, 1 << 60, (1 << 63) - 1)


@pytest.mark.parametrize("seq", FAR)
@pytest.mark.parametrize("workers", [1, 2])
def test_a_row_that_stands_far_off_is_told_with_the_one_gap_before_it(
    log: Path, notary: Notary, seq: int, workers: int
) -> None:
    row = stranger("eve")[0]
    attack(log, lambda a: a.add(seq, row))
    with open_log_file(log) as opened:
        report = verify(opened, read_checkpoints(log.parent / "checkpoints", notary.public_key)[0], workers=workers)
        with pytest.raises(LogDamaged, match=f"event 29: it and all up to {seq - 1} are missing"):
            present(opened, workers=workers)
        with pytest.raises(LogDamaged, match=f"event 29: it and all up to {seq // 2} are missing"):
            replay(opened, seq // 2, workers=workers)
        lines: list[bytes] = []
        with pytest.raises(LogDamaged, match="event 29 is missing"):
            export(opened, lines.append)
        assert not lines
        assert export(opened, lines.append, first=seq) == 1
        assert msgspec.json.decode(lines[-1])["seq"] == seq
    missing = [(f.seq, f.text) for f in report.findings if f.kind == "missing"]
    assert missing == [(29, f"it and all up to {seq - 1} are missing")]
    assert (29, f"it and all up to {seq} are in no tree: they were added past the log's writer") in [
        (f.seq, f.text) for f in report.findings if f.kind == "tree"
    ]
    assert [(f.seq, f.job_id) for f in report.findings if f.kind == "projection" and f.job_id] == [(seq, "eve")]
    assert (report.size, report.root) == (seq, None)


def test_gaps_at_the_ends_of_stretches_are_each_told_once(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gofer.store.audit_walk.STRETCH_EVENTS", 8)
    with BatchStore.open(path) as store:
        fill(store)
        for n in range(40):
            store.touch_batch_job(JOBS[n % 3], 100 + n)
    gone = (7, 8, 9, 12, 16, 25, *range(33, 49))
    attack(path, *(partial(Attacker.sql, statement=f"DELETE FROM event WHERE seq = {seq}") for seq in gone))
    with open_log_file(path) as opened:
        one, two = verify(opened, workers=1), verify(opened, workers=2)
    assert one == two
    assert [(f.seq, f.text) for f in one.findings if f.kind == "missing"] == [
        (7, "it and all up to 9 are missing"),
        (12, "it is missing"),
        (16, "it is missing"),
        (25, "it is missing"),
        (33, "it and all up to 48 are missing"),
    ]


# ---------------------------------------------------------------- the folder of checkpoints


def test_a_note_that_the_key_did_not_sign_is_told_among_those_that_it_did(log: Path, notary: Notary) -> None:
    folder = log.parent / "checkpoints"
    path = checkpoint_files(folder)[0]
    path.write_text(path.read_text().replace("28", "27", 1))
    signed, findings = read_checkpoints(folder, notary.public_key)
    assert [each.checkpoint.size for each in signed] == [15]
    assert [(f.kind, f.seq) for f in findings] == [("checkpoint", 0)]
    assert "the signature" in findings[0].text


def test_a_key_that_signed_none_of_them_is_the_wrong_one(log: Path) -> None:
    with pytest.raises(NoteError, match=r"none of the 2 checkpoints .* is signed by other"):
        read_checkpoints(log.parent / "checkpoints", SigningKey("other", bytes(32)).public)
