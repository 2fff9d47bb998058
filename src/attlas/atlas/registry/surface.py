"""What a map has: where attention goes, how it spreads, gradients, distances between heads (Clark 2019)."""

from __future__ import annotations

import math
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from attlas.atlas.registry.entry import GROUPS, Statistic

_EVEN_PLACE = "1 over the tokens in view"
_EVEN_CLASS = "the share of the class among the tokens in view"
_EVEN_SEP = "the share of [SEP] among the tokens in view"


def _to(
    name: str, title: str, short: str, meaning: str, *, chance: str = _EVEN_PLACE, **others: Any
) -> Statistic:
    """A share of attention that goes somewhere."""
    sentence = f"gives {{value}} of its attention to {title}"
    return Statistic(
        name,
        meaning=meaning,
        chance=chance,
        title=title,
        short=short,
        sentence=sentence,
        family="surface",
        **others,
    )


def _to_sep(name: str, whose: str, of: str, short: str) -> Statistic:
    """A share of the attention of some tokens that goes to [SEP]."""
    return Statistic(
        name,
        meaning=f"share of {whose} attention that goes to [SEP]s",
        chance=_EVEN_SEP,
        title=f"[SEP] from {of}",
        short=short,
        sentence=f"gives {{value}} of the attention of {of} to [SEP]",
        family="surface",
    )


def _distance(where: str, others: str) -> Statistic:
    return Statistic(
        f"distance_{where}",
        meaning=f"mean Jensen-Shannon divergence from the {others}, in nats",
        unit="nats",
        high=math.inf,  # at most ln 2; but `faithful` sums over all tokens
        chance="0 for heads that do the same",
        title=f"distance from the {others}",
        short=f"distance {where}",
        sentence=f"is {{value}} from the {others} on average",
        family="distance",
    )


def _of_rest(
    name: str, title: str, short: str, chance: str, group: str = "the class", **others: Any
) -> Statistic:
    """A share of what does not fall on the first token. `group`: what a group is called in what it means."""
    where = title.format(group=group)
    return Statistic(
        f"rest_{name}",
        meaning=f"share of what does not fall on the first token that goes to {where}",
        chance=chance,
        title=f"of the rest, to {title}",
        short=f"rest: {short}",
        sentence=f"gives {{value}} of what does not fall on the first token to {title}",
        family="surface",
        apart_from_first=name,
        **others,
    )


def _rest_distance(where: str, others: str) -> Statistic:
    return Statistic(
        f"rest_distance_{where}",
        meaning=f"mean divergence from the {others} in what does not fall on the first token, in nats",
        unit="nats",
        high=math.log(2) + 1e-9,
        chance="0 for heads that do the same with the rest; ln 2 where their rests share no token",
        title=f"distance of the rest, {others}",
        short=f"rest: distance {where}",
        sentence=f"is {{value}} from the {others} on average, in what does not fall on the first token",
        family="distance",
        apart_from_first=f"distance_{where}",
    )


def _how_far(name: str, what: str, title: str, short: str = "", of: str = "") -> tuple[Statistic, Statistic]:
    """The mean of |q - k|, and its variance."""
    mean = Statistic(
        name,
        meaning=f"number of tokens from a token to where it looks, |q - k|, averaged over {what}",
        unit="tokens",
        high=math.inf,
        chance="a third of the tokens; in a decoder a quarter",
        title=title,
        short=f"{short}distance",
        sentence=f"looks {{value}} away on average, over {what}",
        family="surface",
        by_norm=False,
        apart_from_first=of,
    )
    variance = Statistic(
        f"{name}_variance",
        meaning=f"variance of that number over {what}, within a segment",
        unit="tokens²",
        high=math.inf,
        chance="n²/18 for n tokens; in a decoder 7n²/144",
        title=f"variance of the {title}",
        short=f"{short}distance variance",
        sentence=f"looks to distances with a variance of {{value}}, over {what}",
        family="surface",
        by_norm=False,
        apart_from_first=f"{of}_variance" if of else "",
    )
    return mean, variance


SURFACE = (
    _to(
        "to_previous",
        "the previous token",
        "previous",
        "weight on the token before, averaged over the tokens that have one",
        overview=("",),
    ),
    _to("to_self", "the token itself", "itself", "weight on the token itself"),
    _to(
        "to_next",
        "the next token",
        "next",
        "weight on the token after, averaged over the tokens that have one",
        overview=("",),
        looks_ahead=True,
    ),
    _to(
        "to_offset",
        "offset {group}",
        "{group}",
        "weight on the token that many places to the right",
        groups="the offset, as in `+2`",
    ),
    _to(
        "to_class",
        "{group}",
        "{group}",
        "share of a token's attention that goes to tokens of the class",
        groups="token class",
        chance=_EVEN_CLASS,
        overview=("cls", "sep", "punct"),
    ),
    _to_sep("sep_to_sep", "a [SEP]'s", "[SEP]", "[SEP]→[SEP]"),
    _to_sep("other_to_sep", "any other token's", "other tokens", "other→[SEP]"),
    _to(
        "to_first",
        "the first token",
        "first",
        "share of attention on the segment's first token (attention sink)",
        chance="1 over the tokens in view; in a decoder the mean of 1/i over its tokens",
        overview=("",),
    ),
    _to(
        "to_image",
        "images",
        "images",
        "share of a text token's attention that goes to the tokens of images",
        chance="the share of images among the tokens in view",
        by_norm=False,
    ),
    _of_rest("to_image", "images", "images", "the share of images among the tokens in view"),
    Statistic(
        "image_sink",
        meaning="weight on the one token of the images that gets most, from the text after them; of heads "
        "that read images, from every patch",
        unit="weight",
        chance="1 over the tokens in view",
        title="the patch that gets most",
        short="image sink",
        sentence="gives {value} on average to the patch that gets most",
        family="surface",
        by_norm=False,
    ),
    _to(
        "to_near",
        "itself or the {group} before",
        "within {group}",
        "share of attention on the token itself and the k before it, from tokens that see more (decoders)",
        groups="k: 1, 2, 4, 8, ...",
        chance="their number, itself included, over the tokens in view",
        overview=("4",),
        curve=("4",),
        by_norm=False,
    ),
    Statistic(
        "received",
        groups="token or position class",
        meaning="attention that a token of the class receives from all tokens",
        unit="tokens' worth",
        high=math.inf,
        chance="1, where every token sees every token",
        title="received by {group}",
        short="received, {group}",
        sentence="lets {group} receive {value} of attention",
        family="surface",
        group_names=MappingProxyType({**GROUPS, "first": "the first token", "last": "the last token"}),
    ),
    Statistic(
        "entropy",
        groups="`all` or `cls`",
        meaning="entropy of a row in nats, over all tokens or from [CLS]",
        unit="nats",
        high=math.inf,
        chance="ln of the number of tokens in view; in a decoder the mean of ln i over its tokens",
        title="entropy {group}",
        short="entropy {group}",
        sentence="spreads its attention with an entropy of {value} ({group})",
        family="surface",
        overview=("all",),
        group_names=MappingProxyType({"all": "", "cls": "from [CLS]"}),
    ),
    Statistic(
        "largest",
        meaning="largest weight of a row",
        unit="weight",
        chance=_EVEN_PLACE,
        title="largest weight",
        short="largest",
        sentence="puts {value} on the token that it attends to most",
        family="surface",
        overview=("",),
    ),
    *_how_far("token_distance", "all attention", "distance to what it looks at"),
    Statistic(
        "gradient",
        groups="token class",
        meaning="mean |dL/dα| over the weights on tokens of the class",
        unit="loss per weight",
        high=math.inf,
        chance="the same for all classes",
        title="gradient, {group}",
        short="|∂L/∂α| {group}",
        sentence="changes the loss by {value} for attention to {group}",
        family="gradient",
    ),
    _distance("within", "other heads of the layer"),
    _distance("between", "heads of other layers"),
    _of_rest("to_previous", "the previous token", "previous", "1 over the other tokens in view"),
    _of_rest("to_self", "the token itself", "itself", "1 over the other tokens in view"),
    _of_rest(
        "to_class",
        "{group}",
        "{group}",
        "the share of the class among the other tokens",
        groups="token class",
    ),
    _of_rest(
        "to_near",
        "itself or the {group} before",
        "within {group}",
        "their number, itself included, over the other tokens in view",
        "k",
        groups="k: 1, 2, 4, 8, ...",
        curve=("4",),
    ),
    Statistic(
        "rest_entropy",
        meaning="entropy of what does not fall on the first token, taken as 1, in nats",
        unit="nats",
        high=math.inf,
        chance="the mean of ln i over tokens that see i besides the first, if they weigh the same",
        title="entropy of the rest",
        short="rest: entropy",
        sentence="spreads what does not fall on the first token with an entropy of {value}",
        family="surface",
        overview=("",),
        apart_from_first="entropy",
    ),
    *_how_far(
        "rest_token_distance",
        "what does not fall on the first token",
        "distance of the rest",
        "rest: ",
        of="token_distance",
    ),
    _rest_distance("within", "other heads of the layer"),
    _rest_distance("between", "heads of other layers"),
)


def _by_norm(known: Statistic) -> Statistic:
    """The same of weights by norm."""
    return replace(
        known,
        name=f"norm_{known.name}",
        meaning=f"{known.meaning}; of weights by norm",
        chance=f"{known.chance}, if all vectors are equally long",
        title=f"{known.title}, by norm",
        short=f"{known.short}, norm",
        sentence=f"{known.sentence}, by norm",
        overview=(),
        apart_from_first="",
    )


#: what `attlas writes` measures of weights by norm
BY_NORM = tuple(
    _by_norm(known)
    for known in SURFACE
    if known.family == "surface" and known.by_norm and not known.apart_from_first
)
