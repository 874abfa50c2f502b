"""The files of docker/compose.citus.yaml, on a cluster: its tables are spread as they should be, and are asked about."""

from __future__ import annotations

import subprocess
from pathlib import Path

import psycopg
import pytest
from psycopg.conninfo import make_conninfo
from ruamel.yaml import YAML

from proxy.policy.lint import check_against_catalog
from proxy.policy.load import load_policy
from proxy.postgres.catalog_reader import catalog_for
from tests.end_to_end.cluster import Cluster
from tests.end_to_end.conftest import StartProxy
from tests.programs import find_program

DOCKER = Path(__file__).parents[2] / "docker"


def test_its_tables_are_spread_by_the_patient_and_asked_about(
    cluster: Cluster, proxies: StartProxy, monkeypatch: pytest.MonkeyPatch
) -> None:
    services = YAML(typ="safe", pure=True).load(DOCKER / "compose.citus.yaml")["services"]
    assert services["cluster"]["volumes"] == ["./cluster.sql:/cluster.sql:ro"]
    owner = cluster.create_database("containers")
    psql = [find_program("psql"), "-X", "-q", "-v", "ON_ERROR_STOP=1", "-d", owner, "-f", str(DOCKER / "cluster.sql")]
    for _ in range(2):  # as when containers are started again
        subprocess.run(psql, check=True, timeout=120, stdout=subprocess.DEVNULL)
    source = make_conninfo(owner, user="reader")
    monkeypatch.setenv("DATABASE_URL", source)
    policy = load_policy(DOCKER / "cluster.yaml")
    catalog = catalog_for(source, policy)
    assert [found for found in check_against_catalog(policy, catalog) if found.rule != "DP507"] == []
    assert {name: table.distributed_by for name, table in catalog.tables.items()} == {
        "public.patients": "patient_id",
        "public.visits": "patient_id",
        "public.prescriptions": "patient_id",
        "public.regions": None,
    }
    proxy = proxies(policy, source=source)
    with psycopg.connect(make_conninfo(proxy.dsn(), password="example"), autocommit=True) as client:
        (count,) = client.execute("SELECT count(*) FROM visits").fetchone() or (0,)
        assert 38_000 < count < 42_000
        query = "SELECT substance, count(*) FROM prescriptions JOIN visits USING (patient_id, visit_id) GROUP BY 1"
        assert len(client.execute(query).fetchall()) == 5
