"""What to fetch, as typed or from a file: text in, targets out."""

import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import msgspec

from ..fetch.target import Options, Target
from .failure import UsageFailure
from .wording import members

COMMENT: Final = re.compile(r"(^|\s)#.*")  # a `#` within a URL begins its fragment

MAX_BYTES: Final = 1024 * 1024


def collect(urls: Sequence[str], file: str | None, options: Options) -> tuple[Target, ...]:
    """The targets of a command line: `urls`, then those in `file` (`-`: standard input); `options` go for all.

    Raises `UsageFailure` if there are none, if the file cannot be read or understood, and for a question that no
    target is to answer.
    """
    targets = [Target(url, options) for url in urls]
    if file is not None:
        targets += parse(_read(file), options, "standard input" if file == "-" else file)
    if not targets:
        raise UsageFailure("nothing to fetch: give URLs, or --targets FILE")
    for target in targets:
        if not target.url.strip():
            raise UsageFailure("a URL is empty")
    if options.question and not any(target.options.mode == "digest" for target in targets):
        raise UsageFailure("--question is what a digest is to answer: add --mode digest")
    return tuple(targets)


def parse(text: str, options: Options, where: str) -> list[Target]:
    """The targets in `text`: a JSON list, JSON Lines, or one URL a line (`#` starts a comment).

    A JSON item is a URL or an object `{"url": …, option: …}`, whose own options win over `options`.
    Raises `UsageFailure`, naming the line or the item.
    """
    if text.lstrip().startswith("["):
        return [_target(item, options, f"{where}, item {n}") for n, item in enumerate(_json(text, where), 1)]
    targets = []
    for n, line in enumerate(text.splitlines(), 1):
        line, at = line.strip(), f"{where}, line {n}"
        if line.startswith(("{", '"')):
            targets.append(_target(_json(line, at), options, at))
        elif url := COMMENT.sub("", line).strip():
            targets.append(Target(url, options))
    return targets


def _target(item: object, options: Options, where: str) -> Target:
    if isinstance(item, str):
        return Target(item, options)
    if not isinstance(item, dict) or not isinstance(item.get("url"), str):
        raise UsageFailure(f'{where}: expected a URL, or an object with a "url"')
    given = {key: value for key, value in item.items() if key != "url"}
    own = members(Options, given, where, hint=f"there are url, {', '.join(Options.__struct_fields__)}")
    return Target(item["url"], msgspec.structs.replace(options, **own))


def _json(text: str, where: str) -> Any:
    try:
        return msgspec.json.decode(text)
    except msgspec.DecodeError as error:
        raise UsageFailure(f"{where}: not JSON: {error}") from error


def _read(file: str) -> str:
    try:
        if file == "-":
            data = sys.stdin.buffer.read(MAX_BYTES + 1)
        else:
            with Path(file).open("rb") as stream:
                data = stream.read(MAX_BYTES + 1)
        if len(data) > MAX_BYTES:
            raise UsageFailure(f"{file} is over {MAX_BYTES} bytes: that is no list of targets")
        return data.decode("utf-8-sig")
    except OSError as error:
        raise UsageFailure(f"cannot read {file}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise UsageFailure(f"{file} is not UTF-8 text") from error
