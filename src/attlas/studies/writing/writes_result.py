"""What heads write, as the terminal, a notebook and JSON show it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pandas as pd
from rich.console import Console

from attlas.address import Head
from attlas.atlas.catalogue.result_tables import records
from attlas.studies.study_result import StudyResult
from attlas.wording.printing import ResultTable, notes_html, print_notes

LISTED = 8  # heads in a table of the terminal
TOKENS = 4  # of a head
IN_A_ROW = 3  # heads that raise, or lower, a token most


@dataclass(frozen=True, repr=False)
class WritesResult(StudyResult):
    """`table` has a row for every head: a column for each statistic, and whether it rests. `tokens` are those
    that each head raises and lowers most, `parts` what each part of the model adds to a target's logit."""

    @property
    def table(self) -> pd.DataFrame:
        address = ["kind", "layer", "head"]
        rows = pd.DataFrame(self.chapter.rows)
        rows = rows[~rows["statistic"].str.startswith("norm_")]
        wide = rows.pivot_table(index=address, columns="statistic", values="value", sort=False).reset_index()
        wide.columns.name = None
        return wide.merge(
            self.resting[[*address, "on_sink", "on_sink_by_norm", "rests"]], on=address, how="left"
        )

    @property
    def resting(self) -> pd.DataFrame:
        return self.chapter.tables["written"]

    @property
    def tokens(self) -> pd.DataFrame:
        columns = ["kind", "layer", "head", "end", "rank", "token", "by"]
        return self.chapter.tables.get("tokens", pd.DataFrame(columns=columns))

    @property
    def parts(self) -> pd.DataFrame:
        return self.chapter.tables.get(
            "parts", pd.DataFrame(columns=["part", "layer", "value", "stderr", "n"])
        )

    @property
    def entries(self) -> pd.DataFrame:
        """Each layer's largest entry of the residual stream, at the first token and at others."""
        return self.chapter.tables["entries"]

    @property
    def contributions(self) -> pd.DataFrame:
        """What each head adds to the logit of each token of the sentence; empty where none was given."""
        columns = ["kind", "layer", "head", "position", "token", "target", "logit"]
        return self.chapter.tables.get("contributions", pd.DataFrame(columns=columns))

    def as_data(self) -> dict[str, Any]:
        heads, parts = records(self.table), super().as_data()
        return {**self._heading(), "heads": heads, **parts}

    def show(self, console: Console) -> None:
        table = self.table
        print_notes(console, self.notes)
        longest = table.sort_values("write_length", ascending=False, kind="stable")[:LISTED]
        apart = table[table["rests"].isin(["by weight", "by output"])]
        shown: list[tuple[str, pd.DataFrame, tuple[str, ...]]] = [
            ("Heads that write most", longest, ("write_length", "write_beside_layer", "write_cosine"))
        ]
        by_weight = apart["on_sink"].where(apart["rests"] == "by weight", 1 - apart["on_sink"])
        clearest = apart.loc[by_weight.sort_values(ascending=False, kind="stable").index][:LISTED]
        shown.append(
            (
                "Rest by one measure only",
                clearest,
                ("on_sink", "on_sink_by_norm", "write_beside_layer", "rests"),
            )
        )
        if "logit" in table:
            numbers = ("logit", "logit_largest", "logit_raises")
            order = table.sort_values("logit", ascending=False, kind="stable")
            shown.append(("Raise the target's logit most", order[:LISTED], numbers))
            shown.append(("Lower it most", order[::-1][:LISTED], numbers))
        for title, rows, columns in shown:
            if len(rows):
                console.print(f"\n[bold]{title}[/bold]")
                self._head_table(rows, columns).show(console)

        for name in ("inactive", "stability"):
            self._show_table(console, name, self.chapter.tables.get(name, pd.DataFrame()))
        if len(self.contributions):
            console.print("\n[bold]Token by token[/bold]")
            self._token_table().show(console)

    def _token_table(self) -> ResultTable:
        """For each token of the sentence, the heads that raise and lower its target most."""
        several = self.resting["kind"].nunique() > 1
        listed = []
        for _, rows in self.contributions.groupby("position"):
            order = records(rows.sort_values("logit", ascending=False, kind="stable"))
            ends = [
                ", ".join(
                    f"{Head.from_row(r).write(several)} {r['logit']:+.2f}"
                    for r in part
                    if sign * r["logit"] > 0
                )
                for sign, part in ((1, order[:IN_A_ROW]), (-1, order[::-1][:IN_A_ROW]))
            ]
            total = sum(row["logit"] for row in order)
            listed.append([order[0]["token"], order[0]["target"], f"{total:+.2f}", *ends])
        words = {"token", "target", "raised by", "lowered by"}
        return ResultTable(("token", "target", "all heads", "raised by", "lowered by"), listed, words)

    def _head_table(self, rows: pd.DataFrame, columns: tuple[str, ...]) -> ResultTable:
        with_tokens = "logit" in columns
        several = self.resting["kind"].nunique() > 1
        words = {"head", "rests", "raises", "lowers"}
        last = ("raises", "lowers") if with_tokens else ()
        listed = []
        for row in records(rows):
            head = Head.from_row(row)
            address = head.write(several)
            cells = [_cell(row[name]) for name in columns]
            tokens = [self._tokens(head, end) for end in ("raised", "lowered")] if with_tokens else []
            listed.append([address, *cells, *tokens])
        return ResultTable(("head", *(_HEADINGS[name] for name in columns), *last), listed, words)

    def _tokens(self, head: Head, end: str) -> str:
        table = self.tokens
        of_head = table[
            (table["kind"] == head.kind) & (table["layer"] == head.layer) & (table["head"] == head.head)
        ]
        return " ".join(of_head[of_head["end"] == end]["token"][:TOKENS])

    def _repr_html_(self) -> str:
        return self.table.to_html(index=False, escape=True, border=0) + notes_html(self.notes)


_HEADINGS = {
    "write_length": "length / stream",
    "write_beside_layer": "length / layer",
    "write_cosine": "cosine",
    "on_sink": "weight at rest",
    "on_sink_by_norm": "by norm",
    "rests": "rests",
    "logit": "adds",
    "logit_largest": "largest",
    "logit_raises": "adds > 0",
}


def _cell(value: Any) -> str:
    return value if isinstance(value, str) else "" if value is None else f"{value:.3f}"
