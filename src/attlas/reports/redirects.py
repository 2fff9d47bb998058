"""Questions that another command answers, or that no atlas can: each with what to do instead."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from attlas.reports.ask_answer import Answer
from attlas.reports.question import MOST, Question

#: what people ask for that is a command's work: a pattern, a question of that form, the study, what to say
REDIRECTS: tuple[tuple[str, str, str, str], ...] = (
    (
        r"name[- ]?movers?|\bs-?inhibition|\bioi\b|logit difference",
        "name movers",
        "patch",
        "That is found by patching, on indirect objects",
    ),
    (
        r"(?<!induction )\bcircuits?\b|\bpatch|causal tracing",
        "patching",
        "patch",
        "Circuits are found by patching",
    ),
    (
        r"\bk-?composition|\bcompos(?:e|es|ition)\b|\bfeeds?\b",
        "composition",
        "why",
        "Who feeds a head is a study of its own",
    ),
    (r"^(?:please )?prune\b|\bsmaller model|\bcompress", "prune", "prune", "Pruning is a command"),
    (
        r"\bnames?\b.*\b(?:tested|causal|true|right|hold)\b",
        "are the names true?",
        "name_tests",
        "Names are tested by a command",
    ),
)


@dataclass(frozen=True)
class Unknowable:
    """What an atlas of one model cannot know: how it is asked, an example, why, and what would tell. A
    chapter of the study `unless` knows it; `whether` asks first whether the head does so at all."""

    pattern: str
    sample: str
    says: str
    what: str = ""
    command: str = ""
    unless: str = ""
    whether: bool = False


_OTHER_TEXT = (
    r"(?:in|on|for|with|over|across) (?:\w+ ){0,2}(?:code|german|french|spanish|chinese|english|other "
    r"(?:languages?|texts?|data\w*|domains?|corpora|corpus)|another (?:language|text|data\w*|domain"
    r"|corpus)|different (?:text|data\w*|domains?|languages?|corpus|corpora)|(?:medical|legal"
    r"|scientific) \w+|tweets|poetry|dialogue|longer (?:texts?|contexts?|inputs?))"
)
UNKNOWABLE: tuple[Unknowable, ...] = (
    Unknowable(
        r"\bfaster\b|\bspeed\w*|\blatency\b|\bthroughput\b|\bslow\w*|\bflops?\b|\b(?:memory|vram|ram)\b"
        r"|\bhow fast\b|\bseconds\b",
        "how fast is it?",
        "Attention does not tell time or memory. Pruning with --save measures the speed of the smaller "
        "model.",
        "the speed of a smaller model",
        "attlas prune {model} --keep 0.5 --save smaller",
    ),
    Unknowable(
        r"\bquanti[sz]\w*|\bint-?[48]\b|\b[48][- ]?bits?\b|\b(?:b?fp?|float)-?16\b|\bhalf precision\b",
        "what does quantization break?",
        "This atlas is of one set of weights: what other numbers would change is seen by comparing "
        "both models.",
        "the quantized model",
        "attlas compare {model} QUANTIZED --atlas {folder}",
    ),
    Unknowable(
        r"\b(?:during|in|over|throughout|of|at) (?:the )?(?:pre-?)?training\b|\btraining (?:steps?"
        r"|dynamics|run)\b|\bcheckpoints?\b|\bemerg\w*"
        r"|\b(?:learn\w*|form\w*|develop\w*)\b.*\b(?:early|late|first|when|steps?|epochs?|before"
        r"|after)\b|\bwhen (?:did|does|do|was|were)\b.*\b(?:learn|form|develop|appear)",
        "when was it learnt?",
        "One atlas shows one checkpoint, not how training came there. Compare an earlier checkpoint, or map "
        "while it trains (attlas.Callback).",
        "an earlier checkpoint",
        "attlas compare EARLIER {model} --atlas {folder}",
    ),
    Unknowable(
        rf"\b{_OTHER_TEXT}|\bin (?:my|our) (?:domain|data)\b|\bmultilingual\b|\bgenerali[sz]e\b",
        "would it be the same in German?",
        "That is not known: heads were measured on one text. Measure the model on the other and lay the two "
        "atlases side by side.",
        "another text",
        "attlas report {model} --text OTHER.txt --atlas other.attlas",
    ),
    Unknowable(
        r"\b(?:fine-? ?tun|finetun|adapt|lora|rlhf|instruction[- ]tun)\w*",
        "what did fine-tuning change?",
        "This atlas is of one model. What fine-tuning does to its heads is measured between the two models.",
        "what fine-tuning changed",
        "attlas compare {model} FINETUNED --atlas {folder}",
        unless="compare",
    ),
    Unknowable(
        r"\b(?:than|with|to|like|vs\.?|versus|in|for) (?:the )?(?:gpt\S*|roberta\S*|bert-?\w+"
        r"|distilbert\S*|llama\S*|qwen\S*|t5\S*|mistral\S*|gemma\S*)"
        r"|\b(?:other|another|different|bigger|larger|smaller) models?\b|\bsame model with (?:a|an"
        r"|another) .*seed\b",
        "is it so in other models?",
        "This atlas knows one model. Write a report of the other, and put the two side by side.",
        "two models",
        "attlas report {folder} OTHER.attlas",
    ),
    Unknowable(
        r"\b(?:what|where|how|which tokens) do(?:es)? (?:the )?(?:\[?(?:cls|sep|pad|mask|bos|eos)\]?"
        r"|first token|last token|commas?|periods?|punctuation)"
        r"(?: tokens?)? (?:attend|look|go|point)",
        "what does [CLS] attend to?",
        "Measured is where heads look, not where each kind of token looks. From [CLS] to kinds of "
        "words, this would:",
        "where [CLS] looks",
        "attlas probe features {model} --atlas {folder}",
    ),
    Unknowable(
        r"^why\b(?! (?:should|can i|do you))|\bwhy (?:does|do|is|are|did|would|it|they|this|that|head)\b",
        "why does a head look there?",
        "Attention shows where a head looks, not why it came to. What feeds its queries and keys can "
        "be measured.",
        "which earlier heads feed a head",
        "attlas why {model} --atlas {folder}",
        whether=True,
    ),
)

#: what somebody wants to do, and the command that does it
HOW_TO = re.compile(
    r"\bhow (?:do|can|to|would|should|could)\b(?: (?:i|you|we|one))?\b|\b(?:what|which) command"
    r"|\bcommand (?:to|for|i|do)\b"
    r"|^(?:plot|draw|export|save|download|visuali[sz]e|render)\b|^give me (?:the |a )?command"
)
DOINGS: tuple[tuple[str, str, str], ...] = (
    (
        r"\bcsv\b|spreadsheet|pandas|dataframe|parquet|\bjson\b|export|\blist of\b.*\b(?:script|file)",
        "how do I export it?",
        "{table}",
    ),
    (
        r"\bprun|shrink|smaller",
        "how do I prune?",
        "attlas prune {model}{keep} --save smaller --atlas {folder}",
    ),
    (
        r"switch|turn\w* off|disabl|ablat|remov|knock|silenc|\bdrop\b|\bcut\b",
        "how do I switch a head off?",
        "attlas disable {model} --heads {head} --atlas {folder}",
    ),
    (
        r"figure|\bplots?\b|\bdraw|\bpictures?\b|\bsvg\b|\bpdf\b",
        "how do I draw it?",
        "attlas draw {folder} --figures figures",
    ),
    (
        r"\b(?:see|view|look|visuali[sz]e|show|render|inspect|watch|explore)\b|\bmy (?:own "
        r")?(?:sentence|text|input)",
        "how do I see it?",
        'attlas view {model} "YOUR SENTENCE"{layer}',
    ),
    (r"compar|differ", "how do I compare models?", "attlas compare {model} OTHER --atlas {folder}"),
    (r"patch|circuit", "how do I patch?", "attlas patch {model} --atlas {folder}"),
    (r"fine-? ?tun|\btrain", "how do I fine-tune?", "attlas finetune {model} TASK --data DATA"),
    (
        r"\bprob(?:e|es|ing)\b|syntax|coreference",
        "how do I probe?",
        "attlas probe dependencies {model} --atlas {folder}",
    ),
    (
        r"\bmeasure|\bmap\b|\brun\b|\bmy (?:own )?(?:data|corpus|model)",
        "how do I measure my own text?",
        "attlas report {model} --text YOUR.txt",
    ),
)
PAPERS = {"clark": "clark2019", "kovaleva": "kovaleva2019", "vig": "vig2019"}
REPRODUCE = r"\b(?:reproduc|replicat)\w*"
OTHER_PAPER = r"\b(?:19|20)\d\d\b|\bet al\b"
_CITED = re.compile(
    r"(?:\b(?:like|as) )?(?:\b(?:in|from|by|of) )?(?:\bthe )?\b(?:clark|kovaleva|vig)(?:'s|’s)?\b(?: "
    r"et al\.?,?)?(?: \(?(?:19|20)\d\d\)?)?"
    r"(?: (?:fig(?:ure|\.)?|table|section) ?\d+)?(?: found (?:that|this|it)?(?: for [\w ]+)?)?"
)


def redirected(q: Question) -> Answer | None:
    """The command that does what is asked, and what is known of it."""
    for pattern, _, study, says in REDIRECTS:
        if re.search(pattern, q.plain) and not HOW_TO.search(q.plain):
            there = any(q.atlas.about(c).get("study") == study for c in q.atlas.chapters)
            if study == "patch" and there:
                return _patched(q)
            what, command = q.command(study)
            shown = f" What it found: attlas show {q.folder}" if there else ""
            return Answer(q.text, lead=f"{says}.{shown}", missing=() if there else ((what, command),))
    return None


def how_to(q: Question) -> Answer | None:
    """The command for what somebody wants to do."""
    if not HOW_TO.search(q.plain) or re.search(r"\bhow (?:do|can) you (?:know|tell)\b", q.plain):
        return None
    for words, _, command in DOINGS:
        if re.search(rf"(?:{words})", q.plain):
            return Answer(q.text, lead=f"By a command: {command.format_map(_filled(q))}")
    return None


def _filled(q: Question) -> dict[str, str]:
    """What a command takes from the question: heads, a layer, how many to keep."""
    head = q.named[0] if q.named else q.addresses[0] if q.addresses else "0.0"
    layer = q.atlas.address(q.named[0]).layer if q.named else q.layers[0] if q.layers else None
    place = f" --layer {layer}" if layer is not None else ""
    place += f" --heads {q.atlas.address(q.named[0]).head}" if q.named else ""
    worth = WORTH_LIST.search(q.plain)
    table = "attlas disable {model} --csv heads.csv" if worth else "attlas ask {folder} QUESTION --json"
    both = {"model": q.model, "folder": q.folder}
    return {
        **both,
        "head": ",".join(q.named) or head,
        "layer": place,
        "keep": _keep(q),
        "table": table.format_map(both),
    }


WORTH_LIST = re.compile(r"\bimportan\w*|\bworth\b|\beffects?\b|\bloss\b|\bprun\w*")


def _keep(q: Question) -> str:
    """--keep 0.86, of a question that says how many heads are to go."""
    every = max(1, len(q.addresses))
    if many := re.search(r"\b(\d+) (?:\w+ ){0,2}heads\b", q.plain):
        return f" --keep {max(0.0, 1 - int(many[1]) / every):.2f}"
    if part := re.search(r"\b(\d+) ?(?:%|percent)", q.plain):
        return f" --keep {max(0.0, 1 - int(part[1]) / 100):.2f}"
    return " --keep 0.5" if re.search(r"\bhalf\b", q.plain) else " --keep 0.9"


def unknowable(q: Question) -> Answer | None:
    """What one atlas cannot know, and what would tell it."""
    known = next((known for known in UNKNOWABLE if re.search(known.pattern, q.plain)), None)
    studies = {q.atlas.about(chapter).get("study") for chapter in q.atlas.chapters}
    if known is None or known.unless in studies:
        return None
    command = known.command.format(model=q.model, folder=q.folder)
    missing = ((known.what, command),) if command else ()
    first = _whether(q) if known.whether else None
    if first is None:
        return Answer(q.text, lead=known.says, missing=missing)
    return replace(first, question=q.text, missing=missing, lead=f"{first.lead}\n{known.says}")


def _whether(q: Question) -> Answer | None:
    """Answer whether the head does at all what the question asks the reason for."""
    if not q.named:
        return None
    answer = q.search.answer(q.search.question(re.sub(r"\bwhy\b", " ", q.plain).strip()))
    if not answer.lead or answer.note or answer.missing:
        return None
    measured = [head.evidence for head in answer.heads if head.evidence.partition(";")[0] not in answer.lead]
    listed = f" ({'; '.join(measured)})" if measured else ""
    return replace(answer, lead=f"{answer.lead.removesuffix('.')}{listed}.")


def of_paper(q: Question) -> Answer | None:
    """A paper that is reproduced by a command. Where it is only mentioned, the rest of the question is
    answered, with the command beside it."""
    papers = [paper for name, paper in PAPERS.items() if re.search(rf"\b{name}(?:\b|\d)", q.plain)]
    if not papers and not re.search(REPRODUCE, q.plain):
        if re.search(OTHER_PAPER, q.plain):
            known = ", ".join(PAPERS.values())
            return Answer(q.text, note=f"That paper is not among those that Attlas reproduces: {known}.")
        return None
    command = "the paper's own numbers", f"attlas reproduce {papers[0] if papers else 'clark2019'} {q.model}"
    rest = _CITED.sub(" ", q.plain)
    if papers and not re.search(REPRODUCE, q.plain) and len(rest.split()) > 3:
        answer = q.search.answer(q.search.question(rest))
        if not answer.note and (answer.lead or answer.heads):
            return replace(answer, question=q.text, missing=(*answer.missing, command))
    return Answer(q.text, lead="Papers are reproduced by a command.", missing=(command,))


def _patched(q: Question) -> Answer:
    evidence, sentences = q.search.sentences.evidence, q.search.sentences
    ranked = [(place, rows[0]) for place, rows in enumerate(evidence.patched) if rows]
    if not ranked:
        return Answer(q.text, lead="Patching found no head with an effect beyond chance.")
    ranked.sort(key=lambda f: -abs(f[1][1]["effect"]))
    heads = tuple(q.head(place, next(sentences.patched(place)).sentence) for place, _ in ranked[:MOST])
    return Answer(
        q.text, heads, lead=f"Of the heads that were patched, {heads[0].head} moves the answer most."
    )
