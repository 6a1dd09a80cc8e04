"""Keeping checkpoints: the key's file, the folder of notes and tiles, and that no size is signed twice."""

import errno
import fcntl
import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import count, pairwise
from pathlib import Path

import pytest
from gofer.events.merkle import CompactRange, leaf_hash
from gofer.events.tiles import Growth, edge_tiles
from gofer.store import files
from gofer.store.archive import SegmentMissing
from gofer.store.database import StoreError
from gofer.store.log import LogDamaged
from gofer.store.notary import Forked, Notary, NotKept, checkpoint_files
from gofer.store.tiles import read_edge, read_level

LEAVES = [leaf_hash(b"%d" % n) for n in range(1_000)]


def sign(notary: Notary, leaves: Sequence[bytes]) -> Path:
    return notary.sign(CompactRange().extended(leaves), lambda after: leaves[after:])


def leaves_of(*events: bytes) -> list[bytes]:
    return [leaf_hash(event) for event in events]


def kept(folder: Path) -> dict[str, bytes]:
    """Each file in the folder, and what is in it."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def tiles_of(leaves: Sequence[bytes]) -> dict[str, bytes]:
    """The tiles that a tree of these leaves has."""
    grown = Growth()
    return {tile.path: data for tile, data in [*grown.extended(leaves), *grown.edge()]}


@pytest.fixture
def notary(tmp_path: Path) -> Notary:
    return Notary.open(tmp_path / "checkpoints", tmp_path / "log.key")


def test_the_key_is_made_once_and_is_private(tmp_path: Path, notary: Notary) -> None:
    assert (tmp_path / "log.key").stat().st_mode & 0o777 == 0o600
    again = Notary.open(tmp_path / "checkpoints", tmp_path / "log.key")
    assert again.public_key == notary.public_key


def test_the_newest_checkpoint_is_the_largest(notary: Notary, tmp_path: Path) -> None:
    assert notary.newest() is None
    sign(notary, leaves_of(b"1", b"2"))
    sign(notary, leaves_of(b"1"))
    newest = notary.newest()
    assert newest is not None
    assert (newest.size, newest.root) == (2, CompactRange().extended(leaves_of(b"1", b"2")).root)
    assert len(list(checkpoint_files(tmp_path / "checkpoints"))) == 2


def test_signing_the_same_again_changes_nothing(notary: Notary) -> None:
    path = sign(notary, leaves_of(b"1"))
    before = {file: (file.stat().st_ino, file.read_bytes()) for file in path.parent.rglob("*") if file.is_file()}
    assert sign(notary, leaves_of(b"1")) == path
    assert {file: (file.stat().st_ino, file.read_bytes()) for file in before} == before
    assert kept(path.parent).keys() == {path.name, "checkpoint", "tile/0/000.p/1"}


def test_two_roots_for_one_size_are_never_signed(notary: Notary) -> None:
    path = sign(notary, leaves_of(b"1"))
    before = kept(path.parent)
    with pytest.raises(Forked, match="another root"):
        sign(notary, leaves_of(b"another"))
    assert kept(path.parent) == before, "nothing is changed, and no draft is left behind"


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
        sign(notary, leaves_of(b"1"))
    assert told.value.kind == "ENOENT"
    (tmp_path / "checkpoints").write_text("a file")
    with pytest.raises(NotKept) as told:
        sign(notary, leaves_of(b"1"))
    assert told.value.kind == "ENOTDIR"


@pytest.mark.parametrize("name", ["checkpoint", "tile/0/000", "tile/0/001.p/44", "tile/1/000.p/1"])
def test_a_folder_in_the_way_is_named_and_not_the_draft(notary: Notary, tmp_path: Path, name: str) -> None:
    path = tmp_path / "checkpoints" / name
    path.mkdir(parents=True)
    with pytest.raises(NotKept) as told:
        sign(notary, LEAVES[:300])
    assert str(told.value) == f"checkpoints cannot be kept: Is a directory: {path}"


@pytest.mark.parametrize("name", ["open", "fsync", "link", "replace"])
def test_whichever_operation_fails_no_draft_is_named(
    notary: Notary, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    call = getattr(os, name)

    def full(*arguments: object) -> object:
        if name == "open" and "checkpoints/tile/" not in str(arguments[0]):
            return call(*arguments)
        raise OSError(errno.ENOSPC, "No space left on device", *map(str, arguments))

    monkeypatch.setattr(files.os, name, full)
    with pytest.raises(NotKept) as told:
        sign(notary, LEAVES[:5])
    target = "00000000000000000005.checkpoint" if name == "link" else "tile/0/000.p/5"
    assert str(told.value) == f"checkpoints cannot be kept: No space left on device: {tmp_path}/checkpoints/{target}"


@pytest.mark.parametrize("spoil", [lambda path: path.write_bytes(b"\xff"), lambda path: path.write_text("x")])
def test_a_note_that_is_none_is_told_and_not_taken_for_another_root(
    notary: Notary, spoil: Callable[[Path], object]
) -> None:
    path = sign(notary, leaves_of(b"1"))
    spoil(path)
    for look in (notary.newest, lambda: sign(notary, leaves_of(b"1"))):
        with pytest.raises(NotKept, match="restore it") as told:
            look()
        assert str(path) in str(told.value)
        assert str(path.parent) not in told.value.kind


@pytest.mark.parametrize("name", ["zzz", "9" * 19, "9" * 21, "٣" * 20])
def test_a_file_that_is_named_as_no_note_is_no_newest_one(notary: Notary, name: str) -> None:
    path = sign(notary, leaves_of(b"1", b"2"))
    old = sign(notary, leaves_of(b"1"))
    shutil.copy(old, path.with_name(f"{name}.checkpoint"))
    newest = notary.newest()
    assert newest is not None
    assert newest.size == 2
    shutil.rmtree(path.parent / "tile")
    with pytest.raises(Forked, match="the first 2 events are not those that were signed"):
        sign(notary, leaves_of(b"1", b"another", b"3"))


def test_an_old_note_under_a_greater_name_is_told_and_nothing_is_signed_behind_it(notary: Notary) -> None:
    path = sign(notary, leaves_of(b"1"))
    copy = path.with_name(f"{'9' * 20}.checkpoint")
    shutil.copy(path, copy)
    before = kept(path.parent)
    for look in (notary.newest, lambda: sign(notary, leaves_of(b"another", b"2"))):
        with pytest.raises(NotKept, match="it is of 1 events, which is not what its name says; move it away") as told:
            look()
        assert str(copy) in str(told.value)
        assert told.value.kind == "Misnamed"
    assert kept(path.parent) == before


@pytest.mark.parametrize("put", [os.mkfifo, lambda path: path.symlink_to("/dev/zero")])
def test_a_note_that_is_no_regular_file_is_told_and_not_waited_for(
    notary: Notary, put: Callable[[Path], object]
) -> None:
    path = sign(notary, leaves_of(b"1"))
    path.unlink()
    put(path)
    with pytest.raises(NotKept, match="Not a regular file") as told:
        notary.newest()
    assert str(path) in str(told.value)


# ---------------------------------------------------------------- tiles


@pytest.mark.parametrize("sizes", [[3], [255, 256], [256, 257], [1, 2, 300], [0, 511, 512], [100, 1_000]])
def test_the_tiles_of_what_is_signed_are_there_and_give_its_root(
    notary: Notary, tmp_path: Path, sizes: list[int]
) -> None:
    folder = tmp_path / "checkpoints"
    for size in sizes:
        path = sign(notary, LEAVES[:size])
        assert path.read_bytes() == (folder / "checkpoint").read_bytes()
        assert read_level(folder, 0, size) == b"".join(LEAVES[:size])
    files = kept(folder)
    assert files.items() >= tiles_of(LEAVES[: sizes[-1]]).items()
    for size in sizes:  # an older reader finds its partial tiles, in the full ones if they became that
        assert Growth(size, read_edge(folder, size)).tree == CompactRange().extended(LEAVES[:size])
    full = [name for name in files if ".p/" not in name]
    assert not any(name.startswith(f"{each}.p/") for name in files for each in full), "partial ones go with the full"
    assert not any(name.startswith("tile/entries") for name in files), "what events say stays private"
    assert all((folder / name).stat().st_mode & 0o777 == 0o644 for name in files)


@pytest.mark.parametrize(("umask", "of_files", "of_folders"), [(0o022, 0o644, 0o755), (0o077, 0o600, 0o700)])
def test_the_umask_says_who_may_read_notes_and_tiles(
    tmp_path: Path, umask: int, of_files: int, of_folders: int
) -> None:
    before = os.umask(umask)
    try:
        sign(Notary.open(tmp_path / "checkpoints", tmp_path / "log.key"), LEAVES[:300])
    finally:
        os.umask(before)
    paths = [tmp_path / "checkpoints", *(tmp_path / "checkpoints").rglob("*")]
    assert {path.stat().st_mode & 0o777 for path in paths if path.is_file()} == {of_files}
    assert {path.stat().st_mode & 0o777 for path in paths if path.is_dir()} == {of_folders}


def test_only_the_leaves_since_the_last_checkpoint_are_asked_for(notary: Notary) -> None:
    asked: list[int] = []

    def leaves(after: int) -> Iterator[bytes]:
        for n in range(after, 600):
            asked.append(n)
            yield LEAVES[n]

    notary.sign(CompactRange().extended(LEAVES[:300]), leaves)
    assert asked == [*range(300)]
    asked.clear()
    notary.sign(CompactRange().extended(LEAVES[:310]), leaves)
    assert asked == [*range(300, 310)]
    asked.clear()
    notary.sign(CompactRange().extended(LEAVES[:310]), leaves)
    assert asked == []


def lose_all(folder: Path) -> None:
    shutil.rmtree(folder / "tile")


def lose_the_edge(folder: Path) -> None:
    (folder / "tile/0/001.p/44").unlink()


def change_the_edge(folder: Path) -> None:
    (folder / "tile/0/001.p/44").write_bytes(bytes(44 * 32))


def cut_the_edge(folder: Path) -> None:
    (folder / "tile/1/000.p/1").write_bytes(b"")


def lose_all_and_a_full_one_is_wrong(folder: Path) -> None:
    lose_the_edge(folder)
    (folder / "tile/0/000").write_bytes(bytes(8192))


@pytest.mark.parametrize(
    "harm", [lose_all, lose_the_edge, change_the_edge, cut_the_edge, lose_all_and_a_full_one_is_wrong]
)
def test_tiles_that_are_lost_or_damaged_are_written_anew(
    notary: Notary, tmp_path: Path, harm: Callable[[Path], None]
) -> None:
    sign(notary, LEAVES[:300])
    harm(tmp_path / "checkpoints")
    sign(notary, LEAVES[:310])
    assert kept(tmp_path / "checkpoints").items() >= tiles_of(LEAVES[:310]).items()


def test_a_leftover_full_tile_ahead_of_the_tree_spoils_no_later_checkpoint(notary: Notary, tmp_path: Path) -> None:
    sign(notary, LEAVES[:300])
    (tmp_path / "checkpoints/tile/0/001").write_bytes(bytes(8192))
    for size in (310, 400, 600):
        sign(notary, LEAVES[:size])
        assert kept(tmp_path / "checkpoints").items() >= tiles_of(LEAVES[:size]).items()


@pytest.mark.parametrize("harm", [lose_all, lose_the_edge, change_the_edge])
def test_another_log_gets_no_tiles_over_those_that_were_signed(
    notary: Notary, tmp_path: Path, harm: Callable[[Path], None]
) -> None:
    sign(notary, LEAVES[:300])
    harm(tmp_path / "checkpoints")
    before = kept(tmp_path / "checkpoints")
    with pytest.raises(Forked, match="the first 300 events are not those that were signed"):
        sign(notary, [LEAVES[-1], *LEAVES[1:310]])
    assert kept(tmp_path / "checkpoints") == before


def test_what_an_older_note_would_contradict_is_not_signed(notary: Notary, tmp_path: Path) -> None:
    sign(notary, LEAVES[:300])
    before = kept(tmp_path / "checkpoints")
    with pytest.raises(Forked, match="290 events are not the first of those that were signed"):
        sign(notary, [LEAVES[-1], *LEAVES[1:290]])
    assert kept(tmp_path / "checkpoints") == before
    sign(notary, LEAVES[:290])
    after = kept(tmp_path / "checkpoints")
    assert after["tile/0/001.p/34"] == b"".join(LEAVES[256:290]), "each signed size has its partial tiles"
    assert after["checkpoint"] == before["checkpoint"], "and the newest stays the newest"


def test_a_root_that_the_leaves_do_not_give_is_not_signed(notary: Notary, tmp_path: Path) -> None:
    sign(notary, LEAVES[:300])
    tree = CompactRange().extended(LEAVES[:700])
    for other in (LEAVES[:699], [*LEAVES[:500], LEAVES[-1], *LEAVES[501:700]]):
        with pytest.raises(LogDamaged, match="the leaves of the log are not those of its tree of 700 events"):
            notary.sign(tree, lambda after: other[after:])  # noqa: B023 - called at once
        newest = notary.newest()
        assert newest is not None
        assert newest.size == 300
    sign(notary, LEAVES[:700])
    assert kept(tmp_path / "checkpoints").items() >= tiles_of(LEAVES[:700]).items(), "what was wrong is replaced"


def test_leaves_that_are_not_at_hand_are_told_as_what_keeps_it_from_signing(notary: Notary) -> None:
    def lost(after: int) -> Iterator[bytes]:
        raise SegmentMissing("elsewhere")
        yield

    with pytest.raises(NotKept, match="checkpoints cannot be kept: elsewhere") as told:
        notary.sign(CompactRange().extended(LEAVES[:5]), lost)
    assert told.value.kind == "SegmentMissing"


def test_one_signs_at_a_time(notary: Notary, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gofer.store.notary.PATIENCE_S", 0)
    descriptor = os.open(tmp_path / "checkpoints", os.O_RDONLY)
    fcntl.flock(descriptor, fcntl.LOCK_EX)
    with pytest.raises(NotKept, match="another gofer signs into") as told:
        sign(notary, LEAVES[:5])
    assert told.value.kind == "EAGAIN"
    os.close(descriptor)
    sign(notary, LEAVES[:5])


# ---------------------------------------------------------------- crashes and faults


class Crash(BaseException):
    """The process is gone."""


@contextmanager
def failing(nth: int, error: Callable[[], BaseException], *, for_good: bool) -> Iterator[list[str]]:
    """The `nth` operation on a file fails, and if `for_good` all after it; which there were."""
    done: list[str] = []

    def guard(name: str, call: Callable[..., object]) -> Callable[..., object]:
        def guarded(*arguments: object, **named: object) -> object:
            done.append(name)
            if len(done) == nth or (for_good and len(done) > nth):
                raise error()
            return call(*arguments, **named)

        return guarded

    with pytest.MonkeyPatch.context() as patch:
        for name in ("open", "fsync", "link", "replace", "unlink", "mkdir", "rmdir"):
            patch.setattr(files.os, name, guard(name, getattr(os, name)))
        yield done


STEPS = [0, 100, 300, 513]  # sizes that are signed one after the other, each with a crash on the way


@pytest.mark.parametrize(("signed", "size"), list(pairwise(STEPS)))
def test_after_a_crash_at_any_operation_signing_again_converges(
    notary: Notary, tmp_path: Path, signed: int, size: int
) -> None:
    folder = tmp_path / "checkpoints"
    if signed:
        sign(notary, LEAVES[:signed])
    model = tmp_path / "model"
    folder.rename(model)
    for nth in count(1):
        shutil.copytree(model, folder)
        with failing(nth, Crash, for_good=True) as done:
            try:
                sign(notary, LEAVES[:size])
            except Crash:
                crashed = True
            else:
                crashed = False
        newest = notary.newest()
        if newest is not None:  # whatever is signed has its tiles, wherever it stopped
            assert read_level(folder, 0, newest.size) == b"".join(LEAVES[: newest.size])
            assert Growth(newest.size, read_edge(folder, newest.size)).tree.root == newest.root
        sign(notary, LEAVES[:size])
        assert kept(folder).items() >= tiles_of(LEAVES[:size]).items()
        assert (folder / "checkpoint").read_bytes() == checkpoint_files(folder)[0].read_bytes()
        shutil.rmtree(folder)
        if not crashed:
            break
    assert nth == len(done) + 1 > 15


@pytest.mark.parametrize("number", ["ENOSPC", "EROFS", "EIO"])
@pytest.mark.parametrize("for_good", [False, True])
def test_a_disk_that_refuses_at_any_operation_is_told_and_the_next_checkpoint_covers_all(
    notary: Notary, tmp_path: Path, number: str, for_good: bool
) -> None:
    folder = tmp_path / "checkpoints"
    sign(notary, LEAVES[:100])
    model = tmp_path / "model"
    folder.rename(model)
    code = getattr(errno, number)
    told = set[str]()
    for nth in count(1):
        shutil.copytree(model, folder)
        with failing(nth, lambda: OSError(code, os.strerror(code), "x"), for_good=for_good) as done:
            try:
                sign(notary, LEAVES[:300])
            except NotKept as error:
                told.add(error.kind)
        sign(notary, LEAVES[:301])
        assert kept(folder).items() >= tiles_of(LEAVES[:301]).items()
        shutil.rmtree(folder)
        if len(done) < nth:
            break
    assert nth > 15
    assert told == {number}


def test_a_crash_before_anything_is_durable_loses_nothing_that_was_signed(notary: Notary, tmp_path: Path) -> None:
    """Tiles are synced before the note that covers them is linked, and so is each folder they are in."""
    order: list[str] = []
    with pytest.MonkeyPatch.context() as patch:
        for name in ("fsync", "link", "replace"):
            call = getattr(os, name)

            def noted(*arguments: object, name: str = name, call: Callable[..., object] = call) -> object:
                target = os.readlink(f"/proc/self/fd/{arguments[0]}") if name == "fsync" else str(arguments[1])
                order.append(f"{name} {Path(target).relative_to(tmp_path / 'checkpoints')}")
                return call(*arguments)

            patch.setattr(files.os, name, noted)
        sign(notary, LEAVES[:300])
    linked = order.index("link 00000000000000000300.checkpoint")
    for tile in edge_tiles(300):
        placed = order.index(f"replace {tile.path}")
        draft = Path(tile.path).with_name(f".{Path(tile.path).name}.{os.getpid()}")
        assert order.index(f"fsync {draft}") < placed
        assert placed < order.index(f"fsync {Path(tile.path).parent}") < linked
    for folder in (".", "tile", "tile/0", "tile/1"):
        assert f"fsync {folder}" in order[:linked]
