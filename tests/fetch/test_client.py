"""The content cache in the way of real requests: fresh, revalidated, private, parted by class."""

from collections.abc import Callable
from typing import Any

import pytest
from gofer.fetch.caching import MemoryCache
from gofer.fetch.guard import Blocked, CheckedUrl, Guard
from gofer.fetch.target import Caller, CallerClass, Envelope, Fetched, Options, Target

ADAM = Caller("adam", "fleet")


class Clock:
    """Unix seconds that move only when told to."""

    def __init__(self) -> None:
        self.now = 1_800_000_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def ask(web: Any, clock: Clock) -> Callable[..., Any]:
    """Fetch by one fetcher with a cache, and give the envelope."""
    fetchers: list[Any] = []

    async def ask(url: str, caller: Caller = web.fleet, **how: Any) -> Envelope:
        if not fetchers:
            fetchers.append(await web.fetcher(cache=MemoryCache(), clock=clock, **how))
        outcome = await fetchers[0].fetch(Target(url, Options()), caller)
        assert isinstance(outcome, Fetched), outcome
        return outcome.envelope

    return ask


async def test_a_fresh_answer_is_given_without_asking_and_says_how_old_it_is(
    web: Any, ask: Any, clock: Clock
) -> None:
    origin = await web.origin({"/": web.reply(b"x", cache_control="max-age=60", content_type="text/html")})
    first = await ask(origin.url())
    clock.now += 59
    second = await ask(origin.url())
    assert (first.from_cache, second.from_cache, len(origin.asked)) == (False, True, 1)
    assert (second.content, second.content_type, second.fetched_at) == ("x", "text/html", first.fetched_at)
    clock.now += 1
    third = await ask(origin.url())
    assert (third.from_cache, len(origin.asked)) == (False, 2)
    assert third.fetched_at > first.fetched_at


async def test_a_stale_answer_is_confirmed_by_its_validators(web: Any, ask: Any, clock: Clock) -> None:
    async def conditional(stream: Any, asked: Any) -> None:
        if asked.headers.get("if-none-match") == '"1"':
            await stream.send_all(web.reply(status="304 Not Modified", etag='"1"', cache_control="max-age=60"))
        else:
            await stream.send_all(web.reply(b"long page", etag='"1"', cache_control="no-cache"))

    origin = await web.origin({"/": conditional})
    await ask(origin.url())
    clock.now += 10
    second = await ask(origin.url())
    assert (second.from_cache, second.content, second.http_status) == (True, "long page", 200)
    assert second.fetched_at == "2027-01-15T08:00:10Z"  # confirmed just now
    assert len(origin.asked) == 2
    await ask(origin.url())
    assert len(origin.asked) == 2  # the confirmation made it fresh


async def test_a_changed_page_replaces_the_kept_one(web: Any, ask: Any) -> None:
    async def changing(stream: Any, asked: Any) -> None:
        version = len(origin.asked)
        await stream.send_all(web.reply(f"v{version}".encode(), etag=f'"{version}"', cache_control="no-cache"))

    origin = await web.origin({"/": changing})
    assert [(await ask(origin.url())).content for _ in range(3)] == ["v1", "v2", "v3"]
    assert origin.asked[2].headers["if-none-match"] == '"2"'


async def test_a_private_answer_is_never_given_to_another_caller(web: Any, ask: Any) -> None:
    origin = await web.origin({"/": web.reply(b"x", cache_control="private, max-age=60")})
    await ask(origin.url())
    assert not (await ask(origin.url(), ADAM)).from_cache
    assert (await ask(origin.url())).from_cache
    assert (await ask(origin.url(), ADAM)).from_cache
    assert len(origin.asked) == 2


async def test_a_shared_answer_is_given_to_others_of_the_class(web: Any, ask: Any) -> None:
    origin = await web.origin({"/": web.reply(b"x", cache_control="max-age=60")})
    await ask(origin.url())
    assert (await ask(origin.url(), ADAM)).from_cache


async def test_what_a_fleet_caller_fetched_is_not_found_by_a_restricted_one(web: Any, ask: Any) -> None:
    class Loose(Guard):
        """Would let restricted callers ask for the origin on loopback: only the cache's keys stand in the way."""

        def check(self, url: str, caller_class: CallerClass) -> CheckedUrl | Blocked:
            return super().check(url, "fleet")

    origin = await web.origin({"/": web.reply(b"x", cache_control="max-age=60")})
    await ask(origin.url(), guard=Loose(["127.0.0.1"]))
    assert not (await ask(origin.url(), web.restricted)).from_cache
    assert len(origin.asked) == 2


async def test_a_kept_redirect_is_followed_without_asking(web: Any, ask: Any) -> None:
    origin = await web.origin(
        {
            "/old": web.reply(status="301 Moved", location="/new", cache_control="max-age=60"),
            "/new": web.reply(b"x", cache_control="no-store"),
        }
    )
    for _ in range(2):
        assert (await ask(origin.url("/old"))).final_url == origin.url("/new")
    assert [asked.path for asked in origin.asked] == ["/old", "/new", "/new"]


async def test_what_is_too_big_to_keep_is_not_kept(web: Any, ask: Any) -> None:
    origin = await web.origin({"/": web.reply(b"x" * 1001, cache_control="max-age=60")})
    for _ in range(2):
        assert not (await ask(origin.url(), max_cached_bytes=1000)).from_cache


async def test_without_a_cache_every_fetch_asks(web: Any) -> None:
    origin = await web.origin({"/": web.reply(b"x", cache_control="max-age=60")})
    fetcher = await web.fetcher()
    for _ in range(2):
        outcome = await fetcher.fetch(Target(origin.url()), web.fleet)
        assert isinstance(outcome, Fetched)
        assert not outcome.envelope.from_cache
    assert len(origin.asked) == 2
