"""The catalogue: every study, as it declares itself."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from attlas.atlas.catalogue.change_declarations import DISABLE, PRUNE, WRITES
from attlas.atlas.catalogue.comparison_declaration import COMPARE
from attlas.atlas.catalogue.declaration import Again, Column, Declaration, Table
from attlas.atlas.catalogue.explain_declaration import EXPLAIN
from attlas.atlas.catalogue.paper_declarations import REDUNDANCY, RESTING, RESTING_LOSS, VIG2019
from attlas.atlas.catalogue.patch_declaration import PATCH
from attlas.atlas.catalogue.probe_declarations import (
    COREFERENCE,
    DEPENDENCIES,
    FEATURES,
    FRAMES,
    RELATED,
    TREE,
)
from attlas.atlas.catalogue.surface_declarations import NAME_TESTS, PATTERNS, SHAPES, SURFACE
from attlas.atlas.catalogue.why_declaration import WHY
from attlas.atlas.schema import ADDRESS

__all__ = [
    "CATALOGUE",
    "Again",
    "Column",
    "Declaration",
    "Table",
    "declaration_of",
    "declared_table",
    "is_declared_table",
]

#: the columns of a paper's items, as `attlas reproduce` writes them
PAPER_ITEMS = (
    *("place", "what", "detail", "paper", "known from", "faithful", "corrected", "low", "high"),
    *("where", "untrained", "chance", "threshold", "verdict", "why"),
)
_OVERVIEW = (*ADDRESS, "behaviour")
#: name -> what the study says of itself, in the order in which a report offers them
CATALOGUE: Mapping[str, Declaration] = MappingProxyType(
    {
        declaration.name: declaration
        for declaration in (
            SURFACE,
            PATTERNS,
            SHAPES,
            NAME_TESTS,
            DEPENDENCIES,
            DISABLE,
            COREFERENCE,
            FEATURES,
            FRAMES,
            RELATED,
            TREE,
            COMPARE,
            WRITES,
            PRUNE,
            PATCH,
            WHY,
            EXPLAIN,
            RESTING,
            RESTING_LOSS,
            REDUNDANCY,
            VIG2019,
        )
    }
)


def declaration_of(about: Mapping[str, Any]) -> Declaration | None:
    """The declaration of the study that made a chapter; None where this Attlas does not know it."""
    return CATALOGUE.get(str(about.get("study")))


def declared_table(about: Mapping[str, Any], name: str, columns: Collection[str]) -> Table | None:
    """What is declared of a chapter's table. A study that is not in the catalogue may leave a table like that
    of one that is: of the same name, with the columns that readers rely on."""
    known = declaration_of(about)
    declared = (table for d in ([known] if known else CATALOGUE.values()) for table in d.tables)
    fits = (t for t in declared if t.name == name and (known or _is_alike(t, columns)))
    return next(fits, None)


def is_declared_table(columns: Sequence[str]) -> bool:
    """Whether a file with these columns is a table that a verb writes: the overview, which begins with a
    head's address; a paper's items; or four or more columns of one declared table, and few others."""
    names = set(columns)
    if tuple(columns) == PAPER_ITEMS or tuple(columns[: len(_OVERVIEW)]) == _OVERVIEW:
        return True
    tables = (table for declaration in CATALOGUE.values() for table in declaration.tables)
    declared = ({*(column.name for column in table.columns), *ADDRESS} for table in tables)
    return any(len(names & known) >= max(4, 0.8 * len(names)) for known in declared)


def _is_alike(table: Table, columns: Collection[str]) -> bool:
    """Whether columns are those that tell a table from others: a head's address alone does not."""
    return bool(table.needed - set(ADDRESS)) and table.needed <= set(columns)
