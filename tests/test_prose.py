"""Words and phrases that we dropped from docs, help and sentences for readers, with what to write instead."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
#: what readers see beside the docs: sentences of reports, names, messages of the app
WORDING = [
    *sorted((ROOT / "src/attlas/wording").glob("*.py")),
    ROOT / "src/attlas/reports/highlights.py",
    ROOT / "src/attlas/reports/sentences.py",
]
#: a pattern, and what to write instead
DROPPED = {
    r"\bso many\b": "the number, or 'this size'",
    r"\bsaid otherwise\b": "'otherwise the error says what differs'",
    r"\bfor want of\b": "'because there is no ...'",
    r"(?<!in )\ba (line|row|column|layer|page|chapter) an? [a-z]+": "'one row per head'",
    r"\bless one\b": "'minus one'",
    r"\bless what\b": "'minus the average over ...'",
    r"\bless the farther\b": "'nearby tokens, mostly within 2'",
    r"\breckoned\b": "'estimated'",
    r"\bnine rows in ten\b": "'the 90th percentile'",
    r"\bNo single head is shown to\b": "'switching off any one head changes ... by less than ...'",
    r"\bkills of\b": "'killed 110 times at random'",
    r"\bhas none of it\b": "what is missing",
    r"\bthe measure\b": "'extrapolates from ...'",
    r"\bmend\b": "'fix'",
    r"\bdear\b": "'expensive'",
    r"\bof the most weight\b": "'the heaviest'",
    r"\b[Oo]ff for a reason\b": "the reason",
}


@pytest.mark.parametrize("path", [*PAGES, *WORDING], ids=lambda path: str(path.relative_to(ROOT)))
def test_words_that_we_dropped_stay_away(path: Path) -> None:
    lines = path.read_text(encoding="utf-8").splitlines()
    for number, line in enumerate(lines, 1):
        for pattern, instead in DROPPED.items():
            hit = re.search(pattern, line)
            assert hit is None, f"{path.relative_to(ROOT)}:{number}: instead of “{hit[0]}” write {instead}"
