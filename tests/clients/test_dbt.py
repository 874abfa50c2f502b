"""dbt over tables that nobody may read: its tests, catalog and previews are those of plain Postgres, and nothing is
materialised."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.clients.conftest import Targets
from tests.clients.target import Target

INSTALL = "python3 -m venv dbt; dbt/bin/pip install 'dbt-core<1.12' 'dbt-postgres<1.11'; PATH=$PWD/dbt/bin:$PATH"
"""Later versions of dbt-core fetch a part of themselves from elsewhere."""

FILES = {
    "dbt_project.yml": "{name: clinic, version: '1.0', profile: clinic, flags: {send_anonymous_usage_stats: false}}",
    "models/sources.yml": """
sources:
  - name: clinic
    schema: public
    tables:
      - name: regions
        columns: [{name: name, data_tests: [not_null, unique]}]
      - name: patients
        columns: [{name: patient_id, data_tests: [unique]}]
      - name: visits
        columns:
          - {name: patient_id, data_tests: [not_null]}
          - name: region
            data_tests: [{accepted_values: {arguments: {values: [north, south, east]}}}]
""",
    "models/by_region.sql": "{{ config(materialized='ephemeral') }}"
    " SELECT region, count(*) AS visits FROM {{ source('clinic', 'visits') }} GROUP BY 1",
    "models/busy.sql": "{{ config(materialized='table') }} SELECT * FROM {{ ref('by_region') }} WHERE visits > 100",
    "models/seen.sql": "{{ config(materialized='view') }} SELECT * FROM {{ ref('by_region') }}",
    "tests/enough.sql": "SELECT * FROM {{ ref('by_region') }} WHERE visits < 10",
    "tests/too_many.sql": "SELECT * FROM {{ ref('by_region') }} WHERE visits > 10",
}
PROFILE = "{type: postgres, host: %s, port: %d, user: %s, password: '%s', dbname: %s, schema: public, threads: 1}"


class Project:
    """A dbt project whose profile leads to a server."""

    def __init__(self, directory: Path, target: Target) -> None:
        self.directory = directory
        for name, text in FILES.items():
            (directory / name).parent.mkdir(parents=True, exist_ok=True)
            (directory / name).write_text(text)
        known = (target.host, target.port, target.user, target.password or "none", target.database)
        (directory / "profiles.yml").write_text("clinic: {target: here, outputs: {here: " + PROFILE % known + "}}")
        self._environment = {"PATH": os.environ["PATH"], "HOME": str(directory), **target.environment()}

    def run(self, *command: str) -> subprocess.CompletedProcess[str]:
        """Run dbt here."""
        program = shutil.which("dbt")
        if program is None:
            pytest.skip(INSTALL)
        return subprocess.run(
            [program, "--no-use-colors", "--no-version-check", *command],
            cwd=self.directory, env=self._environment, capture_output=True, text=True, timeout=180, check=False,
        )  # fmt: skip

    def written(self, name: str) -> Any:
        """A file that dbt has written."""
        return json.loads((self.directory / "target" / f"{name}.json").read_text())


@pytest.fixture(scope="module")
def projects(targets: Targets, tmp_path_factory: pytest.TempPathFactory) -> tuple[Project, Project]:
    directory = tmp_path_factory.mktemp("dbt")
    here, there = directory / "proxied", directory / "plain"
    here.mkdir()
    there.mkdir()
    return Project(here, targets.proxied), Project(there, targets.plain)


def test_tests_have_the_verdicts_of_plain_postgres(projects: tuple[Project, Project]) -> None:
    verdicts = []
    for project in projects:
        assert project.run("test").returncode == 1, "one of the tests fails"
        results = project.written("run_results")["results"]
        verdicts.append({each["unique_id"]: (each["status"], each["failures"]) for each in results})
    here, there = verdicts
    assert here == there
    assert {name.split(".")[2]: verdict for name, verdict in here.items()}.items() >= {
        "enough": ("pass", 0),
        "too_many": ("fail", 4),
    }.items()


def test_the_catalog_is_that_of_plain_postgres(projects: tuple[Project, Project]) -> None:
    found = []
    for project in projects:
        assert project.run("docs", "generate").returncode == 0
        sources = project.written("catalog")["sources"]
        found.append({name: sorted(each["columns"].items()) for name, each in sources.items()})
    assert found[0] == found[1]
    assert len(found[0]) == 3


def test_nothing_is_materialised_and_models_are_shown(projects: tuple[Project, Project]) -> None:
    here, there = projects
    assert here.run("run").returncode == 1
    results = {each["unique_id"]: each for each in here.written("run_results")["results"]}
    assert {name: each["status"] for name, each in results.items()} == {
        "model.clinic.busy": "error",
        "model.clinic.seen": "error",
    }
    assert all("answers cannot be stored in tables or views" in each["message"] for each in results.values())
    shown = [project.run("show", "--select", "busy", "--output", "json", "-q") for project in (here, there)]
    tables = [sorted(map(str, json.loads(each.stdout)["show"])) for each in shown]
    assert tables[0] == tables[1]
    assert len(tables[0]) > 1
