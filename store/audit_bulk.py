"""Judging a stretch of the log in which nothing is amiss, in bulk. Pure.

What `examine` does event by event is done here with a whole column of them, as far as that can be. This tells no
finding: where there may be one, `examine` has to be asked which.
"""

from collections.abc import Iterable, Sequence

import msgspec

from ..events.job import Job, Target, step
from ..events.merkle import CompactRange, leaf_hashes
from ..events.recorded import Stored, decode_all
from .audit_fold import Deferred, KeyOf, Row, Stream, Stretch, reveal


class _Followed:
    """A stream that began in the stretch, as far as it was followed; its job's targets are kept apart."""

    __slots__ = ("first", "job", "last", "targets")

    def __init__(self, first: int, job: Job, targets: list[Target]) -> None:
        self.first = self.last = first
        self.job = job
        self.targets = targets

    def stream(self) -> Stream:
        return Stream(self.first, msgspec.structs.replace(self.job, targets=tuple(self.targets)), self.last)


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
    leaves: list[bytes] = []
    at = after
    for page in pages:
        if not page:
            return None
        seqs, job_ids, versions, data, hashes = zip(*page, strict=True)
        if seqs != tuple(range(at + 1, at + 1 + len(page))):
            return None
        at += len(page)
        try:
            stored = decode_all(data)
            _follow(found, followed, zip(seqs, stored, strict=True), key_of)
        except ValueError:  # what is no event, does not open, or contradicts what was before
            return None
        if tree is not None:
            hashed = leaf_hashes(data)
            if (
                tuple(hashed) != hashes
                or tuple([each.job_id for each in stored]) != job_ids
                or tuple([each.version for each in stored]) != versions
            ):
                return None
            leaves += hashed
    if at != upto:
        return None
    for job_id, each in followed.items():
        found.streams[job_id] = each.stream()
    if tree is not None:
        found.grow(tree, leaves, sizes)
    return found


def _follow(
    found: Stretch, followed: dict[str, _Followed], rows: Iterable[tuple[int, Stored]], key_of: KeyOf
) -> None:
    """Take a page of rows in. Raises `ValueError` for one that cannot be followed."""
    for seq, stored in rows:
        job_id, version, event = stored.job_id, stored.version, stored.event
        if stored.sealed is not None:
            key = key_of(job_id)
            if key is None:
                found.unopened.setdefault(job_id, seq)
            else:
                event = reveal(stored, key)
                found.opened += 1
        stream = followed.get(job_id)
        if stream is not None:
            if version != stream.job.version + 1:
                raise ValueError("a version is missing, or there twice")
            stream.job = step(stream.job, stream.targets, event)
            stream.last = seq
        elif version != 1:
            found.deferred.append(Deferred(seq, job_id, version, event))
        else:
            job = step(None, [], event)
            if job.id != job_id:
                raise ValueError("it submits another job")
            followed[job_id] = _Followed(seq, job, [])
