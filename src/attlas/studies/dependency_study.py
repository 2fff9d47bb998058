"""Dependencies (Clark 2019, section 4.2): does a head point from a word to its syntactic head, or back?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from attlas.atlas.chapter import Chapter
from attlas.corpora.alignment import From
from attlas.corpora.annotated_documents import ROOT
from attlas.corpora.source import Source
from attlas.corpora.windows import Window
from attlas.errors import option
from attlas.studies.links.best_heads import ALL, LinkQuestion, best_heads, chapter_of, count_links
from attlas.studies.links.link_questions import Link
from attlas.studies.provenance import chapter_name, described
from attlas.studies.study import RunPass

OFFSETS = (-3, -2, -1, 1, 2, 3)
#: the original did not try +3
FAITHFUL_OFFSETS = (-3, -2, -1, 1, 2)
#: relations that the original does not tabulate
UNTABLED = frozenset({"root", "ROOT", "punct"})
#: Stanford Dependencies, Universal Dependencies
POSSESSIVE_RELATIONS = frozenset({"poss", "nmod:poss"})
POSSESSIVE_MARKERS = frozenset({"'s", "’s", "'", "’"})


@dataclass(frozen=True, kw_only=True)
class Dependencies:
    """For every relation, the head that finds it best, beside the best fixed offset. The windows are
    sentences."""

    source: Source
    choosing: Source | None = None  # another treebank to choose heads on
    faithful: bool = False  # chosen and reported on the same sentences
    subtypes: bool = False  # keeps `nsubj:pass` apart from `nsubj`
    min_count: int = 100  # relations with fewer links are not in the table
    pieces: From = "mean"
    seed: int = 0

    @property
    def name(self) -> str:
        return chapter_name("dependencies", self.source, self.faithful)

    def describe(self) -> dict[str, Any]:
        settings = {
            "faithful": self.faithful,
            "choose_on": None if self.choosing is None else self.choosing.describe(),
            "subtypes": self.subtypes,
            "min_count": self.min_count,
            "pieces": self.pieces,
            "seed": self.seed,
        }
        return described("dependencies", self.source, settings)

    def conclude(self, run: RunPass) -> Chapter:
        offsets = FAITHFUL_OFFSETS if self.faithful else OFFSETS
        question = LinkQuestion(
            find=DependencyLinks(self.subtypes, offsets),
            baselines=[_format_offset(offset) for offset in offsets],
            statistics={"to": "dependent_to_head", "from": "head_to_dependent"},
            source=self.source,
            without=f"has no dependencies: name a spaCy pipeline that parses it: {option('pipeline')}",
            choosing=self.choosing,
            faithful=self.faithful,
            rows=self.pieces,
            untabled=UNTABLED,
            min_count=self.min_count,
            seed=self.seed,
        )
        parts = count_links(question, run)
        results = best_heads(question, parts, run)
        return chapter_of(self, parts, results)


@dataclass(frozen=True)
class DependencyLinks:
    """Asks every word for its head."""

    subtypes: bool = False
    offsets: tuple[int, ...] = OFFSETS

    def __call__(self, window: Window) -> list[Link]:
        links = []
        heads = window.heads
        offsets = [(_format_offset(offset), offset) for offset in self.offsets]
        for place, (word, head) in enumerate(zip(window.words, heads, strict=True)):
            if head is None:
                continue
            relation = word.relation if self.subtypes else word.relation.split(":")[0]
            asked = _place_asked(window, place)
            links.append(
                Link(
                    asked,
                    # the root has no word above it: no answer is correct, as in the original
                    () if head == ROOT else (head,),
                    (ALL, relation) if relation else (ALL,),
                    guesses={name: _guess_place(asked + offset, len(heads)) for name, offset in offsets},
                )
            )
        return links


def _place_asked(window: Window, place: int) -> int:
    """A possessor is asked through its marker: in `John 's book`, the 's (Clark 2019, section 4.2)."""
    after = place + 1
    possessed = window.words[place].relation in POSSESSIVE_RELATIONS
    if possessed and after < len(window.words) and window.words[after].text in POSSESSIVE_MARKERS:
        return after
    return place


def _guess_place(place: int, words: int) -> int | None:
    """Past the end the last word is guessed; before the beginning the root, which is not a word."""
    return None if place < 0 else min(place, words - 1)


def _format_offset(offset: int) -> str:
    return f"{offset:+d}"
