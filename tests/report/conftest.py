from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

CHROMIUM = [Path(p) for p in (os.environ.get("ATTLAS_CHROMIUM", ""), "/usr/bin/chromium") if p]


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """Debian's Chromium where it is, else Playwright's own."""
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    with playwright.sync_playwright() as running:
        path = next((p for p in CHROMIUM if p.is_file()), None)
        try:
            launched = running.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        except playwright.Error as error:
            pytest.skip(f"no Chromium to test with: {str(error).splitlines()[0]}")
        yield launched
        launched.close()
