"""Holding the projections against a fold of the log, row by row. Reads only."""

import hashlib
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from operator import attrgetter
from typing import Any, Final

import apsw
import msgspec

from ..events.job import Job, Target
from .audit_fold import Fold
from .audit_walk import LogFile, catch_up
from .projection import position
from .rows import BatchJob

PAGE_JOBS: Final = 200  # in one read, with their results

_JOB_FIELDS: Final = BatchJob.__struct_fields__
_TARGET_FIELDS: Final = ("url", "options", "status", "error", "hint")  # and of its result the SHA-256
_of_job: Final = attrgetter(*_JOB_FIELDS)
_of_target: Final = attrgetter(*_TARGET_FIELDS)
_of_target_with_body: Final = attrgetter(*_TARGET_FIELDS, "sha256")

Values = Sequence[Any]
Id = str | bytes  # of a job; bytes where they are no text, which no job of the log has


class Drift(msgspec.Struct, frozen=True):
    """A place where a table is not what the log says. `idx` and `column` are None where a whole row is.

    Of a result its SHA-256 stands for it.
    """

    job_id: str
    idx: int | None
    column: str | None
    table: str | int | None
    log: str | int | None
    seq: int  # the last event that says so

    @property
    def body(self) -> bool:
        """It is a result that differs, or is lost."""
        return self.column == "result"

    def __str__(self) -> str:
        if not self.job_id:
            return f"the tables stand at event {self.table}, the log ends at {self.log}"
        where = f"job {self.job_id}" if self.idx is None else f"target {self.idx} of job {self.job_id}"
        if self.column is None:
            return f"{where}: the table has {self.table or 'no row'}, the log says {self.log or 'none'}"
        if self.body:
            return f"{where}: its result {_digest(self.table)}, the log says it {_digest(self.log)}"
        return f"{where}: {self.column} is {self.table!r}, the log says {self.log!r}"


def compare(log: LogFile, fold: Fold, *, hashed: bool, bodies: bool) -> Iterator[Drift]:
    """Each place where the tables differ from `fold`, which is brought to the head of every snapshot that is read.

    A page of jobs is read in a snapshot of its own. `bodies` hashes the results too. Jobs that the fold could not
    follow are passed over. Raises `LogDamaged` at the end if how far the tables have come is not one row.
    """
    seen: set[Id] = set()
    after = b""
    while True:
        with log.db:
            catch_up(log, fold, hashed=hashed)
            rows = log.db.execute(
                "SELECT CAST(id AS BLOB) FROM (SELECT id FROM batch_job WHERE id > CAST(?1 AS TEXT)"
                " UNION SELECT job_id FROM batch_target WHERE job_id > CAST(?1 AS TEXT) ORDER BY 1 LIMIT ?2)",
                (after, PAGE_JOBS),
            )
            ids: list[bytes] = [id for (id,) in rows]
            found = list(_compare_page(log.db, fold, ids, bodies))
        yield from found
        if not ids:
            break
        seen.update(map(_text, ids))
        after = ids[-1]
    with log.db:
        catch_up(log, fold, hashed=hashed)
        unseen = [job.id for job in fold.live() if job.id not in seen]  # lost, or submitted meanwhile
        found = [drift for id in unseen for drift in _compare_page(log.db, fold, [id.encode()], bodies)]
    yield from found
    with log.db:
        catch_up(log, fold, hashed=hashed)
        at, head = position(log.db), fold.position
    if at != head:
        yield Drift("", None, "position", at, head, min(at, head) + 1)


def _compare_page(db: apsw.Connection, fold: Fold, ids: Sequence[bytes], bodies: bool) -> Iterator[Drift]:
    """The drifts of the jobs `ids`, which are in order."""
    if not ids:
        return
    wanted = (ids[0], ids[-1])
    jobs = {row[0]: row for row in _select(db, _JOB_FIELDS, _IN_JOBS, wanted)}
    targets: defaultdict[Id, list[Values]] = defaultdict(list)
    if bodies:
        for row in _select(db, (*_COLUMNS, "CAST(result AS BLOB)"), _IN_TARGETS, wanted, _hashed):
            targets[row[0]].append(row[1:])
    else:
        for row in _select(db, _COLUMNS, _IN_TARGETS, wanted):
            targets[row[0]].append(row[1:])
    for id in map(_text, ids):
        if id not in fold.broken:
            yield from _compare_job(db, fold, id, jobs.get(id), targets.get(id, []), bodies)


_COLUMNS: Final = ("job_id", "idx", *_TARGET_FIELDS)
_IN_JOBS: Final = "FROM batch_job WHERE id BETWEEN CAST(? AS TEXT) AND CAST(? AS TEXT)"
_IN_TARGETS: Final = "FROM batch_target WHERE job_id BETWEEN CAST(? AS TEXT) AND CAST(? AS TEXT) ORDER BY job_id, idx"


def _select(
    db: apsw.Connection,
    columns: Sequence[str],
    where: str,
    bound: tuple[bytes, bytes],
    made: Callable[[Values], Values] = tuple,
) -> list[Values]:
    """What is `made` of each row. In place of a text that is not UTF-8 stand its bytes."""
    try:
        return [made(row) for row in db.execute(f"SELECT {', '.join(columns)} {where}", bound)]
    except UnicodeDecodeError:
        raw = ", ".join(
            f"CASE typeof({each}) WHEN 'text' THEN CAST({each} AS BLOB) ELSE {each} END" for each in columns
        )
        rows = db.execute(f"SELECT {raw} {where}", bound)
        # A result, the last of its row, is not shown but hashed: as bytes.
        kept = {n for n, each in enumerate(columns) if each.startswith("CAST")}
        return [made([value if n in kept else _text(value) for n, value in enumerate(row)]) for row in rows]


def _hashed(row: Values) -> Values:
    """The row with the SHA-256 of the result that ends it."""
    *values, result = row
    return (*values, None if result is None else hashlib.sha256(result).hexdigest())


def _text(value: Any) -> Any:
    """The text of bytes, or these if they are none; anything else as it is."""
    try:
        return value.decode() if isinstance(value, bytes) else value
    except UnicodeDecodeError:
        return value


def _shown(value: Any) -> Any:
    """The value as a drift has it."""
    return value.decode(errors="backslashreplace") if isinstance(value, bytes) else value


def _compare_job(
    db: apsw.Connection, fold: Fold, id: Id, row: Values | None, rows: list[Values], bodies: bool
) -> Iterator[Drift]:
    """The drifts of a job that has `row` in one table and `rows` in the other, each of these behind its idx."""
    if isinstance(id, bytes):
        yield Drift(_shown(id), None, None, "a row", None, 0)
        return
    last = fold.last.get(id, 0)
    job = fold.jobs.get(id)
    if job is not None and job.removed:
        job = None
    if row is None or job is None:
        if (row is None) != (job is None):
            yield Drift(id, None, None, "a row" if row else None, "one" if job else None, last)
        if job is None:
            yield from (Drift(id, idx, None, "a row", None, last) for idx, *_ in rows)
            return
    elif row != _of_job(job):
        yield from (Drift(id, None, column, has, says, last) for column, has, says in _pairs(_JOB_FIELDS, row, job))
    of_target = _of_target_with_body if bodies else _of_target
    if rows == [(idx, *of_target(target)) for idx, target in enumerate(job.targets)]:
        return
    fields = (*_TARGET_FIELDS, "sha256") if bodies else _TARGET_FIELDS
    seqs = _last_of_targets(db, id)
    by_idx: dict[int, Values] = {idx: values for idx, *values in rows}
    for idx in sorted(by_idx.keys() | range(len(job.targets))):
        values = by_idx.get(idx)
        target = job.targets[idx] if 0 <= idx < len(job.targets) else None
        if values is None or target is None:
            yield Drift(id, idx, None, "a row" if values else None, "one" if target else None, last)
            continue
        for column, has, says in _pairs(fields, values, target):
            yield Drift(id, idx, "result" if column == "sha256" else column, has, says, seqs.get(idx, last))


def _pairs(fields: Iterable[str], row: Values, state: Job | Target) -> Iterator[tuple[str, Any, Any]]:
    """Each column in which a row differs from the state, with both values."""
    for field, has in zip(fields, row, strict=True):
        should = getattr(state, field)
        if has != should:
            yield field, _shown(has), should


def _last_of_targets(db: apsw.Connection, job_id: str) -> dict[int, int]:
    """The seq of the last event of each target of a job."""
    return dict(
        db.execute(
            "SELECT data ->> '$.event.idx', max(seq) FROM event WHERE job_id = ?"
            " AND CASE WHEN json_valid(data) THEN type LIKE 'target.%' END GROUP BY 1",  # `type` raises else
            (job_id,),
        )
    )


def _digest(sha256: str | int | None) -> str:
    return "is missing" if sha256 is None else f"has SHA-256 {sha256}"
