"""Faults made by hand, applied one at a time to a copy of the tree: the simulation must find each.

    python tests/simulation/mutations.py [--seeds N] [--only TEXT] [--jobs N]

Prints a table of what found it and after how many seeds; exits 1 if one went unnoticed or no longer fits the code.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("events", "store", "fetch", "actors")
TIMEOUT_S = 1200


@dataclass(frozen=True)
class Mutation:
    """One fault: in `path`, `old`, which stands there once, becomes `new`."""

    name: str
    path: str
    old: str
    new: str


MUTATIONS = (
    # ---- journal
    Mutation(
        "acknowledge before commit",
        "actors/journal.py",
        "return Value(write.apply(self._store))",
        "write.reply.settle(result := Value(write.apply(self._store))); return result",
    ),
    Mutation(
        "drop the savepoint of each write",
        "actors/journal.py",
        "            with self._store.transaction():\n                return Value",
        "            if True:\n                return Value",
    ),
    Mutation(
        "carry on over a fault of the store",
        "actors/journal.py",
        "            if isinstance(error, apsw.Error):\n                raise\n",
        "",
    ),
    Mutation(
        "leave who asked a dead journal waiting",
        "actors/journal.py",
        "            self._mailbox.close()\n",
        "            pass\n",
    ),
    Mutation(
        "answer only the first two writes of a group",
        "actors/journal.py",
        "zip(group, outcomes, strict=True)",
        "list(zip(group, outcomes, strict=True))[:2]",
    ),
    Mutation(
        "tell listeners of all but the last event",
        "actors/journal.py",
        "Commit(tuple(events),",
        "Commit(tuple(events[:-1]) or tuple(events),",
    ),
    # ---- mailbox
    Mutation(
        "close a mailbox without telling who asked",
        "actors/mailbox.py",
        '            reply.fail(ActorDied("the actor has ended"))\n',
        "            pass\n",
    ),
    # ---- job
    Mutation(
        "begin a fetch before its start is durable",
        "actors/job.py",
        "                    begun.append(message)\n",
        "                    begun.append(message)\n                    message.reply.give(None)\n",
    ),
    Mutation(
        "begin a fetch while the job's end is on its way",
        "actors/job.py",
        "            if self._ending:  #",
        "            if False:  #",
    ),
    Mutation(
        "forget to cancel the fetches of an ended job",
        "actors/job.py",
        "            nursery.cancel_scope.cancel()\n",
        "",
    ),
    Mutation("forget the job's deadline", "actors/job.py", "            nursery.start_soon(self._deadline)\n", ""),
    Mutation(
        "time out only the first unfinished target",
        "actors/job.py",
        "for idx in sorted(unfinished)]",
        "for idx in sorted(unfinished)[:1]]",
    ),
    Mutation(
        "swap the targets' places",
        "actors/job.py",
        "in enumerate(self._targets):",
        "in enumerate(tuple(self._targets)[::-1]):",
    ),
    Mutation(
        "go on behind the message that ends the job",
        "actors/job.py",
        "            if ending is not None:\n                break\n",
        "",
    ),
    Mutation(
        "say cancelled before it is durable",
        "actors/job.py",
        "                    commands.append(Cancel(at_ms))\n",
        "                    commands.append(Cancel(at_ms))\n                    message.reply.give(True)\n",
    ),
    Mutation("let the actor of a swept job go on", "actors/job.py", "        self._removed.cancel()\n", ""),
    Mutation(
        "let a crash of the fetcher through",
        "actors/job.py",
        "            except Exception as error:  # noqa: BLE001 - one bad",
        "            except KeyError as error:  # noqa: BLE001 - one bad",
    ),
    # ---- limits
    Mutation(
        "one fetch too many in all",
        "actors/limits.py",
        "self._running < self._settings.total",
        "self._running <= self._settings.total",
    ),
    Mutation(
        "one fetch too many to a host",
        "actors/limits.py",
        "self._by_host[waiter.host] >= self",
        "self._by_host[waiter.host] > self",
    ),
    Mutation(
        "one fetch too many of a job",
        "actors/limits.py",
        "self._by_job[waiter.job_id] < self",
        "self._by_job[waiter.job_id] <= self",
    ),
    Mutation(
        "keep the place of a cancelled fetch",
        "actors/limits.py",
        "        try:\n"
        "            await waiter.granted.wait()\n"
        "            yield\n"
        "        finally:\n"
        "            if waiter.granted.is_set():\n"
        "                self._count(waiter, -1)\n"
        "                self._grant()\n"
        "            else:\n"
        "                self._waiting.remove(waiter)\n",
        "        try:\n"
        "            await waiter.granted.wait()\n"
        "            yield\n"
        "        except trio.Cancelled:\n"
        "            if waiter in self._waiting:\n"
        "                self._waiting.remove(waiter)\n"
        "            raise\n"
        "        self._count(waiter, -1)\n"
        "        self._grant()\n",
    ),
    Mutation(
        "let the head of the line block",
        "actors/limits.py",
        "                passed.append(waiter)\n",
        "                passed.append(waiter)\n                break\n",
    ),
    # ---- runner
    Mutation(
        "never reuse a job",
        "actors/runner.py",
        "        if view is None:\n            return None\n        if key is None:",
        "        if view is None or view:\n            return None\n        if key is None:",
    ),
    Mutation(
        "let twins be admitted side by side",
        "actors/runner.py",
        "            await twin.wait()\n",
        "            break\n",
    ),
    Mutation(
        "reuse a partial job",
        "actors/runner.py",
        '("queued", "running", "done") else None',
        '("queued", "running", "done", "partial") else None',
    ),
    Mutation(
        "let a key answer another batch",
        "actors/runner.py",
        "for t in view.targets) != specs:",
        "for t in view.targets) is None:",
    ),
    Mutation(
        "forget a key when its job failed",
        "actors/runner.py",
        "        if key is None:\n            return",
        '        if key is None or view.job.status == "failed":\n            return',
    ),
    Mutation(
        "one live job too many for a caller",
        "actors/runner.py",
        "        if self._live_of[caller.name] >= self._settings.max_live_per_caller:\n"
        "            self._recount()\n"
        "            if self._live_of[caller.name] >=",
        "        if self._live_of[caller.name] >= self._settings.max_live_per_caller:\n"
        "            self._recount()\n"
        "            if self._live_of[caller.name] >",
    ),
    Mutation(
        "one live job too many in all",
        "actors/runner.py",
        "            if len(self._live) >= self._settings.max_live:\n                raise",
        "            if len(self._live) > self._settings.max_live:\n                raise",
    ),
    Mutation(
        "count a caller's job as live for ever", "actors/runner.py", "            self._live_of[caller] -= 1\n", ""
    ),
    Mutation(
        "stop without interrupting what does not end",
        "actors/runner.py",
        "            self._nursery.start_soon(self._interrupt, actor)\n",
        "            pass\n",
    ),
    Mutation(
        "admit while draining",
        "actors/runner.py",
        '        if self._draining:\n            raise Draining("the service is stopping")\n        if not self',
        "        if not self",
    ),
    Mutation(
        "touch another's lease",
        "actors/runner.py",
        "        actor = self._actors.get(job_id)\n        if actor is not None:\n            try:",
        "        actor = self._actors.get(job_id) or next(iter(self._actors.values()), None)\n"
        "        if actor is not None:\n"
        "            try:",
    ),
    Mutation(
        "forget a touch",
        "actors/runner.py",
        "        self._touched[job_id] = second\n",
        "        self._touched[job_id] = second + 1\n",
    ),
    Mutation(
        "acknowledge a job before it is written",
        "actors/runner.py",
        "        job_id = command.job.job_id\n        try:\n            try:\n",
        "        job_id = command.job.job_id\n        accepted.give(None)\n        try:\n            try:\n",
    ),
    Mutation(
        "say cancelled and ask nobody",
        "actors/runner.py",
        "if actor is None or not await self._ask_to_cancel(actor):",
        "if actor is None:",
    ),
    Mutation(
        "keep the actors of ended jobs",
        "actors/runner.py",
        "            del self._actors[job_id]\n",
        "            if len(self._actors) == 1:\n                del self._actors[job_id]\n",
    ),
    # ---- janitor
    Mutation(
        "forget the byte budget",
        "actors/janitor.py",
        "            self._budget_changed.set()\n",
        "            pass\n",
    ),
    Mutation(
        "forget the byte budget at the start",
        "actors/janitor.py",
        "            self._budget_changed = trio.Event()\n"
        "            await self._journal.write(lambda store: store.evict_batch_oldest(self._settings.max_bytes))\n"
        "            await self._budget_changed.wait()\n",
        "            await self._budget_changed.wait()\n"
        "            self._budget_changed = trio.Event()\n"
        "            await self._journal.write(lambda store: store.evict_batch_oldest(self._settings.max_bytes))\n",
    ),
    Mutation(
        "sweep by a minute ago",
        "actors/janitor.py",
        "self._sweep_of(int(self._clock()))",
        "self._sweep_of(int(self._clock()) - 60)",
    ),
    # ---- system
    Mutation(
        "skip the restart's reconciliation",
        "actors/system.py",
        "        store.mark_in_flight_failed(INTERRUPTED, int(clock()))\n",
        "",
    ),
    # ---- store
    Mutation(
        "sweep a second late", "store/batch.py", 'WHERE lease <= ?", (now - ttl,)', 'WHERE lease < ?", (now - ttl,)'
    ),
    Mutation(
        "evict the youngest first",
        "store/batch.py",
        '" ORDER BY lease, rowid LIMIT 1"',
        '" ORDER BY lease DESC, rowid LIMIT 1"',
    ),
    Mutation(
        "evict one job and no more",
        "store/batch.py",
        "            while self._nbytes > max_bytes:\n",
        "            for _ in range(self._nbytes > max_bytes):\n",
    ),
    Mutation(
        "keep the bytes of removed jobs counted",
        "store/batch.py",
        "(0 if after.removed else after.nbytes)",
        "after.nbytes",
    ),
    Mutation(
        "keep the bytes of a write that was undone",
        "store/batch.py",
        "            self._nbytes = nbytes\n",
        "            pass\n",
    ),
    Mutation(
        "append to a stream that has moved on",
        "store/log.py",
        "        if version != expected_version:\n",
        "        if False:\n",
    ),
    Mutation(
        "remember the heads of streams that were undone",
        "store/log.py",
        "        self._heads.clear()\n",
        "        pass\n",
    ),
    Mutation(
        "reconcile all but one",
        "store/batch.py",
        "self._execute_each(self.live_job_ids(), Interrupt",
        "self._execute_each(self.live_job_ids()[1:], Interrupt",
    ),
    Mutation("store no result", "store/projection.py", "new.hint, body, after.id", "new.hint, None, after.id"),
    Mutation(
        "leave the targets of removed jobs",
        "store/projection.py",
        "            rows[_DELETE_TARGETS].append((after.id,))\n",
        "",
    ),
    Mutation(
        "look for the oldest job of a key", "store/rows.py", "ORDER BY rowid DESC LIMIT 1", "ORDER BY rowid LIMIT 1"
    ),
    Mutation(
        "give one caller another's job",
        "store/rows.py",
        "WHERE caller = ? AND idem_key = ?",
        "WHERE (caller = ? OR 1) AND idem_key = ?",
    ),
    # ---- events
    Mutation(
        "count a target that starts as done",
        "events/job.py",
        "{after: (after in FINISHED) - (before in FINISHED) for after in goes}",
        "{after: int(after != before) for after in goes}",
    ),
    Mutation(
        "leave a cancelled job's targets unfinished",
        "events/job.py",
        't if t.finished else Target(t.url, t.options, "failed", target_error)',
        "t",
    ),
    Mutation(
        "call a partial job done",
        "events/job.py",
        'return "partial" if done else "failed"',
        'return "done" if done else "failed"',
    ),
    Mutation(
        "let a cancelled job keep its lease",
        "events/job.py",
        "            done, at_ms = job.targets_total, event.at_ms\n",
        "            done = job.targets_total\n",
    ),
    Mutation(
        "sweep a second early",
        "events/job.py",
        "if job.lease + ttl_s <= at_ms // 1000 else ()",
        "if job.lease + ttl_s < at_ms // 1000 else ()",
    ),
)


def fits(mutation: Mutation, tree: Path) -> bool:
    """Whether the code is still what the fault was made for."""
    return (tree / mutation.path).read_text().count(mutation.old) == 1


def apply(mutation: Mutation, tree: Path) -> None:
    """Put the fault into the copy at `tree`."""
    path = tree / mutation.path
    path.write_text(path.read_text().replace(mutation.old, mutation.new))


def found_by(mutation: Mutation, seeds: int) -> str:
    """What the simulation says to the fault: "seed S (number N): ...", or "" if it says nothing."""
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder) / "gofer"
        for package in PACKAGES:
            shutil.copytree(ROOT / package, tree / package, ignore=shutil.ignore_patterns("__pycache__"))
        apply(mutation, tree)
        program = (
            "import sys, gofer.actors.sim_cli as cli\n"
            f"assert cli.__file__.startswith({folder!r}), cli.__file__\n"
            f"sys.exit(cli.app(['--seeds', '{seeds}', '--no-reports']))"
        )
        environment = {**os.environ, "PYTHONPATH": folder}
        try:
            ended = subprocess.run(
                [sys.executable, "-c", program],
                env=environment,
                cwd=folder,
                capture_output=True,
                text=True,
                timeout=TIMEOUT_S,
            )
        except subprocess.TimeoutExpired:
            return f"seed ? (number ?): no end in {TIMEOUT_S} s"
    if ended.returncode == 0:
        return ""
    lines = [line for line in ended.stdout.splitlines() if line.startswith("seed ")]
    return lines[0] if lines else f"seed ? (number ?): {ended.stderr.splitlines()[-1]}"


def table(mutations: Iterable[Mutation], seeds: int, jobs: int) -> Iterator[tuple[Mutation, str]]:
    """Each mutation with what found it, as they are done."""
    with ThreadPoolExecutor(jobs) as pool:
        yield from zip(mutations, pool.map(lambda m: found_by(m, seeds), mutations), strict=True)


def main() -> int:
    """Try the mutations and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--seeds", type=int, default=4000, help="seeds to try for each (default 4000)")
    parser.add_argument("--only", default="", help="those whose name holds this text")
    parser.add_argument("--jobs", type=int, default=2, help="how many at once (default 2)")
    options = parser.parse_args()
    chosen = tuple(mutation for mutation in MUTATIONS if options.only in mutation.name)
    for mutation in chosen:
        if not fits(mutation, ROOT):
            print(f"{mutation.path} is no longer what {mutation.name!r} was made for: make it anew")
            return 1
    missed = 0
    print(f"| {'fault':48} | {'seeds':>5} | found as |\n|{'-' * 50}|{'-' * 7}|{'-' * 10}|")
    for mutation, found in table(chosen, options.seeds, options.jobs):
        missed += not found
        count, _, what = found.partition("): ")
        number = count.rpartition(" ")[2] if found else "-"
        print(f"| {mutation.name:48} | {number:>5} | {what[:110] or 'NOT FOUND'} |", flush=True)
    print(f"{len(chosen)} faults, {len(chosen) - missed} found, {missed} not")
    return int(missed > 0)


if __name__ == "__main__":
    sys.exit(main())
