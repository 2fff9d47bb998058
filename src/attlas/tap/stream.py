"""What heads write into the residual stream, token by token, watched while a model runs.

What a head gives goes through its part of the output map, and perhaps through a norm (Gemma 2), and is added
to the stream. The stream is what the norm before attention reads; but where that norm belongs to what came
before (BERT), it is what attention itself reads, as the sum that the next norm reads then shows.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import torch
from torch import Tensor, nn

from attlas.address import Kind
from attlas.errors import AttlasError
from attlas.subject.blocks import FrozenNorm, is_norm
from attlas.subject.projections import OutputMap, output_map
from attlas.subject.sharing import in_this_thread

if TYPE_CHECKING:
    from attlas.subject import Subject

RECENT = 4  # norms among which the attention's own is looked for: Falcon runs two before it attends


class HeadWrites(NamedTuple):
    """What the heads of one attention call added to the stream."""

    kind: Kind
    layer: int
    lengths: Tensor  # batch query head: of the vector that the head adds
    cosines: Tensor  # batch query head: of that vector with the stream
    stream: Tensor  # batch query: the length of the stream
    largest: Tensor  # batch query: the largest entry of the stream, whatever its sign
    dimension: Tensor  # batch query: where that is
    median: Tensor  # batch query: the median of the stream's entries, whatever their signs
    width: int  # entries of the stream
    gates: Tensor | None = None  # batch query head: what a gate multiplies a head's output by, on average


def output_maps(subject: Subject) -> dict[tuple[Kind, int], OutputMap]:
    """By kind and layer; without those layers whose output map is not known."""
    names = {module: name for name, module in subject.model.named_modules()}
    maps = {}
    for call, (kind, layer) in subject.addresses.items():
        heads = sum((head.kind, head.layer) == (kind, layer) for head in subject.heads)
        known = None if call in subject.repeated else output_map(subject.model, names[call[0]], heads)
        if known is not None:
            maps[kind, layer] = known
    return {} if subject.repeated else maps


def no_writes(subject: Subject) -> str | None:
    """Why it is not known what the heads of a model write; None where it is."""
    if not subject.interface:
        return f"{subject.name} does not use transformers' attention interface"
    if not output_maps(subject):
        return f"the output maps of {subject.name} were not found"
    return None


@dataclass
class _Written:
    """A call whose heads have written, until it is known whether a norm comes after."""

    kind: Kind
    layer: int
    read: Tensor  # batch query model: by the attention
    before: Tensor | None  # what a norm made that of
    head_outputs: Tensor  # batch query head·dim
    output: Tensor  # batch query model: what the output map made of it
    gates: Tensor | None = None  # batch query head
    normed: Tensor | None = None  # and a norm of that
    norm: nn.Module | None = None


@dataclass
class StreamWatch:
    """Collects `writes` from the hooks of one forward pass."""

    subject: Subject
    writes: list[HeadWrites] = field(default_factory=list)

    def __post_init__(self) -> None:
        if (reason := no_writes(self.subject)) is not None:
            raise AttlasError(f"what heads write cannot be measured: {reason}")
        self._maps = output_maps(self.subject)
        self._frozen: dict[nn.Module, FrozenNorm] = {}
        self._adds_to_read: dict[tuple[Kind, int], bool] = {}  # whether attention reads the stream itself
        self._begin()

    def _begin(self) -> None:
        self.writes = []
        self._calls: Counter[nn.Module] = Counter()
        self._norms: deque[tuple[Tensor, Tensor]] = deque(maxlen=RECENT)  # what norms gave, and read
        self._attending: tuple[Kind, int, Tensor, Tensor | None] | None = None
        self._written: _Written | None = None
        self.attended: Tensor | None = None  # batch query head dim: what the last call's heads gave

    @contextmanager
    def watching(self) -> Iterator[StreamWatch]:
        """Watch one forward pass."""
        self._begin()
        model: Any = self.subject.model
        with ExitStack() as hooks:
            # the first run without predictions is preceded by a survey of what then attends
            base = getattr(model, "base_model", model)
            begins = base.register_forward_pre_hook(in_this_thread(lambda *_: self._begin()))
            hooks.callback(begins.remove)
            for module in {attention for attention, _ in self.subject.addresses}:
                handle = module.register_forward_pre_hook(in_this_thread(self._attends), with_kwargs=True)
                hooks.callback(handle.remove)
            for layer_map in {m.module: m for m in self._maps.values()}.values():
                writes = layer_map.module.register_forward_hook(in_this_thread(self._writes))
                hooks.callback(writes.remove)
            for module in self.subject.model.modules():
                if is_norm(module):
                    hooks.callback(module.register_forward_hook(in_this_thread(self._after_norm)).remove)
            yield self
            self._finish()

    def _attends(self, module: nn.Module, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        self._finish()
        address = self.subject.addresses[module, self._calls[module]]
        self._calls[module] += 1
        read = args[0] if args else kwargs["hidden_states"]
        before = next((before for after, before in self._norms if after is read), None)
        self._attending = *address, read, before

    def _writes(self, _: nn.Module, args: tuple[Any, ...], output: Tensor) -> None:
        if self._attending is not None:
            gates = None if self.attended is None else _gates(self.attended.detach(), args[0].detach())
            self._written = _Written(*self._attending, args[0], output, gates)
            self._attending = self.attended = None

    def _after_norm(self, norm: nn.Module, args: tuple[Any, ...], output: Tensor) -> None:
        written = self._written
        if written is not None and args[0] is written.output:
            written.normed, written.norm = output, norm
        elif written is not None and (written.kind, written.layer) not in self._adds_to_read:
            self._adds_to_read[written.kind, written.layer] = _is_sum(args[0], written.read, written.output)
        self._norms.append((output, args[0]))

    def _finish(self) -> None:
        if self._written is not None:
            with torch.no_grad():
                self.writes.append(self._measure(self._written))
        self._written = None

    def _measure(self, written: _Written) -> HeadWrites:
        maps = self._maps[written.kind, written.layer]
        is_read = written.before is None or self._adds_to_read.get((written.kind, written.layer), False)
        stream = (written.read if is_read or written.before is None else written.before).detach().float()
        through = partial(torch.mul, _multiplier(self.subject))
        if written.norm is not None and written.normed is not None:
            if written.norm not in self._frozen:
                self._frozen[written.norm] = FrozenNorm.of(written.norm, stream.shape[-1])
            frozen = self._frozen[written.norm]
            scale = frozen.scale(written.output.float(), written.normed.float())
            through = partial(frozen.through, scale=scale)
        size = torch.linalg.vector_norm(stream, dim=-1)
        outputs = written.head_outputs.detach().float().unflatten(-1, (len(maps.weights), -1))  # type: ignore[no-untyped-call]
        lengths, cosines = [], []
        for head, weight in enumerate(maps.weights):
            vector = through(outputs[..., head, :] @ weight.float().T)  # batch query model
            length = torch.linalg.vector_norm(vector, dim=-1)
            lengths.append(length)
            cosines.append((vector * stream).sum(-1) / (length * size).clamp(min=1e-30))
        entries = stream.abs()
        largest, dimension = entries.max(-1)
        return HeadWrites(
            written.kind,
            written.layer,
            torch.stack(lengths, -1),
            torch.stack(cosines, -1),
            size,
            largest,
            dimension,
            entries.median(-1).values,
            stream.shape[-1],
            written.gates,
        )


def _gates(gave: Tensor, taken: Tensor) -> Tensor | None:
    """What a model multiplies the output of its heads by before the output map takes it (Qwen3-Next), from 0
    to 1: batch query head. None where it takes what they give, or does something else with it."""
    if taken.data_ptr() == gave.data_ptr() or taken.numel() != gave.numel():
        return None
    divisor = gave.float()
    factor = torch.where(divisor == 0, 0.0, taken.view_as(gave).float() / divisor)
    rounding = 2 * torch.finfo(gave.dtype).eps
    inside = (factor >= 0) & (factor <= 1 + rounding)
    if not bool(inside.all()) or bool((factor >= 1 - rounding).all()):
        return None
    return factor.sum(-1) / (divisor != 0).sum(-1).clamp(min=1)


def _is_sum(sum_: Tensor, *parts: Tensor) -> bool:
    if any(part.shape != sum_.shape for part in parts):
        return False
    rest = sum_.detach().float()
    for part in parts:
        rest = rest - part.detach().float()
    return bool(rest.norm() < 1e-2 * sum_.detach().float().norm())


def _multiplier(subject: Subject) -> Tensor:
    """What Granite multiplies by before it adds to the stream."""
    config = getattr(subject.model.config, "text_config", subject.model.config)
    return torch.tensor(float(getattr(config, "residual_multiplier", 1.0)), device=subject.device)
