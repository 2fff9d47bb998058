"""What a head writes into the residual stream, and what that adds to the logits of predicted tokens."""

from __future__ import annotations

import math

from attlas.atlas.registry.entry import Statistic, Unit
from attlas.wording.names import PATTERNS


def _declare_writing(
    name: str,
    meaning: str,
    chance: str,
    title: str,
    short: str,
    sentence: str,
    unit: Unit = "",
    low: float = 0.0,
    high: float = math.inf,
) -> Statistic:
    return Statistic(
        name,
        meaning=meaning,
        unit=unit,
        low=low,
        high=high,
        chance=chance,
        title=title,
        short=short,
        sentence=sentence,
        family="effect",
    )


WRITING = (
    Statistic(
        "explained",
        groups="pattern",
        meaning="part of the loss between the head's mean output and the head itself that its name restores",
        unit="",
        low=-math.inf,
        high=math.inf,
        chance="0: the name says nothing of what the head does for the loss",
        title="what the name {group} accounts for",
        short="{group}, explained",
        sentence="does {value} of what it does for the loss by the name {group}",
        family="effect",
        group_names=PATTERNS,
    ),
    _declare_writing(
        "write_length",
        "length of the vector that the head adds to the residual stream, over the stream's; mean over tokens",
        "none",
        "length of what it writes beside the stream",
        "writes/stream",
        "writes {value} of the length of the stream that it adds to",
    ),
    _declare_writing(
        "write_beside_layer",
        "length of the vector that the head adds, over the mean of its layer's heads; mean over tokens",
        "1: all heads of the layer write as much",
        "length of what it writes beside its layer's heads",
        "writes/layer",
        "writes {value} times as much as the heads of its layer on average",
    ),
    _declare_writing(
        "write_cosine",
        "cosine of the vector that the head adds with the stream; mean over tokens. Below 0: it erases",
        "0: at a right angle",
        "direction of what it writes",
        "cosine",
        "points along the stream with a cosine of {value}",
        low=-1.0,
        high=1.0,
    ),
    _declare_writing(
        "write_gate",
        "what a gate multiplies the head's output by before it is written; mean over dimensions and tokens",
        "0.5: a gate that has learned nothing",
        "gate of what it writes",
        "gate",
        "writes {value} of what it gives, by its gate",
        "share",
        high=1.0,
    ),
    _declare_writing(
        "logit",
        "what the head adds by itself to the logit of the token to be predicted, the mean over the "
        "vocabulary taken off; mean over tokens",
        "0",
        "direct contribution to the target's logit",
        "logit",
        "adds {value} to the target's logit by itself",
        low=-math.inf,
    ),
    _declare_writing(
        "logit_largest",
        "share of the tokens to be predicted whose logit no other head raises more",
        "1 over the number of heads",
        "largest contribution to the target's logit",
        "largest",
        "adds more to the target's logit than any other head on {value} of tokens",
        "share",
        high=1.0,
    ),
    _declare_writing(
        "logit_raises",
        "share of the tokens to be predicted whose logit the head raises by itself",
        "0.5",
        "raises the target's logit",
        "raises",
        "raises the target's logit on {value} of tokens",
        "share",
        high=1.0,
    ),
)
