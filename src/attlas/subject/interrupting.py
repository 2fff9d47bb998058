"""Stopping a model in the middle of a forward pass: before each of its blocks, somebody is asked."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager

from attlas.subject import Subject
from attlas.subject.blocks import blocks_of


class Interrupted(Exception):
    """A forward pass that nobody waits for any more."""


@contextmanager
def interruptible(subject: Subject, unwanted: Callable[[], bool]) -> Iterator[None]:
    """Inside, a forward pass raises `Interrupted` at the first block that begins after it became unwanted."""

    def ask(*_: object) -> None:
        if unwanted():
            raise Interrupted

    # a model whose blocks are not known is asked at its attention modules
    modules = blocks_of(subject) or tuple(dict.fromkeys(module for module, _ in subject.addresses))
    with ExitStack() as hooks:
        for module in modules or (subject.model,):
            hooks.callback(module.register_forward_pre_hook(ask).remove)
        yield
