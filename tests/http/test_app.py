"""What is so for every path: who may ask, what is no path, how large a body may be, and what a bug looks like."""

from collections.abc import AsyncIterator

import httpx
import pytest
import trio
from gofer.fetch.scripted import Script, ScriptedFetcher

from .conftest import Serving, assert_problem

A = {"url": "https://a.example/"}
SECURED = [
    ("POST", "/v1/batch"),
    ("GET", "/v1/batch/x"),
    ("DELETE", "/v1/batch/x"),
    ("GET", "/v1/batch/x/0"),
    ("POST", "/v1/fetch"),
    ("GET", "/v1/nothing"),
    ("OPTIONS", "/v1/batch"),
    ("GET", "/v1"),
    ("POST", "//v1/batch"),
    ("GET", "///v1/nothing"),
]


@pytest.mark.parametrize(("method", "path"), SECURED)
async def test_each_v1_path_wants_a_token(serving: Serving, method: str, path: str) -> None:
    async with serving() as service:
        url = httpx.URL(service.url + path)
        refused = await service.nobody.request(method, url)
        assert_problem(refused, 401, "no token")
        assert refused.headers["WWW-Authenticate"] == 'Bearer realm="gofer"'
        refused = await service.nobody.request(method, url, headers={"Authorization": "Bearer guess"})
        assert_problem(refused, 401, "unknown token")
        assert refused.headers["WWW-Authenticate"] == 'Bearer realm="gofer", error="invalid_token"'
        assert_problem(await service.carol.request(method, url), 403, "caller disabled")


@pytest.mark.parametrize(
    "path", ["/", "/nothing", "/v1/nothing", "/v1/batch/", "/v1//batch", "/v1/batch/a/0/b", "/static/x"]
)
async def test_what_is_no_path_is_404(serving: Serving, path: str) -> None:
    async with serving() as service:
        assert_problem(await service.alice.get(httpx.URL(service.url + path)), 404, "not found")


@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [
        ("GET", "/v1/batch", {"POST", "OPTIONS"}),
        ("PUT", "/v1/batch/x", {"GET", "HEAD", "DELETE", "OPTIONS"}),
        ("DELETE", "/v1/batch/x/0", {"GET", "HEAD", "OPTIONS"}),
        ("POST", "/healthz", {"GET", "HEAD", "OPTIONS"}),
        ("BREW", "/metrics", {"GET", "HEAD", "OPTIONS"}),
    ],
)
async def test_another_method_is_405_and_told_which(
    serving: Serving, method: str, path: str, allowed: set[str]
) -> None:
    async with serving() as service:
        refused = await service.alice.request(method, path)
        assert_problem(refused, 405, "method not allowed")
        assert set(refused.headers["Allow"].split(", ")) == allowed
        assert refused.json()["hint"] == f"this path takes {refused.headers['Allow']}"


async def test_head_and_options_are_answered_without_a_body(serving: Serving) -> None:
    async with serving() as service:
        job_id = (await service.alice.post("/v1/batch", json={"targets": [A]})).json()["job_id"]
        await service.ended(service.alice, job_id)
        got = await service.alice.get(f"/v1/batch/{job_id}")
        head = await service.alice.head(f"/v1/batch/{job_id}")
        assert (head.status_code, head.content) == (200, b"")
        assert head.headers["Content-Length"] == str(len(got.content))
        assert (await service.alice.head("/v1/batch/unknown")).status_code == 404
        options = await service.alice.options("/v1/batch")
        assert (options.status_code, options.content) == (200, b"")
        assert set(options.headers["Allow"].split(", ")) == {"POST", "OPTIONS"}


# ---------------------------------------------------------------- bodies


async def pieces(size: int) -> AsyncIterator[bytes]:
    """A body of `size` bytes without a Content-Length."""
    while size > 0:
        yield b" " * min(size, 8192)
        size -= 8192


@pytest.mark.parametrize(
    ("path", "cap"), [("/v1/batch", 256 * 1024), ("/v1/fetch", 64 * 1024), ("/v1/batch/x", 64 * 1024)]
)
@pytest.mark.parametrize("chunked", [False, True])
async def test_a_body_over_the_cap_of_its_path_is_413(serving: Serving, path: str, cap: int, chunked: bool) -> None:
    method = "DELETE" if path.endswith("x") else "POST"

    async def status_of(size: int) -> httpx.Response:
        content = pieces(size) if chunked else b" " * size
        return await service.alice.request(method, path, content=content)

    async with serving() as service:
        assert (await status_of(cap)).status_code in (400, 404)
        if method == "POST" or not chunked:
            assert_problem(await status_of(cap + 8192), 413, f"body too large (max {cap} bytes)")


async def test_a_refusal_reaches_a_client_that_sends_far_too_much(serving: Serving) -> None:
    """The connection is not reset under a client that is still sending: x20, as a race would show."""
    async with serving() as service:
        for _ in range(20):
            assert_problem(
                await service.alice.post("/v1/batch", content=pieces(4_000_000)),
                413,
                "body too large (max 262144 bytes)",
            )
            assert_problem(await service.nobody.post("/v1/batch", content=b" " * 4_000_000), 401, "no token")


async def test_a_body_that_stays_away_is_408(serving: Serving, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gofer.http.exchange.BODY_TIMEOUT_S", 0.05)
    monkeypatch.setattr("gofer.http.exchange.LINGER_S", 0.05)
    async with serving() as service:
        stream = await trio.open_tcp_stream("127.0.0.1", int(service.url.rpartition(":")[2]))
        head = "POST /v1/batch HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer alice-token\r\nContent-Length: 9\r\n\r\n"
        async with stream:
            await stream.send_all(head.encode() + b"{")
            with trio.fail_after(5):
                answered = await stream.receive_some()
        assert answered.startswith(b"HTTP/1.1 408 ")


# ---------------------------------------------------------------- bugs


async def test_a_bug_is_500_without_details_and_is_logged_without_its_words(serving: Serving) -> None:
    secret = "https://secret.example/"
    async with serving(ScriptedFetcher({A["url"]: Script(crash=RuntimeError(secret))})) as service:
        response = await service.alice.post("/v1/fetch", json=A)
        assert_problem(response, 500, "internal error")
        assert "RuntimeError" not in response.text
        [line] = service.lines("crash")
        assert (line["where"], line["exception"]) == ("http", "RuntimeError")
        assert "secret" not in response.text + service.log.getvalue().decode()
        assert (await service.nobody.get("/healthz")).status_code == 200
