"""A unique column that can be NULL tells the unit only where it is not: NULL is one group of many units in Postgres."""

from __future__ import annotations

from dataclasses import replace

import pytest

from proxy.errors import UnsupportedError
from proxy.sql.schema import Schema
from tests.planned import plan_of
from tests.plans.schema import CATALOG, POLICY


def _schema(*, nullable: bool = True) -> Schema:
    """The clinic, where no two patients have the same mother."""
    patients = CATALOG.tables["public.patients"]
    columns = {**patients.columns, "mother_id": replace(patients.columns["mother_id"], nullable=nullable)}
    keys = patients.unique_keys | {frozenset({"mother_id"})}
    changed = replace(patients, columns=columns, unique_keys=keys)
    return Schema(POLICY, replace(CATALOG, tables={**CATALOG.tables, "public.patients": changed}))


ROWS = {
    "grouped": "SELECT mother_id FROM patients{} GROUP BY mother_id",
    "counted by group": "SELECT mother_id, count(*) AS n FROM patients{} GROUP BY mother_id",
    "distinct": "SELECT DISTINCT mother_id FROM patients{}",
    "the first of each": "SELECT DISTINCT ON (mother_id) mother_id, height FROM patients{} ORDER BY mother_id, height",
    "a union": "SELECT mother_id FROM patients{0} UNION SELECT mother_id FROM patients{0}",
    "in a window": "SELECT row_number() OVER (PARTITION BY mother_id ORDER BY height) AS n FROM patients{}",
    "spelled otherwise": "SELECT mother_id::text FROM patients{} GROUP BY mother_id::text",
    "of a subquery": "SELECT m FROM (SELECT mother_id AS m FROM patients{}) AS p GROUP BY m",
}


@pytest.mark.parametrize("rows", ROWS.values(), ids=ROWS)
def test_without_null_it_tells_the_unit(rows: str) -> None:
    text = f"SELECT count(*) FROM ({rows}) AS x"
    with pytest.raises(UnsupportedError) as refusal:
        plan_of(text.format(""), _schema())
    assert refusal.value.rule in ("mixed-rows", "window-over-units", "row-set-operation")
    assert plan_of(text.format(" WHERE mother_id IS NOT NULL"), _schema())
    assert plan_of(text.format(" WHERE mother_id > 3"), _schema())
    assert plan_of(text.format(""), _schema(nullable=False))


def test_the_refusal_says_what_to_write() -> None:
    with pytest.raises(UnsupportedError) as refusal:
        plan_of("SELECT count(*) FROM (SELECT DISTINCT mother_id FROM patients) AS x", _schema())
    assert "WHERE patients.mother_id IS NOT NULL" in (refusal.value.hint or "")


def test_joins_by_it_tie_units_as_before() -> None:
    text = "SELECT count(*) FROM patients p JOIN patients q ON q.mother_id = p.mother_id"
    assert plan_of(text, _schema())
    assert plan_of(f"{text} JOIN visits v ON v.patient_id = q.patient_id", _schema())


def test_beside_the_unit_it_can_be_null() -> None:
    assert plan_of("SELECT count(*) FROM (SELECT DISTINCT patient_id, mother_id FROM patients) AS x", _schema())
