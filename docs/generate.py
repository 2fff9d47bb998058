"""The pages that are made from the code. `scripts/docs` writes them; a test fails when they are stale."""

import re
from pathlib import Path

from attlas.atlas import REGISTRY
from attlas.cli import app

DOCS = Path(__file__).parent


def cli_page() -> str:
    return app.generate_docs().rstrip() + "\n"


def statistics_page() -> str:
    rows = [f"| `{s.name}` | {s.groups} | {s.meaning} |" for s in REGISTRY.values()]
    table = "\n".join(["| statistic | group | value |", "|---|---|---|", *rows])
    page = (DOCS / "statistics.md").read_text(encoding="utf-8")
    return re.sub(r"\| statistic \| group .*?(?=\n\n)", lambda _: table, page, flags=re.DOTALL)


if __name__ == "__main__":
    (DOCS / "cli.md").write_text(cli_page(), encoding="utf-8")
    (DOCS / "statistics.md").write_text(statistics_page(), encoding="utf-8")
