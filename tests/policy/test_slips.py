"""Cautions about what was probably not meant, each at its place; and what looks like it, and is fine."""

from __future__ import annotations

import dataclasses

import pytest

from proxy.policy.catalog import Catalog, Dependency, ForeignKey
from proxy.policy.cautions import check_cautions
from tests.policy.policies import MARK, VERIFIER, edited, examine, marked_place
from tests.policy.test_lint import CATALOG, PATIENTS, VISITS, findings_of

pytestmark = pytest.mark.unit

BOUNDS = "cost: {bounds: [0, 5000], step: 0.01}"
LOGIN = f'  ana: {{password: "{VERIFIER}"}}'
BUDGET = "{epsilon: 4, delta: 1e-6}"
DATES = "[2024-01-01, 2026-01-01]"


@pytest.mark.parametrize(
    ("old", "new", "rule"),
    [
        (BOUNDS, f"cost: {{bounds: [0, {MARK}200.000], step: 0.01}}", "DP417"),
        (BOUNDS, f"cost: {{bounds: [-{MARK}1.500, 0]}}".replace(f"-{MARK}", f"{MARK}-"), "DP417"),
        (BUDGET, f"{{epsilon: {MARK}4.000, delta: 1e-6}}", "DP417"),
        ("patient_id: {}", f"patient_id: {{range: {MARK}[1, 3000]}}", "DP418"),
        ("patient_id: {}", f"patient_id: {{values: {MARK}[1, 2]}}", "DP418"),
        ("[cardiology, radiology]", f"[cardiology, {MARK}Cardiology]", "DP419"),
        ("[cardiology, radiology]", f"[cardiology, {MARK}'cardiology ']", "DP419"),
        ("[cardiology, radiology]}", f"[cardiology, radiology], others: {MARK}Radiology}}", "DP419"),
        (LOGIN, LOGIN.replace("ana: {", f"ana smith: {MARK}{{"), "DP224"),
        (LOGIN, LOGIN.replace("ana: {", f"'ana ': {MARK}{{"), "DP224"),
        (LOGIN, LOGIN.replace("}", f", certificate: {MARK}Ana}}"), "DP225"),
        (LOGIN, LOGIN.replace("ana: {", f"data_team: {MARK}{{"), "DP226"),
        ("{epsilon: 1, delta: 1e-7}", f"{MARK}{{epsilon: 1}}", "DP325"),
        (
            BUDGET,
            "{epsilon: 4, delta: 1e-6, renew: {every: week}, unlock: {over: ❱ 8 days}}".replace("❱ ", MARK),
            "DP326",
        ),
        (BUDGET, f"{{epsilon: 4, delta: 1e-6, new_accounts: {MARK}true}}", "DP340"),
        (DATES, f"{MARK}[2024-01-01, 2206-01-01]", "DP416"),
        (DATES, f"{MARK}[1024-01-01, 1026-01-01]", "DP416"),
        ("{epsilon: 0.1, max_epsilon: 1}", f"{{epsilon: 0.1, max_epsilon: {MARK}3}}", "DP312"),
        ("{epsilon: 0.1, max_epsilon: 1}", f"{{epsilon: 0.1, max_epsilon: 1, delta: {MARK}6e-7}}", "DP312"),
    ],
)
def test_what_was_not_meant_is_found(old: str, new: str, rule: str) -> None:
    text, line, column = marked_place(edited(old, new))
    examination = examine(text)
    assert examination.policy is not None, examination.findings
    found = [finding for finding in check_cautions(examination.policy, examination.source_map) if finding.rule == rule]
    assert [(finding.line, finding.column) for finding in found] == [(line, column)]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (BOUNDS, "cost: {bounds: [35.000, 42.000], step: 0.001}"),
        (BOUNDS, "cost: {bounds: [0.125, 5.500]}"),
        (BOUNDS, "cost: {bounds: [0.000, 0.500]}"),
        (BOUNDS, "cost: {bounds: [0, 4.00], step: 0.01}"),
        (BOUNDS, "cost: {bounds: [0, 4.125]}"),
        (BOUNDS, "cost: {bounds: [-1500, 1500]}"),
        ("patient_id: {}", "patient_id: {bounds: [1, 3000]}"),
        (LOGIN, LOGIN.replace("ana", "ana.smith@example.org")),
        (LOGIN, LOGIN.replace("ana", "steam_engineer")),
        (LOGIN, "  ana: {certificate: Ana Smith}"),
        (LOGIN, f"{LOGIN}\nstewards:\n  team: {{certificate: Team}}"),
        ("{epsilon: 1, delta: 1e-7}", "{epsilon: 1, delta: 0}"),
        (BUDGET, "{epsilon: 4, delta: 1e-6, renew: {every: week}, unlock: {over: 7 days}}"),
        (DATES, "[1890-01-01, 2060-01-01]"),
        ("{epsilon: 0.1, max_epsilon: 1}", "{epsilon: 0.1, max_epsilon: 0.5}"),
    ],
)
def test_what_looks_like_it_is_fine(old: str, new: str) -> None:
    examination = examine(edited(old, new) + "timing: null\n")
    assert examination.policy is not None, examination.findings
    assert check_cautions(examination.policy, examination.source_map) == []


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("public.Visits", "write public.visits, as PostgreSQL has it; and list it once"),
        ("'public.visits '", "write public.visits, as PostgreSQL has it; and list it once"),
        ("'public.\"Doctors\"'", "leave out the quotes: "),
        ("public.doctors", "check the spelling; "),
    ],
)
def test_a_table_in_another_spelling_is_named(name: str, hint: str) -> None:
    regions = "public.regions: {public: true}"
    found = [
        each for each in findings_of(edited(regions, f"{regions}\n  {name}: {{public: true}}")) if each.rule == "DP501"
    ]
    assert [each.hint.startswith(hint) for each in found] == [True]


def test_a_key_to_the_unit_s_table_leads_to_its_unit() -> None:
    """A visit's patient_id is no birth year of a patient's."""
    by_year = "unit: {name: patient, column: patient_id}"
    text, line, column = marked_place(
        edited("unit: {name: patient, via: patient_id -> public.patients.patient_id}", f"unit: {{name: patient, column: {MARK}patient_id}}")
        .replace(by_year, by_year.replace("patient_id", "born"), 1)
    )  # fmt: skip
    found = [finding for finding in findings_of(text) if finding.rule == "DP526"]
    assert [(finding.line, finding.column) for finding in found] == [(line, column)]
    assert found[0].message == "patient_id leads to public.patients by its patient_id, but the unit is its born"


def test_each_hop_of_a_path_is_a_foreign_key() -> None:
    bills = dataclasses.replace(
        PATIENTS, name="public.bills", foreign_keys=(ForeignKey(("patient_id",), "public.visits", ("visit_id",)),)
    )
    regions = "public.regions: {public: true}"
    bill = "unit: {name: patient, via: patient_id -> public.visits.visit_id}\n    budget: {epsilon: 1, delta: 1e-6}\n    columns: {patient_id: {}}"
    text = edited(regions, f"{regions}\n  public.bills:\n    {bill}")
    loose = dataclasses.replace(VISITS, foreign_keys=())
    for visits, paths in ((VISITS, set()), (loose, {"tables.public.visits.unit.via", "tables.public.bills.unit.via"})):
        catalog = Catalog({**CATALOG.tables, bills.name: bills, VISITS.name: visits})
        found = {finding.path for finding in findings_of(text, catalog) if finding.rule == "DP530"}
        assert found == ({"tables.public.visits.unit.via"} & paths)


@pytest.mark.parametrize(
    ("target", "is_found"), [("public.visits", False), ("public.totals", True), ("public.f()", False)]
)
def test_a_view_reads_what_is_listed(target: str, is_found: bool) -> None:
    near = dataclasses.replace(PATIENTS, name="public.near", view_definition="SELECT …")
    catalog = dataclasses.replace(
        CATALOG,
        tables={**CATALOG.tables, near.name: near},
        dependencies=(Dependency("public.near", target, "query"),),
    )
    regions = "public.regions: {public: true}"
    text, line, column = marked_place(edited(regions, f"{regions}\n  public.near: {{view: {MARK}true}}"))
    found = [(each.line, each.column) for each in findings_of(text, catalog) if each.rule == "DP534"]
    assert found == ([(line, column)] if is_found else [])


@pytest.mark.parametrize(
    ("read", "is_found"),
    [
        (["regions"], True),
        (["regions", "f()"], True),
        (["far", "regions"], True),
        (["visits", "regions"], False),
        (["f()"], False),
        (["regions", "unlisted"], False),
        (["of_visits"], False),
    ],
)
def test_a_view_of_public_tables_alone_is_public(read: list[str], is_found: bool) -> None:
    """What a view that it reads stands for is read by it, too."""
    views = {
        f"public.{name}": dataclasses.replace(PATIENTS, name=f"public.{name}", view_definition="SELECT …")
        for name in ("near", "far", "of_visits")
    }
    reads = [("far", "regions"), ("of_visits", "visits"), *(("near", target) for target in read)]
    catalog = dataclasses.replace(
        CATALOG,
        tables={**CATALOG.tables, **views},
        dependencies=tuple(Dependency(f"public.{reader}", f"public.{target}", "query") for reader, target in reads),
    )
    regions = "public.regions: {public: true}"
    others = "\n  public.far: {view: true}\n  public.of_visits: {view: true}"
    text, line, column = marked_place(edited(regions, f"{regions}\n  public.near: {{view: {MARK}true}}{others}"))
    found = [each for each in findings_of(text, catalog) if each.rule == "DP536" and each.line == line]
    assert [each.column for each in found] == ([column] if is_found else [])
    assert all("`public: true`" in (each.hint or "") for each in found)
