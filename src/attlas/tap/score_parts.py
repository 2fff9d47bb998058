"""Who wrote the query and who wrote the key: the score of a head for a query and a key, part by part.

A score is a product of two vectors, and each is a linear map of what was added to the residual stream before,
once norms are held as they were (`StreamParts`): so it is a sum of what each part of the query makes of each
part of the key. Rotary embeddings turn the parts as they turn the whole.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import torch
from torch import Tensor

from attlas.address import Head, Kind
from attlas.corpora.batches import Batch
from attlas.errors import AttlasError
from attlas.subject import Subject
from attlas.subject.blocks import stacks_of
from attlas.tap.call import Call
from attlas.tap.stream import no_writes
from attlas.tap.stream_parts import BIASES, Part, StreamParts
from attlas.tap.tap import Tap

Side = Literal["query", "key"]
SIDES: tuple[Side, ...] = ("query", "key")
ROUNDING = 100  # times the precision of the model, and its largest part
#: what wrote: a head, or a part by its name
Writer = Head | str


class ScoreParts(NamedTuple):
    """The score of one head for one query and one key, to which `parts` adds up."""

    queries: list[Writer]  # who wrote the query
    keys: list[Writer]
    parts: Tensor  # query part, key part: float64
    score: float


def no_score_parts(subject: Subject) -> str | None:
    """Why it is not known who wrote the queries and keys of a model; None where it is."""
    if (reason := no_writes(subject)) is not None:
        return reason
    if not stacks_of(subject):
        return f"the layers of {subject.name} do not follow one another"
    return None


@dataclass
class ScorePaths:
    """One forward pass over a batch, from which scores are taken apart. `places` are the only tokens of which
    it is known who wrote them; all, if there are none."""

    subject: Subject
    batch: Batch
    places: Sequence[int] | None = None
    kernel: str | None = None

    def __post_init__(self) -> None:
        if (reason := no_score_parts(self.subject)) is not None:
            raise AttlasError(f"it cannot be known who wrote queries and keys: {reason}")
        self._stream = StreamParts(self.subject, True, self.places, len(self.batch.ids))
        self.calls: dict[tuple[Kind, int], Call] = {}

    @contextmanager
    def record(self) -> Iterator[ScorePaths]:
        """Run the model. Its graph is there until the block ends."""
        model: Any = self.subject.model
        with (
            Tap(self.subject, kernel=self.kernel, listener=self._listen),
            self.batch.during_pass(model),
            self._stream.watching(),
        ):
            self.subject.run(self.batch.inputs, predictions=False)
        try:
            with torch.enable_grad():
                yield self
        finally:
            self.calls.clear()
            self._stream.parts.clear()

    def _listen(self, call: Call) -> None:
        self.calls[call.kind, call.layer] = call

    @property
    def _parts(self) -> list[Part]:
        return self._stream.parts

    def of_link(self, head: Head, query: int, key: int) -> ScoreParts:
        """The score of the only row of the batch."""
        call = self.calls[head.kind, head.layer]
        ends = call.query[0, head.head, query], call.key[0, call.group_of(head.head), key]
        (queries, of_query), (keys, of_key) = map(self._vectors, ends)
        parts = of_query @ of_key.T * call.scaling
        score = float(ends[0].detach().double() @ ends[1].detach().double()) * call.scaling
        self.check_sum(float(parts.sum()), score, float(parts.abs().max()))
        return ScoreParts(queries, keys, parts, score)

    def _vectors(self, made: Tensor) -> tuple[list[Writer], Tensor]:
        """Who wrote a query or key (dim), and what each of them adds to it: writer dim, in float64."""
        leaves = [part.vector for part in self._parts]
        units = torch.eye(len(made), device=made.device, dtype=made.dtype)
        slopes = torch.autograd.grad(
            made, leaves, units, retain_graph=True, allow_unused=True, is_grads_batched=True
        )
        added: dict[Writer, Tensor] = {}
        for part, slope in zip(self._parts, slopes, strict=True):
            if slope is None:
                continue
            for writer, vectors in self._split_by_writer(part):
                # dim row place model, row place model
                vector = (slope.double() * vectors.double()).flatten(1).sum(1)
                added[writer] = added[writer] + vector if writer in added else vector
        return list(added), torch.stack(list(added.values()))

    def _split_by_writer(self, part: Part) -> Iterator[tuple[Writer, Tensor]]:
        """What a part added, by who wrote it: each head alone, and their layer's bias."""
        if part.address is None:
            yield part.name, part.vector.detach()
            return
        maps = self._stream.maps[part.address]
        for number, vectors in enumerate(self.of_heads(part).unbind(2)):
            yield Head(*part.address, number), vectors
        if maps.bias is not None:
            yield BIASES, maps.bias.float().expand_as(part.vector)

    def of_heads(self, part: Part) -> Tensor:
        """row place head model: what each head of a layer added."""
        assert part.address is not None
        assert part.head_outputs is not None
        weights = self._stream.maps[part.address].weights.float()
        outputs = part.head_outputs.float().unflatten(-1, (len(weights), -1))  # type: ignore[no-untyped-call]
        return torch.einsum("bqhd,hmd->bqhm", outputs, weights)

    def lifts(self, kind: Kind, layer: int, side: Side, slopes: Tensor) -> dict[Writer, Tensor]:
        """batch head: what each writer adds to a sum over queries or keys of a layer, given by its derivative
        by them (batch head token dim; a head's own, if keys are shared)."""
        call = self.calls[kind, layer]
        made = call.query if side == "query" else call.key
        shared = slopes.shape[1] // made.shape[1]
        leaves = [part.vector for part in self._parts]
        by_head = []  # of every leaf, its slope
        for head in range(slopes.shape[1]):
            asked = torch.zeros_like(made)
            asked[:, head // shared] = slopes[:, head].to(made.dtype)
            by_head.append(torch.autograd.grad(made, leaves, asked, retain_graph=True, allow_unused=True))
        added: dict[Writer, Tensor] = {}
        with torch.no_grad():
            for part, several in zip(self._parts, zip(*by_head, strict=True), strict=True):
                if several[0] is not None:
                    read = torch.stack([slope for slope in several if slope is not None])
                    for writer, lift in self._read(part, read):
                        added[writer] = added[writer] + lift if writer in added else lift
        return added

    @property
    def size_of_slopes(self) -> int:
        """How many numbers the derivatives of one number by all parts are."""
        return sum(part.vector.numel() for part in self._parts)

    def by_token(self, kind: Kind, layer: int, side: Side, asked: Tensor) -> dict[Writer, Tensor]:
        """receiver token: what each writer adds at every token of the only row to the product of its queries
        or keys with what is asked (receiver head token dim, or group). Between what parts add and what heads
        read of it, no token reaches another."""
        call = self.calls[kind, layer]
        made = call.query if side == "query" else call.key
        leaves = [part.vector for part in self._parts]
        read = torch.autograd.grad(
            made,
            leaves,
            asked[:, None].to(made.dtype),
            retain_graph=True,
            allow_unused=True,
            is_grads_batched=True,
        )
        added: dict[Writer, Tensor] = {}
        with torch.no_grad():
            for part, slopes in zip(self._parts, read, strict=True):
                for writer, values in () if slopes is None else self._read_tokens(part, slopes):
                    added[writer] = added[writer] + values if writer in added else values
        return added

    def _read_tokens(self, part: Part, slopes: Tensor) -> Iterator[tuple[Writer, Tensor]]:
        """receiver token: by who wrote it, what a part gives where it is read with `slopes` (receiver ...
        token model)."""
        slopes = slopes.float().reshape(len(slopes), -1, slopes.shape[-1])
        if part.address is None:
            vectors = part.vector.detach().float().reshape(slopes.shape[1:])
            yield part.name, torch.einsum("rqm,qm->rq", slopes, vectors).double()
            return
        of_heads = self.of_heads(part).reshape(slopes.shape[1], -1, slopes.shape[2])
        for number, values in enumerate(torch.einsum("rqm,qhm->hrq", slopes, of_heads).double()):
            yield Head(*part.address, number), values
        bias = self._stream.maps[part.address].bias
        if bias is not None:
            yield BIASES, torch.einsum("rqm,m->rq", slopes, bias.float()).double()

    def _read(self, part: Part, slopes: Tensor) -> Iterator[tuple[Writer, Tensor]]:
        """batch receiver: by who wrote it, what a part gives where it is read with `slopes` (receiver batch
        ... model)."""
        slopes = slopes.float().flatten(2, -2)  # receiver batch place model
        if part.address is None:
            vectors = part.vector.detach().float().flatten(1, -2)
            yield part.name, torch.einsum("rbqm,bqm->br", slopes, vectors).double()
            return
        lifts = torch.einsum("rbqm,bqhm->brh", slopes, self.of_heads(part)).double()
        for number, lift in enumerate(lifts.unbind(-1)):
            yield Head(*part.address, number), lift
        bias = self._stream.maps[part.address].bias
        if bias is not None:
            yield BIASES, torch.einsum("rbqm,m->br", slopes, bias.float()).double()

    def check_sum(self, total: float, score: float, largest: float) -> None:
        """Refuse parts that do not add up to their score: a model with another part than those that are known
        would go unnoticed otherwise. `largest` is the largest part."""
        precision = torch.finfo(next(self.subject.model.parameters()).dtype).eps
        if not abs(total - score) <= ROUNDING * precision * max(1.0, largest):
            raise AttlasError(
                f"the parts of a score of {self.subject.name} do not add up to it (off by "
                f"{abs(total - score):.3g}): something in it writes, norms or makes queries and keys in a "
                "way that Attlas does not know"
            )
