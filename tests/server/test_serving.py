"""The verb: what it refuses before it listens."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import attlas
from attlas.errors import AttlasError
from attlas.server.prepared_texts import prepared_texts
from attlas.verbs.serve import bytes_of


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"host": "192.168.1.5"}, "give a secret with token"),
        ({"host": "0.0.0.0", "token": "a secret of many characters"}, "listens at every address"),
        ({"host": "192.168.1.5", "token": "short"}, "too short to be a secret"),
        ({"hosts": ["*.example.org"]}, "not the name of a host"),
        ({"memory": "much"}, "is not a size"),
    ],
)
def test_a_server_that_others_could_misuse_is_refused_before_it_listens(
    options: dict[str, object], why: str
) -> None:
    with pytest.raises(AttlasError, match=why):
        attlas.serve("mini", open=False, **options)


def test_memory_is_written_as_people_do() -> None:
    assert [bytes_of(size) for size in ("8GB", "500 MB", "1.5g", "2GiB")] == [8e9, 5e8, 1.5e9, 2e9]


def test_a_static_site_has_an_answer_to_what_its_page_asks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    vig, *_, layer = prepared_texts("mini", "masked", "[MASK]")
    monkeypatch.setattr("attlas.server.state.prepared_texts", lambda *_: [vig, layer])
    result = attlas.serve("mini", export=tmp_path / "site")
    assert result.folder is not None
    page = (result.folder / "index.html").read_text(encoding="utf-8")
    block = re.search(r'data-attlas="app">(.*?)</script>', page, re.DOTALL)
    assert block is not None
    asked = [answer["request"] for answer in json.loads(block[1])["answers"]]
    edits = [[edit["heads"] for edit in request["edits"]] for request in asked]
    assert edits[:3] == [[], [], [[f"0.{head}" for head in range(12)]]]
    assert len(edits) == 3 + 9
    assert all(len(edit[0]) == 1 for edit in edits[3:])
    assert page.count('data-attlas="answer-') == len(asked)
