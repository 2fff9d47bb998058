"""The browser that tests share: one that crashes fails the test it crashed in, and no other."""

from __future__ import annotations

import pytest


def test_a_browser_that_crashed_is_started_anew(chromium):
    crashed = chromium()
    with pytest.raises(Exception, match="closed"):
        crashed.new_browser_cdp_session().send("Browser.crash")
    assert chromium() is not crashed
    chromium().new_page().close()
