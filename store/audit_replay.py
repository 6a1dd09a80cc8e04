"""The state as it was: the log folded up to a position or a time. Reads only."""

from ..events.recorded import decode
from .archive import read_segment, segments
from .audit_fold import Fold
from .audit_walk import LogFile, Progress, check_none_missing, walk
from .database import StoreError
from .log import LogDamaged, archived, head


def replay(log: LogFile, upto: int, *, workers: int | None = None, progress: Progress | None = None) -> Fold:
    """The fold of the first `upto` events, from the log alone.

    Raises `StoreError` for a position that the log has not, and `LogDamaged` if an event cannot be followed, or the
    log was cut off at `upto`.
    """
    with log.db:
        end = head(log.db)
        if not 0 <= upto <= end:
            raise StoreError(f"the log has events 1 to {end}, not {upto}")
        if upto == end:
            check_none_missing(log.db, end)
    fold = Fold(None)
    walk(log, fold, upto, hashed=False, workers=workers, progress=progress)
    return followed(fold)


def present(log: LogFile, *, workers: int | None = None, progress: Progress | None = None) -> Fold:
    """The fold of the whole log as far as jobs that are still there go: what was archived is not read.

    Raises `LogDamaged` if an event cannot be followed.
    """
    fold = behind_archive(log, hashed=False)
    walk(log, fold, head(log.db), hashed=False, workers=workers, progress=progress)
    return followed(fold)


def behind_archive(log: LogFile, *, hashed: bool) -> Fold:
    """A fold that begins where the archived events end; `hashed`, with the tree over them."""
    tree = archived(log.db)
    fold = Fold(tree if hashed else None, beginnings_unknown=True)
    fold.position = tree.size
    return fold


def followed(fold: Fold) -> Fold:
    """The fold itself. Raises `LogDamaged` if something was found in it."""
    if fold.findings:
        first = min(fold.findings, key=lambda finding: finding.seq)
        raise LogDamaged(f"{first}; see `gofer audit verify`")
    return fold


def position_at(log: LogFile, at_ms: int) -> int:
    """The position at a time (unix ms): that of the last event before the first one later than that."""
    first = 1
    for segment in segments(log.db):
        for seq, data in read_segment(log.segments, segment, first):
            if decode(data).event.at_ms > at_ms:
                return seq - 1
        first = segment.upto + 1
    later = log.db.execute("SELECT min(seq) FROM event WHERE seq > 0 AND data ->> '$.event.at_ms' > ?", (at_ms,)).get
    return head(log.db) if later is None else int(later) - 1
