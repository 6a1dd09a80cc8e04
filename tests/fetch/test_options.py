"""What is refused before anything is fetched, in which words, and at what cost."""

import resource
from collections.abc import Callable

import jq
import pytest
from gofer.fetch.grep import MAX_COSTLY
from gofer.fetch.options import InvalidOption, check
from gofer.fetch.query import MAX_PARTS
from gofer.fetch.target import Options


def test_options_that_can_be_carried_out_pass() -> None:
    check(Options())
    check(Options(mode="digest", question="who?", pages="1-3,7", grep="(?i)a|b", jq=".items[] | {a: .b * 2}"))
    check(Options(question="a question without digest only has no effect"))


@pytest.mark.parametrize(
    ("options", "field", "reason"),
    [
        (Options(pages="x"), "pages", "cannot read 'x'"),
        (Options(pages="1,"), "pages", "cannot read ''"),
        (Options(pages="-"), "pages", "cannot read '-'"),
        (Options(pages="3-1"), "pages", "the range 3-1 runs backwards"),
        (Options(pages="0-2"), "pages", "counted from 1"),
        (Options(pages="1," * 100 + "1"), "pages", "more than 100 ranges"),
        (Options(grep="a("), "grep", "missing )"),
        (Options(grep="a)(b"), "grep", "unexpected )"),
        (Options(grep=r"(a)\1"), "grep", "invalid escape sequence"),
        (Options(grep=r"\Qa"), "grep", "missing )"),
        (Options(grep=r"((\pL{50}){20}\pN){500}"), "grep", "invalid repetition"),
        (Options(grep="a" * 1_001), "grep", "longer than 1,000 characters"),
        (Options(jq=".a |"), "jq", "syntax error, unexpected end of file"),
        (Options(jq=".["), "jq", "syntax error, unexpected end of file"),
        (Options(jq="{a:"), "jq", "syntax error, unexpected end of file"),
        (Options(jq='"abc'), "jq", "unexpected end of file, expecting the end of a string"),
        (Options(jq='"\\(1'), "jq", "unexpected end of file, expecting ')' or '|' or ','"),
        (Options(jq="# nothing"), "jq", "syntax error, unexpected end of file"),
        (Options(jq=".a]"), "jq", "syntax error, unexpected character or bracket, expecting end of file"),
        (Options(jq=".a ) | (.b"), "jq", "syntax error, unexpected character or bracket, expecting end of file"),
        (Options(jq=".a b"), "jq", "syntax error, unexpected name, expecting end of file"),
        (Options(jq=". as x | ."), "jq", "unexpected name, expecting variable or '[' or '{'"),
        (Options(jq=". * *"), "jq", "syntax error, unexpected '*' or '%'"),
        (Options(jq=".a\n| nope"), "jq", "nope/0 is not defined in line 2"),
        (Options(jq="." * 4_097), "jq", "longer than 4,096 characters"),
        (Options(question="?" * 2_001), "question", "longer than 2,000 characters"),
    ],
)
def test_an_option_that_cannot_be_parsed_is_refused_with_its_field_and_reason(
    options: Options, field: str, reason: str
) -> None:
    with pytest.raises(InvalidOption) as caught:
        check(options)
    assert caught.value.field == field
    assert reason in caught.value.reason


@pytest.mark.parametrize("program", ['import "a" as a; .', 'include "a"; .', ". | modulemeta, $__prog_args"])
def test_jq_can_neither_import_nor_see_its_arguments(program: str) -> None:
    with pytest.raises(InvalidOption):
        check(Options(jq=program))


@pytest.mark.parametrize(
    "program", ['"a" * 1000000000', '1000000000*"a" | length', '("a"*99999)*99999', '"\\("a" * 1000000000)"']
)
def test_checking_a_jq_program_does_not_run_its_constants(program: str) -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    check(Options(jq=program))
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 100_000  # KiB


@pytest.mark.parametrize("program", [".a *= 3", ".. * ..", '"x*y"', ".a*.5", "2*-1", ". as $x | $x*$x # * ("])
def test_programs_that_multiply_still_pass(program: str) -> None:
    check(Options(jq=program))


CHAINS: dict[str, Callable[[int], str]] = {  # what jq compiles in the square of its length, one part more with each
    "product": lambda n: "." + "*." * ((n - 1) // 2) + "?" * ((n - 1) % 2),
    "question": lambda n: "." + "?" * (n - 1),
    "negation": lambda n: "-" * (n - 1) + "1",
}


@pytest.mark.parametrize("chain", ["product", "question", "negation"])
def test_a_jq_program_has_so_many_parts_and_no_more(chain: str) -> None:
    check(Options(jq=CHAINS[chain](MAX_PARTS)))
    with pytest.raises(InvalidOption, match=f"jq: too long: {MAX_PARTS + 1} names, .* at most {MAX_PARTS}"):
        check(Options(jq=CHAINS[chain](MAX_PARTS + 1)))


@pytest.mark.parametrize(
    "program",
    ["9*" * 2_047 + "1", "." + "?" * 4_000, "1" + " or 1" * 800, "label $l|" * 400 + ".", '"' + "\\(.)" * 1_000 + '"',
     "1//" * 1_300 + "1", "1 and " * 600 + "1", ".a+=(" * 600 + "." + ")" * 600],
)  # fmt: skip
def test_what_would_hold_up_the_event_loop_never_reaches_jq(program: str, monkeypatch: pytest.MonkeyPatch) -> None:
    compiled: list[str] = []
    monkeypatch.setattr(jq, "compile", compiled.append)
    with pytest.raises(InvalidOption, match="too long"):
        check(Options(jq=program))
    assert not compiled


def test_no_more_of_a_jq_program_is_compiled_than_was_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled: list[str] = []
    monkeypatch.setattr(jq, "compile", compiled.append)
    for program in (".a", "*".join(["7"] * 200)):
        check(Options(jq=program))
    (short, long) = map(len, compiled)
    assert long - short == len("*".join(["7"] * 200)) - len(".a")


def test_targets_that_share_a_program_have_it_compiled_once(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled: list[str] = []
    monkeypatch.setattr(jq, "compile", compiled.append)
    for _ in range(32):
        check(Options(jq=".shared | .by | .many"))
    assert len(compiled) == 1


@pytest.mark.parametrize("pattern", [r"\pL" * 330, "[^\\pL]" * 140, "(x*){0,1000}" * 80, "a{1000}" * 140])
def test_a_pattern_has_so_many_costly_pieces_and_no_more(pattern: str) -> None:
    with pytest.raises(InvalidOption, match=f"grep: too large: .* at most {MAX_COSTLY}"):
        check(Options(grep=pattern))


@pytest.mark.parametrize("pattern", ["é{1000}" * 30, r"\pL{1000}" * 15])
def test_a_pattern_that_would_grow_large_is_refused_soon(pattern: str) -> None:
    with pytest.raises(InvalidOption, match="grep: pattern too large"):
        check(Options(grep=pattern))


@pytest.mark.parametrize("field", ["jq", "grep", "question", "pages"])
@pytest.mark.parametrize("control", ["\0", "\1", "\x1b", "\x7f", "\udc80"])
def test_control_characters_are_refused_and_named(field: str, control: str) -> None:
    """jq takes C strings: behind a NUL a program could go past its check and out of what is wrapped around it."""
    with pytest.raises(InvalidOption, match=rf"{field}: holds the control character U\+{ord(control):04X}"):
        check(Options(**{field: f".{control})"}))  # type: ignore[arg-type]


def test_white_space_is_no_control_character() -> None:
    check(Options(jq=".a\r\n|\t.b", grep="a\tb", question="line\nline"))
