"""The forms of questions that words alone cannot answer, for pages: each with its answer where it has one."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from attlas.reports.ask_answer import Answer
from attlas.reports.layer_intents import WHICH_LAYER
from attlas.reports.likeness import LAYERS_ALIKE, PAIRS
from attlas.reports.method_intents import METHODS, OF_ALL
from attlas.reports.model_intents import COMMONEST, FIRST, LOSS, SIZE
from attlas.reports.narrowing import COUNTS, NAMELESS
from attlas.reports.page_contract import Form
from attlas.reports.question import HARMLESS, LEAST_HARM
from attlas.reports.redirects import DOINGS, HOW_TO, OTHER_PAPER, PAPERS, REDIRECTS, REPRODUCE, UNKNOWABLE
from attlas.reports.relating import HOW_MUCH, RELATED, VERSUS, WHERE
from attlas.reports.relation_intents import EVERY_RELATION, MARGIN
from attlas.reports.removing import HARMFUL, JOINT, STRIKING


def forms() -> Iterator[tuple[str, str, bool]]:
    """In the order in which `ask` tries them: a pattern, a question of that form whose answer is that of all
    ("" where answers differ), and whether it is so where a head is named."""
    yield REPRODUCE, "reproduce a paper", True
    for name in PAPERS:
        yield rf"\b{name}(?:\b|\d)", "", True
    yield OTHER_PAPER, "what of a paper of 2024?", True
    yield from ((known.pattern, known.sample, True) for known in UNKNOWABLE)
    yield from ((rf"(?:{HOW_TO.pattern}).*(?:{words})", sample, False) for words, sample, _ in DOINGS)
    yield HOW_TO.pattern, "", True
    yield from ((pattern, sample, True) for pattern, sample, *_ in REDIRECTS)
    yield JOINT.pattern, "is the damage of removing two together the sum?", False
    yield RELATED.pattern, "", False
    yield EVERY_RELATION.pattern, "", False
    yield from ((pattern, sample, pattern not in OF_ALL) for pattern, (_, sample) in METHODS.items())
    yield HOW_MUCH.pattern, "", False
    yield STRIKING.pattern, "", False
    yield HARMFUL.pattern, "which heads are harmful?", False
    for pattern in (HARMLESS.pattern, LEAST_HARM.pattern):
        yield pattern, "which heads can I remove safely?", False
    yield VERSUS.pattern, "", False
    yield COMMONEST.pattern, "", False
    yield LOSS.pattern, "what is its perplexity?", False
    yield SIZE.pattern, "how big is the model?", False
    yield FIRST.pattern, "what stands out?", False
    yield LAYERS_ALIKE.pattern, "", False
    yield PAIRS.pattern, "which heads are alike?", False
    for pattern in (WHERE.pattern, r"\blayers?\s+\d", WHICH_LAYER.pattern, MARGIN.pattern, COUNTS.pattern):
        yield pattern, "", False
    yield NAMELESS.pattern, "which heads have no name?", False


def forms_of(ask: Callable[[str], Answer]) -> list[Form]:
    """With the answers that one atlas has."""
    every: list[Form] = []
    for pattern, sample, named in forms():
        answer = ask(sample) if sample else Answer("")
        lead, missing = answer.lead or answer.note, list(answer.missing)
        every.append({"pattern": pattern, "named": named, "lead": lead, "missing": missing})
    return every
