"""Names tested causally: a head that does what its name says, and what of the loss that restores."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
import torch
from in_process import run_here
from torch import Tensor

import attlas
from attlas.address import Head
from attlas.corpora.collating import collate
from attlas.corpora.document_half import halves
from attlas.corpora.documents import TextDocument
from attlas.corpora.segments import Segment
from attlas.corpora.text import text_corpus
from attlas.corpora.text_source import TextSource
from attlas.errors import AttlasError
from attlas.figures import draw
from attlas.reports.columns import Columns
from attlas.reports.evidence import Evidence
from attlas.reports.sentences import Sentences
from attlas.studies.name_tests.explained import explained
from attlas.studies.name_tests.following import Claim, claimed_weights, follow
from attlas.studies.name_tests.name_study import NameTests
from attlas.studies.patterns.definitions import visible_keys
from attlas.studies.patterns.sources import annotated
from attlas.subject import Subject
from attlas.tap import Needs, Observation, Tap, kernels
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
    texts = annotated(subject, batch, None).texts
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
    tokens = annotated(mini, batch, None).texts["encoder"]
    visible = visible_keys(tokens.real, None, causal=False)
    for pattern in ("next", "previous", "delimiter", "bag", "local"):
        sums = claimed_weights(Claim(Head("encoder", 0, 0), pattern), tokens, visible).sum(-1)
        assert bool(((sums - 1).abs().lt(1e-9) | (sums == 0)).all())
        assert bool((sums > 0).any())


@pytest.mark.reference("explained")
def test_what_a_name_explains_is_the_part_of_the_loss_that_it_restores(compared: Compared) -> None:
    plain, without, by_name = np.array([1.0, 2.0, 3.0]), np.array([2.0, 4.0, 4.0]), np.array([1.5, 2.5, 3.0])
    once = np.ones((3, 4))
    once[:, 1] = [2, 0, 1]
    once[:, 2] = [0, 3, 0]
    made = explained(plain, without, by_name, once)
    compared("explained", made.value, (0.5 + 1.5 + 1.0) / (1 + 2 + 1))
    draws = [3.0 / 4, 2.0 / 3, 4.5 / 6, 3.0 / 4]
    compared("explained", made.stderr, np.std(draws, ddof=1), 1e-12)
    assert made.low == pytest.approx(np.quantile(draws, 0.025))


def test_a_head_that_is_worth_nothing_has_nothing_to_explain() -> None:
    plain = np.array([1.0, 2.0])
    assert np.isnan(explained(plain, plain - 0.1, plain, np.ones((2, 3))).value)


def test_the_head_itself_explains_all_and_its_mean_nothing() -> None:
    plain, without, once = np.array([1.0, 2.0]), np.array([2.0, 4.0]), np.ones((2, 3))
    assert explained(plain, without, plain, once).value == 1
    assert explained(plain, without, without, once).value == 0


def test_names_of_mini_together_do_what_its_heads_do_and_random_ones_do_not(mini: Subject) -> None:
    result = attlas.patterns(
        mini, segments=8, length=24, repeated=4, hidden=0, maps=0, test=4, progress=False
    )
    (tested,) = (chapter for chapter in result.chapters if "names_together" in chapter.tables)
    assert len(tested.tables["name_tests"]) == int((result.table["named"] == 1).sum()) > 20
    together = tested.tables["names_together"].set_index("what")
    assert list(together.index) == ["unmodified", "names", "mean", "random patterns"]
    assert together["explained"]["unmodified"] == 1
    assert together["explained"]["mean"] == 0
    assert together["explained"]["names"] > 0.8
    assert together["explained"]["random patterns"] < 0.5
    assert any(note.startswith("all of them at once: loss ") for note in result.notes)
    by_name = tested.tables["names_by_name"].set_index("pattern")
    assert by_name["heads"].to_dict() == tested.tables["name_tests"]["pattern"].value_counts().to_dict()
    assert (by_name["loss_by_name"] < together["loss"]["mean"]).all()


def test_the_halves_of_a_corpus_share_no_document_and_are_all_of_it() -> None:
    corpus = text_corpus([f"Text number {i}. It has two sentences." for i in range(9)])
    first, second = halves(corpus)
    numbers = [{e.number for e in half.entries() if isinstance(e, TextDocument)} for half in (first, second)]
    assert not numbers[0] & numbers[1]
    assert numbers[0] | numbers[1] == set(range(9))
    assert sorted(map(len, numbers)) == [4, 5]
    for half, wanted in zip((first, second), numbers, strict=True):
        read = [entry for content in half.spread(40, 3) for entry in half.read(content)]
        assert {e.number for e in read if isinstance(e, TextDocument)} == wanted


def test_a_text_of_one_document_cannot_be_halved() -> None:
    with pytest.raises(AttlasError, match="has one document: names are chosen on some documents and tested"):
        halves(text_corpus(["The only text. It has two sentences."]))


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
        TextSource(half, subject.tokenizer, 24, limit=6) for half in halves(text_corpus(None))
    )
    claim = Claim(Head("decoder", 1, 2), "previous")
    study = NameTests(subject, testing, choosing, (claim,), ("previous", "sink"))
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
        mini, segments=8, length=24, repeated=4, hidden=0, maps=0, test=4, atlas=out, progress=False
    )
    return attlas.load_atlas(out)


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
        "holds": "The name holds: by it alone, the head does ",
        "part": "The name accounts for a part: by it alone, the head does ",
        "label only": "The name is a label only: by it alone, the head does ",
        "worth nothing": "The name cannot be tested: the head is worth too little to the loss ",
    }
    for row in tests.to_dict("records"):
        place = atlas.addresses.index(Head(row["kind"], row["layer"], row["head"]))
        said = [str(noted.sentence[0]) for noted in sentences.card(place)[0]]
        (sentence,) = (text for text in said if text.startswith("The name "))
        assert sentence.startswith(starts[row["verdict"]])
        assert sentence.endswith(f"{row['n']} segments of {row['documents']} other documents).")


def test_a_model_without_a_loss_cannot_be_asked_to_test_names(subject_of: Callable[[str], Subject]) -> None:
    bert = subject_of("bert")
    bare = Subject(bert.model.bert, bert.tokenizer, "bare")  # type: ignore[union-attr,arg-type]
    with pytest.raises(AttlasError, match="bare has no language-model head"):
        attlas.patterns(bare, segments=4, length=16, test=4, progress=False)
