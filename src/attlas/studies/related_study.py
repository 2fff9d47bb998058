"""Related words (Vig 2019 wished for it): do heads link synonyms? Which words are synonyms WordNet says, and
what a head gives them stands beside what it gives to other words as frequent and as far away."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import torch

from attlas.atlas.chapter import Chapter
from attlas.corpora.alignment import Piece, pieces_within, with_words
from attlas.corpora.source import Source
from attlas.corpora.windows import Window, what_was_read
from attlas.corpora.wordnet import WordNet, class_of
from attlas.engines.passes import Pass
from attlas.errors import AttlasError
from attlas.reducers.reducer import Reducer, Sums
from attlas.studies.links.heads_at_work import FirstLinks, add_heads_at_work, heads_at_work
from attlas.studies.links.link_questions import Link
from attlas.studies.provenance import about, chapter_name, corpus_name, described, refuse_nothing_read
from attlas.studies.study import RunPass
from attlas.studies.weights.window_weights import (
    BetweenPairs,
    Pairs,
    WindowWeights,
    named_heads,
    past_percentile,
    weight_table,
)
from attlas.tap.needs import Needs
from attlas.tap.observation import Observation

STATISTIC = "related_weight"
#: groups: all synonyms of a word; those that stand before it, which a decoder sees, too
SYNONYMS, BEFORE = "synonyms", "synonyms_before"
BEGINNING = 3  # letters
ALIKE = 2.0  # words are as frequent, and as far, within this factor


@dataclass(frozen=True, kw_only=True)
class Related:
    """The heads with the most weight from a word to its synonyms in the same window."""

    source: Source
    wordnet: WordNet
    version: Mapping[str, str]  # of WordNet: its folder's name and its checksum

    @property
    def name(self) -> str:
        return chapter_name("related", self.source)

    def describe(self) -> dict[str, Any]:
        return described("related", self.source, dict(self.version))

    def conclude(self, run: RunPass) -> Chapter:
        counting = Pass("words", self.source, [WordCounts("words")], doing="counting words")
        counted = run(counting)
        refuse_nothing_read(self.source, counted)
        related = RelatedWords.of(self.wordnet, counted.reducer(WordCounts).counts())
        if not related.senses:
            raise AttlasError(f"{corpus_name(self.source)} has no word with a tag that WordNet knows")
        weights = WindowWeights("weights", STATISTIC, BetweenPairs(RelatedPairs(related)))
        reducers: list[Reducer] = [weights, FirstLinks("places", RelatedLinks(related))]
        done = run(Pass("weights", self.source, reducers, doing="weights on words"))
        rows, first = done.reducer(WindowWeights).rows(), done.reducer(FirstLinks)
        if not rows:
            raise AttlasError(
                f"{corpus_name(self.source)} has no synonyms with other words to compare them with: give a "
                "larger corpus, or longer windows"
            )
        table = past_percentile(weight_table(rows, STATISTIC))
        best = named_heads(table)
        shown = heads_at_work(RelatedLinks(related), best, first.places, self.source, run)
        notes = [
            what_was_read(done.counts, done.problems),
            "heads past the 99th percentile; matched: other words of the same class, on the same side, as "
            f"frequent and as far within a factor of {ALIKE:g}",
        ]
        chapter = Chapter(self.name, about(self.describe(), done, notes), rows, {"weights": table})
        return add_heads_at_work(chapter, shown)


class WordCounts(Sums):
    """Counts the words that WordNet may have, by class and form."""

    needs = Needs()

    def __init__(self, name: str) -> None:
        self.name = name
        super().__init__()  # class/form -> 1

    def update(self, observation: Observation) -> None:
        for window in with_words(observation.batch, self.name).windows:
            for word in window.words:
                if word_class := class_of(word):
                    self.add(f"{word_class}/{word.text.lower()}", torch.ones(1, dtype=torch.int64))

    def counts(self) -> dict[tuple[str, str], int]:
        """(class, form) -> how often it comes."""
        split = ((key.partition("/"), sums) for key, sums in sorted(self.sums.items()))
        return {(word_class, form): int(sums) for (word_class, _, form), sums in split}


@dataclass(frozen=True)
class RelatedWords:
    """Of the words of a corpus, by class and form: the base form, the senses, the commonest first, and how
    often a word with this base form comes."""

    base: Mapping[tuple[str, str], str]
    senses: Mapping[tuple[str, str], tuple[int, ...]]
    frequency: Mapping[tuple[str, str], int]

    @classmethod
    def of(cls, wordnet: WordNet, counts: Mapping[tuple[str, str], int]) -> RelatedWords:
        base = {
            (word_class, form): base
            for word_class, form in counts
            if (base := wordnet.base(form, word_class)) is not None
        }
        senses = {key: wordnet.senses[key[0]][base[key]] for key in base}
        of_base: defaultdict[tuple[str, str], int] = defaultdict(int)
        for key, form in base.items():
            of_base[key[0], form] += counts[key]
        return cls(base, senses, {key: of_base[key[0], form] for key, form in base.items()})

    def __deepcopy__(self, memo: object) -> RelatedWords:
        return self  # never changes

    def keys_of(self, window: Window) -> list[tuple[str, str] | None]:
        """For each word its class and form; None for one that WordNet does not have."""
        named = ((class_of(word) or "", word.text.lower()) for word in window.words)
        return [key if key in self.senses else None for key in named]

    def are_synonyms(self, a: tuple[str, str], b: tuple[str, str]) -> bool:
        """Whether two words of one class share a sense that is the commonest of either."""
        if a[0] != b[0] or _look_alike(self.base[a], self.base[b]):
            return False
        return self.senses[a][0] in self.senses[b] or self.senses[b][0] in self.senses[a]

    def are_apart(self, a: tuple[str, str], b: tuple[str, str]) -> bool:
        """Whether two words of one class share no sense at all."""
        if a[0] != b[0] or _look_alike(self.base[a], self.base[b]):
            return False
        return not set(self.senses[a]) & set(self.senses[b])


@dataclass(frozen=True)
class Synonyms:
    """A word, a synonym of it, and the words to compare that with: places in the window."""

    word: int
    synonym: int
    others: tuple[int, ...]

    @property
    def groups(self) -> tuple[str, ...]:
        return (SYNONYMS, BEFORE) if self.synonym < self.word else (SYNONYMS,)


def find_synonyms(window: Window, related: RelatedWords) -> Iterator[Synonyms]:
    """Each word with each synonym of it that has others to compare with: as frequent as the synonym, and as
    far from the word, on the same side."""
    keys = related.keys_of(window)
    known = [(place, key) for place, key in enumerate(keys) if key is not None]
    for word, asking in known:
        for synonym, key in known:
            if not related.are_synonyms(asking, key):
                continue
            others = tuple(
                other
                for other, compared in known
                if related.are_apart(asking, compared)
                and (other < word) == (synonym < word)
                and _alike(related.frequency[compared], related.frequency[key])
                and _alike(abs(other - word), abs(synonym - word))
            )
            if others:
                yield Synonyms(word, synonym, others)


def _look_alike(a: str, b: str) -> bool:
    """Whether two words begin alike, or one is in the other (art, artwork): a head that looks for the same
    spelling links them, too."""
    return a[:BEGINNING] == b[:BEGINNING] or a in b or b in a


def _alike(a: int, b: int) -> bool:
    return max(a, b) <= ALIKE * min(a, b)


@dataclass(frozen=True)
class RelatedPairs:
    """Every piece of a word with every piece of its synonym, and with those of each word to compare with."""

    related: RelatedWords

    def __call__(self, window: Window, queries: Sequence[Piece], keys: Sequence[Piece]) -> list[Pairs]:
        pairs = []
        for link in find_synonyms(window, self.related):
            asking = pieces_within(queries, [window.spans[link.word]])
            places = [
                tuple((q, k) for q in asking for k in pieces_within(keys, [window.spans[word]]))
                for word in (link.synonym, *link.others)
            ]
            if all(places):
                pairs += [Pairs(group, places[0], tuple(places[1:])) for group in link.groups]
        return pairs


@dataclass(frozen=True)
class RelatedLinks:
    """The same as questions, each word with its synonyms: what the figures show."""

    related: RelatedWords

    def __call__(self, window: Window) -> list[Link]:
        links: defaultdict[tuple[int, str], list[int]] = defaultdict(list)
        for link in find_synonyms(window, self.related):
            for group in link.groups:
                links[link.word, group].append(link.synonym)
        return [Link(word, tuple(synonyms), (group,)) for (word, group), synonyms in links.items()]
