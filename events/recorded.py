"""The envelope of an event on the log, and its bytes: what the log adds, apart from what happened."""

from typing import Final

import msgspec

from .job import Event


class Recorded(msgspec.Struct, frozen=True):
    """One event as the log holds it."""

    seq: int  # dense position in the whole log, from 1
    job_id: str  # the stream it belongs to
    version: int  # dense position in that stream, from 1
    event: Event


_ENCODER: Final = msgspec.json.Encoder()
_DECODER: Final = msgspec.json.Decoder(Event)


def encode(event: Event) -> bytes:
    """The bytes of an event as they are stored: JSON, with its tag in `type`."""
    return _ENCODER.encode(event)


def decode(data: bytes) -> Event:
    """The event in `data`.

    Raises `msgspec.ValidationError` for a tag or a field that this version does not know, and its parent
    `msgspec.DecodeError` for what is no JSON.
    """
    return _DECODER.decode(data)
