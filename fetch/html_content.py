"""Which blocks of a parsed page are its main content: learned odds for each, the likeliest set, made whole."""

from collections.abc import Hashable, Sequence
from itertools import accumulate
from math import exp

from .html_blocks import Block, Box, Page, prune
from .html_learned import LEXICON, log_odds
from .html_signals import look, signals
from .html_structure import whole
from .html_tree import Element

_MIN_REPEATED_WORDS = 6
_MAX_ROW_WORDS = 60


def main_content(document: Element, title: str, kinds: frozenset[str], url: str) -> Element:
    """The body of `document`, left with its main content only. Changes `document`.

    `title` and `kinds` are what its metadata says; `url` is where it is from. All three may be empty.
    """
    body = document.find("body")
    body = document if body is None else body
    page = Page(body)
    odds = [log_odds(row) for row in signals(page, LEXICON, title, kinds, url)]
    kept = choice(page, odds)
    if any(kept):
        prune(body, page.blocks, kept)
    return body


def choice(page: Page, odds: list[float]) -> list[bool]:
    """Which blocks of `page` to keep, given the log odds of each of being content."""
    likely = most_likely(settled(page.blocks, odds), [block.words for block in page.blocks])
    return whole(page, likely)


def settled(blocks: list[Block], odds: list[float]) -> list[float]:
    """The chance of each block of being content, given the log odds of each and what the blocks are to one another.

    Blocks of one look are mostly of one kind, so each moves halfway to their mean. What was said before is not said
    again, as pages do that are laid out twice, for small screens and large. A row of a table is kept whole.
    """
    chances = [1 / (1 + exp(-each)) for each in odds]
    looks = _means(chances, blocks, [look(block.box) for block in blocks])
    chances = [(own + mean) / 2 for own, mean in zip(chances, looks, strict=True)]
    said: set[str] = set()
    for i, block in enumerate(blocks):
        if block.words >= _MIN_REPEATED_WORDS:
            if block.text in said:
                chances[i] = 0.0
            said.add(block.text)
    return _means(chances, blocks, [_row(block.box) or i for i, block in enumerate(blocks)])


def _means(chances: list[float], blocks: list[Block], groups: Sequence[Hashable]) -> list[float]:
    """For each block, the mean chance of its group, by words."""
    content: dict[Hashable, float] = {}
    words: dict[Hashable, int] = {}
    for chance, block, group in zip(chances, blocks, groups, strict=True):
        content[group] = content.get(group, 0.0) + chance * block.words
        words[group] = words.get(group, 0) + block.words
    return [
        content[group] / words[group] if words[group] else chance
        for chance, group in zip(chances, groups, strict=True)
    ]


def _row(box: Box) -> Box | None:
    """The row of a table that `box` is in, if it is small enough to be data rather than layout."""
    row: Box | None = box
    while row is not None and row.tag != "tr":
        row = row.parent
    return row if row is not None and row.words <= _MAX_ROW_WORDS else None


def most_likely(chances: list[float], words: list[int]) -> list[bool]:
    """Which blocks to keep for the best expected F1 over words, given each one's chance of being content.

    The best set is always the blocks above some chance, so it is found by trying every cut of the sorted blocks.
    """
    order = sorted(range(len(chances)), key=lambda i: -chances[i])
    expected = list(accumulate(chances[i] * words[i] for i in order))
    size = list(accumulate(words[i] for i in order))
    best = max(range(len(order)), key=lambda n: expected[n] / (size[n] + expected[-1] or 1), default=-1)
    kept = set(order[: best + 1])
    return [i in kept for i in range(len(chances))]
