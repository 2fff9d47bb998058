"""Coreference (Clark 2019, section 4.3): does a mention's head word attend most to one of its antecedents?

The original's code was never released. Here a mention is asked for an antecedent among the head words of all
mentions before it in the window (or among all words before it), and any mention of its entity is right.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Literal, get_args

from attlas.corpora.gap import NEITHER
from attlas.corpora.windows import Cut, Fits, Text, Window, make_window
from attlas.corpora.words import Document
from attlas.errors import AttlasError
from attlas.probes.links import Ask, Link
from attlas.probes.mentions import PRONOUNS, Named, named

Candidates = Literal["mentions", "words"]
CANDIDATES: tuple[Candidates, ...] = get_args(Candidates)
ALL = "all"

#: the sieves of the rule-based baseline, strictest first: does an earlier mention pass?
SIEVES: tuple[Callable[[Named, Named], bool], ...] = (
    lambda mention, earlier: mention.text == earlier.text,
    lambda mention, earlier: mention.head_text == earlier.head_text,
    lambda mention, earlier: mention.agrees(earlier),
    lambda mention, earlier: True,
)


class Antecedents:
    """Asks every mention that has an antecedent in its window."""

    def __init__(self, candidates: Candidates = "mentions") -> None:
        if candidates not in CANDIDATES:
            raise AttlasError(f"candidates can be {' or '.join(CANDIDATES)}, not {candidates!r}")
        self.candidates = candidates

    def __call__(self, window: Window) -> list[Link]:
        links = []
        before: list[Named] = []
        for mention in (named(window, m) for m in window.mentions()):
            # an enclosing mention begins before, but its head may come later: `mother` in `his mother`
            earlier = [m for m in before if m.head < mention.head]
            before.append(mention)
            places = tuple(dict.fromkeys(m.head for m in earlier))
            if self.candidates == "words":
                places = tuple(range(mention.head))
            gold = tuple({m.head for m in earlier if m.entity == mention.entity} & set(places))
            if gold:
                groups = ALL, mention.type
                links.append(Link(mention.head, gold, groups, places, baselines(mention, earlier)))
        return links


def unasked(documents: Iterable[Document], windows: Iterable[Window], ask: Ask) -> str:
    """How many mentions could not be asked, because what they refer to lies outside their window."""
    asked = sum(len([link for link in ask(window) if ALL in link.groups]) for window in windows)
    have = 0
    for document in documents:
        seen: set[str] = set()
        for mention in document.mentions:
            have += mention.entity in seen
            seen.add(mention.entity)
    return f"{asked:,} of {have:,} mentions with an antecedent were asked: it must lie in the window"


def baselines(mention: Named, earlier: Sequence[Named]) -> dict[str, int | None]:
    """What needs no model: the nearest mention, the nearest with the same head word, the four sieves."""
    nearest_first = sorted(earlier, key=lambda m: abs(mention.head - m.head))
    same_head = next((m.head for m in nearest_first if m.head_text == mention.head_text), None)
    sieved = next((m.head for passes in SIEVES for m in nearest_first if passes(mention, m)), None)
    return {
        "nearest": nearest_first[0].head if nearest_first else None,
        "head match": same_head,
        "rules": sieved,
    }


def gap_links(window: Window) -> list[Link]:
    """GAP: which of its two names does the pronoun attend to more? Pronouns that mean neither are not
    asked."""
    if len(window.document.mentions) != 3:
        raise AttlasError(
            f"{window.document.name} is not from GAP: it has {len(window.document.mentions)} mentions"
        )
    first, second, pronoun = (named(window, m) for m in window.document.mentions)
    if pronoun.entity == NEITHER or pronoun.head in (first.head, second.head) or first.head == second.head:
        return []
    names = {"A": first.head, "B": second.head}
    gender = PRONOUNS.get(pronoun.head_text, ("", "", ""))[1]
    groups = (ALL, {"Masc": "masculine", "Fem": "feminine"}[gender]) if gender in ("Masc", "Fem") else (ALL,)
    guesses: dict[str, int | None] = {
        "nearest": min(names.values(), key=lambda place: abs(pronoun.head - place)),
        "first": min(names.values()),
    }
    return [Link(pronoun.head, (names[pronoun.entity],), groups, tuple(names.values()), guesses)]


def covering_window(document: Document, fits: Fits, cut: Cut, text: Text = "words") -> Window | None:
    """The sentences that hold all mentions, and as many around them as fit; None where they do not fit."""
    cut.documents += 1
    first = min(m.sentence for m in document.mentions)
    last = max(m.sentence for m in document.mentions)
    window = make_window(cut.windows, document, first, last, text)
    if not fits(window.text):
        cut.too_long += 1
        return None
    grown = True
    while grown:
        grown = False
        for start, end in ((first - 1, last), (first, last + 1)):
            if start >= 0 and end < len(document.sentences):
                wider = make_window(cut.windows, document, start, end, text)
                if fits(wider.text):
                    window, first, last, grown = wider, start, end, True
                    break
    cut.windows += 1
    cut.sentences += last - first + 1
    cut.split += len(document.sentences) > last - first + 1
    return window
