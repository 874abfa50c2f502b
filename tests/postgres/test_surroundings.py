"""What the catalog tells of a source besides its tables: encoding, reader, collations, and what reads what."""

from __future__ import annotations

from collections.abc import Callable

import psycopg
import pytest
from psycopg import sql
from psycopg.conninfo import make_conninfo

from proxy.policy.catalog import Catalog, Dependency
from proxy.postgres.catalog_reader import read_catalog
from tests.conftest import PostgresCluster

READERS = """
CREATE TABLE people (id integer PRIMARY KEY, city text, number serial);
CREATE VIEW near AS SELECT * FROM people;
CREATE MATERIALIZED VIEW kept AS SELECT city FROM near;
CREATE VIEW far AS SELECT city FROM kept;
CREATE TABLE root (id integer);
CREATE TABLE branch () INHERITS (root);
CREATE TABLE parts (id integer) PARTITION BY RANGE (id);
CREATE TABLE part PARTITION OF parts FOR VALUES FROM (1) TO (9);
CREATE TABLE copies (id integer, city text);
CREATE RULE copying AS ON INSERT TO people DO ALSO INSERT INTO copies VALUES (NEW.id, NEW.city);
CREATE FUNCTION told() RETURNS text LANGUAGE sql AS 'SELECT max(city) FROM people';
CREATE FUNCTION shown() RETURNS text LANGUAGE sql BEGIN ATOMIC SELECT max(city) FROM people; END;
CREATE VIEW telling AS SELECT told();
CREATE VIEW showing AS SELECT shown();
CREATE VIEW of_the_server AS SELECT upper(relname::text) FROM pg_class;
CREATE FOREIGN DATA WRAPPER nothing;
CREATE SERVER elsewhere FOREIGN DATA WRAPPER nothing;
CREATE FOREIGN TABLE abroad (city text) SERVER elsewhere;
CREATE VIEW travelling AS SELECT city FROM abroad;
CREATE VIEW sizes AS SELECT pg_total_relation_size(c.oid) AS size FROM (VALUES (0::oid)) AS c(oid);
CREATE VIEW numbered AS SELECT last_value FROM people_number_seq;
CREATE SEQUENCE of_orders;
CREATE TABLE orders (id bigint DEFAULT nextval('of_orders'), number bigint GENERATED ALWAYS AS IDENTITY);
CREATE VIEW ordered AS SELECT last_value FROM of_orders;
CREATE SEQUENCE of_a_program;
CREATE VIEW programmed AS SELECT last_value FROM of_a_program;
CREATE FUNCTION estimated() RETURNS real LANGUAGE sql BEGIN ATOMIC
    SELECT max(reltuples) FROM pg_class WHERE relname = 'people'; END;
CREATE VIEW estimating AS SELECT estimated();
CREATE VIEW harmless AS SELECT clock_timestamp(), random(), upper('a'), array_agg(n) FROM generate_series(1, 3) AS n;
CREATE VIEW common AS SELECT tablename, most_common_vals::text FROM pg_stats;
CREATE TABLE cities (city text);
CREATE POLICY inhabited ON cities FOR SELECT USING (EXISTS (SELECT FROM people p WHERE p.city = cities.city));
CREATE POLICY added ON cities FOR INSERT WITH CHECK (city IN (SELECT city FROM copies));
CREATE TABLE open_cities (city text);
CREATE POLICY unused ON open_cities USING (EXISTS (SELECT FROM people p WHERE p.city = open_cities.city));
ALTER TABLE cities ENABLE ROW LEVEL SECURITY;
"""
TYPES_AND_OPERATORS = """
CREATE FUNCTION counted(integer) RETURNS boolean LANGUAGE sql BEGIN ATOMIC SELECT count(*) > $1 FROM people; END;
CREATE DOMAIN checked AS integer CHECK (VALUE > 0) CHECK (counted(VALUE));
CREATE DOMAIN narrow AS checked CHECK (VALUE < 9);
CREATE TYPE pair AS (word text, number narrow);
CREATE FUNCTION apart(integer, integer) RETURNS double precision LANGUAGE sql IMMUTABLE AS 'SELECT $1::float - $2';
CREATE TYPE span AS RANGE (SUBTYPE = integer, SUBTYPE_DIFF = apart);
CREATE TYPE pairs AS RANGE (SUBTYPE = pair);
CREATE TYPE kind AS ENUM ('small');
CREATE VIEW of_a_domain AS SELECT length(city)::checked FROM open_cities;
CREATE VIEW of_a_list AS SELECT city::narrow[] FROM open_cities;
CREATE VIEW of_a_row AS SELECT city::pair FROM open_cities;
CREATE VIEW of_a_range AS SELECT city::pairs FROM open_cities;
CREATE VIEW of_a_span AS SELECT city::span FROM open_cities;
CREATE VIEW of_an_enum AS SELECT city::kind FROM open_cities;
CREATE OPERATOR ?? (FUNCTION = counted, RIGHTARG = integer);
CREATE FUNCTION operating() RETURNS boolean LANGUAGE sql BEGIN ATOMIC SELECT ?? 5; END;
CREATE VIEW of_an_operator AS SELECT operating();
CREATE FUNCTION below(pair, pair) RETURNS boolean LANGUAGE sql IMMUTABLE AS 'SELECT ($1).number < ($2).number';
CREATE FUNCTION same(pair, pair) RETURNS boolean LANGUAGE sql IMMUTABLE AS 'SELECT ($1).number = ($2).number';
CREATE FUNCTION compared(pair, pair) RETURNS integer LANGUAGE sql IMMUTABLE AS 'SELECT 0';
CREATE OPERATOR < (FUNCTION = below, LEFTARG = pair, RIGHTARG = pair);
CREATE OPERATOR = (FUNCTION = same, LEFTARG = pair, RIGHTARG = pair);
CREATE OPERATOR CLASS of_pairs DEFAULT FOR TYPE pair USING btree AS OPERATOR 1 <, OPERATOR 3 =,
    FUNCTION 1 compared(pair, pair);
CREATE TABLE worn (pair pair);
CREATE VIEW sorted AS SELECT pair FROM worn GROUP BY pair;
"""


@pytest.fixture(scope="module")
def readers(postgres_cluster: PostgresCluster) -> Callable[..., set[Dependency]]:
    """The dependencies that are read for some relations."""
    dsn = postgres_cluster.create_database("readers")
    with psycopg.connect(dsn, autocommit=True) as connection:
        connection.execute(READERS + TYPES_AND_OPERATORS)

    def read(*names: str) -> set[Dependency]:
        return set(read_catalog(dsn, [f"public.{name}" for name in names]).dependencies)

    return read


def reads(reader: str, target: str, *, unseen: bool = False) -> Dependency:
    return Dependency(f"public.{reader}", f"public.{target}", "query", unseen)


def test_views_are_followed_through_views_and_materialized_views(readers: Callable[..., set[Dependency]]) -> None:
    assert readers("far") == {reads("far", "kept"), reads("kept", "near"), reads("near", "people")}


def test_children_and_partitions_hold_rows_of_their_parents(readers: Callable[..., set[Dependency]]) -> None:
    assert readers("root", "parts") == {
        Dependency("public.root", "public.branch", "inherits"),
        Dependency("public.parts", "public.part", "inherits"),
    }
    assert readers("branch", "part", "people") == set()


def test_a_rule_copies_what_is_written_to_its_table(readers: Callable[..., set[Dependency]]) -> None:
    assert readers("copies") == {Dependency("public.copies", "public.people", "rule")}


def test_a_function_is_followed_where_postgres_knows_what_it_reads(readers: Callable[..., set[Dependency]]) -> None:
    assert readers("showing") == {reads("showing", "shown()"), reads("shown()", "people")}
    assert readers("telling") == {reads("telling", "told()", unseen=True)}


def of_server(reader: str, target: str) -> Dependency:
    return Dependency(f"public.{reader}", f"pg_catalog.{target}", "query", unseen=True)


def test_what_the_server_knows_of_everybodys_tables_is_found_where_postgres_records_nothing(
    readers: Callable[..., set[Dependency]],
) -> None:
    """Who reads its own tables and calls its own functions stands in the trees of queries alone."""
    assert readers("common") == {of_server("common", "pg_stats")}
    assert readers("of_the_server") == {of_server("of_the_server", "pg_class")}
    assert readers("sizes") == {of_server("sizes", "pg_total_relation_size()")}
    assert readers("estimating") == {reads("estimating", "estimated()"), of_server("estimated()", "pg_class")}
    assert readers("harmless") == set()


def test_a_sequence_tells_of_its_table(readers: Callable[..., set[Dependency]]) -> None:
    assert readers("numbered") == {reads("numbered", "people_number_seq"), reads("people_number_seq", "people")}


def test_a_sequence_tells_of_tables_whose_columns_take_numbers_from_it(readers: Callable[..., set[Dependency]]) -> None:
    assert readers("ordered") == {reads("ordered", "of_orders"), reads("of_orders", "orders")}


def test_of_a_sequence_that_belongs_to_no_table_nobody_knows_whose_rows_it_counts(
    readers: Callable[..., set[Dependency]],
) -> None:
    assert readers("programmed") == {reads("programmed", "of_a_program", unseen=True)}


CHECKED = {reads("checked (type)", "counted()"), reads("counted()", "people")}
NARROW = {reads("narrow (type)", "checked (type)"), *CHECKED}
PAIR = {reads("pair (type)", "narrow (type)"), *NARROW}


@pytest.mark.parametrize(
    ("view", "way"),
    [
        ("of_a_domain", {reads("of_a_domain", "checked (type)"), *CHECKED}),
        ("of_a_list", {reads("of_a_list", "_narrow (type)"), reads("_narrow (type)", "narrow (type)"), *NARROW}),
        ("of_a_row", {reads("of_a_row", "pair (type)"), *PAIR}),
        ("of_a_range", {reads("of_a_range", "pairs (type)"), reads("pairs (type)", "pair (type)"), *PAIR}),
        ("of_a_span", {reads("of_a_span", "span (type)"), reads("span (type)", "apart()", unseen=True)}),
        ("of_an_enum", set()),
    ],
)
def test_a_type_reads_what_the_conditions_of_its_domains_read(
    view: str, way: set[Dependency], readers: Callable[..., set[Dependency]]
) -> None:
    assert readers(view) - {reads(view, "open_cities")} == way


def test_operators_read_what_the_functions_read_that_they_call(readers: Callable[..., set[Dependency]]) -> None:
    found = {reads("of_an_operator", "operating()"), reads("operating()", "counted()"), reads("counted()", "people")}
    assert readers("of_an_operator") == found
    assert reads("sorted", "compared()", unseen=True) in readers("sorted")


def test_row_level_security_reads_what_its_conditions_read(readers: Callable[..., set[Dependency]]) -> None:
    assert readers("cities", "open_cities") == {reads("cities", "people")}


def test_what_is_behind_a_foreign_table_is_unseen(readers: Callable[..., set[Dependency]]) -> None:
    assert readers("travelling") == {reads("travelling", "abroad", unseen=True)}


def create(cluster: PostgresCluster, name: str, options: str) -> str:
    """A fresh database made with these options; skips where the server has no ICU."""
    with psycopg.connect(cluster.dsn("postgres"), autocommit=True) as connection:
        connection.execute(sql.SQL("DROP DATABASE IF EXISTS {}").format(sql.Identifier(name)))
        try:
            connection.execute(f"CREATE DATABASE {name} TEMPLATE template0 {options}".encode())
        except psycopg.errors.FeatureNotSupported:
            pytest.skip("this server has no ICU collations")
    return cluster.dsn(name)


@pytest.mark.parametrize("encoding", ["WIN1252", "LATIN1", "SQL_ASCII"])
def test_of_another_encoding_than_utf8_nothing_but_that_is_told(
    encoding: str, postgres_cluster: PostgresCluster
) -> None:
    dsn = create(postgres_cluster, f"in_{encoding.lower()}", f"ENCODING '{encoding}' LOCALE 'C'")
    with psycopg.connect(dsn, autocommit=True) as connection:
        connection.execute("CREATE TABLE people (id integer PRIMARY KEY, city text)")
    catalog = read_catalog(dsn, ["public.people"], ["public.people"])
    assert (catalog.encoding, catalog.tables) == (encoding, {})


def test_names_are_read_whatever_encoding_the_connection_string_asks_for(postgres_cluster: PostgresCluster) -> None:
    dsn = create(postgres_cluster, "umlauts", "ENCODING 'UTF8' LOCALE 'C'")
    with psycopg.connect(dsn, autocommit=True, client_encoding="utf8") as connection:
        connection.execute('CREATE TABLE "Städte ☺" ("Größe" integer)')
    catalog = read_catalog(make_conninfo(dsn, client_encoding="LATIN1"), ["public.Städte ☺"])
    assert list(catalog.tables["public.Städte ☺"].columns) == ["Größe"]


def test_collations_that_do_not_order_by_code_point_are_named(postgres_cluster: PostgresCluster) -> None:
    dsn = create(postgres_cluster, "in_icu", "LOCALE_PROVIDER icu ICU_LOCALE 'en-US' LOCALE 'C' ENCODING 'UTF8'")
    with psycopg.connect(dsn, autocommit=True) as connection:
        connection.execute(
            'CREATE TABLE people (city text, code text COLLATE "C", place text COLLATE "de-x-icu", '
            'other text COLLATE "POSIX", tags text[] COLLATE "fr-x-icu")'
        )
    assert read_catalog(dsn, ["public.people"]).collations == {
        "": "ICU en-US",
        "public.people.place": "de-x-icu",
        "public.people.tags": "fr-x-icu",
    }


@pytest.mark.parametrize("locale", ["C", "POSIX"])
def test_the_c_locale_orders_by_code_point(locale: str, postgres_cluster: PostgresCluster) -> None:
    dsn = create(postgres_cluster, f"in_{locale.lower()}", f"LOCALE '{locale}' ENCODING 'UTF8'")
    assert read_catalog(dsn, []).collations == {}


@pytest.fixture(scope="module")
def limited(postgres_cluster: PostgresCluster) -> Catalog:
    """As a reader who is no superuser, of a table with policies and one without."""
    dsn = postgres_cluster.create_database("limited")
    with psycopg.connect(dsn, autocommit=True) as connection:
        connection.execute(
            "CREATE TABLE guarded (id integer); CREATE TABLE plain (id integer);"
            "ALTER TABLE guarded ENABLE ROW LEVEL SECURITY; DROP ROLE IF EXISTS limited_reader;"
            "CREATE ROLE limited_reader LOGIN PASSWORD 'limited'; GRANT SELECT ON guarded, plain TO limited_reader"
        )
    return read_catalog(
        make_conninfo(dsn, user="limited_reader", password="limited"), ["public.guarded", "public.plain"]
    )


def test_row_level_security_is_told_where_it_limits_the_reader(limited: Catalog) -> None:
    assert limited.tables["public.guarded"].row_security
    assert not limited.tables["public.plain"].row_security


def test_a_partition_names_its_parent_and_a_child_does_not(postgres_cluster: PostgresCluster) -> None:
    dsn = postgres_cluster.create_database("parted")
    with psycopg.connect(dsn, autocommit=True) as connection:
        connection.execute(
            "CREATE SCHEMA old; CREATE TABLE old.rows (id integer) PARTITION BY LIST (id);"
            "CREATE TABLE part PARTITION OF old.rows DEFAULT;"
            "CREATE TABLE base (id integer); CREATE TABLE child () INHERITS (base)"
        )
    found = read_catalog(dsn, ["old.rows", "public.part", "public.child"]).tables
    assert {name: table.parent for name, table in found.items()} == {
        "old.rows": None,
        "public.part": "old.rows",
        "public.child": None,
    }


def test_a_superuser_is_told(limited: Catalog, clinic_catalog: Catalog) -> None:
    assert (limited.superuser, clinic_catalog.superuser) == (False, True)
