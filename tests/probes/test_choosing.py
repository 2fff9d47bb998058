"""Choosing and reporting: the bootstrap, the tests, and that a chosen head is reported on other sentences."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
import torch
from scipy.stats import binomtest

from attlas.corpora.alignment import aligned_batches, fits
from attlas.corpora.reading import annotated_corpus
from attlas.corpora.windows import Cut, Window, sentence_windows
from attlas.errors import AttlasError
from attlas.probes.accuracy import Cell, LinkAccuracy
from attlas.probes.choosing import Bootstrap, beats_baseline, best_cells
from attlas.probes.dependencies import Dependencies
from attlas.probes.probing import LinkProbe, probe_links
from attlas.probes.probing import run as show
from attlas.subject import Subject
from attlas.tap import Tap

NAMES = {"to": "dependent_to_head", "from": "head_to_dependent"}


def windows(subject: Subject, count: int = 40) -> list[Window]:
    found = sentence_windows(annotated_corpus(None).read(), fits(subject, 64), Cut(), shortest=5, longest=14)
    return [w for w, _ in zip(found, range(count), strict=False)]


def run(subject: Subject, given: list[Window], bootstrap: Bootstrap | None = None) -> LinkAccuracy:
    rivals = {"all": "+1", "det": "+1"}
    watchers = [bootstrap] if bootstrap else []
    reducer = LinkAccuracy("d", Dependencies(), NAMES, rivals=rivals, watchers=watchers)  # type: ignore[arg-type]
    with Tap(subject, [reducer], kernel="eager") as tap:
        for batch in aligned_batches(subject, given, weight_bytes=2**22):
            tap.run(batch)
    return reducer


CHOSEN = {"det": Cell("encoder", 8, 10, "to"), "all": Cell("encoder", 10, 3, "from")}


def test_the_bootstrap_does_not_depend_on_order_or_batches(mini: Subject) -> None:
    given = windows(mini)
    one, other = Bootstrap(CHOSEN, seed=3, replicates=200), Bootstrap(CHOSEN, seed=3, replicates=200)
    run(mini, given, one)
    run(mini, given[::-1], other)
    for group in CHOSEN:
        assert one.interval(group) == pytest.approx(other.interval(group), abs=1e-9)
    different = Bootstrap(CHOSEN, seed=4, replicates=200)
    run(mini, given, different)
    assert one.interval("all") != different.interval("all")


def test_the_bootstrap_agrees_with_the_standard_error(mini: Subject) -> None:
    """Two ways to the same uncertainty: resampling windows, and the linearised ratio."""
    bootstrap = Bootstrap(CHOSEN, replicates=2000)
    reducer = run(mini, windows(mini, 120), bootstrap)
    for group, cell in CHOSEN.items():
        row = next(
            r
            for r in reducer.result()
            if (r.layer, r.head, r.group, r.statistic)
            == (cell.layer, cell.head, group, NAMES[cell.direction])
        )
        low, high = bootstrap.interval(group)
        assert low < row.value < high
        assert (high - low) / (2 * 1.96) == pytest.approx(row.stderr, rel=0.15)
        gain = bootstrap.interval(group, over_rival=True)
        assert gain[0] < gain[1]


def test_a_group_without_links_has_no_interval() -> None:
    assert np.isnan(Bootstrap({"x": CHOSEN["det"]}).interval("x")).all()


def test_the_sign_test_is_the_exact_binomial_test_over_windows(mini: Subject) -> None:
    reducer = run(mini, windows(mini))
    p = beats_baseline(reducer, ["det"])
    assert len(p) == len(mini.heads) * 2
    for cell, sums in list(reducer.table("det").items())[::37]:
        better, worse = int(sums["better"]), int(sums["worse"])
        expected = binomtest(better, better + worse, alternative="greater").pvalue if better + worse else 1.0
        assert p["det", cell] == pytest.approx(expected)


def test_the_best_cell_has_the_most_right(mini: Subject) -> None:
    reducer = run(mini, windows(mini))
    best = best_cells(reducer, ["det", "no such relation"])
    assert list(best) == ["det"]
    table = reducer.table("det")
    assert table[best["det"]]["right"] == max(sums["right"] for sums in table.values())


def probe(subject: Subject, **changes: object) -> LinkProbe:
    def read(cut: Cut) -> object:
        fit = fits(subject, 64)
        return sentence_windows(annotated_corpus(None).read(), fit, cut, shortest=6, longest=9)

    return LinkProbe("dependencies", Dependencies(), NAMES, read, least=20, **changes)  # type: ignore[arg-type]


def test_heads_are_chosen_on_one_half_and_reported_on_the_other(mini: Subject) -> None:
    asked = probe(mini)
    honest = probe_links(mini, asked, faithful=False, progress=False)
    original = probe_links(mini, asked, faithful=True, progress=False)
    assert {"low", "high", "p", "p_all", "heads_better"} <= set(honest.table)
    assert not {"low", "p"} & set(original.table)
    whole = dict(zip(original.table["group"], original.table["links"], strict=True))
    for record in honest.table.to_dict("records"):
        assert record["links"] < whole[record["group"]], "only one half is reported"
        assert record["low"] <= record["accuracy"] <= record["high"]
        assert record["p"] <= record["p_all"] + 1e-12
    # chosen and reported on the same sentences is flattering: never below, for the same group, on average
    merged = honest.table.merge(original.table, on="group")
    assert (merged["accuracy_y"] - merged["accuracy_x"]).mean() > 0
    # what goes into the atlas is every sentence, so both ways agree there
    assert sorted(r[:5] for r in honest.rows) == sorted(r[:5] for r in original.rows)
    values = [{r[:5]: r.value for r in of.rows} for of in (honest, original)]
    assert values[0] == pytest.approx(values[1])


def test_heads_can_be_chosen_on_another_corpus(mini: Subject) -> None:
    first = probe(mini)
    found = probe_links(mini, probe(mini, choosing=first.windows), faithful=False, progress=False)
    assert any("another corpus" in note for note in found.notes)
    assert (found.table["accuracy"] - found.table["when_chosen"]).abs().max() == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize("name", ["mini", "llama", "t5", "mpnet"])
def test_probing_makes_no_predictions_and_leaves_the_model_as_it_was(
    name: str, subject_of: Callable[[str], Subject]
) -> None:
    """Predictions of every token would take more memory than the weights."""
    model = subject_of(name)
    made: list[int] = []
    head = model.model.get_output_embeddings()
    watching = head.register_forward_hook(lambda _, inputs, output: made.append(output.shape[-2]))
    reducer = LinkAccuracy("d", Dependencies(), NAMES)  # type: ignore[arg-type]
    before = torch.backends.mkldnn.enabled
    show(model, [reducer], windows(model, 6), lambda done: None)
    assert set(made) <= {1}
    assert [r[:6] for r in reducer.result()] == [r[:6] for r in run(model, windows(model, 6)).result()]
    watching.remove()
    assert torch.backends.mkldnn.enabled == before


def test_too_few_links_are_said(mini: Subject) -> None:
    from dataclasses import replace

    with pytest.raises(AttlasError, match="smaller --least"):
        probe_links(mini, replace(probe(mini), least=10**6), faithful=False, progress=False)
