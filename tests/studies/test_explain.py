"""Heads as sums of programs: what programs say of a text, by hand; a fit and a replacement in float64 from
hooks, without anything of Attlas; and what a model that knows nothing gets."""

from __future__ import annotations

import io
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from rich.console import Console
from scipy.optimize import nnls
from torch import Tensor

import attlas
from attlas.address import Head
from attlas.array_types import Floats
from attlas.corpora.batches import Batch, collate
from attlas.errors import AttlasError
from attlas.figures import draw
from attlas.reports.asking import stands_out
from attlas.reports.assembling import assemble
from attlas.reports.columns import Columns
from attlas.reports.evidence import Evidence
from attlas.reports.sentences import Sentences, claim_and_evidence
from attlas.studies.patterns.definitions import visible_keys
from attlas.studies.patterns.pattern_texts import annotate_batch
from attlas.studies.programs.explain_result import ExplainResult
from attlas.studies.programs.fitting import Fit, HeadSums, sums_of, weigh
from attlas.studies.programs.program_shares import COLUMNS, Fits, ProgramShares
from attlas.studies.programs.program_sums import ProgramSums, Reading, StreamLengths, reading_for
from attlas.studies.programs.program_tables import least_explained, say_sum, sentences
from attlas.studies.programs.program_vocabulary import Program, programs, spread_all
from attlas.studies.programs.replaced_heads import (
    BEST,
    LEAST,
    LEAST_MEAN,
    Scales,
    order_heads,
    replaced_sentences,
)
from attlas.studies.programs.replacing import Formula, ProgramSweep, Trial
from attlas.studies.programs.token_features import CLASSES
from attlas.subject import Subject
from attlas.subject.losses import objective
from attlas.tap.tap import Tap
from attlas.wording.numbers import format_percents
from attlas.wording.program_names import PROGRAMS
from compared import Compared
from hooked import Hooked

TEXT = "The Old town (1999) lies near. The river is old, the town older."
CHOSEN = ("previous", "sep", "broad", "duplicate", "last_mark")
HEADS = (Head("encoder", 3, 4), Head("encoder", 7, 0))


def look_back(tokens: list[str]) -> Floats:
    """A user's program: two tokens back."""
    return np.eye(len(tokens), k=-2)


def spreads(subject: Subject, text: str, causal: bool = False) -> tuple[list[str], dict[str, Tensor]]:
    """The tokens of a text, and program -> query key."""
    batch = subject.encode(text)
    reading = reading_for(subject)
    tokens = annotate_batch(subject, batch, None).texts["encoder"]
    visible = visible_keys(tokens.real, None, causal)
    made = spread_all(programs(), reading.text_of(tokens), visible)
    spelled = subject.tokenizer.convert_ids_to_tokens(batch.inputs["input_ids"][0].tolist())
    return spelled, dict(zip(PROGRAMS, made[:, 0], strict=True))


@pytest.mark.parametrize(
    ("program", "query", "keys"),
    [
        ("previous", 3, [2]),
        ("back_3", 5, [2]),
        ("ahead_2", 5, [7]),
        ("cls", 4, [0]),
        ("next_delimiter", 4, [-1]),
        ("last_stop", ("is", 0), [(".", 0)]),
        ("every_stop", ("is", 0), [(".", 0), (".", 1)]),
        ("last_comma", ("older", 0), [(",", 0)]),
        ("last_opener", ("9", 0), [("(", 0)]),
        ("last_number", ("near", 0), [("9", 0)]),
        ("duplicate", ("river", 0), []),
        ("last_duplicate", ("town", 1), [("town", 0)]),
        ("last_induction", ("old", 1), [("town", 0)]),
        ("before_same", ("town", 1), [("old", 0)]),
        ("sentence_start", ("river", 0), [("the", 1)]),
        ("last_sentence", ("river", 0), range(1, 10)),
    ],
)
def test_programs_look_where_their_words_say(mini: Subject, program: str, query: Any, keys: Any) -> None:
    tokens, made = spreads(mini, "the old town ( 9 ) lies near . the river is old , the town older .")

    def place(of: Any) -> int:
        if isinstance(of, int):
            return of % len(tokens)
        word, which = of
        return [i for i, token in enumerate(tokens) if token == word][which]

    row = made[program][place(query)]
    assert row.nonzero()[:, 0].tolist() == sorted(place(key) for key in keys)
    assert float(row.sum()) == pytest.approx(1.0 if keys else 0.0)


@pytest.mark.parametrize("causal", [False, True])
def test_every_program_spreads_a_row_over_what_may_be_seen_or_says_nothing(
    mini: Subject, causal: bool
) -> None:
    tokens, made = spreads(mini, TEXT, causal)
    for name, rows in made.items():
        sums = rows.sum(-1)
        assert bool(((sums - 1).abs().lt(1e-5) | (sums == 0)).all()), name
        assert float(rows.min()) >= 0, name
        if causal:
            assert float(rows.triu(1).abs().max()) == 0, name
    ahead = [name for name in made if name.startswith(("ahead_", "next"))]
    assert all(float(made[name].abs().max()) == 0 for name in ahead) or not causal
    assert len(tokens) > 12


def test_a_word_of_several_pieces_is_one(mini: Subject) -> None:
    tokens, made = spreads(mini, "unbelievably slowly")
    goes_on = [i for i, token in enumerate(tokens) if token.startswith("##")]
    assert goes_on, tokens
    at = goes_on[0]
    assert made["word_start"][at].nonzero()[:, 0].tolist() == [at - 1]
    assert at in made["word"][at - 1].nonzero()[:, 0].tolist()


def reading_of(subject: Subject, rows: int = 48) -> Reading:
    return replace(reading_for(subject), programs=programs(None, CHOSEN), rows=rows)


@pytest.fixture(scope="module")
def batch(mini: Subject, segments_of: Any) -> Batch:
    """Three texts, one of them shorter."""
    return collate(mini, segments_of(mini, 3, 22))


@pytest.fixture(scope="module")
def hooked(mini: Subject, batch: Batch) -> Hooked:
    return Hooked(mini.model, batch.inputs)  # type: ignore[arg-type]


def weights_and_lengths(hooked: Hooked, head: Head, real: Tensor) -> tuple[Tensor, Tensor]:
    """Of one head: its weights (batch query key), and how long the vectors are that they move (batch key)."""
    at, size = f"bert.encoder.layer.{head.layer}.attention", 16
    part = slice(size * head.head, size * (head.head + 1))
    query, key, value = (
        hooked.gave[f"{at}.self.{name}"][..., part].double() for name in ("query", "key", "value")
    )
    scores = (query @ key.mT / size**0.5).masked_fill(~real[:, None], -torch.inf)
    moved = value @ hooked.weight(f"{at}.output.dense")[:, part].T
    return scores.softmax(-1), moved.norm(dim=-1)


def plain_programs(tokens: list[str]) -> tuple[dict[str, Floats], list[int]]:
    """The programs of CHOSEN (query key) and the class of each query, by loops over tokens."""
    n, special = len(tokens), {"[CLS]", "[SEP]"}
    unlike = {*special, "[MASK]"}  # a hidden word is like no other
    rows = {name: np.zeros((n, n)) for name in CHOSEN}
    classes = []
    for q, token in enumerate(tokens):
        marks = [k for k, t in enumerate(tokens) if t not in special and not any(c.isalnum() for c in t)]
        keys = {
            "previous": [q - 1] if q else [],
            "sep": [k for k, t in enumerate(tokens) if t == "[SEP]"],
            "broad": range(n),
            "duplicate": [k for k, t in enumerate(tokens) if t == token and k != q and t not in unlike],
            "last_mark": [k for k in marks if k < q][-1:],
        }
        for name, of_name in keys.items():
            for k in of_name:
                rows[name][q, k] = 1 / len(of_name)
        before = tokens[q - 1] if q else "[CLS]"
        if token in special:
            classes.append(0)
        elif q in marks:
            classes.append(1)
        elif before in special or before in (".", "!", "?"):
            classes.append(2)
        else:
            classes.append(4 if token.startswith("##") else 3)
    return rows, classes


@pytest.mark.reference("explained_by_programs")
def test_a_fit_is_that_of_least_squares_in_float64_from_hooks(
    mini: Subject, batch: Batch, hooked: Hooked, compared: Compared
) -> None:
    reading = reading_of(mini, rows=1000)
    texts = annotate_batch(mini, batch, None)
    reducer = ProgramSums(reading)
    with Tap(mini, [reducer]) as tap:
        tap.run(texts)
    sums = sums_of(reducer)
    real = batch.sides["encoder"].real
    fits, expected_shares = {}, {}
    for head in HEADS:
        fit = weigh(head, sums[head], range(len(CHOSEN)))
        weights, lengths = weights_and_lengths(hooked, head, real)
        expected, shares = least_squares(mini, batch, weights, lengths)
        by_program = np.zeros_like(expected)
        by_program[:, list(fit.chosen)] = fit.by_moved
        np.testing.assert_allclose(by_program, expected, atol=2e-3)
        fits[head] = Fits(fit, fit, fit)
        expected_shares[head] = shares
    shares_of = ProgramShares(reading, dict.fromkeys(mini.heads, fits[HEADS[0]]) | fits)
    with Tap(mini, [shares_of]) as tap:
        tap.run(texts)
    for head in HEADS:
        known = shares_of.mean(f"encoder.{head.layer}")
        explained = known.mean[head.head, COLUMNS.index("explained")]
        compared("explained_by_programs", explained, np.mean(expected_shares[head]), 1e-3)


def test_what_is_left_out_is_what_hooks_show_in_float64(mini: Subject, batch: Batch, hooked: Hooked) -> None:
    reducer, streams = ProgramSums(reading_of(mini, rows=1000)), StreamLengths()
    with Tap(mini, [reducer, streams]) as tap:
        tap.run(annotate_batch(mini, batch, None))
    sums, real = sums_of(reducer), batch.sides["encoder"].real
    for head in HEADS:
        weights, lengths = weights_and_lengths(hooked, head, real)
        at, part = f"bert.encoder.layer.{head.layer}.attention", slice(16 * head.head, 16 * (head.head + 1))
        output = hooked.weight(f"{at}.output.dense")[:, part]
        outputs = (weights @ hooked.gave[f"{at}.self.value"][..., part].double())[real] @ output.T
        spread = outputs.var(0, correction=0).sum()
        by_mean = sums[head].left_out_by_mean(output.numpy())
        assert by_mean == pytest.approx(float(spread), rel=1e-3)
        nothing = weigh(head, sums[head], [])
        every = (weights.square() * lengths[:, None].square())[real].sum(-1).mean()
        assert sums[head].left_out(nothing) == pytest.approx(float(every), rel=1e-3)
        stream = hooked.read[f"{at}.self.query"].double().norm(dim=-1).log()
        means = [row[there][1:].mean() for row, there in zip(stream, real, strict=True)]
        expected = float(torch.stack(means).mean().exp())
        assert streams.by_layer()["encoder", head.layer] == pytest.approx(expected, rel=1e-4)


def test_heads_are_ordered_by_what_is_left_out_beside_the_stream() -> None:
    heads = [Head("decoder", layer, 0) for layer in range(3)]
    left = {heads[0]: (1.0, 0.5), heads[1]: (4.0, 0.75), heads[2]: (100.0, 0.9)}  # size moved, explained
    none = np.zeros(0)
    fits, sums = {}, {}
    for head, (size, explained) in left.items():
        fit = Fit(head, (), none, none, explained, none, none)
        fits[head] = Fits(fit, fit, fit)
        squares = np.diag([size, 0.0])
        sums[head] = HeadSums(none, none, np.array([size]), np.zeros(2), squares, none, 1.0)
    rng = np.random.default_rng(0)
    orders = order_heads(sums, fits, Scales({}, {}), rng)
    assert orders[LEAST] == heads  # 0.5, 1 and 10
    assert orders[BEST] == heads[::-1]
    streams = {("decoder", 0): 1.0, ("decoder", 1): 4.0, ("decoder", 2): 100.0}
    beside = order_heads(sums, fits, Scales({heads[0]: 3 * np.eye(2)}, streams), rng)  # type: ignore[arg-type]
    assert beside[LEAST] == [heads[2], heads[1], heads[0]]
    assert beside[LEAST_MEAN] == [heads[2], heads[1], heads[0]]


def least_squares(
    subject: Subject, batch: Batch, weights: Tensor, lengths: Tensor
) -> tuple[Floats, list[float]]:
    """The weights of programs (class program), and what they explain of every text."""
    texts = []
    for row, ids in enumerate(batch.inputs["input_ids"]):
        real = batch.sides["encoder"].real[row]
        n = int(real.sum())
        rows, classes = plain_programs(subject.tokenizer.convert_ids_to_tokens(ids[real].tolist()))
        scale = lengths[row, :n].numpy()
        made = np.stack([rows[name] for name in CHOSEN], -1) * scale[None, :, None]  # query key program
        texts.append((made, weights[row, :n, :n].numpy() * scale, np.array(classes)))
    fitted = np.zeros((len(CLASSES), len(CHOSEN)))
    for number in range(len(CLASSES)):
        design = np.concatenate(
            [made[classes == number].reshape(-1, len(CHOSEN)) for made, _, classes in texts]
        )
        wanted = np.concatenate([there[classes == number].ravel() for _, there, classes in texts])
        if len(wanted):
            fitted[number] = nnls(design, wanted)[0]
    shares = []
    for made, there, classes in texts:
        rest = there - np.einsum("qkp,qp->qk", made, fitted[classes])
        shares.append(1 - (rest**2).sum() / (there**2).sum())
    return fitted, shares


def test_a_replaced_head_costs_what_it_does_in_float64_from_hooks(mini: Subject, batch: Batch) -> None:
    rng = np.random.default_rng(0)
    reading = reading_of(mini)
    formulas = tuple(
        Formula(head, rng.uniform(0, 0.5, (len(CLASSES), len(CHOSEN))), rng.normal(size=16)) for head in HEADS
    )
    sweep = ProgramSweep(reading, (Trial("both", formulas), Trial("one", formulas[:1])), seed=3)
    (seen,) = sweep.observations(mini, iter([batch]))
    prepared, losses = objective(mini, batch, 3)
    labels = losses.labels  # type: ignore[attr-defined]
    assert seen.outcomes is not None
    for replaced, losses_of in zip(((), formulas, formulas[:1]), seen.outcomes, strict=True):
        for row, loss in enumerate(losses_of.tolist()):
            n = int(batch.sides["encoder"].real[row].sum())
            inputs = {name: t[row : row + 1, :n] for name, t in prepared.inputs.items()}
            expected = loss_with(mini, inputs, labels[row : row + 1, :n], replaced)
            assert loss == pytest.approx(expected, rel=2e-4)
    assert abs(float(seen.outcomes[1, 0] - seen.outcomes[0, 0])) > 1e-3


def loss_with(
    subject: Subject, inputs: dict[str, Tensor], labels: Tensor, formulas: tuple[Formula, ...]
) -> float:
    """The loss of one text in float64, heads replaced by a hook before each output map."""
    rows, classes = plain_programs(subject.tokenizer.convert_ids_to_tokens(inputs["input_ids"][0].tolist()))
    made = np.stack([rows[name] for name in CHOSEN], -1)
    values: dict[int, Tensor] = {}
    handles = []
    for formula in formulas:
        layer, part = formula.head.layer, slice(16 * formula.head.head, 16 * (formula.head.head + 1))
        weights = torch.from_numpy(np.einsum("qkp,qp->qk", made, formula.weights[classes]))
        at: Any = subject.model.get_submodule(f"bert.encoder.layer.{layer}.attention")  # type: ignore[union-attr]

        def keep(_: Any, __: Any, output: Tensor, layer: int = layer) -> None:
            values[layer] = output

        def change(
            _: Any,
            args: Any,
            layer: int = layer,
            part: slice = part,
            w: Tensor = weights,
            f: Formula = formula,
        ) -> tuple[Tensor]:
            read = args[0].clone()
            read[0, :, part] = w @ values[layer][0, :, part] + torch.from_numpy(f.added)
            return (read,)

        handles += [
            at.self.value.register_forward_hook(keep),
            at.output.dense.register_forward_pre_hook(change),
        ]
    try:
        logits = Hooked(subject.model, inputs).logits[0]  # type: ignore[arg-type]
    finally:
        for handle in handles:
            handle.remove()
    there = labels[0] != -100
    return float(torch.nn.functional.cross_entropy(logits[there], labels[0][there]))


def test_shares_are_read_aloud_resting_first() -> None:
    said = say_sum(["previous", "sink", "last_duplicate", "broad"], [0.2, 0.58, 0.1, 0.001], 0.89)
    assert said == (
        "58 % rests on the first token; of the rest, 48 % the previous token and 24 % the same token, the "
        "last time before; 11 % of what it moves is not explained"
    )


@pytest.fixture(scope="module")
def explained(mini: Subject, tmp_path_factory: pytest.TempPathFactory) -> tuple[ExplainResult, attlas.Atlas]:
    path = tmp_path_factory.mktemp("explain") / "mini.attlas"
    text = {"segments": 8, "length": 32, "progress": False}
    result = attlas.explain(
        mini, test=6, programs=3, written={"my own": look_back}, twin=False, atlas=path, **text
    )
    assert isinstance(result, ExplainResult)
    return result, attlas.load_atlas(path)


def test_programs_do_better_than_means_where_heads_look_at_neighbours(
    explained: tuple[ExplainResult, attlas.Atlas],
) -> None:
    result, _ = explained
    assert result.replaced is not None
    table = result.replaced.set_index(["order", "percent", "way"]).sort_index()
    every = table.loc["programs leave out least first", 100]
    assert every.loc["programs", "loss"] < every.loc["mean output", "loss"]
    assert every.loc["programs", "loss"] < every.loc["programs of a random head", "loss"]
    at = table.loc["best explained first", 20]
    assert at.loc["programs", "loss"] < at.loc["mean output", "loss"]
    share, verdict = at.loc["programs", "restored"], at.loc["programs", "verdict"]
    assert verdict == "shown"
    assert share > 0.5
    best = result.table.sort_values("explained").iloc[-1]
    assert best["explained"] > 0.9
    assert set(result.programs["program"]) <= {*PROGRAMS, "my own"}
    assert result.programs.groupby(["layer", "head"]).size().max() <= 3


def printed(result: Any) -> str:
    out = io.StringIO()
    result.show(Console(file=out, width=400))
    return out.getvalue()


def test_what_was_found_is_printed_and_said_of_a_head(explained: tuple[ExplainResult, attlas.Atlas]) -> None:
    result, atlas = explained
    assert "Heads replaced" in printed(result)
    assert "perplexity" in result.notes[0]
    row = result.table[result.table["verdict"] == "shown"].iloc[0]
    place = atlas.addresses.index(Head.from_row(row.to_dict()))
    card = Sentences(Columns(atlas), Evidence(atlas)).card(place)[0]
    said = dict(claim_and_evidence(noted.sentence, []) for noted in card)
    evidence = said[f"Attends as a sum of programs: {row['reads']}."]
    explained, even = (f"{100 * row[name]:.0f} %" for name in ("explained", "even"))
    beside = f"explained {explained}; 95 % {format_percents(row['low'], row['high'])}; even attention: {even}"
    assert evidence == beside  # and no twin, which was not asked for


def test_a_card_is_named_by_the_largest_part_and_its_share(
    explained: tuple[ExplainResult, attlas.Atlas],
) -> None:
    result, atlas = explained
    names = assemble(atlas).report["names"][0]
    assert names["kind"] == "program"
    largest = result.programs[result.programs["rank"] == 0].set_index(["layer", "head"])
    for row in result.table.to_dict("records"):
        place = atlas.addresses.index(Head.from_row(row))
        chosen = names["heads"][place]
        assert chosen is not None
        part = largest.loc[row["layer"], row["head"]]
        if row["verdict"] == "shown":
            assert names["choices"][chosen]["name"] == part["program"]
            assert names["confidence"][place] == pytest.approx(part["share"], abs=1e-3)
        else:
            assert names["choices"][chosen]["name"] == "none"


def test_what_an_untrained_model_also_gets_is_no_finding(
    explained: tuple[ExplainResult, attlas.Atlas],
) -> None:
    result, _ = explained
    alike = result.table.assign(explained=1.0, one_explains=1.0, even=0.9996, verdict="small")
    assert sentences(alike, with_twin=True)[0] == (
        "of no head programs are shown to explain more than even attention and untrained heads give: they "
        "explain 100 % of what the median head moves (one program 100 %, even attention >99 %)"
    )
    costs_nothing, how_far = replaced_sentences(result.replaced.assign(times=0.99999))
    assert "perplexity within 0.1 %; by their mean outputs within 0.1 %" in costs_nothing
    assert how_far.endswith("Programs are not shown to do the work of heads that their means do not")


def test_heads_that_are_no_sum_are_listed_with_what_they_write(
    explained: tuple[ExplainResult, attlas.Atlas], mini: Subject, tmp_path: Path
) -> None:
    result, _ = explained
    attlas.writes(mini, segments=2, length=16, atlas=tmp_path / "both.attlas", progress=False)
    both = attlas.load_atlas(tmp_path / "both.attlas")
    table = result.table.assign(high=0.9)
    table.loc[:1, ["explained", "high", "verdict"]] = (0.1, 0.2, "small")
    both.manifest["chapters"][result.chapter.name] = result.chapter.about
    both.tables[f"{result.chapter.name}/explained"] = table
    said = [sentence for sentence in stands_out(both) if "no sum of programs" in sentence]
    assert len(said) == 2
    assert said[0].startswith("Head 0.0 is no sum of programs, nor is 1 other. Writes ")
    assert "Programs explain 10 % of what it moves" in said[0]


@pytest.mark.reference("figure programs")
def test_the_figure_shows_every_head_and_every_curve(
    explained: tuple[ExplainResult, attlas.Atlas], compared: Compared
) -> None:
    result, atlas = explained
    heads, curves = draw(atlas, "programs", "dark").axes[:2]
    drawn = np.asarray(heads.collections[0].get_offsets())[:, 1]
    compared("figure programs", np.sort(drawn), np.sort(result.table["explained"].clip(0, 1)))
    assert result.replaced is not None
    times = [y for line in curves.lines if line.get_gid() == "curve" for y in np.asarray(line.get_ydata())]
    orders = result.replaced["order"] + ", " + result.replaced["way"]
    left_out = ["best explained first", "means leave out least first, programs"]
    drawn_rows = ~orders.str.startswith(tuple(left_out))
    compared("figure programs", np.sort(times), np.sort(result.replaced["times"][drawn_rows]))


def test_untrained_heads_are_said_to_be_nothing(subject_of: Any) -> None:
    result = attlas.explain(subject_of("llama"), segments=6, length=16, test=0, progress=False)
    assert set(result.table["verdict"]) <= {"small", "undecided"}
    assert not len(least_explained(result.table))


def test_a_users_program_must_give_a_number_for_every_query_and_key(mini: Subject) -> None:
    with pytest.raises(AttlasError, match="gave"):
        attlas.explain(mini, segments=4, length=16, test=0, written={"bad": len}, progress=False)
    with pytest.raises(AttlasError, match="name of its own"):
        programs({"previous": look_back})
    with pytest.raises(AttlasError, match="in a module"):
        programs({"lambda": lambda tokens: tokens})
    assert Program("previous").written is None
