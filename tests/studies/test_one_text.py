"""One text: the app's numbers equal those of `attlas.edit`, and of hooks that know nothing of Attlas."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any

import pytest
import torch
from torch import Tensor, nn
from transformers import LlamaConfig, LlamaForCausalLM

import attlas
from attlas.address import Head
from attlas.errors import AttlasError
from attlas.studies.one_text.edit_effect import (
    ChangedPrediction,
    EditEffect,
    RandomEffect,
    edit_effect,
    sets_for,
)
from attlas.studies.one_text.head_sets import random_sets
from attlas.studies.one_text.place_predictions import Likely, predict
from attlas.studies.one_text.prediction_writes import PredictionWrites, prediction_writes
from attlas.studies.one_text.read_text import ReadText, read_text
from attlas.studies.one_text.text_edits import EditedModel, Switch
from attlas.subject import Subject
from attlas.subject.untrained import untrained

TEXT = "The capital of France is [MASK]."
HEADS = (Head("encoder", 10, 6), Head("encoder", 10, 1), Head("encoder", 7, 6))


@pytest.fixture(scope="module")
def model(mini: Subject) -> EditedModel:
    return EditedModel(mini)


@pytest.fixture(scope="module")
def text(mini: Subject) -> ReadText:
    return read_text(mini, TEXT)


@contextmanager
def sliced(model: nn.Module, heads: Sequence[Head], after_projection: bool) -> Iterator[None]:
    """Zero the slices of heads by a hook of PyTorch's: before the output projection, where heads are apart;
    or after it, where every number is of all heads: the mistake."""
    size = model.config.hidden_size // model.config.num_attention_heads
    with ExitStack() as stack:
        for head in heads:
            dense = model.bert.encoder.layer[head.layer].attention.output.dense
            slices = slice(head.head * size, (head.head + 1) * size)

            def before(_: Any, inputs: tuple[Tensor], of: slice = slices) -> tuple[Tensor]:
                inputs[0][..., of] = 0
                return inputs

            def after(_: Any, inputs: Any, output: Tensor, of: slice = slices) -> Tensor:
                output[..., of] = 0
                return output

            hook = dense.register_forward_hook(after) if after_projection else None
            handle = hook or dense.register_forward_pre_hook(before)
            stack.callback(handle.remove)
        yield


def by_hooks(
    subject: Subject, text: ReadText, heads: Sequence[Head], after_projection: bool = False
) -> Tensor:
    """The log-probabilities at the mask, with transformers alone."""
    inputs = subject.tokenizer(TEXT, return_tensors="pt").to(subject.device)
    with torch.no_grad(), sliced(subject.model, heads, after_projection):
        return subject.model(**inputs).prediction_logits[0, text.places[0]].log_softmax(-1)


def test_zeroed_heads_are_as_with_hooks_and_not_as_with_the_known_mistake(
    model: EditedModel, text: ReadText
) -> None:
    switches = [Switch(head, "zero") for head in HEADS]
    changed = edit_effect(model, text, switches).at_target
    right = by_hooks(model.subject, text, HEADS)
    mistaken = by_hooks(model.subject, text, HEADS, after_projection=True)
    for _, edited in changed.both:
        assert edited.logprob == pytest.approx(float(right[edited.token]), abs=2e-4)
    wrong = float(mistaken[changed.target.token])
    assert abs(wrong - float(right[changed.target.token])) > 0.05
    assert abs(wrong - changed.edited.logprob) > 0.05


@pytest.mark.parametrize("by", ["zero", "uniform", "mean"])
def test_effects_equal_those_of_public_edits_random_sets_included(
    model: EditedModel, text: ReadText, by: Any
) -> None:
    subject, place = model.subject, text.places[0]
    effect = edit_effect(model, text, [Switch(head, by) for head in HEADS])

    def without(heads: Sequence[Head]) -> Tensor:
        make = getattr(attlas.edit, by)
        edit = make(heads, model.means()) if by == "mean" else make(heads)
        with torch.no_grad(), attlas.Tap(subject, edits=[edit]) as tap:
            output = tap.run(text.batch, predictions=True)
        return output.prediction_logits[0, place].log_softmax(-1)

    token = effect.at_target.target.token
    assert effect.at_target.edited.logprob == pytest.approx(float(without(HEADS)[token]), abs=2e-4)
    assert len(effect.random) == 19
    for random in effect.random:
        assert random.logprob == pytest.approx(float(without(random.heads)[token]), abs=2e-4)
        assert sorted(head.layer for head in random.heads) == sorted(head.layer for head in HEADS)
        assert not {*random.heads} & {*HEADS}


def test_predictions_are_the_models_own(model: EditedModel, text: ReadText) -> None:
    (prediction,) = predict(model.subject, text)
    logprobs = by_hooks(model.subject, text, ())
    assert [likely.token for likely in prediction.top] == logprobs.topk(10).indices.tolist()
    assert [likely.logprob for likely in prediction.top] == pytest.approx(
        logprobs.topk(10).values.tolist(), abs=1e-4
    )


def test_the_headline_says_what_changes_beside_random_heads(model: EditedModel, text: ReadText) -> None:
    effect = edit_effect(model, text, [Switch(HEADS[0])])
    assert effect.sentence.startswith(
        "Without 10.6, “paris” falls from 0.35 to 0.24; the other 11 heads of layer 10"
    )
    assert effect.verdict == "beyond"
    assert effect.sentence.endswith("That is more than any of them (one in 12 by luck).")
    assert {random.heads[0] for random in effect.random} == {
        head for head in model.subject.heads if head.layer == 10 and head.head != 6
    }


def test_a_long_text_has_fewer_random_sets_but_five(model: EditedModel, text: ReadText) -> None:
    assert sets_for(text) == 19
    assert sets_for(read_text(model.subject, "king " * 200 + "[MASK]")) == 10
    assert sets_for(read_text(model.subject, "king " * 500 + "[MASK]")) == 5


def untrained_llama(mini: Subject) -> Subject:
    """Few heads in few layers: each moves log-probabilities far."""
    shape = {"hidden_size": 64, "intermediate_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4}
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(3)
        config = LlamaConfig(vocab_size=len(mini.tokenizer), **shape)
        return Subject(LlamaForCausalLM(config).eval(), mini.tokenizer, "an untrained Llama")


@pytest.mark.parametrize("make", [untrained, untrained_llama])
def test_an_untrained_model_gets_no_finding(mini: Subject, make: Callable[[Subject], Subject]) -> None:
    subject = make(mini)
    text = read_text(subject, TEXT)
    writes = prediction_writes(subject, text)
    assert max(abs(write.counted) for write in writes.heads) < writes.smallest
    effects = [edit_effect(EditedModel(subject), text, [Switch(w.head, "zero")]) for w in writes.heads[:4]]
    assert {effect.verdict for effect in effects} == {"none"}
    assert all(effect.sentence.endswith("That is practically no change.") for effect in effects)
    if make is untrained_llama:  # of which the logarithm alone would make findings
        assert any(
            abs(effect.at_target.change) > max(0.02, *(abs(random.change) for random in effect.random))
            for effect in effects
        )


@pytest.mark.parametrize(
    ("before", "after", "others", "verdict"),
    [
        (0.40, 0.30, (0.38, 0.41), "beyond"),
        (0.40, 0.30, (0.38, 0.55), "within"),
        (0.400, 0.395, (0.4, 0.4), "none"),  # too little of the probability
        (0.004, 0.002, (0.004, 0.004), "none"),
        (0.990, 0.978, (0.99, 0.99), "none"),  # of its logarithm
        (0.40, 0.30, (), "no control"),
    ],
)
def test_a_change_is_one_where_both_the_probability_and_its_logarithm_move(
    before: float, after: float, others: Sequence[float], verdict: str
) -> None:
    likely, edited = (Likely(7, "word", math.log(value)) for value in (before, after))
    random = [RandomEffect((HEADS[0],), math.log(value), math.log(value / before)) for value in others]
    changed = ChangedPrediction(0, likely, edited, ((likely, edited),))
    assert EditEffect((), (changed,), 0, tuple(random), "same layers").verdict == verdict


@pytest.mark.parametrize(("probability", "smallest"), [(0.5, 0.1), (0.02, 0.4158), (0.0001, 4.6252)])
def test_a_head_is_named_for_what_it_writes_where_that_moves_the_word_by_a_hundredth(
    probability: float, smallest: float
) -> None:
    writes = PredictionWrites(0, Likely(7, "word", math.log(probability)), (), {}, 0.0)
    assert writes.smallest == pytest.approx(smallest, abs=1e-4)
    if probability < 0.5:  # added to the log-odds, it moves the probability by 0.01
        odds = probability / (1 - probability) * math.exp(writes.smallest)
        assert odds / (1 + odds) == pytest.approx(probability + 0.01)


def test_writes_and_what_does_not_come_from_heads_add_up_to_the_logit(
    model: EditedModel, text: ReadText
) -> None:
    writes = prediction_writes(model.subject, text)
    total = sum(write.logit for write in writes.heads) + sum(writes.others.values())
    assert total == pytest.approx(writes.logit, abs=1e-3)
    assert writes.heads[0].head == Head("encoder", 10, 6)
    counted = [abs(write.counted) for write in writes.heads]
    assert counted == sorted(counted, reverse=True)


def test_a_whole_layer_stands_beside_heads_of_other_layers(mini: Subject) -> None:
    layer = [head for head in mini.heads if head.layer == 3]
    drawn = random_sets(layer, mini.heads, 5)
    assert drawn.control == "other layers"
    assert all(len({*heads.values()}) == 12 and not {*heads.values()} & {*layer} for heads in drawn.sets)
    assert random_sets(mini.heads, mini.heads, 5).control == "none"


def test_a_patched_text_with_other_length_is_refused(model: EditedModel, text: ReadText) -> None:
    other = read_text(model.subject, "The capital of the old kingdom is [MASK].")
    with pytest.raises(AttlasError, match="both need as many, token by token"):
        edit_effect(model, text, [Switch(HEADS[0], "patch")], patch_text=other)


def test_all_heads_patched_from_the_same_text_change_nothing(model: EditedModel, text: ReadText) -> None:
    effect = edit_effect(model, text, [Switch(head, "patch") for head in HEADS], random=0, patch_text=text)
    assert effect.at_target.change == pytest.approx(0, abs=1e-4)
    assert effect.verdict == "no control"


def test_a_head_that_is_named_twice_is_refused(model: EditedModel, text: ReadText) -> None:
    with pytest.raises(AttlasError, match=r"head 10\.6 is switched off twice"):
        edit_effect(model, text, [Switch(HEADS[0]), Switch(HEADS[0], "zero")])
