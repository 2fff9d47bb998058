"""What makes a function a verb: its own parameters and the fields of the option groups it takes become one
flat list of options, in Python and in the terminal.

    @verb("Change")
    def disable(model: Model = "mini", *, edit: Edit = "uniform", run_options: RunOptions = RunOptions())

is called as `disable("mini", edit="zero", workers=4)`, or with `run_options=RunOptions(workers=4)`. The
default of a group parameter holds the verb's own defaults. Values are checked by pydantic.
"""

from __future__ import annotations

import difflib
import functools
import inspect
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Annotated, Any, Literal, ParamSpec, TypeVar, get_args, get_origin, get_type_hints

from pydantic import ConfigDict, ValidationError, validate_call

from attlas.errors import AttlasError, option
from attlas.options.describing import KEYWORD, describe, help_of, in_python, values_of
from attlas.options.wrong_values import short, wrong_value
from attlas.outputs import Output, OutputKind, guard_outputs

P = ParamSpec("P")
Result = TypeVar("Result")
#: of the terminal's help, in its order
Panel = Literal["Begin here", "Measure", "Look", "Change", "Share", "Probes"]
#: the studies of verbs without the option `rows` look at single weights
EVERY_ROW = "{} needs every row of the weights: only map and plan sample them"


def verb(panel: Panel | None) -> Callable[[Callable[P, Result]], Callable[..., Result]]:
    """Makes a function a verb. `panel` is where the terminal's help lists it; None for what a terminal cannot
    keep."""
    return functools.partial(_flat, panel)


def _flat(panel: Panel | None, function: Callable[P, Result]) -> Callable[..., Result]:
    """The function with a flat list of options."""
    returns = function.__annotations__.pop("return")  # whose type may be heavy to import
    function.__annotations__ = get_type_hints(function, include_extras=True)
    checked: Callable[..., Result] = validate_call(config=ConfigDict(arbitrary_types_allowed=True))(function)
    parameters = inspect.signature(function).parameters.values()
    groups = {p.name: p.default for p in parameters if hasattr(type(p.default), "panel")}

    @functools.wraps(function)
    def flat(*args: Any, **options: Any) -> Result:
        for name, group in groups.items():
            chosen = options.pop(name, None) or group
            if not isinstance(chosen, type(group)):
                raise AttlasError(f"{name}: a {type(group).__name__} is needed, not {short(chosen)}")
            values = values_of(chosen)
            options[name] = {field: options.pop(field, value) for field, value in values.items()}
        try:
            with _guard_outputs(flat, args, options), _no_inference_mode():
                return checked(*args, **options)
        except ValidationError as error:
            if error.title != function.__name__:  # of something that the verb called
                raise
            raise _in_words(error, flat) from None

    flat.panel = panel  # type: ignore[attr-defined]
    describe(flat, [p for p in parameters if p.name not in groups], groups, returns)
    return flat


def _guard_outputs(
    flat: Callable[..., Any], args: tuple[Any, ...], options: Mapping[str, Any]
) -> AbstractContextManager[None]:
    """What guards the verb's outputs against destroying its inputs, or files that are not ours."""
    places = [p for p in inspect.signature(flat).parameters.values() if p.kind is not KEYWORD]
    single = [p.name for p in places if p.kind is not inspect.Parameter.VAR_POSITIONAL]
    values = dict(zip(single, args, strict=False))
    others = list(args[len(values) :])
    for name, value in options.items():
        values |= value if name.endswith("_options") and isinstance(value, Mapping) else {name: value}
    kinds = {name: _output_kind(flat.__annotations__.get(name)) for name in values}
    inputs = [
        value
        for name, value in values.items()
        if kinds[name] is None and not _is_word(flat.__annotations__.get(name))
    ]
    outputs = {name: (kind, values[name]) for name, kind in kinds.items() if kind is not None}
    listed = next((p.name for p in places if p.kind is inspect.Parameter.VAR_POSITIONAL), None)
    if listed is not None and others and (kind := _output_kind(flat.__annotations__[listed])) is not None:
        outputs[""] = kind, others.pop()
    overwrite = bool(values.get("overwrite")) if "overwrite" in flat.__annotations__ else None
    return guard_outputs([*inputs, *others], outputs, overwrite)


def _no_inference_mode() -> AbstractContextManager[Any]:
    """Verbs decide by themselves what needs gradients, also inside `torch.inference_mode()`."""
    torch = sys.modules.get("torch")
    return torch.inference_mode(False) if torch is not None else nullcontext()


def _output_kind(annotation: Any) -> OutputKind | None:
    """What an option writes; None for one that writes nothing."""
    marks = [mark for mark in getattr(annotation, "__metadata__", ()) if isinstance(mark, Output)]
    inner = (kind for part in get_args(annotation) if (kind := _output_kind(part)) is not None)
    return marks[0].kind if marks else next(inner, None)


def _is_word(annotation: Any) -> bool:
    """Whether an option takes a name or a number, and no path."""
    kinds = [*_leaves(annotation)]
    return Path not in kinds and Any not in kinds


def _leaves(annotation: Any) -> Iterator[Any]:
    """The types that a type is made of."""
    if get_origin(annotation) is Annotated:
        yield from _leaves(get_args(annotation)[0])
    elif parts := get_args(annotation):
        for part in parts:
            yield from _leaves(part)
    else:
        yield annotation


def _in_words(error: ValidationError, flat: Callable[..., Any]) -> Exception:
    """One line on the first option that is wrong. What cannot be called so is a TypeError, as in Python."""
    first, *others = error.errors(include_url=False)
    names = inspect.signature(flat).parameters
    place = first["loc"][0]
    path = (list(names)[place], *first["loc"][1:]) if isinstance(place, int) else first["loc"]
    name = next((str(part) for part in reversed(path) if part in names), str(path[-1]))
    if first["type"] == "unexpected_keyword_argument":
        if name == "rows":
            return TypeError(EVERY_ROW.format(f"{flat.__name__}()"))
        near = difflib.get_close_matches(name, names, 1)
        return TypeError(f"{flat.__name__}() has no option {name!r}{f': {near[0]}?' if near else ''}")
    if first["type"] == "unexpected_positional_argument":
        places = [p.name for p in names.values() if p.kind is not inspect.Parameter.KEYWORD_ONLY]
        return TypeError(f"{flat.__name__}() takes {', '.join(places)} by place, and all else by name")
    if first["type"].startswith("missing"):
        return AttlasError(
            f"{flat.__name__} needs {option(name)}: {in_python(help_of(flat, name)).removesuffix('.')}"
        )
    return AttlasError(wrong_value(name, [first, *others]))
