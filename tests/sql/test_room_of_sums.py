"""Extremes and percentiles of what is made of a unit's counts and sums have room, however fine the steps of these are."""

from __future__ import annotations

import pytest

from proxy.errors import DpproxyError
from proxy.sql.explain import explain_block
from tests.planned import plan_of
from tests.plans.schema import SCHEMA

CUBE = "dose * dose * dose"
ROOMY = {
    f"sum({CUBE})": "0 to 125000000",
    "sum(dose * dose * (1 - dose))": "-122500000 to 2500000",
    f"coalesce(sum({CUBE}), 0)": "0 to 125000000",
    f"round(sum({CUBE}), 2)": "0 to 125000000",
    f"100 * sum({CUBE})": "0 to 12500000000",
    f"sum({CUBE}) - sum(dose)": "-50000 to 125000000",
    "sum(dose)": "0 to 50000",
    "count(*)": "0 to 1000000",
}


@pytest.mark.parametrize("call", ["max({})", "percentile_cont(0.5) WITHIN GROUP (ORDER BY {})"])
@pytest.mark.parametrize("made", ROOMY)
def test_a_sum_of_products_has_room_for_a_thousand_rows(made: str, call: str) -> None:
    rows = f"FROM (SELECT visit_id, {made} AS v FROM drugs GROUP BY visit_id) AS t"
    plan = plan_of(f"SELECT {call.format('v')} {rows}", SCHEMA)
    limits = [line for line in explain_block(plan) if "values outside" in line]
    assert len(limits) == 1
    assert f"values outside {ROOMY[made]} count" in limits[0]


@pytest.mark.parametrize("made", [f"sum({CUBE}) * sum({CUBE})", "count(*) * count(*)"])
def test_what_goes_much_farther_has_none(made: str) -> None:
    with pytest.raises(DpproxyError, match="requires bounds") as refusal:
        plan_of(f"SELECT max(v) FROM (SELECT visit_id, {made} AS v FROM drugs GROUP BY visit_id) AS t", SCHEMA)
    assert "least(greatest(v, 0), 100)" in (refusal.value.hint or "")
