"""The terminal: `attlas VERB`. Each command is a verb of `attlas.verbs`; here is only how results look."""

from __future__ import annotations

import inspect
import json as json_format
import os
import re
import signal
import sys
import threading
from itertools import pairwise
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import App, CycloptsError, MissingArgumentError, Parameter, UnusedCliTokensError
from rich.console import Console

from attlas import verbs
from attlas.errors import AttlasError, Stopped, printable
from attlas.probe import PROBES
from attlas.progress import status_line, tell
from attlas.views.options import Options
from attlas.views.verbs import view_command

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from cyclopts import Argument

    from attlas.views import View

app = App(
    name="attlas",
    help="An atlas of attention: what every head of a Transformer does, in numbers, labels and pictures.",
    help_format="plaintext",
    default_parameter=Parameter(negative=""),
)


def _help(verb: Any) -> str:
    """What its docstring says above the parameters, a paragraph a line: the terminal breaks lines itself."""
    said = inspect.cleandoc(verb.__doc__ or "").partition("\nParameters\n")[0]
    return "\n\n".join(" ".join(paragraph.split()) for paragraph in said.strip().split("\n\n"))


probe = App(name="probe", help="Ask every head what it knows of syntax, coreference, frames and features.")
for group, verbs_of_it in (
    (app, (*verbs.COMMANDS, view_command)),
    (probe, PROBES),
):
    for verb in verbs_of_it:
        own: dict[str, Any] = inspect.unwrap(verb).__annotations__
        if "progress" in own:
            # the one switch that is on: everything else is off until it is named
            own["progress"] = Annotated[bool, Parameter(negative="--no-progress")]
        for several in {"columns", "names"} & own.keys():
            # `--names a b` as well as `--names a --names b`
            own[several] = Annotated[tuple[str, ...], Parameter(consume_multiple=True)]
        group.command(verb, name=verb.__name__.removesuffix("_command"), help=_help(verb))
app.command(probe)


@app.meta.default
def run(
    *tokens: Annotated[str, Parameter(show=False, allow_leading_hyphen=True)],
    json: bool = False,
    debug: bool = False,
) -> int:
    """Runs a command.

    Parameters
    ----------
    json
        Print the result as JSON, for programs.
    debug
        On an error, print the whole traceback.
    """
    errors = Console(stderr=True, highlight=False, soft_wrap=True)
    try:
        command, bound, _ = app.parse_args(tokens, print_error=False, exit_on_error=False)
        _refuse_fractions(command, tokens)
        with status_line():
            tell(f"{getattr(command, '__name__', 'attlas').removesuffix('_command')}: loading what it needs")
            result = command(*bound.args, **bound.kwargs)
        if command is view_command:
            result = _files(result, bound.arguments.get("out"), bound.arguments.get("figure"))
        if command in (*verbs.COMMANDS, view_command, *PROBES):
            _print(result, dict(bound.arguments), json)
    except Exception as error:
        if debug or isinstance(error, BrokenPipeError):
            raise
        if hasattr(found := getattr(error, "result", None), "show"):
            _print(found, {}, json)
        errors.print(f"attlas: {printable(' '.join(_said(error).split()))}", markup=False)
        return 1
    except KeyboardInterrupt as stopped:
        if debug:
            raise
        # a study that writes into an atlas keeps what is finished, and so does a training
        into_an_atlas = any(token.split("=")[0] == "--atlas" for token in tokens)
        kept = into_an_atlas or tokens[:1] in (("map",), ("finetune",))
        how = "; the same command with --resume goes on from there" if kept else ""
        errors.print(f"attlas: stopped{how}", markup=False)
        return getattr(stopped, "exit_status", 130)
    return 0


def _refuse_fractions(command: Any, tokens: Sequence[str]) -> None:
    """Where a whole number is asked for, cyclopts would round 1.5 to 2, in silence."""
    annotations = {**Options.__annotations__, **inspect.unwrap(command).__annotations__}
    for option, following in pairwise((*tokens, "")):
        name, _, joined = option.partition("=")
        annotation = str(annotations.get(name.removeprefix("--").replace("-", "_"), ""))
        if re.search(r"\bint\b", annotation) and re.fullmatch(r"[+-]?\d*\.\d*", joined or following):
            raise AttlasError(f"{name} {joined or following}: a whole number is needed")


def _said(error: Exception) -> str:
    """What to tell of an error: our own words, the file that failed, or that this one was not foreseen."""
    if isinstance(error, MissingArgumentError) and error.argument is not None:
        return _missing(error, error.argument)
    if isinstance(error, UnusedCliTokensError) and error.unused_tokens:
        return (
            f"{' '.join(error.unused_tokens)}: it is not clear what this belongs to. An option that takes "
            "several values is written before each of them"
        )
    if isinstance(error, AttlasError | CycloptsError):
        return str(error)
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename or 'the output'}: {error.strerror}"
    return f"this should not happen ({type(error).__name__}: {error}); --debug shows where"


def _missing(error: MissingArgumentError, argument: Argument) -> str:
    """show needs ATLAS: the folder of an atlas"""
    by_place = argument.field_info.is_positional and not argument.tokens and error.keyword is None
    name = argument.name.lstrip("-").upper() if by_place else f"a value for {error.keyword or argument.name}"
    doc = inspect.cleandoc(getattr(error.target, "__doc__", None) or "")
    told = re.search(rf"^{argument.field_info.name}\n((?: {{4}}.*\n?)+)", doc, re.MULTILINE)
    what = " ".join(told[1].split()).partition(". ")[0].removesuffix(".") if told else ""
    command = " ".join(error.command_chain or ())
    first, space, others = what.partition(" ")
    if first == first.capitalize():  # The, and not CoLA
        first = first.lower()
    said = f": {first}{space}{others}" if what else ""
    return f"{command} needs {name}{said} (attlas {command} --help tells more)"


def _files(made: View, *written: Path | None) -> list[Path]:
    """Where a view went: the files asked for, or a page that the browser now shows."""
    return [path for path in written if path is not None] or [made.open()]


def _print(result: Any, given: dict[str, Any], as_json: bool) -> None:
    from attlas import terminal

    if as_json:
        print(json_format.dumps(terminal.as_data(result), ensure_ascii=False))
    else:
        wide = None if sys.stdout.isatty() else 160  # in a pipe or a file nothing needs to be cut
        terminal.show(Console(width=wide), result, given)


def main(arguments: Sequence[str] | None = None) -> None:
    _quiet()
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, _stop)
    try:
        status = app.meta(
            list(sys.argv[1:] if arguments is None else arguments), result_action="return_value"
        )
    except BrokenPipeError:
        # the reader (head, less) has gone: nothing more to say, and nothing to flush
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        status = 1
    try:
        sys.stdout.flush()
    except OSError as error:
        print(f"attlas: the output: {error.strerror}", file=sys.stderr)
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        status = 1
    sys.exit(status)


def _stop(*_: object) -> None:
    raise Stopped


def _quiet() -> None:
    """Before any of them loads: libraries below us have their own bars and warnings; the terminal is ours."""
    os.environ.setdefault("TRANSFORMERS_VERBOSITY", "error")
    os.environ.setdefault("HF_HUB_DISABLE_PROGRESS_BARS", "1")
    os.environ.setdefault("HF_HUB_VERBOSITY", "error")
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "true")
    # OpenMP's threads spin while they wait for each other, which is slow where other work shares the cores
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")
