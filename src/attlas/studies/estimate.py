"""How long would it take? An estimate of a map over a large corpus, from a short run on this machine.

What bounds a run is whichever of these takes longest: the model on the workers, tokenising beside it, or the
driver, which merges every shard's states.
"""

from __future__ import annotations

import math
import os
import resource
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

import torch

from attlas.corpora.source import PreparedShard
from attlas.engines.part import PassPart, merge_parts
from attlas.engines.passes import Pass
from attlas.engines.unfinished import make_piece, piece_bytes
from attlas.engines.worker import run_shard
from attlas.progress import tell
from attlas.studies.provenance import nothing_in
from attlas.studies.surface.surface_study import Surface
from attlas.subject import Subject
from attlas.subject.quantised import quantised_by
from attlas.subject.weights import layout_of
from attlas.wording.numbers import count
from attlas.wording.printing import ResultTable, notes_html

if TYPE_CHECKING:
    from rich.console import Console

Made = TypeVar("Made")

SECONDS = 10.0  # that the short run takes, about
MOST_SHARDS = 16
BYTES_PER_TOKEN = 4.3  # of English text
LINK = 1.25e9  # bytes a second between the driver and the workers: ten gigabits


@dataclass(frozen=True)
class Calibration:
    """What was measured here, on one worker."""

    device: str
    watched: float  # tokens a second, with all statistics
    plain: float  # tokens a second, the model alone
    prepared: float  # tokens a second that one core cuts
    merge_seconds: float  # of one shard, on the driver
    state_bytes: int  # of one shard, as it travels and is kept
    shard_tokens: float
    model_bytes: int
    peak_bytes: int  # of a worker
    quantised: str | None = None  # by what the model's weights are


@dataclass(frozen=True, repr=False)
class Plan:
    """`seconds` of each part of the work, which all go on at once: the longest is how long the run takes."""

    model: str
    tokens: float
    workers: int
    cores: int  # that tokenise, for each worker
    calibration: Calibration
    seconds: Mapping[str, float]
    traffic_bytes: float
    checkpoint_bytes: float

    @property
    def limited_by(self) -> str:
        return max(self.seconds, key=lambda part: self.seconds[part])

    @property
    def total_seconds(self) -> float:
        return self.seconds[self.limited_by]

    def as_data(self) -> dict[str, Any]:
        return {**asdict(self), "limited_by": self.limited_by, "total_seconds": self.total_seconds}

    def __repr__(self) -> str:
        return f"Plan({self._gist()})"

    def _repr_html_(self) -> str:
        rows = [[part, _format_duration(time)] for part, time in self.seconds.items()]
        table = ResultTable(("part of the work", "time"), rows).html()
        return notes_html([self._gist()]) + table + notes_html(filter(None, self.lines()[-6:]))

    def _gist(self) -> str:
        workers, duration = count(self.workers, "worker"), _format_duration(self.total_seconds)
        return (
            f"{self.model} over {_format_count(self.tokens)} tokens on {workers} like this one "
            f"({self.calibration.device}): {duration}, limited by {self.limited_by}"
        )

    def show(self, console: Console) -> None:
        for line in self.lines():
            console.print(line, soft_wrap=True, highlight=False, markup=False)

    def lines(self) -> list[str]:
        here = self.calibration
        weights = f", quantised by {here.quantised}" if here.quantised else ""
        longest = max(len(part) for part in self.seconds)
        peak, model, state, traffic, checkpoint = map(
            _format_bytes,
            (here.peak_bytes, here.model_bytes, here.state_bytes, self.traffic_bytes, self.checkpoint_bytes),
        )
        shard, watched, plain, cut = map(
            _format_count, (here.shard_tokens, here.watched, here.plain, here.prepared)
        )
        return [
            self._gist(),
            "",
            *(f"  {part:<{longest}}  {_format_duration(time)}" for part, time in self.seconds.items()),
            "",
            f"  memory of a worker   {peak} (the model {model}{weights})",
            f"  states of a shard    {state}, of {shard} tokens",
            f"  traffic              {traffic}: the text, and the states to the driver",
            f"  checkpoint           {checkpoint} at most",
            "",
            f"measured here: {watched} tokens/s with all statistics, {plain} without; one core cuts {cut} "
            "tokens/s",
        ]


def plan_for(study: Surface, tokens: float, workers: int, cores: int | None = None) -> Plan:
    """What the surface statistics of `tokens` tokens take, on `workers` machines like this one."""
    tell("a short run of the model, to extrapolate from")
    measured = calibrate(study, SECONDS)
    if cores is None:  # beside a GPU its share of the machine; without one, the worker's own core
        cores = max(1, (os.cpu_count() or 1) // torch.cuda.device_count()) if torch.cuda.is_available() else 1
    shards = math.ceil(tokens / measured.shard_tokens)
    running = tokens / (measured.watched * workers)
    if study.subject.device.type == "cpu" or workers > 1:  # a worker of several does one after the other
        seconds = {"the model and tokenising": running + tokens / (measured.prepared * workers)}
    else:
        seconds = {"the model": running, "tokenising": tokens / (measured.prepared * cores)}
    seconds["merging on the driver"] = shards * measured.merge_seconds
    seconds["the driver's network"] = shards * measured.state_bytes / LINK
    return Plan(
        study.subject.name,
        tokens,
        workers,
        cores,
        measured,
        seconds,
        shards * measured.state_bytes + tokens * BYTES_PER_TOKEN,
        measured.state_bytes * (1 + math.ceil(math.log2(shards + 1))),
    )


def calibrate(study: Surface, seconds: float) -> Calibration:
    """Runs the statistics over the first shards of the study's own text, taking turns with the bare model. On
    a CPU with one thread, as each of several workers has."""
    subject, pass_ = study.subject, study.statistics_pass()
    threads = torch.get_num_threads()
    if subject.device.type == "cpu":
        torch.set_num_threads(1)
    try:
        shards, cutting = _prepare_shards(pass_, seconds / 4)
        tokens = [_count_tokens(shard) for shard in shards]
        if not sum(tokens):
            raise nothing_in(study.source, [problem for shard in shards for problem in shard.problems])
        parts, watched, plain, done = list[PassPart](), 0.0, 0.0, 0
        for shard in _shards_in_time(subject, pass_, shards, seconds / 4):
            part, seconds_watched = _time_work(subject, partial(run_shard, subject, pass_, shard))
            _, seconds_plain = _time_work(subject, partial(_run_bare, subject, pass_, shard))
            parts.append(part)
            watched, plain = watched + seconds_watched, plain + seconds_plain
            done += _count_tokens(shard)
            if watched + plain > seconds:
                break
        _, merging = _time_work(subject, partial(merge_parts, pass_.reducers, parts[0], parts[-1]))
    finally:
        torch.set_num_threads(threads)
    return Calibration(
        _describe_device(subject),
        done / watched,
        done / plain,
        sum(tokens) / cutting,
        merging,
        len(piece_bytes(*make_piece(parts[0]))),
        sum(tokens) / len(tokens),
        sum(layout_of(subject.model).values()),
        _peak_memory(subject),
        quantised_by(subject.model),
    )


def _prepare_shards(pass_: Pass, seconds: float) -> tuple[list[PreparedShard], float]:
    """Some shards, and how long it took to cut them."""
    shards, began = list[PreparedShard](), time.perf_counter()
    for shard in pass_.source.shards():
        shards.append(pass_.source.prepare(shard))
        if time.perf_counter() - began > seconds or len(shards) == MOST_SHARDS:
            break
    return shards, time.perf_counter() - began


def _shards_in_time(
    subject: Subject, pass_: Pass, shards: list[PreparedShard], seconds: float
) -> list[PreparedShard]:
    """The shards; where the model is so slow that one takes longer than that, pieces of them, a batch each.
    What is run to find out also compiles kernels and fills caches."""
    largest = max(shards, key=lambda shard: len(shard.items))
    many = len(next(iter(pass_.source.batches(subject, largest.items))).ids)
    pieces = [
        PreparedShard(shard.items[start : start + many])
        for shard in shards
        for start in range(0, len(shard.items), many)
    ]
    run_shard(subject, pass_, pieces[0])
    _, spent = _time_work(subject, partial(run_shard, subject, pass_, pieces[0]))
    too_slow = spent * len(largest.items) > seconds * len(pieces[0].items)
    return pieces if too_slow else [shard for shard in shards if len(shard.items)]


def _count_tokens(shard: PreparedShard) -> int:
    return sum(len(item.ids) for item in shard.items)


def _run_bare(subject: Subject, pass_: Pass, shard: PreparedShard) -> None:
    with torch.no_grad():
        for batch in pass_.source.batches(subject, shard.items):
            subject.run(batch.inputs, predictions=False)


def _time_work(subject: Subject, work: Callable[[], Made]) -> tuple[Made, float]:
    """What some work makes, and the seconds that it takes."""
    began = time.perf_counter()
    made = work()
    if subject.device.type == "cuda":
        torch.cuda.synchronize()
    return made, time.perf_counter() - began


def _describe_device(subject: Subject) -> str:
    """What the model is computed on; of one that is spread, also where its weights lie."""
    names = [torch.cuda.get_device_name(d) for d in subject.devices if d.type == "cuda"]
    computed = " and ".join(dict.fromkeys(names)) or "one core of a CPU"
    layout = layout_of(subject.model)
    if len(layout) == 1:
        return computed
    lying = ", ".join(f"{_format_bytes(count)} on {where}" for where, count in layout.items())
    return f"{computed}, its weights {lying}"


def _peak_memory(subject: Subject) -> int:
    if subject.device.type == "cuda":
        return sum(int(torch.cuda.max_memory_allocated(d)) for d in subject.devices if d.type == "cuda")
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def _format_count(number: float) -> str:
    """1.5 million"""
    for size, name in ((1e12, " trillion"), (1e9, " billion"), (1e6, " million"), (1e4, " thousand")):
        if number >= size:
            return f"{number / (1e3 if size == 1e4 else size):.3g}{name}"
    return f"{number:,.0f}"


def _format_bytes(count: float) -> str:
    for size, name in ((2**50, "PiB"), (2**40, "TiB"), (2**30, "GiB"), (2**20, "MiB"), (2**10, "KiB")):
        if count >= size:
            return f"{count / size:.3g} {name}"
    return f"{count:.0f} bytes"


def _format_duration(seconds: float) -> str:
    for size, name in ((86_400, "days"), (3_600, "hours"), (60, "minutes")):
        if seconds >= 2 * size:
            return f"{seconds / size:,.3g} {name}"
    return f"{seconds:.3g} seconds"
