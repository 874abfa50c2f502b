"""FROM ONLY is FROM of a table that has no children, and refused of another one."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import pytest

from proxy.errors import UnsupportedError
from proxy.policy.catalog import Dependency
from proxy.sql.schema import Schema
from proxy.sql.source_queries.exact_sums import source_statements
from tests.planned import plan_of
from tests.plans.schema import CATALOG, POLICY, SCHEMA

STATEMENTS = {
    "a table": "SELECT count(*) FROM ONLY visits",
    "with its schema and a name": "SELECT region, sum(v.cost) FROM ONLY public.visits AS v GROUP BY 1",
    "beside another one": "SELECT count(*) FROM patients p JOIN ONLY visits v USING (patient_id)",
    "beside a public one": "SELECT r.zone, count(*) FROM ONLY visits v JOIN ONLY regions r ON r.name = v.region GROUP BY 1",
    "in a subquery": "SELECT count(*) FROM patients p WHERE EXISTS (SELECT FROM ONLY visits v WHERE v.patient_id = p.patient_id)",
    "in a CTE": "WITH v AS (SELECT * FROM ONLY visits) SELECT count(*) FROM v",
}


def with_dependency(how: Literal["inherits", "query"]) -> Schema:
    """The clinic, in which rows of another table are rows of visits, or are seen through it."""
    found = (Dependency("public.visits", "public.old_visits", how), Dependency("public.drugs", "public.x", "inherits"))
    return Schema(POLICY, replace(CATALOG, dependencies=found))


@pytest.mark.parametrize("schema", [SCHEMA, with_dependency("query")], ids=["no dependencies", "none that inherits"])
@pytest.mark.parametrize("text", STATEMENTS.values(), ids=STATEMENTS.keys())
def test_a_table_without_children_is_read_as_without_only(text: str, schema: Schema) -> None:
    alone, plain = plan_of(text, schema), plan_of(text.replace("ONLY ", ""), schema)
    assert source_statements(alone) == source_statements(plain)


@pytest.mark.parametrize("text", STATEMENTS.values(), ids=STATEMENTS.keys())
def test_a_table_with_children_is_not_read_alone(text: str) -> None:
    with pytest.raises(UnsupportedError, match="ONLY is not supported in a FROM clause with private tables"):
        plan_of(text, with_dependency("inherits"))


def test_a_public_table_with_children_is_not_read_alone_beside_a_private_one() -> None:
    schema = Schema(POLICY, replace(CATALOG, dependencies=(Dependency("public.regions", "public.more", "inherits"),)))
    with pytest.raises(UnsupportedError, match="ONLY is not supported in a FROM clause with private tables"):
        plan_of("SELECT count(*) FROM visits v JOIN ONLY regions r ON r.name = v.region", schema)
