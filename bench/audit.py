"""How fast a log is verified, replayed and rebuilt, beside the least that any such check must do.

    python bench/audit.py [--events 1000000] [--store FILE]

The log is of jobs with eight targets, each read once and swept a while later. The least is to read the rows and hash
each into the tree, in one process: two SHA-256 an event. Rates are wall time; a busy
machine tells on them, and less on the CPU time.
"""

import argparse
import hashlib
import os
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from gofer.events.job import (
    JobFinished,
    JobStarted,
    JobSubmitted,
    JobSwept,
    LeaseTouched,
    TargetDone,
    TargetsAdded,
    TargetSpec,
    TargetStarted,
)
from gofer.events.merkle import CompactRange, leaf_hash
from gofer.store.audit import verify
from gofer.store.audit_rebuild import rebuild
from gofer.store.audit_replay import replay
from gofer.store.audit_walk import open_log_file
from gofer.store.batch import Append, BatchStore
from gofer.store.log import leaves

TARGETS = 8
EVENTS_PER_JOB = 2 * TARGETS + 6
KEPT_JOBS = 1_000  # before the oldest is swept
BODY = "content"


def fill(path: Path, events: int) -> None:
    """Write a log of about so many events."""
    specs = tuple(TargetSpec(f"http://{n}.example/", "{}") for n in range(TARGETS))
    sha256 = hashlib.sha256(BODY.encode()).hexdigest()
    with BatchStore.open(path) as store:
        for begin in range(0, events // EVENTS_PER_JOB, 500):
            with store.transaction():
                for n in range(begin, min(begin + 500, events // EVENTS_PER_JOB)):
                    at_ms = 1_000 * n
                    submitted = JobSubmitted(
                        at_ms=at_ms,
                        job_id=f"job-{n:018}",
                        caller="alice",
                        caller_class="fleet",
                        idem_key=f"body:{n:064}",
                        targets_total=TARGETS,
                        created_at=n,
                        lease=n,
                    )
                    each = [f(at_ms, idx) for idx in range(TARGETS) for f in (TargetStarted, _done(sha256))]
                    happened = [submitted, TargetsAdded(at_ms, specs), JobStarted(at_ms), *each]
                    happened += [JobFinished(at_ms, "done"), LeaseTouched(at_ms + 5_000)]
                    store.append(Append.of(None, happened, dict.fromkeys(range(TARGETS), BODY)))
                    if n >= KEPT_JOBS:
                        store.append(Append.of(store.load(f"job-{n - KEPT_JOBS:018}"), [JobSwept(at_ms)]))


def _done(sha256: str) -> Callable[[int, int], TargetDone]:
    return lambda at_ms, idx: TargetDone(at_ms, idx, sha256, len(BODY))


def measure(what: str, events: int, work: Callable[[], object]) -> None:
    begin, cpu = time.perf_counter(), _cpu_s()
    work()
    took, cpu = time.perf_counter() - begin, _cpu_s() - cpu
    print(
        f"{what:40} {events / took:>10,.0f} events/s {took:7.2f} s"
        f" {cpu / events * 1e6:6.2f} us of CPU an event, load {os.getloadavg()[0]:.1f}",
        flush=True,
    )


def _cpu_s() -> float:
    """Of this process and those that it has ended."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def least(path: Path) -> None:
    with open_log_file(path) as log:
        CompactRange().extended(leaf_hash(data) for _, _, _, data, _ in leaves(log.db))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--events", type=int, default=1_000_000)
    parser.add_argument("--store", type=Path, help="a log that was made before; else one is made")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = given.store or Path(folder) / "gofer.db"
        if not path.exists():
            measure("write the log (500 jobs a commit)", given.events, lambda: fill(path, given.events))
        with open_log_file(path) as log:
            events = int(log.db.execute("SELECT count(*) FROM event").get)
        measure("the least: read and hash, one process", events, lambda: least(path))
        for workers in (1, 2):
            with open_log_file(path) as log:
                measure(f"verify, {workers} processes", events, lambda: verify(log, workers=workers))  # noqa: B023
                measure(
                    f"replay, {workers} processes",
                    events,
                    lambda: replay(log, events, workers=workers),  # noqa: B023
                )
        measure("rebuild", events, lambda: rebuild(path))


if __name__ == "__main__":
    main()
