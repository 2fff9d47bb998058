"""Shards that are prepared ahead of a GPU come in order, with the same items, whoever prepared them."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest
import torch
from numbers_corpus import Numbers

from attlas.corpora.source import Prepared
from attlas.engines import ahead


def prepared(source: Numbers, wait: float) -> list[Prepared]:
    found = []
    work = ((shard, None) for shard in source.shards())
    for number, (shard, items) in enumerate(ahead.prepared_ahead(source, work, torch.device("cpu"))):
        assert shard.number == number
        found.append(items)
        time.sleep(wait)  # as long as the model takes
    return found


@pytest.fixture
def two_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ahead, "_processes", lambda device: 2)


def here(source: Numbers) -> list[Prepared]:
    return [source.prepare(shard) for shard in source.shards()]


@pytest.mark.usefixtures("two_processes")
def test_processes_take_over_once_they_have_started(tmp_path: Path) -> None:
    """The first shards are prepared here, and from some shard on, all are prepared by them."""
    source = Numbers(documents=10_000, diary=tmp_path)
    work = ((shard, None) for shard in source.shards())
    by_others = []
    for number, (shard, items) in enumerate(ahead.prepared_ahead(source, work, torch.device("cpu"))):
        assert shard.number == number
        assert items == Numbers().prepare(shard)
        by_others.append(int((tmp_path / str(number)).read_text()) != os.getpid())
        if sum(by_others) == 6:
            break
        time.sleep(0.05)  # as long as the model takes
    assert not by_others[0]
    assert by_others[-6:] == [True] * 6


def test_a_preparing_process_that_is_killed_costs_nothing(tmp_path: Path) -> None:
    kills = tmp_path / "kills"
    kills.touch()
    source = Numbers(kills=kills)
    shards = list(source.shards())
    with ahead._Preparers(source, 1) as preparers:
        deadline = time.monotonic() + 120
        while not preparers.ready:
            assert time.monotonic() < deadline
            time.sleep(0.1)
        waiting = [(shard, preparers.submit(shard)) for shard in shards]
        found = [preparers.result(shard, future) for shard, future in waiting]
        assert not preparers.ready
    assert not kills.exists()
    assert found == here(Numbers())


def test_without_a_gpu_they_are_prepared_one_after_the_other() -> None:
    source = Numbers()
    assert prepared(source, 0) == here(source)
