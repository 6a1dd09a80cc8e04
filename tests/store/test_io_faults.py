"""A disk that reports errors stops the system loudly, and costs nothing that was acknowledged."""

import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import count
from pathlib import Path

import apsw
import pytest
import trio
import trio.testing
from gofer.actors.settings import AuditSettings, BatchSettings
from gofer.actors.system import SystemSettings, open_notary, open_system
from gofer.actors.testing import Ear, SimulatedClock, submission
from gofer.events.job import JobCancelled, JobFinished, JobSwept
from gofer.fetch.scripted import NEVER, Script, ScriptedFetcher
from gofer.fetch.target import Caller
from gofer.store.batch import BatchJob, BatchStore
from gofer.store.database import StoreError, StoreFailed
from gofer.store.faults import FaultyDisk, Kind

ALICE = Caller("alice", "fleet")
SCRIPTS = {
    "http://big.example/": Script(content="x" * 9_000),
    "http://lost.example/": Script(error="http 404"),
    "http://slow.example/": NEVER,
}
FAULTS = [  # of which kind, what it reports, and how many operations of the kind there are at least
    ("write", apsw.IOError, 100),
    ("write", apsw.FullError, 100),
    ("sync", apsw.IOError, 10),
    ("sync", apsw.FullError, 10),
    ("read", apsw.IOError, 30),
]


class Outcome:
    """What one run of the system came to."""

    def __init__(self) -> None:
        self.ear = Ear()
        self.submitted: list[str] = []
        self.finished = False
        self.error: Exception | None = None


def run(store: Path) -> Outcome:
    """The script: a start that finds a job in flight, a batch that ends, one that is cancelled, a sweep, a drain."""
    outcome = Outcome()

    async def script() -> None:
        clock = SimulatedClock()
        settings = SystemSettings(
            store=str(store),
            batch=BatchSettings(ttl_s=100, sweep_every_s=50, drain_timeout_s=0),
            audit=AuditSettings(checkpoint_every_events=8),
        )
        ids = iter(("first", "second"))
        async with open_system(
            settings, ScriptedFetcher(SCRIPTS), clock=clock, listeners=[outcome.ear], inline=True,
            new_id=lambda: next(ids), entropy=bytes,
        ) as system:  # fmt: skip
            first = await system.runner.submit(submission(ALICE, "http://big.example/", "http://lost.example/"))
            outcome.submitted.append(first.job_id)
            await outcome.ear.hear("first", JobFinished)
            second = await system.runner.submit(submission(ALICE, "http://slow.example/"))
            outcome.submitted.append(second.job_id)
            await system.runner.cancel("second")
            await outcome.ear.hear("second", JobCancelled)
            assert system.reader.status("second") == "cancelled"
            await outcome.ear.hear("second", JobSwept)
        outcome.finished = True

    try:
        trio.run(script, clock=trio.testing.MockClock(autojump_threshold=0))
    except Exception as error:  # noqa: BLE001 - each is judged by the test
        outcome.error = error
    return outcome


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    """In memory where the machine has that, for the thousand starts."""
    memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None) as folder:
        yield Path(folder)


@pytest.fixture(scope="module")
def before(folder: Path) -> Callable[[], Path]:
    """A store as a dead process left it, with one job in flight and a WAL; each call puts it there anew."""
    model, run = folder / "model", folder / "run"
    model.mkdir()
    with BatchStore.open(folder / "gofer.db", entropy=bytes) as living:
        living.create_batch_job(BatchJob("left", "bob", "fleet", "key", created_at=1))
        for suffix in ("", "-wal"):
            shutil.copy(folder / f"gofer.db{suffix}", model)

    def put() -> Path:
        shutil.rmtree(run, ignore_errors=True)
        shutil.copytree(model, run)
        return run / "gofer.db"

    return put


@pytest.mark.parametrize("kind", ["read", "write", "sync"])
@pytest.mark.parametrize("error", [apsw.FullError, apsw.IOError, apsw.CantOpenError, apsw.BusyError])
def test_whatever_fails_while_it_opens_is_told_in_one_way(
    kind: Kind, error: type[apsw.Error], before: Callable[[], Path]
) -> None:
    told: list[StoreError] = []
    for nth in count(1):
        disk, store = FaultyDisk(kind, nth, error), before()
        with disk.mounted():
            try:
                opened = BatchStore.open(store)
            except StoreError as failed:
                told.append(failed)
            else:
                with suppress(apsw.Error):
                    opened.close()
        if not disk.failed:
            break
    assert told
    assert all(str(store) in str(each) for each in told)


def leaves(error: BaseException) -> Iterator[BaseException]:
    if isinstance(error, BaseExceptionGroup):
        for each in error.exceptions:
            yield from leaves(each)
    else:
        yield error


def kind_of(error: BaseException) -> str:
    return error.kind if isinstance(error, StoreFailed) else type(error).__name__


def test_the_script_is_played_to_its_end_by_a_disk_that_is_sound(before: Callable[[], Path]) -> None:
    disk = FaultyDisk("write", 0)
    with disk.mounted():
        outcome = run(before())
    assert outcome.finished
    assert outcome.submitted == ["first", "second"]
    assert disk.done > 100


@pytest.mark.parametrize("for_good", [False, True], ids=["once", "for good"])
@pytest.mark.parametrize(("kind", "error", "at_least"), FAULTS)
def test_each_fault_stops_the_system_and_the_next_start_is_whole(
    kind: Kind,
    error: type[apsw.Error],
    at_least: int,
    for_good: bool,
    before: Callable[[], Path],
    check: Callable[[BatchStore], None],
) -> None:
    for nth in count(1):
        disk, store = FaultyDisk(kind, nth, error, for_good=for_good), before()
        with disk.mounted():
            outcome = run(store)
        if not disk.failed:
            break  # the script has no more operations than that
        assert not outcome.finished
        assert outcome.error is not None
        assert {kind_of(each) for each in leaves(outcome.error)} == {error.__name__}, "it says what failed"
        assert all(str(store) in str(each) for each in leaves(outcome.error) if isinstance(each, StoreFailed))

        notary = open_notary(SystemSettings(store=str(store)), bytes)
        with BatchStore.open(store, signed=notary.newest()) as found:
            assert found.connection.pragma("integrity_check") == "ok"
            check(found)
            log = [(each.seq, each.job_id, each.version, type(each.event)) for each in found.read(0)]
            for each in outcome.ear.heard:
                assert log[each.seq - 1] == (each.seq, each.job_id, each.version, type(each.event))
            assert set(outcome.submitted) <= {job_id for _, job_id, _, _ in log}
            found.mark_in_flight_failed("again", 2_000_000_000)
            assert not found.live_job_ids()
            check(found)
    assert nth > at_least
    assert outcome.finished
