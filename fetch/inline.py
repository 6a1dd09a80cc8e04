"""A `page.Converter` without processes, for tests: under `autojump_clock` a real worker seems to take for ever."""

import trio

from .convert import convert_page
from .page import Converted, Page, Refused
from .target import Options


class InlineConverter:
    """Converts in the caller's task: no limit on time or memory holds, so only for pages that are trusted."""

    def __init__(self, *, max_content_bytes: int = 200_000, images: bool = True) -> None:
        self._max_content_bytes = max_content_bytes
        self._images = images

    async def convert(self, page: Page, options: Options) -> Converted | Refused:
        """See `page.Converter.convert`. A checkpoint, but cannot be cancelled while it converts."""
        await trio.lowlevel.checkpoint()
        return convert_page(page, options, max_content_bytes=self._max_content_bytes, images=self._images)
