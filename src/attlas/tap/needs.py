"""The language in which an observer says what it needs, so that the tap computes only that.

A *row function* turns one row of weights (one query's) into a number. A `Total` is its sum over a class of
queries within each segment: with the number of those queries it gives a segment's mean. Classes are names;
the batch says which tokens belong to each (`attlas.corpora.batches.Tokens`).
"""

from dataclasses import dataclass, field, fields
from typing import Literal


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


@dataclass(frozen=True)
class Distance:
    """How far the row looks: Σ α |q - k|^power, in tokens. `rest` leaves out the segment's first token."""

    power: Literal[1, 2] = 1
    rest: bool = False


RowFunction = Offset | Mass | Entropy | Largest | Distance


@dataclass(frozen=True)
class Total:
    """A row function summed over the queries of a class."""

    of: RowFunction
    over: str = "all"


@dataclass(frozen=True)
class Needs:
    """Everything a set of observers asks of one forward pass. Who needs nothing is shown batches alone."""

    totals: frozenset[Total] = field(default_factory=frozenset)
    norm_totals: frozenset[Total] = field(default_factory=frozenset)  # of weights by norm (`tap.by_norm`)
    weights: bool = False  # all of them, (batch head query key)
    lazy_weights: bool = False  # questions to every call once its pass is over (`attlas.tap.lazy_weights`)
    gradients: frozenset[str] = field(default_factory=frozenset)  # Σ|dL/dα| over the keys of these classes
    head_outputs: bool = False  # what each head gives, summed over a row's real queries
    gates: bool = False  # dL/dgate of each head, a factor of what it gives, at 1
    output: bool = False  # what the model returns, its predictions included
    losses: bool = False  # one a row of the batch
    writes: bool = False  # what each head adds to the residual stream (`attlas.tap.stream`)
    direct: bool = False  # what each part adds to the logits of targets (`attlas.tap.direct`)
    direct_vectors: bool = False  # and what each head sends to the unembedding there, token by token
    hidden_states: bool = False  # what goes into the first layer, and what comes out of each

    @property
    def differentiates(self) -> bool:
        """Whether a loss has to be differentiated for it."""
        return bool(self.gradients) or self.gates

    @property
    def every_row(self) -> bool:
        """Whether a sample of rows is not enough for it."""
        return self.weights or self.lazy_weights or self.head_outputs or self.differentiates

    def __or__(self, other: "Needs") -> "Needs":
        return Needs(*(getattr(self, f.name) | getattr(other, f.name) for f in fields(self)))
