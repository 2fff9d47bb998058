"""The pages about whole models: the index, the list of a model's heads, the tables over models."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape

from attlas.reports.page_contract import NameChoice, Names
from attlas.site.frame import SiteFrame, head_link, items, link, quiet, section, swatch, table
from attlas.site.pictures import grid_picture
from attlas.site.published_model import BANDS, PublishedModel
from attlas.wording.names import NONE
from attlas.wording.numbers import count

MOST_SENTENCES = 4  # on a model's card
STEPS = 9  # of the shading of a share


@dataclass(frozen=True)
class NameCount:
    """How many heads of a model have a name: in each band of relative depth, of how many heads."""

    kind: str
    title: str  # of the kind of names
    choice: NameChoice
    heads: tuple[int, ...]  # band
    of: tuple[int, ...]  # band


@dataclass(frozen=True)
class ModelEntry:
    """What index and tables keep of a model after its pages are written."""

    slug: str
    title: str
    size: str
    type: str
    stands_out: tuple[str, ...]
    thumbnails: tuple[str, str]  # light, dark
    shape: tuple[int, int]  # rows and columns of the thumbnail
    names: tuple[NameCount, ...]
    heads: int


def entry_of(model: PublishedModel) -> ModelEntry:
    light, dark = model.colours("light"), model.colours("dark")
    return ModelEntry(
        model.slug,
        model.title,
        model.size,
        model.report["model"]["type"],
        tuple(model.text(sentence) for sentence in model.report["stands_out"][:MOST_SENTENCES]),
        (grid_picture(light), grid_picture(dark)),
        (len(light), len(light[0])),
        tuple(count for names in model.report["names"] for count in _counts(model, names)),
        len(model.addresses),
    )


def _counts(model: PublishedModel, names: Names) -> Iterator[NameCount]:
    """A kind's names: of the heads that were asked."""
    pairs = zip(model.bands, names["heads"], strict=True)
    asked = [(band, choice) for band, choice in pairs if choice is not None]
    of = Counter(band for band, _ in asked)
    for number, choice in enumerate(names["choices"]):
        having = Counter(band for band, chosen in asked if chosen == number)
        if choice["name"] != NONE and having:
            in_bands = (tuple(counter[band] for band in range(BANDS)) for counter in (having, of))
            yield NameCount(names["kind"], names["title"], choice, *in_bands)


# ---- the index -------------------------------------------------------------------------------------

_SEARCH = """<section id="find"><form role="search">
<label for="question">Which heads of which models …</label>
<input id="question" type="search" autocomplete="off" placeholder="find objects? look at the previous token?">
</form><div id="answers" aria-live="polite"></div>
<noscript><p>The search needs scripts; everything else works without.</p></noscript></section>"""


def index_page(models: Sequence[ModelEntry], frame: SiteFrame) -> str:
    heads = sum(model.heads for model in models)
    said = f"What {count(heads, 'attention head')} of {count(len(models), 'model')} do, a page for each."
    cards = "".join(_model_card(model) for model in models)
    body = (
        f'<h1>{escape(frame.title)}</h1><p class="lead">{said}</p>{_SEARCH}'
        f'<h2>Models</h2><ul class="models">{cards}</ul>'
    )
    return frame.page(frame.title, said, "", body)


def _model_card(model: ModelEntry) -> str:
    report = f"{model.slug}/index.html"
    about = f"{quiet(f'{model.type}, {model.size}')} · {link(f'{model.slug}/heads.html', 'all heads')}"
    return (
        f'<li class="model"><a href="{report}" tabindex="-1" aria-hidden="true">{thumbnail(model)}</a>'
        f"<div><h3>{link(report, model.title)}</h3><p>{about}</p>"
        f"{items([escape(sentence) for sentence in model.stands_out])}</div></li>"
    )


def thumbnail(model: ModelEntry) -> str:
    """A square per head, layers from top to bottom."""
    (rows, columns), (light, dark) = model.shape, model.thumbnails
    size = f'width="{8 * columns}" height="{8 * rows}"'
    return (
        f'<picture><source media="(prefers-color-scheme: dark)" srcset="{dark}">'
        f'<img class="grid" src="{light}" {size} alt=""></picture>'
    )


# ---- a model's heads -------------------------------------------------------------------------------


def heads_page(model: PublishedModel, entry: ModelEntry, frame: SiteFrame) -> str:
    rows = [
        (
            head_link(address, ""),
            escape(", ".join(dict.fromkeys(name for _, name, *_ in model.names_of(place)))),
            escape(model.first_sentence(place)),
        )
        for place, address in enumerate(model.addresses)
    ]
    body = (
        f'<p class="crumbs">{link("index.html", model.title)} › heads</p>'
        f"<h1>The heads of {escape(model.title)}</h1>{thumbnail(entry)}"
        f"{table(('Head', 'Names', 'What it does'), rows, words=range(3))}"
    )
    said = f"{model.size}, each with a page of its own."
    return frame.page(f"The heads of {model.title} · Attlas", said, f"{model.slug}/", body)


# ---- tables over models ----------------------------------------------------------------------------


_LEAD = (
    "How many heads have each name, and at which depth: the share of the heads in each fifth of the layers, "
    "from the first to the last. A head has at most one name of each kind. A model counts where its atlas "
    "has measured the kind."
)


def tables_page(models: Sequence[ModelEntry], frame: SiteFrame) -> str:
    kinds = {counted.kind: counted.title for model in models for counted in model.names}
    parts = ["<h1>Tables over models</h1>", f'<p class="lead">{_LEAD}</p>']
    parts += [
        section(title, f"{_by_depth(models, kind)}{_by_model(models, kind)}") for kind, title in kinds.items()
    ]
    said = f"How many heads of {count(len(models), 'model')} have each name, and at which depth."
    return frame.page("Tables over models · Attlas", said, "tables/", "\n".join(parts))


def _counts_of(models: Sequence[ModelEntry], kind: str) -> dict[str, dict[str, NameCount]]:
    """Model -> name -> its heads. Models that were asked alone."""
    counts = {m.slug: {c.choice["name"]: c for c in m.names if c.kind == kind} for m in models}
    return {slug: by_name for slug, by_name in counts.items() if by_name}


def _choices(counts: dict[str, dict[str, NameCount]]) -> list[NameChoice]:
    """The names that occur, the commonest first."""
    having: Counter[str] = Counter()
    choices: dict[str, NameChoice] = {}
    for by_name in counts.values():
        for name, counted in by_name.items():
            having[name] += sum(counted.heads)
            choices[name] = counted.choice
    return [choices[name] for name, _ in having.most_common()]


def _by_depth(models: Sequence[ModelEntry], kind: str) -> str:
    """The mean over models of the share of heads that have a name, band by band."""
    counts = _counts_of(models, kind)
    rows = []
    for choice in _choices(counts):
        of_models = [by_name.get(choice["name"]) for by_name in counts.values()]
        cells = []
        for band in range(BANDS):
            shares = [
                0.0 if counted is None else counted.heads[band] / counted.of[band]
                for counted in of_models
                if counted is None or counted.of[band]
            ]
            cells.append(_shade_share(sum(shares) / len(shares)) if shares else "")
        total = sum(sum(counted.heads) for counted in of_models if counted)
        having = sum(counted is not None for counted in of_models)
        rows.append((_write_name(choice), *cells, f"{total:,}", f"{having} of {len(of_models)}"))
    bands = ("first fifth", "second", "third", "fourth", "last fifth")
    return table(("Mean share of heads", *bands, "heads", "models"), rows)


def _by_model(models: Sequence[ModelEntry], kind: str) -> str:
    counts = _counts_of(models, kind)
    choices = _choices(counts)
    rows = []
    for model in models:
        if by_name := counts.get(model.slug):
            cells = [_write_count(by_name.get(choice["name"])) for choice in choices]
            report = link(f"../{model.slug}/index.html#colour={kind}", model.title)
            rows.append((report, *cells, f"{sum(next(iter(by_name.values())).of):,}"))
    return table(("Heads", *(_write_name(choice) for choice in choices), "of"), rows)


def _write_name(choice: NameChoice) -> str:
    named = f"{swatch(choice['light'], choice['dark'])}{escape(choice['title'])}"
    return f'<span title="{escape(choice["meaning"])}">{named}</span>'


def _write_count(counted: NameCount | None) -> str:
    """7, and a strip of the five bands."""
    if counted is None:
        return "0"
    shares = [many / of if of else 0.0 for many, of in zip(counted.heads, counted.of, strict=True)]
    most = max(shares) or 1.0
    bars = "".join(
        f'<rect x="{6 * band}" y="{12 - 12 * share / most:.1f}" width="5" height="{12 * share / most:.1f}"/>'
        for band, share in enumerate(shares)
    )
    said = ", ".join(f"{share:.0%}" for share in shares)
    named = f'role="img" aria-label="by fifths of depth: {said}"'
    return f'<svg class="strip" viewBox="0 0 29 12" {named}>{bars}</svg>{sum(counted.heads)}'


def _shade_share(share: float) -> str:
    return f'<span class="s{min(STEPS, round(2 * STEPS * share))}">{100 * share:.0f} %</span>'
