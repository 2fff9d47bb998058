"""The loss without each of two heads, and without both."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from attlas.address import Head
from attlas.edits import uniform
from attlas.options import BatchOptions, RunOptions, TextOptions
from attlas.studies.redundancy_study import BEYOND, BOTH, FIRST, SECOND, Redundancy
from attlas.studies.study_items import text_items
from attlas.studies.study_run import run_chapters
from attlas.subject import Subject
from attlas.subject.losses import objective
from attlas.tap.tap import Tap


def test_what_both_cost_beyond_each_is_what_segments_by_themselves_give(mini: Subject) -> None:
    source = text_items(mini, TextOptions(segments=3, length=24), BatchOptions(batch=2)).source
    first, second = Head("encoder", 3, 2), Head("encoder", 7, 5)
    study = Redundancy(source=source, heads=(first, second))
    (chapter,) = run_chapters([study], mini, RunOptions(progress=False))
    table = chapter.tables["redundancy"].set_index("compared")

    losses = []
    items = [item for shard in source.shards() for item in source.prepare(shard).items][:3]
    for item in items:
        (batch,) = source.batches(mini, [item])
        masked, loss = objective(mini, batch, 0)
        of_item = []
        for edits in ([], [uniform([first])], [uniform([second])], [uniform([first, second])]):
            with torch.no_grad(), Tap(mini, edits=edits) as tap:
                of_item.append(float(loss(tap.run(masked, predictions=True))))
        losses.append(of_item)
    plain, without_first, without_second, without_both = np.mean(losses, axis=0)
    expected = {
        FIRST: without_first - plain,
        SECOND: without_second - plain,
        BOTH: without_both - plain,
        BEYOND: without_both - without_first - without_second + plain,
    }
    assert table["change"].to_dict() == pytest.approx(expected, abs=1e-5)
    assert (table["n"] == 3).all()
