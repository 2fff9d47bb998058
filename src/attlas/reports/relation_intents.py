"""Questions about relations of grammar: from which end, how far above the baseline, which no head finds."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from attlas.reports.ask_answer import Answer, about_head
from attlas.reports.evidence import gain_of
from attlas.reports.glossary import relation_term
from attlas.reports.narrowing import COUNTS, denies
from attlas.reports.page_contract import CardRelation
from attlas.reports.question import MOST, Question, ways_in
from attlas.wording.numbers import count, percent
from attlas.wording.vocabulary import ALL, RELATIONS

_RELATION = (
    r"\b(?:syntactic |dependency |grammatical )?(?:relations?(?! (?:over|between|with)\b)|dependenc(?:y"
    r"|ies))\b"
)
EVERY_RELATION = re.compile(
    rf"(?=.*{_RELATION})(?:.*\b(?:any|at least one|some|a|no|none|which|what|how many|all|every|each)\b).*"
)
_HEADLESS = re.compile(
    r"\bno (?:single )?head|\bnone of the heads|\bnot \w+ any head|\bwithout a head|\bnot (?:found"
    r"|tracked|captured|learned)"
)
MARGIN = re.compile(
    r"\bby how much\b|\bhow (?:far|much) (?:above|over|better|beyond)\b|\bmargin\b|\bbeats?\b|\babove "
    r"(?:the )?\w* ?(?:baseline|offset)\b|\bcompared (?:to|with) (?:just |the |a )?(?:\w+ )?(?:baseline"
    r"|offset|guess\w*|pick\w*)"
)


def one_way(q: Question) -> Answer | None:
    """From one end of a relation to the other, and not back."""
    for group, way in ways_in(q.plain):
        wanted = [(p, r) for p, r in _all(q) if (r["group"], r["direction"]) == (group, way)]
        wanted.sort(key=lambda f: (not (f[1]["best"] or f[1]["sure"]), -gain_of(f[1])))
        relation = q.search.sentences.relation
        heads = tuple(q.head(p, relation(r), r["title"], sure=r["sure"]) for p, r in wanted[:MOST])
        if heads:
            said = about_head(heads[0].head, heads[0].sentence)
            none = f"No head is shown to find {RELATIONS[group].finds(way)}. Nearest: "
            return Answer(q.text, heads, lead=said if heads[0].sure else f"{none}{said}")
    return None


def above_the_baseline(q: Question) -> Answer | None:
    """By how much the best head of a relation is above its baseline."""
    asked = {term for topic in q.topics for term in topic["needs"]} & {*RELATIONS}
    if not asked or not MARGIN.search(q.plain) or q.named:
        return None
    wanted = [(p, r) for p, r in _all(q) if r["group"] in asked and r["baseline"] is not None]
    wanted.sort(key=lambda f: (not f[1]["best"], not f[1]["sure"], -gain_of(f[1])))
    if not wanted:
        return None
    place, best = wanted[0]
    baseline = best["baseline"] or 0.0
    heads = tuple(
        q.head(p, q.search.sentences.relation(r), r["title"], sure=r["sure"]) for p, r in wanted[:MOST]
    )
    beyond = 100 * (best["value"] - baseline)
    how = (
        f"{abs(beyond):.0f} percentage points {'above' if beyond >= 0 else 'below'} the "
        f"{best['baseline_title']} ({percent(baseline, 0)})"
    )
    doubt = "" if best["sure"] else "; that could be chance"
    return Answer(
        q.text,
        heads,
        lead=(
            f"{q.addresses[place]} finds {best['finds']} {percent(best['value'], 0)} of the time, "
            f"{how}{doubt}."
        ),
    )


def every_relation(q: Question) -> Answer | None:
    """Over all relations: how many heads find one, which are found, and which no head finds."""
    named = {term for unit in q.units for term in unit.terms} & {*RELATIONS} - {ALL}
    if q.named or named or not EVERY_RELATION.search(q.plain):
        return None
    return _found_relations(q)


def syntax(q: Question) -> Answer | None:
    """Syntax as a whole, which no head is shown to find: the relations of it that heads do find."""
    asked = {term for topic in q.topics[:1] for term in topic["needs"]}
    if q.named or asked != {relation_term(ALL)} or denies(q):
        return None
    shown = [r for _, r in _all(q) if r["sure"] and gain_of(r) > 0]
    if not shown or any(r["group"] == ALL for r in shown):
        return None
    answer = _found_relations(q)
    whole = "No head is shown to find the syntactic head of words of all kinds."
    return None if answer is None else replace(answer, lead=f"{answer.lead} {whole}")


def _found_relations(q: Question) -> Answer | None:
    chosen = [(p, r) for p, r in _all(q) if r["best"] and r["group"] != ALL]
    if not chosen:
        return None
    titles = {r["group"]: r["title"] for _, r in chosen}
    finders = {r["group"]: (p, r) for p, r in chosen if r["sure"] and gain_of(r) > 0}
    if _HEADLESS.search(q.plain) or denies(q):
        rest = [title for group, title in titles.items() if group not in finders]
        listed = f": {', '.join(rest)}" if rest else ""
        return Answer(
            q.text,
            lead=(
                f"No head is shown to beat the best fixed offset for {len(rest)} of "
                f"{count(len(titles), 'relation')}{listed}."
            ),
        )
    ranked = sorted(finders.values(), key=lambda f: -gain_of(f[1]))
    heads = tuple(q.head(p, q.search.sentences.relation(r), r["title"]) for p, r in ranked[:MOST])
    if COUNTS.search(q.plain) and re.search(r"\bheads?\b", q.plain):
        sure = {p for p, r in _all(q) if r["sure"] and gain_of(r) > 0 and r["group"] != ALL}
        lead = (
            f"{len(sure) or 'None'} of {count(len(q.addresses), 'head')} "
            f"{'find' if len(sure) > 1 else 'finds'} a relation of grammar, beyond the best fixed "
            "offset and after Holm's correction."
        )
        return Answer(q.text, heads, lead=lead)
    listed = f": {', '.join(r['title'] for _, r in ranked)}" if ranked else ""
    return Answer(
        q.text,
        heads,
        lead=f"Heads are shown to find {len(ranked) or 'none'} of {count(len(titles), 'relation')}{listed}.",
    )


def _all(q: Question) -> Iterator[tuple[int, CardRelation]]:
    for place, of_head in enumerate(q.search.sentences.evidence.relations):
        yield from ((place, relation) for relation in of_head)
