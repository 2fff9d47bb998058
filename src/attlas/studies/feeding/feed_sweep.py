"""Over a corpus: by how much each part of a model lifts the scores of the keys that a head attends to.

For a query, the lift of a score is what it is above the mean of the keys that the query may see: only that
decides where a head looks. It is averaged by attention, without what rests on the first token and separators,
so that rows which rest say nothing. It is a sum over all who wrote the keys, and likewise over all who wrote
the queries.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from attlas.address import Head
from attlas.corpora.batches import Batch, Tokens
from attlas.reducers.reducer import ItemMeans
from attlas.statistics.clusters import Estimates
from attlas.studies.feeding.writers import every_writer
from attlas.subject import Subject
from attlas.tap.call import Call
from attlas.tap.needs import Needs
from attlas.tap.observation import Observation
from attlas.tap.score_parts import SIDES, ScorePaths, Writer

LEAST = 1e-3  # of a head's attention: where all but that rests, nothing is said of where it looks
#: the lift; that beyond the sender's layer; that beyond the receiver's layer
COLUMNS = 3


@dataclass(frozen=True)
class FeedLayout:
    """What stands where among the outcomes: receiver side writer column."""

    receivers: tuple[Head, ...]  # all heads of the layers that are asked for
    writers: tuple[Writer, ...]

    @staticmethod
    def of(subject: Subject, heads: Sequence[Head]) -> FeedLayout:
        layers = {(head.kind, head.layer) for head in heads}
        receivers = tuple(head for head in subject.heads if (head.kind, head.layer) in layers)
        return FeedLayout(receivers, tuple(every_writer(subject)))

    @property
    def shape(self) -> tuple[int, ...]:
        return len(self.receivers), len(SIDES), len(self.writers), COLUMNS


@dataclass(frozen=True)
class FeedSweep:
    """Outcomes are those of a `FeedLayout`, flat, for every item. NaN where there is nothing to compare."""

    layout: FeedLayout
    kernel: str | None = None

    def observations(self, subject: Subject, batches: Iterator[Batch]) -> Iterator[Observation]:
        return (self._observe(subject, batch) for batch in batches)

    def _observe(self, subject: Subject, batch: Batch) -> Observation:
        layout = self.layout
        lifts = torch.zeros(len(batch.ids), *layout.shape[:-1], dtype=torch.float64)
        place_of = {writer: place for place, writer in enumerate(layout.writers)}
        first = 0
        with ScorePaths(subject, batch, kernel=self.kernel).record() as paths:
            for kind, layer in dict.fromkeys((head.kind, head.layer) for head in layout.receivers):
                call = paths.calls[kind, layer]
                heads = call.query.shape[1]
                for number, (side, slopes) in enumerate(zip(SIDES, lift_slopes(call, batch), strict=True)):
                    for writer, lift in paths.lifts(kind, layer, side, slopes).items():
                        lifts[:, first : first + heads, number, place_of[writer]] = lift.cpu()
                first += heads
        compared = torch.stack([lifts, *self._beyond(lifts)], -1)  # item receiver side writer column
        return Observation(batch, outcomes=compared.flatten(1).T)

    def _beyond(self, lifts: Tensor) -> tuple[Tensor, Tensor]:
        """The lift by a head less that by the other heads of its layer; and less that of the other heads of
        the receiver's layer."""
        writers, receivers = self.layout.writers, self.layout.receivers
        senders = lifts.clone()
        for place, writer in enumerate(writers):
            others = [i for i, other in enumerate(writers) if i != place and _same_layer(writer, other)]
            senders[..., place] -= lifts[..., others].mean(-1) if others else torch.nan
        neighbours = lifts.clone()
        for place, receiver in enumerate(receivers):
            others = [i for i, other in enumerate(receivers) if i != place and _same_layer(receiver, other)]
            neighbours[:, place] -= lifts[:, others].mean(1) if others else torch.nan
        return senders, neighbours


def _same_layer(writer: Writer, other: Writer) -> bool:
    both = isinstance(writer, Head) and isinstance(other, Head)
    return both and (writer.kind, writer.layer) == (other.kind, other.layer)  # type: ignore[union-attr]


def lift_slopes(call: Call, batch: Batch) -> tuple[Tensor, Tensor]:
    """batch head token dim, twice: the derivative of the mean lift by the queries, and by the keys of each
    head."""
    with torch.no_grad():
        query, key = call.query.detach(), call.per_head(call.key.detach())
        weight = _lift_weights(call, batch.queries(call.kind), batch.keys(call.kind))  # batch head query key
        by_query = torch.einsum("bhqk,bhkd->bhqd", weight, key.float()) * call.scaling
        by_key = torch.einsum("bhqk,bhqd->bhkd", weight, query.float()) * call.scaling
    return by_query, by_key


def keys_at_rest(keys: Tokens) -> Tensor:
    """batch token: where attention rests, the first token and separators."""
    first = keys.real & (keys.real.cumsum(-1) == 1)
    return first | keys.members("sep") if keys.has("sep") else first


def _lift_weights(call: Call, queries: Tokens, keys: Tokens) -> Tensor:
    """How much the score of each pair counts for the mean lift: the attention that does not rest, less the
    same spread evenly over all keys where attention does not rest, over all such attention of the head."""
    rests = keys_at_rest(keys)
    allowed = call.mask.allowed(0, call.query.shape[2])
    seen = (keys.real & ~rests)[:, None, None] & queries.real[:, None, :, None]
    seen = seen if allowed is None else seen & allowed
    attention = call.weights().float() * seen
    moving = attention.sum(-1, keepdim=True)
    even = moving * seen / seen.sum(-1, keepdim=True).clamp(min=1)
    every = moving.sum(2, keepdim=True)  # batch head 1 1
    enough = every > LEAST * queries.count("all")[:, None, None, None]
    return torch.where(enough, (attention - even) / every.clamp(min=1e-30), 0.0)


class FeedMeans(ItemMeans):
    """The means over items of what a `FeedSweep` found."""

    name = "feeds"
    needs = Needs()

    def update(self, observation: Observation) -> None:
        assert observation.outcomes is not None
        values = observation.outcomes.T
        self.add_items("feeds", values.nan_to_num(0.0), ~values.isnan(), observation.batch)

    def lifts(self, layout: FeedLayout) -> Estimates:
        """The means, receiver side writer column."""
        return Estimates(*(several.reshape(layout.shape) for several in self.mean("feeds")))
