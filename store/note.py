"""Signed checkpoints of the log: their text, signing and checking. Pure; keys and notes come in as data.

A checkpoint is C2SP tlog-checkpoint (origin, tree size, root hash) in a C2SP signed-note with an Ed25519 signature
(c2sp.org/tlog-checkpoint, c2sp.org/signed-note), so that tools for transparency logs read it as it is.
"""

import base64
import binascii
import hashlib
from typing import Final, Self

import msgspec
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from ..events.merkle import HASH_BYTES

ED25519: Final = b"\x01"  # signed-note's signature type
SIGNATURE_BYTES: Final = 64
KEY_ID_BYTES: Final = 4
MAX_NOTE_CHARS: Final = 16_384
MAX_SIZE_DIGITS: Final = 19  # of 2**63, where SQLite's positions end
_DASH: Final = "\N{EM DASH} "


class NoteError(ValueError):
    """The text is no checkpoint, or nobody we trust signed it."""


class NotSigned(NoteError):
    """The note may be one, but has no signature of this key."""


class Checkpoint(msgspec.Struct, frozen=True):
    """What is signed: the log `origin` had `size` events, whose Merkle tree has `root`."""

    origin: str
    size: int
    root: bytes

    def text(self) -> str:
        """The lines that are signed."""
        return f"{self.origin}\n{self.size}\n{base64.b64encode(self.root).decode()}\n"


class PublicKey(msgspec.Struct, frozen=True):
    """A key that checks checkpoints, and the name it goes by. Its text is signed-note's verifier key."""

    name: str
    raw: bytes

    @property
    def key_id(self) -> bytes:
        """The four bytes by which a signature names its key."""
        return hashlib.sha256(f"{self.name}\n".encode() + ED25519 + self.raw).digest()[:KEY_ID_BYTES]

    def __str__(self) -> str:
        return f"{self.name}+{self.key_id.hex()}+{base64.b64encode(ED25519 + self.raw).decode()}"

    @classmethod
    def parse(cls, text: str) -> Self:
        """The key that `str` wrote. Raises `NoteError`."""
        name, _, rest = text.strip().partition("+")
        hash_hex, _, data = rest.partition("+")
        key_type_and_raw = _decode(data, "the key")
        if not _is_name(name) or key_type_and_raw[:1] != ED25519 or len(key_type_and_raw) != 33:
            raise NoteError("not an Ed25519 verifier key; it reads NAME+HASH+KEY, as `gofer audit key` prints it")
        key = cls(name, key_type_and_raw[1:])
        if key.key_id.hex() != hash_hex:
            raise NoteError("the key's hash does not fit its name and bytes; copy the whole line")
        return key

    def open(self, note: str) -> Checkpoint:
        """The checkpoint in `note`. Raises `NoteError` unless this key signed it for its own origin, of these
        `NotSigned` if it has no signature of this key.
        """
        checkpoint, text, signatures = _parse(note)
        ours = self._ours(signatures)
        try:
            Ed25519PublicKey.from_public_bytes(self.raw).verify(ours[0][KEY_ID_BYTES:], text.encode())
        except InvalidSignature:
            raise NoteError(f"the signature of {self.name} does not fit the text") from None
        if checkpoint.origin != self.name:
            raise NoteError(f"a checkpoint of {checkpoint.origin}, not of {self.name}")
        return checkpoint

    def own_note(self, note: str) -> str:
        """`note` with this key's signature alone: others may have signed it too. Raises `NoteError`."""
        _, text, signatures = _parse(note)
        return f"{text}\n{_DASH}{self.name} {base64.b64encode(self._ours(signatures)[0]).decode()}\n"

    def _ours(self, signatures: list[tuple[str, bytes]]) -> list[bytes]:
        ours = [raw for name, raw in signatures if name == self.name and raw[:KEY_ID_BYTES] == self.key_id]
        if not ours:
            raise NotSigned(f"not signed by {self.name}")
        return ours


class SigningKey:
    """A log's own key. Its text is one line, PRIVATE+KEY+NAME+HASH+KEY; keep it as one keeps a password."""

    def __init__(self, name: str, seed: bytes) -> None:
        """`seed` is 32 random bytes. Raises `NoteError` for a name with spaces or a plus."""
        if not _is_name(name):
            raise NoteError(f"{name!r} cannot name a key: no spaces, no plus")
        self._seed = seed
        self._key = Ed25519PrivateKey.from_private_bytes(seed)
        self.public = PublicKey(name, self._key.public_key().public_bytes_raw())

    def sign(self, size: int, root: bytes) -> str:
        """The note that says this log has `size` events with `root`."""
        text = Checkpoint(self.public.name, size, root).text()
        signature = base64.b64encode(self.public.key_id + self._key.sign(text.encode())).decode()
        return f"{text}\n{_DASH}{self.public.name} {signature}\n"

    def serialize(self) -> str:
        """The whole key as one line."""
        public = self.public
        seed = base64.b64encode(ED25519 + self._seed).decode()
        return f"PRIVATE+KEY+{public.name}+{public.key_id.hex()}+{seed}\n"

    @classmethod
    def parse(cls, line: str) -> Self:
        """The key that `serialize` wrote. Raises `NoteError`."""
        parts = line.strip().split("+", 4)
        if len(parts) != 5 or parts[:2] != ["PRIVATE", "KEY"]:
            raise NoteError("not a signing key")
        data = _decode(parts[4], "the key")
        if data[:1] != ED25519 or len(data) != 33:
            raise NoteError("not an Ed25519 signing key")
        return cls(parts[2], data[1:])


def _parse(note: str) -> tuple[Checkpoint, str, list[tuple[str, bytes]]]:
    """A note's checkpoint, its signed text and its signatures; nothing is verified yet."""
    if len(note) > MAX_NOTE_CHARS:
        raise NoteError("too long for a checkpoint")
    text, gap, tail = note.rpartition("\n\n")
    if not gap or not tail.endswith("\n"):
        raise NoteError("no signed note: text, an empty line, signatures")
    text += "\n"
    signatures = []
    for line in tail.removesuffix("\n").split("\n"):
        name, _, data = line.removeprefix(_DASH).partition(" ")
        if not line.startswith(_DASH) or not _is_name(name):
            raise NoteError("a signature line is malformed")
        signatures.append((name, _decode(data, "a signature")))
    lines = text.split("\n")
    if len(lines) < 4 or not lines[0]:
        raise NoteError("no checkpoint: origin, size, root")
    size, root = lines[1], _decode(lines[2], "the root")
    if not (size.isascii() and size.isdigit() and len(size) <= MAX_SIZE_DIGITS) or size != str(int(size)):
        raise NoteError("the size is no decimal number")
    if len(root) != HASH_BYTES:
        raise NoteError("the root is no SHA-256 hash")
    return Checkpoint(lines[0], int(size), root), text, signatures


def _is_name(name: str) -> bool:
    return bool(name) and "+" not in name and not any(char.isspace() for char in name)


def _decode(data: str, what: str) -> bytes:
    try:
        raw = base64.b64decode(data, validate=True)
    except (binascii.Error, ValueError):
        raise NoteError(f"{what} is not base64") from None
    if base64.b64encode(raw).decode() != data:  # spare bits of the last character: another text for the same bytes
        raise NoteError(f"{what} is not canonical base64")
    return raw
