"""The content cache: responses by key in a file of its own, bounded by bytes, the longest unused going first.

Nothing in it is needed: it can be deleted at any time, and is not counted in the batch budget.
"""

from collections import Counter
from pathlib import Path
from typing import Final, Self, cast

import apsw
import msgspec

APPLICATION_ID: Final = 0x676F6663  # "gofc"
VERSION: Final = 1

TABLES: Final = """
CREATE TABLE cached (
    key    BLOB PRIMARY KEY,
    used   INT NOT NULL,        -- when it was last put or given, in uses of the cache
    nbytes INT NOT NULL,
    head   BLOB NOT NULL,
    body   BLOB NOT NULL        -- last: what looks at the rest never walks its overflow pages
) STRICT;
CREATE INDEX cached_used ON cached (used, nbytes);
"""


class CacheStatistics(msgspec.Struct, frozen=True):
    """What it holds now, and what it did since it was opened; `faults` are calls that its file failed."""

    entries: int
    nbytes: int
    hits: int
    misses: int
    puts: int
    evictions: int
    faults: int


class ContentCache:
    """A cache that keeps at most `max_bytes` of heads and bodies. Synchronous: a call takes tens of microseconds.

    It never raises for what happens to its file: then it holds nothing, and counts a fault.
    """

    def __init__(self, db: apsw.Connection, max_bytes: int) -> None:
        self._db = db
        self._max_bytes = max_bytes
        self._counts: Counter[str] = Counter()
        self._uses: int = db.execute("SELECT coalesce(max(used), 0) FROM cached").get
        self._recount()
        self._evict()  # it may have been larger before

    @classmethod
    def open(cls, path: str | Path, max_bytes: int) -> Self:
        """The cache in the file `path`, or in ":memory:". A file that is damaged, or none of ours, is made anew.

        Raises `OSError` or `apsw.Error` if there can be no file.
        """
        try:
            return cls(_connect(str(path)), max_bytes)
        except (apsw.NotADBError, apsw.CorruptError, apsw.SQLError):
            for suffix in ("", "-wal", "-shm"):
                Path(f"{path}{suffix}").unlink(missing_ok=True)
            return cls(_connect(str(path)), max_bytes)

    def close(self) -> None:
        """Close the file."""
        self._db.close()

    def get(self, key: bytes) -> tuple[bytes, bytes] | None:
        """The head and body last put under `key`, or None."""
        self._uses += 1
        try:
            # fetchall, for an UPDATE with RETURNING is done once it has been stepped to its end.
            rows = self._db.execute(
                "UPDATE cached SET used = ? WHERE key = ? RETURNING head, body", (self._uses, key)
            ).fetchall()
        except apsw.Error:
            self._counts["faults"] += 1
            return None
        self._counts["hits" if rows else "misses"] += 1
        return cast("tuple[bytes, bytes]", rows[0]) if rows else None

    def put(self, key: bytes, head: bytes, body: bytes) -> None:
        """Keep `head` and `body` under `key`, in place of what was there; not if they are larger than the cache."""
        nbytes = len(head) + len(body)
        if nbytes > self._max_bytes:
            return
        self._uses += 1
        self._counts["puts"] += 1
        try:
            with self._db:
                self._remove("key = ?", key)
                self._db.execute("INSERT INTO cached VALUES (?, ?, ?, ?, ?)", (key, self._uses, nbytes, head, body))
                self._entries += 1
                self._nbytes += nbytes
                self._evict()
        except apsw.Error:
            self._counts["faults"] += 1
            self._recount()

    def size(self) -> int:
        """The bytes of all heads and bodies."""
        return int(self._nbytes)

    def stats(self) -> CacheStatistics:
        """The figures of this moment."""
        counts = (self._counts[name] for name in ("hits", "misses", "puts", "evictions", "faults"))
        return CacheStatistics(self._entries, self._nbytes, *counts)

    def _evict(self) -> None:
        while self._nbytes > self._max_bytes:
            self._remove("used = (SELECT min(used) FROM cached WHERE ?)", True)
            self._counts["evictions"] += 1

    def _remove(self, where: str, value: bytes | bool) -> None:
        for (nbytes,) in self._db.execute(
            f"DELETE FROM cached WHERE {where} RETURNING nbytes",  # noqa: S608 - constants of this class
            (value,),
        ).fetchall():
            self._entries -= 1
            self._nbytes -= nbytes

    def _recount(self) -> None:
        try:
            self._entries, self._nbytes = self._db.execute(
                "SELECT count(*), coalesce(sum(nbytes), 0) FROM cached"
            ).get
        except apsw.Error:
            self._entries = self._nbytes = 0


def _connect(path: str) -> apsw.Connection:
    db = apsw.Connection(path)
    try:
        db.set_busy_timeout(0)  # it is asked in the loop: rather forget than wait
        db.pragma("journal_mode", "wal")
        db.pragma("synchronous", "off")  # what a power loss takes is fetched again
        if not db.execute("SELECT count(*) FROM sqlite_schema").get:
            with db:
                db.execute(TABLES)
                db.pragma("application_id", APPLICATION_ID)
                db.pragma("user_version", VERSION)
        elif (db.pragma("application_id"), db.pragma("user_version")) != (APPLICATION_ID, VERSION):
            raise apsw.NotADBError("not a content cache of this version")
    except BaseException:
        db.close()
        raise
    return db
