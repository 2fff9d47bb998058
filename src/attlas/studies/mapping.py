"""From what a user names (a model, a text, numbers) to the surface study: what can be wrong is said here,
before any work is done."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from attlas.corpora.classes import Membership
from attlas.errors import AttlasError, option
from attlas.studies.surface.surface_study import Surface, SurfaceSettings
from attlas.studies.text_items import check_whole, text_items
from attlas.subject import Subject
from attlas.subject.recorded import RecordedModel
from attlas.tap import KERNELS, kernel_for


def surface_study(
    subject: Subject,
    text: Any = None,
    *,
    field: str | None = None,
    segments: int | Literal["all"] = 1000,
    length: int = 128,
    offsets: Sequence[int] = (),
    classes: Mapping[str, Membership] | None = None,
    sample: int = 200,
    faithful: bool = False,
    strict: bool = False,
    seed: int = 0,
    batch: int | None = None,
    shard: int | None = None,
    kernel: str | None = None,
    rows: float | None = None,
) -> Surface:
    """The study that `attlas map` carries out; the parameters are those of `attlas.map`."""
    check_whole("length", length, least=4)
    check_whole("sample", sample, least=0)
    if far := [offset for offset in offsets if abs(offset) >= length]:
        raise AttlasError(f"{option('offsets', far[0])}: a segment of {length} tokens has no such neighbours")
    if rows is not None and not subject.interface:
        raise AttlasError(
            f"{option('rows', rows)}: {subject.name} returns every row, so a sample of them saves nothing"
        )
    settings = SurfaceSettings(tuple(offsets), sample, faithful, seed, chosen_kernel(subject, kernel), rows)
    items = text_items(
        subject,
        text,
        field=field,
        segments=segments,
        length=length,
        seed=seed,
        faithful=faithful,
        batch=batch,
        shard=shard,
        strict=strict,
        classes=classes,
    )
    return Surface(subject, items.source, items.classes, settings)


def chosen_kernel(subject: Subject, kernel: str | None) -> str | None:
    """The one that is asked for, or that suits the device; none for attention that was recorded."""
    if kernel not in (None, *KERNELS):
        raise AttlasError(f"there is no kernel {kernel!r}: choose one of {', '.join(KERNELS)}")
    return None if isinstance(subject.model, RecordedModel) else kernel or kernel_for(subject.device)
