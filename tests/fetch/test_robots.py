"""robots.txt: groups, precedence, patterns, and what a site that cannot be asked means (RFC 9309)."""

from typing import Any

import pytest
import trio
from gofer.fetch.faults import DnsFault, Fault, RobotsFault
from gofer.fetch.guard import CheckedUrl, check_url
from gofer.fetch.robots import ALLOW_ALL, FORBID_ALL, Robots, Rules, parse_robots
from gofer.fetch.target import Failed, Fetched, Target

AGENT = "gofer/0.1 (+https://a.example/)"


def allowed(text: str, path: str) -> bool:
    return parse_robots(text, AGENT).allow(path)


@pytest.mark.parametrize(
    ("text", "forbidden"),
    [
        ("", False),
        ("User-agent: *\nDisallow:", False),
        ("User-agent: *\nDisallow: /", True),
        ("user-AGENT : *\r\ndisallow:/ # all", True),
        ("\ufeffUser-agent: *\rDisallow: /", True),
        ("User-agent: other\nDisallow: /", False),
        ("User-agent: GoFer\nDisallow: /", True),
        ("User-agent: gofer/9\nDisallow: /", True),
        ("User-agent: go\nDisallow: /", False),
        ("User-agent: *\nDisallow: /\n\nUser-agent: gofer\nAllow: /", False),
        ("User-agent: *\nDisallow: /\n\nUser-agent: gofer", False),
        ("User-agent: other\nUser-agent: gofer\nDisallow: /", True),
        ("User-agent: gofer\nDisallow: /x\n\nUser-agent: gofer\nDisallow: /", True),
        ("User-agent: gofer\nSitemap: http://a.example/s\nUser-agent: other\nDisallow: /", True),
        ("User-agent: gofer\nCrawl-delay: 9\nDisallow: /", True),
        ("Disallow: /", False),
        ("<html>not robots</html>", False),
    ],
)
def test_which_group_holds(text: str, forbidden: bool) -> None:
    assert allowed(text, "/page") == (not forbidden)


@pytest.mark.parametrize(
    ("rules", "path", "allows"),
    [
        ("Disallow: /a", "/a", False),
        ("Disallow: /a", "/abc?d", False),
        ("Disallow: /a", "/b", True),
        ("Disallow: /a/", "/a", True),
        ("Disallow: /a\nAllow: /a/b", "/a/b/c", True),
        ("Allow: /a/b\nDisallow: /a", "/a/c", False),
        ("Disallow: /a\nAllow: /a", "/a", True),
        ("Disallow: *.gif$", "/x/y.gif", False),
        ("Disallow: *.gif$", "/x/y.gif?z", True),
        ("Disallow: /*/private/*.html", "/x/private/y/z.html?q", False),
        ("Disallow: /*/private/*.html", "/private/z.html", True),
        ("Disallow: /a$", "/a", False),
        ("Disallow: /a$", "/ab", True),
        ("Disallow: /$", "/", False),
        ("Disallow: /a*a$", "/a", True),
        ("Disallow: /*?id=", "/x?id=1", False),
        ("Disallow: /caf%C3%A9", "/caf%c3%a9", False),
        ("Disallow: /café", "/caf%C3%A9", False),
        ("Disallow: /a%62c", "/abc", False),
        ("Disallow: /a%2fb", "/a/b", True),
        ("Disallow: /a%2fb", "/a%2Fb", False),
        ("Disallow: /", "/robots.txt", True),
    ],
)
def test_which_rule_wins(rules: str, path: str, allows: bool) -> None:
    assert allowed(f"User-agent: *\n{rules}", path) == allows


def test_a_hostile_pattern_is_matched_in_linear_steps() -> None:
    evil = Rules((("/" + "*a" * 10_000 + "$", False),))
    assert evil.allow("/" + "a" * 9_000 + "b")


def test_the_two_extremes() -> None:
    assert ALLOW_ALL.allow("/x")
    assert not FORBID_ALL.allow("/x")


class Sites:
    """Loads of robots.txt, counted: a text, or a fault."""

    def __init__(self, answer: bytes | Fault) -> None:
        self.answer = answer
        self.loads = 0

    async def load(self, url: str) -> bytes:
        await trio.lowlevel.checkpoint()
        self.loads += 1
        if isinstance(self.answer, Fault):
            raise self.answer
        return self.answer


def site(n: int = 0) -> CheckedUrl:
    checked = check_url(f"http://{n}.example/page")
    assert isinstance(checked, CheckedUrl)
    return checked


async def test_a_site_is_asked_once_a_day_and_one_that_cannot_be_asked_once_a_minute(
    autojump_clock: trio.testing.MockClock,
) -> None:
    sites, rules = Sites(b"User-agent: other\nDisallow: /"), Robots(AGENT)
    for wait_s, loads in ((0, 1), (86_000, 1), (1_000, 2)):
        await trio.sleep(wait_s)
        await rules.check(site(), "fleet", sites.load)
        assert sites.loads == loads
    sites, rules = Sites(DnsFault("no such name")), Robots(AGENT)
    for wait_s, loads in ((0, 1), (50, 1), (20, 2)):
        await trio.sleep(wait_s)
        with pytest.raises(RobotsFault, match="no such name"):
            await rules.check(site(), "fleet", sites.load)
        assert sites.loads == loads


async def test_classes_of_callers_and_sites_are_asked_for_apart_and_so_many_remembered() -> None:
    sites, rules = Sites(b""), Robots(AGENT)
    await rules.check(site(0), "fleet", sites.load)
    await rules.check(site(0), "restricted", sites.load)
    assert sites.loads == 2
    for n in range(1, 257):
        await rules.check(site(n), "fleet", sites.load)
    await rules.check(site(256), "fleet", sites.load)
    assert sites.loads == 258
    await rules.check(site(0), "fleet", sites.load)
    assert sites.loads == 259


async def test_cancelling_a_look_lets_another_look(autojump_clock: trio.testing.MockClock) -> None:
    rules = Robots(AGENT)

    async def never(url: str) -> bytes:
        await trio.sleep_forever()
        raise AssertionError

    with trio.move_on_after(1) as scope:
        await rules.check(site(), "fleet", never)
    assert scope.cancelled_caught
    sites = Sites(b"")
    await rules.check(site(), "fleet", sites.load)
    assert sites.loads == 1


def robots(web: Any, text: str) -> Any:
    return web.reply(text.encode(), content_type="text/plain")


async def test_ignored_unless_the_settings_say_obey(web: Any) -> None:
    origin = await web.origin({"/robots.txt": robots(web, "User-agent: *\nDisallow: /"), "/": web.reply(b"x")})
    assert isinstance(await web.fetch(origin.url()), Fetched)
    assert [asked.path for asked in origin.asked] == ["/"]


async def test_obeyed_with_one_look_for_targets_that_come_together(web: Any) -> None:
    origin = await web.origin({"/robots.txt": robots(web, "User-agent: *\nDisallow: /no"), "*": web.reply(b"x")})
    fetcher = await web.fetcher(robots="obey")
    outcomes: dict[str, Any] = {}

    async def fetch(path: str) -> None:
        outcomes[path] = await fetcher.fetch(Target(origin.url(path)), web.fleet)

    async with trio.open_nursery() as nursery:
        for path in ("/yes", "/no", "/yes/2", "/no/2"):
            nursery.start_soon(fetch, path)
    assert {path for path, outcome in outcomes.items() if isinstance(outcome, Fetched)} == {"/yes", "/yes/2"}
    assert outcomes["/no"].error == "robots: disallowed by robots.txt"
    assert [asked.path for asked in origin.asked].count("/robots.txt") == 1


async def test_a_redirect_is_held_to_the_rules_too(web: Any) -> None:
    origin = await web.origin(
        {
            "/robots.txt": robots(web, "User-agent: *\nDisallow: /no"),
            "/yes": web.reply(status="302 Found", location="/no"),
        }
    )
    outcome = await web.fetch(origin.url("/yes"), robots="obey")
    assert isinstance(outcome, Failed)
    assert outcome.error == "robots: disallowed by robots.txt"


@pytest.mark.parametrize(
    ("status", "allows"), [("404 Not Found", True), ("403 Forbidden", True), ("500 Oops", False), ("503 Busy", False)]
)
async def test_a_site_without_an_answer(web: Any, status: str, allows: bool) -> None:
    origin = await web.origin({"/robots.txt": web.reply(b"", status=status), "/": web.reply(b"x")})
    fetcher = await web.fetcher(robots="obey", retries=0)
    outcome = await fetcher.fetch(Target(origin.url()), web.fleet)
    assert isinstance(outcome, Fetched) == allows
    if isinstance(outcome, Failed):
        assert outcome.error == f"robots: robots.txt cannot be read (http {status[:3]})"
        assert [asked.path for asked in origin.asked] == ["/robots.txt"]


async def test_what_is_read_of_robots_txt_is_bounded(web: Any) -> None:
    origin = await web.origin({"/robots.txt": web.reply(b"#" * 600_000), "/": web.reply(b"x")})
    outcome = await web.fetch(origin.url(), robots="obey")
    assert isinstance(outcome, Failed)
    assert outcome.error == "robots: robots.txt cannot be read (too large: the body is over 512000 bytes)"
