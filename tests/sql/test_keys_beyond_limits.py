"""Which keys leave rows without a group, as values beyond the policy's limits have groups of their own or NULL."""

from __future__ import annotations

import pytest

from tests.planned import plan_of
from tests.plans.schema import SCHEMA

OF_A_DAY = (
    "extract(dow FROM visited_at)",
    "extract(month FROM visited_at)",
    "date_part('hour', visited_at)",
    "extract(dow FROM visited_at) IN (0, 6)",
    "extract(isodow FROM visited_at) < 6",
    "date_trunc('day', visited_at) = visited_at",
)
CONFINED = "visited_at >= '2024-02-01' AND visited_at < '2024-03-01'"


@pytest.mark.parametrize("key", OF_A_DAY)
def test_infinite_dates_are_in_no_group_where_null_is_none(key: str) -> None:
    """Infinity has neither weekday nor hour: its group is that of NULL, which no date between the limits is in."""
    domain = plan_of(f"SELECT {key}, count(*) FROM visits GROUP BY 1", SCHEMA).domain
    assert domain is not None
    assert "NULL" not in domain.sql
    assert not domain.complete
    assert domain.whole == (False,)


@pytest.mark.parametrize("key", OF_A_DAY)
def test_where_the_query_itself_leaves_no_infinite_dates_every_row_is_in_a_group(key: str) -> None:
    domain = plan_of(f"SELECT {key}, count(*) FROM visits WHERE {CONFINED} GROUP BY 1", SCHEMA).domain
    assert domain is not None
    assert domain.complete
    assert domain.whole == (True,)
