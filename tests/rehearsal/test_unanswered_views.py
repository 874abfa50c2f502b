"""`check` says of which views no query can be answered, and is silent about others."""

from __future__ import annotations

import dataclasses

import pytest

from proxy.commands.check import findings_of_file
from proxy.policy.catalog import Dependency
from proxy.policy.findings import Finding
from tests.policy.policies import MARK, edited, examine, marked_place
from tests.policy.test_lint import CATALOG, PATIENTS

pytestmark = pytest.mark.unit

REGIONS = "public.regions: {public: true}"
JOINED = "FROM public.visits v JOIN public.patients p ON "
LISTED = f"{REGIONS}\n  public.near: {{view: {MARK}true}}"


def found_of(definition: str, listed: str = LISTED) -> list[Finding]:
    """What is said of a view, at its place."""
    near = dataclasses.replace(PATIENTS, name="public.near", view_definition=definition)
    read = [name for name in CATALOG.tables if f"{name} " in f"{definition} "]
    catalog = dataclasses.replace(
        CATALOG,
        tables={**CATALOG.tables, near.name: near},
        dependencies=tuple(Dependency(near.name, name, "query") for name in read),
    )
    text, line, column = marked_place(edited(REGIONS, listed))
    found = [each for each in findings_of_file("policy.yaml", examine(text), catalog) if each.rule == "DP537"]
    assert all((each.line, each.column, each.severity) == (line, column, "warning") for each in found)
    return found


@pytest.mark.parametrize(
    ("definition", "message", "hint"),
    [
        (
            f"SELECT v.specialty, sum(v.cost) AS total {JOINED}p.born = v.patient_id GROUP BY v.specialty",
            "this join could combine rows of more than one patient",
            "v.patient_id = p.patient_id",
        ),
        (f"SELECT v.specialty {JOINED}p.born = v.patient_id", "this join could combine", "v.patient_id = p.patient_id"),
        ("SELECT rank() OVER (ORDER BY cost) AS place FROM public.visits ", "this window function", "PARTITION BY"),
        ("SELECT count(*) AS n FROM public.visits WHERE minutes > 3", "minutes", "leave it out"),
        ("SELECT region, ascii(region) AS first FROM public.patients ", "the function ascii()", "leave it out"),
        ("SELECT region FROM public.patients ORDER BY region USING ~<~", "could not parse the definition", "leave it"),
    ],
)
def test_a_view_of_which_no_query_is_answered_is_a_warning(definition: str, message: str, hint: str) -> None:
    (found,) = found_of(definition)
    assert found.message.startswith("a query of it is refused: ")
    assert message in found.message
    assert hint in (found.hint or "")
    assert "data steward" not in (found.hint or "")


@pytest.mark.parametrize(
    "definition",
    [
        f"SELECT v.specialty, sum(v.cost) AS total {JOINED}p.patient_id = v.patient_id GROUP BY v.specialty",
        f"SELECT v.cost {JOINED}p.patient_id = v.patient_id",
        "SELECT patient_id, count(*) AS n FROM public.visits GROUP BY patient_id",
        "SELECT p.born, r.name FROM public.patients p JOIN public.regions r ON r.name = p.region",
        # What a stage would have to compute is left open.
        f"SELECT v.cost {JOINED}p.born = v.patient_id AND v.cost > (10 + 3)",
        # A view of public tables alone has a warning of its own.
        "SELECT name FROM public.regions ",
    ],
)
def test_a_view_of_which_something_can_be_asked_is_not(definition: str) -> None:
    assert found_of(definition) == []


def test_a_policy_with_errors_is_not_planned_with() -> None:
    listed = f"{REGIONS}\n  public.near: {{view: {MARK}true, columns: {{none: {{}}}}}}"
    assert found_of(f"SELECT v.specialty {JOINED}p.born = v.patient_id", listed) == []
