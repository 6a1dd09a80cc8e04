"""The system's resolver on names that need no network, and its scripted stand-in."""

import socket
from ipaddress import ip_address

import pytest
import trio
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
