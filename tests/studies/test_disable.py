"""Disabling heads and layers: a sweep gives what whole runs give, and its numbers are plain formulas'."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch
from in_process import run_here
from scipy import stats
from torch import Tensor

from attlas.address import Head
from attlas.corpora.batches import Batch
from attlas.corpora.objective import objective
from attlas.edits import mean, uniform, zero
from attlas.edits.replay import blocks_of
from attlas.edits.sweep import Sweep
from attlas.reducers import HeadOutputMeans
from attlas.statistics.bootstrap import Bootstrap
from attlas.statistics.corrections import holm
from attlas.studies.disable import Disable, every_head_and_layer, sets_named
from attlas.studies.disable_source import Judged
from attlas.subject import Subject
from attlas.tap import Tap
from zoo import ZOO, inputs_for

TEXT_MODELS = [name for name, species in ZOO.items() if species.interface and species.text]


def spread_of_logits(subject: Subject, batch: Batch, seed: int) -> tuple[Batch, Callable[[Any], Tensor]]:
    """A measure that any change of any logit shows in."""
    return batch, lambda output: output.logits.double().square().mean((1, 2))


def judged(subject: Subject, segments: int = 5, length: int = 24, batch: int | None = 3) -> Any:
    given = Judged(None, None, (), None, False, None, None, None, None, segments)
    return given.by(subject, length, 0, batch, False)


def study_of(subject: Subject, edit: str = "uniform", heads: tuple[str, ...] = (), **more: Any) -> Disable:
    found = judged(subject, **more)
    return Disable(
        subject, found.source, edit, sets_named(heads, subject.heads), 0, found.measure, found.score
    )


@pytest.mark.parametrize("model", TEXT_MODELS)
def test_a_sweep_gives_what_whole_runs_give(model: str) -> None:
    """Every head and every layer, on any model: what comes before an edit is computed once, if it can be."""
    subject = Subject(ZOO[model].build(), name=model)
    batch = subject.annotate(inputs_for(ZOO[model], "right"))
    edits = [zero(s.heads).resolved(subject.heads) for s in every_head_and_layer(subject.heads)]
    found = Sweep(edits, spread_of_logits).observe(subject, batch).outcomes
    assert found is not None
    assert bool(blocks_of(subject)) is (model != "albert")
    _, measured = spread_of_logits(subject, batch, 0)
    for edit, outcome in zip([None, *edits], found, strict=True):
        with Tap(subject, edits=[edit] if edit else []) as tap:
            alone = measured(tap.run(batch, predictions=True))
        torch.testing.assert_close(outcome, alone, rtol=1e-4, atol=1e-6)
    apart = (found[1:] - found[0]).abs().amax(1)
    assert (apart > 1e-6).all(), "every head counts in these models"


def test_a_model_is_left_as_it_was() -> None:
    subject = Subject(ZOO["llama"].build())
    batch = subject.annotate(inputs_for(ZOO["llama"], "right"))
    before = subject.run(batch.inputs).logits
    Sweep([zero("1.0").resolved(subject.heads)], spread_of_logits).observe(subject, batch)
    assert all("forward" not in block.__dict__ for block in blocks_of(subject))
    assert torch.equal(subject.run(batch.inputs).logits, before)


def by_hand(subject: Subject, study: Disable, change: Callable[[Head], Any]) -> dict[Head, np.ndarray]:
    """head -> item: the loss in float64 of each item by itself, and under None as the model is."""
    twin = Subject(in_float64(subject), subject.tokenizer, "twin")
    items = [i for shard in study.source.shards() for i in study.source.prepare(shard).items]
    items = sorted(items[: study.source.limit], key=lambda item: item.id)
    found: dict[Any, np.ndarray] = {}
    for head in (None, *subject.heads):
        edits = [] if head is None else [change(head)]
        losses = []
        for item in items:
            (batch,) = study.source.batches(twin, [item])
            given, loss = objective(twin, batch, 0)
            with torch.no_grad(), Tap(twin, edits=edits, kernel="eager") as tap:
                losses.append(float(loss(tap.run(given, predictions=True))))
        found[head] = np.array(losses)
    return found


def in_float64(subject: Subject) -> torch.nn.Module:
    """The same model in float64."""
    made: Any = type(subject.model)(subject.model.config)
    made.load_state_dict(subject.model.state_dict())
    copy: torch.nn.Module = made.double().to(subject.device)
    return copy


@pytest.mark.parametrize(
    ("model", "edit"), [("llama", "zero"), ("llama", "uniform"), ("t5", "uniform"), ("t5", "mean")]
)
def test_every_number_is_that_of_plain_formulas(
    model: str, edit: str, subject_of: Callable[[str], Subject]
) -> None:
    subject = subject_of(model)
    study = study_of(subject, edit)
    chapter = study.conclude(run_here(subject))
    table = chapter.tables["disabled"]
    means = HeadOutputMeans()
    with Tap(subject, [means]) as tap:
        for shard in study.source.shards():
            for batch in study.source.batches(subject, study.source.prepare(shard, study.source.limit).items):
                tap.run(batch)
            break
    change = {"zero": zero, "uniform": uniform, "mean": lambda head: mean(head, means.means())}[edit]
    losses = by_hand(subject, study, change)
    items = [i for shard in study.source.shards() for i in study.source.prepare(shard).items]
    ids = sorted(item.id for item in items[: study.source.limit])
    weights = Bootstrap(0).weights(ids)
    weights = weights[:, weights.sum(0) > 0]  # a draw of no item has no mean
    assert len(table) == len(subject.heads)
    alone = []
    for row in table.to_dict("records"):
        plain, edited = losses[None], losses[Head(row["kind"], row["layer"], row["head"])]
        apart = edited - plain
        drawn = apart @ weights / weights.sum(0)
        assert row["plain"] == pytest.approx(plain.mean(), rel=1e-5)
        assert row["change"] == pytest.approx(apart.mean(), abs=2e-5)
        assert row["disabled"] == pytest.approx(edited.mean(), rel=1e-5)
        assert (row["low"], row["high"]) == pytest.approx(np.quantile(drawn, [0.025, 0.975]), abs=2e-5)
        assert row["stderr"] == pytest.approx(drawn.std(ddof=1), abs=2e-5)
        alone.append(row["p_alone"])
        if np.abs(apart).max() > 1e-3:
            assert row["p_alone"] == pytest.approx(stats.ttest_rel(edited, plain).pvalue, rel=0.02, abs=1e-3)
        assert row["n"] == len(ids)
    assert table["p"].to_numpy() == pytest.approx(holm(np.array(alone)))
    values = {(r.kind, r.layer, r.head): r.value for r in chapter.rows}
    assert [values[r.kind, r.layer, r.head] for r in table.itertuples()] == list(table["change"])
