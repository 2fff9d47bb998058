"""Clark, Khandelwal, Levy and Manning 2019, "What Does BERT Look At? An Analysis of BERT's Attention"."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from attlas.papers.clark_probes import coreference, dependencies, no_op, trees
from attlas.papers.paper_items import (
    OF_A_DECODER,
    ChapterNumbers,
    Measured,
    PaperEvidence,
    PaperItem,
    Reported,
    at_depth,
)

TITLE = "What Does BERT Look At? An Analysis of BERT's Attention"
CITATION = (
    "Kevin Clark, Urvashi Khandelwal, Omer Levy and Christopher D. Manning. 2019. What Does BERT Look At? An "
    "Analysis of BERT's Attention. BlackboxNLP 2019."
)

LAYERS = 12
READ_OFF = 0.02  # of a share, off a plot
READ_OFF_NATS = 0.05
#: Figure 2: statistic and group -> mean over the heads of layers 1 to 12
FIGURE_2: Mapping[tuple[str, str], tuple[str, tuple[float, ...]]] = {
    ("to_class", "sep"): (
        "share of attention on [SEP]",
        (0.03, 0.05, 0.08, 0.22, 0.50, 0.55, 0.54, 0.57, 0.58, 0.47, 0.05, 0.08),
    ),
    ("to_class", "cls"): (
        "share of attention on [CLS]",
        (0.06, 0.26, 0.24, 0.14, 0.02, 0.02, 0.01, 0.01, 0.01, 0.02, 0.03, 0.01),
    ),
    ("to_class", "punct"): (
        "share of attention on periods and commas",
        (0.07, 0.11, 0.09, 0.09, 0.05, 0.05, 0.04, 0.06, 0.05, 0.09, 0.52, 0.57),
    ),
    ("sep_to_sep", ""): (
        "share of [SEP]'s attention on [SEP]",
        (0.16, 0.14, 0.11, 0.49, 0.90, 0.91, 0.89, 0.91, 0.87, 0.36, 0.07, 0.11),
    ),
}
#: Figure 4: entropy in nats
FIGURE_4: Mapping[tuple[str, str], tuple[str, tuple[float, ...]]] = {
    ("entropy", "all"): (
        "entropy of attention, all tokens",
        (3.6, 2.9, 2.6, 2.7, 2.4, 1.9, 1.9, 1.8, 2.2, 2.5, 2.8, 2.8),
    ),
    ("entropy", "cls"): (
        "entropy of attention, from [CLS]",
        (3.7, 3.5, 2.1, 2.8, 2.4, 2.4, 2.6, 2.0, 2.2, 2.8, 3.5, 3.9),
    ),
}

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
        yield from _by_layer(evidence, surface, "Figure 2", FIGURE_2, READ_OFF)
        yield from _separators(evidence, surface)
        yield _gradients(evidence, surface)
        yield from _by_layer(evidence, surface, "Figure 4", FIGURE_4, READ_OFF_NATS)
        yield from _breadth(evidence, surface)
    yield from no_op(evidence)
    yield from dependencies(evidence)
    yield from coreference(evidence)
    yield from trees(evidence)
    if surface is not None:
        yield from _clustering(evidence, surface)


def _single_heads(evidence: PaperEvidence, surface: ChapterNumbers) -> Iterator[PaperItem]:
    """Figure 1: heads that give most of their attention to one thing."""
    half = Reported("more than half")
    for key, what, reported in (
        (
            ("to_next", ""),
            "one head looks at the next token and hardly at anything else (3-1)",
            Reported("0.98", 0.98, READ_OFF, "plot"),
        ),
        (("to_class", "sep"), "one head gives most of its attention to [SEP] (8-7)", half),
        (("to_class", "punct"), "one head gives most of its attention to periods and commas (11-6)", half),
    ):
        rests = key == ("to_class", "sep") and surface.rests_on_first
        key = ("to_first", "") if rests else key
        measured = {way: n.best(*key) for way, n in evidence.numbers_with(*key)}
        detail = FIRST_TOKEN if rests else ""
        item = evidence.item("Figure 1", what, reported, chance=0.5, unit="share", detail=detail, **measured)
        yield _unless_ahead(item, key[0], surface)


def _unless_ahead(item: PaperItem, statistic: str, surface: ChapterNumbers) -> PaperItem:
    """The item; without a number where it asks a decoder what comes next."""
    if statistic == "to_next" and surface.causal:
        return replace(item, faithful=None, corrected=None, incomparable=LOOKS_BACK)
    return item


def _offsets(evidence: PaperEvidence, surface: ChapterNumbers) -> Iterator[PaperItem]:
    for statistic, word, heads, plot, tolerance in (
        ("to_previous", "previous", 4, "", 0.0),
        ("to_next", "next", 5, "; the plot that was released shows three and one at 0.49", 2.0),
    ):
        item = evidence.item(
            "section 3.1",
            f"heads that give more than half of their attention to the {word} token",
            Reported(f"{heads} heads{plot}", heads, tolerance),
            chance=0.5,  # fewer than one head
            unit="count",
            **{way: n.heads_above(0.5, statistic) for way, n in evidence.numbers_with(statistic)},
        )
        yield _unless_ahead(item, statistic, surface)


def _by_layer(
    evidence: PaperEvidence,
    surface: ChapterNumbers,
    place: str,
    curves: Mapping[tuple[str, str], tuple[str, tuple[float, ...]]],
    tolerance: float,
) -> Iterator[PaperItem]:
    """A curve over layers: one number per layer, for models of as many layers as the paper's."""
    for key, (title, values) in curves.items():
        if not surface.has(*key):
            continue
        if surface.layers != LAYERS:
            yield PaperItem(
                place,
                f"{title}, by layer",
                Reported(", ".join(f"{v:g}" for v in values), evidence="plot"),
                incomparable=f"{evidence.model} has {surface.layers} layers, BERT-base {LAYERS}",
            )
            continue
        for layer, value in enumerate(values):
            yield evidence.item(
                place,
                f"{title}, layer {layer + 1}",
                Reported(f"{value:g}", value, tolerance, "plot"),
                unit="nats" if key[0] == "entropy" else "share",
                curve=f"{title}, by layer",
                point=str(layer + 1),
                **{way: n.over([layer], *key) for way, n in evidence.numbers_with(*key)},
            )


def _separators(evidence: PaperEvidence, surface: ChapterNumbers) -> Iterator[PaperItem]:
    middle, early = at_depth(6, 10, surface.layers), at_depth(2, 4, surface.layers)
    late = at_depth(11, 12, surface.layers)
    rest = [layer for layer in range(surface.layers) if layer not in late]
    first = surface.rests_on_first
    to_sep, to_cls = ("to_first", "") if first else ("to_class", "sep"), ("to_class", "cls")
    even = surface.share_of_first if first else 2 / surface.tokens
    even_cls = 1 / surface.tokens
    for what, key, layers, line, of_decoders in (
        ("[SEP] takes more than half of attention in layers 6 to 10", to_sep, middle, 0.5, ""),
        ("[SEP] gives nearly all its attention to [SEP] there", ("sep_to_sep", ""), middle, 0.5, SEES_ITSELF),
        ("[SEP] takes far more than its share of the tokens there", to_sep, middle, even, ""),
        ("[CLS] is looked at in layers 2 to 4, more than its share", to_cls, early, even_cls, ONE_PLACE),
    ):
        measured = {way: n.over(layers, *key) for way, n in evidence.numbers_with(*key)}
        reported = Reported("more than half" if line == 0.5 else "more")
        item = evidence.item("section 3.2", what, reported, chance=line, unit="share", **measured)
        if measured:
            yield replace(item, detail=FIRST_TOKEN if first else "")
        elif first:
            yield replace(item, incomparable=of_decoders)
    punctuation = ("to_class", "punct")
    measured = {
        way: n.over(late, *punctuation) - n.over(rest, *punctuation)
        for way, n in evidence.numbers_with(*punctuation)
    }
    what = "periods and commas take over in the last two layers: share there, less the share before"
    if measured:
        yield evidence.item("section 3.2", what, Reported("more"), chance=0.0, unit="share", **measured)


def _gradients(evidence: PaperEvidence, surface: ChapterNumbers) -> PaperItem:
    what = (
        "from layer 5 on, changing attention to [SEP] matters less than changing it elsewhere: |gradient| to "
        "[SEP] over that to other tokens"
    )
    item = evidence.item("Figure 3", what, Reported("the gradient to [SEP] is near 0; no numbers"))
    if not surface.has("gradient", "sep"):
        why = NO_SEP if surface.causal else f"{evidence.model} has no gradients to a loss, or no [SEP]"
        return replace(item, incomparable=why)
    layers = at_depth(5, 12, surface.layers)
    to_sep, to_other = (surface.over(layers, "gradient", group) for group in ("sep", "other"))
    ratio = to_sep.value / to_other.value
    width = sum((m.value - (m.low or 0.0)) / m.value for m in (to_sep, to_other))
    measured = Measured(ratio, ratio * (1 - width), ratio * (1 + width), to_sep.where)
    return replace(item, corrected=measured, chance=1.0, below=True)


def _breadth(evidence: PaperEvidence, surface: ChapterNumbers) -> Iterator[PaperItem]:
    last = [surface.layers - 1]
    measured = {way: n.over(last, "entropy", "cls") for way, n in evidence.numbers_with("entropy", "cls")}
    what = "[CLS] attends broadly in the last layer: its entropy in nats"
    item = evidence.item("section 3.3", what, Reported("3.89", 3.89, 0.15), unit="nats", **measured)
    if measured:
        yield item
    elif surface.causal:
        yield replace(item, incomparable=SEES_ITSELF)
    first = at_depth(1, 1, surface.layers)
    rest = range(first[-1] + 1, surface.layers)
    measured = {
        way: n.over(first, "entropy", "all") - n.over(rest, "entropy", "all")
        for way, n in evidence.numbers_with("entropy", "all")
    }
    what = "heads of the first layer attend more broadly than later ones: entropy there, less that after"
    yield evidence.item("section 3.3", what, Reported("more"), chance=0.0, unit="nats", **measured)


def _clustering(evidence: PaperEvidence, surface: ChapterNumbers) -> Iterator[PaperItem]:
    layers = range(surface.layers)
    measured = {
        way: n.over(layers, "distance_between") - n.over(layers, "distance_within")
        for way, n in evidence.numbers_with("distance_between")
        if n.has("distance_within")
    }
    if measured:
        what = "heads of one layer behave alike: divergence between layers, less that within"
        yield evidence.item("Figure 6", what, Reported("more"), chance=0.0, unit="nats", **measured)
