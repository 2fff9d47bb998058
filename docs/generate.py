"""The pages that are made from the code. `scripts/docs` writes them; a test fails when they are stale."""

import inspect
import json
import math
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from attlas.atlas import REGISTRY, Statistic
from attlas.cli import app
from attlas.verbs import COMMANDS, load
from attlas.verbs.describing import first_sentence
from attlas.verbs.probe import PROBES

DOCS = Path(__file__).parent
SOURCE = DOCS.parent / "src" / "attlas"


def cli_page() -> str:
    return app.generate_docs().rstrip() + "\n\n" + "\n".join(_shared_options()) + "\n"


def _shared_options() -> Iterator[str]:
    """One name means one thing: every option that several commands have, and which."""
    yield from ("## Options of several commands\n", "| option | what it is | commands |", "|---|---|---|")
    commands: dict[str, list[Any]] = {}
    for command in (*COMMANDS, *PROBES):
        for name in inspect.signature(command).parameters:
            if not name.endswith("_options"):
                commands.setdefault(name, []).append(command)
    for name in sorted(name for name, those in commands.items() if len(those) > 1):
        those = commands[name]
        meaning = first_sentence(those[0], name).replace("|", "\\|")
        flag = name.upper() if name in ("model", "corpus", "task") else f"--{name.replace('_', '-')}"
        yield f"| `{flag}` | {meaning} | {', '.join(command.__name__ for command in those)} |"


#: what the types in signatures are, for the stubs
TYPES = """\
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from torch import Tensor
from torch.nn import Module

from attlas.atlas import Atlas as Atlas
from attlas.atlas.describe import Contents, HeadReport, Provenance
from attlas.atlas.followers import PatternHeads
from attlas.corpora.classes import Membership
from attlas.edits import Edit
from attlas.options import *
from attlas.reports.asking import Answer
from attlas.studies.comparing.comparison import Comparison
from attlas.studies.disabling.disable_result import DisableResult
from attlas.studies.finetuning.finetuned import Finetuned
from attlas.studies.patterns.pattern_result import PatternResult
from attlas.studies.estimate import Plan
from attlas.studies.pruning.prune_result import PruneResult
from attlas.studies.probe_result import ProbeResult
from attlas.verbs.report import ReportResult
from attlas.studies.trees.parse import Parsed
from attlas.subject import Subject as Subject
from attlas.verbs.view import TensorOptions
from attlas.views import Options, View
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


def stubs() -> dict[Path, str]:
    """The verbs with all their options, for editors and type checkers: the options come in groups, which no
    type checker can flatten."""
    made = '"""Made by `scripts/docs` from the verbs: do not edit."""\n\n'
    verbs = sorted((load, *COMMANDS), key=lambda command: command.__name__)
    return {
        SOURCE / "__init__.pyi": made + TYPES + NOUNS + "".join(map(_stub, verbs)),
        SOURCE / "probe.pyi": made + TYPES + "".join(map(_stub, PROBES)),
    }


def _stub(command: Any) -> str:
    signature = inspect.signature(command)
    lines, kinds = [], []
    for parameter in signature.parameters.values():
        if parameter.kind is parameter.KEYWORD_ONLY and kinds and kinds[-1] < parameter.KEYWORD_ONLY:
            lines += ["/"] if kinds[-1] is parameter.POSITIONAL_ONLY else []
            lines += [] if kinds[-1] is parameter.VAR_POSITIONAL else ["*"]
        stars = "*" if parameter.kind is parameter.VAR_POSITIONAL else ""
        optional = "" if parameter.default is parameter.empty else f" = {_default(parameter.default)}"
        annotation = str(parameter.annotation).replace("'", '"')
        lines.append(f"{stars}{parameter.name}: {annotation}{optional}")
        kinds.append(parameter.kind)
    listed = "".join(f"    {line},\n" for line in lines)
    return f"\ndef {command.__name__}(\n{listed}) -> {signature.return_annotation}: ...\n"


def _default(value: Any) -> str:
    return json.dumps(value) if isinstance(value, str) else repr(value).replace("'", '"')


def statistics_page() -> str:
    rows = [
        f"| `{s.name}` | {s.groups} | {s.meaning} | {_range(s)} | {s.chance} |".replace(
            "|dL/dα|", "\\|dL/dα\\|"
        ).replace("|dL/dgate|", "\\|dL/dgate\\|")
        for s in REGISTRY.values()
    ]
    head = ["| statistic | group | value | range | by even attention, or chance |", "|---|---|---|---|---|"]
    page = (DOCS / "statistics.md").read_text(encoding="utf-8")
    table = "\n".join([*head, *rows])
    return re.sub(r"\| statistic \| group .*?(?=\n\n)", lambda _: table, page, flags=re.DOTALL)


def shapes_page() -> str:
    """With what `training/patterns.py judge` measured."""
    training = DOCS.parent / "training"
    report, explored = (
        json.loads((training / name).read_text()) for name in ("patterns.json", "patterns_explored.json")
    )
    page = (DOCS / "shapes.md").read_text(encoding="utf-8")
    made = "\n".join([*_measured(report), *_explored(explored["macro_f1"])])
    return re.sub(
        r"(?<=<!-- measured -->\n).*?(?=<!-- until here -->)", lambda _: made, page, flags=re.DOTALL
    )


def _measured(report: dict[str, Any]) -> Iterator[str]:
    network, rules = (f"{mean:.3f} ± {spread:.3f}" for mean, spread in report["macro_f1"].values())
    yield from ("| | macro-F1, mean ± spread over folds |", "|---|---|")
    yield f"| the network | {network} |"
    yield f"| three thresholds, fitted to the same folds | {rules} |"
    yield f"| the second annotator, against the first | {report['annotators_f1']:.3f} |"
    yield f"| the first annotator's second pass, against its first | {report['passes_f1']:.3f} |"
    yield "| the paper, on its own 400 maps | 0.86 |"
    yield "\nAll folds together, rows as labelled and columns as found:\n"
    yield f"| | {' | '.join(report['f1'])} | F1 |"
    yield "|---" * (len(report["f1"]) + 2) + "|"
    for (shape, score), row in zip(report["f1"].items(), report["confusion"], strict=True):
        yield f"| {shape} | {' | '.join(map(str, row))} | {score:.2f} |"
    right = sum(row[i] for i, row in enumerate(report["confusion"])) / report["maps"]
    before, after = report["calibration_error"]
    yield f"\nAccuracy {right:.3f} over {report['maps']} maps; macro-F1 where both annotators agree,"
    yield f"{report['agreed_f1']:.3f}. Expected calibration error of held-out probabilities: {before:.3f},"
    yield f"and {after:.3f} with the temperature {report['temperature']:.2f} that the same folds chose.\n"
    yield "Trained without a whole model, and asked about it alone; F1 over the shapes that it has:\n"
    yield from ("| held out | macro-F1 | accuracy |", "|---|---|---|")
    for model, found in report["held_out"].items():
        yield f"| {model} | {found['macro_f1']:.3f} | {found['accuracy']:.3f} |"
    yield ""


WAYS = {
    "labels alone": "from labels alone",
    "plain": "from four teachers, labels and unlabelled maps",
    "more labels": "with 480 more labels",
    "more labels, teachers too": "with 480 more labels, its teachers, too",
    "more unlabelled": "with three times as many unlabelled maps in a batch",
    "more labels and unlabelled": "with 480 more labels and three times as many unlabelled maps: what ships",
    "two generations, more unlabelled, longer": (
        "with three times as many unlabelled maps, twice as long, from teachers that had teachers"
    ),
    "eight teachers": "from eight teachers",
    "unseen, more unlabelled": "from what teachers say of maps that they have not seen",
    "balanced": "with rare shapes shown more often",
    "fewer tokens": "with variants of maps of which tokens are left out",
}


def _explored(scores: dict[str, float]) -> Iterator[str]:
    yield "Ways to train it, compared within the training parts of the folds (ten networks each):\n"
    yield from ("| how it learned | macro-F1 |", "|---|---|")
    for name, told in WAYS.items():
        yield f"| {told} | {scores[name]:.3f} |"
    yield ""


def _range(s: Statistic) -> str:
    if s.low == s.high:
        return f"{s.low:g}"
    if not math.isfinite(s.low):
        return "any number"
    return f"{s.low:g} to {s.high:g}" if math.isfinite(s.high) else f"{s.low:g} and more"


if __name__ == "__main__":
    for path, text in stubs().items():
        path.write_text(text, encoding="utf-8")
    (DOCS / "cli.md").write_text(cli_page(), encoding="utf-8")
    (DOCS / "statistics.md").write_text(statistics_page(), encoding="utf-8")
    (DOCS / "shapes.md").write_text(shapes_page(), encoding="utf-8")
