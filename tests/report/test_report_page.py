"""The page of a report in a real browser: opened from a file, with no network."""

from __future__ import annotations

import copy
import csv
import io
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

import attlas
from attlas.atlas import Atlas, load_atlas
from attlas.reports.asking import addresses_of, ask, search_of
from attlas.reports.assembling import PackedReport, assemble
from attlas.reports.intents import by_intent
from attlas.reports.page import page_html
from attlas.reports.question import Question
from attlas.subject import Subject
from patience import FRAMES, PATIENCE, begins, expect, steady, until

TEXT = [
    "The cat sat on the mat. It was asleep, and nobody saw it. Then the dog came in and barked at the cat.",
    "A river runs through the old town. The town has a bridge, and the bridge has two towers.",
    "She gave him a book about the sea. He read the book twice, and then he gave it back to her.",
] * 2
HOSTILE = "</script><img src=x onerror=window.broken=1><b>\"'${window.broken=1}"
CHOSEN = {  # words that a model, a corpus or a user may choose
    *("title", "meaning", "definition", "corpus", "notes", "other", "tokens", "what", "command", "short"),
    "sentences",
}
ASK = Path(__file__).parent.parent / "data" / "ask"
MORE_QUESTIONS = [
    "what does head 1.2 do?",
    "compare 0.0 and 1.1",
    "what is the meaning of life",
    "frobnicate",
]
#: types each question into the finder and reads the answers
ASK_ALL = """async questions => {
    const box = document.querySelector("input[type=search]"), shown = []
    const words = shown => {  // without the numbers of notes, which are for print
        const copy = shown.cloneNode(true)
        copy.querySelectorAll(".note").forEach(note => note.remove())
        return copy.textContent.trim()
    }
    const texts = where => [...document.querySelectorAll(where)].map(words)
    for (const question of questions) {
        box.value = question
        box.dispatchEvent(new Event("input", {bubbles: true}))
        await new Promise(done => setTimeout(done))
        const [heads, sentences] = [texts(".answers .address"), texts(".answers li p")]
        shown.push({heads, sentences, commands: texts(".warning code"), warnings: texts(".warning")})
    }
    return shown
}"""


AXE = Path(__file__).parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"


@pytest.fixture(scope="module")
def atlas(subject_of: Callable[[str], Subject], tmp_path_factory: pytest.TempPathFactory) -> Atlas:
    """Two layers of four heads, with every study that applies."""
    folder = tmp_path_factory.mktemp("page")
    made = attlas.report(
        subject_of("bert"), text=TEXT, atlas=folder / "bert.attlas", page=folder / "bert.html", progress=False
    )
    return made.atlas


@pytest.fixture(scope="module")
def packed(atlas: Atlas) -> PackedReport:
    return assemble(atlas)


@pytest.fixture
def show(browser: Any, tmp_path: Path) -> Iterator[Callable[..., Any]]:
    """Opens a report from disk with the network off; any error on the page fails the test."""
    contexts, problems = [], []

    def opened(shown: PackedReport, address: str = "", *, width: int = 1400, **options: Any) -> Any:
        context = browser.new_context(viewport={"width": width, "height": 850}, offline=True, **options)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(1000 * PATIENCE)
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.on("console", lambda message: problems.append(message.text) if message.type == "error" else None)
        file = tmp_path / f"report{len(contexts)}.html"
        file.write_text(page_html(shown), encoding="utf-8", errors="surrogatepass")
        page.goto(file.as_uri() + address)
        page.locator(".report").wait_for()
        return page

    yield opened
    for context in contexts:
        context.close()
    assert problems == []


def table_heads(page: Any) -> Any:
    return page.locator("tbody th[scope=row] a:visible")


def test_a_head_has_an_address_and_back_leads_where_the_reader_was(show, packed):
    page = show(packed, "#head=1.2")
    heading = page.locator("h1:visible")
    expect(heading).to_have_text("Head 1.2")
    until(page, page.title, lambda title: title.startswith("Head 1.2 ·"))
    page.get_by_role("link", name="1.3 →").click()
    expect(heading).to_have_text("Head 1.3")
    page.wait_for_url("**#head=1.3")
    page.go_back()
    expect(heading).to_have_text("Head 1.2")
    page.get_by_role("link", name="All heads").click()
    expect(heading).to_have_text(packed.report["model"]["title"])
    page.go_back()
    expect(heading).to_have_text("Head 1.2")


def test_an_address_that_no_head_has_names_those_there_are(show, packed):
    page = show(packed, "#head=9.9")
    expect(page.locator("h1:visible")).to_have_text("No head 9.9")
    expect(page.locator(".body")).to_contain_text("0.0 to 1.3")


def test_a_head_opens_by_click_and_by_keyboard(show, packed):
    page = show(packed)
    page.get_by_role("link", name="Head 0.1,").first.click()
    expect(page.locator("h1:visible")).to_have_text("Head 0.1")
    page.go_back()
    page.get_by_role("link", name="Head 0.0,").first.focus()
    page.keyboard.press("ArrowDown")
    expect(page.locator("a:focus")).to_have_attribute("href", "#head=1.0")
    page.keyboard.press("ArrowRight")
    expect(page.locator("a:focus")).to_have_attribute("href", "#head=1.1")
    page.keyboard.press("Enter")
    page.wait_for_url("**#head=1.1")


def test_a_card_begins_with_its_sentences_and_has_every_statistic(show, packed):
    page = show(packed, "#head=0.3")
    card, report = page.locator("article"), packed.report
    first = "".join(
        p if isinstance(p, str) else report["heads"]["address"][p] for p in report["cards"][3]["sentences"][0]
    )
    expect(card.locator(".sentences p").first).to_have_text(first, use_inner_text=True)
    for fold in card.locator("summary").all():
        fold.click()
        fold.locator("xpath=following-sibling::table").wait_for()
    shown = steady(page, card.locator("th[scope=row]").all_inner_texts)
    for statistic in report["statistics"]:
        beside = statistic["name"] == "pattern_null" or statistic["family"] == "effect"
        if statistic["values"][3] is not None and not beside:
            assert statistic["title"] in shown


def test_examples_come_from_the_whole_range_of_a_head(show, packed):
    report = copy.deepcopy(packed.report)
    card, tokens = report["cards"][1], report["tokens"][0]["tokens"]
    steps = [*range(5), 4, None, None]
    kinds = ["step"] * 6 + ["random", "strongest"]
    card["examples"] = {
        "kind": kinds, "step": steps, "weight": [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.15, 0.99],
        "tokens": [0] * 8, "query": [2] * 8, "key": [1] * 8, "key_tokens": [None] * 8,
    }  # fmt: skip
    counts = {"tokens": ["the", "of"], "shares": [0.3, 0.1], "common": [0.05, 0.04]}
    card["looks_from"] = card["looks_at"] = counts
    page = show(PackedReport(report, packed.data), "#head=0.1")
    section = page.locator("section", has=page.get_by_role("heading", name="Examples"))
    expect(section.locator("h3")).to_have_text(
        [
            "Where it is strongest",
            *(
                f"From the {part} fifth of its weights"
                for part in ("strongest", "fourth", "middle", "second", "weakest")
            ),
            "Drawn at random, the same tokens for every head",
        ],
        use_inner_text=True,
    )
    expect(section.locator(".weight")).to_have_text(
        [
            "0.99",
            "0.50",
            "0.60",
            "0.40",
            "0.30",
            "0.20",
            "0.10",
            "0.15",
        ],
        use_inner_text=True,
    )
    expect(section.locator("li mark.query").first).to_have_text(tokens[2], use_inner_text=True)
    expect(section.locator("li mark.key").first).to_have_text(tokens[1], use_inner_text=True)
    expect(section).not_to_contain_text("not typical", use_inner_text=True)
    page.get_by_role("heading", name="It looks at").wait_for()


def test_strongest_examples_alone_are_said_to_be_so(show, packed):
    report = copy.deepcopy(packed.report)
    examples = report["cards"][0]["examples"]
    kept = [i for i, kind in enumerate(examples["kind"]) if kind == "strongest"]
    report["cards"][0]["examples"] = {name: [values[i] for i in kept] for name, values in examples.items()}
    page = show(PackedReport(report, packed.data), "#head=0.0")
    expect(page.locator("article")).to_contain_text("not typical of it")


def test_the_legend_leaves_the_heads_of_one_name(show, packed):
    page = show(packed, "#colour=shape")
    names = next(n for n in packed.report["names"] if n["kind"] == "shape")
    choice = next(i for i in names["heads"] if i is not None)
    wanted = [packed.report["heads"]["address"][h] for h, i in enumerate(names["heads"]) if i == choice]
    page.get_by_role("group", name="Heads by name").get_by_text(
        names["choices"][choice]["title"], exact=True
    ).click()
    expect(table_heads(page)).to_have_text(wanted)
    again = show(packed, page.evaluate("location.hash"))  # which changes before what is shown
    expect(table_heads(again)).to_have_text(wanted)


def test_the_legend_of_a_statistic_counts_every_head_once(show, packed):
    page = show(packed, "#colour=entropy")
    bars = page.get_by_role("group", name="Heads by entropy").get_by_role("button")
    counts = "bars => bars.map(bar => parseInt(bar.ariaLabel))"
    until(page, lambda: sum(bars.evaluate_all(counts)), len(packed.report["cards"]))


def test_conditions_find_heads_and_the_result_is_a_link(show, packed):
    page = show(packed)
    page.get_by_role("combobox", name="Find heads").fill("layer:1 entropy>0")
    expect(table_heads(page)).to_have_text(["1.0", "1.1", "1.2", "1.3"])
    again = show(packed, page.evaluate("location.hash"))  # which changes before what is shown
    expect(table_heads(again)).to_have_text(["1.0", "1.1", "1.2", "1.3"])
    page.get_by_role("combobox", name="Find heads").fill("colour:blue")
    expect(page.locator(".warning")).to_contain_text("no statistic has this name")
    page.go_back()
    expect(page.locator("h1:visible")).to_have_text(packed.report["model"]["title"])


def test_the_finder_completes_what_is_typed(show, packed):
    page = show(packed)
    box = page.get_by_role("combobox", name="Find heads")
    box.press_sequentially("beha")
    expect(page.get_by_role("option").first).to_have_text(begins("behaviour:"), use_inner_text=True)
    box.press("ArrowDown")
    box.press("Enter")
    expect(box).to_have_value("behaviour:")
    expect(page.get_by_role("option")).not_to_have_count(0)


def test_a_card_leads_to_its_head_in_a_view(show, packed, tmp_path):
    packed = replace(packed, report={**packed.report, "made": {**packed.report["made"], "view": "view.html"}})
    page = show(packed, "#head=0.1")
    link = page.get_by_role("link", name="See it in a text").get_attribute("href")
    kind = packed.report["heads"]["kind"][1]
    chosen = {"kind": "head", "attention": kind, "layer": 0, "heads": [1]}
    assert link == "view.html#" + "&".join(
        f"{k}={quote(json.dumps(v, separators=(',', ':')))}" for k, v in chosen.items()
    )


def test_a_column_sorts_the_table_both_ways(show, packed):
    page = show(packed)
    entropy = next(s for s in packed.report["statistics"] if s["key"] == "entropy.all")
    addresses = packed.report["heads"]["address"]
    order = [addresses[h] for h in sorted(range(len(addresses)), key=lambda h: -entropy["values"][h])]
    column = page.get_by_role("columnheader", name="entropy")
    column.get_by_role("button").click()
    expect(table_heads(page)).to_have_text(order)
    expect(column).to_have_attribute("aria-sort", "descending")
    column.get_by_role("button").click()
    expect(table_heads(page)).to_have_text(order[::-1])


def test_a_long_table_has_the_rows_near_the_screen_and_all_of_them_in_print(show):
    page = show(assemble(load_atlas(ASK / "smollm2.attlas")))
    page.get_by_role("button", name="Show all 270 heads").click()
    page.get_by_role("columnheader", name="head", exact=True).get_by_role("button").click()
    expect(table_heads(page).first).to_have_text("0.0")
    expect(table_heads(page).nth(1)).to_have_text("0.1")
    until(page, table_heads(page).count, lambda count: count < 270)
    page.evaluate("() => document.querySelector('tbody').scrollIntoView({ block: 'end' })")
    read = table_heads(page).all_inner_texts
    until(page, read, lambda heads: heads[-2:] == ["29.7", "29.8"] and "0.0" not in heads)
    page.evaluate("() => dispatchEvent(new Event('beforeprint'))")
    every = {f"{layer}.{head}" for layer in range(30) for head in range(9)}
    printed = page.locator("tbody th[scope=row] a")
    until(page, printed.all_inner_texts, lambda heads: every <= set(heads))


def is_of_words(atlas, question):
    search = search_of(atlas)
    asked = Question(question, atlas, search, addresses_of(atlas), "model", "atlas")
    return by_intent(asked) is None


@pytest.mark.parametrize("model", ["mini", "minilm", "smollm2"])
def test_the_finder_answers_as_ask_does(show, model):
    asked = load_atlas(ASK / f"{model}.attlas")
    questions = [q["question"] for q in json.loads((ASK / "questions.json").read_text())]
    every = [ask(asked, question) for question in [*questions, *MORE_QUESTIONS]]
    # the page matches words; the grammar of intents is the terminal's, and forms of questions name it
    answers = [a for a in every if is_of_words(asked, a.question) and (not a.note or "No head can" in a.note)]
    assert len(answers) > 0.7 * len(every)
    page = show(assemble(asked))
    for answer, shown in zip(answers, page.evaluate(ASK_ALL, [a.question for a in answers]), strict=True):
        assert shown["heads"] == [head.head for head in answer.heads], answer.question
        for said, head in zip(shown["sentences"], answer.heads, strict=True):
            assert said.split() == f"{head.sentence} {head.evidence}".split(), answer.question
        assert shown["commands"] == [command for _, command in answer.missing], answer.question
        assert bool(shown["warnings"]) == bool(answer.missing or answer.note), answer.question
        if answer.note.startswith("No head can"):
            assert shown["warnings"] == [answer.note]


@pytest.mark.parametrize(
    "question",
    ["how big is the model?", "what was it trained on?", "how do I prune it?", "can I trust this?"],
)
def test_a_question_that_is_of_no_heads_is_answered_as_ask_does(show, question):
    atlas = load_atlas(ASK / "mini.attlas")
    page = show(assemble(atlas))
    page.get_by_role("combobox", name="Find heads").fill(question)
    expect(page.locator(".said")).to_have_text(ask(atlas, question).lead)
    expect(page.locator(".answers li")).to_have_count(0)


@pytest.mark.parametrize(
    "question",
    [
        "which heads don't look at punctuation?",
        "how many heads look at [SEP]?",
        "which layer is most focused?",
    ],
)
def test_a_question_that_words_cannot_answer_is_handed_to_ask(show, question):
    page = show(assemble(load_atlas(ASK / "mini.attlas")))
    page.get_by_role("combobox", name="Find heads").fill(question)
    expect(page.locator(".said")).to_contain_text("attlas ask ")
    expect(page.locator(".said")).to_contain_text(question)
    expect(page.locator(".answers li")).to_have_count(0)


def test_a_number_tells_how_it_was_measured(show, packed):
    page = show(packed, "#head=0.0")
    page.locator(".value .measured").first.hover()
    definition = packed.report["statistics"][0]["definition"]
    expect(page.get_by_role("tooltip")).to_contain_text(definition)
    page.mouse.move(0, 0)
    expect(page.get_by_role("tooltip")).to_have_count(0)
    page.evaluate("scrollTo(0, 0)")
    page.evaluate(FRAMES)  # a note closes when the page scrolls, of which it hears with the next frame
    page.locator(".sentences .measured").first.hover()
    expect(page.get_by_role("tooltip")).to_contain_text(re.compile("Measured on|Read "))
    page.mouse.move(0, 0)
    expect(page.get_by_role("tooltip")).to_have_count(0)
    page.locator(".value .measured").first.focus()
    expect(page.get_by_role("tooltip")).to_have_count(1)
    page.keyboard.press("Escape")
    expect(page.get_by_role("tooltip")).to_have_count(0)


def test_print_of_what_was_found_has_every_head_and_a_note_for_every_number(show, packed):
    page = show(packed, color_scheme="dark")
    expect(page.locator(".report")).to_have_attribute("data-theme", "dark")
    page.evaluate("location.hash = '#find=layer:0-99'; null")
    expect(page.locator("section[aria-labelledby=attlas-found]")).to_have_count(1)
    page.emulate_media(media="print")
    page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    expect(page.locator(".report")).to_have_attribute("data-theme", "light")
    expect(page.locator("article")).to_have_count(len(packed.report["cards"]))
    shown = page.locator("article h3").all_inner_texts()
    headings = [re.findall(r"(?:\w+\.)?\d+\.\d+", heading)[0] for heading in shown]
    assert headings == packed.report["heads"]["address"]
    notes = set(steady(page, page.locator("article sup.note:visible").all_inner_texts))
    defined = {note.strip() for note in page.locator(".definitions sup").all_inner_texts()}
    assert {note for note in notes if note.isdecimal()} <= defined
    expect(page.locator("details:not([open])")).to_have_count(0)
    page.evaluate("window.dispatchEvent(new Event('afterprint'))")
    expect(page.locator("article")).to_have_count(0)


def test_print_of_the_overview_is_what_stands_out_the_grid_and_a_table_with_heads_on_every_page(show, packed):
    page = show(packed)
    page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    expect(page.locator("thead .label").first).to_have_text("head")
    expect(page.locator("thead button")).to_have_count(0)  # browsers leave them out where they repeat a head
    expect(page.locator("article")).to_have_count(0)
    until(page, table_heads(page).all_inner_texts, lambda heads: heads == packed.report["heads"]["address"])


def test_heads_that_stand_out_are_lettered_and_drawn_and_names_that_say_least_are_quiet(show):
    packed = assemble(load_atlas(ASK / "mini.attlas"))
    page = show(packed)
    marked = page.locator("svg.grid a:has(text.letter)")
    heads_told = [next((p for p in said if isinstance(p, int)), None) for said in packed.report["stands_out"]]
    heads = dict.fromkeys(head for head in heads_told if head is not None)
    until(page, marked.count, len(heads))
    letters = steady(page, page.locator(".stands-out .letter").all_inner_texts)
    assert letters[0] == "A"
    until(page, lambda: set(page.locator("svg.grid text.letter").all_text_contents()), set(letters))
    until(page, page.locator(".stands-out .drawn mark").count, lambda drawn: drawn >= 2)  # few have examples
    choices = {c["name"]: c for names in packed.report["names"] for c in names["choices"]}
    assert choices["local"]["quiet"]
    assert not choices["next"]["quiet"]
    local = page.get_by_role("link", name=re.compile(r"^Head [\d.]+, local$")).first.locator("rect")
    expect(local).to_have_attribute("fill-opacity", "0.5")


#: a dialog as Chrome opens it: while it is open, scripts are paused and Svelte may make no new HTML
DIALOG = """() => {
    const make = TrustedTypePolicy.prototype.createHTML;
    window.print = () => {
        TrustedTypePolicy.prototype.createHTML = () => { throw new TypeError("no longer runnable"); };
        dispatchEvent(new Event("beforeprint"));
        window.printed = document.querySelectorAll("article").length;
        dispatchEvent(new Event("afterprint"));
        queueMicrotask(() => queueMicrotask(() => { TrustedTypePolicy.prototype.createHTML = make; }));
    };
}"""


def test_the_button_prints_everything_although_chrome_pauses_scripts_meanwhile(show, packed):
    page = show(packed)
    errors: list[Any] = []
    page.on("pageerror", lambda error: errors.append(error))
    page.evaluate(DIALOG)
    page.get_by_role("button", name=re.compile("Print everything")).click()
    until(page, lambda: page.evaluate("window.printed"), len(packed.report["cards"]))
    expect(page.locator("article")).to_have_count(0)
    assert not errors


def test_hostile_words_are_shown_and_nothing_runs(show, packed):
    report = hostile(copy.deepcopy(packed.report))
    page = show(PackedReport(report, packed.data))
    page.get_by_role("link", name="Head 0.1,").first.hover()
    for address in ("#head=0.1", "#colour=entropy", "#find=object", "#find=layer:0"):
        heard = "hash => new Promise(done => { addEventListener('hashchange', done); location.hash = hash })"
        page.evaluate(f"hash => ({heard})(hash).then(() => null)", address)
        page.evaluate(FRAMES)
        if page.locator(".measured:visible").count():
            page.locator(".measured:visible").first.hover()
    page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    expect(page.locator("article")).to_have_count(report["heads"]["layer"].count(0))
    assert page.evaluate("window.broken") is None
    expect(page.locator("img")).to_have_count(0)
    expect(page.locator("bdi").first).to_contain_text(HOSTILE, use_inner_text=True)


def hostile(value: Any) -> Any:
    """The same document, with a hostile end on every word that somebody may have chosen."""
    if isinstance(value, dict):
        return {key: _tainted(inner) if key in CHOSEN else hostile(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [hostile(inner) for inner in value]
    return value


def _tainted(value: Any) -> Any:
    if isinstance(value, str):
        return value + HOSTILE
    if isinstance(value, list):
        return [_tainted(inner) for inner in value]
    return hostile(value) if isinstance(value, dict) else value


def test_a_card_opens_its_typical_map_as_a_view(show, packed):
    page = show(packed, "#head=0.3")
    tokens = packed.report["tokens"][packed.report["cards"][3]["map"]["tokens"]]["tokens"]
    page.get_by_role("button", name="Open it as a view").click()
    view = page.locator(".attlas")
    words = view.locator('[data-end="query"]')
    words.first.wait_for()
    seen = [word.strip() for word in steady(page, words.all_inner_texts)]  # those in sight
    assert len(seen) > 5
    assert seen == tokens[: len(seen)]
    words.nth(1).hover()
    expect(view.get_by_role("status").locator(".part")).to_have_text(begins("0.3 "), use_inner_text=True)
    view.get_by_role("tab", name="Matrix").click()
    view.locator("canvas").first.wait_for()
    page.wait_for_url("**#head=0.3")
    until(page, lambda: page.evaluate("getComputedStyle(document.querySelector('h2')).display"), "block")
    page.get_by_role("button", name="Close the view").click()
    expect(view).to_have_count(0)


def test_the_page_is_small(packed):
    assert len(page_html(packed)) < 1_000_000


@pytest.mark.parametrize("address", ["", "#head=0.1", "#find=previous"])
def test_nothing_is_wider_than_a_phone(show, packed, address):
    page = show(packed, address, width=390)
    until(page, lambda: page.evaluate("document.documentElement.scrollWidth"), lambda size: size <= 390)


def test_the_table_leaves_as_csv_with_the_numbers_of_the_atlas(show, packed):
    page = show(packed, "#find=layer:1")
    with page.expect_download() as download:
        page.get_by_role("button", name="CSV with all statistics").last.click()
    rows = list(csv.DictReader(io.StringIO(Path(download.value.path()).read_text())))
    assert [row["head"] for row in rows] == ["1.0", "1.1", "1.2", "1.3"]
    for statistic in packed.report["statistics"]:
        for row, value in zip(rows, statistic["values"][4:], strict=True):
            assert (float(row[statistic["key"]]) if row[statistic["key"]] else None) == value


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("address", ["", "#head=0.1", "#find=previous"])
def test_axe_finds_nothing(show, packed, scheme, address):
    if not AXE.is_file():
        pytest.skip("axe-core is not installed (cd web && npm install)")
    page = show(packed, address, color_scheme=scheme, bypass_csp=True)
    page.add_script_tag(path=AXE)
    page.evaluate(FRAMES)
    results = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    assert [(v["id"], [n["target"] for n in v["nodes"]][:3]) for v in results["violations"]] == []


@pytest.mark.parametrize("name", ["llama", "t5"])
def test_other_architectures_have_a_page(show, subject_of, tmp_path, name):
    attlas.map(
        subject_of(name), text=TEXT, segments=4, length=16, sample=3, atlas=tmp_path / "a", progress=False
    )
    packed = assemble(load_atlas(tmp_path / "a"))
    page = show(packed)
    expect(page.locator("svg.grid a:visible")).to_have_count(len(packed.report["cards"]))
    last = packed.report["heads"]["address"][-1]
    page.get_by_role("link", name=f"Head {last},").first.click()
    expect(page.locator("h1:visible")).to_have_text(f"Head {last}")
