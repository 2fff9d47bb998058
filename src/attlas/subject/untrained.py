"""A model before it has learned anything: the same architecture, initialised anew as its class does it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args

import torch
from torch import nn

from attlas.errors import AttlasError
from attlas.subject.checkpoints import ONE_AT_A_TIME
from attlas.subject.quantised import quantised_by
from attlas.subject.recorded import RecordedModel

if TYPE_CHECKING:
    from attlas.subject.subject import Subject

#: what may be left to chance: every weight, or all but the tables of embeddings
Initialise = Literal["random", "embeddings"]
INITIALISE: tuple[Initialise, ...] = get_args(Initialise)
TWIN_SEED = 1  # not that of `load(..., initialise=)`, whose model has a twin of its own
_MEMORY = Path("/proc/meminfo")


def untrained(subject: Subject, seed: int = TWIN_SEED) -> Subject:
    """The subject's untrained twin: its architecture and tokenizer, on its device, with weights that the seed
    draws. Nothing is loaded."""
    from attlas.subject.subject import Subject as Made

    if why := no_twin(subject):
        raise AttlasError(f"{subject.name} has no untrained twin: {why}")
    model = initialise_model(subject.model, "random", seed).to(subject.device)
    name = f"{subject.name} (untrained)"
    origin = subject.origin and replace(subject.origin, initialise="random", initial_seed=seed)
    return Made(model, subject.tokenizer, name, origin, subject.processor, subject.images)


def no_twin(subject: Subject) -> str:
    """Why a subject can have no untrained twin here; empty where it can."""
    if isinstance(subject.model, RecordedModel):
        return "it is recorded attention, without a model"
    if quantised_by(subject.model) is not None:
        return "its weights are quantised, and those of a twin would not be"
    if len(subject.devices) > 1:
        return "it is spread over several devices"
    needed = sum(p.numel() * p.element_size() for p in subject.model.parameters())
    if needed > (free := _free(subject.device)):
        return f"it takes {needed / 1e9:.1f} GB, and {free / 1e9:.1f} are free"
    return ""


def initialise_model(model: nn.Module, initialise: Initialise, seed: int = 0) -> nn.Module:
    """Another model of the same configuration, as its class makes it before training."""
    made: Any = type(model)
    with ONE_AT_A_TIME, torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        fresh: nn.Module = made(model.config)
    if initialise == "embeddings":
        tables = {name: m for name, m in model.named_modules() if isinstance(m, nn.Embedding)}
        for name, module in fresh.named_modules():
            if name in tables:
                module.load_state_dict(tables[name].state_dict())
    return fresh.to(next(model.parameters()).dtype).eval()


def _free(device: torch.device) -> float:
    """Bytes of memory that are free; endless where this machine does not say."""
    if device.type == "cuda":
        return float(torch.cuda.mem_get_info(device)[0])
    if device.type != "cpu" or not _MEMORY.exists():
        return float("inf")
    lines = dict(line.split(":", 1) for line in _MEMORY.read_text().splitlines() if ":" in line)
    return 1024 * float(lines.get("MemAvailable", "inf kB").split()[0])
