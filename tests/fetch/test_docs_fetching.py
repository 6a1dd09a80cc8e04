"""docs/fetching.md shows what gofer gives: its examples are run, the rows of its tables are made by the code."""

import json
import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import pytest
import trio
from gofer.cli.demo_site import SITE, Answer, serve_site
from gofer.fetch import faults, walls
from gofer.fetch.guard import Guard
from gofer.fetch.html_prescan import MAX_CHARS
from gofer.fetch.inline import InlineConverter
from gofer.fetch.pipeline import HttpFetcher
from gofer.fetch.resolve import ScriptedResolver
from gofer.fetch.settings import FetchSettings
from gofer.fetch.target import Caller, Fetched, Options, Outcome, Target
from gofer.fetch.workers import WorkerLimits

GUIDE = (Path(__file__).parents[2] / "docs" / "fetching.md").read_text()
HOSTS = ("site.example", "archive.example")
CAPTURED = "Sat, 01 Jun 2019 12:00:00 GMT"
KEEPER = b"<!doctype html><title>The keeper</title><h1>The keeper</h1><p>The keeper's bees were counted in June.</p>"

FAULTS = [
    faults.DnsFault("no such name"),
    faults.ConnectFault("refused"),
    faults.BrokenFault("the connection was closed before the response was complete"),
    faults.ProtocolFault("the response is not valid HTTP"),
    faults.TlsFault("the certificate has expired"),
    faults.NoTlsFault(),
    faults.HandshakeFault(),
    faults.TimeoutFault("headers", 30),
    faults.MalformedFault("scheme must be http or https"),
    faults.BlockedFault("redirect to 10.0.0.1: not a public address (private)"),
    faults.RedirectFault("more than 10 in a row"),
    faults.RobotsFault("disallowed by robots.txt"),
    faults.StatusFault(401),
    faults.StatusFault(403),
    faults.StatusFault(404),
    faults.StatusFault(429),
    faults.StatusFault(429, retry_after_s=60),
    faults.StatusFault(451),
    faults.StatusFault(503),
    faults.TooLargeFault("what comes before the body", 65536),
    faults.TooLargeFault("the body", 33554432),
    faults.DecodeFault("the gzip stream is truncated"),
]
WARNINGS = {
    walls.BOT_WALL: "its title or its scripts say so; try `recover`",
    walls.LOGIN: "there is a password field and little else",
    walls.NOTHING: "the content is empty though the body is not",
}


class Block(NamedTuple):
    """A fenced block that is marked as one to test."""

    kind: str  # page, target, content, result
    text: str


BLOCKS = [
    Block(kind, text)
    for _, kind, text in re.findall(r"^(`{3,})\w+ (\w+)\n(.*?)\n\1$", GUIDE, flags=re.DOTALL | re.MULTILINE)
]
PAGE = next(block.text for block in BLOCKS if block.kind == "page").encode()


class Example(NamedTuple):
    """A target, and what the guide says that comes of it."""

    target: Target
    shown: list[Block]


def examples() -> list[Example]:
    found: list[Example] = []
    for block in BLOCKS:
        if block.kind == "target":
            found.append(Example(target_of(block.text), []))
        elif found:
            found[-1].shown.append(block)
    return found


def target_of(text: str) -> Target:
    """A target as callers send it: flat."""
    fields = json.loads(text)
    return Target(fields.pop("url"), msgspec.convert(fields, Options))


class Site:
    """The demo's site with some pages more, under the names of the guide: no port is seen."""

    def __init__(self, fetcher: HttpFetcher, port: str) -> None:
        self._fetcher = fetcher
        self._port = port

    async def fetch(self, target: Target) -> Outcome:
        url = re.sub(r"(?<=\.example)(?=/)", self._port, target.url)
        outcome = await self._fetcher.fetch(Target(url, target.options), Caller("guide", "fleet"))
        return msgspec.json.decode(msgspec.json.encode(outcome).replace(self._port.encode(), b""), type=type(outcome))


@pytest.fixture
async def site(nursery: trio.Nursery) -> AsyncIterator[Site]:
    answers = {
        **SITE,
        "/knots": Answer("200 OK", "text/html", PAGE),
        "/map.png": Answer("200 OK", "image/png", b"\x89PNG\r\n\x1a\n" + bytes(2000)),
    }
    address = await nursery.start(serve_site, answers)
    port = ":" + address.rpartition(":")[2]
    keeper = f"http://site.example{port}/keeper"
    to_capture = (("Location", f"/web/20190601120000/{keeper}"),)
    answers[f"/web/{keeper}"] = Answer("302 Found", "text/html", b"", to_capture)
    answers[f"/web/20190601120000id_/{keeper}"] = Answer(
        "200 OK", "text/html", KEEPER, (("Memento-Datetime", CAPTURED),)
    )
    settings = FetchSettings(memento_timegate=f"http://archive.example{port}/web/", retries=0)
    resolver = ScriptedResolver({host: [["127.0.0.1"]] for host in HOSTS})
    async with HttpFetcher(settings, guard=Guard(HOSTS), resolver=resolver, converter=InlineConverter()) as fetcher:
        yield Site(fetcher, port)
    nursery.cancel_scope.cancel()


@pytest.mark.parametrize("example", examples(), ids=lambda each: each.target.url.removeprefix("http://site.example/"))
async def test_an_example_gives_what_is_shown(site: Site, example: Example) -> None:
    outcome = await site.fetch(example.target)
    assert isinstance(outcome, Fetched), outcome
    assert example.shown
    for block in example.shown:
        if block.kind == "content":
            assert outcome.envelope.content.rstrip("\n") == block.text
        else:
            shown: dict[str, Any] = json.loads(block.text)
            given = msgspec.to_builtins(outcome.envelope)
            assert {name: given[name] for name in shown} == shown


def rows(heading: str) -> list[str]:
    """The rows of the tables under a heading."""
    section = GUIDE.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    return [line for line in section.split("\n") if line.startswith("| `")]


def test_the_faults_are_told_as_they_are() -> None:
    assert [f"| `{fault.error}` | {fault.hint} |" for fault in FAULTS] == [
        row for row in rows("Errors") if "{" not in row and "`error`" not in row
    ]
    kinds = [faults.Fault]
    for kind in kinds:
        kinds.extend(kind.__subclasses__())
    assert {type(fault) for fault in FAULTS} == set(kinds[1:])


async def test_the_refusals_are_told_as_they_are(site: Site) -> None:
    told = [row for row in rows("Errors") if row.startswith("| `{")]
    assert told
    for row in told:
        cells = re.fullmatch(r"\| `(.*)` \| `(.*)` \| (.*) \|", row)
        assert cells
        target, error, hint = cells.groups()
        outcome = await site.fetch(target_of(target))
        assert not isinstance(outcome, Fetched)
        assert (outcome.error, outcome.hint) == (error, hint)


def test_the_warnings_of_walls_are_told_as_they_are() -> None:
    for warning, why in WARNINGS.items():
        assert f"| `{warning}` | {why} |" in rows("Warnings")


def test_the_defaults_are_the_settings() -> None:
    settings, limits = FetchSettings(), WorkerLimits()
    for row in (
        f"| one target in all, with redirects, retries and conversion | {settings.timeout_s:g} s |",
        f"| look-up, TCP and TLS | {settings.connect_timeout_s:g} s |",
        f"| until the headers are there | {settings.headers_timeout_s:g} s |",
        f"| a pause in the body | {settings.body_timeout_s:g} s |",
        f"| the headers | {settings.max_header_bytes >> 10} KiB |",
        f"| the body, as received and again as unpacked | {settings.max_body_bytes >> 20} MiB |",
        f"| the HTML that is read | {MAX_CHARS:,} characters |",
        f"| converting: time, memory of its process | {limits.timeout_s:g} s, {limits.max_memory_bytes >> 30} GiB |",
        f"| the content of a result | {settings.max_content_bytes:,} bytes |",
    ):
        assert f"\n{row}" in GUIDE
    for words in (
        f"At most {settings.per_host} fetches are under way at one host (`fetch.per_host`), {settings.per_job} for",
        f"{settings.concurrency} in all",
        f"more than {settings.max_retry_wait_s:g} seconds (`fetch.max_retry_wait_s`)",
        f"Up to {settings.max_redirects} redirects",
    ):
        assert words in GUIDE
    assert settings.robots == "ignore"
    assert settings.retries == 2
