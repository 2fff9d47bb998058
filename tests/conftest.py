from __future__ import annotations

import gc
import os
from shutil import which

# threads that wait at a barrier sleep: where other work shares the cores, spinning ones slow everything down
os.environ.setdefault("OMP_WAIT_POLICY", "passive")
if which("nvidia-smi") is None:
    # where Triton is installed its interpreter runs our kernel; it must be told before anything imports it
    os.environ.setdefault("TRITON_INTERPRET", "1")

from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import hypothesis
import pytest
import torch
import transformers

import attlas
from attlas.corpora.documents import read_sentences
from attlas.corpora.segments import Segment, make_segments
from attlas.corpora.source import ItemId
from attlas.corpora.text import text_corpus
from attlas.subject import Subject
from compared import Compared
from patience import PATIENCE

pytest_plugins = ["marks", "skips"]
# the same examples on every machine, however slow it is
hypothesis.settings.register_profile(
    "any speed", deadline=None, derandomize=True, suppress_health_check=[hypothesis.HealthCheck.too_slow]
)
hypothesis.settings.load_profile("any speed")
os.environ["HF_HUB_OFFLINE"] = "1"
os.environ.setdefault("RAY_worker_niceness", "0")  # at Ray's own, 15, they wait for all other tests
SHARED = Path(__file__).parent.parent.parent / "shared"
CHROMIUM = os.environ.get("ATTLAS_CHROMIUM") or which("chromium-headless-shell") or which("chromium")
QUIET = [
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
]


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers",
        "reference(*what): compares these with a computation of its own (tests/compared.py)",
    )
    if os.environ.get("TRITON_INTERPRET") == "1" and find_spec("triton"):
        from interpreted import put_names_once

        put_names_once()


def pytest_collection_finish() -> None:
    """What is loaded by now stays: to look through it for garbage, again and again, takes long."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 10)


def pytest_unconfigure() -> None:
    gc.unfreeze()  # or Triton says at the end that all of it has leaked


@pytest.fixture(scope="session")
def chromium() -> Iterator[Callable[[], Any]]:
    """Gives the Chromium that all tests share, and starts it anew where it has died. Debian's where it is,
    else Playwright's own."""
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    playwright.expect.set_options(timeout=1000 * PATIENCE)
    launched: list[Any] = []  # the one that runs, last

    def answers() -> bool:
        """By asking: a browser whose process is gone passes for connected until it is asked something."""
        try:
            launched[-1].new_browser_cdp_session().detach()
        except (IndexError, playwright.Error):
            return False
        return True

    def close() -> None:
        with suppress(playwright.Error):
            launched[-1].close()

    with ExitStack() as running:

        def alive() -> Any:
            if not answers():
                running.close()
                driver = running.enter_context(playwright.sync_playwright())
                try:
                    patient = 1000.0 * PATIENCE
                    launch = driver.chromium.launch
                    launched.append(launch(executable_path=CHROMIUM, args=QUIET, timeout=patient))
                except playwright.Error as error:
                    pytest.skip(f"no Chromium to test with: {str(error).splitlines()[0]}")
                running.callback(close)
            return launched[-1]

        yield alive


@pytest.fixture
def browser(chromium: Callable[[], Any]) -> Any:
    return chromium()


@pytest.fixture
def compared(request: pytest.FixtureRequest) -> Iterator[Compared]:
    """Compares values with references; a test that is marked as a reference must use it."""
    noted = Compared()
    yield noted
    promised = {what for mark in request.node.iter_markers("reference") for what in mark.args}
    assert promised <= noted.what, f"{request.node.name} compares no value of {sorted(promised - noted.what)}"


@pytest.fixture
def one_thread() -> Iterator[None]:
    """As each of several workers has."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@dataclass
class SharedModel:
    """A model that all tests share, as it was made, and what was seen of it after the last test."""

    subject: Subject

    def __post_init__(self) -> None:
        self.modules, self.weights = list(self.subject.model.modules()), list(self.subject.model.parameters())
        self.made = [weight.detach().clone() for weight in self.weights]
        self.traces = self._traces()

    def changed_since_last_time(self) -> list[str]:
        """What a test left in it: hooks, gradients, another mode or attention, other weights or parts."""
        before, self.traces = self.traces, self._traces()
        names = [name for name, trace in self.traces.items() if trace != before[name]]
        put_back = names == ["weights"] and all(map(torch.equal, self.weights, self.made))
        return [] if put_back else names

    def _traces(self) -> dict[str, object]:
        config = getattr(self.subject.model, "config", None)
        return {
            "attention": getattr(config, "_attn_implementation", None),
            "training": [module.training for module in self.modules],
            "hooks": [len(module._forward_hooks) + len(module._forward_pre_hooks) for module in self.modules],
            "parts": [[*map(id, (*m._modules.values(), *m._parameters.values()))] for m in self.modules],
            "weights": [weight._version for weight in self.weights],  # counts what is written into them
            "gradients": [(weight.requires_grad, weight.grad is None) for weight in self.weights],
        }


SHARED_MODELS: list[SharedModel] = []


def _share(subject: Subject) -> Subject:
    SHARED_MODELS.append(SharedModel(subject))
    return subject


@pytest.fixture(autouse=True)
def _shared_models_stay_as_they_were() -> Iterator[None]:
    """A test that changes a model which others share makes them depend on their order."""
    yield
    for shared in SHARED_MODELS:
        changed = shared.changed_since_last_time()
        assert not changed, (
            f"this test, or a fixture before it, changes the shared model {shared.subject.name}: its "
            f"{', '.join(changed)}"
        )


@pytest.fixture(scope="session")
def mini() -> Subject:
    return _share(attlas.load("mini"))


@pytest.fixture(scope="session")
def shared() -> Path:
    """Real data beside the project; tests that need it are skipped where it is not."""
    if not SHARED.is_dir():
        pytest.skip("the shared data folder is not here")
    return SHARED


@pytest.fixture(scope="session")
def segments_of() -> Callable[..., list[Segment]]:
    """Segments of the embedded corpus, of varied length: (subject, how many, longest) -> segments."""

    documents = list(read_sentences(text_corpus()))

    @cache
    def made(subject: Subject, count: int, length: int) -> tuple[Segment, ...]:
        segments: list[Segment] = []
        for n in range(count):
            shorter = max(8, length - 3 * (n % 4))
            segment = make_segments([documents[n]], subject.tokenizer, shorter, limit=n + 1)[-1]
            segments.append(Segment(ItemId(n, 0), segment.ids, segment.types))
        return tuple(segments)

    def make(subject: Subject, count: int, length: int = 24) -> list[Segment]:
        return list(made(subject, count, length))

    return make


@pytest.fixture(scope="session")
def subject_of(mini: Subject) -> Callable[[str], Subject]:
    """mini, or a tiny random model of another architecture that reads with mini's tokenizer."""

    @cache
    def make(name: str) -> Subject:
        if name == "mini":
            return mini
        vocabulary = len(mini.tokenizer)
        settings: dict[str, dict[str, Any]] = {
            "bert": {"hidden_size": 32, "num_attention_heads": 4},
            "llama": {"num_key_value_heads": 2, "hidden_size": 32, "num_attention_heads": 4},
            "t5": {"d_model": 32, "d_kv": 8, "num_heads": 4, "num_layers": 2, "d_ff": 32},
            "mpnet": {"hidden_size": 32, "num_attention_heads": 4, "pad_token_id": 0},
        }
        common = {"vocab_size": vocabulary, "num_hidden_layers": 2, "intermediate_size": 32}
        classes = {
            "bert": (transformers.BertForMaskedLM, transformers.BertConfig),
            "llama": (transformers.LlamaForCausalLM, transformers.LlamaConfig),
            "t5": (transformers.T5ForConditionalGeneration, transformers.T5Config),
            "mpnet": (transformers.MPNetForMaskedLM, transformers.MPNetConfig),
        }
        model_class, config_class = classes[name]
        torch.manual_seed(0)
        config = config_class(**{**common, **settings[name], "decoder_start_token_id": 0})
        tokenizer = transformers.AutoTokenizer.from_pretrained(Path(attlas.__file__).parent / "data" / "mini")
        model = model_class(config).to(mini.device).eval()
        with torch.no_grad():
            for parameter in model.parameters():
                if parameter.ndim > 1 and name != "t5":  # T5 starts out large enough
                    parameter.mul_(4)
        return _share(Subject(model, tokenizer, name))

    return make
