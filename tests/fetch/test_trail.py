"""What is noted of a target: hops in order, each for as long as it lasted."""

from ipaddress import ip_address

import trio
from gofer.fetch.target import Facts, Hop
from gofer.fetch.trail import Trail
from trio.testing import MockClock


async def test_hops_end_where_the_next_begins_or_when_told(autojump_clock: MockClock) -> None:
    trail = Trail()
    await trio.sleep(1)
    first = trail.hop("http://a.example/")
    first.status, first.nbytes = 302, 7
    await trio.sleep(2)
    second = trail.hop("http://b.example/", attempt=2)
    second.addresses = (ip_address("192.0.2.1"), ip_address("2001:db8::1"))
    second.dialled = ip_address("192.0.2.1")
    second.ended_at = trio.current_time() + 3
    await trio.sleep(4)
    trail.hop("http://10.0.0.1/").verdict = "not a public address (private)"
    await trio.sleep(5)
    assert trail.elapsed_ms == 12_000
    assert trail.facts() == Facts(
        hops=(
            Hop("http://a.example/", status=302, nbytes=7, elapsed_ms=2_000),
            Hop(
                "http://b.example/",
                addresses=("192.0.2.1", "2001:db8::1"),
                dialled="192.0.2.1",
                elapsed_ms=3_000,
                attempt=2,
            ),
            Hop("http://10.0.0.1/", verdict="not a public address (private)", elapsed_ms=5_000),
        ),
        elapsed_ms=12_000,
    )
