"""The statistics: mergeable reducers, one family a file."""

from attlas.reducers.classes import from_sep, received, sink, to_class
from attlas.reducers.distances import Distances
from attlas.reducers.examples import Examples
from attlas.reducers.gradients import Gradients
from attlas.reducers.offsets import offsets
from attlas.reducers.reducer import Moments, Reducer, Row
from attlas.reducers.rows import entropy, largest
from attlas.reducers.segment_means import SegmentMeans, Statistic
from attlas.reducers.surface import surface

__all__ = [
    "Distances",
    "Examples",
    "Gradients",
    "Moments",
    "Reducer",
    "Row",
    "SegmentMeans",
    "Statistic",
    "entropy",
    "from_sep",
    "largest",
    "offsets",
    "received",
    "sink",
    "surface",
    "to_class",
]
