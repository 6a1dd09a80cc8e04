"""The scripted fetcher does what its script says, and counts rightly: other tests lean on it."""

import pytest
import trio
from gofer.fetch.scripted import NEVER, Script, ScriptedFetcher
from gofer.fetch.target import Caller, Failed, Fetched, Target
from trio.testing import wait_all_tasks_blocked

ALICE = Caller("alice", "fleet")


async def test_a_url_without_a_script_answers_its_own_url() -> None:
    fetcher = ScriptedFetcher()
    outcome = await fetcher.fetch(Target("http://a.example/1"), ALICE)
    assert isinstance(outcome, Fetched)
    assert outcome.envelope.content == outcome.envelope.final_url == "http://a.example/1"
    assert fetcher.calls == [(Target("http://a.example/1"), ALICE)]


async def test_scripts_are_followed_by_url(autojump_clock: trio.testing.MockClock) -> None:
    fetcher = ScriptedFetcher(
        {
            "http://a.example/": Script(content="hello", delay_s=30),
            "http://b.example/": Script(error="http 404", hint="check the URL"),
            "http://c.example/": Script(crash=RuntimeError("a bug")),
        }
    )
    start = trio.current_time()
    slow = await fetcher.fetch(Target("http://a.example/"), ALICE)
    assert isinstance(slow, Fetched)
    assert slow.envelope.content == "hello"
    assert trio.current_time() - start == pytest.approx(30)
    assert await fetcher.fetch(Target("http://b.example/"), ALICE) == Failed("http 404", "check the URL")
    with pytest.raises(RuntimeError, match="a bug"):
        await fetcher.fetch(Target("http://c.example/"), ALICE)
    assert fetcher.active == 0


async def test_it_counts_what_is_active_in_all_and_by_host(nursery: trio.Nursery) -> None:
    fetcher = ScriptedFetcher(default=NEVER)
    for url in ("http://a.example/1", "http://a.example/2", "http://b.example/"):
        nursery.start_soon(fetcher.fetch, Target(url), ALICE)
    await wait_all_tasks_blocked()
    assert fetcher.active == fetcher.max_active == 3
    assert fetcher.max_active_by_host == {"a.example": 2, "b.example": 1}
    nursery.cancel_scope.cancel()
    with trio.CancelScope(shield=True):
        await wait_all_tasks_blocked()
    assert (fetcher.active, fetcher.max_active, fetcher.cancelled) == (0, 3, 3)
