"""Holding a log against what its roots should be: its tree, the marks in it, and signed checkpoints."""

from collections.abc import Iterable, Iterator
from typing import Literal

import apsw
import msgspec

from ..events.merkle import CompactRange
from .audit_fold import Finding, Fold
from .audit_locate import inserted, swapped
from .audit_tiles import NOTHING, Vouched
from .audit_walk import LogFile, leaf_hashes
from .database import StoreError
from .log import LogDamaged, read_tree


class Root(msgspec.Struct, frozen=True):
    """What the root of the first `size` events should be, who says so, and if they know it the tree that has it."""

    kind: Literal["checkpoint", "tree"]
    source: str
    size: int
    root: bytes
    tree: CompactRange | None = None


def kept_roots(db: apsw.Connection, findings: list[Finding]) -> Iterator[Root]:
    """What the database itself says: the tree as the last commit left it, and as it was at each mark."""
    try:
        tree = read_tree(db)
        yield Root("tree", "the tree", tree.size, tree.root, tree)
    except (LogDamaged, TypeError) as error:
        findings.append(Finding("tree", 0, f"the row of the tree is damaged: {error}"))
    for size, subtrees in db.execute("SELECT size, subtrees FROM checkpoint"):
        try:
            tree = CompactRange.from_bytes(size, subtrees)
            yield Root("tree", f"the mark at {size}", size, tree.root, tree)
        except ValueError as error:
            findings.append(Finding("tree", 0, f"the mark at {size} is damaged: {error}"))


def judge_roots(log: LogFile, fold: Fold, roots: Iterable[Root], vouched: Vouched = NOTHING) -> None:
    """Find where the log, which is folded to its head, is not what `roots` say.

    `vouched` is what came of its tiles. Of several roots that contradict it the first of a kind is told: those behind
    that cannot but contradict it too.
    """
    roots = sorted(roots, key=lambda root: (root.size, root.kind))
    trees = {(root.size, root.root): root.tree for root in roots if root.tree}
    # So many events are right by a checkpoint, and by whatever says so.
    signed = good = 0 if vouched.altered else vouched.size
    told = {"checkpoint"} if vouched.altered else set[str]()
    in_tree = max((root.size for root in roots if root.source == "the tree"), default=fold.position)
    for root in roots:
        ours = fold.cuts.get(root.size) if root.size else CompactRange()
        right = signed if root.kind == "checkpoint" else good
        if ours is not None and ours.root == root.root:
            if root.kind not in told:
                good = max(good, root.size)
                signed = max(signed, root.size) if root.kind == "checkpoint" else signed
        elif root.kind in told or (ours is None and root.size <= fold.position):
            continue  # known already, or not to be known: events are missing
        elif ours is None:
            told.add(root.kind)
            text = f"it and all up to {root.size} are missing: {root.source} has them"
            fold.findings.append(Finding(root.kind, fold.position + 1, text))
        elif root.size <= right:
            text = f"{root.source} is of other events; these are as another checkpoint or mark has them"
            fold.findings.append(Finding(root.kind, 0, text))
        else:
            told.add(root.kind)
            counts = {1, fold.position - in_tree, fold.position - root.size}
            theirs = trees.get((root.size, root.root))
            fold.findings.append(_locate(log, fold, root, ours, theirs, right, counts))
    if in_tree < fold.position and "tree" not in told:
        text = f"it and all up to {fold.position} are in no tree: they were added past the log's writer"
        fold.findings.append(Finding("tree", in_tree + 1, text))


def _locate(
    log: LogFile,
    fold: Fold,
    root: Root,
    ours: CompactRange,
    theirs: CompactRange | None,
    good: int,
    counts: set[int],
) -> Finding:
    """The finding of a root that differs, as exact as can be: the first `good` events are right.

    It is at an event in its range that is known to be amiss already, or at what was put in (as many events as one of
    `counts`) or changed places, if undoing that gives the root. Else it is within the first subtree that differs, as
    far as subtrees are known.
    """
    first, last = good + 1, root.size
    if theirs is not None and theirs != ours:
        begin, end = _differing(ours, theirs)
        first, last = max(first, begin), end
    text = f"the events are not those of {root.source}"
    amiss = min((f.seq for f in fold.findings if first <= f.seq <= last and f.kind != "tree"), default=None)
    if amiss is not None:
        return Finding(root.kind, amiss, text)
    try:
        leaves = leaf_hashes(log, fold.position)
    except StoreError:  # a segment is lost, and that is told
        return Finding(root.kind, first, text, upto=last)
    for count in sorted(counts):
        seq = inserted(leaves, count, root.size, root.root, good)
        if seq is not None:
            more = f" with {count - 1} more" if count > 1 else ""
            return Finding(root.kind, seq, f"{text}: it was put in{more}")
    pair = swapped(leaves, root.size, root.root, good)
    if pair is not None:
        return Finding(root.kind, pair[0], f"{text}: it and event {pair[1]} changed places")
    return Finding(root.kind, first, text, upto=last)


def _differing(ours: CompactRange, theirs: CompactRange) -> tuple[int, int]:
    """The first and last event of the first subtree in which two trees of one size differ."""
    at, rest = 0, ours.size
    for our, their in zip(ours.subtrees, theirs.subtrees, strict=True):
        size = 1 << (rest.bit_length() - 1)
        if our != their:
            return at + 1, at + size
        at, rest = at + size, rest - size
    raise AssertionError("they are one")
