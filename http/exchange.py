"""One exchange as the handlers see it: the request with its capped body and its caller, and the JSON response."""

from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack
from typing import Any, cast

import msgspec
import trio
from hypercorn.typing import ASGISendCallable
from quart import Response
from quart.globals import request_ctx
from quart_trio.asgi import TrioASGIHTTPConnection
from quart_trio.wrappers import TrioRequest
from werkzeug.exceptions import MethodNotAllowed

from ..fetch.target import Caller
from .problems import MEDIA_TYPE, Problem

MAX_BATCH_BODY_BYTES = 256 * 1024
MAX_BODY_BYTES = 64 * 1024
BODY_TIMEOUT_S = 30.0
LINGER_S = 1.0

_ENCODER = msgspec.json.Encoder()


class Body:
    """A request body in memory, held up to its cap. What comes beyond the cap is read and dropped.

    It stands in for Quart's, whose server feeds it by `append` and `set_complete`.
    """

    def __init__(self, expected_bytes: int | None, max_bytes: int | None) -> None:
        assert max_bytes is not None, "each body has a cap"
        self._max_bytes = max_bytes
        self._data = bytearray()
        self._known = trio.Event()  # it is whole, or known to be too large
        self._ended = trio.Event()
        self.too_large = False
        if expected_bytes is not None and expected_bytes > max_bytes:
            self._refuse()

    def append(self, data: bytes) -> None:
        """Take a piece of the body, unless it is too large already."""
        if self.too_large:
            return
        self._data += data
        if len(self._data) > self._max_bytes:
            self._refuse()

    def set_complete(self) -> None:
        """The body has ended."""
        self._ended.set()
        self._known.set()

    def check(self) -> None:
        """Raise the 413 if the body is already known to be too large."""
        if self.too_large:
            raise Problem(413, f"body too large (max {self._max_bytes} bytes)", "send less in one request")

    async def read(self) -> bytes:
        """The whole body. Raises the 413 as soon as it is known to be too large, the 408 after `BODY_TIMEOUT_S`."""
        with trio.move_on_after(BODY_TIMEOUT_S):
            await self._known.wait()
        self.check()
        if not self._ended.is_set():
            raise Problem(408, "body not received in time", f"send it within {BODY_TIMEOUT_S:.0f} seconds")
        return bytes(self._data)

    async def linger(self) -> None:
        """Read on until the client has sent its all, for `LINGER_S` at most.

        A connection closed while data arrives is reset, and the reset may destroy the response that explains it
        (RFC 9112, section 9.6).
        """
        with trio.move_on_after(LINGER_S):
            await self._ended.wait()

    def _refuse(self) -> None:
        self.too_large = True
        self._data.clear()
        self._known.set()


class Request(TrioRequest):
    """A request whose body is capped by its path. `caller` is there once a `/v1` request is authenticated.

    `held` is what it holds until its response has gone, or its client.
    """

    body_class = Body  # type: ignore[assignment]
    body: Body  # type: ignore[assignment]
    caller: Caller

    def __init__(self, method: str, scheme: str, path: str, *args: Any, **kwargs: Any) -> None:
        path = "/" + path.lstrip("/")  # the router looks past leading slashes, and so must whoever judges the path
        kwargs["max_content_length"] = MAX_BATCH_BODY_BYTES if path == "/v1/batch" else MAX_BODY_BYTES
        super().__init__(method, scheme, path, *args, **kwargs)
        self.started_at = trio.current_time()
        self.held = AsyncExitStack()

    def single(self, header: str) -> str | None:
        """The value of `header`, None without it. Raises the 400 if it is sent twice: either may be meant."""
        values = self.headers.getlist(header)
        if len(values) > 1:
            raise Problem(400, f"more than one {header} header", "send it once")
        return values[0] if values else None

    @property
    def rule(self) -> str | None:
        """The rule of the route to its path, even if that takes other methods only; None if there is none."""
        if isinstance(self.routing_exception, MethodNotAllowed):
            assert request_ctx.url_adapter is not None, "it has raised the exception"
            [method, *_] = self.routing_exception.valid_methods or ()
            return request_ctx.url_adapter.match(method=method, return_rule=True)[0].rule
        return self.url_rule.rule if self.url_rule else None


class Exchange(TrioASGIHTTPConnection):
    """One request and its response.

    A request target that is neither a path nor a URL (`?x`, `http://[`) is a path that nobody has, not a crash.
    """

    async def handle_request(  # type: ignore[override]  # as quart-trio's does
        self,
        nursery: trio.Nursery,
        request: Request,
        send: ASGISendCallable,
    ) -> None:
        """Answer, and then let go of what the request holds, however far the response has come."""
        async with request.held:
            await super().handle_request(nursery, request, send)

    def _create_request_from_scope(self, send: ASGISendCallable) -> Any:
        try:
            return super()._create_request_from_scope(send)
        except (IndexError, ValueError):
            self.scope["path"] = "/" + self.scope["path"]
            return super()._create_request_from_scope(send)


def current_request() -> Request:
    """The request that the current task answers."""
    return cast(Request, request_ctx.request)


def answer(value: object, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """`value` (structs, lists, `msgspec.Raw` as it is) as a JSON response."""
    return Response(_ENCODER.encode(value), status, dict(headers or {}), content_type="application/json")


def answer_in_pieces(pieces: list[bytes]) -> Response:
    """JSON that comes in `pieces`, each of them dropped as it is sent."""
    length = sum(map(len, pieces))

    async def body() -> AsyncIterator[bytes]:
        pieces.reverse()
        while pieces:
            yield pieces.pop()

    return Response(body(), 200, {"Content-Length": str(length)}, content_type="application/json")


def refusal(problem: Problem) -> Response:
    """`problem` as a response."""
    return Response(problem.document(), problem.status, dict(problem.headers), content_type=MEDIA_TYPE)
