"""Where an attention module keeps its four linear maps, and which part of them is a head's.

Models name them differently, and some have one weight for several: this is the only place that knows it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from attlas.errors import AttlasError
from attlas.subject.quantised import dense_weight


@dataclass(frozen=True)
class Projections:
    """The names of the modules that make queries, keys and values, and of the one that takes what the heads
    give. One name thrice: a single weight makes queries, keys and values."""

    query: str
    key: str
    value: str
    output: str
    #: the module counts its heads by the width of its weights, so that it goes on working when some are cut
    can_be_cut: bool = False


#: as they are called within the attention module, or ("../") beside it
_LAYOUTS = (
    Projections("q_proj", "k_proj", "v_proj", "o_proj", can_be_cut=True),  # Llama and most decoders
    Projections("query", "key", "value", "../output.dense", can_be_cut=True),  # BERT and its kin
    Projections("q_proj", "k_proj", "v_proj", "out_proj"),  # OPT, BART, GPT-Neo
    Projections("q_proj", "k_proj", "v_proj", "dense"),  # Phi
    Projections("q_lin", "k_lin", "v_lin", "out_lin"),  # DistilBERT
    Projections("q", "k", "v", "o"),  # T5
    Projections("qkv_proj", "qkv_proj", "qkv_proj", "o_proj"),  # Phi-3
    Projections("c_attn", "c_attn", "c_attn", "c_proj"),  # GPT-2, GPT-BigCode
    Projections("query_key_value", "query_key_value", "query_key_value", "dense"),  # GPT-NeoX, BLOOM, Falcon
)
#: one weight for all three in what is no language model (ViTs)
_JOINED = ("qkv",)
#: model types whose joined weight has the queries, the key and the value of a group of heads, then those of
#: the next; GPT-BigCode's does where every head has keys of its own. Others have all queries, all keys, all
#: values; but what is called `query_key_value` in a model with code of its own may be either
_BY_GROUP = frozenset(("bloom", "falcon", "gpt_neox", "gpt_neox_japanese", "persimmon"))
#: the map that takes what heads give; it is known of more models than the other three (ModernBERT, DeepSeek)
_OUTPUTS = (*dict.fromkeys(layout.output for layout in _LAYOUTS), "Wo")
_QUERY_OR_KEY = frozenset((*(name for layout in _LAYOUTS for name in (layout.query, layout.key)), *_JOINED))


def projections(model: nn.Module, attention: str) -> Projections | None:
    """The projections of the attention module of that name, named within the model; None where it is built in
    another way."""
    for layout in _LAYOUTS:
        query, key, value, output = names = [
            _within(attention, name) for name in (layout.query, layout.key, layout.value, layout.output)
        ]
        modules = [_module(model, name) for name in names]
        if all(map(_is_linear_map, modules)):
            plain = all(isinstance(module, nn.Linear) for module in modules)
            return Projections(query, key, value, output, layout.can_be_cut and plain)
    return None


def value_and_output(model: nn.Module, attention: str, heads: int) -> list[tuple[Tensor, Tensor]] | None:
    """What makes each head's values (dim x model) and what takes its output (model x dim); None where
    it is not known how the module has them. With grouped queries, heads share values."""
    named = projections(model, attention)
    if named is None:
        return None
    value, output = (_weight(model.get_submodule(name)).float() for name in (named.value, named.output))
    width = output.shape[1]
    dim = width // heads
    joined = named.query == named.value
    groups = ((len(value) - width) // 2 if joined else len(value)) // max(1, dim)
    if dim * heads != width or groups < 1 or heads % groups:
        return None
    if len(value) != groups * dim + (width + groups * dim if joined else 0):
        return None
    shared = heads // groups
    kind = getattr(getattr(model, "config", None), "model_type", "")
    if joined and named.value.endswith("query_key_value") and kind not in _BY_GROUP:
        return None
    if not joined:
        starts = range(0, groups)
    elif kind in _BY_GROUP or (kind == "gpt_bigcode" and groups == heads):
        starts = range(shared + 1, groups * (shared + 2), shared + 2)
    else:
        starts = range(heads + groups, heads + 2 * groups)
    return [
        (value[starts[h // shared] * dim :][:dim], output[:, h * dim : (h + 1) * dim]) for h in range(heads)
    ]


def makes_queries_or_keys(parameter: str) -> bool:
    """Whether the parameter of that name decides where a head looks."""
    return not _QUERY_OR_KEY.isdisjoint(parameter.split("."))


def _within(attention: str, name: str) -> str:
    above = attention.rpartition(".")[0]
    return f"{above}.{name[3:]}" if name.startswith("../") else f"{attention}.{name}"


def _module(model: nn.Module, name: str) -> nn.Module | None:
    try:
        return model.get_submodule(name)
    except AttributeError:
        return None


def _is_linear_map(module: nn.Module | None) -> bool:
    """Also what the libraries that quantise put in the place of one."""
    return isinstance(module, nn.Linear) or hasattr(module, "out_features") or _is_transposed(module)


def _is_transposed(module: nn.Module | None) -> bool:
    """GPT-2's weights are in x out."""
    return type(module).__name__ == "Conv1D"


def _weight(module: nn.Module) -> Tensor:
    """out x in"""
    weight = dense_weight(module)
    return weight.T if _is_transposed(module) else weight


@dataclass(frozen=True)
class OutputMap:
    """The module that takes what the heads of a layer give, side by side, and what it does to each head's."""

    module: nn.Module
    weights: Tensor  # head model dim
    bias: Tensor | None  # model


def output_map(model: nn.Module, attention: str, heads: int) -> OutputMap | None:
    """Return the output map of the attention module of that name; None where it is built in another way."""
    modules = (_module(model, _within(attention, name)) for name in _OUTPUTS)
    module = next((module for module in modules if module is not None and _is_linear_map(module)), None)
    if module is None:
        return None
    weight = _weight(module)
    if weight.shape[1] % heads:
        return None
    bias = getattr(module, "bias", None)
    by_head = weight.unflatten(1, (heads, -1)).movedim(1, 0)  # type: ignore[no-untyped-call]
    return OutputMap(module, by_head, None if bias is None else bias.detach())


#: in config.json: the name of an attention module -> the heads that are kept. A config of transformers says
#: how many heads all layers have; that of BERT and its kin also ties the size of a head to their number, so
#: that it cannot say that some are gone
KEPT = "attlas_heads"


def cut(model: nn.Module, attention: str, kept: Sequence[int], heads: int) -> None:
    """Leave only these heads in the attention module: nothing is computed for what is gone. With grouped
    queries, keys and values go with the whole group."""
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
        message = str(error).splitlines()[-1].strip()
        raise AttlasError(f"the weights of {folder} do not fit its config.json: {message}") from error
    model.tie_weights()  # type: ignore[operator]
    tied = set(getattr(model, "all_tied_weights_keys", None) or ())
    return model, [name for name in loaded.missing_keys if name not in tied]


def _lists_heads(listed: Any, heads: int) -> bool:
    return (
        isinstance(listed, Mapping)
        and all(isinstance(name, str) and isinstance(kept, list) and kept for name, kept in listed.items())
        and all(isinstance(h, int) and 0 <= h < heads for kept in listed.values() for h in kept)
    )
