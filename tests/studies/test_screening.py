"""What is estimated before a sweep, and what a model without a loss is judged by, beside plain formulas."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
import transformers
from in_process import run_here
from scipy.stats import spearmanr
from torch import Tensor

import attlas
import reference
from attlas.address import Head
from attlas.corpora.batches import Batch, Tokens
from attlas.corpora.halves import Half
from attlas.edits import zero
from attlas.edits.head_edit import HeadEdit
from attlas.errors import AttlasError
from attlas.options import BatchOptions, TextOptions
from attlas.studies.disabling.disable_study import Disable, mean_outputs
from attlas.studies.disabling.evaluation import loss_evaluation
from attlas.studies.disabling.screening import halves_of, screen
from attlas.subject import Subject
from attlas.subject.embedding import Embedded, embedding, pooling_of
from attlas.subject.losses import objective
from attlas.tap import Tap
from compared import Compared
from made_models import classifier
from zoo import ZOO, inputs_for


def read(subject: Subject, segments: int = 12, length: int = 20) -> Any:
    text = TextOptions(segments=segments, length=length)
    return loss_evaluation(subject, text, BatchOptions(batch=3))


def in_float64(subject: Subject) -> Subject:
    more = {"add_pooling_layer": False} if type(subject.model).__name__ == "BertModel" else {}
    model: Any = type(subject.model)(subject.model.config, **more)
    model.load_state_dict(subject.model.state_dict())
    return Subject(model.double(), subject.tokenizer, "float64")


@pytest.mark.parametrize("edit", ["mean", "zero"])
@pytest.mark.reference("estimated_effect")
def test_an_estimate_is_the_slope_of_the_loss_towards_the_edit(
    subject_of: Callable[[str], Subject], edit: str, compared: Compared
) -> None:
    """By a central difference in float64, item by item, each head a small step towards the edit."""
    subject = subject_of("llama")
    source = read(subject, 4).source
    run = run_here(subject)
    means = mean_outputs(source, run, None)[0] if edit == "mean" else None
    estimated = screen(subject, source, means, run)
    exact = in_float64(subject)
    items = [i for shard in source.shards() for i in source.prepare(shard).items][: source.limit]
    for row in estimated.rows(edit):
        head = Head(row.kind, row.layer, row.head)
        goal = torch.zeros(1) if means is None else torch.as_tensor(means[head])
        slopes = []
        for item in items:
            (batch,) = source.batches(exact, [item])
            _, losses = objective(exact, batch, 0)
            up, down = (
                float(losses(_stepped(exact, batch, head, goal, step)).double()) for step in (0.05, -0.05)
            )
            slopes.append((up - down) / 0.1)
        documents = [item.id.document for item in items]
        value, stderr = reference.clustered(slopes, documents)
        compared(row.statistic, row.value, value, 5e-5)
        assert row.stderr == pytest.approx(stderr, abs=1e-4)


def _stepped(subject: Subject, batch: Batch, head: Head, goal: Tensor, step: float) -> Any:
    def stepped(output: Tensor, heads: Any) -> Tensor:
        return output + step * (goal.to(output) - output)

    with (
        torch.no_grad(),
        Tap(subject, edits=[HeadEdit("step", (head,), output=stepped)], kernel="eager") as tap,
    ):
        return tap.run(batch, predictions=True)


def test_heads_are_confirmed_on_documents_that_did_not_choose_them(
    subject_of: Callable[[str], Subject],
) -> None:
    subject = subject_of("llama")
    study = Disable(subject=subject, evaluation=read(subject), confirm=3)
    chapter = study.conclude(run_here(subject))
    _, choosing, judging = halves_of(study.source, 0, run_here(subject))
    first, second = (
        {i.id.document for shard in half.shards() for i in half.prepare(shard).items}
        for half in (choosing, judging)
    )
    assert first
    assert second
    assert not first & second
    tried, estimated = chapter.tables["disabled"], chapter.tables["screened"]
    assert len(estimated) == len(subject.heads)
    strongest = estimated.assign(size=estimated["estimate"].abs()).nlargest(3, "size")
    address = ["layer", "head"]
    assert set(map(tuple, tried[address].values)) == set(map(tuple, strongest[address].values))
    assert tried["documents"].max() <= len(second)
    assert {row.statistic for row in chapter.rows} == {"effect_on_loss", "estimated_effect"}


def test_the_larger_half_judges(mini: Subject) -> None:
    source = read(mini, 24).source
    items = [item.id for shard in source.shards() for item in source.prepare(shard).items]
    firsts = []
    for seed in range(4):
        _, choosing, judging = halves_of(source, seed, run_here(mini))
        sizes = [sum(len(half.prepare(s).items) for s in half.shards()) for half in (choosing, judging)]
        assert sizes[0] <= sizes[1]
        firsts.append(sum(map(Half(True, seed).holds, items)) > len(items) / 2)
    assert set(firsts) == {True, False}, "now the first half is the larger, now the other"


def test_screening_refuses_what_it_cannot_estimate(mini: Subject) -> None:
    with pytest.raises(AttlasError, match="confirm goes with the edits mean and zero"):
        attlas.disable(mini, edit="shuffle", confirm=2)
    with pytest.raises(AttlasError, match="leave out heads"):
        attlas.disable(mini, heads=["0.0"], confirm=2)


@pytest.fixture(scope="module")
def encoder(mini: Subject) -> Subject:
    """A tiny encoder without a head, as those that embed texts are."""
    torch.manual_seed(0)
    settings = {"hidden_size": 16, "num_attention_heads": 2, "num_hidden_layers": 2, "intermediate_size": 16}
    config = transformers.BertConfig(vocab_size=len(mini.tokenizer), initializer_range=0.4, **settings)
    return Subject(transformers.BertModel(config, add_pooling_layer=False), mini.tokenizer, "encoder")


@pytest.mark.reference("effect_on_output")
def test_an_encoder_is_judged_by_how_far_its_embeddings_move(encoder: Subject, compared: Compared) -> None:
    evaluation = read(encoder, 8)
    chapter = Disable(subject=encoder, evaluation=evaluation, edit="zero").conclude(run_here(encoder))
    exact = in_float64(encoder)
    items = [i for s in evaluation.source.shards() for i in evaluation.source.prepare(s).items]
    items = sorted(items[: evaluation.source.limit], key=lambda item: item.id)

    def embedded(edits: list[HeadEdit]) -> np.ndarray:
        rows = []
        for item in items:
            (batch,) = evaluation.source.batches(exact, [item])
            with torch.no_grad(), Tap(exact, edits=edits, kernel="eager") as tap:
                rows.append(tap.run(batch, predictions=True).last_hidden_state[0].mean(0).numpy())
        return np.array(rows) / np.linalg.norm(rows, axis=1, keepdims=True)

    plain, documents = embedded([]), np.array([item.id.document for item in items])
    for row in chapter.tables["disabled"].to_dict("records"):
        edited = embedded([zero(Head(row["kind"], row["layer"], row["head"]))])
        moved = 1 - (plain * edited).sum(1)
        value, stderr = reference.clustered(moved.tolist(), documents.tolist())
        assert row["change"] == pytest.approx(value, abs=1e-6)
        assert row["stderr"] == pytest.approx(stderr, abs=1e-6)
        kept = []
        for place in range(len(items)):
            others = documents != documents[place]
            before, after = (vectors[others] @ vectors[place] for vectors in (plain, edited))
            kept.append(spearmanr(before, after).statistic)
        assert row["order"] == pytest.approx(np.mean(kept), abs=1e-4)
    for row in chapter.rows:
        edited = embedded([zero(Head(row.kind, row.layer, row.head))])
        compared(row.statistic, row.value, (1 - (plain * edited).sum(1)).mean(), 1e-6)


def test_a_classifier_without_labels_is_judged_by_its_own_answers(mini: Subject) -> None:
    subject = classifier(mini, "bert", 3)
    result = attlas.disable(subject, heads=["layer 0"], segments=4, length=16, edit="zero", progress=False)
    (row,) = result.together.to_dict("records")
    assert row["score"] == "answers"
    assert row["change"] > 0
    assert "no labels" in result.notes[0]


@pytest.mark.parametrize("pooling", ["mean", "cls", "last", "max"])
def test_pooling_does_not_see_padding(encoder: Subject, pooling: Any) -> None:
    hidden = torch.randn(2, 4, 3, generator=torch.Generator().manual_seed(0))
    real = torch.tensor([[True] * 4, [False, True, True, False]])
    embedded = Embedded(Tokens(real, {}, None), pooling)(type("Output", (), {"last_hidden_state": hidden}))
    alone = hidden[1, 1:3]
    plain = {"mean": alone.mean(0), "cls": alone[0], "last": alone[-1], "max": alone.amax(0)}[pooling]
    torch.testing.assert_close(embedded[1], plain / plain.norm())


@pytest.mark.parametrize(
    ("modules", "settings", "pooling"),
    [
        (None, None, "mean"),
        ([{"path": "1_Pooling", "type": "a.Pooling"}], {"pooling_mode_cls_token": True}, "cls"),
        ([{"path": "../../etc", "type": "a.Pooling"}], {"pooling_mode_lasttoken": True}, "last"),
        ({"path": 3}, [], "mean"),
        (None, {"pooling_mode_cls_token": True, "pooling_mode_mean_tokens": True}, "mean"),
    ],
)
def test_pooling_is_what_the_folder_says(
    encoder: Subject, tmp_path: Path, modules: Any, settings: Any, pooling: str
) -> None:
    (tmp_path / "1_Pooling").mkdir()
    for name, value in (("modules.json", modules), ("1_Pooling/config.json", settings)):
        if value is not None:
            (tmp_path / name).write_text(json.dumps(value))
    origin: Any = type("Origin", (), {"model": str(tmp_path)})
    subject = Subject(encoder.model, encoder.tokenizer, "named", origin)
    assert pooling_of(subject) == pooling
    batch = subject.annotate(inputs_for(ZOO["bert"], "right"))
    assert embedding(subject, batch)[1].pooling == pooling
