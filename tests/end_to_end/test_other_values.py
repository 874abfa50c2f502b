"""`others`: values that the policy does not declare are one more value, wherever the column is read.

The source answers the same queries over views in which every column is mapped by hand.
"""

from __future__ import annotations

from collections.abc import Iterator

import psycopg
import pytest

from proxy.policy.model import Policy
from tests.conftest import PostgresCluster
from tests.end_to_end import clinic
from tests.end_to_end.comparing import Connections, assert_same_answer, client_and_source
from tests.end_to_end.conftest import StartProxy

SCHEMA = """
CREATE COLLATION folding (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
CREATE TYPE size AS ENUM ('small', 'large', 'huge');
CREATE TABLE airports (faa text PRIMARY KEY, name text, quiet boolean NOT NULL DEFAULT false);
INSERT INTO airports VALUES ('JFK', 'Kennedy'), ('LAX', 'Angeles'), ('it''s', 'a "quote"'), (E'back\\\\slash', '{,}');
CREATE TABLE flights (
    id integer PRIMARY KEY, plane integer, dest text, code char(4), status varchar(8), label name, word text COLLATE folding,
    extent size, minutes integer, UNIQUE (plane, dest)
);
INSERT INTO flights
SELECT i, i, (ARRAY['JFK', 'LAX', 'it''s', E'back\\\\slash', 'SJU', 'jfk', 'JFK ', '', NULL, repeat('x', 9000)])[1 + i % 10],
       (ARRAY['a', 'bc', 'zzzz', '', NULL])[1 + i % 5], (ARRAY['on', 'off', 'on ', 'unknown', NULL])[1 + i / 5 % 5],
       (ARRAY['x', 'y', NULL])[1 + i % 3], (ARRAY['Word', 'word', 'deed', NULL])[1 + i % 4],
       (ARRAY['small', 'large', 'huge', NULL])[1 + i % 4]::size, i % 100
FROM generate_series(1, 600) AS i;
CREATE TABLE crew (flight integer REFERENCES flights, dest text, role text);
INSERT INTO crew SELECT 1 + i % 600, (ARRAY['JFK', 'SJU', 'BQN', NULL])[1 + i % 4], 'r' || i % 3 FROM generate_series(1, 900) AS i;
CREATE VIEW trips AS SELECT id, dest AS "to", minutes FROM flights WHERE dest <> 'JFK';
CREATE SCHEMA mapped;
CREATE VIEW mapped.flights AS SELECT id, plane,
    CASE WHEN dest IN (SELECT faa FROM airports) THEN dest WHEN dest IS NOT NULL THEN 'other' END AS dest,
    (CASE WHEN code IN ('a', 'bc') THEN code WHEN code IS NOT NULL THEN 'z' END)::char(4) AS code,
    (CASE WHEN status IN ('on', 'off') THEN status WHEN status IS NOT NULL THEN '' END)::varchar(8) AS status,
    (CASE WHEN label IN ('x') THEN label WHEN label IS NOT NULL THEN 'rest' END)::name AS label,
    CASE WHEN word COLLATE "default" IN ('word') THEN 'word' WHEN word IS NOT NULL THEN 'other' END AS word,
    CASE WHEN extent IN ('small') THEN 'small' WHEN extent IS NOT NULL THEN 'big' END AS extent, minutes
FROM flights;
CREATE VIEW mapped.trips AS SELECT id, dest AS "to", minutes FROM mapped.flights WHERE dest <> 'JFK';
CREATE VIEW mapped.crew AS SELECT flight,
    CASE WHEN dest IN (SELECT faa FROM airports) THEN dest WHEN dest IS NOT NULL THEN 'other' END AS dest, role
FROM crew;
"""
DEST = {"values_from": "public.airports.faa", "others": "other"}
EXACT = {"budget": {"epsilon": "1e27", "delta": "0.4"}, "query": {"epsilon": "1e20", "delta": "1e-5"}}
POLICY = {
    "version": 1,
    "analysts": {"ana": {"password": clinic.VERIFIER}},
    "units": {"flight": {}},
    "tables": {
        "public.flights": {
            **EXACT,
            "unit": {"name": "flight", "column": "id"},
            "columns": {
                "id": {},
                "plane": {},
                "dest": DEST,
                "code": {"values": ["a", "bc"], "others": "z"},
                "status": {"values": ["on", "off"], "others": ""},
                "label": {"values": ["x"], "others": "rest"},
                "word": {"values": ["word"], "others": "other"},
                "extent": {"values": ["small"], "others": "big"},
                "minutes": {"bounds": ["0", "100"]},
            },
        },
        "public.crew": {
            **EXACT,
            "unit": {"name": "flight", "via": "flight -> public.flights.id"},
            "contribution": {"max_rows": 100},
            "columns": {"flight": {}, "dest": DEST, "role": {"values": ["r0"], "others": "r"}},
        },
        "public.trips": {"view": True},
        "public.airports": {"public": True, "columns": {"faa": {}, "name": {}}},
    },
}


@pytest.fixture(scope="module")
def flights(postgres_cluster: PostgresCluster, proxies: StartProxy) -> Iterator[Connections]:
    dsn = postgres_cluster.create_database("other_values")
    with psycopg.connect(dsn, autocommit=True) as connection:
        connection.execute(SCHEMA)
    with client_and_source(proxies(Policy.model_validate(POLICY), source=dsn)) as both:
        both[1].execute("SET search_path = mapped, public")
        yield both


COLUMNS = ["dest", "code", "status", "label", "word", "extent"]


@pytest.mark.parametrize("column", COLUMNS)
def test_every_row_is_in_a_group(column: str, flights: Connections) -> None:
    query = f"SELECT {column}, count(*), sum(minutes) FROM flights GROUP BY {column}"
    assert_same_answer(query, flights)
    rows = flights[0].execute(query.encode()).fetchall()
    assert sum(row[1] for row in rows) == 600
    lines = flights[0].execute(f"EXPLAIN {query}".encode()).fetchall()
    (keys,) = (line for (line,) in lines if "Group keys" in line)
    assert "every key is answered" in keys
    assert "for others" in keys


QUERIES = {
    "where": "SELECT count(*) FROM flights WHERE dest = 'other'",
    "an undeclared value is nobody's": "SELECT count(*) FROM flights WHERE dest = 'SJU' OR dest IN ('BQN', 'jfk')",
    "beside the name": "SELECT count(*) FROM flights WHERE dest IN ('SJU', 'other')",
    "not in": "SELECT dest, count(*) FROM flights WHERE dest NOT IN ('JFK', 'other') GROUP BY dest",
    "null": "SELECT count(*), count(dest) FROM flights WHERE dest IS NULL OR dest > 'other'",
    "expression": "SELECT upper(dest), length(status), count(*) FROM flights GROUP BY 1, 2",
    "case": "SELECT CASE WHEN dest = 'other' THEN 'rest' WHEN status = 'on' THEN dest END, count(*) FROM flights GROUP BY 1",
    "distinct": "SELECT count(DISTINCT dest), count(DISTINCT code), count(DISTINCT word) FROM flights",
    "filter": "SELECT count(*) FILTER (WHERE code = 'z'), count(*) FILTER (WHERE word = 'WORD') FROM flights",
    "padded": "SELECT count(*) FROM flights WHERE code = 'z   ' OR code = 'a '",
    "rollup": "SELECT dest, extent, count(*) FROM flights GROUP BY ROLLUP (dest, extent)",
    "inner join of a public table": "SELECT name, count(*) FROM flights JOIN airports ON dest = faa GROUP BY name",
    "left join of a public table": "SELECT name, dest, count(*) FROM flights LEFT JOIN airports ON dest = faa GROUP BY 1, 2",
    "join of private tables": "SELECT c.dest, f.dest, count(*) FROM flights f JOIN crew c ON f.id = c.flight AND f.dest = c.dest "
    "GROUP BY 1, 2",
    "subquery": "SELECT d, count(*) FROM (SELECT id, dest AS d FROM flights WHERE minutes > 20) AS f GROUP BY d",
    "of one unit": "SELECT n, count(*) FROM (SELECT flight, count(DISTINCT dest) AS n FROM crew GROUP BY flight) AS c GROUP BY n",
    "distinct rows": "SELECT dest, count(*) FROM (SELECT DISTINCT flight, dest FROM crew) AS c GROUP BY dest",
    "union": "SELECT d, count(*) FROM (SELECT id, dest AS d FROM flights UNION SELECT flight, dest FROM crew) AS u GROUP BY d",
    "windows": "SELECT n, count(*) FROM (SELECT flight, rank() OVER (PARTITION BY flight ORDER BY dest) AS n FROM crew) AS c "
    "GROUP BY n",
    "self join on a unique key": "SELECT count(*) FROM flights f JOIN flights g USING (id, plane, dest)",
    "in": "SELECT count(*) FROM flights f WHERE dest IN (SELECT c.dest FROM crew c WHERE c.flight = f.id)",
    "exists": "SELECT count(*) FROM flights f WHERE EXISTS (SELECT FROM crew c WHERE c.flight = f.id AND c.dest = f.dest)",
    "a view": 'SELECT "to", count(*) FROM trips GROUP BY "to"',
    "a correlated subquery": "SELECT count(*) FROM flights f WHERE (SELECT count(*) FROM crew c WHERE c.flight = f.id AND "
    "c.dest = 'other') > 0",
    "an array": "SELECT count(*) FROM flights WHERE dest = ANY (ARRAY['other', 'SJU'])",
    "a released list": "SELECT dest, count(*) FROM flights WHERE dest IN (SELECT faa FROM airports) GROUP BY dest",
    "concatenated": "SELECT dest || '-' || status, count(*) FROM flights GROUP BY 1",
}


@pytest.mark.parametrize("query", QUERIES.values(), ids=QUERIES.keys())
def test_the_column_is_mapped_wherever_it_is_read(query: str, flights: Connections) -> None:
    assert_same_answer(query, flights)


def test_the_most_frequent_value_can_be_the_others(flights: Connections) -> None:
    assert_same_answer("SELECT mode() WITHIN GROUP (ORDER BY dest) FROM flights WHERE dest <> 'JFK'", flights)


def test_values_that_a_public_table_gains_are_others_until_dpproxy_starts_again(flights: Connections) -> None:
    client, source = flights
    query = b"SELECT dest, count(*) FROM flights WHERE dest = 'other' AND minutes < 50 GROUP BY dest"
    expected = source.execute(query).fetchall()
    source.execute("INSERT INTO airports VALUES ('SJU', 'San Juan')")
    try:
        assert client.execute(query).fetchall() == expected
    finally:
        source.execute("DELETE FROM airports WHERE faa = 'SJU'")


def test_dp_columns_shows_the_name(flights: Connections) -> None:
    query = (
        "SELECT column_name, others FROM dp.columns WHERE others IS NOT NULL AND table_name = 'public.crew' ORDER BY 1"
    )
    assert flights[0].execute(query).fetchall() == [("dest", "other"), ("role", "r")]
