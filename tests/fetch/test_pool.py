"""Which connections are kept, for whom, and what must not come over them."""

from typing import Any

import trio
from gofer.fetch.resolve import ScriptedResolver
from gofer.fetch.target import Fetched, Target


async def contents(web: Any, fetcher: Any, *urls: str) -> list[str]:
    """The contents of `urls`, fetched one after another."""
    found = []
    for url in urls:
        outcome = await fetcher.fetch(Target(url), web.fleet)
        assert isinstance(outcome, Fetched), outcome
        found.append(outcome.envelope.content)
    return found


async def test_a_connection_is_kept_for_its_own_host_name_only(web: Any) -> None:
    origin = await web.origin({"/": web.reply(b"x")})
    resolver = ScriptedResolver({"a.example": [["127.0.0.1"]], "b.example": [["127.0.0.1"]]})
    fetcher = await web.fetcher(resolver=resolver)
    hosts = ("a.example", "b.example", "a.example", "b.example")
    await contents(web, fetcher, *(origin.url(host=host) for host in hosts))
    assert origin.connections == 2
    assert [asked.headers["host"] for asked in origin.asked] == [f"{host}:{origin.port}" for host in hosts]


async def test_a_connection_that_dies_on_its_next_request_is_replaced(web: Any) -> None:
    async def moody(stream: Any, asked: Any) -> None:
        if origin.connections > 1:  # on the kept one it just leaves
            await stream.send_all(web.reply(b"second"))

    origin = await web.origin({"/1": web.reply(b"first"), "/2": moody})
    fetcher = await web.fetcher(retries=0)
    assert await contents(web, fetcher, origin.url("/1"), origin.url("/2")) == ["first", "second"]
    assert [asked.path for asked in origin.asked] == ["/1", "/2", "/2"]


async def test_what_an_idle_connection_says_unasked_is_not_taken_for_an_answer(web: Any) -> None:
    gone = trio.Event()
    said = trio.Event()

    async def talkative(stream: Any, asked: Any) -> None:
        await stream.send_all(web.reply(b"first"))
        await gone.wait()
        await stream.send_all(web.reply(b"smuggled"))
        said.set()
        await stream.receive_some()

    origin = await web.origin({"/1": talkative, "/2": web.reply(b"second")})
    fetcher = await web.fetcher()
    assert await contents(web, fetcher, origin.url("/1")) == ["first"]
    gone.set()
    await said.wait()
    assert await contents(web, fetcher, origin.url("/2")) == ["second"]


async def test_idle_connections_are_kept_for_a_while_and_so_many(web: Any) -> None:
    origins = [await web.origin({"/": web.reply(b"x")}) for _ in range(3)]
    urls = [origin.url() for origin in origins]
    two = await web.fetcher(max_idle_connections=2)
    await contents(web, two, *urls)
    await origins[0].until_open(0)
    assert [origin.open for origin in origins] == [0, 1, 1]
    hasty = await web.fetcher(idle_timeout_s=1e-9)
    before = origins[0].connections
    await contents(web, hasty, urls[0], urls[0])
    assert origins[0].connections == before + 2


async def test_a_response_that_says_close_is_not_kept(web: Any) -> None:
    origin = await web.origin({"/": web.reply(b"x", connection="close")})
    await contents(web, await web.fetcher(), origin.url())
    await origin.until_open(0)
    assert origin.connections == 1


async def test_a_small_error_does_not_cost_the_connection(web: Any) -> None:
    origin = await web.origin({"/lost": web.reply(b"sorry", status="404 Not Found"), "/": web.reply(b"x")})
    fetcher = await web.fetcher()
    await fetcher.fetch(Target(origin.url("/lost")), web.fleet)
    await contents(web, fetcher, origin.url())
    assert origin.connections == 1
