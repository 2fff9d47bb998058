"""Mapping: corpus, model under the tap, reducers, atlas. The spine of Attlas, read from top to bottom."""

from __future__ import annotations

import contextlib
import json
import math
import platform
import random
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from attlas import document
from attlas.address import Head
from attlas.atlas import Atlas, add_chapter, check_room, load_atlas
from attlas.atlas.chapter import Chapter, Example
from attlas.atlas.model import model_entry
from attlas.atlas.schema import chapter_name
from attlas.corpora.classes import Membership, TokenClasses
from attlas.corpora.objective import has_objective
from attlas.corpora.segments import Segment, collate, make_segments
from attlas.corpora.text import TextCorpus, text_corpus
from attlas.engines.checkpoint import Checkpoint
from attlas.engines.local import Pass, run
from attlas.errors import AttlasError
from attlas.patterns import behaviours, in_the_plane
from attlas.reducers import Distances, Examples, Gradients, Reducer, Row, surface
from attlas.subject import Subject, load
from attlas.tap import KERNELS, capture, kernel_for

LONGEST_SAMPLED = 16_384  # tokens; what compares all heads with all, or differentiates, stops here
MAP_TOKENS = 15  # the last tokens of one segment, whose whole maps the atlas keeps for figure 1
TOKENS_IN_A_BATCH = {"cpu": 2048, "cuda": 32_768}


@dataclass(frozen=True)
class Settings:
    """What decides the numbers, apart from the model and the text."""

    segments: int = 1000
    length: int = 128
    offsets: tuple[int, ...] = ()
    sample: int = 200
    faithful: bool = False
    seed: int = 0
    batch: int | None = None
    kernel: str | None = None  # the one that suits the device
    dtype: str = "float32"

    def check(self) -> None:
        for name, least in (("segments", 1), ("length", 4), ("sample", 0)):
            if getattr(self, name) < least:
                raise AttlasError(f"--{name} {getattr(self, name)}: at least {least} is needed")
        if not 0 <= self.seed < 2**32:
            raise AttlasError(f"--seed {self.seed}: from 0 to {2**32 - 1}")
        if far := [offset for offset in self.offsets if abs(offset) >= self.length]:
            raise AttlasError(f"--offsets {far[0]}: a segment of {self.length} tokens has no such neighbours")
        if self.batch is not None and self.batch < 1:
            raise AttlasError(f"--batch {self.batch}: at least 1 is needed")
        if self.kernel not in (None, *KERNELS):
            raise AttlasError(f"there is no kernel {self.kernel!r}: choose one of {', '.join(KERNELS)}")


def build(
    model: str | Path | Subject,
    text: str | Path | None,
    settings: Settings,
    *,
    out: str | Path | None,
    resume: bool,
    overwrite: bool,
    classes: Mapping[str, Membership] | None,
    device: str | None,
    trust_remote_code: bool,
    progress: bool,
) -> Atlas:
    settings.check()
    name = model.name if isinstance(model, Subject) else str(model)
    out = Path(f"{Path(name).name}.attlas") if out is None else Path(out)
    corpus = text_corpus(text, lines_are_sentences=settings.faithful)
    chapter = chapter_name("surface", Path(corpus.name).stem, settings.faithful)
    if not resume:
        check_room(out, chapter, replace=overwrite)
    subject = (
        model
        if isinstance(model, Subject)
        else load(model, device=device, dtype=settings.dtype, trust_remote_code=trust_remote_code)
    )
    if subject.tokenizer is None:
        raise AttlasError(f"{subject.name} has no tokenizer, so it cannot read text")
    settings = replace(settings, kernel=settings.kernel or kernel_for(subject.device))
    subject.check_length(settings.length, f"a segment (--length {settings.length})")
    known = TokenClasses(subject.tokenizer, {n: _members(m) for n, m in (classes or {}).items()})
    segments = _segments(corpus, subject, settings)
    identity = _identity(subject, corpus, settings, known, segments)
    check_room(out, chapter, identity["model"], resume or overwrite)
    checkpoint = Checkpoint(out)
    if resume and (finished := _finished(out, chapter, identity)) is not None:
        checkpoint.remove()  # killed after the last rename
        return finished
    with _disk_trouble(checkpoint):
        done, state = checkpoint.begin(identity, resume, overwrite)
        passes = _passes(subject, known, segments, settings)
        for note in _left_out(subject, segments, settings) if progress else ():
            print(note, file=sys.stderr)
        with _progress(passes, progress) as advance:
            run(
                subject,
                passes,
                _batch_size(subject, settings),
                known,
                settings.seed,
                settings.kernel,
                checkpoint,
                done,
                state,
                advance,
            )
        made = _chapter(chapter, subject, passes, segments, identity, settings)
        atlas = add_chapter(out, identity["model"], made, replace=overwrite)
    checkpoint.remove()
    return atlas


def _members(given: Membership | str) -> Membership:
    """The terminal gives a class as TOKEN,TOKEN,..."""
    return [token for token in given.split(",") if token] if isinstance(given, str) else given


def _segments(corpus: TextCorpus, subject: Subject, settings: Settings) -> list[Segment]:
    found = make_segments(
        corpus.documents(),
        subject.tokenizer,
        settings.length,
        settings.segments,
        settings.seed,
        settings.faithful,
    )
    if not found:
        raise AttlasError(f"{corpus.name} holds no segment: it needs at least two sentences of text")
    return found


def _identity(
    subject: Subject,
    corpus: TextCorpus,
    settings: Settings,
    classes: TokenClasses,
    segments: Sequence[Segment],
) -> dict[str, Any]:
    """Where the numbers come from: the manifest's content, and what a resumed run must agree with."""
    own = {
        name: "a function" if callable(members) else sorted(members) for name, members in classes.own.items()
    }
    identity = {
        "study": "surface",
        "model": model_entry(subject),
        "device": subject.device.type,
        "corpus": {
            "name": Path(corpus.name).name,
            "sha256": corpus.sha256(),
            "segments": len(segments),
            "tokens": sum(len(s.ids) for s in segments),
            "ids": sha256(repr([(s.ids, s.types) for s in segments]).encode()).hexdigest(),
            # the entropy of a head that looks at all it may see alike, by what it may see
            "mean_log_length": math.fsum(math.log(len(s.ids)) for s in segments) / len(segments),
            "mean_log_visible": math.fsum(math.lgamma(len(s.ids) + 1) / len(s.ids) for s in segments)
            / len(segments),
        },
        "settings": {
            **asdict(settings),
            "batch": _batch_size(subject, settings),
            "classes": own,
            "membership": classes.fingerprint(),
        },
        "software": {
            "python": platform.python_version(),
            **{name: version(name) for name in ("attlas", "torch", "transformers", "numpy", "scikit-learn")},
        },
    }
    read_back: dict[str, Any] = json.loads(json.dumps(identity))  # as it will be compared: from a file
    return read_back


def _finished(out: Path, chapter: str, identity: dict[str, Any]) -> Atlas | None:
    if not out.exists():
        return None
    atlas = load_atlas(out)
    if chapter not in atlas.chapters:
        return None
    about = {"model": identity["model"], **atlas.about(chapter)}
    different = [key for key, value in identity.items() if about.get(key) != value]
    if different:
        raise AttlasError(
            f"{chapter} in {out} is finished, with another {' and '.join(different)}: "
            "choose another --out, or --overwrite it"
        )
    return atlas


def _batch_size(subject: Subject, settings: Settings) -> int:
    tokens = TOKENS_IN_A_BATCH.get(subject.device.type, TOKENS_IN_A_BATCH["cpu"])
    return settings.batch or max(1, tokens // settings.length)


def _passes(
    subject: Subject, classes: TokenClasses, segments: Sequence[Segment], settings: Settings
) -> list[Pass]:
    passes = [Pass("statistics", surface(classes, settings.offsets, settings.faithful), segments)]
    sampled = _sample(segments, settings)
    sample = [s for s in sampled if len(s.ids) <= LONGEST_SAMPLED]
    long = [s for s in sampled if len(s.ids) > LONGEST_SAMPLED]
    if long:
        passes.append(Pass("examples", [Examples()], long))
    if sample:
        reducers: list[Reducer] = [Distances(subject.heads, settings.faithful), Examples()]
        passes.append(Pass("distances", reducers, sample))
    if sample and subject.interface and has_objective(subject):
        passes.append(Pass("gradients", [Gradients(classes.names)], sample, gradients=True))
    return passes


def _left_out(subject: Subject, segments: Sequence[Segment], settings: Settings) -> Iterator[str]:
    if long := sum(len(s.ids) > LONGEST_SAMPLED for s in _sample(segments, settings)):
        yield (
            f"{long} of the sampled segments have more than {LONGEST_SAMPLED:,} tokens: "
            "head distances and gradients leave them out"
        )
    if settings.sample and not subject.interface:
        yield f"no gradients: {subject.name} does not use transformers' attention interface"
    elif settings.sample and not has_objective(subject):
        yield f"no gradients: {subject.name} has no language-model head"


def _sample(segments: Sequence[Segment], settings: Settings) -> list[Segment]:
    rng = random.Random(settings.seed)
    return rng.sample(segments, min(settings.sample, len(segments)))


def _chapter(
    name: str,
    subject: Subject,
    passes: Sequence[Pass],
    segments: Sequence[Segment],
    identity: dict[str, Any],
    settings: Settings,
) -> Chapter:
    reducers = [r for p in passes for r in p.reducers]
    rows: list[Row] = [row for r in reducers for row in r.result()]
    if any(math.isnan(row.value) for row in rows):
        raise AttlasError(f"the attention of {subject.name} is not a number: its weights are broken")
    even = identity["corpus"]["mean_log_length"], identity["corpus"]["mean_log_visible"]
    rows += behaviours(rows, *even, settings.faithful)
    arrays: dict[str, npt.NDArray[Any]] = {}
    for reducer in reducers:
        arrays |= reducer.arrays()
    for kind in subject.kinds:
        arrays[f"{kind}.heads"] = np.array([(h.layer, h.head) for h in subject.heads if h.kind == kind])
        if f"{kind}.distances" in arrays:
            arrays[f"{kind}.plane"] = in_the_plane(arrays[f"{kind}.distances"], settings.seed)
    maps, map_tokens = _maps(subject, _sample(segments, settings) or segments)
    kept, document = _document(subject, segments, rows, settings)
    found, tokens = _examples(subject, [r for r in reducers if isinstance(r, Examples)], segments)
    about = {
        **{key: value for key, value in identity.items() if key != "model"},
        "seed": settings.seed,
        "faithful": settings.faithful,
        "sampled": {p.name: len(p.segments) for p in passes},
        "notes": list(_left_out(subject, segments, settings)),
        **document,
    }
    return Chapter(name, about, rows, {}, arrays | maps | kept, found, {**map_tokens, **tokens})


def _maps(
    subject: Subject, segments: Sequence[Segment]
) -> tuple[dict[str, npt.NDArray[Any]], dict[str, list[str]]]:
    """`kind.maps` (head query key): the last tokens of a full segment as a head sees them; their strings,
    as `kind.maps.queries` and `kind.maps.keys`; and `kind.maps_first` (head query), their weight on the first
    token, where that is not one of them."""
    chosen = max(segments, key=lambda s: (len(s.ids), -s.number))
    batch = collate(subject, [chosen])
    arrays: dict[str, npt.NDArray[Any]] = {}
    tokens: dict[str, list[str]] = {}
    whole = max(side.real.shape[1] for side in batch.sides.values()) <= document.LONG
    last = None if whole else MAP_TOKENS  # of a long segment only those weights are kept
    captured = sorted(capture(subject, subject.without_logits(batch), last=last), key=lambda c: c.layer)
    for kind in subject.kinds:
        maps = np.concatenate([c.weights.float().cpu().numpy() for c in captured if c.kind == kind])
        arrays[f"{kind}.maps"] = np.ascontiguousarray(maps[:, -MAP_TOKENS:, -MAP_TOKENS:])
        if maps.shape[2] > MAP_TOKENS:
            arrays[f"{kind}.maps_first"] = np.ascontiguousarray(maps[:, -MAP_TOKENS:, 0])
        tokens[f"{kind}.maps.queries"] = subject.strings(batch.queries(kind))[-MAP_TOKENS:]
        tokens[f"{kind}.maps.keys"] = subject.strings(batch.keys(kind))[-MAP_TOKENS:]
    return arrays, tokens


def _document(
    subject: Subject, segments: Sequence[Segment], rows: Sequence[Row], settings: Settings
) -> tuple[dict[str, npt.NDArray[Any]], dict[str, Any]]:
    """What is kept of the longest segment, where that is long. The heads with the least entropy come first,
    since of them few weights tell most."""
    chosen = max(segments, key=lambda s: (len(s.ids), -s.number))
    batch = collate(subject, [chosen])
    longest = max(side.real.shape[1] for side in batch.sides.values())
    if longest <= document.LONG:
        return {}, {}
    spread = {
        Head(r.kind, r.layer, r.head): r.value for r in rows if (r.statistic, r.group) == ("entropy", "all")
    }
    size = document.tile_size(longest, len(subject.heads))
    heads = sorted(subject.heads, key=lambda h: (spread[h], h))
    arrays = document.stored(subject, batch, heads, size, settings.kernel)
    return arrays, {"document": {"segment": chosen.number, "tokens": longest, "tile": size}}


def _examples(
    subject: Subject, several: Sequence[Examples], segments: Sequence[Segment]
) -> tuple[list[Example], dict[str, list[str]]]:
    """Strongest first within each head, and the tokens of their segments: `17.encoder`."""
    examples = Examples()
    for each in several:
        examples.merge(each)
    by_number = {s.number: s for s in segments}
    tokens: dict[str, list[str]] = {}
    found = []
    for example in examples.examples():
        kind = example.head.kind
        sides = ("decoder", "encoder") if kind == "cross" else (kind, kind)
        queries, keys = (f"{example.segment}.{side}" for side in sides)
        if queries not in tokens or keys not in tokens:
            batch = collate(subject, [by_number[example.segment]])
            tokens[queries] = subject.strings(batch.queries(kind))
            tokens[keys] = subject.strings(batch.keys(kind))
        where = queries, example.query, example.key, keys if keys != queries else ""
        found.append(Example(example.head, example.weight, *where))
    return found, tokens


@contextlib.contextmanager
def _disk_trouble(checkpoint: Checkpoint) -> Iterator[None]:
    kept = "; what is done is kept: --resume continues it"
    try:
        yield
    except OSError as error:
        if error.errno is None:
            raise
        where = error.filename or checkpoint.folder
        said = kept if checkpoint.folder.is_dir() else ""
        raise AttlasError(f"{where} cannot be written: {error.strerror}{said}") from error
    except AttlasError as error:
        if isinstance(error.__cause__, OSError) and checkpoint.folder.is_dir():
            raise AttlasError(f"{error}{kept}") from error
        raise


@contextlib.contextmanager
def _progress(passes: Sequence[Pass], show: bool) -> Iterator[Any]:
    """A bar a pass: segments done, segments a second, time left."""
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        ProgressColumn,
        Task,
        TextColumn,
        TimeRemainingColumn,
    )
    from rich.text import Text

    class _Rate(ProgressColumn):
        def render(self, task: Task) -> Text:
            return Text("" if task.speed is None else f"{task.speed:.1f} segments/s")

    columns = (
        TextColumn("{task.description:<11}"),
        BarColumn(),
        MofNCompleteColumn(),
        _Rate(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), disable=not show) as bar:
        tasks = {p.name: bar.add_task(p.name, total=len(p.segments)) for p in passes}
        yield lambda p, count: bar.advance(tasks[p.name], count)
