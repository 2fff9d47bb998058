"""Does memory stay bounded over long texts on a CPU?

    python benchmarks/long_cpu.py                 # up to 32,768 tokens; some minutes
    python benchmarks/long_cpu.py --tokens 8192 --torch

One layer of the embedded model's size (12 heads of 16) with random weights and random tokens, every surface
statistic: the plain forward pass, the compiled kernel and, with --torch, the same in torch alone, which is
slow. Each runs in a process of its own; memory is the highest resident size less what it held before.
"""

import argparse
import os
import time

import torch
from rich.console import Console
from rich.table import Table
from transformers import BertConfig, BertModel

from attlas.corpora.batches import Batch
from attlas.reducers import surface
from attlas.subject import Subject, load
from attlas.tap import Tap
from measure import in_a_process_of_its_own, peak

WAYS = ("plain", "attlas")
ALONE = "attlas, torch alone"


def make_case(tokens: int) -> tuple[Subject, Batch]:
    torch.manual_seed(0)
    config = BertConfig(
        vocab_size=8192,
        hidden_size=192,
        intermediate_size=768,
        num_hidden_layers=1,
        num_attention_heads=12,
        max_position_embeddings=tokens,
    )
    subject = Subject(BertModel(config), load("mini").tokenizer, "one layer")
    ids = torch.randint(5, config.vocab_size, (1, tokens))
    return subject, subject.annotate({"input_ids": ids})


def measure(way: str, tokens: int, threads: int) -> tuple[float, int]:
    """Seconds, and bytes above rest."""
    os.environ["ATTLAS_NATIVE"] = "0" if way == ALONE else "1"
    torch.set_num_threads(threads)
    run(way, *make_case(64))
    subject, batch = make_case(tokens)
    start = time.perf_counter()
    most = peak(lambda: run(way, subject, batch))
    return time.perf_counter() - start, most


def run(way: str, subject: Subject, batch: Batch) -> None:
    if way == "plain":
        with torch.no_grad():
            subject.model(**batch.inputs)
    else:
        with Tap(subject, [surface(subject.classes)]) as tap:
            tap.run(batch)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--tokens", type=int, default=32_768, help="the longest text")
    parser.add_argument("--torch", action="store_true", help="also without the compiled kernel")
    parser.add_argument("--threads", type=int, default=torch.get_num_threads())
    options = parser.parse_args()
    table = Table(title=f"long texts, one layer, {options.threads} threads")
    for column in ("tokens", "way", "s", "of plain", "peak MiB above rest", "all weights would take MiB"):
        table.add_column(column, justify="left" if column == "way" else "right")
    ways = (*WAYS, ALONE) if options.torch else WAYS
    tokens = min(2048, options.tokens)
    while tokens <= options.tokens:
        measured = {way: in_a_process_of_its_own(measure, way, tokens, options.threads) for way in ways}
        for way, (seconds, most) in measured.items():
            cells = f"{seconds:.2f}", f"{seconds / measured['plain'][0]:.2f}", f"{most / 2**20:.0f}"
            table.add_row(f"{tokens:,}", way, *cells, f"{12 * tokens**2 * 4 / 2**20:,.0f}")
        table.add_section()
        tokens *= 4
    Console().print(table)


if __name__ == "__main__":
    main()
