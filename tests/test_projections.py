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
    place = {module: each for each, module in model.named_modules()}[attention]
    named = projections(model, place)
    assert named is not None
    seen: dict[str, Tensor] = {}

    def observe(module: nn.Module, query: Tensor, key: Tensor, value: Tensor, *_: Any, **__: Any) -> Any:
        given = torch.randn(len(query), query.shape[2], query.shape[1], value.shape[-1])
        if module is attention:
            seen.update(value=value, given=given)
        return given, None

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
    total = sum(seen["given"][:, :, head] @ output.T for head, (_, output) in enumerate(parts))
    torch.testing.assert_close(total, seen["output"], rtol=1e-5, atol=1e-5)


def test_a_module_that_is_built_in_another_way_has_none() -> None:
    model = made("gpt_neox")
    name = next(name for name, each in model.named_modules() if type(each).__name__ == "GPTNeoXAttention")
    assert projections(model, name) is None
    assert value_and_output(model, name, 4) is None


@pytest.mark.parametrize("name", [*FOUND, "gpt_neox", "t5", "bart", "vit"])
def test_what_makes_queries_and_keys_is_known_by_its_name(name: str) -> None:
    model = made(name)
    found = [each for each, _ in model.named_parameters() if makes_queries_or_keys(each)]
    assert found
    assert len(found) < len(list(model.parameters())) / 2
