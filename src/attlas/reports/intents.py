"""What a question asks for: a small grammar of intents, tried in order, before words are matched with topics.

A head and a property, a layer, two layers, how many, the model itself, heads alike, what a command would do.
Each intent is a pattern and a function that answers; no language model is involved.
"""

from __future__ import annotations

import difflib
import itertools
import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from attlas.reports.ask_answer import Answer, about_head
from attlas.reports.cards import nearest_heads
from attlas.reports.evidence import gain_of
from attlas.reports.head_intents import nearer_than_most, of_one_head
from attlas.reports.layer_intents import of_layers
from attlas.reports.matching import QuestionUnit
from attlas.reports.model_intents import of_method, of_model
from attlas.reports.narrowing import denied, how_many, nameless, narrowed
from attlas.reports.question import HARMLESS, MOST, WORTH, Question, told, ways_in
from attlas.reports.sentences import BESIDE
from attlas.wording.numbers import count, number
from attlas.wording.vocabulary import RELATIONS

if TYPE_CHECKING:
    from attlas.reports.page_contract import Sentence

#: what people ask for that is a command's work: a question of that form, the command's study, and what to say
REDIRECTS: tuple[tuple[str, str, str, str], ...] = (
    (
        r"name[- ]?movers?|\bs-?inhibition|\bioi\b|logit (?:attribution|difference)",
        "name movers",
        "patch",
        "That is found by patching, on indirect objects",
    ),
    (
        r"(?<!induction )\bcircuits?\b|\bpatch|causal tracing",
        "patching",
        "patch",
        "Circuits are found by patching",
    ),
    (
        r"\bk-?composition|\bcompos(?:e|es|ition)\b|\bfeeds?\b",
        "composition",
        "why",
        "Who feeds a head is a study of its own",
    ),
    (r"^(?:please )?prune\b|\bsmaller model|\bcompress", "prune", "prune", "Pruning is a command"),
    (
        r"\bnames?\b.*\b(?:tested|causal|true|right|hold)\b",
        "are the names true?",
        "name_tests",
        "Names are tested by a command",
    ),
)
#: what somebody wants to do, and the study that does it
HOW_TO = re.compile(r"\bhow (?:do|can|to|would|should|could)\b(?: (?:i|you|we|one))?\b")
DOINGS: tuple[tuple[str, str], ...] = (
    (r"prun|shrink|smaller", "prune"),
    (r"switch|turn|disabl|ablat|remov|knock|silenc", "disable"),
    (r"patch|circuit", "patch"),
    (r"compar", "compare"),
)
PAPERS = {"clark": "clark2019", "kovaleva": "kovaleva2019", "vig": "vig2019"}

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
    if (reproduced := _paper(q)) is not None:
        return reproduced
    if HOW_TO.search(q.plain):
        for words, study in DOINGS:
            if re.search(rf"\b(?:{words})", q.plain) and not q.named:
                return Answer(q.text, lead=f"By a command: {q.command(study)[1]}")
    for pattern, _, study, says in REDIRECTS:
        there = any(q.atlas.about(c).get("study") == study for c in q.atlas.chapters)
        if re.search(pattern, q.plain):
            if study == "patch" and there:
                return _patched(q)
            what, command = q.command(study)
            shown = f" What it found: attlas show {q.folder}" if there else ""
            return Answer(q.text, lead=f"{says}.{shown}", missing=() if there else ((what, command),))
    return None


def _paper(q: Question) -> Answer | None:
    papers = [paper for name, paper in PAPERS.items() if re.search(rf"\b{name}(?:\b|\d)", q.plain)]
    if papers or re.search(r"\breproduce\b", q.plain):
        said = "Papers are reproduced by a command."
        paper = papers[0] if papers else "clark2019"
        return Answer(q.text, lead=said, missing=(("the paper", f"attlas reproduce {paper} {q.model}"),))
    if re.search(r"\b(?:19|20)\d\d\b|\bet al\b", q.plain):
        known = ", ".join(PAPERS.values())
        return Answer(q.text, note=f"That paper is not among those that Attlas reproduces: {known}.")
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


PAIRS = re.compile(
    r"\bsame (?:thing|job)|\beach other|\bpairs?\b|\bduplicates?\b.*\bheads?\b$|\bheads? (?:are )?alike\b"
)


def _pairs_alike(q: Question) -> Answer | None:
    if not PAIRS.search(q.plain):
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
    for group, way in ways_in(q.plain):
        every = enumerate(q.search.sentences.evidence.relations)
        wanted = [(p, r) for p, rs in every for r in rs if (r["group"], r["direction"]) == (group, way)]
        wanted.sort(key=lambda f: (not (f[1]["best"] or f[1]["sure"]), -gain_of(f[1])))
        relation = q.search.sentences.relation
        heads = tuple(q.head(p, relation(r), r["title"], sure=r["sure"]) for p, r in wanted[:MOST])
        if heads:
            said = about_head(heads[0].head, heads[0].sentence)
            none = f"No head is shown to find {RELATIONS[group].finds(way)}. Nearest: "
            return Answer(q.text, heads, lead=said if heads[0].sure else f"{none}{said}")
    return None


#: a loss that falls without a head
HARMFUL = re.compile(
    r"\bharmful\b|\bbetter (?:without|off)\b|\b(?:improv|decreas|reduc|lower)\w*\b.*\b(?:loss|model)\b"
)


def _harmful(q: Question) -> Answer | None:
    """Heads without which the loss falls."""
    topics = q.search.index.best([QuestionUnit("important", frozenset({"important"}))])
    if not HARMFUL.search(q.plain) or not (WORTH.search(q.plain) or "harmful" in q.plain):
        return None
    for topic in topics:
        tried = sorted(told(q, topic), key=lambda k: k.value)
        fall = [k for k in tried if k.shown and k.value < 0]
        heads = tuple(q.head(k.place, k.sentence, "what it is worth", sure=k in fall) for k in tried[:MOST])
        every = count(len(tried), "head")
        lead = (
            f"Of {every} that were tried, {len(fall) or 'none'} is shown to lower the loss when it is gone."
        )
        return Answer(q.text, heads, lead=lead)
    return Answer(q.text, missing=(q.command("disable"),))


def _harmless(q: Question) -> Answer | None:
    """Remove without hurting: heads that can go."""
    if not HARMLESS.search(q.plain):
        return None
    unit = QuestionUnit("needless", frozenset({"needless"}))
    topics = q.search.index.best([unit])
    if not topics:
        return Answer(q.text, missing=(q.command("prune"),))
    return q.search.ranked(q, topics)


_INTENTS: tuple[Callable[[Question], Answer | None], ...] = (
    _redirected,
    of_method,
    of_one_head,
    _harmful,
    _harmless,
    of_model,
    of_layers,
    how_many,
    _pairs_alike,
    _one_way,
    nameless,
    denied,
    narrowed,
)


def nearest_questions(q: Question) -> tuple[str, ...]:
    """The three questions nearest in words that this atlas can answer."""
    words = set(re.findall(r"[a-z\[\]]{3,}", q.plain))

    def likeness(asked: str) -> float:
        common = len(words & set(re.findall(r"[a-z\[\]]{3,}", asked.lower())))
        return common + difflib.SequenceMatcher(None, q.plain, asked.lower()).ratio()

    about_heads = [f"what does {head} do?" for head in q.named]
    usual = (question.replace("0.1", q.addresses[0]) for question in USUAL)
    ranked = sorted(usual, key=likeness, reverse=True)
    answered = (question for question in [*about_heads, *ranked] if q.search.answers(question))
    return tuple(dict.fromkeys(itertools.islice(answered, 3)))
