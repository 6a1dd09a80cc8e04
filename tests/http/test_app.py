"""What is so for every path: who may ask, what is no path, how large a body may be, and what a bug looks like."""

import gc
from collections import Counter, deque
from collections.abc import AsyncIterator

import httpx
import pytest
import trio
from gofer.fetch.scripted import NEVER, Script, ScriptedFetcher
from trio.testing import wait_all_tasks_blocked

from .conftest import Service, Serving, assert_problem

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


# ---------------------------------------------------------------- what is over


async def a_bit_of_everything(service: Service, n: int) -> None:
    """A job that ends and is read, one that is cancelled, a fetch outside any job, refusals, another connection."""
    targets = [{"url": f"https://a.example/{n}"}, {"url": f"https://b.example/{n}"}]
    path = (await service.alice.post("/v1/batch", json={"targets": targets})).headers["Location"]
    assert (await service.ended(service.alice, path.rpartition("/")[2]))["status"] == "done"
    for below, status in (("?results=1", 200), ("/1", 200), ("/2", 404), ("x", 404)):
        assert (await service.alice.get(path + below)).status_code == status
    endless = await service.bob.post("/v1/batch", json={"targets": [{"url": "https://never.example/"}]})
    assert (await service.bob.delete(endless.headers["Location"])).status_code == 200
    assert (await service.alice.post("/v1/fetch", json=A)).status_code == 200
    assert (await service.alice.post("/v1/batch", json={"targets": []})).status_code == 400
    async with httpx.AsyncClient(base_url=service.url) as stranger:
        assert (await stranger.get("/metrics")).status_code == 200


async def held() -> Counter[str]:
    """How many objects of our classes there are, and how much is in the containers that they hold."""
    await wait_all_tasks_blocked()
    gc.collect()
    count: Counter[str] = Counter()
    for each in gc.get_objects():
        kind = type(each)
        if str(kind.__module__).startswith("gofer."):  # of a few builtins it is no string
            count[kind.__qualname__] += 1
            for name, value in getattr(each, "__dict__", {}).items():
                if isinstance(value, dict | list | set | deque):
                    count[f"{kind.__qualname__}.{name}"] += len(value)
    return count


async def test_nothing_is_held_of_what_is_over(serving: Serving, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two bounded memories of ours hold one job and none here. The fake resolver's notes show that growth is seen."""
    monkeypatch.setattr("gofer.actors.runner.TOUCHED_CAPACITY", 1)
    monkeypatch.setattr("gofer.store.log.MAX_REMEMBERED", 0)
    fetcher = ScriptedFetcher({"https://never.example/": NEVER})
    async with serving(fetcher) as service:
        await a_bit_of_everything(service, 0)
        fetcher.calls.clear()
        before = await held()
        for n in range(1, 6):
            await a_bit_of_everything(service, n)
        assert len(fetcher.calls) >= 5 * 3
        fetcher.calls.clear()
        assert await held() - before == Counter({"ScriptedResolver.looked_up": 5 * 4})
