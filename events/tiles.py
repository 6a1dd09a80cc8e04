"""The Merkle tree over the log's events cut into tiles: their names, and how they grow with the tree. Pure.

Follows C2SP tlog-tiles (c2sp.org/tlog-tiles): a tile of level 0 holds 256 leaf hashes one after the other, a tile of
a level above the roots of 256 full tiles of the level below. What is not yet full at the right edge of the tree is a
partial tile. Tiles of events themselves are not written, for what is in them is private.
"""

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Final

import msgspec

from .merkle import HASH_BYTES, CompactRange

WIDTH: Final = 256  # hashes in a full tile
TILE_BYTES: Final = WIDTH * HASH_BYTES
_LEVEL_BITS: Final = WIDTH.bit_length() - 1


class Tile(msgspec.Struct, frozen=True):
    """Which tile: number `index` of its level, with `width` hashes."""

    level: int
    index: int
    width: int = WIDTH

    @property
    def full(self) -> "Tile":
        """The tile that this one becomes, if it is not it already."""
        return Tile(self.level, self.index)

    @property
    def path(self) -> str:
        """Where it lies, e.g. "tile/0/x001/x234/067" or, partial, "tile/1/000.p/12"."""
        index = f"{self.index % 1000:03}"
        rest = self.index // 1000
        while rest:
            index = f"x{rest % 1000:03}/{index}"
            rest //= 1000
        return f"tile/{self.level}/{index}" + (f".p/{self.width}" if self.width < WIDTH else "")


def hashes_at(level: int, size: int) -> int:
    """How many hashes the tiles of a level hold between them, of a tree of `size` leaves."""
    return size >> _LEVEL_BITS * level


def top_level(size: int) -> int:
    """The highest level at which a tree of `size` leaves has a tile."""
    return max(0, size.bit_length() - 1) // _LEVEL_BITS


def tiles_at(level: int, size: int, first: int = 0) -> Iterator[Tile]:
    """The tiles of a level of a tree of `size` leaves from the index `first` on; the last may be partial."""
    full, width = divmod(hashes_at(level, size), WIDTH)
    for index in range(first, full):
        yield Tile(level, index)
    if width and first <= full:
        yield Tile(level, full, width)


def edge_tiles(size: int) -> list[Tile]:
    """The partial tiles of a tree of `size` leaves, lowest level first. They alone give its root."""
    widths = [hashes_at(level, size) % WIDTH for level in range(top_level(size) + 1)]
    return [Tile(level, hashes_at(level, size) // WIDTH, width) for level, width in enumerate(widths) if width]


def split(hashes: bytes) -> Iterator[bytes]:
    """The hashes of a tile or level, one by one."""
    return (hashes[at : at + HASH_BYTES] for at in range(0, len(hashes), HASH_BYTES))


def root_of_tile(data: bytes) -> bytes:
    """The one hash that stands for a full tile in the level above."""
    sha256 = hashlib.sha256
    while len(data) > HASH_BYTES:  # RFC 6962's node hash, of a whole level at once
        pairs = range(0, len(data), 2 * HASH_BYTES)
        data = b"".join([sha256(b"\x01" + data[at : at + 2 * HASH_BYTES]).digest() for at in pairs])
    return data


def tree_of_levels(size: int, levels: Sequence[bytes]) -> CompactRange:
    """The tree of `size` leaves of which `levels` holds the hashes of each level, lowest first.

    Only those in partial tiles are looked at, so the ends of the levels are enough.
    """
    subtrees: list[bytes] = []
    for level in range(top_level(size), -1, -1):
        width = hashes_at(level, size) % WIDTH
        edge = levels[level][-width * HASH_BYTES :] if width else b""
        subtrees += CompactRange().extended(split(edge)).subtrees
    return CompactRange(size, tuple(subtrees))


def levels_above(hashes: bytes) -> list[bytes]:
    """The hashes of each level above one that has `hashes`, lowest first."""
    levels = []
    while len(hashes) >= TILE_BYTES:
        full = range(0, len(hashes) - TILE_BYTES + 1, TILE_BYTES)
        hashes = b"".join(root_of_tile(hashes[at : at + TILE_BYTES]) for at in full)
        levels.append(hashes)
    return levels


class Growth:
    """A tree that grows, leaf by leaf, and gives its tiles as they become full. It holds its partial tiles alone."""

    def __init__(self, size: int = 0, edge: Sequence[bytes] = ()) -> None:
        """`edge` holds the partial tiles of the tree of `size` leaves it begins with, as `edge_tiles` lists them."""
        self.size = size
        self._partial = [bytearray() for _ in range(top_level(size) + 1)]
        for tile, data in zip(edge_tiles(size), edge, strict=True):
            self._partial[tile.level] += data

    def extended(self, leaves: Iterable[bytes]) -> Iterator[tuple[Tile, bytes]]:
        """Add leaf hashes; each tile that becomes full, once. The tree has grown as far as this was iterated."""
        remaining = iter(leaves)
        while more := list(islice(remaining, WIDTH - self.size % WIDTH)):
            self._partial[0] += b"".join(more)
            self.size += len(more)
            yield from self._rolled_up()

    def edge(self) -> list[tuple[Tile, bytes]]:
        """The partial tiles as they are now, lowest level first."""
        return [(tile, bytes(self._partial[tile.level])) for tile in edge_tiles(self.size)]

    @property
    def tree(self) -> CompactRange:
        """The tree as it is now."""
        return tree_of_levels(self.size, [bytes(partial) for partial in self._partial])

    def _rolled_up(self) -> Iterator[tuple[Tile, bytes]]:
        for level, partial in enumerate(self._partial):
            if len(partial) < TILE_BYTES:
                return
            data = bytes(partial)
            partial.clear()
            if level + 1 == len(self._partial):
                self._partial.append(bytearray())
            self._partial[level + 1] += root_of_tile(data)
            yield Tile(level, hashes_at(level, self.size) // WIDTH - 1), data
