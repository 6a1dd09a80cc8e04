"""Standard streams that are full, closed or not read, and interrupts that come early: one line, never a traceback."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest
from gofer.cli.token import caller_lines
from gofer.store.batch import BatchStore

GOFER = str(Path(sys.executable).with_name("gofer"))
FULL = "gofer: cannot write to standard output: No space left on device\n"
CLOSED = "gofer: cannot write to standard output: Bad file descriptor\n"


def shell(line: str) -> "subprocess.CompletedProcess[str]":
    """A command line with redirections, `gofer` being this one."""
    return subprocess.run(["bash", "-c", line, "bash", GOFER], capture_output=True, text=True, timeout=60)


@pytest.mark.parametrize("command", ["--help", "--version", "help", "token a --class fleet", "audit replay"])
@pytest.mark.parametrize(("where", "said"), [(">/dev/full", FULL), (">&-", CLOSED)])
def test_output_that_cannot_be_written_is_told(command: str, where: str, said: str, home: Path) -> None:
    home.mkdir(parents=True)
    BatchStore.open(home / "gofer.db").close()
    ran = shell(f'"$1" {command} {where}')
    assert (ran.returncode, ran.stdout, ran.stderr) == (1, "", said)


@pytest.mark.parametrize("where", [">/dev/full", ">&-", "<&- >&-"])
def test_no_token_is_shown_whose_lines_are_lost(where: str) -> None:
    assert "gofer_" not in shell(f'"$1" token a --class fleet {where}').stderr


@pytest.mark.parametrize("where", ["2>/dev/full", "2>&-", "<&- 2>&-"])
def test_messages_that_nobody_takes_change_nothing(where: str) -> None:
    ran = shell(f'"$1" token a --class fleet {where}')
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout.startswith(caller_lines("a", "fleet", "").partition("token_sha256")[0])
    assert shell(f'"$1" fly {where}').returncode == 2


def test_what_stands_in_the_place_of_a_closed_stream_is_no_file_of_ours(home: Path) -> None:
    """The database would otherwise be opened under the number that messages go to."""
    assert shell('"$1" audit replay <&- >&- 2>&-').returncode == 2
    home.mkdir(parents=True)
    BatchStore.open(home / "gofer.db").close()
    before = (home / "gofer.db").read_bytes()
    assert shell('"$1" audit replay <&- >&- 2>&-').returncode == 1
    assert (home / "gofer.db").read_bytes() == before


def test_a_reader_that_has_enough_is_no_fault_to_tell() -> None:
    ran = shell('set -o pipefail; "$1" --help | true')
    assert (ran.returncode in (0, 1), ran.stderr) == (True, "")


def test_a_text_that_the_terminal_cannot_show_is_escaped() -> None:
    ran = shell('PYTHONIOENCODING=ascii "$1" token ü --class fleet')
    assert ran.returncode == 0
    assert 'name = "\\xfc"' in ran.stdout


INTERRUPTED_AT = """
import os, signal, sys

class Finder:
    def find_spec(self, name, path=None, target=None):
        if name == {module!r}:
            try:
                os.kill(os.getpid(), signal.SIGINT)
            except KeyboardInterrupt:
                pass  # as what is raised amid an import may be

sys.meta_path.insert(0, Finder())
from gofer.cli.main import main
sys.argv = ["gofer", "run", "http://127.0.0.1:1/"]
sys.exit(main())
"""


@pytest.mark.parametrize(
    "module", ["gofer.cli.dispatch", "cyclopts", "gofer.cli.run", "trio", "gofer.fetch.pipeline"]
)
def test_an_interrupt_while_the_program_loads_is_quiet(module: str) -> None:
    ran = subprocess.run(
        [sys.executable, "-c", INTERRUPTED_AT.format(module=module)], capture_output=True, text=True, timeout=60
    )
    assert (ran.returncode, ran.stdout, ran.stderr) == (130, "", "")


def test_an_interrupt_that_is_ignored_stays_so() -> None:
    """As in a shell script's background."""
    code = "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN);" + INTERRUPTED_AT.format(module="cyclopts")
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert ran.returncode == 4, ran.stderr
    assert signal.getsignal(signal.SIGINT) is not signal.SIG_IGN
