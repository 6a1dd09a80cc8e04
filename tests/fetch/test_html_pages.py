"""Typical documents, whole: what must stand in the Markdown of each, and what must not.

Each page in `tests/fetch/html/pages/` begins with a comment: after `stands`, lines of the Markdown, in order or not;
after `gone`, text that is none of it.
"""

from pathlib import Path

import pytest
from gofer.fetch.html import extract

PAGES = sorted((Path(__file__).parent / "html" / "pages").glob("*.html"))


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.stem)
def test_a_page_keeps_its_structure_and_loses_its_navigation(page: Path) -> None:
    comment, _, html = page.read_text(encoding="utf-8").partition("-->")
    stands, _, gone = comment.removeprefix("<!-- stands\n").partition("\ngone\n")
    markdown = extract(html, "https://example.com/").markdown
    assert [line for line in stands.splitlines() if line not in markdown] == []
    assert [line for line in gone.splitlines() if line in markdown] == []


def test_there_are_pages_of_many_kinds() -> None:
    assert len(PAGES) >= 25
