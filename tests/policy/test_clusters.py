"""Where the tables of a Citus cluster are spread otherwise than by the unit, on catalogs of a few lines."""

from __future__ import annotations

import dataclasses

from proxy.policy.catalog import Catalog
from proxy.policy.findings import Finding
from tests.policy.policies import VALID
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
