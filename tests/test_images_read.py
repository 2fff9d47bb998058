"""Models that read images with their text: what they attend to is what their own eager attention computes."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from torch import Tensor, nn

from attlas.address import Head
from attlas.edit import zero
from attlas.edits.sweep import Sweep
from attlas.errors import AttlasError
from attlas.reducers.means import Means
from attlas.reducers.surface_statistics import entropy, offsets, sink
from attlas.studies.pruning.prune_study import GateGradients
from attlas.subject import Subject
from attlas.subject.losses import objective
from attlas.tap import Needs, Observation, Tap, usable
from image_zoo import SEEING, inputs_with_images
from reference import in_double


class Keep:
    """Keeps every call's weights."""

    name = "keep"
    needs = Needs(weights=True)

    def __init__(self) -> None:
        self.weights: dict[tuple[str, int], Tensor] = {}

    def update(self, observation: Observation) -> None:
        for seen in observation.calls:
            assert seen.weights is not None
            self.weights[seen.kind, seen.layer] = seen.weights


def written_down(model: nn.Module, inputs: dict[str, Tensor]) -> dict[nn.Module, list[Tensor]]:
    """Each attention module's weights in the order of its calls, as transformers' eager functions give them.
    These are called with one image, or window, at a time."""
    weights: dict[nn.Module, list[Tensor]] = {}
    before: list[Any] = []
    for module in model.modules():
        source = __import__(type(module).__module__, fromlist=["x"])
        if hasattr(source, "eager_attention_forward") and source not in before:
            before.append(source)
    plain = {source: source.eager_attention_forward for source in before}

    def keeping(eager: Any) -> Any:
        def forward(module: nn.Module, *args: Any, **named: Any) -> Any:
            output, seen = eager(module, *args, **named)
            weights.setdefault(module, []).append(seen)
            return output, seen

        return forward

    try:
        for source, eager in plain.items():
            source.eager_attention_forward = keeping(eager)
        with torch.no_grad():
            model.set_attn_implementation("eager")
            model(**inputs)
    finally:
        for source, eager in plain.items():
            source.eager_attention_forward = eager
    return weights


def by_item(pieces: list[Tensor]) -> Tensor:
    """Images, or windows, one after the other: 1 head patch patch."""
    blocks = [image for piece in pieces for image in piece]  # head patch patch
    heads = blocks[0].shape[0]
    return torch.stack([torch.block_diag(*(block[h] for block in blocks)) for h in range(heads)])[None]


@pytest.mark.parametrize("images", [1, 3])
@pytest.mark.parametrize("name", SEEING)
def test_text_and_patches_attend_as_the_model_does_by_itself(name: str, images: int) -> None:
    model = SEEING[name].build()
    subject = Subject(model, name=name, images=True)
    inputs = inputs_with_images(name, images)
    keep = Keep()
    with Tap(subject, [keep], kernel="tiled") as tap:
        tap.run(subject.annotate(inputs))
    double = in_double(model)
    expected = written_down(
        double, {n: t.double() if t.is_floating_point() else t for n, t in inputs.items()}
    )
    names = {module: path for path, module in model.named_modules()}
    again = dict(double.named_modules())
    assert set(keep.weights) == set(subject.addresses.values())
    for (module, _), (kind, layer) in subject.addresses.items():
        pieces = expected[again[names[module]]]
        wanted = by_item(pieces) if kind == "vision" else pieces[0]
        assert (keep.weights[kind, layer] - wanted).abs().max() < 1e-5, (kind, layer)
        assert keep.weights[kind, layer].std() > 0.005, "attention that is not all even"


@pytest.mark.parametrize("name", SEEING)
def test_vision_heads_have_addresses(name: str) -> None:
    species = SEEING[name]
    subject = Subject(species.build(), name=name, images=True)
    vision = [Head("vision", layer, head) for layer in range(species.layers) for head in range(species.heads)]
    decoder = [Head("decoder", layer, head) for layer in range(3) for head in range(4)]
    assert list(subject.heads) == [*decoder, *vision]


@pytest.mark.parametrize("kernel", usable())
@pytest.mark.parametrize("name", SEEING)
def test_every_kernel_adds_up_what_patches_and_text_do(name: str, kernel: str) -> None:
    subject = Subject(SEEING[name].build(), name=name, images=True)
    batch = subject.annotate(inputs_with_images(name, 2))
    keep, means = Keep(), Means([*offsets(), *entropy(), *sink()])
    with Tap(subject, [keep], kernel="eager") as tap:
        tap.run(batch)
    with Tap(subject, [means], kernel=kernel, rows=1) as tap:
        tap.run(batch)
    rows = {(r.kind, r.layer, r.head, r.statistic): r.value for r in means.rows() if r.group in ("", "all")}
    for (kind, layer), weights in keep.weights.items():
        for head, head_weights in enumerate(weights[0].double()):
            spread = torch.special.entr(head_weights).sum(-1).mean()
            assert rows[kind, layer, head, "entropy"] == pytest.approx(float(spread), abs=1e-4)
            before = head_weights.diagonal(-1).mean()
            assert rows[kind, layer, head, "to_previous"] == pytest.approx(float(before), abs=1e-4)


@pytest.mark.parametrize("name", SEEING)
def test_heads_that_read_images_can_be_switched_off_and_differentiated(name: str) -> None:
    model = SEEING[name].build()
    subject = Subject(model, name=name, images=True)
    batch = subject.annotate(inputs_with_images(name, 2))
    with torch.no_grad():
        before = model(**batch.inputs).logits
    for head in ("vision.0.1", "1.2"):
        with Tap(subject, edits=[zero([head])]) as tap:
            assert not torch.allclose(tap.run(batch, predictions=True).logits, before, atol=1e-6)
    gates = GateGradients()
    with Tap(subject, [gates]) as tap:
        tap.run(*objective(subject, batch))
    assert {(r.kind, r.layer) for r in gates.rows()} == set(subject.addresses.values())
    assert {row.kind for row in gates.rows() if row.value > 0} == {"decoder", "vision"}


def test_each_copy_of_an_item_has_its_own_patches() -> None:
    """A sweep runs many edits at once, each on a copy of the batch."""
    for name in ("llava", "qwen2_5_vl"):
        subject = Subject(SEEING[name].build(), name=name, images=True)
        batch = subject.annotate(inputs_with_images(name, 2))
        edits = [zero([head]) for head in ("vision.0.1", "vision.1.3", "2.0")]
        together = Sweep(edits).observe(subject, batch).outcomes
        alone = [Sweep([edit]).observe(subject, batch).outcomes[1] for edit in edits]
        assert together is not None
        assert torch.allclose(together[1:], torch.stack(alone), atol=1e-5)
        assert len(together.unique()) == 4


def test_items_with_images_of_different_sizes_are_run_one_at_a_time() -> None:
    subject = Subject(SEEING["llava"].build(), name="llava", images=True)
    single, two = inputs_with_images("llava", 1), inputs_with_images("llava", 2)
    width = two["input_ids"].shape[1]
    padded = torch.nn.functional.pad(single["input_ids"], (0, width - single["input_ids"].shape[1]))
    both = {
        "input_ids": torch.cat([padded, two["input_ids"]]),
        "pixel_values": torch.cat([single["pixel_values"], two["pixel_values"]]),
    }
    with (
        pytest.raises(AttlasError, match="images of different sizes: run one at a time"),
        Tap(subject, [Keep()]) as tap,
    ):
        tap.run(subject.annotate(both))


def test_a_model_of_text_alone_reads_no_images(mini: Subject) -> None:
    with pytest.raises(AttlasError, match="does not read images with its text"):
        Subject(mini.model, mini.tokenizer, "mini", images=True)


def test_without_images_a_model_that_could_read_them_has_the_heads_that_read_text() -> None:
    subject = Subject(SEEING["gemma3_vl"].build(), name="gemma3")
    assert subject.kinds == ("decoder",)
    assert subject.image_token is None
