"""Tokens a second of the pass that `attlas map` makes over a corpus, beside a bare forward loop.

    python benchmarks/throughput.py [--tokens 1000000] [--length 128]

Both read the same segments of random words with the embedded tokenizer, cut into the same batches: the bare
loop tokenises, pads, moves to the GPU and runs the model with plain SDPA; the other takes every surface
statistic as well. The model has BERT-base's size and random weights, in bfloat16 on a GPU.
"""

from __future__ import annotations

import argparse
import random
import time
from pathlib import Path

import torch
import transformers

import attlas
from attlas.corpora.classes import TokenClasses
from attlas.corpora.segments import Segment, batches, collate, make_segments
from attlas.engines.local import Pass, run
from attlas.reducers import surface
from attlas.subject import Subject

TOKENS_IN_A_BATCH = 32_768


def words(tokenizer: transformers.PreTrainedTokenizerBase, tokens: int) -> list[list[str]]:
    """Documents of random words, sentences of 20."""
    rng = random.Random(0)
    known = [w for w in tokenizer.get_vocab() if w.isalpha() and w.isascii()]
    sentences = [" ".join(rng.choices(known, k=19)) + "." for _ in range(tokens // 20)]
    return [sentences[i : i + 50] for i in range(0, len(sentences), 50)]


def segments_of(subject: Subject, documents: list[list[str]], length: int, tokens: int) -> list[Segment]:
    return make_segments(documents, subject.tokenizer, length, tokens // length)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tokens", type=int, default=1_000_000)
    parser.add_argument("--length", type=int, default=128)
    given = parser.parse_args()
    device = "cuda" if torch.cuda.is_available() else "cpu"
    tokenizer = transformers.AutoTokenizer.from_pretrained(Path(attlas.__file__).parent / "data" / "mini")
    longest = max(512, given.length)
    config = transformers.BertConfig(vocab_size=len(tokenizer), max_position_embeddings=longest)
    model = transformers.BertModel(config, add_pooling_layer=False).to(device)
    subject = Subject(model.bfloat16() if device == "cuda" else model, tokenizer, "BERT-base")
    classes = TokenClasses(tokenizer)
    documents = words(tokenizer, int(given.tokens * 1.3))
    size = max(1, TOKENS_IN_A_BATCH // given.length)

    def bare(segments: list[Segment]) -> None:
        with torch.no_grad():
            for part in batches(segments, size):
                subject.model(**collate(subject, part, classes).inputs)

    def watched(segments: list[Segment]) -> None:
        run(subject, [Pass("statistics", surface(classes), segments)], size, classes)

    def wait() -> None:
        if device == "cuda":
            torch.cuda.synchronize()

    few = segments_of(subject, documents[:500], given.length, 4 * size * given.length)
    for way in (bare, watched):
        way(few)
    print(f"{'way':>8} {'tokens':>9} {'tokenise s':>10} {'run s':>7} {'tokens/s':>9} {'of it run':>9}")
    for name, way in (("bare", bare), ("attlas", watched), ("bare", bare), ("attlas", watched)):
        wait()
        start = time.perf_counter()
        segments = segments_of(subject, documents, given.length, given.tokens)
        read = time.perf_counter()
        way(segments)
        wait()
        end = time.perf_counter()
        count = sum(len(s.ids) for s in segments)
        whole, alone = count / (end - start), count / (end - read)
        print(f"{name:>8} {count:9,} {read - start:10.2f} {end - read:7.2f} {whole:9,.0f} {alone:9,.0f}")


if __name__ == "__main__":
    main()
