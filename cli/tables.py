"""Jobs as tables for people."""

from rich.table import Table
from rich.text import Text

from .plain import visible
from .progress import STYLES
from .summary import Summary


def job_table(summary: Summary) -> Table:
    """One line a target: its idx, status, URL, and why it failed with what to do about it."""
    table = Table("idx", "status", "url", "error", box=None, pad_edge=False, header_style="bold")
    for column in table.columns[2:]:
        column.overflow = "fold"  # a URL that is cut short is of no use
    for row in summary.targets:
        error = Text(visible(row.error or ""), style="red")
        if row.hint:
            error.append(f"\n{visible(row.hint)}", style="dim")
        table.add_row(str(row.idx), Text(row.status, style=STYLES.get(row.status, "")), visible(row.url), error)
    return table
