"""The loss without attention to the resting place."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from attlas.address import Head
from attlas.corpora.source import Source
from attlas.edits.head_edit import HeadEdit
from attlas.options import BatchOptions, RunOptions, TextOptions
from attlas.studies.disabling.disable_study import HeadSet
from attlas.studies.resting_study import RemovedWeights, RestingLoss
from attlas.studies.study_items import text_items
from attlas.studies.study_run import run_chapters
from attlas.subject import Subject
from attlas.subject.losses import objective
from attlas.tap.tap import Tap

MEMBERS = torch.tensor([[False, False, True]])[:, None, None]  # row 1 1 key
WEIGHTS = torch.tensor([[[[0.5, 0.3, 0.2], [0.1, 0.1, 0.8]]]])  # row head query key


def test_what_falls_on_the_resting_place_is_taken_away_and_the_rest_stays() -> None:
    taken = RemovedWeights(MEMBERS, resting=True)(WEIGHTS, None)
    torch.testing.assert_close(taken, torch.tensor([[[[0.5, 0.3, 0.0], [0.1, 0.1, 0.0]]]]))


def test_as_much_is_taken_from_the_others_in_proportion_and_all_where_they_have_less() -> None:
    taken = RemovedWeights(MEMBERS, resting=False)(WEIGHTS, None)
    torch.testing.assert_close(taken, torch.tensor([[[[0.375, 0.225, 0.2], [0.0, 0.0, 0.8]]]]))


def test_a_token_that_sees_the_resting_place_alone_is_left_as_it_is() -> None:
    first = torch.tensor([[True, False]])[:, None, None]
    causal = torch.tensor([[[[1.0, 0.0], [0.6, 0.4]]]])
    for resting, second in ((True, [0.0, 0.4]), (False, [0.6, 0.0])):
        taken = RemovedWeights(first, resting)(causal, None)
        torch.testing.assert_close(taken, torch.tensor([[[[1.0, 0.0], second]]]))


def _source(mini: Subject) -> Source:
    return text_items(mini, TextOptions(segments=3, length=24), BatchOptions(batch=2)).source


def test_the_change_of_the_loss_is_what_segments_by_themselves_give(mini: Subject) -> None:
    heads = (Head("encoder", 7, 2), Head("encoder", 7, 5))
    layer = HeadSet("layer 5", tuple(head for head in mini.heads if head.layer == 5))
    study = RestingLoss(subject=mini, source=_source(mini), sets=(layer, HeadSet("two", heads)))
    (chapter,) = run_chapters([study], mini, RunOptions(progress=False))
    table = chapter.tables["resting_loss"].set_index(["what", "compared"])

    separators: list[torch.Tensor] = []

    def without_separators(weights: torch.Tensor, allowed: torch.Tensor | None) -> torch.Tensor:
        return weights.masked_fill(separators[0], 0)

    changes = []
    source = _source(mini)
    items = [item for shard in source.shards() for item in source.prepare(shard).items][:3]
    for item in items:
        (batch,) = source.batches(mini, [item])
        separators[:] = [(batch.inputs["input_ids"] == mini.tokenizer.sep_token_id)[:, None, None]]
        masked, loss = objective(mini, batch, 0)
        edit = HeadEdit("by hand", heads, without_separators)
        with torch.no_grad():
            with Tap(mini) as tap:
                plain = float(loss(tap.run(masked, predictions=True)))
            with Tap(mini, edits=[edit]) as tap:
                changes.append(float(loss(tap.run(masked, predictions=True))) - plain)
    row = table.loc["two", "without resting"]
    assert row["change"] == pytest.approx(np.mean(changes), abs=1e-5)
    assert row["n"] == 3
    rest, as_much, apart = (
        table.loc["two", name]["change"]
        for name in ("without resting", "without as much of the rest", "resting, less the rest")
    )
    assert apart == pytest.approx(rest - as_much)
    assert abs(table.loc["layer 5", "without resting"]["change"]) > 0
