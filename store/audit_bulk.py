"""Judging a stretch of the log in which nothing is amiss, in bulk. Pure.

What `examine` does event by event is done here with a whole column of them. This tells no finding: where there may
be one, `examine` has to be asked which.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence

from ..events.job import fold
from ..events.merkle import CompactRange, leaf_hash
from ..events.recorded import Stored, decode_all
from .audit_fold import Deferred, KeyOf, Row, Stream, Stretch, reveal


class Doubt(ValueError):
    """Something may be amiss in a stretch."""


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
    leaves: list[bytes] = []
    at = after
    try:
        for page in pages:
            seqs, job_ids, versions, data, hashes = zip(*page, strict=True)
            at += len(page)
            stored = decode_all(data)
            if seqs != tuple(range(at - len(page) + 1, at + 1)):
                raise Doubt
            if tree is not None:
                page_leaves = tuple([leaf_hash(each) for each in data])
                if (
                    page_leaves != hashes
                    or tuple([each.job_id for each in stored]) != job_ids
                    or tuple([each.version for each in stored]) != versions
                ):
                    raise Doubt
                leaves += page_leaves
            streams: defaultdict[str, list[tuple[int, Stored]]] = defaultdict(list)
            for row in zip(seqs, stored, strict=True):
                streams[row[1].job_id].append(row)
            for job_id, rows in streams.items():
                _follow(found, job_id, rows, key_of)
        if at != upto:
            raise Doubt
    except ValueError:  # so do a row that is no event, a seal that does not open, and a contradiction
        return None
    found.deferred.sort(key=lambda each: each.seq)
    if tree is not None:
        found.grow(tree, leaves, sizes)
    return found


def _follow(found: Stretch, job_id: str, rows: list[tuple[int, Stored]], key_of: KeyOf) -> None:
    """Add what a job's rows in the stretch come to. Raises `ValueError` if they cannot be followed."""
    sealed = next((seq for seq, stored in rows if stored.sealed is not None), None)
    key = None if sealed is None else key_of(job_id)
    if key is not None:
        events = [reveal(stored, key) for _, stored in rows]
        found.opened += sum(stored.sealed is not None for _, stored in rows)
    else:
        events = [stored.event for _, stored in rows]
        if sealed is not None:
            found.unopened.setdefault(job_id, sealed)
    versions = [stored.version for _, stored in rows]
    stream = found.streams.get(job_id)
    if stream is None and versions[0] != 1:
        if 1 in versions:
            raise Doubt
        found.deferred += [
            Deferred(seq, job_id, stored.version, event) for (seq, stored), event in zip(rows, events, strict=True)
        ]
        return
    before = stream.job if stream else None
    first = before.version + 1 if before else 1
    if versions != list(range(first, first + len(rows))):
        raise Doubt
    job = fold(events, before)
    if job is None or job.id != job_id:
        raise Doubt
    if stream:
        stream.job, stream.last = job, rows[-1][0]
    else:
        found.streams[job_id] = Stream(rows[0][0], job, rows[-1][0])
