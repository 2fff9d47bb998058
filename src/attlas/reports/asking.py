"""`ask`: a question in people's words, answered with heads, numbers and their baselines.

No language model: the question's words are matched with what was measured (`matching`), and heads are ranked
by effect over baseline (`topics`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from rich.text import Text

from attlas.address import Head
from attlas.atlas import Atlas
from attlas.errors import AttlasError, printable
from attlas.reports.columns import Columns
from attlas.reports.evidence import Evidence
from attlas.reports.glossary import glossary
from attlas.reports.matching import ENDINGS, IGNORED, Index, QuestionUnit, in_turns, phrases, units_of
from attlas.reports.page_contract import Finder, Term
from attlas.reports.sentences import Sentences, sentence_text
from attlas.reports.standing_out import what_stands_out
from attlas.reports.topics import Topics
from attlas.wording.printing import ResultTable, notes_html, safe

if TYPE_CHECKING:
    from rich.console import Console

MOST = 5  # heads in an answer
_ADDRESS = re.compile(r"(?<![\w.])(?:(?:encoder|decoder|cross)\.)?\d+\.\d+(?![\w.]*\d)")


@dataclass(frozen=True)
class AnsweredHead:
    """A head, and what it does, with its evidence. `effect` is over the baseline; `sure`: beyond chance."""

    head: str
    sentence: str
    about: str
    chapter: str
    effect: float | None = None
    sure: bool = True


@dataclass(frozen=True, repr=False)
class Answer:
    """`heads` are the answer, best first; `missing` says what the atlas has not measured, and which command
    would measure it; `note` says why there is no answer."""

    question: str
    heads: tuple[AnsweredHead, ...] = ()
    missing: tuple[tuple[str, str], ...] = ()
    note: str = ""

    def as_data(self) -> dict[str, Any]:
        return {
            "question": self.question,
            "heads": [vars(head) for head in self.heads],
            "missing": [{"what": what, "command": command} for what, command in self.missing],
            "note": self.note,
        }

    def __repr__(self) -> str:
        heads = ", ".join(head.head for head in self.heads) or "no head"
        return f"Answer({self.question[:60]!r}: {heads})"

    def _repr_html_(self) -> str:
        return (self._answer_table().html() if self.heads else "") + notes_html(self._lines())

    def _answer_table(self) -> ResultTable:
        rows: list[list[str | Text]] = [
            [Text(printable(head.head), "bold"), head.sentence] for head in self.heads
        ]
        return ResultTable(("head", ""), rows, words={"", "head"})

    def show(self, console: Console) -> None:
        if self.heads:
            self._answer_table().show(console)
        for line in self._lines():
            console.print(safe(line), soft_wrap=True, highlight=False)

    def _lines(self) -> list[str]:
        return [
            *([self.note] if self.note else []),
            *(f"The atlas has not measured {what}: {command}" for what, command in self.missing),
        ]


class Search:
    """What answers the questions to one atlas; made once."""

    def __init__(self, atlas: Atlas) -> None:
        self.sentences = sentences_of(atlas)
        self.finder = finder_of(atlas, self.sentences)
        self.phrases = phrases(self.finder)
        self.index = Index(self.finder["topics"])


@lru_cache(maxsize=2)
def search_of(atlas: Atlas) -> Search:
    return Search(atlas)


def ask(atlas: Atlas, question: str) -> Answer:
    """The heads that a question is about."""
    if not isinstance(question, str) or not question.strip():
        raise AttlasError('ask something, as in "which head links objects to their verbs?"')
    search = search_of(atlas)
    if named := _ADDRESS.findall(question):
        return _about_heads(atlas, question, named, search.sentences)
    addresses, finder = addresses_of(atlas), search.finder
    units = units_of(question, search.phrases)
    topics = search.index.best(units)
    heads = tuple(
        AnsweredHead(
            addresses[topic["heads"][rank]],
            sentence_text(topic["sentences"][rank], addresses),
            topic["title"],
            atlas.chapters[topic["chapter"]],
            topic["effects"][rank],
            topic["sure"][rank],
        )
        for topic, rank in in_turns(topics, MOST)
    )
    if not heads and (why := _impossible(units, atlas)):
        return Answer(question, note=why)
    return Answer(question, heads, *_name_missing(units, finder, bool(heads)))


def _impossible(units: Sequence[QuestionUnit], atlas: Atlas) -> str:
    """Why no head of this model can do what was asked; empty where it may."""
    asked = {term for unit in units for term in unit.terms}
    if "next" in asked and set(atlas.kinds) == {"decoder"}:
        return "No head can: in a decoder, a token sees only those before it."
    for term, token in (("sep", "[SEP]"), ("cls", "[CLS]")):
        if term in asked and atlas.has("entropy", "all") and not atlas.has("to_class", term):
            return f"No head can: the model reads no {token}."
    return ""


def _name_missing(
    units: Sequence[QuestionUnit], finder: Finder, answered: bool
) -> tuple[tuple[tuple[str, str], ...], str]:
    """What the question names and the atlas lacks, each with its command; and what to say of words that mean
    nothing here. A word that topics have besides other meanings is not missing."""
    measured = {term for topic in finder["topics"] for term in (*topic["needs"], *topic["terms"])}
    terms: dict[str, Term] = {term["term"]: term for term in finder["glossary"]}
    lacking = [u for u in units if u.terms and not (u.all if answered else u.terms) & measured]
    missing = {
        terms[term]["command"]: terms[term]["title"] for unit in lacking for term in sorted(unit.terms)
    }
    what = tuple((title, command) for command, title in missing.items())
    if answered or what:
        return what, ""
    return (), (
        "Nothing that Attlas measures has these words. Ask for places (previous, [SEP]), patterns "
        "(induction), relations (subject, object), shapes, breadth, or which heads matter."
    )


def _about_heads(atlas: Atlas, question: str, named: Sequence[str], sentences: Sentences) -> Answer:
    """What does 7.10 do? Its card's sentences."""
    addresses = addresses_of(atlas)
    heads = []
    for written in dict.fromkeys(named):
        place = atlas.addresses.index(atlas.address(written))
        said, _ = sentences.card(place)
        text = " ".join(sentence_text(noted.sentence, addresses) for noted in said)
        heads.append(AnsweredHead(addresses[place], text, "the head's card", ""))
    return Answer(question, tuple(heads))


def sentences_of(atlas: Atlas) -> Sentences:
    return Sentences(Columns(atlas), Evidence(atlas))


def stands_out(atlas: Atlas) -> tuple[str, ...]:
    """What stands out over all chapters."""
    addresses = addresses_of(atlas)
    return tuple(sentence_text(noted.sentence, addresses) for noted in what_stands_out(sentences_of(atlas)))


def card_sentences(atlas: Atlas, head: Head) -> tuple[str, ...]:
    """What a head's card begins with."""
    addresses = addresses_of(atlas)
    said, _ = sentences_of(atlas).card(atlas.addresses.index(head))
    return tuple(sentence_text(noted.sentence, addresses) for noted in said)


def addresses_of(atlas: Atlas) -> list[str]:
    """How heads are written: with their kind where there are several."""
    several = len(atlas.kinds) > 1
    return [head.written(several) for head in atlas.addresses]


def finder_of(atlas: Atlas, sentences: Sentences) -> Finder:
    model, folder = model_name(atlas), folder_name(atlas)
    topics = Topics(sentences.columns, sentences.evidence, sentences).all()
    return {
        "ignored": sorted(IGNORED),
        "endings": list(ENDINGS),
        "glossary": glossary(model, folder),
        "topics": topics,
    }


def model_name(atlas: Atlas) -> str:
    """As a command takes it."""
    return _shell(str(atlas.model.get("name", "MODEL")))


def folder_name(atlas: Atlas) -> str:
    return _shell(str(atlas.path) if atlas.path is not None else "ATLAS")


def _shell(word: str) -> str:
    import shlex

    return shlex.quote(word)
