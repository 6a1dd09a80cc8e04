"""Turns at a host are an interval apart."""

from typing import Any

import pytest
import trio
from gofer.fetch.spacing import Spacing
from gofer.fetch.target import Target
from trio.testing import MockClock


async def test_turns_at_one_host_are_spaced_in_order_and_hosts_do_not_wait_for_each_other(
    autojump_clock: MockClock,
) -> None:
    spacing = Spacing(2)
    start = trio.current_time()
    turns: list[tuple[str, float]] = []

    async def take(host: str) -> None:
        await spacing.turn(host)
        turns.append((host, round(trio.current_time() - start, 3)))

    async with trio.open_nursery() as nursery:
        for host in ("a", "a", "b", "a"):
            nursery.start_soon(take, host)
    assert sorted(turns) == [("a", 0), ("a", 2), ("a", 4), ("b", 0)]
    await trio.sleep(100)
    await take("a")
    assert turns[-1] == ("a", 104)


async def test_without_an_interval_nothing_waits(autojump_clock: MockClock) -> None:
    start = trio.current_time()
    for _ in range(10):
        await Spacing(0).turn("a")
    assert trio.current_time() == start


async def test_hosts_long_past_are_forgotten(autojump_clock: MockClock) -> None:
    spacing = Spacing(1)
    for n in range(3_000):
        await spacing.turn(str(n))
        await trio.sleep(2)
    assert len(spacing._free_at) <= 1_024


@pytest.mark.parametrize("interval_s", [0.0, 1.0])
async def test_a_first_turn_is_at_once(autojump_clock: MockClock, interval_s: float) -> None:
    start = trio.current_time()
    await Spacing(interval_s).turn("a")
    assert trio.current_time() == start


async def test_requests_of_a_fetcher_are_spaced_by_its_settings(web: Any) -> None:
    origin = await web.origin({"*": web.reply(b"x")})
    fetcher = await web.fetcher(host_interval_s=0.05)
    start = trio.current_time()
    for path in ("/1", "/2", "/3"):
        await fetcher.fetch(Target(origin.url(path)), web.fleet)
    assert trio.current_time() - start >= 0.1
    assert len(origin.asked) == 3
