"""The extractive digest: the sentences of a page that answer a question, or sum it up, quoted. Pure, deterministic.

Sentences are ranked by BM25 (Robertson and Zaragoza, 2009) over the character 4-grams of their words, and lent a part
of what their neighbours and their paragraph score. Four-grams find inflected and compound words in any language
without knowing which it is; on XQuAD they find more answers than stemmed words do (`bench/digest.py`).
"""

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from .sentences import Sentence, split_sentences

ANSWER_SENTENCES = 3
SUMMARY_SENTENCES = 5
MIN_GRAMS = 12  # of a sentence in a summary: "Thank you." sums up nothing
CONTEXT_SENTENCES = 2  # either side of a quoted sentence, in its passage

NEIGHBOUR_WEIGHT = 0.4
PARAGRAPH_WEIGHT = 0.4
_K1, _B = 1.2, 0.75  # BM25's usual constants


class Digest(NamedTuple):
    """A digest as Markdown; `answered` is false when nothing in the page has to do with the question."""

    text: str
    answered: bool


def digest(text: str, *, question: str = "", title: str = "", language: str = "", context: bool = False) -> Digest:
    """Quote from the Markdown `text` what answers `question`; without one, or an answer, what sums the page up.

    `language` (a BCP 47 tag or "") helps to tell abbreviations from ends of sentences. With `context` the passages
    follow that the sentences were taken from.
    """
    sentences = split_sentences(text, language)
    picked = pick_answers(sentences, question)
    answered = bool(picked)
    if not answered:
        picked = pick_summary(sentences, title)
    parts = list(_quotes([sentences[at] for at in picked]))
    if context and picked:
        parts += ["## Passages", *_passages(sentences, picked)]
    return Digest("\n\n".join(parts), answered)


def pick_answers(sentences: Sequence[Sentence], question: str, count: int = ANSWER_SENTENCES) -> list[int]:
    """The indexes of the sentences that answer `question` best, the best first; none that shares no word with it."""
    scores = _scores(sentences, question)
    best = sorted(range(len(sentences)), key=lambda at: (-scores[at], at))
    return [at for at in best[:count] if scores[at] > 0]


def pick_summary(sentences: Sequence[Sentence], title: str, count: int = SUMMARY_SENTENCES) -> list[int]:
    """The indexes of sentences about what title, headings and beginning speak of, in the page's order."""
    headings = dict.fromkeys(sentence.heading for sentence in sentences)
    theme = " ".join([title, *headings, *(sentence.text for sentence in sentences[:3])])
    # A summary is no list of the longest sentences, and a page says first what matters most.
    worth = [
        score / math.sqrt(len(sentence.text) + 40) * (1 + 1 / (1 + at))
        for at, (score, sentence) in enumerate(zip(_scores(sentences, theme), sentences, strict=True))
    ]
    picked: list[int] = []
    said: set[str] = set()
    for at in sorted(range(len(sentences)), key=lambda at: (-worth[at], at)):
        grams = set(_grams(sentences[at].text))
        if len(grams) >= MIN_GRAMS and len(grams & said) * 2 <= len(grams):  # it says something, most of it new
            picked.append(at)
            said |= grams
        if len(picked) == count:
            break
    return sorted(picked)


def _scores(sentences: Sequence[Sentence], query: str) -> list[float]:
    if not sentences:
        return []
    wanted = set(_grams(query))
    grams = [list(_grams(sentence.text)) for sentence in sentences]
    own = _bm25(grams, wanted)
    paragraphs: dict[int, list[str]] = {}
    for sentence, its in zip(sentences, grams, strict=True):
        paragraphs.setdefault(sentence.paragraph, []).extend(its)
    around = dict(zip(paragraphs, _bm25(list(paragraphs.values()), wanted), strict=True))

    def beside(at: int, other: int) -> float:
        together = 0 <= other < len(own) and sentences[other].paragraph == sentences[at].paragraph
        return own[other] if together else 0.0

    return [
        own[at]
        + NEIGHBOUR_WEIGHT * max(beside(at, at - 1), beside(at, at + 1))
        + PARAGRAPH_WEIGHT * around[sentence.paragraph]
        for at, sentence in enumerate(sentences)
    ]


def _bm25(texts: Sequence[Sequence[str]], wanted: set[str]) -> list[float]:
    """How well each of `texts`, given as grams, matches the `wanted` ones."""
    counts = [Counter(gram for gram in text if gram in wanted) for text in texts]
    found_in = Counter(gram for count in counts for gram in count)
    weight = {gram: math.log(1 + (len(texts) - n + 0.5) / (n + 0.5)) for gram, n in found_in.items()}
    mean_length = sum(map(len, texts)) / len(texts) or 1.0
    scores = []
    for text, count in zip(texts, counts, strict=True):
        spread = _K1 * (1 - _B + _B * len(text) / mean_length)
        scores.append(sum(weight[gram] * n * (_K1 + 1) / (n + spread) for gram, n in count.items()))
    return scores


# Scripts that put no spaces between words, or very short words: their bigrams are what four-grams are elsewhere.
_DENSE = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff"
# Marks that are part of a word, which \w leaves out: combining accents, Hebrew and Arabic points, Indic vowels.
_MARKS = "\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0900-\u0dff"
_WORD = re.compile(f"([{_DENSE}]+)|(?:[^\\W{_DENSE}]|[{_MARKS}])+")


def _grams(text: str) -> Iterator[str]:
    for word in _WORD.finditer(unicodedata.normalize("NFKC", text).casefold()):
        letters, size = (word[0], 2) if word[1] else (f" {word[0]} ", 4)  # the spaces tell beginnings and ends
        for at in range(max(len(letters) - size + 1, 1)):
            yield letters[at : at + size]


def _quotes(sentences: Iterable[Sentence]) -> Iterator[str]:
    """The sentences as block quotes, with their heading beneath; neighbours under one heading share it."""
    for heading, together in groupby(sentences, key=lambda sentence: sentence.heading):
        quoted = "\n>\n".join(f"> {sentence.text}" for sentence in together)
        yield f"{quoted}\n> — {heading}" if heading else quoted


def _passages(sentences: Sequence[Sentence], picked: Iterable[int]) -> Iterator[str]:
    """The quoted sentences among those around them in their paragraphs, in the page's order."""
    shown = {
        at
        for pick in picked
        for at in range(max(pick - CONTEXT_SENTENCES, 0), min(pick + CONTEXT_SENTENCES + 1, len(sentences)))
        if sentences[at].paragraph == sentences[pick].paragraph
    }
    passage: list[str] = []
    heading = ""
    for at in sorted(shown):
        sentence = sentences[at]
        if sentence.heading != heading:
            if passage:
                yield " ".join(passage)
            passage = []
            heading = sentence.heading
            if heading:
                yield f"### {heading}"
        elif passage and (at - 1 not in shown or sentence.paragraph != sentences[at - 1].paragraph):
            yield " ".join(passage)
            passage = []
        passage.append(sentence.text)
    if passage:
        yield " ".join(passage)
