"""The loss that a model was trained on, of each item by itself."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor

from attlas.corpora.batches import ANSWER, REPEATED, Batch, Tokens
from attlas.corpora.source import seeded
from attlas.corpora.task_source import TaskBatch
from attlas.errors import AttlasError

if TYPE_CHECKING:
    from attlas.subject import Subject

MASKED, REPLACED_BY_MASK, REPLACED_AT_RANDOM = 0.15, 0.8, 0.1
#: the model's output -> batch: one loss an item
Losses = Callable[[Any], Tensor]


def has_objective(subject: Subject) -> bool:
    """Whether the model has a language-model head, and for masked words, a mask token."""
    return no_objective(subject) is None


def no_objective(subject: Subject) -> str | None:
    """What a model lacks that has no loss of its own on a text."""
    if subject.unembedding is None:
        return "no language-model head"
    if subject.text_kinds == ("encoder",) and getattr(subject.tokenizer, "mask_token_id", None) is None:
        return "no mask token"
    return None


def objective(subject: Subject, batch: Batch, seed: int = 0) -> tuple[Batch, Losses]:
    """The batch to run, and the losses of its output: masked words for encoders (15%, of which 80% become the
    mask, 10% a random piece, 10% stay), the next token for decoders. An item's loss is the mean over its own
    predictions, so that it does not depend on its neighbours in the batch. Where tokens repeat, those count
    that a text has said before. An example of a task has the loss of its label."""
    if isinstance(batch, TaskBatch):
        return batch, partial(label_losses, batch)
    if missing := no_objective(subject):
        raise AttlasError(f"{subject.name} has {missing}: it has no loss to differentiate")
    if subject.text_kinds == ("encoder",):
        ids, labels = _mask_words(subject, batch, seed)
        batch = replace(batch, inputs={**batch.inputs, "input_ids": ids})
    else:
        side = batch.sides["decoder"]
        assert side.ids is not None
        # in an encoder-decoder, the decoder's inputs are the targets shifted right already
        targets = batch.inputs["input_ids"] if subject.encoder_decoder else side.ids
        read = batch.sides["encoder"] if subject.encoder_decoder else side
        labels = targets.masked_fill(~(side.real & _counted_tokens(read)), -100)
        if not subject.encoder_decoder:
            labels = torch.cat([labels[:, 1:], torch.full_like(labels[:, :1], -100)], 1)
            labels = labels.masked_fill(~side.real, -100)  # padding on the left predicts nothing
    return batch, TokenLosses(labels)


def label_losses(batch: TaskBatch, output: Any) -> Tensor:
    """batch: the cross entropy of a class, the squared error of a number."""
    answers = batch.answers(output).float()
    if not batch.classes:
        return (answers[:, 0] - batch.labels.to(answers.dtype)).square()
    return torch.nn.functional.cross_entropy(answers, batch.labels.long(), reduction="none")


@dataclass(frozen=True)
class TokenLosses:
    """The mean over an item's predictions, of an output with logits for every token (batch token piece), or
    for those tokens alone that have a label (label piece)."""

    labels: Tensor  # batch token, -100 where nothing is predicted

    @property
    def places(self) -> Tensor:
        """batch token: where something is predicted."""
        return self.labels != -100

    def __call__(self, output: Any) -> Tensor:
        logits = logits_of(output).float()
        if logits.ndim == 2:
            losses_there = torch.nn.functional.cross_entropy(
                logits, self.labels[self.places], reduction="none"
            )
            losses = losses_there.new_zeros(self.labels.shape)
            losses[self.places] = losses_there
        else:
            # pieces stay last in memory: across it, PyTorch adds up a vocabulary one by one: slow, and over
            # 50,000 pieces wrong in the fourth decimal
            flat = logits.flatten(0, 1), self.labels.flatten()
            losses = torch.nn.functional.cross_entropy(*flat, reduction="none").view_as(self.labels)
        return losses.sum(-1) / self.places.sum(-1).clamp(min=1)


def _counted_tokens(side: Tokens) -> Tensor:
    """batch token: what a loss is of. Nobody predicts a picture."""
    if side.has("text"):
        return side.members("text")
    counted = next((name for name in (ANSWER, REPEATED) if side.has(name)), None)
    return side.real if counted is None else side.members(counted)


def logits_of(output: Any) -> Tensor:
    """What a model predicts, of its output."""
    logits = getattr(output, "logits", None)
    if logits is None:
        logits = output.prediction_logits  # BertForPreTraining
    return logits  # type: ignore[no-any-return]


def _mask_words(subject: Subject, batch: Batch, seed: int) -> tuple[Tensor, Tensor]:
    """Masked ids and labels. Seeded by item, so that they do not depend on the batch's make-up."""
    side = batch.sides["encoder"]
    assert side.ids is not None
    special = torch.tensor(sorted(set(subject.tokenizer.all_special_ids)), device=side.ids.device)
    usable = side.real & _counted_tokens(side) & ~torch.isin(side.ids, special)
    ids, labels = side.ids.clone(), torch.full_like(side.ids, -100)
    for row, item in enumerate(batch.ids):
        places = usable[row].nonzero().squeeze(-1)
        if not len(places):
            continue
        rng = torch.Generator().manual_seed(seeded(seed, *item))
        chosen = places[torch.randperm(len(places), generator=rng)[: max(1, round(MASKED * len(places)))]]
        labels[row, chosen] = side.ids[row, chosen]
        fate = torch.rand(len(chosen), generator=rng).to(ids.device)
        noise = torch.randint(len(subject.tokenizer), (len(chosen),), generator=rng).to(ids.device)
        new = torch.where(fate < REPLACED_BY_MASK + REPLACED_AT_RANDOM, noise, ids[row, chosen])
        ids[row, chosen] = torch.where(fate < REPLACED_BY_MASK, subject.tokenizer.mask_token_id, new)
    return ids, labels
