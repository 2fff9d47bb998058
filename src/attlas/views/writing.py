"""Text that a model goes on writing, to be looked at as a whole."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from attlas.errors import AttlasError

if TYPE_CHECKING:
    from attlas.corpora.batches import Batch
    from attlas.subject import Subject


def written(subject: Subject, prompt: str, count: int) -> tuple[Batch, int | None, list[str]]:
    """The prompt with the tokens that the model adds, the first of those, and a note that says so.

    Each token is the likeliest one. A decoder's weights do not depend on later tokens, so that one pass over
    all of them gives the weights of every step.
    """
    import torch

    if count < 1:
        raise AttlasError(f"generate is {count}: it must be 1 token or more")
    model: Any = subject.model
    if not getattr(model, "can_generate", lambda: False)():
        raise AttlasError(f"{subject.name} cannot write: it has no head that predicts the next token")
    batch = subject.encode(prompt)
    start = batch.inputs["input_ids"].shape[1]
    if not subject.encoder_decoder:
        subject.check_length(start + count, "the text with what is generated")
    inputs = {name: batch.inputs[name] for name in ("input_ids", "attention_mask") if name in batch.inputs}
    config = model.generation_config
    end = config.eos_token_id[0] if isinstance(config.eos_token_id, list) else config.eos_token_id
    pad = config.pad_token_id if config.pad_token_id is not None else end
    with torch.no_grad():
        ids = model.generate(
            **inputs,
            max_new_tokens=count,
            do_sample=False,
            num_beams=1,
            pad_token_id=pad if pad is not None else 0,
        )
    if subject.encoder_decoder:
        whole = subject.annotate({**inputs, "decoder_input_ids": ids})
        return whole, None, ["The decoder's text was generated, the likeliest token at each step."]
    whole = subject.annotate({"input_ids": ids, "attention_mask": torch.ones_like(ids)})
    note = (
        f"Generated, the likeliest token at each step: the last {ids.shape[1] - start} tokens (sentence B)."
    )
    return whole, start, [note]
