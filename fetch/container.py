"""The ZIP containers that documents come in, read with a bound on what they unpack to."""

import io
import zipfile
import zlib
from types import TracebackType
from typing import Self

from lxml import etree

from .charset import decode
from .refusal import Refusal
from .xmltree import parse_xml

MAX_UNPACKED_BYTES = 64 << 20
_BROKEN = (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, NotImplementedError, OSError, ValueError)


class Container:
    """A document's members by name. All of its members together may unpack to `MAX_UNPACKED_BYTES`.

    Raises Refusal, here and on each read, when it is broken, locked, or unpacks to more.
    """

    def __init__(self, body: bytes) -> None:
        self._left = MAX_UNPACKED_BYTES
        try:
            self._zip = zipfile.ZipFile(io.BytesIO(body))
        except _BROKEN as error:
            raise _broken() from error
        self._names = set(self._zip.namelist())

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._zip.close()

    def read(self, name: str) -> bytes:
        """One member's content; b"" when there is no such member."""
        if name not in self._names:
            return b""
        try:
            with self._zip.open(name) as member:
                content = member.read(self._left + 1)
        except _BROKEN as error:
            raise _broken() from error
        self._left -= len(content)
        if self._left < 0:
            raise Refusal(
                f"too large: the document unpacks to more than {MAX_UNPACKED_BYTES >> 20} MiB",
                "there may be a smaller edition of it",
            )
        return content

    def xml(self, name: str) -> etree._Element:
        """One member's root element; an empty one when there is no such member, or nothing in it can be read."""
        root = parse_xml(decode(self.read(name)).text)
        return etree.Element("nothing") if root is None else root


def _broken() -> Refusal:
    return Refusal("decode: the document is damaged or locked", "there may be an undamaged copy elsewhere")
