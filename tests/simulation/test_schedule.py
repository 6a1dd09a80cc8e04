"""A seed decides a run, to the byte of its log; and the internals of trio on which that rests are where they were."""

import os
import subprocess
import sys

import pytest
from gofer.actors.simulation import simulate
from gofer.actors.testing_schedule import moved_internals
from gofer.actors.workload import plan


def test_trio_still_has_what_the_schedule_rests_on() -> None:
    assert moved_internals() == []


@pytest.mark.parametrize("first", range(0, 50, 10))
def test_the_same_seed_gives_the_same_log_to_the_byte(first: int) -> None:
    for seed in range(first, first + 10):
        once, again = simulate(seed), simulate(seed)
        assert not once.failed
        assert once.log == again.log
        assert once.root == again.root
        assert once.timeline == again.timeline
        assert len(once.root) == 32
        assert (once.trail, once.steps) == (again.trail, again.steps)


def test_the_same_seed_gives_the_same_log_in_another_process() -> None:
    """Where memory lies elsewhere and strings hash to other numbers."""
    program = "from gofer.actors.simulation import simulate; print([simulate(s).root.hex() for s in range(60, 65)])"
    for hash_seed in ("1", "2"):
        environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
        told = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True)
        assert told.stdout.strip() == str([simulate(seed).root.hex() for seed in range(60, 65)]), told.stderr


STALLING = """
import trio
from gofer.actors.testing_schedule import Stalled, jumping_clock

async def wait_for_nobody():
    with trio.CancelScope(shield=True):
        await trio.Event().wait()

try:
    trio.run(wait_for_nobody, clock=jumping_clock())
except trio.TrioInternalError as error:
    print(isinstance(error.__cause__, Stalled))
"""


def test_a_run_that_cannot_end_is_ended() -> None:
    """In a process of its own: the tasks of such a run are never finished."""
    told = subprocess.run([sys.executable, "-c", STALLING], capture_output=True, text=True, timeout=60)
    assert told.stdout == "True\n", told.stderr


def test_different_seeds_give_different_schedules_to_the_same_plan() -> None:
    same = plan(3)
    runs = [simulate(seed, same) for seed in range(10)]
    assert not any(run.failed for run in runs)
    assert len({run.trail for run in runs}) == 10


def test_a_plan_is_the_same_each_time() -> None:
    assert plan(5) == plan(5)
    assert plan(5) != plan(6)
