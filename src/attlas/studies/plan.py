"""How long would it take? An estimate of a map over a large corpus, from a short run on this machine.

What bounds a run is whichever of these takes longest: the model on the workers, tokenising beside it, reading the
corpus, or the driver, which merges every shard's states.
"""

from __future__ import annotations

import math
import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any

import torch


from attlas.engines.checkpoint import part_bytes
from attlas.engines.part import Part, merged
from attlas.engines.passes import Pass
from attlas.engines.worker import run_shard
from attlas.studies.surface import Surface

CALIBRATION_SECONDS = 10.0
BYTES_PER_TOKEN = 4.3  # of English text, where no text was given
LINK = 1.25e9  # bytes a second between the driver and the workers: ten gigabit


@dataclass(frozen=True)
class Calibration:
    """What was measured here, on one worker."""

    device: str
    tokens_per_second: float  # with all statistics, when the tokens are there
    plain_per_second: float  # the model alone
    prepared_per_second: float  # tokens cut by one core
    merge_seconds: float  # of one shard, on the driver
    state_bytes: int  # of one shard, as it travels and as it is written
    shard_tokens: float
    model_bytes: int
    peak_bytes: int  # of a worker


@dataclass(frozen=True)
class Plan:
    """`seconds` of each part of the work; the largest is how long the run takes."""

    model: str
    tokens: float
    workers: int
    cores: int  # beside each worker
    calibration: Calibration
    seconds: Mapping[str, float]
    traffic_bytes: float
    checkpoint_bytes: float

    @property
    def limited_by(self) -> str:
        return max(self.seconds, key=lambda part: self.seconds[part])

    def as_data(self) -> dict[str, Any]:
        return {**asdict(self), "limited_by": self.limited_by, "total_seconds": max(self.seconds.values())}


def plan_for(study: Surface, tokens: float, workers: int, cores: int) -> Plan:
    """The surface statistics of so many tokens on so many workers like this machine's, each with some cores."""
    found = calibrate(study)
    shards = math.ceil(tokens / found.shard_tokens)
    seconds = {
        "the model": tokens / (found.tokens_per_second * workers),
        "tokenising": tokens / (found.prepared_per_second * max(1, cores) * workers),
        "merging on the driver": shards * found.merge_seconds,
        "the driver's network": shards * found.state_bytes / LINK,
    }
    return Plan(
        study.subject.name,
        tokens,
        workers,
        cores,
        found,
        seconds,
        shards * found.state_bytes + tokens * BYTES_PER_TOKEN,
        found.state_bytes * (1 + math.log2(max(1, shards))),
    )


def calibrate(study: Surface, seconds: float = CALIBRATION_SECONDS) -> Calibration:
    """Runs the statistics over the study's own text for some seconds, beside the bare model."""
    subject = study.subject
    one = study.statistics_pass()
    prepared, took, tokens = [], 0.0, 0
    for shard in one.source.shards():
        began = time.perf_counter()
        prepared.append(one.source.prepare(shard))
        took += time.perf_counter() - began
        tokens += _tokens(prepared[-1].items)
        if took > seconds / 5 or len(prepared) == 16:
            break
    prepare_rate = tokens / took
    run_shard(subject, one, prepared[0])  # compiles kernels, fills caches
    _clear_peak()
    parts, watched, plain, done = list[Part](), 0.0, 0.0, 0
    for each in prepared:
        watched += _timed(lambda each=each: parts.append(run_shard(subject, one, each)))
        plain += _timed(lambda each=each: _bare(one, subject, each.items))
        done += _tokens(each.items)
        if watched + plain > seconds:
            break
    peak = _peak()
    merge = partial(merged, one.reducers)
    merging = _timed(lambda: merge(parts[0], parts[-1]))
    return Calibration(
        str(torch.cuda.get_device_name() if subject.device.type == "cuda" else "CPU"),
        done / watched,
        done / plain,
        prepare_rate,
        merging,
        len(part_bytes(parts[0])),
        tokens / len(prepared),
        sum(p.numel() * p.element_size() for p in subject.model.parameters()),
        peak,
    )


def _tokens(items: Any) -> int:
    return sum(len(item.ids) for item in items)


def _bare(one: Pass, subject: Any, items: Any) -> None:
    with torch.no_grad():
        for batch in one.source.batches(subject, items):
            subject.run(batch.inputs, predictions=False)


def _timed(work: Any) -> float:
    if torch.cuda.is_available():
        torch.cuda.synchronize()
    began = time.perf_counter()
    work()
    if torch.cuda.is_available():
        torch.cuda.synchronize()
    return time.perf_counter() - began


def _clear_peak() -> None:
    if torch.cuda.is_available():
        torch.cuda.reset_peak_memory_stats()


def _peak() -> int:
    if torch.cuda.is_available():
        return int(torch.cuda.max_memory_allocated())
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
