"""The pairs that a user names, for a model: those of a file, or drawn."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from attlas.atlas.words import count as counted
from attlas.errors import AttlasError
from attlas.studies.patching.pair_makers import MAKERS, MadePairs, made_pairs
from attlas.studies.patching.pair_source import PairSource
from attlas.studies.patching.pair_texts import PairFitter, PairItem, read_pairs
from attlas.subject import Subject

DRAWN = 50  # pairs, if no number is given


def pairs_for(
    subject: Subject,
    pairs: Any,
    count: int | None = None,
    seed: int = 0,
    strict: bool = False,
    batch: int | None = None,
    shard: int | None = None,
) -> PairSource:
    if (reason := cannot_answer(subject)) is not None:
        raise AttlasError(f"heads cannot be patched: {reason}")
    if not isinstance(pairs, str | os.PathLike):
        raise AttlasError(f"pairs are a file of JSON lines, or one of {', '.join(MAKERS)}")
    fitter = PairFitter(subject.tokenizer, subject.text_kinds == ("encoder",), subject.longest)
    name = str(pairs)
    if name in MAKERS:
        made, drawn = made_pairs(name, DRAWN if count is None else count, seed, fitter), "drawn"
        about = {"name": name, "seed": seed}
    else:
        path = Path(pairs)
        if not path.exists():
            raise AttlasError(f"there is no file {path}, and no task of that name: {', '.join(MAKERS)}")
        made, drawn = _fitted(path, count, fitter, strict), "read"
        about = {"name": path.name}
    if not made.items:
        why = f": {made.why}" if made.why else ""
        raise AttlasError(f"no pair of {name} fits the tokenizer of {subject.name}{why}")
    if made.dropped:
        total = counted(len(made.items) + made.dropped, "pair")
        about["dropped"] = (
            f"of {total} {drawn}, {made.dropped:,} do not fit the tokenizer and were dropped: {made.why}"
        )
    return PairSource(made.items, tuple(about.items()), batch, shard)


def cannot_answer(subject: Subject) -> str | None:
    """Why a model answers no pair, or its heads cannot be changed; None where it does and they can."""
    if not subject.interface:
        return subject.uneditable
    if subject.encoder_decoder or len(subject.kinds) != 1 or subject.images:
        return f"{subject.name} has heads of several kinds, and a pair is read by a decoder or an encoder"
    if subject.repeated:
        return f"{subject.name} uses the weights of a head twice in a layer"
    if subject.tokenizer is None:
        return f"{subject.name} has no tokenizer"
    if subject.unembedding is None:
        return f"{subject.name} has no language-model head"
    if subject.text_kinds == ("encoder",) and subject.tokenizer.mask_token is None:
        return f"{subject.name} has no mask token"
    return None


def _fitted(path: Path, count: int | None, fitter: PairFitter, strict: bool) -> MadePairs:
    items: list[PairItem] = []
    dropped, why = 0, ""
    for number, pair in enumerate(read_pairs(path, count)):
        try:
            items.append(fitter.fit(pair, number))
        except ValueError as error:
            if strict:
                raise AttlasError(f"{path}, {pair.where}: {error}") from error
            dropped, why = dropped + 1, why or f"{pair.where}: {error}"
    return MadePairs(tuple(items), dropped, why)
