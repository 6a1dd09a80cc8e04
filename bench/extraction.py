"""Quality and speed of main-content extraction, ours beside the libraries', in one run.

    python bench/extraction.py --data DIR [--part tune|hold|all] [--json]

DIR holds `extraction/`: pages and what people marked as their main content. The score of a page is the F1 over the
bags of lower-cased words of our Markdown, without its syntax and link targets, and of the true content; the mean
over pages is told, for each kind of page too. Speed is pages per second of CPU of this process.

The halves `tune` and `hold` are fixed by a hash of the page's id. What is learned (`fetch/html_learned.py`) says on
which pages it was, and the table says so when they are among those it is judged on. `bench/extraction_fit.py --folds`
judges each quarter of the pages by what is learned on the others.
"""

import argparse
import gzip
import hashlib
import json
import re
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple

import msgspec
import trafilatura
from gofer.fetch.html import extract
from gofer.fetch.html_learned import PART
from resiliparse.extract.html2text import extract_plain_text
from rich.console import Console
from rich.table import Table

_WORD = re.compile(r"\w+")
_IMAGE = re.compile(r"!\[[^\]]*\]\((?:<[^>]*>|[^()\s]*(?:\([^()]*\)[^()\s]*)*)(?:\s+\"[^\"]*\")?\)")
_LINK = re.compile(r"\[([^\]]*)\]\((?:<[^>]*>|[^()\s]*(?:\([^()]*\)[^()\s]*)*)(?:\s+\"[^\"]*\")?\)")
_FENCE = re.compile(r"^```.*$", re.MULTILINE)


class Sample(NamedTuple):
    """A page, and its main content as people marked it."""

    id: str
    url: str
    page_type: str
    truth: str
    html: str


class Score(NamedTuple):
    """What one extractor reached."""

    name: str
    f1: dict[str, float]  # by kind of page, and "all"
    pages_per_cpu_s: float


EXTRACTORS: dict[str, Callable[[Sample], str]] = {
    "gofer": lambda page: plain(extract(page.html, page.url).markdown),
    "trafilatura": lambda page: trafilatura.extract(page.html, url=page.url) or "",
    "trafilatura fast": lambda page: trafilatura.extract(page.html, url=page.url, fast=True) or "",
    "resiliparse": lambda page: extract_plain_text(page.html, main_content=True),
}


def samples(data: Path, part: str) -> list[Sample]:
    """The pages of a part, in the order of the file."""
    found = []
    folder = data / "extraction"
    with gzip.open(folder / "truth.ndjson.gz") as lines:
        for line in lines:
            row = msgspec.json.decode(line)
            half = "tune" if hashlib.sha256(row["id"].encode()).digest()[0] % 2 == 0 else "hold"
            if part in ("all", half):
                html = gzip.decompress((folder / "html" / f"{row['id']}.html.gz").read_bytes())
                text = html.decode("utf-8", "replace")
                found.append(Sample(row["id"], row["url"], row["page_type"], row["main_content"], text))
    return found


def plain(markdown: str) -> str:
    """Markdown without images, link targets and fences; what else is syntax has no words."""
    return _FENCE.sub("", _LINK.sub(r"\1", _IMAGE.sub("", markdown)))


def words(text: str) -> list[str]:
    """The words that are scored."""
    return _WORD.findall(text.lower())


def f1(found: str, truth: str) -> float:
    """F1 over bags of words, 0 to 1."""
    ours, theirs = Counter(words(found)), Counter(words(truth))
    if not ours or not theirs:
        return float(ours == theirs)
    return 2 * (ours & theirs).total() / (ours.total() + theirs.total())


def means(scores: Iterable[tuple[str, float]]) -> dict[str, float]:
    """The mean score of each kind of page, and of all pages."""
    by_kind: dict[str, list[float]] = defaultdict(list)
    for kind, score in scores:
        by_kind["all"].append(score)
        by_kind[kind].append(score)
    return {kind: sum(values) / len(values) for kind, values in sorted(by_kind.items())}


def run(name: str, pages: list[Sample]) -> Score:
    """Score one extractor on `pages`; the first page is taken once before, to load what is loaded late."""
    extractor = EXTRACTORS[name]
    extractor(pages[0])
    began = time.process_time()
    texts = [extractor(page) for page in pages]
    cpu_s = time.process_time() - began
    scores = [(page.page_type, f1(text, page.truth)) for page, text in zip(pages, texts, strict=True)]
    return Score(name, means(scores), len(pages) / cpu_s)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="the folder that holds extraction/")
    parser.add_argument("--part", choices=("tune", "hold", "all"), default="hold")
    parser.add_argument("--only", choices=tuple(EXTRACTORS), action="append", help="leave the others out")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    pages = samples(options.data, options.part)
    scores = [run(name, pages) for name in options.only or EXTRACTORS]
    if options.json:
        print(
            json.dumps(
                {
                    "part": options.part,
                    "learned_from": PART,
                    "pages": len(pages),
                    "scores": [each._asdict() for each in scores],
                }
            )
        )
        return
    counts = Counter(page.page_type for page in pages)
    seen = PART == "all" or options.part in ("all", PART)
    caveat = "; gofer's choice was learned on some of these" if seen else ""
    table = Table(title=f"Mean word F1 of {len(pages)} pages (part: {options.part}{caveat})")
    table.add_column("")
    for kind in scores[0].f1:
        table.add_column(f"{kind}\n{counts.get(kind, len(pages))}", justify="right")
    table.add_column("pages\n/CPU-s", justify="right")
    for each in scores:
        row = [f"{value:.3f}" for value in each.f1.values()]
        table.add_row(each.name, *row, f"{each.pages_per_cpu_s:.1f}")
    Console(width=120).print(table)


if __name__ == "__main__":
    main()
