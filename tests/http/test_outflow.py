"""How much of results may be under way: to one caller, in all, and what those meet that come on top."""

import json

import httpx
import pytest
import trio
from gofer.fetch.scripted import Script, ScriptedFetcher
from gofer.http.outflow import MAX_BYTES, MAX_CALLER_BYTES, WAIT_S, Outflow
from gofer.http.problems import Problem

from .conftest import Service, Serving, assert_problem

BIG = "ä" * 4_000_000  # more than the buffers of a connection take
HALF = MAX_CALLER_BYTES // 2


async def refused(outflow: Outflow, caller: str, nbytes: int) -> bool:
    try:
        async with outflow.hold(caller, nbytes, wait_s=0):
            return False
    except Problem as problem:
        return (problem.status, problem.error, problem.headers) == (429, "results busy", {"Retry-After": "5"})


async def test_a_caller_has_its_limit_and_an_answer_alone_has_none() -> None:
    outflow = Outflow()
    async with outflow.hold("alice", HALF, wait_s=0):
        assert not await refused(outflow, "alice", HALF)
        assert await refused(outflow, "alice", HALF + 1)
        assert not await refused(outflow, "bob", MAX_CALLER_BYTES)
    async with outflow.hold("alice", 2 * MAX_BYTES, wait_s=0):
        assert await refused(outflow, "alice", 1)
        assert await refused(outflow, "bob", 1)
    assert not await refused(outflow, "bob", 1)


async def test_all_callers_together_have_a_limit(nursery: trio.Nursery) -> None:
    outflow = Outflow()

    async def hold(caller: str, *, task_status: trio.TaskStatus[None]) -> None:
        async with outflow.hold(caller, MAX_CALLER_BYTES, wait_s=0):
            task_status.started()
            await trio.sleep_forever()

    for caller in range(MAX_BYTES // MAX_CALLER_BYTES):
        await nursery.start(hold, str(caller))
    assert await refused(outflow, "another", 1)
    nursery.cancel_scope.cancel()
    await trio.lowlevel.cancel_shielded_checkpoint()


async def test_who_waits_gets_in_when_others_leave_or_is_refused(autojump_clock: trio.testing.MockClock) -> None:
    outflow = Outflow()
    began_at = trio.current_time()
    entered_at: list[float] = []

    async def come(wait_s: float) -> None:
        async with outflow.hold("alice", HALF, wait_s=wait_s):
            entered_at.append(trio.current_time() - began_at)
            await trio.sleep(2)

    async with trio.open_nursery() as nursery:
        for _ in range(5):  # two at a time
            nursery.start_soon(come, WAIT_S)
        await trio.testing.wait_all_tasks_blocked()
        with trio.move_on_after(1):
            await come(WAIT_S)  # one that goes away while it waits takes nothing
        await trio.sleep(0.5)
        with pytest.raises(Problem):
            await come(0.25)
    assert entered_at == [0, 0, 2, 2, 4]


async def stalled(service: Service, path: str) -> trio.SocketStream:
    host, _, port = service.url.removeprefix("http://").rpartition(":")
    stream = await trio.open_tcp_stream(host, int(port))
    await stream.send_all(f"GET {path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer alice-token\r\n\r\n".encode())
    assert (await stream.receive_some(12)) == b"HTTP/1.1 200"  # and no more
    return stream


@pytest.mark.parametrize("tail", ["?results=1", "/0"])
async def test_stalled_readers_keep_their_caller_from_more_and_nobody_else(
    serving: Serving, monkeypatch: pytest.MonkeyPatch, tail: str
) -> None:
    monkeypatch.setattr("gofer.http.outflow.MAX_CALLER_BYTES", 30_000_000)
    monkeypatch.setattr("gofer.http.batch.WAIT_S", 0.1)
    async with serving(ScriptedFetcher(default=Script(content=BIG))) as service:
        paths = {}
        for client in (service.alice, service.bob):
            accepted = await client.post("/v1/batch", json={"targets": [{"url": "https://a.example/"}]})
            paths[client] = f"/v1/batch/{accepted.json()['job_id']}"
            await service.ended(client, accepted.json()["job_id"])
        readers = [await stalled(service, paths[service.alice] + tail) for _ in range(3)]
        for _ in range(2):
            assert_problem(await service.alice.get(paths[service.alice] + tail), 429, "results busy")
        assert (await service.alice.get(paths[service.alice])).status_code == 200
        assert (await service.bob.get(paths[service.bob] + tail)).status_code == 200
        await readers[0].aclose()
        with trio.fail_after(5):
            while (await service.alice.get(paths[service.alice] + tail)).status_code == 429:
                pass
        for reader in readers[1:]:
            await reader.aclose()


async def test_results_come_whole_with_their_length(serving: Serving) -> None:
    contents = ["", BIG, 'ä"\n]}', "x"]
    scripts = {f"https://{idx}.example/": Script(content=content) for idx, content in enumerate(contents)}
    scripts["https://2.example/"] = Script(error="http 404", hint="check ]}")
    async with serving(ScriptedFetcher(scripts)) as service:
        accepted = await service.alice.post("/v1/batch", json={"targets": [{"url": url} for url in scripts]})
        job_id = accepted.json()["job_id"]
        plain = await service.ended(service.alice, job_id)
        response = await service.alice.get(f"/v1/batch/{job_id}?results=1")
        assert int(response.headers["Content-Length"]) == len(response.content)
        assert "Transfer-Encoding" not in response.headers
        answer = json.loads(response.content)
        results = [target.pop("result", None) for target in answer["targets"]]
        assert answer == plain
        assert [result and result["content"] for result in results] == ["", BIG, None, "x"]
        head = await service.alice.head(f"/v1/batch/{job_id}?results=1")
        assert (head.status_code, head.content) == (200, b"")
        assert head.headers["Content-Length"] == response.headers["Content-Length"]


async def test_sixty_readers_at_once_all_get_theirs(serving: Serving) -> None:
    async with serving(ScriptedFetcher(default=Script(content="x" * 3_000_000))) as service:
        accepted = await service.alice.post("/v1/batch", json={"targets": [{"url": "https://a.example/"}]})
        job_id = accepted.json()["job_id"]
        await service.ended(service.alice, job_id)
        answers: list[httpx.Response] = []

        async def read() -> None:
            answers.append(await service.alice.get(f"/v1/batch/{job_id}?results=1"))

        async with trio.open_nursery() as nursery:
            for _ in range(60):
                nursery.start_soon(read)
        assert [answer.status_code for answer in answers] == [200] * 60
        assert {len(answer.content) for answer in answers} == {len(answers[0].content)}
