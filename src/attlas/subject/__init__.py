"""Subject: a model, its tokenizer, and the map of its heads."""

from attlas.subject.loading import load
from attlas.subject.subject import Subject

__all__ = ["Subject", "load"]
