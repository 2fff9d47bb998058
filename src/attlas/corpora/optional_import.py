"""Libraries that only some corpora need: loaded when first used, named when absent."""

import importlib
from typing import Any

from attlas.errors import AttlasError


def optional_import(library: str, what: str, extra: str = "probes") -> Any:
    try:
        return importlib.import_module(library)
    except ImportError as error:
        raise AttlasError(f"{what} needs {library}: pip install 'attlas[{extra}]'") from error
