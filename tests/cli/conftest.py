"""A user of their own for each test, and a service for them: the real one, but that its fetcher follows a script."""

import io
import math
import os
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from functools import partial
from pathlib import Path

import pytest
import structlog
import trio
from gofer.actors.settings import BatchSettings
from gofer.cli.demo_site import SITE, Answer, serve_site
from gofer.cli.home import data_dir, keep_first_run_token, make_data_dir
from gofer.cli.main import main
from gofer.cli.pipeline import Pipeline
from gofer.cli.serve import first_run_caller, serve_pipeline
from gofer.cli.settings import ServerSettings, Settings
from gofer.fetch.guard import Guard
from gofer.fetch.resolve import ScriptedResolver
from gofer.fetch.scripted import NEVER, Script, ScriptedFetcher
from gofer.http.logs import log_to
from gofer.store.database import MEMORY

GOFER = str(Path(sys.executable).with_name("gofer"))
Gofer = Callable[..., Awaitable[int]]


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The data directory, under tmp_path; the environment holds none of gofer's variables, and files are for all."""
    umask = os.umask(0o022)
    for name in list(os.environ):
        if name.startswith("GOFER_"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    yield data_dir()
    structlog.reset_defaults()
    os.umask(umask)


@pytest.fixture
def gofer() -> Gofer:
    """Runs one command line in a thread, as its client blocks; gives its exit code."""

    async def run(*arguments: str) -> int:
        return await trio.to_thread.run_sync(main, list(arguments))

    return run


@pytest.fixture
async def service(nursery: trio.Nursery, monkeypatch: pytest.MonkeyPatch) -> ScriptedFetcher:
    """A service that GOFER_URL names; its fetcher. `http://bad/` fails, `http://never/` does not end."""
    fetcher = ScriptedFetcher(
        {"http://bad/": Script(error="http 404", hint="look elsewhere"), "http://never/": NEVER}
    )
    settings = Settings(
        server=ServerSettings(bind="127.0.0.1:0"),
        batch=BatchSettings(drain_timeout_s=0),
    )
    callers = (first_run_caller(keep_first_run_token(make_data_dir())),)
    pipeline = Pipeline(fetcher, Guard(), ScriptedResolver({}))
    serving = partial(
        serve_pipeline, pipeline, MEMORY, settings, callers, log=log_to(io.BytesIO()), shutdown=trio.Event()
    )
    monkeypatch.setenv("GOFER_URL", await nursery.start(serving))
    return fetcher


@pytest.fixture
async def site(nursery: trio.Nursery) -> str:
    """The demo's site, a page that never comes and one that may be kept; its `host:port`."""
    pages = {
        **SITE,
        "/never": Answer("200 OK", "text/plain", b"", delay_s=math.inf),
        "/kept": Answer("200 OK", "text/plain", b"kept", (("Cache-Control", "max-age=3600"),)),
    }
    address: str = await nursery.start(serve_site, pages)
    return address


class Serving:
    """A `gofer serve` in a process of its own. `started` waits for its ready line."""

    def __init__(self, process: trio.Process, log: Path) -> None:
        self.process = process
        self.log = log
        self.lines: list[str] = []
        self._unfinished = b""

    async def started(self) -> str:
        """The URL of the ready line, which is the last that it prints when it starts."""
        return (await self.line("gofer is ready on ")).removeprefix("gofer is ready on ")

    async def line(self, beginning: str) -> str:
        """Read on until a line that begins so; fails if there is none."""
        assert self.process.stdout is not None
        with trio.fail_after(30):
            async for chunk in self.process.stdout:
                *whole, self._unfinished = (self._unfinished + chunk).split(b"\n")
                self.lines += [line.decode() for line in whole]
                for line in self.lines:
                    if line.startswith(beginning):
                        return line
        raise AssertionError(f"no line {beginning!r} in {self.lines}; log: {self.log.read_text()}")

    async def ended(self) -> int:
        """Its exit code, once it has ended."""
        with trio.fail_after(30):
            return await self.process.wait()


@pytest.fixture
async def serve(tmp_path: Path, site: str) -> AsyncIterator[Callable[..., Awaitable[Serving]]]:
    """Starts services that may reach the site. What still runs at the end of the test is killed."""
    running: list[Serving] = []

    async def start(**variables: str) -> Serving:
        environ = os.environ | {"GOFER_SERVER_BIND": "127.0.0.1:0", "GOFER_GUARD_ALLOW": site} | variables
        log = tmp_path / f"serve-{len(running)}.log"
        with log.open("wb") as stderr:
            process = await trio.lowlevel.open_process(
                [GOFER, "serve"], env=environ, stdout=subprocess.PIPE, stderr=stderr
            )
        running.append(Serving(process, log))
        return running[-1]

    try:
        yield start
    finally:
        for each in running:
            if each.process.returncode is None:
                each.process.kill()
                with trio.CancelScope(shield=True):
                    await each.process.wait()
            assert each.process.stdout is not None
            await each.process.stdout.aclose()
