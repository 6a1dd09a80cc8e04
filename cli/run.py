"""`gofer run`: one batch, embedded. The same system as the service's, on a store in memory, for a single job."""

import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

import msgspec
import trio
from rich.console import Console

from ..actors.journal import Commit
from ..actors.runner import Submission
from ..actors.system import open_system
from ..fetch.options import InvalidOption, check
from ..fetch.target import Caller, Target
from ..http.logs import log_to
from ..store.database import MEMORY
from ..store.reader import JobView
from ..store.rows import BatchTarget
from .failure import INTERRUPTED, OF_STATUS, UsageFailure
from .live import run_live, stop_on_signal
from .pipeline import open_pipeline, system_settings
from .progress import JobProgress, final_line
from .results import DirectorySink, LineSink, Sink
from .settings import Settings
from .summary import Row, Summary

CALLER: Final = Caller("local", "fleet")  # who types the command owns the machine; the guard holds for them too


def run(settings: Settings, targets: Sequence[Target], *, allow: Sequence[str], out: Path | None) -> int:
    """Fetch `targets` as one batch and return the exit code that tells how it ended.

    Results go to standard output, or under `out`, in idx order, each as soon as it and all before it are there.
    Progress goes to standard error. Raises `UsageFailure` for too many targets and for options that cannot be.
    """
    limit = settings.batch.max_targets
    if len(targets) > limit:
        raise UsageFailure(f"{len(targets)} targets: one batch takes {limit} (batch.max_targets); split them")
    for target in targets:
        try:
            check(target.options)
        except InvalidOption as error:
            raise UsageFailure(f"{error.field}: {error.reason}") from error
    replace = msgspec.structs.replace
    settings = replace(
        settings,
        guard=replace(settings.guard, allow=(*settings.guard.allow, *allow)),
        # There is this one job, and a user who interrupts it does not want to wait for what is left.
        batch=replace(settings.batch, max_live=1, max_live_per_caller=1, drain_timeout_s=0),
    )
    sink: Sink = LineSink(sys.stdout.buffer) if out is None else DirectorySink(out)
    log_to(sys.stderr.buffer)  # whatever a lower floor logs must not mix with results
    console = Console(stderr=True)

    async def main() -> Summary | None:
        with trio.CancelScope() as scope:
            async with stop_on_signal(scope.cancel):
                return await _run(settings, tuple(targets), sink, console)
        return None

    summary = run_live(main)
    if summary is None:
        return INTERRUPTED
    console.print(final_line(summary), soft_wrap=True)
    return OF_STATUS[summary.status]


async def _run(settings: Settings, targets: tuple[Target, ...], sink: Sink, console: Console) -> Summary:
    ring, bell = trio.open_memory_channel[None](1)

    def committed(_: Commit) -> None:
        with suppress(trio.WouldBlock):  # it rings already
            ring.send_nowait(None)

    async with (
        open_pipeline(settings) as pipeline,
        open_system(system_settings(settings, MEMORY), pipeline.fetcher, listeners=[committed]) as system,
    ):
        job_id = (await system.runner.submit(Submission(CALLER, targets))).job_id
        with JobProgress(console) as progress:
            taken = 0
            while True:
                view = system.reader.job(job_id)
                assert view is not None, "a live job is never removed"
                summary = _summary_of(view)
                progress.show(summary)
                while taken < len(targets) and summary.targets[taken].finished:
                    found = system.reader.target(job_id, taken)
                    assert found is not None
                    assert found[1] is not None
                    # In a thread, as whoever reads our output may be slow.
                    await trio.to_thread.run_sync(sink.take, _row_of(found[1]))
                    taken += 1
                if summary.finished:
                    return summary
                await bell.receive()


def _summary_of(view: JobView) -> Summary:
    job = view.job
    return Summary(
        job_id=job.id,
        status=job.status,
        targets_total=job.targets_total,
        targets_done=job.targets_done,
        targets=tuple(map(_row_of, view.targets)),
        error=job.error,
    )


def _row_of(target: BatchTarget) -> Row:
    result = msgspec.UNSET if target.result is None else msgspec.Raw(target.result)
    return Row(target.idx, target.url, target.status, target.error, target.hint, result)
