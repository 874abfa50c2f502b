"""Listed columns that seem to hold what people wrote."""

from __future__ import annotations

import dataclasses

import pytest

from proxy.policy.catalog import Column
from proxy.policy.cautions import check_cautions
from proxy.policy.free_text import is_free_text
from proxy.policy.identifying import identifying
from tests.policy.policies import MARK, edited, examine, marked_place
from tests.policy.test_lint import CATALOG, findings_of

pytestmark = pytest.mark.unit

SPECIALTY = "specialty: {values: [cardiology, radiology]}"


@pytest.mark.parametrize(
    "name", ["comment", "doctors_note", "orderComment", "Remarks", "message_body", "free_text", "note2", "body"]
)
def test_names_say_it(name: str) -> None:
    assert is_free_text(name)
    assert not is_free_text(name, Column(name, "integer", 23))


@pytest.mark.parametrize(
    "name", ["comment_id", "note_count", "denoted", "annotation_key", "status", "body_mass", "text"]
)
def test_names_of_other_things_do_not(name: str) -> None:
    assert not is_free_text(name)


@pytest.mark.parametrize(("length", "is_long"), [(255, False), (2000, True)])
def test_long_types_say_it_beside_a_catalog(length: int, is_long: bool) -> None:
    column = Column("code", "character varying", 1043, length + 4)
    assert is_free_text("code", column) is is_long
    visits = CATALOG.tables["public.visits"]
    visits = dataclasses.replace(visits, columns={**visits.columns, "code": column})
    catalog = dataclasses.replace(CATALOG, tables={**CATALOG.tables, "public.visits": visits})
    text, line, place = marked_place(edited(SPECIALTY, f"{SPECIALTY}\n      code: {MARK}{{}}"))
    found = [(finding.line, finding.column) for finding in findings_of(text, catalog) if finding.rule == "DP415"]
    assert found == ([(line, place)] if is_long else [])


@pytest.mark.parametrize(("declared", "is_found"), [("{}", True), ("{values: [late, early]}", False)])
def test_declared_values_are_no_free_text(declared: str, is_found: bool) -> None:
    examination = examine(edited(SPECIALTY, f"note: {declared}"))
    assert examination.policy is not None
    found = check_cautions(examination.policy, examination.source_map)
    assert ("DP415" in {finding.rule for finding in found}) is is_found


@pytest.mark.parametrize(
    ("name", "meaning"),
    [("nameFirst", "a name"), ("first_name", "a name"), ("given_name", "a name"), ("name_first_seen", None)],
)
def test_names_of_people_say_it_in_either_order(name: str, meaning: str | None) -> None:
    assert identifying(name, "text") == meaning
