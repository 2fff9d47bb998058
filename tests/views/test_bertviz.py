"""BertViz's users can move: every call that its notebooks make runs with another import, on any model."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
import torch
import transformers as tr

from attlas import view
from attlas.errors import AttlasError
from attlas.subject import Subject
from attlas.views import View, head_view, model_view, neuron_view
from attlas.views.bertviz import Page

CALLS = re.findall(
    r"^\| (\d+) \| `(.+)` \| (.+) \|$",
    (Path(__file__).parents[2] / "docs" / "bertviz.md").read_text(encoding="utf-8"),
    re.MULTILINE,
)
A, B = "The cat sat on the mat.", "The cat lay on the rug."


@pytest.fixture(scope="module")
def tokenizer(mini):
    return mini.tokenizer


def eager(model_class, config_class, **settings):
    torch.manual_seed(0)
    return model_class._from_config(config_class(**settings), attn_implementation="eager").eval()


@pytest.fixture(scope="module")
def models(tokenizer):
    """Tiny models of the kinds in BertViz's notebooks, that read with mini's tokenizer."""
    words = len(tokenizer)
    common = {"vocab_size": words, "hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4}
    small = {**common, "intermediate_size": 32}
    return {
        "bert": eager(tr.BertModel, tr.BertConfig, **small),
        "albert": eager(tr.AlbertModel, tr.AlbertConfig, **small, embedding_size=16),
        "roberta": eager(tr.RobertaModel, tr.RobertaConfig, **small, pad_token_id=0, type_vocab_size=2),
        "distilbert": eager(
            tr.DistilBertModel,
            tr.DistilBertConfig,
            vocab_size=words,
            dim=32,
            n_layers=2,
            n_heads=4,
            hidden_dim=32,
        ),
        "gpt2": eager(tr.GPT2Model, tr.GPT2Config, vocab_size=words, n_embd=32, n_layer=2, n_head=4),
        "xlnet": eager(
            tr.XLNetModel, tr.XLNetConfig, vocab_size=words, d_model=32, n_layer=2, n_head=4, d_inner=32
        ),
        "bart": eager(
            tr.BartModel,
            tr.BartConfig,
            **{"vocab_size": words, "d_model": 32, "encoder_layers": 2, "decoder_layers": 2},
            **{"encoder_attention_heads": 4, "decoder_attention_heads": 4, "pad_token_id": 0},
            **{"encoder_ffn_dim": 32, "decoder_ffn_dim": 32, "forced_eos_token_id": None},
        ),
    }


@pytest.fixture
def read(models, tokenizer):
    """What a notebook has in its hands: attention, tokens, and where the second sentence begins."""

    def run(name, text_b=B):
        inputs = tokenizer(A, text_b, return_tensors="pt") if text_b else tokenizer(A, return_tensors="pt")
        ids = inputs["input_ids"]
        with torch.no_grad():
            outputs = models[name](ids, output_attentions=True)
        tokens = tokenizer.convert_ids_to_tokens(ids[0])
        start = inputs["token_type_ids"][0].tolist().index(1) if text_b else None
        return outputs.attentions, tokens, start

    return run


@pytest.fixture(scope="module")
def variables(models, tokenizer):
    """What the calls in the docs are about."""
    pair, source, target = (
        tokenizer(*texts, return_tensors="pt") for texts in ((A, B), ("She sees it.",), ("It is seen.",))
    )
    names = {
        "tokens": tokenizer.convert_ids_to_tokens(pair["input_ids"][0]),
        "words": tokenizer.convert_ids_to_tokens(source["input_ids"][0]),
        "source": tokenizer.convert_ids_to_tokens(source["input_ids"][0]),
        "target": tokenizer.convert_ids_to_tokens(target["input_ids"][0]),
        "start": pair["token_type_ids"][0].tolist().index(1),
    }
    ids = {"input_ids": source["input_ids"], "decoder_input_ids": target["input_ids"]}
    with torch.no_grad():
        return {
            **names,
            "attention": models["bert"](**pair, output_attentions=True).attentions,
            "causal": models["gpt2"](source["input_ids"], output_attentions=True).attentions,
            "outputs": models["bart"](**ids, output_attentions=True),
            **{name: models[name] for name in ("bert", "roberta", "gpt2")},
            **{"tokenizer": tokenizer, "head_view": head_view, "model_view": model_view},
            "show": neuron_view.show,
        }


@pytest.mark.parametrize(
    ("call", "becomes"), [call[1:] for call in CALLS], ids=[number for number, *_ in CALLS]
)
def test_every_call_of_bertviz_becomes_what_the_docs_say(variables, call, becomes):
    made = eval(call, dict(variables))
    if "html_action" in call:
        assert isinstance(made, Page)
        assert ".data" in becomes
        return
    kind = {"head_view": "head", "model_view": "model", "show": "neuron"}[call.split("(")[0]]
    scene, selection = made.scene, made.scene["selection"]
    assert selection["kind"] == kind
    if "start" in call or ', "The cat lay' in call:
        side = scene["sides"]["encoder"]
        assert side["b_start"] == side["tokens"].index("[SEP]") + 1
    arguments = dict(re.findall(r"(\w+)=(\[[\d, ]+\]|\d+|\"\w+\")", call))
    if "layer" in arguments:
        assert selection["layer"] == int(arguments["layer"])
    if "heads" in arguments or "head" in arguments:
        assert selection["heads"] == (
            eval(arguments["heads"]) if "heads" in arguments else [int(arguments["head"])]
        )
    held = [
        layer
        for maps in scene["attentions"]
        for layer in maps["layers"]
        if "rollout" not in maps["attention"]
    ]
    if "include_layers" in arguments:
        assert {layer["layer"] for layer in held} == set(eval(arguments["include_layers"]))
    if "include_heads" in arguments:
        assert all(layer["heads"] == eval(arguments["include_heads"]) for layer in held)
    if "display_mode" in arguments:
        assert scene["theme"] == eval(arguments["display_mode"])
    assert ("do not sum to 1" in becomes) == any("do not sum to 1" in note for note in scene["notes"])
    kinds = {name for name in ("encoder", "decoder", "cross") if f"{name}_attention=" in call}
    assert kinds <= {maps["attention"] for maps in scene["attentions"]}


def test_the_docs_list_every_call():
    assert [int(number) for number, _, _ in CALLS] == list(range(1, 32))


@pytest.mark.parametrize("name", ["bert", "albert", "roberta", "distilbert", "gpt2", "xlnet"])
@pytest.mark.parametrize("function", [head_view, model_view])
@pytest.mark.parametrize("sentences", [1, 2])
def test_attention_and_tokens_are_all_it_takes(read, function, name, sentences):
    attention, tokens, start = read(name, B if sentences == 2 else None)
    made = function(attention, tokens, start) if start else function(attention, tokens)
    assert isinstance(made, View)
    assert len(made.scene["attentions"][0]["layers"]) == 2


@pytest.mark.parametrize(
    "arguments",
    [
        {"layer": 1},
        {"layer": 1, "heads": [1, 3]},
        {"heads": [0]},
        {"include_layers": [1]},
        {"prettify_tokens": False},
        {"html_action": "return"},
        {"layer": 0, "heads": [3], "include_layers": [0, 1], "html_action": "return"},
    ],
)
def test_every_argument_of_head_view(read, arguments):
    attention, tokens, start = read("bert")
    assert head_view(attention, tokens, sentence_b_start=start, **arguments) is not None


@pytest.mark.parametrize(
    "arguments",
    [
        {"display_mode": "light"},
        {"display_mode": "dark"},
        {"include_layers": [1]},
        {"include_heads": [0, 2]},
        {"include_layers": [0], "include_heads": [1]},
        {"prettify_tokens": False, "html_action": "return"},
    ],
)
def test_every_argument_of_model_view(read, arguments):
    attention, tokens, start = read("bert")
    assert model_view(attention, tokens, sentence_b_start=start, **arguments) is not None


@pytest.mark.parametrize("function", [head_view, model_view])
@pytest.mark.parametrize("kinds", [("encoder", "decoder", "cross"), ("encoder",), ("decoder",), ("cross",)])
def test_encoder_decoder_models(models, tokenizer, function, kinds):
    ids, target = (tokenizer(text, return_tensors="pt")["input_ids"] for text in (A, B))
    with torch.no_grad():
        outputs = models["bart"](input_ids=ids, decoder_input_ids=target, output_attentions=True)
    attentions = {f"{kind}_attention": getattr(outputs, f"{kind}_attentions") for kind in kinds}
    sides = {"encoder": ids, "decoder": target}
    tokens = {f"{side}_tokens": tokenizer.convert_ids_to_tokens(of[0]) for side, of in sides.items()}
    made = function(**attentions, **tokens)
    assert {a["attention"] for a in made.scene["attentions"]} >= set(kinds)


@pytest.mark.parametrize("name", ["bert", "roberta", "gpt2", "distilbert", "albert"])
def test_the_neuron_view_shows_any_model(models, tokenizer, name):
    made = neuron_view.show(models[name], name, tokenizer, A, B if name == "bert" else None, layer=1, head=2)
    assert made.scene["selection"]["kind"] == "neuron"
    assert (made.scene["selection"]["layer"], made.scene["selection"]["heads"]) == (1, [2])
    assert "vectors" in made.scene["attentions"][0]["layers"][1]


def test_the_neuron_view_has_bertvizs_other_arguments(models, tokenizer):
    show = neuron_view.show
    assert show(models["bert"], "bert", tokenizer, A, display_mode="light").scene["theme"] == "light"
    page = show(models["bert"], "bert", tokenizer, A, B, html_action="return")
    assert page.data.startswith("<!doctype html>")


def test_a_returned_page_shows_itself_and_prints_in_a_line(read):
    attention, tokens, _ = read("bert", None)
    page = head_view(attention, tokens, html_action="return")
    assert "<iframe srcdoc=" in page._repr_html_()
    assert len(repr(page)) < 100


class TestOtherNumbers:
    def test_weights_with_a_token_cut_off_are_drawn_as_they_are(self, read):
        attention, tokens, _ = read("bert", None)
        cut = [layer[:, :, 1:, 1:] for layer in attention]
        made = head_view(cut, tokens[1:])
        assert not made.scene["attentions"][0]["shares"]
        assert "do not sum to 1" in made.scene["notes"][0]
        # what heads do on this text would be untrue of such rows
        assert made.scene["statistics"] == []
        with pytest.raises(AttlasError, match="check=False"):
            view(cut, tokens[1:])

    def test_padding_rows_of_zeros_and_scaled_scores(self):
        weights = np.full((1, 4, 4), 0.25, np.float32)
        weights[:, 3] = 0
        assert head_view([weights], list("abcd")).scene["attentions"][0]["signed"] is False
        assert view([weights * 12], list("abcd"), check=False).scene["attentions"][0]["layers"][0][
            "scale"
        ] == [3]

    def test_signed_scores_keep_their_sign(self):
        scores = np.array([[[2.0, -1.0], [0.5, -4.0]]], np.float32)
        made = view([scores], ["a", "b"], check=False)
        header = made.scene["attentions"][0]["layers"][0]
        assert made.scene["attentions"][0]["signed"]
        assert header["weights"]["type"] == "i8"
        import zlib

        codes = np.frombuffer(zlib.decompress(made.packed.data), np.int8, 4, header["weights"]["at"])
        back = np.sign(codes) * (codes / 127.0) ** 2 * header["scale"][0]
        np.testing.assert_allclose(back, scores.ravel(), atol=0.04)

    def test_numbers_that_are_none_are_refused(self):
        with pytest.raises(AttlasError, match=r"row 1 of head 0\.0 holds inf, which cannot be drawn"):
            view([np.array([[[1.0, 0.0], [np.inf, 0.0]]])], ["a", "b"], check=False)


@pytest.fixture(scope="module")
def writer(tokenizer):
    settings = {"vocab_size": len(tokenizer), "hidden_size": 32, "num_hidden_layers": 2}
    more = {"num_attention_heads": 4, "num_key_value_heads": 2, "intermediate_size": 32, "eos_token_id": None}
    return eager(tr.LlamaForCausalLM, tr.LlamaConfig, **settings, **more, pad_token_id=0)


class TestGenerated:
    def test_what_generate_returns_is_put_together(self, writer, tokenizer):
        ids = tokenizer(A, return_tensors="pt")["input_ids"]
        made = writer.generate(
            ids, max_new_tokens=5, do_sample=False, output_attentions=True, return_dict_in_generate=True
        )
        tokens = tokenizer.convert_ids_to_tokens(made.sequences[0])
        shown = view(made.attentions, tokens)
        # the last token was written and not read
        assert len(shown.scene["sides"]["decoder"]["tokens"]) == len(tokens) - 1
        with torch.no_grad():
            whole = writer(made.sequences[:, :-1], output_attentions=True).attentions
        for layer, expected in zip(shown.maps[0].layers, whole, strict=True):
            np.testing.assert_allclose(layer.weights, expected[0].numpy(), atol=1e-5)
        assert shown.scene["attentions"][0]["causal"]

    def test_a_model_goes_on_writing(self, writer, tokenizer):
        subject = Subject(writer, tokenizer, "writer")
        made = view(subject, A, generate=7)
        prompt = len(tokenizer(A)["input_ids"])
        side = made.scene["sides"]["decoder"]
        assert len(side["tokens"]) == prompt + 7
        assert side["b_start"] == prompt
        assert "the last 7 tokens" in made.scene["notes"][0]

    def test_an_encoder_decoder_writes_its_own_text(self, tokenizer):
        settings = {"vocab_size": len(tokenizer), "d_model": 32, "d_kv": 8, "num_heads": 4, "num_layers": 2}
        model = eager(
            tr.T5ForConditionalGeneration, tr.T5Config, **settings, d_ff=32, decoder_start_token_id=0
        )
        made = view(Subject(model, tokenizer, "t5"), A, generate=4)
        assert len(made.scene["sides"]["decoder"]["tokens"]) == 5  # the start token is one of them

    def test_a_model_that_cannot_write_says_so(self, models, tokenizer):
        with pytest.raises(AttlasError, match="bert cannot write: it has no head"):
            view(Subject(models["bert"], tokenizer, "bert"), A, generate=3)

    def test_beams_and_batches_are_refused(self):
        steps = [[np.full((2, 4, 3, 3), 1 / 3)], [np.full((2, 4, 1, 4), 0.25)]]
        with pytest.raises(AttlasError, match="one text at a time, without beams"):
            view(steps, list("abcd"))
