"""A group of appends against the same ones by themselves: the log and the tables may not tell them apart."""

from random import Random

import msgspec
import pytest
from gofer.events.job import (
    Cancel,
    Command,
    CompleteTarget,
    Contradiction,
    FailTarget,
    Job,
    JobSubmitted,
    Start,
    StartTarget,
    Submit,
    Sweep,
    TargetSpec,
    act,
    decide,
    fold,
)
from gofer.store import log
from gofer.store.batch import Append, BatchStore
from gofer.store.database import MEMORY

SUBMITTED = JobSubmitted(
    at_ms=0, job_id="", caller="alice", caller_class="fleet", idem_key="k", targets_total=2, created_at=0, lease=0
)


def dump(store: BatchStore) -> list[list[tuple[object, ...]]]:
    tables = ("event", "tree", "job_key", "batch_job", "batch_target")
    return [store.connection.execute(f"SELECT * FROM {table} ORDER BY 1, 2").fetchall() for table in tables]


@pytest.mark.parametrize("part", range(8))
def test_a_group_of_appends_comes_to_what_each_by_itself_comes_to(part: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever is in it: new jobs, one several times, stale ones, removed ones, results that are written anew."""
    monkeypatch.setattr(log, "MAX_REMEMBERED", 3)
    for seed in range(part * 40, part * 40 + 40):
        random = Random(seed)
        with BatchStore.open(MEMORY, entropy=bytes) as together, BatchStore.open(MEMORY, entropy=bytes) as alone:
            states: dict[str, list[Job | None]] = {f"j{n}": [None] for n in range(6)}
            for at_ms in range(1_000, 13_000, 1_000):
                group = [a for a in (an_append(random, states, at_ms) for _ in range(random.randint(1, 8))) if a]
                with together.transaction():
                    outcomes = together.append_each(group)
                one_by_one = []
                for append in group:
                    with alone.transaction():
                        one_by_one += alone.append_each([append])
                assert [repr(each) for each in outcomes] == [repr(each) for each in one_by_one], seed
                assert dump(together) == dump(alone), seed
                assert together.batch_nbytes() == alone.batch_nbytes(), seed


def an_append(random: Random, states: dict[str, list[Job | None]], at_ms: int) -> Append | None:
    """One to a random job: mostly as it stands once those before it have landed, at times as it once stood."""
    id = random.choice(list(states))
    state = states[id][-1] if random.random() < 0.8 else random.choice(states[id])
    stale = state is not states[id][-1]
    idx, body = random.randrange(2), random.choice(("short", "somewhat longer"))
    done = CompleteTarget.of(at_ms, idx, body)
    command: Command = random.choice(
        [Start(at_ms), StartTarget(at_ms, idx), done, FailTarget(at_ms, idx, "http 404")] * 3
        + [Cancel(at_ms), Sweep(at_ms, 0)]
    )
    if state is None:
        command = Submit(msgspec.structs.replace(SUBMITTED, job_id=id), (TargetSpec("http://a.example/", "{}"),) * 2)
    try:
        events, after = act(state, command)
    except Contradiction:
        return None
    if after is None or not events:
        return None
    if not stale:
        states[id].append(after)
    return Append(state, events, after, {0: body, 1: body} if random.random() < 0.5 else {idx: body})


def test_what_is_remembered_of_streams_is_not_forgotten_within_a_group(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(log, "MAX_REMEMBERED", 2)
    with BatchStore.open(MEMORY) as store:
        made = {id: msgspec.structs.replace(SUBMITTED, job_id=id, targets_total=0) for id in "abcd"}
        state = fold([made["a"]])
        with store.transaction():
            appends = [Append.of(None, (made[id],)) for id in "abcd"]
            outcomes = store.append_each([*appends, Append.of(state, decide(state, Start(1_000)))])
        assert [outcome.unwrap().version for outcome in outcomes] == [1, 1, 1, 1, 2]
        with store.transaction():
            appends = [Append.of(fold([made[id]]), decide(fold([made[id]]), Start(1_000))) for id in "abcd"]
            stale, *good = store.append_each([*appends, appends[1]])
        with pytest.raises(log.VersionConflict):
            stale.unwrap()
        with pytest.raises(log.VersionConflict):
            good.pop().unwrap()
        assert [outcome.unwrap().version for outcome in good] == [2, 2, 2]
