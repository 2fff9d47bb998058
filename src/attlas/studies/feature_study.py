"""Features (Kovaleva 2019, sections 4.4 and 4.5): attention to nouns, verbs, pronouns, subjects, objects and
negation, and between the two ends of a link. Annotations come from a treebank or from spaCy."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

import pandas as pd

from attlas.atlas.chapter import Chapter
from attlas.corpora.alignment import Piece, pieces_within
from attlas.corpora.annotated_documents import Word
from attlas.corpora.source import Source
from attlas.corpora.windows import Window, what_was_read
from attlas.engines.passes import Pass
from attlas.errors import AttlasError, option
from attlas.reducers.reducer import Reducer
from attlas.row import Row
from attlas.studies.links.heads_at_work import FirstLinks, add_heads_at_work, heads_at_work
from attlas.studies.links.link_questions import Link
from attlas.studies.provenance import about, chapter_name, corpus_name, described, refuse_nothing_read
from attlas.studies.study import RunPass
from attlas.studies.weights.window_weights import (
    BetweenPairs,
    FindFeatures,
    FindPairs,
    OnFeatures,
    Pairs,
    WindowWeights,
    named_heads,
    strongest,
    weight_table,
)

STATISTICS = "feature_weight", "cls_weight", "link_weight"


@dataclass(frozen=True, kw_only=True)
class FeatureStudy:
    """The head with the most weight on every feature, from all tokens and from [CLS], and between linked
    words. The windows are sentences."""

    source: Source
    tokenizer: Any = None  # of the model, where `faithful`
    faithful: bool = False  # the original's way of finding tokens, by their spelling

    @property
    def name(self) -> str:
        return chapter_name("features", self.source, self.faithful)

    def describe(self) -> dict[str, Any]:
        settings = {"faithful": self.faithful}
        return described("features", self.source, settings)

    def conclude(self, run: RunPass) -> Chapter:
        places: FindFeatures = OriginalPlaces(self.tokenizer) if self.faithful else feature_places
        links: FindPairs = OriginalLinkPairs(self.tokenizer) if self.faithful else link_pairs
        reducers: list[Reducer] = [
            WindowWeights("features", "feature_weight", OnFeatures(places)),
            WindowWeights("from_cls", "cls_weight", OnFeatures(places, from_cls=True)),
            WindowWeights("links", "link_weight", BetweenPairs(links)),
            FirstLinks("places", shown_links),
        ]
        done = run(Pass("weights", self.source, reducers, doing="weights on words"))
        weighed = [reducer for reducer in done.reducers if isinstance(reducer, WindowWeights)]
        first = done.reducer(FirstLinks)
        refuse_nothing_read(self.source, done)
        rows = list(chain.from_iterable(reducer.rows() for reducer in weighed))
        if {row.group for row in rows} <= {"cls", "sep", "negation"}:  # these need no annotation
            name = corpus_name(self.source)
            raise AttlasError(
                f"{name} has no tags or relations: name a spaCy pipeline with {option('pipeline')}"
            )
        table = _table(rows)
        best = named_heads(table[table["statistic"] == "link_weight"])
        shown = heads_at_work(shown_links, best, first.places, self.source, run)
        notes = [
            what_was_read(done.counts, done.problems),
            "feature_weight: from all tokens; cls_weight: from the last [CLS]; link_weight: between words",
            "matched: as many tokens at random, for links the same tokens slid along the sentence",
        ]
        chapter = Chapter(self.name, about(self.describe(), done, notes), rows, {"weights": table})
        return add_heads_at_work(chapter, shown)


def _table(rows: Sequence[Row]) -> pd.DataFrame:
    """The strongest head of every group; from [CLS], that of the last layer, as in the original."""
    tables = []
    for statistic in STATISTICS:
        if any(row.statistic == statistic for row in rows):
            table = weight_table(rows, statistic)
            if statistic == "cls_weight":
                table = table[table["layer"] == table["layer"].max()]
            tables.append(strongest(table))
    return pd.concat(tables, ignore_index=True)


def _word_set(words: str) -> frozenset[str]:
    return frozenset(words.split())


#: Penn tags, as spaCy's English pipelines give them
TAGS = {
    "nouns": _word_set("NN NNP NNPS NNS"),
    "pronouns": _word_set("PRP PRP$"),
    "verbs": _word_set("VB VBD VBG VBN VBP VBZ"),
}
#: for corpora whose own tags are not Penn's
UNIVERSAL = {
    "nouns": frozenset({"NOUN", "PROPN"}),
    "pronouns": frozenset({"PRON"}),
    "verbs": frozenset({"VERB", "AUX"}),
}
#: spaCy's relations, then those of Universal Dependencies
RELATIONS = {
    "subjects": frozenset(
        ["nsubj", "nsubjpass", "csubj", "csubjpass", "agent", "expl", "nsubj:pass", "csubj:pass", "obl:agent"]
    ),
    "objects": _word_set("dobj iobj dative attr oprd obj"),
}
NEGATIONS = _word_set(
    "neither nor not never none don't won't didn't hadn't haven't can't isn't wasn't shouldn't couldn't "
    "nothing nowhere"
)
#: a treebank's words for negation: the list above, split as treebanks split contractions
NEGATION_WORDS = frozenset({w for w in NEGATIONS if "'" not in w} | {"n't", "n’t", "no", "nobody"})
NAMES = ("nouns", "pronouns", "verbs", "subjects", "objects", "negation")
#: all of Penn's tags, with those that later English treebanks added
PENN = _word_set(
    "CC CD DT EX FW IN JJ JJR JJS LS MD NN NNP NNPS NNS PDT POS PRP PRP$ RB RBR RBS RP SYM TO UH VB VBD VBG "
    "VBN VBP VBZ WDT WP WP$ WRB ADD AFX GW HYPH NFP XX"
)


def word_features(window: Window) -> dict[str, list[int]]:
    """feature -> the words that have it."""
    places: dict[str, list[int]] = {name: [] for name in NAMES}
    for place, word in enumerate(window.words):
        for name in _features_of_word(word):
            places[name].append(place)
    return places


def _features_of_word(word: Word) -> list[str]:
    tags, tag = (TAGS, word.tag) if word.tag in PENN else (UNIVERSAL, word.universal)
    names = [name for name, members in tags.items() if tag in members]
    names += [
        name
        for name, members in RELATIONS.items()
        if word.relation in members or word.relation.split(":")[0] in members
    ]
    negative = word.text.lower() in NEGATION_WORDS or word.features.get("Polarity") == "Neg"
    return names + ["negation"] * negative


def feature_places(window: Window, keys: Sequence[Piece]) -> dict[str, list[int]]:
    """The pieces of each feature's words, by characters; features that the window lacks are left out."""
    by_feature = {}
    for name, words in word_features(window).items():
        if places := pieces_within(keys, [window.spans[w] for w in words]):
            by_feature[name] = places
    return by_feature


@dataclass(frozen=True)
class OriginalPlaces:
    """The original's places: every piece spelled like one of the feature's, wherever it stands. Features
    that a sentence lacks score 0, except negation, which is looked for as a substring and skipped."""

    tokenizer: Any

    def __call__(self, window: Window, keys: Sequence[Piece]) -> dict[str, list[int]]:
        places = {}
        for name, words in word_features(window).items():
            if name != "negation":
                texts = [window.words[w].text for w in words]
                places[name] = _places_spelled_like(self.tokenizer, texts, keys)
        sentence = window.text.lower()
        negations = [w for w in NEGATIONS if w in sentence]
        if negations:
            places["negation"] = _places_spelled_like(self.tokenizer, negations, keys)
        return places

    def __deepcopy__(self, memo: object) -> OriginalPlaces:
        return self  # never changes, and a tokenizer is slow to copy


def _places_spelled_like(tokenizer: Any, words: Iterable[str], pieces: Sequence[Piece]) -> list[int]:
    """The places of pieces spelled like any piece of the words."""
    strings = {piece for word in words for piece in tokenizer.tokenize(word)}
    return [i for i, p in enumerate(pieces) if p.text in strings]


def word_links(window: Window) -> dict[str, list[tuple[int, int]]]:
    """Verbs with their subjects, and pronouns with the nouns before them in the same window, both ways.

    Which noun a pronoun means a treebank does not say: the link is with every noun to its left.
    """
    has = word_features(window)
    subjects = _subjects(window, lambda relation: relation.split(":")[0] in ("nsubj", "nsubjpass"))
    nouns = [(p, n) for p in has["pronouns"] for n in has["nouns"] if n < p]
    return {
        "subject_to_verb": subjects,
        "verb_to_subject": [(b, a) for a, b in subjects],
        "pronoun_to_noun": nouns,
        "noun_to_pronoun": [(b, a) for a, b in nouns],
    }


def _subjects(window: Window, is_subject: Callable[[str], bool]) -> list[tuple[int, int]]:
    """Words whose relation to a verb is a subject's, each with its verb."""
    subjects = []
    for i, (word, head) in enumerate(zip(window.words, window.heads, strict=True)):
        if is_subject(word.relation) and head is not None:
            above = window.words[head]
            is_verb = above.universal == "VERB" if above.universal else above.tag in TAGS["verbs"]
            if is_verb:
                subjects.append((i, head))
    return subjects


def shown_links(window: Window) -> list[Link]:
    """The same links as questions, each word with all that it is linked to: what the figures show."""
    return [
        Link(word, tuple(b for a, b in links if a == word), (group,))
        for group, links in word_links(window).items()
        for word in dict.fromkeys(a for a, _ in links)
    ]


def link_pairs(window: Window, queries: Sequence[Piece], keys: Sequence[Piece]) -> list[Pairs]:
    """For each link, every piece of the one word with every piece of the other, by characters."""
    pairs = []
    for group, links in word_links(window).items():
        for a, b in links:
            froms = pieces_within(queries, [window.spans[a]])
            tos = pieces_within(keys, [window.spans[b]])
            if froms and tos:
                pairs.append(Pairs(group, tuple((q, k) for q in froms for k in tos)))
    return pairs


@dataclass(frozen=True)
class OriginalLinkPairs:
    """The original's pairs: places spelled like a subject's pieces zipped with places spelled like its
    verb's; the largest of the whole sentence, and 0 where there is none. It has no pairs of nouns and
    pronouns."""

    tokenizer: Any

    def __call__(self, window: Window, queries: Sequence[Piece], keys: Sequence[Piece]) -> list[Pairs]:
        links = _subjects(window, lambda relation: relation == "nsubj")
        subjects, verbs = (
            _places_spelled_like(self.tokenizer, [window.words[link[end]].text for link in links], keys)
            for end in (0, 1)
        )
        zipped = list(zip(subjects, verbs, strict=False))
        return [
            Pairs("subject_to_verb", tuple(zipped)),
            Pairs("verb_to_subject", tuple((b, a) for a, b in zipped)),
        ]

    def __deepcopy__(self, memo: object) -> OriginalLinkPairs:
        return self  # never changes, and a tokenizer is slow to copy
