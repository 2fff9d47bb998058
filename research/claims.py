"""Writes the table of docs/findings/claims.md: claim by claim, what holds in which model.

    python research/claims.py [FOLDER ...]

Folders are those that `attlas reproduce` left: what they found is first copied to research/runs. The
table is made from what lies there.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
PAGE, RUNS = HERE.parent / "docs" / "findings" / "claims.md", HERE / "runs"
BEGIN, END = "<!-- found: claims -->\n", "<!-- /found -->"
PAPERS = {"clark2019": "Clark et al. 2019", "kovaleva2019": "Kovaleva et al. 2019", "vig2019": "Vig 2019"}
UNASKED = ("–", "cannot", "not asked")  # how a cell begins that counts for nothing
UNTRAINED_TOO = "the untrained twin does so, too: it says nothing of what was learned"
#: how a reason begins that no decoder can be asked for, and what says that its first token stands in
OF_A_DECODER, FIRST_TOKEN = "cannot be asked of a decoder: ", "the first token stands in"
COLUMNS = ("BERT-base, recorded", "mini", "MiniLM", "MPNet", "SmolLM2", "random weights")  # in this order
KEPT = ("place", "what", "detail", "faithful", "corrected", "untrained", "unit", "verdict", "why")
DIGITS = {"share": 3, "percent": 1, "nats": 3, "count": 0, "number": 3}


def keep(folder: Path) -> None:
    """What a reproduction found, as one line an item."""
    run = json.loads((folder / "items.json").read_text(encoding="utf-8"))
    kept = ({name: item[name] for name in KEPT} for item in run["items"])
    items = ",\n".join(json.dumps(item, ensure_ascii=False) for item in kept)
    about = json.dumps({"paper": run["paper"], "model": run["model"]}, ensure_ascii=False)
    RUNS.mkdir(exist_ok=True)
    path = RUNS / f"{run['paper']}-{name(run['model']).replace(' ', '-')}.json"
    path.write_text(f'{about[:-1]}, "items": [\n{items}\n]}}\n', encoding="utf-8")


def name(model: str) -> str:
    """What people call it."""
    known = {
        "minilm": "MiniLM",
        "all-mpnet-base-v2": "MPNet",
        "SmolLM2-135M-Instruct.Q4_1": "SmolLM2",
        "untrained-mini": "random weights",
    }
    return known.get(Path(model).name.removesuffix(".gguf"), model)


def table() -> str:
    runs = [json.loads(path.read_text(encoding="utf-8")) for path in sorted(RUNS.glob("*.json"))]
    known = dict.fromkeys(column for run in runs for column in columns_of(run))
    columns = [*(c for c in COLUMNS if c in known), *(c for c in known if c not in COLUMNS)]
    lines = []
    for paper, of_paper in groupby(sorted(runs, key=lambda run: run["paper"]), key=lambda run: run["paper"]):
        cells = claims(list(of_paper))
        asked = [column for column in columns if any(column in cell for cell in cells.values())]
        lines += [
            f"## {PAPERS[paper]}\n",
            f"| where | claim | {' | '.join(asked)} |",
            "|---" * (2 + len(asked)) + "|",
        ]
        for (place, what), by_model in cells.items():
            what = what.replace("|", "\\|")
            lines.append(f"| {place} | {what} | {' | '.join(by_model.get(c, '–') for c in asked)} |")
        lines.append(f"| | **hold, of those asked** | {' | '.join(held(cells, c) for c in asked)} |\n")
    return "\n".join(lines)


def columns_of(run: dict[str, Any]) -> Iterator[str]:
    for item in run["items"]:
        yield column_of(run, item)


def column_of(run: dict[str, Any], item: dict[str, Any]) -> str:
    """The model; or BERT-base, where recorded attention of it was asked."""
    return "BERT-base, recorded" if "recorded attention of" in item["place"] else name(run["model"])


def claims(runs: Sequence[dict[str, Any]]) -> dict[tuple[str, str], dict[str, str]]:
    """Place and claim -> model -> what it shows; those that some model was asked."""
    cells: dict[tuple[str, str], dict[str, str]] = {}
    for run in runs:
        for item in run["items"]:
            place = item["place"].split(", on recorded")[0]
            row = cells.setdefault((place, item["what"]), {})
            row.setdefault(column_of(run, item), cell(item))  # of two recordings the first
    return {key: row for key, row in cells.items() if set(row.values()) != {"–"}}


def cell(item: dict[str, Any]) -> str:
    """holds (0.541)"""
    if item["verdict"] == "not asked":
        why = item.get("why", "")
        if why == UNTRAINED_TOO:
            return "not asked: an untrained model does so, too"
        return f"cannot be asked: {why.removeprefix(OF_A_DECODER)}" if why.startswith(OF_A_DECODER) else "–"
    value = item["corrected"] if item["corrected"] is not None else item["faithful"]
    first = ", first token" if FIRST_TOKEN in item.get("detail", "") else ""
    return f"{item['verdict']} ({value:.{DIGITS[item['unit']]}f}{first})"


def held(cells: dict[tuple[str, str], dict[str, str]], column: str) -> str:
    asked = [cell for row in cells.values() if not (cell := row.get(column, "–")).startswith(UNASKED)]
    return f"**{sum(a.startswith('holds') for a in asked)} of {len(asked)}**"


def written(page: str) -> str:
    """The page with the table in its place."""
    before, rest = page.split(BEGIN)
    return f"{before}{BEGIN}\n{table()}\n{END}{rest.split(END)[1]}"


if __name__ == "__main__":
    for folder in sys.argv[1:]:
        keep(Path(folder))
    PAGE.write_text(written(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
