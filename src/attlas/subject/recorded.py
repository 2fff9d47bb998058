"""Attention that somebody else computed, in the place of a model: it returns what was recorded."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from attlas.corpora.recording import RecordedTokens, Recording
from attlas.errors import AttlasError
from attlas.subject.spelling import spell_tokens
from attlas.subject.subject import Subject


class RecordedModel(nn.Module):
    """A model without weights. What stands in their place is the file's hash, so that atlases of two
    recordings are told apart, and the attention of a text is read when that text is asked for."""

    recording: Recording
    uneditable = "is recorded attention: without the model itself, no head can be edited"

    def __init__(self, recording: Recording, vocabulary: int) -> None:
        super().__init__()
        self.recording = recording
        self.config = _Config(vocab_size=vocabulary, layers=len(recording.weights(0)))
        digest = np.frombuffer(bytes.fromhex(recording.checksum), np.uint8).astype(np.float32)
        self.digest = nn.Parameter(torch.from_numpy(digest), requires_grad=False)

    def forward(self, input_ids: Tensor, text: Tensor | None = None, output_attentions: bool = True) -> Any:
        """The attention of one text; of the first where nobody says which, as the survey of heads does."""
        weights = self.recording.weights(0 if text is None else int(text))
        if len(weights) != self.config.layers:
            raise AttlasError(
                f"{self.recording.path}: its texts have {self.config.layers} and {len(weights)} layers; one "
                "model's attention is needed"
            )
        layers = torch.from_numpy(weights).to(input_ids.device)
        return SimpleNamespace(attentions=tuple(layer[None] for layer in layers))


class _Config(SimpleNamespace):
    def to_dict(self) -> dict[str, Any]:
        return {"vocab_size": self.vocab_size, "layers": self.layers}


def load_recording(path: str, name: str, device: Any) -> Subject:
    recording = Recording.read(path).with_tokens_spelled(spell_tokens)
    tokenizer = RecordedTokens(recording, looks_ahead=bool((recording.weights(0)[:, :, 0, 1:] > 0).any()))
    return Subject(RecordedModel(recording, len(tokenizer)).to(device), tokenizer, name)
