"""All surface statistics of the models that people run, against a plain forward pass, on one GPU.

    python benchmarks/gpu.py [--models bert qwen3 llama gemma3 modernbert deepseek llama4] [--rounds 15]
    python benchmarks/gpu.py --only-surface --distances   # what the distances |q - k| cost
    python benchmarks/gpu.py --only-surface --norm        # what the same statistics by norm cost, beside them

Prints, for each size, medians of forward passes that took turns in one process: time and peak memory of a
plain SDPA forward, and of the same forward under a tap with every surface statistic. A pass is timed `alone`,
from an idle GPU to an idle GPU, and as one of many `in a row`, as over a corpus. Both ways are the model
without its head for predictions, without a cache of keys and values (`use_cache=False`), and without a mask
for padding, of which there is none: `attlas map` gives a model none then, either. For BERT-base
also what people do today (`output_attentions=True` with eager attention, then statistics in torch), head
distances and gradients; where TransformerLens 4 is installed, the patterns out of its `run_with_cache` come
last, since what it loads slows every other way down. Weights are random: the time does not depend on them.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import torch
import transformers

import attlas
from attlas.corpora.batches import POSITIONS, Batch, Tokens
from attlas.corpora.source import ItemId
from attlas.reducers import (
    Means,
    entropy,
    from_sep,
    largest,
    offsets,
    received,
    sink,
    to_class,
    token_distances,
)
from attlas.studies.surface.head_distances import Distances
from attlas.subject import Subject
from attlas.tap import Tap
from attlas.tap.call import Call
from attlas.tap.forward import class_gradients

CLASSES = ("cls", "sep", "punct", "other")
Sizes = tuple[tuple[int, int], ...]  # tokens, rows


@dataclass(frozen=True)
class Shape:
    """A model that people run, and the sizes at which it is measured."""

    model: str  # as transformers calls it
    config: Callable[[], Any]
    sizes: Sizes
    classes: tuple[str, ...] = CLASSES
    side: str = "decoder"


SHAPES = {
    "bert": Shape(
        "BertModel",
        lambda: transformers.BertConfig(max_position_embeddings=8192),
        ((128, 256), (512, 32), (2048, 4), (8192, 1)),
        side="encoder",
    ),
    "modernbert": Shape(
        "ModernBertModel", transformers.ModernBertConfig, ((512, 32), (8192, 1)), side="encoder"
    ),
    "qwen3": Shape(
        "Qwen3Model",
        lambda: transformers.Qwen3Config(
            vocab_size=151_936, hidden_size=1024, intermediate_size=3072, num_hidden_layers=28,
            num_attention_heads=16, num_key_value_heads=8, head_dim=128, max_position_embeddings=40_960,
        ),
        ((512, 16), (2048, 4), (8192, 1), (32_768, 1)),
        ("punct", "other"),
    ),
    "gemma3": Shape(
        "Gemma3TextModel",
        lambda: transformers.Gemma3TextConfig(
            vocab_size=262_144, hidden_size=1152, intermediate_size=6912, num_hidden_layers=26,
            num_attention_heads=4, num_key_value_heads=1, head_dim=256, sliding_window=512,
            max_position_embeddings=32_768,
        ),
        ((512, 16), (2048, 4), (8192, 1), (32_768, 1)),
        ("punct", "other"),
    ),
    "llama": Shape(
        "LlamaModel",
        lambda: transformers.LlamaConfig(
            vocab_size=128_256, hidden_size=4096, intermediate_size=14_336, num_hidden_layers=32,
            num_attention_heads=32, num_key_value_heads=8, max_position_embeddings=32_768,
        ),
        ((512, 8), (2048, 2), (8192, 1), (32_768, 1)),
        ("punct", "other"),
    ),
    # four layers of DeepSeek-V3, whose keys have 192 numbers and whose values 128. Those without experts: the
    # experts that a token goes through do as much arithmetic
    "deepseek": Shape(
        "DeepseekV3Model",
        lambda: transformers.DeepseekV3Config(
            num_hidden_layers=4, first_k_dense_replace=4, max_position_embeddings=40_960,
        ),
        ((2048, 4), (8192, 1)),
        ("punct", "other"),
    ),
    # four layers of Llama-4 Scout, three of which attend within chunks of 8,192 tokens
    "llama4": Shape(
        "Llama4TextModel",
        lambda: transformers.Llama4TextConfig(num_hidden_layers=4, max_position_embeddings=40_960),
        ((2048, 4), (8192, 1), (32_768, 1)),
        ("punct", "other"),
    ),
}  # fmt: skip


def build(name: str, dtype: torch.dtype = torch.bfloat16) -> Subject:
    shape = SHAPES[name]
    torch.set_default_dtype(dtype)
    try:
        with torch.device("cuda"):
            more = {"add_pooling_layer": False} if name == "bert" else {}
            model = getattr(transformers, shape.model)(shape.config(), **more)
    finally:
        torch.set_default_dtype(torch.float32)
    return Subject(model, None, name)


def make_batch(
    subject: Subject, length: int, rows: int, side: str = "encoder", device: str = "cuda"
) -> Batch:
    """Random tokens: [CLS] first, [SEP] in the middle and at the end, a tenth of the rest punctuation."""
    tokens = torch.randint(1000, 30_000, (rows, length), device=device)
    real = torch.ones_like(tokens, dtype=torch.bool)
    place = torch.arange(length, device=device).expand_as(tokens)
    cls, sep = place == 0, (place == length // 2) | (place == length - 1)
    punct = (torch.rand(rows, length, device=device) < 0.1) & ~cls & ~sep
    quarters = {f"quarter_{i + 1}": place * 4 // length == i for i in range(4)}
    classes = {
        "cls": cls,
        "sep": sep,
        "punct": punct,
        "other": ~(cls | sep | punct),
        "not_sep": ~sep,
        "first": place == 0,
        "not_first": place > 0,
        "last": place == length - 1,
        **quarters,
    }
    sides = {side: Tokens(real, classes, tokens)}
    ids = tuple(ItemId(*divmod(row, 4)) for row in range(rows))  # four segments of each text
    return Batch({"input_ids": tokens}, sides, ids, ends=frozenset(item.document for item in ids))


def surface_of(classes: tuple[str, ...] = CLASSES, distances: bool = False) -> list[Means]:
    """What `attlas map` takes over the whole corpus."""
    means = [
        *offsets(),
        *to_class(classes),
        *from_sep(),
        *sink(),
        *received([*classes, *POSITIONS]),
        *entropy(),
        *largest(),
        *(token_distances() if distances else []),
    ]
    return [Means(means)]


def usual_way(subject: Subject, batch: Batch) -> Callable[[], Any]:
    """transformers' eager attention, every weight returned, the same statistics from them."""
    tokens = batch.sides["encoder"]
    names = [*CLASSES, *POSITIONS]
    columns = torch.stack([tokens.members(n) for n in names], -1).to(torch.bfloat16)

    def run() -> Any:
        by_layer = []
        with torch.no_grad():
            output = subject.model(**batch.inputs, output_attentions=True)
            for weights in output.attentions:
                masses = weights @ columns[:, None]
                entropies = torch.special.entr(weights.float()).sum(-1).sum(-1)
                neighbours = [weights.diagonal(o, -2, -1).float().sum(-1) for o in (-1, 0, 1)]
                largest_weights = weights.amax(-1).float().sum(-1)
                by_layer.append((masses.float().sum(-2), entropies, largest_weights, *neighbours))
        return by_layer

    return run


def plain_way(subject: Subject, batch: Batch) -> Callable[[], Any]:
    without_cache = {"use_cache": False} if "use_cache" in subject.accepts else {}

    def run() -> Any:
        with torch.no_grad():
            return subject.model(**batch.inputs, **without_cache)

    return run


def lens_way(length: int, rows: int) -> Callable[[], Any] | None:
    """The patterns alone, of all that `run_with_cache` could keep, and no statistics of them."""
    try:
        from transformer_lens.model_bridge import TransformerBridge
    except ImportError:
        return None
    with TemporaryDirectory() as folder:
        config = transformers.BertConfig(max_position_embeddings=length)
        transformers.BertForMaskedLM(config).save_pretrained(folder)
        tokenizer = transformers.AutoTokenizer.from_pretrained(Path(attlas.__file__).parent / "data" / "mini")
        model = TransformerBridge.boot_transformers(
            folder, device="cuda", dtype=torch.bfloat16, tokenizer=tokenizer
        )
    ids = torch.randint(1000, 30_000, (rows, length), device="cuda")

    def run() -> Any:
        with torch.no_grad():
            return model.run_with_cache(ids, names_filter=lambda name: name.endswith("hook_pattern"))

    return run


def milliseconds(run: Callable[[], Any]) -> float:
    torch.cuda.synchronize()
    start = time.perf_counter()
    run()
    torch.cuda.synchronize()
    return (time.perf_counter() - start) * 1e3


def in_a_row(run: Callable[[], Any], passes: int) -> float:
    return milliseconds(lambda: [run() for _ in range(passes)]) / passes


def peak(run: Callable[[], Any]) -> float:
    """GiB at most in use, weights included."""
    torch.cuda.synchronize()
    torch.cuda.empty_cache()
    torch.cuda.reset_peak_memory_stats()
    run()
    torch.cuda.synchronize()
    return torch.cuda.max_memory_allocated() / 2**30


Way = tuple[Callable[[], AbstractContextManager[Any]], Callable[[], Any]]  # what holds around the runs, a run


class Measured(NamedTuple):
    alone: float  # milliseconds of a pass
    in_a_row: float
    peak: float  # GiB


HEADINGS = (
    f"{'model':>10} {'tokens x batch':>14} {'way':>8} {'alone':>8} {'ratio':>6} {'in a row':>8} {'ratio':>6}"
    f" {'GiB':>8} {'ratio':>6}"
)


def measure(ways: dict[str, Way], rounds: int, most: int = 8) -> dict[str, Measured]:
    """Medians over rounds; the ways take many short turns, so that a change of clock, or of what else the
    host has to do, meets them all. Passes that take long are made fewer times in a turn."""
    alone: dict[str, list[float]] = {name: [] for name in ways}
    rows: dict[str, list[float]] = {name: [] for name in ways}
    peaks = {}
    for turn in range(rounds):
        for name, (around, run) in ways.items():
            with around():
                run()
                times_a_turn = max(1, min(most, int(200 / milliseconds(run))))
                alone[name] += [milliseconds(run) for _ in range(max(1, times_a_turn // 2))]
                rows[name].append(in_a_row(run, times_a_turn))
                if turn == 0:
                    peaks[name] = peak(run)
    median = statistics.median
    return {name: Measured(median(alone[name]), median(rows[name]), peaks[name]) for name in ways}


@contextmanager
def attention(subject: Subject, name: str) -> Iterator[None]:
    subject.model.set_attn_implementation(name)
    try:
        yield
    finally:
        subject.model.set_attn_implementation("sdpa")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--models", nargs="+", choices=SHAPES, default=list(SHAPES))
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--only-surface", action="store_true", help="and nothing that only BERT-base is for")
    parser.add_argument("--distances", action="store_true", help="also with |q - k|, as `far`")
    parser.add_argument("--norm", action="store_true", help="also with attention by norm, as `norm`")
    options = parser.parse_args()
    software = f"torch {torch.__version__}, transformers {transformers.__version__}"
    print(f"{torch.cuda.get_device_name()}, {software}")
    print(HEADINGS)
    for name in options.models:
        usual = name == "bert" and not options.only_surface
        surface(name, options.rounds, usual, options.distances, options.norm)
    if "bert" in options.models and not options.only_surface:
        subject = build("bert")
        head_distances(subject)
        gradients_by_class(subject)
        for length, rows in SHAPES["bert"].sizes:
            if (lens := lens_way(length, rows)) is not None:
                plain = plain_way(subject, make_batch(subject, length, rows))
                ways: dict[str, Way] = {"plain": (nullcontext, plain), "lens": (nullcontext, lens)}
                tell("bert", length, rows, measure(ways, 1))


def tapped_way(subject: Subject, batch: Batch, reducers: list[Means]) -> Way:
    tap = Tap(subject, reducers)
    return (lambda: tap), (lambda: tap.run(batch))


def surface(name: str, rounds: int, usual: bool, far: bool, norm: bool) -> None:
    subject, shape = build(name), SHAPES[name]
    for length, rows in shape.sizes:
        batch = make_batch(subject, length, rows, shape.side)
        ways: dict[str, Way] = {
            "plain": (nullcontext, plain_way(subject, batch)),
            "attlas": tapped_way(subject, batch, surface_of(shape.classes)),
        }
        if far:
            ways["far"] = tapped_way(subject, batch, surface_of(shape.classes, distances=True))
        if norm:
            plain, *_ = surface_of(shape.classes)
            ways["norm"] = tapped_way(subject, batch, [plain, Means(plain.means, "by_norm", True)])
        if usual:
            ways["usual"] = (lambda: attention(subject, "eager"), usual_way(subject, batch))
        tell(name, length, rows, measure(ways, rounds))


def tell(model: str, length: int, rows: int, taken: dict[str, Measured]) -> None:
    for name, measured in taken.items():
        numbers = [f"{x:8.2f} {x / plain:6.3f}" for x, plain in zip(measured, taken["plain"], strict=True)]
        print(f"{model:>10} {f'{length} x {rows}':>14} {name:>8} {' '.join(numbers)}", flush=True)


def head_distances(subject: Subject) -> None:
    """All 144 x 144 of them over 1,000 segments of 128 tokens, the forward passes included."""
    several = [make_batch(subject, 128, 250) for _ in range(4)]

    def plain() -> None:
        with torch.no_grad():
            for batch in several:
                subject.model(**batch.inputs)

    def watched() -> None:
        with Tap(subject, [Distances(subject.heads)]) as tap:
            for batch in several:
                tap.run(batch)

    for run in (plain, watched):
        run()
    alone, together = milliseconds(plain), milliseconds(watched)
    print(f"head distances, 1,000 segments of 128: {together:.0f} ms; forward passes alone: {alone:.0f} ms")


def gradients_by_class(subject: Subject) -> None:
    """The pass over one layer's dL/dO and V, fused and in torch by blocks of rows, at 2,048 x 4."""
    batch = make_batch(subject, 2048, 4)
    calls: list[Call] = []
    with Tap(subject, listener=calls.append) as tap:
        tap.run(batch)
    call, tokens = calls[0], batch.sides["encoder"]
    gradient = torch.randn_like(call.query)
    features = torch.stack([tokens.members(name) for name in CLASSES], -1)
    by_blocks = replace(call, mask=replace(call.mask, form="other"))  # which the fused pass does not take

    def fused() -> Any:
        return class_gradients(call, gradient, tokens.real, features)

    def blocks() -> Any:
        return class_gradients(by_blocks, gradient, tokens.real, features)

    taken = measure({"fused": (nullcontext, fused), "torch": (nullcontext, blocks)}, 3)
    fast, slow = taken["fused"].alone, taken["torch"].alone
    print(f"gradients by class, one layer: {fast:.2f} ms; in torch: {slow:.2f} ms")


if __name__ == "__main__":
    main()
