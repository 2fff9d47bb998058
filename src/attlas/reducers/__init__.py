"""The statistics: mergeable reducers. Those that one study alone needs live with it."""

from attlas.reducers.means import Mean, Means
from attlas.reducers.reducer import HasRows, Reducer, State, Sums
from attlas.reducers.surface_statistics import (
    entropy,
    from_sep,
    largest,
    offsets,
    over_a_sample,
    received,
    sink,
    surface,
    surface_by_norm,
    to_class,
    token_distances,
)

__all__ = [
    "HasRows",
    "Mean",
    "Means",
    "Reducer",
    "State",
    "Sums",
    "entropy",
    "from_sep",
    "largest",
    "offsets",
    "over_a_sample",
    "received",
    "sink",
    "surface",
    "surface_by_norm",
    "to_class",
    "token_distances",
]
