"""The browser that tests share: one that crashes fails the test it crashed in, and no other."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

#: what reads a page once, whatever it shows by then
READS = {
    *("inner_text", "all_inner_texts", "text_content", "all_text_contents", "inner_html", "input_value"),
    *("get_attribute", "is_visible", "is_hidden", "is_checked", "is_enabled", "is_disabled", "bounding_box"),
}


def test_no_test_asserts_what_a_page_shows_at_one_moment():
    """It follows a moment later what was done to it: `expect`, `until` and `steady` wait."""
    hasty = []
    for path in sorted(Path(__file__).parents[1].rglob("test_*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Assert):
                names = {n.attr for call in _calls(node.test) for n in [call.func]}
                hasty += [f"{path.name}:{node.lineno} {name}" for name in sorted(names & READS)]
    assert hasty == []


def _calls(node: ast.AST) -> list[ast.Call]:
    """Calls of methods within an expression, but for those that are given to what waits."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("until", "steady"):
        return []
    here = [node] if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) else []
    return here + [call for child in ast.iter_child_nodes(node) for call in _calls(child)]


def test_a_browser_that_crashed_is_started_anew(chromium):
    crashed = chromium()
    with pytest.raises(Exception, match="closed"):
        crashed.new_browser_cdp_session().send("Browser.crash")
    assert chromium() is not crashed
    chromium().new_page().close()
