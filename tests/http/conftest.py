"""The whole service over a real socket: the real system, a scripted fetcher, and httpx as its clients."""

import io
import json
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from functools import partial
from typing import Any

import httpx
import pytest
import structlog
import trio
from gofer.actors.settings import BatchSettings, ConcurrencySettings
from gofer.actors.system import System, SystemSettings, open_system
from gofer.events.recorded import Recorded
from gofer.fetch.guard import Guard, precheck_all
from gofer.fetch.resolve import ScriptedResolver
from gofer.fetch.scripted import ScriptedFetcher
from gofer.http.app import create_app
from gofer.http.auth import Callers, CallerSettings, token_digest
from gofer.http.logs import LoggedFetcher, log_to
from gofer.http.metrics import Metrics
from gofer.http.server import serve

CALLERS = Callers(
    [
        CallerSettings(name="alice", caller_class="fleet", token_sha256=token_digest("alice-token")),
        CallerSettings(name="bob", caller_class="restricted", token_sha256=token_digest("bob-token")),
        CallerSettings(name="carol", caller_class="fleet", token_sha256=token_digest("carol-token"), enabled=False),
    ]
)
BATCH = BatchSettings(drain_timeout_s=0)  # what is still running when a test ends is of no interest


class Service:
    """A running service: its address, its parts, and a client for each caller."""

    def __init__(
        self, url: str, system: System, log: io.BytesIO, shutdown: trio.Event, events: list[Recorded]
    ) -> None:
        self.url = url
        self.system = system
        self.log = log
        self.shutdown = shutdown
        self.events = events
        self.alice: httpx.AsyncClient
        self.bob: httpx.AsyncClient
        self.carol: httpx.AsyncClient
        self.nobody: httpx.AsyncClient

    async def ended(self, client: httpx.AsyncClient, job_id: str) -> dict[str, Any]:
        """The summary of a job, once it is terminal; each poll sees consistent counts."""
        with trio.fail_after(10):
            while True:
                response = await client.get(f"/v1/batch/{job_id}")
                assert response.status_code == 200, response.text
                summary: dict[str, Any] = response.json()
                finished = [each for each in summary["targets"] if each["status"] in ("done", "failed")]
                assert summary["targets_done"] == len(finished)
                if summary["status"] not in ("queued", "running"):
                    assert summary["targets_done"] == summary["targets_total"] == len(summary["targets"])
                    return summary

    def lines(self, event: str) -> list[dict[str, Any]]:
        """The log's lines of one kind."""
        return [line for line in map(json.loads, self.log.getvalue().splitlines()) if line["event"] == event]


def assert_problem(response: httpx.Response, status: int, error: str) -> None:
    assert response.headers["Content-Type"] == "application/problem+json"
    body = response.json()
    assert (response.status_code, body["error"]) == (status, error)
    assert (body["success"], body["status"], body["detail"]) == (False, status, error)
    assert set(body) <= {"title", "status", "detail", "success", "error", "hint"}
    assert body.get("hint", "there is none") != ""


Serving = Callable[..., AbstractAsyncContextManager[Service]]


@pytest.fixture(autouse=True)
def _own_log() -> Iterator[None]:
    yield
    structlog.reset_defaults()


@pytest.fixture
def serving() -> Serving:
    """`async with serving(fetcher, batch=…) as service`. A `store` in memory unless it is a path."""

    @asynccontextmanager
    async def open_service(
        fetcher: ScriptedFetcher | None = None,
        *,
        batch: BatchSettings = BATCH,
        per_job: int = 8,
        store: str = ":memory:",
        names: dict[str, list[list[str]]] | None = None,
        clock: Callable[[], float] = time.time,
    ) -> AsyncIterator[Service]:
        stream = io.BytesIO()
        log = log_to(stream)
        metrics = Metrics()
        precheck = partial(precheck_all, Guard(["127.0.0.1:9000"]), ScriptedResolver(names or {}))
        logged = LoggedFetcher(fetcher or ScriptedFetcher(), log)
        shutdown = trio.Event()
        settings = SystemSettings(store=store, batch=batch, concurrency=ConcurrencySettings(per_job=per_job))
        events: list[Recorded] = []
        listeners = [metrics.committed, lambda commit: events.extend(commit.events)]
        async with open_system(settings, logged, clock=clock, listeners=listeners) as system:
            app = create_app(system, CALLERS, precheck=precheck, batch=batch, log=log, metrics=metrics)
            async with AsyncExitStack() as stack, trio.open_nursery() as nursery:
                url = await nursery.start(partial(serve, app, "127.0.0.1:0", log=log, shutdown=shutdown))
                service = Service(url, system, stream, shutdown, events)
                for name in ("alice", "bob", "carol", "nobody"):
                    headers = {} if name == "nobody" else {"Authorization": f"Bearer {name}-token"}
                    client = httpx.AsyncClient(base_url=url, headers=headers, timeout=10)
                    setattr(service, name, await stack.enter_async_context(client))
                yield service
                await stack.aclose()
                shutdown.set()

    return open_service
