"""Folding the log for an audit: what each event must be by itself, and what it may be after those before it. Pure.

A log is judged in stretches of rows, so that several processes can take a stretch each. What a stretch can say alone
is in its `Stretch`: the streams that begin in it, folded; the events of streams that began before it, for whoever
knows their state. `Fold.absorb` puts the stretches together, in log order.
"""

import hashlib
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from typing import Literal

import msgspec

from ..events.job import NO_FACTS, Contradiction, Event, Job, TargetDone, TargetFailed, evolve
from ..events.merkle import CompactRange, leaf_hash, node_hash
from ..events.recorded import Stored, decode, join
from .sealing import SealBroken, unseal

Row = tuple[int, str | None, int | None, bytes, bytes | None]
"""seq, job id, version, canonical bytes, leaf hash. An archived event has its bytes alone."""

KeyOf = Callable[[str], bytes | None]

Kind = Literal[
    "leaf",  # an event's bytes changed
    "bytes",  # an event is unreadable
    "columns",  # an event stands in another's place
    "missing",  # events are missing
    "fold",  # an event cannot follow those before it
    "seal",  # a private part does not open
    "tree",  # the events are not those of the tree
    "checkpoint",  # the events are not those that were signed
    "tiles",  # the leaf hashes kept outside the database are not those that were signed
    "body",  # a result is not what was fetched
    "projection",  # a table differs from the log
    "segment",  # an archived segment is not as it was
    "schema",  # the database does not guard its log
]


class Finding(msgspec.Struct, frozen=True):
    """Something that is not as it was written, and where: `seq` is the first event that it concerns.

    With `upto` it is not known which event from there to `upto` it is. Seq 0: it concerns no event of its own.
    """

    kind: Kind
    seq: int
    text: str
    job_id: str | None = None
    upto: int | None = None

    def __str__(self) -> str:
        where = f"events {self.seq}-{self.upto}" if self.upto else f"event {self.seq}"
        return f"{where if self.seq else 'the file'}: {self.text}"


class Deferred(msgspec.Struct, frozen=True, array_like=True):
    """An event of a stream that began before the stretch."""

    seq: int
    job_id: str
    version: int
    event: Event


class Stream(msgspec.Struct, array_like=True):
    """A stream that began in the stretch: from which event on, how it stands, and after which event."""

    first: int
    job: Job
    last: int


class Span(msgspec.Struct, frozen=True):
    """The SHA-256 of the leaf hashes behind `after` up to `upto`, one after the other."""

    after: int
    upto: int
    sha256: bytes


class Stretch(msgspec.Struct, kw_only=True):
    """What the events behind `after` up to `upto` say by themselves."""

    after: int
    upto: int
    tree: CompactRange | None = None  # over its leaves, behind what it was started with; None if one is missing
    cuts: dict[int, CompactRange] = {}  # the tree as it was at each size asked for
    spans: dict[int, bytes] = {}  # the SHA-256 of the leaf hashes since the cut before, or since `after`
    streams: dict[str, Stream] = {}
    deferred: list[Deferred] = []
    findings: list[Finding] = []
    broken: set[str] = set()  # streams that cannot be followed any further
    unopened: dict[str, int] = {}  # where a stream's private part could not be opened for want of its key
    opened: int = 0  # private parts that were


class Growing:
    """The tree of a stretch, page of leaves by page. The stretch notes it at each of `sizes`, and at its end."""

    def __init__(self, found: Stretch, tree: CompactRange, sizes: Iterable[int]) -> None:
        self._found = found
        self._tree = tree
        self._at = found.after
        self._due = deque(dict.fromkeys((*sizes, found.upto)))
        self._span = hashlib.sha256()

    def take(self, leaves: Sequence[bytes]) -> None:
        """Add the next `leaves`, none of which is behind the end of the stretch."""
        while leaves:
            part, leaves = leaves[: self._due[0] - self._at], leaves[self._due[0] - self._at :]
            self._tree = self._tree.grown(part)
            self._span.update(b"".join(part))
            self._at += len(part)
            if self._at == self._due[0]:
                size = self._due.popleft()
                self._found.cuts[size] = self._tree
                self._found.spans[size] = self._span.digest()
                self._span = hashlib.sha256()
                self._found.tree = None if self._due else self._tree


def examine(
    rows: Iterable[Row],
    key_of: KeyOf,
    *,
    after: int,
    upto: int,
    tree: CompactRange | None,
    sizes: Sequence[int] = (),
) -> Stretch:
    """Judge the rows behind `after` up to `upto`, which are all in this range and in order of seq.

    With a `tree` to extend, each event is hashed and held against its leaf and its columns, and the tree is told at
    each of `sizes`. Without one the events are folded alone.
    """
    found = Stretch(after=after, upto=upto)
    streams, deferred, broken, findings = found.streams, found.deferred, found.broken, found.findings
    leaves: list[bytes] = []
    due = after
    whole = True

    def find(kind: Kind, text: str, job_id: str | None) -> None:
        findings.append(Finding(kind, seq, text, job_id))

    for seq, job_id, version, data, leaf in rows:
        due += 1
        if seq != due:
            whole = False
            findings.append(_missing(due, seq - 1))
            due = seq
        if tree is not None:
            hashed = leaf_hash(data)
            leaves.append(hashed)
            if leaf is not None and hashed != leaf:
                find("leaf", "its bytes are not those that were hashed when it was written", job_id)
        try:
            stored = decode(data)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            find("bytes", f"it is no event that this gofer knows: {error}", job_id)
            if job_id is not None:
                broken.add(job_id)
            continue
        event = stored.event
        if tree is not None and job_id is not None and (stored.job_id != job_id or stored.version != version):
            find(
                "columns",
                f"its columns say version {version} of {job_id}, its bytes version {stored.version}"
                f" of {stored.job_id}",
                job_id,
            )
            broken.update((job_id, stored.job_id))
        job_id, version = stored.job_id, stored.version
        if stored.sealed is not None:
            key = key_of(job_id)
            if key is None:
                found.unopened.setdefault(job_id, seq)
            else:
                try:
                    event = reveal(stored, key)
                    found.opened += 1
                except (SealBroken, ValueError) as error:
                    find("seal", _reason(error), job_id)
        stream = streams.get(job_id)
        if stream is None and version != 1:
            deferred.append(Deferred(seq, job_id, version, event))
            continue
        try:
            job = _step(stream.job if stream else None, job_id, version, event)
        except Contradiction as error:
            if job_id not in broken:
                find("fold", str(error), job_id)
                broken.add(job_id)
            continue
        if stream:
            stream.job, stream.last = job, seq
        else:
            streams[job_id] = Stream(seq, job, seq)
    if due != upto:
        whole = False
        findings.append(_missing(due + 1, upto))
    if tree is not None and whole:
        Growing(found, tree, sizes).take(leaves)
    return found


class Fold:
    """The state of every job at a position of the log, and all that was found on the way there."""

    def __init__(self, tree: CompactRange | None, *, beginnings_unknown: bool = False) -> None:
        """`tree` is what the log is hashed onto, if it is; `beginnings_unknown`: events before it are not at hand."""
        self.tree = tree
        self.position = 0
        self.jobs: dict[str, Job] = {}
        self.last: dict[str, int] = {}  # the seq of each job's last event
        self.broken: set[str] = set()
        self.findings: list[Finding] = []
        self.cuts: dict[int, CompactRange] = {}
        self.spans: list[Span] = []  # where they are missing, so are events
        self.unopened: dict[str, int] = {}
        self.opened = 0
        self.beginnings_unknown = beginnings_unknown

    def absorb(self, stretch: Stretch, *, absolute: bool) -> None:
        """Take in the stretch behind `position`. `absolute`: it was hashed onto the tree of this fold, not alone."""
        for deferred in stretch.deferred:
            self._continue(deferred)
        for job_id, stream in stretch.streams.items():
            if job_id in self.jobs:
                self._find("fold", stream.first, f"job {job_id} begins a second time", job_id)
            else:
                self.jobs[job_id], self.last[job_id] = stream.job, stream.last
        self.findings += stretch.findings
        self.broken |= stretch.broken
        for job_id, seq in stretch.unopened.items():
            self.unopened.setdefault(job_id, seq)
        self.opened += stretch.opened
        base = self.tree
        if base is not None:
            for size, part in stretch.cuts.items():
                self.cuts[size] = part if absolute else joined(base, part)
            ends = [stretch.after, *stretch.spans]
            self.spans += map(Span, ends, ends[1:], stretch.spans.values())
            self.tree = None if stretch.tree is None else self.cuts[stretch.upto]
        self.position = stretch.upto

    def live(self) -> Iterable[Job]:
        """The jobs that were not removed, in the order in which they were submitted."""
        return (job for job in self.jobs.values() if not job.removed)

    def _continue(self, deferred: Deferred) -> None:
        seq, job_id, version = deferred.seq, deferred.job_id, deferred.version
        if job_id in self.broken:
            return
        job = self.jobs.get(job_id)
        if job is None and self.beginnings_unknown:
            return  # a removed job, the beginning of which is archived
        try:
            self.jobs[job_id] = _step(job, job_id, version, deferred.event)
            self.last[job_id] = seq
        except Contradiction as error:
            self._find("fold", seq, str(error), job_id)

    def _find(self, kind: Kind, seq: int, text: str, job_id: str) -> None:
        self.findings.append(Finding(kind, seq, text, job_id))
        self.broken.add(job_id)


def joined(left: CompactRange, right: CompactRange) -> CompactRange:
    """The tree over the leaves of both. `left` must end where each perfect subtree of `right` may begin."""
    size, subtrees = left.size, list(left.subtrees)
    rest = right.size
    for root in right.subtrees:
        level = rest.bit_length() - 1
        if size & ((1 << level) - 1):
            raise ValueError(f"no subtree of {1 << level} leaves begins at {size}")
        carry = size >> level
        while carry & 1:
            root = node_hash(subtrees.pop(), root)
            carry >>= 1
        subtrees.append(root)
        size += 1 << level
        rest -= 1 << level
    return CompactRange(size, tuple(subtrees))


def _step(job: Job | None, job_id: str, version: int, event: Event) -> Job:
    """`evolve`, for a stream that must also be dense. Raises `Contradiction`."""
    due = job.version + 1 if job else 1
    if version != due:
        raise Contradiction(f"version {version} of its job where {due} was due")
    after = evolve(job, event)
    if after.id != job_id:
        raise Contradiction(f"it submits {after.id} in the stream of {job_id}")
    return after


def reveal(stored: Stored, key: bytes) -> Event:
    """The event with its private part, but for what a fetch did: that changes no state, and is not carried on.

    Raises `SealBroken`, or another `ValueError` for a part that is not of its kind.
    """
    if stored.sealed is None:
        return stored.event
    private = unseal(key, stored.job_id, stored.version, stored.sealed)
    if isinstance(stored.event, TargetDone):
        return stored.event
    event = join(stored.event, private)
    if isinstance(event, TargetFailed) and event.facts != NO_FACTS:
        return msgspec.structs.replace(event, facts=NO_FACTS)
    return event


def _missing(first: int, last: int) -> Finding:
    text = "it is missing" if first == last else f"it and all up to {last} are missing"
    return Finding("missing", first, text)


def _reason(error: ValueError) -> str:
    return str(error) if isinstance(error, SealBroken) else f"its private part is not of its kind: {error}"
