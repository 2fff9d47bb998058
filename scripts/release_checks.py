"""Checks what a release holds before anybody installs it; standard library alone.

python scripts/release_checks.py dist       # the wheel and the source archive in a folder
python scripts/release_checks.py --extras   # the extras that users install, one per line
"""

from __future__ import annotations

import re
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
MOST_BYTES = 20_000_000  # of the wheel: the embedded model has 14 million
#: what a wheel must have beside the modules: types, the verbs' stubs, the page's script, the embedded model
NEEDED = ("py.typed", "__init__.pyi", "probe.pyi", "views/bundle/attlas.js", "data/mini/model.safetensors")
#: what only development needs
UNWANTED = re.compile(
    r"(^|/)(tests?|benchmarks|research|scripts|web|node_modules|__pycache__)/|\.sha256$|\.map$"
)


def project() -> dict[str, object]:
    table: dict[str, object] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return table


def user_extras() -> list[str]:
    """All extras but those of people who work on Attlas."""
    extras = project()["optional-dependencies"]
    assert isinstance(extras, dict)
    return [extra for extra in extras if extra not in ("dev", "docs")]


def find_faults(names: list[str], size: int) -> list[str]:
    """What is wrong with a wheel of these files and this size."""
    faults = [f"lacks attlas/{name}" for name in NEEDED if f"attlas/{name}" not in names]
    faults += [f"has {name}" for name in names if UNWANTED.search(name)]
    strangers = {name.split("/")[0] for name in names if not re.match(r"attlas(-[^/]+\.dist-info)?/", name)}
    faults += [f"has a top folder {name}" for name in sorted(strangers)]
    if size > MOST_BYTES:
        faults.append(f"has {size / 1e6:.1f} MB: at most {MOST_BYTES / 1e6:.0f} are expected")
    return faults


def lacks_address() -> bool:
    urls = project()["urls"]
    assert isinstance(urls, dict)
    return not urls["Repository"].startswith("https://")


def find_version_faults() -> list[str]:
    """Files that name another version than pyproject.toml."""
    version = project()["version"]
    places = {"CITATION.cff": rf"(?m)^version: {version}$", "CHANGELOG.md": rf"(?m)^## {version}\b"}
    return [
        f"{name} does not have version {version}"
        for name, pattern in places.items()
        if not re.search(pattern, (ROOT / name).read_text(encoding="utf-8"))
    ]


def check(folder: Path) -> list[str]:
    wheels, archives = list(folder.glob("*.whl")), list(folder.glob("*.tar.gz"))
    if len(wheels) != 1 or len(archives) != 1:
        return [f"{folder} must hold one wheel and one source archive"]
    with zipfile.ZipFile(wheels[0]) as wheel:
        names = [info.filename for info in wheel.infolist()]
    with tarfile.open(archives[0]) as archive:
        sources = {name.partition("/")[2] for name in archive.getnames()}
    missing = [
        f"the source archive lacks {n}"
        for n in ("LICENSE", "CITATION.cff", "hatch_build.py")
        if n not in sources
    ]
    size = wheels[0].stat().st_size
    print(f"{wheels[0].name}: {len(names)} files, {size / 1e6:.1f} MB")
    print(f"{archives[0].name}: {archives[0].stat().st_size / 1e6:.1f} MB")
    return [f"the wheel {fault}" for fault in find_faults(names, size)] + missing + find_version_faults()


def main(argument: str) -> int:
    if argument == "--extras":
        print("\n".join(user_extras()))
        return 0
    if lacks_address():
        print("To be done by hand: pyproject.toml has no address of the repository yet")
    faults = check(Path(argument))
    for fault in faults:
        print(fault, file=sys.stderr)
    return int(bool(faults))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
