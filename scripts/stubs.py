"""Writes the stubs: the verbs with all their options, for editors and type checkers.

    python scripts/stubs.py

The options come in groups, which no type checker can flatten. `hatch_build.py` makes the stubs when the
package is built or installed, so this imports nothing heavier than pydantic and cyclopts.
"""

from __future__ import annotations

import ast
import inspect
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

SOURCE = Path(__file__).parents[1] / "src"

#: the types of parameters
TYPES = """\
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from torch import Tensor
from torch.nn import Module

from attlas.atlas import Atlas as Atlas
from attlas.corpora.batches import Membership
from attlas.studies.programs.program_vocabulary import UserProgram
from attlas.edits import Edit
from attlas.options import *
from attlas.subject import Subject as Subject
from attlas.verbs.view import TensorOptions
from attlas.views import ViewOptions
"""
NOUNS = """\
from attlas import edit as edit
from attlas import options as options
from attlas import probe as probe
from attlas.atlas import load_atlas as load_atlas
from attlas.errors import AttlasError as AttlasError
from attlas.studies.callback import Callback as Callback
from attlas.tap import Tap as Tap
"""


def make_stubs() -> dict[str, str]:
    """The name of each stub, and what it holds."""
    from attlas.verbs import every_verb

    verbs = every_verb().values()
    probes = [verb for verb in verbs if verb.panel == "Probes"]
    others = [verb for verb in verbs if verb.panel != "Probes"]
    title = '"""Made by `scripts/stubs.py` from the verbs: do not edit."""\n\n'
    return {
        "__init__.pyi": title + TYPES + NOUNS + import_results(others) + "".join(map(declare, others)),
        "probe.pyi": title + TYPES + import_results(probes) + "".join(map(declare, probes)),
    }


def import_results(verbs: Sequence[Any]) -> str:
    """Imports of what the verbs return, from the modules that their files import it from."""
    lines = set()
    for verb in verbs:
        module = sys.modules[verb.__module__]
        modules = dict.fromkeys(vars(module), module.__name__)
        for node in ast.walk(ast.parse(inspect.getsource(module))):
            if isinstance(node, ast.ImportFrom):
                modules |= {alias.name: str(node.module) for alias in node.names}
        returned = re.findall(r"[A-Z]\w+", str(inspect.signature(verb).return_annotation))
        for name in (name for name in returned if name != "None"):
            lines.add(f"from {modules[name]} import {name}\n")
    imported = {line.partition(" as ")[0] for line in (TYPES + NOUNS).splitlines()}
    return "".join(sorted(line for line in lines if line.strip() not in imported))


def declare(verb: Any) -> str:
    """The verb's signature, with every option."""
    return f"\ndef {verb.__name__}{inspect.signature(verb)}: ...\n"


def write_stubs(folder: Path = SOURCE / "attlas") -> None:
    for name, stub in make_stubs().items():
        (folder / name).write_text(stub, encoding="utf-8")


if __name__ == "__main__":
    sys.path.insert(0, str(SOURCE))
    write_stubs(*map(Path, sys.argv[1:]))
