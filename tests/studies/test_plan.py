"""`attlas plan`: a measure that does not take longer on a slow model, and what follows from it."""

from __future__ import annotations

from collections.abc import Callable

import attlas
from attlas.engines.unfinished import make_piece, piece_bytes
from attlas.engines.worker import run_shard
from attlas.options import TextOptions
from attlas.studies import estimate as plan
from attlas.studies.surface.surface_study import surface_study
from attlas.subject import Subject


def test_a_slow_model_is_measured_on_pieces_of_a_shard(subject_of: Callable[[str], Subject]) -> None:
    """No shard is run in no time, so that this model is as slow as can be."""
    subject = subject_of("llama")
    study = surface_study(subject, TextOptions(segments="all", length=24))
    pass_ = study.statistics_pass()
    whole = pass_.source.prepare(next(iter(pass_.source.shards())))
    shards, _ = plan._prepare_shards(pass_, 0)
    items = [len(piece.items) for piece in plan._shards_in_time(subject, pass_, shards, 0)]
    in_a_batch = len(next(iter(pass_.source.batches(subject, whole.items))).ids)
    assert max(items) == in_a_batch
    assert sum(items) == len(whole.items) > in_a_batch
    calibration = plan.calibrate(study, seconds=0)
    assert calibration.shard_tokens == sum(len(item.ids) for item in whole.items)
    # what states take does not follow from how much was run, but for a sample of ids, of three numbers each
    less = len(piece_bytes(*make_piece(run_shard(subject, pass_, whole)))) - calibration.state_bytes
    assert 0 <= less < study.settings.sample * 3 * 8


def test_the_verb_says_which_part_of_the_work_takes_longest(subject_of: Callable[[str], Subject]) -> None:
    planned = attlas.plan(subject_of("llama"), length=24, tokens=1e9, gpus=4)
    assert (planned.tokens, planned.workers) == (1e9, 4)
    assert planned.total_seconds == max(planned.seconds.values()) == planned.seconds[planned.limited_by]
    assert any(planned.limited_by in line for line in planned.lines())


def test_a_quick_model_is_measured_on_whole_shards(subject_of: Callable[[str], Subject]) -> None:
    subject = subject_of("llama")
    pass_ = surface_study(subject, TextOptions(segments="all", length=24)).statistics_pass()
    shards, _ = plan._prepare_shards(pass_, 0)
    assert plan._shards_in_time(subject, pass_, shards, float("inf")) == shards
