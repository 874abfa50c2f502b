"""Where the tables of a Citus cluster are spread otherwise than by the unit, on catalogs of a few lines."""

from __future__ import annotations

import dataclasses

import pytest

from proxy.policy.catalog import Catalog
from proxy.policy.findings import Finding
from proxy.sql.schema import Schema
from tests.policy.policies import VALID, edited, examine
from tests.policy.test_lint import CATALOG, findings_of


def spread(**columns: str | None) -> list[Finding]:
    """The findings where these tables are distributed by these columns."""
    tables = {
        name: dataclasses.replace(table, distributed_by=columns.get(table.relation_name))
        for name, table in CATALOG.tables.items()
    }
    return findings_of(VALID, Catalog(tables, on_cluster=True))


def test_tables_that_are_spread_by_the_unit_are_right() -> None:
    assert spread(patients="patient_id", visits="patient_id") == []


def test_tables_that_are_whole_on_a_node_are_right() -> None:
    assert spread() == []
    assert spread(patients=None, visits="patient_id", regions="name") == []


def test_another_column_than_the_units_is_a_warning() -> None:
    (finding,) = (found for found in spread(patients="region", visits="patient_id") if found.path.endswith(".column"))
    assert (finding.path, finding.severity) == ("tables.public.patients.unit.column", "warning")
    assert finding.message == "the cluster spreads its rows by region, and those of one unit over all workers"
    assert finding.hint == "SELECT alter_distributed_table('public.patients', distribution_column => 'patient_id')"


def test_a_path_to_the_unit_that_leads_to_other_workers_is_a_warning() -> None:
    for visits, patients in (("visit_id", "patient_id"), ("patient_id", "region")):
        findings = spread(visits=visits, patients=patients)
        (finding,) = (found for found in findings if found.path.endswith(".via"))
        assert (finding.path, finding.severity) == ("tables.public.visits.unit.via", "warning")
        assert finding.message.startswith("the cluster cannot join it with public.patients by patient_id")


@pytest.mark.parametrize(("spread", "can"), [(None, True), ("visit_id", True), ("patient_id", False)])
@pytest.mark.parametrize("keyed", [True, False])
def test_the_column_that_rows_are_spread_by_has_no_null(spread: str | None, can: bool, keyed: bool) -> None:
    """So no row is a unit of its own for that, and units keep the spelling that the workers know."""
    visits = CATALOG.tables["public.visits"]
    nullable = dataclasses.replace(visits.columns["patient_id"], nullable=True)
    columns, keys = visits.columns | {"patient_id": nullable}, visits.unique_keys if keyed else frozenset()
    found = dataclasses.replace(visits, columns=columns, unique_keys=keys, distributed_by=spread)
    catalog = Catalog(CATALOG.tables | {found.name: found}, on_cluster=True)
    by_path = "unit: {name: patient, via: patient_id -> public.patients.patient_id}"
    text = edited(by_path, "unit: {name: patient, column: patient_id, when_null: each_row}")
    findings = [finding for finding in findings_of(text, catalog) if finding.path.endswith("when_null")]
    assert bool(findings) is (can and not keyed)
    policy = examine(text).policy
    assert policy is not None
    table = Schema(policy, catalog).table("public.visits")
    assert table.lone_units is (can and keyed)
    assert (table.can_lack_unit is not None) is (can and not keyed)
