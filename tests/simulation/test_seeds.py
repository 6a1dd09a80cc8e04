"""The simulation: new seeds each day, and every seed that ever failed."""

import datetime
import os
from collections import Counter
from pathlib import Path

import pytest
from gofer.actors.sim_cli import summaries
from gofer.actors.simulation import report, shrink, simulate
from gofer.actors.testing_store import PLACES
from gofer.actors.workload import count_faults, plan

CORPUS = Path(__file__).with_name("corpus.txt")
SEEDS = int(os.environ.get("GOFER_SIM_SEEDS", "1000"))
PROCESSES = 2


def known_seeds() -> list[int]:
    lines = [line.split("#")[0].split() for line in CORPUS.read_text().splitlines()]
    return sorted({int(line[0]) for line in lines if line})


@pytest.mark.parametrize("seed", known_seeds())
def test_a_seed_that_failed_before_holds(seed: int) -> None:
    run = simulate(seed)
    assert not run.failed, report(shrink(run))


def test_new_seeds_hold() -> None:
    """A thousand a day that nobody tried before. What fails belongs into the corpus."""
    base = int(datetime.datetime.now(datetime.UTC).strftime("%Y%m%d")) * 10_000
    for summary in summaries(range(base, base + SEEDS), PROCESSES):
        assert not summary.violation, report(shrink(simulate(summary.seed)))


def test_the_workload_injects_faults_of_every_kind() -> None:
    counts: Counter[str] = Counter()
    for seed in range(500):
        counts.update(count_faults(plan(seed).ops))
    kinds = {f"{kind} at {place}" for kind in ("crash", "store fault") for place in PLACES}
    kinds |= {"crash at any step", "restart", "clock set", "contradictory write", "caller vanished"}
    assert counts.keys() == kinds
    assert min(counts.values()) >= 5
