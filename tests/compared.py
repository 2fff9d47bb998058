"""What tests compare with an independent reference: so that `test_guards.py` can see what none compares.

A test that computes a statistic, an edit or a pattern in another way is marked with what it compares, as in
`@pytest.mark.reference("gradient")`, and hands both numbers to the fixture `compared`. A marked test that
compares nothing fails.
"""

from __future__ import annotations

from typing import Any

import numpy as np


class Compared:
    """Asserts that a value is what its reference says, and notes what the value was of."""

    def __init__(self) -> None:
        self.what: set[str] = set()

    def __call__(self, what: str, value: Any, expected: Any, tolerance: float = 0.0) -> None:
        np.testing.assert_allclose(value, expected, rtol=0, atol=tolerance, err_msg=what)
        self.what.add(what)
