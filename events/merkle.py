"""The Merkle tree over the log's events: leaf and node hashes, compact ranges, proofs. Pure.

Follows RFC 6962 section 2.1 (and RFC 9162, which keeps it): SHA-256, leaves under the prefix 0x00, nodes under 0x01.
A tree of `size` leaves is written MTH; all sizes and indices count leaves from 0.
"""

import hashlib
from collections.abc import Iterable, Sequence
from typing import Final

import msgspec

HASH_BYTES: Final = 32
EMPTY_ROOT: Final = hashlib.sha256(b"").digest()

_sha256 = hashlib.sha256


class ProofError(ValueError):
    """The proof does not show what it is said to show."""


def leaf_hash(data: bytes) -> bytes:
    """The hash of one leaf."""
    return _sha256(b"\x00" + data).digest()


def leaf_hashes(rows: Iterable[bytes]) -> list[bytes]:
    """The hash of each leaf, in their order."""
    return [_sha256(b"\x00" + data).digest() for data in rows]


def node_hash(left: bytes, right: bytes) -> bytes:
    """The hash of an inner node."""
    return _sha256(b"\x01" + left + right).digest()


class CompactRange(msgspec.Struct, frozen=True):
    """A tree of `size` leaves, kept as the roots of its perfect subtrees, largest first: enough to grow and to hash.

    There is one subtree for each set bit of `size`, so at most 64 of them.
    """

    size: int = 0
    subtrees: tuple[bytes, ...] = ()

    def extended(self, leaves: Iterable[bytes]) -> "CompactRange":
        """The tree with these leaf hashes added."""
        size, subtrees = self.size, list(self.subtrees)
        for leaf in leaves:
            rest = size
            while rest & 1:
                leaf = _sha256(b"\x01" + subtrees.pop() + leaf).digest()
                rest >>= 1
            subtrees.append(leaf)
            size += 1
        return CompactRange(size, tuple(subtrees))

    def grown(self, leaves: Sequence[bytes]) -> "CompactRange":
        """As `extended`, level by level: the faster way for many leaves, and it holds half as many nodes again."""
        left, kept = list(self.subtrees), []
        nodes, place = list(leaves), self.size
        while nodes:
            if place & 1:
                nodes.insert(0, left.pop())
            if len(nodes) & 1:
                kept.append(nodes.pop())
            pairs = iter(nodes)
            nodes = [_sha256(b"\x01" + one + other).digest() for one, other in zip(pairs, pairs, strict=True)]
            place >>= 1
        return CompactRange(self.size + len(leaves), (*left, *reversed(kept)))

    @property
    def root(self) -> bytes:
        """The Merkle tree hash."""
        if not self.subtrees:
            return EMPTY_ROOT
        *rest, root = self.subtrees
        for left in reversed(rest):
            root = node_hash(left, root)
        return root

    def to_bytes(self) -> bytes:
        """The subtree roots, one after the other."""
        return b"".join(self.subtrees)

    @classmethod
    def from_bytes(cls, size: int, data: bytes) -> "CompactRange":
        """The inverse of `to_bytes`. Raises `ValueError` unless there is a hash for each set bit of `size`."""
        if len(data) != size.bit_count() * HASH_BYTES:
            raise ValueError(f"{len(data)} bytes are no compact range of {size} leaves")
        return cls(size, tuple(data[at : at + HASH_BYTES] for at in range(0, len(data), HASH_BYTES)))


class Tree:
    """All leaf hashes of a tree, for making proofs. Holds each level, so a proof costs O(log n) after O(n)."""

    def __init__(self, leaves: Sequence[bytes]) -> None:
        self._levels: list[Sequence[bytes]] = [leaves]
        while len(self._levels[-1]) > 1:
            below = self._levels[-1]
            above = [node_hash(below[at], below[at + 1]) for at in range(0, len(below) - 1, 2)]
            if len(below) % 2:
                above.append(below[-1])  # an odd one out stands for itself until it meets a sibling
            self._levels.append(above)

    @property
    def size(self) -> int:
        """How many leaves there are."""
        return len(self._levels[0])

    @property
    def root(self) -> bytes:
        """The Merkle tree hash."""
        return self._levels[-1][0] if self.size else EMPTY_ROOT

    def inclusion(self, index: int) -> tuple[bytes, ...]:
        """The audit path of leaf `index` (RFC 6962 section 2.1.1), lowest sibling first."""
        if not 0 <= index < self.size:
            raise IndexError(f"no leaf {index} in a tree of {self.size}")
        path = []
        for level in self._levels[:-1]:
            sibling = index ^ 1
            if sibling < len(level):
                path.append(level[sibling])
            index >>= 1
        return tuple(path)


def check_inclusion(leaf: bytes, index: int, size: int, path: Sequence[bytes], root: bytes) -> None:
    """Raise `ProofError` unless `path` shows that `leaf` is leaf `index` of the tree of `size` leaves with `root`.

    By RFC 9162 section 2.1.3.2.
    """
    if not 0 <= index < size:
        raise ProofError(f"no leaf {index} in a tree of {size}")
    if any(len(sibling) != HASH_BYTES for sibling in (leaf, root, *path)):
        raise ProofError(f"a hash has {HASH_BYTES} bytes")
    at, last, acc = index, size - 1, leaf
    for sibling in path:
        if last == 0:
            raise ProofError("the path is too long")
        if at & 1 or at == last:
            acc = node_hash(sibling, acc)
            while not at & 1 and at:
                at >>= 1
                last >>= 1
        else:
            acc = node_hash(acc, sibling)
        at >>= 1
        last >>= 1
    if last:
        raise ProofError("the path is too short")
    if acc != root:
        raise ProofError("the path does not lead to the root")
