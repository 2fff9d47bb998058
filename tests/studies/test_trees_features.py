"""What is recorded for probes of trees, by whoever records it, and the verb from end to end."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import torch
from safetensors.torch import load_file

from attlas import probe
from attlas.cli import main
from attlas.corpora.alignment import aligned_batches, fits
from attlas.corpora.reading import annotated_corpus
from attlas.corpora.segments import Segment
from attlas.corpora.windows import SentenceWindows, Window, WindowSource
from attlas.engines import Pass, engine_named, run_pass
from attlas.engines.merge_tree import Node
from attlas.engines.part import PassPart
from attlas.errors import AttlasError
from attlas.options import TextOptions
from attlas.studies.study_items import text_items
from attlas.studies.trees import fits as tree_fits
from attlas.studies.trees.recorded_features import (
    SPECIAL,
    FeatureFiles,
    FeatureLayout,
    RecordedFeatures,
    Recorder,
    Shape,
    prepare_files,
    refuse_without_room,
)
from attlas.studies.trees.stored_probes import Parsed, split_words
from attlas.studies.trees.treebank import SentenceTree, Trees
from attlas.studies.twins.peaked import peaked_like
from attlas.studies.word_vectors import model_vectors
from attlas.subject import Subject, load
from attlas.subject.implementation import removing_recording_hooks
from attlas.tap import Needs, Tap, capture
from made_models import disturbed


def source_of(subject: Subject, path: Path) -> WindowSource:
    cutter = SentenceWindows("words", 1, 14)
    return WindowSource(annotated_corpus(path), cutter, fits(subject, 64), shard_words=60)


def trees_of(subject: Subject, source: WindowSource) -> list[SentenceTree]:
    with engine_named(None) as engine:
        gathered = run_pass(subject, Pass("trees", source, [Trees()]), engine).reducers[0]
    assert isinstance(gathered, Trees)
    return gathered.by_length()


def files_for(subject: Subject, trees: list[SentenceTree], folder: Path) -> FeatureFiles:
    layout = FeatureLayout(
        Shape.of(subject, True), tuple(t.id for t in trees), tuple(len(t.words) for t in trees)
    )
    return prepare_files(folder, "train", layout, {"weights": subject.weight_hash()})[0]


def written_out(subject: Subject, window: Window) -> dict[str, np.ndarray]:
    """A sentence's features, from whole maps of the pieces, one pair of words at a time."""
    batch = next(aligned_batches(subject, [window]))
    captured = capture(subject, batch, vectors=True)
    shares = batch.shares["encoder"][0].double().numpy()  # piece word
    pieces = len(shares)
    groups = [{0: 1.0}, {pieces - 1: 1.0}]
    groups += [{p: s for p, s in enumerate(shares[:, w]) if s} for w in range(shares.shape[1])]
    weights = np.concatenate([call.weights.double().numpy() for call in captured])  # head query key
    lengths = [call.value.double().norm(dim=-1).numpy() for call in captured if call.value is not None]
    norms = np.concatenate(lengths)  # head key
    with torch.no_grad(), removing_recording_hooks(subject.model):
        output = subject.model(**batch.inputs, output_hidden_states=True)
    states = np.stack([s[0].double().numpy() for s in output.hidden_states], 1)  # piece layer dim

    def mean(of: np.ndarray, group: dict[int, float]) -> np.ndarray:
        return sum(share * of[p] for p, share in group.items()) / sum(group.values())

    attention = np.zeros((len(groups), len(groups), len(weights)))
    for i, query in enumerate(groups):
        for j, key in enumerate(groups):
            columns = sum(share * weights[:, :, p] for p, share in key.items())  # head query
            attention[i, j] = mean(columns.T, query)
    return {
        "attention": attention,
        "norms": np.stack([mean(norms.T, group) for group in groups]),
        "states": np.stack([mean(states, group) for group in groups[SPECIAL:]]),
    }


def test_features_are_those_of_whole_maps(mini: Subject, small: Path, tmp_path: Path) -> None:
    source = source_of(mini, small)
    trees = trees_of(mini, source)
    files = files_for(mini, trees, tmp_path)
    with engine_named(None) as engine:
        recorded = run_pass(mini, Pass("features", source, [Recorder(files)]), engine).reducers[0]
    assert recorded.recorded == len(trees)  # type: ignore[attr-defined]
    files.finish()
    features = RecordedFeatures(files)
    windows = {w.id: w for shard in source.shards() for w in source.prepare(shard).items}
    assert len(windows) == len(trees)
    for place in (0, len(trees) // 2, len(trees) - 1):
        wanted = written_out(mini, windows[trees[place].id])
        for name, array in wanted.items():
            values = features.get(name, [place])[0].numpy()
            # half precision has 11 bits, and weights below 6e-5 fewer; states, up to 10, are in single
            # precision, from batches of other sizes
            assert np.allclose(values, array, rtol=2**-10, atol=1e-5 if name == "states" else 1e-6), name


def test_trees_are_those_of_the_treebank(mini: Subject, small: Path) -> None:
    trees = trees_of(mini, source_of(mini, small))
    assert [len(t.words) for t in trees] == sorted(len(t.words) for t in trees)
    by_words = {t.words: t for t in trees}
    for document in annotated_corpus(small).read():
        for sentence in document.sentences:
            parsed = by_words.get(tuple(w.text for w in sentence.words))
            if parsed is not None:
                assert parsed.heads == tuple(
                    (w.head or 0) + 1 if w.head is not None else -9 for w in sentence.words
                )
                assert parsed.scored.tolist() == [w.relation != "punct" for w in sentence.words]


def test_trees_survive_a_file_and_merge_in_any_order(mini: Subject, small: Path) -> None:
    whole = Trees()
    whole.kept = {t.id: t for t in trees_of(mini, source_of(mini, small))}
    halves = Trees(), Trees()
    for i, (item, parsed) in enumerate(whole.kept.items()):
        halves[i % 2].kept[item] = parsed
    again = Trees()
    again.restore(halves[1].state())
    again.merge(halves[0])
    assert all(np.array_equal(a, whole.state()[name]) for name, a in again.state().items())


def bytes_of(files: FeatureFiles) -> dict[str, bytes]:
    return {name: files.path(name).read_bytes() for name in files.layout.names}


def test_two_processes_record_the_same_bytes(mini: Subject, small: Path, tmp_path: Path) -> None:
    source = source_of(mini, small)
    trees = trees_of(mini, source)
    recorded = []
    for workers in (None, 2):
        files = files_for(mini, trees, tmp_path / str(workers))
        with engine_named(None, workers) as engine:
            run_pass(mini, Pass("features", source, [Recorder(files)]), engine)
        recorded.append(bytes_of(files))
    assert recorded[0] == recorded[1]


class Interrupted(Exception):
    pass


def test_a_run_that_was_stopped_records_only_what_is_missing(
    mini: Subject, small: Path, tmp_path: Path
) -> None:
    source = source_of(mini, small)
    trees = trees_of(mini, source)
    files = files_for(mini, trees, tmp_path / "files")
    pass_ = Pass("features", source, [Recorder(files)], kept_in=files.run)

    items = source.prepare(next(source.shards())).items  # of the first shard
    seen = 0

    def stop_in_the_second_shard(done: int) -> None:
        nonlocal seen
        seen += done
        if seen > len(items):
            raise Interrupted

    with engine_named(None) as engine:
        with pytest.raises(Interrupted):
            run_pass(mini, pass_, engine, advance=stop_in_the_second_shard)
        before = bytes_of(files)["attention"]
        # what is done must not be written again
        place = files.layout.ids.index(items[0].id)
        start, stop = files.layout.starts("attention")[place : place + 2]
        files.open_file("attention", "r+")[start:stop] = 7
        resumed = files_for(mini, trees, tmp_path / "files")
        run_pass(mini, replace(pass_, kept_in=resumed.run), engine)
    after = files.open_file("attention")
    assert (after[start:stop] == 7).all()
    assert np.frombuffer(before, np.float16).astype(bool).sum() < after.astype(bool).sum()
    files.finish()


def test_files_are_made_again_when_the_model_is_another(mini: Subject, small: Path, tmp_path: Path) -> None:
    before = files_for(mini, trees_of(mini, source_of(mini, small)), tmp_path)
    before.run.save("features", {Node(0, 0): PassPart([{}], Counter(items=1))}, now=True)
    files, complete = prepare_files(tmp_path, "train", before.layout, {"weights": "another"})
    assert not complete
    assert not files.run.nodes("features"), "what is done of other files does not count"
    with pytest.raises(AttlasError, match="were not recorded"):
        files.finish()


def test_files_that_were_half_recorded_with_more_arrays_are_made_again(
    mini: Subject, small: Path, tmp_path: Path
) -> None:
    """What would be recorded now has no hidden states in it: a later run would take zeros for them."""
    layout, identity = files_for(mini, trees_of(mini, source_of(mini, small)), tmp_path).layout, {"a": 1}
    files, _ = prepare_files(tmp_path, "dev", layout, identity)
    files.run.save("features", {Node(0, 0): PassPart([{}], Counter(items=1))}, now=True)
    fewer = replace(layout, shape=replace(layout.shape, states=0))
    again, complete = prepare_files(tmp_path, "dev", fewer, identity)
    assert not complete
    assert not again.run.nodes("features")
    assert not again.path("states").exists()


def test_features_that_the_disk_has_no_room_for_are_refused(tmp_path: Path) -> None:
    with pytest.raises(AttlasError, match=r"the features take .* GB, and .* free: name a folder"):
        refuse_without_room(tmp_path, 2**60)


def test_a_model_is_initialised_the_same_way_every_time(mini: Subject) -> None:
    random, again, kept = (load("mini", initialise=how) for how in ("random", "random", "embeddings"))
    assert random.weight_hash() == again.weight_hash()
    ours, theirs, fresh = (s.model.state_dict() for s in (mini, kept, random))
    tables = [name for name in ours if name.endswith("_embeddings.weight")]
    assert tables
    for name in tables:
        assert torch.equal(ours[name], theirs[name])
        assert not torch.equal(ours[name], fresh[name])
    inner = next(name for name in ours if name.endswith("query.weight"))
    assert not torch.equal(ours[inner], theirs[inner])
    assert kept.origin is not None
    assert kept.origin.load().weight_hash() == kept.weight_hash()


def test_a_control_is_as_peaked_as_the_model_head_by_head(mini: Subject) -> None:
    """Its mean entropy on texts that it was not fitted to, beside that of the model and of a model at random
    as it is; and its attention is still the control's own, raised to a power."""
    control = load("mini", initialise="embeddings")
    edit = peaked_like(mini, control, segments=4)
    source = text_items(mini, TextOptions(segments=6, length=64)).source
    (batch,) = list(source.batches(mini, segments_after(mini, 4)))
    entropies = [_mean_entropy(maps) for maps in (_maps(mini, batch), _maps(control, batch))]
    sharpened = _maps(control, batch, [edit])
    even = math.log(64)
    assert (entropies[1] > 0.99 * even).all(), "a model at random attends almost evenly"
    off = np.abs(_mean_entropy(sharpened) - entropies[0])
    assert off.mean() < 0.05 * even
    assert np.corrcoef(_mean_entropy(sharpened).ravel(), entropies[0].ravel())[0, 1] > 0.97
    first, plain = sharpened[0], _maps(control, batch)[0]  # of the first layer, whose input is the same
    for head in range(12):
        ranks = np.argsort(plain[0, head], -1), np.argsort(first[0, head], -1)
        assert (ranks[0][:, -1] == ranks[1][:, -1]).mean() > 0.95


def segments_after(subject: Subject, first: int) -> list[Segment]:
    source = text_items(subject, TextOptions(segments=first + 1, length=64)).source
    return [item for shard in source.shards() for item in source.prepare(shard).items][first : first + 1]


def _maps(subject: Subject, batch: Any, edits: Any = ()) -> np.ndarray:
    """layer batch head query key."""
    kept = []

    class Keep:
        needs = Needs(weights=True)

        def update(self, observation: Any) -> None:
            kept.extend(call.weights.double().numpy() for call in observation.calls)

    with Tap(subject, [Keep()], edits) as tap:
        tap.run(batch)
    return np.stack(kept)


def _mean_entropy(maps: np.ndarray) -> np.ndarray:
    """layer head."""
    return -(maps * np.log(np.maximum(maps, 1e-300))).sum(-1).mean((1, 3))


def test_the_models_own_embeddings_stand_in_for_glove(mini: Subject) -> None:
    vectors = model_vectors(mini, {"Cat", "the"})
    assert vectors.look_up(["cat", "THE", "unheard-of"])[2] == 0
    weights = mini.model.get_input_embeddings().weight  # type: ignore[operator]
    pieces = mini.tokenizer("cat", add_special_tokens=False)["input_ids"]
    row, mean = vectors.table[vectors.rows["cat"]], weights[pieces].detach().mean(0)
    assert torch.allclose(row / row.norm(), mean / mean.norm(), atol=1e-5)


SOME = "right-branching random distances attention words best relations structural".split()  # noqa: SIM905


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> tuple[probe.ProbeResult, Path]:
    """A run over a few sentences of the treebank that ships."""
    folder = tmp_path_factory.mktemp("tree")
    path = folder / "few.conllu"
    lines = annotated_corpus(None).paths[0].read_text(encoding="utf-8").split("\n")
    blanks = [i for i, line in enumerate(lines) if not line]
    path.write_text("\n".join(lines[: blanks[60]]) + "\n\n", encoding="utf-8")
    out = folder / "out"
    options = {"probes": SOME, "seeds": 2, "epochs": 2, "longest": 12, "progress": False}
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(tree_fits, "FEWEST_STEPS", 20)  # of learning curves, which are not looked at here
        result = probe.tree(
            "mini", path, trained=out, atlas=folder / "a.attlas", figures=folder / "f", **options
        )
    return result, folder


def test_the_verb_gives_a_table_a_chapter_probes_and_figures(run: tuple[probe.ProbeResult, Path]) -> None:
    from attlas.atlas import load_atlas

    result, folder = run
    table = result.table.set_index("probe")
    assert list(table.index) == SOME
    assert (table.loc["attention", "seeds"], table.loc["attention", "parameters"]) == (2, 290)
    assert ((table["uas"].dropna() >= 0) & (table["uas"].dropna() <= 1)).all()
    assert table.loc["words", "low"] <= table.loc["words", "uas"] <= table.loc["words", "high"]
    gain = table.loc["words", "uas"] - table.loc["attention", "uas"]
    assert table.loc["words", "gain"] == pytest.approx(gain)
    assert np.isnan(table.loc["structural", "uas"])
    assert table.loc["relations", "las"] <= table.loc["attention", "uas"]
    assert any("Penn Treebank" in note for note in result.notes)
    atlas = load_atlas(folder / "a.attlas")
    weights = atlas.heads[atlas.heads["statistic"] == "tree_weight"]
    assert len(weights) == 2 * 144
    assert weights["value"].sum() == pytest.approx(1)
    assert {p.name for p in (folder / "f").glob("*.svg")} == {"tree-heads.svg", "tree-scores.svg"}
    kept = load_file(folder / "out" / "probes" / "attention.safetensors")
    assert kept["weights"].shape == (144, 2)
    assert set(result.chapter.tables) == {"trees", "curve", "few_heads"}


def test_a_text_is_parsed_with_the_best_probe(
    run: tuple[probe.ProbeResult, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    out = run[1] / "out"
    parsed = probe.tree("mini", trained=out, parse="The dog didn't see <it>.")
    assert isinstance(parsed, Parsed)
    assert parsed.words == ("The", "dog", "did", "n't", "see", "<", "it", ">", ".")
    assert sum(arc.head == 0 for arc in parsed.arcs) == 1
    assert all(len(arc.heads) == 3 for arc in parsed.arcs)
    drawn = (out / "tree.svg").read_text(encoding="utf-8")
    assert drawn.count("<path d=") == len(parsed.words)
    for arc in parsed.arcs:
        strongest = arc.heads[0][0]
        assert f">{'ROOT ' * (not arc.head)}{strongest.layer}.{strongest.head}</text>" in drawn
    assert "&lt;" in drawn
    with pytest.raises(SystemExit) as ended:
        main(
            ["probe", "tree", "mini", "--trained", str(out), "--parse", "The dog didn't see <it>.", "--json"]
        )
    assert ended.value.code == 0
    assert json.loads(capsys.readouterr().out) == parsed.as_data()


def test_features_are_recorded_once_for_any_number_of_probes(run: tuple[probe.ProbeResult, Path]) -> None:
    files = sorted((run[1] / "out" / "features").glob("*.f16"))
    before = {file: file.stat().st_mtime_ns for file in files}
    options = {"probes": ["biaffine"], "quick": True, "epochs": 1, "longest": 12, "progress": False}
    probe.tree("mini", run[1] / "few.conllu", trained=run[1] / "out", **options)
    assert {file: file.stat().st_mtime_ns for file in files} == before


def test_hidden_states_beyond_half_precision_are_refused(
    subject_of: Callable[[str], Subject], small: Path, tmp_path: Path
) -> None:
    large = disturbed(subject_of("llama"), by=0, name="large")
    with torch.no_grad():
        large.model.get_input_embeddings().weight.fill_(70_000.0)
    source = source_of(large, small)
    files = files_for(large, trees_of(large, source), tmp_path)
    with engine_named("local") as engine, pytest.raises(AttlasError, match=r"hidden states .* reach 70,000"):
        run_pass(large, Pass("train", source, [Recorder(files)]), engine)


def test_a_model_without_hidden_states_is_refused_for_the_structural_probe(
    mini: Subject, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mini.model, "config", SimpleNamespace(model_type="other"))
    assert Shape.of(mini, False) == Shape(144, True)
    with pytest.raises(AttlasError, match="does not say how many hidden states it has"):
        Shape.of(mini, True)


def test_what_cannot_be_done_is_said_in_a_line(tmp_path: Path, small: Path) -> None:
    treebank = tmp_path / "one.conllu"
    treebank.write_text(small.read_text(encoding="utf-8").split("\n\n")[0] + "\n\n", encoding="utf-8")
    with pytest.raises(AttlasError, match="the treebank has 1 sentence with a tree"):
        probe.tree("mini", treebank, progress=False)
    with pytest.raises(AttlasError, match=r"has 1 sentence with a tree \(\d+ longer .*: see length"):
        probe.tree("mini", small, length=4, progress=False)
    with pytest.raises(AttlasError, match="probes='attn': should be 'right-branching', 'random'"):
        probe.tree("mini", small, probes=["attn"], progress=False)
    with pytest.raises(AttlasError, match=r"word_vectors=.*: there is no such file"):
        probe.tree("mini", small, word_vectors=tmp_path / "none.txt", progress=False)
    with pytest.raises(AttlasError, match="has no trained probes"):
        probe.tree("mini", trained=tmp_path, parse="A text.")
    with pytest.raises(AttlasError, match="parse needs trained"):
        probe.tree("mini", parse="A text.")
    with pytest.raises(AttlasError, match="the text has no words"):
        split_words("  ")
    with pytest.raises(AttlasError, match="the treebank has 0 sentences with trees"):
        probe.tree("mini", small, shortest=90, progress=False)
