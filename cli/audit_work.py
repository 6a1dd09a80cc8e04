"""What the commands of `gofer audit` do: find the files, call the store, say what came of it."""

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import BinaryIO, Final

import apsw
import msgspec
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from ..actors.settings import AuditSettings
from ..events.job import Contradiction, Job
from ..events.merkle import ProofError
from ..store.archive import SegmentMissing, segment_folder
from ..store.audit import Report, Signed, read_checkpoints, tiles_of
from ..store.audit import verify as verify_log
from ..store.audit_archive import archive as archive_log
from ..store.audit_fold import Finding
from ..store.audit_job import Explanation, Timeline
from ..store.audit_job import explain as explain_target
from ..store.audit_job import timeline as timeline_of
from ..store.audit_proof import MAX_PROOF_BYTES, NotAProof, check
from ..store.audit_proof import prove as prove_job
from ..store.audit_rebuild import rebuild as rebuild_tables
from ..store.audit_replay import position_at, present
from ..store.audit_replay import replay as replay_log
from ..store.audit_tables import Drift, compare
from ..store.audit_tiles import Evidence
from ..store.audit_walk import LogFile, open_log_file
from ..store.database import StoreError
from ..store.files import read
from ..store.leaves import stored_leaves
from ..store.log import LogDamaged, head, read_tree
from ..store.log import verify as verify_since
from ..store.notary import Notary, checkpoint_files, checkpoint_folder, key_file
from ..store.note import NoteError, PublicKey, SigningKey
from ..store.sealing import SealBroken
from ..store.tiles import has_tiles
from ..store.transfer import backup as back_up
from ..store.transfer import export as export_log
from ..store.transfer import import_log as import_lines
from .failure import FAILED, Failure, UsageFailure
from .plain import counted, visible
from .settings import load, located

PIPED_COLUMNS: Final = 2_000  # a line stays one where no terminal shows it
SEE: Final = "see `gofer audit verify`"
UNSIGNED: Final = (
    "gofer: no signed checkpoint: a log that was rewritten as a whole would pass;"
    " name one with `gofer audit verify --checkpoint`"
)
IMPORTED: Final = (
    "gofer: no result or no key is there: an imported log lacks them; if this is one, verify it with --log-alone"
)


class Place(msgspec.Struct, frozen=True):
    """Where a log and its evidence are."""

    store: Path
    segments: Path
    checkpoints: Path
    key: Path


def place(store: Path | None, segments: Path | None, config: Path | None, environ: Mapping[str, str]) -> Place:
    """The files that a command is about. Raises `UsageFailure`."""
    settings = load(config, environ)
    store = store or Path(located(settings.store.path))
    audit: AuditSettings = settings.audit
    return Place(
        store,
        segments or segment_folder(store),
        Path(located(audit.checkpoints)) if audit.checkpoints else checkpoint_folder(store),
        Path(located(audit.key)) if audit.key else key_file(store),
    )


# ---------------------------------------------------------------- the commands


def verify(at: Place, checkpoint: Path | None, key: Path | None, *, log_alone: bool, as_json: bool) -> int:
    """See `gofer audit verify`."""
    with _said():
        signed, findings, tiles = _evidence(at, checkpoint, key)
        with _log(at) as log, _progress("events") as progress:
            report = verify_log(log, signed, tiles, log_alone=log_alone, progress=progress)
    if not log_alone and _looks_imported(report):
        print(IMPORTED, file=sys.stderr)
    return _tell_report(msgspec.structs.replace(report, findings=(*findings, *report.findings)), as_json)


def _looks_imported(report: Report) -> bool:
    """No job has its key, or no result is there."""
    found = [finding.kind for finding in report.findings]
    return (not report.opened and "seal" in found) or (bool(report.bodies) and found.count("body") == report.bodies)


def key(at: Place) -> int:
    """See `gofer audit key`."""
    with _said():
        print(_signing_key(at).public)
    return 0


def checkpoint(at: Place) -> int:
    """See `gofer audit checkpoint`."""
    with _said():
        _signing_key(at)  # before a notary would make one
        notary = Notary.open(at.checkpoints, at.key)
        with _log(at) as log:
            with log.db:
                verify_since(log.db, notary.newest())
                tree = read_tree(log.db)
            note = notary.sign(tree, partial(stored_leaves, log.db, at.segments))
        print(note)
    return 0


def timeline(at: Place, job: str, *, as_json: bool) -> int:
    """See `gofer audit timeline`."""
    with _said(), _log(at) as log:
        found = timeline_of(log, job)
    if as_json:
        _json(found)
    else:
        _show_timeline(found)
    return _tell_missing(found.missing)


def explain(at: Place, job: str, idx: int, *, as_json: bool) -> int:
    """See `gofer audit explain`."""
    with _said(), _log(at) as log:
        found = explain_target(log, job, idx)
    if as_json:
        _json(found)
    else:
        _show_explanation(found)
    return _tell_missing(found.missing)


def replay(at: Place, when: str | None, job: str | None, *, as_json: bool) -> int:
    """See `gofer audit replay`."""
    with _said(), _log(at) as log, _progress("events") as progress:
        if when is None:
            upto = head(log.db)
        else:
            upto = (
                int(when)
                if when.isascii() and when.isdigit()
                else position_at(log, _time_ms("--at", when, "neither a seq nor a time"))
            )
        fold = replay_log(log, upto, progress=progress)
        jobs = list(fold.live()) if job is None else [fold.jobs[job]] if job in fold.jobs else []
        if job is not None and not jobs:
            raise UsageFailure(f"no job {job} on this log at event {upto}")
    if as_json:
        _json({"at": upto, "jobs": jobs})
    else:
        _show_jobs(upto, jobs, targets=job is not None)
    return 0


def diff(at: Place, *, as_json: bool) -> int:
    """See `gofer audit diff`."""
    with _said(), _log(at) as log:
        with _progress("events") as progress:
            fold = present(log, progress=progress)
        drifts = list(compare(log, fold, hashed=False, bodies=True))
    if as_json:
        _json(drifts)
    elif drifts:
        _show_drifts(drifts)
    else:
        print(f"no drift: {counted(sum(1 for _ in fold.live()), 'job')} as {counted(fold.position, 'event')} say")
    return FAILED if drifts else 0


def rebuild(at: Place, *, as_json: bool) -> int:
    """See `gofer audit rebuild`."""
    with _said():
        signed = _own_evidence(at, "nothing was rebuilt")
        with _progress("events") as progress:
            done = rebuild_tables(_existing(at.store), signed, progress=progress)
    if as_json:
        _json(done)
        return 0
    if done.drifts:
        _show_drifts(done.drifts)
    print(
        f"rebuilt {counted(done.jobs, 'job')} and {counted(done.targets, 'target')}"
        f" from {counted(done.events, 'event')}; {counted(len(done.drifts), 'difference')} mended"
    )
    return 0


def export(at: Place, out: BinaryIO, first: int, job: str | None, *, cloudevents: bool, private: bool) -> int:
    """See `gofer audit export`."""
    if first < 1:
        raise UsageFailure("--from: events are counted from 1")
    with _said(), _log(at) as log, _progress("events") as progress:
        export_log(
            log, out.write, first=first, job_id=job, cloudevents=cloudevents, private=private, progress=progress
        )
    return 0


def import_log(source: Path, target: Path) -> int:
    """See `gofer audit import`."""
    with _said(), _progress("events") as progress, source.open("rb") as lines:
        tree = import_lines(lines, target, progress=progress)
    print(f"{counted(tree.size, 'event')}, root {tree.root.hex()}")
    return 0


def prove(at: Place, out: BinaryIO, job: str, checkpoint: Path | None, key: Path | None, *, sealed: bool) -> int:
    """See `gofer audit prove`."""
    with _said():
        public = _public_key(at, key)
        with _log(at) as log:
            note = _given_note(checkpoint, public) if checkpoint else _newest_note(at, public, head(log.db))
            out.write(prove_job(log, job, note, public, sealed=sealed))
    return 0


def check_proof(at: Place, proof: Path, key: Path | None, *, as_json: bool) -> int:
    """See `gofer audit check-proof`."""
    with _said():
        public = _public_key(at, key)
        with _reading(proof), proof.open("rb") as file:
            proven = check(file.read(MAX_PROOF_BYTES + 1), public)
    if as_json:
        _json(proven)
        return 0
    job = proven.job
    print(f"proven: the log {proven.origin} had {proven.size} events, {len(proven.events)} of them of job {job.id}")
    done = f"{job.targets_done} of {counted(job.targets_total, 'target')}"
    print(f"as of then: {job.status}, {done}, for {visible(job.caller)}")
    for seq, event in proven.events:
        print(f"{seq:>10}  {_time(event.at_ms)}  {event.__struct_config__.tag}")
    if proven.opened:
        for idx, target in enumerate(job.targets):
            print(f"{idx:>3}  {target.status:<6}  {visible(target.url)}  {visible(target.error or '')}".rstrip())
    else:
        print("what is private in it is sealed")
    return 0


def archive(at: Place, before: str) -> int:
    """See `gofer audit archive`."""
    before_ms = _time_ms("--before", before, "no time")
    with _said():
        signed = _own_evidence(at, "nothing was archived")
        with _progress("events") as progress:
            segment = archive_log(_existing(at.store), at.segments, before_ms, signed, progress=progress)
    if segment is None:
        print("nothing to archive: no event from before then but of jobs that are still kept, or behind such")
    else:
        print(f"{at.segments / segment.file}: events to {segment.upto}, SHA-256 {segment.sha256}")
    return 0


def backup(at: Place, target: Path, key: Path | None) -> int:
    """See `gofer audit backup`."""
    with _said():
        checkpoint_files(at.checkpoints)  # if they cannot be read, that is told before the copy is made
        with _log(at) as log, _progress("pages") as progress:
            back_up(log, target, progress=progress)
        # Read after the copy was made, a checkpoint could be ahead of it: then it is of a later log, and no fault.
        signed, findings, _ = _evidence(at, None, key) if key or at.key.exists() else ([], [], None)
        with open_log_file(target, segments=at.segments) as copy, _progress("events") as progress:
            size = head(copy.db)
            signed = [each for each in signed if each.checkpoint.size <= size]
            report = verify_log(copy, signed, tiles_of(at.checkpoints, signed), progress=progress)
    if report.findings:
        print(f"gofer: {target} is a true copy: what is told of it is damage of {at.store}", file=sys.stderr)
    return _tell_report(msgspec.structs.replace(report, findings=(*findings, *report.findings)), as_json=False)


# ---------------------------------------------------------------- files and faults


@contextmanager
def _said() -> Iterator[None]:
    """Each expected fault as one line: what was asked wrongly exits 2, a record that is broken exits 1."""
    try:
        yield
    except (LogDamaged, SegmentMissing, ProofError) as error:
        raise Failure(str(error)) from None
    except Contradiction as error:
        raise Failure(f"the log is broken: {error}; {SEE}") from None
    except msgspec.DecodeError as error:
        raise Failure(f"the log is broken: an event is none that this gofer knows: {error}; {SEE}") from None
    except apsw.SQLError as error:
        if "malformed JSON" not in str(error):
            raise
        raise Failure(f"the log is broken: an event is no JSON; {SEE}") from None
    except SealBroken as error:
        raise Failure(f"{error}; {SEE}") from None
    except (StoreError, NoteError) as error:
        raise UsageFailure(str(error)) from None
    except (apsw.CorruptError, apsw.NotADBError, apsw.IOError) as error:
        raise Failure(f"the database is damaged ({error})") from None
    except apsw.FullError as error:
        raise UsageFailure(f"there is no room ({error}); make room on the disk, then run the command again") from None
    except (apsw.CantOpenError, apsw.ReadOnlyError, apsw.BusyError) as error:
        raise UsageFailure(f"the database cannot be read here ({error}); copy it, with its -wal, elsewhere") from None
    except UnicodeDecodeError as error:  # of the files each is read within `_reading`
        raise Failure(f"the database has text that is not UTF-8 ({error}); {SEE}") from None
    except BrokenPipeError:
        raise
    except PermissionError as error:
        raise UsageFailure(f"{error.filename}: {error.strerror}; run this as the user who runs the service") from None
    except OSError as error:
        raise UsageFailure(f"{error.filename or 'a file'}: {error.strerror}") from None


@contextmanager
def _reading(what: str | Path, remedy: str = "") -> Iterator[None]:
    """While the file `what`, an option with it or its path, is read: says of which one a fault is, and what to do."""
    try:
        yield
    except UnicodeDecodeError:
        raise UsageFailure(f"{what}: it is not text{remedy}") from None
    except (NoteError, NotAProof) as error:
        raise UsageFailure(f"{what}: {error}{remedy}") from None


@contextmanager
def _log(at: Place) -> Iterator[LogFile]:
    with open_log_file(at.store, segments=at.segments) as log:
        yield log


def _existing(store: Path) -> Path:
    """A writer would make what is not there."""
    if not store.exists():
        raise UsageFailure(f"{store} is not there; name the database with --store")
    return store.resolve()


def _signing_key(at: Place) -> SigningKey:
    try:
        with _reading(at.key, "; restore it from a copy"):
            return SigningKey.parse(at.key.read_text())
    except FileNotFoundError:
        raise UsageFailure(f"no signing key at {at.key}; the first `gofer serve` makes it") from None


def _public_key(at: Place, file: Path | None) -> PublicKey:
    if file is None and not at.key.exists():
        raise UsageFailure(f"no signing key at {at.key}: name the log's public key with --public-key")
    if file is None:
        return _signing_key(at).public
    with _reading(f"--public-key {file}"):
        return PublicKey.parse(file.read_text())


def _given_note(file: Path, public: PublicKey) -> str:
    """The note that was named with --checkpoint, which the log's key has signed."""
    with _reading(f"--checkpoint {file}"):
        note = file.read_text()
        public.open(note)
    return note


def _evidence(
    at: Place, checkpoint: Path | None, key: Path | None
) -> tuple[list[Signed], list[Finding], Evidence | None]:
    """The signed checkpoints at hand, what is wrong with those that are none, and tiles.

    These are beside the checkpoint that was named, or else in the folder of checkpoints.
    """
    if checkpoint is None and not checkpoint_files(at.checkpoints):
        return [], [], None
    public = _public_key(at, key)
    given = [] if checkpoint is None else [Signed(checkpoint.name, public.open(_given_note(checkpoint, public)))]
    signed, findings = read_checkpoints(at.checkpoints, public)
    if checkpoint and has_tiles(checkpoint.parent) and checkpoint.parent.resolve() != at.checkpoints.resolve():
        return [*given, *signed], findings, tiles_of(checkpoint.parent, given)
    return [*given, *signed], findings, tiles_of(at.checkpoints, signed)


def _own_evidence(at: Place, otherwise: str) -> list[Signed]:
    """The checkpoints of a log that is to be written to, if its key is there. A bad one is a `Failure`."""
    signed, findings, _ = _evidence(at, None, None) if at.key.exists() else ([], [], None)
    if findings:
        raise Failure(f"{otherwise}: {findings[0].text}")
    return signed


def _newest_note(at: Place, public: PublicKey, size: int) -> str:
    """The newest checkpoint of at most `size` events: a copy may be older than the folder.

    What is no checkpoint of this log is passed over, and told.
    """
    signed, findings = read_checkpoints(at.checkpoints, public)
    for finding in findings:
        print(f"gofer: {visible(finding.text)}", file=sys.stderr)
    fitting = [each for each in signed if each.checkpoint.size <= size]
    if not fitting:
        raise UsageFailure(
            f"no checkpoint of these events in {at.checkpoints}; sign one with `gofer audit checkpoint`"
        )
    return read(at.checkpoints / max(fitting, key=lambda each: each.checkpoint.size).source).decode()


def _time_ms(option: str, text: str, fault: str) -> int:
    try:
        time = datetime.fromisoformat(text)
    except ValueError:
        raise UsageFailure(f"{option}: {text!r} is {fault} such as 2026-11-30T12:00:00Z") from None
    return int((time if time.tzinfo else time.replace(tzinfo=UTC)).timestamp() * 1000)


# ---------------------------------------------------------------- showing


@contextmanager
def _progress(what: str) -> Iterator[Callable[[int, int], None]]:
    """A bar on a terminal, nothing elsewhere."""
    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task(what, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


def _json(value: object) -> None:
    sys.stdout.write(msgspec.json.encode(value).decode() + "\n")


def _table(rows: Sequence[Sequence[str]], *heads: str) -> None:
    table = Table(*heads, box=None, pad_edge=False, header_style="bold")
    for column in table.columns:
        column.overflow = "fold"
    for row in rows:
        table.add_row(*(visible(cell) for cell in row))
    Console(markup=False, highlight=False, width=None if sys.stdout.isatty() else PIPED_COLUMNS).print(table)


def _tell_report(report: Report, as_json: bool) -> int:
    if not report.checkpoints:
        print(UNSIGNED, file=sys.stderr)
    if as_json:
        _json({"whole": report.whole, **msgspec.structs.asdict(report)})
    else:
        for finding in report.findings:
            print(f"{visible(str(finding))} [{finding.kind}]")
        checked = "no results" if report.bodies is None else counted(report.bodies, "result")
        print(
            f"{'whole' if report.whole else 'BROKEN'}: {counted(report.size, 'event')},"
            f" {counted(report.jobs, 'job')}, {counted(report.checkpoints, 'signed checkpoint')},"
            f" {counted(report.opened, 'private part')}, {checked} checked"
        )
        if report.root:
            print(f"root {report.root}")
    return 0 if report.whole else FAILED


def _time(at_ms: int | None) -> str:
    if at_ms is None:
        return "-"
    try:
        time = datetime.fromtimestamp(at_ms / 1000, UTC)
    except (ValueError, OverflowError):  # no year of a calendar; that an event says so is for the reader to see
        return f"{at_ms} ms"
    return time.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _ms(value: int | None) -> str:
    return "-" if value is None else f"{value} ms"


def _tell_missing(missing: str) -> int:
    """Behind what could be shown of a job: whether that is all; the exit code."""
    if missing:
        print(f"gofer: {missing}; {SEE}", file=sys.stderr)
    return FAILED if missing else 0


def _why_hidden(removed: bool) -> str:
    return "forgotten with the job" if removed else "sealed, and its key is not in this database"


def _show_timeline(found: Timeline) -> None:
    print(f"job {found.job_id} of {visible(found.caller)} ({found.caller_class}): {found.status}", end="")
    print(f", {visible(found.error)}" if found.error else "", end="")
    print(", removed" if found.removed else "")
    print(
        f"{found.targets_done} of {counted(found.targets_total, 'target')}, {counted(found.nbytes, 'byte')};"
        f" queued {_ms(found.queued_ms)}, ran {_ms(found.ran_ms)};"
        f" {counted(found.reads, 'read')}, the last at {_time(found.last_read_ms)}"
    )
    if found.hidden:
        print(f"what is private in it {'was' if found.removed else 'is'} {_why_hidden(found.removed)}")
    rows = [
        (
            str(each.seq),
            _time(each.at_ms),
            f"+{each.after_ms} ms",
            each.type,
            "" if each.idx is None else str(each.idx),
            "" if each.took_ms is None else _ms(each.took_ms),
            each.detail,
        )
        for each in found.events
    ]
    _table(rows, "seq", "time", "after", "event", "idx", "took", "detail")


def _show_explanation(found: Explanation) -> None:
    print(f"target {found.idx} of job {found.job_id}: {found.status}")
    unread = _why_hidden(found.removed)
    print(f"url      {unread if found.hidden else visible(found.url)}")
    print(f"options  {unread if found.hidden else visible(found.options)}")
    print(f"time     {_time(found.started_ms)} to {_time(found.ended_ms)}, {_ms(found.fetch_ms)} of it in the fetch")
    if found.error or (found.hidden and found.status == "failed"):
        print(f"error    {visible(found.error or unread)}")
    if found.hint:
        print(f"hint     {visible(found.hint)}")
    print(
        f"result   {found.result}"
        + (f", {counted(found.nbytes, 'byte')}, SHA-256 {found.sha256}" if found.sha256 else "")
    )
    if found.seq is not None:
        print(f"event    {found.seq}")
    rows = [
        (
            str(n),
            hop.url,
            str(hop.attempt),
            " ".join(hop.addresses),
            hop.dialled or "-",
            hop.verdict or ("allowed" if hop.addresses else "-"),  # without an address nothing was judged
            "-" if hop.status is None else str(hop.status),
            str(hop.nbytes),
            _ms(hop.elapsed_ms),
        )
        for n, hop in enumerate(found.hops, 1)
    ]
    if rows:
        _table(rows, "hop", "url", "try", "addresses", "dialled", "guard", "status", "bytes", "time")


def _show_jobs(upto: int, jobs: Sequence[Job], *, targets: bool) -> None:
    print(f"at event {upto}: {counted(len(jobs), 'job')}")
    rows = [
        (
            job.id,
            job.caller,
            "removed" if job.removed else job.status,
            f"{job.targets_done}/{job.targets_total}",
            str(job.nbytes),
            _time(job.created_at * 1000),
            _time(job.lease * 1000),
            job.error,
        )
        for job in jobs
    ]
    _table(rows, "job", "caller", "status", "done", "bytes", "created", "lease", "error")
    if targets:
        rows_of_targets = [
            (str(idx), target.status, str(target.nbytes), target.url, target.error or "")
            for job in jobs
            for idx, target in enumerate(job.targets)
        ]
        _table(rows_of_targets, "idx", "status", "bytes", "url", "error")


def _show_drifts(drifts: Sequence[Drift]) -> None:
    rows = [
        (
            str(drift.seq),
            drift.job_id,
            "" if drift.idx is None else str(drift.idx),
            drift.column or "row",
            "-" if drift.table is None else str(drift.table),
            "-" if drift.log is None else str(drift.log),
        )
        for drift in drifts
    ]
    _table(rows, "seq", "job", "idx", "column", "table", "log")
