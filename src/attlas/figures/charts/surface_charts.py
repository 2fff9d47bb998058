"""The charts of surface statistics: where attention goes, what matters to the loss, how heads differ."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from attlas.address import Head, Kind
from attlas.atlas import Atlas
from attlas.figures import panels
from attlas.figures.chart import chart
from attlas.figures.head_measures import (
    Grid,
    Measure,
    all_measures,
    behaviour_name,
    group_name,
    mean_of,
    measure,
    rests,
    sample_note,
    spread,
    targets,
)
from attlas.figures.heat_map import heat_panel, heat_top
from attlas.figures.layout import Group, Panel
from attlas.figures.theme import ROW, Theme
from attlas.wording.numbers import count, number, uncertain

if TYPE_CHECKING:
    from matplotlib.axes import Axes

ALONE = 820  # the width of a panel that has a row to itself
_NAMED = (("to_next", ""), ("to_previous", ""), ("to_self", ""), ("to_class", "sep"), ("to_class", "punct"))
REACH = (
    "The share of attention that stays within the last k tokens: the token itself and those before it. A "
    "line is the mean of a layer's heads; the dashed one is attention that is even over the tokens so far. "
    "Tokens that see no more than the window do not count."
)
_REACH_PANELS = {"to_near": "Of all attention", "rest_to_near": "Of what does not fall on the first token"}


@chart(
    "targets",
    number="2",
    title="Where attention goes",
    caption=(
        "Each dot is a head, from head 0 on the left of its layer; bars are standard errors, where there "
        "is room for them. The line is the layer's mean, its band at most one standard error. Scales differ."
    ),
    place=2,
)
def _targets(atlas: Atlas, chapter: str, kind: Kind) -> Group:
    """Attention to the previous, same and next token, [SEP], [CLS], punctuation, the first token and your
    own classes; in decoders also of the rest, what does not fall on the first token."""
    measures = [*targets(atlas, chapter, kind), *rests(atlas, chapter, kind)]
    made = [_layer_panel(what.title, what) for what in measures if not what.in_nats]
    sources = (("from [SEP]", "sep", "sep_to_sep"), ("from other tokens", "other", "other_to_sep"))
    from_sep = [
        (name, colour, what)
        for name, colour, statistic in sources
        if (what := measure(atlas, chapter, kind, statistic)) is not None
    ]
    if from_sep:
        made.append(
            Panel(
                title="To [SEP], by where it comes from",
                says=" ".join(f"{name}: {_trend(what)}" for name, _, what in from_sep),
                draw=lambda ax, theme: panels.mean_lines(ax, theme, from_sep, shares=True),
            )
        )
    absent = "" if made else "This atlas does not say where attention goes."
    return Group(kind, tuple(made), note=_rest_note(atlas, chapter, kind), absent=absent)


@chart(
    "gradients",
    number="3",
    title="Which attention matters to the loss",
    caption=(
        "How much the loss would change with the attention to each class of token: the mean of |∂L/∂α| over "
        "the heads of a layer, in a band of at most one standard error."
    ),
    place=3,
)
def _gradients(atlas: Atlas, chapter: str, kind: Kind) -> Group:
    """Gradient importance, by the class of the token attended to."""
    classes = atlas.groups("gradient", kind, chapter)
    lines = [
        (group_name("gradient", c), c, what)
        for c in classes
        if (what := measure(atlas, chapter, kind, "gradient", c)) is not None
    ]
    if not lines:
        return Group(
            kind,
            absent="This atlas has no gradients: it was made without a sample, or of a model that "
            "has no loss to take them of.",
        )
    rows = math.ceil(len(lines) / panels.LEGEND_COLUMNS)
    panel = Panel(
        title="By the token that attention goes to",
        says=" ".join(f"{name}: {_trend(what)}" for name, _, what in lines),
        draw=lambda ax, theme: panels.mean_lines(ax, theme, lines, shares=False),
        width=ALONE,
        height=240 + ROW * rows,
        margins=(46, 8, 8, 42),
    )
    return Group(kind, (panel,), note=sample_note(atlas, chapter, "gradients"))


@chart(
    "entropy",
    number="4",
    title="How widely attention spreads",
    caption=(
        "Entropy of a token's attention. Each dot is a head; the line is the layer's mean. The dashed line "
        "is the entropy of attention that is spread evenly."
    ),
    place=4,
)
def _entropy(atlas: Atlas, chapter: str, kind: Kind) -> Group:
    """Entropy of attention, from every token and from [CLS], beside that of even attention; in decoders
    also that of the rest."""
    titles = {"all": "From every token", "cls": "From [CLS]"}  # which sees all tokens
    lines = _references(atlas, chapter, kind)
    made = [
        _layer_panel(titles[what.group], what, lines if what.group == "all" else lines[:1])
        for what in spread(atlas, chapter, kind)
        if what.statistic == "entropy"
    ]
    made += [
        _layer_panel("Of what does not fall on the first token", what)
        for what in rests(atlas, chapter, kind)
        if what.in_nats
    ]
    if len(made) == 1:
        made = [replace(made[0], width=ALONE)]
    absent = "" if made else "This atlas has no entropies."
    return Group(kind, tuple(made), note=_rest_note(atlas, chapter, kind), absent=absent)


def _rest_note(atlas: Atlas, chapter: str, kind: Kind) -> tuple[str, ...]:
    """What "the rest" means in the panels about it; empty where there are none."""
    if not rests(atlas, chapter, kind):
        return ()
    many = (atlas.about(chapter).get("sampled") or {}).get("distances")
    sample = f", in a random sample of {count(int(many), 'segment')}" if many else ""
    return (f"The rest is what does not fall on the first token{sample}.",)


def _references(atlas: Atlas, chapter: str, kind: Kind) -> list[tuple[float, str]]:
    """Entropy of even attention: ln n; where tokens see only those before, the mean of ln 1 to ln n."""
    corpus = atlas.about(chapter).get("corpus") or {}
    log_length = corpus.get("mean_log_length")
    if log_length is None:
        return []
    if kind != "decoder":
        return [(float(log_length), "even over all tokens")]
    length = math.exp(log_length)
    so_far = float(corpus.get("mean_log_visible", math.lgamma(length + 1) / length))
    return [(so_far, "even over the tokens so far")]


@chart(
    "plane",
    number="6",
    title="Heads that behave alike",
    caption=(
        "Heads that share their attention out alike lie close together: the Jensen-Shannon distances between "
        "all pairs, scaled to the plane. Only distance has meaning here, not direction."
    ),
    place=6,
)
def _plane(atlas: Atlas, chapter: str, kind: Kind) -> Group:
    """Heads in the plane, by behaviour and by layer, and the distances within and between layers."""
    places, heads = (atlas.array(f"{kind}.{name}", chapter) for name in ("plane", "heads"))
    if places is None or heads is None:
        return Group(kind, absent="This atlas has no distances between heads: it was made without a sample.")
    places = panels.turn_places(places)
    addresses = [Head(kind, int(la), int(h)) for la, h in heads]
    behaving = atlas.names("behaviour", kind, chapter)
    behaviours = [behaving.get(a) for a in addresses]
    tips = [f"{a}: {behaviour_name(behaviour)}" for a, behaviour in zip(addresses, behaviours, strict=True)]
    named = {head: addresses.index(head) for head in _strongest(atlas, chapter, kind) if head in addresses}
    order = panels.behaviours_in_order(behaviours)
    rows = math.ceil(len(order) / 3)
    counted = ", ".join(f"{behaviour_name(la)} {behaviours.count(la)}" for la in order)
    return Group(
        kind,
        (
            Panel(
                "By what they mostly do",
                f"Heads in the plane, coloured by behaviour: {counted}.",
                lambda ax, theme: panels.plane_by_behaviour(ax, theme, places, behaviours, named),
                height=330 + ROW * rows,
                margins=(1, 1, 1, 12 + ROW * rows),
                tips=tuple(
                    tip for la in order for tip, have in zip(tips, behaviours, strict=True) if have == la
                ),
            ),
            Panel(
                "By layer",
                "Heads in the plane, coloured by layer.",
                lambda ax, theme: panels.plane_by_layer(ax, theme, places, heads[:, 0]),
                height=330 + ROW * rows,
                margins=(1, 1, 1, 12 + ROW * rows),
                tips=tuple(tips),
            ),
        ),
        note=(*_distances_in_words(atlas, chapter, kind), *sample_note(atlas, chapter, "distances")),
    )


def _strongest(atlas: Atlas, chapter: str, kind: Kind) -> list[Head]:
    """Heads to be named in a crowd: those that are strongest in something."""
    measures = [measure(atlas, chapter, kind, name, group) for name, group in _NAMED]
    return list(dict.fromkeys(m.best() for m in measures if m is not None and np.nanmax(m.values) > 1e-6))


def _distances_in_words(atlas: Atlas, chapter: str, kind: Kind) -> tuple[str, ...]:
    within, between = (measure(atlas, chapter, kind, f"distance_{side}") for side in ("within", "between"))
    if within is None or between is None:
        return ()
    inside, outside = (uncertain(mean_of(m.values), mean_of(m.stderr)) for m in (within, between))
    return (
        f"Mean Jensen-Shannon distance between heads of one layer: {inside} nats; "
        f"of two layers: {outside} nats.",
    )


@chart(
    "glance",
    title="The atlas at a glance",
    caption=(
        "A row for each layer, a column for each head. The stronger the colour, the larger the value. All "
        "shares of attention have one scale, from 0 to 1, and all entropies another; above each map stands "
        "its largest value."
    ),
    place=7,
)
def _glance(atlas: Atlas, chapter: str, kind: Kind) -> Group:
    """Layer by head, one heat map per statistic."""
    measures = all_measures(atlas, chapter, kind)
    # one scale for all shares, and one for all entropies: a pale panel is one where heads do little of it
    nats = max((heat_top(what.values) for what in measures if what.in_nats), default=1.0)
    made = [
        heat_panel(
            what.title,
            f"0 to {_amount(what, nats) if what.in_nats else 1} · "
            f"largest {_amount(what, heat_top(what.values))}",
            f"Heat map of layers by heads. {_extremes(what)}",
            what.values,
            top=nats if what.in_nats else 1.0,
        )
        for what in measures
    ]
    absent = "" if made else "This atlas has no statistics."
    return Group(kind, tuple(made), note=_rest_note(atlas, chapter, kind), absent=absent)


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
    if what.in_nats:
        return f"{value:.2f} nats"
    return f"{value:.2g}" if what.declaration.family == "gradient" else number(value, 3)


def reach_chapters(atlas: Atlas) -> list[str]:
    return [c for c in atlas.chapters if any(atlas.has(name, "4", chapter=c) for name in _REACH_PANELS)]


@chart(
    "reach",
    title="How far back attention reaches",
    caption=REACH,
    chapters=reach_chapters,
    surface=True,
    place=5,
)
def _reach(atlas: Atlas, chapter: str, kind: Kind) -> Group:
    """Decoders: how much stays within 1, 2, 4, 8 ... tokens, one curve per layer, of all attention and of
    the rest, beside even attention."""
    made = []
    for name, title in _REACH_PANELS.items():
        groups = atlas.groups(name, kind, chapter)
        measures = {int(group): m for group in groups if (m := measure(atlas, chapter, kind, name, group))}
        if not measures:
            continue
        windows = list(measures)
        layers = np.stack([m.by_layer()[0] for m in measures.values()], -1)  # layer window
        even = even_share(atlas, chapter, windows, name == "rest_to_near")
        said = ", ".join(
            f"within {window} tokens {number(mean_of(m.values), 2)}" for window, m in measures.items()
        )
        made.append(
            Panel(
                title,
                f"Mean of all heads: {said}.",
                partial(_draw_reach, windows=windows, layers=layers, even=even),
                height=270 + ROW,
                margins=(44, 8, 8, 48 + ROW),
            )
        )
    absent = "" if made else "Only heads that look back alone have such a curve."
    return Group(kind, tuple(made), note=sample_note(atlas, chapter, "distances"), absent=absent)


def even_share(atlas: Atlas, chapter: str, windows: Sequence[int], of_rest: bool) -> list[float]:
    """The reach of attention that is even over the tokens so far, in a segment of typical length, for the
    windows that fit into it; empty where the chapter does not say how long segments are."""
    log_length = (atlas.about(chapter).get("corpus") or {}).get("mean_log_length")
    if log_length is None:
        return []
    length = round(math.exp(float(log_length)))
    shares = []
    for window in windows:
        seen = np.arange(window + 2 + of_rest, length + 1, dtype=float)  # tokens in view of those that count
        if not len(seen):
            break
        # of the rest, tokens count by their rest: (seen - 1) / seen where attention is even
        near = (window + 1) / seen
        shares.append(float(near.sum() / ((seen - 1) / seen).sum() if of_rest else near.mean()))
    return shares


def _draw_reach(ax: Axes, theme: Theme, windows: Sequence[int], layers: Grid, even: Sequence[float]) -> None:
    last = len(layers) - 1
    places = np.arange(len(windows))
    for layer, shares in enumerate(layers):
        ax.plot(places, shares, color=panels.layer_shade(theme, layer, last), linewidth=1.5, alpha=0.9)
    if len(even):
        ax.plot(places[: len(even)], even, color=theme.ink, linewidth=1.4, dashes=(4, 3))
    ax.set_xlim(-0.2, len(windows) - 0.8)
    ax.set_xticks(places, [str(window) for window in windows])
    ax.set_ylim(0, 1.03)
    ax.set_yticks([0, 0.2, 0.4, 0.6, 0.8, 1], ["0", "0.2", "0.4", "0.6", "0.8", "1"])
    ax.set_xlabel("tokens back")
    panels.layer_legend(ax, theme, last, bbox_to_anchor=(0, -0.2))
