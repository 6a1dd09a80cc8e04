"""Systems to test with: the real one, over a scripted fetcher and a simulated clock."""

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from functools import partial
from itertools import count
from pathlib import Path

import pytest
from gofer.actors.settings import AuditSettings, BatchSettings, ConcurrencySettings
from gofer.actors.system import System, SystemSettings, open_system
from gofer.actors.testing import Ear, SimulatedClock
from gofer.fetch.scripted import ScriptedFetcher
from gofer.fetch.target import Caller, Fetcher

ALICE = Caller("alice", "fleet")
BOB = Caller("bob", "restricted")
CONCURRENCY = ConcurrencySettings()
AUDIT = AuditSettings()

batch_settings = partial(BatchSettings, drain_timeout_s=0)  # a test's end waits for no job that never ends
BATCH = batch_settings()

Running = Callable[..., AbstractAsyncContextManager[tuple[System, Ear]]]


@pytest.fixture
def running() -> Running:
    """`async with running(fetcher, batch=…) as (system, ear)`: in memory unless `store` is a path."""

    ids = (f"job-{n}" for n in count(1))  # across restarts within a test

    @asynccontextmanager
    async def open_running(
        fetcher: Fetcher | None = None,
        *,
        batch: BatchSettings = BATCH,
        audit: AuditSettings = AUDIT,
        concurrency: ConcurrencySettings = CONCURRENCY,
        store: Path | str = ":memory:",
        clock: Callable[[], float] | None = None,
        inline: bool = True,
    ) -> AsyncIterator[tuple[System, Ear]]:
        ear = Ear()
        async with open_system(
            SystemSettings(store=str(store), batch=batch, audit=audit, concurrency=concurrency),
            fetcher or ScriptedFetcher(),
            clock=clock or SimulatedClock(),
            new_id=lambda: next(ids),
            listeners=[ear],
            inline=inline,
        ) as system:
            yield system, ear

    return open_running
