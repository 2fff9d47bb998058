"""Which keys each query may see, known without holding the query-by-key matrix.

transformers asks a mask function for "the mask" once per forward pass and hands whatever it got to every
attention call. Attlas answers with a `Mask`: it gives any block of rows on demand, so that memory does not
grow with the square of the length, and it says when the pattern is simple enough for a fused kernel.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import torch
from torch import Tensor
from transformers import masking_utils

Form = Literal["full", "causal", "other"]


@dataclass(eq=False)
class Mask:
    """`form` is the pattern before padding; `keys` (batch key) is False on padding, None where there is none."""

    form: Form
    keys: Tensor | None
    rows: Callable[[int, int], Tensor]  # first and past-the-last query -> allowed, (batch or 1) 1 query key
    bias: Tensor | None = None  # what an additive mask adds to the scores of the keys it allows
    _cached: tuple[tuple[int, int], Tensor] | None = None

    @property
    def allows_everything(self) -> bool:
        return self.form == "full" and self.keys is None

    def allowed(self, start: int, stop: int) -> Tensor | None:
        """Rows `start` to `stop`: (batch or 1) 1 query key, or None where every key may be seen."""
        if self.allows_everything:
            return None
        # every layer of a forward pass asks for the same rows in turn
        if self._cached is None or self._cached[0] != (start, stop):
            self._cached = ((start, stop), self.rows(start, stop))
        return self._cached[1]

    @property
    def ndim(self) -> int:  # some models look at the mask's rank before they pass it on
        return 4


def mask_function(
    batch_size: int,
    q_length: int,
    kv_length: int,
    q_offset: int = 0,
    kv_offset: int = 0,
    mask_function: Callable[..., Any] = masking_utils.causal_mask_function,
    attention_mask: Tensor | None = None,
    **rest: Any,
) -> Mask:
    """What Attlas registers in transformers' AttentionMaskInterface; the arguments are transformers'."""
    for skip in ("allow_is_causal_skip", "allow_is_bidirectional_skip", "local_size", "config", "dtype"):
        rest.pop(skip, None)

    def rows(start: int, stop: int) -> Tensor:
        allowed: Tensor = masking_utils.sdpa_mask(
            batch_size=batch_size,
            q_length=stop - start,
            kv_length=kv_length,
            q_offset=q_offset + start,
            kv_offset=kv_offset,
            mask_function=mask_function,
            attention_mask=attention_mask,
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
    if mask_function is masking_utils.bidirectional_mask_function:
        form = "full"
    elif mask_function is masking_utils.causal_mask_function and isinstance(q_offset, int) and q_offset == 0:
        form = "causal"
    return Mask(form, keys, rows)


def as_mask(given: Mask | Tensor | None, query: Tensor, key: Tensor, causal: bool) -> Mask:
    """The mask of one call, from what the model handed over: ours, a tensor of its own making, or nothing."""
    if isinstance(given, Mask):
        return given
    queries, keys, device = query.shape[2], key.shape[2], query.device
    if given is None:

        def lower_triangle(start: int, stop: int) -> Tensor:
            q = torch.arange(start, stop, device=device)[:, None]
            return (torch.arange(keys, device=device)[None] <= q)[None, None]

        # with a cache, a single query sees every key
        return Mask("causal" if causal and queries > 1 else "full", None, lower_triangle)
    dense = given[..., :keys]
    if dense.ndim == 2:  # batch key
        dense = dense[:, None, None].bool()
    if dense.dtype == torch.bool:
        return Mask("other", None, lambda start, stop: _rows(dense, start, stop))
    allowed = dense > torch.finfo(dense.dtype).min / 2
    return Mask("other", None, lambda start, stop: _rows(allowed, start, stop), bias=dense)


def _rows(dense: Tensor, start: int, stop: int) -> Tensor:
    return dense if dense.shape[2] == 1 else dense[:, :, start:stop]
