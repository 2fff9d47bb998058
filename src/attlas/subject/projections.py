"""Where an attention module keeps its four linear maps, and which part of them is a head's.

Models name them differently, and some have one weight for several: this is the only place that knows it.
"""

from __future__ import annotations

from dataclasses import dataclass

from torch import Tensor, nn

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
    """Those of the attention module of that name, named within the model; None where it is built in another
    way."""
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
    """Of each head, what makes its values (dim x model) and what takes its output (model x dim); None where
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
    return isinstance(module, nn.Linear) or hasattr(module, "out_features") or _transposed(module)


def _transposed(module: nn.Module | None) -> bool:
    """GPT-2's weights are in x out."""
    return type(module).__name__ == "Conv1D"


def _weight(module: nn.Module) -> Tensor:
    """out x in"""
    weight = dense_weight(module)
    return weight.T if _transposed(module) else weight


@dataclass(frozen=True)
class OutputMap:
    """The module that takes what the heads of a layer give, side by side, and what it does to each head's."""

    module: nn.Module
    weights: Tensor  # head model dim
    bias: Tensor | None  # model


def output_map(model: nn.Module, attention: str, heads: int) -> OutputMap | None:
    """That of the attention module of that name; None where it is built in another way."""
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
