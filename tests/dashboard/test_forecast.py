"""Until when a budget lasts: by what was left over the last days."""

from __future__ import annotations

import datetime as dt
from fractions import Fraction

import pytest

from proxy.dashboard.forecast import Forecast, Step, forecast, history
from proxy.dp.accounting import Account, Price

NOW = dt.datetime(2026, 11, 23, 12, tzinfo=dt.UTC)
DAY = dt.timedelta(days=1)
LIMIT = Account(Fraction(4), Fraction(0))


def steps(*taken: tuple[float, int]) -> list[Step]:
    """Charges: how many days ago, and how much of ε."""
    return [Step(NOW - days * DAY, Price.laplace(Fraction(epsilon))) for days, epsilon in taken]


def foreseen(*taken: tuple[float, int], before: int = 0, since: float = 7) -> Forecast:
    own = steps(*taken)
    spent = sum((step.price for step in own), Price.laplace(Fraction(before)) if before else Price.zero())
    return forecast(history(LIMIT, spent, own, NOW - since * DAY, NOW))


def test_a_history_begins_with_what_was_spent_before_and_ends_now() -> None:
    own = steps((3, 1), (1, 2))
    points = history(LIMIT, Price.laplace(Fraction(1)) + own[0].price + own[1].price, own, NOW - 7 * DAY, NOW)
    assert [(NOW - point.at, point.left) for point in points] == [
        (7 * DAY, 0.75),
        (3 * DAY, 0.5),
        (DAY, 0),
        (dt.timedelta(), 0),
    ]


def test_a_week_of_spending_goes_on() -> None:
    found = foreseen((7, 1), (3.5, 1), since=7)
    assert found.per_day == pytest.approx(0.5 / 7)
    assert found.empty_at is not None
    assert found.empty_at - NOW == pytest.approx(7 * DAY, abs=dt.timedelta(minutes=1))


def test_the_first_burst_is_taken_for_that_of_a_day() -> None:
    found = foreseen((0.01, 1))
    assert found.per_day == pytest.approx(0.25)
    assert found.empty_at is not None
    assert found.empty_at - NOW == pytest.approx(3 * DAY, abs=dt.timedelta(minutes=1))


def test_a_rate_is_that_of_the_time_since_the_first_charge() -> None:
    assert foreseen((2, 1)).per_day == pytest.approx(0.125)


def test_nothing_spent_lasts() -> None:
    assert foreseen() == Forecast(0, DAY, None)
    assert foreseen(before=2).empty_at is None


def test_what_is_empty_is_empty_now() -> None:
    assert foreseen((1, 4)).empty_at == NOW


def test_ages_are_no_forecast() -> None:
    account = Account(Fraction(10**6), Fraction(0))
    own = steps((5, 1))
    assert forecast(history(account, own[0].price, own, NOW - 7 * DAY, NOW)).empty_at is None
