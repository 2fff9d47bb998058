"""What a server was given when it began: models and atlases. Requests name them by id, and nothing else."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from attlas.atlas import Atlas, load_atlas
from attlas.errors import AttlasError
from attlas.server.messages import Beside, EditRequest, Group, RunRequest
from attlas.views.head_names import by_chapter, names_of
from attlas.wording.numbers import model_title


@dataclass(frozen=True)
class ServedAtlas:
    """An atlas, and the names that it gives to heads."""

    id: str
    atlas: Atlas

    @property
    def model_name(self) -> str:
        return str(self.atlas.model.get("name", ""))

    @property
    def title(self) -> str:
        return model_title(self.model_name)

    @cached_property
    def groups(self) -> tuple[Group, ...]:
        """The heads of each name, those with the most heads first."""
        several = len(self.atlas.kinds) > 1
        groups = []
        for name in names_of(by_chapter(self.atlas)):
            if name["name"] == "none":
                continue
            heads = [
                f"{kind}.{layer}.{head}" if several else f"{layer}.{head}"
                for kind, layer, head, _ in name["heads"]
            ]
            if heads:
                groups.append(
                    Group(
                        id=f"{name['kind']}:{name['name']}",
                        kind=name["kind"],
                        title=name["title"],
                        heads=heads,
                    )
                )
        return tuple(sorted(groups, key=lambda group: -len(group.heads)))

    @cached_property
    def pattern_of(self) -> dict[str, str]:
        """The pattern that names each head."""
        return {
            head: group.id.partition(":")[2]
            for group in self.groups
            if group.kind == "pattern"
            for head in group.heads
        }


@dataclass(frozen=True)
class ServedModel:
    """A model as it was named at the start: `name` is what `attlas.load` takes."""

    id: str
    name: str
    atlas: ServedAtlas | None = None
    load: dict[str, Any] = field(default_factory=dict)

    @property
    def title(self) -> str:
        return model_title(self.name).removesuffix(".gguf")

    def resolve(self, edits: Sequence[EditRequest]) -> list[EditRequest]:
        """Edits that name their heads and patterns themselves, without the atlas."""
        resolved: list[EditRequest] = []
        for edit in edits:
            heads = [*edit.heads, *(self._group(edit.group) if edit.group else ())]
            if not heads:
                raise AttlasError("an edit names no heads: give heads, or a group")
            if edit.by != "pattern" or edit.pattern is not None:
                resolved.append(EditRequest(heads=heads, by=edit.by, pattern=edit.pattern))
                continue
            by_name: dict[str, list[str]] = {}
            for head in heads:
                by_name.setdefault(self._pattern(head), []).append(head)
            resolved += [EditRequest(heads=of, by="pattern", pattern=name) for name, of in by_name.items()]
        return resolved

    def _group(self, group: str) -> list[str]:
        groups = {} if self.atlas is None else {known.id: known.heads for known in self.atlas.groups}
        if group not in groups:
            raise AttlasError(f"there is no group {group!r} of heads of {self.title}")
        return groups[group]

    def _pattern(self, head: str) -> str:
        known = {} if self.atlas is None else self.atlas.pattern_of
        if head not in known:
            raise AttlasError(
                f"no atlas gives head {head} the name of a pattern: choose the pattern yourself"
            )
        return known[head]


@dataclass(frozen=True)
class Served:
    """Everything that was given at the start."""

    models: tuple[ServedModel, ...]
    atlases: tuple[ServedAtlas, ...] = ()

    def model(self, id: str) -> ServedModel:
        """The model of an id; an error lists those that there are."""
        for model in self.models:
            if model.id == id:
                return model
        raise AttlasError(
            f"there is no model {id!r}: there are {', '.join(model.id for model in self.models)}"
        )

    def atlas(self, id: str) -> ServedAtlas | None:
        return next((atlas for atlas in self.atlases if atlas.id == id), None)

    def model_of(self, atlas: ServedAtlas) -> str | None:
        """The id of the model that an atlas is of."""
        return next((model.id for model in self.models if model.atlas is atlas), None)

    def resolve(self, request: RunRequest) -> RunRequest:
        """A request whose edits name their heads themselves."""
        model = self.model(request.model)
        update: dict[str, Any] = {"edits": model.resolve(request.edits)}
        if request.beside is not None and request.beside.edits is not None:
            other = self.model(request.beside.model or request.model)
            update["beside"] = request.beside.model_copy(
                update={"edits": other.resolve(request.beside.edits)}
            )
        elif request.beside is not None and request.beside.model is not None:
            self.model(request.beside.model)
        return request.model_copy(update=update)


def beside_request(request: RunRequest, beside: Beside) -> RunRequest:
    """The request of what stands beside another."""
    differs = {name: value for name, value in beside if value is not None}
    update: dict[str, Any] = {"beside": None, **differs}
    if beside.text is not None and "text_b" not in differs:
        update["text_b"] = None
    return request.model_copy(update=update)


def serve_these(models: Sequence[str], atlases: Iterable[Any], load: dict[str, Any]) -> Served:
    """Give every model and atlas an id, and every model its atlas."""
    opened = [atlas if isinstance(atlas, Atlas) else load_atlas(atlas) for atlas in atlases]
    ids = _ids([str(atlas.model.get("name", "atlas")) for atlas in opened])
    kept = tuple(ServedAtlas(id, atlas) for id, atlas in zip(ids, opened, strict=True))
    matched = [
        next((a for a in kept if model_title(a.model_name) == model_title(name)), None) for name in models
    ]
    # a model may have moved, or be in another format: what is left over is paired in the order given
    left = [atlas for atlas in kept if atlas not in matched]
    if len(left) == matched.count(None):
        matched = [atlas or left.pop(0) for atlas in matched]
    served = [
        ServedModel(id, name, atlas, load)
        for id, name, atlas in zip(_ids(models), models, matched, strict=True)
    ]
    return Served(tuple(served), kept)


def _ids(names: Sequence[str]) -> list[str]:
    """mini · smollm2.gguf · bert-2, where another has the same name"""
    ids: list[str] = []
    for name in names:
        plain = re.sub(r"[^A-Za-z0-9._-]+", "-", model_title(name)).strip("-.")[:48] or "model"
        id, number = plain, 1
        while id in ids:
            number += 1
            id = f"{plain}-{number}"
        ids.append(id)
    return ids
