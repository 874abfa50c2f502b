"""Tables that become something else while dpproxy runs: a public one that comes to show private rows is neither measured
nor copied any more, and a private one that is no longer what was checked is not measured."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import psycopg
import pytest

from proxy.errors import StaleSchemaError
from proxy.policy.model import Policy
from proxy.policy.traps import Watch
from proxy.postgres.catalog_reader import read_catalog
from proxy.postgres.source import Source
from proxy.postgres.stage_building import build_stage
from proxy.postgres.stage_schema import StageBuildError
from proxy.postgres.transaction import SourceRequest
from tests.conftest import PostgresCluster

TABLES = """
CREATE TABLE people (id integer PRIMARY KEY, city text);
CREATE TABLE cities (city text);
CREATE VIEW towns AS SELECT city FROM cities;
CREATE TABLE stays (id integer, nights integer);
CREATE FUNCTION positive(integer) RETURNS integer LANGUAGE sql IMMUTABLE AS 'SELECT greatest($1, 0)';
CREATE DOMAIN many AS integer;
CREATE VIEW all_nights AS SELECT id, positive(nights::many) AS nights FROM stays;
CREATE VIEW nights AS SELECT * FROM all_nights;
INSERT INTO people SELECT i, 'city ' || i % 3 FROM generate_series(1, 30) AS i;
INSERT INTO cities VALUES ('city 0'), ('city 1'), ('city 2');
"""
POLICY = Policy.model_validate(
    {
        "version": 1,
        "analysts": {},
        "tables": {
            "public.people": {"unit": {"name": "person", "column": "id"}, "budget": {"epsilon": 1}},
            "public.cities": {"public": True},
            "public.towns": {"public": True},
            "public.nights": {"unit": {"name": "person", "column": "id"}, "budget": {"epsilon": 1}},
        },
    }
)
SWAPS = {
    "a child": "ALTER TABLE people INHERIT cities",
    "a view in its place": "DROP VIEW towns; DROP TABLE cities; CREATE VIEW cities AS SELECT city FROM people; "
    "CREATE VIEW towns AS SELECT city FROM cities",
    "another query of a view": "CREATE OR REPLACE VIEW towns AS SELECT city FROM people",
    "estimates": "CREATE OR REPLACE VIEW towns AS SELECT max(reltuples)::text AS city FROM pg_class",
    "common values": "CREATE OR REPLACE VIEW towns AS SELECT max(most_common_vals::text) AS city FROM pg_stats",
    "sizes": "CREATE OR REPLACE VIEW towns AS SELECT pg_relation_size(c.oid)::text AS city FROM (VALUES (0::oid)) c(oid)",
    "a sequence": "CREATE SEQUENCE numbers; ALTER TABLE people ALTER id SET DEFAULT nextval('numbers'); "
    "CREATE OR REPLACE VIEW towns AS SELECT last_value::text AS city FROM numbers",
    "a sequence that programs use": "CREATE SEQUENCE numbers; "
    "CREATE OR REPLACE VIEW towns AS SELECT last_value::text AS city FROM numbers",
    "conditions of a domain": "CREATE FUNCTION lived_in(text) RETURNS boolean LANGUAGE sql BEGIN ATOMIC "
    "SELECT EXISTS (SELECT FROM people WHERE city = $1); END; CREATE DOMAIN place AS text CHECK (lived_in(VALUE)); "
    "CREATE OR REPLACE VIEW towns AS SELECT city::place::text AS city FROM cities",
    "a rule": "CREATE RULE copying AS ON INSERT TO people DO ALSO INSERT INTO cities VALUES (NEW.city)",
    "row-level security": "CREATE POLICY lived_in ON cities USING (city IN (SELECT city FROM people)); "
    "ALTER TABLE cities ENABLE ROW LEVEL SECURITY",
    "a function that nobody sees into": "CREATE FUNCTION told() RETURNS text LANGUAGE sql AS 'SELECT max(city) FROM people'; "
    "CREATE OR REPLACE VIEW towns AS SELECT told() AS city",
}
SWAPPED = pytest.mark.parametrize("swap", SWAPS.values(), ids=SWAPS.keys())
REQUEST = SourceRequest(("SELECT count(*) FROM public.towns",), tables=("public.cities", "public.towns"))


@pytest.fixture
def database(postgres_cluster: PostgresCluster) -> str:
    dsn = postgres_cluster.create_database("watched")
    change(dsn, TABLES)
    return dsn


def change(dsn: str, text: str) -> None:
    with psycopg.connect(dsn, autocommit=True) as owner:
        owner.execute(text.encode())


def asking(dsn: str, then: Callable[[], None]) -> None:
    """Ask before and after something happens, with what was known before."""
    watch = Watch(POLICY, read_catalog(dsn, POLICY.tables))

    async def ask() -> None:
        source = Source(dsn, watch)
        try:
            assert (await source.run(REQUEST)).results[0] == [("3",)]
            await asyncio.to_thread(then)
            async with source.transaction(REQUEST):
                pass
        finally:
            await source.close()

    asyncio.run(ask())


@SWAPPED
def test_a_public_relation_that_comes_to_show_private_rows_is_not_measured(
    database: str, swap: str, caplog: pytest.LogCaptureFixture
) -> None:
    """Source queries read public rows where they are, not where they were copied to."""
    with pytest.raises(StaleSchemaError):
        asking(database, lambda: change(database, swap))
    assert "public, but it" in caplog.text


@SWAPPED
def test_nor_is_it_copied_to_the_stage(database: str, postgres_cluster: PostgresCluster, swap: str) -> None:
    """What is checked at the start, and what is copied then, could be two things."""
    catalog = read_catalog(database, POLICY.tables)
    change(database, swap)
    with pytest.raises(StageBuildError, match="the source changed while dpproxy read it: tables"):
        build_stage(postgres_cluster.dsn("postgres"), POLICY, catalog, database, "never_built")


@pytest.mark.parametrize(
    "swap",
    [
        "CREATE TABLE rest () INHERITS (people)",
        "CREATE VIEW elsewhere AS SELECT * FROM people",
        "CREATE OR REPLACE VIEW towns AS SELECT upper(city) AS city FROM cities",
        "ALTER TABLE people RENAME TO old_people; CREATE TABLE people (LIKE old_people INCLUDING ALL)",
        "CREATE POLICY unused ON people USING (city > ''); CREATE INDEX ON people (city)",
    ],
)
def test_changes_that_show_no_private_row_do_not_matter(database: str, swap: str) -> None:
    asking(database, lambda: change(database, swap))


ANOTHER = {
    "a view in a table's place": "ALTER TABLE people RENAME TO old_people; CREATE VIEW people AS SELECT * FROM old_people",
    "rows that nobody owns any more, as public ones": "ALTER TABLE people RENAME TO old_people; "
    "CREATE VIEW people AS SELECT * FROM old_people; CREATE OR REPLACE VIEW towns AS SELECT city FROM old_people",
    "a table in a view's place": "DROP VIEW nights; CREATE TABLE nights (id integer, nights integer)",
    "a view's query": "CREATE OR REPLACE VIEW nights AS SELECT id, 1000 / nights AS nights FROM stays",
    "a view of another private table": "CREATE OR REPLACE VIEW nights AS SELECT id, id AS nights FROM people",
    "a view below of another private table": "CREATE OR REPLACE VIEW all_nights AS SELECT id, id AS nights FROM people",
    "the query of a view below": "CREATE OR REPLACE VIEW all_nights AS SELECT id, 1000 / nights AS nights FROM stays",
    "a function of a view": "CREATE OR REPLACE FUNCTION positive(integer) RETURNS integer LANGUAGE sql IMMUTABLE AS 'SELECT 1000 / $1'",
    "a condition of a domain of a view": "ALTER DOMAIN many ADD CHECK (1 / VALUE > 0)",
    "row-level security without a policy": "ALTER TABLE people ENABLE ROW LEVEL SECURITY",
    "row-level security below a view": "CREATE POLICY seen ON stays USING (1 / nights > 0); ALTER TABLE stays ENABLE ROW LEVEL SECURITY",
}


@pytest.mark.parametrize("swap", ANOTHER.values(), ids=ANOTHER.keys())
def test_a_private_table_that_becomes_something_else_is_not_measured(
    database: str, swap: str, caplog: pytest.LogCaptureFixture
) -> None:
    with pytest.raises(StaleSchemaError):
        asking(database, lambda: change(database, swap))
    assert "when dpproxy read it" in caplog.text


def test_another_policy_of_row_level_security_is_noticed(database: str) -> None:
    change(database, "CREATE POLICY seen ON people USING (id > 0); ALTER TABLE people ENABLE ROW LEVEL SECURITY")
    with pytest.raises(StaleSchemaError):
        asking(database, lambda: change(database, "ALTER POLICY seen ON people USING (1 / id > 0)"))


OVERRIDING = {
    "a cast": "CREATE FUNCTION told(integer) RETURNS text LANGUAGE sql AS 'SELECT max(city) FROM people'; "
    "CREATE CAST (integer AS text) WITH FUNCTION told(integer)",
    "a function of another language": "CREATE OR REPLACE FUNCTION pg_catalog.lower(text) RETURNS text "
    "LANGUAGE plpgsql IMMUTABLE STRICT AS 'BEGIN RETURN 1 / length($1); END'",
}


@pytest.mark.parametrize("change_of_types", OVERRIDING.values(), ids=OVERRIDING.keys())
def test_what_users_make_in_the_place_of_what_postgres_has_is_not_called(
    database: str, change_of_types: str, postgres_cluster: PostgresCluster, caplog: pytest.LogCaptureFixture
) -> None:
    catalog = read_catalog(database, POLICY.tables)
    with pytest.raises(StaleSchemaError):
        asking(database, lambda: change(database, change_of_types))
    assert "source queries would call what users made" in caplog.text
    with pytest.raises(StageBuildError, match="source queries would call what users made"):
        build_stage(postgres_cluster.dsn("postgres"), POLICY, catalog, database, "never_built")
