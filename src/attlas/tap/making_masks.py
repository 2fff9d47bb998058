"""Masks out of what transformers asks for and models hand over.

Every mask that transformers 5 makes, and what becomes of it. A row is a *run* if the keys that it sees stand
side by side; nobody has to know how a mask was made to see that its rows are runs.

| mask | made by | form |
|---|---|---|
| every key | `create_bidirectional_mask` | `full`, fused |
| up to the query | `create_causal_mask` | `causal`, fused |
| a window, before the query or around it | `create_(bidirectional_)sliding_window_*mask` | `window`, fused |
| chunks (Llama-4) | `create_chunked_causal_mask` | runs, fused |
| packed documents | positions that begin anew, in any of these | runs, fused |
| images that see themselves whole (Gemma 3) | `block_sequence_ids`, in any of these | runs, fused |
| a prefix that sees itself whole (PaliGemma) | `block_sequence_ids`, `or_mask_function` | runs, fused |
| another function of query and key | `and_mask_function`, `or_mask_function` | fused if all rows are runs |
| a matrix that a model makes itself | the model | fused if all rows are runs |
| keys that an index chose (sparse attention) | the model | not fused: a sample of rows is observed |
| padding anywhere, beside any of these | `attention_mask` | `keys`, fused |
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache, partial
from typing import Any

import torch
from torch import Tensor
from transformers import masking_utils

from attlas.errors import AttlasError
from attlas.tap.mask import Form, Mask, Reach, rows_of


def mask_function(
    batch_size: int,
    q_length: int,
    kv_length: int,
    q_offset: int = 0,
    kv_offset: int = 0,
    mask_function: Callable[..., Any] = masking_utils.causal_mask_function,
    attention_mask: Tensor | Mask | None = None,
    **rest: Any,
) -> Mask:
    """What Attlas registers in transformers' AttentionMaskInterface; the arguments are transformers'."""
    if isinstance(attention_mask, Mask):  # a model that hands its mask to another (PaliGemma)
        return attention_mask
    for skip in ("allow_is_causal_skip", "allow_is_bidirectional_skip", "local_size", "config", "dtype"):
        rest.pop(skip, None)

    def rows(start: int, stop: int, padding: Tensor | None = attention_mask) -> Tensor:
        allowed: Tensor = masking_utils.sdpa_mask(
            batch_size=batch_size,
            q_length=stop - start,
            kv_length=kv_length,
            q_offset=q_offset + start,
            kv_offset=kv_offset,
            mask_function=mask_function,
            attention_mask=padding,
            allow_is_causal_skip=False,
            allow_is_bidirectional_skip=False,
            **rest,
        )
        return allowed

    keys = masking_utils.prepare_padding_mask(attention_mask, kv_length, kv_offset)
    if keys is not None:
        keys = keys[:, kv_offset : kv_offset + kv_length].bool()
        if bool(keys.all()):
            keys = None
    form: Form = "other"
    window: Reach = (None, None)
    if mask_function is masking_utils.bidirectional_mask_function:
        form = "full"
    elif isinstance(q_offset, int) and q_offset == 0 and kv_offset == 0:
        if mask_function is masking_utils.causal_mask_function:
            form = "causal"
        elif (reach := window_of(mask_function)) is not None:
            form, window = "window", reach
    return Mask(
        form,
        keys,
        rows,
        window=window,
        pattern=partial(rows, padding=None),
        queries=q_length,
        columns=kv_length,
        device=rest.get("device"),
    )


def window_of(function: Callable[..., Any]) -> Reach | None:
    """The reach of a sliding window made by transformers, causal or not; None for anything else."""
    parts = list(_parts(function))
    sizes: dict[str, int] = {}
    for part in parts:
        for name in ("sliding_window_overlay", "sliding_window_bidirectional_overlay"):
            size = _closed_over(part, name, "sliding_window")
            if isinstance(size, int):
                sizes[name] = size
    causal = masking_utils.causal_mask_function in parts
    plain = (masking_utils.causal_mask_function, masking_utils.bidirectional_mask_function)
    if len(sizes) != 1 or len(parts) != 2 or not any(part in plain for part in parts):
        return None
    name, size = next(iter(sizes.items()))
    reach: Reach = (size - 1, 0) if name == "sliding_window_overlay" else (size, 0 if causal else size)
    if name == "sliding_window_overlay" and not causal:
        return None
    return reach if _agrees(name, causal, size, reach) else None


def _parts(function: Callable[..., Any]) -> Iterator[Callable[..., Any]]:
    """The functions that transformers' `and_masks` joined; the function itself where it did not."""
    joined = _closed_over(function, "and_masks", "mask_functions")
    if joined is None:
        yield function
    else:
        for part in joined:
            yield from _parts(part)


def _closed_over(function: Callable[..., Any], maker: str, name: str) -> Any:
    """What a function that transformers' `maker` made has closed over under a name; None if it did not."""
    factory = getattr(masking_utils, maker, None)
    code = getattr(function, "__code__", None)
    if factory is None or code is None or code not in factory.__code__.co_consts:
        return None
    cells = dict(zip(code.co_freevars, getattr(function, "__closure__", None) or (), strict=False))
    return cells[name].cell_contents if name in cells else None


@cache
def _agrees(overlay: str, causal: bool, size: int, reach: Reach) -> bool:
    """Whether transformers' mask is the one we take it for: another release may count otherwise."""
    base = masking_utils.causal_mask_function if causal else masking_utils.bidirectional_mask_function
    function = masking_utils.and_masks(getattr(masking_utils, overlay)(size), base)
    few = torch.tensor([0, size - 1, size, size + 1, 3 * size])
    query = (torch.arange(2 * size + 3) if size < 64 else few)[:, None]
    key = torch.arange(4 * size + 8)[None]
    left, right = reach
    ours = (key >= query - (left or 0)) & (key <= query + (right or 0))
    return bool((function(0, 0, query, key) == ours).all())


def as_mask(handed: Mask | Tensor | None, query: Tensor, key: Tensor, causal: bool) -> Mask:
    """The mask of one call, from what the model handed over: ours, a tensor of its own making, or nothing."""
    if isinstance(handed, Mask):
        return handed
    queries, keys, device = query.shape[2], key.shape[2], query.device
    if handed is None:

        def lower_triangle(start: int, stop: int) -> Tensor:
            q = torch.arange(start, stop, device=device)[:, None]
            return (torch.arange(keys, device=device)[None] <= q)[None, None]

        # with a cache, a single query sees every key
        return Mask("causal" if causal and queries > 1 else "full", None, lower_triangle)
    dense = handed[..., :keys]
    if dense.ndim == 2:  # batch key
        dense = dense[:, None, None].bool()
    if dense.dtype == torch.bool:
        return Mask("other", None, lambda start, stop: rows_of(dense, start, stop))
    allowed = dense > torch.finfo(dense.dtype).min / 2
    added = dense.masked_fill(~allowed, 0)
    bias = added if bool(added.any()) else None  # most add nothing to a key that may be seen
    return Mask("other", None, lambda start, stop: rows_of(allowed, start, stop), bias)


def of_documents(document: Tensor, keys: Tensor | None = None) -> Mask:
    """Tokens see those of their own document alone: `document` is batch token, its number. `keys` as ever."""

    def pattern(start: int, stop: int) -> Tensor:
        return (document[:, start:stop, None] == document[:, None])[:, None]

    def allowed(start: int, stop: int) -> Tensor:
        seen = pattern(start, stop)
        return seen if keys is None else seen & keys[:, None, None]

    return Mask("other", keys, allowed, pattern=pattern, queries=document.shape[1])


@dataclass
class PatchRows:
    """Attention among the patches of images in one forward pass, item by item.

    What reads images is handed those of the whole batch: a row for each image (or tile of it), or one row in
    which all stand one after the other. Here the patches of an item's images become one row, as its tokens
    are, and each patch sees those of its own image, or window, alone."""

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
        """The mask of patches by item. `handed`: the model's own of `query` (image head patch dim), if it has
        one; `ends`: where each image, or window, ends that stands in a row with others, after a 0."""
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
