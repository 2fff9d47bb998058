"""The surface study (Clark 2019, sections 3 and 6): what `attlas map` asks of every head.

Where does each head look: at the previous token, the next, [SEP], its own? How broadly? How differently from
the other heads? How much would the loss change if it looked elsewhere? And where does it look most strongly?
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, cast

import numpy as np
import numpy.typing as npt
import pandas as pd

from attlas.address import Head
from attlas.atlas.chapter import Chapter, Example
from attlas.corpora.batches import Membership, TokenClasses, sides_of
from attlas.corpora.source import ItemId, Source
from attlas.engines import Merged, Pass
from attlas.errors import AttlasError, option
from attlas.options.option_groups import BatchOptions, RowOptions, TextOptions
from attlas.reducers import HasRows, Means, Reducer, over_a_sample, surface
from attlas.reducers.document import LONG, LongDocument
from attlas.reducers.items import Lengths, Sample, TokenLists
from attlas.row import Row
from attlas.studies.behaviours import behaviours
from attlas.studies.provenance import (
    about,
    chapter_name,
    corpus_name,
    described,
    items_of,
    nothing_in,
    one_document,
)
from attlas.studies.study import RunPass
from attlas.studies.study_items import choose_kernel, text_items
from attlas.studies.surface.causal_heads import Reach, Rest
from attlas.studies.surface.examples import ExampleRows, Examples, token_shares
from attlas.studies.surface.gradient_importance import Gradients
from attlas.studies.surface.head_distances import Distances, in_the_plane
from attlas.studies.surface.image_attention import ImageAttention
from attlas.studies.surface.sentence_maps import PassageWeights, readable_sentence
from attlas.studies.twins.twins import SEGMENTS as TWIN_SEGMENTS
from attlas.studies.twins.twins import Twin, TwinRows, measure_twins
from attlas.subject import Subject
from attlas.subject.losses import has_objective, no_objective
from attlas.subject.recorded import RecordedModel
from attlas.wording.numbers import count

LONGEST_COMPARED = 16_384  # tokens; what compares all heads with all, or differentiates, stops here
MAP_TOKENS = 15  # the most tokens of the sentence whose whole maps the atlas keeps


@dataclass(frozen=True, kw_only=True)
class SurfaceSettings:
    """What decides the numbers, apart from the model and the source."""

    offsets: tuple[int, ...] = ()  # beside previous, self and next
    sample: int = 200  # segments for distances, gradients and examples
    faithful: bool = False
    seed: int = 0
    kernel: str | None = None
    rows: float | None = None  # the fraction of rows that statistics are taken from; None: as the kernel can
    twin: bool = True  # whether the untrained twin is measured, too


@dataclass
class _Sampled:
    """What a sample showed; None where nothing could be measured."""

    distances: Distances | None = None
    token_distances: Means | None = None
    examples: Examples | None = None
    row_sample: ExampleRows | None = None
    of_causal_heads: tuple[HasRows, ...] = ()
    gradients: Gradients | None = None

    def rows(self) -> list[Row]:
        measured = (self.token_distances, self.distances, *self.of_causal_heads, self.gradients)
        return [row for reducer in measured if reducer is not None for row in reducer.rows()]


@dataclass(frozen=True, kw_only=True)
class Surface:
    subject: Subject
    source: Source
    classes: TokenClasses
    settings: SurfaceSettings = SurfaceSettings()

    @property
    def name(self) -> str:
        return chapter_name("surface", self.source, self.settings.faithful)

    def describe(self) -> dict[str, Any]:
        return described(
            "surface", self.source, {**asdict(self.settings), "classes": self.classes.fingerprint()}
        )

    def conclude(self, run: RunPass) -> Chapter:
        whole = run(self.statistics_pass())
        lengths, sample = whole.reducer(Lengths), whole.reducer(Sample)
        items = whole.counts["items"]
        if not items:
            raise nothing_in(self.source, whole.problems)
        tokens = self._tokens(run, sample.ids())
        sampled = self._measure_sample(run, sample.ids()[: self.settings.sample], tokens)
        rows = whole.reducer(Means).rows() + sampled.rows()
        if any(math.isnan(row.value) for row in rows):
            raise AttlasError(f"the attention of {self.subject.name} is not a number: its weights are broken")
        means = lengths.means()
        even = means["mean_log_length"], means["mean_log_visible"]
        beside = self._twins(run, sample.ids())
        twins = None if self.settings.faithful else beside.untrained
        rows += behaviours([r for r in rows if r.kind != "vision"], *even, self.settings.faithful, twins)
        arrays = sampled.distances.arrays() if sampled.distances else {}
        maps, map_tokens = self._sentence(run, tokens)
        document, shown, document_tokens = self._document(run, rows, tokens)
        lists, examples = self._examples(sampled, tokens)
        return Chapter(
            self.name,
            {
                **about(self.describe(), whole, [*self._notes(whole, tokens), *beside.notes]),
                "corpus": {
                    **self.source.describe()["corpus"],
                    "segments": items,
                    "documents": whole.counts["documents"],
                    **means,
                },
                "sampled": self._sample_sizes(sampled, sample.ids()[: max(1, self.settings.sample)], tokens),
                **shown,
            },
            rows,
            tables=self._tables(sampled, tokens) | beside.tables,
            arrays=arrays | self._plane(arrays) | maps | document,
            examples=examples,
            tokens=lists | map_tokens | document_tokens,
        )

    def statistics_pass(self) -> Pass:
        """Over the whole corpus; and of what it consists."""
        statistics = surface(self.classes, self.settings.offsets, self.settings.faithful)
        sample = Sample(max(1, self.settings.sample, TWIN_SEGMENTS), self.settings.seed)
        everything = self._pass("statistics", "where heads look", None, [statistics, Lengths(), sample])
        return replace(everything, rows=self.settings.rows)

    def _twins(self, run: RunPass, ids: Sequence[ItemId]) -> TwinRows:
        """What untrained twins give, on some of the segments."""

        def rows_of(twin: Twin, run_twin: RunPass) -> list[Row]:
            done = run_twin(self._pass("twin", "where heads look", ids[:TWIN_SEGMENTS], reducers))
            return [row for reducer in cast("Sequence[HasRows]", done.reducers) for row in reducer.rows()]

        statistics = surface(self.classes, self.settings.offsets, self.settings.faithful)
        of_tokens = () if self.settings.faithful else (over_a_sample(),)
        reducers = [statistics, *of_tokens, *self._of_causal_heads]
        return measure_twins(self.subject, run, self.settings.twin, rows_of)

    @property
    def _of_causal_heads(self) -> tuple[HasRows, ...]:
        causal = "decoder" in self.subject.kinds and not self.settings.faithful
        return (Rest(self.classes.names), Reach()) if causal else ()

    def _tokens(self, run: RunPass, ids: Sequence[ItemId]) -> TokenLists:
        return run(self._pass("tokens", "tokens of examples", ids, [TokenLists()])).reducer(TokenLists)

    def _row_sample(self) -> ExampleRows:
        return ExampleRows(seed=self.settings.seed)

    def _measure_sample(self, run: RunPass, ids: Sequence[ItemId], tokens: TokenLists) -> _Sampled:
        """What is expensive, over a sample: distances and gradients leave very long segments out."""
        lengths = tokens.lengths()
        short, long = (
            [i for i in ids if (lengths[i] > LONGEST_COMPARED) is is_long] for is_long in (False, True)
        )
        sampled = _Sampled()
        if short:
            distances = Distances(self.subject.heads, self.settings.faithful)
            of_causal_heads = self._of_causal_heads
            if self.subject.images:
                of_causal_heads += (ImageAttention(),)
            of_tokens = () if self.settings.faithful else (over_a_sample(),)
            reducers: list[Reducer] = [
                distances,
                Examples(),
                self._row_sample(),
                *of_causal_heads,
                *of_tokens,
            ]
            done = run(self._pass("distances", "distances between heads", short, reducers))
            sampled.token_distances = done.reducer(Means) if of_tokens else None
            sampled.distances, sampled.examples = done.reducer(Distances), done.reducer(Examples)
            sampled.row_sample = done.reducer(ExampleRows)
            sampled.of_causal_heads = tuple(done.reducer(type(reducer)) for reducer in of_causal_heads)
        if long:
            done = run(
                self._pass("long", "examples of long segments", long, [Examples(), self._row_sample()])
            )
            strongest, rows = done.reducer(Examples), done.reducer(ExampleRows)
            strongest.merge(sampled.examples or Examples())
            rows.merge(sampled.row_sample or self._row_sample())
            sampled.examples, sampled.row_sample = strongest, rows
        if short and self.subject.interface and has_objective(self.subject):
            differentiated = self._pass(
                "gradients", "gradients", short, [Gradients(self.classes.names)], gradients=True
            )
            sampled.gradients = run(differentiated).reducer(Gradients)
        return sampled

    def _sample_sizes(self, sampled: _Sampled, ids: Sequence[ItemId], tokens: TokenLists) -> dict[str, int]:
        lengths = tokens.lengths()
        short = sum(lengths[i] <= LONGEST_COMPARED for i in ids)
        sizes = {"distances": short, "examples": len(ids), "gradients": short}
        return {name: size for name, size in sizes.items() if getattr(sampled, name) is not None}

    def _pass(
        self,
        name: str,
        doing: str,
        ids: Sequence[ItemId] | None,
        reducers: Sequence[Reducer],
        gradients: bool = False,
    ) -> Pass:
        """Return a pass over chosen items, or over all."""
        source, items = (self.source, None) if ids is None else (self.source.only(ids), len(ids))
        settings = self.settings
        return Pass(
            name,
            source,
            reducers,
            gradients=gradients,
            kernel=settings.kernel,
            seed=settings.seed,
            doing=doing,
            items=items,
        )

    def _sentence(
        self, run: RunPass, tokens: TokenLists
    ) -> tuple[dict[str, npt.NDArray[Any]], dict[str, list[str]]]:
        """The maps of a sentence that reads well (`kind.maps`), and its tokens (`kind.maps.queries` and
        `kind.maps.keys`). Where texts are long, of the longest, since to run each of them takes long."""
        lengths = tokens.lengths()
        items = [_longest(lengths)] if max(lengths.values()) > LONG else list(lengths)
        spelled = {i: {side: self._spell(tokens, i, side) for side in self._sides(tokens, i)} for i in items}
        item, _ = readable_sentence(
            {i: next(iter(sides.values())) for i, sides in spelled.items()}, MAP_TOKENS
        )
        passages = {side: readable_sentence({item: s}, MAP_TOKENS)[1] for side, s in spelled[item].items()}
        lists = {
            f"{kind}.maps.{end}": spelled[item][side][passages[side]]
            for kind in self.subject.text_kinds
            for end, side in zip(("queries", "keys"), sides_of(kind), strict=True)
        }
        done = run(self._pass("sentence", "a sentence to show", [item], [PassageWeights(passages)]))
        return done.reducer(PassageWeights).arrays(), lists

    def _document(
        self, run: RunPass, rows: Sequence[Row], tokens: TokenLists
    ) -> tuple[dict[str, npt.NDArray[Any]], dict[str, Any], dict[str, list[str]]]:
        """The longest of the sampled segments, where it is long: all of it in tiles, and the strongest
        weights of the rows of those heads of which few weights tell most (between the tokens
        `document.side`)."""
        lengths = tokens.lengths()
        item = _longest(lengths)
        if lengths[item] <= LONG:
            return {}, {}, {}
        spread = {Head(r.kind, r.layer, r.head): r.value for r in rows if (r.statistic, r.group) == _ENTROPY}
        of_text = [head for head in self.subject.heads if head.kind in self.subject.text_kinds]
        document = LongDocument(sorted(of_text, key=lambda h: (spread[h], h)), lengths[item])
        shown = {"document": {"item": list(item), "tokens": lengths[item], "tile": document.tile}}
        lists = {f"document.{side}": self._spell(tokens, item, side) for side in self._sides(tokens, item)}
        done = run(self._pass("document", "a long document", [item], [document]))
        return done.reducer(LongDocument).arrays(), shown, lists

    def _sides(self, tokens: TokenLists, item: ItemId) -> list[str]:
        return [side for i, side in tokens.lists if i == item]

    def _spell(self, tokens: TokenLists, item: ItemId, side: str) -> list[str]:
        return self.subject.spell(tokens.lists[item, side].tolist())

    def _plane(self, arrays: dict[str, npt.NDArray[Any]]) -> dict[str, npt.NDArray[Any]]:
        """Return which head is where in the arrays, and the heads in the plane."""
        places: dict[str, npt.NDArray[Any]] = {}
        for kind in self.subject.kinds:
            heads = [(h.layer, h.head) for h in self.subject.heads if h.kind == kind]
            places[f"{kind}.heads"] = np.array(heads)
            if f"{kind}.distances" in arrays:
                places[f"{kind}.plane"] = in_the_plane(arrays[f"{kind}.distances"], self.settings.seed)
        return places

    def _examples(self, sampled: _Sampled, tokens: TokenLists) -> tuple[dict[str, list[str]], list[Example]]:
        """Examples as places in token lists; and those lists."""
        lists: dict[str, list[str]] = {}
        examples = []
        both = [
            e
            for reducer in (sampled.examples, sampled.row_sample)
            if reducer
            for e in reducer.examples()
            if e.head.kind in self.subject.text_kinds  # patches have no words
        ]
        for e in both:
            names = []
            for side in sides_of(e.head.kind):
                name = f"{e.id.document}.{e.id.place}.{side}"
                if name not in lists:
                    lists[name] = self.subject.spell(tokens.lists[e.id, side].tolist())
                names.append(name)
            examples.append(Example(e.head, e.weight, names[0], e.query, e.key, names[1], e.sample))
        return lists, examples

    def _tables(self, sampled: _Sampled, tokens: TokenLists) -> dict[str, pd.DataFrame]:
        if sampled.row_sample is None or not tokens.lists:
            return {}
        return {"looks": token_shares(sampled.row_sample, tokens, self.subject.spell)}

    def _notes(self, whole: Merged, tokens: TokenLists) -> list[str]:
        have = whole.counts["items"]
        notes = one_document([whole.counts["documents"]], [have], items_of(self.source))
        wanted = self.source.limit
        if wanted is not None and have < wanted:
            notes.append(
                f"{corpus_name(self.source)} holds {count(have, 'segment')}, fewer than the {wanted:,} asked "
                "for"
            )
        if skipped := whole.counts["skipped"]:
            were = "was" if skipped == 1 else "were"
            notes.append(
                f"{count(skipped, 'document')} could not be read and {were} skipped: {whole.problems[0]}"
            )
        if self.settings.rows is not None and self.settings.rows < 1:
            notes.append(
                f"statistics come from a random sample of the rows ({self.settings.rows:.4g} of them), whose "
                "variance is in the standard errors; distances, examples and gradients take every row"
            )
        long = sum(n > LONGEST_COMPARED for n in tokens.lengths().values())
        if long and self.settings.sample:
            notes.append(
                f"{long} of the sampled segments have more than {LONGEST_COMPARED:,} tokens: head distances "
                "and gradients leave them out"
            )
        if self.settings.sample and isinstance(self.subject.model, RecordedModel):
            notes.append(f"no gradients: {self.subject.name} is attention without its model")
        elif self.settings.sample and not self.subject.interface:
            notes.append(f"no gradients: {self.subject.name} does not use transformers' attention interface")
        elif self.settings.sample and (missing := no_objective(self.subject)):
            notes.append(f"no gradients: {self.subject.name} has {missing}")
        return notes


_ENTROPY = ("entropy", "all")


def surface_study(
    subject: Subject,
    text_options: TextOptions = TextOptions(),
    batch_options: BatchOptions = BatchOptions(),
    row_options: RowOptions = RowOptions(),
    *,
    offsets: Sequence[int] = (),
    classes: Mapping[str, Membership] | None = None,
    sample: int = 200,
    faithful: bool = False,
    twin: bool = False,
) -> Surface:
    """Return the study that `attlas map` runs."""
    length, rows = text_options.length, row_options.rows
    if far := [offset for offset in offsets if abs(offset) >= length]:
        raise AttlasError(f"{option('offsets', far[0])}: a segment of {length} tokens has no such neighbours")
    if rows is not None and not subject.interface:
        raise AttlasError(
            f"{option('rows', rows)}: {subject.name} returns every row, so a sample of them saves nothing"
        )
    items = text_items(subject, text_options, batch_options, faithful=faithful, classes=classes)
    settings = SurfaceSettings(
        offsets=tuple(offsets),
        sample=sample,
        faithful=faithful,
        seed=text_options.seed,
        kernel=choose_kernel(subject, batch_options),
        rows=rows,
        twin=twin,
    )
    return Surface(subject=subject, source=items.source, classes=items.classes, settings=settings)


def _longest(lengths: Mapping[ItemId, int]) -> ItemId:
    """The item of the most tokens, the first of them."""
    return max(lengths, key=lambda item: (lengths[item], -item.document, -item.place))
