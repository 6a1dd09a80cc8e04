"""Nothing logged tells a URL, a host or an idempotency key, but the host on a fleet caller's own `fetch` line."""

import json
import logging

import pytest
import trio
from gofer.fetch.scripted import NEVER, Script, ScriptedFetcher

from .conftest import Serving

HOSTS = [f"{name}.example" for name in ("plain", "failing", "crashing", "endless", "blocked", "private", "fetched")]
PATH = "/some/secret-path"
KEYS = ["key-of-the-first-order", "key-of-the-second-order"]
QUERY = "?token=hidden-in-the-query"
TOKENS = ["alice-token", "bob-token", "guessed-token"]


def target(name: str, **options: object) -> dict[str, object]:
    return {"url": f"https://{name}.example{PATH}{QUERY}", **options}


async def test_a_mixed_run_logs_no_url_no_host_and_no_key(
    serving: Serving, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    caplog.set_level(logging.DEBUG)
    scripts = {
        target("failing")["url"]: Script(
            error=f"blocked: redirect to https://private.example{PATH}", hint="private.example"
        ),
        target("crashing")["url"]: Script(crash=RuntimeError(f"https://crashing.example{PATH}{QUERY}")),
        target("endless")["url"]: NEVER,
    }
    names = {"blocked.example": [["10.0.0.1"]]}
    fetcher = ScriptedFetcher({str(url): script for url, script in scripts.items()})
    async with serving(fetcher, names=names) as service:
        for client in (service.alice, service.bob):
            for names_of, key in (("plain", "failing"), KEYS[0]), (("plain", "crashing"), KEYS[1]):
                body = {"targets": [target(name) for name in names_of]}
                for _ in range(2):
                    accepted = await client.post("/v1/batch", json=body, headers={"Idempotency-Key": key})
                job_id = accepted.json()["job_id"]
                await service.ended(client, job_id)
                for path in ("?results=1", "/0", "/1", "/7"):
                    await client.get(f"/v1/batch/{job_id}{path}")
                changed = {"targets": [target("private")]}
                assert (
                    await client.post("/v1/batch", json=changed, headers={"Idempotency-Key": key})
                ).status_code == 422
            running = (await client.post("/v1/batch", json={"targets": [target("endless")]})).json()["job_id"]
            with trio.fail_after(5):
                while not fetcher.active:
                    await client.get(f"/v1/batch/{running}")
            assert (await client.post("/v1/batch", json={"targets": [target("plain")]})).status_code == 429
            await client.delete(f"/v1/batch/{running}")
            await client.delete(f"/v1/batch/{running}")
            for wrong in ([target("blocked")], [target("private", grep="(")], [target("private", x=1)], []):
                assert (await client.post("/v1/batch", json={"targets": wrong})).status_code in (400, 422)
            for name in ("fetched", "failing", "crashing", "blocked"):
                await client.post("/v1/fetch", json=target(name))
            # What is no path and no id may be anything, also a URL.
            await client.get(f"/v1/batch/https%3A%2F%2Fprivate.example{PATH.replace('/', '%2F')}")
            await client.get(f"/https://private.example{PATH}")
            await client.get("/v1/batch/private.example/0")
        await service.nobody.get("/v1/batch/x", headers={"Authorization": "Bearer guessed-token"})
        await service.nobody.get("/metrics")

    lines = [json.loads(line) for line in service.log.getvalue().splitlines()]
    told = {line.pop("host") for line in lines if line["event"] == "fetch" and line["caller"] == "alice"}
    assert told == {f"{name}.example" for name in ("plain", "failing", "crashing", "endless", "fetched")}
    captured = capfd.readouterr()
    ours = [record for record in caplog.records if not record.name.startswith(("httpx", "httpcore"))]
    everything = json.dumps(lines) + "".join(map(str, ours)) + captured.out + captured.err
    for secret in [*HOSTS, PATH, QUERY, *KEYS, *TOKENS]:
        assert secret not in everything
    assert {line["event"] for line in lines} >= {"batch", "fetch", "crash"}
    assert {line["host"] for line in lines if line["event"] == "fetch" and line["caller"] == "bob"} == {"redacted"}


async def test_each_batch_call_logs_one_line_with_caller_job_targets_and_status(serving: Serving) -> None:
    fetcher = ScriptedFetcher({str(target("endless")["url"]): NEVER})
    async with serving(fetcher) as service:
        body = {"targets": [target("endless"), target("plain")]}
        job_id = (await service.alice.post("/v1/batch", json=body)).json()["job_id"]
        with trio.fail_after(5):
            while fetcher.active != 1 or len(fetcher.calls) != 2:
                await trio.lowlevel.checkpoint()
        await service.alice.post("/v1/batch", json=body)
        await service.alice.get(f"/v1/batch/{job_id}")
        await service.alice.get(f"/v1/batch/{job_id}/1")
        await service.bob.get(f"/v1/batch/{job_id}")
        await service.alice.get(f"/v1/batch/{job_id}/2")
        await service.alice.post("/v1/batch", json={"targets": []})
        await service.alice.post("/v1/batch", content=b" " * 300_000)
        await service.alice.request("DELETE", f"/v1/batch/{job_id}", content=b" " * 70_000)
        await service.alice.post("/v1/batch", json={"targets": [target("plain")] * 2})
        await service.alice.delete(f"/v1/batch/{job_id}")
        await service.alice.delete(f"/v1/batch/{job_id}")
        lines = service.lines("batch")
        for line in lines:
            del line["at"], line["event"], line["level"]
        alice = {"caller": "alice"}
        ours = {**alice, "job_id": job_id, "targets": 2}
        assert lines == [
            {"action": "submit", **ours, "status": "queued", "reused": False},
            {"action": "submit", **ours, "status": "running", "reused": True},
            {"action": "summary", **ours, "status": "running"},
            {"action": "result", **ours, "status": "running"},
            {"action": "summary", "caller": "bob", "refused": 404},
            {"action": "result", **ours, "status": "running", "refused": 404},
            {"action": "submit", **alice, "refused": 400},
            {"action": "submit", **alice, "refused": 413},
            {"action": "cancel", **alice, "refused": 413},
            {"action": "submit", **alice, "targets": 2, "refused": 429},
            {"action": "cancel", **ours, "status": "cancelled"},
            {"action": "cancel", **ours, "status": "cancelled", "refused": 409},
        ]
