"""`ask`: a question in people's words, answered with heads, numbers and their baselines.

No language model: the question's words are matched with what was measured (`matching`), and heads are ranked
by effect over baseline (`topics`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

from attlas.address import Head
from attlas.atlas import Atlas
from attlas.errors import AttlasError
from attlas.reports.ask_answer import Answer, AnsweredHead, about_head
from attlas.reports.columns import Columns
from attlas.reports.evidence import Evidence
from attlas.reports.glossary import glossary
from attlas.reports.highlights import what_stands_out
from attlas.reports.intents import by_intent, nearest_questions
from attlas.reports.matching import (
    AFTER,
    DENIALS,
    ENDINGS,
    FILLERS,
    IGNORED,
    REWRITES,
    UNHEEDED,
    Index,
    QuestionUnit,
    in_turns,
    phrases,
    vocabulary,
)
from attlas.reports.page_contract import Finder, Term, Topic
from attlas.reports.question import MOST, Question, impossible
from attlas.reports.sentences import Noted, Sentences, claim_and_evidence, join_evidence
from attlas.reports.topics import Topics

NOT_UNDERSTOOD = "I don't understand the question. The nearest that I can answer:"


class Search:
    """What answers the questions to one atlas; made once."""

    def __init__(self, atlas: Atlas) -> None:
        self.atlas = atlas
        self.addresses = addresses_of(atlas)
        self.sentences = sentences_of(atlas)
        self.finder = finder_of(atlas, self.sentences)
        self.phrases = phrases(self.finder)
        self.words = vocabulary(self.finder)
        self.index = Index(self.finder["topics"])

    def knows(self, unit: QuestionUnit) -> bool:
        """Whether it means anything here: in the glossary, or as a word of a topic."""
        return bool(unit.terms) or bool(self.index.having([unit.words]))

    def question(self, text: str) -> Question:
        return Question(
            text, self.atlas, self, self.addresses, model_name(self.atlas), folder_name(self.atlas)
        )

    def answer(self, asked: Question) -> Answer:
        """By the first intent that it has, else by its words."""
        return by_intent(asked) or self._by_words(asked)

    def answers(self, question: str) -> bool:
        """Whether there is an answer, and not only the command that would give one."""
        answer = self.answer(self.question(question))
        return bool(answer.heads or answer.lead) and not answer.note

    def _by_words(self, asked: Question) -> Answer:
        answer = self.ranked(asked, asked.topics)
        missing = self.missing(asked.units, bool(answer.heads)) if asked.understood else ()
        if (not answer.heads and not missing) or UNHEEDED.search(asked.plain):
            return Answer(asked.text, note=NOT_UNDERSTOOD)
        first = next((unit for unit in asked.units if self.knows(unit)), None)
        if first is not None and (lacks := self.missing([first], bool(answer.heads))):
            return Answer(asked.text, missing=lacks)  # what it asks for; the rest only says more of it
        note = f"Not understood: {', '.join(asked.unknown)}." if asked.unknown else ""
        return replace(answer, missing=missing, note=note)

    def missing(self, units: Sequence[QuestionUnit], answered: bool = False) -> tuple[tuple[str, str], ...]:
        """What the question names and the atlas lacks, each with its command. A word that topics have besides
        other meanings is not missing."""
        topics = self.finder["topics"]
        measured = {term for topic in topics for term in (*topic["needs"], *topic["terms"])}
        terms: dict[str, Term] = {term["term"]: term for term in self.finder["glossary"]}
        lacking = [u for u in units if u.terms and not (u.all if answered else u.terms) & measured]
        missing = {
            terms[term]["command"]: terms[term]["title"]
            for unit in lacking
            for term in sorted(unit.terms)
            if term in terms
        }
        return tuple((title, command) for command, title in missing.items())

    def ranked(self, question: Question, topics: Sequence[Topic]) -> Answer:
        """The heads of some topics, best first, and the answer in a sentence."""
        heads = tuple(
            replace(
                question.head(
                    topic["heads"][rank],
                    topic["sentences"][rank],
                    topic["title"],
                    self.atlas.chapters[topic["chapter"]],
                ),
                effect=topic["effects"][rank],
                sure=topic["sure"][rank],
            )
            for topic, rank in in_turns(topics, MOST)
        )
        return Answer(question.text, heads, lead=_lead(heads))


def _lead(heads: Sequence[AnsweredHead]) -> str:
    """The best head in a sentence; where none is shown, that."""
    if not heads:
        return ""
    first = heads[0]
    said = about_head(first.head, first.sentence)
    return said if any(head.sure for head in heads) else f"Practically none. Nearest: {said}"


@lru_cache(maxsize=2)
def search_of(atlas: Atlas) -> Search:
    return Search(atlas)


def ask(atlas: Atlas, question: str) -> Answer:
    """What a question asks for: by the grammar of intents first, then heads by its words."""
    if not isinstance(question, str) or not question.strip():
        raise AttlasError('ask something, as in "which head links objects to their verbs?"')
    search = search_of(atlas)
    asked = search.question(question)
    answer = search.answer(asked)
    if answer.note == NOT_UNDERSTOOD:
        answer = replace(answer, nearest=nearest_questions(asked))
    if not answer.heads and not answer.lead and (why := impossible(asked.units, atlas)):
        return Answer(question, note=why)
    return answer


def sentences_of(atlas: Atlas) -> Sentences:
    return Sentences(Columns(atlas), Evidence(atlas))


def stands_out(atlas: Atlas) -> tuple[str, ...]:
    """What stands out over all chapters."""
    return tuple(map(join_evidence, claims_that_stand_out(atlas)))


def claims_that_stand_out(atlas: Atlas) -> tuple[tuple[str, str], ...]:
    """The same, each as what it claims and what that rests on."""
    return _claims(atlas, what_stands_out(sentences_of(atlas)))


def card_sentences(atlas: Atlas, head: Head) -> tuple[str, ...]:
    """What a head's card begins with."""
    return tuple(map(join_evidence, card_claims(atlas, head)))


def card_claims(atlas: Atlas, head: Head) -> tuple[tuple[str, str], ...]:
    """The same, each as what it claims and what that rests on."""
    return _claims(atlas, sentences_of(atlas).card(atlas.addresses.index(head))[0])


def _claims(atlas: Atlas, noted: Sequence[Noted]) -> tuple[tuple[str, str], ...]:
    addresses = addresses_of(atlas)
    return tuple(claim_and_evidence(item.sentence, addresses) for item in noted)


def addresses_of(atlas: Atlas) -> list[str]:
    """How heads are written: with their kind where there are several."""
    several = len(atlas.kinds) > 1
    return [head.write(several) for head in atlas.addresses]


def finder_of(atlas: Atlas, sentences: Sentences) -> Finder:
    model, folder = model_name(atlas), folder_name(atlas)
    topics = Topics(sentences.columns, sentences.evidence, sentences).all()
    return {
        "ignored": sorted(IGNORED),
        "endings": list(ENDINGS),
        "fillers": sorted(FILLERS),
        "denials": list(DENIALS),
        "rewrites": list(REWRITES),
        "after": AFTER.pattern,
        "unheeded": UNHEEDED.pattern,
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
