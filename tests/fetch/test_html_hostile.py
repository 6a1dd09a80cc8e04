"""Pages made to be slow or to break a parser. None may take long; what "long" is, the worker that runs this decides.

No time is asserted here: a shape that is not linear would keep this file running for minutes.
"""

import pytest
from gofer.fetch.html import extract
from gofer.fetch.html_prescan import MAX_CHARS, plain_text, shape

URL = "https://example.com/"
NESTED = {
    "div": "<div>" * 100_000 + "needle",
    "b": "<b>" * 100_000 + "needle",
    "closed": "<div>" * 100_000 + "needle" + "</div>" * 100_000,
    "list": "<ul><li>" * 100_000 + "needle",
    "table": "<table><tr><td>" * 50_000 + "needle",
    "mixed": "<b><p>" * 50_000 + "needle",
}
LARGE = {
    "attributes": "<p " + " ".join(f"a{i}=1" for i in range(100_000)) + ">needle",
    "attributes without values": "<p " + " ".join(f"a{i}" for i in range(400_000)) + ">needle",
    "attributes behind quotes": "<p " + " ".join(f"""a{i}=">" b{i}='>'""" for i in range(50_000)) + ">needle",
    "attributes on many tags": ("<p " + " ".join(f"a{i}" for i in range(3_000)) + ">x</p>") * 200 + "needle",
    "an attribute of 1 MB": '<p class="' + "a " * 500_000 + '">needle',
    "tags": "<i>a</i>" * 400_000 + "needle",
    "tags, not quite too many": "<i>a</i>" * 39_000 + "needle",
    "unclosed paragraphs": "<p>a" * 400_000 + "needle",
    "stray end tags": "<div>" * 200 + "</p>" * 400_000 + "needle",
    "deep again and again": ("<div>" * 200 + "x" + "</div>" * 200) * 290 + "needle",
    "footnotes": '<p><sup><a href="#n">1</a></sup></p>' * 5_000 + '<p id="n">needle</p>',
    "definitions": "<dl>" + "<dt>a<dd>b" * 6_000 + "</dl>needle",
    "code": "<pre>a</pre>" * 6_000 + "needle",
    "scripts between text": "<p>" + "text<script></script>" * 30_000 + "needle",
    "links to code": "<p>" + 'text<a href="javascript:x">y</a>' * 30_000 + "needle",
    "table": "<table>" + ("<tr>" + "<td>x</td>" * 100 + "</tr>") * 100 + "<tr><td>needle</table>",
    "entities": "&lt;" * 900_000 + "needle",
    "openers": "<" * 1_000_000 + "needle",
    "brackets": "<p>" + "[![](" * 400_000 + "needle",
    "JSON-LD": '<script type="application/ld+json">' + "[" * 400_000 + "</script>needle",
}


@pytest.mark.parametrize("name", NESTED)
def test_depth(name: str) -> None:
    assert "needle" in extract(NESTED[name], URL).markdown


@pytest.mark.parametrize("name", LARGE)
def test_size(name: str) -> None:
    assert extract(LARGE[name], URL).markdown


@pytest.mark.parametrize(
    "html", ["", " \n", "<!-- only a comment -->", "<!--" * 400_000, "<", "<>", "\0", "<html>", "<p>"]
)
def test_nothing_to_read(html: str) -> None:
    assert extract(html, URL).markdown in ("", "<", "<>", "\\<")


@pytest.mark.parametrize("opener", ["<script>", "<style>", "<!--", "<textarea>"])
def test_what_is_never_closed_hides_the_rest(opener: str) -> None:
    assert extract("<p>shown</p>" + opener * 100_000 + "hidden", URL).markdown == "shown"


def test_nul_characters_are_left_out() -> None:
    assert extract("<p>a\0b</p>\0<p>c</p>", URL).markdown == "ab\n\nc"


def test_lone_surrogates_do_not_break_it() -> None:
    assert extract("<p>a\ud800b</p>", URL).markdown == "a?b"


def test_only_so_much_of_a_page_is_read() -> None:
    assert extract("<p>first</p>" + " " * MAX_CHARS + "<p>last</p>", URL).markdown == "first"


def test_a_page_that_is_not_parsed_keeps_its_text_and_title() -> None:
    page = (
        "<title>Tags &amp; more</title><style>p{}</style><h1>Head</h1><p>One&nbsp;two<br>three</p>" + "<i>" * 70_000
    )
    article = extract(page, URL)
    assert article.title == "Tags & more"
    assert article.markdown == "Head\n\nOne two\n\nthree"


def test_a_page_that_is_not_parsed_has_no_tags_and_no_links_to_code() -> None:
    page = "<p>&lt;script&gt; [a](javascript:alert(1)) <a href='javascript:x'>b</a></p>" + "<i>" * 70_000
    assert extract(page, URL).markdown == "\\<script> [a\\](javascript:alert(1)) b"


def test_depth_is_noticed_after_many_other_faults() -> None:
    assert "needle" in extract("</b></x y=1 y=1>&zz;" * 20_000 + NESTED["div"], URL).markdown


def test_the_shape_of_a_page_is_counted_as_a_parser_reads_it() -> None:
    assert shape("<p a b=1 c='>'>x</p><br/>").tags == 2
    assert shape("<p>" * 40_000).tame
    assert not shape("<p>" * 40_001).tame
    long_tag = "<p " + " ".join(f"a{i}" for i in range(25_000)) + ">"
    assert shape(long_tag).attribute_pairs == 25_000**2
    assert not shape(long_tag).tame


def test_plain_text_leaves_out_what_is_not_shown() -> None:
    assert plain_text("a<script>b</script>c<!-- d -->e<template>f</template><p>g</p>h") == "ace\n\ng\n\nh"
