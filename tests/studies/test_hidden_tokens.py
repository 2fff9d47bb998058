"""A token that is hidden from all later ones leaves them where they are, in every family of decoders."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from transformers.models.bloom import modeling_bloom
from transformers.models.falcon import modeling_falcon

from attlas.corpora.segments import Segment
from attlas.corpora.source import ItemId
from attlas.studies.patterns.predictive import hidden_batch
from attlas.subject import Subject
from attlas.tap import Tap
from zoo import SHAPE, VOCAB, ZOO
from zoo import _model as tiny_model

ALIBI = {
    "bloom": tiny_model(
        "BloomForCausalLM", "BloomConfig", vocab_size=VOCAB, hidden_size=32, n_layer=3, n_head=4
    ),
    "falcon-alibi": tiny_model(
        "FalconForCausalLM", "FalconConfig", **SHAPE, alibi=True, multi_query=True, pad_token_id=0
    ),
}
DECODERS = {
    "opt": tiny_model(
        "OPTForCausalLM", "OPTConfig", vocab_size=VOCAB, hidden_size=32, num_hidden_layers=3, ffn_dim=48,
        num_attention_heads=4, max_position_embeddings=64, word_embed_proj_dim=32, pad_token_id=1,
    ),
    "biogpt": tiny_model("BioGptForCausalLM", "BioGptConfig", **SHAPE, pad_token_id=0),
    "roberta": tiny_model("RobertaForCausalLM", "RobertaConfig", **SHAPE, pad_token_id=1, is_decoder=True),
    **{name: species.build for name, species in ZOO.items() if set(species.heads) == {"decoder"}},
    **ALIBI,
}  # fmt: skip


@pytest.mark.parametrize("name", DECODERS)
def test_a_hidden_token_leaves_all_others_at_their_places(
    name: str, mini: Subject, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also in models that count places from the attention mask, against a run that is told the places."""
    subject = Subject(DECODERS[name](), mini.tokenizer, name)
    ids = np.random.default_rng(0).permutation(np.arange(8, VOCAB))[:11]
    segment = Segment(ItemId(0, 0), ids, np.zeros(11, np.uint8))
    batch = hidden_batch(subject, segment)
    with torch.no_grad(), Tap(subject) as tap:
        logits = tap.run(batch, predictions=True).logits
    places = {"position_ids": torch.arange(11).expand(len(logits), -1)}
    seen = torch.ones(len(logits), 11, dtype=torch.long)
    for _, row, _, key in batch.pairs.tolist():
        seen[row, key] = 0
    if name in ALIBI:
        places = {}
        for module in (modeling_bloom, modeling_falcon):
            build = module.build_alibi_tensor
            monkeypatch.setattr(
                module,
                "build_alibi_tensor",
                lambda mask, *more, _of=build, **named: _of(torch.ones_like(mask), *more, **named),
            )
    if name == "roberta":  # it counts tokens that are not padding, from the ids
        places = {"position_ids": places["position_ids"] + 2}
    subject.model.config._attn_implementation_internal = "eager"
    with torch.no_grad():
        expected = subject.model(input_ids=batch.inputs["input_ids"], attention_mask=seen, **places).logits
    assert len(expected) > 5
    assert float((expected[1:] - expected[:1]).abs().max()) > 0.01, "what is hidden matters"
    torch.testing.assert_close(logits, expected, rtol=1e-4, atol=1e-4)
