"""The documentation keeps up with the program: links lead somewhere, and what it names is there."""

import re
from pathlib import Path

import pytest
from gofer.cli.commands import app
from gofer.fetch.target import Envelope, Options

ROOT = Path(__file__).parents[2]
PAGES = [
    ROOT / "README.md",
    ROOT / "CHANGELOG.md",
    *(ROOT / "docs" / f"{name}.md" for name in ("api", "cli", "settings")),
]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_within_the_project_lead_somewhere(page: Path) -> None:
    for link in re.findall(r"\]\(([^)]+)\)", page.read_text()):
        if link.startswith("https://"):
            continue
        name, _, anchor = link.partition("#")
        target = page.parent / name if name else page
        assert target.is_file(), link
        headings = re.findall(r"^#+ (.*)$", target.read_text(), re.MULTILINE)
        assert not anchor or anchor in {heading.lower().replace(" ", "-") for heading in headings}, link


def test_every_command_stands_in_the_readme() -> None:
    text = (ROOT / "README.md").read_text()
    for command in app:
        assert command.startswith("-") or f"`gofer {command}`" in text


def test_every_option_and_every_field_of_a_result_stands_in_the_api() -> None:
    text = (ROOT / "docs" / "api.md").read_text()
    for name in (*Options.__struct_fields__, *Envelope.__struct_fields__):
        assert f"`{name}`" in text, name
