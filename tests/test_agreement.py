"""The checks that the zoo passes, on any model."""

from __future__ import annotations

from typing import Any

import pytest
import torch

import attlas
from attlas.studies.agreement import Agreement, DiffersError
from attlas.subject import Subject
from zoo import ZOO


def checks(agreement: Agreement) -> dict[str, Any]:
    return {check.what: check for check in agreement.checks}


@pytest.mark.parametrize("name", ["bert", "llama", "albert", "t5"])
def test_a_model_of_the_interface_agrees(name: str, mini: Subject) -> None:
    subject = Subject(ZOO[name].build().eval(), mini.tokenizer, name)
    if len(mini.tokenizer) > subject.model.config.vocab_size:
        subject.model.resize_token_embeddings(len(mini.tokenizer))
    made = checks(attlas.check(subject))
    assert made["attention weights"].verdict == "agrees"
    assert made["statistics by the tiled kernel"].verdict == "agrees"
    assert made["heads switched off, and on again"].verdict == "agrees"
    assert all(check.difference <= check.tolerance for check in made.values() if check.verdict == "agrees")


def test_a_model_whose_attention_is_not_what_it_says_differs(mini: Subject, monkeypatch: Any) -> None:
    """Its eager attention doubles the scores: what Attlas computes is not what it returns."""
    from transformers.models.bert import modeling_bert

    plain = modeling_bert.eager_attention_forward

    def doubled(module: Any, query: torch.Tensor, *others: Any, **named: Any) -> Any:
        return plain(module, 2 * query, *others, **named)

    monkeypatch.setattr(modeling_bert, "eager_attention_forward", doubled)
    with pytest.raises(
        DiffersError, match="mini differs from its eager attention: attention weights"
    ) as raised:
        attlas.check(mini)
    assert not raised.value.result.whole


def test_what_was_not_compared_is_said(mini: Subject) -> None:
    made = checks(attlas.check("mini"))
    assert [check.verdict for check in made.values()] == ["agrees"] * 4
    assert made["attention weights"].tolerance == 1e-4
