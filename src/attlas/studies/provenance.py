"""The name and the provenance of a study's chapter."""

from __future__ import annotations

import platform
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from attlas.atlas import schema
from attlas.corpora.source import Source
from attlas.engines import Merged
from attlas.errors import AttlasError, option
from attlas.extras import version_of
from attlas.statistics.clusters import ONE_DOCUMENT
from attlas.wording.numbers import count


def chapter_name(study: str, source: Source, faithful: bool = False) -> str:
    """study-corpus, and `-faithful` where it is: so that two corpora, or two ways, stand side by side."""
    return schema.chapter_name(study, Path(corpus_name(source)).name.split(".")[0], faithful)


def corpus_name(source: Source) -> str:
    return str(source.describe()["corpus"]["name"])


def items_of(source: Source) -> str:
    """What the items of a source are called: segments, windows, examples."""
    return str(source.describe().get("items", "items"))


def of_documents(items: int, documents: int, what: str) -> str:
    """200 segments of 29 documents; 300 examples, where each stands for itself."""
    named = what if what.isalpha() else "items"
    named = named.removesuffix("s") if items == 1 else named
    return (
        f"{items:,} {named}"
        if documents in (0, items)
        else f"{items:,} {named} of {count(documents, 'document')}"
    )


def one_document(documents: Iterable[int], items: Iterable[int], what: str) -> list[str]:
    """What to say where errors cannot be over documents."""
    alone = any(number == 1 and many > 1 for number, many in zip(documents, items, strict=True))
    return [ONE_DOCUMENT.format(items=what if what.isalpha() else "items")] if alone else []


def nothing_in(source: Source, problems: Sequence[str]) -> AttlasError:
    """The error for a corpus that gives no item, with what was wrong with the first document that was
    skipped."""
    examples = source.describe().get("items") == "examples"
    needed = (
        "no example"
        if examples
        else "no segment: it needs at least two tokens of text, or two sentences with "
        f"{option('faithful', True)}"
    )
    why = f" ({problems[0]})" if problems else ""
    return AttlasError(f"{corpus_name(source)} holds {needed}{why}")


def refuse_nothing_read(source: Source, read: Merged) -> None:
    """A corpus of which no window is left, with the reason; an empty table would not tell it."""
    if read.counts["windows"]:
        return
    if read.problems:
        raise AttlasError(f"nothing of {corpus_name(source)} could be read: {read.problems[0]}")
    if read.counts["too_long"] or read.counts["other_length"]:
        raise AttlasError(
            f"no sentence of {corpus_name(source)} fits: see {option('length')}, "
            f"{option('shortest')} and {option('longest')}"
        )


def described(study: str, source: Source, settings: Mapping[str, Any]) -> dict[str, Any]:
    """All that decides the numbers of a study, as JSON takes it."""
    about = source.describe()
    return {"study": study, "corpus": about.pop("corpus"), "source": about, "settings": dict(settings)}


def about(identity: Mapping[str, Any], read: Merged, notes: list[str]) -> dict[str, Any]:
    """The provenance of a chapter: `identity`, as `described` gives it, and what was read. Who carries out
    the study adds the software and the time."""
    settings = identity["settings"]
    source = identity.get("source", {})
    said = [f"loss: {source['loss']}"] if "loss" in source else []
    said += [source["assumed"]] if source.get("assumed") else []
    return {
        **identity,
        "seed": settings.get("seed"),
        "faithful": settings.get("faithful", False),
        "counts": dict(read.counts),
        "problems": list(read.problems),
        "notes": [*notes, *said],
    }


def software() -> dict[str, str]:
    """Versions of what decides the numbers."""
    packages = ("attlas", "torch", "transformers", "numpy", "scipy", "scikit-learn")
    return {"python": platform.python_version(), **{name: version_of(name) for name in packages}}
