"""Origins that mean ill, or are broken, at every stage: each costs its own target no more than its settings say, and
a healthy target beside it nothing."""

import gzip
import zlib
from collections.abc import Callable
from typing import Any

import brotli
import pytest
import trio
from gofer.fetch.target import Failed, Fetched, Outcome, Target

HEAD = b"HTTP/1.1 200 OK\r\n"
CHUNKED = HEAD + b"Transfer-Encoding: chunked\r\n\r\n"


def endless(start: bytes, again: bytes) -> Any:
    async def script(stream: trio.abc.Stream, asked: Any) -> None:
        await stream.send_all(start)
        while True:
            await stream.send_all(again)

    return script


def dripping(start: bytes, drop: bytes) -> Any:
    async def script(stream: trio.abc.Stream, asked: Any) -> None:
        await stream.send_all(start)
        while True:
            await trio.sleep(0.01)
            await stream.send_all(drop)

    return script


def silent(start: bytes) -> Any:
    async def script(stream: trio.abc.Stream, asked: Any) -> None:
        await stream.send_all(start)
        while await stream.receive_some():
            pass  # until the client leaves

    return script


def cut(start: bytes) -> Any:
    async def script(stream: trio.abc.Stream, asked: Any) -> None:
        await stream.send_all(start)

    return script


def packed(data: bytes, coding: str) -> bytes:
    head = HEAD + f"Content-Encoding: {coding}\r\nContent-Length: {len(data)}\r\n\r\n".encode()
    return head + data


BOMB = bytes(2**24)
HOSTILE: dict[str, tuple[Any, str]] = {
    # never-ending and oversized
    "endless headers": (
        endless(HEAD, b"X-Junk: " + b"j" * 8000 + b"\r\n"),
        "too large: what comes before the body is",
    ),
    "one endless header": (endless(HEAD + b"X-Junk: ", b"j" * 8000), "too large: what comes before the body is"),
    "endless status line": (endless(b"HTTP/1.1 200 ", b"O" * 8000), "too large: what comes before the body is"),
    "endless 1xx": (endless(b"", b"HTTP/1.1 100 Continue\r\n\r\n" * 100), "too large: what comes before the body is"),
    "endless early hints": (
        endless(b"", b"HTTP/1.1 103 Early\r\nLink: <a>\r\n\r\n" * 99),
        "too large: what comes before",
    ),
    "endless body": (endless(HEAD + b"\r\n", b"b" * 65536), "too large: the body is over 1000000 bytes"),
    "endless chunks": (endless(CHUNKED, b"ff\r\n" + bytes(255) + b"\r\n"), "too large: the"),
    "endless chunk extension": (endless(CHUNKED + b"1;x=", b"y" * 8000), "connect: the response is not valid HTTP"),
    "endless trailers": (
        endless(CHUNKED + b"0\r\n", b"X-Junk: j\r\n" * 500),
        "connect: the response is not valid HTTP",
    ),
    "huge length": (cut(HEAD + b"Content-Length: 99999999999999999999\r\n\r\n"), "too large: the body is over"),
    # bombs
    "gzip bomb": (cut(packed(gzip.compress(BOMB), "gzip")), "too large: the unpacked body is over 1000000 bytes"),
    "deflate bomb": (cut(packed(zlib.compress(BOMB), "deflate")), "too large: the unpacked body is over"),
    "br bomb": (cut(packed(brotli.compress(BOMB, quality=5), "br")), "too large: the unpacked body is over"),
    "double bomb": (cut(packed(gzip.compress(gzip.compress(BOMB)), "gzip, gzip")), "too large: the unpacked body is"),
    # slow
    "silent": (silent(b""), "timeout: headers"),
    "silent in its status line": (silent(b"HTTP/1.1 2"), "timeout: headers"),
    "silent in its headers": (silent(HEAD + b"Content-Type: te"), "timeout: headers"),
    "dripping headers": (dripping(HEAD, b"X: y\r\n"), "timeout: headers"),
    "dripping 1xx": (dripping(b"", b"HTTP/1.1 100 Continue\r\n\r\n"), "timeout: headers"),
    "silent in its body": (silent(HEAD + b"Content-Length: 9\r\n\r\nabc"), "timeout: body"),
    "dripping body": (dripping(HEAD + b"\r\n", b"."), "timeout: total"),
    "dripping chunks": (dripping(CHUNKED, b"1\r\n.\r\n"), "timeout: total"),
    # cut at every stage
    "closed at once": (cut(b""), "connect: the connection was closed before the response was complete"),
    "cut in its status line": (cut(b"HTTP/1.1 2"), "connect: the connection was closed before"),
    "cut in its headers": (cut(HEAD + b"Content-Type: te"), "connect: the connection was closed before"),
    "cut after 1xx": (cut(b"HTTP/1.1 100 Continue\r\n\r\n"), "connect: the connection was closed before"),
    "cut in its body": (cut(HEAD + b"Content-Length: 9\r\n\r\nabc"), "connect: the connection was closed before"),
    "cut in a chunk": (cut(CHUNKED + b"9\r\nabc"), "connect: the connection was closed before"),
    "cut between chunks": (cut(CHUNKED + b"3\r\nabc\r\n"), "connect: the connection was closed before"),
    # nonsense
    "no HTTP": (cut(b"SSH-2.0-OpenSSH_9.6\r\n\r\n"), "connect: the response is not valid HTTP"),
    "bad chunk size": (cut(CHUNKED + b"zz\r\nabc\r\n"), "connect: the response is not valid HTTP"),
    "bad length": (cut(HEAD + b"Content-Length: -1\r\n\r\nabc"), "connect: the response is not valid HTTP"),
    "two lengths": (cut(HEAD + b"Content-Length: 1\r\nContent-Length: 2\r\n\r\nab"), "connect: the response is not"),
    "switching protocols": (cut(b"HTTP/1.1 101 Switching\r\nUpgrade: x\r\n\r\n"), "connect: the response is not"),
    # errors with bodies that do not end
    "dripping error": (dripping(b"HTTP/1.1 404 Not Found\r\n\r\n", b"."), "http 404"),
    "endless error": (endless(b"HTTP/1.1 404 Not Found\r\n\r\n", b"e" * 65536), "http 404"),
    # redirects
    "redirect circle": (
        cut(b"HTTP/1.1 302 Found\r\nLocation: /\r\nContent-Length: 0\r\n\r\n"),
        "redirect: in a circle",
    ),
    "redirect to nonsense": (
        cut(b"HTTP/1.1 302 Found\r\nLocation: http://[\r\n\r\n"),
        "blocked: redirect to no web address (not a",
    ),
}
LIMITS = {"max_body_bytes": 1_000_000, "retries": 0}
HASTE = LIMITS | {"timeout_s": 0.6, "headers_timeout_s": 0.1, "body_timeout_s": 0.1}


async def with_neighbour(web: Any, script: Any, settings: dict[str, Any]) -> tuple[Outcome, Outcome, list[str]]:
    """The outcomes of a hostile target and of a healthy one started after it, and which ended first."""
    hostile = await web.origin({"*": script})
    healthy = await web.origin({"/": web.reply(b"well")})
    fetcher = await web.fetcher(**settings)
    outcomes: dict[str, Outcome] = {}

    async def fetch(name: str, url: str) -> None:
        outcomes[name] = await fetcher.fetch(Target(url), web.fleet)

    async with trio.open_nursery() as nursery:
        nursery.start_soon(fetch, "hostile", hostile.url())
        nursery.start_soon(fetch, "healthy", healthy.url())
    await hostile.until_open(0)
    return outcomes["hostile"], outcomes["healthy"], list(outcomes)


@pytest.mark.parametrize("name", HOSTILE)
async def test_a_hostile_origin_fails_its_own_target_only(web: Any, name: str) -> None:
    script, error = HOSTILE[name]
    hostile, healthy, _ = await with_neighbour(
        web, script, HASTE if name.startswith(("silent", "dripping")) else LIMITS
    )
    assert isinstance(hostile, Failed)
    assert hostile.error.startswith(error)
    assert hostile.hint
    assert isinstance(healthy, Fetched)
    assert healthy.envelope.content == "well"


@pytest.mark.parametrize("script", [silent(b""), dripping(HEAD, b"X: y\r\n"), dripping(HEAD + b"\r\n", b".")])
async def test_report_16_an_origin_that_never_ends_does_not_hold_up_the_others(web: Any, script: Any) -> None:
    hostile, healthy, order = await with_neighbour(web, script, HASTE)
    assert isinstance(hostile, Failed)
    assert isinstance(healthy, Fetched)
    assert order == ["healthy", "hostile"]


async def test_a_body_shorter_than_declared_is_no_success_and_is_asked_for_again(web: Any) -> None:
    origin = await web.origin({"/": cut(HEAD + b"Content-Length: 9\r\n\r\nabc")})
    outcome = await web.fetch(origin.url())
    assert isinstance(outcome, Failed)
    assert [(hop.status, hop.nbytes, hop.attempt) for hop in outcome.facts.hops] == [(200, 3, n) for n in (1, 2, 3)]


async def test_what_follows_the_declared_length_is_not_taken_for_the_next_response(web: Any) -> None:
    smuggled = web.reply(b"smuggled")
    origin = await web.origin({"/1": web.reply(b"abc") + smuggled, "/2": web.reply(b"second")})
    fetcher = await web.fetcher()
    for path, content in (("/1", "abc"), ("/2", "second")):
        outcome = await fetcher.fetch(Target(origin.url(path)), web.fleet)
        assert isinstance(outcome, Fetched)
        assert outcome.envelope.content == content


@pytest.mark.parametrize(
    "script", [silent(b""), silent(HEAD), silent(HEAD + b"\r\nabc"), endless(CHUNKED, b"1\r\n.\r\n")]
)
async def test_report_10_cancelling_closes_the_sockets_at_once(web: Any, script: Callable[..., Any]) -> None:
    origin = await web.origin({"*": script})
    fetcher = await web.fetcher(max_body_bytes=10**12)
    async with trio.open_nursery() as nursery:
        for _ in range(8):
            nursery.start_soon(fetcher.fetch, Target(origin.url()), web.fleet)
        await origin.until_open(8)
        nursery.cancel_scope.cancel()
    await origin.until_open(0)
    assert origin.connections == 8


async def test_cancelling_during_the_tls_handshake_closes_the_socket(web: Any) -> None:
    async def converse(stream: trio.abc.Stream) -> None:
        while await stream.receive_some():
            pass

    origin = await web.origin({})
    origin._converse = converse
    fetcher = await web.fetcher()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(fetcher.fetch, Target(origin.url().replace("http:", "https:")), web.fleet)
        await origin.until_open(1)
        nursery.cancel_scope.cancel()
    await origin.until_open(0)
    assert origin.connections == 1
