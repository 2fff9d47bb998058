"""A really smaller model: which heads can go from it, the folder that holds it, and what it is worth."""

from __future__ import annotations

import copy
import json
import os
import shutil
import statistics
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from attlas.address import Head
from attlas.corpora.batches import Batch
from attlas.edits import zero
from attlas.errors import AttlasError, option
from attlas.files import check_writable, libraries_write
from attlas.subject import Subject, load
from attlas.subject.checkpoints import no_bars, stored_dtype
from attlas.subject.projections import KEPT, cut, projections
from attlas.tap import Tap

ROUNDS = 5  # of timing, of which the median counts
TOLERANCE = 2e-4  # of the largest output, in float32
CARD = "README.md"
FOLDER_MODE = 0o755  # a temporary folder is its owner's alone


@dataclass(frozen=True)
class Layers:
    """The attention modules of a model by layer, and how many heads share keys and values in each."""

    names: dict[int, str]  # layer -> module
    heads: int  # of every layer
    group: int  # heads that share keys and values
    uniform: bool  # a config can say how many heads all layers have


def layers_of(subject: Subject) -> Layers:
    """An error for models whose heads cannot be taken out."""
    model: Any = subject.model
    names = {module: name for name, module in model.named_modules()}
    attention = {layer: names[module] for (module, _), (_, layer) in subject.addresses.items()}
    counts = {sum(h.layer == layer for h in subject.heads) for layer in attention}
    maps = [named for name in attention.values() if (named := projections(model, name)) and named.can_be_cut]
    if (
        len(subject.kinds) > 1
        or len(counts) > 1
        or len(attention) < len(subject.addresses)
        or len(maps) < len(attention)
    ):
        raise AttlasError(
            f"{type(model).__name__} cannot be saved smaller: only models built like BERT or Llama can"
        )
    heads = counts.pop()
    query, key = (model.get_submodule(name) for name in (maps[0].query, maps[0].key))
    group = int(query.out_features // key.out_features)
    uniform = hasattr(model.config, "num_key_value_heads")
    return Layers(dict(sorted(attention.items())), heads, group, uniform)


def heads_to_go(subject: Subject, order: Sequence[Head], keep: float) -> list[Head]:
    """The heads that a smaller model loses, if it is to keep that share of them: the first of the order, but
    never the last of a layer. Where a config says how many heads all layers have, equally many of every
    layer; heads that share keys and values together."""
    layers = layers_of(subject)
    rank = {head: place for place, head in enumerate(order)}
    kind = subject.kinds[0]
    if not layers.uniform:
        wanted = len(order) - max(len(layers.names), round(keep * len(order)))
        left = dict.fromkeys(layers.names, layers.heads)
        going: list[Head] = []
        for head in order:
            if len(going) < wanted and left[head.layer] > 1:
                going.append(head)
                left[head.layer] -= 1
        return going
    groups = layers.heads // layers.group
    many = groups - max(1, round(keep * groups))
    gone = []
    for layer in layers.names:
        members = [
            [Head(kind, layer, h) for h in range(g * layers.group, (g + 1) * layers.group)]
            for g in range(groups)
        ]
        members.sort(key=lambda group: sum(rank[head] for head in group))
        gone += [head for group in members[:many] for head in group]
    return gone


@dataclass(frozen=True)
class SavedModel:
    """`apart` is the largest difference between what the smaller model and the masked one give; `faster` how
    many times faster the smaller model is than the whole one."""

    folder: Path
    heads: int
    parameters: int
    smaller: float  # share of the parameters that is left
    apart: float
    faster: float
    plain: bool  # whether transformers alone loads it

    def sentences(self) -> list[str]:
        by = "transformers, or attlas.load" if self.plain else "attlas.load alone"
        return [
            f"{self.folder}: {self.heads:,} heads and {self.parameters:,} parameters, "
            f"{100 * self.smaller:.1f} % of the whole model, {self.faster:.2f} times as fast here; "
            f"it is loaded by {by}",
            f"its outputs are those of the whole model without these heads, to {self.apart:.1e}",
        ]


def save_smaller(
    subject: Subject, going: Sequence[Head], folder: Path, batch: Batch, score: str
) -> SavedModel:
    """Writes the model without these heads, whole or not at all, once it is seen to give what the whole model
    gives without them."""
    layers = layers_of(subject)
    with libraries_write(folder):
        # a name of its own: NAME.part may hold the checkpoints of another run
        part = Path(tempfile.mkdtemp(prefix=f".{folder.name[:100]}.", dir=folder.absolute().parent))
    try:
        with libraries_write(folder):
            _write(subject, layers, going, part)
        small = load(part, device=str(subject.device), dtype=_dtype(subject))
        with torch.no_grad(), Tap(subject, edits=[zero(going)]) as tap:
            masked = _main(tap.run(batch, predictions=True))
        with torch.no_grad():
            smaller = _main(small.run(batch.inputs))
        apart = float((smaller - masked).abs().max() / masked.abs().max())
        rounding = max(TOLERANCE, 30 * torch.finfo(next(subject.model.parameters()).dtype).eps)
        if not apart < rounding:
            raise AttlasError(
                f"the smaller {subject.name} would give other outputs than {subject.name} with these heads "
                "disabled: it was not saved"
            )
        many = [sum(p.numel() for p in model.model.parameters()) for model in (subject, small)]
        faster = _faster(subject, small, batch)
        left = len(subject.heads) - len(going)
        saved = SavedModel(folder, left, many[1], many[1] / many[0], apart, faster, layers.uniform)
        with libraries_write(folder):
            (part / CARD).write_text(_card(subject, going, saved, score), encoding="utf-8")
            part.chmod(FOLDER_MODE)
            part.replace(folder)
    finally:
        shutil.rmtree(part, ignore_errors=True)
    return saved


def refuse_unsavable(subject: Subject, folder: Path, keep: float) -> None:
    """Refuse what cannot be saved before the work begins."""
    if not heads_to_go(subject, subject.heads, keep):  # how many go is the same in any order
        raise AttlasError(
            f"{option('keep', keep)} keeps all {len(subject.heads):,} heads: choose a smaller share"
        )
    if os.path.lexists(folder):
        raise AttlasError(f"{option('save', folder)} exists already: name a new folder")
    parent = folder.absolute().parent
    if not parent.is_dir():
        raise AttlasError(f"{option('save', folder)} cannot be written: {parent} is not a folder")
    check_writable(folder, option("save"))


def _write(subject: Subject, layers: Layers, going: Sequence[Head], part: Path) -> None:
    small: Any = copy.deepcopy(subject.model)
    gone = set(going)
    kept = {
        name: [h for h in range(layers.heads) if Head(subject.kinds[0], layer, h) not in gone]
        for layer, name in layers.names.items()
    }
    for name, heads in kept.items():
        cut(small, name, heads, layers.heads)
    config = small.config
    if layers.uniform:
        left = len(next(iter(kept.values())))
        config.head_dim = getattr(config, "head_dim", None) or config.hidden_size // layers.heads
        config.num_attention_heads, config.num_key_value_heads = left, left // layers.group
    else:
        setattr(config, KEPT, kept)
    stored = stored_dtype(subject.origin.model) if subject.origin is not None else None
    if stored is not None and stored.itemsize < small.dtype.itemsize:
        small.to(stored)  # it was read into more bits than its files have
    with no_bars():
        small.save_pretrained(part)
    if subject.tokenizer is not None:
        subject.tokenizer.save_pretrained(part)
    json.loads((part / "config.json").read_text(encoding="utf-8"))  # it can be read back


def _main(output: Any) -> Tensor:
    first = output.logits if hasattr(output, "logits") else output[0]
    return first.float()  # type: ignore[no-any-return]


def _dtype(subject: Subject) -> str:
    return str(next(subject.model.parameters()).dtype).removeprefix("torch.")


def _faster(whole: Subject, small: Subject, batch: Batch) -> float:
    ratios = []
    for round_ in range(ROUNDS + 1):
        seconds = [_seconds(model, batch) for model in (whole, small)]
        if round_:  # the first fills caches
            ratios.append(seconds[0] / seconds[1])
    return statistics.median(ratios)


def _seconds(subject: Subject, batch: Batch) -> float:
    began = time.perf_counter()
    with torch.no_grad():
        subject.run(batch.inputs)
    if subject.device.type == "cuda":
        torch.cuda.synchronize()
    return time.perf_counter() - began


def _card(subject: Subject, going: Sequence[Head], saved: SavedModel, score: str) -> str:
    """What the folder is, for whoever finds it."""
    name = Path(subject.name).name
    how = (
        "`AutoModel.from_pretrained(...)` of transformers, or `attlas.load(...)`, loads it."
        if saved.plain
        else "A config of transformers cannot say which heads there are: `attlas.load(...)` loads it."
    )
    return (
        f"# {name}, without {len(going):,} of its {len(subject.heads):,} heads\n\n{how}\n\n{score}\n\n"
        f"Its outputs are those of the whole model with these heads at zero, to {saved.apart:.1e}; it has "
        f"{saved.parameters:,} parameters, {100 * saved.smaller:.1f} % of the whole model's. Heads that are "
        f"gone: {', '.join(str(head) for head in sorted(going))}.\n"
    )
