"""A request as handlers see it: headers that may come once only."""

import pytest
from gofer.fetch.scripted import ScriptedFetcher

from .conftest import Serving, assert_problem

A = {"url": "https://a.example/"}
ALICE, BOB = ("Authorization", "Bearer alice-token"), ("authorization", "Bearer bob-token")


@pytest.mark.parametrize(
    "headers",
    [
        [ALICE, BOB],
        [BOB, ALICE],
        [ALICE, ALICE],
        [ALICE, ("Authorization", "")],
        [("Authorization", "Basic eA=="), ALICE],
        [ALICE, ("Accept", "*/*"), ("AUTHORIZATION", "Bearer guessed-token")],
    ],
)
@pytest.mark.parametrize("path", ["/v1/fetch", "/v1/batch"])
async def test_two_authorization_headers_are_400(serving: Serving, headers: list[tuple[str, str]], path: str) -> None:
    fetcher = ScriptedFetcher()
    async with serving(fetcher) as service:
        response = await service.nobody.post(path, json=A, headers=headers)
        assert_problem(response, 400, "more than one Authorization header")
        assert fetcher.calls == []


@pytest.mark.parametrize("keys", [["one", "two"], ["one", "one"], ["", "one"], ["one", "two", "three"]])
async def test_two_idempotency_keys_are_400_and_no_job_is_made(serving: Serving, keys: list[str]) -> None:
    async with serving() as service:
        headers = [("Idempotency-Key", key) for key in keys]
        response = await service.alice.post("/v1/batch", json={"targets": [A]}, headers=headers)
        assert_problem(response, 400, "more than one Idempotency-Key header")
        [line] = service.lines("batch")
        assert line["refused"] == 400
        assert service.events == []
        for key in keys:
            assert not key or key not in service.log.getvalue().decode()
