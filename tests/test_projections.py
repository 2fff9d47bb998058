"""The four maps of an attention module are found, whatever a model calls them, and parted by head."""

from __future__ import annotations

from typing import Any

import pytest
import torch
import transformers
from torch import Tensor, nn
from transformers import AttentionInterface

from attlas.subject import Subject
from attlas.subject.projections import makes_queries_or_keys, projections, value_and_output
from zoo import DECODER, SHAPE, ZOO, inputs_for

#: beyond the zoo: one weight for queries, keys and values; and other names
OTHERS: dict[str, tuple[str, str, dict[str, Any]]] = {
    "phi3": ("Phi3ForCausalLM", "Phi3Config", {**SHAPE, "pad_token_id": 0}),
    "phi": ("PhiForCausalLM", "PhiConfig", DECODER),
    "opt": ("OPTForCausalLM", "OPTConfig", {**SHAPE, "ffn_dim": 48, "word_embed_proj_dim": 32}),
}
FOUND = ["bert", "roberta", "distilbert", "electra", "gpt2", "llama", "qwen3", "gemma2", *OTHERS]


def made(name: str) -> Any:
    if name in ZOO:
        return ZOO[name].build()
    model, config, settings = OTHERS[name]
    return getattr(transformers, model)(getattr(transformers, config)(**settings)).eval()


@pytest.mark.parametrize("name", FOUND)
def test_values_and_outputs_of_heads_are_those_that_the_model_uses(name: str) -> None:
    """The model's own call shows the values of every head, and its output map what becomes of what each
    gives."""
    model = made(name)
    for parameter_name, parameter in model.named_parameters():
        if parameter_name.endswith("bias"):
            parameter.data.zero_()
    subject = Subject(model, None, name)
    attention = next(module for module, _ in subject.addresses)
    place = {module: path for path, module in model.named_modules()}[attention]
    named = projections(model, place)
    assert named is not None
    seen: dict[str, Tensor] = {}

    def observe(module: nn.Module, query: Tensor, key: Tensor, value: Tensor, *_: Any, **__: Any) -> Any:
        per_head = torch.randn(len(query), query.shape[2], query.shape[1], value.shape[-1])
        if module is attention:
            seen.update(value=value, per_head=per_head)
        return per_head, None

    def note_input(_: nn.Module, inputs: tuple[Tensor, ...]) -> None:
        seen["hidden"] = inputs[0]

    def note_output(_: nn.Module, __: Any, output: Tensor) -> None:
        seen["output"] = output

    AttentionInterface.register("observe", observe)
    model.set_attn_implementation("observe")
    with torch.no_grad():
        model.get_submodule(named.value).register_forward_pre_hook(note_input)
        model.get_submodule(named.output).register_forward_hook(note_output)
        model(input_ids=inputs_for(ZOO["bert"], "none")["input_ids"])
        parts = value_and_output(model, place, heads=4)
    assert parts is not None
    shared = 4 // seen["value"].shape[1]
    for head, (value, _) in enumerate(parts):
        torch.testing.assert_close(
            seen["hidden"] @ value.T, seen["value"][:, head // shared], rtol=1e-5, atol=1e-5
        )
    total = sum(seen["per_head"][:, :, head] @ output.T for head, (_, output) in enumerate(parts))
    torch.testing.assert_close(total, seen["output"], rtol=1e-5, atol=1e-5)


#: one weight for queries, keys and values: all of them, or group by group
WIDTH = {"hidden_size": 32, "num_hidden_layers": 1, "num_attention_heads": 4, "vocab_size": 64}
NARROW = {"n_embd": 32, "n_layer": 1, "n_head": 4, "vocab_size": 64}
FALCON = {**WIDTH, "alibi": False}
PHI3 = {**WIDTH, "intermediate_size": 32, "pad_token_id": 0}
JOINED: dict[str, tuple[str, dict[str, Any]]] = {
    "GPT-NeoX": ("GPTNeoX", WIDTH),
    "BLOOM": ("Bloom", {**NARROW, "hidden_size": 32}),
    "Falcon, a key for all": ("Falcon", {**FALCON, "multi_query": True}),
    "Falcon, a key for each": ("Falcon", {**FALCON, "multi_query": False}),
    "Falcon, a key for two": ("Falcon", {**FALCON, "new_decoder_architecture": True, "num_kv_heads": 2}),
    "Persimmon": ("Persimmon", {**WIDTH, "intermediate_size": 32, "pad_token_id": 0}),
    "GPT-BigCode, a key for all": ("GPTBigCode", {**NARROW, "multi_query": True}),
    "GPT-BigCode, a key for each": ("GPTBigCode", {**NARROW, "multi_query": False}),
    "Phi-3, a key for each": ("Phi3", {**PHI3, "num_key_value_heads": 4}),
    "Phi-3, a key for two": ("Phi3", {**PHI3, "num_key_value_heads": 2}),
}


@pytest.mark.parametrize("name", JOINED)
def test_values_are_found_in_a_weight_that_also_makes_queries_and_keys(name: str) -> None:
    """A text of one token: all heads attend to it, and give its values, whatever they ask for."""
    kind, settings = JOINED[name]
    torch.manual_seed(0)
    config = getattr(transformers, f"{kind}Config")(**settings)
    model: Any = getattr(transformers, f"{kind}ForCausalLM")(config).eval().double()
    for parameter_name, parameter in model.named_parameters():
        if parameter_name.endswith("bias"):
            parameter.data.zero_()
    attention = next(
        path for path, module in model.named_modules() if type(module).__name__ == f"{kind}Attention"
    )
    named = projections(model, attention)
    assert named is not None
    seen: list[Tensor] = []
    for place in (named.value, named.output):
        model.get_submodule(place).register_forward_pre_hook(lambda _, inputs: seen.append(inputs[0]))
    with torch.no_grad():
        model(input_ids=torch.tensor([[7]]))
        parts = value_and_output(model, attention, heads=4)
        assert parts is not None
        hidden, attended = (tensor.reshape(32) for tensor in seen)
        values = torch.cat([hidden.float() @ value.T for value, _ in parts])
    torch.testing.assert_close(values, attended.float(), rtol=1e-5, atol=1e-6)


class Own(nn.Module):
    """A model that brings its own code: all queries, all keys, all values, under other models' names."""

    def __init__(self, joined: str, output: str) -> None:
        super().__init__()
        self.attention = nn.Module()
        self.attention.add_module(joined, nn.Linear(8, 24, bias=False))
        self.attention.add_module(output, nn.Linear(8, 8, bias=False))


def test_an_unknown_model_is_not_taken_for_one_that_names_its_weights_the_same() -> None:
    like_gpt2 = Own("c_attn", "c_proj")
    parts = value_and_output(like_gpt2, "attention", heads=4)
    assert parts is not None
    values = torch.cat([value for value, _ in parts])
    torch.testing.assert_close(values, like_gpt2.get_parameter("attention.c_attn.weight")[16:])
    assert value_and_output(Own("query_key_value", "dense"), "attention", heads=4) is None


def test_a_module_that_is_built_in_another_way_has_none() -> None:
    model = made("vit")
    name = next(name for name, module in model.named_modules() if type(module).__name__ == "ViTMLP")
    assert projections(model, name) is None
    assert value_and_output(model, name, 4) is None


@pytest.mark.parametrize("name", [*FOUND, "gpt_neox", "t5", "bart", "vit"])
def test_what_makes_queries_and_keys_is_known_by_its_name(name: str) -> None:
    model = made(name)
    makers = [parameter for parameter, _ in model.named_parameters() if makes_queries_or_keys(parameter)]
    assert makers
    assert len(makers) < len(list(model.parameters())) / 2
