"""`POST /v1/fetch` over a real socket."""

from functools import partial

import pytest
import trio
from gofer.fetch.scripted import NEVER, Script, ScriptedFetcher
from gofer.fetch.target import Options

from .conftest import Serving, assert_problem

URL = "https://a.example/page"


async def test_a_target_is_answered_with_its_envelope(serving: Serving) -> None:
    fetcher = ScriptedFetcher({URL: Script(content="héllo")})
    async with serving(fetcher) as service:
        response = await service.alice.post("/v1/fetch", json={"url": URL, "mode": "raw", "context": False})
        assert response.status_code == 200
        envelope = response.json()
        assert (envelope["url"], envelope["mode"], envelope["content"]) == (URL, "raw", "héllo")
        assert list(envelope)[-1] == "content"
        [(target, caller)] = fetcher.calls
        assert (target.url, target.options) == (URL, Options(mode="raw", context=False))
        assert (caller.name, caller.caller_class) == ("alice", "fleet")


async def test_a_target_that_fails_is_502_with_its_error_and_hint(serving: Serving) -> None:
    fetcher = ScriptedFetcher({URL: Script(error="http 404", hint="look elsewhere")})
    async with serving(fetcher) as service:
        response = await service.alice.post("/v1/fetch", json={"url": URL})
        assert_problem(response, 502, "http 404")
        assert response.json()["hint"] == "look elsewhere"


@pytest.mark.parametrize(
    ("content", "error"),
    [
        (b"{", "invalid target: the JSON ends too early"),
        (b"", "invalid target: the body is empty"),
        (b"[]", "invalid target: Expected object, got array"),
        (b"{}", "invalid target: url: is missing"),
        (b'{"url": ""}', "invalid target: url: must not be empty"),
        (b'{"url": "x", "mode": 1}', "invalid target: mode: Expected str, got int"),
        (b'{"targets": []}', "invalid target: targets: unknown field"),
    ],
)
async def test_a_bad_body_is_400(serving: Serving, content: bytes, error: str) -> None:
    async with serving() as service:
        assert_problem(await service.alice.post("/v1/fetch", content=content), 400, error)


async def test_a_blocked_target_is_422_and_is_not_fetched(serving: Serving) -> None:
    fetcher = ScriptedFetcher()
    async with serving(fetcher) as service:
        refused = await service.bob.post("/v1/fetch", json={"url": "http://127.0.0.1:9000/"})
        assert_problem(refused, 422, "blocked: not a public address (loopback)")
        assert refused.json()["hint"].startswith("correct the URL")
        assert fetcher.calls == []
        assert (await service.alice.post("/v1/fetch", json={"url": "http://127.0.0.1:9000/"})).status_code == 200


async def test_too_many_waiting_fetches_are_429(serving: Serving, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gofer.actors.runner.MAX_WAITING_FETCHES", 0)
    async with serving() as service:
        refused = await service.alice.post("/v1/fetch", json={"url": URL})
        assert_problem(refused, 429, "fetches busy")
        assert refused.headers["Retry-After"] == "10"


async def test_a_client_that_goes_away_cancels_its_fetch(serving: Serving) -> None:
    fetcher = ScriptedFetcher({URL: NEVER})
    async with serving(fetcher) as service, trio.open_nursery() as nursery:
        nursery.start_soon(partial(service.alice.post, "/v1/fetch", json={"url": URL}, timeout=None))
        with trio.fail_after(5):
            while not fetcher.active:
                await service.nobody.get("/healthz")
            nursery.cancel_scope.cancel()
            with trio.CancelScope(shield=True):
                while not fetcher.cancelled:
                    await service.nobody.get("/healthz")
    assert (fetcher.active, fetcher.cancelled) == (0, 1)
