"""Proofs that one job's events are on a log that was signed, checkable without the rest of it.

A proof holds the job's events as the log does, each with its path in the Merkle tree of a signed checkpoint. It shows
nothing of other jobs but hashes. Who checks it needs the log's public key from a source that they trust, not from the
proof. It proves what is in it, not that nothing followed: the job's later events are not in an older proof.
"""

from typing import Final

import msgspec

from ..events.job import Contradiction, Event, Job, evolve
from ..events.merkle import ProofError, Tree, check_inclusion, leaf_hash
from ..events.recorded import decode, encode, join
from .audit_job import job_events
from .audit_walk import LogFile, leaf_hashes
from .database import StoreError
from .log import LogDamaged
from .note import NoteError, NotSigned, PublicKey
from .sealing import KEY_BYTES, SealBroken, unseal

FORMAT: Final = "gofer proof 1"
MAX_PROOF_BYTES: Final = 64 << 20


class NotAProof(ProofError):
    """The file is none that `prove` wrote: there is nothing in it that could hold or not."""


class ProvenEvent(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One event: its position, its canonical bytes, and its audit path, lowest sibling first."""

    seq: int
    data: str
    path: tuple[bytes, ...]


class Proof(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What a proof file holds. `checkpoint` is the signed note; `key` opens what is private in the events."""

    format: str
    job_id: str
    checkpoint: str
    events: tuple[ProvenEvent, ...]
    key: bytes | None = None


class Proven(msgspec.Struct, frozen=True):
    """What a proof shows: these events of the job, which lead to this state, stood on the log when it was signed.

    `opened`: what is private in them was in the proof, or nothing is.
    """

    origin: str
    size: int
    job: Job
    events: tuple[tuple[int, Event], ...]
    opened: bool


def prove(log: LogFile, job_id: str, note: str, public_key: PublicKey, *, sealed: bool = False) -> bytes:
    """The proof file of the job's events as far as the signed checkpoint `note` covers them.

    `sealed` leaves the job's key out. Raises `NoteError` for a note that the key did not sign, `NoSuchJob`,
    `StoreError` if the checkpoint covers none of the events, and `LogDamaged` if it is not of this log.
    """
    signed = public_key.open(note)
    events = [each for each in job_events(log, job_id) if each.seq <= signed.size]
    if not events:
        raise StoreError(
            f"the newest checkpoint covers {signed.size} events and none of job {job_id}; sign one that does with"
            " `gofer audit checkpoint`"
        )
    tree = Tree(leaf_hashes(log, signed.size))
    if tree.size != signed.size or tree.root != signed.root:
        raise LogDamaged("the events are not those that were signed; see `gofer audit verify`")
    key = None if sealed else log.db.execute("SELECT key FROM job_key WHERE job_id = ?", (job_id,)).get
    proven = tuple(ProvenEvent(each.seq, each.data.decode(), tree.inclusion(each.seq - 1)) for each in events)
    return _encode(Proof(FORMAT, job_id, public_key.own_note(note), proven, key))


def check(data: bytes, public_key: PublicKey) -> Proven:
    """What the proof file `data` shows to who trusts `public_key`.

    Raises `ProofError` for a proof that does not hold in each of its bytes, as `NotAProof` for what is none, and
    `NotSigned` if its checkpoint has no signature of `public_key`.
    """
    proof = parse(data)
    try:
        signed = public_key.open(proof.checkpoint)
    except NotSigned:
        raise
    except NoteError as error:
        raise ProofError(f"its checkpoint: {error}") from None
    if public_key.own_note(proof.checkpoint) != proof.checkpoint:
        raise ProofError("its checkpoint has signatures that nobody checked")
    if not proof.events:
        raise ProofError("it holds no event")
    if proof.key is not None and len(proof.key) != KEY_BYTES:
        raise ProofError("its key is none")
    job: Job | None = None
    events = []
    before = hidden = used = 0
    for proven in proof.events:
        if proven.seq <= before:
            raise ProofError(f"event {proven.seq} stands behind event {before}")
        before = proven.seq
        raw = proven.data.encode()
        check_inclusion(leaf_hash(raw), proven.seq - 1, signed.size, proven.path, signed.root)
        try:
            stored = decode(raw)
            event = stored.event
            if stored.sealed is not None and proof.key is not None:
                event, used = join(event, unseal(proof.key, stored.job_id, stored.version, stored.sealed)), used + 1
            elif stored.sealed is not None:
                hidden += 1
            job = evolve(job, event)
        except (Contradiction, SealBroken, ValueError) as error:
            raise ProofError(f"event {proven.seq}: {error}") from None
        if encode(stored) != raw or (stored.job_id, stored.version, job.id) != (
            proof.job_id,
            job.version,
            proof.job_id,
        ):
            raise ProofError(f"event {proven.seq} is not event {job.version} of job {proof.job_id}")
        events.append((proven.seq, event))
    if proof.key is not None and not used:
        raise ProofError("it has a key that opens nothing")
    assert job is not None
    return Proven(signed.origin, signed.size, job, tuple(events), opened=not hidden)


def parse(data: bytes) -> Proof:
    """The proof in a file; nothing in it is checked yet but its form. Raises `ProofError`, also as `NotAProof`."""
    if len(data) > MAX_PROOF_BYTES:
        raise NotAProof("too long for a proof")
    try:
        proof = msgspec.json.decode(data, type=Proof)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise NotAProof(f"not a proof that `gofer audit prove` wrote: {error}") from None
    if proof.format != FORMAT:
        raise NotAProof(f"not a proof of this kind ({FORMAT})")
    if _encode(proof) != data:
        raise ProofError("not in the form in which `gofer audit prove` writes it")
    return proof


def _encode(proof: Proof) -> bytes:
    return msgspec.json.encode(proof) + b"\n"
