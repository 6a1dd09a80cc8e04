"""The Merkle tree, held against published roots, an independent implementation, and forged proofs."""

import random

import pytest
from attestroot import merkle as independent
from gofer.events.merkle import (
    EMPTY_ROOT,
    CompactRange,
    ProofError,
    Tree,
    check_inclusion,
    leaf_hash,
)
from hypothesis import given
from hypothesis import strategies as st

# The leaves and the roots of their first 1..8 that Certificate Transparency's reference implementation is tested on.
PUBLISHED_LEAVES = (
    "", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f",
)  # fmt: skip
PUBLISHED_ROOTS = (
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
)

sizes = st.integers(min_value=1, max_value=200)


LEAVES = [leaf_hash(str(n).encode()) for n in range(1000)]


def leaves_of(size: int) -> list[bytes]:
    return LEAVES[:size]


def test_published_roots() -> None:
    leaves = [leaf_hash(bytes.fromhex(leaf)) for leaf in PUBLISHED_LEAVES]
    for size, root in enumerate(PUBLISHED_ROOTS, 1):
        assert Tree(leaves[:size]).root.hex() == root
        assert CompactRange().extended(leaves[:size]).root.hex() == root
    assert Tree([]).root == CompactRange().root == EMPTY_ROOT
    assert EMPTY_ROOT.hex() == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"


@pytest.mark.parametrize("size", [*range(1, 70), 127, 128, 129, 1000])
def test_an_independent_implementation_agrees(size: int) -> None:
    leaves = leaves_of(size)
    tree = Tree(leaves)
    assert tree.root == independent.root_from_leaf_hashes(leaves)
    for index in {0, size // 3, size // 2, size - 1}:
        path = tree.inclusion(index)
        check_inclusion(leaves[index], index, size, path, tree.root)
        theirs = independent.inclusion_proof(leaves, index)
        assert list(path) == list(theirs)


@given(first=sizes, second=sizes)
def test_a_range_grows_in_any_steps(first: int, second: int) -> None:
    leaves = leaves_of(first + second)
    grown = CompactRange().extended(leaves[:first]).extended(leaves[first:])
    assert grown == CompactRange().extended(leaves)
    assert grown == CompactRange().grown(leaves[:first]).grown(leaves[first:])
    assert grown.root == Tree(leaves).root
    assert CompactRange.from_bytes(grown.size, grown.to_bytes()) == grown


def test_a_range_of_the_wrong_length_is_refused() -> None:
    with pytest.raises(ValueError, match="no compact range"):
        CompactRange.from_bytes(3, b"x" * 32)


def test_no_mutation_of_a_valid_proof_passes() -> None:
    """Random forgeries: another leaf, index, size or root; a path flipped, cut, grown or reordered."""
    rng = random.Random(6962)
    forged = 0
    for _ in range(20_000):
        size = rng.randrange(1, 300)
        index = rng.randrange(size)
        leaves = leaves_of(size)
        tree = _trees.setdefault(size, Tree(leaves))
        leaf, path, root = leaves[index], list(tree.inclusion(index)), tree.root
        honest = (leaf, index, size, tuple(path), root)
        match rng.randrange(8):
            case 0:
                leaf = flipped(rng, leaf)
            case 1:
                root = flipped(rng, root)
            case 2:
                index = rng.randrange(-1, size + 2)
            case 3 if path:
                at = rng.randrange(len(path))
                path[at] = flipped(rng, path[at])
            case 4 if path:
                del path[rng.randrange(len(path))]
            case 5:
                path.insert(rng.randrange(len(path) + 1), rng.randbytes(32))
            case 6 if len(path) > 1:
                rng.shuffle(path)
            case 7 if path:
                at = rng.randrange(len(path))
                path[at] = path[at][: rng.randrange(32)]
        if (leaf, index, size, tuple(path), root) == honest:
            continue
        forged += 1
        with pytest.raises(ProofError):
            check_inclusion(leaf, index, size, path, root)
    assert forged > 15_000


_trees: dict[int, Tree] = {}


def flipped(rng: random.Random, data: bytes) -> bytes:
    at = rng.randrange(len(data))
    return data[:at] + bytes([data[at] ^ (1 << rng.randrange(8))]) + data[at + 1 :]
