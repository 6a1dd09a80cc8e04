"""The log's speed: appends, verify, replay, rebuild and start, beside the `eventsourcing` library's SQLite recorder.

    .venv/bin/python bench/log.py [--events 1000000] [--rounds 5] [--seconds 2] [--folder DIR] [--json]

Appends are whole: durable (synchronous=FULL), hashed into the tree, sealed, projected and acknowledged, each awaited
by its actor before the next. CPU time is this process's and its children's: where it is less than the wall's, the
machine was busy or waited for its disk. `--folder` says for which disk.

A shared machine is not as fast at one moment as at the next. So all but the start is measured in rounds, appends next
to the library they are compared with, and of each the median is told, and the worst and the best. Whoever verifies
in several processes pays for what its main module imports in each; here, as in `gofer audit`, that is little.
"""

import argparse
import gc
import hashlib
import json
import os
import platform
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from importlib import import_module
from itertools import count, zip_longest
from pathlib import Path
from typing import Any
from uuid import uuid4

import msgspec
from gofer.events.job import (
    INTERRUPTED,
    Command,
    CompleteTarget,
    Finish,
    Job,
    JobSubmitted,
    Start,
    StartTarget,
    Submit,
    Sweep,
    TargetSpec,
    act,
    decide,
    evolve,
)
from gofer.events.merkle import CompactRange, leaf_hash
from gofer.events.recorded import Stored, encode, split
from gofer.store.audit import verify
from gofer.store.audit_rebuild import rebuild
from gofer.store.audit_replay import replay
from gofer.store.audit_walk import open_log_file
from gofer.store.batch import Append, BatchStore
from gofer.store.database import open_writer, transaction
from gofer.store.sealing import KEY_BYTES, seal

ACTORS = 64
EVENTS_A_JOB = 20
TARGETS = 8
BODY = json.dumps({"url": "http://a.example/", "content": "lorem ipsum " * 20})
SPECS = tuple(TargetSpec(f"http://{idx}.example/page?q={idx}", '{"mode":"clean"}') for idx in range(TARGETS))
PLAIN_TABLES = """
CREATE TABLE event (seq INTEGER PRIMARY KEY, job TEXT, version INT, data TEXT, chain BLOB, UNIQUE (job, version));
CREATE TABLE job (id TEXT PRIMARY KEY, status TEXT, done INT);
CREATE TABLE target (job TEXT, idx INT, status TEXT, result TEXT, PRIMARY KEY (job, idx));
"""
PLAIN_JOB = """
INSERT INTO job VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET status = excluded.status, done = excluded.done
"""
PLAIN_TARGET = """
INSERT INTO target VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET status = excluded.status, result = excluded.result
"""
FACTS = msgspec.Raw(
    b'{"dns":["93.184.216.34"],"redirects":[],"retries":0,"nbytes":1234,"ms":{"connect":12,"total":87}}'
)


class Figure(msgspec.Struct, frozen=True):
    """One measured claim; of several rounds the median, and between which values they lay."""

    name: str
    value: float
    unit: str
    cpu_s: float
    wall_s: float
    aim: str = ""
    spread: tuple[float, float] | None = None


def commands(job_id: str, now_ms: Callable[[], int]) -> Iterator[Command]:
    """The life of a job: 20 events in 19 appends."""
    submitted = JobSubmitted(
        at_ms=now_ms(), job_id=job_id, caller="bench", caller_class="fleet", idem_key=job_id,
        targets_total=TARGETS, created_at=0, lease=0,
    )  # fmt: skip
    yield Submit(submitted, SPECS)
    yield Start(now_ms())
    for idx in range(TARGETS):
        yield StartTarget(now_ms(), idx)
        yield CompleteTarget.of(now_ms(), idx, BODY, FACTS)
    yield Finish(now_ms())


def wall_ms() -> int:
    return int(time.time() * 1e3)


def bodies(command: Command) -> dict[int, str]:
    return {command.idx: BODY} if isinstance(command, CompleteTarget) else {}


Clock = Callable[[], tuple[float, float]]
PlainWrite = tuple[str, int, int, str | None, Any]  # job, version, idx, result, an event for when it is committed


@contextmanager
def clocked() -> Iterator[Clock]:
    """CPU and wall seconds since the block began; processes that have not ended do not count."""

    def cpu_s() -> float:
        times = os.times()
        return times.user + times.system + times.children_user + times.children_system

    cpu, wall = cpu_s(), time.perf_counter()
    yield lambda: (cpu_s() - cpu, time.perf_counter() - wall)


# ---------------------------------------------------------------- gofer


def append(path: Path, actors: int, seconds: float) -> list[Figure]:
    """So many actors, each awaiting one acknowledgement after the other."""
    import trio
    from gofer.actors.journal import Journal

    took: list[float] = []
    events, ids = 0, count()

    async def actor(journal: Journal) -> None:
        nonlocal events
        while True:
            job: Job | None = None
            job_id = f"job-{next(ids):021}"
            for command in commands(job_id, wall_ms):
                happened, after = act(job, command)
                assert after is not None
                began = time.perf_counter()
                job = await journal.append(Append(job, happened, after, bodies(command)))
                took.append(time.perf_counter() - began)
                events += len(happened)

    async def main(store: BatchStore) -> None:
        journal = Journal(store)
        async with trio.open_nursery() as nursery:
            await nursery.start(journal.run)
            with trio.move_on_after(seconds):
                async with trio.open_nursery() as writers:
                    for _ in range(actors):
                        writers.start_soon(actor, journal)
            journal.end()

    with BatchStore.open(path) as store, clocked() as clock:
        trio.run(main, store)
        appended = rate(f"append, {actors} actors", events, clock, ">= 25,000" if actors == ACTORS else "")
    p99 = statistics.quantiles(took, n=100)[98] * 1e3
    acknowledged = Figure("  acknowledged, p99", p99, "ms", 0, 0, "<= 15" if actors == ACTORS else "")
    return [appended, acknowledged]


def fill(path: Path, events: int, *, in_flight: int, kept: float) -> int:
    """A log of about so many events, written past the store: 64 jobs at a time, all but the last `kept` share of them
    swept, and `in_flight` still running. Its tables are empty. How many events it has.
    """
    jobs = events // EVENTS_A_JOB
    BatchStore.open(path).close()
    with closing(open_writer(str(path))) as db, transaction(db):
        seq, tree, marked = 0, CompactRange(), False
        for first in range(0, jobs, ACTORS):
            rows, keys = [], []
            lives = []
            for n in range(first, min(first + ACTORS, jobs)):
                swept, running = n < jobs * (1 - kept), n >= jobs - in_flight
                key = n.to_bytes(KEY_BYTES)
                lives.append(life(f"job-{n:021}", key, swept=swept, running=running))
                if not swept:
                    keys.append((f"job-{n:021}", key))
            for step in zip_longest(*lives):
                for job_id, version, data in filter(None, step):
                    seq += 1
                    rows.append((seq, job_id, version, data.decode(), leaf_hash(data)))
            db.executemany("INSERT INTO event (seq, job_id, version, data, leaf) VALUES (?, ?, ?, ?, ?)", rows)
            db.executemany("INSERT INTO job_key VALUES (?, ?)", keys)
            tree = tree.extended(leaf for *_, leaf in rows)
            if not marked and first >= jobs - jobs // 100:  # as the janitor would, every 10,000 events
                db.execute("INSERT INTO checkpoint VALUES (?, ?)", (tree.size, tree.to_bytes()))
                marked = True
        db.execute("UPDATE tree SET size = ?, subtrees = ?", (tree.size, tree.to_bytes()))
    rebuild(path)
    return seq


def life(job_id: str, key: bytes, *, swept: bool, running: bool) -> Iterator[tuple[str, int, bytes]]:
    job: Job | None = None
    for command in (*commands(job_id, lambda: 1_000), Sweep(10**9, 0)):
        if (running and isinstance(command, Finish)) or (isinstance(command, Sweep) and not swept):
            return
        for event in decide(job, command):
            job = evolve(job, event)
            public, private = split(event)
            sealed = None if private is None else seal(key, job_id, job.version, private)
            yield job_id, job.version, encode(Stored(job_id, job.version, public, sealed))


def read(path: Path, events: int) -> Iterator[Figure]:
    """What is done with a whole log."""
    with open_log_file(path) as file:
        for workers in (1, None):
            on = "1 process" if workers else f"{len(os.sched_getaffinity(0))} processes"
            with clocked() as clock:
                report = verify(file, log_alone=True, workers=workers)
            assert report.whole, report.findings
            yield rate(f"verify, {on}", events, clock, ">= 500,000")
            with clocked() as clock:
                replay(file, events, workers=workers)
            yield rate(f"replay, {on}", events, clock, ">= 500,000")
    with clocked() as clock:
        rebuilt = rebuild(path)
    assert not [drift for drift in rebuilt.drifts if not drift.body]
    yield span(f"rebuild {events:,} events, {rebuilt.targets:,} targets", clock, "<= 5")


def start(path: Path, events: int) -> Figure:
    """What a restart does before it takes work. Afterwards no job is in flight, so it can be measured once."""
    with clocked() as clock, BatchStore.open(path) as store:
        failed = store.mark_in_flight_failed(INTERRUPTED, 10**9)
        return span(f"start with {events:,} events, {failed} in flight", clock, "< 1")


# ---------------------------------------------------------------- beside it


def beside(path: Path, seconds: float, group: int) -> Figure:
    """The `eventsourcing` library's SQLite recorder on the same bytes: durable, but neither hashed nor projected."""
    from eventsourcing.persistence import StoredEvent
    from eventsourcing.sqlite import SQLiteApplicationRecorder, SQLiteDatastore

    recorder = SQLiteApplicationRecorder(SQLiteDatastore(str(path)))
    recorder.create_table()
    made = [(version, data) for _, version, data in life("job", bytes(KEY_BYTES), swept=False, running=False)]
    written = 0
    with clocked() as clock:
        while clock()[1] < seconds:
            ids = [uuid4() for _ in range(group)]
            for version, data in made:
                recorder.insert_events([StoredEvent(id, version, "event", data) for id in ids])
                written += group
        figure = rate(f"eventsourcing's recorder, {group} a transaction", written, clock)
    recorder.datastore.close()
    return figure


def plain(path: Path, seconds: float) -> Figure:
    """A journal that does the least: 64 actors, one writer, what waits in one transaction, committed in a thread.

    An event is a row with its hash, and two rows of tables, in a savepoint. It is as durable as ours,
    and nothing is decided, sealed, put in a tree, kept dense or append-only.
    """
    import apsw
    import trio

    events, ids = 0, count()

    def commit(db: apsw.Connection, group: list[PlainWrite]) -> None:
        nonlocal events
        with transaction(db):
            for job, version, idx, result, _ in group:
                with transaction(db):
                    events += 1
                    status = "running" if result is None else "done"
                    data = json.dumps({"job": job, "version": version, "idx": idx, "status": status})
                    chain = hashlib.sha256(data.encode()).digest()
                    db.execute("INSERT INTO event VALUES (?, ?, ?, ?, ?)", (events, job, version, data, chain))
                    db.execute(PLAIN_JOB, (job, status, version // 2))
                    db.execute(PLAIN_TARGET, (job, idx, status, result))

    async def write(db: apsw.Connection, waiting: trio.MemoryReceiveChannel[PlainWrite]) -> None:
        thread = trio.CapacityLimiter(1)
        async for first in waiting:
            group = [first]
            with suppress(trio.WouldBlock):
                while True:
                    group.append(waiting.receive_nowait())
            await trio.to_thread.run_sync(commit, db, group, limiter=thread)
            for *_, committed in group:
                committed.set()

    async def actor(writes: trio.MemorySendChannel[PlainWrite]) -> None:
        while True:
            job = f"job-{next(ids):021}"
            for version in range(1, 2 * TARGETS + 1):
                committed = trio.Event()
                result = None if version % 2 else BODY
                await writes.send((job, version, (version - 1) // 2, result, committed))
                await committed.wait()

    async def main(db: apsw.Connection) -> None:
        writes, waiting = trio.open_memory_channel[PlainWrite](ACTORS)
        with trio.move_on_after(seconds):
            async with trio.open_nursery() as nursery:
                nursery.start_soon(write, db, waiting)
                for _ in range(ACTORS):
                    nursery.start_soon(actor, writes)

    with closing(apsw.Connection(str(path))) as db:
        db.pragma("journal_mode", "wal")
        db.pragma("synchronous", "full")
        db.execute(PLAIN_TABLES)
        with clocked() as clock:
            trio.run(main, db)
            return rate(f"a plain journal, {ACTORS} actors", events, clock)


# ---------------------------------------------------------------- telling


def median(rounds: Sequence[Figure]) -> Figure:
    """Of the same claim, measured several times."""
    values = [each.value for each in rounds]
    return Figure(
        rounds[0].name, statistics.median(values), rounds[0].unit,
        sum(each.cpu_s for each in rounds), sum(each.wall_s for each in rounds), rounds[0].aim,
        (min(values), max(values)),
    )  # fmt: skip


def shown(value: float) -> str:
    return f"{value:,.0f}" if value > 100 else f"{value:.2f}"


def rate(name: str, events: int, clock: Clock, aim: str = "") -> Figure:
    cpu_s, wall_s = clock()
    return Figure(name, events / wall_s, "events/s", cpu_s, wall_s, aim)


def span(name: str, clock: Clock, aim: str) -> Figure:
    cpu_s, wall_s = clock()
    return Figure(name, wall_s, "s", cpu_s, wall_s, aim)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--events", type=int, default=1_000_000, help="in the log that is read (default: a million)")
    parser.add_argument("--in-flight", type=int, default=100, help="jobs that a start finds running (default: 100)")
    parser.add_argument("--kept", type=float, default=0.1, help="share of the jobs not yet swept (default: 0.1)")
    parser.add_argument("--rounds", type=int, default=5, help="of all but the start (default: 5)")
    parser.add_argument("--seconds", type=float, default=2, help="how long to append in each (default: 2)")
    parser.add_argument("--folder", help="where to write (default: the system's folder for temporary files)")
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    options = parser.parse_args()
    figures: list[Figure] = []
    for measured in ("gofer.actors.journal", "eventsourcing.sqlite"):  # not above: each worker of verify would pay
        import_module(measured)
    gc.freeze()  # as the service does once all is imported
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        rounds: list[list[Figure]] = []
        for n in range(options.rounds):
            rounds.append([])
            for actors in (1, 8, ACTORS):
                rounds[n] += append(Path(folder) / f"{n}-{actors}.db", actors, options.seconds)
            rounds[n].append(plain(Path(folder) / f"{n}-plain.db", options.seconds))
            for group in (1, ACTORS):
                rounds[n].append(beside(Path(folder) / f"{n}-beside-{group}.db", options.seconds, group))
        figures += [median(each) for each in zip(*rounds, strict=True)]
        path = Path(folder) / "long.db"
        events = fill(path, options.events, in_flight=options.in_flight, kept=options.kept)
        readings = [list(read(path, events)) for _ in range(options.rounds)]
        figures += [median(each) for each in zip(*readings, strict=True)]
        figures.append(start(path, events))
    if options.json:
        print(json.dumps([msgspec.to_builtins(figure) for figure in figures], indent=2))
        return
    from rich.console import Console
    from rich.table import Table

    title = f"Python {platform.python_version()}, load {os.getloadavg()[0]:.1f}"
    table = Table("", "measured", "", "from - to", "aim", "CPU s", "wall s", title=title)
    for each in figures:
        spread = " - ".join(map(shown, each.spread or ()))
        cpu_s, wall_s = f"{each.cpu_s:.2f}", f"{each.wall_s:.2f}"
        table.add_row(each.name, shown(each.value), each.unit, spread, each.aim, cpu_s, wall_s)
    Console(width=120).print(table)


if __name__ == "__main__":
    main()
