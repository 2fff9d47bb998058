"""Questions about the model itself, what was measured of it, and how."""

from __future__ import annotations

import re

from attlas.reports.ask_answer import Answer
from attlas.reports.question import Question
from attlas.reports.sentences import claim_and_evidence
from attlas.reports.standing_out import what_stands_out
from attlas.wording.numbers import count, model_title

SIZE = re.compile(
    r"\bhow (?:big|large)\b|\bwhich model\b"
    r"|\bhow many (?:layers|parameters|heads (?:does|do|are there|has|in (?:total|the model)))"
)
TRAINED = re.compile(r"\b(?:train|pretrain)\w* (?:on|with|for)\b|\bwh(?:at|ich) language")
READ = re.compile(
    r"\bwh(?:at|ich) (?:text|data|corpus|documents)|\bmeasured on\b"
    r"|\bhow (?:many|much) (?:text|data|documents|segments|tokens|items)"
)
TRUST = re.compile(
    r"\btrust\b|\breliable\b|\bcorrect(?:ed|ion)\b|\bmultiple (?:comparisons|test)|\bholm\b|\bbonferroni\b"
    r"|\bp-?values?\b|\b(?:how|was|were|are|is)\b.*\b(?:measured|computed|calculated|estimated|corrected)\b"
)
FIRST = re.compile(
    r"\bstands? out\b|\bat first\b|\bhead first\b|\binteresting\b|\bsummar|\boverview\b|\bgood at\b"
    r"|\bdid you (?:find|learn|see)\b|\bwhat (?:does|do) (?:this|the) (?:model|heads?)(?: do)?\??$"
)
_RULE = (
    "Every claim needs a size that matters, a 95 % interval beyond chance and beyond an untrained twin, and "
    "p < 0.05 after Holm's correction over all that was asked"
)


def of_method(q: Question) -> Answer | None:
    """How numbers were measured and judged, and on what."""
    if q.named:
        return None
    if TRAINED.search(q.plain):
        return Answer(q.text, lead=f"What the model was trained on is not measured. {_measured(q)}")
    if READ.search(q.plain):
        return Answer(q.text, lead=_measured(q))
    if TRUST.search(q.plain):
        return Answer(
            q.text, lead=f"{_RULE}. attlas show {q.folder} --provenance says how each was measured."
        )
    return None


def of_model(q: Question) -> Answer | None:
    """How large the model is, and what stands out."""
    model = q.atlas.model
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


def _measured(q: Question) -> str:
    read = "; ".join(_read(q, chapter) for chapter in q.atlas.chapters)
    return f"Measured: {read}. attlas show {q.folder} --provenance says all."


def _read(q: Question, chapter: str) -> str:
    about = q.atlas.about(chapter)
    counts, corpus = about.get("counts") or {}, about.get("corpus") or {}
    name = corpus.get("name", "") if isinstance(corpus, dict) else str(corpus)
    items = f" ({count(int(counts['items']), 'item')})" if counts.get("items") else ""
    return f"{about.get('study')} on {count(int(counts.get('documents', 0)), 'document')}{items} of {name}"
