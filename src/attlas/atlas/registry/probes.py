"""What probes find: links that a head tracks, weights under matched conditions, and trees."""

from __future__ import annotations

from attlas.atlas.registry.entry import Statistic


def _link(probe: str, name: str, groups: str, meaning: str) -> Statistic:
    """The share of links for which the head's strongest attention is right."""
    short = name.replace("_", " ")
    return Statistic(
        name,
        groups=groups,
        meaning=f"share of {meaning}",
        chance="the baseline in the chapter's table `best`",
        title=f"{{group}}, {short}",
        short=f"{{group}}, {short}",
        sentence=f"is right for {{value}} of {{group}}, {short}",
        family="link",
        probe=probe,
        more_is_better=True,
    )


_UNDER = "under matched conditions"


def _weights(probe: str, name: str, groups: str, short: str, meaning: str) -> tuple[Statistic, ...]:
    """A weight, the same under matched conditions, and the difference."""
    matched = f"what the head gives under matched conditions: see `{name}_matched`"
    return tuple(
        Statistic(
            f"{name}{end}",
            groups=groups,
            meaning=f"{meaning}{under}",
            unit="weight",
            low=low,
            chance=chance,
            title=f"{{group}}, {short}{added}",
            short=f"{{group}}, {short}{added}",
            sentence=f"gives {{value}}{said}: {meaning} ({{group}})",
            family="weight",
            probe=probe,
            more_is_better=better,
        )
        for end, under, added, said, low, chance, better in (
            ("", "", "", "", 0, matched, True),
            ("_matched", f", {_UNDER}", ", matched", f" {_UNDER}", 0, "itself the yardstick", None),
            ("_over_matched", ", less the matched", ", over matched", f" more than {_UNDER}", -1, "0", True),
        )
    )


#: statistic -> what its groups are, and the links that it is a share of
_DEPENDENCIES = {
    "dependent_to_head": ("relation", "dependents that attend most to their syntactic head"),
    "head_to_dependent": ("relation", "dependents whose syntactic head attends most to them"),
}
_COREFERENCE = {
    "mention_to_antecedent": ("type of mention", "mentions that attend most to an antecedent"),
    "antecedent_to_mention": ("type of mention", "mentions to which an antecedent attends most"),
    "pronoun_to_name": ("gender", "GAP's pronouns that attend more to the name that they mean"),
    "name_to_pronoun": ("gender", "GAP's pronouns to which the name that they mean attends more"),
}
#: statistic -> its probe, what its groups are, its short name, what it is
_WEIGHTS = {
    "frame_weight": (
        "frames",
        "direction",
        "largest weight",
        "largest weight between frame element and target",
    ),
    "feature_weight": (
        *("features", "feature", "from all tokens"),
        "most attention that a token of the feature receives",
    ),
    "cls_weight": (
        "features",
        "feature",
        "from [CLS]",
        "largest weight from [CLS] on a token of the feature",
    ),
    "link_weight": ("features", "link", "between words", "largest weight between linked words"),
    "related_weight": (
        "related",
        "which synonyms",
        "to synonyms",
        "largest weight from a word to a synonym of it",
    ),
}
PROBES = (
    *(_link("dependencies", name, *links) for name, links in _DEPENDENCIES.items()),
    *(_link("coreference", name, *links) for name, links in _COREFERENCE.items()),
    *(
        statistic
        for name, (probe, groups, short, meaning) in _WEIGHTS.items()
        for statistic in _weights(probe, name, groups, short, meaning)
    ),
    Statistic(
        "tree_weight",
        groups="direction",
        meaning="share of the variation of the scores of a trained probe of trees that comes from the head",
        chance="1 over heads and directions",
        title="weight for trees, {group}",
        short="trees, {group}",
        sentence="has {value} of the weight of a probe of trees ({group})",
        family="weight",
        probe="tree",
    ),
)

#: what `attlas reproduce clark2019` leaves of where words rest
RESTING = _weights(
    "reproduce",
    "resting_weight",
    "relation",
    "to the resting place",
    "share of attention on [SEP], or the first token, from dependents of the relation",
)
