"""Files of tiles: what is read where a partial tile has gone or grown, what is told, and what is left alone."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from gofer.events.merkle import leaf_hash
from gofer.events.tiles import Growth, Tile
from gofer.store.tiles import TileDamaged, has_tiles, read_edge, read_level, read_tile, write_tiles

LEAVES = [leaf_hash(b"%d" % n) for n in range(600)]


def write(folder: Path, size: int) -> None:
    grown = Growth()
    write_tiles(folder, grown.extended(LEAVES[:size]))
    write_tiles(folder, grown.edge())


def test_what_was_written_is_read(tmp_path: Path) -> None:
    assert not has_tiles(tmp_path)
    write(tmp_path, 600)
    assert has_tiles(tmp_path)
    assert read_level(tmp_path, 0, 600) == b"".join(LEAVES)
    assert len(read_level(tmp_path, 1, 600)) == 2 * 32
    assert [len(data) // 32 for data in read_edge(tmp_path, 600)] == [88, 2]


def test_a_partial_tile_is_read_out_of_the_full_one_that_it_became(tmp_path: Path) -> None:
    write(tmp_path, 600)
    assert read_tile(tmp_path, Tile(0, 1, 7)) == b"".join(LEAVES[256:263])


def test_a_partial_tile_is_read_out_of_a_wider_one(tmp_path: Path) -> None:
    write(tmp_path, 20)
    write(tmp_path, 120)
    (tmp_path / "tile/0/000.p/20").unlink()
    assert read_tile(tmp_path, Tile(0, 0, 20)) == b"".join(LEAVES[:20])
    with pytest.raises(TileDamaged, match=r"tile/0/000\.p/121 is missing"):
        read_tile(tmp_path, Tile(0, 0, 121))


def test_a_full_tile_is_not_put_together_from_a_partial_one(tmp_path: Path) -> None:
    write(tmp_path, 255)
    with pytest.raises(TileDamaged, match="tile/0/000 is missing") as told:
        read_tile(tmp_path, Tile(0, 0))
    assert told.value.tile == Tile(0, 0)


def test_a_tile_of_another_length_is_damaged(tmp_path: Path) -> None:
    write(tmp_path, 256)
    (tmp_path / "tile/0/000").write_bytes(bytes(8191))
    with pytest.raises(TileDamaged, match="tile/0/000 has 8191 bytes, not 8192"):
        read_tile(tmp_path, Tile(0, 0))
    (tmp_path / "tile/1/000.p/1").unlink()
    (tmp_path / "tile/1/000.p/1").mkdir()
    with pytest.raises(TileDamaged, match=r"tile/1/000\.p/1 cannot be read \(Is a directory\)"):
        read_tile(tmp_path, Tile(1, 0, 1))


@pytest.mark.parametrize("put", [os.mkfifo, lambda path: path.symlink_to("/dev/zero")])
def test_a_tile_that_is_no_regular_file_is_damaged_and_not_waited_for(
    tmp_path: Path, put: Callable[[Path], object]
) -> None:
    write(tmp_path, 300)
    path = tmp_path / "tile/0/000"
    path.unlink()
    put(path)
    with pytest.raises(TileDamaged, match=r"tile/0/000 cannot be read \(Not a regular file\)"):
        read_tile(tmp_path, Tile(0, 0))
    write(tmp_path, 300)
    assert read_tile(tmp_path, Tile(0, 0)) == b"".join(LEAVES[:256]), "it is replaced as any that is wrong"
    assert not path.is_symlink()


def test_partial_tiles_go_with_the_full_one_and_do_not_come_back(tmp_path: Path) -> None:
    write(tmp_path, 20)
    write(tmp_path, 300)
    write(tmp_path, 20)
    assert sorted(path.name for path in (tmp_path / "tile/0").iterdir()) == ["000", "001.p"]


def make_folder(path: Path) -> None:
    path.mkdir(parents=True)


def make_file(data: bytes) -> Callable[[Path], None]:
    def make(path: Path) -> None:
        path.parent.mkdir(parents=True)
        path.write_bytes(data)

    return make


@pytest.mark.parametrize(
    "make", [make_folder, make_file(b""), make_file(bytes(8192)), make_file(b"".join(LEAVES[:20]))]
)
def test_what_has_the_name_of_a_full_tile_and_is_none_does_not_stand_for_a_partial_one(
    tmp_path: Path, make: Callable[[Path], None]
) -> None:
    make(tmp_path / "tile/0/000")
    write(tmp_path, 20)
    assert (tmp_path / "tile/0/000.p/20").read_bytes() == b"".join(LEAVES[:20])
    assert read_edge(tmp_path, 20) == [b"".join(LEAVES[:20])]


def test_what_is_right_is_left_alone(tmp_path: Path) -> None:
    write(tmp_path, 600)
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    before = [path.stat().st_ino for path in files]
    (tmp_path / "tile/0/001").write_bytes(bytes(8192))
    write(tmp_path, 600)
    assert read_level(tmp_path, 0, 600) == b"".join(LEAVES), "and what is wrong is not"
    changed = [
        str(path.relative_to(tmp_path)) for path, was in zip(files, before, strict=True) if path.stat().st_ino != was
    ]
    assert changed == ["tile/0/001"]
