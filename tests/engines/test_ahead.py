"""Shards that are prepared ahead of a GPU come in order, with the same items, whoever prepared them."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import time
from pathlib import Path

import pytest
import torch
from numbers_corpus import Numbers

from attlas.corpora.source import PreparedShard
from attlas.corpora.text import text_corpus
from attlas.corpora.text_source import TextSource
from attlas.engines import ahead
from attlas.subject import Subject
from patience import PATIENCE


def prepared(source: Numbers, wait: float) -> list[PreparedShard]:
    shards = []
    work = ((shard, None) for shard in source.shards())
    for number, (shard, items) in enumerate(ahead.prepare_ahead(source, work, torch.device("cpu"))):
        assert shard.number == number
        shards.append(items)
        time.sleep(wait)  # as long as the model takes
    return shards


@pytest.fixture
def two_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ahead, "_processes", lambda device: 2)


def here(source: Numbers) -> list[PreparedShard]:
    return [source.prepare(shard) for shard in source.shards()]


@pytest.mark.usefixtures("two_processes")
def test_processes_take_over_once_they_have_started(tmp_path: Path) -> None:
    """The first shards are prepared here, and from some shard on, all are prepared by them."""
    source = Numbers(documents=10_000, diary=tmp_path)
    work = ((shard, None) for shard in source.shards())
    by_others = []
    for number, (shard, items) in enumerate(ahead.prepare_ahead(source, work, torch.device("cpu"))):
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
        deadline = time.monotonic() + PATIENCE
        while not preparers.ready:
            assert time.monotonic() < deadline
            time.sleep(0.1)
        waiting = [(shard, preparers.submit(shard)) for shard in shards]
        prepared_shards = [preparers.result(shard, future) for shard, future in waiting]
        assert not preparers.ready
    assert not kills.exists()
    assert prepared_shards == here(Numbers())


def test_without_a_gpu_they_are_prepared_one_after_the_other() -> None:
    source = Numbers()
    assert prepared(source, 0) == here(source)


def test_a_preparing_process_imports_no_torch(mini: Subject, tmp_path: Path) -> None:
    """Importing PyTorch and transformers takes longer than many a run."""
    source = TextSource(text_corpus(["One sentence. Another one."] * 3), mini.tokenizer, 32)
    kept = tmp_path / "preparer"
    kept.write_bytes(pickle.dumps(source.preparer))
    code = (
        "import pickle, sys\n"
        "from attlas.corpora import preparer\n"
        "from attlas.corpora.source import Shard\n"
        "preparer.begin(sys.argv[1])\n"
        "found = preparer.prepare(pickle.loads(bytes.fromhex(sys.argv[2])))\n"
        "print(len(found.items), sorted({'torch', 'transformers'} & set(sys.modules)))"
    )
    shard = next(iter(source.shards()))
    ran = [sys.executable, "-c", code, str(kept), pickle.dumps(shard).hex()]
    said = subprocess.run(ran, capture_output=True, text=True, check=True).stdout
    assert said.split("\n")[0] == f"{len(source.prepare(shard).items)} []"
