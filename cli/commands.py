"""What the command line offers: each command's name, options and help. Its body imports what does the work.

Only light modules are imported above, so that help comes at once.
"""

import os
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Annotated, Literal

from cyclopts import App, Parameter

from ..fetch.target import Options
from .audit import app as audit
from .parameters import IDX, JsonFlag

app = App(
    name="gofer",
    help="Batch web fetch: up to 32 URLs in, one result each out.",
    help_flags=("--help", "-h", "help"),
    version=lambda: version("gofer"),
    help_format="plaintext",
    help_epilogue="Example: gofer run https://example.org/",
    default_parameter=Parameter(show_default=False),
    suppress_keyboard_interrupt=False,  # the entry point turns it into an exit code, as it does all else
)

app.command(audit)

ConfigFile = Annotated[Path | None, Parameter(name="--config", help="the settings file (default: GOFER_CONFIG)")]
JobId = Annotated[str, Parameter(help="the id that `gofer submit` printed", allow_leading_hyphen=True)]
OutDir = Annotated[
    Path | None, Parameter(name="--out", help="keep each result as a file in this new directory, with index.ndjson")
]
Url = Annotated[str, Parameter(name="URL", help="what to fetch")]
TargetsFile = Annotated[
    str | None,
    Parameter(
        name="--targets",
        help="more of it from a file (`-`: standard input): JSON list, JSON Lines or URLs",
        allow_leading_hyphen=True,
    ),
]


def _text(help: str) -> Parameter:
    """Free text: it may begin with a hyphen, as a page range or a pattern does."""
    return Parameter(help=help, allow_leading_hyphen=True)


@Parameter(name="*")
@dataclass(frozen=True)
class TargetOptions:
    """The options of every target of a command."""

    mode: Annotated[Literal["clean", "raw", "digest"], Parameter(help="main content, body as text, or an answer")] = (
        "clean"
    )
    question: Annotated[str, _text("what a digest is to answer; a summary without one")] = ""
    pages: Annotated[str, _text("pages of a PDF, as in 1-3,7")] = ""
    grep: Annotated[str, _text("keep the lines that match this RE2 pattern")] = ""
    jq: Annotated[str, _text("run this jq program over JSON")] = ""
    context: Annotated[bool, Parameter(help="show the text around matches and answers")] = True
    recover: Annotated[bool, Parameter(help="try an archived copy when the origin fails", negative="")] = False

    def options(self) -> Options:
        """What each target is sent with; the default mode is left unsaid."""
        return Options(
            mode=self.mode if self.mode != "clean" else "",
            question=self.question,
            pages=self.pages,
            grep=self.grep,
            jq=self.jq,
            context=self.context,
            recover=self.recover,
        )


@app.command(help_epilogue="Example: gofer serve --config gofer.toml")
def serve(*, config: ConfigFile = None) -> int:
    """Run the service until SIGINT or SIGTERM.

    It then takes no more batches, ends those that run, and stops; a second signal ends it at once.
    Without settings it listens on 127.0.0.1:8380, keeps its database in your data directory, and keeps there a
    token that the other commands find by themselves.
    """
    from .serve import serve
    from .settings import load

    return serve(load(config, os.environ))


@app.command(
    usage="Usage: gofer run [OPTIONS] URL...",
    help_epilogue="Examples:\n  gofer run https://example.org/ https://example.com/\n"
    "  gofer run --targets urls.txt --grep 'price|cost' --out results",
)
def run(
    *urls: Url,
    targets: TargetsFile = None,
    options: TargetOptions = TargetOptions(),
    out: OutDir = None,
    allow: Annotated[
        tuple[str, ...],
        Parameter(
            help="a private host, host:port, address or network that may be fetched from; repeatable", negative=""
        ),
    ] = (),
    config: ConfigFile = None,
) -> int:
    """Fetch one batch here and now, without a server.

    Results go to standard output as JSON Lines, in the order of the targets.
    Exits 0 if all targets are done, 3 if some failed, 4 if all did.
    """
    from .run import run
    from .settings import load
    from .targets import collect

    return run(load(config, os.environ), collect(urls, targets, options.options()), allow=allow, out=out)


@app.command(
    usage="Usage: gofer submit [OPTIONS] URL...",
    help_epilogue="Example: gofer submit https://example.org/ https://example.com/ --mode raw",
)
def submit(
    *urls: Url,
    targets: TargetsFile = None,
    options: TargetOptions = TargetOptions(),
    key: Annotated[str | None, Parameter(help="the Idempotency-Key: one key, one job, whatever became of it")] = None,
    json: JsonFlag = False,
) -> int:
    """Hand a batch to the service and print the job's id at once."""
    from . import remote
    from .client import from_environment
    from .targets import collect

    wanted = collect(urls, targets, options.options())
    return remote.submit(from_environment(os.environ), wanted, key=key, as_json=json)


@app.command(help_epilogue="Example: gofer status JOB --json")
def status(job: JobId, /, *, json: JsonFlag = False) -> int:
    """Show how a job and each of its targets stand.

    Exits 0 whatever it shows: `gofer watch` and `gofer result` tell by their exit code.
    """
    from . import remote
    from .client import from_environment

    return remote.status(from_environment(os.environ), job, as_json=json)


@app.command(
    usage="Usage: gofer result [OPTIONS] JOB [IDX]",
    help_epilogue="Examples:\n  gofer result JOB > results.ndjson\n  gofer result JOB 0",
)
def result(
    job: JobId,
    idx: Annotated[int | None, IDX, Parameter(help="one target's position, from 0: print its content alone")] = None,
    /,
    *,
    out: OutDir = None,
    json: JsonFlag = False,
) -> int:
    """Print the results of a job.

    All come as JSON Lines; of one target, named by its idx, the content alone.

    Exits 3 if some targets failed, 4 if all did, or the one asked for; 5 while it is not over.
    """
    from . import remote
    from .client import from_environment

    return remote.result(from_environment(os.environ), job, idx, out=out, as_json=json)


@app.command(help_epilogue="Example: gofer watch JOB && gofer result JOB")
def watch(job: JobId, /, *, json: JsonFlag = False) -> int:
    """Follow a job until it is over.

    Exits 0 if it is done, 3 if some targets failed, 4 if all did or it was cancelled.
    """
    from . import remote
    from .client import from_environment

    return remote.watch(from_environment(os.environ), job, as_json=json)


@app.command(help_epilogue="Example: gofer cancel JOB")
def cancel(job: JobId, /) -> int:
    """Stop a job; results that it has are kept."""
    from . import remote
    from .client import from_environment

    return remote.cancel(from_environment(os.environ), job)


@app.command(help_epilogue="Example: gofer token alice --class restricted >> gofer.toml")
def token(
    name: Annotated[str, Parameter(help="who will hold it: the name that the log shows")],
    /,
    *,
    caller_class: Annotated[
        Literal["fleet", "restricted"],
        Parameter(name="--class", help="restricted: public internet only; fleet: what guard.allow names too"),
    ],
) -> int:
    """Make a new token, and the lines of the settings file that let it in.

    The token goes to standard error, once; the lines, which hold only its hash, to standard output.
    """
    from .token import token

    return token(name, caller_class)
