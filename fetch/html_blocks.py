"""A parsed page as the blocks of text a reader sees, in order, and the boxes they stand in; and back to a tree.

A block is a run of text between block-level boundaries. Nothing is judged here: see `html_signals`, `html_content`
and `html_structure`.
"""

import re
from collections.abc import Iterator
from itertools import islice

from .html_tree import Element, drop, sweep

# fmt: off
_UNSEEN = frozenset((
    "script", "style", "template", "svg", "head", "iframe", "select", "textarea", "object", "embed", "canvas",
    "audio", "video", "map", "datalist", "option", "title", "link", "meta", "input",
))
_BOXES = frozenset((
    "address", "article", "aside", "blockquote", "body", "button", "caption", "center", "dd", "details", "dialog",
    "dir", "div", "dl", "dt", "fieldset", "figcaption", "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5",
    "h6", "header", "hgroup", "hr", "label", "legend", "li", "main", "menu", "nav", "noscript", "ol", "p", "pre",
    "search", "section", "summary", "table", "tbody", "td", "tfoot", "th", "thead", "tr", "ul",
))
# fmt: on
_CELLS = frozenset(("td", "th"))
HEADINGS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))
LANDMARKS = ("main", "header", "footer", "nav", "aside", "dialog", "form", "table", "hidden", "noscript")
_LANDMARK_OF_ROLE = {
    "main": "main",
    "banner": "header",
    "contentinfo": "footer",
    "navigation": "nav",
    "menu": "nav",
    "complementary": "aside",
    "dialog": "dialog",
    "alertdialog": "dialog",
    "search": "form",
}
LANDMARK_BITS = {name: 1 << place for place, name in enumerate(LANDMARKS)}
_HIDDEN_STYLE = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden")
_CJK = r"\u3040-\u30ff\u3400-\u9fff"
WORD = re.compile(rf"[{_CJK}]{{1,2}}|[^\W{_CJK}]+")  # two Chinese or Japanese characters are about a word
_ASCII_WORD = re.compile(r"\w+")
_PROSE_WORDS = 15


class Box:
    """A block-level element, with what is in it (words, words of links, blocks, words of prose)."""

    __slots__ = (
        *("tag", "parent", "key", "names", "landmarks", "depth", "children", "first"),
        *("words", "links", "blocks", "prose"),
    )

    def __init__(self, tag: str, parent: "Box | None", key: tuple[str, str], names: str, landmarks: int) -> None:
        self.tag = tag
        self.parent = parent
        self.key = key  # its tag and class: what its look hangs on
        self.names = names  # its class names and id
        self.landmarks = landmarks  # a bit for each of LANDMARKS it is in
        self.depth: int = parent.depth + 1 if parent else 0
        self.children: dict[tuple[str, str], int] = {}  # how many of each key
        self.first = 0  # the number of its first block, if it has any
        self.words = self.links = self.blocks = self.prose = 0

    @property
    def span(self) -> range:
        """The numbers of the blocks in it."""
        return range(self.first, self.first + self.blocks)


class Block:
    """A run of text in a box: at least one word, or a mark that is none."""

    __slots__ = ("box", "links", "slots", "text", "words")

    def __init__(self, box: Box, text: str, links: int, slots: list[tuple[Element, bool]]) -> None:
        self.box = box
        self.text = text
        self.words = count_words(text)
        self.links = min(links, self.words)  # words that are part of a link
        self.slots = slots  # where its text is: (element, whether in its tail)

    @property
    def prose(self) -> int:
        """Its words if it reads like a paragraph, else 0."""
        return self.words if self.words >= _PROSE_WORDS and self.links * 3 < self.words else 0


def count_words(text: str) -> int:
    """How many words a reader would count, about."""
    return len((_ASCII_WORD if text.isascii() else WORD).findall(text))


class Page:
    """What one pass over a page finds. `boxes` is in document order, outer before inner; so is `blocks`."""

    def __init__(self, body: Element) -> None:
        self.boxes = [Box("body", None, ("body", ""), "", 0)]
        self.blocks: list[Block] = []
        self._text: list[str] = []
        self._slots: list[tuple[Element, bool]] = []
        self._links = 0
        self._read(body, self.boxes[0], False)
        self._end_block(self.boxes[0])

    def _read(self, element: Element, box: Box, linked: bool) -> None:
        if text := element.text:
            self._take(element, text, False, linked)
        for child in element:
            tag = child.tag
            if tag in _BOXES:
                self._end_block(box)
                inner = self._box(child, tag, box)
                inner.first = len(self.blocks)
                self._read(child, inner, linked)
                self._end_block(inner)
                box.words += inner.words
                box.links += inner.links
                box.blocks += inner.blocks
                box.prose += inner.prose
            elif tag == "br":
                self._text.append(" ")
            elif tag not in _UNSEEN:
                self._read(child, box, linked or tag == "a")
            if text := child.tail:
                self._take(child, text, True, linked)

    def _take(self, element: Element, text: str, tail: bool, linked: bool) -> None:
        self._text.append(text)
        if text.isspace():
            return
        self._slots.append((element, tail))
        if linked:
            self._links += count_words(text)

    def _end_block(self, box: Box) -> None:
        if not self._text:
            return
        if text := " ".join("".join(self._text).split()):
            block = Block(box, text, self._links, self._slots)
            self.blocks.append(block)
            box.words += block.words
            box.links += block.links
            box.blocks += 1
            box.prose += block.prose
        self._text, self._slots, self._links = [], [], 0

    def _box(self, element: Element, tag: str, parent: Box) -> Box:
        names = element.get("class", "")
        key = (tag, names)
        if identity := element.get("id"):
            names = f"{names} {identity}"
        landmarks = parent.landmarks | LANDMARK_BITS.get(tag, 0)
        for name, value in element.items():
            if name == "role":
                landmarks |= LANDMARK_BITS.get(_LANDMARK_OF_ROLE.get(value, ""), 0)
            elif (
                name == "hidden"
                or (name == "aria-hidden" and value == "true")
                or (name == "style" and _HIDDEN_STYLE.search(value))
            ):
                landmarks |= LANDMARK_BITS["hidden"]
        box = Box(tag, parent, key, names, landmarks)
        parent.children[key] = parent.children.get(key, 0) + 1
        self.boxes.append(box)
        return box


def prune(body: Element, blocks: list[Block], kept: list[bool]) -> None:
    """Leave in `body` the blocks that are `kept`, the elements they stand in, and the images beside those."""
    holding, emptied = {body}, {body}
    for block, keep in zip(blocks, kept, strict=True):
        for element, tail in block.slots:
            holder = element.getparent() if tail else element
            if keep:
                holding.update(_until(holder, holding))
            else:
                emptied.update(_until(holder, emptied))
                if tail:
                    element.tail = None
                else:
                    element.text = None
    _prune(body, holding, emptied)
    sweep(body)


def _until(element: Element | None, known: set[Element]) -> Iterator[Element]:
    """`element` and those around it, up to the first that is known."""
    while element is not None and element not in known:
        yield element
        element = element.getparent()


def _prune(element: Element, holding: set[Element], emptied: set[Element]) -> None:
    for child in element:
        if child in holding or child.tag in _CELLS:  # an empty cell holds the place of its column
            _prune(child, holding, emptied)
        elif child.tag not in ("br", "hr", "img") and (child in emptied or not _beside(child, holding)):
            drop(child)


def _beside(child: Element, holding: set[Element]) -> bool:
    """Whether a child without text is an image, and stands beside what is kept. Two or more are a gallery."""
    beside = child.getprevious() in holding or child.getnext() in holding
    return beside and sum(1 for _ in islice(child.iter("img"), 2)) == 1
