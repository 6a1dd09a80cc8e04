"""Moving the oldest events of a log to a segment file, in one transaction."""

from collections.abc import Iterable, Sequence
from contextlib import closing
from pathlib import Path

import apsw

from ..events.merkle import CompactRange, leaf_hash
from .archive import Segment, read_segment, write_segment
from .audit import Signed, verify
from .audit_walk import LogFile, Progress
from .database import WriterLock, open_writer
from .log import LogDamaged, archived, leaves
from .wal import Wal

GUARD = "event_is_never_deleted"


def archive(
    path: Path, folder: Path, before_ms: int, signed: Iterable[Signed] = (), *, progress: Progress | None = None
) -> Segment | None:
    """Move the events from before `before_ms` (unix ms) whose jobs are all removed to a segment in `folder`.

    It is a prefix of the log: it ends before the first event of a job that is still there. None if there is nothing
    to move. The log is verified first, and the segment read back, before its rows are deleted. Raises `LogDamaged`
    if something is found, `StoreInUse` while a gofer runs, and `StoreError` if the file cannot be written.
    """
    lock = WriterLock(path)
    try:
        with closing(open_writer(str(path))) as db:
            log = LogFile(db, path, folder, immutable=False)
            signed = list(signed)
            report = verify(log, signed, progress=progress)
            if report.findings:
                raise LogDamaged(f"nothing was archived: {report.findings[0]}; see `gofer audit verify`")
            segment = _write(db, folder, before_ms)
            mark = _mark(db, segment, signed) if segment else None
            if segment is not None:
                wal = Wal(db)
                with db:
                    _cut(db, segment, mark)
                wal.scrub()
                wal.settle()
        return segment
    finally:
        lock.release()


def _write(db: apsw.Connection, folder: Path, before_ms: int) -> Segment | None:
    """Write the segment and read it back; the database is not changed."""
    base = archived(db)
    kept = db.execute(
        """
        SELECT min(seq) FROM (
            SELECT min(seq) AS seq FROM event WHERE version = 1 AND job_id IN (SELECT id FROM batch_job)
            UNION ALL SELECT min(seq) FROM event WHERE data ->> '$.event.at_ms' >= ?
            UNION ALL SELECT 1 + max(seq) FROM event)
        """,
        (before_ms,),
    ).get
    upto = (kept or 1) - 1
    if upto <= base.size:
        return None
    count = upto - base.size
    tree = base.extended(leaf_hash(data) for *_, data, _ in leaves(db, base.size, count))
    segment = write_segment(folder, base.size + 1, tree, (data for *_, data, _ in leaves(db, base.size, count)))
    again = base.extended(leaf_hash(data) for _, data in read_segment(folder, segment, base.size + 1))
    if again != tree:
        raise LogDamaged(f"{folder / segment.file} does not read back as it was written; nothing was deleted")
    return segment


def _mark(db: apsw.Connection, segment: Segment, signed: Sequence[Signed]) -> CompactRange | None:
    """The tree at the newest signed checkpoint, if that lies within the segment.

    A start holds the log against it, and could not hash what is archived.
    """
    base = archived(db)
    newest = max((each.checkpoint.size for each in signed), default=0)
    if not base.size < newest <= segment.upto:
        return None
    return base.extended(leaf_hash(data) for *_, data, _ in leaves(db, base.size, newest - base.size))


def _cut(db: apsw.Connection, segment: Segment, mark: CompactRange | None) -> None:
    """Delete the segment's rows, in the caller's transaction: the one time that the log's guard stands aside."""
    guard = db.execute("SELECT sql FROM sqlite_schema WHERE type = 'trigger' AND name = ?", (GUARD,)).get
    db.execute(
        "INSERT INTO segment VALUES (?, ?, ?, ?)",
        (segment.upto, segment.tree.to_bytes(), segment.file, segment.sha256),
    )
    if mark is not None:
        db.execute("INSERT INTO checkpoint VALUES (?, ?) ON CONFLICT DO NOTHING", (mark.size, mark.to_bytes()))
    db.execute(f"DROP TRIGGER {GUARD}")
    db.execute("DELETE FROM event WHERE seq <= ?", (segment.upto,))
    db.execute(guard)
