"""Cuts the embedded corpus from a larger Wikipedia text: `python research/corpus.py enwiki.txt.xz OUT`.

Whole articles, in file order, one sentence a line, blank line between articles, until there is enough for
1,000 segments of 128 pieces of the embedded tokenizer.
"""

import lzma
import sys
from collections.abc import Iterator
from pathlib import Path

from attlas.corpora.documents import sentences
from attlas.corpora.segments import make_segments
from attlas.subject import load

WANTED = 1_050  # a margin over 1,000


def articles(path: str) -> Iterator[list[str]]:
    with lzma.open(path, "rt", encoding="utf-8") as file:
        article: list[str] = []
        for line in file:
            if line.strip():
                article += sentences(line.strip())
            elif article:
                yield article
                article = []
        if article:
            yield article


def main(source: str, target: str) -> None:
    tokenizer = load("mini").tokenizer
    kept: list[list[str]] = []
    segments = 0
    for article in articles(source):
        kept.append(article)
        segments += len(make_segments([article], tokenizer))
        if segments >= WANTED:
            break
    Path(target).write_text("\n\n".join("\n".join(a) for a in kept) + "\n", encoding="utf-8")
    print(f"{len(kept)} articles, {segments} segments")


if __name__ == "__main__":
    main(*sys.argv[1:])
