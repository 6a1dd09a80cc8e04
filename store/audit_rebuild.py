"""Making the projections anew from the log, in one transaction."""

import hashlib
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from typing import Final

import apsw
import msgspec

from ..events.job import Job
from .archive import segment_folder
from .audit import Signed, signed_roots
from .audit_fold import Fold
from .audit_replay import behind_archive, followed
from .audit_roots import judge_roots, kept_roots
from .audit_tables import Drift, compare
from .audit_walk import LogFile, Progress, walk
from .database import StoreError, WriterLock, open_writer
from .log import LogDamaged, head
from .projection import advance, project
from .wal import Wal

OLD: Final = "old_"
TABLES: Final = ("batch_job", "batch_target")
PRIVATE: Final = ("idem_key", "url", "options", "error", "hint")  # columns that may be lost with a job's key


class Rebuilt(msgspec.Struct, frozen=True):
    """What a rebuild read and made, and where the tables had not been what the log says."""

    events: int
    jobs: int
    targets: int
    drifts: tuple[Drift, ...]


def rebuild(
    path: Path, signed: Iterable[Signed] = (), *, workers: int | None = None, progress: Progress | None = None
) -> Rebuilt:
    """Fold the log, make new tables from it, hold them against the fold, and put them in the old ones' place.

    Results are carried over where their SHA-256 is the log's; nothing is fetched or appended. It is one transaction:
    ended half-way, it changes nothing. Raises `LogDamaged` if the log is not what was written and `signed`: what made
    the old tables may have been right. Raises `StoreInUse` while a gofer runs, and another `StoreError` if the file
    is not fit.
    """
    lock = WriterLock(path)
    try:
        with closing(open_writer(str(path))) as db:
            log = LogFile(db, path, segment_folder(path), immutable=False)
            wal = Wal(db)
            with db:
                fold = _intact(log, signed, workers, progress)
                drifts = tuple(compare(log, fold, hashed=False, bodies=True))
                _check_nothing_lost(db, fold, drifts)
                targets = replace(db, fold)
                left = next(compare(log, fold, hashed=False, bodies=False), None)
                if left:
                    raise StoreError(f"the new tables would be wrong: {left}; nothing was changed")
            wal.scrub()
            wal.settle()
    finally:
        lock.release()
    return Rebuilt(fold.position, sum(1 for _ in fold.live()), targets, drifts)


def _intact(log: LogFile, signed: Iterable[Signed], workers: int | None, progress: Progress | None) -> Fold:
    """What `present` gives, of a log that has the roots that it should have. Raises `LogDamaged` for another."""
    fold = behind_archive(log, hashed=True)
    roots = [*signed_roots(signed), *kept_roots(log.db, fold.findings)]
    sizes = {root.size for root in roots}
    walk(log, fold, head(log.db), hashed=True, sizes=sizes, workers=workers, progress=progress)
    judge_roots(log, fold, roots)
    return followed(fold)


def _check_nothing_lost(db: apsw.Connection, fold: Fold, drifts: Iterable[Drift]) -> None:
    """Raises `LogDamaged` if the tables know something that the log would tell, but for what it lacks."""
    for drift in drifts:
        if drift.job_id in fold.unopened and drift.column in PRIVATE and drift.table:
            why = "its key is missing"
        elif (
            drift.job_id not in fold.jobs and db.execute("SELECT 1 FROM event WHERE job_id = ?", (drift.job_id,)).get
        ):
            why = "its first events are missing"
        else:
            continue
        raise LogDamaged(f"of job {drift.job_id} the tables know more than the log: {why}; see `gofer audit verify`")


def replace(db: apsw.Connection, fold: Fold) -> int:
    """Put tables made from `fold` in the old ones' place, in the caller's transaction; how many targets they have."""
    marks = ", ".join("?" * len(TABLES))
    made: list[tuple[str, str, str]] = list(
        db.execute(
            f"SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL AND tbl_name IN ({marks})",  # noqa: S608
            TABLES,
        )
    )
    for kind, name, _ in made:
        if kind == "index":
            db.execute(f"DROP INDEX {name}")
    for name in TABLES:
        db.execute(f"ALTER TABLE {name} RENAME TO {OLD}{name}")
    for kind, _, sql in made:
        if kind == "table":
            db.execute(sql)
    targets = 0
    for job in fold.live():
        project(db, [(None, job, _bodies(db, job))])
        targets += len(job.targets)
    for name in TABLES:
        db.execute(f"DROP TABLE {OLD}{name}")
    for kind, _, sql in made:
        if kind == "index":
            db.execute(sql)
    advance(db, fold.position)
    return targets


def _bodies(db: apsw.Connection, job: Job) -> dict[int, str]:
    """The job's results in the old table that are what was fetched, by idx."""
    due = {idx: target.sha256 for idx, target in enumerate(job.targets) if target.sha256 is not None}
    if not due:
        return {}
    stored = db.execute(
        f"SELECT idx, CAST(result AS BLOB) FROM {OLD}batch_target WHERE job_id = ? AND result IS NOT NULL",  # noqa: S608
        (job.id,),
    )
    return {idx: body.decode() for idx, body in stored if hashlib.sha256(body).hexdigest() == due.get(idx)}
