"""Fitting: which few programs a head is the sum of, with weights that are not negative, by class of query.

Of all that could be chosen, the program goes in that explains most beside those that are in; each must pay.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.optimize import nnls

from attlas.address import Head
from attlas.array_types import Floats
from attlas.reducers.reducer import layer_of, reading_order
from attlas.studies.programs.program_sums import ProgramSums
from attlas.studies.programs.token_features import CLASSES

MOST = 5  # programs of a head
PAYS = 0.01  # of what is to be explained: a program that explains less is left out
SWEEPS = 60  # of coordinate descent, while programs are tried


@dataclass(frozen=True)
class Fit:
    """A head as a sum of programs: their places in the vocabulary, the most telling first, and weights by
    class of query (class program). `by_weights` fits the rows of attention, `by_moved` what they move; where
    that is not known, it is the same. `gives` is what the head gives on average beside its programs."""

    head: Head
    chosen: tuple[int, ...]
    by_weights: Floats
    by_moved: Floats
    explained: float  # of squared weights, by length moved where that is known; on the documents of the fit
    mean: Floats  # dim: what the head gives on average
    gives: Floats  # dim: and what of that its programs do not

    def whole(self, programs: int, moved: bool = True) -> Floats:
        """class program, over the whole vocabulary."""
        weights = np.zeros((len(CLASSES), programs))
        weights[:, list(self.chosen)] = self.by_moved if moved else self.by_weights
        return weights


@dataclass(frozen=True)
class HeadSums:
    """The sums of one head: for each metric gram (class program program), with (class program), size."""

    gram: Floats  # metric class program program
    along: Floats  # metric class program
    size: Floats  # metric
    head_gives: Floats  # dim
    head_squares: Floats  # dim dim: Σ z zᵀ of what the head gives
    program_gives: Floats  # class program dim
    rows: float

    def left_out(self, fit: Fit) -> float:
        """What a sum of programs leaves out of a row of what the head moves: not a share, but how much."""
        return float((1 - fit.explained) * self.size[0] / max(self.rows, 1.0))

    def left_out_by_mean(self, output: Floats | None) -> float:
        """The mean squared length of what the head writes less what it writes on average; `output` is its
        part of the output map (model dim). Where that is not known, of what it gives."""
        rows = max(self.rows, 1.0)
        mean = self.head_gives / rows
        spread = self.head_squares / rows - np.outer(mean, mean)
        return float(np.trace(spread if output is None else output @ spread @ output.T))


def sums_of(reducer: ProgramSums) -> dict[Head, HeadSums]:
    """Read the sums of every head off a reducer: metrics are what is moved, where known, then weights."""
    sums = {key: value.cpu().numpy() for key, value in reducer.sums.items()}
    heads = {}
    for at in sorted({key.partition("/")[0] for key in sums}, key=reading_order):
        metrics = [m for m in ("moved", "weights") if f"{at}/with.{m}" in sums]
        for number in range(len(sums[f"{at}/with.weights"])):
            grams = [sums[f"{at}/gram.{m}"] for m in metrics]
            of_head = [gram[number] if gram.ndim == 4 else gram for gram in grams]
            along = np.stack([sums[f"{at}/with.{m}"][number] for m in metrics])
            size = np.array([sums[f"{at}/size.{m}"][number].sum() for m in metrics])
            gives = [sums.get(f"{at}/gives.{of}") for of in ("head", "squares", "programs")]
            nothing = np.zeros(0), np.zeros((0, 0)), np.zeros((*along.shape[1:], 0))
            head, squares, programs = (
                zero if g is None else g[number] for g, zero in zip(gives, nothing, strict=True)
            )
            rows = float(sums[f"{at}/rows"].sum())
            heads[Head(*layer_of(at), number)] = HeadSums(
                np.stack(of_head), along, size, head, squares, programs, rows
            )
    return heads


def fit_head(head: Head, sums: HeadSums, most: int = MOST, among: Sequence[int] | None = None) -> Fit:
    """Choose at most so many programs, and weigh them. `among` says of which."""
    chosen: list[int] = []
    explained = 0.0
    while len(chosen) < most:
        candidates = [p for p in (range(sums.along.shape[-1]) if among is None else among) if p not in chosen]
        if not candidates:
            break
        known = _try_each(sums, chosen, candidates)
        best = int(known.argmax())
        if known[best] - explained < PAYS and chosen:
            break
        if not known[best] > 0:
            break
        chosen, explained = [*chosen, candidates[best]], float(known[best])
        chosen, explained = _without_useless(sums, chosen, explained)
    return weigh(head, sums, chosen)


def weigh(head: Head, sums: HeadSums, chosen: Sequence[int]) -> Fit:
    """The best weights of these programs, for each metric."""
    at = list(chosen)
    weights = np.zeros((len(sums.size), len(CLASSES), len(at)))
    for metric, number in np.ndindex(weights.shape[:2]):
        weights[metric, number] = _solve(
            sums.gram[metric, number][np.ix_(at, at)], sums.along[metric, number, at]
        )
    order = np.argsort(-_pays(sums, at, weights[0]), kind="stable")
    weights, at = weights[..., order], [at[i] for i in order]
    programs = np.einsum("cp,cpd->d", weights[0], sums.program_gives[:, at])
    mean = sums.head_gives / max(sums.rows, 1.0)
    explained = float(_share_explained(sums, at, weights)[0])
    gives = mean - programs / max(sums.rows, 1.0)
    return Fit(head, tuple(at), weights[-1], weights[0], explained, mean, gives)


def _pays(sums: HeadSums, at: list[int], weights: Floats) -> Floats:
    """program: how much each goes with what the head moves."""
    return np.asarray((weights * sums.along[0][:, at]).sum(0), np.float64)


def _share_explained(sums: HeadSums, at: list[int], weights: Floats) -> Floats:
    """metric: the share of squares that these weights (metric class program) explain."""
    shares = []
    for metric, size in enumerate(sums.size):
        gram = sums.gram[metric][:, at][:, :, at]
        w = weights[metric]
        rest = size - 2 * (w * sums.along[metric][:, at]).sum() + np.einsum("cp,cpq,cq->", w, gram, w)
        shares.append(1 - rest / size if size > 0 else 0.0)
    return np.array(shares)


def _solve(gram: Floats, along: Floats) -> Floats:
    """The weights >= 0 that explain most, from a Gram matrix of programs that may be alike."""
    solved = np.zeros(len(along))
    said = np.flatnonzero(
        (along > 0) & (np.diag(gram) > 1e-9 * max(float(np.diag(gram).max(initial=0)), 1e-30))
    )
    if len(said):
        values, vectors = np.linalg.eigh(gram[np.ix_(said, said)])
        kept = values > 1e-9 * values[-1]
        root = np.sqrt(values[kept])
        factor = root[:, None] * vectors[:, kept].T
        solved[said] = nnls(factor, (vectors[:, kept].T @ along[said]) / root)[0]
    return solved


def _try_each(sums: HeadSums, chosen: Sequence[int], candidates: Sequence[int]) -> Floats:
    """candidate: what is explained with it and those that are chosen, averaged over metrics."""
    sets = np.array([[*chosen, candidate] for candidate in candidates])  # candidate place
    gram = sums.gram[:, :, sets[:, :, None], sets[:, None]]  # metric class candidate place place
    along = sums.along[:, :, sets]  # metric class candidate place
    weights = np.zeros_like(along)
    diagonal = np.einsum("...pp->...p", gram)
    for _ in range(SWEEPS if sets.shape[1] > 1 else 1):
        for place in range(sets.shape[1]):
            rest = along[..., place] - np.einsum("...q,...q->...", gram[..., place, :], weights)
            squares = diagonal[..., place]
            step = np.divide(rest, squares, out=np.zeros_like(rest), where=squares > 0)
            weights[..., place] = np.maximum(weights[..., place] + step, 0.0)
    gain = 2 * (weights * along).sum(-1) - np.einsum("...p,...pq,...q->...", weights, gram, weights)
    of_metrics = gain.sum(1) / np.maximum(sums.size, 1e-30)[:, None]
    return np.asarray(of_metrics.mean(0), np.float64)


def _without_useless(sums: HeadSums, chosen: list[int], explained: float) -> tuple[list[int], float]:
    """A program that no longer pays beside the others goes."""
    while len(chosen) > 1:
        sets = [[*chosen[:i], *chosen[i + 1 :]] for i in range(len(chosen) - 1)]  # the last has just come in
        without = [float(_try_each(sums, rest[:-1], rest[-1:])[0]) for rest in sets]
        least = int(np.argmax(without))
        if explained - without[least] >= PAYS:
            break
        chosen, explained = [*chosen[:least], *chosen[least + 1 :]], without[least]
    return chosen, explained
