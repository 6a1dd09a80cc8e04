"""Sealing the private part of events: AES-256-GCM-SIV (RFC 8452) under a key of the job's own. Pure.

The nonce is the event's version, used once a key. Should a crash make a version be written anew with other content,
the SIV construction still gives nothing away but whether both were the same.
"""

from functools import lru_cache
from typing import Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCMSIV

KEY_BYTES: Final = 32
NONCE_BYTES: Final = 12


class SealBroken(ValueError):
    """The sealed part was not made by this key for this event."""


def seal(key: bytes, job_id: str, version: int, private: bytes) -> bytes:
    """`private`, readable to who holds `key`, and bound to its place on the log."""
    return _cipher(key).encrypt(version.to_bytes(NONCE_BYTES), private, job_id.encode())


def unseal(key: bytes, job_id: str, version: int, sealed: bytes) -> bytes:
    """The inverse of `seal`. Raises `SealBroken`."""
    try:
        return _cipher(key).decrypt(version.to_bytes(NONCE_BYTES), sealed, job_id.encode())
    except InvalidTag:
        raise SealBroken(f"the private part of version {version} does not open with the job's key") from None


@lru_cache(maxsize=256)  # setting a key up takes twice as long as using it
def _cipher(key: bytes) -> AESGCMSIV:
    return AESGCMSIV(key)
