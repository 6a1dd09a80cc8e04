"""The stages of converting together: modes, selection, digest, cap, and the words of every refusal."""

import pytest
from gofer.fetch.cap import cap
from gofer.fetch.convert import convert_page
from gofer.fetch.page import Converted, Page, Refused
from gofer.fetch.query import check_query
from gofer.fetch.target import Mode, Options
from gofer.fetch.walls import BOT_WALL, LOGIN, NOTHING, warnings_of
from hypothesis import given, settings
from hypothesis import strategies as st

ARTICLE = """<!doctype html><html lang="en"><head><title>The lighthouse</title></head><body><article>
<h1>The lighthouse</h1><p>The lighthouse was built in 1907 by the harbour company. It has a white tower.</p>
<h2>The lamp</h2><p>The lamp burns paraffin. Its light is seen from thirty miles away. A keeper trims it at dusk.</p>
<h2>Visits</h2><p>Visitors climb the stairs on Sundays. Tickets cost two pounds at the gate.</p></article></body>"""
JSON = '{"items": [{"n": 1.10, "name": "ä"}, {"n": 12345678901234567890, "name": "b"}]}'


def convert(
    body: str | bytes, content_type: str = "text/html", max_bytes: int = 200_000, options: Options | None = None
) -> Converted:
    answer = ask(body, content_type, options or Options(), max_bytes)
    assert isinstance(answer, Converted), answer
    return answer


def ask(
    body: str | bytes, content_type: str, options: Options, max_content_bytes: int = 200_000
) -> Converted | Refused:
    page = Page("https://a.example/dir/page", content_type, body if isinstance(body, bytes) else body.encode())
    return convert_page(page, options, max_content_bytes=max_content_bytes)


def refuse(body: str | bytes, content_type: str, options: Options) -> Refused:
    answer = ask(body, content_type, options)
    assert isinstance(answer, Refused), answer
    assert answer.hint
    return answer


@pytest.mark.parametrize("mode", ["", "clean", "raw"])
@pytest.mark.parametrize("content_type", ["text/plain", "text/plain; charset=utf-8"])
def test_report_27_plain_text_is_given_verbatim(mode: Mode, content_type: str) -> None:
    assert convert("a<b>c", content_type, options=Options(mode=mode)).content == "a<b>c"


@pytest.mark.parametrize("mode", ["", "clean", "raw", "digest"])
def test_report_19_an_empty_body_is_empty_content(mode: Mode) -> None:
    converted = convert("", options=Options(mode=mode))
    assert (converted.content, converted.truncated) == ("", False)


def test_clean_html_is_its_main_content_with_metadata() -> None:
    converted = convert(ARTICLE)
    assert "The lamp burns paraffin." in converted.content
    assert "<p>" not in converted.content
    assert (converted.title, converted.language, converted.content_type) == ("The lighthouse", "en", "text/html")


def test_html_with_characters_that_no_page_may_hold_is_read_without_them() -> None:
    marked = ARTICLE.replace("paraffin", "par\x01a\x0bf&#2;fin\ufffe&#xd800;")
    assert "The lamp burns paraf\ufffdfin\ufffd." in convert(marked).content


def test_raw_html_is_the_decoded_body() -> None:
    body = "<!doctype html><title>Straße</title><p>grün</p>"
    converted = convert(body.encode("utf-16"), "text/html", options=Options(mode="raw"))
    assert (converted.content, converted.title) == (body, "Straße")


@pytest.mark.parametrize(
    ("content_type", "body"),
    [
        ("text/markdown", "# T\n\n*a* <b>b</b>\n"),
        ("text/csv", "a,b\r\n1,2\r\n"),
        ("text/tab-separated-values", "a\tb\n"),
        ("application/x-ndjson", '{"a":1}\n{"a":2}\n'),
        ("application/xml", "<?xml version='1.0'?>\n<a/>"),
    ],
)
def test_what_is_text_already_is_verbatim(content_type: str, body: str) -> None:
    assert convert(body, content_type).content == body


def test_markdown_has_its_first_heading_for_a_title() -> None:
    assert convert("\n# The title \n\ntext", "text/markdown").title == "The title"
    assert convert("text\n# Not the title", "text/markdown").title is None


def test_json_is_pretty_printed_without_changing_a_number() -> None:
    converted = convert(JSON, "text/plain")
    assert converted.content_type == "application/json"
    assert '\n      "n": 1.10,\n      "name": "ä"\n' in converted.content
    assert "12345678901234567890" in converted.content


def test_broken_json_is_given_as_it_is_with_a_warning() -> None:
    converted = convert('{"a": ', "application/json")
    assert (converted.content, converted.warnings) == ('{"a": ', ("the body is not valid application/json",))


@pytest.mark.parametrize(
    ("program", "content"),
    [
        (".items[].name", '"ä"\n"b"'),
        (".items | length", "2"),
        ("empty", ""),
        ("[.items[].n]", "[1.10,12345678901234567890]"),
        ("$ENV, env", "{}\n{}"),
        (".items | length # \\", "2"),
    ],
)
def test_jq_gives_one_value_a_line(program: str, content: str) -> None:
    check_query(program)
    assert convert(JSON, "application/json", options=Options(jq=program)).content == content


def test_jq_runs_on_every_line_of_json_lines_and_in_every_mode() -> None:
    lines = '{"a": 1}\n{"a": 2}\n'
    assert convert(lines, "text/plain", options=Options(jq=".a", mode="raw")).content == "1\n2"


def test_jq_then_grep() -> None:
    converted = convert(JSON, "application/json", options=Options(jq=".items[]", grep='"b"', context=False))
    assert (converted.content, converted.matches) == ('[1] {"n":12345678901234567890,"name":"b"}', 1)


def test_jq_without_an_end_is_cut() -> None:
    converted = convert("1", "application/json", 100, Options(jq="repeat(.)"))
    assert (len(converted.content), converted.truncated) == (100, True)


@pytest.mark.parametrize(
    ("program", "error"),
    [
        (".items.name", 'jq: Cannot index array with string ("name")'),
        (".items[0].name | tonumber", 'jq: string ("ä") cannot be parsed as a number'),
        ('error("my words")', "jq: my words"),
        ("nope", "jq: nope/0 is not defined"),
    ],
)
def test_jq_failures_are_told_in_its_words(program: str, error: str) -> None:
    assert refuse(JSON, "application/json", Options(jq=program)).error == error


def test_jq_asks_for_json() -> None:
    assert refuse(ARTICLE, "text/html", Options(jq=".")).error == "jq: the page is text/html, not JSON"
    assert refuse("", "", Options(jq=".")).error == "jq: the page is empty, not JSON"
    assert refuse("{nope", "application/json", Options(jq=".")).error.startswith("jq: parse error")


def test_pages_are_only_in_a_pdf() -> None:
    assert refuse(ARTICLE, "text/html", Options(pages="1")).error == "pages: text/html has no pages"
    assert refuse("", "", Options(pages="1")).error == "pages: an empty body has no pages"


def test_grep_keeps_lines_of_the_markdown_and_counts() -> None:
    converted = convert(ARTICLE, options=Options(grep="(?i)LAMP|stairs", context=False))
    assert converted.matches == 3
    assert converted.content.startswith("[1] ## The lamp\n[2] The lamp burns")


def test_grep_that_matches_nothing_says_so() -> None:
    converted = convert(ARTICLE, options=Options(grep="submarine"))
    assert (converted.content, converted.matches) == ("", 0)
    assert converted.warnings == ("grep matched no line",)


def test_digest_quotes_the_answer_with_its_heading() -> None:
    converted = convert(ARTICLE, options=Options(mode="digest", question="How much do tickets cost?", context=False))
    assert converted.content.startswith("> Tickets cost two pounds at the gate.\n>\n> ")
    assert converted.content.endswith("\n> — Visits")
    assert "## Passages" not in converted.content
    assert (converted.digest_by, converted.warnings) == ("extractive", ())


def test_digest_adds_passages_with_context() -> None:
    converted = convert(ARTICLE, options=Options(mode="digest", question="Who trims the lamp at dusk?"))
    assert converted.content.startswith("> A keeper trims it at dusk.")
    passages = converted.content.partition("## Passages")[2]
    assert "The lamp burns paraffin. Its light is seen from thirty miles away. A keeper trims it at dusk." in passages


def test_digest_of_a_question_that_the_page_has_nothing_on_is_a_summary_and_says_so() -> None:
    converted = convert(ARTICLE, options=Options(mode="digest", question="Qui xyzzy?", context=False))
    assert "> The lighthouse was built in 1907" in converted.content
    assert converted.warnings == ("no sentence of the page shares words with the question; this is a summary",)


def test_a_question_outside_of_digest_has_no_effect_and_says_so() -> None:
    converted = convert(ARTICLE, options=Options(question="How much?"))
    assert converted.content == convert(ARTICLE).content
    assert converted.warnings == ("question is answered only in mode digest",)


def test_content_is_cut_on_a_character_boundary() -> None:
    converted = convert("äöü€", "text/plain", 5)
    assert (converted.content, converted.truncated) == ("äö", True)
    assert cap("äöü", 6) == ("äöü", False)
    assert cap("a\U0001f600", 4) == ("a", True)
    assert cap("\ud800", 10) == ("?", False)  # JSON may hold half a pair; what is stored may not


def test_binary_is_refused() -> None:
    assert refuse(b"\x89PNG\r\n\x1a\n\0", "text/html", Options()).error == "unsupported: image/png (9 bytes)"


def test_a_feed_that_cannot_be_read_is_given_as_it_is() -> None:
    converted = convert("<rss", "application/rss+xml")
    assert (converted.content, converted.warnings) == ("<rss", ("the feed cannot be read; this is its source",))


def test_walls_are_warned_of() -> None:
    wall = "<html><title>Just a moment...</title><body>Enable JavaScript</body></html>"
    assert convert(wall).warnings == (BOT_WALL,)
    turnstile = '<script src="https://challenges.cloudflare.com/x"></script>Wait'
    assert warnings_of(turnstile, None, "Wait") == (BOT_WALL,)
    assert warnings_of("<form><input name=p type='password'></form>", "Sign in", "Sign in") == (LOGIN,)
    assert convert("<!doctype html><title>App</title><div id=root></div><script>go()</script>").warnings == (NOTHING,)
    essay = "<div class=g-recaptcha></div>" + "<p>An essay on captchas.</p>" * 200
    assert warnings_of(essay, "On captchas", "An essay") == ()
    assert warnings_of("<script>var hcaptcha.com</script>", None, "Read from scripts. " * 200) == ()
    assert convert(ARTICLE).warnings == ()


_STARTS = [b"", b"<!doctype html>", b"<rss><item>", b"%PDF-1.7 1 0 obj", b"PK\3\4word/", b"{", b"\xff\xfe", b"# "]


@settings(max_examples=200, deadline=None)
@given(
    start=st.sampled_from(_STARTS),
    rest=st.binary(max_size=200) | st.text("<>&#;/\"'=[]{}a \n\0", max_size=200).map(str.encode),
    content_type=st.sampled_from(["", "text/html", "text/plain; charset=gbk", "application/json", "image/png"]),
    mode=st.sampled_from(["", "raw", "digest"]),
    grep=st.sampled_from(["", ".", "a|^$"]),
    jq=st.sampled_from(["", ".[]"]),
)
def test_whatever_comes_is_converted_or_refused(
    start: bytes, rest: bytes, content_type: str, mode: Mode, grep: str, jq: str
) -> None:
    answer = ask(start + rest, content_type, Options(mode=mode, grep=grep, jq=jq, question="a?"), 50)
    if isinstance(answer, Refused):
        assert ": " in answer.error
        assert answer.hint
    else:
        assert len(answer.content.encode()) <= 50
