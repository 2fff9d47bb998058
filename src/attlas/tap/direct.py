"""What each part of a model adds to the logit of a target by itself, straight through the residual stream.

Logits are read off the end of the stream, and all between the parts and that end is linear in what
`StreamParts` makes of a forward pass, so that the parts add up to the logit. What a part does to later
attention and feed-forward layers is not counted: those are parts themselves.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import torch
from torch import Tensor, nn

from attlas.address import Kind
from attlas.errors import AttlasError
from attlas.subject.blocks import stacks_of
from attlas.subject.projections import OutputMap
from attlas.subject.sharing import in_this_thread
from attlas.tap.needs import Needs
from attlas.tap.stream import StreamWatch, no_writes
from attlas.tap.stream_parts import BIASES, Part, StreamParts

if TYPE_CHECKING:
    from attlas.subject import Subject

NO_TARGET = -100
ROUNDING = 100  # times the precision of the model, and its largest part


class DirectLogits(NamedTuple):
    """What each part adds to the logit of every token's target, less the mean logit of the vocabulary."""

    heads: dict[tuple[Kind, int], Tensor]  # batch query head
    others: dict[str, Tensor]  # batch query: embeddings, feed_forward.LAYER, biases
    logits: Tensor  # batch query: what they add up to
    targets: Tensor  # batch query: a token, or -100 where nothing is predicted
    #: head vector: what each head sends to the unembedding, added up over the tokens that have a target,
    #: where somebody asks (`Needs.direct_sent`)
    sent: dict[tuple[Kind, int], Tensor]
    #: head batch query vector: the same token by token (`Needs.direct_vectors`)
    vectors: dict[tuple[Kind, int], Tensor]
    #: what each number that a head gives counts for the logit: batch query head dim (`Needs.direct_reads`)
    reads: dict[tuple[Kind, int], Tensor]
    #: what heads gave, as the output map took it: batch query head dim (`Needs.direct_reads`)
    outputs: dict[tuple[Kind, int], Tensor]


def no_direct_paths(subject: Subject) -> str | None:
    """Why nothing goes straight from the heads of a model to its logits; None where it does."""
    if (reason := no_writes(subject)) is not None:
        return reason
    if not isinstance(subject.unembedding, nn.Linear):
        return f"{subject.name} has no language-model head"
    if not stacks_of(subject):
        return f"the layers of {subject.name} do not follow one another"
    return None


@dataclass
class DirectPaths:
    """The parts of a forward pass under `watching`, and what they add to the logits of its targets."""

    subject: Subject
    needs: Needs

    def __post_init__(self) -> None:
        if (reason := no_direct_paths(self.subject)) is not None:
            raise AttlasError(f"direct contributions to logits cannot be measured: {reason}")
        unembedding = self.subject.unembedding
        assert isinstance(unembedding, nn.Linear)
        self._unembedding = unembedding
        self._stream = StreamParts(self.subject)
        self._read: Tensor | None = None  # batch query model: what the unembedding read

    @property
    def _sends(self) -> bool:
        """Whether somebody asks what heads send to the unembedding: that takes longer than all the rest."""
        return self.needs.direct_sent or self.needs.direct_vectors

    @contextmanager
    def watching(self) -> Iterator[DirectPaths]:
        """Watch one forward pass, which builds a graph from every part to the logits, and of nothing else."""
        self._read = None
        with self._stream.watching():
            handle = self._unembedding.register_forward_pre_hook(in_this_thread(self._unembeds))
            try:
                yield self
            finally:
                handle.remove()

    def _unembeds(self, _: nn.Module, args: tuple[Any, ...]) -> Any:
        self._read = args[0]
        return (args[0].detach(), *args[1:])

    def contributions(self, targets: Tensor) -> DirectLogits:
        """To the logits of these targets, batch query."""
        assert self._read is not None, "the model has not predicted anything"
        wanted = targets != NO_TARGET
        table = self._unembedding.weight.detach().float()
        asked = (table[targets.clamp(min=0)] - table.mean(0)) * wanted[..., None]
        asked.requires_grad_()
        leaves = [part.vector for part in self._stream.parts]
        with torch.enable_grad():
            read = self._read.float()
            directions = torch.autograd.grad(read, leaves, asked, create_graph=self._sends, allow_unused=True)
        bias = self._unembedding.bias
        offset = torch.zeros_like(wanted, dtype=torch.float32)
        if bias is not None:
            offset = (bias.detach().float()[targets.clamp(min=0)] - bias.detach().float().mean()) * wanted
        logits = (read * asked).detach().sum(-1) + offset
        made = DirectLogits({}, {BIASES: offset}, logits, targets, {}, {}, {}, {})
        for part, direction in zip(self._stream.parts, directions, strict=True):
            if direction is None:  # what an encoder writes reaches no logit by itself
                continue
            if part.address is None:
                added = (part.vector.detach() * direction.detach()).float().sum(-1)
                _add(made.others, part.name, added.view_as(logits))  # OPT's blocks have all rows in one
                continue
            maps = self._stream.maps[part.address]
            made.heads[part.address] = self._of_heads(part, maps, direction.detach())
            if maps.bias is not None:
                _add(made.others, BIASES, direction.detach().float() @ maps.bias.float())
            if self._sends:
                vectors = self._head_contributions(part, maps, direction, asked, wanted)
                made.sent[part.address] = vectors.sum((1, 2))
                if self.needs.direct_vectors:
                    made.vectors[part.address] = vectors
            if self.needs.direct_reads:
                made.reads[part.address], made.outputs[part.address] = self._reads(part, maps, direction)
        self._check(made, wanted)
        return made

    def _of_heads(self, part: Part, maps: OutputMap, direction: Tensor) -> Tensor:
        """batch query head"""
        assert part.head_outputs is not None
        outputs = part.head_outputs.float().unflatten(-1, (len(maps.weights), -1))  # type: ignore[no-untyped-call]
        return torch.einsum("bqhd,hmd,bqm->bqh", outputs, maps.weights.float(), direction.float())

    def _reads(self, part: Part, maps: OutputMap, direction: Tensor) -> tuple[Tensor, Tensor]:
        """What each number of the heads' outputs counts for the logit, and these: batch query head dim."""
        assert part.head_outputs is not None
        outputs = part.head_outputs.float().unflatten(-1, (len(maps.weights), -1))  # type: ignore[no-untyped-call]
        return torch.einsum("hmd,bqm->bqhd", maps.weights.float(), direction.detach().float()), outputs

    def _head_contributions(
        self, part: Part, maps: OutputMap, direction: Tensor, asked: Tensor, wanted: Tensor
    ) -> Tensor:
        """head batch query vector. The direction in which a part is read is a linear function of what is
        asked for: differentiating it turns the question round, and takes what heads wrote to the
        unembedding."""
        assert part.head_outputs is not None
        outputs = (part.head_outputs.float() * wanted[..., None]).unflatten(-1, (len(maps.weights), -1))  # type: ignore[no-untyped-call]
        vectors = torch.einsum("bqhd,hmd->hbqm", outputs, maps.weights.float())
        return torch.autograd.grad(direction, asked, vectors, retain_graph=True, is_grads_batched=True)[0]

    def _check(self, made: DirectLogits, wanted: Tensor) -> None:
        """A model with another part than those that are known would go unnoticed otherwise."""
        every = [*made.others.values(), *(heads.sum(-1) for heads in made.heads.values())]
        apart = float(((sum(every) - made.logits) * wanted).abs().max())
        largest = max(1.0, *(float(part.abs().max()) for part in every))
        types = (self._unembedding.weight.dtype, torch.float32)  # parts are added up in the latter
        if not apart <= ROUNDING * max(torch.finfo(dtype).eps for dtype in types) * largest:
            raise AttlasError(
                f"the parts of {self.subject.name} do not add up to its logits (off by {apart:.3g}): "
                "something in it writes, norms or predicts in a way that Attlas does not know"
            )


def _add(sums: dict[str, Tensor], name: str, values: Tensor) -> None:
    sums[name] = sums[name] + values if name in sums else values


@dataclass
class StreamWatches:
    """Both ways to watch the residual stream, together: what heads write, and what reaches the logits."""

    writes: StreamWatch | None
    direct: DirectPaths | None

    @contextmanager
    def watching(self) -> Iterator[StreamWatches]:
        with ExitStack() as stack:
            # direct paths first: they replace what modules give, and writes are of what is then there
            for watch in (self.direct, self.writes):
                if watch is not None:
                    stack.enter_context(watch.watching())
            yield self

    def take_outputs(self, output: Tensor) -> None:
        """Take what the heads of a call gave, batch query head dim."""
        if self.writes is not None:
            self.writes.attended = output

    def observe(self, targets: Tensor | None) -> dict[str, Any]:
        """What was seen of the stream, as fields of an observation, once the pass is over."""
        seen: dict[str, Any] = {}
        if self.writes is not None:
            seen["writes"] = tuple(self.writes.writes)
        if self.direct is not None and targets is not None:
            seen["direct"] = self.direct.contributions(targets)
        return seen
