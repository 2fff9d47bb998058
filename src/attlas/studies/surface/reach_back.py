"""How far back causal heads look: the share of attention that stays near, for windows that double."""

from __future__ import annotations

import torch
from torch import Tensor

from attlas.corpora.batches import Batch
from attlas.reducers.reducer import Row
from attlas.reducers.sums import ItemMeans, table
from attlas.studies.surface.rest import first_of
from attlas.tap.needs import Needs
from attlas.tap.observation import Observation, ObservedCall
from attlas.tap.totals import LEAST

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
