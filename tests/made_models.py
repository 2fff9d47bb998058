"""Models that tests make of another: one of the same shape with other weights, and one that classifies."""

from __future__ import annotations

import copy
from functools import cache

import torch
import transformers

from attlas.subject import Subject


@cache
def disturbed(subject: Subject, seed: int = 1, by: float = 0.3, name: str = "disturbed") -> Subject:
    """A model of the same shape whose weights are somewhat different."""
    model = subject.model
    # not by a pickle, which would hold what transformers has hooked into the model
    twin = type(model)(copy.deepcopy(model.config))
    twin.load_state_dict(model.state_dict())
    twin = twin.to(subject.device, next(model.parameters()).dtype)
    torch.manual_seed(seed)
    with torch.no_grad():
        for p in twin.parameters():
            if p.ndim > 1:
                p.add_(torch.randn_like(p) * p.std() * by)
    return Subject(twin.eval(), subject.tokenizer, name)


def classifier(subject: Subject, kind: str, outputs: int) -> Subject:
    """A tiny random model of this kind that tells so many labels apart, and reads with the same tokenizer."""
    shape = {"hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 16}
    common = {**shape, "vocab_size": len(subject.tokenizer), "num_labels": outputs, "pad_token_id": 0}
    torch.manual_seed(0)
    config = transformers.AutoConfig.for_model(kind, **common)
    made = transformers.AutoModelForSequenceClassification.from_config(config)
    with torch.no_grad():
        for parameter in made.parameters():
            if parameter.ndim > 1:
                parameter.mul_(6)  # else all answers are nearly alike
    return Subject(made.to(subject.device).eval(), subject.tokenizer, kind)
