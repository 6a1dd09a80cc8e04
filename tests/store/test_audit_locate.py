"""Finding the edit behind a root that differs, and putting trees together: held against trees hashed from nothing."""

import random

import pytest
from gofer.events.merkle import CompactRange, leaf_hash
from gofer.store.audit_fold import joined
from gofer.store.audit_locate import MAX_PAIRS, inserted, swapped

SIZES = (1, 2, 3, 4, 5, 7, 8, 9, 13, 16, 21)


def leaves_of(size: int) -> list[bytes]:
    return [leaf_hash(b"%d" % n) for n in range(size)]


def root_of(leaves: list[bytes]) -> bytes:
    return CompactRange().extended(leaves).root


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("count", [1, 2, 3])
def test_what_was_put_in_is_found_at_each_place(size: int, count: int) -> None:
    leaves = leaves_of(size)
    root = root_of(leaves)
    strange = [leaf_hash(b"strange %d" % n) for n in range(count)]
    for at in range(size):
        edited = leaves[:at] + strange + leaves[at:]
        assert inserted(edited, count, size, root, 0) == at + 1
        assert inserted(edited, count, size, root, at) == at + 1
        assert inserted(edited, count, size, root, at + 1) is None, "what is known to be right is not looked at"
        assert inserted(edited, count + 1, size, root, 0) is None


@pytest.mark.parametrize("size", SIZES[1:])
def test_what_changed_places_is_found(size: int) -> None:
    leaves = leaves_of(size)
    root = root_of(leaves)
    for one in range(size):
        for other in range(one + 1, size):
            edited = list(leaves)
            edited[one], edited[other] = edited[other], edited[one]
            assert swapped(edited, size, root, 0) == (one + 1, other + 1)
            assert swapped(edited, size, root, one + 1) is None


def test_among_many_only_neighbours_are_tried() -> None:
    size = 260
    assert size * (size - 1) // 2 > MAX_PAIRS
    leaves = leaves_of(size)
    root = root_of(leaves)
    near, far = list(leaves), list(leaves)
    near[200], near[201] = near[201], near[200]
    far[250], far[255] = far[255], far[250]
    assert swapped(near, size, root, 0) == (201, 202)
    assert swapped(far, size, root, 0) is None
    assert swapped(far, size, root, 240) == (251, 256), "fewer are left to try"


def test_another_edit_is_not_taken_for_one_of_these() -> None:
    leaves = leaves_of(20)
    root = root_of(leaves)
    changed = [*leaves[:7], leaf_hash(b"changed"), *leaves[8:]]
    assert inserted([*changed, leaf_hash(b"more")], 1, 20, root, 0) is None
    assert swapped(changed, 20, root, 0) is None
    assert inserted(leaves, 1, 20, root, 0) is None, "there is no event too many"
    assert swapped(leaves[:10], 20, root, 0) is None, "there are events too few"


def test_trees_are_joined_as_if_hashed_in_one_go() -> None:
    rng = random.Random(1)
    leaves = leaves_of(200)
    for _ in range(200):
        unit = 1 << rng.randrange(6)
        cut = unit * rng.randrange(1 + 100 // unit)
        end = cut + rng.randrange(unit + 1)
        left, right = CompactRange().extended(leaves[:cut]), CompactRange().extended(leaves[cut:end])
        assert joined(left, right) == CompactRange().extended(leaves[:end])


def test_a_tree_is_joined_only_where_its_subtrees_may_begin() -> None:
    with pytest.raises(ValueError, match="no subtree of 4 leaves begins at 2"):
        joined(CompactRange().extended(leaves_of(2)), CompactRange().extended(leaves_of(4)))
