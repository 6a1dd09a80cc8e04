import stat
from pathlib import Path

import gofer.cli.home
import pytest
from gofer.cli.failure import Failure
from gofer.cli.home import keep_first_run_token, make_data_dir, read_first_run_token, token_file


def test_the_first_run_token_is_made_once_with_mode_0600(home: Path) -> None:
    directory = make_data_dir()
    assert directory == home == make_data_dir()
    token = keep_first_run_token(directory)
    assert len(token) > 40
    assert keep_first_run_token(directory) == token == read_first_run_token(directory)
    assert stat.S_IMODE(token_file(directory).stat().st_mode) == 0o600
    assert stat.S_IMODE(directory.stat().st_mode) == 0o700
    assert [path.name for path in directory.iterdir()] == ["token"]


def test_of_two_processes_that_start_at_once_the_first_one_counts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def overtaken() -> str:
        token_file(tmp_path).write_text("first\n")
        return "second"

    monkeypatch.setattr(gofer.cli.home, "new_token", overtaken)
    assert keep_first_run_token(tmp_path) == "first"
    assert [path.name for path in tmp_path.iterdir()] == ["token"]


def test_a_directory_that_cannot_be_is_told(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("in the way")
    with pytest.raises(Failure, match="cannot make the data directory"):
        make_data_dir()
    with pytest.raises(Failure, match="cannot keep"):
        keep_first_run_token(tmp_path / "missing")


def test_an_emptied_token_file_is_told(tmp_path: Path) -> None:
    token_file(tmp_path).touch()
    with pytest.raises(Failure, match="is empty: delete it"):
        keep_first_run_token(tmp_path)


def test_there_may_be_no_token(tmp_path: Path) -> None:
    assert read_first_run_token(tmp_path) is None
