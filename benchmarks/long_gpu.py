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
from typing import Any

import torch
import transformers

from attlas.corpora.batches import Batch
from attlas.reducers import Distances
from attlas.subject import Subject
from attlas.tap import Tap
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
        batch = subject.without_logits(make_batch(subject, length, 1, "decoder"))

        def plain(batch: Batch = batch) -> Any:
            with torch.no_grad():
                return subject.model(**batch.inputs, use_cache=False)

        before, memory = seconds(plain), peak(plain)
        with Tap(subject, surface_of()) as tap:
            watch = partial(tap.run, batch)
            watched, more = seconds(watch), peak(watch)
        print(f"{length:8,} {before:8.3f} {watched:8.3f} {watched / before:6.2f} {memory:9.2f} {more:10.2f}")
    batch = subject.without_logits(make_batch(subject, 8192, 1, "decoder"))
    with Tap(subject, [Distances(subject.heads)]) as tap:
        taken = seconds(lambda: tap.run(batch))
    print(f"distances of {len(subject.heads)} heads at 8,192 tokens: {taken:.2f} s")


if __name__ == "__main__":
    main()
