"""Patterns over a corpus: the score of every head for every pattern, beside what chance would give it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from attlas.address import Head
from attlas.corpora.batches import Batch
from attlas.reducers.reducer import ItemMeans, check_numbers, layer_of, reading_order
from attlas.row import Row
from attlas.studies.patterns.definitions import (
    IN_TEXT,
    REACHES,
    SPREAD,
    PatternTargets,
    pattern_targets,
    scores,
    tokens_of,
    visible_keys,
)
from attlas.tap.needs import Needs
from attlas.tap.observation import Observation, ObservedCall

BLOCK_BYTES = 2**26  # weights held at once
SCORE, NULL, GAIN = range(3)


@dataclass(frozen=True)
class PatternScore:
    """A head's score for a pattern: its mean over items, what chance gives, and by how much it is more,
    paired by item."""

    head: Head
    pattern: str
    score: float
    stderr: float
    null: float
    gain: float
    gain_stderr: float
    items: int
    documents: int
    effective: float = 0.0  # documents of equal size that would say as much
    scale: int = 0  # of those that a pattern is measured at
    scales: int = 1  # how many those are: the best was taken

    @property
    def reach(self) -> int | None:
        """Tokens in which local attention falls to 1/e; None for other patterns."""
        return REACHES[self.scale] if self.pattern == "local" else None


class ScoreMeans(ItemMeans):
    """Scores, nulls and their differences, of each item, averaged over items: `kind.layer` -> head column 3.
    The columns are patterns, each with its scale; one of the reducer's own name unless it says others."""

    name: str
    columns: tuple[tuple[str, int], ...] = ()

    def add_scores(self, layer: str, score: Tensor, null: Tensor, present: Tensor, batch: Batch) -> None:
        """Both are batch head column, and `present` is broadcastable to them."""
        self.add_items(layer, torch.stack([score, null, score - null], -1), present[..., None], batch)

    def add_item(self, layer: str, score: Tensor, null: Tensor, present: Tensor, batch: Batch) -> None:
        """One item of one column: both are head, and `present` is one truth."""
        self.add_scores(layer, score[None, :, None], null[None, :, None], present.view(1, 1, 1), batch)

    def scores(self) -> list[PatternScore]:
        """The scores of every head for the patterns that any item could show."""
        return scores_of(self, self.columns or ((self.name, 0),))


class PatternScores(ScoreMeans):
    """The scores of texts for patterns. Items where no query has a target do not count for one. Local
    attention is measured at several reaches: the one that it exceeds chance by most, over all items, is what
    counts."""

    needs = Needs(lazy_weights=True)

    def __init__(self, patterns: Sequence[str] = IN_TEXT, seed: int = 0, name: str = "patterns") -> None:
        self.name = name
        self.patterns = tuple(patterns)
        self.seed = seed
        super().__init__()
        self._targets: dict[Any, PatternTargets] = {}
        self.columns = columns_of(self.patterns)

    def update(self, observation: Observation) -> None:
        self._targets = {}  # of this batch: layers of a kind mostly share one
        for call in observation.calls:
            if (measured := self._measure(observation, call)) is not None:
                score, null, present = measured
                at = f"{call.kind}.{call.layer}"
                self.add_scores(at, score, null, present[:, None], observation.batch)
        self._targets = {}

    def _measure(self, observation: Observation, call: ObservedCall) -> tuple[Tensor, Tensor, Tensor] | None:
        """batch head column, twice: scores and nulls; batch column: whether there are any."""
        tokens = None if call.kind == "cross" else tokens_of(observation.batch, call.kind)
        if tokens is None:
            return None
        visible, alike = visible_in(call, tokens.real)
        if alike not in self._targets:
            self._targets[alike] = pattern_targets(self.patterns, tokens, visible, self.seed).to(
                torch.float32
            )
        wanted = self._targets[alike]
        return *score_call(call, wanted), wanted.present

    def by_item(self, observation: Observation, call: ObservedCall) -> npt.NDArray[np.float64]:
        """batch head column: the score of each item; NaN where it has none."""
        self._targets = {}
        measured = self._measure(observation, call)
        if measured is None:
            return np.full((len(observation.batch.ids), call.heads, len(self.columns)), np.nan)
        score, _, present = measured
        values: npt.NDArray[np.float64] = score.masked_fill(~present[:, None], torch.nan).cpu().numpy()
        return values


def columns_of(patterns: Iterable[str]) -> tuple[tuple[str, int], ...]:
    """The columns of `pattern_targets` for these patterns: each with its scale, those that spread last."""
    named = list(patterns)
    order = [p for p in named if p not in SPREAD] + [p for p in named if p in SPREAD]
    return tuple((p, scale) for p in order for scale in range(len(REACHES) if p == "local" else 1))


def scores_of(means: ItemMeans, columns: Sequence[tuple[str, int]]) -> list[PatternScore]:
    """Read scores off means kept as `kind.layer` -> head column (score, null, gain); columns are (pattern,
    scale)."""
    scores = []
    for key in sorted(means.sums, key=reading_order):
        known = means.mean(key)
        for head in range(known.mean.shape[0]):
            for pattern in dict.fromkeys(p for p, _ in columns):
                scales = [i for i, (p, _) in enumerate(columns) if p == pattern]
                gains = np.nan_to_num(known.mean[head, scales, GAIN], nan=-2.0)
                i = scales[int(gains.argmax())]
                score, error, items, documents, effective = known.for_row(head, i, SCORE)
                null, gain, gain_error = (
                    float(of[head, i, where])
                    for of, where in ((known.mean, NULL), (known.mean, GAIN), (known.stderr, GAIN))
                )
                if items:
                    address, read = Head(*layer_of(key), head), (items, documents, effective)
                    numbers = score, error, null, gain, gain_error
                    scores.append(PatternScore(address, pattern, *numbers, *read, columns[i][1], len(scales)))
    return scores


def score_rows(scores: Sequence[PatternScore]) -> list[Row]:
    rows = []
    for s in scores:
        at, read = (s.head.kind, s.head.layer, s.head.head), (s.items, s.documents, s.effective)
        rows.append(Row(*at, "pattern_score", s.pattern, s.score, s.stderr, *read))
        rows.append(Row(*at, "pattern_null", s.pattern, s.null, float("nan"), *read))
    return rows


def score_call(call: ObservedCall, wanted: PatternTargets) -> tuple[Tensor, Tensor]:
    """batch head column, twice: scores and nulls, a few rows at a time."""
    weights = call.lazy_weights
    assert weights is not None
    batch, heads, queries, keys = weights.shape
    block = max(1, BLOCK_BYTES // (4 * batch * heads * keys))
    score = torch.zeros(batch, heads, len(wanted.columns), dtype=torch.float64, device=weights.device)
    null = wanted.even[:, None].expand_as(score).clone()
    for start in range(0, queries, block):
        rows = weights.rows(start, min(start + block, queries)).float()
        more, chance = scores(wanted, rows, start)
        score, null = score + more, null + chance
    check_numbers(score)
    return score, null


def visible_in(call: ObservedCall, real: Tensor) -> tuple[Tensor, Any]:
    """Which keys the queries of a call may see, and what calls have in common that see the same."""
    made = call.lazy_weights.call if call.lazy_weights is not None else None
    if made is None:  # a model that returned its weights does not say
        return visible_keys(real, None, call.kind == "decoder"), call.kind
    allowed = made.mask.allowed(0, real.shape[1])
    layer = call.layer if made.mask.form == "other" else -1
    return visible_keys(real, allowed, False), (call.kind, made.mask.form, made.mask.window, layer)
