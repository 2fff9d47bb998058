"""Copying: does attending to a token raise that token's logit, through the head's value-output product?

An induction head that copies has both: it looks at what came after, and says it. What a head adds when it
gives all its attention to a token t is W_O W_V norm(E[t]); how that changes the logits is read off the
model's own unembedding, the final norm's weight folded in and its division left out, since that moves all
logits alike. What other layers add to t before this one reads it is left out too.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import torch
from torch import Tensor, nn

from attlas.address import Head
from attlas.reducers.pattern_scores import Score
from attlas.subject import Subject

SAMPLE, TOP = 512, 5  # tokens, and how many of them may be raised as much
_PROJECTIONS = (("v_proj", "o_proj"), ("v_proj", "out_proj"), ("v_proj", "dense"), ("v_lin", "out_lin"))
_INPUT_NORMS = ("input_layernorm", "ln_1", "self_attn_layer_norm")
_FINAL_NORMS = ("norm", "ln_f", "final_layer_norm", "final_layernorm")


def copying(subject: Subject, seed: int = 0) -> list[Score]:
    """For every head whose values and outputs can be found: the share of sampled tokens t of which attending
    to t raises t's own logit among the most raised. By chance it would be TOP / SAMPLE."""
    model: Any = subject.model
    output = getattr(model, "get_output_embeddings", lambda: None)()
    if subject.tokenizer is None or subject.encoder_decoder or not isinstance(output, nn.Linear):
        return []
    with torch.no_grad():
        ids = _sample(subject, seed)
        read = output.weight[ids].float() * _final_weight(model)
        embedded = model.get_input_embeddings().weight[ids].float()
        found = []
        for (module, _), (kind, layer) in subject.addresses.items():
            heads = sum((h.kind, h.layer) == (kind, layer) for h in subject.heads)
            parts = _value_and_output(model, module, heads)
            if parts is None:
                continue
            given = _input_norm(model, module)(embedded)
            for head, (value, out) in enumerate(parts):
                raised = (given @ value.T) @ out.T @ read.T  # token token
                found.append(_score(Head(kind, layer, head), raised))
        return found


def _score(head: Head, raised: Tensor) -> Score:
    own = raised.diagonal()
    hits = ((raised > own[:, None]).sum(-1) < TOP).double()
    share, null = float(hits.mean()), TOP / len(raised)
    error = math.sqrt(share * (1 - share) / len(raised))
    return Score(head, "copying", share, error, null, share - null, error, len(raised))


def _sample(subject: Subject, seed: int) -> Tensor:
    special = set(subject.tokenizer.all_special_ids)
    ordinary = torch.tensor(sorted(i for i in subject.tokenizer.get_vocab().values() if i not in special))
    rng = torch.Generator().manual_seed(seed)
    return ordinary[torch.randperm(len(ordinary), generator=rng)[:SAMPLE]].to(subject.device)


def _value_and_output(model: nn.Module, module: nn.Module, heads: int) -> list[tuple[Tensor, Tensor]] | None:
    """For each head, dim x model and model x dim; None where it is not known how the module has them."""
    found = next(_projections(model, module), None)
    if found is None:
        return None
    value, out = found  # (group dim) x model, model x (head dim)
    dim = out.shape[1] // heads
    groups = value.shape[0] // dim
    if dim * heads != out.shape[1] or groups * dim != value.shape[0] or heads % groups:
        return None
    return [
        (value[g * dim : (g + 1) * dim], out[:, h * dim : (h + 1) * dim])
        for h in range(heads)
        for g in [h * groups // heads]
    ]


def _projections(model: nn.Module, module: nn.Module) -> Iterator[tuple[Tensor, Tensor]]:
    """The value and the output matrix, as nn.Linear has them: out x in."""
    for names in _PROJECTIONS:
        value, out = (getattr(module, name, None) for name in names)
        if isinstance(value, nn.Linear) and isinstance(out, nn.Linear):
            yield value.weight.float(), out.weight.float()
    value = getattr(module, "value", None)  # BERT: the output is beside, not inside
    for above in _above(model, module):
        out = getattr(getattr(above, "output", None), "dense", None)
        if isinstance(value, nn.Linear) and isinstance(out, nn.Linear):
            yield value.weight.float(), out.weight.float()
    joined, out = getattr(module, "c_attn", None), getattr(module, "c_proj", None)  # GPT-2: in x out
    if type(joined).__name__ == "Conv1D" and type(out).__name__ == "Conv1D":
        weights, outs = joined.weight.float(), out.weight.float()  # type: ignore[union-attr]
        if weights.shape[1] == 3 * outs.shape[0]:
            yield weights[:, 2 * outs.shape[0] :].T, outs.T


def _above(model: nn.Module, module: nn.Module) -> Iterator[nn.Module]:
    """What a module is in, nearest first."""
    name = next((name for name, each in model.named_modules() if each is module), "")
    while "." in name:
        name = name.rpartition(".")[0]
        yield model.get_submodule(name)


def _input_norm(model: nn.Module, module: nn.Module) -> nn.Module:
    """What a layer does to its input before it attends; a model that norms afterwards norms its
    embeddings."""
    for above in _above(model, module):
        for name in _INPUT_NORMS:
            if isinstance(norm := getattr(above, name, None), nn.Module):
                return _in_float(norm)
    named = (m for name, m in model.named_modules() if name.endswith("embeddings.LayerNorm"))
    return _in_float(next(named, nn.Identity()))


def _in_float(norm: nn.Module) -> nn.Module:
    from copy import deepcopy

    return deepcopy(norm).float()


def _final_weight(model: nn.Module) -> Tensor | float:
    base = getattr(model, "base_model", model)
    for name in _FINAL_NORMS:
        norm = getattr(base, name, None)
        if isinstance(norm, nn.Module) and isinstance(getattr(norm, "weight", None), Tensor):
            return norm.weight.float()  # type: ignore[return-value]
    return 1.0
