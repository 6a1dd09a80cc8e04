"""Keeping checkpoints: the key's file, the folder of notes, and that no size is signed twice."""

from collections.abc import Callable
from pathlib import Path

import pytest
from gofer.events.merkle import CompactRange, leaf_hash
from gofer.store.database import StoreError
from gofer.store.notary import Forked, Notary, NotKept, checkpoint_files


def tree_of(*leaves: bytes) -> CompactRange:
    return CompactRange().extended(leaf_hash(leaf) for leaf in leaves)


@pytest.fixture
def notary(tmp_path: Path) -> Notary:
    return Notary.open(tmp_path / "checkpoints", tmp_path / "log.key")


def test_the_key_is_made_once_and_is_private(tmp_path: Path, notary: Notary) -> None:
    assert (tmp_path / "log.key").stat().st_mode & 0o777 == 0o600
    again = Notary.open(tmp_path / "checkpoints", tmp_path / "log.key")
    assert again.public_key == notary.public_key


def test_the_newest_checkpoint_is_the_largest(notary: Notary, tmp_path: Path) -> None:
    assert notary.newest() is None
    notary.sign(tree_of(b"1", b"2"))
    notary.sign(tree_of(b"1"))
    newest = notary.newest()
    assert newest is not None
    assert (newest.size, newest.root) == (2, tree_of(b"1", b"2").root)
    assert len(list(checkpoint_files(tmp_path / "checkpoints"))) == 2


def test_signing_the_same_again_changes_nothing(notary: Notary) -> None:
    path = notary.sign(tree_of(b"1"))
    before = path.read_bytes()
    assert notary.sign(tree_of(b"1")) == path
    assert path.read_bytes() == before


def test_two_roots_for_one_size_are_never_signed(notary: Notary) -> None:
    path = notary.sign(tree_of(b"1"))
    before = path.read_bytes()
    with pytest.raises(Forked, match="another root"):
        notary.sign(tree_of(b"another"))
    assert path.read_bytes() == before
    assert list(path.parent.iterdir()) == [path], "no draft is left behind"


def test_a_broken_key_file_is_told(tmp_path: Path) -> None:
    (tmp_path / "log.key").write_text("nonsense")
    with pytest.raises(StoreError, match="not a signing key"):
        Notary.open(tmp_path / "checkpoints", tmp_path / "log.key")


def test_a_folder_that_cannot_be_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match="cannot be kept"):
        Notary.open(tmp_path / "file" / "checkpoints", tmp_path / "log.key")


def test_a_checkpoint_that_cannot_be_written_is_told_with_its_kind(notary: Notary, tmp_path: Path) -> None:
    (tmp_path / "checkpoints").rename(tmp_path / "elsewhere")
    with pytest.raises(NotKept, match="cannot be kept: No such file or directory") as told:
        notary.sign(tree_of(b"1"))
    assert told.value.kind == "ENOENT"
    (tmp_path / "checkpoints").write_text("a file")
    with pytest.raises(NotKept) as told:
        notary.sign(tree_of(b"1"))
    assert told.value.kind == "ENOTDIR"


@pytest.mark.parametrize("spoil", [lambda path: path.write_bytes(b"\xff"), lambda path: path.write_text("x")])
def test_a_note_that_is_none_is_told_and_not_taken_for_another_root(
    notary: Notary, spoil: Callable[[Path], object]
) -> None:
    path = notary.sign(tree_of(b"1"))
    spoil(path)
    for look in (notary.newest, lambda: notary.sign(tree_of(b"1"))):
        with pytest.raises(NotKept, match="restore it") as told:
            look()
        assert str(path) in str(told.value)
        assert str(path.parent) not in told.value.kind
