"""The command line: `attlas VERB`. The commands are the verbs of `attlas.verbs`; here their arguments are
read, their results printed, and their errors reported in one line."""

from __future__ import annotations

import difflib
import json as json_format
import os
import shutil
import signal
import sys
import threading
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, get_args

from cyclopts import (
    App,
    CycloptsError,
    Group,
    MissingArgumentError,
    Parameter,
    UnknownOptionError,
    UnusedCliTokensError,
)
from pydantic import ValidationError
from rich.console import Console

from attlas.errors import AttlasError, Stopped, flags_spoken, printable
from attlas.extras import version_of
from attlas.options.describing import about, help_of
from attlas.options.verb import EVERY_ROW, Panel
from attlas.options.wrong_values import wrong_value
from attlas.progress import status_line, tell
from attlas.verbs import every_verb
from attlas.verbs.view import view

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from attlas.views import View

_OUTPUT = Group("Output", sort_key=99)
_PANELS = {panel: Group(panel, sort_key=place) for place, panel in enumerate(get_args(Panel))}
COMMANDS = [verb for panel in _PANELS for verb in every_verb().values() if verb.panel == panel]
_app = partial(
    App,
    help_format="plaintext",
    default_parameter=Parameter(negative=""),
    version=partial(version_of, "attlas"),
)
app = _app(
    name="attlas",
    help="An atlas of attention: what every head of a Transformer does, in numbers, names and pictures.",
)
probe = _app(
    name="probe",
    group=_PANELS["Measure"],
    help="Ask every head what it knows of syntax, coreference, frames and features.",
)
for command in COMMANDS:
    (probe if command.panel == "Probes" else app).command(
        command, name=command.__name__, help=about(command), group=_PANELS[command.panel]
    )
app.command(probe)
app["--help"].group = app["--version"].group = _OUTPUT
app.register_install_completion_command(
    group=_OUTPUT, help="Complete commands and options in this shell (bash, zsh or fish)."
)


@app.meta.default
def output_flags(
    *,
    json: Annotated[bool, Parameter(group=_OUTPUT, show_default=False)] = False,
    debug: Annotated[bool, Parameter(group=_OUTPUT, show_default=False)] = False,
) -> tuple[bool, bool]:
    """Every command has these, before its name or after it.

    Parameters
    ----------
    json
        Print the result as JSON, for programs.
    debug
        On an error, print the whole traceback.
    """
    return json, debug


def run(arguments: Sequence[str]) -> int:
    """Runs a command: its exit status."""
    errors = Console(stderr=True, highlight=False, soft_wrap=True)
    flags, tokens = _flags_apart(arguments)
    json = debug = False
    raising: Any = {"print_error": False, "exit_on_error": False}
    try:
        if flags:  # apart, as cyclopts would read the whole command a second time for them
            json, debug = app.meta(flags, result_action="return_value", **raising)
        if _refuse_unknown_command(tokens):
            return 1
        command, bound, _ = app.parse_args(tokens, **raising)
        if command not in COMMANDS:  # help, or the version
            command(*bound.args, **bound.kwargs)
            return 0
        with status_line():
            tell(f"{command.__name__}: loading what it needs")
            result = command(*bound.args, **bound.kwargs)
        if command is view:
            result = _files(result, bound.arguments.get("page"), bound.arguments.get("figure"))
        if result is not None:
            _print(result, dict(bound.arguments), json)
    except Exception as error:
        if debug or isinstance(error, BrokenPipeError):
            raise
        if hasattr(unwritten := getattr(error, "result", None), "show"):
            _print(unwritten, {}, json)
        errors.print(f"attlas: {printable(' '.join(_message(error).split()))}", markup=False)
        return 1
    except KeyboardInterrupt as stopped:
        if debug:
            raise
        kept = getattr(stopped, "kept", False)
        how = "; the same command with --resume goes on from there" if kept else ""
        errors.print(f"attlas: stopped{how}", markup=False)
        return getattr(stopped, "exit_status", 130)
    return 0


def _flags_apart(arguments: Sequence[str]) -> tuple[list[str], list[str]]:
    """--json and --debug, and everything else. What follows `--` is no flag."""
    end = arguments.index("--") if "--" in arguments else len(arguments)
    flags = [token for token in arguments[:end] if token.partition("=")[0] in ("--json", "--debug")]
    others = [token for token in arguments[:end] if token not in flags]
    return flags, [*others, *arguments[end:]]


def _message(error: Exception) -> str:
    """What to tell of an error: our own words, the file that failed, or that this one was not foreseen."""
    if isinstance(error, MissingArgumentError) and error.argument is not None:
        return _missing(error)
    if isinstance(cause := error.__cause__, ValidationError) and isinstance(error, CycloptsError):
        assert error.argument is not None
        return wrong_value(error.argument.field_info.name, cause.errors(include_url=False))
    if isinstance(error, UnusedCliTokensError) and error.unused_tokens:
        return f"{' '.join(error.unused_tokens)}: it is not clear what this belongs to"
    if isinstance(error, UnknownOptionError) and error.token.value.startswith("--rows"):
        return EVERY_ROW.format(" ".join(error.command_chain or ("this",)))
    if isinstance(error, AttlasError | CycloptsError):
        return str(error)
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename or 'the output'}: {error.strerror}"
    return f"this should not happen ({type(error).__name__}: {error}); --debug shows where"


def _missing(error: MissingArgumentError) -> str:
    """show needs ATLAS: The folder of an atlas"""
    argument = error.argument
    assert argument is not None
    assert error.target is not None
    by_place = argument.field_info.is_positional and not argument.tokens and error.keyword is None
    name = argument.name.lstrip("-").upper() if by_place else f"a value for {error.keyword or argument.name}"
    command = " ".join(error.command_chain or ())
    what = help_of(error.target, argument.field_info.name).removesuffix(".")
    return f"{command} needs {name}: {what} (attlas {command} --help tells more)"


def _refuse_unknown_command(tokens: Sequence[str]) -> int:
    """1 if there is no such command, with --help or without it: the general help would pass for an answer."""
    chain, apps, unused = app.parse_commands(tokens)
    if unused and not unused[0].startswith("-") and apps[-1].default_command is None:
        names = [name for name in apps[-1] if not name.startswith("-")]
        near = difflib.get_close_matches(unused[0], names, 1, cutoff=0.5)
        which = f"do you mean {near[0]}?" if near else f"there are {', '.join(names)}"
        print(
            f"attlas: there is no command {printable(' '.join([*chain, unused[0]]))}: {which}",
            file=sys.stderr,
        )
        return 1
    return 0


def _files(made: View, *written: Path | None) -> list[Path]:
    """Where a view went: the files asked for, or a page that the browser now shows."""
    return [path for path in written if path is not None] or [made.open()]


def _print(result: Any, arguments: dict[str, Any], as_json: bool) -> None:
    from attlas import terminal

    if as_json:
        print(_json(terminal.as_data(result), sys.stdout.encoding or "utf-8"))
    else:
        wide = None if sys.stdout.isatty() else 160  # in a pipe or a file nothing needs to be cut
        terminal.show(Console(width=wide), result, arguments)


def _json(data: Any, encoding: str) -> str:
    """As people read it; with every other character escaped where the output cannot take one of them."""
    written = json_format.dumps(data, ensure_ascii=False)
    try:
        written.encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return json_format.dumps(data)
    return written


def main(arguments: Sequence[str] | None = None) -> None:
    _silence_libraries()
    _bound_width()
    for stream in (sys.stdout, sys.stderr):  # a terminal without this character still gets the rest
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, _stop)
    try:
        with flags_spoken():
            status = run(sys.argv[1:] if arguments is None else arguments)
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


_NARROWEST, _WIDEST = 20, 1000  # columns: in fewer, help is never done breaking lines; in more, filling them


def _bound_width() -> None:
    """What draws tables believes COLUMNS, and a terminal, whatever they say."""
    named = os.environ.pop("COLUMNS", "")
    if named.isascii() and named.isdigit():
        os.environ["COLUMNS"] = named[:9]
    width = shutil.get_terminal_size().columns
    if named or not _NARROWEST <= width <= _WIDEST:
        os.environ["COLUMNS"] = str(min(max(width, _NARROWEST), _WIDEST))


def _silence_libraries() -> None:
    """Before any of them loads: libraries below us have their own bars and warnings; the terminal is ours."""
    os.environ.setdefault("TRANSFORMERS_VERBOSITY", "error")
    os.environ.setdefault("HF_HUB_DISABLE_PROGRESS_BARS", "1")
    os.environ.setdefault("HF_HUB_VERBOSITY", "error")
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "true")
    # OpenMP's threads spin while they wait for each other, which is slow where other work shares the cores
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")
