"""Mentions as coreference needs them: the head word, the type, and what must agree.

Where the corpus has dependencies and parts of speech they decide. Where it has none (LitBank, GAP), English
spelling does, as well as it can; a spaCy pipeline can be named instead.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from attlas.corpora.annotated_documents import Mention, Word
from attlas.corpora.windows import Window

Type = Literal["pronoun", "proper", "nominal"]

#: English personal and possessive pronouns: number, gender, person; an empty string is unknown
_PRONOUNS = {
    "i me my mine myself": ("Sing", "", "1"),
    "we us our ours ourselves": ("Plur", "", "1"),
    "you your yours yourself yourselves thou thee thy thine": ("", "", "2"),
    "he him his himself": ("Sing", "Masc", "3"),
    "she her hers herself": ("Sing", "Fem", "3"),
    "it its itself": ("Sing", "Neut", "3"),
    "they them their theirs themselves": ("Plur", "", "3"),
    "who whom whose which that this these those": ("", "", "3"),
}
PRONOUNS = {word: agreement for words, agreement in _PRONOUNS.items() for word in words.split()}
_TITLES = {"mr sir lord king": "Masc", "mrs miss ms lady queen": "Fem"}
TITLES = {word: gender for words, gender in _TITLES.items() for word in words.split()}
_NUMBERS = {"NNS": "Plur", "NNPS": "Plur", "NN": "Sing", "NNP": "Sing"}
#: words after which a noun phrase has had its head
_ENDS = """of in on at to for from with by about against between into over under near who whom whose which
that
    where when while as and or but , ; : ( — – - is was were are had has"""
ENDS = frozenset(_ENDS.split())


@dataclass(frozen=True)
class WindowMention:
    """A mention in a window. `agreement` is number, gender and person, as far as known."""

    entity: str
    head: int  # place in the window
    type: Type
    text: str
    head_text: str
    agreement: tuple[str, str, str]

    def agrees(self, other: WindowMention) -> bool:
        return all(not a or not b or a == b for a, b in zip(self.agreement, other.agreement, strict=True))


def window_mention(window: Window, mention: Mention) -> WindowMention:
    sentence = window.document.sentences[mention.sentence]
    head = head_word(sentence.words, mention.words)
    words = [sentence.words[i] for i in mention.words]
    type_ = mention_type(sentence.words[head], len(words))
    return WindowMention(
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
    """The last word before the first that cannot stand inside a simple noun phrase; nouns first, where
    tagged."""
    until = next((n for n, i in enumerate(span) if n and words[i].text.lower() in ENDS), len(span))
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
    """Number, gender and person: from the pronoun, the corpus's features, its tags, a title."""
    known = PRONOUNS.get(head.text.lower(), ("", "", "")) if type_ == "pronoun" else ("", "", "3")
    number = known[0] or head.features.get("Number", "") or _NUMBERS.get(head.tag, "")
    title = TITLES.get(words[0].text.lower().rstrip("."), "")
    gender = known[1] or head.features.get("Gender", "").split(",")[0] or title
    return number, gender, known[2] or head.features.get("Person", "")
