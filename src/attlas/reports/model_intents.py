"""Questions about the model itself: its size, its loss, its commonest names, what stands out."""

from __future__ import annotations

import math
import re
from collections import Counter

from attlas.reports.ask_answer import Answer
from attlas.reports.highlights import what_stands_out
from attlas.reports.method_intents import measured
from attlas.reports.question import Question
from attlas.reports.sentences import claim_and_evidence
from attlas.wording.names import NAMES, SHAPES
from attlas.wording.numbers import count, model_title

SIZE = re.compile(
    r"\bhow (?:big|large) (?:is|are)\b(?!.* (?:effects?|heads?|loss|gain|difference)\b)|\bwhich model\b"
    r"|\bhow many (?:layers|parameters|heads (?:does|do|are there|has|in (?:total|the model)))"
)
COMMONEST = re.compile(
    r"\b(?:patterns?|shapes?|names?|kinds? of heads?|types? of heads?|roles?"
    r"|behaviou?rs?)\b.*\b(?:frequent\w*|common\w*|dominant|dominates?|prevalent)\b"
    r"|\b(?:most|commonest) (?:frequent |common )?(?:pattern|shape|name|kind|type|role|behaviou?r)"
)
LOSS = re.compile(
    r"\bperplexity\b|\b(?:baseline|plain|base|unmodified|original) (?:model(?:'s)? )?(?:loss|score)"
    r"|\bloss of the (?:plain |unmodified |whole )?model|\bhow good is (?:the|this|it)\b"
)
FIRST = re.compile(
    r"\bstands? out\b|\bat first\b|\bhead first\b|\binteresting\b|\bsummar|\boverview\b|\bgood at\b"
    r"|\bdid you (?:find|learn|see)\b|\bwhat (?:does|do) (?:this|the) (?:model|heads?)(?: do)?\??$"
)


def of_model(q: Question) -> Answer | None:
    """How large the model is, how well it predicts, its commonest names, and what stands out."""
    model = q.atlas.model
    if COMMONEST.search(q.plain) and not q.named:
        return _commonest(q)
    if LOSS.search(q.plain):
        return _loss(q)
    if SIZE.search(q.plain):
        kinds = model.get("layers", {}).items()
        layers = ", ".join(f"{count(len(of_kind), f'{kind} layer')}" for kind, of_kind in kinds)
        title = model_title(str(model.get("name", "the model")))
        heads = count(len(q.addresses), "head")
        return Answer(q.text, lead=f"{title} ({model.get('class', '')}) has {layers}, {heads}.")
    if FIRST.search(q.plain) and not q.named:
        said = [claim_and_evidence(n.sentence, q.addresses)[0] for n in what_stands_out(q.search.sentences)]
        return Answer(q.text, lead="\n".join(said) or "Nothing is shown to stand out.")
    return None


def _commonest(q: Question) -> Answer | None:
    """How many heads have each name: shapes where shapes are asked for, else patterns."""
    shapes = any(unit.terms & {*SHAPES, "shape"} for unit in q.units) or "shape" in q.plain
    kind = "shape" if shapes else "pattern"
    names = q.atlas.names(kind)
    chosen = [name for head, name in names.items() if not q.layers or head.layer in q.layers]
    if not chosen:
        return Answer(q.text, missing=(q.command("patterns"),))
    counts = Counter(name for name in chosen if name in NAMES[kind]).most_common()
    if not counts:
        return Answer(q.text, lead=f"No head has a name of a {kind}.")
    ranked = ", ".join(f"{NAMES[kind][name]} {many:,}" for name, many in counts)
    without = len(chosen) - sum(many for _, many in counts)
    nameless = f", none {without:,}" if without else ""
    of = f" of the {count(len(chosen), 'head')}"
    return Answer(q.text, lead=f"{_upper(NAMES[kind][counts[0][0]])} is most common{of}: {ranked}{nameless}.")


def _loss(q: Question) -> Answer | None:
    """What the unmodified model scores."""
    for key, table in q.atlas.tables.items():
        if key.endswith("/disabled") and {"plain", "score"} <= {*table.columns} and len(table):
            row = table.iloc[0]
            if (
                row["plain"] is not None
                and math.isfinite(float(row["plain"]))
                and str(row["score"]) == "loss"
            ):
                documents = f" in {count(int(row['documents']), 'document')}" if row.get("documents") else ""
                said = (
                    f"Its loss is {float(row['plain']):.3f} nats over "
                    f"{count(int(row['n']), 'item')}{documents}"
                )
                return Answer(q.text, lead=f"{said}. {measured(q)}")
    return None


def _upper(text: str) -> str:
    return text[:1].upper() + text[1:]
