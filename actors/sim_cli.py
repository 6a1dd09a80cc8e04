"""`gofer-sim`: runs of the simulation by their seeds, and one of them as a timeline."""

import multiprocessing
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Annotated, Final

import cyclopts

from .simulation import Run, faults_of, report, shrink, simulate

app: Final = cyclopts.App(
    name="gofer-sim",
    help="""Run gofer's whole actor system against seeds: each decides a schedule, callers, faults and crashes.

    `gofer-sim --seed 7` shows one run as a timeline; `gofer-sim --base 20260101 --seeds 1000` tries a thousand.
    Exits 1 if something that must hold did not.""",
    help_format="plaintext",
    result_action="return_value",
)


@app.default
def run(
    *,
    seed: Annotated[int | None, cyclopts.Parameter(help="Show this one as a timeline.")] = None,
    base: Annotated[int, cyclopts.Parameter(help="The first seed of many.")] = 0,
    seeds: Annotated[int, cyclopts.Parameter(help="How many to try.")] = 100,
    jobs: Annotated[int, cyclopts.Parameter(help="Processes to try them in.")] = 1,
    shrunk: Annotated[bool, cyclopts.Parameter(help="Leave out what the failure does not need.")] = False,
    reports: Annotated[
        bool, cyclopts.Parameter(help="Shrink and tell the run that fails, not its seed alone.")
    ] = True,
) -> int:
    """Run simulations."""
    if seed is not None:
        return show(seed, shrunk=shrunk)
    faults: Counter[str] = Counter()
    tried = 0
    for summary in summaries(range(base, base + seeds), jobs):
        tried += 1
        faults.update(summary.faults)
        if summary.violation:
            print(f"seed {summary.seed} (number {tried}): {summary.violation}")
            if reports:
                print(report(shrink(simulate(summary.seed))))
            return 1
    print(f"{tried} seeds from {base}: all held")
    for fault, count in sorted(faults.items()):
        print(f"  {count:6} {fault}")
    return 0


def show(seed: int, *, shrunk: bool) -> int:
    """Print one run as a timeline."""
    one = simulate(seed)
    if shrunk and one.failed:
        one = shrink(one)
    print(
        f"seed {seed}: {len(one.plan.ops)} operations, {one.steps} steps, {len(one.log)} events, {one.deaths} deaths"
    )
    print(f"{one.plan.batch}\n{one.plan.concurrency}")
    print("\n".join(one.timeline))
    print(report(one) if one.failed else f"all held; the log's root is {one.root.hex()}")
    return int(one.failed)


class Summary:
    """What is told of a run from another process."""

    def __init__(self, run: Run) -> None:
        self.seed = run.seed
        self.violation = run.violations[0] if run.violations else ""
        self.faults = faults_of(run)
        self.steps = run.steps
        self.deaths = run.deaths


def summarize(seed: int) -> Summary:
    """Run one seed."""
    return Summary(simulate(seed))


def summaries(seeds: Iterable[int], jobs: int) -> Iterator[Summary]:
    """Run `seeds` in so many processes; in their order."""
    if jobs == 1:
        yield from map(summarize, seeds)
        return
    with multiprocessing.get_context("spawn").Pool(jobs) as pool:
        yield from pool.imap(summarize, seeds, chunksize=8)


def main() -> None:
    """The entry point."""
    sys.exit(app())


if __name__ == "__main__":
    main()
