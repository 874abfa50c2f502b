"""Constants mean what their types say: those that the stage computes, those that a driver binds, and texts as keys."""

from __future__ import annotations

from collections.abc import Iterator

import psycopg
import pytest
from psycopg import pq

from proxy.policy.model import Policy
from tests.attacks.attacker import UNSUPPORTED
from tests.conftest import PostgresCluster
from tests.end_to_end import clinic
from tests.end_to_end.comparing import Connections, assert_same_answer, client_and_source
from tests.end_to_end.conftest import StartProxy

SCHEMA = """
CREATE TYPE size AS ENUM ('small', 'medium', 'large');
CREATE TYPE unlisted AS ENUM ('small');
CREATE SCHEMA other;
CREATE TYPE other."Size of" AS ENUM ('small', 'large');
CREATE TABLE groups (grp integer PRIMARY KEY, rank integer);
INSERT INTO groups SELECT i, i FROM generate_series(1, 5) AS i;
CREATE TABLE things (
    id integer PRIMARY KEY, note char(6), one "char", bits bit(4), pattern bit varying(6), word text, size size,
    value integer, grp integer, odd boolean, also other."Size of", hidden unlisted
);
INSERT INTO things
SELECT i, (ARRAY['good', 'bad', 'so'])[1 + i % 3], (ARRAY['a', 'b'])[1 + i % 2]::"char", (i % 16)::bit(4),
       (i % 4)::bit(4)::bit varying, 'w' || i % 4, (ARRAY['small', 'medium', 'large'])[1 + i % 3]::size, i % 7, i % 5 + 1, i % 2 = 1,
       (ARRAY['small', 'large'])[1 + i % 2]::other."Size of"
FROM generate_series(1, 300) AS i;
CREATE VIEW small_things AS SELECT id, value FROM things WHERE size = 'small' OR size IN ('medium', 'large') AND odd;
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
                **{name: {} for name in ("id", "note", "one", "bits", "pattern", "word", "size", "odd", "also")},
                "value": {"range": ["0", "6"]},
                "grp": {"range": ["1", "5"]},
            },
        },
        "public.groups": {"public": True},
        "public.small_things": {"view": True},
    },
}


@pytest.fixture(scope="module")
def things(postgres_cluster: PostgresCluster, proxies: StartProxy) -> Iterator[Connections]:
    dsn = postgres_cluster.create_database("things")
    with psycopg.connect(dsn, autocommit=True) as connection:
        connection.execute(SCHEMA)
    with client_and_source(proxies(Policy.model_validate(POLICY), source=dsn)) as both:
        yield both


@pytest.mark.parametrize(
    "query",
    [
        "SELECT count(*) FROM things WHERE note = 'good'::char(6)",
        "SELECT count(*) FROM things WHERE word = 'w1xx'::char(2)",
        "SELECT count(*) FROM things WHERE note = ANY (ARRAY['good', 'bad']::char(6)[])",
        "SELECT CASE WHEN odd THEN 'good'::char(6) END, count(*) FROM things GROUP BY 1",
        "SELECT concat('good'::char(6), odd), count(*) FROM things GROUP BY 1",
        "SELECT octet_length('good'::char(6)) || word, count(*) FROM things GROUP BY 1",
        "SELECT CASE WHEN count(*) > 0 THEN 'good'::char(6) END || '|' FROM things",
        "SELECT CASE WHEN count(*) > 0 THEN '0011'::bit(4) END FROM things",
        "SELECT count(*) FROM things WHERE one = 'a'::\"char\"",
        "SELECT upper('a') AS k, count(*) FROM things GROUP BY k",
        "SELECT 'a'::text AS k, count(*) FROM things GROUP BY k",
        "SELECT current_date::text AS k, count(*) FROM things GROUP BY k",
        "SELECT coalesce(NULL, 'x') AS k, count(*) FROM things GROUP BY k",
        # Constants without a type, one of which is chosen, are a text.
        "SELECT count(*) FROM things WHERE (CASE WHEN odd THEN 's' ELSE 'n' END)::text = 's'",
        "SELECT (CASE WHEN odd THEN 's' ELSE 'n' END)::varchar(3) AS k, count(*) FROM things GROUP BY k",
        "SELECT sum((CASE WHEN odd THEN '1' ELSE '2' END)::int), count((CASE WHEN odd THEN 'x' END)::char(1)) FROM things",
        "SELECT count(*) FILTER (WHERE (CASE WHEN odd THEN '2024-01-01' ELSE '2025-01-01' END)::date > date '2024-06-01') FROM things",
        "SELECT count(*) FROM things WHERE coalesce(CASE WHEN odd THEN 'true' END, 'false')::boolean",
        "SELECT count(*) FROM things WHERE (greatest('a', CASE WHEN odd THEN 'b' END) || 'c')::text LIKE 'b%'",
        "SELECT k::text AS t, count(*) FROM (SELECT id, CASE WHEN odd THEN 's' ELSE 'n' END AS k FROM things) AS q GROUP BY t",
        "SELECT 'good'::char(6) AS k, regexp_replace('abc', 'b', 'x'), NULL::text, count(*) FROM things GROUP BY 1, 2, 3",
    ],
)
def test_a_constant_is_what_its_type_says(query: str, things: Connections) -> None:
    assert_same_answer(query, things)


@pytest.mark.parametrize("alias", ["v", "k0", "k", "rank", "dpkeys"])
@pytest.mark.parametrize("grouping", ["{}", "CUBE ({})"])
def test_an_output_can_have_any_name_beside_a_scalar_subquery(alias: str, grouping: str, things: Connections) -> None:
    """The subquery becomes a join, whose columns are no names of the client's."""
    for compared in (
        "SELECT sum(rank) FROM groups x WHERE x.grp = i.grp",
        "SELECT sum(x.value) FROM things x WHERE x.id = i.id",
    ):
        query = f"SELECT i.value AS {alias}, count(*) FROM things i WHERE i.value = ({compared})"
        assert_same_answer(f"{query} GROUP BY {grouping.format(alias)}", things)


UNDEFINED = "42883"
NEVER_BOUND = (
    "SELECT oid::bigint, typname FROM pg_type WHERE typnamespace = 'pg_catalog'::regnamespace AND typtype <> 'c'"
)


def test_a_parameter_of_every_type_is_answered_or_refused(things: Connections) -> None:
    """Never an internal error: the driver chooses the type, the server's own types have names that SQL must quote."""
    client, source = things
    types = source.execute(NEVER_BOUND).fetchall()
    assert len(types) > 150
    states: dict[str, str] = {}
    for oid, name in types:
        for column in ("one", "word", "value", "bits", "pattern"):
            query = f"SELECT count(*) FROM things WHERE {column} = $1".encode()
            result = client.pgconn.exec_params(query, [b"1"], param_types=[oid])
            field = result.error_field(pq.DiagnosticField.SQLSTATE)
            states[f"{column} = {name}"] = (field or b"00000").decode()
    assert not {what for what, state in states.items() if state.startswith("XX")}
    assert states["one = char"] == states["value = int4"] == states["pattern = varbit"] == "00000"


def test_parameters_of_types_that_sql_must_quote_are_compared(things: Connections) -> None:
    client, source = things
    for query, text, oid in (("one = $1", b"a", 18), ("pattern = $1", b"0010", 1562), ("note = $1", b"good", 1042)):
        full = f"SELECT count(*) FROM things WHERE {query}".encode()
        answer, expected = (
            connection.pgconn.exec_params(full, [text], param_types=[oid]) for connection in (client, source)
        )
        assert answer.get_value(0, 0) == expected.get_value(0, 0) != b"0"


@pytest.mark.parametrize(
    "query",
    [
        "SELECT count(*) FROM things WHERE size > 'small'",
        "SELECT count(*) FROM things WHERE size BETWEEN 'medium' AND 'large'",
        "SELECT count(*) FROM things WHERE (size, id) < ('small', 3)",
        "SELECT count(*) FROM things WHERE greatest(size, 'small') = 'large'",
        "SELECT count(*) FROM things WHERE coalesce(size, 'small') > 'small'",
        "SELECT count(*) FROM things WHERE CASE WHEN odd THEN size END > 'small'",
        "SELECT count(*) FROM (SELECT id, size AS s FROM things) AS t WHERE s > 'small'",
        "SELECT m, count(*) FROM (SELECT id, max(size) AS m FROM things GROUP BY id) AS t GROUP BY m",
        "SELECT count(*) FROM (SELECT id, rank() OVER (PARTITION BY id ORDER BY size) AS r FROM things) AS t WHERE r = 1",
        "SELECT size, count(*) FROM things GROUP BY size HAVING size > 'small'",
        "SELECT size > 'small', count(*) FROM things GROUP BY size",
    ],
)
def test_the_order_of_an_undeclared_enum_is_refused(query: str, things: Connections) -> None:
    """It is not that of the texts as which dpproxy reads the values."""
    with pytest.raises(psycopg.Error) as refusal:
        things[0].execute(query.encode())
    assert refusal.value.sqlstate in (UNDEFINED, UNSUPPORTED)
    assert "column::text" in (refusal.value.diag.message_hint or "")


def test_enums_are_equal_and_grouped_as_on_the_source(things: Connections) -> None:
    assert_same_answer("SELECT size, count(*) FROM things GROUP BY size", things)
    assert_same_answer("SELECT size, count(*) FROM things WHERE size IN ('small', 'large') GROUP BY size", things)
    assert_same_answer("SELECT count(*) FROM things WHERE size::text > 'medium'", things)


@pytest.mark.parametrize(
    "query",
    [
        "SELECT count(*) FROM things WHERE size = 'small'::size",
        "SELECT count(*) FROM things WHERE 'small'::public.size <> size",
        "SELECT count(*) FROM things WHERE size IS DISTINCT FROM CAST('small' AS size)",
        "SELECT count(*) FROM things WHERE size IN ('small'::size, 'large'::size)",
        "SELECT count(*) FROM things WHERE size = ANY (ARRAY['small', 'large']::size[])",
        "SELECT count(*) FROM things WHERE size = ANY ('{small,large}'::public.size[])",
        "SELECT count(*) FROM things WHERE size <> ALL (ARRAY['small'::size, 'large'::size])",
        "SELECT count(*) FROM things WHERE also = 'small'::other.\"Size of\"",
        "SELECT CASE WHEN odd THEN size ELSE 'large'::size END AS s, count(*) FROM things GROUP BY 1",
        "SELECT coalesce(nullif(size, 'small'::size), 'large'::size) AS s, count(*) FROM things GROUP BY 1",
        "SELECT CASE size WHEN 'small'::size THEN 1 ELSE 2 END AS s, count(*) FROM things GROUP BY 1",
        "SELECT count(*) FILTER (WHERE size = 'small'::size), sum(CASE WHEN size = 'large'::size THEN value END) FROM things",
        "SELECT size = 'small'::size AS small, count(*) FROM things GROUP BY 1",
        "SELECT * FROM (SELECT size, count(*) FROM things GROUP BY 1) AS q WHERE size = 'small'::size",
        "SELECT size, count(*) FROM things GROUP BY 1 HAVING size <> 'small'::size",
        "SELECT count(*), sum(value) FROM small_things",
    ],
)
def test_a_label_that_is_cast_to_its_enum_is_the_text(query: str, things: Connections) -> None:
    assert_same_answer(query, things)


def test_rows_of_labels_are_written_with_the_cast(things: Connections) -> None:
    """Postgres compares them with no text either."""
    query = "SELECT v.n, count(*) FROM things JOIN (VALUES ('small'{0}, 1), ('large'{0}, 2)) AS v (s, n) ON size = s GROUP BY 1"
    assert_same_answer(query.format("::size"), things)
    for connection in things:
        with pytest.raises(psycopg.errors.UndefinedFunction, match="operator does not exist: size = text"):
            connection.execute(query.format("").encode())


def test_a_label_and_its_cast_are_one_question(things: Connections) -> None:
    client, _ = things
    charges = []
    for condition in (
        "size = 'large'",
        "size = 'large'::size",
        "'large'::public.size = size",
        "size IN ('large'::size)",
    ):
        client.execute(f"SELECT sum(value), count(*) FROM things WHERE {condition}".encode())
        charges.append(client.execute("SELECT count(*) FROM dp.ledger").fetchone())
    assert len(set(charges)) == 1


def test_a_parameter_is_cast_to_an_enum(things: Connections) -> None:
    client, source = things
    for query in ("size = $1::size", "size = ANY ($1::public.size[])"):
        value = b"{small,large}" if "ANY" in query else b"small"
        full = f"SELECT count(*) FROM things WHERE {query}".encode()
        answer, expected = (connection.pgconn.exec_params(full, [value]) for connection in (client, source))
        assert answer.get_value(0, 0) == expected.get_value(0, 0) != b"0", answer.error_message


@pytest.mark.parametrize(
    ("query", "state"),
    [
        # A type that no visible column has does not exist, be it the source's or a temporary one.
        ("SELECT count(*) FROM things WHERE size = 'small'::unlisted", "42704"),
        ("SELECT count(*) FROM things WHERE also = 'small'::other.size", "42704"),
        ("SELECT count(*) FROM things WHERE also = 'small'::\"Size of\"", "42704"),
        ("SELECT count(*) FROM things WHERE size = 'small'::varchar(3)::size", UNSUPPORTED),
        # The cast of a text can fail on a row.
        ("SELECT count(*) FROM things WHERE size = word::size", UNSUPPORTED),
        ("SELECT count(*) FROM things WHERE size = (word || 'x')::size", UNSUPPORTED),
        ("SELECT count(*) FROM things WHERE size > 'small'::size", UNDEFINED),
        ("SELECT count(*) FROM things WHERE size = greatest('small'::size, 'medium'::size)", UNDEFINED),
        (
            "SELECT count(*) FROM things WHERE CASE WHEN odd THEN 'small'::size ELSE 'large'::size END > size",
            UNDEFINED,
        ),
        # Nor does the stage know the order.
        (
            "SELECT size, count(*) FROM things WHERE size = (SELECT max(x) FROM (VALUES ('small'::size), ('medium'::size)) "
            "AS v (x)) GROUP BY 1",
            UNDEFINED,
        ),
        (
            "SELECT count(*) FROM things WHERE size = ANY (SELECT x FROM (VALUES ('small'::size), ('medium'::size)) AS v (x) "
            "ORDER BY x LIMIT 1)",
            UNDEFINED,
        ),
        (
            "WITH v AS (SELECT unnest('{small,medium}'::size[]) AS s) SELECT count(*) FROM things "
            "WHERE size = (SELECT s FROM v ORDER BY s LIMIT 1)",
            UNDEFINED,
        ),
        (
            "SELECT count(*) FROM things JOIN (VALUES ('small'::size), ('large'::size)) AS v (s) ON size = s WHERE s > 'medium'",
            UNDEFINED,
        ),
        (
            "SELECT count(*) FROM things, (VALUES ('small'::size), ('large'::size)) AS v (s) WHERE greatest(s, 'medium') = size",
            UNSUPPORTED,
        ),
        (
            "SELECT count(*) FROM things WHERE size = (SELECT max(q.m) FROM (SELECT 'small'::size AS m UNION SELECT 'medium'::size) AS q)",
            UNDEFINED,
        ),
        # Postgres compares a value with its own enum alone.
        ("SELECT count(*) FROM things WHERE word = 'small'::size", UNDEFINED),
        ("SELECT count(*) FROM things WHERE also IN ('small'::size, 'large'::size)", UNDEFINED),
        ("SELECT count(*) FROM things WHERE id = 'small'::size", "42883"),
    ],
)
def test_other_casts_to_enums_are_refused(query: str, state: str, things: Connections) -> None:
    with pytest.raises(psycopg.Error) as refusal:
        things[0].execute(query.encode())
    assert refusal.value.sqlstate == state


def test_a_temporary_table_cannot_hide_an_enum(things: Connections) -> None:
    """Postgres looks for types, too, in pg_temp first."""
    client, _ = things
    with client.transaction(force_rollback=True), pytest.raises(psycopg.errors.DuplicateTable):
        client.execute("CREATE TEMP TABLE size AS SELECT count(*) AS n FROM things")


def test_an_enum_is_found_through_the_search_path(things: Connections) -> None:
    client, _ = things
    query = b"SELECT count(*) FROM public.things WHERE also = 'large'::\"Size of\""
    with client.transaction(force_rollback=True):
        client.execute("SET LOCAL search_path = other")
        assert client.execute(query).fetchone() == (150,)


def test_nothing_tells_the_labels_that_the_policy_does_not_list(things: Connections) -> None:
    """They can hold data: a text that is none is as one that no row has."""
    client, _ = things
    counted = client.execute("SELECT count(*) FROM things WHERE size = 'no such size'::size").fetchone()
    assert counted == client.execute("SELECT count(*) FROM things WHERE size = 'no such size'").fetchone() == (0,)
    with pytest.raises(psycopg.errors.UndefinedObject):
        client.execute("SELECT enum_range(NULL::unlisted)")
    assert client.execute("SELECT count(*) FROM pg_enum").fetchone() == (0,)
