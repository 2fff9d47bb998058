"""Does a value fit a type of the contract? For typed dictionaries, lists, tuples, literals and unions."""

from __future__ import annotations

from types import UnionType
from typing import Any, Literal, NotRequired, Union, get_args, get_origin, get_type_hints, is_typeddict


def misfit(value: Any, kind: Any, where: str = "report") -> str:
    """What does not fit, and where; empty where all does. JSON writes tuples as lists."""
    if is_typeddict(kind):
        return _misfit_of_dict(value, kind, where)
    arguments = get_args(kind)
    match get_origin(kind):
        case origin if origin is Literal:
            return "" if value in arguments else f"{where}: {value!r} is none of {arguments}"
        case origin if origin in (Union, UnionType):
            fits = any(not misfit(value, option, where) for option in arguments)
            return "" if fits else f"{where}: {value!r:.60} is not {kind}"
        case origin if origin is NotRequired:
            return misfit(value, arguments[0], where)
        case origin if origin is list:
            if not isinstance(value, list):
                return f"{where}: {value!r:.60} is not a list"
            return next(
                filter(None, (misfit(v, arguments[0], f"{where}[{i}]") for i, v in enumerate(value))), ""
            )
        case origin if origin is tuple:
            pairs = zip(value, arguments, strict=True)
            return next(filter(None, (misfit(v, part, f"{where}[]") for v, part in pairs)), "")
        case origin if origin is dict:
            return next(filter(None, (misfit(v, arguments[1], f"{where}.{k}") for k, v in value.items())), "")
    if kind is type(None):
        return "" if value is None else f"{where}: {value!r:.60} is not null"
    wanted = (int, float) if kind is float else (kind,)
    exact = isinstance(value, wanted) and not (isinstance(value, bool) and kind is not bool)
    return "" if exact else f"{where}: {value!r:.60} is not a {kind.__name__}"


def _misfit_of_dict(value: Any, kind: Any, where: str) -> str:
    if not isinstance(value, dict):
        return f"{where}: {value!r:.60} is not a {kind.__name__}"
    known = get_type_hints(kind, include_extras=True)
    # not `__required_keys__`, which knows nothing of annotations that are strings
    needed = {name for name, inner in known.items() if get_origin(inner) is not NotRequired}
    if missing := needed - value.keys():
        return f"{where} lacks {sorted(missing)}"
    if more := value.keys() - known.keys():
        return f"{where} has {sorted(more)}, which the contract does not know"
    return next(filter(None, (misfit(v, known[name], f"{where}.{name}") for name, v in value.items())), "")
