"""The edit contract: every edit, listed in `EDITS`, keeps the same promises.

It does what it says to the heads it names and leaves all others as they are, in the rows of a batch that it
is for and in no other; padding stays without attention; every kernel gives the same; and an edit that would
do nothing is an error.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor
from torch.testing import assert_close

from attlas.address import Head
from attlas.corpora.batches import Batch
from attlas.edits import EDITS, Edit, by_row, mean, shuffle, uniform, zero
from attlas.edits.effect import effect, refuse_all_without_effect, without_effect
from attlas.edits.head_edit import HeadEdit, heads_named
from attlas.edits.shuffling import Shuffle, without_partner
from attlas.errors import AttlasError
from attlas.studies.disabling.disable_study import HeadOutputMeans
from attlas.subject import Subject
from attlas.tap import Needs, Observation, Tap, usable
from attlas.tap.call import Call
from attlas.tap.mask import Mask
from zoo import ZOO, inputs_for

MODELS = ("bert", "llama", "t5")  # of which llama groups its queries, and t5 has cross attention
ROWS = 6  # two of each length: an input, and another as long three rows below
INTERFACE = [name for name, species in ZOO.items() if species.interface]


class Keep:
    """Keeps every call's weights, and what its heads give."""

    needs = Needs(weights=True, head_outputs=True)

    def __init__(self) -> None:
        self.weights: dict[tuple[str, int], Tensor] = {}
        self.outputs: dict[tuple[str, int], Tensor] = {}

    def update(self, observation: Observation) -> None:
        for call in observation.calls:
            assert call.weights is not None
            assert call.outputs is not None
            self.weights[call.kind, call.layer] = call.weights
            self.outputs[call.kind, call.layer] = call.outputs


@cache
def subject_and_batch(name: str) -> tuple[Subject, Batch]:
    subject = Subject(ZOO[name].build(), name=name)
    side = "left" if name == "llama" else ZOO[name].sides[0]
    inputs = inputs_for(ZOO[name], side)
    other = {
        n: t.flip(1) if t.dtype != torch.long else torch.where(t > 2, 62 - t, t) for n, t in inputs.items()
    }
    masks = {n: t for n, t in inputs.items() if "mask" in n}
    return subject, subject.annotate({n: torch.cat([t, {**other, **masks}[n]]) for n, t in inputs.items()})


@cache
def means_of(name: str) -> dict[Head, np.ndarray]:
    subject, batch = subject_and_batch(name)
    means = HeadOutputMeans()
    with Tap(subject, [means]) as tap:
        tap.run(batch)
    return means.means()


#: model, heads -> edit
MAKE: dict[str, Callable[[str, Sequence[Head | str]], Edit]] = {
    "uniform": lambda model, heads: uniform(heads),
    "zero": lambda model, heads: zero(heads),
    "mean": lambda model, heads: mean(heads, means_of(model)),
    "shuffle": lambda model, heads: shuffle(heads),
}


def test_every_edit_is_held_to_the_contract() -> None:
    assert MAKE.keys() == EDITS.keys(), f"make {EDITS.keys() ^ MAKE.keys()} in MAKE of tests/test_edits.py"


def watched(
    name: str, edits: Sequence[Edit] = (), kernel: str = "eager"
) -> tuple[Keep, Tensor, dict[tuple[str, int], Call]]:
    """What was seen, the model's output, and its calls."""
    subject, batch = subject_and_batch(name)
    keep, calls = Keep(), dict[tuple[str, int], Call]()

    def listen(call: Call) -> None:
        calls[call.kind, call.layer] = call

    with Tap(subject, [keep], edits, kernel, listen) as tap:
        output = tap.run(batch, predictions=True)[0]
    return keep, output, calls


def expected(edit: str, model: str, call: Call, head: int) -> tuple[Tensor, Tensor]:
    """row query key and row query dim, float64: what the edit says, from the call as the model made it."""
    allowed = call.mask.rows(0, call.query.shape[2])[:, 0]  # row query key
    share = allowed.double() / allowed.sum(-1, keepdim=True).clamp(min=1)
    value = call.per_head(call.value)[:, head].double()
    if edit == "uniform":
        return share, share @ value
    if edit == "zero":
        return torch.zeros_like(share), torch.zeros_like(share @ value)
    scores = call.query[:, head].double() @ call.per_head(call.key)[:, head].double().mT * call.scaling
    if call.bias is not None:
        scores = scores + call.bias[:, head].double()
    weights = scores.masked_fill(~allowed, -torch.inf).softmax(-1).nan_to_num(0)
    if edit == "shuffle":  # the other row of the same length
        return weights.roll(3, 0), weights.roll(3, 0) @ value
    if edit == "mean":
        vector = torch.from_numpy(means_of(model)[Head(call.kind, call.layer, head)])
        return weights, vector.expand(*share.shape[:2], -1)
    raise AssertionError(f"say in plain formulas what {edit} does: tests/test_edits.py, expected()")


CHOICES = [(model, kind) for model in MODELS for kind in ZOO[model].heads]


@pytest.mark.parametrize("kernel", usable())
@pytest.mark.parametrize(("model", "kind"), CHOICES)
@pytest.mark.parametrize("name", EDITS)
@pytest.mark.parametrize("rows", ["all", "two"])
@settings(max_examples=3, deadline=None)
@given(data=st.data())
def test_an_edit_does_what_it_says_and_nothing_else(
    name: str, model: str, kind: str, kernel: str, rows: str, data: st.DataObject
) -> None:
    subject, batch = subject_and_batch(model)
    layer_heads = [h for h in subject.heads if (h.kind, h.layer) == (kind, 1)]
    heads = sorted(data.draw(st.sets(st.sampled_from(layer_heads), min_size=1, max_size=3)))
    edit = MAKE[name](model, [h.full for h in heads] if data.draw(st.booleans()) else heads)
    first = data.draw(st.integers(0, 2))
    chosen = list(range(ROWS)) if rows == "all" else [first, first + 3]
    given_edit = edit if rows == "all" else by_row([edit if row in chosen else None for row in range(ROWS)])
    plain, _, _ = watched(model, kernel=kernel)
    edited, _, calls = watched(model, [given_edit], kernel)
    call = calls[kind, 1]
    queries, keys = batch.queries(call.kind).real, batch.keys(call.kind).real
    weights, outputs = edited.weights[kind, 1], edited.outputs[kind, 1]
    for row in range(ROWS):
        real = queries[row]
        for head in range(len(layer_heads)):
            if row in chosen and layer_heads[head] in heads:
                wanted, output = expected(name, model, call, head)
                assert_close(weights[row, head][real].double(), wanted[row][real], atol=1e-6, rtol=1e-5)
                assert_close(outputs[row, head].double(), output[row][real].sum(0), atol=1e-5, rtol=1e-5)
            else:
                assert torch.equal(weights[row, head][real], plain.weights[kind, 1][row, head][real])
                assert_close(outputs[row, head], plain.outputs[kind, 1][row, head], atol=1e-5, rtol=1e-5)
        assert (weights[row][:, real][..., ~keys[row]] == 0).all(), "padding gets no attention"
    sums = weights.sum(-1).transpose(1, 2)[queries]
    assert ((sums - 1).abs().lt(1e-5) | sums.eq(0)).all()
    for at in plain.weights:  # what comes before the edit is what it was; other rows are, wherever they are
        for row in range(ROWS):
            if row not in chosen or at == (kind, 0):
                assert torch.equal(edited.weights[at][row], plain.weights[at][row])


@pytest.mark.parametrize("name", EDITS)
@pytest.mark.parametrize("model", INTERFACE)
def test_every_edit_changes_the_output_of_every_model(model: str, name: str) -> None:
    subject, batch = subject_and_batch(model)
    for kind in subject.kinds:
        layers = sorted({h.layer for h in subject.heads if h.kind == kind})
        heads = [h for h in subject.heads if h.kind == kind and h.layer == layers[:2][-1]]
        assert effect(subject, MAKE[name](model, heads), batch).largest > 1e-4


@pytest.mark.parametrize("name", EDITS)
@pytest.mark.parametrize("model", MODELS)
def test_padding_makes_no_difference_to_an_edited_model(model: str, name: str) -> None:
    subject, batch = subject_and_batch(model)
    edit = MAKE[name](model, [h for h in subject.heads if h.layer == 1])
    sides = {side: tokens.real for side, tokens in batch.sides.items()}
    last = sides["decoder" if "decoder" in sides else "encoder"]
    with Tap(subject, edits=[edit]) as tap:
        together = tap.run(batch, predictions=True)[0]
        for row in range(3):  # with the other of its length
            side = {"input_ids": sides.get("encoder", last), "decoder_input_ids": last}
            alone = subject.annotate(
                {n: batch.inputs[n][row::3][:, real[row]] for n, real in side.items() if n in batch.inputs}
            )
            logits = tap.run(alone, predictions=True)[0]
            scale = max(1.0, float(logits.abs().max()))
            assert (together[row::3][:, last[row]] - logits).abs().max() < 2e-5 * scale


@pytest.mark.parametrize("name", EDITS)
@pytest.mark.parametrize("model", MODELS)
def test_every_kernel_gives_the_same_edited_output(model: str, name: str) -> None:
    subject, _ = subject_and_batch(model)
    edit = MAKE[name](model, subject.heads[::3])
    outputs = {kernel: watched(model, [edit], kernel)[1] for kernel in usable()}
    scale = max(1.0, float(outputs["eager"].abs().max()))
    for kernel, output in outputs.items():
        assert (output - outputs["eager"]).abs().max() < 1e-5 * scale, kernel


@pytest.mark.parametrize("name", EDITS)
def test_an_edit_survives_pickling(name: str) -> None:
    subject, batch = subject_and_batch("bert")
    edit = MAKE[name]("bert", ["1.2", Head("encoder", 2, 0)])
    again = pickle.loads(pickle.dumps(edit))
    assert effect(subject, again, batch) == effect(subject, edit, batch)


def test_a_layers_heads_are_disabled_in_one_batch() -> None:
    """Row i without head i is what a batch of its own gives."""
    subject, batch = subject_and_batch("llama")
    single = subject.annotate({"input_ids": batch.inputs["input_ids"][:1]})
    four = subject.annotate({"input_ids": batch.inputs["input_ids"][:1].expand(4, -1)})
    edits = [zero(f"1.{head}") for head in range(4)]
    with Tap(subject, edits=[by_row(edits)]) as tap:
        together = tap.run(four, predictions=True).logits
    for row, edit in enumerate(edits):
        with Tap(subject, edits=[edit]) as tap:
            alone = tap.run(single, predictions=True).logits[0]
        assert_close(together[row], alone, atol=1e-5, rtol=1e-5)


def test_by_row_needs_an_edit_for_every_row() -> None:
    subject, batch = subject_and_batch("bert")
    two = by_row([zero("1.0"), None])
    with pytest.raises(AttlasError, match="2 edits, and the batch has 6"), Tap(subject, edits=[two]) as tap:
        tap.run(batch)
    with pytest.raises(AttlasError, match="not another by_row"):
        by_row([by_row([zero("1.0")])])


def test_zero_takes_a_head_out_of_the_output(mini: Subject) -> None:
    """A zeroed head contributes nothing: the same as zero columns of the output projection."""
    batch = mini.encode("The cat sat on the mat.")
    projection = mini.model.bert.encoder.layer[4].attention.output.dense.weight
    with Tap(mini, edits=[zero("4.7")]) as tap:
        edited = tap.run(batch, predictions=True)[0]
    with torch.no_grad():
        kept = projection[:, 7 * 16 : 8 * 16].clone()
        projection[:, 7 * 16 : 8 * 16] = 0
        plain = mini.model(**batch.inputs)[0]
        projection[:, 7 * 16 : 8 * 16] = kept
    assert (edited - plain).abs().max() < 1e-4


def test_an_edit_that_changes_nothing_is_an_error() -> None:
    """In a causal model the first token sees only itself: uniform attention is what it has already."""
    subject, _ = subject_and_batch("llama")
    one_token = subject.annotate({"input_ids": torch.tensor([[7]])})
    first = r"uniform on decoder\.0\.0, decoder\.0\.1, decoder\.0\.2, decoder\.0\.3, \.\.\."
    with pytest.raises(AttlasError, match=rf"^{first} changed nothing in the output of llama$"):
        effect(subject, uniform(subject.heads), one_token)
    some = uniform(subject.heads[:4])
    with pytest.raises(AttlasError, match=r"decoder\.0\.3 and others by row changed nothing"):
        effect(subject, by_row([None, some]), subject.annotate({"input_ids": torch.tensor([[7], [7]])}))


def test_an_edit_is_checked_however_the_model_is_called() -> None:
    """A model called directly whose pass never reaches the head: the tap says so when it closes."""
    subject = Subject(ZOO["bert"].build())
    tap = Tap(subject, edits=[zero("2.0")])
    tap.__enter__()
    subject.model.bert.encoder.layer = subject.model.bert.encoder.layer[:1]
    with torch.no_grad():
        subject.model(torch.tensor([[5, 6, 7]]))
    with pytest.raises(AttlasError, match="never took effect"):
        tap.__exit__(None, None, None)


@pytest.mark.parametrize(
    ("heads", "said"),
    [
        ([], "names no head"),
        ([Head("encoder", 7, 0)], r"no head encoder\.7\.0"),
        ("7.0", "there is no head 7.0"),
        (["seven"], "is not a head"),
    ],
)
def test_heads_that_a_model_does_not_have_are_named(heads: object, said: str) -> None:
    subject, _ = subject_and_batch("bert")
    with pytest.raises(AttlasError, match=said):
        Tap(subject, edits=[zero(heads)])  # type: ignore[arg-type]


def test_a_mean_that_is_missing_or_of_another_size_is_said() -> None:
    subject, batch = subject_and_batch("bert")
    with pytest.raises(AttlasError, match="no mean output"), Tap(subject, edits=[mean("1.0", {})]) as tap:
        tap.run(batch)
    wrong = mean("1.0", {Head("encoder", 1, 0): np.zeros(3)})
    with pytest.raises(AttlasError, match="has 3 numbers"), Tap(subject, edits=[wrong]) as tap:
        tap.run(batch)


@pytest.mark.parametrize("name", [n for n, s in ZOO.items() if not s.interface])
def test_editing_a_model_outside_the_interface_is_an_error(name: str) -> None:
    subject = Subject(ZOO[name].build(), name=name)
    with pytest.raises(AttlasError, match="can be observed, but not edited"):
        Tap(subject, edits=[uniform(subject.heads[:1])])


def test_a_layer_is_named_in_several_ways() -> None:
    heads = subject_and_batch("bert")[0].heads
    layer = tuple(h for h in heads if h.layer == 1)
    for written in ("1.*", "layer 1", "Layer  1", "encoder.1.*", "encoder layer 1"):
        assert heads_named(written, heads) == layer
    assert heads_named("0.3, 1.*", heads) == (Head("encoder", 0, 3), *layer)
    cross = subject_and_batch("t5")[0].heads
    assert {h.kind for h in heads_named("cross layer 2", cross)} == {"cross"}


@pytest.mark.parametrize(
    ("model", "written", "said"),
    [
        ("bert", "layer 3", r"no layer 'layer 3' \(encoder: layers 0 to 2"),
        ("bert", "3.*", "layers 0 to 2"),
        ("bert", "3.0", r"no head 3.0 \(encoder: layers 0 to 2, heads 0 to 3"),
        ("bert", "layer one", "is not a layer"),
        ("bert", "*.1", "is not a layer"),
        ("t5", "layer 1", r"encoder\.1\.\* or decoder\.1\.\* or cross\.1\.\*: write one of these"),
    ],
)
def test_a_layer_that_a_model_does_not_have_is_named(model: str, written: str, said: str) -> None:
    with pytest.raises(AttlasError, match=said):
        Tap(subject_and_batch(model)[0], edits=[zero(written)])


def test_shuffle_leaves_a_row_without_a_partner_as_it_is() -> None:
    """Of five rows, the fifth is as long as the second; the third has no other of its length."""
    subject, batch = subject_and_batch("bert")
    five = subject.annotate({n: t[:5] for n, t in batch.inputs.items()})
    assert without_partner(five, "encoder").tolist() == [False, False, True, False, False]
    with Tap(subject, edits=[shuffle("1.*")]) as tap:
        edited = tap.run(five, predictions=True).logits
    apart = (edited - subject.run(five.inputs).logits).abs().amax((1, 2))
    assert (apart > 1e-3).tolist() == [True, True, False, True, True]


@settings(max_examples=25, deadline=None)
@given(rows=st.integers(1, 40), seed=st.integers(0, 5))
def test_shuffle_takes_each_row_once_and_never_its_own(rows: int, seed: int) -> None:
    from attlas.edits.shuffling import _circle

    lenders = _circle(list(range(rows)), seed)
    assert sorted(lenders) == list(range(rows))
    assert rows == 1 or all(row != lender for row, lender in enumerate(lenders))
    assert lenders == _circle(list(range(rows)), seed)


def test_shuffle_takes_weights_of_rows_that_may_see_as_much_where_a_mask_is_of_another_form() -> None:
    """Five queries of four rows, of which the first and third may see three of seven keys."""
    may = torch.ones(4, 1, 5, 7, dtype=torch.bool)
    may[[0, 2], ..., 3:] = False
    call = Call(
        *("cross", 0, torch.zeros(4, 2, 5, 8), torch.zeros(4, 2, 7, 8), torch.zeros(4, 2, 7, 8)),
        Mask("other", None, lambda start, stop: may[:, :, start:stop]),
        scaling=1.0,
    )
    weights = torch.arange(4.0)[:, None, None, None]

    def borrowed(mask: Mask, rows: tuple[int, ...] | None = None) -> list[float]:
        some = weights if rows is None else weights[list(rows)]
        return Shuffle(0)(replace(call, mask=mask), rows)(some, None).flatten().tolist()

    assert borrowed(call.mask) == [2, 3, 0, 1]
    assert borrowed(call.mask, (0, 1, 2)) == [2, 1, 0]
    alike = borrowed(Mask("other", None, lambda start, stop: may[:1, :, start:stop]))
    assert sorted(alike) == [0, 1, 2, 3]
    assert all(taken != row for row, taken in enumerate(alike))


def test_a_layer_that_a_model_lacks_is_refused_with_those_that_it_has() -> None:
    subject, _ = subject_and_batch("t5")
    with pytest.raises(
        AttlasError, match=r"encoder: layers 0 to 1, decoder: layers 0 to 2, cross: layers 0 to 2"
    ):
        heads_named("layer 9", subject.heads)


def test_an_edit_without_effect_is_told_from_rounding() -> None:
    """Its output differs in the last bits from the plain one, which another kernel computes."""
    subject, batch = subject_and_batch("bert")
    idle = HeadEdit("idle", ("1.2",), lambda weights, _: weights.clone())
    real = [make("bert", ["1.2"]) for make in MAKE.values()]
    assert without_effect(subject, [*real, idle], batch) == [idle]
    assert without_effect(subject, [real[0], idle], batch) == [idle]
    assert refuse_all_without_effect(subject, [*real, idle], [batch]) == [idle]
    with pytest.raises(AttlasError, match=r"idle on 1\.2 changed nothing"):
        refuse_all_without_effect(subject, [idle, idle], [batch, batch])


def test_an_edit_is_tried_on_more_inputs_before_it_counts_as_idle() -> None:
    """Two inputs that are the same lend each other what they have; the third and sixth differ."""
    subject, batch = subject_and_batch("bert")
    twins = subject.annotate({n: t[[0, 0]] for n, t in batch.inputs.items()})
    edits = [shuffle("1.2"), shuffle("1.*")]
    assert without_effect(subject, edits, twins) == edits
    assert refuse_all_without_effect(subject, edits, [twins, batch]) == []
