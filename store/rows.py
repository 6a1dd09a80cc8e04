"""The rows of `batch_job` and `batch_target`, and the SELECTs that bring them: for the writer and for readers."""

import apsw
import msgspec

from ..events.job import CallerClass, JobStatus, TargetStatus


class BatchJob(msgspec.Struct, frozen=True):
    """A row of `batch_job`. `created_at` and `lease` are unix seconds; `nbytes` sums its stored results."""

    id: str
    caller: str
    caller_class: CallerClass
    idem_key: str
    status: JobStatus = "queued"
    error: str = ""
    targets_total: int = 0
    targets_done: int = 0
    created_at: int = 0
    lease: int = 0
    nbytes: int = 0


class BatchTarget(msgspec.Struct, frozen=True):
    """A row of `batch_target`. `options` and `result` are JSON text."""

    job_id: str
    idx: int
    url: str
    options: str
    status: TargetStatus = "pending"
    result: str | None = None
    error: str | None = None
    hint: str | None = None


_JOB_COLUMNS = ", ".join(BatchJob.__struct_fields__)


def select_job(db: apsw.Connection, id: str) -> BatchJob | None:
    """The job, if there is one."""
    row = db.execute(f"SELECT {_JOB_COLUMNS} FROM batch_job WHERE id = ?", (id,)).fetchone()  # noqa: S608 - constant
    return BatchJob(*row) if row else None


def select_job_by_idem(db: apsw.Connection, caller: str, idem_key: str, now: int, ttl: int) -> str | None:
    """The id of the caller's newest job under `idem_key` whose lease holds at `now` (unix s) for `ttl` seconds."""
    row = db.execute(
        "SELECT id FROM batch_job WHERE caller = ? AND idem_key = ? AND lease + ? > ? ORDER BY rowid DESC LIMIT 1",
        (caller, idem_key, ttl, now),
    ).fetchone()
    return row[0] if row else None


def select_targets(db: apsw.Connection, job_id: str, *, results: bool) -> list[BatchTarget]:
    """The job's targets in idx order; without `results` their overflow pages are not read."""
    result = "result" if results else "NULL"
    rows = db.execute(
        f"SELECT job_id, idx, url, options, status, {result}, error, hint FROM batch_target"  # noqa: S608 - constant
        " WHERE job_id = ? ORDER BY idx",
        (job_id,),
    )
    return [BatchTarget(*row) for row in rows]


def select_target(db: apsw.Connection, job_id: str, idx: int) -> BatchTarget | None:
    """One target with its result, if the job has it."""
    row = db.execute(
        "SELECT job_id, idx, url, options, status, result, error, hint FROM batch_target"
        " WHERE job_id = ? AND idx = ?",
        (job_id, idx),
    ).fetchone()
    return BatchTarget(*row) if row else None


def job_exists(db: apsw.Connection, job_id: str) -> bool:
    """Whether the job has a row."""
    return db.execute("SELECT 1 FROM batch_job WHERE id = ?", (job_id,)).fetchone() is not None
