"""What do all surface statistics cost, beside a plain forward pass of the same batches?

    python benchmarks/surface.py                        # on all of torch's threads, by the clock on the wall
    python benchmarks/surface.py --threads 1 --cpu-time # on a machine that has other things to do

Four ways over the same segments of the embedded text, taken in turn: the model alone with fused attention
(plain), the model under a tap with every surface statistic (attlas), the same with all of them of attention
by norm as well (by norm), and the usual way: eager attention, `output_attentions=True`, statistics in numpy.
BERT-base has random weights; mini is the embedded encoder.
"""

import argparse
import statistics
from collections.abc import Callable, Sequence
from functools import partial
from itertools import islice

import numpy as np
import numpy.typing as npt
import torch
from rich.console import Console
from rich.table import Table
from transformers import BertConfig, BertModel

from attlas.corpora.batches import Batch, Tokens, collate
from attlas.corpora.documents import read_sentences
from attlas.corpora.segments import batches, make_segments
from attlas.corpora.text import text_corpus
from attlas.reducers import surface, surface_by_norm
from attlas.subject import Subject, load
from attlas.tap import Tap
from measure import in_a_process_of_its_own, interleaved, peak, ratio

TOKENS_IN_A_BATCH = 2048
CASES = [("bert-base", 128), ("bert-base", 512), ("mini", 128), ("mini", 512)]


def make_case(
    model: str, tokens: int, count: int, batch: int = TOKENS_IN_A_BATCH
) -> tuple[Subject, list[Batch]]:
    mini = load("mini")
    torch.manual_seed(0)
    module = BertModel(BertConfig()) if model == "bert-base" else mini.model.base_model
    subject = Subject(module, mini.tokenizer, model)
    size = max(1, batch // tokens)
    segments = make_segments(read_sentences(text_corpus()), subject.tokenizer, tokens, 4 * count * size)
    return subject, [collate(subject, some) for some in islice(batches(segments, size), count)]


def plain(subject: Subject, inputs: Sequence[Batch]) -> None:
    with torch.no_grad():
        for batch in inputs:
            subject.model(**batch.inputs)


def attlas(subject: Subject, inputs: Sequence[Batch]) -> None:
    with Tap(subject, [surface(subject.classes)]) as tap:
        for batch in inputs:
            tap.run(batch)


def by_norm(subject: Subject, inputs: Sequence[Batch]) -> None:
    with Tap(subject, [surface(subject.classes), surface_by_norm(subject.classes)]) as tap:
        for batch in inputs:
            tap.run(batch)


def usual(subject: Subject, inputs: Sequence[Batch]) -> None:
    subject.model.set_attn_implementation("eager")
    try:
        with torch.no_grad():
            for batch in inputs:
                output = subject.model(**batch.inputs, output_attentions=True)
                for weights in output.attentions:
                    numpy_statistics(weights.numpy(), batch.queries("encoder"))
    finally:
        subject.model.set_attn_implementation("sdpa")


def numpy_statistics(weights: npt.NDArray[np.float32], tokens: Tokens) -> dict[str, npt.NDArray[np.float32]]:
    """The same statistics, per segment and head, from the whole weights (batch head query key)."""
    real = tokens.real.numpy()
    members = {name: tokens.members(name).numpy() for name in ("all", *tokens.classes)}

    def mean(rows: npt.NDArray[np.float32], over: npt.NDArray[np.bool_]) -> npt.NDArray[np.float32]:
        average: npt.NDArray[np.float32] = (rows * over[:, None]).sum(-1) / over.sum(-1)[:, None].clip(1)
        return average

    by_name = {
        f"to {by:+d}": np.diagonal(weights, by, 2, 3).sum(-1) / (real.sum(-1) - abs(by))[:, None]
        for by in (-1, 0, 1)
    }
    for name, keys in members.items():
        onto = (weights * keys[:, None, None]).sum(-1)
        by_name[f"to {name}"] = mean(onto, real)
        by_name[f"received by {name}"] = mean(onto, real) * (real.sum(-1) / keys.sum(-1).clip(1))[:, None]
        if name == "sep":
            by_name["sep to sep"] = mean(onto, members["sep"])
            by_name["other to sep"] = mean(onto, members["not_sep"])
    entropy = -(weights * np.log(np.maximum(weights, 1e-30))).sum(-1)
    by_name["entropy"] = mean(entropy, real)
    by_name["entropy from cls"] = mean(entropy, members["cls"])
    by_name["largest"] = mean(weights.max(-1), real)
    return by_name


WAYS: dict[str, Callable[[Subject, Sequence[Batch]], None]] = {
    "plain": plain,
    "attlas": attlas,
    "by norm": by_norm,
    "usual": usual,
}


def peak_of(way: str, model: str, tokens: int, batch: int) -> int:
    """The peak of one batch, after a very small one has loaded whatever is loaded at first use."""
    subject, inputs = make_case(model, tokens, 1, batch)
    small = subject.annotate({name: tensor[:1, :8] for name, tensor in inputs[0].inputs.items()})
    WAYS[way](subject, [small])
    return peak(lambda: WAYS[way](subject, inputs))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--model", choices=["bert-base", "mini"], help="only this one")
    parser.add_argument("--tokens", type=int, choices=[128, 512], help="only this length")
    parser.add_argument("--batch", type=int, default=TOKENS_IN_A_BATCH, help="tokens in a batch")
    parser.add_argument("--repeats", type=int, default=7)
    parser.add_argument("--threads", type=int, default=torch.get_num_threads())
    parser.add_argument("--cpu-time", action="store_true", help="CPU seconds, not the clock on the wall")
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    table = Table(title=f"surface statistics, {options.threads} threads, {options.repeats} rounds")
    for column in ("model", "tokens", "way", "s a batch", "of plain", "peak MiB above rest", "of plain"):
        table.add_column(column, justify="left" if column in ("model", "way") else "right")
    for model, tokens in CASES:
        if options.model not in (None, model) or options.tokens not in (None, tokens):
            continue
        subject, inputs = make_case(model, tokens, 1 if model == "bert-base" else 4, options.batch)
        seconds = interleaved(
            {name: partial(way, subject, inputs) for name, way in WAYS.items()},
            options.repeats,
            options.cpu_time,
        )
        peaks = {way: in_a_process_of_its_own(peak_of, way, model, tokens, options.batch) for way in WAYS}
        for way in WAYS:
            table.add_row(
                *(model, str(tokens), way),
                f"{statistics.median(seconds[way]) / len(inputs):.3f}",
                f"{ratio(seconds, way, 'plain'):.2f}",
                f"{peaks[way] / 2**20:.0f}",
                f"{peaks[way] / max(peaks['plain'], 1):.2f}",
            )
        table.add_section()
    Console().print(table)
    Console().print(
        "Seconds are medians; ratios are medians over rounds of the ratio within a round. Memory is the\n"
        f"highest resident size while one batch of {options.batch:,} tokens is in flight, less what the\n"
        "process held before; each way has a process of its own."
    )


if __name__ == "__main__":
    main()
