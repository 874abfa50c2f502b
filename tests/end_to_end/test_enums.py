"""Enums are in the order of their labels and equal to their own kind alone, as on the source, or refused."""

from __future__ import annotations

import copy
from collections.abc import Iterator

import psycopg
import pytest

from proxy.policy.model import Policy
from tests.attacks.attacker import UNSUPPORTED
from tests.conftest import PostgresCluster
from tests.end_to_end import clinic
from tests.end_to_end.charging import all_spent
from tests.end_to_end.comparing import Connections, assert_same_answer, client_and_source
from tests.end_to_end.conftest import StartProxy

# In no order of labels are these texts: large < medium < small, blue < green < red < small.
SCHEMA = """
CREATE EXTENSION IF NOT EXISTS citext;
CREATE TYPE size AS ENUM ('small', 'medium', 'large');
CREATE SCHEMA other;
CREATE TYPE other."Colour of" AS ENUM ('red', 'green', 'small', 'blue');
CREATE TABLE shelves (shelf integer PRIMARY KEY, size size, colour other."Colour of");
CREATE UNIQUE INDEX ON shelves (size);
INSERT INTO shelves VALUES (1, 'small', 'red'), (2, 'large', 'small'), (3, 'medium', 'blue');
CREATE TABLE things (
    id integer PRIMARY KEY, size size REFERENCES shelves (size), colour other."Colour of" NOT NULL, word text, odd boolean,
    loose citext, sizes size[]
);
INSERT INTO things
SELECT i, (ARRAY['small', 'large', 'medium', NULL, 'large'])[1 + i % 5]::size,
       (ARRAY['red', 'green', 'small', 'blue', 'blue'])[1 + i * i % 5]::other."Colour of", 'w' || i % 3, i % 2 = 1,
       (ARRAY['B', 'a', 'c'])[1 + i % 3], ARRAY[(ARRAY['small', 'large'])[1 + i % 2]]::size[]
FROM generate_series(1, 300) AS i;
"""
POLICY = {
    "version": 1,
    "analysts": {"ana": {"password": clinic.VERIFIER}},
    "units": {"thing": {}},
    "tables": {
        "public.things": {
            "unit": {"name": "thing", "column": "id"},
            "budget": {"epsilon": "1e27", "delta": "0.4"},
            "query": {"epsilon": "1e20", "delta": "1e-5"},
            "columns": {
                **{name: {} for name in ("id", "word", "odd", "loose", "sizes")},
                "size": {"values": "from_type"},
                "colour": {"values": "from_type"},
            },
        },
        "public.shelves": {"public": True},
    },
}


def _source(postgres_cluster: PostgresCluster) -> str:
    source = postgres_cluster.create_database("enums")
    with psycopg.connect(source, autocommit=True) as connection:
        connection.execute(SCHEMA)
    return source


@pytest.fixture(scope="module")
def declared(postgres_cluster: PostgresCluster, proxies: StartProxy) -> Iterator[Connections]:
    """The policy declares all labels."""
    with client_and_source(proxies(Policy.model_validate(POLICY), source=_source(postgres_cluster))) as both:
        yield both


@pytest.fixture(scope="module")
def shown(postgres_cluster: PostgresCluster, proxies: StartProxy) -> Iterator[Connections]:
    """The policy declares none, but a public table shows columns of both enums."""
    content = copy.deepcopy(POLICY)
    content["tables"]["public.things"]["columns"] |= {"size": {}, "colour": {}}  # type: ignore[index]
    with client_and_source(proxies(Policy.model_validate(content), source=_source(postgres_cluster))) as both:
        yield both


@pytest.fixture(scope="module")
def undeclared(postgres_cluster: PostgresCluster, proxies: StartProxy) -> Iterator[Connections]:
    """The policy declares none, and only some of another enum; no public table shows one."""
    content = copy.deepcopy(POLICY)
    columns = content["tables"]["public.things"]["columns"]  # type: ignore[index]
    columns |= {"size": {}, "colour": {"values": ["small", "red"]}}
    content["tables"]["public.shelves"]["columns"] = {"shelf": {}}  # type: ignore[index]
    with client_and_source(proxies(Policy.model_validate(content), source=_source(postgres_cluster))) as both:
        yield both


ORDERED = [
    "SELECT max(size), min(size), min(colour), max(colour) FILTER (WHERE odd) FROM things",
    "SELECT colour, max(size) FROM things GROUP BY colour",
    "SELECT max(size::text), min(size::varchar), max(s) FROM (SELECT id, size, colour::text AS s FROM things) AS t",
    "SELECT percentile_disc(0.3) WITHIN GROUP (ORDER BY size), percentile_disc(0.2) WITHIN GROUP (ORDER BY colour DESC) FROM things",
    "SELECT percentile_disc(ARRAY[0.1, 0.9]) WITHIN GROUP (ORDER BY size) FROM things",
    "SELECT max(s) FROM (SELECT id, size AS s FROM things WHERE odd) AS t",
    "SELECT array_agg(s) FROM (SELECT size AS s, count(*) FROM things GROUP BY 1 ORDER BY 1) AS t",
    "SELECT array_agg(s::text ORDER BY s DESC) FROM (SELECT size AS s, count(*) FROM things GROUP BY 1) AS t",
    "SELECT size, colour, count(*), rank() OVER (ORDER BY size DESC, colour) FROM things GROUP BY CUBE (1, 2)",
    "SELECT size, sum(count(*)) OVER (ORDER BY size) FROM things GROUP BY size ORDER BY size DESC LIMIT 2",
    "SELECT size, count(*) FROM things GROUP BY size HAVING size > 'small' AND greatest(size, 'medium') = 'large'",
    "SELECT size >= 'medium', greatest(size, 'medium'::size), count(*) FROM (SELECT size, count(*) FROM things GROUP BY 1) AS t GROUP BY 1, 2",
    "SELECT count(*), greatest('medium'::size, 'large'::size), 'medium'::size < 'large' FROM things",
    "SELECT count(*) FROM things WHERE size = greatest('small'::size, 'medium'::size)",
    "SELECT count(*) FROM things WHERE size = (SELECT max(size) FROM shelves)",
    "SELECT count(*) FROM things WHERE size = (SELECT max(x) FROM (VALUES ('large'::size), ('medium'::size)) AS v (x))",
    "SELECT s.size, max(s.colour) OVER (ORDER BY s.size), count(*) FROM things JOIN shelves AS s USING (size) GROUP BY s.size, s.colour",
    "SELECT size, shelf, first_value(colour) OVER (ORDER BY colour) FROM shelves WHERE size > 'small'",
    "WITH most AS (SELECT size, count(*) FROM things GROUP BY 1 ORDER BY size DESC NULLS LAST LIMIT 1) "
    "SELECT colour, count(*) FROM things WHERE size IN (SELECT size FROM most) GROUP BY 1",
]


@pytest.mark.parametrize("query", ORDERED)
def test_declared_labels_have_the_order_of_their_type(query: str, declared: Connections) -> None:
    assert_same_answer(query, declared)


@pytest.mark.parametrize("key", ["size", "1", "s", "size DESC NULLS LAST"])
def test_groups_are_sorted_by_the_order_of_their_labels(key: str, declared: Connections) -> None:
    query = f"SELECT size AS s, count(*) FROM things WHERE odd GROUP BY size ORDER BY {key}".encode()
    answer, expected = (connection.execute(query).fetchall() for connection in declared)
    assert answer == expected
    assert len(answer) == 4


@pytest.mark.parametrize(
    "query",
    [
        "SELECT max(size) FROM things",
        "SELECT size, count(*) FROM things GROUP BY size ORDER BY size",
        "SELECT size, count(*) FROM things GROUP BY size ORDER BY 1",
        "SELECT size, rank() OVER (ORDER BY size), count(*) FROM things GROUP BY size",
        "SELECT * FROM (SELECT size AS s, count(*) FROM things GROUP BY 1) AS t ORDER BY s",
        "SELECT max(s) FROM (SELECT size AS s, count(*) FROM things GROUP BY 1) AS t",
        "SELECT * FROM (SELECT size AS s, count(*) FROM things GROUP BY 1) AS t WHERE s < 'medium'",
        "SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY size) FROM things",
        "SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY colour) FROM things",
        "SELECT max(colour) FROM things",
        "SELECT count(*) FROM things WHERE size BETWEEN 'small' AND 'medium'",
        "SELECT count(*), greatest('medium'::size, 'large'::size) FROM things",
    ],
)
def test_the_order_of_labels_that_the_policy_does_not_declare_is_refused(query: str, undeclared: Connections) -> None:
    client, _ = undeclared
    before = all_spent(client)
    with pytest.raises(psycopg.errors.UndefinedFunction) as refusal:
        client.execute(query.encode())
    enum = "Colour of" if "colour" in query else "size"
    assert f"does not declare the labels of {enum}" in (refusal.value.diag.message_detail or "")
    assert "column::text" in (refusal.value.diag.message_hint or "")
    assert all_spent(client) == before


SHOWN = [
    "SELECT s.size, count(*) FROM things JOIN shelves AS s USING (size) GROUP BY s.size ORDER BY s.size",
    "SELECT q.size AS size, SUM(1) AS n FROM (SELECT t.id, s.size FROM things AS t JOIN shelves AS s ON s.size = t.size) AS q"
    " GROUP BY 1 ORDER BY 1",
    "SELECT t.odd, s.size, count(*) FROM things AS t JOIN shelves AS s USING (size) GROUP BY GROUPING SETS ((1, 2), (1), ())"
    " ORDER BY 1, 2",
    "SELECT count(DISTINCT s.size), max(s.colour) FROM things AS t JOIN shelves AS s USING (size)",
    "SELECT size, count(*) FROM things GROUP BY size ORDER BY size",
    "SELECT colour, avg(shelf) FROM shelves GROUP BY colour ORDER BY colour DESC",
    "SELECT count(*) FROM things WHERE size = (SELECT max(size) FROM shelves)",
    "SELECT max(size), min(colour) FROM shelves",
]


@pytest.mark.parametrize("query", SHOWN)
def test_labels_of_an_enum_that_a_public_table_shows_have_their_order(query: str, shown: Connections) -> None:
    answer, expected = (connection.execute(query.encode()).fetchall() for connection in shown)
    assert repr(answer) == repr(expected)


EQUAL = [
    "SELECT size, colour, count(*) FROM things GROUP BY 1, 2",
    "SELECT size::text, count(*) FROM things GROUP BY 1 ORDER BY 1",
    "SELECT count(DISTINCT size::text), count(*) FILTER (WHERE size::text < 'medium') FROM things",
    "SELECT size = 'small', colour IN ('small', 'red'), count(*) FROM things GROUP BY 1, 2",
    "SELECT CASE size WHEN 'small' THEN 'large' ELSE size END, coalesce(size, 'small'), count(*) FROM things GROUP BY 1, 2",
    "SELECT size || 'x', concat(colour, '!'), count(*) FROM things GROUP BY 1, 2",
    "SELECT count(*) FROM things WHERE size = ANY ('{small,large}') OR colour <> ALL ('{red,small}'::other.\"Colour of\"[])",
    "SELECT count(*) FROM things WHERE (size, odd) = ('small', true)",
    "SELECT s.colour, count(*) FROM things JOIN shelves AS s USING (size) GROUP BY 1",
    "SELECT s.size, s.colour, count(id) FROM shelves AS s LEFT JOIN things AS t ON t.size = s.size AND t.colour = s.colour GROUP BY 1, 2",
    "SELECT v.n, count(*) FROM things JOIN (VALUES ('small'::size, 1), ('large', 2)) AS v (s, n) ON size = s GROUP BY 1",
    "SELECT DISTINCT size FROM (SELECT size, colour, count(*) FROM things GROUP BY 1, 2) AS t",
    "SELECT size, count(*) FROM things GROUP BY 1 HAVING size <> 'small'",
]


@pytest.mark.parametrize("query", EQUAL)
def test_labels_are_equal_and_grouped_as_on_the_source(
    query: str, declared: Connections, shown: Connections, undeclared: Connections
) -> None:
    without = () if "= ('small', true)" in query or "shelves" in query else (undeclared,)
    for connections in (declared, shown, *without):
        assert_same_answer(query, connections)


@pytest.mark.parametrize(
    "condition",
    [
        "size = colour",
        "size = word",
        "size = 'small'::text",
        "size LIKE 's%'",
        "length(size) > 3",
        "size = 'small'::other.\"Colour of\"",
        "size = ANY ('{small}'::other.\"Colour of\"[])",
        "size <> ALL ('{small}'::other.\"Colour of\"[])",
        "size = ANY (ARRAY['small']::text[])",
        "size IN ('small'::other.\"Colour of\", 'small'::other.\"Colour of\")",
        "size IS DISTINCT FROM 'small'::other.\"Colour of\"",
        "nullif(size, 'small'::other.\"Colour of\") IS NULL",
        "coalesce(size, 'small'::other.\"Colour of\") = 'small'",
        "CASE WHEN odd THEN size ELSE colour END = 'small'",
        "'small'::size = 'small'::other.\"Colour of\"",
        "size IN (SELECT colour FROM shelves)",
    ],
)
def test_an_enum_is_compared_with_its_own_values_alone(
    condition: str, declared: Connections, undeclared: Connections
) -> None:
    """What the source refuses for its types is refused with the same words, beside private rows and beside released."""
    for query in (
        f"SELECT count(*) FROM things WHERE {condition}",
        f"SELECT count(*) FROM (SELECT size, colour, word, odd, count(*) FROM things GROUP BY 1, 2, 3, 4) AS t WHERE {condition}",
    ):
        with pytest.raises(psycopg.Error) as wrong:
            declared[1].execute(query.encode())
        for client in (declared[0], *(() if "shelves" in query else (undeclared[0],))):
            with pytest.raises(psycopg.Error) as refusal:
                client.execute(query.encode())
            assert refusal.value.sqlstate == wrong.value.sqlstate
            assert refusal.value.diag.message_primary == wrong.value.diag.message_primary


def test_a_temporary_table_keeps_enums(declared: Connections) -> None:
    client, source = declared
    for connection in (client, source):
        connection.execute("CREATE TEMP TABLE kept AS SELECT size, count(*) AS n FROM things GROUP BY 1")
        connection.execute("INSERT INTO kept VALUES ('small', 3)")
    for query in (
        "SELECT * FROM kept WHERE size > 'small'",
        "SELECT max(size) FROM kept",
        "SELECT colour, kept.n, count(*) FROM things JOIN kept USING (size) GROUP BY 1, 2",
    ):
        assert_same_answer(query, declared)
    client.execute("DROP TABLE kept")


@pytest.mark.parametrize("column", ["loose", "sizes"])
@pytest.mark.parametrize(
    "query",
    [
        "SELECT {0}, count(*) FROM things GROUP BY {0} ORDER BY {0}",
        "SELECT {0}, count(*) FROM things GROUP BY 1 ORDER BY 2, 1",
        "SELECT {0} AS k, count(*) FROM things GROUP BY 1 ORDER BY k",
        "SELECT {0}, rank() OVER (ORDER BY {0}), count(*) FROM things GROUP BY 1",
    ],
)
def test_groups_are_not_sorted_by_other_types_of_the_database_s_own(
    query: str, column: str, declared: Connections
) -> None:
    with pytest.raises(psycopg.Error, match="the order of a user-defined type is not supported") as refusal:
        declared[0].execute(query.format(column).encode())
    assert refusal.value.sqlstate == UNSUPPORTED


def test_labels_are_on_the_stage_where_something_makes_them_public(
    declared: Connections, shown: Connections, undeclared: Connections
) -> None:
    """They can hold data: of others not even the number is seen."""
    query = "SELECT enumlabel FROM pg_enum e JOIN pg_type t ON t.oid = enumtypid WHERE typname = 'size' ORDER BY enumsortorder"
    for client, source in (declared, shown):
        assert client.execute(query.encode()).fetchall() == source.execute(query.encode()).fetchall()
    assert undeclared[0].execute("SELECT count(*) FROM pg_enum").fetchone() == (0,)
