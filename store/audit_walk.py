"""Walking the log of a database file, from its first event to its last: read-only, in short reads, on all processors.

Nothing here writes, and no read lasts longer than one stretch of events, so that a service that runs meanwhile can
keep its WAL short. A long log is walked by several processes, each over stretches of its own.
"""

import gc
import multiprocessing
import os
import re
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from functools import lru_cache
from multiprocessing import resource_tracker
from pathlib import Path
from typing import Any, Final, cast

import apsw
import msgspec

from ..events.merkle import CompactRange, leaf_hash
from .archive import SegmentMissing, read_segment, segment_folder, segments
from .audit_bulk import sound
from .audit_fold import Finding, Fold, Row, Stretch, examine
from .database import StoreError, open_reader
from .log import LogDamaged, archived, head, read_tree
from .schema import DATA, TABLES

STRETCH_EVENTS: Final = 1 << 15  # a power of two: the tree over an aligned stretch is a subtree of the log's
SHORTEST_EVENTS: Final = 1 << 11  # of a stretch that is shared
PAGE_EVENTS: Final = 1 << 10  # that are read at once: few enough to stay in a processor's cache
CACHE_KIB: Final = 256  # of SQLite's: a log is read once, front to back, and more of it would fill the processor's
REMEMBERED_KEYS: Final = 1 << 12
PARALLEL_FROM: Final = 6  # stretches; fewer are done before other processes have started
MAX_WORKERS: Final = 8
STRETCHES_AHEAD: Final = 4  # for each worker, begun or judged: enough to do while other processes start
HELD_BY_WORKER: Final = 2  # stretches: the one that it reads, and the next, so that it need not wait for us

_TABLE_NAMES: Final = re.findall(r"^CREATE TABLE (\w+)", TABLES, re.MULTILINE)

Progress = Callable[[int, int], None]  # events done, events in all


class WorkerLost(StoreError):
    """A process that shared the work was ended by something else: nothing is known of what it had."""


class LogFile:
    """A database file, open for an audit."""

    def __init__(self, db: apsw.Connection, path: Path, segments: Path, *, immutable: bool) -> None:
        """Raises `LogDamaged` if it lacks a table."""
        there = {name for (name,) in db.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}
        lacking = next((name for name in _TABLE_NAMES if name not in there), None)
        if lacking:
            raise LogDamaged(f"{path} has no table {lacking!r}: it was dropped; restore the file from a copy")
        self.db = db
        self.path = path
        self.segments = segments
        self.immutable = immutable


@contextmanager
def open_log_file(path: str | Path, *, segments: Path | None = None) -> Iterator[LogFile]:
    """The database at `path` for the length of the block; `segments` is the folder of its archived ones.

    A file without a WAL is taken for one that nobody writes to, and nothing is left beside it. Raises a `StoreError`
    if it cannot be opened, and at the end if it was written to after all, and `LogDamaged` if it lacks a table.
    """
    path = Path(os.path.realpath(path))
    if not path.exists():
        raise StoreError(f"{path} is not there; name the database with --store")
    wal = path.with_name(path.name + "-wal")
    immutable = not wal.exists()
    before = path.stat()
    db = _open(str(path), immutable)
    try:
        yield LogFile(db, path, segments or segment_folder(path), immutable=immutable)
    finally:
        db.close()
    after = path.stat()
    if immutable and (wal.exists() or (before.st_mtime_ns, before.st_size) != (after.st_mtime_ns, after.st_size)):
        raise StoreError(f"{path} was opened by a gofer while it was read; run the command again")


def _open(path: str, immutable: bool) -> apsw.Connection:
    db = open_reader(path, immutable=immutable)
    db.pragma("cache_size", -CACHE_KIB)
    return db


def walk(
    log: LogFile,
    fold: Fold,
    upto: int,
    *,
    hashed: bool,
    sizes: Iterable[int] = (),
    workers: int | None = None,
    progress: Progress | None = None,
) -> None:
    """Bring `fold` up to the event `upto`; `hashed` checks each event's bytes and extends the tree.

    The fold's `cuts` then has the tree at each of `sizes` on the way. What is wrong with the events is in its
    `findings`. `workers` processes share a long way (None: one a processor). Raises `WorkerLost` if one is killed.
    """
    wanted = sorted(size for size in set(sizes) if fold.position < size <= upto)
    _walk_segments(log, fold, upto, hashed, wanted)
    if workers is None:
        workers = min(os.cpu_count() or 1, MAX_WORKERS)
    plan = list(stretches(log.db, fold.position, upto, 1))
    if workers > 1 and len(plan) < PARALLEL_FROM:
        workers = 1
    elif workers > 1:
        plan = list(stretches(log.db, fold.position, upto, workers))
    with _uncollected():
        for stretch, absolute in _examined(log, fold, plan, hashed, wanted, workers):
            fold.absorb(stretch, absolute=absolute)
            if progress:
                progress(fold.position, upto)


def first_missing(db: apsw.Connection, after: int = 0) -> int | None:
    """The first seq behind `after` that an event should have and none has; None if none is missing.

    Archived events are not. What the tree has and the table ends before is.
    """
    after = max(after, archived(db).size)
    upto = max(head(db), read_tree(db).size)
    if upto <= after:
        return None
    # Counted in the index, by `+`: it is far smaller than the events.
    if db.execute("SELECT count(*) FROM event WHERE +seq > ?", (after,)).get >= upto - after:
        return None
    if not db.execute("SELECT count(*) FROM event WHERE seq = ?", (after + 1,)).get:
        return after + 1
    last = db.execute(
        "SELECT seq FROM event AS this WHERE seq > ?"
        " AND NOT EXISTS (SELECT 1 FROM event WHERE seq = this.seq + 1) ORDER BY seq LIMIT 1",
        (after,),
    ).get
    return int(last) + 1


def check_none_missing(db: apsw.Connection, after: int) -> None:
    """Raises `LogDamaged` if `first_missing` tells of one."""
    gap = first_missing(db, after)
    if gap is not None:
        raise LogDamaged(f"event {gap} is missing; see `gofer audit verify`")


def leaf_hashes(log: LogFile, size: int) -> list[bytes]:
    """The leaf hashes of the first `size` events, each hashed anew. Raises a `StoreError` for a lost segment."""
    hashes: list[bytes] = []
    for segment in segments(log.db):
        hashes += [leaf_hash(data) for _, data in read_segment(log.segments, segment, len(hashes) + 1)]
    rows = log.db.execute(
        f"SELECT {DATA} FROM event WHERE seq > ? ORDER BY seq LIMIT ?",  # noqa: S608 - a constant
        (len(hashes), max(0, size - len(hashes))),
    )
    hashes += [leaf_hash(data) for (data,) in cast("Iterable[tuple[bytes]]", rows)]
    return hashes[:size]


def catch_up(log: LogFile, fold: Fold, *, hashed: bool, sizes: Iterable[int] = ()) -> None:
    """Bring `fold` to the head, within the snapshot that is open on the log's connection."""
    walk(log, fold, head(log.db), hashed=hashed, sizes=sizes, workers=1)


def stretches(db: apsw.Connection, position: int, upto: int, workers: int) -> Iterator[tuple[int, int]]:
    """Where each stretch begins and ends. Where events are missing, it may end early; then comes the gap, as one.

    So there are as many as the rows ask for, wherever these stand, and each goes on where the one before ended,
    whatever a damaged table answers. What comes behind a gap is on no tree, and may begin anywhere.
    """
    while position < upto:
        following = db.execute("SELECT min(seq) FROM event WHERE seq > ?", (position,)).get
        if following == position + 1:
            end = stretch_end(position, upto, workers)
            found = db.execute("SELECT max(seq) FROM event WHERE seq <= ?", (end,)).get
        else:
            end = upto
            found = None if following is None else following - 1
        if found is not None and position < found < end:  # in a damaged tree a search may come out anywhere
            end = found
        yield position, end
        position = end


def stretch_end(position: int, upto: int, workers: int) -> int:
    """Where a stretch ends in which no event is missing.

    All but the first begin at a multiple of their length, a power of two. Those that are shared get shorter towards
    the end, so that the workers are done at nearly the same time.
    """
    length = STRETCH_EVENTS
    if workers > 1:
        share = max((upto - position) // (4 * workers), SHORTEST_EVENTS)
        length = min(length, 1 << (share.bit_length() - 1))
    return min((position // length + 1) * length, upto)


def _examined(
    log: LogFile, fold: Fold, plan: list[tuple[int, int]], hashed: bool, wanted: list[int], workers: int
) -> Iterator[tuple[Stretch, bool]]:
    """Each stretch of the plan in order, and whether it was hashed onto the fold's own tree."""
    if plan and (workers == 1 or plan[0][0] % STRETCH_EVENTS):
        # What begins within a subtree is hashed onto the tree so far, and cannot be done apart from it.
        alone, plan = (plan, []) if workers == 1 else (plan[:1], plan[1:])
        for after, upto in alone:
            tree = (fold.tree or CompactRange()) if hashed else None
            yield _read(log.db, after, upto, tree, _between(wanted, after, upto)), fold.tree is not None
    if plan:
        yield from ((stretch, False) for stretch in _shared(log, plan, hashed, wanted, workers))


def _shared(
    log: LogFile, plan: list[tuple[int, int]], hashed: bool, wanted: list[int], workers: int
) -> Iterator[Stretch]:
    """Each stretch of the plan in order, judged apart, by this process and `workers - 1` others.

    Where it would have to wait for another one, this process takes the next stretch that none has.
    None is taken back: an executor that loses a process may forget to fail its tasks if one of them was cancelled.
    """
    spawn = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(workers - 1, mp_context=spawn, initializer=_begin)
    rest, begun = deque(plan), deque[Stretch | Future[bytes]]()
    try:
        while rest or begun:
            busy = sum(isinstance(each, Future) and not each.done() for each in begun)
            while rest and busy < HELD_BY_WORKER * (workers - 1):
                after, upto = rest.popleft()
                task = (str(log.path), log.immutable, after, upto, hashed, _between(wanted, after, upto))
                with _interrupts_held():
                    begun.append(pool.submit(_read_apart, *task))
                busy += 1
            first = begun[0]
            if isinstance(first, Stretch):
                begun.popleft()
                yield first
            elif first.done() or not rest or len(begun) >= STRETCHES_AHEAD * workers:
                begun.popleft()
                yield _STRETCH.decode(first.result())
            else:
                after, upto = rest.popleft()
                tree = CompactRange() if hashed else None
                begun.append(_read(log.db, after, upto, tree, _between(wanted, after, upto)))
    except BrokenProcessPool:
        raise WorkerLost(
            f"a process that read {log.path} with this one was killed, perhaps for want of memory;"
            " run the command again"
        ) from None
    finally:
        pool.shutdown(cancel_futures=True)


@contextmanager
def _uncollected() -> Iterator[None]:
    """For the length of the block nothing looks for cycles: events and jobs are many, and in none."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


@contextmanager
def _interrupts_held() -> Iterator[None]:
    """A process that is started in the block is born with SIGINT blocked: a terminal sends it to every process, and
    what becomes of the others is for this one to say. One that ignores it once it runs has shown a traceback by then.
    """
    resource_tracker.ensure_running()  # or it would be started within, which unblocks the signal
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _begin() -> None:
    """Prepare a process that reads stretches, and ends with the one that asked."""
    gc.disable()
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """A process that is killed says no word to those that it started, which would wait for the next task for ever."""
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)


def _read(db: apsw.Connection, after: int, upto: int, tree: CompactRange | None, sizes: list[int]) -> Stretch:
    """Judge the rows behind `after` up to `upto`: in bulk, and event by event if that may find something."""
    key_of = key_reader(db)
    starts = range(after, upto, PAGE_EVENTS)  # a page without rows ends the attempt
    pages = (_rows(db, at, min(at + PAGE_EVENTS, upto), _WIDE if tree is not None else _NARROW) for at in starts)
    try:
        judged = sound(pages, key_of, after=after, upto=upto, tree=tree, sizes=sizes)
    except (UnicodeDecodeError, TypeError):  # a job id that is no text, an event that has no bytes
        judged = None
    return judged or examine(
        _readable(_rows(db, after, upto, _RAW)), key_of, after=after, upto=upto, tree=tree, sizes=sizes
    )


# What stands beside an event's bytes: all of it, nothing, or all of it whatever a damaged page holds.
_WIDE: Final = "job_id, version, CAST(data AS BLOB), leaf"
_NARROW: Final = "NULL, NULL, CAST(data AS BLOB), NULL"
_RAW: Final = f"coalesce(CAST(job_id AS BLOB), x''), version, {DATA}, coalesce(leaf, x'')"


def _rows(db: apsw.Connection, after: int, upto: int, columns: str) -> list[Row]:
    """The rows behind `after` up to `upto`; of `_RAW` ones the job id is bytes."""
    return cast(
        "list[Row]",
        db.execute(
            f"SELECT seq, {columns} FROM event WHERE seq > ? AND seq <= ? ORDER BY seq",  # noqa: S608 - constants
            (after, upto),
        ).fetchall(),
    )


def _readable(rows: Iterable[Any]) -> Iterator[Row]:
    """Raw rows with their job ids as text, in which what is none is escaped, and so is no job's id."""
    for seq, job_id, version, data, leaf in rows:
        yield seq, job_id.decode(errors="backslashreplace"), version, data, leaf


def _read_apart(path: str, immutable: bool, after: int, upto: int, hashed: bool, sizes: list[int]) -> bytes:
    """`_read` in a process of its own: the encoded stretch, hashed alone."""
    db = _open(path, immutable)
    try:
        return msgspec.msgpack.encode(_read(db, after, upto, CompactRange() if hashed else None, sizes))
    finally:
        db.close()


_STRETCH: Final = msgspec.msgpack.Decoder(Stretch)


def key_reader(db: apsw.Connection) -> Callable[[str], bytes | None]:
    """A look-up of jobs' keys that remembers the last ones: a job's events tend to come together."""

    @lru_cache(maxsize=REMEMBERED_KEYS)
    def key_of(job_id: str) -> bytes | None:
        key: bytes | None = db.execute("SELECT key FROM job_key WHERE job_id = ?", (job_id,)).get
        return key

    return key_of


def _walk_segments(log: LogFile, fold: Fold, upto: int, hashed: bool, wanted: list[int]) -> None:
    """Take in the archived events. A segment that is not at hand is passed over, by the tree that is kept for it."""
    if fold.position >= archived(log.db).size:
        return
    for segment in segments(log.db):
        first = fold.position + 1
        if first > min(segment.upto, upto):
            continue
        rows = ((seq, None, None, data, None) for seq, data in read_segment(log.segments, segment, first))
        end = min(segment.upto, upto)
        kept = (row for row in rows if row[0] <= end)
        try:
            stretch = examine(
                kept,
                key_reader(log.db),
                after=fold.position,
                upto=end,
                tree=fold.tree if hashed else None,
                sizes=_between(wanted, fold.position, end),
            )
        except (SegmentMissing, LogDamaged) as error:
            fold.findings.append(Finding("segment", first, str(error)))
            fold.beginnings_unknown = True
            fold.tree, fold.position = segment.tree, segment.upto
            continue
        fold.absorb(stretch, absolute=True)
        if hashed and end == segment.upto and fold.tree is not None and fold.tree != segment.tree:
            fold.findings.append(Finding("segment", first, f"{segment.file} does not lead to the tree kept for it"))


def _between(sizes: list[int], after: int, upto: int) -> list[int]:
    return [size for size in sizes if after < size <= upto]
