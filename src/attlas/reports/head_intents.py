"""Questions that name a head: a property, what it is worth or writes, what is like it; else its card."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from attlas.reports.ask_answer import Answer, AnsweredHead, about_head
from attlas.reports.cards import nearest_heads
from attlas.reports.evidence import judge_effect
from attlas.reports.matching import EXAMPLE
from attlas.reports.question import WORTH, Question, column_of, column_of_topic, told
from attlas.reports.sentences import BESIDE, claim_and_evidence
from attlas.statistics.claims import CLAIMS
from attlas.wording.numbers import number

if TYPE_CHECKING:
    from attlas.reports.page_contract import Sentence


def of_one_head(q: Question) -> Answer | None:
    """A head and a property, what it is worth, what it writes, what is like it; else its card."""
    if not q.named:
        return None
    places = [q.atlas.addresses.index(q.atlas.address(written)) for written in q.named]
    asks: Callable[[Question, int], Answer | None] | None = None
    if re.search(r"\b(?:similar|alike|like|resembl|closest|nearest)\w*\b(?!\s*do)", q.plain):
        asks = _alike
    elif re.search(r"\b(?:promot|rais|lower|writ|output)\w*|\bwhat words\b", q.plain):
        asks = _writes
    elif WORTH.search(q.plain):
        asks = _worth
    elif any(unit.terms and EXAMPLE not in unit.words for unit in q.units):
        asks = _property
    answers = [asks(q, place) for place in places] if asks is not None else []
    known = [answer for answer in answers if answer is not None]
    if known:
        missing = tuple(dict.fromkeys(m for a in known for m in a.missing))
        heads = tuple(head for a in known for head in a.heads)
        return Answer(q.text, heads, missing, lead=" ".join(a.lead for a in known if a.lead))
    return Answer(q.text, tuple(_card(q, place) for place in places))


def _card(q: Question, place: int) -> AnsweredHead:
    said, _ = q.search.sentences.card(place)
    parts = [claim_and_evidence(noted.sentence, q.addresses) for noted in said]
    evidence = " · ".join(evidence for _, evidence in parts if evidence)
    claims = " ".join(claim for claim, _ in parts)
    return AnsweredHead(q.addresses[place], claims, "the head's card", "", evidence=evidence)


def _alike(q: Question, place: int) -> Answer | None:
    near = nearest_heads(q.atlas).get(place)
    if near is None:
        return Answer(q.text, missing=(("how far heads are from one another", q.command("surface")[1]),))
    chapter, others = near
    heads = tuple(
        q.head(other, ["Attends much alike.", BESIDE, f"{number(apart, 3)} nats apart"], "alike", chapter)
        for other, apart in others
    )
    lead = f"Head {heads[0].head} is most like {q.addresses[place]}."
    return Answer(q.text, heads, lead=nearer_than_most(q, others[0][1]) or lead)


def nearer_than_most(q: Question, apart: float) -> str:
    """That two heads are no nearer than heads are; empty where they are: untrained heads are all alike."""
    column = column_of(q, "distance_between")
    usual = math.nan if column is None else float(np.nanmedian(column.values))
    if not apart > usual / 2:
        return ""
    said = f"{number(apart, 4)} nats apart, and heads are {number(usual, 4)} from one another on average"
    return f"Practically none: the nearest are {said}."


def _writes(q: Question, place: int) -> Answer | None:
    noted = next(q.search.sentences.writes(place), None)
    if noted is None:
        return Answer(q.text, missing=(q.command("writes"),))
    head = q.head(place, noted.sentence, "what it writes")
    return Answer(q.text, (head,), lead=about_head(head.head, head.sentence))


def _worth(q: Question, place: int) -> Answer | None:
    """What the loss does without it: measured, or estimated."""
    effects = q.search.sentences.evidence.effects[place]
    switch = f"attlas disable {q.model} --heads {q.addresses[place]} --atlas {q.folder}"
    if effects:
        chosen = next((e for e in effects if e["edit"] == "mean"), effects[0])
        head = q.head(place, q.search.sentences.effect(chosen, place), "what it is worth")
        verdict = judge_effect(chosen).verdict
        says = {"shown": "It matters", "small": "It hardly matters"}.get(verdict, "It is not known to matter")
        return Answer(q.text, (head,), lead=f"{says}. {about_head(head.head, head.sentence)}")
    column = column_of(q, "estimated_effect")
    if column is not None:
        hardly = "" if abs(column.values[place]) >= CLAIMS["loss"].size else "hardly "
        claim = f"Without it the loss would {hardly}change, by attribution."
        said: Sentence = [claim, BESIDE, column.said(place)]
        head = q.head(place, said, "what it is worth")
        return Answer(q.text, (head,), (("that exactly", switch),), lead=about_head(head.head, head.sentence))
    return Answer(q.text, missing=(("what the head is worth", switch),))


def _property(q: Question, place: int) -> Answer | None:
    for topic in q.topics:
        for known in told(q, topic):
            if known.place == place:
                head = q.head(place, known.sentence, topic["title"], q.atlas.chapters[topic["chapter"]])
                column = column_of_topic(q, topic)
                judged = column is None or column.known.is_share or column.name == "pattern_score"
                yes = ("Yes" if known.shown else "No") if judged else ""
                said = about_head(head.head, head.sentence)
                return Answer(q.text, (head,), lead=f"{yes}: {said}" if yes else said)
    lacking = q.search.missing(q.units)
    return Answer(q.text, missing=lacking) if lacking else None
