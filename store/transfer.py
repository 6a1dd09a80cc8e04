"""Logs on their way out of a database file and into another: exports, imports, online copies."""

import os
import stat
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import apsw
import msgspec

from ..events.merkle import CompactRange, leaf_hash
from ..events.recorded import Stored, decode, encode
from .archive import read_segment, segments
from .audit_fold import Fold
from .audit_job import job_history
from .audit_rebuild import replace
from .audit_replay import followed
from .audit_walk import LogFile, Progress, check_none_missing, key_reader, walk
from .database import StoreError, WriterLock, files_of, open_reader, open_writer
from .log import LogDamaged, head, opened, read_tree
from .schema import DATA

FORMAT: Final = "gofer export 1"
PAGE_EVENTS: Final = 5_000  # in one read
PAGE_PAGES: Final = 1_000  # of a database, in one step of a copy

Write = Callable[[bytes], object]


class Header(msgspec.Struct, frozen=True, omit_defaults=True):
    """The first line of an export: which events follow. `root` (hex) is there if they are a whole log."""

    format: str
    first: int
    upto: int
    root: str | None = None
    job_id: str | None = None


class Line(msgspec.Struct, frozen=True, omit_defaults=True):
    """An event in an export: `data` is its canonical bytes; `key` opens what is private in the job that it begins."""

    seq: int
    data: msgspec.Raw
    key: bytes | None = None


_LINE: Final = msgspec.json.Decoder(Line)


def export(
    log: LogFile,
    write: Write,
    *,
    first: int = 1,
    job_id: str | None = None,
    cloudevents: bool = False,
    private: bool = False,
    progress: Progress | None = None,
) -> int:
    """Write events as NDJSON, from seq `first` to the head as it is now, or those of one job; how many.

    `private` gives what opens their private parts: the jobs' keys, or with `cloudevents` (CloudEvents 1.0, one a
    line) the parts themselves. Without it what is private stays sealed. An export from the first event on can be
    imported, and one from behind the head on is empty. Nothing is written if events are missing: raises `LogDamaged`
    for that, `NoSuchJob`, and another `StoreError` for a `first` that the next event is not yet, or a segment that is
    not at hand.
    """
    with log.db:
        upto, tree = head(log.db), read_tree(log.db)
        if first > upto + 1:
            raise StoreError(f"the log ends at event {upto}: nothing can be exported from {first} on")
        if job_id is None:
            check_none_missing(log.db, first - 1)
    whole = first == 1 and job_id is None and tree.size == upto
    events: Iterable[tuple[int, bytes]]
    if job_id is None:
        events = _events(log, first, upto)
    else:  # all at once: it may not be there
        of_job, missing = job_history(log, job_id)
        if missing:
            raise LogDamaged(f"{missing}; see `gofer audit verify`")
        events = [(each.seq, each.data) for each in of_job if first <= each.seq <= upto]
    if not cloudevents:
        write(_line(Header(FORMAT, first, upto, tree.root.hex() if whole else None, job_id)))
    key_of = key_reader(log.db)
    count = 0
    for count, (seq, data) in enumerate(events, 1):
        if cloudevents:
            stored = decode(data)
            write(_line(_cloudevent(seq, stored, key_of(stored.job_id) if private else None)))
        else:
            key = None
            if private and (stored := decode(data)).version == 1:
                key = key_of(stored.job_id)
            write(_line(Line(seq, msgspec.Raw(data), key)))
        if progress and count % PAGE_EVENTS == 0:
            progress(seq, upto)
    return count


def _events(log: LogFile, first: int, upto: int) -> Iterator[tuple[int, bytes]]:
    """Seq and canonical bytes, archived ones too, in reads of a page each."""
    at = 1
    for segment in segments(log.db):
        if first <= segment.upto:
            yield from (row for row in read_segment(log.segments, segment, at) if first <= row[0] <= upto)
        at = segment.upto + 1
    after = max(at, first) - 1
    query = f"SELECT seq, {DATA} FROM event WHERE seq > ? AND seq <= ? ORDER BY seq LIMIT ?"  # noqa: S608 - a constant
    while rows := log.db.execute(query, (after, upto, PAGE_EVENTS)).fetchall():
        for seq, data in rows:
            assert isinstance(seq, int)
            assert isinstance(data, bytes)
            yield seq, data
            after = seq


def _line(value: object) -> bytes:
    return msgspec.json.encode(value) + b"\n"


def _cloudevent(seq: int, stored: Stored, key: bytes | None) -> dict[str, Any]:
    """The event by CloudEvents 1.0, with its seq by the Sequence extension; without its time if that has no date."""
    event = opened(stored, key)
    data = msgspec.to_builtins(msgspec.json.decode(msgspec.json.encode(event)))
    try:
        time = {"time": datetime.fromtimestamp(event.at_ms / 1000, UTC).isoformat(timespec="milliseconds")}
    except (ValueError, OverflowError):
        time = {}
    return {
        "specversion": "1.0",
        "id": f"{stored.job_id}/{stored.version}",
        "source": "urn:gofer:log",
        "type": f"gofer.{data.pop('type')}",
        "subject": stored.job_id,
        **time,
        "datacontenttype": "application/json",
        "sequence": f"{seq:020d}",
        "data": data,
    }


def import_log(lines: Iterable[bytes], path: Path, *, progress: Progress | None = None) -> CompactRange:
    """Make the database `path` (mode 0600), missing or empty before, from the lines of a whole export; its tree.

    The results and, unless they were exported, the keys are not in it. One transaction: what fails leaves nothing
    that was not there. Raises `StoreError` for what is no whole export, `StoreInUse`, and `LogDamaged` for one that
    was changed or cut: with the line at fault, or if the root is not the export's.
    """
    path = Path(os.path.realpath(path))
    *_, lock_file = files_of(path)
    new = [] if lock_file.exists() else [lock_file]
    lock = WriterLock(path)
    new += [each for each in files_of(path) if not each.exists()]  # seen now, when nobody else can make them
    empty = path.stat() if path.exists() and not path.stat().st_size else None
    try:
        if empty:
            path.chmod(0o600)  # as SQLite's files beside it will then be, too
        with closing(open_writer(str(path))) as db:
            if head(db):
                raise StoreError(f"{path} has a log already; import into a file that does not exist")
            log = LogFile(db, path, path.parent, immutable=False)
            with db:
                tree = _insert(db, iter(lines), progress)
                fold = Fold(None)
                walk(log, fold, tree.size, hashed=False, workers=1)
                replace(db, followed(fold))
        return tree
    except BaseException:
        for each in new:
            each.unlink(missing_ok=True)
        if empty:
            os.truncate(path, 0)
            path.chmod(stat.S_IMODE(empty.st_mode))
        raise
    finally:
        lock.release()


def _insert(db: apsw.Connection, lines: Iterator[bytes], progress: Progress | None) -> CompactRange:
    try:
        header = msgspec.json.decode(next(lines, b""), type=Header)
    except msgspec.DecodeError:
        raise StoreError("line 1: not the header of a gofer export; CloudEvents cannot be imported") from None
    if header.format != FORMAT:
        raise StoreError(f"line 1: an export of another kind than {FORMAT}")
    if header.root is None or header.first != 1:
        raise StoreError("a part of a log cannot be imported; export it without --job and --from")
    tree = CompactRange()
    for page in _pages(lines, header.upto, progress):
        db.executemany("INSERT INTO event (seq, job_id, version, data, leaf) VALUES (?, ?, ?, ?, ?)", page.rows)
        db.executemany("INSERT INTO job_key VALUES (?, ?)", page.keys)
        tree = tree.extended(page.leaves)
    if tree.size != header.upto or tree.root.hex() != header.root:
        raise LogDamaged(f"the {tree.size} events do not have the root of the export's {header.upto}")
    db.execute("UPDATE tree SET size = ?, subtrees = ?", (tree.size, tree.to_bytes()))
    return tree


class _Page(msgspec.Struct):
    rows: list[tuple[int, str, int, str, bytes]] = []
    keys: list[tuple[str, bytes]] = []
    leaves: list[bytes] = []


def _pages(lines: Iterator[bytes], upto: int, progress: Progress | None) -> Iterator[_Page]:
    page = _Page()
    for seq, text in enumerate(lines, 1):
        try:
            line = _LINE.decode(text)
            data = bytes(line.data)
            stored = decode(data)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise LogDamaged(f"line {seq + 1}: {error}") from None
        if line.seq != seq or encode(stored) != data:
            raise LogDamaged(f"line {seq + 1}: not event {seq} as it was exported")
        leaf = leaf_hash(data)
        page.rows.append((seq, stored.job_id, stored.version, data.decode(), leaf))
        page.leaves.append(leaf)
        if line.key is not None:
            page.keys.append((stored.job_id, line.key))
        if len(page.rows) == PAGE_EVENTS:
            yield page
            page = _Page()
            if progress:
                progress(seq, upto)
    yield page


def backup(log: LogFile, target: Path, *, progress: Progress | None = None) -> None:
    """Copy the database as it stands to the new file `target` (mode 0600), whole, while a service may go on writing.

    The copy has the keys too, and is as true if the log is broken: that is for `verify` to tell of it. Raises
    `StoreError` if it exists already, cannot be made, or is not integral; then none is left.
    """
    try:
        os.close(os.open(target, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
    except OSError as error:
        raise StoreError(f"{target} cannot be made ({error.strerror}); name a file that does not exist") from None
    try:
        with closing(apsw.Connection(str(target))) as copy:
            with log.db, copy.backup("main", log.db, "main") as steps:  # one snapshot for all of its steps
                log.db.execute("SELECT * FROM sqlite_schema").fetchall()
                while not steps.done:
                    steps.step(PAGE_PAGES)
                    if progress:
                        progress(steps.page_count - steps.remaining, steps.page_count)
            copy.pragma("synchronous", "full")
        found = _integrity(target)
        if found != "ok":
            raise StoreError(f"the copy is damaged, and so may be the original: {found}")
        descriptor = os.open(target, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
    except BaseException as error:
        *files, _ = files_of(target)
        for each in files:
            each.unlink(missing_ok=True)
        if isinstance(error, apsw.FullError):  # of which SQLite says "not an error"
            raise StoreError(f"no room to copy {log.path} to {target}; name a file on another disk") from None
        if isinstance(error, apsw.Error):
            raise StoreError(f"{log.path} cannot be copied to {target} ({error})") from None
        raise


def _integrity(path: Path) -> str:
    """What SQLite finds first in the pages, rows and indexes of a database; "ok" if nothing.

    The check takes the type of each event out of its JSON, and would end at one that is none. To the file that is a
    value as any other.
    """
    with closing(open_reader(str(path), immutable=True)) as db:
        db.create_scalar_function("->>", lambda *_: None, 2, deterministic=True)
        return str(db.pragma("integrity_check"))
