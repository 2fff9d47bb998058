"""Dependencies (Clark 2019, section 4.2): does a head point from a word to its syntactic head, or back?"""

from collections.abc import Sequence

from attlas.corpora.windows import Window
from attlas.corpora.words import ROOT
from attlas.probes.links import Link

#: the original tried these and not +3
FAITHFUL_OFFSETS = (-3, -2, -1, 1, 2)
OFFSETS = (-3, -2, -1, 1, 2, 3)
#: relations that the original does not tabulate
UNTABLED = frozenset({"root", "ROOT", "punct"})
#: Stanford Dependencies, Universal Dependencies
POSSESSIVE_RELATIONS = frozenset({"poss", "nmod:poss"})
POSSESSIVE_MARKERS = frozenset({"'s", "’s", "'", "’"})
ALL = "all"


class Dependencies:
    """Asks every word for its head. `subtypes` keeps `nsubj:pass` apart from `nsubj`."""

    def __init__(self, subtypes: bool = False, offsets: Sequence[int] = OFFSETS) -> None:
        self.subtypes = subtypes
        self.offsets = tuple(offsets)

    def __call__(self, window: Window) -> list[Link]:
        links = []
        heads = window.heads
        for place, (word, head) in enumerate(zip(window.words, heads, strict=True)):
            if head is None:
                continue
            relation = word.relation if self.subtypes else word.relation.split(":")[0]
            asked = self._asked(window, place)
            links.append(
                Link(
                    asked,
                    # the root has no word above it: no answer is right, as in the original
                    () if head == ROOT else (head,),
                    (ALL, relation) if relation else (ALL,),
                    guesses={f"{o:+d}": self._guess(asked + o, len(heads)) for o in self.offsets},
                )
            )
        return links

    def _asked(self, window: Window, place: int) -> int:
        """A possessor is asked through its marker: in `John 's book`, the 's (Clark 2019, section 4.2)."""
        after = place + 1
        possessed = window.words[place].relation in POSSESSIVE_RELATIONS
        if possessed and after < len(window.words) and window.words[after].text in POSSESSIVE_MARKERS:
            return after
        return place

    @staticmethod
    def _guess(place: int, words: int) -> int | None:
        """Past the end the last word is guessed; before the beginning the root, which is no word."""
        return None if place < 0 else min(place, words - 1)
