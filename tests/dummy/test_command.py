"""`dpproxy dummy` as a developer of dashboards runs it."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import psycopg
import pytest

from proxy.policy.catalog_file import catalog_text
from proxy.postgres.survey import read_whole_catalog
from tests.conftest import PostgresCluster
from tests.docs.running import serving
from tests.dummy.test_made_up import POLICY, SCHEMA, policy
from tests.policy.test_cli import dpproxy

pytestmark = pytest.mark.postgres


@pytest.fixture
def directory(tmp_path: Path, postgres_cluster: PostgresCluster) -> Path:
    dsn = postgres_cluster.create_database("shop")
    with psycopg.connect(dsn, autocommit=True) as connection:
        connection.execute(SCHEMA.encode())
    (tmp_path / "policy.yaml").write_text(POLICY)
    (tmp_path / "catalog.json").write_text(catalog_text(read_whole_catalog(dsn, policy())), encoding="utf-8")
    return tmp_path


def test_dashboards_are_answered_from_made_up_rows(directory: Path) -> None:
    command = (sys.executable, "-m", "proxy.cli", "dummy", "--policy", "policy.yaml", "--catalog", "catalog.json")
    with serving((*command, "--units", "300", "--listen", "127.0.0.1:0"), directory, "listening", {}) as proxy:
        assert "shop.customers: 300 made-up rows\n" in proxy.printed
        assert "log in as analyst with the password dummy\n" in proxy.printed
        database = json.loads((directory / "catalog.json").read_text())["database"]
        with psycopg.connect(
            host="127.0.0.1", port=proxy.port, user="analyst", password="dummy", dbname=database, autocommit=True
        ) as client:
            found = client.execute("SELECT mood, count(*) FROM shop.customers GROUP BY mood").fetchall()
            assert {mood for mood, _ in found} >= {"low", "middling", "high"}
            assert 100 < sum(count for _, count in found) < 500
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                client.execute("SELECT * FROM shop.customers")


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        ((), 2, "no catalog: give --catalog or --source"),
        (("--catalog", "absent.json"), 2, "absent.json: cannot be read"),
        (("--catalog", "catalog.json", "--units", "0"), 2, "--units: from 1 to 100000, not 0"),
        (("--catalog", "catalog.json", "--seed", "-1"), 2, "--seed: from 0"),
        (("--catalog", "catalog.json", "--listen", "nowhere"), 2, "--listen: "),
    ],
)
def test_what_keeps_it_from_serving(directory: Path, arguments: tuple[str, ...], code: int, message: str) -> None:
    result = dpproxy("dummy", "--policy", "policy.yaml", *arguments, directory=directory)
    assert (result.returncode, result.stdout) == (code, "")
    assert result.stderr.startswith(f"dpproxy dummy: {message}")


def test_a_policy_that_does_not_fit_the_catalog_is_said(directory: Path) -> None:
    (directory / "policy.yaml").write_text(POLICY.replace("paid: {}", "unpaid: {}"))
    result = dpproxy("dummy", "--policy", "policy.yaml", "--catalog", "catalog.json", directory=directory)
    assert result.returncode == 2
    assert "shop.orders has no column 'unpaid'" in result.stderr
