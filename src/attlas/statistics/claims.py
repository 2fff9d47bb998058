"""The kinds of claim about heads: for each the smallest size that matters, and why. `verdicts.judge` asks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

SURE = 0.05  # a claim needs a p below this, corrected for all tests of its table


@dataclass(frozen=True)
class ClaimKind:
    """A kind of claim: the smallest size that matters, of the excess over the null, and why that size."""

    name: str
    title: str  # what is claimed, in a phrase
    size: float
    unit: str
    reason: str
    either_way: bool = False  # a loss may rise or fall; a share can only exceed its null


_KINDS = (
    ClaimKind(
        "pattern",
        "how strongly a head follows a pattern",
        0.2,
        "of the way from the null to a perfect score",
        "below a fifth, four fifths of what the head could do is something else",
    ),
    ClaimKind(
        "part",
        "a head's part of a pattern that the whole model has",
        0.05,
        "of the way from the null to a perfect score",
        "no single head has a perfect score: 1 is the answer of the whole model, or all of its attention",
    ),
    ClaimKind(
        "share",
        "the share of a head's attention that goes to a place or class",
        0.2,
        "of its attention, beyond the null",
        "a smaller share is not what the head mostly does: four fifths go elsewhere",
    ),
    ClaimKind(
        "shape",
        "how often a head's map has a shape",
        0.2,
        "of its maps, beyond the null",
        "a shape that untrained heads have in four maps of five tells nothing of what was learned",
    ),
    ClaimKind(
        "spread",
        "how much narrower than even attention a head looks",
        0.1,
        "of the entropy of even attention, beyond the null",
        "a tenth of ln 128 is half a nat: a head that picks two thirds of the tokens",
        either_way=True,
    ),
    ClaimKind(
        "loss",
        "what switching off a head changes in the loss",
        0.01,
        "nats per token",
        "a hundredth of a nat is one percent of the perplexity",
        either_way=True,
    ),
    ClaimKind(
        "score",
        "what switching off a head changes in a task's score",
        0.01,
        "of the score",
        "one answer in a hundred",
        either_way=True,
    ),
    ClaimKind(
        "embedding",
        "how far switching off a head moves the embedding of a text",
        0.01,
        "of 1 - cosine",
        "at a cosine of 0.99, the order of similar texts hardly changes",
    ),
    ClaimKind(
        "answers",
        "how far switching off a head moves a classifier's answers",
        0.01,
        "nats of divergence",
        "the odds of an even answer move from 50 to 57 in a hundred",
    ),
    ClaimKind(
        "prediction",
        "how far switching off heads moves the probability of one token",
        0.01,
        "of probability",
        "two digits show no less, and an untrained model finds no token of thousands that likely",
        either_way=True,
    ),
    ClaimKind(
        "log-probability",
        "how far switching off heads moves the log-probability of one token",
        0.02,
        "nats",
        "two percent of the probability: of an even chance, the 0.01 that two digits show",
        either_way=True,
    ),
    ClaimKind(
        "logits",
        "how far patching a head moves the logit difference",
        0.1,
        "nats",
        "the odds of the answer change by a tenth",
        either_way=True,
    ),
    ClaimKind(
        "gain",
        "how much oftener a head finds a link than the best fixed offset, or another baseline",
        0.05,
        "of the links, beyond the null",
        "one link in twenty: corpora's annotators disagree on about as many",
    ),
    ClaimKind(
        "change",
        "how far a statistic differs between two models",
        0.05,
        "of a share, or nats",
        "a twentieth of the attention, which two readings of one text would not show",
        either_way=True,
    ),
    ClaimKind(
        "curve",
        "how well a curve over layers follows another, as a correlation",
        0.5,
        "of the correlation, beyond the null",
        "a correlation of a half accounts for a quarter of how the layers differ",
    ),
    ClaimKind(
        "explained",
        "how much of what a head is worth its name restores",
        0.1,
        "of what the head is worth to the loss",
        "a name that restores less than a tenth says nothing of what the head is for",
    ),
    ClaimKind(
        "program",
        "how much of what a head moves a sum of programs explains beyond even attention",
        0.2,
        "of its squared weights by length moved, beyond the null",
        "a smaller share is not what the head mostly does: four fifths are something else",
    ),
    ClaimKind(
        "feed",
        "how much of what lifts the scores that a head attends by an earlier head wrote",
        0.1,
        "of the lift, beyond the other heads of the writer's layer",
        "nine tenths of where the head looks have other reasons",
    ),
)
CLAIMS: Mapping[str, ClaimKind] = MappingProxyType({kind.name: kind for kind in _KINDS})

#: of a head's attention: a smaller share is not mentioned; one above half is most of what the head does
MENTIONED_SHARE, HALF_OF_ATTENTION = CLAIMS["share"].size, 0.5
#: patterns of which a head can only have a part: 1 is the whole model's answer, or all of its attention
IN_PARTS = frozenset({"function_vector", "query_focus"})
#: of what a head is worth to the loss: a name that surely restores more accounts for most of the head
NAME_HOLDS = 0.5
#: a change between two models, of a share or in nats
LARGE_CHANGE = CLAIMS["change"].size
#: a head rests by weight with more of its weight than this on the first token and separators, and by output
#: when it writes less than this share of what its layer's heads write on average
RESTS_BY_WEIGHT, RESTS_BY_OUTPUT = 0.5, 0.5
#: of what lifts the scores that a head attends by: an earlier head that writes less does not feed it
FEEDS_SHARE = CLAIMS["feed"].size
#: of what a head moves: a head of which programs surely explain less is no sum of them
POORLY_EXPLAINED = 0.3
#: times the median entry of the stream: what is called massive
MASSIVE = 100


def least_strength(pattern: str) -> float:
    """How strongly a head must follow a pattern to be named for it."""
    return CLAIMS[kind_of_pattern(pattern)].size


def kind_of_pattern(pattern: str) -> str:
    return "part" if pattern in IN_PARTS else "pattern"
