"""A scripted web on loopback: raw origins that answer byte by byte as told, certificates, and a fetcher on them."""

import socket
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import pytest
import trio
import trustme
from gofer.fetch.caching import ContentCache
from gofer.fetch.guard import Guard
from gofer.fetch.page import Converted, Page, Refused
from gofer.fetch.pipeline import HttpFetcher
from gofer.fetch.resolve import Resolver, ScriptedResolver
from gofer.fetch.settings import FetchSettings
from gofer.fetch.target import Caller, Options, Outcome, Target

Script = Callable[[trio.abc.Stream, "Asked"], Awaitable[None]]
Route = bytes | Script


@dataclass
class Asked:
    """A request as an origin read it. Header names are in lower case."""

    path: str
    headers: dict[str, str]
    head: bytes


@dataclass
class Origin:
    """A server that follows routes by path, `"*"` for the rest. A route of bytes is sent as it stands; one that is a
    function has the stream to itself and ends the connection."""

    port: int
    scheme: str
    routes: Mapping[str, Route]
    asked: list[Asked] = field(default_factory=list)
    connections: int = 0  # ever
    open: int = 0  # now
    changed: trio.Condition = field(default_factory=trio.Condition)  # `open` has

    def url(self, path: str = "/", host: str = "127.0.0.1") -> str:
        return f"{self.scheme}://{host}:{self.port}{path}"

    async def serve(self, stream: trio.abc.Stream) -> None:
        self.connections += 1
        await self._count(+1)
        try:
            async with stream:
                await self._converse(stream)
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            pass  # the client left: what it is about is the client's test
        finally:
            await self._count(-1)

    async def _count(self, difference: int) -> None:
        with trio.CancelScope(shield=True):
            async with self.changed:
                self.open += difference
                self.changed.notify_all()

    async def until_open(self, count: int) -> None:
        """Wait until so many connections are open, a second at most."""
        with trio.fail_after(1):
            async with self.changed:
                while self.open != count:
                    await self.changed.wait()

    async def _converse(self, stream: trio.abc.Stream) -> None:
        while (asked := await _read_request(stream)) is not None:
            self.asked.append(asked)
            route = self.routes.get(asked.path, self.routes.get("*", reply(status="404 Not Found")))
            if not isinstance(route, bytes):
                await route(stream, asked)
                return
            await stream.send_all(route)


async def _read_request(stream: trio.abc.Stream) -> Asked | None:
    head = b""
    while b"\r\n\r\n" not in head:
        data = await stream.receive_some()
        if not data:
            return None
        head += data
    start, *lines = head.decode("latin-1").removesuffix("\r\n\r\n").split("\r\n")
    headers = dict(line.split(": ", 1) for line in lines)
    return Asked(start.split(" ")[1], {name.lower(): value for name, value in headers.items()}, head)


def reply(body: bytes = b"", *, status: str = "200 OK", **headers: str) -> bytes:
    """A whole response; `content_type="…"` becomes Content-Type, and so on."""
    fields = {"content_length": str(len(body)), **headers}
    lines = [f"{name.replace('_', '-')}: {value}" for name, value in fields.items() if value]
    return "\r\n".join([f"HTTP/1.1 {status}", *lines, "", ""]).encode() + body


class PlainConverter:
    """A stand-in for conversion: the body as UTF-8 text. It keeps the pages it saw."""

    def __init__(self) -> None:
        self.pages: list[Page] = []
        self.warnings: tuple[str, ...] = ("w",)

    async def convert(self, page: Page, options: Options) -> Converted | Refused:
        await trio.lowlevel.checkpoint()
        self.pages.append(page)
        if page.body.startswith(b"\x00"):
            return Refused("unsupported: application/octet-stream", "ask for a page of text")
        return Converted(
            content=page.body.decode(), content_type=page.content_type or "text/plain", warnings=self.warnings
        )


FLEET = Caller("alice", "fleet")
RESTRICTED = Caller("bob", "restricted")


class Web:
    """Makes origins and fetchers for one test, and closes them at its end."""

    fleet = FLEET
    restricted = RESTRICTED
    reply = staticmethod(reply)

    def __init__(self, nursery: trio.Nursery, stack: AsyncExitStack) -> None:
        self._nursery = nursery
        self._stack = stack
        self.converter = PlainConverter()

    @cached_property
    def ca(self) -> trustme.CA:
        """The authority that this web's fetchers trust."""
        return trustme.CA()

    async def origin(self, routes: Mapping[str, Route], *, tls: ssl.SSLContext | None = None) -> Origin:
        listener = (await trio.open_tcp_listeners(0, host="127.0.0.1"))[0]
        origin = Origin(listener.socket.getsockname()[1], "https" if tls else "http", routes)

        async def handler(stream: trio.SocketStream) -> None:
            if tls is None:
                await origin.serve(stream)
            else:
                await origin.serve(trio.SSLStream(stream, tls, server_side=True, https_compatible=True))

        await self._nursery.start(trio.serve_listeners, handler, [listener])
        return origin

    def server_tls(self, *names: str, ca: trustme.CA | None = None, **certificate: Any) -> ssl.SSLContext:
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        (ca or self.ca).issue_cert(*names, **certificate).configure_cert(context)
        return context

    def client_tls(self) -> ssl.SSLContext:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        if "ca" in vars(self):  # making one is slow, and most tests need none
            self.ca.configure_trust(context)
        return context

    async def fetcher(
        self,
        *,
        guard: Guard | None = None,
        resolver: Resolver | None = None,
        cache: ContentCache | None = None,
        clock: Callable[[], float] = lambda: 1_800_000_000.0,
        **settings: Any,
    ) -> HttpFetcher:
        """A fetcher that may reach loopback for fleet callers, with quick retries."""
        defaults: dict[str, Any] = {"timeout_s": 10, "retry_base_s": 0.001, "user_agent": "gofer-test/1"}
        return await self._stack.enter_async_context(
            HttpFetcher(
                FetchSettings(**(defaults | settings)),
                guard=guard or Guard(["127.0.0.1"]),
                resolver=resolver or ScriptedResolver({}),
                converter=self.converter,
                cache=cache,
                tls=self.client_tls(),
                clock=clock,
                chance=lambda: 0.5,
            )
        )

    async def fetch(self, url: str, *, caller: Caller = FLEET, options: Options | None = None, **how: Any) -> Outcome:
        """Fetch one URL with a fetcher of its own."""
        return await (await self.fetcher(**how)).fetch(Target(url, options or Options()), caller)


@pytest.fixture
def unused_port() -> Iterator[int]:
    """A port of 127.0.0.1 that refuses connections: bound, so that nobody else gets it, and not listening."""
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        yield bound.getsockname()[1]


@pytest.fixture
async def web(nursery: trio.Nursery) -> AsyncIterator[Web]:
    async with AsyncExitStack() as stack:
        yield Web(nursery, stack)
    nursery.cancel_scope.cancel()
