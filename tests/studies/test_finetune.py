"""Fine-tuning: it learns, it can be stopped, it leaves an ordinary model, and it records what it did."""

from __future__ import annotations

import json
import pickle
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
import transformers
from rich.console import Console

import attlas
from attlas.corpora.task_data import task_data
from attlas.corpora.task_source import TaskSource
from attlas.corpora.tasks import GLUE, task_named
from attlas.errors import AttlasError
from attlas.studies.finetuning import train as training
from attlas.studies.finetuning.classifier import classifier
from attlas.studies.finetuning.gradient_norms import GradientNorms, parts_of, weights_moved
from attlas.studies.pruning.smaller_model import heads_to_go, save_smaller
from attlas.subject import Subject

GOOD, BAD, OTHER = (
    ("good", "fine", "great"),
    ("bad", "poor", "weak"),
    ("the", "film", "was", "a", "very", "one"),
)
FAST: dict[str, Any] = {
    "batch": 8,
    "learning_rate": 5e-3,
    "length": 16,
    "progress": False,
    "epochs": 2,
    "device": "cpu",
}


def _lines(count: int, seed: int) -> list[str]:
    rng = np.random.default_rng(seed)
    lines = []
    for i in range(count):
        words = [*rng.choice(OTHER, rng.integers(2, 5)), rng.choice(GOOD if i % 2 else BAD)]
        lines.append(f"{' '.join(words)}\t{i % 2}")
    return lines


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("glue") / "SST-2"
    folder.mkdir()
    for split, count, seed in (("train", 96, 0), ("dev", 30, 1)):
        (folder / f"{split}.tsv").write_text("\n".join(["sentence\tlabel", *_lines(count, seed)]) + "\n")
    return folder.parent


@pytest.fixture(scope="module")
def tiny(mini: Subject, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Folders of tiny models, as people have them: an encoder, and a decoder without a padding token."""
    shape = {"hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 16}
    shape |= {"vocab_size": len(mini.tokenizer), "max_position_embeddings": 32}
    torch.manual_seed(0)
    models = {
        "bert": transformers.BertForMaskedLM(transformers.BertConfig(**shape)),
        "llama": transformers.LlamaForCausalLM(transformers.LlamaConfig(**shape, pad_token_id=None)),
    }
    folders = {}
    for name, model in models.items():
        folder = tmp_path_factory.mktemp(name)
        model.save_pretrained(folder)
        tokenizer = pickle.loads(pickle.dumps(mini.tokenizer))
        if name == "llama":
            tokenizer.cls_token = tokenizer.sep_token = tokenizer.pad_token = None
        tokenizer.save_pretrained(folder)
        folders[name] = str(folder)
    return folders


@pytest.mark.parametrize("name", ["bert", "llama"])
def test_a_model_learns_a_task_and_is_an_ordinary_folder(
    name: str, tiny: dict[str, str], data: Path, tmp_path: Path
) -> None:
    out = tmp_path / "made"
    made = attlas.finetune(tiny[name], "sst2", data=data, save=out, **{**FAST, "epochs": 6})
    assert made.scores["accuracy"] > 0.9
    assert [round(s["epoch"]) for s in made.report["scores"]] == [*range(7)]
    assert made.report["scores"][-1]["accuracy"] == made.scores["accuracy"]
    assert made.report["final"]["accuracy"]["low"] <= made.scores["accuracy"]
    # with transformers alone, one example at a time
    model = transformers.AutoModelForSequenceClassification.from_pretrained(out)
    tokenizer = transformers.AutoTokenizer.from_pretrained(out)
    right = []
    for line in _lines(30, 1):
        text, label = line.split("\t")
        with torch.no_grad():
            logits = model(tokenizer(text, return_tensors="pt")["input_ids"]).logits
        right.append(model.config.id2label[int(logits.argmax())] == label)
    assert np.mean(right) == pytest.approx(made.scores["accuracy"])
    card = (out / "README.md").read_text()
    assert "accuracy" in card
    assert "good" not in card, "no example of the data is in the card"
    assert not any(w in (out / "finetuning.json").read_text() for w in ("great film", "poor"))
    assert not (tmp_path / "made.part").exists()
    assert len(attlas.load(out).heads) == 4


def test_scores_are_those_of_the_model_that_is_left(tiny: dict[str, str], data: Path, tmp_path: Path) -> None:
    made = attlas.finetune(tiny["bert"], "SST-2", data=data, save=tmp_path / "made", **FAST)
    left = attlas.load(made.folder, device="cpu")
    assert left.model.config.hidden_dropout_prob > 0  # type: ignore[union-attr,operator]
    answers = training.evaluate(left, TaskSource(task_data(GLUE["SST-2"], data, "dev"), left.tokenizer, 16))
    # the same weights in the same batches, without dropout
    assert made.report["scores"][-1]["loss"] == pytest.approx(float(answers.losses.mean()), rel=1e-6)
    assert made.scores["accuracy"] == np.mean(answers.predicted == answers.labels)


def test_a_run_that_was_stopped_goes_on_to_the_same_model(
    tiny: dict[str, str], data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = attlas.finetune(tiny["bert"], "SST-2", data=data, save=tmp_path / "whole", **FAST)
    calls = []

    def stopping(*arguments: Any) -> Any:
        calls.append(arguments)
        if len(calls) == 3:  # before training, after the first epoch; now the second is nearly over
            raise KeyboardInterrupt
        return evaluate(*arguments)

    evaluate = training.evaluate
    monkeypatch.setattr(training, "evaluate", stopping)
    options = {**FAST, "data": data, "save": tmp_path / "stopped"}
    with pytest.raises(KeyboardInterrupt):
        attlas.finetune(tiny["bert"], "SST-2", **options)
    assert not (tmp_path / "stopped").exists(), "a folder is whole or not there"
    with pytest.raises(AttlasError, match="holds an unfinished run: resume=True continues it"):
        attlas.finetune(tiny["bert"], "SST-2", **options)
    with pytest.raises(AttlasError, match="begun with other settings"):
        attlas.finetune(tiny["bert"], "SST-2", **{**options, "seed": 1}, resume=True)
    resumed = attlas.finetune(tiny["bert"], "SST-2", **options, resume=True)
    for name in ("model.safetensors", "config.json"):
        assert (resumed.folder / name).read_bytes() == (whole.folder / name).read_bytes()
    assert resumed.report["scores"] == whole.report["scores"]
    assert len(whole.report["losses"]) == 2, "the second mean reaches over the end of an epoch"
    assert resumed.report["losses"] == whole.report["losses"]
    assert resumed.report["gradients"] == whole.report["gradients"]
    before = len(calls)
    assert attlas.finetune(tiny["bert"], "SST-2", **options, resume=True).report == resumed.report
    assert len(calls) == before, "a finished model is not trained again"
    with pytest.raises(AttlasError, match="is there already: overwrite=True replaces it"):
        attlas.finetune(tiny["bert"], "SST-2", **options)
    again = attlas.finetune(tiny["bert"], "SST-2", **{**options, "epochs": 1}, overwrite=True)
    assert again.report["settings"]["epochs"] == 1


def test_a_stopped_run_that_overwrites_goes_on_and_replaces_the_model(
    tiny: dict[str, str], data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    options = {**FAST, "data": data, "save": tmp_path / "made"}
    attlas.finetune(tiny["bert"], "SST-2", **{**options, "epochs": 1})
    old = (tmp_path / "made" / "model.safetensors").read_bytes()

    def stopping(*arguments: Any) -> Any:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(training, "evaluate", stopping)
        with pytest.raises(KeyboardInterrupt):
            attlas.finetune(tiny["bert"], "SST-2", **options, overwrite=True)
    assert (tmp_path / "made" / "model.safetensors").read_bytes() == old, "the old model is there until then"
    with pytest.raises(AttlasError, match="begun with other settings"):
        attlas.finetune(tiny["bert"], "SST-2", **{**options, "seed": 1}, resume=True)
    # what a run leaves that is killed while it removes the model before
    (tmp_path / "made.part" / "replaced").mkdir()
    (tmp_path / "made.part" / "replaced" / "config.json").write_text("{}")
    resumed = attlas.finetune(tiny["bert"], "SST-2", **options, resume=True)
    assert resumed.report["settings"]["epochs"] == 2
    assert (tmp_path / "made" / "model.safetensors").read_bytes() != old
    assert not (tmp_path / "made.part").exists()


def test_controls_take_away_what_they_name(tiny: dict[str, str], data: Path) -> None:
    subject = attlas.load(tiny["bert"], device="cpu")
    task = GLUE["SST-2"]
    kept = classifier(subject, task, seed=3).model
    fresh = classifier(subject, task, seed=3, random_init=True).model
    weights = subject.model.base_model.state_dict()  # type: ignore[union-attr,operator]
    assert all(torch.equal(kept.bert.state_dict()[k], v) for k, v in weights.items())  # type: ignore[union-attr,operator]
    layers = [k for k, v in weights.items() if v.ndim > 1]
    assert not any(torch.equal(fresh.bert.state_dict()[k], weights[k]) for k in layers)  # type: ignore[union-attr,operator]
    assert torch.equal(fresh.classifier.weight, kept.classifier.weight), "the seed's head, whatever is below"  # type: ignore[union-attr,arg-type]
    source = TaskSource(task_data(task, data, "train"), subject.tokenizer)
    examples = training.read_examples(source).items
    plain = training.training_items(examples, training.TrainingSettings())
    shuffled = training.training_items(examples, training.TrainingSettings(random_labels=True))
    assert [i.id for i in plain] == [i.id for i in shuffled]
    assert sum(i.label for i in plain) == sum(i.label for i in shuffled)
    agree = np.mean([a.label == b.label for a, b in zip(plain, shuffled, strict=True)])
    assert 0.3 < agree < 0.7
    few = training.training_items(examples, training.TrainingSettings(examples=10))
    assert len(few) == 10
    assert [i.id for i in few] != [i.id for i in plain[:10]]


def test_gradient_norms_are_autograds_and_clipping_is_torchs(tiny: dict[str, str]) -> None:
    model = classifier(attlas.load(tiny["bert"], device="cpu"), GLUE["SST-2"], seed=0).model.eval()
    twin = pickle.loads(pickle.dumps(model))
    before = {n: p.detach().clone() for n, p in model.named_parameters()}
    ids = torch.arange(24).view(4, 6) + 50
    norms = GradientNorms(model)
    for network in (model, twin):
        (network(ids, labels=torch.tensor([0, 1, 1, 0])).loss * 30).backward()
    wanted = {
        part: np.sqrt(
            sum(float(dict(twin.named_parameters())[n].grad.double().square().sum()) for n in names)
        )
        for part, names in parts_of(model).items()
    }
    assert {"embeddings", "layer 0", "layer 1", "layer 1 query and key", "head"} <= wanted.keys()
    assert len(parts_of(model)["layer 1 query and key"]) == 4
    norms.clip()
    assert dict(zip(norms.parts, norms.norms()[0], strict=True)) == pytest.approx(wanted, rel=1e-5)
    total = torch.nn.utils.clip_grad_norm_(twin.parameters(), 1.0)
    assert total > 1
    for ours, theirs in zip(model.parameters(), twin.parameters(), strict=True):
        torch.testing.assert_close(ours.grad, theirs.grad)
    with torch.no_grad():
        model.classifier.weight.mul_(2)  # type: ignore[union-attr,operator]
    moved = weights_moved(model, before)
    assert moved["layer 0"] == 0
    names = parts_of(model)["head"]
    there = sum(float(before[n].double().square().sum()) for n in names)
    assert moved["head"] == pytest.approx(float(before["classifier.weight"].norm()) / there**0.5)


def test_numbers_are_predicted_from_ones_own_columns(tiny: dict[str, str], tmp_path: Path) -> None:
    rng, sizes = np.random.default_rng(0), tmp_path / "sizes"
    sizes.mkdir()
    for split, count in (("train", 64), ("dev", 20)):
        rows = [
            {"left": " ".join(rng.choice(OTHER, n)), "right": "a", "size": int(n)}
            for n in rng.integers(1, 9, count)
        ]
        (sizes / f"{split}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    options = {**FAST, "columns": ["left", "right"], "label": "size", "regression": True, "epochs": 1}
    made = attlas.finetune(tiny["bert"], "sizes", data=sizes, save=tmp_path / "out", **options)
    assert set(made.scores) == {"pearson", "spearman"}
    assert made.report["scores"][-1]["loss"] < made.report["scores"][0]["loss"]
    train, dev = sizes / "train.jsonl", sizes / "dev.jsonl"
    same = attlas.finetune(tiny["bert"], "sizes", data=train, dev=dev, save=tmp_path / "too", **options)
    assert same.scores == made.scores
    with pytest.raises(AttlasError, match="the examples it is trained on: name another file with dev"):
        attlas.finetune(tiny["bert"], "sizes", data=train, save=tmp_path / "three", **options)


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"task": "wnli"}, "there is no task 'wnli'"),
        ({"epochs": 0}, "epochs=0: should be greater than 0"),
        ({"batch": 0}, "batch=0: should be greater than or equal to 1"),
        ({"warmup": 1.0}, "warmup=1.0: should be less than 1"),
        ({"length": 4000}, "takes at most 32"),
        ({"resume": True, "overwrite": True}, "give one of them"),
        ({"seed": -1}, "seed=-1: should be"),
        ({"epochs": "three"}, "epochs='three': should be a valid number"),
        ({"batch": 2.5}, r"batch=2\.5: should be a valid integer"),
        ({"columns": "text"}, "columns='text': 'str' instances are not allowed"),
        ({"precision": "float16"}, "should be 'float32' or 'bfloat16'"),
        ({"task": "RTE"}, "has no train.tsv of RTE"),
    ],
)
def test_what_is_wrong_is_said_before_any_work(
    changed: dict[str, Any], said: str, tiny: dict[str, str], data: Path, tmp_path: Path
) -> None:
    options = {"task": "SST-2", **FAST, "data": data, "save": tmp_path / "out", **changed}
    with pytest.raises(AttlasError, match=said):
        attlas.finetune(tiny["bert"], **options)
    assert not list(tmp_path.iterdir())


def test_a_step_has_the_batch_that_was_asked_for_beside_several_gpus(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 4)
    settings = training.TrainingSettings(batch=8)
    arguments = training.trainer_arguments(settings, 96, torch.device("cuda"), tmp_path)
    assert (arguments.train_batch_size, arguments.n_gpu) == (8, 1)
    assert training.trainer_arguments(settings, 96, torch.device("cpu"), tmp_path).n_gpu == 0


def test_a_gpu_that_is_not_the_first_is_refused() -> None:
    for fine in ("cpu", "cuda", "cuda:0"):
        training.refuse_other_devices(torch.device(fine))
    with pytest.raises(AttlasError, match=r"device='cuda:2': .* CUDA_VISIBLE_DEVICES=2 makes this one"):
        training.refuse_other_devices(torch.device("cuda:2"))


def test_a_loss_that_is_not_a_number_is_an_error(tiny: dict[str, str], data: Path, tmp_path: Path) -> None:
    options = {**FAST, "learning_rate": 1e30}
    with pytest.raises(AttlasError, match="is not a number"):
        attlas.finetune(tiny["bert"], "SST-2", data=data, save=tmp_path / "out", **options)
    assert not (tmp_path / "out").exists()


def test_without_accelerate_one_line_says_what_to_install(
    tiny: dict[str, str], data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(__import__("sys").modules, "accelerate", None)
    with pytest.raises(AttlasError, match=r"needs accelerate: .*-m pip install .*'.*\[finetune\]'"):
        attlas.finetune(tiny["bert"], "SST-2", data=data, save=tmp_path / "out", **FAST)


def test_a_model_that_cannot_classify_says_so(mini: Subject, subject_of: Callable[[str], Subject]) -> None:
    with pytest.raises(AttlasError, match="has an encoder and a decoder"):
        classifier(subject_of("t5"), task_named("RTE"), 0)
    config = transformers.CohereConfig(
        vocab_size=99, hidden_size=8, num_hidden_layers=1, num_attention_heads=1, eos_token_id=1
    )
    cohere = Subject(transformers.CohereForCausalLM(config), mini.tokenizer, "cohere")
    with pytest.raises(AttlasError, match="no model of its kind that classifies texts"):
        classifier(cohere, task_named("RTE"), 0)


def test_a_guess_at_the_order_of_a_models_outputs_is_told(
    mini: Subject, tiny: dict[str, str], tmp_path: Path
) -> None:
    rows = [line.split("\t") for line in _lines(20, 2)]
    (tmp_path / "dev.jsonl").write_text(
        "".join(json.dumps({"text": text, "label": ("bad", "good")[int(n)]}) + "\n" for text, n in rows)
    )
    config = transformers.AutoConfig.from_pretrained(tiny["bert"], num_labels=2)
    torch.manual_seed(0)
    model = transformers.BertForSequenceClassification(config)
    options: dict[str, Any] = {"data": tmp_path, "columns": ["text"], "heads": ["0.*"], "length": 16}
    notes = {}
    for names in (("LABEL_0", "LABEL_1"), ("good", "bad")):
        model.config.id2label = dict(enumerate(names))
        subject = Subject(model, mini.tokenizer, "tiny")
        notes[names] = attlas.disable(subject, "mine", **options, progress=False).notes
    guess = "the model's outputs have no names: their order is taken to be bad, good"
    assert [guess in lines for lines in notes.values()] == [True, False]


# what people must know of scores and data


def write_task(folder: Path, train: list[str], dev: list[str]) -> Path:
    folder.mkdir(exist_ok=True)
    for split, lines in (("train", train), ("dev", dev)):
        (folder / f"{split}.tsv").write_text("\n".join(["sentence\tlabel", *lines]) + "\n")
    return folder


OWN: dict[str, Any] = {"columns": ["sentence"]}


def test_the_majority_answer_stands_beside_every_score(
    tiny: dict[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A model that learns nothing answers 1 to everything: F1 looks good, and is said to be that of one
    answer."""
    dev = [f"{line[:-1]}{int(i % 4 > 0)}" for i, line in enumerate(_lines(32, 1))]
    folder = write_task(tmp_path / "own", [line[:-1] + "1" for line in _lines(62, 0)] + _lines(2, 0), dev)
    made = attlas.finetune(tiny["bert"], "own", data=folder, save=tmp_path / "made", **OWN, **FAST)
    assert made.report["constant"] == "1"
    assert made.report["final"]["f1"]["majority"] == pytest.approx(2 * 24 / (24 + 32))
    assert made.report["final"]["accuracy"]["majority"] == 24 / 32
    assert made.report["final"]["matthews"]["majority"] == 0
    assert made.scores["f1"] == made.report["final"]["f1"]["majority"]
    made.show(Console(width=80))
    card = (tmp_path / "made" / "README.md").read_text()
    for text in (capsys.readouterr().out, card):
        assert "majority" in text
        assert "85.7" in text
        assert "one answer to everything (1)" in " ".join(text.split())


def test_a_constant_number_correlates_with_nothing(tiny: dict[str, str], tmp_path: Path) -> None:
    lines = [f"{line[:-1]}{i % 5}" for i, line in enumerate(_lines(32, 1))]
    folder = write_task(tmp_path / "own", lines, lines)
    options = {**FAST, **OWN, "regression": True}
    made = attlas.finetune(tiny["bert"], "own", data=folder, save=tmp_path / "made", **options)
    assert {of["majority"] for of in made.report["final"].values()} == {0.0}
    assert made.report["constant"] is None


def test_lines_that_were_dropped_are_counted_where_people_look(
    tiny: dict[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    good = _lines(16, 0)
    folder = write_task(tmp_path / "own", [*good, "one column", *["another"] * 4], _lines(8, 1))
    with (folder / "dev.tsv").open("ab") as file:
        file.write(b"na\xefve\t1\n")
    made = attlas.finetune(tiny["bert"], "own", data=folder, save=tmp_path / "made", **OWN, **FAST)
    skipped = json.loads((tmp_path / "made" / "finetuning.json").read_text())["skipped"]
    assert {split: of["lines"] for split, of in skipped.items()} == {"train": 5, "dev": 1}
    assert "line 18: 1 columns" in skipped["train"]["first"]
    made.show(Console(width=300))
    for text in (capsys.readouterr().out, (tmp_path / "made" / "README.md").read_text()):
        assert "5 lines of the training data could not be read" in text
        assert "1 line of the development data could not be read" in text


def test_data_that_are_wrong_leave_no_run_behind(tiny: dict[str, str], tmp_path: Path) -> None:
    """Once they are right, the same command runs."""
    options = {**FAST, "save": tmp_path / "made", "epochs": 1}
    folder = write_task(tmp_path / "SST-2", [*_lines(8, 0), "good\t7"], _lines(8, 1))
    with pytest.raises(AttlasError, match="line 10: '7' is not a label"):
        attlas.finetune(tiny["bert"], "SST-2", data=folder, **options)
    assert not (tmp_path / "made.part").exists()
    write_task(folder, _lines(8, 0), [*_lines(8, 1), "good\t7"])
    with pytest.raises(AttlasError, match="line 10: '7' is not a label"):
        attlas.finetune(tiny["bert"], "SST-2", data=folder, **options)
    write_task(folder, _lines(8, 0), _lines(8, 1))
    assert attlas.finetune(tiny["bert"], "SST-2", data=folder, **options).scores


@pytest.mark.parametrize("kind", ["bert", "an encoder alone", "llama"])
def test_a_pruned_model_is_fine_tuned_without_its_heads_coming_back(
    kind: str, mini: Subject, tiny: dict[str, str], data: Path, tmp_path: Path
) -> None:
    whole = attlas.load(tiny["llama" if kind == "llama" else "bert"], device="cpu")
    if kind == "an encoder alone":
        whole = Subject(whole.model.base_model, whole.tokenizer, "encoder")
    going = heads_to_go(whole, whole.heads, 0.5)
    save_smaller(whole, going, tmp_path / "small", whole.encode("the film was good"), "")
    small = attlas.load(tmp_path / "small", device="cpu")
    made = attlas.finetune(small, "SST-2", data=data, save=tmp_path / "made", **{**FAST, "epochs": 6})
    assert made.scores["accuracy"] > 0.9
    assert all(
        moved > 0 for part, moved in made.report["gradients"]["weights_moved"].items() if "layer" in part
    )
    left = attlas.load(tmp_path / "made", device="cpu")
    assert left.heads == small.heads
    task = TaskSource(task_data(GLUE["SST-2"], data, "dev"), left.tokenizer, 16)
    answers = training.evaluate(left, task)
    assert made.scores["accuracy"] == np.mean(answers.predicted == answers.labels)


@pytest.fixture(scope="module")
def stopped(tiny: dict[str, str], data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a finished run, `whole`, and the same one stopped in its third epoch, `made.part`."""
    folder = tmp_path_factory.mktemp("stopped")
    options = {**FAST, "data": data, "epochs": 3}
    attlas.finetune(tiny["bert"], "SST-2", save=folder / "whole", **options)
    evaluate, calls = training.evaluate, []

    def stopping(*arguments: Any) -> Any:
        calls.append(arguments)
        if len(calls) == 4:  # before training and after two epochs, it has been asked
            raise KeyboardInterrupt
        return evaluate(*arguments)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(training, "evaluate", stopping)
        with pytest.raises(KeyboardInterrupt):
            attlas.finetune(tiny["bert"], "SST-2", save=folder / "made", **options)
    return folder


@pytest.mark.parametrize(
    ("name", "harm"),
    [
        ("optimizer.pt", "cut"),
        ("optimizer.pt", "a pickle put in"),
        ("rng_state.pth", "a pickle put in"),
        ("model.safetensors", "cut"),
        ("model.safetensors", "missing"),
        ("trainer_state.json", "not JSON"),
        ("scheduler.pt", "a folder"),
        ("attlas.json", "cut"),
        ("attlas.json", "not JSON"),
    ],
)
def test_a_damaged_checkpoint_is_told_and_the_one_before_it_used(
    name: str, harm: str, stopped: Path, tiny: dict[str, str], data: Path, tmp_path: Path
) -> None:
    shutil.copytree(stopped / "made.part", tmp_path / "made.part")
    last = tmp_path / "made.part" / "checkpoints" / "checkpoint-24"  # of two epochs of 96 examples by 8
    spoil(last / name, harm)
    options = {**FAST, "data": data, "epochs": 3}
    made = attlas.finetune(tiny["bert"], "SST-2", save=tmp_path / "made", resume=True, **options)
    assert not (tmp_path / "ran").exists(), "a pickle that was put in is not read"
    assert f"{last} is damaged" in made.notes()[0]
    whole = json.loads((stopped / "whole" / "finetuning.json").read_text())
    assert made.report["scores"] == whole["scores"]


def spoil(path: Path, harm: str) -> None:
    if harm == "cut":
        path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    elif harm == "a pickle put in":
        path.write_bytes(f"cposix\nsystem\n(S'touch {path.parents[3] / 'ran'}'\ntR.".encode())
    elif harm == "not JSON":
        path.write_text("{")
    else:
        path.unlink()
        if harm == "a folder":
            path.mkdir()


@pytest.mark.parametrize("name", ["../../evil", "a/b", "..", "a\\b", ".hidden", "a\nb", "x" * 101])
def test_a_task_that_no_folder_can_be_called_by_is_refused_at_once(name: str, data: Path) -> None:
    with pytest.raises(AttlasError, match="a task cannot be called"):
        attlas.finetune("no/such/model", name, data=data / "SST-2", **OWN)


@pytest.mark.parametrize(
    ("rows", "words"),
    [(5, "the train split of SST-2 is of type int"), ("text", "is of type str"),
     ([5, 6], "row 0: '5' has no columns"),
     ([{"sentence": "a", "label": 0}, None], "row 1")],
)  # fmt: skip
def test_a_split_that_is_no_data_set(rows: Any, words: str) -> None:
    with pytest.raises(AttlasError, match=words):
        attlas.finetune("mini", "SST-2", data={"train": rows, "dev": [{"sentence": "a", "label": 0}]}, **FAST)
