"""Makes the golden log of the format that is written now, once: `.venv/bin/python tests/store/golden/make.py`.

`format-N.sql` is a whole database as text, `format-N.json` what its log says. Committed, they are never made again:
each later gofer has to replay them. The script refuses to replace them.
"""

import json
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import apsw
import msgspec
from gofer.events.job import (
    AddTargets,
    Cancel,
    Command,
    CompleteTarget,
    Evict,
    FailTarget,
    Finish,
    Interrupt,
    JobSubmitted,
    Start,
    StartTarget,
    Submit,
    Sweep,
    TargetSpec,
    Touch,
    fold,
)
from gofer.store.batch import BatchStore
from gofer.store.log import read_tree
from gofer.store.schema import SCHEMA_VERSION

TABLES = {
    "batch_job": "id, caller, caller_class, idem_key, status, error, targets_total, targets_done, created_at, lease,"
    " nbytes",
    "batch_target": "job_id, idx, url, options, status, error, hint, result",
}
FACTS = msgspec.Raw('{"dns":["93.184.216.34"],"redirects":["http://ü.example/"],"total_ms":87}'.encode())
SPECS = (
    TargetSpec("http://a.example/päge?q=1", '{"mode":"clean"}'),
    TargetSpec("https://[2606:2800:21f::1]/x.pdf", '{"mode":"digest","question":"why?","pages":"1-3"}'),
    TargetSpec("http://c.example/", "{}"),
)


def submitted(job_id: str, at_s: int, **fields: Any) -> JobSubmitted:
    given = {"caller": "alice", "caller_class": "fleet", "idem_key": f"key of {job_id}", "targets_total": len(SPECS)}
    return JobSubmitted(at_ms=at_s * 1000, job_id=job_id, created_at=at_s, lease=at_s, **{**given, **fields})


def lives() -> Iterator[tuple[str, Command, dict[int, str]]]:
    """Every event, and every status that a job and a target can be left in."""
    result = '{"content":"' + "lörem ipsum " * 30 + '"}'
    for n, job_id in enumerate(("done", "partial", "failed", "cancelled", "running", "queued", "swept", "evicted")):
        at_s = 1_000 + 10 * n
        at_ms = at_s * 1000
        yield job_id, Submit(submitted(job_id, at_s, caller="bob" if n % 2 else "alice")), {}
        yield job_id, AddTargets(SPECS), {}
        if job_id == "queued":
            yield job_id, Touch(at_ms + 4_000), {}
            continue
        yield job_id, Start(at_ms + 1_000), {}
        for idx in range(len(SPECS)):
            yield job_id, StartTarget(at_ms + 2_000, idx), {}
        if job_id != "failed":
            yield job_id, CompleteTarget.of(at_ms + 3_000, 0, result, FACTS), {0: result}
        if job_id in ("cancelled", "running"):
            yield job_id, FailTarget(at_ms + 3_500, 1, "http 404", "look for another address", FACTS), {}
        if job_id == "cancelled":
            yield job_id, Cancel(at_ms + 4_000), {}
        if job_id in ("cancelled", "running", "failed"):
            continue
        yield job_id, CompleteTarget.of(at_ms + 3_500, 1, None), {}
        if job_id == "partial":
            yield job_id, FailTarget(at_ms + 4_000, 2, "timeout: total", None), {}
        else:
            yield job_id, CompleteTarget.of(at_ms + 4_000, 2, "{}"), {2: "{}"}
        yield job_id, Finish(at_ms + 5_000), {}
        yield job_id, Touch(at_ms + 9_000), {}
    yield "swept", Sweep(1_200_000, 0), {}
    yield "evicted", Evict(1_200_000), {}
    yield "failed", Finish(1_030_000, "failed", "the job took too long"), {}
    yield "interrupted", Submit(submitted("interrupted", 1_100, caller_class="restricted"), SPECS), {}
    yield "interrupted", Interrupt(1_101_000, "interrupted: server restarted"), {}


def make(path: Path) -> BatchStore:
    store = BatchStore.open(path, clock=lambda: 0, entropy=Random(1).randbytes)
    for n, (job_id, command, bodies) in enumerate(lives()):
        with store.transaction():
            store.execute(job_id, command, bodies)
            if n % 20 == 10:
                store.mark_checkpoint()
    return store


def dump(db: apsw.Connection) -> str:
    """The database as SQL: tables, rows, then what guards them."""
    schema = list(db.execute("SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL"))
    lines = [f"PRAGMA {name} = {db.pragma(name)};" for name in ("application_id", "user_version")]
    lines += [f"{sql};" for kind, _, sql in schema if kind == "table"]
    for _, name, _ in (each for each in schema if each[0] == "table"):
        columns = [row[1] for row in db.execute(f"PRAGMA table_info({name})")]
        for row in db.execute(f"SELECT {', '.join(columns)} FROM {name} ORDER BY rowid"):
            values = ", ".join(map(apsw.format_sql_value, row))
            lines.append(f"INSERT INTO {name} ({', '.join(columns)}) VALUES ({values});")
    lines += [f"{sql};" for kind, _, sql in schema if kind != "table"]
    return "\n".join(lines) + "\n"


def told(store: BatchStore) -> dict[str, Any]:
    """What the log says, and what the tables made of it."""
    db, streams = store.connection, {}
    for each in store.read(0):
        streams.setdefault(each.job_id, []).append(each.event)
    return {
        "size": store.head(),
        "root": read_tree(db).root.hex(),
        "jobs": {job_id: json.loads(msgspec.json.encode(fold(events))) for job_id, events in streams.items()},
        **{
            table: [dict(zip(columns.split(", "), row, strict=True)) for row in rows(db, table, columns)]
            for table, columns in TABLES.items()
        },
    }


def rows(db: apsw.Connection, table: str, columns: str) -> list[Any]:
    return list(db.execute(f"SELECT {columns} FROM {table} ORDER BY 1, 2"))


def main() -> None:
    files = [Path(__file__).with_name(f"format-{SCHEMA_VERSION}.{kind}") for kind in ("sql", "json")]
    for file in files:
        if file.exists():
            sys.exit(f"{file.name} stands for ever; a new format has a new number")
    with tempfile.TemporaryDirectory() as folder, make(Path(folder) / "gofer.db") as store:
        files[0].write_text(dump(store.connection))
        files[1].write_text(json.dumps(told(store), indent=1, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
