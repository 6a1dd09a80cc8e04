"""Running the live system from a command: expected failures told plainly, and signals obeyed."""

import signal
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Final, TypeVar

import trio

from ..http.server import CannotListen
from ..store.database import StoreError
from .failure import Failure

T = TypeVar("T")

SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)


def run_live(main: Callable[[], Awaitable[T]]) -> T:
    """`trio.run`, with an expected fault that comes out of nested nurseries raised as the one that it is.

    A database that cannot be used and an address that cannot be listened on become a `Failure` of their words. A
    `BrokenPipeError`, from whoever read our output and has enough, stays one.
    """
    try:
        return trio.run(main)
    except Exception as error:
        fault = _single(error)
        if isinstance(fault, StoreError | CannotListen):
            raise Failure(str(fault)) from error
        if isinstance(fault, Failure | BrokenPipeError):
            raise fault from None
        raise


def _single(error: Exception) -> Exception:
    """What is wrapped in groups of one."""
    while isinstance(error, ExceptionGroup) and len(error.exceptions) == 1:
        error = error.exceptions[0]
    return error


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
