"""What accounts may still spend, in numbers of queries."""

from __future__ import annotations

from fractions import Fraction

import pytest

from proxy.dp.accounting import Account, Price
from proxy.query.limits import queries_left

TENTH = Fraction(1, 10)


@pytest.mark.parametrize(
    ("limit", "expected"),
    [
        pytest.param(Account(Fraction(4), Fraction(1, 10**6)), 59, id="as the page for analysts says"),
        pytest.param(Account(Fraction(3, 10), Fraction(1, 10**6)), 3, id="too small for Gaussian noise"),
        pytest.param(Account(Fraction(3, 10), Fraction(0)), 3, id="without delta"),
    ],
)
def test_queries_left_are_those_that_auto_can_pay(limit: Account, expected: int) -> None:
    assert queries_left(limit, Price.zero(), TENTH) == expected
