"""All surface statistics at once: what `attlas map` takes over the whole corpus."""

from collections.abc import Sequence

from attlas.corpora.classes import POSITIONS, TokenClasses
from attlas.reducers.classes import from_sep, received, sink, to_class
from attlas.reducers.means import Means
from attlas.reducers.offsets import NAMED, offsets
from attlas.reducers.rows import entropy, largest


def surface(classes: TokenClasses, more_offsets: Sequence[int] = (), faithful: bool = False) -> list[Means]:
    by = [*NAMED, *(o for o in more_offsets if o not in NAMED)]
    means = [
        *offsets(by, faithful),
        *to_class(classes.names),
        *from_sep(faithful),
        *sink(),
        *received([*classes.names, *POSITIONS]),
        *entropy(faithful),
        *largest(),
    ]
    return [Means(means, "surface")]
