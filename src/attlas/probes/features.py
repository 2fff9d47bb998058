"""Features (Kovaleva 2019, sections 4.4 and 4.5): attention to nouns, verbs, pronouns, subjects, objects and
negation, and between the two ends of a link. Annotations come from a treebank or from spaCy."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from attlas.corpora.alignment import Piece
from attlas.corpora.windows import Window
from attlas.corpora.words import Word
from attlas.probes.links import Link
from attlas.probes.weights import AskFeatures, AskPairs, Pairs


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


#: Penn tags, as spaCy's English pipelines give them
TAGS = {
    "nouns": _set("NN NNP NNPS NNS"),
    "pronouns": _set("PRP PRP$"),
    "verbs": _set("VB VBD VBG VBN VBP VBZ"),
}
#: for corpora whose own tags are not Penn's
UNIVERSAL = {
    "nouns": frozenset({"NOUN", "PROPN"}),
    "pronouns": frozenset({"PRON"}),
    "verbs": frozenset({"VERB", "AUX"}),
}
#: spaCy's relations, then those of Universal Dependencies
RELATIONS = {
    "subjects": frozenset(
        ["nsubj", "nsubjpass", "csubj", "csubjpass", "agent", "expl", "nsubj:pass", "csubj:pass", "obl:agent"]
    ),
    "objects": _set("dobj iobj dative attr oprd obj"),
}
NEGATIONS = _set(
    "neither nor not never none don't won't didn't hadn't haven't can't isn't wasn't shouldn't couldn't "
    "nothing nowhere"
)
#: a treebank's words for negation: the list above, split as treebanks split contractions
NEGATION_WORDS = frozenset({w for w in NEGATIONS if "'" not in w} | {"n't", "n’t", "no", "nobody"})
NAMES = ("nouns", "pronouns", "verbs", "subjects", "objects", "negation")
#: all of Penn's tags, with those that later English treebanks added
PENN = _set(
    "CC CD DT EX FW IN JJ JJR JJS LS MD NN NNP NNPS NNS PDT POS PRP PRP$ RB RBR RBS RP SYM TO UH VB VBD VBG "
    "VBN VBP VBZ WDT WP WP$ WRB ADD AFX GW HYPH NFP XX"
)


def word_features(window: Window) -> dict[str, list[int]]:
    """feature -> the words that have it."""
    found: dict[str, list[int]] = {name: [] for name in NAMES}
    for place, word in enumerate(window.words):
        for name in _of_word(word):
            found[name].append(place)
    return found


def _of_word(word: Word) -> list[str]:
    tags, own = (TAGS, word.tag) if word.tag in PENN else (UNIVERSAL, word.universal)
    found = [name for name, members in tags.items() if own in members]
    found += [
        name
        for name, members in RELATIONS.items()
        if word.relation in members or word.relation.split(":")[0] in members
    ]
    negative = word.text.lower() in NEGATION_WORDS or word.features.get("Polarity") == "Neg"
    return found + ["negation"] * negative


def feature_places(window: Window, keys: Sequence[Piece]) -> dict[str, list[int]]:
    """The pieces of each feature's words, by characters; features that the window lacks are left out."""
    found = {}
    for name, words in word_features(window).items():
        spans = [window.spans[w] for w in words]
        places = [
            i for i, p in enumerate(keys) if p.spells and any(p.start < b and a < p.end for a, b in spans)
        ]
        if places:
            found[name] = places
    return found


def original_places(tokenizer: Any) -> AskFeatures:
    """The original's places: every piece spelled like one of the feature's, wherever it stands. Features
    that a sentence lacks score 0, except negation, which is looked for as a substring and skipped."""

    def ask(window: Window, keys: Sequence[Piece]) -> dict[str, list[int]]:
        found = {}
        for name, words in word_features(window).items():
            if name == "negation":
                continue
            strings = {piece for w in words for piece in tokenizer.tokenize(window.words[w].text)}
            found[name] = [i for i, p in enumerate(keys) if p.text in strings]
        sentence = window.text.lower()
        strings = {piece for w in NEGATIONS if w in sentence for piece in tokenizer.tokenize(w)}
        if strings:
            found["negation"] = [i for i, p in enumerate(keys) if p.text in strings]
        return found

    return ask


#: group -> links of words: from, to
WordLinks = Mapping[str, Sequence[tuple[int, int]]]


def word_links(window: Window) -> dict[str, list[tuple[int, int]]]:
    """Verbs with their subjects, and pronouns with the nouns before them in the same window, both ways.

    Which noun a pronoun means a treebank does not say: the link is with every noun to its left.
    """
    has = word_features(window)
    subjects = _subjects(window, lambda relation: relation.split(":")[0] in ("nsubj", "nsubjpass"))
    nouns = [(p, n) for p in has["pronouns"] for n in has["nouns"] if n < p]
    return {
        "subject_to_verb": subjects,
        "verb_to_subject": [(b, a) for a, b in subjects],
        "pronoun_to_noun": nouns,
        "noun_to_pronoun": [(b, a) for a, b in nouns],
    }


def _subjects(window: Window, is_subject: Callable[[str], bool]) -> list[tuple[int, int]]:
    """Words whose relation to a verb is a subject's, each with its verb."""
    found = []
    for i, (word, head) in enumerate(zip(window.words, window.heads, strict=True)):
        if is_subject(word.relation) and head is not None:
            above = window.words[head]
            is_verb = above.universal == "VERB" if above.universal else above.tag in TAGS["verbs"]
            if is_verb:
                found.append((i, head))
    return found


def shown_links(window: Window) -> list[Link]:
    """The same links as questions, each word with all that it is linked to: what the figures show."""
    return [
        Link(word, tuple(b for a, b in links if a == word), (group,))
        for group, links in word_links(window).items()
        for word in dict.fromkeys(a for a, _ in links)
    ]


def link_pairs(window: Window, queries: Sequence[Piece], keys: Sequence[Piece]) -> list[Pairs]:
    """For each link, every piece of the one word with every piece of the other, by characters."""
    found = []
    for group, links in word_links(window).items():
        for a, b in links:
            froms, tos = _spelling(queries, window.spans[a]), _spelling(keys, window.spans[b])
            if froms and tos:
                found.append(Pairs(group, tuple((q, k) for q in froms for k in tos)))
    return found


def _spelling(pieces: Sequence[Piece], span: tuple[int, int]) -> list[int]:
    return [i for i, p in enumerate(pieces) if p.spells and p.start < span[1] and span[0] < p.end]


def original_link_pairs(tokenizer: Any) -> AskPairs:
    """The original's pairs: places spelled like a subject's pieces zipped with places spelled like its
    verb's; the largest of the whole sentence, and 0 where there is none. It has no pairs of nouns and
    pronouns."""

    def ask(window: Window, queries: Sequence[Piece], keys: Sequence[Piece]) -> list[Pairs]:
        links = _subjects(window, lambda relation: relation == "nsubj")

        def places(words: Iterable[int]) -> list[int]:
            strings = {piece for w in words for piece in tokenizer.tokenize(window.words[w].text)}
            return [i for i, p in enumerate(keys) if p.text in strings]

        zipped = list(zip(places(a for a, _ in links), places(b for _, b in links), strict=False))
        return [
            Pairs("subject_to_verb", tuple(zipped)),
            Pairs("verb_to_subject", tuple((b, a) for a, b in zipped)),
        ]

    return ask
