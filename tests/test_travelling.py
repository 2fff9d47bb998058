"""A model in memory that goes to worker processes, after transformers or its owner hooked into it."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
import torch
import transformers
from torch import nn

import attlas
from attlas.errors import AttlasError
from attlas.subject import Subject
from attlas.subject.implementation import INSTALLED, RECORDING
from attlas.tap import Needs, Observation, Tap
from zoo import ZOO, inputs_for


def recording_hooks(model: torch.nn.Module) -> int:
    hooks = [hook for module in model.modules() for hook in module._forward_hooks.values()]
    return sum(hook.__module__ == RECORDING for hook in hooks)


@pytest.mark.parametrize("name", ["bert", "llama", "t5", "albert"])
def test_a_model_that_returned_its_attention_once_can_be_sent(name: str) -> None:
    model = ZOO[name].build()
    inputs = inputs_for(ZOO[name], "right")
    model.set_attn_implementation("eager")  # type: ignore[operator]
    before = model(**inputs, output_attentions=True)
    subject = Subject(model, name=name)
    assert recording_hooks(model) > 0
    sent: Subject = pickle.loads(pickle.dumps(subject))
    assert recording_hooks(model) > 0, "the model that was given stays as it is"
    assert not any(hasattr(module, INSTALLED) for module in sent.model.modules())
    assert (sent.heads, sent.name, sent.weight_hash()) == (subject.heads, name, subject.weight_hash())
    with torch.no_grad():
        after = sent.model(**inputs, output_attentions=True)
    assert torch.equal(after[0], before[0].detach())
    attentions = "encoder_attentions" if name == "t5" else "attentions"
    for theirs, ours in zip(getattr(after, attentions), getattr(before, attentions), strict=True):
        assert torch.equal(theirs, ours.detach())


def test_parameters_that_are_shared_stay_shared() -> None:
    subject = Subject(ZOO["bert"].build())
    sent: Subject = pickle.loads(pickle.dumps(subject))
    model = sent.model
    assert model.get_input_embeddings().weight is model.get_output_embeddings().weight  # type: ignore[operator,union-attr]


def test_a_model_that_cannot_be_sent_is_one_clear_line(
    subject_of: Callable[[str], Subject], tmp_path: Path
) -> None:
    """A hook of the user's own may change what the model gives: it is not left behind in silence."""
    subject = subject_of("bert")
    handle = subject.model.register_forward_hook(lambda *_: None)
    try:
        with pytest.raises(AttlasError, match=r"cannot be sent to other processes \(.*lambda.*save it"):
            attlas.map(
                subject, atlas=tmp_path / "a", segments=2, length=16, sample=0, workers=2, progress=False
            )
    finally:
        handle.remove()


@pytest.mark.parametrize("name", ["bert", "llama"])
def test_a_closed_tap_leaves_no_recording_hooks(name: str, subject_of: Callable[[str], Subject]) -> None:
    class Watcher:
        needs = Needs(hidden_states=True)

        def update(self, observation: Observation) -> None: ...

    subject = subject_of(name)
    with Tap(subject, [Watcher()]) as tap:
        tap.run(subject.encode("A text."))
        assert recording_hooks(subject.model) > 0
    assert recording_hooks(subject.model) == 0
    assert pickle.dumps(subject.model)


def test_a_pipeline_is_its_model_with_its_tokenizer(subject_of: Callable[[str], Subject]) -> None:
    mini = attlas.load("mini")
    pipeline = transformers.pipeline("fill-mask", model=mini.model, tokenizer=mini.tokenizer)
    loaded = attlas.load(pipeline)
    assert loaded.model is mini.model
    assert loaded.tokenizer is mini.tokenizer


def test_what_wraps_a_model_as_nnsight_does_gives_it(subject_of: Callable[[str], Subject]) -> None:
    subject = subject_of("bert")
    wrapper = type("LanguageModel", (), {"__module__": "nnsight.modeling.language"})()
    wrapper._module, wrapper.tokenizer = subject.model, subject.tokenizer
    assert attlas.load(wrapper).model is subject.model
    assert attlas.load(wrapper).tokenizer is subject.tokenizer


class Bridged(nn.Module):
    """In a model's place, as TransformerLens puts it: what was there, and another name for a part of it."""

    def __init__(self, inner: nn.Module, part: nn.Module) -> None:
        super().__init__()
        self._original_component = inner
        self.part = part


def bridge_of(subject: Subject, **attributes: object) -> Any:
    """What TransformerLens's bridge holds of a model, which it changes in its place."""
    model: Any = deepcopy(subject.model)
    for block in model.bert.encoder.layer:
        block.attention.self.query = Bridged(block.attention.self.query, block.attention.self.key)
    for place, block in enumerate(model.bert.encoder.layer):
        model.bert.encoder.layer[place] = Bridged(block, block.attention)
    bridge = type("TransformerBridge", (), {"__module__": "transformer_lens.model_bridge"})()
    bridge.original_model, bridge.tokenizer = model, subject.tokenizer
    vars(bridge).update(attributes)
    return bridge


def test_a_bridge_of_transformer_lens_is_the_model_as_it_was_with_the_same_tensors(
    subject_of: Callable[[str], Subject],
) -> None:
    subject = subject_of("bert")
    bridge = bridge_of(subject)
    loaded = attlas.load(bridge)
    assert {type(module) for module in loaded.model.modules()} == {type(m) for m in subject.model.modules()}
    bridged = dict(bridge.original_model.named_parameters())
    name = "bert.encoder.layer.0._original_component.attention.self.query._original_component.weight"
    query = loaded.model.bert.encoder.layer[0].attention.self.query.weight
    assert query.data_ptr() == bridged[name].data_ptr()
    batch = subject.encode("A text of a few words.")
    with Tap(subject) as tap, Tap(loaded) as other:
        expected, of_bridge = tap.run(batch, predictions=True), other.run(batch, predictions=True)
    assert torch.equal(expected.logits, of_bridge.logits)


def test_a_bridge_with_other_weights_is_refused_in_one_line(subject_of: Callable[[str], Subject]) -> None:
    subject = subject_of("bert")
    with pytest.raises(AttlasError, match="compatibility mode, which changes the weights"):
        attlas.load(bridge_of(subject, compatibility_mode=True))
    renamed = bridge_of(subject)
    del renamed.original_model.bert.embeddings
    with pytest.raises(AttlasError, match=r"no weight bert\.embeddings"):
        attlas.load(renamed)
    hooked = type("HookedTransformer", (), {"__module__": "transformer_lens.HookedTransformer"})()
    with pytest.raises(AttlasError, match="give a TransformerBridge"):
        attlas.load(hooked)
