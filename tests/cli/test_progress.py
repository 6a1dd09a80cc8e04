"""Progress: a line for each finished target, told once; nothing of a page steers the terminal."""

import io

import pytest
from gofer.cli.progress import JobProgress, final_line
from gofer.cli.summary import Row, Summary
from rich.console import Console


def summary(*rows: Row, status: str = "running", error: str = "") -> Summary:
    done = sum(row.finished for row in rows)
    return Summary("j", status, len(rows), done, rows, error=error)


@pytest.mark.parametrize("terminal", [False, True])
def test_each_finished_target_is_told_once(terminal: bool) -> None:
    stream = io.StringIO()
    console = Console(file=stream, force_terminal=terminal, width=40, color_system=None)
    long_url = "http://a/" + "x" * 80
    with JobProgress(console) as progress:
        progress.show(summary(Row(0, "http://b/", "running"), Row(1, long_url, "pending")))
        progress.show(summary(Row(0, "http://b/", "running"), Row(1, long_url, "done")))
        progress.show(summary(Row(0, "http://b/", "failed", "[red]http 404", "h"), Row(1, long_url, "done")))
    text = stream.getvalue()
    assert text.count(f"  1  done    {long_url}\n") == 1
    assert text.count("  0  failed  http://b/  [red]http 404  (h)\n") == 1
    assert text.index("  1  done") < text.index("  0  failed")
    assert ("━" in text) is terminal, "the bar is for terminals alone"


def test_a_url_cannot_steer_the_terminal() -> None:
    stream = io.StringIO()
    with JobProgress(Console(file=stream)) as progress:
        progress.show(summary(Row(0, "http://a/\x1b[2J", "done")))
    assert "\x1b" not in stream.getvalue()


def test_the_last_line_says_how_the_job_ended() -> None:
    rows = (Row(0, "http://a/", "done"), Row(1, "http://b/", "failed", "e"))
    assert final_line(summary(*rows, status="partial")).plain == "job j partial: 1 done, 1 failed of 2"
    line = final_line(summary(*rows, status="failed", error="timeout: job")).plain
    assert line == "job j failed: 1 done, 1 failed of 2; timeout: job"
