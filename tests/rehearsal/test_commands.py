"""`dpproxy catalog` and `dpproxy explain` as a user runs them: what is printed, and exit codes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.policy.test_cli import dpproxy

pytestmark = pytest.mark.postgres


POLICY = """
version: 1
units: {patient: {}}
tables:
  public.visits:
    unit: {name: patient, column: patient_id}
    budget: {epsilon: 4, delta: 1e-6}
    query: {epsilon: 0.5, max_epsilon: 1}
    contribution: {max_rows: 16, max_rows_per_group: 4}
    columns:
      patient_id: {}
      region: {values_from: public.regions.name}
      cost: {bounds: [0, 500]}
      minutes: {}
  public.regions: {public: true}
timing: null
"""


@pytest.fixture
def directory(tmp_path: Path, catalog_file: Path) -> Path:
    """With policy.yaml and its catalog.json."""
    (tmp_path / "policy.yaml").write_text(POLICY)
    (tmp_path / "catalog.json").write_bytes(catalog_file.read_bytes())
    return tmp_path


def explain(directory: Path, *arguments: str, piped: str = "") -> tuple[int, str, str]:
    options = ("--policy", "policy.yaml", "--catalog", "catalog.json")
    result = dpproxy("explain", *options, *arguments, directory=directory, piped=piped)
    return result.returncode, result.stdout, result.stderr


def test_explain_prints_what_explain_says_and_what_only_the_steward_sees(directory: Path) -> None:
    query = "SELECT region, sum(cost), avg(minutes + 1) FROM visits GROUP BY region"
    code, printed, errors = explain(directory, query.replace(", avg(minutes + 1)", ""))
    assert (code, errors) == (0, "")
    lines = printed.splitlines()
    assert lines[0] == "Differentially private aggregate of public.visits"
    assert "  Price: rho 0.125" in lines
    assert "  Account table:public.visits: a new one pays for 2 such queries" in lines
    assert "  Column public.visits.cost: bounds [0, 500] (policy), step 0.01 (type)" in lines
    assert lines[-1].startswith("  Source query: WITH heavy AS")


def test_explain_shows_a_refusal_as_psql_does_with_its_rule_and_exits_with_1(directory: Path) -> None:
    code, printed, errors = explain(directory, "SELECT count(*)\nFROM visits, patients")
    assert (code, errors) == (1, "")
    assert printed.splitlines()[:3] == [
        'ERROR:  42P01: relation "patients" does not exist',
        "LINE 2: FROM visits, patients",
        "                     ^",
    ]
    code, printed, _ = explain(directory, "SELECT * FROM visits")
    assert code == 1
    assert printed.startswith(
        "ERROR:  42501: this query would return rows of public.visits; only aggregates are allowed [rows]\n"
    )
    assert "HINT:  Write for example" in printed


def test_explain_in_json_has_prices_errors_and_the_source_query(directory: Path) -> None:
    script = "SET dp.epsilon = 1; SELECT count(*) FROM visits; SELECT name FROM regions; SELECT minutes FROM visits"
    code, printed, errors = explain(directory, "--format", "json", "-", piped=script)
    assert (code, errors) == (1, "")
    setting, answered, public, refused = json.loads(printed)["statements"]
    assert [setting["outcome"], public["outcome"]] == ["public", "public"]
    (block,) = answered["blocks"]
    assert block["price"] == {"epsilon": 1, "rho": pytest.approx(0.46212, abs=1e-5), "delta": 0}
    assert block["owners"] == {"public.visits": "patient_id"}
    assert block["accounts"] == [{"name": "table:public.visits", "queries": 4}]
    assert list(block["errors_95"]) == ["count(*)"]
    assert block["source_sql"][0].startswith("SELECT ")
    assert (refused["refusal"]["rule"], refused["refusal"]["sqlstate"]) == ("rows", "42501")


def test_a_query_that_no_account_could_pay_is_refused_as_the_server_does(directory: Path) -> None:
    small = POLICY.replace("epsilon: 4, delta", "epsilon: 0.4, delta")
    (directory / "policy.yaml").write_text(small)
    code, printed, _ = explain(directory, "SELECT count(*) FROM visits")
    assert code == 1
    assert 'the budget of "table:public.visits" cannot pay for this query' in printed


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("--catalog", "absent.json"), 2, "absent.json: cannot be read"),
        ((), 2, "no catalog: give --catalog or --source"),
        (("--source", "host=/nowhere"), 3, "the source cannot be read: "),
        (("--catalog", "catalog.json", "--analyst", "eve"), 2, "the policy has no analyst eve"),
    ],
)
def test_what_keeps_explain_from_planning(directory: Path, arguments: tuple[str, ...], code: int, message: str) -> None:
    result = dpproxy("explain", "--policy", "policy.yaml", *arguments, "SELECT 1", directory=directory)
    assert (result.returncode, result.stdout) == (code, "")
    assert result.stderr.startswith(f"dpproxy explain: {message}")


def test_a_policy_that_does_not_fit_the_catalog_is_said_with_every_error(directory: Path) -> None:
    (directory / "policy.yaml").write_text(POLICY.replace("minutes: {}", "minuets: {}"))
    code, printed, errors = explain(directory, "SELECT 1")
    assert (code, printed) == (2, "")
    assert "public.visits has no column 'minuets'" in errors


def test_catalog_prints_what_it_writes(directory: Path, clinic_source: str) -> None:
    printed = dpproxy("catalog", "--source", clinic_source, "--policy", "policy.yaml", directory=directory)
    written = dpproxy(
        "catalog", "--source", clinic_source, "--policy", "policy.yaml", "-o", "new.json", directory=directory
    )
    assert (printed.returncode, written.returncode, written.stdout) == (0, 0, "")
    assert (directory / "new.json").read_text() == printed.stdout
    assert json.loads(printed.stdout)["dpproxy_catalog"] == 1


def test_catalog_without_a_database_says_so(directory: Path) -> None:
    for arguments, code in (((), 2), (("--policy", "policy.yaml"), 2), (("--source", "host=/nowhere"), 3)):
        result = dpproxy("catalog", *arguments, directory=directory)
        assert (result.returncode, result.stdout) == (code, "")
