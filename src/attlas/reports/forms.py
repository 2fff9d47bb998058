"""The forms of questions that words alone cannot answer, for pages: each with its answer where it has one."""

from __future__ import annotations

from collections.abc import Callable

from attlas.reports.ask_answer import Answer
from attlas.reports.intents import DOINGS, HARMFUL, HOW_TO, PAIRS, PAPERS, REDIRECTS
from attlas.reports.layer_intents import WHICH_LAYER
from attlas.reports.model_intents import FIRST, READ, SIZE, TRAINED, TRUST
from attlas.reports.narrowing import COUNTS, NAMELESS
from attlas.reports.page_contract import Form
from attlas.reports.question import HARMLESS

#: pattern -> a question of that form whose answer is that of all of them; "" where answers differ
FORMS: dict[str, str] = {
    **{rf"\b{name}(?:\b|\d)": f"reproduce {name}" for name in PAPERS},
    r"\breproduce\b": "reproduce a paper",
    r"\b(?:19|20)\d\d\b|\bet al\b": "what of a paper of 2024?",
    **{rf"{HOW_TO.pattern}.*\b(?:{words})": f"how do I {words.partition('|')[0]}?" for words, _ in DOINGS},
    **{pattern: sample for pattern, sample, *_ in REDIRECTS},
    TRAINED.pattern: "what was it trained on?",
    READ.pattern: "what text was this measured on?",
    TRUST.pattern: "can I trust these numbers?",
    HARMFUL.pattern: "which heads are harmful?",
    HARMLESS.pattern: "which heads can I remove safely?",
    SIZE.pattern: "how big is the model?",
    FIRST.pattern: "what stands out?",
    r"\blayers?\s+\d": "",
    WHICH_LAYER.pattern: "",
    COUNTS.pattern: "",
    PAIRS.pattern: "which heads are alike?",
    NAMELESS.pattern: "which heads have no name?",
}


def forms_of(ask: Callable[[str], Answer]) -> list[Form]:
    """With the answers that one atlas has."""
    forms: list[Form] = []
    for pattern, sample in FORMS.items():
        answer = ask(sample) if sample else Answer("")
        lead, missing = answer.lead or answer.note, list(answer.missing)
        forms.append({"pattern": pattern, "lead": lead, "missing": missing})
    return forms
