"""Files of text: every format gives the same documents, from any range, and says what is wrong with it."""

from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
import os
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from attlas.corpora import plain_text, text_formats
from attlas.corpora.documents import Problem, TextCorpus, TextDocument
from attlas.corpora.pictured_texts import has_pictures
from attlas.corpora.text import TextFiles, text_corpus
from attlas.corpora.text_formats import NotUtf8
from attlas.corpora.text_source import TextSource
from attlas.errors import AttlasError
from attlas.subject import Subject

DOCUMENTS = ["One. Two.\nThree.", "Vier – fünf.", "日本 six", "Seven.\nEight."]
TEXT = "\n\n".join(DOCUMENTS) + "\n"
RECORDS = "".join(json.dumps({"text": d}) + "\n" for d in DOCUMENTS)


def _parquet(texts: list[Any], **options: Any) -> bytes:
    out = io.BytesIO()
    pq.write_table(pa.table({"n": list(range(len(texts))), "text": texts}), out, **options)
    return out.getvalue()


def _zstd(content: bytes) -> bytes:
    compressed: bytes = pa.compress(content, "zstd", asbytes=True)
    return compressed


COMPRESSORS: dict[str, Callable[[bytes], bytes]] = {
    ".gz": gzip.compress,
    ".bz2": bz2.compress,
    ".xz": lzma.compress,
    ".zst": _zstd,
}
#: name -> content
FILES: dict[str, bytes] = {
    "a.txt": TEXT.encode(),
    "windows.txt": TEXT.replace("\n", "\r\n").encode(),
    "mark.txt": b"\xef\xbb\xbf" + TEXT.encode(),
    "no_end.txt": TEXT.rstrip().encode(),
    "blanks.txt": b"\n \n\t\n" + TEXT.replace("\n\n", "\n  \n\n\t\r\n").encode() + b"\n\n \n",
    "a.jsonl": RECORDS.encode(),
    "windows.jsonl": b"\xef\xbb\xbf" + RECORDS.replace("\n", "\r\n").encode(),
    "no_end.ndjson": b"\n\n" + RECORDS.rstrip().encode(),
    "a.parquet": _parquet(DOCUMENTS),
    "groups.parquet": _parquet(DOCUMENTS, row_group_size=1),
    **{f"a.txt{ending}": compress(TEXT.encode()) for ending, compress in COMPRESSORS.items()},
    **{f"a.jsonl{ending}": compress(RECORDS.encode()) for ending, compress in COMPRESSORS.items()},
    "two.txt.gz": gzip.compress(TEXT[:20].encode()) + gzip.compress(TEXT[20:].encode()),
    "two.txt.zst": _zstd(TEXT.encode()[:20]) + _zstd(TEXT.encode()[20:]),
}


def written(folder: Path, name: str, content: bytes) -> Path:
    (folder / name).write_bytes(content)
    return folder / name


def read(corpus: TextCorpus, size: int = 10**6) -> list[TextDocument | Problem]:
    return [entry for part in corpus.parts(size) for entry in corpus.read(part)]


def texts(corpus: TextCorpus, size: int = 10**6) -> list[str]:
    return [entry.text.replace("\r", "") for entry in read(corpus, size) if isinstance(entry, TextDocument)]


@pytest.mark.parametrize("name", FILES)
def test_every_format_gives_the_same_documents(name: str, tmp_path: Path) -> None:
    corpus = text_corpus(written(tmp_path, name, FILES[name]))
    assert texts(corpus) == DOCUMENTS
    for size in (1, 7, 20, 50):
        assert read(corpus, size) == read(corpus), "however it is cut"
    assert list(corpus.entries()) == read(corpus)
    numbers = [d.number for d in read(corpus) if isinstance(d, TextDocument)]
    some = [d for part in corpus.choose([numbers[3], numbers[1]]) for d in corpus.read(part)]
    assert some == [read(corpus)[1], read(corpus)[3]]


@pytest.mark.parametrize("ending", COMPRESSORS)
def test_compression_does_not_change_numbers(ending: str, tmp_path: Path) -> None:
    plain = text_corpus(written(tmp_path, "a.txt", FILES["a.txt"]))
    packed = text_corpus(written(tmp_path, "b.txt" + ending, FILES["a.txt" + ending]))
    assert [(d.number, d.text) for d in read(packed)] == [(d.number, d.text) for d in read(plain)]  # type: ignore[union-attr]


def test_a_folder_is_read_in_the_order_of_its_names(tmp_path: Path) -> None:
    (tmp_path / "below").mkdir()
    (tmp_path / ".hidden").mkdir()
    written(tmp_path, "b.txt", b"Second.\n\nThird.")
    written(tmp_path, "a.jsonl.gz", gzip.compress(b'{"text": "First."}\n'))
    written(tmp_path / "below", "c.txt", b"Fourth.")
    written(tmp_path / ".hidden", "d.txt", b"Unseen.")
    written(tmp_path, "empty.txt", b"")
    written(tmp_path, "picture.png", b"\x89PNG")
    whole = text_corpus(tmp_path)
    assert texts(whole) == ["First.", "Second.", "Third.", "Fourth."]
    assert [d.number >> 40 for d in read(whole)] == [0, 1, 1, 2]  # type: ignore[union-attr]
    assert [d.name for d in read(whole)] == ["a.jsonl.gz:0", "b.txt:0", "b.txt:9", "below/c.txt:0"]
    assert texts(text_corpus(f"{tmp_path}/*.txt")) == ["Second.", "Third."]
    assert texts(text_corpus(f"{tmp_path}/**/*.txt")) == ["Second.", "Third.", "Fourth."]
    written(tmp_path, "odd [1]*.txt", b"Fifth.")
    assert texts(text_corpus(tmp_path / "odd [1]*.txt")) == ["Fifth."]


def test_addresses_of_other_file_systems_are_read(tmp_path: Path) -> None:
    import fsspec

    memory = fsspec.filesystem("memory")
    for name in ("a.txt", "a.parquet", "a.jsonl.zst"):
        memory.pipe(f"/corpus/{name}", FILES[name])
        assert texts(text_corpus(f"memory://corpus/{name}"), 20) == DOCUMENTS
    assert texts(text_corpus("memory://corpus")) == DOCUMENTS * 3
    assert texts(text_corpus("memory://corpus/*.txt")) == DOCUMENTS
    before = text_corpus("memory://corpus/a.txt").describe()["checksum"]
    assert before == text_corpus("memory://corpus/a.txt").describe()["checksum"]
    memory.pipe("/corpus/a.txt", b"changed")
    assert before != text_corpus("memory://corpus/a.txt").describe()["checksum"]
    path = written(tmp_path, "a.txt", FILES["a.txt"])
    assert texts(text_corpus(f"file://{path}")) == DOCUMENTS


@pytest.mark.parametrize(
    ("address", "problem"),
    [
        ("nowhere.txt", "nowhere.txt: no such file"),
        ("nowhere/*.txt", "no file matches this"),
        ("memory://nowhere", "no such file"),
        ("nosuch://a/b", "cannot be opened: .*nosuch"),
        ("not its file " * 100, r"^not its file .{47}\.\.\.: no such file$"),
    ],
)
def test_addresses_that_lead_nowhere_are_named(address: str, problem: str) -> None:
    assert not has_pictures(address)
    with pytest.raises(AttlasError, match=problem):
        text_corpus(address)


def test_a_file_that_is_not_a_corpus_is_refused(tmp_path: Path) -> None:
    with pytest.raises(AttlasError, match=r"empty.txt is empty"):
        text_corpus(written(tmp_path, "empty.txt", b""))
    with pytest.raises(AttlasError, match=r"is not a regular file"):
        text_corpus(os.devnull)
    (tmp_path / "none").mkdir()
    with pytest.raises(
        AttlasError, match=r"none is a folder without text: no name ends in \.txt, .*\.parquet"
    ):
        text_corpus(tmp_path / "none")
    for ending, content in (*FILES.items(), (".parquet", FILES["a.parquet"])):
        if ending.endswith((*COMPRESSORS, ".parquet")):
            path = written(tmp_path, "misnamed.txt", content)
            with pytest.raises(AttlasError, match=r"misnamed.txt is not text but a \.\w+ file: let its name"):
                read(text_corpus(path))
    with pytest.raises(AttlasError, match=r"a.parquet is not a Parquet file"):
        read(text_corpus(written(tmp_path, "a.parquet", b"text")))
    with pytest.raises(AttlasError, match="take off what compresses it again"):
        read(text_corpus(written(tmp_path, "a.parquet.gz", gzip.compress(FILES["a.parquet"]))))


def test_a_file_that_changes_meanwhile_is_an_error(tmp_path: Path) -> None:
    for name in ("a.txt", "a.jsonl.gz", "a.parquet"):
        corpus = text_corpus(written(tmp_path, name, FILES[name]))
        written(tmp_path, name, FILES[name][:-5])
        with pytest.raises(
            AttlasError, match=rf"{name} changed while it was read: it had \d+ bytes, now \d+"
        ):
            read(corpus)
        (tmp_path / name).unlink()
        with pytest.raises(AttlasError, match=rf"{name}: no such file"):
            read(corpus)


def test_blank_files_have_no_documents(tmp_path: Path) -> None:
    for name in ("blank.txt", "blank.jsonl"):
        assert read(text_corpus(written(tmp_path, name, b"\n  \n\r\n\n"))) == []


@pytest.mark.parametrize("ending", COMPRESSORS)
def test_an_archive_that_breaks_off_is_an_error_that_says_where(ending: str, tmp_path: Path) -> None:
    long = "\n\n".join(f"Document {i} of many. {os.urandom(20).hex()}." for i in range(20000)).encode()
    packed = COMPRESSORS[ending](long)
    path = written(tmp_path, "cut.txt" + ending, packed[: len(packed) * 2 // 3])
    with pytest.raises(AttlasError, match=rf"cut.txt{ending} (breaks off after [1-9]|cannot be read: )"):
        read(text_corpus(path), 10**4)
    path = written(tmp_path, "not.txt" + ending, b"this was never compressed")
    with pytest.raises(AttlasError, match=rf"not.txt{ending} cannot be read: "):
        read(text_corpus(path))


def test_a_parquet_file_with_a_broken_page_is_an_error(tmp_path: Path) -> None:
    good = bytearray(_parquet([os.urandom(50).hex() for _ in range(3000)], compression="gzip"))
    good[len(good) // 2 : len(good) // 2 + 2000] = b"\0" * 2000
    corpus = text_corpus(written(tmp_path, "some.parquet", bytes(good)))
    with pytest.raises(
        AttlasError, match=r"some.parquet (breaks off after [1-9][\d,]* rows|cannot be read): "
    ):
        read(corpus)


def test_the_column_of_a_table_is_chosen_or_named(tmp_path: Path) -> None:
    path = tmp_path / "some.parquet"
    pq.write_table(pa.table({"n": [1, 2], "body": ["One.", "Two."]}), path)
    assert texts(text_corpus(path)) == ["One.", "Two."]
    two = pa.table({"title": ["A", "B"], "body": pa.array(["One.", "Two."]).dictionary_encode()})
    pq.write_table(two, path)
    assert texts(text_corpus(path, field="body")) == ["One.", "Two."]
    for field, said in ((None, "'text', nor only one of text"), ("n", "'n'")):
        with pytest.raises(AttlasError, match=rf"no column of text {said}; it has 'title', 'body'"):
            read(text_corpus(path, field=field))
    record = written(tmp_path, "some.jsonl", b'{"title": "A", "body": "One."}\n')
    assert texts(text_corpus(record, field="body")) == ["One."]


def test_a_text_in_utf16_is_told_from_what_to_convert_it() -> None:
    assert "iconv -f utf-16 " in str(NotUtf8("One.".encode("utf-16"), 0))
    assert "iconv -f latin1 " in str(NotUtf8(b"Mor\xe9.", 3))


#: a file with a bad document between good ones, what is said of it, and where
BAD: dict[str, tuple[bytes, str, str]] = {
    "latin.txt": (b"One.\n\nTwo.\nMor\xe9.\n\nThree.", "line 4", "not UTF-8 (0xe9 at column 4)"),
    "zero.txt": (b"One.\n\nTw\0o.\n\nThree.", "line 3", "zero byte"),
    "latin.txt.gz": (gzip.compress(b"One.\n\nTw\xe9.\n\nThree."), "byte 8", "not UTF-8"),
    "broken.jsonl": (b'{"text": "One."}\n{"text": "Two\n{"text": "Three."}\n', "line 2", "not JSON"),
    "null.jsonl": (
        b'{"text": "One."}\n{"text": null}\n{"text": "Three."}\n',
        "line 2",
        "is nothing, not text",
    ),
    "number.jsonl": (b'{"text": "One."}\n{"text": 2}\n{"text": "Three."}\n', "line 2", "is int, not text"),
    "other.jsonl": (b'{"text": "One."}\n{"b": "Two"}\n{"text": "Three."}\n', "line 2", "no field 'text'"),
    "list.jsonl": (b'{"text": "One."}\n["Two"]\n{"text": "Three."}\n', "line 2", "not a record with fields"),
    "latin.jsonl": (b'{"text": "One."}\n{"text": "Tw\xe9"}\n{"text": "Three."}\n', "line 2", "not UTF-8"),
    "half.jsonl": (
        b'{"text": "One."}\n{"text": "\\ud800"}\n{"text": "Three."}\n',
        "line 2",
        "half of a surrogate pair",
    ),
    "deep.jsonl": (
        b'{"text": "One."}\n' + b"[" * 10**5 + b'\n{"text": "Three."}\n',
        "line 2",
        "nested too deeply",
    ),
    "null.parquet": (_parquet(["One.", None, "Three."]), "row 1", "is nothing, not text"),
    "latin.parquet": (
        _parquet(pa.array([b"One.", b"Tw\xe9", b"Three."]).view(pa.string())),  # type: ignore[arg-type]
        "row 1",
        "not UTF-8",
    ),
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_document_is_skipped_and_named_or_stops(name: str, tmp_path: Path, mini: Subject) -> None:
    content, place, what = BAD[name]
    corpus = text_corpus(written(tmp_path, name, content))
    assert texts(corpus) == ["One.", "Three."]
    source = TextSource(corpus, mini.tokenizer)
    (shard,) = source.shards()
    prepared = source.prepare(shard)
    assert (prepared.counts["skipped"], prepared.counts["documents"]) == (1, 2)
    (problem,) = prepared.problems
    assert name in problem
    assert f"{name}, {place}: " in problem
    assert what in problem
    strict = TextSource(corpus, mini.tokenizer, strict=True)
    with pytest.raises(AttlasError, match=re.escape(what)):
        strict.prepare(shard)


def test_of_many_bad_documents_all_are_counted_and_some_named(tmp_path: Path, mini: Subject) -> None:
    corpus = text_corpus(written(tmp_path, "bad.jsonl", b"{\n" * 500 + b'{"text": "Good. Text."}\n'))
    source = TextSource(corpus, mini.tokenizer)
    prepared = source.prepare(next(iter(source.shards())))
    assert (prepared.counts["skipped"], len(prepared.problems), len(prepared.items)) == (500, 20, 1)
    assert prepared.problems[19].split(", ")[-1].startswith("line 20: ")


def test_records_from_python_are_checked(mini: Subject) -> None:
    source = TextSource(text_corpus(["One. Two.", 3, {"text": "Three. Four."}]), mini.tokenizer)
    prepared = source.prepare(next(iter(source.shards())))
    assert prepared.problems == ("texts, document 1: this is int, not a record with fields",)
    assert len(prepared.items) == 2
    for text, problem in (
        (iter(["a"]), "read only once"),
        ({"train": []}, "choose a split of the dataset: it has 'train'"),
        ([], "there are no texts"),
        (7, "not int"),
    ):
        with pytest.raises(AttlasError, match=problem):
            text_corpus(text)  # type: ignore[arg-type]


def test_a_dataset_that_breaks_off_is_an_error_that_says_where() -> None:
    class Lost:
        def __iter__(self) -> Any:
            yield {"text": "One."}
            raise ConnectionError("connection reset")

    with pytest.raises(AttlasError, match=r"Lost breaks off after 1 documents: connection reset"):
        read(text_corpus(Lost()))


def test_the_column_of_a_dataset_is_chosen() -> None:
    datasets = pytest.importorskip("datasets", reason="datasets is not installed")
    dataset = datasets.Dataset.from_dict({"body": ["One.", "Two."], "n": [1, 2]})
    assert texts(text_corpus(dataset)) == ["One.", "Two."]
    assert texts(text_corpus(dataset.to_iterable_dataset())) == ["One.", "Two."]


#: what documents and the gaps between them can be made of
BITS = st.sampled_from([b"a", b"bc", b"\n", b"\n\n", b"\r\n", b" ", b"\t", b"\n \n", "é".encode(), b"word "])


@settings(max_examples=400, deadline=None)
@given(st.lists(BITS, max_size=60), st.lists(st.integers(0, 120), max_size=5), st.sampled_from([16, 32, 64]))
def test_any_ranges_of_a_text_give_the_documents_of_all_of_it(
    bits: list[bytes], cuts: list[int], block: int
) -> None:
    data = b"".join(bits)
    edges = [0, *sorted(min(cut, len(data)) for cut in cuts), len(data)]
    documents = [
        document
        for start, stop in pairwise(edges)
        for document in plain_text.documents_between(io.BytesIO(data), "some", start, stop, block)
    ]
    assert documents == list(plain_text.documents(io.BytesIO(data), "some", block))
    # nothing is lost where long documents are cut, and each piece stands where it says
    whole = [part for _, part in plain_text.documents(io.BytesIO(data), "some", None)]
    assert b"".join(b"".join(part.split()) for _, part in documents) == b"".join(data.split())
    assert {part for part in whole if len(part) <= block} <= {part for _, part in documents}
    for place, part in documents:
        assert data[place : place + len(part)] == part
        part.decode()  # no character is cut
        assert len(part) <= 2 * block + max(4, block // 16)


@settings(max_examples=300, deadline=None)
@given(
    st.lists(st.sampled_from([b"{}", b"abc", b"\n", b"\n\n", b"\r\n", b"  "]), max_size=40),
    st.lists(st.integers(0, 90), max_size=5),
)
def test_any_ranges_of_json_lines_give_the_lines_of_all_of_it(bits: list[bytes], cuts: list[int]) -> None:
    data = b"".join(bits)
    edges = [0, *sorted(min(cut, len(data)) for cut in cuts), len(data)]
    lines = [
        line
        for start, stop in pairwise(edges)
        for line in text_formats.lines_between(io.BytesIO(data), "some", start, stop)
    ]
    assert lines == list(text_formats.lines_of(io.BytesIO(data), "some"))
    assert [line.strip() for _, line in lines] == [line.strip() for line in data.split(b"\n") if line.strip()]


def test_documents_shorter_than_a_block_are_never_cut(tmp_path: Path) -> None:
    short = [f"Document {i}. " + "word " * (i % 8) for i in range(100)]
    path = written(tmp_path, "some.txt", "\n\n".join(short).encode())
    corpus = text_corpus(path)
    assert isinstance(corpus, TextFiles)
    assert texts(replace(corpus, block=64), 50) == [document.strip() for document in short]


def test_a_document_that_is_too_long_to_be_held_still_fills_a_segment(tmp_path: Path, mini: Subject) -> None:
    path = written(tmp_path, "some.txt", b"word " * 10**6)
    for length, block in ((128, 2**20), (2**18, 2**21)):
        corpus = TextSource(text_corpus(path), mini.tokenizer, length).corpus
        sizes = [len(text) for text in texts(corpus)]
        assert min(sizes[:-1]) >= block - 10
        assert max(sizes) <= 2 * block + block // 16
        assert sum(sizes) + len(sizes) == 5 * 10**6


def test_a_line_too_long_to_be_held_is_skipped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text_formats, "LONGEST", 10**5)
    long = json.dumps({"text": "x" * 10**6}).encode()
    path = written(tmp_path, "some.jsonl", b'{"text": "One."}\n' + long + b'\n{"text": "Three."}\n')
    first, bad, last = read(text_corpus(path))
    assert isinstance(first, TextDocument)
    assert isinstance(last, TextDocument)
    assert (first.text, last.text) == ("One.", "Three.")
    assert bad == Problem(f"{path}, line 2", "a line of more than 100,000 bytes")


MEASURE = """
import resource, sys
from attlas.corpora.text import TextFiles, text_corpus
corpus = text_corpus(sys.argv[1])
some = next(corpus.read(next(corpus.parts(2**20))))
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
size = sum(len(d.text) for part in corpus.parts(2**20) for d in corpus.read(part))
print(size, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""


@pytest.mark.parametrize("name", ["some.txt", "one_line.txt", "some.txt.gz", "some.jsonl", "some.parquet"])
def test_memory_does_not_grow_with_the_corpus(name: str, tmp_path: Path) -> None:
    """100 MB of text are read in 30 MB, however they are written, and were they one document."""
    path, count = tmp_path / name, 1000
    text = "A sentence of some words, and a few more words. " * 2000  # 96 KB
    if name.endswith(".parquet"):
        schema = pa.schema({"text": pa.string()})
        with pq.ParquetWriter(path, schema) as writer:
            for _ in range(10):  # one row group of 100 MB would be held by whoever writes it
                writer.write_table(pa.table({"text": [text] * (count // 10)}), row_group_size=count)
    else:
        record = (json.dumps({"text": text}) if ".jsonl" in name else text).encode()
        between = {"some.jsonl": b"\n", "one_line.txt": b""}.get(name, b"\n\n")
        with gzip.open(path, "wb", 1) if name.endswith(".gz") else path.open("wb") as file:
            for _ in range(count):
                file.write(record + between)
    done = subprocess.run([sys.executable, "-c", MEASURE, path], capture_output=True, text=True, check=True)
    size, kilobytes = map(int, done.stdout.split())
    assert size > 0.99 * count * len(text)
    assert kilobytes < 30_000
