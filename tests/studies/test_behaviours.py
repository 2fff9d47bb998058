"""Clark's rules: a name, how sure it is, and the rule that it overrode."""

from __future__ import annotations

import math

import pytest
from scipy.stats import t

from attlas.row import Row
from attlas.studies.behaviours import behaviours
from compared import Compared

DOCUMENTS = 9


def row(statistic: str, group: str, value: float, stderr: float) -> Row:
    return Row("encoder", 0, 0, statistic, group, value, stderr, 40, DOCUMENTS)


def named(*rows: Row) -> dict[str, tuple[str, float]]:
    names = behaviours(rows, math.log(128), math.log(128))
    return {r.statistic: (r.group, r.value) for r in names}


@pytest.mark.reference("second_behaviour")
def test_a_later_rule_overrides_an_earlier_one_which_is_the_second(compared: Compared) -> None:
    names = named(row("to_next", "", 0.52, 0.01), row("to_class", "sep", 0.65, 0.01))
    assert names["behaviour"] == ("sep", pytest.approx(t.cdf(5, DOCUMENTS - 1)))
    name, sure = names["second_behaviour"]
    assert name == "next"
    compared("second_behaviour", sure, t.cdf(2, DOCUMENTS - 1), 1e-9)  # two standard errors above


@pytest.mark.reference("behaviour")
def test_confidence_is_the_probability_that_the_mean_exceeds_its_threshold(compared: Compared) -> None:
    name, sure = named(row("to_next", "", 0.51, 0.01))["behaviour"]
    assert name == "next"
    compared("behaviour", sure, t.cdf(1, DOCUMENTS - 1), 1e-9)  # one standard error above
    name, sure = named(row("to_next", "", 0.49, 0.01))["behaviour"]
    assert name == "none"
    assert sure == pytest.approx(t.cdf(1, DOCUMENTS - 1))


def test_without_a_standard_error_the_threshold_alone_decides() -> None:
    assert named(row("to_next", "", 0.51, math.nan)) == {"behaviour": ("next", 1.0)}
    assert named(row("to_next", "", 0.2, math.nan)) == {"behaviour": ("none", 1.0)}
