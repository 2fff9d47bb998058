"""Every table that a verb prints, at 160, 80 and 60 columns: no number is ever cut; and every result has a
short line, a table for notebooks, and data for programs."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from rich.console import Console

import attlas
from attlas import terminal
from attlas.atlas.atlas import Atlas
from attlas.atlas.chapter import Chapter
from attlas.atlas.disk import add_chapter
from attlas.atlas.summaries import find_pattern_heads, provenance, report_head, summarise
from attlas.reports.ask_answer import Answer, AnsweredHead
from attlas.row import Row
from attlas.studies.chapter_result import chapter_result
from attlas.studies.comparing.comparison import Comparison
from attlas.studies.disabling.disable_result import DisableResult
from attlas.studies.estimate import Calibration, Plan
from attlas.studies.finetuning.finetuned import Finetuned
from attlas.studies.patterns.pattern_result import PatternResult
from attlas.studies.pruning.prune_result import PruneResult
from attlas.studies.study_result import ProbeResult
from attlas.verbs.report import ReportResult
from attlas.wording.printing import ResultTable

SOURCE = Path(attlas.__file__).parent
LAYERS = HEADS = 12
PLACES = [(layer, head) for layer in range(LAYERS) for head in range(HEADS)]
ABOUT = {"study": "x", "corpus": {"name": "text", "items": 10}, "notes": ["a note"], "other": {"name": "b"}}
MODEL = {
    "name": "tiny",
    "weights": "w" * 64,
    "config": "c" * 64,
    "heads": {"encoder": LAYERS * HEADS},
    "layers": {"encoder": [HEADS] * LAYERS},
}


def chapter(study: str = "x", **tables: pd.DataFrame) -> Chapter:
    rows = [
        Row("encoder", layer, head, name, group, 0.123456, 0.012345, 1234)
        for layer, head in PLACES
        for name, group in (("to_next", ""), ("to_class", "cls"), ("map_cosine", ""), ("entropy", "all"))
    ]
    rows += [Row("encoder", la, h, "pattern", "induction", 0.75, 0.1, 9) for la, h in PLACES]
    return Chapter("a-chapter", {**ABOUT, "study": study}, rows, tables)


def table(rows: int = 15, **columns: Any) -> pd.DataFrame:
    """A column of one value where that is all that is said."""
    return pd.DataFrame({name: [value] * rows for name, value in columns.items()})


def of_heads(**columns: Any) -> pd.DataFrame:
    layers, heads = zip(*PLACES, strict=True)
    return table(len(PLACES), kind="encoder", **columns).assign(layer=layers, head=heads)


def edited() -> dict[str, Any]:
    numbers = {"plain": 2.345678, "disabled": 12.345678, "change": -1.234567, "low": -1.5, "high": -0.9}
    return {"edit": "zero", "score": "loss", **numbers, "p": 0.0312, "n": 1234, "stderr": 0.1}


def disabled() -> DisableResult:
    together = table(3, what="layer 11", kind="encoder", layer=11, **edited())
    tables = {"disabled": of_heads(from_1="12-12", **edited()), "disabled_together": together}
    return DisableResult((chapter("disable", **tables),))


def pruned() -> PruneResult:
    orders = ("effect", "gradient", "greedy", "random")
    points = [(o, draw, k, 12.3456, "loss") for o in orders for draw in range(2) for k in range(0, 144, 16)]
    curves = pd.DataFrame(points, columns=["order", "draw", "kept", "value", "score"])
    return PruneResult((chapter("prune", pruned=curves, order=of_heads(effect_goes=1)),))


def compared() -> Comparison:
    layers = table(12, kind="encoder", map_cosine=0.98765, map_distance=0.123456, gradient=1234.5678)
    layers = layers.assign(layer=range(12), weights_moved=np.linspace(0, 12345, 12), query_key_gradient=1.5)
    changes = of_heads(statistic="to_class", group="cls", first=0.123456, second=0.623456, change=0.5)
    changes = changes.assign(low=-0.123456, high=0.654321, p=0.001)
    flows = table(3, naming="behaviour", first="next", second="previous", heads=12)
    return Comparison((chapter("compare", layers=layers, changes=changes, flows=flows),), "first-model")


def links(study: str, baselines: dict[str, Any]) -> ProbeResult:
    best = table(kind="encoder", layer=11, head=11, direction="to", from_1="12-12", accuracy=0.87654)
    best = best.assign(group="advmod", statistic="dependent_to_head", links=123456, low=0.8, high=0.95)
    return ProbeResult((chapter(study, best=best.assign(**baselines, p=0.0123)),))


def weights() -> ProbeResult:
    best = of_heads(group="negation words", statistic="cls_weight", from_1="12-12", weight=0.123456)
    best.loc[0, "statistic"] = "feature_weight"
    numbers = {"matched": 0.023456, "gain": 0.1, "p": 0.0123, "n": 123456}
    return ProbeResult((chapter("features", weights=best.assign(**numbers)),))


def trees() -> ProbeResult:
    names = ("uas", "spread", "low", "high", "gain", "greedy", "uuas", "control", "las")
    made = table(8, title="attention and word vectors", paper_uas=77.0, **dict.fromkeys(names, 0.654321))
    return ProbeResult((chapter("tree", trees=made),))


def patterns() -> PatternResult:
    scores = of_heads(pattern="induction", score=0.876543)
    shares = table(5, kind="encoder", shape="vertical+diagonal", share=0.2345, low=0.2, high=0.3)
    return PatternResult((chapter("patterns", patterns=scores, shares=shares),))


def planned() -> Plan:
    here = Calibration("one core of a CPU", 1e4, 2e4, 1e5, 0.01, 10**6, 1e5, 10**8, 10**9)
    seconds = {"the model and tokenising": 1e6, "merging on the driver": 10.0}
    return Plan("mini", 1e12, 512, 1, here, seconds, 1e12, 1e9)


def finetuned() -> Finetuned:
    scored = {"value": 0.87654, "low": 0.81234, "high": 0.91234, "majority": 0.6, "n": 123456}
    report = {"task": {"name": "MRPC"}, "scores": [{"accuracy": 0.3}], "final": {"accuracy": scored}}
    return Finetuned(Path("out"), {**report, "settings": {"random_init": False, "random_labels": False}})


@pytest.fixture(scope="module")
def atlas(tmp_path_factory: pytest.TempPathFactory) -> Atlas:
    path = tmp_path_factory.mktemp("tables") / "a.attlas"
    scores = of_heads(pattern="induction", score=0.8765, stderr=0.01, null=0.0123, strength=0.8, p=0.0001)
    scores = scores.assign(gain=0.8, n=12)
    surface = Chapter("surface-text", {"study": "surface"}, chapter().rows[: 4 * len(PLACES)])
    add_chapter(
        path,
        MODEL,
        Chapter("patterns-x", {**ABOUT, "study": "patterns"}, chapter().rows, {"patterns": scores}),
    )
    add_chapter(path, MODEL, Chapter("own", {}, (), {"own": of_heads(number=12345.678, words="some words")}))
    return add_chapter(path, MODEL, surface)


Result = Callable[[Atlas], Any]
OFFSET = {"baseline": "-12", "baseline_accuracy": 0.4567}
RULES = dict.fromkeys(("nearest", "head match", "rules", "first"), 0.4567)
RESULTS: dict[str, Result] = {
    "disable": lambda _: disabled(),
    "prune": lambda _: pruned(),
    "compare": lambda _: compared(),
    "dependencies": lambda _: links("dependencies", OFFSET),
    "coreference": lambda _: links("coreference", {**OFFSET, **RULES}),
    "features": lambda _: weights(),
    "tree": lambda _: trees(),
    "patterns": lambda _: patterns(),
    "plan": lambda _: planned(),
    "finetune": lambda _: finetuned(),
    "ask": lambda _: Answer("?", (AnsweredHead("11.11", "Finds 87.6 % of 1,234 " * 9, "", ""),)),
    "report": lambda atlas: ReportResult(atlas, Path("page.html"), (("what", "why", "attlas map"),)),
    "map": lambda atlas: atlas,
    "show": summarise,
    "show --chapter of a map": lambda atlas: chapter_result(atlas, "surface-text"),
    "show --chapter of patterns": lambda atlas: chapter_result(atlas, "patterns-x"),
    "show --chapter of one's own": lambda atlas: chapter_result(atlas, "own"),
    "show --head": lambda atlas: report_head(atlas, "7.9"),
    "show --pattern": lambda atlas: find_pattern_heads(atlas, "induction"),
    "show --provenance": provenance,
    "chapter": lambda _: chapter(own=of_heads(number=1.0)),
}
PRINTED = [name for name in RESULTS if name != "chapter"]


def printed(result: Any, width: int) -> str:
    console = Console(width=width, record=True, file=io.StringIO())
    terminal.show(console, result, {})
    return console.export_text()


def numbers(text: str) -> set[str]:
    return set(re.findall(r"[-+<>]?\d(?:[\d.,]*\d)?", text))


@pytest.mark.parametrize("width", [80, 60])
@pytest.mark.parametrize("name", PRINTED)
def test_no_number_is_ever_cut(name: str, width: int, atlas: Atlas) -> None:
    result = RESULTS[name](atlas)
    narrow, wide = printed(result, width), printed(result, 400)
    assert "…" not in narrow
    assert numbers(narrow) <= numbers(wide)


@pytest.mark.parametrize("name", PRINTED)
def test_what_is_left_out_is_named(name: str, atlas: Atlas) -> None:
    narrow = printed(RESULTS[name](atlas), 40)
    assert "…" not in narrow
    if left_out := re.search(r"not shown at this\s+width: (.*?) \(widen", narrow, re.DOTALL):
        assert left_out[1]


@pytest.mark.parametrize("name", RESULTS)
def test_every_result_has_a_short_line_and_a_table(name: str, atlas: Atlas) -> None:
    result = RESULTS[name](atlas)
    assert "\n" not in repr(result)
    assert len(repr(result)) < 300
    assert re.match(r"[A-Z]\w+\(.+\)$", repr(result))
    assert result._repr_html_().startswith("<")
    if name != "chapter":
        assert terminal.as_data(result)


def test_the_least_important_columns_go_first() -> None:
    made = ResultTable(("head", "a", "b", "c"), [["7.10", "1" * 10, "2" * 10, "3" * 10]], less=("b",))
    console = Console(width=32, record=True, file=io.StringIO())
    made.show(console)
    text = console.export_text()
    assert "1" * 10 in text
    assert "3" * 10 in text
    assert "not shown at this width: b" in " ".join(text.split())


def test_a_grid_of_heads_goes_on_below_where_it_does_not_fit() -> None:
    text = printed(disabled(), 60)
    grid = text[: text.index("Heads that change it most")]
    assert len(re.findall(r"-1235", grid)) == LAYERS * HEADS + 1  # and one layer as a whole
    assert grid.count("layer ") == 2


def test_all_tables_are_printed_by_one_class() -> None:
    """So that what is tested here holds for all."""
    using = {p.name for p in SOURCE.rglob("*.py") if re.search(r"rich\.table|import Table\b", p.read_text())}
    assert using == {"printing.py"}
