"""The whole system as a block: restart, drain in its order, death of the store, and nothing left behind."""

import gc
import math
import os
import re
import shutil
import threading
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

import apsw
import pytest
import trio
from gofer.actors.mailbox import ActorDied
from gofer.actors.runner import STOPPED, Draining
from gofer.actors.settings import BatchSettings
from gofer.actors.system import System, SystemSettings, open_system
from gofer.actors.testing import Ear, submission
from gofer.events.job import INTERRUPTED, JobFinished, JobInterrupted, TargetDone, TargetStarted, fold
from gofer.fetch.scripted import NEVER, Script, ScriptedFetcher
from gofer.fetch.target import Caller, Outcome, Target
from gofer.store.batch import BatchJob, BatchStore
from gofer.store.database import StoreError, StoreFailed, StoreGone
from trio.testing import MockClock, wait_all_tasks_blocked

from .conftest import ALICE, BOB, Running

A, B, C = (f"http://{name}.example/" for name in "abc")
MEMORY = ":memory:"


def traces() -> tuple[int, int, list[str]]:
    """What a system could leave behind: tasks, threads in use by nobody we know, open descriptors."""
    gc.collect()  # what earlier tests left to the collector is not ours
    idle = "Trio thread"  # trio keeps a finished worker for a moment, to use it again
    threads = [thread for thread in threading.enumerate() if not thread.name.startswith(idle)]
    descriptors = sorted(os.readlink(f"/proc/self/fd/{fd}") for fd in os.listdir("/proc/self/fd") if _still_open(fd))
    return trio.lowlevel.current_statistics().tasks_living, len(threads), descriptors


def _still_open(fd: str) -> bool:
    return os.path.exists(f"/proc/self/fd/{fd}") and not os.readlink(f"/proc/self/fd/{fd}").startswith("/proc/")


# ---------------------------------------------------------------- restart


async def test_restart_fails_what_was_in_flight_and_keeps_what_was_done(running: Running, tmp_path: Path) -> None:
    """Reports 15: a job that ran, one that was queued and one that was done when the process died."""
    path = tmp_path / "gofer.db"
    fetcher = ScriptedFetcher({A: Script(), B: NEVER})
    async with running(fetcher, store=path, batch=BatchSettings(drain_timeout_s=0)) as (system, ear):
        done = await system.runner.submit(submission(ALICE, A))
        await ear.hear(done.job_id, JobFinished)
        ran = await system.runner.submit(submission(ALICE, A, B))
        await ear.hear(ran.job_id, TargetDone)
        crashed = tmp_path / "crashed.db"
        with (
            apsw.Connection(str(path)) as live,
            apsw.Connection(str(crashed)) as copy,
            copy.backup("main", live, "main") as backup,
        ):
            backup.step()
    with BatchStore.open(crashed) as store:
        store.create_batch_job(BatchJob("queued", "alice", "fleet", "q", targets_total=1, lease=2**31))
    async with running(fetcher, store=crashed) as (system, ear):
        view = system.reader.job(ran.job_id, results=True)
        assert view is not None
        assert (view.job.status, view.job.error, view.job.targets_done) == ("failed", INTERRUPTED, 2)
        assert view.targets[0].result is not None
        assert [target.error for target in view.targets] == [None, INTERRUPTED]
        assert system.reader.status("queued") == "failed"
        assert system.reader.status(done.job_id) == "done"
        assert system.runner.statistics().live == 0
        again = await system.runner.submit(submission(ALICE, A, B))
        assert not again.reused, "the interrupted job failed, so a new one begins"


# ---------------------------------------------------------------- a start that cannot be


@pytest.mark.parametrize("fault", ["in use", "of another program", "no folder"])
async def test_nothing_is_put_beside_a_store_that_cannot_be_used(
    running: Running, tmp_path: Path, fault: str
) -> None:
    store = tmp_path / "gofer.db"
    with ExitStack() as held:
        if fault == "in use":
            held.enter_context(BatchStore.open(store))
        elif fault == "of another program":
            store.write_bytes(b"something else" * 100)
        else:
            store = tmp_path / "missing" / "gofer.db"
        before = sorted(os.listdir(tmp_path))
        with pytest.raises(StoreError, match=re.escape(str(store))):
            async with running(store=store):
                pass
        assert sorted(os.listdir(tmp_path)) == before


# ---------------------------------------------------------------- drain


async def test_leaving_drains_in_order(running: Running, autojump_clock: MockClock) -> None:
    order: list[str] = []

    class Noting(ScriptedFetcher):
        async def fetch(self, target: Target, caller: Caller) -> Outcome:
            try:
                return await super().fetch(target, caller)
            finally:
                order.append(f"{target.url} stopped, journal {'open' if system.journal.running else 'closed'}")

    fetcher = Noting({A: Script(delay_s=3), B: NEVER})
    async with running(fetcher, batch=BatchSettings(drain_timeout_s=5)) as (system, ear):
        soon = await system.runner.submit(submission(ALICE, A))
        late = await system.runner.submit(submission(BOB, B))
        await wait_all_tasks_blocked()
        assert system.ready
        began = trio.current_time()

        async def knock() -> None:
            await trio.sleep(1)
            assert not system.ready
            assert system.journal.running
            with pytest.raises(Draining):
                await system.runner.submit(submission(Caller("carol", "fleet"), C))
            with pytest.raises(Draining):
                await system.runner.fetch(Target(C), ALICE)
            order.append("turned away")

        async with trio.open_nursery() as nursery:
            nursery.start_soon(knock)
            nursery.start_soon(system.runner.drain)
    assert trio.current_time() - began == pytest.approx(5)
    assert order == ["turned away", f"{A} stopped, journal open", f"{B} stopped, journal open"]
    assert ear.story(soon.job_id)[-1] == "JobFinished"
    interrupted = ear.of(JobInterrupted, late.job_id)
    assert [event.error for event in interrupted] == [STOPPED]
    assert not system.ready
    assert not system.journal.running
    with pytest.raises(ActorDied):
        await system.journal.write(lambda store: None)


async def test_with_nothing_to_do_it_leaves_at_once(running: Running, autojump_clock: MockClock) -> None:
    began = trio.current_time()
    async with running() as (system, ear):
        submitted = await system.runner.submit(submission(ALICE, A))
        await ear.hear(submitted.job_id, JobFinished)
    assert trio.current_time() - began == 0


async def test_a_cancelled_block_drains_too(running: Running, tmp_path: Path) -> None:
    path = tmp_path / "gofer.db"
    with trio.CancelScope() as scope:
        async with running(ScriptedFetcher(default=NEVER), store=path, batch=BatchSettings(drain_timeout_s=0)) as (
            system,
            _,
        ):
            submitted = await system.runner.submit(submission(ALICE, A))
            scope.cancel()
            await trio.sleep_forever()
    assert scope.cancelled_caught
    with BatchStore.open(path) as store:
        job = store.batch_job(submitted.job_id)
        assert job is not None
        assert (job.status, job.error) == ("failed", STOPPED)


@pytest.mark.parametrize("steps", range(12))
async def test_cancelled_while_it_opens_it_ends(running: Running, steps: int) -> None:
    """At whatever step of its opening: its parts are shielded, and somebody has to end them."""

    async def cancel_after(scope: trio.CancelScope) -> None:
        for _ in range(steps):
            await trio.lowlevel.checkpoint()
        scope.cancel()

    with trio.fail_after(10, shield=True):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(cancel_after, nursery.cancel_scope)
            async with running():
                await trio.sleep_forever()
    assert nursery.cancel_scope.cancelled_caught


async def test_a_crash_inside_the_block_drains_and_is_raised(running: Running, tmp_path: Path) -> None:
    path = tmp_path / "gofer.db"
    with pytest.RaisesGroup(KeyError):
        async with running(ScriptedFetcher(default=NEVER), store=path, batch=BatchSettings(drain_timeout_s=0)) as (
            system,
            _,
        ):
            submitted = await system.runner.submit(submission(ALICE, A))
            raise KeyError("a bug of ours")
    with BatchStore.open(path) as store:
        job = store.batch_job(submitted.job_id)
        assert job is not None
        assert job.status == "failed"


# ---------------------------------------------------------------- the store dies


@pytest.mark.parametrize("on_file", [False, True], ids=["memory", "file"])
async def test_the_death_of_the_store_ends_the_whole_tree(
    running: Running, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, on_file: bool
) -> None:
    path = tmp_path / "gofer.db"
    fetcher = ScriptedFetcher(default=NEVER)

    def disk_full(*_: object) -> None:
        raise apsw.FullError("database or disk is full")

    asked: list[str] = []

    async def submit_late() -> None:
        with pytest.raises(ActorDied):
            await system.runner.submit(submission(BOB, B))
        asked.append("told")

    with trio.fail_after(20):
        async with trio.open_nursery() as clients:
            with pytest.RaisesGroup(StoreFailed, flatten_subgroups=True):
                async with running(fetcher, store=path if on_file else MEMORY, inline=not on_file) as (system, ear):
                    live = await system.runner.submit(submission(ALICE, A))
                    await ear.hear(live.job_id, TargetStarted)
                    monkeypatch.setattr(BatchStore, "append", disk_full)
                    clients.start_soon(submit_late)
                    await trio.sleep_forever()
    monkeypatch.undo()
    assert asked == ["told"], "not acknowledged, and not left waiting"
    assert fetcher.active == 0
    assert not system.ready
    if on_file:
        with BatchStore.open(path) as store:
            assert store.live_job_ids() == [live.job_id], "it stays in flight on the log, for the restart to find"


def removed(path: Path) -> None:
    for each in path.parent.glob(f"{path.name}*"):
        if each.is_file():
            each.unlink()


def moved(path: Path) -> None:
    path.rename(path.with_name("elsewhere.db"))


def replaced(path: Path) -> None:
    copy = path.with_name("copy.db")
    shutil.copy(path, copy)
    copy.replace(path)


def without_wal(path: Path) -> None:
    path.with_name(f"{path.name}-wal").unlink()


@pytest.mark.parametrize("take", [removed, moved, replaced, without_wal])
async def test_nothing_is_acknowledged_into_a_file_that_is_no_longer_there(
    running: Running, tmp_path: Path, take: Callable[[Path], None]
) -> None:
    path = tmp_path / "gofer.db"
    with pytest.RaisesGroup(
        pytest.RaisesExc(StoreGone, match=rf"{re.escape(str(path))}.* deleted, moved or replaced"),
        flatten_subgroups=True,
    ):
        async with running(store=path) as (system, ear):
            first = await system.runner.submit(submission(ALICE, A))
            await ear.hear(first.job_id, JobFinished)
            take(path)
            with pytest.raises(ActorDied):
                await system.runner.submit(submission(ALICE, B))
            await trio.sleep_forever()


# ---------------------------------------------------------------- what is left


async def _leave(system: System, ear: Ear) -> None:
    pass


async def _crash(system: System, ear: Ear) -> None:
    raise KeyError("bug")


@pytest.mark.parametrize("end", [_leave, _crash], ids=["left", "crashed"])
async def test_no_task_thread_or_descriptor_is_left(tmp_path: Path, end: Callable[[System, Ear], object]) -> None:
    before = traces()
    ear = Ear()
    settings = SystemSettings(store=str(tmp_path / "gofer.db"), batch=BatchSettings(drain_timeout_s=0))
    fetcher = ScriptedFetcher({B: Script(delay_s=math.inf)})
    try:
        async with open_system(settings, fetcher, listeners=[ear]) as system:
            await system.runner.submit(submission(ALICE, A, B))
            await ear.until(lambda: ear.of(TargetDone) or None)
            assert traces() != before
            await end(system, ear)  # type: ignore[misc]
    except* KeyError:
        pass
    assert traces() == before
    assert fetcher.active == 0


async def test_the_tables_are_the_fold_of_the_log(running: Running, tmp_path: Path) -> None:
    path = tmp_path / "gofer.db"
    fetcher = ScriptedFetcher({A: Script(), B: Script(error="http 404", hint="check the URL")})
    async with running(fetcher, store=path) as (system, ear):
        submitted = await system.runner.submit(submission(ALICE, A, B))
        await ear.hear(submitted.job_id, JobFinished)
        view = system.reader.job(submitted.job_id, results=True)
    assert view is not None
    job = fold(recorded.event for recorded in ear.heard)
    assert job is not None
    assert (view.job.status, view.job.targets_done, view.job.nbytes, view.job.lease) == (
        job.status,
        job.targets_done,
        job.nbytes,
        job.lease,
    )
    assert [(t.status, t.error, t.hint) for t in view.targets] == [(t.status, t.error, t.hint) for t in job.targets]
    assert view.job.nbytes == sum(len(t.result or "") for t in view.targets)
