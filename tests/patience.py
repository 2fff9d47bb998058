"""How long tests wait for what must come: they wait for events, and this bound is for what never comes. With
a load of 30, two cores draw a page in half a minute, and start a process that has PyTorch in two minutes.

A page follows what was done to it a moment later: with the next frame, when its address has changed, when a
picture is drawn. So no test reads it once. Each waits until it shows what is right: with `expect`, or with
`until` for what that cannot read."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from typing import Any

PATIENCE = 240  # seconds


def expect(what: Any) -> Any:
    """Playwright's, which only tests with a browser import."""
    from playwright import sync_api

    return sync_api.expect(what)


def until(page: Any, read: Callable[[], Any], right: Any) -> Any:
    """Read a page again and again until what is read is right: equal to it, or so that it says yes."""
    end = time.monotonic() + PATIENCE
    while not _is_right(value := read(), right) and time.monotonic() < end:
        page.wait_for_timeout(50)
    assert _is_right(value, right), f"the page still shows {value!r}"
    return value


def _is_right(value: Any, right: Any) -> bool:
    return bool(right(value)) if callable(right) else bool(value == right)


def begins(text: str) -> re.Pattern[str]:
    return re.compile("^" + re.escape(text))


def ends(text: str) -> re.Pattern[str]:
    return re.compile(re.escape(text) + "$")


#: two frames and what they leave to do
FRAMES = (
    "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))"
)


def steady(page: Any, read: Callable[[], Any]) -> Any:
    """What is read once the page has drawn everything: it stays the same from frame to frame."""
    end = time.monotonic() + PATIENCE
    last, same = read(), 0
    while same < 3 and time.monotonic() < end:
        page.evaluate(FRAMES)
        value = read()
        last, same = value, same + 1 if value == last else 0
    return last


#: adds up how far the wheel was turned, from now on
COUNT_TURNS = """() => {
    const count = event => { window.turned += event.deltaY };
    if (window.turned === undefined) addEventListener("wheel", count, { capture: true, passive: true });
    window.turned = 0;
}"""


def turn_wheel(page: Any, at: tuple[float, float], times: int) -> None:
    """Turns the wheel over a place, and waits until the page has heard of all turns: they may come late, or
    several as one."""
    page.evaluate(COUNT_TURNS)
    page.mouse.move(*at)
    for _ in range(times):
        page.mouse.wheel(0, -300)
    until(page, lambda: page.evaluate("window.turned"), -300 * times)
