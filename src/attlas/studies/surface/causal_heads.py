"""What heads do apart from the first token, on which decoders park attention that they do not need.

*The rest* of a row is what does not fall on the segment's first token. A head that parks nearly everything
looks focused and like all others that do, whatever it does with the rest: here only that counts. A token
weighs by its rest, so that what a head does where it does something is not drowned by the tokens where it
does nothing."""

from __future__ import annotations

import math
from collections.abc import Sequence

import torch
from torch import Tensor

from attlas.corpora.batches import Batch, Tokens
from attlas.reducers.divergence import divergence_by_segment
from attlas.reducers.reducer import ItemMeans, table
from attlas.row import Row
from attlas.tap.kernels import row_functions
from attlas.tap.needs import Entropy, KernelRequest, Mass, Needs, Offset, RowFunction
from attlas.tap.observation import Observation, ObservedCall
from attlas.tap.totals import LEAST


class Rest(ItemMeans):
    """`rest_to_previous`, `rest_to_self`, `rest_to_class`: of the rest, the share that goes there.
    `rest_entropy`: the entropy of the rest of a row in nats, the rest being taken as 1. Of causal heads.

    The first two tokens are left out: they see no two tokens besides the first.
    """

    name = "rest"
    needs = Needs(lazy_weights=True)

    def __init__(self, classes: Sequence[str]) -> None:
        self.classes = tuple(classes)
        super().__init__()

    def update(self, observation: Observation) -> None:
        for call in observation.calls:
            if call.kind == "decoder":
                totals, rest = self._totals(call, observation.batch)
                enough = rest >= LEAST * choosers(observation.batch.queries("decoder")).sum(-1)[:, None]
                present = (enough & (rest > 0))[..., None]
                values = totals / rest[..., None].clamp(min=torch.finfo(rest.dtype).tiny)
                self.add_items(f"{call.kind}.{call.layer}", values, present, observation.batch)

    def _totals(self, call: ObservedCall, batch: Batch) -> tuple[Tensor, Tensor]:
        """batch head column, and batch head: each column summed over a segment's tokens, and their rests."""
        assert call.lazy_weights is not None
        keys = batch.keys("decoder")
        counted, others = choosers(batch.queries("decoder")), keys.real & ~first_of(keys.real)
        members = [others & keys.members(name) if keys.has(name) else others & False for name in self.classes]
        masses: tuple[RowFunction, ...] = tuple(Mass(name) for name in (*self.classes, "rest"))
        functions = *masses, Offset(-1), Offset(0), Entropy()
        request = KernelRequest(functions, torch.stack([*members, others], -1), keys.real, counted[:, None])
        sums: Tensor | None = None
        for start, rows in call.lazy_weights.blocks():
            here = counted[:, start : start + rows.shape[2]].double()
            values = row_functions(rows * others[:, None, None], request, start)
            rest = values[..., len(members)]
            # Σ -α ln α over the rest, less the entropy that its size alone has, is rest times its own entropy
            values[..., -1] -= torch.special.entr(rest)
            part = torch.einsum("bq,bhqf->bhf", here, values.double())
            sums = part if sums is None else sums + part
        assert sums is not None
        at = len(members)
        return torch.cat([sums[..., :at], sums[..., at + 1 :]], -1), sums[..., at]

    def rows(self) -> list[Row]:
        to_class = [("rest_to_class", name) for name in self.classes]
        others = [(name, "") for name in ("rest_to_previous", "rest_to_self", "rest_entropy")]
        return table(self, [*to_class, *others])


class RestDivergence:
    """How far apart every two heads are in their rests, in one batch: for two rows p and q with rests r and
    s, by the chain rule, JS(p, q) = (what the first token and the sizes r and s make) + J. J is 0 where both
    rests go to the same tokens in the same shares, and at most ½ ln 2 (r + s) - js(r, s), where no token gets
    some of both. The two, summed over a segment, are divided, and ln 2 is what disjoint rests then have.
    Where r = s, that is the divergence of rests taken as 1, tokens weighing by their rest."""

    def __init__(self, queries: Tokens, keys: Tokens) -> None:
        self.first, self.counted, self.keys = first_of(keys.real), choosers(queries), keys.real
        self.by_size: Tensor | float = 0.0  # batch head head: js of first tokens and rests, all tokens
        self.by_rest: Tensor | float = 0.0  # batch head head: js of rests alone, of the tokens that count
        self.rests: Tensor | float = 0.0  # batch head

    def __call__(self, rows: Tensor, start: int) -> None:
        """A block of rows, batch head query key, zero on padding."""
        parked = (rows * self.first[:, None, None]).sum(-1, keepdim=True)
        rest = (rows * (self.keys & ~self.first)[:, None, None]).sum(-1, keepdim=True)
        counts = self.counted[:, None, start : start + rows.shape[2], None]
        self.by_size = self.by_size + divergence_by_segment(torch.cat([parked, rest], -1))
        self.by_rest = self.by_rest + divergence_by_segment(rest * counts)
        self.rests = self.rests + (rest * counts).double().sum((-2, -1))

    def distances(self, whole: Tensor) -> tuple[Tensor, Tensor]:
        """batch head head, twice, of the divergences of whole rows: the distances, and which there are."""
        assert isinstance(self.rests, Tensor)
        most = math.log(2) / 2 * (self.rests[:, :, None] + self.rests[:, None]) - self.by_rest
        enough = self.rests >= LEAST * self.counted.sum(-1, keepdim=True)
        there = enough[:, :, None] & enough[:, None] & (most > 0)
        apart = (whole - self.by_size) / most.clamp(min=torch.finfo(most.dtype).tiny)
        return math.log(2) * apart.clamp(0, 1), there


def choosers(queries: Tokens) -> Tensor:
    """batch query: the tokens that see two others besides the first, itself included."""
    return queries.real & (queries.real.long().cumsum(-1) > 2)


def first_of(real: Tensor) -> Tensor:
    """batch token: True on the first real one."""
    return real & (real.long().cumsum(-1) == 1)


#: tokens back from a token that a window holds, besides itself
WINDOWS = tuple(2**i for i in range(13))


class Reach(ItemMeans):
    """`to_near`: the share that goes to the token itself and the k before it (k is the group), averaged over
    the tokens that see more than these. `rest_to_near`: the same of what does not fall on the first token,
    summed over the tokens that see more besides the first, then divided. Of causal heads."""

    name = "reach"
    needs = Needs(lazy_weights=True)

    def update(self, observation: Observation) -> None:
        for call in observation.calls:
            if call.kind == "decoder":
                values, present = self._shares(call, observation.batch)
                self.add_items(f"{call.kind}.{call.layer}", values, present, observation.batch)

    def _shares(self, call: ObservedCall, batch: Batch) -> tuple[Tensor, Tensor]:
        """batch head column, twice: the shares, and which there are."""
        assert call.lazy_weights is not None
        real, keys = batch.queries("decoder").real, batch.keys("decoder").real
        first = first_of(keys)
        before = real.long().cumsum(-1) - 1  # batch query: how many tokens a token has before it
        windows = torch.tensor(WINDOWS, device=real.device)
        # batch query window: who sees a token beyond the window; and who sees one besides the first
        beyond, beyond_rest = (
            (real[..., None] & (before[..., None] > windows + more)).double() for more in (0, 1)
        )
        near = near_rest = rest = torch.zeros((), dtype=torch.float64, device=real.device)
        for start, rows in call.lazy_weights.blocks():
            queries = slice(start, start + rows.shape[2])
            parked = (rows * first[:, None, None]).sum(-1).double()  # batch head query
            others = (rows * keys[:, None, None]).sum(-1).double() - parked
            inside = _within(rows * (keys & ~first)[:, None, None], start, windows).double()
            # the first token is in no window that counts: who has it there sees nothing beyond
            near = near + torch.einsum("bqw,bhqw->bhw", beyond[:, queries], inside)
            near_rest = near_rest + torch.einsum("bqw,bhqw->bhw", beyond_rest[:, queries], inside)
            rest = rest + torch.einsum("bqw,bhq->bhw", beyond_rest[:, queries], others)
        asked, asked_rest = beyond.sum(1)[:, None], beyond_rest.sum(1)[:, None]  # batch 1 window
        of_rest = near_rest / rest.clamp(min=torch.finfo(rest.dtype).tiny)
        shares = torch.cat([near / asked.clamp(min=1), of_rest], -1)
        some = (asked > 0).expand_as(near)
        some_rest = (asked_rest > 0) & (rest > 0) & (rest >= LEAST * asked_rest)
        return shares.clamp(0, 1), torch.cat([some, some_rest], -1)

    def rows(self) -> list[Row]:
        return table(
            self, [(name, str(window)) for name in ("to_near", "rest_to_near") for window in WINDOWS]
        )


def _within(rows: Tensor, start: int, windows: Tensor) -> Tensor:
    """batch head query window: of rows (batch head query key), what falls on each window. Real tokens stand
    side by side, so that places tell distances with padding, too."""
    queries = torch.arange(start, start + rows.shape[2], device=rows.device)
    back = queries[:, None] - torch.arange(rows.shape[3], device=rows.device)  # query key
    inside = (back >= 0)[..., None] & (back[..., None] <= windows)  # query key window
    return torch.einsum("bhqk,qkw->bhqw", rows, inside.to(rows.dtype))
