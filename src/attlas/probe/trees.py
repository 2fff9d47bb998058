"""The probe of trees: what do all heads know together?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from attlas.corpora.source import check_seed
from attlas.verbs.loading import EngineName
from attlas.verbs.parameters import at_least, explained

if TYPE_CHECKING:
    from attlas.studies.results import ProbeResult
    from attlas.studies.trees.parse import Parsed
    from attlas.subject import Subject
else:
    # the terminal knows strings and paths only, and reads these annotations
    Subject = ProbeResult = Parsed = str


@explained
def tree(
    model: str | Path | Subject = "mini",
    corpus: Path | None = None,
    *,
    words: Path | None = None,
    probes: str | None = None,
    parse: str | None = None,
    out: Path | None = None,
    seeds: int = 5,
    epochs: int = 3,
    rank: int = 64,
    quick: bool = False,
    faithful: bool = False,
    shortest: int = 1,
    longest: int | None = None,
    length: int = 128,
    strict: bool = False,
    seed: int = 0,
    atlas: Path | None = None,
    chapter: str | None = None,
    figures: Path | None = None,
    csv: Path | None = None,
    resume: bool = False,
    overwrite: bool = False,
    engine: EngineName | None = None,
    workers: int | None = None,
    address: str | None = None,
    device: str | None = None,
    dtype: str = "float32",
    trust_remote_code: bool = False,
    progress: bool = True,
) -> ProbeResult | Parsed:
    """How much of a dependency tree do all heads know together?

    Probes are trained to find every word's syntactic head in the attention of all heads, beside probes that
    see words and distances only, models at random, and a task that only memory helps with. --parse draws the
    tree of a text, as the best probe in --out finds it, and the heads that decided.

    Example: attlas probe tree mini en_ewt-ud-train.conllu --words glove.6B.100d.txt --out out/trees

    Parameters
    ----------
    corpus
        A treebank in CoNLL-U: a folder, or the file to train on with those to choose on (dev) and to report
        on (test) beside it. Anything else is cut into these parts. Without it, the sample that ships.
    words
        Word vectors in GloVe's text format. Without it, the model's own input embeddings.
    probes
        Some of the probes, separated by commas: right-branching, random, embeddings, distances, attention,
        words, norms, biaffine, best, relations, structural.
    parse
        A text to parse with the best probe in --out.
    out
        Keep features and probes in this folder; features are then recorded only once. With --parse, tree.svg
        is written there.
    seeds
        How often every probe is trained.
    epochs
        How often a probe sees every sentence.
    rank
        Dimensions of the structural probe.
    quick
        Train once only, and leave learning curves out.
    faithful
        Keep the original's defect: every candidate is weighed with the vector of the word after it, and a
        word may be its own head.
    shortest
        Leave out sentences of fewer words.
    longest
        Leave out sentences of more words.
    seed
        Seed of the parts, of samples and of the bootstrap.
    """
    from attlas.probe.reading import Reading
    from attlas.probe.tree_request import TreeRequest
    from attlas.verbs.outputs import Outputs

    at_least(shortest=shortest, longest=shortest if longest is None else longest)
    at_least(seeds=seeds, epochs=epochs, rank=rank)
    check_seed(seed)
    reading = Reading(model, corpus, None, None, length, strict, device, dtype, trust_remote_code)
    seeds = 1 if quick else seeds
    request = TreeRequest(reading, words, probes, out, seeds, epochs, rank, not quick, faithful)
    if parse is not None:
        from attlas.figures.tree_svg import write_tree

        return write_tree(request.parse(parse), out)
    outputs = Outputs(
        atlas, chapter, figures, csv, resume, overwrite, engine, workers, address, progress
    ).refuse_unwritable()
    return request.carry_out(outputs, shortest, longest, seed)
