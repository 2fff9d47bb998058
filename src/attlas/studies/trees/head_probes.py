"""The probes: modules that give every word of a sentence a score for every candidate head; the kinds that
can be asked for, what each is made of, and what the paper found.

Candidates are ROOT, then all words. Sentences of a batch have one length, so that nothing is padded."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import get_args

import torch
from torch import Tensor, nn

from attlas.choices import TreeProbe
from attlas.errors import AttlasError
from attlas.studies.trees.recorded_features import SPECIAL

CLS, SEP = 0, 1  # places before the words
FARTHEST = 10  # words apart that offsets tell from one another
HIDDEN = 256  # of the probe of distances


@dataclass(frozen=True)
class TreeBatch:
    """Sentences of one length. `heads` has 0 for ROOT; `scored` is False on punctuation."""

    attention: Tensor  # sentence query key head: [CLS], [SEP], words
    norms: Tensor | None  # sentence key head
    words: Tensor  # sentence word: rows of the table of word vectors
    heads: Tensor  # sentence word
    scored: Tensor  # sentence word


class HeadsProbe(nn.Module):
    """A score is a weighted sum of what all heads give, from dependent to candidate and back.

    The weights are the same for all pairs; or also depend on the two words (`vectors`), on how far apart they
    are (`offsets`: a biaffine form of heads and offsets), and attention may count by the length of the value
    vector that it multiplies (`norms`: the mean length, head by head, which becomes 1).

    `misaligned` keeps a defect of the original: its ROOT is the first candidate among weights, and the last
    among words, so that every candidate goes with the vector of the word after it.
    """

    def __init__(
        self,
        heads: int,
        vectors: Tensor | None = None,
        offsets: bool = False,
        norms: Tensor | None = None,
        misaligned: bool = False,
    ) -> None:
        super().__init__()
        self.misaligned = misaligned
        self.weights = nn.Parameter(torch.zeros(heads, 2))  # head direction
        self.root = nn.Parameter(torch.ones(SPECIAL))  # how much of [CLS] and of [SEP] stands for ROOT
        self.vectors: Tensor | None
        self.mean_norms: Tensor | None
        self.register_buffer("vectors", vectors, persistent=False)
        self.register_buffer("mean_norms", norms)
        if vectors is not None:
            shape = 2, vectors.shape[1], heads, 2  # dependent or candidate, dim, head, direction
            self.by_words = nn.Parameter(torch.randn(shape) * 0.01)
        self.by_offset = nn.Parameter(torch.zeros(_OFFSETS, heads, 2)) if offsets else None
        self.offset_bias = nn.Parameter(torch.zeros(_OFFSETS)) if offsets else None

    def forward(self, batch: TreeBatch) -> Tensor:
        return _add_root(self.pieces(batch), self.root) + self._bias(batch)

    def maps(self, batch: TreeBatch) -> Tensor:
        """sentence query key head."""
        if self.mean_norms is None:
            return batch.attention
        assert batch.norms is not None
        return batch.attention * (batch.norms / self.mean_norms)[:, None]

    def pieces(self, batch: TreeBatch) -> Tensor:
        """sentence query key direction: all heads' part of a score. In the first direction the query is the
        dependent, in the second the candidate."""
        maps = self.maps(batch)
        wide = maps.shape[1]
        scores = maps @ self.weights
        if self.by_offset is not None:
            weights = self.by_offset[_offsets(wide - SPECIAL, maps.device)]  # query key head direction
            scores = scores + torch.einsum("sqkh,qkhd->sqkd", maps, weights)
        if self.vectors is not None:
            query, key = self._word_weights(batch.words)
            scores = scores + torch.einsum("sqkh,sqhd->sqkd", maps, query)
            scores = scores + torch.einsum("sqkh,skhd->sqkd", maps, key)
        return scores

    def contributions(self, batch: TreeBatch) -> Tensor:
        """sentence dependent candidate head: what each head adds to a score, both directions together."""
        maps = self.maps(batch)
        weights = self.weights.expand(*maps.shape, 2)
        if self.by_offset is not None:
            weights = weights + self.by_offset[_offsets(maps.shape[1] - SPECIAL, maps.device)]
        if self.vectors is not None:
            query, key = self._word_weights(batch.words)
            weights = weights + query[:, :, None] + key[:, None]
        by_head = maps[..., None] * weights  # sentence query key head direction
        return torch.stack(
            [_add_root(by_head[:, :, :, head], self.root) for head in range(by_head.shape[3])], -1
        )

    def _word_weights(self, words: Tensor) -> tuple[Tensor, Tensor]:
        """sentence place head direction: what a place adds to the weights as a query, and as a key. ROOT has
        no vector."""
        assert self.vectors is not None
        dependent = nn.functional.pad(self.vectors[words], (0, 0, SPECIAL, 0))  # sentence place dim
        candidate = dependent
        if self.misaligned:
            after = self.vectors[words].roll(-1, 1)
            after = torch.cat([after[:, :-1], torch.zeros_like(after[:, :1])], 1)
            first = self.vectors[words[:, :1]].expand(-1, SPECIAL, -1)
            candidate = torch.cat([first, after], 1)
        roles = [
            torch.einsum("spv,vhd->sphd", vectors, w)
            for vectors, w in zip((dependent, candidate), self.by_words, strict=True)
        ]
        as_dependent, as_candidate = roles
        query = torch.stack([as_dependent[..., 0], as_candidate[..., 1]], -1)
        key = torch.stack([as_candidate[..., 0], as_dependent[..., 1]], -1)
        return query, key

    def _bias(self, batch: TreeBatch) -> Tensor | float:
        if self.offset_bias is None:
            return 0.0
        by_pair = self.offset_bias[_offsets(batch.words.shape[1], batch.words.device)]
        return torch.cat([by_pair[SPECIAL:, :1], by_pair[SPECIAL:, SPECIAL:]], 1)


class DistancesProbe(nn.Module):
    """Words and how far apart they are, without the model: what a probe learns by itself (Clark 2019)."""

    def __init__(self, vectors: Tensor, misaligned: bool = False) -> None:
        super().__init__()
        self.misaligned = misaligned
        self.vectors: Tensor
        self.register_buffer("vectors", vectors, persistent=False)
        self.dependent = nn.Linear(vectors.shape[1], HIDDEN, bias=False)
        self.candidate = nn.Linear(vectors.shape[1], HIDDEN, bias=False)
        self.distance = nn.Linear(8, HIDDEN)
        self.out = nn.Linear(HIDDEN, 1)

    def forward(self, batch: TreeBatch) -> Tensor:
        vectors = self.vectors[batch.words]  # sentence word dim
        zero = torch.zeros_like(vectors[:, :1])
        candidates = torch.cat([vectors, zero] if self.misaligned else [zero, vectors], 1)
        hidden = (
            self.dependent(vectors)[:, :, None]
            + self.candidate(candidates)[:, None]
            + self.distance(distance_features(vectors.shape[1], vectors.device).to(vectors.dtype))
        )
        scores: Tensor = self.out(hidden.tanh())[..., 0]
        return scores


class RelationProbe(nn.Module):
    """Which relation links a word to a given head? From what all heads give between the two."""

    def __init__(self, heads: int, relations: int) -> None:
        super().__init__()
        self.root = nn.Parameter(torch.ones(SPECIAL))
        self.classify = nn.Linear(2 * heads, relations)

    def forward(self, batch: TreeBatch, heads: Tensor) -> Tensor:
        """sentence word relation, given every word's head (sentence word; 0 is ROOT)."""
        scores: Tensor = self.classify(self._attention_to_heads(batch.attention, heads))
        return scores

    def _attention_to_heads(self, maps: Tensor, heads: Tensor) -> Tensor:
        """sentence word (head direction): attention between words and their heads."""
        rows = torch.arange(len(maps), device=maps.device)[:, None]
        places = torch.arange(heads.shape[1], device=maps.device)[None] + SPECIAL
        to = heads - 1 + SPECIAL
        directions = []
        for forth in (True, False):
            words = maps[rows, places, to] if forth else maps[rows, to, places]
            special = [maps[rows, places, s] if forth else maps[rows, s, places] for s in (CLS, SEP)]
            root = self.root[CLS] * special[CLS] + self.root[SEP] * special[SEP]
            directions.append(torch.where((heads == 0)[..., None], root, words))
        return torch.cat(directions, -1)


def right_branching(words: int) -> list[int]:
    """Every word's head is the next word, and the last one's is ROOT."""
    return [*range(2, words + 1), 0]


_OFFSETS = 2 * FARTHEST + 3  # -10 or less ... +10 or more, beyond these the same; ROOT and what is never read


def _offsets(words: int, device: torch.device) -> Tensor:
    """query key: which offset from dependent to candidate the pair has, among [CLS], [SEP] and words."""
    places = torch.arange(words + SPECIAL, device=device)
    offsets = (places[None] - places[:, None]).clamp(-FARTHEST, FARTHEST) + FARTHEST
    offsets[:SPECIAL] = offsets[:, :SPECIAL] = 2 * FARTHEST + 1
    return offsets


def _add_root(pieces: Tensor, root: Tensor) -> Tensor:
    """sentence query key direction -> sentence dependent candidate."""
    forth, back = pieces[..., 0], pieces[..., 1].transpose(1, 2)
    both = forth + back  # sentence dependent candidate, [CLS] and [SEP] among both
    among_words = both[:, SPECIAL:, SPECIAL:]
    return torch.cat([(both[:, SPECIAL:, :SPECIAL] @ root)[..., None], among_words], -1)


def distance_features(words: int, device: torch.device | None = None) -> Tensor:
    """dependent candidate feature, ROOT first: how far the candidate stands to the left and to the right, as
    a part of the sentence; whether it stands 0, 1 or 2 words away; whether it is ROOT."""
    places = torch.arange(words, device=device)
    offset = places[None] - places[:, None]  # dependent candidate
    features = [offset.clamp(min=0) / words, (-offset).clamp(min=0) / words]
    features += [(offset == by).float() for by in (0, -1, 1, -2, 2)]
    features.append(torch.zeros_like(features[0]))
    root = torch.zeros(words, 1, 8, device=device)
    root[..., 7] = 1
    return torch.cat([root, torch.stack(features, -1)], 1)


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
NAMES: tuple[str, ...] = get_args(TreeProbe)


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
