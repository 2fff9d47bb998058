"""How long does the app take to answer, and how does it bear many people at once?

    python benchmarks/app.py                          mini, and 32 clients for 60 seconds
    python benchmarks/app.py --models mini model.gguf --clients 0

It starts `attlas serve` and asks as a browser does: over HTTP, a job, its end, its result. "switched off"
has random heads beside it; the first time includes mean outputs over the embedded text, which the server
takes by itself while nobody asks, and here gets no time for. "picture" is from opening the page in Chromium
until the links are drawn, with the model loaded; it is left out where Playwright is not installed. Beside
the seconds of the clock stand those of all processors that the server and the models' process took, which
other work on the machine leaves as they are.

Under load every client opens the page, asks for a text that nobody asked for before, and waits for the
answer. A request that is refused (429) is asked again after what the server says. Then one client goes on
alone, to see whether memory grows.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import re
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.util import find_spec
from itertools import count
from pathlib import Path
from shutil import which
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

WORDS = ("queen", "king", "army", "river", "church", "album", "football", "war", "city", "school")
ENDED = ("done", "failed", "cancelled")
JSON = {"content-type": "application/json"}


@dataclass
class Client:
    """A browser without a picture: its cookie, and how long things took."""

    port: int
    cookie: str = ""
    refused: int = 0
    jobs: dict[str, str] = field(default_factory=dict)  # id -> how it ended

    def ask(self, method: str, path: str, body: Any = None) -> tuple[int, bytes]:
        """One request on a connection of its own."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=300)
        try:
            headers = {**JSON, "cookie": self.cookie}
            connection.request(method, path, None if body is None else json.dumps(body), headers)
            response = connection.getresponse()
            if cookie := response.getheader("set-cookie"):
                self.cookie = cookie.partition(";")[0]
            return response.status, response.read()
        finally:
            connection.close()

    def page(self) -> float:
        """Seconds that the page takes, with its script, its style and what it begins with."""
        began = time.perf_counter()
        for path in ("/", "/app.js", "/app.css", "/api/models"):
            assert self.ask("GET", path)[0] == 200, path
        return time.perf_counter() - began

    def run(self, **request: Any) -> tuple[float, Any]:
        """Seconds from asking to the result, and the result."""
        began = time.perf_counter()
        while True:
            status, body = self.ask("POST", "/api/runs", request)
            if status != 429:
                break
            self.refused += 1
            time.sleep(0.5)
        assert status == 200, body
        job = json.loads(body)
        self.jobs[job["id"]] = "asked"
        # the events end with the job
        self.ask("GET", f"/api/jobs/{job['id']}/events")
        status, body = self.ask("GET", f"/api/jobs/{job['id']}/result")
        self.jobs[job["id"]] = "done" if status == 200 else json.loads(body)["message"]
        return time.perf_counter() - began, json.loads(body)


@contextmanager
def serving(model: str) -> Iterator[tuple[int, int, float]]:
    """A server of one model: its port, its process, and how long it took to listen."""
    began = time.perf_counter()
    command = [sys.executable, "-m", "attlas", "serve", model, "--no-open", "--port", "0"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        address = re.search(r":(\d+)/", process.stdout.readline())
        assert address is not None
        yield int(address[1]), process.pid, time.perf_counter() - began
    finally:
        process.terminate()
        process.communicate(timeout=30)


def texts(mask: str | None) -> Iterator[str]:
    """Texts that differ, all of about the same length."""
    for number in count():
        first, second = WORDS[number % 10], WORDS[number // 10 % 10]
        start = f"In year {number} the {first} of the old {second} was seen in the"
        yield f"{start} {mask}." if mask else start


#: seconds of the clock, and of all processors; None where they cannot be measured
Took = tuple[float | None, float | None]


def speed(model: str, rounds: int) -> dict[str, Took]:
    """What one person waits for."""
    with serving(model) as (port, pid, listening):
        client = Client(port)

        def run(**request: Any) -> Took:
            before = processor_seconds(pid)
            took, _ = client.run(model=id, **request)
            return took, processor_seconds(pid) - before

        started = processor_seconds(pid)
        asked = client.page()
        id = json.loads(client.ask("GET", "/api/models")[1])["models"][0]["id"]
        loading = run(text="The capital of France is")
        about = json.loads(client.ask("GET", "/api/models")[1])["models"][0]["about"]
        new = texts(about["mask"])
        heads = [
            f"{len(about['grids'][0]['heads']) // 2}.{head}" for head in range(about["grids"][0]["heads"][0])
        ]
        edits = [[{"heads": [heads[i % len(heads)]]}] for i in range(rounds)]
        first = run(text=next(new), edits=edits[0])
        typed = [run(text=next(new)) for _ in range(rounds)]
        text = next(new)
        switched = [run(text=text, edits=edit) for edit in edits]
        return {
            "until it listens": (listening, started),
            "the page": (asked, None),
            "first answer, with loading": loading,
            "first head switched off": first,
            "typed again": _medians(typed),
            "switched off, random heads beside": _medians(switched),
            "picture, model loaded": (picture(port), None),
        }


def _medians(times: list[Took]) -> Took:
    clock, processors = zip(*times, strict=True)
    return float(np.median(clock)), float(np.median(processors))


def processor_seconds(pid: int) -> float:
    """What a process and its children have taken so far; not a number where the system does not say."""
    ticks = 0
    for member in _family(pid):
        fields = Path(f"/proc/{member}/stat").read_text().rpartition(")")[2].split()
        ticks += int(fields[11]) + int(fields[12])  # utime, stime
    return ticks / os.sysconf("SC_CLK_TCK") if ticks else float("nan")


def _family(pid: int) -> list[int]:
    children = Path(f"/proc/{pid}/task/{pid}/children")
    return [pid, *map(int, children.read_text().split())] if children.exists() else []


def picture(port: int) -> float | None:
    """Seconds until the links of a text are drawn in Chromium."""
    if find_spec("playwright") is None:
        return None
    from playwright.sync_api import Error, sync_playwright

    with sync_playwright() as playwright:
        try:
            path = which("chromium-headless-shell") or which("chromium")
            browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        except Error:
            return None
        page = browser.new_page()
        page.goto(f"http://127.0.0.1:{port}/health")
        began = time.perf_counter()
        page.goto(f"http://127.0.0.1:{port}/")
        page.wait_for_selector(".view canvas, .view svg", timeout=120_000)
        took = time.perf_counter() - began
        browser.close()
        return took


def load(model: str, clients: int, seconds: float, requests: int) -> dict[str, str]:
    """Many people at once, for a while."""
    with serving(model) as (port, pid, _):
        Client(port).run(model=_id(port), text="The capital of France is")
        about = json.loads(Client(port).ask("GET", "/api/models")[1])["models"][0]
        before = _memory(pid)
        end, pages, answers = time.perf_counter() + seconds, list[float](), list[float]()
        people = [Client(port) for _ in range(clients)]
        failures: list[str] = []

        def person(client: Client, number: int) -> None:
            words = texts(about["about"]["mask"])
            try:
                while time.perf_counter() < end:
                    pages.append(client.page())
                    text = f"Number {number}: {next(words)}"
                    took, answer = client.run(model=about["id"], text=text, scene=False)
                    answers.append(took)
                    read = "".join(token["text"] for token in answer["run"]["run"]["tokens"])
                    assert str(number) in read.replace("##", ""), f"not the answer to {text}"
            except Exception as error:
                failures.append(f"{type(error).__name__}: {error}")

        threads = [threading.Thread(target=person, args=pair) for pair in zip(people, count(100))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        jobs = [state for client in people for state in client.jobs.values()]
        lost = [state for state in jobs if state != "done"]
        after = _memory(pid)
        alone, words, later = Client(port), texts(about["about"]["mask"]), list[float]()
        for _ in range(2):  # the server keeps the answers of 512 jobs: it is full after the first time
            for _ in range(requests):
                alone.run(model=about["id"], text=f"Alone: {next(words)}", scene=False)
            later.append(_memory(pid))
        return {
            "clients, seconds": f"{clients}, {seconds:g}",
            "page, p95": f"{np.percentile(pages, 95):.2f} s of {len(pages)}",
            "answer, p95": f"{np.percentile(answers, 95):.2f} s of {len(answers)}",
            "refused for a while (429)": str(sum(client.refused for client in people)),
            "jobs lost": str(len(lost) + len(failures))
            + (f": {[*lost, *failures][0]}" if lost or failures else ""),
            "memory of server and models": f"{before:.0f} MB before, {after:.0f} MB after",
            f"after {requests:,} more requests, and again": f"{later[0]:.0f} MB, {later[1]:.0f} MB",
        }


def _id(port: int) -> str:
    return str(json.loads(Client(port).ask("GET", "/api/models")[1])["models"][0]["id"])


def _memory(pid: int) -> float:
    """MB of a process and its children that are in memory."""
    statuses = [Path(f"/proc/{member}/status").read_text() for member in _family(pid)]
    sizes = [re.search(r"VmRSS:\s+(\d+)", status) for status in statuses]
    return sum(int(size[1]) for size in sizes if size) / 1000 if sizes else float("nan")


def main() -> None:
    write = Console().print
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--models", nargs="+", default=["mini"])
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--clients", type=int, default=32)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--requests", type=int, default=1000, help="of one client, after the load")
    options = parser.parse_args()
    measured = {model: speed(model, options.rounds) for model in options.models}
    table = Table(
        "seconds", *(f"{Path(model).stem}, {of}" for model in measured for of in ("clock", "processors"))
    )
    for name in next(iter(measured.values())):
        values = [value for numbers in measured.values() for value in numbers[name]]
        table.add_row(name, *("" if value is None else f"{value:.2f}" for value in values))
    write(table)
    if options.clients:
        table = Table("under load", Path(options.models[0]).stem)
        for name, value in load(
            options.models[0], options.clients, options.seconds, options.requests
        ).items():
            table.add_row(name, value)
        write(table)


if __name__ == "__main__":
    main()
