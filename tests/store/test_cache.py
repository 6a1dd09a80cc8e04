"""The content cache: bounded by bytes, the longest unused first, never a fault to whoever asks it."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import apsw
import pytest
from gofer.store.cache import ContentCache
from hypothesis import given, settings
from hypothesis import strategies as st


@pytest.fixture(params=["file", "memory"])
def cache(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[ContentCache]:
    path = tmp_path / "gofer.db.cache" if request.param == "file" else ":memory:"
    with closing(ContentCache.open(path, max_bytes=100)) as opened:
        yield opened


def test_it_gives_what_was_put_last(cache: ContentCache) -> None:
    assert cache.get(b"a") is None
    cache.put(b"a", b"head", b"body")
    cache.put(b"a", b"head 2", b"body 2")
    assert cache.get(b"a") == (b"head 2", b"body 2")
    assert cache.size() == len(b"head 2" + b"body 2")
    assert cache.stats().entries == 1


def test_the_longest_unused_goes_first(cache: ContentCache) -> None:
    for key in (b"a", b"b", b"c"):
        cache.put(key, b"", key * 30)
    assert cache.get(b"a") is not None
    cache.put(b"d", b"", b"d" * 30)
    assert [key for key in (b"a", b"b", b"c", b"d") if cache.get(key)] == [b"a", b"c", b"d"]
    assert cache.stats().evictions == 1
    assert cache.size() == 90


def test_what_is_larger_than_the_cache_is_not_kept_and_displaces_nothing(cache: ContentCache) -> None:
    cache.put(b"a", b"h", b"x")
    cache.put(b"b", b"h", b"x" * 100)
    assert cache.get(b"b") is None
    assert cache.get(b"a") == (b"h", b"x")


def test_it_counts(cache: ContentCache) -> None:
    cache.put(b"a", b"", b"x")
    cache.get(b"a")
    cache.get(b"b")
    stats = cache.stats()
    assert (stats.puts, stats.hits, stats.misses, stats.faults) == (1, 1, 1, 0)


def test_it_outlives_a_restart_and_shrinks_to_a_smaller_bound(tmp_path: Path) -> None:
    with closing(ContentCache.open(tmp_path / "c", 100)) as cache:
        cache.put(b"old", b"", b"x" * 40)
        cache.put(b"new", b"", b"x" * 40)
        cache.get(b"old")
    with closing(ContentCache.open(tmp_path / "c", 50)) as cache:
        assert cache.size() == 40
        assert cache.get(b"old") is not None
        assert cache.get(b"new") is None


@pytest.mark.parametrize("damage", [b"", b"no database at all, but long enough to be looked at" * 20])
def test_a_damaged_file_is_made_anew(tmp_path: Path, damage: bytes) -> None:
    (tmp_path / "c").write_bytes(damage)
    with closing(ContentCache.open(tmp_path / "c", 100)) as cache:
        cache.put(b"a", b"", b"x")
        assert cache.get(b"a") == (b"", b"x")


def test_a_cache_of_another_version_is_made_anew(tmp_path: Path) -> None:
    with closing(apsw.Connection(str(tmp_path / "c"))) as db:
        db.execute("CREATE TABLE cached (key)")
    with closing(ContentCache.open(tmp_path / "c", 100)) as cache:
        cache.put(b"a", b"", b"x")
        assert cache.get(b"a") == (b"", b"x")


def test_a_file_that_fails_is_a_miss_and_no_error(tmp_path: Path) -> None:
    cache = ContentCache.open(tmp_path / "c", 100)
    cache.put(b"a", b"", b"x")
    cache.close()
    assert cache.get(b"a") is None
    cache.put(b"b", b"", b"x")
    assert cache.stats().faults == 2
    assert cache.size() == 0


@settings(max_examples=50, deadline=None)
@given(st.lists(st.tuples(st.sampled_from([b"a", b"b", b"c", b"d"]), st.integers(0, 60), st.booleans()), max_size=40))
def test_its_size_is_what_it_holds(steps: list[tuple[bytes, int, bool]]) -> None:
    with closing(ContentCache.open(":memory:", 100)) as cache:
        held: dict[bytes, bytes] = {}
        for key, nbytes, is_put in steps:
            if is_put:
                cache.put(key, b"", b"x" * nbytes)
                held.pop(key, None)
                held[key] = b"x" * nbytes
                while sum(map(len, held.values())) > 100:
                    held.pop(next(iter(held)))
            else:
                found = cache.get(key)
                assert found == ((b"", held[key]) if key in held else None)
                if key in held:
                    held[key] = held.pop(key)
            assert cache.size() == sum(map(len, held.values()))
