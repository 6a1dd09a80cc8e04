"""Telling which edits were made to a signed log: each kind by hand, and random ones by what must follow from them."""

import random

import pytest
from gofer.events.merkle import leaf_hash
from gofer.store import audit_edits
from gofer.store.audit_edits import Edit, edits
from hypothesis import given, settings
from hypothesis import strategies as st

SIGNED = "abcdefghijklmnop"  # each letter an event


def told(there: str, signed: str = SIGNED, seqs: list[int] | None = None) -> list[tuple[int, int, str]]:
    """The edits that made `there`: first and last seq, and what happened, in few words."""
    found = edits(
        [leaf_hash(letter.encode()) for letter in signed],
        [leaf_hash(letter.encode()) for letter in there],
        seqs or [*range(1, len(there) + 1)],
    )
    return [(edit.seq, edit.last, shortened(edit)) for edit in found]


def shortened(edit: Edit) -> str:
    text = edit.text.removeprefix("it was ").removeprefix(f"it and all up to {edit.last} were ")
    return (
        text.replace(" since it was signed", "")
        .replace(" since they were signed", "")
        .replace(" among what was signed", "")
    )


@pytest.mark.parametrize(
    ("there", "edits"),
    [
        ("abcdefghijklmnop", []),
        ("abcdefghijklmnopQRS", []),
        ("Abcdefghijklmnop", [(1, 1, "changed")]),
        ("abcdeFGHijklmnop", [(6, 8, "changed")]),
        ("abcdefghijklmnoP", [(16, 16, "changed or removed")]),
        ("bcdefghijklmnop", [(1, 1, "removed")]),
        ("abcghijklmnop", [(4, 6, "removed")]),
        ("abcghijklmnopQRSTU", [(4, 6, "removed")]),
        ("abcdefghijklmn", [(15, 16, "removed")]),
        ("abcdefghijklmnQRSTU", [(15, 16, "changed or removed")]),
        ("", [(1, 16, "removed")]),
        ("Qabcdefghijklmnop", [(1, 1, "put in")]),
        ("abcdQRefghijklmnop", [(5, 6, "put in")]),
        ("abcdQRghijklmnop", [(5, 6, "changed")]),
        ("abcdQRShijklmnop", [(5, 7, "changed")]),
        ("abcdQRhijklmnop", [(5, 7, "removed"), (5, 6, "put in")]),
        ("bacdefghijklmnop", [(1, 1, "it and event 2 changed places")]),
        ("abcdenghijklmfop", [(6, 6, "it and event 14 changed places")]),
        ("bcdefghijklmnopa", [(1, 1, "moved: it stands at 16")]),
        ("abcdefghijklmnopQ"[::1].replace("c", "") + "c", [(3, 3, "moved: it stands at 17")]),
        # several in one log
        ("Abcefghjiklmnop", [(1, 1, "changed"), (4, 4, "removed"), (9, 9, "it and event 10 changed places")]),
        ("aQbcdefgHijklmop", [(2, 2, "put in"), (8, 8, "changed; it stands at 9"), (14, 14, "removed")]),
        ("abQRcdefghijlkmn", [(3, 4, "put in"), (11, 11, "it and event 12 changed places"), (15, 16, "removed")]),
        ("cbadefghijklmNOP", [(1, 1, "it and event 3 changed places"), (14, 16, "changed or removed")]),
        ("ABCDEFGHIJKLMNOP", [(1, 16, "changed or removed")]),
        ("AbCdEfGhIjKlMnOp", [(n, n, "changed") for n in range(1, 16, 2)]),
        ("abbcdefghijklmnop", [(3, 3, "put in")]),
    ],
)  # fmt: skip
def test_edits_are_told(there: str, edits: list[tuple[int, int, str]]) -> None:
    assert told(there) == edits


def test_where_seqs_have_gaps_events_are_named_by_them() -> None:
    assert told("abcfgQhijklmnop", seqs=[1, 2, 3, 6, 7, *range(30, 40)]) == [
        (4, 5, "removed"),
        (30, 30, "put in"),
    ]


def test_nothing_signed_is_nothing_changed() -> None:
    assert told("abc", signed="") == []


def test_of_too_many_the_first_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(audit_edits, "MAX_COMPARED", 8)
    assert told("abcdefghijKlmnop") == [(11, 11, "changed")]
    assert told("abcDefghijKlmno") == [(4, 4, "it is the first of 3 that do not stand where they were signed")]


@settings(max_examples=200, deadline=None)
@given(st.integers(1, 60), st.randoms(use_true_random=False), st.integers(0, 8))
def test_whatever_was_done_each_event_that_is_gone_or_new_is_in_an_edit(
    size: int, rng: random.Random, count: int
) -> None:
    signed = [leaf_hash(b"%d" % n) for n in range(size)]
    there = list(signed)
    for n in range(count):
        at = rng.randrange(len(there) + 1)
        match rng.randrange(4):
            case 0:
                there.insert(at, leaf_hash(b"new %d" % n))
            case 1:
                del there[at : at + rng.randrange(1, 4)]
            case 2 if there:
                there[at % len(there)] = leaf_hash(b"changed %d" % n)
            case _ if there:
                one, other = rng.randrange(len(there)), rng.randrange(len(there))
                there[one], there[other] = there[other], there[one]
    found = edits(signed, there, [*range(1, len(there) + 1)])
    lost = {n + 1 for n, leaf in enumerate(signed) if leaf not in there}
    named = {seq for edit in found if "put in" not in edit.text for seq in range(edit.seq, edit.last + 1)}
    assert named >= lost
    whole = there[:size] == signed
    assert (found == []) == whole
    if not whole:
        first = next(n for n in range(size) if n >= len(there) or there[n] != signed[n]) + 1
        assert first <= found[0].seq
    only_there = {n + 1 for n, leaf in enumerate(there) if leaf not in signed}
    put_in = {seq for edit in found if "put in" in edit.text for seq in range(edit.seq, edit.last + 1)}
    assert put_in <= only_there
    for edit in found:
        assert 1 <= edit.seq <= edit.last


def test_a_long_log_is_compared_whole() -> None:
    signed = [leaf_hash(b"%d" % n) for n in range(50_000)]
    there = [*signed[1:20_000], leaf_hash(b"new"), *signed[20_000:40_000][::-1], *signed[40_000:]]
    found = edits(signed, there, [*range(1, len(there) + 1)])
    assert found[0] == Edit(1, 1, "it was removed since it was signed")
    assert Edit(20_000, 20_000, "it was put in among what was signed") in found
    assert sum("changed places" in edit.text for edit in found) == 10_000
    assert len(found) == 10_002
