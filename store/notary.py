"""Where checkpoints are kept: the signing key's file, and a directory of notes and tiles outside the database."""

import errno
import fcntl
import os
import re
import secrets
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from itertools import islice
from pathlib import Path
from typing import Final, Self

from ..events.merkle import CompactRange
from ..events.tiles import Growth, edge_tiles
from .archive import SegmentMissing
from .database import StoreError
from .files import create, read, replace
from .log import LogDamaged
from .note import Checkpoint, NoteError, PublicKey, SigningKey
from .tiles import MODE, NEWEST, TileDamaged, read_edge, write_tiles

SUFFIX: Final = ".checkpoint"
_DIGITS: Final = 20  # of the size, in the name of a note
_NAME: Final = re.compile(rf"[0-9]{{{_DIGITS}}}{re.escape(SUFFIX)}")
PATIENCE_S: Final = 10
_POLL_S: Final = 0.05
_REWRITTEN: Final = "this log was rewritten: see `gofer audit`"

Leaves = Callable[[int], Iterable[bytes]]
"""The leaf hashes of the log behind a position, in order, at least as far as the tree that is to be signed."""


class Forked(StoreError):
    """A checkpoint with another root stands signed for this size: the log is not the one it was."""


class NotKept(StoreError):
    """A checkpoint could not be written or read. `kind` says why in a word that names nothing, e.g. "ENOSPC"."""

    def __init__(self, message: str, kind: str) -> None:
        super().__init__(message)
        self.kind = kind


class Misnamed(NoteError):
    """A signed note is in a file whose name says another size, or none."""


class Notary:
    """Signs checkpoints of one log into `folder`. It never signs two roots for one size."""

    def __init__(self, folder: Path, key: SigningKey) -> None:
        self._folder = folder
        self._key = key

    @classmethod
    def open(cls, folder: Path, key_file: Path, *, entropy: Callable[[int], bytes] = secrets.token_bytes) -> Self:
        """The notary of `folder`; the key is made on the first run (mode 0600). Raises `StoreError`."""
        try:
            folder.mkdir(parents=True, exist_ok=True)
            try:
                line = key_file.read_text()
            except FileNotFoundError:
                seed = entropy(32)
                line = SigningKey(f"gofer-{entropy(4).hex()}", seed).serialize()
                create(key_file, line.encode(), mode=0o600)
            return cls(folder, SigningKey.parse(line))
        except NoteError as error:
            raise StoreError(f"{key_file}: {error}; restore it, or move it away and start a new log") from None
        except OSError as error:
            raise _not_kept(error) from None

    @property
    def public_key(self) -> PublicKey:
        """What its checkpoints are checked with."""
        return self._key.public

    def sign(self, tree: CompactRange, leaves: Leaves) -> Path:
        """Write the checkpoint of `tree`, which must be durable; its path. Signing the same again changes nothing.

        The tiles of the tree are written before it, from what stands in `leaves`: those since the last checkpoint, or
        all if older tiles are not at hand. `checkpoint` is then the newest note. One gofer at a time signs; another
        waits `PATIENCE_S`.

        Raises `Forked` if another root is signed for this size, or these events do not continue those that were
        signed before; `LogDamaged` if the leaves do not give the tree; and `NotKept` if something cannot be written,
        or the leaves cannot be read.
        """
        path = self._folder / f"{tree.size:0{_DIGITS}d}{SUFFIX}"
        note = self._key.sign(tree.size, tree.root).encode()
        try:
            with _alone(self._folder):
                newest = self.newest()
                if newest is not None and newest.size >= tree.size:
                    self._check_signed(path, tree)
                self._write_tiles(tree, newest, leaves)
                with suppress(FileExistsError):
                    create(path, note, mode=MODE)
                if newest is None or newest.size <= tree.size:
                    replace([(self._folder / NEWEST, read(path))], mode=MODE)
        except OSError as error:
            raise _not_kept(error) from None
        return path

    def newest(self) -> Checkpoint | None:
        """The checkpoint of the largest size.

        Raises `NotKept` for one that this key did not sign for that size, and if the folder cannot be read.

        Files with names that are none of a checkpoint's are passed over.
        """
        try:
            name = max(filter(_NAME.fullmatch, os.listdir(self._folder)), default=None)
        except OSError as error:
            raise _not_kept(error) from None
        return None if name is None else self._read(self._folder / name)

    def _check_signed(self, path: Path, tree: CompactRange) -> None:
        if path.exists() and self._read(path).root != tree.root:
            raise Forked(f"{path} holds another root for {tree.size} events; {_REWRITTEN}")

    def _write_tiles(self, tree: CompactRange, newest: Checkpoint | None, leaves: Leaves) -> None:
        """Bring the tiles from those of the `newest` checkpoint to those of `tree`, which may be older than that."""
        if newest is not None and newest.size > tree.size:
            with suppress(TileDamaged):  # the next checkpoint writes them anew
                edge = read_edge(self._folder, tree.size)
                if Growth(tree.size, edge).tree != tree:
                    raise Forked(f"{tree.size} events are not the first of those that were signed; {_REWRITTEN}")
                write_tiles(self._folder, zip(edge_tiles(tree.size), edge, strict=True))
            return
        grown = self._signed_tiles(newest) or self._anew(newest, leaves)
        write_tiles(self._folder, grown.extended(islice(_behind(leaves, grown.size), tree.size - grown.size)))
        if grown.tree != tree:
            raise LogDamaged(f"the leaves of the log are not those of its tree of {tree.size} events; {_REWRITTEN}")
        write_tiles(self._folder, grown.edge())

    def _signed_tiles(self, newest: Checkpoint | None) -> Growth | None:
        """The tree of the newest checkpoint as its tiles have it; None if they are lost or damaged."""
        if newest is None:
            return Growth()
        try:
            grown = Growth(newest.size, read_edge(self._folder, newest.size))
        except TileDamaged:
            return None
        return grown if grown.tree.root == newest.root else None

    def _anew(self, newest: Checkpoint | None, leaves: Leaves) -> Growth:
        """An empty tree to grow again, once the leaves are known to be those that were signed."""
        if newest is not None:
            tree = CompactRange().extended(islice(_behind(leaves, 0), newest.size))
            if tree.root != newest.root:
                raise Forked(f"the first {newest.size} events are not those that were signed; {_REWRITTEN}")
        return Growth()

    def _read(self, path: Path) -> Checkpoint:
        try:
            return read_note(path, self.public_key)
        except Misnamed as error:
            raise NotKept(f"{path}: {error}; move it away", type(error).__name__) from None
        except NoteError as error:
            raise NotKept(f"{path}: {error}; restore it, or the key that signed it", type(error).__name__) from None
        except OSError as error:
            raise _not_kept(error) from None


def checkpoint_folder(store: Path) -> Path:
    """Where the checkpoints of a store lie unless told otherwise: beside it."""
    return store.with_name(store.name + ".checkpoints")


def key_file(store: Path) -> Path:
    """Where the signing key of a store lies unless told otherwise: beside it."""
    return store.with_name(store.name + ".key")


def checkpoint_files(folder: Path) -> list[Path]:
    """The notes in `folder`, largest size first; none if it is not there.

    Raises `OSError` if it cannot be read: who cannot see the checkpoints must not take it that there are none.
    """
    try:
        names = os.listdir(folder)
    except FileNotFoundError:
        return []
    return [folder / name for name in sorted(names, reverse=True) if name.endswith(SUFFIX)]


def read_note(path: Path, key: PublicKey) -> Checkpoint:
    """The checkpoint in a file of the folder, which `key` signed for the size that is the file's name.

    Raises `NoteError`, of these `Misnamed` for another name, and `OSError` if the file cannot be read.
    """
    try:
        checkpoint = key.open(read(path).decode())
    except UnicodeDecodeError:
        raise NoteError("no text") from None
    if path.name != f"{checkpoint.size:0{_DIGITS}d}{SUFFIX}":
        raise Misnamed(f"it is of {checkpoint.size} events, which is not what its name says")
    return checkpoint


def _behind(leaves: Leaves, after: int) -> Iterator[bytes]:
    try:
        yield from leaves(after)
    except (SegmentMissing, LogDamaged) as error:
        raise NotKept(f"checkpoints cannot be kept: {error}", type(error).__name__) from None


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """The block as the only one that signs into the folder. Raises `OSError`, after `PATIENCE_S` `BlockingIOError`.

    Who has the folder is at work, or is dead and has it no longer.
    """
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        until = time.monotonic() + PATIENCE_S
        while True:
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError as error:
                if time.monotonic() >= until:
                    error.filename = f"another gofer signs into {folder}"
                    raise
                time.sleep(_POLL_S)
        yield
    finally:
        os.close(descriptor)


def _not_kept(error: OSError) -> NotKept:
    kind = errno.errorcode.get(error.errno or 0, type(error).__name__)
    where = f": {error.filename}" if error.filename else ""  # what fails on an open folder names none
    return NotKept(f"checkpoints cannot be kept: {error.strerror}{where}", kind)
