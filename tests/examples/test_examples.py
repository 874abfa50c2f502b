"""Each policy of the folder has a catalog that is its tables', and queries that are planned as they expect."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from proxy.commands.check import findings_of_file
from proxy.commands.explain import rehearsed
from proxy.policy.catalog_file import catalog_of_policy, read_catalog_file
from proxy.policy.load import examine_policy
from proxy.postgres.embedded import EmbeddedPostgres
from proxy.rehearsal.planners import starting_rehearsals
from tests.conftest import SERVER_SETTINGS
from tests.examples.databases import EXAMPLES, FOLDER, catalog_path, policy_of, queries_path, read_catalog_of

pytestmark = pytest.mark.postgres


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """One whose databases have the examples' names."""
    with EmbeddedPostgres(tmp_path_factory.mktemp("examples"), durable=False, settings=SERVER_SETTINGS) as postgres:
        yield postgres.dsn()


def test_every_policy_of_the_folder_is_an_example() -> None:
    assert {path.stem for path in FOLDER.glob("*.yaml")} | {"demo"} == EXAMPLES.keys()
    assert {path.stem for path in (FOLDER / "queries").iterdir()} == EXAMPLES.keys()
    assert {path.stem for path in (FOLDER / "catalogs").iterdir()} == EXAMPLES.keys()


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_catalog_is_that_of_the_tables(name: str, server: str) -> None:
    found = read_catalog_of(name, server)
    kept = read_catalog_file(catalog_path(name))
    assert replace(kept, tables={}) == replace(found, tables={})
    for table, expected in found.tables.items():
        assert kept.tables[table] == expected, f"{table}: python -m tests.examples writes it anew"


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_policy_fits_its_catalog_and_the_queries_are_planned_as_they_expect(name: str) -> None:
    policy = policy_of(name)
    catalog = catalog_of_policy(read_catalog_file(catalog_path(name)), policy)
    path: Path = EXAMPLES[name][0]
    findings = findings_of_file(path.name, examine_policy(path), catalog)
    assert [str(finding) for finding in findings if finding.rule not in ACCEPTED] == []
    script = queries_path(name).read_text(encoding="utf-8")
    with starting_rehearsals() as rehearsals:
        assert rehearsed("check", policy, catalog, None, {f"{name}.sql": script}, rehearsals) == [[]]
        (recorded,) = rehearsed("record", policy, catalog, None, {name: script}, rehearsals)
    assert recorded == script, "python -m tests.examples records what is planned"
    assert "-- expect: refused" in recorded
    assert recorded.count("-- expect: answered") >= 5


ACCEPTED = ("DP507", "DP610")
"""Declared values that nothing enforces, and rows without a unit: remarks about the made-up tables, not the policies."""
