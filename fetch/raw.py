"""The raw text of a page: what is shown of it without any parser. Pure.

Of a small page in UTF-8 it is had in less time than it takes to hand the page to a worker, whatever its author meant:
`is_quick` tells such a page, and `convert_quick` may run in the loop.
"""

from typing import NamedTuple

from .cap import cap
from .charset import SAMPLE_BYTES
from .html_prescan import title_of
from .identify import DOCUMENTS, Identity, identify
from .page import Converted, Page, Refused
from .refusal import Refusal
from .target import Options


class Raw(NamedTuple):
    """A page as it stands, decoded."""

    text: str
    title: str | None


def read_raw(page: Page, found: Identity) -> Raw:
    """The text of `page`. Raises Refusal when it is a document that has none."""
    if found.media_type in DOCUMENTS:
        raise Refusal(
            f"unsupported: {found.media_type} ({len(page.body):,} bytes) has no raw text",
            "use mode clean for the text of a document",
        )
    return Raw(found.text, title_of(found.text) if found.kind == "html" else None)


def is_quick(page: Page, options: Options) -> bool:
    """Whether `options` ask for nothing but raw text that can be had at once, with no encoding to guess."""
    if options.mode != "raw" or options.pages or options.jq or options.grep or options.question:
        return False
    if len(page.body) >= SAMPLE_BYTES:
        return False
    try:
        page.body.decode()
    except UnicodeDecodeError:
        return False
    return True


def convert_quick(page: Page, *, max_content_bytes: int) -> Converted | Refused:
    """What `convert.convert_page` makes of a page that is quick."""
    try:
        found = identify(page)
        raw = read_raw(page, found)
    except Refusal as refusal:
        return Refused(refusal.error, refusal.hint)
    content, cut = cap(raw.text, max_content_bytes)
    return Converted(content=content, content_type=found.media_type, truncated=cut, title=raw.title)
