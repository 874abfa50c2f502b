"""Local releases of a column with a name for other values: it is one of the values, and rows are read by it."""

from __future__ import annotations

from fractions import Fraction

from proxy.local_model.question import LocalRequest, local_question
from proxy.policy.catalog import Catalog, Column, Table
from proxy.policy.model import Policy
from proxy.sql.schema import Schema

PEOPLE = Table(
    "public.people",
    {"person": Column("person", "integer", 23, nullable=False), "region": Column("region", "text", 25)},
    ("person",),
    frozenset({frozenset({"person"})}),
)
REGIONS = Table("public.regions", {"name": Column("name", "text", 25)}, declared={"name": ("north", "south")})


def test_other_values_are_released_by_their_name() -> None:
    people = {
        "unit": {"name": "person", "column": "person"},
        "budget": {"epsilon": "4", "delta": "1e-6"},
        "columns": {"region": {"values_from": "public.regions.name", "others": "elsewhere"}},
    }
    tables = {"public.people": people, "public.regions": {"public": True}}
    policy = Policy.model_validate({"version": 1, "units": {"person": {}}, "tables": tables})
    schema = Schema(policy, Catalog({table.name: table for table in (PEOPLE, REGIONS)}))
    question = local_question(LocalRequest("public.people", ("region",), "rappor", Fraction(1), 1), schema)
    assert question.domains == (("north", "south", "elsewhere"),)
    assert """'{"north","south"}'::text[]""" in question.rows.sql(1, 0)
    assert "'elsewhere'::text" in question.rows.sql(1, 0)
