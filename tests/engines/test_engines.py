"""Every engine gives the same bits, loses no work, and says what is wrong."""

from __future__ import annotations

import subprocess
import sys
import types
from collections.abc import Callable, Iterator
from functools import partial
from multiprocessing.spawn import get_preparation_data
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numbers_corpus import Numbers, Sum, one_pass

from attlas.corpora.source import ItemId
from attlas.engines import (
    ENGINES,
    Engine,
    Merged,
    Pass,
    UnfinishedRun,
    engine_named,
    processes,
    run_pass,
    worker_process,
)
from attlas.engines.worker_process import without_main
from attlas.errors import AttlasError
from attlas.subject import Subject

MAKE: dict[str, Callable[[], Engine]] = {
    "local": lambda: engine_named("local"),
    "1 process": lambda: engine_named("processes", 1),
    "2 processes": lambda: engine_named(None, 2),
    # a cluster has tests of its own: test_ray.py
    **{name: partial(engine_named, name) for name in {*ENGINES} - {"local", "processes", "ray"}},
}


@pytest.fixture(scope="module", params=MAKE)
def engine(request: pytest.FixtureRequest) -> Iterator[Engine]:
    with MAKE[request.param]() as made:
        yield made


def bits(merged: Merged) -> bytes:
    (reducer,) = merged.reducers
    assert isinstance(reducer, Sum)
    return reducer.sums.tobytes()


def expected(pass_: Pass, subject: Subject) -> Merged:
    """In this process, shard after shard."""
    with engine_named("local") as local:
        return run_pass(subject, pass_, local)


# one document, and fifty of them in a shard, are fewer shards than processes
@pytest.mark.parametrize(
    "settings", [{}, {"limit": 20}, {"limit": 1}, {"bad": 5}, {"documents": 1}, {"shard_size": 50}]
)
def test_every_engine_gives_the_same_bits(engine: Engine, settings: dict[str, Any], mini: Subject) -> None:
    pass_ = one_pass(**settings)
    merged, want = run_pass(mini, pass_, engine), expected(pass_, mini)
    assert bits(merged) == bits(want)
    assert (merged.counts, merged.problems) == (want.counts, want.problems)


def test_the_limit_takes_the_first_items(engine: Engine, mini: Subject) -> None:
    merged = run_pass(mini, one_pass(limit=20), engine)
    (reducer,) = merged.reducers
    source = Numbers()
    values = [n.value for shard in source.shards() for n in source.prepare(shard).items][:20]
    assert isinstance(reducer, Sum)
    np.testing.assert_allclose(reducer.sums, [sum(values), 20], rtol=1e-12)
    assert merged.counts["items"] == 20


def test_a_bad_document_is_skipped_counted_and_named(engine: Engine, mini: Subject) -> None:
    merged = run_pass(mini, one_pass(bad=5), engine)
    assert merged.counts["skipped"] == 1
    assert merged.problems == ("document 5 is bad",)
    assert merged.counts["items"] == 66


def test_chosen_items_are_the_only_ones(engine: Engine, mini: Subject) -> None:
    source = Numbers().only([ItemId(3, 1), ItemId(20, 0)])
    merged = run_pass(mini, Pass("numbers", source, [Sum()]), engine)
    assert merged.counts["items"] == 2


def test_nothing_read_gives_empty_reducers(engine: Engine, mini: Subject) -> None:
    merged = run_pass(mini, one_pass(documents=0), engine)
    assert bits(merged) == np.zeros(2).tobytes()


def test_a_stream_that_breaks_keeps_what_is_done(engine: Engine, mini: Subject, tmp_path: Path) -> None:
    with UnfinishedRun.beside(tmp_path / "a.attlas", "numbers") as unfinished:
        unfinished.begin({}, resume=False, overwrite=False)
        with pytest.raises(AttlasError, match="the stream broke off"):
            run_pass(mini, one_pass(breaks=4), engine, unfinished)
        done = unfinished.nodes("numbers")
        assert done
        seen: list[int] = []
        merged = run_pass(mini, one_pass(), engine, unfinished, seen.append)
    assert bits(merged) == bits(expected(one_pass(), mini))
    assert seen[0] == sum(p.counts["items"] for p in done.values())
    assert sum(seen) == 69


def test_a_killed_worker_costs_nothing(mini: Subject, tmp_path: Path) -> None:
    kills = tmp_path / "kills"
    kills.touch()
    with engine_named("processes", 2) as engine:
        merged = run_pass(mini, one_pass(kills=kills), engine)
    assert not kills.exists()
    assert bits(merged) == bits(expected(one_pass(), mini))


def test_a_part_that_always_kills_its_worker_is_given_up(
    mini: Subject, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(processes, "MOST_LOSSES", 1)  # every new process takes seconds to start
    with engine_named("processes", 1) as engine, pytest.raises(AttlasError, match="killed 2 times"):
        run_pass(mini, one_pass(kills=tmp_path, keeps_killing=True), engine)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("cloud", None, None), "there is no engine 'cloud'"),
        (("processes", 0, None), "workers=0"),
        (("local", 2, None), "engine='local' is one process"),
        ((None, 2, "auto"), "only engine='ray' has an address"),
    ],
)
def test_what_cannot_be_is_said(options: tuple[Any, ...], said: str) -> None:
    with pytest.raises(AttlasError, match=said):
        engine_named(*options)


def test_a_script_does_not_begin_again_in_its_workers(tmp_path: Path) -> None:
    """Also one without `if __name__ == "__main__":` around what it does."""
    script = tmp_path / "script.py"
    script.write_text(
        "import attlas\n"
        "print('the script runs')\n"
        "attlas.map('mini', segments=8, sample=0, workers=2, atlas='a.attlas', progress=False)\n"
    )
    ran = subprocess.run([sys.executable, script], cwd=tmp_path, capture_output=True, text=True, timeout=300)
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.count("the script runs") == 1
    assert (tmp_path / "a.attlas" / "manifest.json").exists()


def test_the_main_module_is_left_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also that of a notebook, which does not say where it comes from."""
    main = types.ModuleType("__main__")
    del main.__spec__
    monkeypatch.setitem(sys.modules, "__main__", main)
    before = dict(vars(main))
    with without_main(b"nothing of it"):
        assert (
            get_preparation_data("worker").keys().isdisjoint({"init_main_from_name", "init_main_from_path"})
        )
    assert vars(main) == before


def test_a_worker_without_work_gives_its_model_back(mini: Subject) -> None:
    loaded, reads = worker_process.LoadedModel(), []

    def read() -> Any:
        reads.append(1)
        return worker_process.job(mini, one_pass())

    for _ in range(2):
        with loaded.at_work(idle=0.01):
            subject, _ = loaded.get("a", read)
            assert subject.heads == mini.heads
        assert loaded._rest is not None
        loaded._rest.join()
        assert loaded._subject is None
    assert len(reads) == 2, "the next shard loads it again"
