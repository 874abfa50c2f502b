"""Rows without a unit that the policy makes units of their own: what the source must have for it."""

from __future__ import annotations

import dataclasses

import pytest

from proxy.policy.catalog import Catalog, Column, Table
from proxy.policy.findings import Finding
from proxy.policy.model import Policy
from proxy.policy.row_keys import row_key
from proxy.sql.schema import Schema
from tests.policy.policies import VALID, edited, examine
from tests.policy.test_lint import CATALOG, PATIENTS, findings_of

UNIT = "unit: {name: patient, column: patient_id}"
EACH_ROW = edited(UNIT, "unit: {name: patient, column: patient_id, when_null: each_row}")
EXCLUDED = edited(UNIT, "unit: {name: patient, column: patient_id, when_null: exclude}")
VIA = "via: patient_id -> public.patients.patient_id"
EXCLUDED_VIA = edited(VIA, f"{VIA}, when_null: exclude")


def a_column(name: str, type_name: str, **changes: object) -> Column:
    return dataclasses.replace(Column(name, type_name, type_oid=0, nullable=False), **changes)  # type: ignore[arg-type]


def patients(*keys: str, **changes: object) -> Table:
    """The patients with units that can be NULL, keys (columns separated by commas), and changes of the column region."""
    columns = {**PATIENTS.columns, "patient_id": a_column("patient_id", "integer", nullable=True)}
    columns["region"] = dataclasses.replace(columns["region"], **changes)  # type: ignore[arg-type]
    unique = frozenset(frozenset(key.split(",")) for key in keys)
    return dataclasses.replace(PATIENTS, columns=columns, primary_key=(), unique_keys=unique)


def found_of(text: str, table: Table) -> list[Finding]:
    found = findings_of(text, Catalog({**CATALOG.tables, table.name: table}))
    return [finding for finding in found if "unit" in finding.path]


KEPT = ("patient_id", "region,born")
WITHOUT_A_KEY = {
    "no key at all": patients("patient_id"),
    "a key that can be NULL": patients("patient_id", "region", nullable=True),
    "a key of another type": patients("patient_id", "region", type_name="jsonb"),
    "a key of floats, of which 0 is -0": patients("patient_id", "region", type_name="double precision"),
    "a key of an extension's type": patients("patient_id", "region", cast_to_text=True),
    "a key of numbers of any length": patients("patient_id", "region", type_name="numeric"),
    "a key of long numbers": patients(
        "patient_id", "region", type_name="numeric", scale=2, type_modifier=(900 << 16) + 6
    ),
}


def test_rows_that_a_key_tells_apart_may_be_units_of_their_own() -> None:
    assert found_of(EACH_ROW, patients(*KEPT)) == []


@pytest.mark.parametrize("table", WITHOUT_A_KEY.values(), ids=WITHOUT_A_KEY)
def test_rows_that_nothing_tells_apart_are_an_error_and_count_for_nobody(table: Table) -> None:
    (finding,) = found_of(EACH_ROW, table)
    assert (finding.severity, finding.path) == ("error", "tables.public.patients.unit.when_null")
    assert finding.message == "nothing tells apart the rows in which patient_id is NULL"
    assert "add a primary key" in finding.hint
    assert "`when_null: exclude`" in finding.hint
    named = _schema(EACH_ROW, table).table("public.patients")
    assert (named.lone_key, named.can_lack_unit) == ((), "public.patients.patient_id")


def test_units_whose_texts_are_equal_and_differ_are_not_mixed_with_rows() -> None:
    table = patients(*KEPT)
    unit = dataclasses.replace(table.columns["patient_id"], type_name="text", collation=12345)
    table = dataclasses.replace(table, columns={**table.columns, "patient_id": unit})
    found = [finding for finding in found_of(EACH_ROW, table) if finding.path.endswith("when_null")]
    assert [(finding.severity, finding.path) for finding in found] == [
        ("error", "tables.public.patients.unit.when_null")
    ]
    assert "deterministic collation" in found[0].hint
    assert _schema(EACH_ROW, table).table("public.patients").lone_key == ()


def test_a_unit_that_is_never_null_needs_no_key() -> None:
    table = dataclasses.replace(PATIENTS, primary_key=())
    assert found_of(EACH_ROW, table) == []
    assert not _schema(EACH_ROW, table).table("public.patients").lone_units


@pytest.mark.parametrize("text", [EXCLUDED, EXCLUDED_VIA])
def test_rows_that_are_left_out_on_purpose_are_no_warning(text: str) -> None:
    table = patients(*KEPT)
    visits = CATALOG.tables["public.visits"]
    columns = {**visits.columns, "patient_id": a_column("patient_id", "integer", nullable=True)}
    changed = table if text is EXCLUDED else dataclasses.replace(visits, columns=columns)
    assert len(found_of(VALID, changed)) == 1
    assert found_of(text, changed) == []


def test_the_warning_says_what_the_policy_may_say() -> None:
    (finding,) = found_of(VALID, patients(*KEPT))
    assert "state `when_null: exclude`" in finding.hint
    assert "`when_null: each_row`" in finding.hint


def test_the_primary_key_tells_rows_apart_or_else_the_shortest() -> None:
    table = patients("patient_id", "region,born", "born", "region")
    assert row_key(table) == ("born",)
    assert row_key(dataclasses.replace(table, primary_key=("region", "born"))) == ("born", "region")
    assert row_key(dataclasses.replace(table, primary_key=("patient_id",))) == ("born",)


def _schema(text: str, table: Table) -> Schema:
    examination = examine(text)
    assert isinstance(examination.policy, Policy)
    return Schema(examination.policy, Catalog({**CATALOG.tables, table.name: table}))
