"""Running the live system from a command: expected failures told plainly, and signals obeyed."""

import errno
import signal
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from typing import Final, TypeVar

import trio

from ..store.database import StoreError
from ..store.sealing import SealBroken
from .failure import Failure

T = TypeVar("T")

SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)

# What a disk does to files that are none of SQLite's; another OSError is a bug.
DISK_ERRNOS: Final = frozenset({errno.EACCES, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.ENOSPC, errno.EROFS})


def run_live(main: Callable[[], Awaitable[T]]) -> T:
    """`trio.run`, with expected faults raised as the first of them, in whatever groups they leave nested nurseries.

    A database that cannot be used and a disk that fails are told as a `Failure`; a `BrokenPipeError`, from whoever
    read our output and has enough, stays one. With anything else among them, a bug, all is raised as it came.
    """
    try:
        return trio.run(main)
    except Exception as error:
        leaves = list(_leaves(error))
        faults = [fault for each in leaves if (fault := _expected(each))]
        if len(faults) < len(leaves):
            raise
        raise faults[0] from None


def _expected(error: Exception) -> Exception | None:
    match error:
        case Failure() | BrokenPipeError():
            return error
        case StoreError() | SealBroken():
            return Failure(str(error))
        case OSError(errno=number, filename=name) if number in DISK_ERRNOS:
            return Failure(f"{name or 'the disk'}: {error.strerror}; see to it, then start again")
    return None


def _leaves(error: Exception) -> Iterator[Exception]:
    """The exceptions in nested groups."""
    if isinstance(error, ExceptionGroup):
        for each in error.exceptions:
            yield from _leaves(each)
    else:
        yield error


@asynccontextmanager
async def stop_on_signal(stop: Callable[[], None]) -> AsyncIterator[None]:
    """While the block runs, the first SIGINT or SIGTERM calls `stop`; a second one ends the process at once."""

    async def wait() -> None:
        async for _ in signals:
            for each in SIGNALS:
                signal.signal(each, signal.SIG_DFL)
            stop()
            return

    with trio.open_signal_receiver(*SIGNALS) as signals:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(wait)
            yield
            nursery.cancel_scope.cancel()
