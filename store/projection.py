"""The tables derived from the log: `batch_job`, `batch_target` and how far they have come.

`project` writes what `evolve` returned, and nothing else does: live, at start-up and in a rebuild.
"""

from collections.abc import Mapping
from typing import Final

import apsw

from ..events.job import Job, evolve
from . import log

NO_BODIES: Final[Mapping[int, str]] = {}


def position(db: apsw.Connection) -> int:
    """The seq of the last event in the tables."""
    return int(db.execute("SELECT position FROM projection").get)


def project(db: apsw.Connection, before: Job | None, after: Job, bodies: Mapping[int, str]) -> None:
    """Bring the tables from `before` to `after`; `advance` says how far they have come.

    `bodies` has the result of each target that became done with one, by idx. A body that is not at hand (its event is
    being replayed) leaves the target without a result: what the table held was another one.
    """
    if after.removed:
        db.execute("DELETE FROM batch_target WHERE job_id = ?", (after.id,))
        db.execute("DELETE FROM batch_job WHERE id = ?", (after.id,))
    else:
        _project_job(db, before, after)
        _project_targets(db, before, after, bodies)


def advance(db: apsw.Connection, position: int) -> None:
    """Say that the tables hold all events up to `position`."""
    db.execute("UPDATE projection SET position = ?", (position,))


def _project_job(db: apsw.Connection, before: Job | None, after: Job) -> None:
    if before is None:
        db.execute(
            "INSERT INTO batch_job (id, caller, caller_class, idem_key, status, error, targets_total, targets_done,"
            " created_at, lease, nbytes) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                after.id, after.caller, after.caller_class, after.idem_key, after.status, after.error,
                after.targets_total, after.targets_done, after.created_at, after.lease, after.nbytes,
            ),
        )  # fmt: skip
    else:
        db.execute(
            "UPDATE batch_job SET status = ?, error = ?, targets_done = ?, lease = ?, nbytes = ? WHERE id = ?",
            (after.status, after.error, after.targets_done, after.lease, after.nbytes, after.id),
        )


def _project_targets(db: apsw.Connection, before: Job | None, after: Job, bodies: Mapping[int, str]) -> None:
    known = before.targets if before else ()
    if after.targets is known:
        return
    if len(known) != len(after.targets):
        db.executemany(
            "INSERT INTO batch_target (job_id, idx, url, options, status, error, hint, result)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            [
                (after.id, idx, new.url, new.options, new.status, new.error, new.hint, bodies.get(idx))
                for idx, new in enumerate(after.targets)
            ],
        )
        return
    for idx, (old, new) in enumerate(zip(known, after.targets, strict=True)):
        if old is new:
            continue
        # A body is bound only where it changes: rewriting the same one would cost its size.
        bound, result = ("result = ?, ", (bodies.get(idx),)) if new.sha256 != old.sha256 else ("", ())
        db.execute(
            f"UPDATE batch_target SET {bound}status = ?, error = ?, hint = ? WHERE job_id = ? AND idx = ?",  # noqa: S608
            (*result, new.status, new.error, new.hint, after.id, idx),
        )


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
        project(db, before, after, NO_BODIES)
        count += 1
    advance(db, log.head(db))
    return count
