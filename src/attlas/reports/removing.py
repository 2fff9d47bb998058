"""Questions about removing heads: which can go, which are better gone, and several at once."""

from __future__ import annotations

import re

from attlas.reports.ask_answer import Answer
from attlas.reports.matching import QuestionUnit
from attlas.reports.narrowing import within
from attlas.reports.question import HARMLESS, LEAST_HARM, MOST, REMOVES, WORTH, Question, say_topic
from attlas.wording.numbers import count

#: a loss that falls without a head
HARMFUL = re.compile(
    r"\bharmful\b|\bbetter (?:without|off|when)\b|\bmakes? (?:the model |it )?(?:actually )?\W?better\b"
    r"|\b(?:improv|decreas|reduc|lower|better)\w*\b(?! than).*\b(?:loss|model)\b"
    r"|\b(?:loss|model)\b.*\b(?:improv|decreas|falls?|better)\w*\b(?! than)"
)
#: several heads at once, or how many: what curves of pruning answer
JOINT = re.compile(
    rf"(?=.*\b(?:{REMOVES}|disabl|ablat|knock))(?:"
    r".*\b(?:at once|together|jointly|combined|in combination|the sum|one by one|same number of|cumulative\w*"
    r"|both|simultaneously|all of them|all the)\b"
    r"|.*\bhow (?:many|much)\b.*\b(?:can|could|may|before|until)\b"
    r"|.*\b(?:what|which) (?:fraction|share|part|percentage) of .*\b(?:can|could|before|until)\b)"
)
#: looks important, and is not
STRIKING = re.compile(
    r"\b(?:look|seem|appear)\w* (?:to be )?(?:important|useful|meaningful|interesting"
    r"|special)\b.*\b(?:but|yet|though|nothing|not)\b"
)
_ALONE = "Heads were switched off one at a time, and effects need not add up."


def striking(q: Question) -> Answer | None:
    """Heads that look as if they mattered, and hardly do: they follow a pattern, and can go."""
    topics = q.search.index.best([QuestionUnit("needless", frozenset({"needless"}))])
    if not STRIKING.search(q.plain) or not WORTH.search(q.plain) or not topics:
        return None
    go = {k.place: k for k in say_topic(q, topics[0]) if k.shown}
    sentences = q.search.sentences
    every = [sentences.named_pattern(place) for place in range(len(q.addresses))]
    named = {place: followed for place, followed in enumerate(every) if followed is not None}
    both = sorted((place for place in named if place in go), key=lambda place: -named[place].strength)
    heads = tuple(q.head(place, sentences.pattern(named[place])) for place in both[:MOST])
    could = f"{len(both) or 'none'} could go: without one of them the loss would hardly change"
    lead = f"Of {count(len(named), 'head')} that are named for a pattern, {could}."
    return Answer(q.text, heads, lead=lead)


def harmful(q: Question) -> Answer | None:
    """Heads without which the loss falls."""
    if not HARMFUL.search(q.plain) or not (WORTH.search(q.plain) or "harmful" in q.plain):
        return None
    for topic in q.search.index.best([QuestionUnit("important", frozenset({"important"}))]):
        tried = sorted(say_topic(q, topic), key=lambda k: k.value)
        fall = [k for k in tried if k.shown and k.value < 0]
        heads = tuple(q.head(k.place, k.sentence, "what it is worth", sure=k in fall) for k in tried[:MOST])
        every = count(len(tried), "head")
        lead = (
            f"Of {every} that were tried, {len(fall) or 'none'} is shown to lower the loss when it is gone."
        )
        return Answer(q.text, heads, lead=lead)
    return Answer(q.text, missing=(q.command("disable"),))


def harmless(q: Question) -> Answer | None:
    """Remove without hurting: heads that can go."""
    asks = HARMLESS.search(q.plain) or (LEAST_HARM.search(q.plain) and re.search(r"\bheads?\b", q.plain))
    if not asks or JOINT.search(q.plain):
        return None
    topics = q.search.index.best([QuestionUnit("needless", frozenset({"needless"}))])
    if not topics:
        return Answer(q.text, missing=(q.command("prune"),))
    return within(q, topics) if q.layers else q.search.ranked(q, topics)


def together(q: Question) -> Answer | None:
    """What several heads are worth at once: a study of its own, since effects do not add up."""
    if not JOINT.search(q.plain) or q.layers or len(q.named) == 1:
        return None
    if len(q.named) > 1:
        command = f"attlas disable {q.model} --heads {','.join(q.named)} --atlas {q.folder}"
        return Answer(q.text, lead=_ALONE, missing=(("these heads together", command),))
    for chapter in q.atlas.chapters:
        notes = q.atlas.about(chapter).get("notes") or ()
        if q.atlas.about(chapter).get("study") == "prune" and notes:
            return Answer(q.text, lead=" ".join(map(str, notes[:2])))
    says = f"{_ALONE} Pruning removes more and more of them, beside random heads."
    return Answer(q.text, lead=says, missing=(q.command("prune"),))
