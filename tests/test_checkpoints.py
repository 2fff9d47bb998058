"""Models as files: GGUF and pickled weights give the model that safetensors give, and say what they need."""

from __future__ import annotations

import importlib
import json
import shutil
from pathlib import Path

import numpy as np
import pytest
import torch
import transformers
from safetensors.torch import load_file, save_file

import attlas
from attlas.errors import AttlasError
from attlas.subject import Subject, checkpoints, model_files
from zoo import ZOO

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
    return write_gguf(llama, tmp_path_factory.mktemp("gguf") / "tiny.gguf")


def write_gguf(
    llama: transformers.LlamaForCausalLM, path: Path, without: str | None = None, packed: bool = False
) -> Path:
    """The same model as llama.cpp writes it: heads of queries and keys interleaved for its rotation; matrices
    packed in 8 bits, if so wanted."""
    gguf = pytest.importorskip("gguf")
    pytest.importorskip("accelerate")
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
        if name == without:
            continue
        array = tensor.numpy()
        if count := heads.get(name.split(".")[-2]):
            array = array.reshape(count, 2, -1, config.hidden_size).swapaxes(1, 2).reshape(array.shape)
        stem, _, ending = name.rpartition(".")
        array, packing = np.ascontiguousarray(array), None
        if packed and array.ndim == 2:
            packing = gguf.GGMLQuantizationType.Q8_0
            array = gguf.quants.quantize(array, packing)
        writer.add_tensor(f"{names.get_name(stem)}.{ending}", array, raw_dtype=packing)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path


def assert_same_weights(subject: Subject, model: torch.nn.Module) -> None:
    loaded = subject.model.state_dict()
    for name, tensor in model.state_dict().items():
        assert torch.equal(loaded[name], tensor), name


def test_a_gguf_file_is_the_model_it_was_written_from(
    gguf_file: Path, llama: transformers.LlamaForCausalLM
) -> None:
    subject = attlas.load(gguf_file)
    assert type(subject.model) is type(llama)
    assert_same_weights(subject, llama)
    assert len(subject.heads) == 8
    assert subject.kinds == ("decoder",)
    assert subject.tokenizer("abc.")["input_ids"] == [30, 2, 26]


def test_a_packed_gguf_file_is_unpacked_without_code_from_the_hub(
    llama: transformers.LlamaForCausalLM, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """transformers would fetch kernels for it where the package of that name is installed."""
    path = write_gguf(llama, tmp_path / "packed.gguf", packed=True)
    kernels = importlib.import_module("transformers.integrations.gguf.kernels")
    monkeypatch.setattr(kernels, "is_kernels_available", lambda: True)  # importing it would fail here
    subject = attlas.load(path)
    assert subject.describe()["dtype"] == "float32"
    assert kernels.is_kernels_available()
    for name, tensor in llama.state_dict().items():
        wanted = tensor if tensor.ndim == 1 else in_eight_bits(tensor)
        torch.testing.assert_close(subject.model.state_dict()[name], wanted, rtol=0, atol=1e-6)


def in_eight_bits(weight: torch.Tensor) -> torch.Tensor:
    """Q8_0: 32 neighbours share a scale in half precision, the largest of them over 127."""
    blocks = weight.unflatten(-1, (-1, 32))
    scale = blocks.abs().amax(-1, keepdim=True) / 127
    return ((blocks / scale).round() * scale.half()).flatten(-2)


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
        ("model.safetensors.index.json", b'{"weight_map": {"a": "../part.safetensors"}}', "lies outside"),
        ("model.safetensors.index.json", b'{"weight_map": {"a": "/dev/zero"}}', "lies outside"),
        ("pytorch_model.bin", b"junk", "a pickle that is damaged"),
    ],
    ids=["a pointer", "a folder", "empty", "a part is missing", "a part above", "a device", "junk"],
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
    monkeypatch.setattr(model_files, "find_spec", lambda name: None)
    with pytest.raises(AttlasError, match=r"gguf and accelerate.*\[gguf\]"):
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


# weights that the files lack


def encoder_alone(
    mini: Subject, folder: Path, declared: str = "BertForMaskedLM", shards: str = "1GB"
) -> Path:
    """The embedded model without its heads for predictions, whose config says that it has one."""
    mini.model.base_model.save_pretrained(folder, max_shard_size=shards)
    mini.tokenizer.save_pretrained(folder)
    declare(folder, declared)
    return folder


def declare(folder: Path, architecture: str) -> None:
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps({**config, "architectures": [architecture]}))


def as_pickle(folder: Path) -> None:
    torch.save(load_file(folder / "model.safetensors"), folder / "pytorch_model.bin")
    (folder / "model.safetensors").unlink()


def without_weights(folder: Path, begin: str) -> None:
    state = load_file(folder / "model.safetensors")
    kept = {name: tensor for name, tensor in state.items() if not name.startswith(begin)}
    assert len(kept) < len(state)
    save_file(kept, folder / "model.safetensors", {"format": "pt"})


@pytest.mark.parametrize("saved", ["one file", "shards", "a pickle"])
@pytest.mark.parametrize(
    "declared", ["BertForMaskedLM", "BertForPreTraining", "BertForSequenceClassification"]
)
def test_a_head_that_the_files_lack_is_left_out(
    declared: str, saved: str, mini: Subject, tmp_path: Path
) -> None:
    encoder_alone(mini, tmp_path, declared, "2MB" if saved == "shards" else "1GB")
    if saved == "a pickle":
        as_pickle(tmp_path)
    assert (tmp_path / "model.safetensors.index.json").exists() == (saved == "shards")
    first, second = attlas.load(tmp_path), attlas.load(tmp_path)
    assert type(first.model) is transformers.BertModel
    assert first.unembedding is None
    assert first.weight_hash() == second.weight_hash()
    assert_same_weights(first, mini.model.base_model)


def test_what_needs_a_head_says_that_there_is_none(mini: Subject, tmp_path: Path) -> None:
    subject = attlas.load(encoder_alone(mini, tmp_path / "model"))
    with pytest.raises(AttlasError, match=r"^test=4: .* has no language-model head.*: leave test out"):
        attlas.patterns(subject, segments=4, length=16, test=4, progress=False)
    with pytest.raises(AttlasError, match=r"heads cannot be patched: .* has no language-model head"):
        attlas.patch(subject, progress=False)
    disabled = attlas.disable(subject, heads=["0.0"], segments=2, progress=False)
    assert disabled.table["score"].tolist() == ["embedding"], "and no loss"
    assert disabled.notes[0].startswith("how far the embedding of a text (the mean of its tokens) moves")
    pruned = attlas.prune(subject, segments=8, length=16, steps=2, random_orders=1, progress=False)
    assert set(pruned.table["score"]) == {"embedding"}
    made = attlas.map(subject, atlas=tmp_path / "a.attlas", segments=2, length=16, sample=1, progress=False)
    assert any("no language-model head" in note for note in made.about(made.chapters[0])["notes"])


def test_mpnet_without_the_head_that_it_declares(tmp_path: Path) -> None:
    """As sentence encoders are published."""
    model = ZOO["mpnet"].build()
    model.base_model.save_pretrained(tmp_path)
    declare(tmp_path, "MPNetForMaskedLM")
    first, second = attlas.load(tmp_path), attlas.load(tmp_path)
    assert type(first.model) is transformers.MPNetModel
    assert first.unembedding is None
    assert first.weight_hash() == second.weight_hash()


def test_of_two_heads_the_one_that_is_there_stays(mini: Subject, tmp_path: Path) -> None:
    mini.model.save_pretrained(tmp_path)
    without_weights(tmp_path, "cls.seq_relationship")
    subject = attlas.load(tmp_path)
    assert type(subject.model) is transformers.BertForMaskedLM
    assert_same_weights(subject, subject.model)
    head = "cls.predictions.transform.dense.weight"
    assert torch.equal(subject.model.state_dict()[head], mini.model.state_dict()[head])


def test_a_pooler_that_the_files_lack_is_left_out(mini: Subject, tmp_path: Path) -> None:
    encoder_alone(mini, tmp_path, "BertModel")
    without_weights(tmp_path, "pooler")
    first, second = attlas.load(tmp_path), attlas.load(tmp_path)
    assert not any("pooler" in name for name in first.model.state_dict())
    assert first.weight_hash() == second.weight_hash()


@pytest.mark.parametrize("lost", ["embeddings.word_embeddings", "encoder.layer.3.attention.self.query.bias"])
@pytest.mark.parametrize("pickled", [False, True], ids=["safetensors", "a pickle"])
def test_a_weight_that_attention_needs_is_missed_by_name(
    lost: str, pickled: bool, mini: Subject, tmp_path: Path
) -> None:
    encoder_alone(mini, tmp_path)
    without_weights(tmp_path, lost)
    if pickled:
        as_pickle(tmp_path)
    with pytest.raises(AttlasError, match=f"do not fit its config.json: they lack {lost}"):
        attlas.load(tmp_path)


@pytest.mark.parametrize("name", [name for name, species in ZOO.items() if species.text])
def test_weights_that_are_shared_are_not_missed(name: str, tmp_path: Path) -> None:
    """Safetensors hold what is tied once."""
    model = ZOO[name].build()
    model.save_pretrained(tmp_path)
    loaded = attlas.load(tmp_path)
    assert type(loaded.model) is type(model)
    computed = model._keys_to_ignore_on_save or ()  # Marian's sines of positions
    weights = loaded.model.state_dict()
    for weight, tensor in model.state_dict().items():
        assert weight in computed or torch.equal(weights[weight], tensor), weight


def test_a_gguf_file_without_an_unembedding_shares_its_embeddings(
    llama: transformers.LlamaForCausalLM, tmp_path: Path
) -> None:
    loaded = attlas.load(write_gguf(llama, tmp_path / "tied.gguf", "lm_head.weight")).model
    assert torch.equal(loaded.lm_head.weight, llama.model.embed_tokens.weight)


def test_a_gguf_file_that_lacks_a_weight(llama: transformers.LlamaForCausalLM, tmp_path: Path) -> None:
    lost = "model.layers.1.self_attn.q_proj.weight"
    with pytest.raises(AttlasError, match=r"they lack layers\.1\.self_attn\.q_proj\.weight"):
        attlas.load(write_gguf(llama, tmp_path / "lost.gguf", lost))


def test_weights_of_more_layers_than_the_config_has(mini: Subject, tmp_path: Path) -> None:
    mini.model.save_pretrained(tmp_path)
    config = json.loads((tmp_path / "config.json").read_text())
    (tmp_path / "config.json").write_text(json.dumps({**config, "num_hidden_layers": 10}))
    with pytest.raises(
        AttlasError, match=r"bert\.encoder\.layer\.10.* a layer that the config does not have"
    ):
        attlas.load(tmp_path)
