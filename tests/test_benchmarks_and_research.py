"""Every file of benchmarks/ and research/ still runs: each on its smallest input, in a process of its own.

A file that is in none of these lists fails the first test.
"""

from __future__ import annotations

import lzma
from collections.abc import Callable
from pathlib import Path

import pytest
import torch

from attlas.corpora.documents import read_sentences
from attlas.corpora.reading import annotated_corpus
from attlas.corpora.text import text_corpus
from attlas.subject import Subject
from own_process import OwnProcess, script

ROOT = Path(__file__).parents[1]

#: file -> its arguments; {data} is a folder with small inputs, {out} an empty one
SMALLEST = {
    "benchmarks/app.py": "--rounds 1 --clients 2 --seconds 0.5 --requests 2",
    "benchmarks/disable.py": "--items 2 --length 16 --every 72",
    "benchmarks/distances.py": "--model mini --batch 128 --repeats 1",
    "benchmarks/engines.py": "--workers 1 --shards 4 --shard 512 --seconds 0.1",
    "benchmarks/host.py": "--models bert --passes 1",
    "benchmarks/induction.py": "{data}/decoder --heads 1 --draws 1 --items 2 --length 16",
    "benchmarks/long_cpu.py": "--tokens 256",
    "benchmarks/patterns.py": "--rows 1 --repeats 1",
    "benchmarks/probes.py": "{data}/few.conllu --sentences 4 --repeats 1",
    "benchmarks/programs.py": "--rows 1 --length 16 --repeats 1",
    "benchmarks/shapes.py": "--segments 2 --length 16 --repeats 1",
    "benchmarks/surface.py": "--model mini --tokens 128 --batch 128 --repeats 1",
    "benchmarks/tails.py": "--heads 200 --picture {out}/tails.png",
    "benchmarks/throughput.py": "--tokens 1000 --length 16 --layers 1 --seconds 0",
    "benchmarks/trees.py": "--sentences 24 --epochs 1 --repeats 1",
    "benchmarks/waiting.py": "--segments 2 --rounds 1 --neighbours 0 --ways one-thread",
    "research/corpus.py": "{data}/wiki.txt.xz {out}/corpus.txt",
    "research/induction.py": "--steps 2 --vocabulary 32 --out {out}",
    "research/pictures.py": "--steps 2 --batch 4 --questions 2 --out {out}",
    "research/pretrain.py": "prepare {out}/tokens.npz {data}/wiki.txt.xz",
    "research/sink.py": "{data}/decoder --segments 2 --special [CLS]",
}
#: file -> its arguments, where there is a GPU
ON_A_GPU = {
    "benchmarks/gpu.py": "--models bert --rounds 1 --only-surface",
    "benchmarks/gpu_numbers.py": "",
    "benchmarks/gpu_profile.py": "--sizes bert:128x2",
    "benchmarks/gpu_rows.py": "",
    "benchmarks/gpu_spread.py": "--layers 2 --segments 2 --length 64",
    "benchmarks/long_gpu.py": "--lengths 8192",
}
#: file -> the test that runs it, or what it is part of
TESTED = {
    "benchmarks/trees_report.py": "tests/studies/test_trees_report.py",
    "research/annotate.py": "tests/studies/test_shapes.py",
    "research/claims.py": "tests/papers/test_claims.py",
    "research/ensemble.py": "tests/studies/test_ensemble.py",
    "research/patterns.py": "tests/studies/test_shape_training.py",
    "research/shape_shares.py": "tests/studies/test_shapes.py",
}
#: file -> one that imports it
PARTS = {
    "benchmarks/measure.py": "benchmarks/surface.py",
    "research/finetuning_report.py": "research/finetuning.py",
    "research/shape_learning.py": "research/patterns.py",
    "research/shape_maps.py": "research/patterns.py",
    "research/shape_report.py": "research/patterns.py",
    "research/shape_rules.py": "research/patterns.py",
    "research/shape_workers.py": "research/shape_maps.py",
}
#: file -> what it needs that no test has: only its arguments are read
ONLY_STARTED = {
    "benchmarks/trees_full.py": "a whole treebank and word vectors",
    "benchmarks/views.py": "BertViz and CircuitsVis",
    "research/finetuning.py": "GLUE",
    "research/frozen.py": "GLUE",
    "research/heads_appear.py": "minutes of pre-training",
}


def test_every_file_is_listed_once() -> None:
    files = [
        str(path.relative_to(ROOT))
        for room in ("benchmarks", "research")
        for path in (ROOT / room).glob("*.py")
    ]
    listed = [*SMALLEST, *ON_A_GPU, *TESTED, *PARTS, *ONLY_STARTED]
    assert sorted(listed) == sorted(files)


@pytest.mark.parametrize(("file", "user"), [*TESTED.items(), *PARTS.items()])
def test_a_file_that_is_run_elsewhere_is_named_there(file: str, user: str) -> None:
    assert Path(file).stem in (ROOT / user).read_text()


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory, subject_of: Callable[[str], Subject]) -> Path:
    """Small inputs: articles as the scripts that read Wikipedia expect them, a treebank, a decoder."""
    folder = tmp_path_factory.mktemp("data")
    articles = ["\n".join(sentences) + "\n" for sentences in list(read_sentences(text_corpus()))[:20]]
    (folder / "wiki.txt.xz").write_bytes(lzma.compress("\n".join(articles).encode()))
    sentences = annotated_corpus(None).paths[0].read_text(encoding="utf-8").split("\n\n")
    (folder / "few.conllu").write_text("\n\n".join(sentences[:40]) + "\n\n", encoding="utf-8")
    decoder = subject_of("llama")
    decoder.model.save_pretrained(folder / "decoder")
    decoder.tokenizer.save_pretrained(folder / "decoder")
    return folder


def output_of(file: str, *arguments: str) -> str:
    process = OwnProcess(script, ROOT / file, *arguments)
    assert process.ended() == 0, process.said[-3000:]
    return process.printed


@pytest.mark.parametrize(("file", "arguments"), SMALLEST.items(), ids=list(SMALLEST))
def test_it_runs_on_its_smallest_input(file: str, arguments: str, data: Path, tmp_path: Path) -> None:
    filled_in = [part.format(data=data, out=tmp_path) for part in arguments.split()]
    assert output_of(file, *filled_in) or any(tmp_path.iterdir())


@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a GPU")
@pytest.mark.parametrize(("file", "arguments"), ON_A_GPU.items(), ids=list(ON_A_GPU))
def test_it_runs_on_a_gpu(file: str, arguments: str) -> None:
    assert output_of(file, *arguments.split())


@pytest.mark.parametrize("file", ONLY_STARTED)
def test_it_says_what_it_takes(file: str) -> None:
    assert "usage: " in output_of(file, "--help")
