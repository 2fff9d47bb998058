"""Several fine-tunings at once: the seeds of one task, each trained as `attlas finetune` trains it alone.

A model as small as `mini` leaves a GPU idle, and many processes that share one wait for each other. Here the
weights of all seeds stand beside each other in one tensor, and `torch.func.vmap` runs the models as one.
Examples, their order, rates, decay and clipping are each model's own, and those of the Trainer; dropout alone
draws other numbers. `tests/studies/test_ensemble.py` trains both ways without dropout, to the same weights.
"""

from __future__ import annotations

import copy
import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.func import functional_call, stack_module_state, vmap
from transformers import Trainer, get_linear_schedule_with_warmup

from attlas.corpora.task_source import TaskItem
from attlas.studies.finetuning.gradient_norms import CLIPPED_AT, GradientNorms
from attlas.studies.finetuning.train import TrainingSettings, trainer_arguments
from attlas.subject import Subject

LOGGED = 10  # steps whose losses are one number, as the Trainer logs them
ROUNDED_TO = 8  # lengths of inputs


@dataclass(frozen=True)
class Examples:
    """Those of every model: ids and types are model example token, lengths and labels model example."""

    ids: Tensor
    types: Tensor
    lengths: Tensor
    labels: Tensor

    @classmethod
    def of(cls, items: Sequence[Sequence[TaskItem]], classes: bool, device: torch.device) -> Examples:
        longest = max(len(item.ids) for examples in items for item in examples)
        shape = len(items), len(items[0]), -(-longest // ROUNDED_TO) * ROUNDED_TO
        ids, types = np.zeros(shape, np.int32), np.zeros(shape, np.uint8)
        for model, examples in enumerate(items):
            for place, item in enumerate(examples):
                ids[model, place, : len(item.ids)] = item.ids
                types[model, place, : len(item.ids)] = item.types
        lengths = np.array([[len(item.ids) for item in examples] for examples in items])
        labels = torch.tensor([[item.label for item in examples] for examples in items], dtype=torch.float32)
        labels = labels.long() if classes else labels
        return cls(
            torch.from_numpy(ids).to(device),
            torch.from_numpy(types).to(device),
            torch.from_numpy(lengths),  # on the CPU: they decide how long a batch is
            labels.to(device),
        )

    def batch(self, rows: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """`rows` is model row, on the CPU: ids, types, what is added to scores of attention, labels."""
        lengths = self.lengths.gather(1, rows)
        longest = min(-(-int(lengths.max()) // ROUNDED_TO) * ROUNDED_TO, self.ids.shape[2])
        device = self.ids.device
        rows, lengths = rows.to(device, non_blocking=True), lengths.to(device, non_blocking=True)
        models = torch.arange(len(rows), device=device)[:, None]
        hidden = torch.arange(longest, device=device) >= lengths[..., None]
        added = hidden[:, :, None, None] * torch.finfo(torch.float32).min
        ids, types = (part[models, rows, :longest].long() for part in (self.ids, self.types))
        return ids, types, added, self.labels[models, rows]


def order(seed: int, epoch: int, count: int) -> Tensor:
    """In which the Trainer sees examples: that of accelerate's sampler."""
    return torch.randperm(count, generator=torch.Generator().manual_seed(seed + epoch))


class Ensemble:
    """Models of one shape that are trained together. `checkpoint`: where every epoch is kept, so that a
    training that is stopped goes on."""

    def __init__(
        self,
        subjects: Sequence[Subject],
        items: Sequence[Sequence[TaskItem]],
        settings: Sequence[TrainingSettings],
        classes: bool,
        checkpoint: Path | None = None,
    ) -> None:
        self.subjects, self.settings, self.checkpoint = subjects, settings, checkpoint
        self.classes = classes
        self.examples = Examples.of(items, classes, subjects[0].device)
        first: Any = copy.deepcopy(subjects[0].model)
        first.set_attn_implementation("eager")
        self.skeleton: nn.Module = first.to("meta").train()
        models: list[Any] = [subject.model for subject in subjects]
        stacked, self.buffers = stack_module_state(models)
        self.parameters = {name: p.detach().clone().requires_grad_() for name, p in stacked.items()}
        self.count = len(items[0])
        self.steps = math.ceil(self.count / settings[0].batch)  # of an epoch
        self.optimizer, self.schedule = self._optimizer()
        self.parts = GradientNorms(models[0])
        members = self.parts.membership(list(models[0].parameters()))
        self.members = members.to(subjects[0].device)  # part parameter
        self.norms: list[Tensor] = []  # of a step: model part
        self.losses: list[Tensor] = []  # of a step: model

    def _optimizer(self) -> tuple[torch.optim.AdamW, Any]:
        settings, device = self.settings[0], self.subjects[0].device
        said = trainer_arguments(settings, self.count, device, Path("unused"))
        network: Any = self.subjects[0].model
        decayed = set(Trainer.get_decay_parameter_names(None, network))  # type: ignore[arg-type]
        groups = [
            {
                "params": [p for name, p in self.parameters.items() if (name in decayed) is decays],
                "weight_decay": settings.decay if decays else 0.0,
            }
            for decays in (True, False)
        ]
        optimizer = torch.optim.AdamW(
            groups,
            lr=settings.rate,
            betas=(said.adam_beta1, said.adam_beta2),
            eps=said.adam_epsilon,
            fused=device.type == "cuda",
        )
        whole = math.ceil(settings.epochs * self.steps)
        return optimizer, get_linear_schedule_with_warmup(optimizer, int(said.warmup_steps), whole)

    def train(self) -> None:
        """To the end, and back into the subjects' models."""
        epochs = round(self.settings[0].epochs)
        precision = torch.get_float32_matmul_precision()
        torch.set_float32_matmul_precision("high")  # TF32 on a GPU that has it, while training alone
        for epoch in range(self._resume(), epochs):
            orders = torch.stack([order(s.seed, epoch, self.count) for s in self.settings])
            for rows in orders.split(self.settings[0].batch, 1):
                self.step(rows)
            if self.checkpoint is not None and epoch + 1 < epochs:
                self._keep(epoch + 1)
        torch.set_float32_matmul_precision(precision)
        self._give_back()

    def step(self, rows: Tensor) -> None:
        ids, types, added, labels = self.examples.batch(rows)
        logits = vmap(self._forward, randomness="different")(self.parameters, self.buffers, ids, types, added)
        losses = self._losses(logits, labels)
        self.optimizer.zero_grad()
        losses.sum().backward()  # a model's loss depends on its own weights alone
        self._clip()
        self.optimizer.step()
        self.schedule.step()
        self.losses.append(losses.detach())

    def _forward(self, parameters: Any, buffers: Any, ids: Tensor, types: Tensor, added: Tensor) -> Tensor:
        inputs = {"input_ids": ids, "token_type_ids": types, "attention_mask": added}
        logits: Tensor = functional_call(self.skeleton, (parameters, buffers), (), inputs).logits
        return logits

    def _losses(self, logits: Tensor, labels: Tensor) -> Tensor:
        """model: the mean over its batch."""
        if not self.classes:
            return (logits[..., 0] - labels).square().mean(1)
        by_example = nn.functional.cross_entropy(logits.flatten(0, 1), labels.flatten(), reduction="none")
        return by_example.view(labels.shape).mean(1)

    def _clip(self) -> None:
        """Each model's gradients by themselves, after their norms are taken down."""
        gradients = [p.grad for p in self.parameters.values() if p.grad is not None]
        norms = [torch.linalg.vector_norm(g.flatten(1), dim=1) for g in gradients]
        squares = torch.stack(norms).double().square()  # parameter model
        self.norms.append((self.members @ squares).sqrt().T)
        scale = (CLIPPED_AT / (squares.sum(0).sqrt() + 1e-6)).clamp(max=1.0).to(gradients[0].dtype)
        torch._foreach_mul_(gradients, [scale.view(-1, *[1] * (g.ndim - 1)) for g in gradients])

    def losses_of(self, model: int) -> list[tuple[int, float]]:
        """As the Trainer logs them: the means of ten steps, with the step that ends them."""
        losses = torch.stack(self.losses)[:, model].double().cpu()
        ends = range(LOGGED, len(losses) + 1, LOGGED)
        return [(end, float(losses[end - LOGGED : end].mean())) for end in ends]

    def norms_of(self, model: int) -> np.ndarray:
        """step part"""
        norms: np.ndarray = torch.stack(self.norms)[:, model].cpu().numpy()
        return norms

    @torch.no_grad()
    def _give_back(self) -> None:
        for place, subject in enumerate(self.subjects):
            for name, parameter in subject.model.named_parameters():
                parameter.copy_(self.parameters[name][place])
            subject.model.eval()

    def _keep(self, epoch: int) -> None:
        assert self.checkpoint is not None
        self.checkpoint.parent.mkdir(parents=True, exist_ok=True)
        kept = {
            "epoch": epoch,
            "parameters": {name: p.detach() for name, p in self.parameters.items()},
            "optimizer": self.optimizer.state_dict(),
            "schedule": self.schedule.state_dict(),
            "norms": torch.stack(self.norms),
            "losses": torch.stack(self.losses),
        }
        new = self.checkpoint.with_suffix(".new")
        torch.save(kept, new)
        new.replace(self.checkpoint)

    @torch.no_grad()
    def _resume(self) -> int:
        """The epoch to begin with."""
        if self.checkpoint is None or not self.checkpoint.exists():
            return 0
        kept = torch.load(self.checkpoint, map_location=self.subjects[0].device, weights_only=True)
        for name, parameter in self.parameters.items():
            parameter.copy_(kept["parameters"][name])
        self.optimizer.load_state_dict(kept["optimizer"])
        self.schedule.load_state_dict(kept["schedule"])
        self.norms, self.losses = list(kept["norms"]), list(kept["losses"])
        return int(kept["epoch"])
