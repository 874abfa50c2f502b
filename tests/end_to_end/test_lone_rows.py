"""Rows without a unit that are units of their own (`when_null: each_row`): with a huge epsilon answers are Postgres's own
over all rows, and what would mix such rows inside an aggregate is refused."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import psycopg
import pytest

from proxy.errors import UnsupportedError
from proxy.policy.findings import PolicyError
from proxy.policy.model import Policy
from proxy.postgres.catalog_reader import read_catalog
from proxy.sql.schema import Schema
from tests.end_to_end import clinic
from tests.end_to_end.comparing import Connections, assert_same_answer, client_and_source
from tests.end_to_end.conftest import StartProxy
from tests.end_to_end.running import RunningProxy
from tests.planned import plan_of

SCHEMA = """
CREATE TABLE planes (tailnum text PRIMARY KEY, seats integer NOT NULL);
INSERT INTO planes SELECT 'N' || i, 50 + i % 200 FROM generate_series(1, 300) AS i;
CREATE TABLE flights (
    flight_id bigint PRIMARY KEY, tailnum text, origin text NOT NULL, delay integer, month integer NOT NULL
);
INSERT INTO flights
SELECT i, CASE WHEN i % 7 > 0 THEN 'N' || i * 31 % 400 END, (ARRAY['EWR', 'JFK', 'LGA'])[1 + i % 3],
       CASE WHEN i % 5 > 0 THEN i % 90 - 10 END, 1 + i % 12
FROM generate_series(1, 6000) AS i;
CREATE VIEW delays AS SELECT tailnum, origin, delay FROM flights WHERE delay > 0;
CREATE TABLE bags (bag_id integer PRIMARY KEY, flight_id bigint NOT NULL REFERENCES flights, weight integer NOT NULL);
INSERT INTO bags SELECT i, 1 + i * 13 % 6000, i % 30 FROM generate_series(1, 9000) AS i;
CREATE TABLE repairs (
    tailnum text, day date, at time NOT NULL, began timestamptz NOT NULL, place varchar(20) NOT NULL, hours integer,
    UNIQUE (began, place)
);
INSERT INTO repairs
SELECT CASE WHEN i % 3 > 0 THEN 'N' || i % 350 END, date '2025-01-01' + i, time '08:00',
       timestamptz '2025-01-01 00:00+00' + i / 2 * interval '1 minute', 'hangar ' || i % 2, i % 40
FROM generate_series(1, 2000) AS i;
"""

QUERIES = {
    "all rows": "SELECT count(*), sum(delay), avg(delay), count(delay), count(tailnum) FROM flights",
    "rows without a unit alone": "SELECT count(*), sum(delay) FROM flights WHERE tailnum IS NULL",
    "by a key": "SELECT origin, count(*), avg(delay) FROM flights GROUP BY origin",
    "by whether there is a unit": "SELECT tailnum IS NULL, count(*) FROM flights GROUP BY 1",
    "the share of a flag": "SELECT month, avg((delay IS NULL)::int) FROM flights GROUP BY month",
    "units": "SELECT count(DISTINCT tailnum) FROM flights",
    "units by a key, filtered": "SELECT origin, count(DISTINCT tailnum), count(DISTINCT tailnum) FILTER (WHERE delay > 40), "
    "count(*) FROM flights GROUP BY 1",
    "distinct values": "SELECT count(DISTINCT delay) FROM flights",
    "totals": "SELECT origin, month, count(*), sum(delay) FROM flights GROUP BY ROLLUP (origin, month)",
    "inner join by the unit": "SELECT count(*), sum(seats), sum(delay) FROM flights JOIN planes USING (tailnum)",
    "left join by the unit": "SELECT count(*), count(seats), sum(delay) FROM flights f LEFT JOIN planes p ON p.tailnum = f.tailnum",
    "right join by the unit": "SELECT count(*), count(delay), sum(seats) FROM flights f RIGHT JOIN planes p ON p.tailnum = f.tailnum",
    "full join by the unit": "SELECT count(*), sum(seats), sum(delay) FROM flights f FULL JOIN planes p ON p.tailnum = f.tailnum",
    "rows joined to themselves": "SELECT count(*), sum(g.delay) FROM flights f JOIN flights g ON g.flight_id = f.flight_id",
    "a child table": "SELECT count(*), sum(weight) FROM bags",
    "a child table's units": "SELECT count(*), count(DISTINCT b.flight_id), sum(weight) FROM bags b WHERE weight > 3",
    "a child with its parent": "SELECT origin, count(*), sum(weight), sum(delay) FROM bags JOIN flights USING (flight_id) GROUP BY 1",
    "a child with its parent's plane": "SELECT count(*), sum(seats) FROM bags JOIN flights USING (flight_id) LEFT JOIN planes USING (tailnum)",
    "rows that meet several others": "SELECT count(*), sum(hours), sum(delay) FROM repairs r LEFT JOIN flights f ON f.tailnum = r.tailnum",
    "another key": "SELECT count(*), sum(hours), count(DISTINCT tailnum) FROM repairs",
    "another key, by a key": "SELECT place, count(*), sum(hours) FROM repairs GROUP BY place",
    "two tables": "SELECT count(*), sum(n) FROM (SELECT delay AS n FROM flights UNION ALL SELECT hours FROM repairs) AS together",
    "two tables with their units": "SELECT count(*), count(DISTINCT tailnum), sum(n) FROM (SELECT tailnum, delay AS n FROM flights "
    "UNION ALL SELECT tailnum, seats FROM planes UNION ALL SELECT tailnum, hours FROM repairs) AS all_of_them",
    "units through a subquery": "SELECT count(DISTINCT tailnum), count(*) FROM (SELECT tailnum, delay FROM flights WHERE delay > 0) AS late",
    "per unit": "SELECT count(*), sum(n), avg(n) FROM (SELECT tailnum, count(*) AS n FROM flights WHERE tailnum IS NOT NULL "
    "GROUP BY tailnum) AS each",
    "per unit, compared with a constant": "SELECT count(*), sum(n) FROM (SELECT tailnum, count(*) AS n FROM flights "
    "WHERE tailnum > 'N2' GROUP BY tailnum) AS each",
    "per unit, denied": "SELECT count(*), sum(n) FROM (SELECT tailnum, count(*) AS n FROM flights "
    "WHERE NOT (tailnum IS NULL) AND delay > 0 GROUP BY tailnum) AS each",
    "per unit after a join": "SELECT count(*), sum(n) FROM (SELECT f.tailnum, count(*) AS n FROM flights f JOIN planes p "
    "ON p.tailnum = f.tailnum GROUP BY f.tailnum) AS each",
    "per unit, where a subquery leaves rows out": "SELECT count(*), sum(n) FROM (SELECT tailnum, count(*) AS n FROM "
    "(SELECT * FROM flights WHERE tailnum IS NOT NULL) AS f GROUP BY tailnum) AS each",
    "per unit of a subquery that leaves none out": "SELECT count(*), sum(n) FROM (SELECT tailnum, count(*) AS n FROM "
    "(SELECT tailnum FROM flights) AS f WHERE f.tailnum IS NOT NULL GROUP BY tailnum) AS each",
    "per merged unit": "SELECT count(*), sum(n) FROM (SELECT tailnum, count(*) AS n FROM flights JOIN planes USING (tailnum) "
    "GROUP BY tailnum) AS each",
    "per unit of a list": "SELECT count(*), sum(n) FROM (SELECT tailnum, count(*) AS n FROM flights "
    "WHERE tailnum IN ('N1', 'N2') OR tailnum LIKE 'N3%' GROUP BY tailnum) AS each",
    "a lateral subquery": "SELECT count(*), sum(each.n) FROM planes p CROSS JOIN LATERAL (SELECT count(*) AS n FROM flights f "
    "WHERE f.tailnum = p.tailnum) AS each",
    "a view": "SELECT origin, count(*), sum(delay), count(DISTINCT tailnum) FROM delays GROUP BY origin",
    "per unit of a view": "SELECT count(*), sum(n) FROM (SELECT tailnum, count(*) AS n FROM delays WHERE tailnum IS NOT NULL "
    "GROUP BY tailnum) AS each",
    "per parent row": "SELECT count(*), sum(n) FROM (SELECT flight_id, sum(weight) AS n FROM bags GROUP BY flight_id) AS each",
    "per row": "SELECT count(*), sum(n) FROM (SELECT flight_id, max(delay) AS n FROM flights GROUP BY flight_id) AS each",
    "distinct units": "SELECT count(*) FROM (SELECT DISTINCT tailnum, origin FROM flights WHERE tailnum IS NOT NULL) AS each",
    "a window": "SELECT count(*), sum(n) FROM (SELECT row_number() OVER (PARTITION BY tailnum ORDER BY flight_id) AS n FROM flights "
    "WHERE tailnum IS NOT NULL) AS each",
    "intersection": "SELECT count(*) FROM (SELECT tailnum FROM flights WHERE tailnum IS NOT NULL INTERSECT SELECT tailnum FROM planes) AS each",
    "a scalar subquery": "SELECT count(*), sum(delay) FROM flights f WHERE delay > (SELECT avg(g.delay) FROM flights g WHERE g.tailnum = f.tailnum)",
    "the units of a subquery": "SELECT count(*), sum(delay) FROM flights f WHERE EXISTS (SELECT FROM planes p WHERE p.tailnum = f.tailnum AND seats > 99)",
    "the units of a list": "SELECT count(*), sum(delay) FROM flights f WHERE tailnum IN (SELECT tailnum FROM planes WHERE seats > 99)",
    "their own units in a list": "SELECT count(*), sum(delay) FROM flights WHERE tailnum IN (SELECT tailnum FROM flights WHERE delay > 150)",
    "not the units of a subquery": "SELECT count(*), sum(delay) FROM flights f WHERE NOT EXISTS (SELECT FROM planes p WHERE p.tailnum = f.tailnum)",
    "the median": "SELECT count(*), max(delay), percentile_disc(0.5) WITHIN GROUP (ORDER BY delay) FROM flights WHERE tailnum IS NULL",
}

REFUSED = {
    "per unit": ("SELECT count(*) FROM (SELECT tailnum, count(*) FROM flights GROUP BY tailnum) AS each", "mixed-rows"),
    "per unit, through a subquery": (
        "SELECT count(*) FROM (SELECT tailnum, count(*) FROM (SELECT tailnum FROM flights) AS f GROUP BY tailnum) AS each",
        "mixed-rows",
    ),
    "per unit of a view": (
        "SELECT count(*) FROM (SELECT tailnum, count(*) FROM delays GROUP BY tailnum) AS each",
        "mixed-rows",
    ),
    "distinct units": ("SELECT count(*) FROM (SELECT DISTINCT tailnum FROM flights) AS each", "mixed-rows"),
    "a window": (
        "SELECT sum(n) FROM (SELECT row_number() OVER (PARTITION BY tailnum ORDER BY flight_id) AS n FROM flights) AS each",
        "window-over-units",
    ),
    "intersection": (
        "SELECT count(*) FROM (SELECT tailnum FROM flights INTERSECT SELECT tailnum FROM repairs) AS each",
        "row-set-operation",
    ),
    "a join of rows without a unit": (
        "SELECT count(*) FROM flights f JOIN repairs r ON f.tailnum IS NULL AND r.tailnum IS NULL",
        "private-join",
    ),
    "a join that takes NULLs for equal": (
        "SELECT count(*) FROM flights f JOIN repairs r ON f.tailnum IS NOT DISTINCT FROM r.tailnum",
        "private-join",
    ),
    "a condition that keeps rows without a unit": (
        "SELECT count(*) FROM (SELECT tailnum, count(*) FROM flights WHERE tailnum IS NOT NULL OR delay > 3 GROUP BY tailnum) AS each",
        "mixed-rows",
    ),
    "a condition that keeps them alone": (
        "SELECT count(*) FROM (SELECT tailnum, count(*) FROM flights WHERE tailnum IS NULL GROUP BY tailnum) AS each",
        "mixed-rows",
    ),
    "a join that keeps rows without a unit": (
        "SELECT count(*) FROM (SELECT f.tailnum, count(*) FROM flights f LEFT JOIN planes p ON p.tailnum = f.tailnum "
        "GROUP BY f.tailnum) AS each",
        "mixed-rows",
    ),
    "not in rows without a unit": (
        "SELECT count(*) FROM planes WHERE tailnum NOT IN (SELECT f.tailnum FROM flights f)",
        "private-join",
    ),
}


def policy(**changes: object) -> Policy:
    """Exact answers; `changes` are merged into the unit of flights."""
    shared: dict[str, Any] = {
        "budget": {"epsilon": "1e12", "delta": "0.5"},
        "query": {"epsilon": "1e8", "max_epsilon": "1e8"},
        "contribution": {"max_rows": 300, "max_rows_per_group": 50},
    }
    plane = {"name": "plane", "column": "tailnum"}
    lone = plane | {"when_null": "each_row"}
    tables: dict[str, Any] = {
        "public.planes": {"unit": plane, "columns": {"tailnum": {}, "seats": {"range": ["0", "500"]}}},
        "public.flights": {
            "unit": lone | changes,
            "columns": {
                "flight_id": {},
                "tailnum": {},
                "origin": {"values": ["EWR", "JFK", "LGA"]},
                "delay": {"range": ["-60", "200"]},
                "month": {"range": ["1", "12"]},
            },
        },
        "public.bags": {
            "unit": {"name": "plane", "via": "flight_id -> public.flights.flight_id"},
            "columns": {"bag_id": {}, "flight_id": {}, "weight": {"range": ["0", "50"]}},
        },
        "public.repairs": {
            "unit": lone,
            "columns": {"tailnum": {}, "place": {"values": ["hangar 0", "hangar 1"]}, "hours": {"range": ["0", "60"]}},
        },
    }
    content = {
        "version": 1,
        "analysts": {"ana": {"password": clinic.VERIFIER}},
        "units": {"plane": {}},
        "tables": {name: shared | table for name, table in tables.items()} | {"public.delays": {"view": True}},
    }
    return Policy.model_validate(content)


@pytest.fixture(scope="module")
def airport(copy_clinic: Callable[[], str]) -> str:
    source = copy_clinic()
    with psycopg.connect(source, autocommit=True) as connection:
        connection.execute(SCHEMA)
    return source


@pytest.fixture(scope="module")
def schema(airport: str) -> Schema:
    return Schema(policy(), read_catalog(airport, list(policy().tables)))


@pytest.fixture(scope="module")
def flying(proxies: StartProxy, airport: str) -> RunningProxy:
    return proxies(policy(), source=airport)


@pytest.fixture(scope="module")
def connections(flying: RunningProxy) -> Iterator[Connections]:
    with client_and_source(flying) as both:
        yield both


@pytest.mark.parametrize("query", QUERIES.values(), ids=QUERIES)
def test_an_answer_over_rows_without_a_unit_equals_postgres(query: str, connections: Connections) -> None:
    assert_same_answer(query, connections)


@pytest.mark.parametrize(("query", "rule"), REFUSED.values(), ids=REFUSED)
def test_rows_without_a_unit_are_not_taken_for_one_unit(query: str, rule: str, schema: Schema) -> None:
    with pytest.raises(UnsupportedError) as refusal:
        plan_of(query, schema)
    assert (refusal.value.rule, refusal.value.sqlstate) == (rule, "0A000")


def test_the_hint_says_which_rows_to_leave_out(flying: RunningProxy) -> None:
    query = "SELECT count(*) FROM (SELECT f.tailnum, count(*) FROM flights f GROUP BY f.tailnum) AS each"
    with flying.connect() as client, pytest.raises(psycopg.errors.FeatureNotSupported) as refusal:
        client.execute(query)
    assert refusal.value.diag.message_hint == (
        "Add WHERE f.tailnum IS NOT NULL: rows in which it is NULL are not one plane."
    )


@pytest.mark.parametrize("table", ["flights", "bags"])
def test_explain_and_the_notice_say_which_rows_are_units_of_their_own(table: str, flying: RunningProxy) -> None:
    said = "Each row where public.flights.tailnum is NULL is a unit of its own"
    notices: list[str | None] = []
    with flying.connect() as client:
        client.add_notice_handler(lambda diagnostic: notices.append(diagnostic.message_detail))
        explained = client.execute(f"EXPLAIN SELECT count(*) + 1 FROM {table}".encode()).fetchall()
        client.execute(f"SELECT count(*) + 1 FROM {table}".encode())
    assert f"    {said}" in [line for (line,) in explained]
    assert any(f"{said}." in (detail or "") for detail in notices)
    assert not any("not counted" in (detail or "") for detail in notices)


@pytest.mark.parametrize("when_null", ["exclude", None])
def test_rows_without_a_unit_do_not_count_where_the_policy_excludes_them(
    when_null: str | None, proxies: StartProxy, airport: str
) -> None:
    excluding = proxies(policy(when_null=when_null), source=airport)
    with client_and_source(excluding) as (client, source):
        (expected,) = source.execute("SELECT count(*), sum(delay) FROM flights WHERE tailnum IS NOT NULL").fetchall()
        assert client.execute("SELECT count(*), sum(delay) FROM flights").fetchone() == expected


def test_rows_that_nothing_tells_apart_stop_the_start(proxies: StartProxy, copy_clinic: Callable[[], str]) -> None:
    source = copy_clinic()
    with psycopg.connect(source, autocommit=True) as connection:
        connection.execute(SCHEMA)
        connection.execute("ALTER TABLE repairs DROP CONSTRAINT repairs_began_place_key")
    with pytest.raises(PolicyError) as refusal:
        proxies(policy(), source=source)
    (finding,) = refusal.value.findings
    assert finding.path == "tables.public.repairs.unit.when_null"
    assert finding.message == "nothing tells apart the rows in which tailnum is NULL"


def test_a_key_that_is_gone_is_noticed_instead_of_taking_several_rows_for_one_unit(
    proxies: StartProxy, copy_clinic: Callable[[], str]
) -> None:
    source = copy_clinic()
    with psycopg.connect(source, autocommit=True) as connection:
        connection.execute(SCHEMA)
        started = proxies(policy(), source=source)
        connection.execute("ALTER TABLE repairs DROP CONSTRAINT repairs_began_place_key")
    with started.connect() as client, pytest.raises(psycopg.errors.ObjectNotInPrerequisiteState):
        client.execute("SELECT count(*) FROM repairs r LEFT JOIN flights f ON f.tailnum = r.tailnum")


def test_a_key_that_can_be_null_is_noticed(proxies: StartProxy, copy_clinic: Callable[[], str]) -> None:
    source = copy_clinic()
    with psycopg.connect(source, autocommit=True) as connection:
        connection.execute(SCHEMA)
        started = proxies(policy(), source=source)
        connection.execute("ALTER TABLE repairs ALTER COLUMN place DROP NOT NULL")
    with started.connect() as client, pytest.raises(psycopg.errors.ObjectNotInPrerequisiteState):
        client.execute("SELECT count(*) FROM repairs")
