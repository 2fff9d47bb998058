"""Models that have lost heads: their projections are cut, so that nothing is computed for what is gone.

A config of transformers says how many heads all layers have. That of BERT and its kin also ties the size of
a head to their number, so that it cannot say that some are gone: there, config.json lists the heads that are
kept (`attlas_heads`: the name of an attention module -> heads), and `load_smaller` makes the model from it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from attlas.errors import AttlasError
from attlas.subject.projections import projections

KEPT = "attlas_heads"  # in config.json


def cut(model: nn.Module, attention: str, kept: Sequence[int], heads: int) -> None:
    """Leaves only these heads in the attention module. With grouped queries, keys and values go with
    the whole group."""
    named = projections(model, attention)
    if named is None or not named.can_be_cut:
        raise AttlasError(f"{type(model).__name__}: the heads of {attention} cannot be taken out")
    query, key, value, output = (
        _linear(model, name) for name in (named.query, named.key, named.value, named.output)
    )
    size = query.out_features // heads
    group = heads // (key.out_features // size)
    groups_of_kept = [h // group for h in kept]
    groups = sorted(set(groups_of_kept))
    if any(groups_of_kept.count(g) != group for g in groups):
        raise AttlasError(f"{attention}: {group} heads share keys and values, and go together or not at all")
    _cut_rows(query, _places(kept, size))
    _cut_rows(key, _places(groups, size))
    _cut_rows(value, _places(groups, size))
    output.weight = nn.Parameter(output.weight.detach()[:, _places(kept, size)].clone(), requires_grad=False)
    output.in_features = output.weight.shape[1]


def _places(units: Sequence[int], size: int) -> Tensor:
    return torch.cat([torch.arange(u * size, (u + 1) * size) for u in units])


def _linear(model: nn.Module, name: str) -> nn.Linear:
    layer = model.get_submodule(name)
    assert isinstance(layer, nn.Linear)  # whatever can be cut is
    return layer


def _cut_rows(linear: nn.Linear, rows: Tensor) -> None:
    linear.weight = nn.Parameter(linear.weight.detach()[rows].clone(), requires_grad=False)
    if linear.bias is not None:
        linear.bias = nn.Parameter(linear.bias.detach()[rows].clone(), requires_grad=False)
    linear.out_features = len(rows)


def load_smaller(made_as: Any, folder: Path, config: Any, dtype: torch.dtype) -> tuple[nn.Module, list[str]]:
    """The model of a folder whose config.json lists the heads that are kept, and the weights it lacks."""
    from safetensors.torch import load_file

    model: nn.Module = made_as(config).to(dtype)
    listed = getattr(config, KEPT)
    if not _lists_heads(listed, config.num_attention_heads):
        raise AttlasError(f"{folder / 'config.json'}: {KEPT} does not list heads of attention modules")
    for attention, kept in listed.items():
        cut(model, attention, kept, config.num_attention_heads)
    state: dict[str, Tensor] = {}
    for file in sorted(folder.glob("*.safetensors")):
        state |= load_file(file)
    try:
        loaded = model.load_state_dict(state, strict=False)
    except RuntimeError as error:
        said = str(error).splitlines()[-1].strip()
        raise AttlasError(f"the weights of {folder} do not fit its config.json: {said}") from error
    model.tie_weights()  # type: ignore[operator]
    tied = set(getattr(model, "all_tied_weights_keys", None) or ())
    return model, [name for name in loaded.missing_keys if name not in tied]


def _lists_heads(listed: Any, heads: int) -> bool:
    return (
        isinstance(listed, Mapping)
        and all(isinstance(name, str) and isinstance(kept, list) and kept for name, kept in listed.items())
        and all(isinstance(h, int) and 0 <= h < heads for kept in listed.values() for h in kept)
    )
