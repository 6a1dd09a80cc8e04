"""The documentation keeps up with the program: what the one has stands in the other."""

import re
from pathlib import Path

import pytest
from gofer.cli.commands import app
from gofer.fetch.target import Envelope, Options

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / name for name in ("README.md", "docs/api.md", "docs/cli.md", "docs/settings.md")]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_each_anchor_is_a_heading(page: Path) -> None:
    for name, anchor in re.findall(r"\]\((?!https?:)([^)#]*)#([^)]*)\)", page.read_text()):
        target = page.parent / name if name else page
        headings = re.findall(r"^#+ (.*)$", target.read_text(), re.MULTILINE)
        assert anchor in {heading.lower().replace(" ", "-") for heading in headings}, f"{name}#{anchor}"


def test_every_command_stands_in_the_readme() -> None:
    text = (ROOT / "README.md").read_text()
    for command in app:
        assert command in app.help_flags or command.startswith("-") or f"`gofer {command}`" in text


def test_every_option_and_every_field_of_a_result_stands_in_the_api() -> None:
    text = (ROOT / "docs" / "api.md").read_text()
    for name in (*Options.__struct_fields__, *Envelope.__struct_fields__):
        assert f"`{name}`" in text, name
