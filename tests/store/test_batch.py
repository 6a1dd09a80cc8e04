"""The contract of `BatchStore`, sentence by sentence, on each engine: a file and memory."""

import inspect
import itertools
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

import msgspec
import pytest
from gofer.events.job import Contradiction, IllegalTransition, JobExists, JobStatus, TargetStatus, UnknownTarget
from gofer.store.batch import BatchJob, BatchStore, BatchTarget
from gofer.store.database import MEMORY
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

Submit = Callable[..., str]
Status = Literal["queued", "running", "done", "partial", "failed", "cancelled"]

LIVE: list[JobStatus] = ["queued", "running"]
TERMINAL: list[JobStatus] = ["done", "partial", "failed", "cancelled"]


def row(store: BatchStore, id: str = "j1") -> BatchJob | None:
    """The stored row, without the touch of a read."""
    fields = ", ".join(BatchJob.__struct_fields__)
    found = store.connection.execute(f"SELECT {fields} FROM batch_job WHERE id = ?", (id,)).fetchone()
    return BatchJob(*found) if found else None


def lease(store: BatchStore, id: str = "j1") -> int | None:
    job = row(store, id)
    return job.lease if job else None


def counts(store: BatchStore, id: str = "j1") -> tuple[int, int]:
    job = row(store, id)
    assert job is not None
    return job.targets_done, job.nbytes


def statuses(store: BatchStore, id: str = "j1") -> list[str]:
    return [target.status for target in store.batch_targets(id) or []]


def end(store: BatchStore, id: str, now: int, result: str | None = None, status: JobStatus = "done") -> None:
    """Bring a job of one target to its end at `now`."""
    store.update_batch_target(id, 0, now, "done", result)
    store.set_batch_job_status(id, status, "", now)


# ---------------------------------------------------------------- the tables


def test_columns_stand_as_named_and_the_wide_result_last(store: BatchStore) -> None:
    def columns(table: str) -> list[tuple[str, str, bool, str | None, bool]]:
        info = store.connection.execute(
            'SELECT name, type, "notnull", dflt_value, pk FROM pragma_table_info(?)', (table,)
        )
        return [(name, kind, not notnull, default, bool(pk)) for name, kind, notnull, default, pk in info]

    assert [(name, kind, null, default) for name, kind, null, default, _ in columns("batch_job") if name != "id"] == [
        ("caller", "TEXT", False, None),
        ("caller_class", "TEXT", False, None),
        ("idem_key", "TEXT", False, None),
        ("status", "TEXT", False, None),
        ("error", "TEXT", False, "''"),
        ("targets_total", "INT", False, None),
        ("targets_done", "INT", False, "0"),
        ("created_at", "INT", False, None),
        ("lease", "INT", False, None),
        ("nbytes", "INT", False, "0"),
    ]
    assert [name for name, *_, pk in columns("batch_job") if pk] == ["id"]
    assert [(name, kind, null) for name, kind, null, _, _ in columns("batch_target")] == [
        ("job_id", "TEXT", False),
        ("idx", "INT", False),
        ("url", "TEXT", False),
        ("options", "TEXT", False),
        ("status", "TEXT", False),
        ("error", "TEXT", True),
        ("hint", "TEXT", True),
        ("result", "TEXT", True),
    ]
    assert [name for name, *_, pk in columns("batch_target") if pk] == ["job_id", "idx"]


def test_jobs_are_indexed_by_caller_and_key_and_by_lease(store: BatchStore) -> None:
    indexed = {
        tuple(name for (name,) in store.connection.execute("SELECT name FROM pragma_index_info(?)", (index,)))
        for (index,) in list(
            store.connection.execute(
                "SELECT name FROM sqlite_schema WHERE type = 'index' AND tbl_name = 'batch_job' AND sql IS NOT NULL"
            )
        )
    }
    assert indexed == {("caller", "idem_key"), ("lease",)}


@pytest.mark.parametrize(
    ("table", "column"), [("batch_job", "status"), ("batch_job", "caller_class"), ("batch_target", "status")]
)
def test_the_tables_hold_known_words_alone(store: BatchStore, submit: Submit, table: str, column: str) -> None:
    submit(store)
    with pytest.raises(Exception, match="CHECK constraint failed"):
        store.connection.execute(f"UPDATE {table} SET {column} = 'bogus'")


# ---------------------------------------------------------------- the structs


def test_structs_are_frozen_and_ordered_with_defaults_after_the_key_and_the_options() -> None:
    assert BatchJob.__struct_fields__ == (
        "id", "caller", "caller_class", "idem_key",
        "status", "error", "targets_total", "targets_done", "created_at", "lease", "nbytes",
    )  # fmt: skip
    assert BatchTarget.__struct_fields__ == ("job_id", "idx", "url", "options", "status", "result", "error", "hint")
    assert BatchJob("j", "a", "fleet", "k") == BatchJob("j", "a", "fleet", "k", "queued", "", 0, 0, 0, 0, 0)
    assert BatchTarget("j", 0, "u", "{}") == BatchTarget("j", 0, "u", "{}", "pending", None, None, None)
    with pytest.raises(AttributeError):
        BatchJob("j", "a", "fleet", "k").lease = 1  # type: ignore[misc]
    with pytest.raises(AttributeError):
        BatchTarget("j", 0, "u", "{}").result = "x"  # type: ignore[misc]


SIGNATURES = {
    "open": "(path, *, clock=time.time)",
    "create_batch_job": "(self, job)",
    "batch_job": "(self, id)",
    "batch_job_by_idem": "(self, caller, idem_key, now, ttl)",
    "live_batch_jobs": "(self, caller)",
    "live_batch_jobs_total": "(self)",
    "put_batch_targets": "(self, job_id, targets)",
    "batch_targets": "(self, job_id)",
    "update_batch_target": "(self, job_id, idx, now, status, result=None, error=None, hint=None)",
    "set_batch_job_status": "(self, id, status, error, now)",
    "touch_batch_job": "(self, id, now)",
    "sweep_batch": "(self, now, ttl)",
    "evict_batch_oldest": "(self, max_bytes)",
    "mark_in_flight_failed": "(self, reason, now)",
    "batch_nbytes": "(self)",
    "close": "(self)",
}

OURS_TO_ADD = ("entropy", "keep_urls", "signed")  # of `open`, for the audit of the log


@pytest.mark.parametrize("method", SIGNATURES)
def test_the_methods_are_called_as_the_contract_says(method: str) -> None:
    signature = inspect.signature(getattr(BatchStore, method))
    bare = [parameter.replace(annotation=inspect.Parameter.empty) for parameter in signature.parameters.values()]
    ours = [parameter for parameter in bare if parameter.name in OURS_TO_ADD]
    assert all(p.kind is p.KEYWORD_ONLY and p.default is not p.empty for p in ours)
    shown = str(inspect.Signature([p for p in bare if p not in ours])).replace(str(time.time), "time.time")
    assert shown == SIGNATURES[method]


# ---------------------------------------------------------------- create, read


def test_a_job_is_stored_as_given(store: BatchStore) -> None:
    for job in (
        BatchJob("j1", "alice", "fleet", "k1", "queued", "", 3, 0, 5, 7, 0),
        BatchJob("j2", "bob", "restricted", "k2", "running", "slow", 3, 1, 5, 7, 99),
        BatchJob("j3", "bob", "restricted", "k2", "partial", "some", 3, 3, 5, 7, 42),
    ):
        store.create_batch_job(job)
        assert row(store, job.id) == job
    assert store.batch_nbytes() == 141


def test_a_read_sets_the_lease_to_the_clocks_now(store: BatchStore, submit: Submit, clock: Any) -> None:
    submit(store)
    clock.now = 1_234.9
    job = store.batch_job("j1")
    assert job is not None
    assert job == row(store)
    assert job.lease == 1_234


def test_the_clock_serves_reads_of_a_job_alone(path: Path, submit: Submit) -> None:
    def no_clock() -> float:
        raise AssertionError("only batch_job asks the clock")

    with BatchStore.open(path, clock=no_clock) as store:
        submit(store)
        store.update_batch_target("j1", 0, 5, "done", "x")
        store.set_batch_job_status("j1", "failed", "boom", 6)
        store.touch_batch_job("j1", 7)
        store.batch_targets("j1")
        store.batch_job_by_idem("alice", "key", 8, 100)
        store.mark_in_flight_failed("x", 9)
        store.evict_batch_oldest(100)
        store.sweep_batch(10, 100)
        assert lease(store) == 7
        with pytest.raises(AssertionError, match="only batch_job"):
            store.batch_job("j1")


def test_jobs_are_found_by_id_whoever_asks(store: BatchStore, submit: Submit) -> None:
    submit(store, caller="alice")
    submit(store, "j2", caller="bob", caller_class="restricted")
    job = store.batch_job("j2")
    assert job is not None
    assert (job.caller, job.caller_class) == ("bob", "restricted")
    assert store.batch_targets("j1") != store.batch_targets("j2")


def test_an_id_is_used_once_even_after_its_job_is_gone(store: BatchStore, submit: Submit) -> None:
    submit(store)
    with pytest.raises(JobExists):
        store.create_batch_job(BatchJob("j1", "bob", "fleet", "other"))
    store.sweep_batch(10_000, 0)
    with pytest.raises(JobExists):
        store.create_batch_job(BatchJob("j1", "bob", "fleet", "other"))


@pytest.mark.parametrize(
    "impossible",
    [
        {"targets_total": -1},
        {"targets_total": 1, "targets_done": 2},
        {"targets_total": 1, "targets_done": -1},
        {"nbytes": -1},
        *({"targets_total": 1, "status": status} for status in TERMINAL),
    ],
)
def test_counts_that_cannot_be_are_refused(store: BatchStore, impossible: dict[str, Any]) -> None:
    with pytest.raises(Contradiction):
        store.create_batch_job(BatchJob("j1", "alice", "fleet", "k", **impossible))
    assert row(store) is None
    assert store.head() == 0


# ---------------------------------------------------------------- idempotency look-up


def test_a_job_is_found_by_caller_and_key(store: BatchStore, submit: Submit) -> None:
    submit(store, "j1", idem_key="k1")
    submit(store, "j2", idem_key="k2")
    submit(store, "j3", idem_key="k1", caller="bob")
    assert store.batch_job_by_idem("alice", "k1", 1_000, 60) == "j1"
    assert store.batch_job_by_idem("alice", "k2", 1_000, 60) == "j2"
    assert store.batch_job_by_idem("bob", "k1", 1_000, 60) == "j3"
    assert store.batch_job_by_idem("bob", "k2", 1_000, 60) is None


def test_a_job_is_found_by_key_while_its_lease_holds(store: BatchStore, submit: Submit) -> None:
    submit(store, lease=1_000)
    assert store.batch_job_by_idem("alice", "key", 1_059, 60) == "j1"
    assert store.batch_job_by_idem("alice", "key", 1_060, 60) is None  # the second at which a sweep takes it
    assert lease(store) == 1_000


def test_the_newest_job_of_a_key_is_found_whatever_its_status(store: BatchStore, submit: Submit) -> None:
    submit(store, "j1", lease=2_000)
    store.set_batch_job_status("j1", "failed", "boom", 2_000)
    submit(store, "j0", lease=1_000)
    assert store.batch_job_by_idem("alice", "key", 1_000, 60) == "j0"
    store.set_batch_job_status("j0", "cancelled", "", 1_000)
    assert store.batch_job_by_idem("alice", "key", 1_000, 60) == "j0"
    assert store.batch_job_by_idem("alice", "key", 2_000, 60) == "j1"


# ---------------------------------------------------------------- live jobs


def test_live_jobs_are_the_queued_and_running_ones_of_a_caller(store: BatchStore, submit: Submit) -> None:
    assert (store.live_batch_jobs("alice"), store.live_batch_jobs_total()) == (0, 0)
    submit(store, "j1", targets_total=1)
    submit(store, "j2", targets_total=1)
    submit(store, "j3", targets_total=1, caller="bob")
    store.set_batch_job_status("j2", "running", "", 1_000)
    assert (store.live_batch_jobs("alice"), store.live_batch_jobs("bob"), store.live_batch_jobs_total()) == (2, 1, 3)
    end(store, "j1", 1_000)
    store.set_batch_job_status("j2", "cancelled", "", 1_000)
    assert (store.live_batch_jobs("alice"), store.live_batch_jobs("bob"), store.live_batch_jobs_total()) == (0, 1, 1)
    store.sweep_batch(5_000, 0)
    assert store.live_batch_jobs_total() == 0


@pytest.mark.parametrize("status", TERMINAL)
def test_a_job_in_a_terminal_status_is_not_live(store: BatchStore, status: JobStatus) -> None:
    store.create_batch_job(BatchJob("j1", "alice", "fleet", "k", status))
    assert store.live_batch_jobs("alice") == store.live_batch_jobs_total() == 0


# ---------------------------------------------------------------- targets


def test_targets_come_back_in_idx_order_as_given(store: BatchStore) -> None:
    store.create_batch_job(BatchJob("j1", "alice", "fleet", "k", targets_total=12, lease=7))
    given = [BatchTarget("j1", idx, f"http://{idx}.example/", f'{{"pages":"{idx}"}}') for idx in range(12)]
    store.put_batch_targets("j1", given[::-1])
    assert store.batch_targets("j1") == given
    assert lease(store) == 7


def test_the_same_url_twice_is_two_targets(store: BatchStore) -> None:
    store.create_batch_job(BatchJob("j1", "alice", "fleet", "k", targets_total=2))
    store.put_batch_targets("j1", [BatchTarget("j1", idx, "http://a.example/", "{}") for idx in (0, 1)])
    store.update_batch_target("j1", 1, 5, "done", "x")
    assert statuses(store) == ["pending", "done"]


def test_targets_may_be_put_in_any_status(store: BatchStore) -> None:
    store.create_batch_job(BatchJob("j1", "alice", "fleet", "k", targets_total=4, targets_done=4, nbytes=99, lease=7))
    given = [
        BatchTarget("j1", 0, "http://0.example/", "{}", "done", "héllo"),
        BatchTarget("j1", 1, "http://1.example/", "{}", "failed", None, "http 404", "check the URL"),
        BatchTarget("j1", 2, "http://2.example/", "{}", "running"),
        BatchTarget("j1", 3, "http://3.example/", "{}"),
    ]
    store.put_batch_targets("j1", given)
    assert store.batch_targets("j1") == given
    assert counts(store) == (2, 6)
    assert lease(store) == 7


def test_the_same_targets_again_change_nothing(store: BatchStore, submit: Submit) -> None:
    submit(store)
    given = store.batch_targets("j1")
    assert given is not None
    store.update_batch_target("j1", 0, 5, "done", "x")
    before = store.head()
    store.put_batch_targets("j1", given)
    assert store.head() == before
    assert statuses(store) == ["done", "pending"]


@pytest.mark.parametrize(
    ("targets", "words"),
    [
        ([], "of 2 targets"),
        ([("j1", 0)], "of 2 targets"),
        ([("j1", 0), ("j1", 1), ("j1", 2)], "of 2 targets"),
        ([("j1", 0), ("j1", 2)], "0..n-1"),
        ([("j1", 0), ("j1", 0)], "0..n-1"),
        ([("j1", -1), ("j1", 0)], "0..n-1"),
        ([("j1", 0), ("j2", 1)], "another job"),
    ],
)
def test_targets_that_are_not_the_jobs_are_refused(store: BatchStore, targets: Any, words: str) -> None:
    store.create_batch_job(BatchJob("j1", "alice", "fleet", "k", targets_total=2))
    with pytest.raises(Contradiction, match=words):
        store.put_batch_targets("j1", [BatchTarget(id, idx, "http://a.example/", "{}") for id, idx in targets])
    assert store.batch_targets("j1") == []


def test_other_targets_and_targets_of_a_finished_job_are_refused(store: BatchStore, submit: Submit) -> None:
    submit(store)
    with pytest.raises(IllegalTransition, match="targets present"):
        store.put_batch_targets("j1", [BatchTarget("j1", idx, "http://other.example/", "{}") for idx in (0, 1)])
    store.create_batch_job(BatchJob("j2", "alice", "fleet", "k", "done", targets_total=1, targets_done=1))
    with pytest.raises(IllegalTransition, match="done"):
        store.put_batch_targets("j2", [BatchTarget("j2", 0, "http://a.example/", "{}")])


def test_one_bad_target_refuses_them_all(store: BatchStore) -> None:
    store.create_batch_job(BatchJob("j1", "alice", "fleet", "k", targets_total=2, nbytes=9))
    good = BatchTarget("j1", 0, "http://a.example/", "{}", "done", "x")
    with pytest.raises(Contradiction, match="no result"):
        store.put_batch_targets("j1", [good, BatchTarget("j1", 1, "http://b.example/", "{}", "failed", "x")])
    assert store.batch_targets("j1") == []
    assert store.batch_nbytes() == 9


# ---------------------------------------------------------------- rule 3: updates of targets


@pytest.mark.parametrize(
    ("status", "result", "error", "hint"),
    [
        ("running", None, None, None),
        ("done", "x", None, None),
        ("done", "", None, None),
        ("done", None, None, None),
        ("failed", None, "e", "h"),
    ],
)
def test_a_target_becomes_what_it_is_told(
    store: BatchStore, submit: Submit, status: TargetStatus, result: str, error: str, hint: str
) -> None:
    submit(store)
    store.update_batch_target("j1", 1, 1_005, status, result, error, hint)
    targets = store.batch_targets("j1")
    assert targets is not None
    assert targets[0] == BatchTarget("j1", 0, "http://0.example/", "{}")
    assert targets[1] == BatchTarget("j1", 1, "http://1.example/", "{}", status, result, error, hint)
    assert lease(store) == 1_005


def test_a_target_counts_once_when_it_goes_into_done_or_failed(store: BatchStore, submit: Submit) -> None:
    submit(store)
    store.update_batch_target("j1", 0, 1_001, "running")
    assert counts(store) == (0, 0)
    store.update_batch_target("j1", 0, 1_002, "done", "x")
    assert counts(store) == (1, 1)
    store.update_batch_target("j1", 0, 1_003, "done", "x")
    store.update_batch_target("j1", 0, 1_004, "done", "yy")
    store.update_batch_target("j1", 0, 1_005, "failed", error="e")
    store.update_batch_target("j1", 0, 1_006, "failed", error="e")
    assert counts(store) == (1, 0)
    store.update_batch_target("j1", 1, 1_007, "failed", error="e")
    assert counts(store) == (2, 0)
    assert lease(store) == 1_007


def test_a_result_counts_its_utf8_bytes(store: BatchStore, submit: Submit) -> None:
    submit(store)
    store.update_batch_target("j1", 0, 5, "done", "naïve 漢字 🙂")
    assert counts(store) == (1, len("naïve 漢字 🙂".encode()))
    assert store.batch_nbytes() == 18


def test_a_rewritten_result_counts_its_new_length_in_place_of_its_old_one(store: BatchStore, submit: Submit) -> None:
    submit(store)
    store.update_batch_target("j1", 0, 5, "done", "a" * 10)
    store.update_batch_target("j1", 1, 5, "done", "b" * 100)
    store.update_batch_target("j1", 0, 5, "done", "c" * 3)
    assert counts(store) == (2, 103)
    store.update_batch_target("j1", 0, 5, "done", "d" * 30)
    assert counts(store) == (2, 130)
    targets = store.batch_targets("j1")
    assert targets is not None
    assert [target.result for target in targets] == ["d" * 30, "b" * 100]


def test_the_same_update_again_sets_the_lease_and_nothing_else(store: BatchStore, submit: Submit) -> None:
    submit(store)
    store.update_batch_target("j1", 0, 1_001, "done", "x")
    targets = store.batch_targets("j1")
    store.update_batch_target("j1", 0, 1_002, "done", "x")
    assert lease(store) == 1_002
    assert store.batch_targets("j1") == targets
    before = store.head()
    store.update_batch_target("j1", 0, 1_002, "done", "x")
    assert store.head() == before, "not even an event in the same second"


@pytest.mark.parametrize(
    ("status", "more", "error"),
    [
        ("pending", {}, Contradiction),
        ("bogus", {}, Contradiction),
        ("running", {"result": "x"}, Contradiction),
        ("failed", {"result": "x", "error": "e"}, Contradiction),
        ("done", {"error": "e"}, Contradiction),
        ("done", {"hint": "h"}, Contradiction),
        ("running", {}, IllegalTransition),
    ],
)
def test_a_contradictory_update_raises_and_changes_nothing(
    store: BatchStore, submit: Submit, status: Any, more: dict[str, str], error: type[Exception]
) -> None:
    submit(store)
    store.update_batch_target("j1", 0, 1_001, "done", "y")
    before = store.head()
    with pytest.raises(error):
        store.update_batch_target("j1", 0, 1_009, status, **more)
    assert (store.head(), lease(store)) == (before, 1_001)


@pytest.mark.parametrize("idx", [-1, 2])
def test_an_update_of_a_target_that_the_job_has_not_raises(store: BatchStore, submit: Submit, idx: int) -> None:
    submit(store)
    with pytest.raises(UnknownTarget, match=str(idx)):
        store.update_batch_target("j1", idx, 1_009, "done", "x")
    assert lease(store) == 1_000


@pytest.mark.parametrize("status", ["done", "failed", "cancelled"])
def test_no_target_of_a_terminal_job_is_rewritten(store: BatchStore, submit: Submit, status: JobStatus) -> None:
    submit(store, targets_total=1)
    end(store, "j1", 1_001, "x", status)
    with pytest.raises(IllegalTransition, match=f"job {status}"):
        store.update_batch_target("j1", 0, 1_002, "done", "y")
    with pytest.raises(IllegalTransition, match=f"job {status}"):
        store.update_batch_target("j1", 0, 1_002, "failed", error="e")
    assert (counts(store), lease(store)) == ((1, 1), 1_001)


# ---------------------------------------------------------------- status


@pytest.mark.parametrize("status", ["running", "failed", "cancelled"])
def test_a_status_is_set_with_its_error_and_the_lease(store: BatchStore, submit: Submit, status: JobStatus) -> None:
    submit(store)
    error = "" if status == "running" else "why"
    store.set_batch_job_status("j1", status, error, 1_005)
    job = row(store)
    assert job is not None
    assert (job.status, job.error, job.lease) == (status, error, 1_005)


@pytest.mark.parametrize("status", ["done", "partial"])
def test_done_and_partial_need_each_target_finished(store: BatchStore, submit: Submit, status: JobStatus) -> None:
    submit(store)
    store.update_batch_target("j1", 0, 1_001, "done", "x")
    with pytest.raises(IllegalTransition, match="1 unfinished"):
        store.set_batch_job_status("j1", status, "", 1_002)
    assert lease(store) == 1_001
    store.update_batch_target("j1", 1, 1_003, "failed", error="e")
    store.set_batch_job_status("j1", status, "", 1_004)
    job = row(store)
    assert job is not None
    assert (job.status, job.targets_done, job.lease) == (status, 2, 1_004)


@pytest.mark.parametrize(
    ("status", "error", "left_over"),
    [("failed", "boom", "boom"), ("failed", "", "job failed"), ("cancelled", "", "cancelled")],
)
def test_what_a_failed_or_cancelled_job_leaves_unfinished_fails(
    store: BatchStore, submit: Submit, status: JobStatus, error: str, left_over: str
) -> None:
    submit(store, targets_total=3)
    store.update_batch_target("j1", 0, 1_001, "done", "x")
    store.update_batch_target("j1", 1, 1_001, "running")
    store.set_batch_job_status("j1", status, error, 1_002)
    targets = store.batch_targets("j1")
    assert targets is not None
    assert [(t.status, t.error, t.result) for t in targets] == [
        ("done", None, "x"),
        ("failed", left_over, None),
        ("failed", left_over, None),
    ]
    assert counts(store) == (3, 1)


@pytest.mark.parametrize(("before", "after"), [*itertools.product(TERMINAL, LIVE), ("running", "queued")])
def test_a_job_never_goes_back(store: BatchStore, before: JobStatus, after: JobStatus) -> None:
    store.create_batch_job(BatchJob("j1", "alice", "fleet", "k", before, lease=5))
    with pytest.raises(IllegalTransition):
        store.set_batch_job_status("j1", after, "", 9)
    job = row(store)
    assert job is not None
    assert (job.status, job.lease) == (before, 5)


@pytest.mark.parametrize(("before", "after"), [(a, b) for a, b in itertools.product(TERMINAL, TERMINAL) if a != b])
def test_a_terminal_job_stays_as_it_ended(store: BatchStore, before: JobStatus, after: JobStatus) -> None:
    store.create_batch_job(BatchJob("j1", "alice", "fleet", "k", before, lease=5))
    with pytest.raises(IllegalTransition):
        store.set_batch_job_status("j1", after, "", 9)
    assert lease(store) == 5


@pytest.mark.parametrize("status", [*LIVE, *TERMINAL])
def test_the_same_status_again_sets_the_lease_and_nothing_else(store: BatchStore, status: JobStatus) -> None:
    job = BatchJob("j1", "alice", "fleet", "k", status, lease=5)
    store.create_batch_job(job)
    store.set_batch_job_status("j1", status, "", 9)
    assert row(store) == msgspec.structs.replace(job, lease=9)


def test_an_unknown_status_raises(store: BatchStore, submit: Submit) -> None:
    submit(store)
    with pytest.raises(Contradiction, match="'bogus'"):
        store.set_batch_job_status("j1", "bogus", "", 9)  # type: ignore[arg-type]


# ---------------------------------------------------------------- rule 1: the sliding lease


def test_a_touch_sets_the_lease(store: BatchStore, submit: Submit) -> None:
    submit(store)
    store.touch_batch_job("j1", 1_005)
    assert lease(store) == 1_005
    assert lease(store) == 1_005, "reading the row did not move it"


def test_a_job_is_kept_as_long_as_somebody_reads_it(store: BatchStore, submit: Submit, clock: Any) -> None:
    submit(store, "read", lease=1_000)
    submit(store, "left", lease=1_000)
    for now in range(1_050, 1_300, 50):
        clock.now = now
        assert store.batch_job("read") is not None
        store.sweep_batch(now, 60)
    assert row(store, "read") is not None
    assert row(store, "left") is None


# ---------------------------------------------------------------- rule 4: sweep


@pytest.mark.parametrize("status", [*LIVE, *TERMINAL])
def test_a_sweep_takes_each_job_whose_lease_ran_out(store: BatchStore, status: JobStatus) -> None:
    store.create_batch_job(BatchJob("j1", "alice", "fleet", "k", status, lease=1_000))
    assert store.sweep_batch(1_059, 60) == 0
    assert row(store) is not None
    assert store.sweep_batch(1_060, 60) == 1
    assert row(store) is None
    assert store.sweep_batch(1_060, 60) == 0


def test_a_sweep_takes_a_job_with_its_targets_and_bytes(store: BatchStore, submit: Submit) -> None:
    for id, lease_at in (("j1", 1_000), ("j2", 1_001), ("j3", 2_000)):
        submit(store, id, targets_total=1)
        end(store, id, lease_at, "x" * 10)
    assert store.sweep_batch(1_061, 60) == 2
    assert [store.batch_targets(id) is None for id in ("j1", "j2", "j3")] == [True, True, False]
    assert store.connection.execute("SELECT count(*) FROM batch_target").get == 1
    assert store.batch_nbytes() == 10


def test_nothing_else_removes_a_finished_job_by_time(store: BatchStore, submit: Submit) -> None:
    submit(store, targets_total=1)
    end(store, "j1", 1_000, "x")
    far = 10**9
    submit(store, "j2", targets_total=1, lease=far)
    store.update_batch_target("j2", 0, far, "done", "y")
    store.set_batch_job_status("j2", "done", "", far)
    store.mark_in_flight_failed("x", far)
    store.evict_batch_oldest(2)
    assert store.batch_job_by_idem("alice", "key", far, 60) == "j2"
    assert lease(store, "j1") == 1_000


# ---------------------------------------------------------------- rule 5: the byte budget


def test_eviction_takes_whole_jobs_oldest_lease_first_until_the_budget_holds(
    store: BatchStore, submit: Submit
) -> None:
    for id, lease_at in (("new", 3_000), ("old", 1_000), ("mid", 2_000)):
        submit(store, id, targets_total=1)
        end(store, id, lease_at, "x" * 10)
    assert store.evict_batch_oldest(30) == 0
    assert store.evict_batch_oldest(29) == 1
    assert [row(store, id) is None for id in ("old", "mid", "new")] == [True, False, False]
    assert store.batch_targets("old") is None
    assert store.batch_nbytes() == 20
    assert store.evict_batch_oldest(5) == 2
    assert store.batch_nbytes() == 0


def test_eviction_follows_the_lease_not_the_age(store: BatchStore, submit: Submit) -> None:
    for id in ("first", "second"):
        submit(store, id, targets_total=1)
        end(store, id, 1_000, "x" * 10)
    store.touch_batch_job("first", 2_000)
    store.evict_batch_oldest(10)
    assert [row(store, id) is None for id in ("first", "second")] == [False, True]


@pytest.mark.parametrize("status", LIVE)
def test_a_live_job_is_never_evicted_by_bytes(store: BatchStore, submit: Submit, status: JobStatus) -> None:
    submit(store, "live", lease=1)
    store.set_batch_job_status("live", status, "", 1)
    store.update_batch_target("live", 0, 1, "done", "x" * 100)
    submit(store, "over", targets_total=1)
    end(store, "over", 2_000, "y" * 10)
    assert store.evict_batch_oldest(0) == 1
    assert row(store, "live") is not None
    assert row(store, "over") is None
    assert store.batch_nbytes() == 100


@pytest.mark.parametrize("status", ["done", "partial", "failed", "cancelled"])
def test_a_terminal_job_is_evicted_whatever_its_status(store: BatchStore, submit: Submit, status: JobStatus) -> None:
    submit(store, targets_total=1)
    end(store, "j1", 1_000, "x", status)
    assert store.evict_batch_oldest(0) == 1


def test_eviction_spares_jobs_that_weigh_nothing(store: BatchStore, submit: Submit) -> None:
    submit(store, "empty", targets_total=1)
    store.set_batch_job_status("empty", "failed", "boom", 1)
    submit(store, "full", targets_total=1)
    end(store, "full", 1_000, "x")
    assert store.evict_batch_oldest(0) == 1
    assert row(store, "empty") is not None


def test_the_batch_budget_counts_results_of_batches_alone(store: BatchStore, submit: Submit) -> None:
    assert store.batch_nbytes() == 0
    submit(store, idem_key="a long key", error="a long error")
    store.update_batch_target("j1", 0, 5, "failed", error="another long error", hint="and a hint")
    assert store.batch_nbytes() == 0
    store.update_batch_target("j1", 1, 5, "done", "four")
    assert store.batch_nbytes() == 4


# ---------------------------------------------------------------- rule 6: restart


def test_in_flight_jobs_fail_with_the_reason(store: BatchStore, submit: Submit) -> None:
    submit(store, "queued")
    submit(store, "running", targets_total=3)
    store.set_batch_job_status("running", "running", "", 1_000)
    store.update_batch_target("running", 0, 1_000, "done", "x")
    store.update_batch_target("running", 1, 1_000, "running")
    submit(store, "finished", targets_total=1)
    end(store, "finished", 1_000, "y")

    assert store.mark_in_flight_failed("interrupted: server restarted", 5_000) == 2
    for id, total, nbytes in (("queued", 2, 0), ("running", 3, 1)):
        job = row(store, id)
        assert job is not None
        assert (job.status, job.error) == ("failed", "interrupted: server restarted")
        assert (job.lease, job.targets_done, job.nbytes) == (5_000, total, nbytes)
    assert [(t.status, t.error) for t in store.batch_targets("running") or []] == [
        ("done", None),
        ("failed", "interrupted: server restarted"),
        ("failed", "interrupted: server restarted"),
    ]
    finished = row(store, "finished")
    assert finished is not None
    assert (finished.status, finished.lease) == ("done", 1_000)
    assert store.mark_in_flight_failed("interrupted: server restarted", 6_000) == 0


# ---------------------------------------------------------------- missing jobs


def test_a_missing_job_is_none_or_0_and_counts_as_a_miss(store: BatchStore) -> None:
    assert store.misses == {}
    assert store.batch_job("nope") is None
    assert store.batch_job("nope") is None
    assert store.batch_job_by_idem("alice", "nope", 1, 60) is None
    assert store.batch_targets("nope") is None
    assert store.live_batch_jobs("nope") == 0
    store.put_batch_targets("nope", [BatchTarget("nope", 0, "http://a.example/", "{}")])
    store.update_batch_target("nope", 0, 5, "done", "x")
    store.set_batch_job_status("nope", "done", "", 5)
    store.touch_batch_job("nope", 5)
    assert (store.sweep_batch(5, 0), store.evict_batch_oldest(0), store.mark_in_flight_failed("x", 5)) == (0, 0, 0)
    assert store.misses == {
        "batch_job": 2,
        "batch_job_by_idem": 1,
        "batch_targets": 1,
        "put_batch_targets": 1,
        "update_batch_target": 1,
        "set_batch_job_status": 1,
        "touch_batch_job": 1,
    }
    assert store.head() == 0


def test_a_swept_job_is_missing(store: BatchStore, submit: Submit) -> None:
    submit(store)
    store.sweep_batch(10_000, 0)
    before = store.head()
    assert store.batch_job("j1") is None
    assert store.batch_targets("j1") is None
    store.update_batch_target("j1", 0, 5, "done", "x")
    store.touch_batch_job("j1", 5)
    assert store.misses == {"batch_job": 1, "batch_targets": 1, "update_batch_target": 1, "touch_batch_job": 1}
    assert store.head() == before


def test_what_is_found_is_no_miss(store: BatchStore, submit: Submit) -> None:
    submit(store)
    assert store.batch_job("j1") is not None
    assert store.batch_targets("j1") is not None
    assert store.batch_job_by_idem("alice", "key", 1_000, 60) == "j1"
    assert store.misses == {}
    with pytest.raises(TypeError):
        store.misses["batch_job"] = 1  # type: ignore[index]


# ---------------------------------------------------------------- one transaction


def test_each_write_appends_its_events_and_moves_the_tables_together(
    store: BatchStore, submit: Submit, check: Callable[[BatchStore], None]
) -> None:
    steps: list[Callable[[], object]] = [
        lambda: submit(store),
        lambda: store.set_batch_job_status("j1", "running", "", 1_001),
        lambda: store.update_batch_target("j1", 0, 1_002, "running"),
        lambda: store.update_batch_target("j1", 0, 1_003, "done", "x"),
        lambda: store.update_batch_target("j1", 1, 1_004, "failed", error="e"),
        lambda: store.set_batch_job_status("j1", "partial", "", 1_005),
        lambda: store.touch_batch_job("j1", 1_006),
        lambda: store.batch_job("j1"),
        lambda: store.evict_batch_oldest(0),
        lambda: submit(store, "j2"),
        lambda: store.mark_in_flight_failed("x", 1_007),
        lambda: store.sweep_batch(9_000, 0),
    ]
    for step in steps:
        before = store.head()
        step()
        assert store.head() > before
        check(store)


def test_no_event_is_appended_when_the_tables_cannot_follow(
    store: BatchStore, submit: Submit, check: Callable[[BatchStore], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("broken")

    submit(store)
    before = store.head(), store.batch_nbytes(), row(store)
    writes: list[Callable[[], object]] = [
        lambda: store.create_batch_job(BatchJob("j2", "alice", "fleet", "k", nbytes=5)),
        lambda: store.update_batch_target("j1", 0, 1_005, "done", "x"),
        lambda: store.set_batch_job_status("j1", "cancelled", "", 1_005),
        lambda: store.touch_batch_job("j1", 1_005),
        lambda: store.mark_in_flight_failed("x", 1_005),
        lambda: store.sweep_batch(5_000, 0),
    ]
    with monkeypatch.context() as patched:
        patched.setattr("gofer.store.projection.project", broken)
        for write in writes:
            with pytest.raises(RuntimeError, match="broken"):
                write()
            assert (store.head(), store.batch_nbytes(), row(store)) == before
    check(store)


def test_a_crash_inside_a_transaction_undoes_all_of_it(
    store: BatchStore, submit: Submit, check: Callable[[BatchStore], None]
) -> None:
    submit(store)
    before = store.head(), store.batch_nbytes(), row(store)

    def crash() -> None:
        with store.transaction():
            store.update_batch_target("j1", 0, 1_005, "done", "x" * 100)
            submit(store, "j2")
            raise RuntimeError("crash")

    with pytest.raises(RuntimeError, match="crash"):
        crash()
    assert (store.head(), store.batch_nbytes(), row(store)) == before
    assert row(store, "j2") is None
    check(store)


def test_an_inner_transaction_is_undone_alone(
    store: BatchStore, submit: Submit, check: Callable[[BatchStore], None]
) -> None:
    submit(store)

    def update_two() -> None:
        with store.transaction():
            store.update_batch_target("j1", 1, 1_006, "done", "yy")
            store.update_batch_target("j1", 2, 1_007, "done", "zzz")

    with store.transaction():
        store.update_batch_target("j1", 0, 1_005, "done", "x")
        with pytest.raises(UnknownTarget):
            update_two()
        store.touch_batch_job("j1", 1_008)
    assert statuses(store) == ["done", "pending"]
    assert (counts(store), store.batch_nbytes(), lease(store)) == ((1, 1), 1, 1_008)
    check(store)


def test_a_store_is_a_context_that_closes_it_and_closing_twice_is_fine(path: Path) -> None:
    with BatchStore.open(path) as store:
        store.create_batch_job(BatchJob("j1", "alice", "fleet", "k"))
    with pytest.raises(Exception, match="closed"):
        store.batch_job("j1")
    store.close()


# ---------------------------------------------------------------- against a model


class ModelJob:
    """What the contract says of one job, in the plainest words."""

    def __init__(self, key: str, total: int, lease: int) -> None:
        self.key, self.total, self.lease = key, total, lease
        self.status, self.error, self.closed_early = "queued", "", False
        self.targets: list[list[str | None]] = []  # status, result, error, hint
        self.urls: list[str] = []

    @property
    def live(self) -> bool:
        return self.status in ("queued", "running")

    @property
    def done(self) -> int:
        return self.total if self.closed_early else sum(t[0] in ("done", "failed") for t in self.targets)

    @property
    def nbytes(self) -> int:
        return sum(len((t[1] or "").encode()) for t in self.targets)

    def end(self, status: str, error: str, left_over: str, now: int) -> None:
        self.status, self.error, self.lease, self.closed_early = status, error, now, True
        for target in self.targets:
            if target[0] not in ("done", "failed"):
                target[:] = ["failed", None, left_over, None]


IDS = st.sampled_from(["a", "b", "c"])
NOWS = st.integers(0, 200)
SCHEMES = st.sampled_from(["http", "http", "http", "https"])


class BatchStoreMachine(RuleBasedStateMachine):
    """Random calls to a store and to a model of it, which must agree after each."""

    def __init__(self, path: str, check: Callable[[BatchStore], None]) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.path = path if path == MEMORY else str(Path(self.folder.name) / path)
        self.check = check
        self.now = 0
        self.store = self.open()
        self.jobs: dict[str, ModelJob] = {}
        self.ever: set[str] = set()

    def open(self) -> BatchStore:
        return BatchStore.open(self.path, clock=lambda: self.now)

    def teardown(self) -> None:
        self.store.close()
        self.folder.cleanup()

    def call(self, legal: bool, method: Callable[..., None], *args: Any) -> bool:
        """Make a call that must raise unless it is legal."""
        if legal:
            method(*args)
        else:
            with pytest.raises(Contradiction):
                method(*args)
        return legal

    @rule(id=IDS, key=st.sampled_from(["k", "l"]), total=st.integers(0, 3), now=NOWS)
    def create(self, id: str, key: str, total: int, now: int) -> None:
        job = BatchJob(id, "alice", "fleet", key, targets_total=total, created_at=now, lease=now)
        if self.call(id not in self.ever, self.store.create_batch_job, job):
            self.jobs[id] = ModelJob(key, total, now)
            self.ever.add(id)

    @rule(id=IDS, short=st.sampled_from([0, 0, 0, 1]), scheme=SCHEMES)
    def put(self, id: str, short: int, scheme: str) -> None:
        job = self.jobs.get(id)
        count = max((job.total if job else 1) - short, 0)
        urls = [f"{scheme}://{idx}.example/" for idx in range(count)]
        targets = [BatchTarget(id, idx, url, "{}") for idx, url in enumerate(urls)]
        same = job is None or (count == job.total and job.urls == urls)
        fresh = job is not None and job.live and not job.urls and count == job.total
        if self.call(same or fresh, self.store.put_batch_targets, id, targets) and job and not same:
            job.urls, job.targets = urls, [["pending", None, None, None] for _ in urls]

    @initialize(now=NOWS)
    def begin(self, now: int) -> None:
        self.create("a", "k", 2, now)
        self.put("a", 0, "http")

    @rule(
        id=IDS,
        idx=st.integers(-1, 3),
        now=NOWS,
        update=st.one_of(
            st.just(("running", None, None, None)),
            st.tuples(st.just("done"), st.sampled_from([None, "", "x", "héllo" * 9]), st.none(), st.none()),
            st.tuples(st.just("failed"), st.none(), st.sampled_from(["e", "f"]), st.sampled_from([None, "h"])),
        ),
    )
    def update(self, id: str, idx: int, now: int, update: tuple[Any, Any, Any, Any]) -> None:
        job = self.jobs.get(id)
        if job is None:
            return self.store.update_batch_target(id, idx, now, *update)
        known = 0 <= idx < len(job.targets)
        again = known and tuple(job.targets[idx]) == update
        step = known and job.live and (update[0] != "running" or job.targets[idx][0] == "pending")
        if self.call(again or step, self.store.update_batch_target, id, idx, now, *update):
            job.targets[idx][:] = update
            job.lease = now
        return None

    @rule(id=IDS, status=st.sampled_from([*LIVE, *TERMINAL, "done"]), error=st.sampled_from(["", "x"]), now=NOWS)
    def set_status(self, id: str, status: JobStatus, error: str, now: int) -> None:
        job = self.jobs.get(id)
        if job is None:
            return self.store.set_batch_job_status(id, status, error, now)
        again = job.status == status and (status in ("queued", "running", "cancelled") or job.error == error)
        step = (
            job.live
            and {
                "queued": job.status == "queued",
                "running": True,
                "done": job.done == job.total,
                "partial": job.done == job.total,
                "failed": True,
                "cancelled": True,
            }[status]
        )
        if self.call(again or step, self.store.set_batch_job_status, id, status, error, now):
            if not again and status in TERMINAL:
                job.end(status, error, "cancelled" if status == "cancelled" else error or "job failed", now)
            job.status, job.lease = status, now
        return None

    @rule(id=IDS, now=NOWS)
    def touch(self, id: str, now: int) -> None:
        self.store.touch_batch_job(id, now)
        if id in self.jobs:
            self.jobs[id].lease = now

    @rule(id=IDS, now=NOWS)
    def read(self, id: str, now: int) -> None:
        self.now = now
        found, job = self.store.batch_job(id), self.jobs.get(id)
        assert (found is None) == (job is None)
        if found and job:
            job.lease = now
            assert found.lease == now

    @rule(now=NOWS, ttl=st.integers(50, 150))
    def sweep(self, now: int, ttl: int) -> None:
        gone = [id for id, job in self.jobs.items() if job.lease + ttl <= now]
        assert self.store.sweep_batch(now, ttl) == len(gone)
        for id in gone:
            del self.jobs[id]

    @rule(max_bytes=st.integers(0, 60))
    def evict(self, max_bytes: int) -> None:
        self.store.evict_batch_oldest(max_bytes)
        order = {id: n for n, id in enumerate(self.jobs)}
        for id in sorted(self.jobs, key=lambda id: (self.jobs[id].lease, order[id])):
            if sum(job.nbytes for job in self.jobs.values()) <= max_bytes:
                break
            if not self.jobs[id].live and self.jobs[id].nbytes:
                del self.jobs[id]

    @rule(now=NOWS)
    def restart(self, now: int) -> None:
        live = [job for job in self.jobs.values() if job.live]
        if self.path != MEMORY:
            self.store.close()
            self.store = self.open()
        assert self.store.mark_in_flight_failed("restarted", now) == len(live)
        for job in live:
            job.end("failed", "restarted", "restarted", now)

    @rule(key=st.sampled_from(["k", "l"]), now=NOWS, ttl=st.integers(0, 100))
    def by_idem(self, key: str, now: int, ttl: int) -> None:
        held = [id for id, job in self.jobs.items() if job.key == key and job.lease + ttl > now]
        assert self.store.batch_job_by_idem("alice", key, now, ttl) == (held[-1] if held else None)
        assert self.store.batch_job_by_idem("bob", key, now, ttl) is None

    @invariant()
    def they_agree(self) -> None:
        assert {
            id: (status, error, total, done, lease, nbytes)
            for id, status, error, total, done, lease, nbytes in self.store.connection.execute(
                "SELECT id, status, error, targets_total, targets_done, lease, nbytes FROM batch_job"
            )
        } == {id: (j.status, j.error, j.total, j.done, j.lease, j.nbytes) for id, j in self.jobs.items()}
        for id, job in self.jobs.items():
            targets = self.store.batch_targets(id)
            assert targets is not None
            assert [t.url for t in targets] == job.urls
            assert [[t.status, t.result, t.error, t.hint] for t in targets] == job.targets
        live = sum(job.live for job in self.jobs.values())
        assert self.store.live_batch_jobs("alice") == self.store.live_batch_jobs_total() == live
        assert self.store.batch_nbytes() == sum(job.nbytes for job in self.jobs.values())
        self.check(self.store)


@pytest.mark.parametrize(("path", "examples"), [(MEMORY, 60), ("gofer.db", 15)])
def test_a_store_agrees_with_its_model(path: str, examples: int, check: Callable[[BatchStore], None]) -> None:
    run_state_machine_as_test(
        lambda: BatchStoreMachine(path, check),  # type: ignore[arg-type]  # a factory will do
        settings=settings(max_examples=examples, stateful_step_count=30, deadline=None),
    )
