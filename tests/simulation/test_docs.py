"""The examples of docs/testing.md work as they stand."""

import re
from pathlib import Path
from typing import Any

import pytest
import trio
from trio.testing import MockClock

PAGE = Path(__file__).parents[2] / "docs" / "testing.md"


def examples() -> dict[str, Any]:
    found: dict[str, Any] = {}
    for block in re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.DOTALL):
        names: dict[str, Any] = {}
        exec(compile(block, str(PAGE), "exec"), names)
        found |= {name: value for name, value in names.items() if name.startswith("test_")}
    return found


def test_the_example_of_a_crash() -> None:
    trio.run(examples()["test_a_crash_fails_what_was_in_flight"], None, clock=MockClock(autojump_threshold=0))


def test_the_example_of_a_decider() -> None:
    examples()["test_a_cancelled_job_does_not_start"]()


@pytest.mark.parametrize(
    "name", re.findall(r"`(?:python )?((?:tests|bench|actors)/[\w/]+\.(?:py|txt))", PAGE.read_text())
)
def test_the_files_it_names_are_there(name: str) -> None:
    assert (PAGE.parents[1] / name).is_file()
