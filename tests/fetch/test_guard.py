"""Where callers may go: every line of the SSRF cases, the exceptions, and the pre-check of a batch."""

from pathlib import Path

import pytest
import trio
from gofer.fetch.guard import Blocked, CheckedUrl, Guard, Malformed, check_url, precheck, precheck_all
from gofer.fetch.resolve import ScriptedResolver
from gofer.fetch.target import Caller

CASES = [
    line.split("\t")
    for line in Path(__file__).with_name("ssrf.tsv").read_text(encoding="utf-8").splitlines()
    if not line.startswith("#")
]
FLEET = Caller("alice", "fleet")
RESTRICTED = Caller("bob", "restricted")
PUBLIC = "93.184.215.14"


@pytest.mark.parametrize("caller", [FLEET, RESTRICTED], ids=lambda caller: caller.caller_class)
@pytest.mark.parametrize(("verdict", "url", "why"), CASES, ids=[f"{url} {why}" for _, url, why in CASES])
async def test_every_ssrf_case(verdict: str, url: str, why: str, caller: Caller) -> None:
    refusal = await precheck(Guard(), ScriptedResolver({"example.com": [[PUBLIC]]}), url, caller)
    assert ("allow" if refusal is None else "block") == verdict


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("ftp://example.com/", "scheme must be http or https"),
        ("//example.com/", "scheme must be http or https"),
        ("example.com", "scheme must be http or https"),
        ("http://", "not a valid URL"),
        ("http://exa\tmple.com/", "control character in URL"),
        ("http://example.com/\x00", "control character in URL"),
        ("http://user:pw@example.com/", "user name or password in URL"),
        ("http:\\\\example.com/", "backslash in URL"),
        ("http://a..example/", "not a valid host name"),
        (f"http://{'a' * 64}.example/", "not a valid host name"),
        (f"http://{'a.' * 130}example/", "not a valid host name"),
        ("http://example.com:0/", "not a valid port"),
        ("http://\ud800.example/", "not a valid URL"),
        (f"http://example.com/{'a' * 8192}", "URL longer than 8192 characters"),
    ],
)
def test_what_is_not_a_web_address_is_refused_with_its_reason(url: str, reason: str) -> None:
    assert check_url(url) == Malformed(reason)


@pytest.mark.parametrize("url", ["https://a.example/x?y", "nonsense"])
def test_a_url_that_is_looked_at_again_is_not_parsed_again(url: str) -> None:
    assert check_url(url) is check_url(url)


def test_a_url_is_parsed_once_into_its_parts() -> None:
    assert check_url(" HTTPS://Bücher.example.:8443/ü?q=a\\b#part ") == CheckedUrl(
        href="https://xn--bcher-kva.example.:8443/%C3%BC?q=a\\b",
        scheme="https",
        host="xn--bcher-kva.example",
        port=8443,
        authority="xn--bcher-kva.example.:8443",
        path="/%C3%BC?q=a\\b",
        address=None,
    )


@pytest.mark.parametrize(
    ("allow", "url"),
    [
        ("127.0.0.1:9000", "http://127.0.0.1:9000/"),
        ("127.0.0.1", "http://127.0.0.1:1234/"),
        ("10.1.0.0/16", "http://10.1.255.1/"),
        ("::1", "http://[::1]:8080/"),
        ("[::1]:8080", "http://[::1]:8080/"),
        ("fd00::/8", "http://[fd00::7]/"),
        ("localhost", "http://localhost/"),
        ("localhost:80", "http://localhost./"),
        ("Intranet.Example", "http://intranet.example/"),
    ],
)
def test_an_exception_serves_fleet_callers_only(allow: str, url: str) -> None:
    guard = Guard([allow])
    assert isinstance(guard.check(url, "fleet"), CheckedUrl)
    if "intranet" not in url:
        assert isinstance(guard.check(url, "restricted"), Blocked)


@pytest.mark.parametrize(
    ("allow", "url"),
    [
        ("127.0.0.1:9000", "http://127.0.0.1:9001/"),
        ("10.1.0.0/16", "http://10.2.0.1/"),
        ("localhost:8080", "http://localhost/"),
        ("localhost", "http://localhost.localdomain/"),
    ],
)
def test_an_exception_reaches_no_further(allow: str, url: str) -> None:
    assert isinstance(Guard([allow]).check(url, "fleet"), Blocked)


@pytest.mark.parametrize(
    "entry",
    [
        "",
        "http://a.example/",
        "a b",
        "10.0.0.1/8",
        "10.0.0.0/99",
        "a.example:",
        "a.example:0",
        "a.example:x",
        ":80",
        "127.0.0.1:99999",
        "*.example",
        "[::1",
        "user@a.example",
        "a.example/path",
    ],
)
def test_a_bad_exception_is_named(entry: str) -> None:
    with pytest.raises(ValueError, match=r"guard\.allow") as caught:
        Guard(["10.1.0.0/16", entry])
    assert repr(entry) in str(caught.value)


def test_an_exception_by_name_covers_what_the_name_resolves_to() -> None:
    guard = Guard(["intranet.example", "10.1.0.0/16"])
    inside = check_url("http://10.9.9.9/")
    assert isinstance(inside, CheckedUrl)
    assert inside.address is not None
    answer = [inside.address]
    assert guard.judge_answer("intranet.example", 80, answer, "fleet") is None
    assert guard.judge_answer("intranet.example", 80, answer, "restricted") is not None
    assert guard.judge_answer("other.example", 80, answer, "fleet") is not None


@pytest.mark.parametrize(
    ("answer", "passes"),
    [
        ([PUBLIC], True),
        ([PUBLIC, "10.0.0.1"], False),
        (["10.0.0.1", PUBLIC], False),
        (["::ffff:127.0.0.1"], False),
        (["2606:4700:4700::1111", PUBLIC], True),
        ([], True),
    ],
)
async def test_a_name_is_judged_by_all_it_resolves_to(answer: list[str], passes: bool) -> None:
    reason = await precheck(Guard(), ScriptedResolver({"a.example": [answer]}), "http://a.example/", FLEET)
    assert reason == (None if passes else "the host resolves to an address that is not public")


async def test_report_30_a_mapped_public_v4_address_is_allowed() -> None:
    resolver = ScriptedResolver({"a.example": [["::ffff:8.8.8.8"]]})
    assert await precheck(Guard(), resolver, "http://a.example/", RESTRICTED) is None


async def test_a_batch_is_refused_for_its_lowest_failing_target() -> None:
    resolver = ScriptedResolver({"good.example": [[PUBLIC]], "bad.example": [["10.0.0.1"]]})
    urls = ["http://good.example/", "http://nowhere.example/", "http://bad.example/a", "http://127.0.0.1/"]
    expected = "the host resolves to an address that is not public"
    assert await precheck_all(Guard(), resolver, urls, FLEET) == (2, expected)
    assert await precheck_all(Guard(), resolver, urls[3:] + urls[:3], FLEET) == (0, "not a public address (loopback)")
    assert await precheck_all(Guard(), resolver, urls[:2], FLEET) is None


async def test_each_name_of_a_batch_is_looked_up_once_and_only_before_a_certain_refusal() -> None:
    resolver = ScriptedResolver({"a.example": [[PUBLIC]]})
    urls = ["http://a.example/1", "http://a.example:8080/2", "http://127.0.0.1/", "http://b.example/"]
    await precheck_all(Guard(), resolver, urls, FLEET)
    assert resolver.looked_up == ["a.example"]


@pytest.mark.parametrize("urls", [["http://8.8.8.8/"] * 3_000, [f"http://{n}.example/" for n in range(3_000)]])
async def test_a_batch_of_thousands_leaves_the_others_their_turns(urls: list[str], nursery: trio.Nursery) -> None:
    turns = 0

    async def others() -> None:
        nonlocal turns
        while True:
            await trio.lowlevel.checkpoint()
            turns += 1

    nursery.start_soon(others)
    assert await precheck_all(Guard(), ScriptedResolver({}), urls, FLEET, max_lookups=4) is None
    assert turns >= len(urls)
    nursery.cancel_scope.cancel()


async def test_slow_names_pass_within_one_bound_for_all(autojump_clock: trio.testing.MockClock) -> None:
    silent = [f"{n}.slow.example" for n in range(32)]
    resolver = ScriptedResolver({"bad.example": [["10.0.0.1"]]}, silent=silent)
    urls = [f"http://{host}/" for host in silent]
    start = trio.current_time()
    assert await precheck_all(Guard(), resolver, urls, FLEET, timeout_s=3, max_lookups=4) is None
    assert trio.current_time() - start == pytest.approx(3)
    start = trio.current_time()
    refused = await precheck_all(Guard(), resolver, [*urls[:3], "http://bad.example/"], FLEET, max_lookups=4)
    assert refused == (3, "the host resolves to an address that is not public")
    assert trio.current_time() - start == pytest.approx(2)
