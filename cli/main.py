"""The entry point of `gofer`: runs a command line and turns each expected failure into one line and an exit code."""

import os
import sys
from collections.abc import Sequence

from cyclopts import CycloptsError

from .commands import app
from .failure import INTERRUPTED, USAGE, Failure
from .plain import visible


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command line (None: the process's) and return its exit code."""
    try:
        code = app(arguments, exit_on_error=False, print_error=False, result_action="return_value")
        sys.stdout.flush()
    except CycloptsError as error:
        return _say(" ".join(str(error).split()), USAGE)
    except Failure as failure:
        return _say(str(failure), failure.exit_code)
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        # Whoever read our output has enough. Python would complain once more when it flushes on the way out.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    return code or 0


def _say(line: str, code: int) -> int:
    print(f"gofer: {visible(line)}", file=sys.stderr)
    return code
