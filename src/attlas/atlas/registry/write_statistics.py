"""What a head writes into the residual stream, and what that adds to the logits of predicted tokens."""

from __future__ import annotations

import math
from functools import partial

from attlas.atlas.registry.entry import Statistic
from attlas.wording.names import PATTERNS

#: a number of the vectors that a head adds
_declare_writing = partial(Statistic, unit="", high=math.inf, family="effect")
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
        meaning="length of the vector that the head adds to the residual stream, over the stream's; "
        "mean over tokens",
        chance="none",
        title="length of what it writes beside the stream",
        short="writes/stream",
        sentence="writes {value} of the length of the stream that it adds to",
    ),
    _declare_writing(
        "write_beside_layer",
        meaning="length of the vector that the head adds, over the mean of its layer's heads; mean "
        "over tokens",
        chance="1: all heads of the layer write as much",
        title="length of what it writes beside its layer's heads",
        short="writes/layer",
        sentence="writes {value} times as much as the heads of its layer on average",
    ),
    _declare_writing(
        "write_cosine",
        meaning="cosine of the vector that the head adds with the stream; mean over tokens. Below 0: "
        "it erases",
        chance="0: at a right angle",
        title="direction of what it writes",
        short="cosine",
        sentence="points along the stream with a cosine of {value}",
        low=-1,
        high=1,
    ),
    _declare_writing(
        "write_gate",
        meaning="what a gate multiplies the head's output by before it is written; mean over "
        "dimensions and tokens",
        chance="0.5: a gate that has learned nothing",
        title="gate of what it writes",
        short="gate",
        sentence="writes {value} of what it gives, by its gate",
        unit="share",
        high=1,
    ),
    _declare_writing(
        "logit",
        meaning="what the head adds by itself to the logit of the token to be predicted, the mean over the "
        "vocabulary taken off; mean over tokens",
        chance="0",
        title="direct contribution to the target's logit",
        short="logit",
        sentence="adds {value} to the target's logit by itself",
        low=-math.inf,
    ),
    _declare_writing(
        "logit_largest",
        meaning="share of the tokens to be predicted whose logit no other head raises more",
        chance="1 over the number of heads",
        title="largest contribution to the target's logit",
        short="largest",
        sentence="adds more to the target's logit than any other head on {value} of tokens",
        unit="share",
        high=1,
    ),
    _declare_writing(
        "logit_raises",
        meaning="share of the tokens to be predicted whose logit the head raises by itself",
        chance="0.5",
        title="raises the target's logit",
        short="raises",
        sentence="raises the target's logit on {value} of tokens",
        unit="share",
        high=1,
    ),
)
