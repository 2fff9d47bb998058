"""Libraries that only some work needs: loaded when first used, named with a command that installs them."""

from __future__ import annotations

import importlib
import importlib.metadata
import importlib.util
import json
import shutil
import sys
import tomllib
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlparse

from attlas.errors import AttlasError


def optional_import(library: str, what: str, extra: str = "probes") -> Any:
    try:
        return importlib.import_module(library)
    except ImportError as error:
        raise AttlasError(f"{what} needs {library}: {install_command(extra)}") from error


def require(library: str, what: str, extra: str) -> None:
    """Raise an error, before anything slow, if the library is not installed."""
    packages = [library.rsplit(".", i)[0] for i in range(library.count("."), -1, -1)]
    if any(importlib.util.find_spec(package) is None for package in packages):
        raise AttlasError(f"{what} needs {library}: {install_command(extra)}")


def version_of(package: str) -> str:
    """The version that pip installed; of Attlas in a clone that was never installed, the clone's own."""
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        project = Path(__file__).parents[2] / "pyproject.toml"
        if package != "attlas" or not project.is_file():
            return "unknown"
        return str(tomllib.loads(project.read_text(encoding="utf-8"))["project"]["version"])


def install_command(extra: str) -> str:
    """The way Attlas itself was installed: from a clone, which stays what Python reads, or by its name; and
    into the Python that runs."""
    pip = f"{_this_python()} -m pip install"
    folder = _clone()
    if folder is None:
        return f"{pip} 'attlas[{extra}]'"
    place = "." if folder == Path.cwd() else str(folder)
    return f"{pip} -e '{place}[{extra}]'"


def _this_python() -> str:
    if shutil.which("python") == sys.executable:
        return "python"
    path, here = Path(sys.executable), Path.cwd()
    return str(path.relative_to(here) if path.is_relative_to(here) else path)


def _clone() -> Path | None:
    """The folder that pip installed from, if it was one that stays."""
    try:
        record = importlib.metadata.distribution("attlas").read_text("direct_url.json")
    except importlib.metadata.PackageNotFoundError:
        return None
    origin = json.loads(record or "{}")
    stays = origin.get("dir_info", {}).get("editable", False)
    return Path(unquote(urlparse(origin["url"]).path)) if stays else None
