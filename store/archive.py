"""Archived segments of the log: a file each, its format, and which of them a database names. No judgement of events.

A segment holds the canonical bytes of consecutive events, one a line behind a header line, compressed with zstd. The
database keeps the file's SHA-256 and the tree over all events up to its last.
"""

import hashlib
import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

import apsw
import msgspec

from ..events.merkle import CompactRange
from .database import StoreError
from .files import sync_folder
from .log import LogDamaged

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

FORMAT: Final = "gofer segment 1"
SUFFIX: Final = ".segment.zst"
LEVEL: Final = 10
_READ_BYTES: Final = 1 << 20


class SegmentMissing(StoreError):
    """The segment's file is not at hand."""


class Segment(msgspec.Struct, frozen=True):
    """What the database says of one: the seq of its last event, the tree up to there, the file's name and SHA-256."""

    upto: int
    tree: CompactRange
    file: str
    sha256: str


class Header(msgspec.Struct, frozen=True):
    """A segment's first line: which events it holds, and the root of the log at the last of them, in hex."""

    format: str
    first: int
    upto: int
    root: str


def segments(db: apsw.Connection) -> list[Segment]:
    """The segments that the database names, in log order. Raises `LogDamaged`."""
    try:
        return [
            Segment(upto, CompactRange.from_bytes(upto, subtrees), file, sha256)
            for upto, subtrees, file, sha256 in db.execute(
                "SELECT upto, subtrees, file, sha256 FROM segment ORDER BY upto"
            )
        ]
    except ValueError as error:
        raise LogDamaged(f"the table of segments is damaged: {error}") from None


def segment_folder(store: str | Path) -> Path:
    """Where the segments of a store lie unless told otherwise: beside it."""
    store = Path(store)
    return store.with_name(store.name + ".segments")


def write_segment(folder: Path, first: int, tree: CompactRange, events: Iterable[bytes]) -> Segment:
    """Write the events `first`..`tree.size` to a file, durably: whole, or not at all. Raises `StoreError`.

    Like the database, it and a folder that is made for it are their owner's alone (modes 0600 and 0700). A file of
    the same name is one that no database names: the archiving that wrote it was cut short.
    """
    name = f"{first:020d}-{tree.size:020d}{SUFFIX}"
    path, draft = folder / name, folder / f".{name}"
    header = Header(FORMAT, first, tree.size, tree.root.hex())
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with open(draft, "wb", opener=_open_private) as raw:
            with zstd.ZstdFile(raw, "w", level=LEVEL) as file:
                file.write(msgspec.json.encode(header) + b"\n")
                for data in events:
                    file.write(data + b"\n")
            raw.flush()
            os.fsync(raw.fileno())
        os.replace(draft, path)
        sync_folder(folder)
    except BaseException as error:
        with suppress(OSError):
            draft.unlink()
        if isinstance(error, OSError):
            raise StoreError(f"{path} cannot be written ({error.strerror})") from None
        raise
    return Segment(tree.size, tree, name, _sha256(path))


def read_segment(folder: Path, segment: Segment, first: int) -> Iterator[tuple[int, bytes]]:
    """Each event of the segment, which begins at `first`: seq and canonical bytes.

    Raises `SegmentMissing`, and `LogDamaged` if the file is not the one that was written.
    """
    if Path(segment.file).name != segment.file or segment.file in ("", "..") or "\0" in segment.file:
        raise LogDamaged(f"the table of segments names {segment.file!r}, which is no file of their folder")
    path = folder / segment.file
    try:
        if _sha256(path) != segment.sha256:
            raise LogDamaged(f"{path} is not the segment that was archived: its SHA-256 differs")
        with zstd.ZstdFile(path) as file:
            header = msgspec.json.decode(file.readline(), type=Header)
            if header != Header(FORMAT, first, segment.upto, segment.tree.root.hex()):
                raise LogDamaged(f"{path} is another segment than the database names")
            for seq, line in enumerate(file, first):
                yield seq, line.removesuffix(b"\n")
    except FileNotFoundError:
        raise SegmentMissing(f"{path} is not there: it holds events {first} to {segment.upto}") from None
    except (msgspec.DecodeError, zstd.ZstdError, EOFError) as error:
        raise LogDamaged(f"{path} is no segment: {error}") from None
    except OSError as error:
        raise SegmentMissing(f"{path} cannot be read ({error.strerror})") from None


def _open_private(path: str, flags: int) -> int:
    descriptor = os.open(path, flags, 0o600)
    os.fchmod(descriptor, 0o600)  # a draft that was left there has the mode that it was made with
    return descriptor


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
