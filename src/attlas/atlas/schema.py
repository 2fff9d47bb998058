"""The names in an atlas: columns, and every statistic with what it means."""

SCHEMA = 1

COLUMNS = ("kind", "layer", "head", "statistic", "group", "value", "stderr", "n")
EXAMPLE_COLUMNS = (
    "kind",
    "layer",
    "head",
    "rank",
    "weight",
    "segment",
    "query",
    "key",
    "query_token",
    "key_token",
    "context",
)

#: statistic -> (what its groups are, what its value is)
STATISTICS: dict[str, tuple[str, str]] = {
    "to_previous": ("", "weight on the token before, averaged over the tokens that have one"),
    "to_self": ("", "weight on the token itself"),
    "to_next": ("", "weight on the token after, averaged over the tokens that have one"),
    "to_offset": ("the offset, as in `+2`", "weight on the token that many places to the right"),
    "to_class": ("token class", "share of a token's attention that goes to tokens of the class"),
    "sep_to_sep": ("", "share of a [SEP]'s attention that goes to [SEP]s"),
    "other_to_sep": ("", "share of any other token's attention that goes to [SEP]s"),
    "to_first": ("", "share of attention on the segment's first token (attention sink)"),
    "received": ("token or position class", "attention that a token of the class receives from all tokens"),
    "entropy": ("`all` or `cls`", "entropy of a row in nats, over all tokens or from [CLS]"),
    "largest": ("", "largest weight of a row"),
    "gradient": ("token class", "mean |dL/dα| over the weights on tokens of the class"),
    "distance_within": ("", "mean Jensen-Shannon divergence from the other heads of the layer, in nats"),
    "distance_between": ("", "mean Jensen-Shannon divergence from the heads of other layers, in nats"),
    "dependent_to_head": ("relation", "share of dependents that attend most to their syntactic head"),
    "head_to_dependent": ("relation", "share of dependents whose syntactic head attends most to them"),
    "mention_to_antecedent": ("type of mention", "share of mentions that attend most to an antecedent"),
    "antecedent_to_mention": ("type of mention", "share of mentions to which an antecedent attends most"),
    "pronoun_to_name": ("gender", "share of GAP's pronouns that attend more to the name that they mean"),
    "name_to_pronoun": ("gender", "share of GAP's pronouns to which the name that they mean attends more"),
    **{
        f"{name}{end}": (groups, f"{what}{said}")
        for name, groups, what in (
            ("frame_weight", "direction", "largest weight between frame element and target"),
            ("feature_weight", "feature", "most attention that a token of the feature receives"),
            ("cls_weight", "feature", "largest weight from [CLS] on a token of the feature"),
            ("link_weight", "link", "largest weight between linked words"),
        )
        for end, said in (
            ("", ""),
            ("_matched", ", under matched conditions"),
            ("_over_matched", ", less the matched"),
        )
    },
    "label": ("the label", "1: the head's behaviour, by the rules of Clark 2019"),
}
