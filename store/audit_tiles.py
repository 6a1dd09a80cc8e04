"""Holding the tiles against the signed checkpoints, and the log against the tiles: which events are not as signed."""

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

import msgspec

from ..events.merkle import HASH_BYTES, CompactRange, leaf_hash
from ..events.tiles import (
    WIDTH,
    Growth,
    Tile,
    edge_tiles,
    levels_above,
    root_of_tile,
    split,
    tiles_at,
    top_level,
    tree_of_levels,
)
from .archive import SegmentMissing, read_segment, segments
from .audit_edits import edits
from .audit_fold import Finding, Fold
from .audit_walk import LogFile
from .log import LogDamaged
from .schema import DATA
from .tiles import TileDamaged, has_tiles, read_level, read_tile

MAX_TOLD: Final = 20  # tiles that are wrong: to see to one is to see to all
_REMEDY: Final = "restore it, or delete the folder `tile`: the next checkpoint writes it anew"


class Evidence(msgspec.Struct, frozen=True):
    """A folder of tiles, and the size of a signed tree that they should have."""

    folder: Path
    size: int


class Vouched(msgspec.Struct, frozen=True):
    """How many leaves are known from the tiles, and whether the log is another up to there."""

    size: int = 0
    altered: bool = False


NOTHING: Final = Vouched()  # as without tiles


def judge_tiles(log: LogFile, fold: Fold, evidence: Evidence, roots: Mapping[int, bytes]) -> Vouched:
    """Find where the log, which is folded to its head, is not what the tiles say, and where these are not as signed.

    `roots` are the signed ones by size, that of the evidence among them.
    """
    if _are_one(fold, evidence, roots[evidence.size]):
        return Vouched(evidence.size)
    signed, findings = _signed_leaves(evidence, roots)
    seqs, there = _leaves_there(log, signed)
    found = edits(signed, there, seqs)
    fold.findings += findings
    fold.findings += [Finding("checkpoint", edit.seq, edit.text) for edit in found]
    return Vouched(len(signed), altered=bool(found))


def _are_one(fold: Fold, evidence: Evidence, root: bytes) -> bool:
    """Whether log and tiles are alike, and as signed: told by what the fold has hashed already, at little cost."""
    size = evidence.size
    tree = fold.cuts.get(size) if size else CompactRange()
    if tree is None or tree.root != root:
        return False
    try:
        levels = [read_level(evidence.folder, level, size) for level in range(top_level(size) + 1)]
    except TileDamaged:
        return False
    if tree_of_levels(size, levels) != tree or (len(levels) > 1 and levels_above(levels[1]) != levels[2:]):
        return False
    hashes = memoryview(levels[0])
    spans = [span for span in fold.spans if span.upto <= size]
    return sum(span.upto - span.after for span in spans) == size and all(
        hashlib.sha256(hashes[span.after * HASH_BYTES : span.upto * HASH_BYTES]).digest() == span.sha256
        for span in spans
    )


def _signed_leaves(evidence: Evidence, roots: Mapping[int, bytes]) -> tuple[list[bytes], list[Finding]]:
    """As many leaves as the tiles have in which a signed root is found, and what is wrong with the tiles."""
    if not has_tiles(evidence.folder):
        return [], [Finding("tiles", 0, f"all are missing; {_REMEDY}")]
    size = evidence.size
    kept: dict[Tile, bytes] = {}
    wrong: list[str] = []
    for level in range(top_level(size) + 1):
        for tile in tiles_at(level, size):
            try:
                kept[tile] = read_tile(evidence.folder, tile)
            except TileDamaged as error:
                wrong.append(str(error))
    leaves: list[bytes] = []
    for tile in tiles_at(0, size):
        if tile not in kept:
            break
        leaves += split(kept[tile])

    grown = Growth()
    due = dict(grown.extended(leaves))
    due.update(grown.edge())
    if grown.tree.root == roots[size]:
        wrong += [f"{tile.path} is not what those below it give" for tile in kept if kept[tile] != due[tile]]
        known = size
    else:
        if grown.size == size > 0:
            edge = edge_tiles(size)[0].path
            wrong += _misfits(kept) or [
                "one of level 0 is not what was signed: those above it would tell which"
                if wrong
                else f"{edge}, or another at the tree's edge, is not what was signed"
            ]
        known = _longest_signed(leaves, roots)
    if len(wrong) > MAX_TOLD:
        wrong[MAX_TOLD:] = [f"{len(wrong) - MAX_TOLD} more are wrong"]
    return leaves[:known], [Finding("tiles", 0, f"{text}; {_REMEDY}") for text in wrong]


def _misfits(kept: Mapping[Tile, bytes]) -> list[str]:
    """What to say of each full tile of which the one above has another hash than it gives."""
    found = []
    for above, entries in kept.items():
        for n, entry in enumerate(split(entries) if above.level else ()):
            tile = Tile(above.level - 1, above.index * WIDTH + n)
            if tile in kept and root_of_tile(kept[tile]) != entry:
                found.append(f"{tile.path} does not fit {above.path}, which is above it")
    return found


def _longest_signed(leaves: Sequence[bytes], roots: Mapping[int, bytes]) -> int:
    """The size of the largest signed tree that the first leaves give; 0 if there is none."""
    tree, known = CompactRange(), 0
    for size in sorted(size for size in roots if size <= len(leaves)):
        tree = tree.extended(leaves[tree.size : size])
        known = size if tree.root == roots[size] else known
    return known


def _leaves_there(log: LogFile, signed: Sequence[bytes]) -> tuple[list[int], list[bytes]]:
    """Each event's seq, and the hash of its bytes. In place of a segment that is lost stands what was signed."""
    there: list[bytes] = []
    for segment in segments(log.db):
        first = len(there) + 1
        try:
            there += [leaf_hash(data) for _, data in read_segment(log.segments, segment, first)]
        except (SegmentMissing, LogDamaged):
            del there[first - 1 :]
            there += signed[first - 1 : segment.upto]
    seqs = list(range(1, len(there) + 1))
    query = f"SELECT seq, {DATA} FROM event WHERE seq > ? ORDER BY seq"  # noqa: S608 - a constant
    for seq, data in log.db.execute(query, (len(there),)):
        assert isinstance(seq, int)
        assert isinstance(data, bytes)
        seqs.append(seq)
        there.append(leaf_hash(data))
    return seqs, there
