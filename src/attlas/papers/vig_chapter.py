"""The chapter of Vig's own sentences: which head shows each of his six patterns best."""

from __future__ import annotations

import numpy as np
import pandas as pd

from attlas.atlas.chapter import Chapter
from attlas.papers.vig_maps import PATTERNS, SENTENCES, TwoSentences, even, scores
from attlas.subject import Subject
from attlas.subject.recorded import RecordedModel
from attlas.tap.capture import capture

NAME = "vig2019-sentences"
COLUMNS = ["pattern", "kind", "layer", "head", "score", "even", "heads", "first"]


def vig_chapter(subject: Subject) -> Chapter:
    """A row a pattern: its best head, the score, what even attention would score, and whether the first token
    stands in for delimiters; and that head's map. Recorded attention speaks of the text that it has."""
    kind = subject.kinds[0]
    if isinstance(subject.model, RecordedModel):
        _, spelled = subject.model.recording.texts[0]
        tokens, weights = tuple(spelled), np.asarray(subject.model.recording.weights(0))
        layers = list(range(len(weights)))
    else:
        batch = subject.encode(*SENTENCES)
        ids = batch.keys(kind).ids
        assert ids is not None  # the batch is text
        tokens = tuple(str(t) for t in subject.tokenizer.convert_ids_to_tokens(ids[0].tolist()))
        calls = [call for call in capture(subject, batch) if call.kind == kind]
        weights, layers = np.stack([c.weights.float().cpu().numpy() for c in calls]), [c.layer for c in calls]
    named = set(subject.tokenizer.all_special_tokens)
    special = frozenset(place for place, token in enumerate(tokens) if token in named)
    text = TwoSentences(tokens, _second(tokens, special), special, causal=kind == "decoder")
    rows, maps = [], {}
    for number in PATTERNS:
        of_heads = scores(weights, text, number)
        if np.isnan(of_heads).all():
            continue
        layer, head = np.unravel_index(int(np.nanargmax(of_heads)), of_heads.shape)
        best = float(of_heads[layer, head])
        maps[f"pattern_{number}"] = np.asarray(weights[layer, head], np.float32)
        by_chance, first = even(text, number), number == 6 and not special
        rows.append((number, kind, layers[layer], int(head), best, by_chance, of_heads.size, first))
    about = {
        "study": "vig2019",
        "faithful": False,
        "corpus": {"name": "Vig's sentences", "tokens": list(tokens)},
        "counts": {"segments": 1, "tokens": len(tokens)},
    }
    return Chapter(NAME, about, (), {"vig_sentences": pd.DataFrame(rows, columns=COLUMNS)}, maps)


def _second(tokens: tuple[str, ...], special: frozenset[int]) -> int:
    """Where the second sentence begins: after the separator between them, or after the first full stop."""
    between = [place for place in sorted(special) if 0 < place < len(tokens) - 1]
    stops = [place for place, token in enumerate(tokens[:-1]) if token.endswith(".")]
    return (between or stops or [len(tokens) // 2])[0] + 1
