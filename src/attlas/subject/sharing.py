"""Changes to a model that only one thread sees, since several may run the same model at once.

A hook, a replaced `forward` and the name of an implementation belong to the model, whoever calls it. Here
each also belongs to the thread that made it, and the name to its context: asyncio gives one to every task.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from threading import get_ident
from typing import Any
from weakref import WeakKeyDictionary

from torch import nn

_ATTRIBUTE = "_attn_implementation"  # where transformers reads the name
_lock = threading.Lock()


def in_this_thread(hook: Callable[..., Any]) -> Callable[..., Any]:
    """The hook, silent when another thread runs the model."""
    home = get_ident()

    def hook_at_home(*args: Any, **kwargs: Any) -> Any:
        return hook(*args, **kwargs) if get_ident() == home else None

    return hook_at_home


# ---- evaluation


@dataclass
class _Evaluation:
    """How many run a model now, and the modes of its modules before the first of them."""

    count: int = 0
    training: list[nn.Module] = field(default_factory=list)


_evaluations: WeakKeyDictionary[nn.Module, _Evaluation] = WeakKeyDictionary()


@contextmanager
def evaluating(model: nn.Module) -> Iterator[None]:
    """The model without dropout. The last of those that run it leaves it in the mode that the first found."""
    with _lock:
        here = _evaluations.setdefault(model, _Evaluation())
        if not here.count and model.training:
            here.training = [module for module in model.modules() if module.training]
            model.eval()
        here.count += 1
    try:
        yield
    finally:
        with _lock:
            here.count -= 1
            if not here.count:
                for module in here.training:
                    module.training = True
                here.training = []


# ---- the name of the implementation that attends


@dataclass(frozen=True, eq=False)
class _Override:
    thread: int
    names: dict[int, str]  # by the id of a config
    configs: tuple[Any, ...]  # held, so that no other object has their ids


_overrides: ContextVar[tuple[_Override, ...]] = ContextVar("attlas_implementations", default=())
_overridden: Counter[type] = Counter()  # classes of configs, by how many overrides are in force
_properties: dict[type, property] = {}  # theirs, as transformers made it


@contextmanager
def implementations(named: list[tuple[Any, str]]) -> Iterator[None]:
    """Each config names another implementation, to whoever asks in this thread and context."""
    configs = tuple(config for config, _ in named)
    override = _Override(get_ident(), {id(config): name for config, name in named}, configs)
    classes = {cls for config in configs if (cls := _class_with_the_property(config)) is not None}
    with _lock:
        for cls in classes:
            if not _overridden[cls]:
                _properties[cls] = vars(cls)[_ATTRIBUTE]
                setattr(cls, _ATTRIBUTE, _asking_first(_properties[cls]))
            _overridden[cls] += 1
    _overrides.set((*_overrides.get(), override))
    try:
        yield
    finally:
        _overrides.set(tuple(other for other in _overrides.get() if other is not override))
        with _lock:
            for cls in classes:
                _overridden[cls] -= 1
                if not _overridden[cls]:
                    setattr(cls, _ATTRIBUTE, _properties.pop(cls))


def _class_with_the_property(config: Any) -> type | None:
    """The class that says how a config's implementation is read; None if it has no such property."""
    return next((c for c in type(config).__mro__ if isinstance(vars(c).get(_ATTRIBUTE), property)), None)


def _asking_first(usual: property) -> property:
    def name_here(config: Any) -> Any:
        here = get_ident()
        for override in reversed(_overrides.get()):
            if override.thread == here and id(config) in override.names:
                return override.names[id(config)]
        assert usual.fget is not None
        return usual.fget(config)

    return property(name_here, usual.fset, usual.fdel, usual.__doc__)


# ---- other functions in place of `forward`

Forward = Callable[..., Any]


@dataclass(eq=False)
class _Forwards:
    """The `forward` of a module that some threads replace."""

    usual: Forward
    instance: Forward | None  # what stood in the module's own dictionary
    replaced: dict[int, list[Forward]] = field(default_factory=dict)  # by thread, the latest last

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.here()(*args, **kwargs)

    def here(self) -> Forward:
        """What this thread calls."""
        replaced = self.replaced.get(get_ident())
        return replaced[-1] if replaced else self.usual


_forwards: WeakKeyDictionary[nn.Module, _Forwards] = WeakKeyDictionary()


@contextmanager
def replaced_forwards(
    modules: tuple[nn.Module, ...], wrap: Callable[[nn.Module, Forward], Forward]
) -> Iterator[None]:
    """Make the modules run, in this thread, what `wrap` makes of their `forward`."""
    home = get_ident()
    replaced: list[nn.Module] = []
    try:
        for module in modules:
            with _lock:
                forwards = _forwards.get(module)
                if forwards is None:
                    instance = module.__dict__.get("forward")
                    forwards = _forwards[module] = _Forwards(module.forward, instance)
                    module.__dict__["forward"] = forwards
                forwards.replaced.setdefault(home, []).append(wrap(module, forwards.here()))
            replaced.append(module)
        yield
    finally:
        for module in reversed(replaced):
            _restore(module, home)


def _restore(module: nn.Module, home: int) -> None:
    with _lock:
        forwards = _forwards[module]
        forwards.replaced[home].pop()
        if not forwards.replaced[home]:
            del forwards.replaced[home]
        if forwards.replaced:
            return
        del _forwards[module]
        if forwards.instance is None:
            module.__dict__.pop("forward", None)
        else:
            module.__dict__["forward"] = forwards.instance
