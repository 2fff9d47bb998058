"""Attention among the patches of images, item by item.

What reads images is handed those of the whole batch: a row for each image (or tile of it), or one row in
which all stand one after the other. Here the patches of an item's images become one row, as its tokens are,
and each patch sees those of its own image, or window, alone.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import torch
from torch import Tensor

from attlas.errors import AttlasError
from attlas.tap.making_masks import as_mask, of_documents
from attlas.tap.mask import Mask


@dataclass
class PatchRows:
    """Of one forward pass: which mask the layers' calls have, once their patches stand by item."""

    items: int
    name: str  # of the model
    _masks: dict[tuple[int, ...], tuple[Any, Mask]] = field(default_factory=dict)

    def by_item(self, tensor: Tensor) -> Tensor:
        """image head patch dim -> item head patch dim."""
        images, heads, patches, dim = tensor.shape
        if images == self.items:
            return tensor
        if images * patches % self.items:
            raise AttlasError(
                f"{self.name}: the items of a batch have images of different sizes: run one at a time"
            )
        flat = tensor.transpose(1, 2).reshape(self.items, -1, heads, dim)
        return flat.transpose(1, 2)

    def mask(self, handed: Any, ends: Tensor | None, query: Tensor) -> Mask:
        """Of patches by item. `handed` is the model's own of `query` (image head patch dim), if it has one;
        `ends`: where each image, or window, ends that stands in a row with others, after a 0."""
        alike = id(handed), id(ends), *query.shape
        if alike not in self._masks:
            self._masks[alike] = (handed, ends), self._mask(handed, ends, query)
        return self._masks[alike][1]

    def _mask(self, handed: Any, ends: Tensor | None, query: Tensor) -> Mask:
        images, _, patches, _ = query.shape
        if ends is not None:
            place = torch.arange(images * patches, device=query.device)
            document = torch.searchsorted(ends.to(place), place, right=True)
            return of_documents(document.view(self.items, -1))
        mask = as_mask(handed, query, query, causal=False)
        if images == self.items:
            return mask
        place = torch.arange(images * patches // self.items, device=query.device)
        document = (place // patches).expand(self.items, -1)
        if mask.form == "full":
            return of_documents(document, None if mask.keys is None else mask.keys.reshape(self.items, -1))
        if images > 1:
            raise AttlasError(f"{self.name} has a mask for each image: run batches of one image")
        # one row of all images already
        dense = mask.rows(0, patches)
        side = patches // self.items
        parts = [dense[..., i * side : (i + 1) * side, i * side : (i + 1) * side] for i in range(self.items)]
        whole = torch.cat(parts)
        return Mask("other", None, lambda start, stop: whole[:, :, start:stop])
