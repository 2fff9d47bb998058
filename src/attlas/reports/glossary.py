"""The things people ask for, their words for them, and the command that measures each."""

from __future__ import annotations

from collections.abc import Iterator

from attlas.atlas.names import PATTERNS, SHAPES
from attlas.atlas.vocabulary import ALL, RELATIONS
from attlas.reports.matching import words_of
from attlas.reports.page_contract import Term

#: which command measures a thing; `{model}` and `{atlas}` are filled in
COMMANDS = {
    "map": "attlas map {model} --atlas {atlas}",
    "patterns": "attlas patterns {model} --atlas {atlas}",
    "dependencies": "attlas probe dependencies {model} --atlas {atlas}",
    "coreference": "attlas probe coreference {model} CORPUS --atlas {atlas}",
    "frames": "attlas probe frames {model} FRAMENET --atlas {atlas}",
    "features": "attlas probe features {model} --atlas {atlas}",
    "tree": "attlas probe tree {model} --atlas {atlas}",
    "disable": "attlas disable {model} --atlas {atlas}",
    "prune": "attlas prune {model} --atlas {atlas}",
    "compare": "attlas compare {model} OTHER --atlas {atlas}",
}

#: term -> title, command, words
_PLAIN: dict[str, tuple[str, str, tuple[str, ...]]] = {
    "previous": (
        "the previous token",
        "map",
        (
            "position before",
            "last token",
            "backward by one",
            "i 1",
            "look back",
            "prior",
            "previous",
            "previous token",
            "previous word",
            "word before",
            "token before",
            "preceding",
            "left neighbour",
            "one back",
            "offset -1",
        ),
    ),
    "next": (
        "the next token",
        "map",
        (
            "lookahead",
            "look ahead",
            "forward by one",
            "position after",
            "upcoming",
            "next",
            "next token",
            "next word",
            "word after",
            "token after",
            "following",
            "right neighbour",
            "one ahead",
        ),
    ),
    "self": (
        "the token itself",
        "map",
        (
            "own position",
            "own",
            "identity",
            "current token",
            "self",
            "itself",
            "token itself",
            "own token",
            "same position",
        ),
    ),
    "first": (
        "the first token",
        "map",
        (
            "begin",
            "beginning",
            "start",
            "start of text",
            "initial token",
            "begin sequence",
            "park",
            "no op",
            "first",
            "first token",
            "sink",
            "attention sink",
            "beginning of text",
            "bos",
            "rest on first",
        ),
    ),
    "near": (
        "the tokens before, up to a few",
        "map",
        (
            "near",
            "nearby",
            "nearby token",
            "few token",
            "within few token",
            "close",
            "stay within few token",
            "neighbour",
            "local",
            "short range",
        ),
    ),
    "sep": (
        "[SEP]",
        "map",
        (
            "end segment",
            "end of segment",
            "end segment token",
            "sep",
            "separator",
            "sep token",
            "separator token",
            "end of sentence",
        ),
    ),
    "cls": ("[CLS]", "map", ("summary token", "pooled token", "cls", "classification token", "cls token")),
    "punct": (
        "periods and commas",
        "map",
        (
            "dot",
            "semicolon",
            "punctuation",
            "period",
            "comma",
            "full stop",
            "period comma",
            "punct",
            "punctuation mark",
        ),
    ),
    "broad": (
        "broad attention",
        "map",
        (
            "average",
            "mean",
            "everything",
            "everywhere",
            "over everything",
            "flat",
            "broad",
            "broadest",
            "diffuse",
            "spread",
            "spread out",
            "spread evenly",
            "even",
            "evenly",
            "uniform",
            "unfocused",
            "high entropy",
            "entropy",
            "widest",
            "wide",
        ),
    ),
    "focused": (
        "focused attention",
        "map",
        (
            "concentrated",
            "single token",
            "one token",
            "picky",
            "focused",
            "focus",
            "sharp",
            "sharpest",
            "narrow",
            "narrowest",
            "peaked",
            "low entropy",
            "sparse",
            "confident",
            "lowest entropy",
        ),
    ),
    "largest": ("the largest weight", "map", ("largest weight", "maximum weight", "strongest weight")),
    "rest": (
        "what does not fall on the first token",
        "map",
        ("rest", "apart from first token", "without sink", "beside sink"),
    ),
    "received": ("attention received", "map", ("receive", "received", "attended to by", "gets")),
    "gradient": ("the gradient of the loss", "map", ("gradient", "sensitivity", "derivative", "saliency")),
    "unlike": (
        "heads unlike the others",
        "map",
        ("unlike", "different", "unusual", "outlier", "distinct", "odd", "far apart", "unique"),
    ),
    "alike": (
        "heads like the others",
        "map",
        ("alike", "similar", "redundant", "same as other", "duplicate head"),
    ),
    "important": (
        "heads that matter",
        "disable",
        (
            "essential",
            "vital",
            "critical",
            "most needed",
            "damage",
            "increase loss",
            "important",
            "matter",
            "need",
            "needed",
            "crucial",
            "hurt",
            "hurt loss",
            "disable",
            "ablate",
            "ablation",
            "knock out",
            "without",
            "effect on loss",
            "effect",
            "loss",
        ),
    ),
    "needless": (
        "heads that can go",
        "disable",
        (
            "prunable",
            "dispensable",
            "redundant",
            "removable",
            "least important",
            "needless",
            "useless",
            "unimportant",
            "prune",
            "remove",
            "removed",
            "can go",
            "superfluous",
            "unnecessary",
            "drop",
        ),
    ),
    "coreference": (
        "coreference",
        "coreference",
        (
            "refer",
            "reference",
            "referent",
            "he she it",
            "coreference",
            "coref",
            "antecedent",
            "pronoun",
            "mention",
            "anaphora",
            "resolve",
            "who is meant",
            "entity",
            "gender",
            "gap",
        ),
    ),
    "frames": ("frames", "frames", ("frame", "frame element", "semantic role", "framenet", "semantic frame")),
    "features": (
        "attention to nouns, verbs and other kinds of word",
        "features",
        ("negation", "feature", "part of speech", "pos", "content word"),
    ),
    "trees": ("parse trees", "tree", ("tree", "parse tree", "parse", "constituency", "tree distance")),
    "changed": (
        "what changed beside another model",
        "compare",
        (
            "before and after",
            "fine tuned",
            "adapt",
            "change",
            "changed",
            "fine tuning",
            "finetuning",
            "fine tune",
            "training change",
            "before after",
            "differ between model",
            "training",
        ),
    ),
}

_PATTERN_WORDS: dict[str, tuple[str, ...]] = {
    "related": ("related", "related token", "related word", "same or related", "same or related word",
                "similar word", "synonym"),
    "other_sentence": ("other sentence", "across sentence", "word of other sentence"),
    "predictive": ("predictive", "predict", "mask word", "predict mask word", "tokens that matter"),
    "delimiter": ("delimiter", "special token", "separator"),
    "bag": ("bag", "bag word", "own sentence", "whole sentence", "within sentence"),
    "local": ("local", "decay", "decay distance", "distance decay", "fall with distance", "less farther away",
              "reach", "local window", "window", "around", "surrounding", "near", "nearby", "nearby token",
              "few token", "within few token", "stay within few token", "neighbour", "close"),
    "duplicate": ("duplicate", "repeat", "repetition", "repeat token", "repeat word", "same token",
                  "same word", "earlier occurrence", "earlier occurrence same word", "identical"),
    "induction": ("induction", "copy what after", "what after last time", "after last time",
                  "in context learning", "repeat sequence", "pattern completion"),
    "induction_text": ("induction text", "induction in text"),
    "long_induction": ("long induction", "long range copy", "repeat far back"),
    "retrieval": ("retrieval", "retrieve", "needle", "needle in haystack", "quote", "answer question"),
    "copying": ("copy", "copying", "raise token", "what it write", "write"),
}  # fmt: skip

_SHAPE_WORDS: dict[str, tuple[str, ...]] = {
    "vertical": ("vertical", "vertical stripe", "stripe", "column"),
    "diagonal": ("diagonal", "diagonal map"),
    "vertical+diagonal": ("vertical diagonal", "vertical and diagonal"),
    "block": ("block", "block shape", "square"),
    "heterogeneous": ("heterogeneous", "mixed", "irregular"),
}

#: what a phrase may come down to when ignored words have gone, and then says too little
GENERIC = frozenset({"token", "word", "verb", "noun", "name", "part", "1", "act", "i 1"})

#: pattern -> the term that its place in the text has
PATTERN_TERM = {
    "previous": "previous",
    "next": "next",
    "self": "self",
    "punctuation": "punct",
    "cls": "cls",
    "sep": "sep",
    "sink": "first",
}


def relation_term(group: str) -> str:
    """A relation's term: `syntax` stands for all of them."""
    return "syntax" if group == ALL else group


def glossary(model: str, atlas: str) -> list[Term]:
    return [_term(*entry, model, atlas) for entry in _entries()]


def command(name: str, model: str, atlas: str) -> str:
    return COMMANDS[name].format(model=model, atlas=atlas)


def _entries() -> Iterator[tuple[str, str, str, tuple[str, ...]]]:
    for term, (title, name, words) in _PLAIN.items():
        yield term, title, name, words
    for pattern, words in _PATTERN_WORDS.items():
        yield pattern, PATTERNS.get(pattern, pattern.replace("_", " ")), "patterns", words
    for shape, words in _SHAPE_WORDS.items():
        yield shape, f"{SHAPES[shape]} maps", "patterns", words
    for group, link in RELATIONS.items():
        words = (group.replace(":", " "), link.dependent, link.title, *link.asked)
        yield relation_term(group), link.title, "dependencies", words


def _term(term: str, title: str, name: str, words: tuple[str, ...], model: str, atlas: str) -> Term:
    alike = dict.fromkeys(" ".join(words_of(phrase)) for phrase in words)
    return {
        "term": term,
        "title": title,
        "words": [phrase for phrase in alike if phrase and phrase not in GENERIC],
        "command": command(name, model, atlas),
    }
