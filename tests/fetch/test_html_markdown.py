"""Each kind of structure that a page may have, as Markdown. Fixtures are pairs in `tests/fetch/html/`."""

from pathlib import Path

import pytest
from gofer.fetch.html_markdown import base_of, markdown
from gofer.fetch.html_tree import parse

FIXTURES = sorted((Path(__file__).parent / "html").glob("*.html"))
BASE = "https://example.com/guide/page.html"


def converted(html: str, *, images: bool = True, base: str = BASE) -> str:
    document = parse(html)
    assert document is not None
    return markdown(document.find("body"), base, images=images)


@pytest.mark.parametrize("fixture", FIXTURES, ids=lambda path: path.stem)
def test_structure_survives(fixture: Path) -> None:
    expected = fixture.with_suffix(".md").read_text(encoding="utf-8").strip()
    assert converted(fixture.read_text(encoding="utf-8")) == expected


def test_there_are_fixtures() -> None:
    assert len(FIXTURES) >= 12


@pytest.mark.parametrize(
    "href",
    [
        "javascript:alert(1)",
        "JaVaScRiPt:alert(1)",
        " \x01javascript:alert(1)",
        "java\nscript:alert(1)",
        "java&#9;script:alert(1)",
        "&#106;avascript:alert(1)",
        "vbscript:msgbox(1)",
        "data:text/html;base64,PHNjcmlwdD4=",
        "file:///etc/passwd",
        "blob:https://example.com/1",
    ],
)
def test_a_link_that_is_no_web_address_keeps_only_its_text(href: str) -> None:
    assert converted(f'<p>See <a href="{href}">this</a> now.</p>') == "See this now."


@pytest.mark.parametrize(
    "text",
    [
        "[a](javascript:alert(1))",
        "[a]<b></b>(javascript:alert(1))",
        "[a]( &lt;JavaScript:alert(1)&gt;)",
        "[a]: data:text/html,x",
    ],
)
def test_text_that_looks_like_a_link_to_code_is_not_one(text: str) -> None:
    assert converted(f"<p>{text}</p>").startswith("[a\\]")


def test_text_that_looks_like_a_tag_stays_text() -> None:
    assert converted("<p>Use &lt;script&gt; or a &lt; b.</p>") == "Use \\<script> or a < b."


def test_code_is_not_escaped() -> None:
    assert converted("<pre>&lt;p&gt; a_b *c*</pre>") == "```\n<p> a_b *c*\n```"


@pytest.mark.parametrize(
    ("classes", "language"),
    [
        ("highlight-python notranslate", "python"),
        ("highlight notranslate", ""),
        ("highlight-wrapper", ""),
        ("highlight highlight-source-shell", "shell"),
    ],
)
def test_the_language_of_code_is_read_from_the_box_around_it(classes: str, language: str) -> None:
    html = f'<div class="{classes}"><div class="highlight"><pre>x</pre></div></div>'
    assert converted(html) == f"```{language}\nx\n```"


@pytest.mark.parametrize(
    ("base", "expected"),
    [
        ("/docs/", "https://example.com/docs/x.html"),
        ("https://cdn.example.org/a/", "https://cdn.example.org/a/x.html"),
        ("javascript:alert(1)//", "https://example.com/guide/x.html"),
        ("http://[bad", "https://example.com/guide/x.html"),
    ],
)
def test_links_are_relative_to_the_base_element_where_it_is_a_web_address(base: str, expected: str) -> None:
    document = parse(f'<base href="{base}"><p><a href="x.html">x</a></p>')
    assert document is not None
    assert markdown(document.find("body"), base_of(document, BASE), images=True) == f"[x]({expected})"


def test_images_are_kept_or_left_out() -> None:
    html = '<p>Before <img src="/a.png" alt="A plan"> after.</p>'
    assert converted(html) == "Before ![A plan](https://example.com/a.png) after."
    assert converted(html, images=False) == "Before after."


def test_images_that_load_late_are_found_and_images_without_an_address_are_not_kept() -> None:
    assert converted('<p>A <img src="data:image/gif;base64,R0" data-src="b.png" alt="b"></p>').endswith(
        "/guide/b.png)"
    )
    assert converted('<p>A <img src="data:image/gif;base64,R0" alt="b"> b</p>') == "A b"
