"""What scoring patterns costs, against the forward pass that it watches.

    python benchmarks/patterns.py
    python benchmarks/patterns.py --threads 1 --cpu-time

BERT-base size, random weights, segments of 128 tokens. The forward pass is plain (fused attention); the
reducer is shown what one such pass saw."""

import argparse

import torch
from rich.console import Console
from rich.table import Table
from transformers import BertConfig, BertModel

from attlas import load
from attlas.corpora.batches import collate
from attlas.corpora.documents import read_sentences
from attlas.corpora.segments import make_segments
from attlas.corpora.text import text_corpus
from attlas.studies.patterns.pattern_scores import PatternScores
from attlas.subject import Subject
from attlas.tap import Tap
from distances import Keep
from measure import interleaved, ratio
from surface import plain


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--rows", type=int, default=8)
    parser.add_argument("--threads", type=int, default=torch.get_num_threads())
    parser.add_argument("--cpu-time", action="store_true", help="CPU seconds, not the clock on the wall")
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    torch.manual_seed(0)
    mini = load("mini")
    subject = Subject(BertModel(BertConfig()), mini.tokenizer, "bert-base")
    segments = make_segments(read_sentences(text_corpus()), subject.tokenizer, 128, options.rows)
    batch = collate(subject, segments)
    keep = Keep()
    with Tap(subject, [keep]) as tap:
        tap.run(batch)
    ways = {
        "forward pass": lambda: plain(subject, [batch]),
        "patterns": lambda: PatternScores().update(keep.observation),
    }
    seconds = interleaved(ways, options.repeats, options.cpu_time)
    table = Table(title=f"{len(subject.heads)} heads, {options.rows} segments of 128 tokens")
    for column in ("", "seconds", "of the forward pass"):
        table.add_column(column, justify="right")
    for name, spent in seconds.items():
        table.add_row(name, f"{min(spent):.3f}", f"{ratio(seconds, name, 'forward pass'):.2f}")
    Console().print(table)


if __name__ == "__main__":
    main()
