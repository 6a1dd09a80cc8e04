"""Judging a stretch of the log in which nothing is amiss, in bulk. Pure.

What `examine` does event by event is done here with a whole column of them, as far as that can be. This tells no
finding: where there may be one, `examine` has to be asked which.
"""

from collections.abc import Iterable, Sequence

from ..events.job import Event, Job, fold
from ..events.merkle import CompactRange, leaf_hashes
from ..events.recorded import Stored, decode_all
from .audit_fold import Deferred, Growing, KeyOf, Row, Stream, Stretch, reveal


class _Followed:
    """A stream with events in the stretch. If it began there: its job before the page, and its events in the page.

    These are folded page by page, not all at the end: what a processor has in its cache costs a fraction.
    """

    __slots__ = ("began", "events", "first", "job", "key", "last", "version")

    def __init__(self, first: int, version: int, key: bytes | None) -> None:
        self.first = self.last = first
        self.began = version == 1
        self.version = version - 1  # of the event before
        self.key = key
        self.job: Job | None = None
        self.events: list[Event] = []


def sound(
    pages: Iterable[Sequence[Row]],
    key_of: KeyOf,
    *,
    after: int,
    upto: int,
    tree: CompactRange | None,
    sizes: Sequence[int] = (),
) -> Stretch | None:
    """What `examine` says of the rows of all `pages`, which lie in the log's table; None if it may find something.

    Without a `tree` the columns beside the bytes are not looked at.
    """
    found = Stretch(after=after, upto=upto)
    followed: dict[str, _Followed] = {}
    growing = None if tree is None else Growing(found, tree, sizes)
    at = after
    for page in pages:
        if not page:
            return None
        seqs, job_ids, versions, data, hashes = zip(*page, strict=True)
        if seqs != tuple(range(at + 1, at + 1 + len(page))):
            return None
        try:
            stored = decode_all(data)
            _follow(found, followed, at, stored, key_of)
        except ValueError:  # what is no event, does not open, or contradicts what was before
            return None
        if growing is not None:
            hashed = leaf_hashes(data)
            if (
                tuple(hashed) != hashes
                or tuple([each.job_id for each in stored]) != job_ids
                or tuple([each.version for each in stored]) != versions
            ):
                return None
            growing.take(hashed)
        at += len(page)
    if at != upto:
        return None
    for job_id, each in followed.items():
        if each.job is not None:
            if each.job.id != job_id:  # it submits another job
                return None
            found.streams[job_id] = Stream(each.first, each.job, each.last)
    return found


def _follow(
    found: Stretch, followed: dict[str, _Followed], after: int, page: Iterable[Stored], key_of: KeyOf
) -> None:
    """Take the events of a page in. Raises `ValueError` for one that cannot be followed."""
    moved: list[_Followed] = []
    for seq, stored in enumerate(page, after + 1):
        job_id, version, event = stored.job_id, stored.version, stored.event
        stream = followed.get(job_id)
        if stream is None:
            stream = followed[job_id] = _Followed(seq, version, key_of(job_id))
        if stored.sealed is not None:
            if stream.key is None:
                found.unopened.setdefault(job_id, seq)
            else:
                event = reveal(stored, stream.key)
                found.opened += 1
        if version != stream.version + 1:
            raise ValueError("a version is missing, or there twice")
        stream.version = version
        if not stream.began:
            found.deferred.append(Deferred(seq, job_id, version, event))
            continue
        stream.last = seq
        if not stream.events:
            moved.append(stream)
        stream.events.append(event)
    for stream in moved:
        stream.job = fold(stream.events, stream.job)
        stream.events = []
