"""The study of patterns: what every head attends to, beyond what position and frequency alone would give."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from attlas.address import Head
from attlas.atlas.chapter import Chapter
from attlas.corpora.batches import sides_of
from attlas.corpora.pictured_texts import PicturedSource
from attlas.corpora.source import ItemId
from attlas.corpora.text_source import RepeatedTokens, TextSource
from attlas.engines import Merged, Pass
from attlas.errors import AttlasError, option
from attlas.options.option_groups import BatchOptions, TextOptions
from attlas.reducers.items import Lengths, Sample, TokenLists
from attlas.reducers.reducer import Reducer
from attlas.row import Row
from attlas.studies.patterns.copying import copying
from attlas.studies.patterns.definitions import IN_TEXT
from attlas.studies.patterns.needle_scores import LongInduction, QueryFocus, Questions, Retrieval, has_answer
from attlas.studies.patterns.needles import Needles, needle_lengths
from attlas.studies.patterns.pattern_names import (
    judge_scores,
    named_scores,
    names,
    score_table,
    too_few_documents,
)
from attlas.studies.patterns.pattern_scores import PatternScore, PatternScores, score_rows
from attlas.studies.patterns.pattern_texts import Kinship, PatternText
from attlas.studies.patterns.predictive import HiddenTokens, Predictive
from attlas.studies.patterns.small_tasks import TASKS, no_tasks, task_scores
from attlas.studies.patterns.succession import succession
from attlas.studies.patterns.typical_maps import TypicalMaps
from attlas.studies.provenance import about, chapter_name, described, nothing_in, one_document
from attlas.studies.shapes.shapes_study import Shapes
from attlas.studies.shapes.shares import ShapeShares
from attlas.studies.study import RunPass, Study
from attlas.studies.study_items import choose_kernel, text_items
from attlas.studies.twins.twins import SEGMENTS as TWIN_SEGMENTS
from attlas.studies.twins.twins import Twin, TwinRows, measure_twins
from attlas.studies.word_vectors import check_words
from attlas.subject import Subject
from attlas.subject.losses import has_objective, no_objective
from attlas.wording.names import PATTERNS

SHEET_SAMPLE = 24  # texts among which typical maps are looked for
NEEDLE_PART = 16  # of the text's tokens: no longer text has a needle, where no lengths are asked for
TWIN_REPEATED, TWIN_HIDDEN = 8, 4  # texts of repeated, and of hidden, tokens that twins read

_NO_WEIGHTS = "the head's values and outputs were not found, or there is no language-model head"
LONGEST = 2048  # tokens in a segment: every pair of them is judged, so that memory grows with the square
SHORTEST_REPEATED = 12  # tokens that a model must take: four, the same again, and special ones


@dataclass(frozen=True, kw_only=True)
class PatternSettings:
    """What decides the numbers, apart from the model and the source."""

    repeated: int = 64  # texts of random tokens that repeat
    needles: tuple[int, ...] = ()  # lengths of texts with a needle; none where the model does not generate
    hidden: int = 16  # texts whose tokens are hidden one by one
    hidden_length: int = 24
    tasks: int = 16  # texts of each small task that a decoder is given
    maps: int = 4  # typical maps of each head
    twin: bool = True  # whether the untrained twin is measured, too
    seed: int = 0
    kernel: str | None = None


@dataclass(frozen=True, kw_only=True)
class Patterns:
    subject: Subject
    source: TextSource
    kinship: Kinship
    settings: PatternSettings = PatternSettings()

    @property
    def name(self) -> str:
        return chapter_name("patterns", self.source)

    def describe(self) -> dict[str, Any]:
        return described("patterns", self._text, {**asdict(self.settings), "needles": list(self.needles)})

    @property
    def needles(self) -> tuple[int, ...]:
        return self.settings.needles if self.subject.kinds == ("decoder",) else ()

    @property
    def _text(self) -> PatternText:
        return PatternText(self.source, self.kinship)

    def conclude(self, run: RunPass) -> Chapter:
        text = run(self.text_pass())
        return self.chapter(text, run, self.twins(text, run))

    def text_pass(self, also: Sequence[Reducer] = ()) -> Pass:
        """Over the text; `also` are reducers of another study of it."""
        scores = PatternScores(IN_TEXT, self.settings.seed)
        return self._pass("patterns", "patterns", self._text, [scores, *_items(), *also])

    def chapter(self, text: Merged, run: RunPass, beside: TwinRows) -> Chapter:
        """From the pass over the text, and from further ones."""
        scores = [_in_text(score) for score in text.reducer(PatternScores).scores()]
        if not scores:
            raise AttlasError("texts of a single token show no pattern: give texts of two or more")
        retrieval, answers = self._retrieval(run)
        of_tasks, solved = task_scores(self.subject, self.settings.tasks, self.settings.seed, self._pass, run)
        scores += self._repeated(run) + self._long_induction(run) + retrieval + self._predictive(run)
        scores += of_tasks + _of_weights(self.subject, self.settings.seed)
        judged = judge_scores(scores, beside.tables)
        named = names(judged)
        sheets = self._sheets(run, named_scores(judged, named), text.reducer(Sample).ids())
        notes = [*self._notes(text, scores), *too_few_documents(judged), *beside.notes, *answers, *solved]
        return Chapter(
            self.name,
            {
                **about(self.describe(), text, notes),
                "corpus": {
                    **self.source.describe()["corpus"],
                    "segments": text.counts["items"],
                    "documents": text.counts["documents"],
                    **text.reducer(Lengths).means(),
                },
            },
            [*score_rows(scores), *named],
            {"patterns": score_table(judged, named)} | beside.tables,
            sheets[0],
            tokens=sheets[1],
        )

    def twins(self, text: Merged, run: RunPass, shapes: Shapes | None = None) -> TwinRows:
        """What untrained twins give: in the text, on fewer texts that repeat or hide tokens, by copying; and
        how often their maps have each shape, where that is asked. They answer no question and solve no task,
        so that patterns of these have chance alone as their null."""
        if not text.counts["items"]:
            raise nothing_in(self.source, text.problems)
        ids = text.reducer(Sample).ids()
        source = self._text.only(ids[:TWIN_SEGMENTS])
        fewer = replace(self.settings, hidden=min(self.settings.hidden, TWIN_HIDDEN))
        fewer = replace(fewer, repeated=min(fewer.repeated, TWIN_REPEATED), needles=self.needles[:1])
        study = replace(self, settings=fewer)

        def rows_of(twin: Twin, run_twin: RunPass) -> list[Row]:
            read: list[Reducer] = [PatternScores(IN_TEXT, self.settings.seed)]
            read += [shapes.reducer()] if shapes else []
            text = run_twin(self._pass("patterns", "patterns", source, read, len(ids[:TWIN_SEGMENTS])))
            scores = [_in_text(score) for score in text.reducer(PatternScores).scores()]
            scores += study._repeated(run_twin) + study._long_induction(run_twin)
            scores += study._predictive(run_twin) + _of_weights(twin.subject, self.settings.seed)
            of_shapes = text.reducer(ShapeShares).rows() if shapes else []
            return [*score_rows(scores), *of_shapes]

        return measure_twins(self.subject, run, self.settings.twin, rows_of)

    def _repeated(self, run: RunPass) -> list[PatternScore]:
        source = RepeatedTokens(self.source.tokenizer, self.settings.repeated, seed=self.settings.seed)
        longest = self.subject.longest
        if longest is not None and longest < SHORTEST_REPEATED:
            return []
        if longest is not None and longest < 2 * source.longest + 4:
            source = replace(source, longest=max(4, longest // 2 - 2), shortest=max(3, longest // 5))
        wanted = PatternScores(("induction",), self.settings.seed, "repeated")
        done = run(self._pass("repeated", "induction on repeated tokens", PatternText(source), [wanted]))
        return done.reducer(PatternScores).scores()

    @property
    def _needles(self) -> Needles:
        return Needles(self.source.corpus, self.source.tokenizer, self.needles, seed=self.settings.seed)

    def _long_induction(self, run: RunPass) -> list[PatternScore]:
        if not self.needles:
            return []
        reducer = LongInduction(self.settings.seed)
        done = run(self._pass("long_induction", "copying needles", self._needles, [reducer]))
        return done.reducer(LongInduction).scores()

    def _retrieval(self, run: RunPass) -> tuple[list[PatternScore], list[str]]:
        """Where the model answers what it is asked about a needle; and a note on how often it does."""
        if not self.needles or not self._generates:
            return [], []
        questions = Questions(self._needles)
        asked = run(self._pass("answers", "answering questions", questions, [TokenLists()]))
        texts = asked.reducer(TokenLists).lists
        answers = {}
        for item in (questions.source.question_of(id) for id, _ in texts):
            assert item is not None
            answer = tuple(texts[item.id, "decoder"][len(item.segment.ids) :].tolist())
            if has_answer(item, answer):
                answers[item.id] = answer
        note = f"retrieval: the model answered {len(answers)} of {len(texts)} questions about a needle"
        if not answers:
            return [], [f"{note}, so that no head has a score"]
        reducers: list[Reducer] = [Retrieval(self.settings.seed), QueryFocus()]
        questions = replace(questions, answers=answers)
        done = run(self._pass("retrieval", "looking up answers", questions, reducers))
        return done.reducer(Retrieval).scores() + done.reducer(QueryFocus).scores(), [note]

    @property
    def _generates(self) -> bool:
        can = getattr(self.subject.model, "can_generate", None)
        return has_objective(self.subject) and can is not None and bool(can())

    def _predictive(self, run: RunPass) -> list[PatternScore]:
        if not self._intervenes:
            return []
        short = replace(
            self.source,
            length=min(self.settings.hidden_length, self.source.length),
            limit=self.settings.hidden,
            batch=None,
        )
        source = HiddenTokens(short, seed=self.settings.seed)
        hiding = self._pass("predictive", "hiding tokens, one at a time", source, [Predictive()])
        done = run(replace(hiding, runs="texts with a token hidden"))
        return done.reducer(Predictive).scores()

    @property
    def _intervenes(self) -> bool:
        return bool(self.settings.hidden) and not self.subject.encoder_decoder and has_objective(self.subject)

    def _sheets(
        self, run: RunPass, wanted: dict[Head, PatternScore], ids: Sequence[ItemId]
    ) -> tuple[dict[str, Any], dict[str, list[str]]]:
        """The typical maps of every head, and the tokens of their texts: `typical.N.side` is that of the N-th
        of `typical.items`."""
        if not self.settings.maps:
            return {}, {}
        columns = {
            head: (score.pattern.removesuffix("_text"), score.scale, score.score)
            for head, score in wanted.items()
            if score.pattern.removesuffix("_text") in IN_TEXT
        }
        maps = TypicalMaps(columns, self.settings.maps, seed=self.settings.seed)
        source = self._text.only(ids)
        done = run(self._pass("typical", "typical maps", source, [maps, TokenLists()], len(ids)))
        kept, lists = done.reducer(TypicalMaps), done.reducer(TokenLists)
        arrays = dict(kept.arrays())
        for kind in self.subject.kinds:
            arrays[f"{kind}.heads"] = np.array(
                [(h.layer, h.head) for h in self.subject.heads if h.kind == kind]
            )
        tokens = {}
        for item in sorted(kept.items()):
            for kind in self.subject.kinds:
                side = sides_of(kind)[0]
                ids_of = lists.lists[item, side].tolist()[: maps.tokens]
                tokens[f"typical.{item.document}.{item.place}.{kind}"] = self.subject.spell(ids_of)
        return arrays, tokens

    def _pass(
        self, name: str, doing: str, source: Any, reducers: Sequence[Reducer], items: int | None = None
    ) -> Pass:
        kernel, seed = self.settings.kernel, self.settings.seed
        return Pass(name, source, reducers, kernel=kernel, seed=seed, doing=doing, items=items)

    def _notes(self, text: Merged, scores: Sequence[PatternScore]) -> list[str]:
        """What is not applicable, and why."""
        have = {score.pattern for score in scores}
        why = {
            "next": "the model does not look ahead",
            "induction": "repeated tokens do not fit into what the model takes",
            "delimiter": "its texts have no special token after the first",
            "sink": "its texts begin with a special token, which counts as a delimiter",
            "punctuation": "its texts have no period or comma",
            "other_sentence": "its texts have one sentence",
            "bag": "its texts have one sentence",
            **dict.fromkeys(("long_induction", "retrieval", "query_focus"), self._no_needles),
            **dict.fromkeys(TASKS, no_tasks(self.subject) or self._no_tasks),
            "predictive": f"the model has {no_objective(self.subject)}"
            if no_objective(self.subject)
            else "no text was given to the intervention",
            **dict.fromkeys(("copying", "succession"), _NO_WEIGHTS),
        }
        missing = [name for name in (*PATTERNS, "copying", "succession") if name not in have]
        notes = [f"not applicable: {name} ({why.get(name, 'no text could show it')})" for name in missing]
        heads = {score.head for score in scores if score.pattern == "long_induction"}
        if heads and len(heads) < len(self.subject.heads):
            notes.append(
                "long induction and retrieval: some layers see no needle, since their window is shorter than "
                "its distance"
            )
        notes += one_document([text.counts["documents"]], [text.counts["items"]], "texts")
        if text.counts["items"] == 1:
            notes.append("one text: names are by strength alone, since nothing can be tested")
        if skipped := text.counts["skipped"]:
            notes.append(f"{skipped:,} documents could not be read and were skipped: {text.problems[0]}")
        return notes

    @property
    def _no_needles(self) -> str:
        if self.subject.kinds != ("decoder",):
            return "the model does not generate text"
        if self.needles:
            return "the model answered no question about a needle"
        return "no needle was asked for, or none fits into what the model takes"

    @property
    def _no_tasks(self) -> str:
        return "the model does not solve the task" if self.settings.tasks else "no task was asked for"


@dataclass(frozen=True)
class PatternsAndShapes:
    """Patterns and shapes of the same text, a chapter each: the model reads it once for both."""

    patterns: Patterns

    @property
    def shapes(self) -> Shapes:
        settings = self.patterns.settings
        twin_of = self.patterns.subject if settings.twin else None
        return Shapes(
            source=self.patterns.source, seed=settings.seed, kernel=settings.kernel, twin_of=twin_of
        )

    @property
    def studies(self) -> tuple[Study, Study]:
        return self.patterns, self.shapes

    def conclude(self, run: RunPass, wanted: Sequence[Study]) -> Iterator[Chapter]:
        if len(wanted) == 1:  # the other is there already
            yield wanted[0].conclude(run)
            return
        read = run(self.patterns.text_pass([self.shapes.reducer()]))
        of_shapes, of_patterns = self.patterns.twins(read, run, self.shapes).split("shape_share")
        yield self.patterns.chapter(read, run, of_patterns)
        yield self.shapes.chapter(read, of_shapes)


def pattern_study(
    subject: Subject,
    text_options: TextOptions = TextOptions(),
    batch_options: BatchOptions = BatchOptions(),
    *,
    repeated: int | None = None,
    needles: Sequence[int] | None = None,
    hidden: int | None = None,
    maps: int = 4,
    tasks: int | None = None,
    words: Path | None = None,
    twin: bool = False,
) -> Patterns:
    """Return the study that `attlas patterns` runs; `words` is a file of word vectors. Of made texts there
    are no more than segments of the text, where their number is not given."""
    source = text_items(subject, text_options, batch_options).source
    if isinstance(source, PicturedSource):
        raise AttlasError(f"patterns are looked for in text alone: give {option('text')} without pictures")
    if not isinstance(source, TextSource):
        raise AttlasError(
            f"{subject.name} is recorded attention: patterns are looked for in texts of their own, which "
            "only the model itself can read"
        )
    if source.length > LONGEST:
        raise AttlasError(
            f"{option('length', source.length)}: patterns are scored in at most {LONGEST:,} tokens at once"
        )
    if words is not None:
        check_words(words)
    most = math.inf if text_options.segments == "all" else int(text_options.segments)
    settings = PatternSettings(
        repeated=_within(repeated, PatternSettings.repeated, max(2, most)),
        needles=tuple(
            length
            for length in needle_lengths(subject, needles)
            if needles is not None or length <= max(source.length, most * source.length // NEEDLE_PART)
        ),
        hidden=_within(hidden, PatternSettings.hidden, most),
        maps=maps,
        tasks=_within(tasks, PatternSettings.tasks, most),
        twin=twin,
        seed=text_options.seed,
        kernel=choose_kernel(subject, batch_options),
    )
    return Patterns(subject=subject, source=source, kinship=Kinship(words), settings=settings)


def _within(asked: int | None, usual: int, most: float) -> int:
    return asked if asked is not None else int(min(usual, most))


def _items() -> list[Reducer]:
    return [Lengths(), Sample(SHEET_SAMPLE)]


def _in_text(score: PatternScore) -> PatternScore:
    """Induction that is seen in text has a name of its own; the pattern is about tokens drawn at random."""
    return replace(score, pattern="induction_text") if score.pattern == "induction" else score


def _of_weights(subject: Subject, seed: int) -> list[PatternScore]:
    return copying(subject, seed) + succession(subject)
