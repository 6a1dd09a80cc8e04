"""What passes from the network half of a fetch to the converting half: structs and the `Converter` interface only."""

from typing import Protocol

import msgspec

from .target import Options


class Page(msgspec.Struct, frozen=True):
    """A response body with its content codings undone, and what its origin said of it."""

    url: str  # the final URL, for resolving links
    content_type: str  # the header's value, "" when there was none
    body: bytes


class Converted(msgspec.Struct, frozen=True, kw_only=True):
    """A page as its caller asked for it. `content` is already selected (pages, jq, grep), digested and capped."""

    content: str
    content_type: str  # what the body was found to be, e.g. "application/pdf" under a header of text/html
    truncated: bool = False
    title: str | None = None
    language: str | None = None
    author: str | None = None
    date: str | None = None
    page_count: int | None = None
    matches: int | None = None
    digest_by: str | None = None
    warnings: tuple[str, ...] = ()


class Refused(msgspec.Struct, frozen=True):
    """A page that cannot be given as asked: the target fails with these words."""

    error: str
    hint: str


class Converter(Protocol):
    """Turns a page into content."""

    async def convert(self, page: Page, options: Options) -> Converted | Refused:
        """Convert `page` as `options` ask.

        Expected faults are `Refused`; a worker that dies or overruns its limits is one. Cancelling it kills the
        worker that holds the page.
        """
        ...
