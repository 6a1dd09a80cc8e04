"""Proofs of one job: what they show, what they hide, and that no changed byte of one passes."""

import base64
import random
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from gofer.events.merkle import ProofError
from gofer.store.audit_job import NoSuchJob
from gofer.store.audit_proof import MAX_PROOF_BYTES, NotAProof, Proof, ProvenEvent, check, prove
from gofer.store.audit_walk import open_log_file
from gofer.store.batch import BatchStore
from gofer.store.database import StoreError
from gofer.store.note import NoteError, NotSigned, SigningKey

KEY = SigningKey("log.example", bytes(range(32)))
Submit = Callable[..., str]


@pytest.fixture
def log(path: Path, submit: Submit) -> Path:
    """Five jobs: `j1` is done with one failure, the others are queued."""
    with BatchStore.open(path) as store:
        for id in ("j0", "j1", "j2", "j3", "j4"):
            submit(store, id)
        store.update_batch_target("j1", 0, 5, "done", result="body")
        store.update_batch_target("j1", 1, 6, "failed", error="http 404", hint="look elsewhere")
        store.set_batch_job_status("j1", "partial", "", 7)
    return path


def note_of(path: Path) -> str:
    with BatchStore.open(path) as store:
        tree = store.mark_checkpoint()
    return KEY.sign(tree.size, tree.root)


def proof_of(path: Path, job_id: str = "j1", *, sealed: bool = False, note: str | None = None) -> bytes:
    note = note or note_of(path)
    with open_log_file(path) as log:
        return prove(log, job_id, note, KEY.public, sealed=sealed)


def test_a_proof_shows_the_job_to_who_has_the_public_key_alone(log: Path) -> None:
    proven = check(proof_of(log), KEY.public)
    assert (proven.origin, proven.size) == ("log.example", 13)
    assert [seq for seq, _ in proven.events] == [3, 4, 11, 12, 13]
    assert (proven.job.id, proven.job.status, proven.job.caller) == ("j1", "partial", "alice")
    assert [target.url for target in proven.job.targets] == ["http://0.example/", "http://1.example/"]
    assert proven.job.targets[1].error == "http 404"
    assert proven.opened


def test_a_sealed_proof_shows_no_more_than_counts_and_statuses(log: Path) -> None:
    data = proof_of(log, sealed=True)
    assert b"example/" not in data
    proven = check(data, KEY.public)
    assert not proven.opened
    assert [(target.url, target.status) for target in proven.job.targets] == [("", "done"), ("", "failed")]


def test_a_proof_holds_nothing_of_another_job(log: Path) -> None:
    proof = msgspec.json.decode(proof_of(log), type=Proof)
    assert all(b'"job_id":"j1"' in event.data.encode() for event in proof.events)
    assert not any(f'"{id}"'.encode() in proof_of(log) for id in ("j0", "j2", "j3", "j4"))


def test_it_goes_as_far_as_its_checkpoint(log: Path) -> None:
    note = note_of(log)
    with BatchStore.open(log) as store:
        store.touch_batch_job("j1", 99)
        store.touch_batch_job("j1", 199)
    proven = check(proof_of(log, note=note), KEY.public)
    assert (proven.size, proven.job.version, proven.job.lease) == (13, 5, 7)
    assert check(proof_of(log), KEY.public).job.lease == 199


def test_witnesses_of_the_checkpoint_are_left_out(log: Path) -> None:
    note = note_of(log)
    name = SigningKey("witness", bytes(32))
    witnessed = note + name.sign(1, bytes(32)).splitlines()[-1] + "\n"
    assert proof_of(log, note=witnessed) == proof_of(log, note=note)


# ---------------------------------------------------------------- what cannot be proven


def test_a_job_that_is_not_there(log: Path) -> None:
    with pytest.raises(NoSuchJob, match="no job nope"):
        proof_of(log, "nope")


def test_a_checkpoint_from_before_the_job(log: Path, submit: Submit) -> None:
    note = note_of(log)
    with BatchStore.open(log) as store:
        submit(store, "late")
    with pytest.raises(StoreError, match="covers 13 events and none of job late"):
        proof_of(log, "late", note=note)


def test_a_checkpoint_of_other_events(log: Path) -> None:
    with pytest.raises(StoreError, match="not those that were signed"):
        proof_of(log, note=KEY.sign(13, bytes(32)))
    with pytest.raises(StoreError, match="not those that were signed"):
        proof_of(log, note=KEY.sign(14, bytes(32)))


def test_a_checkpoint_of_another_key(log: Path) -> None:
    with pytest.raises(NoteError, match=r"not signed by log\.example"):
        proof_of(log, note=SigningKey("other", bytes(32)).sign(13, bytes(32)))


# ---------------------------------------------------------------- what does not pass


@pytest.mark.parametrize("sealed", [False, True])
def test_no_random_change_of_a_valid_proof_passes(log: Path, sealed: bool) -> None:
    """Bytes changed, put in, taken out, moved, repeated: each of these files is another one, and each is refused."""
    rng = random.Random(4)
    data = proof_of(log, sealed=sealed)
    check(data, KEY.public)
    tried = 0
    for at in range(len(data)):  # a bit of each byte
        changed = data[:at] + bytes([data[at] ^ 1 << rng.randrange(8)]) + data[at + 1 :]
        tried += refused(changed)
    for _ in range(5_000):
        at, to = sorted(rng.sample(range(len(data) + 1), 2))
        some = bytes(rng.choice(data) for _ in range(rng.randrange(1, 4)))
        changed = rng.choice(
            [
                data[:at] + some + data[at:],
                data[:at] + some + data[at + len(some) :],
                data[:at] + data[at + len(some) :],
                data[:at] + data[to:],
                data[:to] + data[at:],
                data[to:] + data[at:to] + data[:at],
            ]
        )
        tried += changed != data and refused(changed)
    assert tried > 5_000


def refused(changed: bytes) -> bool:
    with pytest.raises((ProofError, NoteError)):
        check(changed, KEY.public)
    return True


def _with_event(proof: Proof, n: int, **changes: object) -> Proof:
    events = list(proof.events)
    events[n] = msgspec.structs.replace(events[n], **changes)
    return msgspec.structs.replace(proof, events=tuple(events))


def _forged(event: ProvenEvent, old: str, new: str) -> str:
    assert old in event.data
    return event.data.replace(old, new)


# Files that are well-formed, as somebody who knows the format would write them.
FORGERIES: dict[str, Callable[[Proof], Proof]] = {
    "another caller": lambda p: _with_event(p, 0, data=_forged(p.events[0], "alice", "carol")),
    "another seq": lambda p: _with_event(p, 0, seq=2),
    "a seq of 0": lambda p: _with_event(p, 0, seq=0),
    "a seq beyond the tree": lambda p: _with_event(p, 4, seq=14),
    "a path too short": lambda p: _with_event(p, 0, path=p.events[0].path[:-1]),
    "a path too long": lambda p: _with_event(p, 0, path=(*p.events[0].path, bytes(32))),
    "a path of another event": lambda p: _with_event(p, 0, path=p.events[1].path),
    "a path of short hashes": lambda p: _with_event(p, 0, path=tuple(part[:31] for part in p.events[0].path)),
    "no events": lambda p: msgspec.structs.replace(p, events=()),
    "the first event left out": lambda p: msgspec.structs.replace(p, events=p.events[1:]),
    "an event in the middle left out": lambda p: msgspec.structs.replace(p, events=p.events[:2] + p.events[3:]),
    "an event twice": lambda p: msgspec.structs.replace(p, events=(*p.events, p.events[-1])),
    "events in another order": lambda p: msgspec.structs.replace(p, events=p.events[::-1]),
    "another job": lambda p: msgspec.structs.replace(p, job_id="j2"),
    "another key": lambda p: msgspec.structs.replace(p, key=bytes(32)),
    "a key too short": lambda p: msgspec.structs.replace(p, key=bytes(31)),
    "another format": lambda p: msgspec.structs.replace(p, format="gofer proof 2"),
    "a larger tree": lambda p: msgspec.structs.replace(p, checkpoint=p.checkpoint.replace("\n13\n", "\n14\n")),
    "a checkpoint by another key": lambda p: msgspec.structs.replace(
        p, checkpoint=SigningKey("log.example", bytes(32)).sign(13, bytes(32))
    ),
    "a signature that nobody checks": lambda p: msgspec.structs.replace(
        p, checkpoint=p.checkpoint + f"\N{EM DASH} eve {base64.b64encode(bytes(68)).decode()}\n"
    ),
}


# A forgery does not hold; but one of these is no proof that we know, and one is by another key than was asked about.
OF_ANOTHER_KIND = {"another format": NotAProof, "a checkpoint by another key": NotSigned}


@pytest.mark.parametrize("name", FORGERIES)
def test_no_forgery_passes(log: Path, name: str) -> None:
    proof = msgspec.json.decode(proof_of(log), type=Proof)
    with pytest.raises((ProofError, NoteError)) as refused:
        check(msgspec.json.encode(FORGERIES[name](proof)) + b"\n", KEY.public)
    assert refused.type is OF_ANOTHER_KIND.get(name, ProofError)
    check(msgspec.json.encode(proof) + b"\n", KEY.public)


def test_the_same_in_another_form_does_not_pass(log: Path) -> None:
    data = proof_of(log)
    for changed in (
        data + b" ",
        b" " + data,
        data[:-1],
        msgspec.json.format(data),
        data.replace(b"j1", b"j\\u0031", 1),
    ):
        assert changed != data
        assert refused(changed)


NO_PROOFS = [b"", b"{}", b"[]", b"\xff", b"gofer", b'{"format":"gofer proof 1"}', b"x" * (MAX_PROOF_BYTES + 1)]


@pytest.mark.parametrize("data", NO_PROOFS, ids=lambda data: data[:9])
def test_what_is_no_proof_is_told(data: bytes) -> None:
    with pytest.raises(NotAProof, match=r"not a proof|too long for a proof"):
        check(data, KEY.public)
