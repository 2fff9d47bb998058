"""The page: saved, from a file; and live, with `attlas serve` behind it."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from patience import FRAMES, PATIENCE, begins, expect, until
from serving import ATLAS

AXE = Path(__file__).parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"
DONE = "() => !document.querySelector('.status progress') && document.querySelector('.predictions')"


@pytest.fixture
def opened(browser: Any) -> Iterator[Callable[..., Any]]:
    """Opens a page; any error on it fails the test."""
    contexts: list[Any] = []
    problems: list[str] = []

    def open_at(address: str, width: int = 1400, scheme: str = "light", seen_tour: bool = True) -> Any:
        context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
        if seen_tour:
            context.add_init_script("localStorage.setItem('attlas-tour', 'seen')")
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(1000 * PATIENCE)
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.on("console", lambda line: problems.append(line.text) if line.type == "error" else None)
        page.goto(address)
        page.wait_for_function(DONE)
        return page

    yield open_at
    for context in contexts:
        context.close()
    assert not problems


@pytest.fixture
def saved(server: TestClient, answer: Callable[..., Any], tmp_path: Path) -> str:
    """A run without head 10.6 as a file, with the card of the head open."""
    job, _ = answer(edits=[{"heads": ["10.6"]}])
    address = "#model=mini&text=The+capital+of+France+is+%5BMASK%5D.&off=10.6&head=10.6"
    page = server.post("/api/pages", json={"job": job["id"], "address": address})
    (tmp_path / "attlas.html").write_text(page.text, encoding="utf-8")
    return (tmp_path / "attlas.html").as_uri()


@pytest.mark.parametrize(("width", "scheme"), [(1400, "light"), (390, "dark")])
def test_a_saved_page_shows_the_finding_and_axe_finds_nothing(
    saved: str, opened: Callable[..., Any], width: int, scheme: str
) -> None:
    page = opened(saved, width, scheme)
    expect(page.locator(".sentence")).to_have_text(
        begins("Without 10.6, “paris” falls from 0.35 to 0.24"), use_inner_text=True
    )
    expect(page.locator("figure circle.random")).to_have_count(11)
    first = page.locator(".predictions li").first
    until(page, lambda: first.inner_text().split(), ["paris", "0.35", "→", "0.24"])
    until(page, lambda: page.evaluate("document.documentElement.scrollWidth"), lambda size: size <= width)
    page.get_by_role("tab", name="Over the corpus").click()
    page.get_by_text("Where it looks", exact=True).wait_for()
    expect(page.get_by_role("tab", name="Over the corpus")).to_have_attribute("aria-selected", "true")
    if AXE.exists():
        page.evaluate(AXE.read_text())
        page.evaluate(FRAMES)
        report = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
        assert [(rule["id"], rule["nodes"][0]["html"][:120]) for rule in report["violations"]] == []


@contextmanager
def served() -> Iterator[tuple[str, Any]]:
    """`attlas serve` as a person starts it, and its address."""
    command = [
        sys.executable,
        "-m",
        "attlas",
        "serve",
        "mini",
        "--atlas",
        str(ATLAS),
        "--no-open",
        "--port",
        "0",
    ]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout is not None
    line = process.stdout.readline()
    address = re.search(r"http://\S+", line)
    assert address, line
    try:
        yield address[0], process
    finally:
        process.kill()
        process.communicate()


@pytest.fixture(scope="module")
def live() -> Iterator[str]:
    with served() as (address, _):
        yield address


def test_type_look_switch_off_and_go_back(live: str, opened: Callable[..., Any]) -> None:
    page = opened(live)
    sentence = page.locator(".sentence")

    def says(words: str) -> None:
        page.wait_for_function(
            "words => document.querySelector('.sentence').innerText.includes(words) &&"
            " !document.querySelector('.status progress')",
            arg=words,
        )

    says("expects paris")
    page.get_by_role("textbox", name="Text").fill("They won the football [MASK].")
    says("championship")
    expect(sentence).to_contain_text("looking at won (99 %)", use_inner_text=True)
    page.get_by_role("button", name="Switch off 11.0").click()
    says("Without 11.0, “championship” falls")
    page.get_by_role("button", name="zero").click()
    page.wait_for_function("() => location.hash.includes('by=zero')")
    says("Without 11.0")
    page.go_back()
    page.wait_for_function("() => !location.hash.includes('by=zero')")
    page.go_back()
    says("expects championship")
    # another predicted token is another ranking
    page.locator(".predictions .row").nth(1).click()
    page.wait_for_function("() => document.querySelector('.heads h2').innerText.includes('tournament')")
    # the address holds everything
    again = opened(page.evaluate("location.href"))
    again.wait_for_function("() => document.querySelector('.heads h2').innerText.includes('tournament')")
    # hidden frame
    expect(opened(page.evaluate("`${location.href}&embed`")).locator("header.bar")).to_have_count(0)


def test_the_keyboard_alone_suffices(live: str, opened: Callable[..., Any]) -> None:
    page = opened(f"{live}#text=The+capital+of+France+is+%5BMASK%5D.&head=10.6")
    page.locator('[data-head="10.6"]').focus()
    page.keyboard.press("ArrowUp")
    until(page, lambda: page.evaluate("document.activeElement.dataset.head"), "9.6")
    page.keyboard.press("Enter")
    page.get_by_role("heading", name=re.compile("Head 9.6")).wait_for()
    page.keyboard.press("x")
    page.wait_for_function("() => document.querySelector('.sentence').innerText.startsWith('Without 9.6')")
    page.locator('[data-head="9.6"]').press("Delete")
    page.wait_for_function("() => !document.querySelector('.sentence').innerText.startsWith('Without')")


def test_a_link_says_why_it_is_there(live: str, opened: Callable[..., Any]) -> None:
    """The server takes it apart when somebody asks."""
    page = opened(f"{live}#text=The+capital+of+France+is+%5BMASK%5D.&head=10.6")
    page.locator('[data-end="query"][data-index="6"]').press("Enter")
    page.locator('[data-end="key"][data-index="4"]').press("Enter")
    said = page.get_by_role("region", name="Why 10.6 looks there").get_by_role("status")
    expect(said).to_contain_text("10.6 looks from '[MASK]' (6) at 'france' (4) with a weight of 0.")


def test_the_tour_tells_this_models_numbers(live: str, opened: Callable[..., Any]) -> None:
    page = opened(live, seen_tour=False)
    page.get_by_role("button", name="Show me").click()
    tour = page.get_by_role("complementary", name="Tour")
    for words in (
        "21 tokens",
        "looks at the next token",
        "11.0 writes most",
        "comes nearest|rests",
        "Without 11.0",
        "card of head",
    ):
        tour.get_by_text(re.compile(words)).wait_for()
        if words != "card of head":
            page.locator(".tour button.strong").click()
    page.get_by_role("button", name="Close").click()
    expect(page.get_by_role("complementary", name="Tour")).to_have_count(0)
    page.reload()
    page.wait_for_function(DONE)
    expect(page.get_by_role("complementary", name="Tour")).to_have_count(0)


def test_the_finder_asks_the_atlas(live: str, opened: Callable[..., Any]) -> None:
    page = opened(f"{live}#find=previous+token")
    page.get_by_role("heading", name=re.compile(r"heads\s*by previous token")).wait_for()
    page.locator(".found li .address").first.click()
    page.wait_for_function("() => location.hash.includes('tab=corpus')")


def test_it_ends_in_order(opened: Callable[..., Any]) -> None:
    with served() as (address, process):
        page = opened(address)
        children = _children(process.pid)
        assert children
        page.close()  # what a page asks of a server that has ended is an error on it
        process.send_signal(signal.SIGTERM)
        _, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode in (0, -signal.SIGTERM, 128 + signal.SIGTERM)
    assert "Traceback" not in errors
    last = time.monotonic() + PATIENCE
    while running := [child for child in children if _runs(child)]:
        assert time.monotonic() < last, running
        time.sleep(0.05)


def _children(pid: int) -> list[str]:
    listed = subprocess.run(["pgrep", "-P", str(pid)], capture_output=True, text=True, check=False)
    return listed.stdout.split() if os.name == "posix" else []


def _runs(pid: str) -> bool:
    """Whether a process runs. One that has ended may wait for the system to note it."""
    status = Path("/proc", pid, "status")
    try:
        return "State:\tZ" not in status.read_text()
    except (FileNotFoundError, ProcessLookupError):
        return False
