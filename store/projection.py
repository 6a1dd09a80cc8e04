"""The tables derived from the log: `batch_job`, `batch_target` and how far they have come.

`project` writes what `evolve` returned, and nothing else does: live, at start-up and in a rebuild.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

import apsw

from ..events.job import Job, Target, evolve
from . import log

NO_BODIES: Final[Mapping[int, str]] = {}

Change = tuple[Job | None, Job, Mapping[int, str]]
"""A job's state before, its state after, and the result of each target that became done with one, by idx.

A body that is not at hand (its event is being replayed) leaves the target without a result: what the table held was
another one.
"""

_Rows = dict[str, list[tuple[object, ...]]]  # to be bound, by statement

# In the order in which they are carried out. What changes rarely or costs much is written where it changes alone: a
# lease moves an entry of an index, a result is rewritten at its full size.
_STATEMENTS: Final = (
    _DELETE_TARGETS := "DELETE FROM batch_target WHERE job_id = ?",
    _DELETE_JOB := "DELETE FROM batch_job WHERE id = ?",
    _INSERT_JOB := "INSERT INTO batch_job (id, caller, caller_class, idem_key, status, error, targets_total,"
    " targets_done, created_at, lease, nbytes) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    _UPDATE_JOB := "UPDATE batch_job SET status = ?, error = ?, targets_done = ?, nbytes = ? WHERE id = ?",
    _UPDATE_LEASE := "UPDATE batch_job SET lease = ? WHERE id = ?",
    _INSERT_TARGET := "INSERT INTO batch_target (job_id, idx, url, options, status, error, hint, result)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
    _UPDATE_TARGET := "UPDATE batch_target SET status = ?, error = ?, hint = ? WHERE job_id = ? AND idx = ?",
    _UPDATE_RESULT := "UPDATE batch_target SET status = ?, error = ?, hint = ?, result = ?"
    " WHERE job_id = ? AND idx = ?",
)


def position(db: apsw.Connection) -> int:
    """The seq of the last event in the tables. Raises `LogDamaged` if they do not say."""
    return int(log.only_row(db, "SELECT position FROM projection", "projection")[0])


def project(db: apsw.Connection, changes: Iterable[Change]) -> None:
    """Carry out `changes`, which are of different jobs; `advance` says how far the tables have come."""
    rows: _Rows = {sql: [] for sql in _STATEMENTS}
    for before, after, bodies in changes:
        if after.removed:
            rows[_DELETE_TARGETS].append((after.id,))
            rows[_DELETE_JOB].append((after.id,))
        else:
            _change_job(rows, before, after)
            _change_targets(rows, before.targets if before else (), after, bodies)
    for sql, bound in rows.items():
        if bound:
            db.executemany(sql, bound)


def advance(db: apsw.Connection, position: int) -> None:
    """Say that the tables hold all events up to `position`."""
    db.execute("UPDATE projection SET position = ?", (position,))


def _change_job(rows: _Rows, before: Job | None, after: Job) -> None:
    if before is None:
        rows[_INSERT_JOB].append(
            (
                after.id, after.caller, after.caller_class, after.idem_key, after.status, after.error,
                after.targets_total, after.targets_done, after.created_at, after.lease, after.nbytes,
            )
        )  # fmt: skip
        return
    shown = (after.status, after.error, after.targets_done, after.nbytes)
    if shown != (before.status, before.error, before.targets_done, before.nbytes):
        rows[_UPDATE_JOB].append((*shown, after.id))
    if after.lease != before.lease:
        rows[_UPDATE_LEASE].append((after.lease, after.id))


def _change_targets(rows: _Rows, known: Sequence[Target], after: Job, bodies: Mapping[int, str]) -> None:
    if after.targets is known:
        return
    if len(known) != len(after.targets):
        rows[_INSERT_TARGET] += [
            (after.id, idx, new.url, new.options, new.status, new.error, new.hint, _body(new, bodies.get(idx)))
            for idx, new in enumerate(after.targets)
        ]
        return
    for idx, (old, new) in enumerate(zip(known, after.targets, strict=True)):
        if old is new:
            continue
        if new.sha256 == old.sha256:
            rows[_UPDATE_TARGET].append((new.status, new.error, new.hint, after.id, idx))
        else:
            body = _body(new, bodies.get(idx))
            rows[_UPDATE_RESULT].append((new.status, new.error, new.hint, body, after.id, idx))


def _body(target: Target, body: str | None) -> str | None:
    """The result to store: none for a target that has none, whatever it was on the way there."""
    return None if target.sha256 is None else body


def catch_up(db: apsw.Connection) -> int:
    """Project the events that are on the log and not yet in the tables; how many there were.

    Needed when the log came from elsewhere (an import, a restored backup): live writes move both together.
    """
    jobs: dict[str, Job | None] = {}
    count = 0
    for recorded in log.read(db, after_seq=position(db)):
        job_id = recorded.job_id
        before = jobs[job_id] if job_id in jobs else log.load(db, job_id, below_version=recorded.version)
        jobs[job_id] = after = evolve(before, recorded.event)
        project(db, [(before, after, NO_BODIES)])
        count += 1
    advance(db, log.head(db))
    return count
