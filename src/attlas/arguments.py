"""What the public verbs are given: an argument of a wrong type is one clear line, and not a traceback from
deep inside."""

from __future__ import annotations

import functools
import inspect
import os
from collections.abc import Callable, Collection, Mapping
from numbers import Integral, Real
from pathlib import Path
from typing import Any, Literal, TypeVar, get_args, get_origin

from attlas.errors import AttlasError

Verb = TypeVar("Verb", bound=Callable[..., Any])


def checked(verb: Verb) -> Verb:
    """Checks arguments whose annotation is plain (`int`, `str | None`, `Path`, `Sequence[int]`, the name of a
    `Literal`) when the verb is called from Python, as the terminal does for its own. Paths may be strings."""
    annotations, known = dict(verb.__annotations__), verb.__globals__
    signature = inspect.signature(verb)

    @functools.wraps(verb)
    def checking(*args: Any, **kwargs: Any) -> Any:
        try:
            bound = signature.bind(*args, **kwargs)
        except TypeError as error:
            raise TypeError(f"{verb.__name__}{_called_as(signature)}: {error}") from None
        bound.arguments.update(checked_values(annotations, bound.arguments, known))
        return verb(*bound.args, **bound.kwargs)

    return checking  # type: ignore[return-value]


def _called_as(signature: inspect.Signature) -> str:
    """(model, *, text=..., ...): what goes by its place, and that the others go by name."""
    named = inspect.Parameter.KEYWORD_ONLY
    by_place = [n for n, p in signature.parameters.items() if p.kind is not named]
    by_name = [n for n, p in signature.parameters.items() if p.kind is named]
    return f"({', '.join([*by_place, *(f'{n}=...' for n in by_name[:1]), *(['...'] * bool(by_name[1:]))])})"


def checked_values(
    annotations: Mapping[str, Any], given: Mapping[str, Any], known: Mapping[str, Any]
) -> dict[str, Any]:
    """What is given, by name, where the annotation of that name is plain: checked, and strings made paths.
    `known` are the names that annotations speak of, among them those of choices (`Literal`)."""
    found = {}
    for name, value in given.items():
        annotation = str(annotations.get(name, ""))
        kind = annotation.removesuffix(" | None")
        if value is None and kind != annotation:
            continue
        if kind in _KINDS:
            found[name] = _KINDS[kind](name, value)
        elif get_origin(known.get(kind)) is Literal and value not in get_args(known[kind]):
            raise AttlasError(f"{name} is {_shown(value)}: choose one of {', '.join(get_args(known[kind]))}")
    return found


def whole(name: str, value: Any) -> Any:
    if not isinstance(value, Integral) or isinstance(value, bool):
        raise AttlasError(f"{name} is {_shown(value)}: a whole number is needed")
    return int(value)


def _number(name: str, value: Any) -> Any:
    if not isinstance(value, Real) or isinstance(value, bool):
        raise AttlasError(f"{name} is {_shown(value)}: a number is needed")
    return value


def _switch(name: str, value: Any) -> Any:
    if not isinstance(value, bool):
        raise AttlasError(f"{name} is {_shown(value)}: True or False is needed")
    return value


def words(name: str, value: Any) -> Any:
    if not isinstance(value, str):
        raise AttlasError(f"{name} is {_shown(value)}: a string is needed")
    return value


def path(name: str, value: Any) -> Any:
    if not isinstance(value, str | os.PathLike) or not str(value):
        raise AttlasError(f"{name} is {_shown(value)}: the path of a file or folder is needed")
    if "\0" in str(value):
        raise AttlasError(f"{name} is {_shown(value)}: a path cannot hold the character 0")
    return Path(value)


def _each(check: Callable[[str, Any], Any], what: str) -> Callable[[str, Any], Any]:
    def several(name: str, value: Any) -> Any:
        if isinstance(value, str) or not isinstance(value, Collection):
            raise AttlasError(f"{name} is {_shown(value)}: a list of {what} is needed")
        return [check(f"one of {name}", one) for one in value]

    return several


def _shown(value: Any) -> str:
    written = repr(value)
    return written if len(written) <= 60 and "\n" not in written else f"a {type(value).__name__}"


_KINDS: dict[str, Callable[[str, Any], Any]] = {
    "int": whole,
    "float": _number,
    "bool": _switch,
    "str": words,
    "Path": path,
    "File": path,
    "Sequence[int]": _each(whole, "whole numbers"),
    "Sequence[str]": _each(words, "strings"),
}
