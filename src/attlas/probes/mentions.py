"""Mentions as coreference needs them: the head word, the type, and what must agree.

Where the corpus has dependencies and parts of speech they decide. Where it has none (LitBank, GAP), English
spelling does, as well as it can; a spaCy pipeline can be named instead.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from attlas.corpora.windows import Window
from attlas.corpora.words import Mention, Word

Type = Literal["pronoun", "proper", "nominal"]

#: English personal and possessive pronouns: number, gender, person; an empty string is unknown
PRONOUNS: dict[str, tuple[str, str, str]] = {
    **dict.fromkeys("i me my mine myself".split(), ("Sing", "", "1")),
    **dict.fromkeys("we us our ours ourselves".split(), ("Plur", "", "1")),
    **dict.fromkeys("you your yours yourself yourselves thou thee thy thine".split(), ("", "", "2")),
    **dict.fromkeys("he him his himself".split(), ("Sing", "Masc", "3")),
    **dict.fromkeys("she her hers herself".split(), ("Sing", "Fem", "3")),
    **dict.fromkeys("it its itself".split(), ("Sing", "Neut", "3")),
    **dict.fromkeys("they them their theirs themselves".split(), ("Plur", "", "3")),
    **dict.fromkeys("who whom whose which that this these those".split(), ("", "", "3")),
}
_TITLES = {"mr": "Masc", "sir": "Masc", "lord": "Masc", "king": "Masc"} | {
    "mrs": "Fem", "miss": "Fem", "ms": "Fem", "lady": "Fem", "queen": "Fem"
}  # fmt: skip
#: words after which a noun phrase has had its head
_AFTER_HEAD = frozenset(
    "of in on at to for from with by about against between into over under near who whom whose which that where "
    "when while as and or but , ; : ( — – - is was were are had has".split()
)


@dataclass(frozen=True)
class Named:
    """A mention in a window. `agreement` is number, gender and person, as far as known."""

    entity: str
    head: int  # place in the window
    type: Type
    text: str
    head_text: str
    agreement: tuple[str, str, str]

    def agrees(self, other: Named) -> bool:
        return all(not a or not b or a == b for a, b in zip(self.agreement, other.agreement, strict=True))


def named(window: Window, mention: Mention) -> Named:
    sentence = window.document.sentences[mention.sentence]
    head = head_word(sentence.words, mention.words)
    words = [sentence.words[i] for i in mention.words]
    type_ = mention_type(sentence.words[head], len(words))
    return Named(
        mention.entity,
        window.place(mention.sentence, head),
        type_,
        " ".join(w.text for w in words).casefold(),
        sentence.words[head].text.casefold(),
        _agreement(words, sentence.words[head], type_),
    )


def head_word(words: tuple[Word, ...], span: tuple[int, ...]) -> int:
    """The dependency root of the span: its first word whose head lies outside it."""
    inside = set(span)
    for i in span:
        head = words[i].head
        if head is not None and head not in inside:
            return i
    return _head_by_spelling(words, span)


def _head_by_spelling(words: tuple[Word, ...], span: tuple[int, ...]) -> int:
    """The last word before the first that cannot stand inside a simple noun phrase; nouns first, where tagged."""
    until = next((n for n, i in enumerate(span) if n and words[i].text.lower() in _AFTER_HEAD), len(span))
    core = span[:until]
    nouns = [i for i in core if words[i].tag.startswith("NN") or words[i].universal in ("NOUN", "PROPN")]
    if nouns:
        return nouns[-1]
    spelled = [
        i
        for i in core
        if any(c.isalnum() for c in words[i].text) and words[i].text.lower() not in ("'s", "’s")
    ]
    return (spelled or list(core))[-1]


def mention_type(head: Word, words: int) -> Type:
    if head.universal or head.tag:
        if head.universal == "PRON" or head.tag in ("PRP", "PRP$", "WP", "WP$"):
            return "pronoun"
        return "proper" if head.universal == "PROPN" or head.tag in ("NNP", "NNPS") else "nominal"
    if words == 1 and head.text.lower() in PRONOUNS:
        return "pronoun"
    return "proper" if head.text[:1].isupper() else "nominal"


def _agreement(words: list[Word], head: Word, type_: Type) -> tuple[str, str, str]:
    number, gender, person = (
        PRONOUNS.get(head.text.lower(), ("", "", "")) if type_ == "pronoun" else ("", "", "3")
    )
    number = (
        number
        or head.features.get("Number", "")
        or {"NNS": "Plur", "NNPS": "Plur", "NN": "Sing"}.get(head.tag, "")
    )
    gender = (
        gender
        or head.features.get("Gender", "").split(",")[0]
        or _TITLES.get(words[0].text.lower().rstrip("."), "")
    )
    return number, gender, person or head.features.get("Person", "")
