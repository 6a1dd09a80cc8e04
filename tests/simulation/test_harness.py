"""The harness itself: a machine that crashes and comes up again, failpoints, deciders, what a failing run tells."""

import msgspec
import pytest
import trio
from gofer.actors.journal import Commit
from gofer.actors.mailbox import ActorDied
from gofer.actors.settings import BatchSettings
from gofer.actors.sim_cli import app
from gofer.actors.simulation import report, shrink, simulate
from gofer.actors.testing import EPOCH, Rig, given, open_system, submission
from gofer.actors.testing_store import PLACES, Place
from gofer.actors.witness import Witness
from gofer.actors.workload import Plan, Submit, plan
from gofer.events.job import (
    INTERRUPTED,
    Cancel,
    IllegalTransition,
    JobCancelled,
    JobFinished,
    JobStarted,
    JobSubmitted,
    Start,
    StartTarget,
    TargetsAdded,
    TargetSpec,
    UnknownTarget,
)
from gofer.fetch.scripted import NEVER, Script, ScriptedFetcher
from gofer.fetch.target import Caller
from trio.testing import MockClock, wait_all_tasks_blocked

ALICE = Caller("alice", "fleet")
A, B = "http://a.example/", "http://b.example/"
SUBMITTED = JobSubmitted(
    at_ms=0, job_id="j", caller="alice", caller_class="fleet", idem_key="k", targets_total=1, created_at=0, lease=0
)
ADDED = TargetsAdded(0, (TargetSpec(A, "{}"),))


# ---------------------------------------------------------------- the machine


async def test_a_crash_keeps_what_was_committed_and_the_next_system_reconciles(autojump_clock: MockClock) -> None:
    fetcher = ScriptedFetcher({A: Script(content="hello"), B: NEVER})
    async with open_system(fetcher) as rig:
        done = await rig.system.runner.submit(submission(ALICE, A))
        await rig.ear.hear(done.job_id, JobFinished)
        live = await rig.system.runner.submit(submission(ALICE, B))
        before = rig.system
        await rig.crash()
        assert rig.system is not before
        assert not before.journal.running
        assert fetcher.active == 0
        assert rig.system.reader.status(done.job_id) == "done"
        view = rig.system.reader.job(live.job_id)
        assert view is not None
        assert (view.job.status, view.job.error) == ("failed", INTERRUPTED)
        assert len(rig.deaths) == 1


async def test_a_restart_drains(autojump_clock: MockClock) -> None:
    async with open_system(ScriptedFetcher({A: Script(delay_s=2)}), batch=BatchSettings(drain_timeout_s=5)) as rig:
        submitted = await rig.system.runner.submit(submission(ALICE, A))
        await rig.restart()
        assert rig.system.reader.status(submitted.job_id) == "done"
        assert rig.deaths == []


async def test_time_passes_with_trios_clock_and_drives_leases(autojump_clock: MockClock) -> None:
    async with open_system(batch=BatchSettings(ttl_s=50, sweep_every_s=5)) as rig:
        submitted = await rig.system.runner.submit(submission(ALICE, A))
        await trio.sleep(30)
        assert rig.clock() == EPOCH + 30
        assert rig.system.reader.status(submitted.job_id) == "done"
        await trio.sleep(30)
        assert rig.system.reader.status(submitted.job_id) is None


@pytest.mark.parametrize(
    ("place", "lands"), [("append", False), ("project", False), ("commit", False), ("committed", True)]
)
async def test_a_crash_at_a_place_before_the_reply_is_told_to_nobody(
    autojump_clock: MockClock, place: Place, lands: bool
) -> None:
    async with open_system() as rig:
        await wait_all_tasks_blocked()  # the janitor's first round is over
        rig.failpoints.at(place, rig.crash_nowait)
        with pytest.raises(ActorDied):
            await rig.system.runner.submit(submission(ALICE, A))
        system = await rig.running()
        assert (system.reader.status("job-1") == "failed") is lands
        assert (system.reader.status("job-1") is None) is not lands


async def test_a_fault_of_the_store_brings_the_system_down_and_the_next_one_up(autojump_clock: MockClock) -> None:
    async with open_system() as rig:
        rig.failpoints.at("append", rig.disk.fail)
        with pytest.raises(ActorDied):
            await rig.system.runner.submit(submission(ALICE, A))
        system = await rig.running()
        assert not (await system.runner.submit(submission(ALICE, A))).reused
        assert len(rig.deaths) == 1


async def test_a_crash_while_it_reconciles_is_survived(autojump_clock: MockClock) -> None:
    async with open_system(ScriptedFetcher({A: NEVER})) as rig:
        submitted = await rig.system.runner.submit(submission(ALICE, A))
        rig.failpoints.at("reconcile", rig.disk.crash)
        await rig.crash()
        assert rig.system.reader.status(submitted.job_id) == "failed"
        assert len(rig.deaths) == 2


async def test_the_nth_time_a_place_is_reached_counts_from_now(autojump_clock: MockClock) -> None:
    async with open_system() as rig:
        reached: list[int] = []
        first = rig.failpoints.reached["append"]
        rig.failpoints.at("append", lambda: reached.append(rig.failpoints.reached["append"]), nth=3)
        submitted = await rig.system.runner.submit(submission(ALICE, A))
        await rig.ear.hear(submitted.job_id, JobFinished)
        assert reached == [first + 3]
        assert rig.failpoints.reached["append"] > first + 3


async def test_a_run_reaches_every_place(autojump_clock: MockClock) -> None:
    async with open_system() as rig:
        submitted = await rig.system.runner.submit(submission(ALICE, A))
        await rig.ear.hear(submitted.job_id, JobFinished)
        await wait_all_tasks_blocked()
        assert rig.failpoints.reached.keys() == set(PLACES)


async def test_a_bug_in_the_system_is_raised(autojump_clock: MockClock) -> None:
    def broken(commit: Commit) -> None:
        raise ZeroDivisionError

    with pytest.raises(ExceptionGroup) as raised:  # noqa: PT012 - the block is what it ends
        async with open_system(listeners=[broken]) as rig:
            await rig.system.runner.submit(submission(ALICE, A))
            await trio.sleep_forever()
    assert raised.group_contains(ZeroDivisionError)


async def test_the_fixture_of_the_plugin(gofer_system: Rig, autojump_clock: MockClock) -> None:
    submitted = await gofer_system.system.runner.submit(submission(ALICE, A))
    await gofer_system.ear.hear(submitted.job_id, JobFinished)
    assert gofer_system.ear.story(submitted.job_id)[-1] == "JobFinished"


# ---------------------------------------------------------------- deciders


def test_given_when_then() -> None:
    job = given(SUBMITTED, ADDED).when(Start(5_000)).then(JobStarted(5_000))
    assert job is not None
    assert job.status == "running"
    given(SUBMITTED, ADDED, JobStarted(0)).when(StartTarget(0, 7)).refused(UnknownTarget)
    given(SUBMITTED, ADDED, JobCancelled(0)).when(Start(0)).refused(IllegalTransition)


def test_given_when_then_can_fail() -> None:
    with pytest.raises(AssertionError):
        given(SUBMITTED, ADDED).when(Start(5_000)).then()
    with pytest.raises(AssertionError, match="not refused with UnknownTarget"):
        given(SUBMITTED, ADDED).when(Cancel(5_000)).refused(UnknownTarget)


# ---------------------------------------------------------------- failing runs


@pytest.fixture
def cancels_are_forbidden(monkeypatch: pytest.MonkeyPatch) -> None:
    """Something that many seeds do is called a violation, so that there is a failing run to tell of."""
    judge = Witness._judge

    def strict(witness: Witness, before: object, event: object, after: object) -> None:
        witness.hold(not isinstance(event, JobCancelled), "a job was cancelled")
        judge(witness, before, event, after)  # type: ignore[arg-type]

    monkeypatch.setattr(Witness, "_judge", strict)


@pytest.mark.usefixtures("cancels_are_forbidden")
def test_a_failing_run_is_shrunk_and_reported(capsys: pytest.CaptureFixture[str]) -> None:
    run = next(run for run in map(simulate, range(100)) if run.failed)
    assert run.violations[0] == "a job was cancelled"
    smallest = shrink(run)
    assert smallest.failed
    assert 2 <= len(smallest.plan.ops) <= 3 < len(run.plan.ops), "a submission and its cancel"
    told = report(smallest)
    assert f"seed {run.seed}: a job was cancelled" in told
    assert "Cancel(" in told
    assert "Submit(" in told
    assert "job.cancelled" in told
    assert f"gofer-sim --seed {run.seed}" in told

    assert app(["--seed", str(run.seed)]) == 1
    timeline = capsys.readouterr().out
    assert "VIOLATION a job was cancelled" in timeline
    assert "begin Cancel" in timeline
    assert app(["--base", str(run.seed), "--seeds", "1"]) == 1
    assert f"seed {run.seed} (number 1): a job was cancelled" in capsys.readouterr().out


def test_a_run_that_never_rests_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gofer.actors.simulation.MAX_STEPS", 200)
    assert simulate(1).violations == ("200 steps and no end",)


def test_good_runs_are_told_in_one_line_and_counts(capsys: pytest.CaptureFixture[str]) -> None:
    assert app(["--seeds", "3"]) == 0
    assert "3 seeds from 0: all held" in capsys.readouterr().out
    assert app(["--seed", "1"]) == 0
    assert "all held; the log's root is" in capsys.readouterr().out


def test_a_part_of_a_plan_is_a_plan() -> None:
    whole = plan(4)
    part = msgspec.structs.replace(whole, ops=tuple(op for op in whole.ops if isinstance(op, Submit)))
    assert isinstance(part, Plan)
    assert not simulate(4, part).failed
