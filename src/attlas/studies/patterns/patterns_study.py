"""The study of patterns: what every head attends to, beyond what position and frequency alone would give."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from attlas.address import Head
from attlas.atlas.chapter import Chapter
from attlas.atlas.names import NONE, PATTERNS
from attlas.corpora.batches import sides_of
from attlas.corpora.source import ItemId
from attlas.corpora.text_source import TextSource
from attlas.engines import Merged, Pass
from attlas.errors import AttlasError
from attlas.reducers.items import Lengths, Sample, TokenLists
from attlas.reducers.reducer import Reducer
from attlas.studies.patterns.copying import copying
from attlas.studies.patterns.definitions import IN_TEXT
from attlas.studies.patterns.hiding import HiddenTokens
from attlas.studies.patterns.long_induction import LongInduction
from attlas.studies.patterns.needles import Needles
from attlas.studies.patterns.pattern_names import (
    JudgedScore,
    names,
    score_table,
    too_few_documents,
    with_p_values,
)
from attlas.studies.patterns.pattern_scores import PatternScore, PatternScores, score_rows
from attlas.studies.patterns.predictive import Predictive
from attlas.studies.patterns.query_focus import QueryFocus
from attlas.studies.patterns.related import Kinship
from attlas.studies.patterns.retrieval import Questions, Retrieval, answered
from attlas.studies.patterns.sources import PatternText, RepeatedTokens
from attlas.studies.patterns.task_scores import TASKS, no_tasks, task_scores
from attlas.studies.patterns.typical_maps import TypicalMaps
from attlas.studies.provenance import about, chapter_name, described, nothing_in, one_document
from attlas.studies.study import RunPass
from attlas.subject import Subject
from attlas.subject.losses import has_objective, no_objective

SHEET_SAMPLE = 24  # texts among which typical maps are looked for

SHORTEST_REPEATED = 12  # tokens that a model must take: four, the same again, and special ones


@dataclass(frozen=True)
class PatternSettings:
    """What decides the numbers, apart from the model and the source."""

    repeated: int = 64  # texts of random tokens that repeat
    needles: tuple[int, ...] = ()  # lengths of texts with a needle; none where the model does not generate
    hidden: int = 16  # texts whose tokens are hidden one by one
    hidden_length: int = 24
    tasks: int = 16  # texts of each small task that a decoder is given
    maps: int = 4  # typical maps of each head
    seed: int = 0
    kernel: str | None = None


@dataclass(frozen=True)
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
        return self.chapter(run(self.text_pass()), run)

    def text_pass(self, also: Sequence[Reducer] = ()) -> Pass:
        """Over the text; `also` are reducers of another study of it."""
        scores = PatternScores(IN_TEXT, self.settings.seed)
        return self._pass("patterns", self._text, [scores, *_items(), *also])

    def chapter(self, text: Merged, run: RunPass) -> Chapter:
        """From the pass over the text, and from further ones."""
        if not text.counts["items"]:
            raise nothing_in(self.source, text.problems)
        scores = [_in_text(score) for score in text.reducer(PatternScores).scores()]
        if not scores:
            raise AttlasError("texts of a single token show no pattern: give texts of two or more")
        retrieval, answers = self._retrieval(run)
        of_tasks, solved = task_scores(self.subject, self.settings.tasks, self.settings.seed, self._pass, run)
        scores += self._repeated(run) + self._long_induction(run) + retrieval + self._predictive(run)
        scores += of_tasks + copying(self.subject, self.settings.seed)
        judged = with_p_values(scores)
        named = names(judged)
        sheets = self._sheets(run, named_scores(judged, named), text.reducer(Sample).ids())
        notes = [*self._notes(text, scores), *too_few_documents(named), *answers, *solved]
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
            {"patterns": score_table(judged, named)},
            sheets[0],
            tokens=sheets[1],
        )

    def _repeated(self, run: RunPass) -> list[PatternScore]:
        source = RepeatedTokens(self.source.tokenizer, self.settings.repeated, seed=self.settings.seed)
        longest = self.subject.longest
        if longest is not None and longest < SHORTEST_REPEATED:
            return []
        if longest is not None and longest < 2 * source.longest + 4:
            source = replace(source, longest=max(4, longest // 2 - 2), shortest=max(3, longest // 5))
        wanted = PatternScores(("induction",), self.settings.seed, "repeated")
        return run(self._pass("repeated", source, [wanted])).reducer(PatternScores).scores()

    @property
    def _needles(self) -> Needles:
        return Needles(self.source.corpus, self.source.tokenizer, self.needles, seed=self.settings.seed)

    def _long_induction(self, run: RunPass) -> list[PatternScore]:
        if not self.needles:
            return []
        reducer = LongInduction(self.settings.seed)
        return run(self._pass("long_induction", self._needles, [reducer])).reducer(LongInduction).scores()

    def _retrieval(self, run: RunPass) -> tuple[list[PatternScore], list[str]]:
        """Where the model answers what it is asked about a needle; and a note on how often it does."""
        if not self.needles or not self._generates:
            return [], []
        questions = Questions(self._needles)
        texts = run(self._pass("answers", questions, [TokenLists()])).reducer(TokenLists).lists
        answers = {}
        for item in (questions.needles.asked(id) for id, _ in texts):
            assert item is not None
            answer = tuple(texts[item.id, "decoder"][len(item.segment.ids) :].tolist())
            if answered(item, answer):
                answers[item.id] = answer
        note = f"retrieval: the model answered {len(answers)} of {len(texts)} questions about a needle"
        if not answers:
            return [], [f"{note}, so that no head has a score"]
        reducers: list[Reducer] = [Retrieval(self.settings.seed), QueryFocus()]
        done = run(self._pass("retrieval", replace(questions, answers=answers), reducers))
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
        return run(self._pass("predictive", source, [Predictive()])).reducer(Predictive).scores()

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
        done = run(self._pass("typical", source, [maps, TokenLists()], len(ids)))
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

    def _pass(self, name: str, source: Any, reducers: Sequence[Reducer], items: int | None = None) -> Pass:
        return Pass(name, source, reducers, kernel=self.settings.kernel, seed=self.settings.seed, items=items)

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
            "copying": "the head's values and outputs were not found, or there is no language-model head",
        }
        missing = [name for name in (*PATTERNS, "copying") if name not in have]
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


def _items() -> list[Reducer]:
    return [Lengths(), Sample(SHEET_SAMPLE)]


def _in_text(score: PatternScore) -> PatternScore:
    """Induction that is seen in text has a name of its own; the pattern is about tokens drawn at random."""
    return replace(score, pattern="induction_text") if score.pattern == "induction" else score


def named_scores(scores: Sequence[JudgedScore], named: Sequence[Any]) -> dict[Head, PatternScore]:
    """Of each head that has a pattern, its score in text."""
    called = {
        Head(r.kind, r.layer, r.head): r.group for r in named if r.statistic == "pattern" and r.group != NONE
    }
    by_name = {(judged.score.head, judged.score.pattern): judged.score for judged in scores}
    wanted = {}
    for head, pattern in called.items():
        score = by_name.get((head, "induction_text" if pattern == "induction" else pattern))
        if score is not None:
            wanted[head] = score
    return wanted
