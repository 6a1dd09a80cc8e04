"""Which lines a pattern keeps, and what stands around them."""

import pytest
from gofer.fetch.grep import MAX_SHOWN, grep

PAGE = """# Top

intro
one

## Lamp

before 2
before 1
the lamp burns
after 1
the lamp is lit
after 2
far

```sh
# not a heading
lamp --on
```

## Visits
climb"""


@pytest.mark.parametrize(
    ("pattern", "kept"),
    [
        ("lamp", "[1] the lamp burns\n[2] the lamp is lit\n[3] lamp --on"),
        ("(?i)LAMP$", "[1] ## Lamp"),
        ("^one$|^climb$", "[1] one\n[2] climb"),
        (r"\d", "[1] before 2\n[2] before 1\n[3] after 1\n[4] after 2"),
        ("submarine", ""),
        ("one\n", ""),  # a line holds no line end
        ("burns[^x]after", ""),
        ("(?s)intro.*one", ""),
    ],
)
def test_matching_lines_are_kept_whole_and_numbered(pattern: str, kept: str) -> None:
    assert grep(PAGE, pattern, context=False) == (kept, kept.count("["), True)


def test_context_adds_two_lines_either_side_and_the_nearest_heading() -> None:
    assert grep(PAGE, "lamp burns|--on", context=True).text == (
        "## Lamp\nbefore 2\nbefore 1\n[1] the lamp burns\nafter 1\nthe lamp is lit\n"
        "--\n```sh\n# not a heading\n[2] lamp --on\n```\n"
    )


def test_passages_that_touch_are_one() -> None:
    assert grep(PAGE, "the lamp", context=True) == (
        "## Lamp\nbefore 2\nbefore 1\n[1] the lamp burns\nafter 1\n[2] the lamp is lit\nafter 2\nfar",
        2,
        True,
    )


def test_a_heading_that_matches_is_its_own_heading() -> None:
    assert grep(PAGE, "^## V", context=True).text == "```\n\n[1] ## Visits\nclimb"


def test_the_heading_of_a_later_passage_is_shown_when_it_changes() -> None:
    text = "# A\n1\n2\n3\nhit\n4\n5\n6\nhit\n7\n8\n9\n# B\n1\n2\n3\nhit"
    assert grep(text, "hit", context=True).text == (
        "# A\n2\n3\n[1] hit\n4\n5\n6\n[2] hit\n7\n8\n--\n# B\n2\n3\n[3] hit"
    )


@pytest.mark.parametrize(
    ("text", "lines"),
    [("", 1), ("\n", 1), ("a", 1), ("a\n", 1), ("a\n\n", 2), ("\na", 2), ("a\r\nb\r\n", 2), ("ä\n€\n", 2)],
)
def test_every_line_counts_once_empty_ones_too(text: str, lines: int) -> None:
    assert grep(text, "", context=False).matches == lines
    assert grep(text, "$", context=True).matches == lines


def test_characters_beyond_ascii_are_matched_as_characters() -> None:
    assert grep("grün\nblau", "^gr.n$", context=False).text == "[1] grün"
    assert grep("日本語", r"^\p{Han}{3}$", context=False).matches == 1


def test_a_carriage_return_does_not_hide_the_end_of_a_line() -> None:
    assert grep("a\r\nb\r\n", "a$", context=False).text == "[1] a"


def test_a_million_lines_are_searched_as_one_text() -> None:
    found = grep("x\n" * 1_000_000 + "needle", "needle", context=True)
    assert found == ("x\nx\n[1] needle", 1, True)


def test_more_matches_than_anyone_reads_are_counted_and_not_shown() -> None:
    found = grep("x\n" * (MAX_SHOWN + 5), "x", context=True)
    assert (found.matches, found.whole) == (MAX_SHOWN + 5, False)
    assert f"[{MAX_SHOWN}] x" in found.text
    assert f"[{MAX_SHOWN + 1}]" not in found.text
