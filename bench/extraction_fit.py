"""Learn `fetch/html_learned.py` from pages with known main content: the words' leanings, then the trees.

    pip install lightgbm
    python bench/extraction_fit.py --data DIR [--part tune|hold|all] [--folds]

A block is content when most of its word triples stand in the page's true content (of a short block: all of it).
Blocks weigh by their words' share in their page, so that every page counts the same, as in the score. The words'
leanings that the trees learn from are measured on other pages than those the trees see (four folds), so that the
trees do not come to trust them more than they deserve. `--folds` writes nothing and tells the score of each fold of
the part, learned on the others.
"""

import argparse
import hashlib
import math
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

import extraction
import lightgbm
import numpy
from gofer.fetch.html_blocks import HEADINGS, WORD, Block, Page
from gofer.fetch.html_content import choice
from gofer.fetch.html_meta import Metadata, metadata
from gofer.fetch.html_signals import MAX_SHORT_WORDS, SIGNALS, Lexicon, class_words, signals
from gofer.fetch.html_tree import parse

_FOLDS = 4
_MIN_PAGES = 5  # that a word must be seen on
_MIN_LEANING = 0.4
_TREES = {
    "n_estimators": 100,
    "num_leaves": 8,
    "learning_rate": 0.13,
    "min_child_samples": 60,
    "subsample": 0.7,
    "subsample_freq": 1,
    "colsample_bytree": 0.4,
    "reg_lambda": 10,
    "seed": 1,
    "deterministic": True,
    "n_jobs": 2,
    "verbose": -1,
}


class Example(NamedTuple):
    """A page, and for each of its blocks whether it is content."""

    sample: extraction.Sample
    page: Page
    about: Metadata
    content: list[bool]


def example(sample: extraction.Sample) -> Example:
    document = parse(sample.html)
    assert document is not None
    about = metadata(document)
    body = document.find("body")
    page = Page(document if body is None else body)
    truth = extraction.words(sample.truth)
    triples, line = set(zip(truth, truth[1:], truth[2:], strict=False)), f" {' '.join(truth)} "
    return Example(sample, page, about, [_is_content(block, triples, line) for block in page.blocks])


def _is_content(block: Block, triples: set[tuple[str, str, str]], line: str) -> bool:
    own = extraction.words(block.text)
    if len(own) < 5:
        return bool(own) and f" {' '.join(own)} " in line
    here = list(zip(own, own[1:], own[2:], strict=False))
    return sum(triple in triples for triple in here) * 2 >= len(here)


def fold(sample: extraction.Sample, salt: str) -> int:
    return hashlib.sha256((salt + sample.id).encode()).digest()[0] % _FOLDS


def learn_words(examples: list[Example]) -> Lexicon:
    kinds = [leanings(examples, kind) for kind in (_class_words, _heading_words, _short_words)]
    return Lexicon(*kinds)


def leanings(examples: list[Example], words_of: Any) -> dict[str, float]:
    """The log odds of content, given that `words_of` a block has the word."""
    of_content, of_rest, pages = Counter[str](), Counter[str](), Counter[str]()
    content = rest = 0.0
    for each in examples:
        seen: set[str] = set()
        for block, is_content, words in zip(each.page.blocks, each.content, words_of(each.page), strict=True):
            weight = math.sqrt(min(block.words, 60)) / 100
            counts = of_content if is_content else of_rest
            for word in words:
                counts[word] += weight  # type: ignore[assignment]
            seen.update(words)
            content, rest = content + weight * is_content, rest + weight * (not is_content)
        pages.update(seen)
    found = {
        word: round(math.log((of_content[word] + 0.5) / content) - math.log((of_rest[word] + 0.5) / rest), 1)
        for word, number in pages.items()
        if number >= _MIN_PAGES
    }
    return {word: value for word, value in sorted(found.items()) if abs(value) > _MIN_LEANING}


def _class_words(page: Page) -> Iterable[set[str]]:
    around: dict[Any, set[str]] = {None: set()}
    for box in page.boxes:
        around[box] = around[box.parent] | class_words(box.names)
    return [around[block.box] for block in page.blocks]


def _heading_words(page: Page) -> Iterable[set[str]]:
    words: set[str] = set()
    found = []
    for block in page.blocks:
        if block.box.tag in HEADINGS:
            words = set(WORD.findall(block.text.lower())[:MAX_SHORT_WORDS]) if block.words < 40 else set()
        found.append(words)
    return found


def _short_words(page: Page) -> Iterable[set[str]]:
    return [set(WORD.findall(b.text.lower())) if b.words <= MAX_SHORT_WORDS else set() for b in page.blocks]


def measure(examples: list[Example], lexicon: Lexicon) -> list[Any]:
    """The signals of the blocks of each page."""
    return [
        numpy.array(signals(each.page, lexicon, each.about.title or "", each.about.kinds, each.sample.url))
        for each in examples
    ]


def learn(examples: list[Example]) -> tuple[Lexicon, Any]:
    """The words' leanings and the trees, from `examples`."""
    rows, labels, weights = [], [], []
    examples = [each for each in examples if each.page.blocks]
    for number in range(_FOLDS):
        here = [each for each in examples if fold(each.sample, "words") == number]
        elsewhere = [each for each in examples if fold(each.sample, "words") != number]
        rows += measure(here, learn_words(elsewhere))
        for each in here:
            content = max(sum(b.words for b, y in zip(each.page.blocks, each.content, strict=True) if y), 30)
            labels += each.content
            weights += [min(max(block.words, 0.5) / content, 1) for block in each.page.blocks]
    trees = lightgbm.LGBMClassifier(**_TREES)
    scaled = numpy.array(weights) * len(weights) / sum(weights)
    trees.fit(numpy.concatenate(rows), numpy.array(labels), sample_weight=scaled)
    return learn_words(examples), trees


def judge(examples: list[Example], lexicon: Lexicon, trees: Any) -> list[tuple[str, float]]:
    """The score of the blocks that would be kept, before Markdown."""
    scores = []
    for each in examples:
        blocks = each.page.blocks
        rows = measure([each], lexicon)[0] if blocks else []
        odds = trees.predict(rows, raw_score=True).tolist() if blocks else []
        kept = choice(each.page, odds)
        text = " ".join(block.text for block, keep in zip(blocks, kept, strict=True) if keep)
        scores.append((each.sample.page_type, extraction.f1(text, each.sample.truth)))
    return scores


def written(lexicon: Lexicon, trees: Any, part: str, pages: int) -> str:
    """The module that holds what was learned."""
    lines = [
        f'"""Learned by bench/extraction_fit.py from {pages} pages; not written by hand.',
        "",
        "`PART` names the pages of the bench it was learned from: it is not to be judged on those.",
        "`LEXICON` says how words lean, and `log_odds` that a block is content: a sum of decision trees, each a nest",
        "of conditions on the block's signals `s`, in the order of `html_signals.SIGNALS`.",
        '"""',
        "",
        "from .html_signals import Lexicon",
        "",
        f'PART = "{part}"',
        "",
        "# fmt: off",
        "LEXICON = Lexicon(",
    ]
    for name, words in lexicon._asdict().items():
        lines += [f"    {name}={{", *_wrapped(f'"{word}": {value},' for word, value in words.items()), "    },"]
    lines += [")", "", "", "def log_odds(s: list[float]) -> float:"]
    lines += ['    """The log odds that the block with signals `s` is main content."""', "    return ("]
    lines += _wrapped(f"+ {_tree(each['tree_structure'])}" for each in trees.booster_.dump_model()["tree_info"])
    lines += ["    )", ""]
    return "\n".join(lines)


def _tree(node: dict[str, Any]) -> str:
    if "leaf_value" in node:
        return f"{node['leaf_value']:.3f}"
    condition = f"s[{node['split_feature']}] <= {node['threshold']:.5g}"
    return f"({_tree(node['left_child'])} if {condition} else {_tree(node['right_child'])})"


def _wrapped(items: Iterable[str]) -> list[str]:
    lines = [""]
    for piece in (piece for item in items for piece in item.split(" ")):
        if len(lines[-1]) + len(piece) > 105:
            lines.append("")
        lines[-1] += " " * bool(lines[-1]) + piece
    return ["        " + line for line in lines]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--part", choices=("tune", "hold", "all"), default="tune")
    parser.add_argument("--folds", action="store_true")
    options = parser.parse_args()
    examples = [example(sample) for sample in extraction.samples(options.data, options.part)]
    if options.folds:
        scores = []
        for number in range(_FOLDS):
            learned = learn([each for each in examples if fold(each.sample, "judge") != number])
            scores += judge([each for each in examples if fold(each.sample, "judge") == number], *learned)
        for kind, mean in extraction.means(scores).items():
            print(f"{kind:14} {mean:.4f}")
        return
    lexicon, trees = learn(examples)
    target = Path(__file__).parent.parent / "fetch" / "html_learned.py"
    target.write_text(written(lexicon, trees, options.part, len(examples)), encoding="utf-8")
    print(f"{target}: {len(trees.booster_.dump_model()['tree_info'])} trees of {len(SIGNALS)} signals")


if __name__ == "__main__":
    main()
