"""The simulation through the HTTP app: what callers are answered, over crashes too, and nobody sees another's job.

The app is called in memory, so that a seed decides these runs as well; over a real socket `bench/soak.py` goes.
"""

import io
import json
import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from typing import Any

import pytest
import structlog
import trio
from gofer.actors.settings import BatchSettings, ConcurrencySettings
from gofer.actors.system import System
from gofer.actors.testing import Ids, Rig, SimulatedClock, open_system
from gofer.actors.testing_schedule import jumping_clock, seeded_schedule
from gofer.actors.testing_store import Disk
from gofer.actors.witness import Witness
from gofer.fetch.guard import Guard, precheck_all
from gofer.fetch.resolve import ScriptedResolver
from gofer.fetch.scripted import NEVER, Script, ScriptedFetcher
from gofer.http.app import create_app
from gofer.http.auth import Callers, CallerSettings, token_digest
from gofer.http.logs import log_to
from gofer.http.metrics import Metrics

NAMES = ("ann", "bob", "cem")
CALLERS = Callers(
    [CallerSettings(name=name, caller_class="fleet", token_sha256=token_digest(f"{name}-token")) for name in NAMES]
)
SCRIPTS = {
    "https://fast.example/": Script(content="x" * 300),
    "https://slow.example/": Script(delay_s=2),
    "https://wrong.example/": Script(error="http 404", hint="check the URL", delay_s=1),
    "https://never.example/": NEVER,
}
BATCH = BatchSettings(ttl_s=60, sweep_every_s=5, job_timeout_s=10, drain_timeout_s=1, max_live=2)
OPS_A_CALLER = 12


class World:
    """Some callers over HTTP, and the power that goes now and then."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.transcript: list[str] = []
        self.root = b""
        self.jobs: dict[str, list[str]] = {name: [] for name in NAMES}
        self.finished: set[str] = set()
        self.log = io.BytesIO()
        self.disk = Disk()
        self.rig: Rig

    async def run(self) -> None:
        clock = SimulatedClock()
        self.witness = Witness(BATCH, ConcurrencySettings(), clock)
        self.witness.disk = self.disk
        async with (
            open_system(
                ScriptedFetcher(SCRIPTS),
                batch=BATCH,
                new_id=Ids(self.seed),
                listeners=[self.witness.committed],
                disk=self.disk,
                clock=clock,
                attach=self._serve,
            ) as self.rig,
            trio.open_nursery() as nursery,
        ):
            for name in NAMES:
                nursery.start_soon(self._caller, name)
            nursery.start_soon(self._power)
        with self.disk.open("", clock=clock, entropy=random.randbytes, keep_urls=False, signed=None) as store:
            self.witness.read_again()
            self.root = store.mark_checkpoint().root

    @asynccontextmanager
    async def _serve(self, system: System) -> AsyncIterator[Any]:
        self.witness.reopened()
        precheck = partial(precheck_all, Guard(), ScriptedResolver({}))
        app = create_app(system, CALLERS, precheck=precheck, batch=BATCH, log=log_to(self.log), metrics=Metrics())
        yield app.test_client()

    async def _ask(self, name: str, method: str, path: str, **options: Any) -> tuple[int, dict[str, Any]]:
        """One request; while there is no system to answer it, status 0."""
        await self.rig.running()
        for job in self.witness.jobs.values():
            if job.caller == name:
                self.witness.looked_at(job.id)  # it may be one of these: nobody else's lease is to move
        epoch = len(self.rig.deaths)
        response = await self.rig.attached.open(
            path,
            method=method,
            headers={"Authorization": f"Bearer {name}-token", **options.pop("headers", {})},
            **options,
        )
        body = json.loads(await response.get_data())
        if len(self.rig.deaths) != epoch or not self.rig.system.journal.running:
            return 0, body  # the power went meanwhile: nobody was there to read the answer
        self.transcript.append(f"{trio.current_time():.3f} {name} {method} {path} {response.status_code} {body}")
        return response.status_code, body

    async def _caller(self, name: str) -> None:
        chance = random.Random(f"{self.seed} {name}")
        for _ in range(OPS_A_CALLER):
            await trio.sleep(chance.choice([0, 0, 0.5, 1, 3]))
            others = [job_id for other in NAMES if other != name for job_id in self.jobs[other]]
            match chance.choice(["submit", "submit", "read", "read", "one", "cancel", "others"]):
                case "submit":
                    await self._submit(name, chance)
                case "read" if self.jobs[name]:
                    await self._read(name, chance.choice(self.jobs[name]))
                case "one" if self.jobs[name]:
                    job_id = chance.choice(self.jobs[name])
                    status, _ = await self._ask(name, "GET", f"/v1/batch/{job_id}/99")
                    assert status in (0, 404)
                case "cancel" if self.jobs[name]:
                    await self._cancel(name, chance.choice(self.jobs[name]))
                case "others" if others:
                    path = f"/v1/batch/{chance.choice(others)}"
                    for method, at in (
                        ("GET", path),
                        ("GET", f"{path}?results=1"),
                        ("GET", f"{path}/0"),
                        ("DELETE", path),
                    ):
                        status, body = await self._ask(name, method, at)
                        assert status in (0, 404), f"{name} was answered {status} {body} for another's job"

    async def _submit(self, name: str, chance: random.Random) -> None:
        targets = [{"url": url} for url in chance.sample(sorted(SCRIPTS), chance.randint(1, 4))]
        headers = {"Idempotency-Key": "k"} if chance.random() < 0.3 else {}
        status, body = await self._ask(name, "POST", "/v1/batch", json={"targets": targets}, headers=headers)
        assert status in (0, 202, 422, 429), body
        if status == 422:
            assert headers, body
        if status != 202:
            return
        assert body["targets"] == len(targets)
        self.witness.acknowledged.add(body["job_id"])
        if body["job_id"] not in self.jobs[name]:
            assert not body["reused"]
            self.jobs[name].append(body["job_id"])
        await self._read(name, body["job_id"])

    async def _read(self, name: str, job_id: str) -> None:
        status, body = await self._ask(name, "GET", f"/v1/batch/{job_id}?results=1")
        assert status in (0, 200), body
        if status == 200:
            done = [target["idx"] for target in body["targets"] if target["status"] in ("done", "failed")]
            assert body["targets_done"] == len(done)
            assert [target["idx"] for target in body["targets"]] == list(range(body["targets_total"]))
            for target in body["targets"]:
                assert ("result" in target) == (target["status"] == "done")
                if target["status"] == "done":
                    assert target["result"]["url"] == target["url"]
            if body["status"] not in ("queued", "running"):
                assert body["targets_done"] == body["targets_total"]
                self.finished.add(job_id)
            else:
                assert job_id not in self.finished, "what was finished is live again"

    async def _cancel(self, name: str, job_id: str) -> None:
        status, body = await self._ask(name, "DELETE", f"/v1/batch/{job_id}")
        assert status in (0, 200, 409), body
        if job_id in self.finished:
            assert status in (0, 409)
        if status:
            self.finished.add(job_id)

    async def _power(self) -> None:
        chance = random.Random(f"{self.seed} power")
        for _ in range(chance.randint(0, 2)):
            await trio.sleep(chance.uniform(1, 12))
            await (self.rig.crash() if chance.random() < 0.5 else self.rig.restart())


def simulated(seed: int) -> World:
    world = World(seed)
    try:
        with seeded_schedule(seed):
            trio.run(world.run, clock=jumping_clock())
    finally:
        structlog.reset_defaults()  # the app's log is the process's
    assert world.witness.violations == []
    return world


@pytest.mark.parametrize("first", range(0, 60, 10))
def test_what_callers_are_answered_holds(first: int) -> None:
    for seed in range(first, first + 10):
        world = simulated(seed)
        assert any(" POST /v1/batch 202 " in line for line in world.transcript)


def test_the_same_seed_is_answered_the_same() -> None:
    for seed in range(5):
        once, again = simulated(seed), simulated(seed)
        assert once.transcript == again.transcript
        assert once.root == again.root
