"""Edits of one text: what some heads do instead of what they do."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

import torch
from torch import Tensor

from attlas.address import Head
from attlas.array_types import Floats
from attlas.corpora.batches import Batch
from attlas.edits.head_edit import HeadEdit
from attlas.edits.switching_off import mean, uniform, zero
from attlas.errors import AttlasError
from attlas.options.option_groups import BatchOptions, TextOptions
from attlas.studies.disabling.disable_study import HeadOutputMeans
from attlas.studies.name_tests.following import AtOnce, Claim, follow
from attlas.studies.one_text.read_text import ReadText
from attlas.studies.patterns.definitions import IN_TEXT, tokens_of
from attlas.studies.study_items import text_items
from attlas.subject import Subject
from attlas.tap.tap import Tap
from attlas.wording.names import PATTERNS

By = Literal["mean", "zero", "uniform", "pattern", "patch"]
#: of the embedded text, that mean outputs are taken of: short, as texts are that people type; and few, as the
#: first edit waits for them. With four times as many, no edit's log-probability was 0.02 away
SEGMENTS, LENGTH, ROWS = 16, 64, 4
#: patterns that a head can be made to follow in any text
FOLLOWED = tuple(name for name in PATTERNS if name in IN_TEXT)


@dataclass(frozen=True)
class Switch:
    """A head that is switched off, and what it does instead. `pattern` says which, where it follows one."""

    head: Head
    by: By = "mean"
    pattern: str = ""


@dataclass
class EditedModel:
    """A model, and what its edits need to know of it: measured once, when first asked for."""

    subject: Subject
    #: whether it can be run from the middle on (`Sweep.shared`); None: not tried yet
    shared: bool | None = None
    _means: dict[Head, Floats] | None = None
    _reducer: HeadOutputMeans = field(default_factory=HeadOutputMeans)
    _batches: list[Batch] | None = None  # that are still to be read
    _broken: Exception | None = None

    @property
    def has_means(self) -> bool:
        """Whether mean outputs are known, or known to be out of reach."""
        return self._means is not None or self._broken is not None

    def means(self, advance: Callable[[int, int], None] = lambda done, total: None) -> dict[Head, Floats]:
        """The mean output of every head over the embedded text."""
        while self._means is None:
            if self._broken is not None:
                raise self._broken
            advance(*self.measure_some())
        return self._means

    def measure_some(self) -> tuple[int, int]:
        """Read one more batch for the means; how many segments are read, of how many."""
        if self._batches is None:
            self._batches = self._embedded_text()
        if self._batches:
            reducer = HeadOutputMeans()
            with torch.no_grad(), Tap(self.subject, [reducer]) as tap:
                tap.run(self._batches[-1])
            self._reducer.merge(reducer)  # of the whole batch, or of nothing
            self._batches.pop()
        if not self._batches:
            self._means = self._reducer.means()
        return SEGMENTS - len(self._batches) * ROWS, SEGMENTS

    def give_up_means(self, error: Exception) -> None:
        """Remember why they cannot be taken."""
        self._broken = error

    def _embedded_text(self) -> list[Batch]:
        length = min(LENGTH, self.subject.longest or LENGTH)
        options = TextOptions(segments=SEGMENTS, length=length)
        source = text_items(self.subject, options, BatchOptions(batch=ROWS)).source
        return [
            batch
            for shard in source.shards()
            for batch in source.batches(self.subject, source.prepare(shard).items)
        ]


def edit_of(
    model: EditedModel, text: ReadText, switches: Sequence[Switch], patch: Mapping[Head, Tensor] | None = None
) -> AtOnce:
    """All switches as one edit of this text. `patch` are head outputs on another text (query dim)."""
    if not model.subject.interface:
        raise AttlasError(model.subject.uneditable)
    by: dict[str, list[Head]] = {}
    for switch in switches:
        by.setdefault(switch.by, []).append(switch.head)
    edits: list[HeadEdit] = []
    for name, heads in by.items():
        match name:
            case "mean":
                edits.append(mean(heads, model.means()))
            case "zero":
                edits.append(zero(heads))
            case "uniform":
                edits.append(uniform(heads))
            case "patch":
                edits.append(_patch_outputs(heads, patch or {}))
            case _:
                edits += _following(model, text, [s for s in switches if s.by == "pattern"])
    return AtOnce("without", tuple(edits))


def _following(model: EditedModel, text: ReadText, switches: Sequence[Switch]) -> list[HeadEdit]:
    claims = [Claim(switch.head, switch.pattern) for switch in switches]
    for claim in claims:
        if claim.pattern not in FOLLOWED or not claim.can_be_tested:
            what = PATTERNS.get(claim.pattern, claim.pattern)
            raise AttlasError(
                f"head {claim.head} cannot be made to follow {what!r}: choose one of {', '.join(FOLLOWED)}"
            )
    kinds = {claim.head.kind for claim in claims}
    known = {str(kind): tokens for kind in kinds if (tokens := tokens_of(text.batch, kind)) is not None}
    return follow(claims, known, model.means())


@dataclass(frozen=True, eq=False)
class _Patch:
    outputs: Mapping[Head, Tensor]  # query dim

    def __call__(self, output: Tensor, heads: Sequence[Head]) -> Tensor:
        there = torch.stack([self.outputs[head] for head in heads]).to(output)  # head query dim
        return there[None].expand_as(output)


def _patch_outputs(heads: Sequence[Head], outputs: Mapping[Head, Tensor]) -> HeadEdit:
    if missing := [head for head in heads if head not in outputs]:
        raise AttlasError(f"head {missing[0]} has no output on another text: give the text to patch from")
    return HeadEdit("patch", tuple(heads), output=_Patch(outputs))


@dataclass(eq=False)
class _Recorder:
    """Keeps what heads give, and changes nothing."""

    outputs: dict[Head, Tensor] = field(default_factory=dict)

    def __call__(self, output: Tensor, heads: Sequence[Head]) -> Tensor:
        for place, head in enumerate(heads):
            self.outputs[head] = output[0, place].detach().clone()  # query dim
        return output


def head_outputs(subject: Subject, text: ReadText) -> dict[Head, Tensor]:
    """What every head gives in a text, token by token (query dim)."""
    recorder = _Recorder()
    edit = HeadEdit("keep", tuple(subject.heads), output=recorder)
    with torch.no_grad(), Tap(subject, edits=[edit]) as tap:
        tap.run(text.batch)
    return recorder.outputs


def instead(switches: Sequence[Switch], drawn: Mapping[Head, Head]) -> list[Switch]:
    """The same switches of other heads."""
    return [replace(switch, head=drawn[switch.head]) for switch in switches]
