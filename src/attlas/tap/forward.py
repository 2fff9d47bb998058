"""One forward pass under way: what its attention calls are answered, and what they leave for observers."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor

from attlas.address import Kind
from attlas.corpora.batches import Batch
from attlas.errors import AttlasError
from attlas.subject.implementation import returned_attentions
from attlas.tap.call import Call
from attlas.tap.kernels import KernelPass, outside_autocast, row_functions, usable
from attlas.tap.lazy_weights import LazyWeights, MovedLengths
from attlas.tap.needs import KernelRequest, Needs, request_for
from attlas.tap.observation import Observation, ObservedCall

if TYPE_CHECKING:
    from attlas.subject import Subject


@dataclass
class Forward:
    subject: Subject
    batch: Batch
    needs: Needs
    kernel: KernelPass
    by_norm: tuple[MovedLengths, KernelPass] | None = None  # where weights by norm are asked for
    calls: list[ObservedCall] = field(default_factory=list)
    to_differentiate: list[tuple[Tensor, Call]] = field(default_factory=list)
    _requests: dict[tuple[Kind, torch.device, bool], KernelRequest] = field(default_factory=dict)

    @property
    def home(self) -> torch.device:
        """Where the batch is, and where observers find what was seen; a layer may be elsewhere."""
        return next(iter(self.batch.sides.values())).real.device

    def answer(self, call: Call) -> Tensor:
        """The call's output, batch head query dim."""
        if call.kind == "vision" and "vision" not in self.batch.sides:
            self._add_patches(call)
        self._check_whole(call)
        result = self.kernel.call(call, self._request(call.kind, call.query.device))
        output = call.edit_output(result.output)
        moved = None
        if self.by_norm is not None and self.needs.moved:
            with torch.no_grad(), outside_autocast(call.query.device):
                moved = self.by_norm[0].of(call).to(self.home)
        if self.by_norm is not None and self.needs.norm_totals and call.kind != "vision":
            lengths, kernel = self.by_norm
            with torch.no_grad():
                kernel.call(lengths.call(call), self._request(call.kind, call.query.device, by_norm=True))
        self.calls.append(
            ObservedCall(
                call.kind,
                call.layer,
                call.query.shape[1],
                None if result.weights is None else result.weights.detach().to(self.home),
                LazyWeights.at(call, result.known, self.home) if self.needs.lazy_weights else None,
                self._sum_over_queries(call.kind, output) if self.needs.head_outputs else None,
                moved=moved,
            )
        )
        if self.needs.differentiates:
            if not output.requires_grad:
                output.requires_grad_()
            self.to_differentiate.append((output, call))
        return output

    def _add_patches(self, call: Call) -> None:
        """How many patches there are is known once they attend."""
        rows, _, patches, _ = call.query.shape
        keys = call.mask.keys
        real = torch.ones(rows, patches, dtype=torch.bool, device=call.query.device) if keys is None else keys
        sides = {**self.batch.sides, "vision": self.subject.classes.positions(real)}
        self.batch = replace(self.batch, sides=sides)

    def check_images(self) -> None:
        """Refuse batches with images of different sizes: the number of patches shows which are whose."""
        images = self.batch.sides["decoder"].classes.get("image")
        if images is not None and bool((images.sum(-1) != images[:1].sum(-1)).any()):
            raise AttlasError(
                f"{self.subject.name}: the items of a batch have images of different sizes: run one at a time"
            )

    def _request(self, kind: Kind, device: torch.device, by_norm: bool = False) -> KernelRequest:
        """What a kernel is asked for in every call of a kind."""
        alike = kind, device, by_norm
        if alike not in self._requests:
            needs = Needs(totals=self.needs.norm_totals) if by_norm else self.needs
            self._requests[alike] = request_for(needs, self.batch, kind).on(device)
        return self._requests[alike]

    def _sum_over_queries(self, kind: Kind, output: Tensor) -> Tensor:
        real = self.batch.queries(kind).real
        with torch.no_grad(), outside_autocast(output.device):
            real = real.to(output.device, torch.float32)
            return torch.einsum("bhqd,bq->bhd", output.detach().float(), real).to(self.home)

    def _check_whole(self, call: Call) -> None:
        """A step of generation has one query and a cache of keys: statistics would be of something else."""
        have = call.query.shape[2], call.key.shape[2]
        queries, keys = self.batch.queries(call.kind), self.batch.keys(call.kind)
        if have != (queries.real.shape[1], keys.real.shape[1]):
            raise AttlasError(
                f"{self.subject.name} was called with {have[0]} queries and {have[1]} keys: observers need "
                "whole forward passes, without a cache"
            )

    def add_gradients(self, losses: Tensor) -> None:
        """Completes what was seen of every call with Σ|dL/dα| and dL/dgate, L being the sum of the losses."""
        outputs = [output for output, _ in self.to_differentiate]
        # models may not read the last layers that see images
        gradients = torch.autograd.grad(losses.sum(), outputs, allow_unused=True, materialize_grads=True)
        for i, gradient in enumerate(gradients):
            output, call = self.to_differentiate[i]
            if self.needs.gates:
                gates = torch.einsum("bhqd,bhqd->bh", output.detach().float(), gradient.float())
                self.calls[i] = self.calls[i]._replace(gates=gates.to(self.home))
            if not self.needs.gradients:
                continue
            keys, queries = self.batch.keys(call.kind), self.batch.queries(call.kind)
            classes = tuple(c for c in sorted(self.needs.gradients) if keys.has(c))
            if not classes:  # patches have none
                continue
            features = torch.stack([keys.members(c) for c in classes], -1)
            marked = queries.real.to(gradient.device), features.to(gradient.device)
            sums, pairs = (tensor.to(self.home) for tensor in class_gradients(call, gradient, *marked))
            self.calls[i] = self.calls[i]._replace(classes=classes, gradients=sums, pairs=pairs)

    def read_returned(self, output: Any) -> None:
        """Models outside the interface: the weights that they return themselves."""
        subject, name = self.subject, type(self.subject.model).__name__
        if self.needs.differentiates or self.needs.head_outputs:
            what = "gradient importance" if self.needs.differentiates else "what a head gives"
            raise AttlasError(
                f"{name} does not use transformers' attention interface: {what} cannot be taken"
            )
        for kind, layer, weights in returned_attentions(output, subject.kinds[0]):
            weights = weights.to(self.home)
            request = self._request(kind, self.home)
            whole = self.batch.queries(kind).real.shape[1], self.batch.keys(kind).real.shape[1]
            if weights.shape[-2:] != whole or hasattr(subject.model.config, "attention_window"):
                raise AttlasError(
                    f"{name} attends in windows of its own and returns those, not a weight for every query "
                    "and key: its heads cannot be observed"
                )
            weights = weights.detach().float() * request.real[:, None, None]
            self.kernel.add_rows(kind, layer, row_functions(weights, request), request)
            kept = weights if self.needs.weights else None
            lazy = LazyWeights.over(weights) if self.needs.lazy_weights else None
            self.calls.append(ObservedCall(kind, layer, weights.shape[1], kept, lazy))

    def _hidden_states(self, output: Any) -> tuple[Tensor, ...]:
        states = getattr(output, "hidden_states", None)
        if states is None:
            states = getattr(output, "encoder_hidden_states", None)
        if not states:
            raise AttlasError(f"{self.subject.name} does not give its hidden states")
        return tuple(state.detach().to(self.home) for state in states)

    def observation(self, output: Any = None, losses: Tensor | None = None) -> Observation:
        return Observation(
            self.batch,
            tuple(self.calls),
            self.kernel.totals(),
            () if self.by_norm is None else self.by_norm[1].totals(),
            output if self.needs.output else None,
            None if losses is None else losses.detach(),
            self._hidden_states(output) if self.needs.hidden_states else (),
        )


@torch.no_grad()
def class_gradients(
    call: Call, gradient: Tensor, real_queries: Tensor, features: Tensor, block_bytes: int = 2**23
) -> tuple[Tensor, Tensor]:
    """Σ|dL/dα_ij| over real queries i and the keys j of each class that i may see, without α: since O = αV,
    dL/dα_ij = dL/dO_i · V_j, so a pass over tiles of dO Vᵀ is enough.

    `gradient` is dL/dO (batch head query dim), `features` marks the classes (batch key class). Returns the
    sums (batch head class) and how many weights each covers (batch class).
    """
    if gradient.is_cuda and "triton" in usable():
        from attlas.tap.triton.tile_passes import gradient_by_key, takes

        if takes(call):
            by_key = gradient_by_key(call, gradient, real_queries)
            members = features.float()
            sums = torch.einsum("bhk,bkc->bhc", by_key, members)
            return sums, torch.einsum("bk,bkc->bc", _seen_from(call, real_queries), members)
    batch, heads, queries, _ = gradient.shape
    features = features.float()  # half precision cannot count
    value = call.per_head(call.value).transpose(-1, -2)  # batch head dim key
    sums = gradient.new_zeros(batch, heads, features.shape[-1], dtype=torch.float32)
    pairs = gradient.new_zeros(batch, features.shape[-1], dtype=torch.float32)
    block = max(1, block_bytes // (4 * batch * heads * value.shape[-1]))
    for start in range(0, queries, block):
        stop = min(start + block, queries)
        live = real_queries[:, None, start:stop, None]  # batch 1 query 1
        allowed = call.mask.allowed(start, stop)
        live = live.expand(-1, -1, -1, value.shape[-1]) if allowed is None else live & allowed
        size = (gradient[:, :, start:stop] @ value).float().abs() * live
        sums += torch.einsum("bhqk,bkc->bhc", size, features)
        pairs += torch.einsum("bqk,bkc->bc", live[:, 0].float(), features)
    return sums, pairs


def _seen_from(call: Call, real_queries: Tensor) -> Tensor:
    """batch key: how many real queries may see each key, if the mask's rows are runs of keys."""
    keys = call.key.shape[2]
    runs = call.mask.runs(real_queries.shape[1], keys, real_queries.device)
    assert runs is not None
    real = real_queries.int()
    # a row begins to be seen from at its first key, and ends past its last
    changes = real.new_zeros(len(real), keys + 1)
    first, past = (bound.long().expand_as(real) for bound in runs[:2])
    changes.scatter_add_(1, first, real).scatter_add_(1, past, -real)
    seen = changes.cumsum(-1)[:, :keys]
    return (seen if call.mask.keys is None else seen * call.mask.keys).float()
