"""Public rows and released lists narrow keys, but not across the order of clocks and moments, or equal spellings."""

from __future__ import annotations

from dataclasses import replace

import pytest

from proxy.policy.catalog import Catalog
from proxy.settings import QuerySettings
from proxy.sql import analysis
from proxy.sql.rows.stage_columns import StageColumn
from proxy.sql.schema import Schema
from tests.end_to_end import clinic
from tests.planned import PUBLIC, analysed
from tests.plans.schema import CATALOG, POLICY
from tests.sql.test_planning import catalog

__all__ = ["catalog"]


def _keys(column: str, type_name: str, catalog: Catalog) -> str:
    schema = Schema(clinic.policy(), catalog)
    limit = f"(VALUES ({type_name} '2024-03-10 07:15')) AS v(low)"
    text = f"SELECT {column}::date, count(*) FROM visits CROSS JOIN {limit} WHERE {column} >= v.low GROUP BY 1"
    (block,) = analysed(text, schema).blocks
    columns = [[StageColumn("low", type_name)]]
    plan = analysis.plan_block(block, schema, PUBLIC, QuerySettings(), "ana", columns).plan
    assert plan.domain is not None
    return plan.domain.sql


@pytest.mark.parametrize(
    ("column", "type_name", "narrows"),
    [
        ("visited_at", "timestamp without time zone", True),
        ("seen_at", "timestamp with time zone", True),
        # At 02:30 in New York, an hour that its clock leaves out on this day, it is later than at 03:15.
        ("visited_at", "timestamp with time zone", False),
        ("seen_at", "timestamp without time zone", False),
    ],
)
def test_only_limits_of_the_columns_own_kind_leave_out_keys(
    column: str, type_name: str, *, narrows: bool, catalog: Catalog
) -> None:
    assert ("EXISTS (SELECT FROM" in _keys(column, type_name, catalog)) == narrows


@pytest.mark.parametrize("collation", [0, 16_400])
def test_a_joined_list_leaves_out_keys_where_only_identical_texts_are_equal(collation: int) -> None:
    """Under such a collation a row may meet the list by a text that the stage takes for a different one."""
    visits = CATALOG.tables["public.visits"]
    region = replace(visits.columns["region"], collation=collation)
    collated = replace(visits, columns={**visits.columns, "region": region})
    schema = Schema(POLICY, Catalog({**CATALOG.tables, "public.visits": collated}))
    listed = "(SELECT region FROM visits GROUP BY 1 ORDER BY count(*) DESC LIMIT 2) AS t ON t.region = v.region"
    (block,) = analysed(f"SELECT v.region, count(*) FROM visits AS v JOIN {listed} GROUP BY 1", schema).blocks
    columns = [[StageColumn("region", "text")]]
    plan = analysis.plan_block(block, schema, PUBLIC, QuerySettings(), "ana", columns).plan
    assert plan.domain is not None
    assert ("EXISTS (SELECT FROM" in plan.domain.sql) == (not collation)
