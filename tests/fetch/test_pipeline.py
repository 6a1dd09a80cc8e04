"""One target through the whole fetcher, against origins on loopback."""

import gzip
from typing import Any

import pytest
import trio
from gofer.fetch.guard import Blocked, CheckedUrl, Guard
from gofer.fetch.page import Converted
from gofer.fetch.resolve import ScriptedResolver
from gofer.fetch.target import CallerClass, Failed, Fetched, Options, Target


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


async def fault(web: Any, url: str, **how: Any) -> Failed:
    outcome = await web.fetch(url, **how)
    assert isinstance(outcome, Failed)
    assert outcome.hint
    return outcome


async def test_report_19_a_200_with_an_empty_body_is_done(web: Any) -> None:
    origin = await web.origin({"/": web.reply(b""), "/204": web.reply(status="204 No Content", content_length="")})
    for path, status in (("/", 200), ("/204", 204)):
        outcome = await web.fetch(origin.url(path))
        assert isinstance(outcome, Fetched)
        assert (outcome.envelope.http_status, outcome.envelope.content) == (status, "")
    assert web.converter.pages == []


async def test_what_the_converter_refuses_fails_the_target_in_its_words(web: Any) -> None:
    origin = await web.origin({"/": web.reply(b"\x00\x01")})
    outcome = await fault(web, origin.url())
    assert (outcome.error, outcome.hint) == ("unsupported: application/octet-stream", "ask for a page of text")
    assert outcome.facts.hops[0].status == 200


@pytest.mark.parametrize(
    "url", ["notaurl", "ftp://x/", "http://h:99999/", "http://a.example/\x07", "http://", "//x/"]
)
async def test_what_is_no_url_is_told_apart_from_what_may_not_be_reached(web: Any, url: str) -> None:
    outcome = await fault(web, url)
    assert outcome.error.startswith("blocked: ")
    assert outcome.hint.startswith("correct the URL")
    outcome = await fault(web, "http://10.0.0.1/")
    assert outcome.hint == "only the public web is fetched, and what the operator's guard.allow names"


@pytest.mark.parametrize(
    ("body", "headers", "setting"),
    [
        (b"x", {"x_junk": "j" * 2_000}, "fetch.max_header_bytes"),
        (b"x" * 2_000, {}, "fetch.max_body_bytes"),
        (gzip.compress(b"x" * 2_000), {"content_encoding": "gzip"}, "fetch.max_body_bytes"),
    ],
)
async def test_the_limit_that_was_hit_is_the_one_that_is_named(
    web: Any, body: bytes, headers: dict[str, str], setting: str
) -> None:
    origin = await web.origin({"/": web.reply(body, **headers)})
    outcome = await fault(web, origin.url(), max_header_bytes=1_000, max_body_bytes=1_000)
    assert outcome.hint == f"ask for another URL; the operator's limit is {setting}"


@pytest.mark.parametrize("status", ["400 Bad", "401 Who", "403 No", "404 Lost", "410 Gone"])
async def test_a_client_error_fails_the_target_at_once(web: Any, status: str) -> None:
    origin = await web.origin({"/": web.reply(b"sorry", status=status)})
    outcome = await fault(web, origin.url())
    assert outcome.error == f"http {status[:3]}"
    assert len(origin.asked) == 1


async def test_report_18_a_429_with_a_captcha_page_is_a_failure(web: Any) -> None:
    origin = await web.origin({"/": web.reply(b"<h1>are you human?</h1>", status="429 Slow Down", retry_after="60")})
    outcome = await fault(web, origin.url())
    assert (outcome.error, outcome.hint) == ("http 429", "the origin asks to wait 60 s before the next request")
    assert len(origin.asked) == 1  # it asked for more than is worth waiting


@pytest.mark.parametrize("status", ["429 Slow", "502 Bad", "503 Busy", "504 Late"])
async def test_a_passing_error_is_asked_again_twice(web: Any, status: str) -> None:
    origin = await web.origin({"/": web.reply(b"later", status=status)})
    outcome = await fault(web, origin.url())
    assert outcome.error == f"http {status[:3]}"
    assert [(hop.status, hop.attempt) for hop in outcome.facts.hops] == [(int(status[:3]), n) for n in (1, 2, 3)]


async def test_a_500_is_not_asked_again(web: Any) -> None:
    origin = await web.origin({"/": web.reply(b"bug", status="500 Oops")})
    await fault(web, origin.url())
    assert len(origin.asked) == 1


async def test_a_retry_that_succeeds_is_a_success(web: Any) -> None:
    async def flaky(stream: trio.abc.Stream, asked: Any) -> None:
        if len(origin.asked) < 3:
            await stream.send_all(web.reply(b"busy", status="503 Busy", retry_after="0", connection="close"))
        else:
            await stream.send_all(web.reply(b"page", connection="close"))

    origin = await web.origin({"/": flaky})
    outcome = await web.fetch(origin.url())
    assert isinstance(outcome, Fetched)
    assert (outcome.envelope.content, len(outcome.facts.hops)) == ("page", 3)


async def test_no_retries_when_the_settings_say_so(web: Any) -> None:
    origin = await web.origin({"/": web.reply(b"", status="503 Busy")})
    await fault(web, origin.url(), retries=0)
    assert len(origin.asked) == 1


async def test_redirects_are_followed_and_the_final_url_told(web: Any) -> None:
    origin = await web.origin(
        {
            "/1": web.reply(status="301 Moved", location="/2"),
            "/2": web.reply(b"moved", status="307 Moved", location="3?x=y#part"),
            "/3?x=y": web.reply(b"here"),
        }
    )
    outcome = await web.fetch(origin.url("/1"))
    assert isinstance(outcome, Fetched)
    assert (outcome.envelope.url, outcome.envelope.final_url) == (origin.url("/1"), origin.url("/3?x=y"))
    assert [hop.status for hop in outcome.facts.hops] == [301, 307, 200]
    assert origin.connections == 1


async def test_report_20_a_chain_that_ends_badly_tells_the_final_url_and_status(web: Any) -> None:
    origin = await web.origin(
        {
            "/1": web.reply(status="302 Found", location="/2"),
            "/2": web.reply(status="302 Found", location="/3"),
            "/3": web.reply(status="429 Slow Down", retry_after="3600"),
        }
    )
    outcome = await fault(web, origin.url("/1"))
    assert outcome.error == "http 429"
    assert outcome.hint.endswith(f"(after 2 redirects, at {origin.url('/3')})")
    assert [(hop.url, hop.status) for hop in outcome.facts.hops] == [
        (origin.url("/1"), 302),
        (origin.url("/2"), 302),
        (origin.url("/3"), 429),
    ]


async def test_a_circle_of_redirects_is_told_from_a_long_chain(web: Any) -> None:
    routes = {f"/{n}": web.reply(status="302 Found", location=f"/{n + 1}") for n in range(20)}
    origin = await web.origin(routes | {"/a": web.reply(status="302 Found", location="/a#part")})
    assert (await fault(web, origin.url("/a"))).error == "redirect: in a circle"
    asked = len(origin.asked)
    assert (await fault(web, origin.url("/0"))).error == "redirect: more than 10 in a row"
    assert len(origin.asked) - asked == 11


async def test_ten_redirects_are_not_too_many(web: Any) -> None:
    routes = {f"/{n}": web.reply(status="302 Found", location=f"/{n + 1}") for n in range(10)}
    origin = await web.origin(routes | {"/10": web.reply(b"at last")})
    outcome = await web.fetch(origin.url("/0"))
    assert isinstance(outcome, Fetched)
    assert outcome.envelope.content == "at last"


async def test_a_redirect_without_a_location_is_its_status(web: Any) -> None:
    origin = await web.origin({"/": web.reply(status="302 Found")})
    assert (await fault(web, origin.url())).error == "http 302"


@pytest.mark.parametrize(
    ("location", "error"),
    [
        ("http://10.0.0.1/admin", "blocked: redirect to 10.0.0.1: not a public address (private)"),
        ("file:///etc/passwd", "blocked: redirect to no web address (scheme must be http or https)"),
        (
            "http://inside.example/",
            "blocked: redirect to inside.example: the host resolves to an address",
        ),
    ],
)
async def test_a_redirect_to_a_blocked_place_is_refused(web: Any, location: str, error: str) -> None:
    origin = await web.origin({"/": web.reply(status="302 Found", location=location)})
    resolver = ScriptedResolver({"inside.example": [["10.0.0.1"]]})
    outcome = await fault(web, origin.url(), resolver=resolver)
    assert outcome.error.startswith(error)
    assert outcome.facts.hops[1].verdict
    assert outcome.facts.hops[1].dialled is None


@pytest.mark.parametrize("location", ["http://10.0.0.1/admin", "http://inside.example/", "http://localhost/"])
async def test_a_restricted_caller_learns_nothing_of_where_a_blocked_redirect_leads(web: Any, location: str) -> None:
    class Loose(Guard):
        """Lets restricted callers reach the origin on loopback, which they never could."""

        def check(self, url: str, caller_class: CallerClass) -> CheckedUrl | Blocked:
            return super().check(url, "fleet" if url == origin.url() else caller_class)

    origin = await web.origin({"/": web.reply(status="302 Found", location=location)})
    resolver = ScriptedResolver({"inside.example": [["10.0.0.1"]]})
    outcome = await fault(web, origin.url(), caller=web.restricted, guard=Loose(["127.0.0.1"]), resolver=resolver)
    assert outcome.error == "blocked: redirect to a place that may not be reached"
    assert outcome.facts.hops[1].verdict


async def test_cross_scheme_redirects_are_followed(web: Any) -> None:
    secure = await web.origin({"/": web.reply(b"safe")}, tls=web.server_tls("127.0.0.1"))
    plain = await web.origin({"/": web.reply(status="302 Found", location=secure.url())})
    outcome = await web.fetch(plain.url())
    assert isinstance(outcome, Fetched)
    assert (outcome.envelope.final_url, outcome.envelope.content) == (secure.url(), "safe")


async def test_report_22_a_body_over_the_cap_is_refused_by_its_declared_length(web: Any) -> None:
    async def pdf(stream: trio.abc.Stream, asked: Any) -> None:
        head = b"HTTP/1.1 200 OK\r\nContent-Type: application/pdf\r\nContent-Length: 5000000000\r\n\r\n%PDF-1.7"
        await stream.send_all(head)
        await trio.sleep_forever()

    origin = await web.origin({"/": pdf})
    outcome = await fault(web, origin.url(), max_body_bytes=1_000_000)
    assert outcome.error == "too large: the body is over 1000000 bytes"


async def test_report_23_the_cap_holds_while_a_body_without_length_streams(web: Any) -> None:
    async def endless(stream: trio.abc.Stream, asked: Any) -> None:
        await stream.send_all(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
        while True:
            await stream.send_all(b"10000\r\n" + bytes(0x10000) + b"\r\n")

    origin = await web.origin({"/": endless})
    outcome = await fault(web, origin.url(), max_body_bytes=1_000_000)
    assert outcome.error == "too large: the body is over 1000000 bytes"
    assert outcome.facts.hops[0].nbytes < 1_200_000


async def test_the_cap_holds_for_what_a_body_unpacks_to(web: Any) -> None:
    origin = await web.origin({"/": web.reply(gzip.compress(bytes(2_000_000)), content_encoding="gzip")})
    outcome = await fault(web, origin.url(), max_body_bytes=1_000_000)
    assert outcome.error == "too large: the unpacked body is over 1000000 bytes"


async def test_codings_are_undone_and_faults_in_them_told(web: Any) -> None:
    packed = gzip.compress(b"page " * 100)
    origin = await web.origin(
        {
            "/good": web.reply(packed, content_encoding="gzip"),
            "/cut": web.reply(packed[:-5], content_encoding="gzip"),
            "/odd": web.reply(packed, content_encoding="sdch"),
        }
    )
    outcome = await web.fetch(origin.url("/good"))
    assert isinstance(outcome, Fetched)
    assert (outcome.envelope.nbytes, outcome.facts.hops[0].nbytes) == (500, len(packed))
    assert (await fault(web, origin.url("/cut"))).error == "decode: the gzip stream is truncated"
    assert (await fault(web, origin.url("/odd"))).error == "decode: unknown content coding 'sdch'"


async def test_an_error_whose_body_is_unsound_is_still_that_error(web: Any) -> None:
    origin = await web.origin({"/": web.reply(b"not gzip", status="404 Not Found", content_encoding="gzip")})
    assert (await fault(web, origin.url())).error == "http 404"


async def test_a_connection_serves_the_next_target_of_its_class_only(web: Any) -> None:
    origin = await web.origin({"*": web.reply(b"x")})
    fetcher = await web.fetcher()
    for path in ("/1", "/2", "/3"):
        await fetcher.fetch(Target(origin.url(path)), web.fleet)
    assert (origin.connections, len(origin.asked)) == (1, 3)
    outcome = await fetcher.fetch(Target(origin.url("/4")), web.restricted)
    assert isinstance(outcome, Failed)
    assert outcome.error == "blocked: not a public address (loopback)"
    assert (origin.connections, len(origin.asked)) == (1, 3)


async def test_a_kept_connection_that_died_is_replaced(web: Any) -> None:
    async def once(stream: trio.abc.Stream, asked: Any) -> None:
        await stream.send_all(web.reply(b"x"))  # says keep-alive, and closes all the same

    origin = await web.origin({"/": once})
    fetcher = await web.fetcher(retries=0)
    for _ in range(3):
        assert isinstance(await fetcher.fetch(Target(origin.url()), web.fleet), Fetched)
    assert origin.connections == 3


async def test_closing_the_fetcher_closes_its_connections(web: Any) -> None:
    origin = await web.origin({"*": web.reply(b"x")})
    fetcher = await web.fetcher()
    await fetcher.fetch(Target(origin.url()), web.fleet)
    assert origin.open == 1
    async with fetcher:
        pass
    await origin.until_open(0)


async def test_report_04_a_refused_port_is_its_own_error(web: Any, unused_port: int) -> None:
    outcome = await fault(web, f"http://127.0.0.1:{unused_port}/")
    assert outcome.error == "connect: refused"
    assert outcome.facts.hops[0].addresses == ("127.0.0.1",)


async def test_report_17_dead_hosts_each_have_their_reason(web: Any, unused_port: int) -> None:
    fetcher = await web.fetcher(resolver=ScriptedResolver({"inside.example": [["10.0.0.1"]]}))
    expected = {f"http://{n}.dead.example/": "dns: no such name" for n in range(30)} | {
        f"http://127.0.0.1:{unused_port}/": "connect: refused",
        "http://inside.example/": "blocked: the host resolves to an address that is not public",
    }
    errors: dict[str, str] = {}

    async def fetch(url: str) -> None:
        outcome = await fetcher.fetch(Target(url), web.fleet)
        assert isinstance(outcome, Failed)
        errors[url] = outcome.error

    async with trio.open_nursery() as nursery:
        for url in expected:
            nursery.start_soon(fetch, url)
    assert errors == expected


async def test_report_07_the_url_stays_as_sent(web: Any) -> None:
    origin = await web.origin({"/dir": web.reply(status="301 Moved", location="/dir/"), "/dir/": web.reply(b"x")})
    sent = origin.url("/dir").replace("http://", "HTTP://") + "#part"
    outcome = await web.fetch(sent)
    assert isinstance(outcome, Fetched)
    assert (outcome.envelope.url, outcome.envelope.final_url) == (sent, origin.url("/dir/"))
    assert outcome.envelope.mode == "clean"


async def test_the_mode_asked_for_is_told(web: Any) -> None:
    origin = await web.origin({"/": web.reply(b"x")})
    outcome = await web.fetch(origin.url(), options=Options(mode="raw"))
    assert isinstance(outcome, Fetched)
    assert outcome.envelope.mode == "raw"


async def test_report_25_a_retry_after_is_obeyed_as_seconds_and_as_a_date(web: Any) -> None:
    for value in ("0", "-5", "Fri, 15 Jan 2027 08:00:00 GMT"):
        origin = await web.origin({"/": web.reply(status="503 Busy", retry_after=value)})
        await fault(web, origin.url())
        assert len(origin.asked) == 3
    for value, told in (("9999999999", "86400"), ("Fri, 15 Jan 2027 09:00:00 GMT", "3600")):
        origin = await web.origin({"/": web.reply(status="503 Busy", retry_after=value)})
        hint = (await fault(web, origin.url())).hint
        assert hint.startswith(f"the origin asks to wait {told} s before the next request")
        assert len(origin.asked) == 1


async def test_a_name_without_an_answer_is_a_time_out_of_connecting(web: Any) -> None:
    silent = ScriptedResolver({}, silent=["silent.example"])
    outcome = await fault(web, "http://silent.example/", resolver=silent, connect_timeout_s=0.01, retries=0)
    assert outcome.error == "timeout: connect"
    assert silent.looked_up == ["silent.example"]


async def test_conversion_is_within_the_target_s_time(web: Any) -> None:
    class Stuck:
        async def convert(self, page: Any, options: Options) -> Converted:
            await trio.sleep_forever()
            raise AssertionError

    origin = await web.origin({"/": web.reply(b"x")})
    web.converter = Stuck()
    outcome = await fault(web, origin.url(), timeout_s=0.2)
    assert outcome.error == "timeout: total"
    assert outcome.facts.hops[0].status == 200


async def test_the_time_of_a_target_is_noted(web: Any) -> None:
    async def slow(stream: trio.abc.Stream, asked: Any) -> None:
        await trio.sleep(0.05)
        await stream.send_all(web.reply(b"x"))

    origin = await web.origin({"/": slow})
    outcome = await web.fetch(origin.url())
    assert isinstance(outcome, Fetched)
    assert outcome.envelope.elapsed_ms >= outcome.facts.hops[0].elapsed_ms >= 40
