"""Questions about how numbers were measured and judged."""

from __future__ import annotations

import re
from collections.abc import Callable

from attlas.reports.ask_answer import Answer
from attlas.reports.question import Question
from attlas.statistics.claims import CLAIMS, SURE
from attlas.wording.numbers import count

TRAINED = re.compile(r"\b(?:train|pretrain)\w* (?:on|with|for)\b|\bwh(?:at|ich) language")
READ = re.compile(
    r"\bwh(?:at|ich) (?:text|data|corpus|documents)|\bmeasured on\b"
    r"|\bhow (?:many|much) (?:text|data|documents|segments|tokens|items)"
)
TRUST = re.compile(
    r"\btrust\b|\breliable\b|\bcorrect(?:ed|ion)\b|\bmultiple (?:comparisons|test)|\bholm\b|\bbonferroni\b"
    r"|\bp-?values?\b|\b(?:how|was|were|are|is)\b.*\b(?:measured|computed|calculated|estimated|corrected)\b"
)
EDIT = re.compile(
    r"\b(?:mean|zero|uniform|resample)[- ](?:ablat\w*|edit|knock\w*)|\b(?:ablation|knock-?out|edit) "
    r"(?:method|type|kind)"
    r"|\bhow (?:were|was|are|did you|do you) .*\b(?:disabl|ablat|knock|switch|remov|turn)\w*"
)
HALVES = re.compile(
    r"\bheld[- ]?out\b|\boverfit\w*|\bfit(?:ted)? (?:to|on)\b|\b(?:test|dev|validation) (?:set|split|data)\b"
    r"|\bsame (?:data|text|sentences|documents)\b|\bcherry[- ]?pick\w*|\bdouble[- ]dip\w*|\bcircular\b"
)
SIZES = re.compile(
    r"\beffect sizes?\b|\bhow many tests\b|\bthresholds?\b|\bcut-?offs?\b|\b(?:still )?(?:call"
    r"|count\w*) (?:as )?(?:significant|important|a match)"
    r"|\bsmallest (?:effect|size|change|difference)|\bsignifican(?:ce|t) (?:level|threshold)|\balpha\b"
)
CHANCE = re.compile(
    r"\b(?:random|untrained|shuffled|control) (?:heads?|models?|weights?|baseline|init\w*|twin)|\bby "
    r"chance\b|\bchance level\b"
    r"|\brandomly initiali[sz]ed\b|\bwhat (?:is|are|was) the (?:chance|null|baseline)s?\b"
)
ERRORS = re.compile(
    r"\berror bars?\b|\bstandard errors?\b|\bsample size\b|\benough (?:data|text|documents)|\brobust\w*"
    r"|\bstable\b|\bstability\b"
    r"|\bseeds?\b|\bhow (?:certain|confident|sure)\b|\brerun\b|\breproducib\w*|\bnoisy?\b"
)
_RULE = (
    "Every claim needs a size that matters, a 95 % interval beyond chance and beyond an untrained twin, and "
    "p < 0.05 after Holm's correction over all that was asked"
)


def of_method(q: Question) -> Answer | None:
    """How numbers were measured and judged, and on what."""
    for pattern, (tells, _) in METHODS.items():
        if re.search(pattern, q.plain) and not (q.named and pattern in OF_ALL):
            said = tells(q)
            beside = q.search.ranked(q, q.topics).heads[:1] if q.topics and pattern == CHANCE.pattern else ()
            return Answer(q.text, beside, lead=said)
    return None


def measured(q: Question) -> str:
    read = "; ".join(_read(q, chapter) for chapter in q.atlas.chapters)
    return f"Measured: {read}. attlas show {q.folder} --provenance says all."


def _read(q: Question, chapter: str) -> str:
    about = q.atlas.about(chapter)
    counts, corpus = about.get("counts") or {}, about.get("corpus") or {}
    name = corpus.get("name", "") if isinstance(corpus, dict) else str(corpus)
    items = f" ({count(int(counts['items']), 'item')})" if counts.get("items") else ""
    return f"{about.get('study')} on {count(int(counts.get('documents', 0)), 'document')}{items} of {name}"


def _trained_on(q: Question) -> str:
    return f"What the model was trained on is not measured. {measured(q)}"


def _switched_off(q: Question) -> str:
    """By which edit, and how the heads were chosen."""
    said = []
    for chapter in q.atlas.chapters:
        about = q.atlas.about(chapter)
        settings = about.get("settings") or {}
        if about.get("study") == "disable" and isinstance(settings, dict):
            edit = str(settings.get("edit", ""))
            does = {"mean": "its mean output", "zero": "nothing", "uniform": "even attention"}.get(edit, edit)
            screened = f"{chapter}/screened" in q.atlas.tables
            few = (
                "; all heads were estimated by attribution on other documents, and the strongest confirmed"
                if screened
                else ""
            )
            said.append(f"Heads were switched off by `{edit}`: each gives {does} instead{few}.")
    others = f"attlas disable {q.model} --edit zero --atlas {q.folder} --chapter zero takes another edit."
    return " ".join([*said, others]) if said else f"No head was switched off yet: {q.command('disable')[1]}"


def _sizes(q: Question) -> str:
    """The least sizes that matter, and how many tests were corrected for."""
    kinds = ("pattern", "share", "gain", "loss")
    sizes = "; ".join(f"{CLAIMS[k].title}: {CLAIMS[k].size:g} {CLAIMS[k].unit}" for k in kinds)
    tests = [
        f"{int(table['p'].notna().sum()):,} ({key})"
        for key, table in q.atlas.tables.items()
        if "p" in table and table["p"].notna().any()
    ]
    many = f" Tests, corrected table by table: {', '.join(tests)}." if tests else ""
    return f"The least that counts: {sizes}. p must be below {SURE} after Holm's correction.{many}"


def _halves(q: Question) -> str:
    return (
        "Heads are chosen on one part of the documents and reported on another: relations on the other "
        "half, heads "
        "to switch off on documents that did not estimate them, programs on the half they were not "
        "fitted to. "
        f"Patterns choose nothing, and use all. attlas show {q.folder} --provenance says what was read."
    )


def _by_chance(q: Question) -> str:
    return (
        "Beside every score stand its chance, the best fixed offset or an untrained model's heads, and "
        "p: how often "
        "chance alone would reach it, corrected for all heads that were tried"
    )


def _errors(q: Question) -> str:
    return (
        "A ± is a standard error over documents, and 95 % an interval; another sample of text moves a "
        "number by "
        f"about as much. Another seed or text: attlas report {q.model} --text OTHER.txt --atlas "
        f"other.attlas. {measured(q)}"
    )


def _rule(q: Question) -> str:
    return f"{_RULE}. attlas show {q.folder} --provenance says how each was measured."


#: how it is asked -> what is said of the method, and an example; the first that fits
METHODS: dict[str, tuple[Callable[[Question], str], str]] = {
    TRAINED.pattern: (_trained_on, "what was it trained on?"),
    EDIT.pattern: (_switched_off, "was it mean ablation?"),
    HALVES.pattern: (_halves, "was it held out?"),
    SIZES.pattern: (_sizes, "what effect size counts?"),
    CHANCE.pattern: (_by_chance, "what would come by chance?"),
    ERRORS.pattern: (_errors, "are there error bars?"),
    READ.pattern: (measured, "what text was this measured on?"),
    TRUST.pattern: (_rule, "can I trust these numbers?"),
}
#: those that are of the model, and not of a head that is named
OF_ALL = (TRAINED.pattern, SIZES.pattern, ERRORS.pattern, READ.pattern, TRUST.pattern)
