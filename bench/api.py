"""Submits and status reads a second over HTTP, beside a bare quart-trio "hello" served and measured in the same run.

    .venv/bin/python bench/api.py [--seconds 2] [--rounds 3] [--connections 32] [--json]

The servers and the load generator are separate processes. gofer runs whole: durable commits to a file, the guard's
pre-check, JSON logs to a file, metrics; only the fetcher is scripted, and answers at once. Rounds alternate between
the servers, so that a busy machine slows all alike; of each figure the median is told. The CPU time that the server
spent on a request (Linux only, from /proc) says more than its rate where cores are shared.
"""

import sys
from pathlib import Path

# Run as a script, this folder leads the path, and this file would be everybody's `import http`.
sys.path[:] = [entry for entry in sys.path if Path(entry or ".").resolve() != Path(__file__).resolve().parent]

import argparse  # noqa: E402
import json  # noqa: E402
import os  # noqa: E402
import statistics  # noqa: E402
import subprocess  # noqa: E402
import tempfile  # noqa: E402
from collections.abc import Callable, Iterator  # noqa: E402
from contextlib import contextmanager  # noqa: E402
from functools import partial  # noqa: E402
from itertools import count  # noqa: E402
from typing import BinaryIO, NamedTuple  # noqa: E402

import trio  # noqa: E402

TOKEN = "bench-token"
TARGETS = 32


# ---------------------------------------------------------------- servers


async def serve_hello() -> None:
    import hypercorn.config
    import hypercorn.trio
    from quart_trio import QuartTrio

    app = QuartTrio("hello", static_folder=None)

    @app.get("/hello")
    async def hello() -> str:
        return "hello"

    config = hypercorn.config.Config()
    config.bind = ["127.0.0.1:0"]
    config.errorlog = None
    config.keep_alive_max_requests = 10**9
    async with trio.open_nursery() as nursery:
        [url] = await nursery.start(partial(hypercorn.trio.serve, app, config))
        print(url, flush=True)


async def serve_gofer(stream: BinaryIO) -> None:
    from gofer.actors.settings import BatchSettings
    from gofer.actors.system import SystemSettings, open_system
    from gofer.fetch.guard import Guard, precheck_all
    from gofer.fetch.resolve import ScriptedResolver
    from gofer.fetch.scripted import ScriptedFetcher
    from gofer.http.app import create_app
    from gofer.http.auth import Callers, CallerSettings, token_digest
    from gofer.http.logs import LoggedFetcher, log_to
    from gofer.http.metrics import Metrics
    from gofer.http.server import serve

    caller = CallerSettings(name="bench", caller_class="fleet", token_sha256=token_digest(TOKEN))
    batch = BatchSettings(max_live_per_caller=10**6, max_live=10**6)
    precheck = partial(precheck_all, Guard(), ScriptedResolver({}))
    log, metrics = log_to(stream), Metrics()
    settings = SystemSettings(store="gofer.db", batch=batch)
    async with open_system(settings, LoggedFetcher(ScriptedFetcher(), log), listeners=[metrics.committed]) as system:
        app = create_app(system, Callers([caller]), precheck=precheck, batch=batch, log=log, metrics=metrics)
        async with trio.open_nursery() as nursery:
            url = await nursery.start(partial(serve, app, "127.0.0.1:0", log=log, shutdown=trio.Event()))
            print(url, flush=True)


class Server(NamedTuple):
    url: str
    pid: int

    def cpu_s(self) -> float:
        fields = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@contextmanager
def running(which: str) -> Iterator[Server]:
    """A server process of its own, in a folder of its own."""
    with (
        tempfile.TemporaryDirectory() as folder,
        subprocess.Popen(
            [sys.executable, "-P", Path(__file__).resolve(), "--serve", which],
            stdout=subprocess.PIPE,
            text=True,
            cwd=folder,
        ) as process,
    ):
        assert process.stdout is not None
        try:
            yield Server(process.stdout.readline().strip(), process.pid)
        finally:
            process.kill()


# ---------------------------------------------------------------- load


def request(method: str, path: str, body: object = None) -> bytes:
    content = b"" if body is None else json.dumps(body).encode()
    head = f"{method} {path} HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer {TOKEN}\r\n"
    return f"{head}Content-Length: {len(content)}\r\n\r\n".encode() + content


class Connection:
    """One keep-alive connection: whole requests as bytes, one at a time."""

    def __init__(self, url: str) -> None:
        host, _, port = url.removeprefix("http://").rpartition(":")
        self._address = (host, int(port))
        self._stream: trio.SocketStream | None = None

    async def ask(self, message: bytes) -> tuple[int, bytes]:
        """The response's status and body. Every response of these servers has a Content-Length."""
        if self._stream is None:
            self._stream = await trio.open_tcp_stream(*self._address)
        await self._stream.send_all(message)
        data = b""
        while (end := data.find(b"\r\n\r\n")) < 0:
            data += await self._receive()
        head, body = data[:end].lower(), data[end + 4 :]
        length = int(head.split(b"content-length:")[1].split(b"\r\n")[0])
        while len(body) < length:
            body += await self._receive()
        if b"connection: close" in head:
            await self._stream.aclose()
            self._stream = None
        return int(head.split(b" ", 2)[1]), body

    async def _receive(self) -> bytes:
        assert self._stream is not None
        data = bytes(await self._stream.receive_some(65536))
        assert data, "the server closed the connection in the middle of a response"
        return data


class Figure(NamedTuple):
    per_s: float
    cpu_us: float  # of the server, for one request


async def load(
    server: Server, message: Callable[[], bytes], expected: int, seconds: float, connections: int
) -> Figure:
    """`connections` clients that each wait for an answer before they ask again."""
    answered = 0

    async def client() -> None:
        nonlocal answered
        connection = Connection(server.url)
        while True:
            status, body = await connection.ask(message())
            assert status == expected, (status, body)
            answered += 1

    before_s = server.cpu_s()
    with trio.move_on_after(seconds):
        async with trio.open_nursery() as nursery:
            for _ in range(connections):
                nursery.start_soon(client)
    return Figure(answered / seconds, (server.cpu_s() - before_s) / answered * 1e6)


async def measure(seconds: float, rounds: int, connections: int) -> dict[str, Figure]:
    numbers = count()

    def submission() -> bytes:
        return request("POST", "/v1/batch", {"targets": [{"url": f"https://host{next(numbers)}.example/page"}]})

    with running("hello") as hello, running("gofer") as gofer:
        urls = [f"https://host{idx}.example/page" for idx in range(TARGETS)]
        submitted = request("POST", "/v1/batch", {"targets": [{"url": url} for url in urls]})
        _, body = await Connection(gofer.url).ask(submitted)
        status = request("GET", f"/v1/batch/{json.loads(body)['job_id']}")
        loads: dict[str, tuple[Server, Callable[[], bytes], int]] = {
            "hello": (hello, lambda: request("GET", "/hello"), 200),
            f"status reads ({TARGETS} targets)": (gofer, lambda: status, 200),
            "submits (1 target, durable, fetched)": (gofer, submission, 202),
        }
        figures: dict[str, list[Figure]] = {name: [] for name in loads}
        for _ in range(rounds):
            for name, (server, message, expected) in loads.items():
                figures[name].append(await load(server, message, expected, seconds, connections))
        return {name: Figure(*map(statistics.median, zip(*each, strict=True))) for name, each in figures.items()}


def show(figures: dict[str, Figure]) -> None:
    from rich.console import Console
    from rich.table import Table

    hello = figures["hello"]
    table = Table(
        "what", "per second", "of hello", "CPU µs", "of hello", title="gofer beside a bare quart-trio hello"
    )
    for name, (per_s, cpu_us) in figures.items():
        ratios = f"{per_s / hello.per_s:.2f}", f"{cpu_us / hello.cpu_us:.2f}"
        table.add_row(name, f"{per_s:,.0f}", ratios[0], f"{cpu_us:,.0f}", ratios[1])
    Console().print(table)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=2)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--connections", type=int, default=32)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--serve", choices=["hello", "gofer"], help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.serve == "hello":
        trio.run(serve_hello)
    elif asked.serve == "gofer":
        with Path("log.jsonl").open("wb") as stream:
            trio.run(serve_gofer, stream)
    else:
        figures = trio.run(measure, asked.seconds, asked.rounds, asked.connections)
        print(json.dumps({name: each._asdict() for name, each in figures.items()})) if asked.json else show(figures)


if __name__ == "__main__":
    main()
