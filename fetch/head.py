"""The head of a response, the same for HTTP/1.1 and 2. Data and pure reading of it."""

import msgspec


class Head(msgspec.Struct, frozen=True):
    """Status and headers; names in lower case, in order."""

    status: int
    headers: tuple[tuple[str, str], ...]

    def header(self, name: str) -> str:
        """The value of a header, several of a name joined by commas, "" when there is none."""
        return ", ".join(value for each, value in self.headers if each == name)

    @property
    def is_success(self) -> bool:
        """Whether the status says that the body is what was asked for."""
        return 200 <= self.status < 300


def header_text(value: bytes) -> str:
    """A header's value as text: UTF-8, as it is in practice, or ISO 8859-1, as the old standard had it."""
    try:
        return value.decode()
    except UnicodeDecodeError:
        return value.decode("latin-1")
