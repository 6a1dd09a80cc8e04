"""Judging in bulk: it says of a stretch what judging it event by event says, or nothing."""

from collections.abc import Callable, Iterator
from itertools import chain, zip_longest

import pytest
from gofer.events.job import (
    Event,
    JobFinished,
    JobStarted,
    JobSubmitted,
    JobSwept,
    LeaseTouched,
    TargetDone,
    TargetFailed,
    TargetsAdded,
    TargetSpec,
    TargetStarted,
)
from gofer.events.merkle import CompactRange, leaf_hash
from gofer.events.recorded import Stored, encode, split
from gofer.store.audit_bulk import sound
from gofer.store.audit_fold import Row, Stretch, examine
from gofer.store.sealing import seal
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Raw

JOBS = ("ann", "bob", "cid", "dan")
KEYS = {"ann": bytes(32), "bob": bytes(31) + b"\1"}  # the others' are gone


def life(job_id: str) -> Iterator[Stored]:
    counts = {"targets_total": 2, "created_at": 0, "lease": 0}
    events: list[Event] = [
        JobSubmitted(at_ms=1, job_id=job_id, caller="eve", caller_class="fleet", idem_key="k", **counts),
        TargetsAdded(1, (TargetSpec("http://a.example/", "{}"), TargetSpec("http://b.example/", "{}"))),
        JobStarted(1),
        TargetStarted(2, 0),
        TargetStarted(2, 1),
        TargetDone(3, 0, "ab", 2, Raw(b'{"ms":3}')),
        TargetFailed(3, 1, "http 404", "look elsewhere", Raw(b'{"ms":4}')),
        JobFinished(4, "partial"),
        *([] if job_id in KEYS else [JobSwept(5)]),
    ]
    for version, event in enumerate(events, 1):
        public, private = split(event)
        sealed = None if private is None else seal(KEYS.get(job_id, bytes(32)), job_id, version, private)
        yield Stored(job_id, version, public, sealed)


def row(seq: int, stored: Stored) -> Row:
    data = encode(stored)
    return seq, stored.job_id, stored.version, data, leaf_hash(data)


LOG = [row(seq, stored) for seq, stored in enumerate(filter(None, chain(*zip_longest(*map(life, JOBS)))), 1)]


def both(rows: list[Row], after: int, upto: int, page: int, *, hashed: bool = True) -> tuple[Stretch | None, Stretch]:
    """What `sound` and `examine` say."""
    tree = CompactRange().extended(leaf_hash(data) for *_, data, _ in LOG[:after]) if hashed else None
    sizes = [after + 1, upto] if hashed else []
    pages = [rows[at : at + page] for at in range(0, len(rows), page)]
    told = [
        judged(each, KEYS.get, after=after, upto=upto, tree=tree, sizes=sizes)
        for judged, each in ((sound, pages), (examine, rows))
    ]
    return told[0], told[1]


PLACES = st.integers(0, len(LOG) - 1)


@given(PLACES, PLACES, st.integers(1, len(LOG)), st.booleans())
def test_a_stretch_in_which_nothing_is_amiss_is_judged_alike(one: int, other: int, page: int, hashed: bool) -> None:
    after, upto = min(one, other), max(one, other) + 1
    rows = LOG[after:upto] if hashed else [(seq, None, None, data, None) for seq, *_, data, _ in LOG[after:upto]]
    bulk, singly = both(rows, after, upto, page, hashed=hashed)
    assert singly.findings == []
    assert bulk == singly
    assert list(singly.streams) == list(bulk.streams if bulk else ()), "in the order of their beginnings"


def remove(rows: list[Row], at: int, to: int) -> None:
    del rows[at]


def repeat(rows: list[Row], at: int, to: int) -> None:
    rows.insert(at, rows[at])


def exchange(rows: list[Row], at: int, to: int) -> None:
    """The events change places, whole and hashed."""
    (seq, *one), (other_seq, *other) = rows[at], rows[to]
    rows[at], rows[to] = (seq, *other), (other_seq, *one)  # type: ignore[assignment]


def change_bytes(rows: list[Row], at: int, to: int) -> None:
    seq, job_id, version, data, leaf = rows[at]
    rows[at] = seq, job_id, version, data.replace(b'"at_ms":', b'"at_ms":7'), leaf


def change_leaf(rows: list[Row], at: int, to: int) -> None:
    rows[at] = *rows[at][:4], bytes(32)


def change_columns(rows: list[Row], at: int, to: int) -> None:
    seq, _, version, data, leaf = rows[at]
    rows[at] = seq, "eve", version, data, leaf


def change_version(rows: list[Row], at: int, to: int) -> None:
    seq, job_id, _, data, leaf = rows[at]
    rows[at] = seq, job_id, 99, data, leaf


def write(rows: list[Row], at: int, stored: Stored) -> None:
    rows[at] = row(rows[at][0], stored)


def other_event(rows: list[Row], at: int, to: int) -> None:
    write(rows, at, Stored(str(rows[at][1]), int(rows[at][2] or 0), JobFinished(9, "done")))


def other_version(rows: list[Row], at: int, to: int) -> None:
    write(rows, at, Stored(str(rows[at][1]), to + 1, LeaseTouched(9)))


def other_job(rows: list[Row], at: int, to: int) -> None:
    """A job is submitted in another one's stream."""
    first = next(life("eve"))
    write(rows, at, Stored(str(rows[at][1]), 1, first.event))


def other_seal(rows: list[Row], at: int, to: int) -> None:
    stored = list(life("ann"))[1]
    write(rows, at, Stored("ann", 2, stored.event, b"sealed by nobody"))


def unreadable(rows: list[Row], at: int, to: int) -> None:
    data = rows[at][3][:-1]
    rows[at] = *rows[at][:3], data, leaf_hash(data)


def two_in_one(rows: list[Row], at: int, to: int) -> None:
    """An event takes the next one's bytes as well, and that has none."""
    data = rows[at][3] + b"\n" + rows[to][3]
    for place, each in ((at, data), (to, b"")):
        rows[place] = *rows[place][:3], each, leaf_hash(each)


ATTACKS: list[Callable[[list[Row], int, int], None]] = [
    remove, repeat, exchange, change_bytes, change_leaf, change_columns, change_version, other_event, other_version,
    other_job, other_seal, unreadable, two_in_one,
]  # fmt: skip


@pytest.mark.parametrize("attack", ATTACKS)
@given(at=PLACES, to=PLACES, after=PLACES, page=st.integers(1, len(LOG)))
def test_of_a_stretch_that_was_attacked_it_says_nothing_or_the_same(
    attack: Callable[[list[Row], int, int], None], at: int, to: int, after: int, page: int
) -> None:
    rows = list(LOG)
    attack(rows, at, to)
    bulk, singly = both([each for each in rows if each[0] > after], after, len(LOG), page)
    assert bulk in (None, singly)
    if singly.findings:
        assert bulk is None
