"""What a seed makes happen to a system: callers, their targets, faults. Data and its generator; nothing runs here.

Each operation stands for itself: it names its caller, its moment and all its parameters, so that any part of a plan
is a plan too, and a failing one can be shrunk by leaving operations out.
"""

import random
from collections.abc import Sequence
from typing import Final, Literal

import msgspec

from .settings import BatchSettings, ConcurrencySettings
from .testing_store import PLACES, Place

CALLERS: Final = ("ann", "bob", "cem", "dee")
HOSTS: Final = 4
SINGLE: Final = "/single"  # how the URL of a fetch outside any job ends
HORIZON_S: Final = 40  # when the last operation begins


class Page(msgspec.Struct, frozen=True):
    """A target and what its origin does: answer `nbytes` after `delay_s` (None: never), fail, or trip over a bug."""

    url: str
    delay_s: float | None = 0
    nbytes: int = 10
    then: Literal["answer", "fail", "crash"] = "answer"


class _Op(msgspec.Struct, frozen=True, tag=True, kw_only=True):
    at_s: float


class Submit(_Op, frozen=True, kw_only=True):
    """Submit a batch. Who is not patient is gone after so many of its steps, whatever came of it."""

    caller: str
    pages: tuple[Page, ...]
    key: str | None = None
    patience: int | None = None


class Poll(_Op, frozen=True, kw_only=True):
    """Read a job as its caller does, `times` over, and hold what is read against what must be."""

    caller: str
    job: int  # the nth that was acknowledged, modulo their number
    times: int
    every_s: float


class Cancel(_Op, frozen=True, kw_only=True):
    """Cancel a job."""

    caller: str
    job: int


class Fetch(_Op, frozen=True, kw_only=True):
    """Fetch one page outside any job."""

    caller: str
    page: Page


class Contradict(_Op, frozen=True, kw_only=True):
    """A write that changes a job and then finds that it must not."""

    job: int


class SetClock(_Op, frozen=True, kw_only=True):
    """The wall clock is set, by so many seconds."""

    by_s: int


class Restart(_Op, frozen=True, kw_only=True):
    """The operator stops the system, which drains, and starts it again."""


class Crash(_Op, frozen=True, kw_only=True):
    """The power goes: now, or (with a place) the nth time that place is reached from now."""

    place: Place | None = None
    nth: int = 1


class StoreFault(_Op, frozen=True, kw_only=True):
    """The store reports an error of the machine the nth time that place is reached from now."""

    place: Place
    nth: int


Op = Submit | Poll | Cancel | Fetch | Contradict | SetClock | Restart | Crash | StoreFault


class Plan(msgspec.Struct, frozen=True):
    """All that happens from outside in one run."""

    batch: BatchSettings
    concurrency: ConcurrencySettings
    ops: tuple[Op, ...]
    leave_at_once: bool  # drain right behind the last operation, instead of letting the jobs end first


def plan(seed: int) -> Plan:
    """The plan of a seed; the same in every process."""
    chance = random.Random(f"plan {seed}")  # noqa: S311 - a seed must give the same plan again
    batch = BatchSettings(
        max_live_per_caller=chance.choice([1, 1, 1, 2]),
        max_live=chance.choice([2, 3, 8]),
        ttl_s=chance.choice([5, 20, 60, 3600]),
        max_bytes=chance.choice([4_000, 12_000, 1_000_000]),
        sweep_every_s=chance.choice([1, 5, 15]),
        job_timeout_s=chance.choice([4, 15, 30]),
        drain_timeout_s=chance.choice([0, 2, 5]),
    )
    concurrency = ConcurrencySettings(
        total=chance.choice([2, 4, 64]), per_job=chance.choice([1, 3, 8]), per_host=chance.choice([1, 2, 4])
    )
    batches = {caller: [_pages(chance, f"{caller}{n}") for n in range(3)] for caller in CALLERS}
    ops: list[Op] = [_op(chance, batches) for _ in range(chance.randint(12, 40))]
    ops += [op for op in ops if isinstance(op, Submit) and chance.random() < 0.15]  # twins, at the same moment
    if chance.random() < 0.6:
        ops += [_fault(chance) for _ in range(chance.randint(1, 3))]
    ops.sort(key=lambda op: op.at_s)
    return Plan(batch, concurrency, tuple(ops), leave_at_once=chance.random() < 0.3)


def _moment(chance: random.Random) -> float:
    """Often the same moment as others', so that they race."""
    return (
        chance.randint(0, 8 * HORIZON_S // 10) / 8 if chance.random() < 0.3 else float(chance.randint(0, HORIZON_S))
    )


def _op(chance: random.Random, batches: dict[str, list[tuple[Page, ...]]]) -> Op:
    at_s, caller = _moment(chance), chance.choice(CALLERS)
    roll = chance.random()
    if roll < 0.5:
        key = chance.choice([None, None, "k1", "k2"])
        patience = chance.randint(1, 6) if chance.random() < 0.15 else None
        return Submit(at_s=at_s, caller=caller, pages=chance.choice(batches[caller]), key=key, patience=patience)
    if roll < 0.7:
        every_s = chance.choice([0.0, 0.25, 1.0, 3.0])
        return Poll(at_s=at_s, caller=caller, job=chance.randint(0, 9), times=chance.randint(1, 12), every_s=every_s)
    if roll < 0.85:
        return Cancel(at_s=at_s, caller=caller, job=chance.randint(0, 9))
    if roll < 0.9:
        return Fetch(
            at_s=at_s, caller=caller, page=_page(chance, f"http://h{chance.randrange(HOSTS)}.example/single")
        )
    if roll < 0.94:
        return Contradict(at_s=at_s, job=chance.randint(0, 9))
    if roll < 0.97:
        return SetClock(at_s=at_s, by_s=chance.choice([-30, -1, 1, 30, 4000]))
    return Restart(at_s=at_s)


def _fault(chance: random.Random) -> Op:
    at_s = _moment(chance)
    nth = chance.choice([1, 1, 2, 3, 5, 9])
    if chance.random() < 0.3:
        return Crash(at_s=at_s)
    place = chance.choice(PLACES)
    return (
        Crash(at_s=at_s, place=place, nth=nth)
        if chance.random() < 0.6
        else StoreFault(at_s=at_s, place=place, nth=nth)
    )


def _pages(chance: random.Random, name: str) -> tuple[Page, ...]:
    pages = [
        _page(chance, f"http://h{chance.randrange(HOSTS)}.example/{name}/{n}")
        for n in range(chance.choice([1, 2, 3, 6]))
    ]
    if chance.random() < 0.2:
        pages.append(pages[0])  # the same URL twice is two targets
    return tuple(pages)


def _page(chance: random.Random, url: str) -> Page:
    delay_s = chance.choice([0.0, 0.0, 0.125, 1.0, 1.0, 3.0, 10.0, None])
    nbytes = chance.choice([0, 10, 300, 3_000])
    then: Sequence[Literal["answer", "fail", "crash"]] = ("answer", "answer", "answer", "fail", "crash")
    return Page(url, delay_s, nbytes, chance.choice(then))


def count_faults(ops: Sequence[Op]) -> dict[str, int]:
    """How many faults of each kind there are in `ops`."""
    counts: dict[str, int] = {}
    for op in ops:
        match op:
            case Crash(place=place):
                name = f"crash at {place or 'any step'}"
            case StoreFault(place=place):
                name = f"store fault at {place}"
            case Restart():
                name = "restart"
            case SetClock():
                name = "clock set"
            case Contradict():
                name = "contradictory write"
            case Submit(patience=int()):
                name = "caller vanished"
            case _:
                continue
        counts[name] = counts.get(name, 0) + 1
    return counts
