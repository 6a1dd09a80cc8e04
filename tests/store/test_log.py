"""The log: append-only by the database itself, optimistic concurrency, and `load` equal to the plain fold."""

import hashlib
import secrets
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import apsw
import pytest
from gofer.events.job import (
    Contradiction,
    Event,
    JobCancelled,
    JobStarted,
    JobSubmitted,
    LeaseTouched,
    TargetDone,
    TargetFailed,
    TargetsAdded,
    TargetSpec,
    TargetStarted,
    Touch,
    fold,
)
from gofer.events.recorded import Recorded, decode
from gofer.store import log
from gofer.store.batch import Append, BatchStore
from gofer.store.database import MEMORY, open_writer
from hypothesis import given, settings
from hypothesis import strategies as st

Submit = Callable[..., str]


def submitted(job_id: str) -> JobSubmitted:
    return JobSubmitted(
        at_ms=1,
        job_id=job_id,
        caller="alice",
        caller_class="fleet",
        idem_key="k",
        targets_total=1,
        created_at=0,
        lease=0,
    )


ADDED = TargetsAdded(1, (TargetSpec("http://a.example/", "{}"),))


def append(db: apsw.Connection, job_id: str, expected_version: int, events: Sequence[Event]) -> list[Recorded]:
    """Append as a store does, tree and all."""
    writer = log.EventLog(db, secrets.token_bytes)
    writer.stage(job_id, expected_version, events)
    writer.append()
    writer.flush()
    return writer.appended


@pytest.fixture
def db() -> Iterator[apsw.Connection]:
    """A writer's connection to a log of three events: two of job a, then one of job b."""
    with closing(open_writer(MEMORY)) as db:
        with db:
            append(db, "a", 0, [submitted("a"), ADDED])
            append(db, "b", 0, [submitted("b")])
        yield db


# ---------------------------------------------------------------- append-only, by the database itself


# What would rewrite history, or leave a hole in it, on a log of seq 1 to 3 with job a at version 2.
REWRITES = {
    "update": "UPDATE event SET data = '{}' WHERE seq = 1",
    "update of every seq": "UPDATE event SET seq = seq + 10",
    "update or replace": "UPDATE OR REPLACE event SET seq = 1 WHERE seq = 2",
    "update or ignore": "UPDATE OR IGNORE event SET data = '{}'",
    "delete one": "DELETE FROM event WHERE seq = 3",
    "delete all": "DELETE FROM event",
    "insert or replace by seq": "INSERT OR REPLACE INTO event (seq, job_id, version, data, leaf)"
    " VALUES (3, 'b', 1, '{}', x'00')",
    "replace by version": "REPLACE INTO event (seq, job_id, version, data, leaf) VALUES (4, 'a', 2, '{}', x'00')",
    "replace by seq": "REPLACE INTO event (seq, job_id, version, data, leaf) VALUES (1, 'c', 1, '{}', x'00')",
    "insert or ignore": "INSERT OR IGNORE INTO event (seq, job_id, version, data, leaf)"
    " VALUES (9, 'c', 1, '{}', x'00')",
    "upsert by seq": "INSERT INTO event (seq, job_id, version, data, leaf) VALUES (3, 'b', 1, '{}', x'00')"
    " ON CONFLICT (seq) DO UPDATE SET data = excluded.data",
    "upsert by version": "INSERT INTO event (seq, job_id, version, data, leaf) VALUES (4, 'a', 2, '{}', x'00')"
    " ON CONFLICT (job_id, version) DO UPDATE SET data = excluded.data",
    "the same seq": "INSERT INTO event (seq, job_id, version, data, leaf) VALUES (3, 'b', 2, '{}', x'00')",
    "the same version": "INSERT INTO event (seq, job_id, version, data, leaf) VALUES (4, 'a', 2, '{}', x'00')",
    "a gap in seq": "INSERT INTO event (seq, job_id, version, data, leaf) VALUES (5, 'a', 3, '{}', x'00')",
    "a gap in version": "INSERT INTO event (seq, job_id, version, data, leaf) VALUES (4, 'a', 4, '{}', x'00')",
    "seq 0": "INSERT INTO event (seq, job_id, version, data, leaf) VALUES (0, 'c', 1, '{}', x'00')",
    "a negative seq": "INSERT INTO event (seq, job_id, version, data, leaf) VALUES (-1, 'c', 1, '{}', x'00')",
    "version 0": "INSERT INTO event (seq, job_id, version, data, leaf) VALUES (4, 'c', 0, '{}', x'00')",
    "no seq": "INSERT INTO event (job_id, version, data, leaf) VALUES ('c', 1, '{}', x'00')",
    "a second row behind a good one": "INSERT INTO event (seq, job_id, version, data, leaf)"
    " VALUES (4, 'c', 1, '{}', x'00'), (4, 'c', 2, '{}', x'00')",
}
STATEMENTS = pytest.mark.parametrize("sql", REWRITES.values(), ids=REWRITES.keys())


@STATEMENTS
def test_our_connection_refuses_to_rewrite_history(db: apsw.Connection, sql: str) -> None:
    before = list(log.read(db))
    with pytest.raises(apsw.ConstraintError, match="the log is append-only"):
        db.execute(sql)
    assert list(log.read(db)) == before


@STATEMENTS
@pytest.mark.parametrize("recursive_triggers", ["OFF", "ON"])
def test_a_strangers_connection_is_refused_as_well(path: Path, recursive_triggers: str, sql: str) -> None:
    with closing(open_writer(str(path))) as ours, ours:
        append(ours, "a", 0, [submitted("a"), ADDED])
        append(ours, "b", 0, [submitted("b")])
    with closing(sqlite3.connect(path)) as stranger:
        stranger.execute(f"PRAGMA recursive_triggers = {recursive_triggers}")
        before = stranger.execute("SELECT * FROM event").fetchall()
        with pytest.raises(sqlite3.IntegrityError, match="the log is append-only"):
            stranger.execute(sql)
        stranger.commit()
        assert stranger.execute("SELECT * FROM event").fetchall() == before
        assert len(before) == 3


def test_the_next_event_in_order_is_accepted_from_whoever_writes_it(db: apsw.Connection) -> None:
    data = '{"job_id":"a","version":3,"event":{"type":"job.started","at_ms":5}}'
    db.execute("INSERT INTO event (seq, job_id, version, data, leaf) VALUES (4, 'a', 3, ?, x'00')", (data,))
    assert list(log.read(db, after_seq=3)) == [Recorded(4, "a", 3, JobStarted(5))]


# ---------------------------------------------------------------- positions


def test_seq_is_dense_over_the_log_and_version_over_each_job(db: apsw.Connection) -> None:
    append(db, "a", 2, [JobStarted(2)])
    append(db, "b", 1, [ADDED, JobStarted(2)])
    assert [(r.seq, r.job_id, r.version) for r in log.read(db)] == [
        (1, "a", 1),
        (2, "a", 2),
        (3, "b", 1),
        (4, "a", 3),
        (5, "b", 2),
        (6, "b", 3),
    ]
    assert log.head(db) == 6


def test_append_answers_what_it_stored(db: apsw.Connection) -> None:
    recorded = append(db, "a", 2, [JobStarted(2), TargetStarted(3, 0)])
    assert recorded == [Recorded(4, "a", 3, JobStarted(2)), Recorded(5, "a", 4, TargetStarted(3, 0))]
    assert list(log.read(db, after_seq=3)) == recorded


def test_an_empty_log_is_at_0() -> None:
    with closing(open_writer(MEMORY)) as db:
        assert log.head(db) == 0
        assert list(log.read(db)) == []
        assert log.load(db, "a") is None


def test_read_goes_on_behind_a_position_and_stops_at_its_limit(db: apsw.Connection) -> None:
    assert [r.seq for r in log.read(db, after_seq=1)] == [2, 3]
    assert [r.seq for r in log.read(db, after_seq=0, limit=2)] == [1, 2]
    assert [r.seq for r in log.read(db, after_seq=1, limit=1)] == [2]
    assert [r.seq for r in log.read(db, after_seq=3)] == []


# ---------------------------------------------------------------- optimistic concurrency


@pytest.mark.parametrize(("job_id", "expected", "actual"), [("a", 1, 2), ("a", 3, 2), ("a", 0, 2), ("c", 1, 0)])
def test_a_stale_writer_gets_a_conflict_with_both_versions(
    db: apsw.Connection, job_id: str, expected: int, actual: int
) -> None:
    with pytest.raises(log.VersionConflict, match=f"version {expected}, the stream is at {actual}") as conflict:
        append(db, job_id, expected, [JobStarted(2)])
    assert (conflict.value.expected, conflict.value.actual) == (expected, actual)
    assert log.head(db) == 3


def test_of_two_writers_from_one_state_the_second_gets_the_conflict(store: BatchStore, submit: Submit) -> None:
    submit(store)
    state = store.load("j1")
    store.append(Append.of(state, [JobStarted(5_000)]))
    before = store.head(), store.batch_nbytes()
    with pytest.raises(log.VersionConflict) as conflict:
        store.append(Append.of(state, [TargetDone(6_000, 0, "ab", 4)], {0: "abcd"}))
    assert (conflict.value.expected, conflict.value.actual) == (2, 3)
    assert (store.head(), store.batch_nbytes()) == before
    targets = store.batch_targets("j1")
    assert targets is not None
    assert [target.status for target in targets] == ["pending", "pending"]


def test_a_stale_writer_of_a_removed_job_gets_the_conflict(store: BatchStore, submit: Submit) -> None:
    """Its key is gone as well, but that the stream has moved on is what the writer has to hear."""
    submit(store)
    state = store.load("j1")
    store.sweep_batch(9_000, 10)
    with pytest.raises(log.VersionConflict) as conflict:
        store.append(Append.of(state, [TargetFailed(6_000, 0, "http 404")]))
    assert (conflict.value.expected, conflict.value.actual) == (2, 3)


def test_appends_to_many_streams_go_in_together(store: BatchStore, submit: Submit) -> None:
    """And so do many at once to a stream that nobody else writes to."""
    states = [store.load(submit(store, f"j{n}")) for n in range(1, 4)]
    begin, done = (
        (JobStarted(2_000), TargetStarted(2_000, 0)),
        TargetDone(3_000, 1, hashlib.sha256(b"abcd").hexdigest(), 4),
    )
    appends = [Append.of(states[0], begin), Append.of(states[1], (done,), {1: "abcd"})]
    appends.append(Append.of(None, (submitted("new"), ADDED)))
    with store.transaction() as appended:
        outcomes = store.append_each(appends)
    assert [outcome.unwrap() for outcome in outcomes] == [store.load(id) for id in ("j1", "j2", "new")]
    assert [(each.seq, each.job_id, each.version) for each in appended] == [
        (7, "j1", 3), (8, "j1", 4), (9, "j2", 3), (10, "new", 1), (11, "new", 2),
    ]  # fmt: skip
    assert store.read(6) == appended


def test_appends_one_after_the_other_to_one_stream_go_in_together(store: BatchStore, submit: Submit) -> None:
    """The tables are what they would be had each come by itself."""
    before = store.load(submit(store))
    appends = []
    for idx, body in ((0, "first"), (1, "other"), (0, "second, longer")):
        done = TargetDone(2_000, idx, hashlib.sha256(body.encode()).hexdigest(), len(body))
        appends.append(Append.of(before, (done,), {idx: body}))
        before = fold([done], before)
    with store.transaction():
        assert [outcome.unwrap().version for outcome in store.append_each(appends)] == [3, 4, 5]
    targets = store.batch_targets("j1")
    assert targets is not None
    assert [target.result for target in targets] == ["second, longer", "other"]
    assert store.batch_nbytes() == len("second, longer" + "other")


def test_one_append_may_bring_several_results(store: BatchStore, submit: Submit) -> None:
    """It answers with its own events alone, whatever else is in the transaction."""
    before = store.load(submit(store))
    bodies = {0: "first", 1: "other"}
    done = [TargetDone(2_000, idx, hashlib.sha256(body.encode()).hexdigest(), 5) for idx, body in bodies.items()]
    with store.transaction() as appended:
        submit(store, "j2")
        job, own = store.append(Append.of(before, done, bodies))
    assert job == store.load("j1")
    assert [each.event for each in own] == done
    assert appended[-2:] == own
    targets = store.batch_targets("j1")
    assert targets is not None
    assert [target.result for target in targets] == ["first", "other"]


REFUSED: dict[str, tuple[Append, type[Exception]]] = {
    "a stale version": (Append.of(None, (submitted("j2"),)), log.VersionConflict),
    "a missing body": (Append.of(None, (submitted("new"), ADDED, TargetDone(1, 0, "ab", 4))), Contradiction),
    "a stream that is named twice": (Append.of(None, (submitted("j1"),)), log.VersionConflict),
    "a lost key": (Append.of(None, (submitted("lost"),)), log.KeyMissing),
}


@pytest.mark.parametrize("at", range(3))
@pytest.mark.parametrize(("refused", "error"), REFUSED.values(), ids=REFUSED.keys())
def test_of_appends_to_many_streams_a_refused_one_fails_alone(
    store: BatchStore, submit: Submit, refused: Append, error: type[Exception], at: int
) -> None:
    states = {id: store.load(submit(store, id)) for id in ("j1", "j2", "j3", "lost")}
    lost = store.connection.execute("SELECT key FROM job_key WHERE job_id = 'lost'").get
    if refused.after.id == "lost":
        store.connection.execute("DELETE FROM job_key WHERE job_id = 'lost'")
        refused = Append.of(states["lost"], (TargetFailed(2_000, 0, "http 404"),))
        store._log._keys.clear()
    appends = [Append.of(states[id], (JobStarted(2_000),)) for id in ("j1", "j3")]
    appends.insert(at, refused)
    head = store.head()
    with store.transaction() as appended:
        outcomes = store.append_each(appends)
    good = [outcome for n, outcome in enumerate(outcomes) if n != at]
    assert [outcome.unwrap() for outcome in good] == [store.load("j1"), store.load("j3")]
    with pytest.raises(error):
        outcomes[at].unwrap()
    assert [(each.seq, each.job_id) for each in appended] == [(head + 1, "j1"), (head + 2, "j3")]
    assert store.read(head) == appended
    store.connection.execute("INSERT INTO job_key VALUES ('lost', ?) ON CONFLICT DO NOTHING", (lost,))


def test_a_bug_in_one_of_many_appends_undoes_all(store: BatchStore, submit: Submit) -> None:
    state = store.load(submit(store, "j1"))
    before = store.head(), store.batch_nbytes()
    events: Any = (submitted("new"), object())
    broken = Append(None, events, fold(events[:1]) or pytest.fail("no job"))
    with pytest.raises(TypeError, match="unsupported"), store.transaction():
        store.append_each([Append.of(state, (JobStarted(2_000),)), broken])
    assert (store.head(), store.batch_nbytes()) == before


def test_the_keys_that_are_remembered_are_bounded(
    store: BatchStore, submit: Submit, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(log, "MAX_REMEMBERED", 4)
    for n in range(10):
        submit(store, f"j{n}")
        assert max(len(store._log._keys), len(store._log._heads)) <= 4
    for n in range(10):
        store.update_batch_target(f"j{n}", 0, 2_000, "failed", error="http 404")
        assert max(len(store._log._keys), len(store._log._heads)) <= 4


def test_without_the_jobs_key_nothing_private_is_appended(path: Path, submit: Submit) -> None:
    """As in a log that was imported without keys."""
    with BatchStore.open(path) as store:
        submit(store)
        store.connection.execute("DELETE FROM job_key")
    with BatchStore.open(path) as store:
        head = store.head()
        with pytest.raises(log.KeyMissing, match="key of job j1 is missing"):
            store.update_batch_target("j1", 0, 1_000, "failed", error="http 404")
        assert store.head() == head


def test_a_key_that_was_undone_with_its_job_seals_nothing_later(store: BatchStore, submit: Submit) -> None:
    def submit_in_vain() -> None:
        with store.transaction():
            submit(store)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        submit_in_vain()
    submit(store)
    added = store.read(0)[1].event
    assert isinstance(added, TargetsAdded)
    assert added.targets[0].url == "http://0.example/"


def test_a_submission_of_a_known_id_conflicts(store: BatchStore, submit: Submit) -> None:
    submit(store)
    with pytest.raises(log.VersionConflict) as conflict:
        store.append(Append.of(None, [submitted("j1")]))
    assert (conflict.value.expected, conflict.value.actual) == (0, 2)


def test_events_that_do_not_follow_are_not_appended(store: BatchStore, submit: Submit) -> None:
    submit(store)
    state = store.load("j1")
    refused: list[tuple[list[Event], str]] = [
        ([JobCancelled(1), JobStarted(2)], "running is not possible in state cancelled"),
        ([TargetDone(1, 0, "ab", 4)], "a result that was not given"),
        ([], "no events"),
    ]
    before = store.head()
    for events, words in refused:
        with pytest.raises(Contradiction, match=words):
            store.append(Append.of(state, events))
        with pytest.raises(Contradiction):
            store.append(Append.of(None, events))  # nor to a stream that has none yet
        assert store.head() == before


def test_execute_answers_the_state_and_what_it_appended(store: BatchStore, submit: Submit) -> None:
    submit(store)
    job, recorded = store.execute("j1", Touch(9_000))
    assert job == store.load("j1")
    assert recorded == [Recorded(3, "j1", 3, LeaseTouched(9_000))]
    assert store.read(2) == recorded
    assert store.execute("j1", Touch(9_000)) == (job, [])
    assert store.execute("nope", Touch(9_000)) == (None, [])


# ---------------------------------------------------------------- load


EVENTS: st.SearchStrategy[Event] = st.one_of(
    st.builds(LeaseTouched, st.integers(0, 9_999)),
    st.builds(LeaseTouched, st.integers(0, 9_999)),
    st.builds(TargetDone, st.integers(0, 9_999), st.just(0), st.just("ab"), st.integers(0, 9)),
)


@settings(max_examples=60, deadline=None)
@given(events=st.lists(EVENTS, max_size=25), between=st.lists(st.booleans(), max_size=25))
def test_load_is_the_plain_fold_at_every_version(events: list[Event], between: list[bool]) -> None:
    history = [submitted("a"), ADDED, *events]
    with closing(open_writer(MEMORY)) as db:
        append(db, "b", 0, [submitted("b")])
        for version, event in enumerate(history):
            append(db, "a", version, [event])
            if version < len(between) and between[version]:  # another job's events stand between
                other = log.load(db, "b")
                append(db, "b", other.version if other else 0, [LeaseTouched(7)])
        assert log.load(db, "a") == fold(history)
        for version in range(1, len(history) + 2):
            assert log.load(db, "a", below_version=version) == fold(history[: version - 1])


def test_of_a_thousand_touches_in_a_row_one_is_folded(db: apsw.Connection, monkeypatch: pytest.MonkeyPatch) -> None:
    touches: list[Event] = [LeaseTouched(1_000 * n) for n in range(1_000)]
    append(db, "a", 2, touches)
    decoded: list[bytes] = []

    def note(data: bytes) -> Event:
        decoded.append(data)
        return decode(data)

    monkeypatch.setattr(log, "decode", note)
    assert log.load(db, "a") == fold([submitted("a"), ADDED, *touches])
    assert len(decoded) == 3
