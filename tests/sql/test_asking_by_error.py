"""dp.error tries one epsilon after the other, and each of the plans that it compares has the same numbers."""

from __future__ import annotations

from fractions import Fraction

import pytest

from proxy.policy.model import Policy
from proxy.settings import QuerySettings
from proxy.sql.planning.aggregates.counts import Count, ValueCount
from proxy.sql.schema import Schema
from tests.planned import plan_of
from tests.plans.schema import CATALOG, POLICY

_TABLES = POLICY.model_dump(mode="json", by_alias=True, exclude_unset=True)
_TABLES["tables"]["public.visits"]["query"] = {"epsilon": 1, "max_epsilon": 100, "min_epsilon": "0.001"}
SCHEMA = Schema(Policy.model_validate(_TABLES), CATALOG)
DISTINCT = "SELECT count(DISTINCT diagnosis) FROM visits WHERE minutes > 10"


@pytest.mark.parametrize("error", [1, 4, 20, 10_000])
@pytest.mark.parametrize("epsilon", [None, Fraction(1, 100), Fraction(100)])
def test_what_is_counted_with_noise_at_the_usual_epsilon_is_so_at_each_that_is_tried(
    error: int, epsilon: Fraction | None
) -> None:
    plan = plan_of(DISTINCT, SCHEMA, QuerySettings(error=Fraction(error), epsilon=epsilon))
    (counted,) = plan.aggregates
    assert isinstance(counted, Count)
    assert counted.reach(plan) <= error


def test_without_an_error_it_is_chosen_where_noise_would_hide_it() -> None:
    chosen, counted = (plan_of(DISTINCT, SCHEMA, QuerySettings(epsilon=Fraction(price))) for price in ("0.1", "1"))
    assert [type(aggregate) for aggregate in (*chosen.aggregates, *counted.aggregates)] == [ValueCount, Count]
