"""Which blocks of a parsed page are its main content: learned odds for each, then the likeliest set of them."""

from itertools import accumulate
from math import exp

from lxml.html import HtmlElement

from .html_blocks import Page, prune
from .html_learned import LEXICON, log_odds
from .html_signals import signals


def main_content(document: HtmlElement, title: str, kinds: frozenset[str], url: str) -> HtmlElement:
    """The body of `document`, left with its main content only. Changes `document`.

    `title` and `kinds` are what its metadata says; `url` is where it is from. All three may be empty.
    """
    body = document.find("body")
    body = document if body is None else body
    page = Page(body)
    chances = [1 / (1 + exp(-log_odds(row))) for row in signals(page, LEXICON, title, kinds, url)]
    kept = most_likely(chances, [block.words for block in page.blocks])
    if any(kept):
        prune(body, page.blocks, kept)
    return body


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
