"""`gofer audit`: each command's name, options and help. Its body imports what does the work.

Only light modules are imported above, so that help comes at once.
"""

import os
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import App, Parameter

from .parameters import IDX, JsonFlag

if TYPE_CHECKING:
    from .audit_work import Place

app = App(
    name="audit",
    help="Read the log: what was fetched for whom, when, with what outcome, and whether the record is whole.\n\n"
    "All but rebuild, import and archive only read. They work on a copy, and on the file of a service that runs.",
    help_format="plaintext",
    help_epilogue="Example: gofer audit verify",
    default_parameter=Parameter(show_default=False),
)

JobId = Annotated[str, Parameter(name="JOB", help="the job's id")]
PublicKeyFile = Annotated[
    Path | None,
    Parameter(
        name="--public-key", help="the log's public key, as `gofer audit key` prints it (default: the store's)"
    ),
]
CheckpointFile = Annotated[Path | None, Parameter(name="--checkpoint", help="a signed checkpoint, kept elsewhere")]
CheckpointFileWithTiles = Annotated[
    Path | None, Parameter(name="--checkpoint", help="a signed checkpoint, kept elsewhere, perhaps with its tiles")
]


@Parameter(name="*")
@dataclass(frozen=True)
class Where:
    """Which database: what every command has."""

    store: Annotated[
        Path | None, Parameter(name="--store", help="the database file (default: the one that the settings name)")
    ] = None
    segments: Annotated[
        Path | None, Parameter(name="--segments", help="the folder of archived segments (default: beside the store)")
    ] = None
    config: Annotated[Path | None, Parameter(name="--config", help="the settings file (default: GOFER_CONFIG)")] = (
        None
    )

    def place(self) -> "Place":
        """The files that the command is about."""
        from .audit_work import place

        return place(self.store, self.segments, self.config, os.environ)


@app.command(
    help_epilogue="Examples:\n  gofer audit verify\n"
    "  gofer audit verify --store copy.db --checkpoint kept/checkpoint --public-key gofer.pub"
)
def verify(
    *,
    where: Where = Where(),
    checkpoint: CheckpointFileWithTiles = None,
    public_key: PublicKeyFile = None,
    log_alone: Annotated[
        bool,
        Parameter(name="--log-alone", negative="", help="leave out results and keys: an imported log has no results"),
    ] = False,
    json: JsonFlag = False,
) -> int:
    """Check the whole record: every event, the tree, the checkpoints and tiles, the tables, the results, the seals.

    Exits 0 if it is whole, 1 if it is broken, and then says where.
    """
    from . import audit_work

    return audit_work.verify(where.place(), checkpoint, public_key, log_alone=log_alone, as_json=json)


@app.command(help_epilogue="Example: gofer audit key > gofer.pub")
def key(*, where: Where = Where()) -> int:
    """Print the public half of the log's signing key. Keep it elsewhere: it is what checkpoints are checked by."""
    from . import audit_work

    return audit_work.key(where.place())


@app.command(help_epilogue="Example: gofer audit checkpoint")
def checkpoint(*, where: Where = Where()) -> int:
    """Sign the log as it is now, and print the checkpoint's file. A service that runs signs by itself, too.

    The hashes of the events are written beside it first, so that `verify` can name those that are changed later.
    """
    from . import audit_work

    return audit_work.checkpoint(where.place())


@app.command(help_epilogue="Example: gofer audit timeline JOB")
def timeline(job: JobId, /, *, where: Where = Where(), json: JsonFlag = False) -> int:
    """Show every fact of one job: order, times, durations, caller, reads of it, outcome."""
    from . import audit_work

    return audit_work.timeline(where.place(), job, as_json=json)


@app.command(help_epilogue="Example: gofer audit explain JOB 0")
def explain(
    job: JobId,
    idx: Annotated[int, IDX, Parameter(help="the target's position, from 0")],
    /,
    *,
    where: Where = Where(),
    json: JsonFlag = False,
) -> int:
    """Show what was done for one target: what was checked, redirects, retries, times, bytes, outcome."""
    from . import audit_work

    return audit_work.explain(where.place(), job, idx, as_json=json)


@app.command(
    help_epilogue="Examples:\n  gofer audit replay --at 1200\n"
    "  gofer audit replay --at 2026-11-30T12:00:00Z --job JOB"
)
def replay(
    *,
    where: Where = Where(),
    at: Annotated[
        str | None, Parameter(help="a seq, or a time (ISO 8601; UTC unless it says otherwise); default: now")
    ] = None,
    job: Annotated[str | None, Parameter(help="this job alone, with its targets")] = None,
    json: JsonFlag = False,
) -> int:
    """Show the jobs as they stood then, folded from the log alone."""
    from . import audit_work

    return audit_work.replay(where.place(), at, job, as_json=json)


@app.command(help_epilogue="Example: gofer audit diff && echo no drift")
def diff(*, where: Where = Where(), json: JsonFlag = False) -> int:
    """Compare the tables with a fold of the log, row by row. Exits 1 if they differ."""
    from . import audit_work

    return audit_work.diff(where.place(), as_json=json)


@app.command(help_epilogue="Example: gofer audit rebuild")
def rebuild(*, where: Where = Where(), json: JsonFlag = False) -> int:
    """Make the tables anew from the log, with the service stopped.

    Nothing is fetched or appended, results are carried over, and ended half-way it changes nothing.
    """
    from . import audit_work

    return audit_work.rebuild(where.place(), as_json=json)


@app.command(
    help_epilogue="Examples:\n  gofer audit export > log.ndjson\n"
    "  gofer audit export --cloudevents --private --job JOB"
)
def export(
    *,
    where: Where = Where(),
    cloudevents: Annotated[bool, Parameter(negative="", help="one CloudEvent (1.0) a line")] = False,
    private: Annotated[
        bool,
        Parameter(negative="", help="with what is private, where it can be read: the jobs' keys, or opened events"),
    ] = False,
    job: Annotated[str | None, Parameter(help="the events of this job alone")] = None,
    first: Annotated[
        int, Parameter(name="--from", help="begin at this seq; at the log's next one there is no event yet")
    ] = 1,
) -> int:
    """Write the events to standard output as JSON Lines. What is private stays sealed unless asked for."""
    from . import audit_work

    return audit_work.export(where.place(), sys.stdout.buffer, first, job, cloudevents=cloudevents, private=private)


@app.command(name="import", help_epilogue="Example: gofer audit import log.ndjson copy.db")
def import_(
    source: Annotated[Path, Parameter(name="EXPORT", help="what `gofer audit export` wrote")],
    target: Annotated[Path, Parameter(name="FILE", help="the database to make; it must not exist, or be empty")],
    /,
) -> int:
    """Make a database of an export. It has the same root, or nothing is made or left behind."""
    from . import audit_work

    return audit_work.import_log(source, target)


@app.command(help_epilogue="Example: gofer audit prove JOB --sealed > job.proof")
def prove(
    job: JobId,
    /,
    *,
    where: Where = Where(),
    checkpoint: CheckpointFile = None,
    public_key: PublicKeyFile = None,
    sealed: Annotated[bool, Parameter(negative="", help="leave out the key to what is private in it")] = False,
) -> int:
    """Write a proof that one job's events are on the log that was signed. It shows nothing of other jobs."""
    from . import audit_work

    return audit_work.prove(where.place(), sys.stdout.buffer, job, checkpoint, public_key, sealed=sealed)


@app.command(name="check-proof", help_epilogue="Example: gofer audit check-proof job.proof --public-key gofer.pub")
def check_proof(
    proof: Annotated[Path, Parameter(name="FILE", help="what `gofer audit prove` wrote")],
    /,
    *,
    where: Where = Where(),
    public_key: PublicKeyFile = None,
    json: JsonFlag = False,
) -> int:
    """Check a proof, with nothing but the public key, and show what it proves.

    Exits 1 if it does not hold, 2 if the file is no proof or another key signed it.
    """
    from . import audit_work

    return audit_work.check_proof(where.place(), proof, public_key, as_json=json)


@app.command(help_epilogue="Example: gofer audit archive --before 2026-11-01")
def archive(
    *,
    where: Where = Where(),
    before: Annotated[str, Parameter(help="a time (ISO 8601; UTC unless it says otherwise)")],
) -> int:
    """Move the oldest events, whose jobs are all deleted, to a compressed file; with the service stopped.

    The log is verified before. Keep the file: the record is not whole without it.
    """
    from . import audit_work

    return audit_work.archive(where.place(), before)


@app.command(help_epilogue="Example: gofer audit backup copy.db")
def backup(
    target: Annotated[Path, Parameter(name="FILE", help="the copy; it must not exist")],
    /,
    *,
    where: Where = Where(),
    public_key: PublicKeyFile = None,
) -> int:
    """Copy the database while a service may go on writing, then check and verify the copy.

    The copy has results and keys in it: keep it as you keep the original. Exits 1 if it is not whole; if the original
    is not, either, the copy is kept.
    """
    from . import audit_work

    return audit_work.backup(where.place(), target, public_key)
