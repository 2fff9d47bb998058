"""Several threads load and map at once, as a server does, and get what one alone gets."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier
from typing import TypeVar

import pandas as pd
import pytest
import transformers

import attlas
from attlas.subject import Subject, load

T = TypeVar("T")
THREADS = 3


@pytest.fixture(autouse=True)
def in_quick_turns() -> Iterator[None]:
    """Threads take turns so often that what they share is in each other's way."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    yield
    sys.setswitchinterval(before)


def at_once(work: Callable[[int], T]) -> list[T]:
    start = Barrier(THREADS)

    def begin(number: int) -> T:
        start.wait()
        return work(number)

    with ThreadPoolExecutor(THREADS) as pool:
        return list(pool.map(begin, range(THREADS)))


def test_models_are_loaded_at_once(mini: Subject, capfd: pytest.CaptureFixture[str]) -> None:
    loaded = at_once(lambda _: attlas.load("mini"))
    assert {subject.weight_hash() for subject in loaded} == {mini.weight_hash()}
    assert {subject.heads for subject in loaded} == {mini.heads}
    assert capfd.readouterr().err == ""
    assert transformers.utils.logging.is_progress_bar_enabled()


def test_one_model_in_memory_is_made_a_subject_at_once(mini: Subject) -> None:
    made = at_once(lambda _: attlas.load(mini.model, mini.tokenizer))
    assert {subject.heads for subject in made} == {mini.heads}


def test_models_at_random_are_the_same_ones_from_every_thread() -> None:
    made = at_once(lambda _: load("mini", initialise="random"))
    assert {s.weight_hash() for s in made} == {load("mini", initialise="random").weight_hash()}


@pytest.mark.parametrize("shared", [False, True], ids=["a model each", "one model"])
def test_maps_are_made_at_once(shared: bool, mini: Subject, tmp_path: Path) -> None:
    def mapped(name: object) -> pd.DataFrame:
        model = mini if shared else "mini"
        out = tmp_path / f"{name}.attlas"
        return attlas.map(model, atlas=out, segments=4, length=24, sample=2, progress=False).heads

    together = at_once(mapped)
    alone = mapped("alone")
    for heads in together:
        pd.testing.assert_frame_equal(heads, alone, check_exact=True)
