"""The janitor: leases that ran out are swept by the clock, and the byte budget holds after each result."""

from pathlib import Path

import pytest
import trio
from gofer.actors.testing import SimulatedClock, submission
from gofer.events.job import JobEvicted, JobFinished, JobSwept
from gofer.fetch.scripted import NEVER, Script, ScriptedFetcher
from trio.testing import MockClock, wait_all_tasks_blocked

from .conftest import ALICE, BOB, Running, batch_settings

A, B, C = (f"http://{name}.example/" for name in "abc")


async def test_a_job_is_swept_with_its_targets_when_its_lease_has_run_out(
    running: Running, autojump_clock: MockClock
) -> None:
    batch = batch_settings(ttl_s=100, sweep_every_s=10)
    async with running(batch=batch) as (system, ear):
        clock = trio.current_time()
        done = await system.runner.submit(submission(ALICE, A, B))
        await ear.hear(done.job_id, JobSwept)
        assert trio.current_time() - clock == pytest.approx(100, abs=10)
        assert system.reader.job(done.job_id) is None
        assert system.reader.target(done.job_id, 0) is None
        assert system.statistics().nbytes == 0


async def test_a_touched_job_is_kept(running: Running, autojump_clock: MockClock) -> None:
    batch = batch_settings(ttl_s=100, sweep_every_s=10)
    async with running(batch=batch) as (system, ear):
        done = await system.runner.submit(submission(ALICE, A))
        await trio.sleep(95)
        system.runner.touch(done.job_id)
        await trio.sleep(95)
        assert ear.of(JobSwept) == []
        assert system.reader.status(done.job_id) == "done"


async def test_the_oldest_finished_jobs_go_first_when_the_budget_is_passed(
    running: Running, autojump_clock: MockClock
) -> None:
    fetcher = ScriptedFetcher(default=Script(content="x" * 1000))
    async with running(fetcher, batch=batch_settings(max_bytes=3_500)) as (system, ear):
        ids = []
        for n in range(5):
            submitted = await system.runner.submit(submission(ALICE, f"http://h{n}.example/"))
            await ear.hear(submitted.job_id, JobFinished)
            ids.append(submitted.job_id)
            await trio.sleep(1)
        assert [job_id for job_id in ids if ear.of(JobEvicted, job_id)] == ids[:3]
        assert 0 < system.statistics().nbytes <= 3_500


async def test_a_live_job_is_never_evicted(running: Running, autojump_clock: MockClock) -> None:
    big = Script(content="x" * 5000)
    fetcher = ScriptedFetcher({A: big, B: big, C: NEVER})
    async with running(fetcher, batch=batch_settings(max_bytes=6_000)) as (system, ear):
        live = await system.runner.submit(submission(ALICE, A, C))
        await wait_all_tasks_blocked()
        other = await system.runner.submit(submission(BOB, B))
        await ear.hear(other.job_id, JobEvicted)
        assert ear.of(JobEvicted, live.job_id) == []
        assert system.reader.status(live.job_id) == "running"


async def test_a_job_that_ends_over_the_budget_is_evicted_then(running: Running, autojump_clock: MockClock) -> None:
    """Its last result was written while it was live and could not be evicted; its end must not be missed."""
    fetcher = ScriptedFetcher({A: Script(content="x" * 5000), B: Script(error="http 404", delay_s=5)})
    async with running(fetcher, batch=batch_settings(max_bytes=1_000)) as (system, ear):
        submitted = await system.runner.submit(submission(ALICE, A, B))
        await ear.hear(submitted.job_id, JobFinished)
        await wait_all_tasks_blocked()
        assert ear.story(submitted.job_id)[-1] == "JobEvicted"
        assert system.statistics().nbytes == 0


async def test_a_store_that_opens_over_the_budget_is_brought_within_it(
    running: Running, autojump_clock: MockClock, tmp_path: Path
) -> None:
    """A crash came between a result and its eviction, or the operator lowered the budget."""
    store = tmp_path / "gofer.db"
    async with running(ScriptedFetcher(default=Script(content="x" * 5000)), store=store) as (system, ear):
        submitted = await system.runner.submit(submission(ALICE, A))
        await ear.hear(submitted.job_id, JobFinished)
    async with running(store=store, batch=batch_settings(max_bytes=1_000)) as (system, ear):
        await ear.hear(submitted.job_id, JobEvicted)
        assert system.statistics().nbytes == 0


async def test_sweeping_a_live_job_ends_its_actor_quietly(
    running: Running, autojump_clock: MockClock, capsys: pytest.CaptureFixture[str]
) -> None:
    fetcher = ScriptedFetcher(default=NEVER)
    clock = SimulatedClock()
    async with running(fetcher, batch=batch_settings(ttl_s=100, sweep_every_s=10), clock=clock) as (system, ear):
        submitted = await system.runner.submit(submission(ALICE, A, B))
        await wait_all_tasks_blocked()
        assert fetcher.active == 2
        clock.jump(500)
        await ear.hear(submitted.job_id, JobSwept)
        await wait_all_tasks_blocked()
        assert fetcher.active == 0, "nobody can collect what they bring"
        assert system.runner.statistics().live == 0
        again = await system.runner.submit(submission(ALICE, A, B))
        assert not again.reused
    assert "crashed" not in "".join(capsys.readouterr())
