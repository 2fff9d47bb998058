"""How large are pages of attention, how long do they take to write, and when is something drawn?

    python benchmarks/views.py            Attlas, BertViz 1.4.1 and CircuitsVis 1.43.3, in one run
    python benchmarks/views.py --long     the model view of 1,152 heads, the matrix view of 131,072 tokens ...
    python benchmarks/views.py --long pointing      only those of them whose name has this word

144 heads over random weights whose rows sum to 1. Each page is made in a process of its own, so that its peak
memory is its own; imports are not counted. Pages are opened from disk in Chromium with the network off, and
"drawn" is the time from opening until a pixel of the picture is there, the best of three, since whatever else
a machine does makes it longer. "work" is the processor's time that the page's main thread takes for a frame,
which stays the same then: below 16.7 ms there are 60 frames a second. Peers that are not installed
(`pip install bertviz==1.4.1 circuitsvis==1.43.3`) are left out. BertViz at 512 tokens takes 10 GB of memory.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tempfile
import time
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

LENGTHS = (32, 128, 256, 512)
LAYERS = HEADS = 12
CHROMIUM = Path("/usr/bin/chromium")
QUIET = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]
#: when did a pixel of a canvas, or a line of an SVG, first appear?
WATCH = """
const look = () => {
  const lines = document.querySelectorAll('svg line, svg path').length;
  if (lines > 10) return (window.drawnAt = performance.now());
  for (const canvas of document.querySelectorAll('canvas')) {
    if (!canvas.width || !canvas.height) continue;
    const data = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
    for (let i = 3; i < data.length; i += 4) if (data[i]) return (window.drawnAt = performance.now());
  }
  requestAnimationFrame(look);
};
requestAnimationFrame(look);
"""
FRAMES = """async (step) => {
  const times = []; let last = performance.now();
  for (let i = 0; i < 60; i++) {
    step(i);
    await new Promise(requestAnimationFrame);
    const now = performance.now(); times.push(now - last); last = now;
  }
  times.sort((a, b) => a - b);
  return [times[30], times[57]]; }"""


def weights(layers: int, heads: int, tokens: int) -> np.ndarray:
    scores = np.random.default_rng(0).normal(size=(layers, heads, tokens, tokens)).astype(np.float32) * 3
    scores = np.exp(scores - scores.max(-1, keepdims=True))
    return scores / scores.sum(-1, keepdims=True)


def long_document(tokens: int, layers: int = 4, heads: int = 16) -> Any:
    """The view of a document whose tiles and rows are known: what an atlas keeps of it."""
    from attlas.address import Head
    from attlas.views import View, rows
    from attlas.views.inputs import LayerMaps, Maps
    from attlas.views.options import Options
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
        tiles = rows.Tiles(shares / shares.sum(-1, keepdims=True), kept.size)
        made.append(LayerMaps(layer, list(range(heads)), strongest, tiles=tiles, with_rows=having))
    maps = [Maps("decoder", made)]
    return View(build(maps, {"decoder": [f"t{i}" for i in range(tokens)]}, Options("matrix")), maps)


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
    file.write_text(str(made), encoding="utf-8")


PEERS = {"Attlas": attlas_page, "BertViz": bertviz_page, "CircuitsVis": circuitsvis_page}
PACKAGES = {"Attlas": "attlas", "BertViz": "bertviz", "CircuitsVis": "circuitsvis"}


def one(peer: str, length: int, file: Path) -> None:
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
    found = re.search(rf"{name}:\s+(\d+) kB", Path("/proc/self/status").read_text())
    return int(found[1]) * 1024 if found else 0


def drawn(browser: Any, file: Path) -> str:
    """The least of three times until something is drawn, or why nothing is."""
    found = drawn_once(browser, file)
    if not found.endswith(" ms"):
        return found
    more = [found, *(drawn_once(browser, file) for _ in range(2))]
    return min((each for each in more if each.endswith(" ms")), key=lambda s: float(s[:-3].replace(",", "")))


def drawn_once(browser: Any, file: Path) -> str:
    """Milliseconds until something is drawn, or why nothing is."""
    if file.stat().st_size > 400_000_000:
        return "not opened (over 400 MB)"
    context = browser.new_context(viewport={"width": 1280, "height": 900}, offline=True)
    page = context.new_page()
    page.add_init_script(WATCH)
    try:
        page.goto(file.as_uri(), timeout=60_000, wait_until="commit")
        for _ in range(200):
            at = page.evaluate("window.drawnAt")
            if at is not None:
                return f"{at:,.0f} ms"
            page.wait_for_timeout(100)
        return "nothing in 20 s, offline"
    except Exception as error:  # whatever a page does to the browser is a result here
        return str(error).splitlines()[0][:40]
    finally:
        context.close()


def compare(lengths: list[int]) -> None:
    table = Table(
        "tokens", "tool", "page", "written in", "memory", "drawn after", title="144 heads, one page"
    )
    with tempfile.TemporaryDirectory() as folder, chromium() as browser:
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
                    drawn(browser, file),
                )
                file.unlink()
            table.add_section()
    Console().print(table)


def long(only: str) -> None:
    from attlas.views import view

    columns = ("view", "page", "written in", "drawn after", "frame, median", "frame, 95%", "work")
    table = Table(*columns, title="Large inputs")
    cases = {
        "model, 36 x 32 heads, 20 tokens": ("model", (36, 32, 20), SCROLL),
        "model, 36 x 32 heads, 512 tokens": ("model", (36, 32, 512), SCROLL),
        "head, 12 of 144 heads, 512 tokens": ("head", (12, 12, 512), SCROLL),
        "head, 12 of 144 heads, 512 tokens, pointing": ("head", (12, 12, 512), POINT),
        "model, 144 heads, 512 tokens, pointing": ("model", (12, 12, 512), POINT),
        "text, 12 of 144 heads, 512 tokens, pointing": ("text", (12, 12, 512), POINT),
        "matrix, 1 head, 8,192 tokens": ("matrix", (1, 1, 8192), ZOOM),
        "matrix, 4 x 16 heads, 131,072 tokens, tiles": ("document", (4, 16, 131_072), ZOOM),
    }
    with tempfile.TemporaryDirectory() as folder, chromium() as browser:
        for name, (kind, shape, step) in cases.items():
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
            first = drawn(browser, file)
            page = browser.new_page(viewport={"width": 1440, "height": 900})
            session = page.context.new_cdp_session(page)
            session.send("Performance.enable", {"timeDomain": "threadTicks"})
            page.goto(file.as_uri())
            page.locator(".attlas").wait_for()
            page.wait_for_timeout(1500)
            runs = []
            for _ in range(3):
                before = work(session)
                frames = page.evaluate(f"({FRAMES})({step})")
                runs.append((*frames, 1000 * (work(session) - before) / 60))
            median, worst, took = (min(values) for values in zip(*runs, strict=True))
            page.close()
            size = f"{file.stat().st_size / 1e6:,.2f} MB"
            table.add_row(
                name,
                size,
                f"{seconds:,.2f} s",
                first,
                f"{median:.0f} ms",
                f"{worst:.0f} ms",
                f"{took:.1f} ms",
            )
    Console().print(table)


def work(session: Any) -> float:
    """Seconds of the processor that the page's main thread has taken so far."""
    metrics = session.send("Performance.getMetrics")["metrics"]
    return float(next(each["value"] for each in metrics if each["name"] == "TaskDuration"))


SCROLL = "i => document.querySelector('.surface').scrollTop = i * 24"
ZOOM = """i => { const c = document.querySelector('canvas'), r = c.getBoundingClientRect();
  c.dispatchEvent(new WheelEvent('wheel', { deltaY: i < 30 ? -80 : 80, clientX: r.x + r.width / 2,
    clientY: r.y + r.height / 2, bubbles: true, cancelable: true })); }"""


POINT = """i => { const all = [...document.querySelectorAll('[data-end="query"], [data-word]')];
  document.querySelector('[data-under]')
    ?.dispatchEvent(new PointerEvent('pointerleave', { pointerType: 'mouse' }));
  document.querySelector('[data-under]')?.removeAttribute('data-under');
  const token = all[i % Math.min(all.length, 30)];
  token.setAttribute('data-under', '');
  token.dispatchEvent(new PointerEvent('pointerenter', { pointerType: 'mouse' }));
  token.dispatchEvent(new PointerEvent('pointerover', { pointerType: 'mouse', bubbles: true })); }"""


class chromium:
    """Debian's Chromium where it is, else Playwright's own."""

    def __enter__(self) -> Any:
        from playwright.sync_api import sync_playwright

        self.playwright = sync_playwright().start()
        path = CHROMIUM if CHROMIUM.is_file() else None
        self.browser = self.playwright.chromium.launch(executable_path=path, args=QUIET)
        return self.browser

    def __exit__(self, *error: object) -> None:
        self.browser.close()
        self.playwright.stop()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--one", nargs=3, metavar=("PEER", "LENGTH", "FILE"), help=argparse.SUPPRESS)
    parser.add_argument("--lengths", nargs="+", type=int, default=list(LENGTHS))
    parser.add_argument("--long", nargs="?", const="", metavar="WORD", help="large inputs instead of peers")
    given = parser.parse_args()
    if given.one:
        one(given.one[0], int(given.one[1]), Path(given.one[2]))
    elif given.long is not None:
        long(given.long)
    else:
        compare(given.lengths)
