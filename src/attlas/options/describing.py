"""How a verb is described: a signature and a docstring for people, annotations for the terminal."""

from __future__ import annotations

import inspect
import re
import shlex
import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from cyclopts import Group, Parameter, Token
from docstring_parser import DocstringStyle, parse

from attlas.options.option_groups import IN_PYTHON, Help, Written

WIDTH = 96  # of a docstring's lines
KEYWORD = inspect.Parameter.KEYWORD_ONLY


def values_of(group: Any) -> dict[str, Any]:
    return {field.name: getattr(group, field.name) for field in fields(group)}


def help_of(flat: Callable[..., Any], name: str) -> str:
    extras = flat.__annotations__[name].__metadata__
    return next((str(e.help) for e in extras if isinstance(e, Parameter) and e.help), "")


def first_sentence(flat: Callable[..., Any], name: str) -> str:
    return help_of(flat, name).partition(". ")[0].removesuffix(".")


def is_own(flat: Callable[..., Any], name: str) -> bool:
    """Whether the verb declares the option itself, and not a group."""
    extras = flat.__annotations__[name].__metadata__
    return not name.endswith("_options") and all(e.group == () for e in extras if isinstance(e, Parameter))


def about(flat: Any) -> str:
    """What a verb does, one paragraph per line."""
    return str(flat.about)


def describe(
    flat: Any, verb_parameters: Sequence[inspect.Parameter], groups: Mapping[str, Any], returns: str
) -> None:
    """Gives the flat verb its signature, docstring and annotations. `verb_parameters` are those of no group,
    `groups` the defaults of its groups."""
    document = parse(flat.__doc__ or "", DocstringStyle.NUMPYDOC)
    verb_help = {p.arg_name: p.description or "" for p in document.params}
    parameters, annotations = [], {}
    sections: dict[str, list[str]] = {"Parameters": []}

    def add(parameter: inspect.Parameter, help: str, panel: str, group: Group | None) -> None:
        parameters.append(parameter.replace(annotation=Written(spell_type(parameter.annotation))))
        annotations[parameter.name] = _for_terminal(parameter, " ".join(help.split()), group)
        sections.setdefault(panel, []).append(_entry(parameter.name, help))

    for parameter in verb_parameters:
        help = _with_help_of_type(parameter.annotation, verb_help.get(parameter.name, ""))
        add(parameter, help, "Parameters", None)
    for place, group in enumerate(groups.values()):
        panel = Group(group.panel, sort_key=place)
        types, helps = get_type_hints(type(group), include_extras=True), _helps(type(group))
        for name, value in values_of(group).items():
            parameter = inspect.Parameter(name, KEYWORD, default=value, annotation=types[name])
            add(parameter, _with_help_of_type(types[name], helps.get(name, "")), group.panel, panel)
    for name, group in groups.items():
        kind = type(group)
        annotation = Written(f"{kind.__name__} | None")
        parameters.append(inspect.Parameter(name, KEYWORD, default=None, annotation=annotation))
        annotations[name] = Annotated[kind, IN_PYTHON]
    flat.__signature__ = inspect.Signature(parameters, return_annotation=Written(returns))
    flat.__annotations__ = annotations
    flat.about = _paragraphs(inspect.cleandoc(flat.__doc__ or "").partition("\nParameters\n")[0])
    body = [textwrap.fill(_prose_in_python(line), WIDTH) for line in flat.about.split("\n\n")]
    groups_as_objects = ", ".join(
        f"{name}=attlas.options.{type(group).__name__}" for name, group in groups.items()
    )
    body += [textwrap.fill(f"Options may also come in groups: {groups_as_objects}.", WIDTH)] if groups else []
    body += ["\n".join([title, "-" * len(title), *entries]) for title, entries in sections.items()]
    flat.__doc__ = "\n\n".join(body)


def spell_type(annotation: Any) -> str:
    """A type as people write it."""
    kind = get_origin(annotation)
    if kind is Annotated:
        written = [extra.text for extra in annotation.__metadata__ if isinstance(extra, Written)]
        return written[0] if written else spell_type(get_args(annotation)[0])
    if kind in (Union, UnionType):
        return " | ".join(spell_type(part) for part in get_args(annotation))
    if kind is Literal:
        return f"Literal[{', '.join(map(repr, get_args(annotation)))}]"
    if kind is not None:
        inner = ", ".join("..." if part is ... else spell_type(part) for part in get_args(annotation))
        return f"{kind.__name__}[{inner}]"
    return "None" if annotation is NoneType else getattr(annotation, "__name__", str(annotation))


def _with_help_of_type(annotation: Any, added: str) -> str:
    """What a type says of every option that has it, and what is added of this one."""
    kinds = get_args(annotation) if get_origin(annotation) in (Union, UnionType) else (annotation,)
    extras = [extra for kind in kinds for extra in getattr(kind, "__metadata__", ())]
    return " ".join([*(extra.text for extra in extras if isinstance(extra, Help)), added]).strip()


def _helps(group: type) -> dict[str, str]:
    """What the docstrings of a group, and of those it is made from, say of each option."""
    return {
        p.arg_name: p.description or ""
        for kind in reversed(group.__mro__[:-1])
        for p in parse(kind.__doc__ or "", DocstringStyle.NUMPYDOC).params
    }


def in_python(text: str) -> str:
    """Python has no flags: --choose-on is choose_on, and `--text repeated` is `text="repeated"`."""
    text = re.sub(
        r"`--([a-z][a-z-]*) (\w+)`", lambda flag: f'`{flag[1].replace("-", "_")}="{flag[2]}"`', text
    )
    return re.sub(r"--([a-z][a-z-]*)", lambda flag: flag[1].replace("-", "_"), text)


def _prose_in_python(paragraph: str) -> str:
    """Return the description with the example as a call."""
    command = paragraph.removeprefix("Example: attlas ")
    return in_python(paragraph) if command == paragraph else f"Example: {_call(shlex.split(command))}"


def _call(words: Sequence[str]) -> str:
    """`map mini --segments 5` as attlas.map("mini", segments=5)."""
    verb = ".".join(words[: 1 + (words[0] == "probe")])
    arguments: list[tuple[str, list[str]]] = []
    for word in words[verb.count(".") + 1 :]:
        if word.startswith("--"):
            arguments.append((word[2:].replace("-", "_") + "=", []))
        elif arguments and arguments[-1][0]:
            arguments[-1][1].append(_literal(word))
        else:
            arguments.append(("", [_literal(word)]))
    spelled_out = [f"{name}{_value(values)}" for name, values in arguments]
    return f"attlas.{verb}({', '.join(spelled_out)})"


def _literal(word: str) -> str:
    return word if re.fullmatch(r"\d+(\.\d+)?", word) else f'"{word}"'


def _value(values: list[str]) -> str:
    if len(values) < 2:
        return values[0] if values else "True"
    return f"[{', '.join(values)}]"


def _entry(name: str, help: str) -> str:
    lines = textwrap.wrap(in_python(" ".join(help.split())), WIDTH - 4)
    return "\n".join([name, *(f"    {line}" for line in lines)])


def _paragraphs(text: str) -> str:
    """One paragraph per line: the terminal breaks lines itself."""
    return "\n\n".join(" ".join(paragraph.split()) for paragraph in text.strip().split("\n\n"))


def _tells(default: Any) -> bool:
    """Whether help shows the default: 0 and 1 are numbers, and no switches."""
    return not (default is None or isinstance(default, bool) or default == ())


def _for_terminal(parameter: inspect.Parameter, help: str, panel: Group | None) -> Any:
    """Return the parameter with its help and panel. The terminal hands strings on as they are: pydantic reads
    and checks them."""
    annotation = parameter.annotation
    about: dict[str, Any] = {"help": help, "show_default": _tells(parameter.default)}
    if panel is not None:
        about["group"] = panel
    kinds = [get_origin(kind) or kind for kind in _kinds(annotation)]
    if Sequence in kinds:
        about["consume_multiple"] = True
    if not {bool, dict, Mapping, tuple} & set(kinds) and not _of_tuples(annotation):
        about["converter"] = _as_written
    return Annotated[annotation, Parameter(**about)]


def _as_written(kind: Any, tokens: Sequence[Token]) -> Any:
    values = [token.value for token in tokens]
    return values if Sequence in {get_origin(k) for k in _kinds(kind)} else values[0]


def _of_tuples(annotation: Any) -> bool:
    return any(get_origin(part) is tuple for kind in _kinds(annotation) for part in get_args(kind))


def _kinds(annotation: Any) -> Iterator[Any]:
    """The types that a union is made of; others, alone."""
    if get_origin(annotation) is Annotated:
        yield from _kinds(get_args(annotation)[0])
    elif get_origin(annotation) in (Union, UnionType):
        for part in get_args(annotation):
            yield from _kinds(part)
    else:
        yield annotation
