"""How results look in the terminal, and as JSON."""

from __future__ import annotations

from typing import Any

import pandas as pd
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from attlas.address import Head
from attlas.atlas import Atlas
from attlas.atlas.schema import STATISTICS
from attlas.errors import printable
from attlas.studies.results import ProbeResult

#: what a summary looks for: words, statistic, group
STRONGEST = (
    ("next token", "to_next", ""),
    ("previous token", "to_previous", ""),
    ("itself", "to_self", ""),
    ("[CLS]", "to_class", "cls"),
    ("[SEP]", "to_class", "sep"),
    ("period or comma", "to_class", "punct"),
    ("first token", "to_first", ""),
)


def show(console: Console, result: Any, given: dict[str, Any]) -> None:
    match result:
        case ProbeResult():
            result.show(console)
        case Atlas():
            summary(console, result)
            console.print(f"\nThe atlas is in [bold]{escape(str(result.path))}[/bold]", soft_wrap=True)
            if given.get("page"):
                console.print(f"The page is [bold]{escape(str(given['page']))}[/bold]", soft_wrap=True)
        case pd.DataFrame() if "statistic" in result.columns:
            console.print(_head_table(result, str(given.get("head"))))
        case pd.DataFrame():
            console.print(_overview_table(result))
        case list():
            for path in result:
                console.print(escape(str(path)), soft_wrap=True, highlight=False)


def as_data(result: Any) -> Any:
    """The result as JSON takes it."""
    match result:
        case ProbeResult():
            return result.as_data()
        case Atlas():
            return {"atlas": str(result.path), **result.manifest}
        case pd.DataFrame():
            return result.astype(object).where(result.notna(), None).to_dict("records")
        case _:
            return [str(path) for path in result]


def summary(console: Console, atlas: Atlas) -> None:
    """What was found, in a dozen lines."""
    corpus, model = atlas.manifest["corpus"], atlas.manifest["model"]
    heads = " + ".join(f"{n} {k}" for k, n in model["heads"].items())
    console.print(
        f"[bold]{escape(model['name'])}[/bold]: {heads} heads over {corpus['segments']:,} segments "
        f"({corpus['tokens']:,} tokens) of {escape(corpus['name'])}"
    )
    sampled = {name: n for name, n in atlas.manifest.get("sampled", {}).items() if name != "statistics"}
    if sampled:
        console.print(", ".join(f"{name} on a sample of {n:,}" for name, n in sampled.items()), style="dim")
    table = Table(title="Heads that look most at ...", title_justify="left", box=None, header_style="dim")
    for column, side in (("", "left"), ("head", "right"), ("share", "right"), ("± s.e.", "right")):
        table.add_column(column, justify=side)  # type: ignore[arg-type]
    for words, statistic, group in STRONGEST:
        rows = atlas.heads[(atlas.heads["statistic"] == statistic) & (atlas.heads["group"] == group)]
        if rows.empty:
            continue
        best = rows.nlargest(1, "value").to_dict("records")[0]
        name = _written(best["kind"], best["layer"], best["head"], atlas)
        table.add_row(escape(words), name, f"{best['value']:.3f}", f"{best['stderr']:.3f}")
    console.print(table)
    labels = pd.Series(list(atlas.labels().values()), dtype=str).value_counts()
    if len(labels):
        counted = ", ".join(f"{n} {label}" for label, n in labels.items())
        console.print(f"Behaviour: {counted}; the others have none of these")
    for kind in atlas.kinds:
        if atlas.has("distance_within", kind=kind) and atlas.has("distance_between", kind=kind):
            near, far = (float(atlas.grid(f"distance_{w}", kind=kind).mean()) for w in ("within", "between"))
            console.print(
                f"Mean distance between {kind} heads: {near:.3f} within a layer, {far:.3f} between layers"
            )


def _written(kind: str, layer: int, head: int, atlas: Atlas) -> str:
    address = Head(kind, int(layer), int(head))  # type: ignore[arg-type]
    return str(address) if len(atlas.kinds) == 1 else address.full


def _overview_table(rows: pd.DataFrame) -> Table:
    table = Table(box=None, header_style="dim", padding=(0, 1, 0, 0))
    kinds = rows["kind"].nunique() > 1
    table.add_column("head", justify="right")
    table.add_column("label")
    values = [c for c in rows.columns if c not in ("kind", "layer", "head", "label")]
    for column in values:
        table.add_column(column, justify="right")
    for row in rows.to_dict("records"):
        name = f"{row['layer']}.{row['head']}"
        cells = ["" if pd.isna(row[c]) else f"{row[c]:.3f}" for c in values]
        table.add_row(
            f"{row['kind']}.{name}" if kinds else name, escape(printable(str(row["label"]))), *cells
        )
    return table


def _head_table(rows: pd.DataFrame, head: str) -> Table:
    table = Table(title=f"head {head}", box=None, header_style="dim", title_justify="left")
    for column, side in (("statistic", "left"), ("group", "left"), ("value", "right"), ("± s.e.", "right")):
        table.add_column(column, justify=side)  # type: ignore[arg-type]
    table.add_column("n", justify="right")
    table.add_column("what it is", style="dim")
    for row in rows.to_dict("records"):
        meaning = STATISTICS.get(str(row["statistic"]), ("", ""))[1]
        stderr = "" if pd.isna(row["stderr"]) else f"{row['stderr']:.4f}"
        table.add_row(
            row["statistic"],
            escape(printable(str(row["group"]))),
            f"{row['value']:.4f}",
            stderr,
            f"{row['n']:,}",
            meaning,
        )
    return table
