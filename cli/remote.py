"""What the client commands do: each asks the service, prints, and returns its exit code."""

import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

import msgspec
from rich.console import Console

from ..fetch.target import Target
from .client import Client
from .failure import OF_STATUS, Failure
from .plain import visible
from .progress import JobProgress, final_line
from .results import DirectorySink, LineSink, Sink
from .summary import Row, Summary
from .tables import job_table

POLL_FIRST_S: Final = 0.1
POLL_LAST_S: Final = 2.0


def submit(client: Client, targets: Sequence[Target], *, key: str | None, as_json: bool) -> int:
    """Submit a batch; its id alone goes to standard output, so that a script can take it."""
    accepted = client.submit(targets, key=key)
    if as_json:
        print(msgspec.json.encode(accepted).decode())
        return 0
    print(accepted.job_id)
    what = f"{accepted.targets} targets, {accepted.status}" + (", the job of an earlier submission" * accepted.reused)
    print(f"{what}; follow it with: gofer watch {accepted.job_id}", file=sys.stderr)
    return 0


def status(client: Client, job_id: str, *, as_json: bool) -> int:
    """Print how a job and each of its targets stand."""
    _print_summary(client.summary(job_id), as_json)
    return 0


def watch(client: Client, job_id: str, *, as_json: bool) -> int:
    """Show a job's progress until it is over; the exit code says how it ended."""
    console = Console(stderr=True, highlight=False)
    with JobProgress(console) as progress:
        summary = follow(client, job_id, progress.show)
    if as_json:
        _print_summary(summary, as_json)
    else:
        console.print(final_line(summary), soft_wrap=True)
    return OF_STATUS[summary.status]


def follow(
    client: Client, job_id: str, seen: Callable[[Summary], None], *, sleep: Callable[[float], None] = time.sleep
) -> Summary:
    """Poll a job until it is over and return it then; `seen` gets each answer.

    Polls often while targets finish and backs off while none does. The service ends every job by its own time-out.
    """
    pause_s, done = POLL_FIRST_S, -1
    while not (summary := _seen(client.summary(job_id), seen)).finished:
        pause_s = POLL_FIRST_S if summary.targets_done != done else min(pause_s * 1.5, POLL_LAST_S)
        done = summary.targets_done
        sleep(pause_s)
    return summary


def result(client: Client, job_id: str, idx: int | None, *, out: Path | None, as_json: bool) -> int:
    """Print results: of all targets as JSON Lines (or under `out`), or of one its content alone."""
    if idx is not None:
        return _one_result(client.target(job_id, idx), as_json)
    summary = client.summary(job_id, results=True)
    sink: Sink = LineSink(sys.stdout.buffer) if out is None else DirectorySink(out)
    for row in summary.targets:
        if row.finished:
            sink.take(row)
    if not summary.finished:
        print(f"job {job_id} is {summary.status}: only finished targets are here", file=sys.stderr)
    return OF_STATUS.get(summary.status, 0)


def _one_result(row: Row, as_json: bool) -> int:
    if as_json:
        print(msgspec.json.encode(row).decode())
        return OF_STATUS.get(row.status, 0)
    if row.error is not None:
        hint = f" ({visible(row.hint)})" if row.hint else ""
        print(f"target {row.idx}: {visible(row.error)}{hint}", file=sys.stderr)
        return OF_STATUS["failed"]
    if isinstance(row.result, msgspec.UnsetType):
        raise Failure(f"target {row.idx} is {row.status}: it has no result yet")
    write_content(msgspec.json.decode(row.result)["content"])
    return 0


def cancel(client: Client, job_id: str) -> int:
    """End a job."""
    client.cancel(job_id)
    print(f"job {job_id} cancelled")
    return 0


def write_content(content: str) -> None:
    """A page's content on standard output: as it is into a pipe, without control characters on a terminal."""
    if sys.stdout.isatty():
        content = "\n".join(visible(line.expandtabs()) for line in content.split("\n"))
    sys.stdout.buffer.write(content.encode() + b"\n" * (not content.endswith("\n")))
    sys.stdout.flush()


def _print_summary(summary: Summary, as_json: bool) -> None:
    if as_json:
        print(msgspec.json.encode(summary).decode())
        return
    console = Console(highlight=False)
    console.print(final_line(summary), soft_wrap=True)
    console.print(job_table(summary))


def _seen(summary: Summary, seen: Callable[[Summary], None]) -> Summary:
    seen(summary)
    return summary
