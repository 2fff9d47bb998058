"""What each part of a model adds to the logit of a target by itself, straight through the residual stream.

Embeddings, heads, feed-forward layers and biases each add a vector to the stream, and logits are read off its
end. Between the two are norms, and in BERT a layer with an activation. Each is linear once what it multiplies
by is held as it was in this forward pass (a norm's division, an activation's gate: what it gave over what it
read), so that the parts add up to the logit. What a part does to later attention and feed-forward layers is
not counted: those are parts themselves.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

import torch
from torch import Tensor, nn

from attlas.address import Kind
from attlas.errors import AttlasError
from attlas.subject.blocks import FrozenNorm, is_norm, stacks_of, writers_beside_attention
from attlas.subject.projections import OutputMap
from attlas.subject.sharing import in_this_thread
from attlas.tap.stream import StreamWatch, no_writes, output_maps

if TYPE_CHECKING:
    from attlas.subject import Subject

EMBEDDINGS, BIASES = "embeddings", "biases"
NO_TARGET = -100
ROUNDING = 100  # times the precision of the model, and its largest part


class DirectLogits(NamedTuple):
    """What each part adds to the logit of every token's target, less the mean logit of the vocabulary."""

    heads: dict[tuple[Kind, int], Tensor]  # batch query head
    others: dict[str, Tensor]  # batch query: embeddings, feed_forward.LAYER, biases
    logits: Tensor  # batch query: what they add up to
    targets: Tensor  # batch query: a token, or -100 where nothing is predicted
    #: head vector: what each head sends to the unembedding, added up over the tokens that have a target
    sent: dict[tuple[Kind, int], Tensor]
    #: head batch query vector: the same token by token, where somebody asks (`Needs.direct_vectors`)
    vectors: dict[tuple[Kind, int], Tensor]
    #: and what each number that a head gives counts for the logit: batch query head dim
    reads: dict[tuple[Kind, int], Tensor]
    #: what heads gave, as the output map took it: batch query head dim
    outputs: dict[tuple[Kind, int], Tensor]


@dataclass
class _Part:
    """Something that was added to the stream, or on the way from it to the logits."""

    name: str
    vector: Tensor  # batch query model
    address: tuple[Kind, int] | None = None  # of heads
    head_outputs: Tensor | None = None  # batch query head·dim: what they gave


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
    keeps_vectors: bool = False
    _parts: list[_Part] = field(default_factory=list)

    def __post_init__(self) -> None:
        if (reason := no_direct_paths(self.subject)) is not None:
            raise AttlasError(f"direct contributions to logits cannot be measured: {reason}")
        unembedding = self.subject.unembedding
        assert isinstance(unembedding, nn.Linear)
        self._unembedding = unembedding
        self._maps = output_maps(self.subject)
        self._frozen: dict[nn.Module, FrozenNorm] = {}
        self._read: Tensor | None = None  # batch query model: what the unembedding read
        self._calls: Counter[nn.Module] = Counter()
        self._attending: tuple[Kind, int] | None = None
        self._mapped: Tensor | None = None  # by a layer beyond the blocks

    def _begin(self) -> None:
        self._parts.clear()
        self._calls.clear()
        self._read = self._mapped = None

    @contextmanager
    def watching(self) -> Iterator[DirectPaths]:
        """For one forward pass, which builds a graph from every part to the logits, and of nothing else."""
        with ExitStack() as hooks, torch.enable_grad():
            for handle in self._hooks():
                hooks.callback(handle.remove)
            yield self

    def _hooks(self) -> Iterator[Any]:
        model, stacks = self.subject.model, stacks_of(self.subject)
        base = getattr(model, "base_model", model)
        yield base.register_forward_pre_hook(in_this_thread(lambda *_: self._begin()))
        inside: set[nn.Module] = set()  # of what gives a part whole
        for stack in stacks:
            yield stack[0].register_forward_pre_hook(in_this_thread(self._enters), with_kwargs=True)
            for layer, block in enumerate(stack):
                for writer in writers_beside_attention(block):
                    inside |= set(writer.modules())
                    yield writer.register_forward_pre_hook(in_this_thread(_without_graph))
                    feeds_forward = self._feeds_forward(f"feed_forward.{layer}")
                    yield writer.register_forward_hook(in_this_thread(feeds_forward))
        for attention in {module for module, _ in self.subject.addresses}:
            inside |= set(attention.modules())
            yield attention.register_forward_pre_hook(in_this_thread(self._attends))
        for layer_map in {m.module: m for m in self._maps.values()}:
            yield layer_map.register_forward_hook(in_this_thread(self._writes))
        in_blocks = {module for stack in stacks for module in stack.modules()}
        for module in set(model.modules()) - inside:
            if is_norm(module):
                yield module.register_forward_hook(in_this_thread(self._norms))
            elif module in in_blocks or module is self._unembedding:
                continue
            elif isinstance(module, nn.Linear):
                yield module.register_forward_hook(in_this_thread(self._maps_on))
        yield self._unembedding.register_forward_pre_hook(in_this_thread(self._unembeds))

    # ---- what happens in the pass: parts become leaves of the graph, and what lies between stays linear

    def _part(self, name: str, vector: Tensor, **more: Any) -> Tensor:
        leaf = vector.detach().requires_grad_()
        self._parts.append(_Part(name, leaf, **more))
        return leaf

    def _enters(self, _: nn.Module, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        self._mapped = None
        if args:
            return (self._part(EMBEDDINGS, args[0]), *args[1:]), kwargs
        return args, {**kwargs, "hidden_states": self._part(EMBEDDINGS, kwargs["hidden_states"])}

    def _attends(self, module: nn.Module, *_: Any) -> None:
        self._attending = self.subject.addresses[module, self._calls[module]]
        self._calls[module] += 1
        torch.set_grad_enabled(False)

    def _writes(self, _: nn.Module, args: tuple[Any, ...], output: Tensor) -> Tensor:
        torch.set_grad_enabled(True)
        return self._part("heads", output, address=self._attending, head_outputs=args[0].detach())

    def _feeds_forward(self, name: str) -> Any:
        def hook(_: nn.Module, __: Any, output: Any) -> Any:
            torch.set_grad_enabled(True)
            if isinstance(output, tuple):  # experts give more than what they write
                return (self._part(name, output[0]), *output[1:])
            return self._part(name, output)

        return hook

    def _norms(self, norm: nn.Module, args: tuple[Any, ...], output: Tensor) -> Tensor:
        read = self._hold_gate(args[0])
        if norm not in self._frozen:
            self._frozen[norm] = FrozenNorm.of(norm, read.shape[-1])
        frozen = self._frozen[norm]
        with torch.no_grad():
            scale = frozen.scale(read.float(), output.float())
        linear = frozen.through(read.float(), scale)
        return (linear + self._part(BIASES, frozen.bias.expand_as(linear))).to(output.dtype)

    def _maps_on(self, linear: nn.Module, _: Any, output: Tensor) -> Tensor:
        bias: Tensor | None = linear.bias  # type: ignore[assignment]
        if bias is not None:
            output = output - bias.detach() + self._part(BIASES, bias.expand_as(output))
        self._mapped = output
        return output

    def _hold_gate(self, read: Tensor) -> Tensor:
        """What a norm reads. BERT and its kin have an activation between a layer and its norm, before they
        predict: it becomes a factor that is held as it was."""
        mapped, self._mapped = self._mapped, None
        if mapped is None or mapped is read or mapped.shape != read.shape:
            return read
        return mapped * (read / mapped).detach().nan_to_num(0.0)

    def _unembeds(self, _: nn.Module, args: tuple[Any, ...]) -> Any:
        self._read = args[0]
        return (args[0].detach(), *args[1:])

    # ---- and what is made of it

    def contributions(self, targets: Tensor) -> DirectLogits:
        """To the logits of these targets, batch query."""
        assert self._read is not None, "the model has not predicted anything"
        wanted = targets != NO_TARGET
        table = self._unembedding.weight.detach().float()
        asked = (table[targets.clamp(min=0)] - table.mean(0)) * wanted[..., None]
        asked.requires_grad_()
        leaves = [part.vector for part in self._parts]
        with torch.enable_grad():
            read = self._read.float()
            directions = torch.autograd.grad(read, leaves, asked, create_graph=True, allow_unused=True)
        bias = self._unembedding.bias
        offset = torch.zeros_like(wanted, dtype=torch.float32)
        if bias is not None:
            offset = (bias.detach().float()[targets.clamp(min=0)] - bias.detach().float().mean()) * wanted
        logits = (read * asked).detach().sum(-1) + offset
        made = DirectLogits({}, {BIASES: offset}, logits, targets, {}, {}, {}, {})
        for part, direction in zip(self._parts, directions, strict=True):
            if direction is None:  # what an encoder writes reaches no logit by itself
                continue
            if part.address is None:
                added = (part.vector.detach() * direction.detach()).float().sum(-1)
                _add(made.others, part.name, added.view_as(logits))  # OPT's blocks have all rows in one
                continue
            maps = self._maps[part.address]
            made.heads[part.address] = self._of_heads(part, maps, direction.detach())
            if maps.bias is not None:
                _add(made.others, BIASES, direction.detach().float() @ maps.bias.float())
            vectors = self._sent(part, maps, direction, asked, wanted)
            made.sent[part.address] = vectors.sum((1, 2))
            if self.keeps_vectors:
                made.vectors[part.address] = vectors
                made.reads[part.address], made.outputs[part.address] = self._reads(part, maps, direction)
        self._check(made, wanted)
        return made

    def _of_heads(self, part: _Part, maps: OutputMap, direction: Tensor) -> Tensor:
        """batch query head"""
        assert part.head_outputs is not None
        outputs = part.head_outputs.float().unflatten(-1, (len(maps.weights), -1))  # type: ignore[no-untyped-call]
        return torch.einsum("bqhd,hmd,bqm->bqh", outputs, maps.weights.float(), direction.float())

    def _reads(self, part: _Part, maps: OutputMap, direction: Tensor) -> tuple[Tensor, Tensor]:
        """What each number of the heads' outputs counts for the logit, and these: batch query head dim."""
        assert part.head_outputs is not None
        outputs = part.head_outputs.float().unflatten(-1, (len(maps.weights), -1))  # type: ignore[no-untyped-call]
        return torch.einsum("hmd,bqm->bqhd", maps.weights.float(), direction.detach().float()), outputs

    def _sent(self, part: _Part, maps: OutputMap, direction: Tensor, asked: Tensor, wanted: Tensor) -> Tensor:
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
        if not apart <= ROUNDING * torch.finfo(self._unembedding.weight.dtype).eps * largest:
            raise AttlasError(
                f"the parts of {self.subject.name} do not add up to its logits (off by {apart:.3g}): "
                "something in it writes, norms or predicts in a way that Attlas does not know"
            )


def _without_graph(*_: Any) -> None:
    torch.set_grad_enabled(False)


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
