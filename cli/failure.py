"""How a command fails: one clear line and an exit code. The exit codes of every command stand here."""

from collections.abc import Mapping
from typing import Final

FAILED: Final = 1
USAGE: Final = 2
UNFINISHED: Final = 5
INTERRUPTED: Final = 130  # 128 + SIGINT, as shells say it

# How a job, or one target of it, stands, for scripts. A cancelled job has no more to give than a failed one.
OF_STATUS: Final[Mapping[str, int]] = {
    "done": 0,
    "partial": 3,
    "failed": 4,
    "cancelled": 4,
    "queued": UNFINISHED,
    "pending": UNFINISHED,
    "running": UNFINISHED,
}


class Failure(Exception):
    """A command cannot go on; its text is the one line that a user reads, with what to do about it."""

    exit_code = FAILED


class UsageFailure(Failure):
    """The command was asked for something that cannot be: what to type instead is in the text."""

    exit_code = USAGE


class UnfinishedFailure(Failure):
    """What was asked for is not there yet, and may come."""

    exit_code = UNFINISHED


class CannotWrite(Failure):
    """What a command has to give cannot be written to standard output."""
