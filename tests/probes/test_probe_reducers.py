"""The reducer contract for the probes: every probe reducer, listed here once, keeps the promises of reducers.

They see words, so their batches come from `aligned_batches`; apart from that the promises are those of
tests/test_reducers.py.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path

import naive
import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

from attlas.corpora.alignment import aligned_batches, fits
from attlas.corpora.reading import annotated_corpus
from attlas.corpora.windows import Cut, Window, document_windows, sentence_windows
from attlas.errors import AttlasError
from attlas.probes.accuracy import LinkAccuracy
from attlas.probes.coreference import Antecedents
from attlas.probes.dependencies import Dependencies
from attlas.probes.features import feature_places, link_pairs, original_link_pairs, original_places
from attlas.probes.frames import frame_pairs, original_pairs
from attlas.probes.weights import WindowWeights, between_pairs, on_features
from attlas.reducers import Reducer
from attlas.subject import Subject
from attlas.tap import Tap

DATA = Path(__file__).parent.parent / "data"
NAMES = {"to": "there", "from": "back"}


def links(ask: Callable[[Window], list[object]]) -> Callable[[Subject], Reducer]:
    return lambda subject: LinkAccuracy("links", ask, NAMES, rivals={"all": "+1", "obj": "-2"})  # type: ignore[arg-type]


#: every reducer of the probes, with the corpus that it is shown
REDUCERS: dict[str, tuple[str, Callable[[Subject], Reducer]]] = {
    "dependencies": ("treebank", links(Dependencies())),
    "coreference": (
        "documents",
        lambda s: LinkAccuracy("c", Antecedents(), NAMES, rivals={"all": "rules"}),  # type: ignore[arg-type]
    ),
    "features": ("treebank", lambda s: WindowWeights("f", "feature", on_features(feature_places))),
    "features, original": (
        "treebank",
        lambda s: WindowWeights("f", "feature", on_features(original_places(s.tokenizer))),
    ),
    "from [CLS]": (
        "treebank",
        lambda s: WindowWeights("c", "cls", on_features(feature_places, from_cls=True)),
    ),
    "word links": ("treebank", lambda s: WindowWeights("l", "link", between_pairs(link_pairs))),
    "word links, original": (
        "treebank",
        lambda s: WindowWeights("l", "link", between_pairs(original_link_pairs(s.tokenizer))),
    ),
    "frames": ("frames", lambda s: WindowWeights("f", "frame", between_pairs(frame_pairs))),
    "frames, original": (
        "frames",
        lambda s: WindowWeights("f", "frame", between_pairs(original_pairs(s.tokenizer))),
    ),
}
SUBJECTS = ("mini", "llama", "t5", "mpnet")


def windows_of(corpus: str, subject: Subject, count: int = 6) -> list[Window]:
    fit = fits(subject, 48)
    if corpus == "treebank":
        found = sentence_windows(annotated_corpus(None).read(), fit, Cut(), shortest=4, longest=16)
    elif corpus == "documents":
        found = document_windows(annotated_corpus(DATA / "gum").read(), fit, Cut())
    else:
        found = sentence_windows(
            annotated_corpus(DATA / "framenet_v17").read(), fit, Cut(), "raw", longest=14
        )
    return [w for w, _ in zip(found, range(count), strict=False)]


def observe(subject: Subject, reducer: Reducer, windows: Sequence[Window], together: bool = True) -> Reducer:
    with Tap(subject, [reducer], kernel="eager") as tap:
        for batch in aligned_batches(subject, windows, weight_bytes=2**28 if together else 1):
            tap.run(batch)
    return reducer


def assert_same(found: Reducer, expected: Reducer, tolerance: float) -> None:
    have, want = found.state(), expected.state()
    assert have.keys() == want.keys()
    for key in want:
        np.testing.assert_allclose(
            have[key], want[key], rtol=0, atol=tolerance * max(1, np.abs(want[key]).max())
        )
    assert sorted(r[:5] for r in found.result()) == sorted(r[:5] for r in expected.result())


@pytest.mark.parametrize("subject", SUBJECTS)
@pytest.mark.parametrize("name", REDUCERS)
def test_batch_size_padding_and_order_do_not_matter(
    name: str, subject: str, subject_of: Callable[[str], Subject]
) -> None:
    model = subject_of(subject)
    corpus, make = REDUCERS[name]
    windows = windows_of(corpus, model)
    one_by_one = observe(model, make(model), windows, together=False)
    together = observe(model, make(model), windows[::-1])
    if not (subject in ("llama", "mpnet") and name == "from [CLS]"):  # no [CLS] there to look from
        assert one_by_one.result()
    assert_same(together, one_by_one, 1e-5)


@pytest.mark.parametrize("name", REDUCERS)
def test_merging_is_associative_and_commutative(name: str, mini: Subject) -> None:
    corpus, make = REDUCERS[name]
    windows = windows_of(corpus, mini)

    def part(i: int) -> Reducer:
        return observe(mini, make(mini), windows[i::3])

    left, right, whole = part(0), part(2), make(mini)
    left.merge(part(1))
    left.merge(part(2))
    right.merge(part(1))
    right.merge(part(0))
    for i in range(3):
        whole.merge(part(i))
    assert_same(right, left, 1e-12)
    assert_same(whole, left, 1e-12)
    assert_same(left, observe(mini, make(mini), windows), 1e-5)


@pytest.mark.parametrize("name", REDUCERS)
def test_state_survives_a_file(name: str, mini: Subject, tmp_path: Path) -> None:
    corpus, make = REDUCERS[name]
    reducer = observe(mini, make(mini), windows_of(corpus, mini))
    save_file({k: np.ascontiguousarray(v) for k, v in reducer.state().items()}, tmp_path / "state")
    again = make(mini)
    again.restore(load_file(tmp_path / "state"))
    assert_same(again, reducer, 0)
    values = [np.array([r[5:] for r in sorted(of.result())], dtype=float) for of in (again, reducer)]
    np.testing.assert_array_equal(*values)


@pytest.mark.parametrize("subject", ["mini", "llama", "t5"])
@pytest.mark.parametrize(
    "ask", [Dependencies(), Antecedents(), Antecedents("words")], ids=["head", "mention", "word"]
)
def test_accuracy_equals_the_reference(
    ask: Callable[[Window], list[object]], subject: str, subject_of: Callable[[str], Subject]
) -> None:
    model = subject_of(subject)
    windows = (
        windows_of("treebank", model) if isinstance(ask, Dependencies) else windows_of("documents", model, 2)
    )
    reducer = LinkAccuracy("links", ask, NAMES)  # type: ignore[arg-type]
    found = {r[:5]: r for r in observe(model, reducer, windows).result()}
    counts: dict[tuple[object, ...], list[tuple[int, int]]] = defaultdict(list)
    for window in windows:
        for key, pair in naive.answers(model, window, ask(window)).items():  # type: ignore[arg-type]
            counts[key].append(pair)
    assert found.keys() == counts.keys()
    for key, pairs in counts.items():
        right, all_ = (sum(p[i] for p in pairs) for i in (0, 1))
        assert found[key].value == pytest.approx(right / all_), key  # type: ignore[index]
        assert found[key].n == len(pairs)  # type: ignore[index]
        residuals = [r - right / all_ * n for r, n in pairs]
        if len(pairs) > 1:
            stderr = np.sqrt(np.square(residuals).sum() * len(pairs) / (len(pairs) - 1)) / all_
            assert found[key].stderr == pytest.approx(stderr, abs=1e-9)  # type: ignore[index]


@pytest.mark.parametrize("subject", ["mini", "llama", "t5"])
@pytest.mark.parametrize("name", ["features", "from [CLS]", "word links", "frames"])
def test_weights_equal_the_reference(name: str, subject: str, subject_of: Callable[[str], Subject]) -> None:
    model = subject_of(subject)
    corpus, make = REDUCERS[name]
    windows = windows_of(corpus, model)
    found = observe(model, make(model), windows).result()
    values: dict[tuple[object, ...], list[float]] = defaultdict(list)
    for window in windows:
        for key, value in naive.weights(model, window, name).items():
            values[key].append(value)
    assert {(*r[:3], r.group, r.statistic.partition("_")[2]) for r in found} == set(values)
    for row in found:
        own = values[row.kind, row.layer, row.head, row.group, row.statistic.partition("_")[2]]
        assert row.n == len(own)
        assert row.value == pytest.approx(np.mean(own), abs=2e-5), row


def test_a_batch_without_words_is_refused(mini: Subject) -> None:
    for _, make in REDUCERS.values():
        with pytest.raises(AttlasError, match="needs words"), Tap(mini, [make(mini)]) as tap:
            tap.run(mini.encode("The cat sat."))
