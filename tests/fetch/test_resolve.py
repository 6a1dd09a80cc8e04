"""The system's resolver on names that need no network, and its scripted stand-in."""

import socket
import threading
from collections.abc import Iterator
from ipaddress import ip_address

import pytest
import trio
import trio.testing
from gofer.fetch.resolve import NotResolved, ScriptedResolver, SystemResolver


async def test_the_system_resolves_an_address_to_itself_and_unmaps_it() -> None:
    resolver = SystemResolver()
    assert await resolver.resolve("127.0.0.1") == (ip_address("127.0.0.1"),)
    assert await resolver.resolve("::ffff:127.0.0.1") == (ip_address("127.0.0.1"),)


@pytest.mark.parametrize("host", ["a..b", "a" * 64 + ".example", "exa mple"])
async def test_a_name_that_cannot_be_one_is_not_resolved(host: str) -> None:
    with pytest.raises(NotResolved):
        await SystemResolver().resolve(host)


async def test_a_zone_does_not_take_an_address_out_of_the_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    def getaddrinfo(*_: object, **__: object) -> list[object]:
        stream = (socket.AF_INET6, socket.SOCK_STREAM, 6, "")
        return [(*stream, ("2606:4700::1", 0, 0, 0)), (*stream, ("fe80::1%lo", 0, 0, 1))]

    monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)
    answer = await SystemResolver().resolve("mixed.example")
    assert answer == (ip_address("2606:4700::1"), ip_address("fe80::1"))


async def test_no_answer_in_time_is_not_resolved() -> None:
    with pytest.raises(NotResolved, match="no answer in time"):
        await SystemResolver(timeout_s=0).resolve("127.0.0.1")


class Servers:
    """Name servers as `getaddrinfo` meets them: silent ones hold its thread until `over`."""

    def __init__(self) -> None:
        self.asked: set[bytes] = set()
        self.over = threading.Event()
        self._news = trio.Event()

    def getaddrinfo(self, host: bytes, *_: object, **__: object) -> list[object]:
        trio.from_thread.run_sync(self._hear, host)
        if host.startswith(b"silent"):
            assert self.over.wait(30)
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("192.0.2.1", 0))]

    async def heard(self, count: int) -> None:
        while len(self.asked) < count:
            await self._news.wait()

    def _hear(self, host: bytes) -> None:
        self.asked.add(host)
        self._news.set()
        self._news = trio.Event()


@pytest.fixture
def servers(monkeypatch: pytest.MonkeyPatch) -> Iterator[Servers]:
    servers = Servers()
    monkeypatch.setattr(socket, "getaddrinfo", servers.getaddrinfo)
    yield servers
    servers.over.set()


async def test_look_ups_that_were_given_up_make_room_for_others(servers: Servers) -> None:
    resolver = SystemResolver(max_lookups=2, max_threads=8)
    for batch in range(3):
        async with trio.open_nursery() as nursery:
            for n in range(2):
                nursery.start_soon(resolver.resolve, f"silent{batch}{n}.example")
            await servers.heard(2 * batch + 2)
            nursery.cancel_scope.cancel()
    assert await resolver.resolve("lively.example") == (ip_address("192.0.2.1"),)
    assert not servers.over.is_set(), "the six threads are held as before"


async def test_so_many_look_ups_at_a_time_and_so_many_threads_in_all(servers: Servers) -> None:
    resolver = SystemResolver(max_lookups=2, max_threads=3)
    for names in (["silent1", "silent2", "late1"], ["silent3", "late2"]):
        heard = len(servers.asked) + sum(name.startswith("silent") for name in names)
        async with trio.open_nursery() as nursery:
            for name in names:
                nursery.start_soon(resolver.resolve, f"{name}.example")
                await trio.testing.wait_all_tasks_blocked()
            await servers.heard(heard)
            nursery.cancel_scope.cancel()
    assert servers.asked == {b"silent1.example", b"silent2.example", b"silent3.example"}
    servers.over.set()
    assert await resolver.resolve("late2.example") == (ip_address("192.0.2.1"),)


async def test_scripted_answers_follow_each_other_and_the_last_one_stays() -> None:
    resolver = ScriptedResolver({"a.example": [["192.0.2.1"], ["192.0.2.2", "2001:db8::1"]]})
    assert await resolver.resolve("a.example") == (ip_address("192.0.2.1"),)
    for _ in range(2):
        assert await resolver.resolve("a.example") == (ip_address("192.0.2.2"), ip_address("2001:db8::1"))
    with pytest.raises(NotResolved):
        await resolver.resolve("b.example")
    assert resolver.looked_up == ["a.example"] * 3 + ["b.example"]


async def test_a_silent_name_never_answers(autojump_clock: trio.testing.MockClock) -> None:
    with trio.move_on_after(1000) as scope:
        await ScriptedResolver({}, silent=["a.example"]).resolve("a.example")
    assert scope.cancelled_caught
