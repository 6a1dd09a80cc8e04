"""One target through the whole fetcher, against origins on loopback."""

from typing import Any

from gofer.fetch.target import Fetched


async def test_a_page_comes_back_with_its_envelope_and_facts(web: Any) -> None:
    origin = await web.origin({"/a?b=c": web.reply(b"hello", content_type="text/html; charset=utf-8")})
    outcome = await web.fetch(origin.url("/a?b=c"))
    assert isinstance(outcome, Fetched)
    envelope = outcome.envelope
    assert (envelope.url, envelope.final_url) == (origin.url("/a?b=c"), origin.url("/a?b=c"))
    assert (envelope.http_status, envelope.content, envelope.nbytes) == (200, "hello", 5)
    assert envelope.content_type == "text/html; charset=utf-8"
    assert (envelope.mode, envelope.fetched_at) == ("clean", "2027-01-15T08:00:00Z")
    assert (envelope.from_cache, envelope.recovered, envelope.truncated) == (False, False, False)
    assert envelope.warnings == ("w",)
    (hop,) = outcome.facts.hops
    assert (hop.url, hop.status, hop.addresses, hop.dialled) == (
        origin.url("/a?b=c"),
        200,
        ("127.0.0.1",),
        "127.0.0.1",
    )
    assert (hop.nbytes, hop.verdict, hop.attempt) == (5, "", 1)


async def test_the_request_says_who_asks_and_what_it_takes(web: Any) -> None:
    origin = await web.origin({"/": web.reply(b"x")})
    await web.fetch(origin.url())
    assert origin.asked[0].headers == {
        "host": f"127.0.0.1:{origin.port}",
        "user-agent": "gofer-test/1",
        "accept": "text/html,application/xhtml+xml,application/json;q=0.9,*/*;q=0.8",
        "accept-encoding": "gzip, deflate, br, zstd",
    }
