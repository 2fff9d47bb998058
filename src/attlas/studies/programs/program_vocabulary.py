"""The vocabulary: programs that say from a text's tokens alone how a row of attention is spread.

A program gives batch query key: rows add up to 1, or are 0 where it has nothing to say. What patterns call
targets and ideals (`studies/patterns/definitions.py`) are programs, by the same code.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import Any

import numpy as np
import torch
from torch import Tensor

from attlas.errors import AttlasError
from attlas.studies.patterns.definitions import REACHES, ideals, targets
from attlas.studies.programs.token_features import ProgramText, shift
from attlas.wording.program_names import FARTHEST, KINDS_OF_TOKEN, PROGRAMS

#: a text and which keys each query may see (batch query key) -> batch query key, not negative
Rows = Callable[[ProgramText, Tensor], Tensor]
#: what a user writes: the tokens of one text -> query key, not negative
UserProgram = Callable[[list[str]], Any]


@dataclass(frozen=True)
class Program:
    """One of the vocabulary, or what a user wrote. It pickles where a user's function does."""

    name: str
    written: UserProgram | None = None

    def spread(self, text: ProgramText, visible: Tensor) -> Tensor:
        """batch query key, float32: rows of 1 or 0."""
        rows = _vocabulary()[self.name] if self.written is None else _Written(self.name, self.written)
        shares = rows(text, visible).float() * visible
        size = shares.sum(-1, keepdim=True)
        return torch.where(size > 0, shares / size.clamp(min=1e-30), 0.0)


def programs(
    written: Mapping[str, UserProgram] | None = None, names: Sequence[str] | None = None
) -> tuple[Program, ...]:
    """The vocabulary, or the programs named of it; then those that a user wrote."""
    chosen = [Program(name) for name in (PROGRAMS if names is None else names)]
    for name, function in (written or {}).items():
        if not callable(function) or name in PROGRAMS:
            raise AttlasError(f"a program needs a name of its own and a function of tokens, not {name!r}")
        try:
            pickle.dumps(function)
        except (AttributeError, pickle.PicklingError):
            raise AttlasError(f"the program {name!r} is no function that has a name in a module") from None
        chosen.append(Program(name, function))
    return tuple(chosen)


def spread_all(chosen: Sequence[Program], text: ProgramText, visible: Tensor) -> Tensor:
    """program batch query key"""
    return torch.stack([program.spread(text, visible) for program in chosen])


@cache
def _vocabulary() -> dict[str, Rows]:
    """Every program of the vocabulary, by its name."""
    made: dict[str, Rows] = {
        name: partial(_pattern, name)
        for name in ("self", "previous", "next", "sink", "cls", "sep", "duplicate", "induction")
    }
    made |= {"other_sentence": partial(_pattern, "other_sentence")}
    made |= {name: partial(_ideal, name, 0) for name in ("bag", "broad")}
    made |= {f"local_{reach}": partial(_ideal, "local", i) for i, reach in enumerate(REACHES)}
    for by in range(2, FARTHEST + 1):
        made |= {f"back_{by}": partial(_offset, -by), f"ahead_{by}": partial(_offset, by)}
    made |= {
        "last_duplicate": lambda text, visible: _nearest(_same(text) & (_offsets(visible) < 0), -1),
        "last_induction": lambda text, visible: _nearest(targets("induction", text.tokens, visible), -1),
        "before_same": _before_same,
        "last_delimiter": lambda text, _: _nearest(_of(text.tokens.special) & _earlier(text), -1),
        "next_delimiter": lambda text, _: _nearest(_of(text.tokens.special) & _earlier(text).mT, 1),
        "sentence": lambda text, _: _alike(text.sentence),
        "sentence_start": lambda text, _: _alike(text.sentence) & _of(text.starts),
        "last_sentence": lambda text, _: _alike(text.sentence, 1),
        "word": lambda text, _: _alike(text.word) & ~_eye(text),
        "word_start": lambda text, _: (
            _alike(text.word) & _of(text.word != shift(text.word, -1)) & ~_eye(text)
        ),
        "last_word": lambda text, _: _alike(text.word, 1),
        "next_word": lambda text, _: _alike(text.word, -1),
    }
    for kind in KINDS_OF_TOKEN:
        made[f"every_{kind}"] = partial(_kind, kind, 0)
        made[f"last_{kind}"] = partial(_kind, kind, -1)
        made[f"next_{kind}"] = partial(_kind, kind, 1)
    return {name: made[name] for name in PROGRAMS}


def _pattern(name: str, text: ProgramText, visible: Tensor) -> Tensor:
    return targets(name, text.tokens, visible)


def _ideal(name: str, scale: int, text: ProgramText, visible: Tensor) -> Tensor:
    return ideals(name, text.tokens, visible)[scale]


def _offset(by: int, text: ProgramText, visible: Tensor) -> Tensor:
    return (_offsets(visible) == by).expand_as(visible)


def _kind(kind: str, way: int, text: ProgramText, visible: Tensor) -> Tensor:
    """Tokens of a kind, the query itself left out: all of them, or the nearest on one side."""
    if kind == "word":  # what begins one
        members = text.ordinary & (text.word != shift(text.word, -1)) & ~text.features["mark"]
    elif kind == "other":
        members = text.ordinary & ~text.features["frequent"] & ~text.features["mark"]
    else:
        members = text.features[kind]
    keys = _of(members) & ~_eye(text)
    return keys if way == 0 else _nearest(keys & (_offsets(visible) * way > 0), way)


def _before_same(text: ProgramText, visible: Tensor) -> Tensor:
    """The tokens before earlier ones that are the query's own."""
    return torch.nn.functional.pad(_same(text), (0, 1))[..., 1:] & (_offsets(visible) < -1)


def _nearest(keys: Tensor, way: int) -> Tensor:
    """The nearest of the keys of each query, all of which lie on one side: the last, or the first."""
    ordered = keys.flip(-1) if way < 0 else keys
    first = ordered & (ordered.cumsum(-1) == 1)
    return first.flip(-1) if way < 0 else first


def _of(members: Tensor) -> Tensor:
    """batch 1 key"""
    return members[:, None]


def _alike(number: Tensor, before: int = 0) -> Tensor:
    """batch query key: keys whose number is the query's own, or so many less."""
    return (
        (number[:, :, None] - before == number[:, None]) & (number >= 0)[:, None] & (number >= 0)[:, :, None]
    )


def _same(text: ProgramText) -> Tensor:
    words = text.ordinary[:, :, None] & text.ordinary[:, None]
    return (text.ids[:, :, None] == text.ids[:, None]) & words & ~_eye(text)


def _eye(text: ProgramText) -> Tensor:
    return torch.eye(text.ids.shape[1], dtype=torch.bool, device=text.ids.device)


def _earlier(text: ProgramText) -> Tensor:
    """query key"""
    return torch.ones_like(_eye(text)).tril(-1)


def _offsets(visible: Tensor) -> Tensor:
    """query key: how far the key stands after the query."""
    place = torch.arange(visible.shape[-1], device=visible.device)
    return place[None] - place[:, None]


@dataclass(frozen=True)
class _Written:
    """A user's program, run on one text after the other."""

    name: str
    function: UserProgram

    def __call__(self, text: ProgramText, visible: Tensor) -> Tensor:
        rows = torch.zeros(visible.shape, dtype=torch.float64)
        for row, tokens in enumerate(text.spelled):
            array = np.asarray(self.function(list(tokens)), np.float64)
            places = text.tokens.real[row].nonzero()[:, 0].cpu()
            if array.shape != (len(places),) * 2 or not (np.isfinite(array) & (array >= 0)).all():
                raise AttlasError(
                    f"the program {self.name!r} gave {array.shape} for {len(places)} tokens: it gives a "
                    "number that is not negative for every query and key"
                )
            rows[row, places[:, None], places] = torch.from_numpy(array)
        return rows.to(visible.device)
