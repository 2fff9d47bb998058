"""A model for a task, made from one that was trained on text: its layers, and a new head that answers."""

from __future__ import annotations

import copy
import re
from typing import Any

import torch
from torch import nn

from attlas.corpora.tasks import Task
from attlas.errors import AttlasError
from attlas.subject import Subject
from attlas.subject.checkpoints import ONE_AT_A_TIME
from attlas.subject.projections import KEPT, cut


def classifier(subject: Subject, task: Task, seed: int, random_init: bool = False) -> Subject:
    """Make the classifier, on the device of `subject`. What the new model has and the old one lacks (a head
    for the task, often a pooler) is drawn with the seed; with `random_init`, everything is."""
    import transformers

    config = _config(subject, task)
    try:
        # it keeps its own random numbers: those of whoever called go on as if nothing had been drawn
        with ONE_AT_A_TIME, torch.random.fork_rng(devices=[]):
            torch.manual_seed(seed)
            made: Any = transformers.AutoModelForSequenceClassification.from_config(config)
            _take_heads_out(made, subject)
    except ValueError as error:
        raise AttlasError(
            f"{subject.name} cannot be fine-tuned on {task.name}: transformers has no model of its kind that "
            "classifies texts"
        ) from error
    if subject.encoder_decoder:
        raise AttlasError(
            f"{subject.name} has an encoder and a decoder: fine-tuning takes models with only one of them"
        )
    made = made.to(next(subject.model.parameters()).dtype)
    if not random_init:
        _take_over(made, subject)
    tokenizer = copy.deepcopy(subject.tokenizer)
    if tokenizer.pad_token_id is None:
        tokenizer.pad_token_id = made.config.pad_token_id
    name = f"{subject.name} ({'random' if random_init else task.name})"
    return Subject(made.to(subject.device), tokenizer, name)


def _config(subject: Subject, task: Task) -> Any:
    config: Any = copy.deepcopy(subject.model.config)
    names = task.labels or (task.label,)
    config.id2label = dict(enumerate(names))
    config.label2id = {name: i for i, name in enumerate(names)}
    config.problem_type = "single_label_classification" if task.labels else "regression"
    if getattr(config, "pad_token_id", None) is None:
        # decoders find the last token of an input by what follows it
        known = subject.tokenizer.pad_token_id, subject.tokenizer.eos_token_id, 0
        config.pad_token_id = next(i for i in known if i is not None)
    return config


def _take_heads_out(made: Any, subject: Subject) -> None:
    """Take out the heads that a smaller model has lost already: its config lists what is left, by module."""
    listed = getattr(subject.model.config, KEPT, None)
    if listed is None:
        return
    before, after = (_prefix(model) for model in (subject.model, made))
    kept = {after + name.removeprefix(before): heads for name, heads in listed.items()}
    for name, heads in kept.items():
        cut(made, name, heads, made.config.num_attention_heads)
    made.requires_grad_(True)
    setattr(made.config, KEPT, kept)


def _prefix(model: Any) -> str:
    """What the names of modules in its base begin with."""
    return "" if model.base_model is model else f"{model.base_model_prefix}."


def _take_over(made: Any, subject: Subject) -> None:
    """The weights of the part that both models have."""
    model: Any = subject.model
    base: nn.Module = getattr(model, "base_model", model)
    loaded = made.base_model.load_state_dict(base.state_dict(), strict=False)
    if layers := [key for key in loaded.missing_keys if re.search(r"\d", key)]:
        raise AttlasError(
            f"{type(made).__name__} has weights that {subject.name} lacks: {layers[0]} is one of them"
        )
