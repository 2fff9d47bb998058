"""Attention that somebody else computed is studied as the model's own is: the same numbers come out."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import torch
from safetensors.numpy import save_file

import attlas
from attlas.cli import main
from attlas.corpora.text import text_corpus
from attlas.corpora.text_source import TextSource
from attlas.errors import AttlasError
from attlas.figures.head_measures import informative_heads
from attlas.subject import Subject
from attlas.tap import Tap
from test_models import Keep

ROOT = Path(__file__).parents[1]
TEXTS, LENGTH = 3, 16
NUMBERS = ["value", "stderr", "n", "documents", "effective"]
KEY = ["kind", "layer", "head", "statistic", "group"]
OPTIONS: dict[str, Any] = {"sample": TEXTS, "progress": False}


def recorded(subject: Subject) -> tuple[dict[str, Any], dict[str, list[str]]]:
    """What the model itself computes for the segments that a map takes, and their tokens."""
    source = TextSource(text_corpus(), subject.tokenizer, LENGTH, TEXTS, batch=1)
    arrays, tokens = {}, {}
    items = [item for shard in source.shards() for item in source.prepare(shard).items][:TEXTS]
    for number, batch in enumerate(source.batches(subject, items)):
        seen = Keep()
        with Tap(subject, [seen], kernel="eager") as tap:
            tap.run(batch)
        arrays[f"attention.{number}"] = torch.cat([seen.weights[k] for k in sorted(seen.weights)]).numpy()
        ids = next(iter(batch.sides.values())).ids
        assert ids is not None
        tokens[f"tokens.{number}"] = subject.tokenizer.convert_ids_to_tokens(ids[0].tolist())
    return arrays, tokens


def values(atlas: attlas.Atlas) -> pd.DataFrame:
    rows = atlas.heads[atlas.heads["statistic"] != "gradient"]
    return rows.set_index(KEY).sort_index()


@pytest.mark.parametrize("name", ["mini", "llama"])
def test_recorded_attention_gives_the_models_own_numbers(
    name: str, subject_of: Callable[[str], Subject], tmp_path: Path
) -> None:
    subject = subject_of(name)
    arrays, tokens = recorded(subject)
    np.savez(tmp_path / "x.npz", **arrays, **{key: np.array(listed) for key, listed in tokens.items()})
    options = {"segments": TEXTS, "length": LENGTH, **OPTIONS}
    with_twin = attlas.map(subject, atlas=tmp_path / "beside", **options)
    mapped = attlas.map(subject, atlas=tmp_path / "own", twin=False, **options)
    from_file = attlas.map(tmp_path / "x.npz", atlas=tmp_path / "found", **OPTIONS)
    ours, theirs = values(mapped), values(from_file)
    if name == "llama":  # it has mini's tokenizer, and its own [CLS] and [SEP] are in no segment
        ours = ours.loc[ours.index.intersection(theirs.index)]
    assert len(ours) > 100
    pd.testing.assert_frame_equal(ours[NUMBERS], theirs[NUMBERS], rtol=1e-4, atol=1e-6)
    # a recording has no untrained twin, which decides what heads are called, and no other number
    beside, alone = (
        atlas[atlas.index.get_level_values("statistic") != "behaviour"]
        for atlas in (values(with_twin), values(mapped))
    )
    pd.testing.assert_frame_equal(beside, alone)
    (kind,) = mapped.kinds
    for array in ("distances", "maps"):
        ours, theirs = mapped.array(f"{kind}.{array}"), from_file.array(f"{kind}.{array}")
        np.testing.assert_allclose(ours, theirs, rtol=1e-3, atol=2e-6)  # in half precision on disk


def test_the_two_kinds_of_files_hold_the_same(subject_of: Callable[[str], Subject], tmp_path: Path) -> None:
    arrays, tokens = recorded(subject_of("llama"))
    np.savez(tmp_path / "x.npz", **arrays, **{key: np.array(listed) for key, listed in tokens.items()})
    metadata = {key: json.dumps(listed) for key, listed in tokens.items()}
    save_file(arrays, tmp_path / "x.safetensors", metadata)
    tables = [
        values(attlas.map(tmp_path / f"x.{end}", atlas=tmp_path / end, **OPTIONS))
        for end in ("npz", "safetensors")
    ]
    pd.testing.assert_frame_equal(*tables)


def even(tokens: int = 3, layers: int = 1, heads: int = 2) -> Any:
    return np.full((layers, heads, tokens, tokens), 1 / tokens, np.float32)


def test_real_maps_of_gpt2(shared: Path, tmp_path: Path) -> None:
    """Head 4.11 of GPT-2 is known for looking at the previous token."""
    atlas = attlas.map(
        shared / "data" / "attention" / "gpt2_quick_brown_fox.npz", atlas=tmp_path / "a", progress=False
    )
    assert atlas.kinds == ("decoder",)
    grid = atlas.grid("to_previous")
    assert divmod(int(np.nanargmax(grid)), 12) == (4, 11)
    assert atlas.about()["notes"] == [
        f"no gradients: {shared / 'data' / 'attention' / 'gpt2_quick_brown_fox.npz'} is attention without "
        "its model",
        "no untrained twin was measured (it is recorded attention, without a model): chance is the only null",
    ]


def test_the_example_in_the_docs_gives_what_it_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    page = (ROOT / "docs" / "recorded.md").read_text()
    (code,) = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    monkeypatch.chdir(tmp_path)
    exec(code, {})
    with pytest.raises(SystemExit) as stopped:
        main(["map", "strawberries.npz", "--atlas", "strawberries.attlas"])
    assert not stopped.value.code
    assert capsys.readouterr().out.splitlines()[0] in page


def test_periods_are_known_with_a_space_before_them(tmp_path: Path) -> None:
    np.savez(tmp_path / "x.npz", attention=even(), tokens=np.array(["a", " .", "."]))
    atlas = attlas.map(tmp_path / "x.npz", atlas=tmp_path / "a", progress=False)
    np.testing.assert_allclose(atlas.grid("to_class", "punct"), 2 / 3, rtol=1e-6)


def test_heads_that_do_a_thing_slightly_are_not_shown_before_those_that_do_one(tmp_path: Path) -> None:
    """No head looks at [SEP] more than evenly; others look at a neighbour alone."""
    tokens = ["[CLS]", *"abcdefg", "[SEP]"]
    n = len(tokens)
    shifted = [np.roll(np.eye(n), by, axis=1) for by in (-1, 0, 1)]
    attention = np.stack([np.full((n, n), 1 / n), *shifted])[None].astype(np.float32)
    np.savez(tmp_path / "x.npz", attention=attention, tokens=np.array(tokens))
    atlas = attlas.map(tmp_path / "x.npz", atlas=tmp_path / "a", progress=False)
    shown = informative_heads(atlas, atlas.chapters[0], "encoder", tokens)
    assert [(informative.trait.name, str(informative.head)) for informative in shown] == [
        ("largest entropy", "0.0"),
        ("most to the next token", "0.3"),
        ("most to the previous token", "0.1"),
        ("most to itself", "0.2"),
    ]


def test_texts_are_chosen_by_number_in_a_view(tmp_path: Path) -> None:
    arrays = {"attention.0": even(2), "attention.1": even(3)}
    tokens = {"tokens.0": np.array(["a", "b"]), "tokens.1": np.array(["c", "d", "e"])}
    np.savez(tmp_path / "x.npz", **arrays, **tokens)
    shown = attlas.view(tmp_path / "x.npz", 1)
    assert "d" in shown.html()
    with pytest.raises(AttlasError, match="texts 0 to 1"):
        attlas.view(tmp_path / "x.npz", "2")


BAD = {
    "no attention": ({"other": even()}, "holds no attention"),
    "no tokens": ({"attention": even()}, "has no tokens"),
    "tokens that are numbers": ({"attention": even(), "tokens": np.arange(3)}, "has no tokens"),
    "too few tokens": ({"attention": even(), "tokens": np.array(["a"])}, "there are 1 tokens"),
    "scores": ({"attention": 5 * even(), "tokens": np.array(["a", "b", "c"])}, "rows must hold weights"),
    "nan": ({"attention": np.nan * even(), "tokens": np.array(["a", "b", "c"])}, "rows must hold weights"),
    "one layer": ({"attention": even()[0], "tokens": np.array(["a", "b", "c"])}, "layer, head, query, key"),
    "words": ({"attention": np.array(["x"]), "tokens": np.array(["a"])}, "has shape"),
    "objects": ({"attention": np.array([None]), "tokens": np.array(["a"])}, "cannot be read"),
}


@pytest.mark.parametrize("case", BAD)
def test_a_recording_that_is_none_says_what_it_lacks(case: str, tmp_path: Path) -> None:
    arrays, words = BAD[case]
    np.savez(tmp_path / "x.npz", **arrays)
    with pytest.raises(AttlasError, match=words):
        attlas.map(tmp_path / "x.npz", atlas=tmp_path / "a", progress=False)


def test_texts_of_two_models_are_refused(tmp_path: Path) -> None:
    arrays = {"attention.0": even(3, 1), "attention.1": even(3, 2)}
    tokens = {f"tokens.{n}": np.array(["a", "b", "c"]) for n in range(2)}
    np.savez(tmp_path / "x.npz", **arrays, **tokens)
    with pytest.raises(AttlasError, match="1 and 2 layers"):
        attlas.map(tmp_path / "x.npz", atlas=tmp_path / "a", progress=False)


def test_a_text_beside_a_recording_is_refused(tmp_path: Path) -> None:
    np.savez(tmp_path / "x.npz", attention=even(), tokens=np.array(["a", "b", "c"]))
    with pytest.raises(AttlasError, match="leave text out"):
        attlas.map(tmp_path / "x.npz", text="words.txt", atlas=tmp_path / "a", progress=False)


def test_a_recorded_view_knows_where_the_second_sentence_begins(tmp_path: Path) -> None:
    even = np.full((1, 1, 5, 5), 0.2)
    for name, tokens, begins in (
        ("two", ["[CLS]", "a", "[SEP]", "b", "[SEP]"], 3),
        ("roberta", ["<s>", "a", "</s>", "</s>", "b"], None),
        ("one", ["[CLS]", "a", "b", "c", "[SEP]"], None),
    ):
        np.savez(tmp_path / f"{name}.npz", attention=even, tokens=np.array(tokens))
        assert attlas.view(tmp_path / f"{name}.npz").scene["sides"]["encoder"]["b_start"] == begins
