"""One job as the log tells it: what happened and when, and what was done for one of its targets. Reads only."""

import hashlib
from collections.abc import Iterator, Sequence
from typing import Final

import msgspec

from ..events.job import (
    Event,
    Job,
    JobCancelled,
    JobEvicted,
    JobFinished,
    JobInterrupted,
    JobStarted,
    JobSubmitted,
    JobSwept,
    LeaseTouched,
    TargetDone,
    TargetFailed,
    TargetsAdded,
    TargetStarted,
    evolve,
)
from ..events.recorded import decode, join
from .archive import read_segment, segments
from .audit_walk import LogFile, first_missing, key_reader
from .database import StoreError
from .log import LogDamaged
from .rows import select_target
from .schema import DATA
from .sealing import unseal


class NoSuchJob(StoreError):
    """The log has no event of this job."""


class JobEvent(msgspec.Struct, frozen=True):
    """One event of a job. `data` is its canonical bytes; `hidden`: what is private in it cannot be read."""

    seq: int
    version: int
    event: Event
    data: bytes
    hidden: bool


class Entry(msgspec.Struct, frozen=True, omit_defaults=True):
    """One line of a timeline. `after_ms` is the time since the job's first event."""

    seq: int
    version: int
    at_ms: int
    after_ms: int
    type: str
    idx: int | None = None
    took_ms: int | None = None  # of a target or a job that ended, since it started
    detail: str = ""


class Timeline(msgspec.Struct, frozen=True, kw_only=True):
    """Every fact of one job. A touch of the lease is a read of the job, or several within a second."""

    job_id: str
    caller: str
    caller_class: str
    status: str
    error: str
    removed: bool
    targets_total: int
    targets_done: int
    nbytes: int
    queued_ms: int | None  # from its submission to its start
    ran_ms: int | None  # from its start to its end
    reads: int
    last_read_ms: int | None
    hidden: bool  # what is private in it cannot be read: forgotten if it was removed, else its key is lost
    missing: str  # what is known to be missing of its events, "" if nothing is
    events: tuple[Entry, ...]


class Hop(msgspec.Struct, frozen=True):
    """One request on the way to a result, as the fetcher recorded it."""

    url: str = ""
    status: int | None = None
    addresses: tuple[str, ...] = ()
    dialled: str | None = None
    verdict: str = ""
    nbytes: int = 0
    elapsed_ms: int = 0
    attempt: int = 1


class Explanation(msgspec.Struct, frozen=True, kw_only=True):
    """What was asked of one target, what was done for it, and what came of it."""

    job_id: str
    idx: int
    url: str
    options: str
    status: str
    error: str | None
    hint: str | None
    started_ms: int | None
    ended_ms: int | None
    fetch_ms: int | None  # by the fetcher's own account
    hops: tuple[Hop, ...]
    nbytes: int
    sha256: str | None
    result: str  # kept, changed, gone, or none
    removed: bool  # the job was
    hidden: bool  # url and options are "": forgotten if the job was removed, else its key is lost
    missing: str  # what is known to be missing of the job's events, "" if nothing is
    seq: int | None  # the event that says how it ended


class _Facts(msgspec.Struct, frozen=True):
    hops: tuple[Hop, ...] = ()
    elapsed_ms: int | None = None


_FACTS: Final = msgspec.json.Decoder(_Facts)


def job_events(log: LogFile, job_id: str) -> list[JobEvent]:
    """The job's events in order, archived ones too.

    Raises `NoSuchJob`, or `LogDamaged` if events are missing that could be its; `StoreError` for a segment that is
    lost.
    """
    with log.db:
        rows: list[tuple[int, bytes]] = log.db.execute(
            f"SELECT seq, {DATA} FROM event WHERE job_id = ? ORDER BY version",  # noqa: S608 - a constant
            (job_id,),
        ).fetchall()  # type: ignore[assignment]
        key_of = key_reader(log.db)
        events = [_opened(seq, data, key_of(job_id)) for seq, data in rows]
        if not events or events[0].version > 1:
            events = [_opened(seq, data, key_of(job_id)) for seq, data in _archived(log, job_id)] + events
        gap = None if events else first_missing(log.db)
    if gap:
        raise LogDamaged(f"no job {job_id} is left on this log, but event {gap} is missing; see `gofer audit verify`")
    if not events:
        raise NoSuchJob(f"no job {job_id} on this log")
    return events


def job_history(log: LogFile, job_id: str) -> tuple[list[JobEvent], str]:
    """What `job_events` gives, and what is known to be missing of it; "" if nothing is. Raises what that raises."""
    with log.db:
        events = job_events(log, job_id)
        missing = _missing_of(log, events)
    return events, missing


def _missing_of(log: LogFile, events: Sequence[JobEvent]) -> str:
    """What is known to be missing of a job of which these are all events that are left; "" if nothing is.

    Their versions tell what is missing between them. Behind the last, any event that the log lacks could be one.
    """
    for version, each in enumerate(events, 1):
        if each.version != version:
            return f"the job's event {version} is missing, before event {each.seq} of the log"
    if _removed(events):
        return ""
    gap = first_missing(log.db, events[-1].seq)
    return f"event {gap} of the log is missing, and could be of this job" if gap else ""


def _archived(log: LogFile, job_id: str) -> Iterator[tuple[int, bytes]]:
    beginning = b'{"job_id":' + msgspec.json.encode(job_id) + b","
    first = 1
    for segment in segments(log.db):
        yield from (row for row in read_segment(log.segments, segment, first) if row[1].startswith(beginning))
        first = segment.upto + 1


def _opened(seq: int, data: bytes, key: bytes | None) -> JobEvent:
    stored = decode(data)
    if stored.sealed is None:
        return JobEvent(seq, stored.version, stored.event, data, hidden=False)
    if key is None:
        return JobEvent(seq, stored.version, stored.event, data, hidden=True)
    event = join(stored.event, unseal(key, stored.job_id, stored.version, stored.sealed))
    return JobEvent(seq, stored.version, event, data, hidden=False)


def timeline(log: LogFile, job_id: str) -> Timeline:
    """Every fact of the job. Raises what `job_events` does, and `Contradiction` if its events do not fit together."""
    events, missing = job_history(log, job_id)
    job: Job | None = None
    first = events[0].event.at_ms
    started: dict[int | None, int] = {}  # by idx; None for the job itself
    ended_ms = last_read_ms = None
    reads = 0
    entries = []
    unread = "forgotten" if _removed(events) else "sealed"
    for each in events:
        event = each.event
        job = evolve(job, event)
        idx, took = getattr(event, "idx", None), None
        match event:
            case JobStarted(at_ms) | TargetStarted(at_ms, _):
                started[idx] = at_ms
            case TargetDone(at_ms) | TargetFailed(at_ms):
                took = at_ms - started[idx] if idx in started else None
            case JobFinished(at_ms) | JobCancelled(at_ms) | JobInterrupted(at_ms):
                ended_ms = at_ms
                took = at_ms - started[None] if None in started else None
            case LeaseTouched(at_ms):
                reads, last_read_ms = reads + 1, at_ms
            case _:
                pass
        entries.append(
            Entry(
                seq=each.seq,
                version=each.version,
                at_ms=event.at_ms,
                after_ms=event.at_ms - first,
                type=str(event.__struct_config__.tag),
                idx=idx,
                took_ms=took,
                detail=_detail(event, unread if each.hidden else ""),
            )
        )
    assert job is not None
    return Timeline(
        job_id=job.id,
        caller=job.caller,
        caller_class=job.caller_class,
        status=job.status,
        error=job.error,
        removed=job.removed,
        targets_total=job.targets_total,
        targets_done=job.targets_done,
        nbytes=job.nbytes,
        queued_ms=started[None] - first if None in started else None,
        ran_ms=ended_ms - started[None] if ended_ms is not None and None in started else None,
        reads=reads,
        last_read_ms=last_read_ms,
        hidden=any(each.hidden for each in events),
        missing=missing,
        events=tuple(entries),
    )


def _counted(n: int, noun: str) -> str:
    return f"{n} {noun}" if n == 1 else f"{n} {noun}s"


def _removed(events: Sequence[JobEvent]) -> bool:
    return isinstance(events[-1].event, JobSwept | JobEvicted)


def _detail(event: Event, unread: str) -> str:
    """What a line says of an event; `unread`: why what is private in it cannot be told, "" if it can."""
    match event:
        case JobSubmitted():
            return f"{_counted(event.targets_total, 'target')} by {event.caller} ({event.caller_class})"
        case TargetsAdded(_, targets):
            urls = " ".join(target.url for target in targets)
            return f"{_counted(len(targets), 'URL')}, {unread}" if unread else urls
        case TargetDone(_, _, sha256, nbytes):
            return f"{_counted(nbytes, 'byte')}, SHA-256 {sha256}" if sha256 else "without a result"
        case TargetFailed(_, _, error):
            return unread or error
        case JobFinished(_, status, error):
            return f"{status}: {error}" if error else status
        case JobCancelled(_, error) | JobInterrupted(_, error):
            return error
        case LeaseTouched():
            return "read"
        case JobSwept():
            return "its lease ran out"
        case JobEvicted():
            return "to keep the byte budget"
        case _:
            return ""


def explain(log: LogFile, job_id: str, idx: int) -> Explanation:
    """What was done for one target. Raises what `timeline` does, and `StoreError` for an idx that the job has not."""
    job: Job | None = None
    before_removal: Job | None = None
    started_ms = ended_ms = ended_seq = None
    facts = _Facts()
    hidden = False
    events, missing = job_history(log, job_id)
    for each in events:
        job = evolve(job, each.event)
        before_removal = before_removal if job.removed else job
        hidden = hidden or (each.hidden and isinstance(each.event, TargetsAdded))
        match each.event:
            case TargetStarted(at_ms, at) if at == idx:
                started_ms = at_ms
            case TargetDone(at_ms, at, facts=told) | TargetFailed(at_ms, at, facts=told) if at == idx:
                ended_ms, ended_seq, facts = at_ms, each.seq, _FACTS.decode(told)
            case JobFinished(at_ms) | JobCancelled(at_ms) | JobInterrupted(at_ms) if ended_ms is None:
                ended_ms, ended_seq = at_ms, each.seq  # it was left unfinished, and failed with its job
            case _:
                pass
    assert before_removal is not None
    if not 0 <= idx < len(before_removal.targets):
        raise StoreError(f"job {job_id} has targets 0 to {len(before_removal.targets) - 1}, not {idx}")
    target = before_removal.targets[idx]
    return Explanation(
        job_id=job_id,
        idx=idx,
        url=target.url,
        options="" if hidden else target.options,
        status=target.status,
        error=target.error or None,
        hint=target.hint,
        started_ms=started_ms,
        ended_ms=ended_ms,
        fetch_ms=facts.elapsed_ms,
        hops=facts.hops,
        nbytes=target.nbytes,
        sha256=target.sha256,
        result=_result(log, job_id, idx, target.sha256),
        removed=_removed(events),
        hidden=hidden,
        missing=missing,
        seq=ended_seq,
    )


def _result(log: LogFile, job_id: str, idx: int, sha256: str | None) -> str:
    """Whether the result that was stored is still there."""
    if sha256 is None:
        return "none"
    row = select_target(log.db, job_id, idx)
    if row is None or row.result is None:
        return "gone"
    return "kept" if hashlib.sha256(row.result.encode()).hexdigest() == sha256 else "changed"
