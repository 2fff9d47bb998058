"""Clark, Khandelwal, Levy and Manning 2019, "What Does BERT Look At? An Analysis of BERT's Attention"."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from attlas.papers.clark_probes import coreference, dependencies, no_op
from attlas.papers.clark_trees import trees
from attlas.papers.paper_curves import Curve, alike_items, beyond_even, curve_items, of_even_entropy
from attlas.papers.paper_evidence import SEGMENT, ChapterNumbers, PaperEvidence, at_depth
from attlas.papers.paper_items import OF_A_DECODER, Measured, PaperItem, Reported

TITLE = "What Does BERT Look At? An Analysis of BERT's Attention"
CITATION = (
    "Kevin Clark, Urvashi Khandelwal, Omer Levy and Christopher D. Manning. 2019. What Does BERT Look At? An "
    "Analysis of BERT's Attention. BlackboxNLP 2019."
)

READ_OFF, READ_OFF_NATS = 0.02, 0.05  # of a share, in nats: how exactly a plot is read
SEP, CLS, PUNCTUATION = ("to_class", "sep"), ("to_class", "cls"), ("to_class", "punct")
_SHARE = "as a part of what even attention leaves"
_ENTROPY = "as a share of the entropy of even attention"
#: means over the heads of layers 1 to 12
CURVES = (
    Curve(
        "Figure 2",
        "share of attention on [SEP]",
        *SEP,
        (0.03, 0.05, 0.08, 0.22, 0.50, 0.55, 0.54, 0.57, 0.58, 0.47, 0.05, 0.08),
        READ_OFF,
        beyond_even(2),
        _SHARE,
    ),
    Curve(
        "Figure 2",
        "share of attention on [CLS]",
        *CLS,
        (0.06, 0.26, 0.24, 0.14, 0.02, 0.02, 0.01, 0.01, 0.01, 0.02, 0.03, 0.01),
        READ_OFF,
        beyond_even(1),
        _SHARE,
    ),
    Curve(
        "Figure 2",
        "share of attention on periods and commas",
        *PUNCTUATION,
        (0.07, 0.11, 0.09, 0.09, 0.05, 0.05, 0.04, 0.06, 0.05, 0.09, 0.52, 0.57),
        READ_OFF,
        None,
        "on a text like the paper's",
    ),
    Curve(
        "Figure 2",
        "share of [SEP]'s attention on [SEP]",
        "sep_to_sep",
        "",
        (0.16, 0.14, 0.11, 0.49, 0.90, 0.91, 0.89, 0.91, 0.87, 0.36, 0.07, 0.11),
        READ_OFF,
        beyond_even(2),
        _SHARE,
    ),
    Curve(
        "Figure 4",
        "entropy of attention, all tokens",
        "entropy",
        "all",
        (3.6, 2.9, 2.6, 2.7, 2.4, 1.9, 1.9, 1.8, 2.2, 2.5, 2.8, 2.8),
        READ_OFF_NATS,
        of_even_entropy,
        _ENTROPY,
    ),
    Curve(
        "Figure 4",
        "entropy of attention, from [CLS]",
        "entropy",
        "cls",
        (3.7, 3.5, 2.1, 2.8, 2.4, 2.4, 2.6, 2.0, 2.2, 2.8, 3.5, 3.9),
        READ_OFF_NATS,
        of_even_entropy,
        _ENTROPY,
    ),
)
HALF, NEARLY_ALL = 0.5, 0.9  # "more than half", "almost entirely (more than 90%)"
A_TENTH = 0.1  # broad heads give at most that much to any word
BROAD = 3.8 / math.log(SEGMENT)  # of the entropy of even attention: the original's line, in nats

LOOKS_BACK = f"{OF_A_DECODER}: it does not look ahead"
SEES_ITSELF = f"{OF_A_DECODER}: its first token sees only itself"
ONE_PLACE = f"{OF_A_DECODER}: it has one such token, the first, which stands in for [SEP]"
NO_SEP = f"{OF_A_DECODER}: it has no [SEP]. Section 3.2 asks for its loss without looking at the first token"
FIRST_TOKEN = "a decoder has no [SEP]: the first token stands in its place"


def items(evidence: PaperEvidence) -> Iterator[PaperItem]:
    """Everything, in the paper's order."""
    surface = evidence.numbers()
    if surface is not None:
        yield from _single_heads(evidence, surface)
        yield from _offsets(evidence, surface)
        yield from _curves(evidence, surface, "Figure 2")
        yield from _separators(evidence, surface)
        yield _gradients(evidence, surface)
        yield from _curves(evidence, surface, "Figure 4")
        yield from _breadth(evidence, surface)
        yield from alike_items(evidence, CURVES)
    yield from no_op(evidence)
    yield from dependencies(evidence)
    yield from coreference(evidence)
    yield from trees(evidence)
    if surface is not None:
        yield _clustering(evidence, surface)


def _single_heads(evidence: PaperEvidence, surface: ChapterNumbers) -> Iterator[PaperItem]:
    """Figure 1: heads that give most of their attention to one thing."""
    half = Reported("more than half")
    for key, what, reported, line in (
        (
            ("to_next", ""),
            "one head looks at the next token and hardly at anything else (3-1)",
            Reported("0.98", 0.98, READ_OFF, "plot"),
            NEARLY_ALL,
        ),
        (SEP, "one head gives most of its attention to [SEP] (8-7)", half, HALF),
        (PUNCTUATION, "one head gives most of its attention to periods and commas (11-6)", half, HALF),
    ):
        rests = key == SEP and surface.rests_on_first
        key = ("to_first", "") if rests else key
        measured = evidence.best(*key)
        detail = FIRST_TOKEN if rests else ""
        item = PaperItem("Figure 1", what, reported, "share", threshold=line, unit="share", detail=detail)
        yield _unless_ahead(replace(item, **measured), key[0], surface)


def _unless_ahead(item: PaperItem, statistic: str, surface: ChapterNumbers) -> PaperItem:
    """The item; without a number where it asks a decoder what comes next."""
    return replace(item, not_asked=LOOKS_BACK) if statistic == "to_next" and surface.causal else item


def _offsets(evidence: PaperEvidence, surface: ChapterNumbers) -> Iterator[PaperItem]:
    for statistic, word, reported in (
        ("to_previous", "previous", "4 heads"),
        ("to_next", "next", "5 heads; the plot that was released shows three and one at 0.49"),
    ):
        item = PaperItem(
            "section 3.1",
            f"some head gives more than half of its attention to the {word} token",
            Reported(reported),
            "share",
            threshold=HALF,
            unit="share",
            detail=surface.count_above(HALF, statistic) if surface.has(statistic) else "",
            **evidence.best(statistic),
        )
        yield _unless_ahead(item, statistic, surface)
    yield PaperItem(
        "section 3.1",
        "most heads put little attention on the token itself: its share, the mean over heads",
        Reported("little: no number; at most a tenth is asked here", 0.05, 0.05),
        agrees=True,
        unit="share",
        **evidence.over(None, "to_self"),
    )
    for statistic, word in (("to_previous", "previous"), ("to_next", "next")):
        item = PaperItem(
            "section 3.1",
            f"the strongest head for the {word} token is in an earlier layer: what it gives in the first "
            "half of the layers, less that in the second",
            Reported("especially in the earlier layers"),
            unit="share",
            **evidence.measure(partial(_earlier, statistic=statistic), statistic),
        )
        yield _unless_ahead(item, statistic, surface)


def _earlier(numbers: ChapterNumbers, statistic: str) -> Measured:
    halves = range(numbers.layers // 2), range(numbers.layers // 2, numbers.layers)
    early, late = (numbers.best(statistic, layers=half) for half in halves)
    return early - late


def _curves(evidence: PaperEvidence, surface: ChapterNumbers, place: str) -> Iterator[PaperItem]:
    for curve in CURVES:
        if curve.place == place:
            group = curve.group or "sep"
            why = f"{OF_A_DECODER}: it has no [{group.upper()}]" if surface.causal else ""
            yield from curve_items(evidence, curve, why or f"{evidence.model} has no such tokens")


def _separators(evidence: PaperEvidence, surface: ChapterNumbers) -> Iterator[PaperItem]:
    late = at_depth(11, 12, surface.layers)
    rest = [layer for layer in range(surface.layers) if layer not in late]
    first = surface.rests_on_first
    to_sep = ("to_first", "") if first else SEP
    middle, early = at_depth(6, 10, surface.layers), at_depth(2, 4, surface.layers)
    even = surface.share_of_first if first else 2 / surface.tokens
    nearly_all = Reported("almost entirely (more than 90%); the plot's mean over these layers is 0.79")
    claims: Sequence[tuple[str, Reported, tuple[str, str], range, dict[str, Any], str]] = (
        (
            "[SEP] takes more than half of attention in layers 6 to 10",
            Reported("more than half"),
            to_sep,
            middle,
            {"threshold": HALF},
            "",
        ),
        (
            "[SEP] gives nearly all its attention to [SEP] there",
            nearly_all,
            ("sep_to_sep", ""),
            middle,
            {"threshold": NEARLY_ALL},
            SEES_ITSELF,
        ),
        (
            "[SEP] takes far more than its share of the tokens there",
            Reported("far more than its share"),
            to_sep,
            middle,
            {"chance": even},
            "",
        ),
        (
            "[CLS] is looked at in layers 2 to 4, more than its share",
            Reported("more"),
            CLS,
            early,
            {"chance": 1 / surface.tokens, "claim": "change"},
            ONE_PLACE,
        ),
    )
    for what, reported, key, layers, fields, of_decoders in claims:
        measured = evidence.over(layers, *key)
        if not measured and surface.causal:
            measured = {"not_asked": of_decoders}
        elif first:
            measured["detail"] = FIRST_TOKEN
        item = PaperItem("section 3.2", what, reported, "share", unit="share")
        yield replace(item, **fields, **measured)
    yield PaperItem(
        "section 3.2",
        "periods and commas take over in the last two layers: share there, less the share before",
        Reported("more"),
        unit="share",
        **evidence.measure(lambda n: n.over(late, *PUNCTUATION) - n.over(rest, *PUNCTUATION), *PUNCTUATION),
    )


def _gradients(evidence: PaperEvidence, surface: ChapterNumbers) -> PaperItem:
    what = (
        "from layer 5 on, changing attention to [SEP] matters less than changing it elsewhere: |gradient| to "
        "[SEP] over that to other tokens"
    )
    reported = Reported("the gradient to [SEP] is near 0; no numbers")
    item = PaperItem("Figure 3", what, reported, "pattern", chance=1.0, below=True, perfect=0.0)
    if not surface.has("gradient", "sep"):
        why = NO_SEP if surface.causal else f"{evidence.model} has no gradients to a loss, or no [SEP]"
        return replace(item, not_asked=why)
    layers = at_depth(5, 12, surface.layers)
    to_sep, to_other = (surface.over(layers, "gradient", group) for group in ("sep", "other"))
    ratio = to_sep.value / to_other.value
    width = sum((m.value - m.bounds[0]) / m.value for m in (to_sep, to_other))
    measured = Measured.around(ratio, ratio * width, to_sep.where, to_sep.documents)
    return replace(item, corrected=measured)


def _breadth(evidence: PaperEvidence, surface: ChapterNumbers) -> Iterator[PaperItem]:
    """Entropies are shares of that of even attention, which depends on the number of tokens."""

    def of_even(numbers: ChapterNumbers, layers: Sequence[int], group: str) -> Measured:
        return numbers.over(layers, "entropy", group).scaled(1 / numbers.even_entropy)

    last = [surface.layers - 1]
    item = PaperItem(
        "section 3.3",
        "[CLS] attends broadly in the last layer: its entropy, as a share of that of even attention",
        Reported("3.89 nats, 0.80 of ln 128", 3.89 / math.log(SEGMENT), 0.15 / math.log(SEGMENT)),
        "spread",
        agrees=True,
        unit="share",
        **evidence.measure(lambda n: of_even(n, last, "cls"), "entropy", "cls"),
    )
    yield replace(item, not_asked=SEES_ITSELF) if surface.causal else item
    first = at_depth(1, 1, surface.layers)
    rest = range(first[-1] + 1, surface.layers)
    yield PaperItem(
        "section 3.3",
        "heads of the first layer attend more broadly than later ones: entropy there, less that after, as a "
        "share of that of even attention",
        Reported("more"),
        "spread",
        unit="share",
        **evidence.measure(lambda n: of_even(n, first, "all") - of_even(n, rest, "all"), "entropy", "all"),
    )
    yield PaperItem(
        "section 3.3",
        "broad heads give at most a tenth to any word: the mean largest weight of those with "
        f"{BROAD:.2f} of the entropy of even attention",
        Reported("at most 10%", A_TENTH / 2, A_TENTH / 2),
        agrees=True,
        unit="share",
        **_broad_heads(evidence, surface),
    )


def _broad_heads(evidence: PaperEvidence, surface: ChapterNumbers) -> dict[str, Any]:
    """What the broad heads give to the word that they give most; `not_asked` where no head is broad."""

    if surface.tokens < SEGMENT / 2:
        return {"not_asked": f"{surface.tokens:.0f} tokens: even attention gives nearly a tenth to each"}

    def largest(numbers: ChapterNumbers) -> Measured:
        broad = numbers.grid("entropy", "all") > BROAD * numbers.even_entropy
        if not broad.any():
            return Measured(math.nan)
        value, error = (
            float(grid[broad].mean()) for grid in (numbers.grid("largest"), numbers.half_widths("largest"))
        )
        heads = f"{int(broad.sum())} of {broad.size} heads"
        return Measured.around(value, error, heads, numbers.documents("largest"))

    measured = {way: m for way, m in evidence.measure(largest, "largest").items() if math.isfinite(m.value)}
    if "corrected" not in measured and "faithful" not in measured:
        return {"not_asked": f"no head of {evidence.model} is as broad as that"}
    return dict(measured)


def _clustering(evidence: PaperEvidence, surface: ChapterNumbers) -> PaperItem:
    """Figure 6 as a number: how much of the divergence between heads of two layers is not within one."""

    def apart(numbers: ChapterNumbers) -> Measured:
        layers = range(numbers.layers)
        between = numbers.over(layers, "distance_between")
        apart = (between - numbers.over(layers, "distance_within")).scaled(1 / between.value)
        return replace(apart, where="")

    return PaperItem(
        "Figure 6",
        "heads of one layer behave alike: divergence from heads of other layers, less that from heads of the "
        "same, as a share of the first",
        Reported("heads of one layer are often close; no number"),
        "pattern",
        unit="share",
        **evidence.measure(apart, "distance_between"),
    )
