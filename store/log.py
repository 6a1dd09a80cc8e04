"""The event log: append and read. The only place with SQL on the `event` table."""

from collections.abc import Iterator, Sequence

import apsw
import msgspec

from ..events.job import Contradiction, Event, Job, evolve
from ..events.recorded import Recorded, decode, encode


class VersionConflict(Contradiction):
    """The stream is not where the writer believed it to be. Nothing was appended."""

    def __init__(self, expected: int, actual: int) -> None:
        super().__init__(f"expected version {expected}, the stream is at {actual}")
        self.expected = expected
        self.actual = actual


def head(db: apsw.Connection) -> int:
    """The seq of the last event; 0 on an empty log."""
    return int(db.execute("SELECT coalesce(max(seq), 0) FROM event").get)


def append(db: apsw.Connection, job_id: str, expected_version: int, events: Sequence[Event]) -> list[Recorded]:
    """Add `events` to the stream `job_id`, which is at `expected_version`, inside the caller's transaction.

    Raises `VersionConflict` if it is not.
    """
    actual = db.execute("SELECT coalesce(max(version), 0) FROM event WHERE job_id = ?", (job_id,)).get
    if actual != expected_version:
        raise VersionConflict(expected_version, actual)
    seq = head(db)
    recorded = [Recorded(seq + n, job_id, expected_version + n, event) for n, event in enumerate(events, 1)]
    db.executemany(
        "INSERT INTO event (seq, job_id, version, data) VALUES (?, ?, ?, ?)",
        [(r.seq, r.job_id, r.version, encode(r.event).decode()) for r in recorded],
    )
    return recorded


def read(db: apsw.Connection, after_seq: int = 0, limit: int = -1) -> Iterator[Recorded]:
    """The events behind position `after_seq`, in log order, at most `limit` (-1: all)."""
    rows = db.execute(
        "SELECT seq, job_id, version, data FROM event WHERE seq > ? ORDER BY seq LIMIT ?", (after_seq, limit)
    )
    for seq, job_id, version, data in rows:
        yield Recorded(seq, job_id, version, decode(data))


def load(db: apsw.Connection, job_id: str, below_version: int = 1 << 62) -> Job | None:
    """The state of a job: the fold of its events with a version under `below_version`.

    A job that is read for hours gathers lease touches. Each says all that those before it said, so of a run of them
    only the last is read.
    """
    rows = db.execute(
        """
        SELECT version, data FROM event AS e
        WHERE job_id = ?1 AND version < ?2
          AND NOT (type = 'job.lease_touched' AND EXISTS (
            SELECT 1 FROM event AS later
            WHERE later.job_id = ?1 AND later.version = e.version + 1 AND later.version < ?2
              AND later.type = 'job.lease_touched'))
        ORDER BY version
        """,
        (job_id, below_version),
    )
    job: Job | None = None
    for version, data in rows:
        job = msgspec.structs.replace(evolve(job, decode(data)), version=version)
    return job
