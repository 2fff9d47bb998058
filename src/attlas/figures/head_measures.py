"""What figures and tables show of heads, and in which words: statistics as far as a chapter has them, the
rules of behaviours, and the heads whose maps are worth a look."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from attlas.address import Head, Kind
from attlas.array_types import Floats
from attlas.atlas import Atlas, registry
from attlas.atlas.registry import REGISTRY, Statistic, statistic
from attlas.corpora.token_text import BYTE_LINE, BYTE_TAB, PUNCTUATION, WORD_BEGINS, WORD_ENDS, strip_marks
from attlas.studies.behaviours import CLARK_LENGTH_LOG, EvenEntropy, rules, threshold
from attlas.wording.numbers import count, uncertain

KIND_NAMES: dict[Kind, str] = {
    "encoder": "Encoder",
    "decoder": "Decoder",
    "cross": "Cross-attention",
    "vision": "Vision",
}

NO_BEHAVIOUR = "none of these"

_JOINERS = "\u200c\u200d"  # they shape scripts and emoji; other format characters only deceive
_UNWRITABLE = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_MARKS = (
    *((mark, " ") for mark in WORD_BEGINS),
    (WORD_ENDS, ""),
    *((BYTE_LINE, "↵"), (BYTE_TAB, "⇥"), ("\n", "↵"), ("\t", "⇥")),
)


def group_name(statistic: str, group: str) -> str:
    """A class, a behaviour, a relation as readers know it."""
    return shorten(registry.statistic(statistic).group_name(group), 24)


def behaviour_name(behaviour: str | None) -> str:
    return NO_BEHAVIOUR if behaviour is None else group_name("behaviour", behaviour)


def writable(text: str) -> str:
    """Text with a mark in the place of every character that XML 1.0 has no room for."""
    return _UNWRITABLE.sub("\N{REPLACEMENT CHARACTER}", text)


def shorten(text: str, most: int = 200) -> str:
    """Text from outside, of bounded length and without characters that break a file or turn its order."""
    kept = []
    for character in text[: most + 1]:
        category = unicodedata.category(character)
        if category in ("Cc", "Cs", "Co", "Cn", "Zl", "Zp"):
            kept.append("\N{REPLACEMENT CHARACTER}")
        elif category != "Cf" or character in _JOINERS:
            kept.append(character)
    shown = "".join(kept)
    return shown if len(text) <= most else shown[: most - 1].rstrip() + "…"


def token(written: str, most: int = 13) -> str:
    """A token as a reader knows it: no word-boundary marks, and never empty."""
    written = written[: 4 * most + 8]
    for mark, instead in _MARKS:
        written = written.replace(mark, instead)
    return shorten(written.strip(" "), most) or "␣"


Grid = Floats  # layer head


@dataclass(frozen=True)
class Measure:
    """One statistic of every head of a kind, with its standard errors."""

    statistic: str
    group: str
    kind: Kind
    values: Grid
    stderr: Grid

    @property
    def declaration(self) -> Statistic:
        return statistic(self.statistic)

    @property
    def title(self) -> str:
        """The title of a panel: To the next token · Entropy from [CLS]"""
        called = shorten(self.declaration.write_name(self.group), 40)
        return f"{called[:1].upper()}{called[1:]}"

    @property
    def colour(self) -> str:
        """What the statistic is about, for `Theme.colour`."""
        plain_name = self.declaration.apart_from_first or self.statistic
        return self.group or ("all" if plain_name == "entropy" else plain_name.removeprefix("to_"))

    @property
    def in_nats(self) -> bool:
        return self.declaration.unit == "nats"

    @property
    def digits(self) -> int:
        return 3 if self.in_nats else 4

    def best(self) -> Head:
        """The head where it is largest; the first of equals."""
        layer, head = np.unravel_index(int(np.nanargmax(self.values)), self.values.shape)
        return Head(self.kind, int(layer), int(head))

    def of(self, head: Head, digits: int | None = None) -> str:
        """Value ± standard error."""
        at = head.layer, head.head
        return uncertain(self.values[at], self.stderr[at], self.digits if digits is None else digits)

    def heads(self) -> Iterator[tuple[Head, float, float]]:
        """Every head that has a value, in reading order: head, value, standard error."""
        for layer, head in zip(*np.nonzero(np.isfinite(self.values)), strict=True):
            value, error = float(self.values[layer, head]), float(self.stderr[layer, head])
            yield Head(self.kind, int(layer), int(head)), value, error if math.isfinite(error) else 0.0

    def by_layer(self) -> tuple[Grid, Grid]:
        """layer: the mean over heads, and at most its standard error.

        Heads read the same text, so their errors may go together: the mean of the heads' standard errors
        bounds that of their mean, however they do.
        """
        return mean_by_layer(self.values), mean_by_layer(self.stderr)


def mean_by_layer(grid: Grid) -> Grid:
    """layer: the mean of a layer's heads; NaN for a layer that has none."""
    there = np.isfinite(grid)
    many = there.sum(1)
    total = np.where(there, grid, 0.0).sum(1)
    return np.where(many > 0, total / np.maximum(many, 1), np.nan)


def mean_of(grid: Grid) -> float:
    """The mean of all heads; NaN where none has a value."""
    return float(mean_by_layer(grid.reshape(1, -1))[0])


def measure(atlas: Atlas, chapter: str, kind: Kind, name: str, group: str = "") -> Measure | None:
    """One statistic of a kind of heads; None where the chapter has no value of it."""
    if not atlas.has(name, group, kind, chapter):
        return None
    values, errors = (atlas.grid(name, group, kind, column, chapter) for column in ("value", "stderr"))
    return Measure(name, group, kind, values, errors) if np.isfinite(values).any() else None


def targets(atlas: Atlas, chapter: str, kind: Kind) -> list[Measure]:
    """Where attention goes: by place, then by class of token."""
    measures = [
        measure(atlas, chapter, kind, name, group)
        for name in REGISTRY
        if name.startswith("to_")
        for group in statistic(name).list_groups(atlas.groups(name, kind, chapter))
        if group != "other"
    ]
    first = next((m for m in measures if m is not None and m.statistic == "to_first"), None)
    cls = next((m for m in measures if m is not None and m.group == "cls"), None)
    if first is not None and cls is not None and np.array_equal(first.values, cls.values, equal_nan=True):
        measures.remove(first)  # [CLS] is the first token, and the same numbers need not be seen twice
    return nonzero(*measures)


def spread(atlas: Atlas, chapter: str, kind: Kind) -> list[Measure]:
    """How attention spreads over a row."""
    wanted = (("entropy", "all"), ("entropy", "cls"), ("largest", ""))
    return nonzero(*(measure(atlas, chapter, kind, name, group) for name, group in wanted))


def rests(atlas: Atlas, chapter: str, kind: Kind) -> list[Measure]:
    """Where what does not fall on the first token goes, and how it spreads."""
    return nonzero(
        *(
            measure(atlas, chapter, kind, name, group)
            for name, known in REGISTRY.items()
            if known.apart_from_first and known.family == "surface" and known.unit in ("share", "nats")
            for group in known.list_groups(atlas.groups(name, kind, chapter))
            if group != "other"
        )
    )


def all_measures(atlas: Atlas, chapter: str, kind: Kind) -> list[Measure]:
    """Every statistic that figures show: where attention goes, how it spreads, and the same of the rest."""
    return [*targets(atlas, chapter, kind), *spread(atlas, chapter, kind), *rests(atlas, chapter, kind)]


def nonzero(*measures: Measure | None) -> list[Measure]:
    """The measures that are not 0 throughout: a causal head never looks at the next token, and its first
    token at no other."""
    return [m for m in measures if m is not None and np.nanmax(m.values) > 1e-6]


def sample_note(atlas: Atlas, chapter: str, what: str) -> tuple[str, ...]:
    """How many segments the sample had; nothing where there was none."""
    many = (atlas.about(chapter).get("sampled") or {}).get(what)
    return (f"From a random sample of {count(int(many), 'segment')}.",) if many else ()


def behaviour_rules(atlas: Atlas, chapter: str, kind: Kind) -> str:
    """The rules by which a head of this kind has a behaviour, with numbers: those that can fit it."""
    can = [
        rule
        for rule in rules(atlas.has("to_class", "cls", chapter=chapter))
        if nonzero(measure(atlas, chapter, kind, rule.statistic, rule.group))
    ]
    shares: dict[float, list[str]] = {}
    for rule in can:
        if rule.statistic != "entropy":
            shares.setdefault(rule.above, []).append(behaviour_name(rule.behaviour))
    texts = [f"{_or(names)}, more than {above:g} of its attention" for above, names in shares.items()]
    texts += [
        f"broad, an entropy above {threshold(rule, kind, even_of(atlas, chapter)):.2f} nats"
        for rule in can
        if rule.statistic == "entropy"
    ]
    text = "; ".join(texts)
    return f"{text[:1].upper()}{text[1:]}." if text else ""


def even_of(atlas: Atlas, chapter: str) -> EvenEntropy | None:
    """The entropies of even attention; None where the original's threshold holds unmodified."""
    about = atlas.about(chapter)
    corpus = about.get("corpus") or {}
    if about.get("faithful", (about.get("settings") or {}).get("faithful", False)):
        return None
    log_length = float(corpus.get("mean_log_length", CLARK_LENGTH_LOG))
    length = math.exp(log_length)
    return EvenEntropy(log_length, float(corpus.get("mean_log_visible", math.lgamma(length + 1) / length)))


def _or(names: list[str]) -> str:
    return " or ".join([", ".join(names[:-1]), names[-1]]) if len(names) > 1 else names[0]


MOST = 4
SLIGHT = 0.25  # where no head gives a larger share than this, there are better heads to look at


@dataclass(frozen=True)
class Trait:
    """What a head can be strongest in; `seen` says whether a map of these keys can show it. Names are
    superlatives: a head that gives most to [SEP] may still give little."""

    name: str
    statistic: str
    group: str
    seen: Callable[[Sequence[str]], bool] = lambda keys: len(keys) > 1
    share: Callable[[Floats, Sequence[str]], float] | None = None  # how much of it a map shows, where it can


@dataclass(frozen=True)
class Informative:
    trait: Trait
    head: Head
    value: str
    rank: int = 1  # among all heads, by the trait

    @property
    def name(self) -> str:
        """most to punctuation; third most to punctuation, of a head that two heads surpass"""
        ordinals = {1: "", 2: "second ", 3: "third "}
        return f"{ordinals.get(self.rank, f'{self.rank}th ')}{self.trait.name}"


def _is_separator(key: str) -> bool:
    return key in ("[SEP]", "</s>", "<sep>", "<|sep|>")


def _is_punctuation(key: str) -> bool:
    return strip_marks(key).strip() in PUNCTUATION


def _has(is_one: Callable[[str], bool]) -> Callable[[Sequence[str]], bool]:
    return lambda keys: any(map(is_one, keys))


def _on(is_one: Callable[[str], bool]) -> Callable[[Floats, Sequence[str]], float]:
    """The mean over rows of the weight on such keys."""
    return lambda weights, keys: float(weights[:, [is_one(key) for key in keys]].sum(-1).mean())


def _beside(offset: int) -> Callable[[Floats, Sequence[str]], float]:
    """The mean weight on the key at this offset; 0 where queries and keys are not the same tokens."""
    return lambda weights, keys: float(np.diagonal(weights, offset).mean()) if weights.size else 0.0


#: in order of interest; the first four that an atlas and its tokens can show, each with another head, and
#: those that no head does more than slightly after the others
TRAITS = (
    Trait("largest entropy", "entropy", "all"),
    Trait("most to the next token", "to_next", "", share=_beside(1)),
    Trait("most to [SEP]", "to_class", "sep", _has(_is_separator), _on(_is_separator)),
    Trait("most to punctuation", "to_class", "punct", _has(_is_punctuation), _on(_is_punctuation)),
    Trait("most to the previous token", "to_previous", "", share=_beside(-1)),
    Trait("most to the first token", "to_first", ""),
    Trait("most to itself", "to_self", "", share=_beside(0)),
    Trait("largest weight of a row", "largest", ""),
)


def informative_heads(
    atlas: Atlas,
    chapter: str,
    kind: Kind,
    keys: Sequence[str],
    map_of: Callable[[Head], Floats | None] = lambda head: None,
) -> list[Informative]:
    """Up to four heads of a kind, one a trait: where there are maps, heads whose map shows it."""
    chosen: list[Informative] = []
    measured = [(trait, measure(atlas, chapter, kind, trait.statistic, trait.group)) for trait in TRAITS]
    for trait, what in sorted(measured, key=lambda both: _slight(both[1])):
        if len(chosen) == MOST:
            break
        if what is None or not trait.seen(keys) or not np.nanmax(what.values) > 1e-6:
            continue
        head = _best_beside(what, [other.head for other in chosen], _map_check(trait, what, keys, map_of))
        if head is not None:
            unit = " nats" if what.in_nats else ""
            rank = 1 + int((what.values > what.values[head.layer, head.head]).sum())
            chosen.append(Informative(trait, head, f"{what.of(head)}{unit}", rank))
    return chosen


def _slight(what: Measure | None) -> bool:
    return what is not None and not what.in_nats and not np.nanmax(what.values) > SLIGHT


def _map_check(
    trait: Trait, what: Measure, keys: Sequence[str], map_of: Callable[[Head], Floats | None]
) -> Callable[[Head, float], bool]:
    """Whether the map of a head with this value shows the trait: half as strongly as the head has it overall,
    and the head has it half as strongly as the foremost."""
    largest = float(np.nanmax(what.values))

    def shows(head: Head, value: float) -> bool:
        weights = map_of(head)
        if trait.share is None or weights is None:
            return True
        return value >= 0.5 * largest and trait.share(weights, keys) >= 0.5 * value

    return shows


def _best_beside(what: Measure, taken: Sequence[Head], shows: Callable[[Head, float], bool]) -> Head | None:
    ranked = sorted(what.heads(), key=lambda row: -row[1])
    return next((head for head, value, _ in ranked if head not in taken and shows(head, value)), None)
