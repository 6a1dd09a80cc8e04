"""For tests of gofer's actors, and of what is built on them: a clock, an ear on the log, submissions in one line.

Public, and reached by no production code. The fakes of the other interfaces live beside them: `fetch.scripted` has
the fetcher, `fetch.resolve` the resolver.
"""

from collections.abc import Callable
from typing import Final, TypeVar

import trio

from ..events.job import Event
from ..events.recorded import Recorded
from ..fetch.target import Caller, Target
from .journal import Commit
from .runner import Submission

E = TypeVar("E")

EPOCH: Final = 1_800_000_000  # where simulated time begins, unix s


class SimulatedClock:
    """Unix seconds that pass as trio's clock does, so that autojump drives leases too. Call it for the time."""

    def __init__(self, epoch: float = EPOCH) -> None:
        self._offset_s = epoch - trio.current_time()

    def __call__(self) -> float:
        return self._offset_s + trio.current_time()

    def jump(self, seconds: float) -> None:
        """Set the wall clock on (or back) without time passing, as an operator or NTP does."""
        self._offset_s += seconds


class Ear:
    """A listener of the journal that keeps what it hears: `commits`, and every event in log order."""

    def __init__(self) -> None:
        self.commits: list[Commit] = []
        self.heard: list[Recorded] = []
        self._news = trio.Event()

    def __call__(self, commit: Commit) -> None:
        self.commits.append(commit)
        self.heard += commit.events
        self._news.set()
        self._news = trio.Event()

    def of(self, kind: type[E], job_id: str | None = None) -> list[E]:
        """The events of one kind so far; of one job if it is named."""
        return [r.event for r in self.heard if isinstance(r.event, kind) and job_id in (None, r.job_id)]

    def story(self, job_id: str) -> list[str]:
        """The kinds of a job's events, in order, by name."""
        return [type(r.event).__name__ for r in self.heard if r.job_id == job_id]

    async def hear(self, job_id: str, *kinds: type[Event]) -> Event:
        """The first event of one of `kinds` in a job, heard already or still to come."""
        return await self.until(
            lambda: next((r.event for r in self.heard if r.job_id == job_id and isinstance(r.event, kinds)), None)
        )

    async def until(self, find: Callable[[], E | None]) -> E:
        """What `find` finds, tried now and after each commit. The caller bounds the wait."""
        while (found := find()) is None:
            await self._news.wait()
        return found


def submission(caller: Caller, *urls: str, key: str | None = None) -> Submission:
    """A batch of `urls`, each with the default options."""
    return Submission(caller, tuple(Target(url) for url in urls), key)
