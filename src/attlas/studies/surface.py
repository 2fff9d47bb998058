"""The surface study (Clark 2019, sections 3 and 6): what `attlas map` asks of every head.

Where does each head look: at the previous token, the next, [SEP], its own? How broadly? How differently from the
other heads? How much would the loss change if it looked elsewhere? And where does it look most strongly?
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from attlas.address import Head, Kind
from attlas.atlas.chapter import Chapter, Example
from attlas.corpora.classes import TokenClasses
from attlas.corpora.objective import has_objective
from attlas.corpora.source import ItemId, Source
from attlas.engines import Merged, Pass
from attlas.errors import AttlasError
from attlas.patterns import behaviours, in_the_plane
from attlas.reducers import Distances, Examples, Gradients, Reducer, Row, surface
from attlas.reducers.document import LONG, LongDocument
from attlas.reducers.items import Lengths, Sample, TokenLists
from attlas.reducers.last_weights import LastWeights
from attlas.studies.provenance import about, chapter_name, corpus_name, described
from attlas.studies.study import Run
from attlas.subject import Subject

LONGEST_COMPARED = 16_384  # tokens; what compares all heads with all, or differentiates, stops here
MAP_TOKENS = 15  # the last tokens of one segment, whose whole maps the atlas keeps


@dataclass(frozen=True)
class Settings:
    """What decides the numbers, apart from the model and the source."""

    offsets: tuple[int, ...] = ()  # beside previous, self and next
    sample: int = 200  # segments for distances, gradients and examples
    faithful: bool = False
    seed: int = 0
    kernel: str | None = None


@dataclass(frozen=True)
class Surface:
    subject: Subject
    source: Source
    classes: TokenClasses
    settings: Settings = Settings()

    @property
    def name(self) -> str:
        return chapter_name("surface", self.source, self.settings.faithful)

    def describe(self) -> dict[str, Any]:
        return described("surface", self.source, {**asdict(self.settings), "classes": self.classes.fingerprint()})

    def conclude(self, run: Run) -> Chapter:
        whole = run(self.statistics_pass())
        statistics, lengths, sample = whole.reducers[:-2], whole.reducers[-2], whole.reducers[-1]
        assert isinstance(lengths, Lengths)
        assert isinstance(sample, Sample)
        items = whole.counts["items"]
        if not items:
            raise AttlasError(f"{corpus_name(self.source)} holds no segment: it needs at least two sentences of text")
        tokens = self._tokens(run, sample.ids())
        sampled = self._sampled(run, sample.ids() if self.settings.sample else [], tokens)
        rows = [row for r in (*statistics, *sampled.values()) for row in r.result()]
        if any(math.isnan(row.value) for row in rows):
            raise AttlasError(f"the attention of {self.subject.name} is not a number: its weights are broken")
        means = lengths.means()
        even = means["mean_log_length"], means["mean_log_visible"]
        rows += behaviours(rows, *even, self.settings.faithful)
        arrays = {name: array for r in sampled.values() for name, array in r.arrays().items()}
        longest = max(tokens.lengths().items(), key=lambda item: (item[1], -item[0].document, -item[0].place))
        pictures, shown = self._pictures(run, *longest, rows, tokens)
        lists, examples = self._examples(sampled, tokens)
        return Chapter(
            self.name,
            {
                **about(self.describe(), whole, self._notes(whole, tokens)),
                "corpus": {**self.source.describe()["corpus"], "segments": items, **means},
                "sampled": {name: min(self.settings.sample, items) for name in sampled},
                **shown,
            },
            rows,
            arrays=arrays | self._plane(arrays) | pictures,
            examples=examples,
            tokens=lists,
        )

    def statistics_pass(self) -> Pass:
        """Over the whole corpus; and of what it consists."""
        wanted = surface(self.classes, self.settings.offsets, self.settings.faithful)
        sample = Sample(max(1, self.settings.sample), self.settings.seed)
        return self._pass("statistics", self.source, [*wanted, Lengths(), sample])

    def _tokens(self, run: Run, ids: Sequence[ItemId]) -> TokenLists:
        (tokens,) = run(self._pass("tokens", self.source.only(ids), [TokenLists()])).reducers
        assert isinstance(tokens, TokenLists)
        return tokens

    def _sampled(self, run: Run, ids: Sequence[ItemId], tokens: TokenLists) -> dict[str, Reducer]:
        """What is dear, over a sample: distances and gradients leave very long segments out."""
        lengths = tokens.lengths()
        short = [i for i in ids if lengths[i] <= LONGEST_COMPARED]
        found: dict[str, Reducer] = {}
        if ids:
            one = self._pass("examples", self.source.only(ids), [Examples()])
            (found["examples"],) = run(one).reducers
        if short:
            compared: list[Reducer] = [Distances(self.subject.heads, self.settings.faithful)]
            (found["distances"],) = run(self._pass("distances", self.source.only(short), compared)).reducers
        if short and self.subject.interface and has_objective(self.subject):
            moved: list[Reducer] = [Gradients(self.classes.names)]
            one = self._pass("gradients", self.source.only(short), moved, gradients=True)
            (found["gradients"],) = run(one).reducers
        return found

    def _pass(self, name: str, source: Source, reducers: Sequence[Reducer], gradients: bool = False) -> Pass:
        settings = self.settings
        return Pass(name, source, reducers, gradients=gradients, kernel=settings.kernel, seed=settings.seed)

    def _pictures(
        self, run: Run, item: ItemId, length: int, rows: Sequence[Row], tokens: TokenLists
    ) -> tuple[dict[str, npt.NDArray[Any]], dict[str, Any]]:
        """The longest of the sampled segments: the maps of its last tokens; where it is long, all of it in
        tiles, and the strongest weights of the rows of those heads of which few weights tell most."""
        reducers: list[Reducer] = [LastWeights(MAP_TOKENS)]
        if length > LONG:
            spread = {Head(r.kind, r.layer, r.head): r.value for r in rows if (r.statistic, r.group) == _ENTROPY}
            heads = sorted(self.subject.heads, key=lambda head: (spread[head], head))
            reducers.append(LongDocument(heads, length))
        found = run(self._pass("pictures", self.source.only([item]), reducers)).reducers
        about: dict[str, Any] = {"maps": {kind: self._last_tokens(kind, item, tokens) for kind in self.subject.kinds}}
        if length > LONG:
            tile = found[1].tile  # type: ignore[attr-defined]
            about["document"] = {"item": list(item), "tokens": length, "tile": tile}
        return {name: array for r in found for name, array in r.arrays().items()}, about

    def _last_tokens(self, kind: Kind, item: ItemId, tokens: TokenLists) -> dict[str, list[str]]:
        sides = _sides(kind)
        strings = [self.subject.spell(tokens.lists[item, side].tolist())[-MAP_TOKENS:] for side in sides]
        return {"queries": strings[0], "keys": strings[1]}

    def _plane(self, arrays: dict[str, npt.NDArray[Any]]) -> dict[str, npt.NDArray[Any]]:
        """Which head is where in the arrays, and the heads in the plane."""
        found: dict[str, npt.NDArray[Any]] = {}
        for kind in self.subject.kinds:
            heads = [(h.layer, h.head) for h in self.subject.heads if h.kind == kind]
            found[f"{kind}.heads"] = np.array(heads)
            if f"{kind}.distances" in arrays:
                found[f"{kind}.plane"] = in_the_plane(arrays[f"{kind}.distances"], self.settings.seed)
        return found

    def _examples(
        self, sampled: dict[str, Reducer], tokens: TokenLists
    ) -> tuple[dict[str, list[str]], list[Example]]:
        """Examples as places in token lists; and those lists."""
        examples = sampled.get("examples")
        lists: dict[str, list[str]] = {}
        found = []
        for e in examples.examples() if isinstance(examples, Examples) else ():
            names = []
            for side in _sides(e.head.kind):
                name = f"{e.item.document}.{e.item.place}.{side}"
                if name not in lists:
                    lists[name] = self.subject.spell(tokens.lists[e.item, side].tolist())
                names.append(name)
            found.append(Example(e.head, e.weight, names[0], e.query, e.key, names[1]))
        return lists, found

    def _notes(self, whole: Merged, tokens: TokenLists) -> list[str]:
        notes = []
        wanted, have = self.source.limit, whole.counts["items"]
        if wanted is not None and have < wanted:
            notes.append(f"{corpus_name(self.source)} holds {have:,} segments, fewer than the {wanted:,} asked for")
        if skipped := whole.counts["skipped"]:
            notes.append(f"{skipped:,} documents could not be read and were skipped: {whole.problems[0]}")
        long = sum(n > LONGEST_COMPARED for n in tokens.lengths().values())
        if long and self.settings.sample:
            notes.append(
                f"{long} of the sampled segments have more than {LONGEST_COMPARED:,} tokens: head distances and "
                "gradients leave them out"
            )
        if self.settings.sample and not self.subject.interface:
            notes.append(f"no gradients: {self.subject.name} does not use transformers' attention interface")
        elif self.settings.sample and not has_objective(self.subject):
            notes.append(f"no gradients: {self.subject.name} has no language-model head")
        return notes


_ENTROPY = ("entropy", "all")


def _sides(kind: Kind) -> tuple[str, str]:
    """Where a kind's queries and its keys are read."""
    return "encoder" if kind == "encoder" else "decoder", "decoder" if kind == "decoder" else "encoder"
