"""How large are pages of attention, how long do they take to write, when is something drawn, and how much
work is it to answer the pointer?

    python benchmarks/views.py            Attlas, BertViz 1.4.1 and CircuitsVis 1.43.3, in one run
    python benchmarks/views.py --long     the model view of 1,152 heads, the matrix view of 131,072 tokens ...
    python benchmarks/views.py --long pointing      only those of them whose name has this word

144 heads over random weights whose rows sum to 1. Each page is made in a process of its own, so that its peak
memory is its own; imports are not counted. Pages are opened from disk in Chromium with the network off.

"drawn" is the time from opening until a pixel of the picture is there, "answered" the time from a movement of
the pointer until the frame after it is done: times of the clock, the best of three runs, since whatever else
the machine does makes them longer. "work" is the processor's time of the page's main thread for it, which
hardly depends on that: below 16.7 ms a frame there are 60 frames a second. What takes long is done only once,
and given up after three minutes.

Peers that are not installed (`pip install bertviz==1.4.1 circuitsvis==1.43.3`) are left out. BertViz's pages
load three libraries from the web; here they come from a folder: `npm install --prefix FOLDER requirejs@2.3.6
d3@5.7.0 jquery@2.1.0` (npm has no jquery 2.0), then `--libraries FOLDER`. BertViz at 512 tokens takes 10 GB.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from importlib.util import find_spec
from pathlib import Path
from shutil import which
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

LENGTHS = (32, 128, 256, 512)
LAYERS = HEADS = 12
CHROMIUM = which("chromium") or which("chromium-headless-shell")  # people have the whole one
QUIET = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]
#: when did a pixel of a canvas, or a line of an SVG, first appear?
WATCH = """
let done; window.drawn = new Promise(resolve => (done = resolve));
const look = () => {
  if (document.querySelectorAll('svg line, svg path').length > 10) return done(performance.now());
  for (const canvas of document.querySelectorAll('canvas')) {
    if (!canvas.width || !canvas.height) continue;
    const data = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
    for (let i = 3; i < data.length; i += 4) if (data[i]) return done(performance.now());
  }
  requestAnimationFrame(look);
};
requestAnimationFrame(look);
"""
#: the time from what the reader does until the frame after it is done
ANSWER = """name => void (window.answered = new Promise(done => addEventListener(name, ({ timeStamp }) =>
  requestAnimationFrame(() => setTimeout(() => done(performance.now() - timeStamp))),
  { capture: true, once: true })))"""
FRAMES = 60
PATIENCE = 10  # seconds: what takes longer is not done again
LONGEST = 180  # seconds: what takes longer is given up
#: what the pages load from the web: part of the address -> file of an npm package
LIBRARIES = {
    "require.js/": "requirejs/require.js",
    "libs/d3/": "d3/dist/d3.min.js",
    "libs/jquery/": "jquery/dist/jquery.min.js",
}
#: what answers the pointer: tokens, and in CircuitsVis heads
POINTED = {
    "Attlas": '[data-end="query"], [data-word]',
    "BertViz": "svg #left text",
    "CircuitsVis": "h4 + div canvas",
}


def weights(layers: int, heads: int, tokens: int) -> np.ndarray:
    scores = np.random.default_rng(0).normal(size=(layers, heads, tokens, tokens)).astype(np.float32) * 3
    scores = np.exp(scores - scores.max(-1, keepdims=True))
    return scores / scores.sum(-1, keepdims=True)


def long_document(tokens: int, layers: int = 4, heads: int = 16) -> Any:
    """The view of a document whose tiles and rows are known: what an atlas keeps of it."""
    from attlas.address import Head
    from attlas.options.view_options import ViewOptions
    from attlas.views import View, rows
    from attlas.views.inputs import LayerMaps, Maps
    from attlas.views.scene import build

    every = [Head("decoder", layer, head) for layer in range(layers) for head in range(heads)]
    kept = rows.plan(dict.fromkeys(every, (tokens, tokens)), every)
    random = np.random.default_rng(0)
    side = -(-tokens // kept.size)
    made = []
    for layer in range(layers):
        shares = random.random((heads, side, side), np.float32) ** 8 * np.tri(side, dtype=np.float32)
        having = [head.head for head in every if head.layer == layer and head in kept.with_rows]
        keys = (random.random((len(having), tokens, kept.k)) * np.arange(1, tokens + 1)[:, None]).astype(int)
        parts = np.sort(random.dirichlet(np.full(kept.k + 1, 0.3), (len(having), tokens))[..., 1:])[..., ::-1]
        strongest = rows.Strongest.of(keys, parts.astype(np.float32), tokens)
        tiles = rows.TiledMaps(shares / shares.sum(-1, keepdims=True), kept.size)
        made.append(LayerMaps(layer, list(range(heads)), strongest, tiles=tiles, with_rows=having))
    maps = [Maps("decoder", made)]
    return View(build(maps, {"decoder": [f"t{i}" for i in range(tokens)]}, ViewOptions("matrix")), maps)


def attlas_page(attention: Any, tokens: list[str], file: Path) -> None:
    from attlas.views import head_view

    file.write_text(head_view(attention, tokens, html_action="return").data, encoding="utf-8")


def bertviz_page(attention: Any, tokens: list[str], file: Path) -> None:
    from bertviz import head_view

    file.write_text(head_view(attention, tokens, html_action="return").data, encoding="utf-8")


def circuitsvis_page(attention: Any, tokens: list[str], file: Path) -> None:
    import torch
    from circuitsvis.attention import attention_heads

    # its widget shows one list of heads: all layers one after the other
    made = attention_heads(torch.cat([layer[0] for layer in attention]), tokens)
    file.write_text(made.local_src, encoding="utf-8")  # with its script in it


PEERS = {"Attlas": attlas_page, "BertViz": bertviz_page, "CircuitsVis": circuitsvis_page}
PACKAGES = {"Attlas": "attlas", "BertViz": "bertviz", "CircuitsVis": "circuitsvis"}


def make_page(peer: str, length: int, file: Path) -> None:
    """Make one page in this process, and print what it took."""
    import torch

    attention = tuple(torch.from_numpy(layer)[None] for layer in weights(LAYERS, HEADS, length))
    tokens = [f"t{i}" for i in range(length)]
    small = tuple(layer[:, :, :4, :4] / layer[:, :, :4, :4].sum(-1, keepdim=True) for layer in attention)
    PEERS[peer](small, tokens[:4], file)  # imports and first calls
    Path("/proc/self/clear_refs").write_text("5")  # forget the peak so far
    before = memory("VmRSS")
    start = time.perf_counter()
    PEERS[peer](attention, tokens, file)
    seconds = time.perf_counter() - start
    peak = memory("VmHWM") - before
    print(json.dumps({"seconds": seconds, "bytes": file.stat().st_size, "memory": peak}))


def memory(name: str) -> int:
    """Bytes of memory this process has, now (VmRSS) or at its peak (VmHWM); Linux only."""
    match = re.search(rf"{name}:\s+(\d+) kB", Path("/proc/self/status").read_text())
    return int(match[1]) * 1024 if match else 0


def opened(browser: Any, file: Path, libraries: Path | None) -> tuple[Any, Any]:
    """A page that nothing is fetched for, and a session that tells its work."""

    def answer(route: Any) -> None:
        address = route.request.url
        local = next((local for part, local in LIBRARIES.items() if part in address), None)
        if address.startswith(("file:", "data:", "blob:")):
            route.continue_()
        elif local is not None and libraries is not None:
            route.fulfill(path=libraries / "node_modules" / local, content_type="text/javascript")
        else:
            route.abort()

    context = browser.new_context(viewport={"width": 1280, "height": 900}, offline=True)
    context.route("**/*", answer)
    page = context.new_page()
    page.add_init_script(WATCH)
    session = context.new_cdp_session(page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})
    page.goto(file.as_uri(), timeout=60_000, wait_until="commit")
    return page, session


def measured(file: Path, does: str, what: str, libraries: Path | None = None) -> list[str]:
    """When a page is drawn and how it answers, found in a process of its own, since some never end."""
    if file.stat().st_size > 400_000_000:
        return ["not opened (over 400 MB)"]
    command = [sys.executable, __file__, "--measure", str(file), does, what]
    command += ["--libraries", str(libraries)] if libraries else []
    with tempfile.TemporaryFile("w+") as output:
        started = subprocess.Popen(command, stdout=output, start_new_session=True)
        try:
            started.wait(LONGEST)
        except subprocess.TimeoutExpired:
            os.killpg(started.pid, signal.SIGKILL)  # with its browser
            started.wait()
        output.seek(0)
        lines = output.read().splitlines()
    return lines if started.returncode == 0 else [*lines, f"not in {LONGEST} s"]


def measure(file: Path, does: str, what: str, libraries: Path | None) -> None:
    with chromium() as browser:
        for lines in (drawn(browser, file, libraries), answered(browser, file, does, what, libraries)):
            print(*lines, sep="\n", flush=True)


def drawn(browser: Any, file: Path, libraries: Path | None) -> tuple[str, str]:
    """The least of three times until something is drawn, and the work until then."""
    times: list[float] = []
    works: list[float] = []
    while len(times) < 3 and sum(times) < 1000 * PATIENCE:
        page, session = opened(browser, file, libraries)
        times.append(page.evaluate("window.drawn"))
        works.append(1000 * work(session))
        page.context.close()
    return f"{min(times):,.0f} ms", f"{min(works):,.0f} ms"


def answered(browser: Any, file: Path, does: str, what: str, libraries: Path | None) -> list[str]:
    """How long the page takes to answer the reader: times of the clock, and work, a frame."""
    page, session = opened(browser, file, libraries)
    page.evaluate("window.drawn")
    page.wait_for_timeout(1500)
    middle = "e => { const b = e.getBoundingClientRect(); return [b.x + b.width / 2, b.y + b.height / 2]; }"
    places = page.evaluate(f"[...document.querySelectorAll({what!r})].map({middle})")
    places = [(x, y) for x, y in places if 0 < x < 1280 and 0 < y < 900]
    page.mouse.move(*places[0])
    event, act = DOINGS[does]
    runs: list[tuple[list[float], list[float]]] = []
    start = time.monotonic()
    while len(runs) < 3 and time.monotonic() - start < PATIENCE:
        runs.append(frames(page, session, event, lambda i: act(page, places, i)))
    page.context.close()
    return [best(times) for times in zip(*runs, strict=True)]


def frames(
    page: Any, session: Any, event: str, act: Callable[[int], None]
) -> tuple[list[float], list[float]]:
    """Milliseconds of the clock and of the main thread that each of the frames takes."""
    times, works = [], []
    start = time.monotonic()
    for i in range(1, FRAMES + 1):
        if time.monotonic() - start > PATIENCE:
            break
        page.evaluate(ANSWER, event)
        before = work(session)
        act(i)
        times.append(page.evaluate("window.answered"))
        works.append(1000 * (work(session) - before))
    return times, works


SCROLL = "i => document.querySelector('.surface').scrollTop = i * 24"
#: the event that tells that the reader did something, and how it is done: page, places, number
DOINGS: dict[str, tuple[str, Callable[[Any, list[tuple[float, float]], int], Any]]] = {
    "point": ("pointermove", lambda page, places, i: page.mouse.move(*places[i % len(places)])),
    "scroll": ("scroll", lambda page, _, i: page.evaluate(SCROLL, i)),
    "zoom": ("wheel", lambda page, _, i: page.mouse.wheel(0, -80 if i <= FRAMES / 2 else 80)),
}


def best(runs: Iterable[list[float]]) -> str:
    """Median and 95% of the quietest run."""
    median, worst = min(tuple(np.quantile(run, (0.5, 0.95))[::-1]) for run in runs)[::-1]
    return f"{median:,.1f} / {worst:,.1f} ms"


def compare(lengths: list[int], libraries: Path | None) -> None:
    columns = ("tokens", "tool", "page", "written in", "memory", "drawn after", "work until then")
    table = Table(*columns, "answered, median / 95%", "work a frame", title="144 heads, one page")
    with tempfile.TemporaryDirectory() as folder:
        for length in lengths:
            for peer in PEERS:
                if find_spec(PACKAGES[peer]) is None:
                    table.add_row(str(length), peer, "not installed")
                    continue
                file = Path(folder) / f"{peer}-{length}.html"
                command = [sys.executable, __file__, "--one", peer, str(length), str(file)]
                ran = subprocess.run(command, capture_output=True, text=True, check=False)
                if ran.returncode:
                    said = (ran.stderr.strip().splitlines() or [f"killed ({ran.returncode})"])[-1]
                    table.add_row(str(length), peer, f"failed: {said[:60]}")
                    continue
                took = json.loads(ran.stdout.strip().splitlines()[-1])
                table.add_row(
                    str(length),
                    peer,
                    f"{took['bytes'] / 1e6:,.2f} MB",
                    f"{took['seconds']:,.2f} s",
                    f"{took['memory'] / 1e6:,.0f} MB",
                    *measured(file, "point", POINTED[peer], libraries),
                )
                file.unlink()
            table.add_section()
    Console(width=150).print(table)


def long(only: str) -> None:
    from attlas import view

    columns = ("view", "page", "written in", "drawn after", "work until then")
    table = Table(*columns, "frame, median / 95%", "work a frame", title="Large inputs")
    cases = {
        "model, 36 x 32 heads, 20 tokens": ("model", (36, 32, 20), "scroll"),
        "model, 36 x 32 heads, 512 tokens": ("model", (36, 32, 512), "scroll"),
        "head, 12 of 144 heads, 512 tokens": ("head", (12, 12, 512), "scroll"),
        "head, 12 of 144 heads, 512 tokens, pointing": ("head", (12, 12, 512), "point"),
        "model, 144 heads, 512 tokens, pointing": ("model", (12, 12, 512), "point"),
        "text, 12 of 144 heads, 512 tokens, pointing": ("text", (12, 12, 512), "point"),
        "matrix, 1 head, 8,192 tokens": ("matrix", (1, 1, 8192), "zoom"),
        "matrix, 4 x 16 heads, 131,072 tokens, tiles": ("document", (4, 16, 131_072), "zoom"),
    }
    with tempfile.TemporaryDirectory() as folder:
        for name, (kind, shape, does) in cases.items():
            if only not in name:
                continue
            file = Path(folder) / "page.html"
            maps = [] if kind == "document" else list(weights(*shape))
            start = time.perf_counter()
            made = (
                view(maps, [f"t{i}" for i in range(shape[2])], kind=kind) if maps else long_document(shape[2])
            )
            made.save(file)
            seconds = time.perf_counter() - start
            table.add_row(
                name,
                f"{file.stat().st_size / 1e6:,.2f} MB",
                f"{seconds:,.2f} s",
                *measured(file, does, POINTED["Attlas"] if does == "point" else "canvas"),
            )
    Console(width=150).print(table)


def work(session: Any) -> float:
    """Seconds of the processor that the page's main thread has taken so far."""
    metrics = session.send("Performance.getMetrics")["metrics"]
    return float(next(metric["value"] for metric in metrics if metric["name"] == "TaskDuration"))


class chromium:
    """Debian's Chromium where it is, else Playwright's own."""

    def __enter__(self) -> Any:
        from playwright.sync_api import sync_playwright

        self.playwright = sync_playwright().start()
        self.browser = self.playwright.chromium.launch(executable_path=CHROMIUM, args=QUIET)
        return self.browser

    def __exit__(self, *error: object) -> None:
        self.browser.close()
        self.playwright.stop()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--one", nargs=3, metavar=("PEER", "LENGTH", "FILE"), help=argparse.SUPPRESS)
    parser.add_argument("--measure", nargs=3, metavar=("FILE", "DOES", "WHAT"), help=argparse.SUPPRESS)
    parser.add_argument("--lengths", nargs="+", type=int, default=list(LENGTHS))
    parser.add_argument("--libraries", type=Path, metavar="FOLDER", help="what BertViz loads from the web")
    parser.add_argument("--long", nargs="?", const="", metavar="WORD", help="large inputs instead of peers")
    options = parser.parse_args()
    if options.one:
        make_page(options.one[0], int(options.one[1]), Path(options.one[2]))
    elif options.measure:
        measure(Path(options.measure[0]), *options.measure[1:], options.libraries)
    elif options.long is not None:
        long(options.long)
    else:
        compare(options.lengths, options.libraries)
