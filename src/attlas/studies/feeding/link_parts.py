"""Links of a text, taken apart: how much each part of a model adds to the score of a query and a key, and to
its lift, by which it is above the mean of the other keys that the query may see. Only that decides where a
head looks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import torch
from torch import Tensor

from attlas.address import Head, Kind
from attlas.corpora.batches import Batch
from attlas.studies.feeding.feed_sweep import keys_at_rest
from attlas.tap.call import Call
from attlas.tap.score_parts import SIDES, ScorePaths, Side, Writer

AT_ONCE = 2**25  # numbers that are held of the slopes of links that are read together


class Link(NamedTuple):
    """From which token a head looks, and at which."""

    query: int
    key: int


class WriterPart(NamedTuple):
    """What one writer adds at one end of a link."""

    end: Side
    writer: Writer
    score: float
    lift: float
    looks_at: int  # where a head looks most from there; -1 for what is no head
    weight: float  # with which it does; NaN for what is no head


@dataclass(frozen=True)
class LinkParts:
    """One link of a head. The parts of either end add up to `score`, and their lifts and `distance_lift` to
    `lift`. `distance` is what the model adds to the score for the distance of the two (T5)."""

    head: Head
    link: Link
    weight: float
    score: float
    lift: float
    distance: float
    distance_lift: float
    parts: tuple[WriterPart, ...]

    def of(self, end: Side) -> list[WriterPart]:
        """Who wrote one end, the strongest lift first."""
        return sorted((part for part in self.parts if part.end == end), key=lambda part: -abs(part.lift))


class TextLinks:
    """The links of the only text of a batch that a model has read (`ScorePaths.record`)."""

    def __init__(self, paths: ScorePaths, batch: Batch) -> None:
        self.paths, self.batch = paths, batch
        with torch.no_grad():
            #: of every kind and layer, head query key
            self.weights = {at: call.weights()[0].float().cpu() for at, call in paths.calls.items()}

    def strongest(self, head: Head, count: int, resting: int = 0) -> list[Link]:
        """The links of most weight that do not rest on the first token or a separator, then of those that
        do."""
        weights = self.weights[head.kind, head.layer][head.head]
        rests = keys_at_rest(self.batch.keys(head.kind))[0].cpu()
        links = []
        for these, most in ((~rests, count), (rests, resting)):
            flat = weights.masked_fill(~these, 0.0).flatten()
            order = flat.argsort(descending=True, stable=True)[:most]
            links += [Link(*divmod(int(at), weights.shape[1])) for at in order if float(flat[at]) > 0]
        return links

    def weight(self, head: Head, link: Link) -> float:
        return float(self.weights[head.kind, head.layer][head.head, link.query, link.key])

    def sees(self, head: Head, link: Link) -> bool:
        """Whether the tokens are there, and one may see the other."""
        queries, keys = self.weights[head.kind, head.layer].shape[1:]
        return 0 <= link.query < queries and 0 <= link.key < keys and self.weight(head, link) > 0

    def take_apart(self, links: Mapping[Head, Sequence[Link]]) -> Iterator[LinkParts]:
        """Every link of these heads, layer by layer."""
        layers: dict[tuple[Kind, int], list[tuple[Head, Link]]] = {}
        for head, several in links.items():
            layers.setdefault((head.kind, head.layer), []).extend((head, link) for link in several)
        for of_layer in layers.values():
            many = max(1, AT_ONCE // self.paths.size_of_slopes)
            for start in range(0, len(of_layer), many):
                yield from self._take_apart(of_layer[start : start + many])

    def _take_apart(self, links: Sequence[tuple[Head, Link]]) -> Iterator[LinkParts]:
        """Links of one layer."""
        call = self.paths.calls[links[0][0].kind, links[0][0].layer]
        contrast = torch.stack([self._others(call, *link) for link in links])  # link key
        wrote: dict[Side, dict[Writer, list[list[float]]]]
        wrote = {"query": self._by_query(call, links, contrast), "key": self._by_key(call, links, contrast)}
        for place, (head, link) in enumerate(links):
            parts = tuple(
                WriterPart(side, writer, score, lift, *self._looks(writer, link[SIDES.index(side)]))
                for side in SIDES
                for writer, values in wrote[side].items()
                for score, lift in [values[place]]
            )
            score = _score(call, head, link)
            for side in SIDES:
                scores = [part.score for part in parts if part.end == side]
                self.paths.check_sum(sum(scores), score, max(map(abs, scores)))
            distances = _distances(call, head, link)
            distance_lift = float((contrast[place].cpu() * distances).sum())
            lift = sum(part.lift for part in parts if part.end == "key") + distance_lift
            numbers = self.weight(head, link), score, lift, float(distances[link.key]), distance_lift
            yield LinkParts(head, link, *numbers, parts)

    def _by_query(
        self, call: Call, links: Sequence[tuple[Head, Link]], contrast: Tensor
    ) -> dict[Writer, list[list[float]]]:
        """Score and lift of each link by who wrote its query. Links of different queries are read at once."""
        before: Counter[int] = Counter()
        slots = []
        for _, link in links:
            slots.append(before[link.query])
            before[link.query] += 1
        rows, heads = range(len(links)), [head.head for head, _ in links]
        queries, keys = ([link[end] for _, link in links] for end in (0, 1))
        with torch.no_grad():
            read = call.key[0, [call.group_of(head) for head in heads]].float() * call.scaling
            asked = call.query.new_zeros(2, max(slots) + 1, *call.query.shape[1:], dtype=torch.float32)
            asked[0, slots, heads, queries] = read[rows, keys]
            asked[1, slots, heads, queries] = torch.einsum("lk,lkd->ld", contrast, read)
        added = self.paths.by_token(call.kind, call.layer, "query", asked.flatten(0, 1))
        return {
            writer: values.view(2, -1, values.shape[-1])[:, slots, queries].T.tolist()
            for writer, values in added.items()
        }

    def _by_key(
        self, call: Call, links: Sequence[tuple[Head, Link]], contrast: Tensor
    ) -> dict[Writer, list[list[float]]]:
        """The same by who wrote its key: the score with every key that the query may see is read."""
        rows = range(len(links))
        with torch.no_grad():
            asked = call.key.new_zeros(len(links), *call.key.shape[1:], dtype=torch.float32)
            for row, (head, link) in enumerate(links):
                query = call.query[0, head.head, link.query].float() * call.scaling
                asked[row, call.group_of(head.head)] = query
        added = self.paths.by_token(call.kind, call.layer, "key", asked)
        keys = [link.key for _, link in links]
        return {
            writer: torch.stack([values[rows, keys], (values * contrast).sum(-1)], -1).tolist()
            for writer, values in added.items()
        }

    def _others(self, call: Call, head: Head, link: Link) -> Tensor:
        """key: 1 at the link's key, and -1 in all at the other keys in sight that do not rest."""
        seen = self.batch.keys(head.kind).real[0].clone()
        allowed = call.mask.allowed(0, call.query.shape[2])
        if allowed is not None:
            seen &= allowed[0, min(head.head, allowed.shape[1] - 1), link.query]
        others = seen & ~keys_at_rest(self.batch.keys(head.kind))[0]
        others[link.key] = False
        contrast = -others.float() / max(1, int(others.sum()))
        contrast[link.key] = 1.0
        return contrast.to(call.key.device)

    def _looks(self, writer: Writer, place: int) -> tuple[int, float]:
        """Where a head looks most from a token."""
        if not isinstance(writer, Head):
            return -1, float("nan")
        weights, keys = self._most[writer.kind, writer.layer]
        return keys[writer.head][place], weights[writer.head][place]

    @cached_property
    def _most(self) -> dict[tuple[Kind, int], tuple[list[list[float]], list[list[int]]]]:
        """For every head and query the largest weight, and its key."""
        most = {at: weights.max(-1) for at, weights in self.weights.items()}
        return {at: (row.values.tolist(), row.indices.tolist()) for at, row in most.items()}


def _distances(call: Call, head: Head, link: Link) -> Tensor:
    """key: what the model adds to the scores of a query for the distance of each key that it may see."""
    added = torch.zeros(call.key.shape[2])
    for bias in (call.bias, call.mask.bias):
        if bias is not None:
            row = bias[0, min(head.head, bias.shape[1] - 1), min(link.query, bias.shape[2] - 1)]
            added += row[: len(added)].detach().float().cpu()
    lowest = torch.finfo(call.query.dtype).min / 2
    return added.masked_fill(added < lowest, 0.0)  # what is out of sight


def _score(call: Call, head: Head, link: Link) -> float:
    query = call.query[0, head.head, link.query].detach().double()
    key = call.key[0, call.group_of(head.head), link.key].detach().double()
    return float(query @ key) * call.scaling
