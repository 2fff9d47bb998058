"""Two names of heads by what they write where a model answers: successor, and copy suppression.

What a head writes is what it sends straight to the logits (`attlas.tap.direct`), compared between the tokens
that could be said there.
"""

from __future__ import annotations

import torch
from torch import Tensor

from attlas.reducers.reducer import check_numbers
from attlas.reducers.sums import ItemMeans
from attlas.studies.patterns.pattern_scores import PatternScore, scores_of
from attlas.studies.patterns.prompts import CandidateBatch
from attlas.tap.direct import NO_TARGET, DirectLogits
from attlas.tap.needs import Needs
from attlas.tap.observation import Observation


class Successor(ItemMeans):
    """Whether a head, where the next of `one, two, three, four,` is predicted, raises that one more than
    any other of the family (Gould et al. 2023). The null is how often it so raises another that was not
    shown."""

    name = "successor"
    needs = Needs(direct=True, direct_vectors=True)

    def update(self, observation: Observation) -> None:
        if "decoder" not in observation.batch.sides:
            return
        batch, direct, ids = _asked(observation)
        places = answer_places(direct)
        answer = batch.candidates == direct.targets[0, places[-1]]  # candidate
        others = ~torch.isin(batch.candidates, ids)  # neither shown nor the answer
        for (kind, layer), added in logits_of(direct, batch).items():
            raised = added[:, -1]  # head candidate
            most = (raised == raised.amax(-1, keepdim=True)) & (raised > 0)
            score = (most & answer).any(-1).double()
            null = (most & others).sum(-1).double() / others.sum().clamp(min=1)
            values = torch.stack([score, null, score - null], -1)[None, :, None]  # item head column 3
            self.add_items(f"{kind}.{layer}", values, others.any().view(1, 1, 1, 1), batch)

    def scores(self) -> list[PatternScore]:
        return scores_of(self, (("successor", 0),))


class CopySuppression(ItemMeans):
    """Where random tokens repeat, so that each next one is known: how often a head's strongest weight is on a
    token that it lowers more than any other token of the text (McDougall et al. 2023). The null is how often
    it would so lower the token looked at if that were another of the text."""

    name = "copy_suppression"
    needs = Needs(lazy_weights=True, direct=True, direct_vectors=True)

    def update(self, observation: Observation) -> None:
        if "decoder" not in observation.batch.sides:
            return
        batch, direct, ids = _asked(observation)
        places, many = answer_places(direct), len(batch.candidates)
        which = ids[0][:, None] == batch.candidates  # key candidate: none for special tokens
        logits = logits_of(direct, batch)
        for call in observation.calls:
            weights = call.lazy_weights
            if (call.kind, call.layer) not in logits or weights is None:
                continue
            rows = weights.rows(int(places[0]), int(places[-1]) + 1)[0][:, places - places[0]]
            check_numbers(rows)
            looked_at = which[rows.argmax(-1)]  # head query candidate
            added = logits[call.kind, call.layer]
            lowered = (added == added.amin(-1, keepdim=True)) & (added < 0)
            score = (lowered & looked_at).any(-1).double().mean(-1)
            elsewhere = (lowered & ~looked_at).any(-1) & looked_at.any(-1)
            null = elsewhere.double().mean(-1) / max(1, many - 1)
            values = torch.stack([score, null, score - null], -1)[None, :, None]  # item head column 3
            there = torch.ones(1, 1, 1, 1, dtype=torch.bool, device=values.device)
            self.add_items(f"{call.kind}.{call.layer}", values, there, batch)

    def scores(self) -> list[PatternScore]:
        return scores_of(self, (("copy_suppression", 0),))


def _asked(observation: Observation) -> tuple[CandidateBatch, DirectLogits, Tensor]:
    """What a decoder reads, what its heads send to the logits, and the tokens."""
    batch, direct = observation.batch, observation.direct
    assert isinstance(batch, CandidateBatch)
    assert direct is not None
    ids = batch.sides["decoder"].ids
    assert ids is not None
    return batch, direct, ids


def answer_places(direct: DirectLogits) -> Tensor:
    """Where something is predicted, in a batch of one row."""
    return (direct.targets[0] != NO_TARGET).nonzero()[:, 0]


def logits_of(direct: DirectLogits, batch: CandidateBatch) -> dict[tuple[str, int], Tensor]:
    """By kind and layer, head place candidate: what each head adds to what could be said."""
    places = answer_places(direct)
    return {
        where: vectors[:, 0, places].double() @ batch.read.double().T
        for where, vectors in direct.vectors.items()
    }
