"""A Citus cluster whose units are of other types than integers: its workers add up their own units all the same."""

from __future__ import annotations

from fractions import Fraction

import psycopg
import pytest

from proxy.policy.model import Policy
from proxy.postgres.catalog_reader import catalog_for
from proxy.sql.schema import Schema
from proxy.sql.suggesting.exceedances import caps_sql, ends_sql
from proxy.sql.suggesting.questions import plan_questions
from proxy.sql.suggesting.requests import Request, table_relation
from tests.conftest import PostgresCluster
from tests.end_to_end import clinic
from tests.end_to_end.cluster import SHARDS, Cluster
from tests.end_to_end.test_citus import rows_brought, statements_of

UNIT_TYPES = {
    "bigint": "i",
    "uuid": "md5(i::text)::uuid",
    "date": "date '2000-01-01' + i",
    "varchar(40)": "'patient ' || i",
    "text": "'patient ' || i",
    "numeric(20, 0)": "i",
}
"""Types of units that SQL names by their column alone, with the values of unit number i."""

SPELLED = {
    "numeric": "round(i::numeric, (3 * random())::int)",
    "char(20)": "'patient ' || i",
    'text COLLATE "C"': "'patient ' || i",
}
"""Types of units that SQL spells, so that it names the column beside that."""
ALL_TYPES = UNIT_TYPES | SPELLED
COMPARED = ("text", *SPELLED)
"""Types whose units other SQL finds on a cluster than on one server."""

PATIENTS = 400
TABLES = {
    "patients": "PRIMARY KEY (patient_id)",
    "visits": "visit_id integer, region text, cost numeric(8, 2), minutes integer, PRIMARY KEY (patient_id, visit_id)",
}
ROWS = {
    "patients": "SELECT {} FROM generate_series(1, {}) AS i",
    "visits": "SELECT {}, visit, (ARRAY['north', 'south'])[1 + visit % 2], visit, visit % 7 "
    "FROM generate_series(1, {}) AS i, generate_series(1, 10) AS visit",
}

SHAPES = {
    "count": "SELECT count(*) FROM visits",
    "sum": "SELECT sum(cost) FROM visits",
    "average": "SELECT count(*), avg(minutes) FROM visits",
    "units": "SELECT count(DISTINCT patient_id) FROM visits",
    "by a key": "SELECT region, count(*) FROM visits GROUP BY region",
    "averages by a key": "SELECT region, count(*), avg(minutes) FROM visits GROUP BY region",
    "by a selected key": "SELECT minutes, count(*) FROM visits GROUP BY minutes",
    "by an expression": "SELECT minutes > 3, sum(cost) FROM visits GROUP BY 1",
    "join with a public table": "SELECT zone, count(*) FROM visits JOIN regions ON name = region GROUP BY zone",
    "join by the unit": "SELECT region, count(*) FROM visits JOIN patients USING (patient_id) GROUP BY region",
    "existence": "SELECT region, count(*) FROM visits v WHERE EXISTS "
    "(SELECT FROM patients p WHERE p.patient_id = v.patient_id) GROUP BY region",
    "numbers of rows": "SELECT n, count(*) FROM (SELECT patient_id, count(*) AS n FROM visits GROUP BY 1) v GROUP BY n",
    "join with a long condition": "SELECT region, count(*) FROM visits JOIN patients USING (patient_id) "
    "WHERE lower(region) LIKE '%o%' GROUP BY region",
    "join with numbers of rows": "SELECT n, count(*) FROM patients JOIN "
    "(SELECT patient_id, count(*) AS n FROM visits GROUP BY 1) AS v USING (patient_id) GROUP BY n",
    "totals": "SELECT region, count(*) FROM visits GROUP BY ROLLUP (region)",
    "distinct values": "SELECT region, count(DISTINCT minutes) FROM visits GROUP BY region",
    "greatest values": "SELECT region, max(minutes) FROM visits GROUP BY region",
    "median": "SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY minutes) FROM visits",
}
UNSEEN = {
    ("numeric", "join by the unit"),
    ("numeric", "existence"),
    ("numeric", "join with a long condition"),
    ("numeric", "join with numbers of rows"),
    ("char(20)", "numbers of rows"),
    ('text COLLATE "C"', "numbers of rows"),
}
"""Where Citus does not see that units are equal that are spelled: it brings a row of each to the coordinator, or refuses."""

CASES = [(name, shape) for name in ALL_TYPES for shape in SHAPES if (name, shape) not in UNSEEN]


@pytest.fixture(scope="module")
def units(cluster: Cluster) -> str:
    """A database with a schema for each type of units."""
    dsn = cluster.create_database("units")
    with psycopg.connect(dsn, autocommit=True) as connection:
        connection.execute("CREATE TABLE regions (name text PRIMARY KEY, zone text)")
        connection.execute("INSERT INTO regions VALUES ('north', 'cold'), ('south', 'warm')")
        connection.execute("SELECT create_reference_table('regions')")
        for number, (name, value) in enumerate(ALL_TYPES.items()):
            connection.execute(f"CREATE SCHEMA s{number}".encode())
            connection.execute(f"SET search_path = s{number}".encode())
            for table in TABLES:
                connection.execute(create(table, name))
                beside = "none" if table == "patients" else f"s{number}.patients"
                spread = "SELECT create_distributed_table(%s, 'patient_id', colocate_with => %s"
                spread += f", shard_count => {SHARDS})" if beside == "none" else ")"
                connection.execute(spread.encode(), (table, beside))
                connection.execute(fill(table, value))
    return dsn


def create(table: str, type_name: str) -> bytes:
    return f"CREATE TABLE {table} (patient_id {type_name}, {TABLES[table]})".encode()


def fill(table: str, value: str) -> bytes:
    return f"INSERT INTO {table} {ROWS[table].format(value, PATIENTS)}".encode()


def policy_of(number: int, **bounds: int) -> Policy:
    """Of the tables of a schema, with these contribution bounds."""
    table = {"unit": {"name": "patient", "column": "patient_id"}, "budget": {"epsilon": "1", "delta": "1e-6"}}
    columns: dict[str, object] = {"patient_id": {}, "visit_id": {}, "region": {"values_from": "public.regions.name"}}
    columns |= {"cost": {"bounds": ["0", "10"]}, "minutes": {"bounds": ["0", "6"]}}
    tables = {
        f"s{number}.patients": table | {"columns": {"patient_id": {}}},
        f"s{number}.visits": table | {"columns": columns, "contribution": {"max_groups": 4} | bounds},
        "public.regions": {"public": True},
    }
    content = {"version": 1, "analysts": clinic.POLICY["analysts"], "units": {"patient": {}}, "tables": tables}
    return Policy.model_validate(content)


@pytest.mark.parametrize(("type_name", "shape"), CASES)
def test_only_groups_leave_the_workers(type_name: str, shape: str, units: str, cluster: Cluster) -> None:
    number = list(ALL_TYPES).index(type_name)
    statements = statements_of(policy_of(number), units, SHAPES[shape], (f"s{number}", "public"))
    with psycopg.connect(units) as connection:
        # EXPLAIN ANALYZE makes the coordinator a client of its own.
        connection.execute(f"SET citus.local_hostname = '{cluster.coordinator.socket_directory}'".encode())
        sent = [len(connection.execute(statement.encode()).fetchall()) for statement in statements]
        # A choice is sent as one row, and made from at most seven values; of distinct ones each worker sends all of a group.
        most = SHARDS * max(14, *sent)
        assert most < PATIENTS / 2
        assert max(max(rows_brought(connection, statement)) for statement in statements) <= most


@pytest.mark.parametrize("type_name", ALL_TYPES)
def test_only_counts_of_units_leave_the_workers_where_bounds_are_suggested(
    type_name: str, units: str, cluster: Cluster
) -> None:
    name = f"s{list(ALL_TYPES).index(type_name)}.visits"
    policy = policy_of(list(ALL_TYPES).index(type_name))
    relation = table_relation(Schema(policy, catalog_for(units, policy)), name)
    questions = plan_questions(Request(relation, ("cost", "minutes"), True, ("region",)), policy, None)
    ends = [[Fraction(end) for end in (0, 2, 10)]] * 2
    with psycopg.connect(units) as connection:
        connection.execute(f"SET citus.local_hostname = '{cluster.coordinator.socket_directory}'".encode())
        for statement in (caps_sql(questions), ends_sql(questions, ends)):
            sent = len(connection.execute(statement.encode()).fetchall())
            assert max(rows_brought(connection, statement)) <= SHARDS * sent < PATIENTS / 2


@pytest.fixture(scope="module")
def one_server(postgres_cluster: PostgresCluster) -> str:
    """The tables of these units on an ordinary server."""
    dsn = postgres_cluster.create_database("units_of_cluster")
    with psycopg.connect(dsn, autocommit=True) as connection:
        connection.execute("CREATE TABLE regions (name text PRIMARY KEY, zone text)")
        connection.execute("INSERT INTO regions VALUES ('north', 'cold'), ('south', 'warm')")
        for name in COMPARED:
            schema = f"s{list(ALL_TYPES).index(name)}"
            connection.execute(f"CREATE SCHEMA {schema}".encode())
            connection.execute(f"SET search_path = {schema}".encode())
            for table in TABLES:
                connection.execute(create(table, name))
                connection.execute(fill(table, ALL_TYPES[name]))
    return dsn


@pytest.mark.parametrize("bounds", [{}, {"max_rows": 6, "max_rows_per_group": 3}], ids=["chosen", "fixed"])
@pytest.mark.parametrize(("type_name", "shape"), [case for case in CASES if case[0] in COMPARED])
def test_sums_are_those_of_one_server(
    type_name: str, shape: str, bounds: dict[str, int], units: str, one_server: str
) -> None:
    number = list(ALL_TYPES).index(type_name)
    path = (f"s{number}", "public")
    spread, whole = (
        statements_of(policy_of(number, **bounds), dsn, SHAPES[shape], path) for dsn in (units, one_server)
    )
    found = []
    for dsn, statements in ((units, spread), (one_server, whole)):
        with psycopg.connect(dsn) as connection:
            answers = [connection.execute(statement.encode()).fetchall() for statement in statements]
        found.append([sorted(rows, key=repr) for rows in answers])
    assert found[0] == found[1]
