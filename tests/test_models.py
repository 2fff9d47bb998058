"""Every architecture that Attlas promises: the tap sees what the model's own eager attention computes."""

from __future__ import annotations

import pytest
import torch

from attlas.address import Head
from attlas.corpora.batches import Batch
from attlas.edits import effect, uniform, zero
from attlas.errors import AttlasError
from attlas.subject import Subject
from attlas.tap import Needs, Observation, Tap, usable
from zoo import ZOO, inputs_for

CASES = [(name, side) for name, species in ZOO.items() for side in species.sides]


class Keep:
    """Keeps every call's weights."""

    name = "keep"
    needs = Needs(weights=True)

    def __init__(self) -> None:
        self.weights: dict[tuple[str, int], torch.Tensor] = {}

    def update(self, observation: Observation) -> None:
        for seen in observation.seen:
            assert seen.weights is not None
            self.weights[seen.kind, seen.layer] = seen.weights


def own_attentions(subject: Subject, batch: Batch) -> dict[tuple[str, int], torch.Tensor]:
    """What the model returns itself, with eager attention."""
    if subject.interface:
        subject.model.set_attn_implementation("eager")
    with torch.no_grad():
        output = subject.model(**batch.inputs, output_attentions=True)
    if subject.encoder_decoder:
        fields = {
            "encoder": "encoder_attentions",
            "decoder": "decoder_attentions",
            "cross": "cross_attentions",
        }
        return {(k, i): w for k, f in fields.items() for i, w in enumerate(getattr(output, f))}
    return {(subject.kinds[0], i): w for i, w in enumerate(output.attentions)}


@pytest.mark.parametrize("kernel", usable())
@pytest.mark.parametrize(("name", "side"), CASES)
def test_the_tap_sees_the_models_own_attention(name: str, side: str, kernel: str) -> None:
    species = ZOO[name]
    subject = Subject(species.build(), name=name)
    batch = subject.annotate(inputs_for(species, side))
    keep = Keep()
    with Tap(subject, [keep], kernel=kernel) as tap:
        tap.run(batch)
    expected = own_attentions(subject, batch)
    assert keep.weights.keys() == expected.keys()
    for (kind, layer), weights in keep.weights.items():
        queries = batch.queries(kind).real[:, None, :, None]
        apart = (weights - expected[kind, layer]).abs() * queries
        assert apart.max() < 1e-5, (kind, layer)
        padding = ~batch.keys(kind).real[:, None, None, :]
        assert (weights * queries * padding).abs().max() == 0, "padding gets no attention"


@pytest.mark.parametrize("name", ZOO)
def test_the_map_of_heads(name: str) -> None:
    species = ZOO[name]
    subject = Subject(species.build(), name=name)
    expected = [
        Head(kind, layer, head)  # type: ignore[arg-type]
        for kind, (layers, heads) in species.heads.items()
        for layer in range(layers)
        for head in range(heads)
    ]
    assert list(subject.heads) == expected
    assert subject.interface is species.interface


@pytest.mark.parametrize("kernel", usable())
@pytest.mark.parametrize(("name", "side"), CASES)
def test_a_tap_without_edits_leaves_the_output_as_it_was(name: str, side: str, kernel: str) -> None:
    species = ZOO[name]
    subject = Subject(species.build(), name=name)
    batch = subject.annotate(inputs_for(species, side))
    with torch.no_grad():
        before = subject.model(**batch.inputs)[0]
        with Tap(subject, kernel=kernel) as tap:
            under = tap.run(batch)[0]
        after = subject.model(**batch.inputs)[0]
    real = torch.ones(before.shape[:2], dtype=torch.bool)
    if species.text:
        real = batch.sides["decoder" if "decoder" in batch.sides else "encoder"].real
    scale = max(1.0, float(before.abs().max()))  # T5's logits run into the hundreds
    assert (before - under)[real].abs().max() < 1e-5 * scale
    assert torch.equal(before, after)


@pytest.mark.parametrize("edit", [uniform, zero])
@pytest.mark.parametrize("name", [n for n, s in ZOO.items() if s.interface])
def test_an_edit_changes_the_output(name: str, edit: object) -> None:
    species = ZOO[name]
    subject = Subject(species.build(), name=name)
    batch = subject.annotate(inputs_for(species, species.sides[0]))
    for kind in subject.kinds:
        heads = [h for h in subject.heads if h.kind == kind and h.layer == 1]
        assert effect(subject, edit(heads), batch).largest > 1e-4  # type: ignore[operator]


@pytest.mark.parametrize("name", [n for n, s in ZOO.items() if not s.interface])
def test_editing_a_model_outside_the_interface_is_an_error(name: str) -> None:
    subject = Subject(ZOO[name].build(), name=name)
    with pytest.raises(AttlasError, match="can be observed, but not edited"):
        Tap(subject, edits=[uniform(subject.heads[:1])])


def test_albert_calls_one_module_for_every_layer() -> None:
    subject = Subject(ZOO["albert"].build())
    modules = {module for module, _ in subject.addresses}
    assert len(modules) == 1
    assert sorted(layer for _, layer in subject.addresses.values()) == [0, 1, 2]


def test_an_edit_that_names_no_head_of_the_model_is_an_error() -> None:
    subject = Subject(ZOO["bert"].build())
    with pytest.raises(AttlasError, match=r"no head encoder\.7\.0"):
        Tap(subject, edits=[zero([Head("encoder", 7, 0)])])
