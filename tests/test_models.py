"""Every architecture that Attlas promises: the tap sees what the model's own eager attention computes."""

from __future__ import annotations

import logging
from typing import Any

import pytest
import torch
import transformers
from transformers import AttentionMaskInterface
from transformers.masking_utils import eager_mask

import models_page
from attlas.address import Head
from attlas.corpora.batches import Batch
from attlas.edit import zero
from attlas.errors import AttlasError
from attlas.studies.surface.gradient_importance import Gradients
from attlas.subject import Subject
from attlas.tap import Distance, Entropy, Largest, Mass, Needs, Observation, Offset, Tap, Total, usable
from attlas.tap.totals import TotalPlaces
from image_zoo import SEEING
from reference import in_double
from zoo import DECODER, REFUSED, ZOO, inputs_for

CASES = [(name, side) for name, species in ZOO.items() for side in species.sides]
#: the fused kernel, in Triton's slow interpreter, has each model padded on one side: every second on the left
ON_KERNELS = [
    (name, side, kernel)
    for place, (name, species) in enumerate(ZOO.items())
    for side in species.sides
    for kernel in usable()
    if kernel != "triton" or side == species.sides[place % len(species.sides)]
]


class Keep:
    """Keeps every call's weights."""

    name = "keep"
    needs = Needs(weights=True)

    def __init__(self) -> None:
        self.weights: dict[tuple[str, int], torch.Tensor] = {}

    def update(self, observation: Observation) -> None:
        for seen in observation.calls:
            assert seen.weights is not None
            self.weights[seen.kind, seen.layer] = seen.weights


def _mask(*arguments: Any, **named: Any) -> Any:
    """transformers' own, with float32's least number: float64's is -∞ to those who take softmax in float32,
    and rows of padding would then be NaN."""
    mask = eager_mask(*arguments, **{**named, "dtype": torch.float32})
    return None if mask is None else mask.double()  # None: all may be seen


def own_attentions(subject: Subject, batch: Batch) -> dict[tuple[str, int], torch.Tensor]:
    """What the model returns itself, with eager attention, in float64."""
    inputs = {n: t.double() if t.is_floating_point() else t for n, t in batch.inputs.items()}
    before = AttentionMaskInterface._global_mapping["eager"]
    AttentionMaskInterface.register("eager", _mask)
    try:
        with torch.no_grad():
            output = in_double(subject.model)(**inputs, output_attentions=True)
    finally:
        AttentionMaskInterface.register("eager", before)
    if subject.encoder_decoder:
        fields = {
            "encoder": "encoder_attentions",
            "decoder": "decoder_attentions",
            "cross": "cross_attentions",
        }
        return {(k, i): w for k, f in fields.items() for i, w in enumerate(getattr(output, f))}
    attentions = [weights for weights in output.attentions if weights is not None]
    layers = sorted({head.layer for head in subject.heads})
    return {(subject.kinds[0], n): weights for n, weights in zip(layers, attentions, strict=True)}


@pytest.mark.parametrize("kernel", ["eager", "tiled"])  # which others ask for whole weights
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
        # float32 against float64: over all CPU paths of torch at most 1e-6 was seen
        assert apart.max() < 1e-5, (kind, layer)
        padding = ~batch.keys(kind).real[:, None, None, :]
        assert (weights * queries * padding).abs().max() == 0, "padding gets no attention"


TOTALS = (
    Total(Entropy()),
    Total(Largest()),
    Total(Mass("first")),
    Total(Mass("quarter_2"), over="quarter_3"),
    Total(Offset(-1)),
    Total(Distance(1)),
    Total(Distance(2)),
)


class AddUp:
    """Keeps the totals of every layer: head total, the mean over the batch."""

    name = "add up"
    needs = Needs(totals=frozenset(TOTALS))

    def __init__(self) -> None:
        self.means: dict[tuple[str, int], torch.Tensor] = {}

    def update(self, observation: Observation) -> None:
        rows = len(observation.batch.ids)
        for seen in observation.totals:
            chosen = tuple(seen.totals.index(total) if total in seen.totals else -1 for total in TOTALS)
            ones = torch.ones(len(TOTALS), rows, dtype=torch.float64)
            nothing = (-1,) * len(TOTALS)
            values, present = seen.by_item(TotalPlaces(chosen, nothing, nothing), ones)
            sums = values.where(present, 0).sum(0)  # layer head total
            self.means |= {(seen.kind, n): s / rows for n, s in zip(seen.layers, sums, strict=True)}


def totals_of(weights: torch.Tensor, kind: str, batch: Batch) -> torch.Tensor:
    """The same, by the definitions: head total."""
    queries, keys = batch.queries(kind), batch.keys(kind)  # type: ignore[arg-type]
    first, some = (keys.members(name)[:, None, None] for name in ("first", "quarter_2"))
    before = torch.nn.functional.pad(weights.diagonal(-1, -2, -1), (1, 0))  # batch head query
    rows = [
        torch.special.entr(weights).sum(-1),
        weights.amax(-1),
        (weights * first).sum(-1),
        (weights * some).sum(-1),
        before if kind != "cross" else torch.zeros_like(weights[..., 0]),
    ]
    apart = (torch.arange(weights.shape[2])[:, None] - torch.arange(weights.shape[3])).abs()
    rows += [(weights * apart**power).sum(-1) * (kind != "cross") for power in (1, 2)]
    members = [queries.members(total.over)[:, None] for total in TOTALS]
    return torch.stack([(r * m).sum(-1).mean(0) for r, m in zip(rows, members, strict=True)], -1)


@pytest.mark.parametrize(("name", "side", "kernel"), ON_KERNELS)
def test_every_kernel_adds_up_the_models_own_attention_and_leaves_the_output(
    name: str, side: str, kernel: str, caplog: pytest.LogCaptureFixture
) -> None:
    if kernel == "triton":
        from attlas.tap.triton import fused_pass

        fused_pass._said.clear()
    species = ZOO[name]
    subject = Subject(species.build(), name=name)
    rows = 2 if kernel == "triton" else 3  # its interpreter is slow, and has one padded row and one without
    batch = subject.annotate(inputs_for(species, side, rows))
    add_up = AddUp()
    with torch.no_grad():
        before = subject.model(**batch.inputs)[0]
        with caplog.at_level(logging.WARNING, "attlas"), Tap(subject, [add_up], kernel=kernel, rows=1) as tap:
            observed = tap.run(batch, predictions=True)[0]
        after = subject.model(**batch.inputs)[0]
    assert kernel != "triton" or species.fused == ("does not take" not in caplog.text)
    expected = own_attentions(subject, batch)
    assert add_up.means.keys() == expected.keys()
    for (kind, layer), totals in add_up.means.items():
        wanted = totals_of(expected[kind, layer], kind, batch)
        assert (totals - wanted).abs().max() < 1e-4, (kind, layer)
    real = torch.ones(before.shape[:2], dtype=torch.bool)
    if species.text:
        real = batch.sides["decoder" if "decoder" in batch.sides else "encoder"].real
    scale = max(1.0, float(before.abs().max()))  # T5's logits run into the hundreds
    assert (before - observed)[real].abs().max() < 1e-5 * scale
    assert torch.equal(before, after)


@pytest.mark.parametrize("name", ZOO)
def test_the_map_of_heads(name: str) -> None:
    species = ZOO[name]
    subject = Subject(species.build(), name=name)
    expected = [
        Head(kind, layer, head)  # type: ignore[arg-type]
        for kind, (layers, heads) in species.heads.items()
        for layer in (range(layers) if isinstance(layers, int) else layers)
        for head in range(heads)
    ]
    assert list(subject.heads) == expected
    assert subject.interface is species.interface


def test_albert_calls_one_module_for_every_layer() -> None:
    subject = Subject(ZOO["albert"].build())
    modules = {module for module, _ in subject.addresses}
    assert len(modules) == 1
    assert sorted(layer for _, layer in subject.addresses.values()) == [0, 1, 2]


@pytest.mark.parametrize("name", [*ZOO, *SEEING, *REFUSED])
def test_the_page_of_models_is_made_of_these(name: str) -> None:
    """`python tests/models_page.py` writes it."""
    assert models_page.row(name) in models_page.PAGE.read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_observed_is_refused_in_a_line(name: str) -> None:
    with pytest.raises(AttlasError, match=REFUSED[name].error) as refusal:
        Subject(REFUSED[name].build(), name=name)
    assert "\n" not in str(refusal.value)


def test_layers_without_attention_are_named_and_heads_there_are_not_found() -> None:
    subject = Subject(ZOO["qwen3_next"].build(), name="hybrid")
    assert subject.without_attention == {0: "linear_attention", 1: "linear_attention"}
    assert "2 layers without attention" in repr(subject)
    with pytest.raises(AttlasError, match="layer 1 has no attention; the layers that have it are 2"):
        Head.parse("1.0", subject.heads)


def test_a_layer_that_uses_its_weights_twice_is_observed_and_edited_once() -> None:
    """DiffLlama: two halves of the values, one set of weights."""
    species = ZOO["diffllama"]
    subject = Subject(species.build(), name="diffllama")
    batch = subject.annotate(inputs_for(species, "left"))
    add_up, calls = AddUp(), []
    with Tap(subject, [add_up], [zero(["1.2"])], listener=calls.append) as tap:
        edited = tap.run(batch, predictions=True)
    assert [call.layer for call in calls] == [0, 1, 2]
    assert len(add_up.means) == 3
    with torch.no_grad():
        plain = subject.model(**batch.inputs)
    assert not torch.allclose(edited.logits, plain.logits)


def test_a_vision_language_models_decoder_is_observed_over_images() -> None:
    """What reads the images attends as ever, and only the decoder has heads."""
    torch.manual_seed(0)
    config = transformers.LlavaConfig(
        vision_config=transformers.CLIPVisionConfig(
            hidden_size=32,
            num_hidden_layers=2,
            num_attention_heads=4,
            intermediate_size=48,
            image_size=12,
            patch_size=4,
        ),
        text_config=transformers.LlamaConfig(**DECODER),
        image_token_index=59,
        vision_feature_layer=-1,
    )
    subject = Subject(transformers.LlavaForConditionalGeneration(config).eval(), name="llava")
    assert subject.kinds == ("decoder",)
    ids = torch.tensor([[5, *[59] * 9, 7, 8, 9], [*[59] * 9, 20, 21, 22, 23]])
    inputs = {"input_ids": ids, "pixel_values": torch.randn(2, 3, 12, 12)}
    batch = subject.annotate(inputs)
    keep = Keep()
    with Tap(subject, [keep], kernel="tiled") as tap:
        tap.run(batch)
    expected = own_attentions(subject, batch)
    assert keep.weights.keys() == expected.keys()
    for place, weights in keep.weights.items():
        assert (weights - expected[place]).abs().max() < 1e-5
    without = subject.annotate({"input_ids": ids.clamp(max=58)})
    alone = Keep()
    with Tap(subject, [alone], kernel="tiled") as tap:
        tap.run(without)
    assert not torch.allclose(alone.weights["decoder", 2], keep.weights["decoder", 2], atol=1e-3)


@pytest.mark.parametrize("name", [name for name, species in ZOO.items() if species.interface])
def test_edits_and_gradients_reach_every_family_of_the_interface(name: str) -> None:
    """As the page says: one head's weights change what the model gives, and every layer has gradients."""
    species = ZOO[name]
    subject = Subject(species.build(), name=name)
    batch = subject.annotate(inputs_for(species, species.sides[0]))
    with torch.no_grad():
        before = subject.model(**batch.inputs)[0]
    with Tap(subject, edits=[zero([subject.heads[-1].full])]) as tap:
        after = tap.run(batch, predictions=True)[0]
    assert not torch.allclose(before, after, atol=1e-6)
    importance = Gradients(["first"])
    with Tap(subject, [importance]) as tap:
        if subject.repeated:
            with pytest.raises(AttlasError, match="gradients cannot be taken"):
                tap.run(batch, losses=squared)
            return
        tap.run(batch, losses=squared)
    seen = {(row.kind, row.layer, row.head) for row in importance.rows() if row.value > 0}
    assert seen == {(head.kind, head.layer, head.head) for head in subject.heads}


def squared(output: Any) -> torch.Tensor:
    """A loss for each row of the batch, of whatever the model gives."""
    return output[0].float().square().flatten(1).mean(-1)
