"""A schedule that a seed decides: the only module that knows trio's internals, for tests alone.

trio shuffles each batch of runnable tasks with a random generator of its own, and has a switch that makes the order
before the shuffle a matter of the tasks' age instead of memory addresses. Hypothesis relies on the same two.
"""

import math
import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import trio
import trio._core._run as internals
from trio.testing import MockClock


@contextmanager
def seeded_schedule(seed: int) -> Iterator[None]:
    """Within the block the order in which trio runs its tasks follows from `seed`. Not for threads or real I/O.

    Start `trio.run` inside it, with a `MockClock`; the generator and the switch are put back as they were.
    """
    chance, switch = internals._r, internals._ALLOW_DETERMINISTIC_SCHEDULING
    before = chance.getstate()
    chance.seed(seed)
    internals._ALLOW_DETERMINISTIC_SCHEDULING = True  # type: ignore[misc]
    try:
        yield
    finally:
        internals._ALLOW_DETERMINISTIC_SCHEDULING = switch  # type: ignore[misc]
        chance.setstate(before)


def moved_internals() -> list[str]:
    """What `seeded_schedule` rests on and this version of trio no longer has; empty if all is well."""
    missing = []
    if not isinstance(getattr(internals, "_r", None), random.Random):
        missing.append("trio._core._run._r is no random.Random")
    if not isinstance(getattr(internals, "_ALLOW_DETERMINISTIC_SCHEDULING", None), bool):
        missing.append("trio._core._run._ALLOW_DETERMINISTIC_SCHEDULING is no bool")
    if not callable(getattr(MockClock, "_autojump", None)):
        missing.append("trio.testing.MockClock has no _autojump")
    if "_counter" not in getattr(trio.lowlevel.Task, "__slots__", ()):
        missing.append("trio.lowlevel.Task has no _counter")
    return missing


class Stalled(Exception):
    """Every task waits for another, and no deadline is to come: the run would never end."""


def jumping_clock() -> MockClock:
    """A clock that jumps to the next deadline when nothing else is to do; if there is none, the run raises.

    What trio raises then is a `trio.TrioInternalError` whose cause is `Stalled`.
    """
    clock = MockClock(autojump_threshold=0)
    jump = clock._autojump

    def jump_or_stall() -> None:
        if trio.lowlevel.current_statistics().seconds_to_next_deadline == math.inf:
            raise Stalled("each task waits for another")
        jump()

    clock._autojump = jump_or_stall  # type: ignore[method-assign]
    return clock


class Steps(trio.abc.Instrument):
    """Counts the steps of a run, each one task going from one checkpoint to the next, and calls `at_step` before one.

    `trail` hashes the names of the tasks in the order they ran: two runs with the same trail had the same schedule.
    """

    def __init__(self, at: int | None = None, call: Callable[[], None] = lambda: None) -> None:
        self.count = 0
        self.trail = 0
        self._at = at
        self._call = call

    def before_task_step(self, task: trio.lowlevel.Task) -> None:
        """Count the step, and act if it is the one. Called by trio."""
        self.count += 1
        self.trail = (self.trail * 31 + _number(task.name)) % (1 << 61)
        if self.count == self._at:
            self._call()


def _number(name: str) -> int:
    """The same number for the same name in every process, which `hash` is not."""
    return sum(name.encode()) + len(name)
