"""A Ray cluster of three nodes on this machine: the same bits, and a node that is lost half-way costs
nothing."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from numbers_corpus import Sum, one_pass

from attlas.atlas.chapter import Chapter
from attlas.engines import Merged, engine_named, run_pass
from attlas.engines.ray import ON_A_GPU, place_of_gpu
from attlas.errors import AttlasError, Stopped
from attlas.options import KeepOptions, RunOptions
from attlas.studies.study import RunPass
from attlas.studies.study_run import run_chapters
from attlas.subject import Subject

if find_spec("ray") is None:
    pytest.skip("ray is not installed", allow_module_level=True)


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    import ray  # which takes seconds, also where no test of it is run
    from ray.cluster_utils import Cluster

    with pytest.MonkeyPatch.context() as patch:
        # the nodes need the corpus of numbers
        patch.setenv("PYTHONPATH", str(Path(__file__).parent), prepend=os.pathsep)
        patch.setenv("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")  # its default warns that it will change
        made = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
        yield made
        ray.shutdown()
        made.shutdown()


def bits(merged: Merged) -> bytes:
    (reducer,) = merged.reducers
    assert isinstance(reducer, Sum)
    return reducer.sums.tobytes()


def expected(subject: Subject, **settings: Any) -> Merged:
    with engine_named("local") as engine:
        return run_pass(subject, one_pass(**settings), engine)


def test_a_node_lost_half_way_costs_nothing(cluster: Any, mini: Subject) -> None:
    nodes = [cluster.add_node(num_cpus=1), cluster.add_node(num_cpus=1)]
    cluster.wait_for_nodes()
    done: list[int] = []

    def advance(items: int) -> None:
        done.append(items)
        if len(done) == 4:
            cluster.remove_node(nodes[0], allow_graceful=False)

    with engine_named("ray", None, cluster.address) as engine:
        for settings in ({}, {"limit": 20}, {"bad": 5}):
            merged = run_pass(mini, one_pass(**settings, wait=0.3), engine, advance=advance)
            want = expected(mini, **settings)
            assert bits(merged) == bits(want)
            assert (merged.counts, merged.problems) == (want.counts, want.problems)
        with pytest.raises(AttlasError, match="the stream broke off"):
            run_pass(mini, one_pass(breaks=4), engine)


@dataclass(frozen=True)
class Slow:
    """A study whose passes take some seconds."""

    name: str = "slow"

    def describe(self) -> dict[str, Any]:
        return {}

    def conclude(self, run: RunPass) -> Chapter:
        run(one_pass(wait=0.5))
        raise AssertionError("it was not stopped")


def test_a_request_to_stop_keeps_what_is_done(cluster: Any, mini: Subject, tmp_path: Path) -> None:
    """Ray would take the signal, and abort."""
    out = tmp_path / "a.attlas"

    def stop_when_something_is_done() -> None:
        while not list(out.with_name("a.attlas.part").glob("slow/numbers/*.safetensors")):
            time.sleep(0.05)
        os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=stop_when_something_is_done, daemon=True).start()
    on_ray = RunOptions(engine="ray", address=cluster.address, progress=False)
    with pytest.raises(Stopped):
        run_chapters([Slow()], mini, on_ray, KeepOptions(atlas=out))
    assert list(out.with_name("a.attlas.part").glob("slow/numbers/*.safetensors"))


def test_a_process_on_a_gpu_runs_many_shards(cluster: Any) -> None:
    """Ray believes us that a node has two GPUs. A new process for each shard would load the model again; and
    one that is given another GPU later must see it."""

    import ray

    def where() -> tuple[int, str, str]:
        time.sleep(0.2)
        return os.getpid(), os.environ["CUDA_VISIBLE_DEVICES"], str(ray.get_gpu_ids()[0])

    node = cluster.add_node(num_cpus=1, num_gpus=2, env_vars={"CUDA_VISIBLE_DEVICES": "2,5"})
    try:
        with engine_named("ray", None, cluster.address):
            task = ray.remote(**ON_A_GPU)(where)
            seen = ray.get([task.remote() for _ in range(8)])
    finally:
        cluster.remove_node(node)
    assert len({process for process, *_ in seen}) <= 2
    assert {place_of_gpu(gpu, visible) for _, visible, gpu in seen} <= {0, 1}
    assert {visible for _, visible, _ in seen} == {"2,5"}


@pytest.mark.parametrize(
    ("gpu", "visible", "place"),
    [("1", None, 1), ("0", "", 0), ("5", "2,5", 1), ("2", "5, 2", 1), ("GPU-b", "GPU-a,GPU-b", 1)],
)
def test_a_gpu_is_called_by_its_place_among_the_visible_ones(
    gpu: str, visible: str | None, place: int
) -> None:
    assert place_of_gpu(gpu, visible) == place


def test_an_address_that_answers_nothing() -> None:
    with (
        pytest.raises(AttlasError, match=r"no Ray cluster answers at 127\.0\.0\.1:1"),
        engine_named("ray", None, "127.0.0.1:1"),
    ):
        pass
