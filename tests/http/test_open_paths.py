"""The paths without a token, and what `/metrics` counts."""

import re

from gofer.fetch.scripted import NEVER, Script, ScriptedFetcher

from .conftest import Service, Serving

A, B, C = ({"url": f"https://{name}.example/"} for name in "abc")


async def test_alive_and_ready_need_no_token(serving: Serving) -> None:
    async with serving() as service:
        alive = await service.nobody.get("/healthz")
        assert (alive.status_code, alive.json()) == (200, {"status": "alive"})
        ready = await service.nobody.get("/readyz")
        assert (ready.status_code, ready.json()) == (200, {"status": "ready"})


async def samples(service: Service) -> dict[str, float]:
    response = await service.nobody.get("/metrics")
    assert response.status_code == 200
    assert response.headers["Content-Type"].startswith("text/plain; version=")
    found = (line.rpartition(" ") for line in response.text.splitlines() if not line.startswith("#"))
    return {name: float(value) for name, _, value in found}


async def test_metrics_count_requests_jobs_targets_commits_and_bytes(serving: Serving) -> None:
    fetcher = ScriptedFetcher({B["url"]: Script(error="http 404"), C["url"]: NEVER})
    async with serving(fetcher) as service:
        job_id = (await service.alice.post("/v1/batch", json={"targets": [A, B]})).json()["job_id"]
        await service.ended(service.alice, job_id)
        for path in (f"/{job_id}/0", f"/{job_id}/1", f"/{job_id}/2", "/unknown"):
            await service.bob.get(f"/v1/batch{path}")
        await service.alice.request("BREW", "/nothing")
        await service.alice.put("/v1/batch")
        await service.alice.post(f"/v1/batch/{job_id}/0")
        await service.nobody.delete("/healthz")
        running = (await service.alice.post("/v1/batch", json={"targets": [C]})).json()["job_id"]
        while (await service.alice.get(f"/v1/batch/{running}")).json()["status"] != "running":
            pass
        now = await samples(service)

        def requests(method: str, path: str, status: int) -> float:
            return now[f'gofer_http_requests_total{{method="{method}",path="{path}",status="{status}"}}']

        assert requests("POST", "/v1/batch", 202) == 2
        assert requests("GET", "/v1/batch/{id}", 404) == 4
        assert requests("GET", "/v1/batch/{id}", 200) >= 2
        assert requests("other", "other", 404) == 1
        assert requests("PUT", "/v1/batch", 405) == 1
        assert requests("POST", "/v1/batch/{id}", 405) == 1
        assert requests("DELETE", "/healthz", 405) == 1
        assert now['gofer_http_request_seconds_count{path="/v1/batch"}'] == 3
        assert now['gofer_jobs_total{status="queued"}'] == 2
        assert now['gofer_jobs_total{status="partial"}'] == 1
        assert now['gofer_targets_total{outcome="done"}'] == 1
        assert now['gofer_targets_total{outcome="failed"}'] == 1
        assert 0 < now["gofer_commit_seconds_count"] <= service.system.statistics().journal.commits
        assert now["gofer_log_position"] == service.system.statistics().journal.position
        assert now["gofer_batch_bytes"] == service.system.statistics().nbytes > 0
        assert now["gofer_jobs_live"] == now["gofer_fetches_running"] == 1
        assert now['gofer_queue_depth{queue="journal"}'] == now['gofer_queue_depth{queue="fetches"}'] == 0
        assert now["process_open_fds"] > 0

        await service.alice.delete(f"/v1/batch/{running}")
        assert (await samples(service))['gofer_jobs_total{status="cancelled"}'] == 1


async def test_no_label_holds_an_id_a_caller_or_a_url(serving: Serving) -> None:
    async with serving() as service:
        job_id = (await service.alice.post("/v1/batch", json={"targets": [A]})).json()["job_id"]
        await service.ended(service.alice, job_id)
        await service.alice.get(f"/v1/batch/{job_id}/0")
        await service.alice.delete(f"/v1/batch/{job_id}")
        await service.alice.get("/v1/elsewhere?q=1")
        exposed = (await service.nobody.get("/metrics")).text
        assert not re.search(f"{job_id}|alice|a.example|elsewhere", exposed)


async def test_openmetrics_is_given_to_who_asks_for_it(serving: Serving) -> None:
    async with serving() as service:
        response = await service.nobody.get(
            "/metrics", headers={"Accept": "application/openmetrics-text; version=1.0.0"}
        )
        assert response.headers["Content-Type"].startswith("application/openmetrics-text")
        assert response.text.endswith("# EOF\n")
