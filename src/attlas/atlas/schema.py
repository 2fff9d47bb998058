"""The names in an atlas: its files, and the columns of its tables with their types."""

from __future__ import annotations

import re

SCHEMA = 2

MANIFEST = "manifest.json"
HEADS, EXAMPLES, TOKENS, ARRAYS = (
    "heads.parquet",
    "examples.parquet",
    "tokens.parquet",
    "arrays.safetensors",
)
TABLES = "tables"

#: column -> type
HEAD_TYPES = {
    "chapter": "str",
    "kind": "str",
    "layer": "int32",
    "head": "int32",
    "statistic": "str",
    "group": "str",
    "value": "float64",
    "stderr": "float64",
    "n": "int64",
    "documents": "int64",  # that the n come from; 0 where they do not come from documents
    "effective": "float64",  # documents of equal size that would say as much; 0 where that is not known
}
EXAMPLE_TYPES = {
    "chapter": "str",
    "kind": "str",
    "layer": "int32",
    "head": "int32",
    "rank": "int32",
    "weight": "float64",
    "tokens": "str",  # the name of a list of tokens
    "query": "int32",
    "key": "int32",
    "key_tokens": "str",  # the keys' list where it is another, else empty
    "sample": "str",  # how it was chosen: one of SAMPLES
}
#: how an example was chosen: among the head's strongest, from one of five steps of its distribution (the
#: weakest first), at random, or as a link of an annotated corpus
STRONGEST, RANDOM, LINK = "strongest", "random", "link"
SAMPLES = (STRONGEST, *(f"step {step}" for step in range(5)), RANDOM, LINK)
COLUMNS, EXAMPLE_COLUMNS = tuple(HEAD_TYPES), tuple(EXAMPLE_TYPES)
TOKEN_COLUMNS = ("chapter", "name", "tokens")

#: columns that make a table one about heads
ADDRESS = ("kind", "layer", "head")

LONGEST_NAME = 120  # bytes: file systems take 255 for chapter, table and ending together
_CHAPTER = re.compile(r"\w[\w.+-]*")
_PART = re.compile(r"\w[\w+-]*")
_ARRAY = re.compile(r"[^/\x00]+")


def chapter_name(study: str, corpus: str, faithful: bool = False) -> str:
    """study-corpus[-faithful], without what a file's name should not hold: surface-wikipedia."""
    kept = re.sub(r"[^\w.+-]+", "-", f"{study}-{corpus}").strip("-.")
    end = "-faithful" if faithful else ""
    return kept.encode()[: LONGEST_NAME - len(end)].decode(errors="ignore") + end


def is_chapter_name(name: object) -> bool:
    return isinstance(name, str) and bool(_CHAPTER.fullmatch(name)) and len(name.encode()) <= LONGEST_NAME


def is_table_name(name: object) -> bool:
    """Without a full stop: in the file's name the last one parts chapter and table."""
    return isinstance(name, str) and bool(_PART.fullmatch(name)) and len(name.encode()) <= LONGEST_NAME


def is_array_name(name: object) -> bool:
    return isinstance(name, str) and bool(_ARRAY.fullmatch(name))


def table_file(chapter: str, name: str) -> str:
    return f"{TABLES}/{chapter}.{name}.parquet"


def table_of(file: str) -> tuple[str, str] | None:
    """Chapter and name of a table's file; None where it is not one."""
    if not (file.startswith(f"{TABLES}/") and file.endswith(".parquet")):
        return None
    chapter, _, name = file.removeprefix(f"{TABLES}/").removesuffix(".parquet").rpartition(".")
    return (chapter, name) if is_chapter_name(chapter) and is_table_name(name) else None
