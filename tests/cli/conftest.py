"""A user of their own for each test: a data directory under tmp_path and an environment without gofer's variables."""

import os
from pathlib import Path

import pytest
from gofer.cli.home import data_dir


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in list(os.environ):
        if name.startswith("GOFER_"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    return data_dir()
