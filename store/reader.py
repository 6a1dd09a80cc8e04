"""Reads of the projections for the live system: read-only, each answer from one snapshot."""

from pathlib import Path
from typing import Self

import apsw
import msgspec

from ..events.job import JobStatus
from .batch import BatchStore
from .database import open_reader, transaction
from .projection import position
from .rows import BatchJob, BatchTarget, select_job, select_job_by_idem, select_target, select_targets


class JobView(msgspec.Struct, frozen=True):
    """A job with its targets as they stood at log position `position`."""

    job: BatchJob
    targets: tuple[BatchTarget, ...]
    position: int


class Reader:
    """Snapshots over one connection. Synchronous: a read without results takes tens of microseconds."""

    def __init__(self, db: apsw.Connection) -> None:
        self._db = db

    @classmethod
    def open(cls, path: str | Path) -> Self:
        """Read the database at `path`, which a `BatchStore` keeps. Raises a `StoreError` if it is none of ours."""
        return cls(open_reader(str(path)))

    @classmethod
    def beside(cls, store: BatchStore) -> Self:
        """Read through the writer's own connection: all there is for a database in memory.

        Then the store may be used by one thread alone, or a read would see a transaction that is under way.
        """
        return cls(store.connection)

    def close(self) -> None:
        """Close the connection; closing twice is fine."""
        self._db.close()

    def job(self, job_id: str, *, results: bool = False) -> JobView | None:
        """The job with all its targets; their `result` only if asked for. None if there is no such job."""
        with transaction(self._db):
            job = select_job(self._db, job_id)
            return None if job is None else self._view(job, results)

    def status(self, job_id: str) -> JobStatus | None:
        """The job's status alone."""
        with transaction(self._db):
            job = select_job(self._db, job_id)
            return None if job is None else job.status

    def target(self, job_id: str, idx: int) -> tuple[BatchJob, BatchTarget | None] | None:
        """One target with its result, and its job. The target is None if the job has no such idx."""
        with transaction(self._db):
            job = select_job(self._db, job_id)
            return None if job is None else (job, select_target(self._db, job_id, idx))

    def job_by_idem(self, caller: str, idem_key: str, now: int, ttl: int) -> JobView | None:
        """The caller's newest job under `idem_key` whose lease holds at `now`, without results."""
        with transaction(self._db):
            id = select_job_by_idem(self._db, caller, idem_key, now, ttl)
            job = select_job(self._db, id) if id else None
            return None if job is None else self._view(job, results=False)

    def _view(self, job: BatchJob, results: bool) -> JobView:
        return JobView(job, tuple(select_targets(self._db, job.id, results=results)), position(self._db))
