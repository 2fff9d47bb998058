"""The verb: what it refuses before it listens."""

from __future__ import annotations

import pytest

import attlas
from attlas.errors import AttlasError
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
