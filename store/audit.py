"""Whether the record is whole: the log held against its leaves, its tree, its signed checkpoints and its tables."""

from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Final

import apsw
import msgspec

from ..events.merkle import CompactRange
from .archive import segments
from .audit_fold import Finding, Fold
from .audit_roots import Root, judge_roots, kept_roots
from .audit_tables import compare
from .audit_tiles import NOTHING, Evidence, judge_tiles
from .audit_walk import LogFile, Progress, catch_up, walk
from .database import MEMORY, open_writer
from .log import LogDamaged, head
from .notary import checkpoint_files, read_note
from .note import Checkpoint, NoteError, PublicKey

MAX_FINDINGS: Final = 1_000  # that are told; a log that is broken all over need not be told event by event


class Signed(msgspec.Struct, frozen=True):
    """A signed checkpoint and the name of the file that it was read from."""

    source: str
    checkpoint: Checkpoint


class Report(msgspec.Struct, frozen=True):
    """What `verify` looked at, and what it found: `MAX_FINDINGS` of it, the log's first, in order of seq."""

    size: int  # events, archived ones with them
    archived: int  # of these
    root: str | None  # in hex; None if events are missing
    jobs: int
    checkpoints: int  # signed ones that the log was held against
    opened: int  # private parts that were opened with their keys
    bodies: int | None  # results that were hashed; None if the log alone was judged
    findings: tuple[Finding, ...]

    @property
    def whole(self) -> bool:
        """Nothing is amiss."""
        return not self.findings


def read_checkpoints(folder: Path, key: PublicKey) -> tuple[list[Signed], list[Finding]]:
    """The checkpoints in `folder` that `key` signed, and those that it did not.

    Raises `NoteError` if there are some, and `key` signed none of them: then it is the wrong key. Raises `OSError` if
    the folder cannot be read, and `PermissionError` for a checkpoint that the user may not read.
    """
    signed, findings = [], []
    for path in checkpoint_files(folder):
        try:
            signed.append(Signed(path.name, read_note(path, key)))
        except PermissionError:
            raise
        except (NoteError, OSError) as error:
            findings.append(Finding("checkpoint", 0, f"{path.name} is no checkpoint of this log: {error}"))
    if findings and not signed:
        raise NoteError(
            f"none of the {len(findings)} checkpoints in {folder} is signed by {key.name} ({findings[0].text});"
            " if another key signed them, name it with --public-key"
        )
    return signed, findings


def signed_roots(signed: Iterable[Signed]) -> list[Root]:
    """What each of `signed` says."""
    return [Root("checkpoint", each.source, each.checkpoint.size, each.checkpoint.root) for each in signed]


def tiles_of(folder: Path, signed: Iterable[Signed]) -> Evidence | None:
    """The tiles of the largest of `signed`, in the folder in which these lie too; None if there is none of these."""
    sizes = [each.checkpoint.size for each in signed]
    return Evidence(folder, max(sizes)) if sizes else None


def verify(
    log: LogFile,
    signed: Iterable[Signed] = (),
    tiles: Evidence | None = None,
    *,
    log_alone: bool = False,
    workers: int | None = None,
    progress: Progress | None = None,
) -> Report:
    """Judge the whole file: every event, the tree, the `signed` checkpoints, the tables, and the results.

    With `tiles`, of one of these checkpoints, each event is named that is not as it was signed; without, the range
    in which it is. `log_alone` leaves out the results, and whether what is private can be opened: an imported log has
    neither. A service may go on writing; what it adds is judged too. Read `signed` before the call, not later: one
    that is signed meanwhile is ahead of the events. Raises a `StoreError` if the file cannot be read at all.
    """
    db = log.db
    fold = Fold(CompactRange())
    roots = signed_roots(signed)
    checkpoints, by_size = len(roots), {root.size: root.root for root in roots}
    with db:
        start = head(db)
        archived = max((segment.upto for segment in segments(db)), default=0)
        sizes = {root.size for root in (*roots, *kept_roots(db, []))}
    walk(log, fold, start, hashed=True, sizes=sizes, workers=workers, progress=progress)
    with db:
        catch_up(log, fold, hashed=True, sizes=sizes)
        vouched = judge_tiles(log, fold, tiles, by_size) if tiles else NOTHING
        judge_roots(log, fold, [*roots, *kept_roots(db, fold.findings)], vouched)
        fold.findings += _out_of_place(db, archived)
        fold.findings += _judge_schema(db)
    try:
        for drift in compare(log, fold, hashed=True, bodies=not log_alone):
            fold.findings.append(Finding("body" if drift.body else "projection", drift.seq, str(drift), drift.job_id))
    except LogDamaged as error:  # after all drifts
        fold.findings.append(Finding("projection", 0, str(error)))
    live = list(fold.live())
    if not log_alone:
        fold.findings += [
            Finding("seal", fold.unopened[job.id], f"the key of job {job.id} is missing", job.id)
            for job in live
            if job.id in fold.unopened
        ]
    return Report(
        size=fold.position,
        archived=archived,
        root=fold.tree.root.hex() if fold.tree else None,
        jobs=len(fold.jobs),
        checkpoints=checkpoints,
        opened=fold.opened,
        bodies=None if log_alone else sum(t.sha256 is not None for job in live for t in job.targets),
        findings=tuple(sorted(fold.findings, key=_weight)[:MAX_FINDINGS]),
    )


def _weight(finding: Finding) -> tuple[bool, bool, int]:
    """What is wrong with the log comes before what is wrong with its tables: that often follows from it."""
    return finding.kind in ("projection", "body"), finding.seq == 0, finding.seq


def _out_of_place(db: apsw.Connection, archived: int) -> Iterator[Finding]:
    """The rows that stand where the log has none."""
    for (seq,) in db.execute("SELECT seq FROM event WHERE seq <= ? ORDER BY seq LIMIT ?", (archived, MAX_FINDINGS)):
        if seq < 1:
            yield Finding("columns", seq, f"the row with seq {seq} stands before the first event")
        else:
            yield Finding("segment", seq, "it stands in the table, where all up to it was archived")


def _judge_schema(db: apsw.Connection) -> Iterator[Finding]:
    """Whether the tables and triggers are those that keep a log append-only, and no trigger is beside them."""
    with closing(open_writer(MEMORY)) as pristine:
        should = {name: sql for name, _, sql in _schema(pristine)}
    tables = set(should)
    has = {name: sql for name, table, sql in _schema(db) if name in should or table in tables}
    for name in sorted(should.keys() | has.keys()):
        if name not in has:
            yield Finding("schema", 0, f"{name} is missing from the database")
        elif name not in should:
            yield Finding("schema", 0, f"{name} is a trigger or index that is none of gofer's")
        elif has[name] != should[name]:
            yield Finding("schema", 0, f"{name} is not as gofer makes it")


def _schema(db: apsw.Connection) -> Iterator[tuple[str, str, str]]:
    yield from db.execute("SELECT name, tbl_name, sql FROM sqlite_schema WHERE sql IS NOT NULL")
