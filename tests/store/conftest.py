"""Stores on each engine, a clock that tests set, and the check that every store must pass after every write."""

import hashlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from gofer.events.job import TERMINAL, Job, evolve
from gofer.store.batch import BatchJob, BatchStore, BatchTarget
from gofer.store.database import MEMORY


class Clock:
    """A clock in unix seconds that stands where it is put."""

    def __init__(self) -> None:
        self.now = 1_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "gofer.db"


@pytest.fixture(scope="session")
def template(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The file of an empty store, made once: each making waits for the disk several times."""
    path = tmp_path_factory.mktemp("template") / "gofer.db"
    BatchStore.open(path).close()
    return path.read_bytes()


@pytest.fixture(params=["file", "memory"])
def store(request: pytest.FixtureRequest, path: Path, clock: Clock, template: bytes) -> Iterator[BatchStore]:
    """An empty store, on each engine in turn; it is checked once more when the test is over."""
    if request.param == "file":
        path.write_bytes(template)
    with BatchStore.open(path if request.param == "file" else MEMORY, clock=clock) as opened:
        yield opened
        check_store(opened)


@pytest.fixture
def file_store(path: Path, clock: Clock, template: bytes) -> Iterator[BatchStore]:
    """An empty store in the file `path`."""
    path.write_bytes(template)
    with BatchStore.open(path, clock=clock) as opened:
        yield opened
        check_store(opened)


@pytest.fixture
def check() -> Callable[[BatchStore], None]:
    return check_store


@pytest.fixture
def submit() -> Callable[..., str]:
    """Stores alice's job `id` with its pending targets, http://<idx>.example/, and answers the id."""

    def submit(store: BatchStore, id: str = "j1", targets_total: int = 2, **fields: Any) -> str:
        given = {"caller": "alice", "caller_class": "fleet", "idem_key": "key", "created_at": 900, "lease": 1_000}
        store.create_batch_job(BatchJob(id, **{**given, **fields}, targets_total=targets_total))
        store.put_batch_targets(
            id, [BatchTarget(id, idx, f"http://{idx}.example/", "{}") for idx in range(targets_total)]
        )
        return id

    return submit


def check_store(store: BatchStore) -> None:
    """Contract rule 7 by raw SQL, and that the tables are what the log says."""
    db = store.connection
    for job_id, status, total, done, nbytes, targets, finished, stored in db.execute(
        """
        SELECT j.id, j.status, j.targets_total, j.targets_done, j.nbytes, count(t.idx),
               count(*) FILTER (WHERE t.status IN ('done', 'failed')), coalesce(sum(octet_length(t.result)), 0)
        FROM batch_job AS j LEFT JOIN batch_target AS t ON t.job_id = j.id GROUP BY j.id
        """
    ):
        assert status not in TERMINAL or done == total, job_id
        if targets:  # until a job has its targets, its counts are what its submitter stated
            assert (targets, finished, stored) == (total, done, nbytes), job_id
    assert store.batch_nbytes() == db.execute("SELECT coalesce(sum(nbytes), 0) FROM batch_job").get

    jobs: dict[str, Job] = {}
    for seq, recorded in enumerate(store.read(0), 1):
        assert recorded.seq == seq, "the log is dense"
        jobs[recorded.job_id] = evolve(jobs.get(recorded.job_id), recorded.event)
        assert recorded.version == jobs[recorded.job_id].version
    kept = {id: job for id, job in sorted(jobs.items()) if not job.removed}
    fields = BatchJob.__struct_fields__
    assert list(db.execute(f"SELECT {', '.join(fields)} FROM batch_job ORDER BY id")) == [
        tuple(getattr(job, field) for field in fields) for job in kept.values()
    ]
    assert [
        (*row, None if result is None else hashlib.sha256(result.encode()).hexdigest())
        for *row, result in db.execute(
            "SELECT job_id, idx, url, options, status, error, hint, result FROM batch_target ORDER BY job_id, idx"
        )
    ] == [
        (id, idx, t.url, t.options, t.status, t.error, t.hint, t.sha256)
        for id, job in kept.items()
        for idx, t in enumerate(job.targets)
    ]
    assert db.execute("SELECT position FROM projection").get == store.head()
