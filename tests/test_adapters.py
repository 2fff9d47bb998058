"""Models that others have wrapped: adapters of peft, compiled models, models in training, inference mode."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import peft
import pytest
import torch
import transformers
from torch import Tensor

import attlas
from attlas.errors import AttlasError
from attlas.subject import Subject, load
from attlas.tap.tap import capture

TEXT = "The old town lies on the river."
FAST: dict[str, Any] = {"segments": 3, "length": 12, "progress": False}


@pytest.fixture(scope="module")
def base(mini: Subject, tmp_path_factory: pytest.TempPathFactory) -> Path:
    torch.manual_seed(0)
    shape: dict[str, Any] = {"hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2}
    config = transformers.LlamaConfig(
        **shape, intermediate_size=16, vocab_size=len(mini.tokenizer), max_position_embeddings=64
    )
    folder = tmp_path_factory.mktemp("base") / "llama"
    transformers.LlamaForCausalLM(config).save_pretrained(folder)
    mini.tokenizer.save_pretrained(folder)
    return folder


@pytest.fixture(scope="module")
def wrapped(base: Path) -> Any:
    """With an adapter that does something, in training."""
    torch.manual_seed(1)
    settings = peft.LoraConfig(
        r=4, target_modules=["q_proj", "k_proj", "v_proj"], init_lora_weights=False, task_type="CAUSAL_LM"
    )
    model: Any = peft.get_peft_model(transformers.AutoModelForCausalLM.from_pretrained(base), settings)
    return model.train()


@pytest.fixture(scope="module")
def merged(wrapped: Any, mini: Subject) -> Subject:
    """What peft makes of it, as a model like any other."""
    return load(copy.deepcopy(wrapped).merge_and_unload().eval(), mini.tokenizer)


def weights_of(subject: Subject) -> Tensor:
    return torch.stack([call.weights for call in capture(subject, subject.encode(TEXT))])


def test_a_model_with_adapters_is_the_merged_model(wrapped: Any, merged: Subject, mini: Subject) -> None:
    before = {name: weight.clone() for name, weight in wrapped.state_dict().items()}
    subject = attlas.load(wrapped, mini.tokenizer)
    assert torch.equal(weights_of(subject), weights_of(merged))
    assert subject.weight_hash() == merged.weight_hash(), "also where weights are read"
    changed = [name for name, weight in wrapped.state_dict().items() if not torch.equal(weight, before[name])]
    assert not changed, "the caller's model is as it was"
    assert wrapped.training
    shared = dict(wrapped.get_base_model().named_parameters())["model.embed_tokens.weight"]
    assert any(p is shared for p in subject.model.parameters()), "what no adapter changes is not copied"


def test_a_folder_of_adapters_is_the_merged_model(
    wrapped: Any, merged: Subject, base: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "adapter"
    wrapped.save_pretrained(folder)
    subject = attlas.load(folder)
    assert torch.allclose(weights_of(subject), weights_of(merged), atol=1e-6)
    assert len(subject.tokenizer) == len(merged.tokenizer)
    assert subject.origin is not None
    assert subject.origin.model == str(folder), "where other processes load it from"
    atlas = attlas.map(folder, atlas=tmp_path / "a", sample=2, twin=False, **FAST)
    expected = attlas.map(merged, atlas=tmp_path / "b", sample=2, twin=False, **FAST)
    assert atlas.heads["value"].to_numpy() == pytest.approx(expected.heads["value"].to_numpy(), abs=1e-5)
    assert len(attlas.disable(folder, heads=["0.0"], **FAST).table) == 1
    compared = attlas.compare(base, folder, matched=0, shapes=0, **FAST)
    assert (compared.table["weights"] > 0).any() if "weights" in compared.table else len(compared.table) > 0


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"base_model_name_or_path": None}, "names no base model"),
        ({"base_model_name_or_path": 5}, "names no base model"),
        ({"base_model_name_or_path": "../none/none/none"}, "neither a folder here nor a name on the hub"),
        ({"megatron_config": {}}, "Megatron"),
        ({"peft_type": "NONSENSE"}, "cannot be read"),
        ({"target_modules": ["nothing_is_called_so"]}, "cannot be read"),
        ({"r": "many"}, "cannot be read"),
    ],
)
def test_adapters_that_cannot_be_read(
    change: dict[str, Any], said: str, wrapped: Any, tmp_path: Path
) -> None:
    folder = tmp_path / "adapter"
    wrapped.save_pretrained(folder)
    settings = json.loads((folder / "adapter_config.json").read_text())
    (folder / "adapter_config.json").write_text(json.dumps({**settings, **change}))
    with pytest.raises(AttlasError, match=said) as refused:
        attlas.load(folder)
    assert "\n" not in str(refused.value)


def test_adapters_that_add_to_the_text_are_refused(base: Path, mini: Subject) -> None:
    settings = peft.PromptTuningConfig(task_type="CAUSAL_LM", num_virtual_tokens=3)
    model = peft.get_peft_model(transformers.AutoModelForCausalLM.from_pretrained(base), settings)
    with pytest.raises(AttlasError, match="PROMPT_TUNING adds tokens"):
        attlas.load(model, mini.tokenizer)


def test_a_compiled_model_is_the_model(base: Path, mini: Subject) -> None:
    model = transformers.AutoModelForCausalLM.from_pretrained(base)
    compiled: Any = torch.compile(model, backend="eager")
    assert torch.equal(
        weights_of(attlas.load(compiled, mini.tokenizer)), weights_of(load(model, mini.tokenizer))
    )


def test_inside_inference_mode_verbs_take_gradients_all_the_same(base: Path, tmp_path: Path) -> None:
    expected = attlas.map(base, atlas=tmp_path / "b", sample=2, twin=False, **FAST)
    with torch.inference_mode():
        subject = attlas.load(base)
        atlas = attlas.map(subject, atlas=tmp_path / "a", sample=2, twin=False, **FAST)
        assert torch.is_inference_mode_enabled()
        weights = weights_of(subject)
    assert atlas.heads["value"].equals(expected.heads["value"])
    assert torch.equal(weights, weights_of(subject))


def test_a_model_in_training_stays_so_and_is_read_without_dropout(base: Path, mini: Subject) -> None:
    model = transformers.AutoModelForCausalLM.from_pretrained(base, attention_dropout=0.5)
    expected = weights_of(load(model, mini.tokenizer))
    model.train()
    frozen = model.model.layers[0].eval()  # as one that is not to be trained further
    subject = attlas.load(model, mini.tokenizer)
    assert model.training
    assert not frozen.training
    with attlas.Tap(subject):
        assert not model.training
        assert torch.equal(weights_of(subject), expected)
        assert not model.training, "an inner tap leaves it to the outer one"
    assert model.training
    assert not frozen.training
    assert model.model.layers[1].training
    batch = subject.encode(TEXT)
    with torch.no_grad():
        assert torch.equal(subject.run(batch.inputs).logits, subject.run(batch.inputs).logits)
