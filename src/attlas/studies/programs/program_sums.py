"""The sums that programs are fitted from: for every head and class of query a Gram matrix of programs and how
they go with the head's weights. One pass gives them, and they merge.

With a the weights of a row, P the programs, and n the length of the vector that a key's weight moves,

    gram = Σ n² P Pᵀ      with = Σ n² a P      size = Σ n² a²

summed over sampled rows and all keys, and the same with n = 1 for the weights as they are. Beside them what
programs and heads give on average, Σ P v and Σ a v, and how what heads give spreads, Σ (a v)(a v)ᵀ.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import torch
from torch import Tensor

from attlas.address import Kind
from attlas.corpora.source import ItemId, seeded
from attlas.reducers.reducer import ItemMeans, Sums, check_numbers, layer_of
from attlas.studies.patterns.definitions import PatternTokens, tokens_of
from attlas.studies.patterns.pattern_scores import visible_in
from attlas.studies.patterns.pattern_texts import text_tokens
from attlas.studies.programs.program_vocabulary import Program, UserProgram, programs, spread_all
from attlas.studies.programs.token_features import CLASSES, ProgramText, Tables, feature_tables, read_features
from attlas.subject import Subject
from attlas.tap.needs import Needs
from attlas.tap.observation import Observation, ObservedCall
from attlas.wording.program_names import AHEAD, PROGRAMS

ROWS = 48  # of a text that are looked at: more of them say little more


@dataclass(frozen=True)
class Reading:
    """How texts are read for programs. It pickles where the programs do."""

    programs: tuple[Program, ...]
    tables: Tables
    rows: int = ROWS
    seed: int = 0
    tokenizer: Any = None  # where a user's programs want to see tokens
    mask: int | None = None  # the token that hides a word: it is one, of which nothing is known

    def text_of(self, tokens: PatternTokens) -> ProgramText:
        spelled: list[list[str]] = []
        if self.tokenizer is not None:
            several = zip(tokens.ids, tokens.real, strict=True)
            spelled = [self.tokenizer.convert_ids_to_tokens(ids[real].tolist()) for ids, real in several]
        if self.mask is not None:
            tokens = _hidden_words(tokens, self.mask)
        return read_features(tokens, self.tables, spelled)


def _hidden_words(tokens: PatternTokens, mask: int) -> PatternTokens:
    """A hidden word is like no other: its id is that of its place, below 0."""
    hidden = (tokens.ids == mask) & tokens.real
    place = torch.arange(tokens.ids.shape[1], device=tokens.ids.device)
    known = tokens.sentence.cummax(-1).values
    return replace(
        tokens,
        ids=torch.where(hidden, -1 - place, tokens.ids),
        special=tokens.special & ~hidden,
        sentence=torch.where(hidden, known, tokens.sentence),
    )


@dataclass(frozen=True)
class ClassRows:
    """The sampled rows of one class of queries; those that an item has fewer of are rows of zeros."""

    places: Tensor  # batch row: which queries
    there: Tensor  # batch row, float
    programs: Tensor  # program batch row key

    def of(self, rows: Tensor) -> Tensor:
        """Rows of weights (batch head query key) that stand there: batch head row key."""
        index = self.places[:, None, :, None].expand(-1, rows.shape[1], -1, rows.shape[3])
        return rows.gather(2, index) * self.there[:, None, :, None]


def class_rows(
    reading: Reading, observation: Observation, call: ObservedCall, visible: Tensor
) -> list[ClassRows]:
    """The sampled rows of a batch by class of query. A query that sees one key could do nothing else: it does
    not count."""
    tokens = tokens_of(observation.batch, call.kind)
    assert tokens is not None
    text = reading.text_of(tokens)
    spread = spread_all(reading.programs, text, visible)
    counted = sample_rows((visible.sum(-1) > 1) & tokens.real, tokens.items, reading.rows, reading.seed)
    rows = []
    for number in range(len(CLASSES)):
        members = counted & (text.classes == number)
        most = max(1, int(members.sum(-1).max()))
        there, places = members.to(torch.uint8).sort(dim=-1, descending=True, stable=True)
        places, there = places[:, :most], there[:, :most].float()
        index = places[None, :, :, None].expand(len(spread), -1, -1, spread.shape[-1])
        rows.append(ClassRows(places, there, spread.gather(2, index) * there[None, :, :, None]))
    return rows


def sample_rows(counted: Tensor, items: Sequence[ItemId], most: int, seed: int) -> Tensor:
    """batch query: at most so many of each item's rows, drawn from its id."""
    chosen = torch.zeros_like(counted)
    for row, item in enumerate(items):
        places = counted[row].nonzero()[:, 0].cpu().numpy()
        if len(places) > most:
            rng = np.random.default_rng(seeded(seed, "rows", *item))
            places = np.sort(rng.choice(places, most, replace=False))
        chosen[row, torch.from_numpy(places).to(chosen.device)] = True
    return chosen


class ProgramSums(Sums):
    """`kind.layer/what` -> sums in float64, for each metric of `weights` and `moved`: `gram.weights` is class
    program program, `gram.moved` head class program program; `with.*` head class program; `size.*` head
    class; `mass` class program and `rows` class; `gives.programs` head class program dim, `gives.head` head
    dim, `gives.squares` head dim dim."""

    name = "program_sums"

    def __init__(self, reading: Reading, moved: bool = True) -> None:
        super().__init__()
        self.reading = reading
        self.needs = Needs(lazy_weights=True, moved=moved)
        self._shared: dict[Any, _Shared] = {}

    def update(self, observation: Observation) -> None:
        self._shared = {}  # of this batch: layers of a kind mostly share one
        for call in observation.calls:
            tokens = None if call.kind in ("cross", "vision") else tokens_of(observation.batch, call.kind)
            if tokens is None or call.lazy_weights is None:
                continue
            visible, alike = visible_in(call, tokens.real)
            if alike not in self._shared:
                self._shared[alike] = _Shared.of(class_rows(self.reading, observation, call, visible))
            self._add_call(call, self._shared[alike])
        self._shared = {}

    def _add_call(self, call: ObservedCall, shared: _Shared) -> None:
        assert call.lazy_weights is not None
        at = f"{call.kind}.{call.layer}"
        weights = call.lazy_weights.rows(0, call.lazy_weights.shape[2]).float()  # batch head query key
        check_numbers(weights)
        of_classes = [some.of(weights) for some in shared.classes]
        self._add_metric(at, "weights", shared, of_classes, of_classes)
        self.add(f"{at}/gram.weights", shared.gram)
        self.add(f"{at}/mass", shared.mass)
        self.add(f"{at}/rows", shared.rows)
        if call.moved is not None:
            squared = call.moved.square()  # batch head key
            moved = [rows * squared[:, :, None] for rows in of_classes]
            self._add_metric(at, "moved", shared, of_classes, moved)
            by_head = squared.transpose(0, 1).flatten(1)  # head batch·key
            sums = (by_head @ shared.products.flatten(0, 1)).double()
            self.add(f"{at}/gram.moved", _whole(sums.view(len(sums), len(CLASSES), -1), shared.upper))
        made = call.lazy_weights.call
        if made is not None:
            values = made.per_head(made.value).detach().float()  # batch head key dim
            outputs = torch.cat(of_classes, 2) @ values  # batch head row dim
            self.add(f"{at}/gives.head", outputs.sum((0, 2)).double())
            self.add(f"{at}/gives.squares", torch.einsum("bhrd,bhre->hde", outputs, outputs).double())
            gives = torch.einsum("cpbk,bhkd->hcpd", shared.by_key, values)
            self.add(f"{at}/gives.programs", gives.double())

    def _add_metric(
        self, at: str, metric: str, shared: _Shared, weights: list[Tensor], scaled: list[Tensor]
    ) -> None:
        along, sizes = [], []
        for some, rows, other in zip(shared.classes, weights, scaled, strict=True):
            flat = other.transpose(0, 1).flatten(1)  # head batch·row·key
            along.append(flat @ some.programs.flatten(1).T)
            sizes.append((rows * other).sum((0, 2, 3)))
        self.add(f"{at}/with.{metric}", torch.stack(along, 1).double())
        self.add(f"{at}/size.{metric}", torch.stack(sizes, 1).double())


class StreamLengths(ItemMeans):
    """`kind.layer` -> the mean logarithm of the length of the stream that heads add to, over all tokens but
    the first, which may be thousands of times longer."""

    name = "stream_lengths"
    needs = Needs(writes=True)

    def update(self, observation: Observation) -> None:
        for write in observation.writes:
            real = observation.batch.queries(write.kind).real  # batch query
            counted = real & (real.cumsum(-1) > 1)
            logs = write.stream.double().clamp(min=1e-30).log().masked_fill(~counted, 0.0).sum(-1)
            tokens = counted.sum(-1)
            means = logs / tokens.clamp(min=1)
            self.add_items(f"{write.kind}.{write.layer}", means, tokens > 0, observation.batch)

    def by_layer(self) -> dict[tuple[Kind, int], float]:
        """The length of each layer's stream: the geometric mean."""
        return {layer_of(at): float(np.exp(self.mean(at).mean)) for at in self.sums}


@dataclass(frozen=True)
class _Shared:
    """What all heads of a batch have in common. A Gram matrix is kept as its upper triangle."""

    classes: list[ClassRows]
    products: Tensor  # batch key class pair: Σ over rows of P Pᵀ
    upper: tuple[Tensor, Tensor]
    gram: Tensor  # class program program
    mass: Tensor  # class program: what all rows of a program add up to
    rows: Tensor  # class
    by_key: Tensor  # class program batch key

    @staticmethod
    def of(classes: list[ClassRows]) -> _Shared:
        number = len(classes[0].programs)
        upper = torch.triu_indices(number, number)
        products = []
        for some in classes:
            by_key = some.programs.permute(1, 3, 0, 2)  # batch key program row
            products.append((by_key @ by_key.mT)[:, :, upper[0], upper[1]])
        together = torch.stack(products, 2)
        by_key = torch.stack([some.programs.sum(2) for some in classes])
        return _Shared(
            classes,
            together.flatten(2),
            (upper[0], upper[1]),
            _whole(together.sum((0, 1)).double(), (upper[0], upper[1])),
            by_key.sum((2, 3)).double(),
            torch.stack([some.there.sum() for some in classes]).double(),
            by_key,
        )


def _whole(pairs: Tensor, upper: tuple[Tensor, Tensor]) -> Tensor:
    """... pair -> ... program program"""
    number = int(upper[1].max()) + 1
    gram = pairs.new_zeros(*pairs.shape[:-1], number, number)
    gram[..., upper[0], upper[1]] = pairs
    gram[..., upper[1], upper[0]] = pairs
    return gram


def reading_for(subject: Subject, seed: int = 0, written: Mapping[str, UserProgram] | None = None) -> Reading:
    """How texts are read for the programs that a model could follow: one that does not look ahead has none
    of what comes after."""
    causal = subject.text_kinds == ("decoder",)
    names = [name for name in PROGRAMS if not (causal and name.startswith(AHEAD))]
    tables = feature_tables(subject.tokenizer, text_tokens(subject))
    tokenizer = subject.tokenizer if written else None
    mask = getattr(subject.tokenizer, "mask_token_id", None)
    return Reading(programs(written, names), tables, seed=seed, tokenizer=tokenizer, mask=mask)
