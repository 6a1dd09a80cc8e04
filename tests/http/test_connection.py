"""One connection over a real socket: what it speaks, what it outlives, and how long it waits for a slow reader."""

from collections.abc import Callable
from functools import partial
from typing import Any, Self

import h11
import pytest
import trio
from gofer.fetch.scripted import NEVER, Script, ScriptedFetcher
from gofer.http.connection import Connection
from hypercorn.config import Config
from hypercorn.trio.worker_context import WorkerContext

from .conftest import Service, Serving

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
SETTINGS = bytes([0, 0, 0, 4, 0, 0, 0, 0, 0])
FETCH = b'{"url": "https://a.example/"}'
SECRETS = ["alice-token", "key-of-a-batch", "/secret-path"]


async def connected(service: Service) -> trio.SocketStream:
    host, _, port = service.url.removeprefix("http://").rpartition(":")
    return await trio.open_tcp_stream(host, int(port))


async def all_of(stream: trio.SocketStream) -> bytes:
    """What comes until the server closes, by an end or by a reset."""
    received = b""
    with trio.fail_after(10):
        try:
            while data := await stream.receive_some():
                received += data
        except trio.BrokenResourceError:
            pass
    return received


def post_fetch(extra: bytes = b"") -> bytes:
    return (
        b"POST /v1/fetch HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer alice-token\r\n"
        b"%sContent-Length: %d\r\n\r\n%s" % (extra, len(FETCH), FETCH)
    )


# ---------------------------------------------------------------- HTTP/1.1 alone


@pytest.mark.parametrize(
    "first",
    [
        PREFACE + SETTINGS,
        PREFACE,
        b"PRI * HTTP/2.0\r\n\r\n",
        b"GET /healthz HTTP/2.0\r\nHost: x\r\n\r\n",
        b"GET /healthz HTTP/3.0\r\nHost: x\r\n\r\n",
        b"GET /healthz HTTP/0.9\r\nHost: x\r\n\r\n",
        b"POST /v1/batch HTTP/1.2\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}",
    ],
)
async def test_another_version_is_505_in_http_1_1_and_the_connection_closes(serving: Serving, first: bytes) -> None:
    async with serving() as service, await connected(service) as stream:
        await stream.send_all(first)
        received = await all_of(stream)
        assert received.startswith(b"HTTP/1.1 505 ")
        assert received.count(b"HTTP/") == 1
        assert (await service.nobody.get("/healthz")).status_code == 200
        assert service.lines("crash") == []


@pytest.mark.parametrize("offered", ["h2c", "websocket", "H2C, foo/2"])
async def test_an_offer_of_another_protocol_is_passed_over(serving: Serving, offered: str) -> None:
    upgrade = {
        "Connection": "Upgrade, HTTP2-Settings",
        "Upgrade": offered,
        "HTTP2-Settings": "AAQAAP__",
        "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA==",
    }
    async with serving() as service:
        for _ in range(2):  # the connection goes on as any
            alive = await service.nobody.get("/healthz", headers=upgrade)
            assert (alive.status_code, alive.json()) == (200, {"status": "alive"})
        assert (await service.alice.get("/v1/batch/x", headers=upgrade)).status_code == 404
        assert (await service.alice.post("/v1/fetch", content=FETCH, headers=upgrade)).status_code == 200
        assert service.lines("crash") == []


# ---------------------------------------------------------------- what it outlives


def raising(error: BaseException) -> Callable[..., Any]:
    def crash(*_: object, **__: object) -> Any:
        raise error

    return crash


@pytest.mark.parametrize("place", ["next_event", "receive_data", "send"])
@pytest.mark.parametrize(
    "error",
    [
        UnboundLocalError(" ".join(SECRETS)),
        KeyError(" ".join(SECRETS)),
        h11.LocalProtocolError(" ".join(SECRETS)),
        OSError(5, " ".join(SECRETS)),
        ExceptionGroup(SECRETS[0], [ValueError(SECRETS[1]), ExceptionGroup(SECRETS[2], [RuntimeError(SECRETS[2])])]),
    ],
    ids=lambda error: type(error).__name__,
)
async def test_whatever_one_connection_raises_the_others_live_and_no_word_of_it_is_told(
    serving: Serving,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
    place: str,
    error: Exception,
) -> None:
    fetcher = ScriptedFetcher({"https://slow.example/": NEVER})
    async with serving(fetcher) as service, trio.open_nursery() as nursery:
        nursery.start_soon(partial(service.bob.post, "/v1/fetch", json={"url": "https://slow.example/"}))
        with trio.fail_after(5):
            while not fetcher.active:
                await trio.lowlevel.checkpoint()
        with monkeypatch.context() as patch:
            async with await connected(service) as stream:
                patch.setattr(f"gofer.http.connection.Http1.{place}", raising(error), raising=False)
                await stream.send_all(post_fetch(b"Idempotency-Key: key-of-a-batch\r\nX: /secret-path\r\n"))
                await all_of(stream)
        assert (await service.nobody.get("/healthz")).status_code == 200
        assert fetcher.active == 1  # and so does what another was waiting for
        assert service.lines("crash") != []
        nursery.cancel_scope.cancel()
    told = service.log.getvalue().decode() + "".join(capfd.readouterr()) + caplog.text
    for secret in SECRETS:
        assert secret not in told


# ---------------------------------------------------------------- slow readers


class SlowReader:
    """In a socket's stead: a client that asks once, and takes `bytes_per_s` a second."""

    def __init__(self, bytes_per_s: float) -> None:
        self._bytes_per_s = bytes_per_s
        self._asked = False
        self.taken = 0
        self.socket = self

    def getpeername(self) -> tuple[str, int]:
        return ("127.0.0.1", 1)

    getsockname = getpeername

    async def receive_some(self, max_bytes: int) -> bytes:
        if self._asked:
            await trio.sleep_forever()
        self._asked = True
        return b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"

    async def send_all(self, data: bytes) -> None:
        await trio.sleep(len(data) / self._bytes_per_s)
        self.taken += len(data)

    @classmethod
    async def of(cls, bytes_per_s: float, size: int, *, pieces: int = 1) -> Self:
        """One that was sent a response of `size` bytes, until it was idle or cut."""

        async def app(scope: Any, receive: Any, send: Any, *_: object) -> None:
            length = [(b"content-length", str(size).encode())]
            await send({"type": "http.response.start", "status": 200, "headers": length})
            for _ in range(pieces):
                await send({"type": "http.response.body", "body": b"x" * (size // pieces), "more_body": True})
            await send({"type": "http.response.body", "body": b"", "more_body": False})

        reader = cls(bytes_per_s)
        config = Config()
        config.errorlog = None
        await Connection(reader, app, config, WorkerContext(None)).run()  # type: ignore[arg-type]
        return reader


@pytest.mark.parametrize("pieces", [1, 100])
async def test_a_reader_slower_than_the_least_rate_is_cut_though_it_never_stalls(
    autojump_clock: trio.testing.MockClock, pieces: int
) -> None:
    began_at = trio.current_time()
    reader = await SlowReader.of(17_500, 20_000_000, pieces=pieces)
    assert 60 < trio.current_time() - began_at < 150
    assert 1_000_000 < reader.taken < 3_000_000


@pytest.mark.parametrize("bytes_per_s", [33_000, 1_000_000])
async def test_a_slow_but_steady_reader_gets_all_of_it(
    autojump_clock: trio.testing.MockClock, bytes_per_s: int
) -> None:
    reader = await SlowReader.of(bytes_per_s, 20_000_000)
    assert reader.taken > 20_000_000


async def test_a_small_response_has_its_patience_too(autojump_clock: trio.testing.MockClock) -> None:
    assert (await SlowReader.of(1_000, 9_000)).taken > 9_000
    assert (await SlowReader.of(1_000, 100_000)).taken < 9_000  # the first piece took longer than a stall may


async def test_a_reader_that_is_cut_frees_its_request_at_once(
    serving: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gofer.http.connection.PATIENCE_S", 0.2)
    monkeypatch.setattr("gofer.http.connection.MIN_BYTES_PER_S", 1e12)
    fetcher = ScriptedFetcher(default=Script(content="x" * 20_000_000))
    async with serving(fetcher) as service, await connected(service) as deaf:
        await deaf.send_all(post_fetch())
        with trio.fail_after(10):
            while 'path="/v1/fetch"' not in (await service.nobody.get("/metrics")).text:
                await trio.lowlevel.checkpoint()
            # Its first 20 MB fill what a caller may have under way: the next is let in when the reader was cut.
            assert (await service.alice.post("/v1/fetch", content=FETCH)).status_code == 200
        assert len(await all_of(deaf)) < 20_000_000


# ---------------------------------------------------------------- the end of the listening


async def test_when_the_listening_fails_the_service_ends_whatever_its_clients_do(
    serving: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    fetcher = ScriptedFetcher({"https://slow.example/": NEVER}, default=Script(content="x" * 20_000_000))
    fault = RuntimeError("accept")
    clients: list[trio.SocketStream] = []

    async def serve_until_it_fails() -> None:
        async with serving(fetcher) as service:
            idle, deaf, waiting = [await connected(service) for _ in range(3)]
            await deaf.send_all(post_fetch())
            while 'path="/v1/fetch"' not in (await service.nobody.get("/metrics")).text:
                await trio.lowlevel.checkpoint()
            await waiting.send_all(post_fetch().replace(b"/a.example", b"/slow.example").replace(b": 29", b": 32"))
            while not fetcher.active:
                await trio.lowlevel.checkpoint()
            monkeypatch.setattr(trio.SocketListener, "accept", raising(fault))
            clients.extend((idle, deaf, waiting, await connected(service)))
            await trio.sleep_forever()

    with trio.fail_after(5), pytest.raises(BaseExceptionGroup) as raised:
        await serve_until_it_fails()
    assert raised.value.subgroup(lambda error: error is fault) is not None
    for stream in clients:
        await all_of(stream)  # they all see it close
        await stream.aclose()


async def test_a_client_that_resets_at_once_is_no_crash(serving: Serving) -> None:
    async with serving() as service:
        for _ in range(20):
            stream = await connected(service)
            stream.socket.setsockopt(1, 13, b"\1\0\0\0\0\0\0\0")  # SO_LINGER of 0 s: close resets
            stream.socket.close()
        assert (await service.nobody.get("/healthz")).status_code == 200
        assert service.lines("crash") == []
