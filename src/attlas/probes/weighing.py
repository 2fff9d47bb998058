"""Tables of the probes that weigh instead of asking: which heads put the most weight on a group, beside what
they put there under matched conditions."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
from scipy.stats import t

from attlas.probes.accuracy import Cell
from attlas.probes.choosing import holm
from attlas.reducers import Row

_HEAD = ["kind", "layer", "head"]


def weight_table(rows: Sequence[Row], statistic: str) -> pd.DataFrame:
    """A row for every head and group: value, standard error, the matched value, how far above it, and p.

    p is that of Student's one-sided test that the head's weight is larger than the matched one, over windows,
    Holm-corrected for all heads x groups.
    """
    tidy = pd.DataFrame(list(rows), columns=list(Row._fields))
    parts = [tidy[tidy["statistic"] == f"{statistic}{end}"] for end in ("", "_matched", "_over_matched")]
    keys = [*_HEAD, "group"]
    value, matched, gain = (part.set_index(keys)[["value", "stderr", "n"]] for part in parts)
    table = value.rename(columns={"value": "weight"})
    table["matched"] = matched["value"]
    table["gain"] = gain["value"]
    table["gain_stderr"] = gain["stderr"]
    with np.errstate(divide="ignore", invalid="ignore"):
        z = (table["gain"] / table["gain_stderr"]).to_numpy(dtype=float)
    p = np.where(np.isnan(z), 1.0, t.sf(np.nan_to_num(z), np.maximum(gain["n"].reindex(table.index) - 1, 1)))
    table["p"] = holm(p)
    table = table.reset_index()
    table.insert(
        3, "paper", [f"{la + 1}-{h + 1}" for la, h in zip(table["layer"], table["head"], strict=True)]
    )
    return table[["group", *_HEAD, "paper", "weight", "stderr", "matched", "gain", "gain_stderr", "p", "n"]]


def past_percentile(table: pd.DataFrame, percentile: float = 99) -> pd.DataFrame:
    """The heads of each group whose weight lies above the percentile of all heads, strongest first."""
    limit = table.groupby("group")["weight"].transform(lambda w: np.percentile(w, percentile))
    chosen = table[table["weight"] > limit]
    return chosen.sort_values(["group", "weight"], ascending=[True, False]).reset_index(drop=True)


def strongest(table: pd.DataFrame) -> pd.DataFrame:
    """The strongest head of each group."""
    best = table.loc[table.groupby("group", sort=False)["weight"].idxmax()]
    return best.reset_index(drop=True)


def named_heads(table: pd.DataFrame) -> dict[str, Cell]:
    """group -> the strongest of the table's heads. A group says who attends: the direction is always `to`."""
    return {
        record["group"]: Cell(record["kind"], record["layer"], record["head"], "to")
        for record in strongest(table).to_dict("records")
    }
