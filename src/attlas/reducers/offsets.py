"""Attention to the previous, the same, the next token, and to any offset."""

from collections.abc import Sequence

from attlas.errors import AttlasError
from attlas.reducers.means import Mean, queries_of, tokens_less
from attlas.tap.needs import Offset, Total

NAMED = {-1: "to_previous", 0: "to_self", 1: "to_next"}


def offsets(by: Sequence[int] = (-1, 0, 1), faithful: bool = False) -> list[Mean]:
    """`to_previous`, `to_self`, `to_next`, and `to_offset` with the offset as its group.

    A token without a neighbour at the offset is left out. The original divides by all n tokens, so that a
    perfect next-token head scores (n-1)/n: `faithful` does so.
    """
    if len(set(by)) != len(by):
        raise AttlasError(f"the offsets {', '.join(map(str, by))} name one twice")
    means = []
    for offset in by:
        total = Total(Offset(offset))
        # real tokens of a segment stand side by side, so n - |offset| of them have that neighbour
        per = queries_of(total) if faithful else tokens_less(abs(offset))
        group = "" if offset in NAMED else f"{offset:+d}"
        means.append(Mean(NAMED.get(offset, "to_offset"), group, total, per))
    return means
