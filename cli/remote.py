"""What the client commands do: each asks the service, prints, and returns its exit code."""

import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

import msgspec
from rich.console import Console

from ..fetch.target import Target
from .client import Accepted, Client, decoded
from .failure import OF_STATUS, UNFINISHED, UnfinishedFailure
from .plain import counted, visible
from .progress import JobProgress, final_line
from .results import DirectorySink, LineSink, Sink
from .summary import Row, Summary
from .tables import job_table

POLL_FIRST_S: Final = 0.1
POLL_LAST_S: Final = 2.0


def submit(client: Client, targets: Sequence[Target], *, key: str | None, as_json: bool) -> int:
    """Submit a batch; its id alone goes to standard output, so that a script can take it."""
    answer = client.submit_json(targets, key=key)
    accepted = decoded(answer, Accepted)
    if as_json:
        _print_json(answer)
        return 0
    print(accepted.job_id)
    what = f"{counted(accepted.targets, 'target')}, {accepted.status}"
    what += ", the job of an earlier submission" * accepted.reused
    print(f"{what}; follow it with: gofer watch {accepted.job_id}", file=sys.stderr)
    return 0


def status(client: Client, job_id: str, *, as_json: bool) -> int:
    """Print how a job and each of its targets stand."""
    answer = client.summary_json(job_id)
    summary = decoded(answer, Summary)
    if as_json:
        _print_json(answer)
        return 0
    console = Console(highlight=False)
    console.print(final_line(summary), soft_wrap=True)
    console.print(job_table(summary))
    return 0


def watch(client: Client, job_id: str, *, as_json: bool) -> int:
    """Show a job's progress until it is over; the exit code says how it ended."""
    console = Console(stderr=True, highlight=False)
    with JobProgress(console) as progress:
        summary = follow(client, job_id, progress.show)
    if as_json:
        _print_json(client.summary_json(job_id))
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
    """Print results: of all targets as JSON Lines, or of one its content alone; or keep them under `out`.

    The exit code says how the job, or the one target, stands.
    """
    if idx is not None and out is None:
        return _one_result(client.target_json(job_id, idx), as_json)
    if idx is None:
        summary = client.summary(job_id, results=True)
        rows: tuple[Row, ...] = summary.targets
        status: str = summary.status
    else:
        rows = (client.target(job_id, idx),)
        status = rows[0].status
    sink: Sink = LineSink(sys.stdout.buffer) if out is None else DirectorySink(out)
    for row in rows:
        if row.finished:
            sink.take(row)
    code = OF_STATUS[status]
    if code == UNFINISHED:
        what = f"job {job_id}" if idx is None else f"target {idx}"
        print(f"{what} is {status}: only finished targets are here", file=sys.stderr)
    return code


def _one_result(answer: bytes, as_json: bool) -> int:
    row = decoded(answer, Row)
    if as_json:
        _print_json(answer)
    elif row.error is not None:
        hint = f" ({visible(row.hint)})" if row.hint else ""
        print(f"target {row.idx}: {visible(row.error)}{hint}", file=sys.stderr)
    elif isinstance(row.result, msgspec.UnsetType):
        raise UnfinishedFailure(f"target {row.idx} is {row.status}: it has no result yet")
    else:
        write_content(msgspec.json.decode(row.result)["content"])
    return OF_STATUS[row.status]


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


def _print_json(answer: bytes) -> None:
    """The service's answer as it came."""
    sys.stdout.buffer.write(answer + b"\n")


def _seen(summary: Summary, seen: Callable[[Summary], None]) -> Summary:
    seen(summary)
    return summary
