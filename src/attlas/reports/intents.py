"""What a question asks for: a small grammar of intents, tried in order, before words are matched with topics.

A head and a property, a layer, two layers, how many, the model itself, heads alike, what a command would do.
Each intent is a pattern and a function that answers; no language model is involved.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from attlas.reports.ask_answer import Answer
from attlas.reports.cards import nearest_heads
from attlas.reports.evidence import gain_of
from attlas.reports.head_intents import nearer_than_most, of_one_head
from attlas.reports.layer_intents import of_layers, of_model
from attlas.reports.matching import QuestionUnit
from attlas.reports.question import HARMLESS, MOST, NEGATED, Question, column_of_topic, told
from attlas.reports.sentences import BESIDE
from attlas.wording.numbers import count, number
from attlas.wording.vocabulary import RELATIONS

if TYPE_CHECKING:
    from attlas.reports.page_contract import Sentence, Topic

_FROM_TO = re.compile(r"\bfrom (?:the |an? |its |their )?([a-z ]+?) to (?:the |an? |its |their )?([a-z]+)")

#: what people ask for that is a command's work: the command's study, and what to say of it
_REDIRECTS: tuple[tuple[str, str, str], ...] = (
    (r"name[- ]?movers?", "patch", "Name movers are found by patching, on indirect objects"),
    (r"\bcircuits?\b|\bpatch", "patch", "Circuits are found by patching"),
    (
        r"\bk-?composition|\bcompos(?:e|es|ition)\b|\bfeeds?\b",
        "why",
        "Who feeds a head is a study of its own",
    ),
    (r"^(?:please )?prune\b|\bsmaller model|\bcompress", "prune", "Pruning is a command"),
)
_PAPERS = {"clark": "clark2019", "kovaleva": "kovaleva2019", "vig": "vig2019"}

#: questions that every atlas can answer
USUAL = (
    "which heads look at the previous token?",
    "which heads are induction heads?",
    "which head links objects to their verbs?",
    "which heads matter most?",
    "which heads can go?",
    "which heads look at [SEP]?",
    "which layer is most focused?",
    "what does 0.1 do?",
    "which heads are alike?",
    "what stands out?",
    "compare layer 0 with layer 1",
    "how big is the model?",
)


def by_intent(question: Question) -> Answer | None:
    """The answer of the first intent that the question has; None where it asks for heads by words."""
    for recognise in _INTENTS:
        if (answer := recognise(question)) is not None:
            return answer
    return None


def _redirected(q: Question) -> Answer | None:
    papers = [paper for name, paper in _PAPERS.items() if re.search(rf"\b{name}(?:\b|\d)", q.plain)]
    if papers or re.search(r"\breproduce\b", q.plain):
        paper = papers[0] if papers else "clark2019"
        said = "Papers are reproduced by a command."
        return Answer(q.text, lead=said, missing=(("the paper", f"attlas reproduce {paper} {q.model}"),))
    for pattern, study, says in _REDIRECTS:
        there = any(q.atlas.about(c).get("study") == study for c in q.atlas.chapters)
        if re.search(pattern, q.plain):
            if study == "patch" and there:
                return _patched(q)
            what, command = q.command(study)
            shown = f" What it found: attlas show {q.folder}" if there else ""
            return Answer(q.text, lead=f"{says}.{shown}", missing=() if there else ((what, command),))
    return None


def _patched(q: Question) -> Answer | None:
    evidence, sentences = q.search.sentences.evidence, q.search.sentences
    ranked = [(place, rows[0]) for place, rows in enumerate(evidence.patched) if rows]
    if not ranked:
        return Answer(q.text, lead="Patching found no head with an effect beyond chance.")
    ranked.sort(key=lambda f: -abs(f[1][1]["effect"]))
    heads = tuple(q.head(place, next(sentences.patched(place)).sentence) for place, _ in ranked[:MOST])
    return Answer(
        q.text, heads, lead=f"Of the heads that were patched, {heads[0].head} moves the answer most."
    )


def _how_many(q: Question) -> Answer | None:
    if not re.search(r"\bhow many\b|\bnumber of heads\b|\bcount\b", q.plain) or not q.topics:
        return None
    asked = [(t, told(q, t)) for t in q.topics if _can_be_counted(q, t)]
    counted = [(t, [k for k in known if k.shown]) for t, known in asked if known]
    if not counted:
        return None
    topic, shown = max(counted, key=lambda c: len(c[1]))
    shown.sort(key=lambda k: -k.size)
    heads = tuple(q.head(k.place, k.sentence, topic["title"]) for k in shown[:MOST])
    every = count(len(q.addresses), "head")
    column = column_of_topic(q, topic)
    share = column is not None and column.known.is_share and column.name != "pattern_score"
    by = f", with a fifth of their attention or more ({topic['title']})" if share else f" ({topic['title']})"
    return Answer(q.text, heads, lead=f"{len(shown) or 'None'} of {every}{by}.")


def _can_be_counted(q: Question, topic: Topic) -> bool:
    """Whether heads do it or not: of an entropy there is only more and less."""
    column = column_of_topic(q, topic)
    judged = column is None or column.known.is_share or column.name == "pattern_score"
    judged = judged or (column is not None and column.known.family in ("effect", "link"))
    return judged and not topic["title"].startswith("least ")


def _pairs_alike(q: Question) -> Answer | None:
    if not re.search(
        r"\bsame thing|\beach other|\bpairs?\b|\bduplicates?\b.*\bheads?\b$|\bheads? (?:are )?alike\b",
        q.plain,
    ):
        return None
    near = nearest_heads(q.atlas)
    if not near:
        return Answer(q.text, missing=(("how far heads are from one another", q.command("surface")[1]),))
    pairs = {frozenset((place, o)): apart for place, (_, others) in near.items() for o, apart in others}
    best = sorted(pairs.items(), key=lambda item: item[1])[:MOST]
    heads = []
    for pair, apart in best:
        first, second = sorted(pair)
        said: Sentence = ["Attends as ", second, " does.", BESIDE, f"{number(apart, 3)} nats apart"]
        heads.append(q.head(first, said, "alike"))
    first, second = sorted(best[0][0])
    lead = f"Heads {q.addresses[first]} and {q.addresses[second]} are most alike."
    return Answer(q.text, tuple(heads), lead=nearer_than_most(q, best[0][1]) or lead)


def _one_way(q: Question) -> Answer | None:
    """From one end of a relation to the other, and not back."""
    if not (ends := _FROM_TO.search(q.plain)):
        return None
    start, goal = (end.strip().removesuffix("s") for end in ends.groups())
    for group, link in RELATIONS.items():
        forth = link.dependent.endswith(start) and link.governor.endswith(goal)
        back = link.governor.endswith(start) and link.dependent.endswith(goal)
        if forth or back:
            way = "to" if forth else "from"
            every = enumerate(q.search.sentences.evidence.relations)
            ranked = [
                (p, r)
                for p, of_head in every
                for r in of_head
                if (r["group"], r["direction"]) == (group, way)
            ]
            ranked.sort(key=lambda f: (not (f[1]["best"] or f[1]["sure"]), -gain_of(f[1])))
            heads = tuple(q.head(p, q.search.sentences.relation(r), r["title"]) for p, r in ranked[:MOST])
            if heads:
                verb = "finds" if ranked[0][1]["sure"] else "comes nearest to finding"
                return Answer(q.text, heads, lead=f"{heads[0].head} {verb} {link.finds(way)}.")
    return None


def _harmless(q: Question) -> Answer | None:
    """Remove without hurting: heads that can go."""
    if not HARMLESS.search(q.plain):
        return None
    unit = QuestionUnit("needless", frozenset({"needless"}))
    topics = q.search.index.best([unit])
    if not topics:
        return Answer(q.text, missing=(q.command("prune"),))
    return q.search.ranked(q, topics)


def _denied(q: Question) -> Answer | None:
    """Which heads do not look at something: the smallest shares."""
    left_over = any(unit.words in ("not", "never", "least", "hardly", "ignore", "avoid") for unit in q.units)
    if not left_over or not NEGATED.search(q.plain):
        return None
    for topic in q.topics:
        column = column_of_topic(q, topic)
        if column is not None and column.known.is_share:
            order = sorted(told(q, topic), key=lambda k: k.size)
            heads = tuple(q.head(k.place, k.sentence, f"least {topic['title']}") for k in order[:MOST])
            none = sum(k.size < 0.01 for k in order)
            lead = f"{none:,} of {count(len(order), 'head')} give it less than 1 % ({topic['title']})."
            return Answer(q.text, heads, lead=lead)
    return None


_INTENTS: tuple[Callable[[Question], Answer | None], ...] = (
    _redirected,
    of_one_head,
    _harmless,
    of_layers,
    _how_many,
    of_model,
    _pairs_alike,
    _one_way,
    _denied,
)


def nearest_questions(q: Question) -> tuple[str, ...]:
    """The three questions nearest in words that this atlas can answer."""
    words = set(re.findall(r"[a-z\[\]]{3,}", q.plain))

    def likeness(asked: str) -> float:
        common = len(words & set(re.findall(r"[a-z\[\]]{3,}", asked.lower())))
        return common + difflib.SequenceMatcher(None, q.plain, asked.lower()).ratio()

    return tuple(sorted(USUAL, key=likeness, reverse=True)[:3])
