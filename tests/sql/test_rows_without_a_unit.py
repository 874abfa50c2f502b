"""EXPLAIN and the notice of a charge say which rows count for nobody, as they have no unit."""

from __future__ import annotations

import dataclasses
import uuid

import pytest

from proxy.budget.order import Receipt
from proxy.budget.stored_answer import StoredAnswer
from proxy.policy.catalog import Table
from proxy.query import notices
from proxy.sql.explain import explain_block
from proxy.sql.planning.plan import BlockPlan
from proxy.sql.schema import Schema
from tests.planned import plan_of
from tests.plans.schema import CATALOG, POLICY

_RECEIPT = Receipt(uuid.UUID(int=1), {}, {})


def _answer(plan: BlockPlan) -> StoredAnswer:
    """Of a block that chooses its thresholds, with the first of each."""
    norms = plan.clipping.norms if plan.clipping is not None else ()
    return StoredAnswer((), (), (), (0,) * len(norms), ((0, 0, 0, 0),) * len(norms))


def _nullable(table: Table, column: str) -> Table:
    found = dataclasses.replace(table.columns[column], nullable=True)
    return dataclasses.replace(table, columns={**table.columns, column: found})


def _plan(text: str, *nullable: str) -> BlockPlan:
    """Plan over the clinic in which these columns ("table.column") can be NULL."""
    tables = dict(CATALOG.tables)
    for place in nullable:
        name, column = place.split(".")
        tables[f"public.{name}"] = _nullable(tables[f"public.{name}"], column)
    schema = Schema(POLICY, dataclasses.replace(CATALOG, tables=tables))
    return plan_of(text, schema)


def test_what_is_known_of_a_lone_table_is_known_under_its_conditions_and_alias() -> None:
    """The way from a lone table to its unit is kept: rows that are units of their own would count for nobody, or those
    of a subquery would have the unit of another row, where it was found for another query."""
    visits = POLICY.tables["public.visits"]
    assert visits.unit is not None
    listed = visits.model_copy(update={"unit": visits.unit.model_copy(update={"when_null": "each_row"})})
    policy = POLICY.model_copy(update={"tables": {**POLICY.tables, "public.visits": listed}})
    tables = {**CATALOG.tables, "public.visits": _nullable(CATALOG.tables["public.visits"], "patient_id")}
    schema, texts = Schema(policy, dataclasses.replace(CATALOG, tables=tables)), list[str]()
    for text in (
        "SELECT count(*) FROM visits WHERE patient_id IS NOT NULL",
        "SELECT count(*) FROM visits",
        "SELECT count(*) FROM (SELECT patient_id, sum(cost) AS s FROM visits WHERE patient_id > 0 GROUP BY 1) AS v WHERE s > 1",
        "SELECT count(*) FROM (SELECT patient_id FROM visits UNION ALL SELECT patient_id FROM visits) AS v",
    ):
        alone = plan_of(text, Schema(policy, schema.catalog)).relation
        found = plan_of(text, schema).relation
        assert (found.sql, found.unit_sql, found.unit_nullable) == (alone.sql, alone.unit_sql, alone.unit_nullable)
        texts.append(found.unit_sql)
    assert "CASE WHEN" not in texts[0]
    assert "CASE WHEN" in texts[1]


CASES = {
    "the unit's own column": ("SELECT count(*) FROM visits", ["visits.patient_id"], "public.visits.patient_id"),
    "a foreign key on the way": ("SELECT count(*) FROM drugs", ["drugs.visit_id"], "public.drugs.visit_id"),
    "the unit's column at the end of the way": (
        "SELECT count(*) FROM drugs",
        ["visits.patient_id"],
        "public.visits.patient_id",
    ),
    "either of two tables": (
        "SELECT count(*) FROM visits JOIN stays USING (patient_id)",
        ["visits.patient_id", "stays.patient_id"],
        "public.visits.patient_id or public.stays.patient_id",
    ),
}


@pytest.mark.parametrize(("text", "nullable", "named"), CASES.values(), ids=CASES)
def test_explain_and_the_notice_name_the_column_whose_null_leaves_rows_out(
    text: str, nullable: list[str], named: str
) -> None:
    plan = _plan(text, *nullable)
    said = f"Rows without a unit, where {named} is NULL, are not counted"
    assert f"    {said}" in explain_block(plan)
    detail = notices.charged(plan, (), _RECEIPT, _answer(plan), plan).detail
    assert detail is not None
    assert f" {said}." in detail


@pytest.mark.parametrize("text", [text for text, _, _ in CASES.values()], ids=CASES)
def test_nothing_is_said_where_every_row_has_a_unit(text: str) -> None:
    plan = _plan(text, "visits.minutes", "patients.mother_id")
    assert not any("without a unit" in line for line in explain_block(plan))
    assert "without a unit" not in (notices.charged(plan, (), _RECEIPT, _answer(plan), plan).detail or "")
