"""What is noted of a target while it is fetched, for its `Facts`: hops open and closed. No I/O."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import trio

from .address import Address
from .target import Facts, Hop


@dataclass(slots=True)
class HopNotes:
    """One request, noted as it goes: whoever carries it out fills in what they learn."""

    url: str
    attempt: int = 1
    status: int | None = None
    addresses: Sequence[Address] = ()
    dialled: Address | None = None
    verdict: str = ""
    nbytes: int = 0
    reused: bool = False  # whether the connection has served before: its end is then no news of the origin
    started_at: float = field(default_factory=trio.current_time)
    ended_at: float | None = None

    def freeze(self) -> Hop:
        """The hop as it stands; still open, it has lasted until now."""
        ended_at = trio.current_time() if self.ended_at is None else self.ended_at
        return Hop(
            url=self.url,
            status=self.status,
            addresses=tuple(str(address) for address in self.addresses),
            dialled=None if self.dialled is None else str(self.dialled),
            verdict=self.verdict,
            nbytes=self.nbytes,
            elapsed_ms=round((ended_at - self.started_at) * 1000),
            attempt=self.attempt,
        )


class Trail:
    """The hops of one target, in order. Starting one ends the one before."""

    def __init__(self) -> None:
        self._hops: list[HopNotes] = []
        self._started_at = trio.current_time()

    def hop(self, url: str, attempt: int = 1) -> HopNotes:
        """Start noting a request for `url`."""
        if self._hops and self._hops[-1].ended_at is None:
            self._hops[-1].ended_at = trio.current_time()
        notes = HopNotes(url, attempt)
        self._hops.append(notes)
        return notes

    @property
    def elapsed_ms(self) -> int:
        """The time since the trail began."""
        return round((trio.current_time() - self._started_at) * 1000)

    def facts(self) -> Facts:
        """All of it, as it stands."""
        return Facts(tuple(notes.freeze() for notes in self._hops), self.elapsed_ms)
