"""What BertViz's notebooks do, cell by cell, in a notebook's shell, with local models and one import changed.

Their models are the hub's; here each kind is a tiny one in a folder. Since transformers 5 the last output of
BERT, RoBERTa and GPT-2 is that of cross-attention, and empty: cells say `.attentions`, and what `[-1]` gives
is refused in words.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pytest
import torch
import transformers as tr

CALL = "from attlas.views import head_view, model_view\nfrom attlas.views.neuron_view import show"
LOAD = """
import transformers
tokenizer = transformers.AutoTokenizer.from_pretrained(FOLDER)
model = transformers.AutoModel.from_pretrained(FOLDER, output_attentions=True)
"""
ONE = """
ids = tokenizer("The quick brown fox jumps over the lazy dogs.", return_tensors="pt")["input_ids"]
attention = model(ids).attentions
tokens = tokenizer.convert_ids_to_tokens(ids[0].tolist())
"""
PAIR = """
inputs = tokenizer("the rabbit quickly hopped", "The turtle slowly crawled", return_tensors="pt")
ids, types = inputs["input_ids"], inputs["token_type_ids"]
attention = model(ids, token_type_ids=types).attentions
start = types[0].tolist().index(1)
tokens = tokenizer.convert_ids_to_tokens(ids[0].tolist())
"""
TWO_TEXTS = """
ids = tokenizer("She sees the small elephant.", return_tensors="pt").input_ids
target = tokenizer("The elephant is seen.", return_tensors="pt").input_ids
outputs = model(input_ids=ids, decoder_input_ids=target)
given = dict(encoder_attention=outputs.encoder_attentions, decoder_attention=outputs.decoder_attentions,
             cross_attention=outputs.cross_attentions, encoder_tokens=tokenizer.convert_ids_to_tokens(ids[0]),
             decoder_tokens=tokenizer.convert_ids_to_tokens(target[0]))
"""
EXAMPLES = Path(__file__).parents[2] / "examples"
NOTEBOOKS = {
    "head view, BERT": ("bert", [PAIR, "head_view(attention, tokens, start)"]),
    "head view, BERT, weights from another framework": (
        "bert",
        [PAIR, "head_view([torch.from_numpy(a.detach().numpy()) for a in attention], tokens, start)"],
    ),
    "head view, ALBERT": ("albert", [PAIR, "head_view(attention, tokens, start)"]),
    "head view, RoBERTa": ("roberta", [ONE, "head_view(attention, tokens)"]),
    "head view, XLM": ("xlm", [ONE, "head_view(attention, tokens)"]),
    "head view, XLNet": ("xlnet", [ONE, "head_view(attention, tokens)"]),
    "head view, DistilBERT": ("distilbert", [ONE, "head_view(attention, tokens)"]),
    "head view, GPT-2": ("gpt2", [ONE, "head_view(attention, tokens)"]),
    "head view, BART": ("bart", [TWO_TEXTS, "head_view(**given)"]),
    "head view, Marian": ("marian", [TWO_TEXTS, "head_view(**given)"]),
    "model view, BERT": ("bert", [PAIR, "model_view(attention, tokens, start)"]),
    "model view, ALBERT": ("albert", [PAIR, "model_view(attention, tokens, start)"]),
    "model view, RoBERTa": ("roberta", [ONE, "model_view(attention, tokens)"]),
    "model view, XLM": ("xlm", [ONE, "model_view(attention, tokens)"]),
    "model view, XLNet": ("xlnet", [ONE, "model_view(attention, tokens)"]),
    "model view, DistilBERT": ("distilbert", [ONE, "model_view(attention, tokens, display_mode='light')"]),
    "model view, GPT-2": ("gpt2", [ONE, "model_view(attention, tokens)"]),
    "model view, BART": ("bart", [TWO_TEXTS, "model_view(**given)"]),
    "model view, Marian": ("marian", [TWO_TEXTS, "model_view(**given)"]),
    "neuron view, BERT": (
        "bert",
        [
            "show(model, 'bert', tokenizer, 'The cat sat on the mat', 'The cat lay on the rug', "
            "display_mode='dark', layer=1, head=0)"
        ],
    ),
    "neuron view, RoBERTa": (
        "roberta",
        ["show(model, 'roberta', tokenizer, 'The cat sat on the mat', display_mode='dark', layer=1, head=0)"],
    ),
    "neuron view, GPT-2": (
        "gpt2",
        ["show(model, 'gpt2', tokenizer, 'At the store, she bought apples, oranges,', display_mode='dark')"],
    ),
}


@pytest.fixture(scope="module")
def folders(mini, tmp_path_factory):
    """A folder a kind of model, as `save_pretrained` leaves it."""
    words = len(mini.tokenizer)
    both = {"vocab_size": words, "pad_token_id": 0, "bos_token_id": 1, "eos_token_id": 2}
    small = {
        **both,
        "hidden_size": 16,
        "num_hidden_layers": 2,
        "num_attention_heads": 2,
        "intermediate_size": 16,
    }
    sides = {"d_model": 16, "encoder_layers": 2, "decoder_layers": 2, "forced_eos_token_id": None}
    sides |= {
        "encoder_attention_heads": 2,
        "decoder_attention_heads": 2,
        "encoder_ffn_dim": 16,
        "decoder_ffn_dim": 16,
    }
    made = {
        "bert": tr.BertModel(tr.BertConfig(**small)),
        "albert": tr.AlbertModel(tr.AlbertConfig(**small, embedding_size=8)),
        "roberta": tr.RobertaModel(tr.RobertaConfig(**small)),
        "distilbert": tr.DistilBertModel(
            tr.DistilBertConfig(**both, dim=16, n_layers=2, n_heads=2, hidden_dim=16)
        ),
        "gpt2": tr.GPT2Model(tr.GPT2Config(**both, n_embd=16, n_layer=2, n_head=2)),
        "xlnet": tr.XLNetModel(tr.XLNetConfig(**both, d_model=16, n_layer=2, n_head=2, d_inner=16)),
        "xlm": tr.XLMModel(tr.XLMConfig(**both, emb_dim=16, n_layers=2, n_heads=2)),
        "bart": tr.BartModel(tr.BartConfig(**both, **sides)),
        "marian": tr.MarianModel(tr.MarianConfig(**both, **sides, decoder_start_token_id=0)),
    }
    root = tmp_path_factory.mktemp("models")
    for name, model in made.items():
        model.eval().save_pretrained(root / name)
        mini.tokenizer.save_pretrained(root / name)
    return root


@pytest.fixture(scope="module")
def shell():
    """The shell that runs a notebook's cells, in this process, and leaves your IPython's history alone."""
    interactive = pytest.importorskip("IPython.core.interactiveshell", reason="IPython is not installed")
    config = pytest.importorskip("traitlets.config", reason="IPython is not installed")
    main = sys.modules["__main__"]
    # with a history, a thread would hold its database open long after the shell is gone
    made = interactive.InteractiveShell.instance(config=config.Config(HistoryManager={"enabled": False}))
    yield made
    interactive.InteractiveShell.clear_instance()
    sys.modules["__main__"] = main  # the shell has put its own in that place


@pytest.fixture
def run(shell, folders):
    """Runs cells with the models of one kind; gives what they displayed."""
    from IPython.utils.capture import capture_output

    def cells(name, sources):
        shell.reset(new_session=False)
        shell.user_ns.update(FOLDER=str(folders / name), torch=torch)
        with capture_output() as shown:
            for source in (CALL, LOAD, *sources):
                result = shell.run_cell(source)
                result.raise_error()
        return [output.data for output in shown.outputs]

    return cells


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_every_notebook_shows_its_view(run, name):
    kind, sources = NOTEBOOKS[name]
    (shown,) = run(kind, sources)
    which = name.split(" view")[0]
    assert shown["text/plain"].startswith(f"<{which} view of")
    assert {"text/html", "image/png"} <= shown.keys()
    assert shown["image/png"].startswith("iVBOR")


@pytest.mark.parametrize("name", ["bert", "roberta", "gpt2"])
def test_what_the_old_spelling_gives_today_is_refused_with_the_new_one(run, name):
    from attlas.errors import AttlasError

    with pytest.raises(AttlasError, match=r"outputs\.attentions"):
        run(name, [ONE, "head_view(model(ids)[-1], tokens)"])


def test_pages_can_be_kept_instead_of_shown(run, shell):
    pages = "kept = [view(attention, tokens, html_action='return') for view in (head_view, model_view)]"
    assert run("bert", [ONE, pages]) == []
    assert all(page.data.startswith("<!doctype html>") for page in shell.user_ns["kept"])


@pytest.mark.parametrize("name", ["bertviz_head_view_bert", "bertviz_neuron_view_bert"])
def test_the_notebooks_that_were_moved_over_run_from_top_to_bottom(name, tmp_path):
    nbformat = pytest.importorskip("nbformat", reason="nbformat is not installed")
    preprocessors = pytest.importorskip("nbconvert.preprocessors", reason="nbconvert is not installed")
    notebook = nbformat.read(EXAMPLES / f"{name}.ipynb", as_version=4)
    run = preprocessors.ExecutePreprocessor(timeout=300, startup_timeout=300)
    run.preprocess(notebook, {"metadata": {"path": str(tmp_path)}})
    shown = [output["data"] for output in notebook.cells[-1].outputs if "data" in output]
    assert any("iframe" in data.get("text/html", "") for data in shown)


def test_every_line_that_a_moved_notebook_changed_is_in_the_docs():
    docs = (EXAMPLES.parent / "docs" / "bertviz.md").read_text()
    for path in EXAMPLES.glob("bertviz_*.ipynb"):
        source = "".join(line for cell in json.loads(path.read_text())["cells"] for line in cell["source"])
        for was in re.findall(r"# was: (.+)", source):
            assert was.split("(")[0].split(" import")[0] in docs, was


def test_what_the_docs_say_is_gone_is_gone(mini):
    for name in ("encode_plus", "as_target_tokenizer", "prepare_seq2seq_batch"):
        assert not hasattr(mini.tokenizer, name)
    assert not hasattr(tr, "TFBertModel")
