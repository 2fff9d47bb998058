"""One training at a time: what is finished is kept, whatever happens then, and is not trained again."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from planted import HEADS, planted
from safetensors.torch import load_file

from attlas import probe
from attlas.engines import UnfinishedRun
from attlas.errors import AttlasError
from attlas.files import hold_lock
from attlas.studies.trees.fits import FEW_HEADS, Fit, FitStore, Outcome, Trainer, TreeSettings, plan
from attlas.studies.trees.head_probes import KINDS, RelationProbe, TreeBatch
from attlas.studies.trees.structural import StructuralProbe
from attlas.studies.trees.training import Trainee, loss_of
from attlas.studies.trees.tree_tables import Results
from attlas.studies.word_vectors import WordVectors

SETTINGS = TreeSettings(("distances", "attention", "words", "best", "relations", "structural"), 2, 2, rank=4)


class Stop(Exception):
    pass


def trainer(folder: Path, settings: TreeSettings = SETTINGS, identity: str = "ours") -> Trainer:
    table = torch.randn(10, 2, generator=torch.Generator().manual_seed(3))
    vectors = WordVectors("numbers", {str(i): i + 1 for i in range(9)}, table)
    sizes = {"train": 40, "dev": 10, "test": 12}
    parts = {name: planted(folder, many, name=name, vectors=vectors) for name, many in sizes.items()}
    run = UnfinishedRun(folder / "fits")
    run.take_up({"identity": identity})
    return Trainer(parts, settings, FitStore(run))


def stops_at(many: int, trained: list[str]) -> Callable[[str], None]:
    def say(said: str) -> None:
        if len(trained) == many:
            raise Stop
        trained.append(said)

    return say


def test_a_run_that_was_stopped_goes_on_with_the_next_probe(tmp_path: Path) -> None:
    fits = [*plan(replace(SETTINGS, curves=False)), Fit("attention", share=0.3)]
    whole, before, after = trainer(tmp_path / "whole"), list[str](), list[str]()
    wanted = {fit: whole.find(fit) for fit in fits}
    stopped, say = trainer(tmp_path / "stopped"), stops_at(9, before)
    with pytest.raises(Stop):
        _ = [stopped.find(fit, say) for fit in fits]
    resumed = trainer(tmp_path / "stopped")
    outcomes = {fit: resumed.find(fit, after.append) for fit in fits}
    assert before + after == [f"training {fit.in_words}" for fit in fits]
    assert len(before) == 9
    assert {fit: outcome.as_data() for fit, outcome in outcomes.items()} == {
        f: o.as_data() for f, o in wanted.items()
    }
    ids = [tree.id for tree in resumed.parts["test"].trees]
    assert Results(ids, outcomes).table().equals(Results(ids, wanted).table())


def test_probes_of_other_settings_do_not_count(tmp_path: Path) -> None:
    fit = Fit("attention")
    ours = trainer(tmp_path)
    ours.find(fit)
    said: list[str] = []
    other = trainer(tmp_path, identity="another")
    other.find(fit, said.append)
    assert said == ["training the probe attention, seed 0"]


@pytest.mark.parametrize("damage", ["cut", "another's", "another run's"])
def test_a_damaged_probe_is_told_and_trained_again(damage: str, tmp_path: Path) -> None:
    fit, said = Fit("attention"), list[str]()
    ours = trainer(tmp_path)
    wanted = ours.find(fit)
    weights = ours.store.weights(fit)
    path = tmp_path / "fits" / "attention-0.safetensors"
    if damage == "cut":
        path.write_bytes(path.read_bytes()[:-5])
    elif damage == "another's":
        ours.find(Fit("distances"))
        path.write_bytes((tmp_path / "fits" / "distances-0.safetensors").read_bytes())
    else:
        trainer(tmp_path / "other", identity="another").find(fit)
        path.write_bytes((tmp_path / "other" / "fits" / "attention-0.safetensors").read_bytes())
    assert ours.find(fit, said.append).as_data() == wanted.as_data()
    assert said == ["training the probe attention, seed 0"]
    assert "attention-0.safetensors is damaged" in ours.store.run.problems[0]
    assert all(torch.equal(tensor, weights[name]) for name, tensor in ours.store.weights(fit).items())


def test_everything_is_trained_once_before_anything_is_trained_again() -> None:
    fits = plan(SETTINGS)
    assert len({fit.name for fit in fits}) == len(fits)
    assert [fit.seed for fit in fits] == sorted(fit.seed for fit in fits)
    assert sum(fit.control for fit in fits) == 4
    assert sum(fit.share < 1 for fit in fits) == 3 * 4
    assert Fit(FEW_HEADS) in fits
    # those that take another probe's weights come after it
    assert fits.index(Fit("relations", 1)) > fits.index(Fit("attention", 1))


def test_an_outcome_survives_json(tmp_path: Path) -> None:
    outcome = trainer(tmp_path).find(Fit("attention"))
    assert Outcome.of(outcome.as_data()).as_data() == outcome.as_data()
    assert outcome.tree is not None
    assert outcome.tree.uas == pytest.approx(outcome.tree.directed.sum() / outcome.tree.words.sum())


def test_every_probe_computes_on_the_device_of_its_batch() -> None:
    """On a device that is not the CPU: tensors on it have shapes alone, and may not meet those of another."""
    words = 4
    places, heads = torch.empty(2, words + 2, HEADS), torch.zeros(2, words, dtype=torch.long)
    attention = torch.empty(2, words + 2, words + 2, HEADS)
    batch = TreeBatch(*(t.to("meta") for t in (attention, places, heads, heads, heads.bool())))
    for kind, faithful in product(KINDS.values(), (False, True)):
        norms = torch.ones(HEADS) if kind.norms else None
        made = kind.make(HEADS, torch.rand(9, 2), norms, faithful)
        loss_of(Trainee(made.to("meta"), 0.1), batch, np.array([0, 1])).backward()  # type: ignore[no-untyped-call]
        assert {p.grad.device.type for p in made.parameters() if p.grad is not None} == {"meta"}
    relations = RelationProbe(HEADS, 5)
    assert relations.to("meta")(batch, batch.heads).is_meta
    assert StructuralProbe(2, 6, 3).to("meta")(torch.rand(2, words, 2, 6, device="meta")).is_meta
    with pytest.raises(RuntimeError, match="device"):
        loss_of(Trainee(KINDS["words"].make(HEADS, torch.rand(9, 2), None, False), 0.1), batch, np.array([0]))


def test_the_verb_trains_finished_probes_not_again(
    small: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    options = {"quick": True, "epochs": 1, "longest": 20, "trained": tmp_path / "out"}
    first = probe.tree("mini", small, probes=["attention"], **options)
    assert "training the probe attention, seed 0\n" in capsys.readouterr().err
    again = probe.tree("mini", small, probes=["attention", "norms"], **options)
    said = capsys.readouterr().err
    assert "training the probe norms, seed 0\n" in said
    assert "training the probe attention" not in said
    ours, theirs = (result.table.set_index("probe").loc["attention"] for result in (first, again))
    assert ours.equals(theirs)
    probe.tree("mini", small, probes=["attention"], **{**options, "epochs": 2})
    assert "training the probe attention, seed 0\n" in capsys.readouterr().err


def test_other_words_of_the_same_name_do_not_resume_to_the_old_answer(small: Path, tmp_path: Path) -> None:
    options = {"probes": ["words"], "quick": True, "epochs": 1, "longest": 20, "progress": False}
    words, atlas = tmp_path / "glove.txt", tmp_path / "a.attlas"
    words.write_text("the 1 0\nof 0 1\n")
    before = probe.tree("mini", small, word_vectors=words, atlas=atlas, **options)
    again = probe.tree("mini", small, word_vectors=words, atlas=atlas, resume=True, **options)
    assert again.table.equals(before.table)
    words.write_text("the 1 0\nof 0 2\n")
    with pytest.raises(AttlasError, match="made with other settings"):
        probe.tree("mini", small, word_vectors=words, atlas=atlas, resume=True, **options)


def test_models_at_random_run_on_the_engine_of_the_study(
    small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With its bars; and what was recorded of them is not recorded again."""
    bars: list[str] = []

    @contextmanager
    def progress_bars(_: bool) -> Iterator[Any]:
        bars.append("opened")
        yield lambda name, *_: (bars.append(name), lambda _: None)[1]

    monkeypatch.setattr("attlas.studies.study_run.progress_bars", progress_bars)
    options = {"probes": ["random"], "quick": True, "epochs": 1, "longest": 20, "trained": tmp_path / "out"}
    first = probe.tree("mini", small, progress=False, **options)
    parts = ("train", "dev", "test")
    assert bars == ["opened", "reading trees", *["recording attention"] * 2 * len(parts)]
    bars.clear()
    again = probe.tree("mini", small, progress=False, **options)
    assert bars == ["opened", "reading trees"]
    assert again.table.equals(first.table)


def test_two_runs_into_one_folder_are_refused(small: Path, tmp_path: Path) -> None:
    with (
        hold_lock(tmp_path / "out", tmp_path / "out"),
        pytest.raises(AttlasError, match="another run is writing"),
    ):
        probe.tree("mini", small, probes=["distances"], quick=True, trained=tmp_path / "out", progress=False)


def test_faithful_goes_through_the_whole_verb(small: Path, tmp_path: Path) -> None:
    """From the treebank to the text that is parsed: candidates go with the vector of the word after them."""
    options = {"probes": ["distances", "words"], "quick": True, "epochs": 1, "longest": 20, "progress": False}
    plain = probe.tree("mini", small, trained=tmp_path / "plain", atlas=tmp_path / "a.attlas", **options)
    kept = probe.tree(
        "mini", small, trained=tmp_path / "kept", atlas=tmp_path / "a.attlas", faithful=True, **options
    )
    assert kept.chapter.name == f"{plain.chapter.name}-faithful"
    assert kept.chapter.about["faithful"]
    assert not plain.chapter.about["faithful"]
    ours, theirs = (load_file(tmp_path / out / "probes" / "words.safetensors") for out in ("plain", "kept"))
    assert not torch.equal(ours["by_words"], theirs["by_words"])
    parsed = probe.tree("mini", trained=tmp_path / "kept", parse="The dog barks.")
    assert sum(arc.head == 0 for arc in parsed.arcs) == 1  # type: ignore[union-attr]
