"""Coreference (Clark 2019, section 4.3): does a mention's head word attend most to one of its antecedents?

The original's code was never released. Here a mention is asked for an antecedent among the head words of all
mentions before it in the window (or among all words before it), and any mention of its entity is correct. GAP
asks which of two names a pronoun means.

A mention's head word and type are decided by the corpus's dependencies and parts of speech. Where it has none
(LitBank, GAP), English spelling does, as well as it can; a spaCy pipeline can be named instead.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

import torch

from attlas.atlas.chapter import Chapter
from attlas.corpora.alignment import From, with_words
from attlas.corpora.annotated_documents import Mention, Word
from attlas.corpora.gap import NEITHER
from attlas.corpora.source import Source
from attlas.corpora.windows import Window
from attlas.errors import AttlasError
from attlas.reducers.reducer import Sums
from attlas.studies.links.best_heads import ALL, LinkQuestion, best_heads, chapter_of, count_links
from attlas.studies.links.link_questions import FindLinks, Link
from attlas.studies.provenance import chapter_name, described
from attlas.studies.study import RunPass
from attlas.tap.needs import Needs
from attlas.tap.observation import Observation

Type = Literal["pronoun", "proper", "nominal"]

#: English personal and possessive pronouns: number, gender, person; an empty string is unknown
_PRONOUNS = {
    "i me my mine myself": ("Sing", "", "1"),
    "we us our ours ourselves": ("Plur", "", "1"),
    "you your yours yourself yourselves thou thee thy thine": ("", "", "2"),
    "he him his himself": ("Sing", "Masc", "3"),
    "she her hers herself": ("Sing", "Fem", "3"),
    "it its itself": ("Sing", "Neut", "3"),
    "they them their theirs themselves": ("Plur", "", "3"),
    "who whom whose which that this these those": ("", "", "3"),
}
PRONOUNS = {word: agreement for words, agreement in _PRONOUNS.items() for word in words.split()}
_TITLES = {"mr sir lord king": "Masc", "mrs miss ms lady queen": "Fem"}
TITLES = {word: gender for words, gender in _TITLES.items() for word in words.split()}
_NUMBERS = {"NNS": "Plur", "NNPS": "Plur", "NN": "Sing", "NNP": "Sing"}
#: words after which a noun phrase has had its head
_ENDS = """of in on at to for from with by about against between into over under near who whom whose which
that
    where when while as and or but , ; : ( — – - is was were are had has"""
ENDS = frozenset(_ENDS.split())


@dataclass(frozen=True)
class WindowMention:
    """A mention in a window. `agreement` is number, gender and person, as far as known."""

    entity: str
    head: int  # place in the window
    type: Type
    text: str
    head_text: str
    agreement: tuple[str, str, str]

    def agrees(self, other: WindowMention) -> bool:
        return all(not a or not b or a == b for a, b in zip(self.agreement, other.agreement, strict=True))


def window_mention(window: Window, mention: Mention) -> WindowMention:
    sentence = window.document.sentences[mention.sentence]
    head = head_word(sentence.words, mention.words)
    words = [sentence.words[i] for i in mention.words]
    type_ = mention_type(sentence.words[head], len(words))
    return WindowMention(
        mention.entity,
        window.place(mention.sentence, head),
        type_,
        " ".join(w.text for w in words).casefold(),
        sentence.words[head].text.casefold(),
        _agreement(words, sentence.words[head], type_),
    )


def head_word(words: tuple[Word, ...], span: tuple[int, ...]) -> int:
    """The dependency root of the span: its first word whose head lies outside it."""
    inside = set(span)
    for i in span:
        head = words[i].head
        if head is not None and head not in inside:
            return i
    return _head_by_spelling(words, span)


def _head_by_spelling(words: tuple[Word, ...], span: tuple[int, ...]) -> int:
    """The last word before the first that cannot stand inside a simple noun phrase; nouns first, where
    tagged."""
    until = next((n for n, i in enumerate(span) if n and words[i].text.lower() in ENDS), len(span))
    core = span[:until]
    nouns = [i for i in core if words[i].tag.startswith("NN") or words[i].universal in ("NOUN", "PROPN")]
    if nouns:
        return nouns[-1]
    spelled = [
        i
        for i in core
        if any(c.isalnum() for c in words[i].text) and words[i].text.lower() not in ("'s", "’s")
    ]
    return (spelled or list(core))[-1]


def mention_type(head: Word, words: int) -> Type:
    if head.universal or head.tag:
        if head.universal == "PRON" or head.tag in ("PRP", "PRP$", "WP", "WP$"):
            return "pronoun"
        return "proper" if head.universal == "PROPN" or head.tag in ("NNP", "NNPS") else "nominal"
    if words == 1 and head.text.lower() in PRONOUNS:
        return "pronoun"
    return "proper" if head.text[:1].isupper() else "nominal"


def _agreement(words: list[Word], head: Word, type_: Type) -> tuple[str, str, str]:
    """Number, gender and person: from the pronoun, the corpus's features, its tags, a title."""
    known = PRONOUNS.get(head.text.lower(), ("", "", "")) if type_ == "pronoun" else ("", "", "3")
    number = known[0] or head.features.get("Number", "") or _NUMBERS.get(head.tag, "")
    title = TITLES.get(words[0].text.lower().rstrip("."), "")
    gender = known[1] or head.features.get("Gender", "").split(",")[0] or title
    return number, gender, known[2] or head.features.get("Person", "")


Candidates = Literal["mentions", "words"]
CANDIDATES: tuple[Candidates, ...] = get_args(Candidates)


@dataclass(frozen=True, kw_only=True)
class Coreference:
    """For every type of mention, the head that finds antecedents best, beside what needs no model. The
    windows are as many sentences as fit, or, with GAP, those around its three mentions."""

    source: Source
    choosing: Source | None = None  # another corpus to choose heads on
    gap: bool = False  # the source is GAP
    faithful: bool = False  # chosen and reported on the same windows
    candidates: Candidates = "mentions"
    min_count: int = 100  # types with fewer links are not in the table
    pieces: From = "mean"
    seed: int = 0

    @property
    def name(self) -> str:
        return chapter_name("coreference", self.source, self.faithful)

    def describe(self) -> dict[str, Any]:
        settings = {
            "faithful": self.faithful,
            "choose_on": None if self.choosing is None else self.choosing.describe(),
            "candidates": self.candidates,
            "min_count": self.min_count,
            "pieces": self.pieces,
            "seed": self.seed,
        }
        return described("coreference", self.source, settings)

    def conclude(self, run: RunPass) -> Chapter:
        find: FindLinks = gap_links if self.gap else AntecedentLinks(self.candidates)
        statistics = _GAP_STATISTICS if self.gap else _STATISTICS
        question = LinkQuestion(
            find=find,
            baselines=GAP_BASELINES if self.gap else BASELINES,
            statistics={"to": statistics[0], "from": statistics[1]},
            source=self.source,
            without="has no coreference: CorefUD, CoNLL-2012 and GAP files do",
            choosing=self.choosing,
            faithful=self.faithful,
            rows=self.pieces,
            min_count=self.min_count,
            seed=self.seed,
            every_baseline=True,
        )
        parts = count_links(question, run, also=[MentionCounts(find)])
        results = best_heads(question, parts, run)
        counted = parts.read.reducer(MentionCounts)
        asked = f"{counted.asked:,} pronouns asked: those that mean one of their two names"
        return chapter_of(self, parts, results, [asked if self.gap else counted.summary()])


_STATISTICS = "mention_to_antecedent", "antecedent_to_mention"
_GAP_STATISTICS = "pronoun_to_name", "name_to_pronoun"
BASELINES = "nearest", "head match", "rules"
GAP_BASELINES = "nearest", "first"


@dataclass(frozen=True)
class AntecedentLinks:
    """Asks every mention that has an antecedent in its window.

    Candidates are the mentions that begin before it (the longer of two that begin together) and whose head
    stands to the left of its own. So a mention inside the one that is asked (`his` in `his mother`) is not a
    candidate: it cannot mean the same.
    """

    candidates: Candidates = "mentions"

    def __post_init__(self) -> None:
        if self.candidates not in CANDIDATES:
            raise AttlasError(f"candidates can be {' or '.join(CANDIDATES)}, not {self.candidates!r}")

    def __call__(self, window: Window) -> list[Link]:
        links = []
        before: list[WindowMention] = []
        for mention in (window_mention(window, m) for m in window.mentions()):
            # an enclosing mention begins before, but its head may come later: `mother` in `his mother`
            earlier = [m for m in before if m.head < mention.head]
            before.append(mention)
            places = tuple(dict.fromkeys(m.head for m in earlier))
            if self.candidates == "words":
                places = tuple(range(mention.head))
            gold = tuple({m.head for m in earlier if m.entity == mention.entity} & set(places))
            if gold:
                groups = ALL, mention.type
                links.append(Link(mention.head, gold, groups, places, baselines(mention, earlier)))
        return links


#: the sieves of the rule-based baseline, strictest first: does an earlier mention pass?
SIEVES: tuple[Callable[[WindowMention, WindowMention], bool], ...] = (
    lambda mention, earlier: mention.text == earlier.text,
    lambda mention, earlier: mention.head_text == earlier.head_text,
    lambda mention, earlier: mention.agrees(earlier),
    lambda mention, earlier: True,
)


def baselines(mention: WindowMention, earlier: Sequence[WindowMention]) -> dict[str, int | None]:
    """What needs no model: the nearest mention, the nearest with the same head word, the four sieves."""
    nearest_first = sorted(earlier, key=lambda m: abs(mention.head - m.head))
    same_head = next((m.head for m in nearest_first if m.head_text == mention.head_text), None)
    sieved = next((m.head for passes in SIEVES for m in nearest_first if passes(mention, m)), None)
    return {
        "nearest": nearest_first[0].head if nearest_first else None,
        "head match": same_head,
        "rules": sieved,
    }


def gap_links(window: Window) -> list[Link]:
    """GAP: which of its two names does the pronoun attend to more? Pronouns that mean neither are not
    asked."""
    if len(window.document.mentions) != 3:
        raise AttlasError(
            f"{window.document.name} is not from GAP: it has {len(window.document.mentions)} mentions"
        )
    first, second, pronoun = (window_mention(window, m) for m in window.document.mentions)
    if pronoun.entity == NEITHER or pronoun.head in (first.head, second.head) or first.head == second.head:
        return []
    names = {"A": first.head, "B": second.head}
    gender = PRONOUNS.get(pronoun.head_text, ("", "", ""))[1]
    groups = (ALL, {"Masc": "masculine", "Fem": "feminine"}[gender]) if gender in ("Masc", "Fem") else (ALL,)
    guesses: dict[str, int | None] = {
        "nearest": min(names.values(), key=lambda place: abs(pronoun.head - place)),
        "first": min(names.values()),
    }
    return [Link(pronoun.head, (names[pronoun.entity],), groups, tuple(names.values()), guesses)]


_MENTIONS = "mentions"


class MentionCounts(Sums):
    """How many mentions have an antecedent in their document, and how many of them could be asked: what they
    refer to must lie in the window. Documents without a window are not counted."""

    name = "mentions"
    needs = Needs()

    def __init__(self, find: FindLinks) -> None:
        self.find = find
        super().__init__()

    def update(self, observation: Observation) -> None:
        batch = with_words(observation.batch, self.name)
        for window in batch.windows:
            asked, have = len(self.find(window)), 0
            if window.id.place == 0:  # each document once
                entities = [mention.entity for mention in window.document.mentions]
                have = len(entities) - len(set(entities))
            self.add(_MENTIONS, torch.tensor([asked, have]))

    @property
    def asked(self) -> int:
        return int(self.sums[_MENTIONS][0]) if self.sums else 0

    @property
    def have(self) -> int:
        return int(self.sums[_MENTIONS][1]) if self.sums else 0

    def summary(self) -> str:
        asked = f"{self.asked:,} of {self.have:,} mentions with an antecedent were asked"
        return f"{asked}: it must lie in the window"
