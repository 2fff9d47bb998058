"""Disabling heads and layers: a sweep gives what whole runs give, and its numbers are plain formulas'."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pytest
import torch
import transformers
from in_process import Backwards, StopsAfter, run_here
from rich.console import Console
from scipy import stats
from sklearn import metrics
from torch import Tensor

import attlas
import reference
from attlas import studies
from attlas.address import Head
from attlas.cli import main
from attlas.corpora.batches import Batch
from attlas.corpora.documents import read_sentences
from attlas.corpora.source import ItemId
from attlas.corpora.tasks import task_named
from attlas.corpora.text import text_corpus
from attlas.edits import mean, uniform, zero
from attlas.edits.sweep import Kept, Sweep, copies_at_once, keeping, replaying
from attlas.errors import AttlasError
from attlas.options import BatchOptions, KeepOptions, RunOptions, TextOptions
from attlas.statistics.clusters import ONE_DOCUMENT
from attlas.statistics.hypotheses import holm
from attlas.studies.disabling.disable_study import (
    Disable,
    HeadOutputMeans,
    check_sweep,
    every_head_and_layer,
    sets_named,
    significant,
)
from attlas.studies.disabling.evaluation import Evaluation, loss_evaluation
from attlas.studies.disabling.outcomes import LOSS, Metric, Outcomes, changes, metric_of, normal_p
from attlas.studies.disabling.sweep_trial import agree
from attlas.studies.study_run import run_chapters
from attlas.subject import Subject
from attlas.subject.blocks import blocks_of
from attlas.subject.losses import TokenLosses, objective
from attlas.tap import Tap
from compared import Compared
from zoo import ZOO, inputs_for

QUIET = RunOptions(progress=False)
TEXT_MODELS = [name for name, species in ZOO.items() if species.interface and species.text]


def spread_of_logits(subject: Subject, batch: Batch, seed: int) -> tuple[Batch, Callable[[Any], Tensor]]:
    """A measure that any change of any logit shows in."""
    return batch, lambda output: output.logits.double().square().mean((1, 2))


def evaluation_of(
    subject: Subject, segments: int = 4, length: int = 24, batch: int | None = 3, text: Any = None
) -> Evaluation:
    text_options = TextOptions(text=text, segments=segments, length=length)
    return loss_evaluation(subject, text_options, BatchOptions(batch=batch))


def study_of(subject: Subject, edit: str = "uniform", heads: tuple[str, ...] = (), **more: Any) -> Disable:
    return Disable(
        subject=subject,
        evaluation=evaluation_of(subject, **more),
        edit=edit,
        sets=sets_named(heads, subject.heads),
    )


@pytest.mark.parametrize("model", TEXT_MODELS)
def test_a_sweep_gives_what_whole_runs_give(model: str) -> None:
    """Every head and every layer, on any model: what comes before an edit is computed once, if it can be."""
    subject = Subject(ZOO[model].build(), name=model)
    batch = subject.annotate(inputs_for(ZOO[model], "right"))
    edits = [zero(s.heads).resolved(subject.heads) for s in every_head_and_layer(subject.heads)]
    outcomes = Sweep(edits, spread_of_logits).observe(subject, batch).outcomes
    assert outcomes is not None
    assert bool(blocks_of(subject)) is (model not in ("albert", "gemma3n"))
    _, measured = spread_of_logits(subject, batch, 0)
    for edit, outcome in zip([None, *edits], outcomes, strict=True):
        with Tap(subject, edits=[edit] if edit else []) as tap:
            alone = measured(tap.run(batch, predictions=True))
        torch.testing.assert_close(outcome, alone, rtol=1e-4, atol=1e-6)
    apart = (outcomes[1:] - outcomes[0]).abs().amax(1)
    assert (apart > 1e-6).all(), "every head counts in these models"


def test_masked_words_alone_are_predicted_with_the_same_losses(mini: Subject) -> None:
    """A sweep of an encoder predicts only where a label is; whole runs predict every token."""
    source = evaluation_of(mini, segments=5).source
    (batch,) = source.batches(mini, source.prepare(next(source.shards()), 3).items[:3])
    edits = [zero(head).resolved(mini.heads) for head in ("0.3", "5.1", "5.2", "11.*")]
    sizes: list[int] = []
    decoder = mini.model.get_output_embeddings()  # type: ignore[operator]
    hook = decoder.register_forward_hook(lambda _, __, output: sizes.append(output.shape[:-1].numel()))
    shared, whole = (
        Sweep(edits, shared=together).observe(mini, batch).outcomes for together in (True, False)
    )
    hook.remove()
    torch.testing.assert_close(shared, whole, rtol=1e-5, atol=1e-5)
    assert sum(sizes[:4]) < 0.2 * sum(sizes[4:])  # four runs, of which one has two heads; then five


class Block(torch.nn.Module):
    """Gives what it makes of its input, and what else blocks give."""

    def __init__(self) -> None:
        super().__init__()
        self.map, self.runs = torch.nn.Linear(3, 3), 0

    def forward(self, rows: Tensor) -> tuple[Any, ...]:
        self.runs += 1
        return self.map(rows), torch.arange(2), torch.ones(5), None


def test_what_comes_before_an_edit_is_answered_from_the_first_run() -> None:
    """For every copy: with what the block gave where another reads it (the next, which computes, or another
    stack), else with what is not a number, so that nobody takes it for a result."""
    blocks = tuple(Block() for _ in range(4))
    kept = Kept(blocks, rows=2, ends=frozenset(blocks[:1]))
    with torch.no_grad():
        with keeping(kept):
            gave = [block(torch.randn(2, 3))[0] for block in blocks]
        with replaying(kept, first=3, copies=2):
            end, unread, last, computed = (block(torch.randn(4, 3)) for block in blocks)
    assert [block.runs for block in blocks] == [1, 1, 1, 2]
    for answer, before in ((end, gave[0]), (last, gave[2])):
        assert torch.equal(answer[0], torch.cat([before, before]))
    assert unread[0].isnan().all()
    for answer in (end, unread, last):
        assert [answer[0].shape, answer[1].tolist(), len(answer[2])] == [(4, 3), [0, 1, 0, 1], 5]
        assert answer[2].isfinite().all()
        assert answer[3] is None
    assert computed[0].shape == (4, 3)


def test_a_sweep_computes_no_block_before_its_edit_but_once() -> None:
    subject = Subject(ZOO["llama"].build(), name="llama")
    batch = subject.annotate(inputs_for(ZOO["llama"], "right"))
    runs: list[int] = []
    hooks = [
        layer.self_attn.register_forward_hook(lambda *_, number=number: runs.append(number))
        for number, layer in enumerate(subject.model.model.layers)  # type: ignore[union-attr,arg-type]
    ]
    edits = [zero(head).resolved(subject.heads) for head in ("0.0", "1.0", "1.1")]
    Sweep(edits, spread_of_logits).observe(subject, batch)
    for hook in hooks:
        hook.remove()
    assert runs == [0, 1, 2, 0, 1, 2, 1, 2], "unmodified, with the first edit, with the others from layer 1"


def test_an_encoder_computes_and_predicts_at_the_end_the_labelled_tokens_alone() -> None:
    """The first run is whole until its predictions; then the feed-forward layer of the last block, too, gets
    those tokens alone, of one copy for the edit of the first layer, and of two for those of the second."""
    subject = Subject(ZOO["bert"].build(), name="bert")
    batch = subject.annotate(inputs_for(ZOO["bert"], "right"))
    ids = batch.inputs["input_ids"]
    labels = torch.full_like(ids, -100)
    labels[:, 1:3] = ids[:, 1:3]
    rows: dict[str, list[int]] = {}

    def count(name: str, part: Any) -> None:
        forward, counts = part.forward, rows.setdefault(name, [])
        part.forward = lambda inputs: counts.append(inputs.shape[:-1].numel()) or forward(inputs)

    model: Any = subject.model
    count("last block", model.bert.encoder.layer[-1].intermediate.dense)
    count("predictions", model.get_output_embeddings())
    edits = [zero(head).resolved(subject.heads) for head in ("0.0", "1.0", "1.1")]
    Sweep(edits, lambda *_: (batch, TokenLosses(labels))).observe(subject, batch)
    assert rows["last block"] == [ids.numel(), 2 * len(ids), 4 * len(ids)]
    assert rows["predictions"] == [2 * len(ids), 2 * len(ids), 4 * len(ids)]


def loss_of_second_half(subject: Subject, text: list[int]) -> float:
    """Every token of the second half after its first, from what the model gives for the whole text."""
    half = (len(text) - 2) // 2  # between [CLS] and [SEP]
    predicted = range(1 + half + 1, 1 + 2 * half)
    ids = torch.tensor([text], device=subject.device)
    if subject.encoder_decoder:  # its place i predicts token i: it reads one place later
        logits, before = subject.model(ids, decoder_input_ids=subject.shifted_right(ids)).logits, 0
    else:
        logits, before = subject.model(ids).logits, 1
    chances = logits[0].double().log_softmax(-1)
    return -float(np.mean([chances[i - before, text[i]].item() for i in predicted]))


@pytest.mark.parametrize("name", ["llama", "t5"])
def test_on_repeated_tokens_the_loss_is_that_of_the_second_half(
    subject_of: Callable[[str], Subject], name: str
) -> None:
    subject = subject_of(name)
    evaluation = evaluation_of(subject, 3, 40, 2, "repeated")
    items = evaluation.source.prepare(next(evaluation.source.shards())).items
    assert all(len(item.ids) <= 40 for item in items)
    measured = {
        item: loss
        for batch in evaluation.source.batches(subject, items)
        for item, loss in zip(batch.ids, _losses(subject, evaluation, batch), strict=True)
    }
    with torch.no_grad():
        plain = {item.id: loss_of_second_half(subject, item.ids.tolist()) for item in items}
    assert measured == pytest.approx(plain, rel=1e-4)


def _losses(subject: Subject, evaluation: Evaluation, batch: Batch) -> list[float]:
    prepared, losses = evaluation.measure(subject, batch, 0)
    with torch.no_grad(), Tap(subject) as tap:
        return losses(tap.run(prepared, predictions=True)).tolist()  # type: ignore[no-any-return]


def test_on_repeated_tokens_an_encoder_hides_words_of_the_second_half(mini: Subject) -> None:
    evaluation = evaluation_of(mini, 6, 42, 3, "repeated")
    for batch in evaluation.source.batches(
        mini, evaluation.source.prepare(next(evaluation.source.shards())).items
    ):
        _, losses = evaluation.measure(mini, batch, 0)
        assert isinstance(losses, TokenLosses)
        lengths = batch.sides["encoder"].real.sum(-1)
        for row, length in zip(losses.places, lengths, strict=True):
            hidden = row.nonzero().squeeze(-1).tolist()
            half = (int(length) - 2) // 2
            assert hidden
            assert min(hidden) > 1 + half  # after [CLS], the first half and the second's first token
            assert max(hidden) < int(length) - 1


def test_what_repeats_is_a_chapter_that_says_what_its_loss_is_of(mini: Subject) -> None:
    made = attlas.disable(mini, text="repeated", segments=2, length=20, heads=["0.0"], progress=False)
    assert made.chapter.name == "disable-repeated-random-tokens-mean"
    assert any("second half" in note for note in made.notes)


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"length": 8}, "length=8: a text that repeats needs 10 tokens or more"),
        ({"segments": "all"}, "segments='all': text='repeated' is made at random"),
        ({"field": "text"}, "field='text': text='repeated' is made at random"),
    ],
)
def test_repeated_tokens_refuse_what_is_of_files(mini: Subject, options: Any, says: str) -> None:
    with pytest.raises(AttlasError, match=re.escape(says)):
        attlas.disable(mini, text="repeated", **options)


def test_disabling_loads_no_other_study() -> None:
    code = """
import sys, attlas
attlas.disable("mini", text="repeated", segments=2, length=16, heads=["0.1"], progress=False)
print(*{name.split(".")[2] for name in sys.modules if name.startswith("attlas.studies.")})
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    folders = {path.parent.name for path in Path(studies.__path__[0]).glob("*/__init__.py")}
    assert folders.intersection(done.stdout.split()) == {"disabling"}


def test_losses_over_a_large_vocabulary_are_as_exact_as_float32() -> None:
    """A mean over thousands of losses keeps what each of them is off by on one side."""
    generator = torch.Generator().manual_seed(0)
    logits = 4 * torch.randn(2, 9, 60_000, generator=generator)
    labels = torch.randint(60_000, (2, 9), generator=generator)
    labels[1, 5:] = -100
    exact = [
        -float(row.double().log_softmax(-1).gather(-1, targets.clamp(min=0)[:, None])[targets >= 0].mean())
        for row, targets in zip(logits, labels, strict=True)
    ]
    losses = TokenLosses(labels)(SimpleNamespace(logits=logits))
    assert losses.double().tolist() == pytest.approx(exact, rel=4 * torch.finfo(torch.float32).eps)


@pytest.mark.parametrize(
    "text",
    [
        "The old bridge was closed in 1921. The new one was opened by the mayor a year later, and it carries "
        "trains as well as cars.",
        "The river rises in the mountains and flows north to the sea. It is not deep, but ships come up "
        "to the town when the tide is high.",
    ],
)
def test_the_embedded_model_is_run_from_the_middle_on(mini: Subject, text: str, tmp_path: Path) -> None:
    """Whatever it reads: losses of masked words alone and of all tokens differ by rounding."""
    (tmp_path / "text.txt").write_text(text, "utf-8")
    study = study_of(mini, heads=("0.0", "11.1"), text=tmp_path / "text.txt", segments=2, length=64)
    edits = [uniform(s.heads) for s in study.sets]
    checked = check_sweep(Sweep(edits, study.evaluation.measure), mini, study.source, run_here(mini))
    assert checked.sweep.shared
    assert not checked.notes


def test_a_model_is_left_as_it_was() -> None:
    subject = Subject(ZOO["llama"].build())
    batch = subject.annotate(inputs_for(ZOO["llama"], "right"))
    before = subject.run(batch.inputs).logits
    Sweep([zero("1.0").resolved(subject.heads)], spread_of_logits).observe(subject, batch)
    assert all("forward" not in block.__dict__ for block in blocks_of(subject))
    assert torch.equal(subject.run(batch.inputs).logits, before)


def by_hand(subject: Subject, study: Disable, change: Callable[[Head], Any]) -> dict[Head, np.ndarray]:
    """head -> item: the loss in float64 of each item by itself, and under None as the model is."""
    twin = Subject(in_float64(subject), subject.tokenizer, "twin")
    items = [i for shard in study.source.shards() for i in study.source.prepare(shard).items]
    items = sorted(items[: study.source.limit], key=lambda item: item.id)
    by_head: dict[Any, np.ndarray] = {}
    for head in (None, *subject.heads):
        edits = [] if head is None else [change(head)]
        losses = []
        for item in items:
            (batch,) = study.source.batches(twin, [item])
            prepared, loss = objective(twin, batch, 0)
            with torch.no_grad(), Tap(twin, edits=edits, kernel="eager") as tap:
                losses.append(float(loss(tap.run(prepared, predictions=True))))
        by_head[head] = np.array(losses)
    return by_head


def in_float64(subject: Subject) -> torch.nn.Module:
    """The same model in float64."""
    made: Any = type(subject.model)(subject.model.config)
    made.load_state_dict(subject.model.state_dict())
    copy: torch.nn.Module = made.double().to(subject.device)
    return copy


@pytest.mark.parametrize(("model", "edit"), [("llama", "zero"), ("llama", "uniform"), ("t5", "mean")])
@pytest.mark.reference("effect_on_loss")
def test_every_number_is_that_of_plain_formulas(
    model: str, edit: str, subject_of: Callable[[str], Subject], compared: Compared
) -> None:
    subject = subject_of(model)
    study = study_of(subject, edit)
    chapter = study.conclude(run_here(subject))
    table = chapter.tables["disabled"]
    means = HeadOutputMeans()
    with Tap(subject, [means]) as tap:
        for shard in study.source.shards():
            for batch in study.source.batches(subject, study.source.prepare(shard, study.source.limit).items):
                tap.run(batch)
            break
    change = {"zero": zero, "uniform": uniform, "mean": lambda head: mean(head, means.means())}[edit]
    losses = by_hand(subject, study, change)
    items = [i for shard in study.source.shards() for i in study.source.prepare(shard).items]
    ids = sorted(item.id for item in items[: study.source.limit])
    assert len(table) == len(subject.heads)
    alone = []
    for row in table.to_dict("records"):
        plain, edited = losses[None], losses[Head(row["kind"], row["layer"], row["head"])]
        apart = edited - plain
        documents = [item.document for item in ids]
        change_mean, stderr = reference.clustered(apart.tolist(), documents)
        several = len(set(documents))
        assert several > 1
        assert row["plain"] == pytest.approx(plain.mean(), rel=1e-5)
        assert row["change"] == pytest.approx(change_mean, abs=2e-5)
        assert row["disabled"] == pytest.approx(edited.mean(), rel=1e-5)
        half = stderr * stats.t.ppf(0.975, several - 1)
        assert (row["low"], row["high"]) == pytest.approx((change_mean - half, change_mean + half), abs=2e-4)
        assert row["stderr"] == pytest.approx(stderr, abs=2e-5)
        alone.append(row["p_alone"])
        if np.abs(apart).max() > 1e-3:
            two_sided = 2 * stats.t.sf(abs(change_mean) / stderr, several - 1)
            assert row["p_alone"] == pytest.approx(two_sided, rel=0.02, abs=1e-3)
        assert (row["n"], row["documents"]) == (len(ids), several)
    assert table["p"].to_numpy() == pytest.approx(holm(np.array(alone)))
    assert len(chapter.rows) == len(subject.heads)
    for effect in chapter.rows:
        change = (losses[Head(*effect[:3])] - losses[None]).mean()  # type: ignore[index]
        compared(effect.statistic, effect.value, change, 2e-5)


@pytest.fixture
def short_documents(tmp_path: Path) -> Path:
    """Twelve of them, of which three or four make a shard of 100 tokens."""
    every = [" ".join(text.split()[:60]) for text in (" ".join(d) for d in read_sentences(text_corpus()))]
    path = tmp_path / "short.txt"
    path.write_text("\n\n".join(every[:12]) + "\n")
    return path


def in_shards(subject: Subject, edit: str, heads: tuple[str, ...], text: Path) -> Disable:
    study = study_of(subject, edit, heads, segments=24, text=text)
    evaluation = replace(study.evaluation, source=replace(study.source, shard_tokens=150))
    return replace(study, evaluation=evaluation)


def test_any_order_of_shards_gives_the_same_bits(
    subject_of: Callable[[str], Subject], short_documents: Path
) -> None:
    subject = subject_of("llama")
    small = in_shards(subject, "shuffle", ("0.1", "layer 1"), short_documents)
    here = small.conclude(run_here(subject))
    assert len(list(small.source.shards())) > 2
    again = small.conclude(run_here(subject, Backwards()))  # type: ignore[arg-type]
    for name, table in here.tables.items():
        pd.testing.assert_frame_equal(table, again.tables[name], check_exact=True)


def test_a_sweep_that_was_stopped_goes_on(
    subject_of: Callable[[str], Subject], short_documents: Path, tmp_path: Path
) -> None:
    subject = subject_of("llama")
    small = in_shards(subject, "zero", ("0.1", "1.2"), short_documents)
    whole = small.conclude(run_here(subject))
    out = tmp_path / "a.attlas"
    with pytest.raises(KeyboardInterrupt):
        run_chapters([small], subject, QUIET, KeepOptions(atlas=out), engine=StopsAfter(2))  # type: ignore[arg-type]
    resumed = RunOptions(resume=True, progress=False)
    (done,) = run_chapters([small], subject, resumed, KeepOptions(atlas=out))
    pd.testing.assert_frame_equal(done.tables["disabled"], whole.tables["disabled"], check_exact=True)


def test_shuffle_leaves_out_items_without_a_partner(
    subject_of: Callable[[str], Subject], tmp_path: Path
) -> None:
    subject, text = subject_of("llama"), tmp_path / "text.txt"
    documents = (
        "It rained. We went home.",
        "It snowed. We went home.",
        "They sang. Then all of us went home.",
    )
    text.write_text("\n\n".join(documents), "utf-8")
    study = study_of(subject, "shuffle", ("0.1",), segments=9, batch=9, text=text)
    chapter = study.conclude(run_here(subject))
    items = [i for shard in study.source.shards() for i in study.source.prepare(shard).items][:9]
    lengths = [len(i.ids) for i in items]
    shared = sum(lengths.count(n) > 1 for n in lengths)
    assert chapter.tables["disabled"]["n"].tolist() == [shared]
    assert shared < len(items)
    notes = chapter.about["notes"]
    assert notes[0].endswith(f"over {shared} segments as the model is")
    assert f"left out since no other of their batch is as long: {len(items) - shared} items" in notes


@pytest.mark.parametrize(
    ("name", "edit", "said"), [("llama", "uniform", 1), ("llama", "zero", 0), ("bert", "uniform", 0)]
)
def test_even_attention_is_said_to_wake_resting_heads_of_decoders(
    name: str, edit: str, said: int, subject_of: Callable[[str], Subject]
) -> None:
    subject = subject_of(name)
    notes = study_of(subject, edit, ("0.1",), segments=2).conclude(run_here(subject)).about["notes"]
    assert sum("rest on the first token; the edit `mean`" in note for note in notes) == said


def test_what_raises_a_loss_makes_it_worse_and_what_raises_a_score_makes_it_better(
    subject_of: Callable[[str], Subject],
) -> None:
    """The same numbers as a loss and as a score: the note counts the same heads, under opposite words."""
    subject = subject_of("llama")

    def logits_of_one_piece(_: Subject, batch: Batch, __: int) -> tuple[Batch, Callable[[Any], Tensor]]:
        return batch, lambda output: output.logits[..., 7].double().mean(1)

    heads = ("0.1", "1.0", "1.2")  # one of which raises this logit, and two lower it
    study = study_of(subject, "zero", heads, segments=12, batch=6)
    score = Metric("logit", True, LOSS.of, LOSS.item)
    chapters = [
        replace(study, evaluation=Evaluation(study.source, logits_of_one_piece, metric)).conclude(
            run_here(subject)
        )
        for metric in (LOSS, score)
    ]
    sure = chapters[0].tables["disabled"].query("p < 0.05")["change"]
    raised, lowered = int((sure > 0).sum()), int((sure < 0).sum())
    assert (raised, lowered) == (2, 1)
    for chapter, worse, better in zip(chapters, (raised, lowered), (lowered, raised), strict=True):
        (said,) = (note for note in chapter.about["notes"] if "it worse" in note)
        is_ = "is" if worse == 1 else "are"
        assert said == f"of 3 heads, {worse} {is_} shown to make it worse when disabled and {better} better"


def test_a_change_that_is_sure_and_too_small_to_matter_is_not_counted() -> None:
    rows = pd.DataFrame(
        [
            {
                "score": "loss",
                "change": change,
                "low": change - 0.001,
                "high": change + 0.001,
                "p": 1e-9,
                "n": 40,
            }
            for change in (0.002, -0.004, 0.05, -0.03, 0.02)
        ]
    )
    assert (significant(rows, LOSS, True), significant(rows, LOSS, False)) == (2, 1)


def test_a_head_that_makes_no_difference_is_named() -> None:
    """Here nothing reads what head 1.2 gives: a finding beside others; an error where nothing else is."""
    subject = in_memory("llama")
    with torch.no_grad():
        subject.model.model.layers[1].self_attn.o_proj.weight[:, 16:24] = 0
    chapter = study_of(subject, "zero").conclude(run_here(subject))
    table = chapter.tables["disabled"]
    (dead,) = table[~table["effect_seen"]].to_dict("records")
    assert (dead["layer"], dead["head"], dead["p"]) == (1, 2, 1)
    assert chapter.tables["disabled_together"]["effect_seen"].all()
    assert (
        "no effect on the output was seen in the first items: zero on decoder.1.2" in chapter.about["notes"]
    )
    with pytest.raises(AttlasError, match=r"^zero on decoder\.1\.2 changed nothing in the output of llama$"):
        study_of(subject, "zero", ("1.2",)).conclude(run_here(subject))


def test_a_loss_that_is_not_a_number_is_an_error() -> None:
    subject = in_memory("llama")
    with torch.no_grad():
        subject.model.model.norm.weight[0] = torch.nan
    with pytest.raises(AttlasError, match="is not a number"):
        study_of(subject, "zero", ("0.0",)).conclude(run_here(subject))


def in_memory(name: str) -> Subject:
    """A model of its own, to be spoiled, that reads with mini's tokenizer."""
    config = transformers.LlamaConfig(
        vocab_size=8192,
        hidden_size=32,
        num_attention_heads=4,
        num_key_value_heads=2,
        num_hidden_layers=2,
        intermediate_size=32,
    )
    torch.manual_seed(0)
    tokenizer = transformers.AutoTokenizer.from_pretrained(Path(attlas.__file__).parent / "data" / "mini")
    return Subject(transformers.LlamaForCausalLM(config), tokenizer, name)


@pytest.fixture(scope="session")
def task(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A tiny classifier, and examples in two columns."""
    folder = tmp_path_factory.mktemp("task")
    torch.manual_seed(1)
    config = transformers.BertConfig(
        vocab_size=8192,
        hidden_size=32,
        num_attention_heads=4,
        num_hidden_layers=2,
        intermediate_size=32,
        num_labels=2,
    )
    model = transformers.BertForSequenceClassification(config)
    with torch.no_grad():
        for parameter in model.bert.parameters():
            if parameter.ndim > 1:
                parameter.mul_(6)
    model.save_pretrained(folder / "model")
    mini = Path(attlas.__file__).parent / "data" / "mini"
    transformers.AutoTokenizer.from_pretrained(mini).save_pretrained(folder / "model")
    words = [
        "the",
        "a",
        "cat",
        "dog",
        "sat",
        "ran",
        "on",
        "under",
        "mat",
        "tree",
        "red",
        "river",
        "king",
        "city",
    ]
    rng = np.random.default_rng(0)
    texts = [" ".join(rng.choice(words, rng.integers(3, 9))) for _ in range(40)]
    lines = ["text\tlabel", *(f"{text}\t{n % 2}" for n, text in enumerate(texts))]
    (folder / "dev.tsv").write_text("\n".join(lines) + "\n")
    return folder / "model", folder / "dev.tsv"


@pytest.mark.parametrize("metric", ["accuracy", "f1", "matthews"])
@pytest.mark.reference("effect_on_score")
def test_a_task_is_scored_with_and_without_heads(
    task: tuple[Path, Path], metric: str, compared: Compared
) -> None:
    model, data = task
    result = attlas.disable(
        model,
        "mine",
        data=data,
        columns=["text"],
        metric=metric,
        edit="zero",
        heads=["1.*", "0.2"],
        progress=False,
    )
    subject = attlas.load(model)
    rows = [line.split("\t") for line in data.read_text().splitlines()[1:]]
    labels = np.array([int(label) for _, label in rows])
    answers = {}
    for name, edits in (("plain", []), ("head", [zero("0.2")]), ("layer", [zero("1.*")])):
        with torch.no_grad(), Tap(subject, edits=edits) as tap:
            predicted = [
                tap.run(subject.encode(text), predictions=True).logits[0].argmax() for text, _ in rows
            ]
        answers[name] = np.array([int(g) for g in predicted])
    score = {
        "accuracy": metrics.accuracy_score,
        "f1": metrics.f1_score,
        "matthews": metrics.matthews_corrcoef,
    }[metric]
    (effect,) = result.rows
    change = score(labels, answers["head"]) - score(labels, answers["plain"])
    compared(effect.statistic, effect.value, change, 1e-9)
    for table, name in ((result.table, "head"), (result.together, "layer")):
        (row,) = table.to_dict("records")
        assert row["plain"] == pytest.approx(score(labels, answers["plain"]))
        assert row["disabled"] == pytest.approx(score(labels, answers[name]))
        if metric == "accuracy":
            before, after = answers["plain"] == labels, answers[name] == labels
            lost, gained = int((before & ~after).sum()), int((~before & after).sum())
            expected = stats.binomtest(lost, lost + gained).pvalue if lost + gained else 1.0
        else:
            size = abs(row["disabled"] - row["plain"])
            expected = 2 * stats.norm.cdf(-size / row["stderr"]) if size else 1.0
        assert row["p_alone"] == pytest.approx(expected)
        assert row["n"] == 40


@pytest.mark.parametrize("metric", ["pearson", "spearman"])
def test_the_p_of_a_correlation_is_of_the_correlation(metric: str) -> None:
    """Twice every answer and one more: all errors differ, and the correlation does not."""
    rng = np.random.default_rng(0)
    labels = rng.normal(size=60)
    plain = labels + rng.normal(size=60)
    outcomes = Outcomes()
    ids = [ItemId(n, 0) for n in range(60)]
    edits = (plain, 2 * plain + 1, rng.normal(size=60), np.zeros(60))
    outcomes.numbers = dict(zip(ids, np.stack([labels, *edits], axis=1), strict=True))
    scored_by = metric_of(task_named("mine", ("text",), None, True), metric)
    same, broken, none = changes(outcomes, scored_by, 0)
    assert abs(same.change) < 1e-12
    assert same.p == 1
    assert broken.p == pytest.approx(2 * stats.norm.cdf(-abs(broken.change) / broken.stderr))
    assert broken.p < 0.01
    assert np.isnan(none.change)  # all answers are equal
    assert none.p == 1


def test_the_p_of_f1_is_of_f1() -> None:
    """Ten ones that were missed are found, and ten others are taken for ones: as many are right as before."""
    labels = np.repeat([1.0, 0.0], 30)
    plain = np.concatenate([np.zeros(10), np.ones(20), np.zeros(30)])
    edited = np.concatenate([np.ones(40), np.zeros(20)])
    outcomes = Outcomes()
    ids = [ItemId(n, 0) for n in range(60)]
    outcomes.numbers = dict(zip(ids, np.stack([labels, plain, edited], axis=1), strict=True))
    (change,) = changes(outcomes, metric_of(task_named("MRPC"), "f1"), 0)
    assert change.change == pytest.approx(60 / 70 - 40 / 50)
    assert change.p == pytest.approx(2 * stats.norm.cdf(-change.change / change.stderr))
    assert change.p < 1
    (same,) = changes(outcomes, metric_of(task_named("MRPC"), "accuracy"), 0)
    assert (same.change, same.p) == (0, 1)


def test_a_change_that_every_draw_has_is_sure_and_one_that_is_not_a_number_shows_nothing() -> None:
    assert normal_p(-0.2, 0.1) == pytest.approx(2 * stats.norm.sf(2))
    assert normal_p(0.5, 0.0) == 0
    assert {normal_p(0.0, 0.0), normal_p(np.nan, 0.1), normal_p(0.1, np.nan)} == {1}


def test_mean_outputs_are_those_that_a_hook_sees_on_real_tokens(subject_of: Callable[[str], Subject]) -> None:
    subject = subject_of("llama")
    source = evaluation_of(subject, segments=5).source
    means, seen = HeadOutputMeans(), list[Tensor]()
    joined = subject.model.get_submodule("model.layers.1.self_attn.o_proj")
    items = source.prepare(next(source.shards())).items
    for batch in source.batches(subject, items):
        with Tap(subject, [means]) as tap:
            tap.run(batch)
        outputs = list[Tensor]()
        handle = joined.register_forward_pre_hook(lambda _, args, outputs=outputs: outputs.append(args[0]))
        with torch.no_grad():
            subject.run(batch.inputs)
        handle.remove()
        seen += [output[batch.sides["decoder"].real] for output in outputs]
    expected = torch.cat(seen).double().mean(0).unflatten(-1, (4, 8))
    for head in range(4):
        np.testing.assert_allclose(means.means()[Head("decoder", 1, head)], expected[head], atol=1e-6)


def test_a_chapter_says_what_was_disabled_and_how(subject_of: Callable[[str], Subject]) -> None:
    subject = subject_of("llama")
    for heads, sets in (((), "every head and layer"), (("0.1", "layer 1"), ["0.1", "layer 1"])):
        settings = study_of(subject, "zero", heads).describe()["settings"]
        assert settings["sets"] == sets
        assert (settings["edit"], settings["score"], settings["faithful"]) == ("zero", "loss", False)


def test_settings_say_how_many_heads_are_confirmed_where_not_all_are_tried(mini: Subject) -> None:
    study = study_of(mini, "zero", ("7.9", "layer 3"))
    settings = study.describe()["settings"]
    assert (settings["edit"], settings["sets"], settings["score"]) == ("zero", ["7.9", "layer 3"], "loss")
    assert "confirm" not in settings
    assert replace(study, confirm=3).describe()["settings"] == {**settings, "confirm": 3}


def test_a_text_may_be_named_by_a_string(subject_of: Callable[[str], Subject], short_documents: Path) -> None:
    """Which is a file, and not the word for random tokens that repeat."""
    subject = subject_of("llama")
    by_path, by_string = (
        evaluation_of(subject, segments=3, text=text).source.describe()
        for text in (short_documents, str(short_documents))
    )
    assert by_string == by_path


def test_a_model_whose_attention_cannot_be_changed_is_refused(subject_of: Callable[[str], Subject]) -> None:
    with pytest.raises(AttlasError, match="MPNetForMaskedLM does not use"):
        evaluation_of(subject_of("mpnet"))


def test_the_terminal_shows_a_grid_of_changes_and_the_heads_that_change_most(
    subject_of: Callable[[str], Subject],
) -> None:
    result = attlas.disable(subject_of("llama"), segments=3, length=16, edit="zero", progress=False)
    console = Console(width=200, record=True)
    result.show(console)
    lines = console.export_text().splitlines()
    table = result.table.set_index(["layer", "head"])["change"]
    title = next(place for place, line in enumerate(lines) if line.startswith("loss without each head"))
    assert lines[title].endswith("change in thousandths of a nat")
    assert lines[title + 1].split() == ["layer", "0", "1", "2", "3", "all"]
    layers = result.together["change"].tolist()
    for layer in range(2):
        numbers = [1000 * change for change in (*table[layer], layers[layer])]
        shown = [f"{n:+.1f}" if abs(n) < 100 else f"{n:+.0f}" for n in numbers]
        assert lines[title + 2 + layer].split() == [str(layer), *shown]
    most = next(place for place, line in enumerate(lines) if line.startswith("Heads that change it most"))
    listed = [line.split() for line in lines[most + 2 : most + 10]]
    order = sorted(table.items(), key=lambda pair: -abs(pair[1]))
    assert [line[0] for line in listed] == [f"{layer}.{head}" for (layer, head), _ in order]
    for line, (_, change) in zip(listed, order, strict=True):
        assert f"{change:+.4f}" in line
    tables = {**result.chapter.tables, "disabled": result.table.iloc[[0, -1]]}
    replace(result, chapters=(replace(result.chapter, tables=tables),)).show(console)
    assert "loss without each head" not in console.export_text(), "two heads of eight need no grid"


@pytest.mark.parametrize("documents", [1, 2])
def test_items_of_one_document_are_said_to_have_no_error_over_documents(
    documents: int, subject_of: Callable[[str], Subject]
) -> None:
    words = " ".join("The cat sat on the mat and nobody saw it." for _ in range(9))
    study = study_of(subject_of("llama"), "zero", ("0.0",), segments=4, length=16, text=[words] * documents)
    chapter = study.conclude(run_here(study.subject))
    assert (ONE_DOCUMENT.format(items="segments") in chapter.about["notes"]) is (documents == 1)
    assert "order" not in chapter.tables["disabled"], "that is of embeddings"


def outcomes_of(
    edits: list[np.ndarray], items_of_a_document: int, labels: np.ndarray | None = None
) -> Outcomes:
    """Of an unmodified run, the first, and of edits: what each measured of every item."""
    outcomes = Outcomes()
    ids = [ItemId(n // items_of_a_document, n % items_of_a_document) for n in range(len(edits[0]))]
    first = np.full(len(ids), np.nan) if labels is None else labels
    outcomes.numbers = dict(zip(ids, np.stack([first, *edits], axis=1), strict=True))
    return outcomes


def test_an_item_that_an_edit_leaves_out_counts_in_neither_loss() -> None:
    plain = np.array([1.0, 2, 3, 4, 10, 20])
    edited = plain + np.array([0.5, 0.1, 0.2, 0.4, np.nan, np.nan])
    (change,) = changes(outcomes_of([plain, edited], 2), LOSS, 0)
    assert (change.plain, change.edited, change.change) == pytest.approx((2.5, 2.8, 0.3))
    mean, stderr = reference.clustered([0.5, 0.1, 0.2, 0.4], [0, 0, 1, 1])
    assert (change.change, change.stderr) == pytest.approx((mean, stderr))
    assert (change.n, change.documents, change.changed) == (4, 2, 4)
    with pytest.raises(AttlasError, match="nothing to shuffle"):
        changes(outcomes_of([plain, plain * np.nan], 2), LOSS, 0)


def test_answers_of_which_none_changes_may_change_in_as_few_as_were_never_seen() -> None:
    """The rule of three: 95 % sure, of as many documents, or of the items of a single one."""
    labels = np.tile([0.0, 1.0], 15)
    scored = metric_of(task_named("MRPC"), "accuracy")
    for items, units in ((1, 30), (3, 10), (30, 30)):
        (change,) = changes(outcomes_of([labels, labels], items, labels), scored, 0)
        most = 1 - 0.05 ** (1 / units)
        assert (change.change, change.stderr, change.p, change.changed) == (0, 0, 1, 0)
        assert (change.low, change.high) == pytest.approx((-most, most))
    (loss,) = changes(outcomes_of([labels, labels], 1), LOSS, 0)
    assert (loss.change, loss.p) == (0, 1)
    assert np.isnan([loss.low, loss.high]).all(), "nothing bounds a loss"


def test_answers_are_tested_exactly_where_every_item_is_a_document_and_by_document_elsewhere() -> None:
    rng = np.random.default_rng(3)
    labels = rng.integers(0, 2, 40).astype(float)
    plain, edited = (np.where(rng.random(40) < right, labels, 1 - labels) for right in (0.9, 0.6))
    scored = metric_of(task_named("MRPC"), "accuracy")
    before, after = plain == labels, edited == labels
    lost, gained = int((before & ~after).sum()), int((~before & after).sum())
    (alone,) = changes(outcomes_of([plain, edited], 1, labels), scored, 0)
    assert alone.change == pytest.approx((gained - lost) / 40)
    assert alone.p == pytest.approx(stats.binomtest(lost, lost + gained).pvalue)
    (by_document,) = changes(outcomes_of([plain, edited], 4, labels), scored, 0)
    apart = after.astype(float) - before
    mean, stderr = reference.clustered(apart.tolist(), [n // 4 for n in range(40)])
    assert (by_document.change, by_document.stderr) == pytest.approx((mean, stderr))
    assert by_document.p == pytest.approx(2 * stats.t.sf(abs(mean) / stderr, 9))
    half = stderr * stats.t.ppf(0.975, 9)
    assert (by_document.low, by_document.high) == pytest.approx((mean - half, mean + half))


def test_texts_that_repeat_are_up_to_the_length_and_some_less_than_half_as_long(mini: Subject) -> None:
    evaluation = evaluation_of(mini, segments=200, length=43, text="repeated")
    items = [item for shard in evaluation.source.shards() for item in evaluation.source.prepare(shard).items]
    halves = [(len(item.ids) - 2) / 2 for item in items]  # between [CLS] and [SEP]
    assert len(items) == 200
    assert (min(halves), max(halves)) == (8, 20), "two fifths of the longest that fits twice into 43 - 2"
    short = evaluation_of(mini, segments=50, length=10, text="repeated").source
    assert {len(item.ids) for shard in short.shards() for item in short.prepare(shard).items} == {10}


def test_the_terminal_prints_draws_and_remembers(
    task: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    model, data = task
    out = tmp_path / "t.attlas"
    common = ["mine", "--data", str(data), "--columns", "text", "--no-progress"]
    with pytest.raises(SystemExit) as ended:
        main(["disable", str(model), *common, "--atlas", str(out), "--figures", str(tmp_path / "f")])
    assert not ended.value.code
    printed = capsys.readouterr().out
    assert "accuracy without each head" in printed
    assert "layer 1" in printed
    assert (tmp_path / "f" / "disable-disabled.svg").is_file()
    assert "disabled (mean): accuracy" in str(attlas.show(out, head="1.2").as_data())
    with pytest.raises(SystemExit) as ended:
        main(["disable", str(model), *common, "--heads", "1.2", "--figures", str(tmp_path / "one")])
    assert not ended.value.code, "a single head, and nothing together"
    assert "1.2" in capsys.readouterr().out
    with pytest.raises(SystemExit):
        main(["--json", "disable", str(model), *common, "--heads", "1.0"])
    assert [row["head"] for row in json.loads(capsys.readouterr().out)["heads"]] == [0]
    drawn = attlas.draw(out, figures=tmp_path / "g", formats=("svg",))
    assert any("disabl" in path.name for path in drawn)


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["--heads", "12.0"], r"no head 12.0 \(encoder: layers 0 to 11, heads 0 to 11"),
        (["--heads", "layer 12"], "layers 0 to 11"),
        (["--data", "x"], "--data goes with a task"),
        (["RTE"], "where are the examples of RTE"),
        (["RTE", "--data", "x"], "does not classify texts: fine-tune it on RTE first"),
        (["RTE", "--text", "x"], "not both"),
        (["--segments", "0"], "--segments 0"),
        (["--edit", "half"], "half"),
        (["--resume"], "--resume continues a run into an atlas"),
    ],
)
def test_what_cannot_be_done_is_said_in_a_line(
    more: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["disable", "mini", *more])
    assert ended.value.code == 1
    assert re.search(said, " ".join(capsys.readouterr().err.split()))


def test_copies_run_together_only_as_far_as_their_predictions_fit(mini: Subject) -> None:
    """Eight tokens of which one is masked, over 8,192 pieces; and a decoder that predicts them all."""
    batch = mini.annotate({"input_ids": torch.full((1, 8), 7)})
    masked = TokenLosses(torch.tensor([[-100] * 7 + [5]]))
    assert copies_at_once(mini, batch, masked) == 4096 // 8
    everywhere = TokenLosses(torch.full((1, 8), 5))
    assert copies_at_once(mini, batch, everywhere) == min(4096 // 8, 2**26 // (8 * 8192))
    large = mini.annotate({"input_ids": torch.full((64, 128), 7)})
    assert copies_at_once(mini, large, TokenLosses(torch.full((64, 128), 5))) == 1


@pytest.mark.parametrize(("metric", "worse", "better"), [(LOSS, 2, 1), (metric_of(task_named("MRPC")), 1, 2)])
def test_a_higher_loss_is_worse_and_a_higher_accuracy_better(metric: Metric, worse: int, better: int) -> None:
    table = pd.DataFrame({"change": [0.2, 0.3, -0.4, 0.5, -0.6], "p": [0.01, 0.04, 0.02, 0.05, np.nan]})
    half = np.array([0.1, 0.1, 0.1, 0.1, np.nan])  # an item of one document has no interval
    table = table.assign(low=table["change"] - half, high=table["change"] + half)
    assert significant(table, metric, harms=True) == worse
    assert significant(table, metric, harms=False) == better


def test_a_small_loss_is_rounded_like_a_large_one() -> None:
    """Both come from scores of one size; sharing what comes before an edit is not given up for that."""
    whole = torch.tensor([[7.0, 0.02], [7.1, 0.03]])
    assert agree(whole + 2e-5, whole, torch.float32)
    assert not agree(whole + torch.tensor([0.0, 1e-3]), whole, torch.float32)


def test_a_layer_of_one_head_is_that_head() -> None:
    heads = (Head("decoder", 0, 0), Head("decoder", 1, 0), Head("decoder", 1, 1))
    assert [s.what for s in every_head_and_layer(heads)] == ["0.0", "1.0", "1.1", "layer 1"]


@pytest.mark.parametrize("written", [["7.9,7.9"], ["7.9", "7.9"], ["7.8,7.9", "7.9,7.8"]])
def test_a_head_that_is_named_twice_is_refused(written: list[str], mini: Subject) -> None:
    with pytest.raises(AttlasError, match="names a head twice"):
        sets_named(written, mini.heads)
