"""The embedding of a text: what an encoder without a head is used for."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import torch
from torch import Tensor

from attlas.corpora.batches import Batch, Tokens

if TYPE_CHECKING:
    from attlas.subject import Subject

Pooling = Literal["mean", "cls", "max", "last"]
#: as the configuration of sentence-transformers calls them
_MODES: dict[str, Pooling] = {
    "pooling_mode_mean_tokens": "mean",
    "pooling_mode_cls_token": "cls",
    "pooling_mode_max_tokens": "max",
    "pooling_mode_lasttoken": "last",
}


def embeds(subject: Subject) -> bool:
    """Whether the model is read by its hidden states: it predicts nothing, and one side reads text."""
    named = type(subject.model).__name__
    return (
        subject.unembedding is None and re.search(r"For[A-Z]", named) is None and len(subject.text_kinds) == 1
    )


def classifies(subject: Subject) -> bool:
    return type(subject.model).__name__.endswith("ForSequenceClassification")


def pooling_of(subject: Subject) -> Pooling:
    """How the embedding is made of the tokens', as the model's folder says for sentence-transformers
    (`modules.json`, `1_Pooling/config.json`); the mean where it says nothing."""
    if subject.origin is None:
        return "mean"
    modules = _settings(subject.origin.model, "modules.json")
    parts = [m for m in modules if isinstance(m, dict)] if isinstance(modules, list) else []
    paths = [str(m.get("path")) for m in parts if str(m.get("type")).endswith("Pooling")]
    folder = paths[0] if paths and paths[0] == Path(paths[0]).name else "1_Pooling"  # no place elsewhere
    settings = _settings(subject.origin.model, f"{folder}/config.json")
    settings = settings if isinstance(settings, dict) else {}
    chosen = [mode for key, mode in _MODES.items() if settings.get(key) is True]
    return chosen[0] if len(chosen) == 1 else "mean"


@lru_cache(maxsize=64)  # asked for every batch
def _settings(model: str, name: str) -> Any:
    """A JSON file of a model, in its folder or on the hub; None where there is none."""
    from transformers.utils import cached_file

    try:
        file = Path(model, name) if Path(model).exists() else cached_file(model, name)
        return json.loads(Path(str(file)).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None


@dataclass(frozen=True)
class Embedded:
    """batch dim: the embedding of every text of a batch, of length 1, from the model's output."""

    tokens: Tokens
    pooling: Pooling

    def __call__(self, output: Any) -> Tensor:
        hidden = output.last_hidden_state.float()  # batch token dim
        real = self.tokens.real.to(hidden.device)
        rows = torch.arange(len(hidden), device=hidden.device)
        match self.pooling:
            case "cls":
                pooled = hidden[rows, real.int().argmax(-1)]
            case "last":
                places = torch.arange(real.shape[1], device=hidden.device)
                pooled = hidden[rows, (real * places).argmax(-1)]
            case "max":
                pooled = hidden.masked_fill(~real[..., None], -torch.inf).amax(1)
            case "mean":
                share = real[..., None].to(hidden.dtype)
                pooled = (hidden * share).sum(1) / share.sum(1)
        length = pooled.norm(dim=-1, keepdim=True).clamp(min=torch.finfo(pooled.dtype).tiny)
        embedded: Tensor = pooled / length
        return embedded


def embedding(subject: Subject, batch: Batch, seed: int = 0) -> tuple[Batch, Embedded]:
    """What a sweep measures of a model that embeds texts."""
    (kind,) = subject.text_kinds
    return batch, Embedded(batch.sides[kind], pooling_of(subject))


def answer_chances(subject: Subject, batch: Batch, seed: int = 0) -> tuple[Batch, Any]:
    """What a sweep measures of a classifier without labels: batch class, the logarithms of its
    probabilities; its number where it has one."""

    def answers(output: Any) -> Tensor:
        logits: Tensor = output.logits.float()
        return logits.log_softmax(-1) if logits.shape[-1] > 1 else logits

    return batch, answers
