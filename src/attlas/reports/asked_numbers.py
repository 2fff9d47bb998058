"""The measured things that a question mentions, one after the other, each as a number of every head."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from attlas.array_types import Floats
from attlas.reports.columns import Column
from attlas.reports.matching import QuestionUnit
from attlas.reports.page_contract import Topic
from attlas.reports.question import Question, column_of, column_of_topic, say_topic

#: term -> the shares of attention that go there: no token is in two of them
PLACES: dict[str, tuple[tuple[str, str], ...]] = {
    "sep": (("to_class", "sep"),),
    "cls": (("to_class", "cls"),),
    "punct": (("to_class", "punct"),),
    "delimiter": (("to_class", "sep"), ("to_class", "cls")),
    "first": (("to_first", ""),),
    "previous": (("to_previous", ""),),
    "next": (("to_next", ""),),
    "self": (("to_self", ""),),
}
#: two places of a question that are meant together
JOINED = re.compile(r"\b(?:or|and|nor|plus)\b|/|,")


def mentioned(q: Question, units: Sequence[QuestionUnit]) -> list[Topic]:
    """The topics that the units ask for, one after the other: what a unit means best, of two things of one
    name the pattern before the share."""
    topics_of: dict[tuple[str, ...], Topic] = {}
    for unit in units:
        topics = q.search.index.best([unit]) if unit.terms else []
        if topics:
            first = min(topics, key=lambda t: (len(t["needs"]), t["title"].startswith("least ")))
            topics_of.setdefault(tuple(first["needs"]), first)
    return list(topics_of.values())


def places_mentioned(q: Question) -> list[Column]:
    """The shares of attention that a question mentions, none of them twice: the first token or [SEP]."""
    columns: dict[str, Column] = {}
    for unit in q.units:
        terms = [term for term in PLACES if term in unit.terms]
        for name, group in PLACES[terms[0]] if terms else ():
            column = column_of(q, name, group)
            same = any(
                column is not None and np.array_equal(column.values, c.values) for c in columns.values()
            )
            if column is not None and not same:  # the first token may be [CLS]
                columns.setdefault(column.key, column)
    return list(columns.values())


def number_of(q: Question, topic: Topic) -> tuple[Floats, str]:
    """One number for each head, and what it is of; NaN where a head has none. Of what a head is worth, the
    size of the change: measured, or estimated where few heads were switched off."""
    values = np.full(len(q.addresses), np.nan)
    if {"important", "needless"} & {*topic["needs"]}:
        estimates = column_of(q, "estimated_effect")
        if estimates is not None:
            return np.abs(estimates.values), "the change of the loss without a head, by attribution"
        for known in say_topic(q, topic):
            values[known.place] = abs(known.value)
        return values, "the change without a head"
    column = column_of_topic(q, topic)
    if column is not None and column.known.family != "link" and column.name != "pattern_score":
        return column.values, _named(column)
    for known in say_topic(q, topic):
        values[known.place] = known.size
    gain = "gain" if column is None or column.known.family == "link" else "score"
    return values, f"the {gain} for {topic['title']}"


def _named(column: Column) -> str:
    title = column.known.write_name(column.group)
    return f"attention {title}" if column.known.goes_somewhere else title
