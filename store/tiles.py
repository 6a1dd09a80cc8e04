"""The files of the tree's tiles, in the folder of checkpoints: reading and writing them. No judgement of the log.

They are in the layout of C2SP tlog-tiles (c2sp.org/tlog-tiles), so that its clients read the folder as it is. The
signed checkpoint vouches for them: they are written before it is, and their root is the one that it signs.
"""

import shutil
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import chain, islice
from pathlib import Path
from typing import Final

from ..events.merkle import HASH_BYTES
from ..events.tiles import WIDTH, Tile, edge_tiles, tiles_at
from .database import StoreError
from .files import read, replace

FOLDER: Final = "tile"
NEWEST: Final = "checkpoint"  # a copy of the newest note, which is written after its tiles
MODE: Final = 0o644  # of tiles and notes, less what the umask takes: under `gofer serve` they are their owner's alone
BATCH_FILES: Final = 64  # that are open at once


class TileDamaged(StoreError):
    """A tile is not there or not of its size. `tile` says which."""

    def __init__(self, tile: Tile, why: str) -> None:
        super().__init__(f"{tile.path} {why}")
        self.tile = tile


def has_tiles(folder: Path) -> bool:
    """Whether there are any in a folder of checkpoints."""
    return (folder / FOLDER).is_dir()


def read_tile(folder: Path, tile: Tile) -> bytes:
    """The hashes of a tile, of a partial one also out of a wider one.

    Raises `TileDamaged`, and `PermissionError` for one that the user may not read.
    """
    data = _bytes_of(folder, tile)
    if data is None and tile != tile.full:
        # The partial one goes when the full one is there, perhaps just now.
        candidates = chain([tile.full], _wider(folder, tile))
        data = next((found for each in candidates if (found := _bytes_of(folder, each)) is not None), None)
        data = None if data is None else data[: tile.width * HASH_BYTES]
    if data is None:
        raise TileDamaged(tile, "is missing")
    return data


def read_level(folder: Path, level: int, size: int) -> bytes:
    """All hashes of a level of the tree of `size` leaves. Raises `TileDamaged`."""
    return b"".join(read_tile(folder, tile) for tile in tiles_at(level, size))


def read_edge(folder: Path, size: int) -> list[bytes]:
    """The partial tiles of the tree of `size` leaves, as `edge_tiles` lists them. Raises `TileDamaged`."""
    return [read_tile(folder, tile) for tile in edge_tiles(size)]


def write_tiles(folder: Path, tiles: Iterable[tuple[Tile, bytes]]) -> None:
    """Write tiles, durably; those that are right are left alone.

    With a full tile its partial ones go. No partial tile is written where a full one is that begins with its hashes;
    whatever else has that name stands for nothing. Raises `OSError`.
    """
    remaining = iter(tiles)
    while batch := list(islice(remaining, BATCH_FILES)):
        needed = [(folder / tile.path, data) for tile, data in batch if not _is_in_full(folder, tile, data)]
        replace(needed, mode=MODE)
        for tile, _ in batch:
            if tile == tile.full:
                with suppress(FileNotFoundError):
                    shutil.rmtree(folder / f"{tile.path}.p")


def _is_in_full(folder: Path, tile: Tile, data: bytes) -> bool:
    """Whether a partial tile became a full one that lies there whole."""
    if tile == tile.full:
        return False
    try:
        full = _bytes_of(folder, tile.full)
    except TileDamaged:
        return False
    return full is not None and full.startswith(data)


def _bytes_of(folder: Path, tile: Tile) -> bytes | None:
    """What is in the file of a tile; None if it is not there."""
    try:
        data = read(folder / tile.path)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except PermissionError:
        raise  # the tile may well be right
    except OSError as error:
        raise TileDamaged(tile, f"cannot be read ({error.strerror})") from None
    if len(data) != tile.width * HASH_BYTES:
        raise TileDamaged(tile, f"has {len(data)} bytes, not {tile.width * HASH_BYTES}")
    return data


def _wider(folder: Path, tile: Tile) -> Iterator[Tile]:
    """The partial tiles that lie beside one that is missing, and hold what it would."""
    names = [path.name for path in (folder / f"{tile.full.path}.p").glob("[1-9]*")]
    for width in sorted(int(name) for name in names if name.isascii() and name.isdigit()):
        if tile.width < width < WIDTH:
            yield Tile(tile.level, tile.index, width)
