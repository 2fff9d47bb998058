"""Trees whose heads one attention head knows: what probes must find."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from pathlib import Path

import numpy as np

from attlas.corpora.source import ItemId
from attlas.studies.trees.recorded_features import (
    SPECIAL,
    FeatureLayout,
    RecordedFeatures,
    Shape,
    prepare_files,
)
from attlas.studies.trees.training import TreebankPart
from attlas.studies.trees.treebank import SentenceTree
from attlas.studies.word_vectors import WordVectors

HEADS = 3


def all_trees(words: int) -> list[tuple[int, ...]]:
    """Every assignment of heads that is a tree with one child of ROOT."""
    trees = []
    for heads in product(range(words + 1), repeat=words):
        if heads.count(0) != 1:
            continue
        reached = True
        for word in range(1, words + 1):
            at, steps = word, 0
            while at and steps <= words:
                at, steps = heads[at - 1], steps + 1
            reached &= at == 0
        if reached:
            trees.append(heads)
    return trees


def tree(*heads: int, words: str = "", relations: Sequence[str] = (), document: int = 0) -> SentenceTree:
    spelled = tuple(words.split()) or tuple(f"w{i}" for i in range(len(heads)))
    return SentenceTree(ItemId(document, 0), spelled, heads, tuple(relations) or ("dep",) * len(heads))


def planted(
    folder: Path, sentences: int, head: int = 1, name: str = "train", vectors: WordVectors | None = None
) -> TreebankPart:
    """Sentences in whose attention one head points from each word to its syntactic head, the root's to
    [SEP]."""
    generator = np.random.default_rng(sentences)
    trees = []
    for number in range(sentences):
        choices = all_trees(int(generator.integers(2, 5)))
        heads = choices[int(generator.integers(len(choices)))]
        words = " ".join(str(w) for w in generator.integers(0, 9, len(heads)))
        trees.append(tree(*heads, words=words, document=number))
    trees.sort(key=lambda t: (len(t.words), t.id))
    shape = Shape(HEADS, True, 1, 6)
    layout = FeatureLayout(shape, tuple(t.id for t in trees), tuple(len(t.words) for t in trees))
    files, _ = prepare_files(folder, name, layout, {})
    for array in layout.names:
        starts, numbers = layout.starts(array), files.open_file(array, "r+")
        for place, sentence in enumerate(trees):
            features = generator.random(shape.per_sentence(len(sentence.words))[array])
            if array == "attention":
                for word, to in enumerate(sentence.heads, SPECIAL):
                    features[word, :, head] = 0.01
                    features[word, to - 1 + SPECIAL if to else 1, head] = 1
            numbers[starts[place] : starts[place + 1]] = features.astype(np.float16).reshape(-1)
    files.finish()
    return TreebankPart(trees, RecordedFeatures(files), vectors)
