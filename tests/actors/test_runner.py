"""The runner: admission, caps, idempotency, cancelling, touching, and a crash that stays with its job."""

import math
from functools import partial
from pathlib import Path

import pytest
import trio
from gofer.actors import runner as runner_module
from gofer.actors.job import JobActor
from gofer.actors.mailbox import ActorDied
from gofer.actors.runner import (
    CRASHED,
    AlreadyFinished,
    CallerBusy,
    Draining,
    KeyReused,
    Submitted,
    TooManyLive,
    idem_key_of,
)
from gofer.actors.settings import ConcurrencySettings
from gofer.actors.system import System, SystemSettings, open_system
from gofer.actors.testing import Ear, SimulatedClock, submission
from gofer.actors.testing import open_system as open_simulated
from gofer.events.job import (
    Job,
    JobCancelled,
    JobExists,
    JobFinished,
    JobInterrupted,
    JobSubmitted,
    LeaseTouched,
    TargetSpec,
    TargetStarted,
)
from gofer.fetch.scripted import NEVER, Script, ScriptedFetcher
from gofer.fetch.target import Caller, Fetched, Target
from trio.testing import MockClock, wait_all_tasks_blocked

from .conftest import ALICE, BOB, Running, batch_settings

A, B, C = (f"http://{name}.example/" for name in "abc")
CAROL = Caller("carol", "fleet")
MANY = batch_settings(max_live_per_caller=100)


async def finished(system: System, ear: Ear, *urls: str, caller: Caller = ALICE, key: str | None = None) -> Submitted:
    submitted = await system.runner.submit(submission(caller, *urls, key=key))
    await ear.hear(submitted.job_id, JobFinished, JobCancelled, JobInterrupted)
    return submitted


# ---------------------------------------------------------------- admission


async def test_a_submission_is_durable_and_readable_at_once(running: Running, tmp_path: Path) -> None:
    """Report 1: POST, then GET at once."""
    async with running(store=tmp_path / "gofer.db", inline=False, batch=MANY) as (system, _):
        for n in range(50):
            submitted = await system.runner.submit(submission(ALICE, f"{A}{n}"))
            view = system.reader.job(submitted.job_id)
            assert view is not None
            assert (view.job.caller, view.job.targets_total) == ("alice", 1)


async def test_a_cancelled_submitters_commit_lands_and_its_job_runs(running: Running) -> None:
    async with running() as (system, ear):
        with trio.CancelScope() as scope:
            scope.cancel()
            await system.runner.submit(submission(ALICE, A))
        assert scope.cancelled_caught
        (job_id,) = await ear.until(lambda: [e.job_id for e in ear.of(JobSubmitted)] or None)
        await ear.hear(job_id, JobFinished)
        assert (await system.runner.submit(submission(ALICE, A))) == Submitted(job_id, "done", 1, reused=True)


async def test_a_caller_has_one_live_batch(running: Running) -> None:
    async with running(ScriptedFetcher(default=NEVER)) as (system, ear):
        first = await system.runner.submit(submission(ALICE, A))
        with pytest.raises(CallerBusy):
            await system.runner.submit(submission(ALICE, B))
        assert not (await system.runner.submit(submission(BOB, B))).reused
        await system.runner.cancel(first.job_id)
        assert not (await system.runner.submit(submission(ALICE, B))).reused
        assert len(ear.of(JobSubmitted)) == 3


async def test_of_submissions_at_once_one_is_admitted(running: Running) -> None:
    outcomes: list[str] = []

    async def submit(system: System, url: str) -> None:
        try:
            await system.runner.submit(submission(ALICE, url))
            outcomes.append("admitted")
        except CallerBusy:
            outcomes.append("busy")

    async with running(ScriptedFetcher(default=NEVER)) as (system, _), trio.open_nursery() as nursery:
        for n in range(10):
            nursery.start_soon(submit, system, f"http://h{n}.example/")
    assert sorted(outcomes) == ["admitted"] + ["busy"] * 9


async def test_there_are_so_many_live_batches_in_all(running: Running) -> None:
    async with running(ScriptedFetcher(default=NEVER), batch=batch_settings(max_live=2)) as (system, _):
        await system.runner.submit(submission(ALICE, A))
        await system.runner.submit(submission(BOB, A))
        with pytest.raises(TooManyLive):
            await system.runner.submit(submission(CAROL, A))
        assert system.runner.statistics().live == 2


async def test_an_ended_job_makes_room_the_moment_its_end_is_durable(running: Running, tmp_path: Path) -> None:
    async with running(store=tmp_path / "gofer.db", inline=False) as (system, _):
        for n in range(20):
            submitted = await system.runner.submit(submission(ALICE, f"{A}{n}"))
            while system.reader.status(submitted.job_id) != "done":  # as a client that polls
                await trio.lowlevel.checkpoint()


async def test_a_submission_that_the_log_refuses_harms_nobody_else(running: Running) -> None:
    ear = Ear()
    ids = iter(["live", "done", "done", "new"])
    async with open_system(
        SystemSettings(batch=MANY),
        ScriptedFetcher({A: NEVER}),
        clock=SimulatedClock(),
        new_id=lambda: next(ids),
        listeners=[ear],
    ) as system:
        await system.runner.submit(submission(ALICE, A))
        await finished(system, ear, B)
        await wait_all_tasks_blocked()
        with pytest.raises(JobExists):
            await system.runner.submit(submission(ALICE, C))
        assert system.reader.status("live") == "running"
        assert (await finished(system, ear, C)).job_id == "new"


# ---------------------------------------------------------------- resubmission


async def test_the_same_batch_answers_its_job_while_it_lives_and_once_it_is_done(
    running: Running, autojump_clock: MockClock
) -> None:
    fetcher = ScriptedFetcher(default=Script(delay_s=1))
    async with running(fetcher) as (system, ear):
        first = await system.runner.submit(submission(ALICE, A, B))
        again = await system.runner.submit(submission(ALICE, A, B))
        assert again.reused
        assert (again.job_id, again.targets) == (first.job_id, 2)
        assert again.status in ("queued", "running")
        await ear.hear(first.job_id, JobFinished)
        assert await system.runner.submit(submission(ALICE, A, B)) == Submitted(first.job_id, "done", 2, reused=True)
        assert len(ear.of(JobSubmitted)) == 1


@pytest.mark.parametrize("scripts", [{A: Script(error="x")}, {A: Script(error="x"), B: Script(error="x")}])
async def test_after_a_partial_or_failed_job_a_new_one_begins(running: Running, scripts: dict[str, Script]) -> None:
    async with running(ScriptedFetcher(scripts)) as (system, ear):
        first = await finished(system, ear, A, B)
        again = await system.runner.submit(submission(ALICE, A, B))
        assert not again.reused
        assert again.job_id != first.job_id


async def test_report_12_after_a_cancelled_job_a_new_one_begins(running: Running) -> None:
    async with running(ScriptedFetcher(default=NEVER)) as (system, ear):
        first = await system.runner.submit(submission(ALICE, A))
        await system.runner.cancel(first.job_id)
        again = await system.runner.submit(submission(ALICE, A))
        assert not again.reused
        assert again.job_id != first.job_id
        assert len(ear.of(JobCancelled)) == 1


async def test_report_11_a_key_answers_the_same_job_whatever_its_status(running: Running) -> None:
    async with running(ScriptedFetcher({A: Script(error="x")})) as (system, ear):
        first = await finished(system, ear, A, key="k")
        again = await system.runner.submit(submission(ALICE, A, key="k"))
        assert again == Submitted(first.job_id, "failed", 1, reused=True)


async def test_a_key_with_another_body_is_refused(running: Running) -> None:
    async with running() as (system, ear):
        await finished(system, ear, A, key="k")
        for urls in ((B,), (A, A), (A, B)):
            with pytest.raises(KeyReused):
                await system.runner.submit(submission(ALICE, *urls, key="k"))
        assert len(ear.of(JobSubmitted)) == 1


async def test_keys_are_each_callers_own(running: Running) -> None:
    async with running() as (system, ear):
        first = await finished(system, ear, A, key="k")
        other = await finished(system, ear, B, caller=BOB, key="k")
        same = await finished(system, ear, A, caller=BOB)
        assert len({first.job_id, other.job_id, same.job_id}) == 3


async def test_with_and_without_a_key_are_different_submissions(running: Running) -> None:
    async with running() as (system, ear):
        first = await finished(system, ear, A)
        keyed = await finished(system, ear, A, key="k")
        assert keyed.job_id != first.job_id


async def test_a_reused_submission_is_never_busy(running: Running) -> None:
    async with running(ScriptedFetcher(default=NEVER), batch=batch_settings(max_live=1)) as (system, _):
        first = await system.runner.submit(submission(ALICE, A))
        assert (await system.runner.submit(submission(ALICE, A))).job_id == first.job_id


@pytest.mark.parametrize("key", [None, "k"])
async def test_twins_at_once_are_one_job(running: Running, key: str | None, tmp_path: Path) -> None:
    answers: list[Submitted] = []

    async def submit(system: System) -> None:
        answers.append(await system.runner.submit(submission(ALICE, A, key=key)))

    async with running(ScriptedFetcher(default=NEVER), store=tmp_path / "g.db", inline=False) as (system, ear):
        async with trio.open_nursery() as nursery:
            for _ in range(20):
                nursery.start_soon(submit, system)
        await system.runner.cancel(answers[0].job_id)
    assert len(answers) == 20
    assert len({answer.job_id for answer in answers}) == 1
    assert sum(not answer.reused for answer in answers) == 1
    assert len(ear.of(JobSubmitted)) == 1


async def test_twins_of_a_key_with_other_bodies_are_one_job_and_refusals(running: Running) -> None:
    outcomes: list[str] = []

    async def submit(system: System, url: str) -> None:
        try:
            outcomes.append(
                "reused" if (await system.runner.submit(submission(ALICE, url, key="k"))).reused else "new"
            )
        except KeyReused:
            outcomes.append("refused")

    async with running(ScriptedFetcher(default=NEVER)) as (system, _), trio.open_nursery() as nursery:
        for url in (A, B, C):
            nursery.start_soon(submit, system, url)
    assert sorted(outcomes) == ["new", "refused", "refused"]


async def test_reuse_ends_with_the_lease(running: Running, autojump_clock: MockClock) -> None:
    batch = batch_settings(ttl_s=100, sweep_every_s=10_000)
    async with running(batch=batch) as (system, ear):
        first = await finished(system, ear, A)
        await trio.sleep(99)
        again = await system.runner.submit(submission(ALICE, A))
        assert again.job_id == first.job_id
        await trio.sleep(99)
        assert (await system.runner.submit(submission(ALICE, A))).reused, "reusing it renewed its lease"
        await trio.sleep(101)
        assert not (await system.runner.submit(submission(ALICE, A))).reused


def test_no_key_stands_in_the_database_and_the_two_kinds_never_meet() -> None:
    specs = (TargetSpec(A, "{}"),)
    assert "secret" not in idem_key_of(ALICE, specs, "secret")
    assert idem_key_of(ALICE, specs, None) != idem_key_of(BOB, specs, None)
    assert idem_key_of(ALICE, specs, idem_key_of(ALICE, specs, None)) != idem_key_of(ALICE, specs, None)
    assert idem_key_of(ALICE, specs, None) != idem_key_of(ALICE, (TargetSpec(A, '{"mode":"raw"}'),), None)


async def test_twins_of_a_submission_that_meets_the_death_of_the_store_are_told_so(
    autojump_clock: MockClock,
) -> None:
    told: list[str] = []

    async def submit(system: System) -> None:
        try:
            await system.runner.submit(submission(ALICE, A))
        except (ActorDied, Draining) as error:
            told.append(type(error).__name__)

    for _ in range(50):  # the order in which the steps of the dying fall is another each time
        async with open_simulated() as rig, trio.open_nursery() as nursery:
            rig.failpoints.at("append", rig.disk.fail)
            for _ in range(4):
                nursery.start_soon(submit, rig.system)
    assert len(told) == 200
    assert "ActorDied" in told


# ---------------------------------------------------------------- cancel


async def test_report_9_a_cancelled_job_is_finished(running: Running) -> None:
    async with running(ScriptedFetcher(default=NEVER)) as (system, _):
        submitted = await system.runner.submit(submission(ALICE, A))
        await system.runner.cancel(submitted.job_id)
        assert system.reader.status(submitted.job_id) == "cancelled"
        with pytest.raises(AlreadyFinished):
            await system.runner.cancel(submitted.job_id)
        with pytest.raises(AlreadyFinished):
            await system.runner.cancel("unknown")


async def test_of_cancels_at_once_one_wins(running: Running) -> None:
    outcomes: list[str] = []

    async def cancel(system: System, job_id: str) -> None:
        try:
            await system.runner.cancel(job_id)
            outcomes.append("cancelled")
        except AlreadyFinished:
            outcomes.append("finished")

    async with running(ScriptedFetcher(default=NEVER)) as (system, ear):
        submitted = await system.runner.submit(submission(ALICE, A))
        async with trio.open_nursery() as nursery:
            for _ in range(5):
                nursery.start_soon(cancel, system, submitted.job_id)
    assert sorted(outcomes) == ["cancelled"] + ["finished"] * 4
    assert len(ear.of(JobCancelled)) == 1


async def test_a_cancel_that_meets_the_death_of_the_store_is_not_told_that_the_job_ended(
    autojump_clock: MockClock,
) -> None:
    told: list[str] = []

    async def cancel(system: System, job_id: str) -> None:
        try:
            await system.runner.cancel(job_id)
        except (ActorDied, AlreadyFinished) as error:
            told.append(type(error).__name__)

    for _ in range(50):  # the order in which the steps of the dying fall is another each time
        async with open_simulated(ScriptedFetcher(default=NEVER)) as rig:
            submitted = await rig.system.runner.submit(submission(ALICE, A))
            rig.failpoints.at("append", rig.disk.fail)
            async with trio.open_nursery() as nursery:
                for _ in range(4):
                    nursery.start_soon(cancel, rig.system, submitted.job_id)
    assert told == ["ActorDied"] * 200


# ---------------------------------------------------------------- touch


async def test_polling_adds_one_event_a_second_to_a_job_live_or_finished(
    running: Running, autojump_clock: MockClock
) -> None:
    fetcher = ScriptedFetcher({A: Script(), B: NEVER})
    async with running(fetcher) as (system, ear):
        done = await finished(system, ear, A)
        live = await system.runner.submit(submission(BOB, B))
        await wait_all_tasks_blocked()
        for _ in range(3):
            await trio.sleep(1)
            for _ in range(100):
                system.runner.touch(done.job_id)
                system.runner.touch(live.job_id)
                await trio.lowlevel.checkpoint()
        await wait_all_tasks_blocked()
        assert len(ear.of(LeaseTouched, done.job_id)) == 3
        assert len(ear.of(LeaseTouched, live.job_id)) == 3
        assert system.runner.statistics().touches_dropped == 0


async def test_touching_an_unknown_job_is_nothing(running: Running) -> None:
    async with running() as (system, ear):
        system.runner.touch("unknown")
        await wait_all_tasks_blocked()
        assert ear.heard == []


async def test_what_is_remembered_of_touches_is_bounded(running: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runner_module, "TOUCHED_CAPACITY", 2)
    async with running() as (system, _):
        for _ in range(2):
            for name in ("one", "two", "three"):
                system.runner.touch(name)
        await wait_all_tasks_blocked()
        assert len(system.runner._touched) == 2


# ---------------------------------------------------------------- limits


async def test_the_limits_hold_over_jobs_and_single_fetches(running: Running, autojump_clock: MockClock) -> None:
    fetcher = ScriptedFetcher(default=Script(delay_s=1))
    urls = [f"http://h{n % 3}.example/{n}" for n in range(16)]
    limits = ConcurrencySettings(total=6, per_job=4, per_host=3)
    async with running(fetcher, concurrency=limits) as (system, ear), trio.open_nursery() as nursery:
        for caller in (ALICE, BOB, CAROL):
            nursery.start_soon(partial(finished, system, ear, *urls, caller=caller))
        for n in range(4):
            nursery.start_soon(system.runner.fetch, Target(urls[n]), ALICE)
    assert fetcher.max_active == 6
    assert max(fetcher.max_active_by_host.values()) <= 3
    assert len(fetcher.calls) == 3 * 16 + 4


async def test_a_busy_host_does_not_hold_up_another_job(running: Running) -> None:
    slow = {f"{A}{n}": NEVER for n in range(10)}
    async with running(ScriptedFetcher(slow), concurrency=ConcurrencySettings(per_host=2)) as (system, ear):
        stuck = await system.runner.submit(submission(ALICE, *slow))
        await ear.hear(stuck.job_id, TargetStarted)
        done = await finished(system, ear, B, caller=BOB)
        assert system.reader.status(done.job_id) == "done"
        await system.runner.cancel(stuck.job_id)


async def test_waiting_single_fetches_are_bounded(running: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runner_module, "MAX_WAITING_FETCHES", 2)
    fetcher = ScriptedFetcher(default=Script(delay_s=math.inf))
    limits = ConcurrencySettings(total=1)
    async with running(fetcher, concurrency=limits) as (system, _), trio.open_nursery() as nursery:
        for _ in range(3):
            nursery.start_soon(system.runner.fetch, Target(A), ALICE)
        await wait_all_tasks_blocked()
        with pytest.raises(TooManyLive):
            await system.runner.fetch(Target(A), ALICE)
        nursery.cancel_scope.cancel()


async def test_a_single_fetch_answers_its_outcome(running: Running) -> None:
    async with running(ScriptedFetcher({A: Script(content="hello")})) as (system, ear):
        outcome = await system.runner.fetch(Target(A), ALICE)
        assert isinstance(outcome, Fetched)
        assert outcome.envelope.content == "hello"
        assert ear.heard == [], "it is no job"


# ---------------------------------------------------------------- crashes


async def test_an_actor_that_crashes_fails_its_job_and_no_other(
    running: Running, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    drive = JobActor._drive

    async def crash_for_bob(actor: JobActor, job: Job) -> Job:
        if actor.caller == BOB:
            await trio.lowlevel.checkpoint()
            raise ZeroDivisionError(f"a bug, met at {B}")
        return await drive(actor, job)

    monkeypatch.setattr(JobActor, "_drive", crash_for_bob)
    async with running(ScriptedFetcher({A: NEVER})) as (system, ear):
        sibling = await system.runner.submit(submission(ALICE, A))
        crashed = await finished(system, ear, B, caller=BOB)
        assert ear.of(JobInterrupted, crashed.job_id)[0].error == CRASHED
        view = system.reader.job(crashed.job_id)
        assert view is not None
        assert view.job.status == "failed"
        assert [target.error for target in view.targets] == [CRASHED]
        assert system.reader.status(sibling.job_id) == "running"
        assert not (await system.runner.submit(submission(BOB, C))).reused, "its caller is not busy any more"
        await system.runner.cancel(sibling.job_id)
    logged = "".join(capsys.readouterr())
    assert "job actor crashed" in logged
    assert "b.example" not in logged
