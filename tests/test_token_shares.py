"""Which tokens heads look from and at: counted by hand over rows that were made by hand."""

from __future__ import annotations

import numpy as np
import pytest

from attlas.corpora.source import ItemId
from attlas.reducers.items import TokenLists
from attlas.studies.surface.examples import ExampleRows, token_shares


def letters(ids: list[int]) -> list[str]:
    return [chr(ord("a") + i) for i in ids]


def rows_of(kind: str, queries: list[int], keys: list[int], excess: list[float]) -> ExampleRows:
    """One head's rows of the item 0.0, with their strongest keys."""
    sample = ExampleRows()
    places = np.array([[[0, 0, q, k] for q, k in zip(queries, keys, strict=True)]])
    weights = np.array([[[e, e] for e in excess]])
    numbers = np.arange(len(queries))
    sample.kept[f"{kind}.3"] = {"numbers": numbers, "weights": weights, "places": places}
    return sample


def tokens_of(side: str, ids: list[int]) -> TokenLists:
    lists = TokenLists()
    lists.lists[ItemId(0, 0), side] = np.array(ids)
    return lists


def test_a_token_that_is_looked_at_has_its_share_of_rows_beside_its_share_of_the_text() -> None:
    rows = rows_of("encoder", [0, 1, 2, 3], [2, 2, 2, 0], [0.1, 0.2, 0.3, 0.4])
    table = token_shares(rows, tokens_of("encoder", [0, 1, 2, 2]), letters)
    assert table.query("side == 'at'").drop(columns=["kind", "layer", "side"]).to_dict("records") == [
        {"head": 0, "token": "c", "share": 0.75, "common": 0.5}
    ]  # a was looked at once, which is not often


def test_causal_rows_choose_among_what_comes_before_them_without_the_first_token() -> None:
    rows = rows_of("decoder", [1, 2, 3], [1, 1, 1], [0.1, 0.2, 0.3])
    table = token_shares(rows, tokens_of("decoder", [0, 1, 2, 1]), letters).query("side == 'at'")
    assert table["token"].tolist() == ["b"]
    assert table["share"].tolist() == [1]
    assert table["common"].tolist() == [pytest.approx((1 + 1 / 2 + 2 / 3) / 3)]


def test_a_head_looks_from_the_tokens_of_its_strongest_fifth_of_rows() -> None:
    strong = [9 - i for i in range(10)]
    ids = [5, 5, *range(8, 16)]
    rows = rows_of("encoder", list(range(10)), [0] * 10, [float(s) for s in strong])
    table = token_shares(rows, tokens_of("encoder", ids), letters).query("side == 'from'")
    assert table[["token", "share", "common"]].to_numpy().tolist() == [["f", 1.0, 0.2]]
