"""The source contract: every source, listed here once, keeps the same promises, whoever reads it."""

from __future__ import annotations

import gzip
import json
import lzma
import multiprocessing
import pickle
import random
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from attlas.corpora.alignment import fits
from attlas.corpora.annotated_documents import Document
from attlas.corpora.documents import read_sentences
from attlas.corpora.reading import annotated_corpus
from attlas.corpora.source import ItemId, PreparedShard, Shard, in_runs, make_shards, seeded
from attlas.corpora.task_data import TaskData
from attlas.corpora.task_source import TaskSource
from attlas.corpora.tasks import GLUE
from attlas.corpora.text import text_corpus
from attlas.corpora.text_source import TextSource
from attlas.corpora.windows import (
    CoveringWindow,
    DocumentWindows,
    FirstWindow,
    SentenceWindows,
    WindowCutter,
    WindowSource,
)
from attlas.subject import Subject

DATA = Path(__file__).parent.parent / "data"
DOCUMENTS = [" ".join(d) for d in read_sentences(text_corpus())][:12]
TEXT = "\n\n".join(d[:3000] for d in DOCUMENTS) + "\n"
Source = TextSource | WindowSource | TaskSource


@dataclass(frozen=True)
class ShortDocument:
    """A filter of documents."""

    sentences: int

    def __call__(self, document: Document) -> bool:
        return len(document.sentences) <= self.sentences


@dataclass(frozen=True)
class EveryOther:
    """A test of items."""

    seed: int

    def __call__(self, item: Any) -> bool:
        return seeded(self.seed, *item.id) % 2 == 0


def _file(folder: Path, name: str, content: bytes) -> Path:
    (folder / name).write_bytes(content)
    return folder / name


def _records() -> bytes:
    return b"".join(json.dumps({"text": d[:3000], "n": i}).encode() + b"\n" for i, d in enumerate(DOCUMENTS))


def _parquet(folder: Path) -> Path:
    import pyarrow as pa
    import pyarrow.parquet as pq

    table = pa.table({"n": list(range(len(DOCUMENTS))), "text": [d[:3000] for d in DOCUMENTS]})
    pq.write_table(table, folder / "some.parquet", row_group_size=5)
    return folder / "some.parquet"


def _folder(folder: Path) -> Path:
    below = folder / "corpus" / "below"
    below.mkdir(parents=True)
    half = TEXT.index("\n\n", len(TEXT) // 2)
    _file(below.parent, "a.txt", TEXT[:half].encode())
    _file(below, "b.txt.xz", lzma.compress(TEXT[half:].encode()))
    _file(below.parent, "c.jsonl", _records())
    return below.parent


def _memory(folder: Path) -> str:
    import fsspec

    fsspec.filesystem("memory").pipe("/sources/some.txt", TEXT.encode())
    return "memory://sources/some.txt"


def _dataset(folder: Path, streamed: bool) -> Any:
    datasets = pytest.importorskip("datasets", reason="datasets is not installed")
    dataset = datasets.Dataset.from_dict({"text": [d[:3000] for d in DOCUMENTS]})
    return dataset.to_iterable_dataset() if streamed else dataset


#: a folder for what must be made -> a text
TEXTS: dict[str, Callable[[Path], Any]] = {
    "text": lambda folder: _file(folder, "some.txt", TEXT.encode()),
    "gzip": lambda folder: _file(folder, "some.txt.gz", gzip.compress(TEXT.encode())),
    "json lines": lambda folder: _file(folder, "some.jsonl", _records()),
    "json lines, xz": lambda folder: _file(folder, "some.jsonl.xz", lzma.compress(_records())),
    "parquet": _parquet,
    "folder": _folder,
    "memory": _memory,
    "texts": lambda folder: [d[:3000] for d in DOCUMENTS],
    "dataset": lambda folder: _dataset(folder, streamed=False),
    "streamed dataset": lambda folder: _dataset(folder, streamed=True),
}
#: corpus, kind of windows, and their length
WINDOWS: dict[str, tuple[Path | None, WindowCutter, int]] = {
    "sentences": (None, SentenceWindows(shortest=3), 60),
    "documents": (DATA / "gum", DocumentWindows(), 60),
    "conll-2012": (DATA / "litbank", DocumentWindows(), 60),
    "first windows": (None, FirstWindow(), 60),
    "gap": (DATA / "gap.tsv", CoveringWindow(), 128),
    "frames": (DATA / "framenet_v17", SentenceWindows("raw"), 60),
}
SENTENCES = [
    d[i : i + 150].replace("\t", " ").replace("\n", " ") for d in DOCUMENTS for i in range(0, 900, 150)
]
PAIRS = [(a, b, i % 2) for i, (a, b) in enumerate(pairwise(SENTENCES))]
RTE = ("entailment", "not_entailment")


def _table(folder: Path) -> TaskData:
    rows = "".join(f"{i}\t{a}\t{b}\t{RTE[label]}\n" for i, (a, b, label) in enumerate(PAIRS))
    text = "index\tsentence1\tsentence2\tlabel\n" + rows
    return TaskData(GLUE["RTE"], "dev", _file(folder, "dev.tsv", text.encode()))


def _task_records(folder: Path) -> TaskData:
    rows = [{"sentence1": a, "sentence2": b, "label": RTE[label]} for a, b, label in PAIRS]
    text = "".join(json.dumps(row) + "\n" for row in rows)
    return TaskData(GLUE["RTE"], "dev", _file(folder, "dev.jsonl", text.encode()))


def _task_dataset(folder: Path) -> TaskData:
    datasets = pytest.importorskip("datasets", reason="datasets is not installed")
    a, b, labels = zip(*PAIRS, strict=True)
    kinds = {"sentence1": datasets.Value("string"), "sentence2": datasets.Value("string")}
    features = datasets.Features(**kinds, label=datasets.ClassLabel(names=list(RTE)))
    columns = {"sentence1": a, "sentence2": b, "label": labels}
    return TaskData(GLUE["RTE"], "dev", dataset=datasets.Dataset.from_dict(columns, features=features))


TASKS = {"task": _table, "task of records": _task_records, "task of a dataset": _task_dataset}
SOURCES = [*TEXTS, "faithful", "windows of text", *WINDOWS, "filtered", *TASKS]


@pytest.fixture
def source_of(mini: Subject, tmp_path: Path, subject_of: Callable[[str], Subject]) -> Callable[[str], Source]:
    def make(name: str) -> Source:
        if name in TEXTS:
            return TextSource(text_corpus(TEXTS[name](tmp_path)), mini.tokenizer, 32, shard_tokens=1500)
        if name in TASKS:
            return TaskSource(TASKS[name](tmp_path), mini.tokenizer, 60, shard_tokens=600)
        if name == "faithful":
            return TextSource(text_corpus(), mini.tokenizer, limit=40, faithful=True)
        if name == "windows of text":
            path = TEXTS["text"](tmp_path)
            return TextSource(text_corpus(path), _without_pairs(mini), 32, shard_tokens=1500)
        path, cutter, length = WINDOWS.get(name, (None, SentenceWindows(), 60))
        keep = ShortDocument(6) if name == "filtered" else None
        return WindowSource(annotated_corpus(path), cutter, fits(mini, length), filter=keep, shard_words=400)

    return make


def _without_pairs(mini: Subject) -> Any:
    """A tokenizer as decoders have them."""
    tokenizer = pickle.loads(pickle.dumps(mini.tokenizer))
    tokenizer.cls_token = tokenizer.sep_token = None
    return tokenizer


def prepared(source: Source) -> list[PreparedShard]:
    return [source.prepare(shard) for shard in source.shards()]


def items_of(source: Source) -> list[Any]:
    return [item for shard in prepared(source) for item in shard.items]


@pytest.mark.parametrize("name", SOURCES)
def test_ids_are_unique_and_in_order(name: str, source_of: Callable[[str], Source]) -> None:
    ids = [item.id for item in items_of(source_of(name))]
    assert len(ids) > 10
    assert len(set(ids)) == len(ids)
    assert ids == sorted(ids)
    assert all(isinstance(i, ItemId) for i in ids)


@pytest.mark.parametrize("name", SOURCES)
def test_shards_can_be_read_in_any_order_by_copies(name: str, source_of: Callable[[str], Source]) -> None:
    source = source_of(name)
    expected = prepared(source)
    shards = [pickle.loads(pickle.dumps(shard)) for shard in source.shards()]
    assert [shard.number for shard in shards] == list(range(len(shards)))
    copy = pickle.loads(pickle.dumps(source))
    random.Random(0).shuffle(shards)
    by_number = {shard.number: pickle.loads(pickle.dumps(copy.prepare(shard))) for shard in shards}
    assert [by_number[i] for i in range(len(by_number))] == expected
    assert prepared(copy) == expected


@pytest.mark.parametrize("name", SOURCES)
def test_items_do_not_depend_on_the_size_of_shards(name: str, source_of: Callable[[str], Source]) -> None:
    source = source_of(name)
    size = {"shard_words": 90} if isinstance(source, WindowSource) else {"shard_tokens": 300}
    smaller = replace(source, **size)  # type: ignore[arg-type]
    if name not in ("faithful", "conll-2012"):  # one stream, one document
        assert len(list(smaller.shards())) > len(list(source.shards()))
    assert items_of(smaller) == items_of(source)
    counts = [sum((p.counts for p in prepared(s)), Counter[str]()) for s in (source, smaller)]
    assert counts[0] == counts[1]


@pytest.mark.parametrize("name", SOURCES)
def test_only_gives_exactly_the_items_that_are_chosen(name: str, source_of: Callable[[str], Source]) -> None:
    source = source_of(name)
    items = items_of(source)
    some = random.Random(1).sample(items, 5)
    chosen = pickle.loads(pickle.dumps(source.only({item.id for item in some})))
    assert items_of(chosen) == sorted(some, key=lambda item: item.id)
    assert items_of(source.only([])) == []
    assert items_of(source.only([ItemId(2**50, 0), items[3].id, ItemId(items[3].id.document, 10**6)])) == [
        items[3]
    ]
    test = EveryOther(3)
    kept = [item for item in items if test(item)]
    assert 0 < len(kept) < len(items)
    assert items_of(source.only(test)) == kept
    both = source.only(test).only({item.id for item in items[:20]})
    assert items_of(both) == [item for item in items[:20] if test(item)]


@pytest.mark.parametrize("name", SOURCES)
def test_no_more_is_prepared_than_is_asked_for(name: str, source_of: Callable[[str], Source]) -> None:
    source = source_of(name)
    shard = max(source.shards(), key=lambda shard: source.prepare(shard).seen)
    whole = source.prepare(shard)
    assert len(whole.items) > 3
    few = source.prepare(shard, 2)
    assert few.items == whole.items[:2]
    assert few.counts["segments"] + few.counts["windows"] + few.counts["examples"] == 2
    assert few.counts["documents"] <= whole.counts["documents"]
    assert source.prepare(shard, 0).items == []
    limited = replace(source, limit=3)
    assert limited.limit == 3
    drawn = getattr(limited, "drawn", None)
    wanted = [item for item in whole.items if drawn is None or item.id in drawn.ids][:3]
    assert limited.prepare(shard).items == wanted
    test = EveryOther(3)
    narrowed = limited.only(test).prepare(shard)
    assert narrowed.items == [item for item in wanted if test(item)]
    assert narrowed.seen == len(wanted), "the limit counts items before some are chosen"
    # what is one shard is never read further than its limit
    assert limited.only({whole.items[-1].id}).limit == (3 if name == "faithful" else None)


@pytest.mark.parametrize("name", SOURCES)
def test_batches_hold_every_item_once(name: str, source_of: Callable[[str], Source], mini: Subject) -> None:
    source = source_of(name)
    items = source.prepare(next(iter(source.shards()))).items
    batches = list(source.batches(mini, items))
    assert sorted(i for batch in batches for i in batch.ids) == [item.id for item in items]
    for batch in batches:
        lengths = next(iter(batch.sides.values())).real.sum(1)
        assert lengths.max() == batch.inputs["input_ids"].shape[1], (
            "no batch is padded beyond its longest item"
        )


@pytest.mark.parametrize("name", SOURCES)
def test_provenance_is_plain_and_tells_what_decides_the_items(
    name: str, source_of: Callable[[str], Source]
) -> None:
    source = source_of(name)
    about = source.describe()
    assert json.loads(json.dumps(about)) == about
    assert source.describe() == about
    if name != "streamed dataset":
        assert about["corpus"]["checksum"]
    changed = [
        replace(source, limit=7),
        source.only(EveryOther(0)),
        source.only(EveryOther(1)),
        source.only([]),
    ]
    if isinstance(source, TextSource):
        changed.append(replace(source, seed=9))
    elif isinstance(source, WindowSource):
        changed.append(replace(source, filter=ShortDocument(9)))
    else:
        changed.append(replace(source, length=20))
    assert all(other.describe() != about for other in changed)
    assert len({json.dumps(other.describe()) for other in changed}) == len(changed)


def _elsewhere(work: tuple[Source, Shard]) -> PreparedShard:
    source, shard = work
    return source.prepare(shard)


@pytest.mark.parametrize("names", [["text", "gzip", "parquet", "sentences", "gap", "task"]])
def test_another_process_prepares_the_same_items(
    names: list[str], source_of: Callable[[str], Source]
) -> None:
    work = [(source_of(name), shard) for name in names for shard in source_of(name).shards()]
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert pool.map(_elsewhere, work) == [_elsewhere(piece) for piece in work]


def test_shards_are_lazy(source_of: Callable[[str], Source]) -> None:
    """The first shard of an endless corpus is there."""

    class Endless:
        def __iter__(self) -> Iterator[str]:
            while True:
                yield "One sentence. Another."

    source = source_of("texts")
    assert isinstance(source, TextSource)
    endless = replace(source, corpus=text_corpus(Endless()))
    first = next(iter(endless.shards()))
    assert endless.prepare(first).counts["documents"] > 10


def test_what_is_random_belongs_to_its_document(source_of: Callable[[str], Source]) -> None:
    """A document gives the same items beside other documents."""
    source = source_of("texts")
    assert isinstance(source, TextSource)
    texts = [d[:3000] for d in DOCUMENTS]
    changed = replace(source, corpus=text_corpus([texts[0], "Something else. Entirely.", *texts[2:]]))
    before, after = items_of(source), items_of(changed)
    assert [i for i in after if i.id.document != 1] == [i for i in before if i.id.document != 1]
    assert [i.id.document for i in after].count(1) == 1
    other = items_of(replace(source, seed=1))
    assert [i.id for i in other][:5] == [i.id for i in before][:5]
    assert other != before


def test_a_slow_corpus_is_read_once(
    source_of: Callable[[str], Source], monkeypatch: pytest.MonkeyPatch
) -> None:
    source = source_of("frames")
    first = items_of(source)

    def fail(*_: object) -> None:
        raise AssertionError("FrameNet is read again")

    monkeypatch.setattr("attlas.corpora.framenet.read", fail)
    assert items_of(source) == first
    assert items_of(source.only({first[0].id})) == first[:1]


def test_runs_end_when_their_sizes_add_up_to_enough() -> None:
    assert list(in_runs([3, 1, 1, 5, 1], float, 4)) == [[3, 1], [1, 5], [1]]
    assert list(in_runs([4, 9], float, 4)) == [[4], [9]]
    assert list(in_runs(list[int](), float, 4)) == []


def test_shards_know_their_items_by_place() -> None:
    shards = [(shard.number, list(shard.content)) for shard in make_shards(5, 2)]
    assert shards == [(0, [0, 1]), (1, [2, 3]), (2, [4])]
