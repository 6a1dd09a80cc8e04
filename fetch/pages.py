"""The `pages` option: which pages of a document are meant. Pure; nothing here knows a file format."""

import re

MAX_RANGES = 100
_RANGE = re.compile(r"(\d{1,6})?(-)?(\d{1,6})?")

Range = tuple[int, int | None]  # first and last page, counted from 1, both included; None is "to the end"


def parse_pages(spec: str) -> tuple[Range, ...]:
    """Parse `1-3,7`, `-2` (from the first to the second) or `5-` (from the fifth to the last).

    Raises ValueError saying which part cannot be read.
    """
    parts = spec.split(",")
    if len(parts) > MAX_RANGES:
        raise ValueError(f"more than {MAX_RANGES} ranges")
    return tuple(_parse_range(part.strip()) for part in parts)


def _parse_range(part: str) -> Range:
    found = _RANGE.fullmatch(part)
    if not found or not (found[1] or found[3]):
        raise ValueError(f"cannot read {part[:40]!r}: write pages as 1-3,7 or -2 or 5-")
    first = int(found[1] or 1)
    last = int(found[3]) if found[3] else None if found[2] else first
    if first == 0 or last == 0:
        raise ValueError("pages are counted from 1")
    if last is not None and last < first:
        raise ValueError(f"the range {part} runs backwards")
    return first, last


def pick_pages(ranges: tuple[Range, ...], count: int) -> list[int]:
    """The pages meant, counted from 1, each once, in the document's order.

    Raises ValueError when a range names a page beyond the `count` there are.
    """
    furthest = max(last or first for first, last in ranges)
    if furthest > count:
        raise ValueError(f"page {furthest} was asked for, the document has {count}")
    return sorted({page for first, last in ranges for page in range(first, (last or count) + 1)})
