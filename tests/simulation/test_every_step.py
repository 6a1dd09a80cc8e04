"""A crash at every step of one run: whatever was acknowledged is there, and the next system starts clean."""

import pytest
from gofer.actors.settings import BatchSettings, ConcurrencySettings
from gofer.actors.simulation import report, simulate
from gofer.actors.workload import Cancel, Page, Plan, Poll, Submit

FAST = Page("http://h1.example/fast", 0.0, 300)
SLOW = Page("http://h2.example/slow", 1.0, 10)
NEVER = Page("http://h1.example/never", None)
WRONG = Page("http://h3.example/wrong", 0.5, 0, "fail")

RUN = Plan(
    BatchSettings(ttl_s=4, sweep_every_s=1, max_bytes=700, job_timeout_s=3, drain_timeout_s=1),
    ConcurrencySettings(total=3, per_job=2, per_host=2),
    (
        Submit(at_s=0, caller="ann", pages=(FAST, SLOW, WRONG)),
        Submit(at_s=0, caller="bob", pages=(NEVER, FAST), key="k1"),
        Poll(at_s=1, caller="ann", job=0, times=3, every_s=0.5),
        Submit(at_s=1, caller="bob", pages=(NEVER, FAST), key="k1"),
        Cancel(at_s=2, caller="bob", job=0),
        Submit(at_s=2, caller="cem", pages=(FAST,)),
        Submit(at_s=4, caller="ann", pages=(FAST, SLOW, WRONG)),
    ),
    leave_at_once=False,
)
STEPS = simulate(1, RUN).steps
PARTS = 8


@pytest.mark.parametrize("part", range(PARTS))
def test_a_crash_at_every_step(part: int) -> None:
    assert STEPS > 250, "there is something to crash"
    for step in range(1 + part, STEPS + 1, PARTS):
        run = simulate(1, RUN, crash_at_step=step)
        assert not run.failed, f"crash at step {step}\n{report(run)}"
        assert run.deaths <= 1
