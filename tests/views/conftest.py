from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from attlas import view
from attlas.atlas import add_chapter
from attlas.atlas.chapter import Chapter
from attlas.row import Row
from attlas.views import View
from patience import PATIENCE

ROOT = Path(__file__).parents[2]
STORE = [
    *("[CLS]", "i", "went", "to", "the", "store", ".", "[SEP]"),
    *("at", "the", "store", ",", "i", "bought", "fresh", "straw", "##berries", ".", "[SEP]"),
]


@pytest.fixture(scope="session")
def bert() -> np.ndarray:
    """BERT-base's real attention for the input of Vig's article: layer head query key."""
    with np.load(ROOT / "examples" / "bert-base-uncased_store_strawberries.npz") as file:
        return file["attn"].astype(np.float32)


@pytest.fixture(scope="session")
def store_tokens() -> list[str]:
    return STORE


@pytest.fixture(scope="session")
def store_view(bert: np.ndarray) -> View:
    return view(list(bert[:, None]), STORE, sentence_b_start=8, layer=2, title="bert-base-uncased")


@pytest.fixture(scope="session")
def random_maps() -> Callable[..., np.ndarray]:
    """Weights of any size whose rows sum to 1: (layers, heads, queries, keys) -> array."""

    def make(
        layers: int, heads: int, queries: int, keys: int | None = None, causal: bool = False, seed: int = 0
    ) -> np.ndarray:
        scores = (
            np.random.default_rng(seed)
            .normal(size=(layers, heads, queries, keys or queries))
            .astype(np.float32)
            * 3
        )
        if causal:
            scores = np.where(np.tri(queries, dtype=bool), scores, -np.inf)
        weights = np.exp(scores - scores.max(-1, keepdims=True))
        return weights / weights.sum(-1, keepdims=True)

    return make


@pytest.fixture
def show(browser: Any, tmp_path: Path) -> Iterator[Callable[..., Any]]:
    """Opens a view from disk with the network off; any error on the page fails the test."""
    contexts, problems = [], []

    def opened(shown: View, *, width: int = 1200, height: int = 850, **options: Any) -> Any:
        context = browser.new_context(
            viewport={"width": width, "height": height}, offline=True, accept_downloads=True, **options
        )
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(1000 * PATIENCE)
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.on("console", lambda message: problems.append(message.text) if message.type == "error" else None)
        page.on(
            "request",
            lambda request: (
                None if request.url.startswith(("file:", "blob:", "data:")) else problems.append(request.url)
            ),
        )
        page.goto(shown.save(tmp_path / f"view{len(contexts)}.html").as_uri())
        page.locator(".attlas").wait_for()
        return page

    yield opened
    for context in contexts:
        context.close()
    assert problems == []


@pytest.fixture
def atlas_of(tmp_path: Path) -> Callable[..., Path]:
    """A real atlas on disk with the rows given: kind, layer, head, statistic, group, value."""

    def make(rows: Sequence[tuple[Any, ...]]) -> Path:
        model = {"name": "another model", "weights": "", "heads": {row[0]: 144 for row in rows}}
        chapter = Chapter("surface-x", {"study": "surface"}, [Row(*row, 0.01, 10) for row in rows])
        path = add_chapter(tmp_path / "x.attlas", model, chapter).path
        assert path is not None
        return path

    return make
