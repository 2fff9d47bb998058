"""The lines of Python that give the numbers of a run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from attlas.server.messages import EditRequest, ModelAbout, RunRequest
from attlas.server.served import Served, ServedModel, beside_request

_ONE_TEXT = "attlas.studies.one_text"


def python_lines(request: RunRequest, served: Served, abouts: Mapping[str, ModelAbout | None]) -> str:
    """A program that gives the same numbers as a run whose edits are resolved. `abouts` are what is known of
    models that are loaded."""
    runs = [request]
    if request.beside is not None:
        runs.append(beside_request(request, request.beside))
    parts = [
        line for run in runs for line in ("", *_run(run, served.model(run.model), abouts.get(run.model)))
    ]
    return "\n".join([*_imports("\n".join(parts)), *parts]) + "\n"


def _imports(code: str) -> Iterator[str]:
    """Only what the lines use."""
    yield "import attlas"
    if "heads_named(" in code:
        yield "from attlas.edits.head_edit import heads_named"
    known = {
        "edit_effect": ("edit_effect", "embed"),
        "place_predictions": ("predict",),
        "prediction_writes": ("prediction_writes",),
        "read_text": ("read_text",),
        "text_edits": ("EditedModel", "Switch"),
    }
    for module, names in known.items():
        used = [name for name in names if f"{name}(" in code]
        if used:
            yield f"from {_ONE_TEXT}.{module} import {', '.join(used)}"


def _run(request: RunRequest, model: ServedModel, about: ModelAbout | None) -> Iterator[str]:
    yield f"model = EditedModel({_load(model)})"
    yield f"text = read_text({_call('model.subject', request.text, request.text_b)})"
    yield from _switches(request.edits)
    if about is not None and about.kind == "embedding":
        yield f"print(embed(model, text{', switches' if request.edits else ''}).cosine)"
        return
    chosen = {"place": request.place, "token": request.token}
    at = {name: value for name, value in chosen.items() if value is not None}
    if about is not None and about.mask and about.mask not in request.text + (request.text_b or ""):
        yield "# nothing is predicted in this text: it has no mask"
        return
    if request.edits:
        yield from _effect(request, at)
    else:
        yield "for prediction in predict(model.subject, text):"
        yield "    for likely in prediction.top:"
        yield "        print(prediction.place, likely.text, likely.probability)"
    if about is not None and about.unranked is None:
        yield f"for write in prediction_writes({_call('model.subject, text', **at)}).heads[:9]:"
        yield "    print(write.head, write.counted)"


def _effect(request: RunRequest, at: dict[str, int]) -> Iterator[str]:
    patch = ""
    if request.patch_text is not None:
        yield f"other_text = read_text({_call('model.subject', request.patch_text, request.text_b)})"
        patch = ", patch_text=other_text"
    sets = {} if request.random_sets is None else {"random": request.random_sets}
    yield f"effect = edit_effect({_call('model, text, switches', **at, **sets)}{patch})"
    yield "print(effect.sentence)"
    yield "for before, after in effect.at_target.both:"
    yield "    print(before.text, before.probability, after.probability)"
    yield "for other in effect.random:"
    yield "    print(*other.heads, other.probability)"


def _load(model: ServedModel) -> str:
    usual = {"device": None, "dtype": "float32", "trust_remote_code": False}
    options = {name: value for name, value in model.load.items() if value != usual.get(name)}
    return f"attlas.load({_call(repr(model.name), **options)})"


def _call(first: str, *rest: Any, **named: Any) -> str:
    """Arguments as they are written; a second text that is None is left out."""
    written = [first, *(repr(value) for value in rest if value is not None)]
    return ", ".join([*written, *(f"{name}={value!r}" for name, value in named.items())])


def _switches(edits: Sequence[EditRequest]) -> Iterator[str]:
    """Those with the same edit in one line."""
    if not edits:
        return
    yield "heads = model.subject.heads"
    yield "switches = ["
    for (by, pattern), alike in groupby(edits, key=lambda edit: (edit.by, edit.pattern)):
        named = ", ".join(head for edit in alike for head in edit.heads)
        how = repr(by) if pattern is None else f"{by!r}, {pattern!r}"
        yield f"    *(Switch(head, {how}) for head in heads_named({named!r}, heads)),"
    yield "]"
