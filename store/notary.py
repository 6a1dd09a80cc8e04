"""Where checkpoints are kept: the signing key's file, and a directory of notes outside the database."""

import errno
import os
import secrets
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final, Self

from ..events.merkle import CompactRange
from .database import StoreError
from .note import Checkpoint, NoteError, PublicKey, SigningKey

SUFFIX: Final = ".checkpoint"


class Forked(StoreError):
    """A checkpoint with another root stands signed for this size: the log is not the one it was."""


class NotKept(StoreError):
    """A checkpoint could not be written or read. `kind` says why in a word that names nothing, e.g. "ENOSPC"."""

    def __init__(self, message: str, kind: str) -> None:
        super().__init__(message)
        self.kind = kind


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
                _create(key_file, line, mode=0o600)
            return cls(folder, SigningKey.parse(line))
        except NoteError as error:
            raise StoreError(f"{key_file}: {error}; restore it, or move it away and start a new log") from None
        except OSError as error:
            raise _not_kept(error) from None

    @property
    def public_key(self) -> PublicKey:
        """What its checkpoints are checked with."""
        return self._key.public

    def sign(self, tree: CompactRange) -> Path:
        """Write the checkpoint of `tree`, which must be durable; its path. Signing the same again changes nothing.

        Raises `Forked` if another root is signed for this size, and `NotKept` if it cannot be written.
        """
        path = self._folder / f"{tree.size:020d}{SUFFIX}"
        try:
            _create(path, self._key.sign(tree.size, tree.root), mode=0o644)
        except FileExistsError:
            if self._read(path).root != tree.root:
                raise Forked(
                    f"{path} holds another root for {tree.size} events; this log was rewritten: see `gofer audit`"
                ) from None
        except OSError as error:
            raise _not_kept(error) from None
        return path

    def newest(self) -> Checkpoint | None:
        """The checkpoint of the largest size. Raises `NotKept` for one that this key did not sign."""
        for path in checkpoint_files(self._folder):
            return self._read(path)
        return None

    def _read(self, path: Path) -> Checkpoint:
        try:
            return self.public_key.open(path.read_text())
        except (NoteError, UnicodeDecodeError) as error:
            raise NotKept(f"{path}: {error}; restore it, or the key that signed it", type(error).__name__) from None
        except OSError as error:
            raise _not_kept(error) from None


def checkpoint_folder(store: Path) -> Path:
    """Where the checkpoints of a store lie unless told otherwise: beside it."""
    return store.with_name(store.name + ".checkpoints")


def key_file(store: Path) -> Path:
    """Where the signing key of a store lies unless told otherwise: beside it."""
    return store.with_name(store.name + ".key")


def checkpoint_files(folder: Path) -> Iterator[Path]:
    """The notes in `folder`, largest size first."""
    yield from sorted(folder.glob(f"*{SUFFIX}"), reverse=True)


def _not_kept(error: OSError) -> NotKept:
    kind = errno.errorcode.get(error.errno or 0, type(error).__name__)
    return NotKept(f"checkpoints cannot be kept: {error.strerror}: {error.filename}", kind)


def _create(path: Path, text: str, *, mode: int) -> None:
    """Make a file that is whole and durable, or not there. Raises `FileExistsError`."""
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode)
    try:
        with os.fdopen(descriptor, "w") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.link(draft, path)  # unlike a rename, it refuses to replace
    finally:
        with suppress(FileNotFoundError):
            os.unlink(draft)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
