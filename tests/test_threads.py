"""Several threads load and map at once, as a server does, and get what one alone gets."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier
from typing import TypeVar

import pandas as pd
import pytest
import torch
import transformers
from torch import Tensor

import attlas
from attlas.edits import uniform, zero
from attlas.edits.head_edit import HeadEdit
from attlas.edits.sweep import Kept, Sweep, keeping, replaying
from attlas.errors import AttlasError
from attlas.reducers import Means, entropy
from attlas.subject import Subject, load
from attlas.subject.blocks import blocks_of
from attlas.tap import Needs, Observation, Tap
from run_apart import run_apart
from zoo import ZOO

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


def entropies(subject: Subject, text: str, edits: list[HeadEdit]) -> list[float]:
    means = Means(entropy())
    with Tap(subject, [means], edits) as tap:
        tap.run(subject.encode(text))
    return [row.value for row in means.rows()]


def logits(subject: Subject, text: str) -> Tensor:
    with torch.no_grad():
        output: Tensor = subject.model(**subject.encode(text).inputs).prediction_logits
    return output


TEXTS = ("The cat sat on the mat.", "A dog barked at it, and it ran.", "Rain fell all day on the town.")


@pytest.mark.parametrize("model", ["bert", "t5", "deberta_v2"])
def test_taps_of_several_threads_on_one_model_do_not_meet(model: str, mini: Subject) -> None:
    """Each sees and edits its own calls, though each of them opens and closes its taps as it likes."""
    subject = mini if model == "bert" else Subject(ZOO[model].build())

    def rows(number: int, edited: bool) -> list[float]:
        ids = torch.arange(5 + number)[None] * (3 + number) % 50 + 4
        inputs = {"input_ids": ids, **({"decoder_input_ids": ids[:, :4]} if subject.encoder_decoder else {})}
        means = Means(entropy())
        with Tap(subject, [means], [zero([subject.heads[number]])] if edited else []) as tap:
            tap.run(subject.annotate(inputs))
        return [row.value for row in means.rows()]

    editable = [False, True] if subject.interface else [False]
    alone = [[rows(number, edited) for edited in editable] for number in range(THREADS)]
    for _ in range(3):
        together = at_once(lambda number: [[rows(number, edited) for edited in editable] for _ in range(5)])
        assert together == [[outcome] * 5 for outcome in alone]


def test_a_model_is_called_in_one_thread_while_another_edits_it(mini: Subject) -> None:
    """To the bit: calls beside a tap run the model's own attention."""
    plain = [logits(mini, text) for text in TEXTS]
    heads = [str(layer) + ".*" for layer in range(12)]
    edited = entropies(mini, TEXTS[0], [zero(heads)])

    def work(number: int) -> bool:
        if number == 0:
            return all(entropies(mini, TEXTS[0], [zero(heads)]) == edited for _ in range(10))
        return all(torch.equal(logits(mini, TEXTS[number]), plain[number]) for _ in range(20))

    for _ in range(3):
        assert at_once(work) == [True] * THREADS
    assert torch.equal(logits(mini, TEXTS[0]), plain[0])


def test_calls_in_another_thread_are_untouched_in_the_midst_of_a_pass(mini: Subject) -> None:
    """The pass predicts at one place only, and in blocks that are replayed: what does so is hooked into the
    model that the other thread calls."""
    plain = logits(mini, TEXTS[0])
    seen: list[Tensor] = []
    with ThreadPoolExecutor(1) as other:

        def call_elsewhere(_: object = None) -> None:
            seen.append(other.submit(logits, mini, TEXTS[0]).result())

        with Tap(mini, [HeadWrites()], listener=call_elsewhere) as tap:
            tap.run(mini.encode(TEXTS[1]))
        kept = Kept(blocks_of(mini), 1)
        with keeping(kept), torch.no_grad():
            mini.model(**mini.encode(TEXTS[1]).inputs)
        with replaying(kept, 3, 1):
            call_elsewhere()
    assert len(seen) == 13
    assert all(torch.equal(elsewhere, plain) for elsewhere in seen)


class HeadWrites:
    needs = Needs(writes=True)

    def update(self, observation: Observation) -> None:
        assert len(observation.writes) == 12


def test_sweeps_of_several_threads_on_one_model_do_not_meet(mini: Subject) -> None:
    edits = [zero([head]) for head in mini.heads[::16]]

    def outcomes(number: int) -> Tensor:
        swept = Sweep(edits).observe(mini, mini.encode(TEXTS[number]))
        assert swept.outcomes is not None
        return swept.outcomes

    alone = [outcomes(number) for number in range(THREADS)]
    for _ in range(2):
        for together, expected in zip(at_once(outcomes), alone, strict=True):
            assert torch.equal(together, expected)


def test_a_tap_is_run_where_it_was_opened(mini: Subject) -> None:
    batch = mini.encode(TEXTS[0])
    with (
        ThreadPoolExecutor(1) as other,
        Tap(mini) as tap,
        pytest.raises(AttlasError, match="opened in another thread"),
    ):
        other.submit(tap.run, batch).result()


def test_taps_of_several_tasks_of_asyncio_do_not_meet(mini: Subject) -> None:
    edits = [[], [zero("3.1")], [uniform("0.*")]]

    async def rows(edited: list[HeadEdit]) -> list[float]:
        means = Means(entropy())
        with Tap(mini, [means], edited) as tap:
            await asyncio.sleep(0)
            tap.run(mini.encode(TEXTS[0]))
            await asyncio.sleep(0)
        return [row.value for row in means.rows()]

    async def together() -> list[list[float]]:
        return await asyncio.gather(*(rows(edited) for edited in edits))

    assert run_apart(together()) == [entropies(mini, TEXTS[0], edited) for edited in edits]
