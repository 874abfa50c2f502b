"""What the notice says of the noise of several aggregates: no aggregate is left out."""

from __future__ import annotations

import pytest

from proxy.sql.planning.accuracy import accuracy_text
from tests.planned import plan_of
from tests.plans.schema import SCHEMA


@pytest.mark.parametrize(
    ("calls", "told"),
    [
        ("count(*), avg(cost)", "count(*) within ±759 rows, avg(cost) within ±536758 / its rows"),
        ("stddev(cost), corr(cost, minutes)", "dp.low and dp.high tell it of each group"),
        ("count(*), stddev(cost)", "count(*) within ±877 rows; dp.low and dp.high tell that of stddev(cost)"),
        (
            "count(*), stddev(cost), corr(cost, minutes)",
            "count(*) within ±1386 rows; dp.low and dp.high tell that of stddev(cost) and corr(cost, minutes)",
        ),
        (
            "count(*), " + ", ".join(f"variance(cost + {number})" for number in range(7)),
            "count(*) within ±2056 rows; dp.low and dp.high tell that of all others",
        ),
    ],
)
def test_the_noise_of_each_aggregate_is_told(calls: str, told: str) -> None:
    assert accuracy_text(plan_of(f"SELECT {calls} FROM visits", SCHEMA)) == f"95 % of the noise: {told}"
