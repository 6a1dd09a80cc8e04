"""What is measured of each block of a page, for telling main content from the rest: pure numbers, no judgement."""

import re
from math import log1p
from typing import NamedTuple
from urllib.parse import urlsplit

from .html_blocks import HEADINGS, LANDMARKS, WORD, Block, Box, Page

_TAGS = (
    *("p", "li", "h1", "h2", "h3", "h4", "h5", "h6", "td", "th", "dd", "dt", "pre", "div", "section", "article"),
    "button",
)
_TAG_NUMBER = {tag: number for number, tag in enumerate(_TAGS)}
_PRICE = re.compile(r"[$€£¥₹]\s?\d|\d\s?(?:€|£|kr|zł|USD|EUR)")
_FORUM_PATH = re.compile(r"forum|thread|topic|/t/|discuss|communit|question|comments|/d/", re.IGNORECASE)
_PRODUCT_PATH = re.compile(r"/products?/|/dp/|/p/|/itm|/item|/ip/|/shop/", re.IGNORECASE)
_CLASS_WORD = re.compile(r"[a-z]{3,}|[A-Z][a-z]{2,}|[A-Z]{3,}(?![a-z])")
_MAX_CLASS_CHARS = 300
MAX_SHORT_WORDS = 8
_MAX_DISTANCE = 50

_INSIDE = ("words_share", "link_share_in", "prose_share", "words_a_block")
SIGNALS = (
    # the block itself
    "words", "link_share", "digit_share", "tag", "same_text", "title_share", "short_leaning",
    # where it stands
    "place", "words_before", "after_h1", "after_h1_share", "after_heading", "heading_leaning", "prose_before",
    "prose_through", "since_prose", "until_prose",
    # what surrounds it
    "next_tag", "next_words", "previous_words", "words_3", "link_share_3", "words_8", "link_share_8", "words_20",
    "link_share_20",
    # the boxes it is in
    "depth", "leaning_own", "leaning_least", "leaning_most", "leaning_total", "leaning_near",
    "below_40", "below_60",
    *(f"{what}_{level}" for level in (0, 1, 2, 3, 4) for what in _INSIDE),
    "siblings_0", "siblings_1", "siblings_2",
    # blocks of the same look
    "peers", "peer_words_share", "peer_words", "peer_link_share", "repeats", "repeat_words", "repeat_link_share",
    *LANDMARKS,
    # the page
    "page_words", "page_link_share", "page_prose_share", "page_blocks", "page_p", "page_li", "page_cells", "page_pre",
    "page_prices",
    "page_has_main", "path_forum", "path_product", "kind_article", "kind_product", "kind_forum",
)  # fmt: skip
"""The names of what `signals` measures, in its order."""


class Lexicon(NamedTuple):
    """How far a word leans to main content (above 0) or away from it, in log odds, by where it is read."""

    class_words: dict[str, float]  # in class names and ids of boxes
    heading_words: dict[str, float]  # in the heading above a block
    short_words: dict[str, float]  # in blocks of a few words


class Leaning(NamedTuple):
    """What the class names of a box and of those around it say of its content."""

    own: float = 0.0
    least: float = 0.0
    most: float = 0.0
    total: float = 0.0
    near: float = 0.0  # total, with distance discounted


def class_words(names: str) -> frozenset[str]:
    """The words in class names and ids: `postBody post-body_x1` has post and body."""
    return frozenset(word.lower() for word in _CLASS_WORD.findall(names[:_MAX_CLASS_CHARS]))


def signals(page: Page, lexicon: Lexicon, title: str, kinds: frozenset[str], url: str) -> list[list[float]]:
    """Measure every block of `page`: a row each, a column for each of `SIGNALS`."""
    boxes, blocks = page.boxes, page.blocks
    body = boxes[0]
    count, total, prose = len(blocks), max(body.words, 1), max(body.prose, 1)
    whole = _page(body, boxes, blocks, kinds, url)
    below_40, below_60 = _below(boxes, 0.4 * prose), _below(boxes, 0.6 * prose)
    inside = {box: _inside(box, total, prose) for box in boxes}
    leanings = _leanings(boxes, lexicon.class_words)
    repeats = _repeats(boxes)
    landmarks = {
        bits: [float(bits >> place & 1) for place in range(len(LANDMARKS))]
        for bits in {box.landmarks for box in boxes}
    }
    peers = _peers(blocks)
    same: dict[str, int] = {}
    for block in blocks:
        same[block.text] = same.get(block.text, 0) + 1
    words, links, prose_words = [0], [0], [0]  # running totals
    for block in blocks:
        words.append(words[-1] + block.words)
        links.append(links[-1] + block.links)
        prose_words.append(prose_words[-1] + block.prose)
    since, until = _distances([block.prose > 0 for block in blocks])
    tags = [_TAG_NUMBER.get(block.box.tag, -1) for block in blocks]
    h1 = next((i for i, b in enumerate(blocks) if b.box.tag == "h1"), None)
    if h1 is None:
        h1 = next((i for i, b in enumerate(blocks) if b.box.tag in HEADINGS), 0)
    title_words = set(WORD.findall(title.lower()))

    rows: list[list[float]] = []
    heading, heading_leaning = -1, 0.0
    for i, block in enumerate(blocks):
        box, text = block.box, block.text
        own = WORD.findall(text.lower()) if block.words < 40 else []
        short = own if block.words <= MAX_SHORT_WORDS else []
        if box.tag in HEADINGS:
            heading, heading_leaning = i, sum(lexicon.heading_words.get(word, 0.0) for word in own[:MAX_SHORT_WORDS])
        row: list[float] = [
            block.words,
            block.links / (block.words or 1),
            sum(map(str.isdigit, text[:100])) / min(len(text), 100),
            tags[i],
            same[text],
            len(title_words.intersection(own)) / (len(title_words) or 1),
            sum(lexicon.short_words.get(word, 0.0) for word in short),
            i / count,
            words[i] / total,
            i - h1,
            (i - h1) / count,
            i - heading if heading >= 0 else -1,
            heading_leaning,
            prose_words[i] / prose,
            prose_words[i + 1] / prose,
            since[i],
            until[i],
            tags[i + 1] if i + 1 < count else -2,
            blocks[i + 1].words if i + 1 < count else -1,
            blocks[i - 1].words if i else -1,
        ]
        for reach in (3, 8, 20):
            first, last = max(0, i - reach), min(count, i + reach + 1)
            near = words[last] - words[first]
            row += (near / (last - first), (links[last] - links[first]) / (near or 1))
        row += (box.depth, *leanings[box], below_40[box], below_60[box])
        outer = box
        siblings = []
        for level in range(5):
            row += inside[outer]
            if level < 3:
                siblings.append(outer.parent.children[outer.key] if outer.parent else 0)
            outer = outer.parent or outer
        row += siblings
        number, peer_words, peer_links = peers[look(box)]
        row += (number, peer_words / total, peer_words / number, peer_links / (peer_words or 1), *repeats[box])
        row += landmarks[box.landmarks]
        row += whole
        rows.append(row)
    return rows


def _page(body: Box, boxes: list[Box], blocks: list[Block], kinds: frozenset[str], url: str) -> list[float]:
    tags = [block.box.tag for block in blocks]
    path = urlsplit(url).path
    return [
        log1p(body.words),
        body.links / (body.words or 1),
        body.prose / (body.words or 1),
        len(blocks),
        tags.count("p"),
        tags.count("li"),
        tags.count("td") + tags.count("th"),
        tags.count("pre"),
        sum(1 for block in blocks if block.words < 40 and _PRICE.search(block.text)),
        float(any(box.landmarks & 1 for box in boxes)),
        float(bool(_FORUM_PATH.search(path))),
        float(bool(_PRODUCT_PATH.search(path))),
        float(any("article" in kind or "posting" in kind for kind in kinds)),
        float(any("product" in kind or "offer" in kind for kind in kinds)),
        float(any("discussion" in kind or "qapage" in kind or "question" in kind for kind in kinds)),
    ]


def _leanings(boxes: list[Box], class_leanings: dict[str, float]) -> dict[Box, Leaning]:
    """What class names say of each box."""
    of_names: dict[str, float] = {}
    leanings: dict[Box, Leaning] = {}
    for box in boxes:
        if box.names not in of_names:
            of_names[box.names] = sum(class_leanings.get(word, 0.0) for word in class_words(box.names))
        own = of_names[box.names]
        outer = leanings[box.parent] if box.parent else Leaning()
        near = 0.7 * outer.near + own
        leanings[box] = Leaning(own, min(own, outer.least), max(own, outer.most), outer.total + own, near)
    return leanings


def _below(boxes: list[Box], least_prose: float) -> dict[Box, int]:
    """How far each box is below the innermost box with that much prose; -1 outside of it."""
    innermost = boxes[0]
    for box in boxes:
        if box.prose >= least_prose and box.depth > innermost.depth:
            innermost = box
    below: dict[Box, int] = {}
    for box in boxes:
        above = below[box.parent] if box.parent else -1
        below[box] = 0 if box is innermost else above + 1 if above >= 0 else -1
    return below


def _inside(box: Box, total: int, prose: int) -> tuple[float, float, float, float]:
    return box.words / total, box.links / (box.words or 1), box.prose / prose, box.words / (box.blocks or 1)


def _repeats(boxes: list[Box]) -> dict[Box, tuple[float, float, float]]:
    """For each box, the most often repeated one of those around it: how often, its words, its share of links."""
    repeats: dict[Box, tuple[float, float, float]] = {boxes[0]: (1, 0, 0)}
    for box in boxes[1:]:
        assert box.parent
        number = box.parent.children[box.key]
        outer = repeats[box.parent]
        repeats[box] = (number, box.words, box.links / (box.words or 1)) if number > outer[0] else outer
    return repeats


def look(box: Box) -> tuple[tuple[str, str], tuple[str, str] | None]:
    """What makes boxes look alike: their own and their parent's tag and class."""
    return box.key, box.parent.key if box.parent else None


def _peers(blocks: list[Block]) -> dict[tuple[tuple[str, str], tuple[str, str] | None], tuple[int, int, int]]:
    """For each look, its blocks, their words, their words of links."""
    peers: dict[tuple[tuple[str, str], tuple[str, str] | None], tuple[int, int, int]] = {}
    for block in blocks:
        key = look(block.box)
        number, words, links = peers.get(key, (0, 0, 0))
        peers[key] = number + 1, words + block.words, links + block.links
    return peers


def _distances(prose: list[bool]) -> tuple[list[int], list[int]]:
    """For each block, how many blocks ago prose was, and after how many it comes next."""

    def since(marks: list[bool]) -> list[int]:
        ago, distances = _MAX_DISTANCE, []
        for mark in marks:
            ago = min(ago + 1, _MAX_DISTANCE)
            distances.append(ago)
            if mark:
                ago = 0
        return distances

    return since(prose), since(prose[::-1])[::-1]
