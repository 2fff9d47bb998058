"""The registry: what is known of every statistic, once. Tables, figures, pages, views and docs read it.

A statistic that is not here (a user's own) is shown by its name, and nothing is assumed of its values.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Literal

from attlas.atlas.names import NAMES, PATTERNS, SECOND, SHAPES

Family = Literal["surface", "gradient", "distance", "link", "weight", "effect", "pattern", "name"]
Unit = Literal["share", "weight", "nats", "tokens' worth", "loss per weight", ""]

#: group -> how people write it; other groups are written as they are
GROUPS: Mapping[str, str] = MappingProxyType(
    {"cls": "[CLS]", "sep": "[SEP]", "punct": "period or comma", "other": "other tokens"}
)

#: group -> as the column of a table has it, where that is shorter
SHORT_GROUPS: Mapping[str, str] = MappingProxyType({"punct": ". or ,", "other": "other"})

_EVEN_CLASS = "the share of the class among the tokens in view"
_EVEN_PLACE = "1 over the tokens in view"
_MATCHED = "what the head gives under matched conditions: see `{name}_matched`"


@dataclass(frozen=True)
class Statistic:
    """One statistic of `heads.parquet`.

    `title`, `short` and `sentence` may hold `{group}`; a sentence also `{value}`, which comes with its error
    and unit. For shares, `title` is what the attention goes to: "the previous token".
    """

    name: str
    groups: str  # what its groups are; empty: it has none
    meaning: str  # what its value is
    unit: Unit
    low: float  # the range of its values
    high: float
    chance: str  # what even attention, or chance, would give
    title: str  # what it is about, in a phrase
    short: str  # for the column of a table
    sentence: str  # what a value says of a head, after its name
    family: Family
    more_is_better: bool | None = None  # None: neither
    overview: tuple[str, ...] = ()  # groups that have a column in the overview; "" where there are none
    looks_ahead: bool = False  # a causal model cannot do it
    group_names: Mapping[str, str] = field(default_factory=lambda: GROUPS)

    def group_name(self, group: str) -> str:
        return self.group_names.get(group, group.replace("_", " "))

    def titled(self, group: str) -> str:
        return self.title.format(group=self.group_name(group)).strip()

    def called(self, group: str) -> str:
        """What it is called where it stands alone: to the next token · entropy from [CLS]"""
        return f"to {self.titled(group)}" if self.goes_somewhere else self.titled(group)

    def shortened(self, group: str) -> str:
        name = SHORT_GROUPS.get(group, self.group_name(group)) if group in self.group_names else group
        return self.short.format(group=name).strip()

    def said(self, group: str, value: str) -> str:
        return self.sentence.format(group=self.group_name(group), value=value)

    @property
    def is_share(self) -> bool:
        return self.unit == "share"

    @property
    def goes_somewhere(self) -> bool:
        """Whether its title is what attention goes to."""
        return self.family == "surface" and self.is_share and self.name.startswith("to_")


def _to(name: str, title: str, short: str, meaning: str, **more: object) -> Statistic:
    """A share of attention that goes somewhere."""
    given = {"groups": "", "chance": _EVEN_PLACE, **more}
    return Statistic(
        name,
        meaning=meaning,
        unit="share",
        low=0,
        high=1,
        title=title,
        short=short,
        sentence=f"gives {{value}} of its attention to {title}",
        family="surface",
        **given,  # type: ignore[arg-type]
    )


_SURFACE = (
    _to(
        "to_previous",
        "the previous token",
        "previous",
        "weight on the token before, averaged over the tokens that have one",
        overview=("",),
    ),
    _to("to_self", "the token itself", "itself", "weight on the token itself", overview=("",)),
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
    Statistic(
        "sep_to_sep",
        "",
        "share of a [SEP]'s attention that goes to [SEP]s",
        "share",
        0,
        1,
        "the share of [SEP] among the tokens in view",
        "[SEP] from [SEP]",
        "[SEP]→[SEP]",
        "gives {value} of the attention of [SEP] to [SEP]",
        "surface",
    ),
    Statistic(
        "other_to_sep",
        "",
        "share of any other token's attention that goes to [SEP]s",
        "share",
        0,
        1,
        "the share of [SEP] among the tokens in view",
        "[SEP] from other tokens",
        "other→[SEP]",
        "gives {value} of the attention of other tokens to [SEP]",
        "surface",
    ),
    _to(
        "to_first",
        "the first token",
        "first",
        "share of attention on the segment's first token (attention sink)",
        chance="1 over the tokens in view; in a decoder the mean of 1/i over its tokens",
        overview=("",),
    ),
    Statistic(
        "received",
        "token or position class",
        "attention that a token of the class receives from all tokens",
        "tokens' worth",
        0,
        math.inf,
        "1, where every token sees every token",
        "received by {group}",
        "received, {group}",
        "lets a token of the class {group} receive {value} of attention",
        "surface",
    ),
    Statistic(
        "entropy",
        "`all` or `cls`",
        "entropy of a row in nats, over all tokens or from [CLS]",
        "nats",
        0,
        math.inf,
        "ln of the number of tokens in view; in a decoder the mean of ln i over its tokens",
        "entropy {group}",
        "entropy {group}",
        "spreads its attention with an entropy of {value} ({group})",
        "surface",
        overview=("all",),
        group_names=MappingProxyType({"all": "", "cls": "from [CLS]"}),
    ),
    Statistic(
        "largest",
        "",
        "largest weight of a row",
        "weight",
        0,
        1,
        _EVEN_PLACE,
        "largest weight",
        "largest",
        "puts {value} on the token that it attends to most",
        "surface",
        overview=("",),
    ),
)

_SAMPLED = (
    Statistic(
        "gradient",
        "token class",
        "mean |dL/dα| over the weights on tokens of the class",
        "loss per weight",
        0,
        math.inf,
        "the same for all classes",
        "gradient, {group}",
        "|∂L/∂α| {group}",
        "changes the loss by {value} for attention to {group}",
        "gradient",
    ),
    *(
        Statistic(
            f"distance_{where}",
            "",
            f"mean Jensen-Shannon divergence from the {others}, in nats",
            "nats",
            0,
            math.inf,  # at most ln 2; but `faithful` sums over all tokens
            "0 for heads that do the same",
            f"distance from the {others}",
            f"distance {where}",
            f"is {{value}} from the {others} on average",
            "distance",
        )
        for where, others in (("within", "other heads of the layer"), ("between", "heads of other layers"))
    ),
)

_LINKS = tuple(
    Statistic(
        name,
        groups,
        f"share of {meaning}",
        "share",
        0,
        1,
        "the baseline in the chapter's table `best`",
        f"{{group}}, {short}",
        f"{{group}}, {short}",
        f"is right for {{value}} of {{group}}, {short}",
        "link",
        more_is_better=True,
    )
    for name, groups, short, meaning in (
        (
            "dependent_to_head",
            "relation",
            "dependent to head",
            "dependents that attend most to their syntactic head",
        ),
        (
            "head_to_dependent",
            "relation",
            "head to dependent",
            "dependents whose syntactic head attends most to them",
        ),
        (
            "mention_to_antecedent",
            "type of mention",
            "mention to antecedent",
            "mentions that attend most to an antecedent",
        ),
        (
            "antecedent_to_mention",
            "type of mention",
            "antecedent to mention",
            "mentions to which an antecedent attends most",
        ),
        (
            "pronoun_to_name",
            "gender",
            "pronoun to name",
            "GAP's pronouns that attend more to the name that they mean",
        ),
        (
            "name_to_pronoun",
            "gender",
            "name to pronoun",
            "GAP's pronouns to which the name that they mean attends more",
        ),
    )
)

#: what weight statistics are followed by, the range and the words
_ENDS = (
    ("", "", 0.0, "", "{value}"),
    ("_matched", ", under matched conditions", 0.0, ", matched", "{value} under matched conditions"),
    (
        "_over_matched",
        ", less the matched",
        -1.0,
        ", over matched",
        "{value} more than under matched conditions",
    ),
)
_WEIGHTS = tuple(
    Statistic(
        f"{name}{end}",
        groups,
        f"{meaning}{under}",
        "weight",
        low,
        1,
        ("0" if low < 0 else _MATCHED.format(name=name)) if end != "_matched" else "itself the yardstick",
        f"{{group}}, {short}{added}",
        f"{{group}}, {short}{added}",
        f"gives {said}: {meaning} ({{group}})",
        "weight",
        more_is_better=True if end != "_matched" else None,
    )
    for name, groups, short, meaning in (
        ("frame_weight", "direction", "largest weight", "largest weight between frame element and target"),
        (
            "feature_weight",
            "feature",
            "from all tokens",
            "most attention that a token of the feature receives",
        ),
        ("cls_weight", "feature", "from [CLS]", "largest weight from [CLS] on a token of the feature"),
        ("link_weight", "link", "between words", "largest weight between linked words"),
    )
    for end, under, low, added, said in _ENDS
)

_TREE = Statistic(
    "tree_weight",
    "direction",
    "share of the variation of the scores of a trained probe of trees that comes from the head",
    "share",
    0,
    1,
    "1 over heads and directions",
    "weight for trees, {group}",
    "trees, {group}",
    "has {value} of the weight of a probe of trees ({group})",
    "weight",
    more_is_better=None,
)

_EFFECTS = tuple(
    Statistic(
        name,
        "edit: `uniform`, `zero`, `mean` or `shuffle`",
        meaning,
        unit,  # type: ignore[arg-type]
        -math.inf,
        math.inf,
        "0: the head makes no difference",
        f"{what} without the head ({{group}})",
        f"{what}, {{group}}",
        f"changes the {what} by {{value}} when it is disabled ({{group}})",
        "effect",
    )
    for name, what, unit, meaning in (
        ("effect_on_loss", "loss", "nats", "how much the loss rises when the head is disabled"),
        ("effect_on_score", "score", "", "how much the score of a task rises when the head is disabled"),
    )
)

_GATE = Statistic(
    "gate_gradient",
    "",
    "mean over items of |dL/dgate|, the gate being a factor of what the head gives (Michel 2019)",
    "nats",
    0,
    math.inf,
    "0: the head makes no difference",
    "gradient of the head's gate",
    "|∂L/∂gate|",
    "would change the loss by {value} for every unit that it is turned down",
    "effect",
)

_SCORED: Mapping[str, str] = MappingProxyType(
    {**PATTERNS, "induction_text": "induction in text", "copying": "copying"}
)
_PATTERNS = (
    Statistic(
        "pattern_score",
        "pattern",
        "how far the head's attention follows the pattern",
        "share",
        0,
        1,
        "`pattern_null` of the same pattern",
        "{group}",
        "{group}",
        "follows the pattern {group} with a score of {value}",
        "pattern",
        group_names=_SCORED,
    ),
    Statistic(
        "pattern_null",
        "pattern",
        "what position and frequency alone would give it",
        "share",
        0,
        1,
        "itself the yardstick",
        "{group}, null",
        "{group}, null",
        "would have {value} of {group} from position and frequency alone",
        "pattern",
        group_names=_SCORED,
    ),
)

_SHAPE = Statistic(
    "shape_share",
    "shape",
    "mean probability, over segments, that the head's map has the shape",
    "share",
    0,
    1,
    "none: shapes are told apart by eye",
    "maps that are {group}",
    "{group}",
    "has {value} of its maps {group}",
    "pattern",
    group_names=SHAPES,
)

_WHAT_NAMES = {
    "behaviour": "what the head mostly does, by the rules of Clark 2019",
    "pattern": "what the head attends to",
    "shape": "what the head's map looks like, after Kovaleva 2019",
}
_NAMES = tuple(
    Statistic(
        name,
        f"the {kind}",
        f"confidence in the name: {'second best for ' if name != kind else ''}{_WHAT_NAMES[kind]}",
        "",
        0,
        1,
        f"`none`, where no {kind} fits",
        f"{order}{kind}",
        f"{order}{kind}",
        f"has the {order}{kind} {{group}}, with a confidence of {{value}}",
        "name",
        group_names=NAMES[kind],
    )
    for kind in NAMES
    for name, order in ((kind, ""), (SECOND[kind], "second "))
)

#: of a model beside another: the chapter says which
_COMPARED = (
    Statistic(
        "map_cosine",
        "",
        "cosine between the head's maps here and in the other model, averaged over inputs",
        "share",
        0,
        1,
        "1 where nothing changed",
        "likeness to the other model's map",
        "cosine",
        "has maps whose cosine with those of the other model is {value}",
        "distance",
    ),
    Statistic(
        "map_distance",
        "",
        "Jensen-Shannon divergence between the head's rows here and in the other model, in nats",
        "nats",
        0,
        math.log(2),
        "0 where nothing changed",
        "distance from the other model's map",
        "change",
        "is {value} from the same head of the other model",
        "distance",
    ),
)

#: name -> what is known of it, in the order in which a reader wants them
REGISTRY: Mapping[str, Statistic] = MappingProxyType(
    {
        s.name: s
        for s in (
            *_SURFACE,
            *_SAMPLED,
            *_LINKS,
            *_WEIGHTS,
            _TREE,
            *_COMPARED,
            *_EFFECTS,
            _GATE,
            *_PATTERNS,
            _SHAPE,
            *_NAMES,
        )
    }
)


def statistic(name: str) -> Statistic:
    """What is known of it; of one that is not registered, its name."""
    if name in REGISTRY:
        return REGISTRY[name]
    plain = name.replace("_", " ")
    return Statistic(
        name,
        "",
        "",
        "",
        -math.inf,
        math.inf,
        "",
        f"{plain} {{group}}",
        f"{plain} {{group}}",
        f"has a {plain} of {{value}} {{group}}",
        "surface",
        group_names=MappingProxyType({}),
    )


def in_order(name: str) -> int:
    """Sorts statistics as the registry has them; those that are not registered come last."""
    return list(REGISTRY).index(name) if name in REGISTRY else len(REGISTRY)


def causal_cannot(name: str, group: str) -> bool:
    """Whether a head that sees only what came before could have no value but 0."""
    return statistic(name).looks_ahead or (name == "to_offset" and group.startswith("+"))
