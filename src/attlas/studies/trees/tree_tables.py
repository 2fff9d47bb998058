"""Tables of the study of trees: what probes find, with their spread over seeds and their intervals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from attlas.array_types import Floats
from attlas.corpora.source import ItemId
from attlas.statistics.clusters import degrees, document_sums, effective_units, ratio_and_stderr
from attlas.statistics.hypotheses import student_interval
from attlas.studies.trees.decoding import Correct
from attlas.studies.trees.fits import FEW_HEADS, Fit, Outcome
from attlas.studies.trees.head_probes import NAMES, PAPER, RELATIONS, STRUCTURAL, TITLES

COLUMNS = ["probe", "title", "paper_uas", "uas", "spread", "low", "high", "gain", "gain_low", "gain_high"]
COLUMNS += ["greedy", "uuas", "uuas_spread", "control", "selectivity", "las", "label", "seeds", "parameters"]


@dataclass(frozen=True)
class Results:
    """The outcomes of fits; `ids` are the sentences that are reported on, in the order of their counts."""

    ids: Sequence[ItemId]
    outcomes: Mapping[Fit, Outcome]
    seed: int = 0

    def table(self) -> pd.DataFrame:
        """A row for every probe. UAS is that of trees, and the mean over seeds; `spread` its standard
        deviation. The interval is of that mean over documents, and `gain` is over attention alone, on the
        same sentences."""
        return pd.DataFrame([self._row(name) for name in NAMES if self._seeds(name)], columns=COLUMNS)

    def _interval(self, counts: Floats, words: Floats) -> tuple[float, float]:
        """The interval of Σ counts / Σ words (both sentence). Over sentences, where there is one document."""
        several = len({item.document for item in self.ids}) > 1
        above, below = (document_sums(of, self.ids)[0] if several else of for of in (counts, words))
        sums = above.sum(), below.sum(), above @ above, above @ below, below @ below
        value, stderr = ratio_and_stderr(len(above), *sums)
        freedom = degrees(len(above), effective_units(below.sum(), below @ below))
        low, high = student_interval(value, stderr, freedom)
        return float(low), float(high)

    def _seeds(self, name: str) -> list[Outcome]:
        """What a probe found, trained on everything, one outcome per seed."""
        fits = sorted(f for f in self.outcomes if f.probe == name and f.share == 1 and not f.control)
        return [self.outcomes[fit] for fit in fits]

    def _row(self, name: str) -> dict[str, Any]:
        outcomes = self._seeds(name)
        correct = [outcome.tree for outcome in outcomes if outcome.tree is not None]
        row: dict[str, Any] = dict.fromkeys(COLUMNS, np.nan)
        row |= {"probe": name, "title": TITLES[name], "paper_uas": PAPER.get(name, np.nan)}
        row |= {"seeds": len(correct), "parameters": outcomes[0].numbers.get("parameters", 0)}
        row |= {"uuas": _mean([c.uuas for c in correct]), "uuas_spread": _spread([c.uuas for c in correct])}
        if name == STRUCTURAL:
            return row  # it has no direction
        words = correct[0].words.astype(np.float64)
        low, high = np.clip(self._interval(_mean_counts(correct), words), 0, 1).tolist()
        row |= {
            "uas": _mean([c.uas for c in correct]),
            "spread": _spread([c.uas for c in correct]),
            "low": low,
            "high": high,
        }
        if outcomes[0].greedy is not None:
            row["greedy"] = _mean([outcome.greedy.uas for outcome in outcomes if outcome.greedy is not None])
            control = self.outcomes.get(Fit(name, control=True))
            if control is not None:
                row["control"] = control.numbers["control"]
                # both without the constraint of a tree, and of the first seed
                row["selectivity"] = outcomes[0].greedy.uas - control.numbers["control"]
        if name == RELATIONS:
            row |= {n: _mean([outcome.numbers[n] for outcome in outcomes]) for n in ("las", "label")}
        elif name != "attention" and self._seeds("attention"):
            attention = [outcome.tree for outcome in self._seeds("attention") if outcome.tree is not None]
            more = _mean_counts(correct) - _mean_counts(attention)
            row["gain"] = float(more.sum() / correct[0].words.sum())
            row["gain_low"], row["gain_high"] = np.clip(self._interval(more, words), -1, 1).tolist()
        return row

    def curve(self) -> pd.DataFrame:
        """The UAS of probes that were trained on some of the sentences, and on all, with the first seed."""
        names = {fit.probe for fit in self.outcomes if fit.share < 1}
        rows = [
            (fit.probe, int(outcome.numbers["sentences"]), outcome.tree.uas)
            for fit, outcome in sorted(self.outcomes.items())
            if fit.probe in names and fit.seed == 0 and outcome.tree is not None
        ]
        # shares of a small treebank may be the same sentences
        return pd.DataFrame(rows, columns=["probe", "sentences", "uas"]).drop_duplicates(
            ["probe", "sentences"], ignore_index=True
        )

    def few_heads(self) -> pd.DataFrame:
        """The UAS that is left with k heads: those of the most weight, and the mean and standard deviation
        over sets of k at random."""
        kept = self.outcomes[Fit(FEW_HEADS)].numbers["kept"] if Fit(FEW_HEADS) in self.outcomes else []
        frame = pd.DataFrame(kept, columns=["heads", "k", "uas"])
        table = frame.groupby(["heads", "k"], sort=False)["uas"].agg(["mean", "std", "count"]).reset_index()
        return table.rename(columns={"mean": "uas", "std": "spread", "count": "sets"})

    def head_weights(self) -> Floats:
        """head direction: shares of the variation of scores of the probe of attention, over all seeds."""
        shares: Floats = np.mean([outcome.numbers["weights"] for outcome in self._seeds("attention")], 0)
        return shares

    def layers(self) -> list[int]:
        """The layers that the structural probe chose, one per seed."""
        return [int(outcome.numbers["layer"]) for outcome in self._seeds(STRUCTURAL)]


def _mean_counts(several: Sequence[Correct]) -> Floats:
    """sentence: right arcs, averaged over seeds."""
    mean: Floats = np.mean([correct.directed for correct in several], 0, dtype=np.float64)
    return mean


def _mean(values: Sequence[float]) -> float:
    return float(np.mean(values)) if values else float("nan")


def _spread(values: Sequence[float]) -> float:
    return float(np.std(values, ddof=1)) if len(values) > 1 else float("nan")
