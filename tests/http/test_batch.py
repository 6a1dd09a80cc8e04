"""The batch paths over a real socket: each status and message of the contract's section 3."""

import re
from functools import partial
from typing import Any

import httpx
import msgspec
import pytest
import trio
import trio.testing
from gofer.fetch.scripted import NEVER, Script, ScriptedFetcher

from .conftest import BATCH, Serving, assert_problem

A, B, C = ({"url": f"https://{name}.example/"} for name in "abc")


batch_settings = partial(msgspec.structs.replace, BATCH)


def batch(*targets: dict[str, Any]) -> dict[str, Any]:
    return {"targets": list(targets)}


# ---------------------------------------------------------------- submit


async def test_a_submission_is_accepted(serving: Serving) -> None:
    async with serving(ScriptedFetcher(default=NEVER)) as service:
        response = await service.alice.post("/v1/batch", json=batch(A, B))
        body = response.json()
        assert response.status_code == 202
        assert body == {"success": True, "job_id": body["job_id"], "status": "queued", "targets": 2, "reused": False}
        assert response.headers["Location"] == f"/v1/batch/{body['job_id']}"
        assert response.headers["Content-Type"] == "application/json"


@pytest.mark.parametrize(
    ("content", "error"),
    [
        (b"{", "invalid batch: the JSON ends too early"),
        (b" ", "invalid batch: the body is empty"),
        (b'{"targets": []}', "invalid batch: targets: must not be empty"),
        (b'{"targets": [{"url": "https://a.example/"}], "x": 1}', "invalid batch: x: unknown field"),
        (
            b'{"targets": [{"url": "https://a.example/"}, {"url": ""}]}',
            "invalid batch: target 1: url: must not be empty",
        ),
    ],
)
async def test_a_bad_body_is_400(serving: Serving, content: bytes, error: str) -> None:
    async with serving() as service:
        assert_problem(await service.alice.post("/v1/batch", content=content), 400, error)


async def test_the_first_blocked_target_is_422_and_makes_no_job(serving: Serving) -> None:
    fetcher = ScriptedFetcher()
    names = {"inside.example": [["10.0.0.1"]], "a.example": [["93.184.215.14"]]}
    async with serving(fetcher, names=names) as service:
        refused = await service.alice.post(
            "/v1/batch", json=batch(A, {"url": "http://inside.example/"}, {"url": "ftp://c.example/"})
        )
        reason = "the host resolves to an address that is not public"
        assert_problem(refused, 422, f"blocked: target 1: {reason}")
        assert refused.json()["hint"].startswith("correct the URL, or leave it out")
        refused = await service.alice.post("/v1/batch", json=batch(A, B, {"url": "ftp://c.example/"}))
        assert_problem(refused, 422, "blocked: target 2: scheme must be http or https")
        assert service.system.statistics().journal.position == 0
        assert fetcher.calls == []


async def test_an_exception_of_the_guard_is_for_fleet_callers_only(serving: Serving) -> None:
    async with serving(ScriptedFetcher(default=NEVER)) as service:
        inside = batch({"url": "http://127.0.0.1:9000/x"})
        assert (await service.alice.post("/v1/batch", json=inside)).status_code == 202
        refused = await service.bob.post("/v1/batch", json=inside)
        assert_problem(refused, 422, "blocked: target 0: not a public address (loopback)")


async def test_too_many_targets_are_422_and_the_cap_is_the_configured_one(serving: Serving) -> None:
    async with serving() as service:
        refused = await service.alice.post("/v1/batch", json=batch(*[A] * 33))
        assert_problem(refused, 422, "too many targets (max 32)")
        assert (await service.alice.post("/v1/batch", json=batch(*[A] * 32))).status_code == 202
    async with serving(batch=batch_settings(max_targets=2)) as service:
        assert_problem(await service.alice.post("/v1/batch", json=batch(A, B, C)), 422, "too many targets (max 2)")


async def test_a_second_live_batch_of_a_caller_is_429(serving: Serving) -> None:
    async with serving(ScriptedFetcher(default=NEVER)) as service:
        first = await service.alice.post("/v1/batch", json=batch(A))
        refused = await service.alice.post("/v1/batch", json=batch(B))
        assert_problem(refused, 429, "busy: a batch of yours is still running")
        assert refused.headers["Retry-After"] == "30"
        assert (await service.bob.post("/v1/batch", json=batch(B))).status_code == 202
        again = await service.alice.post("/v1/batch", json=batch(A))
        assert (again.json()["job_id"], again.json()["reused"]) == (first.json()["job_id"], True)


async def test_too_many_live_batches_in_all_are_429(serving: Serving) -> None:
    async with serving(ScriptedFetcher(default=NEVER), batch=batch_settings(max_live=1)) as service:
        first = await service.alice.post("/v1/batch", json=batch(A))
        refused = await service.bob.post("/v1/batch", json=batch(B))
        assert_problem(refused, 429, "batch jobs busy")
        assert refused.headers["Retry-After"] == "60"
        again = await service.alice.post("/v1/batch", json=batch(A))
        assert (again.status_code, again.json()["job_id"]) == (202, first.json()["job_id"])


async def test_the_checks_are_made_in_the_contracts_order(serving: Serving) -> None:
    """A submission that is wrong in every way is told one fault after the other as each is put right."""
    blocked = {"url": "http://10.0.0.1/"}
    async with serving(ScriptedFetcher(default=NEVER), batch=batch_settings(max_targets=2, max_live=1)) as service:
        await service.alice.post("/v1/batch", json=batch(C))
        told = [
            await service.alice.post("/v1/batch", json=body)
            for body in (batch(A, blocked, {**B, "grep": "("}), batch(A, blocked, B), batch(A, B, C), batch(A, B))
        ]
        told.append(await service.bob.post("/v1/batch", json=batch(A, B)))
        assert [(each.status_code, re.split(r": |\(", each.json()["error"])[0]) for each in told] == [
            (400, "invalid batch"),
            (422, "blocked"),
            (422, "too many targets "),
            (429, "busy"),
            (429, "batch jobs busy"),
        ]


async def test_with_the_batch_service_off_each_verb_is_503(serving: Serving) -> None:
    async with serving(batch=batch_settings(enabled=False)) as service:
        for method, path in [("POST", ""), ("GET", "/x"), ("GET", "/x/0"), ("DELETE", "/x")]:
            assert_problem(await service.alice.request(method, f"/v1/batch{path}"), 503, "batch disabled")
        assert (await service.alice.post("/v1/fetch", json=A)).status_code == 200


async def test_while_draining_a_submission_is_503_and_reads_go_on(serving: Serving) -> None:
    async with serving(ScriptedFetcher(default=NEVER)) as service, trio.open_nursery() as nursery:
        job_id = (await service.alice.post("/v1/batch", json=batch(A))).json()["job_id"]
        nursery.start_soon(service.system.runner.drain)
        await trio.testing.wait_all_tasks_blocked()
        for path, body in (("/v1/batch", batch(B)), ("/v1/fetch", B)):
            refused = await service.bob.post(path, json=body)
            assert_problem(refused, 503, "shutting down")
            assert refused.headers["Retry-After"] == "5"
        assert (await service.alice.get(f"/v1/batch/{job_id}")).status_code == 200
        ready = await service.nobody.get("/readyz")
        assert_problem(ready, 503, "not ready")
        await service.alice.delete(f"/v1/batch/{job_id}")


# ---------------------------------------------------------------- idempotency


async def test_the_same_batch_again_is_the_same_job_while_it_is_good(serving: Serving) -> None:
    fetcher = ScriptedFetcher({B["url"]: Script(error="http 404")})
    async with serving(fetcher) as service:
        first = (await service.alice.post("/v1/batch", json=batch(A))).json()
        await service.ended(service.alice, first["job_id"])
        again = (await service.alice.post("/v1/batch", json=batch(A))).json()
        assert again == {**first, "status": "done", "reused": True}

        other = (await service.bob.post("/v1/batch", json=batch(A))).json()
        assert other["job_id"] != first["job_id"]

        failed = (await service.alice.post("/v1/batch", json=batch(B))).json()
        assert (await service.ended(service.alice, failed["job_id"]))["status"] == "failed"
        anew = (await service.alice.post("/v1/batch", json=batch(B))).json()
        assert anew["job_id"] != failed["job_id"]
        assert anew["reused"] is False


async def test_with_a_key_the_answer_is_the_same_job_whatever_its_status(serving: Serving) -> None:
    fetcher = ScriptedFetcher(default=Script(error="http 404"))
    key = {"Idempotency-Key": "order 7"}
    async with serving(fetcher) as service:
        first = (await service.alice.post("/v1/batch", json=batch(A), headers=key)).json()
        await service.ended(service.alice, first["job_id"])
        again = await service.alice.post("/v1/batch", json=batch(A), headers=key)
        assert again.status_code == 202
        assert again.json() == {**first, "status": "failed", "reused": True}
        assert again.headers["Location"] == f"/v1/batch/{first['job_id']}"


@pytest.mark.parametrize("headers", [{}, {"Idempotency-Key": "order 7"}], ids=["keyless", "keyed"])
async def test_a_default_that_is_written_out_makes_no_other_batch(serving: Serving, headers: dict[str, str]) -> None:
    written_out = [
        {"mode": "clean"},
        {"mode": ""},
        {"question": "", "pages": "", "grep": "", "jq": ""},
        {"context": True, "recover": False},
    ]
    async with serving() as service:
        first = (await service.alice.post("/v1/batch", json=batch(A), headers=headers)).json()
        await service.ended(service.alice, first["job_id"])
        for defaults in written_out:
            again = await service.alice.post("/v1/batch", json=batch({**A, **defaults}), headers=headers)
            assert (again.status_code, again.json()) == (202, {**first, "status": "done", "reused": True})


@pytest.mark.parametrize("key", ["", "x" * 256, "tab\tinside", "é", "nul\x7f"])
async def test_a_bad_idempotency_key_is_400_and_not_quoted(serving: Serving, key: str) -> None:
    async with serving() as service:
        refused = await service.alice.post(
            "/v1/batch", json=batch(A), headers=[(b"Idempotency-Key", key.encode("latin1"))]
        )
        assert_problem(refused, 400, "invalid Idempotency-Key")
        assert not key or key not in refused.text


async def test_the_longest_idempotency_key_is_taken(serving: Serving) -> None:
    async with serving() as service:
        taken = await service.alice.post("/v1/batch", json=batch(A), headers={"Idempotency-Key": "x" * 255})
        assert taken.status_code == 202


# ---------------------------------------------------------------- follow and collect


async def test_a_summary_tells_each_target_and_no_results(serving: Serving) -> None:
    fetcher = ScriptedFetcher({B["url"]: Script(error="http 404", hint="look elsewhere"), C["url"]: NEVER})
    async with serving(fetcher) as service:
        job_id = (await service.alice.post("/v1/batch", json=batch(A, B, C))).json()["job_id"]
        with trio.fail_after(5):
            summary = {"targets_done": 0}
            while summary["targets_done"] < 2:
                summary = (await service.alice.get(f"/v1/batch/{job_id}")).json()
        created_at = summary.pop("created_at")
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", str(created_at))
        assert summary == {
            "job_id": job_id,
            "status": "running",
            "targets_total": 3,
            "targets_done": 2,
            "targets": [
                {"idx": 0, "url": A["url"], "status": "done"},
                {"idx": 1, "url": B["url"], "status": "failed", "error": "http 404", "hint": "look elsewhere"},
                {"idx": 2, "url": C["url"], "status": "running"},
            ],
        }


async def test_results_are_embedded_when_asked_for(serving: Serving) -> None:
    fetcher = ScriptedFetcher({A["url"]: Script(content='a "quoted" ü'), B["url"]: Script(error="http 404")})
    async with serving(fetcher) as service:
        job_id = (await service.alice.post("/v1/batch", json=batch(A, B))).json()["job_id"]
        assert (await service.ended(service.alice, job_id))["status"] == "partial"
        full = (await service.alice.get(f"/v1/batch/{job_id}?results=1")).json()
        assert full["targets"][0]["result"]["content"] == 'a "quoted" ü'
        assert full["targets"][0]["result"]["url"] == A["url"]
        assert "result" not in full["targets"][1]
        plain = (await service.alice.get(f"/v1/batch/{job_id}?results=0")).json()
        assert "result" not in plain["targets"][0]


async def test_one_target_is_told_with_its_result_or_its_error(serving: Serving) -> None:
    fetcher = ScriptedFetcher(
        {
            A["url"]: Script(content="hello"),
            B["url"]: Script(error="http 404", hint="look elsewhere"),
            C["url"]: NEVER,
        }
    )
    async with serving(fetcher) as service:
        job_id = (await service.alice.post("/v1/batch", json=batch(A, B, C))).json()["job_id"]
        with trio.fail_after(5):
            while (await service.alice.get(f"/v1/batch/{job_id}")).json()["targets_done"] < 2:
                pass
        one, two, three = [(await service.alice.get(f"/v1/batch/{job_id}/{idx}")).json() for idx in range(3)]
        assert one.pop("result")["content"] == "hello"
        assert one == {"job_id": job_id, "idx": 0, "url": A["url"], "status": "done"}
        assert two == {
            "job_id": job_id,
            "idx": 1,
            "url": B["url"],
            "status": "failed",
            "error": "http 404",
            "hint": "look elsewhere",
        }
        assert three == {"job_id": job_id, "idx": 2, "url": C["url"], "status": "running"}


@pytest.mark.parametrize("idx", ["2", "-1", "+1", "1.0", "x", "%20", "0x1", "9" * 30, "٣", "1%00", "00", "01"])
async def test_an_idx_that_is_no_number_in_range_is_404_and_told_to_the_job_s_caller(
    serving: Serving, idx: str
) -> None:
    async with serving() as service:
        job_id = (await service.alice.post("/v1/batch", json=batch(A, B))).json()["job_id"]
        refused = await service.alice.get(f"/v1/batch/{job_id}/{idx}")
        assert_problem(refused, 404, "not found")
        assert refused.json()["hint"] == "the targets of this job are 0 to 1"
        anothers = await service.bob.get(f"/v1/batch/{job_id}/{idx}")
        assert_problem(anothers, 404, "not found")
        assert anothers.json()["hint"].startswith("check the id")


# ---------------------------------------------------------------- cancel


async def test_a_live_job_is_cancelled_and_a_terminal_one_is_409(serving: Serving) -> None:
    fetcher = ScriptedFetcher({B["url"]: NEVER})
    async with serving(fetcher) as service:
        job_id = (await service.alice.post("/v1/batch", json=batch(A, B))).json()["job_id"]
        cancelled = await service.alice.delete(f"/v1/batch/{job_id}")
        assert (cancelled.status_code, cancelled.json()) == (200, {"success": True, "status": "cancelled"})
        assert_problem(await service.alice.delete(f"/v1/batch/{job_id}"), 409, "job already finished")

        done = (await service.alice.post("/v1/batch", json=batch(A))).json()["job_id"]
        assert (await service.ended(service.alice, done))["status"] == "done"
        assert_problem(await service.alice.delete(f"/v1/batch/{done}"), 409, "job already finished")


# ---------------------------------------------------------------- leases


async def test_get_and_delete_touch_the_lease_of_an_owned_job_only(serving: Serving) -> None:
    now = [1_000.0]
    async with serving(clock=lambda: now[0]) as service:
        job_id = (await service.alice.post("/v1/batch", json=batch(A))).json()["job_id"]
        await service.ended(service.alice, job_id)

        async def lease_after(client: httpx.AsyncClient, method: str, path: str) -> int:
            now[0] += 100
            await client.request(method, path)
            await trio.testing.wait_all_tasks_blocked()
            view = service.system.reader.job(job_id)
            assert view is not None
            return view.job.lease

        path = f"/v1/batch/{job_id}"
        assert await lease_after(service.alice, "GET", path) == 1_100
        assert await lease_after(service.alice, "GET", f"{path}/0") == 1_200
        assert await lease_after(service.alice, "DELETE", path) == 1_300
        for method, where in [("GET", path), ("GET", f"{path}/0"), ("DELETE", path)]:
            assert await lease_after(service.bob, method, where) == 1_300
