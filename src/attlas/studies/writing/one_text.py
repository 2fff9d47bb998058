"""What every head adds to the logit of every token of one text, by itself: for a card, a picture, a look."""

from __future__ import annotations

import pandas as pd
import torch
from torch import Tensor

from attlas.corpora.batches import Batch
from attlas.errors import AttlasError
from attlas.subject import Subject
from attlas.subject.losses import TokenLosses, no_objective
from attlas.tap.direct import NO_TARGET, DirectLogits, no_direct_paths
from attlas.tap.needs import Needs
from attlas.tap.observation import Observation
from attlas.tap.tap import Tap

COLUMNS = ["kind", "layer", "head", "position", "token", "target", "logit"]
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
    batch, labels, ids = asked(subject, text)
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
    table = pd.DataFrame(rows, columns=COLUMNS)
    return table.sort_values(["kind", "layer", "head", "position"], kind="stable", ignore_index=True)


def asked(subject: Subject, text: str) -> tuple[Batch, Tensor, list[int]]:
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
