"""The `grep` option: keep the lines that match an RE2 pattern. Pure, and linear in the text for every pattern."""

import re
from typing import Any, NamedTuple

import re2

MAX_PATTERN_CHARS = 1_000
CONTEXT_LINES = 2
MAX_SHOWN = 20_000  # matches; the others are counted
MAX_COSTLY = 30  # repeats and Unicode classes, each of which RE2 may take 0.1 ms to write out
_MAX_MEM_BYTES = 8 << 20  # of one compiled pattern; beyond it RE2 refuses the pattern
_MAX_CHECKED_BYTES = 1 << 19  # and for a pattern that is checked, whose time is bounded so

_LINE = "(?m)^.*(?:{}).*$"
_COSTLY = re.compile(r"\{|\\[pP]")

_HEADING = re.compile(r" {0,3}#{1,6}\s")


class Grepped(NamedTuple):
    """The text that was kept, how many lines matched, and whether all of them are shown."""

    text: str
    matches: int
    whole: bool


def check_pattern(pattern: str) -> None:
    """Raises ValueError, with RE2's reason, unless `pattern` compiles, and does so soon."""
    if len(pattern) > MAX_PATTERN_CHARS:
        raise ValueError(f"longer than {MAX_PATTERN_CHARS:,} characters")
    if (costly := len(_COSTLY.findall(pattern))) > MAX_COSTLY:
        raise ValueError(f"too large: {costly} repeats and Unicode classes, at most {MAX_COSTLY} are taken")
    _compile(pattern, _MAX_CHECKED_BYTES)  # alone first, so that `a)(b` cannot lean on the group around it
    _compile(_LINE.format(pattern), _MAX_CHECKED_BYTES)


def compile_pattern(pattern: str) -> Any:
    """Compile `pattern`, which was checked, so that one match is one whole line.

    Searching the text as one blob is ten times as fast as asking line by line.

    Raises ValueError with RE2's reason.
    """
    return _compile(_LINE.format(pattern), _MAX_MEM_BYTES)


def _compile(pattern: str, max_mem_bytes: int) -> Any:
    options = re2.Options()
    options.max_mem = max_mem_bytes
    options.log_errors = False
    options.never_nl = True  # `[^a]` and `(?s).` stay within a line
    try:
        return re2.compile(pattern.encode(), options)
    except re2.error as error:
        reason = error.args[0]
        words = reason.decode(errors="replace") if isinstance(reason, bytes) else reason
        raise ValueError(words) from None


def grep(text: str, pattern: str, *, context: bool) -> Grepped:
    """Keep the lines of `text` that match, numbered `[1]`, `[2]`, …

    With `context` each match stands between the two lines before and after it, under the nearest Markdown heading
    above; passages that don't touch are parted by `--`.

    Raises ValueError if the pattern cannot be compiled.
    """
    text = text.replace("\r\n", "\n")
    lines = text.removesuffix("\n").split("\n")
    hits, matches = _matching_lines(text.encode("utf-8", "replace"), compile_pattern(pattern), len(lines))
    kept = _with_context(lines, hits) if context else [f"[{n}] {lines[hit]}" for n, hit in enumerate(hits, 1)]
    return Grepped("\n".join(kept), matches, len(hits) == matches)


def _matching_lines(blob: bytes, pattern: Any, line_count: int) -> tuple[list[int], int]:
    """The numbers of the first `MAX_SHOWN` lines that match, from 0, and how many match in all."""
    hits: list[int] = []
    matches = line = counted_to = 0
    last = -1
    for match in pattern.finditer(blob):
        start = match.start()
        line += blob.count(b"\n", counted_to, start)
        counted_to = start
        if line >= line_count:  # the nothing after a final newline is no line
            break
        if line != last:  # RE2 finds an empty line twice
            matches += 1
            last = line
            if matches <= MAX_SHOWN:
                hits.append(line)
    return hits, matches


def _with_context(lines: list[str], hits: list[int]) -> list[str]:
    headings = _nearest_headings(lines)
    numbers = {hit: n for n, hit in enumerate(hits, 1)}
    out: list[str] = []
    shown_to = 0  # the first line not yet shown
    heading_shown = -1
    for hit in hits:
        first = max(hit - CONTEXT_LINES, shown_to)
        if out and first > shown_to:
            out.append("--")
        heading = headings[hit]
        if first > shown_to or not out:
            if heading not in (-1, heading_shown) and heading < first:
                out.append(lines[heading])
            heading_shown = heading
        last = min(hit + CONTEXT_LINES, len(lines) - 1)
        for at in range(first, last + 1):
            out.append(f"[{numbers[at]}] {lines[at]}" if at in numbers else lines[at])
        shown_to = max(shown_to, last + 1)
    return out


def _nearest_headings(lines: list[str]) -> list[int]:
    """For each line the number of the heading it stands under (itself, if it is one), -1 where there is none."""
    nearest, fenced = -1, False
    out = []
    for at, line in enumerate(lines):
        if line.lstrip().startswith(("```", "~~~")):
            fenced = not fenced
        elif not fenced and line.lstrip(" ").startswith("#") and _HEADING.match(line):
            nearest = at
        out.append(nearest)
    return out
