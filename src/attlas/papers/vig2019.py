"""Vig 2019, "Deconstructing BERT: Distilling 6 Patterns from 100 Million Parameters": his six patterns as he
states them, on his own two sentences."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from attlas.address import Kind
from attlas.atlas.chapter import Chapter
from attlas.atlas.untrained_heads import Untrained
from attlas.corpora.batches import Batch
from attlas.edits import Edit
from attlas.errors import option
from attlas.papers.paper_evidence import PaperEvidence, degrees_of_row
from attlas.papers.paper_items import NO_DATA, OF_A_DECODER, Measured, PaperItem, Reported
from attlas.statistics.hypotheses import student_interval
from attlas.studies.related_study import BEFORE, SYNONYMS
from attlas.studies.twins.twins import make_twins
from attlas.subject import Subject
from attlas.subject.recorded import RecordedModel
from attlas.subject.untrained import no_twin
from attlas.tap import capture

NAME = "vig2019-sentences"
COLUMNS = ["pattern", "kind", "layer", "head", "score", "even", "untrained", "heads", "first", "token"]
BESIDE_COLUMNS = ["pattern", "kind", "layer", "head", "value", "even"]
SENTENCES = ("I went to the store.", "At the store, I bought fresh strawberries.")
Targets = npt.NDArray[np.bool_]  # query key


@dataclass(frozen=True)
class TwoSentences:
    """The tokens of [CLS] A [SEP] B [SEP], or of A and B one after the other. In a `causal` text no token
    sees those after it."""

    tokens: tuple[str, ...]
    second: int  # where the second sentence begins
    special: frozenset[int]
    causal: bool = False

    @property
    def places(self) -> npt.NDArray[np.int64]:
        return np.arange(len(self.tokens))

    @property
    def ordinary(self) -> npt.NDArray[np.bool_]:
        return np.array([place not in self.special for place in range(len(self.tokens))])

    @property
    def visible(self) -> Targets:
        """Which keys each token sees (query key)."""
        size = len(self.tokens)
        every = np.ones((size, size), dtype=bool)
        return np.tril(every) if self.causal else every

    @property
    def same(self) -> Targets:
        """Whether two ordinary tokens are spelled alike; a token and itself are."""
        words = [token.lstrip("Ġ▁ ").lower() for token in self.tokens]
        alike = np.array([[a == b for b in words] for a in words])
        return alike & self.ordinary[:, None] & self.ordinary[None, :]

    @property
    def pieces_of_one_word(self) -> Targets:
        """Whether two different tokens are pieces of one word."""
        word, words = -1, []
        for place in range(len(self.tokens)):
            word += place in (*self.special, self.second) or not _continues_word(self.tokens, place)
            words.append(word)
        of_one = np.equal.outer(words, words) & ~np.eye(len(words), dtype=bool)
        return of_one & self.ordinary[:, None] & self.ordinary[None, :]


def _continues_word(tokens: Sequence[str], place: int) -> bool:
    """Whether a token continues the word before it, as its tokenizer marks that."""
    token, before = tokens[place], tokens[max(0, place - 1)]
    if any(t.startswith("##") for t in tokens):
        return token.startswith("##")
    if any(t.startswith(("Ġ", "▁", " ")) for t in tokens):
        return not token.startswith(("Ġ", "▁", " ")) and token[:1].isalnum() and before[-1:].isalnum()
    return False


def _next(text: TwoSentences) -> Targets:
    return np.eye(len(text.tokens), k=1, dtype=bool)


def _previous(text: TwoSentences) -> Targets:
    return np.eye(len(text.tokens), k=-1, dtype=bool)


def _other_sentence(text: TwoSentences) -> Targets:
    in_second = text.places >= text.second
    across: Targets = in_second[:, None] != in_second[None, :]
    return text.same & across


def _delimiters(text: TwoSentences) -> Targets:
    """[CLS] and [SEP]; in a decoder's text without such, the first token, where Vig saw GPT-2 rest."""
    resting = ~text.ordinary if text.special or not text.causal else text.places == 0
    return np.broadcast_to(resting, (len(text.tokens), len(text.tokens)))


#: number -> what Vig calls it, and the tokens that it means for each token
PATTERNS: Mapping[int, tuple[str, Callable[[TwoSentences], Targets]]] = {
    1: ("attention to the next word", _next),
    2: ("attention to the previous word", _previous),
    3: ("attention to identical or related words, the word itself too", lambda text: text.same),
    4: ("attention to identical or related words in the other sentence", _other_sentence),
    5: (
        "attention to other words that predict the word (pieces of one word)",
        lambda t: t.pieces_of_one_word,
    ),
    6: ("attention to delimiters", _delimiters),
}


def score_heads(
    weights: npt.NDArray[np.floating], text: TwoSentences, pattern: int
) -> npt.NDArray[np.float64]:
    """layer head: attention (layer head query key) on the targets, averaged over the tokens that see one and
    something else as well. NaN where no token does."""
    targets = PATTERNS[pattern][1](text) & text.visible
    asked = targets.any(1) & (text.visible & ~targets).any(1)
    if not asked.any():
        return np.full(weights.shape[:2], np.nan)
    on_targets = (weights.astype(np.float64) * targets).sum(-1)
    return np.asarray(on_targets[..., asked].mean(-1))


def clearest_token(weights: npt.NDArray[np.floating], text: TwoSentences, pattern: int) -> int:
    """The word that shows the pattern best in one head's map (query key): what his pictures select."""
    targets = PATTERNS[pattern][1](text) & text.visible
    asked = targets.any(1) & (text.visible & ~targets).any(1) & text.ordinary
    return int(np.where(asked, (weights * targets).sum(-1), -1.0).argmax())


def score_even_attention(text: TwoSentences, pattern: int) -> float:
    """Score attention that is even over the tokens in view."""
    seen = text.visible
    return float(score_heads((seen / seen.sum(1, keepdims=True))[None, None], text, pattern)[0, 0])


#: what he says of two patterns beside: number -> the claim, and what is measured of the pattern's best head
BESIDE: Mapping[int, str] = {
    1: "[SEP] disrupts the pattern: attention to the next token, less that from the first [SEP]",
    5: "the pattern leaks to [CLS]: attention to it, from all tokens",
}


def beside_pattern(weights: npt.NDArray[np.floating], text: TwoSentences, pattern: int) -> float:
    """What he says of a pattern beside, of one head's map (query key). NaN where it cannot be asked."""
    if pattern == 5 and 0 in text.special and not text.causal:
        return float(weights[:, 0].mean())
    between = [place for place in sorted(text.special) if 0 < place < len(text.tokens) - 1]
    if pattern == 1 and between and not text.causal:
        to_next = np.diagonal(weights, 1)
        return float(np.delete(to_next, between[0]).mean() - to_next[between[0]])
    return math.nan


def vig_chapter(subject: Subject) -> Chapter:
    """One row per pattern: its best head, the score, what even attention and the best head of an untrained
    twin would score, whether the first token stands in for delimiters, and the place of the token that shows
    it best; and that head's map. Rows `beside`
    have what he says of that head's pattern beside. Of recorded attention, its own text is read, and no twin
    can read it."""
    kind = subject.kinds[0]
    if isinstance(subject.model, RecordedModel):
        _, spelled = subject.model.recording.texts[0]
        tokens, weights = tuple(spelled), np.asarray(subject.model.recording.weights(0))
        layers, of_twins = list(range(len(weights))), []
    else:
        batch = subject.encode(*SENTENCES)
        ids = batch.keys(kind).ids
        assert ids is not None  # the batch is text
        tokens = tuple(str(t) for t in subject.tokenizer.convert_ids_to_tokens(ids[0].tolist()))
        weights, layers = _read_maps(subject, batch, kind)
        twins = [] if no_twin(subject) else make_twins(subject)
        of_twins = [_read_maps(twin.subject, batch, kind, twin.edits)[0] for twin in twins]
    named = set(subject.tokenizer.all_special_tokens)
    special = frozenset(place for place, token in enumerate(tokens) if token in named)
    text = TwoSentences(tokens, _find_second(tokens, special), special, causal=kind == "decoder")
    rows, asides, maps = [], [], {}
    for number in PATTERNS:
        of_heads = score_heads(weights, text, number)
        if np.isnan(of_heads).all():
            continue
        layer, head = _best(of_heads)
        best = float(of_heads[layer, head])
        maps[f"pattern_{number}"] = np.asarray(weights[layer, head], np.float32)
        by_chance, first = score_even_attention(text, number), number == 6 and not special
        scores = [score_heads(maps_of_twin, text, number) for maps_of_twin in of_twins]
        untrained = max((float(np.nanmax(of_twin)) for of_twin in scores), default=math.nan)
        at = number, kind, layers[layer], head
        token = clearest_token(weights[layer, head], text, number)
        rows.append((*at, best, by_chance, untrained, of_heads.size, first, token))
        if number in BESIDE:
            beside = beside_pattern(weights[layer, head], text, number)
            asides.append((*at, beside, 1 / len(tokens) if number == 5 else 0.0))
    about = {
        "study": "vig2019",
        "faithful": False,
        "corpus": {"name": "Vig's sentences", "tokens": list(tokens)},
        "counts": {"segments": 1, "tokens": len(tokens)},
    }
    tables = {
        "vig_sentences": pd.DataFrame(rows, columns=COLUMNS),
        "vig_beside": pd.DataFrame(asides, columns=BESIDE_COLUMNS),
    }
    return Chapter(NAME, about, (), tables, maps)


def _read_maps(
    subject: Subject, batch: Batch, kind: Kind, edits: Sequence[Edit] = ()
) -> tuple[npt.NDArray[np.floating], list[int]]:
    """layer head query key: the weights of one kind of heads, and the numbers of their layers."""
    calls = [call for call in capture(subject, batch, edits=edits) if call.kind == kind]
    return np.stack([call.weights.float().cpu().numpy() for call in calls]), [call.layer for call in calls]


def _best(of_heads: npt.NDArray[np.float64]) -> tuple[int, int]:
    layer, head = np.unravel_index(int(np.nanargmax(of_heads)), of_heads.shape)
    return int(layer), int(head)


def _find_second(tokens: tuple[str, ...], special: frozenset[int]) -> int:
    """Find where the second sentence begins: after the separator, or after the first full stop."""
    between = [place for place in sorted(special) if 0 < place < len(tokens) - 1]
    stops = [place for place, token in enumerate(tokens[:-1]) if token.endswith(".")]
    return (between or stops or [len(tokens) // 2])[0] + 1


TITLE = "Deconstructing BERT: Distilling 6 Patterns from 100 Million Parameters"
CITATION = (
    "Jesse Vig. 2019. Deconstructing BERT: Distilling 6 Patterns from 100 Million Parameters. Towards Data "
    "Science; and: A Multiscale Visualization of Attention in the Transformer Model. ACL 2019 (BertViz)."
)
#: number -> what Attlas calls it over a corpus, and what he says of the head: his text names the first alone
OVER_A_CORPUS: Mapping[int, tuple[str, str]] = {
    1: ("next", "seen by eye: layer 2, head 0"),
    2: ("previous", "seen by eye in a figure"),
    3: ("related", "seen by eye in a figure"),
    4: ("other_sentence", "seen by eye in a figure"),
    5: ("predictive", "seen by eye in a figure: straw and ##berries"),
    6: ("delimiter", "seen by eye in a figure"),
}
RELATED = 3  # identical or related words
NO_WORDNET = (
    f"{NO_DATA}: no WordNet: give a folder with its index.noun by {option('data')} "
    "(wordnet.princeton.edu), or nltk.download('wordnet')"
)
NO_NEXT_WORD = f"{OF_A_DECODER}: it does not see the next word"
FIRST_TOKEN = "a decoder has no delimiter here: the first token stands in its place"


def items(evidence: PaperEvidence) -> Iterator[PaperItem]:
    """Each of the six patterns: on his own sentences, over a corpus, and what he says of it beside."""
    for number, (title, _) in PATTERNS.items():
        reported = Reported(OVER_A_CORPUS[number][1])
        item = PaperItem(f"pattern {number}", title, reported, "pattern", perfect=1.0, unit="share")
        yield _measure_on_his_sentences(evidence, number, item)
        yield _measure_over_a_corpus(evidence, number, item)
        if number in BESIDE:
            yield _measure_beside(evidence, number, item.place)
        if number == RELATED:
            yield _measure_synonyms(evidence, item.place)


def _measure_on_his_sentences(evidence: PaperEvidence, number: int, item: PaperItem) -> PaperItem:
    item = replace(item, what=f"{item.what}: the best head on his own sentences")
    best = _row_of_pattern(evidence, "vig_sentences", number)
    if best is None:
        why = NO_NEXT_WORD if number == 1 else "this text has no word of two pieces"
        return replace(item, not_asked=why)
    untrained = float(best.get("untrained", math.nan))
    return replace(
        item,
        faithful=Measured(float(best["score"]), where=f"{best['layer']}.{best['head']}"),
        untrained=Measured(untrained) if math.isfinite(untrained) else None,
        chance=float(best["even"]),
        detail=FIRST_TOKEN if number == 6 and best.get("first") else "",
    )


def _row_of_pattern(evidence: PaperEvidence, table: str, number: int) -> Mapping[str, Any] | None:
    of_heads = evidence.table(table, "vig2019")
    rows = [] if of_heads is None else of_heads[of_heads["pattern"] == number].to_dict("records")
    return rows[0] if rows else None


def _measure_over_a_corpus(evidence: PaperEvidence, number: int, item: PaperItem) -> PaperItem:
    item = replace(item, what=f"{item.what}: the best head over a corpus")
    table, chapter = evidence.table("patterns", "patterns"), evidence.chapter("patterns")
    name = OVER_A_CORPUS[number][0]
    scored = set() if table is None else set(table["pattern"][np.isfinite(table["gain"])])
    rests = number == 6 and name not in scored and "sink" in scored
    name = "sink" if rests else name
    if table is None or chapter is None or name not in scored:
        causal = number == 1 and evidence.kind == "decoder"
        why = NO_NEXT_WORD if causal else f"{evidence.model} has no score for `{name}`"
        return replace(item, not_asked=why)
    rows = table[table["pattern"] == name]
    best = rows.loc[rows["strength"].idxmax()]
    null, gain = float(best["null"]), float(best["gain"])
    freedom = degrees_of_row(best)
    low, high = student_interval(gain, float(best["gain_stderr"]), freedom, among=len(rows))
    twins = Untrained.of(evidence.atlas, chapter)
    twin = None if twins is None else twins.gain(name, evidence.kind)
    known = best["documents"] if best["documents"] > 1 else best["n"]
    return replace(
        item,
        corrected=Measured.between(
            null + gain, null + float(low), null + float(high), f"{best['layer']}.{best['head']}", int(known)
        ),
        untrained=None
        if twin is None
        else Measured.between(null + twin.value, null + twin.low, null + twin.high),
        chance=null,
        p=float(best["p"]),
        detail=FIRST_TOKEN if rests else "",
    )


def _measure_synonyms(evidence: PaperEvidence, place: str) -> PaperItem:
    """What he wished for: heads that link synonyms, beyond what they give to words as frequent and as far."""
    item = PaperItem(
        place,
        "some head links synonyms: its weight, less that to other words as frequent and as far away",
        Reported("his wish: the pictures show the same words alone"),
        unit="share",
    )
    group = BEFORE if evidence.kind == "decoder" else SYNONYMS
    measured = evidence.best("related_weight_over_matched", group, study="related")
    return replace(item, **measured or {"not_asked": NO_WORDNET})


def _measure_beside(evidence: PaperEvidence, number: int, place: str) -> PaperItem:
    """What he says of a pattern beside, of the head that shows it best on his sentences."""
    item = PaperItem(place, BESIDE[number], Reported("seen by eye"), "share", unit="share")
    row = _row_of_pattern(evidence, "vig_beside", number)
    if row is None or not math.isfinite(float(row["value"])):
        return replace(item, not_asked="the text has no [CLS] or [SEP] to ask about, or no such pattern")
    if (
        _measure_on_his_sentences(evidence, number, replace(item, claim="pattern", perfect=1.0)).verdict
        != "holds"
    ):
        return replace(item, not_asked="no head shows the pattern here")
    where = f"{row['layer']}.{row['head']}"
    return replace(item, faithful=Measured(float(row["value"]), where=where), chance=float(row["even"]))
