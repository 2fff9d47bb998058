"""Patterns that need a task: scores are what hooks show in float64, and what is not solved has none."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch
from in_process import run_here
from torch import Tensor

import attlas
import reference
from attlas.corpora.segments import Segment
from attlas.corpora.source import ItemId, Shard
from attlas.corpora.text_source import RepeatedTokens
from attlas.engines import Pass
from attlas.studies.patterns import small_tasks
from attlas.studies.patterns.function_vectors import (
    FunctionPrompt,
    FunctionPrompts,
    FunctionSweep,
    FunctionVectors,
    LastToken,
)
from attlas.studies.patterns.needle_scores import QueryFocus, answer_batch
from attlas.studies.patterns.needles import Question
from attlas.studies.patterns.small_tasks import (
    CopySuppression,
    RepeatedTexts,
    SolvedTexts,
    Successions,
    Successor,
    task_scores,
)
from attlas.studies.patterns.succession import succession
from attlas.studies.word_families import FAMILIES, family_tokens
from attlas.subject import Subject
from attlas.tap import Observation, Tap
from compared import Compared
from hooked import NAMES, Hooked

LLAMA = NAMES["llama"]


def added_by_heads(subject: Subject, ids: Sequence[int], candidates: Sequence[int]) -> np.ndarray:
    """layer token head candidate: what each head adds to these logits, less the mean of the vocabulary."""
    hooked = Hooked(subject.model, {"input_ids": torch.tensor([list(ids)])})
    assert subject.unembedding is not None
    table = subject.unembedding.get_parameter("weight").detach().double()
    asked = table[list(candidates)] - table.mean(0)
    layers = []
    for layer in range(2):
        vectors, _ = hooked.written(LLAMA, layer)
        layers.append(hooked.frozen(LLAMA.final, vectors)[0] @ asked.T)
    return torch.stack(layers).numpy()


def scores_over(subject: Subject, source: Any, reducer: Any) -> dict[tuple[int, int], tuple[float, float]]:
    done = run_here(subject)(Pass("task", source, [reducer])).reducer(type(reducer))
    return {(s.head.layer, s.head.head): (s.score, s.null) for s in done.scores()}


@pytest.mark.reference("pattern successor")
def test_a_successor_head_raises_the_next_in_line_most_of_its_family(
    subject_of: Callable[[str], Subject], compared: Compared
) -> None:
    subject = subject_of("llama")
    source = Successions(subject.tokenizer, 12)
    items = [item for shard in source.shards() for item in source.prepare(shard).items]
    assert len(items) == 12
    hits, misses = np.zeros((12, 2, 4)), np.zeros((12, 2, 4))
    for number, item in enumerate(items):
        ids = item.segment.ids.tolist()
        added = added_by_heads(subject, ids, item.family)[:, -2]  # layer head candidate
        shown, answer = ids[-9:-1:2], item.family.index(ids[-1])
        others = [i for i, token in enumerate(item.family) if token not in (*shown, ids[-1])]
        for layer in range(2):
            for head in range(4):
                most = int(added[layer, head].argmax())
                if added[layer, head, most] > 0:
                    hits[number, layer, head] = most == answer
                    misses[number, layer, head] = (most in others) / len(others)
    for (layer, head), (score, null) in scores_over(subject, source, Successor()).items():
        compared("pattern successor", score, hits[:, layer, head].mean(), 1e-9)
        compared("pattern successor", null, misses[:, layer, head].mean(), 1e-9)
    assert hits.any()
    assert misses.any()


@pytest.mark.reference("pattern copy_suppression")
def test_copy_suppression_is_looking_at_a_token_that_is_predicted_and_lowering_it_most(
    subject_of: Callable[[str], Subject], compared: Compared, monkeypatch: pytest.MonkeyPatch
) -> None:
    subject = subject_of("llama")
    half_of_the_vocabulary = len(subject.tokenizer) // 2  # random weights predict none of ten
    monkeypatch.setattr(small_tasks, "PREDICTED", half_of_the_vocabulary)
    repeated = RepeatedTokens(subject.tokenizer, 6, shortest=5, longest=7)
    (shard,) = repeated.shards()
    scores, nulls, unpredicted = np.zeros((6, 2, 4)), np.zeros((6, 2, 4)), 0
    for number, item in enumerate(repeated.prepare(shard).items):
        ids = item.ids.tolist()
        special = set(subject.tokenizer.all_special_ids)
        first = next(place for place, token in enumerate(ids) if token not in special)
        half = sum(token not in special for token in ids) // 2
        candidates = ids[first : first + half]
        added, likeliest = (
            added_by_heads(subject, ids, candidates),
            likeliest_tokens(subject, ids, half_of_the_vocabulary),
        )
        predicting = range(
            first + half, first + 2 * half - 1
        )  # what says the second half but its first token
        for _, layer, weights, _, _ in reference.maps(subject, item):
            for head in range(4):
                for query in predicting:
                    looked_at = ids[int(weights[head, query].argmax())]
                    lowest = int(added[layer, query, head].argmin())
                    predicted = candidates[lowest] in likeliest[query]
                    unpredicted += added[layer, query, head, lowest] < 0 and not predicted
                    if predicted and looked_at in candidates and added[layer, query, head, lowest] < 0:
                        same = candidates[lowest] == looked_at
                        scores[number, layer, head] += same / len(predicting)
                        nulls[number, layer, head] += (not same) / (half - 1) / len(predicting)
    source = RepeatedTexts(repeated)
    for (layer, head), (score, null) in scores_over(subject, source, CopySuppression()).items():
        compared("pattern copy_suppression", score, scores[:, layer, head].mean(), 1e-9)
        compared("pattern copy_suppression", null, nulls[:, layer, head].mean(), 1e-9)
    assert scores.any()
    assert unpredicted, "what nobody would have said is lowered as well, and counts for nothing"


def likeliest_tokens(subject: Subject, ids: Sequence[int], many: int) -> list[set[int]]:
    """By place: the tokens that the model holds likeliest to come next."""
    logits = Hooked(subject.model, {"input_ids": torch.tensor([list(ids)])}).logits[0]
    return [set(order[:many]) for order in logits.argsort(-1, descending=True).tolist()]


@pytest.mark.reference("pattern succession")
def test_succession_is_raising_the_next_of_a_family_by_values_and_outputs_alone(
    subject_of: Callable[[str], Subject], compared: Compared
) -> None:
    """In float64: each token alone through the first layer, the second layer's norm, W_V, W_O, the final
    norm's weight, the unembedding."""
    subject = subject_of("llama")
    model: Any = subject.model
    families = [family for words in FAMILIES if len(family := family_tokens(subject.tokenizer, words)) > 3]
    groups = model.config.num_key_value_heads
    block, norm = model.model.layers[1], model.model.norm
    hits: list[list[tuple[float, float]]] = [[] for _ in range(4)]
    for family in families:
        read = model.lm_head.weight[list(family)].double() * norm.weight.double()
        rows = []
        for token in family[:-1]:
            hooked = Hooked(model, {"input_ids": torch.tensor([[token]])})
            stream = hooked.gave["model.layers.0"][0, 0]
            rows.append(stream / (stream.square().mean() + model.config.rms_norm_eps).sqrt())
        normed = torch.stack(rows) * block.input_layernorm.weight.double()
        for head in range(4):
            group = head * groups // 4
            value = normed @ block.self_attn.v_proj.weight[group * 8 : group * 8 + 8].double().T
            out = value @ block.self_attn.o_proj.weight[:, head * 8 : head * 8 + 8].double().T
            most = (out @ read.T).argmax(-1).tolist()
            rises = [float(m == place + 1) for place, m in enumerate(most)]
            other = [(m not in (place, place + 1)) / (len(family) - 2) for place, m in enumerate(most)]
            hits[head] += zip(rises, other, strict=True)
    scores = succession(subject)
    assert [score.head.layer for score in scores] == [1] * 4
    assert {score.documents for score in scores} == {len(families)}, "members of one family are alike"
    for score in scores:
        share, null = np.array(hits[score.head.head]).mean(0)
        compared("pattern succession", score.score, share, 1e-9)
        compared("pattern succession", score.null, null, 1e-9)
    assert len({score.score for score in scores}) > 1


@pytest.mark.reference("pattern query_focus")
def test_query_focus_is_the_attention_of_a_question_on_its_answer(
    subject_of: Callable[[str], Subject], segments_of: Callable[..., list[Segment]], compared: Compared
) -> None:
    subject = subject_of("llama")
    (segment,) = segments_of(subject, 1, 24)
    length = len(segment.ids)
    item = Question(segment, (4, 5, 6), 2, tuple(range(length - 5, length)))
    reducer = QueryFocus()
    batch = answer_batch(subject, item, [7, 8])
    with Tap(subject, [reducer]) as tap:
        tap.run(batch)
    answered = replace_ids(segment, [*segment.ids.tolist(), 7, 8])
    expected = {}
    for _, layer, weights, _, _ in reference.maps(subject, answered):
        for head in range(4):
            rows = weights[head, length - 5 : length]
            reading = weights[head, 7 : length - 5]  # what stands between the answer and the question
            expected[layer, head] = rows[:, 4:7].sum(-1).mean(), reading[:, 4:7].sum(-1).mean()
    for score in reducer.scores():
        value, null = expected[score.head.layer, score.head.head]
        compared("pattern query_focus", score.score, value, 1e-5)
        compared("pattern query_focus", score.null, null, 1e-5)


def replace_ids(segment: Segment, ids: Sequence[int]) -> Segment:
    return Segment(segment.id, np.array(ids, np.int32), np.zeros(len(ids), np.uint8))


def prompts_that_are_solved(subject: Subject, count: int) -> tuple[FunctionPrompt, ...]:
    """Of one function, with the answers that the model gives."""
    source = FunctionPrompts(subject.tokenizer, count)
    prompts = source.prepare(Shard(0, "antonym")).items
    solved = []
    for prompt in prompts:
        with torch.no_grad():
            logits = subject.model(input_ids=torch.tensor([prompt.segment.ids.tolist()])).logits
        solved.append(replace(prompt, answer=int(logits[0, -1].argmax())))
    return tuple(solved)


def by_hand(
    subject: Subject, ids: Sequence[int], layer: int, head: int, mean: Tensor | None
) -> tuple[Any, Any]:
    """A whole run in which a head gives `mean` at the last token: the probabilities there, and what heads of
    the layer give."""
    outputs = []

    def change(_: object, args: tuple[Tensor]) -> tuple[Tensor]:
        joined = args[0].clone()
        outputs.append(joined[0, -1].clone())
        if mean is not None:
            joined[0, -1, 8 * head : 8 * head + 8] = mean
        return (joined,)

    module = subject.model.get_submodule(f"model.layers.{layer}.self_attn.o_proj")
    handle = module.register_forward_pre_hook(change)
    with torch.no_grad():
        logits = subject.model(input_ids=torch.tensor([list(ids)])).logits[0, -1].double()
    handle.remove()
    return logits.softmax(-1), outputs[0]


@pytest.mark.reference("pattern function_vector")
def test_a_function_vector_is_what_the_mean_output_after_right_examples_does_to_the_answer(
    subject_of: Callable[[str], Subject], compared: Compared
) -> None:
    subject = subject_of("llama")
    prompts = prompts_that_are_solved(subject, 4)
    outcomes = FunctionSweep().outcomes(subject, prompts)
    for number, head in enumerate(subject.heads):
        for way in range(2):
            texts = [p.segment.ids.tolist() if way == 0 else p.wrong for p in prompts]
            part = slice(8 * head.head, 8 * head.head + 8)
            outputs = [by_hand(subject, text, head.layer, head.head, None)[1][part] for text in texts]
            for place, prompt in enumerate(prompts):
                mean = torch.stack([z for other, z in enumerate(outputs) if other != place]).mean(0)
                likely, _ = by_hand(subject, prompt.wrong, head.layer, head.head, mean)
                value = outcomes[way * len(subject.heads) + number, place]
                compared("pattern function_vector", value, likely[prompt.answer], 1e-6)


def test_prompts_that_are_not_solved_have_no_function_vector(subject_of: Callable[[str], Subject]) -> None:
    subject = subject_of("llama")
    first, second, third = prompts_that_are_solved(subject, 3)
    wrong = replace(second, answer=(second.answer + 1) % 100)
    outcomes = FunctionSweep().outcomes(subject, [first, wrong, third])
    assert outcomes[:, 1].isnan().all()
    assert not outcomes[:, [0, 2]].isnan().any()
    assert FunctionSweep().outcomes(subject, [first, wrong]).isnan().all(), "one alone has no other's mean"


def test_scores_of_function_vectors_are_means_over_what_is_solved(
    subject_of: Callable[[str], Subject],
) -> None:
    subject = subject_of("llama")
    source = FunctionPrompts(subject.tokenizer, 3)
    (batch,) = source.batches(subject, prompts_that_are_solved(subject, 3))
    outcomes = torch.rand(2 * len(subject.heads), 3, dtype=torch.float64)
    outcomes[:, 1] = torch.nan
    reducer = FunctionVectors(subject.heads)
    reducer.update(Observation(batch, outcomes=outcomes))
    for place, score in enumerate(reducer.scores()):
        right, wrong = (outcomes[way * len(subject.heads) + place, [0, 2]].mean() for way in range(2))
        assert (score.score, score.null, score.items) == pytest.approx((float(right), float(wrong), 2))


def test_the_last_token_run_for_itself_gives_what_a_whole_run_gives(
    subject_of: Callable[[str], Subject],
) -> None:
    subject = subject_of("llama")
    (prompt, *_) = prompts_that_are_solved(subject, 1)
    runner = LastToken(subject)
    logits, outputs = runner.outputs(prompt.wrong)
    unchanged = [(head, outputs) for head in subject.heads]
    answers = runner.answers(prompt, unchanged)
    whole = logits.double().softmax(-1)[prompt.answer]
    torch.testing.assert_close(answers, whole.expand_as(answers), atol=1e-7, rtol=1e-5)


def test_a_text_is_solved_where_half_of_what_it_asks_for_is_predicted(
    subject_of: Callable[[str], Subject],
) -> None:
    subject = subject_of("llama")
    source = RepeatedTokens(subject.tokenizer, 2, shortest=4, longest=4)
    (shard,) = source.shards()
    (batch,) = source.batches(subject, source.prepare(shard).items)
    ids = batch.sides["decoder"].ids
    assert ids is not None
    logits = torch.nn.functional.one_hot(ids.roll(-1, 1).long(), len(subject.tokenizer)).float()
    asked = batch.sides["decoder"].members("repeated").nonzero()
    wrong = asked[asked[:, 0] == 1][:2]  # two of the three that the second text asks for
    logits[1, wrong[:, 1] - 1] = 0
    solved = SolvedTexts()
    solved.update(Observation(batch, output=type("Output", (), {"logits": logits})()))
    assert solved.numbers[ItemId(0, 0)].tolist() == [1]
    assert solved.numbers[ItemId(1, 0)].tolist() == pytest.approx([1 / 3])
    assert solved.solved_ids() == [ItemId(0, 0)]


def test_a_model_that_solves_no_task_has_no_such_score_and_says_so(
    subject_of: Callable[[str], Subject],
) -> None:
    subject = subject_of("llama")

    def make(name: str, doing: str, source: Any, reducers: list[Any]) -> Pass:
        return Pass(name, source, reducers, doing=doing)

    scores, notes = task_scores(subject, 4, 0, make, run_here(subject))
    assert not scores
    assert [note.partition(":")[0] for note in notes] == ["successor", "copy_suppression", "function_vector"]
    assert all(note.endswith("so that no head has a score") for note in notes)


def test_an_encoder_is_given_no_tasks(mini: Subject) -> None:
    result = attlas.patterns(mini, segments=4, length=16, repeated=2, hidden=0, maps=0, progress=False)
    assert any("not applicable: successor (the model does not generate text)" in n for n in result.notes)
