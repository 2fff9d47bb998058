"""Tokens a second from a text file to merged statistics, beside the model alone.

    python benchmarks/throughput.py [--tokens 20000000] [--length 128]

The model alone runs over batches that lie ready on the device, without statistics. `attlas map` reads the
file, cuts it into shards and segments, tokenises, and takes every surface statistic; beside a GPU the
tokenizer works ahead of the model, in processes of its own. Its two halves are measured alone as well: one
core that prepares shards, and the model with statistics over shards that are prepared. The model has
BERT-base's size and random weights, in bfloat16 on a GPU; the text is random words, a document every fifty
sentences.
"""

from __future__ import annotations

import argparse
import os
import random
import tempfile
import time
from collections.abc import Callable
from itertools import islice
from pathlib import Path

import torch
import transformers

import attlas
from attlas.corpora.batches import TOKENS_IN_A_BATCH, TokenClasses
from attlas.corpora.source import PreparedShard
from attlas.corpora.text import text_corpus
from attlas.corpora.text_source import TextSource
from attlas.engines import Pass, engine_named, run_pass
from attlas.engines.worker import run_shard
from attlas.reducers import surface
from attlas.reducers.items import Lengths, Sample
from attlas.studies.study_items import BATCHES_IN_A_SHARD
from attlas.subject import Subject

READY = 32  # batches that lie on the device


def write_words(path: Path, tokenizer: transformers.PreTrainedTokenizerBase, tokens: int) -> None:
    rng = random.Random(0)
    known = [w for w in tokenizer.get_vocab() if w.isalpha() and w.isascii()]
    sentences = [" ".join(rng.choices(known, k=19)).capitalize() + "." for _ in range(5_000)]
    with path.open("w") as file:
        for _ in range(tokens // 1_000):
            file.write(" ".join(rng.choices(sentences, k=50)) + "\n\n")


def bert_base(length: int, layers: int) -> Subject:
    device = "cuda" if torch.cuda.is_available() else "cpu"
    tokenizer = transformers.AutoTokenizer.from_pretrained(Path(attlas.__file__).parent / "data" / "mini")
    config = transformers.BertConfig(
        vocab_size=len(tokenizer), max_position_embeddings=max(512, length), num_hidden_layers=layers
    )
    model = transformers.BertModel(config, add_pooling_layer=False).to(device)
    return Subject(model.bfloat16() if device == "cuda" else model, tokenizer, "BERT-base")


def statistics_pass(subject: Subject, path: Path, length: int) -> Pass:
    """What `attlas map` takes over the whole corpus."""
    classes = TokenClasses(subject.tokenizer)
    device = subject.device.type
    tokens = BATCHES_IN_A_SHARD[device] * TOKENS_IN_A_BATCH[device]
    source = TextSource(text_corpus(path), subject.tokenizer, length, classes=classes, shard_tokens=tokens)
    return Pass("statistics", source, [surface(classes), Lengths(), Sample(200)])


def rate_alone(subject: Subject, pass_: Pass, seconds: float) -> float:
    """Tokens a second of the model without statistics, on batches that are there already."""
    prepared = pass_.source.prepare(next(iter(pass_.source.shards())))
    ready = list(islice(pass_.source.batches(subject, prepared.items), READY))
    tokens = sum(int(side.real.sum()) for batch in ready for side in batch.sides.values())

    def run() -> None:
        with torch.no_grad():
            for batch in ready:
                subject.run(batch.inputs, predictions=False)

    _seconds(run)
    times = max(1, round(seconds / _seconds(run)))
    return times * tokens / _seconds(lambda: [run() for _ in range(times)])


def rate_of_map(subject: Subject, pass_: Pass) -> tuple[float, int]:
    """Tokens a second from the file to merged statistics, and how many there were."""
    counts: dict[str, int] = {}

    def run() -> None:
        with engine_named("local") as engine:
            counts.update(run_pass(subject, pass_, engine).counts)

    took = _seconds(run)
    return counts["tokens"] / took, counts["tokens"]


def rates_of_halves(subject: Subject, pass_: Pass, shards: int = 12) -> tuple[float, float]:
    """Tokens a second that one core prepares, and that the model takes with statistics once they are."""
    prepared: list[PreparedShard] = []
    alone = _seconds(
        lambda: prepared.extend(map(pass_.source.prepare, islice(pass_.source.shards(), shards)))
    )
    tokens = sum(p.counts["tokens"] for p in prepared)
    return tokens / alone, tokens / _seconds(lambda: [run_shard(subject, pass_, p) for p in prepared])


def _seconds(run: Callable[[], object]) -> float:
    began = time.perf_counter()
    run()
    if torch.cuda.is_available():
        torch.cuda.synchronize()
    return time.perf_counter() - began


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--tokens", type=int, default=20_000_000 if torch.cuda.is_available() else 100_000)
    parser.add_argument("--length", type=int, default=128)
    parser.add_argument("--layers", type=int, default=12)
    parser.add_argument("--seconds", type=float, default=5.0, help="for the model alone")
    options = parser.parse_args()
    os.environ["TOKENIZERS_PARALLELISM"] = "false"
    subject = bert_base(options.length, options.layers)
    print(f"{'way':>32} {'tokens/s':>12} {'of the model alone':>18}")
    with tempfile.TemporaryDirectory() as folder:
        small, large = Path(folder) / "small.txt", Path(folder) / "large.txt"
        write_words(
            small, subject.tokenizer, min(options.tokens, 1_000_000 if torch.cuda.is_available() else 20_000)
        )
        write_words(large, subject.tokenizer, options.tokens)
        rate_of_map(subject, statistics_pass(subject, small, options.length))  # compiles kernels
        whole = statistics_pass(subject, large, options.length)
        for _ in range(2):
            alone = rate_alone(subject, whole, options.seconds)
            of_map, tokens = rate_of_map(subject, whole)
            preparing, from_prepared = rates_of_halves(subject, whole)
            for way, rate in (
                ("model alone", alone),
                (f"attlas map, {tokens:,} tokens", of_map),
                ("one core prepares", preparing),
                ("from prepared shards", from_prepared),
            ):
                print(f"{way:>32} {rate:12,.0f} {rate / alone:18.2f}", flush=True)


if __name__ == "__main__":
    main()
