"""The table in docs/models.md, made of the zoo that tests run: `python tests/models_page.py` writes it."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from attlas.subject import Subject
from attlas.subject.projections import value_and_output
from image_zoo import SEEING
from zoo import REFUSED, ZOO, Species

PAGE = Path(__file__).parent.parent / "docs" / "models.md"


@cache
def subject_of(name: str) -> Subject:
    if name in SEEING:
        return Subject(SEEING[name].build(), name=name, images=True)
    return Subject(ZOO[name].build(), name=name)


def row(name: str) -> str:
    if name in REFUSED:
        model = type(REFUSED[name].build()).__name__
        return f"| {name} | `{model}` | | refused | | | | {REFUSED[name].reason} |"
    subject, species = subject_of(name), ZOO.get(name)
    edits, gradients = _mark(subject.interface), _mark(subject.interface and not subject.repeated)
    model = f"`{type(subject.model).__name__}`"
    cells = [name, model, ", ".join(subject.kinds), _observed(species), edits, gradients, _copying(subject)]
    return f"| {' | '.join(cells)} | {_notes(subject)} |"


def _observed(species: Species | None) -> str:
    if species is None:  # it reads images
        return "fused"
    if not species.interface:
        return "returned"
    return "fused" if species.fused else "sampled"


def _copying(subject: Subject) -> str:
    names = {module: name for name, module in subject.model.named_modules()}
    for (module, _), (kind, layer) in subject.addresses.items():
        heads = sum((head.kind, head.layer) == (kind, layer) for head in subject.heads)
        if value_and_output(subject.model, names[module], heads) is not None:
            return _mark(True)
    return _mark(False)


def _mark(works: bool) -> str:
    return "yes" if works else "no"


def _notes(subject: Subject) -> str:
    notes = []
    if not subject.interface:
        notes.append("outside transformers' attention interface")
    if subject.repeated:
        notes.append("a head's weights are used twice in a layer")
    if subject.without_attention:
        others = ", ".join(f"{n} {what}" for n, what in subject.without_attention.items())
        notes.append(f"layers without attention: {others}")
    if subject.interface and _copying(subject) == _mark(False):
        notes.append("value weights in a layout that Attlas does not know")
    if subject.name in ZOO and subject.interface and not ZOO[subject.name].fused:
        notes.append("an index chooses the keys of each query")
    return "; ".join(notes)


def page() -> str:
    """The page as it is, with the table of today."""
    written = PAGE.read_text(encoding="utf-8")
    rows = "".join(f"{row(name)}\n" for name in (*ZOO, *SEEING, *REFUSED))
    return re.sub(r"(?<=\n\|---\|---\|---\|---\|---\|---\|---\|---\|\n)(\|.*\n)*", lambda _: rows, written)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
