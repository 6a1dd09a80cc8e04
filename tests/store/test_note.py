"""Signed checkpoints: the text other tools read, and every forgery refused."""

import random

import pytest
from gofer.store.note import Checkpoint, NoteError, PublicKey, SigningKey

KEY = SigningKey("log.example", bytes(range(32)))
ROOT = bytes(reversed(range(32)))


def test_a_note_reads_as_the_standard_says() -> None:
    origin, size, root, empty, signature = KEY.sign(42, ROOT).splitlines()
    assert (origin, size, root, empty) == ("log.example", "42", "Hx4dHBsaGRgXFhUUExIREA8ODQwLCgkIBwYFBAMCAQA=", "")
    assert signature.startswith("\N{EM DASH} log.example ")


def test_a_key_opens_what_it_signed() -> None:
    assert KEY.public.open(KEY.sign(42, ROOT)) == Checkpoint("log.example", 42, ROOT)
    assert KEY.public.open(KEY.sign(0, ROOT)).size == 0


def test_keys_round_trip_as_text() -> None:
    assert PublicKey.parse(str(KEY.public)) == KEY.public
    again = SigningKey.parse(KEY.serialize())
    assert again.public == KEY.public
    assert again.sign(7, ROOT) == KEY.sign(7, ROOT)


def test_the_published_verifier_key_parses() -> None:
    """The example key of the Go checksum database, whose format this is."""
    text = "sum.golang.org+033de0ae+Ac4zctda0e5eza+HJyk9SxEdh+s3Ux18htTTAD8OuAn8"
    assert str(PublicKey.parse(text)) == text


def test_another_signature_beside_ours_does_no_harm() -> None:
    other = SigningKey("witness.example", bytes(32))
    line = other.sign(42, ROOT).splitlines()[-1]
    assert KEY.public.open(KEY.sign(42, ROOT) + line + "\n").size == 42


@pytest.mark.parametrize(
    ("note", "message"),
    [
        ("", "no signed note"),
        ("log.example\n1\n", "no signed note"),
        (SigningKey("log.example", bytes(32)).sign(42, ROOT), "not signed by"),
        (SigningKey("other.example", bytes(range(32))).sign(42, ROOT), "not signed by"),
        (KEY.sign(42, ROOT).replace("\n42\n", "\n43\n"), "does not fit"),
        (KEY.sign(42, ROOT).replace("\n42\n", "\n042\n"), "decimal"),
        (KEY.sign(42, ROOT).replace("\N{EM DASH}", "-"), "malformed"),
        (KEY.sign(42, ROOT[:31]), "no SHA-256"),
        ("x" * 20_000, "too long"),
    ],
)
def test_a_bad_note_is_refused(note: str, message: str) -> None:
    with pytest.raises(NoteError, match=message):
        KEY.public.open(note)


@pytest.mark.parametrize(
    "text", ["", "a+b+c", "log.example+00000000+" + str(KEY.public).split("+")[2], "log.example"]
)
def test_a_bad_key_is_refused(text: str) -> None:
    with pytest.raises(NoteError):
        PublicKey.parse(text)
    with pytest.raises(NoteError):
        SigningKey.parse(text)


def test_no_random_change_of_a_note_passes() -> None:
    rng = random.Random(1)
    note = KEY.sign(123_456, ROOT)
    for _ in range(2_000):
        at = rng.randrange(len(note))
        forged = note[:at] + rng.choice(["", "0", "A", "\n", "+", " "]) + note[at + 1 :]
        try:
            assert forged == note or KEY.public.open(forged) == KEY.public.open(note)
        except NoteError:
            continue
