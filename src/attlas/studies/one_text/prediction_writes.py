"""Which heads write one prediction: what each adds to its logit, from which tokens, without what it takes
from where heads rest."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from attlas.address import Head, Kind
from attlas.errors import AttlasError
from attlas.studies.one_text.place_predictions import Likely, PlaceLogprobs, likely
from attlas.studies.one_text.read_text import ReadText
from attlas.studies.resting_study import resting_place
from attlas.subject import Subject
from attlas.subject.losses import TokenLosses, no_objective
from attlas.tap.call import Call
from attlas.tap.direct import NO_TARGET, DirectLogits, no_direct_paths
from attlas.tap.needs import Needs
from attlas.tap.observation import Observation
from attlas.tap.tap import Tap

KEYS = 5  # that a head is said to take most from


@dataclass(frozen=True)
class KeyWrite:
    """A token that a head looks at from the prediction's place, and what it adds from there."""

    place: int
    weight: float
    logit: float


@dataclass(frozen=True)
class HeadWrite:
    """What a head adds to the target's logit by itself. `resting` of it comes from where heads rest, by the
    weight `resting_weight`; `keys` are where the most of the others comes from."""

    head: Head
    logit: float
    resting: float
    resting_weight: float
    keys: tuple[KeyWrite, ...]

    @property
    def counted(self) -> float:
        """Without the share that rests: a head that rests has nothing to say of this text."""
        return self.logit - self.resting


@dataclass(frozen=True)
class PredictionWrites:
    """Heads by what they write into a prediction, the strongest first. `others` are embeddings, feed-forward
    layers and biases; all of it adds up to `logit`, from which the mean over the vocabulary is taken off."""

    place: int
    target: Likely
    heads: tuple[HeadWrite, ...]
    others: dict[str, float]
    logit: float


def no_prediction_writes(subject: Subject) -> str | None:
    """Why heads of a model cannot be ranked by what they write into a prediction; None where they can."""
    missing = no_objective(subject)
    return f"{subject.name} has {missing}" if missing else no_direct_paths(subject)


def prediction_writes(
    subject: Subject, text: ReadText, place: int | None = None, token: int | None = None
) -> PredictionWrites:
    """Rank heads by what they add to the logit of a token at a place; by default, of the likeliest one."""
    if (reason := no_prediction_writes(subject)) is not None:
        raise AttlasError(f"heads cannot be ranked by what they write: {reason}")
    at = text.check_place(place)
    logprobs = _logprobs(subject, text, at)
    target = int(logprobs.argmax()) if token is None else token
    if target >= len(logprobs):
        raise AttlasError(f"there is no token {target}: the vocabulary has {len(logprobs):,}")
    labels = torch.full_like(text.side.ids if text.side.ids is not None else text.side.real.long(), NO_TARGET)
    labels[0, at] = target
    watch, calls = _Direct(), dict[tuple[Kind, int], Call]()

    def listen(call: Call) -> None:
        calls[call.kind, call.layer] = call

    with Tap(subject, [watch], listener=listen) as tap:
        tap.run(text.batch, TokenLosses(labels))
    seen = watch.seen
    heads = [
        _head_write(Head(kind, layer, head), seen, calls[kind, layer], text, at)
        for (kind, layer), added in seen.heads.items()
        for head in range(added.shape[-1])
    ]
    heads.sort(key=lambda write: -abs(write.counted))
    return PredictionWrites(
        at,
        likely(subject, target, logprobs),
        tuple(heads),
        {name: float(added[0, at]) for name, added in seen.others.items()},
        float(seen.logits[0, at]),
    )


class _Direct:
    needs = Needs(direct=True, direct_vectors=True)

    def update(self, observation: Observation) -> None:
        assert observation.direct is not None
        self.seen: DirectLogits = observation.direct


def _logprobs(subject: Subject, text: ReadText, at: int) -> Tensor:
    measured = PlaceLogprobs(text.marked((at,)))
    with torch.no_grad(), Tap(subject) as tap:
        return measured(tap.run(text.batch, predictions=True))[0, 0]


def _head_write(head: Head, seen: DirectLogits, call: Call, text: ReadText, at: int) -> HeadWrite:
    where = head.kind, head.layer
    logit = float(seen.heads[where][0, at, head.head])
    weights, added = key_writes(seen, call, head, at)
    rest = _resting_keys(text, head.kind)
    order = added.masked_fill(rest, 0.0).abs().argsort(descending=True)[:KEYS].tolist()
    keys = tuple(KeyWrite(key, float(weights[key]), float(added[key])) for key in order if added[key] != 0)
    return HeadWrite(
        head,
        logit,
        float(added[rest].sum()),
        float(weights[rest].sum()),
        tuple(key for key in keys if not bool(rest[key.place])),
    )


def key_writes(seen: DirectLogits, call: Call, head: Head, at: int) -> tuple[Tensor, Tensor]:
    """What a head attends to from a place, and what it adds to the logit from each key (key). A gate between
    a head and what it writes scales all of it."""
    where = head.kind, head.layer
    with torch.no_grad():
        weights = call.weights(at, at + 1)[0, head.head, 0].detach().float()  # key
        values = call.per_head(call.value)[0, head.head].detach().float()  # key dim
        gave = weights @ values
        taken = seen.outputs[where][0, at, head.head].to(gave)
        gate = torch.where(gave == 0, 0.0, taken / gave)
        gate = torch.where((taken - gave).abs() <= 1e-4 * gave.abs().max(), 1.0, gate)
        reads = seen.reads[where][0, at, head.head].to(gave) * gate
        return weights.cpu(), (weights * (values @ reads)).cpu()


def _resting_keys(text: ReadText, kind: Kind) -> Tensor:
    """key: [SEP], or the first token. Where a token has no other to look at, it does not rest."""
    keys = text.batch.keys(kind)
    return resting_place(keys)[0].cpu()
