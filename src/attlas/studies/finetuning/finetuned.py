"""What fine-tuning left, and how it looks in the terminal, in a notebook and as JSON. Light: no model library
is loaded here."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console

from attlas.errors import AttlasError
from attlas.wording.printing import ResultTable, notes_html, print_notes, safe

REPORT = "finetuning.json"
#: how people write them
METRIC_NAMES = {
    "accuracy": "accuracy",
    "f1": "F1",
    "matthews": "Matthews",
    "pearson": "Pearson",
    "spearman": "Spearman",
}


#: what the table of scores has beside the metric
COLUMNS = ("before", "after", "95%", "majority", "examples")


@dataclass(frozen=True, repr=False)
class Finetuned:
    """A finished model: its folder, and the report in it."""

    folder: Path
    report: dict[str, Any]

    @classmethod
    def read(cls, folder: Path) -> Finetuned:
        try:
            return cls(folder, json.loads((folder / REPORT).read_text(encoding="utf-8")))
        except (OSError, ValueError) as error:
            raise AttlasError(f"{folder} was not fine-tuned by Attlas: it has no {REPORT}") from error

    @property
    def scores(self) -> dict[str, float]:
        return {name: scored["value"] for name, scored in self.report["final"].items()}

    def as_data(self) -> dict[str, Any]:
        kept = ("task", "settings", "scores", "final", "constant", "skipped", "notes")
        known = {n: without_nan(self.report[n]) for n in kept if n in self.report}
        return {"model": str(self.folder), **known}

    def _table(self) -> ResultTable:
        task = str(self.report["task"]["name"])
        return ResultTable((task, *COLUMNS), self.lines(), {task}, less=("examples", "before"))

    def show(self, console: Console) -> None:
        self._table().show(console)
        print_notes(console, self.notes())
        console.print(f"\nThe model is in [bold]{safe(self.folder)}[/bold]", soft_wrap=True)

    def lines(self) -> list[list[str]]:
        return score_lines(self.report)

    def notes(self) -> list[str]:
        return notes_of(self.report)

    def __repr__(self) -> str:
        scores = ", ".join(f"{METRIC_NAMES.get(n, n)} {percent(value)}" for n, value in self.scores.items())
        return f"Finetuned({self.report['task']['name']}: {scores}; {self.folder})"

    def _repr_html_(self) -> str:
        return self._table().html() + notes_html([*self.notes(), f"The model is in {self.folder}"])


def score_lines(report: dict[str, Any]) -> list[list[str]]:
    """Metric, before training, after it, the interval, what the majority answer alone would score, and
    examples."""
    before = report["scores"][0] if report["scores"] else {}
    return [
        [
            *(METRIC_NAMES.get(name, name), percent(before.get(name)), percent(scored["value"])),
            *(percent_interval(scored), percent(scored.get("majority")), f"{scored['n']:,}"),
        ]
        for name, scored in report["final"].items()
    ]


def notes_of(report: dict[str, Any]) -> list[str]:
    """Notes that people must know to read the scores."""
    settings = report["settings"]
    notes = list(report.get("notes", ()))
    if report.get("constant") is not None:
        notes.append(
            f"It gives one answer to everything ({report['constant']}): the scores are those of that answer."
        )
    for split, name in (("train", "training"), ("dev", "development")):
        skipped = report.get("skipped", {}).get(split, {})
        if many := skipped.get("lines"):
            lines = "1 line" if many == 1 else f"{many:,} lines"
            notes.append(f"{lines} of the {name} data could not be read: {skipped['first']}")
    if settings["random_init"]:
        notes.append("It began with weights at random.")
    if settings["random_labels"]:
        notes.append("It was trained on labels at random: what it scores is chance.")
    return notes


def how_it_was_trained(model: str | Path | None) -> dict[str, Any] | None:
    """The task and settings that a model was fine-tuned with, how large the gradients of its layers were and
    how far their weights moved; None for a model that Attlas did not fine-tune."""
    if model is None:
        return None
    try:
        report = Finetuned.read(Path(model)).report
        gradients = {name: report["gradients"][name] for name in ("mean_norms", "weights_moved")}
        return {**gradients, "task": report["task"]["name"], "settings": report["settings"]}
    except (AttlasError, KeyError, TypeError):
        return None


def percent_interval(scored: Mapping[str, Any]) -> str:
    """A score that no other draw of the examples would change has none."""
    low, high = scored["low"], scored["high"]
    return "–" if low == high else f"{percent(low)}–{percent(high)}"


def percent(value: float | None) -> str:
    """Write a score as the papers do: 87.9. What has none (a correlation of what is constant) has a dash."""
    return "–" if value is None or not math.isfinite(value) else f"{100 * value:.1f}"


def without_nan(value: Any) -> Any:
    """Replace numbers that JSON does not have, such as NaN, by None."""
    if isinstance(value, dict):
        return {k: without_nan(v) for k, v in value.items()}
    if isinstance(value, list):
        return [without_nan(v) for v in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
