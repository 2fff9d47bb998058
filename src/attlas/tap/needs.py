"""The language in which a reducer says what it needs, so that the tap computes only that.

A *row function* turns one row of weights (one query's) into a number. A `Total` is its sum over a class of
queries within each segment: with the number of those queries it gives a segment's mean. Classes are names;
the batch says which tokens belong to each (`attlas.corpora.batches.Tokens`).
"""

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Offset:
    """The weight on the token `by` places to the right of the query; 0 where there is none."""

    by: int


@dataclass(frozen=True)
class Mass:
    """The weight on all keys of a class."""

    on: str


@dataclass(frozen=True)
class Entropy:
    """-Σ α ln α in nats. `smoothing` ε first mixes the row with the uniform one: (1-ε)α + ε/n."""

    smoothing: float = 0.0


@dataclass(frozen=True)
class Largest:
    """The largest weight."""


RowFunction = Offset | Mass | Entropy | Largest


@dataclass(frozen=True)
class Total:
    """A row function summed over the queries of a class."""

    of: RowFunction
    over: str = "all"


@dataclass(frozen=True)
class Needs:
    """Everything a set of reducers asks of one forward pass."""

    totals: frozenset[Total] = field(default_factory=frozenset)
    weights: bool = False  # all of them, (batch head query key)
    look: bool = False  # a second look at every call (`attlas.tap.look`)
    gradients: frozenset[str] = field(default_factory=frozenset)  # Σ|dL/dα| over the keys of these classes

    def __or__(self, other: "Needs") -> "Needs":
        return Needs(
            self.totals | other.totals,
            self.weights or other.weights,
            self.look or other.look,
            self.gradients | other.gradients,
        )
