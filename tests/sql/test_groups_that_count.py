"""Where groups that look empty count among those that a query around them adds up, and hiding them would change it."""

from __future__ import annotations

import pytest

from proxy.sql.staging.outer_aggregates import counts_groups, grouped_blocks
from tests.planned import analysed
from tests.plans.schema import SCHEMA

OF_A_REGION = "FROM visits v WHERE v.region = r.name"


@pytest.mark.parametrize(
    ("condition", "counts"),
    [
        (f"EXISTS (SELECT 1 {OF_A_REGION})", False),
        (f"NOT EXISTS (SELECT 1 {OF_A_REGION})", False),
        (f"(SELECT bool_or(urgent) {OF_A_REGION}) IS NULL", True),
        (f"coalesce((SELECT bool_or(urgent) {OF_A_REGION}), true)", True),
        (f"NOT coalesce((SELECT bool_or(urgent) {OF_A_REGION}), false)", False),
        (f"(SELECT count(*) {OF_A_REGION}) < 5", True),
        (f"coalesce((SELECT bool_and(urgent) {OF_A_REGION}), false)", True),
    ],
)
def test_a_block_that_stands_for_exists_does_not_count(condition: str, counts: bool) -> None:
    found = analysed(f"SELECT count(*) FROM regions r WHERE {condition}", SCHEMA)
    assert counts_groups(grouped_blocks(found.nodes)) is counts


def test_another_block_beside_it_does() -> None:
    groups = "SELECT region, count(*) AS n FROM visits GROUP BY region"
    text = (
        f"SELECT avg(n) FROM ({groups}) AS g JOIN regions r ON r.name = g.region WHERE EXISTS (SELECT 1 {OF_A_REGION})"
    )
    assert counts_groups(grouped_blocks(analysed(text, SCHEMA).nodes))


def test_joined_groups_that_add_no_row_where_they_are_left_out_count() -> None:
    text = (
        "SELECT count(*) FROM regions r JOIN (SELECT region, bool_or(urgent) AS b FROM visits GROUP BY region) AS g "
        "ON g.region = r.name WHERE NOT coalesce(b, false)"
    )
    assert counts_groups(grouped_blocks(analysed(text, SCHEMA).nodes))
