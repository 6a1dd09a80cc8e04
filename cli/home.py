"""What gofer keeps in the user's own data directory: where that is, and the first-run token in it."""

import os
import re
import secrets
import tempfile
from pathlib import Path
from typing import Final

from platformdirs import user_data_path

from .failure import Failure, UsageFailure

_TOKEN: Final = re.compile(r"[A-Za-z0-9._~+/-]+=*")  # what a bearer token can be (RFC 6750)


def data_dir() -> Path:
    """The directory of the database and of the first-run token; it may not exist yet."""
    return user_data_path("gofer", appauthor=False)


def make_data_dir() -> Path:
    """`data_dir`, made for this user alone if it is not there. Raises `Failure` if it cannot be."""
    directory = data_dir()
    try:
        directory.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as error:
        raise Failure(f"cannot make the data directory {directory}: {error.strerror}") from error
    return directory


def token_file(directory: Path) -> Path:
    """Where the first-run token is kept."""
    return directory / "token"


def new_token() -> str:
    """A fresh token of 256 random bits; the prefix lets secret scanners know it."""
    return f"gofer_{secrets.token_urlsafe(32)}"


def keep_first_run_token(directory: Path) -> str:
    """The token kept in `directory`; made now, with mode 0600, if there is none.

    Two processes that start at once agree on one token. Raises `Failure` if the directory cannot be written.
    """
    path = token_file(directory)
    try:
        kept = read_first_run_token(directory)
        if kept is not None:
            return kept
        descriptor, draft = tempfile.mkstemp(dir=directory, prefix="token-")  # mode 0600 from its first moment
        try:
            with os.fdopen(descriptor, "w") as file:
                file.write(new_token() + "\n")
            os.link(draft, path)  # unlike a rename, refuses to take the place of a token that came first
        except FileExistsError:
            pass  # another process was first; its token is read below
        finally:
            os.unlink(draft)
    except OSError as error:
        raise Failure(f"cannot keep the first-run token in {directory}: {error.strerror}") from error
    token = read_first_run_token(directory)
    if token is None:
        raise Failure(f"{path} is empty: delete it and start again")
    return token


def read_first_run_token(directory: Path) -> str | None:
    """The token kept in `directory`, or None.

    Raises `Failure` if it is there and cannot be read, `UsageFailure` if it is no token.
    """
    path = token_file(directory)
    try:
        text = path.read_text(errors="replace")
    except FileNotFoundError:
        return None
    except OSError as error:
        raise Failure(f"cannot read {path}: {error.strerror}") from error
    return checked_token(text, f"{path} holds") if text.strip() else None


def checked_token(text: str, where: str) -> str:
    """The token in `text`, without the white space around it. Raises `UsageFailure` if none can look so."""
    token = text.strip()
    if not _TOKEN.fullmatch(token):
        raise UsageFailure(
            f"{where} no token: one is a single word of letters, digits and -._~+/, as `gofer token` prints it"
        )
    return token
