"""Examples of where each head looks: at its strongest, and in rows drawn at random; and at which tokens.

The strongest examples of a head show it at its clearest, and mislead about what it does most of the time.
A random sample of rows, the same for every head of a kind, shows its whole range: its weakest fifth, its
middle, its strongest fifth."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd
import torch
from torch import Tensor

from attlas.address import Head
from attlas.array_types import Ints
from attlas.corpora.batches import Batch, sides_of
from attlas.corpora.source import ItemId, seeded
from attlas.reducers.items import TokenLists
from attlas.reducers.kept_arrays import Arrays, KeptArrays, take_rows
from attlas.reducers.reducer import layer_of, reading_order
from attlas.tap.needs import Needs
from attlas.tap.observation import Observation, ObservedCall

NOTHING = -2.0  # less than any excess
FEWEST_KEYS = 8  # a row that sees fewer tells little, unless its text has no more


class ItemExample(NamedTuple):
    """A query and a key, counted among an item's real tokens, and the weight between them."""

    head: Head
    weight: float
    id: ItemId
    query: int
    key: int
    sample: str = "strongest"


class StrongestInRows(NamedTuple):
    """The strongest key of every row. The excess of a row that does not count is NOTHING."""

    excess: Tensor  # batch head query
    weights: Tensor  # batch head query
    real_keys: Tensor  # batch head query: the key, counted among the real tokens
    real_query: Tensor  # batch query: the query, likewise


class Examples(KeptArrays):
    """The strongest weight of each of the `keep` items where it is strongest: one example an item, so that no
    text fills the list.

    A weight counts by its excess, by how much it is beyond what its row offers: with v keys to be seen,
    (α - 1/v) / (1 - 1/v), which is 0 where a row is even and 1 where one key has all of it. Rows that see
    fewer than 8 keys are left out, unless their text has no more: under a causal mask the first token can
    look nowhere but at itself. In decoders the first token does not count as a key, since it is where they
    park attention that they do not need (`to_first` says how much); what is shown is where a head looks
    apart from that. Ties go to the item that comes first.
    """

    name = "examples"
    needs = Needs(lazy_weights=True)

    def __init__(self, keep: int = 5) -> None:
        super().__init__()  # excess and weight, document, place, query, key: the best first
        self.most = keep

    def update(self, observation: Observation) -> None:
        batch = observation.batch
        ids = torch.tensor(batch.ids, dtype=torch.long)  # batch 2
        for call in observation.calls:
            excess, weight, query, key = (t.cpu() for t in _strongest(call, batch))
            item = ids[:, None].expand(-1, call.heads, -1)
            weights = torch.stack([excess, weight], -1).double().transpose(0, 1)
            places = torch.cat([item, query[..., None], key[..., None]], -1).transpose(0, 1)
            arrays = {"weights": weights.numpy(), "places": places.numpy()}  # head rank 2, head rank 4
            self.keep(f"{call.kind}.{call.layer}", arrays)

    def keep(self, layer: str, arrays: Arrays) -> None:
        both = self.with_kept(layer, arrays)
        by_id = both["places"][..., 1], both["places"][..., 0]
        order = np.lexsort((*by_id, -both["weights"][..., 0]))[:, : self.most]
        self.kept[layer] = take_rows(both, order)

    def examples(self) -> list[ItemExample]:
        """Strongest first within each head."""
        examples = []
        for layer in sorted(self.kept, key=reading_order):
            kept = self.kept[layer]
            for head, (weights, places) in enumerate(zip(kept["weights"], kept["places"], strict=True)):
                where = Head(*layer_of(layer), head)
                for (excess, weight), (document, place, query, key) in zip(
                    weights.tolist(), places.tolist(), strict=True
                ):
                    if excess > NOTHING:
                        examples.append(ItemExample(where, weight, ItemId(document, place), query, key))
        return examples


def _strongest(call: ObservedCall, batch: Batch) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """batch head, four times: the largest excess of an item, its weight, its query and its key; an item
    without any has NOTHING."""
    rows = strongest_in_rows(call, batch)
    excess, query = rows.excess.max(-1)  # batch head
    weight, key = (t.gather(-1, query[..., None])[..., 0] for t in (rows.weights, rows.real_keys))
    return excess, weight, rows.real_query.gather(1, query), key


def strongest_in_rows(call: ObservedCall, batch: Batch) -> StrongestInRows:
    """Places are counted among the real tokens, whichever side padding is on."""
    assert call.lazy_weights is not None
    queries, keys = batch.queries(call.kind).real, batch.keys(call.kind).real
    sinks = call.kind == "decoder"
    weights, at = call.lazy_weights.strongest(2 if sinks else 1)  # batch head query k
    if sinks:
        first = keys.int().argmax(-1)[:, None, None]
        parked = (at[..., 0] == first)[..., None]
        weights, at = (torch.where(parked, t[..., -1:], t[..., :1]) for t in (weights, at))
        counts = at[..., 0] != first  # a text of one token has no other key
    else:
        counts = torch.ones_like(at[..., 0], dtype=torch.bool)
    weights, at = weights[..., 0], at[..., 0]
    visible = call.lazy_weights.visible()
    enough = queries & (visible >= keys.sum(-1, keepdim=True).clamp(max=FEWEST_KEYS))
    even = 1 / visible.clamp(min=1).double()[:, None]
    excess = (weights.double() - even) / (1 - even).clamp(min=torch.finfo(torch.float32).eps)
    excess = excess.masked_fill(~(counts & enough[:, None]), NOTHING)
    real_query, real_key = (real.long().cumsum(-1) - 1 for real in (queries, keys))
    real_keys = real_key[:, None].expand(-1, at.shape[1], -1).gather(2, at)
    return StrongestInRows(excess, weights, real_keys, real_query)


STEPS = 5
RANDOM = 3  # rows that are shown as they were drawn


class ExampleRows(KeptArrays):
    """The `keep` rows to which the seed gives the smallest numbers, whoever sees them first. Rows and excess
    are those of `Examples`."""

    name = "row_sample"
    needs = Needs(lazy_weights=True)

    def __init__(self, keep: int = 1000, seed: int = 0) -> None:
        super().__init__()  # smallest numbers first
        self.most, self.seed = keep, seed

    def update(self, observation: Observation) -> None:
        batch = observation.batch
        for call in observation.calls:
            rows = strongest_in_rows(call, batch)
            excess = rows.excess.cpu()  # batch head query
            numbers = self._numbers(batch.ids, rows.real_query.cpu().numpy())  # batch query
            counts = (excess > NOTHING).all(1).numpy()
            item, query = np.nonzero(counts)
            order = np.argsort(numbers[item, query], kind="stable")[: self.most]
            item, query = item[order], query[order]
            at = torch.from_numpy(item), slice(None), torch.from_numpy(query)
            weights = torch.stack([excess[at], rows.weights.cpu()[at].double()], -1)  # row head 2
            ids = np.array(batch.ids, np.int64).reshape(-1, 2)[item]
            asked = np.concatenate([ids, rows.real_query.cpu().numpy()[item, query][:, None]], 1)
            key = rows.real_keys.cpu()[at].numpy()  # row head
            heads = key.shape[1]
            places = np.concatenate([np.repeat(asked[:, None], heads, 1), key[..., None]], -1)
            arrays = {
                "numbers": numbers[item, query],  # row
                "weights": weights.transpose(0, 1).numpy(),  # head row 2: excess and weight
                "places": places.transpose(1, 0, 2),  # head row 4: document, place, query, key
            }
            self.keep(f"{call.kind}.{call.layer}", arrays)

    def _numbers(self, ids: tuple[ItemId, ...], query: Ints) -> Ints:
        """batch query: a number of 63 bits for every row, by the item's id and the query's place in it."""
        items = np.array([seeded(self.seed, "row", *item) for item in ids], np.uint64)
        with np.errstate(over="ignore"):  # splitmix64
            mixed = items[:, None] + np.uint64(0x9E3779B97F4A7C15) * (query.astype(np.uint64) + np.uint64(1))
            mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
            mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
            mixed ^= mixed >> np.uint64(31)
        numbers: Ints = (mixed >> np.uint64(1)).astype(np.int64)
        return numbers

    def keep(self, layer: str, arrays: Arrays) -> None:
        both = self.with_kept(layer, arrays)
        ids = (both["places"][0, :, column] for column in (2, 1, 0))
        order = np.lexsort((*ids, both["numbers"]))[: self.most]
        self.kept[layer] = {
            name: array[order] if name == "numbers" else array[:, order] for name, array in both.items()
        }

    def examples(self) -> list[ItemExample]:
        """Take from each head the middle row of each fifth of its rows by excess, weakest first, and the
        first few as they were drawn."""
        examples = []
        for layer in sorted(self.kept, key=reading_order):
            kept = self.kept[layer]
            for head, (weights, places) in enumerate(zip(kept["weights"], kept["places"], strict=True)):
                order = np.argsort(weights[:, 0], kind="stable")
                many = len(order)
                chosen = [(f"step {s}", order[(2 * s + 1) * many // (2 * STEPS)]) for s in range(STEPS)]
                chosen = (chosen if many >= STEPS else []) + [("random", r) for r in range(min(RANDOM, many))]
                for sample, row in chosen:
                    document, place, query, key = (int(p) for p in places[row])
                    where = Head(*layer_of(layer), head)
                    item = ItemId(document, place)
                    examples.append(ItemExample(where, float(weights[row, 1]), item, query, key, sample))
        return examples


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
    for key in sorted(row_sample.kept, key=reading_order):
        kind, layer = layer_of(key)
        if kind == "vision":  # patches have no words
            continue
        kept = row_sample.kept[key]
        items = [ItemId(*item) for item in kept["places"][0, :, :2].tolist()]
        asked, answered = ([tokens.lists[item, side] for item in items] for side in sides_of(kind))
        places_asked = kept["places"][0, :, 2]
        queries = [int(ids[q]) for ids, q in zip(asked, places_asked, strict=True)]
        seen = _shares_of_choices(answered, places_asked, causal=kind == "decoder")
        for head, (weights, places) in enumerate(zip(kept["weights"], kept["places"], strict=True)):
            strong = np.argsort(-weights[:, 0], kind="stable")[: max(1, len(weights) // STEPS)]
            keys = [int(ids[k]) for ids, k in zip(answered, places[:, 3], strict=True)]
            for side, chosen, common in (
                ("from", [queries[row] for row in strong], _shares(Counter(queries))),
                ("at", keys, seen),
            ):
                for token, many in Counter(chosen).most_common(MOST):
                    if many >= FEWEST:
                        share = many / len(chosen)
                        lines.append((kind, layer, head, side, token, share, common.get(token, 0.0)))
    table = pd.DataFrame(lines, columns=["kind", "layer", "head", "side", "token", "share", "common"])
    distinct = sorted(set(table["token"]))
    words = dict(zip(distinct, spell(distinct), strict=True))
    table["token"] = table["token"].map(words).astype(str)
    return table


def _shares_of_choices(lists: Sequence[Ints], queries: Ints, causal: bool) -> dict[int, float]:
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
