"""The seam: the one place where Attlas reaches into a model.

transformers looks its attention function up by name for every call. While a tap is open, that name is ours.
A model has one seam however many taps are open on it: the edits of all of them change the weights, outermost
first, and then the reducers of all of them see the result.
"""

from __future__ import annotations

import inspect
import itertools
from collections import Counter
from dataclasses import dataclass, field, replace
from functools import lru_cache, reduce
from operator import or_
from typing import TYPE_CHECKING, Any, NamedTuple
from weakref import WeakKeyDictionary

import torch
from torch import Tensor, nn
from transformers import AttentionInterface, AttentionMaskInterface

from attlas.address import Kind
from attlas.corpora.batches import Batch
from attlas.errors import AttlasError
from attlas.tap.call import Call, WeightEdit
from attlas.tap.gradients import class_gradients
from attlas.tap.kernels import Again, Ask, Kernel, outside_autocast, row_functions
from attlas.tap.look import Look
from attlas.tap.mask import as_mask, mask_function
from attlas.tap.needs import Mass, Needs, Offset, RowFunction, Total
from attlas.tap.observation import Observation, Seen, Unsummed, places
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
    repeats: dict[tuple[Kind, int], Repeat] = field(default_factory=dict)  # by kind and mask


class Repeat(NamedTuple):
    """How a later call is answered like an earlier one of the pass: on a GPU, all that the host does for each
    layer would take longer than the layer's attention."""

    mask: Any  # as the model gave it
    rest: tuple[Any, ...]  # what else must be the same
    again: Again
    columns: tuple[Total, ...]
    places: tuple[int, ...]


class Layout(NamedTuple):
    """How totals are made of row functions and groups of queries."""

    columns: tuple[Total, ...]
    functions: tuple[RowFunction, ...]
    groups: tuple[str, ...]


@dataclass(frozen=True)
class Plan:
    """What the kernel is asked for in each call of a kind, and how rows add up to totals."""

    ask: Ask
    layout: Layout
    groups: Tensor  # batch group query: members of each class of queries
    found: dict[Any, tuple[int, ...]] = field(default_factory=dict, compare=False)

    def places(self, columns: tuple[int, ...], width: int) -> tuple[int, ...]:
        """Where each total is among sums of (group column), given the column of each function."""
        if (columns, width) not in self.found:
            group, function = self.layout.groups.index, self.layout.functions.index
            self.found[columns, width] = tuple(
                group(t.over) * width + columns[function(t.of)] for t in self.layout.columns
            )
        return self.found[columns, width]


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
        needs = reduce(or_, (tap.needs for tap in self.taps))
        batch, self.next_batch = self.next_batch, None
        if batch is None and needs != Needs():
            named = inspect.signature(model.forward).bind_partial(*args, **kwargs).arguments
            batch = self.subject.annotate({k: v for k, v in named.items() if isinstance(v, Tensor)})
        for tap in self.taps:
            tap.ran = True
        self.forward = None if batch is None else Forward(batch, needs, self.keep_next)
        self.keep_next = False
        if not self.subject.interface:
            return args, {**kwargs, "output_attentions": True}
        return None

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
        if forward is None:
            return
        device = next(iter(forward.batch.sides.values())).real.device
        with torch.no_grad(), outside_autocast(device):
            observation = Observation(forward.batch, tuple(forward.seen))
            for tap in self.taps:
                for watcher in tap.watchers:
                    watcher.update(observation)

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
        address = self.subject.addresses.get((module, self._calls[module]))
        if address is None:
            raise AttlasError(
                f"{self.subject.name}: {type(module).__name__} was called more often in one forward pass "
                "than in the survey, so that its layer is unknown"
            )
        kind, layer = address
        self._calls[module] += 1
        causal = getattr(module, "is_causal", True) if is_causal is None else is_causal
        scaling = query.shape[-1] ** -0.5 if scaling is None else scaling
        rest = causal, softcap, dropout, position_bias is None, s_aux is None
        repeat = None if self.forward is None else self.forward.repeats.get((kind, id(attention_mask)))
        if repeat is not None and repeat.mask is attention_mask and repeat.rest == rest:
            repeated = repeat.again(query, key, value, scaling, softcap)
            if repeated is not None and self.forward is not None:
                totals = Unsummed(repeated[1], repeat.places)
                self.forward.seen.append(Seen(kind, layer, repeat.columns, totals))
                return repeated[0], None
        call = Call(
            kind,
            layer,
            query,
            key,
            value,
            as_mask(attention_mask, query, key, causal),
            scaling=scaling,
            softcap=softcap,
            bias=position_bias,
            sinks=s_aux,
            dropout=dropout,
            edits=self._edits(kind, layer),
        )
        output, again = self._watch(call)
        if again is not None and self.forward is not None:
            one = self.forward.seen[-1]
            assert isinstance(one.sums, Unsummed)
            self.forward.repeats[kind, id(attention_mask)] = Repeat(
                attention_mask, rest, again, one.columns, one.sums.places
            )
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

    def _watch(self, call: Call) -> tuple[Tensor, Again | None]:
        """The output; and how to answer later calls, where nobody but the reducers has a part in them."""
        kernel: Kernel = self.taps[-1].kernel
        forward = self.forward
        if forward is None:
            nothing = Ask((), call.key.new_empty(call.key.shape[0], call.key.shape[2], 0), call.key, False)
            return kernel(call, nothing).output, None
        self._check_whole(call, forward.batch)
        if call.kind not in forward.plans:
            forward.plans[call.kind] = make_plan(forward.needs, forward.batch, call.kind)
        plan = forward.plans[call.kind]
        answer = kernel(call, plan.ask)
        totals: Tensor | Unsummed
        if answer.sums is not None:
            totals = Unsummed(answer.sums, plan.places(answer.columns, answer.width))
        elif answer.rows is not None:
            with torch.no_grad(), outside_autocast(answer.rows.device):
                totals = add_up(answer.rows.detach(), plan)
        else:
            totals = call.query.new_empty(*call.query.shape[:2], 0)
        weights = None if answer.weights is None else answer.weights.detach()
        look = Look.at(call, answer.known) if forward.needs.look else None
        forward.seen.append(Seen(call.kind, call.layer, plan.layout.columns, totals, weights, look))
        output = answer.output
        if forward.needs.gradients:
            if not output.requires_grad:
                output.requires_grad_()
            forward.outputs.append((output, call))
        alone = not any(tap.edits or tap.listener for tap in self.taps)
        return output, answer.again if alone else None

    def _check_whole(self, call: Call, batch: Batch) -> None:
        """A step of generation has one query and a cache of keys: statistics would be of something else."""
        have = call.query.shape[2], call.key.shape[2]
        if have != (batch.queries(call.kind).real.shape[1], batch.keys(call.kind).real.shape[1]):
            raise AttlasError(
                f"{self.subject.name} was called with {have[0]} queries and {have[1]} keys: reducers need "
                "whole forward passes, without a cache"
            )

    def add_gradients(self, loss: Tensor) -> None:
        """Completes the pass's observation with Σ|dL/dα| of every call."""
        assert self.forward is not None
        outputs = [output for output, _ in self.forward.outputs]
        if not outputs:
            raise AttlasError("a loss was given, but no reducer asks for gradients")
        calls = [call for _, call in self.forward.outputs]
        for i, gradient in enumerate(torch.autograd.grad(loss, outputs)):
            keys = self.forward.batch.keys(calls[i].kind)
            queries = self.forward.batch.queries(calls[i].kind)
            classes = tuple(c for c in sorted(self.forward.needs.gradients) if keys.has(c))
            features = torch.stack([keys.members(c) for c in classes], -1)
            sums, pairs = class_gradients(calls[i], gradient, queries.real, features)
            self.forward.seen[i] = replace(self.forward.seen[i], classes=classes, gradients=sums, pairs=pairs)

    def _read_returned(self, output: Any, forward: Forward) -> None:
        """Models outside the interface: the weights that they return themselves."""
        if forward.needs.gradients:
            raise AttlasError(
                f"{type(self.subject.model).__name__} does not use transformers' attention interface: "
                "gradient importance cannot be taken"
            )
        for kind, layer, weights in returned_attentions(output, self.subject.kinds[0]):
            if kind not in forward.plans:
                forward.plans[kind] = make_plan(forward.needs, forward.batch, kind)
            plan = forward.plans[kind]
            whole = forward.batch.queries(kind).real.shape[1], forward.batch.keys(kind).real.shape[1]
            if weights.shape[-2:] != whole or hasattr(self.subject.model.config, "attention_window"):
                raise AttlasError(
                    f"{type(self.subject.model).__name__} attends in windows of its own and returns those, "
                    "not a weight for every query and key: its heads cannot be observed"
                )
            weights = weights.detach().float() * plan.ask.real[:, None, None]
            totals = add_up(row_functions(weights, plan.ask), plan)
            kept = weights if plan.ask.weights else None
            look = Look.over(weights) if forward.needs.look else None
            forward.seen.append(Seen(kind, layer, plan.layout.columns, totals, kept, look))


def make_plan(needs: Needs, batch: Batch, kind: Kind) -> Plan:
    queries, keys = batch.queries(kind), batch.keys(kind)
    layout = _layout(needs.totals, kind, frozenset(queries.classes), frozenset(keys.classes))
    features = [keys.members(f.on) for f in layout.functions if isinstance(f, Mass)]
    real = keys.real
    groups = (
        torch.stack([queries.members(g) for g in layout.groups], 1).float()
        if layout.groups
        else queries.real.new_empty(len(queries.real), 0, queries.real.shape[1], dtype=torch.float32)
    )
    ask = Ask(
        layout.functions,
        torch.stack(features, -1).float() if features else real.new_empty(*real.shape, 0).float(),
        real,
        needs.weights,
        groups,
        needs.look,
    )
    return Plan(ask, layout, groups)


@lru_cache
def _layout(totals: frozenset[Total], kind: Kind, queries: frozenset[str], keys: frozenset[str]) -> Layout:
    """The totals that mean something: a class may not exist on this side; offsets are for one sequence."""

    def has_meaning(total: Total) -> bool:
        if total.over not in {*queries, "all"}:
            return False
        match total.of:
            case Offset():
                return kind != "cross"
            case Mass(on):
                return on in {*keys, "all"}
            case _:
                return True

    columns = tuple(t for t in sorted(totals, key=repr) if has_meaning(t))
    functions = dict.fromkeys(t.of for t in columns)
    return Layout(columns, tuple(functions), tuple(dict.fromkeys(t.over for t in columns)))


def add_up(rows: Tensor, plan: Plan) -> Tensor:
    """batch head query function -> batch head column."""
    sums = torch.einsum("bgq,bhqf->bghf", plan.groups.to(rows.dtype), rows)
    chosen = plan.places(tuple(range(len(plan.layout.functions))), sums.shape[-1])
    return sums.transpose(1, 2).flatten(2).index_select(-1, places(chosen, rows.device))
