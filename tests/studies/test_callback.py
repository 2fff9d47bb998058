"""Maps during training: a chapter for each chosen step, with its numbers, and no trace in training."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
import torch
import transformers

import attlas
from attlas.errors import AttlasError
from attlas.studies.callback import curves_of, first_above, powers_of_two
from attlas.subject import Subject

TEXT = [
    "The cat sat on the mat. It was asleep. Nobody saw it, and it saw nobody.",
    "It rained. We stayed.",
] * 3


def _model(mini: Subject) -> Any:
    shape = {"hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 16}
    torch.manual_seed(0)
    return transformers.BertForMaskedLM(
        transformers.BertConfig(vocab_size=len(mini.tokenizer), **shape, max_position_embeddings=64)
    )


def _train(model: Any, folder: Path, callbacks: list[Any], steps: int = 4, resume: bool = False) -> None:
    rng = torch.Generator().manual_seed(0)
    ids = torch.randint(50, 900, (16, 12), generator=rng)
    arguments = transformers.TrainingArguments(
        output_dir=str(folder),
        max_steps=steps,
        per_device_train_batch_size=4,
        learning_rate=1e-2,
        use_cpu=True,
        report_to="none",
        disable_tqdm=True,
        save_steps=2,
        dataloader_pin_memory=False,
    )
    rows = [{"input_ids": row, "labels": row} for row in ids]
    trainer = transformers.Trainer(model, arguments, train_dataset=rows, callbacks=callbacks)
    trainer.remove_callback(transformers.trainer_callback.PrinterCallback)
    trainer.train(resume_from_checkpoint=str(folder / "checkpoint-2") if resume else None)


class Keep(transformers.TrainerCallback):
    def __init__(self) -> None:
        self.models: dict[int, Any] = {}

    def on_step_end(self, args: Any, state: Any, control: Any, model: Any = None, **_: Any) -> None:
        self.models[state.global_step] = copy.deepcopy(model)


class Logger(transformers.TrainerCallback):
    """Keeps what it is to log, as the loggers of experiment trackers do."""

    def __init__(self) -> None:
        self.curves: dict[str, dict[int, float]] = {}

    def on_log(self, args: Any, state: Any, control: Any, logs: Any = None, **_: Any) -> None:
        for name, value in logs.items():
            self.curves.setdefault(name, {})[state.global_step] = value


@pytest.fixture(scope="module")
def trained(mini: Subject, tmp_path_factory: pytest.TempPathFactory) -> tuple[Any, Any, Keep, Path]:
    folder = tmp_path_factory.mktemp("training")
    watched, plain, kept = _model(mini), _model(mini), Keep()
    callback = attlas.Callback(
        folder / "t.attlas", tokenizer=mini.tokenizer, text=TEXT, steps=[0, 3], segments=4, length=24,
        log_to=Logger(), watch=[("1.0", "to_next"), ("0.1", "to_class.sep")],
    )  # fmt: skip
    _train(watched, folder / "watched", [kept, callback])
    _train(plain, folder / "plain", [])
    assert all(torch.equal(a, b) for a, b in zip(watched.parameters(), plain.parameters(), strict=True))
    return callback, watched, kept, folder


def test_a_chapter_a_step_with_the_numbers_of_that_step(
    trained: tuple[Any, Any, Keep, Path], mini: Subject, tmp_path: Path
) -> None:
    callback, _, kept, _ = trained
    assert callback.atlas.chapters == ("step-00000000", "step-00000003", "step-00000004")
    subject = Subject(kept.models[3].eval(), mini.tokenizer, "third")
    alone = attlas.map(
        subject, text=TEXT, segments=4, length=24, sample=0, atlas=tmp_path / "a", progress=False
    )
    for statistic, group in (("to_next", ""), ("entropy", "all")):
        grids = [
            a.grid(statistic, group, chapter=c) for a, c in ((alone, None), (callback.atlas, "step-00000003"))
        ]
        assert (grids[0] == grids[1]).all()
        assert (grids[0] != callback.atlas.grid(statistic, group, chapter="step-00000000")).any()


def test_a_logger_gets_a_curve_for_each_watched_head(trained: tuple[Any, Any, Keep, Path]) -> None:
    callback = trained[0]
    (logger,) = callback.loggers
    assert set(logger.curves) == {"attlas/to_next/1.0", "attlas/to_class.sep/0.1"}
    expected = {step: callback.atlas.grid("to_next", chapter=f"step-{step:08d}")[1, 0] for step in (0, 3, 4)}
    assert logger.curves["attlas/to_next/1.0"] == expected


def test_what_cannot_be_watched_is_one_line(mini: Subject, tmp_path: Path) -> None:
    with pytest.raises(AttlasError, match="log_to goes with watch"):
        attlas.Callback(tmp_path / "t.attlas", log_to=Logger())
    with pytest.raises(AttlasError, match="no_such_logger is not supported"):
        attlas.Callback(tmp_path / "t.attlas", log_to="no_such_logger", watch=[("1.0", "to_next")])
    for watch, says in (
        (("9.9", "to_next"), "no head 9.9"),
        (("1.0", "to_nowhere"), "no statistic to_nowhere"),
    ):
        short: dict[str, Any] = {"tokenizer": mini.tokenizer, "text": TEXT, "segments": 4, "length": 24}
        callback = attlas.Callback(tmp_path / "t.attlas", **short, log_to=Logger(), watch=[watch])
        with pytest.raises(AttlasError, match=says):
            _train(_model(mini), tmp_path / "refused", [callback])


def test_curves_and_figures(trained: tuple[Any, Any, Keep, Path], tmp_path: Path) -> None:
    curves = trained[0].curves()
    assert sorted(set(curves["step"])) == [0, 3, 4]
    assert len(curves[(curves["statistic"] == "to_self") & (curves["step"] == 3)]) == 4
    assert [p.name for p in trained[0].draw(tmp_path, ("png",))] == ["training-curves.png"]


def test_a_resumed_training_goes_on_in_its_atlas(trained: tuple[Any, Any, Keep, Path], mini: Subject) -> None:
    folder = trained[3]
    again = attlas.Callback(
        folder / "t.attlas", tokenizer=mini.tokenizer, text=TEXT, steps=3, segments=4, length=24
    )
    _train(_model(mini), folder / "watched", [again], steps=6, resume=True)
    assert again.atlas.chapters[-1] == "step-00000006"
    assert len(again.atlas.chapters) == 4


def test_a_loop_of_ones_own_calls_record(mini: Subject, tmp_path: Path) -> None:
    model = _model(mini).train()
    callback = attlas.Callback(
        tmp_path / "t.attlas", tokenizer=mini.tokenizer, text=TEXT, segments=2, length=24
    )
    callback.record(model, 7)
    assert model.training
    assert curves_of(attlas.load_atlas(tmp_path / "t.attlas"))["step"].unique().tolist() == [7]


def test_when_a_head_appears() -> None:
    rows = [
        ("encoder", 0, head, "to_next", "", step, value)
        for head, values in enumerate(([0.1, 0.6, 0.7], [0.9, 0.2, 0.8], [0.1, 0.2, 0.3], [0.9, 0.9, 0.9]))
        for step, value in zip((0, 8, 16), values, strict=True)
    ]
    curves = pd.DataFrame(rows, columns=["kind", "layer", "head", "statistic", "group", "step", "value"])
    heads = first_above(curves, "to_next", "", 0.5)
    assert heads[["head", "step", "value"]].to_numpy().tolist() == [[3, 0, 0.9], [0, 8, 0.7], [1, 16, 0.8]]


def test_steps_are_chosen_and_a_tokenizer_is_needed(mini: Subject, tmp_path: Path) -> None:
    assert [s for s in range(20) if powers_of_two(s)] == [0, 1, 2, 4, 8, 16]
    with pytest.raises(AttlasError, match="give 1 or more"):
        attlas.Callback(tmp_path / "t.attlas", steps=0)
    with pytest.raises(AttlasError, match="give it the model's tokenizer"):
        attlas.Callback(tmp_path / "t.attlas").record(_model(mini), 0)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"atlas": ""}, "atlas='': give the folder that chapters go to"),
        ({"atlas": 5}, "atlas=5: give the folder that chapters go to"),
        ({"steps": 1.5}, "give a number, several numbers, or a function"),
        ({"steps": "all"}, "give a number, several numbers, or a function"),
        ({"steps": None}, "give a number, several numbers, or a function"),
        ({"steps": ["1"]}, "give whole numbers"),
        ({"segments": "three"}, "segments='three': should be a valid integer"),
        ({"length": None}, "length=None: should be a valid integer"),
        ({"length": 1}, "length=1: should be greater than or equal to 4"),
        ({"segments": 0}, "segments=0: should be greater than or equal to 1"),
        ({"studies": [5]}, "give studies as a list of functions"),
    ],
)
def test_what_is_given_is_checked_at_once(options: dict[str, Any], said: str, tmp_path: Path) -> None:
    with pytest.raises(AttlasError, match=said):
        attlas.Callback(**{"atlas": tmp_path / "t.attlas", **options})


@pytest.mark.parametrize(
    ("options", "said"),
    [({"text": 5, "length": 16}, "not int")],
)
def test_what_would_fail_at_a_late_step_fails_when_training_begins(
    options: dict[str, Any], said: str, mini: Subject, tmp_path: Path
) -> None:
    late = attlas.Callback(tmp_path / "t.attlas", tokenizer=mini.tokenizer, steps=[1000], **options)
    begun = transformers.TrainerState(is_world_process_zero=True)
    with pytest.raises(AttlasError, match=said):
        late.on_train_begin(None, begun, None, model=_model(mini))


def test_an_atlas_that_is_not_of_the_training_is_left_alone(mini: Subject, tmp_path: Path) -> None:
    place = tmp_path / "mini.attlas"
    attlas.map(mini, atlas=place, segments=2, length=16, sample=0, progress=False)
    with pytest.raises(AttlasError, match="not an atlas of this training"):
        attlas.Callback(place, tokenizer=mini.tokenizer, segments=2, length=16).record(_model(mini), 0)
    with pytest.raises(AttlasError, match="has no steps of a training"):
        attlas.Callback(place).curves()
    with pytest.raises(AttlasError, match="not a NoneType and 1"):
        attlas.Callback(place).record(None, 1)
