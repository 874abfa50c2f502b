"""Owners' traps: policies that are right line by line and yet publish rows, on catalogs of a few lines."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Literal

import pytest

from proxy.policy.catalog import Catalog, Column, Dependency
from proxy.policy.findings import Finding
from proxy.policy.model import Policy
from proxy.policy.traps import Watch
from tests.policy.policies import VALID, examine
from tests.policy.test_lint import CATALOG, PATIENTS, findings_of

How = Literal["inherits", "query", "rule"]


def source(*dependencies: tuple[str, How, str] | Dependency, views: Sequence[str] = ()) -> Catalog:
    """The usual source, with dependencies: who, how, and of whom; names without their schema."""
    found = tuple(
        dependency
        if isinstance(dependency, Dependency)
        else Dependency(f"public.{dependency[0]}", f"public.{dependency[2]}", dependency[1])
        for dependency in dependencies
    )
    tables = {
        name: dataclasses.replace(table, view_definition="SELECT …" if name.partition(".")[2] in views else None)
        for name, table in (CATALOG.tables | {"public.part": dataclasses.replace(PATIENTS, name="public.part")}).items()
    }
    return dataclasses.replace(CATALOG, tables=tables, dependencies=found)


PART = """\
  public.part:
    unit: {name: patient, column: patient_id}
    budget: {epsilon: 4, delta: 1e-6}
    columns: {patient_id: {}}
"""
WITH_PART = VALID.replace("  public.regions:", PART + "  public.regions:")
WITH_PART_FIRST = VALID.replace("  public.patients:\n", PART + "  public.patients:\n")

PUBLISHED = {
    "a view": source(("regions", "query", "visits")),
    "a view over a view": source(("regions", "query", "near"), ("near", "query", "visits")),
    "a view over a partition": source(("visits", "inherits", "part_1"), ("regions", "query", "part_1")),
    "a partition": source(("visits", "inherits", "regions")),
    "a partition of a partition": source(("visits", "inherits", "half"), ("half", "inherits", "regions")),
    "a parent": source(("regions", "inherits", "visits")),
    "a parent of a parent": source(("regions", "inherits", "half"), ("half", "inherits", "visits")),
    "a table that a rule copies to": source(("regions", "rule", "visits")),
    "a view of a function's query": source(("regions", "query", "f()"), ("f()", "query", "visits")),
}


def test_a_private_partition_without_its_parent_is_found() -> None:
    whole = source()
    part = {"public.part": dataclasses.replace(whole.tables["public.part"], parent="public.patients")}
    assert findings_of(WITH_PART, dataclasses.replace(whole, tables=whole.tables | part)) == []
    part = {"public.part": dataclasses.replace(whole.tables["public.part"], parent="public.people")}
    (finding,) = findings_of(WITH_PART, dataclasses.replace(whole, tables=whole.tables | part))
    assert (finding.rule, finding.path) == ("DP532", "tables.public.part")
    assert finding.message.startswith("a partition of public.people, which is not listed")


@pytest.mark.parametrize("catalog", PUBLISHED.values(), ids=PUBLISHED.keys())
def test_a_public_relation_with_private_rows_is_an_error_and_so_are_values_from_it(catalog: Catalog) -> None:
    values, public = findings_of(VALID, catalog)
    assert (public.path, public.severity) == ("tables.public.regions.public", "error")
    assert public.message.startswith("public, but it shows rows of the private table public.visits")
    assert values.path == "tables.public.patients.columns.region.values_from"
    assert (values.severity, values.message) == ("error", "these values are rows of the private table public.visits")


def test_the_way_to_the_private_table_is_told() -> None:
    _, public = findings_of(VALID, source(("regions", "query", "near"), ("near", "query", "visits")))
    assert public.message == "public, but it shows rows of the private table public.visits through public.near"


def test_what_a_private_view_reads_is_private_unless_it_is_declared_public() -> None:
    shared: list[tuple[str, How, str]] = [("visits", "query", "raw"), ("visits", "query", "regions")]
    warning = "a view with a unit of its own: nothing proves that each of its rows is that unit's, or cannot fail"
    assert [finding.message for finding in findings_of(VALID, source(*shared, views=["visits"]))] == [warning]
    found = findings_of(VALID, source(*shared, ("regions", "query", "raw"), views=["visits"]))
    assert "tables.public.regions.public" in [finding.path for finding in found if finding.severity == "error"]


def test_a_view_that_reads_public_tables_is_no_trap() -> None:
    assert findings_of(VALID, source(("regions", "query", "names"), ("visits", "query", "regions"))) == []


@pytest.mark.parametrize(
    "dependencies",
    [
        [("patients", "inherits", "part")],
        [("patients", "inherits", "half"), ("half", "inherits", "part")],
        [("patients", "inherits", "child"), ("part", "inherits", "child")],
    ],
    ids=["a partition", "a partition of a partition", "one child of both"],
)
def test_a_row_of_two_private_tables_is_an_error(dependencies: list[tuple[str, How, str]]) -> None:
    (finding,) = findings_of(WITH_PART, source(*dependencies))
    assert (finding.path, finding.severity) == ("tables.public.part", "error")
    assert finding.message == "its rows are rows of public.patients too, and would have two budgets"


def errors_of(text: str, catalog: Catalog) -> list[Finding]:
    return [finding for finding in findings_of(text, catalog) if finding.severity == "error"]


OF_VIEWS: dict[str, tuple[list[tuple[str, How, str]], list[str]]] = {
    "a listed table": ([("part", "query", "visits")], ["part"]),
    "through a view": ([("part", "query", "near"), ("near", "query", "visits")], ["part"]),
    "through a function": ([("part", "query", "f()"), ("f()", "query", "visits")], ["part"]),
    "a partition": ([("visits", "inherits", "visits_1"), ("part", "query", "visits_1")], ["part"]),
    "a parent": ([("all_visits", "inherits", "visits"), ("part", "query", "all_visits")], ["part"]),
    "a copy by a rule": ([("copies", "rule", "visits"), ("part", "query", "copies")], ["part"]),
    "a table below two": ([("part", "query", "raw"), ("visits", "query", "raw")], ["part", "visits"]),
    "a listed view": ([("part", "query", "visits"), ("visits", "query", "raw")], ["part", "visits"]),
}


@pytest.mark.parametrize("text", [WITH_PART, WITH_PART_FIRST], ids=["the view last", "the view first"])
@pytest.mark.parametrize(("dependencies", "views"), OF_VIEWS.values(), ids=OF_VIEWS.keys())
def test_a_row_of_a_private_view_and_of_what_it_reads_is_an_error(
    dependencies: list[tuple[str, How, str]], views: list[str], text: str
) -> None:
    """The view is named, unless both are views: then the one that stands further below."""
    (finding,) = errors_of(text, source(*dependencies, views=views))
    named, other = ("visits", "part") if text == WITH_PART_FIRST and "visits" in views else ("part", "visits")
    assert (finding.rule, finding.path) == ("DP608", f"tables.public.{named}")
    assert finding.message == f"its rows are rows of public.{other} too, and would have two budgets"
    assert finding.hint.startswith("write `view: true`")


def test_what_views_have_in_common_is_named_if_it_may_be_public() -> None:
    shared: list[tuple[str, How, str]] = [("part", "query", "towns"), ("visits", "query", "towns")]
    (finding,) = errors_of(WITH_PART, source(*shared, views=["part", "visits"]))
    assert finding.hint.endswith("and with `public: true` what is about nobody, if public.towns is")
    (finding,) = errors_of(WITH_PART, source(("part", "query", "visits"), views=["part"]))
    assert "public: true" not in finding.hint


@pytest.mark.parametrize("common", ["regions", "f()", "pg_catalog.pg_class"])
def test_views_may_have_public_tables_and_functions_in_common(common: str) -> None:
    target = common if "." in common else f"public.{common}"
    shared = [Dependency(f"public.{view}", target, "query") for view in ("part", "visits")]
    assert errors_of(WITH_PART, source(*shared, views=["part", "visits"])) == []


def test_a_view_that_comes_to_read_another_private_table_is_a_problem() -> None:
    policy = examine(WITH_PART).policy
    assert policy is not None
    watch = Watch(policy, source(views=["part"]))
    problem = watch.problem((Dependency("public.part", "public.visits", "query"),), {}, ())
    assert problem is not None
    assert "its rows are rows of public.visits too" in problem


@pytest.mark.parametrize("target", ["pg_catalog.pg_class", "pg_catalog.pg_stats", "pg_catalog.pg_relation_size()"])
def test_a_public_relation_that_shows_what_the_server_knows_is_an_error(target: str) -> None:
    dependencies = [Dependency("public.regions", "public.near", "query")]
    dependencies.append(Dependency("public.near", target, "query", unseen=True))
    (finding,) = findings_of(VALID, source(*dependencies))
    assert (finding.path, finding.severity) == ("tables.public.regions.public", "error")
    assert finding.message == f"public, but it shows what the server knows of private tables: {target}"


def test_time_zones_are_known_to_everybody() -> None:
    zones = Dependency("public.regions", "pg_catalog.pg_timezone_names", "query", unseen=True)
    assert [finding.severity for finding in findings_of(VALID, source(zones))] == ["warning"]


def valid_policy() -> Policy:
    policy = examine(VALID).policy
    assert policy is not None
    return policy


@pytest.mark.parametrize("catalog", PUBLISHED.values(), ids=PUBLISHED.keys())
def test_a_trap_that_is_set_later_is_a_problem(catalog: Catalog) -> None:
    watch = Watch(valid_policy(), CATALOG)
    assert watch.problem(CATALOG.dependencies, {}, ()) is None
    problem = watch.problem(catalog.dependencies, {}, ())
    assert problem is not None
    assert "it shows rows of the private table public.visits" in problem


def test_what_was_known_at_the_start_and_what_shows_no_private_row_is_no_problem() -> None:
    unseen = Dependency("public.regions", "public.told()", "query", unseen=True)
    watch = Watch(valid_policy(), source(unseen))
    assert watch.problem((unseen, Dependency("public.visits", "public.visits_2027", "inherits")), {}, ()) is None
    assert (
        watch.problem((unseen, Dependency("public.regions", "public.shown()", "query", unseen=True)), {}, ())
        is not None
    )


def test_what_cannot_be_seen_is_a_warning() -> None:
    unseen = Dependency("public.regions", "public.told()", "query", unseen=True)
    (finding,) = findings_of(VALID, source(unseen))
    assert (finding.path, finding.severity) == ("tables.public.regions.public", "warning")
    assert finding.message == "public, but it depends on public.told(), and nothing tells what rows that reads"


def database_findings(**changes: object) -> list[Finding]:
    return findings_of(VALID, dataclasses.replace(CATALOG, **changes))  # type: ignore[arg-type]


def test_another_encoding_is_the_only_finding() -> None:
    (finding,) = database_findings(encoding="WIN1252", tables={})
    assert (finding.path, finding.severity) == ("source", "error")
    assert finding.message == "the database's encoding is WIN1252; only UTF8 is supported"
    assert "ENCODING 'UTF8'" in finding.hint


def test_a_superuser_is_a_warning() -> None:
    (finding,) = database_findings(superuser=True)
    assert (finding.path, finding.severity) == ("source", "warning")


def test_collations_that_order_otherwise_are_named_in_a_warning() -> None:
    (finding,) = database_findings(collations={"": "ICU en-US", "public.visits.specialty": "de-x-icu"})
    assert (finding.path, finding.severity) == ("source", "warning")
    assert "the database's collation is ICU en-US" in finding.message
    assert "public.visits.specialty (de-x-icu)" in finding.message


def test_collations_of_columns_that_nobody_sees_are_none() -> None:
    assert database_findings(collations={"public.visits.diary": "de-x-icu"}) == []


def test_row_level_security_is_a_warning() -> None:
    guarded = dataclasses.replace(CATALOG.tables["public.visits"], row_security=True)
    (finding,) = database_findings(tables={**CATALOG.tables, guarded.name: guarded})
    assert (finding.path, finding.severity) == ("tables.public.visits", "warning")
    assert finding.message.startswith("row-level security decides")


@pytest.mark.parametrize(("name", "key"), [("public.patients", "column"), ("public.visits", "via")])
def test_a_unit_that_can_be_null_is_a_warning(name: str, key: str) -> None:
    found = CATALOG.tables[name]
    columns = {**found.columns, "patient_id": Column("patient_id", "integer", type_oid=0)}
    (finding,) = database_findings(tables={**CATALOG.tables, name: dataclasses.replace(found, columns=columns)})
    assert (finding.path, finding.severity) == (f"tables.{name}.unit.{key}", "warning")
    assert finding.message == "patient_id can be NULL, and rows without a unit are not counted"


def test_a_view_has_no_warning_for_a_unit_that_can_be_null() -> None:
    columns = {**PATIENTS.columns, "patient_id": Column("patient_id", "integer", type_oid=0)}
    view = dataclasses.replace(PATIENTS, columns=columns, view_definition="SELECT …")
    found = database_findings(tables={**CATALOG.tables, view.name: view})
    assert not [finding for finding in found if "NULL" in finding.message]


@pytest.mark.parametrize(
    ("name", "lacks", "message", "hint"),
    [
        ("visits", "SELECT", "each query would be charged and then fail", "GRANT SELECT ON public.visits TO"),
        ("visits", "USAGE", "each query would be charged and then fail", "GRANT USAGE ON SCHEMA public, and SELECT ON"),
        ("regions", "SELECT", "`dpproxy serve` could not start", "GRANT SELECT ON public.regions TO"),
    ],
)
def test_a_table_that_the_reader_may_not_read_is_an_error(name: str, lacks: str, message: str, hint: str) -> None:
    (found,) = findings_of(VALID, dataclasses.replace(CATALOG, unreadable={f"public.{name}": lacks}))
    assert (found.rule, found.severity, found.path) == ("DP611", "error", f"tables.public.{name}")
    assert message in found.message
    assert hint in found.hint


CASTS = ("CAST (integer AS text)", "FUNCTION pg_catalog.lower(integer)")


def test_what_users_made_in_the_place_of_what_postgres_has_is_an_error() -> None:
    (finding,) = database_findings(overriding=CASTS)
    assert (finding.rule, finding.severity, finding.path) == ("DP612", "error", "source")
    assert finding.message.endswith(": CAST (integer AS text), FUNCTION pg_catalog.lower(integer)")
    assert "DROP casts" in finding.hint


def test_what_users_make_in_the_place_of_what_postgres_has_later_is_a_problem() -> None:
    watch = Watch(valid_policy(), CATALOG)
    problem = watch.problem(CATALOG.dependencies, {}, CASTS[:1])
    assert problem == "source: source queries would call what users made, not PostgreSQL: CAST (integer AS text)"
