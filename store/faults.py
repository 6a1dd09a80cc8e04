"""Disks that fail, for tests: one that loses its power, and one whose operations report errors.

Both stand under SQLite as a VFS over the real one, so that the code under test runs as it is. They hold what SQLite
writes through its VFS: databases, WALs and rollback journals, not the shared memory beside a WAL, which no restart
relies on.
"""

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from random import Random
from typing import Any, Final, Literal, NamedTuple, TypeVar

import apsw
import msgspec

SECTOR_BYTES: Final = 512  # what a disk writes whole or not at all

T = TypeVar("T")

# Files that SQLite's unix VFS has just made sync their folder with their first sync (os_unix.c, UNIXFILE_DIRSYNC).
_SYNC_THEIR_FOLDER: Final = apsw.SQLITE_OPEN_MAIN_JOURNAL | apsw.SQLITE_OPEN_WAL


class File(NamedTuple):
    """A file apart from its name: one that is deleted and made again is another. 0 was there from the start."""

    name: str
    generation: int


# ---------------------------------------------------------------- what is done to a disk


class Create(msgspec.Struct, frozen=True):
    """The folder gets an entry."""

    file: File


class Delete(msgspec.Struct, frozen=True):
    """The folder loses an entry, durably if `synced`."""

    name: str
    synced: bool


class Write(msgspec.Struct, frozen=True):
    """`data` goes to `offset`."""

    file: File
    offset: int
    data: bytes


class Truncate(msgspec.Struct, frozen=True):
    """The file is cut to `nbytes`."""

    file: File
    nbytes: int


class Sync(msgspec.Struct, frozen=True):
    """What was written to the file is durable, and the folder with it if `folder`."""

    file: File
    folder: bool


Operation = Create | Delete | Write | Truncate | Sync


# ---------------------------------------------------------------- the loss of power


class PowerLossDisk:
    """One folder of a disk: what it holds for certain, and what it was told since and may have done or not."""

    def __init__(self, files: Mapping[str, bytes] | None = None) -> None:
        """A disk that holds `files` for certain."""
        first = {File(name, 0): data for name, data in (files or {}).items()}
        self._durable = {file: bytearray(data) for file, data in first.items()}
        self._pending: dict[File, list[Write | Truncate]] = {file: [] for file in first}
        # What each name may stand for after a loss of power: the entry that is durable, then those not yet synced.
        self._entries: dict[str, list[File | None]] = {file.name: [file] for file in first}

    def apply(self, operation: Operation) -> None:
        """Do what SQLite has asked for."""
        match operation:
            case Create(file):
                self._durable[file], self._pending[file] = bytearray(), []
                self._entries.setdefault(file.name, [None]).append(file)
            case Delete(name, synced):
                self._entries[name].append(None)
                if synced:
                    self._sync_folder()
            case Write(file) | Truncate(file):
                self._pending[file].append(operation)
            case Sync(file, folder):
                for pending in self._pending[file]:
                    _put(self._durable[file], pending)
                self._pending[file].clear()
                if folder:
                    self._sync_folder()

    def lose_power(self, random: Random) -> dict[str, bytes]:
        """The files as they could be found afterwards; the disk itself stays as it is.

        What is synced is kept. Of the rest each sector's worth of a write is kept, dropped or garbled, and each
        truncation and each change of a folder's entry is kept or dropped, in any combination.
        """
        kept = random.choice((0.0, 0.5, 0.9, 1.0))  # disks that got far and disks that did not
        found = {}
        for name, entries in self._entries.items():
            file = entries[-1] if random.random() < kept else random.choice(entries)
            if file is not None:
                found[name] = self._found(file, random, kept)
        return found

    def cached(self) -> dict[str, bytes]:
        """The files as programs read them while the power lasts: all that was done, as if it were durable."""
        found = {}
        for name, (*_, file) in self._entries.items():
            if file is not None:
                data = bytearray(self._durable[file])
                for pending in self._pending[file]:
                    _put(data, pending)
                found[name] = bytes(data)
        return found

    def after_failed_sync(self) -> "PowerLossDisk":
        """This disk, had a sync failed now: what was not yet synced still reads as `cached` has it, but will never
        be durable, whatever is synced later.
        """
        return PowerLossDisk({name: bytes(self._durable[file]) for name, (*_, file) in self._entries.items() if file})

    def _found(self, file: File, random: Random, kept: float) -> bytes:
        data, garbled = bytearray(self._durable[file]), kept + (1 - kept) / 3
        for pending in self._pending[file]:
            if isinstance(pending, Truncate):
                if random.random() < kept:
                    _truncate(data, pending.nbytes)
                continue
            for at, size in _sectors(pending.offset, len(pending.data)):
                fate = random.random()
                if fate < kept:
                    _write(data, at, pending.data[at - pending.offset :][:size])
                elif fate < garbled:  # noise, or room that was made for what never came
                    _write(data, at, random.randbytes(size) if random.random() < 0.5 else bytes(size))
        return bytes(data)

    def _sync_folder(self) -> None:
        for entries in self._entries.values():
            del entries[:-1]


def _sectors(offset: int, size: int) -> Iterator[tuple[int, int]]:
    """The parts of a write that reach the disk each on its own: offset and size."""
    end = offset + size
    while offset < end:
        upto = min(offset - offset % SECTOR_BYTES + SECTOR_BYTES, end)
        yield offset, upto - offset
        offset = upto


def _put(content: bytearray, operation: Write | Truncate) -> None:
    if isinstance(operation, Truncate):
        _truncate(content, operation.nbytes)
    else:
        _write(content, operation.offset, operation.data)


def _truncate(content: bytearray, nbytes: int) -> None:
    del content[nbytes:]
    content.extend(bytes(nbytes - len(content)))


def _write(content: bytearray, offset: int, data: bytes) -> None:
    if offset > len(content):
        content.extend(bytes(offset - len(content)))  # a hole reads as zeros
    content[offset : offset + len(data)] = data


@contextmanager
def recorded() -> Iterator[list[Operation]]:
    """Within the block, what is done to every database that is opened there: a list that grows.

    They must lie in one folder. Each is still written for real, and must be closed before the block ends.
    """
    vfs = _RecordingVFS()
    try:
        yield vfs.operations
    finally:
        vfs.unregister()


class _RecordingVFS(apsw.VFS):
    def __init__(self) -> None:
        self.operations: list[Operation] = []
        self.files: dict[str, File] = {}  # by name
        self._generation = 0
        super().__init__("gofer-recording", "unix", makedefault=True)

    def xOpen(self, name: Any, flags: list[int]) -> apsw.VFSFile:
        path = _path(name)
        if path is None:
            return super().xOpen(name, flags)  # a temporary file, of which nothing is expected
        file = self.files.get(_name(path))
        created = not os.path.exists(path)
        if file is None and flags[0] & apsw.SQLITE_OPEN_MAIN_DB and not created:
            created = not os.path.getsize(path)  # just made, for SQLite to fill
        if created:
            self._generation += 1
            file = File(_name(path), self._generation)
            self.operations.append(Create(file))
        elif file is None:
            file = File(_name(path), 0)
        assert file is not None
        self.files[file.name] = file
        return _RecordingFile(self.operations, file, created and bool(flags[0] & _SYNC_THEIR_FOLDER), name, flags)

    def xDelete(self, filename: str, syncdir: bool) -> None:
        super().xDelete(filename, syncdir)
        self.files.pop(_name(filename), None)
        self.operations.append(Delete(_name(filename), syncdir))


class _RecordingFile(apsw.VFSFile):
    def __init__(self, operations: list[Operation], file: File, folder: bool, name: Any, flags: list[int]) -> None:
        self._operations = operations
        self._file = file
        self._folder = folder
        super().__init__("unix", name, flags)

    def xWrite(self, data: Any, offset: int) -> None:
        super().xWrite(data, offset)
        self._operations.append(Write(self._file, offset, bytes(data)))

    def xTruncate(self, newsize: int) -> None:
        super().xTruncate(newsize)
        self._operations.append(Truncate(self._file, newsize))

    def xSync(self, flags: int) -> None:
        super().xSync(flags)
        self._operations.append(Sync(self._file, self._folder))
        self._folder = False


# ---------------------------------------------------------------- errors of the disk

Kind = Literal["read", "write", "sync"]


class FaultyDisk:
    """Fails the `nth` operation of one kind (1: the first), and each that follows if `for_good`; 0 fails none."""

    def __init__(
        self, kind: Kind, nth: int, error: type[apsw.Error] = apsw.IOError, *, for_good: bool = False
    ) -> None:
        self._kind = kind
        self._nth = nth
        self._error = error
        self._for_good = for_good
        self.done = 0  # operations of the kind so far
        self.failed = 0  # and how many of them were failed

    def reach(self, kind: Kind) -> None:
        """Fail here, or not."""
        if kind != self._kind:
            return
        self.done += 1
        if self.done == self._nth or (self._for_good and self.done > self._nth > 0):
            self.failed += 1
            raise self._error(f"{kind} {self.done} was told to fail")

    @contextmanager
    def mounted(self) -> Iterator[None]:
        """Within the block every database that is opened lies on this disk; they must be closed before it ends."""
        vfs = _FaultyVFS(self)
        try:
            yield
        finally:
            vfs.unregister()


class _FaultyVFS(apsw.VFS):
    def __init__(self, disk: FaultyDisk) -> None:
        self._disk = disk
        super().__init__("gofer-faulty", "unix", makedefault=True)

    def xOpen(self, name: Any, flags: list[int]) -> apsw.VFSFile:
        return _FaultyFile(self._disk, name, flags)

    def excepthook(self, *_: object) -> bool:
        return True  # told to SQLite as the error that it is; no traceback besides


class _FaultyFile(apsw.VFSFile):
    def __init__(self, disk: FaultyDisk, name: Any, flags: list[int]) -> None:
        self._disk = disk
        super().__init__("unix", name, flags)

    def excepthook(self, *_: object) -> bool:
        return True

    def xRead(self, amount: int, offset: int) -> bytes:
        return self._reach("read", lambda: super(_FaultyFile, self).xRead(amount, offset))

    def xWrite(self, data: Any, offset: int) -> None:
        self._reach("write", lambda: super(_FaultyFile, self).xWrite(data, offset))

    def xSync(self, flags: int) -> None:
        self._reach("sync", lambda: super(_FaultyFile, self).xSync(flags))

    def _reach(self, kind: Kind, operation: Callable[[], T]) -> T:
        self._disk.reach(kind)
        return operation()


def _path(name: str | apsw.URIFilename | None) -> str | None:
    return name.filename() if isinstance(name, apsw.URIFilename) else name


def _name(path: str) -> str:
    return os.path.basename(path)
