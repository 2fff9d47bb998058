"""Whether what Attlas sees of a model agrees with transformers' eager attention of the same model: the checks
that the zoo of architectures passes, on a model of yours."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import torch

from attlas.array_types import Floats
from attlas.corpora.batches import Batch
from attlas.errors import AttlasError
from attlas.subject import Subject
from attlas.subject.implementation import attending, returned_attentions, without_recording_hooks
from attlas.tap import Needs, Observation, Tap

if TYPE_CHECKING:
    from rich.console import Console

TOLERANCE = {torch.float32: 1e-4, torch.bfloat16: 4e-2, torch.float16: 4e-3}
TEXT = (
    "The committee that wrote the report met twice in the spring. Its members, who came from four cities, "
    "read every letter, and then they voted."
)
Verdict = Literal["agrees", "differs", "not asked"]


@dataclass(frozen=True)
class Check:
    """One comparison: its largest difference beside what rounding may make, or why it was not made."""

    what: str
    verdict: Verdict
    difference: float | None = None
    tolerance: float | None = None
    why: str = ""


@dataclass(frozen=True)
class Agreement:
    """All checks of a model."""

    model: str
    heads: int
    checks: tuple[Check, ...]

    @property
    def whole(self) -> bool:
        return all(check.verdict != "differs" for check in self.checks)

    def as_data(self) -> dict[str, Any]:
        return {
            "model": self.model,
            "heads": self.heads,
            "agrees": self.whole,
            "checks": [dict(vars(check)) for check in self.checks],
        }

    def show(self, console: Console) -> None:
        from attlas.wording.numbers import count
        from attlas.wording.printing import ResultTable, safe

        rows = [
            (
                check.what,
                check.verdict,
                "" if check.difference is None else f"{check.difference:.1e}",
                "" if check.tolerance is None else f"{check.tolerance:.0e}",
                check.why,
            )
            for check in self.checks
        ]
        console.print(f"{safe(self.model)}: {count(self.heads, 'head')}", highlight=False)
        titles = ("check", "", "largest difference", "tolerance", "why")
        ResultTable(titles, rows, words={"check", "", "why"}).show(console)


class DiffersError(AttlasError):
    """Some number of a model does not agree. `result` says which."""

    def __init__(self, result: Agreement) -> None:
        wrong = ", ".join(check.what for check in result.checks if check.verdict == "differs")
        super().__init__(f"{result.model} differs from its eager attention: {wrong}")
        self.result = result


class _Weights:
    """Keeps the weights that a tap shows."""

    needs = Needs(weights=True)

    def __init__(self) -> None:
        self.of_layers: dict[tuple[str, int], torch.Tensor] = {}

    def update(self, observation: Observation) -> None:
        for call in observation.calls:
            if call.weights is not None:
                self.of_layers[call.kind, call.layer] = call.weights.float().cpu()


def check_agreement(subject: Subject) -> Agreement:
    """Compare weights, outputs, statistics by every kernel, and edits, on a short text."""
    tolerance = TOLERANCE.get(next(subject.model.parameters()).dtype, 4e-2)
    if not subject.reads_text:
        raise AttlasError(f"{subject.name} reads no text: check takes models that do")
    batch = subject.encode(TEXT)
    made: list[tuple[str, Callable[[], float]]] = [
        ("attention weights", lambda: _weights_apart(subject, batch)),
        ("outputs while Attlas watches", lambda: _outputs_apart(subject, batch)),
        *(
            (f"statistics by the {name} kernel", partial(_statistics_apart, subject, batch, name))
            for name in ("tiled", *(["triton"] if torch.cuda.is_available() else []))
        ),
    ]
    checks = [_check(what, tolerance, apart) for what, apart in made]
    return Agreement(
        subject.name, len(subject.heads), (*checks, _check_edits(subject, batch), *_layers(subject))
    )


def _check(what: str, tolerance: float, apart: Callable[[], float]) -> Check:
    try:
        difference = apart()
    except AttlasError as error:
        return Check(what, "not asked", why=str(error))
    verdict: Verdict = "agrees" if difference <= tolerance else "differs"  # of NaN, too
    return Check(what, verdict, difference, tolerance)


def _eager(subject: Subject, batch: Batch) -> Any:
    """What the model itself gives with its eager attention."""
    twin = without_recording_hooks(subject.model)  # it is the twin that gets some
    with torch.no_grad(), attending(twin, "eager"):
        return twin(**batch.inputs, output_attentions=True)


def _weights_apart(subject: Subject, batch: Batch) -> float:
    if not subject.interface:
        raise AttlasError("the weights are those that the model returns: it does not use the interface")
    seen = _Weights()
    with Tap(subject, [seen]) as tap:
        tap.run(batch)
    expected = _returned_weights(subject, _eager(subject, batch))
    shared = expected.keys() & seen.of_layers.keys()
    if not shared:
        raise AttlasError("the model returns no attention weights to compare with")
    return max(
        float((seen.of_layers[key] - expected[key].float().cpu()).abs().max())
        if seen.of_layers[key].shape == expected[key].shape
        else float("inf")
        for key in shared
    )


def _returned_weights(subject: Subject, output: Any) -> dict[tuple[str, int], torch.Tensor]:
    """The weights that a model returned, by kind and layer: those without attention return none."""
    alone = subject.kinds[0] if len(subject.kinds) == 1 else None
    several = [(kind, w) for kind, _, w in returned_attentions(output, alone) if w is not None]
    layers = {
        kind: iter(sorted({h.layer for h in subject.heads if h.kind == kind})) for kind in subject.kinds
    }
    return {(kind, next(layers[kind])): weights for kind, weights in several if kind in layers}


def _outputs_apart(subject: Subject, batch: Batch) -> float:
    with Tap(subject, [_Weights()]) as tap:
        watched = _first_tensor(tap.run(batch, predictions=True))
    plain = _first_tensor(_eager(subject, batch))
    scale = max(1.0, float(plain.abs().max()))
    return float((watched - plain).abs().max()) / scale


def _first_tensor(output: Any) -> torch.Tensor:
    """The logits, or the last hidden states, of what a model returned."""
    for name in ("logits", "prediction_logits", "last_hidden_state"):
        if isinstance(value := getattr(output, name, None), torch.Tensor):
            return value.detach().float().cpu()
    raise AttlasError("the model returns neither logits nor hidden states")


def _statistics_apart(subject: Subject, batch: Batch, kernel: str) -> float:
    """The largest difference of any statistic from that of the eager kernel."""
    fused, reference = (_statistics(subject, batch, name) for name in (kernel, "eager"))
    return float(np.nanmax(np.abs(fused - reference)))


def _statistics(subject: Subject, batch: Batch, kernel: Any) -> Floats:
    """Every surface statistic of every head, by a kernel."""
    from attlas.reducers.surface_statistics import surface

    means = surface(subject.classes)
    with Tap(subject, [means], kernel=kernel, rows=1.0) as tap:
        tap.run(batch)
    return np.array([row.value for row in means.rows()], float)


def _check_edits(subject: Subject, batch: Batch) -> Check:
    """A head that is switched off changes the output, and nothing is left of it afterwards."""
    from attlas.edits import uniform

    what = "heads switched off, and on again"
    if not subject.interface:
        return Check(what, "not asked", why=subject.uneditable)
    try:
        with torch.no_grad():
            before = _first_tensor(subject.run(batch.inputs))
            with Tap(subject, edits=[uniform(list(subject.heads))]) as tap:
                changed = _first_tensor(tap.run(batch, predictions=True))
            after = _first_tensor(subject.run(batch.inputs))
    except AttlasError as error:
        return Check(what, "not asked", why=str(error))
    if torch.equal(changed, before):
        return Check(what, "differs", why="switching off all heads changes nothing")
    left = float((after - before).abs().max())
    return Check(what, "agrees" if left == 0 else "differs", left, 0.0)


def _layers(subject: Subject) -> Iterator[Check]:
    for layer, has in sorted(subject.without_attention.items()):
        yield Check(f"layer {layer}", "not asked", why=f"it has no attention: {has}")
