"""Made by `scripts/docs` from the verbs: do not edit."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from torch import Tensor
from torch.nn import Module

from attlas.atlas import Atlas as Atlas
from attlas.atlas.describe import Contents, HeadReport, Provenance
from attlas.atlas.followers import PatternHeads
from attlas.corpora.classes import Membership
from attlas.edits import Edit
from attlas.options import *
from attlas.reports.asking import Answer
from attlas.studies.comparing.comparison import Comparison
from attlas.studies.disabling.disable_result import DisableResult
from attlas.studies.finetuning.finetuned import Finetuned
from attlas.studies.patterns.pattern_result import PatternResult
from attlas.studies.estimate import Plan
from attlas.studies.pruning.prune_result import PruneResult
from attlas.studies.probe_result import ProbeResult
from attlas.verbs.report import ReportResult
from attlas.studies.trees.parse import Parsed
from attlas.subject import Subject as Subject
from attlas.verbs.view import TensorOptions
from attlas.views import Options, View

def dependencies(
    model: str | Path | Subject = "mini",
    corpus: str | Path | None = None,
    *,
    choose_on: str | Path | None = None,
    faithful: bool = False,
    subtypes: bool = False,
    shortest: int = 1,
    longest: int | None = None,
    min_count: int = 100,
    input: Literal["words", "raw"] = "words",
    pieces: Literal["mean", "first", "max"] = "mean",
    seed: int = 0,
    length: int = 128,
    strict: bool = False,
    format: str | None = None,
    pipeline: str | None = None,
    atlas: str | Path | None = None,
    chapter: str | None = None,
    figures: str | Path | None = None,
    csv: str | Path | None = None,
    resume: bool = False,
    overwrite: bool = False,
    progress: bool = True,
    engine: Literal["local", "processes", "ray"] | None = None,
    workers: int | None = None,
    address: str | None = None,
    device: str | None = None,
    dtype: Literal["float32", "bfloat16", "float16"] = "float32",
    trust_remote_code: bool = False,
    corpus_options: CorpusOptions | None = None,
    keep_options: KeepOptions | None = None,
    run_options: RunOptions | None = None,
    load_options: LoadOptions | None = None,
) -> ProbeResult: ...

def coreference(
    model: str | Path | Subject = "mini",
    corpus: str | Path | None = None,
    *,
    choose_on: str | Path | None = None,
    faithful: bool = False,
    candidates: Literal["mentions", "words"] = "mentions",
    min_count: int = 100,
    input: Literal["words", "raw"] = "words",
    pieces: Literal["mean", "first", "max"] = "mean",
    seed: int = 0,
    length: int = 128,
    strict: bool = False,
    format: str | None = None,
    pipeline: str | None = None,
    atlas: str | Path | None = None,
    chapter: str | None = None,
    figures: str | Path | None = None,
    csv: str | Path | None = None,
    resume: bool = False,
    overwrite: bool = False,
    progress: bool = True,
    engine: Literal["local", "processes", "ray"] | None = None,
    workers: int | None = None,
    address: str | None = None,
    device: str | None = None,
    dtype: Literal["float32", "bfloat16", "float16"] = "float32",
    trust_remote_code: bool = False,
    corpus_options: CorpusOptions | None = None,
    keep_options: KeepOptions | None = None,
    run_options: RunOptions | None = None,
    load_options: LoadOptions | None = None,
) -> ProbeResult: ...

def frames(
    model: str | Path | Subject = "mini",
    corpus: str | Path | None = None,
    *,
    faithful: bool = False,
    all_sentences: bool = False,
    length: int = 128,
    strict: bool = False,
    atlas: str | Path | None = None,
    chapter: str | None = None,
    figures: str | Path | None = None,
    csv: str | Path | None = None,
    resume: bool = False,
    overwrite: bool = False,
    progress: bool = True,
    engine: Literal["local", "processes", "ray"] | None = None,
    workers: int | None = None,
    address: str | None = None,
    device: str | None = None,
    dtype: Literal["float32", "bfloat16", "float16"] = "float32",
    trust_remote_code: bool = False,
    window_options: WindowOptions | None = None,
    keep_options: KeepOptions | None = None,
    run_options: RunOptions | None = None,
    load_options: LoadOptions | None = None,
) -> ProbeResult: ...

def features(
    model: str | Path | Subject = "mini",
    corpus: str | Path | None = None,
    *,
    faithful: bool = False,
    input: Literal["words", "raw"] = "raw",
    length: int = 128,
    strict: bool = False,
    format: str | None = None,
    pipeline: str | None = None,
    atlas: str | Path | None = None,
    chapter: str | None = None,
    figures: str | Path | None = None,
    csv: str | Path | None = None,
    resume: bool = False,
    overwrite: bool = False,
    progress: bool = True,
    engine: Literal["local", "processes", "ray"] | None = None,
    workers: int | None = None,
    address: str | None = None,
    device: str | None = None,
    dtype: Literal["float32", "bfloat16", "float16"] = "float32",
    trust_remote_code: bool = False,
    corpus_options: CorpusOptions | None = None,
    keep_options: KeepOptions | None = None,
    run_options: RunOptions | None = None,
    load_options: LoadOptions | None = None,
) -> ProbeResult: ...

def tree(
    model: str | Path | Subject = "mini",
    corpus: str | Path | None = None,
    *,
    word_vectors: str | Path | None = None,
    probes: Sequence[Literal["right-branching", "random", "embeddings", "distances", "attention", "words", "norms", "biaffine", "best", "relations", "structural"]] = (),
    trained: str | Path | None = None,
    parse: str | None = None,
    seeds: int = 5,
    epochs: int = 3,
    rank: int = 64,
    quick: bool = False,
    faithful: bool = False,
    shortest: int = 1,
    longest: int | None = None,
    seed: int = 0,
    length: int = 128,
    strict: bool = False,
    atlas: str | Path | None = None,
    chapter: str | None = None,
    figures: str | Path | None = None,
    csv: str | Path | None = None,
    resume: bool = False,
    overwrite: bool = False,
    progress: bool = True,
    engine: Literal["local", "processes", "ray"] | None = None,
    workers: int | None = None,
    address: str | None = None,
    device: str | None = None,
    dtype: Literal["float32", "bfloat16", "float16"] = "float32",
    trust_remote_code: bool = False,
    window_options: WindowOptions | None = None,
    keep_options: KeepOptions | None = None,
    run_options: RunOptions | None = None,
    load_options: LoadOptions | None = None,
) -> ProbeResult | Parsed: ...
