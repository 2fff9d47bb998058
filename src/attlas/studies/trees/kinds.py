"""The kinds of probe that can be asked for, what each is made of, and what the paper found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from attlas.errors import AttlasError
from attlas.studies.trees.head_probes import DistancesProbe, HeadsProbe


@dataclass(frozen=True)
class ProbeKind:
    """`paper` is the UAS of Clark 2019, table 3, on the Penn Treebank; None where it has none."""

    name: str
    title: str
    paper: int | None = None
    attention: bool = True
    words: bool = False
    offsets: bool = False
    norms: bool = False
    rate: float = 0.1  # of Adam
    model: str = ""  # of whose attention, if not the model's own

    def make(self, heads: int, vectors: Tensor, mean_norms: Tensor | None, faithful: bool) -> nn.Module:
        if not self.attention:
            return DistancesProbe(vectors, misaligned=faithful)
        return HeadsProbe(
            heads,
            vectors if self.words else None,
            self.offsets,
            mean_norms if self.norms else None,
            misaligned=faithful,
        )


#: in the order of the table; models at random are those of `load(..., initialise=)`, and the second of them
#: made peaked (`peaked_like`)
TRAINED = (
    ProbeKind("random", "random model, attention and words", None, words=True, rate=0.01, model="random"),
    ProbeKind(
        "embeddings", "random model with its embeddings, same", 30, words=True, rate=0.01, model="embeddings"
    ),
    ProbeKind("peaked", "the same, as peaked as the model", words=True, rate=0.01, model="peaked"),
    ProbeKind("distances", "distances and words", 58, attention=False, words=True, rate=0.005),
    ProbeKind("attention", "attention", 61),
    ProbeKind("words", "attention and words", 77, words=True, rate=0.01),
    ProbeKind("norms", "attention, by norms of values", norms=True),
    ProbeKind("biaffine", "attention, biaffine with offsets", offsets=True),
    ProbeKind("best", "biaffine, norms and words", words=True, offsets=True, norms=True, rate=0.01),
)
KINDS = {kind.name: kind for kind in TRAINED}
RIGHT_BRANCHING, RELATIONS, STRUCTURAL = "right-branching", "relations", "structural"
TITLES = {
    RIGHT_BRANCHING: "right-branching",
    **{kind.name: kind.title for kind in TRAINED},
    RELATIONS: "attention, with relations",
    STRUCTURAL: "structural probe (hidden states)",
}
PAPER = {RIGHT_BRANCHING: 26, **{k.name: k.paper for k in TRAINED if k.paper is not None}}
NAMES = tuple(TITLES)


def chosen_names(asked: Sequence[str] | None) -> tuple[str, ...]:
    """The probes that were asked for, in the table's order; `attention` is always among them: others are
    compared with it."""
    if asked is None:
        return NAMES
    unknown = [name for name in asked if name not in NAMES]
    if unknown:
        raise AttlasError(f"there is no probe {unknown[0]!r}: choose from {', '.join(NAMES)}")
    return tuple(name for name in NAMES if name in asked or name == "attention")


def mean_norms(norms: Sequence[Tensor]) -> Tensor:
    """head: the mean over places, from arrays of sentence place head."""
    total = torch.stack([batch.double().sum((0, 1)) for batch in norms]).sum(0)
    places = sum(batch.shape[0] * batch.shape[1] for batch in norms)
    return (total / places).clamp(min=1e-6).float()
