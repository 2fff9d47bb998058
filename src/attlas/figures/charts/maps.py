"""Figure 1: the maps of a few heads over one sentence."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from attlas.address import Head, Kind
from attlas.atlas import Atlas
from attlas.figures.chart import chart
from attlas.figures.informative import informative_heads
from attlas.figures.layout import Group, Panel
from attlas.figures.reader_words import token
from attlas.figures.theme import Theme
from attlas.figures.token_links import Aside, links
from attlas.figures.whole_words import between_words, from_each_word, words_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@chart(
    "maps",
    number="1",
    title="Up to four informative heads",
    caption=(
        "What single heads do with one sentence of the text. The stronger the line, the more the token "
        "on the left attends to the one on the right. What attention falls on none of these tokens is shown "
        "above them, with its share: each token's lines add up to 1."
    ),
    place=1,
)
def maps(atlas: Atlas, chapter: str, kind: Kind) -> Group:
    """Whole maps of up to four informative heads, on the last tokens of one segment."""
    weights, heads = (atlas.array(f"{kind}.{name}", chapter) for name in ("maps", "heads"))
    queries, keys = (atlas.token_list(f"{kind}.maps.{side}", chapter) for side in ("queries", "keys"))
    if weights is None or heads is None or queries is None or keys is None:
        return Group(kind, absent="This atlas holds no whole maps.")
    first = atlas.array(f"{kind}.maps_first", chapter)  # head query
    rows = {(int(la), int(h)): i for i, (la, h) in enumerate(heads)}
    made = []

    def map_of(head: Head) -> npt.NDArray[np.float64]:
        return np.asarray(weights[rows[head.layer, head.head]], dtype=np.float64)

    from_words, to_words = words_of(queries), words_of(keys)
    for informative in informative_heads(atlas, chapter, kind, keys, map_of):
        row = rows[informative.head.layer, informative.head.head]
        shown = between_words(map_of(informative.head), from_words, to_words)
        on_first = None if first is None else np.asarray(first[row], dtype=np.float64)
        asides = _asides(shown, None if on_first is None else from_each_word(on_first, from_words))
        made.append(
            Panel(
                title=f"Head {informative.head}",
                subtitle=f"{informative.name}:\n{informative.value}",
                says=_map_in_words(informative.head, shown, from_words.texts, to_words.texts, asides),
                draw=partial(
                    _draw_map, weights=shown, queries=from_words.texts, keys=to_words.texts, asides=asides
                ),
                height=24 + 19 * (max(shown.shape) + len(asides) + 0.35),
                width=270,
                margins=(0, 0, 2, 2),
            )
        )
    return Group(kind, tuple(made), absent="" if made else "The maps of this atlas show no head well.")


def _asides(shown: npt.NDArray[np.float64], first: npt.NDArray[np.float64] | None) -> list[Aside]:
    """Where the attention goes that does not fall on the tokens shown: an attention sink is seen as one."""
    rest = np.clip(1 - shown.sum(-1), 0, 1)
    asides = []
    if first is not None:
        asides.append(Aside("first token", first, "first"))
        rest = np.clip(rest - first, 0, 1)
    if rest.mean() >= 0.005:
        asides.append(Aside("elsewhere", rest, "other"))
    return asides


def _draw_map(ax: Axes, theme: Theme, **options: Any) -> None:
    links(ax, theme, **options)


def _map_in_words(
    head: Head,
    weights: npt.NDArray[np.float64],
    queries: Sequence[str],
    keys: Sequence[str],
    asides: Sequence[Aside],
) -> str:
    strongest = [
        f"{token(queries[q])} to {token(keys[int(np.argmax(row))])} ({100 * float(row.max()):.0f} %)"
        for q, row in enumerate(weights)
    ]
    besides = "".join(f" {100 * a.share:.0f} % of all goes to: {a.name}." for a in asides)
    return f"Attention map of head {head}.{besides} Strongest from each token: {', '.join(strongest)}."
