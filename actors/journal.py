"""The journal: the one task that writes to the store. Group commit, then replies, then listeners.

Whatever waits in its mailbox goes into one transaction. A write that contradicts the state it meets fails alone: an
append refuses before it has written anything, each other write is in a savepoint of its own. A fault of the store
itself ends the journal, and with it the whole tree: nothing is acknowledged that is not durable, and nobody goes on
over a log in doubt.
"""

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from itertools import groupby
from typing import Any, Final, Generic, TypeVar, cast

import apsw
import msgspec
import trio
from outcome import Error, Outcome, Value

from ..events.job import Command, Job
from ..events.recorded import Recorded
from ..store.batch import Append, BatchStore
from ..store.database import MEMORY, using
from .mailbox import ActorDied, Mailbox, MailboxFull, Reply

T = TypeVar("T")

MAILBOX_CAPACITY: Final = 1024
MAX_GROUP: Final = 256  # writes in one transaction


class Commit(msgspec.Struct, frozen=True):
    """One transaction that is durable."""

    events: tuple[Recorded, ...]
    writes: int
    elapsed_s: float


Listener = Callable[[Commit], None]
"""Called in the loop after each commit, in log order, before anything else is committed. Must not block or raise."""


class JournalStatistics(msgspec.Struct, frozen=True):
    """Writes that wait now; commits, writes and time spent committing since the start; the log's head."""

    waiting: int
    commits: int
    writes: int
    commit_s_total: float
    position: int


class _Write(msgspec.Struct, Generic[T]):
    apply: Callable[[BatchStore], T]
    reply: Reply[T]


class _Append(msgspec.Struct):
    append: Append
    reply: Reply[Job]


class Journal:
    """Owns the store while `run` runs. `inline` commits in the loop: for a store in memory or under a mock clock."""

    def __init__(self, store: BatchStore, *, listeners: Sequence[Listener] = (), inline: bool = False) -> None:
        self._store = store
        self._listeners = listeners
        self._inline = inline
        self._mailbox: Mailbox[_Append | _Write[Any]] = Mailbox(MAILBOX_CAPACITY)
        self._thread = trio.CapacityLimiter(1)
        self._commits = self._writes = 0
        self._commit_s = 0.0
        self._position = store.head()
        self.running = False  # whether writes become durable: from the start of `run` to its end

    async def run(self, *, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED) -> None:
        """Write until `end` and all that waits is durable.

        Raises `StoreFailed` for a fault of the disk, `StoreGone` for a file that is gone, and a bug as it is.

        Cancelling it lets a transaction that is under way finish; writes still waiting fail with `ActorDied`.
        """
        self.running = True
        try:
            task_status.started()
            with using(self._store.connection.filename or MEMORY), suppress(trio.EndOfChannel):
                while True:
                    first = await self._mailbox.receive()
                    group = [first, *self._mailbox.receive_waiting(MAX_GROUP - 1)]
                    with trio.CancelScope(shield=True):  # half a commit helps nobody: it lands, and is told
                        await self._commit(group)
        finally:
            self.running = False
            self._mailbox.close()

    def end(self) -> None:
        """Take no more writes; `run` returns once those that wait are durable."""
        self._mailbox.end()

    async def append(self, append: Append) -> Job:
        """Append to a stream; its new state, once that is durable.

        Raises `VersionConflict` if the stream has moved on, `ActorDied` if the journal has. Cancelling it only stops
        the waiting: the write still lands.
        """
        return await self._mailbox.ask(lambda reply: _Append(append, reply))

    async def execute(self, job_id: str, command: Command) -> Job | None:
        """Load a job that no actor holds, decide and append; its state after that. Raises and cancels as `append`."""
        return await self.write(lambda store: store.execute(job_id, command)[0])

    async def write(self, apply: Callable[[BatchStore], T]) -> T:
        """What `apply` returns, once its writes are durable; what it raises, once they are undone."""
        return await self._mailbox.ask(lambda reply: _Write(apply, reply))

    async def aside(self, work: Callable[[], T]) -> T:
        """Do blocking work that is no write where writes are done: in a thread, or inline. Cancelled, it is done."""
        return work() if self._inline else await trio.to_thread.run_sync(work)

    def execute_nowait(self, job_id: str, command: Command) -> bool:
        """`execute` without an answer; False if there was no room for it."""
        write: _Write[object] = _Write(lambda store: store.execute(job_id, command), Reply())
        try:
            self._mailbox.tell_nowait(write)
        except (MailboxFull, ActorDied):
            return False
        return True

    def statistics(self) -> JournalStatistics:
        """The figures of this moment."""
        return JournalStatistics(len(self._mailbox), self._commits, self._writes, self._commit_s, self._position)

    async def _commit(self, group: Sequence[_Append | _Write[Any]]) -> None:
        began = trio.current_time()
        if self._inline:
            outcomes, events = self._transact(group)
        else:
            outcomes, events = await trio.to_thread.run_sync(self._transact, group, limiter=self._thread)
        self._commits += 1
        self._writes += len(group)
        self._commit_s += (elapsed_s := trio.current_time() - began)
        for write, result in zip(group, outcomes, strict=True):
            write.reply.settle(result)
        if events:
            self._position = events[-1].seq
            commit = Commit(tuple(events), len(group), elapsed_s)
            for listener in self._listeners:
                listener(commit)

    def _transact(self, group: Sequence[_Append | _Write[Any]]) -> tuple[list[Outcome[Any]], list[Recorded]]:
        outcomes: list[Outcome[Any]] = []
        with self._store.transaction() as events:
            for kind, run in groupby(group, type):
                if kind is _Append:
                    outcomes += self._store.append_each(write.append for write in cast("Iterable[_Append]", run))
                else:
                    outcomes += map(self._apply, cast("Iterable[_Write[Any]]", run))
        return outcomes, events

    def _apply(self, write: _Write[Any]) -> Outcome[Any]:
        try:
            with self._store.transaction():
                return Value(write.apply(self._store))
        except Exception as error:
            if isinstance(error, apsw.Error):
                raise
            return Error(error)  # told to the one who asked; the store itself is sound
