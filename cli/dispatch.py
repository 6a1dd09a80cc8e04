"""From a command line to its command, and from how that ends to an exit code: each expected failure is one line."""

import sys
from collections.abc import Sequence

from cyclopts import CycloptsError
from cyclopts.exceptions import CoercionError, MissingArgumentError, UnknownCommandError, UnusedCliTokensError

from .commands import app
from .failure import FAILED, INTERRUPTED, USAGE, CannotWrite, Failure
from .plain import visible
from .streams import make_ready, silence
from .wording import described, shown


def dispatch(arguments: Sequence[str] | None = None) -> int:
    """Run one command line (None: the process's) and return its exit code."""
    if arguments is None:
        make_ready()
    try:
        code = _carried_out(arguments)
        sys.stdout.flush()
    except CannotWrite as failure:
        silence(sys.stdout)
        return _say(str(failure), failure.exit_code)
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:  # whoever read our output has enough
        silence(sys.stdout)
        return FAILED
    return code


def _carried_out(arguments: Sequence[str] | None) -> int:
    try:
        return app(arguments, exit_on_error=False, print_error=False, result_action="return_value") or 0
    except CycloptsError as error:
        return _say(_worded(error), USAGE)
    except CannotWrite:
        raise
    except Failure as failure:
        return _say(str(failure), failure.exit_code)


def _worded(error: CycloptsError) -> str:
    """What is wrong with a command line, in a user's words."""
    match error:
        case UnusedCliTokensError(unused_tokens=[first, *_]):
            return f"{shown(first)} is one argument too many; see --help"
        case MissingArgumentError(keyword=str(option)):
            return f"{option} needs a value; see --help"
        case MissingArgumentError(argument=argument) if argument:
            return f"{argument.name} is missing; see --help"
        case CoercionError(token=token, target_type=wanted, argument=argument) if token and argument:
            return f"{token.keyword or argument.name} must be {described(wanted)}, not {shown(token.value)}"
        case UnknownCommandError(unused_tokens=[first, *_]):
            return f"there is no command {shown(first)}; see --help"
    return " ".join(str(error).split())


def _say(line: str, code: int) -> int:
    print(f"gofer: {visible(line)}", file=sys.stderr)
    return code
