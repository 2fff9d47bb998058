"""The seam: the one place where Attlas reaches into a model.

transformers looks its attention function up by name for every call. While a tap is open, that name is ours.
A model has one seam however many taps are open on it: the edits of all of them change the weights, outermost
first, and then the reducers of all of them see the result.
"""

from __future__ import annotations

import itertools
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

import torch
from torch import Tensor, nn
from transformers import AttentionInterface, AttentionMaskInterface

from attlas.address import Kind
from attlas.corpora.batches import Batch, Tokens
from attlas.errors import AttlasError
from attlas.tap.call import Call, WeightEdit
from attlas.tap.gradients import class_gradients
from attlas.tap.kernels import Ask, Kernel, row_functions
from attlas.tap.mask import as_mask, mask_function
from attlas.tap.needs import Mass, Needs, Offset, Total
from attlas.tap.observation import Observation, Seen
from attlas.tap.returned import returned_attentions

if TYPE_CHECKING:
    from attlas.subject import Subject
    from attlas.tap.tap import Tap

_numbers = itertools.count()
_seams: WeakKeyDictionary[nn.Module, Seam] = WeakKeyDictionary()


def seam_of(subject: Subject) -> Seam:
    return _seams.setdefault(subject.model, Seam(subject))


@dataclass
class Forward:
    """One forward pass under way."""

    batch: Batch
    needs: Needs
    keep: bool = False  # hold the observation back until `Tap.run` has taken gradients
    seen: list[Seen] = field(default_factory=list)
    outputs: list[tuple[Tensor, Call]] = field(default_factory=list)
    plans: dict[Kind, Plan] = field(default_factory=dict)


@dataclass(frozen=True)
class Plan:
    """What the kernel is asked for in each call of a kind, and how rows add up to totals."""

    ask: Ask
    columns: tuple[Total, ...]
    groups: Tensor  # batch query group: members of each class of queries
    picks: tuple[Tensor, Tensor]  # for each column, its function and its group


class Seam:
    def __init__(self, subject: Subject) -> None:
        self.subject = subject
        self.taps: list[Tap] = []
        self.next_batch: Batch | None = None
        self.keep_next = False
        self.forward: Forward | None = None
        self._calls: Counter[nn.Module] = Counter()
        self._undo: list[Any] = []

    def open(self, tap: Tap) -> None:
        if not self.taps:
            self._attach()
        self.taps.append(tap)

    def close(self, tap: Tap) -> None:
        self.taps.remove(tap)
        if not self.taps:
            self._detach()

    def _attach(self) -> None:
        model = self.subject.model
        if self.subject.interface:
            name = f"attlas-{next(_numbers)}"
            AttentionInterface.register(name, self._attend)
            # without a mask function of the same name, transformers drops the padding mask in silence
            AttentionMaskInterface.register(name, mask_function)
            self._undo.append(lambda: AttentionInterface._global_mapping.pop(name))
            self._undo.append(lambda: AttentionMaskInterface._global_mapping.pop(name))
        else:
            name = "eager"
        for config in {id(m.config): m.config for m in model.modules() if hasattr(m, "config")}.values():
            self._switch(config, name)
        before = model.register_forward_pre_hook(self._before_forward, with_kwargs=True)
        after = model.register_forward_hook(self._after_forward)
        self._undo += [before.remove, after.remove]

    def _switch(self, config: Any, name: str) -> None:
        previous = getattr(config, "_attn_implementation_internal", None)
        config._attn_implementation_internal = name
        self._undo.append(lambda: setattr(config, "_attn_implementation_internal", previous))

    def _detach(self) -> None:
        while self._undo:
            self._undo.pop()()
        self.forward = self.next_batch = None
        _seams.pop(self.subject.model, None)

    def _before_forward(self, model: nn.Module, args: Any, kwargs: dict[str, Any]) -> Any:
        self._calls.clear()
        needs = Needs()
        for tap in self.taps:
            for reducer in tap.reducers:
                needs |= reducer.needs
        batch, self.next_batch = self.next_batch, None
        if batch is None and needs != Needs():
            batch = self.subject.annotate(kwargs)
        self.forward = None if batch is None else Forward(batch, needs, self.keep_next)
        self.keep_next = False
        if not self.subject.interface:
            self._refuse_edits()
            return args, {**kwargs, "output_attentions": True}
        return None

    def _refuse_edits(self) -> None:
        if any(tap.edits for tap in self.taps):
            raise AttlasError(
                f"{type(self.subject.model).__name__} does not use transformers' attention interface: "
                "its heads can be observed, but not edited"
            )

    def _after_forward(self, model: nn.Module, args: Any, output: Any) -> None:
        if self.forward is None:
            return
        if not self.subject.interface:
            self._read_returned(output, self.forward)
        if not self.forward.keep:
            self.finish()

    def finish(self) -> None:
        """Hands the forward pass to every reducer."""
        forward, self.forward = self.forward, None
        if forward is not None:
            observation = Observation(forward.batch, tuple(forward.seen))
            for tap in self.taps:
                for reducer in tap.reducers:
                    reducer.update(observation)

    def _attend(
        self,
        module: nn.Module,
        query: Tensor,
        key: Tensor,
        value: Tensor,
        attention_mask: Any,
        scaling: float | None = None,
        dropout: float = 0.0,
        is_causal: bool | None = None,
        softcap: float | None = None,
        position_bias: Tensor | None = None,
        s_aux: Tensor | None = None,
        **_: Any,
    ) -> tuple[Tensor, None]:
        """What Attlas registers in transformers' AttentionInterface; the arguments are transformers'."""
        kind, layer = self.subject.addresses[module, self._calls[module]]
        self._calls[module] += 1
        causal = getattr(module, "is_causal", True) if is_causal is None else is_causal
        call = Call(
            kind,
            layer,
            query,
            key,
            value,
            as_mask(attention_mask, query, key, causal),
            scaling=query.shape[-1] ** -0.5 if scaling is None else scaling,
            softcap=softcap,
            bias=position_bias,
            sinks=s_aux,
            dropout=dropout,
            edits=self._edits(kind, layer),
        )
        output = self._watch(call)
        for tap in self.taps:
            if tap.listener is not None:
                tap.listener(call)
        return output.transpose(1, 2).contiguous(), None

    def _edits(self, kind: Kind, layer: int) -> tuple[WeightEdit, ...]:
        found = []
        for tap in self.taps:
            for edit in tap.edits:
                if (change := edit.at(kind, layer)) is not None:
                    tap.applied.add(edit)
                    found.append(change)
        return tuple(found)

    def _watch(self, call: Call) -> Tensor:
        kernel: Kernel = self.taps[-1].kernel
        forward = self.forward
        if forward is None:
            nothing = Ask((), call.key.new_empty(call.key.shape[0], call.key.shape[2], 0), call.key, False)
            return kernel(call, nothing).output
        if call.kind not in forward.plans:
            forward.plans[call.kind] = make_plan(forward.needs, forward.batch, call.kind)
        plan = forward.plans[call.kind]
        answer = kernel(call, plan.ask)
        with torch.no_grad():
            totals = add_up(answer.rows.detach(), plan)
        weights = None if answer.weights is None else answer.weights.detach()
        forward.seen.append(Seen(call.kind, call.layer, plan.columns, totals, weights))
        output = answer.output
        if forward.needs.gradients:
            if not output.requires_grad:
                output.requires_grad_()
            forward.outputs.append((output, call))
        return output

    def add_gradients(self, loss: Tensor) -> None:
        """Completes the pass's observation with Σ|dL/dα| of every call."""
        assert self.forward is not None
        outputs = [output for output, _ in self.forward.outputs]
        calls = [call for _, call in self.forward.outputs]
        for i, gradient in enumerate(torch.autograd.grad(loss, outputs)):
            keys = self.forward.batch.keys(calls[i].kind)
            queries = self.forward.batch.queries(calls[i].kind)
            classes = tuple(c for c in sorted(self.forward.needs.gradients) if keys.has(c))
            features = torch.stack([keys.members(c) for c in classes], -1)
            sums, pairs = class_gradients(calls[i], gradient, queries.real, features)
            old = self.forward.seen[i]
            self.forward.seen[i] = Seen(
                old.kind, old.layer, old.columns, old.totals, old.weights, classes, sums, pairs
            )

    def _read_returned(self, output: Any, forward: Forward) -> None:
        """Models outside the interface: the weights that they return themselves."""
        if forward.needs.gradients:
            raise AttlasError(
                f"{type(self.subject.model).__name__} does not use transformers' attention interface: "
                "gradient importance cannot be taken"
            )
        for kind, layer, weights in returned_attentions(output):
            if kind not in forward.plans:
                forward.plans[kind] = make_plan(forward.needs, forward.batch, kind)
            plan = forward.plans[kind]
            weights = weights.detach().float() * plan.ask.real[:, None, None]
            totals = add_up(row_functions(weights, plan.ask), plan)
            kept = weights if plan.ask.weights else None
            forward.seen.append(Seen(kind, layer, plan.columns, totals, kept))


def make_plan(needs: Needs, batch: Batch, kind: Kind) -> Plan:
    queries, keys = batch.queries(kind), batch.keys(kind)
    columns = tuple(t for t in sorted(needs.totals, key=repr) if _has_meaning(t, kind, queries, keys))
    functions = tuple(dict.fromkeys(t.of for t in columns))
    groups = tuple(dict.fromkeys(t.over for t in columns))
    features = [keys.members(f.on) for f in functions if isinstance(f, Mass)]
    real = keys.real
    return Plan(
        ask=Ask(
            functions,
            torch.stack(features, -1).float() if features else real.new_empty(*real.shape, 0, dtype=torch.float32),
            real,
            needs.weights,
        ),
        columns=columns,
        groups=torch.stack([queries.members(g) for g in groups], -1).float()
        if groups
        else queries.real.new_empty(*queries.real.shape, 0, dtype=torch.float32),
        picks=(
            torch.tensor([functions.index(t.of) for t in columns], dtype=torch.long, device=real.device),
            torch.tensor([groups.index(t.over) for t in columns], dtype=torch.long, device=real.device),
        ),
    )


def _has_meaning(total: Total, kind: Kind, queries: Tokens, keys: Tokens) -> bool:
    """Offsets mean nothing between two sequences; a class may not exist on this side."""
    if not queries.has(total.over):
        return False
    match total.of:
        case Offset():
            return kind != "cross"
        case Mass(on):
            return keys.has(on)
        case _:
            return True


def add_up(rows: Tensor, plan: Plan) -> Tensor:
    """batch head query function -> batch head column."""
    sums = torch.einsum("bhqf,bqg->bhfg", rows, plan.groups.to(rows.dtype))
    return sums[:, :, plan.picks[0], plan.picks[1]]
