"""The pages that are made from the code. `scripts/docs` writes them; a test fails when they are stale."""

import math
import re
from pathlib import Path

from attlas.atlas import REGISTRY, Statistic
from attlas.cli import app

DOCS = Path(__file__).parent


def cli_page() -> str:
    return app.generate_docs().rstrip() + "\n"


def statistics_page() -> str:
    rows = [
        f"| `{s.name}` | {s.groups} | {s.meaning} | {_range(s)} | {s.chance} |".replace(
            "|dL/dα|", "\\|dL/dα\\|"
        ).replace("|dL/dgate|", "\\|dL/dgate\\|")
        for s in REGISTRY.values()
    ]
    head = ["| statistic | group | value | range | by even attention, or chance |", "|---|---|---|---|---|"]
    page = (DOCS / "statistics.md").read_text(encoding="utf-8")
    table = "\n".join([*head, *rows])
    return re.sub(r"\| statistic \| group .*?(?=\n\n)", lambda _: table, page, flags=re.DOTALL)


def _range(s: Statistic) -> str:
    if s.low == s.high:
        return f"{s.low:g}"
    if not math.isfinite(s.low):
        return "any number"
    return f"{s.low:g} to {s.high:g}" if math.isfinite(s.high) else f"{s.low:g} and more"


if __name__ == "__main__":
    (DOCS / "cli.md").write_text(cli_page(), encoding="utf-8")
    (DOCS / "statistics.md").write_text(statistics_page(), encoding="utf-8")
