"""Triton's interpreter, which runs our GPU kernels where there is no GPU, at two thirds of its time.

It puts its own functions into Triton's language before each call within a kernel, though they are there since
the first: a search through all names, thousands of times a test.
"""

from __future__ import annotations

from typing import Any

from triton import language
from triton.runtime import interpreter


def put_names_once() -> None:
    put = interpreter._patch_lang

    def put_once(function: Any) -> Any:
        used = [module for module in (language, language.core) if module in function.__globals__.values()]
        are_there = not any(language.core.is_builtin(module.load) for module in used)
        return interpreter._LangPatchScope() if are_there else put(function)

    interpreter._patch_lang = put_once
