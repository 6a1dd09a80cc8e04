"""The log's form, and the `fetch` line: a host for fleet callers, nothing for restricted ones."""

import io
import json
import math

import pytest
import trio
import trio.testing
from gofer.fetch.scripted import Script, ScriptedFetcher
from gofer.fetch.target import Caller, Target
from gofer.http.logs import LoggedFetcher, log_crash, log_to

URL = "https://user-chosen.example:8443/secret/path?q=1"
FLEET = Caller("alice", "fleet")
RESTRICTED = Caller("bob", "restricted")


def lines(stream: io.BytesIO) -> list[dict[str, object]]:
    return [json.loads(line) for line in stream.getvalue().splitlines()]


def test_a_line_is_one_json_object_with_time_and_level() -> None:
    stream = io.BytesIO()
    log_to(stream).info("batch", caller="älice\n", targets=3)
    [line] = lines(stream)
    assert str(line.pop("at")).endswith("Z")
    assert line == {"event": "batch", "level": "info", "caller": "älice\n", "targets": 3}
    assert stream.getvalue().count(b"\n") == 1


async def test_a_fetch_line_names_the_host_for_a_fleet_caller_and_no_more_of_the_url() -> None:
    stream = io.BytesIO()
    fetcher = LoggedFetcher(ScriptedFetcher({URL: Script(content="hello")}), log_to(stream))
    await fetcher.fetch(Target(URL), FLEET)
    [line] = lines(stream)
    assert line["event"] == "fetch"
    assert (line["caller"], line["host"], line["outcome"]) == ("alice", "user-chosen.example", "done")
    assert (line["http_status"], line["nbytes"]) == (200, 5)
    assert "secret" not in stream.getvalue().decode()


async def test_a_fetch_line_of_a_restricted_caller_is_redacted() -> None:
    stream = io.BytesIO()
    fetcher = LoggedFetcher(ScriptedFetcher(), log_to(stream))
    await fetcher.fetch(Target(URL), RESTRICTED)
    [line] = lines(stream)
    assert (line["caller"], line["host"], line["outcome"]) == ("bob", "redacted", "done")
    assert set(line) == {"at", "event", "level", "caller", "host", "outcome", "elapsed_ms"}


@pytest.mark.parametrize("url", ["", "nonsense", "http://", "http://a.example\\secret"])
async def test_a_url_without_a_host_is_logged_as_invalid(url: str) -> None:
    stream = io.BytesIO()
    fetcher = LoggedFetcher(ScriptedFetcher(default=Script(error="blocked: no")), log_to(stream))
    await fetcher.fetch(Target(url), FLEET)
    assert [(line["host"], line["outcome"]) for line in lines(stream)] == [("invalid", "failed")]


async def test_an_error_is_not_quoted() -> None:
    stream = io.BytesIO()
    fetcher = LoggedFetcher(
        ScriptedFetcher(default=Script(error="blocked: redirect to evil.example")), log_to(stream)
    )
    await fetcher.fetch(Target(URL), FLEET)
    assert "evil" not in stream.getvalue().decode()


async def test_a_cancelled_and_a_crashed_fetch_have_their_line(autojump_clock: trio.testing.MockClock) -> None:
    stream = io.BytesIO()
    scripts = {URL: Script(delay_s=math.inf), "http://x.example/": Script(crash=RuntimeError("a bug"))}
    fetcher = LoggedFetcher(ScriptedFetcher(scripts), log_to(stream))
    with trio.move_on_after(2):
        await fetcher.fetch(Target(URL), FLEET)
    with pytest.raises(RuntimeError, match="a bug"):
        await fetcher.fetch(Target("http://x.example/"), FLEET)
    assert [(line["outcome"], line["elapsed_ms"]) for line in lines(stream)] == [("cancelled", 2000), ("crashed", 0)]


def test_a_crash_is_logged_by_type_and_place_without_its_message() -> None:
    stream = io.BytesIO()
    try:
        raise RuntimeError(URL)
    except RuntimeError as error:
        log_crash(log_to(stream), "here", error)
    [line] = lines(stream)
    assert (line["level"], line["event"], line["where"], line["exception"]) == (
        "error",
        "crash",
        "here",
        "RuntimeError",
    )
    assert "test_a_crash_is_logged_by_type" in str(line["trace"])
    assert "user-chosen" not in stream.getvalue().decode()


def test_each_crash_in_a_group_has_its_line() -> None:
    stream = io.BytesIO()
    group = ExceptionGroup("both", [ValueError(URL), ExceptionGroup("", [KeyError(URL)])])
    log_crash(log_to(stream), "here", group)
    assert [line["exception"] for line in lines(stream)] == ["ValueError", "KeyError"]
    assert URL not in stream.getvalue().decode()
