"""A text or Markdown page as its sentences, each with the heading and paragraph it stands in. Pure."""

import re
from collections.abc import Iterator
from typing import NamedTuple

import sentencex

MAX_TEXT_CHARS = 4_000_000
MAX_SENTENCES = 20_000
MAX_SENTENCE_CHARS = 500  # what is longer (Thai has no full stop, tables have none) is divided at a space
_CHUNK_CHARS = 5_000  # the splitter takes quadratic time on some punctuation


class Sentence(NamedTuple):
    """A sentence without its markup, the nearest heading above it or "", and its paragraph, numbered from 0."""

    text: str
    heading: str
    paragraph: int


def split_sentences(text: str, language: str = "") -> list[Sentence]:
    """The sentences of the first `MAX_TEXT_CHARS` of `text`, `MAX_SENTENCES` at most, in order.

    `language` is a BCP 47 tag, or "" when it isn't known; it tells abbreviations from the ends of sentences.
    """
    sentences: list[Sentence] = []
    code = language.split("-")[0].lower() or "en"
    for paragraph, (heading, lines) in enumerate(_paragraphs(text[:MAX_TEXT_CHARS])):
        for line in lines:
            for at in range(0, len(line), _CHUNK_CHARS):
                for whole in sentencex.segment(code, line[at : at + _CHUNK_CHARS]):
                    sentences.extend(Sentence(part, heading, paragraph) for part in _divide(whole.strip()))
        if len(sentences) >= MAX_SENTENCES:
            return sentences[:MAX_SENTENCES]
    return sentences


_HEADING = re.compile(r" {0,3}#{1,6}\s+(.*?)\s*#*$")
_ITEM = re.compile(r"\s*(?:[-*+]|\d{1,4}[.)])\s+|\s*>\s?|\s*\|")
_RULE = re.compile(r"[\s|:*_=-]*$")
_FENCE = ("```", "~~~")


def _paragraphs(text: str) -> Iterator[tuple[str, list[str]]]:
    """Each paragraph's heading and its lines: a wrapped one is joined to that before, an item or row is its own."""
    heading = ""
    lines: list[str] = []
    for raw in text.split("\n"):
        found = _HEADING.match(raw)
        if (found or not raw.strip()) and lines:
            yield heading, lines
            lines = []
        if found:
            heading = _unmark(found[1])
        elif not _RULE.match(raw) and not raw.lstrip().startswith(_FENCE):
            item = _ITEM.match(raw)
            line = _unmark(raw[item.end() :] if item else raw)
            if item or not lines:
                lines.append(line)
            else:
                lines[-1] += " " + line
    if lines:
        yield heading, lines


# What may stand in a target excludes what begins another, or a line of beginnings would take quadratic time. It
# has at most 50 parts, for each of which re holds memory.
_TARGET = r"\((?:[^()\s]++|\([^()\s]*+\)){0,50}(?:\s++\"[^\"]*+\")?\)"
_IMAGE = re.compile(r"!\[[^\[\]]*+\]" + _TARGET)
_LINK = re.compile(r"\[([^\[\]]*+)\]" + _TARGET)
_EMPHASIS = re.compile(r"(?<!\\)(?:\*{1,3}(?=\S)|(?<=\S)\*{1,3}|(?<!\w)_{1,3}(?=\S)|(?<=\S)_{1,3}(?!\w)|`)")
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")


def _unmark(line: str) -> str:
    """What a reader of the rendered line would see."""
    line = _LINK.sub(r"\1", _IMAGE.sub("", line))
    return _ESCAPE.sub(r"\1", _EMPHASIS.sub("", line)).replace(" | ", " · ").rstrip("| ").strip()


def _divide(sentence: str) -> Iterator[str]:
    while len(sentence) > MAX_SENTENCE_CHARS:
        cut = sentence.rfind(" ", 1, MAX_SENTENCE_CHARS)
        cut = cut if cut > 0 else MAX_SENTENCE_CHARS
        yield sentence[:cut]
        sentence = sentence[cut:].lstrip()
    if sentence:
        yield sentence
