"""Small files that others rely on: each is whole and durable, or not there. No knowledge of what is in them."""

import errno
import os
import stat
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Final

MAX_BYTES: Final = 1 << 16


def read(path: Path) -> bytes:
    """What is in a file. Raises `OSError`, also for what is no regular file (to open a FIFO could wait for ever), and
    for more than `MAX_BYTES`.
    """
    with open(path, "rb", opener=_open_at_once) as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise OSError(errno.EINVAL, "Not a regular file", str(path))
        data = file.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise OSError(errno.EFBIG, "File too large", str(path))
    return data


def create(path: Path, data: bytes, *, mode: int) -> None:
    """Make a file that is not there yet. Raises `FileExistsError`, and `OSError` if it cannot be made."""
    draft = _draft(path)
    try:
        with _naming(path):
            with ExitStack() as files:
                os.fsync(_written(draft, data, mode, files))
            os.link(draft, path)  # unlike a rename, it refuses to replace
    finally:
        _forget(draft)
    sync_folder(path.parent)


def replace(files: Iterable[tuple[Path, bytes]], *, mode: int) -> None:
    """Make files, in place of those that are there, with the folders that they need. One that is right is left alone.

    They are written before the first is waited for, so that a disk can take them together; keep them few. After a
    crash some may be there and others not. Raises `OSError`, which names the file or folder that could not be made.
    """
    drafts: dict[Path, Path] = {}
    folders: set[Path] = set()
    try:
        with ExitStack() as opened:
            descriptors: dict[Path, int] = {}
            for path, data in files:
                folders |= _made(path.parent) | {path.parent}
                if path.is_file() and path.read_bytes() == data:
                    continue
                drafts[path] = _draft(path)
                with _naming(path):
                    descriptors[path] = _written(drafts[path], data, mode, opened)
            for path, descriptor in descriptors.items():
                with _naming(path):
                    os.fsync(descriptor)
        for path, draft in drafts.items():
            with _naming(path):
                os.replace(draft, path)
    finally:
        for draft in drafts.values():
            _forget(draft)
    for folder in sorted(folders):
        sync_folder(folder)


def sync_folder(folder: Path) -> None:
    """Make durable which files are in the folder, under which names. Raises `OSError`."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _open_at_once(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_NONBLOCK)


def _draft(path: Path) -> Path:
    return path.with_name(f".{path.name}.{os.getpid()}")


@contextmanager
def _naming(path: Path) -> Iterator[None]:
    """An `OSError` in the block names the file that is to be made: nobody knows the draft."""
    try:
        yield
    except OSError as error:
        error.filename, error.filename2 = str(path), None
        raise


def _written(path: Path, data: bytes, mode: int, files: ExitStack) -> int:
    """The descriptor of the written file, which is closed with `files`."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode)
    file = files.enter_context(os.fdopen(descriptor, "wb"))
    file.write(data)
    file.flush()
    return descriptor


def _made(folder: Path) -> set[Path]:
    """Make the folder and those above it that are missing; the folders that have a new entry by that."""
    if folder.is_dir():
        return set()
    changed = _made(folder.parent)
    os.mkdir(folder)
    return changed | {folder.parent}


def _forget(draft: Path) -> None:
    with suppress(FileNotFoundError):
        os.unlink(draft)
