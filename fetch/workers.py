"""Converting pages in processes that can be killed: the parent's side. What runs inside of them is `worker.py`."""

import contextlib
import math
import os
import signal
import traceback
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from types import TracebackType
from typing import Final, Self, TypeVar

import msgspec
import structlog
import trio
import trio_parallel
from trio_parallel._proc import SpawnProcWorker

from . import worker
from .page import Converted, Page, Refused
from .raw import convert_quick, is_quick
from .settings import FetchSettings
from .target import Options
from .worker_process import WorkerSpawning

log = structlog.get_logger()
T = TypeVar("T")

FROM_OUTSIDE: Final = (-signal.SIGKILL, -signal.SIGTERM)  # exit codes of workers that somebody else ended


class WorkerLimits(msgspec.Struct, frozen=True, kw_only=True):
    """How many workers there are, and what one conversion may take."""

    processes: int = os.cpu_count() or 1
    timeout_s: float = 20  # of one conversion, from when a worker is free for it
    patience_s: float = 1  # after which a conversion is slow, and another worker takes over from its own
    slow: int = 4  # conversions at most for which others so take over
    start_s: float = 60  # for a worker to load the parsers
    max_memory_bytes: int = 1 << 30  # of address space
    shutdown_s: float = 5  # for idle workers to end by themselves


class CannotConvert(Exception):
    """No worker can be started: why, and what to do."""


class WorkerConverter:
    """A `page.Converter` on worker processes. Use it as an async context manager.

    The processes start when it is entered, with every parser loaded; it waits for the first of them. One page can
    cost no more than its own worker: one that takes too long is killed, one that eats memory or crashes ends, and
    another takes its place. Slow pages don't make the quick ones wait until then: another worker is started for
    those. When the block ends no process is left; conversions still under way then are for whoever started them to
    cancel first.
    """

    def __init__(self, settings: FetchSettings, limits: WorkerLimits | None = None) -> None:
        self._settings = settings
        self._limits = limits or WorkerLimits()
        self._stack = contextlib.AsyncExitStack()

    async def __aenter__(self) -> Self:
        """Start the workers. Raises `CannotConvert` if not even one can be."""
        # A seat is a context of one worker at most, so that a job goes to that one, and a start is one.
        self._spare = [await self._new_seat() for _ in range(self._limits.processes + self._limits.slow)]
        self._free, self._ready = trio.open_memory_channel[trio_parallel.WorkerContext](len(self._spare))
        self._starting = await self._stack.enter_async_context(trio.open_nursery())
        for _ in range(self._limits.processes - 1):
            self._starting.start_soon(self._put_in, self._spare.pop())
        first = self._spare.pop()
        try:
            await self._start(first)
        except BaseException:
            await self.__aexit__(None, None, None)
            raise
        self._free.send_nowait(first)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End the workers."""
        self._starting.cancel_scope.cancel()
        # An idle worker that was killed from outside is reported as broken; it is gone all the same.
        with contextlib.suppress(trio_parallel.BrokenWorkerError):
            await self._stack.aclose()
        del self._spare, self._free, self._ready  # and with the seats the pipes to the workers

    async def convert(self, page: Page, options: Options) -> Converted | Refused:
        """See `page.Converter.convert`. Waits for a free worker, then at most `timeout_s` of the limits.

        The raw text of a small page waits for none: handing it over would cost more than reading it.
        """
        if is_quick(page, options):
            await trio.lowlevel.checkpoint()
            return self._convert_here(page)
        seat = await self._ready.receive()
        lost = True  # the worker, unless it answers
        relief = _Relief()
        self._starting.start_soon(self._relieve, relief)
        try:
            with trio.move_on_after(self._limits.timeout_s):
                converted = await self._work(seat, page, options)
                lost = False
                return converted
            return _late(options, self._limits)
        except trio_parallel.BrokenWorkerError as error:
            return _died(options, self._limits, error)
        except Exception as error:  # noqa: BLE001  # whatever a parser of hostile input raises
            lost = False
            return _broke(error)
        finally:
            relief.over.set()
            if relief.came or (lost and relief.coming):  # and stays, in the place of this one
                self._spare.append(seat)
            elif lost:  # nobody's deadline pays for the start of another
                self._starting.start_soon(self._put_in, seat)
            else:
                relief.needless = True
                self._free.send_nowait(seat)

    async def _work(self, seat: trio_parallel.WorkerContext, page: Page, options: Options) -> Converted | Refused:
        """Convert in the worker of `seat`, and once more in a fresh one if it is killed from outside.

        That says nothing about the page: what a page does to its worker ends in other signals.
        """
        cpu_s = math.ceil(self._limits.timeout_s)
        content = self._settings.max_content_bytes, self._settings.images
        convert = partial(self._run, seat, worker.work, page, options, *content, cpu_s)
        try:
            return await convert()
        except trio_parallel.BrokenWorkerError as error:
            if _exit_code(error) not in FROM_OUTSIDE:
                raise
        return await convert()

    def _convert_here(self, page: Page) -> Converted | Refused:
        try:
            return convert_quick(page, max_content_bytes=self._settings.max_content_bytes)
        except Exception as error:  # noqa: BLE001  # as above
            return _broke(error)

    async def _relieve(self, relief: "_Relief") -> None:
        """Put another worker in the place of one whose conversion is slow."""
        with trio.move_on_after(self._limits.patience_s):
            await relief.over.wait()
        if relief.over.is_set() or not self._spare:
            return
        relief.coming = True
        seat = self._spare.pop()
        await self._restart(seat)
        if relief.needless:
            self._spare.append(seat)
        else:
            relief.came = True
            self._free.send_nowait(seat)

    async def _put_in(self, seat: trio_parallel.WorkerContext) -> None:
        await self._restart(seat)
        self._free.send_nowait(seat)

    async def _restart(self, seat: trio_parallel.WorkerContext) -> None:
        """Start the worker of `seat`, as one could be before. If it can't now, the next conversion there says so."""
        with contextlib.suppress(CannotConvert):
            await self._start(seat)

    async def _start(self, seat: trio_parallel.WorkerContext) -> None:
        with trio.move_on_after(self._limits.start_s):
            try:
                await self._run(seat, worker.warm)
                return
            except trio_parallel.BrokenWorkerError as error:
                reason = f"it ends with exit code {error.args[-1].exitcode}"
            except Exception as error:  # noqa: BLE001  # whatever keeps it from loading its parsers
                reason = f"{type(error).__name__}: {error}"
            raise CannotConvert(f"the process that converts pages does not start: {reason}; install gofer anew")
        raise CannotConvert(f"the process that converts pages did not start within {self._limits.start_s:g} s")

    async def _new_seat(self) -> trio_parallel.WorkerContext:
        seat = await self._stack.enter_async_context(
            trio_parallel.open_worker_context(
                idle_timeout=math.inf,
                init=partial(worker.start, self._limits.max_memory_bytes),
                retire=worker.has_grown,
                grace_period=self._limits.shutdown_s,
            )
        )
        seat.__dict__["_worker_class"] = _Worker  # of its own it takes nothing but multiprocessing's usual processes
        return seat

    async def _run(self, seat: trio_parallel.WorkerContext, job: Callable[..., T], *arguments: object) -> T:
        answer: T = await seat.run_sync(
            job,
            *arguments,
            kill_on_cancel=True,
            limiter=contextlib.nullcontext(),  # whoever comes here has the seat
        )
        return answer


class _Worker(SpawnProcWorker):  # type: ignore[misc]  # the library is untyped
    mp_context = WorkerSpawning()


@dataclass(slots=True)
class _Relief:
    """What a conversion and the wait for it to prove slow tell each other."""

    over: trio.Event = field(default_factory=trio.Event)  # the conversion is
    coming: bool = False  # another worker is started to take the place
    came: bool = False  # it has taken it
    needless: bool = False  # the first one kept it


def _broke(error: Exception) -> Refused:
    where = traceback.extract_tb(error.__traceback__)[-1]
    log.error("convert", fault=type(error).__name__, file=where.filename, line=where.lineno)
    return Refused("unsupported: the page broke its reader", worker.HINT)


def _late(options: Options, limits: WorkerLimits) -> Refused:
    if options.jq:
        return Refused(f"jq: the program ran longer than {limits.timeout_s:g} s", "it may loop; try it on less input")
    return Refused(f"timeout: converting took longer than {limits.timeout_s:g} s", worker.HINT)


def _exit_code(error: trio_parallel.BrokenWorkerError) -> int | None:
    code: int | None = error.args[-1].exitcode
    return code


def _died(options: Options, limits: WorkerLimits, error: trio_parallel.BrokenWorkerError) -> Refused:
    if _exit_code(error) == -signal.SIGXCPU:
        return _late(options, limits)
    if options.jq:
        return Refused(
            f"jq: the program crashed or needed more than {limits.max_memory_bytes >> 20} MiB of memory",
            "make it put out less, or put it out piece by piece",
        )
    return Refused(
        f"unsupported: the page broke its reader or needs more than {limits.max_memory_bytes >> 20} MiB of memory",
        worker.HINT,
    )
