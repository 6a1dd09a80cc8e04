"""The documents say what the code does: drawn tables equal the tables that decide, and each link leads somewhere."""

import re
from pathlib import Path

import pytest
from gofer.events.job import JOB_TRANSITIONS, TARGET_TRANSITIONS

ROOT = Path(__file__).parent.parent
PAGES = sorted([ROOT / "README.md", ROOT / "CHANGELOG.md", *(ROOT / "docs").glob("*.md")])


def table(heading: str) -> dict[str, set[str]]:
    """A two-column Markdown table of docs/architecture.md as a mapping."""
    text = (ROOT / "docs/architecture.md").read_text()
    rows = re.search(rf"^\| {heading} \|.*\n\|[-|]+\|\n((?:\|.*\|\n)+)", text, re.MULTILINE)
    assert rows, heading
    cells = (row.strip("|").split("|") for row in rows[1].splitlines())
    return {state.strip(): {to for to in re.split(r"[ ,]+", goes) if to} for state, goes in cells}


def test_the_drawn_transitions_are_those_that_decide() -> None:
    assert table("job in") == JOB_TRANSITIONS
    assert table("target in") == TARGET_TRANSITIONS


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    links = re.findall(r"\]\((?!https?:)([^)#]+)(?:#[^)]*)?\)", page.read_text())
    assert [link for link in links if not (page.parent / link).exists()] == []
