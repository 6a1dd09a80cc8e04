"""Parameters that several commands have."""

import re
from collections.abc import Sequence
from typing import Annotated, Final

from cyclopts import Parameter, Token

from .failure import UsageFailure
from .wording import shown

JsonFlag = Annotated[bool, Parameter(name="--json", negative="", help="print JSON instead of text")]


def _position(_: type, tokens: Sequence[Token]) -> int:
    """A target's idx. What else a number can look like is a slip."""
    text = tokens[0].value
    if not re.fullmatch("[0-9]{1,9}", text):
        raise UsageFailure(f"IDX is a target's position, a whole number from 0, not {shown(text)}")
    return int(text)


IDX: Final = Parameter(name="IDX", converter=_position, negative="")
