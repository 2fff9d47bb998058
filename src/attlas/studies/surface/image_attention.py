"""Attention to images: what text tokens do with it apart from the first token, and patches that draw it from
everywhere, as sinks do."""

from __future__ import annotations

import torch
from torch import Tensor

from attlas.corpora.batches import Batch
from attlas.reducers.reducer import ItemMeans, table
from attlas.row import Row
from attlas.studies.surface.causal_heads import choosers, first_of
from attlas.tap.needs import Needs
from attlas.tap.observation import Observation, ObservedCall
from attlas.tap.totals import LEAST

COLUMNS = (("rest_to_image", ""), ("image_sink", ""))


class ImageAttention(ItemMeans):
    """`rest_to_image`: of what text tokens do not give to the first token, the share that goes to images.

    `image_sink`: the mean weight on the one token of the images that gets most, from the text tokens that see
    all images; of heads that read images, from every patch of them. In a head that looks at each text token's
    own patch it is near the average patch's, and where one patch draws everybody it is near 1.
    """

    name = "image_attention"
    needs = Needs(lazy_weights=True)

    def update(self, observation: Observation) -> None:
        for call in observation.calls:
            if call.kind != "vision" and not observation.batch.queries(call.kind).has("image"):
                continue
            values, present = self._values(call, observation.batch)
            self.add_items(f"{call.kind}.{call.layer}", values, present, observation.batch)

    def _values(self, call: ObservedCall, batch: Batch) -> tuple[Tensor, Tensor]:
        """batch head column, twice: the values, and which there are."""
        assert call.lazy_weights is not None
        tokens = batch.queries(call.kind)
        if call.kind == "vision":
            received = call.lazy_weights.received(tokens.real).double()
            sink = received.amax(-1) / tokens.count("all")[:, None]
            values = torch.stack([torch.zeros_like(sink), sink], -1)
            return values, torch.tensor([False, True], device=sink.device).expand_as(values)
        images, text = tokens.members("image"), tokens.members("text")
        if not images.any(-1).all():
            none = torch.zeros(*call.lazy_weights.shape[:2], len(COLUMNS), device=images.device)
            return none, none.bool()
        # text after the last image sees all of them
        after = text & (images.flip(-1).cumsum(-1).flip(-1) == 0)
        received = call.lazy_weights.received(after).double() * images[:, None]
        sink = received.amax(-1) / after.sum(-1).clamp(min=1)[:, None]
        asking = text & choosers(tokens)
        got = call.lazy_weights.received(asking).double()  # batch head key
        rest = (got * (tokens.real & ~first_of(tokens.real))[:, None]).sum(-1)
        share = (got * (images & ~first_of(tokens.real))[:, None]).sum(-1) / rest.clamp(
            min=torch.finfo(rest.dtype).tiny
        )
        enough = (rest >= LEAST * asking.sum(-1)[:, None]) & (rest > 0)
        seen = after.any(-1)[:, None].expand_as(enough)
        return torch.stack([share, sink], -1), torch.stack([enough, seen], -1)

    def rows(self) -> list[Row]:
        return table(self, COLUMNS)
