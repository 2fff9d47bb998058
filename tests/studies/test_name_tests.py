"""Names tested causally: a head that does what its name says, and what of the loss that restores."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest
import torch
from in_process import run_here
from scipy.stats import ttest_1samp
from torch import Tensor

import attlas
from attlas.address import Head
from attlas.corpora.batches import collate
from attlas.corpora.documents import TextDocument
from attlas.corpora.halves import halve_corpus
from attlas.corpora.segments import Segment
from attlas.corpora.source import ItemId
from attlas.corpora.text import text_corpus
from attlas.corpora.text_source import TextSource
from attlas.engines import Pass
from attlas.errors import AttlasError
from attlas.figures import draw
from attlas.reports.columns import Columns
from attlas.reports.evidence import Evidence
from attlas.reports.sentences import Sentences, sentence_text
from attlas.studies.disabling.outcomes import Outcomes
from attlas.studies.name_tests.explained import (
    ALONE,
    Restored,
    explain,
    rows_of,
    sentences,
    share_restored,
    tables_of,
)
from attlas.studies.name_tests.following import Claim, claimed_weights, follow, patterns_of
from attlas.studies.name_tests.name_study import NameTests
from attlas.studies.patterns.definitions import REACHES, visible_keys
from attlas.studies.patterns.pattern_texts import annotate_batch
from attlas.subject import Subject
from attlas.tap import Needs, Observation, Tap, kernels
from attlas.wording.names import PATTERNS
from compared import Compared


class Weights:
    needs = Needs(weights=True)

    def update(self, observation: Observation) -> None:
        self.seen = {(call.kind, call.layer): call.weights for call in observation.calls}


@pytest.mark.parametrize("pattern", ["previous", "sink", "duplicate", "induction"])
def test_a_head_that_follows_its_name_attends_so_and_others_do_not_change(
    pattern: str, subject_of: Callable[[str], Subject], segments_of: Callable[..., list[Segment]]
) -> None:
    subject = subject_of("llama")
    batch = collate(subject, segments_of(subject, 3, 24), left=True)
    texts = annotate_batch(subject, batch, None).texts
    head = Head("decoder", 1, 2)
    mean = np.arange(8.0)
    (edit,) = follow([Claim(head, pattern)], texts, {head: mean})
    plain, edited = Weights(), Weights()
    inputs: list[Tensor] = []
    output = subject.model.get_submodule("model.layers.1.self_attn.o_proj")
    handle = output.register_forward_pre_hook(lambda _, args: inputs.append(args[0]))
    try:
        with Tap(subject, [plain]) as tap:
            tap.run(batch)
        with Tap(subject, [edited], edits=[edit]) as tap:
            tap.run(batch)
    finally:
        handle.remove()
    real, ids = batch.sides["decoder"].real, batch.sides["decoder"].ids
    assert ids is not None
    special = set(subject.tokenizer.all_special_ids)
    for row in range(3):
        places = real[row].nonzero()[:, 0].tolist()
        tokens = {place: int(ids[row, place]) for place in places}
        words = [place for place in places if tokens[place] not in special]
        for query in places:
            match pattern:
                case "previous":
                    keys = [key for key in places if key == query - 1]
                case "sink":
                    keys = [places[0]] if query != places[0] else []
                case "duplicate":
                    keys = [k for k in words if k < query and query in words and tokens[k] == tokens[query]]
                case _:
                    same = [k for k in words if k < query and query in words and tokens[k] == tokens[query]]
                    keys = [k + 1 for k in same if k + 1 in words and k + 1 < query]
            weights = edited.seen["decoder", 1][row, 2, query]
            if keys:
                expected = torch.zeros_like(weights)
                expected[keys] = 1 / len(keys)
                torch.testing.assert_close(weights, expected)
            else:
                assert inputs[-1][row, query, 16:24].tolist() == mean.tolist()
    for heads, layer in (([0, 1, 3], 1), ([0, 1, 2, 3], 0)):
        before, after = (seen.seen["decoder", layer][:, heads] for seen in (plain, edited))
        torch.testing.assert_close(after, before)


def test_rows_of_a_name_add_up_to_one_or_to_nothing(
    mini: Subject, segments_of: Callable[..., list[Segment]]
) -> None:
    batch = collate(mini, segments_of(mini, 3, 24))
    tokens = annotate_batch(mini, batch, None).texts["encoder"]
    visible = visible_keys(tokens.real, None, causal=False)
    for pattern in ("next", "previous", "delimiter", "bag", "local"):
        sums = claimed_weights(Claim(Head("encoder", 0, 0), pattern), tokens, visible).sum(-1)
        assert bool(((sums - 1).abs().lt(1e-9) | (sums == 0)).all())
        assert bool((sums > 0).any())


@pytest.mark.reference("explained")
def test_what_a_name_explains_is_the_part_of_the_loss_that_it_restores(compared: Compared) -> None:
    plain, without, by_name = np.array([1.0, 2.0, 3.0]), np.array([2.0, 4.0, 4.0]), np.array([1.5, 2.0, 3.5])
    made = share_restored(plain, without, by_name, DOCUMENTS[:3])
    compared("explained", made.value, (0.5 + 2.0 + 0.5) / (1 + 2 + 1))
    # gains of 0.5, 2, 0.5 and a worth of 1, 2, 1 in three documents; what is left of 3/4 of the worth
    left = np.array([0.5, 2.0, 0.5]) - 0.75 * np.array([1, 2, 1])
    compared("explained", made.stderr, np.sqrt((left**2).sum() * 3 / 2) / 4, 1e-12)


def test_the_interval_has_every_ratio_that_the_documents_do_not_exclude() -> None:
    """Fieller's: at its ends, what is restored less that share of the worth just differs from 0."""
    rng = np.random.default_rng(0)
    ids = [ItemId(d, place) for d in range(9) for place in range(2)]
    worth = rng.normal(1, 0.4, 18)
    gained = 0.6 * worth + rng.normal(0, 0.3, 18)
    made = share_restored(np.zeros(18), worth, worth - gained, ids)
    for end in (made.low, made.high):
        by_document = (gained - end * worth).reshape(9, 2).sum(1)
        assert ttest_1samp(by_document, 0).pvalue == pytest.approx(0.05)
    assert made.low < made.value < made.high
    assert made.worth_p == pytest.approx(ttest_1samp(worth.reshape(9, 2).sum(1), 0).pvalue)


def test_a_head_whose_worth_is_not_shown_has_no_ratio() -> None:
    plain = np.array([1.0, 2.0, 3.0])
    harmful = share_restored(plain, plain - np.array([0.1, 0.2, 0.15]), plain, DOCUMENTS[:3])
    unsure = share_restored(plain, plain + np.array([0.1, -0.2, 0.3]), plain, DOCUMENTS[:3])
    for made in explain([harmful, unsure], 3):
        assert np.isnan([made.value, made.low, made.high]).all()
        assert made.verdict == "not asked"
        assert made.judged.why == "the loss is not shown to rise without the head"


def test_the_worth_of_a_head_is_corrected_for_all_heads_that_are_asked() -> None:
    rng = np.random.default_rng(1)
    plain = np.zeros(12)
    drawn = rng.normal(size=12)
    worth = 1 + 1.3 * (drawn - drawn.mean()) / drawn.std(ddof=1)  # p of 0.02
    alone = share_restored(plain, worth, plain, DOCUMENTS[:12])
    assert alone.worth_p < 0.05
    assert explain([alone], 12)[0].verdict == "shown"
    nothing = [share_restored(plain, rng.normal(0, 1, 12), plain, DOCUMENTS[:12]) for _ in range(40)]
    assert explain([alone, *nothing], 12)[0].verdict == "not asked"


def test_a_name_is_judged_by_its_interval_and_corrected_for_the_names_that_are_asked() -> None:
    asked = Restored(0.5, 0.1, 0.3, 0.7, worth=1.0, worth_p=1e-6, p=0.04)
    (alone,) = explain([asked], 12)
    excess = alone.judged.excess
    assert (excess.value, excess.low, excess.high, excess.documents) == pytest.approx((0.5, 0.3, 0.7, 12))
    assert [made.verdict for made in explain([asked, asked], 12)] == ["undecided"] * 2, "p of 0.08"
    harmful = replace(asked, worth=-1.0)
    assert [made.verdict for made in explain([harmful, asked], 12)] == ["not asked", "shown"]


def test_the_head_itself_explains_all_and_its_mean_nothing() -> None:
    plain, without = np.array([1.0, 2.0]), np.array([2.0, 4.0])
    assert share_restored(plain, without, plain, DOCUMENTS[:2]).value == 1
    assert share_restored(plain, without, without, DOCUMENTS[:2]).value == 0


DOCUMENTS = [ItemId(number, 0) for number in range(24)]
#: name -> its verdict, how many heads get it, and by how much the mean output, the name, no output and the
#: name of another head raise a loss of 1
SPEC = {
    "previous": ("shown", 1, (1.0, 0.2, 3.0, 0.9)),
    "sink": ("shown", 2, (1.0, 0.7, 4.0, 0.8)),
    "next": ("small", 3, (1.0, 1.1, 5.0, 1.2)),
    "bag": ("not asked", 4, (-0.5, 0.0, 0.5, 0.0)),
}


@pytest.fixture(scope="module")
def tables_by_hand() -> dict[str, pd.DataFrame]:
    """Ten heads on 24 segments of 12 documents, some of them harder than others."""
    claims, others, ways = [], [], []
    for pattern, (_, many, (without, named, nothing, by_other)) in SPEC.items():
        for _ in range(many):
            claims.append(Claim(Head("decoder", 0, len(claims)), pattern))
            others.append(Claim(claims[-1].head, "delimiter"))
            ways += [named, without, nothing, by_other]
    at_once = [0.4, 2.0, 1.4, 1.0, 1.5, 2.0, 2.5]  # names, means, neighbours alone, four random draws
    for _, _, (without, named, _, _) in SPEC.values():
        at_once += [named, without]
    rng = np.random.default_rng(0)
    hard = rng.uniform(0.5, 1.5, 24)
    raised = np.array([0.0, *ways, *at_once])[:, None] * (1 + 0.1 * rng.normal(size=(1, 24)))
    outcomes = Outcomes()
    ids = [ItemId(n // 2, n % 2) for n in range(24)]
    losses = np.vstack([np.full(24, np.nan), hard + raised])  # first the labels, of which a text has none
    outcomes.numbers = dict(zip(ids, losses.T, strict=True))
    return tables_of(claims, others, outcomes)


def test_a_name_is_shown_or_small_or_not_asked_of_a_head_that_is_worth_nothing(
    tables_by_hand: dict[str, pd.DataFrame],
) -> None:
    table = tables_by_hand["name_tests"]
    for pattern, (verdict, many, (without, named, _, by_other)) in SPEC.items():
        rows = table[table["pattern"] == pattern]
        assert rows["verdict"].tolist() == [verdict] * many
        if verdict == "not asked":
            assert rows[["explained", "low", "high", "explained_by_other"]].isna().all(axis=None)
            continue
        np.testing.assert_allclose(rows["explained"], (without - named) / without)
        np.testing.assert_allclose(rows["explained_by_other"], (without - by_other) / without)
        assert (rows["low"] <= rows["explained"] + 1e-12).all()
        assert (rows["high"] >= rows["explained"] - 1e-12).all()
    assert (table["other"] == "delimiter").all()
    assert set(zip(table["n"], table["documents"], strict=True)) == {(24, 12)}
    by_name = tables_by_hand["names_by_name"]
    assert by_name["heads"].tolist() == [1, 2, 3, 4]
    assert by_name["verdict"].tolist() == [verdict for verdict, _, _ in SPEC.values()]
    at_once = tables_by_hand["names_together"].set_index("what")["explained"]
    assert at_once.to_dict() == pytest.approx(
        {"unmodified": 1, "names": 0.8, "mean": 0, "random patterns": (2 - 1.75) / 2, ALONE: 0.3}
    )


def test_rows_and_sentences_count_what_the_tables_have(tables_by_hand: dict[str, pd.DataFrame]) -> None:
    table, together = tables_by_hand["name_tests"], tables_by_hand["names_together"].set_index("what")
    rows = rows_of(table)
    assert [row.head for row in rows] == list(range(6)), "heads that are worth nothing have no row"
    assert [row.value for row in rows] == table["explained"][:6].tolist()
    assert {(row.statistic, row.n, row.documents) for row in rows} == {("explained", 24, 12)}
    tested, at_once, of_names = sentences(tables_by_hand)
    assert [int(number) for number in re.findall(r"\d+", tested)] == [10, 24, 12, 3, 1, 3, 0, 4]
    losses = [f"{together['loss'][way]:.3f}" for way in ("unmodified", "names", "mean", "random patterns")]
    assert re.findall(r"\d\.\d{3}", at_once) == losses
    shares = [f"{together['explained'][way]:.0%}" for way in ("names", ALONE, "random patterns")]
    assert "30% by those of the 4 heads named next or previous token alone" in at_once
    assert re.findall(r"\d+%", at_once) == shares
    assert re.findall(r"\((-?\d\.\d\d)", of_names) == ["0.80", "0.30", "-0.10"], "the best first"
    assert of_names.endswith(f"not asked: {PATTERNS['bag']}")


def test_an_undecided_name_is_said_with_the_documents_that_would_decide(
    tables_by_hand: dict[str, pd.DataFrame],
) -> None:
    by_name = tables_by_hand["names_by_name"].copy()
    by_name.loc[by_name["pattern"] == "sink", ["verdict", "documents_needed"]] = "undecided", 90
    *_, of_names = sentences({**tables_by_hand, "names_by_name": by_name})
    assert re.findall(r"(\w[\w ]*) \(([^()]*); (\d+) documents? would decide", of_names) == [
        (f"{PATTERNS['sink']} undecided", "0.30, 95 % 0.30 to 0.30", "90")
    ]


def test_where_no_head_looks_at_a_neighbour_nothing_is_said_of_those() -> None:
    outcomes = Outcomes()
    losses = np.array([np.nan, 1.0, 1.2, 2.0, 3.0, 1.9, 1.2, 2.0, 2.0, *[1.8] * 4, 1.2, 2.0])
    outcomes.numbers = {item: losses * (1 + item.document / 100) for item in DOCUMENTS}
    sink = Claim(Head("decoder", 0, 0), "sink")
    tables = tables_of([sink], [sink], outcomes)
    assert ALONE not in set(tables["names_together"]["what"])
    _, at_once, _ = sentences(tables)
    assert "by their names (80% of what they are worth)," in at_once


def test_a_name_may_be_any_pattern_of_a_text_that_was_scored() -> None:
    scored = pd.DataFrame({"pattern": ["successor", "sink", "previous", "sink"]})
    assert patterns_of(scored) == tuple(name for name in PATTERNS if name in ("sink", "previous"))


@pytest.mark.parametrize("seed", [0, 1])
def test_beside_its_own_name_a_head_is_given_those_of_other_heads_and_any_at_random(
    subject_of: Callable[[str], Subject], seed: int
) -> None:
    subject = subject_of("llama")
    choosing, testing = (
        TextSource(half, subject.tokenizer, 16, limit=2) for half in halve_corpus(text_corpus(None))
    )
    heads = [Head("decoder", layer, head) for layer in range(2) for head in range(2)]
    claims = tuple(map(Claim, heads, ("previous", "sink", "previous", "local"), (0, 0, 0, 2)))
    patterns = ("previous", "sink", "next", "local")
    sweeps: list[Any] = []

    def run(pass_: Pass) -> Any:
        sweeps.append(pass_.sweep)
        return run_here(subject)(pass_)

    chapter = NameTests(
        subject=subject,
        source=testing,
        chosen_on=choosing,
        claims=(*claims, Claim(heads[0], "successor")),
        patterns=patterns,
        seed=seed,
    ).conclude(run)
    sweep = sweeps[-1]
    assert sweep.claims == claims
    assert any(note.endswith(": successor") for note in chapter.about["notes"]), "it cannot be tested"
    assert [claim.head for claim in sweep.others] == heads
    for claim, other in zip(claims, sweep.others, strict=True):
        assert other.pattern != claim.pattern
        assert (other.pattern, other.scale) in {(named.pattern, named.scale) for named in claims}
    assert len(sweep.random) == 4
    assert len(set(sweep.random)) > 1
    for drawn_claims in sweep.random:
        assert [claim.head for claim in drawn_claims] == heads
        for claim, at_random in zip(claims, drawn_claims, strict=True):
            assert at_random.pattern in {*patterns} - {claim.pattern}
            assert at_random.scale in (range(len(REACHES)) if at_random.pattern == "local" else (0,))
    (batch,) = testing.batches(subject, testing.prepare(next(testing.shards())).items[:1])
    written = [str(edit) for edit in sweep.edits(subject, batch)]
    assert len(written) == 4 * len(claims) + 3 + 4 + 2 * 3
    assert written[16:18] == [
        "follow names on 4 heads",
        "mean on decoder.0.0, decoder.0.1, decoder.1.0, decoder.1.1",
    ]
    assert written[18] == "follow next and previous alone on 4 heads"
    assert written[23:25] == ["follow previous on 2 heads", "mean on decoder.0.0, decoder.1.0"]


def test_a_chapter_of_names_that_cannot_be_tested_names_them_alone(
    subject_of: Callable[[str], Subject],
) -> None:
    subject = subject_of("llama")
    choosing, testing = (
        TextSource(half, subject.tokenizer, 16, limit=2) for half in halve_corpus(text_corpus(None))
    )
    claims = tuple(Claim(Head("decoder", 0, head), "successor") for head in (0, 1))
    chapter = NameTests(
        subject=subject, source=testing, chosen_on=choosing, claims=claims, patterns=("sink",)
    ).conclude(run_here(subject))
    assert (chapter.rows, chapter.tables) == ([], {})
    assert chapter.about["notes"] == ["names that say nothing of where a head looks in a text: successor"]


def test_names_of_mini_together_do_what_its_heads_do_and_random_ones_do_not(
    tested_mini: attlas.Atlas,
) -> None:
    tables = {name.split("/")[-1]: table for name, table in tested_mini.tables.items()}
    assert len(tables["name_tests"]) == int((tables["patterns"]["named"] == 1).sum()) > 20
    together = tables["names_together"].set_index("what")
    assert list(together.index) == ["unmodified", "names", "mean", "random patterns", ALONE]
    assert together["explained"]["unmodified"] == 1
    assert together["explained"]["mean"] == 0
    assert together["explained"]["names"] > 0.8
    assert together["explained"]["random patterns"] < 0.5
    notes = tested_mini.about("name_tests-wikipedia")["notes"]
    assert any(note.startswith("all of them at once: loss ") for note in notes)
    by_name = tables["names_by_name"].set_index("pattern")
    assert by_name["heads"].to_dict() == tables["name_tests"]["pattern"].value_counts().to_dict()
    assert (by_name["loss_by_name"] < together["loss"]["mean"]).all()


def test_the_halves_of_a_corpus_share_no_document_and_are_all_of_it() -> None:
    corpus = text_corpus([f"Text number {i}. It has two sentences." for i in range(9)])
    first, second = halve_corpus(corpus)
    numbers = [{e.number for e in half.entries() if isinstance(e, TextDocument)} for half in (first, second)]
    assert not numbers[0] & numbers[1]
    assert numbers[0] | numbers[1] == set(range(9))
    assert sorted(map(len, numbers)) == [4, 5]
    for half, wanted in zip((first, second), numbers, strict=True):
        read = [entry for content in half.spread(40, 3) for entry in half.read(content)]
        assert {e.number for e in read if isinstance(e, TextDocument)} == wanted


def test_a_text_of_one_document_cannot_be_halved() -> None:
    with pytest.raises(AttlasError, match="has one document: names are chosen on some documents and tested"):
        halve_corpus(text_corpus(["The only text. It has two sentences."]))


def run_by_hand(
    subject: Subject, segment: Segment, change: Callable[[Tensor, Tensor], Tensor] | None
) -> tuple[float, Tensor]:
    """The loss of a text when head 1.2 gives `change(what it gives, its values)`, token by token; and what
    the heads of its layer give."""
    ids = torch.from_numpy(segment.ids.astype(np.int64))[None]
    attention = subject.model.get_submodule("model.layers.1.self_attn")
    values: list[Tensor] = []
    outputs: list[Tensor] = []

    def changed(_: object, args: tuple[Tensor]) -> tuple[Tensor] | None:
        outputs.append(args[0][0])
        if change is None:
            return None
        joined = args[0].clone()
        joined[0, :, 16:24] = change(joined[0, :, 16:24], values[-1][0, :, 8:16])  # of its group of two
        return (joined,)

    hooks = [
        attention.get_submodule("v_proj").register_forward_hook(lambda *seen: values.append(seen[2])),
        attention.get_submodule("o_proj").register_forward_pre_hook(changed),
    ]
    with torch.no_grad():
        logits = subject.model(input_ids=ids).logits.double()
    for hook in hooks:
        hook.remove()
    return float(torch.nn.functional.cross_entropy(logits[0, :-1], ids[0, 1:])), outputs[0]


def test_names_are_tested_on_documents_that_did_not_choose_them(
    subject_of: Callable[[str], Subject], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The losses are those of a model whose head is changed by hand: every token gives the value of the one
    before it, and the first the head's mean output over documents of the other half. However few rows of
    weights fit into a kernel's block."""
    monkeypatch.setitem(kernels.BLOCK_BYTES, "cpu", 1)
    subject = subject_of("llama")
    choosing, testing = (
        TextSource(half, subject.tokenizer, 24, limit=6) for half in halve_corpus(text_corpus(None))
    )
    claim = Claim(Head("decoder", 1, 2), "previous")
    study = NameTests(
        subject=subject,
        source=testing,
        chosen_on=choosing,
        claims=(claim,),
        patterns=("previous", "sink"),
    )
    chapter = study.conclude(run_here(subject))
    (row,) = chapter.tables["name_tests"].to_dict("records")
    chose, judged = (
        [segment for shard in source.shards() for segment in source.prepare(shard).items]
        for source in (choosing, testing)
    )
    assert not {segment.id.document for segment in chose} & {segment.id.document for segment in judged}
    assert (row["n"], row["documents"]) == (6, len({segment.id.document for segment in judged}))
    outputs = torch.cat([run_by_hand(subject, segment, None)[1] for segment in chose])
    mean = outputs[:, 16:24].double().mean(0).float()
    ways: dict[str, Callable[[Tensor, Tensor], Tensor] | None] = {
        "loss": None,
        "loss_by_name": lambda _, values: torch.cat([mean[None], values[:-1]]),
        "loss_mean": lambda output, _: mean.expand_as(output),
        "loss_zero": lambda output, _: torch.zeros_like(output),
    }
    (together,) = chapter.tables["names_by_name"].to_dict("records")
    assert (together["heads"], together["loss_by_name"]) == (1, pytest.approx(row["loss_by_name"], abs=1e-6))
    assert together["loss_mean"] == pytest.approx(row["loss_mean"], abs=1e-6)
    for column, change in ways.items():
        losses = [run_by_hand(subject, segment, change)[0] for segment in judged]
        assert row[column] == pytest.approx(np.mean(losses), abs=2e-6), column


@pytest.fixture(scope="module")
def tested_mini(mini: Subject, tmp_path_factory: pytest.TempPathFactory) -> attlas.Atlas:
    out = tmp_path_factory.mktemp("tested") / "mini.attlas"
    attlas.patterns(
        mini, segments=8, length=24, repeated=4, hidden=0, maps=0, test=24, atlas=out, progress=False
    )
    return attlas.load_atlas(out)


def test_what_a_name_restores_is_measured_from_the_mean_output(tested_mini: attlas.Atlas) -> None:
    """For single heads, all heads of a name, and all at once: the loss with the mean output is where 0 lies,
    and the unmodified loss where 1 does. A loss with no output at all plays no part."""

    def restored(rows: pd.DataFrame, instead: str) -> pd.Series:
        return (rows["loss_mean"] - rows[instead]) / (rows["loss_mean"] - rows["loss"])

    tables = {name.split("/")[-1]: table for name, table in tested_mini.tables.items()}
    single = tables["name_tests"].dropna(subset=["explained"])
    np.testing.assert_allclose(single["explained"], restored(single, "loss_by_name"), rtol=1e-6)
    np.testing.assert_allclose(single["explained_by_other"], restored(single, "loss_by_other"), rtol=1e-6)
    by_name = tables["names_by_name"].dropna(subset=["explained"])
    assert len(by_name) > 1
    np.testing.assert_allclose(by_name["explained"], restored(by_name, "loss_by_name"), rtol=1e-6)
    at_once = tables["names_together"].set_index("what")
    ends = at_once["loss"]["mean"], at_once["loss"]["unmodified"]
    np.testing.assert_allclose(
        at_once["explained"], (ends[0] - at_once["loss"]) / (ends[0] - ends[1]), rtol=1e-6
    )


@pytest.mark.reference("figure names")
def test_the_figure_shows_what_each_name_restores_and_the_loss_of_all_at_once(
    compared: Compared, tested_mini: attlas.Atlas
) -> None:
    (tests,) = (table for name, table in tested_mini.tables.items() if name.endswith("/name_tests"))
    (together,) = (table for name, table in tested_mini.tables.items() if name.endswith("/names_together"))
    restored, at_once = draw(tested_mini, "names", "dark").axes[:2]
    drawn = np.concatenate([np.asarray(dots.get_offsets())[:, 0] for dots in restored.collections])
    expected = tests["explained"].dropna().clip(-0.5, 1.5)
    compared("figure names", np.sort(drawn), np.sort(expected))
    compared("figure names", [bar.get_width() for bar in at_once.patches], together["loss"])
    (by_name,) = (table for name, table in tested_mini.tables.items() if name.endswith("/names_by_name"))
    marks = [np.asarray(line.get_xdata())[0] for line in restored.lines if line.get_gid() == "name"]
    compared("figure names", marks, by_name["explained"].dropna().clip(-0.5, 1.5))


def test_the_card_says_beside_the_name_whether_it_holds(tested_mini: attlas.Atlas) -> None:
    atlas = tested_mini
    tests = next(table for name, table in atlas.tables.items() if name.endswith("/name_tests"))
    sentences = Sentences(Columns(atlas), Evidence(atlas))
    starts = {
        "shown": r"The name (holds|accounts for a part)\. By it alone, the head does ",
        "small": r"The name is a label\. By it alone, the head does ",
        "undecided": r"Whether the name is true is undecided\. By it alone, the head does ",
        "not asked": r"The name cannot be tested\. The loss is not shown to rise without the head ",
    }
    for row in tests.to_dict("records"):
        place = atlas.addresses.index(Head(row["kind"], row["layer"], row["head"]))
        said = [sentence_text(noted.sentence, []) for noted in sentences.card(place)[0]]
        (sentence,) = (text for text in said if re.match("The name |Whether the name", text))
        assert re.match(starts[row["verdict"]], sentence)
        assert f"{row['n']} segments of {row['documents']} other documents" in sentence
        assert sentence.endswith(" would decide)") is (row["verdict"] == "undecided")


def test_a_model_without_a_loss_cannot_be_asked_to_test_names(subject_of: Callable[[str], Subject]) -> None:
    bert = subject_of("bert")
    bare = Subject(bert.model.bert, bert.tokenizer, "bare")  # type: ignore[union-attr,arg-type]
    with pytest.raises(AttlasError, match="bare has no language-model head"):
        attlas.patterns(bare, segments=4, length=16, test=4, progress=False)
