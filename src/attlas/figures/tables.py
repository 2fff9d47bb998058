"""The page's tables: every head of a layer with its statistics, and what it attends to most strongly."""

from __future__ import annotations

from html import escape

from attlas.address import Head, Kind
from attlas.atlas import Atlas
from attlas.figures.measures import Measure, spread, targets
from attlas.figures.words import KIND_NAMES, NO_LABEL, count, label_name, number, plain, token

_AROUND = 8  # tokens of context before an example's key: see attlas.mapping
_SHORT = {
    "the previous token": "previous",
    "the token itself": "itself",
    "the next token": "next",
    "the first token": "first",
    "period or comma": ". or ,",
    "entropy from [CLS]": "entropy, [CLS]",
    "largest weight": "largest",
}


def layer_tables(atlas: Atlas, kind: Kind) -> str:
    """A closed <details> for every layer."""
    measures = [*targets(atlas, kind), *spread(atlas, kind)]
    labels = atlas.labels(kind)
    by_head = _examples(atlas, kind)
    layers: dict[int, list[Head]] = {}
    for address in atlas.addresses:
        if address.kind == kind:
            layers.setdefault(address.layer, []).append(address)
    name = f"{KIND_NAMES[kind]} layer" if len(atlas.kinds) > 1 else "Layer"
    return "\n".join(
        _layer(f"{name} {layer}", heads, measures, labels, by_head) for layer, heads in layers.items()
    )


def _layer(
    title: str,
    heads: list[Head],
    measures: list[Measure],
    labels: dict[Head, str],
    examples: dict[Head, list[str]],
) -> str:
    have = [labels[h] for h in heads if h in labels]
    counted = ", ".join(f"{have.count(la)} {label_name(la)}" for la in dict.fromkeys(have))
    gist = f"{count(len(heads), 'head')}{f': {counted}' if counted else ''}"
    columns = "".join(f'<th scope="col">{escape(_SHORT.get(m.name, m.name))}</th>' for m in measures)
    rows = "\n".join(_row(head, labels.get(head), measures) for head in heads)
    told = "\n".join(_head_examples(head, examples[head]) for head in heads if head in examples)
    return f"""<details class="layer"><summary><b>{title}</b> <span>{escape(gist)}</span></summary>
<div class="scroll" tabindex="0" role="region" aria-label="Statistics of {title.lower()}"><table>
<thead><tr><th scope="col">head</th><th scope="col">label</th>{columns}</tr></thead>
<tbody>
{rows}
</tbody></table></div>
{f'<h4>Strongest examples</h4><div class="examples">{told}</div>' if told else ""}
</details>"""


def _row(head: Head, label: str | None, measures: list[Measure]) -> str:
    cells = "".join(f"<td>{_cell(m, head)}</td>" for m in measures)
    shown = escape(label_name(label)) if label else f"<i>{NO_LABEL}</i>"
    return f'<tr><th scope="row">{head}</th><td>{shown}</td>{cells}</tr>'


def _cell(what: Measure, head: Head) -> str:
    value, _, error = what.of(head).partition(" ± ")
    return f"{value} <small>±{error}</small>" if error else value


def _head_examples(head: Head, lines: list[str]) -> str:
    listed = "".join(lines[1:])
    return f'<details class="head"><summary>{head} {lines[0]}</summary><ol>{listed}</ol></details>'


def _examples(atlas: Atlas, kind: Kind) -> dict[Head, list[str]]:
    """head -> its strongest pair as a summary, then an <li> for each example."""
    found: dict[Head, list[str]] = {}
    table = atlas.examples
    if table.empty:
        return found
    for row in table[table["kind"] == kind].sort_values(["layer", "head", "rank"]).itertuples(index=False):
        head = Head(kind, int(row.layer), int(row.head))  # type: ignore[arg-type]
        pair = f"{_token(row.query_token)} → {_token(row.key_token)}"
        lines = found.setdefault(head, [f"<span>{pair}</span>"])
        lines.append(f"<li><b>{number(float(row.weight), 2)}</b> {pair}<br><q>{_context(row)}</q></li>")  # type: ignore[arg-type]
    return found


def _token(written: object) -> str:
    return f"<bdi><code>{escape(token(str(written), 32))}</code></bdi>"


def _context(row: object) -> str:
    """The text around the key, with the key marked, and the query where it stands in the same text."""
    text = plain(str(row.context), 400)  # type: ignore[attr-defined]
    key, query = (token(str(t), 400).removeprefix("##") for t in (row.key_token, row.query_token))  # type: ignore[attr-defined]
    before = min(int(row.key), _AROUND)  # type: ignore[attr-defined]
    offset = int(row.query) - int(row.key)  # type: ignore[attr-defined]
    marks = []
    at = _nearest(text, key, before / (2 * _AROUND) if before == _AROUND else before / (before + _AROUND))
    if at is not None:
        marks.append((at, at + len(key), "mark"))
    if at is not None and offset and abs(offset) <= _AROUND:
        side = (at + len(key), len(text)) if offset > 0 else (0, at)
        asked = text.find(query, *side) if offset > 0 else text.rfind(query, *side)
        if asked >= 0:
            marks.append((asked, asked + len(query), "u"))
    shown, last = [], 0
    for start, stop, tag in sorted(marks):
        shown.append(f"{escape(text[last:start])}<{tag}>{escape(text[start:stop])}</{tag}>")
        last = stop
    return "".join(shown) + escape(text[last:])


def _nearest(text: str, part: str, share: float) -> int | None:
    """Where `part` stands nearest to that share of the text. A guess where a word comes twice: the text was
    joined from pieces, and does not say where each began."""
    places = [i for i in range(len(text)) if text.startswith(part, i)]
    return min(places, key=lambda i: abs(i - share * len(text)), default=None)
