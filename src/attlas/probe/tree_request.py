"""From the parameters of `attlas probe tree` to its study, or to the tree of a text."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import torch

from attlas.corpora.source import Source
from attlas.engines import Merged, Pass, engine_named, run_pass
from attlas.errors import AttlasError
from attlas.probe.reading import Reading, Windows, window_source
from attlas.progress import progress_bars
from attlas.studies.results import ProbeResult
from attlas.studies.study import RunPass
from attlas.studies.trees import kinds
from attlas.studies.trees.features import Shape
from attlas.studies.trees.fits import TreeSettings
from attlas.studies.trees.study import Model, TreeStudy, to_stderr
from attlas.studies.trees.treebank import files_of_parts
from attlas.studies.trees.word_vectors import WordVectors, model_vectors, read_glove
from attlas.subject import Subject, load
from attlas.subject.loading import Initialise
from attlas.verbs.outputs import Outputs

if TYPE_CHECKING:
    from attlas.studies.trees.parse import Parsed


@dataclass(frozen=True)
class TreeRequest:
    """What the user asked for."""

    reading: Reading
    words: Path | None
    probes: str | None
    out: Path | None
    seeds: int
    epochs: int
    rank: int
    curves: bool
    faithful: bool

    def parse(self, text: str) -> Parsed:
        from attlas.studies.trees.parse import parse

        if self.out is None:
            raise AttlasError("--parse needs --out: the folder that an earlier run left its probes in")
        return parse(self.reading.subject, text, self.out)

    def carry_out(self, outputs: Outputs, shortest: int, longest: int | None, seed: int) -> ProbeResult:
        subject = self.reading.subject
        asked = None if self.probes is None else [name.strip() for name in self.probes.split(",")]
        names = kinds.chosen_names(asked)
        if self.out is not None and self.out.exists() and not self.out.is_dir():
            raise AttlasError(f"--out {self.out} is a file: name a folder")
        if self.words is not None and not self.words.is_file():
            raise AttlasError(f"--words {self.words}: there is no such file")
        kind = subject.kinds[0]
        study = TreeStudy(
            self._sources(Windows("sentences", "words", shortest, longest)),
            tuple(head for head in subject.heads if head.kind == kind),
            Model(subject.weight_hash(), Shape.of(subject, kinds.STRUCTURAL in names)),
            {k.model: self._other(k.model, outputs) for k in kinds.TRAINED if k.model and k.name in names},
            self._vectors,
            "input embeddings" if self.words is None else self.words.name,
            TreeSettings(
                names,
                self.seeds,
                self.epochs,
                rank=self.rank,
                curves=self.curves,
                faithful=self.faithful,
                seed=seed,
            ),
            self.out,
            "cuda" if torch.cuda.is_available() and self.reading.device != "cpu" else "cpu",
            to_stderr if outputs.progress else lambda _: None,
        )
        return outputs.carry_out(study, subject)

    def _sources(self, windows: Windows) -> dict[str, Source]:
        parts = files_of_parts(self.reading.path)
        if parts is None:
            return {"all": self.reading.source(windows)}
        from attlas.corpora.reading import annotated_corpus

        length, strict = self.reading.length, self.reading.strict
        return {
            part: window_source(annotated_corpus(path), self.reading.subject, windows, length, None, strict)
            for part, path in parts.items()
        }

    def _vectors(self, wanted: set[str]) -> WordVectors:
        return (
            model_vectors(self.reading.subject, wanted)
            if self.words is None
            else read_glove(self.words, wanted)
        )

    def _other(self, initialise: str, outputs: Outputs) -> Model:
        """The same model with weights at random."""
        subject = _at_random(self.reading, initialise)  # type: ignore[arg-type]
        return Model(subject.weight_hash(), Shape.of(subject, False), _run_of(subject, outputs))


def _at_random(reading: Reading, initialise: Initialise) -> Subject:
    if isinstance(reading.model, Subject):
        return load(
            reading.model.model,
            reading.model.tokenizer,
            device=str(reading.subject.device),
            initialise=initialise,
        )
    return load(
        reading.model,
        device=reading.device,
        dtype=reading.dtype,
        trust_remote_code=reading.trust_remote_code,
        initialise=initialise,
    )


def _run_of(subject: Subject, outputs: Outputs) -> RunPass:
    """Runs passes of another model than the study's, on an engine of the same kind."""

    def run(one: Pass) -> Merged:
        engine = engine_named(outputs.engine, outputs.workers, outputs.address)
        with engine, progress_bars(outputs.progress) as open_bar:
            return run_pass(subject, one, engine, None, open_bar(one.name, one.items or one.source.limit))

    return run
