"""From a question to topics: words are made alike, phrases become glossary terms, topics are scored.

The page's finder follows the same rules, on the same data (`Finder` in the contract):

1. Lower case; "don't" is "do not"; a word one slip away from one that is known is that word. Words are runs
   of letters and digits. A word in quotes, after "like" or "such as", or among three at most after a colon,
   may be an example, as in: words like "because". So may every word of a question that has none but
   examples. If the glossary has it as one, it is `=because`, and neither 2 nor 3 changes it. Ignored words
   go.
2. A word loses the first ending that it has, if three letters stay; words in -ss, -us and -is lose none.
3. From left to right, the longest phrase of the glossary (four words at most) becomes a unit: all terms that
   have the phrase, and the words themselves. A word in no phrase has the terms of the single words in the
   glossary that begin with the same six letters.
4. A topic answers if a unit has one of its `needs`. It scores 2 for each unit with one of its needs, 1 for
   each other unit with one of its terms, and loses 0.5 for each need that no unit has.
5. The topics with the highest score answer. Their heads take turns, each topic's best first.
6. Where the first thing that is named was not measured, that is the answer. Where what is asked of the things
   is more than which heads (`UNHEEDED`), words give none.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass

from attlas.reports.page_contract import Finder, Topic

LONGEST = 4  # words in a phrase
ALIKE = 6  # letters that two words have in common at least, to mean the same
EXAMPLE = "="  # before a word that is itself an example of what is meant
#: what is written in several ways, or says nothing; Python and JavaScript read it alike
REWRITES: tuple[tuple[str, str], ...] = (
    (r"\b(?:e\.g\.|i\.e\.)|^(?:please )?list\b", " "),
    (r"\bcan['’n]?(?:t|ot)\b", "can not"),
    (r"\bwon['’]t\b", "will not"),
    (r"n['’]t\b", " not"),
)
_IN_QUOTES = re.compile(r'"[^"]*"|“[^”]*”|‘[^’]*’')
AFTER = re.compile(r"\blike\b|\bsuch as\b|:(?=(?:\s*\S+){1,3}\s*$)")
ENDINGS: tuple[tuple[str, str], ...] = (
    ("ies", "y"),
    ("sses", "ss"),
    ("ing", ""),
    ("iest", "y"),
    ("est", ""),
    ("ed", ""),
    ("ly", ""),
    ("s", ""),
)
#: what a question asks of the things that it names, and words alone do not answer
UNHEEDED = re.compile(
    r"\b(?:vs|versus|correlat\w*|how (?:often|well|long|fast|come)|which is (?:it|more|better)|what if"
    r"|instead of)\b"
)
_KEPT = ("ss", "us", "is")
IGNORED = frozenset(
    (
        "a", "about", "all", "an", "and", "any", "anything", "are", "as", "at",
        "attend", "attending", "attends", "attention", "be", "been", "best", "between", "by",
        "came", "can", "come", "comes", "connect", "connects", "could", "did", "do",
        "does", "find", "finding", "finds", "for", "from", "give", "go", "goes",
        "had", "has", "have", "head", "heads", "her", "his", "how", "i",
        "in", "into", "is", "it", "its", "know", "knows", "like", "link",
        "links", "look", "looking", "looks", "mainly", "me", "model", "more",
        "most", "mostly", "my", "of", "on", "one", "ones", "only", "or", "other",
        "others", "please", "s", "see", "sees", "show", "some", "something", "such",
        "t", "tell", "that", "the", "their", "them", "there", "these", "they",
        "this", "those", "tie", "ties", "to", "together", "track", "tracks", "us",
        "use", "used", "uses", "very", "was", "we", "were", "what", "when",
        "where", "which", "who", "whom", "whose", "why", "will", "with", "would",
        "you", "your",
    )
)  # fmt: skip

#: words that turn a question around, unless a phrase of the glossary has them
DENIALS = ("not", "never", "least", "hardly", "ignore", "avoid", "without")
#: words of questions that say nothing of what is asked, unless the glossary has them
_FILLERS = (
    "score scores accuracy uas percent percentage fraction proportion share confidence interval ci nats "
    "mean top largest highest value line rate level degree ranking rank big high low ablate exceed beyond "
    "away tell show circuit compare compared versus two three five ten elsewhere shaped accurate actually "
    "really basically whole both e g ie eg baseline beat fixed offset positional margin point example "
    "instance "
    "style whats wheres hows no fit fitted correct correctly guess random half second lot called find "
    "direction list total right "
    "almost also always answer around associate attach back be become behave belong but call "
    "candidate capture care case check compute concern contain currently deal describe detect detection "
    "different distribution do doing done dump each encode especially ever every exist explain express "
    "far first follow form function get gets give good great group handle happen heavily identify if "
    "important inside interest interpretable job just keep kind know learn learned level likely list "
    "look looked lot love low main make many match mean mechanism mode much name need network notice "
    "now number often other out over own particular pay perform phrase pick play position possible "
    "prefer primarily principal property put react recognise recognize relate relation resolution "
    "respond responsible role same say seem sense sentence sequence serve shape should simply single so "
    "specialise specialize spend spot still strong strongest strongly take tend than then thing think "
    "token track transformer trained try two type typical understand unit up usually value want watch "
    "way weight well whether word work "
)


@dataclass(frozen=True)
class QuestionUnit:
    """One thing that a question names: its words, and the glossary terms that have them."""

    words: str
    terms: frozenset[str]

    @property
    def all(self) -> frozenset[str]:
        return self.terms | {self.words}


def plain_words(text: str) -> str:
    """Lower case, "not" as a word (don't, isn’t, cannot), and no e.g., i.e. or list of."""
    text = text.lower().strip()
    for said, instead in REWRITES:
        text = re.sub(said, instead, text)
    return text


def words_of(text: str, known: Container[tuple[str, ...]] = ()) -> list[str]:
    """The words that count, made alike. `known` has the examples among the phrases of the glossary."""
    text = plain_words(text)
    quoted = [match.span() for match in _IN_QUOTES.finditer(text)]
    after = AFTER.search(text)
    matches = list(re.finditer(r"[^\W_]+", text))
    only_examples = all((EXAMPLE + match.group(),) in known for match in matches)
    words = []
    for match in matches:
        word, at = match.group(), match.start()
        in_quotes = any(start < at < end for start, end in quoted)
        may_be_example = in_quotes or only_examples or (after and at >= after.end())
        if may_be_example and (EXAMPLE + word,) in known:
            words.append(EXAMPLE + word)
        elif word not in IGNORED:
            words.append(stem(word))
    return words


def stem(word: str) -> str:
    if word.endswith(_KEPT):
        return word
    for ending, instead in ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word[: -len(ending)] + instead
    return word


FILLERS = frozenset({*map(stem, _FILLERS.split()), *DENIALS})


def examples_in(text: str) -> set[str]:
    """The words that stand in quotes, or after "like" or "such as": examples of what is meant."""
    after = re.search(r"\b(?:like|such as)\b(.*)", text)
    said = " ".join([*(m.group() for m in _IN_QUOTES.finditer(text)), after[1] if after else ""])
    return {stem(word) for word in re.findall(r"[^\W_]+", said)}


def phrases(finder: Finder) -> dict[tuple[str, ...], set[str]]:
    """Phrase -> the terms that have it."""
    known: dict[tuple[str, ...], set[str]] = {}
    for term in finder["glossary"]:
        for phrase in term["words"]:
            if key := tuple(phrase.split()):
                known.setdefault(key, set()).add(term["term"])
    return known


def vocabulary(finder: Finder) -> frozenset[str]:
    """Every word that a question may have and be understood."""
    phrases_of = (phrase for term in finder["glossary"] for phrase in term["words"])
    inside = {word.removeprefix(EXAMPLE) for phrase in phrases_of for word in phrase.split()}
    return frozenset({*inside, *finder["ignored"], *finder["fillers"]})


def units_of(question: str, known: Mapping[tuple[str, ...], set[str]]) -> list[QuestionUnit]:
    words = words_of(question, known)
    units, at = [], 0
    while at < len(words):
        for length in range(min(LONGEST, len(words) - at), 0, -1):
            phrase = tuple(words[at : at + length])
            if (phrase in known and not _cuts(phrase, words[at:], known)) or length == 1:
                alike = frozenset[str]() if phrase[0] in FILLERS else _terms_alike(phrase[0], known)
                terms = known.get(phrase, alike)
                units.append(QuestionUnit(" ".join(phrase), frozenset(terms)))
                at += length
                break
    return units


def _cuts(phrase: tuple[str, ...], words: Sequence[str], known: Container[tuple[str, ...]]) -> bool:
    """Whether a denial takes the first word of a longer phrase: not special, of "not special token"."""
    longer = (tuple(words[1:end]) for end in range(len(phrase) + 1, min(LONGEST, len(words)) + 1))
    return phrase[0] in DENIALS and len(phrase) > 1 and any(rest in known for rest in longer)


def spelled(text: str, known: Container[str], every: Iterable[str]) -> str:
    """A word that nothing has, and that is one slip away from one word that is known, is that word."""
    for word in dict.fromkeys(re.findall(r"[^\W\d_]{6,}", text)):
        if word not in known and stem(word) not in known:
            near = {other for other in every if is_slip(word, other) or is_slip(stem(word), other)}
            if len(near) == 1:
                text = re.sub(rf"\b{word}\b", near.pop(), text)
    return text


def is_slip(word: str, other: str) -> bool:
    """Whether one letter is missing, doubled or wrong, or two have changed places; the first stays."""
    if word[:1] != other[:1] or abs(len(word) - len(other)) > 1 or min(len(word), len(other)) < 5:
        return False
    at = next(
        (i for i, (a, b) in enumerate(zip(word, other, strict=False)) if a != b), min(len(word), len(other))
    )
    rests = ((at + 1, at + 1), (at + 1, at), (at, at + 1))
    swapped = word[at : at + 2] == other[at : at + 2][::-1] and word[at + 2 :] == other[at + 2 :]
    return word != other and (swapped or any(word[i:] == other[j:] for i, j in rests))


def _terms_alike(word: str, known: Mapping[tuple[str, ...], set[str]]) -> set[str]:
    """The glossary's words that begin like this one: adjectival, adjective."""
    if len(word) < ALIKE:
        return set()
    alike = (p for p in known if len(p) == 1 and len(p[0]) >= ALIKE and p[0][:ALIKE] == word[:ALIKE])
    return {term for phrase in alike for term in known[phrase]}


def score(topic: Topic, units: Sequence[QuestionUnit]) -> float:
    """0 where the topic is no answer."""
    needs, terms = set(topic["needs"]), set(topic["terms"])
    asked = [needs & unit.all for unit in units]
    if not any(asked):
        return 0.0
    points = sum(
        2.0 if hit else 1.0 if terms & unit.all else 0.0 for hit, unit in zip(asked, units, strict=True)
    )
    return points - 0.5 * len(needs - set().union(*asked))


class Index:
    """The topics of a report, in SQLite's full-text search."""

    def __init__(self, topics: Sequence[Topic]) -> None:
        self.topics = topics
        self.tables = sqlite3.connect(":memory:", check_same_thread=False)  # servers ask from any thread
        self.tables.execute(
            "create virtual table topics using fts5(terms, tokenize = \"unicode61 tokenchars '_:+.'\")"
        )
        rows = ((place, " ".join((*t["needs"], *t["terms"]))) for place, t in enumerate(topics))
        self.tables.executemany("insert into topics(rowid, terms) values (?, ?)", rows)

    def having(self, terms: Iterable[str]) -> list[int]:
        """The places of the topics that have one of the terms."""
        quoted = ['"' + term.replace('"', '""') + '"' for term in sorted(set(terms)) if term.strip()]
        if not quoted:
            return []
        matches = self.tables.execute("select rowid from topics where topics match ?", (" OR ".join(quoted),))
        return sorted(row[0] for row in matches)

    def best(self, units: Sequence[QuestionUnit]) -> list[Topic]:
        """The topics that score highest, in their own order."""
        among = self.having(term for unit in units for term in unit.all)
        scores = {place: points for place in among if (points := score(self.topics[place], units)) > 0}
        most = max(scores.values(), default=0.0)
        return [self.topics[place] for place, points in scores.items() if points == most]


def in_turns(topics: Sequence[Topic], most: int) -> list[tuple[Topic, int]]:
    """Topic and rank: every topic's best head, then every second; no head twice."""
    taken: dict[int, tuple[Topic, int]] = {}
    for rank in range(max((len(t["heads"]) for t in topics), default=0)):
        for topic in topics:
            if rank < len(topic["heads"]):
                taken.setdefault(topic["heads"][rank], (topic, rank))
    return list(taken.values())[:most]
