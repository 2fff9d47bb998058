"""The charts: each file of this folder declares some."""

from importlib import import_module
from pkgutil import iter_modules

from attlas.figures.chart import DECLARED, Recipe

for _module in iter_modules(__path__):
    import_module(f"{__name__}.{_module.name}")

#: every figure, by name
FIGURES: dict[str, Recipe] = dict(sorted(DECLARED.items(), key=lambda declared: declared[1].place))
