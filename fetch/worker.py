"""The inside of a worker process: its limits, and the one job it does. Imports nothing of trio's; the parsers only
when a worker starts, so that the process of the server never loads them."""

import os
import resource
import time

from .page import Converted, Page, Refused
from .target import Options

MAX_OPEN_FILES = 64
NICENESS = 5  # the server answers first
RETIRE_RESIDENT_BYTES = 400 << 20  # a worker that has grown so large gives its memory back by ending


_fault: Exception | None = None


def start(max_memory_bytes: int) -> None:
    """Run once in a new worker: load the parsers, then give up what a hostile page could use.

    Should they not load, `warm` says why.
    """
    global _fault
    try:
        from . import convert  # noqa: F401  # warm
    except Exception as error:  # noqa: BLE001  # raised here it would be a traceback on the user's terminal
        _fault = error

    os.nice(NICENESS)
    os.environ.clear()
    nowhere = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):  # a jq program may write to them
        os.dup2(nowhere, descriptor)
    os.close(nowhere)
    _limit(resource.RLIMIT_AS, max_memory_bytes)
    _limit(resource.RLIMIT_CORE, 0)
    _limit(resource.RLIMIT_FSIZE, 0)
    _limit(resource.RLIMIT_NOFILE, MAX_OPEN_FILES)


def work(page: Page, options: Options, max_content_bytes: int, images: bool, cpu_s: int) -> Converted | Refused:
    """Convert one page as `convert_page` does; the process is ended by SIGXCPU when it takes more than about `cpu_s`
    of processor time.
    """
    from .convert import convert_page

    # Processor time counts from the start of the process, so the limit moves on with each job. It holds even when the
    # server that would kill this worker at its deadline is gone.
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    resource.setrlimit(resource.RLIMIT_CPU, (int(time.process_time()) + cpu_s + 1, hard))
    try:
        return convert_page(page, options, max_content_bytes=max_content_bytes, images=images)
    except MemoryError:
        return Refused("too large: converting the page needs more memory than it may use", HINT)


HINT = "the page is very large or made to break its reader; mode raw may still give its text"


def warm() -> None:
    """A job that does nothing: once it is done, a worker has started. Raises what keeps it from working."""
    if _fault is not None:
        raise _fault


def has_grown() -> bool:
    """Whether this worker should be replaced by a fresh one."""
    try:
        with open("/proc/self/statm") as file:
            return int(file.read().split()[1]) * resource.getpagesize() > RETIRE_RESIDENT_BYTES
    except OSError:  # no such file but on Linux
        return False


def _limit(kind: int, value: int) -> None:
    """Lower a limit for good, never above what this process was given."""
    _, hard = resource.getrlimit(kind)
    value = value if hard == resource.RLIM_INFINITY else min(value, hard)
    resource.setrlimit(kind, (value, value))
