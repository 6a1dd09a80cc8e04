"""`gofer token`: a new token for a caller."""

import sys

import msgspec

from ..fetch.target import CallerClass
from ..http.auth import token_digest
from .failure import UsageFailure
from .home import new_token


def token(name: str, caller_class: CallerClass) -> int:
    """Print a new token on standard error, once its `[[caller]]` lines are out on standard output.

    A token whose lines were lost would let nobody in.
    """
    if not name.strip() or not name.isprintable():
        raise UsageFailure("a caller's name is printable text")
    made = new_token()
    print(caller_lines(name, caller_class, made), end="", flush=True)
    print(f"the token of {name}, shown only now: {made}", file=sys.stderr)
    return 0


def caller_lines(name: str, caller_class: CallerClass, token: str) -> str:
    """The table of the settings file that lets `token` in as `name`; it holds the token's hash alone."""
    quoted = msgspec.json.encode(name).decode()  # a JSON string is a TOML basic string too
    return f'[[caller]]\nname = {quoted}\nclass = "{caller_class}"\ntoken_sha256 = "{token_digest(token)}"\n'
