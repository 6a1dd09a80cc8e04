"""The entry point of `gofer`. It imports next to nothing, so that an interrupt is quiet while all the rest loads."""

from collections.abc import Sequence

from .failure import INTERRUPTED


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command line (None: the process's, on its standard streams) and return its exit code."""
    try:
        from .dispatch import dispatch

        return dispatch(arguments)
    except KeyboardInterrupt:
        return INTERRUPTED
