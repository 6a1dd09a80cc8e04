"""Upcasting: an event as an earlier gofer wrote it becomes the event of today, before it is decoded. Pure.

What stands on a log is never rewritten, so its form is brought up to date each time it is read. The tag names an
event's kind and, from the second on, the version of its payload: `target.done` has version 1, `target.done@2` the
next. To change a payload, give its class the next tag and add the rule that makes it from the one before:

    UPCASTS = {("target.done", 1): lambda payload: {**payload, "media_type": "text/html"}}

A private part is not reached here, for it is sealed: its structs only ever gain fields with defaults.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeVar

import msgspec

T = TypeVar("T")

Payload = Mapping[str, Any]
Upcasts = Mapping[tuple[str, int], Callable[[Payload], Payload]]
"""From a kind and the version of a payload to what makes the next version from it. The tag follows by itself."""

UPCASTS: Final[Upcasts] = {}


def upcast(payload: Payload, upcasts: Upcasts = UPCASTS) -> Payload:
    """The payload in the latest version that `upcasts` leads to; itself if none begins at its own."""
    kind, _, version = payload["type"].partition("@")
    at = int(version) if version.isdecimal() else 1
    while (rule := upcasts.get((kind, at))) is not None:
        at += 1
        payload = {**rule(payload), "type": f"{kind}@{at}"}
    return payload


def decode(data: bytes | str, decoder: msgspec.json.Decoder[T], upcasts: Upcasts = UPCASTS) -> T:
    """What `decoder` makes of a row of the log, whose `event` may be of an earlier version.

    Raises what the decoder raises: `msgspec.ValidationError` for a kind or a version that it does not know.
    """
    try:
        return decoder.decode(data)  # nearly always: no version's tag is another's
    except msgspec.ValidationError:
        match msgspec.json.decode(data):
            case {"event": {"type": str()} as payload, **row} if (later := upcast(payload, upcasts)) is not payload:
                return decoder.decode(msgspec.json.encode({**row, "event": later}))
            case _:
                raise
