"""HTTP/2 on the same path: reuse, no sharing, its own bounds, and what hostile origins do with frames."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

import h2.config
import h2.connection
import h2.events
import h2.exceptions
import h2.settings
import pytest
import trio
from gofer.fetch.target import Failed, Fetched, Target


class Server:
    """The server's side of one connection: it sends what is `pending` for a stream as far as the windows let it."""

    def __init__(self) -> None:
        config = h2.config.H2Configuration(
            client_side=False, validate_outbound_headers=False, normalize_outbound_headers=False
        )
        self.http = h2.connection.H2Connection(config)
        self.pending: dict[int, bytes] = {}
        self.is_leaving = False

    def push(self) -> None:
        for stream_id, data in list(self.pending.items()):
            while (room := min(self.http.local_flow_control_window(stream_id), 16_384, len(data))) > 0:
                self.http.send_data(stream_id, data[:room], end_stream=room == len(data))
                data = data[room:]
            if data:
                self.pending[stream_id] = data
            else:
                del self.pending[stream_id]
        if self.is_leaving:
            self.http.close_connection()


Answer = Callable[[Server, int], None]


def body(data: bytes, **headers: str) -> Answer:
    def answer(server: Server, stream_id: int) -> None:
        fields = [(":status", "200"), *((name.replace("_", "-"), value) for name, value in headers.items())]
        server.http.send_headers(stream_id, fields, end_stream=not data)
        if data:
            server.pending[stream_id] = data

    return answer


def head(status: str = "200", **headers: str) -> Answer:
    """A head, and nothing after it."""

    def answer(server: Server, stream_id: int) -> None:
        fields = [(":status", status), *((name.replace("_", "-"), value) for name, value in headers.items())]
        server.http.send_headers(stream_id, fields)

    return answer


def reset(server: Server, stream_id: int) -> None:
    server.http.reset_stream(stream_id)


def go_away(server: Server, stream_id: int) -> None:
    server.http.close_connection(last_stream_id=0)


def farewell(server: Server, stream_id: int) -> None:
    body(b"the last one")(server, stream_id)
    server.is_leaving = True


def early_hints(server: Server, stream_id: int) -> None:
    head("103", link="<a>")(server, stream_id)
    body(b"after hints")(server, stream_id)


async def origin_of(web: Any, answers: Mapping[str, Answer], after: bytes = b"") -> Any:
    """An HTTP/2 origin that answers by path; `after` is sent again and again once a request has come."""
    tls = web.server_tls("127.0.0.1")
    tls.set_alpn_protocols(["h2"])
    origin = await web.origin({}, tls=tls)

    async def converse(stream: trio.abc.Stream) -> None:
        server = Server()
        server.http.initiate_connection()
        await stream.send_all(server.http.data_to_send())
        while data := await stream.receive_some():
            try:
                events = server.http.receive_data(data)
            except h2.exceptions.ProtocolError:
                return  # it has said goodbye and hears no more
            for event in events:
                if isinstance(event, h2.events.RequestReceived):
                    assert event.stream_id is not None
                    headers = {name.decode(): value.decode() for name, value in event.headers or ()}
                    origin.asked.append(headers)
                    if headers[":path"] in answers:
                        answers[headers[":path"]](server, event.stream_id)
            server.push()
            await stream.send_all(server.http.data_to_send())
            if after and origin.asked:
                await flood(stream)

    async def flood(stream: trio.abc.Stream) -> None:
        async def drain() -> None:
            with suppress(trio.BrokenResourceError):
                while await stream.receive_some():
                    pass

        async with trio.open_nursery() as nursery:
            nursery.start_soon(drain)
            with suppress(trio.BrokenResourceError):
                while True:
                    await stream.send_all(after)

    origin._converse = converse
    return origin


async def test_target_after_target_on_one_connection(web: Any) -> None:
    origin = await origin_of(web, {"/a": body(b"one"), "/b": body(b"two" * 10_000), "/c": body(b"")})
    fetcher = await web.fetcher()
    for path, content in (("/a", "one"), ("/b", "two" * 10_000), ("/c", ""), ("/a", "one")):
        outcome = await fetcher.fetch(Target(origin.url(path)), web.fleet)
        assert isinstance(outcome, Fetched)
        assert outcome.envelope.content == content
    assert origin.connections == 1
    assert origin.asked[0][":authority"] == f"127.0.0.1:{origin.port}"
    assert origin.asked[0]["user-agent"] == "gofer-test/1"


async def test_targets_at_once_do_not_share_a_connection(web: Any) -> None:
    origin = await origin_of(web, {"/a": body(b"one"), "/reset": reset})
    fetcher = await web.fetcher()
    outcomes: list[object] = []

    async def fetch(path: str) -> None:
        outcomes.append(await fetcher.fetch(Target(origin.url(path)), web.fleet))

    async with trio.open_nursery() as nursery:
        for path in ("/a", "/a", "/reset", "/a"):
            nursery.start_soon(fetch, path)
    assert sum(isinstance(outcome, Fetched) for outcome in outcomes) == 3
    (failed,) = [outcome for outcome in outcomes if isinstance(outcome, Failed)]
    assert failed.error == "connect: the origin reset the stream"
    assert len(failed.facts.hops) == 3


async def test_a_body_larger_than_the_windows_arrives_whole(web: Any) -> None:
    origin = await origin_of(web, {"/": body(b"w" * 10_000_000)})
    outcome = await web.fetch(origin.url())
    assert isinstance(outcome, Fetched)
    assert outcome.envelope.nbytes == 10_000_000


async def test_a_connection_that_ends_with_its_response_serves_no_other(web: Any) -> None:
    origin = await origin_of(web, {"/": farewell})
    fetcher = await web.fetcher(retries=0)
    for _ in range(3):
        outcome = await fetcher.fetch(Target(origin.url()), web.fleet)
        assert isinstance(outcome, Fetched)
        assert outcome.envelope.content == "the last one"
    assert origin.connections == 3


async def test_interim_responses_are_passed_over(web: Any) -> None:
    origin = await origin_of(web, {"/": early_hints})
    outcome = await web.fetch(origin.url())
    assert isinstance(outcome, Fetched)
    assert outcome.envelope.content == "after hints"


PING = b"\x00\x00\x08\x06\x00\x00\x00\x00\x00" + bytes(8)
SETTINGS = b"\x00\x00\x00\x04\x00\x00\x00\x00\x00"
EMPTY_DATA = b"\x00\x00\x00\x00\x00\x00\x00\x00\x01"


@pytest.mark.parametrize(
    ("answers", "after", "error"),
    [
        ({"/": go_away}, b"", "connect: the origin ended the connection"),
        ({"/": head("20x")}, b"", "connect: the response"),
        ({"/": head("")}, b"", "connect: the response"),
        ({"/": head("200", **{"X-Upper": "no"})}, b"", "connect: the response is not valid HTTP/2"),
        ({"/": body(b"abc", content_length="9")}, b"", "connect: the response is not valid HTTP/2"),
        ({"/": body(b"a" * 50_000)}, b"", "too large: the body is over 20000 bytes"),
        ({"/": head(content_length="50000")}, b"", "too large: the body is over 20000 bytes"),
        ({"/": head(x="y" * 70_000)}, b"", "connect: the response is not valid HTTP/2"),
        ({"/": head()}, PING * 1_000, "too large: the framing of the body is over 262144 bytes"),
        ({"/": head()}, EMPTY_DATA * 1_000, "too large: the framing of the body is over 262144 bytes"),
        ({}, PING * 1_000, "too large: what comes before the body is over 65536 bytes"),
        ({}, SETTINGS * 1_000, "too large: what comes before the body is over 65536 bytes"),
        ({}, EMPTY_DATA * 1_000, "connect: the response is not valid HTTP/2"),
        ({}, b"HTTP/1.1 200 OK\r\n\r\n", "too large: what comes before the body is over 65536 bytes"),
        ({}, b"\x00\x40\x00\x01\x00\x00\x00\x00\x01" + b"\x00" * 16_384, "connect: the response is not valid HTTP/2"),
    ],
    ids=range(15),
)
async def test_a_hostile_origin_fails_its_target(
    web: Any, answers: Mapping[str, Answer], after: bytes, error: str
) -> None:
    origin = await origin_of(web, answers, after)
    outcome = await web.fetch(origin.url(), retries=0, max_body_bytes=20_000)
    assert isinstance(outcome, Failed)
    assert outcome.error.startswith(error)
    await origin.until_open(0)


async def test_it_can_be_switched_off(web: Any) -> None:
    tls = web.server_tls("127.0.0.1")
    tls.set_alpn_protocols(["h2", "http/1.1"])
    origin = await web.origin({"/": web.reply(b"plain")}, tls=tls)
    outcome = await web.fetch(origin.url(), http2=False)
    assert isinstance(outcome, Fetched)
    assert outcome.envelope.content == "plain"
