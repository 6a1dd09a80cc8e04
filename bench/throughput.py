"""Targets a second, beside a bare httpcore2 loop and Scrapy; clean pages a second, beside trafilatura. One run.

    python bench/throughput.py [--rounds 5] [--targets 1500] [--concurrency 64] [--pages 120] [--data DIR] [--json]

The extra `bench` brings the contenders. Raw: each asks the same origin on loopback (`origin.py`) for the same pages
of 11 kB, with the same number of requests under way, and keeps connections; gofer is whole, as `gofer serve` composes
it. Clean: pages of DIR/extraction through `WorkerConverter` with its processes, and through `trafilatura.extract`
with its defaults in one process. Without a DIR they are the origin's, which are too plain to tell much of real ones.

Origin and contenders are processes of their own. Rounds go from one contender to the next, so that a busy machine
slows all alike; of each figure, and of each ratio within a round, the median is told. Starting up is not timed: the
clock runs between two answers. CPU time is that of the contender and its workers: where cores are shared with others,
it says more than the rate.
"""

import argparse
import gzip
import json
import multiprocessing
import os
import subprocess
import sys
import time
import urllib.request
from collections.abc import Awaitable, Callable, Iterator
from contextlib import AsyncExitStack, contextmanager
from itertools import count
from pathlib import Path
from statistics import median
from typing import NamedTuple

RAW = ("httpcore2", "Scrapy", "gofer", "gofer, network only")
CLEAN = ("trafilatura", "gofer clean")
WARM = 300  # answers before the clock starts
WARM_PAGES = 8


class Figure(NamedTuple):
    """What one contender did in one round."""

    per_s: float
    cpu_us: float  # for one answer, workers included


class Work(NamedTuple):
    """What a contender is to do."""

    origin: str
    count: int
    concurrency: int
    data: Path | None


class Meter:
    """Counts answers: the clock starts with number `warm` and stops `count` later."""

    def __init__(self, warm: int, count: int) -> None:
        self._warm, self._last = warm, warm + count
        self._seen = 0
        self.done = False

    def tick(self) -> None:
        """Take note of an answer."""
        self._seen += 1
        if self._seen == self._warm:
            self._began, self._began_cpu = time.perf_counter(), _cpu_s()
        elif self._seen == self._last:
            self._ended, self._ended_cpu = time.perf_counter(), _cpu_s()
            self.done = True

    def figure(self) -> Figure:
        """The figure of a round that is done."""
        answers = self._last - self._warm
        return Figure(answers / (self._ended - self._began), (self._ended_cpu - self._began_cpu) / answers * 1e6)


def _cpu_s() -> float:
    """The CPU time of this process and of its workers."""
    return time.process_time() + sum(_worker_cpu_s())


def _worker_cpu_s() -> list[float]:
    """The CPU time of each worker process (Linux only)."""
    times = []
    for child in multiprocessing.active_children():
        fields = Path(f"/proc/{child.pid}/stat").read_text().rpartition(")")[2].split()
        times.append((int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK"))
    return times


async def _started(workers: int) -> None:
    """Wait until so many workers have loaded their parsers: until they take no more CPU time."""
    import trio

    before: list[float] = []
    while len(now := _worker_cpu_s()) < workers or 0 in now or now != before:
        before = now
        await trio.sleep(0.5)


# ---------------------------------------------------------------- contenders, each in a process of its own


def run_httpcore2(work: Work) -> Figure:
    import httpcore2

    async def main(stack: AsyncExitStack) -> Callable[[str], Awaitable[None]]:
        pool = await stack.enter_async_context(
            httpcore2.AsyncConnectionPool(
                max_connections=work.concurrency, max_keepalive_connections=work.concurrency
            )
        )

        async def get(url: str) -> None:
            response = await pool.request("GET", url)
            assert response.status == 200
            assert len(response.content) > 1_000

        return get

    return _with_trio(work, main)


def run_gofer(work: Work, *, convert: bool = True) -> Figure:
    import trio
    from gofer.cli.pipeline import open_pipeline
    from gofer.cli.settings import GuardSettings, Settings
    from gofer.fetch.guard import Guard
    from gofer.fetch.page import Converted, Page
    from gofer.fetch.pipeline import HttpFetcher
    from gofer.fetch.resolve import SystemResolver
    from gofer.fetch.target import Caller, Fetched, Fetcher, Options, Target
    from gofer.fetch.workers import WorkerLimits

    settings = Settings(guard=GuardSettings(allow=("127.0.0.1",)))
    caller, options = Caller("bench", "fleet"), Options(mode="raw")

    class HandingOn:
        async def convert(self, page: Page, options: Options) -> Converted:
            await trio.lowlevel.checkpoint()
            return Converted(content=page.body.decode(), content_type=page.content_type)

    async def main(stack: AsyncExitStack) -> Callable[[str], Awaitable[None]]:
        fetcher: Fetcher
        if convert:
            fetcher = (await stack.enter_async_context(open_pipeline(settings))).fetcher
            await _started(WorkerLimits().processes)
        else:
            guard, resolver = Guard(settings.guard.allow), SystemResolver(timeout_s=settings.fetch.dns_timeout_s)
            fetcher = await stack.enter_async_context(
                HttpFetcher(settings.fetch, guard=guard, resolver=resolver, converter=HandingOn())
            )

        async def get(url: str) -> None:
            outcome = await fetcher.fetch(Target(url, options), caller)
            assert isinstance(outcome, Fetched), outcome
            assert len(outcome.envelope.content) > 1_000

        return get

    return _with_trio(work, main)


def _with_trio(work: Work, start: Callable[[AsyncExitStack], Awaitable[Callable[[str], Awaitable[None]]]]) -> Figure:
    """`work.concurrency` tasks that each wait for an answer before they ask again."""
    import trio

    async def main() -> Figure:
        meter, numbers = Meter(WARM, work.count), count()
        async with AsyncExitStack() as stack:
            get = await start(stack)

            async def client() -> None:
                while not meter.done:
                    await get(f"http://{work.origin}/article/{next(numbers)}")
                    meter.tick()
                nursery.cancel_scope.cancel()

            async with trio.open_nursery() as nursery:
                for _ in range(work.concurrency):
                    nursery.start_soon(client)
        return meter.figure()

    return trio.run(main)


def run_scrapy(work: Work) -> Figure:
    import scrapy
    from scrapy.crawler import CrawlerProcess

    meter = Meter(WARM, work.count)

    class Pages(scrapy.Spider):
        name = "pages"

        async def start(self):  # type: ignore[no-untyped-def]  # Scrapy's own types
            for number in range(WARM + work.count):
                yield scrapy.Request(f"http://{work.origin}/article/{number}", dont_filter=True)

        def parse(self, response):  # type: ignore[no-untyped-def]
            assert len(response.text) > 1_000
            meter.tick()

    settings = {
        "CONCURRENT_REQUESTS": work.concurrency,
        "CONCURRENT_REQUESTS_PER_DOMAIN": work.concurrency,
        "LOG_ENABLED": False,
        "TELNETCONSOLE_ENABLED": False,
    }
    process = CrawlerProcess(settings)
    process.crawl(Pages)
    process.start()
    return meter.figure()


def _pages(work: Work) -> list[tuple[str, bytes]]:
    """URLs and HTML: every n-th of the data's pages, or the origin's."""
    if work.data is None:
        urls = [f"http://{work.origin}/article/{number}" for number in range(work.count)]
        return [(url, urllib.request.urlopen(url).read()) for url in urls]
    with gzip.open(work.data / "extraction" / "truth.ndjson.gz") as lines:
        rows = [json.loads(line) for line in lines]
    folder = work.data / "extraction" / "html"
    return [
        (row["url"], gzip.decompress((folder / f"{row['id']}.html.gz").read_bytes()))
        for row in rows[:: max(1, len(rows) // work.count)][: work.count]
    ]


def run_gofer_clean(work: Work) -> Figure:
    import trio
    from gofer.fetch.page import Converted, Page
    from gofer.fetch.settings import FetchSettings
    from gofer.fetch.target import Options
    from gofer.fetch.workers import WorkerConverter, WorkerLimits

    async def main() -> Figure:
        pages = _pages(work)
        meter = Meter(WARM_PAGES, len(pages))
        queue = iter([*pages[:WARM_PAGES], *pages])
        processes = WorkerLimits().processes
        async with WorkerConverter(FetchSettings()) as converter, trio.open_nursery() as nursery:
            await _started(processes)

            async def client() -> None:
                for url, body in queue:
                    converted = await converter.convert(Page(url, "text/html", body), Options())
                    assert isinstance(converted, Converted), converted
                    meter.tick()

            for _ in range(2 * processes):
                nursery.start_soon(client)
        return meter.figure()

    return trio.run(main)


def run_trafilatura(work: Work) -> Figure:
    import trafilatura

    pages = _pages(work)
    meter = Meter(WARM_PAGES, len(pages))
    for url, body in [*pages[:WARM_PAGES], *pages]:
        trafilatura.extract(body, url=url)
        meter.tick()
    return meter.figure()


CONTENDERS: dict[str, Callable[[Work], Figure]] = {
    "httpcore2": run_httpcore2,
    "Scrapy": run_scrapy,
    "gofer": run_gofer,
    "gofer, network only": lambda work: run_gofer(work, convert=False),
    "trafilatura": run_trafilatura,
    "gofer clean": run_gofer_clean,
}


# ---------------------------------------------------------------- rounds


@contextmanager
def origin() -> Iterator[str]:
    """An origin's `host:port`, while the block runs."""
    script = Path(__file__).with_name("origin.py")
    with subprocess.Popen(
        [sys.executable, "-P", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        yield process.stdout.readline().strip()
        process.stdin.close()


def contend(name: str, work: Work) -> Figure:
    """One round of one contender."""
    told = [name, work.origin, str(work.count), str(work.concurrency), str(work.data or "")]
    script = Path(__file__).resolve()
    done = subprocess.run(
        [sys.executable, "-P", script, "--contend", *told], stdout=subprocess.PIPE, text=True, check=True
    )
    return Figure(**json.loads(done.stdout))


Round = dict[str, Figure]


def measure(rounds: int, raw: Work, clean: Work) -> list[Round]:
    """The figures of every contender, round by round."""
    work = dict.fromkeys(RAW, raw) | dict.fromkeys(CLEAN, clean)
    return [{name: contend(name, asked) for name, asked in work.items()} for _ in range(rounds)]


def show(rounds: list[Round], title: str, names: tuple[str, ...], aims: dict[str, float]) -> None:
    """A table of `names`, with ratios to those in `aims`, whose values are what gofer is to reach."""
    from rich.console import Console
    from rich.table import Table

    table = Table(title=title)
    table.add_column("")
    table.add_column("per second", justify="right")
    table.add_column("CPU µs each", justify="right")
    for other, aim in aims.items():
        table.add_column(f"rate of {other}'s\n(aim {aim:g})", justify="right")
        table.add_column("per CPU-second", justify="right")
    for name in names:
        per_s = median(each[name].per_s for each in rounds)
        cpu_us = median(each[name].cpu_us for each in rounds)
        row = [name, f"{per_s:,.0f}", f"{cpu_us:,.0f}"]
        for other in aims:
            rate = median(each[name].per_s / each[other].per_s for each in rounds)
            thrift = median(each[other].cpu_us / each[name].cpu_us for each in rounds)
            row += [f"{rate:.2f}", f"{thrift:.2f}"]
        table.add_row(*row)
    Console(width=118).print(table)


def main() -> None:
    """Measure and tell, or be one contender of a round."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--targets", type=int, default=1_500, help="in one round of a contender")
    parser.add_argument("--concurrency", type=int, default=64, help="the service's own default")
    parser.add_argument("--pages", type=int, default=120, help="in one clean round of a contender")
    parser.add_argument("--data", type=Path, help="the folder that holds extraction/")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--contend", nargs=5, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.contend:
        name, place, number, concurrency, data = asked.contend
        work = Work(place, int(number), int(concurrency), Path(data) if data else None)
        print(json.dumps(CONTENDERS[name](work)._asdict()))
        return
    with origin() as place:
        raw = Work(place, asked.targets, asked.concurrency, None)
        rounds = measure(asked.rounds, raw, Work(place, asked.pages, 0, asked.data))
    if asked.json:
        print(json.dumps([{name: figure._asdict() for name, figure in each.items()} for each in rounds]))
        return
    show(rounds, f"Raw targets of 11 kB, {asked.concurrency} under way", RAW, {"httpcore2": 0.8, "Scrapy": 4.0})
    show(rounds, "Clean pages", CLEAN, {"trafilatura": 1.8})


if __name__ == "__main__":
    main()
