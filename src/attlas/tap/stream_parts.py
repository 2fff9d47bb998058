"""What is added to the residual stream in a forward pass, part by part, with all between the parts linear.

Embeddings, heads, feed-forward layers and biases each add a vector to the stream. Between them and what is
read later are norms, and in BERT a layer with an activation. Each is linear once what it multiplies by is
held as it was in this forward pass (a norm's division, an activation's gate: what it gave over what it read).
So the parts are the leaves of a graph, and a derivative by a leaf says how that part is read.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor, nn

from attlas.address import Kind
from attlas.subject.blocks import FrozenNorm, is_norm, stacks_of, writers_beside_attention
from attlas.subject.sharing import in_this_thread
from attlas.tap.stream import output_maps

if TYPE_CHECKING:
    from attlas.subject import Subject

EMBEDDINGS, POSITIONS, TOKEN_TYPES, BIASES = "embeddings", "positions", "token types", "biases"
FEED_FORWARD = "feed_forward"


@dataclass
class Part:
    """Something that was added to the stream, or on the way from it to what reads it."""

    name: str
    vector: Tensor  # batch query model
    address: tuple[Kind, int] | None = None  # of heads
    head_outputs: Tensor | None = None  # batch query head·dim: what they gave


@dataclass
class StreamParts:
    """The parts of a forward pass under `watching`.

    With `reads_attention`, the graph goes on into every attention module, through what makes its queries and
    keys, and embeddings are told apart: those of tokens, positions and types of token. `places` are the only
    tokens whose parts are leaves then; all, if there are none.
    """

    subject: Subject
    reads_attention: bool = False
    places: Sequence[int] | None = None
    rows: int = 1  # of the batch: what all rows share is told apart by row
    parts: list[Part] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.maps = output_maps(self.subject)
        self._frozen: dict[nn.Module, FrozenNorm] = {}
        self._calls: Counter[nn.Module] = Counter()
        self._attending: tuple[Kind, int] | None = None
        self._mapped: Tensor | None = None  # by a layer beyond the blocks

    def _begin(self) -> None:
        self.parts.clear()
        self._calls.clear()
        self._mapped = None

    @contextmanager
    def watching(self) -> Iterator[StreamParts]:
        """Watch one forward pass, which builds a graph from every part to what reads it, and of nothing
        else."""
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
                    feeds_forward = self._feeds_forward(f"{FEED_FORWARD}.{layer}")
                    yield writer.register_forward_hook(in_this_thread(feeds_forward))
        outputs = {layer_map.module for layer_map in self.maps.values()}
        attentions = {module for module, _ in self.subject.addresses}
        for attention in attentions:
            inside |= set(attention.modules())
            yield attention.register_forward_pre_hook(in_this_thread(self._attends))
        for module in outputs:
            yield module.register_forward_hook(in_this_thread(self._writes))
        in_blocks = {module for stack in stacks for module in stack.modules()}
        for module in set(model.modules()) - inside - outputs:
            if is_norm(module):
                yield module.register_forward_hook(in_this_thread(self._norms))
            elif module in in_blocks or module is self.subject.unembedding:
                continue
            elif isinstance(module, nn.Embedding) and self.reads_attention:
                embeds = self._embeds(_embedding_of(model, module))
                yield module.register_forward_hook(in_this_thread(embeds))
            elif isinstance(module, nn.Linear):
                yield module.register_forward_hook(in_this_thread(self._maps_on))
        if self.reads_attention:
            for module in {m for attention in attentions for m in attention.modules()} - outputs:
                if is_norm(module):
                    yield module.register_forward_hook(in_this_thread(self._norms))
                elif isinstance(getattr(module, "weight", None), nn.Parameter):
                    yield module.register_forward_hook(in_this_thread(self._takes_bias_apart))

    # ---- what happens in the pass: parts become leaves of the graph, and what lies between stays linear

    def part(self, name: str, vector: Tensor, **more: Any) -> Tensor:
        """The same numbers, as a leaf."""
        if self.places is None:
            leaf = vector.detach().requires_grad_()
            self.parts.append(Part(name, leaf, **more))
            return leaf
        along = 1 if vector.ndim > 2 else 0  # OPT's blocks have all rows in one
        there = sorted({place for place in self.places if place < vector.shape[along]})
        chosen = torch.tensor(there, dtype=torch.long, device=vector.device)
        leaf = vector.detach().index_select(along, chosen).requires_grad_()
        if (outputs := more.get("head_outputs")) is not None:
            more["head_outputs"] = outputs.index_select(1, chosen)
        self.parts.append(Part(name, leaf, **more))
        return vector.detach().index_copy(along, chosen, leaf)

    def _embeds(self, name: str) -> Any:
        def hook(_: nn.Module, __: Any, output: Tensor) -> Tensor:
            return self.part(name, output.expand(self.rows, *output.shape[-2:]))

        return hook

    def _enters(self, _: nn.Module, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        self._mapped = None
        entered = args[0] if args else kwargs["hidden_states"]
        if self.reads_attention and entered.requires_grad:  # its embeddings are parts already
            return args, kwargs
        if args:
            return (self.part(EMBEDDINGS, entered), *args[1:]), kwargs
        return args, {**kwargs, "hidden_states": self.part(EMBEDDINGS, entered)}

    def _attends(self, module: nn.Module, *_: Any) -> None:
        self._attending = self.subject.addresses[module, self._calls[module]]
        self._calls[module] += 1
        torch.set_grad_enabled(self.reads_attention)

    def _writes(self, _: nn.Module, args: tuple[Any, ...], output: Tensor) -> Tensor:
        torch.set_grad_enabled(True)
        return self.part("heads", output, address=self._attending, head_outputs=args[0].detach())

    def _feeds_forward(self, name: str) -> Any:
        def hook(_: nn.Module, __: Any, output: Any) -> Any:
            torch.set_grad_enabled(True)
            if isinstance(output, tuple):  # experts give more than what they write
                return (self.part(name, output[0]), *output[1:])
            return self.part(name, output)

        return hook

    def _norms(self, norm: nn.Module, args: tuple[Any, ...], output: Tensor) -> Tensor:
        read = self._hold_gate(args[0])
        if norm not in self._frozen:
            self._frozen[norm] = FrozenNorm.of(norm, read.shape[-1])
        frozen = self._frozen[norm]
        with torch.no_grad():
            scale = frozen.scale(read.float(), output.float())
        linear = frozen.through(read.float(), scale)
        if bool(frozen.bias.any()):
            linear = linear + self.part(BIASES, frozen.bias.expand_as(linear))
        return linear.to(output.dtype)

    def _maps_on(self, linear: nn.Module, _: Any, output: Tensor) -> Tensor:
        self._mapped = self._takes_bias_apart(linear, _, output)
        return self._mapped

    def _takes_bias_apart(self, linear: nn.Module, _: Any, output: Tensor) -> Tensor:
        bias: Tensor | None = getattr(linear, "bias", None)
        if bias is None:
            return output
        return output - bias.detach() + self.part(BIASES, bias.expand_as(output))

    def _hold_gate(self, read: Tensor) -> Tensor:
        """What a norm reads. BERT and its kin have an activation between a layer and its norm, before they
        predict: it becomes a factor that is held as it was."""
        mapped, self._mapped = self._mapped, None
        if mapped is None or mapped is read or mapped.shape != read.shape:
            return read
        return mapped * (read / mapped).detach().nan_to_num(0.0)


def _embedding_of(model: nn.Module, module: nn.Module) -> str:
    """What an embedding is of, by its name."""
    name = next(name for name, other in model.named_modules() if other is module).rpartition(".")[2]
    if "type" in name:
        return TOKEN_TYPES
    return POSITIONS if "pos" in name or name == "wpe" else EMBEDDINGS


def _without_graph(*_: Any) -> None:
    torch.set_grad_enabled(False)
