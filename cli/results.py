"""Where results go: JSON Lines on a stream, or a file each under a directory."""

from pathlib import Path
from typing import IO, Final, Protocol

import msgspec

from .failure import Failure, UsageFailure
from .summary import Row

INDEX: Final = "index.ndjson"


class Content(msgspec.Struct, frozen=True):
    """The parts of an envelope that say how to keep its content."""

    mode: str
    content_type: str
    content: str


class Sink(Protocol):
    """Takes the finished targets of a job, each once, in idx order."""

    def take(self, row: Row) -> None:
        """Keep or pass on one finished target. May block; raises what its stream raises, or `Failure`."""
        ...


class LineSink:
    """Each target as one line of JSON on `stream`."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream

    def take(self, row: Row) -> None:
        self._stream.write(msgspec.json.encode(row) + b"\n")
        self._stream.flush()


class DirectorySink:
    """Each result's content as a file of its own under `directory`, and beside them one line a target in INDEX.

    The lines are those of `LineSink` with the file's name in the place of the content. The directory is made; one
    that holds files already is refused, as old and new results could not be told apart.
    """

    def __init__(self, directory: Path) -> None:
        try:
            directory.mkdir(parents=True, exist_ok=True)
            if any(directory.iterdir()):
                raise UsageFailure(f"{directory} is not empty: name a new directory for --out, or empty it")
        except OSError as error:
            raise UsageFailure(f"cannot write to {directory}: {error.strerror}") from error
        self._directory = directory

    def take(self, row: Row) -> None:
        line = msgspec.json.decode(msgspec.json.encode(row))
        try:
            if "result" in line:
                result = msgspec.convert(line["result"], Content)
                name = f"{row.idx:02}{suffix(result)}"
                (self._directory / name).write_bytes(result.content.encode())
                del line["result"]["content"]
                line["result"]["file"] = name
            with (self._directory / INDEX).open("ab") as index:
                index.write(msgspec.json.encode(line) + b"\n")
        except OSError as error:
            raise Failure(f"cannot write to {self._directory}: {error.strerror}") from error


def suffix(result: Content) -> str:
    """The file suffix that suits a result's content."""
    if result.mode != "digest" and "json" in result.content_type:
        return ".json"
    return ".txt" if result.mode == "raw" else ".md"
