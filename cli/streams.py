"""The standard streams of the process: there from the start, whatever was closed, and truthful when they fail."""

import io
import os
import sys
from contextlib import suppress
from typing import IO, TextIO

from .failure import CannotWrite


def make_ready() -> None:
    """Make `sys.stdin`, `sys.stdout` and `sys.stderr` streams that can be used.

    What was closed is opened, before a file of ours takes its number: standard output so that writing to it fails, as
    results must not vanish. What goes to standard output and cannot be written raises `CannotWrite`, or
    `BrokenPipeError` from a reader that has enough; messages that nobody takes are dropped.
    """
    for stream, flags in ((sys.stdin, os.O_RDONLY), (sys.stdout, os.O_RDONLY), (sys.stderr, os.O_WRONLY)):
        if stream is None:  # in this order, each takes the lowest number that is free: its own
            os.set_inheritable(os.open(os.devnull, flags), True)
    if sys.stdin is None:
        sys.stdin = open(0, closefd=False)  # noqa: SIM115 - it stays
    sys.stdout = _text(_Results(1, "wb", closefd=False), sys.stdout)
    sys.stderr = _text(_Messages(2, "wb", closefd=False), sys.stderr, line_buffering=True)


def silence(stream: IO[str]) -> None:
    """Let `stream` go nowhere from here on. Python flushes it on the way out, and would complain of it then."""
    with suppress(OSError, ValueError):  # one that is no file has nothing to complain of
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def notice(line: str) -> None:
    """Print a line that may be of use on standard output; that nobody reads it is no fault."""
    try:
        print(line, flush=True)
    except (CannotWrite, BrokenPipeError):
        silence(sys.stdout)


class _Results(io.FileIO):
    """A file whose faults are told as those of standard output."""

    def write(self, data: "bytes | memoryview") -> int | None:  # type: ignore[override]
        try:
            return super().write(data)
        except BrokenPipeError:
            raise
        except OSError as error:
            raise CannotWrite(f"cannot write to standard output: {error.strerror}") from error


class _Messages(io.FileIO):
    """A file that takes what it is given, even if it cannot be written."""

    def write(self, data: "bytes | memoryview") -> int | None:  # type: ignore[override]
        try:
            return super().write(data)
        except OSError:
            return len(data)


def _text(file: io.FileIO, before: TextIO | None, *, line_buffering: bool = False) -> io.TextIOWrapper:
    """`file` as text in the encoding of the stream that it replaces; what that lacks is escaped."""
    return io.TextIOWrapper(
        io.BufferedWriter(file),
        encoding=before.encoding if before else "utf-8",
        errors="backslashreplace",
        line_buffering=line_buffering or file.isatty(),
    )
