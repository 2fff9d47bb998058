"""Plates: what each figure shows of an atlas, before anything is drawn.

A plate has a group of panels for every kind of head. What an atlas lacks is said in a sentence instead.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from attlas.address import Head, Kind
from attlas.atlas import Atlas
from attlas.errors import AttlasError
from attlas.figures import panels
from attlas.figures.measures import Measure, groups, mean_of, measure, spread, targets
from attlas.figures.telling import telling_heads
from attlas.figures.theme import ROW, Theme
from attlas.figures.words import NO_LABEL, class_name, count, label_name, token, uncertain

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True)
class Panel:
    """One picture. `says` tells it to those who do not see it; `tips` name the heads that its marks are."""

    title: str
    says: str
    draw: Callable[[Axes, Theme], None]
    subtitle: str = ""
    width: float = 320  # in points; text has the size that the theme gives it
    height: float = 222
    margins: tuple[float, float, float, float] = (40, 8, 8, 42)  # left, right, top, bottom
    tips: tuple[str, ...] = ()


@dataclass(frozen=True)
class Group:
    """The panels of one kind of head; or, where the atlas lacks what they show, why there are none."""

    kind: Kind
    panels: tuple[Panel, ...] = ()
    note: tuple[str, ...] = ()  # sentences
    absent: str = ""


@dataclass(frozen=True)
class Plate:
    name: str
    file: str
    number: str  # in Clark 2019; empty for a figure of our own
    title: str
    caption: str
    groups: tuple[Group, ...]

    @property
    def absent(self) -> str:
        """Why there is nothing to draw; empty where there is."""
        if any(group.panels for group in self.groups):
            return ""
        return " ".join(dict.fromkeys(group.absent for group in self.groups))


@dataclass(frozen=True)
class _Recipe:
    file: str
    number: str
    title: str
    caption: str
    group: Callable[[Atlas, Kind], Group]


def plate(atlas: Atlas, figure: str) -> Plate:
    if figure not in FIGURES:
        raise AttlasError(f"there is no figure {figure!r}: choose one of {', '.join(FIGURES)}")
    recipe = FIGURES[figure]
    made = tuple(recipe.group(atlas, kind) for kind in atlas.kinds)
    return Plate(figure, recipe.file, recipe.number, recipe.title, recipe.caption, made)


def _maps(atlas: Atlas, kind: Kind) -> Group:
    weights = atlas.arrays.get(f"{kind}.maps")
    strings = atlas.manifest.get("maps", {}).get(kind)
    if weights is None or strings is None:
        return Group(kind, absent="This atlas holds no whole maps.")
    rows = {(int(la), int(h)): i for i, (la, h) in enumerate(atlas.arrays[f"{kind}.heads"])}
    made = []
    for told in telling_heads(atlas, kind, strings["queries"], strings["keys"]):
        shown = np.asarray(weights[rows[told.head.layer, told.head.head]], dtype=np.float64)
        mass = shown.sum(-1, keepdims=True)
        renormalised = np.divide(shown, mass, out=np.zeros_like(shown), where=mass > 0)
        stays = f"{100 * float(mass.mean()):.0f}\N{NO-BREAK SPACE}% of attention falls on these tokens"
        made.append(
            Panel(
                title=f"{told.trait.name}: head {told.head}",
                subtitle=f"{told.value}\n{stays}",
                says=_map_in_words(told.head, renormalised, strings["queries"], strings["keys"]),
                draw=partial(
                    _draw_map, weights=renormalised, queries=strings["queries"], keys=strings["keys"]
                ),
                height=24 + 19 * max(renormalised.shape),
                width=280,
                margins=(0, 0, 2, 2),
            )
        )
    return Group(kind, tuple(made), absent="" if made else "The maps of this atlas show no head well.")


def _draw_map(ax: Axes, theme: Theme, **given: Any) -> None:
    panels.attention_map(ax, theme, **given)


def _map_in_words(head: Head, weights: Any, queries: list[str], keys: list[str]) -> str:
    strongest = [
        f"{token(queries[q])} to {token(keys[int(np.argmax(row))])} ({100 * float(row.max()):.0f} %)"
        for q, row in enumerate(weights)
    ]
    return f"Attention map of head {head}. Strongest from each token: {', '.join(strongest)}."


def _targets(atlas: Atlas, kind: Kind) -> Group:
    found = targets(atlas, kind)
    made = [_layer_panel(f"To {what.name}", what) for what in found]
    sources = (("from [SEP]", "sep", "sep_to_sep"), ("from other tokens", "other", "other_to_sep"))
    from_sep = [
        (name, colour, what)
        for name, colour, statistic in sources
        if (what := measure(atlas, kind, statistic)) is not None
    ]
    if from_sep:
        made.append(
            Panel(
                title="To [SEP], by where it comes from",
                says=" ".join(f"{name}: {_trend(what)}" for name, _, what in from_sep),
                draw=lambda ax, theme: panels.mean_lines(ax, theme, from_sep, shares=True),
            )
        )
    return Group(kind, tuple(made), absent="" if made else "This atlas does not say where attention goes.")


def _gradients(atlas: Atlas, kind: Kind) -> Group:
    classes = groups(atlas, kind, "gradient")
    lines = [
        (class_name(c), c, what) for c in classes if (what := measure(atlas, kind, "gradient", c)) is not None
    ]
    if not lines:
        return Group(
            kind,
            absent="This atlas has no gradients: it was made with --sample 0, or of a model that "
            "has no loss to take them of.",
        )
    rows = math.ceil(len(lines) / panels.LEGEND_COLUMNS)
    panel = Panel(
        title="By the token that attention goes to",
        says=" ".join(f"{name}: {_trend(what)}" for name, _, what in lines),
        draw=lambda ax, theme: panels.mean_lines(ax, theme, lines, shares=False),
        height=222 + ROW * rows,
        margins=(46, 8, 8, 42),
    )
    return Group(kind, (panel,), note=_sampled(atlas, "gradients"))


def _entropy(atlas: Atlas, kind: Kind) -> Group:
    titles = {"all": "From every token", "cls": "From [CLS]"}
    lines = _references(atlas, kind)
    made = [
        _layer_panel(titles[what.group], what, lines if what.group == "all" else lines[:1])
        for what in spread(atlas, kind)
        if what.statistic == "entropy"
    ]
    return Group(kind, tuple(made), absent="" if made else "This atlas has no entropies.")


def _references(atlas: Atlas, kind: Kind) -> list[tuple[float, str]]:
    """Entropy of even attention: ln n; where tokens see only those before, also the mean of ln 1 to ln n."""
    log_length = atlas.manifest.get("corpus", {}).get("mean_log_length")
    if log_length is None:
        return []
    lines = [(float(log_length), "even over all tokens")]
    if kind == "decoder":
        length = math.exp(log_length)
        lines.append((math.lgamma(length + 1) / length, "even over the tokens so far"))
    return lines


def _plane(atlas: Atlas, kind: Kind) -> Group:
    places = atlas.arrays.get(f"{kind}.plane")
    heads = atlas.arrays.get(f"{kind}.heads")
    if places is None or heads is None:
        return Group(kind, absent="This atlas has no distances between heads: it was made with --sample 0.")
    places = panels.turned(places)
    addresses = [Head(kind, int(la), int(h)) for la, h in heads]
    labelled = atlas.labels(kind)
    labels = [labelled.get(a) for a in addresses]
    names = [NO_LABEL if label is None else label_name(label) for label in labels]
    tips = [f"{a}: {name}" for a, name in zip(addresses, names, strict=True)]
    order = panels.labels_in_order(labels)
    rows = math.ceil(len(order) / 3)
    counted = ", ".join(f"{NO_LABEL if la is None else label_name(la)} {labels.count(la)}" for la in order)
    return Group(
        kind,
        (
            Panel(
                "By what they mostly do",
                f"Heads in the plane, coloured by behaviour: {counted}.",
                lambda ax, theme: panels.plane_by_label(ax, theme, places, labels),
                height=270 + ROW * rows,
                margins=(1, 1, 1, 12 + ROW * rows),
                tips=tuple(tip for la in order for tip, have in zip(tips, labels, strict=True) if have == la),
            ),
            Panel(
                "By layer",
                "Heads in the plane, coloured by layer.",
                lambda ax, theme: panels.plane_by_layer(ax, theme, places, heads[:, 0]),
                height=270 + ROW * rows,
                margins=(1, 1, 1, 12 + ROW * rows),
                tips=tuple(tips),
            ),
        ),
        note=(*_distances_in_words(atlas, kind), *_sampled(atlas, "distances")),
    )


def _distances_in_words(atlas: Atlas, kind: Kind) -> tuple[str, ...]:
    within, between = (measure(atlas, kind, f"distance_{side}") for side in ("within", "between"))
    if within is None or between is None:
        return ()
    inside, outside = (uncertain(mean_of(m.values), mean_of(m.stderr)) for m in (within, between))
    return (
        f"Mean Jensen-Shannon distance between heads of one layer: {inside} nats; "
        f"of two layers: {outside} nats.",
    )


def _glance(atlas: Atlas, kind: Kind) -> Group:
    made = []
    named = [(f"To {what.name}", what) for what in targets(atlas, kind)]
    named += [(what.name.capitalize(), what) for what in spread(atlas, kind)]
    for name, what in named:
        made.append(
            Panel(
                title=name.replace("[cls]", "[CLS]"),
                subtitle=f"0 to {_amount(what, panels.heat_top(what))}",
                says=f"Heat map of layers by heads. {_extremes(what)}",
                draw=partial(_draw_heat, what=what),
                margins=(36, 4, 4, 42),
            )
        )
    return Group(kind, tuple(made), absent="" if made else "This atlas has no statistics.")


def _draw_heat(ax: Axes, theme: Theme, what: Measure) -> None:
    panels.heat_map(ax, theme, what)


def _layer_panel(title: str, what: Measure, references: list[tuple[float, str]] | None = None) -> Panel:
    def draw(ax: Axes, theme: Theme) -> None:
        panels.by_layer(ax, theme, what)
        for value, name in references or []:
            panels.reference(ax, theme, value, name)

    return Panel(
        title,
        f"{_extremes(what)} {_trend(what)}",
        draw,
        tips=tuple(f"{head}: {what.of(head)}" for head, _, _ in what.heads()),
    )


def _extremes(what: Measure) -> str:
    best = what.best()
    return f"Largest: head {best}, {what.of(best)}."


def _trend(what: Measure) -> str:
    means, _ = what.by_layer()
    return f"Mean of each layer: {', '.join(_amount(what, float(m)) for m in means)}."


def _amount(what: Measure, value: float) -> str:
    if what.statistic == "entropy":
        return f"{value:.2f} nats"
    return f"{value:.2g}" if what.statistic == "gradient" else f"{value:.3f}"


def _sampled(atlas: Atlas, what: str) -> tuple[str, ...]:
    many = atlas.manifest.get("sampled", {}).get(what)
    return (f"From a random sample of {count(int(many), 'segment')}.",) if many else ()


FIGURES: dict[str, _Recipe] = {
    "maps": _Recipe(
        "figure-1-maps",
        "1",
        "Four telling heads",
        "What single heads do with the last tokens of one segment. The darker the line, the more the token "
        "on the left attends to the one on the right; each token's lines add up to 1.",
        _maps,
    ),
    "targets": _Recipe(
        "figure-2-targets",
        "2",
        "Where attention goes",
        "Each dot is a head, from head 0 on the left of its layer; bars are standard errors, where there "
        "is room for them. The line is the layer's mean, its band at most one standard error. Scales differ.",
        _targets,
    ),
    "gradients": _Recipe(
        "figure-3-gradients",
        "3",
        "Which attention matters to the loss",
        "How much the loss would change with the attention to each class of token: the mean of |∂L/∂α| over "
        "the heads of a layer, in a band of at most one standard error.",
        _gradients,
    ),
    "entropy": _Recipe(
        "figure-4-entropy",
        "4",
        "How widely attention spreads",
        "Entropy of a token's attention. Each dot is a head; the line is the layer's mean. The dashed line "
        "is the entropy of attention that is spread evenly.",
        _entropy,
    ),
    "plane": _Recipe(
        "figure-6-plane",
        "6",
        "Heads that behave alike",
        "Heads that share their attention out alike lie close together: the Jensen-Shannon distances between "
        "all pairs, scaled to the plane. Only distance has meaning here, not direction.",
        _plane,
    ),
    "glance": _Recipe(
        "figure-glance",
        "",
        "The atlas at a glance",
        "A row a layer, a column a head. The stronger the colour, the larger the value; each map has a scale "
        "of its own, given above it.",
        _glance,
    ),
}
