"""Whose rows the tables of a policy are, against the foreign keys and the names of the catalog."""

from __future__ import annotations

import dataclasses

import pytest

from proxy.policy.catalog import Catalog, Column, ForeignKey
from tests.policy.policies import MARK, VALID, edited, marked_place
from tests.policy.test_lint import (
    CATALOG,
    CODE_TO_REGIONS,
    MINUTES_TO_PATIENTS,
    PATIENTS,
    REGIONS,
    TO_PATIENTS,
    VIA,
    VISITS,
    findings_of,
    table,
    with_column,
)


def test_a_public_table_with_a_column_of_units_is_found() -> None:
    lists = with_column(REGIONS, Column("patient_id", "integer", type_oid=0))
    (finding,) = findings_of(VALID, lists)
    assert (finding.rule, finding.path) == ("DP519", "tables.public.regions.public")
    assert "by which public.patients tells whose a row is" in finding.message
    assert findings_of(VALID, with_column(REGIONS, Column("patient_id", "text", type_oid=0))) == []


@pytest.mark.parametrize(
    ("column", "type_name", "words"),
    [
        ("PatientId", "integer", "it has a column PatientId, by which public.patients tells"),
        ("patient no", "integer", None),
        ("visit_id", "bigint", "its column visit_id seems to refer to the private table public.visits"),
        ("VISIT-ID", "integer", "its column VISIT-ID seems to refer to the private table public.visits"),
        ("visit_id", "text", None),
        ("id", "bigint", None),
    ],
)
def test_a_public_table_that_seems_to_refer_to_private_rows_is_found(
    column: str, type_name: str, words: str | None
) -> None:
    lists = with_column(REGIONS, Column(column, type_name, type_oid=0, nullable=False))
    messages = [found.message for found in findings_of(VALID, lists) if found.rule == "DP519"]
    assert len(messages) == (words is not None)
    assert all(words is not None and words in message for message in messages)


@pytest.mark.parametrize(
    ("target", "further", "words"),
    [
        ("uni.Students", (), "its column code leads to uni.Students, whose rows seem to be people"),
        ("uni.courses", (ForeignKey(("a",), "uni.staff", ("a",)),), "its column code leads to uni.staff"),
        ("uni.courses", (ForeignKey(("a",), "uni.courses", ("a",)),), None),
        ("uni.buildings", (), None),
    ],
)
def test_a_public_table_that_leads_to_people_is_found(
    target: str, further: tuple[ForeignKey, ...], words: str | None
) -> None:
    lists = dataclasses.replace(REGIONS, foreign_keys=(ForeignKey(("code",), target, ("a",)),))
    led = table(target, {"a": "integer"}, "a", *further)
    found = findings_of(VALID, Catalog({**CATALOG.tables, lists.name: lists, target: led}))
    assert [finding.rule for finding in found] == (["DP519"] if words else [])
    assert all(words is not None and words in finding.message for finding in found)


@pytest.mark.parametrize(
    ("column", "words", "hint"),
    [
        ("patient_id", None, ""),
        ("Patient", None, ""),
        ("minutes", "nothing says that minutes is a patient", "write `column: patient_id`"),
        (
            "bill_no",
            "bill_no seems to lead to public.bills",
            "write `via: bill_no -> public.bills.bill_no`",
        ),
    ],
)
def test_a_unit_whose_column_nothing_ties_to_it_is_found(column: str, words: str | None, hint: str) -> None:
    visits = with_column(VISITS, Column(column, "integer", type_oid=0)).tables["public.visits"]
    visits = dataclasses.replace(visits, foreign_keys=())
    bills = table("public.bills", {"bill_no": "integer", "patient_id": "integer"}, "bill_no")
    text = edited(VIA, f"column: {column}") + (
        "  public.bills:\n    unit: {name: patient, column: patient_id}\n    budget: {epsilon: 1, delta: 1e-6}\n"
        "    columns: {patient_id: {}}\n"
    )
    found = findings_of(text, Catalog({**CATALOG.tables, "public.visits": visits, "public.bills": bills}))
    messages = [(finding.message, finding.hint) for finding in found if finding.rule == "DP535"]
    assert len(messages) == (words is not None)
    assert all(words is not None and words in message and hint in said for message, said in messages)


def test_a_unit_that_leads_to_another_row_of_its_table_is_found() -> None:
    own = ForeignKey(("patient_id",), "public.patients", ("born",))
    patients = dataclasses.replace(PATIENTS, foreign_keys=(*PATIENTS.foreign_keys, own))
    (finding,) = findings_of(VALID, Catalog({**CATALOG.tables, "public.patients": patients}))
    assert (finding.rule, finding.path) == ("DP526", "tables.public.patients.unit.column")
    assert "it tells whose that one is, not this one" in finding.message


@pytest.mark.parametrize(
    ("unit", "keys", "place"),
    [
        ("{name: doctor, column: visit_id}", "patient_id", "unit"),
        ("{name: patient, column: visit_id}", "patient_id", "unit.column"),
        ("{name: patient, column: patient_id}", "patient_id", None),
        ("{name: patient, via: patient_id -> public.patients.patient_id}", "patient_id", None),
        ("{name: doctor, column: visit_id}", "minutes", "unit"),
        ("{name: doctor, column: visit_id}", "", None),
    ],
)
def test_rows_are_of_the_unit_that_their_keys_lead_to(unit: str, keys: str, place: str | None) -> None:
    visits = dataclasses.replace(
        VISITS, foreign_keys=(ForeignKey((keys,), "public.patients", ("patient_id",)),) if keys else ()
    )
    text = edited(f"{{name: patient, {VIA}}}", unit).replace("patient: {}", "patient: {}\n  doctor: {}")
    found = findings_of(text, Catalog({**CATALOG.tables, visits.name: visits}))
    paths = [finding.path for finding in found if finding.rule == "DP526"]
    assert paths == ([f"tables.public.visits.{place}"] if place else [])


@pytest.mark.parametrize(
    ("unit", "keys", "message"),
    [
        ("column: code", [CODE_TO_REGIONS], "code leads to public.regions, which is public: nobody is protected"),
        ("column: code", [TO_PATIENTS], "patient_id leads to public.patients, whose rows are the units; code does not"),
        ("column: patient_id", [TO_PATIENTS, MINUTES_TO_PATIENTS], "a second patient, who is not protected here"),
        (VIA, [TO_PATIENTS, MINUTES_TO_PATIENTS], None),
        ("column: patient_id", [TO_PATIENTS, CODE_TO_REGIONS], None),
    ],
)
def test_keys_that_say_otherwise_than_the_unit_are_found(
    unit: str, keys: list[ForeignKey], message: str | None
) -> None:
    catalog = Catalog({**CATALOG.tables, VISITS.name: dataclasses.replace(VISITS, foreign_keys=tuple(keys))})
    found = [finding.message for finding in findings_of(edited(VIA, unit), catalog) if finding.rule == "DP526"]
    assert len(found) == (message is not None)
    assert all(message is not None and message in said for said in found)


@pytest.mark.parametrize(("columns", "is_found"), [("", False), ("\n      region: {}", True)])
def test_a_row_may_refer_to_another_unit_of_its_own_table(columns: str, is_found: bool) -> None:
    parent = ForeignKey(("region",), "public.patients", ("patient_id",))
    catalog = Catalog({**CATALOG.tables, PATIENTS.name: dataclasses.replace(PATIENTS, foreign_keys=(parent,))})
    text = edited("\n      region: {values_from: public.regions.name}", columns)
    found = [finding.path for finding in findings_of(text, catalog) if finding.rule == "DP526"]
    assert found == (["tables.public.patients.columns.region"] if is_found else [])


@pytest.mark.parametrize(
    ("keys", "is_found"),
    [([], True), ([TO_PATIENTS], False), ([MINUTES_TO_PATIENTS], True), ([CODE_TO_REGIONS], True)],
)
def test_a_path_follows_the_foreign_keys_that_there_are(keys: list[ForeignKey], is_found: bool) -> None:
    text, line, column = marked_place(edited(VIA, f"via: {MARK}{VIA.removeprefix('via: ')}"))
    catalog = Catalog({**CATALOG.tables, VISITS.name: dataclasses.replace(VISITS, foreign_keys=tuple(keys))})
    found = [finding for finding in findings_of(text, catalog) if finding.rule == "DP530"]
    assert [(finding.line, finding.column) for finding in found] == ([(line, column)] if is_found else [])


@pytest.mark.parametrize(("column", "is_found"), [("code", True), ("minutes", False)])
def test_columns_of_one_unit_have_one_type(column: str, is_found: bool) -> None:
    text, line, place = marked_place(edited(VIA, f"column: {MARK}{column}"))
    found = [finding for finding in findings_of(text) if finding.rule == "DP531"]
    assert [(finding.line, finding.column) for finding in found] == ([(line, place)] if is_found else [])
