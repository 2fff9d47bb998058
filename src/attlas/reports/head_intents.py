"""Questions that name a head: a property, what it is worth or writes, what is like it; else its card."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from attlas.reports.ask_answer import Answer, AnsweredHead, about_head
from attlas.reports.cards import nearest_heads
from attlas.reports.evidence import gain_of, judge_effect
from attlas.reports.likeness import nearer_than_most
from attlas.reports.question import (
    WORTH,
    YES_OR_NO,
    Question,
    column_of,
    column_of_topic,
    say_topic,
    ways_in,
)
from attlas.reports.sentences import BESIDE, claim_and_evidence
from attlas.statistics.claims import CLAIMS
from attlas.wording.numbers import number

if TYPE_CHECKING:
    from attlas.reports.page_contract import Sentence, Topic


_ALIKE = re.compile(
    r"\b(?:similar|alike|resembl|neighbo(?:u?r)?\b|(?:closest|nearest)(?! noun| verb| token| word)"
    r"|(?:most|more) like\b)\w*"
)
_WRITES = re.compile(
    r"\b(?:promot|rais|lower|writ|output|boost|suppress)\w*|\bwhat words\b|\bpush(?:es)?\b|\blogits?\b"
)
_BEST = re.compile(
    r"\b(?:relations?|dependenc\w+|patterns?)\b.*\bbest\b|\bwhich (?:relation|dependency|pattern)"
)
_COMPARES = re.compile(r"\b(?:compar|differ|vs|versus|common)\w*")
_JUDGED = re.compile(r"\b(?:reliab|significan|trust|certain|confiden|accura)\w*")
_EXISTS = re.compile(
    r"\b(?:exist\w*|real(?:ly)?|purpose|role|there (?:is|are)|(?:is|are) there)\b|\bwhat\b.*\bfor\b"
)
_BETTER = re.compile(r"\bbetter\b(?!.* at\b)|\bworse\b|\bhurts?\b")


def of_one_head(q: Question) -> Answer | None:
    """A head and a property, what it is worth, what it writes, what is like it; else its card. Several heads
    one after the other."""
    if not q.named:
        return None
    places = [q.atlas.addresses.index(q.atlas.address(written)) for written in q.named]
    asks = _asked_of_head(q, len(places))
    answers = [asks(q, place) for place in places] if asks is not None else []
    known = [answer for answer in answers if answer is not None]
    if known:
        missing = tuple(dict.fromkeys(m for a in known for m in a.missing))
        heads = tuple(head for a in known for head in a.heads)
        return Answer(q.text, heads, missing, lead=" ".join(a.lead for a in known if a.lead))
    if q.unknown and not any(asks.search(q.plain) for asks in (_COMPARES, _JUDGED, _EXISTS)):
        return None
    cards = tuple(_card(q, place) for place in places)
    lead = "\n".join(f"{card.head}: {card.sentence}" for card in cards) if len(cards) > 1 else ""
    return Answer(q.text, cards, lead=lead)


def _asked_of_head(q: Question, heads: int) -> Callable[[Question, int], Answer | None] | None:
    if _ALIKE.search(q.plain) and heads == 1:
        return _alike
    if _WRITES.search(q.plain):
        return _writes
    if WORTH.search(q.plain) or _BETTER.search(q.plain):
        return _worth
    if heads > 1 and _COMPARES.search(q.plain):
        return None
    if _BEST.search(q.plain):
        return _best
    return _property if q.topics or q.search.missing(q.units) else None


def _best(q: Question, place: int) -> Answer | None:
    """The relation, or pattern, that a head follows best."""
    sentences, evidence = q.search.sentences, q.search.sentences.evidence
    relations = sorted(evidence.relations[place], key=lambda r: (not r["sure"], -gain_of(r)))
    if "pattern" not in q.plain and relations:
        said = sentences.relation(relations[0])
    elif evidence.patterns[place]:
        said = sentences.pattern(max(evidence.patterns[place], key=lambda f: f.strength))
    else:
        return Answer(q.text, missing=(q.command("dependencies"),))
    head = q.head(place, said, "what it does best")
    return Answer(q.text, (head,), lead=about_head(head.head, head.sentence))


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


_SAYS = {"shown": "Yes", "small": "No", "undecided": "Not shown"}


def _property(q: Question, place: int) -> Answer | None:
    """Whether a head does what is asked, once for each thing that is asked; else what it has of it."""
    ways: list[str] = [*dict.fromkeys(way for _, way in ways_in(q.plain))] or [""]
    by_needs = {tuple(topic["needs"]): topic for topic in reversed(q.topics)}
    asked = [(topic, way) for topic in reversed(by_needs.values()) for way in ways]
    answers = [_told_of_head(q, place, topic, way) for topic, way in asked]
    known = [answer for answer in answers if answer is not None]
    if known:
        heads = tuple(head for a in known for head in a.heads)
        return Answer(q.text, heads, lead=" ".join(a.lead for a in known))
    lacking = q.search.missing(q.units)
    return Answer(q.text, missing=lacking) if lacking else None


def _told_of_head(q: Question, place: int, topic: Topic, way: str) -> Answer | None:
    known = next((k for k in say_topic(q, topic, way) if k.place == place), None)
    if known is None:
        return None
    chapter, column = q.atlas.chapters[topic["chapter"]], column_of_topic(q, topic)
    head = q.head(place, known.sentence, topic["title"], chapter, known.shown)
    said = about_head(head.head, head.sentence)
    judged = column is None or column.known.is_share or column.name == "pattern_score"
    if judged and YES_OR_NO.search(q.plain):
        said = f"{_SAYS[known.verdict]}: {said}"
    else:
        said = f"{said.removesuffix('.')} ({head.evidence.partition(';')[0]})."
    return Answer(q.text, (head,), lead=said)
