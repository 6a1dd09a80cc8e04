"""An event as the log holds it: its envelope, its bytes, and which part of it is private. Apart from what happened.

The log is kept for ever, but what a job fetched is its caller's business and is forgotten with the job. So the
private part of an event (URLs, options, what a fetch did and why it failed, and the idempotency key, a hash by which
whoever guesses the targets could confirm them) is split off and stored sealed under the job's own key. Without the
key the event still decodes, and folds to the same counts and statuses.
"""

from collections.abc import Sequence
from typing import Final

import msgspec

from . import upcast
from .job import NO_FACTS, Event, Int, JobSubmitted, TargetDone, TargetFailed, TargetsAdded, TargetSpec


class Recorded(msgspec.Struct, frozen=True):
    """One event as the log holds it."""

    seq: int  # dense position in the whole log, from 1
    job_id: str  # the stream it belongs to
    version: int  # dense position in that stream, from 1
    event: Event


class Stored(msgspec.Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """What stands in a row of the log, and what its leaf hash is over. `event` lacks its private part."""

    job_id: str
    version: Int
    event: Event
    sealed: bytes | None = None  # the private part, encrypted


FORGOTTEN: Final = TargetSpec(url="", options="{}")  # what stands for a target on the log, without the job's key

_OPEN, _CLOSE = b"{}"
_ENCODER: Final = msgspec.json.Encoder()
_STORED: Final = msgspec.json.Decoder(Stored)
_SPECS: Final = msgspec.json.Decoder(tuple[TargetSpec, ...])


class _Failure(msgspec.Struct, frozen=True, omit_defaults=True):
    error: str
    hint: str | None = None
    facts: msgspec.Raw = NO_FACTS


_FAILURE: Final = msgspec.json.Decoder(_Failure)


def encode(stored: Stored) -> bytes:
    """The canonical bytes of a row: JSON, fields in their declared order, defaults left out."""
    return _ENCODER.encode(stored)


def decode(data: bytes | str) -> Stored:
    """The row in `data`, its event brought up to date if an earlier gofer wrote it.

    Raises `msgspec.ValidationError` for a tag or a field that this version does not know, and its parent
    `msgspec.DecodeError` for what is no JSON.
    """
    return upcast.decode(data, _STORED)


def decode_all(rows: Sequence[bytes]) -> list[Stored]:
    """Each of `rows` as `decode` gives it, in half the time. Raises what `decode` raises."""
    # A value cannot go on from one "}" to a "{", so of rows with both at their ends each is one value or several.
    if _are_braced(rows):
        try:
            stored = _STORED.decode_lines(b"\n".join(rows))
        except ValueError:
            pass  # one is an earlier gofer's, or damaged
        else:
            if len(stored) == len(rows):
                return stored
    return [decode(row) for row in rows]


def _are_braced(rows: Sequence[bytes]) -> bool:
    for row in rows:  # noqa: SIM110 - `all` with a generator takes twice as long
        if not row or row[0] != _OPEN or row[-1] != _CLOSE:
            return False
    return True


def split(event: Event) -> tuple[Event, bytes | None]:
    """The public event, and its private part if it has one."""
    match event:
        case JobSubmitted(idem_key=idem_key):
            return msgspec.structs.replace(event, idem_key=""), idem_key.encode()
        case TargetsAdded(at_ms, targets):
            return TargetsAdded(at_ms, (FORGOTTEN,) * len(targets)), _ENCODER.encode(targets)
        case TargetDone(at_ms, idx, sha256, nbytes, facts) if facts != NO_FACTS:
            return TargetDone(at_ms, idx, sha256, nbytes), bytes(facts)
        case TargetFailed(at_ms, idx, error, hint, facts):
            return TargetFailed(at_ms, idx), _ENCODER.encode(_Failure(error, hint, facts))
        case _:
            return event, None


def join(event: Event, private: bytes) -> Event:
    """The inverse of `split`. Raises `ValueError` for a private part that is not of this event."""
    match event:
        case JobSubmitted():
            return msgspec.structs.replace(event, idem_key=private.decode())
        case TargetsAdded(at_ms, targets):
            specs = _SPECS.decode(private)
            if len(specs) != len(targets):
                raise ValueError(f"{len(specs)} targets are no private part of {len(targets)}")
            return TargetsAdded(at_ms, specs)
        case TargetDone(at_ms, idx, sha256, nbytes):
            return TargetDone(at_ms, idx, sha256, nbytes, msgspec.Raw(private))
        case TargetFailed(at_ms, idx):
            failure = _FAILURE.decode(private)
            return TargetFailed(at_ms, idx, failure.error, failure.hint, failure.facts)
        case _:
            raise ValueError(f"{type(event).__name__} has no private part")
