"""Archived copies: when one is asked for, how it is told, and against a TimeGate on loopback."""

from collections.abc import Mapping
from typing import Any

import msgspec
import pytest
from gofer.fetch.faults import BlockedFault, ConnectFault, DnsFault, Fault, StatusFault, TooLargeFault
from gofer.fetch.head import Head
from gofer.fetch.recover import Memento, advice, is_recoverable, memento_of, raw_capture_url
from gofer.fetch.settings import FetchSettings
from gofer.fetch.target import Failed, Fetched, Options, Outcome
from gofer.fetch.walls import BOT_WALL

WHEN = "Tue, 11 Sep 2001 20:35:00 GMT"
RECOVER = Options(recover=True)
WALL = b"<title>Just a moment...</title><script src='/cdn-cgi/challenge-platform/x.js'></script>"


@pytest.mark.parametrize(
    ("fault", "recoverable"),
    [
        (DnsFault("no such name"), True),
        (ConnectFault("refused"), True),
        (StatusFault(404), True),
        (StatusFault(410), True),
        (StatusFault(451), True),
        (StatusFault(500), True),
        (StatusFault(403), False),
        (StatusFault(403, is_bot_wall=True), True),
        (StatusFault(429), False),
        (BlockedFault("not a public address"), False),
        (TooLargeFault("the body", 1), False),
    ],
)
def test_when_a_copy_would_answer(fault: Fault, recoverable: bool) -> None:
    assert is_recoverable(fault) == recoverable
    assert bool(advice(fault, asked=False, timegate="https://a.example/")) == recoverable
    assert "recover" not in fault.hint


@pytest.mark.parametrize(
    ("asked", "timegate", "said"),
    [
        (False, "https://a.example/", "; set recover to try an archived copy"),
        (True, "https://a.example/", "; no archived copy was found"),
        (True, "", "; recover is switched off on this service"),
        (False, "", ""),
    ],
)
def test_the_advice_is_what_is_left_to_do(asked: bool, timegate: str, said: str) -> None:
    assert advice(StatusFault(404), asked=asked, timegate=timegate) == said


@pytest.mark.parametrize(
    ("timegate", "valid"),
    [
        ("", True),
        ("https://web.archive.org/web/", True),
        ("http://[::1]:8080/timegate/", True),
        ("https://a.example/?url=", True),
        ("junk", False),
        ("web.archive.org/web/", False),
        ("ftp://a.example/", False),
        ("https://", False),
        ("https:///web/", False),
        ("https://a.example", False),
        ("https://a.example/a b/", False),
        ("https://user@a.example/", False),
    ],
)
def test_the_timegate_is_a_url_that_another_can_follow(timegate: str, valid: bool) -> None:
    settings = {"memento_timegate": timegate}
    if valid:
        assert msgspec.convert(settings, FetchSettings).memento_timegate == timegate
    else:
        with pytest.raises(msgspec.ValidationError, match="memento_timegate"):
            msgspec.convert(settings, FetchSettings)


@pytest.mark.parametrize(
    ("url", "raw"),
    [
        ("https://a.example/web/20010911203500/http://b.example/x?y", "https://a.example/web/20010911203500id_/http://b.example/x?y"),
        ("https://a.example/web/20010911203500id_/http://b.example/", "https://a.example/web/20010911203500id_/http://b.example/"),
        ("https://a.example/memento/7", "https://a.example/memento/7"),
    ],
)  # fmt: skip
def test_the_capture_as_it_was_crawled(url: str, raw: str) -> None:
    assert raw_capture_url(url) == raw


def test_a_copy_says_that_it_is_one() -> None:
    url = "https://a.example/web/20010911203500id_/https://www.b.example/"
    head = Head(200, (("memento-datetime", WHEN),))
    expected = Memento(url, "2001-09-11T20:35:00Z", "https://www.b.example/")
    assert memento_of(head, url, "http://b.example/") == expected
    assert memento_of(head, "https://a.example/m/7", "http://b.example/") == Memento(
        "https://a.example/m/7", "2001-09-11T20:35:00Z", "http://b.example/"
    )
    assert memento_of(Head(200, ()), url, "http://b.example/") is None
    assert memento_of(Head(200, (("memento-datetime", "long ago"),)), url, "http://b.example/") is None


async def archive_of(web: Any, href: str, body: bytes = b"as it was") -> Any:
    """A TimeGate that knows one capture of `href`, and shows its banner where that is not asked for as it was."""
    path = f"/web/20010911203500id_/{href}"
    routes: Mapping[str, bytes] = {
        f"/web/{href}": web.reply(status="302 Found", location=f"/web/20010911203500/{href}", vary="accept-datetime"),
        f"/web/20010911203500/{href}": web.reply(b"banner", memento_datetime=WHEN),
        path: web.reply(body, memento_datetime=WHEN, content_type="text/html"),
    }
    return await web.origin(routes)


async def recovered(web: Any, url: str, archive: Any, **how: Any) -> Outcome:
    settings = {"memento_timegate": archive.url("/web/"), "retries": 0} | how
    return await web.fetch(url, options=RECOVER, **settings)


@pytest.mark.parametrize("status", ["404 Not Found", "410 Gone", "451 No", "500 Oops"])
async def test_a_lost_page_is_recovered_and_says_so(web: Any, status: str) -> None:
    origin = await web.origin({"*": web.reply(b"sorry", status=status)})
    archive = await archive_of(web, origin.url("/lost?x=y"))
    outcome = await recovered(web, origin.url("/lost?x=y"), archive)
    assert isinstance(outcome, Fetched)
    envelope = outcome.envelope
    assert (envelope.content, envelope.recovered, envelope.http_status) == ("as it was", True, 200)
    assert envelope.memento_url == archive.url(f"/web/20010911203500id_/{origin.url('/lost?x=y')}")
    assert envelope.memento_date == "2001-09-11T20:35:00Z"
    assert envelope.url == envelope.final_url == origin.url("/lost?x=y")
    assert [hop.status for hop in outcome.facts.hops] == [int(status[:3]), 302, 200]
    assert web.converter.pages[0].url == origin.url("/lost?x=y")  # links are resolved against the page, not its copy


async def test_a_host_that_is_gone_is_recovered(web: Any, unused_port: int) -> None:
    for url in ("http://gone.example/", f"http://127.0.0.1:{unused_port}/"):
        outcome = await recovered(web, url, await archive_of(web, url))
        assert isinstance(outcome, Fetched)
        assert outcome.envelope.content == "as it was"


async def test_a_bot_wall_is_recovered(web: Any) -> None:
    origin = await web.origin(
        {
            "/403": web.reply(WALL, status="403 Forbidden"),
            "/header": web.reply(b"", status="403 Forbidden", cf_mitigated="challenge"),
            "/plain": web.reply(b"members only", status="403 Forbidden"),
            "/form": web.reply(b"<div class=g-recaptcha></div>", status="400 Bad Request"),
        }
    )
    for path in ("/403", "/header"):
        outcome = await recovered(web, origin.url(path), await archive_of(web, origin.url(path)))
        assert isinstance(outcome, Fetched)
        assert outcome.envelope.recovered
    for path, error in (("/plain", "http 403"), ("/form", "http 400")):
        outcome = await recovered(web, origin.url(path), await archive_of(web, origin.url(path)))
        assert isinstance(outcome, Failed)
        assert outcome.error == error


async def test_a_bot_wall_under_200_is_recovered_or_else_given_with_its_warning(web: Any) -> None:
    origin = await web.origin({"/": web.reply(WALL)})
    web.converter.warnings = (BOT_WALL,)
    empty = await web.origin({})
    outcome = await recovered(web, origin.url(), empty)
    assert isinstance(outcome, Fetched)
    assert (outcome.envelope.recovered, outcome.envelope.warnings) == (False, (BOT_WALL,))
    outcome = await recovered(web, origin.url(), await archive_of(web, origin.url()))
    assert isinstance(outcome, Fetched)
    assert outcome.envelope.recovered


async def test_without_a_copy_the_origin_s_own_fault_stands(web: Any) -> None:
    origin = await web.origin({})
    banner = {"*": web.reply(b"no copies here")}
    for archive in (await web.origin({}), await web.origin(banner)):
        outcome = await recovered(web, origin.url(), archive)
        assert isinstance(outcome, Failed)
        assert outcome.error == "http 404"
        assert outcome.hint == "there is no such page; check the URL; no archived copy was found"
        assert len(archive.asked) == 1


async def test_nobody_is_asked_unless_the_target_and_the_settings_say_so(web: Any) -> None:
    origin = await web.origin({})
    archive = await archive_of(web, origin.url())
    outcome = await web.fetch(origin.url(), memento_timegate=archive.url("/web/"))
    assert isinstance(outcome, Failed)
    assert outcome.hint == "there is no such page; check the URL; set recover to try an archived copy"
    outcome = await recovered(web, origin.url(), archive, memento_timegate="")
    assert isinstance(outcome, Failed)
    assert outcome.hint == "there is no such page; check the URL; recover is switched off on this service"
    assert archive.asked == []


async def test_the_archive_is_reached_through_the_guard(web: Any) -> None:
    origin = await web.origin({})
    archive = await archive_of(web, origin.url())
    outcome = await recovered(web, "http://gone.example/", archive, caller=web.restricted)
    assert isinstance(outcome, Failed)
    assert outcome.error == "dns: no such name"
    assert outcome.facts.hops[1].verdict == "not a public address (loopback)"
    assert archive.connections == 0
