"""What `attlas writes` says of every head equals what hooks show, in float64, one text at a time."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pytest
import torch
from rich.console import Console
from scipy.stats import spearmanr
from torch import Tensor

import attlas
import reference
from attlas.address import Head
from attlas.atlas.registry import REGISTRY
from attlas.corpora.batches import TokenClasses, collate
from attlas.corpora.segments import Segment
from attlas.corpora.source import ItemId
from attlas.errors import AttlasError
from attlas.figures import draw
from attlas.reducers import surface_by_norm
from attlas.reports.columns import Columns
from attlas.reports.evidence import Evidence
from attlas.reports.sentences import Sentences, sentence_text
from attlas.row import Row
from attlas.studies.writing.found_again import (
    BEYOND,
    ItemLogits,
    ShuffledTargets,
    found_again_sentence,
    found_again_table,
    shuffle_targets,
)
from attlas.studies.writing.logit_contributions import (
    LogitMeans,
    PartMeans,
    SentVectors,
    contributions,
    token_table,
)
from attlas.studies.writing.stream_writes import (
    GateMeans,
    LargestDimensions,
    StreamEntries,
    WriteLengths,
    entry_table,
)
from attlas.studies.writing.writes_study import entry_sentence, resting_sentence, resting_table
from attlas.subject import Subject
from attlas.subject.losses import TokenLosses, objective
from attlas.tap import Needs, Observation, Tap
from compared import Compared
from hooked import NAMES, Hooked
from listed import DECLARED, MORE_OFFSETS, OWN, observe
from zoo import ZOO, inputs_for

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
    table = resting_table(lengths, weights)
    assert list(table["rests"]) == ["both", "by weight", "by output", "neither"]
    assert table["on_sink_by_norm"].isna().all(), "nothing was measured by norm"


def test_a_separator_is_a_place_of_rest_as_the_first_token_is() -> None:
    lengths = [Row("encoder", 0, 0, "write_beside_layer", "", 1.0, 0.0, 1)]
    at_rest = (("to_first", ""), ("to_class", "sep"))
    weights = [Row("encoder", 0, 0, *which, 0.3, 0.0, 1) for which in at_rest]
    by_norm = [
        Row("encoder", 0, 0, f"norm_{name}", group, value, 0.0, 1)
        for (name, group), value in zip(at_rest, (0.25, 0.5), strict=True)
    ]
    table = resting_table([*lengths, *by_norm], weights)
    assert table["on_sink"].tolist() == [0.6]
    assert table["on_sink_by_norm"].tolist() == [0.75]
    assert table["rests"].tolist() == ["by weight"]


def test_the_sentence_on_rest_counts_heads_and_says_how_far_the_two_agree() -> None:
    table = pd.DataFrame(
        {
            "rests": ["both", "by weight", "by weight", "by output", "neither", "neither"],
            "on_sink": [0.9, 0.8, 0.6, 0.3, 0.2, 0.1],
            "on_sink_by_norm": [0.1, 0.2, 0.3, 0.1, 0.2, 0.2],
            "beside_layer": [0.1, 1.5, 0.9, 0.2, 2.0, 1.3],
        }
    )
    sentence = resting_sentence(table)
    agreement = spearmanr(table["on_sink"], table["beside_layer"]).statistic
    numbers = re.findall(r"[-+]?\d+(?:\.\d+)?", sentence)
    assert numbers == ["6", "3", "2", "1", "0.48", "0.18", f"{agreement:+.2f}"]
    for few in (table[:2], table.assign(on_sink=0.5)):
        assert "rank correlation" not in resting_sentence(few)
    assert "rank correlation" in resting_sentence(table[:3])


def test_the_sentence_on_the_stream_names_its_largest_entry_and_how_many_layers_have_massive_ones() -> None:
    rows = [(0, 1.5, 1.2, 30.0, 7, 0.5), (1, 900.0, 2.4, 3000.0, 11, 0.75), (2, 50.0, 2.0, 100.0, 3, 1.0)]
    table = pd.DataFrame(rows, columns=["layer", "first", "others", "medians", "dimension", "share"])
    table["kind"] = "decoder"
    (sentence,) = entry_sentence(table)
    numbers = re.findall(r"\d[\d,.]*\d|\d+", sentence)
    assert numbers == ["900.0", "1", "3,000", "11", "75", "2.4", "100", "2", "3"]
    (ordinary,) = entry_sentence(table[:1])
    assert re.findall(r"\d[\d,.]*\d|\d+", ordinary) == ["1.5", "0", "30", "7", "50", "1.2"]
    assert entry_sentence(table[:0]) == []


def test_the_notes_add_up_what_the_parts_of_a_model_give_to_a_logit(
    subject_of: Callable[[str], Subject],
) -> None:
    result = attlas.writes(subject_of("llama"), segments=3, length=16, progress=False)
    parts = result.parts
    (note,) = (note for note in result.notes if note.startswith("a target's logit is "))
    logit, heads, *others = (float(number) for number in re.findall(r"[-+]?\d+\.\d+", note))
    assert logit == pytest.approx(parts[parts["part"] == "logit"]["value"].item(), abs=0.006)
    assert heads == pytest.approx(parts[parts["part"] == "decoder heads"]["value"].sum(), abs=0.006)
    sums = [parts[parts["part"] == name]["value"].sum() for name in ("embeddings", "feed_forward", "biases")]
    assert others == pytest.approx(sums, abs=0.006)
    assert heads + sum(others) == pytest.approx(logit, abs=0.03)


def test_of_a_text_that_is_too_long_no_contributions_are_taken(
    subject_of: Callable[[str], Subject],
) -> None:
    with pytest.raises(AttlasError, match="tokens: contributions are taken of at most 512"):
        contributions(subject_of("llama"), "cat " * 520)


def test_a_token_beyond_the_tokenizer_is_written_by_its_number(subject_of: Callable[[str], Subject]) -> None:
    """An unembedding is often padded to a round number of rows."""
    llama = subject_of("llama")
    few = SimpleNamespace(unembedding=llama.unembedding, tokenizer=range(10), spell=llama.spell)
    assert llama.unembedding is not None
    weight = llama.unembedding.get_parameter("weight").detach().double()
    vector = weight[9] - weight[10]
    table = token_table(few, {Head("decoder", 0, 0): vector.numpy()})  # type: ignore[arg-type]
    added = weight @ vector
    strongest = (added - added.mean()).argsort(descending=True)
    for end, ids in (("raised", strongest[:8]), ("lowered", strongest.flip(0)[:8])):
        rows = table[table["end"] == end]
        assert rows["rank"].tolist() == list(range(8))
        assert rows["token"].tolist() == [llama.spell([i])[0] if i < 10 else f"<{i}>" for i in ids.tolist()]


def test_the_verb_has_every_head(subject_of: Callable[[str], Subject]) -> None:
    result = attlas.writes(subject_of("bert"), segments=6, length=24, progress=False)
    assert len(result.table) == 8
    of_bert = {*WRITES, *LOGITS, *NORMS} - {"norm_to_offset"}
    assert {row.statistic for row in result.rows} == of_bert
    assert set(result.tokens["end"]) == {"raised", "lowered"}
    assert all(statistic in REGISTRY for statistic in (*WRITES, *LOGITS))
    assert len(result.as_data()["heads"]) == 8


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_in_half_precision_heads_write_nearly_the_same(dtype: str, mini: Subject) -> None:
    exact = attlas.writes(mini, segments=2, length=16, progress=False).table
    table = attlas.writes("mini", dtype=dtype, segments=2, length=16, progress=False).table
    for column in ("write_length", "logit"):
        assert np.corrcoef(table[column], exact[column])[0, 1] > 0.99


def test_a_text_of_which_nothing_is_predicted_leaves_a_chapter_without_tokens(
    mini: Subject, tmp_path: Path
) -> None:
    text = tmp_path / "unknown.txt"
    text.write_text("\N{WOMAN} \N{MAN} \N{GIRL}\n" * 8, encoding="utf-8")
    attlas.writes(mini, text=text, segments=2, atlas=tmp_path / "one.attlas", progress=False)
    (table,) = (t for key, t in attlas.load_atlas(tmp_path / "one.attlas").tables.items() if "tokens" in key)
    assert len(table) == 0


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


@pytest.mark.reference("write_gate")
def test_a_gate_is_the_sigmoid_that_the_model_multiplies_a_heads_output_by(compared: Compared) -> None:
    """Qwen3-Next has the gate's input from the map that gives queries: a query and a gate for every head."""
    species = ZOO["qwen3_next"]
    subject = Subject(species.build(), None, "qwen3_next")
    inputs = {n: t for n, t in inputs_for(species, "right").items() if "mask" not in n}
    batch = subject.annotate({n: t.clamp(min=3) for n, t in inputs.items()})
    reducer = GateMeans()
    with Tap(subject, [reducer]) as tap:
        tap.run(batch)
    (layer,) = {head.layer for head in subject.heads}
    projected: list[Tensor] = []
    queries = subject.model.get_submodule(f"model.layers.{layer}.self_attn.q_proj")
    handle = queries.register_forward_hook(lambda *seen: projected.append(seen[2]))
    with torch.no_grad():
        subject.model(**batch.inputs)
    handle.remove()
    heads = len(subject.heads)
    _, gate = projected[0].double().unflatten(-1, (heads, -1)).chunk(2, -1)  # batch query head dim
    expected = gate.sigmoid().mean((0, 1, 3))
    rows = reducer.rows()
    assert len(rows) == heads
    for row in rows:
        assert row.layer == layer
        compared("write_gate", row.value, float(expected[row.head]), 1e-5)


@pytest.mark.parametrize("name", ["mini", "llama"])
def test_a_model_without_gates_has_no_such_row(name: str, subject_of: Callable[[str], Subject]) -> None:
    subject = subject_of(name)
    reducer = GateMeans()
    with Tap(subject, [reducer]) as tap:
        tap.run(subject.encode("The old town lies on the river."))
    assert not reducer.rows()


def test_the_largest_entries_of_the_stream_are_those_that_hooks_see(
    subject_of: Callable[[str], Subject], segments_of: Callable[..., list[Segment]]
) -> None:
    subject, segments = subject_of("llama"), segments_of(subject_of("llama"), 4)
    entries, dimensions = StreamEntries(), LargestDimensions()
    for reducer in (entries, dimensions):
        observe(subject, reducer, segments, 3)
    table = entry_table(entries, dimensions).set_index("layer")
    streams = [
        Hooked(subject.model, {"input_ids": torch.from_numpy(s.ids.astype(np.int64))[None]}) for s in segments
    ]
    for layer in range(2):
        absolute = [hooked.written(NAMES["llama"], layer)[1][0].abs() for hooked in streams]  # token model
        first = np.array([float(stream[0].max()) for stream in absolute])
        row = table.loc[layer]
        assert row["first"] == pytest.approx(first.mean(), rel=1e-5)
        assert row["stderr"] == pytest.approx(first.std(ddof=1) / 2, rel=1e-4)
        others = [float(stream[1:].max(-1).values.mean()) for stream in absolute]
        assert row["others"] == pytest.approx(np.mean(others), rel=1e-5)
        median = np.mean([float(stream.median(-1).values.mean()) for stream in absolute])
        assert row["median"] == pytest.approx(median, rel=1e-5)
        assert row["medians"] == pytest.approx(first.mean() / median, rel=1e-5)
        where = [int(stream[0].argmax()) for stream in absolute]
        assert where.count(int(row["dimension"])) / len(where) == row["share"] >= 1 / len(where)


def test_contributions_to_one_text_are_those_of_the_formula(
    subject_of: Callable[[str], Subject],
) -> None:
    subject = subject_of("llama")
    text = "The old town lies on the river."
    table = contributions(subject, text)
    ids = subject.encode(text).inputs["input_ids"]
    hooked = Hooked(subject.model, {"input_ids": ids})
    assert subject.unembedding is not None
    unembedding = subject.unembedding.get_parameter("weight").detach().double()
    asked = unembedding[ids[0, 1:]] - unembedding.mean(0)
    assert len(table) == 2 * 4 * (ids.shape[1] - 1)
    for layer in range(2):
        vectors, _ = hooked.written(NAMES["llama"], layer)
        added = (hooked.frozen(NAMES["llama"].final, vectors)[0, :-1] * asked[:, None]).sum(-1)  # token head
        for head in range(4):
            rows = table[(table["layer"] == layer) & (table["head"] == head)]
            np.testing.assert_allclose(rows["logit"], added[:, head], atol=1e-4)
            assert rows["position"].tolist() == list(range(len(asked)))
            assert rows["target"].tolist() == subject.spell(ids[0, 1:].tolist())


def test_in_an_encoder_each_token_is_masked_in_turn(mini: Subject) -> None:
    """The parts of a model add up to the logit: heads' contributions are those of a run with one mask."""
    text = "The old town lies on the river."
    table = contributions(mini, text)
    plain = mini.encode(text)
    ids = plain.inputs["input_ids"][0].tolist()
    assert table["position"].unique().tolist() == list(range(1, len(ids) - 1))
    assert table["target"][table["head"] == 0][:6].tolist() == mini.spell(ids[1:7])
    masked = {name: tensor.clone() for name, tensor in plain.inputs.items()}
    masked["input_ids"][0, 3] = mini.tokenizer.mask_token_id
    labels = torch.full_like(masked["input_ids"], -100)
    labels[0, 3] = ids[3]
    seen = Seen()
    with Tap(mini, [seen]) as tap:
        tap.run(mini.annotate(masked), TokenLosses(labels))
    for (_, layer), added in seen.heads.items():
        rows = table[(table["layer"] == layer) & (table["position"] == 3)]
        np.testing.assert_allclose(rows["logit"], added[0, 3], atol=1e-4)


class Seen:
    needs = Needs(direct=True)

    def update(self, observation: Observation) -> None:
        assert observation.direct is not None
        self.heads = observation.direct.heads


def test_a_sentence_is_shown_token_by_token(mini: Subject) -> None:
    result = attlas.writes(mini, segments=4, length=24, sentence="The old town.", progress=False)
    assert set(result.contributions["position"]) == {1, 2, 3, 4}
    console = Console(record=True, width=240)
    result.show(console)
    printed = console.export_text()
    assert "Token by token" in printed
    for _, rows in result.contributions.groupby("position"):
        order = rows.sort_values("logit", ascending=False, kind="stable").to_dict("records")
        assert f" {sum(row['logit'] for row in order):+.2f} " in printed
        for ends in (order[:3], order[::-1][:3]):
            assert ", ".join(f"{r['layer']}.{r['head']} {r['logit']:+.2f}" for r in ends) in printed


def test_the_card_says_what_a_head_writes(mini: Subject, tmp_path: Path) -> None:
    out = tmp_path / "mini.attlas"
    result = attlas.writes(mini, segments=4, length=24, atlas=out, progress=False)
    atlas = attlas.load_atlas(out)
    sentences = Sentences(Columns(atlas), Evidence(atlas))
    for row in result.table.to_dict("records"):
        place = atlas.addresses.index(Head(row["kind"], row["layer"], row["head"]))
        (said,) = (
            sentence_text(noted.sentence, [])
            for noted in sentences.card(place)[0]
            if str(noted.sentence[0]).startswith("Writes ")
        )
        assert f"Writes {row['write_beside_layer']:.2f} times as much as its layer's heads" in said
        assert f"(cosine {row['write_cosine']:+.2f})" in said
        assert ("it erases" in said) == (row["write_cosine"] <= -0.2)
        assert ("It rests" in said) == (row["rests"] != "neither")
        assert "Raises " in said


@pytest.mark.parametrize("name", ["mini", "llama"])
def test_a_view_by_norm_multiplies_weights_by_the_lengths_of_what_they_move(
    name: str, subject_of: Callable[[str], Subject]
) -> None:
    """As hooks show them; grouped queries share a value, and each has its own output map."""
    subject = subject_of(name)
    text = "The old town lies on the river."
    modules = {
        "mini": (
            "bert.encoder.layer.{}.attention.self.value",
            "bert.encoder.layer.{}.attention.output.dense",
        ),
        "llama": ("model.layers.{}.self_attn.v_proj", "model.layers.{}.self_attn.o_proj"),
    }
    values, outputs = modules[name]
    heads = 12 if name == "mini" else 4
    hooked = Hooked(subject.model, subject.encode(text).inputs)
    for layer in attlas.view(subject, text).maps[0].layers:
        output = hooked.weight(outputs.format(layer.layer)).unflatten(-1, (heads, -1))  # model head dim
        value = hooked.gave[values.format(layer.layer)][0].unflatten(-1, (-1, output.shape[-1]))
        value = value.repeat_interleave(heads // value.shape[1], 1)  # key head dim
        moved = torch.einsum("khd,mhd->hkm", value, output).norm(dim=-1)
        np.testing.assert_allclose(layer.value_norms, moved, rtol=1e-4)


@pytest.mark.parametrize("name", ["mini", "llama"])
def test_a_view_by_norm_has_the_numbers_of_the_statistics_of_its_text(
    name: str, subject_of: Callable[[str], Subject]
) -> None:
    subject = subject_of(name)
    text = "The old town lies on the river."
    reducer = surface_by_norm(subject.classes)
    with Tap(subject, [reducer]) as tap:
        tap.run(subject.encode(text))
    measured = {(r.layer, r.head, r.statistic, r.group): r.value for r in reducer.rows()}
    for layer in attlas.view(subject, text, weighting="norm").maps[0].layers:
        assert layer.value_norms is not None
        by_norm = layer.weights * layer.value_norms[:, None]  # head query key
        by_norm = by_norm / by_norm.sum(-1, keepdims=True)
        for head, rows in zip(layer.heads, by_norm, strict=True):
            shown = {
                ("norm_to_first", ""): rows[:, 0].mean(),
                ("norm_to_previous", ""): np.diagonal(rows, -1).mean(),
                ("norm_largest", ""): rows.max(-1).mean(),
                ("norm_entropy", "all"): -(rows * np.log(np.maximum(rows, 1e-30))).sum(-1).mean(),
            }
            for statistic, value in shown.items():
                assert measured[layer.layer, head, *statistic] == pytest.approx(value, abs=1e-5), statistic


def test_shuffled_targets_are_those_of_other_places_of_the_text(mini: Subject, segments_of: Any) -> None:
    batch = collate(mini, segments_of(mini, 3, 40))
    _, losses = objective(mini, batch, 2)
    assert isinstance(losses, TokenLosses)
    shuffled = shuffle_targets(losses, batch, 2)
    for labels, others in zip(losses.labels, shuffled, strict=True):
        there = labels != -100
        assert torch.equal(there, others != -100)
        assert sorted(labels[there].tolist()) == sorted(others[there].tolist())
        assert not torch.equal(labels, others)


@pytest.mark.parametrize("shuffled", [False, True])
def test_what_a_head_adds_in_each_text_averages_to_what_it_adds_over_texts(
    mini: Subject, segments_of: Any, shuffled: bool
) -> None:
    batch = collate(mini, segments_of(mini, 2, 20))
    kept, means = ItemLogits(), LogitMeans()
    prepared, losses = objective(mini, batch, 0)
    assert isinstance(losses, TokenLosses)
    labels = shuffle_targets(losses, batch, 0) if shuffled else losses.labels
    if shuffled:
        (seen,) = ShuffledTargets().observations(mini, iter([batch]))
        kept.update(seen)
    with Tap(mini, [means] if shuffled else [means, kept]) as tap:
        tap.run(prepared, TokenLosses(labels))
    by_layer = kept.by_item().reshape(2, 12, 12)  # item layer head
    for layer in range(12):
        expected = means.mean(f"encoder.{layer}").mean[:, 0]
        np.testing.assert_allclose(by_layer[:, layer].mean(0), expected, atol=1e-6)


def test_what_is_kept_of_a_corpus_does_not_depend_on_who_reads_it() -> None:
    ids = [ItemId(number, 0) for number in range(9)]
    numbers = torch.arange(9.0)[:, None]
    several = []
    for order in ([0, 1, 2, 3, 4, 5, 6, 7, 8], [8, 7, 1, 0, 2, 4, 3, 6, 5]):
        parts = [ItemLogits(most=4), ItemLogits(most=4)]
        for part, places in zip(parts, (order[:5], order[5:]), strict=True):
            part.add([ids[i] for i in places], numbers[places])
        parts[0].merge(parts[1])
        several.append(parts[0].state())
    assert len(several[0]["ids"]) == 4
    for name, kept in several[0].items():
        assert np.array_equal(kept, several[1][name])


def test_heads_are_found_again_where_they_add_to_targets_and_not_where_targets_are_shuffled() -> None:
    rng = np.random.default_rng(1)
    logits, shuffled = (
        SimpleNamespace(by_head=lambda v=v: v, ids=lambda: [ItemId(n, 0) for n in range(30)])
        for v in _made_effects(rng)
    )
    table = found_again_table(logits, shuffled, None, seed=0).set_index("way")  # type: ignore[arg-type]
    assert table.loc["direct contribution", ["tested", "tested_shuffled"]].tolist() == [6, 3]
    assert table.loc[BEYOND, "tested"] == 3
    assert table.loc[BEYOND, "tested_shuffled"] < 0.5
    assert table.loc[BEYOND, "again"] > table.loc[BEYOND, "by_chance"]
    said = found_again_sentence(table.reset_index())
    assert "finds 6 of 20 heads by direct contribution, and 3.0 with shuffled targets" in said


def _made_effects(rng: np.random.Generator) -> Iterator[np.ndarray[Any, Any]]:
    """head document: heads 0 to 2 add to their targets, and heads 3 to 5 to all words of a text."""
    for strengths in ([1.0] * 6 + [0.0] * 14, [0.0] * 3 + [1.0] * 3 + [0.0] * 14):
        yield np.array(strengths)[:, None] + rng.normal(0, 0.1, (20, 30))
