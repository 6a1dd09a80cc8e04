"""Whether a page may be parsed at all, and what is given of a page that may not: one linear pass over the text each.

Parsers, tree walks and converters are linear on pages that people make; a page can be made that is not. Its shape
is counted before anything is built from it.
"""

import html as html_entities
import re
from collections.abc import Iterator

import msgspec

MAX_CHARS = 4_000_000
MAX_TAGS = 40_000
MAX_ATTRIBUTE_PAIRS = 400_000_000  # libxml2 compares each attribute of a tag with all before it: about 1 ns a pair
_LONG_TAG_CHARS = 1_000  # shorter ones have too few attributes to matter

# A start tag as the HTML standard's tokenizer reads it (section 13.2.5), so that no quoting hides attributes.
_ATTRIBUTE = re.compile(r"""[\s/]*+=?+[^\s/>=]++(?:\s*+=\s*+(?:"[^"]*+"|'[^']*+'|[^\s>"'][^\s>]*+)?)?""")
_START_TAG = re.compile(rf"<[a-zA-Z][^\s/>]*+(?:{_ATTRIBUTE.pattern}){{0,20}}")  # re holds 200 bytes for each
_OPAQUE = re.compile(r"<(script|style|template|noscript|svg|iframe|textarea|select|title)\b|<!--", re.IGNORECASE)
_BLOCK_TAG = re.compile(
    r"</?(?:address|article|aside|blockquote|body|br|caption|center|dd|details|div|dl|dt|fieldset|figcaption|figure"
    r"|footer|form|h[1-6]|header|hr|html|legend|li|main|nav|ol|option|p|pre|section|summary|table|tbody|tfoot|thead"
    r"|tr|ul)\b[^<>]*>",
    re.IGNORECASE,
)
_OTHER_TAG = re.compile(r"<[!/?a-zA-Z][^<>]*>")
_SPACES = re.compile(r"[^\S\n]+")
_BREAKS = re.compile(r" ?\n[ \n]*")
_TITLE = re.compile(r"<title\b[^<>]*>([^<]{0,1000})", re.IGNORECASE)


class Shape(msgspec.Struct, frozen=True):
    """How large a page is in what parsers pay for."""

    tags: int  # start tags
    attribute_pairs: int  # the sum of the squares of how many attributes each long tag has

    @property
    def tame(self) -> bool:
        """Whether parsing and converting such a page takes time in proportion to its size."""
        return self.tags <= MAX_TAGS and self.attribute_pairs <= MAX_ATTRIBUTE_PAIRS


def shape(html: str) -> Shape:
    """Count what `html` would cost a parser. Depth is not counted: libxml2 itself stops at 256."""
    tags = pairs = 0
    for start, end in _start_tags(html):
        tags += 1
        if end - start > _LONG_TAG_CHARS:
            pairs += (sum(1 for _ in _ATTRIBUTE.finditer(html, start, end)) - 1) ** 2  # less the tag's name
    return Shape(tags, pairs)


def _start_tags(html: str) -> Iterator[tuple[int, int]]:
    end = 0
    while tag := _START_TAG.search(html, end):
        end = tag.end()
        while more := _ATTRIBUTE.match(html, end):
            end = more.end()
        yield tag.start(), end


def title_of(html: str) -> str | None:
    """The page's title, found without parsing."""
    match = _TITLE.search(html)
    return " ".join(html_entities.unescape(match[1]).split()) or None if match else None


def plain_text(html: str) -> str:
    """All visible text of `html`, a line for each block, found without parsing."""
    text = _BLOCK_TAG.sub("\n", "".join(_shown(html)))
    text = html_entities.unescape(_OTHER_TAG.sub("", text)).replace("\0", "")
    return _BREAKS.sub("\n\n", _SPACES.sub(" ", text)).strip()


def _shown(html: str) -> list[str]:
    """The parts of `html` outside comments and elements whose content is not text; an unclosed one hides the rest."""
    parts, at = [], 0
    while match := _OPAQUE.search(html, at):
        parts.append(html[at : match.start()])
        closing = re.compile(rf"</{match[1].lower()}\b[^>]*>" if match[1] else "-->", re.IGNORECASE)
        end = closing.search(html, match.end())
        if end is None:
            return parts
        at = end.end()
    parts.append(html[at:])
    return parts
