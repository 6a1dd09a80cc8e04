"""Many jobs through a whole gofer over a real socket: memory, descriptors, tasks, threads and the WAL must stay flat.

    .venv/bin/python bench/soak.py [--jobs 10000] [--targets 8] [--callers 16] [--minutes M] [--json]

The server is a process of its own and gofer whole (durable commits to a file, hypercorn, logs, metrics, the janitor
with short leases and a small byte budget); only the fetcher is scripted. Callers submit, poll, read results; some
cancel, some hang up in the middle of an answer. A row is printed at each tenth; the rows behind the first fifth are
held against each other. Exits 1 if something grew.
"""

import sys
from pathlib import Path

# Run as a script, this folder leads the path, and `http.py` beside this file would be everybody's `import http`.
sys.path[:] = [entry for entry in sys.path if Path(entry or ".").resolve() != Path(__file__).resolve().parent]

import argparse  # noqa: E402
import gc  # noqa: E402
import json  # noqa: E402
import os  # noqa: E402
import random  # noqa: E402
import subprocess  # noqa: E402
import tempfile  # noqa: E402
import time  # noqa: E402
from collections import Counter  # noqa: E402
from functools import partial  # noqa: E402
from typing import NamedTuple  # noqa: E402

import httpcore2  # noqa: E402
import trio  # noqa: E402

HOSTS = 32
POLL_S = 0.02
PATIENCE_S = 120
ROWS = 10
WAL_MAX_BYTES = 64 * 1024 * 1024
RSS_MAX_GROWTH = 1.15  # beside the noise of malloc, whose free pieces lie between those in use, for each thread anew
OBJECTS_MAX_GROWTH = 1.05  # which Python counts exactly: 10,000 jobs that leave five each come to 6 %


# ---------------------------------------------------------------- the server


async def serve(callers: int) -> None:
    """gofer over a scripted fetcher; tells its URL, and what only it can count for each line it is sent."""
    from gofer.actors.settings import BatchSettings
    from gofer.actors.system import SystemSettings, open_system
    from gofer.fetch.guard import Guard, precheck_all
    from gofer.fetch.resolve import ScriptedResolver
    from gofer.fetch.scripted import Script, ScriptedFetcher
    from gofer.http.app import create_app
    from gofer.http.auth import Callers, CallerSettings, token_digest
    from gofer.http.logs import LoggedFetcher, log_to
    from gofer.http.metrics import Metrics
    from gofer.http.server import serve as serve_http

    # Both forget what they were asked, or the fakes would be what grows.
    class Fetcher(ScriptedFetcher):
        async def fetch(self, target, caller):  # type: ignore[no-untyped-def]
            try:
                return await super().fetch(target, caller)
            finally:
                self.calls.clear()

    class Resolver(ScriptedResolver):
        async def resolve(self, host):  # type: ignore[no-untyped-def]
            try:
                return await super().resolve(host)
            finally:
                self.looked_up.clear()

    known = [
        CallerSettings(name=f"c{n}", caller_class="fleet", token_sha256=token_digest(f"token-{n}"))
        for n in range(callers)
    ]
    batch = BatchSettings(ttl_s=20, sweep_every_s=2, max_bytes=16 * 1024 * 1024)
    fetcher = Fetcher(default=Script(content="word " * 400, delay_s=0.005))
    metrics = Metrics()
    with open("gofer.log", "wb") as stream:  # noqa: ASYNC230 - before anything runs
        log = log_to(stream)
        settings = SystemSettings(store="gofer.db", batch=batch)
        async with open_system(settings, LoggedFetcher(fetcher, log), listeners=[metrics.committed]) as system:
            precheck = partial(precheck_all, Guard(), Resolver({}))
            app = create_app(system, Callers(known), precheck=precheck, batch=batch, log=log, metrics=metrics)
            shutdown = trio.Event()
            async with trio.open_nursery() as nursery:
                url = await nursery.start(partial(serve_http, app, "127.0.0.1:0", log=log, shutdown=shutdown))
                print(url, flush=True)
                async with await trio.open_file(0, closefd=False) as lines:
                    async for _ in lines:
                        gc.collect()  # what is counted then is held by somebody
                        objects, tasks = sys.getallocatedblocks(), trio.lowlevel.current_statistics().tasks_living
                        print(json.dumps([objects, tasks, system.statistics().nbytes]), flush=True)
                shutdown.set()
    print("drained", flush=True)


class Row(NamedTuple):
    """The server at one moment; bytes are bytes."""

    jobs: int
    seconds: float
    rss: int
    objects: int  # more exactly blocks of Python's own allocator, up to three an object
    descriptors: int
    threads: int
    tasks: int
    wal: int
    database: int
    results: int


class Server:
    """The server process, in a folder of its own."""

    def __init__(self, callers: int, folder: str) -> None:
        self._folder = Path(folder)
        self._process = subprocess.Popen(
            [sys.executable, "-P", Path(__file__).resolve(), "--serve", str(callers)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=folder,
        )
        self.url = self._tell_line()

    def row(self, jobs: int, seconds: float) -> Row:
        """Look at it from outside and ask it for what only it knows. Takes a moment; call it in a thread."""
        assert self._process.stdin is not None
        self._process.stdin.write("\n")
        self._process.stdin.flush()
        objects, tasks, results = json.loads(self._tell_line())
        proc = Path(f"/proc/{self._process.pid}")
        status = dict(line.split(":", 1) for line in (proc / "status").read_text().splitlines() if ":" in line)
        sizes = [self._folder / "gofer.db-wal", self._folder / "gofer.db"]
        wal, database = (path.stat().st_size if path.exists() else 0 for path in sizes)
        return Row(
            jobs,
            seconds,
            int(status["VmRSS"].split()[0]) * 1024,
            objects,
            len(os.listdir(proc / "fd")),
            int(status["Threads"]),
            tasks,
            wal,
            database,
            results,
        )

    def stop(self) -> str:
        """Close its input, which drains it; what it says last."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        last = self._tell_line()
        self._process.wait(60)
        return last

    def kill(self) -> None:
        self._process.kill()
        self._process.wait()

    def _tell_line(self) -> str:
        assert self._process.stdout is not None
        return self._process.stdout.readline().strip()


# ---------------------------------------------------------------- the load


class Load:
    """Callers that work until so many jobs are done or the time is up."""

    def __init__(self, server: Server, jobs: int, targets: int, callers: int, deadline_s: float) -> None:
        self._server = server
        self._jobs = jobs
        self._targets = targets
        self._callers = callers
        self._deadline_s = deadline_s
        self._begun = self.done = 0
        self.outcomes: Counter[str] = Counter()
        self.rows: list[Row] = []

    async def run(self) -> None:
        self._started = time.perf_counter()
        async with httpcore2.AsyncConnectionPool(max_connections=2 * self._callers) as pool:
            async with trio.open_nursery() as nursery:
                for n in range(self._callers):
                    nursery.start_soon(self._caller, pool, n)
            await self._look()

    async def _caller(self, pool: httpcore2.AsyncConnectionPool, n: int) -> None:
        chance = random.Random(n)
        while self._begun < self._jobs and time.perf_counter() - self._started < self._deadline_s:
            self._begun += 1
            number = self._begun
            with trio.fail_after(PATIENCE_S):
                self.outcomes[await self._job(pool, n, number, chance)] += 1
            self.done += 1
            if self.done % max(1, self._jobs // ROWS) == 0:
                await self._look()

    async def _job(self, pool: httpcore2.AsyncConnectionPool, n: int, number: int, chance: random.Random) -> str:
        targets = [{"url": f"https://h{(number + i) % HOSTS}.example/{number}/{i}"} for i in range(self._targets)]
        answer = await self._ask(pool, n, "POST", "/v1/batch", json.dumps({"targets": targets}).encode())
        if answer is None:
            return "refused"
        path = f"/v1/batch/{answer['job_id']}"
        if chance.random() < 0.1:
            await self._ask(pool, n, "DELETE", path)
        while True:
            summary = await self._ask(pool, n, "GET", path)
            if summary is None:
                return "gone"
            if summary["status"] not in ("queued", "running"):
                break
            await trio.sleep(POLL_S)
        assert summary["targets_done"] == summary["targets_total"] == self._targets, summary
        if chance.random() < 0.05:
            with trio.move_on_after(0.001):  # hang up
                await self._ask(pool, n, "GET", f"{path}?results=1")
        else:
            await self._ask(pool, n, "GET", f"{path}?results=1")
        return str(summary["status"])

    async def _ask(
        self, pool: httpcore2.AsyncConnectionPool, n: int, method: str, path: str, content: bytes | None = None
    ) -> dict[str, object] | None:
        headers = {"Authorization": f"Bearer token-{n}"}
        response = await pool.request(method, f"{self._server.url}{path}", headers=headers, content=content)
        assert response.status in (200, 202, 404, 409, 429), (response.status, response.content)
        return json.loads(response.content) if response.status in (200, 202) else None

    async def _look(self) -> None:
        seconds = time.perf_counter() - self._started
        row = await trio.to_thread.run_sync(self._server.row, self.done, seconds)
        self.rows.append(row)
        print(_shown(row), flush=True)


HEAD = "    jobs  seconds  jobs/s  RSS MB  objects  descriptors  threads  tasks  WAL MB  database MB  results MB"


def _shown(row: Row) -> str:
    mega = 1024 * 1024
    return (
        f"{row.jobs:8}{row.seconds:9.1f}{row.jobs / max(row.seconds, 0.001):8.1f}{row.rss / mega:8.1f}"
        f"{row.objects:9}{row.descriptors:13}{row.threads:9}{row.tasks:7}{row.wal / mega:8.1f}"
        f"{row.database / mega:13.1f}{row.results / mega:12.1f}"
    )


def grown(rows: list[Row], callers: int) -> list[str]:
    """What is not flat behind the first fifth of the run."""
    early, late = rows[len(rows) // 5 : len(rows) // 2], rows[len(rows) // 2 :]
    if not early or not late:
        return []
    said = []
    if max(row.rss for row in late) > RSS_MAX_GROWTH * max(row.rss for row in early):
        said.append("memory")
    if max(row.objects for row in late) > OBJECTS_MAX_GROWTH * max(row.objects for row in early):
        said.append("objects")
    # Connections and their tasks come and go with the callers: a few each.
    if max(row.descriptors for row in late) > max(row.descriptors for row in early) + callers:
        said.append("descriptors")
    if max(row.tasks for row in late) > max(row.tasks for row in early) + 16 * callers:
        said.append("tasks")
    if max(row.threads for row in late) > max(row.threads for row in early) + 4:
        said.append("threads")
    if max(row.wal for row in late) > WAL_MAX_BYTES:
        said.append("the WAL")
    return said


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--jobs", type=int, default=10_000)
    parser.add_argument("--targets", type=int, default=8)
    parser.add_argument("--callers", type=int, default=16)
    parser.add_argument("--minutes", type=float, default=60, help="stop after so long, whatever is done")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--serve", type=int, metavar="CALLERS", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.serve:
        trio.run(serve, options.serve)
        return 0
    with tempfile.TemporaryDirectory() as folder:
        server = Server(options.callers, folder)
        try:
            load = Load(server, options.jobs, options.targets, options.callers, options.minutes * 60)
            print(HEAD)
            trio.run(load.run)
            last = server.stop()
        finally:
            server.kill()
    said = grown(load.rows, options.callers)
    if last != "drained":
        said.append("it did not drain")
    if options.json:
        print(json.dumps({"rows": [row._asdict() for row in load.rows], "outcomes": load.outcomes, "grown": said}))
    else:
        print(", ".join(f"{count} {outcome}" for outcome, count in sorted(load.outcomes.items())))
        print(f"grew: {', '.join(said)}" if said else "flat")
    return int(bool(said))


if __name__ == "__main__":
    sys.exit(main())
