"""Names tested causally: a head that does what its name says, and what of the loss that restores."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
import torch
from torch import Tensor

import attlas
from attlas.address import Head
from attlas.corpora.collating import collate
from attlas.corpora.segments import Segment
from attlas.errors import AttlasError
from attlas.studies.name_tests.following import Claim, claimed_weights, follow
from attlas.studies.name_tests.name_study import explained
from attlas.studies.patterns.definitions import visible_keys
from attlas.studies.patterns.sources import annotated
from attlas.subject import Subject
from attlas.tap import Needs, Observation, Tap
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
    given: list[Tensor] = []
    output = subject.model.get_submodule("model.layers.1.self_attn.o_proj")
    handle = output.register_forward_pre_hook(lambda _, args: given.append(args[0]))
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
                assert given[-1][row, query, 16:24].tolist() == mean.tolist()
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
    assert list(together.index) == ["as it is", "names", "mean", "random names"]
    assert together["explained"]["as it is"] == 1
    assert together["explained"]["mean"] == 0
    assert together["explained"]["names"] > 0.8
    assert together["explained"]["random names"] < 0.5
    assert any(note.startswith("all of them at once: loss ") for note in result.notes)


def test_a_model_without_a_loss_cannot_be_asked_to_test_names(subject_of: Callable[[str], Subject]) -> None:
    bert = subject_of("bert")
    bare = Subject(bert.model.bert, bert.tokenizer, "bare")  # type: ignore[union-attr,arg-type]
    with pytest.raises(AttlasError, match="bare has no language-model head"):
        attlas.patterns(bare, segments=4, length=16, test=4, progress=False)
