"""What a watched pass costs the host, without a GPU: the time of Python, and how many steps it launches.

    python benchmarks/host.py [--models bert qwen3] [--passes 400]

The model is tiny, so that its arithmetic takes no time, and the fused kernel is replaced by nothing: what is
left is what the host does before a kernel runs and after it. Of every part: the least time over all passes,
which a busy machine makes longer all the same, and how many functions Python calls in it, which nothing
changes. Steps are the operations that PyTorch is asked for in one pass and that are no mere views: on a GPU,
launches. Nothing that is computed here means anything.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Callable
from typing import Any

import torch
import transformers
from torch.profiler import ProfilerActivity, profile

from attlas.corpora.batches import Batch, Tokens
from attlas.subject import Subject
from attlas.tap import Tap
from attlas.tap.seam import Seam
from attlas.tap.triton import fused_pass, launch, tile_passes
from gpu import SHAPES, make_batch, surface_of

LENGTH, ROWS = 8, 8
#: what PyTorch is asked for and launches nothing
VIEWS = {
    "view", "reshape", "transpose", "unbind", "slice", "select", "expand", "expand_as", "unsqueeze",
    "permute", "movedim", "flatten", "alias", "detach", "detach_", "lift_fresh", "empty",
    "new_empty", "contiguous",
}  # fmt: skip
TINY = {
    "bert": {"hidden_size": 24, "num_attention_heads": 12, "num_hidden_layers": 12, "intermediate_size": 24},
    "qwen3": {
        "hidden_size": 32, "num_attention_heads": 16, "num_key_value_heads": 8, "head_dim": 2,
        "num_hidden_layers": 12, "intermediate_size": 32, "vocab_size": 30_522,
    },
}  # fmt: skip


class Nothing:
    """A compiled kernel that does nothing, whatever its grid."""

    def __getitem__(self, grid: Any) -> Callable[..., None]:
        return lambda *arguments: None


def without_kernels() -> None:
    vars(fused_pass)["obstacle"] = lambda call, request: None
    vars(launch)["start"] = vars(tile_passes)["start"] = lambda *arguments: Nothing()
    torch.cuda.current_device = lambda: None  # type: ignore[assignment,return-value]


def build(name: str) -> Subject:
    shape = SHAPES[name]
    config = type(shape.config())(**TINY[name])
    more = {"add_pooling_layer": False} if name == "bert" else {}
    return Subject(getattr(transformers, shape.model)(config, **more), None, name)


class Clock:
    """part -> the least seconds; and of the last time, where they are counted, the functions called."""

    def __init__(self) -> None:
        self.least: dict[str, float] = {}
        self.calls: Counter[str] = Counter()
        self.counting = False

    def timed(self, name: str, work: Callable[[], Any]) -> Any:
        if self.counting:
            return self.counted(name, work)
        start = time.perf_counter()
        made = work()
        took = time.perf_counter() - start
        self.least[name] = min(took, self.least.get(name, took))
        return made

    def counted(self, name: str, work: Callable[[], Any]) -> Any:
        around, self.calls[name] = sys.getprofile(), 0

        def called(frame: Any, event: str, _: Any) -> None:
            self.calls[name] += event in ("call", "c_call")
            if around is not None:
                around(frame, event, _)

        sys.setprofile(called)
        try:
            return work()
        finally:
            sys.setprofile(around)

    def watch_seam(self) -> None:
        attend, show = Seam._attend, Seam.show

        def attending(seam: Seam, *args: Any, **named: Any) -> Any:
            part = "later layers, each" if seam._calls else "first layer"
            return self.timed(part, lambda: attend(seam, *args, **named))

        def showing(seam: Seam, observation: Any) -> None:
            self.timed("after the pass", lambda: show(seam, observation))

        vars_of: Any = Seam
        vars_of._attend, vars_of.show = attending, showing


def steps(run: Callable[[], Any]) -> int:
    """Operations that PyTorch is asked for, not those that they ask for in turn."""
    run()
    with profile(activities=[ProfilerActivity.CPU]) as seen:
        run()
    asked = [e for e in seen.events() or () if e.name.startswith("aten::")]
    outermost = [e for e in asked if e.cpu_parent is None or not e.cpu_parent.name.startswith("aten::")]
    return sum(e.name.removeprefix("aten::") not in VIEWS for e in outermost)


def report(name: str, passes: int, clock: Clock) -> None:
    subject, shape = build(name), SHAPES[name]
    like = make_batch(subject, LENGTH, ROWS, shape.side, device="cpu")

    def fresh() -> Batch:
        """Nothing is known of it from an earlier pass, as over a corpus."""
        sides = {side: Tokens(t.real, t.classes, t.ids) for side, t in like.sides.items()}
        return Batch(like.inputs, sides, like.ids, ends=like.ends)

    def plain() -> Any:
        with torch.no_grad():
            return subject.run(like.inputs)

    tap = Tap(subject, surface_of(shape.classes))
    tap.kernel = fused_pass.FusedPass
    clock.least.clear()
    for _ in range(passes):
        clock.timed("plain pass", plain)
        with tap:
            tap.run(fresh())
            batch = fresh()
            clock.timed("watched pass", lambda batch=batch: tap.run(batch))
    clock.counting = True
    with tap:
        tap.run(fresh())
    clock.counting = False
    asked = steps(plain)
    with tap:
        watched = steps(lambda: tap.run(fresh()))
    print(f"\n{name}, {len(subject.heads)} heads in {subject.model.config.num_hidden_layers} layers")
    for part, seconds in clock.least.items():
        calls = f"{clock.calls[part]:6} calls" if part in clock.calls else ""
        print(f"{part:>20} {seconds * 1e6:8.0f} µs {calls}")
    print(f"{'steps':>20} {asked:8} plain, {watched} watched")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--models", nargs="+", default=list(TINY), choices=list(TINY))
    parser.add_argument("--passes", type=int, default=400)
    options = parser.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(0)
    without_kernels()
    clock = Clock()
    clock.watch_seam()
    for name in options.models:
        report(name, options.passes, clock)


if __name__ == "__main__":
    main()
