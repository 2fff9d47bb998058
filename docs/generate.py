"""The files that are made from the code. `scripts/docs` writes them; a test fails when they are stale."""

import inspect
import json
import math
import re
from collections.abc import Iterable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import app_contract
import browser_contract

from attlas.atlas import REGISTRY, Statistic
from attlas.atlas.catalogue import CATALOGUE
from attlas.cli import COMMANDS, app
from attlas.edits import EDITS
from attlas.engines import ENGINES
from attlas.figures import FIGURES
from attlas.figures.figure_specs import OF_STUDIES
from attlas.options.describing import about, first_sentence, in_python, is_own
from attlas.statistics.claims import CLAIMS
from attlas.studies.patterns.definitions import CONTENT, POSITION, SPREAD
from attlas.verbs import every_verb
from attlas.wording.program_names import FARTHEST, KINDS_OF_TOKEN, PROGRAMS

DOCS = Path(__file__).parent
GALLERY = DOCS.parent / "examples" / "gallery"
PROBES = [verb for verb in every_verb().values() if verb.panel == "Probes"]
VERBS = [verb for verb in every_verb().values() if verb.panel != "Probes"]


def cli_page() -> str:
    return app.generate_docs().rstrip() + "\n\n" + "\n".join(_shared_options()) + "\n"


def _shared_options() -> Iterator[str]:
    """One name means one thing: every option that several commands have, and which."""
    yield from ("## Options of several commands\n", "| option | what it is | commands |", "|---|---|---|")
    commands: dict[str, list[Any]] = {}
    for command in COMMANDS:
        for name in inspect.signature(command).parameters:
            if not name.endswith("_options"):
                commands.setdefault(name, []).append(command)
    for name in sorted(name for name, those in commands.items() if len(those) > 1):
        those = commands[name]
        meaning = first_sentence(those[0], name).replace("|", "\\|")
        flag = name.upper() if name in ("model", "corpus", "task") else f"--{name.replace('_', '-')}"
        yield f"| `{flag}` | {meaning} | {', '.join(command.__name__ for command in those)} |"


def _parameters(command: Any) -> Iterator[str]:
    """The verb's own parameters, as a signature has them, without their types."""
    kind = None
    for parameter in inspect.signature(command).parameters.values():
        if not is_own(command, parameter.name):
            continue
        if parameter.kind is parameter.KEYWORD_ONLY and kind is not None and kind < parameter.KEYWORD_ONLY:
            yield from ["/"] if kind is parameter.POSITIONAL_ONLY else []
            yield from [] if kind is parameter.VAR_POSITIONAL else ["*"]
        stars = "*" if parameter.kind is parameter.VAR_POSITIONAL else ""
        default = "" if parameter.default is parameter.empty else f"={_default(parameter.default)}"
        yield f"{stars}{parameter.name}{default}"
        kind = parameter.kind


def _default(value: Any) -> str:
    return json.dumps(value) if isinstance(value, str) else repr(value).replace("'", '"')


def _made(page: str, **parts: Iterable[str]) -> str:
    """The page with each part's lines between `<!-- PART -->` and `<!-- until here -->`."""
    text = (DOCS / page).read_text(encoding="utf-8")
    for part, lines in parts.items():
        made = "".join(f"{line}\n" for line in lines)
        between = rf"(?<=<!-- {part} -->\n).*?(?=<!-- until here -->)"
        text = re.sub(between, made.replace("\\", r"\\"), text, count=1, flags=re.DOTALL)
    return text


def _summary(function: Any) -> str:
    """The first paragraph of a docstring, as the cell of a table."""
    return _cell(" ".join(inspect.cleandoc(function.__doc__ or "").partition("\n\n")[0].split()))


def _cell(sentence: str) -> str:
    return (sentence[:1].lower() + sentence[1:]).removesuffix(".")


def edits_page() -> str:
    rows = [f"| `{name}` | {_summary(edit)} |" for name, edit in EDITS.items()]
    return _made("disabling.md", edits=["| `--edit` | what the head does instead |", "|---|---|", *rows])


def engines_page() -> str:
    modules = {name: import_module(f"attlas.engines.{name}") for name in ENGINES}
    rows = [f"| `{name}` | {_summary(module.engine)} |" for name, module in modules.items()]
    return _made("cluster.md", engines=["| `--engine` | where the work runs |", "|---|---|", *rows])


def probes_page() -> str:
    """What each asks, and the statistics that it leaves."""
    rows = []
    for probe in PROBES:
        asks = _cell(about(probe).partition("\n")[0])
        leaves = ", ".join(f"`{s.name}`" for s in REGISTRY.values() if s.probe == probe.__name__)
        rows.append(f"| `attlas probe {probe.__name__}` | {asks} | {leaves} |")
    return _made("probes.md", probes=["| probe | asks | leaves |", "|---|---|---|", *rows])


def figures_page() -> str:
    rows = [f"| `{name}` | `{_file(name)}` | {_summary(figure.group)} |" for name, figure in FIGURES.items()]
    return _made("figures.md", figures=["| figure | file | shows |", "|---|---|---|", *rows])


def _file(figure: str) -> str:
    """What is drawn of chapters that are not the surface's is named after them."""
    return "figure-CHAPTER..." if figure in OF_STUDIES else FIGURES[figure].file


def atlas_page() -> str:
    """Every study with its tables, and what their columns hold."""
    rows = []
    for declared in CATALOGUE.values():
        command = f"`attlas {declared.command}`"
        for table in declared.tables:
            named = ["kind, layer, head"] if table.of_heads else []
            units: dict[str, list[str]] = {}
            for column in table.columns:
                if column.name != "address":
                    units.setdefault(column.holds.unit, []).append(column.name)
            named += [f"{', '.join(names)} ({unit})" for unit, names in units.items()]
            rows.append(f"| `{declared.name}` | {command} | `{table.name}` | {'; '.join(named)} |")
    return _made("atlas.md", tables=["| study | made by | table | columns |", "|---|---|---|---|", *rows])


def patterns_page() -> str:
    """What each pattern seen in text looks for, beside its null."""
    targets = [
        f"| `{name}` | {what} | {null} |"
        for patterns, null in ((POSITION, "even"), (CONTENT, "shuffled"))
        for name, what in patterns.items()
    ]
    ideals = [
        f"| `{name}` | {what} | {'a third' if name == 'broad' else 'even'} |" for name, what in SPREAD.items()
    ]
    return _made(
        "patterns.md",
        targets=["| pattern | a query's targets | null |", "|---|---|---|", *targets],
        ideals=["| pattern | the ideal row | null |", "|---|---|---|", *ideals],
    )


def explain_page() -> str:
    """The vocabulary of programs."""
    offsets = {name for name in PROGRAMS if name.startswith(("back_", "ahead_"))}
    kinds = {f"{which}_{kind}" for which in ("every", "last", "next") for kind in KINDS_OF_TOKEN}
    rows = [f"| `{name}` | {words} |" for name, words in PROGRAMS.items() if name not in offsets | kinds]
    rows.append(f"| `back_2` ... `back_{FARTHEST}`, `ahead_2` ... | a token 2 to 8 back, or ahead |")
    said = ", ".join(f"`{kind}` ({words})" for kind, words in KINDS_OF_TOKEN.items())
    ways = "every token of a kind, or the nearest on one side"
    rows.append(f"| `every_KIND`, `last_KIND`, `next_KIND` | {ways}: {said} |")
    return _made("explain.md", programs=["| program | looks at |", "|---|---|", *rows])


def api_page() -> str:
    """Each verb's section begins with its call and what it does; what is below that is written by hand."""
    page = (DOCS / "api.md").read_text(encoding="utf-8")
    for verb in VERBS:
        heading = f"## `attlas.{verb.__name__}`\n"
        if heading not in page:
            page = f"{page.rstrip()}\n\n{heading}<!-- until here -->\n"
        before, _, after = page.partition(heading)
        _, _, by_hand = after.partition("<!-- until here -->")
        does = in_python(about(verb).partition("\n")[0])
        page = f"{before}{heading}\n    {_call(verb)}\n\n{does}\n<!-- until here -->{by_hand}"
    return link_gallery(page)


def link_gallery(page: str) -> str:
    """End each section with the pictures of the gallery whose code uses what the section is about."""
    scripts = [path.read_text(encoding="utf-8") for path in sorted(GALLERY.glob("*.py"))]
    sections = re.split(r"(?m)^(?=## )", re.sub(r"(?m)^In the gallery: .*\n\n?", "", page))
    for place, section in enumerate(sections):
        name = re.match(r"## `attlas\.(\w+)`", section)
        using = [code for code in scripts if name and re.search(rf"\battlas\.{name[1]}\b", code)]
        if using:
            sections[place] = f"{section.rstrip()}\n\nIn the gallery: {', '.join(map(_picture, using))}.\n\n"
    return "".join(sections).rstrip() + "\n"


def _picture(code: str) -> str:
    title = code.split('"""')[1].partition("\n")[0].removesuffix(".")
    anchor = re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-")
    return f"[{title}](gallery.md#{anchor})"


def _call(verb: Any) -> str:
    """disable(model="mini", task=None, *, edit="uniform", ...) -> DisableResult: shared options are dots"""
    shared = [name for name in inspect.signature(verb).parameters if not is_own(verb, name)]
    listed = ", ".join([*_parameters(verb), *(["..."] if shared else [])])
    return f"{verb.__name__}({listed}) -> {inspect.signature(verb).return_annotation}"


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


def evidence_page() -> str:
    """The kinds of claim, each with its smallest size that matters."""
    rows = [f"| `{c.name}` | {c.title} | {c.size:g} {c.unit} | {c.reason} |" for c in CLAIMS.values()]
    head = ("| kind | the claim | smallest size | why |", "|---|---|---|---|")
    return _made("evidence.md", sizes=[*head, *rows])


def shapes_page() -> str:
    """With what `research/patterns.py judge` measured."""
    research = DOCS.parent / "research"
    report, explored = (
        json.loads((research / name).read_text()) for name in ("patterns.json", "patterns_explored.json")
    )
    return _made("shapes.md", measured=[*_measured(report), *_explored(explored["macro_f1"])])


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
    for model, scores in report["held_out"].items():
        yield f"| {model} | {scores['macro_f1']:.3f} | {scores['accuracy']:.3f} |"
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
    for name, way in WAYS.items():
        yield f"| {way} | {scores[name]:.3f} |"
    yield ""


def _range(s: Statistic) -> str:
    if s.low == s.high:
        return f"{s.low:g}"
    if not math.isfinite(s.low):
        return "any number"
    return f"{s.low:g} to {s.high:g}" if math.isfinite(s.high) else f"{s.low:g} and more"


def pages() -> dict[Path, str]:
    """Every file that is made from the code, and what it should hold."""
    made = browser_contract.pages() | app_contract.pages()
    return made | {
        DOCS / "api.md": api_page(),
        DOCS / "atlas.md": atlas_page(),
        DOCS / "cli.md": cli_page(),
        DOCS / "cluster.md": engines_page(),
        DOCS / "disabling.md": edits_page(),
        DOCS / "evidence.md": evidence_page(),
        DOCS / "explain.md": explain_page(),
        DOCS / "figures.md": figures_page(),
        DOCS / "patterns.md": patterns_page(),
        DOCS / "probes.md": probes_page(),
        DOCS / "shapes.md": shapes_page(),
        DOCS / "statistics.md": statistics_page(),
    }


if __name__ == "__main__":
    for path, text in pages().items():
        path.write_text(text, encoding="utf-8")
