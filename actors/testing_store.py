"""A machine for the store to live on in tests: what was committed outlives a crash, and faults have named places."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, Final, Literal, get_args

import apsw
from outcome import Outcome

from ..events.job import Job
from ..events.recorded import Recorded
from ..store.batch import Append, BatchStore
from ..store.database import MEMORY, open_writer

Place = Literal[
    "append",  # before events are appended
    "project",  # they are on the log and in the tables; the transaction is still open
    "commit",  # all writes of the group are made, none is durable
    "committed",  # durable, and nobody has been told
    "replied",  # those who asked were told, the listeners hear it now
    "reconcile",  # at start, before jobs in flight are failed
    "sweep",  # before leases are looked at
    "evict",  # before the byte budget is looked at
]
PLACES: Final[tuple[Place, ...]] = get_args(Place)


class Crashed(apsw.Error):
    """The machine has lost its power: nothing is written any more."""


class Failpoints:
    """What happens at which place. An action is called once, when its place is reached for the nth time from now."""

    def __init__(self) -> None:
        self.reached: Counter[Place] = Counter()
        self._actions: list[tuple[Place, int, Callable[[], None]]] = []

    def at(self, place: Place, action: Callable[[], None], *, nth: int = 1) -> None:
        """Call `action` the `nth` time that `place` is reached from now on. What it raises is raised there."""
        self._actions.append((place, self.reached[place] + nth, action))

    def reach(self, place: Place) -> None:
        """`place` is reached: carry out what is due there."""
        self.reached[place] += 1
        due = [each for each in self._actions if each[0] == place and each[1] <= self.reached[place]]
        for each in due:
            self._actions.remove(each)
            each[2]()


class SimulatedStore(BatchStore):
    """A store in memory whose committed state goes back to its disk, and which reaches failpoints."""

    disk: "Disk"
    crashed = False

    def crash(self) -> None:
        """From here on every transaction fails, the one that is open as well; what was not committed is lost."""
        self.crashed = True

    def close(self) -> None:
        if self.disk.store is self:
            self.disk.image = self.connection.serialize("main")
            self.disk.store = None
        super().close()

    @contextmanager
    def transaction(self) -> Iterator[list[Recorded]]:
        if self.crashed:
            raise Crashed("the machine is off")
        outermost = not self.connection.in_transaction
        with super().transaction() as appended:
            yield appended
            if outermost:
                self._reach("commit")
            if self.crashed:
                raise Crashed("the machine went off")
        if outermost:
            self._reach("committed")

    def append_each(self, appends: Iterable[Append]) -> list[Outcome[Job]]:
        self._reach("append")
        outcomes = super().append_each(appends)
        self._reach("project")
        return outcomes

    def sweep_batch(self, now: int, ttl: int) -> int:
        self._reach("sweep")
        return super().sweep_batch(now, ttl)

    def evict_batch_oldest(self, max_bytes: int) -> int:
        self._reach("evict")
        return super().evict_batch_oldest(max_bytes)

    def mark_in_flight_failed(self, reason: str, now: int) -> int:
        self._reach("reconcile")
        return super().mark_in_flight_failed(reason, now)

    def _reach(self, place: Place) -> None:
        self.disk.failpoints.reach(place)
        if self.crashed:
            raise Crashed(f"the machine went off at {place}")


class Disk:
    """The one database file of a simulated machine: `image` is what a restart finds."""

    def __init__(self, kind: Callable[..., SimulatedStore] = SimulatedStore) -> None:
        self._kind = kind
        self.image = b""
        self.store: SimulatedStore | None = None  # while it is open
        self.failpoints = Failpoints()

    def open(self, path: str, *, clock: Callable[[], float], **options: Any) -> SimulatedStore:
        """Open it, as `BatchStore.open` does; `path` is not looked at."""
        assert self.store is None, "one process at a time"
        connection = open_writer(MEMORY)
        if self.image:
            connection.deserialize("main", self.image)
        store = self._kind(connection, None, clock=clock, **options)
        store.disk = self
        self.store = store
        return store

    def crash(self) -> None:
        """Take the power away; from inside a failpoint the running transaction is lost."""
        if self.store is not None:
            self.store.crash()

    def fail(self, error: Callable[[], Exception] = lambda: apsw.FullError("database or disk is full")) -> None:
        """For a failpoint: the store reports an error of the machine there."""
        raise error()
