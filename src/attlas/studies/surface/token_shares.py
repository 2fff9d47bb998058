"""Which tokens each head most often looks from and at, beside how common these are in what was read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import cast

import numpy as np
import pandas as pd

from attlas.address import Kind
from attlas.corpora.batches import sides_of
from attlas.corpora.source import ItemId
from attlas.reducers.items import TokenLists
from attlas.reducers.reducer import reading_order
from attlas.studies.surface.example_rows import STEPS, ExampleRows

MOST = 20  # tokens of each side that are kept
FEWEST = 2  # rows that a token must have


def token_shares(
    row_sample: ExampleRows, tokens: TokenLists, spell: Callable[[list[int]], list[str]]
) -> pd.DataFrame:
    """One line per head, side and token, of the rows that were drawn at random.

    `at`: the share of rows whose strongest key is that token, beside its share of the keys that the rows
    could choose from. `from`: its share of the fifth of rows in which the head looks most strongly, beside
    its share of all rows: a head looks from every token, but not as strongly.
    """
    lines = []
    for name in sorted(row_sample.drawn, key=reading_order):
        kind, _, layer = name.partition(".")
        if kind == "vision":  # patches have no words
            continue
        drawn = row_sample.drawn[name]
        asked, answered = (
            [tokens.lists[id, side] for id in _items(drawn.places[0])] for side in sides_of(cast(Kind, kind))
        )
        queries = [int(ids[q]) for ids, q in zip(asked, drawn.places[0, :, 2], strict=True)]
        seen = _seen(answered, drawn.places[0, :, 2], causal=kind == "decoder")
        for head, (weights, places) in enumerate(zip(drawn.weights, drawn.places, strict=True)):
            strong = np.argsort(-weights[:, 0], kind="stable")[: max(1, len(weights) // STEPS)]
            keys = [int(ids[k]) for ids, k in zip(answered, places[:, 3], strict=True)]
            for side, chosen, common in (
                ("from", [queries[row] for row in strong], _shares(Counter(queries))),
                ("at", keys, seen),
            ):
                for token, many in Counter(chosen).most_common(MOST):
                    if many >= FEWEST:
                        share = many / len(chosen)
                        lines.append((kind, int(layer), head, side, token, share, common.get(token, 0.0)))
    table = pd.DataFrame(lines, columns=["kind", "layer", "head", "side", "token", "share", "common"])
    table["token"] = _spelled(table["token"], spell)
    return table


def _items(places: np.ndarray[tuple[int, int], np.dtype[np.int64]]) -> list[ItemId]:
    return [ItemId(int(document), int(place)) for document, place in places[:, :2]]


def _seen(
    lists: Sequence[np.ndarray[tuple[int], np.dtype[np.int64]]],
    queries: np.ndarray[tuple[int], np.dtype[np.int64]],
    causal: bool,
) -> dict[int, float]:
    """Each token's share of the keys that the rows could choose from: a row counts as one, however many keys
    it sees. Those of causal heads see no token after them, and the first does not count."""
    shares: Counter[int] = Counter()
    for ids, query in zip(lists, queries, strict=True):
        choices = ids[1 : query + 1] if causal else ids
        for token, many in zip(*np.unique(choices, return_counts=True), strict=True):
            shares[int(token)] += many / len(choices)
    return {token: float(share) / len(lists) for token, share in shares.items()}


def _shares(counts: Counter[int]) -> dict[int, float]:
    whole = counts.total()
    return {token: many / whole for token, many in counts.items()}


def _spelled(ids: pd.Series, spell: Callable[[list[int]], list[str]]) -> pd.Series:
    distinct = sorted(set(ids.tolist()))
    words = dict(zip(distinct, spell(distinct), strict=True))
    return ids.map(words).astype(str)
