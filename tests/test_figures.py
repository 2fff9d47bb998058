"""Figures and the page: they show what the atlas holds, for any atlas, and trust no string in it."""

from __future__ import annotations

import os
import re
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pytest
from matplotlib.colors import to_rgba

from attlas.address import Head, Kind
from attlas.atlas import COLUMNS, EXAMPLE_COLUMNS, Atlas
from attlas.atlas.validate import check_manifest, check_values
from attlas.errors import AttlasError
from attlas.figures import FIGURES, draw, save_figures
from attlas.figures.figure_specs import figure_spec
from attlas.figures.head_measures import (
    all_measures,
    behaviour_rules,
    informative_heads,
    measure,
    shorten,
    token,
    writable,
)
from attlas.figures.panels import turn_places
from attlas.figures.theme import HEAT_STEPS, TEXT, THEMES, drawing
from attlas.files import check_writable, write_whole
from attlas.wording.numbers import model_title, uncertain
from compared import Compared

HOSTILE = (
    "<script>alert(1)</script>",
    "$x_1^2$",
    "$\\frac{",
    "\"quote' & <b>",
    "\u202eevil\u202c",
    "שלום",
    "漢字",
    "👩‍🚀",
    "\x00\x07\x1b[31m",
    "x" * 5000,
    "",
    "]]>",
    "--><img src=x onerror=alert(1)>",
    "#01f000",
)


CHAPTER = "surface-text"


def make_atlas(
    kinds: tuple[Kind, ...] = ("encoder",),
    layers: int = 4,
    heads: int = 3,
    tokens: tuple[str, ...] = ("the", "cat", ",", "sat", "[SEP]"),
    without: tuple[str, ...] = (),
    cls: bool = True,
) -> Atlas:
    """An atlas of made-up numbers; `without` names the statistics and arrays that it lacks."""
    rng = np.random.default_rng(0)
    classes = ("cls", "sep", "punct", "other") if cls else ("punct", "other")
    shapes = [(s, "") for s in ("to_previous", "to_self", "to_next", "to_first", "largest")]
    shapes += [("to_class", c) for c in classes] + [("gradient", c) for c in classes]
    shapes += [("entropy", "all"), ("distance_within", ""), ("distance_between", "")]
    shapes += [("entropy", "cls"), ("sep_to_sep", ""), ("other_to_sep", "")] if cls else []
    rows: list[tuple[Any, ...]] = []
    examples: list[tuple[Any, ...]] = []
    arrays: dict[str, Any] = {}
    for kind in kinds:
        addresses = [(la, h) for la in range(layers) for h in range(heads)]
        for la, h in addresses:
            for statistic, group in shapes:
                value = float(rng.random()) * (1e-3 if statistic == "gradient" else 1)
                rows.append((CHAPTER, kind, la, h, statistic, group, value, value / 20, 50, 10, 10.0))
            if h == 0:
                rows.append(
                    (CHAPTER, kind, la, h, "behaviour", "next" if la % 2 else "broad", 1.0, 0.0, 50, 10, 10.0)
                )
            examples.append((CHAPTER, kind, la, h, 0, 0.9, "3", 0, len(tokens) - 1, "", "strongest"))
        arrays[f"{kind}.heads"] = np.array(addresses)
        arrays[f"{kind}.plane"] = rng.normal(size=(len(addresses), 2))
        arrays[f"{kind}.maps"] = rng.dirichlet(np.ones(len(tokens)), (len(addresses), len(tokens)))
    about = {
        "study": "surface",
        "corpus": {"name": "text", "segments": 50, "tokens": 2000, "mean_log_length": float(np.log(40))},
        "faithful": False,
        "sampled": {"statistics": 50, "distances": 20, "gradients": 10},
    }
    model = {"name": "made-up", "class": "None", "weights": "", "heads": dict.fromkeys(kinds, layers * heads)}
    lists = {"3": tokens} | {f"{k}.maps.{side}": tokens for k in kinds for side in ("queries", "keys")}
    atlas = Atlas(
        {"model": model, "chapters": {CHAPTER: about}},
        pd.DataFrame([r for r in rows if r[4] not in without], columns=list(COLUMNS)),
        {f"{CHAPTER}/{n}": array for n, array in arrays.items() if n.partition(".")[2] not in without},
        pd.DataFrame([] if "examples" in without else examples, columns=list(EXAMPLE_COLUMNS)),
        tokens={f"{CHAPTER}/{name}": list(texts) for name, texts in lists.items()},
    )
    check_manifest(atlas.manifest)
    check_values(atlas)  # made up, but possible
    return atlas


def with_best(atlas: Atlas, **changed: Any) -> Atlas:
    """The atlas with a chapter of a probe, whose table names a head that is not the largest."""
    name = "dependencies-x"
    rows = [
        (name, "encoder", la, h, "dependent_to_head", "obj", 0.1 * (la + h), 0.01, 9, 3, 3.0)
        for la in range(2)
        for h in range(3)
    ]
    row = {
        "group": "obj", "links": 90, "kind": "encoder", "layer": 0, "head": 1, "direction": "to",
        "accuracy": 0.351, "low": 0.3, "high": 0.4, "baseline": "-2", "baseline_accuracy": 0.2, "p": 0.0001,
    }  # fmt: skip
    chapters = {**atlas.manifest["chapters"], name: {"study": "dependencies", "notes": ["a note"]}}
    return replace(
        atlas,
        manifest={**atlas.manifest, "chapters": chapters},
        heads=pd.concat([atlas.heads, pd.DataFrame(rows, columns=list(COLUMNS))], ignore_index=True),
        tables={f"{name}/best": pd.DataFrame([{**row, **changed}])},
    )


def points(ax: Any, gid: str = "heads") -> Any:
    """The places of the marks that stand for heads."""
    places = [c.get_offsets() for c in ax.collections if (c.get_gid() or "").startswith(gid)]
    return np.concatenate(places)


#: left out, so that an atlas has few panels and a test is quick
FEW = (
    "to_class",
    "to_self",
    "to_next",
    "to_first",
    "sep_to_sep",
    "other_to_sep",
    "gradient",
    "plane",
    "largest",
)

ATLASES = {
    "encoder": make_atlas(),
    "decoder": make_atlas(("decoder",), cls=False),
    "encoder-decoder": make_atlas(("encoder", "decoder", "cross"), layers=2, heads=2),
    "one head": make_atlas(layers=1, heads=1),
    "one layer": make_atlas(layers=1),
    "nothing sampled": make_atlas(
        without=("plane", "gradient", "distance_within", "distance_between", "examples")
    ),
    "no classes": make_atlas(without=("to_class", "sep_to_sep", "other_to_sep")),
}


@pytest.mark.parametrize("name", ATLASES)
def test_every_kind_of_atlas_gives_figures(name: str) -> None:
    atlas = ATLASES[name]
    drawable = [f for f in FIGURES if not figure_spec(atlas, f).absent]
    assert len(drawable) >= 4
    for figure in drawable:
        assert draw(atlas, figure).axes


def test_figures_are_written_in_every_format_and_twice_the_same(tmp_path: Path) -> None:
    atlas = make_atlas(layers=1, heads=1, without=FEW)
    first, second = (save_figures(atlas, tmp_path / folder) for folder in ("a", "b"))
    names = ("figure-1-maps", "figure-2-targets", "figure-4-entropy", "figure-glance")
    assert [p.name for p in first] == [f"{n}.{form}" for n in names for form in ("svg", "pdf", "png")]
    assert [p.read_bytes() for p in first] == [p.read_bytes() for p in second]


@pytest.mark.reference("figure targets")
def test_points_and_lines_by_layer_are_those_of_the_atlas(compared: Compared) -> None:
    atlas = make_atlas()
    ax = next(a for a in draw(atlas, "targets").axes if a.get_title("left") == "To [SEP]")
    grid = atlas.grid("to_class", "sep")
    compared("figure targets", points(ax)[:, 1], grid.ravel(), 1e-9)
    np.testing.assert_array_equal(np.round(points(ax)[:, 0]), np.repeat(np.arange(4), 3))
    np.testing.assert_allclose(ax.lines[0].get_ydata(), grid.mean(1))
    assert ax.get_xlabel() == "layer (counted from 0)"


def test_bands_and_bars_are_standard_errors() -> None:
    atlas = make_atlas()
    what = measure(atlas, CHAPTER, "encoder", "to_next")
    assert what is not None
    means, errors = what.by_layer()
    np.testing.assert_allclose(errors, atlas.grid("to_next", column="stderr").mean(1))
    ax = next(a for a in draw(atlas, "targets").axes if a.get_title("left") == "To the next token")
    band = ax.collections[0].get_paths()[0].vertices
    assert {round(float(y), 9) for y in means + errors} <= {round(float(y), 9) for y in band[:, 1]}
    (bars,) = [c for c in ax.collections if type(c).__name__ == "LineCollection"]
    lengths = {round(float(np.ptp(p.vertices[:, 1])), 9) for p in bars.get_paths()}
    assert lengths <= {round(2 * float(e), 9) for e in what.stderr.ravel()}


@pytest.mark.reference("figure gradients")
def test_gradients_draw_a_line_a_class(compared: Compared) -> None:
    atlas = make_atlas()
    (ax,) = draw(atlas, "gradients").axes
    drawn = {str(line.get_label()): line.get_ydata() for line in ax.lines}
    assert set(drawn) == {"[SEP]", "[CLS]", "period or comma", "other tokens"}
    compared("figure gradients", drawn["[SEP]"], atlas.grid("gradient", "sep").mean(1), 1e-9)


@pytest.mark.reference("figure entropy")
def test_entropy_has_the_reference_of_even_attention(compared: Compared) -> None:
    atlas = make_atlas()
    ax = draw(atlas, "entropy").axes[0]
    compared("figure entropy", points(ax)[:, 1], atlas.grid("entropy", "all").ravel(), 1e-9)
    assert np.log(40) in [line.get_ydata()[0] for line in ax.lines]
    causal = draw(make_atlas(("decoder",), cls=False), "entropy").axes[0]
    so_far = np.log(np.arange(1, 41)).mean()
    assert min(abs(float(line.get_ydata()[0]) - so_far) for line in causal.lines) < 1e-6


@pytest.mark.reference("figure plane")
def test_the_plane_keeps_distances_and_colours_by_label_and_layer(compared: Compared) -> None:
    atlas = make_atlas()
    by_label, by_layer = draw(atlas, "plane").axes
    placed, drawn = atlas.arrays[f"{CHAPTER}/encoder.plane"], points(by_layer)
    apart = np.linalg.norm(placed[:, None] - placed[None], axis=-1)
    compared("figure plane", np.linalg.norm(drawn[:, None] - drawn[None], axis=-1), apart, 1e-6)
    legend = [t.get_text() for t in by_label.get_legend().get_texts()]
    assert sorted(legend) == ["broad", "next token", "none of these"]
    assert len(points(by_label)) == 12
    assert len(np.unique(by_layer.collections[0].get_facecolors(), axis=0)) == 4
    assert "heads of one layer" in figure_spec(atlas, "plane").groups[0].note[0]


def test_turning_the_plane_does_not_depend_on_how_it_lay() -> None:
    places = np.random.default_rng(1).normal(size=(9, 2)) * (1, 4)
    spread = turn_places(places).std(0)
    assert spread[0] > spread[1]
    np.testing.assert_allclose(turn_places(places + 7), turn_places(places))


@pytest.mark.reference("figure maps")
def test_maps_show_informative_heads_with_the_weights_as_they_are(compared: Compared) -> None:
    atlas = make_atlas()
    maps = atlas.arrays[f"{CHAPTER}/encoder.maps"]
    maps *= 0.3  # the rest of the attention lies outside the kept tokens
    shown = informative_heads(atlas, CHAPTER, "encoder", ["a", ",", "[SEP]"])
    names = ["largest entropy", "most to the next token", "most to [SEP]", "most to punctuation"]
    assert [t.trait.name for t in shown] == names
    assert len({t.head for t in shown}) == 4
    assert shown[0].head == max(atlas.addresses, key=lambda h: atlas.grid("entropy", "all")[h.layer, h.head])
    ax = draw(atlas, "maps").axes[0]
    whole = maps[shown[0].head.layer * 3 + shown[0].head.head]
    alphas = ax.collections[0].get_edgecolors()[:, 3]
    compared("figure maps", np.sort(alphas), np.sort(whole[whole >= 0.01]), 1e-6)
    assert "elsewhere 70 %" in [t.get_text() for t in ax.texts]


def test_a_sink_is_shown_as_what_it_is() -> None:
    atlas = make_atlas(("decoder",), cls=False)
    maps = atlas.arrays[f"{CHAPTER}/decoder.maps"]
    maps *= 0.1
    atlas.arrays[f"{CHAPTER}/decoder.maps_first"] = np.full(maps.shape[:2], 0.8)
    ax = draw(atlas, "maps").axes[0]
    texts = [t.get_text() for t in ax.texts]
    assert "first token 80 %" in texts
    assert "elsewhere 10 %" in texts
    sink, rest = (c.get_edgecolors()[:, 3] for c in ax.collections[1:3])
    np.testing.assert_allclose(sink, 0.8)
    np.testing.assert_allclose(rest, 0.1)
    spoken = figure_spec(atlas, "maps").groups[0].panels[0].says
    assert "80 % of all goes to: first token." in spoken


def test_a_separator_or_punctuation_head_is_shown_only_where_its_tokens_are() -> None:
    shown = informative_heads(make_atlas(), CHAPTER, "encoder", ["a", "b"])
    assert not {"most to [SEP]", "most to punctuation"} & {t.trait.name for t in shown}


def test_a_head_that_others_surpass_is_not_called_the_most() -> None:
    atlas = make_atlas()
    every = informative_heads(atlas, CHAPTER, "encoder", ["a", "b"])
    assert all(shown.rank > 1 or shown.name == shown.trait.name for shown in every)
    best = next(shown for shown in every if shown.trait.name == "most to the next token")

    def shows(head: Head) -> np.ndarray:
        return np.full((2, 2), 0.0 if head == best.head else 1.0)  # all but the foremost do it on this text

    other = informative_heads(atlas, CHAPTER, "encoder", ["a", "b"], shows)[1]
    grid = atlas.grid("to_next")
    assert other.head != best.head
    surpassing = (grid > grid[other.head.layer, other.head.head]).sum()
    assert other.rank == 1 + surpassing > 1
    ordinal = {2: "second", 3: "third"}.get(other.rank, f"{other.rank}th")
    assert other.name == f"{ordinal} most to the next token"


@pytest.mark.reference("figure relations")
def test_a_heat_map_outlines_the_head_that_the_table_names_and_gives_its_number(compared: Compared) -> None:
    atlas = with_best(make_atlas(layers=2))
    grid = atlas.grid("dependent_to_head", "obj")
    assert np.unravel_index(grid.argmax(), grid.shape) == (1, 2)
    (ax,) = draw(atlas, "relations").axes
    compared("figure relations", shades(ax, grid.shape), shades_of(grid))
    (outline,) = [p for p in ax.patches if p.get_gid() == "outlined"]
    assert outline.get_xy() == (0.5, -0.5)
    panel = figure_spec(atlas, "relations").groups[0].panels[0]
    assert panel.title == "obj, dependent to head"
    assert panel.subtitle.splitlines() == [
        "head 0.1: 35.1 % (95 % 30–40)",
        "best fixed offset -2: 20.0 %",
        "p < 0.001",
        "colours from 0 to 30.0 %",
    ]


def shades(ax: Any, shape: tuple[int, ...]) -> Any:
    """layer head: the step of each cell's colour."""
    steps = np.full(shape, -1)
    colours = [to_rgba(colour) for colour in THEMES["light"].heat]
    for patch in (p for p in ax.patches if p.get_gid() != "outlined"):
        for x, y in patch.get_path().vertices.reshape(-1, 5, 2)[:, :4].mean(1):
            assert steps[round(y), round(x)] == -1, "a head is drawn twice"
            steps[round(y), round(x)] = colours.index(patch.get_facecolor())
    return steps


def shades_of(values: Any) -> list[list[int]]:
    """layer head: the step of a colour that each value should have, the largest the last."""
    return [[min(HEAT_STEPS - 1, int(v / values.max() * HEAT_STEPS)) for v in layer] for layer in values]


@pytest.mark.reference("figure glance")
def test_heat_maps_hold_every_head_once_in_a_colour_of_its_size(compared: Compared) -> None:
    atlas = make_atlas()
    first = all_measures(atlas, CHAPTER, "encoder")[0].values
    compared("figure glance", shades(draw(atlas, "glance").axes[0], first.shape), shades_of(first))


@pytest.mark.parametrize(
    ("lacking", "figure", "sentence"),
    [
        ("plane", "plane", "no distances"),
        ("gradient", "gradients", "no gradients"),
        ("entropy", "entropy", "no entropies"),
        ("maps", "maps", "no whole maps"),
    ],
)
def test_what_is_missing_is_said_in_a_sentence(
    lacking: str, figure: str, sentence: str, tmp_path: Path
) -> None:
    atlas = make_atlas(layers=1, without=(*FEW, lacking))
    with pytest.raises(AttlasError, match=sentence):
        draw(atlas, figure)
    assert not any(figure in p.name for p in save_figures(atlas, tmp_path, formats=("svg",)))


def test_a_wrong_name_is_answered_with_the_right_ones(tmp_path: Path) -> None:
    with pytest.raises(AttlasError, match="choose one of maps, targets"):
        draw(make_atlas(), "nonsense")
    with pytest.raises(AttlasError, match="choose from svg, pdf, png"):
        save_figures(make_atlas(), tmp_path, formats=("bmp",))


def test_an_atlas_of_probes_alone_has_their_figures_and_one_of_nothing_says_so(tmp_path: Path) -> None:
    whole = with_best(make_atlas(layers=2))
    only = whole.heads[whole.heads["chapter"] == "dependencies-x"]
    chapters = {"dependencies-x": whole.manifest["chapters"]["dependencies-x"]}
    probed = replace(whole, heads=only, arrays={}, examples=whole.examples[:0], path=Path("probed.attlas"),
                     manifest={**whole.manifest, "chapters": chapters})  # fmt: skip
    (written,) = save_figures(probed, tmp_path / "some", formats=("svg",))
    assert written.name == "figure-dependencies-x-heads.svg"
    with pytest.raises(AttlasError, match=r"probed\.attlas has nothing to draw"):
        save_figures(replace(probed, tables={}), tmp_path / "none")
    assert not (tmp_path / "none").exists()


@pytest.mark.filterwarnings("error::RuntimeWarning")
def test_a_single_segment_has_no_errors_to_draw(tmp_path: Path) -> None:
    atlas = make_atlas(layers=2)
    atlas.heads["stderr"] = np.nan
    of_every_model = [name for name, recipe in FIGURES.items() if recipe.chapters is None]
    assert len(save_figures(atlas, tmp_path, formats=("svg",))) == len(of_every_model)
    for ax in draw(atlas, "gradients").axes:
        assert len(ax.lines) == 4
        assert not ax.collections


def test_what_xml_has_no_room_for_is_marked_in_svg(tmp_path: Path) -> None:
    from matplotlib.figure import Figure

    odd = "a\x01\x1b\ufffe\uffff\udc80b"
    for how in ("path", "none"):
        path = tmp_path / f"{how}.svg"
        with drawing(THEMES["light"], svg_text=how):  # type: ignore[arg-type]
            figure = Figure()
            figure.text(0.5, 0.5, odd.replace("\udc80", ""))
            figure.savefig(path)
        ElementTree.parse(path)
    assert writable(odd) == "a\ufffd\ufffd\ufffd\ufffd\ufffdb"
    assert writable("a\tb\n漢👩\u200d🚀") == "a\tb\n漢👩\u200d🚀"


def test_heads_without_a_value_leave_a_gap() -> None:
    atlas = make_atlas()
    hybrid = replace(
        atlas, heads=atlas.heads[(atlas.heads["layer"] != 1) | (atlas.heads["statistic"] == "behaviour")]
    )
    ax = draw(hybrid, "targets").axes[0]
    assert len(points(ax)) == 9
    assert np.isnan(ax.lines[0].get_ydata()[1])


def test_hostile_tokens_and_names_are_only_ever_text(tmp_path: Path) -> None:
    atlas = make_atlas(tokens=HOSTILE, layers=1, heads=4, without=tuple(f for f in FEW if f != "plane"))
    atlas.manifest["model"]["name"] = HOSTILE[0]
    atlas.about()["corpus"]["name"] = HOSTILE[3]
    atlas.heads.loc[atlas.heads["statistic"] == "behaviour", "group"] = "$<b>"
    written = save_figures(atlas, tmp_path, formats=("svg",))
    text = "".join(path.read_text(encoding="utf-8") for path in written)
    assert not re.search(r"<(script|img|iframe|object|link|base)\b|\son\w+=", text)
    assert not re.search("[\u202a-\u202e\x00-\x08\x0b-\x1f\ud800]", text)


@pytest.mark.parametrize("theme", THEMES.values(), ids=list(THEMES))
def test_colours_have_enough_contrast(theme: Any) -> None:
    for colour in (theme.ink, theme.muted, theme.series[0]):
        assert contrast(colour, theme.paper) >= 4.5  # text
    assert contrast(theme.ink, theme.heat[0]) >= 4.5
    for colour in (*theme.series, *theme.layers):
        assert contrast(colour, theme.paper) >= 3  # marks


def contrast(first: str, other: str) -> float:
    """WCAG 2's ratio."""
    levels = []
    for colour in (first, other):
        rgb = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) / 255
        linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
        levels.append(float(linear @ [0.2126, 0.7152, 0.0722]) + 0.05)
    return max(levels) / min(levels)


def test_rules_of_labels_are_those_of_the_heads_on_the_page() -> None:
    encoder = behaviour_rules(make_atlas(), CHAPTER, "encoder")
    assert encoder.startswith("Next token or previous token, more than 0.5")
    assert f"above {3.8 * np.log(40) / np.log(128):.2f} nats" in encoder
    atlas = make_atlas(("decoder",), cls=False)
    atlas.heads.loc[atlas.heads["statistic"] == "to_next", "value"] = 0.0
    decoder = behaviour_rules(atlas, CHAPTER, "decoder")
    so_far = np.log(np.arange(1, 41)).mean()
    assert f"above {3.8 * so_far / np.log(128):.2f} nats" in decoder
    assert "[SEP]" not in decoder
    assert "next" not in decoder.lower()
    assert "first token" in decoder
    atlas.about()["faithful"] = True
    assert "above 3.80 nats" in behaviour_rules(atlas, CHAPTER, "decoder")


def test_a_folder_gives_the_page_its_last_part_as_title() -> None:
    for name, shown in (
        ("/home/me/models/bert", "bert"),
        ("org/model", "org/model"),
        ("./x/", "x"),
        ("mini", "mini"),
    ):
        assert model_title(name) == shown


def test_files_are_written_whole_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "new" / "a.txt"
    assert write_whole(path, "whole").read_text() == "whole"
    (tmp_path / "file").write_text("x")
    for wrong, said in (
        (tmp_path / "file" / "a", "is not a folder"),
        (tmp_path, "it is a folder"),
        (Path("/dev/null"), "it is not a regular file"),  # which would be replaced
    ):
        with pytest.raises(AttlasError, match=f"cannot be written: .*{said}"):
            write_whole(wrong, b"x")
        with pytest.raises(AttlasError, match=r"page .* cannot be written"):
            check_writable(wrong, "--page")
    check_writable(tmp_path / "not" / "yet" / "there")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["file", "new"]
    assert [p.name for p in path.parent.iterdir()] == ["a.txt"]


@pytest.mark.skipif(os.geteuid() != 0 or not Path("/bin/mount").exists(), reason="needs root and mount")
def test_a_full_disk_is_said_when_figures_are_written(tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=16k", "tmpfs", str(disk)], check=False).returncode:
        pytest.skip("file systems cannot be mounted here")
    try:
        for form in ("png", "svg", "pdf"):
            with pytest.raises(AttlasError, match="cannot be written: No space left on device"):
                save_figures(make_atlas(layers=1, without=FEW), disk / "figures", formats=(form,))
        assert not [p for p in disk.rglob("*") if p.is_file() and p.name.startswith(".")]
    finally:
        subprocess.run(["umount", str(disk)], check=True)


@pytest.mark.parametrize("figure", ["maps", "targets", "gradients", "entropy", "plane", "glance"])
def test_figures_are_as_wide_as_papers_are_so_that_their_text_stays_readable(figure: str) -> None:
    width, _ = draw(make_atlas(), figure).get_size_inches()
    assert TEXT * 6.3 / width >= 6  # points, printed across both columns of a paper


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("Ġthe", "the"),
        ("▁the", "the"),
        ("##ing", "##ing"),
        ("Ċ", "↵"),
        ("Ġ", "␣"),
        ("", "␣"),
        ("a\u202eb", "ab"),
    ],
)
def test_tokens_are_shown_as_readers_know_them(written: str, shown: str) -> None:
    assert token(written) == shown


def test_text_from_outside_is_cut_and_numbers_keep_their_errors() -> None:
    assert shorten("x" * 99, 10) == "x" * 9 + "…"
    assert shorten("a\x00\ud800") == "a\N{REPLACEMENT CHARACTER}\N{REPLACEMENT CHARACTER}"
    assert uncertain(0.98765, 0.00012) == "0.9877 ± 0.0001"
    assert uncertain(0.5, 0.000001) == "0.5000 ± <0.0001"
    assert uncertain(0.5, float("nan")) == "0.5000"
