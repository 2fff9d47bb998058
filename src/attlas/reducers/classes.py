"""Attention to and from classes of tokens: [CLS], [SEP], punctuation, the first token, a user's own."""

from collections.abc import Sequence

from attlas.reducers.means import Mean, constant, keys_in, queries_of, tokens_less
from attlas.tap.needs import Mass, Total


def to_class(classes: Sequence[str]) -> list[Mean]:
    """`to_class`: the share of a token's attention that goes to the class, averaged over tokens."""
    return [_share("to_class", name, Total(Mass(name))) for name in classes]


def sink() -> list[Mean]:
    """`to_first`: the share that goes to the first token, where decoders park attention they do not need."""
    return [_share("to_first", "", Total(Mass("first")))]


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


def _share(statistic: str, group: str, total: Total) -> Mean:
    return Mean(statistic, group, total, queries_of(total))
