"""Logs of every released format replay for ever, to each of their positions. `golden/make.py` made them."""

import json
import runpy
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import apsw
import pytest
from gofer.events.job import Job, evolve
from gofer.events.merkle import CompactRange
from gofer.store.audit import verify
from gofer.store.audit_walk import open_log_file
from gofer.store.batch import BatchJob, BatchStore
from gofer.store.database import MEMORY, open_writer
from gofer.store.log import leaves
from gofer.store.schema import SCHEMA_VERSION

GOLDEN = Path(__file__).with_name("golden")
FORMATS = sorted(int(file.stem.removeprefix("format-")) for file in GOLDEN.glob("format-*.sql"))
MAKER = runpy.run_path(str(GOLDEN / "make.py"))


@pytest.fixture(params=FORMATS)
def format(request: pytest.FixtureRequest) -> int:
    return int(request.param)


@pytest.fixture
def golden(path: Path, format: int) -> Path:
    """The database as that format's gofer left it."""
    with closing(apsw.Connection(str(path))) as db, db:
        db.execute((GOLDEN / f"format-{format}.sql").read_text())
    return path


@pytest.fixture
def said(format: int) -> Any:
    return json.loads((GOLDEN / f"format-{format}.json").read_text())


def without_results(told: Any) -> Any:
    """What a replay can know: results are not on the log."""
    return {**told, "batch_target": [{**row, "result": None} for row in told["batch_target"]]}


def test_each_format_up_to_todays_has_its_golden_log() -> None:
    assert list(range(1, SCHEMA_VERSION + 1)) == FORMATS


def test_todays_gofer_writes_the_bytes_of_todays_format(golden: Path, format: int, tmp_path: Path) -> None:
    """Were they others, logs would come to be of which this golden one says nothing. Then it is a new format."""
    if format == SCHEMA_VERSION:
        with MAKER["make"](tmp_path / "made.db") as made, closing(apsw.Connection(str(golden))) as db:
            assert list(leaves(made.connection)) == list(leaves(db))


def test_it_says_today_what_it_said_then(golden: Path, said: Any, check: Callable[[BatchStore], None]) -> None:
    with BatchStore.open(golden) as store:
        assert MAKER["told"](store) == said
        check(store)


def test_it_is_whole(golden: Path) -> None:
    with open_log_file(golden) as log:
        report = verify(log)
    assert report.whole, report.findings


def test_its_tables_are_made_anew_from_the_log_alone(golden: Path, said: Any) -> None:
    with closing(apsw.Connection(str(golden))) as db, db:
        for sql in ("DELETE FROM batch_target", "DELETE FROM batch_job", "UPDATE projection SET position = 0"):
            db.execute(sql)
    with BatchStore.open(golden) as store:
        assert MAKER["told"](store) == without_results(said)


def prefixes(golden: Path) -> Iterator[BatchStore]:
    """A store of the log's first event, of its first two, and so on to the whole; each made from nothing."""
    with closing(apsw.Connection(str(golden))) as db:
        rows = [(seq, job_id, version, data.decode(), leaf) for seq, job_id, version, data, leaf in leaves(db)]
        keys = list(db.execute("SELECT job_id, key FROM job_key"))
    for size in range(1, len(rows) + 1):
        part = open_writer(MEMORY)
        part.executemany("INSERT INTO job_key VALUES (?, ?)", keys)
        part.executemany("INSERT INTO event (seq, job_id, version, data, leaf) VALUES (?, ?, ?, ?, ?)", rows[:size])
        tree = CompactRange().extended(leaf for *_, leaf in rows[:size])
        part.execute("UPDATE tree SET size = ?, subtrees = ?", (size, tree.to_bytes()))
        with BatchStore(part, None, clock=lambda: 0, entropy=bytes, keep_urls=False, signed=None) as store:
            yield store


def test_every_prefix_replays(golden: Path, said: Any) -> None:
    jobs: dict[str, Job] = {}
    size = 0
    for store in prefixes(golden):
        *_, last = store.read(size)
        jobs[last.job_id] = evolve(jobs.get(last.job_id), last.event)
        size += 1
        assert (store.head(), last.seq, jobs[last.job_id].version) == (size, size, last.version)
        assert {job_id: store.load(job_id) for job_id in jobs} == jobs
        told, fields = MAKER["told"](store), BatchJob.__struct_fields__
        kept = [job for _, job in sorted(jobs.items()) if not job.removed]
        assert told["batch_job"] == [{name: getattr(job, name) for name in fields} for job in kept]
        assert told["batch_target"] == [
            {
                "job_id": job.id, "idx": idx, "url": t.url, "options": t.options, "status": t.status,
                "error": t.error, "hint": t.hint, "result": None,
            }
            for job in kept
            for idx, t in enumerate(job.targets)
        ]  # fmt: skip
    assert size == said["size"]
    assert told == without_results(said)
