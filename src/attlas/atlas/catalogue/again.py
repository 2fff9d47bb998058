"""What makes a chapter again, from what the chapter says of itself: its corpus, its source and its settings.

Files go by their names: a chapter does not keep where they lay.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from attlas.atlas.catalogue.declaration import About, Again

EMBEDDED_TEXT, EMBEDDED_TREEBANK = "wikipedia", "en_ewt-sample"
REPEATED = "repeated random tokens"
FOLDER = "DATA"  # of a task: chapters do not say where it is


def settings_of(about: About) -> Mapping[str, Any]:
    return about.get("settings") or {}


def source_of(about: About) -> Mapping[str, Any]:
    return about.get("source") or {}


def model_of(about: About) -> Mapping[str, Any]:
    """What the manifest says of the model, which is handed on with what it says of the chapter."""
    return about.get("model") or {}


def corpus_of(about: About) -> Mapping[str, Any]:
    corpus = about.get("corpus")
    return corpus if isinstance(corpus, dict) else {}


def corpus_name(about: About) -> str:
    return str(corpus_of(about).get("name", ""))


def chosen_settings(about: About, usual: Mapping[str, Any]) -> dict[str, Any]:
    """The settings that are options of the same name, where they are not the usual ones."""
    settings = settings_of(about)
    return {
        name: settings[name]
        for name, default in usual.items()
        if name in settings and settings[name] != default and settings[name] is not None
    }


def seed_of(about: About) -> dict[str, Any]:
    return {"seed": about["seed"]} if about.get("seed") else {}


def faithful_of(about: About) -> dict[str, Any]:
    return {"faithful": bool(about.get("faithful"))}


def text_options(about: About, usual_batch: int | None = None) -> dict[str, Any]:
    """What was read, of a text, of repeated tokens or of a task."""
    source, name = source_of(about), corpus_name(about)
    options: dict[str, Any] = {}
    if name == REPEATED:
        options = {"text": "repeated", "segments": source.get("items"), "length": source.get("length")}
    elif source.get("items") == "segments":
        text = {} if name == EMBEDDED_TEXT else {"text": name}
        options = {**text, "segments": source.get("limit") or "all", "length": source.get("length")}
    elif source.get("items") == "examples":
        options = {"data": FOLDER, "examples": source.get("limit"), "length": source.get("length")}
        if "texts" in (corpus := corpus_of(about)):
            options |= {"columns": corpus["texts"], "label": corpus.get("label")}
    batch = source.get("batch")
    options |= {"strict": bool(source.get("strict")), "batch": None if batch == usual_batch else batch}
    return {key: value for key, value in options.items() if value is not None}


def task_words(about: About) -> tuple[str, ...]:
    """The task, where examples of one were read."""
    return (str(corpus_of(about).get("task")),) if source_of(about).get("items") == "examples" else ()


def windows_again(about: About, usual: Mapping[str, Any], usual_input: str = "words") -> Again:
    """A probe of an annotated corpus, with its own settings where they are not the usual ones."""
    source, corpus = source_of(about), corpus_of(about)
    cut = dict(re.findall(r"(\w+)=('?[\w.-]+'?)", str(source.get("windows", ""))))
    cut = {name: value.strip("'") for name, value in cut.items()}
    name = corpus_name(about)
    words = () if not name or name.startswith(EMBEDDED_TREEBANK) else (name,)
    chosen_on = settings_of(about).get("choose_on")
    options: dict[str, Any] = {
        "choose_on": corpus_name(chosen_on) if isinstance(chosen_on, dict) else None,
        "input": _unless(cut.get("text"), usual_input),
        "shortest": _unless(cut.get("shortest"), "1"),
        "longest": _unless(cut.get("longest"), "None"),
        "windows": source.get("limit"),
        "length": _unless(source.get("length"), 128),
        "strict": bool(source.get("strict")),
        "pipeline": corpus.get("pipeline"),
        **chosen_settings(about, usual),
        **seed_of(about),
        **faithful_of(about),
    }
    return Again(words, {name: value for name, value in options.items() if value is not None})


def _unless(value: Any, usual: Any) -> Any:
    return None if value == usual else value
