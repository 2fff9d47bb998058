"""`attlas probe tree`: how much of a dependency tree do all heads know together?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from attlas.choices import TreeProbe
from attlas.errors import AttlasError, option
from attlas.extras import require
from attlas.options import option_groups as o
from attlas.options.verb import verb
from attlas.verbs import draw_result

if TYPE_CHECKING:
    from attlas.corpora.windows import WindowCutter, WindowSource
    from attlas.studies.study_result import ProbeResult
    from attlas.studies.trees.stored_probes import Parsed
    from attlas.subject import Subject


@verb("Probes")
def tree(
    model: o.Model = "mini",
    corpus: o.File | None = None,
    *,
    word_vectors: o.File | None = None,
    probes: Sequence[TreeProbe] = (),
    trained: o.OutputFolder | None = None,
    parse: str | None = None,
    seeds: o.Count = 5,
    epochs: o.Count = 3,
    rank: o.Count = 64,
    quick: bool = False,
    faithful: o.Faithful = False,
    shortest: o.Shortest = 1,
    longest: o.Longest = None,
    seed: o.Seed = 0,
    window_options: o.WindowOptions = o.WindowOptions(),
    keep_options: o.KeepOptions = o.KeepOptions(),
    run_options: o.RunOptions = o.RunOptions(),
    load_options: o.LoadOptions = o.LoadOptions(),
) -> ProbeResult | Parsed:
    """How much of a dependency tree do all heads know together?

    Probes are trained to find every word's syntactic head in the attention of all heads, beside probes that
    see words and distances only, models with random weights, and a task that only memory helps with. --parse
    draws the tree of a text, as the best probe in --trained finds it, and the heads that decided.

    Example: attlas probe tree mini en_ewt-ud-train.conllu --word-vectors glove.100d.txt --trained out/trees

    Parameters
    ----------
    corpus
        The annotated corpus. A treebank in CoNLL-U: a folder, or the file to train on with those to choose on
        (dev) and to report on (test) beside it. Anything else is cut into these parts. Default: the sample
        that ships.
    word_vectors
        Word vectors in GloVe's text format. Default: the model's input embeddings.
    probes
        Only these probes. Default: all.
    trained
        Keep features and trained probes in this folder. Features are then recorded only once. With --parse,
        tree.svg is written there.
    parse
        A text to parse with the best probe in --trained.
    seeds
        How many times to train each probe, with different seeds.
    epochs
        Passes over the training data.
    rank
        Dimensions of the structural probe.
    quick
        Train every probe once, and leave learning curves out.
    faithful
        Weighs every candidate with the vector of the word after it, and lets a word be its own head.
    """
    import torch

    from attlas.corpora.windows import SentenceWindows
    from attlas.studies.study_result import ProbeResult
    from attlas.studies.study_run import run
    from attlas.studies.trees.fits import TreeSettings
    from attlas.studies.trees.head_probes import STRUCTURAL, TRAINED, chosen_names
    from attlas.studies.trees.recorded_features import Shape
    from attlas.studies.trees.tree_study import ReadModel, TreeStudy, to_stderr
    from attlas.studies.word_vectors import checksum, model_vectors, read_glove

    require("ufal.chu_liu_edmonds", "attlas probe tree", "probes")
    cutter = SentenceWindows("words", shortest, longest)
    if parse is not None:
        return _parse_text(load_options.load(model), parse, trained)
    keep_options.refuse_without_atlas(run_options)
    names = chosen_names(list(probes) or None)
    if trained is not None and trained.exists() and not trained.is_dir():
        raise AttlasError(f"{option('trained', str(trained))} is a file: name a folder")
    vectors_checksum = None if word_vectors is None else checksum(word_vectors)
    subject = load_options.load(model)
    kind = subject.kinds[0]
    study = TreeStudy(
        sources=_sources(corpus, subject, cutter, window_options),
        heads=tuple(head for head in subject.heads if head.kind == kind),
        model=ReadModel(subject.weight_hash(), Shape.of(subject, STRUCTURAL in names)),
        controls={
            k.model: partial(_control, model, subject, k.model, load_options)
            for k in TRAINED
            if k.model and k.name in names
        },
        vectors=lambda wanted: (
            model_vectors(subject, wanted) if word_vectors is None else read_glove(word_vectors, wanted)
        ),
        vectors_name="input embeddings" if word_vectors is None else word_vectors.name,
        settings=TreeSettings(
            names,
            1 if quick else seeds,
            epochs,
            rank=rank,
            curves=not quick,
            faithful=faithful,
            seed=seed,
        ),
        folder=trained,
        device="cuda" if torch.cuda.is_available() and load_options.device != "cpu" else "cpu",
        say=to_stderr if run_options.progress else lambda _: None,
        vectors_checksum=vectors_checksum,
    )
    return run([study], subject, run_options, keep_options, ProbeResult, draw_result)


def _parse_text(subject: Subject, text: str, trained: Path | None) -> Parsed:
    from attlas.figures.tree_figures import write_tree
    from attlas.studies.trees.stored_probes import parse

    if trained is None:
        raise AttlasError(
            f"{option('parse')} needs {option('trained')}: the folder that an earlier run left its probes in"
        )
    return write_tree(parse(subject, text, trained), trained)


def _sources(
    path: Path | None, subject: Subject, cutter: WindowCutter, window_options: o.WindowOptions
) -> dict[str, WindowSource]:
    from attlas.corpora.reading import annotated_corpus
    from attlas.studies.study_items import read_windows
    from attlas.studies.trees.treebank import files_of_parts

    parts: Mapping[str, Path | None] = files_of_parts(path) or {"all": path}
    return {
        part: read_windows(annotated_corpus(file), subject, cutter, window_options)
        for part, file in parts.items()
    }


def _control(model: o.Model, subject: Subject, how: str, load_options: o.LoadOptions) -> Any:
    """The same model with random weights: all of them, all but its embeddings, or these with attention as
    peaked as the model's own."""
    from attlas.studies.trees.recorded_features import Shape
    from attlas.studies.trees.tree_study import ReadModel
    from attlas.studies.twins.peaked import peaked_like
    from attlas.subject import Subject as Loaded
    from attlas.subject import load

    initialise: Any = "embeddings" if how == "peaked" else how
    if isinstance(model, Loaded):
        control = load(model.model, model.tokenizer, device=str(subject.device), initialise=initialise)
    else:
        control = load(model, **load_options.values(), initialise=initialise)
    edits = (peaked_like(subject, control),) if how == "peaked" else ()
    weights = f"{control.weight_hash()}{' peaked' if edits else ''}"
    return ReadModel(weights, Shape.of(control, False), control, edits)
