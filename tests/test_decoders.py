"""A decoder's atlas tells what decoders do: how far back heads look, where they rest, which patterns they
follow; and nothing that a causal model cannot do."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from rich.console import Console

import attlas
from attlas import terminal
from attlas.atlas import Atlas
from attlas.cli import main
from attlas.errors import AttlasError
from attlas.figures import draw, save_figures
from attlas.figures.charts.surface_charts import even_share
from attlas.figures.figure_specs import figure_spec
from attlas.subject import Subject
from compared import Compared


@pytest.fixture(scope="module")
def decoder(subject_of: Callable[[str], Subject], tmp_path_factory: pytest.TempPathFactory) -> Atlas:
    out = tmp_path_factory.mktemp("decoder") / "a.attlas"
    subject, few = subject_of("llama"), {"segments": 4, "length": 32, "progress": False}
    attlas.map(subject, atlas=out, sample=3, **few)
    attlas.patterns(subject, atlas=out, repeated=4, needles=[0], hidden=0, maps=0, **few)
    return attlas.load_atlas(out)


@pytest.fixture(scope="module")
def named(decoder: Atlas) -> Atlas:
    """The same, but that two of its heads, whose weights are random, follow a pattern, and no other does."""
    heads = decoder.heads.copy()
    heads.loc[heads["statistic"] == "pattern", "group"] = "none"
    for head, pattern in ((0, "induction"), (2, "previous")):
        row = (heads["statistic"] == "pattern") & (heads["layer"] == 1) & (heads["head"] == head)
        heads.loc[row, "group"] = pattern
    return replace(decoder, heads=heads)


def said(atlas: Atlas, capsys: pytest.CaptureFixture[str], *more: str) -> str:
    with pytest.raises(SystemExit, match="0"):
        main(["show", str(atlas.path), *more])
    return capsys.readouterr().out


def test_the_summary_has_the_window_and_the_curve_and_no_next_token(
    decoder: Atlas, capsys: pytest.CaptureFixture[str]
) -> None:
    terminal.summary(Console(width=100), decoder)
    shown = capsys.readouterr().out
    assert "next token" not in shown
    for line in ("the previous token", "itself or the 4 before"):  # with the sink and without it
        assert len(re.findall(rf"^ {line} +\d+\.\d+ +[01]\.\d+ ± ", shown, re.M)) == 2
    mean = np.nanmean(decoder.grid("rest_to_near", "4"))
    assert re.search(rf"share within the last k tokens: 1 0\.\d\d · 2 0\.\d\d · 4 {mean:.2f} · 8 ", shown)


def test_a_head_has_its_curve_in_a_line_and_one_point_in_the_table(
    decoder: Atlas, capsys: pytest.CaptureFixture[str]
) -> None:
    shown = said(decoder, capsys, "--head", "1.2", "--all")
    assert [line for line in shown.splitlines() if "itself or the" in line and "before" in line] == [
        line for line in shown.splitlines() if "itself or the 4 before" in line
    ]
    value = float(decoder.grid("to_near", "16")[1, 2])
    assert re.search(rf"within the last k tokens, of all: 1 .* · 16 {value:.2f}", shown)


def test_an_example_is_a_line_in_a_pipe(decoder: Atlas, capsys: pytest.CaptureFixture[str]) -> None:
    _, _, examples = said(decoder, capsys, "--head", "0.0", "--all").partition("where it is strongest")
    strongest, _, others = examples.partition("from the weakest fifth of random rows to the strongest")
    steps, _, others = others.partition("at random")
    drawn, _, _ = others.partition("\n\n")
    counted = [
        len([line for line in part.splitlines() if line.strip()]) for part in (strongest, steps, drawn)
    ]
    assert counted == [3, 5, 3]  # one a segment of the sample, one a step, and three
    lines = [line for part in (strongest, steps, drawn) for line in part.splitlines() if line.strip()]
    assert all(re.match(r"  \d\S+  \S", line) and line == line.rstrip() for line in lines)


def test_the_figures_have_the_curve_and_the_patterns(named: Atlas, tmp_path: Path) -> None:
    written = {path.stem for path in save_figures(named, tmp_path, formats=("svg",))}
    assert {"figure-reach", "figure-patterns-wikipedia"} <= written


@pytest.mark.reference("figure reach")
def test_the_curve_is_the_mean_of_each_layers_heads_beside_even_attention(
    decoder: Atlas, compared: Compared
) -> None:
    import matplotlib.pyplot as plt

    from attlas.figures.theme import THEMES

    (group,) = figure_spec(decoder, "reach").groups
    figure, ax = plt.subplots()
    group.panels[0].draw(ax, THEMES["light"])
    *layers, even = (np.asarray(line.get_ydata(), dtype=float) for line in ax.lines)
    windows = decoder.groups("to_near")
    assert windows == ("1", "2", "4", "8", "16")  # of segments of 32 tokens
    for layer, line in enumerate(layers):
        expected = [np.nanmean(decoder.grid("to_near", w)[layer]) for w in windows]
        compared("figure reach", line, expected, 1e-6)
    # tokens that see 6 to 32 look even at the 5 that are near
    assert even[2] == pytest.approx(np.mean([5 / seen for seen in range(6, 33)]))
    plt.close(figure)
    # in a corpus of mixed lengths, windows beyond the typical one have no such point
    assert len(even_share(decoder, "surface-wikipedia", [1, 16, 64], False)) == 2


@pytest.mark.reference("figure patterns")
def test_patterns_are_counted_and_the_foremost_is_told(
    decoder: Atlas, named: Atlas, compared: Compared
) -> None:
    (group,) = figure_spec(named, "patterns").groups
    bars = draw(named, "patterns").axes[0].patches
    compared("figure patterns", [bar.get_width() for bar in bars], [1, 1, 6])
    assert group.panels[0].says == "Heads of each name: previous token 1, induction 1, none 6."
    table = named.table("patterns")
    row = table[(table["pattern"] == "induction") & (table["layer"] == 1) & (table["head"] == 0)].iloc[0]
    sentence = f"induction 1.0 ({row['score']:.3f} ± {row['stderr']:.3f}, by chance {row['null']:.3f})"
    assert sentence in group.note[0]
    heads = decoder.heads.copy()
    heads.loc[heads["statistic"] == "pattern", "group"] = "none"
    nameless = replace(decoder, heads=heads)
    assert (
        figure_spec(nameless, "patterns").absent == "No pattern that was looked for fits any of these heads."
    )


def test_an_encoder_has_no_curve_of_looking_back(
    subject_of: Callable[[str], Subject], tmp_path: Path
) -> None:
    atlas = attlas.map(
        subject_of("bert"), segments=3, length=32, sample=2, atlas=tmp_path / "a", progress=False
    )
    assert not atlas.has("to_near", "4")
    assert figure_spec(atlas, "reach").absent


def test_a_text_that_is_far_too_long_is_refused_by_its_beginning(
    subject_of: Callable[[str], Subject], monkeypatch: pytest.MonkeyPatch
) -> None:
    subject = subject_of("llama")
    read: list[int] = []
    tokenizer = subject.tokenizer

    def counting(text: str, *more: object, **named: object) -> object:
        read.append(len(text))
        return tokenizer(text, *more, **named)

    monkeypatch.setattr(subject, "tokenizer", counting)
    assert subject.longest is not None
    with pytest.raises(AttlasError, match="5,000,000 characters, far more than"):
        subject.encode("word " * 1_000_000)
    assert read == [16 * subject.longest]
