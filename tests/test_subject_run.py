"""What nobody reads is not computed: predictions are left out, and no cache of keys and values is kept."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import torch
import transformers
from torch import Tensor, nn

from attlas.errors import AttlasError
from attlas.subject import Subject
from attlas.tap import Needs, Observation, Tap
from zoo import ZOO, inputs_for


class Keep:
    needs = Needs(weights=True)

    def __init__(self) -> None:
        self.calls: list[tuple[str, int, Tensor]] = []

    def update(self, observation: Observation) -> None:
        self.calls += [(c.kind, c.layer, c.weights) for c in observation.calls if c.weights is not None]


def head_of(model: nn.Module) -> nn.Module | None:
    """What turns hidden states into predictions."""
    head: nn.Module | None = getattr(model, "get_output_embeddings", lambda: None)()
    return head


@pytest.mark.parametrize("name", ZOO)
def test_leaving_predictions_out_changes_no_bit_of_attention(name: str) -> None:
    species = ZOO[name]
    subject = Subject(species.build(), name=name)
    batch = subject.annotate(inputs_for(species, species.sides[0]))
    made: list[int] = []
    head = head_of(subject.model)
    if head is not None:
        head.register_forward_hook(lambda _, inputs, output: made.append(output.shape[-2]))
    whole, without = Keep(), Keep()
    with torch.no_grad():
        before = subject.model(**batch.inputs)[0]
    made.clear()
    with Tap(subject, [without], kernel="eager") as tap:
        tap.run(batch)
    assert set(made) <= {1}, "predictions were made that nobody reads"
    with Tap(subject, [whole], kernel="eager") as tap:
        tap.run(batch, predictions=True)
    assert head is None or max(made) > 1
    assert [c[:2] for c in whole.calls] == [c[:2] for c in without.calls]
    for (*_, expected), (*_, weights) in zip(whole.calls, without.calls, strict=True):
        assert torch.equal(expected, weights)
    with torch.no_grad():
        assert torch.equal(subject.model(**batch.inputs)[0], before)


WITH_HEADS: dict[str, Callable[[], nn.Module]] = {
    "classifier": lambda: transformers.BertForSequenceClassification(ZOO["bert"].build().config),  # type: ignore[arg-type]
    "questions": lambda: transformers.BertForQuestionAnswering(ZOO["bert"].build().config),  # type: ignore[arg-type]
    "pictures": lambda: transformers.ViTForImageClassification(ZOO["vit"].build().config),  # type: ignore[arg-type]
}


@pytest.mark.parametrize("name", WITH_HEADS)
def test_other_heads_are_left_out_too(name: str) -> None:
    subject = Subject(WITH_HEADS[name](), name=name)
    batch = subject.annotate(inputs_for(ZOO["vit" if name == "pictures" else "bert"], "right"))
    outer: list[nn.Module] = []
    subject.model.register_forward_hook(lambda module, *_: outer.append(module))
    keep = Keep()
    with Tap(subject, [keep]) as tap:
        tap.run(batch)
    assert len(keep.calls) == 3
    assert not outer, "the whole model was run"


@pytest.mark.parametrize("name", [n for n, s in ZOO.items() if s.text])
def test_no_cache_of_keys_and_values_is_kept(name: str) -> None:
    species = ZOO[name]
    subject = Subject(species.build(), name=name)
    inputs = inputs_for(species, species.sides[0])
    for predictions in (True, False):
        with torch.no_grad():
            output = subject.run(inputs, predictions)
        assert getattr(output, "past_key_values", None) is None


def test_inputs_that_only_the_heads_take_are_no_obstacle() -> None:
    """Labels are for the loss, which is among what nobody reads."""
    subject = Subject(ZOO["llama"].build())
    ids = torch.arange(3, 9)[None]
    with torch.no_grad():
        subject.run({"input_ids": ids, "labels": ids}, predictions=False)


@pytest.mark.parametrize("texts", [("half \ud83d of a pair",), ("whole", "half \ud83d")])
def test_half_a_surrogate_pair_is_not_a_character(texts: tuple[str, ...], mini: Subject) -> None:
    with pytest.raises(AttlasError, match=r"character 5 is half of a surrogate pair \(U\+D83D\)"):
        mini.encode(*texts)
