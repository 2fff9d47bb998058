"""One document of up to 131,072 tokens through a small Llama with every surface statistic: time and memory.

    python benchmarks/long_gpu.py [--lengths 8192 32768 131072]

Memory that grows with the length and not with its square doubles from one line to the next. The plain line is
the same forward under SDPA. Weights are random.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import torch
import transformers

import attlas
from attlas.corpora.batches import Batch
from attlas.corpora.documents import read_sentences
from attlas.corpora.text import text_corpus
from attlas.studies.surface.head_distances import Distances
from attlas.subject import Subject, load
from attlas.tap import Tap
from attlas.tap.call import Call
from attlas.tap.lazy_weights import LazyWeights
from gpu import make_batch, peak, surface_of


def small_llama(longest: int) -> Subject:
    config = transformers.LlamaConfig(
        vocab_size=32_000, hidden_size=1024, intermediate_size=2816, num_hidden_layers=4,
        num_attention_heads=16, num_key_value_heads=4, max_position_embeddings=longest,
    )  # fmt: skip
    with torch.device("cuda"):
        model = transformers.LlamaForCausalLM(config).bfloat16()
    return Subject(model, None, "small Llama")


def seconds(run: Callable[[], Any]) -> float:
    run()
    torch.cuda.synchronize()
    start = time.perf_counter()
    run()
    torch.cuda.synchronize()
    return time.perf_counter() - start


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--lengths", type=int, nargs="+", default=[8192, 16_384, 32_768, 65_536, 131_072])
    lengths = parser.parse_args().lengths
    subject = small_llama(max(lengths))
    print(f"{'tokens':>8} {'plain s':>8} {'attlas s':>8} {'ratio':>6} {'plain GiB':>9} {'attlas GiB':>10}")
    for length in lengths:
        batch = make_batch(subject, length, 1, "decoder")

        def plain(batch: Batch = batch) -> Any:
            with torch.no_grad():
                return subject.model.model(**batch.inputs, use_cache=False)

        before, memory = seconds(plain), peak(plain)
        with Tap(subject, surface_of()) as tap:
            watch = partial(tap.run, batch)
            watched, more = seconds(watch), peak(watch)
        print(f"{length:8,} {before:8.3f} {watched:8.3f} {watched / before:6.2f} {memory:9.2f} {more:10.2f}")
    distances(subject)
    second_passes(subject, max(lengths))
    whole_map(max(lengths))


def distances(subject: Subject) -> None:
    batch = make_batch(subject, 8192, 1, "decoder")
    with Tap(subject, [Distances(subject.heads)]) as tap:
        taken = seconds(lambda: tap.run(batch))
    print(f"distances of {len(subject.heads)} heads at 8,192 tokens: {taken:.2f} s")


def second_passes(subject: Subject, length: int) -> None:
    """Each pass over one layer of the longest text, beside SDPA on the same call."""
    calls: list[Call] = []
    with Tap(subject, listener=lambda call: calls or calls.append(call)) as tap:
        tap.run(make_batch(subject, length, 1, "decoder"))
    call = calls[0]
    lazy = LazyWeights.at(call)
    places = torch.randint(length, (3, 100_000), device="cuda").sort(0).values
    sdpa = partial(torch.nn.functional.scaled_dot_product_attention, is_causal=True, enable_gqa=True)
    ways = {
        "SDPA": lambda: sdpa(call.query, call.key, call.value),
        "mass received": lambda: lazy.received(torch.ones(1, length, device="cuda")),
        "strongest 1": lambda: lazy.strongest(1),
        "strongest 4": lambda: lazy.strongest(4),
        "strongest 16": lambda: lazy.strongest(16),
        "tiles of 512": lambda: lazy.tiles(512),
        "100,000 pairs": lambda: lazy.pairs(places[0] * 0, places[2], places[1]),
    }
    print(f"one layer of {length:,} tokens")
    for name, way in ways.items():
        print(f"{name:>14} {seconds(way) * 1e3:9.2f} ms, peak {peak(way):5.2f} GiB")


def whole_map(length: int) -> None:
    """`attlas map` of one document, from text to atlas."""
    subject = small_llama(length)
    subject = Subject(subject.model, load("mini").tokenizer, "small Llama")
    words = " ".join(" ".join(document) for document in read_sentences(text_corpus()))
    with TemporaryDirectory() as folder:
        text = Path(folder) / "document.txt"
        text.write_text(" ".join((words * 8).split()), encoding="utf-8")
        torch.cuda.synchronize()
        torch.cuda.reset_peak_memory_stats()
        start = time.perf_counter()
        atlas = attlas.map(
            subject, text=text, length=length, segments=1, atlas=Path(folder) / "long.attlas", progress=False
        )
        taken = time.perf_counter() - start
        size = sum(f.stat().st_size for f in (Path(folder) / "long.attlas").iterdir()) / 2**20
    memory = torch.cuda.max_memory_allocated() / 2**30
    tokens = atlas.about()["corpus"]["tokens"]
    print(f"attlas map of {tokens:,} tokens: {taken:.1f} s, {memory:.2f} GiB; the atlas has {size:.0f} MiB")


if __name__ == "__main__":
    main()
