"""Attention that somebody else computed: weights and tokens in an .npz or .safetensors file; and its texts as
items.

`attention` (layer head query key) and `tokens` are one text; `attention.0`, `tokens.0`, `attention.1`, ...
are several. Tokens are strings: an array in .npz, JSON in the metadata of .safetensors. Where the file has
none, a `tokens.json` beside it may have them under the file's name.
"""

from __future__ import annotations

import hashlib
import json
import zipfile
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt
import torch

from attlas.corpora.batches import Batch, TokenClasses
from attlas.corpora.source import ALL_ITEMS, Chosen, ItemId, PreparedShard, Shard, fewest, make_shards
from attlas.errors import AttlasError
from attlas.files import file_hash, refuse_irregular

if TYPE_CHECKING:
    from attlas.subject import Subject


Weights = npt.NDArray[np.float32]  # layer head query key

NAMES = ("attention", "attentions", "attn", "weights")
#: of a row's sum: bfloat16 loses up to 2**-8 in each of the softmax's exponential, sum and division
LARGEST_ERROR = 0.02


def is_recording(path: str | Path) -> bool:
    """Whether a file holds attention, and not a model: .safetensors may be either."""
    path = Path(path)
    if path.suffix == ".npz":
        return path.is_file()
    if path.suffix != ".safetensors" or not path.is_file() or (path.parent / "config.json").is_file():
        return False  # what has a configuration beside it are the weights of a model
    return bool(_texts(_names(path)))


@dataclass(frozen=True)
class Recording:
    """A file of attention. Only tokens are held; weights are read one text at a time, when they are
    needed."""

    path: Path
    texts: tuple[tuple[str, tuple[str, ...]], ...]  # the name of the weights, and the tokens they are between

    @staticmethod
    def read(path: str | Path) -> Recording:
        path = Path(path)
        arrays = _texts(_names(path))
        if not arrays:
            raise AttlasError(
                f"{path} holds no attention: it needs an array `attention` (layer head query key), or "
                "`attention.0`, `attention.1`, ... for several texts"
            )
        tokens = _tokens(path, arrays)
        return Recording(path, tuple((name, tokens[key]) for key, name in arrays.items()))

    def weights(self, text: int) -> Weights:
        """layer head query key: checked, since nobody else has."""
        name, tokens = self.texts[text]
        weights = _array(self.path, name)
        what = f"{self.path}: {name}"
        if weights.ndim == 5 and weights.shape[1] == 1:
            weights = weights[:, 0]  # layers of a batch of one, as transformers returns them
        if weights.ndim != 4 or 0 in weights.shape:
            raise AttlasError(f"{what} has shape {weights.shape}: it must be layer, head, query, key")
        if weights.dtype.kind not in "fiu":
            raise AttlasError(f"{what} holds {weights.dtype}, not numbers")
        if weights.shape[2:] != (len(tokens), len(tokens)):
            raise AttlasError(f"{what} has shape {weights.shape}, and there are {len(tokens)} tokens")
        weights = weights.astype(np.float32)
        check_attention(weights, what)
        return weights

    def with_tokens_spelled(self, spell: Callable[[Sequence[str]], list[str]]) -> Recording:
        """Return the text with tokens as people read them."""
        return replace(self, texts=tuple((name, tuple(spell(tokens))) for name, tokens in self.texts))

    @cached_property
    def checksum(self) -> str:
        """SHA-256 of the file."""
        return file_hash(self.path)

    @cached_property
    def tokens_digest(self) -> str:
        """SHA-256 of the texts' names and tokens."""
        return hashlib.sha256(json.dumps(self.texts).encode()).hexdigest()


def check_attention(weights: npt.NDArray[np.floating[Any]], what: str = "attention") -> None:
    """Maps (layer head query key, or map query key) whose rows hold weights, as `wrong_row` asks."""
    problem = wrong_row(weights)
    if problem is not None:
        at, wrong = problem
        whose = f"map {at[0]}" if len(at) == 2 else f"head {at[0]}.{at[1]}"
        raise AttlasError(f"{what}: row {at[-1]} of {whose} {wrong}")


def wrong_row(weights: npt.NDArray[np.floating[Any]]) -> tuple[tuple[int, ...], str] | None:
    """The first row that is not attention, and why: rows hold numbers, none below 0, that sum to 1 as
    nearly as half precision can."""
    sums = weights.sum(-1)
    bad = ~(np.abs(sums - 1) <= LARGEST_ERROR) | (weights.min(-1) < 0)  # so that NaN is bad, too
    if not bad.any():
        return None
    at = tuple(int(i) for i in np.argwhere(bad)[0])
    wrong = "holds what is not a number"
    if np.isfinite(weights[at]).all():
        wrong = f"sums to {sums[at]:.3g} with least weight {weights[at].min():.3g}"
    return at, f"{wrong}, but rows must hold weights from 0 to 1 that sum to 1"


def _names(path: Path) -> list[str]:
    refuse_irregular(path)
    try:
        if path.suffix == ".npz":
            with path.open("rb") as opened, np.load(opened, allow_pickle=False) as file:
                return list(file.files)
        from safetensors import safe_open

        with safe_open(path, "numpy") as file:
            return list(file.keys())
    except OSError as error:
        raise AttlasError(f"{path} cannot be read: {error.strerror or error}") from error
    except Exception as error:  # damaged files fail in many ways
        raise AttlasError(f"{path} cannot be read: {error}") from error


def _array(path: Path, name: str) -> npt.NDArray[Any]:
    try:
        if path.suffix == ".npz":
            with path.open("rb") as opened, np.load(opened, allow_pickle=False) as file:
                array: npt.NDArray[Any] = file[name]
                return array
        from safetensors import safe_open

        with safe_open(path, "pt") as file:  # numpy has no bfloat16
            tensor: npt.NDArray[Any] = file.get_tensor(name).float().numpy()
            return tensor
    except (OSError, ValueError, KeyError, zipfile.BadZipFile, EOFError) as error:
        raise AttlasError(f"{path}: {name} cannot be read: {error}") from error


def _texts(names: Sequence[str]) -> dict[str, str]:
    """The number of each text, or "" for a single one, and the array that has its weights."""
    arrays = {}
    for name in names:
        stem, _, number = name.partition(".")
        if stem in NAMES and (number.isdecimal() or not number):
            arrays[number] = name
    if "" in arrays:
        return {"": arrays[""]}
    return dict(sorted(arrays.items(), key=lambda item: int(item[0])))


def _tokens(path: Path, texts: dict[str, str]) -> dict[str, tuple[str, ...]]:
    """The tokens of every text: those in the file, else those beside it."""
    beside: Any = None
    tokens = {}
    for number in texts:
        name = f"tokens.{number}" if number else "tokens"
        listed = _tokens_within(path, name)
        if listed is None:
            beside = _beside(path) if beside is None else beside
            listed = beside.get(number) if number and isinstance(beside, dict) else beside
        if not isinstance(listed, list) or not listed or not all(isinstance(t, str) for t in listed):
            raise AttlasError(
                f"{path} has no {name}: save the strings with the weights (tokens=np.array([...])), or in a "
                f'tokens.json beside it as {{"{path.stem}": [...]}}'
            )
        tokens[number] = tuple(listed)
    return tokens


def _tokens_within(path: Path, name: str) -> Any:
    if path.suffix == ".npz":
        return _array(path, name).tolist() if name in _names(path) else None
    from safetensors import safe_open

    with safe_open(path, "numpy") as file:
        metadata = file.metadata() or {}
    return _json(metadata[name], f"{path}: the metadata {name}") if name in metadata else None


def _beside(path: Path) -> Any:
    """What `tokens.json` beside the file has under its name."""
    beside = path.with_name("tokens.json")
    if not beside.is_file():
        return {}
    try:
        every = _json(beside.read_text(encoding="utf-8"), str(beside))
    except (OSError, UnicodeDecodeError) as error:
        raise AttlasError(f"{beside} cannot be read: {error}") from error
    return every.get(path.stem, {}) if isinstance(every, dict) else {}


def _json(text: str, what: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise AttlasError(f"{what} cannot be read as JSON: {error}") from error


TEXTS_IN_A_SHARD = 16


class RecordedTokens:
    """The tokens of a recording in the place of a tokenizer: it knows those that occur, and cannot cut text.

    A space before a word becomes SentencePiece's mark, which classes of tokens look through: `.` and ` .` are
    both periods."""

    mask_token_id = None

    def __init__(self, recording: Recording, looks_ahead: bool) -> None:
        self.path = recording.path
        every = dict.fromkeys(mark_space(token) for _, tokens in recording.texts for token in tokens)
        self.vocabulary = {token: number for number, token in enumerate(every)}
        pairs = [("[CLS]", "[SEP]")] + [("<s>", "</s>")] * looks_ahead  # elsewhere <s> begins any text
        cls, sep = next((pair for pair in pairs if all(token in every for token in pair)), ("", ""))
        self.all_special_tokens = [token for token in (cls, sep) if token]
        self.cls_token_id, self.sep_token_id = self.vocabulary.get(cls), self.vocabulary.get(sep)

    def __len__(self) -> int:
        return len(self.vocabulary)

    def __call__(self, *_: Any, **__: Any) -> Any:
        raise AttlasError(
            f"{self.path} is recorded attention: it has texts of its own, and no tokenizer to read others"
        )

    def get_vocab(self) -> dict[str, int]:
        return dict(self.vocabulary)

    def ids(self, tokens: Sequence[str]) -> list[int]:
        return [self.vocabulary[mark_space(token)] for token in tokens]

    def convert_ids_to_tokens(self, ids: Sequence[int]) -> list[str]:
        every = list(self.vocabulary)
        return [every[i] for i in ids]


def mark_space(token: str) -> str:
    return f"▁{token[1:]}" if token.startswith(" ") and len(token) > 1 else token


class RecordedText(NamedTuple):
    id: ItemId  # the number of the text is its document's
    ids: list[int]


@dataclass(frozen=True)
class RecordedSource:
    """Every text of a recording is an item, and a batch by itself: nothing is padded."""

    recording: Recording
    tokenizer: RecordedTokens
    classes: TokenClasses
    limit: int | None = None
    chosen: Chosen = ALL_ITEMS

    def describe(self) -> dict[str, Any]:
        path = self.recording.path
        corpus = {"name": path.name, "path": str(path), "sha256": self.recording.checksum}
        return {
            "corpus": corpus,
            "items": "texts",
            "tokens": self.recording.tokens_digest,  # they may stand in another file
            "limit": self.limit,
            "chosen": self.chosen.describe(),
        }

    def shards(self) -> Iterator[Shard]:
        return make_shards(len(self.recording.texts), TEXTS_IN_A_SHARD)

    def prepare(self, shard: Shard, most: int | None = None) -> PreparedShard:
        texts = [
            RecordedText(ItemId(number, 0), self.tokenizer.ids(self.recording.texts[number][1]))
            for number in islice(shard.content, fewest(most, self.limit))
        ]
        items = [text for text in texts if self.chosen(text)]
        counts = Counter(segments=len(items), tokens=sum(len(text.ids) for text in items))
        return PreparedShard(items, +counts, seen=len(texts))

    def batches(self, subject: Subject, items: Sequence[RecordedText]) -> Iterator[Batch]:
        for text in items:
            inputs = {"input_ids": torch.tensor([text.ids]), "text": torch.tensor([text.id.document])}
            placed = {name: tensor.to(subject.device) for name, tensor in inputs.items()}
            yield subject.annotate(placed, (text.id,), self.classes)

    def only(self, chosen: Collection[ItemId] | Callable[[Any], bool]) -> RecordedSource:
        return replace(self, chosen=self.chosen.and_also(chosen))
