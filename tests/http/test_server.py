"""The server task: where it listens, what it refuses, and how it stops."""

import errno
import io
import os
import resource
import socket
import subprocess
import sys
from functools import partial
from pathlib import Path

import httpx
import pytest
import trio
import trio.testing
from gofer.fetch.scripted import NEVER, Script, ScriptedFetcher
from gofer.http.logs import log_to
from gofer.http.server import CannotListen, serve
from quart_trio import QuartTrio

from .conftest import Service, Serving

A = {"url": "https://a.example/"}


async def serve_nothing(bind: str) -> None:
    await serve(QuartTrio("nothing"), bind, log=log_to(io.BytesIO()), shutdown=trio.Event())


async def connected(service: Service) -> trio.SocketStream:
    host, _, port = service.url.removeprefix("http://").rpartition(":")
    return await trio.open_tcp_stream(host, int(port))


async def healthz(stream: trio.SocketStream) -> bytes:
    await stream.send_all(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
    answered = b""
    while b"}" not in answered:
        received = await stream.receive_some()
        assert received, "closed"
        answered += received
    return answered


@pytest.mark.parametrize("bind", ["", "8380", "127.0.0.1", "127.0.0.1:", ":8380", "127.0.0.1:x", "127.0.0.1:99999"])
async def test_a_bind_that_is_no_host_and_port_is_refused(bind: str) -> None:
    with pytest.raises(CannotListen, match="it must be host:port"):
        await serve_nothing(bind)


async def test_an_address_in_use_or_elsewhere_is_told(serving: Serving) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        bind = f"127.0.0.1:{taken.getsockname()[1]}"
        with pytest.raises(CannotListen, match=f"cannot listen on {bind}: .*in use.*server.bind"):
            await serve_nothing(bind)
    with pytest.raises(CannotListen, match=r"cannot listen on 192\.0\.2\.1:80: "):
        await serve_nothing("192.0.2.1:80")


async def test_ipv6_is_served_and_told_in_brackets() -> None:
    if not socket.has_ipv6:
        return
    app = QuartTrio("hello", static_folder=None)

    @app.get("/hello")
    async def hello() -> str:
        return "hello"

    shutdown = trio.Event()
    async with trio.open_nursery() as nursery:
        url = await nursery.start(partial(serve, app, "[::1]:0", log=log_to(io.BytesIO()), shutdown=shutdown))
        assert url.startswith("http://[::1]:")
        async with httpx.AsyncClient() as client:
            assert (await client.get(f"{url}/hello")).text == "hello"
        shutdown.set()


async def test_at_shutdown_idle_connections_close_and_nobody_gets_in(serving: Serving) -> None:
    async with serving() as service:
        async with await connected(service) as idle:
            assert (await healthz(idle)).endswith(b'{"status":"alive"}')
            service.shutdown.set()
            with trio.fail_after(5):
                assert await idle.receive_some() == b""
        with pytest.raises(OSError, match="all attempts to connect"):
            await connected(service)


async def test_at_shutdown_a_request_has_its_grace_and_then_ends(
    serving: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gofer.http.server.GRACE_S", 0.1)
    fetcher = ScriptedFetcher(default=NEVER)
    async with serving(fetcher) as service, trio.open_nursery() as nursery:

        async def wait_for_ever() -> None:
            with pytest.raises(httpx.RemoteProtocolError):
                await service.alice.post("/v1/fetch", json=A, timeout=None)

        nursery.start_soon(wait_for_ever)
        with trio.fail_after(5):
            while not fetcher.active:
                await trio.lowlevel.checkpoint()
        service.shutdown.set()
        with trio.fail_after(5):
            while fetcher.active:
                await trio.lowlevel.checkpoint()
        assert fetcher.cancelled == 1


@pytest.mark.parametrize(("most", "files"), [(2, 1024), (2, resource.RLIM_INFINITY), (512, 5)])
async def test_one_connection_too_many_takes_the_place_of_the_longest_idle(
    serving: Serving, monkeypatch: pytest.MonkeyPatch, most: int, files: int
) -> None:
    monkeypatch.setattr("gofer.http.server.MAX_CONNECTIONS", most)
    monkeypatch.setattr("resource.getrlimit", lambda _: (files, files))
    async with serving() as service:
        with trio.fail_after(5):
            async with await connected(service) as first, await connected(service) as second:
                for stream in (first, second, first):  # so the second is the longest idle
                    assert (await healthz(stream)).endswith(b'{"status":"alive"}')
                async with await connected(service) as third:
                    assert (await healthz(third)).endswith(b'{"status":"alive"}')
                    assert await second.receive_some() == b""
                    assert (await healthz(first)).endswith(b'{"status":"alive"}')


async def test_where_descriptors_are_short_the_longest_idle_gives_way(
    serving: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    accept, short = trio.SocketListener.accept, list[OSError]()

    async def accept_or_fail(listener: trio.SocketListener) -> trio.SocketStream:
        if short:
            raise short.pop()
        return await accept(listener)

    monkeypatch.setattr(trio.SocketListener, "accept", accept_or_fail)
    monkeypatch.setattr("gofer.http.server.RETRY_S", 0)
    async with serving() as service:
        with trio.fail_after(5):
            async with await connected(service) as first, await connected(service) as second:
                for stream in (first, second):
                    assert (await healthz(stream)).endswith(b'{"status":"alive"}')
                short += [OSError(errno.EMFILE, "Too many open files"), OSError(errno.ENFILE, "Too many in all")]
                async with await connected(service) as third:
                    assert await first.receive_some() == b""
                    assert await second.receive_some() == b""
                    assert (await healthz(third)).endswith(b'{"status":"alive"}')
                async with await connected(service) as fourth:
                    assert (await healthz(fourth)).endswith(b'{"status":"alive"}')
    assert [line["fault"] for line in service.lines("accept")] == ["ENFILE"], "told once in a while"


async def test_one_connection_too_many_waits_while_all_are_busy(
    serving: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gofer.http.server.MAX_CONNECTIONS", 2)
    fetcher = ScriptedFetcher(default=NEVER)
    async with serving(fetcher) as service, trio.open_nursery() as nursery:
        posts = [trio.CancelScope() for _ in range(3)]

        async def post(cancelled: trio.CancelScope) -> None:
            with cancelled:
                async with httpx.AsyncClient(base_url=service.url, headers=service.alice.headers) as client:
                    await client.post("/v1/fetch", json=A, timeout=None)

        async def fetching(calls: int) -> None:
            while len(fetcher.calls) < calls:
                await trio.lowlevel.checkpoint()

        with trio.fail_after(5):
            for cancelled in posts[:2]:
                nursery.start_soon(post, cancelled)
            await fetching(2)
            nursery.start_soon(post, posts[2])
            await trio.testing.wait_all_tasks_blocked()
            posts[0].cancel()
            await fetching(3)
            assert fetcher.cancelled == 1
            assert fetcher.max_active == 2, "the third waited, and who was busy was left alone"
            for cancelled in posts:
                cancelled.cancel()


FAILS_AT_THE_THIRD_ACCEPT = """
import sys, trio
from gofer.cli.main import main

accept, calls = trio.SocketListener.accept, []

async def failing(listener):
    calls.append(listener)
    if len(calls) == 3:
        raise RuntimeError("the listening failed")
    return await accept(listener)

trio.SocketListener.accept = failing
sys.exit(main(["serve"]))
"""


async def test_a_process_that_cannot_listen_any_more_ends(tmp_path: Path) -> None:
    environ = {name: value for name, value in os.environ.items() if not name.startswith("GOFER_")}
    environ |= {"XDG_DATA_HOME": str(tmp_path), "GOFER_SERVER_BIND": "127.0.0.1:0"}
    with trio.fail_after(30):
        process = await trio.lowlevel.open_process(
            [sys.executable, "-c", FAILS_AT_THE_THIRD_ACCEPT],
            env=environ,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        assert process.stdout is not None
        assert process.stderr is not None
        try:
            ready = b""
            while b"ready on http://" not in ready or not ready.endswith(b"\n"):
                told = await process.stdout.receive_some()
                assert told, ready
                ready += told
            host, _, port = ready.decode().rpartition("http://")[2].strip().rpartition(":")
            async with await trio.open_tcp_stream(host, int(port)) as idle:  # held by a client to the end
                await (await trio.open_tcp_stream(host, int(port))).aclose()
                assert await idle.receive_some() == b""
                errors = b"".join([part async for part in process.stderr])
                assert await process.wait() == 1
            assert b"the listening failed" in errors
        finally:
            process.kill()
            await process.stdout.aclose()
            await process.stderr.aclose()


async def test_an_idle_connection_is_closed_after_a_while(serving: Serving, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gofer.http.connection.KEEP_ALIVE_S", 0.3)
    async with serving() as service, await connected(service) as idle:
        with trio.fail_after(5):
            assert (await healthz(idle)).endswith(b'{"status":"alive"}')
            assert await idle.receive_some() == b""


async def test_a_client_that_does_not_read_does_not_hold_up_the_stop(
    serving: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gofer.http.connection.STALL_S", 0.2)
    monkeypatch.setattr("gofer.http.server.GRACE_S", 0.1)
    fetcher = ScriptedFetcher(default=Script(content="x" * 20_000_000))
    with trio.fail_after(10):
        async with serving(fetcher) as service:
            deaf = await connected(service)
            body = b'{"url": "https://a.example/"}'
            await deaf.send_all(
                b"POST /v1/fetch HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer alice-token\r\n"
                b"Content-Length: %d\r\n\r\n%s" % (len(body), body)
            )
            while 'path="/v1/fetch"' not in (await service.nobody.get("/metrics")).text:
                await trio.lowlevel.checkpoint()
        await deaf.aclose()  # only now: the service stopped while the client held on


@pytest.mark.parametrize(
    ("request_line", "status"),
    [
        (b"GET /healthz HTTP/1.0", 200),
        (b"GET http://elsewhere.example/healthz HTTP/1.1", 200),  # absolute form, RFC 9112, section 3.2.2
        (b"GET ?x HTTP/1.1", 404),
        (b"GET x HTTP/1.1", 404),
        (b"GET http:// HTTP/1.1", 404),
        (b"GET http://[x HTTP/1.1", 404),
        (b"OPTIONS * HTTP/1.1", 404),
        (b"CONNECT elsewhere.example:443 HTTP/1.1", 404),
        (b"CONNECT /healthz HTTP/1.1", 405),
        (b"GET /\xff HTTP/1.1", 400),
        (b"nonsense", 400),
        (b"GET / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2", 400),
        (b"POST /v1/fetch HTTP/1.1\r\nContent-Length: 99999999999999999999\r\nAuthorization: Bearer bob-token", 413),
    ],
)
async def test_an_odd_request_is_answered_and_is_no_crash(serving: Serving, request_line: bytes, status: int) -> None:
    async with serving() as service, await connected(service) as stream:
        await stream.send_all(request_line + b"\r\nHost: x\r\n\r\n")
        assert (await stream.receive_some()).startswith(b"HTTP/1.1 %d " % status)
        assert service.lines("crash") == []


async def test_no_header_tells_what_serves(serving: Serving) -> None:
    async with serving() as service:
        assert "server" not in (await service.nobody.get("/healthz")).headers
