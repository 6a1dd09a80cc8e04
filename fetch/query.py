"""The `jq` option: a jq program over JSON text. Pure, but a program may loop or eat memory while it holds the
interpreter lock: `run_query` belongs in a killable worker, only `check_query` is safe elsewhere."""

import re
from typing import NamedTuple

import jq

MAX_PROGRAM_CHARS = 4_096
MAX_PARTS = 400  # jq compiles a chain of operators in the square of its length: this many take some milliseconds

# Roughly jq's tokens; what stands in a string or a comment counts as well.
_PART = re.compile(r"\.?[A-Za-z_]\w*|\d+|//|[^\w\s]")

# A program may neither read the environment nor import files: after a pipe `import` is a syntax error, and the
# shadowed names hold wherever the program goes. It stands on lines of its own, two of them at its end, so that no
# comment, not even one that a backslash continues, can swallow the parenthesis.
_ALONE = 'def env: {{}}; def modulemeta: error("disabled"); {{}} as $ENV |\n{}'
_WRAPPED = 'def env: {{}}; def modulemeta: error("disabled"); {{}} as $ENV | (\n{}\n\n) | tojson'

# How jq's grammar calls what a program is made of, in words.
_TOKENS = {
    "'%'": "'*' or '%'",
    "QQSTRING_TEXT or QQSTRING_INTERP_START or QQSTRING_END": "the end of a string",
    "QQSTRING_INTERP_END": "')'",
    "QQSTRING_START": "'\"'",
    "INVALID_CHARACTER": "character or bracket",
    "IDENT": "name",
    "FIELD": "field",
    "BINDING": "variable",
    "LITERAL": "number",
    "FORMAT": "format",
}
_TOKEN = re.compile("|".join(rf"(?<!\w){token}(?!\w)" for token in _TOKENS))
_COMPILE_ERROR = re.compile(r"jq: error: (.*?)(?: at <top-level>, line (\d+).*)?$", re.MULTILINE)


class Queried(NamedTuple):
    """What a program put out, one JSON value a line, and whether it was stopped at the size that was asked for."""

    text: str
    truncated: bool


def check_query(program: str) -> None:
    """Raises ValueError, with jq's reason, unless `program` compiles, and does so soon.

    It is compiled without what closes around it, so that it cannot lean on that, and the reason is about it alone.
    """
    if len(program) > MAX_PROGRAM_CHARS:
        raise ValueError(f"longer than {MAX_PROGRAM_CHARS:,} characters")
    if (parts := sum(1 for _ in _PART.finditer(program))) > MAX_PARTS:
        raise ValueError(f"too long: {parts:,} names, numbers and operators, at most {MAX_PARTS} are taken")
    # jq works out constants while it compiles: `"a" * 1e9` takes a gigabyte. `%` stands wherever `*` may, and makes
    # nothing large.
    _compile(_ALONE, program.replace("*", "%"))


def run_query(program: str, text: str, *, max_bytes: int) -> Queried:
    """Run `program` on each JSON value in `text` (one, or several as in JSON Lines).

    Stops when the output exceeds `max_bytes`, so that a program without an end still answers.

    Raises ValueError with jq's words when the program does not compile or fails on its input.
    """
    out: list[str] = []
    nbytes = 0
    for value in _compile(_WRAPPED, program).input_text(text):
        out.append(value)
        nbytes += len(value.encode(errors="replace")) + 1
        if nbytes > max_bytes:
            return Queried("\n".join(out), truncated=True)
    return Queried("\n".join(out), truncated=False)


def _compile(template: str, program: str) -> "jq._Program":
    try:
        return jq.compile(template.format(program))
    except ValueError as error:
        found = _COMPILE_ERROR.search(str(error))
        reason, line = (found[1], found[2]) if found else (str(error), None)
        reason = _TOKEN.sub(lambda token: _TOKENS.get(token[0], token[0]), reason)
        # The line before the program's first is ours.
        where = f" in line {int(line) - 1}" if line and "\n" in program.strip() else ""
        raise ValueError(reason + where) from None
