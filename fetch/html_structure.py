"""What is kept beside the chosen blocks of a page, so that its structure stays whole: rules over boxes, none learned.

A choice by the odds of single blocks takes a table without its short cells, a text without the code it speaks of, a
section without its heading. Here each is made whole again, where it belongs to what was chosen.
"""

from collections import Counter
from collections.abc import Callable, Iterable
from itertools import accumulate

from .html_blocks import HEADINGS, LANDMARK_BITS, Block, Box, Page

_LISTS = frozenset(("ul", "ol", "dl", "menu"))
_GRIDS = _LISTS | {"table"}
_DATA = _GRIDS | {"pre"}
_MENUS = _LISTS | {"td"}
_STRUCTURES = _DATA | {"blockquote", "figure", "figcaption"}
_PARTS = frozenset(("li", "dt", "dd", "td", "th"))
_CONTROLS = frozenset(("form", "button", "label"))
_NO_PART_HOLDS = HEADINGS | _CONTROLS | {"table"}  # else it is layout, or a list of cards or posts
_MAX_PART_WORDS = 200
_MAX_BLOCKS_A_PART = 1.5
_LINKS = 0.8  # of its words: what has more is a menu
_MOSTLY = 0.8  # of its running text: a box that keeps so much is content, and so are the structures in it
_SMALL_WORDS = 200
_MAX_ASTRAY = 0.2  # of the chosen words: with more of them in landmarks, those do not mean what they say
_CODE_LEVELS = 2

_NAV, _MAIN = LANDMARK_BITS["nav"], LANDMARK_BITS["main"]
_ALWAYS_ASIDE = _NAV | LANDMARK_BITS["aside"] | LANDMARK_BITS["dialog"] | LANDMARK_BITS["hidden"]
_PAGE_ASIDE = LANDMARK_BITS["header"] | LANDMARK_BITS["footer"]


def whole(page: Page, chosen: list[bool]) -> list[bool]:
    """Which blocks of `page` to keep, given which were `chosen` for their content: one of each for each block.

    Links of the navigation go. A small page keeps all but its landmarks and menus. Of any other, tables and lists of
    which something is kept are kept whole, code stays in the text around it, and every structure stays that is beside
    kept text in a box of which most is kept. A heading stays above what is kept. Nothing is added out of landmarks or
    menus.
    """
    aside, parts = landmarks(page.boxes)
    kept = [
        keep and not (block.box.landmarks & _NAV and _is_links(block))
        for keep, block in zip(chosen, page.blocks, strict=True)
    ]
    if not any(kept):
        return chosen
    if _is_small(page, aside, kept):
        aside = _with_menus(page, aside, parts)
        kept = [_stays_on_small(block, keep, aside) for block, keep in zip(page.blocks, kept, strict=True)]
    else:
        _keep_structures(kept, page, aside)
    _keep_headings(kept, page, aside)
    return kept if any(kept) else chosen


def landmarks(boxes: list[Box]) -> tuple[set[Box], set[Box]]:
    """The boxes that stand aside, and those that stand in parts of the page: in an article, a section, the main part.

    Aside are navigation, asides, dialogs, what is hidden, and the header and footer of the page. The header or footer
    of a part belongs to that part, and not to the page (HTML-AAM 1.0, `header`).
    """
    aside: set[Box] = set()
    parts: set[Box] = set()
    for box in boxes[1:]:
        assert box.parent
        own = box.landmarks & ~box.parent.landmarks
        if box.parent in aside or own & _ALWAYS_ASIDE or (own & _PAGE_ASIDE and box.parent not in parts):
            aside.add(box)
        if box.parent in parts or box.tag in ("article", "section") or own & _MAIN:
            parts.add(box)
    return aside, parts


def _is_links(of: Block | Box) -> bool:
    return of.links >= _LINKS * of.words


def _is_small(page: Page, aside: set[Box], kept: list[bool]) -> bool:
    """Whether the page is a short plain text with landmarks around it."""
    if sum(block.words for block in page.blocks if block.box not in aside) >= _SMALL_WORDS:
        return False
    if any(box.tag in _CONTROLS and box not in aside for box in page.boxes):
        return False
    chosen = [block for block, keep in zip(page.blocks, kept, strict=True) if keep]
    astray = sum(block.words for block in chosen if block.box in aside)
    return astray <= _MAX_ASTRAY * sum(block.words for block in chosen)


def _with_menus(page: Page, aside: set[Box], parts: set[Box]) -> set[Box]:
    """`aside`, and the lists and cells of links outside the parts of a page, unless most of the page is links."""
    ours = [block for block in page.blocks if block.box not in aside]
    if 2 * sum(block.links for block in ours) > sum(block.words for block in ours):
        return aside
    aside = set(aside)
    for box in page.boxes[1:]:
        if box.parent in aside or (box.tag in _MENUS and box.blocks and box not in parts and _is_links(box)):
            aside.add(box)
    return aside


def _stays_on_small(block: Block, chosen: bool, aside: set[Box]) -> bool:
    """Whether a block of a small page stays: its text does, lone links if chosen, headings by what is below them."""
    if block.box.tag in HEADINGS:
        return chosen and block.box.tag == "h1"
    return block.box not in aside and (chosen or not _is_links(block))


def _keep_structures(kept: list[bool], page: Page, aside: set[Box]) -> None:
    regular = _regular(page.boxes)
    structures = [
        box
        for box in page.boxes
        if (box in regular if box.tag in _GRIDS else box.tag in _STRUCTURES)
        and box.blocks
        and box not in aside
        and not _is_links(box)
    ]

    def keep(boxes: Iterable[Box]) -> None:
        for box in boxes:
            for i in box.span:
                kept[i] = kept[i] or page.blocks[i].box not in aside

    chosen = _totals(kept)
    keep(box for box in structures if box.tag in _GRIDS and chosen(box))
    keep(box for box in structures if box.tag == "pre" and chosen(_around_code(box)))
    keep(_in_content(structures, kept, page, aside))


def _regular(boxes: list[Box]) -> set[Box]:
    """The boxes whose cells or items are short and simple, as those of data are, and of layout are not."""
    parts: Counter[Box] = Counter()
    irregular: set[Box] = set()
    for box in reversed(boxes[1:]):
        assert box.parent
        is_part = box.tag in _PARTS
        parts[box.parent] += parts[box] + is_part
        if box in irregular or box.tag in _NO_PART_HOLDS or (is_part and box.words > _MAX_PART_WORDS):
            irregular.add(box.parent)
    return {box for box in boxes if box not in irregular and box.blocks <= _MAX_BLOCKS_A_PART * parts[box]}


def _container(box: Box, size: Callable[[Box], int]) -> Box | None:
    """The innermost box around `box` that holds more than it by `size`, if there is one."""
    outer = box.parent
    while outer and size(outer) == size(box):
        outer = outer.parent
    return outer


def _around_code(box: Box) -> Box:
    """The box whose text the code in `box` belongs to: past the one that holds its file name or its buttons."""
    for _ in range(_CODE_LEVELS):
        box = _container(box, _blocks) or box
    return box


def _in_content(structures: list[Box], kept: list[bool], page: Page, aside: set[Box]) -> list[Box]:
    """Those of `structures` that stand in a box most of whose running text is kept, with some of it beside them."""
    data = {i for box in structures if box.tag in _DATA for i in box.span}
    blocks = list(zip(page.blocks, kept, strict=True))
    counts = [keep or not (i in data or block.box in aside) for i, (block, keep) in enumerate(blocks)]
    running = _totals(block.words * count for (block, _), count in zip(blocks, counts, strict=True))
    content = _totals(block.words * keep for block, keep in blocks)
    mostly: set[Box] = set()
    for box in page.boxes:
        if box.parent in mostly or 0 < content(box) >= _MOSTLY * running(box):
            mostly.add(box)
    text = _totals(block.words * (block.box.tag not in HEADINGS) for block, _ in blocks)
    kept_text = _totals(block.words * (keep and block.box.tag not in HEADINGS) for block, keep in blocks)
    return [
        box
        for box in structures
        if box in mostly and (outer := _container(box, text)) and kept_text(outer) > kept_text(box)
    ]


def _totals(values: Iterable[int]) -> Callable[[Box], int]:
    """What the blocks in a box sum up to, given the value of each block of the page."""
    totals = list(accumulate(values, initial=0))
    return lambda box: totals[box.first + box.blocks] - totals[box.first]


def _blocks(box: Box) -> int:
    return box.blocks


def _keep_headings(kept: list[bool], page: Page, aside: set[Box]) -> None:
    """Keep each heading of which something is kept before the next one of its rank, in the box that it stands in.

    From the last to the first, so that a heading kept for its text keeps the one above it.
    """
    headings = [box for box in page.boxes if box.tag in HEADINGS and box.blocks and box not in aside]
    ranks = {box.first: box.tag for box in headings}
    for heading in reversed(headings):
        around = _container(heading, _blocks)
        if around is None or kept[heading.first]:
            continue
        for i in range(heading.span.stop, around.span.stop):
            if i in ranks and ranks[i] <= heading.tag:
                break
            if kept[i]:
                for part in heading.span:
                    kept[part] = True
                break
