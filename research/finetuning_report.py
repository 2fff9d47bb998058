"""Tables and figures of the experiment on fine-tuning, from whatever `finetuning.py run` has finished."""

from __future__ import annotations

import json
import math
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from scipy.stats import spearmanr

from attlas.figures.comparison_figures import flow_panel
from attlas.figures.drawing import save_specs
from attlas.figures.heat_map import heat_panel, heat_top
from attlas.figures.layout import FigureSpec, Group, Panel
from attlas.files import write_whole

CONDITIONS = ("pretrained", "random init", "random labels")
METRICS = {
    "accuracy": "accuracy",
    "f1": "F1",
    "matthews": "Matthews",
    "pearson": "Pearson",
    "spearman": "Spearman",
}
#: of the paper's table 1: pre-trained without fine-tuning, random and fine-tuned, pre-trained and fine-tuned
PAPER = {
    "MRPC": ("0/31.6", "81.2/68.3", "87.9/82.3"),
    "STS-B": ("33.1", "2.9", "82.7"),
    "SST-2": ("49.1", "80.5", "92.0"),
    "QQP": ("0/60.9", "0/63.2", "65.2/78.6"),
    "RTE": ("52.7", "52.7", "64.6"),
    "QNLI": ("52.8", "49.5", "84.4"),
    "MNLI": ("31.7", "61.0", "78.6"),
}
Runs = dict[tuple[str, str], list[dict[str, Any]]]  # task, condition -> what each seed found


def report(folder: Path, images: Path | None = None, page: Path | None = None) -> None:
    """`page`: where tables are put between `<!-- found: NAME -->` and `<!-- /found -->`."""
    trained, disabled = (_read(folder / what) for what in ("compare", "disable"))
    if not trained:
        raise SystemExit(f"{folder} has no results yet")
    sections = {
        "scores": scores(trained),
        "layers": layers(trained),
        "gradients": gradients(trained),
        "flows": flows(trained),
        "shapes": shapes(trained),
        "disabling": disabling(disabled),
    }
    text = "\n\n".join(section for section in sections.values() if section) + "\n"
    (folder / "report.md").write_text(text)
    (folder / "summary.json").write_text(json.dumps(summary(trained, disabled), indent=1))
    print(text)
    if page is not None:
        write_whole(page, into_page(page.read_text(encoding="utf-8"), sections))
    if images is not None:
        for path in save_specs(list(figures(folder, trained, disabled)), images, ("png",)):
            print(path)


def into_page(page: str, sections: dict[str, str]) -> str:
    marks = re.compile(r"(<!-- found: (\w+) -->\n).*?(<!-- /found -->)", re.DOTALL)
    return marks.sub(lambda m: f"{m[1]}\n{sections[m[2]]}\n\n{m[3]}", page)


def _read(folder: Path) -> Runs:
    runs: Runs = defaultdict(list)
    for path in sorted(folder.glob("*.json")):
        result = json.loads(path.read_text())
        runs[result["job"]["task"], result["job"]["condition"]].append(result)
    return runs


def _tasks(runs: Runs) -> list[str]:
    return [task for task in PAPER if any(key[0] == task for key in runs)]


def _spread(values: Iterable[float | None], scale: float = 100, digits: int = 1) -> str:
    """The mean over seeds and its standard deviation: 82.3 ± 0.9"""
    known = [scale * v for v in values if v is not None and math.isfinite(v)]
    if not known:
        return "–"
    mean = f"{np.mean(known):.{digits}f}"
    return mean if len(known) < 2 else f"{mean} ± {np.std(known, ddof=1):.{digits}f}"


def _table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [f"| {' | '.join(columns)} |", f"|{'---|' * len(columns)}"]
    return "\n".join([*lines, *(f"| {' | '.join(row)} |" for row in rows)])


def scores(runs: Runs) -> str:
    """The paper's table 1 in its form, with a control that it lacks."""
    rows = []
    for task in _tasks(runs):
        metrics = list(next(repeats for (t, _), repeats in runs.items() if t == task)[0]["final"])

        def cell(
            pick: Callable[[dict[str, Any], str], float | None], condition: str, task: str = task
        ) -> str:
            repeats = runs.get((task, condition), [])
            if not repeats:
                return "–"
            return " / ".join(_spread(pick(run, m) for run in repeats) for m in metrics)  # noqa: B023

        rows.append(
            [
                f"{task} ({'/'.join(METRICS[m] for m in metrics)})",
                cell(lambda run, m: run["scores"][0].get(m), "pretrained"),
                cell(lambda run, m: run["final"][m]["value"], "random init"),
                cell(lambda run, m: run["final"][m]["value"], "pretrained"),
                cell(lambda run, m: run["final"][m]["value"], "random labels"),
                "; ".join(PAPER[task]),
                "/".join(str(len(runs.get((task, c), []))) for c in CONDITIONS),
            ]
        )
    names = ("task", "pre-trained", "random + fine-tuned", "pre-trained + fine-tuned", "shuffled labels")
    return _table((*names, "BERT-base (paper)", "seeds"), rows)


def _by_layer(runs: Sequence[dict[str, Any]], name: str) -> np.ndarray:
    """seed layer"""
    return np.array([[layer[name] for layer in run["layers"]] for run in runs], dtype=float)


def layers(runs: Runs) -> str:
    rows = []
    for task in _tasks(runs):
        for condition in CONDITIONS:
            repeats = runs.get((task, condition))
            if repeats:
                change = 1 - _by_layer(repeats, "map_cosine")
                mean = change.mean(0)
                most = np.argsort(-mean)[:2]
                last = sum(
                    set(np.argsort(-by_layer)[:2]) == {len(by_layer) - 1, len(by_layer) - 2}
                    for by_layer in change
                )
                cells = [task, condition, *(f"{v:.3f}" for v in mean)]
                rows.append([*cells, ", ".join(map(str, most)), f"{last} of {len(repeats)}"])
    count = len(rows[0]) - 4
    columns = ["task", "condition", *map(str, range(count)), "most", "the last two"]
    return "1 − cosine of maps by layer, mean over heads and seeds\n\n" + _table(columns, rows)


def gradients(runs: Runs) -> str:
    """Over layers: does the change go with the gradients, or with the movement of weights?"""
    names = {
        "gradient": "gradients",
        "query_key_gradient": "of queries and keys",
        "weights_moved": "weights moved",
    }
    rows = []
    for task in _tasks(runs):
        cells = [
            _spread(_correlations(runs.get((task, condition), []), name), 1, 2)
            for condition in ("pretrained", "random labels")
            for name in names
        ]
        rows.append([task, *cells])
    header = ["task", *names.values(), *(f"shuffled labels: {name}" for name in names.values())]
    return _table(header, rows)


def _correlations(runs: Sequence[dict[str, Any]], name: str) -> list[float]:
    """Of every seed: Spearman's correlation over layers of the divergence of maps with something else."""
    changes, others = _by_layer(runs, "map_distance"), _by_layer(runs, name)
    return [float(spearmanr(a, b).statistic) for a, b in zip(changes, others, strict=True)]


def _renamed(flows: Sequence[dict[str, Any]]) -> int:
    """Heads with another behaviour; flows of shapes are there too."""
    behaviours = [flow for flow in flows if flow["naming"] == "behaviour"]
    return sum(flow["heads"] for flow in behaviours if flow["first"] != flow["second"])


def flows(runs: Runs) -> str:
    rows = []
    for task in _tasks(runs):
        for condition in CONDITIONS:
            repeats = runs.get((task, condition))
            if repeats:
                moved = [_renamed(run["flows"]) for run in repeats]
                changed = [run["changed"] / run["statistics"] for run in repeats]
                rows.append([task, condition, _spread(moved, 1), f"{_spread(changed)} %"])
    columns = ("task", "condition", "heads with another behaviour", "statistics of heads that changed (Holm)")
    return _table(columns, rows)


def shapes(runs: Runs) -> str:
    """The share of every shape among the maps of all heads, before and after, mean over seeds."""
    rows, names = [], list[str]()
    for task in _tasks(runs):
        for condition in CONDITIONS:
            tables = [run["shapes"] for run in runs.get((task, condition), []) if "shapes" in run]
            if tables:
                frames = [
                    pd.DataFrame(table).groupby("shape", sort=False)[["first", "second"]].mean()
                    for table in tables
                ]
                names = list(frames[0].index)
                starts = frames if condition == "random init" else frames[:1]  # else all start alike
                cells = [
                    f"{_spread([float(f.loc[name, 'first']) for f in starts], digits=0)} → "
                    f"{_spread([float(f.loc[name, 'second']) for f in frames], digits=0)}"
                    for name in names
                ]
                rows.append([task, condition, *cells])
    if not rows:
        return ""
    return _table(["task", "condition", *names], rows)


def disabling(runs: Runs) -> str:
    rows = []
    for task in _tasks(runs):
        repeats = runs.get((task, "pretrained"), [])
        if not repeats:
            continue
        change = np.array([[h["change"] for h in run["heads"]] for run in repeats])
        free = change.mean(0) > -1e-12  # a mean of 0 may come out a little below
        best = [float(c.max()) for c in change]
        alone = [sum(h["p_alone"] < 0.05 and h["change"] > 0 for h in run["heads"]) for run in repeats]
        gains = [sum(h["p"] < 0.05 and h["change"] > 0 for h in run["heads"]) for run in repeats]
        losses = [sum(h["p"] < 0.05 and h["change"] < 0 for h in run["heads"]) for run in repeats]
        layer = np.array([[part["change"] for part in run["layers"]] for run in repeats])
        rows.append(
            [
                f"{task} ({repeats[0]['heads'][0]['score']})",
                _spread([float(c.mean()) for c in change], digits=2),
                _spread(best),
                _spread(alone, 1),
                _spread(gains, 1),
                _spread(losses, 1),
                f"{free.sum()} of {len(free)}",
                f"{layer.mean(0).argmax()}: {_spread(layer[:, layer.mean(0).argmax()])}",
                f"{layer.mean(0).argmin()}: {_spread(layer[:, layer.mean(0).argmin()])}",
                str(len(repeats)),
            ]
        )
    if not rows:
        return ""
    names = (
        "task",
        "mean of all heads",
        "best head",
        "better gone (p < 0.05)",
        "better gone (Holm)",
        "needed (Holm)",
        "no loss without",
    )
    columns = (*names, "best layer to disable", "worst layer to disable", "seeds")
    return _table(columns, rows)


def summary(trained: Runs, disabled: Runs) -> list[dict[str, Any]]:
    """All numbers behind the tables, without any text of the data."""
    numbers = []
    for (task, condition), repeats in sorted(trained.items()):
        numbers += [
            {
                "task": task,
                "condition": condition,
                "seed": run["job"]["seed"],
                "before": {k: v for k, v in run["scores"][0].items() if k != "epoch"},
                "after": {m: metric["value"] for m, metric in run["final"].items()},
                "layers": run["layers"],
            }
            for run in repeats
        ]
    for (task, _), repeats in sorted(disabled.items()):
        for run in repeats:
            heads = [
                [round(h["change"], 5) for h in run["heads"]],
                [round(h["p"], 5) for h in run["heads"]],
            ]
            numbers.append({"task": task, "disabled": heads, "seed": run["job"]["seed"]})
    return numbers


def figures(folder: Path, trained: Runs, disabled: Runs) -> Iterable[FigureSpec]:
    grids = {
        task: np.mean([1 - np.load(p)["map_cosine"] for p in paths], 0)
        for task in _tasks(trained)
        if (paths := sorted((folder / "heads").glob(f"{task}.pretrained.*.npz")))
    }
    top = max((heat_top(g) for g in grids.values()), default=1.0)
    caption = "1 − cosine of every head's maps before and after fine-tuning, mean over seeds."
    yield _figure("heads", caption, [_heat(task, grid, top) for task, grid in grids.items()])
    panels = []
    for condition in CONDITIONS:
        lines = {
            t: 1 - _by_layer(trained[t, condition], "map_cosine") for t in grids if (t, condition) in trained
        }
        if lines:
            panels.append(_lines(f"Change of maps, {condition}", lines, "1 − cosine"))
    for name, title, condition in (
        ("gradient", "Gradients", "pretrained"),
        ("weights_moved", "Weights moved", "pretrained"),
        ("gradient", "Gradients", "random labels"),
    ):
        lines = {}
        for task in grids:
            if repeats := trained.get((task, condition)):
                values = _by_layer(repeats, name)
                lines[task] = values / values.max(1, keepdims=True)
        panels.append(_lines(f"{title}, {condition}", lines, "share of the largest layer's"))
    yield _figure("layers", "By layer, mean over seeds; the band is one standard deviation.", panels)
    task = max(grids, key=lambda t: np.mean([_renamed(run["flows"]) for run in trained[t, "pretrained"]]))
    table = pd.DataFrame(trained[task, "pretrained"][0]["flows"])
    caption = f"What heads are called before and after fine-tuning on {task}, first seed."
    panels = [flow_panel(f"{task}: {n}", str(n), part) for n, part in table.groupby("naming", sort=False)]
    yield _figure("flows", caption, panels)
    harms = {}
    for task in grids:
        if repeats := disabled.get((task, "pretrained")):
            shape = grids[task].shape
            harms[task] = -100 * np.mean([[h["change"] for h in run["heads"]] for run in repeats], 0).reshape(
                shape
            )
    if harms:
        caption = "Points of score that are lost without a head, mean over seeds; gains are left blank."
        panels = [_heat(task, np.maximum(grid, 0), None, " points") for task, grid in harms.items()]
        yield _figure("disabled", caption, panels)


def _figure(part: str, caption: str, panels: Sequence[Panel]) -> FigureSpec:
    return FigureSpec(part, f"finetuning-{part}", part, caption, (Group("encoder", tuple(panels)),))


def _heat(task: str, grid: np.ndarray, top: float | None, unit: str = "") -> Panel:
    layer, head = np.unravel_index(np.nanargmax(grid), grid.shape)
    said = f"most: head {layer}.{head}, {grid[layer, head]:.2f}{unit}"
    return heat_panel(
        task,
        f"{said}\ncolours from 0 to {top or heat_top(grid):.2f}",
        f"Heat map of layers by heads. {said}.",
        grid,
        top,
    )


def _lines(title: str, lines: dict[str, np.ndarray], axis: str) -> Panel:
    def draw(ax: Any, theme: Any) -> None:
        for place, (task, values) in enumerate(lines.items()):
            mean, colour = values.mean(0), theme.series[place % len(theme.series)]
            at = np.arange(len(mean))
            ax.plot(at, mean, color=colour, linewidth=1.7, label=task)
            if len(values) > 1:
                spread = values.std(0, ddof=1)
                ax.fill_between(at, mean - spread, mean + spread, color=colour, alpha=0.15, linewidth=0)
        ax.set_ylim(0, None)
        ax.set_xlabel("layer (counted from 0)")
        ax.set_ylabel(axis)
        ax.legend(ncols=2, loc="best")

    return Panel(title=title, says=f"{title}, a line a task.", draw=draw, height=260)
