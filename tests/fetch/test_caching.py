"""What may be kept and given again, by RFC 9111; and that the in-memory cache keeps to its bound."""

import pytest
from gofer.fetch.caching import (
    Kept,
    MemoryCache,
    cache_key,
    decode,
    encode,
    is_fresh,
    is_private,
    is_storable,
    renewed,
    validators,
)
from gofer.fetch.head import Head
from gofer.fetch.target import Caller

NOW = 1_800_000_000.0  # Fri, 15 Jan 2027 08:00:00 GMT
DATE = "Fri, 15 Jan 2027 08:00:00 GMT"


def head(status: int = 200, **headers: str) -> Head:
    return Head(status, tuple((name.replace("_", "-"), value) for name, value in headers.items()))


def kept(**headers: str) -> Kept:
    return Kept(head(**headers), asked_at=NOW, received_at=NOW)


@pytest.mark.parametrize(
    ("response", "storable"),
    [
        (head(cache_control="max-age=60"), True),
        (head(cache_control="no-cache", etag='"1"'), True),
        (head(etag='"1"'), True),
        (head(last_modified=DATE), True),
        (head(expires="Fri, 15 Jan 2027 09:00:00 GMT", date=DATE), True),
        (head(301, cache_control="max-age=60"), True),
        (head(), False),
        (head(cache_control="no-cache, max-age=60"), False),
        (head(cache_control="max-age=0"), False),
        (head(cache_control="no-store, max-age=60"), False),
        (head(cache_control="NO-STORE", etag='"1"'), False),
        (head(cache_control="max-age=60", vary="*"), False),
        (head(cache_control="max-age=60", vary="Accept-Encoding"), True),
        (head(302, cache_control="max-age=60"), False),
        (head(404, cache_control="max-age=60"), False),
        (head(206, cache_control="max-age=60"), False),
    ],
)
def test_what_is_kept(response: Head, storable: bool) -> None:
    assert is_storable(response) == storable


@pytest.mark.parametrize(
    ("headers", "fresh_for"),
    [
        ({"cache_control": "max-age=60"}, 60),
        ({"cache_control": 'max-age="60"'}, 60),
        ({"cache_control": "max-age = 60"}, 60),
        ({"cache_control": "max-age=60, max-age=600"}, 60),
        ({"cache_control": "max-age=60, s-maxage=10"}, 10),
        ({"cache_control": "private, max-age=60, s-maxage=10"}, 60),
        ({"cache_control": "max-age=60", "age": "20"}, 40),
        ({"cache_control": "max-age=60", "date": "Fri, 15 Jan 2027 07:59:30 GMT"}, 30),
        ({"expires": "Fri, 15 Jan 2027 08:01:40 GMT", "date": DATE}, 100),
        ({"cache_control": "max-age=60", "expires": "Fri, 15 Jan 2027 08:01:40 GMT", "date": DATE}, 60),
        ({"cache_control": "max-age=99999999999999"}, 2**31),
    ],
)
def test_how_long_it_is_fresh(headers: dict[str, str], fresh_for: float) -> None:
    assert is_fresh(kept(**headers), NOW + fresh_for - 1)
    assert not is_fresh(kept(**headers), NOW + fresh_for)


@pytest.mark.parametrize(
    "headers",
    [
        {"etag": '"1"'},
        {"cache_control": "max-age=60, no-cache"},
        {"cache_control": "max-age=-1"},
        {"cache_control": "max-age=soon"},
        {"expires": "0", "date": DATE},
        {"expires": "Fri, 15 Jan 2027 09:00:00 GMT"},
        {"expires": "Fri, 15 Jan 2027 07:00:00 GMT", "date": DATE},
        {"last_modified": "Fri, 15 Jan 1999 08:00:00 GMT", "date": DATE},
    ],
)
def test_what_is_never_fresh(headers: dict[str, str]) -> None:
    assert not is_fresh(kept(**headers), NOW)


def test_a_slow_answer_is_older_than_it_looks() -> None:
    slow = Kept(head(cache_control="max-age=60"), asked_at=NOW - 50, received_at=NOW)
    assert is_fresh(slow, NOW + 9)
    assert not is_fresh(slow, NOW + 10)


def test_what_is_private() -> None:
    assert is_private(head(cache_control="max-age=60, private"))
    assert is_private(head(cache_control='private="set-cookie"'))
    assert is_private(head(set_cookie="a=b"))
    assert not is_private(head(cache_control="public, max-age=60"))


def test_keys_part_classes_and_for_what_is_private_callers() -> None:
    alice, adam, bob = Caller("alice", "fleet"), Caller("adam", "fleet"), Caller("bob", "restricted")
    url = "http://a.example/"
    assert cache_key(url, alice, is_private=False) == cache_key(url, adam, is_private=False)
    assert cache_key(url, alice, is_private=False) != cache_key(url, bob, is_private=False)
    assert cache_key(url, alice, is_private=True) != cache_key(url, adam, is_private=True)
    assert cache_key(url, alice, is_private=True) != cache_key(url, alice, is_private=False)
    assert cache_key(url, alice, is_private=False) != cache_key(url + "x", alice, is_private=False)


def test_validators_ask_by_what_there_is() -> None:
    assert validators(head(etag='W/"1"', last_modified=DATE)) == (
        ("If-None-Match", 'W/"1"'),
        ("If-Modified-Since", DATE),
    )
    assert validators(head()) == ()
    assert validators(head(etag='"\r\nX: y"')) == ()


def test_a_304_renews_what_it_says_and_nothing_of_the_body() -> None:
    old = kept(cache_control="max-age=1", etag='"1"', content_type="text/html", x="y")
    answer = head(304, cache_control="max-age=60", content_type="text/plain", date=DATE)
    new = renewed(old, answer, asked_at=NOW + 5, received_at=NOW + 6)
    assert new == Kept(
        head(etag='"1"', content_type="text/html", x="y", cache_control="max-age=60", date=DATE), NOW + 5, NOW + 6
    )


def test_kept_responses_survive_encoding_and_rubbish_is_forgotten() -> None:
    one = kept(etag='"ü"')
    assert decode(encode(one)) == one
    assert decode(b"\xc1") is None
    assert decode(b"\x90") is None


def test_the_memory_cache_drops_the_longest_unused() -> None:
    cache = MemoryCache(max_bytes=30)
    cache.put(b"a", b"", b"a" * 10)
    cache.put(b"b", b"", b"b" * 10)
    cache.put(b"c", b"cc", b"c" * 8)
    assert cache.get(b"a") == (b"", b"a" * 10)
    cache.put(b"d", b"", b"d" * 10)
    assert (cache.get(b"b"), cache.get(b"c"), cache.size()) == (None, (b"cc", b"c" * 8), 30)
    cache.put(b"e", b"", b"e" * 31)
    assert (cache.get(b"e"), cache.size()) == (None, 0)
