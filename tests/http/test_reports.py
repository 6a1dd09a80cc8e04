"""Faults that users of like services reported, each held against this one over a real socket and a store on disk.

A test's number is that of the report.
"""

import json
import re
from collections import Counter
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest
import trio
from gofer.events import job
from gofer.fetch.scripted import NEVER, Script, ScriptedFetcher

from .conftest import BATCH, Service, Serving, assert_problem


@pytest.fixture
def on_disk(serving: Serving, tmp_path: Path) -> Serving:
    return partial(serving, store=str(tmp_path / "gofer.db"))


def url(idx: int) -> str:
    return f"https://host{idx}.example/page/{idx}"


async def submit(client: httpx.AsyncClient, urls: Iterable[str], **headers: str) -> str:
    response = await client.post("/v1/batch", json={"targets": [{"url": each} for each in urls]}, headers=headers)
    assert response.status_code == 202, response.text
    job_id: str = response.json()["job_id"]
    return job_id


def happened(service: Service, job_id: str) -> Counter[str]:
    """How often each kind of event is on the job's stream."""
    return Counter(type(each.event).__name__ for each in service.events if each.job_id == job_id)


async def test_report_01_a_job_can_be_read_the_instant_its_202_is_out(on_disk: Serving) -> None:
    """x1000, on bare sockets: httpx would take most of the time."""
    many = msgspec.structs.replace(BATCH, max_live_per_caller=2_000, max_live=2_000)
    async with on_disk(batch=many) as service, trio.open_nursery() as nursery:

        async def post_then_get(numbers: range) -> None:
            async with await trio.open_tcp_stream("127.0.0.1", int(service.url.rpartition(":")[2])) as stream:
                for number in numbers:
                    body = f'{{"targets":[{{"url":"{url(number)}"}}]}}'
                    accepted = await ask(stream, f"POST /v1/batch HTTP/1.1\r\nContent-Length: {len(body)}", body)
                    summary = await ask(stream, f"GET /v1/batch/{accepted['job_id']} HTTP/1.1")
                    assert summary["targets"][0]["url"] == url(number)

        for start in range(0, 1_000, 50):
            nursery.start_soon(post_then_get, range(start, start + 50))


async def ask(stream: trio.SocketStream, head: str, body: str = "") -> Any:
    """What a request of alice's is answered with, which must be a success."""
    await stream.send_all(f"{head}\r\nHost: x\r\nAuthorization: Bearer alice-token\r\n\r\n{body}".encode())
    answered = b""
    while not (
        match := re.search(rb"^HTTP/1.1 (\d+) .*?content-length: (\d+)\r\n.*?\r\n\r\n", answered, re.DOTALL)
    ) or (len(answered) < match.end() + int(match[2])):
        answered += await stream.receive_some()
    assert match[1] in (b"200", b"202"), answered
    return json.loads(answered[match.end() :])


async def test_report_02_a_batch_with_failures_ends(on_disk: Serving) -> None:
    failing = {url(idx): Script(error="http 500") for idx in range(0, 32, 3)}
    async with on_disk(ScriptedFetcher(failing)) as service:
        summary = await service.ended(service.alice, await submit(service.alice, map(url, range(32))))
        assert summary["status"] == "partial"
        assert Counter(each["status"] for each in summary["targets"]) == {"failed": 11, "done": 21}


async def test_report_03_each_poll_is_one_consistent_read(on_disk: Serving) -> None:
    """`ended` holds the counts of each poll against its own rows."""
    scripts = {url(idx): Script(delay_s=idx / 200) for idx in range(32)}
    async with on_disk(ScriptedFetcher(scripts)) as service:
        job_id = await submit(service.alice, map(url, range(32)))
        async with trio.open_nursery() as nursery:
            for _ in range(4):
                nursery.start_soon(service.ended, service.alice, job_id)


async def test_report_05_slow_and_mixed_targets_are_exactly_32_rows(on_disk: Serving) -> None:
    scripts = {
        url(idx): Script(delay_s=idx % 4 / 50, error="timeout: total" if idx % 5 == 0 else "") for idx in range(32)
    }
    async with on_disk(ScriptedFetcher(scripts)) as service:
        job_id = await submit(service.alice, map(url, range(32)))
        summary = await service.ended(service.alice, job_id)
        assert [each["idx"] for each in summary["targets"]] == list(range(32))
        assert [each["status"] for each in summary["targets"]] == [
            "failed" if i % 5 == 0 else "done" for i in range(32)
        ]


async def test_report_06_each_body_is_that_of_its_idx(on_disk: Serving) -> None:
    scripts = {url(idx): Script(delay_s=(32 - idx) / 500) for idx in range(32)}
    async with on_disk(ScriptedFetcher(scripts)) as service:
        job_id = await submit(service.alice, map(url, range(32)))
        await service.ended(service.alice, job_id)
        full = (await service.alice.get(f"/v1/batch/{job_id}?results=1")).json()
        for idx, row in enumerate(full["targets"]):
            assert (row["idx"], row["url"], row["result"]["content"]) == (idx, url(idx), url(idx))
            assert (await service.alice.get(f"/v1/batch/{job_id}/{idx}")).json()["result"] == row["result"]


async def test_report_07_and_29_targets_are_keyed_by_idx_with_the_url_as_sent(on_disk: Serving) -> None:
    urls = [
        "https://a.example",
        "https://a.example/",
        "https://A.example/",
        "https://a.example/",
        "https://a.example/x/..",
    ]
    fetcher = ScriptedFetcher()
    async with on_disk(fetcher) as service:
        summary = await service.ended(service.alice, await submit(service.alice, urls))
        assert [each["url"] for each in summary["targets"]] == urls
        assert sorted(target.url for target, _ in fetcher.calls) == sorted(urls)


async def test_report_08_a_cancellation_is_one_fact_and_no_flood_of_failures(on_disk: Serving) -> None:
    fetcher = ScriptedFetcher({url(idx): NEVER for idx in range(16, 32)})
    async with on_disk(fetcher, per_job=32) as service:
        job_id = await submit(service.alice, map(url, range(32)))
        with trio.fail_after(10):
            while (await service.alice.get(f"/v1/batch/{job_id}")).json()["targets_done"] < 16:
                pass
        assert (await service.alice.delete(f"/v1/batch/{job_id}")).status_code == 200
        summary = await service.ended(service.alice, job_id)
        assert summary["status"] == "cancelled"
        assert Counter((each["status"], each.get("error")) for each in summary["targets"]) == {
            ("done", None): 16,
            ("failed", "cancelled"): 16,
        }
        facts = happened(service, job_id)
        assert (facts["JobCancelled"], facts["TargetDone"], facts["TargetFailed"]) == (1, 16, 0)
        assert not facts.keys() & {"JobFinished", "JobInterrupted"}
        with trio.fail_after(1):
            while fetcher.active:
                await trio.lowlevel.checkpoint()


async def test_report_09_cancel_poll_cancel(on_disk: Serving) -> None:
    async with on_disk(ScriptedFetcher(default=NEVER)) as service:
        job_id = await submit(service.alice, [url(0)])
        first = await service.alice.delete(f"/v1/batch/{job_id}")
        assert (first.status_code, first.json()) == (200, {"success": True, "status": "cancelled"})
        assert (await service.alice.get(f"/v1/batch/{job_id}")).json()["status"] == "cancelled"
        assert_problem(await service.alice.delete(f"/v1/batch/{job_id}"), 409, "job already finished")


async def test_report_11_a_key_stands_for_one_body(on_disk: Serving) -> None:
    key = {"Idempotency-Key": "2026-11-30/7"}
    async with on_disk() as service:
        first = await submit(service.alice, [url(0), url(1)], **key)
        assert await submit(service.alice, [url(0), url(1)], **key) == first
        for other in ([url(1), url(0)], [url(0)], [url(0), url(1), url(2)]):
            body = {"targets": [{"url": each} for each in other]}
            refused = await service.alice.post("/v1/batch", json=body, headers=key)
            assert_problem(refused, 422, "idempotency key reused with another body")
        await service.ended(service.alice, first)
        assert await submit(service.bob, [url(2)], **key) != first


async def test_report_11_the_same_key_sent_many_times_at_once_is_one_job(on_disk: Serving) -> None:
    found: list[str] = []
    async with on_disk(ScriptedFetcher(default=NEVER)) as service:

        async def send() -> None:
            found.append(await submit(service.alice, [url(0)], **{"Idempotency-Key": "k"}))

        async with trio.open_nursery() as nursery:
            for _ in range(16):
                nursery.start_soon(send)
        assert len(found) == 16
        assert len(set(found)) == 1
        assert sum(isinstance(each.event, job.JobSubmitted) for each in service.events) == 1


async def test_report_12_a_resubmission_after_a_cancellation_is_a_new_job(on_disk: Serving) -> None:
    async with on_disk(ScriptedFetcher(default=NEVER)) as service:
        cancelled = await submit(service.alice, [url(0)])
        await service.alice.delete(f"/v1/batch/{cancelled}")
        assert await submit(service.alice, [url(0)]) != cancelled


async def test_report_13_anothers_job_is_as_unknown_as_no_job(on_disk: Serving) -> None:
    async with on_disk(ScriptedFetcher(default=NEVER)) as service:
        job_id = await submit(service.alice, [url(0)])
        for method, path in [("GET", ""), ("GET", "?results=1"), ("GET", "/0"), ("HEAD", ""), ("DELETE", "")]:
            anothers = await service.bob.request(method, f"/v1/batch/{job_id}{path}")
            nobodys = await service.bob.request(method, f"/v1/batch/{'x' * len(job_id)}{path}")
            assert anothers.status_code == nobodys.status_code == 404
            assert anothers.content == nobodys.content
            if method != "HEAD":
                assert_problem(anothers, 404, "not found")
        assert (await service.alice.get(f"/v1/batch/{job_id}")).json()["status"] in ("queued", "running")


async def test_report_14_a_summary_of_large_results_stays_small(on_disk: Serving) -> None:
    async with on_disk(ScriptedFetcher(default=Script(content="x" * 1_000_000))) as service:
        job_id = await submit(service.alice, map(url, range(32)))
        await service.ended(service.alice, job_id)
        assert len((await service.alice.get(f"/v1/batch/{job_id}")).content) < 4_000
        assert len((await service.alice.get(f"/v1/batch/{job_id}/31")).content) > 1_000_000
        assert len((await service.alice.get(f"/v1/batch/{job_id}?results=1")).content) > 32_000_000
