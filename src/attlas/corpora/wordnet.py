"""WordNet's index files: which senses a word has, and so which words are synonyms.

The folder is the user's: WordNet's own `dict`, or NLTK's `corpora/wordnet`, unpacked or as the archive that
NLTK loads."""

from __future__ import annotations

import importlib
import importlib.util
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path

from attlas.corpora.annotated_documents import Word
from attlas.corpora.lines import quote, wrong
from attlas.errors import AttlasError, option
from attlas.files import file_hash

#: classes of words -> their universal tag, and Penn's tags: neither names nor auxiliaries
CLASSES = {
    "noun": ("NOUN", ("NN", "NNS")),
    "verb": ("VERB", ("VB", "VBD", "VBG", "VBN", "VBP", "VBZ")),
    "adj": ("ADJ", ("JJ", "JJR", "JJS")),
    "adv": ("ADV", ("RB", "RBR", "RBS")),
}
_MOST = 2**26  # bytes of an index: WordNet's largest has 5 million
NLTKS = ("wordnet", "wordnet.zip")
#: endings that WordNet's own `morphy` takes off, and what it puts there
_ENDINGS = {
    "noun": (
        ("s", ""),
        ("ses", "s"),
        ("xes", "x"),
        ("zes", "z"),
        ("ches", "ch"),
        ("shes", "sh"),
        ("men", "man"),
        ("ies", "y"),
    ),
    "verb": (
        ("s", ""),
        ("ies", "y"),
        ("es", "e"),
        ("es", ""),
        ("ed", "e"),
        ("ed", ""),
        ("ing", "e"),
        ("ing", ""),
    ),
    "adj": (("er", ""), ("est", ""), ("er", "e"), ("est", "e")),
    "adv": (),
}


def class_of(word: Word) -> str | None:
    """noun, verb, adj or adv, as the corpus tags the word; None for all others."""
    return next(
        (
            name
            for name, (universal, penn) in CLASSES.items()
            if (word.universal == universal if word.universal else word.tag in penn)
        ),
        None,
    )


@dataclass(frozen=True)
class WordNet:
    """class -> base form -> its senses (numbers of synsets), the commonest first; and the forms that no rule
    makes (`feet`)."""

    senses: Mapping[str, Mapping[str, tuple[int, ...]]]
    exceptions: Mapping[str, Mapping[str, str]]

    def base(self, form: str, word_class: str) -> str | None:
        """The base form of a word of some class: feet -> foot. None for a word that WordNet lacks."""
        known, form = self.senses[word_class], form.lower()
        if (irregular := self.exceptions[word_class].get(form)) in known:
            return irregular
        made = (form[: -len(end)] + instead for end, instead in _ENDINGS[word_class] if form.endswith(end))
        return next((base for base in (form, *made) if base in known), None)


def find_wordnet(path: Path | None) -> Path:
    """The folder or archive with index.noun; without a path, NLTK's."""
    if path is not None:
        places = path, path / "dict", path / "corpora" / "wordnet"
        place = next((place for place in places if has_index(place)), None)
        if place is None:
            what = "no folder with WordNet's index.noun" if path.exists() else "there is no such folder"
            raise AttlasError(f"{option('wordnet', str(path))}: {what}")
        return place
    there = nltks_wordnet()
    if there is None:
        raise AttlasError(
            f"no WordNet: name a folder with index.noun by {option('wordnet')} (wordnet.princeton.edu, or "
            "nltk.download('wordnet'))"
        )
    return there


def nltks_wordnet() -> Path | None:
    """The WordNet that NLTK downloaded, if it did."""
    if importlib.util.find_spec("nltk") is None:
        return None
    folders = [Path(folder) / "corpora" for folder in importlib.import_module("nltk.data").path]
    return next((f / name for f in folders for name in NLTKS if has_index(f / name)), None)


def has_index(path: Path) -> bool:
    """Whether this is WordNet's folder, or NLTK's archive of it."""
    return (path / "index.noun").is_file() or (path.suffix == ".zip" and path.is_file())


@cache
def read_wordnet(path: Path) -> WordNet:
    """Read the four index files, and the lists of exceptions where there are any."""
    senses = {name: dict(_entries(path, name)) for name in CLASSES}
    return WordNet(senses, {name: dict(_exceptions(path, name)) for name in CLASSES})


def version_of_wordnet(path: Path) -> dict[str, str]:
    """Its name, and the hash of what is read: another WordNet has other synonyms."""
    names = [name.format(of) for of in CLASSES for name in ("index.{}", "{}.exc")]
    files = [path] if path.suffix == ".zip" else [path / name for name in names if (path / name).is_file()]
    checksum = sha256("".join(map(file_hash, files)).encode()).hexdigest()
    return {"wordnet": path.name, "checksum": checksum}


def _entries(path: Path, name: str) -> Iterator[tuple[str, tuple[int, ...]]]:
    """`lemma pos senses pointers [pointer ...] senses tagged offset ...`: the offsets come last."""
    for number, line in enumerate(_lines(path, f"index.{name}", needed=True), 1):
        if line.startswith(" ") or not line.strip():  # its licence
            continue
        lemma, *fields = line.split()
        try:
            count = int(fields[1])
            offsets = tuple(int(offset) for offset in fields[-count:])
        except (IndexError, ValueError):
            raise wrong(path / f"index.{name}", number, f"{quote(line.strip())} is no entry") from None
        if "_" not in lemma:  # of one word
            yield lemma, offsets


def _exceptions(path: Path, name: str) -> Iterator[tuple[str, str]]:
    for line in _lines(path, f"{name}.exc", needed=False):
        form, *bases = line.split()
        if bases:
            yield form, bases[0]


def _lines(path: Path, name: str, needed: bool) -> Iterator[str]:
    try:
        yield from _read(path, name).decode("utf-8", errors="replace").splitlines()
    except (OSError, KeyError, zipfile.BadZipFile) as error:
        if needed:
            raise AttlasError(f"{path / name} cannot be read: {error}") from error


def _read(path: Path, name: str) -> bytes:
    if path.suffix != ".zip":
        return (path / name).read_bytes()
    with zipfile.ZipFile(path) as archive, archive.open(f"{path.stem}/{name}") as file:
        return file.read(_MOST)
