"""`python -m gofer.cli.demo`: the service at work, on a small site of its own on loopback, with nothing to set up.

It is what a user would do by hand: start the service, submit a batch over HTTP, watch it, look at the results.
"""

import io
import sys
import tempfile
from functools import partial
from pathlib import Path
from typing import Final

import msgspec
import trio
from rich.console import Console
from rich.table import Table
from rich.text import Text

from ..fetch.target import Options, Target
from ..http.logs import log_to
from .client import Client
from .demo_site import serve_site
from .failure import FAILED, INTERRUPTED
from .home import new_token
from .live import run_live, stop_on_signal
from .plain import visible
from .progress import JobProgress, final_line
from .remote import follow
from .serve import first_run_caller, run_service
from .settings import GuardSettings, ServerSettings, Settings, StoreSettings
from .summary import Row, Summary

BATCH: Final = (
    ("/lighthouse", Options()),
    ("/harbour", Options()),
    ("/tides.json", Options(jq='.tides[] | select(.kind == "high") | .at')),
    ("/ferry.pdf", Options(pages="2")),
    ("/old-lighthouse", Options(mode="digest", question="How far can fishermen see the light?", context=False)),
    ("/weather", Options(grep="wind", context=False)),
    ("/bus", Options()),  # the one that fails: there is none
)
SHOWN_CHARS: Final = 140


def main() -> int:
    """Run the demo and return its exit code: 0 if the service fetched all that is there."""
    console = Console(highlight=False)
    log = log_to(io.BytesIO())  # the service's own log would break the picture

    async def demo() -> int:
        with tempfile.TemporaryDirectory(prefix="gofer-demo-") as directory, trio.CancelScope() as scope:
            async with stop_on_signal(scope.cancel), trio.open_nursery() as nursery:
                site = await nursery.start(serve_site)
                token = new_token()
                settings = Settings(
                    server=ServerSettings(bind="127.0.0.1:0"),
                    store=StoreSettings(path=str(Path(directory) / "demo.db")),
                    guard=GuardSettings(allow=(site,)),  # loopback is out of reach unless it is named
                )
                callers = (first_run_caller(token),)
                url = await nursery.start(partial(run_service, settings, callers, log=log, shutdown=trio.Event()))
                console.print(f"gofer is ready on {url}; a small site of its own is on http://{site}\n")
                client = Client(url, token)
                summary = await trio.to_thread.run_sync(visit, client, site, console, abandon_on_cancel=True)
                nursery.cancel_scope.cancel()
        if scope.cancelled_caught:
            return INTERRUPTED
        return 0 if [row.idx for row in summary.targets if row.error] == [len(BATCH) - 1] else FAILED

    return run_live(demo)


def visit(client: Client, site: str, console: Console) -> Summary:
    """What a caller does: submit, watch, collect. Returns the job with its results."""
    accepted = client.submit([Target(f"http://{site}{path}", options) for path, options in BATCH])
    console.print(f"POST /v1/batch: job {accepted.job_id}, {accepted.targets} targets, {accepted.status}\n")
    with JobProgress(console) as progress:
        follow(client, accepted.job_id, progress.show)
    summary = client.summary(accepted.job_id, results=True)
    console.print()
    console.print(final_line(summary), soft_wrap=True)
    table = Table("target", "result", show_lines=True)
    for row, (path, options) in zip(summary.targets, BATCH, strict=True):
        table.add_row(asked(path, options), outcome(row))
    console.print(table)
    return summary


def asked(path: str, options: Options) -> Text:
    """A target: its path, and below it its options."""
    given = {key: value for key, value in msgspec.to_builtins(options).items() if key != "context"}
    return Text("\n".join([path, *(f"  {key}: {value}" for key, value in given.items())]))


def outcome(row: Row) -> Text:
    """The type, size and beginning of a result, or why there is none."""
    if isinstance(row.result, msgspec.UnsetType):
        return Text.assemble((visible(row.error or row.status), "red"), "\n", (visible(row.hint or ""), "dim"))
    envelope = msgspec.json.decode(row.result)
    head = f"{envelope['content_type']}, {envelope['nbytes']} bytes, {envelope['elapsed_ms']} ms"
    if envelope["final_url"] != envelope["url"]:
        head += f", from {envelope['final_url']}"
    content = " ".join(envelope["content"].split())
    shown = content if len(content) <= SHOWN_CHARS else content[:SHOWN_CHARS] + " …"
    return Text.assemble((visible(head), "dim"), "\n", visible(shown))


if __name__ == "__main__":
    sys.exit(main())
