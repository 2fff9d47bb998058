"""The four probes, each from its corpus to its table."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import Any, Literal

import pandas as pd

from attlas.corpora.alignment import From, fits
from attlas.corpora.reading import AnnotatedCorpus, annotated_corpus
from attlas.corpora.windows import Cut, Text, Window, document_windows, first_windows, sentence_windows
from attlas.corpora.words import Document
from attlas.errors import AttlasError
from attlas.probes.coreference import Antecedents, Candidates, covering_window, gap_links, unasked
from attlas.probes.dependencies import FAITHFUL_OFFSETS, OFFSETS, UNTABLED, Dependencies
from attlas.probes.features import (
    feature_places,
    link_pairs,
    original_link_pairs,
    original_places,
    shown_links,
)
from attlas.probes.found import Probed
from attlas.probes.frames import frame_links, frame_pairs, original_filter, original_pairs
from attlas.probes.links import Ask
from attlas.probes.probing import LinkProbe, Windows, probe_links, progress_bar, run
from attlas.probes.weighing import named_heads, past_percentile, strongest, weight_table
from attlas.probes.weights import WindowWeights, between_pairs, on_features
from attlas.subject import Subject, load


@dataclass(frozen=True)
class Asked:
    """What the user named: a model and a corpus."""

    model: str | Path | Subject
    path: Path | None
    format: str | None
    pipeline: str | None
    length: int
    device: str | None = None
    dtype: str = "float32"
    trust_remote_code: bool = False

    @cached_property
    def corpus(self) -> AnnotatedCorpus:
        return annotated_corpus(self.path, self.format, self.pipeline)

    @cached_property
    def subject(self) -> Subject:
        if isinstance(self.model, Subject):
            return self.model
        return load(
            self.model, device=self.device, dtype=self.dtype, trust_remote_code=self.trust_remote_code
        )

    def other(self, path: Path) -> AnnotatedCorpus:
        found = annotated_corpus(path, self.format, self.pipeline)
        if found.sha256() == self.corpus.sha256():
            raise AttlasError(f"--choose-on {path} is the corpus itself: leave it out, and halves are taken")
        return found

    def writing(self, atlas: Path | None, figures: Path | None, csv: Path | None) -> Asked:
        """Refuses what could not be written, before the work begins."""
        if csv is not None and (csv.is_dir() or not csv.absolute().parent.is_dir()):
            raise AttlasError(f"--csv {csv}: name a file in a folder that is there")
        if figures is not None and figures.exists() and not figures.is_dir():
            raise AttlasError(f"--figures {figures} is a file: name a folder")
        if atlas is not None and atlas.exists():
            from attlas.probes.recording import atlas_of

            atlas_of(atlas, self.subject)
        return self


class NotWritten(AttlasError):
    """A probe is done, but its files could not be written."""

    def __init__(self, said: str, result: Probed) -> None:
        super().__init__(said)
        self.result = result


@dataclass(frozen=True)
class Done:
    """A finished probe, with what its figures need."""

    probed: Probed
    asked: Asked
    windows: Windows
    ask: Ask  # the links that the figures show

    def keep(
        self, name: str, settings: dict[str, Any], atlas: Path | None, figures: Path | None, csv: Path | None
    ) -> Probed:
        """Writes what was asked for, and says where it is. What was found is not lost if that fails."""
        notes = list(self.probed.notes)
        try:
            if csv is not None:
                self.probed.table.to_csv(csv, index=False)
                notes.append(f"the table is in {csv}")
            if atlas is not None:
                from attlas.probes.recording import write_into_atlas

                write_into_atlas(self.probed, atlas, self.asked.subject, self.asked.corpus, settings)
                notes.append(f"every head's values are in {atlas}")
            if figures is not None:
                from attlas.probes.figures import draw

                drawn = draw(self, figures)
                notes.append(f"figures: {', '.join(str(p) for p in drawn)}")
        except (OSError, AttlasError) as error:
            where = getattr(error, "filename", None) or csv or atlas or figures
            said = (
                f"{where} cannot be written: {error.strerror or error}"
                if isinstance(error, OSError)
                else error
            )
            raise NotWritten(str(said), replace(self.probed, notes=tuple(notes))) from error
        return replace(self.probed, notes=tuple(notes))


def probe_dependencies(
    asked: Asked,
    choose_on: Path | None,
    faithful: bool,
    subtypes: bool,
    shortest: int,
    longest: int | None,
    least: int,
    text: Text,
    pieces: From,
    seed: int,
    progress: bool,
) -> Done:
    _at_least(shortest=(shortest, 1), longest=(shortest if longest is None else longest, 1), least=(least, 1))
    _check_seed(seed)
    fit = fits(asked.subject, asked.length)

    def windows(corpus: AnnotatedCorpus) -> Windows:
        return lambda cut: sentence_windows(corpus.read(), fit, cut, text, shortest, longest)

    ask = Dependencies(subtypes, FAITHFUL_OFFSETS if faithful else OFFSETS)
    probe = LinkProbe(
        "dependencies",
        ask,
        {"to": "dependent_to_head", "from": "head_to_dependent"},
        windows(asked.corpus),
        windows(asked.other(choose_on)) if choose_on else None,
        pieces,
        UNTABLED,
        least,
        seed,
    )
    _refuse_without_links(asked, probe, "dependencies", "name a spaCy pipeline that parses it: --pipeline")
    return Done(probe_links(asked.subject, probe, faithful, progress), asked, probe.windows, ask)


def probe_coreference(
    asked: Asked,
    choose_on: Path | None,
    faithful: bool,
    candidates: Candidates,
    least: int,
    text: Text,
    pieces: From,
    seed: int,
    progress: bool,
) -> Done:
    _at_least(least=(least, 1))
    _check_seed(seed)
    fit = fits(asked.subject, asked.length)
    gap = asked.corpus.format == "gap"

    def windows(corpus: AnnotatedCorpus) -> Windows:
        def read(cut: Cut) -> Iterator[Window]:
            if gap:
                found = (covering_window(document, fit, cut, text) for document in corpus.read())
                return (window for window in found if window is not None)
            if not faithful:
                return document_windows(corpus.read(), fit, cut, text)
            return first_windows(corpus.read(), fit, cut, text)

        return read

    ask: Ask = gap_links if gap else Antecedents(candidates)
    names = (
        ("pronoun_to_name", "name_to_pronoun") if gap else ("mention_to_antecedent", "antecedent_to_mention")
    )
    probe = LinkProbe(
        "coreference",
        ask,
        {"to": names[0], "from": names[1]},
        windows(asked.corpus),
        windows(asked.other(choose_on)) if choose_on else None,
        pieces,
        least=least,
        seed=seed,
        every_baseline=True,
    )
    _refuse_without_links(asked, probe, "coreference", "CorefUD, CoNLL-2012 and GAP files do")
    probed = probe_links(asked.subject, probe, faithful, progress)
    note = unasked(asked.corpus.read(), probe.windows(Cut()), ask)
    return Done(replace(probed, notes=(*probed.notes, note)), asked, probe.windows, ask)


def probe_frames(asked: Asked, faithful: bool, every: bool, progress: bool) -> Done:
    if asked.path is None:
        raise AttlasError("name the folder of FrameNet 1.7: attlas probe frames MODEL FOLDER")
    fit = fits(asked.subject, asked.length)
    kept = _once(lambda: asked.corpus.read() if every else original_filter(asked.corpus.read()))

    def windows(cut: Cut) -> Iterator[Window]:
        return sentence_windows(kept(), fit, cut, "raw")

    pairs = original_pairs(asked.subject.tokenizer) if faithful else frame_pairs
    reducer = WindowWeights("frames", "frame_weight", between_pairs(pairs))
    cut = Cut()
    with progress_bar("frames", None, progress) as advance:
        run(asked.subject, [reducer], windows(cut), advance)
    if not cut.windows:
        raise AttlasError(f"{asked.corpus.name} has no sentence that the filter keeps")
    rows = reducer.result()
    table = past_percentile(weight_table(rows, "frame_weight"))
    notes = (cut.said(), "heads past the 99th percentile; matched: the same tokens slid along the sentence")
    return Done(Probed("frames", table, rows, notes, named_heads(table)), asked, windows, frame_links)


def probe_features(asked: Asked, faithful: bool, text: Text, progress: bool) -> Done:
    fit = fits(asked.subject, asked.length)

    def windows(cut: Cut) -> Iterator[Window]:
        return sentence_windows(asked.corpus.read(), fit, cut, text)

    tokenizer = asked.subject.tokenizer
    places = original_places(tokenizer) if faithful else feature_places
    links = original_link_pairs(tokenizer) if faithful else link_pairs
    reducers = [
        WindowWeights("features", "feature_weight", on_features(places)),
        WindowWeights("from_cls", "cls_weight", on_features(places, from_cls=True)),
        WindowWeights("links", "link_weight", between_pairs(links)),
    ]
    cut = Cut()
    with progress_bar("features", None, progress) as advance:
        run(asked.subject, reducers, windows(cut), advance)
    rows = list(chain.from_iterable(reducer.result() for reducer in reducers))
    if {row.group for row in rows} <= {"cls", "sep", "negation"}:  # these need no annotation
        raise AttlasError(
            f"{asked.corpus.name} has no tags or relations: name a spaCy pipeline with --pipeline"
        )
    tables = []
    for statistic in ("feature_weight", "cls_weight", "link_weight"):
        if any(row.statistic == statistic for row in rows):
            table = weight_table(rows, statistic)
            if statistic == "cls_weight":
                table = table[
                    table["layer"] == table["layer"].max()
                ]  # the original looks at the last layer's row
            tables.append(strongest(table).assign(statistic=statistic))
    table = pd.concat(tables, ignore_index=True)
    table.insert(0, "statistic", table.pop("statistic"))
    notes = (
        cut.said(),
        "feature_weight: from all tokens; cls_weight: from the last [CLS]; link_weight: between words",
        "matched: as many tokens at random, for links the same tokens slid along the sentence",
    )
    best = named_heads(table[table["statistic"] == "link_weight"])
    return Done(Probed("features", table, rows, notes, best), asked, windows, shown_links)


def _once(read: Callable[[], Iterator[Document]]) -> Callable[[], Iterator[Document]]:
    """Reads a slow corpus once, and keeps the documents (FrameNet: only those of a filter)."""
    kept: list[Document] = []

    def documents() -> Iterator[Document]:
        if not kept:
            for document in read():
                kept.append(document)
                yield document
        else:
            yield from kept

    return documents


def _check_seed(seed: int) -> None:
    if not 0 <= seed < 2**32:
        raise AttlasError(f"--seed {seed}: from 0 to {2**32 - 1}")


def _at_least(**given: tuple[int, int]) -> None:
    for name, (value, least) in given.items():
        if value < least:
            raise AttlasError(f"--{name} {value}: at least {least} is needed")


def _refuse_without_links(asked: Asked, probe: LinkProbe, what: str, hint: str) -> None:
    """A corpus without the annotation would give an empty table after a long run."""
    cut = Cut()
    if any(probe.ask(window) for window in probe.windows(cut)):
        return
    if not cut.windows and cut.too_long + cut.unwanted:
        raise AttlasError(f"no sentence of {asked.corpus.name} fits: see --length, --shortest and --longest")
    raise AttlasError(f"{asked.corpus.name} has no {what}: {hint}")


Probe = Literal["dependencies", "coreference", "frames", "features"]
