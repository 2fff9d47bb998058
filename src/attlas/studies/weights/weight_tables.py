"""Tables of the studies of weights: which heads put the most weight on a group, beside what they put there
under matched conditions."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from attlas.row import Row
from attlas.statistics.clusters import degrees
from attlas.statistics.hypotheses import above_zero, holm
from attlas.studies.links.link_questions import DirectedHead

_HEAD = ["kind", "layer", "head"]
_COLUMNS = ["statistic", "group", *_HEAD, "from_1"]
_COLUMNS += ["weight", "stderr", "matched", "gain", "gain_stderr", "p", "n", "documents"]


def weight_table(rows: Sequence[Row], statistic: str) -> pd.DataFrame:
    """A row for every head and group: weight, standard error, the matched weight, how far above it, and p.

    p is that of Student's one-sided test that the head's weight is larger than the matched one, over
    documents, Holm-corrected for all heads x groups.
    """
    tidy = pd.DataFrame(list(rows), columns=list(Row._fields))
    parts = [tidy[tidy["statistic"] == f"{statistic}{end}"] for end in ("", "_matched", "_over_matched")]
    value, matched, gain = (
        part.set_index([*_HEAD, "group"])[["value", "stderr", "n", "documents", "effective"]]
        for part in parts
    )
    table = value.rename(columns={"value": "weight"})
    table["matched"] = matched["value"]
    table["gain"] = gain["value"]
    table["gain_stderr"] = gain["stderr"]
    items, effective = (gain[name].reindex(table.index).to_numpy(dtype=float) for name in ("n", "effective"))
    above, stderr = (table[name].to_numpy(dtype=float) for name in ("gain", "gain_stderr"))
    table["p"] = holm(above_zero(above, stderr, degrees(items, effective)))
    table = table.reset_index()
    table["statistic"] = statistic
    table["from_1"] = [f"{la + 1}-{h + 1}" for la, h in zip(table["layer"], table["head"], strict=True)]
    return table[_COLUMNS]


def past_percentile(table: pd.DataFrame, percentile: float = 99) -> pd.DataFrame:
    """The heads of each group whose weight lies above the percentile of all heads, strongest first."""
    limit = table.groupby("group")["weight"].transform(lambda w: np.percentile(w, percentile))
    chosen = table[table["weight"] > limit]
    return chosen.sort_values(["group", "weight"], ascending=[True, False]).reset_index(drop=True)


def strongest(table: pd.DataFrame) -> pd.DataFrame:
    """The strongest head of each group; of equals the first in reading order."""
    best = table.loc[table.groupby("group", sort=False)["weight"].idxmax()]
    return best.reset_index(drop=True)


def named_heads(table: pd.DataFrame) -> dict[str, DirectedHead]:
    """group -> the strongest of the table's heads. A group says who attends: the direction is always `to`."""
    return {
        record["group"]: DirectedHead(record["kind"], int(record["layer"]), int(record["head"]), "to")
        for record in strongest(table).to_dict("records")
    }
