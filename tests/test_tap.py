"""The seam: what opens must close, whatever happens in between."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable

import pytest
import torch
import transformers
from transformers import AttentionInterface, AttentionMaskInterface

from attlas.address import Head
from attlas.corpora.batches import collate
from attlas.corpora.segments import Segment
from attlas.edits import uniform
from attlas.errors import AttlasError
from attlas.reducers import Means, Reducer, entropy, largest
from attlas.studies.surface.gradient_importance import Gradients
from attlas.subject import Subject
from attlas.subject.losses import objective
from attlas.tap import Needs, Observation, Tap, capture, usable
from zoo import ZOO


def values(reducer: Reducer) -> list[tuple[object, ...]]:
    return [row[:6] for row in reducer.rows()]  # one segment has no standard error


def implementations(subject: Subject) -> list[str]:
    return [m.config._attn_implementation for m in subject.model.modules() if hasattr(m, "config")]


def test_closing_restores_the_model_and_the_registries(mini: Subject) -> None:
    before = implementations(mini)
    names = set(AttentionInterface._global_mapping), set(AttentionMaskInterface._global_mapping)
    with Tap(mini):
        assert implementations(mini) != before
    assert implementations(mini) == before
    assert (set(AttentionInterface._global_mapping), set(AttentionMaskInterface._global_mapping)) == names
    assert not mini.model._forward_hooks
    assert not mini.model._forward_pre_hooks


def test_an_exception_inside_restores_them_too(mini: Subject) -> None:
    before = implementations(mini)
    with pytest.raises(RuntimeError, match="mine"), Tap(mini, [Means(entropy())]):
        raise RuntimeError("mine")
    assert implementations(mini) == before


def test_an_exception_in_a_reducer_restores_them_too(mini: Subject) -> None:
    class Broken:
        name = "broken"
        needs = Needs(weights=True)

        def update(self, observation: Observation) -> None:
            raise ValueError("broken reducer")

    before = implementations(mini)
    with pytest.raises(ValueError, match="broken reducer"), Tap(mini, [Broken()]) as tap:
        tap.run(mini.encode("A text."))
    assert implementations(mini) == before


@pytest.mark.parametrize("copied", [copy.deepcopy, pickle.dumps])
def test_a_model_is_copied_after_its_tap_is_closed(copied: Callable[[object], object], mini: Subject) -> None:
    with Tap(mini), pytest.raises(AttlasError, match="mini cannot be copied or pickled while a tap is open"):
        copied(mini.model)
    assert copied(mini.model)


def test_taps_nest(mini: Subject) -> None:
    """Edits of both apply, both reducers see the outcome, and each leaves when it closes."""
    batch = mini.encode("The cat sat on the mat.")
    first, second = Head("encoder", 3, 1), Head("encoder", 3, 2)
    outer, inner, after = Means(largest()), Means(largest()), Means(largest())
    with Tap(mini, [outer], [uniform([first])]) as outside:
        with Tap(mini, [inner], [uniform([second])]) as inside:
            inside.run(batch)
        assert values(outer) == values(inner)
        flat = {Head(r.kind, r.layer, r.head): r.value for r in inner.rows()}
        n = int(batch.sides["encoder"].real.sum())
        assert flat[first] == pytest.approx(1 / n)
        assert flat[second] == pytest.approx(1 / n)
        with Tap(mini, [after]):
            outside.run(batch)
    alone = {Head(r.kind, r.layer, r.head): r.value for r in after.rows()}
    assert alone[first] == pytest.approx(1 / n)
    assert alone[second] > 1.1 / n


def test_the_model_may_be_called_directly(mini: Subject) -> None:
    """A trainer's or a pipeline's own calls are watched as well: annotations come from the inputs."""
    batch = mini.encode("The cat sat on the mat.", "It was a good mat.")
    through_tap, direct = Means(entropy()), Means(entropy())
    with Tap(mini, [through_tap]) as tap:
        tap.run(batch)
    with Tap(mini, [direct]), torch.no_grad():
        mini.model(**batch.inputs)
    assert values(through_tap) == values(direct)


def test_gradients_flow_through_a_tap(mini: Subject) -> None:
    batch = mini.encode("The cat sat on the mat.")
    words = mini.model.get_input_embeddings().weight

    def gradient() -> torch.Tensor:
        words.grad = None
        mini.model(**batch.inputs)[0].square().mean().backward()
        assert words.grad is not None
        return words.grad.clone()

    plain = gradient()
    for kernel in usable():
        with Tap(mini, kernel=kernel):
            watched = gradient()
        assert (plain - watched).abs().max() <= 1e-5 * plain.abs().max()
    mini.model.zero_grad(set_to_none=True)


def test_output_attentions_gives_nothing_under_sdpa(mini: Subject) -> None:
    """What transformers 5 does, in silence, and why Attlas does not rely on it."""
    batch = mini.encode("The cat sat on the mat.")
    assert mini.model.config._attn_implementation == "sdpa"
    model = copy.deepcopy(mini.model)  # transformers leaves its hooks in it
    with torch.no_grad():
        assert not model(**batch.inputs, output_attentions=True).attentions


def test_reducers_refuse_a_step_of_generation() -> None:
    """With a cache a pass has one query and many keys: its statistics would be of something else."""
    model = ZOO["llama"].build()
    with Tap(Subject(model), [Means(largest())]), pytest.raises(AttlasError, match=r"1 queries and \d keys"):
        model.generate(torch.tensor([[5, 9, 11, 4]]), max_new_tokens=3, pad_token_id=0)  # type: ignore[operator]


def test_positional_inputs_are_annotated_too(mini: Subject) -> None:
    batch = mini.encode("The cat sat on the mat.")
    named, placed = Means(entropy()), Means(entropy())
    with torch.no_grad(), Tap(mini, [named]):
        mini.model(input_ids=batch.inputs["input_ids"])
    with torch.no_grad(), Tap(mini, [placed]):
        mini.model(batch.inputs["input_ids"])
    assert values(named) == values(placed)


class KeepOutput:
    """Keeps what the model returned and the losses of it."""

    needs = Needs(output=True, losses=True)
    seen: Observation

    def update(self, observation: Observation) -> None:
        self.seen = observation


def test_losses_and_who_asks_for_them_need_each_other(mini: Subject) -> None:
    batch = mini.encode("A text.")
    with Tap(mini, [Gradients(("other",))]) as tap, pytest.raises(AttlasError, match="asks for gradients"):
        tap.run(batch)
    with Tap(mini, [KeepOutput()]) as tap, pytest.raises(AttlasError, match="asks for losses"):
        tap.run(batch)
    with Tap(mini, [Means(largest())]) as tap, pytest.raises(AttlasError, match="no observer asks for loss"):
        tap.run(batch, lambda output: output[0].sum())


def test_an_observation_carries_the_output_and_one_loss_an_item(
    mini: Subject, segments_of: Callable[..., list[Segment]]
) -> None:
    segments = segments_of(mini, 3)
    keep, whole = KeepOutput(), collate(mini, segments)
    with Tap(mini, [keep]) as tap:
        tap.run(*objective(mini, whole))
        together = keep.seen.losses
        assert together is not None
        assert together.shape == (3,)
        assert not together.requires_grad
        assert keep.seen.output.prediction_logits.shape[:2] == whole.sides["encoder"].real.shape
        assert len(keep.seen.calls) == 12
        for row, segment in enumerate(segments):
            tap.run(*objective(mini, collate(mini, [segment])))
            assert keep.seen.losses is not None
            # float32 sums over 60 logits, in another order
            torch.testing.assert_close(keep.seen.losses[0], together[row], rtol=1e-4, atol=1e-5)


def test_what_nobody_reads_is_not_returned(mini: Subject) -> None:
    batch = mini.encode("A text.")
    with Tap(mini, [Means(largest())]) as tap:
        assert tap.run(batch) is None
        assert tap.run(batch, predictions=True).prediction_logits is not None


def test_capture_takes_one_text(mini: Subject, segments_of: Callable[..., list[Segment]]) -> None:
    with pytest.raises(AttlasError, match="one text at a time"):
        capture(mini, collate(mini, segments_of(mini, 2)))


def test_capture_gives_the_vectors_behind_the_weights() -> None:
    subject = Subject(ZOO["qwen3"].build())
    batch = subject.annotate({"input_ids": torch.tensor([[5, 9, 11, 4, 8, 3]])})
    for captured in capture(subject, batch, vectors=True):
        assert captured.query is not None
        assert captured.key is not None
        assert captured.value is not None
        assert captured.scaling is not None
        assert captured.query.shape == captured.key.shape == captured.value.shape == (4, 6, 8)
        scores = captured.query @ captured.key.transpose(-1, -2) * captured.scaling
        scores = scores.masked_fill(captured.weights == 0, -torch.inf)
        assert torch.allclose(scores.softmax(-1), captured.weights, atol=1e-6)


def test_generation_runs_under_a_tap() -> None:
    """With a cache, later calls have one query and many keys."""
    torch.manual_seed(0)
    model = ZOO["llama"].build()
    prompt = torch.tensor([[5, 9, 11, 4]])
    options = {"max_new_tokens": 5, "do_sample": False, "pad_token_id": 0}
    expected = model.generate(prompt, **options)  # type: ignore[operator]
    with Tap(Subject(model)):
        assert torch.equal(model.generate(prompt, **options), expected)  # type: ignore[operator]


def test_a_batch_padded_to_one_length_equals_its_segments(
    mini: Subject, segments_of: Callable[..., list[Segment]]
) -> None:
    segments = segments_of(mini, 3)
    together = collate(mini, segments)
    with torch.no_grad(), Tap(mini) as tap:
        padded = tap.run(together, predictions=True).prediction_logits
        for row, segment in enumerate(segments):
            alone = tap.run(collate(mini, [segment]), predictions=True).prediction_logits[0]
            assert (padded[row, : len(segment.ids)] - alone).abs().max() < 1e-3


def test_a_model_that_returns_no_attention_is_an_error() -> None:
    config = transformers.MambaConfig(
        vocab_size=50, hidden_size=16, num_hidden_layers=1, state_size=4, intermediate_size=32
    )
    with pytest.raises(AttlasError, match="shows no attention weights"):
        Subject(transformers.MambaModel(config), name="mamba")


def test_windows_of_a_models_own_are_refused() -> None:
    config = transformers.LongformerConfig(
        vocab_size=60, hidden_size=32, num_hidden_layers=2, num_attention_heads=4, intermediate_size=32,
        attention_window=[4, 4], max_position_embeddings=70,
    )  # fmt: skip
    subject = Subject(transformers.LongformerModel(config), None, "longformer")
    batch = subject.annotate({"input_ids": torch.arange(2, 18)[None]})
    with pytest.raises(AttlasError, match="attends in windows of its own"):
        capture(subject, batch)


def test_a_tap_that_is_not_open_runs_nothing(mini: Subject) -> None:
    batch = mini.encode("Strawberries.")
    tap = Tap(mini)
    with pytest.raises(AttlasError, match="the tap is not open"):
        tap.run(batch)
    with tap:
        tap.run(batch)
    with pytest.raises(AttlasError, match="the tap is not open"):
        tap.run(batch)
