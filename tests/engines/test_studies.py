"""Every study leaves the same chapter, bit for bit, whatever engine it ran on: also one of two models."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import attlas
from attlas.atlas.chapter import Chapter
from attlas.corpora.alignment import fits
from attlas.corpora.documents import read_sentences
from attlas.corpora.reading import annotated_corpus
from attlas.corpora.text import text_corpus
from attlas.corpora.windows import SentenceWindows, WindowSource
from attlas.engines import Engine, Pass, engine_named, run_pass
from attlas.options import BatchOptions, TextOptions
from attlas.studies.comparing.compare_study import Compare, CompareSettings
from attlas.studies.dependency_study import Dependencies
from attlas.studies.disabling.disable_study import Disable, every_head_and_layer
from attlas.studies.disabling.evaluation import loss_evaluation
from attlas.studies.patching.pair_tasks import pairs_for
from attlas.studies.patching.patch_study import Patching
from attlas.studies.patterns.patterns_study import pattern_study
from attlas.studies.study import Study
from attlas.studies.surface.surface_study import Surface, surface_study
from attlas.subject import Subject
from made_models import disturbed

MODELS = "llama", "bert"


@pytest.fixture(scope="module")
def engine(request: pytest.FixtureRequest) -> Iterator[Engine]:
    if request.param == "ray":
        pytest.importorskip("ray")
    with engine_named(request.param, 2) as opened:
        yield opened


@pytest.fixture(scope="module")
def text(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Twelve short documents."""
    path = tmp_path_factory.mktemp("texts") / "short.txt"
    every = [" ".join(" ".join(document).split()[:60]) for document in read_sentences(text_corpus())]
    path.write_text("\n\n".join(every[:12]) + "\n")
    return path


@pytest.fixture(scope="module")
def pairs(
    subject_of: Callable[[str], Subject], tmp_path_factory: pytest.TempPathFactory
) -> dict[str, tuple[Subject, Subject]]:
    """Two models of one shape, in folders, from which workers load them."""
    by_name = {}
    for name in MODELS:
        both = []
        for subject in (subject_of(name), disturbed(subject_of(name))):
            folder = tmp_path_factory.mktemp(subject.name)
            subject.model.save_pretrained(folder)
            subject.tokenizer.save_pretrained(folder)
            both.append(attlas.load(folder, device="cpu"))
        by_name[name] = both[0], both[1]
    return by_name


def surface(subject: Subject, other: Subject, text: Path) -> Surface:
    return surface_study(subject, *reading(text), sample=6)


def reading(text: Path) -> tuple[TextOptions, BatchOptions]:
    return TextOptions(text=text, segments=24, length=24), BatchOptions(batch=3, shard=150)


def compare(subject: Subject, other: Subject, text: Path) -> Compare:
    read = surface(subject, other, text)
    settings = CompareSettings(matched=6, shapes=6)
    return Compare(subject=subject, other=other, source=read.source, classes=read.classes, settings=settings)


def disable(subject: Subject, other: Subject, text: Path, edit: str = "mean") -> Disable:
    text_options = TextOptions(text=text, segments=8, length=24)
    evaluation = loss_evaluation(subject, text_options, BatchOptions(batch=2, shard=50))
    sets = every_head_and_layer(subject.heads)
    return Disable(subject=subject, evaluation=evaluation, edit=edit, sets=sets)


def shuffle(subject: Subject, other: Subject, text: Path) -> Disable:
    return disable(subject, other, text, "shuffle")


def patch(subject: Subject, other: Subject, text: Path) -> Patching:
    pairs = pairs_for(subject, "agreement", BatchOptions(batch=2, shard=24), count=7)
    return Patching(subject=subject, source=pairs)


def patterns(subject: Subject, other: Subject, text: Path) -> Study:
    needles = [64] if subject.kinds == ("decoder",) else None
    return pattern_study(subject, *reading(text), repeated=4, needles=needles, hidden=2)


def probe(subject: Subject, other: Subject, text: Path) -> Dependencies:
    read = annotated_corpus(None)
    sentences = WindowSource(read, SentenceWindows("words", 1, 12), fits(subject, 24), strict=True)
    return Dependencies(source=replace(sentences, shard_words=1000), min_count=20)


def concluded(study: Study, subject: Subject, engine: Engine) -> tuple[Chapter, list[int]]:
    """Its chapter, and how many shards each pass had."""
    shards: list[int] = []

    def run(pass_: Pass) -> Any:
        shards.append(len(list(pass_.source.shards())))
        return run_pass(subject, pass_, engine)

    return study.conclude(run), shards


@pytest.fixture(scope="module")
def concluded_here(pairs: dict[str, tuple[Subject, Subject]], text: Path) -> Callable[..., Any]:
    """Every study on the engine `local`: the model's name, and how the study is made."""

    @cache
    def conclude(model: str, make: Callable[..., Study]) -> tuple[Study, Chapter, list[int]]:
        study = make(*pairs[model], text)
        with engine_named("local") as local:
            return study, *concluded(study, pairs[model][0], local)

    return conclude


@pytest.mark.parametrize("make", [surface, compare, disable, shuffle, patch, patterns, probe])
@pytest.mark.parametrize(
    ("engine", "model"),  # how Ray carries work does not depend on the model
    [("processes", "llama"), ("processes", "bert"), ("ray", "llama")],
    indirect=["engine"],
    scope="module",  # or each test would start an engine of its own
)
@pytest.mark.usefixtures("one_thread")
def test_every_study_leaves_the_same_chapter(
    model: str,
    make: Callable[..., Study],
    engine: Engine,
    pairs: dict[str, tuple[Subject, Subject]],
    concluded_here: Callable[..., tuple[Study, Chapter, list[int]]],
) -> None:
    study, here, shards = concluded_here(model, make)
    there, _ = concluded(study, pairs[model][0], engine)
    assert max(shards) > 2
    assert (there.about, there.tokens) == (here.about, here.tokens)
    for rows_here, rows_there in ((here.rows, there.rows), (here.examples, there.examples)):
        pd.testing.assert_frame_equal(pd.DataFrame(rows_here), pd.DataFrame(rows_there), check_exact=True)
    assert here.tables.keys() == there.tables.keys()
    for name, table in here.tables.items():
        pd.testing.assert_frame_equal(table, there.tables[name], check_exact=True)
    assert here.arrays.keys() == there.arrays.keys()
    for name, array in here.arrays.items():
        np.testing.assert_array_equal(array, there.arrays[name])
