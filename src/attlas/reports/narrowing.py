"""Questions that count heads, deny something, or ask within some layers or beyond a bound."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

from attlas.reports.ask_answer import Answer, AnsweredHead, about_head
from attlas.reports.highlights import name_counts
from attlas.reports.matching import DENIALS
from attlas.reports.named_layers import layers_written
from attlas.reports.page_contract import Topic
from attlas.reports.question import MOST, NEGATED, Question, Told, column_of, column_of_topic, say_topic
from attlas.wording.numbers import count, percent
from attlas.wording.vocabulary import PATTERN_DOES

COUNTS = re.compile(
    r"\bhow many\b|\bnumber of\b|\bcount\b"
    r"|\b(?:fraction|proportion|percentage|share|percent|part) of (?:the |all )?heads\b"
)
#: of heads that do one thing, those that do not do another
BUT_NOT = re.compile(
    r"\b(?:but|yet|and|while|though|although|without)\b.*\b(?:not|never|hardly|ignore|avoid)\b|\bwithout\b"
)
NAMED = re.compile(
    r"\b(?:have|has|with|got|get) (?:an? |any |some )?(?:clear )?(?:name|label|role|job)s?\b|\bnamed\b"
)
NAMELESS = re.compile(
    r"\bnameless\b|\bunnamed\b|\b(?:no|not \w+ any|without an?y?) (?:clear )?(?:pattern|name|role|job)\b"
)


def how_many(q: Question) -> Answer | None:
    """How many heads do something, of all or of some layers."""
    if not COUNTS.search(q.plain):
        return None
    asked = [(t, _among(q, say_topic(q, t))) for t in q.topics if q.bound or can_be_counted(q, t)]
    counted = [(t, known, [k for k in known if _counts(q, k)]) for t, known in asked if known]
    if not counted:
        return None
    topic, known, does = max(counted, key=lambda c: len(c[2]))
    does.sort(key=lambda k: -k.size)
    if denies(q):
        does = [k for k in known if k not in does]
    lead = f"{_many(q, does, known)}{_by(q, topic)}{_shown_of(q, does)}."
    return Answer(q.text, _heads(q, does, topic), lead=lead)


def denied(q: Question) -> Answer | None:
    """Which heads do not do something: those that do it least, of those that do another thing where one is
    asked for before."""
    if not denies(q):
        return None
    at = next(i for i, unit in enumerate(q.units) if unit.words in DENIALS)
    index, two = q.search.index, BUT_NOT.search(q.plain) is not None
    for topic in index.best(q.units[at + 1 :]) or index.best(q.units[:at]):
        if not can_be_counted(q, topic):
            continue
        known = sorted(_among(q, say_topic(q, topic)), key=lambda k: k.size)
        before = index.best(q.units[:at]) if two else []
        after = index.best(q.units[at + 1 :])
        not_so = [k for k in known if not k.shown]
        if not (before and after):
            lead = f"{_many(q, not_so, known)} do not: {_title(q, topic)}."
            return Answer(q.text, _heads(q, not_so, topic), lead=lead)
        doers = {k.place for k in say_topic(q, before[0]) if k.shown}
        not_so = [k for k in not_so if k.place in doers]
        lead = f"{_many(q, not_so, known)} do ({before[0]['title']}), and do not: {_title(q, topic)}."
        return Answer(q.text, _heads(q, not_so, topic), lead=lead)
    return None


def narrowed(q: Question) -> Answer | None:
    """The heads of some layers, or those beyond a bound."""
    return within(q, q.topics) if q.topics and (q.layers or q.bound) else None


def within(q: Question, topics: Sequence[Topic]) -> Answer | None:
    """The heads of the layers that are named, or beyond the bound, best first."""
    every = {id(topic): _among(q, say_topic(q, topic)) for topic in topics}
    topic = max(topics, key=lambda topic: sum(k.shown for k in every[id(topic)]))
    sign = 1 if "needless" in topic["needs"] else -1  # the least change first
    known = sorted(every[id(topic)], key=lambda k: (not k.shown, sign * k.size))
    if q.bound is not None:
        beyond = [k for k in known if q.bound.holds(abs(k.value))]
        lead = f"{_many(q, beyond, known)}{_by(q, topic)}{_shown_of(q, beyond)}."
        return Answer(q.text, _heads(q, beyond, topic), lead=lead)
    if not known:
        return None
    heads = _heads(q, known, topic)
    said = about_head(heads[0].head, heads[0].sentence)
    none = f"Practically none in {layers_written(q.layers)}. Nearest: "
    column = column_of_topic(q, topic)
    only_more = column is not None and column.name == "entropy"  # the sharpest of them, however sharp
    return Answer(q.text, heads, lead=said if known[0].shown or only_more else f"{none}{said}")


def nameless(q: Question) -> Answer | None:
    """The heads that follow no pattern enough to be named for it."""
    if COUNTS.search(q.plain) and NAMED.search(q.plain):
        named = name_counts(q.search.sentences, range(len(q.addresses)))
        return Answer(q.text, lead=f"Of {count(len(q.addresses), 'head')}, {named or 'none has a name'}.")
    if not NAMELESS.search(q.plain):
        return None
    names = q.search.sentences.pattern_names
    places = [p for p, h in enumerate(q.atlas.addresses) if names.get(h) not in PATTERN_DOES]
    places = [p for p in places if not q.layers or q.atlas.addresses[p].layer in q.layers]
    entropy = column_of(q, "entropy", "all")
    say = q.search.sentences.of_value
    heads = tuple(
        q.head(p, say(entropy, p), "without a name")
        for p in places
        if entropy is not None and math.isfinite(entropy.values[p])
    )[:MOST]
    lead = (
        f"{len(places) or 'None'} of {count(len(q.addresses), 'head')} have no name, for no pattern is shown."
    )
    return Answer(q.text, heads, lead=lead)


def _among(q: Question, known: list[Told]) -> list[Told]:
    """Those of the layers that are named."""
    return [k for k in known if not q.layers or q.atlas.addresses[k.place].layer in q.layers]


def _counts(q: Question, known: Told) -> bool:
    return q.bound.holds(abs(known.value)) if q.bound is not None else known.shown


def _heads(q: Question, known: list[Told], topic: Topic) -> tuple[AnsweredHead, ...]:
    chapter = q.atlas.chapters[topic["chapter"]]
    return tuple(q.head(k.place, k.sentence, topic["title"], chapter, k.shown) for k in known[:MOST])


def _many(q: Question, some: list[Told], known: list[Told]) -> str:
    """5 of 144 heads (3 %) · None of 12 heads of layer 3"""
    where = f" of {layers_written(q.layers)}" if q.layers else ""
    share = f" ({percent(len(some) / len(known), 0)})" if known and some else ""
    return f"{len(some) or 'None'} of {count(len(known), 'head')}{where}{share}"


def _shown_of(q: Question, beyond: list[Told]) -> str:
    """A number beyond a bound may be chance."""
    return f"; {sum(k.shown for k in beyond):,} of them shown" if q.bound is not None and beyond else ""


def _title(q: Question, topic: Topic) -> str:
    """What is denied: a fifth of their attention or more to [SEP]"""
    column = column_of_topic(q, topic)
    share = column is not None and column.known.goes_somewhere
    return f"a fifth of their attention or more {topic['title']}" if share else str(topic["title"])


def _by(q: Question, topic: Topic) -> str:
    column = column_of_topic(q, topic)
    if q.bound is not None:
        return f" {q.bound.words} ({topic['title']})"
    share = column is not None and column.known.is_share and column.name != "pattern_score"
    if column is not None and column.name == "entropy":
        return f" look {'at very few tokens' if 'focused' in topic['needs'] else 'nearly evenly'} (entropy)"
    return (
        f", with a fifth of their attention or more ({topic['title']})" if share else f" ({topic['title']})"
    )


def can_be_counted(q: Question, topic: Topic) -> bool:
    """Whether heads do it or not: of an entropy there is only more and less."""
    column = column_of_topic(q, topic)
    judged = column is None or column.known.is_share or column.name == "pattern_score"
    judged = judged or (column is not None and column.known.family in ("effect", "link"))
    if column is not None and column.name == "entropy":  # beside that of even attention
        return column.group == "all" and q.search.sentences.columns.even_entropy(column, 0) is not None
    return judged and not topic["title"].startswith("least ")


def denies(q: Question) -> bool:
    """Whether a denial is left over that no phrase of the glossary has, as `not needed` is."""
    return bool(NEGATED.search(q.plain)) and any(unit.words in DENIALS for unit in q.units)
