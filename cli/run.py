"""`gofer run`: one batch, embedded. The same system as the service's, on a store in memory, for a single job."""

import sys
from collections.abc import Iterable, Sequence
from contextlib import suppress
from itertools import takewhile
from pathlib import Path
from typing import Final

import msgspec
import trio
from rich.console import Console

from ..actors.journal import Commit
from ..actors.runner import Submission
from ..actors.settings import BatchSettings
from ..actors.system import open_system
from ..fetch.options import InvalidOption, check
from ..fetch.target import Caller, Target
from ..http.logs import log_to
from ..store.database import MEMORY
from ..store.reader import Reader
from ..store.rows import BatchTarget
from .failure import INTERRUPTED, OF_STATUS, UsageFailure
from .live import run_live, stop_on_signal
from .pipeline import open_pipeline, system_settings
from .plain import counted
from .progress import JobProgress, final_line
from .results import DirectorySink, LineSink, Sink
from .settings import GuardSettings, Settings
from .summary import Row, Summary

CALLER: Final = Caller("local", "fleet")  # who types the command owns the machine; the guard holds for them too


def run(settings: Settings, targets: Sequence[Target], *, allow: Sequence[str], out: Path | None) -> int:
    """Fetch `targets` as one batch and return the exit code that tells how it ended.

    Results go to standard output, or under `out`, in idx order, each as soon as it and all before it are there; on an
    interrupt those that are finished still go. Progress goes to standard error. Raises `UsageFailure` for too many
    targets and for options that cannot be.
    """
    limit = settings.batch.max_targets
    if len(targets) > limit:
        raise UsageFailure(f"{len(targets)} targets: one batch takes {limit} (batch.max_targets); split them")
    for idx, target in enumerate(targets):
        try:
            check(target.options)
        except InvalidOption as error:
            raise UsageFailure(f"target {idx}: {error.field}: {error.reason}") from error
    settings = msgspec.structs.replace(
        settings,
        guard=GuardSettings(allow=(*settings.guard.allow, *allow)),
        # One job, which nothing may remove before it is shown; and who interrupts it does not want to wait.
        batch=BatchSettings(job_timeout_s=settings.batch.job_timeout_s, max_bytes=sys.maxsize, drain_timeout_s=0),
    )
    sink: Sink = LineSink(sys.stdout.buffer) if out is None else DirectorySink(out)
    hold = out is None and sys.stdout.isatty()  # or results would tear the progress bar
    log_to(sys.stderr.buffer)  # whatever a lower floor logs must not mix with results
    console = Console(stderr=True, highlight=False)
    taken: set[int] = set()

    async def main() -> Summary | None:
        with trio.CancelScope() as scope:
            async with stop_on_signal(scope.cancel):
                return await _run(settings, tuple(targets), sink, taken, console, hold=hold)
        return None

    summary = run_live(main)
    if summary is None:
        console.print(f"interrupted: {len(taken)} of {counted(len(targets), 'target')} had ended, and are written")
        return INTERRUPTED
    console.print(final_line(summary), soft_wrap=True)
    return OF_STATUS[summary.status]


async def _run(
    settings: Settings, targets: tuple[Target, ...], sink: Sink, taken: set[int], console: Console, *, hold: bool
) -> Summary:
    """Run the one job to its end. `hold` keeps its results back until the progress is over.

    `taken` gets the idx of each that the sink took. Cancelled, it hands on all that are finished, those too that are
    behind one that is not.
    """
    ring, bell = trio.open_memory_channel[None](1)

    def committed(_: Commit) -> None:
        with suppress(trio.WouldBlock):  # it rings already
            ring.send_nowait(None)

    async with (
        open_pipeline(settings) as pipeline,
        open_system(system_settings(settings, MEMORY), pipeline.fetcher, listeners=[committed]) as system,
    ):
        job_id = (await system.runner.submit(Submission(CALLER, targets))).job_id

        async def hand_on(rows: Iterable[Row]) -> None:
            for row in rows:
                if row.idx not in taken:
                    # In a thread, as whoever reads our output may be slow.
                    await trio.to_thread.run_sync(sink.take, _row(system.reader, job_id, row.idx))
                    taken.add(row.idx)

        try:
            with JobProgress(console) as progress:
                while True:
                    summary = _summary(system.reader, job_id)
                    progress.show(summary)
                    if not hold:
                        await hand_on(takewhile(_finished, summary.targets))
                    if summary.finished:
                        break
                    await bell.receive()
            await hand_on(summary.targets)
        except trio.Cancelled:
            with trio.CancelScope(shield=True):  # a second signal ends this too
                await hand_on(filter(_finished, _summary(system.reader, job_id).targets))
            raise
        return summary


def _finished(row: Row) -> bool:
    return row.finished


def _summary(reader: Reader, job_id: str) -> Summary:
    view = reader.job(job_id)
    assert view is not None, "nothing removes the only job"
    job = view.job
    return Summary(
        job_id=job.id,
        status=job.status,
        targets_total=job.targets_total,
        targets_done=job.targets_done,
        targets=tuple(map(_row_of, view.targets)),
        error=job.error,
    )


def _row(reader: Reader, job_id: str, idx: int) -> Row:
    _, target = reader.target(job_id, idx) or (None, None)
    assert target is not None, "nothing removes the only job"
    return _row_of(target)


def _row_of(target: BatchTarget) -> Row:
    result = msgspec.UNSET if target.result is None else msgspec.Raw(target.result)
    hint = target.hint and target.hint.replace("the operator's guard.allow", "--allow")  # here they are one
    return Row(target.idx, target.url, target.status, target.error, hint, result)
