"""The tables and figures of docs/trees.md, from the lines that `benchmarks/trees_full.py` wrote.

    python benchmarks/trees_report.py out.jsonl              # prints what would stand in the page
    python benchmarks/trees_report.py out.jsonl --docs docs  # writes it there, and draws the figures

What stands between `<!-- found: NAME -->` and `<!-- /found -->` is replaced; all else is left as it is.
"""

from __future__ import annotations

import argparse
import json
import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from attlas.address import Head
from attlas.corpora.source import ItemId
from attlas.figures.drawing import save_specs
from attlas.figures.layout import FigureSpec, Group
from attlas.figures.tree_figures import curve_panel, few_heads_panel
from attlas.files import write_whole
from attlas.studies.trees.fits import Fit, Outcome
from attlas.studies.trees.head_probes import TITLES
from attlas.studies.trees.tree_tables import Results


@dataclass
class Found:
    """What is known of one model."""

    about: dict[str, Any] = field(default_factory=dict)
    outcomes: dict[Fit, Outcome] = field(default_factory=dict)

    @property
    def results(self) -> Results:
        return Results([ItemId(*item) for item in self.about["ids"]], self.outcomes)


def read(paths: Iterable[Path]) -> tuple[dict[str, Any], dict[str, Found]]:
    """How it was run, and what was found of each model; the last line of a training counts."""
    run: dict[str, Any] = {}
    by_model: dict[str, Found] = {}
    for line in (line for path in paths for line in path.read_text(encoding="utf-8").splitlines()):
        said = json.loads(line)
        if said["kind"] == "run":
            run = said
        elif said["kind"] == "model" and not said["initialise"]:
            by_model.setdefault(said["model"], Found()).about = said
        elif said["kind"] == "fit":
            outcomes = by_model.setdefault(said["model"], Found()).outcomes
            outcomes[Fit(**said["fit"])] = Outcome.of(said["outcome"])
    return run, by_model


def table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [f"| {' | '.join(row)} |" for row in (header, *rows)]
    return "\n".join([lines[0], f"|{'---|' * len(header)}", *lines[1:]])


def percent(value: float, sign: str = "") -> str:
    return "" if math.isnan(value) else format(100 * value, f"{sign}.1f")


def span(low: float, high: float) -> str:
    return "" if math.isnan(low) else f"{percent(low)} to {percent(high)}"


def scores(model: Found) -> str:
    """One row for every probe, in the order of the paper's table 3."""
    header = ["probe", "paper's UAS", "UAS", "± seeds", "95 %", "over attention", "greedy", "UUAS", "control"]
    rows = []
    for row in model.results.table().to_dict("records"):
        spread = "" if math.isnan(row["spread"]) else f"{100 * row['spread']:.2f}"
        gain = percent(row["gain"], "+") if not math.isnan(row["gain"]) else ""
        gain += f" ({span(row['gain_low'], row['gain_high'])})" if gain else ""
        rows.append(
            [
                row["title"],
                "" if math.isnan(row["paper_uas"]) else f"{row['paper_uas']:.0f}",
                percent(row["uas"]),
                spread,
                span(row["low"], row["high"]),
                gain,
                percent(row["greedy"]),
                percent(row["uuas"]),
                percent(row["control"]),
            ]
        )
    return table([*header, "selectivity"], [[*r, s] for r, s in zip(rows, selectivity(model), strict=True)])


def selectivity(model: Found) -> list[str]:
    return [percent(value, "+") for value in model.results.table()["selectivity"]]


def in_words(model: Found) -> str:
    """What the table has no column for."""
    rows, about = model.results.table().set_index("probe"), model.about
    parts = about["sentences"]
    said = [
        f"{parts['train']:,} sentences to train, {parts['dev']:,} to choose, {parts['test']:,} to report; "
        f"{about['too_long']:,} longer than the window; vectors for {percent(about['known'])} % of the words."
    ]
    if "relations" in rows.index:
        las, label = rows.loc["relations", ["las", "label"]]
        said.append(f"LAS {percent(las)}; given the right head, the relation is right for {percent(label)}.")
    if layers := model.results.layers():
        named = ", ".join(str(layer) for layer in sorted(set(layers)))
        spread = rows.loc["structural", "uuas_spread"]
        more = "" if math.isnan(spread) else f"; ± {100 * spread:.2f} over seeds"
        said.append(f"The structural probe reads layer {named}, chosen on dev{more}.")
    weights, per_layer = model.results.head_weights(), about["heads"][1]
    head, way = np.unravel_index(int(weights.argmax()), weights.shape)
    address = Head("encoder", int(head) // per_layer, int(head) % per_layer)
    along = ("from dependent to head", "from head to dependent")[way]
    share = percent(float(weights.max()))
    said.append(f"The heaviest head is {address.layer}.{address.head}, {along}: {share} % of it.")
    return " ".join(said)


def few_heads(model: Found) -> str:
    frame = model.results.few_heads()
    top = frame[frame["heads"] == "top"].set_index("k")
    random = frame[frame["heads"] == "random"].set_index("k")
    first = ["the heaviest", *(percent(u) for u in top["uas"])]
    drawn = [
        f"{percent(random.loc[k, 'uas'])} ± {percent(random.loc[k, 'spread'])}" if k in random.index else ""
        for k in top.index
    ]
    return table(["heads kept", *(f"{k}" for k in top.index)], [first, ["as many at random", *drawn]])


def curve(model: Found) -> str:
    frame = model.results.curve()
    sizes = sorted(frame["sentences"].unique())
    by_size = frame.pivot(index="probe", columns="sentences", values="uas").reindex(columns=sizes)
    rows = [[TITLES[str(name)], *(percent(u) for u in scores)] for name, scores in by_size.iterrows()]
    return table(["trained on", *(f"{n:,} sentences" for n in sizes)], rows)


def page_part(name: str, model: Found) -> str:
    """All tables of a model."""
    parts = [scores(model), in_words(model)]
    if len(model.results.few_heads()):
        parts += ["UAS of the probe of attention with some heads only, not trained again:", few_heads(model)]
    if len(model.results.curve()):
        parts += [
            "UAS by sentences to learn from (first seed; few sentences are seen more often):",
            curve(model),
        ]
    if any(outcome.tree for fit, outcome in model.outcomes.items() if fit.share < 1):
        parts.append(
            f"![UAS with few heads, and by sentences to learn from, of {name}](images/trees-{name}.png)"
        )
    return "\n\n".join(parts)


def figure(name: str, model: Found) -> FigureSpec:
    panels = few_heads_panel(model.results.few_heads()), curve_panel(model.results.curve())
    return FigureSpec("scores", f"trees-{name}", "Scores of probes", "", (Group("encoder", panels),))


def into_page(page: str, name: str, text: str) -> str:
    marks = re.compile(rf"(<!-- found: {re.escape(name)} -->\n).*?(<!-- /found -->)", re.DOTALL)
    if not marks.search(page):
        raise SystemExit(f"the page has no <!-- found: {name} --> ... <!-- /found -->")
    return marks.sub(lambda m: f"{m[1]}\n{text}\n\n{m[2]}", page)


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("lines", nargs="+", type=Path)
    asked.add_argument("--docs", type=Path)
    options = asked.parse_args()
    run, by_model = read(options.lines)
    for name, model in by_model.items():
        missing = ", ".join(probe for probe in TITLES if Fit(probe) not in model.outcomes) or "none"
        print(f"\n{name}: {len(model.outcomes)} outcomes of {run['epochs']} epochs; missing: {missing}\n")
        print(page_part(name, model))
        if options.docs is not None:
            page = options.docs / "trees.md"
            write_whole(page, into_page(page.read_text(encoding="utf-8"), name, page_part(name, model)))
            save_specs([figure(name, model)], options.docs / "images", ["png"])


if __name__ == "__main__":
    main()
