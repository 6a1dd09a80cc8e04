"""Reading the leaf hashes of a log as they were stored, archived ones too, in short reads beside a writer."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Final

import apsw

from ..events.merkle import leaf_hash
from .archive import read_segment, segments
from .database import open_reader, using

PAGE_EVENTS: Final = 4096  # in one read, which holds up no commit and lets the WAL be reset


def stored_leaves(db: apsw.Connection, folder: Path, after: int) -> Iterator[bytes]:
    """The leaf hashes behind the position `after`, to the head as it is by then; archived events are in `folder`.

    Raises `SegmentMissing`, and `LogDamaged` for a segment that is not as it was.
    """
    first = 1
    for segment in segments(db):
        if segment.upto > after:
            for seq, data in read_segment(folder, segment, first):
                if seq > after:
                    yield leaf_hash(data)
            after = segment.upto
        first = segment.upto + 1
    query = "SELECT leaf FROM event WHERE seq > ? ORDER BY seq LIMIT ?"
    while page := db.execute(query, (after, PAGE_EVENTS)).fetchall():
        for (leaf,) in page:
            assert isinstance(leaf, bytes)
            yield leaf
        after += len(page)


def read_leaves(path: Path, folder: Path, after: int) -> Iterator[bytes]:
    """`stored_leaves` of the database at `path`, over a connection of its own. Raises a `StoreError`."""
    with using(str(path)), closing(open_reader(str(path))) as db:
        yield from stored_leaves(db, folder, after)
