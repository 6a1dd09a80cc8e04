"""The journal: one writer, group commit, and nothing acknowledged that is not durable."""

import threading
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import apsw
import pytest
import trio
from gofer.actors.journal import MAILBOX_CAPACITY, MAX_GROUP, Journal
from gofer.actors.mailbox import ActorDied
from gofer.actors.testing import Ear
from gofer.events.job import Cancel, Contradiction, JobExists, JobStarted, JobSubmitted, Submit, TargetSpec, Touch
from gofer.store.batch import Append, BatchStore
from gofer.store.database import StoreFailed
from gofer.store.log import VersionConflict
from gofer.store.reader import Reader
from trio.testing import wait_all_tasks_blocked

NOW = 1_000


def submit(job_id: str) -> Submit:
    submitted = JobSubmitted(
        at_ms=NOW * 1000,
        job_id=job_id,
        caller="alice",
        caller_class="fleet",
        idem_key=job_id,
        targets_total=1,
        created_at=NOW,
        lease=NOW,
    )
    return Submit(submitted, (TargetSpec("http://a.example/", "{}"),))


@pytest.fixture
def store() -> Iterator[BatchStore]:
    with BatchStore.open(":memory:", clock=lambda: NOW) as store:
        yield store


async def test_what_waits_goes_into_one_transaction(store: BatchStore, nursery: trio.Nursery) -> None:
    ear = Ear()
    journal = Journal(store, listeners=[ear], inline=True)
    for n in range(50):
        nursery.start_soon(journal.execute, f"job-{n}", submit(f"job-{n}"))
    await wait_all_tasks_blocked()
    assert journal.statistics().waiting == 50
    await nursery.start(journal.run)
    await wait_all_tasks_blocked()
    statistics = journal.statistics()
    assert (statistics.commits, statistics.writes, statistics.waiting) == (1, 50, 0)
    assert statistics.position == store.head() == 100
    assert [commit.writes for commit in ear.commits] == [50]
    journal.end()


async def test_a_group_is_bounded_and_so_is_the_mailbox(store: BatchStore, nursery: trio.Nursery) -> None:
    journal = Journal(store, inline=True)
    for n in range(MAILBOX_CAPACITY):
        assert journal.execute_nowait(f"job-{n}", submit(f"job-{n}"))
    assert not journal.execute_nowait("one too many", submit("one too many"))
    await nursery.start(journal.run)
    journal.end()
    await wait_all_tasks_blocked()
    assert journal.statistics().commits == MAILBOX_CAPACITY // MAX_GROUP
    assert store.live_batch_jobs_total() == MAILBOX_CAPACITY


async def test_a_contradiction_fails_alone(store: BatchStore, nursery: trio.Nursery) -> None:
    journal = Journal(store, inline=True)
    outcomes: dict[str, str] = {}

    async def write(name: str, apply: Callable[[BatchStore], object]) -> None:
        try:
            await journal.write(apply)
            outcomes[name] = "landed"
        except Contradiction as error:
            outcomes[name] = type(error).__name__

    def half_then_wrong(store: BatchStore) -> None:
        store.execute("half", submit("half"))
        store.execute("half", submit("half"))

    for name, apply in {
        "first": lambda store: store.execute("a", submit("a")),
        "half": half_then_wrong,
        "last": lambda store: store.execute("b", submit("b")),
    }.items():
        nursery.start_soon(write, name, apply)
    await wait_all_tasks_blocked()
    await nursery.start(journal.run)
    await wait_all_tasks_blocked()
    assert outcomes == {"first": "landed", "half": "JobExists", "last": "landed"}
    assert journal.statistics().commits == 1
    assert sorted(store.live_job_ids()) == ["a", "b"]
    assert store.load("half") is None, "its savepoint took back the half that had been written"
    assert store.head() == 4
    journal.end()


async def test_any_fault_of_a_write_is_told_to_its_writer_alone(store: BatchStore, nursery: trio.Nursery) -> None:
    journal = Journal(store, inline=True)
    await nursery.start(journal.run)
    with pytest.raises(ZeroDivisionError):
        await journal.write(lambda store: 1 // 0)
    assert await journal.write(lambda store: store.head()) == 0
    with pytest.raises(JobExists):
        await journal.write(lambda store: [store.execute("a", submit("a")) for _ in range(2)])
    journal.end()


async def test_append_holds_to_the_version_it_expects(store: BatchStore, nursery: trio.Nursery) -> None:
    journal = Journal(store, inline=True)
    await nursery.start(journal.run)
    before = await journal.execute("a", submit("a"))
    await journal.execute("a", Touch((NOW + 5) * 1000))
    with pytest.raises(VersionConflict, match="expected version 2, the stream is at 3"):
        await journal.append(Append.of(before, (JobStarted((NOW + 6) * 1000),)))
    journal.end()


async def test_each_of_a_group_meets_what_those_before_it_left(store: BatchStore, nursery: trio.Nursery) -> None:
    """Appends go in together, other writes each by itself, and their order is that of the mailbox."""
    journal = Journal(store, inline=True)
    states = {id: store.execute(id, submit(id))[0] for id in "abc"}
    outcomes: list[str] = []

    async def append(id: str) -> None:
        try:
            job = await journal.append(Append.of(states[id], (JobStarted(NOW * 1000),)))
            outcomes.append(f"{id} {job.version}")
        except VersionConflict as error:
            outcomes.append(f"{id} {error.expected} is {error.actual}")

    async def count() -> None:
        running = await journal.write(lambda store: [id for id in "abc" if store.load(id).status == "running"])  # type: ignore[union-attr]
        outcomes.append("".join(running))

    for write in (
        partial(append, "a"),
        partial(append, "b"),
        count,
        partial(append, "b"),
        partial(append, "c"),
        count,
    ):
        nursery.start_soon(write)
        await wait_all_tasks_blocked()
    await nursery.start(journal.run)
    journal.end()
    await wait_all_tasks_blocked()
    assert sorted(outcomes) == sorted(["a 3", "b 3", "ab", "b 2 is 3", "c 3", "abc"])
    assert journal.statistics().commits == 1


async def test_a_fault_of_the_store_stops_everything(store: BatchStore, nursery: trio.Nursery) -> None:
    """Nothing is acknowledged, nothing is written, nobody is left waiting, and the fault comes out of `run`."""
    ear = Ear()
    journal = Journal(store, listeners=[ear], inline=True)
    died: list[str] = []

    async def write(name: str, apply: Callable[[BatchStore], object]) -> None:
        with pytest.raises(ActorDied):
            await journal.write(apply)
        died.append(name)

    def disk_full(store: BatchStore) -> None:
        raise apsw.FullError("disk full")

    nursery.start_soon(write, "good", lambda store: store.execute("a", submit("a")))
    nursery.start_soon(write, "fault", disk_full)
    nursery.start_soon(write, "behind", lambda store: store.execute("b", submit("b")))
    await wait_all_tasks_blocked()
    with pytest.raises(StoreFailed, match="make room on its disk") as failed:
        await journal.run()
    assert failed.value.kind == "FullError"
    await wait_all_tasks_blocked()
    assert sorted(died) == ["behind", "fault", "good"]
    assert store.head() == 0
    assert ear.commits == []
    assert not journal.running
    with pytest.raises(ActorDied):
        await journal.execute("c", submit("c"))
    assert not journal.execute_nowait("c", submit("c"))


async def test_a_cancelled_writers_commit_still_lands(store: BatchStore, nursery: trio.Nursery) -> None:
    journal = Journal(store, inline=True)
    async with trio.open_nursery() as writers:
        writers.start_soon(journal.execute, "a", submit("a"))
        await wait_all_tasks_blocked()
        writers.cancel_scope.cancel()
    assert store.load("a") is None
    await nursery.start(journal.run)
    await wait_all_tasks_blocked()
    assert store.load("a") is not None
    journal.end()


async def test_a_commit_under_way_in_a_thread_outlives_the_cancelling_of_run(tmp_path: Path) -> None:
    with BatchStore.open(tmp_path / "log.db") as store:
        journal = Journal(store)
        landed: list[object] = []
        writing, go_on = trio.Event(), threading.Event()

        def slow(store: BatchStore) -> str:
            trio.from_thread.run_sync(writing.set)
            assert go_on.wait(10)
            store.execute("a", submit("a"))
            return "landed"

        async def write() -> None:
            landed.append(await journal.write(slow))

        async def too_late() -> None:
            with pytest.raises(ActorDied):
                await journal.execute("b", submit("b"))

        async with trio.open_nursery() as writers, trio.open_nursery() as nursery:
            await nursery.start(journal.run)
            writers.start_soon(write)
            await writing.wait()
            writers.start_soon(too_late)
            await wait_all_tasks_blocked()
            nursery.cancel_scope.cancel()
            go_on.set()
        assert landed == ["landed"]
        assert store.live_job_ids() == ["a"]


async def test_what_is_acknowledged_is_in_the_file(tmp_path: Path) -> None:
    path = tmp_path / "log.db"
    with BatchStore.open(path) as store:
        reader = Reader.open(path)
        journal = Journal(store)
        async with trio.open_nursery() as nursery:
            await nursery.start(journal.run)
            await journal.execute("a", submit("a"))
            assert reader.status("a") == "queued"
            await journal.execute("a", Cancel(NOW * 1000))
            assert reader.status("a") == "cancelled"
            journal.end()
        reader.close()


async def test_listeners_hear_each_commit_in_log_order(store: BatchStore, nursery: trio.Nursery) -> None:
    heads: list[tuple[int, int]] = []
    ear = Ear()
    journal = Journal(store, listeners=[lambda c: heads.append((c.events[-1].seq, store.head())), ear], inline=True)
    await nursery.start(journal.run)
    for n in range(20):
        nursery.start_soon(journal.execute, f"job-{n}", submit(f"job-{n}"))
        if n % 3 == 0:
            await wait_all_tasks_blocked()
    await wait_all_tasks_blocked()
    assert [recorded.seq for recorded in ear.heard] == list(range(1, 41))
    assert all(told == head for told, head in heads), "told before anything else was committed"
    assert len(heads) > 1
    await journal.write(lambda store: None)
    assert len(heads) == len(ear.commits), "a commit without events is nobody's news"
    journal.end()


async def test_end_lets_what_waits_become_durable(store: BatchStore) -> None:
    journal = Journal(store, inline=True)
    for n in range(MAX_GROUP + 1):
        journal.execute_nowait(f"job-{n}", submit(f"job-{n}"))
    journal.end()
    await journal.run()
    assert store.live_batch_jobs_total() == MAX_GROUP + 1
    assert not journal.running
