"""What users made that source queries would call in the place of what Postgres has is found, and nothing else is."""

from __future__ import annotations

from collections.abc import Iterator

import psycopg
import pytest
from psycopg.conninfo import make_conninfo

from proxy.postgres.catalog_reader import read_catalog
from tests.conftest import PostgresCluster

TEXT_OF_A_NUMBER = "CREATE FUNCTION told(integer) RETURNS text LANGUAGE sql AS 'SELECT max(city) FROM people'; "
ORDER = """
CREATE FUNCTION compared(varchar, varchar) RETURNS integer LANGUAGE plpgsql IMMUTABLE AS
    'BEGIN RAISE EXCEPTION ''compared''; END';
CREATE FUNCTION below(varchar, varchar) RETURNS boolean LANGUAGE sql IMMUTABLE AS 'SELECT $1::text < $2::text';
CREATE FUNCTION same(varchar, varchar) RETURNS boolean LANGUAGE sql IMMUTABLE AS 'SELECT $1::text = $2::text';
CREATE OPERATOR < (FUNCTION = below, LEFTARG = varchar, RIGHTARG = varchar);
CREATE OPERATOR = (FUNCTION = same, LEFTARG = varchar, RIGHTARG = varchar);
"""
FOUND = {
    "a cast by a function": (
        TEXT_OF_A_NUMBER + "CREATE CAST (integer AS text) WITH FUNCTION told(integer)",
        "CAST (integer AS text)",
    ),
    "a cast of lists": (
        "CREATE FUNCTION listed(integer[]) RETURNS text LANGUAGE sql AS 'SELECT max(city) FROM people'; "
        "CREATE CAST (integer[] AS text) WITH FUNCTION listed(integer[])",
        "CAST (integer[] AS text)",
    ),
    "a cast by texts": ("CREATE CAST (json AS integer) WITH INOUT AS IMPLICIT", "CAST (json AS integer)"),
    "a cast of bytes": ("CREATE CAST (text AS bytea) WITHOUT FUNCTION", "CAST (text AS bytea)"),
    "a function of the same name": (
        "CREATE FUNCTION pg_catalog.lower(integer) RETURNS text LANGUAGE sql AS 'SELECT max(city) FROM people'",
        "FUNCTION pg_catalog.lower(integer)",
    ),
    "a function of a new name": (
        "CREATE FUNCTION pg_catalog.of_tomorrow(text) RETURNS text LANGUAGE sql AS 'SELECT $1'",
        "FUNCTION pg_catalog.of_tomorrow(text)",
    ),
    "a function in another language": (
        "CREATE OR REPLACE FUNCTION pg_catalog.lower(text) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT AS 'BEGIN END'",
        "FUNCTION pg_catalog.lower(text), rewritten",
    ),
    "a function in SQL": (
        "CREATE OR REPLACE FUNCTION pg_catalog.lower(text) RETURNS text LANGUAGE sql IMMUTABLE STRICT AS 'SELECT $1'",
        "FUNCTION pg_catalog.lower(text), rewritten",
    ),
    "an operator": (
        "CREATE FUNCTION same(integer, text) RETURNS boolean LANGUAGE sql AS 'SELECT true'; "
        "CREATE OPERATOR pg_catalog.= (FUNCTION = same, LEFTARG = integer, RIGHTARG = text)",
        "OPERATOR pg_catalog.= (integer, text)",
    ),
    "an operator of one side": (
        "CREATE FUNCTION less(text) RETURNS text LANGUAGE sql AS 'SELECT $1'; "
        "CREATE OPERATOR pg_catalog.- (FUNCTION = less, RIGHTARG = text)",
        "OPERATOR pg_catalog.- (NONE, text)",
    ),
    "an order of a type": (
        ORDER + "CREATE OPERATOR CLASS mine DEFAULT FOR TYPE varchar USING btree AS OPERATOR 1 <, OPERATOR 3 =, "
        "FUNCTION 1 compared(varchar, varchar)",
        "OPERATOR CLASS public.mine USING btree",
    ),
    "a hash of a type": (
        ORDER + "CREATE FUNCTION hashed(varchar) RETURNS integer LANGUAGE sql IMMUTABLE AS 'SELECT 1'; "
        "CREATE OPERATOR CLASS mine DEFAULT FOR TYPE varchar USING hash AS OPERATOR 1 =, FUNCTION 1 hashed(varchar)",
        "OPERATOR CLASS public.mine USING hash",
    ),
    "another order by the same operators": (
        "CREATE FUNCTION turned(integer, integer) RETURNS integer LANGUAGE sql IMMUTABLE AS 'SELECT btint4cmp($2, $1)'; "
        "CREATE OPERATOR CLASS mine FOR TYPE integer USING btree AS OPERATOR 1 pg_catalog.>, OPERATOR 3 pg_catalog.=, "
        "OPERATOR 5 pg_catalog.<, FUNCTION 1 turned(integer, integer)",
        "OPERATOR FAMILY public.mine USING btree",
    ),
    "a function of an order": (
        "CREATE FUNCTION compared(integer, numeric) RETURNS integer LANGUAGE sql IMMUTABLE AS 'SELECT 0'; "
        "ALTER OPERATOR FAMILY integer_ops USING btree ADD FUNCTION 1 (integer, numeric) compared(integer, numeric)",
        "OPERATOR FAMILY pg_catalog.integer_ops USING btree",
    ),
}
HARMLESS = {
    "nothing": "SELECT",
    "a cast of an enum": "CREATE TYPE mood AS ENUM ('calm'); CREATE CAST (mood AS varchar) WITH INOUT AS IMPLICIT",
    "a cast of a domain, which is ignored": "CREATE DOMAIN number AS integer; "
    "CREATE FUNCTION told(number) RETURNS text LANGUAGE sql AS 'SELECT max(city) FROM people'; "
    "CREATE CAST (number AS text) WITH FUNCTION told(number)",
    "functions and operators of other schemas": TEXT_OF_A_NUMBER + ORDER,
    "an order that is to be asked for": ORDER
    + "CREATE OPERATOR CLASS mine FOR TYPE varchar USING btree AS OPERATOR 1 <, "
    "OPERATOR 3 =, FUNCTION 1 compared(varchar, varchar)",
    "an extension": "CREATE EXTENSION citext; CREATE EXTENSION hstore; CREATE EXTENSION btree_gist",
    "an extension in pg_catalog": "CREATE EXTENSION citext SCHEMA pg_catalog; CREATE EXTENSION isn SCHEMA pg_catalog",
}


@pytest.fixture
def database(postgres_cluster: PostgresCluster) -> Iterator[psycopg.Connection]:
    with postgres_cluster.database("overridden") as dsn, psycopg.connect(dsn, autocommit=True) as connection:
        connection.execute("CREATE TABLE people (id integer PRIMARY KEY, city text)")
        yield connection


def overriding(connection: psycopg.Connection, text: str) -> tuple[str, ...]:
    connection.execute("SET client_min_messages = error")
    connection.execute(text.encode())
    return read_catalog(dsn_of(connection), []).overriding


def dsn_of(connection: psycopg.Connection) -> str:
    return make_conninfo(connection.info.dsn, password=connection.info.password)


@pytest.mark.parametrize(("text", "name"), FOUND.values(), ids=FOUND.keys())
def test_what_source_queries_would_call_is_found(database: psycopg.Connection, text: str, name: str) -> None:
    assert overriding(database, text) == (name,)


@pytest.mark.parametrize("text", HARMLESS.values(), ids=HARMLESS.keys())
def test_what_they_never_call_is_not(database: psycopg.Connection, text: str) -> None:
    assert overriding(database, text) == ()


def test_a_type_that_users_put_into_pg_catalog_is_read_as_text(database: psycopg.Connection) -> None:
    database.execute("CREATE TYPE pg_catalog.mood AS ENUM ('calm'); CREATE TABLE days (day date, mood pg_catalog.mood)")
    column = read_catalog(dsn_of(database), ["public.days"]).tables["public.days"].columns["mood"]
    assert (column.type_name, column.cast_to_text) == ("text", True)
    database.execute(
        "CREATE FUNCTION told(pg_catalog.mood) RETURNS text LANGUAGE sql AS 'SELECT max(city) FROM people'; "
        "CREATE CAST (pg_catalog.mood AS text) WITH FUNCTION told(pg_catalog.mood)"
    )
    assert list(read_catalog(dsn_of(database), ["public.days"]).tables["public.days"].columns) == ["day"]
