"""Where a log that hashes to another root was changed: which edit, undone, gives the root it should have. Pure.

A root alone says only that something differs. But an edit that left every event as it was, and only put some in or
in another order, can be found by trying what undoes it. Each try costs a path of hashes, not a whole tree.
"""

from collections.abc import Mapping, Sequence
from typing import Final

from ..events.merkle import node_hash

MAX_LEAVES: Final = 1 << 20
MAX_PLACES: Final = 1 << 17  # that are tried: some seconds
MAX_PAIRS: Final = 1 << 15  # of events that may have been swapped

Levels = list[list[bytes]]


def inserted(leaves: Sequence[bytes], count: int, size: int, root: bytes, good: int) -> int | None:
    """The seq from which on `count` events were put in: without them the first `size` leaves have `root`.

    The first `good` are known to be right. None if that is not what happened, or it would take too long to tell.
    """
    if not 0 < count <= len(leaves) - size or size > MAX_LEAVES or size - good > MAX_PLACES:
        return None
    plain, shifted = _levels(leaves[:size]), _levels(leaves[count : count + size])
    return next((i + 1 for i in range(good, size) if _spliced(plain, shifted, i) == root), None)


def swapped(leaves: Sequence[bytes], size: int, root: bytes, good: int) -> tuple[int, int] | None:
    """The seq of two events that changed places: neighbours, or any two if there are few. None if none did."""
    if size > min(len(leaves), MAX_LEAVES) or size - good > MAX_PLACES:
        return None
    levels = _levels(leaves[:size])
    span = range(good, size)
    pairs = [(i, i + 1) for i in span[:-1]]
    if len(span) * (len(span) - 1) // 2 <= MAX_PAIRS:
        pairs += [(i, j) for i in span for j in range(i + 2, size)]
    for i, j in pairs:
        if _replaced(levels, {i: leaves[j], j: leaves[i]}) == root:
            return i + 1, j + 1
    return None


def _levels(leaves: Sequence[bytes]) -> Levels:
    """The tree over the leaves, lowest level first. A node without a sibling stands for itself a level higher."""
    levels = [list(leaves)]
    while len(below := levels[-1]) > 1:
        above = [node_hash(below[at], below[at + 1]) for at in range(0, len(below) - 1, 2)]
        levels.append(above + below[len(above) * 2 :])
    return levels


def _spliced(left: Levels, right: Levels, at: int) -> bytes:
    """The root of the tree whose first `at` leaves are `left`'s, and the others `right`'s; both have one size.

    On each level at most one node is of neither: the one that the seam goes through.
    """
    seam: bytes | None = None
    for level in range(len(left) - 1):
        first = at >> (level + 1) << 1  # of the two nodes below the seam's
        middle = (first + 1) << level
        if at == first << level:
            seam = None
            continue
        before = left[level][first] if middle <= at else seam
        after = seam if middle < at else right[level][first + 1] if first + 1 < len(right[level]) else None
        assert before is not None
        seam = before if after is None else node_hash(before, after)
    return seam or right[-1][0]


def _replaced(levels: Levels, changes: Mapping[int, bytes]) -> bytes:
    """The root of the tree with some leaves replaced."""
    for level in levels[:-1]:
        above = {}
        for at in {at >> 1 for at in changes}:
            pair = [changes.get(i, level[i]) for i in (2 * at, 2 * at + 1) if i < len(level)]
            above[at] = node_hash(*pair) if len(pair) == 2 else pair[0]
        changes = above
    return changes[0]
