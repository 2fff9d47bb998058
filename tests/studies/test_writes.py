"""What `attlas writes` says of every head equals what hooks show, in float64, one text at a time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
import torch
from rich.console import Console
from torch import Tensor

import attlas
import reference
from attlas.address import Head
from attlas.atlas.registry import REGISTRY
from attlas.corpora.classes import TokenClasses
from attlas.corpora.segments import Segment
from attlas.errors import AttlasError
from attlas.figures import draw
from attlas.reducers import Row, surface_by_norm
from attlas.studies.writing.logit_means import LogitMeans, PartMeans, SentVectors, token_table
from attlas.studies.writing.write_lengths import WriteLengths
from attlas.studies.writing.writes_study import resting_table
from attlas.subject import Subject
from compared import Compared
from hooked import NAMES, Hooked
from listed import DECLARED, MORE_OFFSETS, OWN, observe

WRITES = ("write_length", "write_beside_layer", "write_cosine")
NORMS = tuple(f"norm_{name}" for name in DECLARED if "distance" not in name)
LOGITS = ("logit", "logit_largest", "logit_raises")


@dataclass
class Formula:
    """The numbers of each segment, from hooks: statistic -> segment layer head."""

    values: dict[str, np.ndarray]
    sent: Tensor  # layer head model: what heads send to the unembedding, on average
    parts: dict[str, np.ndarray]  # part -> segment


@pytest.fixture(scope="module")
def by_formula(subject_of: Callable[[str], Subject], segments_of: Callable[..., list[Segment]]) -> Formula:
    subject, names = subject_of("llama"), NAMES["llama"]
    assert subject.unembedding is not None
    table = subject.unembedding.get_parameter("weight").detach().double()
    values: dict[str, list[np.ndarray]] = {}
    parts: dict[str, list[float]] = {}
    sent, tokens = torch.zeros(2, 4, 32, dtype=torch.float64), 0
    for segment in segments_of(subject, 5):
        ids = torch.from_numpy(segment.ids.astype(np.int64))[None]
        hooked = Hooked(subject.model, {"input_ids": ids})
        asked = table[ids[0, 1:]] - table.mean(0)
        per_token, added = [], []
        for layer in range(2):
            vectors, stream = hooked.written(names, layer)
            lengths = vectors[0].norm(dim=-1)  # token head
            cosines = torch.cosine_similarity(vectors[0], stream[0, :, None], dim=-1)
            beside = lengths / lengths.mean(-1, keepdim=True)
            per_token.append(torch.stack([lengths / stream[0].norm(dim=-1)[:, None], beside, cosines]))
            normed = hooked.frozen(names.final, vectors)[0, :-1]
            sent[layer] += normed.sum(0)
            added.append((normed * asked[:, None]).sum(-1))
        tokens += len(asked)
        for name, value in zip(WRITES, torch.stack(per_token).mean(2).transpose(0, 1), strict=True):
            values.setdefault(name, []).append(value.numpy())
        logit = torch.stack(added)  # layer token head
        largest = logit == logit.amax((0, 2), keepdim=True)
        for name, value in zip(LOGITS, (logit, largest.double(), (logit > 0).double()), strict=True):
            values.setdefault(name, []).append(value.mean(1).numpy())
        for layer in range(2):
            fed = hooked.frozen(names.final, hooked.gave[names.feed_forward.format(layer)])[0, :-1]
            parts.setdefault(f"feed_forward.{layer}", []).append(float((fed * asked).sum(-1).mean()))
            parts.setdefault(f"decoder heads.{layer}", []).append(float(logit[layer].sum(-1).mean()))
        first = hooked.frozen(names.final, hooked.read[names.stream.format(0)])[0, :-1]
        parts.setdefault("embeddings", []).append(float((first * asked).sum(-1).mean()))
        whole = (hooked.read["lm_head"][0, :-1] * asked).sum(-1).mean()
        parts.setdefault("logit", []).append(float(whole))
    arrays = {name: np.array(several) for name, several in values.items()}
    return Formula(arrays, sent / tokens, {name: np.array(several) for name, several in parts.items()})


def compare_rows(rows: list[Row], expected: Formula, compared: Compared) -> None:
    for row in rows:
        by_segment = expected.values[row.statistic][:, row.layer, row.head]
        compared(row.statistic, row.value, by_segment.mean(), 1e-5)
        error = by_segment.std(ddof=1) / np.sqrt(len(by_segment))
        compared(row.statistic, row.stderr, error, 1e-5)


@pytest.mark.reference("write_length", "write_beside_layer", "write_cosine")
def test_lengths_and_directions_are_those_of_the_formula(
    by_formula: Formula,
    subject_of: Callable[[str], Subject],
    segments_of: Callable[..., list[Segment]],
    compared: Compared,
) -> None:
    subject = subject_of("llama")
    reducer = WriteLengths()
    observe(subject, reducer, segments_of(subject, 5), 3)
    rows = reducer.rows()
    assert {row.statistic for row in rows} == set(WRITES)
    compare_rows(rows, by_formula, compared)


@pytest.mark.reference("logit", "logit_largest", "logit_raises")
def test_contributions_to_logits_are_those_of_the_formula(
    by_formula: Formula,
    subject_of: Callable[[str], Subject],
    segments_of: Callable[..., list[Segment]],
    compared: Compared,
) -> None:
    subject = subject_of("llama")
    reducer = LogitMeans()
    observe(subject, reducer, segments_of(subject, 5), 3)
    rows = reducer.rows()
    assert {row.statistic for row in rows} == set(LOGITS)
    compare_rows(rows, by_formula, compared)
    assert sum(row.value for row in rows if row.statistic == "logit_largest") == pytest.approx(1)


@pytest.mark.reference("norm_to_previous", "norm_to_self", "norm_to_next", "norm_to_offset")
@pytest.mark.reference("norm_to_class", "norm_to_first", "norm_sep_to_sep", "norm_other_to_sep")
@pytest.mark.reference("norm_received", "norm_entropy", "norm_largest")
@pytest.mark.parametrize("kernel", ["eager", "tiled"])
def test_attention_by_norm_is_the_weight_times_the_length_of_what_it_moves(
    kernel: str,
    subject_of: Callable[[str], Subject],
    segments_of: Callable[..., list[Segment]],
    compared: Compared,
) -> None:
    """Of an encoder and of grouped queries, with the maps of values as hooks see them."""
    modules = {
        "mini": (
            "bert.encoder.layer.{}.attention.self.value",
            "bert.encoder.layer.{}.attention.output.dense",
        ),
        "llama": ("model.layers.{}.self_attn.v_proj", "model.layers.{}.self_attn.o_proj"),
    }
    for name, (values, outputs) in modules.items():
        subject = subject_of(name)
        heads = 12 if name == "mini" else 4
        expected: dict[tuple[int, int, str, str], list[float]] = {}
        for segment in segments_of(subject, 3):
            inputs = {"input_ids": torch.from_numpy(segment.ids.astype(np.int64))[None]}
            if name == "mini":
                inputs["token_type_ids"] = torch.from_numpy(segment.types.astype(np.int64))[None]
            hooked = Hooked(subject.model, inputs)
            for kind, layer, weights, queries, keys in reference.maps(subject, segment):
                output = hooked.weight(outputs.format(layer)).unflatten(-1, (heads, -1))  # model head dim
                value = hooked.gave[values.format(layer)][0].unflatten(-1, (-1, output.shape[-1]))
                value = value.repeat_interleave(heads // value.shape[1], 1)  # key head dim
                moved = torch.einsum("khd,mhd->hkm", value, output).norm(dim=-1).numpy()
                by_norm = weights * moved[:, None]
                by_norm = by_norm / by_norm.sum(-1, keepdims=True)
                of_segment = reference.statistics(by_norm, queries, keys, kind, faithful=False)
                for (statistic, group), by_head in of_segment.items():
                    if "distance" in statistic:  # those are taken of a sample, by weight alone
                        continue
                    for head, number in enumerate(by_head):
                        expected.setdefault((layer, head, f"norm_{statistic}", group), []).append(number)
        reducer = surface_by_norm(TokenClasses(subject.tokenizer, OWN), MORE_OFFSETS)
        observe(subject, reducer, segments_of(subject, 3), 3, kernel)
        rows = reducer.rows()
        assert {(r.layer, r.head, r.statistic, r.group) for r in rows} == set(expected)
        for row in rows:
            mean = np.mean(expected[row.layer, row.head, row.statistic, row.group])
            compared(row.statistic, row.value, mean, 2e-5 * max(1.0, abs(mean)))


def test_parts_and_tokens_are_those_of_the_formula(
    by_formula: Formula, subject_of: Callable[[str], Subject], segments_of: Callable[..., list[Segment]]
) -> None:
    subject = subject_of("llama")
    parts, sent = PartMeans(), SentVectors()
    for reducer in (parts, sent):
        observe(subject, reducer, segments_of(subject, 5), 3)
    table = parts.table()
    named = [
        f"{p}.{layer}" if layer >= 0 else p for p, layer in zip(table["part"], table["layer"], strict=True)
    ]
    assert named == [
        *("embeddings", "decoder heads.0", "feed_forward.0", "decoder heads.1", "feed_forward.1"),
        *("biases", "logit"),
    ]
    for name, value in zip(named, table["value"], strict=True):
        assert value == pytest.approx(by_formula.parts.get(name, np.zeros(1)).mean(), abs=1e-5)
    assert table["value"][:-1].sum() == pytest.approx(table["value"].iloc[-1], abs=1e-4)
    assert subject.unembedding is not None
    weight = subject.unembedding.get_parameter("weight").detach().double()
    tokens = token_table(subject, sent.means())
    for head in subject.heads:
        added = weight @ by_formula.sent[head.layer, head.head]
        added = added - added.mean()
        listed = tokens[(tokens["layer"] == head.layer) & (tokens["head"] == head.head)]
        for end, sign in (("raised", 1), ("lowered", -1)):
            values, ids = (sign * added).topk(8)
            of_end = listed[listed["end"] == end]
            np.testing.assert_allclose(of_end["by"], sign * values, atol=1e-4)
            assert of_end["token"].iloc[0] == subject.spell([int(ids[0])])[0]


def test_a_head_rests_by_weight_by_output_by_both_or_neither() -> None:
    def row(head: int, statistic: str, value: float) -> Row:
        return Row("decoder", 0, head, statistic, "", value, 0.0, 1)

    lengths = [row(h, "write_beside_layer", v) for h, v in enumerate((0.2, 1.6, 0.4, 1.8))]
    weights = [row(h, "to_first", v) for h, v in enumerate((0.9, 0.8, 0.1, 0.2))]
    assert list(resting_table(lengths, weights)["rests"]) == ["both", "by weight", "by output", "neither"]


def test_a_separator_is_a_place_of_rest_as_the_first_token_is() -> None:
    lengths = [Row("encoder", 0, 0, "write_beside_layer", "", 1.0, 0.0, 1)]
    at_rest = (("to_first", ""), ("to_class", "sep"))
    weights = [Row("encoder", 0, 0, *which, 0.3, 0.0, 1) for which in at_rest]
    table = resting_table(lengths, weights)
    assert table["on_sink"].tolist() == [0.6]
    assert table["rests"].tolist() == ["by weight"]


def test_the_verb_has_every_head(subject_of: Callable[[str], Subject]) -> None:
    result = attlas.writes(subject_of("bert"), segments=6, length=24, progress=False)
    assert len(result.table) == 8
    of_bert = {*WRITES, *LOGITS, *NORMS} - {"norm_to_offset"}
    assert {row.statistic for row in result.rows} == of_bert
    assert set(result.tokens["end"]) == {"raised", "lowered"}
    assert all(statistic in REGISTRY for statistic in (*WRITES, *LOGITS))
    assert len(result.as_data()["heads"]) == 8


@pytest.mark.reference("figure writes")
def test_the_figure_shows_every_head_where_the_table_has_it(
    subject_of: Callable[[str], Subject], tmp_path: Path, compared: Compared
) -> None:
    out = tmp_path / "bert.attlas"
    attlas.writes(subject_of("bert"), segments=6, length=24, atlas=out, figures=tmp_path, progress=False)
    assert (tmp_path / "figure-writes.svg").exists()
    atlas = attlas.load_atlas(out)
    (table,) = (table for name, table in atlas.tables.items() if name.endswith("/written"))
    by_norm, lengths = draw(atlas, "writes", "dark").axes[:2]
    (dots,) = by_norm.collections
    compared("figure writes", dots.get_offsets(), table[["on_sink", "on_sink_by_norm"]])
    drawn = np.concatenate([np.asarray(several.get_offsets()) for several in lengths.collections])
    expected = table[["on_sink", "beside_layer"]].to_numpy()
    compared("figure writes", drawn[np.lexsort(drawn.T)], expected[np.lexsort(expected.T)])


def test_what_is_shown_begins_with_a_sentence(subject_of: Callable[[str], Subject]) -> None:
    result = attlas.writes(subject_of("bert"), segments=6, length=24, progress=False)
    console = Console(width=160, record=True)
    with console.capture() as capture:
        result.show(console)
    shown = capture.get()
    assert shown.startswith("of 8 heads, ")
    assert "Raise the target's logit most" in shown


def test_an_encoder_decoder_has_writes_of_all_kinds_and_logits_of_its_decoder(
    subject_of: Callable[[str], Subject],
) -> None:
    result = attlas.writes(subject_of("t5"), segments=4, length=16, progress=False)
    kinds = {
        name: {row.kind for row in result.rows if row.statistic == name} for name in ("write_length", "logit")
    }
    assert kinds == {"write_length": {"encoder", "decoder", "cross"}, "logit": {"decoder", "cross"}}


def test_a_model_whose_attention_cannot_be_watched_is_refused_in_a_line(
    subject_of: Callable[[str], Subject],
) -> None:
    with pytest.raises(AttlasError, match=r"what heads write cannot be measured: mpnet does not use"):
        attlas.writes(subject_of("mpnet"), segments=4, length=16, progress=False)


def test_a_model_without_a_head_for_words_has_lengths_and_a_note(
    subject_of: Callable[[str], Subject],
) -> None:
    bert = subject_of("bert")
    bare = Subject(bert.model.bert, bert.tokenizer, "bare")  # type: ignore[union-attr,arg-type]
    result = attlas.writes(bare, segments=4, length=16, progress=False)
    assert not {row.statistic for row in result.rows} & set(LOGITS)
    assert any(
        note.startswith("no contributions to logits: bare has no language-model head")
        for note in result.notes
    )
    assert Head("encoder", 0, 0) in {Head(row.kind, row.layer, row.head) for row in result.rows}
