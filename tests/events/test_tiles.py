"""The tree cut into tiles: the layout by hand, and against trees that are hashed from nothing."""

import pytest
from gofer.events.merkle import CompactRange, leaf_hash, node_hash
from gofer.events.tiles import (
    TILE_BYTES,
    Growth,
    Tile,
    edge_tiles,
    levels_above,
    root_of_tile,
    tiles_at,
    top_level,
    tree_of_levels,
)
from hypothesis import given, settings
from hypothesis import strategies as st

LEAVES = [leaf_hash(b"%d" % n) for n in range(66_000)]
SIZES = (0, 1, 2, 255, 256, 257, 511, 512, 65_535, 65_536, 65_537, 65_536 + 256)


def grown(*sizes: int) -> tuple[Growth, dict[Tile, bytes]]:
    """A tree that grew by so many leaves each time, from the partial tiles of the time before; all its tiles."""
    growth, tiles = Growth(), dict[Tile, bytes]()
    for size in sizes:
        growth = Growth(growth.size, [data for _, data in growth.edge()])
        for tile, data in growth.extended(LEAVES[growth.size : growth.size + size]):
            assert tile not in tiles, "a tile becomes full once"
            tiles[tile] = data
    return growth, tiles | dict(growth.edge())


@pytest.mark.parametrize(
    ("tile", "path"),
    [
        (Tile(0, 0), "tile/0/000"),
        (Tile(0, 999), "tile/0/999"),
        (Tile(0, 1000), "tile/0/x001/000"),
        (Tile(2, 1_234_067), "tile/2/x001/x234/067"),
        (Tile(0, 1_000_000), "tile/0/x001/x000/000"),
        (Tile(1, 5, 1), "tile/1/005.p/1"),
        (Tile(0, 1_234_067, 255), "tile/0/x001/x234/067.p/255"),
    ],
)
def test_a_tile_lies_where_tlog_tiles_puts_it(tile: Tile, path: str) -> None:
    assert tile.path == path


def test_the_tiles_of_a_tree_are_those_of_the_examples_in_tlog_tiles() -> None:
    counts = [[(tile.index, tile.width) for tile in tiles_at(level, 70_000)] for level in range(3)]
    assert [len(tiles) for tiles in counts] == [274, 2, 1]
    assert [tiles[-1] for tiles in counts] == [(273, 112), (1, 17), (0, 1)]
    assert top_level(70_000) == 2
    assert [*tiles_at(0, 256), *tiles_at(1, 256)] == [Tile(0, 0), Tile(1, 0, 1)]


def test_the_hashes_of_a_tile_are_those_of_its_level() -> None:
    _, tiles = grown(65_537)
    assert tiles[Tile(0, 255)] == b"".join(LEAVES[65_280:65_536])
    assert tiles[Tile(0, 256, 1)] == LEAVES[65_536]
    assert tiles[Tile(1, 0)][32:64] == CompactRange().extended(LEAVES[256:512]).root
    assert tiles[Tile(2, 0, 1)] == CompactRange().extended(LEAVES[:65_536]).root
    two = node_hash(LEAVES[0], LEAVES[1])
    assert CompactRange().extended([LEAVES[0], LEAVES[1]]).root == two
    assert root_of_tile(tiles[Tile(0, 0)]) == tiles[Tile(1, 0)][:32]


@pytest.mark.parametrize("size", SIZES)
def test_each_size_has_its_tiles_and_they_give_its_root(size: int) -> None:
    growth, tiles = grown(size)
    levels = [list(tiles_at(level, size)) for level in range(top_level(size) + 1)]
    assert sorted(tiles, key=lambda tile: tile.path) == sorted(
        (tile for level in levels for tile in level), key=lambda tile: tile.path
    )
    assert all(len(data) == tile.width * 32 for tile, data in tiles.items())
    hashes = [b"".join(tiles[tile] for tile in level) for level in levels]
    assert growth.tree == tree_of_levels(size, hashes) == CompactRange().extended(LEAVES[:size])
    assert levels_above(hashes[0]) == hashes[1:]
    assert edge_tiles(size) == [tile for tile, _ in growth.edge()]
    assert all(tile.width * 32 < TILE_BYTES for tile in edge_tiles(size))


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from([0, 1, 2, 100, 255, 256, 257, 600, 5_000]), max_size=12))
def test_how_a_tree_grew_does_not_tell_in_its_tiles(steps: list[int]) -> None:
    growth, tiles = grown(*steps)
    size = sum(steps)
    assert growth.size == size
    assert growth.tree == CompactRange().extended(LEAVES[:size])
    assert tiles.items() >= grown(size)[1].items()
