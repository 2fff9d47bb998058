"""Probes of trees: what they compute, how trees are decoded, and what they learn."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from planted import HEADS, all_trees, planted, tree
from torch import Tensor

from attlas.corpora.source import ItemId
from attlas.errors import AttlasError
from attlas.studies.trees import fits
from attlas.studies.trees.decoding import decode, maximum_spanning_tree, score
from attlas.studies.trees.head_probes import (
    FARTHEST,
    DistancesProbe,
    HeadsProbe,
    RelationProbe,
    TreeBatch,
    distance_features,
    right_branching,
)
from attlas.studies.trees.recorded_features import SPECIAL
from attlas.studies.trees.structural import (
    StructuralProbe,
    score_structural,
    train_structural,
    tree_distances,
)
from attlas.studies.trees.training import Schedule, Trainee, accuracy, batches_of, predict, train
from attlas.studies.trees.treebank import files_of_parts, split_by_chance
from attlas.studies.word_vectors import read_glove
from compared import Compared

DIM = 2


def some_batch(words: int = 4, sentences: int = 2) -> TreeBatch:
    generator = torch.Generator().manual_seed(7)
    wide = words + SPECIAL
    return TreeBatch(
        torch.rand(sentences, wide, wide, HEADS, generator=generator, dtype=torch.float64),
        torch.rand(sentences, wide, HEADS, generator=generator, dtype=torch.float64) + 0.5,
        torch.randint(1, 6, (sentences, words), generator=generator),
        torch.zeros(sentences, words, dtype=torch.long),
        torch.ones(sentences, words, dtype=torch.bool),
    )


def vectors() -> Tensor:
    table = torch.randn(6, DIM, generator=torch.Generator().manual_seed(3), dtype=torch.float64)
    table[0] = 0
    return table


def with_random_parameters(probe: torch.nn.Module) -> torch.nn.Module:
    generator = torch.Generator().manual_seed(11)
    probe.double()
    with torch.no_grad():
        for parameter in probe.parameters():
            parameter.copy_(torch.randn(parameter.shape, generator=generator, dtype=torch.float64))
    return probe


def written_out(probe: HeadsProbe, batch: TreeBatch, sentence: int, dependent: int, candidate: int) -> float:
    """The paper's formula for one pair, ROOT being candidate 0, with what our probes add to it."""
    place = dependent - 1 + SPECIAL
    words = batch.words[sentence].tolist()
    if probe.misaligned:
        of_candidate = words[candidate] if candidate < len(words) else None
    else:
        of_candidate = words[candidate - 1] if candidate else None
    offset = max(-FARTHEST, min(FARTHEST, candidate - dependent)) if candidate else None
    total = 0.0
    for key, share in [(0, probe.root[0]), (1, probe.root[1])] if candidate == 0 else [(candidate + 1, 1.0)]:
        for direction in (0, 1):
            a, b = (place, key) if direction == 0 else (key, place)
            for head in range(HEADS):
                weight = probe.weights[head, direction]
                if probe.vectors is not None:
                    v = probe.vectors
                    weight = weight + v[words[dependent - 1]] @ probe.by_words[0, :, head, direction]
                    if of_candidate is not None:
                        weight = weight + v[of_candidate] @ probe.by_words[1, :, head, direction]
                if probe.by_offset is not None:
                    along = 2 * FARTHEST + 1 if offset is None else FARTHEST + offset * (1 - 2 * direction)
                    weight = weight + probe.by_offset[along, head, direction]
                attention = batch.attention[sentence, a, b, head]
                if probe.mean_norms is not None:
                    assert batch.norms is not None
                    attention = attention * batch.norms[sentence, b, head] / probe.mean_norms[head]
                total += float(share * weight * attention)
    if probe.offset_bias is not None:
        total += float(probe.offset_bias[2 * FARTHEST + 1 if offset is None else FARTHEST + offset])
    return total


@pytest.mark.parametrize("words", [False, True])
@pytest.mark.parametrize("offsets", [False, True])
@pytest.mark.parametrize("norms", [False, True])
@pytest.mark.parametrize("misaligned", [False, True])
def test_a_score_is_the_formula_written_out(
    words: bool, offsets: bool, norms: bool, misaligned: bool
) -> None:
    means = torch.tensor([0.5, 1.0, 2.0], dtype=torch.float64) if norms else None
    probe = HeadsProbe(HEADS, vectors() if words else None, offsets, means, misaligned)
    with_random_parameters(probe)
    batch = some_batch()
    probe.requires_grad_(False)
    scores = probe(batch)
    assert scores.shape == (2, 4, 5)
    for sentence, dependent, candidate in product(range(2), range(1, 5), range(5)):
        wanted = written_out(probe, batch, sentence, dependent, candidate)
        assert float(scores[sentence, dependent - 1, candidate]) == pytest.approx(wanted, rel=1e-9)
    contributions = probe.contributions(batch).sum(-1)
    bias = scores - contributions
    assert torch.allclose(bias, bias[:1].expand_as(bias))  # what is left does not depend on attention
    assert offsets or torch.allclose(contributions, scores)


def test_the_probe_of_distances_sees_words_and_distances_only() -> None:
    probe = with_random_parameters(DistancesProbe(vectors()))
    batch = some_batch()
    other = TreeBatch(batch.attention * 2, None, batch.words, batch.heads, batch.scored)
    assert torch.equal(probe(batch), probe(other))
    assert probe(batch).shape == (2, 4, 5)


def test_distance_features_are_those_of_the_paper() -> None:
    features = distance_features(4)
    assert features.shape == (4, 5, 8)
    assert features[1, 0].tolist() == [0, 0, 0, 0, 0, 0, 0, 1]  # ROOT
    assert features[1, 2].tolist() == [0, 0, 1, 0, 0, 0, 0, 0]  # the word itself
    assert features[1, 4].tolist() == [0.5, 0, 0, 0, 0, 0, 1, 0]  # two words to the right of four
    assert features[3, 1].tolist() == [0, 0.75, 0, 0, 0, 0, 0, 0]  # three words to the left


def test_relations_are_read_from_attention_between_word_and_head() -> None:
    probe = RelationProbe(HEADS, 2).double().requires_grad_(False)
    batch = some_batch(words=3, sentences=1)
    heads = torch.tensor([[0, 1, 2]])
    linked = probe._attention_to_heads(batch.attention, heads)[0]
    maps = batch.attention[0]
    assert torch.allclose(linked[0, :HEADS], maps[2, 0] + maps[2, 1])  # ROOT: [CLS] and [SEP]
    assert torch.allclose(linked[0, HEADS:], maps[0, 2] + maps[1, 2])
    assert torch.equal(linked[2], torch.cat([maps[4, 3], maps[3, 4]]))


@settings(deadline=None, max_examples=60)
@given(st.integers(1, 4), st.integers(0, 2**32 - 1))
def test_the_decoded_tree_is_the_best_of_all_trees(words: int, seed: int) -> None:
    scores = np.random.default_rng(seed).normal(size=(words, words + 1))
    scores[np.arange(words), np.arange(words) + 1] = -np.inf
    best = max(all_trees(words), key=lambda heads: sum(scores[i, h] for i, h in enumerate(heads)))
    assert tuple(maximum_spanning_tree(scores)) == best


def test_greedy_heads_need_not_be_a_tree_but_are_never_the_word_itself() -> None:
    scores = np.array([[0.0, 9, 5], [0.0, 5, 9]])
    decoded = decode(scores)
    assert decoded.greedy.tolist() == [2, 1]
    assert sorted(decoded.tree.tolist()) in ([0, 1], [0, 2])


def test_scores_leave_punctuation_out_and_count_arcs_both_ways() -> None:
    gold = tree(2, 0, 2, 2, relations=("nsubj", "root", "obj", "punct"))
    right = score([gold], [np.array([2, 0, 2, 1])])
    assert (right.uas, right.uuas) == (1, 1)
    turned = score([gold], [np.array([0, 1, 2, 2])])  # the arc between the first two is the wrong way round
    assert turned.uas == pytest.approx(1 / 3)
    assert turned.uuas == 1
    assert right_branching(3) == [2, 3, 0]


@pytest.mark.reference("tree_weight")
def test_the_weight_of_a_head_is_its_share_of_the_scores_variation(
    tmp_path: Path, compared: Compared
) -> None:
    """The size of its weight times the deviation of its attention over all pairs of words, by numpy."""
    part, probe = planted(tmp_path, 30), HeadsProbe(HEADS)
    with torch.no_grad():
        probe.weights.copy_(torch.tensor([[0.5, -1.0], [2.0, 0.25], [-0.75, 3.0]]))
    pairs = np.concatenate(
        [probe.maps(part.batch(p)).flatten(0, 2).double().numpy() for p in batches_of(part, 8)]
    )
    sizes = np.abs(probe.weights.detach().double().numpy()) * pairs.std(0)[:, None]
    compared("tree_weight", fits.head_weights(part, probe), sizes / sizes.sum(), 1e-9)


def test_a_probe_finds_the_head_that_knows(tmp_path: Path) -> None:
    part, other = planted(tmp_path, 120), planted(tmp_path, 40, name="test")
    trainee = Trainee(HeadsProbe(HEADS), 0.1)
    train(part, trainee, Schedule(epochs=12, batch=8))
    predicted = predict(other, trainee.probe)
    assert score(other.trees, [p.tree for p in predicted]).uas > 0.97
    shares = fits.head_weights(other, trainee.probe)
    assert shares.sum() == pytest.approx(1)
    assert shares.argmax() == 2  # head 1, from dependent to head
    kept = fits.with_heads_only(trainee.probe, np.array([1]))
    assert score(other.trees, [p.tree for p in predict(other, kept)]).uas > 0.97
    without = fits.with_heads_only(trainee.probe, np.array([0]))
    assert score(other.trees, [p.tree for p in predict(other, without)]).uas < 0.8


def test_batches_hold_every_sentence_once_and_one_length_each(tmp_path: Path) -> None:
    part = planted(tmp_path, 50)
    batches = list(batches_of(part, 7))
    assert sorted(int(p) for batch in batches for p in batch) == list(range(50))
    assert all(len({len(part.trees[int(p)].words) for p in batch}) == 1 for batch in batches)
    assert max(len(batch) for batch in batches) <= 7


def test_the_control_task_gives_a_spelling_one_behaviour_everywhere() -> None:
    trees = [tree(0, 1, 1, words="a b c"), tree(0, 1, 1, 1, words="b a A d")]
    controlled = fits.control_heads(trees, seed=4)
    kinds = {}
    for sentence, heads in zip(trees, controlled, strict=True):
        for place, (word, head) in enumerate(zip(sentence.words, heads, strict=True), 1):
            choices = {"itself": place, "first": 1, "last": len(sentence.words)}
            fitting = {kind for kind, at in choices.items() if at == head}
            assert fitting
            kinds[word.lower()] = kinds.get(word.lower(), fitting) & fitting
    assert all(kinds.values())


def test_accuracy_counts_targets_of_any_task(tmp_path: Path) -> None:
    part = planted(tmp_path, 20)
    gold = [np.array(t.heads) for t in part.trees]

    class Knows(torch.nn.Module):
        def forward(self, batch: TreeBatch) -> Tensor:
            return torch.nn.functional.one_hot(batch.heads, batch.heads.shape[1] + 1).float()

    assert accuracy(part, Knows(), gold) == 1


def test_random_sets_are_as_large_as_the_top_ones() -> None:
    weights = np.array([[0.1, 0], [0.5, 0], [0, 0.3], [0.1, 0], [0, 0]])
    sets = list(fits.sets_of_heads(weights, 0))
    assert [heads.tolist() for how, k, heads in sets if how == "top"][:2] == [[1], [1, 2]]
    assert all(len(set(heads.tolist())) == k for _, k, heads in sets)
    assert sum(how == "random" for how, k, _ in sets if k == 2) == fits.RANDOM_SETS


def test_smaller_shares_of_sentences_are_part_of_larger_ones() -> None:
    few, more = (set(fits.some_sentences(100, share, 3).tolist()) for share in (0.1, 0.3))
    assert len(few) == 10
    assert few < more


def test_distances_in_a_tree_are_its_arcs() -> None:
    assert tree_distances(tree(2, 0, 2, 3)).tolist() == [
        [0, 1, 2, 3],
        [1, 0, 1, 2],
        [2, 1, 0, 1],
        [3, 2, 1, 0],
    ]
    assert tree_distances(tree(0)).tolist() == [[0]]


def test_the_structural_probe_measures_squared_distances() -> None:
    probe = StructuralProbe(2, 3, 2).double().requires_grad_(False)
    states = torch.randn(1, 4, 2, 3, dtype=torch.float64, generator=torch.Generator().manual_seed(1))
    distances = probe(states)
    for layer, a, b in product(range(2), range(4), range(4)):
        between = (states[0, a, layer] - states[0, b, layer]) @ probe.maps[layer]
        assert float(distances[0, layer, a, b]) == pytest.approx(float(between @ between), abs=1e-9)


def test_the_structural_probe_learns_trees_that_hidden_states_hold(tmp_path: Path) -> None:
    part = planted(tmp_path, 80)
    # the path from the root, one number an arc: then squared distances are those of the tree
    starts = part.features.layout.starts("states")
    numbers = np.memmap(next(tmp_path.rglob("states.f16")), np.float16, "r+")
    for place, sentence in enumerate(part.trees):
        states = np.zeros((len(sentence.words), 1, 6))
        for word in range(len(sentence.words)):
            at = word
            while sentence.heads[at]:
                states[word, 0, at] = 1
                at = sentence.heads[at] - 1
        numbers[starts[place] : starts[place + 1]] = states.astype(np.float16).reshape(-1)
    numbers.flush()
    torch.manual_seed(0)
    probe = StructuralProbe(1, 6, 6)
    train_structural(part, probe, Schedule(epochs=120, batch=32))
    assert score_structural(part, probe, [0])[0].uuas > 0.95


def test_glove_is_read_in_any_dimension(tmp_path: Path) -> None:
    path = tmp_path / "glove.txt"
    path.write_text("the 1 2 3\n. . . 4 5 6\ncat 7 8 9\n", encoding="utf-8")
    glove = read_glove(path, {"The", "dog", "cat"})
    assert glove.look_up(["THE", "dog", "cat"]) == [1, 0, 2]
    assert glove.table.tolist() == [[0, 0, 0], [1, 2, 3], [7, 8, 9]]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("the 1 2 3\ncat 7 8\n", r"line 2: 2 numbers after the word, and 3 in the first line"),
        ("the 1 2 3\ncat 7 x 9\n", r"line 2: 'x' is not a number"),
        ("the 1 2 3\ncat 7 nan 9\n", r"line 2: the vector of 'cat' is not finite"),
        ("dog 1 2 3\n", "has a vector for none of the words"),
        ("\n", "line 1: no numbers after the word"),
        ("", "is empty"),
    ],
)
def test_a_broken_line_of_glove_is_named(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "glove.txt"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(AttlasError, match=said):
        read_glove(path, {"the", "cat"})


def test_parts_are_the_files_of_a_treebank_or_drawn_from_ids(tmp_path: Path) -> None:
    for part in ("train", "dev", "test"):
        (tmp_path / f"xx-ud-{part}.conllu").write_text("\n")
    paths = files_of_parts(tmp_path / "xx-ud-train.conllu")
    assert paths == files_of_parts(tmp_path)
    assert paths is not None
    assert {part: path.name for part, path in paths.items()}["dev"] == "xx-ud-dev.conllu"
    assert files_of_parts(tmp_path / "xx-ud-dev.conllu") is None
    ids = [ItemId(i, 0) for i in range(50)]
    drawn = split_by_chance(ids, 0)
    assert [len(drawn_ids) for drawn_ids in drawn.values()] == [40, 5, 5]
    assert frozenset.union(*drawn.values()) == set(ids)
    assert drawn == split_by_chance(ids[::-1], 0)
    with pytest.raises(AttlasError, match=r"has 1 sentence with a tree, and .* at least 10"):
        split_by_chance(ids[:1], 0)
