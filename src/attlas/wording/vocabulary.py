"""People's words for what an atlas measures: relations, patterns, shapes, edits, studies.

The card's sentences, the terminal and the search read them here. A relation's direction is `to` where the
dependent looks at its syntactic head, and `from` where the head looks at its dependent.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

ALL = "all"


@dataclass(frozen=True)
class LinkWords:
    """A link between two words: what each end is called, and how else people ask for it."""

    title: str  # direct object of a verb
    dependent: str  # direct object
    governor: str  # verb
    asked: tuple[str, ...] = ()

    def finds(self, direction: str) -> str:
        """the verb of a direct object · the direct object of a verb"""
        ends = (self.governor, self.dependent) if direction == "to" else (self.dependent, self.governor)
        return f"the {ends[0]} of {a(ends[1])}"

    def way(self, direction: str) -> str:
        """from direct object to verb"""
        ends = (self.dependent, self.governor) if direction == "to" else (self.governor, self.dependent)
        return f"from {ends[0]} to {ends[1]}"


def a(noun: str) -> str:
    return f"{'an' if noun[:1].lower() in 'aeiou' else 'a'} {noun}"


def _link(dependent: str, governor: str, *asked: str) -> LinkWords:
    return LinkWords(f"{dependent} of {a(governor)}", dependent, governor, asked)


#: Universal Dependencies, then what only Stanford Dependencies has
RELATIONS: Mapping[str, LinkWords] = MappingProxyType(
    {
        ALL: LinkWords(
            "syntactic head of a word",
            "word",
            "syntactic head",
            ("syntax", "grammar", "dependency", "syntactic", "relation", "parsing", "dependency overall"),
        ),
        "nsubj": _link(
            "subject", "verb", "nominal subject", "agent", "nominative", "actor", "subject verb agreement"
        ),
        "obj": _link(
            "direct object",
            "verb",
            "object",
            "dobj",
            "patient",
            "theme",
            "accusative",
            "act on",
            "verb object",
        ),
        "iobj": _link("indirect object", "verb", "recipient", "dative"),
        "csubj": _link("clausal subject", "verb", "csubjpass"),
        "ccomp": _link("clausal complement", "verb", "complement clause", "that clause"),
        "xcomp": _link("open complement", "verb", "open clausal complement", "infinitive complement"),
        "obl": _link(
            "oblique noun", "verb", "oblique", "oblique argument", "adjunct", "prepositional object"
        ),
        "vocative": _link("person addressed", "verb", "vocative"),
        "expl": _link("expletive", "verb", "dummy subject", "dummy it", "existential there"),
        "dislocated": _link("dislocated phrase", "verb", "dislocated"),
        "advcl": _link("adverbial clause", "verb", "adverbial clause modifier"),
        "advmod": _link("adverb", "word it modifies", "adverbial", "adverbial modifier", "negation word not"),
        "discourse": _link("interjection", "verb", "discourse", "discourse particle", "filler"),
        "aux": _link(
            "auxiliary",
            "main verb",
            *("auxiliary verb", "modal", "modal verb", "helping verb", "auxpass", "passive auxiliary"),
        ),
        "cop": _link("copula", "predicate", "linking verb", "being"),
        "mark": _link(
            "marker",
            "clause",
            *("subordinating conjunction", "subordinator", "complementizer", "subordinate clause"),
        ),
        "nmod": _link(
            "modifying noun",
            "noun",
            *("nominal modifier", "noun modifier", "noun that modify noun"),
        ),
        "appos": _link("apposition", "noun", "appositive", "appositional modifier"),
        "nummod": _link("number", "noun", "numeral", "numeric modifier", "quantity", "num"),
        "acl": _link("clause", "noun", "relative clause", "adnominal clause", "rcmod", "acl relcl"),
        "amod": _link("adjective", "noun", "adjectival modifier", "attributive adjective"),
        "det": _link("determiner", "noun", "article", "definite article"),
        "clf": _link("classifier", "noun"),
        "case": _link(
            "preposition",
            "noun",
            *(
                "case marking",
                "case marker",
                "adposition",
                "postposition",
                "prep",
                "pobj",
                "prepositional",
                "prepositional phrase",
            ),
        ),
        "conj": _link(
            "conjunct",
            "first conjunct",
            *("coordination", "coordinated word", "word joined by and", "conjoined", "joined"),
        ),
        "cc": _link(
            "conjunction",
            "conjunct",
            "coordinating conjunction",
            "coordinator",
            "and",
            "or",
            "and or",
            "and or but",
        ),
        "fixed": _link("part", "fixed expression", "fixed", "multiword expression", "mwe", "idiom"),
        "flat": _link("part", "name", "flat", "flat name", "full name", "part of name"),
        "compound": _link(
            "modifier", "compound", "compound noun", "noun compound", "nn", "part of compound noun"
        ),
        "list": _link("item", "list", "list item"),
        "parataxis": _link("parenthetical", "verb", "parataxis", "side remark"),
        "orphan": _link("orphan", "ellipsis", "gapping"),
        "goeswith": _link("piece", "broken word", "goeswith"),
        "reparandum": _link("slip", "repair", "disfluency", "reparandum"),
        "punct": _link("punctuation mark", "word", "punct relation"),
        "root": _link("root", "sentence", "main verb of sentence"),
        "dep": _link("dependent", "word", "unspecified dependency"),
        "nmod:poss": _link("possessor", "noun", "possessive", "possession", "poss", "genitive", "owner"),
        "nsubj:pass": _link("passive subject", "verb", "subject of passive"),
        "aux:pass": _link("passive auxiliary", "verb"),
        "compound:prt": _link("particle", "verb", "verb particle", "phrasal verb", "prt"),
        "acl:relcl": _link("relative clause", "noun"),
        # Stanford
        "nsubjpass": _link("passive subject", "verb"),
        "dobj": _link("direct object", "verb", "object", "obj"),
        "pobj": _link("object", "preposition", "prepositional object", "object of preposition"),
        "prep": _link("preposition", "word it modifies", "prepositional modifier"),
        "poss": _link("possessor", "noun", "possessive", "possession"),
        "possessive": _link("possessive marker", "possessor"),
        "auxpass": _link("passive auxiliary", "verb"),
        "nn": _link("noun", "compound noun", "noun compound", "compound"),
        "num": _link("number", "noun", "numeral"),
        "number": _link("part", "number", "compound number"),
        "quantmod": _link("quantifier", "number", "quantity"),
        "prt": _link("particle", "verb", "phrasal verb"),
        "rcmod": _link("relative clause", "noun"),
        "neg": _link("negation", "word it negates", "negation word"),
        "pcomp": _link("complement", "preposition"),
        "predet": _link("predeterminer", "noun"),
        "preconj": _link("preconjunction", "conjunct"),
        "npadvmod": _link("noun phrase", "word it modifies"),
        "tmod": _link("time", "verb", "temporal modifier"),
        "mwe": _link("part", "multiword expression"),
        "acomp": _link("adjective", "verb", "adjectival complement"),
        "attr": _link("attribute", "verb"),
    }
)

#: the ends of a coreference link, by type of mention
MENTIONS: Mapping[str, LinkWords] = MappingProxyType(
    {
        ALL: _link("mention", "entity"),
        "pronoun": LinkWords("antecedent of a pronoun", "pronoun", "antecedent"),
        "proper": LinkWords("antecedent of a name", "name", "antecedent"),
        "nominal": LinkWords("antecedent of a noun", "noun phrase", "antecedent"),
        "masculine": LinkWords("name that he means", "masculine pronoun", "name"),
        "feminine": LinkWords("name that she means", "feminine pronoun", "name"),
    }
)

_MENTION_STATISTICS = ("mention_to_antecedent", "antecedent_to_mention", "pronoun_to_name", "name_to_pronoun")


def link_words(statistic: str, group: str) -> LinkWords:
    """What the two ends of a link are called. A subtype (`obl:tmod`) has its relation's words."""
    if statistic in _MENTION_STATISTICS:
        return MENTIONS.get(group, _link(f"{group} mention", "antecedent"))
    known = RELATIONS.get(group) or RELATIONS.get(group.split(":")[0])
    return known or _link(f"`{group}`", "syntactic head")


#: statistic -> which way it looks
DIRECTION: Mapping[str, str] = MappingProxyType(
    {
        "dependent_to_head": "to",
        "head_to_dependent": "from",
        "mention_to_antecedent": "to",
        "antecedent_to_mention": "from",
        "pronoun_to_name": "to",
        "name_to_pronoun": "from",
    }
)

#: pattern -> what a head that follows it does, after "It"
PATTERN_DOES: Mapping[str, str] = MappingProxyType(
    {
        "next": "looks at the next token",
        "previous": "looks at the previous token",
        "related": "looks at the same or a related token",
        "other_sentence": "looks at the same or a related token of another sentence",
        "predictive": "looks at the tokens that decide a prediction",
        "delimiter": "looks at delimiters",
        "bag": "spreads over the words of its sentence",
        "self": "looks at the token itself",
        "punctuation": "looks at periods and commas",
        "local": "looks at nearby tokens",
        "broad": "looks at everything nearly evenly",
        "cls": "looks at [CLS]",
        "sep": "looks at [SEP]",
        "sink": "rests on the first token",
        "duplicate": "looks at other occurrences of the same token",
        "induction": "looks at what came after the last occurrence of the same token (induction)",
        "induction_text": "looks at what came after an earlier occurrence of the same token, in text",
        "long_induction": "looks far back at what is being repeated (long induction)",
        "retrieval": "looks at what the model quotes in its answer (retrieval)",
        "query_focus": "looks from a question at what answers it (query-focused retrieval)",
        "successor": "raises the next in line: Thursday after Wednesday (successor)",
        "copy_suppression": "lowers the token that it looks at where that is predicted (copy suppression)",
        "function_vector": "carries what the examples of a prompt have in common (function vector)",
        "predictive_plain": "looks at the tokens that would decide a prediction, nothing masked",
        "copying": "raises the token that it looks at",
        "succession": "raises the next in line of what it looks at, by its weights alone",
    }
)

SHAPE_MEANS: Mapping[str, str] = MappingProxyType(
    {
        "vertical": "all tokens look at the same few tokens",
        "diagonal": "tokens look at a fixed distance",
        "vertical+diagonal": "both at once",
        "block": "attention stays within blocks of the text",
        "heterogeneous": "no fixed form: it depends on the text",
    }
)

BEHAVIOUR_MEANS: Mapping[str, str] = MappingProxyType(
    {
        "next": "more than half of its attention goes to the next token",
        "previous": "more than half of its attention goes to the previous token",
        "broad": "its attention is nearly even",
        "sep": "much of its attention goes to [SEP]",
        "punct": "much of its attention goes to periods and commas",
        "cls": "much of its attention goes to [CLS]",
        "first": "most of its attention goes to the first token",
    }
)

#: scores that are worse the larger they are
LESS_IS_BETTER = frozenset({"loss", "embedding", "answers"})
#: edit -> what it does to a head
EDITS: Mapping[str, str] = MappingProxyType(
    {
        "uniform": "even attention instead of its own",
        "zero": "the head gives nothing",
        "mean": "the head gives its mean output",
        "shuffle": "the attention of another text instead of its own",
    }
)
