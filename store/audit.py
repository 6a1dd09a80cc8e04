"""Whether the record is whole: the log held against its leaves, its tree, its signed checkpoints and its tables."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Final, Literal

import apsw
import msgspec

from ..events.merkle import EMPTY_ROOT, CompactRange
from .archive import segments
from .audit_fold import Finding, Fold
from .audit_tables import compare
from .audit_walk import LogFile, Progress, catch_up, walk
from .database import MEMORY, open_writer
from .log import LogDamaged, head, read_tree
from .notary import checkpoint_files
from .note import Checkpoint, NoteError, PublicKey

MAX_FINDINGS: Final = 1_000  # that are told; a log that is broken all over need not be told event by event


class Signed(msgspec.Struct, frozen=True):
    """A signed checkpoint and the name of the file that it was read from."""

    source: str
    checkpoint: Checkpoint


class Report(msgspec.Struct, frozen=True):
    """What `verify` looked at, and what it found, in order of seq: `MAX_FINDINGS` of it."""

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


class _Root(msgspec.Struct, frozen=True):
    """What a root should be, by a checkpoint or by a mark in the database."""

    source: str
    size: int
    root: bytes
    kind: Literal["checkpoint", "tree"]


def read_checkpoints(folder: Path, key: PublicKey) -> tuple[list[Signed], list[Finding]]:
    """The checkpoints in `folder` that `key` signed, and those that it did not.

    Raises `NoteError` if there are some, and `key` signed none of them: then it is the wrong key.
    """
    signed, findings = [], []
    for path in checkpoint_files(folder):
        try:
            signed.append(Signed(path.name, key.open(path.read_text())))
        except (NoteError, UnicodeDecodeError, OSError) as error:
            findings.append(Finding("checkpoint", 0, f"{path.name} is no checkpoint of this log: {error}"))
    if findings and not signed:
        raise NoteError(f"none of the {len(findings)} checkpoints in {folder} is signed by {key.name}: another key?")
    return signed, findings


def verify(
    log: LogFile,
    signed: Iterable[Signed] = (),
    *,
    log_alone: bool = False,
    workers: int | None = None,
    progress: Progress | None = None,
) -> Report:
    """Judge the whole file: every event, the tree, the `signed` checkpoints, the tables, and the results.

    `log_alone` leaves out the results, and whether what is private can be opened: an imported log has neither. A
    service may go on writing; what it adds is judged too. Read `signed` before the call, not later: one that is
    signed meanwhile is ahead of the events. Raises a `StoreError` if the file cannot be read at all.
    """
    db = log.db
    fold = Fold(CompactRange())
    roots = [_Root(s.source, s.checkpoint.size, s.checkpoint.root, "checkpoint") for s in signed]
    checkpoints = len(roots)
    with db:
        start = head(db)
        archived = max((segment.upto for segment in segments(db)), default=0)
        roots += _marks(db, fold)
        sizes = {root.size for root in roots} | {_tree(db, fold).size}
    walk(log, fold, start, hashed=True, sizes=sizes, workers=workers, progress=progress)
    with db:
        catch_up(log, fold, hashed=True, sizes=sizes)
        good = _judge_roots(fold, roots)
        _judge_tree(fold, _tree(db, fold), good)
        fold.findings += _archived_twice(db, archived)
        fold.findings += _judge_schema(db)
    for drift in compare(log, fold, hashed=True, bodies=not log_alone):
        fold.findings.append(Finding("body" if drift.body else "projection", drift.seq, str(drift), drift.job_id))
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
        findings=tuple(sorted(dict.fromkeys(fold.findings), key=lambda finding: finding.seq)[:MAX_FINDINGS]),
    )


def _marks(db: apsw.Connection, fold: Fold) -> Iterator[_Root]:
    """The trees that the database itself remembers."""
    for size, subtrees in db.execute("SELECT size, subtrees FROM checkpoint"):
        try:
            yield _Root(f"the mark at {size}", size, CompactRange.from_bytes(size, subtrees).root, "tree")
        except ValueError as error:
            fold.findings.append(Finding("tree", 0, f"the mark at {size} is damaged: {error}"))


def _tree(db: apsw.Connection, fold: Fold) -> CompactRange:
    """The tree as the database has it; an empty one, and a finding, if it is none."""
    try:
        return read_tree(db)
    except (LogDamaged, TypeError) as error:
        fold.findings.append(Finding("tree", 0, f"the row of the tree is damaged: {error}"))
        return CompactRange()


def _judge_roots(fold: Fold, roots: Iterable[_Root]) -> int:
    """Hold the log against what its roots should be; up to which size it is good.

    Of several that contradict it the first of a kind is told: those behind it cannot but contradict it too.
    """
    good, told = 0, set[str]()
    for root in sorted(roots, key=lambda each: (each.size, each.source)):
        ours = fold.cuts.get(root.size)
        if root.size > fold.position:
            text = f"{root.source} has {root.size} events, the log ends at {fold.position}"
            fold.findings.append(Finding(root.kind, fold.position + 1, text))
        elif root.root == (EMPTY_ROOT if root.size == 0 else ours and ours.root):
            good = root.size if not told else good
        elif ours is not None and root.kind not in told:
            told.add(root.kind)
            text = f"the events {good + 1} to {root.size} are not those of {root.source}"
            fold.findings.append(Finding(root.kind, _first(fold.findings, good + 1, root.size), text))
    return good


def _judge_tree(fold: Fold, tree: CompactRange, good: int) -> None:
    """Hold the log against the tree that grew with it."""
    if tree.size > fold.position:
        text = f"the tree has {tree.size} events, the log ends at {fold.position}: it and all behind it are missing"
        fold.findings.append(Finding("missing", fold.position + 1, text))
        return
    if tree.size < fold.position:
        text = f"it and all up to {fold.position} are not in the tree: they were added past the log's writer"
        fold.findings.append(Finding("tree", tree.size + 1, text))
    ours = fold.tree if tree.size == fold.position else fold.cuts.get(tree.size)
    if ours is not None and ours != tree:
        first, last = _differing(ours, tree)
        first = max(first, good + 1)
        text = f"the events {first} to {last} are not those of the tree"
        fold.findings.append(Finding("tree", _first(fold.findings, first, last), text))


def _differing(ours: CompactRange, theirs: CompactRange) -> tuple[int, int]:
    """The first and last event of the first subtree in which two trees of one size differ."""
    at, rest = 0, ours.size
    for our, their in zip(ours.subtrees, theirs.subtrees, strict=True):
        size = 1 << (rest.bit_length() - 1)
        if our != their:
            return at + 1, at + size
        at, rest = at + size, rest - size
    raise AssertionError("they are one")


def _first(findings: Sequence[Finding], first: int, last: int) -> int:
    """The first event within the range that is known to be amiss; else the first of the range."""
    return min((f.seq for f in findings if first <= f.seq <= last), default=first)


def _archived_twice(db: apsw.Connection, archived: int) -> Iterator[Finding]:
    for (seq,) in db.execute("SELECT seq FROM event WHERE seq <= ? ORDER BY seq LIMIT ?", (archived, MAX_FINDINGS)):
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
