"""The pairs that a user names, for a model: those of a file, or drawn from one of four small tasks in
English that ship with Attlas.

A pair that does not fit a model's tokenizer is dropped and counted; of a task, another is drawn in its
place."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from typing import Any, TypeVar

from attlas.corpora.source import ItemId, seeded
from attlas.errors import AttlasError
from attlas.options.option_groups import BatchOptions
from attlas.studies.patching.pair_texts import Pair, PairFitter, PairItem, PairSource, read_pairs
from attlas.studies.word_families import DAYS, LETTERS, MONTHS, NUMBERS, ORDINALS
from attlas.subject import Subject
from attlas.wording.numbers import count as counted

Made = TypeVar("Made")
DRAWS = 20  # for every pair that is wanted: more are not made


@dataclass(frozen=True)
class Cloze:
    """A text up to its answer, the same with something changed, and what comes after the answer."""

    before: str
    corrupt: str
    answer: str
    wrong: str
    after: str = "."
    space: str = " "  # before the answer
    same: tuple[str, ...] = ()  # other texts up to the same answer
    group: str = ""  # what it shares with other pairs of its task

    def pair(self, mask: str | None) -> Pair:
        """The pair for a decoder, or with a mask where the answer goes."""
        if mask is None:
            answers = self.space + self.answer, self.space + self.wrong
            return Pair(self.before, self.corrupt, *answers, controls=self.same, group=self.group)
        end = self.space + mask + self.after
        controls = tuple(text + end for text in self.same)
        texts = self.before + end, self.corrupt + end
        return Pair(*texts, self.answer, self.wrong, controls=controls, group=self.group)


@dataclass(frozen=True)
class MadePairs:
    """`dropped` are those that did not fit, and `why` what was wrong with the first of them."""

    items: tuple[PairItem, ...]
    dropped: int
    why: str = ""


def made_pairs(maker: str, count: int, seed: int, fitter: PairFitter) -> MadePairs:
    """So many different pairs of a task, or as many as it has."""
    mask = fitter.tokenizer.mask_token if fitter.masked else None
    items: list[PairItem] = []
    seen: set[str] = set()
    places = _Places()
    dropped, why = 0, ""
    for number in range(DRAWS * count):
        forms = MAKERS[maker](Random(seeded(seed, maker, number)))
        if len(items) == count:
            break
        if forms[0].before in seen:
            continue
        seen.add(forms[0].before)
        for form in forms:
            try:
                pair = form.pair(mask)
                items.append(places.put(fitter.fit(pair, NOWHERE)))
                break
            except ValueError as error:
                reason = str(error)
        else:
            dropped, why = dropped + 1, why or reason
    return MadePairs(tuple(items), dropped, why)


NOWHERE = ItemId(0, 0)


@dataclass
class _Places:
    """Gives fitted pairs their ids: a document for each group, or for a pair that has none."""

    documents: dict[str, int] = field(default_factory=dict)
    filled: Counter[int] = field(default_factory=Counter)

    def put(self, item: PairItem) -> PairItem:
        assert item.pair is not None
        name = item.pair.group or f"{len(self.filled)} has none"
        document = self.documents.setdefault(name, len(self.documents))
        self.filled[document] += 1
        return replace(item, id=ItemId(document, self.filled[document] - 1))


# ---- the tasks: each draw gives the forms of one pair, of which the first that fits is taken


def indirect_objects(rng: Random) -> list[Cloze]:
    """Who is given something: not the one who gives it (Wang et al. 2023). Either of the two names may give
    (ABBA and BABA); in the corrupt text, the other does."""
    first, second = rng.sample(_NAMES, 2)
    giver, other = rng.sample((first, second), 2)
    opening, end = rng.choice(_GIVING)
    place, thing = rng.choice(_PLACES), rng.choice(_THINGS)

    def text(giver: str, place: str, thing: str) -> str:
        return f"{opening.format(a=first, b=second, place=place)}{giver}{end.format(thing=thing)}"

    elsewhere = zip(_others(_PLACES, place), _others(_THINGS, thing), strict=True)
    same = tuple(text(giver, *changed) for changed in elsewhere)
    texts = text(giver, place, thing), text(other, place, thing)
    return [Cloze(*texts, other, giver, same=same, group=opening)]


def greater_than(rng: Random) -> list[Cloze]:
    """A year after another (Hanna et al. 2023). `answer` is in a later decade than the first year, `wrong` in
    an earlier one; in the corrupt text the first year ends in 01, so that both are possible. Where two digits
    are not one token, the whole year is asked for, or else the decade's digit."""
    decade, unit = rng.randint(2, 7), rng.randint(2, 9)
    later, earlier = rng.randint(decade + 1, 9), rng.randint(1, decade - 1)
    century, ending = rng.choice((15, 16, 17, 18, 19)), rng.randint(2, 9)
    noun = rng.choice(_LASTING)
    several = [
        f"The {name} lasted from the year {century}{{}} to the year"
        for name in (noun, *_others(_LASTING, noun))
    ]
    clean, *same = (text.format(f"{decade}{unit}") for text in several)
    corrupt = several[0].format("01")
    with_century = f"{clean} {century}", f"{corrupt} {century}"
    also = tuple(f"{text} {century}" for text in same)
    return [
        replace(form, group=noun)
        for form in (
            Cloze(*with_century, f"{later}{ending}", f"{earlier}{ending}", space="", same=also),
            Cloze(
                clean, corrupt, f"{century}{later}{ending}", f"{century}{earlier}{ending}", same=tuple(same)
            ),
            Cloze(*with_century, f"{later}", f"{earlier}", f"{ending}.", space="", same=also),
        )
    ]


def agreement(rng: Random) -> list[Cloze]:
    """The verb that goes with its subject, past a noun that stands between (Linzen et al. 2016). In the
    corrupt text the subject has the other number."""
    subject, between = rng.sample(_NOUNS, 2)
    plural = rng.random() < 0.5
    where = f" {rng.choice(_BESIDE)} the {rng.choice(between)}"
    singular_verb, plural_verb, after = rng.choice(_VERBS)
    verbs = (plural_verb, singular_verb) if plural else (singular_verb, plural_verb)
    others = [noun for noun in _others(_NOUNS, subject) if noun != between]
    same = tuple(f"The {noun[plural]}{where}" for noun in others)
    clean, corrupt = (f"The {noun}{where}" for noun in (subject[plural], subject[not plural]))
    return [Cloze(clean, corrupt, *verbs, f" {after}.", same=same, group=subject[0])]


def successors(rng: Random) -> list[Cloze]:
    """What comes next in a list of days, months, numbers or letters (Gould et al. 2024). The corrupt text has
    another part of the same list."""
    words = rng.choice(_ORDERED)
    runs = [words[start : start + 3] for start in range(len(words) - 2)]
    clean = rng.choice(runs)
    corrupt = rng.choice([run for run in runs if run[2] not in clean and clean[2] not in run])
    text = rng.choice(("{}, {},", "In order: {}, {},", "{}; {};"))
    before = text.format(*clean[:2])
    same = before.replace(";", ",") if ";" in before else before.replace(",", ";")
    return [Cloze(before, text.format(*corrupt[:2]), clean[2], corrupt[2], same=(same,), group=words[0])]


def _others(several: Sequence[Made], left_out: Made) -> list[Made]:
    """All but one, those first that stand after it."""
    at = several.index(left_out)
    return [*several[at + 1 :], *several[:at]]


MAKERS: dict[str, Callable[[Random], list[Cloze]]] = {
    maker.__name__: maker for maker in (indirect_objects, greater_than, agreement, successors)
}

_NAMES = (
    *("Mary", "John", "Tom", "James", "Sarah", "Anna", "Paul", "Mark", "David", "Emma", "Jack", "Robert"),
    *("Peter", "Kate", "Alice", "Michael", "George", "Henry", "William", "Charles", "Thomas", "Jane"),
    *("Daniel", "Martin", "Simon", "Laura", "Lisa", "Frank", "Elizabeth", "Richard"),
)
_PLACES = ("store", "school", "park", "house", "office", "station", "hospital", "garden", "market", "church")
_THINGS = ("drink", "book", "ring", "letter", "key", "picture", "ball", "map", "box", "card")
_GIVING = (
    ("When {a} and {b} went to the {place}, ", " gave a {thing} to"),
    ("After {a} and {b} met at the {place}, ", " handed the {thing} to"),
    ("While {a} and {b} were at the {place}, ", " showed a {thing} to"),
    ("Then {a} and {b} went to the {place}. There ", " gave the {thing} to"),
    ("The {place} was empty when {a} and {b} came in, and ", " passed a {thing} to"),
    ("As soon as {a} and {b} left the {place}, ", " offered a {thing} to"),
    ("Last night {a} and {b} worked at the {place}, and ", " brought a {thing} to"),
    ("Before {a} and {b} came to the {place}, ", " sold the {thing} to"),
    ("At the {place}, {a} and {b} talked for a while. Then ", " gave a {thing} to"),
    ("Once {a} and {b} were inside the {place}, ", " threw the {thing} to"),
    ("Years ago {a} and {b} lived near the {place}, where ", " left a {thing} to"),
    ("It was late when {a} and {b} reached the {place}, so ", " lent a {thing} to"),
    ("Because {a} and {b} liked the {place}, ", " gave the {thing} to"),
    ("Today {a} and {b} walked to the {place}, but ", " sent a {thing} to"),
    ("Long after {a} and {b} had seen the {place}, ", " returned the {thing} to"),
    ("On Monday {a} and {b} drove to the {place}, and there ", " handed a {thing} to"),
)
_LASTING = (
    *("war", "campaign", "siege", "voyage", "dispute", "journey", "reign", "strike", "study", "rebellion"),
    *("expedition", "project", "conflict", "trade", "building", "trial"),
)
_WITH_S = (
    *("key", "author", "doctor", "teacher", "student", "king", "dog", "cat", "house", "car", "book"),
    *("picture", "letter", "friend", "boy", "girl", "tree", "ship", "horse", "window", "door", "table"),
    *("chair", "bird", "flower", "river", "mountain", "island", "village", "town", "bridge", "school"),
    *("train", "boat", "truck", "lawyer", "soldier", "artist", "writer", "player", "singer", "worker"),
    *("leader", "brother", "sister", "son", "daughter", "parent", "photo", "song", "game", "team"),
    *("member", "engineer", "driver", "farmer", "guard", "officer", "judge", "animal", "plant", "stone"),
)
_NOUNS = (
    *((noun, f"{noun}s") for noun in _WITH_S),
    *(("child", "children"), ("man", "men"), ("woman", "women"), ("city", "cities"), ("story", "stories")),
    *(("country", "countries"), ("company", "companies"), ("church", "churches"), ("box", "boxes")),
)
_BESIDE = ("near", "behind", "beside", "with", "in front of", "from")
_VERBS = (
    *(("is", "are", "here"), ("was", "were", "there"), ("has", "have", "gone"), ("does", "do", "well")),
    *(("looks", "look", "old"), ("seems", "seem", "good"), ("comes", "come", "back"), ("goes", "go", "away")),
    *(("stands", "stand", "there"), ("needs", "need", "help"), ("remains", "remain", "here")),
    *(("falls", "fall", "down"), ("moves", "move", "on"), ("takes", "take", "time")),
)
_ORDERED = (
    (*DAYS, *DAYS[:2]),
    (*MONTHS, *MONTHS[:2]),
    NUMBERS,
    ORDINALS,
    LETTERS,
    tuple(map(str, range(1, 30))),
    tuple(map(str, range(30, 60))),
    tuple(map(str, range(1980, 2010))),
    ("ten", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"),
    ("Mercury", "Venus", "Earth", "Mars", "Jupiter", "Saturn", "Uranus", "Neptune"),
    ("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X"),
)


DRAWN = 50  # pairs, if no number is given
MORE = {"indirect_objects": 200}  # of a task whose texts differ more
#: what pairs of a task share, and their errors are over
UNITS = {
    "agreement": "subject",
    "indirect_objects": "template",
    "greater_than": "event",
    "successors": "list",
}


def pairs_for(
    subject: Subject,
    pairs: Any,
    batch_options: BatchOptions = BatchOptions(),
    *,
    count: int | None = None,
    seed: int = 0,
    strict: bool = False,
) -> PairSource:
    """Return the pairs of a file, or those drawn by a name of `MAKERS`."""
    if (reason := cannot_answer(subject)) is not None:
        raise AttlasError(f"heads cannot be patched: {reason}")
    if not isinstance(pairs, str | os.PathLike):
        raise AttlasError(f"pairs are a file of JSON lines, or one of {', '.join(MAKERS)}")
    fitter = PairFitter(subject.tokenizer, subject.text_kinds == ("encoder",), subject.longest)
    name = str(pairs)
    if name in MAKERS:
        wanted = MORE.get(name, DRAWN) if count is None else count
        made, drawn = made_pairs(name, wanted, seed, fitter), "drawn"
        about: dict[str, Any] = {"name": name, "seed": seed, "unit": UNITS[name]}
    else:
        path = Path(pairs)
        if not path.exists():
            raise AttlasError(f"there is no file {path}, and no task of that name: {', '.join(MAKERS)}")
        made, drawn = _fit_file(path, count, fitter, strict), "read"
        grouped = len({item.id.document for item in made.items}) < len(made.items)
        about = {"name": path.name, **({"unit": "group"} if grouped else {})}
    if not made.items:
        why = f": {made.why}" if made.why else ""
        raise AttlasError(f"no pair of {name} fits the tokenizer of {subject.name}{why}")
    if made.dropped:
        total = counted(len(made.items) + made.dropped, "pair")
        about["dropped"] = (
            f"of {total} {drawn}, {made.dropped:,} do not fit the tokenizer and were dropped: {made.why}"
        )
    return PairSource(made.items, tuple(about.items()), batch_options.batch, batch_options.shard)


def cannot_answer(subject: Subject) -> str | None:
    """Why a model answers no pair, or its heads cannot be changed; None where it does and they can."""
    if not subject.interface:
        return subject.uneditable
    if subject.encoder_decoder or len(subject.kinds) != 1 or subject.images:
        return f"{subject.name} has heads of several kinds, and a pair is read by a decoder or an encoder"
    if subject.repeated:
        return f"{subject.name} uses the weights of a head twice in a layer"
    if subject.tokenizer is None:
        return f"{subject.name} has no tokenizer"
    if subject.unembedding is None:
        return f"{subject.name} has no language-model head"
    if subject.text_kinds == ("encoder",) and subject.tokenizer.mask_token is None:
        return f"{subject.name} has no mask token"
    return None


def _fit_file(path: Path, count: int | None, fitter: PairFitter, strict: bool) -> MadePairs:
    items: list[PairItem] = []
    places = _Places()
    dropped, why = 0, ""
    for pair in read_pairs(path, count):
        try:
            items.append(places.put(fitter.fit(pair, NOWHERE)))
        except ValueError as error:
            if strict:
                raise AttlasError(f"{path}, {pair.where}: {error}") from error
            dropped, why = dropped + 1, why or f"{pair.where}: {error}"
    return MadePairs(tuple(items), dropped, why)
