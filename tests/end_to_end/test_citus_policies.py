"""What policies and commands do besides queries on ordinary tables, on a Citus cluster: as on one server."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import psycopg
import pytest
from psycopg.conninfo import make_conninfo

from proxy.cli import main
from proxy.commands import ExitCode
from proxy.postgres.catalog_reader import catalog_for
from proxy.postgres.embedded import EmbeddedPostgres
from proxy.sql.schema import Schema
from proxy.sql.suggesting.exceedances import caps_sql, ends_sql
from proxy.sql.suggesting.questions import plan_questions
from proxy.sql.suggesting.requests import everything
from tests.conftest import PostgresCluster, copy_database
from tests.end_to_end import clinic, test_lone_rows
from tests.end_to_end.cluster import READER, SHARDS, Cluster
from tests.end_to_end.comparing import Connections, assert_same_answer, client_and_source
from tests.end_to_end.conftest import StartProxy
from tests.end_to_end.local_release.owner import EXACT, GENEROUS, Owner

LONE_ROWS = f"""
SELECT create_distributed_table('planes', 'tailnum', shard_count => {SHARDS});
SELECT create_distributed_table('flights', 'flight_id', colocate_with => 'none');
ALTER TABLE bags DROP CONSTRAINT bags_flight_id_fkey, DROP CONSTRAINT bags_pkey, ADD PRIMARY KEY (bag_id, flight_id);
SELECT create_distributed_table('bags', 'flight_id', colocate_with => 'flights');
SELECT create_distributed_table('repairs', 'place', colocate_with => 'none')
"""
"""Rows whose unit is NULL have to be spread by something else."""


UNSPREAD = (
    "the units of a subquery",
    "not the units of a subquery",
    "the units of a list",
    "a child with its parent's plane",
)
"""Questions about tables that are spread by different columns."""

SECURED = f"""
GRANT SELECT ON planes, flights, bags, repairs, delays TO {READER};
ALTER TABLE flights ENABLE ROW LEVEL SECURITY;
CREATE POLICY one_airport ON flights FOR SELECT TO {READER} USING (origin = 'EWR')
"""


@pytest.fixture(scope="module")
def airport(cluster: Cluster) -> str:
    """A database on the cluster; connection string of its owner."""
    dsn = cluster.create_database("airport")
    with psycopg.connect(dsn, autocommit=True) as connection:
        connection.execute(test_lone_rows.SCHEMA.encode())
        for statement in f"{LONE_ROWS};{SECURED}".split(";\n"):
            connection.execute(statement.encode())
    return dsn


@pytest.fixture(scope="module")
def one_server(postgres_cluster: PostgresCluster) -> Iterator[psycopg.Connection]:
    """The same rows on an ordinary server."""
    dsn = postgres_cluster.create_database("airport_of_cluster")
    with psycopg.connect(dsn, autocommit=True) as connection:
        connection.execute(test_lone_rows.SCHEMA.encode())
        yield connection


@pytest.fixture(scope="module")
def connections(airport: str, one_server: psycopg.Connection, proxies: StartProxy) -> Iterator[Connections]:
    """A client of the cluster's proxy, and one of the ordinary server."""
    with client_and_source(proxies(test_lone_rows.policy(), source=airport)) as (client, _):
        yield client, one_server


@pytest.mark.parametrize("name", test_lone_rows.QUERIES)
def test_rows_that_are_units_count_as_on_one_server(name: str, connections: Connections) -> None:
    query = test_lone_rows.QUERIES[name]
    if name in UNSPREAD:
        with pytest.raises(psycopg.errors.FeatureNotSupported, match="cannot compute this") as refusal:
            connections[0].execute(query.encode())
        assert "Nothing was charged" in (refusal.value.diag.message_detail or "")
    else:
        assert_same_answer(query, connections)


@pytest.mark.parametrize(
    "query",
    [
        "SELECT count(*), sum(delay), count(DISTINCT tailnum), count(DISTINCT delay) FROM flights",
        "SELECT month, count(*), max(delay) FROM flights GROUP BY month",
        "SELECT n, count(*) FROM (SELECT tailnum, count(*) AS n FROM flights WHERE tailnum IS NOT NULL GROUP BY 1) AS f "
        "GROUP BY n",
    ],
)
def test_row_level_security_hides_rows_on_the_workers(
    query: str, airport: str, one_server: psycopg.Connection, proxies: StartProxy
) -> None:
    secured = proxies(test_lone_rows.policy(), source=make_conninfo(airport, user=READER))
    seen = query.replace("FROM flights", "FROM (SELECT * FROM flights WHERE origin = 'EWR') AS flights")
    with client_and_source(secured) as (client, _):
        assert_same_answer(query, (client, one_server), seen)


POLICY = re.sub(r"  public.prescriptions:(\n    .*)+\n", "", GENEROUS)


@pytest.fixture
def ledger(tmp_path: Path, stage_cluster: EmbeddedPostgres) -> str:
    """The ledger of a command."""
    return copy_database(stage_cluster.dsn(), "template1", f"ledger_of_{tmp_path.name}")


def test_a_local_release_has_rows_of_each_unit(
    cluster: Cluster, ledger: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    owner = Owner(cluster.source, ledger, tmp_path)
    owner.policy.write_text(POLICY)
    assert owner.export("public.visits", "region", EXACT, "--values-per-unit", "2") == ExitCode.OK
    capsys.readouterr()
    assert main(["decode-local", str(tmp_path / "release"), "--format", "csv"]) == ExitCode.OK
    counts = [float(row["count"]) for row in csv.DictReader(io.StringIO(capsys.readouterr().out))]
    ((rows,),) = owner.ask("SELECT sum(least(n, 2)) FROM (SELECT count(*) AS n FROM visits GROUP BY patient_id) AS v")
    assert sum(counts) == pytest.approx(float(rows))


def test_bounds_are_suggested(
    cluster: Cluster, ledger: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    policy = tmp_path / "policy.yaml"
    policy.write_text(POLICY.replace("diagnosis: {}", "minutes: {}"))
    options = ["--table", "public.visits", "--all", "--group-by", "region", "--epsilon", "100"]
    databases = ["--source", cluster.source, "--ledger", ledger]
    assert main(["suggest-bounds", str(policy), *options, *databases]) == ExitCode.OK
    printed = capsys.readouterr().out
    (most,) = re.findall(r"bounds of minutes: \[0, (\d+)\]", printed)
    assert 60 <= int(most) <= 240
    assert "max_rows_per_group" in printed


def test_what_bounds_are_suggested_from_is_the_same_as_on_one_server(
    cluster: Cluster, copy_clinic: Callable[[], str]
) -> None:
    policy = clinic.policy()
    found = []
    for dsn in (cluster.owner, copy_clinic()):
        schema = Schema(policy, catalog_for(dsn, policy))
        request = replace(everything(schema, "public.visits"), group_by=("region",))
        questions = plan_questions(request, policy, None)
        ends = [[Fraction(end) for end in (0, 10, 100, 1000)] for _ in questions.columns]
        with psycopg.connect(dsn) as connection:
            asked = [connection.execute(text.encode()) for text in (caps_sql(questions), ends_sql(questions, ends))]
            found.append([sorted(cursor.fetchall()) for cursor in asked])
    assert all(found[0])
    assert found[0] == found[1]
