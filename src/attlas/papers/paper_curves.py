"""Curves over layers: one number per layer in a paper's plot. Each curve makes two items, whether its shape
is the paper's and whether its level is. The points are shown beside them and are no items."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from attlas.array_types import Floats
from attlas.errors import option
from attlas.papers.paper_evidence import SEGMENT, ChapterNumbers, PaperEvidence
from attlas.papers.paper_items import CurvePoint, Measured, PaperItem, Reported
from attlas.statistics.claims import LARGE_CHANGE

LAYERS = 12  # of BERT-base
ENOUGH = 3  # layers that are independent of each other: with no more, a correlation has no interval
NORMAL = 1.96


@dataclass(frozen=True)
class Curve:
    """A curve over BERT-base's layers. `in_range` turns a value into a share of the range that it can have in
    segments of so many tokens; None where the range depends on the text itself."""

    place: str
    title: str
    statistic: str
    group: str
    values: tuple[float, ...]
    tolerance: float  # how exactly it was read off the plot
    in_range: Callable[[Floats, float], Floats] | None
    range_words: str

    @property
    def key(self) -> tuple[str, str]:
        return self.statistic, self.group


def beyond_even(tokens_meant: int) -> Callable[[Floats, float], Floats]:
    """A share of attention, as a part of what even attention would leave to be had."""

    def in_range(share: Floats, tokens: float) -> Floats:
        even = tokens_meant / tokens
        return (share - even) / (1 - even)

    return in_range


def of_even_entropy(entropy: Floats, tokens: float) -> Floats:
    """An entropy, as a share of that of even attention."""
    return entropy / math.log(tokens)


def curve_items(evidence: PaperEvidence, curve: Curve, why_absent: str) -> Iterator[PaperItem]:
    """Shape and level of a curve, where the model's text has such a number."""
    words = ", ".join(f"{value:g}" for value in curve.values)
    shape = PaperItem(
        curve.place,
        f"{curve.title}: its course over the layers follows the paper's (correlation)",
        Reported(words, evidence="plot"),
        claim="curve",
    )
    level = PaperItem(
        curve.place,
        f"{curve.title}: its mean over the layers is the paper's, {curve.range_words}",
        Reported(words, evidence="plot"),
        unit="share",
        agrees=True,
    )
    surface = evidence.numbers()
    if surface is None or not surface.has(*curve.key):
        yield from (_unasked(item, why_absent) for item in (shape, level))
        return
    yield _shape(evidence, curve, shape, surface)
    yield _level(evidence, curve, level, surface)


def alike_items(evidence: PaperEvidence, curves: Sequence[Curve]) -> Iterator[PaperItem]:
    """Whether another model's curves have the same course: a cased and an uncased model's, in the paper.
    The untrained twin of this model is the null: what it shares with the other was not learned."""
    reported = Reported("cased and uncased behave alike; no numbers")
    other = None if evidence.beside is None else evidence.beside.numbers()
    if evidence.beside is None or other is None:
        why = f"one model is here: name the other, say a cased one, by {option('other_model')}"
        yield PaperItem("section 3", "cased and uncased models behave alike", reported, not_asked=why)
        return
    for curve in curves:
        item = PaperItem(
            "section 3",
            f"cased and uncased models behave alike: {curve.title}, the course over the layers (correlation)",
            reported,
            claim="curve",
            detail=f"beside {evidence.beside.model}",
        )
        if not other.has(*curve.key):
            yield replace(item, not_asked=f"{evidence.beside.model} has no such tokens")
            continue
        there = _by_layer(other, curve)

        def alike(numbers: ChapterNumbers, there: Floats = there, curve: Curve = curve) -> Measured:
            return correlation(_at_depths(there, numbers.layers), _by_layer(numbers, curve))

        measured = evidence.measure(alike, *curve.key)
        flat = min(_span(curve, other), _span(curve, evidence.numbers()))
        yield replace(item, **measured, not_asked=_flat(flat) if flat < LARGE_CHANGE else "")


def _span(curve: Curve, numbers: ChapterNumbers | None) -> float:
    """From the lowest to the highest layer, as a share of the curve's range; 0 of what was not measured."""
    if numbers is None or not numbers.has(*curve.key):
        return 0.0
    return float(np.ptp(_in_range(curve, _by_layer(numbers, curve), numbers.tokens)))


def _flat(span: float) -> str:
    return f"the curve is flat here: it spans {span:.3f}, and below {LARGE_CHANGE:g} it has no shape"


def _unasked(item: PaperItem, why: str) -> PaperItem:
    return PaperItem(item.place, item.what, item.reported, not_asked=why)


def _shape(evidence: PaperEvidence, curve: Curve, item: PaperItem, surface: ChapterNumbers) -> PaperItem:
    papers = _at_depths(curve.values, surface.layers)
    measured = evidence.measure(lambda n: correlation(papers, _by_layer(n, curve)), *curve.key)
    span = _span(curve, surface)
    return PaperItem(
        item.place,
        item.what,
        item.reported,
        claim=item.claim,
        not_asked=_flat(span) if span < LARGE_CHANGE else "",
        points=tuple(_points(evidence, curve, papers)),
        **measured,
    )


def _level(evidence: PaperEvidence, curve: Curve, item: PaperItem, surface: ChapterNumbers) -> PaperItem:
    if curve.in_range is None and not SEGMENT / 2 <= surface.tokens <= 2 * SEGMENT:
        why = f"how many tokens they are depends on the text: segments of {surface.tokens:.0f} tokens here"
        return _unasked(item, why)
    paper = float(_in_range(curve, np.array(curve.values), SEGMENT).mean())
    spread = abs(
        float(_in_range(curve, np.array([curve.tolerance]), SEGMENT)[0])
        - float(_in_range(curve, np.array([0.0]), SEGMENT)[0])
    )

    def in_range(numbers: ChapterNumbers) -> Measured:
        plain = numbers.over(range(numbers.layers), *curve.key)
        at_0, at_1 = (float(_in_range(curve, np.array([x]), numbers.tokens)[0]) for x in (0.0, 1.0))
        scaled = plain.scaled(at_1 - at_0, less=-at_0 / (at_1 - at_0))  # the range is linear in the value
        return Measured(scaled.value, scaled.low, scaled.high, documents=scaled.documents)

    return PaperItem(
        item.place,
        item.what,
        Reported(f"{paper:.2f}, of {', '.join(f'{v:g}' for v in curve.values)}", paper, spread, "plot"),
        claim="spread" if curve.statistic == "entropy" else "change",
        agrees=True,
        unit="share",
        **evidence.measure(in_range, *curve.key),
    )


def _in_range(curve: Curve, values: Floats, tokens: float) -> Floats:
    return values if curve.in_range is None else curve.in_range(values, tokens)


def _by_layer(numbers: ChapterNumbers, curve: Curve) -> Floats:
    mean: Floats = np.nanmean(numbers.grid(*curve.key), axis=1)
    return mean


def _at_depths(values: Sequence[float] | Floats, layers: int) -> Floats:
    """The paper's curve where the layers of another model lie, by the depth of their middles."""
    depths = [(np.arange(n) + 0.5) / n for n in (layers, len(values))]
    there: Floats = np.interp(depths[0], depths[1], np.asarray(values))
    return there


def correlation(papers: Floats, here: Floats) -> Measured:
    """Pearson's r with Fisher's interval. Neighbouring layers are alike, so that there are fewer to go by:
    n (1 - ab) / (1 + ab), with a and b the correlations of each curve with itself one layer on."""
    if not (np.ptp(here) > 0 and len(here) > ENOUGH):
        return Measured(0.0)
    r = float(np.clip(np.corrcoef(papers, here)[0, 1], -0.9999, 0.9999))
    alike = max(_one_layer_on(papers) * _one_layer_on(here), 0.0)
    layers = len(here) * (1 - alike) / (1 + alike)
    if layers <= ENOUGH:
        return Measured(r, -1.0, 1.0)
    half = NORMAL / math.sqrt(layers - ENOUGH)
    return Measured(r, math.tanh(math.atanh(r) - half), math.tanh(math.atanh(r) + half))


def _one_layer_on(curve: Floats) -> float:
    apart = curve - curve.mean()
    return float((apart[1:] * apart[:-1]).sum() / (apart**2).sum())


def _points(evidence: PaperEvidence, curve: Curve, papers: Floats) -> Iterator[CurvePoint]:
    ways: Mapping[str, Floats] = {
        way: _by_layer(numbers, curve)
        for way in ("faithful", "corrected")
        if (numbers := evidence.numbers(faithful=way == "faithful")) is not None and numbers.has(*curve.key)
    }
    for layer, value in enumerate(papers):
        here = {way: float(values[layer]) for way, values in ways.items()}
        yield CurvePoint(str(layer + 1), float(value), here.get("faithful"), here.get("corrected"))
