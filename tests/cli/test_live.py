"""Which faults of a running system are told in one line, and which are bugs."""

import errno
from collections.abc import Callable

import apsw
import pytest
from gofer.cli.failure import Failure, UsageFailure
from gofer.cli.live import run_live
from gofer.store.database import StoreFailed, StoreInUse
from gofer.store.sealing import SealBroken

EXPECTED: list[tuple[Callable[[], Exception], str]] = [
    (lambda: StoreInUse("it is in use"), "it is in use"),
    (lambda: StoreFailed("x.db", apsw.FullError("full")), "x.db failed (full); "),
    (lambda: SealBroken("the key is another"), "the key is another"),
    (lambda: OSError(errno.ENOSPC, "No space left on device"), "the disk: No space left on device; see to it"),
    (lambda: OSError(errno.EIO, "Input/output error", "x.key"), "x.key: Input/output error; see to it"),
    (lambda: UsageFailure("a setting"), "a setting"),
]
BUGS: list[Callable[[], Exception]] = [
    lambda: KeyError("x"),
    lambda: apsw.SQLError("no such column"),
    lambda: ConnectionResetError(errno.ECONNRESET, "reset"),
]


def raised(error: Exception) -> Exception:
    async def main() -> None:
        raise error

    with pytest.raises(Exception) as caught:
        run_live(main)
    return caught.value


@pytest.mark.parametrize(("make", "said"), EXPECTED)
def test_an_expected_fault_is_one_line_in_whatever_groups_it_comes(make: Callable[[], Exception], said: str) -> None:
    other = ExceptionGroup("b", [StoreInUse("and another")])
    for error in (make(), ExceptionGroup("a", [make()]), ExceptionGroup("a", [ExceptionGroup("b", [make()]), other])):
        fault = raised(error)
        assert isinstance(fault, Failure)
        assert str(fault).startswith(said)


@pytest.mark.parametrize("make", BUGS)
def test_a_bug_is_raised_as_it_came_whatever_is_beside_it(make: Callable[[], Exception]) -> None:
    for error in (make(), ExceptionGroup("a", [make()]), ExceptionGroup("a", [StoreInUse("x"), make()])):
        assert raised(error) is error


def test_a_reader_that_has_enough_is_neither() -> None:
    assert isinstance(raised(ExceptionGroup("a", [BrokenPipeError()])), BrokenPipeError)
