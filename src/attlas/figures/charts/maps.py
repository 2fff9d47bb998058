"""Figure 1: the maps of a few heads over one sentence, between whole words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from attlas.address import Head, Kind
from attlas.array_types import Floats
from attlas.atlas import Atlas
from attlas.corpora.token_text import WORD_BEGINS, WORD_GOES_ON
from attlas.figures.chart import chart
from attlas.figures.head_measures import informative_heads, token
from attlas.figures.layout import Group, Panel
from attlas.figures.weight_marks import Aside, links

_BEGINS = (*WORD_BEGINS, " ")


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

    def map_of(head: Head) -> Floats:
        return np.asarray(weights[rows[head.layer, head.head]], dtype=np.float64)

    from_words, to_words = join_pieces(queries), join_pieces(keys)
    for informative in informative_heads(atlas, chapter, kind, keys, map_of):
        row = rows[informative.head.layer, informative.head.head]
        shown = between_words(map_of(informative.head), from_words, to_words)
        on_first = None if first is None else np.asarray(first[row], dtype=np.float64)
        asides = _asides(shown, None if on_first is None else from_each_word(on_first, from_words))
        made.append(
            Panel(
                title=f"Head {informative.head}",
                subtitle=f"{informative.name}:\n{informative.value}",
                says=_describe_map(informative.head, shown, from_words.texts, to_words.texts, asides),
                draw=partial(
                    links, weights=shown, queries=from_words.texts, keys=to_words.texts, asides=asides
                ),
                height=24 + 19 * (max(shown.shape) + len(asides) + 0.35),
                width=270,
                margins=(0, 0, 2, 2),
            )
        )
    return Group(kind, tuple(made), absent="" if made else "The maps of this atlas show no head well.")


def _asides(shown: Floats, first: Floats | None) -> list[Aside]:
    """Where the attention goes that does not fall on the tokens shown: an attention sink is seen as one."""
    rest = np.clip(1 - shown.sum(-1), 0, 1)
    asides = []
    if first is not None:
        asides.append(Aside("first token", first, "first"))
        rest = np.clip(rest - first, 0, 1)
    if rest.mean() >= 0.005:
        asides.append(Aside("elsewhere", rest, "other"))
    return asides


def _describe_map(
    head: Head,
    weights: Floats,
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


@dataclass(frozen=True)
class Words:
    """What each word says, and where its first piece is."""

    texts: list[str]
    starts: list[int]


def join_pieces(tokens: Sequence[str]) -> Words:
    """Pieces that go on (WordPiece's ##, or no mark of a beginning) join the piece before them. A word
    that began before the first token has dots before it."""
    wordpieces = any(_is_wordpiece(piece) for piece in tokens)
    marked = not wordpieces and any(piece.startswith(_BEGINS) for piece in tokens)
    words = Words([], [])
    for place, piece in enumerate(tokens):
        goes_on = _is_wordpiece(piece) if wordpieces else marked and _goes_on(tokens, place)
        text = piece.removeprefix(WORD_GOES_ON) if wordpieces and goes_on else piece
        if goes_on and words.texts:
            words.texts[-1] += text
        else:
            words.texts.append(f"…{text}" if goes_on else text)
            words.starts.append(place)
    return words


def _is_wordpiece(piece: str) -> bool:
    return piece.startswith(WORD_GOES_ON) and len(piece) > 2


def _goes_on(tokens: Sequence[str], place: int) -> bool:
    """Whether a token without a mark goes on with the word before it: letters after letters."""
    piece = tokens[place]
    if piece.startswith(_BEGINS) or not piece[:1].isalnum():
        return False
    return place == 0 or tokens[place - 1][-1:].isalnum()


def between_words(weights: Floats, queries: Words, keys: Words) -> Floats:
    """To a word the sum over its pieces, from it the mean over them: rows keep their sum."""
    return from_each_word(np.add.reduceat(weights, keys.starts, axis=1), queries)


def from_each_word(values: Floats, queries: Words) -> Floats:
    """The mean over the pieces of each word."""
    pieces = np.diff([*queries.starts, len(values)])
    sums = np.add.reduceat(values, queries.starts, axis=0)
    return np.asarray(sums / pieces.reshape(-1, *[1] * (values.ndim - 1)))
