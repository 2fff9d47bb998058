"""Questions about removing heads: which can go, which are better gone, and several at once."""

from __future__ import annotations

import re

from attlas.reports.ask_answer import Answer, about_head
from attlas.reports.matching import QuestionUnit
from attlas.reports.narrowing import within
from attlas.reports.question import HARMLESS, LEAST_HARM, MOST, REMOVES, WORTH, Question, say_topic
from attlas.wording.numbers import count
from attlas.wording.vocabulary import LESS_IS_BETTER

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
    could = f"{len(both) or 'none'} could go: without one of them the model hardly changes"
    lead = f"Of {count(len(named), 'head')} that are named for a pattern, {could}."
    return Answer(q.text, heads, lead=lead)


def harmful(q: Question) -> Answer | None:
    """Heads without which the loss falls."""
    if not HARMFUL.search(q.plain) or not (WORTH.search(q.plain) or "harmful" in q.plain):
        return None
    for topic in q.search.index.best([QuestionUnit("important", frozenset({"important"}))]):
        tried = say_topic(q, topic)
        score = topic["title"].partition(" without")[0]
        if score in ("embedding", "answers"):  # how far they move, whichever way
            says = f"Measured is how far the {score} move{'s' if score == 'embedding' else ''} without a head"
            return Answer(q.text, lead=f"{says}, not whether that is better: a task's score tells.")
        sign = 1 if score in LESS_IS_BETTER else -1
        tried.sort(key=lambda k: sign * k.value)
        gain = [k for k in tried if k.shown and sign * k.value < 0]
        heads = tuple(q.head(k.place, k.sentence, "what it is worth", sure=k in gain) for k in tried[:MOST])
        many, better = count(len(tried), "head"), "lower" if sign > 0 else "raise"
        shown = f"{len(gain) or 'none'} is shown to {better} the {score} when it is gone"
        lead = f"Of {many} that were tried, {shown}."
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
    if q.layers:
        return within(q, topics)
    known = sorted(say_topic(q, topics[0]), key=lambda k: (not k.shown, abs(k.value)))
    go, chapter = sum(k.shown for k in known), q.atlas.chapters[topics[0]["chapter"]]
    heads = tuple(q.head(k.place, k.sentence, topics[0]["title"], chapter, k.shown) for k in known[:MOST])
    could = f"{go or 'None'} of {count(len(known), 'head')} could go, one at a time"
    least = about_head(heads[0].head, heads[0].sentence)
    return Answer(q.text, heads, lead=f"{could}. {least}")


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
