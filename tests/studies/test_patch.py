"""Patching equals what plain hooks give in float64, pairs are checked, and a known circuit is found."""

from __future__ import annotations

import calendar
import json
import re
import string
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pandas as pd
import pytest
import tokenizers
import torch
import transformers
from rich.console import Console
from scipy.stats import pearsonr, spearmanr, ttest_1samp

import attlas
from attlas.address import Head
from attlas.corpora.source import ItemId
from attlas.corpora.text_source import RepeatedTokens
from attlas.errors import AttlasError
from attlas.figures import draw
from attlas.studies.patching.pair_tasks import MAKERS, made_pairs, pairs_for
from attlas.studies.patching.pair_texts import Pair, PairFitter, PairItem, PairSource
from attlas.studies.patching.patch_study import heads_sentences, paths_sentence, task_sentence
from attlas.studies.patching.patch_sweep import Patched
from attlas.studies.patching.patch_tables import agreement_table, head_table, path_table, top_of
from attlas.studies.patterns.pattern_scores import PatternScores
from attlas.studies.patterns.pattern_texts import PatternText
from attlas.subject import Subject
from attlas.tap import Tap
from compared import Compared
from hooked_patches import Asked, Hooks

CLOSE = 1e-6  # some of what transformers computes is in float32, whatever the model is in
LAYERS, HEADS = 3, 4
PAIRS = [
    {"clean": "the king and the queen saw the", "corrupt": "the queen and the king saw the"},
    {"clean": "the king was here . so was the", "corrupt": "the queen was here . so was the"},
    {"clean": "it was the king of the", "corrupt": "it was the queen of the"},
]


def written(folder: Path, masked: bool = False, pairs: list[dict[str, str]] = PAIRS) -> Path:
    """The pairs, with `king` and `queen` for answers, as JSON lines."""
    end, space = (" [MASK] .", "") if masked else ("", " ")
    answers = {"answer": f"{space}king", "wrong": f"{space}queen"}
    path = folder / "pairs.jsonl"
    lines = [{**pair, "clean": pair["clean"] + end, "corrupt": pair["corrupt"] + end} for pair in pairs]
    path.write_text("".join(json.dumps({**answers, **line}) + "\n" for line in lines))
    return path


@pytest.fixture(scope="module")
def tiny(mini: Subject) -> Callable[[str], Subject]:
    """A random model in float64, which reads with mini's tokenizer."""

    def make(kind: str) -> Subject:
        size = {"vocab_size": len(mini.tokenizer), "attn_implementation": "eager", "pad_token_id": 0}
        shape = {"hidden_size": 32, "num_hidden_layers": LAYERS, "num_attention_heads": HEADS}
        classes: dict[str, Any] = {
            "llama": lambda: transformers.LlamaForCausalLM(
                transformers.LlamaConfig(**size, **shape, num_key_value_heads=2, intermediate_size=48)
            ),
            "gpt2": lambda: transformers.GPT2LMHeadModel(
                transformers.GPT2Config(**size, n_embd=32, n_layer=LAYERS, n_head=HEADS)
            ),
            "bert": lambda: transformers.BertForMaskedLM(
                transformers.BertConfig(**size, **shape, intermediate_size=48)
            ),
        }
        torch.manual_seed(0)
        model = classes[kind]().double().eval()
        with torch.no_grad():
            for parameter in model.parameters():
                if parameter.ndim > 1:
                    parameter.mul_(5)  # attention is all but even otherwise
        tokenizer = transformers.AutoTokenizer.from_pretrained(Path(attlas.__file__).parent / "data" / "mini")
        return Subject(model, tokenizer, kind)

    return make


def asked(subject: Subject, path: Path) -> Iterator[tuple[Asked, Asked]]:
    """The pairs as the tokenizer makes them, by hand."""
    tokenizer = subject.tokenizer
    mask = tokenizer.mask_token_id
    for line in path.read_text().splitlines():
        pair = json.loads(line)
        answers = [tokenizer.convert_tokens_to_ids(pair[name].strip()) for name in ("answer", "wrong")]
        texts = [tokenizer(pair[name])["input_ids"] for name in ("clean", "corrupt")]
        if mask not in texts[0]:
            texts = [ids[:-1] for ids in texts]  # a decoder has no [SEP] after its last word
        place = texts[0].index(mask) if mask in texts[0] else len(texts[0]) - 1
        yield Asked(texts[0], place, *answers), Asked(texts[1], place, *answers)


def numbers(of_pairs: list[float]) -> tuple[float, float]:
    """Mean and standard error."""
    return float(np.mean(of_pairs)), float(np.std(of_pairs, ddof=1) / np.sqrt(len(of_pairs)))


@pytest.mark.reference("patched_output", "patched_weights", "attributed_output", "attributed_weights")
@pytest.mark.parametrize("kind", ["llama", "gpt2", "bert"])
def test_effects_attributions_and_paths_are_those_of_plain_hooks(
    kind: str, tiny: Callable[[str], Subject], tmp_path: Path, compared: Compared
) -> None:
    subject = tiny(kind)
    path = written(tmp_path, masked=kind == "bert")
    result = attlas.patch(subject, path, progress=False)
    hooks = Hooks(subject.model, kind, LAYERS, HEADS)
    every = [(layer, head) for layer in range(LAYERS) for head in range(HEADS)]
    expected: dict[tuple[str, str, tuple[int, int]], list[float]] = {}
    for clean, corrupt in asked(subject, path):
        for into, here, there in (("into_clean", clean, corrupt), ("into_corrupt", corrupt, clean)):
            plain, outputs = hooks.run(here, {})
            _, others = hooks.run(there, {})
            gradients = hooks.gradients(here)
            for what, patches in (("output", others), ("weights", hooks.weights_over_values(there, here))):
                for at in every:
                    change = hooks.run(here, {at: patches[at]})[0] - plain
                    expected.setdefault((f"patched_{what}", into, at), []).append(change)
                    slope = float((gradients[at] * (patches[at] - outputs[at])).sum())
                    expected.setdefault((f"attributed_{what}", into, at), []).append(slope)
    assert len(result.rows) == len(expected)
    for row in result.rows:
        mean, stderr = numbers(expected[row.statistic, row.group, (row.layer, row.head)])
        compared(row.statistic, row.value, mean, CLOSE)
        compared(row.statistic, row.stderr, stderr, CLOSE)
        assert abs(mean) > CLOSE or "weights" in row.statistic
    paths = result.paths.to_dict("records")
    assert len(paths) == len(every) + sum(a[0] < b[0] for a in every for b in every)
    for row in paths:
        receiver = None if row["to"] == "logits" else (row["to_layer"], row["to_head"])
        sender = row["layer"], row["head"]
        of_pairs = [hooks.path(*pair, sender, receiver) for pair in asked(subject, path)]
        assert (row["effect"], row["stderr"]) == pytest.approx(numbers(of_pairs), abs=CLOSE)


def test_intervals_and_tests_are_students_over_pairs_and_holms_over_heads(
    tiny: Callable[[str], Subject], tmp_path: Path
) -> None:
    subject = tiny("llama")
    path = written(tmp_path)
    result = attlas.patch(subject, path, progress=False)
    hooks = Hooks(subject.model, "llama", LAYERS, HEADS)
    p = {}
    gaps = []
    for clean, corrupt in asked(subject, path):
        gaps.append(hooks.run(clean, {})[0] - hooks.run(corrupt, {})[0])
    for row in result.effects().to_dict("records"):
        at = row["layer"], row["head"]
        of_pairs = [
            hooks.run(clean, {at: hooks.run(corrupt, {})[1][at]})[0] - hooks.run(clean, {})[0]
            for clean, corrupt in asked(subject, path)
        ]
        test = ttest_1samp(of_pairs, 0)
        low, high = test.confidence_interval(0.95)
        assert (row["low"], row["high"]) == pytest.approx((low, high), abs=CLOSE)
        p[at] = test.pvalue
    heads = result.effects()
    order = sorted(p, key=lambda at: p[at])
    steps = np.maximum.accumulate([min(1.0, (len(p) - i) * p[at]) for i, at in enumerate(order)])
    corrected = dict(zip(order, steps, strict=True))
    for row in heads.to_dict("records"):
        at = row["layer"], row["head"]
        assert (row["p_alone"], row["p"]) == pytest.approx((p[at], corrected[at]), abs=1e-4)
    gap = result.runs.set_index("text").loc["gap"]
    assert gap["value"] == pytest.approx(np.mean(gaps), abs=CLOSE)
    if gap["low"] > 0 or gap["high"] < 0:
        np.testing.assert_allclose(heads["share"], heads["effect"] / np.mean(gaps))
    else:
        assert heads["share"].isna().all()


def test_how_the_work_is_cut_changes_nothing(tiny: Callable[[str], Subject], tmp_path: Path) -> None:
    subject, path = tiny("bert"), written(tmp_path, masked=True)
    whole = attlas.patch(subject, path, progress=False)
    cut = attlas.patch(subject, path, batch=1, shard=1, kernel="eager", progress=False)
    for name in ("patched", "paths"):
        both = [result.chapter.tables[name].select_dtypes("number") for result in (whole, cut)]
        np.testing.assert_allclose(*both, atol=CLOSE)


def test_attribution_agrees_as_far_as_the_table_says() -> None:
    rng = np.random.default_rng(0)
    effects, attributed = rng.normal(size=(2, 30))
    address = {"layer": 0, "head": np.arange(30)}
    parts = [
        pd.DataFrame(
            {
                **{**address, "what": what, "into": into, "effect": effects},
                **{"attributed": attributed, "integrated": effects / 2},
            }
        )
        for what in ("output", "weights")
        for into in ("clean", "corrupt")
    ]
    table = agreement_table(pd.concat(parts))
    assert table["way"].tolist() == ["attribution"] * 4 + ["integrated gradients"] * 4
    assert table["both"].tolist()[4:] == [6] * 4
    row = table.iloc[0]
    assert row["correlation"] == pytest.approx(pearsonr(effects, attributed).statistic)
    assert row["rank_correlation"] == pytest.approx(spearmanr(effects, attributed).statistic)
    assert row["top"] == top_of(30) == 6
    strongest = [set(np.argsort(-np.abs(values))[:6]) for values in (effects, attributed)]
    assert row["both"] == len(strongest[0] & strongest[1])
    assert row["by_chance"] == pytest.approx(6 * 6 / 30)


# ---- a circuit that is known


@pytest.mark.slow
def test_in_a_model_trained_for_induction_the_heads_found_are_the_ones_known(
    trained: Subject, tmp_path: Path
) -> None:
    scores = PatternScores(("previous", "induction"))
    source = PatternText(RepeatedTokens(trained.tokenizer, 16, shortest=8, longest=12))
    with Tap(trained, [scores]) as tap:
        for shard in source.shards():
            for batch in source.batches(trained, source.prepare(shard).items):
                tap.run(batch)
    known = {(s.pattern, s.head): s.score for s in scores.scores()}
    before = {h for h in trained.heads if h.layer == 0 and known["previous", h] > 0.25}
    after = {h for h in trained.heads if known["induction", h] > 0.3}
    assert after == {h for h in trained.heads if h.layer == 1}
    rng = np.random.default_rng(0)
    pairs = []
    for _ in range(24):  # the same two tokens, but what comes before them is swapped
        a, b, c, d, *others = (f"t{i}" for i in rng.choice(np.arange(1, 64), 11, replace=False))
        clean, corrupt = (
            [*others[:2], x, b, *others[2:4], y, d, *others[4:], a] for x, y in ((a, c), (c, a))
        )
        pairs.append({"clean": " ".join(clean), "corrupt": " ".join(corrupt)})
        pairs[-1] |= {"answer": f" {b}", "wrong": f" {d}"}
    path = written(tmp_path, pairs=pairs)
    result = attlas.patch(trained, path, progress=False)
    assert result.notes[0].startswith("two layers does this task")
    assert sure(result.effects("output")) == before | after
    # induction heads look elsewhere, and find the same tokens there
    assert after <= sure(result.effects("weights"))
    between = result.paths[(result.paths["to"] != "logits") & (result.paths["p"] < 0.05)]
    assert len(between) > 0
    assert sure(between) <= before
    assert set(between["to_layer"]) == {1}


def sure(table: pd.DataFrame) -> set[Head]:
    """The heads of its rows that are beyond chance."""
    rows = table[table["p"] < 0.05].to_dict("records")
    return {Head(row["kind"], row["layer"], row["head"]) for row in rows}


# ---- pairs


@pytest.fixture(scope="module")
def fitter(mini: Subject) -> PairFitter:
    return PairFitter(mini.tokenizer, masked=True)


@pytest.mark.parametrize("maker", MAKERS)
def test_pairs_that_ship_differ_and_have_as_many_tokens_and_answers_of_one(
    maker: str, fitter: PairFitter
) -> None:
    made = made_pairs(maker, 12, 0, fitter)
    assert len(made.items) == 12
    assert len({item.clean for item in made.items}) == 12
    for item in made.items:
        assert len(item.clean) == len(item.corrupt)
        assert item.clean != item.corrupt
        assert item.clean[item.place] == item.corrupt[item.place] == fitter.tokenizer.mask_token_id
        assert item.answer != item.wrong
    assert made_pairs(maker, 12, 0, fitter) == made
    assert made_pairs(maker, 12, 1, fitter) != made


def test_the_answers_of_pairs_that_ship_are_right(mini: Subject) -> None:
    decoder = PairFitter(mini.tokenizer, masked=False)

    def first(maker: str) -> tuple[list[str], list[str], str, str]:
        item = made_pairs(maker, 8, 3, decoder).items[0]
        spelled = mini.tokenizer.convert_ids_to_tokens
        return spelled(item.clean), spelled(item.corrupt), spelled(item.answer), spelled(item.wrong)

    clean, corrupt, answer, wrong = first("indirect_objects")
    assert (clean.count(answer), clean.count(wrong)) == (1, 2)
    assert (corrupt.count(answer), corrupt.count(wrong)) == (2, 1)
    clean, corrupt, answer, wrong = first("agreement")
    assert (answer + "s" == wrong) or (answer == wrong + "s") or {answer, wrong} in IRREGULAR
    assert sum(a != b for a, b in zip(clean, corrupt, strict=True)) == 1
    clean, corrupt, answer, wrong = first("greater_than")
    started = int(next(word for word in clean if word.isdigit()))
    assert int(wrong) < started < int(answer)
    clean, corrupt, answer, wrong = first("successors")
    assert answer not in clean + corrupt
    assert wrong not in clean + corrupt


ORDERS = (
    [*calendar.day_name, *calendar.day_name],
    [*calendar.month_name[1:], *calendar.month_name[1:]],
    ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"],
    ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"],
    list(string.ascii_uppercase),
    [str(number) for number in range(1, 60)],
    [str(year) for year in range(1980, 2010)],
    ["ten", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"],
    ["Mercury", "Venus", "Earth", "Mars", "Jupiter", "Saturn", "Uranus", "Neptune"],
    ["I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X"],
)


def follows(words: list[str]) -> bool:
    """Whether these stand one after the other in a list that everybody knows."""
    return any(words == order[at : at + len(words)] for order in ORDERS for at in range(len(order)))


@pytest.mark.parametrize("seed", range(60))
def test_a_year_after_another_is_later_and_the_wrong_one_earlier_in_every_form(seed: int) -> None:
    forms = MAKERS["greater_than"](Random(seed))
    assert len({form.after for form in forms}) == 2, "the decade's digit alone leaves a digit to come"
    for form in forms:
        begun, until = re.findall(r"year (\d+)", form.before)[0], form.before.rpartition(" ")[2]
        century = until if until.isdigit() else ""
        answer, wrong = (f"{century}{text}{form.after.rstrip('.')}" for text in (form.answer, form.wrong))
        assert len(begun) == len(answer) == len(wrong) == 4
        assert int(wrong[:3]) < int(begun[:3]) < int(answer[:3]), "by a decade at least"
        assert {year[:2] for year in (begun, answer, wrong)} == {begun[:2]}, "of one century"
        assert answer[3] == wrong[3], "nothing but the decade tells them apart"
        assert form.corrupt == form.before.replace(begun, f"{begun[:2]}01")
        assert form.before.endswith("to the year") is (form.space == " ")


@pytest.mark.parametrize("seed", range(60))
def test_a_word_that_follows_two_is_next_and_the_wrong_one_follows_the_corrupt_two(seed: int) -> None:
    (form,) = MAKERS["successors"](Random(seed))
    clean, corrupt = (
        re.findall(r"\w+", text.removeprefix("In order: ")) for text in (form.before, form.corrupt)
    )
    assert len(clean) == len(corrupt) == 2
    assert follows([*clean, form.answer])
    assert follows([*corrupt, form.wrong])
    assert not {form.answer, form.wrong} & {*clean, *corrupt}
    assert re.sub(r"\w+", "", form.before) == re.sub(r"\w+", "", form.corrupt)


IRREGULAR = ({"is", "are"}, {"was", "were"}, {"has", "have"}, {"does", "do"}, {"goes", "go"})


@pytest.mark.parametrize("seed", range(60))
def test_a_verb_has_the_number_of_its_subject_and_the_wrong_one_that_of_the_corrupt(seed: int) -> None:
    (form,) = MAKERS["agreement"](Random(seed))
    subjects = [text.split()[1] for text in (form.before, form.corrupt)]
    assert form.before.replace(f"The {subjects[0]} ", "") == form.corrupt.replace(f"The {subjects[1]} ", "")
    plural = [subject.endswith("s") or subject in ("children", "men", "women") for subject in subjects]
    assert plural[0] is not plural[1]
    assert [not verb.endswith("s") for verb in (form.answer, form.wrong)] == plural
    assert form.group in subjects, "errors are over subjects, in whichever number"
    assert not {*subjects} & {*form.before.split()[2:]}, "another noun stands between"


@pytest.mark.parametrize("seed", range(30))
def test_who_is_given_something_is_not_who_gives_it(seed: int) -> None:
    (form,) = MAKERS["indirect_objects"](Random(seed))
    assert form.answer != form.wrong
    clean, corrupt = (re.findall(r"\w+", text) for text in (form.before, form.corrupt))
    assert (clean.count(form.answer), clean.count(form.wrong)) == (1, 2)
    (at,) = (place for place, pair in enumerate(zip(clean, corrupt, strict=True)) if len(set(pair)) == 2)
    assert (clean[at], corrupt[at]) == (form.wrong, form.answer)


def test_a_pair_is_read_once_and_draws_end_where_a_task_has_no_more(fitter: PairFitter) -> None:
    """`agreement` has thousands of pairs and gives as many as are asked; `successors` has a few hundred."""
    assert len(made_pairs("agreement", 40, 0, fitter).items) == 40
    all_there_are = made_pairs("successors", 1000, 0, fitter)
    assert 20 < len(all_there_are.items) < 1000
    assert len({item.clean for item in all_there_are.items}) == len(all_there_are.items)


def test_pairs_are_cut_into_shards_of_few_pairs_or_of_few_tokens() -> None:
    items = tuple(PairItem(ItemId(n, 0), (1,) * (4 + n % 3), (2,) * (4 + n % 3), 3, 5, 6) for n in range(40))
    source = PairSource(items, (("name", "made"),))
    assert [len(shard.content) for shard in source.shards()] == [16, 16, 8]
    small = replace(source, shard=20)  # tokens, of pairs of up to six
    assert [len(shard.content) for shard in small.shards()] == [3] * 13 + [1]
    assert [len(shard.content) for shard in replace(source, shard=2).shards()] == [1] * 40
    first = next(source.shards())
    prepared = source.prepare(first, 5)
    assert [item.id.document for item in prepared.items] == [0, 1, 2, 3, 4]
    assert prepared.counts == {"pairs": 5, "tokens": 2 * (4 + 5 + 6 + 4 + 5)}
    chosen = source.only([ItemId(1, 0), ItemId(9, 0)]).only([ItemId(9, 0), ItemId(20, 0)])
    assert [item.id.document for item in chosen.prepare(first).items] == [9]
    assert source.describe()["pairs"] == 40
    assert source.describe()["corpus"] != replace(source, items=items[::-1]).describe()["corpus"]


def test_pairs_that_do_not_fit_are_dropped_and_counted(mini: Subject) -> None:
    source = pairs_for(mini, "indirect_objects", count=10)
    dropped = dict(source.about)["dropped"]
    assert len(source.items) == 10
    assert "do not fit the tokenizer and were dropped: " in dropped
    assert dropped.startswith("of ")


GOOD = {"clean": "the king saw the", "corrupt": "the queen saw the", "answer": " king", "wrong": " queen"}
WRONG = {
    "not JSON": ('{"clean": ', r"line 1: this is not JSON"),
    "a list": ("[1]", r"line 1: a record with clean, corrupt, answer, wrong is needed, not list"),
    "a field is missing": (
        json.dumps({k: v for k, v in GOOD.items() if k != "wrong"}),
        r"line 1: the pair has no field 'wrong' \(it has 'clean', 'corrupt', 'answer'\)",
    ),
    "not text": (json.dumps({**GOOD, "answer": 3}), r"line 1: its 'answer' is int, not text"),
    "half a character": (
        json.dumps({**GOOD, "wrong": " \ud83d"}),
        r"its 'wrong' is not Unicode: character 1",
    ),
    "empty": (json.dumps({**GOOD, "clean": " "}), r"line 1: its 'clean' is empty"),
    "lengths differ": (
        json.dumps({**GOOD, "corrupt": "the queen saw all of the"}),
        r"fits the tokenizer of llama: line 1: the clean text has 4 tokens and the corrupt one 6",
    ),
    "the same": (json.dumps({**GOOD, "corrupt": GOOD["clean"]}), r"line 1: both texts have the same tokens"),
    "several tokens": (
        json.dumps({**GOOD, "answer": " king of"}),
        r"line 1: ' king of' is not one token after the clean text",
    ),
    "one answer": (json.dumps({**GOOD, "wrong": " king"}), r"' king' and ' king' are the same token"),
    "nothing": ("\n", r"is empty"),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_file_is_told_in_a_line(
    name: str, tmp_path: Path, subject_of: Callable[..., Subject]
) -> None:
    text, message = WRONG[name]
    path = tmp_path / "wrong.jsonl"
    path.write_text(text)
    with pytest.raises(AttlasError, match=message):
        attlas.patch(subject_of("llama"), path, progress=False)


def test_of_a_file_the_pairs_that_fit_are_read_unless_it_is_strict(
    tmp_path: Path, subject_of: Callable[..., Subject]
) -> None:
    path = tmp_path / "mixed.jsonl"
    path.write_text("".join(json.dumps({**GOOD, **more}) + "\n" for more in ({}, {"answer": " king of"})))
    llama = subject_of("llama")
    source = pairs_for(llama, path)
    assert len(source.items) == 1
    assert dict(source.about)["dropped"].startswith(
        "of 2 pairs read, 1 do not fit the tokenizer and were dropped: line 2: ' king of' is not one token"
    )
    assert len(pairs_for(llama, path, count=1).items) == 1
    with pytest.raises(AttlasError, match=r"mixed.jsonl, line 2: ' king of' is not one token"):
        pairs_for(llama, path, strict=True)


def test_an_answer_that_lacks_its_space_is_told_so() -> None:
    words = tokenizers.Tokenizer(tokenizers.models.WordLevel({"a": 0, "b": 1, "c": 2, "d": 3}, unk_token="a"))
    words.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()  # type: ignore[assignment]
    tokenizer = transformers.PreTrainedTokenizerFast(tokenizer_object=words)
    with pytest.raises(ValueError, match=r"'d' is not one token after the clean text: did you mean ' d'\?"):
        PairFitter(tokenizer, masked=False).fit(Pair("b c", "c b", "d", " b"), ItemId(0, 0))


def test_a_masked_model_needs_its_mask_once_and_at_the_same_place(fitter: PairFitter) -> None:
    for clean, corrupt, message in (
        ("the king", "the queen", r"the clean text has no \[MASK\]"),
        ("[MASK] the [MASK]", "[MASK] a [MASK]", r"the clean text has 2 times \[MASK\]"),
        ("the [MASK] a", "[MASK] the a", r"the mask is not at the same place"),
    ):
        with pytest.raises(ValueError, match=message):
            fitter.fit(Pair(clean, corrupt, "king", "queen"), ItemId(0, 0))


def test_a_pair_may_be_as_long_as_the_model_takes_and_no_longer(mini: Subject) -> None:
    """Four tokens, and [CLS] and [SEP] around them."""
    pair = Pair("the king [MASK] .", "the queen [MASK] .", "saw", "was")
    item = PairFitter(mini.tokenizer, masked=True, longest=6).fit(pair, ItemId(3, 0))
    assert (item.id, len(item.clean), item.place) == (ItemId(3, 0), 6, 3)
    assert list(item.clean) == mini.tokenizer(pair.clean)["input_ids"]
    with pytest.raises(ValueError, match="the texts have 6 tokens, and 5 are the most"):
        PairFitter(mini.tokenizer, masked=True, longest=5).fit(pair, ItemId(0, 0))


# ---- what is said and kept


def test_a_model_that_cannot_do_the_task_is_told_so_first(
    tiny: Callable[[str], Subject], tmp_path: Path
) -> None:
    subject = tiny("llama")
    path = written(tmp_path)
    able = attlas.patch(subject, path, progress=False)
    mean = able.runs.set_index("text").loc["clean", "value"]
    if mean > 0:  # then it cannot do the opposite
        lines = [json.loads(line) for line in path.read_text().splitlines()]
        swapped = [{**line, "answer": line["wrong"], "wrong": line["answer"]} for line in lines]
        path.write_text("".join(json.dumps(line) + "\n" for line in swapped))
        able = attlas.patch(subject, path, progress=False)
    console = Console(width=200, record=True)
    with console.capture() as capture:
        able.show(console)
    assert capture.get().startswith("llama cannot do this task, so its heads say nothing of how it is done")


def test_the_first_sentence_says_whether_the_task_is_done() -> None:
    def runs(value: float, low: float) -> pd.DataFrame:
        row = {"text": "clean", "value": value, "low": low, "high": 3.0, "above_zero": 5, "n": 6}
        return pd.DataFrame([row, {**row, "text": "corrupt"}])

    assert task_sentence("m", runs(2.0, 1.0)).startswith("m does this task: ")
    assert task_sentence("m", runs(0.5, 0.1)).startswith("m does this task: ")
    assert task_sentence("m", runs(2.0, -1.0)).startswith("it is not sure that m can do this task: ")
    assert task_sentence("m", runs(0.0, -1.0)).startswith("m cannot do this task")


def test_the_sentences_say_what_is_shown_what_is_small_and_what_would_decide_the_rest() -> None:
    verdicts = ("shown", "undecided", "shown", "small")
    rows = [
        (what, into, 0, head, effect if into == "clean" else -effect, verdict, 30 * head)
        for what in ("output", "weights")
        for into in ("clean", "corrupt")
        for head, (effect, verdict) in enumerate(
            zip((-3.0, -9.0, 0.25, 0.01), verdicts if what == "output" else ["small"] * 4, strict=True)
        )
    ]
    columns = ["what", "into", "layer", "head", "effect", "verdict", "documents_needed"]
    start = (
        "from the corrupt text into the clean one is shown to move the logit difference by 0.1 or more for"
    )
    rest = "1 is shown to move it less; 1 undecided, of which 30 subjects would decide half"
    assert heads_sentences(pd.DataFrame(rows, columns=columns), "subject") == [
        f"patching a head's output {start} 2 of 4 heads, most for 0.0 (-3.00), 0.2 (+0.25); {rest}. The "
        f"other way: 2 of 4 heads, most for 0.0 (+3.00), 0.2 (-0.25); {rest}",
        f"patching a head's weights alone {start} none of 4 heads; 4 are shown to move it less. The other "
        "way: none of 4 heads; 4 are shown to move it less",
    ]


def test_pairs_of_one_group_are_one_document_and_their_errors_are_over_groups() -> None:
    values = np.array([[1.0, 1.2, 0.8, 3.0, 3.1, 2.9, 2.0]])
    alike = [ItemId(0, 0), ItemId(0, 1), ItemId(0, 2), ItemId(1, 0), ItemId(1, 1), ItemId(1, 2), ItemId(2, 0)]
    both = {"output": values, "weights": values}
    patched = {
        into: Patched(plain, both, both, both, values)
        for into, plain in (("clean", values[0]), ("corrupt", -values[0]))
    }
    row = head_table(patched, [Head("decoder", 0, 0)], alike).iloc[0]
    effective = 7**2 / (3**2 + 3**2 + 1)
    sums, sizes = np.array([3.0, 9.0, 2.0]), np.array([3, 3, 1])
    off = sums - values.mean() * sizes
    stderr = np.sqrt(effective / (effective - 1) * (off**2).sum()) / 7
    assert (row["stderr"], row["documents"], row["n"]) == (pytest.approx(stderr), 3, 7)
    assert row["verdict"] == "undecided"
    assert row["documents_needed"] > 3
    alone = head_table(patched, [Head("decoder", 0, 0)], [ItemId(n, 0) for n in range(7)]).iloc[0]
    assert alone["verdict"] == "shown"


def test_the_pairs_stay_in_the_atlas_three_are_printed_and_the_file_of_them_is_read_as_the_same(
    subject_of: Callable[[str], Subject], tmp_path: Path
) -> None:
    subject, path = subject_of("llama"), tmp_path / "pairs.jsonl"
    result = attlas.patch(subject, "agreement", count=6, save_pairs=path, progress=False)
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    kept = result.pairs[["clean", "corrupt", "answer", "wrong", "control", "group"]].to_dict("records")
    assert sorted(lines, key=str) == sorted(kept, key=str)
    drawn, read = pairs_for(subject, "agreement", count=6), pairs_for(subject, path)
    for item, again in zip(drawn.items, read.items, strict=True):
        assert replace(item, pair=None) == replace(again, pair=None)
    console = Console(width=250, record=True)
    result.show(console)
    printed = console.export_text()
    assert all(pair["clean"] in printed for pair in kept[:3])
    assert "3 of 6" in printed
    runs = result.runs.set_index("text")["value"]
    for into in ("clean", "corrupt"):
        assert result.pairs[f"{into}_difference"].mean() == pytest.approx(runs[into])


def test_two_hundred_indirect_objects_stand_in_more_than_ten_templates_in_both_orders(
    subject_of: Callable[[str], Subject],
) -> None:
    source = pairs_for(subject_of("llama"), "indirect_objects")
    orders = set()
    for pair in source.pairs():
        first, second = re.findall(f"{pair.answer.strip()}|{pair.wrong.strip()}", pair.clean)[:2]
        orders.add(first == pair.wrong.strip())
        assert {first, second} == {pair.answer.strip(), pair.wrong.strip()}
    assert orders == {True, False}, "ABBA and BABA"
    assert len(source.items) == 200
    assert (
        len({item.id.document for item in source.items}) == len({pair.group for pair in source.pairs()}) > 10
    )


def planted(gaps: tuple[float, ...]) -> dict[str, Patched]:
    """Two heads on four pairs, whose corrupt texts have a logit difference of 0: the first head takes a half
    of what the clean texts have."""
    plain, nothing = np.array(gaps), np.zeros(4)
    exact = np.stack([-0.5 * plain, np.array([0.1, -0.1, 0.2, -0.2])])
    both = {"output": exact, "weights": exact / 2}
    return {
        into: Patched(unpatched, both, both, both, exact)
        for into, unpatched in (("clean", plain), ("corrupt", nothing))
    }


def test_an_effect_is_a_share_of_the_gap_where_the_texts_surely_differ() -> None:
    heads = [Head("decoder", 0, 0), Head("decoder", 1, 2)]
    ids = [ItemId(n, 0) for n in range(4)]
    table = head_table(planted((2.0, 2.5, 3.0, 2.5)), heads, ids)
    assert list(zip(table["what"], table["into"], strict=True))[::2] == [
        *(("output", "clean"), ("output", "corrupt"), ("weights", "clean"), ("weights", "corrupt"))
    ]
    assert table["from_1"].tolist() == ["1-1", "2-3"] * 4
    assert table["share"].tolist() == pytest.approx([-0.5, 0, -0.5, 0, -0.25, 0, -0.25, 0])
    first = table.iloc[0]
    test = ttest_1samp([-1.0, -1.25, -1.5, -1.25], 0)
    assert (first["effect"], first["p_alone"]) == pytest.approx(
        (test.statistic * first["stderr"], test.pvalue)
    )
    assert first["p"] == pytest.approx(2 * test.pvalue), "corrected for two heads"
    assert head_table(planted((-2.0, -2.5, -3.0, -2.5)), heads, ids)["share"].notna().all()
    assert head_table(planted((2.0, -2.5, 3.0, -2.5)), heads, ids)["share"].isna().all()


def test_paths_are_listed_the_strongest_first_and_named_where_they_are_shown() -> None:
    heads = [Head("decoder", layer, layer) for layer in range(3)]
    paths = [(heads[0], None), (heads[0], heads[1]), (heads[1], heads[2]), (heads[0], heads[2])]
    ids = [ItemId(n, 0) for n in range(6)]
    noise = 0.01 * np.array([1.0, -1, 2, -2, 1, -1])
    changed = np.stack([3 + noise, 0.5 + noise, -2 + noise, 50 * noise])
    table = path_table(paths, changed, np.full(6, 4.0) + noise, ids)
    assert table["to"].tolist() == ["logits", "2.2", "1.1", "2.2"]
    assert list(zip(table["to_layer"], table["to_head"], strict=True)) == [(-1, -1), (2, 2), (1, 1), (2, 2)]
    assert table["share"].tolist() == pytest.approx([0.75, -0.5, 0.125, 0], abs=1e-9)
    assert paths_sentence(table)[0].endswith(
        "by 0.1 or more: 2 of 3 paths, most for 1.1 to 2.2 (-2.00), 0.0 to 1.1 (+0.50); 1 undecided, of "
        "which 400 pairs would decide half"
    )
    assert paths_sentence(table[table["to"] == "logits"]) == []


@pytest.mark.parametrize(("heads", "top"), [(4, 1), (9, 1), (10, 2), (99, 19), (144, 20), (1024, 20)])
def test_the_strongest_heads_are_a_fifth_of_all_and_twenty_at_most(heads: int, top: int) -> None:
    assert top_of(heads) == top


def test_the_terminal_lists_the_strongest_heads_with_their_intervals(
    subject_of: Callable[[str], Subject],
) -> None:
    result = attlas.patch(subject_of("llama"), "agreement", count=4, progress=False)
    console = Console(width=200, record=True)
    result.show(console)
    shown = [line.split() for line in console.export_text().splitlines()]
    table = result.table.set_index(["what", "into", "layer", "head"])
    for what, title in (("output", "Output,"), ("weights", "Weights")):
        at = next(place for place, line in enumerate(shown) if line[:1] == [title])
        lines = [line for line in shown[at + 1 : at + 12] if line and re.fullmatch(r"\d\.\d", line[0])]
        order = result.effects(what)
        assert order["effect"].abs().is_monotonic_decreasing
        assert [line[0] for line in lines] == [f"{r['layer']}.{r['head']}" for r in order.to_dict("records")]
        for line in lines:
            row, back = (
                table.loc[(what, into, *map(int, line[0].split(".")))] for into in ("clean", "corrupt")
            )
            numbers = [row["effect"], row["low"], row["high"], row["attributed"]]
            numbers += [back["effect"], back["low"], back["high"]]
            assert [word for word in line[1:] if word[0] in "+-"] == [f"{n:+.3f}" for n in numbers]
    paths = next(place for place, line in enumerate(shown) if line[:1] == ["Paths"])
    listed = [line for line in shown[paths + 1 :] if "to" in line[1:2]]
    assert [(line[0], line[2]) for line in listed] == [
        (f"{r['layer']}.{r['head']}", r["to"]) for r in result.paths[:10].to_dict("records")
    ]


@pytest.mark.reference("figure patching")
def test_the_figure_shows_the_effects_of_the_table(
    subject_of: Callable[[str], Subject], tmp_path: Path, compared: Compared
) -> None:
    out, csv = tmp_path / "bert.attlas", tmp_path / "heads.csv"
    result = attlas.patch(
        subject_of("bert"), "agreement", count=4, atlas=out, figures=tmp_path, csv=csv, progress=False
    )
    assert (tmp_path / "figure-patching.svg").exists()
    assert len(pd.read_csv(csv)) == len(result.table) == 4 * 8
    atlas = attlas.load_atlas(out)
    table = result.effects().sort_index()
    *maps, beside = draw(atlas, "patching", "dark").axes[:4]
    assert len(maps) == 3
    (dots,) = beside.collections
    compared("figure patching", dots.get_offsets(), table[["effect", "attributed"]])


def test_an_atlas_shows_the_chapter_as_the_verb_did(
    subject_of: Callable[[str], Subject], tmp_path: Path
) -> None:
    out = tmp_path / "llama.attlas"
    result = attlas.patch(subject_of("llama"), "agreement", count=3, atlas=out, progress=False)
    shown = attlas.show(out, chapter="patch-agreement")
    assert shown.as_data()["paths"] == result.as_data()["paths"]
    again = attlas.patch(subject_of("llama"), "agreement", count=3, progress=False)
    assert again.as_data()["heads"] == result.as_data()["heads"]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("t5", "heads cannot be patched: t5 has heads of several kinds"),
        ("mpnet", "MPNetForMaskedLM does not use"),
    ],
)
def test_a_model_whose_heads_cannot_be_patched_is_refused_in_a_line(
    name: str, message: str, subject_of: Callable[[str], Subject]
) -> None:
    with pytest.raises(AttlasError, match=message):
        attlas.patch(subject_of(name), "agreement", progress=False)


def test_a_name_that_is_neither_file_nor_task_lists_the_tasks(subject_of: Callable[[str], Subject]) -> None:
    with pytest.raises(AttlasError, match=r"no task of that name: indirect_objects, greater_than, agreement"):
        attlas.patch(subject_of("llama"), "nothing", progress=False)
