"""Models as files: GGUF and pickled weights give the model that safetensors give, and say what they need."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest
import torch
import transformers

import attlas
from attlas.errors import AttlasError
from attlas.subject import Subject, checkpoints

WORDS = [*"abcdefghijklmnopqrstuvwxyz.,", "Ġ", "Ċ", "ab"]


@pytest.fixture(scope="module")
def llama() -> transformers.LlamaForCausalLM:
    torch.manual_seed(0)
    config = transformers.LlamaConfig(
        vocab_size=len(WORDS) + 2,
        hidden_size=32,
        intermediate_size=32,
        num_hidden_layers=2,
        num_attention_heads=4,
        num_key_value_heads=2,
        max_position_embeddings=64,
        tie_word_embeddings=False,
    )
    return transformers.LlamaForCausalLM(config).eval()


@pytest.fixture(scope="module")
def gguf_file(llama: transformers.LlamaForCausalLM, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same model as llama.cpp writes it: heads of queries and keys interleaved for its rotation."""
    gguf = pytest.importorskip("gguf")
    pytest.importorskip("accelerate")
    path = tmp_path_factory.mktemp("gguf") / "tiny.gguf"
    writer = gguf.GGUFWriter(path, "llama")
    config = llama.config
    writer.add_context_length(config.max_position_embeddings)
    writer.add_embedding_length(config.hidden_size)
    writer.add_block_count(config.num_hidden_layers)
    writer.add_feed_forward_length(config.intermediate_size)
    writer.add_head_count(config.num_attention_heads)
    writer.add_head_count_kv(config.num_key_value_heads)
    writer.add_layer_norm_rms_eps(config.rms_norm_eps)
    writer.add_rope_freq_base(config.rope_parameters["rope_theta"])
    writer.add_vocab_size(config.vocab_size)
    writer.add_tokenizer_model("gpt2")
    writer.add_token_list([*WORDS, "<s>", "</s>"])
    writer.add_token_types([1] * len(WORDS) + [3, 3])
    writer.add_token_merges(["a b"])
    writer.add_bos_token_id(len(WORDS))
    writer.add_eos_token_id(len(WORDS) + 1)
    names = gguf.get_tensor_name_map(gguf.MODEL_ARCH.LLAMA, config.num_hidden_layers)
    heads = {"q_proj": config.num_attention_heads, "k_proj": config.num_key_value_heads}
    for name, tensor in llama.state_dict().items():
        array = tensor.numpy()
        if count := heads.get(name.split(".")[-2]):
            array = array.reshape(count, 2, -1, config.hidden_size).swapaxes(1, 2).reshape(array.shape)
        stem, _, ending = name.rpartition(".")
        writer.add_tensor(f"{names.get_name(stem)}.{ending}", np.ascontiguousarray(array))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path


def assert_same_weights(subject: Subject, model: torch.nn.Module) -> None:
    found = subject.model.state_dict()
    for name, tensor in model.state_dict().items():
        assert torch.equal(found[name], tensor), name


def test_a_gguf_file_is_the_model_it_was_written_from(
    gguf_file: Path, llama: transformers.LlamaForCausalLM
) -> None:
    subject = attlas.load(gguf_file)
    assert type(subject.model) is type(llama)
    assert_same_weights(subject, llama)
    assert len(subject.heads) == 8
    assert subject.kinds == ("decoder",)
    assert subject.tokenizer("abc.")["input_ids"] == [30, 2, 26]


def test_a_gguf_file_is_mapped(gguf_file: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    made = attlas.map(gguf_file, atlas=tmp_path / "a.attlas", segments=2, length=16, sample=1, progress=False)
    assert made.model["heads"] == {"decoder": 8}
    assert made.model["name"] == str(gguf_file)
    assert capfd.readouterr().err == ""  # nor a bar that is not ours


def test_weights_as_a_pickle_of_tensors_are_read(tmp_path: Path, mini: Subject) -> None:
    mini.model.config.save_pretrained(tmp_path)
    mini.tokenizer.save_pretrained(tmp_path)
    torch.save(mini.model.state_dict(), tmp_path / "pytorch_model.bin")
    assert_same_weights(attlas.load(tmp_path), mini.model)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("pytorch_model.bin", b"version https://git-lfs.github.com/spec/v1\n"),
        ("pytorch_model.bin.index.json", b'{"weight_map": {"a": "pytorch_model-00001-of-00002.bin"}}'),
    ],
    ids=["a pointer", "an index"],
)
def test_what_is_left_of_pickles_beside_safetensors_does_not_matter(
    name: str, content: bytes, tmp_path: Path, mini: Subject
) -> None:
    shutil.copytree(Path(attlas.__file__).parent / "data" / "mini", tmp_path, dirs_exist_ok=True)
    (tmp_path / name).write_bytes(content)
    assert_same_weights(attlas.load(tmp_path), mini.model)


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("model.safetensors", b"version https://git-lfs.github.com/spec/v1\n", "pointer of Git LFS"),
        ("model.safetensors", None, r"model\.safetensors: Is a directory"),
        ("model.safetensors", b"", "the weights of .* cannot be read"),
        ("model.safetensors.index.json", b'{"weight_map": {"a": "part-1.safetensors"}}', "lacks part-1"),
        ("pytorch_model.bin", b"junk", "a pickle that is damaged"),
    ],
    ids=["a pointer", "a folder", "empty", "a part is missing", "junk"],
)
def test_weights_that_cannot_be_read_are_not_said_to_be_absent(
    name: str, content: bytes | None, words: str, tmp_path: Path
) -> None:
    shutil.copy(Path(attlas.__file__).parent / "data" / "mini" / "config.json", tmp_path)
    if content is None:
        (tmp_path / name).mkdir()
    else:
        (tmp_path / name).write_bytes(content)
    with pytest.raises(AttlasError, match=words):
        attlas.load(tmp_path)


def test_a_folder_of_gguf_files_says_to_name_one(tmp_path: Path) -> None:
    (tmp_path / "tiny.gguf").write_bytes(b"GGUF")
    with pytest.raises(AttlasError, match=r"tiny\.gguf is to be named itself"):
        attlas.load(tmp_path)


@pytest.mark.parametrize(
    ("content", "words"),
    [(None, "no such file"), (b"PK\3\4", "is not a GGUF file"), (b"GGUF\3\0\0\0", "is damaged")],
)
def test_a_gguf_file_that_is_none(content: bytes | None, words: str, tmp_path: Path) -> None:
    pytest.importorskip("gguf")
    path = tmp_path / "x.gguf"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(AttlasError, match=words):
        attlas.load(path)


def test_a_gguf_file_without_its_reader(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "x.gguf").write_bytes(b"GGUF")
    monkeypatch.setattr(checkpoints, "find_spec", lambda name: None)
    with pytest.raises(AttlasError, match=r"gguf and accelerate.*attlas\[gguf\]"):
        attlas.load(tmp_path / "x.gguf")


def test_weights_that_are_named_instead_of_their_folder(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text("{}")
    (tmp_path / "model.safetensors").touch()
    with pytest.raises(AttlasError, match=f"is a file.*name its folder, {tmp_path}"):
        attlas.load(tmp_path / "model.safetensors")


def test_a_tokenizer_that_needs_sentencepiece_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = transformers.MarianConfig(
        vocab_size=32, d_model=16, encoder_layers=1, decoder_layers=1, encoder_attention_heads=2,
        decoder_attention_heads=2, encoder_ffn_dim=16, decoder_ffn_dim=16, pad_token_id=0,
    )  # fmt: skip
    transformers.MarianMTModel(config).save_pretrained(tmp_path)
    for name in ("source.spm", "target.spm"):
        (tmp_path / name).write_bytes(b"")
    (tmp_path / "vocab.json").write_text(json.dumps({"<unk>": 0}))
    (tmp_path / "tokenizer_config.json").write_text(json.dumps({"tokenizer_class": "MarianTokenizer"}))
    monkeypatch.setattr(checkpoints, "find_spec", lambda name: None)
    with pytest.raises(AttlasError, match="needs sentencepiece: pip install sentencepiece"):
        attlas.load(tmp_path)
