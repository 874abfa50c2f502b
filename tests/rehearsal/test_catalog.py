"""The catalog as a file: what it says of the clinic, that nothing is lost on the way, and what is no catalog."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from proxy.policy.catalog import Catalog, Table
from proxy.policy.catalog_file import CatalogFileError, catalog_of_policy, catalog_text, read_catalog_file
from proxy.policy.lint import check_against_catalog
from proxy.policy.model import Policy
from proxy.postgres.catalog_reader import catalog_for
from proxy.postgres.survey import estimated_units
from tests.end_to_end.odd_clinic import odd_policy
from tests.policy.test_cli import dpproxy

pytestmark = pytest.mark.postgres


def without_further_values(table: Table) -> Table:
    """Without the declared values that a file has for all `values_from`, and a server reads beside `others` alone."""
    return replace(table, declared={})


def test_the_file_says_what_the_source_says_of_the_policys_tables(catalog_file: Path, clinic_source: str) -> None:
    policy = odd_policy()
    kept, read = catalog_of_policy(read_catalog_file(catalog_file), policy), catalog_for(clinic_source, policy)
    assert kept.tables.keys() == read.tables.keys()
    for name, table in read.tables.items():
        assert without_further_values(kept.tables[name]) == without_further_values(table), name
    assert kept.tables["public.regions"].declared == {"name": ("east", "north", "nowhere", "south", "west")}
    assert replace(kept, tables={}) == replace(read, tables={})
    assert check_against_catalog(policy, kept) == check_against_catalog(policy, read)


def test_the_same_catalog_gives_the_same_text_and_the_text_the_same_catalog(catalog_file: Path, tmp_path: Path) -> None:
    text = catalog_file.read_text(encoding="utf-8")
    again = tmp_path / "again.json"
    again.write_text(catalog_text(read_catalog_file(catalog_file)), encoding="utf-8")
    assert again.read_text(encoding="utf-8") == text


def test_nothing_of_a_private_row_is_in_the_file(catalog_file: Path) -> None:
    tables = json.loads(catalog_file.read_text(encoding="utf-8"))["tables"]
    private = [name for name, table in odd_policy().tables.items() if not table.public]
    assert private
    for name in private:
        assert not tables[name].keys() & {"row_count", "ranges", "octets", "texts", "declared"}


def test_rows_of_a_table_that_has_become_private_are_forgotten(catalog_file: Path) -> None:
    policy = odd_policy()
    tables = {**policy.tables, "public.regions": policy.tables["public.visits"]}
    kept = catalog_of_policy(read_catalog_file(catalog_file), policy.model_copy(update={"tables": tables}))
    assert (kept.tables["public.regions"].row_count, kept.tables["public.regions"].declared) == (None, {})


def test_a_table_that_has_become_public_needs_a_new_file(catalog_file: Path) -> None:
    policy = Policy.model_validate({"version": 1, "tables": {"public.visits": {"public": True}}})
    with pytest.raises(CatalogFileError, match=r"says nothing of the rows of public\.visits, .* `dpproxy catalog"):
        catalog_of_policy(read_catalog_file(catalog_file), policy)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("{", "not JSON"),
        ("[" * 100_000, "not JSON"),
        ("[]", "not a catalog"),
        ('{"tables": {}}', "not a catalog"),
        ('{"dpproxy_catalog": 2}', "format 2 is not 1"),
        ('{"dpproxy_catalog": 1, "server_version": "new"}', "server_version: Input should be a valid integer"),
        ('{"dpproxy_catalog": 1, "tables": {"a.b": {"name": "a.b"}}}', r"tables\.a\.b\.columns: Field required"),
    ],
)
def test_what_is_no_catalog_is_said_in_one_line(content: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "catalog.json"
    path.write_text(content)
    with pytest.raises(CatalogFileError, match=message) as error:
        read_catalog_file(path)
    assert "\n" not in str(error.value)


def test_a_file_that_is_not_there_is_said_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(CatalogFileError, match="cannot be read: No such file"):
        read_catalog_file(tmp_path / "absent.json")


def test_a_file_may_say_nothing_of_how_long_public_texts_are(catalog_file: Path, tmp_path: Path) -> None:
    content = json.loads(catalog_file.read_text(encoding="utf-8"))
    assert content["tables"]["public.regions"].pop("octets")
    older = tmp_path / "older.json"
    older.write_text(json.dumps(content))
    assert read_catalog_file(older).tables["public.regions"].octets == {}


def test_an_empty_catalog_is_one(tmp_path: Path) -> None:
    path = tmp_path / "catalog.json"
    path.write_text(catalog_text(Catalog()))
    assert read_catalog_file(path) == Catalog()


def test_units_are_estimated_by_tables_with_one_row_of_each(clinic_source: str) -> None:
    policy = odd_policy()
    assert estimated_units(clinic_source, policy, catalog_for(clinic_source, policy)) == {"patient": 2000}


def test_check_warns_of_a_delta_of_one_over_the_number_of_units(clinic_source: str, tmp_path: Path) -> None:
    text = """
version: 1
units: {patient: {budget: {epsilon: 1, delta: 6e-4}}}
tables:
  public.patients: {unit: {name: patient, column: patient_id}, budget: {epsilon: 1, delta: 1e-5}, columns: {patient_id: {}}}
timing: null
"""
    (tmp_path / "policy.yaml").write_text(text)
    printed = dpproxy("check", "policy.yaml", "--source", clinic_source, directory=tmp_path).stdout
    assert "warning: units.patient.budget.delta: a delta of 0.0006 is one over" in printed
    assert printed.count("[DP322]") == 1
