"""What heads add to the logits of the tokens to be predicted: over a corpus, and token by token in one
text."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import pandas as pd
import torch
from torch import Tensor

from attlas.address import Head
from attlas.corpora.batches import Batch
from attlas.errors import AttlasError
from attlas.reducers.reducer import ItemMeans, Sums, layer_of, table
from attlas.row import Row
from attlas.subject import Subject
from attlas.subject.losses import TokenLosses, no_objective
from attlas.tap.direct import NO_TARGET, DirectLogits, no_direct_paths
from attlas.tap.needs import Needs
from attlas.tap.observation import Observation
from attlas.tap.tap import Tap

LOGITS = ("logit", "logit_largest", "logit_raises")
LISTED = 8  # tokens that a head raises, and lowers, most


class LogitMeans(ItemMeans):
    """Means over the tokens to be predicted: `logit`, what a head adds to the target's logit by itself (the
    mean over the vocabulary taken off); `logit_largest`, the share of them where no other head adds more;
    `logit_raises`, the share where it adds rather than takes away."""

    name = "logit_means"
    needs = Needs(direct=True)

    def update(self, observation: Observation) -> None:
        direct = observation.direct
        assert direct is not None
        wanted = direct.targets != NO_TARGET  # batch query
        most = torch.cat(list(direct.heads.values()), -1).amax(-1, keepdim=True)
        for (kind, layer), added in direct.heads.items():
            columns = torch.stack([added, added >= most, added > 0], -1).double()
            of_items, present = means_over(columns, wanted)
            self.add_items(f"{kind}.{layer}", of_items, present, observation.batch)

    def rows(self) -> list[Row]:
        return table(self, [(name, "") for name in LOGITS])


class PartMeans(ItemMeans):
    """What embeddings, each layer's heads together, each feed-forward layer and the biases add."""

    name = "parts"
    needs = Needs(direct=True)

    def update(self, observation: Observation) -> None:
        direct = observation.direct
        assert direct is not None
        wanted = direct.targets != NO_TARGET
        parts = dict(direct.others)
        parts |= {f"{kind} heads.{layer}": added.sum(-1) for (kind, layer), added in direct.heads.items()}
        for name, added in {**parts, "logit": direct.logits}.items():
            of_items, present = means_over(added[..., None, None].double(), wanted)
            self.add_items(name, of_items[:, 0, 0], present[:, 0, 0], observation.batch)

    def table(self) -> pd.DataFrame:
        """part, layer (-1 for none), value, stderr, n: in a model's own order; `logit` last."""
        rows = []
        for name in sorted(self.sums, key=_in_order):
            part, _, layer = name.partition(".")
            known = self.mean(name)
            rows.append((part, int(layer or -1), float(known.mean), float(known.stderr), int(known.items)))
        return pd.DataFrame(rows, columns=["part", "layer", "value", "stderr", "n"])


class SentVectors(Sums):
    """What each head sends to the unembedding on average: the vector whose product with the unembedding is
    what it adds to every token of the vocabulary."""

    name = "sent"
    needs = Needs(direct=True, direct_sent=True)

    def update(self, observation: Observation) -> None:
        direct = observation.direct
        assert direct is not None
        self.add("tokens", (direct.targets != NO_TARGET).sum().double())
        for (kind, layer), vectors in direct.sent.items():
            self.add(f"{kind}.{layer}", vectors.double())  # head vector

    def means(self) -> dict[Head, npt.NDArray[np.float64]]:
        means = {}
        tokens = float(self.sums["tokens"]) if self.sums else 0.0
        for key, sums in self.sums.items():
            if key != "tokens" and tokens:
                for head, vector in enumerate(sums.cpu().numpy()):
                    means[Head(*layer_of(key), head)] = vector / tokens
        return dict(sorted(means.items()))


def token_table(subject: Subject, means: dict[Head, npt.NDArray[np.float64]]) -> pd.DataFrame:
    """The tokens that each head raises (`by` > 0) and lowers most on average, the strongest first."""
    unembedding = subject.unembedding
    assert unembedding is not None
    weight = unembedding.get_parameter("weight").detach().float().cpu()
    most = min(LISTED, len(weight) // 2)
    rows: list[tuple[str, int, int, str, int, str, float]] = []
    for head, vector in means.items():
        added = weight @ torch.from_numpy(vector).float()
        added = added - added.mean()
        for sign, end in ((1, "raised"), (-1, "lowered")):
            values, ids = (sign * added).topk(most)
            spelled = _spell_each(subject, ids.tolist())
            for rank, (token, value) in enumerate(zip(spelled, values.tolist(), strict=True)):
                rows.append((head.kind, head.layer, head.head, end, rank, token, sign * value))
    table = pd.DataFrame(rows, columns=["kind", "layer", "head", "end", "rank", "token", "by"])
    return table.astype({"layer": int, "head": int, "rank": int, "by": float})  # also where no row says so


def _spell_each(subject: Subject, ids: Sequence[int]) -> list[str]:
    """Each by itself: a part of a word keeps its mark. A vocabulary may be smaller than the unembedding."""
    known = len(subject.tokenizer)
    return [subject.spell([i])[0] if i < known else f"<{i}>" for i in ids]


def means_over(values: Tensor, wanted: Tensor) -> tuple[Tensor, Tensor]:
    """batch head column: of values (batch query head column) over the wanted queries; and where some are."""
    count = wanted.sum(-1)[:, None, None]
    sums = values.masked_fill(~wanted[..., None, None], 0.0).sum(1)
    return sums / count.clamp(min=1), (count > 0).expand_as(sums)


def _in_order(name: str) -> tuple[int, int, int, str]:
    """Embeddings, then layer by layer heads and feed-forward, biases, and the logit that they make."""
    part, _, layer = name.partition(".")
    last = {"embeddings": 0, "biases": 2, "logit": 3}.get(part, 1)
    return last, int(layer or 0), part == "feed_forward", part


CONTRIBUTION_COLUMNS = ["kind", "layer", "head", "position", "token", "target", "logit"]
MOST = 512  # tokens: an encoder runs the text once for each


class _Direct:
    needs = Needs(direct=True)

    def update(self, observation: Observation) -> None:
        assert observation.direct is not None
        self.seen: DirectLogits = observation.direct


def contributions(subject: Subject, text: str) -> pd.DataFrame:
    """A row for each head and position: what the head adds there to the logit of `target`, the mean over the
    vocabulary taken off. In a decoder the target is the next token, and the last token has none; in an
    encoder it is the token itself, which is masked, one at a time. Heads that reach no logit are left out."""
    missing = no_objective(subject)
    reason = f"{subject.name} has {missing}" if missing else no_direct_paths(subject)
    if reason is not None:
        raise AttlasError(f"contributions to logits cannot be measured: {reason}")
    batch, labels, ids = prepare_text(subject, text)
    watch = _Direct()
    with Tap(subject, [watch]) as tap:
        tap.run(batch, TokenLosses(labels))
    tokens = subject.spell(ids)
    rows = []
    for (kind, layer), added in watch.seen.heads.items():
        for row, position in (labels != NO_TARGET).nonzero().tolist():
            target = subject.spell([int(labels[row, position])])[0]
            for head, logit in enumerate(added[row, position].tolist()):
                rows.append((kind, layer, head, position, tokens[position], target, logit))
    table = pd.DataFrame(rows, columns=CONTRIBUTION_COLUMNS)
    return table.sort_values(["kind", "layer", "head", "position"], kind="stable", ignore_index=True)


def prepare_text(subject: Subject, text: str) -> tuple[Batch, Tensor, list[int]]:
    """The batch to run, what it is asked for (row token), and the tokens of the text."""
    plain = subject.encode(text)
    side = plain.sides["decoder" if "decoder" in plain.sides else "encoder"]
    assert side.ids is not None
    ids: list[int] = side.ids[0].tolist()
    if len(ids) > MOST:
        raise AttlasError(f"the text has {len(ids):,} tokens: contributions are taken of at most {MOST:,}")
    if subject.kinds != ("encoder",):
        targets = plain.inputs["input_ids"] if subject.encoder_decoder else side.ids
        shifted = targets if subject.encoder_decoder else targets.roll(-1, 1)
        labels = shifted[:, : len(ids)].clone()
        if not subject.encoder_decoder:
            labels[:, -1] = NO_TARGET
        return plain, labels, ids
    special = set(subject.tokenizer.all_special_ids)
    places = [place for place, token in enumerate(ids) if token not in special]
    if not places:
        raise AttlasError("the text has no token that could be masked")
    rows = {name: tensor.repeat(len(places), 1) for name, tensor in plain.inputs.items()}
    labels = torch.full_like(rows["input_ids"], NO_TARGET)
    rows["input_ids"] = rows["input_ids"].clone()
    for row, place in enumerate(places):
        labels[row, place] = ids[place]
        rows["input_ids"][row, place] = subject.tokenizer.mask_token_id
    return subject.annotate(rows), labels, ids
