"""The contract with the front end: one schema, and fixture files that both sides read.

`ATTLAS_WRITE_FIXTURES=1 pytest tests/views/test_contract.py` writes the fixtures anew after a change.
"""

from __future__ import annotations

import base64
import json
import os
import zlib
from pathlib import Path

import numpy as np
import pytest

from attlas import view
from attlas.options.view_options import ViewOptions
from attlas.views import View, compare, contract, rows
from attlas.views.inputs import HeadVectors, LayerMaps, Maps
from attlas.views.scene import About, build
from attlas.views.text_measures import measures_of_weights

FIXTURES = Path(__file__).parent / "fixtures"
SCHEMA = json.loads((Path(__file__).parents[2] / "web" / "contract" / "view.schema.json").read_text())


def softmax(scores: np.ndarray) -> np.ndarray:
    weights = np.exp(scores - scores.max(-1, keepdims=True)).astype(np.float32)
    return weights / weights.sum(-1, keepdims=True)


def scores(*shape: int) -> np.ndarray:
    """Numbers that are the same on every machine."""
    return np.sin(np.arange(np.prod(shape), dtype=np.float64) * 1.7).reshape(shape) * 3


def dense() -> View:
    tokens = ["[CLS]", "straw", "##berries", "[SEP]", "<b>", "שלום", "[SEP]"]
    return view(list(softmax(scores(2, 3, 7, 7))), tokens, sentence_b_start=4, layer=1, heads=[0, 2])


def sparse() -> View:
    return view(list(softmax(scores(1, 2, 9, 9))), [f"t{i}" for i in range(9)], kind="matrix")


def tiles() -> View:
    causal = np.where(np.tri(11, dtype=bool), scores(1, 3, 11, 11), -1e9)
    return view(
        decoder_attention=list(softmax(causal)), decoder_tokens=[f"t{i}" for i in range(11)], heads=[1]
    )


def vectors() -> View:
    query, key, value = (scores(2, 4, 3).astype(np.float32) * s for s in (1.0, 0.5, 0.25))
    weights = softmax(query @ key.transpose(0, 2, 1) * 0.5)
    norms = np.linalg.norm(value, axis=-1)
    measured = measures_of_weights(weights, "encoder")
    layer = LayerMaps(0, [0, 1], weights, measured, HeadVectors(query, key, value, 0.5), value_norms=norms)
    maps = [Maps("encoder", [layer])]
    return View(build(maps, {"encoder": ["a", "b", "c", "d"]}, ViewOptions("neuron")), maps)


def named() -> View:
    """Heads with names of all kinds, one of which is second best only."""
    first, second = ("encoder", 0, 0), ("encoder", 0, 1)
    names = [
        name("behaviour", "next", "next token", "#4070a0", [(*first, 1.0)]),
        name("pattern", "induction", "induction", "#905080", [(*first, 0.875)]),
        name("pattern", "duplicate_token", "duplicate token", "#308060", [], [(*first, 0.25)]),
        name("pattern", "none", "none", "#8b95a1", [(*second, 0.5)]),
        name("shape", "vertical", "vertical", "#4070a0", [(*second, 0.75)]),
    ]
    weights = softmax(scores(2, 4, 4))
    maps = [Maps("encoder", [LayerMaps(0, [0, 1], weights, measures_of_weights(weights, "encoder"))])]
    options = ViewOptions("model", colour="pattern", pattern="induction")
    return View(build(maps, {"encoder": list("abcd")}, options, About(names=names)), maps)


def name(
    kind: contract.NameKind, name: str, title: str, light: str, heads: list, second: list | None = None
) -> contract.SceneName:
    dark = "#" + "".join(f"{255 - int(light[i : i + 2], 16):02x}" for i in (1, 3, 5))
    return {
        "kind": kind,
        "name": name,
        "title": title,
        "light": light,
        "dark": dark,
        "heads": heads,
        "second": second or [],
    }


def why() -> View:
    """Reasons of three links, one of which no head of the view wrote."""
    weights = softmax(scores(3, 2, 4, 4))
    layers = [LayerMaps(i, [0, 1], w, measures_of_weights(w, "encoder")) for i, w in enumerate(weights)]
    maps = [Maps("encoder", layers)]
    reasons = [reason((2, 1), (3, 1), 0.0), reason((2, 1), (2, 0), 0.5), reason((1, 0), (1, 2), 0.0)]
    options = ViewOptions(layer=2, heads=[0, 1])
    return View(build(maps, {"encoder": list("abcd")}, options, About(reasons=reasons)), maps)


def reason(head: tuple[int, int], link: tuple[int, int], distance: float) -> contract.LinkReason:
    parts: list[contract.WriterPart] = [
        part("1.0", ("encoder", 1, 0), "previous token", 2.5, 2.0, 0, 0.75),
        part("MLP 0", None, "", -0.5, -0.25, None, None),
    ]
    return {
        **{"head": ("encoder", *head), "query": link[0], "key": link[1], "weight": 0.5},
        **{"score": 3.0, "lift": 2.25 + distance, "distance": 2 * distance, "distance_lift": distance},
        **{"wrote_key": parts, "wrote_query": parts[1:], "sentence": f"{head[0]}.{head[1]} looks: ß"},
    }  # type: ignore[typeddict-item]


def part(*values: object) -> contract.WriterPart:
    return dict(zip(contract.WriterPart.__annotations__, values, strict=True))  # type: ignore[return-value]


def signed() -> View:
    return view(list(scores(1, 2, 5, 5).astype(np.float32)), list("abcde"), check=False)


def panes() -> View:
    first, second = (softmax(scores(1, 2, 4, 4) * s) for s in (1, -1))
    return compare(
        view(list(first), list("abcd"), title="one"), view(list(second), list("abcd"), title="other")
    )


def encoder_decoder() -> View:
    causal = np.where(np.tri(3, dtype=bool), scores(1, 2, 3, 3), -1e9)
    return view(
        encoder_attention=list(softmax(scores(1, 2, 4, 4))),
        decoder_attention=list(softmax(causal)),
        cross_attention=list(softmax(scores(1, 2, 3, 4))),
        encoder_tokens=["▁I", "▁went", "▁home", "</s>"],
        decoder_tokens=["<pad>", "▁Ich", "▁ging"],
        attention="cross",
    )


MAKERS = {
    "dense": dense,
    "sparse": sparse,
    "tiles": tiles,
    "vectors": vectors,
    "encoder_decoder": encoder_decoder,
    "signed": signed,
    "named": named,
    "panes": panes,
    "why": why,
}


def true_rows(made: View) -> list[dict[str, object]]:
    """Every row of every head before it was packed, for the front end to compare its own with."""
    result = []
    for maps in made.maps:
        for layer in maps.layers:
            for head, weights in zip(layer.heads, layer.weights, strict=True):
                result.append(
                    {
                        "attention": maps.attention,
                        "layer": layer.layer,
                        "head": head,
                        "weights": np.round(weights, 6).tolist(),
                    }
                )
    return result


@pytest.fixture(params=MAKERS)
def fixture(request, monkeypatch) -> tuple[str, View]:
    if request.param in ("sparse", "tiles"):
        monkeypatch.setattr(rows, "BUDGET", 100)
    if request.param == "tiles":
        monkeypatch.setattr(rows, "LONG", 8)
        monkeypatch.setattr(rows, "LONG_BUDGET", 400)
        monkeypatch.setattr("attlas.reducers.document.MOST_TILES", 4)
    return request.param, MAKERS[request.param]()


def test_headers_keep_to_the_schema(fixture):
    jsonschema = pytest.importorskip("jsonschema", reason="jsonschema is not installed")
    jsonschema.validate(json.loads(json.dumps(fixture[1].scene)), SCHEMA)


def test_the_fixtures_are_what_python_sends_today(fixture):
    name, made = fixture
    file = FIXTURES / f"{name}.json"
    sent = json.loads(json.dumps({"scene": made.scene, "rows": true_rows(made)}))
    if os.environ.get("ATTLAS_WRITE_FIXTURES"):
        data = base64.b64encode(made.packed.data).decode()
        file.write_text(json.dumps({**sent, "data": data}, indent=1, ensure_ascii=False) + "\n")
    kept = json.loads(file.read_text())
    data = kept.pop("data")
    assert kept == sent
    # compressors differ between machines, what they hold must not
    assert zlib.decompress(base64.b64decode(data)) == zlib.decompress(made.packed.data)


@pytest.mark.parametrize(
    ("spoil", "what"),
    [
        (lambda scene: scene.pop("title"), "'title' is a required property"),
        (lambda scene: scene.update(colour="red"), "Additional properties are not allowed"),
        (lambda scene: scene.update(schema="attlas.view/0"), "'attlas.view/4' was expected"),
        (lambda scene: scene["sides"]["encoder"].update(word=1), "Additional properties are not allowed"),
        (lambda scene: scene["sides"]["encoder"].update(b_start=-1), "-1 is less than the minimum of 0"),
        (lambda scene: scene["selection"].update(level="letters"), "'letters' is not one of"),
        (lambda scene: scene["selection"].update(pinned=[["query", 1, 2]]), r"\['query', 1, 2\] is too long"),
        (lambda scene: scene["selection"].update(heads=[]), r"\[\] should be non-empty"),
        (lambda scene: scene["palette"].update(light=["red"]), "'red' does not match"),
    ],
)
def test_the_schema_refuses_what_the_contract_does_not_allow(spoil, what):
    jsonschema = pytest.importorskip("jsonschema", reason="jsonschema is not installed")
    scene = json.loads(json.dumps(dense().scene))
    spoil(scene)
    with pytest.raises(jsonschema.ValidationError, match=what):
        jsonschema.validate(scene, SCHEMA)


def test_every_choice_of_a_few_is_listed_and_every_choice_has_a_name():
    assert contract.CHOICES["level"] == ("pieces", "words")
    assert contract.CHOICES["without_first"] == (True, False)
    assert contract.CHOICES["kind"] == contract.VIEW_KINDS
    assert set(contract.CHOICES) < set(contract.SELECTION) == set(dense().scene["selection"])
