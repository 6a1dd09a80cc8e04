"""Whether the options of a target can be carried out at all, told before anything is fetched. Pure, and quick and
small for every input: it runs in the event loop on whatever callers send."""

from collections.abc import Callable

from .grep import compile_pattern
from .pages import parse_pages
from .query import check_query
from .target import Options

MAX_QUESTION_CHARS = 2_000


class InvalidOption(Exception):
    """An option that cannot be parsed: its field, and what is wrong with it."""

    def __init__(self, field: str, reason: str) -> None:
        super().__init__(f"{field}: {reason}")
        self.field = field
        self.reason = reason


def check(options: Options) -> None:
    """Raise InvalidOption for the first field that is too long or cannot be parsed.

    An option that has no effect in the asked mode (a `question` outside of `digest`) is not invalid; the result
    carries a warning.
    """
    for field, parse in _PARSERS.items():
        value = getattr(options, field)
        if value:
            try:
                parse(value)
            except ValueError as error:
                raise InvalidOption(field, str(error)) from None


def _check_question(question: str) -> None:
    if len(question) > MAX_QUESTION_CHARS:
        raise ValueError(f"longer than {MAX_QUESTION_CHARS:,} characters")


_PARSERS: dict[str, Callable[[str], object]] = {
    "question": _check_question,
    "pages": parse_pages,
    "grep": compile_pattern,
    "jq": check_query,
}
