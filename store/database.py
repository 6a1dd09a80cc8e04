"""Opening a gofer database file: which SQLite, whose file, which schema, and that nobody else writes to it."""

import fcntl
import os
import struct
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Final

import apsw

from .schema import APPLICATION_ID, SCHEMA_VERSION, TABLES

MEMORY: Final = ":memory:"
BUSY_TIMEOUT_MS: Final = 5_000

# SQLite before 3.51.3 can corrupt a WAL database when a reset of the log races with a writer (sqlite.org/wal.html).
OLDEST_SQLITE: Final = (3, 51, 3)

_SAVEPOINT: Final = ("SAVEPOINT part", "RELEASE part", "ROLLBACK TO part; RELEASE part")
_TRANSACTION: Final = {mode: (f"BEGIN {mode}", "COMMIT", "ROLLBACK") for mode in ("DEFERRED", "IMMEDIATE")}


class StoreError(Exception):
    """The database cannot be used as it is; the message says why and what to do."""


class SqliteUnfit(StoreError):
    """The SQLite library is one that can corrupt a database."""


class NotAStore(StoreError):
    """The file is no gofer database."""


class SchemaTooNew(StoreError):
    """The file was written by a later gofer."""


class StoreInUse(StoreError):
    """Another process has the file open for writing."""


class StoreGone(StoreError):
    """The file that is written to lies at its path no longer: a later start would not find what it holds."""


class StoreFailed(StoreError):
    """The machine failed the database: its disk, the file system, or the file itself.

    `kind` is SQLite's name for it, which names no file, e.g. "FullError".
    """

    def __init__(self, path: str, error: apsw.Error) -> None:
        super().__init__(path, error)  # as they are: it may come from another process
        self.kind = type(error).__name__

    def __str__(self) -> str:
        path, error = self.args
        return f"{path} failed ({error}); {_WHAT_TO_DO.get(type(error), _SEE_TO_IT)}"


_SEE_TO_IT: Final = "see to its disk, then start again"
_RESTORE: Final = "it is damaged: restore it from a copy"
_WHAT_TO_DO: Final = {
    apsw.BusyError: "end the other program that has locked it, then start again",
    apsw.CantOpenError: "check that its folder exists and that you may write there, then start again",
    apsw.CorruptError: _RESTORE,
    apsw.FullError: "make room on its disk, then start again",
    apsw.IOError: _SEE_TO_IT,
    apsw.NotADBError: _RESTORE,
    apsw.ReadOnlyError: "see that you may write there, then start again",
}


def check_sqlite(version: str = apsw.sqlite_lib_version()) -> None:
    """Raise `SqliteUnfit` unless `version` (e.g. "3.54.1") is free of the WAL-reset fault."""
    if tuple(int(part) for part in version.split(".")) < OLDEST_SQLITE:
        oldest = ".".join(map(str, OLDEST_SQLITE))
        raise SqliteUnfit(f"SQLite {version} can corrupt a database; install an apsw that bundles {oldest} or later")


_LOCK: Final = ".lock"


def files_of(path: Path) -> list[Path]:
    """The database file `path`, and all that may lie beside it while it is written: of these the lock last."""
    return [path, *(_beside(path, suffix) for suffix in ("-journal", "-wal", "-shm", _LOCK))]


def _beside(path: Path, suffix: str) -> Path:
    return path.with_name(path.name + suffix)


_held = set[str]()  # the files that this process has locked to write to


class WriterLock:
    """The exclusive right to write to one database file, held by the operating system until the process ends."""

    def __init__(self, path: Path) -> None:
        """Raises `StoreInUse` if this or another process holds it, and `NotAStore` if no store can be at `path`."""
        _check_header(str(path))  # before a lock file is left beside what is none of ours
        try:
            self._file: IO[str] = open(_beside(path, _LOCK), "a")  # noqa: SIM115 - held as the lock
        except OSError as error:
            raise NotAStore(_cannot_open(path, error.strerror)) from None
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            held = _identity(self._file.fileno()) == _identity(self._file.name)  # not one deleted meanwhile
        except BlockingIOError:
            held = False
        if not held:
            self._file.close()
            raise StoreInUse(f"{path} is in use by another gofer; stop it or name another file")
        self._held = os.path.realpath(path)
        _held.add(self._held)

    def release(self) -> None:
        """Let others write; releasing twice is fine."""
        if not self._file.closed:
            _held.discard(self._held)
            self._file.close()


def open_writer(path: str) -> apsw.Connection:
    """A connection that may write, on a database of this schema; a missing or empty file becomes one.

    A file that is made is its owner's alone (mode 0600), and so is what SQLite puts beside it. Raises `SqliteUnfit`,
    `NotAStore` or `SchemaTooNew`; then the file is as it was.
    """
    check_sqlite()
    if path != MEMORY:
        _check_header(path)
        with suppress(OSError):  # it is there already, or SQLite will say why it cannot be
            os.close(os.open(path, os.O_CREAT | os.O_EXCL, 0o600))
    db = _connect(path, apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE)
    try:
        with opening(path):
            _prepare(db, path)
    except BaseException:
        db.close()
        raise
    return db


# A damaged page may give text that is none, or a value of a type or size that its column never holds.
_ODD_VALUES: Final = (UnicodeDecodeError, TypeError, AttributeError, OverflowError)


@contextmanager
def opening(path: str) -> Iterator[None]:
    """While the file at `path` is opened in the block: raises `NotAStore` for a page that makes no sense, and
    `StoreFailed` for any other error of SQLite.
    """
    try:
        yield
    except (apsw.NotADBError, apsw.CorruptError, *_ODD_VALUES) as error:
        raise NotAStore(f"{path} is damaged ({error}); restore it from a copy or name another file") from error
    except apsw.Error as error:
        raise StoreFailed(path, error) from error


@contextmanager
def using(path: str) -> Iterator[None]:
    """While the file at `path` is used in the block: raises `StoreFailed` for what is the machine's fault.

    All other errors of SQLite are bugs, and pass.
    """
    try:
        yield
    except tuple(_WHAT_TO_DO) as error:
        raise StoreFailed(path, error) from error


class FilesInPlace:
    """Whether a database that is open, with its WAL, still lies at its path.

    SQLite writes on into files that were deleted, moved or replaced, and whatever it commits there is lost.
    """

    def __init__(self, path: str) -> None:
        """Both files must be there."""
        self._files = {file: _identity(file) for file in (path, f"{path}-wal")}

    def check(self) -> None:
        """Raises `StoreGone`."""
        for file, identity in self._files.items():
            if _identity(file) != identity:
                raise StoreGone(
                    f"{file} was deleted, moved or replaced while it was in use; put it back, or restore a copy"
                )


def _identity(file: str | int) -> tuple[int, int] | None:
    """Which file lies at a path, or is open as a descriptor. While it is open, no other file can get the same."""
    try:
        stat = os.stat(file)
    except OSError:
        return None
    return stat.st_dev, stat.st_ino


@contextmanager
def transaction(db: apsw.Connection) -> Iterator[None]:
    """All or nothing for the block, and one snapshot; inside another transaction a savepoint.

    Not apsw's `with`: when the disk fails, SQLite itself has ended the transaction, and what would be raised then is
    that there is none to undo.
    """
    begin, end, undo = _SAVEPOINT if db.in_transaction else _TRANSACTION[db.transaction_mode]
    db.execute(begin)
    try:
        yield
        db.execute(end)
    except BaseException:
        if db.in_transaction:
            db.execute(undo)
        raise


def _prepare(db: apsw.Connection, path: str) -> None:
    """Make the tables if there are none, and set what every write relies on."""
    db.transaction_mode = "IMMEDIATE"
    if db.readonly("main"):
        raise NotAStore(_cannot_open(path, "it is read-only"))
    if db.pragma("application_id") == 0:
        with transaction(db):
            if db.execute("SELECT count(*) FROM sqlite_schema").get:
                raise NotAStore(_foreign(path))
            db.execute(TABLES)
            db.pragma("application_id", APPLICATION_ID)
            db.pragma("user_version", SCHEMA_VERSION)
    if path != MEMORY:
        db.pragma("journal_mode", "wal")
    db.pragma("synchronous", "full")  # under WAL, `normal` loses acknowledged commits on power loss
    db.pragma("recursive_triggers", True)  # or INSERT OR REPLACE deletes without firing the delete trigger
    db.pragma("trusted_schema", False)
    db.pragma("temp_store", "memory")  # a savepoint keeps what it may have to undo: not in a file
    db.pragma("secure_delete", True)  # what is deleted is overwritten, not just unlinked


def open_reader(path: str, *, immutable: bool = False) -> apsw.Connection:
    """A connection that cannot write, for snapshots. Raises `SqliteUnfit`, `NotAStore` or `SchemaTooNew`.

    `immutable` is for a file that nobody writes to: reading it then leaves no WAL beside it.
    """
    check_sqlite()
    _check_header(path)
    db = _connect(path, apsw.SQLITE_OPEN_READONLY, immutable=immutable)
    if db.pragma("application_id") == 0:  # an empty file, which only a writer makes one of ours
        db.close()
        raise NotAStore(f"{path} is no gofer database; start the gofer that keeps it, or name another file")
    return db


def _connect(path: str, flags: int, *, immutable: bool = False) -> apsw.Connection:
    try:
        if immutable:
            uri = f"{Path(path).absolute().as_uri()}?immutable=1"
            db = apsw.Connection(uri, flags=flags | apsw.SQLITE_OPEN_URI)
        else:
            db = apsw.Connection(path, flags=flags)
    except apsw.CantOpenError as error:
        raise NotAStore(_cannot_open(path, str(error))) from None
    except apsw.Error as error:
        raise StoreFailed(path, error) from error
    try:
        db.set_busy_timeout(BUSY_TIMEOUT_MS)
        with opening(path):
            _check_identity(path, db.pragma("application_id"), db.pragma("user_version"))
    except BaseException:
        db.close()
        raise
    return db


def _check_header(path: str) -> None:
    """Judge an existing file by its first bytes (sqlite.org/fileformat.html), before SQLite itself touches it.

    One that this process writes to was judged before. To open it past SQLite, and to close it again, would take from
    SQLite all locks that it has on it (fcntl(2)): another program could then take itself for the last one that uses
    the file, and delete the WAL that is in use.
    """
    if os.path.realpath(path) in _held:
        return
    if os.path.exists(path) and not os.path.isfile(path):
        raise NotAStore(f"{path} is not a regular file; name another one")
    try:
        with open(path, "rb") as file:
            header = file.read(100)
    except FileNotFoundError:
        return  # SQLite will make it, or say why it cannot
    except OSError as error:
        raise NotAStore(_cannot_open(path, error.strerror)) from None
    if not header or os.path.exists(path + "-journal"):
        return  # new, or its making was cut short: SQLite rolls that back
    if len(header) < 100 or not header.startswith(b"SQLite format 3\0"):
        if os.path.exists(path + "-wal"):
            return  # power may have gone while the WAL was copied over the first page; SQLite copies it again
        raise NotAStore(f"{path} is not an SQLite database; name another file")
    user_version, application_id = struct.unpack_from(">i", header, 60)[0], struct.unpack_from(">i", header, 68)[0]
    if application_id == 0:
        raise NotAStore(_foreign(path))
    _check_identity(path, application_id, user_version)


def _check_identity(path: str, application_id: int, user_version: int) -> None:
    if application_id not in (0, APPLICATION_ID):
        raise NotAStore(_foreign(path))
    if user_version > SCHEMA_VERSION:
        raise SchemaTooNew(
            f"{path} has schema {user_version}, this gofer knows up to {SCHEMA_VERSION}; use the gofer that wrote it"
        )


def _foreign(path: str) -> str:
    return f"{path} is an SQLite database of another program; name another file"


def _cannot_open(path: str | Path, why: str | None) -> str:
    return f"{path} cannot be opened ({why}); check that its folder exists and that you may read and write there"
