"""The live system as one block: the store opened and reconciled, its actors running, all of it drained at the end."""

import os
import secrets
import time
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from functools import partial
from pathlib import Path
from typing import Final

import msgspec
import trio

from ..events.job import INTERRUPTED
from ..fetch.target import Fetcher
from ..store.archive import segment_folder
from ..store.batch import BatchStore
from ..store.database import MEMORY, WriterLock, using
from ..store.leaves import read_leaves
from ..store.notary import Leaves, Notary, checkpoint_folder, key_file
from ..store.reader import Reader
from .janitor import Janitor
from .journal import Journal, JournalStatistics, Listener
from .limits import Limits
from .mailbox import ActorDied
from .runner import Runner, RunnerStatistics
from .settings import AuditSettings, BatchSettings, ConcurrencySettings

DRAIN_SLACK_S: Final = 30  # beyond `drain_timeout_s`, for terminal events to become durable on a slow disk


class SystemSettings(msgspec.Struct, frozen=True):
    """What the system is built from."""

    store: str = MEMORY
    batch: BatchSettings = BatchSettings()
    audit: AuditSettings = AuditSettings()
    concurrency: ConcurrencySettings = ConcurrencySettings()


class SystemStatistics(msgspec.Struct, frozen=True):
    """The figures of a system's parts."""

    journal: JournalStatistics
    runner: RunnerStatistics
    nbytes: int  # of all stored results
    owes_checkpoint: bool  # the last one could not be written


class System:
    """What the API and the command line hold of a running system."""

    def __init__(
        self, *, store: BatchStore, reader: Reader, journal: Journal, runner: Runner, janitor: Janitor
    ) -> None:
        self._store = store
        self._janitor = janitor
        self.reader = reader
        self.journal = journal
        self.runner = runner

    @property
    def ready(self) -> bool:
        """Whether it takes work: the log is replayed, the journal writes, and nobody has asked it to stop."""
        return not self.runner.draining and self.journal.running

    def statistics(self) -> SystemStatistics:
        """The figures of this moment."""
        return SystemStatistics(
            self.journal.statistics(), self.runner.statistics(), self._store.batch_nbytes(), self._janitor.owing
        )


def open_notary(settings: SystemSettings, entropy: Callable[[int], bytes] = secrets.token_bytes) -> Notary:
    """The notary of a store on disk; its key is made on the first run. Raises `StoreError`, and makes nothing if no
    store can be there or another process has it.
    """
    store, audit = Path(settings.store), settings.audit
    WriterLock(Path(os.path.realpath(store))).release()
    return Notary.open(
        Path(audit.checkpoints) if audit.checkpoints else checkpoint_folder(store),
        Path(audit.key) if audit.key else key_file(store),
        entropy=entropy,
    )


def _leaves(store: Path) -> Leaves:
    return partial(read_leaves, store, segment_folder(store))


@contextmanager
def _cause_told() -> Iterator[None]:
    """Of what the block raises, who waited for an actor that died tell nothing if it is told what that died of."""
    try:
        yield
    except BaseExceptionGroup as group:
        _, causes = group.split(ActorDied)
        if causes is None:
            raise
        raise causes from None


@asynccontextmanager
async def open_system(
    settings: SystemSettings,
    fetcher: Fetcher,
    *,
    clock: Callable[[], float] = time.time,
    new_id: Callable[[], str] = lambda: secrets.token_hex(16),
    entropy: Callable[[int], bytes] = secrets.token_bytes,
    listeners: Sequence[Listener] = (),
    inline: bool = False,
    open_store: Callable[..., BatchStore] = BatchStore.open,
) -> AsyncIterator[System]:
    """Run a system for the length of the block.

    Before it begins, jobs that a dead process left in flight are failed. If a part of the system crashes, the block
    is cancelled and the crash raised, in an exception group, without the `ActorDied` of who waited for that part: for
    a fault of the store it holds a `StoreFailed`, `StoreGone`, `Forked` or `LogDamaged` alone. Leaving the block
    drains: nothing new is admitted, live jobs end or are interrupted, a checkpoint is signed, the log closes last.
    Cancelled, it drains all the same, within `drain_timeout_s` and a bound. `inline` commits in the loop (always so
    for a store in memory). `open_store` is called as `BatchStore.open` is.

    Raises a `StoreError` if the store cannot be opened.
    """
    in_memory = settings.store == MEMORY
    notary = None if in_memory else open_notary(settings, entropy)
    opened = open_store(
        settings.store,
        clock=clock,
        entropy=entropy,
        keep_urls=settings.audit.keep_urls,
        signed=notary.newest() if notary else None,
    )
    with opened as store, _cause_told():
        with using(settings.store):
            store.mark_in_flight_failed(INTERRUPTED, int(clock()))
        reader = Reader.beside(store) if in_memory else Reader.open(Path(settings.store))
        try:
            heard: list[Listener] = []
            journal = Journal(store, listeners=heard, inline=inline or in_memory)
            runner = Runner(
                settings=settings.batch,
                journal=journal,
                reader=reader,
                fetcher=fetcher,
                limits=Limits(settings.concurrency),
                clock=clock,
                new_id=new_id,
            )
            janitor = Janitor(
                settings=settings.batch,
                audit=settings.audit,
                journal=journal,
                sign=partial(notary.sign, leaves=_leaves(Path(settings.store))) if notary else None,
                clock=clock,
            )
            heard += [runner.committed, janitor.committed, *listeners]
            # A cancelled block still drains: the actors and the journal heed their own scopes alone.
            writing, acting = trio.CancelScope(shield=True), trio.CancelScope(shield=True)

            async def act(*, task_status: trio.TaskStatus[None]) -> None:
                with acting:
                    async with trio.open_nursery() as nursery:
                        await nursery.start(runner.run)
                        nursery.start_soon(janitor.run)
                        task_status.started()

            async def write(*, task_status: trio.TaskStatus[None]) -> None:
                with writing:
                    try:
                        await journal.run(task_status=task_status)
                    finally:
                        acting.cancel()  # no actor outlives the journal

            async with trio.open_nursery() as nursery:
                try:
                    with trio.CancelScope(
                        shield=True
                    ):  # a start that is cancelled waits for its task: for ever, here
                        await nursery.start(write)
                        await nursery.start(act)
                    yield System(store=store, reader=reader, journal=journal, runner=runner, janitor=janitor)
                finally:
                    try:
                        with trio.move_on_after(settings.batch.drain_timeout_s + DRAIN_SLACK_S, shield=True):
                            await runner.drain()
                            if journal.running:
                                await janitor.checkpoint()
                    finally:  # or neither would hear of a fault of the drain
                        acting.cancel()
                        journal.end()
        finally:
            if not in_memory:
                reader.close()
