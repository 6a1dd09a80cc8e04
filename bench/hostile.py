"""What each hostile origin costs: its outcome, time and memory, and how long a healthy target beside it waits.

    python bench/hostile.py [--only NAME] [--json]

The origins are those of the tests (`tests/fetch/`), in a process of their own, with bombs of 1 GiB and pages made to
hurt a parser besides. The fetcher is whole. Its settings are the service's own but for the time-outs, which are
shorter so that the slow ones end. While a hostile target is under way, a healthy one is fetched and converted time
and again (its origin is another process); the slowest of these is told, as is the peak of what the server and any one
worker grew by. Memory is read from /proc, so this runs on Linux only.
"""

import argparse
import datetime
import json
import multiprocessing
import runpy
import ssl
import subprocess
import sys
import zlib
from collections.abc import Iterator
from contextlib import AsyncExitStack, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import brotli
import msgspec
import trio
import trustme
from gofer.fetch.decode import zstd
from gofer.fetch.guard import Guard
from gofer.fetch.pipeline import HttpFetcher
from gofer.fetch.resolve import ScriptedResolver
from gofer.fetch.settings import FetchSettings
from gofer.fetch.target import Caller, Failed, Options, Outcome, Target
from gofer.fetch.workers import WorkerConverter, WorkerLimits

SETTINGS = FetchSettings(timeout_s=6, headers_timeout_s=2, body_timeout_s=1, retries=0)
LIMITS = WorkerLimits(timeout_s=3)
CALLER = Caller("bench", "fleet")
MIB = 1 << 20
TESTS = Path(__file__).resolve().parent.parent / "tests" / "fetch"


class Case(NamedTuple):
    """A hostile target: what its origin does, and how it is asked for."""

    route: Any  # a script, or the bytes of a response
    options: Options = Options()
    tls: ssl.SSLContext | None = None


class Told(msgspec.Struct):
    """What the origins' process says when all of them listen."""

    targets: dict[str, Target]
    ca_pem: str  # of the authority to trust


class Row(msgspec.Struct):
    """What one case came to."""

    name: str
    outcome: str
    seconds: float
    server_mib: float  # how much the peak was above what was there before
    worker_mib: float
    neighbour_ms: float  # the slowest


# ---------------------------------------------------------------- the origins


def unpacking_to_a_gib(wbits: int) -> bytes:
    """Zeros, packed: a deflate block that stands alone, time and again. It has no end, which nobody gets to see."""
    packer = zlib.compressobj(9, wbits=wbits)
    head = packer.compress(bytes(MIB)) + packer.flush(zlib.Z_FULL_FLUSH)
    return head + (packer.compress(bytes(MIB)) + packer.flush(zlib.Z_FULL_FLUSH)) * 1023


def bombs() -> dict[str, tuple[str, bytes]]:
    """By name the coding and the body."""
    gzipped = unpacking_to_a_gib(31)
    packer = brotli.Compressor(quality=1)
    return {
        "gzip bomb": ("gzip", gzipped),
        "deflate bomb": ("deflate", unpacking_to_a_gib(15)),
        "raw deflate bomb": ("deflate", unpacking_to_a_gib(-15)),
        "br bomb": ("br", b"".join(packer.process(bytes(MIB)) for _ in range(1024)) + packer.finish()),
        "zstd bomb": ("zstd", zstd.compress(bytes(16 * MIB)) * 64),
        "gzip in gzip": ("gzip, gzip", zlib.compress(gzipped, wbits=31)),
        "gzip in zstd": ("gzip, zstd", zstd.compress(gzipped)),
    }


def pages(pdf_bomb: bytes) -> dict[str, tuple[str, bytes, Options]]:
    """By name the type, the body, and how it is asked for."""
    html = {
        "100k attributes": "<p " + " ".join(f"a{n}=x" for n in range(100_000)) + ">text",
        "100k nested elements": "<div>" * 100_000 + "text",
        "400k tags": "<i>a</i>" * 400_000,
        "59k tags, which are parsed": "<p><i>a</i> b</p>" * 29_500,
        "30k nested tables": "<table><tr><td>" * 30_000 + "text",
    }
    looping = Options(jq="def f: f; f")
    return {
        **{name: ("text/html", f"<!doctype html>{body}".encode(), Options()) for name, body in html.items()},
        "PDF bomb": ("application/pdf", pdf_bomb, Options()),
        "jq loop": ("application/json", b"1", looping),
        "jq loop that puts out": ("application/json", b"1", Options(jq="repeat(.)")),
        "jq memory bomb": ("application/json", b"1", Options(jq='reduce range(40) as $_ ("ab"; . + .) | length')),
        "catastrophic pattern": ("text/plain", b"a" * MIB + b"b", Options(grep="(a+)+$")),
        "pattern of many repeats": ("text/plain", b"a" * MIB, Options(grep="(.{0,100}){0,9}x")),
    }


def cases(web: Any, reply: Any) -> dict[str, Case]:
    """All of them. `web` and `reply` are those of the tests."""
    scripted = runpy.run_path(str(TESTS / "test_hostile.py"))["HOSTILE"]
    pdf_bomb = runpy.run_path(str(TESTS / "test_workers.py"))["pdf_bomb"]()
    long_ago = datetime.datetime(2020, 1, 1, tzinfo=datetime.UTC)
    expired = web.server_tls("127.0.0.1", not_before=long_ago, not_after=long_ago + datetime.timedelta(days=1))
    alone = trustme.CA()
    self_signed = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    with alone.cert_pem.tempfile() as cert, alone.private_key_pem.tempfile() as key:
        self_signed.load_cert_chain(cert, key)
    well = reply(b"well")
    return {
        **{name: Case(script) for name, (script, _) in scripted.items() if not name.endswith("bomb")},
        **{name: Case(reply(body, content_encoding=coding)) for name, (coding, body) in bombs().items()},
        "expired certificate": Case(well, tls=expired),
        "certificate of another host": Case(well, tls=web.server_tls("other.example")),
        "certificate of an unknown authority": Case(well, tls=web.server_tls("127.0.0.1", ca=trustme.CA())),
        "self-signed certificate": Case(well, tls=self_signed),
        **{
            name: Case(reply(body, content_type=kind), options)
            for name, (kind, body, options) in pages(pdf_bomb).items()
        },
    }


async def serve() -> None:
    """Start every origin, tell of them, and serve until killed."""
    fixtures = runpy.run_path(str(TESTS / "conftest.py"))
    async with trio.open_nursery() as nursery, AsyncExitStack() as stack:
        web = fixtures["Web"](nursery, stack)
        told = Told({}, web.ca.cert_pem.bytes().decode())
        for name, case in cases(web, fixtures["reply"]).items():
            origin = await web.origin({"*": case.route}, tls=case.tls)
            told.targets[name] = Target(origin.url(), case.options)
        print(msgspec.json.encode(told).decode(), flush=True)
        await trio.sleep_forever()


@contextmanager
def origins() -> Iterator[tuple[Told, str]]:
    """The hostile ones and the URL of the healthy one, while the block runs."""
    here = Path(__file__).resolve()
    with (
        subprocess.Popen(
            [sys.executable, "-P", here, "--serve"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        ) as hostile,
        subprocess.Popen(
            [sys.executable, "-P", here.with_name("origin.py")], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        ) as healthy,
    ):
        assert hostile.stdout is not None
        assert healthy.stdout is not None
        try:
            told = msgspec.json.decode(hostile.stdout.readline(), type=Told)
            yield told, f"http://{healthy.stdout.readline().decode().strip()}/article/1"
        finally:
            hostile.kill()
            healthy.kill()


# ---------------------------------------------------------------- memory


def memory_mib(pid: int | str, field: str) -> float:
    """`VmRSS` or `VmHWM`, the peak since it was last forgotten; 0 of a process that is gone."""
    try:
        for line in Path(f"/proc/{pid}/status").read_text().splitlines():
            if line.startswith(field):
                return int(line.split()[1]) / 1024
    except OSError:
        pass
    return 0


def forget_peak(pid: int | str) -> None:
    """Let the peak be what it is now."""
    Path(f"/proc/{pid}/clear_refs").write_text("5")


class Growth:
    """How far the server's memory, and that of its workers, rises above what it is now."""

    def __init__(self) -> None:
        self._workers = {child.pid: memory_mib(child.pid, "VmRSS") for child in multiprocessing.active_children()}
        for pid in ("self", *self._workers):
            forget_peak(pid)
        self._server = memory_mib("self", "VmRSS")
        self.worker_mib = 0.0

    async def watch(self) -> None:
        """Keep an eye on the workers, whose peak is gone when they are."""
        fresh = min(self._workers.values())
        while True:
            for child in multiprocessing.active_children():
                grown = memory_mib(child.pid, "VmHWM") - self._workers.get(child.pid, fresh)
                self.worker_mib = max(self.worker_mib, grown)
            await trio.sleep(0.01)

    @property
    def server_mib(self) -> float:
        """Of the server, up to now."""
        return max(0.0, memory_mib("self", "VmHWM") - self._server)


# ---------------------------------------------------------------- the run


async def attack(fetcher: HttpFetcher, name: str, hostile: Target, healthy: Target) -> Row:
    """Fetch the hostile target once, and the healthy one for as long as that takes, thrice at least."""
    outcomes: list[tuple[Outcome, float]] = []
    neighbour_s: list[float] = []

    async def fetch_hostile() -> None:
        began = trio.current_time()
        outcome = await fetcher.fetch(hostile, CALLER)
        outcomes.append((outcome, trio.current_time() - began))

    growth = Growth()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(growth.watch)
        nursery.start_soon(fetch_hostile)
        while len(neighbour_s) < 3 or not outcomes:
            began = trio.current_time()
            healthy_outcome = await fetcher.fetch(healthy, CALLER)
            neighbour_s.append(trio.current_time() - began)
            assert not isinstance(healthy_outcome, Failed), healthy_outcome
            await trio.sleep(0.05)
        nursery.cancel_scope.cancel()
    outcome, seconds = outcomes[0]
    return Row(name, described(outcome), seconds, growth.server_mib, growth.worker_mib, max(neighbour_s) * 1000)


def described(outcome: Outcome) -> str:
    """In a few words."""
    if isinstance(outcome, Failed):
        return outcome.error
    envelope = outcome.envelope
    return f"done: {len(envelope.content):,} characters" + (", truncated" if envelope.truncated else "")


async def measure(told: Told, healthy_url: str, only: str) -> list[Row]:
    """Every case whose name contains `only`, after one with a healthy target in the hostile one's place."""
    healthy = Target(healthy_url)
    tls = ssl.create_default_context(cadata=told.ca_pem)
    guard = Guard(["127.0.0.1"])
    targets = {"(a healthy one)": healthy} | {name: each for name, each in told.targets.items() if only in name}
    async with (
        WorkerConverter(SETTINGS, LIMITS) as converter,
        HttpFetcher(SETTINGS, guard=guard, resolver=ScriptedResolver({}), converter=converter, tls=tls) as fetcher,
    ):
        for _ in range(8):
            await fetcher.fetch(healthy, CALLER)
        return [await attack(fetcher, name, each, healthy) for name, each in targets.items()]


def show(rows: list[Row]) -> None:
    """All rows as a table."""
    from rich.console import Console
    from rich.table import Table

    of_http = f"headers {SETTINGS.headers_timeout_s:g} s, body {SETTINGS.body_timeout_s:g} s"
    of_all = f"total {SETTINGS.timeout_s:g} s, converting {LIMITS.timeout_s:g} s"
    table = Table(title=f"Hostile origins. Time-outs: {of_http}, {of_all}")
    table.add_column("origin")
    table.add_column("outcome", overflow="fold")
    for heading in ("s", "server\n+MiB", "worker\n+MiB", "slowest\nneighbour\nms"):
        table.add_column(heading, justify="right")
    for row in rows:
        table.add_row(
            row.name,
            row.outcome,
            f"{row.seconds:.2f}",
            f"{row.server_mib:.1f}",
            f"{row.worker_mib:.1f}",
            f"{row.neighbour_ms:.0f}",
        )
    Console(width=118).print(table)


def main() -> None:
    """Measure and tell, or be the origins."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="cases whose name contains this")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.serve:
        trio.run(serve)
        return
    with origins() as (told, healthy_url):
        rows = trio.run(measure, told, healthy_url, asked.only)
    print(json.dumps(msgspec.to_builtins(rows))) if asked.json else show(rows)


if __name__ == "__main__":
    main()
