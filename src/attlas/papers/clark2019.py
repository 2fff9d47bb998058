"""Clark, Khandelwal, Levy and Manning 2019, "What Does BERT Look At? An Analysis of BERT's Attention"."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from attlas.papers.clark_numbers import FIGURE_2, FIGURE_4, LAYERS, READ_OFF, READ_OFF_NATS
from attlas.papers.clark_probes import coreference, dependencies, no_op, trees
from attlas.papers.paper_evidence import PaperEvidence
from attlas.papers.paper_items import OF_A_DECODER, Measured, PaperItem, Reported
from attlas.papers.surface_items import SurfaceOf, at_depth

TITLE = "What Does BERT Look At? An Analysis of BERT's Attention"
CITATION = (
    "Kevin Clark, Urvashi Khandelwal, Omer Levy and Christopher D. Manning. 2019. What Does BERT Look At? An "
    "Analysis of BERT's Attention. BlackboxNLP 2019."
)

LOOKS_BACK = f"{OF_A_DECODER}: it does not look ahead"
SEES_ITSELF = f"{OF_A_DECODER}: its first token sees only itself"
ONE_PLACE = f"{OF_A_DECODER}: it has one such token, the first, which stands in for [SEP]"
NO_SEP = f"{OF_A_DECODER}: it has no [SEP]. Section 3.2 asks for its loss without looking at the first token"
FIRST_TOKEN = "a decoder has no [SEP]: the first token stands in its place"


def items(evidence: PaperEvidence) -> Iterator[PaperItem]:
    """Everything, in the paper's order."""
    corrected, faithful = evidence.surface(), evidence.surface(faithful=True)
    if corrected is not None:
        yield from _figure_1(evidence, faithful, corrected)
        yield from _offsets(evidence, faithful, corrected)
        yield from _by_layer(evidence, faithful, corrected, "Figure 2", FIGURE_2, READ_OFF)
        yield from _separators(evidence, faithful, corrected)
        yield from _gradients(evidence, corrected)
        yield from _by_layer(evidence, faithful, corrected, "Figure 4", FIGURE_4, READ_OFF_NATS)
        yield from _breadth(evidence, faithful, corrected)
    yield from no_op(evidence)
    yield from dependencies(evidence)
    yield from coreference(evidence)
    yield from trees(evidence)
    if corrected is not None:
        yield from _clustering(evidence, faithful, corrected)


def _both(
    faithful: SurfaceOf | None, corrected: SurfaceOf, statistic: str, group: str = ""
) -> Iterator[tuple[str, SurfaceOf]]:
    for name, surface in (("faithful", faithful), ("corrected", corrected)):
        if surface is not None and surface.has(statistic, group):
            yield name, surface


def _figure_1(
    evidence: PaperEvidence, faithful: SurfaceOf | None, corrected: SurfaceOf
) -> Iterator[PaperItem]:
    strongest = (
        ("to_next", "", "one head looks at the next token and hardly at anything else (3-1)", 0.98, 0.5),
        ("to_class", "sep", "one head gives most of its attention to [SEP] (8-7)", None, 0.5),
        ("to_class", "punct", "one head gives most of its attention to periods and commas (11-6)", None, 0.5),
    )
    for statistic, group, what, value, half in strongest:
        rests = group == "sep" and corrected.rests_on_first
        if rests:
            statistic, group = "to_first", ""
        measured = {
            name: s.best(statistic, group) for name, s in _both(faithful, corrected, statistic, group)
        }
        reported = (
            Reported("more than half", None)
            if value is None
            else Reported(f"{value:.2f}", value, READ_OFF, "plot")
        )
        item = _item(evidence, "Figure 1", what, reported, measured, half, unit="share")
        yield _looking_ahead(item, statistic, corrected, FIRST_TOKEN if rests else "")


def _looking_ahead(item: PaperItem, statistic: str, surface: SurfaceOf, detail: str = "") -> PaperItem:
    """The item; without a number where it asks a decoder what comes next."""
    if statistic == "to_next" and surface.causal:
        return replace(item, faithful=None, corrected=None, incomparable=LOOKS_BACK)
    return replace(item, detail=detail)


def _offsets(
    evidence: PaperEvidence, faithful: SurfaceOf | None, corrected: SurfaceOf
) -> Iterator[PaperItem]:
    for statistic, word, heads, plot in (
        ("to_previous", "previous", 4, ""),
        ("to_next", "next", 5, "; the plot that was released shows three and one at 0.49"),
    ):
        measured = {name: s.heads_above(0.5, statistic) for name, s in _both(faithful, corrected, statistic)}
        reported = Reported(f"{heads} heads{plot}", heads, 0.0 if not plot else 2.0)
        what = f"heads that give more than half of their attention to the {word} token"
        none = 0.5  # heads: fewer than one
        item = _item(evidence, "section 3.1", what, reported, measured, none, unit="count")
        yield _looking_ahead(item, statistic, corrected)


def _by_layer(
    evidence: PaperEvidence,
    faithful: SurfaceOf | None,
    corrected: SurfaceOf,
    place: str,
    curves: Mapping[tuple[str, str], tuple[str, tuple[float, ...]]],
    tolerance: float,
) -> Iterator[PaperItem]:
    """A curve over layers: a number a layer, for models of as many layers as the paper's."""
    for (statistic, group), (title, values) in curves.items():
        if not corrected.has(statistic, group):
            continue
        if corrected.layers != LAYERS:
            yield PaperItem(
                place,
                f"{title}, by layer",
                Reported(", ".join(f"{v:g}" for v in values), evidence="plot"),
                incomparable=f"{evidence.model} has {corrected.layers} layers, BERT-base {LAYERS}",
            )
            continue
        for layer, value in enumerate(values):
            measured = {
                name: s.over([layer], statistic, group)
                for name, s in _both(faithful, corrected, statistic, group)
            }
            reported = Reported(f"{value:g}", value, tolerance, "plot")
            unit = "nats" if statistic == "entropy" else "share"
            item = _item(evidence, place, f"{title}, layer {layer + 1}", reported, measured, unit=unit)
            yield replace(item, curve=f"{title}, by layer", point=str(layer + 1))


def _separators(
    evidence: PaperEvidence, faithful: SurfaceOf | None, corrected: SurfaceOf
) -> Iterator[PaperItem]:
    middle, early = at_depth(6, 10, corrected.layers), at_depth(2, 4, corrected.layers)
    late = at_depth(11, 12, corrected.layers)
    rest = [layer for layer in range(corrected.layers) if layer not in late]
    first = corrected.rests_on_first
    to_sep = ("to_first", "") if first else ("to_class", "sep")
    even = corrected.share_of_first if first else 2 / corrected.tokens
    even_cls = 1 / corrected.tokens
    claims = (
        ("[SEP] takes more than half of attention in layers 6 to 10", to_sep, middle, 0.5, ""),
        ("[SEP] gives nearly all its attention to [SEP] there", ("sep_to_sep", ""), middle, 0.5, SEES_ITSELF),
        ("[SEP] takes far more than its share of the tokens there", to_sep, middle, even, ""),
        (
            "[CLS] is looked at in layers 2 to 4, more than its share",
            ("to_class", "cls"),
            early,
            even_cls,
            ONE_PLACE,
        ),
    )
    for what, known, layers, line, of_decoders in claims:
        measured = {name: s.over(layers, *known) for name, s in _both(faithful, corrected, *known)}
        said = Reported("more than half" if line == 0.5 else "more", None)
        item = _item(evidence, "section 3.2", what, said, measured, line, unit="share")
        if measured:
            yield replace(item, detail=FIRST_TOKEN if first else "")
        elif first:
            yield replace(item, incomparable=of_decoders)
    measured = {
        name: s.difference(s.over(late, "to_class", "punct"), s.over(rest, "to_class", "punct"))
        for name, s in _both(faithful, corrected, "to_class", "punct")
    }
    what = "periods and commas take over in the last two layers: share there, less the share before"
    if measured:
        yield _item(evidence, "section 3.2", what, Reported("more", None), measured, 0.0, unit="share")


def _gradients(evidence: PaperEvidence, surface: SurfaceOf) -> Iterator[PaperItem]:
    what = (
        "from layer 5 on, changing attention to [SEP] matters less than changing it elsewhere: |gradient| to "
        "[SEP] over that to other tokens"
    )
    reported = Reported("the gradient to [SEP] is near 0; no numbers", None)
    if not surface.has("gradient", "sep"):
        why = NO_SEP if surface.causal else f"{evidence.model} has no gradients to a loss, or no [SEP]"
        yield PaperItem("Figure 3", what, reported, incomparable=why)
        return
    layers = at_depth(5, 12, surface.layers)
    to_sep, to_other = (surface.over(layers, "gradient", group) for group in ("sep", "other"))
    ratio = to_sep.value / to_other.value
    width = sum((m.value - (m.low or 0.0)) / m.value for m in (to_sep, to_other))
    measured = Measured(ratio, ratio * (1 - width), ratio * (1 + width), to_sep.where)
    yield PaperItem(
        "Figure 3",
        what,
        reported,
        corrected=measured,
        chance=1.0,
        below=True,
        causes=evidence.causes,
    )


def _breadth(
    evidence: PaperEvidence, faithful: SurfaceOf | None, corrected: SurfaceOf
) -> Iterator[PaperItem]:
    last = [corrected.layers - 1]
    measured = {
        name: s.over(last, "entropy", "cls") for name, s in _both(faithful, corrected, "entropy", "cls")
    }
    what = "[CLS] attends broadly in the last layer: its entropy in nats"
    item = _item(evidence, "section 3.3", what, Reported("3.89", 3.89, 0.15), measured, unit="nats")
    if measured:
        yield item
    elif corrected.causal:
        yield replace(item, incomparable=SEES_ITSELF)
    first = at_depth(1, 1, corrected.layers)
    rest = range(first[-1] + 1, corrected.layers)
    measured = {
        name: s.difference(s.over(first, "entropy", "all"), s.over(rest, "entropy", "all"))
        for name, s in _both(faithful, corrected, "entropy", "all")
    }
    what = "heads of the first layer attend more broadly than later ones: entropy there, less that after"
    yield _item(evidence, "section 3.3", what, Reported("more", None), measured, 0.0, unit="nats")


def _clustering(
    evidence: PaperEvidence, faithful: SurfaceOf | None, corrected: SurfaceOf
) -> Iterator[PaperItem]:
    layers = range(corrected.layers)
    measured = {
        name: s.difference(s.over(layers, "distance_between"), s.over(layers, "distance_within"))
        for name, s in _both(faithful, corrected, "distance_between")
        if s.has("distance_within")
    }
    if measured:
        what = "heads of one layer behave alike: divergence between layers, less that within"
        yield _item(evidence, "Figure 6", what, Reported("more", None), measured, 0.0, unit="nats")


def _item(
    evidence: PaperEvidence,
    place: str,
    what: str,
    reported: Reported,
    measured: Mapping[str, Measured],
    chance: float | None = None,
    causes: tuple[str, ...] | None = None,
    unit: str = "number",
) -> PaperItem:
    return PaperItem(
        place,
        what,
        reported,
        measured.get("faithful"),
        measured.get("corrected"),
        chance,
        causes=evidence.causes if causes is None else causes,
        unit=unit,  # type: ignore[arg-type]
    )
