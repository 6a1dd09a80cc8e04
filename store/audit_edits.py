"""Which edits make of a log that was signed the log that is there, by their leaf hashes. Pure.

An event that was signed is named by the seq under which it was, one that was not by the seq at which it stands.
"""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

import msgspec

MAX_COMPARED: Final = 1 << 20  # events of either log, from the first that differs on: some seconds


class Edit(msgspec.Struct, frozen=True):
    """What happened to the events from `seq` on up to `last`."""

    seq: int
    last: int
    text: str


def edits(signed: Sequence[bytes], there: Sequence[bytes], seqs: Sequence[int]) -> list[Edit]:
    """How the leaves `signed`, from event 1 on, became those `there`, which stand at `seqs`; in order of seq.

    What stands behind all that was signed may be newer than the signature, and is no edit. Each edit is told, and
    alike ones side by side as one; if more than `MAX_COMPARED` events are to be compared, the first alone.
    """
    first = next(
        (n for n, (one, other) in enumerate(zip(signed, there, strict=False)) if one != other),
        min(len(signed), len(there)),
    )
    if first == len(signed):
        return []
    if max(len(signed), len(there)) - first > MAX_COMPARED:
        amiss = sum(n >= len(there) or leaf != there[n] for n, leaf in enumerate(signed))
        return [Edit(first + 1, first + 1, f"it is the first of {amiss} that do not stand where they were signed")]
    return sorted(_compared(signed, there, seqs, first), key=lambda edit: edit.seq)


def _compared(signed: Sequence[bytes], there: Sequence[bytes], seqs: Sequence[int], first: int) -> Iterator[Edit]:
    """`edits`, of logs that are alike before `first`. All hashes differ, so an event is known by its own."""
    places = {signed[n]: n for n in range(first, len(signed))}
    stands: dict[int, int] = {}  # where that is there which was signed at a place
    strange = []
    for at in range(first, len(there)):
        place = places.get(there[at])
        if place is None or place in stands:
            strange.append(at)
        else:
            stands[place] = at
    ordered = sorted(stands)
    rank = {place: n for n, place in enumerate(ordered)}
    found = sorted(stands.items(), key=lambda pair: pair[1])
    ranks = [rank[place] for place, _ in found]

    exchanged = [(n, other) for n, other in enumerate(ranks) if n < other and ranks[other] == n]
    for n, other in exchanged:
        yield _one(ordered[n], f"it and event {ordered[other] + 1} changed places")
        ranks[n], ranks[other] = n, other
    in_order = _longest_rising(ranks)
    settled = {*in_order, *(n for pair in exchanged for n in pair)}
    for n, (place, at) in enumerate(found):
        if n not in settled:
            yield _one(place, f"it was moved: it stands at {seqs[at]}")

    gone = [place for place in range(first, len(signed)) if place not in stands]
    anchors = [(ordered[ranks[n]], found[n][1]) for n in in_order]
    for lost, new, last in _between(gone, strange, anchors):
        yield from _replaced(lost, new, seqs, last=last)


def _between(
    gone: Sequence[int], strange: Sequence[int], anchors: Iterable[tuple[int, int]]
) -> Iterator[tuple[Sequence[int], Sequence[int], bool]]:
    """What is gone and what is strange before each anchor, and behind the last one."""
    g = s = 0
    for place, at in anchors:
        before_g, before_s = g, s
        g, s = bisect_left(gone, place, g), bisect_left(strange, at, s)
        if (g, s) != (before_g, before_s):
            yield gone[before_g:g], strange[before_s:s], False
    yield gone[g:], strange[s:], True


def _replaced(lost: Sequence[int], new: Sequence[int], seqs: Sequence[int], *, last: bool) -> Iterator[Edit]:
    """What happened to events that are lost where others are new; behind the `last` anchor new ones may be newer."""
    if last:
        for begin, end in _runs(lost):
            yield _run(lost[begin] + 1, lost[end] + 1, "changed or removed" if new else "removed")
    elif len(lost) == len(new):
        shifts = [seqs[at] - (place + 1) for place, at in zip(lost, new, strict=True)]
        for begin, end in _runs(lost, shifts):
            now = f"; it stands at {lost[begin] + 1 + shifts[begin]}" if shifts[begin] else ""
            yield _run(lost[begin] + 1, lost[end] + 1, "changed", now)
    else:
        for begin, end in _runs(lost):
            yield _run(lost[begin] + 1, lost[end] + 1, "removed")
        stand = [seqs[at] for at in new]
        for begin, end in _runs(stand):
            yield _run(stand[begin], stand[end], "put in")


def _runs(numbers: Sequence[int], marks: Sequence[int] = ()) -> Iterator[tuple[int, int]]:
    """Where each run begins and ends of numbers that follow one another, and have one mark if there are marks."""
    begin = 0
    for n in range(1, len(numbers) + 1):
        if n == len(numbers) or numbers[n] != numbers[n - 1] + 1 or (marks and marks[n] != marks[n - 1]):
            yield begin, n - 1
            begin = n


def _run(seq: int, last: int, what: str, more: str = "") -> Edit:
    since = "among what was signed" if what == "put in" else "since it was signed"
    if seq == last:
        return Edit(seq, last, f"it was {what} {since}{more}")
    since = since.replace("it was", "they were")
    return Edit(seq, last, f"it and all up to {last} were {what} {since}{more}")


def _one(place: int, text: str) -> Edit:
    return Edit(place + 1, place + 1, text)


def _longest_rising(numbers: Sequence[int]) -> list[int]:
    """The places of a longest subsequence that rises (by patience sorting)."""
    ends: list[int] = []  # the least number in which a rising sequence of each length can end
    places: list[int] = []  # where that stands
    before: list[int] = []  # of each place, the one before it in its sequence
    for place, number in enumerate(numbers):
        length = len(ends) if not ends or number > ends[-1] else bisect_left(ends, number)
        before.append(places[length - 1] if length else -1)
        ends[length : length + 1], places[length : length + 1] = [number], [place]
    rising = []
    place = places[-1] if places else -1
    while place >= 0:
        rising.append(place)
        place = before[place]
    return rising[::-1]
