"""An atlas as a dataset repository of the Hugging Face Hub, with a card that is made of its sentences."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from attlas.atlas import Atlas, load_atlas
from attlas.atlas.atlas import contents
from attlas.atlas.hub import can_reach_hub, endpoint, hub_errors
from attlas.atlas.schema import EXAMPLES, HEADS, MANIFEST
from attlas.errors import AttlasError, option
from attlas.extras import version_of
from attlas.progress import tell
from attlas.reports.asking import stands_out
from attlas.wording.numbers import count, model_title

if TYPE_CHECKING:
    from rich.console import Console

_ON_HUB = re.compile(r"[\w-][\w.-]{0,95}/[\w-][\w.-]{0,95}")
#: what Markdown or HTML would read as more than text
_SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|!&$~])")
_CARD = """---
pretty_name: {title}
tags:
- attlas
- attention
- interpretability
configs:
- config_name: heads
  data_files: {heads}
  default: true
- config_name: examples
  data_files: {examples}
---

# {heading}

An atlas of attention: what {size} of {model} do, measured by Attlas {version}.

{sentences}

## Read it

    attlas show hf://{repository}
    attlas report hf://{repository} --open
    attlas ask hf://{repository} "which head looks at the previous token?"

`heads.parquet` has one row per number: chapter, kind, layer, head, statistic, group, value, stderr, n
and documents.

## What was measured

| chapter | study | corpus | read |
|---|---|---|---|
{chapters}
"""


@dataclass(frozen=True)
class Pushed:
    """Where the atlas is now, and how much was sent."""

    address: str
    page: str
    files: int
    bytes: int
    private: bool

    def as_data(self) -> dict[str, Any]:
        return dict(vars(self))

    def show(self, console: Console) -> None:
        from attlas.wording.printing import safe

        seen = "only you and those you name can see it" if self.private else "everybody can see it"
        console.print(f"{count(self.files, 'file')}, {self.bytes / 1e6:,.1f} MB: {safe(self.page)}; {seen}")
        console.print(f"Read it as [bold]{safe(self.address)}[/bold]")


def push_atlas(atlas: Path, repository: str, public: bool) -> Pushed:
    """Send an atlas, after checking that it is whole, in one commit. Files that the hub has are not sent
    again."""
    from huggingface_hub import CommitOperationAdd, HfApi

    repository = repository.removeprefix("hf://")
    if not _ON_HUB.fullmatch(repository):
        raise AttlasError(f"{repository[:100]!r} is not a name on the hub: write OWNER/NAME")
    opened = load_atlas(atlas)
    if not can_reach_hub():
        raise AttlasError("there is no network to reach the hub")
    names = [MANIFEST, *opened.manifest["files"]]
    card = card_of(opened, repository)
    operations = [CommitOperationAdd("README.md", card.encode("utf-8"))]
    operations += [CommitOperationAdd(name, str(atlas / name)) for name in names]
    with hub_errors(repository):
        api = HfApi(endpoint=endpoint(), library_name="attlas", library_version=version_of("attlas"))
        tell(f"sending {repository}")
        api.create_repo(repository, repo_type="dataset", private=not public, exist_ok=True)
        private = bool(api.dataset_info(repository).private)  # one that is there stays as it is
        if not private and not public:
            seen = f"{repository} is public on the hub: everybody would see the atlas"
            raise AttlasError(f"{seen}. {option('public', True)} sends it all the same")
        message = f"Attlas {version_of('attlas')}: {', '.join(opened.chapters)[:200]}"
        api.create_commit(repository, operations, commit_message=message, repo_type="dataset")
    size = sum((atlas / name).stat().st_size for name in names)
    page = f"{endpoint()}/datasets/{repository}"
    return Pushed(f"hf://{repository}", page, len(operations), size + len(card), private)


def card_of(atlas: Atlas, repository: str) -> str:
    """The README of the repository. Names and sentences are text in it, whatever they hold."""
    name = str(atlas.model.get("name", ""))
    title = model_title(name)
    linked = re.fullmatch(r"[\w-][\w.-]*/[\w-][\w.-]*", name)
    rows = contents(atlas)[["chapter", "study", "corpus", "items"]]
    return _CARD.format(
        title=json.dumps(f"Attention atlas of {title}"[:100]),
        heading=f"What the heads of {_escape_markdown(title)} do",
        size=count(len(atlas.addresses), "attention head"),
        model=f"[{_escape_markdown(name)}](https://huggingface.co/{name})"
        if linked
        else _escape_markdown(title),
        version=version_of("attlas"),
        sentences="\n".join(f"- {_escape_markdown(sentence)}" for sentence in stands_out(atlas)),
        repository=repository,
        heads=HEADS,
        examples=EXAMPLES,
        chapters="\n".join(
            f"| {' | '.join(_escape_markdown(cell) for cell in row)} |"
            for row in rows.itertuples(index=False)
        ),
    )


def _escape_markdown(text: object) -> str:
    """Text that Markdown shows as it stands, on one line."""
    return _SPECIAL.sub(r"\\\1", " ".join(str(text).split()))
