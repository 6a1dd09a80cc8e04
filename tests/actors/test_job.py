"""One job's actor over a real journal: append before effect, one fact for each end, no neighbour harmed."""

import math
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager

import msgspec
import pytest
import trio
from gofer.actors.job import (
    BROKEN,
    MAILBOX_CAPACITY,
    TIMED_OUT,
    CancelAsked,
    Interrupted,
    JobActor,
    Looked,
    Message,
    host_of,
)
from gofer.actors.journal import Journal
from gofer.actors.limits import Limits
from gofer.actors.mailbox import ActorDied, MailboxFull
from gofer.actors.settings import ConcurrencySettings
from gofer.actors.testing import EPOCH, Ear, SimulatedClock
from gofer.events.job import (
    Job,
    JobCancelled,
    JobInterrupted,
    JobSubmitted,
    LeaseTouched,
    Submit,
    TargetDone,
    TargetFailed,
    TargetSpec,
    TargetStarted,
    Touch,
)
from gofer.fetch.scripted import NEVER, Script, ScriptedFetcher, envelope_of
from gofer.fetch.target import Caller, Facts, Failed, Fetched, Fetcher, Hop, Outcome, Target
from gofer.store.batch import BatchStore
from gofer.store.log import VersionConflict
from trio.testing import MockClock, wait_all_tasks_blocked

from .conftest import ALICE

URLS = [f"http://h{n}.example/" for n in range(4)]


class Driven:
    """An actor, its journal and its store; `run` drives the job to its end."""

    def __init__(self, actor: JobActor, journal: Journal, store: BatchStore, ear: Ear, job: Job) -> None:
        self.actor, self.journal, self.store, self.ear, self.job = actor, journal, store, ear, job

    async def run(self) -> Job | None:
        return await self.actor.run(self.job)

    def errors(self) -> list[str | None]:
        return [target.error for target in self.store.batch_targets("job") or ()]


Driving = Callable[..., AbstractAsyncContextManager[Driven]]


@pytest.fixture
def store() -> Iterator[BatchStore]:
    with BatchStore.open(":memory:") as store:
        yield store


@pytest.fixture
def driving(store: BatchStore) -> Driving:
    @asynccontextmanager
    async def open_driven(
        fetcher: Fetcher, urls: list[str] = URLS, timeout_s: float = 900, per_job: int = 8
    ) -> AsyncIterator[Driven]:
        ear, clock = Ear(), SimulatedClock()
        journal = Journal(store, listeners=[ear], inline=True)
        actor = JobActor(
            caller=ALICE,
            targets=[Target(url) for url in urls],
            journal=journal,
            fetcher=fetcher,
            limits=Limits(ConcurrencySettings(per_job=per_job)),
            clock=clock,
            timeout_s=timeout_s,
        )
        submitted = JobSubmitted(
            at_ms=EPOCH * 1000,
            job_id="job",
            caller="alice",
            caller_class="fleet",
            idem_key="key",
            targets_total=len(urls),
            created_at=EPOCH,
            lease=EPOCH,
        )
        async with trio.open_nursery() as nursery:
            await nursery.start(journal.run)
            job = await journal.execute("job", Submit(submitted, tuple(TargetSpec(url, "{}") for url in urls)))
            assert job is not None
            yield Driven(actor, journal, store, ear, job)
            journal.end()

    return open_driven


async def test_each_result_is_at_its_own_idx(driving: Driving, autojump_clock: MockClock) -> None:
    fetcher = ScriptedFetcher({url: Script(delay_s=4 - n) for n, url in enumerate(URLS)})
    async with driving(fetcher) as driven:
        job = await driven.run()
        assert job is not None
        assert (job.status, job.targets_done) == ("done", 4)
        targets = driven.store.batch_targets("job") or []
        assert [target.idx for target in targets] == [0, 1, 2, 3]
        for target, url in zip(targets, URLS, strict=True):
            assert target.url == url
            assert f'"content":"{url}"' in (target.result or "")


async def test_a_fetch_begins_after_its_start_is_durable(driving: Driving, autojump_clock: MockClock) -> None:
    class Checking:
        """A fetcher that looks for its own `TargetStarted` on the log."""

        begun = 0

        async def fetch(self, target: Target, caller: Caller) -> Outcome:
            started = [r.event.idx for r in driven.store.read(0) if isinstance(r.event, TargetStarted)]
            assert URLS.index(target.url) in started
            self.begun += 1
            return await ScriptedFetcher().fetch(target, caller)

    fetcher = Checking()
    async with driving(fetcher, per_job=2) as driven:
        job = await driven.run()
        assert job is not None
        assert job.status == "done"
        assert fetcher.begun == 4


async def test_no_fetch_begins_once_the_job_was_removed(driving: Driving, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also not one that was just told that it may: to be cancelled comes too late for it."""
    began: list[str] = []

    class Noted(ScriptedFetcher):
        async def fetch(self, target: Target, caller: Caller) -> Outcome:
            began.append(target.url)
            return await super().fetch(target, caller)

    async with driving(Noted(default=NEVER)) as driven:
        handle = driven.actor._handle

        async def handle_and_remove(job: Job, messages: Sequence[Message]) -> Job:
            job = await handle(job, messages)
            driven.actor.remove()
            return job

        monkeypatch.setattr(driven.actor, "_handle", handle_and_remove)
        assert await driven.run() is None
    assert driven.ear.of(TargetStarted)
    assert began == []


async def test_a_fetcher_that_crashes_fails_its_target_alone(
    driving: Driving, autojump_clock: MockClock, capsys: pytest.CaptureFixture[str]
) -> None:
    fetcher = ScriptedFetcher({URLS[1]: Script(crash=RuntimeError(f"bug at {URLS[1]}")), URLS[2]: Script(error="no")})
    async with driving(fetcher) as driven:
        job = await driven.run()
        assert job is not None
        assert job.status == "partial"
        assert driven.errors() == [None, BROKEN, "no", None]
    logged = "".join(capsys.readouterr())
    assert "fetch crashed" in logged
    assert URLS[1] not in logged, "what a bug says may hold a URL"


async def test_what_a_fetch_did_is_on_the_log_whatever_came_of_it(driving: Driving) -> None:
    done = Facts((Hop(URLS[0], status=200, addresses=("192.0.2.1",), dialled="192.0.2.1"),), elapsed_ms=12)
    failed = Facts((Hop(URLS[1], status=503), Hop(URLS[1], verdict="private", attempt=2)), elapsed_ms=34)

    class Telling:
        """A fetcher that tells what it did; one of its targets fails."""

        async def fetch(self, target: Target, caller: Caller) -> Outcome:
            if target.url == URLS[0]:
                return Fetched(envelope_of(target, "x"), done)
            return Failed("refused", "", failed)

    async with driving(Telling(), URLS[:2]) as driven:
        await driven.run()
        ends = [r.event for r in driven.store.read(0) if isinstance(r.event, TargetDone | TargetFailed)]
        told = {type(end): msgspec.json.decode(end.facts, type=Facts) for end in ends}
        assert told == {TargetDone: done, TargetFailed: failed}


async def test_a_job_out_of_time_fails_what_is_unfinished(driving: Driving, autojump_clock: MockClock) -> None:
    fetcher = ScriptedFetcher({URLS[0]: Script(delay_s=1), URLS[1]: Script(error="no")}, default=NEVER)
    async with driving(fetcher, timeout_s=60) as driven:
        began = trio.current_time()
        job = await driven.run()
        assert trio.current_time() - began == pytest.approx(60)
        assert job is not None
        assert job.status == "partial"
        assert driven.errors() == [None, "no", TIMED_OUT, TIMED_OUT]
        assert fetcher.active == 0
        assert driven.ear.story("job")[-1] == "JobFinished"


async def test_a_target_that_waits_for_its_place_times_out_with_the_job(
    driving: Driving, autojump_clock: MockClock
) -> None:
    fetcher = ScriptedFetcher(default=NEVER)
    async with driving(fetcher, timeout_s=60, per_job=1) as driven:
        job = await driven.run()
        assert job is not None
        assert job.status == "failed"
        assert driven.errors() == [TIMED_OUT] * 4
        assert len(fetcher.calls) == 1


async def test_report_8_cancel_at_half_is_one_fact_and_nothing_begins_after_it(
    driving: Driving, autojump_clock: MockClock
) -> None:
    urls = [f"http://h{n}.example/" for n in range(32)]
    fetcher = ScriptedFetcher({url: Script(delay_s=1 if n < 16 else math.inf) for n, url in enumerate(urls)})
    async with driving(fetcher, urls, per_job=20) as driven, trio.open_nursery() as nursery:
        nursery.start_soon(driven.run)
        await driven.ear.until(lambda: len(driven.ear.of(TargetDone)) == 16 or None)
        assert await driven.actor.mailbox.ask(CancelAsked) is True
        begun = len(fetcher.calls)
        await wait_all_tasks_blocked()
        assert len(fetcher.calls) == begun
        assert fetcher.active == 0
        assert len(driven.ear.of(JobCancelled)) == 1
        assert driven.ear.of(TargetFailed) == []
        assert driven.ear.story("job")[-1] == "JobCancelled"
        assert driven.errors() == [None] * 16 + ["cancelled"] * 16
        job = driven.store.load("job")
        assert job is not None
        assert (job.status, job.targets_done, job.targets_total) == ("cancelled", 32, 32)


async def test_of_two_cancels_at_once_one_ends_the_job(driving: Driving, nursery: trio.Nursery) -> None:
    answers: list[object] = []

    async def cancel() -> None:
        try:
            ended: bool = await driven.actor.mailbox.ask(CancelAsked)
            answers.append(ended)
        except ActorDied:
            answers.append("too late")

    async with driving(ScriptedFetcher(default=NEVER)) as driven, trio.open_nursery() as cancels:
        cancels.start_soon(driven.run)
        await wait_all_tasks_blocked()
        cancels.start_soon(cancel)
        cancels.start_soon(cancel)
    assert sorted(map(str, answers)) == ["True", "too late"]
    assert len(driven.ear.of(JobCancelled)) == 1


async def test_what_is_asked_behind_the_end_is_told_that_the_actor_died(driving: Driving) -> None:
    async with driving(ScriptedFetcher()) as driven:
        await driven.run()
        with pytest.raises(ActorDied):
            await driven.actor.mailbox.ask(CancelAsked)


async def test_an_interrupted_job_fails_with_the_reason(driving: Driving, nursery: trio.Nursery) -> None:
    fetcher = ScriptedFetcher({URLS[0]: Script()}, default=NEVER)
    async with driving(fetcher) as driven:
        nursery.start_soon(driven.run)
        await wait_all_tasks_blocked()
        await driven.actor.mailbox.tell(Interrupted("stopped"))
        await driven.ear.hear("job", JobInterrupted)
        await wait_all_tasks_blocked()
        assert fetcher.active == 0
        assert driven.errors() == [None, "stopped", "stopped", "stopped"]


async def test_looks_within_a_second_are_one_event(driving: Driving, autojump_clock: MockClock) -> None:
    async with driving(ScriptedFetcher(default=NEVER)) as driven, trio.open_nursery() as nursery:
        nursery.start_soon(driven.run)
        await wait_all_tasks_blocked()
        await trio.sleep(1)
        for _ in range(3):
            driven.actor.mailbox.tell_nowait(Looked())
            await wait_all_tasks_blocked()
        assert len(driven.ear.of(LeaseTouched)) == 1
        await driven.actor.mailbox.ask(CancelAsked)


async def test_its_mailbox_is_bounded(driving: Driving) -> None:
    async with driving(ScriptedFetcher()) as driven:
        for _ in range(MAILBOX_CAPACITY):
            driven.actor.mailbox.tell_nowait(Looked())
        with pytest.raises(MailboxFull):
            driven.actor.mailbox.tell_nowait(Looked())


async def test_a_stream_that_somebody_else_writes_to_is_a_crash(driving: Driving, nursery: trio.Nursery) -> None:
    async with driving(ScriptedFetcher(default=NEVER)) as driven:
        await driven.journal.execute("job", Touch((EPOCH + 9) * 1000))
        with pytest.RaisesGroup(VersionConflict):
            await driven.run()


async def test_cancelling_it_appends_nothing(driving: Driving) -> None:
    fetcher = ScriptedFetcher(default=NEVER)
    async with driving(fetcher) as driven:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(driven.run)
            await wait_all_tasks_blocked()
            head = driven.store.head()
            nursery.cancel_scope.cancel()
        assert fetcher.active == 0
        assert fetcher.cancelled == 4
        assert driven.store.head() == head


async def test_more_targets_than_its_mailbox_holds(driving: Driving, autojump_clock: MockClock) -> None:
    urls = [f"http://h{n}.example/" for n in range(3 * MAILBOX_CAPACITY)]
    async with driving(ScriptedFetcher(default=Script(delay_s=1)), urls, per_job=1000) as driven:
        job = await driven.run()
        assert job is not None
        assert (job.status, job.targets_done) == ("done", len(urls))


def test_fetches_are_counted_under_the_host_they_go_to() -> None:
    assert host_of("http://A.Example./x") == host_of("https://a.example:8443/y") == "a.example"
    assert host_of("ftp://a.example/") == ""
