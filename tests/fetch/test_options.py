"""What is refused before anything is fetched, in which words, and at what cost."""

import resource

import pytest
from gofer.fetch.options import InvalidOption, check
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
        (Options(grep="a" * 1_001), "grep", "longer than 1000 characters"),
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
