"""A row meets few others where equalities give a part of a unique key and the rest of it has few values."""

from __future__ import annotations

from dataclasses import replace

import pytest

from proxy.policy.catalog import Catalog, ForeignKey
from proxy.policy.model import Policy
from proxy.sql.dialect import parse
from proxy.sql.planning.plan import BlockPlan
from proxy.sql.rows.few_values import most_values
from proxy.sql.rows.fixed_columns import listed_column
from proxy.sql.rows.members import ColumnOrigin, Member
from proxy.sql.rows.multiplicity import WIDE, Multiplicity
from proxy.sql.schema import Schema
from tests.planned import plan_of
from tests.plans.schema import CATALOG, POLICY

OF_REGION = ForeignKey(("region",), "public.regions", ("name",))
BESIDE = "SELECT count(*) FROM stays s JOIN visits v ON v.patient_id = s.patient_id AND v.minutes > s.nights"


def schema(
    regions: int = 5,
    keys: tuple[ForeignKey, ...] = (OF_REGION,),
    policy: Policy = POLICY,
    *,
    present: bool = True,
    secured: bool = False,
) -> Schema:
    """The clinic, whose patients visit each region once."""
    tables = dict(CATALOG.tables)
    visits, public = tables["public.visits"], tables["public.regions"]
    columns = visits.columns | {"region": replace(visits.columns["region"], nullable=not present)}
    unique = visits.unique_keys | {frozenset({"patient_id", "region"})}
    tables["public.visits"] = replace(visits, columns=columns, unique_keys=unique, foreign_keys=keys)
    tables["public.regions"] = replace(public, row_count=regions, row_security=secured)
    tables["public.insurances"] = replace(tables["public.insurances"], row_count=7)
    return Schema(policy, Catalog(tables))


def met(text: str, known: Schema | None = None) -> Multiplicity:
    return plan_of(text, known or schema()).relation.multiplicity


def limits(plan: BlockPlan) -> set[str]:
    return {cut.name for cut in plan.footprint.cuts if cut.meets}


def test_a_row_meets_as_many_as_a_foreign_key_has_values() -> None:
    assert met(BESIDE) == Multiplicity(5)
    assert met(BESIDE, schema(regions=1)) == Multiplicity()
    assert (met(BESIDE, schema(WIDE)), met(BESIDE, schema(WIDE + 1))) == (Multiplicity(WIDE), Multiplicity(1, 1))
    assert (limits(plan_of(BESIDE, schema())), limits(plan_of(BESIDE, schema(WIDE + 1)))) == (
        set(),
        {"public.stays", "public.visits"},
    )


def test_the_key_is_verified() -> None:
    assert ("public.visits", ("patient_id", "region")) in plan_of(BESIDE, schema()).footprint.verified_keys


@pytest.mark.parametrize(
    "known",
    [
        schema(keys=()),
        schema(keys=(replace(OF_REGION, two_equalities=True),)),
        schema(keys=(ForeignKey(("region",), "public.insurances", ("patient_id",)),)),
        schema(keys=(ForeignKey(("region",), "public.unlisted", ("name",)),)),
        schema(keys=(ForeignKey(("region", "day"), "public.regions", ("name", "since")),)),
        schema(secured=True),
    ],
    ids=["none", "two equalities", "to a private table", "to no table", "of two columns", "row security"],
)
def test_other_columns_have_any_number_of_values(known: Schema) -> None:
    assert met(BESIDE, known) == Multiplicity(1, 1)


@pytest.mark.parametrize(("present", "most"), [(True, 5), (False, None)])
def test_a_key_can_hold_null_in_several_rows(present: bool, most: int | None) -> None:
    known = schema(present=present)
    region = ColumnOrigin(Member("v", "t0", known.table("public.visits")), "region")
    assert most_values(region, known) == most


@pytest.mark.parametrize(
    ("condition", "found"),
    [
        ("v.region IN ('a', 'b', 'c')", Multiplicity(3)),
        ("v.region IN ('a', 'b') AND v.region IN ('a', 'b', 'c')", Multiplicity(2)),
        ("v.region NOT IN ('a', 'b')", Multiplicity(1, 1)),
        ("(v.region IN ('a', 'b') OR s.nights = 3)", Multiplicity(1, 1)),
        ("v.region IN ('a', s.ward)", Multiplicity(1, 1)),
        ("v.diagnosis IN ('a', 'b')", Multiplicity(1, 1)),
        ("s.ward IN ('a', 'b')", Multiplicity(1, 1)),
    ],
)
def test_a_list_of_constants_has_as_many_values_as_it_names(condition: str, found: Multiplicity) -> None:
    known = schema(keys=())
    assert met(f"{BESIDE} WHERE {condition}", known) == met(f"{BESIDE} AND {condition}", known) == found


def test_the_condition_of_an_outer_join_limits_what_it_extends_alone() -> None:
    """The rows that it keeps meet others before the source looks at it."""
    left = "SELECT count(*) FROM {} LEFT JOIN {} ON v.patient_id = s.patient_id AND v.region IN ('a', 'b') AND v.minutes > s.nights"
    known = schema(keys=())
    assert met(left.format("stays s", "visits v"), known) == Multiplicity(2)
    assert met(left.format("visits v", "stays s"), known) == Multiplicity(1, 1)


def test_rows_of_a_subquery_have_the_values_that_its_conditions_leave() -> None:
    each = "(SELECT DISTINCT patient_id, visit_id, nights FROM visits JOIN stays USING (patient_id){}) AS {}"
    pairs = "SELECT count(*) FROM {} JOIN {} ON b.patient_id = a.patient_id AND b.visit_id = a.visit_id AND a.nights < b.nights"

    def between(where: str) -> Multiplicity:
        return plan_of(pairs.format(each.format(where, "a"), each.format(where, "b")), schema()).relation.here

    assert between(" WHERE nights IN (1, 2, 3)") == Multiplicity(3)
    assert between(" WHERE nights > 3").private == between(" WHERE minutes IN (1, 2, 3)").private == 1


def test_a_column_that_an_outer_join_extends_can_be_null() -> None:
    found = []
    for word in ("", "LEFT"):
        joined = f"(SELECT DISTINCT s.patient_id, v.region FROM stays s {word} JOIN visits v USING (patient_id)) AS j"
        (member,) = plan_of(f"SELECT count(*) FROM {joined}", schema()).relation.members
        found.append(most_values(ColumnOrigin(member, "region"), schema()))
    assert found == [5, None]


def test_values_that_can_be_equal_in_several_forms_are_no_list() -> None:
    listed = "v.day IN (date '2024-01-01', date '2024-01-02')"
    scope = plan_of(f"SELECT count(*) FROM visits v WHERE {listed}", schema()).relation
    condition = parse(f"SELECT {listed}")
    assert condition is not None
    assert listed_column(condition.expressions[0], scope) is None


def test_exists_meets_few_rows_likewise() -> None:
    exists = "SELECT count(*) FROM stays s WHERE EXISTS (SELECT FROM visits v WHERE v.patient_id = s.patient_id AND v.minutes > s.nights)"
    plan = plan_of(exists, schema())
    assert (plan.relation.multiplicity, limits(plan)) == (Multiplicity(5), set())
    assert ("public.visits", ("patient_id", "region")) in plan.footprint.verified_keys
    assert met(exists, schema(keys=())) == Multiplicity(1, 1)
    beside = plan_of(exists.replace("visits v", "visits v CROSS JOIN holidays"), schema())
    assert beside.relation.multiplicity == Multiplicity(5 * 30)
    tied = "SELECT count(*) FROM stays s WHERE EXISTS (SELECT FROM visits v CROSS JOIN holidays WHERE v.patient_id = s.patient_id)"
    assert met(tied) == Multiplicity(30)
    assert ("public.visits", ("patient_id", "region")) in beside.footprint.verified_keys


def test_parts_of_a_key_that_equal_columns_of_several_tables_are_none() -> None:
    """The source may join with one of them first, along a part of the key alone."""
    tables = dict(schema().catalog.tables)
    visits = tables["public.visits"]
    columns = visits.columns | {"minutes": replace(visits.columns["minutes"], nullable=False)}
    unique = frozenset({frozenset({"patient_id", "minutes", "region"})})
    tables["public.visits"] = replace(visits, columns=columns, unique_keys=unique)
    query = (
        "SELECT count(*) FROM stays s JOIN readings r ON r.patient_id = s.patient_id JOIN visits v ON v.patient_id = "
    )
    both, one = "r.patient_id AND v.minutes = s.nights", "s.patient_id AND v.minutes = s.nights"
    assert [met(query + on, Schema(POLICY, Catalog(tables))) for on in (both, one)] == [
        Multiplicity(1, 1),
        Multiplicity(5),
    ]
