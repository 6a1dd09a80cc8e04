"""A log that an earlier gofer wrote is replayed by a later one. The versions here are examples: production has none.

Version 2 of a done target has its digest and size in an object of their own, version 3 adds where the result is from.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Union, get_args

import msgspec
import pytest
from gofer.events import job, recorded
from gofer.events.job import Event, TargetDone
from gofer.events.recorded import Stored, encode
from gofer.events.upcast import UPCASTS, Payload, Upcasts, decode, upcast
from gofer.store.batch import BatchStore
from gofer.store.log import leaves

Submit = Callable[..., str]


class Body(msgspec.Struct, frozen=True):
    sha256: str | None
    nbytes: int


class DoneToday(msgspec.Struct, frozen=True, tag_field="type", tag="target.done@3", forbid_unknown_fields=True):
    at_ms: int
    idx: int
    body: Body
    source: str

    @property
    def sha256(self) -> str | None:
        return self.body.sha256

    @property
    def nbytes(self) -> int:
        return self.body.nbytes


def to_2(payload: Payload) -> Payload:
    kept = {name: payload[name] for name in ("at_ms", "idx")}
    return {**kept, "body": {"sha256": payload.get("sha256"), "nbytes": payload.get("nbytes", 0)}}


def to_3(payload: Payload) -> Payload:
    return {**payload, "source": "origin"}


RULES: Upcasts = {("target.done", 1): to_2, ("target.done", 2): to_3}
EventToday = Union[(DoneToday, *(each for each in get_args(Event) if each is not TargetDone))]
StoredToday = msgspec.defstruct(
    "StoredToday",
    [("job_id", str), ("version", int), ("event", EventToday), ("sealed", bytes | None, None)],
    forbid_unknown_fields=True,
)
TODAY = msgspec.json.Decoder(StoredToday)


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """From the call on, this is the gofer whose targets are done in version 3."""

    def become() -> None:
        monkeypatch.setattr(recorded, "_STORED", TODAY)
        monkeypatch.setattr(job, "TargetDone", DoneToday)
        for version, rule in RULES.items():
            monkeypatch.setitem(UPCASTS, version, rule)

    return become


def row(event: str, sealed: str = "") -> str:
    return f'{{"job_id":"j","version":7,"event":{event}{sealed}}}'


# ---------------------------------------------------------------- rules


def test_a_payload_goes_through_every_version_up_to_the_latest() -> None:
    first = {"type": "target.done", "at_ms": 5, "idx": 1, "sha256": "ab", "nbytes": 2}
    second = {"type": "target.done@2", "at_ms": 5, "idx": 1, "body": {"sha256": "ab", "nbytes": 2}}
    third = {**second, "type": "target.done@3", "source": "origin"}
    assert upcast(first, {("target.done", 1): to_2}) == second
    assert upcast(first, RULES) == third
    assert upcast(second, RULES) == third


@pytest.mark.parametrize("tag", ["target.done@3", "target.done@4", "job.started", "target.done@x", "@1", ""])
def test_a_version_that_no_rule_begins_at_stays_as_it_is(tag: str) -> None:
    payload = {"type": tag}
    assert upcast(payload, {("target.done", 2): to_3}) is payload


def test_rows_of_each_version_decode_to_the_event_of_today() -> None:
    today = DoneToday(5, 1, Body("ab", 2), "origin")
    sealed = ',"sealed":"c2VhbGVk"'
    for event in (
        '{"type":"target.done","at_ms":5,"idx":1,"sha256":"ab","nbytes":2}',
        '{"type":"target.done@2","at_ms":5,"idx":1,"body":{"sha256":"ab","nbytes":2}}',
        '{"type":"target.done@3","at_ms":5,"idx":1,"body":{"sha256":"ab","nbytes":2},"source":"origin"}',
    ):
        assert decode(row(event), TODAY, RULES) == StoredToday("j", 7, today)
        assert decode(row(event, sealed).encode(), TODAY, RULES) == StoredToday("j", 7, today, b"sealed")


@pytest.mark.parametrize(
    "data",
    [
        row('{"type":"target.done@4","at_ms":5,"idx":1}'),  # by a gofer that is not yet written
        row('{"type":"target.dune","at_ms":5,"idx":1}'),
        row('{"type":"target.done","at_ms":"five","idx":1}'),
        row('{"type":7}'),
        row("[]"),
        row('{"type":"job.started","at_ms":5,"extra":1}'),
        '{"event":{"type":"target.done","at_ms":5,"idx":1}}',
        "[]",
    ],
)
def test_what_is_no_row_of_any_version_is_refused(data: str) -> None:
    with pytest.raises(msgspec.ValidationError):
        decode(data, TODAY, RULES)


def test_what_is_no_json_is_refused() -> None:
    with pytest.raises(msgspec.DecodeError):
        decode('{"job_id', TODAY, RULES)


# ---------------------------------------------------------------- a log


def test_a_log_of_version_1_is_replayed_and_never_rewritten(
    path: Path, submit: Submit, later: Callable[[], None]
) -> None:
    with BatchStore.open(path) as store:
        submit(store, targets_total=3)
        store.update_batch_target("j1", 0, 1_001, "done", result="äb")
        store.update_batch_target("j1", 1, 1_002, "failed", error="http 404")
        written = list(leaves(store.connection))
        before, kinds = store.load("j1"), [type(each.event) for each in store.read(0)]
    assert b'"type":"target.done"' in written[2][3]

    later()
    with BatchStore.open(path) as store:  # which verifies the log as it was written
        assert list(leaves(store.connection)) == written
        assert store.load("j1") == before
        assert [type(each.event) for each in store.read(0)] == [
            DoneToday if kind is TargetDone else kind for kind in kinds
        ]
        assert [each.event.source for each in store.read(0) if isinstance(each.event, DoneToday)] == ["origin"]
        store.update_batch_target("j1", 2, 1_003, "failed", error="http 500")
        store.set_batch_job_status("j1", "partial", "", 1_003)
        after = store.load("j1")
        store.connection.execute(
            "DELETE FROM batch_target; DELETE FROM batch_job; UPDATE projection SET position = 0"
        )
    with BatchStore.open(path) as store:  # which projects the log from its beginning
        assert store.load("j1") == after
        found, targets = store.batch_job("j1"), store.batch_targets("j1")
        assert found is not None
        assert (found.status, found.targets_done, found.nbytes) == ("partial", 3, 3)
        assert targets is not None
        assert [target.status for target in targets] == ["done", "failed", "failed"]


def test_a_version_unknown_to_this_gofer_is_refused_by_name() -> None:
    data = encode(Stored("j", 1, job.JobStarted(5))).replace(b"job.started", b"job.started@2")
    with pytest.raises(msgspec.ValidationError, match=r"job\.started@2"):
        recorded.decode(data)
