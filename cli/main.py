"""The entry point of `gofer`. It imports next to nothing: what comes before it has run, an interrupt is not quiet."""

import os
import signal
from collections.abc import Sequence
from types import FrameType


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command line and return its exit code. None: the process's, with its streams and its interrupts."""
    if arguments is None and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _interrupted)
    try:
        from .dispatch import dispatch

        return dispatch(arguments)
    finally:
        if signal.getsignal(signal.SIGINT) is _interrupted:
            signal.signal(signal.SIGINT, signal.SIG_DFL)  # Python would show where it was on its way out


def _interrupted(signum: int, frame: FrameType | None) -> None:
    """Raise `KeyboardInterrupt`; but while modules load end at once.

    Nothing is under way then, and what is raised amid an import may be shown and forgotten.
    """
    while frame is not None:
        if frame.f_code.co_filename.startswith("<frozen importlib"):
            os._exit(128 + signum)
        frame = frame.f_back
    raise KeyboardInterrupt
