"""The folder that fine-tuning leaves, whole or not there, with its card, README.md; `NAME.part` beside it
has an unfinished run."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from attlas.engines import UnfinishedRun
from attlas.engines.unfinished import SETTINGS
from attlas.errors import AttlasError, option
from attlas.files import libraries_write, write_whole
from attlas.studies.finetuning.finetuned import REPORT, notes_of, score_lines, without_nan
from attlas.subject import Subject


def write_card(report: dict[str, Any]) -> str:
    task, settings, model = report["task"], report["settings"], report["model"]
    labels = ", ".join(task["labels"]) or "a number"
    began = "weights at random" if settings["random_init"] else "its weights"
    trained = " Its training labels were shuffled: it is a control." if settings["random_labels"] else ""
    scores = "\n".join(f"| {' | '.join(line)} |" for line in score_lines(report))
    notes = "".join(f"\n- {note}" for note in notes_of(report))
    options = "\n".join(f"- {name.replace('_', ' ')}: {value}" for name, value in settings.items())
    data = "\n".join(
        f"- {split}: `{report[split]['corpus']['name']}`, sha256 `{report[split]['corpus']['checksum']}`"
        for split in ("train", "dev")
    )
    versions = ", ".join(f"{name} {number}" for name, number in report["software"].items())
    return f"""# {task["name"]}

`{model["class"]}` of `{model["name"]}`, fine-tuned by `attlas finetune`, beginning with {began}.{trained}
It answers with: {labels}.

| metric | before | after | 95% interval | majority answer | examples |
|---|---|---|---|---|---|
{scores}
{notes}

The interval is of the development examples (bootstrap), not of seeds. The majority answer is the score of
always giving the most frequent label (0 for correlations). `finetuning.json` has the scores of
every epoch, the losses, the norms of each layer's gradients, and how far each layer's weights moved.

## Settings

{options}
- inputs of at most {report["train"]["length"]} tokens
- weights of the model that it began with: `{model["weights"]}`

## Data

{data}

## Software

{versions}
"""


@contextmanager
def unfinished_run(
    out: Path, identity: dict[str, Any], resume: bool, overwrite: bool
) -> Iterator[Path | None]:
    """The folder of an unfinished run, for this run alone; None where the finished model is there already."""
    if resume and overwrite:
        raise AttlasError(
            f"{option('resume', True)} continues a run and {option('overwrite', True)} begins "
            "it again: give one of them"
        )
    out = Path(os.path.realpath(out))
    run = UnfinishedRun.beside(out)
    written = json.loads(json.dumps(identity))
    if resume and _is_finished(out, written) and run.settings() != written:
        yield None
        return
    _refuse_replacing(out, overwrite or (resume and run.settings() is not None))
    with run:
        if not run.begin(identity, resume, overwrite):
            shutil.rmtree(run.folder / "checkpoints", ignore_errors=True)
            run.keep("begun", {}, None)  # one that is to replace a model is resumed from its very beginning
        yield run.folder
        if out.is_dir():
            shutil.rmtree(run.folder, ignore_errors=True)


def write_model(model: Subject, report: dict[str, Any], part: Path, out: Path) -> None:
    """The finished folder, in one step."""
    made = part / "finished"
    shutil.rmtree(made, ignore_errors=True)
    with libraries_write(out, f"the work is kept: {option('resume', True)} writes it"):
        network: Any = model.model
        network.save_pretrained(made)
        model.tokenizer.save_pretrained(made)
        write_whole(made / REPORT, json.dumps(without_nan(report), indent=1))
        write_whole(made / "README.md", write_card(without_nan(report)))
        out = Path(os.path.realpath(out))
        old = part / "replaced"
        if out.exists():
            shutil.rmtree(old, ignore_errors=True)  # of a run that was killed here
            out.replace(old)
        made.replace(out)
        (part / SETTINGS).unlink(missing_ok=True)
        shutil.rmtree(old, ignore_errors=True)


def _refuse_replacing(out: Path, wanted: bool) -> None:
    """What is there is replaced only where that is wanted, and only a model."""
    if out.exists() and not out.is_dir():
        raise AttlasError(f"{out} is a file, where a folder would go: move it, or choose another folder")
    if not out.is_dir() or not any(out.iterdir()):
        return
    if not wanted:
        raise AttlasError(f"{out} is there already: {option('overwrite', True)} replaces it")
    if not (out / "config.json").is_file():
        raise AttlasError(f"{out} is not a model, so it is not overwritten: choose another folder")


def _is_finished(out: Path, identity: dict[str, Any]) -> bool:
    """Whether the model that this run would make is there."""
    try:
        report = json.loads((out / REPORT).read_text())
    except (OSError, ValueError):
        return False
    return all(report.get(key) == value for key, value in identity.items())
