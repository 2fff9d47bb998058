"""A model in memory that goes to worker processes, after transformers or its owner hooked into it."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from pathlib import Path

import pytest
import torch
import transformers

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


def test_what_wraps_a_model_as_nnsight_does_gives_it_and_a_bridge_of_transformer_lens_is_one_line(
    subject_of: Callable[[str], Subject],
) -> None:
    subject = subject_of("bert")
    wrapper = type("LanguageModel", (), {"__module__": "nnsight.modeling.language"})()
    wrapper._module, wrapper.tokenizer = subject.model, subject.tokenizer
    assert attlas.load(wrapper).model is subject.model
    assert attlas.load(wrapper).tokenizer is subject.tokenizer
    bridge = type("TransformerBridge", (), {"__module__": "transformer_lens.model_bridge"})()
    with pytest.raises(AttlasError, match="give the model of transformers that it was made of"):
        attlas.load(bridge)
