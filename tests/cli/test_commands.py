"""The command line as typed: help, usage errors, exit codes, the commands that need no service."""

import subprocess
import sys
from pathlib import Path

import pytest
from cyclopts import App
from gofer.cli.commands import app
from gofer.cli.main import main

ROOT = Path(__file__).parents[2]


def names(group: App) -> list[str]:
    return [name for name in group if name not in group.help_flags and not name.startswith("-")]


COMMANDS = [name for name in names(app) if not names(app[name])]
AUDIT = [f"audit {name}" for name in names(app["audit"])]  # documented on a page of its own


def test_the_commands_are_the_contracts() -> None:
    assert set(names(app)) == {"serve", "run", "submit", "status", "result", "watch", "cancel", "token", "audit"}
    assert set(names(app)) - set(COMMANDS) == {"audit"}


@pytest.mark.parametrize("command", [*COMMANDS, "audit", *AUDIT])
def test_each_command_has_help_with_an_example(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*command.split(), "--help"]) == 0
    text = capsys.readouterr().out
    assert text.startswith(f"Usage: gofer {command}")
    example = text[text.index("Example") :]
    assert f"gofer {command}" in example


@pytest.mark.parametrize("command", COMMANDS)
def test_each_command_stands_in_the_documentation_with_its_options(command: str) -> None:
    text = (ROOT / "docs" / "cli.md").read_text()
    section = text[text.index(f"## gofer {command}\n") :].split("\n## ")[0]
    if app[command].default_command is None:
        return  # a group of commands: its own test says what is documented of them
    for argument in app[command].assemble_argument_collection():
        if argument.show:
            assert any(f"`{name}" in section for name in argument.names), f"{argument.names} is not documented"


@pytest.mark.parametrize("command", [*COMMANDS, "audit", *AUDIT])
def test_each_usage_line_names_its_arguments(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*command.split(), "--help"]) == 0
    assert "ARGS" not in capsys.readouterr().out


def test_help_is_a_command_too(capsys: pytest.CaptureFixture[str]) -> None:
    shown = []
    for arguments in (["--help"], ["help"], ["run", "--help"], ["help", "run"]):
        assert main(arguments) == 0
        shown.append(capsys.readouterr().out)
    assert shown[0] == shown[1] != shown[2] == shown[3]


def test_help_alone_needs_nothing_heavy() -> None:
    """Help comes at once because what fetches, serves and stores is not imported for it."""
    code = (
        "import sys; from gofer.cli.main import main; main(['--help']); "
        "print(*{'trio', 'quart', 'apsw', 'lxml', 'httpcore2'} & set(sys.modules), file=sys.stderr)"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stderr.strip() == ""
    assert "Usage: gofer COMMAND" in ran.stdout


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["fly"], 'there is no command "fly"; see --help'),
        (["audit", "fly"], 'there is no command "fly"; see --help'),
        (["status", "abc", "extra"], '"extra" is one argument too many'),
        (["serve", "extra"], '"extra" is one argument too many'),
        (["run", "--colour", "http://a/"], "--colour"),
        (["run", "http://a/", "--mode"], "--mode needs a value"),
        (["run", "http://a/", "--question", "why?"], "--question is what a digest is to answer"),
        (["run"], "nothing to fetch"),
        (["run", "http://a/", "--mode", "best"], '--mode must be one of clean, digest, raw, not "best"'),
        (["run", "http://a/", "--grep", "("], "grep: "),
        (["run", "http://a/", "--jq", "{"], "jq: "),
        (["run", "http://a/", "--pages", "x"], "pages: "),
        (["run", "--targets", "/nonexistent"], "cannot read /nonexistent"),
        (["run", *["http://a/"] * 33], "33 targets: one batch takes 32 (batch.max_targets)"),
        (["run", "http://a/", "--allow", "http://b/"], "guard.allow: 'http://b/' is not a host"),
        (["run", "http://a/", "--config", "/nonexistent"], "cannot read the settings /nonexistent"),
        (["serve", "--config", "/nonexistent"], "cannot read the settings /nonexistent"),
        (["submit"], "nothing to fetch"),
        (["submit", "http://a/", "--question", "why?"], "--question is what a digest is to answer"),
        (["status"], "JOB is missing"),
        (["status", "abc", "--json=perhaps"], '--json must be true or false, not "perhaps"'),
        (["result", "abc", "first"], 'a whole number from 0, not "first"'),
        (["result", "abc", "1.5"], 'a whole number from 0, not "1.5"'),
        (["result", "abc", "-1"], 'IDX is a target\'s position, a whole number from 0, not "-1"'),
        (["token", "alice"], "--class is missing"),
        (["token", "alice", "--class", "king"], '--class must be one of fleet, restricted, not "king"'),
        (["token", " ", "--class", "fleet"], "a caller's name is printable text"),
    ],
)
def test_a_usage_error_is_one_clear_line_and_exit_code_2(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    (line,) = captured.err.splitlines()
    assert line.startswith("gofer: ")
    assert said in line


@pytest.mark.parametrize("command", ["status", "result", "watch", "cancel"])
def test_a_job_id_may_begin_with_a_hyphen(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    for arguments in (["-5PS1cnd2"], ["--json", "-jPS1cnd2"], ["-5PS1cnd2", "--json"]):
        if command != "cancel" or "--json" not in arguments:
            assert main([command, *arguments]) == 1
            assert "no token" in capsys.readouterr().err


def test_a_wrong_setting_is_a_usage_error(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("GOFER_BATCH_MAX_TARGETS", "many")
    assert main(["serve"]) == 2
    assert capsys.readouterr().err.startswith("gofer: GOFER_BATCH_MAX_TARGETS: must be a whole number")


def test_a_digest_model_that_cannot_be_asked_is_a_usage_error(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("GOFER_DIGEST_BASE_URL", "http://127.0.0.1:1/v1")
    assert main(["serve"]) == 2
    assert "digest.model" in capsys.readouterr().err


def test_a_token_is_shown_once_and_its_lines_can_be_appended_to_a_file(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["token", "alice", "--class", "restricted"]) == 0
    shown = capsys.readouterr()
    token = shown.err.split()[-1]
    assert token.startswith("gofer_")
    assert token not in shown.out
    assert shown.out.startswith('[[caller]]\nname = "alice"\nclass = "restricted"\ntoken_sha256 = "')
