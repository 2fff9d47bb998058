"""Choosing and reporting: a chosen head is reported on other sentences, with its uncertainty; and the same
whatever the shards, their order, or who runs them."""

from __future__ import annotations

import copy
import pickle
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from in_process import Backwards, StopsAfter, run_here, show, source_of, windows_of
from scipy.stats import binomtest, t

from attlas.atlas.chapter import Chapter
from attlas.corpora.halves import Half, Unit
from attlas.corpora.source import ItemId
from attlas.engines import Merged, Pass
from attlas.errors import AttlasError
from attlas.options import KeepOptions, RunOptions
from attlas.statistics.bootstrap import draw_counts
from attlas.studies.coreference_study import Coreference
from attlas.studies.dependency_study import Dependencies, DependencyLinks
from attlas.studies.links.accuracy import LinkAccuracy
from attlas.studies.links.heads_at_work import TRIED, FirstLinks, HeadsAtWork
from attlas.studies.links.link_questions import DirectedHead, Direction
from attlas.studies.study_run import run_chapters
from attlas.subject import Subject
from attlas.tap import Needs, Observation
from listed import ON_WINDOWS

NAMES: dict[Direction, str] = {"to": "dependent_to_head", "from": "head_to_dependent"}
CHOSEN = {"det": DirectedHead("encoder", 8, 10, "to"), "all": DirectedHead("encoder", 10, 3, "from")}
DATA = Path(__file__).parent.parent / "data"


def asked(subject: Subject, count: int = 40, order: int = 1) -> LinkAccuracy:
    """What heads answer in some sentences of 5 to 14 words."""
    baselines = {"all": "+1", "det": "+1"}
    reducer = LinkAccuracy("links", DependencyLinks(), NAMES, "mean", baselines)
    source = source_of(subject, shortest=5, longest=14)
    show(subject, reducer, source, windows_of(source)[:count][::order])
    return reducer


def test_intervals_do_not_depend_on_order_or_batches(mini: Subject) -> None:
    forwards, backwards = (asked(mini, order=order) for order in (1, -1))
    for group, head in CHOSEN.items():
        for over_baseline in (False, True):
            between = (r.intervals(group, over_baseline)[head] for r in (forwards, backwards))
            assert next(between) == pytest.approx(next(between), abs=1e-12)


def test_intervals_agree_with_a_bootstrap_of_documents(mini: Subject) -> None:
    """Two ways to the same uncertainty: the linearised ratio, and resampling documents."""
    reducer = asked(mini, 120)
    source = source_of(mini, shortest=5, longest=14)
    windows = windows_of(source)[:120]
    by_window = []
    for window in windows:
        alone = LinkAccuracy("links", DependencyLinks(), NAMES, "mean", {"all": "+1", "det": "+1"})
        show(mini, alone, source, [window])
        by_window.append(alone)
    for group, head in CHOSEN.items():
        counts = []  # window: correct and links of the head
        for alone in by_window:
            sums = alone.table(group).get(head, {"correct": 0.0, "links": 0.0})
            counts.append((sums["correct"], sums["links"]))
        correct, links = np.array(counts).T @ draw_counts([window.id for window in windows], 0, 2000)
        resampled = correct / links
        low, high = reducer.intervals(group)[head]
        assert low < reducer.accuracy(group, head) < high
        units = reducer.table(group)[head]["units"]
        assert (high - low) / (2 * t.ppf(0.975, units - 1)) == pytest.approx(resampled.std(), rel=0.15)
        gain = reducer.intervals(group, over_baseline=True)[head]
        assert gain[0] < gain[1]


def test_the_sign_test_is_the_exact_binomial_test_over_documents(mini: Subject) -> None:
    reducer = asked(mini)
    p = reducer.beats_baseline("det")
    assert len(p) == len(mini.heads) * 2
    for head, sums in list(reducer.table("det").items())[::37]:
        better, worse = int(sums["better"]), int(sums["worse"])
        expected = binomtest(better, better + worse, alternative="greater").pvalue if better + worse else 1.0
        assert p[head] == pytest.approx(expected)


def test_the_best_head_has_the_most_correct(mini: Subject) -> None:
    reducer = asked(mini)
    assert reducer.best("no such relation") is None
    table = reducer.table("det")
    best = reducer.best("det")
    assert best is not None
    assert table[best]["correct"] == max(sums["correct"] for sums in table.values())


@pytest.fixture(scope="module")
def study(mini: Subject) -> Dependencies:
    source = source_of(mini, shortest=7, longest=9)
    return Dependencies(source=replace(source, shard_words=900), min_count=20)  # several shards


@pytest.fixture(scope="module")
def quiet_run(mini: Subject, study: Dependencies) -> tuple[Chapter, list[Pass]]:
    """What the study concludes when nothing disturbs it, and the passes it took."""
    passes: list[Pass] = []

    def run(pass_: Pass) -> Merged:
        passes.append(pass_)
        return run_here(mini)(pass_)

    return study.conclude(run), passes


@pytest.fixture
def honest(quiet_run: tuple[Chapter, list[Pass]]) -> Chapter:
    return quiet_run[0]


def test_heads_are_chosen_on_one_half_and_reported_on_the_other(
    mini: Subject, study: Dependencies, honest: Chapter
) -> None:
    original = replace(study, faithful=True).conclude(run_here(mini))
    table, other = honest.tables["best"], original.tables["best"]
    assert {"low", "high", "p", "p_all", "heads_better", "when_chosen"} <= set(table)
    assert not {"low", "p"} & set(other)
    whole = dict(zip(other["group"], other["links"], strict=True))
    for record in table.to_dict("records"):
        assert record["links"] < whole[record["group"]], "only one half is reported"
        assert record["low"] <= record["accuracy"] <= record["high"]
        assert record["p"] <= record["p_all"] + 1e-12
        assert 1 < record["documents"] <= record["links"]
    for name in ("accuracy", "low", "high", "p_all"):  # every head's, and the chosen head's among them
        grid = honest.arrays[f"encoder.{name}"]
        at = [(g, ("to", "from").index(r["direction"]), r["layer"], r["head"]) for g, r in
              enumerate(table.to_dict("records"))]  # fmt: skip
        assert [grid[place] for place in at] == table[name].tolist()
    assert set(original.arrays) & {"encoder.low", "encoder.p_all"} == set()
    # chosen and reported on the same sentences is flattering: never below, for the same group, on average
    merged = table.merge(other, on="group")
    assert (merged["accuracy_y"] - merged["accuracy_x"]).mean() > 0
    # the rows are over every sentence, so both ways agree there
    values = [{tuple(r[:5]): r.value for r in of.rows} for of in (honest, original)]
    assert values[0] == pytest.approx(values[1])
    assert honest.name.startswith("dependencies-en_ewt")
    assert original.name == f"{honest.name}-faithful"
    assert honest.about["counts"]["windows"] == len(windows_of(study.source))


def test_the_order_of_shards_does_not_matter(mini: Subject, study: Dependencies, honest: Chapter) -> None:
    assert len(list(study.source.shards())) > 3
    assert same(honest, study.conclude(run_here(mini, Backwards())))


def same(chapter: Chapter, other: Chapter) -> bool:
    """To the last bit; as text, since NaN is not equal to itself."""
    arrays = {name: array.tobytes() for name, array in chapter.arrays.items()}
    return (
        repr(chapter.rows) == repr(other.rows)
        and all(chapter.tables[name].equals(other.tables[name]) for name in {*chapter.tables, *other.tables})
        and arrays == {name: array.tobytes() for name, array in other.arrays.items()}
        and chapter.tokens == other.tokens
        and list(chapter.examples) == list(other.examples)
    )


@pytest.mark.parametrize("stopped", [2, 7, 11])
def test_a_probe_that_was_stopped_goes_on_to_the_same_chapter(
    stopped: int, mini: Subject, study: Dependencies, honest: Chapter, tmp_path: Path
) -> None:
    """In the pass without the model, while heads are chosen, while they are reported."""
    out, quiet = tmp_path / "a.attlas", RunOptions(progress=False)
    with pytest.raises(KeyboardInterrupt):
        run_chapters([study], mini, quiet, KeepOptions(atlas=out), engine=StopsAfter(stopped))
    assert not out.exists()
    (resumed,) = run_chapters([study], mini, replace(quiet, resume=True), KeepOptions(atlas=out))
    assert same(resumed, honest)


def test_figures_and_table_have_one_number(honest: Chapter) -> None:
    from attlas.atlas import of_chapter
    from attlas.figures.charts.relations import MOST, relation_specs

    panels = relation_specs(of_chapter(honest), honest.name)[0].groups[0].panels
    records = honest.tables["best"].to_dict("records")[:MOST]
    for panel, record in zip(panels, records, strict=True):
        keywords = panel.draw.keywords  # type: ignore[attr-defined]
        assert str(keywords["outlined"]) == f"{record['layer']}.{record['head']}"
        assert keywords["values"][record["layer"], record["head"]] == record["accuracy"]
        named = f"head {record['layer']}.{record['head']}: {100 * record['accuracy']:.1f} % "
        assert panel.subtitle.startswith(named)
        assert panel.title.startswith(f"{record['group']}, ")


def test_heads_can_be_chosen_on_another_corpus(mini: Subject, study: Dependencies) -> None:
    chapter = replace(study, choosing=study.source).conclude(run_here(mini))
    table = chapter.tables["best"]
    assert any("another corpus" in note for note in chapter.about["notes"])
    assert (table["accuracy"] - table["when_chosen"]).abs().max() == pytest.approx(0, abs=1e-12)


def test_a_corpus_of_few_documents_is_halved_by_windows(mini: Subject) -> None:
    """LitBank's sample is a single document."""
    source = source_of(mini, DATA / "litbank", "documents")
    chapter = Coreference(source=source, min_count=5).conclude(run_here(mini))
    windows = len(windows_of(source))
    said = f"every other window: chosen on {-(-windows // 2)} windows, reported on {windows // 2}"
    assert any(said in note for note in chapter.about["notes"]), chapter.about["notes"]


def test_the_halves_part_the_corpus_and_depend_on_the_seed(study: Dependencies) -> None:
    windows = windows_of(study.source)
    units: tuple[Unit, ...] = ("document", "name", "item", "turn")
    for by in units:
        chosen, reported = (Half(part, by=by) for part in (True, False))
        assert all(chosen(w) is not reported(w) for w in windows)
        other = [Half(True, 1, by)(w) for w in windows]
        assert [chosen(w) for w in windows] != other
    named = Half(True, by="name")
    halves = [named.holds(ItemId(0, 0), f"document {i}") for i in range(1000)]
    assert halves == [named.holds(ItemId(i, 0), f"document {i}") for i in range(1000)]
    assert 440 < sum(halves) < 560


def test_too_few_links_are_said(mini: Subject, study: Dependencies) -> None:
    with pytest.raises(AttlasError, match="smaller min_count"):
        replace(study, min_count=10**6).conclude(run_here(mini))


def test_baselines_are_counted_without_the_model(quiet_run: tuple[Chapter, list[Pass]]) -> None:
    """The first pass needs nothing of the model; those that run it come after."""
    passes = quiet_run[1]
    assert [p.name for p in passes] == ["baselines", "choosing", "reporting", "at-work"]
    assert all(reducer.needs == Needs() for reducer in passes[0].reducers)
    assert all(reducer.needs.weights for pass_ in passes[1:] for reducer in pass_.reducers)


def test_heads_at_work_show_hits_with_their_links(honest: Chapter) -> None:
    shown = honest.tables["at_work"]
    best = honest.tables["best"].set_index("group")
    assert len(shown) >= 4
    for record in shown.to_dict("records"):
        words = honest.tokens[record["tokens"]]
        weights = honest.arrays[f"{record['tokens']}.weights"]
        links = honest.arrays[f"{record['tokens']}.links"]
        assert weights.shape == (len(words), len(words))
        assert len(words) <= 16
        named = best.loc[record["group"]]
        assert (record["layer"], record["head"]) == (named["layer"], named["head"]), "the table's head"
        # the first link is a hit: nothing else in the stretch has more weight
        query, key = links[0]
        line = weights[query].copy() if record["direction"] == "to" else weights[:, key].copy()
        asked_word, gold = (query, key) if record["direction"] == "to" else (key, query)
        line[asked_word] = 0
        assert line.argmax() == gold
    for example in honest.examples:
        assert example.weight == honest.arrays[f"{example.tokens}.weights"][example.query, example.key]


def test_first_links_are_the_first_in_the_corpus_whatever_the_order(mini: Subject) -> None:
    source = source_of(mini, shortest=5, longest=14)
    windows = windows_of(source)[:40]
    places = []
    for order in (1, -1):
        first = FirstLinks("places", DependencyLinks())
        for batch in source.batches(mini, windows[::order]):
            first.update(Observation(batch, ()))
        places.append(first.places)
    assert places[0] == places[1]
    by_hand = []
    for window in windows:
        for link in DependencyLinks()(window):
            if "obj" in link.groups and abs(link.word - link.gold[0]) > 1:
                by_hand.append((*window.id, link.word))
                break
    without_neighbours = [tuple(p[1:]) for p in places[0]["obj"] if not p.neighbours]
    assert without_neighbours == by_hand[:TRIED], "sentences of at most 14 words always fit"


@pytest.mark.parametrize("name", [name for several in ON_WINDOWS.values() for name in several])
def test_empty_reducers_travel(name: str, mini: Subject) -> None:
    """To other processes by pickle, and to every shard by a copy that is quick: tokenizers are not copied."""
    make = next(several[name] for several in ON_WINDOWS.values() if name in several)
    reducer = make(mini, False)
    assert pickle.loads(pickle.dumps(reducer)).state().keys() == reducer.state().keys()
    copied = copy.deepcopy(reducer)
    assert copied is not reducer
    weigh = getattr(getattr(reducer, "weigh", None), "find", None)
    if hasattr(weigh, "tokenizer"):
        assert copied.weigh.find.tokenizer is weigh.tokenizer  # type: ignore[attr-defined]


def test_heads_at_work_survive_their_state(mini: Subject, study: Dependencies) -> None:
    find = DependencyLinks()
    windows = windows_of(study.source)
    first = FirstLinks("places", find)
    for batch in study.source.batches(mini, windows):
        first.update(Observation(batch, ()))
    reducer = HeadsAtWork("at_work", find, {"det": CHOSEN["det"]}, first.places)
    show(mini, reducer, study.source, [w for w in windows if w.id in reducer.items()])
    again = HeadsAtWork("at_work", find, {"det": CHOSEN["det"]}, first.places)
    again.restore(reducer.state())
    assert again.first_of_each(24), "there are hits"
    for hit, other in zip(again.first_of_each(24), reducer.first_of_each(24), strict=True):
        assert (hit.group, hit.head, hit.words, hit.gold) == (
            other.group,
            other.head,
            other.words,
            other.gold,
        )
        np.testing.assert_array_equal(hit.weights, other.weights)
