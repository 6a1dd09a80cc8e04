"""The event log: append, read, fold. Only it, `archive`, `leaves` and `audit_*` have SQL on `event` and its kin."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

import apsw
import msgspec

from ..events.job import Contradiction, Event, Job, evolve
from ..events.merkle import CompactRange, leaf_hash
from ..events.recorded import Recorded, Stored, decode, encode, join, split
from .database import StoreError
from .note import Checkpoint
from .sealing import KEY_BYTES, seal, unseal

MAX_REMEMBERED: Final = 1024  # streams of which the head, and those of which the key is held from group to group


class VersionConflict(Contradiction):
    """The stream is not where the writer believed it to be. Nothing was appended."""

    def __init__(self, expected: int, actual: int) -> None:
        super().__init__(f"expected version {expected}, the stream is at {actual}")
        self.expected = expected
        self.actual = actual


class LogDamaged(StoreError):
    """The log is not what was written: something else changed it, or part of it is lost."""


class KeyMissing(StoreError):
    """The job was removed, or its log came without what opens it. Nothing was appended."""


class EventLog:
    """The writing end. It keeps the Merkle tree in step: `flush` inside each transaction, `rewind` when one fails."""

    def __init__(self, db: apsw.Connection, entropy: Callable[[int], bytes]) -> None:
        """`entropy(n)` gives n random bytes, for the jobs' keys."""
        self._db = db
        self._entropy = entropy
        self.tree = read_tree(db)
        self.appended: list[Recorded] = []  # in the transaction that is under way
        self._staged: list[tuple[Recorded, bytes, bytes]] = []  # with its bytes and their leaf hash
        self._new_keys: list[tuple[str, bytes]] = []
        # Of streams appended to lately; nobody else appends to any.
        self._heads: dict[str, int] = {}
        self._keys: dict[str, bytes] = {}

    def stage(self, job_id: str, expected_version: int, events: Sequence[Event]) -> None:
        """Make ready to add `events` to the stream `job_id`, which is at `expected_version`.

        Raises `VersionConflict` if it is not, and `KeyMissing` if a private part cannot be sealed. Then nothing was
        made ready.
        """
        version = self._heads.get(job_id)
        if version is None:
            version = _head_of(self._db, job_id)
        if version != expected_version:
            raise VersionConflict(expected_version, version)
        if version == 0:
            self._keys[job_id] = key = self._entropy(KEY_BYTES)
            self._new_keys.append((job_id, key))
        seq = self.tree.size + len(self._staged)
        staged = []
        for event in events:
            seq += 1
            version += 1
            data = encode(self._stored(job_id, version, event))
            staged.append((Recorded(seq, job_id, version, event), data, leaf_hash(data)))
        self._staged += staged
        self._heads[job_id] = version

    def append(self) -> None:
        """Add what was made ready, inside the caller's transaction."""
        self._db.executemany(
            "INSERT INTO event (seq, job_id, version, data, leaf) VALUES (?, ?, ?, ?, ?)",
            [(each.seq, each.job_id, each.version, data.decode(), leaf) for each, data, leaf in self._staged],
        )
        if self._new_keys:
            self._db.executemany("INSERT INTO job_key VALUES (?, ?)", self._new_keys)
        self.tree = self.tree.extended(leaf for _, _, leaf in self._staged)
        self.appended += [each for each, _, _ in self._staged]
        self._staged, self._new_keys = [], []
        for remembered in (self._heads, self._keys):  # what they say is in the tables by now
            if len(remembered) > MAX_REMEMBERED:
                remembered.clear()

    def flush(self) -> None:
        """Write the tree down, before the transaction commits."""
        self._db.execute("UPDATE tree SET size = ?, subtrees = ?", (self.tree.size, self.tree.to_bytes()))

    def rewind(self, tree: CompactRange, appended: int) -> None:
        """Back to where a transaction or savepoint that failed had begun."""
        self.tree = tree
        del self.appended[appended:]
        self._staged, self._new_keys = [], []
        self._heads.clear()
        self._keys.clear()

    def mark(self) -> CompactRange:
        """Remember the tree as it is now, for a checkpoint: once this is durable it may be signed."""
        self.flush()
        self._db.execute(
            "INSERT INTO checkpoint VALUES (?, ?) ON CONFLICT DO NOTHING", (self.tree.size, self.tree.to_bytes())
        )
        return self.tree

    def forget(self, job_id: str) -> None:
        """Delete the job's key: what is private on the log can no longer be read."""
        self._db.execute("DELETE FROM job_key WHERE job_id = ?", (job_id,))
        self._keys.pop(job_id, None)

    def _stored(self, job_id: str, version: int, event: Event) -> Stored:
        public, private = split(event)
        if private is None:
            return Stored(job_id, version, public)
        return Stored(job_id, version, public, seal(self._key(job_id), job_id, version, private))

    def _key(self, job_id: str) -> bytes:
        key = self._keys.get(job_id)
        if key is None:
            key = self._db.execute("SELECT key FROM job_key WHERE job_id = ?", (job_id,)).get
            if key is None:
                raise KeyMissing(f"the key of job {job_id} is missing: what is private in it cannot be sealed")
            self._keys[job_id] = key
        return key


def _head_of(db: apsw.Connection, job_id: str) -> int:
    return int(db.execute("SELECT coalesce(max(version), 0) FROM event WHERE job_id = ?", (job_id,)).get)


# ---------------------------------------------------------------- reading, on any connection


def head(db: apsw.Connection) -> int:
    """The seq of the last event, archived or not; 0 on an empty log."""
    return int(db.execute("SELECT coalesce((SELECT max(seq) FROM event), (SELECT max(upto) FROM segment), 0)").get)


def archived(db: apsw.Connection) -> CompactRange:
    """The tree over the events that were archived; empty if none was."""
    row = db.execute("SELECT upto, subtrees FROM segment ORDER BY upto DESC LIMIT 1").fetchone()
    return CompactRange() if row is None else _range(db, *row)


def read_tree(db: apsw.Connection) -> CompactRange:
    """The tree as the last commit left it. Raises `LogDamaged` if it is not a tree."""
    return _range(db, *only_row(db, "SELECT size, subtrees FROM tree", "tree"))


def read_mark(db: apsw.Connection, size: int | None = None) -> CompactRange | None:
    """The tree as it was marked at `size`, or at the last mark; None if there is none."""
    row = db.execute(
        "SELECT size, subtrees FROM checkpoint WHERE size = ?1 OR ?1 IS NULL ORDER BY size DESC LIMIT 1", (size,)
    ).fetchone()
    return None if row is None else _range(db, *row)


def leaves(db: apsw.Connection, after_seq: int = 0, limit: int = -1) -> Iterator[tuple[int, str, int, bytes, bytes]]:
    """Rows behind `after_seq` as they lie there: seq, job id, version, canonical bytes, stored leaf hash."""
    for seq, job_id, version, data, leaf in db.execute(
        "SELECT seq, job_id, version, data, leaf FROM event WHERE seq > ? ORDER BY seq LIMIT ?", (after_seq, limit)
    ):
        yield seq, job_id, version, data.encode(), leaf


def read(db: apsw.Connection, after_seq: int = 0, limit: int = -1) -> Iterator[Recorded]:
    """The events behind position `after_seq`, in log order, at most `limit` (-1: all); private parts where the job's
    key is still there.
    """
    rows = db.execute(
        "SELECT seq, data, key FROM event LEFT JOIN job_key USING (job_id) WHERE seq > ? ORDER BY seq LIMIT ?",
        (after_seq, limit),
    )
    for seq, data, key in rows:
        stored = decode(data)
        yield Recorded(seq, stored.job_id, stored.version, opened(stored, key))


def load(db: apsw.Connection, job_id: str, below_version: int = 1 << 62) -> Job | None:
    """The state of a job: the fold of its events with a version under `below_version`. None if there are none, or the
    first are archived, which happens to removed jobs alone.

    A job that is read for hours gathers lease touches. Each says all that those before it said, so of a run of them
    only the last is read.
    """
    key = db.execute("SELECT key FROM job_key WHERE job_id = ?", (job_id,)).get
    rows = db.execute(
        """
        SELECT version, data FROM event AS e
        WHERE job_id = ?1 AND version < ?2
          AND NOT (type = 'job.lease_touched' AND EXISTS (
            SELECT 1 FROM event AS later
            WHERE later.job_id = ?1 AND later.version = e.version + 1 AND later.version < ?2
              AND later.type = 'job.lease_touched'))
        ORDER BY version
        """,
        (job_id, below_version),
    )
    job: Job | None = None
    for version, data in rows:
        if job is None and version > 1:
            return None  # it was removed, and its beginning archived
        job = msgspec.structs.replace(evolve(job, opened(decode(data), key)), version=version)
    return job


def opened(stored: Stored, key: bytes | None) -> Event:
    """The event with its private part, if there is one and `key` to open it. Raises `SealBroken`."""
    if stored.sealed is None or key is None:
        return stored.event
    return join(stored.event, unseal(key, stored.job_id, stored.version, stored.sealed))


def verify(db: apsw.Connection, signed: Checkpoint | None) -> None:
    """Hash the log from its last checkpoint to its head, and compare with the tree.

    `signed` is the newest checkpoint that lies outside the database; without one, the last mark inside is believed.
    Raises `LogDamaged`. What lies before the checkpoint is for `gofer audit verify`.
    """
    end = head(db)
    base = archived(db)
    since = read_mark(db, signed.size) if signed else read_mark(db)
    if signed and since is None and signed.size > base.size:  # signed, but the mark is gone: hash it anew
        since = base.extended(leaf_hash(data) for _, _, _, data, _ in leaves(db, limit=signed.size - base.size))
    since = since or base
    if since.size > end or (signed and signed.size > end):
        raise LogDamaged(f"the log ends at event {end}, but was longer: events are missing; see `gofer audit verify`")
    if signed and since.root != signed.root:
        raise LogDamaged(f"the first {signed.size} events are not those that were signed; see `gofer audit verify`")
    if since.size < base.size:  # what was archived since then is bound by the tree over it
        since = base
    if since.extended(leaf_hash(data) for _, _, _, data, _ in leaves(db, since.size)) != read_tree(db):
        raise LogDamaged(f"an event behind {since.size} is not what was written; see `gofer audit verify`")


def only_row(db: apsw.Connection, query: str, table: str) -> tuple[Any, ...]:
    """The row of a table that has one. Raises `LogDamaged` if it has none or several."""
    rows = db.execute(query).fetchall()
    if len(rows) != 1:
        raise LogDamaged(f"the table {table} has {len(rows)} rows, not one; restore the database from a copy")
    return rows[0]


def _range(db: apsw.Connection, size: int, subtrees: bytes) -> CompactRange:
    try:
        return CompactRange.from_bytes(size, subtrees)
    except ValueError as error:
        raise LogDamaged(f"the log's tree is damaged: {error}") from None
