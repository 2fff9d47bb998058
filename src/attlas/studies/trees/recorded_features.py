"""Features of words, recorded once: what every head gives from word to word, in files of half precision.

A file has one range for every sentence, which is known before anything is written: shards may finish in any
order, in any process, and a shard that is finished is never recorded again. Sentences of one length are
neighbours, so that all of them are one array.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from attlas.corpora.alignment import WordBatch, with_words, word_maps
from attlas.corpora.source import ItemId
from attlas.engines import UnfinishedRun
from attlas.errors import AttlasError, option
from attlas.reducers.reducer import State, check_numbers
from attlas.subject import Subject
from attlas.tap.needs import Needs
from attlas.tap.observation import Observation, ObservedCall

Halves = npt.NDArray[np.float16]
NAMES = ("attention", "norms", "states")
#: [CLS] and [SEP] stand before the words in every array
SPECIAL = 2
HALF = 2  # bytes
COMPLETE = "complete"  # the piece that says so
ROOM_TO_LEAVE = 2**28  # bytes that stay free on the disk


@dataclass(frozen=True)
class Shape:
    """What is recorded of a model: how many heads, whether norms of values, how many hidden states of what
    size."""

    heads: int
    norms: bool = True
    states: int = 0  # 0: none are recorded
    width: int = 0

    @staticmethod
    def of(subject: Subject, states: bool) -> Shape:
        kind = subject.kinds[0]
        heads = [head for head in subject.heads if head.kind == kind]
        if not states:
            return Shape(len(heads), subject.interface)
        config: Any = getattr(subject.model.config, "text_config", subject.model.config)
        layers, width = getattr(config, "num_hidden_layers", None), getattr(config, "hidden_size", None)
        if not isinstance(layers, int) or not isinstance(width, int):
            raise AttlasError(
                f"{subject.name} does not say how many hidden states it has, and the structural probe needs "
                f"them: leave it out of {option('probes')}"
            )
        return Shape(len(heads), subject.interface, layers + 1, width)

    def per_sentence(self, words: int) -> dict[str, tuple[int, ...]]:
        """The arrays of a sentence: attention (query key head), norms (key head), states (word layer dim)."""
        wide = words + SPECIAL
        shapes: dict[str, tuple[int, ...]] = {"attention": (wide, wide, self.heads)}
        if self.norms:
            shapes["norms"] = (wide, self.heads)
        if self.states:
            shapes["states"] = (words, self.states, self.width)
        return shapes


@dataclass(frozen=True)
class FeatureLayout:
    """The places of everything of every sentence: sentences by length, the shortest first."""

    shape: Shape
    ids: tuple[ItemId, ...]
    lengths: tuple[int, ...]  # words of each, ascending

    def starts(self, name: str) -> npt.NDArray[np.int64]:
        """The places where sentences begin in a file, counted in numbers, and where the last one ends."""
        sizes = [int(np.prod(self.shape.per_sentence(n)[name])) for n in self.lengths]
        return np.concatenate([[0], np.cumsum(sizes, dtype=np.int64)]).astype(np.int64)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self.shape.per_sentence(1))

    @property
    def bytes(self) -> int:
        return HALF * sum(int(self.starts(name)[-1]) for name in self.names)


@dataclass(frozen=True)
class FeatureFiles:
    """The files of one part of a treebank, in a folder of their own."""

    folder: Path
    layout: FeatureLayout

    def path(self, name: str) -> Path:
        return self.folder / f"{name}.f16"

    @property
    def run(self) -> UnfinishedRun:
        """The run that records them: what it has done is kept beside the files, and goes when they go."""
        run = UnfinishedRun(self.folder)
        run.take_up(run.settings())
        return run

    def open_file(self, name: str, mode: str = "r") -> Halves:
        return np.memmap(self.path(name), np.float16, mode)  # type: ignore[call-overload,no-any-return]

    def finish(self) -> None:
        """What was promised must be there: a row of attention adds up to 1, so that zeros were never
        written."""
        numbers, starts = self.open_file("attention"), self.layout.starts("attention")
        for place, item in enumerate(self.layout.ids):
            sentence = numbers[starts[place] : starts[place + 1]]
            few = sentence[: SPECIAL * (self.layout.lengths[place] + SPECIAL) * self.layout.shape.heads]
            if not few.any() and not sentence.any():
                raise AttlasError(
                    f"the features of sentence {item.document}.{item.place} were not recorded: processes "
                    f"that share the work must see the same folder {self.folder}"
                )
        self.run.keep(COMPLETE, {}, None)


def prepare_files(
    folder: Path, part: str, layout: FeatureLayout, identity: Mapping[str, Any]
) -> tuple[FeatureFiles, bool]:
    """The files, made with all the room they need unless they are there already; and whether they are
    complete. Complete files that hold more than is asked for will do."""
    files = FeatureFiles(folder / part, layout)
    sizes = {name: HALF * int(layout.starts(name)[-1]) for name in layout.names}
    whole = all(files.path(n).is_file() and files.path(n).stat().st_size == s for n, s in sizes.items())
    run, settings = UnfinishedRun(files.folder), {"identity": dict(identity), "holds": list(layout.names)}
    began = run.settings() or {}
    if whole and began.get("identity") == json.loads(json.dumps(settings["identity"])):
        run.take_up(began)
        complete = run.piece(COMPLETE) is not None
        if complete or began.get("holds") == settings["holds"]:
            return files, complete
    for name in NAMES:  # also those that nobody asks for now: they are of something else
        files.path(name).unlink(missing_ok=True)
    run.start(settings)
    refuse_without_room(files.folder, layout.bytes)
    for name, size in sizes.items():
        _claim(files.path(name), size)
    return files, False


def refuse_without_room(folder: Path, wanted: int) -> None:
    free = shutil.disk_usage(folder).free
    if wanted + ROOM_TO_LEAVE > free:
        raise AttlasError(
            f"the features take {in_words(wanted)}, and {folder} has {in_words(free)} free: name a folder on "
            f"a larger disk with {option('trained')}, or shorten the treebank with {option('longest')}"
        )


def in_words(size: int) -> str:
    return f"{size / 1e9:.2f} GB" if size >= 1e8 else f"{size / 1e6:.3g} MB"


def _claim(path: Path, size: int) -> None:
    """A file of zeros whose room is its own from now on, where the system can promise that."""
    with path.open("wb") as file:
        if hasattr(os, "posix_fallocate") and size:
            os.posix_fallocate(file.fileno(), 0, size)
        else:
            file.truncate(size)


@dataclass
class Recorder:
    """A reducer that writes every sentence's features to its range of the files; it counts what it wrote."""

    files: FeatureFiles
    recorded: int = 0
    name: str = "recorder"
    _opened: dict[str, Halves] = field(default_factory=dict, repr=False)
    _places: dict[ItemId, int] = field(default_factory=dict, repr=False)

    @property
    def needs(self) -> Needs:
        return Needs(lazy_weights=True, hidden_states=self.files.layout.shape.states > 0)

    def __deepcopy__(self, _: dict[int, Any]) -> Recorder:
        return Recorder(self.files, self.recorded)  # the layout is large, and nobody changes it

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_opened": {}, "_places": {}}

    def update(self, observation: Observation) -> None:
        layout = self.files.layout
        batch = with_words(observation.batch, self.name)
        if not self._opened:
            self._opened = {name: self.files.open_file(name, "r+") for name in layout.names}
            self._starts = {name: layout.starts(name) for name in layout.names}
            self._places = {item: place for place, item in enumerate(layout.ids)}
        arrays = word_features(observation, layout.shape)
        for row, item in enumerate(batch.ids):
            place = self._places.get(item)
            if place is None:
                continue  # a sentence that has no tree
            shapes = layout.shape.per_sentence(layout.lengths[place])
            for name, shape in shapes.items():
                start, stop = self._starts[name][place : place + 2]
                features = arrays[name][row][tuple(slice(n) for n in shape)]
                self._opened[name][start:stop] = features.reshape(-1)
            self.recorded += 1

    def merge(self, other: Recorder) -> None:
        self.recorded += other.recorded

    def state(self) -> State:
        for numbers in self._opened.values():
            numbers.flush()  # type: ignore[attr-defined]
        return {"recorded": np.array([self.recorded], np.int64)} if self.recorded else {}

    def restore(self, state: State) -> None:
        self.recorded = int(state["recorded"][0]) if state else 0


def word_features(observation: Observation, shape: Shape) -> dict[str, Halves]:
    """attention (batch query key head), norms (batch key head), states (batch word layer dim), of a batch:
    words after [CLS] and [SEP], padded to the longest sentence, heads in reading order."""
    batch = observation.batch
    assert isinstance(batch, WordBatch)
    kind = observation.calls[0].kind
    calls = [call for call in observation.calls if call.kind == kind]
    shares = with_special_tokens(batch.word_shares(kind)[0], batch.queries(kind).real)
    mean = shares / shares.sum(1, keepdim=True).clamp(min=torch.finfo(shares.dtype).tiny)  # batch piece word
    maps = []
    for call in calls:
        assert call.lazy_weights is not None
        weights = call.lazy_weights.rows(0, shares.shape[1])
        maps.append(word_maps(weights, shares, shares).permute(0, 2, 3, 1).half().cpu())
    attention = torch.cat(maps, -1)
    check_numbers(attention)
    features = {"attention": attention.numpy()}
    if shape.norms:
        norms = [torch.einsum("bht,btw->bwh", _value_norms(call).to(mean.dtype), mean) for call in calls]
        features["norms"] = _halves(torch.cat(norms, -1), "value vectors")
    if shape.states:
        states = torch.stack(observation.hidden_states, 2)  # batch piece layer dim
        if states.shape[2:] != (shape.states, shape.width):
            raise AttlasError(
                f"the model gave hidden states of {tuple(states.shape[2:])}, not what its config says"
            )
        by_word = torch.einsum("btld,btw->bwld", states.to(mean.dtype), mean[:, :, SPECIAL:])
        features["states"] = _halves(by_word, "hidden states")
    return features


def _halves(values: Tensor, what: str) -> Halves:
    """Convert to half precision. What that has no number for would be infinite, and so would all that is
    fitted."""
    most = float(values.abs().max()) if values.numel() else 0.0
    if most > torch.finfo(torch.float16).max:
        raise AttlasError(
            f"the {what} of the model reach {most:,.0f}, beyond half precision (65,504), in which features "
            "are kept: name the probes to train without those that read them "
            f"({option('probes')} attention words ...)"
        )
    return values.half().cpu().numpy()


def with_special_tokens(shares: Tensor, real: Tensor) -> Tensor:
    """The shares of words (batch piece word) with [CLS] and [SEP] as two words before them: a sentence's
    first and last token, if they spell no word; else these words have no piece, and nothing goes to them."""
    spells = shares.sum(-1) > 0  # batch piece
    places = torch.arange(real.shape[1], device=real.device)
    first = places == real.int().argmax(1)[:, None]
    last = places == (real * places).argmax(1)[:, None]
    special = [(at & ~spells & real).to(shares.dtype) for at in (first, last)]
    return torch.cat([torch.stack(special, -1), shares], -1)


def _value_norms(call: ObservedCall) -> Tensor:
    """batch head key: the length of the value vector that a key's weight multiplies."""
    assert call.lazy_weights is not None
    made = call.lazy_weights.call
    assert made is not None
    return made.per_head(made.value.float().norm(dim=-1, keepdim=True))[..., 0]


class RecordedFeatures:
    """Reads what was recorded: arrays of sentences of one length, on a device. A GPU that has room for all of
    them keeps what it has read."""

    def __init__(self, files: FeatureFiles, device: str = "cpu") -> None:
        self.layout = files.layout
        self.device = torch.device(device)
        self._files = {name: files.open_file(name) for name in files.layout.names}
        self._starts = {name: files.layout.starts(name) for name in files.layout.names}
        self._kept: dict[tuple[str, int], Tensor] | None = {} if _has_room(self.device, self.layout) else None
        lengths = np.array(files.layout.lengths)
        #: words -> its first sentence, and the one after its last
        self.ranges = {
            int(n): (int(np.searchsorted(lengths, n)), int(np.searchsorted(lengths, n, "right")))
            for n in np.unique(lengths)
        }

    def get(self, name: str, places: Sequence[int] | npt.NDArray[np.int64]) -> Tensor:
        """sentence ...: some sentences of one length, in single precision."""
        places = np.asarray(places)
        words = self.layout.lengths[int(places[0])]
        rows = places - self.ranges[words][0]
        if self._kept is None:
            return torch.from_numpy(np.asarray(self._block(name, words)[rows])).to(self.device).float()
        if (name, words) not in self._kept:
            self._kept[name, words] = torch.from_numpy(np.array(self._block(name, words))).to(self.device)
        return self._kept[name, words][torch.from_numpy(rows).to(self.device)].float()

    def _block(self, name: str, words: int) -> Halves:
        """All sentences of one length."""
        (first, past), starts = self.ranges[words], self._starts[name]
        shape = self.layout.shape.per_sentence(words)[name]
        return self._files[name][starts[first] : starts[past]].reshape(past - first, *shape)


def _has_room(device: torch.device, layout: FeatureLayout) -> bool:
    """Features are mapped into the memory of a CPU; a GPU keeps them if half of what is free will do."""
    return device.type == "cuda" and 2 * layout.bytes < torch.cuda.mem_get_info(device)[0]
