"""The statistics: mergeable reducers, one family a file."""

from attlas.reducers.classes import from_sep, received, sink, to_class
from attlas.reducers.distances import Distances
from attlas.reducers.examples import Examples
from attlas.reducers.gradients import Gradients
from attlas.reducers.head_outputs import HeadOutputMeans
from attlas.reducers.means import Mean, Means
from attlas.reducers.offsets import offsets
from attlas.reducers.reach import Reach
from attlas.reducers.reducer import Moments, Reducer, Row
from attlas.reducers.rest import Rest
from attlas.reducers.rows import entropy, largest
from attlas.reducers.surface import surface

__all__ = [
    "Distances",
    "Examples",
    "Gradients",
    "HeadOutputMeans",
    "Mean",
    "Means",
    "Moments",
    "Reach",
    "Reducer",
    "Rest",
    "Row",
    "entropy",
    "from_sep",
    "largest",
    "offsets",
    "received",
    "sink",
    "surface",
    "to_class",
]
