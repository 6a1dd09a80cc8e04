"""Digest: how many questions have their answer in what the digest quotes, and what a question costs.

`python bench/digest.py --data DIR` reads XQuAD (`DIR/digest/xquad.*.json`, the format of SQuAD). A page is an
article: its title and all its paragraphs, not only the one that holds the answer.
"""

import argparse
import json
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from gofer.fetch.digest import ANSWER_SENTENCES, digest, pick_answers
from gofer.fetch.sentences import split_sentences

AIMS = {"en": 0.92, "de": 0.87}


def articles(path: Path) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """Each article as Markdown, with its questions."""
    for article in json.loads(path.read_text())["data"]:
        paragraphs = article["paragraphs"]
        text = "\n\n".join(paragraph["context"] for paragraph in paragraphs)
        yield f"# {article.get('title', '')}\n\n{text}", [qa for paragraph in paragraphs for qa in paragraph["qas"]]


def measure(path: Path, language: str) -> bool:
    """Print one line; whether the aim is reached, where there is one."""
    found = total = sentences_total = 0
    elapsed_s = 0.0
    same = True
    for text, questions in articles(path):
        sentences = split_sentences(text, language)
        sentences_total += len(sentences)
        for qa in questions:
            started = time.perf_counter()
            picked = pick_answers(sentences, qa["question"])
            elapsed_s += time.perf_counter() - started
            total += 1
            found += any(answer["text"] in sentences[at].text for answer in qa["answers"] for at in picked)
        question = questions[0]["question"]
        same = same and digest(text, question=question) == digest(text, question=question)
    share = found / total
    aim = AIMS.get(language)
    print(
        f"{language}: {share:.4f} of {total} questions answered in {ANSWER_SENTENCES} sentences"
        f"{f' (aim {aim})' if aim else ''}, {elapsed_s / total * 1e3:.2f} ms a question, "
        f"{sentences_total} sentences, the same twice: {same}"
    )
    return same and (aim is None or share >= aim)


def main() -> int:
    """Measure every language there is data for; exit 1 if an aim is missed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="the folder that holds digest/xquad.*.json")
    files = sorted((parser.parse_args().data / "digest").glob("xquad.*.json"))
    if not files:
        parser.error("no digest/xquad.*.json in that folder")
    reached = [measure(path, path.name.split(".")[1]) for path in files]
    return 0 if all(reached) else 1


if __name__ == "__main__":
    sys.exit(main())
