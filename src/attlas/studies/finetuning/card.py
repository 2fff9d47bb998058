"""The card of a fine-tuned model: README.md of its folder."""

from __future__ import annotations

from typing import Any

from attlas.studies.finetuning.finetuned import METRIC_NAMES, notes_of, percent, percent_interval


def card(report: dict[str, Any]) -> str:
    task, settings, model = report["task"], report["settings"], report["model"]
    labels = ", ".join(task["labels"]) or "a number"
    began = "weights at random" if settings["random_init"] else "its weights"
    trained = " Its training labels were shuffled: it is a control." if settings["random_labels"] else ""
    scores = "\n".join(
        f"| {METRIC_NAMES.get(name, name)} | {_before(report, name)} | {percent(scored['value'])} "
        f"| {percent_interval(scored)} | {percent(scored['majority'])} "
        f"| {scored['n']:,} |"
        for name, scored in report["final"].items()
    )
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


def _before(report: dict[str, Any], metric: str) -> str:
    return percent(report["scores"][0].get(metric)) if report["scores"] else "–"
