"""Whether the options of a target can be carried out at all, told before anything is fetched. Pure, and quick and
small for every input: it runs in the event loop on whatever callers send."""

import re
from collections.abc import Callable
from functools import lru_cache

from .grep import check_pattern
from .pages import parse_pages
from .query import check_query
from .target import Options

MAX_QUESTION_CHARS = 2_000
MAX_REMEMBERED = 256  # values that were found right: the targets of a batch often share them

# In a C string, as jq takes it, all behind a NUL would go unread; none of the others has a meaning in any option.
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")


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
    for field in _PARSERS:
        value = getattr(options, field)
        if value:
            try:
                _parse(field, value)
            except ValueError as error:
                raise InvalidOption(field, str(error)) from None


@lru_cache(MAX_REMEMBERED)
def _parse(field: str, value: str) -> None:
    if control := _CONTROL.search(value):
        raise ValueError(
            f"holds the control character U+{ord(control[0]):04X}; leave it out or write it as an escape"
        )
    _PARSERS[field](value)


def _check_question(question: str) -> None:
    if len(question) > MAX_QUESTION_CHARS:
        raise ValueError(f"longer than {MAX_QUESTION_CHARS:,} characters")


_PARSERS: dict[str, Callable[[str], object]] = {
    "question": _check_question,
    "pages": parse_pages,
    "grep": check_pattern,
    "jq": check_query,
}
