"""How a job is shown while it runs: a bar on a terminal, a plain line for each finished target otherwise."""

from types import TracebackType
from typing import Self

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.text import Text

from .plain import visible
from .summary import Row, Summary


class JobProgress:
    """Shows a job on `console`; a context manager, as a bar must give the terminal back.

    `show` takes each newer summary of the same job, as often as wanted: a target is told once, when it finished.
    """

    def __init__(self, console: Console) -> None:
        self._console = console
        self._told: set[int] = set()
        self._bar = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            console=console,
            transient=True,
            redirect_stdout=False,  # results may go there, into a pipe
            redirect_stderr=False,
            disable=not console.is_terminal,
        )
        self._task = self._bar.add_task("queued", total=None)

    def __enter__(self) -> Self:
        self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._bar.stop()

    def show(self, summary: Summary) -> None:
        """Bring the display up to `summary`."""
        for row in summary.targets:
            if row.finished and row.idx not in self._told:
                self._told.add(row.idx)
                self._console.print(finished_line(row), soft_wrap=True)
        self._bar.update(
            self._task, description=summary.status, completed=summary.targets_done, total=summary.targets_total
        )


def finished_line(row: Row) -> Text:
    """One finished target: its idx, how it ended, its URL, and if it failed why."""
    line = Text(f"{row.idx:>3}  ").append(f"{row.status:<6}  ", style=STYLES.get(row.status, ""))
    line.append(visible(row.url))
    if row.error:
        line.append(f"  {visible(row.error)}", style="red")
    if row.hint:
        line.append(f"  ({visible(row.hint)})", style="dim")
    return line


def final_line(summary: Summary) -> Text:
    """How a job stands, in one line."""
    line = Text(f"job {summary.job_id} ").append(summary.status, style=STYLES.get(summary.status, ""))
    line.append(f": {summary.count('done')} done, {summary.count('failed')} failed of {summary.targets_total}")
    return line.append(f"; {visible(summary.error)}") if summary.error else line


STYLES = {
    "done": "green",
    "failed": "red",
    "partial": "yellow",
    "cancelled": "yellow",
    "running": "cyan",
    "queued": "dim",
    "pending": "dim",
}
