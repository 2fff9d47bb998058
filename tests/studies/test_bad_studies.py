"""What studies are given by mistake: models that are broken, texts without a sentence, edits without effect.
Each ends in one line that names the cause."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
import transformers

import attlas
from attlas.cli import main
from attlas.errors import AttlasError
from attlas.studies.study_result import NotWritten
from attlas.subject import Subject
from made_models import disturbed

SMALL: dict[str, Any] = {"segments": 2, "length": 16, "progress": False}


def tiny(mini: Subject, **changes: Any) -> Subject:
    """A BERT of two layers that reads with mini's tokenizer, to be broken."""
    shape = {"hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 16}
    torch.manual_seed(0)
    model = transformers.BertForMaskedLM(
        transformers.BertConfig(**shape, vocab_size=len(mini.tokenizer), **changes)
    )
    return Subject(model.to(mini.device).eval(), mini.tokenizer, "tiny")


def broken(mini: Subject, value: float) -> Subject:
    subject = tiny(mini)
    with torch.no_grad():
        subject.model.cls.predictions.bias.fill_(value)  # type: ignore[union-attr,operator]
    return subject


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_a_model_whose_output_is_not_a_number_is_told_from_an_edit_that_does_nothing(
    mini: Subject, value: float
) -> None:
    with pytest.raises(AttlasError, match=r"of tiny is not a number: its weights are broken"):
        attlas.disable(broken(mini, value), heads=["0.0"], **SMALL)


def test_shuffling_a_single_input_says_that_another_is_needed(mini: Subject) -> None:
    with pytest.raises(AttlasError, match="another input of the same length, and no other is as long"):
        attlas.disable(tiny(mini), heads=["0.0"], edit="shuffle", **{**SMALL, "segments": 1})


@pytest.mark.parametrize("verb", ["disable", "prune", "compare", "patterns"])
def test_a_text_that_cannot_be_read_is_said_with_the_reason(
    verb: str, subject_of: Callable[[str], Subject], tmp_path: Path
) -> None:
    text = tmp_path / "latin.txt"
    text.write_bytes(b"A caf\xe9.\n")
    models = [subject_of("bert"), *([disturbed(subject_of("bert"))] if verb == "compare" else [])]
    with pytest.raises(AttlasError, match=r"latin.txt holds no segment.*line 1: not UTF-8"):
        getattr(attlas, verb)(*models, text=text, length=16, progress=False)


def test_a_tokenizer_without_a_mask_is_not_called_a_missing_head(mini: Subject) -> None:
    subject = tiny(mini)
    bare = transformers.PreTrainedTokenizerFast(tokenizer_object=mini.tokenizer.backend_tokenizer)
    with pytest.raises(AttlasError, match="has no mask token"):
        attlas.disable(Subject(subject.model, bare, "maskless"), **SMALL)


def test_recorded_attention_cannot_be_disabled(tmp_path: Path) -> None:
    path = tmp_path / "a.npz"
    np.savez(path, attention=np.full((1, 2, 3, 3), 1 / 3, np.float32), tokens=np.array(["a", "b", "c"]))
    with pytest.raises(AttlasError, match="is recorded attention: without the model itself"):
        attlas.disable(path, progress=False)
    with pytest.raises(AttlasError, match="is recorded attention: without the model itself"):
        attlas.Tap(attlas.load(path), edits=[attlas.edit.uniform("0.0")])


def test_patterns_of_a_model_that_takes_too_few_tokens_to_repeat_any(mini: Subject) -> None:
    result = attlas.patterns(
        tiny(mini, max_position_embeddings=6), **{**SMALL, "length": 6}, hidden=0, maps=0
    )
    assert any("repeated tokens do not fit" in note for note in result.chapters[0].about["notes"])


def test_recorded_attention_reads_no_other_text(tmp_path: Path, mini: Subject) -> None:
    path = tmp_path / "a.npz"
    np.savez(path, attention=np.full((1, 2, 3, 3), 1 / 3, np.float32), tokens=np.array(["a", "b", "c"]))
    data = tmp_path / "x.tsv"
    data.write_text("a\tlabel\nx\t0\ny\t1\n")
    for call in (
        lambda: attlas.patterns(path, progress=False),
        lambda: attlas.compare(path, path, data=data, task="mine", columns=["a"], progress=False),
        lambda: attlas.load(path).encode("A text."),
        lambda: attlas.probe.dependencies(path, progress=False),
    ):
        with pytest.raises(AttlasError, match="is recorded attention"):
            call()


def test_numbers_that_would_never_end_are_refused_or_made_small(mini: Subject) -> None:
    from attlas.studies.pruning.prune_study import _removal_steps

    assert _removal_steps(4, 10**20) == _removal_steps(4, 4) == [1, 2, 3, 4]
    for random in (-1, 10**8):
        with pytest.raises(AttlasError, match=r"random_orders=.*: should be (greater|less) than or equal to"):
            attlas.prune(mini, random_orders=random)


def test_what_says_which_examples_are_read_needs_them(mini: Subject) -> None:
    for option, value in {"task": "RTE", "columns": ["a"], "label": "y", "regression": True}.items():
        with pytest.raises(AttlasError, match=f"^{option} says which examples"):
            attlas.compare(mini, mini, **{option: value})  # type: ignore[arg-type]


def test_a_smaller_model_that_cannot_be_written_does_not_lose_what_was_found(
    mini: Subject, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    subject = tiny(mini)

    def full(*_: Any, **__: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(type(subject.model), "save_pretrained", full)
    with pytest.raises(NotWritten, match="No space left on device") as stopped:
        attlas.prune(
            subject,
            keep=0.5,
            save=tmp_path / "m",
            orders=["gradient"],
            random_orders=0,
            **{**SMALL, "segments": 4},
        )
    assert len(stopped.value.result.table)  # type: ignore[attr-defined]
    assert list(tmp_path.iterdir()) == []


def test_a_comparison_that_cannot_be_drawn_is_not_lost(mini: Subject, tmp_path: Path) -> None:
    (tmp_path / "figures").mkdir()
    (tmp_path / "figures" / "compare-heads.svg").mkdir()  # in the way of a figure, which nobody foresees
    with pytest.raises(NotWritten, match=r"compare-heads.svg cannot be written: it is a folder") as stopped:
        attlas.compare(
            tiny(mini),
            tiny(mini),
            segments=2,
            length=16,
            figures=tmp_path / "figures",
            shapes=0,
            progress=False,
        )
    assert len(stopped.value.result.chapters) == 1  # type: ignore[attr-defined]


def test_a_list_of_names_in_python_is_checked_name_by_name(mini: Subject) -> None:
    for orders, said in (
        ("effect", "'str' instances are not allowed"),
        (["magic"], "should be 'effect', 'gradient' or 'greedy'"),
    ):
        with pytest.raises(AttlasError, match=said):
            attlas.prune(mini, orders=orders)  # type: ignore[arg-type]
    for segments in (None, "some", 2.5):
        with pytest.raises(AttlasError, match=r"segments=.*: should be a valid integer"):
            attlas.compare(mini, mini, segments=segments)  # type: ignore[arg-type]


def test_recorded_attention_has_no_fields(tmp_path: Path) -> None:
    path = tmp_path / "a.npz"
    np.savez(path, attention=np.full((1, 2, 3, 3), 1 / 3, np.float32), tokens=np.array(["a", "b", "c"]))
    with pytest.raises(AttlasError, match=r"field='x': .* is recorded attention"):
        attlas.map(path, field="x", atlas=tmp_path / "o", progress=False)


def test_a_tree_is_not_looked_for_in_what_is_not_a_number(mini: Subject, tmp_path: Path) -> None:
    subject = tiny(mini)
    with torch.no_grad():
        next(p for name, p in subject.model.named_parameters() if "1.attention.self.query" in name).fill_(
            np.nan
        )
    with pytest.raises(AttlasError, match="attention of the model is not a number"):
        attlas.probe.tree(subject, probes=["attention"], seeds=1, epochs=1, trained=tmp_path, progress=False)


def test_a_file_of_zero_bytes_is_not_viewed(mini: Subject, tmp_path: Path) -> None:
    (tmp_path / "x.txt").write_bytes(b"\0" * 50)
    with pytest.raises(AttlasError, match="not text: it has a zero byte"):
        main(
            ["view", "mini", "--file", str(tmp_path / "x.txt"), "--page", str(tmp_path / "x.html"), "--debug"]
        )
