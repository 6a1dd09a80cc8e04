"""The janitor: leases that ran out are swept by the clock, and the byte budget holds after each result."""

import shutil
from pathlib import Path

import pytest
import structlog.testing
import trio
from gofer.actors.settings import AuditSettings
from gofer.actors.testing import SimulatedClock, submission
from gofer.events.job import JobEvicted, JobFinished, JobSwept
from gofer.events.merkle import CompactRange, leaf_hash
from gofer.fetch.scripted import NEVER, Script, ScriptedFetcher
from gofer.store.audit import read_checkpoints, tiles_of, verify
from gofer.store.audit_walk import open_log_file
from gofer.store.leaves import read_leaves
from gofer.store.notary import Forked, Notary, checkpoint_files, checkpoint_folder, key_file
from gofer.store.tiles import read_level
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


# ---------------------------------------------------------------- checkpoints

EVERY_10_S = AuditSettings(checkpoint_every_s=10)


def signed(store: Path) -> int:
    """How many checkpoints lie in the folder of `store`."""
    return len(list(checkpoint_files(checkpoint_folder(store))))


async def test_checkpoints_that_cannot_be_written_are_owed_and_take_nothing_down(
    running: Running, autojump_clock: MockClock, tmp_path: Path
) -> None:
    store = tmp_path / "gofer.db"
    folder, aside = checkpoint_folder(store), tmp_path / "aside"
    with structlog.testing.capture_logs() as logged:
        async with running(store=store, audit=EVERY_10_S) as (system, ear):
            folder.rename(aside)
            first = await system.runner.submit(submission(ALICE, A))
            await ear.hear(first.job_id, JobFinished)
            await trio.sleep(35)
            assert system.ready
            assert system.statistics().owes_checkpoint
            again = await system.runner.submit(submission(ALICE, B))
            await ear.hear(again.job_id, JobFinished)
            await trio.sleep(35)
            told = [line for line in logged if line["log_level"] == "error"]
            assert told == [{"event": "checkpoints cannot be written", "kind": "ENOENT", "log_level": "error"}]
            aside.rename(folder)
            await trio.sleep(15)
            assert not system.statistics().owes_checkpoint
    assert signed(store) == 1
    newest = Notary.open(folder, key_file(store)).newest()
    assert newest is not None
    assert newest.size == ear.heard[-1].seq, "what was owed is covered"


async def test_a_drain_goes_on_past_a_checkpoint_that_cannot_be_written(
    running: Running, autojump_clock: MockClock, tmp_path: Path
) -> None:
    store = tmp_path / "gofer.db"
    with structlog.testing.capture_logs() as logged:
        async with running(store=store) as (system, ear):
            submitted = await system.runner.submit(submission(ALICE, A))
            await ear.hear(submitted.job_id, JobFinished)
            shutil.rmtree(checkpoint_folder(store))
    assert not system.journal.running
    assert [line["kind"] for line in logged if "kind" in line] == ["ENOENT"]
    async with running(store=store) as (system, ear):
        assert system.reader.status(submitted.job_id) == "done"


async def test_a_checkpoint_is_signed_every_so_many_events(
    running: Running, mock_clock: MockClock, tmp_path: Path
) -> None:
    """Time stands still, so it is the events alone that one falls due by; each job has six."""
    store = tmp_path / "gofer.db"
    counts = []
    async with running(store=store, audit=AuditSettings(checkpoint_every_events=10)) as (system, ear):
        for n in range(4):
            submitted = await system.runner.submit(submission(ALICE, f"http://h{n}.example/"))
            await ear.hear(submitted.job_id, JobFinished)
            await wait_all_tasks_blocked()
            counts.append(signed(store))
        assert len(ear.heard) == 24
    assert counts == [0, 1, 1, 2]


@pytest.mark.parametrize("inline", [False, True])
async def test_the_leaves_of_what_is_signed_lie_beside_it(running: Running, tmp_path: Path, inline: bool) -> None:
    store = tmp_path / "gofer.db"
    folder = checkpoint_folder(store)
    audit = AuditSettings(checkpoint_every_events=2)
    for url in (A, B):
        async with running(store=store, audit=audit, inline=inline) as (system, ear):
            submitted = await system.runner.submit(submission(ALICE, url))
            await ear.hear(submitted.job_id, JobFinished)
    newest = Notary.open(folder, key_file(store)).newest()
    assert newest is not None
    assert newest.size == ear.heard[-1].seq
    leaves = b"".join(read_leaves(store, tmp_path, 0))
    assert len(leaves) == newest.size * 32
    assert read_level(folder, 0, newest.size) == leaves
    notes, _ = read_checkpoints(folder, Notary.open(folder, key_file(store)).public_key)
    assert len(notes) >= 2
    with open_log_file(store) as log:
        assert verify(log, notes, tiles_of(folder, notes)).whole


async def test_tiles_that_cannot_be_written_are_owed(
    running: Running, autojump_clock: MockClock, tmp_path: Path
) -> None:
    store = tmp_path / "gofer.db"
    folder = checkpoint_folder(store)
    folder.mkdir()
    (folder / "tile").write_text("in the way")
    with structlog.testing.capture_logs() as logged:
        async with running(store=store, audit=EVERY_10_S) as (system, ear):
            submitted = await system.runner.submit(submission(ALICE, A))
            await ear.hear(submitted.job_id, JobFinished)
            await trio.sleep(35)
            assert system.statistics().owes_checkpoint
            assert signed(store) == 0, "nothing is signed of which there are no tiles"
            (folder / "tile").unlink()
            await trio.sleep(15)
            assert not system.statistics().owes_checkpoint
    assert [line["kind"] for line in logged if "kind" in line] == ["EEXIST"]
    assert signed(store) == 1


@pytest.mark.parametrize("at_drain", [False, True])
async def test_a_log_that_is_not_the_one_that_was_signed_is_fatal(
    running: Running, autojump_clock: MockClock, tmp_path: Path, at_drain: bool
) -> None:
    store = tmp_path / "gofer.db"
    with pytest.RaisesGroup(pytest.RaisesExc(Forked, match="another root"), flatten_subgroups=True):
        async with running(store=store, audit=EVERY_10_S) as (system, ear):
            submitted = await system.runner.submit(submission(ALICE, A))
            await ear.hear(submitted.job_id, JobFinished)
            notary = Notary.open(checkpoint_folder(store), key_file(store))
            leaves = [leaf_hash(b"%d" % n) for n in range(ear.heard[-1].seq)]
            notary.sign(CompactRange().extended(leaves), lambda after: leaves[after:])
            if not at_drain:
                await trio.sleep_forever()
    assert not system.journal.running
    assert signed(store) == 1
