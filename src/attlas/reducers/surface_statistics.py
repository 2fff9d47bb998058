"""The statistics that `attlas map` takes in one pass: each a declaration, all counted at once.

`faithful` takes the original paper's definitions, defects included (Clark 2019).
"""

from collections.abc import Sequence
from dataclasses import replace

from attlas.corpora.batches import POSITIONS, TokenClasses
from attlas.errors import AttlasError
from attlas.reducers.means import Mean, Means, constant, keys_in, queries_of, tokens_less
from attlas.tap.needs import Distance, Entropy, Largest, Mass, Offset, Total

OFFSETS = {-1: "to_previous", 0: "to_self", 1: "to_next"}
CLARK_SMOOTHING = 1e-4


def surface(classes: TokenClasses, more_offsets: Sequence[int] = (), faithful: bool = False) -> Means:
    """All of them."""
    by = [*OFFSETS, *(o for o in more_offsets if o not in OFFSETS)]
    means = [
        *offsets(by, faithful),
        *to_class(classes.names),
        *from_sep(faithful),
        *sink(),
        *(to_image() if "image" in classes.names else ()),
        *received([*classes.names, *POSITIONS]),
        *entropy(faithful),
        *largest(),
    ]
    return Means(means, "surface")


def over_a_sample() -> Means:
    """Return those that cost a kernel more than all the others together."""
    return Means(token_distances(), "over_a_sample")


def surface_by_norm(classes: TokenClasses, more_offsets: Sequence[int] = ()) -> Means:
    """All of them, of weights by norm: `norm_to_previous`, `norm_entropy` and so on."""
    means = [
        replace(mean, statistic=f"norm_{mean.statistic}") for mean in surface(classes, more_offsets).means
    ]
    return Means(means, "surface_by_norm", by_norm=True)


def offsets(by: Sequence[int] = (-1, 0, 1), faithful: bool = False) -> list[Mean]:
    """`to_previous`, `to_self`, `to_next`, and `to_offset` with the offset as its group.

    A token without a neighbour at the offset is left out. The original divides by all n tokens, so that a
    perfect next-token head scores (n-1)/n: `faithful` does so.
    """
    if len(set(by)) != len(by):
        raise AttlasError(f"the offsets {', '.join(map(str, by))} name one twice")
    means = []
    for offset in by:
        total = Total(Offset(offset))
        # real tokens of a segment stand side by side, so n - |offset| of them have that neighbour
        per = queries_of(total) if faithful else tokens_less(abs(offset))
        group = "" if offset in OFFSETS else f"{offset:+d}"
        means.append(Mean(OFFSETS.get(offset, "to_offset"), group, total, per))
    return means


def to_class(classes: Sequence[str]) -> list[Mean]:
    """`to_class`: the share of a token's attention that goes to the class, averaged over tokens."""
    return [_share("to_class", name, Total(Mass(name))) for name in classes]


def sink() -> list[Mean]:
    """`to_first`: the share that goes to the first token, where decoders park attention they do not need."""
    return [_share("to_first", "", Total(Mass("first")))]


def to_image() -> list[Mean]:
    """`to_image`: the share of a text token's attention that goes to the tokens of images."""
    return [_share("to_image", "", Total(Mass("image"), over="text"))]


def from_sep(faithful: bool = False) -> list[Mean]:
    """`sep_to_sep` and `other_to_sep`: where [SEP]s, and all other tokens, stand towards the [SEP]s.

    The original divides by 2 and by n-2 whatever the number of [SEP]s: `faithful` does so.
    """
    between, others = Total(Mass("sep"), over="sep"), Total(Mass("sep"), over="not_sep")
    return [
        Mean("sep_to_sep", "", between, constant(2) if faithful else queries_of(between)),
        Mean("other_to_sep", "", others, tokens_less(2) if faithful else queries_of(others)),
    ]


def received(classes: Sequence[str]) -> list[Mean]:
    """`received`: all the attention that a token of the class gets, averaged over the class's tokens.

    Where every token looks at every token, the mean over all tokens is 1.
    """
    return [Mean("received", name, Total(Mass(name)), keys_in(name)) for name in classes]


def entropy(faithful: bool = False) -> list[Mean]:
    """`entropy` in nats, over all positions (group `all`) and from [CLS] (group `cls`).

    The original mixes each row with 0.0001 of the uniform one to dodge 0 ln 0: `faithful` does so.
    """
    function = Entropy(CLARK_SMOOTHING if faithful else 0.0)
    totals = {over: Total(function, over) for over in ("all", "cls")}
    return [Mean("entropy", over, total, queries_of(total)) for over, total in totals.items()]


def largest() -> list[Mean]:
    """`largest`: the largest weight of a row."""
    total = Total(Largest())
    return [Mean("largest", "", total, queries_of(total))]


def token_distances() -> list[Mean]:
    """`token_distance` and `token_distance_variance`: how many tokens lie between a token and what it looks
    at, |q - k|, averaged over all the attention of a segment; and the variance of that. `rest_...`: the same
    of what does not fall on the first token, of causal heads. The second token is left out, whose rest can
    only lie on itself: at a distance of 0, it adds nothing above, and nothing below.
    """
    means = []
    for rest in (False, True):
        near, squares = (Total(Distance(power, rest)) for power in (1, 2))
        over = Total(Mass("not_first"), over="from_third") if rest else None
        per = tokens_less(2) if rest else queries_of(near)
        name = "rest_token_distance" if rest else "token_distance"
        means.append(Mean(name, "", near, per, over))
        means.append(Mean(f"{name}_variance", "", squares, per, over, squared=near))
    return means


def _share(statistic: str, group: str, total: Total) -> Mean:
    return Mean(statistic, group, total, queries_of(total))
