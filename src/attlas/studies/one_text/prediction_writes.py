"""Which heads write one prediction: what each adds to its logit, from which tokens, without what it takes
from where heads rest."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import torch
from torch import Tensor

from attlas.address import Head, Kind
from attlas.errors import AttlasError
from attlas.statistics.claims import CLAIMS
from attlas.studies.one_text.place_predictions import Likely, likely, place_logprobs
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

    @property
    def smallest(self) -> float:
        """What a head must write to be named for it: as much as moves the target's probability visibly. In an
        untrained model, where every token is unlikely, no head writes as much."""
        unlikelier = min(self.target.probability, 1 - self.target.probability)
        visible = _log_odds(unlikelier + CLAIMS["prediction"].size) - _log_odds(unlikelier)
        return max(CLAIMS["logits"].size, visible)


def _log_odds(probability: float) -> float:
    return math.log(max(probability, 1e-12) / (1 - probability))


def no_prediction_writes(subject: Subject) -> str | None:
    """Why heads of a model cannot be ranked by what they write into a prediction; None where they can."""
    missing = no_objective(subject)
    return f"{subject.name} has {missing}" if missing else no_direct_paths(subject)


def prediction_writes(
    subject: Subject,
    text: ReadText,
    place: int | None = None,
    token: int | None = None,
    *,
    logprobs: Tensor | None = None,
) -> PredictionWrites:
    """Rank heads by what they add to the logit of a token at a place; by default, of the likeliest one.
    `logprobs` are those of the place (piece), if they are known already."""
    if (reason := no_prediction_writes(subject)) is not None:
        raise AttlasError(f"heads cannot be ranked by what they write: {reason}")
    at = text.check_place(place)
    if logprobs is None:
        logprobs = place_logprobs(subject, text, (at,))[0]
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
    heads = [write for where in seen.heads for write in _layer_writes(where, seen, calls[where], text, at)]
    heads.sort(key=lambda write: -abs(write.counted))
    return PredictionWrites(
        at,
        likely(subject, target, logprobs),
        tuple(heads),
        {name: float(added[0, at]) for name, added in seen.others.items()},
        float(seen.logits[0, at]),
    )


class _Direct:
    needs = Needs(direct=True, direct_reads=True)

    def update(self, observation: Observation) -> None:
        assert observation.direct is not None
        self.seen: DirectLogits = observation.direct


def _layer_writes(
    where: tuple[Kind, int], seen: DirectLogits, call: Call, text: ReadText, at: int
) -> Iterator[HeadWrite]:
    """What each head of a layer writes, and from which tokens."""
    weights, added = key_writes(seen, call, at)
    rest = _resting_keys(text, call.kind)
    order = added.masked_fill(rest, 0.0).abs().argsort(descending=True)[:, :KEYS].tolist()
    logits = seen.heads[where][0, at].tolist()
    resting = zip(added[:, rest].sum(-1).tolist(), weights[:, rest].sum(-1).tolist(), strict=True)
    for head, (logit, (rested, rested_weight)) in enumerate(zip(logits, resting, strict=True)):
        keys = (KeyWrite(key, float(weights[head, key]), float(added[head, key])) for key in order[head])
        read = tuple(key for key in keys if key.logit != 0 and not bool(rest[key.place]))
        yield HeadWrite(Head(*where, head), logit, rested, rested_weight, read)


def key_writes(seen: DirectLogits, call: Call, at: int) -> tuple[Tensor, Tensor]:
    """What each head of a layer attends to from a place, and what it adds to the logit from each key (head
    key). A gate between a head and what it writes scales all of it."""
    where = call.kind, call.layer
    with torch.no_grad():
        weights = call.weights(at, at + 1)[0, :, 0].detach().float()  # head key
        values = call.per_head(call.value)[0].detach().float()  # head key dim
        gave = torch.einsum("hk,hkd->hd", weights, values)
        taken = seen.outputs[where][0, at].to(gave)
        gate = torch.where(gave == 0, 0.0, taken / gave)
        as_given = (taken - gave).abs() <= 1e-4 * gave.abs().amax(-1, keepdim=True)
        reads = seen.reads[where][0, at].to(gave) * torch.where(as_given, 1.0, gate)
        return weights.cpu(), (weights * torch.einsum("hkd,hd->hk", values, reads)).cpu()


def _resting_keys(text: ReadText, kind: Kind) -> Tensor:
    """key: [SEP], or the first token. Where a token has no other to look at, it does not rest."""
    keys = text.batch.keys(kind)
    return resting_place(keys)[0].cpu()
