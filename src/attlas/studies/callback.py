"""Maps while a model is trained: `attlas.Callback` for transformers' Trainer, and for loops of one's own."""

from __future__ import annotations

import copy
from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from typing import Any

import pandas as pd
import torch
from torch import nn
from transformers import TrainerCallback

from attlas.atlas import REGISTRY, Atlas, load_atlas
from attlas.choices import FIGURE_FORMATS, FigureFormat
from attlas.errors import AttlasError, printable
from attlas.files import check_writable
from attlas.options.option_groups import KeepOptions, RunOptions, TextOptions
from attlas.studies.study import Study
from attlas.studies.study_run import run_chapters
from attlas.studies.surface.surface_study import surface_study
from attlas.subject import Subject

PREFIX = "step"


def powers_of_two(step: int) -> bool:
    """0, 1, 2, 4, 8, ...: heads appear early, and then ever more slowly."""
    return step & (step - 1) == 0


class Callback(TrainerCallback):  # type: ignore[misc]
    """Maps a small sample of text at chosen steps of a training, and leaves a chapter for each in an atlas.

        trainer = Trainer(model, ..., callbacks=[attlas.Callback("training.attlas", tokenizer=tokenizer)])

    `steps` is a list, n for every n-th step, or a function of the step; default: powers of two.
    `studies` are further questions, each a function from the subject to a study. The model that is trained is
    not touched: a twin of it gets its weights and is mapped, on the device where it is trained. In a loop of
    your own, call `record(model, step)`. A training that is resumed goes on in its atlas.

    `log_to` sends a curve for each of `watch` to a logger of the Trainer: its name ("tensorboard", "wandb")
    or the callback itself. `watch` names heads and statistics, as in [("7.10", "to_previous"), ("3.1",
    "to_class.sep")].
    """

    def __init__(
        self,
        atlas: str | Path,
        *,
        tokenizer: Any = None,
        text: Any = None,
        steps: int | Collection[int] | Callable[[int], bool] = powers_of_two,
        segments: int = 32,
        length: int = 128,
        seed: int = 0,
        studies: Sequence[Callable[[Subject], Study]] = (),
        log_to: str | TrainerCallback | None = None,
        watch: Sequence[tuple[str, str]] = (),
    ) -> None:
        if not isinstance(atlas, str | Path) or not str(atlas):
            raise AttlasError(f"atlas={atlas!r}: give the folder that chapters go to")
        self.path = Path(atlas)
        check_writable(self.path, "atlas", folder=True)
        self.tokenizer = tokenizer
        self.chosen = _test_of(steps)
        self.text_options = TextOptions(text=text, segments=segments, length=length, seed=seed)
        for name, value in {"segments": segments, "length": length, "seed": seed}.items():
            if not isinstance(value, int):
                raise AttlasError(f"{name}={value!r}: give a whole number")
        if not isinstance(studies, Sequence) or not all(callable(study) for study in studies):
            raise AttlasError("give studies as a list of functions, each from a subject to a study")
        self.studies = tuple(studies)
        if (log_to is None) != (not watch):
            raise AttlasError(
                'log_to goes with watch, as in log_to="tensorboard", watch=[("7.10", "to_next")]'
            )
        self.watch = tuple(watch)
        self.loggers, self._driven = _loggers(log_to), isinstance(log_to, TrainerCallback)
        self._twin: Subject | None = None

    def on_train_begin(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        if state.is_world_process_zero:
            # what would fail is found now, and not after hours, at the first step that is mapped
            self.tokenizer = self.tokenizer or kwargs.get("processing_class")
            subject = self._subject(kwargs["model"])
            self._studies(subject)
            self._check_watched(subject)
            for logger in () if self._driven else self.loggers:
                logger.on_train_begin(args, state, control, **kwargs)
        self._at(args, state, control, kwargs)

    def on_step_end(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        self._at(args, state, control, kwargs)

    def on_train_end(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        self._at(args, state, control, kwargs, now=True)
        for logger in () if self._driven or not state.is_world_process_zero else self.loggers:
            logger.on_train_end(args, state, control, **kwargs)

    def _at(self, args: Any, state: Any, control: Any, kwargs: dict[str, Any], now: bool = False) -> None:
        if state.is_world_process_zero and (now or self.chosen(state.global_step)):
            self.tokenizer = self.tokenizer or kwargs.get("processing_class")
            self.record(kwargs["model"], state.global_step)
            logs = self._watched_values(state.global_step) if self.loggers else {}
            for logger in self.loggers:
                logger.on_log(args, state, control, logs=dict(logs), **kwargs)

    def _check_watched(self, subject: Subject) -> None:
        """Refuse heads that the model lacks, and statistics that no map has."""
        written = {head.write(several) for head in subject.heads for several in (False, True)}
        for head, key in self.watch:
            if head not in written:
                raise AttlasError(f"watch: there is no head {printable(str(head))} in {subject.name}")
            if key.partition(".")[0] not in REGISTRY:
                raise AttlasError(f"watch: there is no statistic {printable(str(key))} (docs/statistics.md)")

    def _watched_values(self, step: int) -> dict[str, float]:
        """attlas/to_previous/7.10 -> its value at a step."""
        atlas, logs = self.atlas, {}
        for head, key in self.watch:
            name, _, group = key.partition(".")
            rows = atlas.head(head, f"{PREFIX}-{step:08d}")
            of_key = rows[(rows["statistic"] == name) & (rows["group"] == group)]["value"]
            if len(of_key):
                logs[f"attlas/{key}/{head}"] = float(of_key.iloc[0])
        return logs

    def record(self, model: nn.Module, step: int) -> None:
        """Maps the model as it is now. A step that the atlas has already is left as it is."""
        if not isinstance(model, nn.Module) or not isinstance(step, int) or step < 0:
            raise AttlasError(f"a model and a step are recorded, not a {type(model).__name__} and {step}")
        subject = self._subject(model)
        there = load_atlas(self.path).chapters if self.path.exists() else ()
        # whatever is drawn at random here, training goes on as if it had not been
        with torch.random.fork_rng(devices=[subject.device] if subject.device.type == "cuda" else []):
            for name, study in self._studies(subject):
                chapter = f"{PREFIX}-{step:08d}{name}"
                if chapter not in there:
                    keep_options = KeepOptions(atlas=self.path, chapter=chapter)
                    run_chapters([study], subject, RunOptions(overwrite=True, progress=False), keep_options)

    def _studies(self, subject: Subject) -> list[tuple[str, Study]]:
        """Each with what its chapter's name ends in."""
        made: list[Study] = [
            surface_study(subject, self.text_options, sample=0),
            *(make(subject) for make in self.studies),
        ]
        names = ["", *(f"-{study.name}" for study in made[1:])]
        return list(zip(names, made, strict=True))

    def _subject(self, model: nn.Module) -> Subject:
        """The twin, with the model's weights of now. It is known by the weights that it had first, or by what
        the atlas says: a training is one model."""
        bare: Any = getattr(model, "_orig_mod", model)  # of torch.compile
        if self._twin is None:
            if self.tokenizer is None:
                raise AttlasError("attlas.Callback reads text: give it the model's tokenizer")
            twin = copy.deepcopy(bare).eval().requires_grad_(False)
            self._twin = Subject(
                twin, self.tokenizer, getattr(bare.config, "_name_or_path", "") or "training"
            )
            self._twin.keep_weight_hash(self._first_weights() if self.path.exists() else None)
        self._twin.model.load_state_dict(bare.state_dict())
        return self._twin

    def _first_weights(self) -> str:
        """The weights that the atlas says its model had first; an error where it is not of this training."""
        assert self._twin is not None
        there = load_atlas(self.path)
        steps = [name for name in there.chapters if name.startswith(f"{PREFIX}-")]
        if not steps or there.addresses != self._twin.heads:
            raise AttlasError(f"{self.path} is not an atlas of this training: choose another place")
        return str(there.model["weights"])

    @property
    def atlas(self) -> Atlas:
        return load_atlas(self.path)

    def curves(self) -> pd.DataFrame:
        curves = curves_of(self.atlas)
        if curves.empty:
            raise AttlasError(f"{self.path} has no steps of a training")
        return curves

    def draw(self, folder: str | Path, formats: Sequence[FigureFormat] = FIGURE_FORMATS) -> list[Path]:
        """Curves of every head over the steps. Gives the files."""
        from attlas.figures.comparison_figures import training_spec
        from attlas.figures.drawing import save_specs

        return save_specs([training_spec(self.curves())], folder, formats)


def _loggers(log_to: str | TrainerCallback | None) -> list[TrainerCallback]:
    if log_to is None or isinstance(log_to, TrainerCallback):
        return [] if log_to is None else [log_to]
    from transformers.integrations import get_reporting_integration_callbacks

    try:
        return [logger() for logger in get_reporting_integration_callbacks(log_to)]
    except (ValueError, RuntimeError, ImportError) as error:
        raise AttlasError(f"log_to={log_to!r}: {' '.join(str(error).split())}") from error


def curves_of(atlas: Atlas) -> pd.DataFrame:
    """A row for every head, statistic and step: kind, layer, head, statistic, group, step, value."""
    rows = atlas.heads[atlas.heads["chapter"].str.match(rf"{PREFIX}-\d+")].copy()
    rows["step"] = rows["chapter"].str.extract(rf"{PREFIX}-(\d+)", expand=False).astype(int)
    names = ["kind", "layer", "head", "statistic", "group", "step", "value"]
    return rows[names].sort_values(names[:-1], kind="stable", ignore_index=True)


def first_above(curves: pd.DataFrame, statistic: str, group: str, threshold: float) -> pd.DataFrame:
    """The heads that pass a threshold and stay above it to the end, with the step at which they did: the
    earliest first."""
    chosen = curves[(curves["statistic"] == statistic) & (curves["group"] == group)]
    risen = []
    for address, part in chosen.groupby(["kind", "layer", "head"], sort=False):
        values = part.sort_values("step")
        below = values["step"][values["value"] <= threshold]
        above = values["step"] if below.empty else values["step"][values["step"] > below.max()]
        if len(above):
            risen.append((*address, int(above.min()), float(values["value"].iloc[-1])))
    table = pd.DataFrame(risen, columns=["kind", "layer", "head", "step", "value"])
    return table.sort_values(["step", "layer", "head"], ignore_index=True)


def _test_of(steps: int | Collection[int] | Callable[[int], bool]) -> Callable[[int], bool]:
    if callable(steps):
        return steps
    if isinstance(steps, int) and not isinstance(steps, bool):
        if steps < 1:
            raise AttlasError(f"steps={steps}: give 1 or more, the number of steps from one map to the next")
        return lambda step: step % steps == 0
    if isinstance(steps, str) or not isinstance(steps, Collection):
        raise AttlasError(f"steps={steps!r}: give a number, several numbers, or a function of the step")
    if not all(isinstance(step, int) for step in steps):
        raise AttlasError(f"steps={steps!r}: give whole numbers")
    chosen = frozenset(steps)
    return lambda step: step in chosen
