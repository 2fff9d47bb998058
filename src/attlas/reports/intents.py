"""What a question asks for: a small grammar of intents, tried in order, before words are matched with topics.

A head and a property, a layer, two layers, how many, the model itself, heads alike, what a command would do.
Each intent is a pattern and a function that answers; no language model is involved.
"""

from __future__ import annotations

import difflib
import itertools
import re
from collections.abc import Callable

from attlas.reports.ask_answer import Answer
from attlas.reports.asked_numbers import mentioned
from attlas.reports.head_intents import of_one_head
from attlas.reports.layer_intents import of_layers
from attlas.reports.likeness import layers_alike, pairs_alike, two_heads
from attlas.reports.method_intents import of_method
from attlas.reports.model_intents import of_model
from attlas.reports.narrowing import denied, how_many, nameless, narrowed
from attlas.reports.question import Question
from attlas.reports.redirects import how_to, of_paper, redirected, unknowable
from attlas.reports.relating import by_layer, go_together, how_much, shares_together, versus
from attlas.reports.relation_intents import above_the_baseline, every_relation, one_way, syntax
from attlas.reports.removing import harmful, harmless, striking, together

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

_INTENTS: tuple[Callable[[Question], Answer | None], ...] = (
    of_paper,
    unknowable,
    how_to,
    redirected,
    together,
    go_together,
    every_relation,
    of_method,
    shares_together,
    how_much,
    two_heads,
    of_one_head,
    striking,
    harmful,
    harmless,
    versus,
    of_model,
    layers_alike,
    pairs_alike,
    by_layer,
    of_layers,
    above_the_baseline,
    syntax,
    how_many,
    one_way,
    nameless,
    denied,
    narrowed,
)


def by_intent(question: Question) -> Answer | None:
    """The answer of the first intent that the question has; None where it asks for heads by words."""
    for recognise in _INTENTS:
        if (answer := recognise(question)) is not None:
            return answer
    return None


def nearest_questions(q: Question) -> tuple[str, ...]:
    """Three questions that this atlas can answer: of the things that were understood, then those nearest in
    words."""
    words = set(re.findall(r"[a-z\[\]]{3,}", q.plain))

    def likeness(asked: str) -> float:
        common = len(words & set(re.findall(r"[a-z\[\]]{3,}", asked.lower())))
        return common + difflib.SequenceMatcher(None, q.plain, asked.lower()).ratio()

    about_heads = [f"what does {head} do?" for head in q.named]
    of_topics = [f"which heads: {topic['title']}?" for topic in mentioned(q, q.units)[:2]]
    usual = (question.replace("0.1", q.addresses[0]) for question in USUAL)
    ranked = sorted(usual, key=likeness, reverse=True)
    every = [*about_heads, *of_topics, *ranked]
    answered = (question for question in every if q.search.answers(question))
    return tuple(dict.fromkeys(itertools.islice(answered, 3)))
