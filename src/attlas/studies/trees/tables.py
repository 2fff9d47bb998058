"""Tables of the study of trees: what probes find, with their spread over seeds and their intervals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from attlas.statistics.bootstrap import Bootstrap, ratio_interval
from attlas.studies.trees.decoding import Correct
from attlas.studies.trees.kinds import NAMES, PAPER, RELATIONS, STRUCTURAL, TITLES
from attlas.studies.trees.sentences import Tree

Floats = npt.NDArray[np.float64]
COLUMNS = [
    "probe",
    "title",
    "paper",
    "uas",
    "spread",
    "low",
    "high",
    "gain",
    "gain_low",
    "gain_high",
    "greedy",
]
COLUMNS += ["uuas", "uuas_spread", "control", "selectivity", "las", "label", "seeds", "parameters"]


@dataclass
class Results:
    """What each probe got right, once a seed; sentences in the order of `trees`."""

    trees: Sequence[Tree]
    seed: int = 0
    tree: dict[str, list[Correct]] = field(default_factory=dict)
    greedy: dict[str, list[Correct]] = field(default_factory=dict)
    control: dict[str, float] = field(default_factory=dict)
    parameters: dict[str, int] = field(default_factory=dict)
    las: list[float] = field(default_factory=list)
    labels: list[float] = field(default_factory=list)

    def add(self, name: str, tree: Correct, greedy: Correct | None) -> None:
        self.tree.setdefault(name, []).append(tree)
        if greedy is not None:
            self.greedy.setdefault(name, []).append(greedy)

    def table(self) -> pd.DataFrame:
        """A row for every probe. UAS is that of trees, and the mean over seeds; `spread` its standard
        deviation. The interval is of that mean over sentences, and `gain` is over attention alone, on the
        same sentences."""
        drawn = Bootstrap(self.seed).weights([tree.id for tree in self.trees])  # sentence replicate
        return pd.DataFrame([self._row(n, drawn) for n in NAMES if n in self.tree], columns=COLUMNS)

    def _row(self, name: str, drawn: Floats) -> dict[str, Any]:
        own = self.tree[name]
        row: dict[str, Any] = dict.fromkeys(COLUMNS, np.nan)
        row |= {"probe": name, "title": TITLES[name], "paper": PAPER.get(name, np.nan), "seeds": len(own)}
        row |= {"parameters": self.parameters.get(name, 0)}
        row |= {"uuas": _mean([c.uuas for c in own]), "uuas_spread": _spread([c.uuas for c in own])}
        if name == STRUCTURAL:
            return row  # it has no direction
        below = own[0].words @ drawn
        low, high = ratio_interval(_mean_counts(own) @ drawn, below)
        row |= {
            "uas": _mean([c.uas for c in own]),
            "spread": _spread([c.uas for c in own]),
            "low": low,
            "high": high,
        }
        if name in self.greedy:
            row["greedy"] = _mean([c.uas for c in self.greedy[name]])
        if name in self.control:
            row["control"] = self.control[name]
            # both without the constraint of a tree, and of the first seed
            row["selectivity"] = self.greedy[name][0].uas - self.control[name]
        if name == RELATIONS:
            row |= {"las": _mean(self.las), "label": _mean(self.labels)}
        elif name != "attention" and "attention" in self.tree:
            more = _mean_counts(own) - _mean_counts(self.tree["attention"])
            row["gain"] = float(more.sum() / own[0].words.sum())
            row["gain_low"], row["gain_high"] = ratio_interval(more @ drawn, below)
        return row


def curve_table(curve: Sequence[tuple[str, int, float]]) -> pd.DataFrame:
    return pd.DataFrame(curve, columns=["probe", "sentences", "uas"])


def few_heads_table(kept: Sequence[tuple[str, int, float]]) -> pd.DataFrame:
    """The UAS that is left with k heads: those of the most weight, and the mean and standard deviation over
    sets of k at random."""
    frame = pd.DataFrame(kept, columns=["heads", "k", "uas"])
    found = frame.groupby(["heads", "k"], sort=False)["uas"].agg(["mean", "std", "count"]).reset_index()
    return found.rename(columns={"mean": "uas", "std": "spread", "count": "sets"})


def _mean_counts(several: Sequence[Correct]) -> Floats:
    """sentence: right arcs, averaged over seeds."""
    found: Floats = np.mean([one.directed for one in several], 0, dtype=np.float64)
    return found


def _mean(values: Sequence[float]) -> float:
    return float(np.mean(values)) if values else float("nan")


def _spread(values: Sequence[float]) -> float:
    return float(np.std(values, ddof=1)) if len(values) > 1 else float("nan")
