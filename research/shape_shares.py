"""Shares of the shapes of maps in every task, before and after fine-tuning (Kovaleva 2019, figure 2).

    python research/shape_shares.py FOLDER docs/images    # where research/finetuning.py left its comparisons

Prints the table of docs/shapes.md, and writes shapes-glue.png: a pair of bars a task, the model as it was
pre-trained above what it became.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import pandas as pd

from attlas.figures.charts.shapes import shares_beside
from attlas.figures.drawing import save_specs
from attlas.figures.layout import FigureSpec, Group


def read(folder: Path) -> pd.DataFrame:
    """A row a task, seed, moment and shape: the share among all heads' maps of the task's dev examples."""
    rows = []
    for path in sorted((folder / "compare").glob("*.json")):
        comparison = json.loads(path.read_text())
        if comparison["job"]["condition"] != "pretrained":
            continue
        layers = pd.DataFrame(comparison["shapes"])
        # every layer has as many heads
        for moment, column in (("pre-trained", "first"), ("fine-tuned", "second")):
            for shape, share in layers.groupby("shape", sort=False)[column].mean().items():
                rows.append((comparison["job"]["task"], comparison["job"]["seed"], moment, shape, share))
    return pd.DataFrame(rows, columns=["task", "seed", "moment", "shape", "share"])


def summary(shares: pd.DataFrame) -> pd.DataFrame:
    """Means over seeds, from the least to the largest of them."""
    by = shares.groupby(["task", "moment", "shape"], sort=False)["share"]
    return by.agg(share="mean", low="min", high="max", seeds="count").reset_index()


def table(shares: pd.DataFrame) -> str:
    shapes = list(dict.fromkeys(shares["shape"]))
    lines = [f"| task | {' | '.join(shapes)} | seeds |", "|---" * (len(shapes) + 2) + "|"]
    for task, of_task in shares.groupby("task", sort=False):
        cells = []
        for shape in shapes:
            before, after = (
                of_task[(of_task["moment"] == moment) & (of_task["shape"] == shape)].iloc[0]
                for moment in ("pre-trained", "fine-tuned")
            )
            cells.append(
                f"{100 * before['share']:.0f} → {100 * after['share']:.0f} "
                f"({100 * after['low']:.0f} to {100 * after['high']:.0f})"
            )
        lines.append(f"| {task} | {' | '.join(cells)} | {of_task['seeds'].max()} |")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("images", type=Path)
    parser.add_argument("--theme", choices=("light", "dark"), default="light")
    options = parser.parse_args()
    shares = summary(read(options.folder))
    print(table(shares))
    bars = {
        f"{task}, {moment}": of_task
        for (task, moment), of_task in shares.groupby(["task", "moment"], sort=False)
    }
    caption = "The share of each shape among all maps, before and after fine-tuning; lines span the seeds."
    groups = (Group("encoder", (shares_beside(bars),)),)
    spec = FigureSpec("shapes", "shapes-glue", "Shapes of attention maps", caption, groups)
    save_specs([spec], options.images, ("png",), options.theme)


if __name__ == "__main__":
    main()
