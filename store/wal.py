"""The write-ahead log kept short: the writer alone copies it into the database, after its own commits."""

from typing import Final

import apsw

from .database import BUSY_TIMEOUT_MS, transaction

COPY_PAGES: Final = 4_000  # a WAL of this length (16 MiB) is copied as far as readers let it be: each page once
LONG_PAGES: Final = (
    8_000  # of this length (32 MiB) it is emptied, and commits wait for the readers that are in the way
)
PATIENCE_MS: Final = 1_000  # but no longer than this; then again after as many pages more


class Wal:
    """Checkpoints, in the sense of sqlite.org/wal.html, for the one connection that writes.

    SQLite's own would tell nobody of their errors; these raise, and a store whose disk fails stops.
    """

    def __init__(self, db: apsw.Connection) -> None:
        self._db = db
        self._pages = 0
        self._long = LONG_PAGES
        self._scrub = False
        db.set_wal_hook(self._committed)  # and with that SQLite's own do not run
        self._begin_anew()

    def scrub(self) -> None:
        """After the next commit empty the WAL, so that what was deleted does not live on there.

        A reader may be in the way, which is no fault: then after the commit that follows.
        """
        self._scrub = True

    def settle(self) -> None:
        """Outside a transaction: copy or empty the WAL if that is due. Raises `apsw.Error` if the disk fails."""
        if self._pages >= self._long:
            self._scrub = not self._emptied(PATIENCE_MS)
            self._long = self._pages + LONG_PAGES
        elif self._scrub:
            self._scrub = not self._emptied(wait_ms=0)
        elif self._pages >= COPY_PAGES:
            self._db.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_PASSIVE)

    def _begin_anew(self) -> None:
        """Let what is acknowledged from here on rest on nothing that the WAL holds now.

        If a sync failed and only the process ended, pages may read well that never reached the disk, and whatever
        followed them in the WAL would be lost with them.
        """
        if self._emptied(wait_ms=0):
            with transaction(self._db):  # it writes a page, come what may, and a commit of a page is synced
                self._db.pragma("user_version", self._db.pragma("user_version"))

    def _emptied(self, wait_ms: int) -> bool:
        self._db.set_busy_timeout(wait_ms)
        try:
            self._db.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)
        except apsw.BusyError:
            return False
        finally:
            self._db.set_busy_timeout(BUSY_TIMEOUT_MS)
        self._pages, self._long = 0, LONG_PAGES
        return True

    def _committed(self, _db: apsw.Connection, _name: str, pages: int) -> int:
        self._pages = pages
        return apsw.SQLITE_OK
