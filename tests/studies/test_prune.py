"""Pruning: orders are those of plain formulas, curves of whole runs, and a smaller model gives the same."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import torch
import transformers
from in_process import run_here

import attlas
from attlas.address import Head
from attlas.corpora.halves import Half
from attlas.edits import zero
from attlas.edits.head_edit import HeadEdit
from attlas.edits.sweep import Sweep
from attlas.engines import Pass
from attlas.errors import AttlasError
from attlas.options import BatchOptions, TextOptions
from attlas.studies.disabling.evaluation import Evaluation, loss_evaluation
from attlas.studies.disabling.outcomes import LOSS, Metric
from attlas.studies.disabling.sweep_trial import FirstItems, Trial, first_items
from attlas.studies.pruning.prune_study import GateGradients, Prune, fewest_without_loss
from attlas.studies.pruning.smaller_model import heads_to_go, save_smaller
from attlas.subject import Subject
from attlas.subject.checkpoints import stored_dtype
from attlas.subject.losses import objective
from attlas.tap import Tap
from compared import Compared
from zoo import ZOO, inputs_for

MINI = Path(attlas.__file__).parent / "data" / "mini"


def study_of(subject: Subject, **more: Any) -> Prune:
    evaluation = loss_evaluation(subject, TextOptions(segments=10, length=24), BatchOptions(batch=3))
    return Prune(subject=subject, evaluation=evaluation, **{"steps": 4, "randoms": 2, **more})


@pytest.mark.parametrize("name", ["bert", "llama", "t5"])
@pytest.mark.reference("gate_gradient")
def test_the_gradient_of_a_gate_is_that_of_a_factor(name: str, compared: Compared) -> None:
    """By which what the head gives is multiplied, in each row, differentiated by itself."""
    subject = Subject(ZOO[name].build().double(), name=name)
    batch = subject.annotate(inputs_for(ZOO[name], "right"))

    def losses(output: Any) -> torch.Tensor:
        return output.logits.square().mean((1, 2))  # type: ignore[no-any-return]

    gates = GateGradients()
    with Tap(subject, [gates], kernel="eager") as tap:
        tap.run(batch, losses)
    rows = {(r.kind, r.layer, r.head): r for r in gates.rows()}
    assert len(rows) == len(subject.heads)

    for head in subject.heads[::5]:
        gate = torch.ones(3, 1, 1, 1, dtype=torch.float64, requires_grad=True)
        turned = HeadEdit("turned", (head,), output=lambda output, _, gate=gate: output * gate)
        with Tap(subject, edits=[turned], kernel="eager"):
            losses(subject.model(**batch.inputs)).sum().backward()
        assert gate.grad is not None
        row = rows[head.kind, head.layer, head.head]
        expected = float(gate.grad.abs().mean())
        compared(row.statistic, row.value, expected, 1e-9 + 1e-5 * expected)
        assert row.n == 3
    importance = gates.importance()
    for kind, layer in {(h.kind, h.layer) for h in subject.heads}:
        squares = [v**2 for h, v in importance.items() if (h.kind, h.layer) == (kind, layer)]
        assert sum(squares) == pytest.approx(1)


def test_curves_are_those_of_whole_runs(subject_of: Callable[[str], Subject]) -> None:
    """On the half that did not choose: the loss of each set of heads, run by itself."""
    subject = subject_of("llama")
    study = study_of(subject, orders=("effect", "gradient", "greedy"))
    chapter = study.conclude(run_here(subject))
    table, order = chapter.tables["pruned"], chapter.tables["order"]
    items, other = (
        [item for shard in half.shards() for item in half.prepare(shard).items]
        for half in (study.source.only(Half(choosing, 0)) for choosing in (False, True))
    )
    assert {i.id.document for i in items}.isdisjoint({i.id.document for i in other})
    assert len(items) + len(other) == 10

    def loss(of: Any, gone: list[Head]) -> float:
        measured = []
        for item in of:
            (batch,) = study.source.batches(subject, [item])
            prepared, losses = objective(subject, batch, 0)
            with torch.no_grad(), Tap(subject, edits=[zero(gone)] if gone else []) as tap:
                measured.append(float(losses(tap.run(prepared, predictions=True))))
        return float(np.mean(measured))

    every = list(subject.heads)
    for name in ("effect", "gradient", "greedy"):
        goes = order.sort_values(f"{name}_goes")
        heads = [Head("decoder", int(r.layer), int(r.head)) for r in goes.itertuples()]
        assert sorted(heads) == sorted(every)
        curve = table[table["order"] == name]
        assert curve["kept"].tolist() == [0, 2, 4, 6, 8]
        for row in curve.to_dict("records"):
            assert row["value"] == pytest.approx(loss(items, heads[: 8 - row["kept"]]), abs=1e-5)
    by_effect = sorted(every, key=lambda head: loss(other, [head]))
    assert by_effect == _heads(order, "effect")
    first, left = by_effect[:2], by_effect[2:]
    second = sorted(sorted(left), key=lambda head: loss(other, [*first, head]))[:2]
    assert _heads(order, "greedy")[:4] == [*first, *second]
    random = table[table["order"] == "random"]
    assert random.groupby("kept")["draw"].nunique().tolist() == [2] * 5


def test_items_of_one_shard_are_parted_by_any_seed(subject_of: Callable[[str], Subject]) -> None:
    """Whichever half the first items of the shard are in, an edit is tried on some of each half."""
    subject = subject_of("llama")
    source = replace(study_of(subject).source, shard_tokens=2**24, limit=20)
    assert len(list(source.shards())) == 1
    for seed in range(12):
        for choosing in (True, False):
            half = source.only(Half(choosing, seed, "item"))
            (shard,) = half.shards()
            items = half.prepare(shard, source.limit).items
            assert [item.id for item in first_items(half).items] == [item.id for item in items]
            short = next(FirstItems(half).batches(subject, items))
            assert len(short.ids) == 2
    single = replace(study_of(subject, orders=("effect",)), evaluation=Evaluation(replace(source, limit=1)))
    with pytest.raises(AttlasError, match="too few items to split into two halves"):
        single.conclude(run_here(subject))


def test_effect_and_greedy_share_the_sweep_that_they_begin_with(
    subject_of: Callable[[str], Subject],
) -> None:
    subject = subject_of("llama")
    study = study_of(subject, orders=("effect", "greedy"), randoms=0, steps=2)
    sizes: dict[str, int] = {}

    def run(pass_: Pass) -> Any:
        sweep = pass_.sweep.sweep if isinstance(pass_.sweep, Trial) else pass_.sweep
        if pass_.name != "halves":
            assert isinstance(sweep, Sweep)
            sizes[pass_.name] = len(sweep.edits)
        return run_here(subject)(pass_)

    study.conclude(run)
    # every head, tried once for all sweeps; every head; those that are left at the second step; two points,
    # which are the same in both orders
    assert sizes == {"trial": 8, "alone": 8, "greedy-1": 4, "curves": 2}


@pytest.mark.parametrize(
    ("metric", "low", "high", "fewest"),
    [
        (LOSS, (0, -0.1, 0.2, 0.3), (0, 0.1, 0.4, 0.5), 6),
        (LOSS, (0, 0.1, -0.2, 0.3), (0, 0.2, 0.4, 0.5), 8),  # what comes after a sure loss is luck
        (LOSS, (0, -0.1, -0.1, np.nan), (0, 0.1, 0.1, np.nan), 4),  # without a score nothing is kept
        (LOSS, (0, np.nan, 0.1, 0.1), (0, np.nan, 0.2, 0.2), 8),
        (replace(LOSS, more_is_better=True), (0, -0.3, -0.5, -0.6), (0, 0.1, -0.2, np.nan), 6),
    ],
)
def test_heads_can_go_up_to_the_first_sure_loss(
    metric: Metric, low: tuple[float, ...], high: tuple[float, ...], fewest: int
) -> None:
    change = (0, *np.add(low[1:], high[1:]) / 2)
    curve = pd.DataFrame({"kept": (8, 6, 4, 0), "change": change, "low": low, "high": high})
    for order in (curve, curve[::-1]):
        assert fewest_without_loss(order, metric) == fewest


def _heads(order: Any, name: str) -> list[Head]:
    return [Head(r.kind, int(r.layer), int(r.head)) for r in order.sort_values(f"{name}_goes").itertuples()]


def folder_of(kind: str, folder: Path) -> Path:
    """A small model with mini's tokenizer, on disk."""
    torch.manual_seed(0)
    shape = {"vocab_size": 8192, "hidden_size": 48, "num_hidden_layers": 2, "intermediate_size": 32}
    if kind == "bert":
        made = transformers.BertForMaskedLM(transformers.BertConfig(**shape, num_attention_heads=6))
    else:
        grouped = {"num_attention_heads": 6, "num_key_value_heads": 3, "attention_bias": True}
        made = transformers.LlamaForCausalLM(transformers.LlamaConfig(**shape, **grouped))
    with torch.no_grad():
        for parameter in made.parameters():
            parameter.mul_(3) if parameter.ndim > 1 else parameter.add_(0.1 * torch.randn_like(parameter))
    made.save_pretrained(folder)
    transformers.AutoTokenizer.from_pretrained(MINI).save_pretrained(folder)
    return folder


@pytest.mark.parametrize("kind", ["bert", "llama"])
def test_a_smaller_model_gives_what_the_whole_gives_without_these_heads(kind: str, tmp_path: Path) -> None:
    model = folder_of(kind, tmp_path / "whole")
    another = tmp_path / "small.part" / "checkpoint"  # what another run has under way there
    another.mkdir(parents=True)
    common: dict[str, Any] = {"segments": 8, "length": 24, "steps": 2, "random_orders": 1, "progress": False}
    result = attlas.prune(model, orders=["gradient"], keep=0.4, save=tmp_path / "small", **common)
    whole, small = attlas.load(model), attlas.load(tmp_path / "small")
    going = heads_to_go(whole, result.goes_first("gradient"), 0.4)
    assert len(small.heads) == len(whole.heads) - len(going)
    batch = whole.encode("The river runs through the city, and the king was born there.")
    with torch.no_grad(), Tap(whole, edits=[zero(going)]) as tap:
        masked = tap.run(batch, predictions=True).logits
    with torch.no_grad():
        torch.testing.assert_close(small.run(batch.inputs).logits, masked, atol=1e-4, rtol=1e-4)
    assert sum(p.numel() for p in small.model.parameters()) < sum(p.numel() for p in whole.model.parameters())
    if (
        kind == "llama"
    ):  # equally many of every layer, in pairs that share keys and values: transformers loads it
        plain = transformers.AutoModelForCausalLM.from_pretrained(tmp_path / "small").eval()
        with torch.no_grad():
            torch.testing.assert_close(plain(**batch.inputs).logits, masked, atol=1e-4, rtol=1e-4)
        assert plain.config.num_attention_heads == 2
        assert plain.config.num_key_value_heads == 1
    saved = result.table[(result.table["order"] == "saved") & (result.table["change"] != 0)]
    assert saved["kept"].tolist() == [len(small.heads)]
    card = (tmp_path / "small" / "README.md").read_text()
    assert f"without {len(going)} of its {len(whole.heads)} heads" in card
    assert sorted(path.name for path in tmp_path.iterdir()) == ["small", "small.part", "whole"]
    assert another.is_dir()
    assert (tmp_path / "small").stat().st_mode & 0o777 == 0o755
    with pytest.raises(AttlasError, match="exists already: name a new folder"):
        attlas.prune(model, keep=0.4, save=tmp_path / "small", **common)


def test_a_layer_keeps_a_head_when_few_are_kept(tmp_path: Path) -> None:
    whole = attlas.load(folder_of("bert", tmp_path / "whole"))
    going = heads_to_go(whole, list(whole.heads), 0.01)
    left = [head for head in whole.heads if head not in going]
    assert [(head.layer, head.head) for head in left] == [(0, 5), (1, 5)]


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"keep": 0.5}, "give both"),
        ({"save": Path("x")}, "give both"),
        ({"keep": 1.5, "save": Path("x")}, "keep=1.5: should be less than 1"),
        ({"keep": 0.999, "save": Path("x")}, "keep=0.999 keeps all 144 heads: choose a smaller share"),
        ({"keep": 0.5, "save": Path("no/such/x")}, "is not a folder"),
        ({"orders": []}, r"orders=\[\]: .* at least 1 item"),
    ],
)
def test_what_cannot_be_pruned_is_said(more: dict[str, Any], said: str) -> None:
    with pytest.raises(AttlasError, match=said):
        attlas.prune("mini", **more)


def test_a_model_whose_heads_cannot_be_taken_out_is_refused(subject_of: Callable[[str], Subject]) -> None:
    with pytest.raises(AttlasError, match="cannot be saved smaller"):
        attlas.prune(subject_of("t5"), keep=0.5, save=Path("x"))


def test_a_list_of_kept_heads_that_makes_no_sense_is_refused(tmp_path: Path) -> None:
    model = folder_of("bert", tmp_path / "whole")
    going = attlas.load(model).heads[:5]
    study = study_of(attlas.load(model))
    batch = study.subject.encode("The river runs through the city.")
    save_smaller(study.subject, going, tmp_path / "small", batch, "")
    config = tmp_path / "small" / "config.json"
    written = json.loads(config.read_text())
    name = next(iter(written["attlas_heads"]))
    for wrong, said in (([99], "does not list heads"), ([], "does not list heads"), ([0, 1], "do not fit")):
        config.write_text(json.dumps(written | {"attlas_heads": {**written["attlas_heads"], name: wrong}}))
        with pytest.raises(AttlasError, match=said):
            attlas.load(tmp_path / "small")


def test_a_smaller_model_has_as_many_bits_a_weight_as_the_whole_one(tmp_path: Path) -> None:
    """It is computed with in float32 and stored in float16, as the embedded model is."""
    subject = attlas.load("mini")
    going = heads_to_go(subject, subject.heads, 0.5)
    save_smaller(subject, going, tmp_path / "small", subject.encode("Half of them go."), "")
    whole, small = (folder / "model.safetensors" for folder in (MINI, tmp_path / "small"))
    assert stored_dtype(small.parent) == torch.float16
    assert small.stat().st_size < whole.stat().st_size
    loaded = attlas.load(tmp_path / "small")
    ours, theirs = (model.model.get_input_embeddings().weight for model in (subject, loaded))
    assert torch.equal(ours, theirs)
