"""What can be asked of an atlas: a topic for each thing that it measures, with the heads that do it most.

Heads are ranked by effect over baseline: accuracy over the best offset, a pattern's score over chance, a
share over that of the median head.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from attlas.atlas.registry import REGISTRY
from attlas.reports.columns import Column, Columns
from attlas.reports.evidence import Evidence, Followed, gain_of, judge_effect
from attlas.reports.glossary import PATTERN_TERM, relation_term
from attlas.reports.matching import words_of
from attlas.reports.page_contract import CardRelation, Sentence, Topic
from attlas.reports.sentences import BESIDE, Sentences
from attlas.statistics.claims import CLAIMS, MENTIONED_SHARE, SURE
from attlas.statistics.clusters import degrees
from attlas.statistics.hypotheses import not_zero
from attlas.statistics.verdicts import Verdict
from attlas.wording.numbers import percent
from attlas.wording.vocabulary import LESS_IS_BETTER

MOST = 10  # heads of a topic
DIFFERS = 0.2  # from the median head, as a part of what it has
NEVER = 1e-6  # a share that is never larger is 0 by construction

#: statistic -> the terms that a question must name one of, for the largest and for the smallest values
_LARGEST = {
    "to_previous": ("previous",),
    "to_self": ("self",),
    "to_next": ("next",),
    "to_first": ("first",),
    "to_near": ("near",),
    "sep_to_sep": ("sep", "from_sep"),
    "other_to_sep": ("sep", "from_other"),
    "token_distance": ("far",),
    "token_distance_variance": ("far", "variance"),
    "entropy": ("broad",),
    "largest": ("largest",),
    "distance_within": ("unlike", "layer"),
    "distance_between": ("unlike",),
    "map_distance": ("changed",),
    "tree_weight": ("trees",),
    "gate_gradient": ("important", "gate"),
    "explained_by_programs": ("programs",),
    "write_length": ("writes",),
}
_SMALLEST = {
    "entropy": ("focused",),
    "rest_entropy": ("focused", "rest"),
    "token_distance": ("near",),
    "distance_within": ("alike", "layer"),
    "distance_between": ("alike",),
    "map_cosine": ("changed", "cosine"),
    "explained_by_programs": ("programs", "worst"),
}
#: statistic -> what its groups are grouped under
_UNDER = {
    "to_class": (),
    "received": ("received",),
    "gradient": ("gradient",),
    "shape_share": (),
    "feature_weight": ("features",),
    "cls_weight": ("features", "cls"),
    "link_weight": ("features",),
    "frame_weight": ("frames",),
    "frame_weight_over_matched": ("frames",),
    "to_offset": (),
}
#: not asked for by themselves
_LEFT_OUT = ("pattern_score", "pattern_null")


class Topics:
    """Makes the topics of an atlas."""

    def __init__(self, columns: Columns, evidence: Evidence, sentences: Sentences) -> None:
        self.columns, self.evidence, self.sentences = columns, evidence, sentences
        self.chapters = {name: number for number, name in enumerate(columns.atlas.chapters)}
        self.numbers = {id(column): number for number, column in enumerate(columns.all)}

    def all(self) -> list[Topic]:
        return [*self._relations(), *self._patterns(), *self._effects(), *self._columns()]

    def _relations(self) -> Iterator[Topic]:
        """One for each relation, whichever way heads look along it."""
        asked: dict[tuple[int, str], list[tuple[int, CardRelation]]] = {}
        for place, of_head in enumerate(self.evidence.relations):
            for relation in of_head:
                asked.setdefault((relation["chapter"], relation["group"]), []).append((place, relation))
        for (chapter, group), candidates in asked.items():
            best: dict[int, CardRelation] = {}  # of a head's two ways, the better
            for place, relation in candidates:
                if place not in best or gain_of(relation) > gain_of(best[place]):
                    best[place] = relation
            # the head that was chosen on other sentences comes first: its number is the one to believe
            order = sorted(
                best, key=lambda p: (not (best[p]["best"] and gain_of(best[p]) > 0), -gain_of(best[p]))
            )
            mentions = self._is_coreference(chapter)
            needs = ("coreference",) if mentions else (relation_term(group),)
            title = best[order[0]]["title"]
            yield self._topic(
                title,
                [*needs, *words_of(group), *words_of(title), *(["syntax"] if not mentions else [])],
                needs,
                chapter,
                None,
                [(p, gain_of(best[p]), best[p]["sure"], self._explained(best, p, order)) for p in order],
            )

    def _explained(self, best: dict[int, CardRelation], place: int, order: Sequence[int]) -> Sentence:
        """The first head's sentence says why it is first, where another has a larger share."""
        said = self.sentences.relation(best[place])
        larger = max(order, key=lambda p: best[p]["value"])
        if place != order[0] or best[larger]["value"] <= best[place]["value"]:
            return said
        why = "; chosen on one half and reported on the other: "
        return [*said, why, larger, f" has {percent(best[larger]['value'], 0)} on all"]

    def _is_coreference(self, chapter: int) -> bool:
        about = self.columns.atlas.about(self.columns.atlas.chapters[chapter])
        return about.get("study") == "coreference"

    def _patterns(self) -> Iterator[Topic]:
        asked: dict[tuple[str, str], list[tuple[int, Followed]]] = {}
        for place, of_head in enumerate(self.evidence.patterns):
            for followed in of_head:
                asked.setdefault((followed.chapter, followed.pattern), []).append((place, followed))
        for (chapter, pattern), candidates in asked.items():
            title = REGISTRY["pattern_score"].group_name(pattern)
            need = PATTERN_TERM.get(pattern, pattern)
            candidates.sort(key=lambda f: (not f[1].sure, -f[1].strength))
            yield self._topic(
                title,
                [need, pattern, "pattern", *words_of(title)],
                (need,),
                self.chapters[chapter],
                self._number("pattern_score", pattern, chapter),
                [(p, f.strength, f.sure, self.sentences.pattern(f)) for p, f in candidates],
            )

    def _effects(self) -> Iterator[Topic]:
        asked: dict[tuple[int, str, str], list[tuple[int, float, Verdict, Sentence]]] = {}
        for place, of_head in enumerate(self.evidence.effects):
            for effect in of_head:
                harm = effect["change"] * (1 if effect["score"] in LESS_IS_BETTER else -1)
                verdict = judge_effect(effect).verdict
                ranked = place, harm, verdict, self.sentences.effect(effect)
                key = effect["chapter"], effect["score"], effect["edit"]
                asked.setdefault(key, []).append(ranked)
        for (chapter, score, edit), ranked_heads in asked.items():
            changed = {"loss": "loss", "embedding": "output", "answers": "output"}.get(score, "score")
            number = self._number(f"effect_on_{changed}", edit, self.columns.atlas.chapters[chapter])
            estimates = self._estimates(chapter, edit)
            for need, title, sign, wanted in (
                ("important", f"{score} without the head", -1, "shown"),
                ("needless", "heads that can go", 1, "small"),
            ):
                order = [
                    (place, harm, verdict == wanted, said)
                    for place, harm, verdict, said in sorted(ranked_heads, key=lambda r: sign * r[1])
                ]
                if need == "needless" and estimates:  # those that were tried are the strongest
                    order = estimates
                terms = [need, score, *words_of(title), edit]
                yield self._topic(title, terms, (need,), chapter, number, order)

    def _estimates(self, chapter: int, edit: str) -> list[tuple[int, float, bool, Sentence]]:
        """The heads with the smallest estimates first, where a chapter estimated all of them."""
        named = self.columns.atlas.chapters[chapter]
        number = self._number("estimated_effect", edit, named)
        if number is None:
            return []
        column = self.columns.all[number]
        sizes = np.abs(column.values) + 2 * column.stderr
        said = "Without it the loss would hardly change, by attribution."
        return [
            (
                int(p),
                float(column.values[p]),
                bool(sizes[p] < CLAIMS["loss"].size),
                [said, BESIDE, column.said(p)],
            )
            for p in np.argsort(sizes, kind="stable")
            if np.isfinite(sizes[p])
        ]

    def _columns(self) -> Iterator[Topic]:
        for column in self.columns.all:
            known = column.known
            in_tables = known.family in ("link", "effect") and column.name != "gate_gradient"
            if in_tables or column.name in _LEFT_OUT:
                continue
            if column.name.endswith("_matched") or not known.list_groups([column.group]):
                continue
            if known.is_share and not (column.values > NEVER).any():
                continue  # no head of this model can do it
            for needs, largest in self._needs(column):
                yield self._of_column(column, needs, largest)

    def _needs(self, column: Column) -> Iterator[tuple[tuple[str, ...], bool]]:
        """The terms of a column, for its largest values, its smallest, or both."""
        name = column.name
        rest: tuple[str, ...] = ()
        if name.startswith("rest_") and name not in _SMALLEST:
            name, rest = name.removeprefix("rest_"), ("rest",)
        extra = ("cls",) if (name, column.group) == ("entropy", "cls") else ()
        if name in _LARGEST:
            yield (*_LARGEST[name], *rest, *extra), True
        if name in _SMALLEST:
            yield (*_SMALLEST[name], *extra), False
        if name in _UNDER:
            yield (*_UNDER[name], *rest, column.group), True
        elif name not in _LARGEST and name not in _SMALLEST:  # a statistic of the user's own
            yield tuple(words_of(f"{name} {column.group}".replace("_", " "))) or (name,), True

    def _of_column(self, column: Column, needs: Sequence[str], largest: bool) -> Topic:
        places = [int(p) for p in np.flatnonzero(np.isfinite(column.values))]
        medians = {p: self.columns.median(column, p) for p in places}
        sign = 1 if largest else -1
        effects = {p: sign * (float(column.values[p]) - medians[p]) for p in places}
        apart = dict(zip(places, _apart(column, places, list(medians.values())), strict=True))
        places.sort(key=lambda p: -effects[p])
        title = column.known.write_name(column.group)
        is_place = largest and column.known.goes_somewhere and not column.known.curve

        def large(place: int) -> bool:
            """A small share of attention is not what a head does, however sure it is; nor is a number near
            that of the median head: untrained heads differ as well."""
            if is_place:
                share = float(column.values[place])
                return share >= MENTIONED_SHARE and self.sentences.is_beyond_untrained(column, place)
            least = CLAIMS["change"].size if column.known.unit == "nats" else 0.0
            return effects[place] >= max(least, DIFFERS * abs(medians[place]))

        write = self.sentences.of_value
        return self._topic(
            title if largest else f"least {title}",
            [*needs, *words_of(title), *words_of(column.key.replace("_", " "))],
            needs,
            self.chapters[column.chapter],
            self.numbers[id(column)],
            [
                (p, effects[p], effects[p] > 0 and apart[p] and large(p), write(column, p))
                for p in places[:MOST]
            ],
        )

    def _number(self, name: str, group: str, chapter: str) -> int | None:
        wanted = name, group, chapter
        return next(
            (i for i, c in enumerate(self.columns.all) if (c.name, c.group, c.chapter) == wanted), None
        )

    def _topic(
        self,
        title: str,
        terms: Sequence[str],
        needs: Sequence[str],
        chapter: int,
        statistic: int | None,
        ranked: Sequence[tuple[int, float, bool, Sentence]],
    ) -> Topic:
        heads = ranked[:MOST]
        return {
            "title": title,
            "terms": list(dict.fromkeys(terms)),
            "needs": list(dict.fromkeys(needs)),
            "chapter": chapter,
            "statistic": statistic,
            "heads": [h for h, _, _, _ in heads],
            "effects": [effect for _, effect, _, _ in heads],
            "sure": [sure for _, _, sure, _ in heads],
            "sentences": [sentence for _, _, _, sentence in heads],
        }


def _apart(column: Column, places: Sequence[int], medians: Sequence[float]) -> list[bool]:
    """Whether values are further from the median head's than their own error explains (Student's test)."""
    differences = column.values[places] - np.array(medians)
    freedom = degrees(column.n[places].astype(np.float64), column.documents[places].astype(np.float64))
    apart: list[bool] = (not_zero(differences, column.stderr[places], freedom) < SURE).tolist()
    return apart
