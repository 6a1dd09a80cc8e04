"""The limits: never exceeded, all places at once or none, and no head of the line that blocks the rest."""

import random
from collections import Counter

import pytest
import trio
from gofer.actors.limits import Limits, LimitsStatistics
from gofer.actors.settings import ConcurrencySettings
from trio.testing import MockClock, wait_all_tasks_blocked


async def test_limits_are_never_exceeded_and_all_get_their_turn(autojump_clock: MockClock) -> None:
    settings = ConcurrencySettings(total=10, per_job=4, per_host=3)
    limits = Limits(settings)
    chance = random.Random(1)
    held: Counter[str] = Counter()
    highest: Counter[str] = Counter()

    async def fetch(job_id: str | None, host: str, for_s: float, patience_s: float) -> None:
        places = ["all", f"host {host}", *([f"job {job_id}"] if job_id else [])]
        with trio.move_on_after(patience_s):
            async with limits.slot(job_id, host):
                held.update(places)
                for place in places:
                    highest[place.split()[0]] = max(highest[place.split()[0]], held[place])
                try:
                    await trio.sleep(for_s)
                finally:
                    held.subtract(places)

    async with trio.open_nursery() as nursery:
        for _ in range(500):
            job_id = chance.choice(["a", "b", "c", "d", None])
            host = chance.choice(["h1", "h2", "h3", "h4", "h5"])
            nursery.start_soon(fetch, job_id, host, chance.uniform(0, 3), chance.choice([1, 20, 1000]))
    assert highest == {"all": 10, "job": 4, "host": 3}, "reached, and not exceeded"
    assert limits.statistics() == LimitsStatistics(running=0, waiting=0)


async def test_a_busy_host_at_the_head_of_the_line_does_not_block_the_rest(nursery: trio.Nursery) -> None:
    limits = Limits(ConcurrencySettings(total=10, per_job=10, per_host=1))
    entered: list[str] = []

    async def hold(host: str) -> None:
        async with limits.slot("job", host):
            entered.append(host)
            await trio.sleep_forever()

    for host in ["busy", "busy", "busy", "free"]:
        nursery.start_soon(hold, host)
    await wait_all_tasks_blocked()
    assert sorted(entered) == ["busy", "free"]
    assert limits.statistics() == LimitsStatistics(running=2, waiting=2)
    nursery.cancel_scope.cancel()


async def test_a_full_job_does_not_hold_its_hosts(nursery: trio.Nursery) -> None:
    limits = Limits(ConcurrencySettings(total=10, per_job=1, per_host=1))
    entered: list[str] = []

    async def hold(job_id: str, host: str) -> None:
        async with limits.slot(job_id, host):
            entered.append(f"{job_id} {host}")
            await trio.sleep_forever()

    nursery.start_soon(hold, "a", "h1")
    await wait_all_tasks_blocked()
    nursery.start_soon(hold, "a", "h2")  # waits for its job, and must not keep h2 meanwhile
    await wait_all_tasks_blocked()
    nursery.start_soon(hold, "b", "h2")
    await wait_all_tasks_blocked()
    assert entered == ["a h1", "b h2"]
    nursery.cancel_scope.cancel()


async def test_the_longest_waiting_that_fits_goes_first(nursery: trio.Nursery) -> None:
    limits = Limits(ConcurrencySettings(total=1, per_job=1, per_host=1))
    entered: list[int] = []

    async def pass_through(n: int) -> None:
        async with limits.slot(f"job {n}", "host"):
            entered.append(n)

    async with limits.slot(None, "other"):
        for n in range(5):
            nursery.start_soon(pass_through, n)
            await wait_all_tasks_blocked()
    await wait_all_tasks_blocked()
    assert entered == [0, 1, 2, 3, 4]


async def test_who_is_cancelled_while_waiting_gives_up_its_turn(nursery: trio.Nursery) -> None:
    limits = Limits(ConcurrencySettings(total=1, per_job=1, per_host=1))
    async with limits.slot("a", "host"):
        with trio.CancelScope() as scope:
            scope.cancel()
            async with limits.slot("b", "host"):
                pytest.fail("there was no place")
        assert limits.statistics() == LimitsStatistics(running=1, waiting=0)
    assert limits.statistics() == LimitsStatistics(running=0, waiting=0)


async def test_who_is_cancelled_in_the_moment_of_its_turn_gives_it_back(nursery: trio.Nursery) -> None:
    limits = Limits(ConcurrencySettings(total=1, per_job=1, per_host=1))
    scope = trio.CancelScope()

    async def wait() -> None:
        with scope:
            async with limits.slot("b", "host"):
                await trio.sleep_forever()

    async with limits.slot("a", "host"):
        nursery.start_soon(wait)
        await wait_all_tasks_blocked()
        scope.cancel()  # before it is granted the place that the block's end frees
    await wait_all_tasks_blocked()
    assert limits.statistics() == LimitsStatistics(running=0, waiting=0)
    with trio.CancelScope() as granted:
        async with limits.slot("c", "host"):
            granted.cancel()
            await trio.lowlevel.checkpoint()
    assert limits.statistics() == LimitsStatistics(running=0, waiting=0)


async def test_no_job_is_bounded_by_host_and_in_all_alone(nursery: trio.Nursery) -> None:
    limits = Limits(ConcurrencySettings(total=3, per_job=1, per_host=10))

    async def hold() -> None:
        async with limits.slot(None, "host"):
            await trio.sleep_forever()

    for _ in range(5):
        nursery.start_soon(hold)
    await wait_all_tasks_blocked()
    assert limits.statistics() == LimitsStatistics(running=3, waiting=2)
    nursery.cancel_scope.cancel()
